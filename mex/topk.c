/* topk.c  [v, fallback, i] = knng.internal.topk (largest, A, k, dim, method, device): the gateway of knng.mink and
 * knng.maxk, by way of knng.internal.mink_maxk. dim may be []: the first that is not of size 1. fallback: '', or why
 * the CPU did what a GPU was asked for. */
#include "base/sys.h"
#include "gateway.h"
#include "topk/select.h"

#include <math.h>

enum { DIMS = 1024 }; /* the last dimension there is */

/* The classes that have an order. */
static const struct {
	mxClassID class;
	knng_number number;
	int size;
} classes[] = {
	{mxDOUBLE_CLASS, KNNG_FLOAT, 8},    {mxSINGLE_CLASS, KNNG_FLOAT, 4},     {mxINT8_CLASS, KNNG_SIGNED, 1},
	{mxINT16_CLASS, KNNG_SIGNED, 2},    {mxINT32_CLASS, KNNG_SIGNED, 4},     {mxINT64_CLASS, KNNG_SIGNED, 8},
	{mxUINT8_CLASS, KNNG_UNSIGNED, 1},  {mxUINT16_CLASS, KNNG_UNSIGNED, 2},  {mxUINT32_CLASS, KNNG_UNSIGNED, 4},
	{mxUINT64_CLASS, KNNG_UNSIGNED, 8}, {mxLOGICAL_CLASS, KNNG_UNSIGNED, 1},
};

static knng_status
check_array(const mxArray *a, knng_topk *s, knng_err *err)
{
	mxClassID class = mxGetClassID(a);
	for (size_t c = 0; c < sizeof classes / sizeof *classes; c++)
		if (classes[c].class == class) {
			s->number = classes[c].number;
			s->size = classes[c].size;
		}
	if (s->size == 0)
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "A is of class %s: it must be a full array of real numbers or logicals%s",
				 knng_mex_class(a), class == mxCHAR_CLASS ? ", such as double (A)" : "");
	if (mxIsSparse(a))
		return knng_fail(err, KNNG_EARGS, "knng:args:sparse", "A is sparse: use full (A)");
	if (mxIsComplex(a))
		return knng_fail(err, KNNG_EARGS, "knng:args:complex",
				 "A is complex: use abs (A) or real (A), whose indices are right for A too");
	return KNNG_OK;
}

/* Reads the arguments; dims[*ndims] is the size of the answer. */
static knng_status
check(const knng_call *call, knng_topk *s, knng_devices *device, mwSize *dims, mwSize *ndims, knng_err *err)
{
	const mxArray **prhs = call->prhs;
	static const char *const methods[] = {"auto", "real", "abs"};
	char text[80];
	double largest, k, dim = 0;
	if (call->nrhs != 6 || !knng_mex_number(prhs[0], 0, 1, true, &largest))
		return knng_call_wrong(err);
	*s = (knng_topk){.largest = largest == 1, .inner = 1, .n = 1, .outer = 1};
	knng_status status = check_array(prhs[1], s, err);
	if (status != KNNG_OK)
		return status;
	if (!knng_mex_number(prhs[2], 0, INFINITY, false, &k) || (isfinite(k) && k != floor(k)))
		return knng_fail(err, KNNG_EARGS, "knng:args:k",
				 "k is %s: it must be a whole number from 0 on, or Inf for all",
				 knng_mex_show(prhs[2], text, sizeof text));
	if (!(mxGetClassID(prhs[3]) == mxDOUBLE_CLASS && mxGetNumberOfElements(prhs[3]) == 0) &&
	    !knng_mex_number(prhs[3], 1, DIMS, true, &dim))
		return knng_fail(err, KNNG_EARGS, "knng:args:dim", "dim is %s: it must be a whole number from 1 to %d",
				 knng_mex_show(prhs[3], text, sizeof text), DIMS);
	int method = knng_mex_which(prhs[4], methods, 3);
	if (method < 0)
		return knng_mex_bad_option("ComparisonMethod", prhs[4], "'auto', 'real' or 'abs'", err);
	s->magnitude = method == 2;
	status = knng_mex_device(prhs[5], 1, device, err);
	if (status != KNNG_OK)
		return status;

	const mwSize *size = mxGetDimensions(prhs[1]);
	mwSize count = mxGetNumberOfDimensions(prhs[1]), along = (mwSize)dim;
	if (count > DIMS)
		return knng_fail(err, KNNG_EARGS, "knng:args:dims", "A has %.0f dimensions: it may have %d",
				 (double)count, DIMS);
	for (mwSize d = 0; along == 0 && d < count; d++)
		if (size[d] != 1)
			along = d + 1;
	along = along == 0 ? 1 : along;
	*ndims = along > count ? along : count;
	for (mwSize d = 0; d < *ndims; d++)
		dims[d] = d < count ? size[d] : 1;
	s->n = (int64_t)dims[along - 1];
	dims[along - 1] = (mwSize)(k < (double)s->n ? (int64_t)k : s->n);
	if (mxGetNumberOfElements(prhs[1]) == 0) /* the other sizes may have no product */
		return KNNG_OK;
	s->data = mxGetData(prhs[1]);
	s->k = (int64_t)dims[along - 1];
	for (mwSize d = 0; d + 1 < along; d++)
		s->inner *= (int64_t)dims[d];
	for (mwSize d = along; d < *ndims; d++)
		s->outer *= (int64_t)dims[d];
	return KNNG_OK;
}

static mxArray *
make_result(mxClassID class, mwSize ndims, mwSize *dims, knng_err *err)
{
	if (ndims == 2 && (class == mxDOUBLE_CLASS || class == mxSINGLE_CLASS))
		return knng_mex_result((int64_t)dims[0], (int64_t)dims[1], class == mxSINGLE_CLASS, err);
	return class == mxLOGICAL_CLASS ? mxCreateLogicalArray(ndims, dims)
					: mxCreateUninitNumericArray(ndims, dims, class, mxREAL);
}

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_topk s;
	knng_devices device = {0};
	knng_err fallback;
	mwSize dims[DIMS], ndims = 0;
	knng_status status = check(call, &s, &device, dims, &ndims, err);
	if (status != KNNG_OK)
		return status;
	mxArray **plhs = call->plhs;
	plhs[0] = make_result(mxGetClassID(call->prhs[1]), ndims, dims, err);
	if (call->nlhs > 2 && plhs[0] != NULL)
		plhs[2] = make_result(mxDOUBLE_CLASS, ndims, dims, err);
	if (plhs[0] == NULL || (call->nlhs > 2 && plhs[2] == NULL))
		return KNNG_EMEMORY;
	s.values = s.k > 0 ? mxGetData(plhs[0]) : NULL;
	s.index = s.k > 0 && call->nlhs > 2 ? mxGetData(plhs[2]) : NULL;
	knng_call_start(call);
	status = knng_call_end(call, knng_topk_anywhere(&call->task, &s, &device, &fallback, err));
	if (status == KNNG_OK && call->nlhs > 1)
		plhs[1] = mxCreateString(fallback.id[0] != 0 ? fallback.text : "");
	return status;
}

const knng_gateway knng_this_gateway = {
	.results = 3, .silent = true, .functions = "knng.mink or knng.maxk", .run = run, .close = knng_plugin_release};
