/* forest.c  The gateway of what hangs together in a graph, a real square sparse matrix:
 *
 *     [bins, sizes] = knng.internal.forest ('components', A)       of knng.conncomp: rows
 *     [i, j, d] = knng.internal.forest ('tree', A)                 of knng.minspantree: columns */
#include "forest.h"
#include "mexargs.h"
#include "sys.h"

#include <string.h>

/* What a failed mxCreate of this call leaves, the next one frees. */
static int32_t *part;
static knng_edge *tree;

static void
release(void)
{
	knng_free(part);
	knng_free(tree);
	part = NULL;
	tree = NULL;
}

static knng_status
take_graph(const mxArray *a, knng_sparse *A, knng_err *err)
{
	char text[80];
	bool is_real = mxIsSparse(a) && !mxIsComplex(a) && (mxIsLogical(a) || mxGetClassID(a) == mxDOUBLE_CLASS);
	if (!is_real || mxGetM(a) != mxGetN(a))
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "A is %s%s: it must be a square sparse matrix of real numbers, as knngraph returns it",
				 is_real ? "" : "no sparse matrix of real numbers, but ",
				 knng_mex_show(a, text, sizeof text));
	if (mxGetM(a) > INT32_MAX - 64)
		return knng_fail(err, KNNG_EARGS, "knng:args:rows", "A has %.0f rows: 2^31 - 65 are the most",
				 (double)mxGetM(a));
	*A = (knng_sparse){.rows = (int64_t)mxGetM(a),
			   .columns = (int64_t)mxGetN(a),
			   .start = (size_t *)mxGetJc(a),
			   .row = (size_t *)mxGetIr(a),
			   .value = mxIsLogical(a) ? NULL : mxGetData(a)};
	return KNNG_OK;
}

static knng_status
components(const knng_sparse *A, int nlhs, mxArray *plhs[], knng_err *err)
{
	int64_t n = A->columns, parts;
	if ((part = knng_alloc(n, sizeof *part)) == NULL)
		return knng_fail_memory(err, "the parts of the graph", 4.0 * (double)n);
	knng_components(A, part, &parts);
	plhs[0] = mxCreateDoubleMatrix(1, (mwSize)n, mxREAL);
	double *bins = mxGetData(plhs[0]);
	for (int64_t i = 0; i < n; i++)
		bins[i] = part[i] + 1;
	if (nlhs > 1) {
		plhs[1] = mxCreateDoubleMatrix(1, (mwSize)parts, mxREAL);
		double *sizes = mxGetData(plhs[1]);
		for (int64_t i = 0; i < n; i++)
			sizes[part[i]]++;
	}
	return KNNG_OK;
}

static knng_status
spanning(const knng_sparse *A, int nlhs, mxArray *plhs[], knng_err *err)
{
	int64_t n = A->columns, edges;
	if (A->value == NULL)
		return knng_fail(err, KNNG_EARGS, "knng:args:class", "A is logical: a tree needs distances");
	if ((tree = knng_alloc(n, sizeof *tree)) == NULL)
		return knng_fail_memory(err, "the spanning forest", 16.0 * (double)n);
	knng_status status = knng_forest(A, tree, &edges, err);
	for (int o = 0; status == KNNG_OK && o < (nlhs > 1 ? nlhs : 1); o++) {
		plhs[o] = mxCreateDoubleMatrix((mwSize)edges, 1, mxREAL);
		double *out = mxGetData(plhs[o]);
		for (int64_t e = 0; e < edges; e++)
			out[e] = o == 0 ? tree[e].i + 1 : o == 1 ? tree[e].j + 1 : tree[e].d;
	}
	return status;
}

static const struct {
	const char *name;
	int results;
	knng_status (*make)(const knng_sparse *A, int nlhs, mxArray *plhs[], knng_err *err);
} tasks[] = {{"components", 2, components}, {"tree", 3, spanning}};

void
mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
	static bool registered;
	knng_err err = {0};
	char word[16];
	if (!knng_mex_enter(nlhs, plhs, 3, nrhs, prhs))
		return;
	if (!registered)
		registered = mexAtExit(release) == 0;
	release();
	knng_status status = knng_fail(&err, KNNG_EARGS, "knng:args:count",
				       "call knng.conncomp or knng.minspantree, not this gateway");
	if (nrhs == 2 && knng_mex_word(prhs[0], word, sizeof word))
		for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++)
			if (strcmp(word, tasks[t].name) == 0 && nlhs <= tasks[t].results) {
				knng_sparse A;
				status = take_graph(prhs[1], &A, &err);
				if (status == KNNG_OK)
					status = tasks[t].make(&A, nlhs, plhs, &err);
			}
	release();
	if (status != KNNG_OK)
		knng_raise(&err);
}
