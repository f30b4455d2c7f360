#include "info.h"
#include "base/sys.h"
#include "gateway.h"
#include "search/metric.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static mxArray *
number(double x)
{
	return mxCreateDoubleScalar(x);
}

static mxArray *
numbers(int n, const char *const *names, const double *values)
{
	mxArray *s = mxCreateStructMatrix(1, 1, n, (const char **)names);
	for (int i = 0; i < n; i++)
		mxSetFieldByNumber(s, 0, i, number(values[i]));
	return s;
}

mxArray *
knng_mex_info(const knng_info *info)
{
	static const char *const seconds_names[] = {"prepare", "filter", "refine", "sink", "total"};
	static const char *const memory_names[] = {"planned", "peak", "device"};
	static const char *const fields[] = {"device",  "note",    "seconds",    "certified", "memory",   "points",
					     "refined", "pruned",  "components", "product",   "tilesize", "threads",
					     "blocks",  "panels",  "resumed",    "nonfinite", "constant", "fewer",
					     "nvalid",  "omitted", "version"};
	double seconds[] = {info->seconds[0], info->seconds[1], info->seconds[2], info->seconds[3], info->total};
	double memory[] = {info->planned, info->peak, info->device_peak};
	double certified[KNNG_LEVELS];
	for (int i = 0; i < KNNG_LEVELS; i++)
		certified[i] = (double)info->certified[i];
	mxArray *values[] = {
		mxCreateString(info->device),
		mxCreateString(info->why_cpu),
		numbers(5, seconds_names, seconds),
		numbers(KNNG_LEVELS, knng_level_name, certified),
		numbers(3, memory_names, memory),
		number((double)info->points),
		number((double)info->refined),
		mxCreateString(info->pruned),
		number((double)info->components),
		mxCreateString(info->product),
		number((double)info->tile),
		number(info->threads),
		number((double)info->blocks),
		number((double)info->panels),
		number(info->resumed),
		number((double)info->nonfinite),
		number((double)info->constant),
		number((double)info->fewer),
		mxCreateDoubleMatrix(0, 0, mxREAL), /* what it is of, the gateway puts there */
		mxCreateDoubleMatrix(1, 0, mxREAL),
		mxCreateString(KNNG_VERSION),
	};
	int n = sizeof values / sizeof *values;
	mxArray *s = mxCreateStructMatrix(1, 1, n, (const char **)fields);
	for (int i = 0; i < n; i++)
		mxSetFieldByNumber(s, 0, i, values[i]);
	return s;
}

void
knng_mex_put(mxArray *info, const char *field, mxArray *value)
{
	mxDestroyArray(mxGetField(info, 0, field));
	mxSetField(info, 0, field, value);
}

static double
element(const knng_matrix *X, int64_t i, int64_t j)
{
	int64_t at = i * X->row_stride + j * X->col_stride;
	return X->type == KNNG_F32 ? (double)((const float *)X->data)[at] : ((const double *)X->data)[at];
}

/* How many rows lack a number in column j; complete: 0 where that is left out, as one with NaN. */
static int64_t
lacking(const knng_matrix *const X[2], int64_t j, bool complete)
{
	int64_t count = 0;
	for (int m = 0; m < 2; m++)
		for (int64_t i = 0; X[m] != NULL && i < X[m]->n; i++) {
			double x = element(X[m], i, j);
			if (complete && isnan(x))
				return 0;
			count += !isfinite(x);
		}
	return count;
}

/* Names the columns in which most is missing; '' where there is no memory to count in. */
static void
name_columns(const knng_matrix *const X[2], bool complete, char *text, size_t size)
{
	enum { NAMED = 3 };
	int64_t d = X[0] != NULL ? X[0]->d : X[1] != NULL ? X[1]->d : 0, holding = 0, named = 0;
	int64_t *count = d > 0 ? knng_calloc(d, sizeof *count) : NULL;
	size_t used = 0;
	text[0] = 0;
	if (count == NULL)
		return;
	for (int64_t j = 0; j < d; j++)
		holding += (count[j] = lacking(X, j, complete)) > 0;
	for (; named < NAMED && named < holding && used < size; named++) {
		int64_t worst = 0;
		for (int64_t j = 1; j < d; j++)
			worst = count[j] > count[worst] ? j : worst;
		used += (size_t)snprintf(text + used, size - used, "%s%lld (%lld row%s)",
					 named == 0 ? "; they are in column " : ", ", (long long)worst + 1,
					 (long long)count[worst], count[worst] == 1 ? "" : "s");
		count[worst] = 0;
	}
	if (holding > named && used < size)
		snprintf(text + used, size - used, " and %lld more", (long long)(holding - named));
	knng_free(count);
}

static void
warn_nonfinite(const knng_info *info, const knng_mex_rows *about)
{
	char columns[160] = "";
	const knng_matrix *const both[2] = {about->x, about->y};
	bool all = about->handling == KNNG_ROWS_ALL; /* else NaN is no reason */
	if (about->handling != KNNG_ROWS_PAIRWISE)
		name_columns(both, !all, columns, sizeof columns);
	knng_call_warn(
		"knng:data:nonFinite",
		"%lld of %lld rows%s (%.3g %%) hold %s: they have no neighbours (%s) and are nobody's%s; %s",
		(long long)info->nonfinite, (long long)about->rows,
		about->x != NULL && about->y != NULL ? " of X and Y" : "",
		100 * (double)info->nonfinite / (double)about->rows, all ? "NaN or Inf" : "Inf", about->answer, columns,
		!all && about->choice == 3
			? "that is Inf of X, a division by 0 or an overflow: X(isinf (X)) = NaN and X(X == 0) = NaN "
			  "make "
			  "a missing value of what it comes from, and without 'ratio' nothing is divided"
		: !all               ? "make Inf a missing value, X(isinf (X)) = NaN, or a number"
		: about->choice == 0 ? "knng.impute fills in what is missing, or leave these rows or columns out"
		: about->choice == 3 ? "that comes from X itself, a division by 0 or an overflow; 'Rows', 'pairwise' "
				       "compares two rows over the columns that both have"
		: about->choice == 1 ? "'Rows', 'pairwise' compares two rows over the columns that both have, "
				       "knng.impute fills in what is missing"
				     : "'Rows', 'pairwise' compares two rows over the columns that both have, "
				       "'Rows', 'complete' leaves out the columns with NaN, knng.impute fills in what "
				       "is missing");
}

/* Numbers that programs and formats write where there is none: 99.9, 99.99 and 999.9 and those with more nines, powers
 * of ten from 10^10 on, what NetCDF fills in, and the least and the largest of a type; as single precision has them. */
static bool
is_code(double x)
{
	static const double codes[] = {9.969209968386869e36, FLT_MAX, 2147483647, 32767, 32768, 9223372036854775807.};
	float size = (float)fabs(x);
	if (fabs(x) > FLT_MAX)
		return fabs(x) == DBL_MAX;
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (size == (float)codes[i])
			return true;
	for (double nines = 999; nines <= 999999999; nines = 10 * nines + 9)
		if (size == (float)nines || size == (float)(nines / 10) ||
		    (nines > 999 && size == (float)(nines / 100)))
			return true;
	for (double power = 1e10; power < 2e38; power *= 10)
		if (size == (float)power)
			return true;
	return false;
}

/* What some rows have in a column: the largest number, how many have it, and the largest of the others. */
typedef struct {
	double most, second;
	int64_t count;
} tallest;

enum { RUNS = 8, RUN = 8 }; /* rows that are looked at: so many beside each other, so many times */

static int64_t
rows_seen(const knng_matrix *X)
{
	return X->n < RUNS * RUN ? X->n : (int64_t)(RUNS * RUN);
}

static tallest
tallest_of(const knng_matrix *X, int64_t j)
{
	tallest t = {0, 0, 0};
	for (int64_t e = 0; e < rows_seen(X); e++) {
		int64_t i = X->n < RUNS * RUN ? e : e / RUN * (X->n / RUNS) + e % RUN;
		double x = element(X, i, j);
		if (!isfinite(x)) /* another warning's */
			continue;
		if (x == t.most) {
			t.count++;
		} else if (fabs(x) > fabs(t.most)) {
			t = (tallest){x, fabs(t.most), 1};
		} else {
			t.second = fmax(t.second, fabs(x));
		}
	}
	return t;
}

/* Whether so many rows have such a number in a column, far from all others there, that it may be no number. */
static bool
is_filled(const knng_matrix *X, const tallest *t)
{
	return t->count >= 2 && t->count < rows_seen(X) && fabs(t->most) >= 10 * t->second && is_code(t->most);
}

static void
warn_filled(const knng_matrix *X, const char *name)
{
	int64_t first = -1, more = 0;
	tallest worst = {0, 0, 0};
	for (int64_t j = 0; j < X->d; j++) {
		tallest t = tallest_of(X, j);
		if (!is_filled(X, &t))
			continue;
		more += first >= 0;
		worst = first < 0 ? t : worst;
		first = first < 0 ? j : first;
	}
	if (first < 0)
		return;
	char others[48] = "", code[40];
	if (more > 0)
		snprintf(others, sizeof others, ", and %lld more likewise", (long long)more);
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(code, sizeof code, "%.*g", digits, worst.most);
		double read = strtod(code, NULL);
		if (X->type == KNNG_F32 ? (float)read == (float)worst.most : read == worst.most)
			break;
	}
	knng_call_warn("knng:data:fill",
		       "column %lld of %s holds %s in %lld of %lld rows that were looked at%s: if that stands for a "
		       "missing value, it decides which rows are near; %s(%s == %s) = NaN says so, and knng.impute or "
		       "'Rows', 'pairwise' of knngraph does without. If it is a number, warning ('off', "
		       "'knng:data:fill') says so",
		       (long long)first + 1, name, code, (long long)worst.count, (long long)rows_seen(X), others, name,
		       name, code);
}

void
knng_mex_warn_rows(const knng_info *info, const knng_mex_rows *about)
{
	const knng_metric *metric = knng_metric_find(about->metric);
	bool correlates = metric != NULL && (metric->prep == KNNG_PREP_CENTRED || metric->prep == KNNG_PREP_RANKED);
	if (correlates && about->columns == 2)
		knng_call_warn(
			"knng:data:twoColumns",
			"there are 2 columns: over two values '%s' is 1, -1 or none, whatever they are, so that rows "
			"are near or far alike; give more columns, or another metric, such as 'euclidean'",
			about->metric);
	if (info->nonfinite > 0)
		warn_nonfinite(info, about);
	if (info->constant > 0)
		knng_call_warn("knng:data:constant",
			       "rows that are constant (for cosine: zero): %lld, so '%s' has no distance for them: "
			       "they have no neighbours (%s) and are nobody's",
			       (long long)info->constant, about->metric, about->answer);
	if (about->x != NULL)
		warn_filled(about->x, "X");
	if (about->y != NULL)
		warn_filled(about->y, "Y");
}
