/* oracle_mex.c  [idx, dist] = oracle (X, Y, k, metric): the oracle for tests in Octave and MATLAB. names = oracle ()
 * are the metrics it knows, 1 x their number.
 *
 * [idx, dist, shared] = oracle (X, Y, k, metric, least): NaN is a missing value, and rows that share `least` columns or
 * more are compared over these; shared: how many columns a row and its neighbour share.
 *
 * X is n x d, double or single; Y is m x d, or [] for the graph of X. idx is double and counts from 1; a missing
 * neighbour is 0 with distance NaN. dist is single if X or Y is. */
#include "oracle.h"

#include "mex.h"

#include <string.h>

/* The rows of a, one after the other, as doubles. */
static double *
row_major(const mxArray *a)
{
	size_t n = mxGetM(a), d = mxGetN(a);
	double *x = mxMalloc((n * d + 1) * sizeof *x);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < d; j++)
			x[i * d + j] = mxIsSingle(a) ? (double)((const float *)mxGetData(a))[j * n + i]
						     : ((const double *)mxGetData(a))[j * n + i];
	return x;
}

static void
check_matrix(const mxArray *a)
{
	if (!(mxIsDouble(a) || mxIsSingle(a)) || mxIsSparse(a) || mxIsComplex(a) || mxGetNumberOfDimensions(a) != 2)
		mexErrMsgIdAndTxt("oracle:args", "oracle: X and Y must be real full matrices");
}

void
mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
	if (nrhs == 0) {
		int count = 0;
		while (oracle_metric_name(count) != NULL)
			count++;
		plhs[0] = mxCreateCellMatrix(1, (mwSize)count);
		for (int i = 0; i < count; i++)
			mxSetCell(plhs[0], (mwIndex)i, mxCreateString(oracle_metric_name(i)));
		return;
	}
	if ((nrhs != 4 || nlhs > 2) && (nrhs != 5 || nlhs > 3))
		mexErrMsgIdAndTxt("oracle:args", "oracle: use [idx, dist] = oracle (X, Y, k, metric)");
	check_matrix(prhs[0]);
	check_matrix(prhs[1]);
	if (!mxIsDouble(prhs[2]) || mxGetNumberOfElements(prhs[2]) != 1 || !(mxGetScalar(prhs[2]) >= 1) ||
	    !mxIsChar(prhs[3]))
		mexErrMsgIdAndTxt("oracle:args", "oracle: k must be a positive number, metric a name");

	bool graph = mxIsEmpty(prhs[1]), single = mxIsSingle(prhs[0]) || (!graph && mxIsSingle(prhs[1]));
	int64_t n = (int64_t)mxGetM(prhs[0]), d = (int64_t)mxGetN(prhs[0]);
	int64_t m = graph ? n : (int64_t)mxGetM(prhs[1]);
	double wanted = mxGetScalar(prhs[2]);
	int64_t k = oracle_width(n, graph, wanted < (double)n ? (int64_t)wanted : n);
	if (n < 1 || (!graph && (int64_t)mxGetN(prhs[1]) != d))
		mexErrMsgIdAndTxt("oracle:args", "oracle: X and Y must have rows and agree in columns");

	double *X = row_major(prhs[0]), *Y = graph ? NULL : row_major(prhs[1]);
	char *metric = mxArrayToString(prhs[3]);
	int64_t *idx = mxMalloc((size_t)(m * k + 1) * sizeof *idx);
	double *dist = mxMalloc((size_t)(m * k + 1) * sizeof *dist);
	int64_t *shared = mxMalloc((size_t)(m * k + 1) * sizeof *shared);
	int64_t least = nrhs > 4 ? (int64_t)mxGetScalar(prhs[4]) : 0;
	if ((nrhs > 4 ? oracle_pairwise(metric, single, least, n, d, X, m, Y, k, idx, dist, shared)
		      : oracle_knn(metric, single, n, d, X, m, Y, k, idx, dist)) != 0)
		mexErrMsgIdAndTxt("oracle:args", "oracle: unknown metric '%s', or no memory", metric);

	plhs[0] = mxCreateNumericMatrix((mwSize)m, (mwSize)k, mxDOUBLE_CLASS, mxREAL);
	mxArray *D = mxCreateNumericMatrix((mwSize)m, (mwSize)k, single ? mxSINGLE_CLASS : mxDOUBLE_CLASS, mxREAL);
	for (int64_t i = 0; i < m; i++)
		for (int64_t c = 0; c < k; c++) {
			((double *)mxGetData(plhs[0]))[c * m + i] = (double)(idx[i * k + c] + 1);
			if (single)
				((float *)mxGetData(D))[c * m + i] = (float)dist[i * k + c];
			else
				((double *)mxGetData(D))[c * m + i] = dist[i * k + c];
		}
	if (nlhs > 2) {
		plhs[2] = mxCreateNumericMatrix((mwSize)m, (mwSize)k, mxDOUBLE_CLASS, mxREAL);
		for (int64_t i = 0; i < m; i++)
			for (int64_t c = 0; c < k; c++)
				((double *)mxGetData(plhs[2]))[c * m + i] = (double)shared[i * k + c];
	}
	if (nlhs > 1)
		plhs[1] = D;
	else
		mxDestroyArray(D);
	mxFree(shared);
	mxFree(dist);
	mxFree(idx);
	mxFree(metric);
	mxFree(Y);
	mxFree(X);
}
