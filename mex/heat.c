/* heat.c  core/graph/heat.h for knng.diffusionmap, of U, a symmetric sparse matrix of distances, 0 or more:
 *
 *     [count, zeros, unfit] = knng.internal.heat ('bins', U)       count(b) is of the bin b + KNNG_BIN_FIRST - 1
 *     which = knng.internal.heat ('wanting', U, s, which)          which: n-by-1, logical
 *     [W, joined] = knng.internal.heat ('weights', U, s, floor)    joined: what nodes have an edge in U */
#include "graph/heat.h"
#include "base/sys.h"
#include "gateway.h"

#include <math.h>
#include <string.h>

static knng_bins *bins;
static size_t *starts;

static void
release(void)
{
	knng_free(bins);
	knng_free(starts);
	bins = NULL;
	starts = NULL;
}

static knng_status
count_bins(knng_call *call, const knng_sparse *U, knng_err *err)
{
	if ((bins = knng_alloc(1, sizeof *bins)) == NULL)
		return knng_fail_memory(err, "the numbers of distances", (double)sizeof *bins);
	knng_call_start(call);
	knng_status status = knng_call_end(call, knng_bins_count(&call->task, U, bins, err));
	if (status != KNNG_OK)
		return status;
	call->plhs[0] = mxCreateDoubleMatrix(KNNG_BINS, 1, mxREAL);
	double *count = mxGetData(call->plhs[0]);
	for (int64_t b = 0; b < KNNG_BINS; b++)
		count[b] = (double)bins->bin[b];
	if (call->nlhs > 1)
		call->plhs[1] = mxCreateDoubleScalar((double)bins->zeros);
	if (call->nlhs > 2)
		call->plhs[2] = mxCreateDoubleScalar((double)bins->unfit);
	return KNNG_OK;
}

static knng_status
find_wanting(knng_call *call, const knng_sparse *U, double s, knng_err *err)
{
	const mxArray *given = call->prhs[3];
	if (!mxIsLogical(given) || mxIsSparse(given) || mxGetM(given) != (size_t)U->columns || mxGetN(given) != 1)
		return knng_call_wrong(err);
	call->plhs[0] = mxDuplicateArray(given);
	uint8_t *which = mxGetData(call->plhs[0]);
	knng_call_start(call);
	return knng_call_end(call, knng_heat_wanting(&call->task, U, s, which, err));
}

static knng_status
make_weights(knng_call *call, const knng_sparse *U, double s, knng_err *err)
{
	mwSize n = (mwSize)U->columns;
	double floor;
	if (!knng_mex_number(call->prhs[3], DBL_MIN, 1, false, &floor))
		return knng_call_wrong(err);
	if ((starts = knng_alloc(U->columns + 1, sizeof *starts)) == NULL)
		return knng_fail_memory(err, "the weights of the edges", 8.0 * (double)n);
	knng_call_start(call);
	knng_status status = knng_call_end(call, knng_heat_count(&call->task, U, s, floor, starts, err));
	if (status != KNNG_OK)
		return status;
	if ((call->plhs[0] = knng_mex_sparse(U->rows, U->columns, (int64_t)starts[n], err)) == NULL)
		return KNNG_EMEMORY;
	knng_sparse W = {.rows = U->rows,
			 .columns = U->columns,
			 .start = (size_t *)mxGetJc(call->plhs[0]),
			 .row = (size_t *)mxGetIr(call->plhs[0]),
			 .value = mxGetData(call->plhs[0])};
	memcpy(W.start, starts, (n + 1) * sizeof *starts);
	if (call->nlhs > 1) {
		call->plhs[1] = mxCreateLogicalMatrix(n, 1);
		uint8_t *joined = mxGetData(call->plhs[1]);
		for (mwSize j = 0; j < n; j++)
			joined[j] = U->start[j + 1] > U->start[j];
	}
	knng_call_start(call);
	return knng_call_end(call, knng_heat_fill(&call->task, U, s, floor, &W, err));
}

static knng_status
run(knng_call *call, knng_err *err)
{
	char what[16];
	double s = 0;
	const mxArray **prhs = call->prhs;
	if (call->nrhs < 2 || !mxIsChar(prhs[0]) || mxGetString(prhs[0], what, sizeof what) != 0)
		return knng_call_wrong(err);
	bool is_bins = strcmp(what, "bins") == 0, is_wanting = strcmp(what, "wanting") == 0;
	if ((!is_bins && !is_wanting && strcmp(what, "weights") != 0) || call->nrhs != (is_bins ? 2 : 4) ||
	    call->nlhs > (is_bins ? 3 : 2 - is_wanting) || !mxIsSparse(prhs[1]) ||
	    mxGetClassID(prhs[1]) != mxDOUBLE_CLASS || mxIsComplex(prhs[1]) || mxGetM(prhs[1]) != mxGetN(prhs[1]) ||
	    (!is_bins && !knng_mex_number(prhs[2], 0, INFINITY, false, &s)))
		return knng_call_wrong(err);
	knng_sparse U = {.rows = (int64_t)mxGetM(prhs[1]),
			 .columns = (int64_t)mxGetN(prhs[1]),
			 .start = (size_t *)mxGetJc(prhs[1]),
			 .row = (size_t *)mxGetIr(prhs[1]),
			 .value = mxGetData(prhs[1])};
	if (is_bins)
		return count_bins(call, &U, err);
	return is_wanting ? find_wanting(call, &U, s, err) : make_weights(call, &U, s, err);
}

const knng_gateway knng_this_gateway = {
	.results = 3, .stage = "weights", .functions = "knng.diffusionmap", .run = run, .release = release};
