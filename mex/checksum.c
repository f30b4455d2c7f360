/* checksum.c  h = knng.internal.checksum (idx, dist): the gateway of knng.checksum. */
#include "mexargs.h"
#include "sys.h"

void
mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
	knng_err err;
	knng_output table;
	knng_options opt = {0};
	knng_progress progress = {0};
	int64_t m, k;
	char hex[65];
	if (!knng_mex_enter(nlhs, plhs, 1, nrhs, prhs))
		return;
	if (nrhs != 2) {
		knng_fail(&err, KNNG_EARGS, "knng:args:count", "call knng.checksum, not this gateway");
		knng_raise(&err);
	}
	if (knng_mex_table(prhs[0], prhs[1], &table, &m, &k, &err) != KNNG_OK)
		knng_raise(&err);
	knng_progress_start(&progress, &opt);
	knng_status status = knng_hash(&table, m, k, opt.interrupt, hex, &err);
	knng_progress_end(&progress, status);
	if (status != KNNG_OK)
		knng_raise(&err);
	plhs[0] = mxCreateString(hex);
}
