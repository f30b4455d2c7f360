/* silhouette.h  How well each row fits its cluster. */
#ifndef KNNG_SILHOUETTE_H
#define KNNG_SILHOUETTE_H

#include "base/task.h"
#include "search/metric.h"

/* s[i], i < n: the silhouette value of row i of X, where cluster[i] is the number of its cluster, from 0 to
 * clusters - 1, or -1: the row takes no part. With a the mean canonical distance to the other rows of its cluster, b
 * the least of the mean distances to the rows of the other clusters: 1 - a/b where a < b, 0 where they are equal, b/a -
 * 1 elsewhere. The distances to a cluster are summed in the order of its rows, so threads change no bit. A row alone in
 * its cluster has 1; NaN: the row takes no part, or has no distances, or there is one cluster only. Errors:
 * knng:memory:host, knng:interrupted. O(n*n*d); memory 8*n*ld bytes, and 512 * clusters a thread. */
knng_status knng_silhouette(knng_task *task, const knng_matrix *X, const knng_metric *metric, const int32_t *cluster,
			    int64_t clusters, double *s, knng_err *err);

#endif
