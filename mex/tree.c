/* tree.c  What is read off a tree of clusters Z, (n - 1)-by-3:
 *
 *     T = knng.internal.tree ('cut', Z, measure, limits)       n-by-numel (limits): clusters
 *     y = knng.internal.tree ('cophenet', Z)                   a row: the heights at which pairs of rows meet
 *     Y = knng.internal.tree ('inconsistent', Z, depth)        (n - 1)-by-4
 *     tree = knng.internal.tree ('check', Z)                   true
 *
 * What is meant stands in graph/tree.h. measure is a column of n - 1 doubles. */
#include "graph/tree.h"
#include "base/sys.h"
#include "gateway.h"

#include <math.h>

static int64_t *node, *scratch;

static void
release(void)
{
	knng_free(node);
	knng_free(scratch);
	node = scratch = NULL;
}

static bool
is_column(const mxArray *a, int64_t rows)
{
	return mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a) &&
	       mxGetNumberOfDimensions(a) == 2 && (rows < 0 || (int64_t)mxGetNumberOfElements(a) == rows);
}

static knng_status
cut(knng_call *call, int64_t n, knng_err *err)
{
	if (call->nrhs != 4 || !is_column(call->prhs[2], n - 1) || !is_column(call->prhs[3], -1))
		return knng_call_wrong(err);
	int64_t limits = (int64_t)mxGetNumberOfElements(call->prhs[3]);
	const double *measure = mxGetData(call->prhs[2]), *limit = mxGetData(call->prhs[3]);
	if ((scratch = knng_alloc(3 * n, sizeof *scratch)) == NULL)
		return knng_fail_memory(err, "the clusters", 24.0 * (double)n);
	if ((call->plhs[0] = knng_mex_result(n, limits, false, err)) == NULL)
		return KNNG_EMEMORY;
	double *T = mxGetData(call->plhs[0]);
	knng_status status = KNNG_OK;
	knng_call_start(call);
	for (int64_t l = 0; l < limits && status == KNNG_OK; l++) {
		knng_tree_cut(n, node, measure, limit[l], T + l * n, scratch);
		status = knng_task_poll(&call->task, err);
	}
	return knng_call_end(call, status);
}

static knng_status
cophenet(knng_call *call, int64_t n, const double *height, knng_err *err)
{
	if (call->nrhs != 2)
		return knng_call_wrong(err);
	if ((call->plhs[0] = knng_mex_result(1, n * (n - 1) / 2, false, err)) == NULL)
		return KNNG_EMEMORY;
	double *y = mxGetData(call->plhs[0]);
	knng_call_start(call);
	return knng_call_end(call, knng_tree_cophenet(&call->task, n, node, height, y, err));
}

static knng_status
inconsistent(knng_call *call, int64_t n, const double *height, knng_err *err)
{
	double depth;
	if (call->nrhs != 3 || !knng_mex_number(call->prhs[2], 1, 0x1p53, true, &depth))
		return knng_call_wrong(err);
	double *Y = mxGetData(call->plhs[0] = mxCreateDoubleMatrix((mwSize)(n - 1), 4, mxREAL));
	knng_call_start(call);
	return knng_call_end(call, knng_tree_inconsistent(&call->task, n, node, height, (int64_t)depth, Y, err));
}

static knng_status
run(knng_call *call, knng_err *err)
{
	static const char *const words[] = {"cut", "cophenet", "inconsistent", "check"};
	char text[80];
	int which = call->nrhs > 1 ? knng_mex_which(call->prhs[0], words, 4) : -1;
	if (which < 0)
		return knng_call_wrong(err);
	const mxArray *Z = call->prhs[1];
	if (!is_column(Z, -1) || mxGetN(Z) != 3 || mxGetM(Z) > INT32_MAX / 2)
		return knng_fail(err, KNNG_EARGS, "knng:args:tree",
				 "Z is %s: it must be a tree as knng.linkage returns it, of three columns",
				 knng_mex_show(Z, text, sizeof text));
	int64_t n = (int64_t)mxGetM(Z) + 1;
	if ((node = knng_alloc(2 * n, sizeof *node)) == NULL)
		return knng_fail_memory(err, "the tree", 16.0 * (double)n);
	const double *data = mxGetData(Z);
	knng_status status = knng_tree_read(n, data, node, err);
	if (status != KNNG_OK)
		return status;
	const double *height = data + 2 * (n - 1);
	if (which == 0)
		return cut(call, n, err);
	if (which == 1)
		return cophenet(call, n, height, err);
	if (which == 2)
		return inconsistent(call, n, height, err);
	call->plhs[0] = mxCreateLogicalScalar(true);
	return KNNG_OK;
}

const knng_gateway knng_this_gateway = {
	.results = 1, .stage = "tree", .functions = "knng.cluster", .run = run, .release = release};
