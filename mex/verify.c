/* verify.c  The gateway of knng.verify, which has the help:
 *
 *     [checked, rows, malformed, why, idx, dist] =
 *         knng.internal.verify (X, metric, idx, dist, Y, sample, seed, threads, progress)
 *
 * Y is [] for a graph; threads 0 is the default. rows: those that differ; idx, dist: what is right for the first few of
 * them. */
#include "mexargs.h"
#include "sys.h"

#include <math.h>
#include <string.h>

enum { EXAMPLES = 5 };

/* An mxCreate that runs out of memory leaves this call without coming back; what it left lies here, for the next one.
 */
static knng_proof proof;
static char *metric;

static void
release(void)
{
	knng_proof_free(&proof);
	knng_free(metric);
	metric = NULL;
}

typedef struct {
	knng_plan plan;
	knng_output table;
	double sample, seed;
	knng_progress progress;
} request;

static knng_status
check(request *r, int nlhs, int nrhs, const mxArray *prhs[], knng_err *err)
{
	knng_matrix X, Y;
	/* The plan is made for its checks of X, Y and the metric: no device, no limit. */
	knng_options opt = {.device = KNNG_DEVICE_CPU, .max_memory = INFINITY};
	knng_status status;
	int64_t m, k;
	double threads;
	if (nrhs != 9 || nlhs != 6)
		return knng_fail(err, KNNG_EARGS, "knng:args:count", "call knng.verify, not this gateway");
	bool graph = mxGetClassID(prhs[4]) == mxDOUBLE_CLASS && mxGetM(prhs[4]) == 0 && mxGetN(prhs[4]) == 0;
	if ((status = knng_mex_matrix(prhs[0], "X", &X, err)) != KNNG_OK ||
	    (!graph && (status = knng_mex_matrix(prhs[4], "Y", &Y, err)) != KNNG_OK) ||
	    (status = knng_mex_table(prhs[2], prhs[3], &r->table, &m, &k, err)) != KNNG_OK ||
	    (status = knng_mex_progress(prhs[8], &r->progress, err)) != KNNG_OK)
		return status;
	if (!knng_mex_number(prhs[5], 1, INFINITY, false, &r->sample) ||
	    (isfinite(r->sample) && r->sample != floor(r->sample)))
		return knng_mex_bad_option("Sample", prhs[5], "a whole number of rows, 1 or more, or Inf for all", err);
	if (!knng_mex_number(prhs[6], 0, 0x1p53, true, &r->seed))
		return knng_mex_bad_option("Seed", prhs[6], "a whole number, 0 to 2^53", err);
	if (!knng_mex_number(prhs[7], 0, 4096, true, &threads))
		return knng_mex_bad_option("Threads", prhs[7], "a whole number, 1 to 4096", err);
	opt.threads = (int)threads;
	opt.k = k > 0 ? k : 1;
	if ((metric = knng_mex_string(prhs[1], "knng:args:metric", "the metric", err)) == NULL)
		return KNNG_EARGS;
	opt.metric = metric;
	if ((status = knng_plan_make(&r->plan, &X, graph ? NULL : &Y, &opt, err)) != KNNG_OK)
		return status;
	int64_t most = graph ? X.n - 1 : X.n;
	if (m != r->plan.m || k < (most > 0) || k > most)
		return knng_fail(
			err, KNNG_EARGS, "knng:args:idx",
			"idx is %lld-by-%lld: with %lld rows in %s it has as many rows, and %lld to %lld columns%s",
			(long long)m, (long long)k, (long long)r->plan.m, graph ? "X" : "Y", most < 1 ? 0LL : 1LL,
			(long long)most,
			graph && m != r->plan.m ? "; for tables of knng.knnsearch (X, Y, …) give 'Queries', Y" : "");
	return KNNG_OK;
}

/* The numbers, counted from 1, of the rows that are marked. */
static mxArray *
marked(const bool *mark, const int64_t *row, int64_t count, int64_t marks)
{
	mxArray *a = mxCreateDoubleMatrix((mwSize)marks, 1, mxREAL);
	for (int64_t i = 0, at = 0; i < count; i++)
		if (mark[i])
			((double *)mxGetData(a))[at++] = (double)(1 + (row == NULL ? i : row[i]));
	return a;
}

void
mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
	static bool registered;
	request r = {0};
	knng_err err = {0};
	if (!knng_mex_enter(nlhs, plhs, 6, nrhs, prhs))
		return;
	if (!registered)
		registered = mexAtExit(release) == 0;
	release();
	knng_status status = check(&r, nlhs, nrhs, prhs, &err);
	if (status == KNNG_OK) {
		int64_t sample = r.sample < (double)r.plan.m ? (int64_t)r.sample : r.plan.m;
		knng_progress_start(&r.progress, &r.plan.opt);
		status = knng_verify(&r.plan, &r.table, sample, (uint64_t)r.seed, &proof, &err);
		knng_progress_end(&r.progress, status);
	}
	if (status == KNNG_OK) {
		int64_t k = r.plan.k, shown = proof.different < EXAMPLES ? proof.different : EXAMPLES;
		plhs[0] = mxCreateDoubleScalar((double)proof.checked);
		plhs[1] = marked(proof.differs, proof.row, proof.checked, proof.different);
		plhs[2] = marked(proof.malformed, NULL, r.plan.m, proof.nmalformed);
		plhs[3] = mxCreateString(proof.why == NULL ? "" : proof.why);
		plhs[4] = mxCreateDoubleMatrix((mwSize)shown, (mwSize)k, mxREAL);
		plhs[5] = mxCreateDoubleMatrix((mwSize)shown, (mwSize)k, mxREAL);
		for (int64_t c = 0, at = 0; at < shown; c++)
			if (proof.differs[c]) {
				for (int64_t i = 0; i < k; i++) {
					((double *)mxGetData(plhs[4]))[i * shown + at] = (double)proof.idx[c * k + i];
					((double *)mxGetData(plhs[5]))[i * shown + at] = proof.dist[c * k + i];
				}
				at++;
			}
	}
	release();
	if (status != KNNG_OK)
		knng_raise(&err);
}
