/* adjacency.h  From tables of neighbours to sparse matrices of weights. */
#ifndef KNNG_ADJACENCY_H
#define KNNG_ADJACENCY_H

#include "knng.h"
#include <float.h>
#include <stddef.h>

/* Compressed columns: column j has the entries start[j] … start[j + 1] - 1, their rows ascending. */
typedef struct {
	int64_t rows, columns;
	size_t *start, *row; /* [columns + 1], [start[columns]] */
	double *value;
} knng_sparse;

/* Counts the neighbours in an m x k table into *edges. Errors: knng:args:idx if idx holds anything but integers
 * 0 … columns, knng:args:dist if a neighbour's distance is negative or NaN. O(mk). */
knng_status knng_adjacency_count(const knng_output *table, int64_t m, int64_t k, int64_t columns, int64_t *edges,
				 knng_err *err);

/* Fills A(i, idx(i,c)) = dist(i,c), m x columns, from a table that was counted. knng:args:idx if a row lists a
 * neighbour twice. O(mk). */
knng_status knng_adjacency_fill(const knng_output *table, int64_t m, int64_t k, knng_sparse *A, knng_err *err);

/* to = from', of swapped sizes; to's arrays have room for it. O(entries). */
void knng_sparse_transpose(const knng_sparse *from, knng_sparse *to);

/* Leaves of every column its k >= 1 smallest entries, of equal ones the first; NaN counts as the largest. O(entries) on
 * average. */
knng_status knng_sparse_trim(knng_sparse *A, int64_t k, knng_err *err);

/* A sparse matrix holds no zeros: a distance up to realmin is 0. */
static inline double
knng_read_distance(double d)
{
	return d > DBL_MIN ? d : 0;
}

/* How a distance becomes a weight: `length` for metrics that measure lengths, `complement` for those that are 1 minus a
 * similarity (the correlations, cosine). */
typedef struct {
	const char *name;
	double (*length)(double distance), (*complement)(double distance);
} knng_weight;
extern const knng_weight knng_weights[]; /* ends with name == NULL */

/* When nodes i and j are joined: as the lists say, if i -> j or j -> i, if both; or by the mean of both weights, of
 * which a missing one is 0. */
typedef enum { KNNG_AS_LISTED, KNNG_UNION, KNNG_MUTUAL, KNNG_MEAN } knng_symmetry;
extern const char *const knng_symmetry_names[]; /* in that order, then NULL */

/* Distances to weights in place. A distance <= realmin is read as 0, and a weight of 0 is written as realmin, since a
 * sparse matrix holds no zeros. O(entries), on all threads. */
void knng_adjacency_weigh(knng_sparse *A, double (*weight)(double));

/* The symmetric matrix of D and T = D', n x n distances. First the starts of its columns (n + 1 of them); returns how
 * many entries it has. Then, with room for these, A, weighed. Where the two distances of a pair differ, the union takes
 * the smaller, mutual the larger. O(entries), on all threads. */
int64_t knng_symmetric_count(const knng_sparse *D, const knng_sparse *T, knng_symmetry rule, size_t *start);
void knng_symmetric_fill(const knng_sparse *D, const knng_sparse *T, knng_symmetry rule, double (*weight)(double),
			 knng_sparse *A);

#endif
