/* leaforder.c  [order, length] = knng.internal.leaforder (D): the gateway of knng.heatmap. D is a full symmetric matrix
 * of finite distances, order a column. */
#include "leaforder.h"
#include "mexargs.h"
#include "sys.h"

#include <math.h>

/* Kept until the call ends; what an error of Octave's left is freed by the next. */
static int64_t *order;

static void
release(void)
{
	knng_free(order);
	order = NULL;
}

static knng_status
check(int64_t *n, int nrhs, const mxArray *prhs[], knng_err *err)
{
	knng_matrix D;
	if (nrhs != 1)
		return knng_fail(err, KNNG_EARGS, "knng:args:count", "call knng.heatmap, not this gateway");
	knng_status status = knng_mex_matrix(prhs[0], "D", &D, err);
	if (status != KNNG_OK)
		return status;
	*n = D.n;
	if (D.n != D.d || D.type != KNNG_F64)
		return knng_fail(err, KNNG_EARGS, "knng:args:dist", "D is %lld-by-%lld: it must be square, of doubles",
				 (long long)D.n, (long long)D.d);
	const double *d = D.data;
	for (int64_t i = 0; i < *n; i++)
		for (int64_t j = 0; j < i; j++)
			if (!isfinite(d[i * *n + j]) || d[i * *n + j] != d[j * *n + i])
				return knng_fail(err, KNNG_EARGS, "knng:args:dist",
						 "D(%lld,%lld) is %g and D(%lld,%lld) is %g: distances are finite and "
						 "symmetric",
						 (long long)j + 1, (long long)i + 1, d[i * *n + j], (long long)i + 1,
						 (long long)j + 1, d[j * *n + i]);
	return KNNG_OK;
}

void
mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
	static bool registered;
	knng_err err = {0};
	int64_t n = 0;
	double length = 0;
	if (!knng_mex_enter(nlhs, plhs, 2, nrhs, prhs))
		return;
	if (!registered)
		registered = mexAtExit(release) == 0;
	release();
	knng_status status = check(&n, nrhs, prhs, &err);
	if (status == KNNG_OK && (order = knng_alloc(n, sizeof *order)) == NULL)
		status = knng_fail_memory(&err, "ordering rows", 8.0 * (double)n);
	if (status == KNNG_OK)
		status = knng_leaf_order(n, n > 0 ? mxGetData(prhs[0]) : NULL, order, &length, NULL, &err);
	if (status == KNNG_OK) {
		plhs[0] = mxCreateDoubleMatrix((mwSize)n, 1, mxREAL);
		for (int64_t i = 0; i < n; i++)
			((double *)mxGetData(plhs[0]))[i] = (double)(order[i] + 1);
		if (nlhs > 1)
			plhs[1] = mxCreateDoubleScalar(length);
	}
	release();
	if (status != KNNG_OK)
		knng_raise(&err);
}
