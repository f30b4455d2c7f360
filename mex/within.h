/* within.h  What a search for a radius has found, as matrices of Octave. */
#ifndef KNNG_WITHIN_H
#define KNNG_WITHIN_H

#include "gateway.h"
#include "search/range.h"

/* What a pair and a row take in Octave: index and distance, and again in the cells that are made of them. */
enum { KNNG_WITHIN_PAIR = 32, KNNG_WITHIN_ROW = 512 };

/* What is asked for: r, for lists. Error: knng:args:radius. */
knng_status knng_mex_radius(const mxArray *a, knng_range *found, knng_err *err);

/* count, and of idx and dist what the call wants: its first three results. count, 1 x the rows of the answer: how many
 * rows are within r of each. idx and dist, 1 x their sum: of the first row by (distance, index), of the second, and so
 * on; dist is single or double. */
knng_status knng_mex_within(knng_call *call, const knng_range *found, bool single, int threads, knng_err *err);

#endif
