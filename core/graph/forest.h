/* forest.h  Connectivity of a graph: its components, its minimum spanning forest, the clusters of MST-kNN. An
 * entry A(i, j) joins i and j, whichever of the two it stands under; what lies on the diagonal joins nothing. */
#ifndef KNNG_FOREST_H
#define KNNG_FOREST_H

#include "graph/adjacency.h"

/* part[i], i < n: the number of node i's component, counted from 0 in the order of their first nodes; *parts of them.
 * A is n x n, n < 2^31; its values are not looked at. O(entries log n) at most; nothing but part. Errors:
 * knng:interrupted. */
knng_status knng_components(knng_task *task, const knng_sparse *A, int32_t *part, int64_t *parts, knng_err *err);

/* i < j. Edges are ordered by (d, i, j), so no two of a graph are equal, and there is one minimum spanning forest. */
typedef struct {
	double d;
	int32_t i, j;
} knng_tree_edge;

/* That order. b may be none, i = -1, which comes last. */
static inline bool
knng_edge_before(const knng_tree_edge *a, const knng_tree_edge *b)
{
#ifdef KNNG_PLANT_ORDER /* what the tests must find: of edges of equal length that whose second end is last */
	return b->i < 0 || a->d < b->d || (a->d == b->d && (a->i > b->i || (a->i == b->i && a->j > b->j)));
#else
	return b->i < 0 || a->d < b->d || (a->d == b->d && (a->i < b->i || (a->i == b->i && a->j < b->j)));
#endif
}

/* The minimum spanning forest of A, n x n distances, n < 2^31, none NaN: its *edges <= n - 1 edges, in their order,
 * into tree, which has room for n - 1. A distance up to realmin is 0; of the two directions of a pair the smaller
 * counts. part[i]: the number of node i's part, as above. Boruvka's algorithm: O(entries log n) at most, some 25 bytes
 * a node.
 *
 * Not all edges need be known. With reach[n] A may lack edges; but row i of A has, of the edges that leave i's part,
 * all that are shorter than reach[i]; and if it has one of d <= reach[i], then the first by (d, j). Then parts are
 * joined as long as it is certain by which edge, and tree has edges of the forest of all pairs alone. (If what it has
 * of d = reach[i] need not be the first, the forest is one of those of the least sum.) To go on when more is known:
 * start, the parts that were reached (else NULL); the edges that are new come back. best[p]: the shortest edge known to
 * leave part p, infinite where there is none (NULL: not wanted). */
knng_status knng_forest(knng_task *task, const knng_sparse *A, const double *reach, const int32_t *start, int32_t *part,
			double *best, knng_tree_edge *tree, int64_t *edges, knng_err *err);

/* How many neighbours count in a part of m nodes, beside a fixed number >= 1: max (1, floor (ln (m))); or the least
 * that joins the part, if it is smaller. */
enum { KNNG_K_LOG = 0, KNNG_K_JOINS = -1 };

/* The clusters of MST-kNN. An edge of the tree is kept if one of its ends is among the k nearest neighbours of the
 * other, within their part; the parts that remain are treated likewise, each with its own k, until no edge goes. The
 * first part is all nodes with neighbours. In: lists, whose column i has the neighbours of node i, the nearest ones by
 * (d, j) up to some rank, of any length, and which come back in this order; tree. Out: kept[edges]; part[n], the
 * numbers of the parts; wanting[n]: 1 where the list of a node was too short to tell, and was taken to hold nothing
 * more. O(entries + rounds (n + entries that are looked at)), some 25 bytes a node. */
knng_status knng_mstknn(knng_task *task, knng_sparse *lists, const knng_tree_edge *tree, int64_t edges, int64_t k,
			uint8_t *kept, int32_t *part, uint8_t *wanting, knng_err *err);

#endif
