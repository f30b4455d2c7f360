/* verify.c  The gateway of knng.verify, which has the help:
 *
 *     [checked, rows, malformed, why, idx, dist] =
 *         knng.internal.verify (X, metric, idx, dist, Y, sample, seed [, least [, ops]])
 *     knng.internal.verify (X, metric, idx, dist, Y, sample, seed)   checks all but X, which may be anything
 *
 * least: how many columns two rows must share, where NaN is a missing value; 0, or left out: it is none.
 * ops: the graph is that of the metafeatures of X by these operations, as knng_operations lists them, from 1; [], or
 * left out: of X.
 * Y is [] for a graph. idx may be the name of a file of 'Output', and dist is not looked at then. rows: those that
 * differ; idx, dist: what is right for the first few of them. */
#include "base/sys.h"
#include "gateway.h"
#include "io/graph_file.h"
#include "search/gaps.h"
#include "search/metric.h"

#include <math.h>
#include <string.h>

enum { EXAMPLES = 5 };

static knng_proof proof;
static char *metric, *path;
static knng_graph_in *file; /* of `path` */

static void
release(void)
{
	knng_proof_free(&proof);
	knng_graph_in_close(file);
	knng_free(metric);
	knng_free(path);
	metric = path = NULL;
	file = NULL;
}

typedef struct {
	knng_question q;
	knng_output table;    /* in memory */
	knng_table_rows rows; /* of it, or of the file */
	double sample, seed, least;
	struct knng_pairs pairs;
} request;

/* The table, of m x k. */
static knng_status
take_table(request *r, const mxArray *idx, const mxArray *dist, const knng_task *task, int64_t *m, int64_t *k,
	   knng_err *err)
{
	knng_status status;
	if (mxGetClassID(idx) != mxCHAR_CLASS) {
		status = knng_mex_table(idx, dist, &r->table, m, k, err);
		r->rows = knng_all_rows(&r->table);
		return status;
	}
	if ((path = knng_mex_string(idx, "knng:args:file", "FILE", err)) == NULL)
		return KNNG_EARGS;
	if ((status = knng_graph_in_open(&file, path, task, err)) != KNNG_OK ||
	    (status = knng_graph_in_table(file, &r->rows, err)) != KNNG_OK)
		return status;
	*m = knng_graph_in_shape(file)->n;
	*k = knng_graph_in_shape(file)->k;
	return KNNG_OK;
}

/* All but X, and what it asks of the others: m x k are the sizes of the table. */
static knng_status
check_rest(request *r, const knng_call *call, bool graph, knng_matrix *Y, int64_t *m, int64_t *k, knng_err *err)
{
	knng_status status;
	const mxArray **prhs = call->prhs;
	if ((!graph && (status = knng_mex_matrix(prhs[4], "Y", Y, err)) != KNNG_OK) ||
	    (status = take_table(r, prhs[2], prhs[3], &call->task, m, k, err)) != KNNG_OK)
		return status;
	if (!knng_mex_number(prhs[5], 1, INFINITY, false, &r->sample) ||
	    (isfinite(r->sample) && r->sample != floor(r->sample)))
		return knng_mex_bad_option("Sample", prhs[5], "a whole number of rows, 1 or more, or Inf for all", err);
	if (!knng_mex_number(prhs[6], 0, 0x1p53, true, &r->seed))
		return knng_mex_bad_option("Seed", prhs[6], "a whole number, 0 to 2^53", err);
	if (call->nrhs > 7 && !knng_mex_number(prhs[7], 0, 0x1p30, true, &r->least))
		return knng_mex_bad_option("MinValid", prhs[7], "a whole number of columns, 1 or more", err);
	if (call->nrhs > 8 && !knng_mex_operations(prhs[8], &r->pairs))
		return knng_call_wrong(err);
	if (r->pairs.nops > 0 && !graph)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'Metafeatures' are for graphs of knngraph, without 'Queries': leave one of them out");
	if ((status = knng_mex_metric(prhs[1], &metric, err)) != KNNG_OK)
		return status;
	const knng_metric *found = knng_metric_find(metric);
	if (found == NULL)
		return knng_metric_unknown(metric, err);
	return r->least > 0 ? knng_gaps_metric(found, err) : KNNG_OK;
}

static knng_status
check(request *r, const knng_call *call, knng_err *err)
{
	const mxArray **prhs = call->prhs;
	knng_matrix X, Y;
	knng_status status;
	int64_t m, k;
	if (call->nrhs < 7 || call->nrhs > 9 || (call->nlhs != 6 && call->nlhs != 0))
		return knng_call_wrong(err);
	bool graph = mxGetClassID(prhs[4]) == mxDOUBLE_CLASS && mxGetM(prhs[4]) == 0 && mxGetN(prhs[4]) == 0;
	if ((call->nlhs != 0 && (status = knng_mex_matrix(prhs[0], "X", &X, err)) != KNNG_OK) ||
	    (status = check_rest(r, call, graph, &Y, &m, &k, err)) != KNNG_OK || call->nlhs == 0)
		return status;
	if (r->pairs.nops > 0 && (status = knng_mex_pair_up(&X, &r->pairs, err)) != KNNG_OK)
		return status;
	if ((status = knng_ask(&r->q, &X, graph ? NULL : &Y, metric, k > 0 ? k : 1, err)) != KNNG_OK)
		return status;
	r->q.least_shared = (int64_t)r->least;
	if ((status = knng_gaps_least(r->q.least_shared, X.d, err)) != KNNG_OK)
		return status;
	int64_t most = graph ? X.n - 1 : X.n;
	if (m != r->q.m || k < (most > 0) || k > most)
		return knng_fail(err, KNNG_EARGS, "knng:args:idx",
				 "idx is %lld-by-%lld: with %lld %s it has as many rows, and %lld to %lld columns%s",
				 (long long)m, (long long)k, (long long)r->q.m,
				 X.pairs != NULL ? "metafeatures of X"
				 : graph         ? "rows in X"
						 : "rows in Y",
				 most < 1 ? 0LL : 1LL, (long long)most,
				 graph && m != r->q.m ? "; for tables of knng.knnsearch (X, Y, …) give 'Queries', Y"
						      : "");
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

/* proof as the six results. */
static void
make_results(mxArray *plhs[], int64_t m, int64_t k)
{
	int64_t shown = proof.different < EXAMPLES ? proof.different : EXAMPLES;
	plhs[0] = mxCreateDoubleScalar((double)proof.checked);
	plhs[1] = marked(proof.differs, proof.row, proof.checked, proof.different);
	plhs[2] = marked(proof.malformed, NULL, m, proof.nmalformed);
	plhs[3] = mxCreateString(proof.why == NULL ? "" : proof.why);
	double *idx = mxGetData(plhs[4] = mxCreateDoubleMatrix((mwSize)shown, (mwSize)k, mxREAL));
	double *dist = mxGetData(plhs[5] = mxCreateDoubleMatrix((mwSize)shown, (mwSize)k, mxREAL));
	for (int64_t c = 0, at = 0; at < shown; c++)
		if (proof.differs[c]) {
			for (int64_t i = 0; i < k; i++) {
				idx[i * shown + at] = (double)proof.idx[c * k + i];
				dist[i * shown + at] = proof.dist[c * k + i];
			}
			at++;
		}
}

static knng_status
run(knng_call *call, knng_err *err)
{
	request r = {0};
	knng_status status = check(&r, call, err);
	if (status != KNNG_OK || call->nlhs == 0)
		return status;
	int64_t sample = r.sample < (double)r.q.m ? (int64_t)r.sample : r.q.m;
	knng_call_start(call);
	status = knng_call_end(call,
			       knng_verify_rows(&call->task, &r.q, &r.rows, sample, (uint64_t)r.seed, &proof, err));
	if (status == KNNG_OK)
		make_results(call->plhs, r.q.m, r.q.k);
	return status;
}

const knng_gateway knng_this_gateway = {
	.results = 6, .stage = "verify", .functions = "knng.verify", .run = run, .release = release};
