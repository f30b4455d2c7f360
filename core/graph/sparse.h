/* sparse.h  Products of sparse matrices. */
#ifndef KNNG_SPARSE_H
#define KNNG_SPARSE_H

#include "graph/adjacency.h"

/* y = A' x, which is A x where A is symmetric: y[j] sums column j in its order, so that it is the same for any number
 * of threads. x has A->rows numbers, y A->columns. Errors: knng:interrupted. O(entries); limited by memory, 16 bytes an
 * entry and what x takes where it does not fit into the cache. */
knng_status knng_sparse_times(knng_task *task, const knng_sparse *A, const double *x, double *y, knng_err *err);

#endif
