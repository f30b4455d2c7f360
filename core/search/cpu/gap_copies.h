/* gap_copies.h  The filter of gaps.c: rows with missing values in single precision, and the products of their tiles,
 * from which kernels->shared_low makes lower bounds (docs/canonical.md, 12). */
#ifndef KNNG_GAP_COPIES_H
#define KNNG_GAP_COPIES_H

#include "search/cpu/kernels.h"

/* Of one matrix, in micro-panels: elements, 0 where one is missing, and their squares. Of each row the sums of both,
 * K of (12.16) and its root, rounded up, and how many columns it has, 1 or more. */
typedef struct {
	float *y, *square;
	float *sum, *squares, *weight, *root, *columns;
} knng_gap_copies;

/* Whether rows of so many columns have bounds by that metric on the CPU, and the numbers in these. */
bool knng_gap_bound_here(const knng_metric *metric, int64_t d, knng_shared_bound *bound);

double knng_gap_copies_bytes(int64_t rows, int64_t d);
bool knng_gap_copies_open(knng_gap_copies *c, int64_t rows, int64_t d);
void knng_gap_copies_close(knng_gap_copies *c);

/* Copies a row, NaN where a value is missing; of ranks, those among all that it has. scratch holds d doubles. */
void knng_gap_copies_make(const knng_gap_copies *c, const knng_gap_scale *s, const knng_shared_bound *bound,
			  const double *u, int64_t d, int64_t row, double *scratch);

/* By how much the ranks of a row that shares so many of its `all` columns with another turn, over sqrt (c/(12 A)): with
 * (12.12), or (12.14) where it is known which they are: ranks are those of the row, no two of them equal, `has` and
 * `others` the columns of both. */
static inline double
knng_gap_turn(int64_t all, int64_t shared)
{
	return all > 0 ? (double)(all - shared) / (double)all : 0;
}
double knng_gap_turn_of(const double *ranks, const uint64_t *has, const uint64_t *others, int64_t words, int64_t all,
			int64_t shared);

/* The same of (12.14) by its sums: of the t_j, of their squares, and of (2j - 1 - b) t_j. */
static inline double
knng_gap_turn_by(int64_t all, int64_t shared, double sum, double squares, double apart)
{
	double b = (double)(all - shared), c = (double)shared;
	double twelve = b * b * (c * c - 1) - 12 * c * apart + 12 * (b * squares - sum * sum);
	return sqrt(fmax(twelve, 0)) / ((double)all * c);
}

/* The products of rows and columns, of which each begins with a micro-panel, into v with row stride ldv, over columns
 * [l0, l1) of the copies; add: to what v holds. */
void knng_gap_multiply(const knng_kernels *kernels, const knng_gap_copies *rows, int64_t row,
		       const knng_gap_copies *columns, int64_t column, int64_t d, int64_t l0, int64_t l1, int64_t bi,
		       int64_t bj, float *v, int64_t ldv, bool add);

#endif
