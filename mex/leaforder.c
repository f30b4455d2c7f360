/* leaforder.c  [order, length] = knng.internal.leaforder (D): the gateway of knng.heatmap; leaforder (D, Z): that of
 * knng.optimalleaforder. D is a full symmetric matrix of finite distances, Z a tree, order a column. */
#include "graph/leaforder.h"
#include "base/sys.h"
#include "gateway.h"
#include "graph/tree.h"

#include <math.h>

static int64_t *order, *node;

static void
release(void)
{
	knng_free(order);
	knng_free(node);
	order = node = NULL;
}

/* Distances are finite and symmetric. */
static knng_status
check_distances(knng_task *task, int64_t n, const double *d, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int64_t i = 0; i < n && (status = knng_task_poll(task, err)) == KNNG_OK; i++)
		for (int64_t j = 0; j < i; j++)
			if (!isfinite(d[i * n + j]) || d[i * n + j] != d[j * n + i])
				return knng_fail(err, KNNG_EARGS, "knng:args:dist",
						 "D(%lld,%lld) is %g and D(%lld,%lld) is %g: distances are finite and "
						 "symmetric",
						 (long long)j + 1, (long long)i + 1, d[i * n + j], (long long)i + 1,
						 (long long)j + 1, d[j * n + i]);
	return status;
}

static knng_status
take_tree(const mxArray *a, int64_t n, knng_err *err)
{
	knng_matrix Z;
	knng_status status = knng_mex_matrix(a, "Z", &Z, err);
	if (status != KNNG_OK)
		return status;
	if (Z.n != n - 1 || Z.d != 3 || Z.type != KNNG_F64)
		return knng_fail(err, KNNG_EARGS, "knng:args:tree", "Z is %lld-by-%lld: it must be a tree of %lld rows",
				 (long long)Z.n, (long long)Z.d, (long long)n);
	if ((node = knng_alloc(2 * n, sizeof *node)) == NULL)
		return knng_fail_memory(err, "the tree", 16.0 * (double)n);
	return knng_tree_read(n, Z.data, node, err);
}

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_matrix D;
	double length = 0;
	if (call->nrhs != 1 && call->nrhs != 2)
		return knng_call_wrong(err);
	knng_status status = knng_mex_matrix(call->prhs[0], "D", &D, err);
	if (status != KNNG_OK)
		return status;
	if (D.n != D.d || D.type != KNNG_F64)
		return knng_fail(err, KNNG_EARGS, "knng:args:dist", "D is %lld-by-%lld: it must be square, of doubles",
				 (long long)D.n, (long long)D.d);
	if (call->nrhs > 1 && (status = take_tree(call->prhs[1], D.n, err)) != KNNG_OK)
		return status;
	if ((order = knng_alloc(D.n, sizeof *order)) == NULL)
		return knng_fail_memory(err, "ordering rows", 8.0 * (double)D.n);
	knng_call_start(call);
	status = check_distances(&call->task, D.n, D.data, err);
	if (status == KNNG_OK)
		status = knng_leaf_order(&call->task, D.n, D.data, node, order, &length, NULL, err);
	if (knng_call_end(call, status) != KNNG_OK)
		return status;
	double *out = mxGetData(call->plhs[0] = mxCreateDoubleMatrix((mwSize)D.n, 1, mxREAL));
	for (int64_t i = 0; i < D.n; i++)
		out[i] = (double)(order[i] + 1);
	if (call->nlhs > 1)
		call->plhs[1] = mxCreateDoubleScalar(length);
	return KNNG_OK;
}

const knng_gateway knng_this_gateway = {
	.results = 2, .stage = "order", .functions = "knng.heatmap", .run = run, .release = release};
