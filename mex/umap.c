/* umap.c  The gateway of knng.umap (core/graph/umap.h):
 *
 *     P = knng.internal.umap ('weigh', A)
 *     Y = knng.internal.umap ('layout', W, Y, a, b, epochs, negatives, rate, seed)
 *
 * A is sparse and n-by-n, column j the distances of node j to its neighbours; P has their weights in its place. W is
 * symmetric, of weights above 0; Y, dims-by-n, where the nodes stand before and after. */
#include "graph/umap.h"
#include "base/sys.h"
#include "gateway.h"

#include <math.h>
#include <string.h>

static knng_status
take_graph(const mxArray *a, bool weights, knng_sparse *A, knng_err *err)
{
	char text[80];
	if (mxGetClassID(a) != mxDOUBLE_CLASS || !mxIsSparse(a) || mxIsComplex(a) || mxGetM(a) != mxGetN(a))
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "A is %s: it must be a square sparse matrix of real numbers",
				 knng_mex_show(a, text, sizeof text));
	*A = (knng_sparse){.rows = (int64_t)mxGetM(a),
			   .columns = (int64_t)mxGetN(a),
			   .start = (size_t *)mxGetJc(a),
			   .row = (size_t *)mxGetIr(a),
			   .value = mxGetData(a)};
	if (A->columns > INT32_MAX)
		return knng_fail(err, KNNG_EARGS, "knng:args:rows", "A has %lld rows: at most 2^31 - 1 have places",
				 (long long)A->columns);
	for (size_t e = 0; e < A->start[A->columns]; e++)
		if (!(A->value[e] >= 0 && A->value[e] < INFINITY) || (weights && A->value[e] == 0))
			return knng_fail(err, KNNG_EARGS, weights ? "knng:args:weight" : "knng:args:dist",
					 "A has %g: %s", A->value[e],
					 weights ? "weights are above 0 and finite"
						 : "distances are 0 or more and finite");
	return KNNG_OK;
}

static knng_status
weigh(knng_call *call, knng_err *err)
{
	knng_sparse A;
	knng_status status;
	if (call->nrhs != 2)
		return knng_call_wrong(err);
	if ((status = take_graph(call->prhs[1], false, &A, err)) != KNNG_OK)
		return status;
	call->plhs[0] = mxDuplicateArray(call->prhs[1]);
	double *weight = mxGetData(call->plhs[0]);
	knng_call_start(call);
	return knng_call_end(call, knng_umap_weigh(&call->task, &A, weight, err));
}

static knng_status
take_places(const mxArray *a, int64_t n, int *dims, knng_err *err)
{
	char text[80];
	bool fine = mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a) && (int64_t)mxGetN(a) == n &&
		    mxGetM(a) >= 1 && mxGetM(a) <= KNNG_UMAP_DIMS;
	*dims = fine ? (int)mxGetM(a) : 0;
	const double *y = fine ? mxGetData(a) : NULL;
	for (int64_t i = 0; fine && i < n * *dims; i++)
		fine = fabs(y[i]) <= 1e100;
	return fine ? KNNG_OK
		    : knng_fail(err, KNNG_EARGS, "knng:args:start",
				"Y is %s: it must have a column for each of %lld nodes, of 1 to %d numbers up to 1e100",
				knng_mex_show(a, text, sizeof text), (long long)n, KNNG_UMAP_DIMS);
}

static knng_status
lay_out(knng_call *call, knng_err *err)
{
	const mxArray *const *prhs = call->prhs;
	knng_umap_how how;
	knng_sparse W;
	knng_status status;
	double epochs, negatives, seed;
	int dims;
	if (call->nrhs != 9 || !knng_mex_number(prhs[3], 1e-9, 1e9, false, &how.a) ||
	    !knng_mex_number(prhs[4], 1e-9, 1e9, false, &how.b) || !knng_mex_number(prhs[5], 0, 1e6, true, &epochs) ||
	    !knng_mex_number(prhs[6], 0, KNNG_UMAP_NEGATIVES, true, &negatives) ||
	    !knng_mex_number(prhs[7], 0, 1e6, false, &how.rate) || !knng_mex_number(prhs[8], 0, 0x1p53, true, &seed))
		return knng_call_wrong(err);
	how.epochs = (int64_t)epochs;
	how.negatives = (int)negatives;
	how.seed = (uint64_t)seed;
	if ((status = take_graph(prhs[1], true, &W, err)) != KNNG_OK ||
	    (status = take_places(prhs[2], W.columns, &dims, err)) != KNNG_OK)
		return status;
	call->plhs[0] = mxDuplicateArray(prhs[2]);
	double *y = mxGetData(call->plhs[0]);
	knng_call_start(call);
	return knng_call_end(call, knng_umap_layout(&call->task, &W, &how, dims, y, err));
}

static knng_status
run(knng_call *call, knng_err *err)
{
	static const char *const words[] = {"weigh", "layout"};
	int word = call->nrhs < 1 ? -1 : knng_mex_which(call->prhs[0], words, 2);
	return word == 0 ? weigh(call, err) : word == 1 ? lay_out(call, err) : knng_call_wrong(err);
}

const knng_gateway knng_this_gateway = {.results = 1, .stage = "layout", .functions = "knng.umap", .run = run};
