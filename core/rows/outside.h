/* outside.h  Of each of some rows the nearest that is in another part of a spanning forest than the row itself, among
 * boxes of a tree that stays from round to round (docs/canonical.md, 14). */
#ifndef KNNG_OUTSIDE_H
#define KNNG_OUTSIDE_H

#include "graph/forest.h"
#include "search/cpu/boxes.h"

#include <pthread.h>

enum { KNNG_OUTSIDE_LOCKS = 64 };

typedef struct {
	knng_boxes *b;
	const knng_kernels *kernels;
	const knng_metric *metric;
	const double *u; /* [n * ld] prepared rows */
	int64_t n, ld;
	int threads;
	const double *core; /* [n] core distances, or NULL: the length of an edge is the distance */
	double *least;      /* [nodes] the smallest of the rows of a node; NULL without */
	int32_t *whose;     /* [nodes] the part of all rows of a node, or -1: they are of several */

	/* Of one round. */
	const int32_t *part;  /* [n] a part is called by its first row */
	const double *reach;  /* [n] no edge that leads from a row out of its part, and is not in best, is shorter */
	knng_tree_edge *best; /* [n] the first edge known to leave a part, by (d, i, j); i = -1: none is */
	double *length;       /* [n] its length, Inf without; read and written by several threads at once */
	int32_t *asked;       /* [n] rows in the order of the tree */
	int64_t asked_count;
	pthread_mutex_t locks[KNNG_OUTSIDE_LOCKS];
	double *q;       /* [threads * 64 * d], 64-byte aligned */
	double *middle;  /* [threads * d] */
	int64_t *visits; /* [threads] leaves that queries visited */
} knng_outside;

/* Makes the tree; u, core, n, ld, kernels, metric and threads are there. asked: as knng_boxes_make. close frees what it
 * took, in any case; safe on zeros. */
knng_status knng_outside_open(knng_outside *o, knng_task *task, int64_t d, int64_t asked, knng_err *err);
void knng_outside_close(knng_outside *o);
double knng_outside_bytes(int64_t n, int64_t d, int64_t asked, int threads);

/* Begins a round: whose part each node is, and no edge is known but those of best. The rows of which
 * ask[n] is not 0 become asked. */
void knng_outside_begin(knng_outside *o, const uint8_t *ask);

/* Improves best by the edges of all rows that are asked: best of their parts is then the first edge that leaves them,
 * of all. sure: whatever it takes. Otherwise *gains says whether it is quicker than a search of all pairs, by what some
 * of the rows visit, and if not, best is as far as these went. */
knng_status knng_outside_search(knng_outside *o, knng_task *task, bool sure, bool *gains, knng_err *err);

#endif
