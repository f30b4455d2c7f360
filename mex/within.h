/* within.h  What a search for a radius has found, as matrices of Octave. */
#ifndef KNNG_WITHIN_H
#define KNNG_WITHIN_H

#include "gateway.h"
#include "search/range.h"

/* What is asked for: r, for lists, or for a sparse matrix. Error: knng:args:radius. */
knng_status knng_mex_radius(const mxArray *a, bool matrix, knng_range *found, knng_err *err);

/* count, and of idx and dist what the call wants: its first three results. count, 1 x the rows of the answer: how many
 * rows are within r of each. idx and dist, 1 x their sum: of the first row by (distance, index), of the second, and so
 * on; dist is single or double. */
knng_status knng_mex_within(knng_call *call, const knng_range *found, bool single, int threads, knng_err *err);

/* The first result of the call: of a graph the distances, sparse and symmetric, below the smallest normal number as
 * that. */
knng_status knng_mex_within_matrix(knng_call *call, const knng_range *found, bool single, knng_err *err);

#endif
