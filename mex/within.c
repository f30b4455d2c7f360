/* within.c  What a search for a radius has found; see within.h. */
#include "within.h"

#include <math.h>

knng_status
knng_mex_radius(const mxArray *a, knng_range *found, knng_err *err)
{
	char text[80];
	if (!knng_mex_number(a, 0, INFINITY, false, &found->radius))
		return knng_fail(err, KNNG_EARGS, "knng:args:radius",
				 "r is %s: it must be one distance, a number from 0 on",
				 knng_mex_show(a, text, sizeof text));
	found->most = 0;
	found->bytes_a_pair = KNNG_WITHIN_PAIR;
	found->bytes_a_row = KNNG_WITHIN_ROW;
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
