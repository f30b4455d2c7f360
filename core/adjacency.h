/* adjacency.h  From neighbour lists to the arrays of a compressed sparse column matrix. */
#ifndef KNNG_ADJACENCY_H
#define KNNG_ADJACENCY_H

#include "knng.h"
#include <stddef.h>

/* idx, dist: n x k, column-major; idx counts from 1, 0 is no neighbour.
 * Counts the entries into *edges; false if idx holds anything but integers 0 … n. O(nk). */
bool knng_adjacency_count(int64_t n, int64_t k, const double *idx, int64_t *edges);

/* Fills the n x n matrix A(i, idx(i,c)) = max(dist(i,c), realmin): start[n + 1], row[edges], value[edges], rows
 * ascending in every column. A zero would vanish from a sparse matrix, so the smallest normal double stands for it.
 * O(nk). */
void knng_adjacency_fill(int64_t n, int64_t k, const double *idx, const void *dist, knng_type type, size_t *start,
			 size_t *row, double *value);

#endif
