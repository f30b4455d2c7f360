/* kmeans.h  Clusters of rows around centres, by Lloyd's iterations from given or drawn starts, and then
 * moves of single rows where these are asked for. docs/centres.md is the
 * definition: the result is that to the last bit, with any number of threads and any instruction set. */
#ifndef KNNG_KMEANS_H
#define KNNG_KMEANS_H

#include "base/task.h"
#include "search/metric.h"

/* What becomes of a cluster that has lost its rows: it takes the row farthest from its centre, is an error, or is
 * dropped. */
typedef enum { KNNG_EMPTY_SINGLETON, KNNG_EMPTY_ERROR, KNNG_EMPTY_DROP } knng_empty;

typedef struct {
	const knng_metric *metric; /* euclidean by squares, cosine, pearson; cityblock, whose centres are medians */
	int64_t k;                 /* clusters, 1 to the number of rows with distances */
	int64_t replicates;        /* 1 or more */
	const double *start;       /* [replicates x k x d] centres; or NULL: */
	const double *draws;       /* [replicates x k] random numbers in (0, 1), for k-means++ */
	int64_t most;              /* iterations, 0 or more */
	knng_empty empty;
	bool online;        /* once that has converged single rows move, as long as that lowers the sum */
	double max_memory;  /* bytes beside X and the results; 0: what is available */
	const char *target; /* the instruction set, NULL for the best */
} knng_kmeans_how;

/* What was found, in the caller's arrays, which may not be NULL except `to`, iterations and total. */
typedef struct {
	int32_t *cluster; /* [n] from 0; -1: the row has no distances */
	double *centre;   /* [k x d], rows of NaN for clusters that were dropped */
	double *sum;      /* [k] of the distances of each cluster's rows to its centre; NaN likewise */
	double *to;       /* [n x k], by columns: the distance of each row to each centre; NaN likewise */
	double *iterations,
		*total;    /* [replicates] how many, negative where they did not converge; sum of all distances */
	int64_t replicate; /* the one with the least total, from 0 */
	int64_t left_out, constant; /* rows without distances; those of them that are constant */
	double computed; /* share of the distances of all iterations that were computed, as scores or exactly; more
			  * than 1 where rows were tried again */
	double planned;  /* bytes */
} knng_kmeans_found;

/* Errors: knng:args:k (more clusters than rows with distances), knng:args:start (a centre without distances),
 * knng:args:target, knng:data:emptyCluster, knng:args:maxMemory, knng:memory:host, knng:interrupted. An iteration takes
 * O(n*k*d), less where bounds prove that rows stay; memory 8*n*(ld + 5) bytes, and 4*n*d for copies where there is
 * room. */
knng_status knng_kmeans(knng_task *task, const knng_matrix *X, const knng_kmeans_how *how, knng_kmeans_found *found,
			knng_err *err);

#endif
