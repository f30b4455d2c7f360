/* silhouette.c  s = knng.internal.silhouette (X, metric, cluster, threads, progress): the gateway of knng.silhouette.
 *
 * cluster, n-by-1 double: whole numbers up to n; from 1 on a cluster, below none. threads 0 is the default. */
#include "silhouette.h"
#include "mexargs.h"
#include "sys.h"

#include <math.h>

/* Kept until the call ends; what an error of Octave's left is freed by the next. */
static char *metric;
static int32_t *cluster;

static void
release(void)
{
	knng_free(metric);
	knng_free(cluster);
	metric = NULL;
	cluster = NULL;
}

static knng_status
take_clusters(const mxArray *a, int64_t n, int64_t *clusters, knng_err *err)
{
	char text[80];
	bool fine = mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a) && mxGetM(a) == (size_t)n &&
		    mxGetN(a) == 1;
	const double *number = fine ? mxGetData(a) : NULL;
	if (fine && (cluster = knng_alloc(n, sizeof *cluster)) == NULL)
		return knng_fail_memory(err, "clusters", 4.0 * (double)n);
	*clusters = 1;
	for (int64_t i = 0; fine && i < n; i++) {
		fine = number[i] <= (double)n && number[i] == floor(number[i]);
		cluster[i] = fine && number[i] >= 1 ? (int32_t)number[i] - 1 : -1;
		*clusters = cluster[i] >= *clusters ? cluster[i] + 1 : *clusters;
	}
	return fine ? KNNG_OK
		    : knng_fail(err, KNNG_EARGS, "knng:args:labels",
				"the clusters are %s: they must be a number up to %lld for each row of X",
				knng_mex_show(a, text, sizeof text), (long long)n);
}

static knng_status
check(knng_plan *plan, int64_t *clusters, knng_progress *progress, int nrhs, const mxArray *prhs[], knng_err *err)
{
	knng_matrix X;
	/* The plan is made for its checks of X and the metric: no device, no limit. */
	knng_options opt = {.device = KNNG_DEVICE_CPU, .max_memory = INFINITY, .k = 1};
	knng_status status;
	double threads;
	if (nrhs != 5)
		return knng_fail(err, KNNG_EARGS, "knng:args:count", "call knng.silhouette, not this gateway");
	if ((status = knng_mex_matrix(prhs[0], "X", &X, err)) != KNNG_OK ||
	    (status = knng_mex_progress(prhs[4], progress, err)) != KNNG_OK)
		return status;
	if (!knng_mex_number(prhs[3], 0, 4096, true, &threads))
		return knng_mex_bad_option("Threads", prhs[3], "a whole number, 1 to 4096", err);
	opt.threads = (int)threads;
	if ((metric = knng_mex_string(prhs[1], "knng:args:metric", "the metric", err)) == NULL)
		return KNNG_EARGS;
	opt.metric = metric;
	if ((status = knng_plan_make(plan, &X, NULL, &opt, err)) != KNNG_OK)
		return status;
	return take_clusters(prhs[2], X.n, clusters, err);
}

void
mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
	static bool registered;
	knng_plan plan;
	knng_progress progress = {0};
	knng_err err = {0};
	int64_t clusters = 0;
	if (!knng_mex_enter(nlhs, plhs, 1, nrhs, prhs))
		return;
	if (!registered)
		registered = mexAtExit(release) == 0;
	release();
	knng_status status = check(&plan, &clusters, &progress, nrhs, prhs, &err);
	if (status == KNNG_OK) {
		plhs[0] = mxCreateUninitNumericMatrix((mwSize)plan.x.n, 1, mxDOUBLE_CLASS, mxREAL);
		knng_progress_start(&progress, &plan.opt);
		status = knng_silhouette(&plan, cluster, clusters, mxGetData(plhs[0]), &err);
		knng_progress_end(&progress, status);
	}
	release();
	if (status != KNNG_OK)
		knng_raise(&err);
}
