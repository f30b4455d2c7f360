/* spanning.c  The gateway of the spanning tree of points:
 *
 *     [i, j, d, part, took] = knng.internal.spanning (X, metric, idx, dist, core, prune, memory, leaf)
 *
 * idx and dist are the tables of a graph of X, core n x 1 or []; prune is a word, memory bytes, 0 for what there is,
 * leaf rows, 0 for what is best (core/rows/spanning.h). i, j and d are columns, in no order; d up to the smallest
 * normal number is 0. part is n x 1; took [rounds, rows that were asked, leaves]. */
#include "rows/spanning.h"
#include "base/sys.h"
#include "gateway.h"

#include <string.h>

static struct {
	char *metric;
	int32_t *part;
	knng_tree_edge *tree;
} held;

static void
release(void)
{
	knng_free(held.metric);
	knng_free(held.part);
	knng_free(held.tree);
	memset(&held, 0, sizeof held);
}

static bool
is_table(const mxArray *a, int64_t rows, int64_t columns)
{
	return mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a) && (int64_t)mxGetM(a) == rows &&
	       (int64_t)mxGetN(a) == columns;
}

/* Whether lists are as a graph has them: of rows that have lists themselves, all of one length. */
static bool
are_lists(const knng_near_lists *l, int64_t n)
{
	int64_t there = 0, k;
	for (int64_t i = 0; i < n && l->k > 0; i++)
		there += l->idx[i] > 0;
	k = l->k < there - 1 ? l->k : there - 1;
	for (int64_t c = 0; c < l->k; c++)
		for (int64_t i = 0; i < n; i++) {
			double j = l->idx[c * n + i], d = l->dist[c * n + i];
			bool listed = l->idx[i] > 0 && c < k;
			if (!(listed ? j >= 1 && j <= (double)n && j == (double)(int64_t)j && d >= 0 : j == 0))
				return false;
			if (listed && !(l->idx[(int64_t)j - 1] > 0))
				return false;
		}
	for (int64_t i = 0; i < n && l->core != NULL; i++)
		if (!(l->core[i] >= 0))
			return false;
	return true;
}

static double *
column(mxArray **out, int64_t rows)
{
	*out = mxCreateDoubleMatrix((mwSize)rows, 1, mxREAL);
	return mxGetData(*out);
}

static knng_status
run(knng_call *call, knng_err *err)
{
	static const char *const choices[] = {"auto", "on", "off"};
	static const int prunes[] = {KNNG_PRUNE_AUTO, KNNG_PRUNE_ON, KNNG_PRUNE_OFF};
	const mxArray **prhs = call->prhs;
	knng_spanning_how how = {0};
	knng_spanning_info took;
	knng_question q;
	knng_matrix X;
	knng_near_lists lists;
	double leaf;
	int64_t edges;
	knng_status status;
	int prune = call->nrhs == 8 ? knng_mex_which(prhs[5], choices, 3) : -1;
	if (prune < 0 || call->nlhs > 5)
		return knng_call_wrong(err);
	if ((status = knng_mex_matrix(prhs[0], "X", &X, err)) != KNNG_OK ||
	    (status = knng_mex_metric(prhs[1], &held.metric, err)) != KNNG_OK ||
	    (status = knng_ask(&q, &X, NULL, held.metric, 1, err)) != KNNG_OK)
		return status;
	lists.k = (int64_t)mxGetN(prhs[2]);
	if (!is_table(prhs[2], X.n, lists.k) || !is_table(prhs[3], X.n, lists.k) ||
	    !(mxIsEmpty(prhs[4]) || is_table(prhs[4], X.n, 1)) || !knng_mex_bytes(prhs[6], 0, &how.max_memory) ||
	    !knng_mex_number(prhs[7], 0, INT32_MAX, true, &leaf))
		return knng_call_wrong(err);
	lists.idx = mxGetData(prhs[2]);
	lists.dist = mxGetData(prhs[3]);
	lists.core = mxIsEmpty(prhs[4]) ? NULL : mxGetData(prhs[4]);
	if (!are_lists(&lists, X.n))
		return knng_call_wrong(err);
	how.metric = q.metric;
	how.prune = prunes[prune];
	how.leaf = (int64_t)leaf;
	status = knng_afford(knng_spanning_bytes(X.n, lists.k) + 52.0 * (double)X.n, "the spanning tree", err);
	if (status != KNNG_OK)
		return status;
	held.part = knng_alloc(X.n, sizeof *held.part);
	held.tree = knng_alloc(X.n, sizeof *held.tree);
	if (held.part == NULL || held.tree == NULL)
		return knng_fail_memory(err, "the spanning tree", 20.0 * (double)X.n);
	knng_call_start(call);
	status = knng_call_end(call,
			       knng_spanning(&call->task, &X, &lists, &how, held.part, held.tree, &edges, &took, err));
	if (status != KNNG_OK)
		return status;
	double *i = column(&call->plhs[0], edges), *part;
	for (int64_t e = 0; e < edges; e++)
		i[e] = held.tree[e].i + 1;
	if (call->nlhs > 1) {
		double *j = column(&call->plhs[1], edges);
		for (int64_t e = 0; e < edges; e++)
			j[e] = held.tree[e].j + 1;
	}
	if (call->nlhs > 2) {
		double *d = column(&call->plhs[2], edges);
		for (int64_t e = 0; e < edges; e++)
			d[e] = knng_read_distance(held.tree[e].d);
	}
	if (call->nlhs > 3) {
		part = column(&call->plhs[3], X.n);
		for (int64_t r = 0; r < X.n; r++)
			part[r] = held.part[r] + 1;
	}
	if (call->nlhs > 4) {
		double *out = column(&call->plhs[4], 3);
		out[0] = (double)took.rounds;
		out[1] = (double)took.asked;
		out[2] = (double)took.visits;
	}
	return KNNG_OK;
}

const knng_gateway knng_this_gateway = {
	.results = 5, .stage = "tree", .functions = "a function of knng", .run = run, .release = release};
