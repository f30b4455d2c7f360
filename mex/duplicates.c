/* duplicates.c  [group, first, count] = knng.internal.duplicates (X, metric): the gateway of knng.duplicates. */
#include "rows/duplicates.h"
#include "base/sys.h"
#include "gateway.h"

static char *metric;

static void
release(void)
{
	knng_free(metric);
	metric = NULL;
}

static knng_status
check(knng_question *q, const knng_call *call, knng_err *err)
{
	knng_matrix X;
	if (call->nrhs != 2)
		return knng_call_wrong(err);
	knng_status status = knng_mex_matrix(call->prhs[0], "X", &X, err);
	if (status == KNNG_OK)
		status = knng_mex_metric(call->prhs[1], &metric, err);
	return status == KNNG_OK ? knng_ask(q, &X, NULL, metric, 1, err) : status;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_question q;
	int64_t groups = 0;
	knng_status status = check(&q, call, err);
	if (status != KNNG_OK)
		return status;
	call->plhs[0] = mxCreateUninitNumericMatrix((mwSize)q.x.n, 1, mxDOUBLE_CLASS, mxREAL);
	double *group = mxGetData(call->plhs[0]);
	knng_call_start(call);
	status = knng_call_end(call, knng_duplicates(&call->task, &q.x, q.metric, group, &groups, err));
	if (status == KNNG_OK && call->nlhs > 1) {
		double *first = mxGetData(call->plhs[1] = mxCreateDoubleMatrix((mwSize)groups, 1, mxREAL));
		for (int64_t i = q.x.n - 1; i >= 0; i--)
			first[(int64_t)group[i] - 1] = (double)(i + 1);
	}
	if (status == KNNG_OK && call->nlhs > 2) {
		double *count = mxGetData(call->plhs[2] = mxCreateDoubleMatrix((mwSize)groups, 1, mxREAL));
		for (int64_t i = 0; i < q.x.n; i++)
			count[(int64_t)group[i] - 1]++;
	}
	return status;
}

const knng_gateway knng_this_gateway = {
	.results = 3, .stage = "duplicates", .functions = "knng.duplicates", .run = run, .release = release};
