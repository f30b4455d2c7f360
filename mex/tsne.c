/* tsne.c  The gateway of knng.tsne (core/graph/tsne.h):
 *
 *     P = knng.internal.tsne ('weigh', A, perplexity)
 *     [Y, loss] = knng.internal.tsne ('layout', P, Y, rounds, early, exaggeration, rate, theta)
 *     [Y, loss, state, slope] = knng.internal.tsne ('layout', ..., theta, first, end, state)
 *
 * A is sparse and n-by-n, column j the distances of node j to its neighbours; in the place of these the first P has
 * their weights, of sum 1 in a column. P of a layout is symmetric, its weights are above 0, and 1 in all; Y, dims-by-n,
 * is where the nodes stand before and after. The second layout does the rounds first … end - 1 of them, from 0, with
 * the state of the call before, a column of numbers, [] for the first; slope is the length of the last gradient. */
#include "graph/tsne.h"
#include "base/sys.h"
#include "gateway.h"
#include "graph/pushes.h"

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
	if (A->columns > INT32_MAX / 2)
		return knng_fail(err, KNNG_EARGS, "knng:args:rows", "A has %lld rows: at most 2^30 - 1 have places",
				 (long long)A->columns);
	for (size_t e = 0; e < A->start[A->columns]; e++)
		if (!(A->value[e] >= 0 && A->value[e] < INFINITY) || (weights && A->value[e] > 1))
			return knng_fail(err, KNNG_EARGS, weights ? "knng:args:weight" : "knng:args:dist",
					 "A has %g: %s", A->value[e],
					 weights ? "weights are from 0 to 1" : "distances are 0 or more and finite");
	return KNNG_OK;
}

static knng_status
weigh(knng_call *call, knng_err *err)
{
	knng_sparse A;
	knng_status status;
	double perplexity;
	if (call->nrhs != 3 || call->nlhs > 1 || !knng_mex_number(call->prhs[2], 1, 1e9, false, &perplexity))
		return knng_call_wrong(err);
	if ((status = take_graph(call->prhs[1], false, &A, err)) != KNNG_OK)
		return status;
	call->plhs[0] = mxDuplicateArray(call->prhs[1]);
	double *weight = mxGetData(call->plhs[0]);
	knng_call_start(call);
	return knng_call_end(call, knng_tsne_weigh(&call->task, &A, perplexity, weight, err));
}

static knng_status
take_places(const mxArray *a, int64_t n, int *dims, knng_err *err)
{
	char text[80];
	bool fine = mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a) && (int64_t)mxGetN(a) == n &&
		    mxGetM(a) >= 1 && mxGetM(a) <= KNNG_TSNE_DIMS;
	*dims = fine ? (int)mxGetM(a) : 0;
	const double *y = fine ? mxGetData(a) : NULL;
	for (int64_t i = 0; fine && i < n * *dims; i++)
		fine = fabs(y[i]) <= 1e100;
	return fine ? KNNG_OK
		    : knng_fail(err, KNNG_EARGS, "knng:args:start",
				"Y is %s: it must have a column for each of %lld nodes, of 1 to %d numbers up to 1e100",
				knng_mex_show(a, text, sizeof text), (long long)n, KNNG_TSNE_DIMS);
}

/* Of rounds before, if there were any, else zeros. */
static knng_status
take_state(const mxArray *a, int64_t count, bool given, mxArray **state, knng_err *err)
{
	bool fine = mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a) &&
		    (int64_t)mxGetNumberOfElements(a) == (given ? count : 0);
	const double *x = fine ? mxGetData(a) : NULL;
	for (int64_t e = 0; fine && given && e < count; e++)
		fine = fabs(x[e]) <= 1e100;
	if (!fine)
		return knng_call_wrong(err);
	*state = given ? mxDuplicateArray(a) : mxCreateDoubleMatrix((mwSize)count, 1, mxREAL);
	return KNNG_OK;
}

static knng_status
lay_out(knng_call *call, knng_err *err)
{
	const mxArray *const *prhs = call->prhs;
	knng_tsne_how how;
	knng_sparse P;
	knng_status status;
	double rounds, early, first = 0, end = 0, loss = 0, slope = 0;
	bool some = call->nrhs == 11;
	int dims;
	if ((call->nrhs != 8 && !some) || (!some && call->nlhs > 2) ||
	    !knng_mex_number(prhs[3], 0, 1e6, true, &rounds) || !knng_mex_number(prhs[4], 0, 1e6, true, &early) ||
	    !knng_mex_number(prhs[5], 1, 1e3, false, &how.exaggeration) ||
	    !knng_mex_number(prhs[6], 0, 1e9, false, &how.rate) || !knng_mex_number(prhs[7], 0, 1, false, &how.theta))
		return knng_call_wrong(err);
	how.rounds = (int64_t)rounds;
	how.early = (int64_t)early;
	if (some && (!knng_mex_number(prhs[8], 0, rounds, true, &first) ||
		     !knng_mex_number(prhs[9], 1, rounds, true, &end) || end <= first))
		return knng_call_wrong(err);
	how.first = (int64_t)first;
	how.end = (int64_t)end;
	how.state = NULL;
	if ((status = take_graph(prhs[1], true, &P, err)) != KNNG_OK ||
	    (status = take_places(prhs[2], P.columns, &dims, err)) != KNNG_OK)
		return status;
	call->plhs[0] = mxDuplicateArray(prhs[2]);
	double *y = mxGetData(call->plhs[0]);
	mxArray *state = NULL;
	if (some && (status = take_state(prhs[10], 2 * dims * P.columns, first > 0, &state, err)) != KNNG_OK)
		return status;
	how.state = state != NULL ? mxGetData(state) : NULL;
	knng_call_start(call);
	status = knng_call_end(call, knng_tsne_layout(&call->task, &P, &how, dims, y, &loss, &slope, err));
	if (call->nlhs > 1)
		call->plhs[1] = mxCreateDoubleScalar(loss);
	if (call->nlhs > 2)
		call->plhs[2] = state;
	if (call->nlhs > 3)
		call->plhs[3] = mxCreateDoubleScalar(slope);
	return status;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	static const char *const words[] = {"weigh", "layout"};
	int word = call->nrhs < 1 ? -1 : knng_mex_which(call->prhs[0], words, 2);
	return word == 0 ? weigh(call, err) : word == 1 ? lay_out(call, err) : knng_call_wrong(err);
}

const knng_gateway knng_this_gateway = {.results = 4, .stage = "layout", .functions = "knng.tsne", .run = run};
