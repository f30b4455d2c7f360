/* impute.c  The gateway of knng.impute, which has the help:
 *
 *     [Z, counts] = knng.internal.impute (X, metric, k, fill, weights, columns, units)
 *
 * fill is a number of knng_fill; weights are k doubles for KNNG_FILL_GIVEN, else []; columns, true: the points are the
 * columns of X; units are [], or d doubles by which what is compared is divided. counts is [missing, rows, filled,
 * fewer], as knng_imputed has them. */
#include "rows/impute.h"
#include "base/sys.h"
#include "gateway.h"

#include <math.h>
#include <string.h>

static char *metric;

static void
release(void)
{
	knng_free(metric);
	metric = NULL;
}

static knng_status
take_weights(const mxArray *a, knng_imputing *how, knng_err *err)
{
	bool fine = mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a) &&
		    mxGetNumberOfElements(a) == (size_t)how->k;
	how->weight = fine ? mxGetData(a) : NULL;
	for (int64_t c = 0; fine && c < how->k; c++)
		fine = how->weight[c] > 0 && how->weight[c] <= 1;
	return fine ? KNNG_OK : knng_call_wrong(err);
}

static knng_status
take_units(const mxArray *a, int64_t d, knng_imputing *how, knng_err *err)
{
	bool fine = mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a);
	if (fine && mxGetNumberOfElements(a) == 0)
		return KNNG_OK;
	fine = fine && mxGetNumberOfElements(a) == (size_t)d;
	how->unit = fine ? mxGetData(a) : NULL;
	for (int64_t j = 0; fine && j < d; j++)
		fine = how->unit[j] > 0 && how->unit[j] < INFINITY;
	return fine ? KNNG_OK : knng_call_wrong(err);
}

static knng_status
check(knng_question *q, knng_imputing *how, const knng_call *call, knng_err *err)
{
	const mxArray **prhs = call->prhs;
	double k, fill, columns;
	knng_matrix X;
	if (call->nrhs != 7)
		return knng_call_wrong(err);
	knng_status status = knng_mex_matrix(prhs[0], "X", &X, err);
	if (status != KNNG_OK)
		return status;
	if ((status = knng_mex_metric(prhs[1], &metric, err)) != KNNG_OK)
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
	if ((status = knng_ask(q, &X, NULL, metric, 1, err)) != KNNG_OK)
		return status;
	*how = (knng_imputing){.metric = q->metric, .k = (int64_t)k, .fill = (knng_fill)fill};
	if (how->metric->prep != KNNG_PREP_NONE)
		return knng_fail(err, KNNG_EARGS, "knng:args:metric",
				 "'%s' does not compare values as they are, so neighbours by it do not tell a value: "
				 "give 'euclidean', 'sqeuclidean', 'cityblock' or 'chebychev'",
				 how->metric->name);
	if ((status = take_units(prhs[6], q->x.d, how, err)) != KNNG_OK)
		return status;
	return how->fill == KNNG_FILL_GIVEN ? take_weights(prhs[4], how, err) : KNNG_OK;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_question q;
	knng_imputing how;
	knng_imputed done;
	const mxArray *X = call->prhs[0];
	knng_status status = check(&q, &how, call, err);
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
