#include "info.h"
#include "gateway.h"

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
	static const char *const fields[] = {"device",  "note",    "seconds",   "certified", "memory",  "points",
					     "refined", "pruned",  "product",   "tilesize",  "threads", "blocks",
					     "panels",  "resumed", "nonfinite", "constant",  "version"};
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
		mxCreateString(info->product),
		number((double)info->tile),
		number(info->threads),
		number((double)info->blocks),
		number((double)info->panels),
		number(info->resumed),
		number((double)info->nonfinite),
		number((double)info->constant),
		mxCreateString(KNNG_VERSION),
	};
	int n = sizeof values / sizeof *values;
	mxArray *s = mxCreateStructMatrix(1, 1, n, (const char **)fields);
	for (int i = 0; i < n; i++)
		mxSetFieldByNumber(s, 0, i, values[i]);
	return s;
}

void
knng_mex_warn_rows(const knng_info *info, int64_t rows, const char *metric, const char *answer)
{
	if (info->nonfinite > 0)
		knng_call_warn(
			"knng:data:nonFinite",
			"%lld of %lld rows (%.3g %%) hold NaN or Inf: they have no neighbours (%s) and are nobody's; "
			"knng.impute fills in what is missing, or leave these rows or columns out",
			(long long)info->nonfinite, (long long)rows, 100 * (double)info->nonfinite / (double)rows,
			answer);
	if (info->constant > 0)
		knng_call_warn("knng:data:constant",
			       "rows that are constant (for cosine: zero): %lld, so '%s' has no distance for them: "
			       "they have no neighbours (%s) and are nobody's",
			       (long long)info->constant, metric, answer);
}
