#include "search/metric.h"
#include "base/suggest.h"
#include "base/sys.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const knng_metric knng_metrics[] = {
	{"euclidean", NULL, KNNG_PREP_NONE, KNNG_SUM_MINUS, KNNG_MAP_SQRT},
	{"sqeuclidean", "squaredeuclidean", KNNG_PREP_NONE, KNNG_SUM_MINUS, KNNG_MAP_NONE},
	{"cosine", NULL, KNNG_PREP_UNIT, KNNG_SUM_MINUS, KNNG_MAP_HALF},
	{"pearson", "correlation", KNNG_PREP_CENTRED, KNNG_SUM_MINUS, KNNG_MAP_HALF},
	{"abspearson", NULL, KNNG_PREP_CENTRED, KNNG_SUM_EITHER, KNNG_MAP_HALF},
	{"antipearson", NULL, KNNG_PREP_CENTRED, KNNG_SUM_PLUS, KNNG_MAP_HALF},
	{"spearman", NULL, KNNG_PREP_RANKED, KNNG_SUM_MINUS, KNNG_MAP_HALF},
	{"cityblock", "manhattan", KNNG_PREP_NONE, KNNG_SUM_L1, KNNG_MAP_NONE},
	{"chebychev", NULL, KNNG_PREP_NONE, KNNG_SUM_LINF, KNNG_MAP_NONE},
	{NULL, NULL, KNNG_PREP_NONE, KNNG_SUM_MINUS, KNNG_MAP_NONE},
};

const char *const knng_prep_name[] = {[KNNG_PREP_NONE] = "none",
				      [KNNG_PREP_UNIT] = "unit",
				      [KNNG_PREP_CENTRED] = "centred",
				      [KNNG_PREP_RANKED] = "ranked"};

const char *const knng_sum_name[] = {[KNNG_SUM_MINUS] = "minus",
				     [KNNG_SUM_PLUS] = "plus",
				     [KNNG_SUM_EITHER] = "either",
				     [KNNG_SUM_L1] = "L1",
				     [KNNG_SUM_LINF] = "Linf"};

const char *const knng_map_name[] = {
	[KNNG_MAP_NONE] = "none", [KNNG_MAP_SQRT] = "square root", [KNNG_MAP_HALF] = "half"};

/* What other programs call them: suggested, not taken, since these names mean other things elsewhere. */
static const struct {
	const char *elsewhere, *here;
	const char *first; /* what the rows X have to become before */
} hints[] = {
	{"l1", "cityblock", NULL},
	{"l2", "euclidean", NULL},
	{"linf", "chebychev", NULL},
	{"max", "chebychev", NULL},
	{"taxicab", "cityblock", NULL},
	{"minkowski", "euclidean", NULL},
	{"seuclidean", "euclidean", "X ./ std (X)"},
	{"mahalanobis", "euclidean", "X / chol (cov (X))"},
	{"hamming", "cityblock", "X / size (X, 2), where X is 0 and 1"},
};

const char *
knng_metric_name(int i)
{
	for (const knng_metric *m = knng_metrics; m->name != NULL; m++) {
		if (i-- == 0)
			return m->name;
		if (m->alias != NULL && i-- == 0)
			return m->alias;
	}
	return NULL;
}

/* Whether one of the metric's names is the given one (length 0), or begins with its first letters. */
static bool
is_named(const knng_metric *m, const char *given, size_t length)
{
	const char *names[] = {m->name, m->alias};
	for (int i = 0; i < 2; i++)
		if (names[i] != NULL &&
		    (length == 0 ? strcasecmp(given, names[i]) : strncasecmp(given, names[i], length)) == 0)
			return true;
	return false;
}

const knng_metric *
knng_metric_find(const char *name)
{
	size_t length = strlen(name);
	const knng_metric *found = NULL;
	for (const knng_metric *m = knng_metrics; m->name != NULL; m++)
		if (is_named(m, name, 0))
			return m;
	for (const knng_metric *m = knng_metrics; m->name != NULL && length > 1; m++)
		if (is_named(m, name, length)) {
			if (found != NULL)
				return NULL;
			found = m;
		}
	return found;
}

knng_status
knng_metric_unknown(const char *name, knng_err *err)
{
	const char *names[64], *near, *first = NULL;
	char all[256], few[160] = "", meant[KNNG_MEANT];
	size_t used = 0, length = strlen(name), begun = 0;
	int n = 0, many = 0;
	all[0] = 0;
	for (; n < 64 && knng_metric_name(n) != NULL; n++) {
		names[n] = knng_metric_name(n);
		if (used < sizeof all)
			used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", n ? ", " : "", names[n]);
		if (length == 0 || strncasecmp(name, names[n], length) != 0 || begun >= sizeof few)
			continue;
		begun += (size_t)snprintf(few + begun, sizeof few - begun, "%s%s", many ? ", " : "", names[n]);
		many++;
	}
	if (many == 1)
		return knng_fail(err, KNNG_EARGS, "knng:args:metric",
				 "the metric '%.40s' is too short for a name: give more of %s", name, few);
	if (many > 1)
		return knng_fail(err, KNNG_EARGS, "knng:args:metric",
				 "the metric '%.40s' is short for several, %s: give more of the name", name, few);
	near = knng_nearest_name(name, names, n);
	for (size_t h = 0; h < sizeof hints / sizeof *hints; h++)
		if (strcasecmp(name, hints[h].elsewhere) == 0) {
			near = hints[h].here;
			first = hints[h].first;
		}
	if (first != NULL)
		return knng_fail(err, KNNG_EARGS, "knng:args:metric",
				 "there is no metric '%.40s': it is '%s' of %s; the metrics are %s", name, near, first,
				 all);
	return knng_fail(err, KNNG_EARGS, "knng:args:metric", "there is no metric '%.40s'%s; the metrics are %s", name,
			 knng_meant(meant, "'", near, "'"), all);
}

double
knng_map_sum(const knng_metric *metric, double sum)
{
	switch (metric->map) {
	case KNNG_MAP_SQRT:
		return sqrt(sum);
	case KNNG_MAP_HALF:
		return sum / 2;
	default:
		return sum;
	}
}

void
knng_map_sums(const knng_metric *metric, double *sums, int64_t count)
{
	if (metric->map == KNNG_MAP_SQRT) {
#pragma omp simd
		for (int64_t i = 0; i < count; i++)
			sums[i] = sqrt(sums[i]);
	} else if (metric->map == KNNG_MAP_HALF) {
#pragma omp simd
		for (int64_t i = 0; i < count; i++)
			sums[i] /= 2;
	}
}
