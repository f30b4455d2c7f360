/* metafeatures.h  What every pair of rows of a matrix has in between: differences, sums, products, ratios. */
#ifndef KNNG_METAFEATURES_H
#define KNNG_METAFEATURES_H

#include "base/task.h"

typedef struct {
	const char *name; /* 'difference' */
	char sign;        /* '-', as it stands in names */
} knng_operation;
enum { KNNG_DIFFERENCE, KNNG_SUM, KNNG_PRODUCT, KNNG_RATIO, KNNG_OPERATIONS };
extern const knng_operation knng_operations[KNNG_OPERATIONS];

/* n + nops * n (n - 1) / 2 in *rows; false when it overflows. */
bool knng_metafeatures_rows(int64_t n, int nops, int64_t *rows);

/* Walks the rows of Z: the n rows themselves (i, j = -1, op = -1), then for each operation the pairs i < j, counted
 * from 0, j running fastest. `at` sets the walk to a row of Z, O(n); `next` goes on by `count` rows, of which at most
 * `left` lie behind the present one with the same i and op. */
typedef struct {
	int64_t n, i, j, left;
	int op; /* place in the list of operations */
} knng_pair_walk;
void knng_pair_walk_at(knng_pair_walk *w, int64_t n, int64_t row);
void knng_pair_walk_next(knng_pair_walk *w, int64_t count);

/* Z, rows x d, column by column, of the type of X, whose columns must be contiguous: X, then x_i - x_j,
 * x_i + x_j, x_i x_j or x_i / x_j of all pairs. Each is one operation in the type of X, rounded to nearest. *nonfinite:
 * rows of Z that hold NaN or Inf. Errors: knng:memory:host, knng:interrupted. rows * d operations; what limits is the
 * writing of Z. Memory: a few kB a thread. */
knng_status knng_metafeatures(knng_task *task, const knng_matrix *X, const int *ops, int nops, void *Z,
			      int64_t *nonfinite, knng_err *err);

#endif
