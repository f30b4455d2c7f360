/* gap_copies.h  The filter of gaps.c: rows with missing values in single precision, and the products of their tiles,
 * from which kernels->shared_low makes lower bounds (docs/canonical.md, 12). */
#ifndef KNNG_GAP_COPIES_H
#define KNNG_GAP_COPIES_H

#include "search/cpu/kernels.h"

/* Of one matrix, in micro-panels: elements, 0 where one is missing; 1 and 0 for those that there are; squares. */
typedef struct {
	float *y, *mask, *square;
} knng_gap_copies;

double knng_gap_copies_bytes(int64_t rows, int64_t d);
bool knng_gap_copies_open(knng_gap_copies *c, int64_t rows, int64_t d);
void knng_gap_copies_close(knng_gap_copies *c);

/* How rows become copies. */
typedef struct {
	bool normed, centred;
	const double *centre; /* [d] of rows that are not normed */
	int exponent;         /* their scale: 2^-exponent times what is left of them is below 2 */
} knng_gap_scale;

/* Copies a row, NaN where a value is missing. scratch holds d doubles. */
void knng_gap_copies_make(const knng_gap_copies *c, const knng_gap_scale *s, const double *u, int64_t d, int64_t row,
			  double *scratch);

/* Whether rows of so many columns have bounds by that metric, and the numbers in these. */
bool knng_gap_bound(const knng_metric *metric, int64_t d, knng_shared_bound *bound);

/* The products of a tile. */
enum { KNNG_GAP_XY, KNNG_GAP_XX, KNNG_GAP_YY, KNNG_GAP_X, KNNG_GAP_Y, KNNG_GAP_PRODUCTS };

/* How many of them the bound looks at. */
int knng_gap_products(const knng_shared_bound *bound);

/* Product `which` of rows and columns, of which each begins with a micro-panel, into v with row stride ldv, over
 * columns [l0, l1) of the copies; add: to what v holds. */
void knng_gap_multiply(const knng_kernels *kernels, int which, const knng_gap_copies *rows, int64_t row,
		       const knng_gap_copies *columns, int64_t column, int64_t d, int64_t l0, int64_t l1, int64_t bi,
		       int64_t bj, float *v, int64_t ldv, bool add);

#endif
