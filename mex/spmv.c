/* spmv.c  y = knng.internal.spmv (A, x): A' * x on all threads, for a real sparse matrix and a real column.
 * Octave's own takes one. */
#include "base/sys.h"
#include "gateway.h"
#include "graph/sparse.h"

static bool
is_real(const mxArray *a, bool is_sparse)
{
	return mxGetClassID(a) == mxDOUBLE_CLASS && mxIsSparse(a) == is_sparse && !mxIsComplex(a);
}

static knng_status
check(const knng_call *call, knng_err *err)
{
	char text[80];
	const mxArray **prhs = call->prhs;
	if (call->nrhs != 2)
		return knng_call_wrong(err);
	if (!is_real(prhs[0], true))
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "A is %s: it must be a sparse matrix of real numbers",
				 knng_mex_show(prhs[0], text, sizeof text));
	if (!is_real(prhs[1], false) || mxGetNumberOfElements(prhs[1]) != mxGetM(prhs[1]) ||
	    mxGetM(prhs[1]) != mxGetM(prhs[0]))
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "x is %s: it must be a full column of %.0f real numbers",
				 knng_mex_show(prhs[1], text, sizeof text), (double)mxGetM(prhs[0]));
	return KNNG_OK;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_status status = check(call, err);
	if (status != KNNG_OK)
		return status;
	const mxArray *a = call->prhs[0];
	call->plhs[0] = mxCreateDoubleMatrix(mxGetN(a), 1, mxREAL);
	knng_sparse A = {.rows = (int64_t)mxGetM(a),
			 .columns = (int64_t)mxGetN(a),
			 .start = (size_t *)mxGetJc(a),
			 .row = (size_t *)mxGetIr(a),
			 .value = mxGetData(a)};
	const double *x = mxGetData(call->prhs[1]);
	double *y = mxGetData(call->plhs[0]);
	knng_call_start(call);
	return knng_call_end(call, knng_sparse_times(&call->task, &A, x, y, err));
}

const knng_gateway knng_this_gateway = {.results = 1, .silent = true, .functions = "knng.diffusionmap", .run = run};
