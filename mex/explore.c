/* explore.c  The gateway of knng.explore:
 *
 *     hex  = knng.internal.explore ('hash', bytes)          SHA-256, as text
 *     text = knng.internal.explore ('pack', bytes, width)   base64 of gzip (io/pack.h), a uint8 row
 *     n    = knng.internal.explore ('write', bytes, file)   how many bytes there are
 *     text = knng.internal.explore ('version', bytes)       of knng
 *
 * bytes are of class uint8. */
#include "base/sha256.h"
#include "base/sys.h"
#include "gateway.h"
#include "io/pack.h"

#include <string.h>

static char *text, *file;

static void
release(void)
{
	knng_free(text);
	knng_free(file);
	text = file = NULL;
}

typedef struct {
	const unsigned char *data;
	int64_t count;
} bytes;

static knng_status
hash(knng_call *call, bytes b, knng_err *err)
{
	char hex[65];
	knng_sha256 s;
	if (call->nrhs != 2)
		return knng_call_wrong(err);
	knng_sha256_open(&s);
	knng_sha256_add(&s, b.data, (size_t)b.count);
	knng_sha256_close(&s, hex);
	call->plhs[0] = mxCreateString(hex);
	return KNNG_OK;
}

static knng_status
pack(knng_call *call, bytes b, knng_err *err)
{
	double width;
	int64_t length;
	if (call->nrhs != 3 || !knng_mex_number(call->prhs[2], 1, 8, true, &width) || b.count % (int64_t)width != 0)
		return knng_call_wrong(err);
	knng_call_start(call);
	knng_status status = knng_call_end(
		call, knng_pack(&call->task, b.data, b.count / (int64_t)width, (int)width, &text, &length, err));
	if (status == KNNG_OK) {
		call->plhs[0] = mxCreateNumericMatrix(1, (mwSize)length, mxUINT8_CLASS, mxREAL);
		memcpy(mxGetData(call->plhs[0]), text, (size_t)length);
	}
	return status;
}

static knng_status
write_file(knng_call *call, bytes b, knng_err *err)
{
	if (call->nrhs != 3)
		return knng_call_wrong(err);
	if ((file = knng_mex_string(call->prhs[2], "knng:args:file", "FILE", err)) == NULL)
		return KNNG_EARGS;
	knng_call_start(call);
	knng_status status = knng_call_end(call, knng_write_bytes(&call->task, file, b.data, b.count, err));
	if (status == KNNG_OK)
		call->plhs[0] = mxCreateDoubleScalar((double)b.count);
	return status;
}

static knng_status
version(knng_call *call, bytes b, knng_err *err)
{
	(void)b;
	if (call->nrhs != 2)
		return knng_call_wrong(err);
	call->plhs[0] = mxCreateString(KNNG_VERSION);
	return KNNG_OK;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	static const char *const words[] = {"hash", "pack", "write", "version"};
	static knng_status (*const verbs[])(knng_call *, bytes, knng_err *) = {hash, pack, write_file, version};
	const mxArray *a = call->nrhs > 1 ? call->prhs[1] : NULL;
	int verb = a != NULL ? knng_mex_which(call->prhs[0], words, (int)(sizeof words / sizeof *words)) : -1;
	if (verb < 0 || mxGetClassID(a) != mxUINT8_CLASS || mxIsSparse(a) || mxIsComplex(a))
		return knng_call_wrong(err);
	bytes b = {mxGetData(a), (int64_t)mxGetNumberOfElements(a)};
	return verbs[verb](call, b, err);
}

const knng_gateway knng_this_gateway = {
	.results = 1, .stage = "write", .functions = "knng.explore", .run = run, .release = release};
