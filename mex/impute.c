/* impute.c  The gateway of knng.impute, which has the help:
 *
 *     [Z, counts] = knng.internal.impute (X, near, k, fill, weights, columns, units, by)
 *
 * near is the name of a metric, 'hamming' or 'jaccard'; or distances, n-by-b, NaN: none, of b of the rows with missing
 * values, from that one on of which the number, counted from 0, is in place of units. fill is a number of knng_fill;
 * weights are k doubles for KNNG_FILL_GIVEN, else []; columns, true: the points are the columns of X; units are [], or
 * d doubles by which what is compared is divided; by is [], or c-by-n doubles without NaN, compared in place of the
 * points. counts is [missing, rows, filled, fewer], as knng_imputed has them. */
#include "rows/impute.h"
#include "base/sys.h"
#include "gateway.h"

#include <float.h>
#include <math.h>
#include <string.h>

static char *near;

static void
release(void)
{
	knng_free(near);
	near = NULL;
}

/* Real doubles, so many; or NULL. */
static const double *
doubles_of(const mxArray *a, size_t count)
{
	bool fine = mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a) &&
		    mxGetNumberOfElements(a) == count;
	return fine ? mxGetData(a) : NULL;
}

static bool
within(const double *x, int64_t count, double high)
{
	bool fine = x != NULL;
	for (int64_t c = 0; fine && c < count; c++)
		fine = x[c] > 0 && x[c] <= high;
	return fine;
}

static knng_status
take_near(const mxArray *a, knng_question *q, const knng_matrix *X, knng_imputing *how, knng_err *err)
{
	static const char *const own[KNNG_NEARS] = {[KNNG_NEAR_HAMMING] = "hamming", [KNNG_NEAR_JACCARD] = "jaccard"};
	knng_status status = KNNG_OK;
	const char *metric = "euclidean";
	how->near = mxIsChar(a) ? KNNG_NEAR_METRIC : KNNG_NEAR_GIVEN;
	if (mxIsChar(a) && (status = knng_mex_metric(a, &near, err)) != KNNG_OK)
		return status;
	for (int i = 0; i < KNNG_NEARS; i++)
		if (mxIsChar(a) && own[i] != NULL && strcmp(near, own[i]) == 0)
			how->near = (knng_near)i;
	metric = how->near == KNNG_NEAR_METRIC ? near : metric;
	if ((status = knng_ask(q, X, NULL, metric, 1, err)) != KNNG_OK)
		return status;
	how->metric = q->metric;
	return knng_impute_metric(how->metric, err);
}

static knng_status
take_distances(const mxArray *a, const mxArray *first, int64_t n, knng_imputing *how, knng_err *err)
{
	double from;
	size_t all = mxGetNumberOfElements(a);
	how->distance = doubles_of(a, all);
	if (how->distance == NULL || mxGetM(a) != (size_t)n || !knng_mex_number(first, 0, 0x1p31, true, &from))
		return knng_call_wrong(err);
	for (size_t c = 0; c < all; c++)
		if (!isnan(how->distance[c]) && signbit(how->distance[c]))
			return knng_call_wrong(err);
	how->first = (int64_t)from;
	how->count = (int64_t)mxGetN(a);
	return KNNG_OK;
}

static knng_status
check(knng_question *q, knng_imputing *how, knng_matrix *by, const knng_call *call, knng_err *err)
{
	const mxArray **prhs = call->prhs;
	double k, fill, columns;
	knng_matrix X;
	if (call->nrhs != 8)
		return knng_call_wrong(err);
	knng_status status = knng_mex_matrix(prhs[0], "X", &X, err);
	if (status != KNNG_OK)
		return status;
	if (!knng_mex_number(prhs[2], 1, 0x1p53, true, &k) ||
	    !knng_mex_number(prhs[3], 0, KNNG_FILLS - 1, true, &fill) ||
	    !knng_mex_number(prhs[5], 0, 1, true, &columns))
		return knng_call_wrong(err);
	if (columns == 1)
		X = (knng_matrix){.n = X.d,
				  .d = X.n,
				  .type = X.type,
				  .data = X.data,
				  .row_stride = X.col_stride,
				  .col_stride = X.row_stride};
	*how = (knng_imputing){.k = (int64_t)k, .fill = (knng_fill)fill};
	if ((status = take_near(prhs[1], q, &X, how, err)) != KNNG_OK)
		return status;
	if (how->near == KNNG_NEAR_GIVEN)
		status = take_distances(prhs[1], prhs[6], X.n, how, err);
	else if (!mxIsEmpty(prhs[6]) && !within(how->unit = doubles_of(prhs[6], (size_t)X.d), X.d, DBL_MAX))
		status = knng_call_wrong(err);
	if (status == KNNG_OK && how->fill == KNNG_FILL_GIVEN &&
	    !within(how->weight = doubles_of(prhs[4], (size_t)how->k), how->k, 1))
		status = knng_call_wrong(err);
	if (status != KNNG_OK || mxIsEmpty(prhs[7]))
		return status;
	*by = (knng_matrix){.n = X.n, .d = (int64_t)mxGetM(prhs[7]), .row_stride = (int64_t)mxGetM(prhs[7])};
	by->col_stride = 1;
	by->data = doubles_of(prhs[7], mxGetM(prhs[7]) * (size_t)X.n);
	how->by = by;
	return by->data == NULL || how->unit != NULL ? knng_call_wrong(err) : KNNG_OK;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_question q;
	knng_imputing how;
	knng_matrix by;
	knng_imputed done;
	const mxArray *X = call->prhs[0];
	knng_status status = check(&q, &how, &by, call, err);
	if (status != KNNG_OK)
		return status;
	call->plhs[0] = knng_mex_result((int64_t)mxGetM(X), (int64_t)mxGetN(X), mxIsSingle(X), err);
	if (call->plhs[0] == NULL)
		return KNNG_EMEMORY;
	void *Z = mxGetData(call->plhs[0]);
	memcpy(Z, mxGetData(X), (size_t)(q.x.n * q.x.d) * (mxIsSingle(X) ? 4 : 8));
	knng_call_start(call);
	status = knng_call_end(call, knng_impute(&call->task, &q.x, &how, Z, &done, err));
	if (status == KNNG_OK && call->nlhs > 1) {
		double *count = mxGetData(call->plhs[1] = mxCreateDoubleMatrix(1, 4, mxREAL));
		const int64_t counts[] = {done.missing, done.rows, done.filled, done.fewer};
		for (int c = 0; c < 4; c++)
			count[c] = (double)counts[c];
	}
	return status;
}

const knng_gateway knng_this_gateway = {
	.results = 2, .stage = "filling in", .functions = "knng.impute", .run = run, .release = release};
