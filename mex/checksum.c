/* checksum.c  h = knng.internal.checksum (idx, dist): the gateway of knng.checksum. */
#include "base/sys.h"
#include "gateway.h"

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_output table;
	int64_t m, k;
	char hex[65];
	if (call->nrhs != 2)
		return knng_call_wrong(err);
	knng_status status = knng_mex_table(call->prhs[0], call->prhs[1], &table, &m, &k, err);
	if (status != KNNG_OK)
		return status;
	knng_call_start(call);
	status = knng_call_end(call, knng_hash(&call->task, &table, m, k, hex, err));
	if (status == KNNG_OK)
		call->plhs[0] = mxCreateString(hex);
	return status;
}

const knng_gateway knng_this_gateway = {.results = 1, .stage = "checksum", .functions = "knng.checksum", .run = run};
