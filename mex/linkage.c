/* linkage.c  Trees of clusters:
 *
 *     [Z, why] = knng.internal.linkage ('points', X, metric, method, most, device, device_most)
 *     [Z, why] = knng.internal.linkage ('distances', y, method, most, device, device_most)
 *     Z = knng.internal.linkage ('edges', n, i, j, d)
 *     y = knng.internal.linkage ('pairs', X, metric)
 *     n = knng.internal.linkage ('check', X, metric)      rows; an error where one has no distances
 *
 * What is meant stands in graph/linkage.h, rows/linkage_points.h and rows/linkage_centres.h. y is a row of
 * n (n - 1) / 2 distances, most and device_most bytes of memory, or [], i, j, d columns; why: '', or how a GPU failed.
 */
#include "base/sys.h"
#include "gateway.h"
#include "graph/linkage_gpu.h"
#include "options.h"
#include "rows/linkage_points.h"

#include <math.h>
#include <string.h>

static char *metric;
static double *W;

static void
release(void)
{
	knng_free(metric);
	knng_free(W);
	metric = NULL;
	W = NULL;
}

static const char *const methods[] = {
	[KNNG_LINK_SINGLE] = "single",     [KNNG_LINK_COMPLETE] = "complete", [KNNG_LINK_AVERAGE] = "average",
	[KNNG_LINK_WEIGHTED] = "weighted", [KNNG_LINK_WARD] = "ward",         [KNNG_LINK_CENTROID] = "centroid",
	[KNNG_LINK_MEDIAN] = "median"};

static knng_status
take_method(const mxArray *a, knng_link *method, knng_err *err)
{
	char text[80];
	int which = knng_mex_which(a, methods, (int)KNNG_LINKS);
	if (which < 0)
		return knng_fail(err, KNNG_EARGS, "knng:args:option", "the method is %s: it must be one of linkage's",
				 knng_mex_show(a, text, sizeof text));
	*method = (knng_link)which;
	return KNNG_OK;
}

static knng_status
take_most(const char *option, const mxArray *a, double *most, knng_err *err)
{
	*most = 0;
	return mxIsEmpty(a) ? KNNG_OK
			    : knng_mex_take_bytes(option, "a number of bytes, such as 4e9 or '4G'", a, most, err);
}

static double *
tree_for(knng_call *call, int64_t n)
{
	return mxGetData(call->plhs[0] = mxCreateDoubleMatrix((mwSize)(n > 0 ? n - 1 : 0), 3, mxREAL));
}

/* Device and device_most. */
static knng_status
take_device(const mxArray **a, knng_devices *device, double *most, knng_err *err)
{
	*device = (knng_devices){0};
	knng_status status = knng_mex_device(a[0], KNNG_MAX_DEVICES, device, err);
	return status == KNNG_OK ? take_most("MaxDeviceMemory", a[1], most, err) : status;
}

/* fallback: why a GPU did not do it, which is part of the error if the CPU could not either. */
static knng_status
end_tree(knng_call *call, knng_status status, const knng_err *fallback, knng_err *err)
{
	bool failed = fallback->id[0] != 0;
	size_t length = strlen(err->text);
	if (knng_call_end(call, status) == KNNG_OK && call->nlhs > 1)
		call->plhs[1] = mxCreateString(failed ? fallback->text : "");
	if (failed && status != KNNG_OK && status != KNNG_EINTERRUPTED)
		snprintf(err->text + length, sizeof err->text - length, "; the GPU before: %s", fallback->text);
	return status;
}

static knng_status
take_points(knng_call *call, int arguments, knng_question *q, knng_err *err)
{
	knng_matrix X;
	knng_status status;
	if (call->nrhs != arguments)
		return knng_call_wrong(err);
	if ((status = knng_mex_matrix(call->prhs[1], "X", &X, err)) != KNNG_OK ||
	    (status = knng_mex_metric(call->prhs[2], &metric, err)) != KNNG_OK)
		return status;
	return knng_ask(q, &X, NULL, metric, 1, err);
}

static knng_status
points(knng_call *call, knng_err *err)
{
	knng_question q;
	knng_link method = KNNG_LINK_SINGLE;
	knng_devices device;
	knng_err fallback = {0};
	double most, device_most;
	bool done = false;
	knng_status status = take_points(call, 7, &q, err);
	if (status != KNNG_OK || (status = take_method(call->prhs[3], &method, err)) != KNNG_OK ||
	    (status = take_most("MaxMemory", call->prhs[4], &most, err)) != KNNG_OK ||
	    (status = take_device(call->prhs + 5, &device, &device_most, err)) != KNNG_OK)
		return status;
	bool centres = method >= KNNG_LINK_WARD && strcmp(q.metric->name, "euclidean") == 0;
	double *Z = tree_for(call, q.x.n);
	knng_call_start(call);
	status = knng_link_points_on_gpu(&call->task, &q.x, q.metric, method, centres, &device, most, device_most, Z,
					 &done, &fallback, err);
	if (status == KNNG_OK && !done)
		status = knng_link_points(&call->task, &q.x, q.metric, method, centres, most, Z, err);
	return end_tree(call, status, &fallback, err);
}

static knng_status
pairs(knng_call *call, knng_err *err)
{
	knng_question q;
	knng_status status = take_points(call, 3, &q, err);
	if (status != KNNG_OK)
		return status;
	call->plhs[0] = knng_mex_result(1, q.x.n * (q.x.n - 1) / 2, false, err);
	if (call->plhs[0] == NULL)
		return KNNG_EMEMORY;
	double *y = mxGetData(call->plhs[0]);
	knng_call_start(call);
	return knng_call_end(call, knng_all_distances(&call->task, &q.x, q.metric, y, err));
}

static knng_status
check(knng_call *call, knng_err *err)
{
	knng_question q;
	knng_status status = take_points(call, 3, &q, err);
	if (status != KNNG_OK)
		return status;
	knng_call_start(call);
	if (knng_call_end(call, status = knng_link_check(&call->task, &q.x, q.metric, err)) == KNNG_OK)
		call->plhs[0] = mxCreateDoubleScalar((double)q.x.n);
	return status;
}

/* Whether y can be distances. */
static knng_status
check_distances(const knng_task *task, int64_t n, const double *y, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int64_t i = 0; i < n && (status = knng_task_poll(task, err)) == KNNG_OK; i++)
		for (int64_t j = i + 1; j < n; j++, y++)
			if (!(*y >= 0))
				return knng_fail(
					err, KNNG_EARGS, "knng:args:dist",
					"the distance of rows %lld and %lld is %g: it must be 0 or more, and not "
					"NaN",
					(long long)i + 1, (long long)j + 1, *y);
	return status;
}

/* The row y as a table. */
static knng_status
spread(const knng_task *task, int64_t n, const double *y, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int64_t i = 0; i < n && (status = knng_task_poll(task, err)) == KNNG_OK; i++)
		for (int64_t j = i + 1; j < n; j++, y++)
			W[i * n + j] = W[j * n + i] = *y;
	return status;
}

static knng_status
afford_table(int64_t n, double most, knng_err *err)
{
	return knng_link_afford(8.0 * (double)n * (double)n + knng_link_bytes(n), most, n, knng_link_remedy(n, 0, most),
				err);
}

static knng_status
link_here(knng_call *call, int64_t n, const double *y, knng_link method, double most, double *Z, knng_err *err)
{
	knng_status status = afford_table(n, most, err);
	if (status != KNNG_OK)
		return status;
	if ((W = knng_alloc(n, (size_t)n * sizeof *W)) == NULL)
		return knng_fail_memory(err, "the tree", 8.0 * (double)n * (double)n);
	status = spread(&call->task, n, y, err);
	return status == KNNG_OK ? knng_link_distances(&call->task, n, W, method, Z, err) : status;
}

static knng_status
distances(knng_call *call, knng_err *err)
{
	knng_matrix y;
	knng_link method = KNNG_LINK_SINGLE;
	knng_devices device;
	knng_err fallback = {0};
	double most, device_most;
	bool done = false;
	knng_status status;
	if (call->nrhs != 6)
		return knng_call_wrong(err);
	if ((status = knng_mex_matrix(call->prhs[1], "y", &y, err)) != KNNG_OK ||
	    (status = take_method(call->prhs[2], &method, err)) != KNNG_OK ||
	    (status = take_most("MaxMemory", call->prhs[3], &most, err)) != KNNG_OK ||
	    (status = take_device(call->prhs + 4, &device, &device_most, err)) != KNNG_OK)
		return status;
	int64_t n = (int64_t)((1 + sqrt(1 + 8 * (double)y.d)) / 2);
	if (y.n != 1 || y.type != KNNG_F64 || n * (n - 1) / 2 != y.d)
		return knng_fail(err, KNNG_EARGS, "knng:args:dist",
				 "y is %lld-by-%lld: it must be a row of n*(n-1)/2 distances, those of all pairs of n "
				 "rows",
				 (long long)y.n, (long long)y.d);
	knng_link_device found = {.max_memory = device_most};
	if ((status = knng_link_device_find(&device, knng_link_worth(n), &found, err)) != KNNG_OK ||
	    (found.gpu == NULL && (status = afford_table(n, most, err)) != KNNG_OK))
		return status;
	double *Z = tree_for(call, n);
	knng_call_start(call);
	status = check_distances(&call->task, n, y.data, err);
	if (status == KNNG_OK && found.gpu != NULL && n > 1)
		status = knng_link_settle(
			knng_link_distances_on(&found, &call->task, n, y.data, method, most, Z, &fallback), &done,
			&fallback, err);
	if (status == KNNG_OK && !done)
		status = link_here(call, n, y.data, method, most, Z, err);
	return end_tree(call, status, &fallback, err);
}

static knng_status
edges(knng_call *call, knng_err *err)
{
	double number;
	const double *column[3];
	if (call->nrhs != 5 || !knng_mex_number(call->prhs[1], 1, INT32_MAX - 64, true, &number))
		return knng_call_wrong(err);
	int64_t n = (int64_t)number;
	for (int c = 0; c < 3; c++) {
		const mxArray *a = call->prhs[2 + c];
		if (mxGetClassID(a) != mxDOUBLE_CLASS || mxIsSparse(a) || mxIsComplex(a) ||
		    (int64_t)mxGetNumberOfElements(a) != n - 1)
			return knng_call_wrong(err);
		column[c] = mxGetData(a);
		for (int64_t e = 0; e < n - 1; e++)
			if (c < 2 ? !(column[c][e] >= 1 && column[c][e] <= number) : isnan(column[c][e]))
				return knng_call_wrong(err);
	}
	double *Z = tree_for(call, n);
	knng_call_start(call);
	return knng_call_end(call, knng_link_edges(&call->task, n, column[0], column[1], column[2], Z, err));
}

static knng_status
run(knng_call *call, knng_err *err)
{
	static const char *const words[] = {"points", "distances", "edges", "pairs", "check"};
	static const struct {
		knng_status (*run)(knng_call *call, knng_err *err);
		int results;
	} work[] = {{points, 2}, {distances, 2}, {edges, 1}, {pairs, 1}, {check, 1}};
	int which = call->nrhs > 0 ? knng_mex_which(call->prhs[0], words, 5) : -1;
	return which < 0 || call->nlhs > work[which].results ? knng_call_wrong(err) : work[which].run(call, err);
}

const knng_gateway knng_this_gateway = {.results = 2,
					.stage = "linkage",
					.functions = "knng.linkage",
					.run = run,
					.release = release,
					.close = knng_plugin_release};
