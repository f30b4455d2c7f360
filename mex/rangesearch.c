/* rangesearch.c  The gateway of knng.rangesearch and knng.rangegraph:
 *
 *     [count, idx, dist, info] = knng.internal.rangesearch ('search', X, Y, r, 'Name', value, …)
 *     [count, idx, dist, info] = knng.internal.rangesearch ('graph', X, [], r, 'Name', value, …)
 *     [A, info]                = knng.internal.rangesearch ('adjacency', X, [], r, 'Name', value, …)
 *
 * 'MaxPairs': where there are more pairs than that count, idx and dist are [].
 *
 * count, idx and dist: within.h. A: the distances of a graph, sparse, 0 as the smallest normal number. A searcher is
 * searched by search.c, which has it. */
#include "base/sys.h"
#include "info.h"
#include "options.h"
#include "within.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What an entry of a sparse matrix takes, which is copied twice when it is returned, where the C library keeps what
 * chunks of pairs took; and a column. */
enum { BYTES_AN_ENTRY = 64, BYTES_A_COLUMN = 32 };

enum { SEARCH, GRAPH, ADJACENCY };

typedef struct {
	knng_options opt; /* first: options.h */
	int kind;
	knng_matrix x, y;
} request;

static knng_range found;
static knng_pair *row; /* [2 * found.longest] */

/* What warnings are made of when the call is over. */
static struct {
	bool searched;
	knng_matrix x, y;
	char metric[64];
	int handling; /* KNNG_ROWS_… */
	knng_info info;
} last;

static void
release(void)
{
	knng_mex_free_options();
	knng_free(row);
	knng_range_close(&found);
	row = NULL;
}

/* ---------------------------------------------------------------- check */

static knng_status
take_most(knng_options *opt, const mxArray *a, knng_err *err)
{
	double most;
	(void)opt;
	if (!knng_mex_number(a, 1, 0x1p53, true, &most))
		return knng_mex_bad_option("MaxPairs", a, "a whole number, 1 or more", err);
	found.most = (int64_t)most;
	return KNNG_OK;
}

static knng_status
take_rows(knng_options *opt, const mxArray *a, knng_err *err)
{
	static const char *const names[] = {"all", "pairwise", "complete"};
	int which = knng_mex_which(a, names, 3);
	if (which < 0)
		return knng_mex_bad_option("Rows", a, "'all' or 'pairwise'", err);
	if (which == 2)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'Rows' is 'complete', which a search for a radius does not take: leave columns with "
				 "NaN out of X and Y, keep = ~any (isnan ([X; Y])), X(:, keep), or give 'Rows', "
				 "'pairwise'");
	opt->rows = which == 1 ? KNNG_ROWS_PAIRWISE : KNNG_ROWS_ALL;
	return KNNG_OK;
}

static knng_status
take_valid(knng_options *opt, const mxArray *a, knng_err *err)
{
	double least;
	if (!knng_mex_number(a, 1, 0x1p30, true, &least))
		return knng_mex_bad_option("MinValid", a, "a whole number of columns, 1 or more", err);
	opt->least_shared = (int64_t)least;
	return KNNG_OK;
}

/* All calls have all of them. 'Threads' and 'Progress' come from a struct (gateway.h). */
static const knng_mex_option options[] = {
	{"Distance", knng_mex_take_metric, 1},
	{"MaxMemory", knng_mex_take_limit, 1},
	{"MaxPairs", take_most, 1},
	{"Rows", take_rows, 1},
	{"MinValid", take_valid, 1},
	{"Prune", knng_mex_take_prune, 1},
	{"TileSize", knng_mex_take_tile, 1},
	{"Target", knng_mex_take_target, 1},
	{NULL, NULL, 0},
};

static knng_status
check(request *r, const knng_call *call, knng_err *err)
{
	static const char *const kinds[] = {"search", "graph", "adjacency"};
	const mxArray **prhs = call->prhs;
	r->kind = call->nrhs < 4 ? -1 : knng_mex_which(prhs[0], kinds, 3);
	if (r->kind < 0 || (r->kind == ADJACENCY && call->nlhs > 2))
		return knng_call_wrong(err);
	knng_status status = knng_mex_matrix(prhs[1], "X", &r->x, err);
	if (status == KNNG_OK && r->kind == SEARCH)
		status = knng_mex_matrix(prhs[2], "Y", &r->y, err);
	if (status != KNNG_OK)
		return status;
	if ((status = knng_mex_radius(prhs[3], &found, err)) != KNNG_OK)
		return status;
	if (r->kind == ADJACENCY) {
		found.bytes_a_pair = BYTES_AN_ENTRY;
		found.bytes_a_row = BYTES_A_COLUMN;
	}
	r->opt.task = call->task;
	r->opt.range = &found;
	status = knng_mex_take_options(&(knng_mex_options){options, 1, ""}, &r->opt, call->nrhs - 4, prhs + 4, err);
	if (status == KNNG_OK && r->opt.least_shared > 0 && r->opt.rows != KNNG_ROWS_PAIRWISE)
		status = knng_fail(err, KNNG_EARGS, "knng:args:option",
				   "'MinValid' is for 'Rows', 'pairwise': give that, too, or leave it out");
	return status;
}

/* ---------------------------------------------------------------- results */

/* The columns of a symmetric matrix: since i ascends, so do the rows in each of them. */
static knng_status
fill_columns(const knng_task *task, double *values, mwIndex *rows, mwIndex *start, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int64_t i = 0; i < found.rows; i++)
		start[i + 1] = start[i] + (mwIndex)knng_range_count(&found, i);
	for (int64_t i = 0; i < found.rows && status == KNNG_OK; i++) {
		int64_t n = knng_range_count(&found, i);
		knng_range_row(&found, i, row, row + found.longest);
		for (int64_t e = 0; e < n; e++) {
			mwIndex at = start[row[e].index]++;
			values[at] = fmax(row[e].distance, DBL_MIN);
			rows[at] = (mwIndex)i;
		}
		status = knng_task_poll(task, err);
	}
	for (int64_t i = found.rows; i > 0; i--)
		start[i] = start[i - 1];
	start[0] = 0;
	return status;
}

static knng_status
make_matrix(knng_call *call, bool single, knng_err *err)
{
	row = knng_alloc(2 * found.longest + 1, sizeof *row);
	if (row == NULL)
		return knng_fail_memory(err, "the graph", 32.0 * (double)found.longest);
	mxArray *A = mxCreateSparse((mwSize)found.rows, (mwSize)found.rows, (mwSize)(found.total > 0 ? found.total : 1),
				    mxREAL);
	double *values = mxGetData(A);
	knng_call_start(call);
	knng_status status = knng_call_end(call, fill_columns(&call->task, values, mxGetIr(A), mxGetJc(A), err));
	for (int64_t e = 0; single && e < found.total; e++)
		values[e] = fmax((float)values[e], DBL_MIN);
	call->plhs[0] = A;
	return status;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	request r = {0};
	knng_plan plan;
	last.searched = false;
	knng_status status = check(&r, call, err);
	if (status == KNNG_OK)
		status = knng_plan_make(&plan, &r.x, r.kind == SEARCH ? &r.y : NULL, &r.opt, err);
	if (status != KNNG_OK)
		return status;
	knng_call_start(call);
	plan.opt.task = call->task;
	status = knng_call_end(call, knng_run(&plan, NULL, &last.info, err));
	if (status != KNNG_OK && strcmp(err->id, "knng:args:radius") == 0) {
		for (int i = 0; i < call->nlhs || i == 0; i++)
			call->plhs[i] = mxCreateDoubleMatrix(0, 0, mxREAL);
		return KNNG_OK;
	}
	if (status != KNNG_OK)
		return status;
	bool single = r.x.type == KNNG_F32 || r.y.type == KNNG_F32;
	status = r.kind == ADJACENCY ? make_matrix(call, single, err)
				     : knng_mex_within(call, &found, single, plan.threads, err);
	int at = r.kind == ADJACENCY ? 1 : 3;
	if (status == KNNG_OK && call->nlhs > at)
		call->plhs[at] = knng_mex_info(&last.info);
	last.searched = status == KNNG_OK;
	last.x = r.x;
	last.y = r.y;
	last.handling = r.opt.rows;
	snprintf(last.metric, sizeof last.metric, "%s", r.opt.metric != NULL ? r.opt.metric : "euclidean");
	return status;
}

static void
warn(void)
{
	if (last.searched)
		knng_mex_warn_rows(&last.info, &(knng_mex_rows){.rows = last.x.n + last.y.n,
								.columns = last.x.d,
								.metric = last.metric,
								.answer = "an empty list",
								.x = &last.x,
								.y = last.y.n > 0 ? &last.y : NULL,
								.handling = last.handling,
								.choice = 1});
}

const knng_gateway knng_this_gateway = {
	.results = 4,
	.stage = "sink",
	.functions = "knng.rangesearch or knng.rangegraph",
	.run = run,
	.release = release,
	.warn = warn,
};
