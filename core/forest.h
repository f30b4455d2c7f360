/* forest.h  What hangs together in a graph: its components, its minimum spanning forest, the clusters of MST-kNN. An
 * entry A(i, j) joins i and j, whichever of the two it stands under; what lies on the diagonal joins nothing. */
#ifndef KNNG_FOREST_H
#define KNNG_FOREST_H

#include "adjacency.h"

/* part[i], i < n: the number of node i's component, counted from 0 in the order of their first nodes; *parts of them.
 * A is n x n, n < 2^31; its values are not looked at. O(entries), nothing but part. */
void knng_components(const knng_sparse *A, int32_t *part, int64_t *parts);

/* i < j. Edges are ordered by (d, i, j), so no two of a graph are equal, and there is one minimum spanning forest. */
typedef struct {
	double d;
	int32_t i, j;
} knng_edge;

/* The minimum spanning forest of A, n x n distances, n < 2^31, none NaN: its *edges <= n - 1 edges, in their order,
 * into tree, which has room for n - 1. A distance up to realmin is 0; of the two directions of a pair the smaller
 * counts. Boruvka's algorithm: O(entries log n) at most, some 25 bytes a node. */
knng_status knng_forest(const knng_sparse *A, knng_edge *tree, int64_t *edges, knng_err *err);

#endif
