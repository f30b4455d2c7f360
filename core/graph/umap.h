/* umap.h  Places for the nodes of a graph of neighbours, in few dimensions, by UMAP (L. McInnes, J. Healy, J. Melville,
 * 2018): memberships of edges, and the layout that follows from them. The arithmetic is all our own, without libm, so
 * that the same numbers come out on every machine and with any number of threads. */
#ifndef KNNG_UMAP_H
#define KNNG_UMAP_H

#include "graph/adjacency.h"

/* How much each entry of a graph belongs to it. Column j of A lists the neighbours of node j with their distances,
 * of which those up to realmin count as 0, and which may not be infinite: an entry weighs exp (-(d - rho) / sigma), 1
 * where d <= rho, rho being the least distance above 0 of the column and sigma such that the weights of a column add up
 * to log2 (entries + 1), but no less than a thousandth of its mean distance. weight[e] is that of entry e. Errors:
 * knng:interrupted. O(entries), some 60 times. */
knng_status knng_umap_weigh(knng_task *task, const knng_sparse *A, double *weight, knng_err *err);

typedef struct {
	double a, b; /* similarity of places at distance d: 1 / (1 + a d^2b) */
	int64_t epochs;
	int negatives; /* samples for each step along an edge, 0 … KNNG_UMAP_NEGATIVES */
	double rate;   /* how far a step goes in the first epoch; it falls to 0 */
	uint64_t seed;
} knng_umap_how;
enum { KNNG_UMAP_NEGATIVES = 64, KNNG_UMAP_DIMS = 1000 };

/* Moves the places y, n x dims by rows, in `epochs` passes over the edges: an edge is taken in a share of the passes
 * that is its weight over the largest one, and draws its ends together; each end is then driven away from some nodes
 * that are drawn. W is symmetric, of weights above 0; its entries above the diagonal count. |y| at most 1e100.
 *
 * Nodes are dealt at random into blocks, whose number depends on n alone. In each pass every two blocks meet once, many
 * pairs at a time that have no block in common. Who meets moves its own nodes alone, and draws from them, so that
 * neither the order of steps nor any number depends on how many threads there are. Errors: knng:memory:host,
 * knng:interrupted. O(epochs * edges * negatives * dims); 20 bytes an edge, 8 (dims + 2) a node. */
knng_status knng_umap_layout(knng_task *task, const knng_sparse *W, const knng_umap_how *how, int dims, double *y,
			     knng_err *err);

/* How many blocks there are for n nodes: even, 2 or more. */
int knng_umap_blocks(int64_t n);

#endif
