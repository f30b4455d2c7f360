/* duplicates.h  Which rows of a matrix are the same. */
#ifndef KNNG_DUPLICATES_H
#define KNNG_DUPLICATES_H

#include "knng.h"

/* group[i], i < n: the number of row i's group, counted from 1 in the order of their first rows; *groups of them. Rows
 * are of one group if plan's metric prepares them alike, bit for bit, once -0 is 0; a row without distances is alone.
 * Of the plan it uses x, metric, threads, interrupt and progress. Errors: knng:memory:host, knng:interrupted.
 * O(nd), some 40 bytes a row. */
knng_status knng_duplicates(const knng_plan *plan, double *group, int64_t *groups, knng_err *err);

#endif
