/* kmedoids.c  The gateway of knng.kmedoids, which has the help:
 *
 *     [cluster, medoid, sum, runs, found, to] =
 *         knng.internal.kmedoids (X, metric, k, kind, start, most, memory)
 *
 * kind is a number of knng_medoids_start, start k x replicates: random numbers, or rows from 1 on. memory: bytes, 0 for
 * what is available. cluster counts from 1, 0 is none; medoid is k x 1, from 1; runs is replicates x 3, as iterations,
 * total and swaps of knng_kmedoids_found, and found a struct of the rest. */
#include "rows/kmedoids.h"
#include "base/sys.h"
#include "gateway.h"

#include <math.h>

static char *metric;
static int32_t *given, *cluster, *medoid;

static void
release(void)
{
	knng_free(metric);
	knng_free(given);
	knng_free(cluster);
	knng_free(medoid);
	metric = NULL;
	given = cluster = medoid = NULL;
}

static knng_status
take_start(knng_kmedoids_how *how, int64_t n, const mxArray *a, knng_err *err)
{
	bool fine = mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a) &&
		    mxGetM(a) == (size_t)how->k && mxGetNumberOfElements(a) > 0;
	const double *x = fine ? mxGetData(a) : NULL;
	int64_t count = fine ? (int64_t)mxGetNumberOfElements(a) : 0;
	bool rows = how->start == KNNG_MEDOIDS_GIVEN;
	for (int64_t e = 0; e < count; e++)
		fine = fine && (rows ? x[e] >= 1 && x[e] <= (double)n && x[e] == floor(x[e]) : x[e] > 0 && x[e] < 1);
	if (!fine)
		return knng_call_wrong(err);
	how->replicates = count / how->k;
	how->draws = x;
	if (!rows)
		return KNNG_OK;
	if ((given = knng_alloc(count, sizeof *given)) == NULL)
		return knng_fail_memory(err, "starts", 4.0 * (double)count);
	for (int64_t e = 0; e < count; e++)
		given[e] = (int32_t)x[e] - 1;
	how->given = given;
	return KNNG_OK;
}

static knng_status
check(knng_question *q, knng_kmedoids_how *how, const knng_call *call, knng_err *err)
{
	const mxArray **prhs = call->prhs;
	double k, kind, most, memory;
	knng_matrix X;
	knng_status status;
	if (call->nrhs != 7)
		return knng_call_wrong(err);
	if ((status = knng_mex_matrix(prhs[0], "X", &X, err)) != KNNG_OK ||
	    (status = knng_mex_metric(prhs[1], &metric, err)) != KNNG_OK ||
	    (status = knng_ask(q, &X, NULL, metric, 1, err)) != KNNG_OK)
		return status;
	if (!knng_mex_number(prhs[2], 1, 0x1p53, true, &k) ||
	    !knng_mex_number(prhs[3], 0, KNNG_MEDOIDS_GIVEN, true, &kind) ||
	    !knng_mex_number(prhs[5], 1, 1e9, true, &most) || !knng_mex_bytes(prhs[6], 0, &memory))
		return knng_call_wrong(err);
	if (k > (double)q->x.n)
		return knng_fail(err, KNNG_EARGS, "knng:args:k",
				 "k is %.0f: it must be a whole number from 1 to the number of rows, %lld", k,
				 (long long)q->x.n);
	*how = (knng_kmedoids_how){.metric = q->metric,
				   .k = (int64_t)k,
				   .start = (knng_medoids_start)kind,
				   .most = (int64_t)most,
				   .max_memory = memory};
	return take_start(how, q->x.n, prhs[4], err);
}

static void
put(mxArray *found, const char *name, double value)
{
	mxSetField(found, 0, name, mxCreateDoubleScalar(value));
}

static mxArray *
what_was_found(const knng_kmedoids_found *found)
{
	static const char *names[] = {"replicate", "left_out", "constant", "stored", "planned"};
	mxArray *s = mxCreateStructMatrix(1, 1, sizeof names / sizeof *names, names);
	put(s, "replicate", (double)found->replicate + 1);
	put(s, "left_out", (double)found->left_out);
	put(s, "constant", (double)found->constant);
	put(s, "stored", found->stored);
	put(s, "planned", found->planned);
	return s;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_question q;
	knng_kmedoids_how how;
	knng_kmedoids_found found = {0};
	knng_status status = check(&q, &how, call, err);
	if (status != KNNG_OK)
		return status;
	int64_t n = q.x.n, k = how.k;
	if ((medoid = knng_alloc(k, sizeof *medoid)) == NULL || (cluster = knng_alloc(n, sizeof *cluster)) == NULL)
		return knng_fail_memory(err, "clusters", 4.0 * (double)(n + k));
	mxArray *of_rows = call->plhs[0] = knng_mex_result(n, 1, false, err);
	if (of_rows == NULL)
		return KNNG_EMEMORY;
	mxArray *medoids = mxCreateDoubleMatrix((mwSize)k, 1, mxREAL);
	mxArray *sums = mxCreateDoubleMatrix((mwSize)k, 1, mxREAL);
	mxArray *runs = mxCreateDoubleMatrix((mwSize)how.replicates, 3, mxREAL);
	found.cluster = cluster;
	found.medoid = medoid;
	found.sum = mxGetData(sums);
	found.iterations = mxGetData(runs);
	found.total = found.iterations + how.replicates;
	found.swaps = found.total + how.replicates;
	if (call->nlhs > 5) {
		if ((call->plhs[5] = knng_mex_result(n, k, false, err)) == NULL)
			return KNNG_EMEMORY;
		found.to = mxGetData(call->plhs[5]);
	}
	knng_call_start(call);
	status = knng_call_end(call, knng_kmedoids(&call->task, &q.x, &how, &found, err));
	if (status != KNNG_OK)
		return status;
	double *number = mxGetData(of_rows), *row = mxGetData(medoids);
	for (int64_t i = 0; i < n; i++)
		number[i] = (double)cluster[i] + 1;
	for (int64_t b = 0; b < k; b++)
		row[b] = (double)medoid[b] + 1;
	mxArray *more[] = {medoids, sums, runs};
	for (int r = 1; r <= 3 && r < call->nlhs; r++)
		call->plhs[r] = more[r - 1];
	if (call->nlhs > 4)
		call->plhs[4] = what_was_found(&found);
	return status;
}

const knng_gateway knng_this_gateway = {
	.results = 6, .stage = "medoids", .functions = "knng.kmedoids", .run = run, .release = release};
