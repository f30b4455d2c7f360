/* kmeans.c  The gateway of knng.kmeans, which has the help:
 *
 *     [cluster, centre, sum, runs, found, to] =
 *         knng.internal.kmeans (X, metric, k, start, draws, most, empty, memory, online)
 *
 * start is k x d x replicates, or []: then draws is k x replicates, random numbers. empty is a number of knng_empty;
 * memory bytes, 0 for what is available; online 1 where single rows move at the end, else 0. cluster counts from 1, 0
 * is none; centre is k x d; runs is replicates x 2, as iterations and total of knng_kmeans_found, and found a struct of
 * the rest. */
#include "rows/kmeans.h"
#include "base/sys.h"
#include "gateway.h"

#include <string.h>

static char *metric;
static double *start, *centre;
static int32_t *cluster;

static void
release(void)
{
	knng_free(metric);
	knng_free(start);
	knng_free(centre);
	knng_free(cluster);
	metric = NULL;
	start = centre = NULL;
	cluster = NULL;
}

static const double *
doubles(const mxArray *a, int64_t count)
{
	bool fine = mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a) &&
		    mxGetNumberOfElements(a) == (size_t)count;
	return fine ? mxGetData(a) : NULL;
}

/* out[r] = in', k x d by rows, r < replicates. */
static void
by_rows(const double *in, int64_t k, int64_t d, int64_t replicates, double *out)
{
	for (int64_t r = 0; r < replicates; r++)
		for (int64_t j = 0; j < k; j++)
			for (int64_t l = 0; l < d; l++)
				out[(r * k + j) * d + l] = in[(r * d + l) * k + j];
}

static knng_status
take_starts(knng_kmeans_how *how, int64_t d, const mxArray *starts, const mxArray *draws, knng_err *err)
{
	const double *x;
	size_t given = mxGetNumberOfElements(starts), each = (size_t)how->k * (size_t)d;
	if (given == 0) {
		how->replicates = (int64_t)(mxGetNumberOfElements(draws) / (size_t)how->k);
		how->draws = doubles(draws, how->replicates * how->k);
		return how->draws != NULL && how->replicates > 0 ? KNNG_OK : knng_call_wrong(err);
	}
	how->replicates = (int64_t)(given / each);
	if (how->replicates < 1 || (x = doubles(starts, how->replicates * (int64_t)each)) == NULL)
		return knng_call_wrong(err);
	if ((start = knng_alloc((int64_t)given, sizeof *start)) == NULL)
		return knng_fail_memory(err, "starts", 8.0 * (double)given);
	by_rows(x, how->k, d, how->replicates, start);
	how->start = start;
	return KNNG_OK;
}

static knng_status
check(knng_question *q, knng_kmeans_how *how, const knng_call *call, knng_err *err)
{
	const mxArray **prhs = call->prhs;
	double k, most, empty, memory, online;
	knng_matrix X;
	knng_status status;
	if (call->nrhs != 9)
		return knng_call_wrong(err);
	if ((status = knng_mex_matrix(prhs[0], "X", &X, err)) != KNNG_OK ||
	    (status = knng_mex_metric(prhs[1], &metric, err)) != KNNG_OK ||
	    (status = knng_ask(q, &X, NULL, metric, 1, err)) != KNNG_OK)
		return status;
	if (!knng_mex_number(prhs[2], 1, 0x1p53, true, &k) || !knng_mex_number(prhs[5], 0, 1e9, true, &most) ||
	    !knng_mex_number(prhs[6], 0, KNNG_EMPTY_DROP, true, &empty) || !knng_mex_bytes(prhs[7], 0, &memory) ||
	    !knng_mex_number(prhs[8], 0, 1, true, &online))
		return knng_call_wrong(err);
	if (k > (double)q->x.n)
		return knng_fail(err, KNNG_EARGS, "knng:args:k",
				 "k is %.0f: it must be a whole number from 1 to the number of rows, %lld", k,
				 (long long)q->x.n);
	*how = (knng_kmeans_how){.metric = q->metric,
				 .k = (int64_t)k,
				 .most = (int64_t)most,
				 .empty = (knng_empty)empty,
				 .online = online > 0,
				 .max_memory = memory};
	return take_starts(how, q->x.d, prhs[3], prhs[4], err);
}

static void
put(mxArray *found, const char *name, double value)
{
	mxSetField(found, 0, name, mxCreateDoubleScalar(value));
}

static mxArray *
what_was_found(const knng_kmeans_found *found)
{
	static const char *names[] = {"replicate", "left_out", "constant", "computed", "planned"};
	mxArray *s = mxCreateStructMatrix(1, 1, sizeof names / sizeof *names, names);
	put(s, "replicate", (double)found->replicate + 1);
	put(s, "left_out", (double)found->left_out);
	put(s, "constant", (double)found->constant);
	put(s, "computed", found->computed);
	put(s, "planned", found->planned);
	return s;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_question q;
	knng_kmeans_how how;
	knng_kmeans_found found = {0};
	knng_status status = check(&q, &how, call, err);
	if (status != KNNG_OK)
		return status;
	int64_t n = q.x.n, d = q.x.d, k = how.k;
	if ((centre = knng_alloc(k, (size_t)d * sizeof *centre)) == NULL ||
	    (cluster = knng_alloc(n, sizeof *cluster)) == NULL)
		return knng_fail_memory(err, "clusters", 8.0 * (double)k * (double)d + 4.0 * (double)n);
	mxArray *of_rows = call->plhs[0] = knng_mex_result(n, 1, false, err);
	if (of_rows == NULL)
		return KNNG_EMEMORY;
	mxArray *centres = mxCreateDoubleMatrix((mwSize)k, (mwSize)d, mxREAL);
	mxArray *sums = mxCreateDoubleMatrix((mwSize)k, 1, mxREAL);
	mxArray *runs = mxCreateDoubleMatrix((mwSize)how.replicates, 2, mxREAL);
	found.centre = centre;
	found.cluster = cluster;
	found.sum = mxGetData(sums);
	found.iterations = mxGetData(runs);
	found.total = found.iterations + how.replicates;
	if (call->nlhs > 5) {
		if ((call->plhs[5] = knng_mex_result(n, k, false, err)) == NULL)
			return KNNG_EMEMORY;
		found.to = mxGetData(call->plhs[5]);
	}
	knng_call_start(call);
	status = knng_call_end(call, knng_kmeans(&call->task, &q.x, &how, &found, err));
	if (status != KNNG_OK)
		return status;
	double *number = mxGetData(of_rows), *c = mxGetData(centres);
	for (int64_t i = 0; i < n; i++)
		number[i] = (double)cluster[i] + 1;
	for (int64_t j = 0; j < k; j++)
		for (int64_t l = 0; l < d; l++)
			c[l * k + j] = centre[j * d + l];
	mxArray *more[] = {centres, sums, runs};
	for (int r = 1; r <= 3 && r < call->nlhs; r++)
		call->plhs[r] = more[r - 1];
	if (call->nlhs > 4)
		call->plhs[4] = what_was_found(&found);
	return status;
}

const knng_gateway knng_this_gateway = {
	.results = 6, .stage = "clusters", .functions = "knng.kmeans", .run = run, .release = release};
