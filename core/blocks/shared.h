/* shared.h  How many columns the rows of a graph share with their neighbours, where NaN is a missing value and the rows
 * are read from elsewhere. */
#ifndef KNNG_SHARED_H
#define KNNG_SHARED_H

#include "blocks/rows.h"

/* What that takes: which values there are, and some rows. */
double knng_shared_bytes(const knng_rows *rows);

/* shared[i + c*n] = how many columns have a value in row i and in row idx[i + c*n], counted from 1; 0 where that is 0.
 * Reads all rows once. Errors: those of read; knng:memory:host, knng:interrupted. */
knng_status knng_shared_count(const knng_rows *rows, const double *idx, int64_t k, double *shared,
			      const knng_task *task, knng_err *err);

#endif
