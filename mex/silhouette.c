/* silhouette.c  s = knng.internal.silhouette (X, metric, cluster): the gateway of knng.silhouette.
 *
 * cluster, n-by-1 double: whole numbers up to n; from 1 on a cluster, below none. */
#include "rows/silhouette.h"
#include "base/sys.h"
#include "gateway.h"

#include <math.h>

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
check(knng_question *q, int64_t *clusters, const knng_call *call, knng_err *err)
{
	knng_matrix X;
	knng_status status;
	if (call->nrhs != 3)
		return knng_call_wrong(err);
	if ((status = knng_mex_matrix(call->prhs[0], "X", &X, err)) != KNNG_OK)
		return status;
	if ((status = knng_mex_metric(call->prhs[1], &metric, err)) != KNNG_OK)
		return status;
	if ((status = knng_ask(q, &X, NULL, metric, 1, err)) != KNNG_OK)
		return status;
	return take_clusters(call->prhs[2], X.n, clusters, err);
}

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_question q;
	int64_t clusters = 0;
	knng_status status = check(&q, &clusters, call, err);
	if (status != KNNG_OK)
		return status;
	call->plhs[0] = mxCreateUninitNumericMatrix((mwSize)q.x.n, 1, mxDOUBLE_CLASS, mxREAL);
	double *s = mxGetData(call->plhs[0]);
	knng_call_start(call);
	return knng_call_end(call, knng_silhouette(&call->task, &q.x, q.metric, cluster, clusters, s, err));
}

const knng_gateway knng_this_gateway = {
	.results = 1, .stage = "silhouette", .functions = "knng.silhouette", .run = run, .release = release};
