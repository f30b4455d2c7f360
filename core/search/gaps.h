/* gaps.h  Searches where NaN is a missing value, and two rows are compared over the columns that both have
 * (docs/canonical.md, 12). cpu/gaps.c does them; GPUs do the pairs for it. */
#ifndef KNNG_GAPS_H
#define KNNG_GAPS_H

#include "search/metric.h"

#include <math.h>

/* ---------------------------------------------------------------- the filter */

/* The products of a tile: of the copies of queries and references; of the squares of one with what the other has; of
 * one with what the other has. Of cityblock in place of the first: the sum of the copies' differences. */
enum { KNNG_GAP_XY, KNNG_GAP_XX, KNNG_GAP_YY, KNNG_GAP_X, KNNG_GAP_Y, KNNG_GAP_PRODUCTS };

/* What bounds the errors of sums over shared columns, and of the copies that they are of. */
typedef struct {
	knng_sum sum;
	bool normed, centred, ranked; /* ranked: and ranks, of all that a row has */
	double d;
	double sums;          /* G: of sums, as a part of the squares */
	double upper;         /* what makes an upper bound of a computed sum of squares */
	double tiny;          /* mu */
	double copies, floor; /* t, omega; of differences what copies lose, as a part of them */
	int64_t slice;        /* columns that a product takes at a time, at most */
} knng_shared_bound;

/* Squared lengths of rows that are normed count as this where they would be less; then there is no bound. */
#define KNNG_GAP_LEAST 1e-30F

/* Whether rows of so many columns have bounds by that metric, and the numbers in these; of copies and products in
 * single precision, or of halves that tensor cores multiply. */
bool knng_gap_bound(const knng_metric *metric, int64_t d, knng_shared_bound *bound);
bool knng_gap_bound_of_halves(const knng_metric *metric, int64_t d, knng_shared_bound *bound);

/* How many of the products the bound looks at. */
static inline int
knng_gap_products(const knng_shared_bound *bound)
{
	return bound->centred ? KNNG_GAP_PRODUCTS : bound->sum == KNNG_SUM_L1 ? KNNG_GAP_XY + 1 : KNNG_GAP_X;
}

/* How rows become copies. */
typedef struct {
	bool normed, centred, ranked;
	const double *centre; /* [d] of rows that are not normed */
	int exponent;         /* their scale: 2^-exponent times what is left of them is below 2 */
} knng_gap_scale;

/* Bounds of rows that are not normed are 2^this times real sums. */
static inline int
knng_gap_shift(const knng_shared_bound *bound, const knng_gap_scale *scale)
{
	return bound->normed ? 0 : bound->sum == KNNG_SUM_L1 ? -scale->exponent : -2 * scale->exponent;
}

/* a / b to the last bit, for 1 / b as rounded; no number under- or overflows. A quotient that is off by one place at
 * most becomes the rounded one by one step with the rounded inverse (Markstein, IBM J. Res. Dev. 34, 1990). */
KNNG_HD double
knng_quotient(double a, double b, double inverse)
{
	double q = a * inverse;
	q = fma(fma(-b, q, a), inverse, q);
	return fma(fma(-b, q, a), inverse, q);
}

/* ---------------------------------------------------------------- searches */

/* Refuses a metric that does not compare rows so: knng:args:metric. */
knng_status knng_gaps_metric(const knng_metric *metric, knng_err *err);

/* Refuses a number of columns that rows must share which none can: knng:args:option. */
knng_status knng_gaps_least(int64_t least_shared, int64_t d, knng_err *err);

/* Refuses what cannot be searched so: knng:args:metric, knng:args:option. */
knng_status knng_gaps_check(const knng_plan *plan, knng_err *err);

/* Why GPUs do not compare rows of d columns so by that metric; NULL: they do. */
const char *knng_gaps_on_cpu(const knng_metric *metric, int64_t d);

/* Chooses tile and threads for the limit, and counts the memory: fills what knng_fit does. Where GPUs do the pairs,
 * they have chosen the tile. */
void knng_gaps_fit(knng_plan *plan, double limit);

/* The search. */
knng_status knng_gaps_run(const knng_plan *plan, const knng_output *out, knng_info *info, knng_err *err);

/* ---------------------------------------------------------------- GPUs */

/* The rows of one matrix. */
typedef struct {
	const double *u;      /* [n * ld] NaN: missing, as is all from d on; of ranks, those among all that a row has */
	const uint8_t *alone; /* [n] 1: it has no distance to any row */
	const uint8_t *tied;  /* [n] 1: two of its ranks are equal */
	int64_t n;            /* 0: there is no such matrix */
} knng_gap_rows;

/* What GPUs are given of a search. */
typedef struct {
	const knng_plan *plan;
	const knng_task *task;
	knng_gap_rows x, y; /* references; queries, of a graph none */
	bool filters;       /* false: all pairs get their distance, whatever the plan says */
	bool by_halves;     /* halves have bounds */
	knng_shared_bound bound, halves;
	knng_gap_scale scale;
} knng_gap_search;

#endif
