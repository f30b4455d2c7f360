/* write.c  The gateway of knng.write, for graphs and for data sets:
 *
 *     left_out = knng.internal.write (file, format, directed, A, names, labels, group, positions, attributes)
 *     left_out = knng.internal.write (file, format, X, names, samples, classes)
 *     formats  = knng.internal.write ('formats')
 *
 * A n-by-n sparse, X n-by-d double; names, labels, samples, classes uint8, texts each ended by a 0; group n doubles,
 * 0 … the number of labels; positions n-by-2; attributes a struct array with the texts name and key and with values, n
 * doubles or texts (knng_attribute of core/io/knng_io.h). What is empty is not there; directed 0, 1 or empty for auto.
 * formats is a struct 1 x the formats of core/io/formats: name; graph, whether it is of graphs; read, whether it is
 * read; endings, with which it is written. */
#include "base/sys.h"
#include "gateway.h"
#include "io/format.h"

#include <string.h>

enum { FILE_ARG, FORMAT, DIRECTED, MATRIX, NAMES, LABELS, GROUP, POSITIONS, ATTRIBUTES, GRAPH_ARGS };
enum { DATA = 2, ROWS, SAMPLES, CLASSES, DATA_ARGS };

static char *file, *name;

static void
release(void)
{
	knng_free(file);
	knng_free(name);
	file = name = NULL;
}

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
fail_class(knng_err *err)
{
	return knng_fail(err, KNNG_EARGS, "knng:args:class",
			 "knng.internal.write takes what knng.write gives it, no other classes or sizes");
}

static knng_status
check_graph(const mxArray *prhs[], knng_err *err)
{
	const mxArray *A = prhs[MATRIX];
	if (mxGetClassID(A) != mxDOUBLE_CLASS || !mxIsSparse(A) || mxIsComplex(A) || mxGetM(A) != mxGetN(A))
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "A is %.0f-by-%.0f %s: it must be square, sparse and real, as knngraph gives it",
				 (double)mxGetM(A), (double)mxGetN(A), knng_mex_class(A));
	int64_t n = (int64_t)mxGetN(A);
	bool good = is_none_or(prhs[DIRECTED], mxDOUBLE_CLASS, 1) && is_none_or(prhs[GROUP], mxDOUBLE_CLASS, n) &&
		    is_none_or(prhs[POSITIONS], mxDOUBLE_CLASS, 2 * n);
	return good ? KNNG_OK : fail_class(err);
}

/* Points at the texts of a, which have to be `want` (-1: any, *count of them); the last byte is a 0. NULL and KNNG_OK
 * where there are none. */
static char **
texts(const mxArray *a, int64_t want, int64_t *count, knng_status *status, knng_err *err)
{
	int64_t bytes = (int64_t)mxGetNumberOfElements(a), have = 0;
	*count = 0;
	if (*status != KNNG_OK || bytes == 0)
		return NULL;
	if (!is_plain(a, mxUINT8_CLASS, -1)) {
		*status = fail_class(err);
		return NULL;
	}
	char *p = mxGetData(a);
	for (int64_t i = 0; i < bytes; i++)
		*count += p[i] == '\0';
	if (p[bytes - 1] != '\0' || (want >= 0 && *count != want)) {
		*status = fail_class(err);
		return NULL;
	}
	char **text = knng_alloc(*count, sizeof *text);
	if (text == NULL) {
		*status = knng_fail_memory(err, "names", 8.0 * (double)*count);
		return NULL;
	}
	for (; have < *count; p += strlen(p) + 1)
		text[have++] = p;
	return text;
}

/* The attributes of the nodes; free_attributes frees what there is. */
static knng_status
take_attributes(const mxArray *a, knng_graph *g, knng_err *err)
{
	int64_t count = (int64_t)mxGetNumberOfElements(a), one;
	knng_status status = KNNG_OK;
	if (count == 0)
		return KNNG_OK;
	if (mxGetClassID(a) != mxSTRUCT_CLASS)
		return fail_class(err);
	if ((g->attributes = knng_alloc(count, sizeof *g->attributes)) == NULL)
		return knng_fail_memory(err, "the attributes of nodes", 32.0 * (double)count);
	memset(g->attributes, 0, (size_t)count * sizeof *g->attributes);
	g->nattributes = count;
	for (int64_t i = 0; i < count && status == KNNG_OK; i++) {
		static const char *const fields[] = {"name", "key", "values"};
		const mxArray *part[3];
		char **word[2];
		for (int c = 0; c < 3; c++)
			if ((part[c] = mxGetField(a, (mwIndex)i, fields[c])) == NULL)
				return fail_class(err);
		for (int c = 0; c < 2; c++) {
			if ((word[c] = texts(part[c], 1, &one, &status, err)) == NULL)
				return status != KNNG_OK ? status : fail_class(err);
			*(c == 0 ? &g->attributes[i].name : &g->attributes[i].key) = *word[c];
			knng_free(word[c]);
		}
		if (is_plain(part[2], mxDOUBLE_CLASS, g->n))
			g->attributes[i].number = mxGetData(part[2]);
		else if ((g->attributes[i].text = texts(part[2], g->n, &one, &status, err)) == NULL &&
			 status == KNNG_OK)
			return fail_class(err);
	}
	return status;
}

static void
free_attributes(knng_graph *g)
{
	for (int64_t i = 0; i < g->nattributes; i++)
		knng_free(g->attributes[i].text);
	knng_free(g->attributes);
}

static knng_status
write_graph(const mxArray *prhs[], knng_write_options *opt, char left_out[64], knng_err *err)
{
	const mxArray *A = prhs[MATRIX];
	int64_t names;
	knng_graph g = {0};
	knng_status status = check_graph(prhs, err);
	if (status != KNNG_OK)
		return status;
	_Static_assert(sizeof(mwIndex) == sizeof(size_t), "sparse indices are 8 bytes");
	g.n = (int64_t)mxGetN(A);
	g.start = (size_t *)mxGetJc(A);
	g.row = (size_t *)mxGetIr(A);
	g.weight = mxGetData(A);
	g.names = texts(prhs[NAMES], g.n, &names, &status, err);
	g.groups = texts(prhs[LABELS], -1, &g.ngroups, &status, err);
	g.positions = mxGetNumberOfElements(prhs[POSITIONS]) > 0 ? mxGetData(prhs[POSITIONS]) : NULL;
	if (mxGetNumberOfElements(prhs[DIRECTED]) > 0)
		opt->directed = *(const double *)mxGetData(prhs[DIRECTED]) != 0 ? KNNG_DIRECTED : KNNG_UNDIRECTED;
	const double *group = mxGetNumberOfElements(prhs[GROUP]) > 0 ? mxGetData(prhs[GROUP]) : NULL;
	if (status == KNNG_OK && group != NULL && (g.group = knng_alloc(g.n, sizeof *g.group)) == NULL)
		status = knng_fail_memory(err, "the groups of nodes", 8.0 * (double)g.n);
	for (int64_t i = 0; status == KNNG_OK && group != NULL && i < g.n; i++) {
		if (!(group[i] >= 0 && group[i] <= (double)g.ngroups))
			status = fail_class(err);
		else
			g.group[i] = (int64_t)group[i];
	}
	if (status == KNNG_OK)
		status = take_attributes(prhs[ATTRIBUTES], &g, err);
	if (status == KNNG_OK)
		status = knng_write(file, &g, opt, left_out, err);
	free_attributes(&g);
	knng_free(g.names);
	knng_free(g.groups);
	knng_free(g.group);
	return status;
}

static knng_status
write_data(const mxArray *prhs[], const knng_write_options *opt, char left_out[64], knng_err *err)
{
	const mxArray *X = prhs[DATA];
	int64_t count;
	knng_dataset ds = {0};
	knng_status status = KNNG_OK;
	if (!is_plain(X, mxDOUBLE_CLASS, -1) || mxGetNumberOfElements(X) == 0)
		return fail_class(err);
	ds.nrows = (int64_t)mxGetM(X);
	ds.ncols = (int64_t)mxGetN(X);
	ds.X = mxGetData(X);
	ds.names = texts(prhs[ROWS], ds.nrows, &count, &status, err);
	ds.samples = texts(prhs[SAMPLES], ds.ncols, &count, &status, err);
	ds.classes = texts(prhs[CLASSES], ds.ncols, &count, &status, err);
	if (status == KNNG_OK)
		status = knng_write_data(file, &ds, opt, left_out, err);
	knng_free(ds.names);
	knng_free(ds.samples);
	knng_free(ds.classes);
	return status;
}

static mxArray *
list_formats(void)
{
	static const char *const fields[] = {"name", "graph", "read", "endings"};
	int n = 0;
	while (knng_formats[n] != NULL)
		n++;
	mxArray *s = mxCreateStructMatrix(1, (mwSize)n, 4, (const char **)fields);
	for (int i = 0; i < n; i++) {
		const knng_format *f = knng_formats[i];
		int endings = 0;
		while (knng_format_ending(f, endings) != NULL)
			endings++;
		mxArray *cell = mxCreateCellMatrix(1, (mwSize)endings);
		for (int e = 0; e < endings; e++)
			mxSetCell(cell, (mwIndex)e, mxCreateString(knng_format_ending(f, e)));
		mxSetFieldByNumber(s, (mwIndex)i, 0, mxCreateString(f->name));
		mxSetFieldByNumber(s, (mwIndex)i, 1, mxCreateLogicalScalar(f->kind == KNNG_GRAPH));
		mxSetFieldByNumber(s, (mwIndex)i, 2, mxCreateLogicalScalar(f->parse != NULL));
		mxSetFieldByNumber(s, (mwIndex)i, 3, cell);
	}
	return s;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	static const char *const formats = "formats";
	knng_write_options opt = {0};
	char left_out[64];
	const mxArray **prhs = call->prhs;
	if (call->nrhs == 1 && knng_mex_which(prhs[0], &formats, 1) == 0) {
		call->plhs[0] = list_formats();
		return KNNG_OK;
	}
	if (call->nrhs != GRAPH_ARGS && call->nrhs != DATA_ARGS)
		return knng_call_wrong(err);
	if ((file = knng_mex_string(prhs[FILE_ARG], "knng:args:file", "FILE", err)) == NULL ||
	    (name = knng_mex_string(prhs[FORMAT], "knng:args:format", "'Format'", err)) == NULL)
		return KNNG_EARGS;
	opt.format = *name != '\0' ? name : NULL;
	knng_call_start(call);
	opt.task = call->task;
	knng_status status = knng_call_end(call, call->nrhs == GRAPH_ARGS ? write_graph(prhs, &opt, left_out, err)
									  : write_data(prhs, &opt, left_out, err));
	if (status == KNNG_OK)
		call->plhs[0] = mxCreateString(left_out);
	return status;
}

const knng_gateway knng_this_gateway = {
	.results = 1, .stage = "write", .functions = "knng.write", .run = run, .release = release};
