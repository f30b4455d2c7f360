/* linkage_points.h  Trees of the rows of a matrix. */
#ifndef KNNG_LINKAGE_POINTS_H
#define KNNG_LINKAGE_POINTS_H

#include "graph/linkage.h"
#include "search/metric.h"

/* The tree Z of the rows of X, as graph/linkage.h has it. `centres`: ward, centroid and median by the centres of nodes,
 * for which the metric has to be euclidean; else by a table of the canonical distances. max_memory: bytes; 0: what the
 * machine has. The same bits for every number of threads. Errors: knng:data:rows (a row without distances),
 * knng:memory:host before any work, knng:interrupted. O(n^2 d); 8 n^2 bytes, and by centres 8 n d. */
knng_status knng_link_points(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_link method,
			     bool centres, double max_memory, double *Z, knng_err *err);

/* The same on a GPU, to the last bit. *done: false, and Z is undefined, where the CPU is asked for, is as fast, or has
 * to, since the GPU failed or lacks memory, as *fallback says then; its id is empty else. max_device_memory: bytes of
 * the GPU; 0: what it has. Errors: also knng:args:device, knng:device:none. Memory: that of knng_link_on, and of the
 * host 8 n d bytes, not the table. */
knng_status knng_link_points_on_gpu(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_link method,
				    bool centres, const knng_devices *device, double max_memory,
				    double max_device_memory, double *Z, bool *done, knng_err *fallback, knng_err *err);

/* The n (n - 1) / 2 distances of all pairs of rows, (1, 2), (1, 3), …, in y. The same errors. */
knng_status knng_all_distances(knng_task *task, const knng_matrix *X, const knng_metric *metric, double *y,
			       knng_err *err);

/* Whether every row has distances. Errors: knng:data:rows, knng:memory:host, knng:interrupted. O(n d). */
knng_status knng_link_check(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_err *err);

/* What may help where the table of n rows, of d columns, has no room, by what fits into max_memory, 0: the machine's;
 * d = 0: not known. */
const char *knng_link_remedy(int64_t n, int64_t d, double max_memory);

#endif
