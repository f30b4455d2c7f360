/* pairs.h  Rows that pairs of rows of a matrix make, one of them at a time: first the n rows themselves, then for each
 * operation the pairs (1,2), (1,3), …, (1,n), (2,3), …. Each element is one operation in the type of the matrix,
 * rounded to nearest. core/rows/metafeatures.c writes all of them; a search forms them where it reads rows. */
#ifndef KNNG_PAIRS_H
#define KNNG_PAIRS_H

#include "base/knng_base.h"

typedef struct {
	const char *name; /* 'difference' */
	char sign;        /* '-', as it stands in names */
} knng_operation;
enum { KNNG_DIFFERENCE, KNNG_SUM, KNNG_PRODUCT, KNNG_RATIO, KNNG_OPERATIONS };
extern const knng_operation knng_operations[KNNG_OPERATIONS];

/* What the rows of a matrix are made of: those of the n rows that its data hold. */
struct knng_pairs {
	int64_t n;
	int nops, op[KNNG_OPERATIONS];
};

/* n + nops * n (n - 1) / 2 in *rows; false when it overflows. */
bool knng_pairs_rows(int64_t n, int nops, int64_t *rows);

/* Walks the rows: the n rows themselves (i, j = -1, op = -1), then for each operation the pairs i < j, counted from 0,
 * j running fastest. `at` sets the walk to a row, O(1); `next` goes on by `count` rows, of which at most `left` lie
 * behind the present one with the same i and op. */
typedef struct {
	int64_t n, i, j, left;
	int op; /* place in the list of operations */
} knng_pair_walk;
void knng_pair_walk_at(knng_pair_walk *w, int64_t n, int64_t row);
void knng_pair_walk_next(knng_pair_walk *w, int64_t count);

/* Elements [first, first + count) of a column of such a matrix, X->pairs not NULL, to `to`, one behind the other, of
 * X->type. Limit: the memory of `to`. */
void knng_pairs_column(const knng_matrix *X, int64_t column, int64_t first, int64_t count, void *to);

/* Rows [first, first + count) of such a matrix, by rows with ld columns each, of which the first X->d are written; of
 * `type`, which is that of X or KNNG_F64. */
void knng_pairs_form(const knng_matrix *X, int64_t first, int64_t count, knng_type type, void *to, int64_t ld);

#endif
