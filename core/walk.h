/* walk.h  What a random walk on a graph needs of linear algebra. */
#ifndef KNNG_WALK_H
#define KNNG_WALK_H

#include "adjacency.h"

/* y = A' x, which is A x where A is symmetric: y[j] sums column j in its order, so that it is the same for any number
 * of threads. x has A->rows numbers, y A->columns. O(entries), on all threads; limited by memory, 16 bytes an entry and
 * what x takes where it does not fit into the cache. */
void knng_sparse_times(const knng_sparse *A, const double *x, double *y);

#endif
