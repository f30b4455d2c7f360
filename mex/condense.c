/* condense.c  The gateway of knng.hdbscan (core/graph/condense.h):
 *
 *     [label, probability, score, of, fell, into, born, died, mass, size] =
 *         knng.internal.condense (n, i, j, d, least, leaves, whole, near, most)
 *
 * i, j, d: columns, the edges of a tree over n nodes, shortest first. All results are columns; nodes and clusters count
 * from 1, label -1 is noise, 0 stands for no cluster. */
#include "graph/condense.h"
#include "base/sys.h"
#include "gateway.h"

#include <math.h>
#include <string.h>

static struct {
	knng_tree_edge *tree;
	knng_hierarchy h;
	int32_t *label;
} held;

static void
release(void)
{
	void *all[] = {held.tree,   held.h.of,   held.h.fell, held.h.into, held.h.born,
		       held.h.died, held.h.mass, held.h.size, held.label};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
	memset(&held, 0, sizeof held);
}

static knng_status
take_tree(const mxArray *const *prhs, int64_t n, int64_t edges, knng_err *err)
{
	const double *column[3];
	char text[80];
	for (int c = 0; c < 3; c++) {
		const mxArray *a = prhs[c];
		if (mxGetClassID(a) != mxDOUBLE_CLASS || mxIsSparse(a) || mxIsComplex(a) ||
		    (int64_t)mxGetNumberOfElements(a) != edges)
			return knng_fail(err, KNNG_EARGS, "knng:args:class",
					 "%c is %s: i, j and d must be full vectors of as many doubles", "ijd"[c],
					 knng_mex_show(a, text, sizeof text));
		column[c] = mxGetData(a);
	}
	if ((held.tree = knng_alloc(edges, sizeof *held.tree)) == NULL)
		return knng_fail_memory(err, "the tree", 16.0 * (double)edges);
	for (int64_t e = 0; e < edges; e++) {
		for (int c = 0; c < 2; c++)
			if (!(column[c][e] >= 1 && column[c][e] <= (double)n) ||
			    column[c][e] != (double)(int64_t)column[c][e])
				return knng_fail(err, KNNG_EARGS, "knng:args:class",
						 "%c(%lld) is %g: it must be a whole number, 1 … %lld", "ij"[c],
						 (long long)e + 1, column[c][e], (long long)n);
		if (!(column[2][e] >= (e > 0 ? column[2][e - 1] : 0)))
			return knng_fail(err, KNNG_EARGS, "knng:args:dist",
					 "d(%lld) is %g: edges must come shortest first, none shorter than 0",
					 (long long)e + 1, column[2][e]);
		held.tree[e] = (knng_tree_edge){column[2][e], (int32_t)column[0][e] - 1, (int32_t)column[1][e] - 1};
	}
	return KNNG_OK;
}

static knng_status
claim(int64_t n, knng_err *err)
{
	knng_hierarchy *h = &held.h;
	h->of = knng_alloc(n, sizeof *h->of);
	h->fell = knng_alloc(n, sizeof *h->fell);
	h->into = knng_alloc(n, sizeof *h->into);
	h->born = knng_alloc(n, sizeof *h->born);
	h->died = knng_alloc(n, sizeof *h->died);
	h->mass = knng_alloc(n, sizeof *h->mass);
	h->size = knng_alloc(n, sizeof *h->size);
	held.label = knng_alloc(n, sizeof *held.label);
	if (h->of == NULL || h->fell == NULL || h->into == NULL || h->born == NULL || h->died == NULL ||
	    h->mass == NULL || h->size == NULL || held.label == NULL)
		return knng_fail_memory(err, "the clusters", 48.0 * (double)n);
	return KNNG_OK;
}

static double *
column(mxArray **out, int64_t rows)
{
	*out = mxCreateDoubleMatrix((mwSize)rows, 1, mxREAL);
	return mxGetData(*out);
}

static void
give(mxArray **out, const double *from, int64_t rows)
{
	double *to = column(out, rows);
	if (rows > 0)
		memcpy(to, from, (size_t)rows * sizeof *to);
}

static void
give_numbers(mxArray **out, const int32_t *from, int64_t rows, int32_t first)
{
	double *to = column(out, rows);
	for (int64_t i = 0; i < rows; i++)
		to[i] = from[i] + first;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	enum { RESULTS = 10 };
	const mxArray *const *prhs = call->prhs;
	mxArray *results[RESULTS] = {NULL};
	knng_choice choice;
	double n, least, flags[2], most;
	knng_hierarchy *h = &held.h;
	if (call->nrhs != 9 || !knng_mex_number(prhs[0], 0, INT32_MAX - 64, true, &n) ||
	    !knng_mex_number(prhs[4], 2, INT32_MAX, true, &least) || !knng_mex_number(prhs[5], 0, 1, true, &flags[0]) ||
	    !knng_mex_number(prhs[6], 0, 1, true, &flags[1]) ||
	    !knng_mex_number(prhs[7], 0, INFINITY, false, &choice.near) ||
	    !knng_mex_number(prhs[8], 0, INT32_MAX, true, &most))
		return knng_call_wrong(err);
	int64_t rows = (int64_t)n, edges = (int64_t)mxGetNumberOfElements(prhs[1]);
	choice.leaves = flags[0] != 0;
	choice.whole = flags[1] != 0;
	choice.most = (int64_t)most;
	knng_status status = knng_afford(190 * n + 16 * (double)edges, "the clusters", err);
	if (status != KNNG_OK || (status = take_tree(prhs + 1, rows, edges, err)) != KNNG_OK ||
	    (status = claim(rows, err)) != KNNG_OK)
		return status;
	knng_call_start(call);
	status = knng_call_end(call, knng_condense(&call->task, rows, held.tree, edges, (int64_t)least, h, err));
	if (status != KNNG_OK)
		return status;
	double *label = column(&results[0], rows);
	status = knng_choose(rows, h, &choice, held.label, column(&results[1], rows), column(&results[2], rows), err);
	if (status != KNNG_OK)
		return status;
	for (int64_t i = 0; i < rows; i++)
		label[i] = held.label[i] < 0 ? -1 : held.label[i] + 1;
	give_numbers(&results[3], h->of, rows, 1);
	give(&results[4], h->fell, rows);
	give_numbers(&results[5], h->into, h->clusters, 1);
	give(&results[6], h->born, h->clusters);
	give(&results[7], h->died, h->clusters);
	give(&results[8], h->mass, h->clusters);
	give_numbers(&results[9], h->size, h->clusters, 0);
	for (int o = 0; o < RESULTS; o++)
		if (o < call->nlhs || o == 0)
			call->plhs[o] = results[o];
		else
			mxDestroyArray(results[o]);
	return KNNG_OK;
}

const knng_gateway knng_this_gateway = {
	.results = 10, .stage = "clusters", .functions = "knng.hdbscan", .run = run, .release = release};
