/* write.c  left_out = knng.internal.write (file, format, directed, A, names, labels, group, positions): the gateway of
 * knng.write. A n-by-n sparse; names and labels uint8, texts each ended by a 0; group n doubles, 0 … the number of
 * labels; positions n-by-2. An empty format, names, group or positions is none; directed 0, 1 or empty for auto. */
#include "mexargs.h"
#include "sys.h"

#include <string.h>

enum { FILE_ARG, FORMAT, DIRECTED, MATRIX, NAMES, LABELS, GROUP, POSITIONS, ARGS };

/* What an argument has to be: a class, and how many elements (-1: any). */
static bool
is_plain(const mxArray *a, mxClassID class, int64_t elements)
{
	return mxGetClassID(a) == class && !mxIsSparse(a) && !mxIsComplex(a) && mxGetNumberOfDimensions(a) == 2 &&
	       (elements < 0 || (int64_t)mxGetNumberOfElements(a) == elements);
}

static bool
is_none_or(const mxArray *a, mxClassID class, int64_t elements)
{
	return mxGetNumberOfElements(a) == 0 || is_plain(a, class, elements);
}

static knng_status
check(int nrhs, const mxArray *prhs[], knng_err *err)
{
	if (nrhs != ARGS)
		return knng_fail(err, KNNG_EARGS, "knng:args:count", "write takes %d arguments, not %d", ARGS, nrhs);
	const mxArray *A = prhs[MATRIX];
	if (mxGetClassID(A) != mxDOUBLE_CLASS || !mxIsSparse(A) || mxIsComplex(A) || mxGetM(A) != mxGetN(A))
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "A is %.0f-by-%.0f %s: it must be square, sparse and real, as knngraph gives it",
				 (double)mxGetM(A), (double)mxGetN(A), mxGetClassName(A));
	int64_t n = (int64_t)mxGetN(A);
	if (!is_none_or(prhs[DIRECTED], mxDOUBLE_CLASS, 1) || !is_none_or(prhs[NAMES], mxUINT8_CLASS, -1) ||
	    !is_none_or(prhs[LABELS], mxUINT8_CLASS, -1) || !is_none_or(prhs[GROUP], mxDOUBLE_CLASS, n) ||
	    !is_none_or(prhs[POSITIONS], mxDOUBLE_CLASS, 2 * n))
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "knng.internal.write takes what knng.write gives it, no other classes or sizes");
	return KNNG_OK;
}

/* Points at the texts of a; *count of them. The last byte is a 0. NULL and err when it fails, or when there is none. */
static char **
texts(const mxArray *a, int64_t *count, knng_status *status, knng_err *err)
{
	int64_t bytes = (int64_t)mxGetNumberOfElements(a), have = 0;
	char *p = bytes > 0 ? mxGetData(a) : NULL;
	*count = 0;
	if (bytes == 0)
		return NULL;
	for (int64_t i = 0; i < bytes; i++)
		*count += p[i] == '\0';
	char **text = knng_alloc(*count, sizeof *text);
	if (p[bytes - 1] != '\0' || text == NULL) {
		*status = text != NULL ? knng_fail(err, KNNG_EARGS, "knng:args:class", "a text has no end")
				       : knng_fail_memory(err, "the names of nodes", 8.0 * (double)*count);
		knng_free(text);
		return NULL;
	}
	for (; have < *count; p += strlen(p) + 1)
		text[have++] = p;
	return text;
}

void
mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
	knng_err err;
	knng_graph g = {0};
	knng_write_options opt = {0};
	knng_options heard = {0}; /* Ctrl-C */
	knng_progress progress = {0};
	char *file = NULL, *name = NULL, left_out[64];
	int64_t names;
	knng_status status;

	if (!knng_mex_enter(nlhs, plhs, 1, nrhs, prhs))
		return;
	if ((status = check(nrhs, prhs, &err)) != KNNG_OK)
		goto done;
	_Static_assert(sizeof(mwIndex) == sizeof(size_t), "sparse indices are 8 bytes");
	const mxArray *A = prhs[MATRIX];
	g.n = (int64_t)mxGetN(A);
	g.start = (size_t *)mxGetJc(A);
	g.row = (size_t *)mxGetIr(A);
	g.weight = mxGetData(A);
	g.names = texts(prhs[NAMES], &names, &status, &err);
	if (status == KNNG_OK)
		g.groups = texts(prhs[LABELS], &g.ngroups, &status, &err);
	if (status != KNNG_OK)
		goto done;
	if ((file = knng_mex_string(prhs[FILE_ARG], "knng:args:file", "FILE", &err)) == NULL ||
	    (name = knng_mex_string(prhs[FORMAT], "knng:args:format", "'Format'", &err)) == NULL) {
		status = KNNG_EARGS;
		goto done;
	}
	const double *group = mxGetNumberOfElements(prhs[GROUP]) > 0 ? mxGetData(prhs[GROUP]) : NULL;
	bool fits = g.names == NULL || names == g.n;
	if (group != NULL && (g.group = knng_alloc(g.n, sizeof *g.group)) == NULL) {
		status = knng_fail_memory(&err, "the groups of nodes", 8.0 * (double)g.n);
		goto done;
	}
	for (int64_t i = 0; group != NULL && i < g.n; i++) {
		fits = fits && group[i] >= 0 && group[i] <= (double)g.ngroups;
		g.group[i] = fits ? (int64_t)group[i] : 0;
	}
	if (!fits) {
		status = knng_fail(&err, KNNG_EARGS, "knng:args:class",
				   "there are not as many names or labels as needed");
		goto done;
	}
	g.positions = mxGetNumberOfElements(prhs[POSITIONS]) > 0 ? mxGetData(prhs[POSITIONS]) : NULL;
	if (mxGetNumberOfElements(prhs[DIRECTED]) > 0)
		opt.directed = *(const double *)mxGetData(prhs[DIRECTED]) != 0 ? KNNG_DIRECTED : KNNG_UNDIRECTED;
	opt.format = *name != '\0' ? name : NULL;
	knng_progress_start(&progress, &heard);
	opt.interrupt = heard.interrupt;
	status = knng_write(file, &g, &opt, left_out, &err);
	knng_progress_end(&progress);
done:
	knng_free(file);
	knng_free(name);
	knng_free(g.names);
	knng_free(g.groups);
	knng_free(g.group);
	if (status != KNNG_OK)
		knng_raise(&err);
	plhs[0] = mxCreateString(left_out);
}
