/* pushes.h  The inner loops of t-SNE's layout, compiled once a target and chosen at run time. No sum is taken in an
 * order that depends on the target, so that all give the same bits. */
#ifndef KNNG_PUSHES_H
#define KNNG_PUSHES_H

#include <stdint.h>

enum { KNNG_PUSH_LANES = 8, KNNG_TSNE_DIMS = 3 };

/* Of one number of dimensions. */
typedef struct {
	/* How `count` crowds push KNNG_PUSH_LANES nodes: a crowd is dims coordinates and its size m, one after the
	 * other. Coordinate c of node l is x[c * lanes + l], likewise force, to which m q^2 (x - crowd) is added;
	 * sum[l] grows by m q. q = 1 / (1 + d^2), d the distance. */
	void (*push)(const double *x, const double *crowds, int64_t count, double *force, double *sum);

	/* force[c] = sum of weight q (x - y) over a node's neighbours, whose places are y, dims numbers each by row. */
	void (*pull)(const double *x, const double *y, const int32_t *row, const double *weight, int64_t count,
		     double *force);
} knng_pushes;

/* [KNNG_TSNE_DIMS] of that target, or of the best that runs here (name NULL); NULL if there are none such here. */
const knng_pushes *knng_pushes_find(const char *name);

#endif
