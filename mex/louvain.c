/* louvain.c  [c, quality] = knng.internal.louvain (A, seed, resolution): the gateway of knng.louvain
 * (core/graph/louvain.h). A is square, sparse, of weights; c, a column, counts the clusters from 1. */
#include "graph/louvain.h"
#include "base/sys.h"
#include "gateway.h"

static int32_t *part;

static void
release(void)
{
	knng_free(part);
	part = NULL;
}

static knng_status
take_graph(const mxArray *a, knng_sparse *A, knng_err *err)
{
	if (!mxIsSparse(a) || mxGetClassID(a) != mxDOUBLE_CLASS || mxIsComplex(a) || mxGetM(a) != mxGetN(a))
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "A is no square sparse matrix of real numbers: call knng.louvain, not this gateway");
	if (mxGetM(a) > INT32_MAX - 64)
		return knng_fail(err, KNNG_EARGS, "knng:args:rows", "A has %.0f rows: 2^31 - 65 are the most",
				 (double)mxGetM(a));
	*A = (knng_sparse){.rows = (int64_t)mxGetM(a),
			   .columns = (int64_t)mxGetN(a),
			   .start = (size_t *)mxGetJc(a),
			   .row = (size_t *)mxGetIr(a),
			   .value = mxGetData(a)};
	for (int64_t j = 0; j < A->columns; j++)
		for (size_t e = A->start[j]; e < A->start[j + 1]; e++)
			if (!(A->value[e] >= 0 && A->value[e] <= DBL_MAX))
				return knng_fail(err, KNNG_EARGS, "knng:args:weight",
						 "the edge from %zu to %lld weighs %g: a weight must be a number from "
						 "0 on; leave the edge out, or choose another 'Weight'",
						 A->row[e] + 1, (long long)j + 1, A->value[e]);
	return KNNG_OK;
}

static knng_status
take_number(double *value, const char *name, const mxArray *a, double high, bool whole, const char *wanted,
	    knng_err *err)
{
	return knng_mex_number(a, 0, high, whole, value) ? KNNG_OK : knng_mex_bad_option(name, a, wanted, err);
}

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_sparse A;
	double seed, resolution, quality;
	knng_status status;
	if (call->nrhs != 3)
		return knng_call_wrong(err);
	if ((status = take_number(&seed, "Seed", call->prhs[1], 2147483645, true,
				  "one whole number from 0 to 2147483645", err)) != KNNG_OK ||
	    (status = take_number(&resolution, "Resolution", call->prhs[2], DBL_MAX, false, "a number from 0 on",
				  err)) != KNNG_OK ||
	    (status = take_graph(call->prhs[0], &A, err)) != KNNG_OK)
		return status;
	if ((part = knng_alloc(A.columns, sizeof *part)) == NULL)
		return knng_fail_memory(err, "the clusters", 4.0 * (double)A.columns);
	knng_call_start(call);
	status = knng_call_end(call, knng_louvain(&call->task, &A, resolution, (uint64_t)seed, part, &quality, err));
	if (status != KNNG_OK)
		return status;
	double *out = mxGetData(call->plhs[0] = mxCreateDoubleMatrix((mwSize)A.columns, 1, mxREAL));
	for (int64_t i = 0; i < A.columns; i++)
		out[i] = part[i] + 1.0;
	if (call->nlhs > 1)
		call->plhs[1] = mxCreateDoubleScalar(quality);
	return KNNG_OK;
}

const knng_gateway knng_this_gateway = {
	.results = 2, .stage = "louvain", .functions = "knng.louvain", .run = run, .release = release};
