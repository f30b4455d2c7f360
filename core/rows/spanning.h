/* spanning.h  The minimum spanning tree of all pairs of rows, from lists of near neighbours, and a search outside of
 * parts where these do not say enough (docs/canonical.md, 14). */
#ifndef KNNG_SPANNING_H
#define KNNG_SPANNING_H

#include "graph/forest.h"
#include "search/metric.h"

/* Of n rows the k nearest others, by (distance, row), as knngraph returns them: idx [n * k] by columns, from 1, 0 where
 * there is none; a row without any has no edge. */
typedef struct {
	int64_t k;
	const double *idx, *dist;
	const double *core; /* [n] or NULL: an edge is as long as the largest of its distance and the core distances of
			       its ends. None is longer than the last distance of the row */
} knng_near_lists;

typedef struct {
	const knng_metric *metric;
	int prune; /* KNNG_PRUNE_…: whether rows are searched again by boxes: where that gains, always, never */
	double max_memory; /* bytes: where all that it takes would be more, there is no tree of boxes; 0: what the
			      machine has */
	int64_t leaf;      /* rows of a leaf; 0: as many as are best */
	const char *target;
} knng_spanning_how;

/* What it took, for tests and measurements. */
typedef struct {
	int64_t rounds, asked, visits; /* searches outside of parts, rows of theirs, leaves that these visited */
} knng_spanning_info;

/* The edges of the tree, by (length, i, j), i < j, from 0, into tree [n], in no order; their number; part [n]: the
 * first row of each row's part. All rows that have neighbours are one part, unless what is left has to be found in
 * another way: then boxes do not gain, or have no memory, and the edges are some of the tree. The same bits for any
 * threads. O(n k) and what the searches take; some 12 bytes an entry of the lists and 80 a row, the tree of boxes as a
 * search's (docs/memory.md). Errors: knng:memory:host, knng:interrupted. */
knng_status knng_spanning(knng_task *task, const knng_matrix *X, const knng_near_lists *lists,
			  const knng_spanning_how *how, int32_t *part, knng_tree_edge *tree, int64_t *edges,
			  knng_spanning_info *info, knng_err *err);

/* Bytes that it takes at most, for so many rows and neighbours; and the tree of boxes beside that. */
double knng_spanning_bytes(int64_t n, int64_t k);
double knng_spanning_boxes_bytes(int64_t n, int64_t d, int64_t leaf, int threads);

#endif
