/* duplicates.c  [group, first, count] = knng.internal.duplicates (X, metric): the gateway of knng.duplicates. */
#include "duplicates.h"
#include "mexargs.h"
#include "sys.h"

#include <math.h>

/* Kept until the call ends; what an error of Octave's left is freed by the next. */
static char *metric;

static void
release(void)
{
	knng_free(metric);
	metric = NULL;
}

static knng_status
check(knng_plan *plan, int nrhs, const mxArray *prhs[], knng_err *err)
{
	knng_matrix X;
	/* The plan is made for its checks of X and the metric: no device, no limit. */
	knng_options opt = {.device = KNNG_DEVICE_CPU, .max_memory = INFINITY, .k = 1};
	if (nrhs != 2)
		return knng_fail(err, KNNG_EARGS, "knng:args:count", "call knng.duplicates, not this gateway");
	knng_status status = knng_mex_matrix(prhs[0], "X", &X, err);
	if (status != KNNG_OK)
		return status;
	if ((metric = knng_mex_string(prhs[1], "knng:args:metric", "the metric", err)) == NULL)
		return KNNG_EARGS;
	opt.metric = metric;
	return knng_plan_make(plan, &X, NULL, &opt, err);
}

void
mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
	static bool registered;
	knng_plan plan;
	knng_progress progress = {0};
	knng_err err = {0};
	if (!knng_mex_enter(nlhs, plhs, 3, nrhs, prhs))
		return;
	if (!registered)
		registered = mexAtExit(release) == 0;
	release();
	knng_status status = check(&plan, nrhs, prhs, &err);
	if (status == KNNG_OK) {
		int64_t groups = 0;
		plhs[0] = mxCreateUninitNumericMatrix((mwSize)plan.x.n, 1, mxDOUBLE_CLASS, mxREAL);
		double *group = mxGetData(plhs[0]);
		knng_progress_start(&progress, &plan.opt);
		status = knng_duplicates(&plan, group, &groups, &err);
		knng_progress_end(&progress, status);
		if (status == KNNG_OK && nlhs > 1) {
			plhs[1] = mxCreateDoubleMatrix((mwSize)groups, 1, mxREAL);
			for (int64_t i = plan.x.n - 1; i >= 0; i--)
				((double *)mxGetData(plhs[1]))[(int64_t)group[i] - 1] = (double)(i + 1);
		}
		if (status == KNNG_OK && nlhs > 2) {
			plhs[2] = mxCreateDoubleMatrix((mwSize)groups, 1, mxREAL);
			for (int64_t i = 0; i < plan.x.n; i++)
				((double *)mxGetData(plhs[2]))[(int64_t)group[i] - 1]++;
		}
	}
	release();
	if (status != KNNG_OK)
		knng_raise(&err);
}
