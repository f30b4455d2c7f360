/* duplicates.h  Which rows of a matrix are the same. */
#ifndef KNNG_DUPLICATES_H
#define KNNG_DUPLICATES_H

#include "base/task.h"
#include "search/metric.h"

/* group[i], i < n: the number of row i's group, counted from 1 in the order of their first rows; *groups of them. Rows
 * are of one group if the metric prepares them alike, bit for bit, once -0 is 0; a row without distances is alone.
 * Errors: knng:memory:host, knng:interrupted. O(nd), some 40 bytes a row. */
knng_status knng_duplicates(knng_task *task, const knng_matrix *X, const knng_metric *metric, double *group,
			    int64_t *groups, knng_err *err);

#endif
