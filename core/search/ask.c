/* ask.c  Checks what is asked for: matrices, metric, k. */
#include "base/sys.h"
#include "search/knng_search.h"
#include "search/metric.h"

enum { LONGEST_ROW = 1 << 30 };

static knng_status
find_metric(const char *name, const knng_metric **metric, knng_err *err)
{
	name = name == NULL ? "euclidean" : name;
	*metric = knng_metric_find(name);
	return *metric != NULL ? KNNG_OK : knng_metric_unknown(name, err);
}

static knng_status
check_matrix(const knng_matrix *X, const char *name, knng_err *err)
{
	int64_t elements;
	if (X->n < 1 || X->d < 1)
		return knng_fail(err, KNNG_EARGS, "knng:args:empty",
				 "%s is %lld-by-%lld: it needs at least one row (a point) and one column (a feature)",
				 name, (long long)X->n, (long long)X->d);
	if (X->n > INT32_MAX - 64 || X->d > LONGEST_ROW || !knng_mul(X->n, X->d + 8, 8, &elements))
		return knng_fail(err, KNNG_EARGS, "knng:args:rows",
				 "%s has %lld rows and %lld columns: more than 2^31 - 65 rows, or 2^60 elements, "
				 "cannot be searched",
				 name, (long long)X->n, (long long)X->d);
	return KNNG_OK;
}

knng_status
knng_ask(knng_question *q, const knng_matrix *X, const knng_matrix *Y, const char *metric, int64_t k, knng_err *err)
{
	*q = (knng_question){.x = *X};
	knng_status status = check_matrix(X, "X", err);
	if (status == KNNG_OK && Y != NULL) {
		q->y = *Y;
		status = check_matrix(Y, "Y", err);
		if (status == KNNG_OK && X->d != Y->d)
			status = knng_fail(
				err, KNNG_EARGS, "knng:args:columns",
				"X has %lld columns and Y %lld: references and queries need the same features",
				(long long)X->d, (long long)Y->d);
	}
	if (status == KNNG_OK && k < 1)
		status = knng_fail(err, KNNG_EARGS, "knng:args:k", "k is %lld: ask for at least one neighbour",
				   (long long)k);
	if (status == KNNG_OK)
		status = find_metric(metric, &q->metric, err);
	int64_t candidates = Y == NULL ? X->n - 1 : X->n;
	q->m = Y == NULL ? X->n : Y->n;
	q->k = k < candidates ? k : candidates;
	return status;
}
