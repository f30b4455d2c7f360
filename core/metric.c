#include "metric.h"
#include "sys.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>

const knng_metric knng_metrics[] = {
	{"euclidean", NULL, KNNG_PREP_NONE, KNNG_SUM_MINUS, KNNG_FINISH_SQRT},
	{"sqeuclidean", NULL, KNNG_PREP_NONE, KNNG_SUM_MINUS, KNNG_FINISH_NONE},
	{"cosine", NULL, KNNG_PREP_UNIT, KNNG_SUM_MINUS, KNNG_FINISH_HALF},
	{"pearson", "correlation", KNNG_PREP_CENTRED, KNNG_SUM_MINUS, KNNG_FINISH_HALF},
	{"abspearson", NULL, KNNG_PREP_CENTRED, KNNG_SUM_EITHER, KNNG_FINISH_HALF},
	{"antipearson", NULL, KNNG_PREP_CENTRED, KNNG_SUM_PLUS, KNNG_FINISH_HALF},
	{"spearman", NULL, KNNG_PREP_RANKED, KNNG_SUM_MINUS, KNNG_FINISH_HALF},
	{"cityblock", "manhattan", KNNG_PREP_NONE, KNNG_SUM_L1, KNNG_FINISH_NONE},
	{"chebychev", NULL, KNNG_PREP_NONE, KNNG_SUM_LINF, KNNG_FINISH_NONE},
	{NULL, NULL, KNNG_PREP_NONE, KNNG_SUM_MINUS, KNNG_FINISH_NONE},
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

const knng_metric *
knng_metric_find(const char *name)
{
	for (const knng_metric *m = knng_metrics; m->name != NULL; m++)
		if (strcasecmp(name, m->name) == 0 || (m->alias != NULL && strcasecmp(name, m->alias) == 0))
			return m;
	return NULL;
}

/* Edit distance (insert, delete, replace) of two names, case ignored; names longer than the row count as far. */
static int
edits(const char *a, const char *b)
{
	enum { LONGEST = 63 };
	int row[LONGEST + 1];
	size_t la = strlen(a), lb = strlen(b);
	if (la > LONGEST || lb > LONGEST)
		return INT_MAX;
	for (size_t j = 0; j <= lb; j++)
		row[j] = (int)j;
	for (size_t i = 1; i <= la; i++) {
		int diagonal = row[0];
		row[0] = (int)i;
		for (size_t j = 1; j <= lb; j++) {
			int swap = diagonal + (strncasecmp(a + i - 1, b + j - 1, 1) != 0);
			int gap = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
			diagonal = row[j];
			row[j] = swap < gap ? swap : gap;
		}
	}
	return row[lb];
}

const char *
knng_nearest_name(const char *given, const char *const *names, int n)
{
	const char *best = NULL;
	int least = (int)strlen(given) / 2 + 1; /* farther than half of it is no likeness */
	for (int i = 0; i < n; i++) {
		int e = edits(given, names[i]);
		if (e < least) {
			least = e;
			best = names[i];
		}
	}
	return best;
}

double
knng_finish(const knng_metric *metric, double sum)
{
	switch (metric->finish) {
	case KNNG_FINISH_SQRT:
		return sqrt(sum);
	case KNNG_FINISH_HALF:
		return sum / 2;
	default:
		return sum;
	}
}
