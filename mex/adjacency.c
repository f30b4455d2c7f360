/* adjacency.c  A = knng.internal.adjacency (idx, dist): the sparse n-by-n matrix of neighbour lists. */
#include "adjacency.h"
#include "mexargs.h"
#include "sys.h"

static knng_status
check(int nrhs, const mxArray *prhs[], knng_err *err)
{
	if (nrhs != 2)
		return knng_fail(err, KNNG_EARGS, "knng:args:count", "adjacency takes idx and dist, not %d arguments",
				 nrhs);
	if (mxGetClassID(prhs[0]) != mxDOUBLE_CLASS || mxIsSparse(prhs[0]) || mxIsComplex(prhs[0]) ||
	    (mxGetClassID(prhs[1]) != mxDOUBLE_CLASS && mxGetClassID(prhs[1]) != mxSINGLE_CLASS) ||
	    mxIsSparse(prhs[1]) || mxIsComplex(prhs[1]))
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "idx and dist must be full real matrices as knngraph gives them");
	if (mxGetNumberOfDimensions(prhs[0]) != 2 || mxGetNumberOfDimensions(prhs[1]) != 2 ||
	    mxGetM(prhs[0]) != mxGetM(prhs[1]) || mxGetN(prhs[0]) != mxGetN(prhs[1]))
		return knng_fail(err, KNNG_EARGS, "knng:args:dims",
				 "idx is %.0f-by-%.0f and dist %.0f-by-%.0f: they must be of one size",
				 (double)mxGetM(prhs[0]), (double)mxGetN(prhs[0]), (double)mxGetM(prhs[1]),
				 (double)mxGetN(prhs[1]));
	/* Only a table without columns can have more rows than the machine has memory for. */
	if (mxGetN(prhs[0]) == 0 && mxGetM(prhs[0]) > 1)
		return knng_fail(err, KNNG_EARGS, "knng:args:empty", "idx has no columns: knngraph gives at least one");
	return KNNG_OK;
}

void
mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
	knng_err err;
	if (!knng_mex_enter(nlhs, plhs, 1, nrhs, prhs))
		return;
	if (check(nrhs, prhs, &err) != KNNG_OK)
		knng_raise(&err);
	int64_t n = (int64_t)mxGetM(prhs[0]), k = (int64_t)mxGetN(prhs[0]), edges;
	const double *idx = mxGetData(prhs[0]);
	if (!knng_adjacency_count(n, k, idx, &edges)) {
		knng_fail(&err, KNNG_EARGS, "knng:args:idx", "idx must hold row numbers 1 … %lld, or 0 for none",
			  (long long)n);
		knng_raise(&err);
	}
	plhs[0] = mxCreateSparse((mwSize)n, (mwSize)n, (mwSize)(edges > 0 ? edges : 1), mxREAL);
	_Static_assert(sizeof(mwIndex) == sizeof(size_t), "sparse indices are 8 bytes");
	knng_adjacency_fill(n, k, idx, mxGetData(prhs[1]),
			    mxGetClassID(prhs[1]) == mxSINGLE_CLASS ? KNNG_F32 : KNNG_F64, (size_t *)mxGetJc(plhs[0]),
			    (size_t *)mxGetIr(plhs[0]), mxGetData(plhs[0]));
}
