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

/* Copies a row, NaN where a value is missing. scratch holds d doubles. */
void knng_gap_copies_make(const knng_gap_copies *c, const knng_gap_scale *s, const double *u, int64_t d, int64_t row,
			  double *scratch);

/* Product `which` of rows and columns, of which each begins with a micro-panel, into v with row stride ldv, over
 * columns [l0, l1) of the copies; add: to what v holds. */
void knng_gap_multiply(const knng_kernels *kernels, int which, const knng_gap_copies *rows, int64_t row,
		       const knng_gap_copies *columns, int64_t column, int64_t d, int64_t l0, int64_t l1, int64_t bi,
		       int64_t bj, float *v, int64_t ldv, bool add);

#endif
