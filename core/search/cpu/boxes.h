/* boxes.h  Pruning: rows lie in leaves of a tree, each in a box, and a query leaves out the leaves whose boxes are too
 * far from it (docs/canonical.md, 10). For data in few dimensions, or in clusters. */
#ifndef KNNG_BOXES_H
#define KNNG_BOXES_H

#include "search/cpu/cpu.h"

/* The rows of a leaf lie in columns (kernels.h); long ones are not copied. Leaf i has the points order[i*leaf], …, the
 * last one perhaps fewer. */
typedef struct knng_boxes {
	int64_t n, d, leaf, leaves;
	int32_t *order; /* [n] points */
	double *rows;   /* [leaves * leaf * d], or NULL */
	double *box;    /* [nodes * 2 * d] least and largest element */
	int32_t *right; /* [nodes] the right child of a node, whose left child is the next; of a leaf 0 */
	int32_t *first; /* [nodes] the first place in order */
	int32_t *axis;  /* [nodes] the element by which a node is cut */
	int64_t nodes;

	/* Of one search. */
	int32_t *sorted; /* [m] the queries, so that neighbours are of one leaf; `order` in a graph */
	double *queries; /* [threads * 64 * d] */
} knng_boxes;

/* Whether a search gains by them, as the plan asks, or else as a sample of its queries says; w->info->pruned says why.
 * *boxes: the tree that a searcher has kept, or NULL, and then one is made where it gains. Nothing of w but what is in
 * info changes. */
knng_status knng_boxes_try(knng_search *w, knng_boxes **boxes, bool *on, knng_err *err);
/* The part of all pairs that may have to be compared so that such a search is quicker than one of all pairs. */
double knng_boxes_worth(const knng_plan *plan);
/* Frees what is of one search alone; NULL is fine. */
void knng_boxes_rest(knng_boxes *boxes);
void knng_boxes_free(knng_boxes *boxes);

/* The k nearest of each of count queries, which are neighbours in boxes->sorted, by (distance, point); index -1 where
 * there are no more. */
knng_status knng_boxes_search(const knng_search *w, const knng_boxes *boxes, knng_cpu_worker *s, const int32_t *points,
			      int64_t count, knng_pair *pairs, knng_err *err);

#endif
