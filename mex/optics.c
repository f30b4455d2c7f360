/* optics.c  The gateway of knng.optics, which has the help:
 *
 *     [order, reach, from, took] = knng.internal.optics ('order', X, metric, core, most, memory, leaf)
 *     knng.internal.optics ('memory', n, d, memory)
 *     [first, last] = knng.internal.optics ('valleys', reach, from, xi, minpts, least, correct)
 *
 * core n x 1; memory bytes, 0 for what there is; leaf rows, 0 for what is best (core/rows/optics.h). order, reach and
 * from are n x 1; from 0: none. took: rows without distances, constant ones of these, leaves. Of a plot (core/graph/
 * steep.h) reach and from are n x 1, by place; first and last columns of places. All count from 1. 'memory' raises what
 * 'order' would of so many rows and columns, before the work that is done for it. */
#include "rows/optics.h"
#include "base/sys.h"
#include "gateway.h"
#include "graph/steep.h"

#include <math.h>

static char *metric;
static int32_t *order, *from;
static knng_valley *valleys;

static void
release(void)
{
	knng_free(metric);
	knng_free(order);
	knng_free(from);
	knng_free(valleys);
	metric = NULL;
	order = from = NULL;
	valleys = NULL;
}

static bool
is_column(const mxArray *a, int64_t n)
{
	return mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a) && (int64_t)mxGetM(a) == n &&
	       mxGetN(a) == 1;
}

static bool
none_below_zero(const double *x, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if (!(x[i] >= 0))
			return false;
	return true;
}

/* Numbers, from 1. */
static mxArray *
numbers(const int32_t *from0, int64_t n, knng_err *err)
{
	mxArray *a = knng_mex_result(n, 1, false, err);
	double *to = a != NULL ? mxGetData(a) : NULL;
	for (int64_t i = 0; a != NULL && i < n; i++)
		to[i] = from0[i] + 1;
	return a;
}

static knng_status
order_rows(knng_call *call, knng_err *err)
{
	const mxArray *const *prhs = call->prhs;
	knng_optics_how how = {0};
	knng_optics_found found = {0};
	knng_question q;
	knng_matrix X;
	double leaf;
	knng_status status;
	if (call->nrhs != 7)
		return knng_call_wrong(err);
	if ((status = knng_mex_matrix(prhs[1], "X", &X, err)) != KNNG_OK ||
	    (status = knng_mex_metric(prhs[2], &metric, err)) != KNNG_OK ||
	    (status = knng_ask(&q, &X, NULL, metric, 1, err)) != KNNG_OK)
		return status;
	if (!is_column(prhs[3], X.n) || !none_below_zero(mxGetData(prhs[3]), X.n) ||
	    !knng_mex_number(prhs[4], 0, INFINITY, false, &how.most) || !knng_mex_bytes(prhs[5], 0, &how.max_memory) ||
	    !knng_mex_number(prhs[6], 0, INT32_MAX, true, &leaf))
		return knng_call_wrong(err);
	how.metric = q.metric;
	how.core = mxGetData(prhs[3]);
	how.leaf = (int64_t)leaf;
	order = knng_alloc(X.n, sizeof *order);
	from = knng_alloc(X.n, sizeof *from);
	if (order == NULL || from == NULL)
		return knng_fail_memory(err, "the order of the rows", 8.0 * (double)X.n);
	mxArray *reach = knng_mex_result(X.n, 1, false, err);
	if (reach == NULL)
		return KNNG_EMEMORY;
	found.order = order;
	found.from = from;
	found.reach = mxGetData(reach);
	knng_call_start(call);
	if ((status = knng_call_end(call, knng_optics(&call->task, &q.x, &how, &found, err))) != KNNG_OK)
		return status;
	if ((call->plhs[0] = numbers(order, X.n, err)) == NULL)
		return KNNG_EMEMORY;
	if (call->nlhs > 1)
		call->plhs[1] = reach;
	if (call->nlhs > 2 && (call->plhs[2] = numbers(from, X.n, err)) == NULL)
		return KNNG_EMEMORY;
	if (call->nlhs > 3) {
		double *took = mxGetData(call->plhs[3] = mxCreateDoubleMatrix(1, 3, mxREAL));
		took[0] = (double)found.left_out;
		took[1] = (double)found.constant;
		took[2] = (double)found.met;
	}
	return KNNG_OK;
}

static knng_status
ask_memory(knng_call *call, knng_err *err)
{
	const mxArray *const *prhs = call->prhs;
	knng_optics_how how = {0};
	double n, d;
	if (call->nrhs != 4 || call->nlhs > 0 || !knng_mex_number(prhs[1], 1, INT32_MAX, true, &n) ||
	    !knng_mex_number(prhs[2], 1, 0x1p53, true, &d) || !knng_mex_bytes(prhs[3], 0, &how.max_memory))
		return knng_call_wrong(err);
	return knng_optics_afford(&call->task, (int64_t)n, (int64_t)d, &how, err);
}

static knng_status
find_valleys(knng_call *call, knng_err *err)
{
	const mxArray *const *prhs = call->prhs;
	knng_steep_how how = {0};
	double minpts, least, correct;
	int64_t n, count;
	if (call->nrhs != 7 || call->nlhs > 2)
		return knng_call_wrong(err);
	n = (int64_t)mxGetNumberOfElements(prhs[1]);
	if (n >= INT32_MAX - 64 || !is_column(prhs[1], n) || !none_below_zero(mxGetData(prhs[1]), n) ||
	    !is_column(prhs[2], n) || !knng_mex_number(prhs[3], 0, 1, false, &how.xi) || how.xi <= 0 || how.xi >= 1 ||
	    !knng_mex_number(prhs[4], 0, INT32_MAX, true, &minpts) ||
	    !knng_mex_number(prhs[5], 1, INT32_MAX, true, &least) || !knng_mex_number(prhs[6], 0, 1, true, &correct))
		return knng_call_wrong(err);
	const double *reached = mxGetData(prhs[2]);
	if ((from = knng_alloc(n, sizeof *from)) == NULL)
		return knng_fail_memory(err, "the clusters", 4.0 * (double)n);
	for (int64_t i = 0; i < n; i++) {
		if (!(reached[i] >= 0 && reached[i] <= (double)n))
			return knng_call_wrong(err);
		from[i] = (int32_t)reached[i] - 1;
	}
	how.minpts = (int64_t)minpts;
	how.least = (int64_t)least;
	how.correct = correct != 0;
	knng_call_start(call);
	knng_status status =
		knng_call_end(call, knng_steep(&call->task, n, mxGetData(prhs[1]), from, &how, &valleys, &count, err));
	if (status != KNNG_OK)
		return status;
	double *first = mxGetData(call->plhs[0] = mxCreateDoubleMatrix((mwSize)count, 1, mxREAL)), *last = NULL;
	if (call->nlhs > 1)
		last = mxGetData(call->plhs[1] = mxCreateDoubleMatrix((mwSize)count, 1, mxREAL));
	for (int64_t v = 0; v < count; v++) {
		first[v] = valleys[v].first + 1;
		if (last != NULL)
			last[v] = valleys[v].last + 1;
	}
	return KNNG_OK;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	static const char *const words[] = {"order", "valleys", "memory"};
	int which = call->nrhs > 0 ? knng_mex_which(call->prhs[0], words, 3) : -1;
	return which < 0    ? knng_call_wrong(err)
	       : which == 0 ? order_rows(call, err)
	       : which == 1 ? find_valleys(call, err)
			    : ask_memory(call, err);
}

const knng_gateway knng_this_gateway = {
	.results = 4, .stage = "order", .functions = "knng.optics", .run = run, .release = release};
