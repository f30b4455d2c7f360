/* metafeatures.h  What every pair of rows of a matrix has in between: differences, sums, products, ratios. */
#ifndef KNNG_METAFEATURES_H
#define KNNG_METAFEATURES_H

#include "base/pairs.h"
#include "base/task.h"

/* Writes the rows of Z, which pairs of rows make (Z->pairs), column by column to `to`, of the type of Z. *nonfinite:
 * rows that hold NaN or Inf. Errors: knng:memory:host, knng:interrupted. n * d operations; what limits is the writing.
 * Memory: a few kB a thread. */
knng_status knng_metafeatures(knng_task *task, const knng_matrix *Z, void *to, int64_t *nonfinite, knng_err *err);

#endif
