/* eigen.c  [V, lambda, next, off, why] = knng.internal.eigen (W, scale, self, known, count, tolerance, rounds, device):
 * knng_eigen_find (core/graph/eigen.h) for knng.internal.top_vectors. V is [], and the others mean nothing, where the
 * CPU has to do it; why: '', or how a GPU failed. knng.internal.eigen (device) does nothing if there is such a device.
 */
#include "graph/eigen.h"
#include "base/sys.h"
#include "gateway.h"

#include <math.h>

static bool
is_real(const mxArray *a, bool is_sparse, size_t rows)
{
	return mxGetClassID(a) == mxDOUBLE_CLASS && mxIsSparse(a) == is_sparse && !mxIsComplex(a) &&
	       mxGetNumberOfDimensions(a) == 2 && mxGetM(a) == rows;
}

static knng_status
check_device(const mxArray *a, knng_devices *device, knng_err *err)
{
	char why[160];
	int devices[KNNG_MAX_DEVICES], n;
	knng_status status = knng_mex_device(a, 1, device, err);
	if (status != KNNG_OK || device->kind == KNNG_DEVICE_AUTO)
		return status;
	return knng_devices_find(device, devices, &n, why, sizeof why, err);
}

static knng_status
check(const knng_call *call, knng_eigen *e, knng_sparse *W, knng_devices *device, knng_err *err)
{
	const mxArray **prhs = call->prhs;
	double count, rounds;
	if (call->nrhs != 8)
		return knng_call_wrong(err);
	size_t n = mxGetN(prhs[0]);
	if (!is_real(prhs[0], true, n) || !is_real(prhs[1], false, n) || mxGetN(prhs[1]) != 1 ||
	    !knng_mex_number(prhs[2], 0, INFINITY, false, &e->self) || !is_real(prhs[3], false, n) ||
	    !knng_mex_number(prhs[4], 1, INT32_MAX, true, &count) ||
	    !knng_mex_number(prhs[5], 0, 1, false, &e->tolerance) ||
	    !knng_mex_number(prhs[6], 1, INT32_MAX, true, &rounds))
		return knng_call_wrong(err);
	*W = (knng_sparse){.rows = (int64_t)n,
			   .columns = (int64_t)n,
			   .start = (size_t *)mxGetJc(prhs[0]),
			   .row = (size_t *)mxGetIr(prhs[0]),
			   .value = mxGetData(prhs[0])};
	e->W = W;
	e->scale = mxGetData(prhs[1]);
	e->known = mxGetData(prhs[3]);
	e->nknown = (int64_t)mxGetN(prhs[3]);
	e->count = (int64_t)count;
	e->rounds = (int64_t)rounds;
	return knng_mex_device(prhs[7], 1, device, err);
}

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_eigen e = {0};
	knng_sparse W;
	knng_devices device = {0};
	knng_err fallback;
	mxArray **plhs = call->plhs;
	bool done = false;
	if (call->nrhs == 1 && call->nlhs == 0)
		return check_device(call->prhs[0], &device, err);
	knng_status status = check(call, &e, &W, &device, err);
	if (status != KNNG_OK)
		return status;
	if (e.count > W.columns)
		return knng_call_wrong(err);
	mxArray *lambda = mxCreateDoubleMatrix((mwSize)e.count, 1, mxREAL);
	if (knng_eigen_suits(&e, &device, &fallback)) {
		plhs[0] = knng_mex_result(W.columns, e.count, false, err);
		if (plhs[0] == NULL)
			return KNNG_EMEMORY;
		e.vector = mxGetData(plhs[0]);
		e.value = mxGetData(lambda);
		knng_call_start(call);
		status = knng_call_end(call, knng_eigen_find(&call->task, &e, &device, &done, &fallback, err));
		if (status != KNNG_OK)
			return status;
	}
	if (!done || isinf(e.off)) {
		if (plhs[0] != NULL)
			mxDestroyArray(plhs[0]); /* nothing was written there */
		plhs[0] = mxCreateDoubleMatrix(0, 0, mxREAL);
	}
	if (call->nlhs > 1)
		plhs[1] = lambda;
	if (call->nlhs > 2)
		plhs[2] = mxCreateDoubleScalar(e.next);
	if (call->nlhs > 3)
		plhs[3] = mxCreateDoubleScalar(e.off);
	if (call->nlhs > 4)
		plhs[4] = mxCreateString(fallback.id[0] != 0 ? fallback.text : "");
	return KNNG_OK;
}

const knng_gateway knng_this_gateway = {.results = 5,
					.stage = "eigenvectors",
					.functions =
						"knng.diffusionmap, knng.laplacianeigenmaps or knng.spectralcluster",
					.run = run,
					.close = knng_plugin_release};
