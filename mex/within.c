/* within.c  What a search for a radius has found; see within.h. */
#include "within.h"

#include <float.h>
#include <math.h>

/* What a pair and a row take in Octave: index and distance, and again in the cells that are made of them; an entry of a
 * sparse matrix, which is copied twice when it is returned, where the C library keeps what chunks of pairs took, and a
 * column. */
enum { BYTES_A_PAIR = 32, BYTES_A_ROW = 512, BYTES_AN_ENTRY = 64, BYTES_A_COLUMN = 32 };

knng_status
knng_mex_radius(const mxArray *a, bool matrix, knng_range *found, knng_err *err)
{
	char text[80];
	if (!knng_mex_number(a, 0, INFINITY, false, &found->radius))
		return knng_fail(err, KNNG_EARGS, "knng:args:radius",
				 "r is %s: it must be one distance, a number from 0 on",
				 knng_mex_show(a, text, sizeof text));
	found->most = 0;
	found->bytes_a_pair = matrix ? BYTES_AN_ENTRY : BYTES_A_PAIR;
	found->bytes_a_row = matrix ? BYTES_A_COLUMN : BYTES_A_ROW;
	return KNNG_OK;
}

knng_status
knng_mex_within(knng_call *call, const knng_range *found, bool single, int threads, knng_err *err)
{
	mxArray *count = mxCreateUninitNumericMatrix(1, (mwSize)found->rows, mxDOUBLE_CLASS, mxREAL);
	double *counts = mxGetData(count);
	for (int64_t i = 0; i < found->rows; i++)
		counts[i] = (double)knng_range_count(found, i);
	call->plhs[0] = count;
	for (int a = 1; a < call->nlhs && a < 3; a++)
		if ((call->plhs[a] = knng_mex_result(1, found->total, a == 2 && single, err)) == NULL)
			return KNNG_EMEMORY;
	if (call->nlhs < 2)
		return KNNG_OK;
	knng_output out = {.idx = mxGetData(call->plhs[1]),
			   .idx_type = KNNG_F64,
			   .index_base = 1,
			   .dist = call->nlhs > 2 ? mxGetData(call->plhs[2]) : NULL,
			   .dist_type = single ? KNNG_F32 : KNNG_F64,
			   .col_stride = 1};
	knng_call_start(call);
	return knng_call_end(call, knng_range_write(found, &out, &call->task, threads, err));
}

/* The columns of a symmetric matrix: since i ascends, so do the rows in each of them. row: room for 2 longest. */
static knng_status
fill_columns(const knng_range *found, const knng_task *task, double *values, mwIndex *rows, mwIndex *start,
	     knng_pair *row, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int64_t i = 0; i < found->rows; i++)
		start[i + 1] = start[i] + (mwIndex)knng_range_count(found, i);
	for (int64_t i = 0; i < found->rows && status == KNNG_OK; i++) {
		int64_t n = knng_range_count(found, i);
		knng_range_row(found, i, row, row + found->longest);
		for (int64_t e = 0; e < n; e++) {
			mwIndex at = start[row[e].index]++;
			values[at] = fmax(row[e].distance, DBL_MIN);
			rows[at] = (mwIndex)i;
		}
		status = knng_task_poll(task, err);
	}
	for (int64_t i = found->rows; i > 0; i--)
		start[i] = start[i - 1];
	start[0] = 0;
	return status;
}

knng_status
knng_mex_within_matrix(knng_call *call, const knng_range *found, bool single, knng_err *err)
{
	knng_pair *row = knng_alloc(2 * found->longest + 1, sizeof *row);
	if (row == NULL)
		return knng_fail_memory(err, "the graph", 32.0 * (double)found->longest);
	mxArray *A = mxCreateSparse((mwSize)found->rows, (mwSize)found->rows,
				    (mwSize)(found->total > 0 ? found->total : 1), mxREAL);
	double *values = mxGetData(A);
	knng_call_start(call);
	knng_status status =
		knng_call_end(call, fill_columns(found, &call->task, values, mxGetIr(A), mxGetJc(A), row, err));
	for (int64_t e = 0; single && e < found->total; e++)
		values[e] = fmax((float)values[e], DBL_MIN);
	call->plhs[0] = A;
	knng_free(row);
	return status;
}
