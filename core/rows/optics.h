/* optics.h  Rows in an order in which those of a cluster stand together: OPTICS. docs/canonical.md, 15, is the
 * definition: the result is that to the last bit, with any number of threads and any instruction set. */
#ifndef KNNG_OPTICS_H
#define KNNG_OPTICS_H

#include "base/task.h"
#include "search/metric.h"

typedef struct {
	const knng_metric *metric;
	const double *core; /* [n] distance within which a row is a core point; Inf: it is none */
	double most;        /* no distance that is larger counts; may be Inf */
	double max_memory;  /* bytes beside X and the results; 0: what is available */
	int64_t leaf;       /* rows of a leaf; 0: as many as are best */
	const char *target; /* the instruction set, NULL for the best */
} knng_optics_how;

/* What was found, in the caller's arrays. */
typedef struct {
	int32_t *order;             /* [n] rows, from 0, as they are taken; those without distances come last */
	double *reach;              /* [n] the distance from which a row was reached, Inf: a start, or no distances */
	int32_t *from;              /* [n] the row that it was reached from, -1: none */
	int64_t left_out, constant; /* rows without distances; those of them that are constant */
	int64_t met;                /* leaves that were compared with a row */
} knng_optics_found;

/* Errors: knng:args:target, knng:args:maxMemory, knng:memory:host, knng:interrupted. O(n n d) at most; a tree of boxes
 * leaves out rows that cannot be reached from nearer than they were. Memory: knng_optics_bytes. */
knng_status knng_optics(knng_task *task, const knng_matrix *X, const knng_optics_how *how, knng_optics_found *found,
			knng_err *err);

/* Whether there is memory for so many rows and columns, of which knng_optics asks first, for callers that do other work
 * before; of `how` the memory and the leaf. Errors: knng:args:maxMemory, knng:memory:host. */
knng_status knng_optics_afford(const knng_task *task, int64_t n, int64_t d, const knng_optics_how *how, knng_err *err);

/* Bytes that it takes at most. */
double knng_optics_bytes(int64_t n, int64_t d, int64_t leaf, int threads);

#endif
