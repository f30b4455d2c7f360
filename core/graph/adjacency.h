/* adjacency.h  From tables of neighbours to sparse matrices of weights. */
#ifndef KNNG_ADJACENCY_H
#define KNNG_ADJACENCY_H

#include "base/task.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

/* Compressed columns: column j has the entries start[j] … start[j + 1] - 1, their rows ascending. */
typedef struct {
	int64_t rows, columns;
	size_t *start, *row; /* [columns + 1], [start[columns]] */
	double *value;
} knng_sparse;

/* Counts the neighbours in an m x k table into *edges. Errors: knng:args:idx if idx holds anything but integers
 * 0 … columns, knng:args:dist if a neighbour's distance is negative or NaN; here and
 * below knng:interrupted. O(mk). */
knng_status knng_adjacency_count(knng_task *task, const knng_output *table, int64_t m, int64_t k, int64_t columns,
				 int64_t *edges, knng_err *err);

/* Bytes that knng_adjacency_fill takes for the while, `entries` = mk, and knng_sparse_transpose, whose m and k are 0:
 * up to 4 an entry, or 8 a column; of a table 16 for each number of 16 rows a thread. */
double knng_fill_bytes(const knng_task *task, int64_t m, int64_t k, double entries, int64_t columns);

/* Fills A(i, idx(i,c)) = dist(i,c), m x columns, from a table that was counted. knng:args:idx if a row lists a
 * neighbour twice; knng:memory:host. O(mk). */
knng_status knng_adjacency_fill(knng_task *task, const knng_output *table, int64_t m, int64_t k, knng_sparse *A,
				knng_err *err);

/* to = from', of swapped sizes; to's arrays have room for it. O(entries). knng:memory:host. */
knng_status knng_sparse_transpose(knng_task *task, const knng_sparse *from, knng_sparse *to, knng_err *err);

/* Leaves of every column its k >= 1 smallest entries, of equal ones the first; NaN counts as the largest. O(entries) on
 * average. */
knng_status knng_sparse_trim(knng_task *task, knng_sparse *A, int64_t k, knng_err *err);

/* A sparse matrix holds no zeros: a distance up to realmin is 0. */
static inline double
knng_read_distance(double d)
{
	return d > DBL_MIN ? d : 0;
}

/* So grouped it neither overflows nor depends on the order of i and j. */
static inline double
knng_gaussian(double d, double scale_i, double scale_j)
{
	return exp(-(d / scale_i) * (d / scale_j));
}

/* What an edge of distance d between nodes i and j weighs; the same for both directions. Edges are weighed column by
 * column: where there are lists, marks are those of this thread, and the neighbours of j are marked. */
typedef struct knng_weighing {
	double (*of)(const struct knng_weighing *w, double d, size_t i, size_t j);
	const double *scale; /* [n], what gaussian weights are relative to; else NULL */
	const knng_sparse
		*lists; /* column i holds the neighbours of node i, ascending, for what compares these; else NULL */
	uint8_t *marks; /* with lists: [threads * n], zeros; else NULL */
	int threads;    /* that marks are for: the processors that there are may change; 0: any number */
} knng_weighing;

/* The weights there are: `length` for metrics that measure lengths, `complement` for those that are 1 minus a
 * similarity (the correlations, cosine), and what beside the distance it takes. */
typedef struct {
	const char *name;
	double (*length)(const knng_weighing *w, double d, size_t i, size_t j);
	double (*complement)(const knng_weighing *w, double d, size_t i, size_t j);
	enum { KNNG_TAKES_NOTHING, KNNG_TAKES_SCALE, KNNG_TAKES_LISTS } takes;
} knng_weight;
extern const knng_weight knng_weights[]; /* ends with name == NULL */

/* scale[i], i < n: the distance from i to its m-th neighbour, m >= 1, or to its last if it has fewer (infinite ones do
 * not count). Where that is 0, the smallest distance above 0 of an edge from or to i, and 1 where there is none. D is
 * n x n distances, T = D'. O(entries) on average; 8 bytes for each entry of the longest column, a thread. */
knng_status knng_neighbour_scales(knng_task *task, const knng_sparse *D, const knng_sparse *T, int64_t m, double *scale,
				  knng_err *err);

/* *median: of the finite distances above 0, the lower one of two; 1 if there are none. O(entries), 8 bytes an entry. */
knng_status knng_median_distance(knng_task *task, const knng_sparse *D, double *median, knng_err *err);

/* When nodes i and j are joined: as the lists say, if i -> j or j -> i, if both; or by the mean of both weights, of
 * which a missing one is 0. */
typedef enum { KNNG_AS_LISTED, KNNG_UNION, KNNG_MUTUAL, KNNG_MEAN } knng_symmetry;
extern const char *const knng_symmetry_names[]; /* in that order, then NULL */

/* How many threads weigh A, so many entries. */
int knng_weigh_threads(const knng_task *task, double entries);

/* Distances to weights in place. A distance <= realmin is read as 0, and a weight of 0 is written as realmin, since a
 * sparse matrix holds no zeros. O(entries). */
knng_status knng_adjacency_weigh(knng_task *task, knng_sparse *A, const knng_weighing *w, knng_err *err);

/* The symmetric matrix of D and T = D', n x n distances. First the starts of its columns (n + 1 of them); the last
 * is how many entries it has. Then, with room for these, A, weighed. Where the two distances of a pair differ, the
 * union takes the smaller, mutual the larger. O(entries). */
knng_status knng_symmetric_count(knng_task *task, const knng_sparse *D, const knng_sparse *T, knng_symmetry rule,
				 size_t *start, knng_err *err);
knng_status knng_symmetric_fill(knng_task *task, const knng_sparse *D, const knng_sparse *T, knng_symmetry rule,
				const knng_weighing *w, knng_sparse *A, knng_err *err);

#endif
