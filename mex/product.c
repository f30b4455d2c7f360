/* product.c  y = knng.internal.product (A, x): A' * x on all threads, for a real sparse matrix and a real column.
 * Octave's own takes one. */
#include "mexargs.h"
#include "sys.h"
#include "walk.h"

static bool
is_real(const mxArray *a, bool is_sparse)
{
	return mxGetClassID(a) == mxDOUBLE_CLASS && mxIsSparse(a) == is_sparse && !mxIsComplex(a);
}

static knng_status
check(int nrhs, const mxArray *prhs[], knng_err *err)
{
	char text[80];
	if (nrhs != 2)
		return knng_fail(err, KNNG_EARGS, "knng:args:count", "call knng.diffusionmap, not this gateway");
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

void
mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
	knng_err err = {0};
	if (!knng_mex_enter(nlhs, plhs, 1, nrhs, prhs))
		return;
	if (check(nrhs, prhs, &err) != KNNG_OK)
		knng_raise(&err);
	plhs[0] = mxCreateDoubleMatrix(mxGetN(prhs[0]), 1, mxREAL);
	knng_sparse A = {.rows = (int64_t)mxGetM(prhs[0]),
			 .columns = (int64_t)mxGetN(prhs[0]),
			 .start = (size_t *)mxGetJc(prhs[0]),
			 .row = (size_t *)mxGetIr(prhs[0]),
			 .value = mxGetData(prhs[0])};
	knng_sparse_times(&A, mxGetData(prhs[1]), mxGetData(plhs[0]));
}
