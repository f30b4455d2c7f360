/* kmedoids.h  Clusters of rows around k of them, by swaps from given or drawn starts (FasterPAM). docs/centres.md, 7,
 * is the definition: the result is that to the last bit, with any number of threads and any instruction set. */
#ifndef KNNG_KMEDOIDS_H
#define KNNG_KMEDOIDS_H

#include "base/task.h"
#include "search/metric.h"

typedef enum { KNNG_MEDOIDS_PLUS, KNNG_MEDOIDS_SAMPLE, KNNG_MEDOIDS_GIVEN } knng_medoids_start;

typedef struct {
	const knng_metric *metric;
	int64_t k;          /* clusters, 1 to the number of rows with distances */
	int64_t replicates; /* 1 or more */
	knng_medoids_start start;
	const double *draws;  /* [replicates x k] random numbers in (0, 1), for PLUS and SAMPLE */
	const int32_t *given; /* [replicates x k] rows, all different within a replicate, for GIVEN */
	int64_t most;         /* rounds, 1 or more */
	double max_memory;    /* bytes beside X and the results; 0: what is available */
	const char *target;   /* the instruction set, NULL for the best */
} knng_kmedoids_how;

/* What was found, in the caller's arrays; `to` may be NULL. */
typedef struct {
	int32_t *cluster;           /* [n] from 0; -1: the row has no distances */
	int32_t *medoid;            /* [k] rows, from 0 */
	double *sum;                /* [k] of the distances of each cluster's rows to its medoid */
	double *to;                 /* [n x k], by columns: the distance of each row to each medoid; NaN: it has none */
	double *iterations;         /* [replicates] rounds, negative where they did not converge */
	double *total;              /* [replicates] the sum of all distances */
	double *swaps;              /* [replicates] */
	int64_t replicate;          /* the one with the least total, from 0 */
	int64_t left_out, constant; /* rows without distances; those of them that are constant */
	bool stored;                /* all distances were in memory */
	double planned;             /* bytes */
} knng_kmedoids_found;

/* Errors: knng:args:k (more clusters than rows with distances), knng:args:start (a row without distances),
 * knng:args:target, knng:args:maxMemory, knng:memory:host, knng:interrupted. A round takes O(n*n) where there is room
 * for all distances, 8*n*n bytes, which take O(n*n*d) once; else O(n*n*d). Memory 8*n*(ld + 5) bytes beside
 * them; without them 8*n*(ld + k + 8*threads + 5). */
knng_status knng_kmedoids(knng_task *task, const knng_matrix *X, const knng_kmedoids_how *how,
			  knng_kmedoids_found *found, knng_err *err);

#endif
