/* impute.h  Missing values filled in from the nearest rows. */
#ifndef KNNG_IMPUTE_H
#define KNNG_IMPUTE_H

#include "base/task.h"
#include "search/metric.h"

/* How the values of the neighbours become one: their mean, weighted by 1/distance, by 1/distance^2, equally, or by
 * numbers that are given; or their median. */
typedef enum {
	KNNG_FILL_INVERSE,
	KNNG_FILL_SQUARED_INVERSE,
	KNNG_FILL_EQUAL,
	KNNG_FILL_GIVEN,
	KNNG_FILL_MEDIAN,
	KNNG_FILLS
} knng_fill;

/* By what rows are near: a metric, by sums of rows as they are or of MINUS, without ranks; the share of columns that
 * differ, or of those in which one of the two is not 0; or distances that are given. */
typedef enum { KNNG_NEAR_METRIC, KNNG_NEAR_HAMMING, KNNG_NEAR_JACCARD, KNNG_NEAR_GIVEN, KNNG_NEARS } knng_near;

typedef struct {
	knng_near near;
	const knng_metric *metric; /* of KNNG_NEAR_METRIC */
	int64_t k;
	knng_fill fill;
	const double *weight;  /* [k] for KNNG_FILL_GIVEN: of the nearest first, positive, the largest about 1 */
	const double *unit;    /* [d] by which the columns are divided before they are compared, positive; or NULL */
	const knng_matrix *by; /* what is compared in place of X, for each row of it one without NaN; or NULL */
	/* Of KNNG_NEAR_GIVEN: [count x n] NaN: none; of the rows with missing values those from `first` on, which alone
	 * are filled in and counted. */
	const double *distance;
	int64_t first, count;
} knng_imputing;

/* Refuses a metric that is none of these: knng:args:metric. */
knng_status knng_impute_metric(const knng_metric *metric, knng_err *err);

/* What was done: missing values and rows that have some, values that were filled in, and those of them for which there
 * were fewer than k rows. */
typedef struct {
	int64_t missing, rows, filled, fewer;
} knng_imputed;

/* Z, of the type and strides of X and with its values, gets a value for each NaN for which there is one.
 *
 * The distance of two rows is that of the metric over the `shared` columns that both have. Of rows as they are a sum is
 * multiplied by d / shared before the final map (KNNG_SUM_LINF: not). Rows that are centred or of unit length are
 * prepared over the shared columns alone (docs/canonical.md, 12), of which there are three at least, or all d; where
 * their sum is 2^-96 or less they are at distance 0. Two rows that are
 * 0 where KNNG_NEAR_JACCARD looks are at distance 0. Without a shared column there is no distance. Row i takes for
 * column j
 * the k nearest other rows that have column j, and all that are as near as the k-th of them; all there are where they
 * are fewer. Their values are summed in the order of (distance, row). With the distance r of the nearest, a row at
 * distance e has the weight r/e, or its square; 1 where e is r, so that rows at distance 0 leave out all others. A
 * mean lies between the least and the largest value. Errors: knng:data:infinite, knng:memory:host, knng:interrupted.
 *
 * O(r*n*d) for r rows with missing values. Memory 8*n*ld and n*d/8 bytes, 16*n, and 200*n a thread. */
knng_status knng_impute(knng_task *task, const knng_matrix *X, const knng_imputing *how, void *Z, knng_imputed *done,
			knng_err *err);

#endif
