#include "info.h"
#include "base/sys.h"
#include "gateway.h"
#include "search/metric.h"

#include <math.h>
#include <stdio.h>

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
					     "nvalid",  "omitted", "dataset",    "version"};
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
		mxCreateString(""),
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

/* Column by column, as they lie. */
int64_t
knng_mex_nonfinite(const knng_matrix *X, bool missing)
{
	int64_t count = 0;
	bool *is = knng_calloc(X->n, sizeof *is);
	for (int64_t j = 0; j < X->d && is != NULL; j++)
		for (int64_t i = 0; i < X->n; i++) {
			double x = element(X, i, j);
			is[i] |= !isfinite(x) && !(missing && isnan(x));
		}
	for (int64_t i = 0; i < X->n && is != NULL; i++)
		count += is[i];
	count = is != NULL ? count : -1;
	knng_free(is);
	return count;
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
	char columns[160] = "", where[80] = "";
	const knng_matrix *const both[2] = {about->x, about->y};
	bool all = about->handling == KNNG_ROWS_ALL; /* else NaN is no reason */
	int64_t of_queries = both[0] != NULL && both[1] != NULL && all ? knng_mex_nonfinite(both[1], false) : -1;
	if (of_queries >= 0)
		snprintf(where, sizeof where, "; %lld of the %lld rows of Y", (long long)of_queries,
			 (long long)both[1]->n);
	if (about->handling != KNNG_ROWS_PAIRWISE)
		name_columns(both, !all, columns, sizeof columns);
	knng_call_warn(
		"knng:data:nonFinite",
		"%lld of %lld rows%s (%.3g %%%s) hold %s: they have no neighbours (%s) and are nobody's%s; %s",
		(long long)info->nonfinite, (long long)about->rows,
		both[0] != NULL && both[1] != NULL ? " of X and Y" : "",
		100 * (double)info->nonfinite / (double)about->rows, where, all ? "NaN or Inf" : "Inf", about->answer,
		columns,
		!all && about->choice == 3
			? "that is Inf of X, a division by 0 or an overflow: X(isinf (X)) = NaN and "
			  "X(X == 0) = NaN make a missing value of what it comes from, and without 'ratio' "
			  "nothing is divided"
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

void
knng_mex_warn_filled(const knng_filled *filled, const char *name, const char *remedy)
{
	char text[320];
	if (filled->column == 0)
		return;
	knng_filled_say(filled, name, text, sizeof text);
	if (filled->count == filled->seen)
		knng_call_warn(
			"knng:data:fill",
			"%s: if that is no number, as of dead pixels, it decides which rows are near; leave such "
			"columns out, as in X(:, %lld) = []. If it is a number, warning ('off', 'knng:data:fill') "
			"says so",
			text, (long long)filled->column);
	else
		knng_call_warn("knng:data:fill",
			       "%s: if that stands for a missing value, it decides which rows are near; %s, and "
			       "knng.impute or "
			       "'Rows', 'pairwise' of knngraph does without. If it is a number, warning ('off', "
			       "'knng:data:fill') says so",
			       text, remedy);
}

static void
warn_filled(const knng_matrix *X, const char *name, bool directions)
{
	char remedy[120];
	knng_filled filled;
	if (X == NULL)
		return;
	knng_filled_look(X, &filled);
	if (directions)
		knng_filled_take_dead(&filled);
	if (filled.other[0] != 0)
		snprintf(remedy, sizeof remedy, "%s(%s == %s | %s == %s) = NaN says so", name, name, filled.code, name,
			 filled.other);
	else
		snprintf(remedy, sizeof remedy, "%s(%s == %s) = NaN says so", name, name, filled.code);
	knng_mex_warn_filled(&filled, name, remedy);
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
	bool directions = metric != NULL && metric->prep != KNNG_PREP_NONE;
	warn_filled(about->x, "X", directions);
	warn_filled(about->y, "Y", directions);
}
