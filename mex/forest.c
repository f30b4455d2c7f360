/* forest.c  The gateway of a graph's connectivity; A, a square sparse matrix:
 *
 *     [bins, sizes] = knng.internal.forest ('components', A)                      rows
 *     [i, j, d, bins, best] = knng.internal.forest ('tree', A, reach, start)      columns
 *     [labels, kept, wanting] = knng.internal.forest ('clusters', A, i, j, d, k)  columns
 *
 * What is meant stands in core/graph/forest.h; nodes and parts count from 1, reach and start may be []. */
#include "graph/forest.h"
#include "base/sys.h"
#include "gateway.h"

#include <string.h>

static struct {
	int32_t *part, *start;
	double *best;
	knng_tree_edge *tree;
	uint8_t *kept, *wanting;
	knng_sparse lists;
} held;

static void
release(void)
{
	knng_free(held.part);
	knng_free(held.start);
	knng_free(held.best);
	knng_free(held.tree);
	knng_free(held.kept);
	knng_free(held.wanting);
	knng_free(held.lists.start);
	knng_free(held.lists.row);
	knng_free(held.lists.value);
	memset(&held, 0, sizeof held);
}

static knng_status
take_graph(const mxArray *a, knng_sparse *A, knng_err *err)
{
	char text[80];
	bool is_real = mxIsSparse(a) && !mxIsComplex(a) && (mxIsLogical(a) || mxGetClassID(a) == mxDOUBLE_CLASS);
	if (is_real && mxGetM(a) > INT32_MAX - 64)
		return knng_fail(err, KNNG_EARGS, "knng:args:rows", "A has %.0f rows: 2^31 - 65 are the most",
				 (double)mxGetM(a));
	if (!is_real || mxGetM(a) != mxGetN(a))
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "A is %s%s: it must be a square sparse matrix of real numbers, as knngraph returns it",
				 is_real ? "" : "no sparse matrix of real numbers, but ",
				 knng_mex_show(a, text, sizeof text));
	*A = (knng_sparse){.rows = (int64_t)mxGetM(a),
			   .columns = (int64_t)mxGetN(a),
			   .start = (size_t *)mxGetJc(a),
			   .row = (size_t *)mxGetIr(a),
			   .value = mxIsLogical(a) ? NULL : mxGetData(a)};
	return KNNG_OK;
}

/* A full real column or row of n doubles; NULL for [] or with err filled. */
static knng_status
take_vector(const mxArray *a, const char *name, int64_t n, const double **v, knng_err *err)
{
	char text[80];
	*v = NULL;
	if (mxGetClassID(a) != mxDOUBLE_CLASS || mxIsSparse(a) || mxIsComplex(a) ||
	    (int64_t)mxGetNumberOfElements(a) != n)
		return knng_fail(err, KNNG_EARGS, "knng:args:class", "%s is %s: it must be a vector of %lld doubles",
				 name, knng_mex_show(a, text, sizeof text), (long long)n);
	*v = n > 0 ? mxGetData(a) : NULL;
	return KNNG_OK;
}

/* Whole numbers 1 … n, as 0 … n - 1. */
static knng_status
check_numbers(const double *v, const char *name, int64_t count, int64_t n, knng_err *err)
{
	for (int64_t i = 0; i < count; i++)
		if (!(v[i] >= 1 && v[i] <= (double)n) || v[i] != (double)(int64_t)v[i])
			return knng_fail(err, KNNG_EARGS, "knng:args:class",
					 "%s(%lld) is %g: it must be a whole number, 1 … %lld", name,
					 (long long)(i + 1), v[i], (long long)n);
	return KNNG_OK;
}

static double *
column(mxArray **out, int64_t rows, int64_t columns)
{
	*out = mxCreateDoubleMatrix((mwSize)rows, (mwSize)columns, mxREAL);
	return mxGetData(*out);
}

static knng_status
components(knng_call *call, const knng_sparse *A, mxArray *plhs[], knng_err *err)
{
	int64_t n = A->columns, parts;
	if ((held.part = knng_alloc(n, sizeof *held.part)) == NULL)
		return knng_fail_memory(err, "the parts of the graph", 4.0 * (double)n);
	knng_call_start(call);
	knng_status status = knng_call_end(call, knng_components(&call->task, A, held.part, &parts, err));
	if (status != KNNG_OK)
		return status;
	double *bins = column(&plhs[0], 1, n), *sizes = column(&plhs[1], 1, parts);
	for (int64_t i = 0; i < n; i++) {
		bins[i] = held.part[i] + 1;
		sizes[held.part[i]]++;
	}
	return KNNG_OK;
}

static knng_status
spanning(knng_call *call, const knng_sparse *A, mxArray *plhs[], knng_err *err)
{
	const mxArray **prhs = call->prhs + 2;
	int64_t n = A->columns, edges, parts = 0;
	const double *reach, *from;
	knng_status status;
	if ((status = take_vector(prhs[0], "reach", mxIsEmpty(prhs[0]) ? 0 : n, &reach, err)) != KNNG_OK ||
	    (status = take_vector(prhs[1], "start", mxIsEmpty(prhs[1]) ? 0 : n, &from, err)) != KNNG_OK ||
	    (status = check_numbers(from, "start", from != NULL ? n : 0, n, err)) != KNNG_OK)
		return status;
	held.part = knng_alloc(n, sizeof *held.part);
	held.start = knng_alloc(n, sizeof *held.start);
	held.best = knng_alloc(n, sizeof *held.best);
	held.tree = knng_alloc(n, sizeof *held.tree);
	if (held.part == NULL || held.start == NULL || held.best == NULL || held.tree == NULL)
		return knng_fail_memory(err, "the spanning forest", 32.0 * (double)n);
	for (int64_t i = 0; from != NULL && i < n; i++)
		held.start[i] = (int32_t)from[i] - 1;
	knng_call_start(call);
	status = knng_call_end(call, knng_forest(&call->task, A, reach, from != NULL ? held.start : NULL, held.part,
						 held.best, held.tree, &edges, err));
	if (status != KNNG_OK)
		return status;
	for (int o = 0; o < 3; o++) {
		double *out = column(&plhs[o], edges, 1);
		for (int64_t e = 0; e < edges; e++)
			out[e] = o == 0 ? held.tree[e].i + 1 : o == 1 ? held.tree[e].j + 1 : held.tree[e].d;
	}
	double *bins = column(&plhs[3], n, 1);
	for (int64_t i = 0; i < n; i++) {
		bins[i] = held.part[i] + 1;
		parts = held.part[i] >= parts ? held.part[i] + 1 : parts;
	}
	double *best = column(&plhs[4], parts, 1);
	if (parts > 0)
		memcpy(best, held.best, (size_t)parts * sizeof *best);
	return KNNG_OK;
}

/* Rows of A are the lists: room for them. */
static knng_status
claim_lists(const knng_sparse *A, knng_err *err)
{
	int64_t n = A->columns, entries = (int64_t)A->start[n];
	held.lists = (knng_sparse){.start = knng_alloc(n + 1, sizeof(size_t)),
				   .row = knng_alloc(entries, sizeof(size_t)),
				   .value = knng_alloc(entries, sizeof(double))};
	if (held.lists.start == NULL || held.lists.row == NULL || held.lists.value == NULL)
		return knng_fail_memory(err, "the lists of neighbours", 8.0 * (double)n + 16.0 * (double)entries);
	return KNNG_OK;
}

static knng_status
cluster(knng_call *call, const knng_sparse *A, mxArray *plhs[], knng_err *err)
{
	const mxArray **prhs = call->prhs + 2;
	int64_t n = A->columns, edges = (int64_t)mxGetNumberOfElements(prhs[0]);
	const double *i, *j, *d;
	double k;
	knng_status status;
	if ((status = take_vector(prhs[0], "i", edges, &i, err)) != KNNG_OK ||
	    (status = take_vector(prhs[1], "j", edges, &j, err)) != KNNG_OK ||
	    (status = take_vector(prhs[2], "d", edges, &d, err)) != KNNG_OK ||
	    (status = check_numbers(i, "i", edges, n, err)) != KNNG_OK ||
	    (status = check_numbers(j, "j", edges, n, err)) != KNNG_OK)
		return status;
	if (!knng_mex_number(prhs[3], KNNG_K_JOINS, INT32_MAX, true, &k))
		return knng_mex_bad_option("K", prhs[3], "a whole number", err);
	held.part = knng_alloc(n, sizeof *held.part);
	held.tree = knng_alloc(edges, sizeof *held.tree);
	held.kept = knng_alloc(edges, 1);
	held.wanting = knng_alloc(n, 1);
	if (held.part == NULL || held.tree == NULL || held.kept == NULL || held.wanting == NULL)
		return knng_fail_memory(err, "the clusters", 5.0 * (double)n + 17.0 * (double)edges);
	for (int64_t e = 0; e < edges; e++)
		held.tree[e] = (knng_tree_edge){d[e], (int32_t)i[e] - 1, (int32_t)j[e] - 1};
	if ((status = claim_lists(A, err)) != KNNG_OK)
		return status;
	knng_call_start(call);
	status = knng_sparse_transpose(&call->task, A, &held.lists, err);
	if (status == KNNG_OK)
		status = knng_mstknn(&call->task, &held.lists, held.tree, edges, (int64_t)k, held.kept, held.part,
				     held.wanting, err);
	if (knng_call_end(call, status) != KNNG_OK)
		return status;
	double *labels = column(&plhs[0], n, 1), *kept = column(&plhs[1], edges, 1), *wanting = column(&plhs[2], n, 1);
	for (int64_t r = 0; r < n; r++) {
		labels[r] = held.part[r] + 1;
		wanting[r] = held.wanting[r];
	}
	for (int64_t e = 0; e < edges; e++)
		kept[e] = held.kept[e];
	return KNNG_OK;
}

/* Each makes all of its results; those that nobody asked for are dropped. */
typedef struct {
	const char *name;
	int arguments, results;
	bool valued;             /* logical matrices have no distances */
	double a_node, an_entry; /* bytes, results included */
	knng_status (*make)(knng_call *call, const knng_sparse *A, mxArray *plhs[], knng_err *err);
} operation;
enum { MOST = 5 };
static const operation calls[] = {{"components", 2, 2, false, 20, 0, components},
				  {"tree", 4, 5, true, 90, 0, spanning},
				  {"clusters", 6, 3, true, 80, 20, cluster}};

static knng_status
check_memory(const operation *o, const knng_sparse *A, knng_err *err)
{
	double bytes = o->a_node * (double)A->columns + o->an_entry * (double)A->start[A->columns];
	return knng_afford(bytes, "the parts of the graph", err);
}

static knng_status
run(knng_call *call, knng_err *err)
{
	mxArray *results[MOST] = {NULL};
	knng_sparse A;
	char word[16];
	const operation *c = calls, *end = calls + sizeof calls / sizeof *calls;
	if (call->nrhs == 0 || !knng_mex_word(call->prhs[0], word, sizeof word))
		word[0] = 0;
	while (c < end && (strcmp(word, c->name) != 0 || call->nrhs != c->arguments || call->nlhs > c->results))
		c++;
	if (c == end)
		return knng_call_wrong(err);
	knng_status status = take_graph(call->prhs[1], &A, err);
	if (status == KNNG_OK && c->valued && A.value == NULL)
		status = knng_fail(err, KNNG_EARGS, "knng:args:class", "A is logical: it must hold distances");
	if (status != KNNG_OK || (status = check_memory(c, &A, err)) != KNNG_OK)
		return status;
	status = c->make(call, &A, results, err);
	for (int o = 0; status == KNNG_OK && o < MOST; o++)
		if (o < call->nlhs || o == 0)
			call->plhs[o] = results[o];
		else if (results[o] != NULL)
			mxDestroyArray(results[o]);
	return status;
}

const knng_gateway knng_this_gateway = {
	.results = MOST, .stage = "graph", .functions = "a function of knng", .run = run, .release = release};
