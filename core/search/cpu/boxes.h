/* boxes.h  Pruning: rows lie in leaves of a tree, each in a box, and a query leaves out the leaves whose boxes are too
 * far from it (docs/canonical.md, 10). For data in few dimensions, or in clusters. */
#ifndef KNNG_BOXES_H
#define KNNG_BOXES_H

#include "search/cpu/cpu.h"

enum { KNNG_BOXES_MOST = 64, KNNG_BOXES_FOUR = 4 }; /* rows of a leaf; queries that go with long ones together */

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
	double extra; /* nanoseconds that a pair takes beside its product where all are compared, as a look found */

	/* Copies of the rows in single precision (docs/canonical.md, 10), in place of `rows`: element l of row c of a
	 * leaf at [l * stride + c], and after its last row that again. Or NULL. */
	float *copies;  /* [leaves * stride * d] of (row - centre) * 2^-exponent */
	int64_t stride; /* the rows of a leaf, up to a multiple of 16; 0: there shall be none */
	/* A node whose rows are close together, far from the others, has a centre of its own, the middle of its box,
	 * for the copies of all leaves below it but those of such a node in turn. */
	int32_t *around;   /* [nodes] the node whose centre it is: itself, or one above it */
	int32_t *exponent; /* [nodes] of a node that has one, */
	double *length;    /* [nodes] and what no norm of a copy around it of a row below the node exceeds */
	float *sides;      /* [nodes * 2 * d] the box of a node as a copy */

	/* Of one search. */
	int32_t *sorted; /* [m] the queries, so that neighbours are of one leaf; `order` in a graph, with two sides too
			  */
	double *queries; /* [threads * 64 * d] */
	float *copied;   /* [threads * 2 * 64 * d] copies of these, one after another, and in columns, or NULL, */
	float *sums;     /* [threads * 64 * room] and what each query has found: sums of copies, */
	int32_t *kept;   /* [threads * 64 * room] and points */
	int64_t room;
} knng_boxes;

/* A tree of n prepared rows u, 64-byte aligned, ld columns of which d count, without a search. asked: rows of a leaf;
 * 0: as many as are best. The same whatever the threads. On failure *boxes is NULL. Errors: knng:memory:host,
 * knng:interrupted. */
knng_status knng_boxes_make(knng_boxes **boxes, const double *u, int64_t n, int64_t d, int64_t ld, int64_t asked,
			    int threads, knng_task *task, knng_err *err);
double knng_boxes_tree_bytes(int64_t n, int64_t d, int64_t asked);

/* Rows of a leaf: the last one may be short. */
static inline int64_t
knng_boxes_rows(const knng_boxes *b, int64_t leaf)
{
	return b->n - leaf * b->leaf < b->leaf ? b->n - leaf * b->leaf : b->leaf;
}

/* The child of a node that lies with a row on one side of the cut. */
static inline int64_t
knng_boxes_child(const knng_boxes *b, int64_t node, const double *u)
{
	int32_t axis = b->axis[node];
	return u[axis] <= b->box[(node + 1) * 2 * b->d + b->d + axis] ? node + 1 : b->right[node];
}

/* Queries on their way through a tree together. */
typedef struct {
	const knng_boxes *b;
	const knng_kernels *kernels;
	knng_sum sum;
	const int32_t *points;
	const double *u, *others;                   /* prepared queries, and what they are compared with */
	int64_t ld;                                 /* their columns */
	double *q;                                  /* [d * leaf] the queries, in columns */
	_Alignas(64) double limit[KNNG_BOXES_MOST]; /* the largest sum that can still matter */
} knng_boxes_way;

/* Fills q from `count` points, and middle[d]: where the rows lie that are near to them, in their midst, or opposite. */
void knng_boxes_gather(const knng_boxes_way *w, int64_t count, double *middle);
/* The sums of query e[0], or of long rows of up to four, and the rows of a leaf: KNNG_BOXES_MOST of each; of which bits
 * are set in `near`, those within the limits. */
void knng_boxes_sums(const knng_boxes_way *w, int64_t leaf, const int64_t *e, int64_t count, double *sums,
		     uint64_t *near);
/* No sum whose distance is at most that is larger (docs/canonical.md, 10): roundings of the maps and of this. */
double knng_boxes_limit(knng_final_map map, double distance);

/* Whether a search gains by them, as the plan asks, or else as a sample of its queries says; w->info->pruned says why.
 * boxes[0]: the tree that a searcher, or a block of rows, has kept, or NULL, and then one is made where it gains. Where
 * two sides meet it is that of the first side, and boxes[1], which is NULL, becomes that of the second. Nothing of w
 * but what is in info changes. */
knng_status knng_boxes_try(knng_search *w, knng_boxes *boxes[2], bool *on, knng_err *err);
/* All query points, neighbours beside each other, and those of the first side first. */
void knng_boxes_order(const knng_search *w, knng_boxes *const boxes[2], int32_t *points);
/* The part of all pairs that may have to be compared so that such a search is quicker than one of all pairs, where a
 * pair of these takes so many nanoseconds beside its product. */
double knng_boxes_worth(const knng_plan *plan, double extra);
/* Frees what is of one search alone; NULL is fine. */
void knng_boxes_rest(knng_boxes *boxes);
void knng_boxes_free(knng_boxes *boxes);

/* The k nearest of each of count queries, which are neighbours in the order above, by (distance, point); index -1 where
 * there are no more. */
knng_status knng_boxes_search(const knng_search *w, knng_boxes *const boxes[2], knng_cpu_worker *s,
			      const int32_t *points, int64_t count, knng_pair *pairs, knng_err *err);

#endif
