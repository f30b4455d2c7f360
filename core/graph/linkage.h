/* linkage.h  Trees of clusters: which nodes are joined, and at what height. docs/canonical.md, 13, has the definition.
 *
 * A node is known by the smallest of its rows. Z is (n - 1) x 3, column after column, as MATLAB has it: the two nodes
 * that a step joins, the smaller number first, rows 1 to n and then the steps from n + 1 on, and the height. */
#ifndef KNNG_LINKAGE_H
#define KNNG_LINKAGE_H

#include "base/task.h"

typedef enum {
	KNNG_LINK_SINGLE,
	KNNG_LINK_COMPLETE,
	KNNG_LINK_AVERAGE,
	KNNG_LINK_WEIGHTED,
	KNNG_LINK_WARD,
	KNNG_LINK_CENTROID,
	KNNG_LINK_MEDIAN,
	KNNG_LINKS
} knng_link;

/* The place of a node, -1: there is none; how near it is, and how near another one is. */
typedef struct {
	int64_t at;
	double near, of_other;
} knng_nearest;

/* What is joined: nodes at places 0, 1, …, in the order of their smallest rows, and how near they are. */
typedef struct knng_nearness {
	int64_t places; /* some of them may be empty */
	double *size;   /* [places] rows of the node there; 0: the place is empty */
	/* near[count]: how near the node at a is to those at the first `count` places, in a unit in which smaller is
	 * nearer; NaN for empty places and a itself. The same from a to b as from b to a, to the last bit. Valid until
	 * the next call. */
	knng_status (*row)(struct knng_nearness *w, int64_t a, int64_t count, const double **near, knng_err *err);
	/* Or NULL, where `row` serves: the nearest of these nodes, the first of equally near ones; `other`: a place, or
	 * -1. */
	knng_status (*nearest)(struct knng_nearness *w, int64_t a, int64_t count, int64_t other, knng_nearest *found,
			       knng_err *err);
	/* The node at b > a goes into that at a; `near` is how near they were. size is done. */
	knng_status (*join)(struct knng_nearness *w, int64_t a, int64_t b, double near, knng_err *err);
	/* Empty places go, and the order stays. size is done. */
	knng_status (*close_up)(struct knng_nearness *w, knng_err *err);
	double (*height)(const struct knng_nearness *w, double near);
} knng_nearness;

/* Joins all into one tree, Z. chains: by chains of nearest neighbours, for methods in which no join comes nearer to a
 * third node than the nearer of its two parts was; heights ascend. Else always the nearest pair, and heights may fall.
 * O(n) calls of row (not chains: as a rule), beside O(n^2); 70 n bytes. Errors: knng:memory:host, knng:interrupted. */
knng_status knng_link_nodes(knng_task *task, knng_nearness *w, bool chains, double *Z, knng_err *err);

/* The tree of the distances W, n x n, symmetric, of 0 or more, Inf among them, which are used up; the diagonal is not
 * read. 8 n^2 bytes are W's; beside them 110 n. */
knng_status knng_link_distances(knng_task *task, int64_t n, double *W, knng_link method, double *Z, knng_err *err);

/* Single linkage: the tree of the n - 1 edges i, j (from 1), of length d, of a spanning tree. */
knng_status knng_link_edges(knng_task *task, int64_t n, const double *i, const double *j, const double *d, double *Z,
			    knng_err *err);

/* What the three take beside W and Z. */
double knng_link_bytes(int64_t n);

/* knng:memory:host where `bytes` are more than max_memory, or than the machine has if that is 0. */
knng_status knng_link_afford(double bytes, double max_memory, int64_t n, const char *remedy, knng_err *err);

#endif
