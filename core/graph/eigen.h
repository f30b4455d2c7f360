/* eigen.h  The largest eigenvalues of a large sparse symmetric matrix and their vectors, on a GPU. */
#ifndef KNNG_EIGEN_H
#define KNNG_EIGEN_H

#include "base/plugin.h"
#include "graph/adjacency.h"

/* S = diag (scale) (W + self I) diag (scale). Vectors are columns of n numbers, one behind the other. */
typedef struct {
	const knng_sparse *W; /* n x n, symmetric */
	const double *scale;  /* [n] */
	double self;
	const double *known; /* eigenvectors of S that are left out, orthogonal, of length 1 */
	int64_t nknown;
	int64_t count; /* of those that are looked for, 1 or more */
	double tolerance;
	int64_t rounds; /* at most, between two of which the basis is cut down */

	/* What is found: eigenvalues, descending, with vectors of length 1; the largest that was not asked for; by how
	 * much S x of a vector misses at most, INFINITY if there were too few rounds: then the rest is undefined. */
	double *value, *vector;
	double next, off;
} knng_eigen;

/* Finds them by a Lanczos method with thick restarts, every vector at right angles to all others. Of equal eigenvalues
 * a start finds one vector: other starts look for what is left above the last. *done: false, and nothing is found,
 * where the CPU is asked for, is as fast, or has to, since the GPU failed or lacks memory, as *fallback says then; its
 * id is empty else. The same bits on every GPU. Errors: knng:args:device, knng:device:none, knng:memory:host,
 * knng:interrupted.
 *
 * O(entries + n*(nknown + count)) a product with S, of which it takes hundreds. Memory of the GPU: 12 bytes an entry
 * and 8*n*(nknown + max (count + 60, 2*count + 20) + 3), kept for the session; of the host some MB. */
knng_status knng_eigen_find(knng_task *task, knng_eigen *e, const knng_devices *device, bool *done, knng_err *fallback,
			    knng_err *err);

/* Whether knng_eigen_find would try a GPU: false where the CPU is asked for, is as fast or has to, of which *fallback
 * is told where a GPU was asked for. */
bool knng_eigen_suits(const knng_eigen *e, const knng_devices *device, knng_err *fallback);

/* What the CUDA plugin does for it: it keeps S and columns of n numbers, those from 0 on the known ones. h has a number
 * for each column. KNNG_EDEVICE: the device cannot, or failed. */
#define KNNG_EIGEN_ROOM "eigen"
typedef struct {
	/* *work is to be closed in any case. */
	knng_status (*open)(knng_task *task, const knng_eigen *e, int64_t columns, int device, void **work,
			    knng_err *err);
	/* Column `to` is what is left of random numbers of that seed when the columns before it are taken out, made of
	 * length 1. */
	knng_status (*start)(void *work, int64_t to, uint64_t seed, knng_err *err);
	/* The same of S times the column `from`. h: how much of each column before it was taken out; *length: of what
	 * is left. */
	knng_status (*step)(void *work, int64_t from, int64_t to, double *h, double *length, knng_err *err);
	/* `to` columns from `first` on become combinations of the p >= to there, by Q, a row of p for each; the column
	 * behind the p comes to lie behind them. */
	knng_status (*combine)(void *work, int64_t first, int64_t p, int64_t to, const double *Q, knng_err *err);
	knng_status (*fetch)(void *work, int64_t column, double *x, knng_err *err);
	void (*close)(void *work);
} knng_eigen_gpu;

#endif
