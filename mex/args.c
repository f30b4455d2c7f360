#include "args.h"
#include "base/sys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

char *
knng_mex_string(const mxArray *a, const char *id, const char *what, knng_err *err)
{
	size_t length = mxGetNumberOfElements(a);
	if (mxGetClassID(a) != mxCHAR_CLASS || mxGetNumberOfDimensions(a) != 2 || (length > 0 && mxGetM(a) != 1)) {
		char text[80];
		knng_fail(err, KNNG_EARGS, id, "%s is %s: it must be one line of text ('…')", what,
			  knng_mex_show(a, text, sizeof text));
		return NULL;
	}
	char *text = knng_calloc((int64_t)length + 1, 1);
	if (text == NULL) {
		knng_fail_memory(err, what, (double)length + 1);
		return NULL;
	}
	if (length > 0 && (mxGetString(a, text, (mwSize)(length + 1)) != 0 || strlen(text) != length)) {
		knng_fail(err, KNNG_EARGS, id, "%s is '%.60s' and more: it holds characters that no name has", what,
			  text);
		knng_free(text);
		return NULL;
	}
	return text;
}

knng_status
knng_mex_metric(const mxArray *a, char **metric, knng_err *err)
{
	char text[80];
	knng_free(*metric);
	*metric = NULL;
	if (mxIsCell(a) || mxIsClass(a, "function_handle"))
		return knng_fail(err, KNNG_EARGS, "knng:args:metric",
				 "the metric is %s: it must be the name of one, such as 'cosine'; of distances of "
				 "your own knng.linkage takes the row that pdist returns, knng.mink (D, k, 2) a matrix",
				 knng_mex_show(a, text, sizeof text));
	*metric = knng_mex_string(a, "knng:args:metric", "the metric", err);
	return *metric != NULL ? KNNG_OK : KNNG_EARGS;
}

/* Whether a cell has texts, and nothing else. */
static bool
holds_texts(const mxArray *cell)
{
	size_t n = mxGetNumberOfElements(cell);
	for (size_t i = 0; i < n; i++) {
		const mxArray *a = mxGetCell(cell, i);
		if (a == NULL || mxGetClassID(a) != mxCHAR_CLASS)
			return false;
	}
	return n > 0;
}

/* Whether single precision has all numbers of a class. */
static bool
fits_single(mxClassID class)
{
	return class == mxLOGICAL_CLASS || class == mxINT8_CLASS || class == mxUINT8_CLASS || class == mxINT16_CLASS ||
	       class == mxUINT16_CLASS;
}

knng_status
knng_mex_matrix(const mxArray *a, const char *name, knng_matrix *m, knng_err *err)
{
	if (mxGetClassID(a) == mxCHAR_CLASS)
		return knng_fail(
			err, KNNG_EARGS, "knng:args:class",
			"%s is text: it must be a matrix, a row for each point; that of a file is ds.X of ds = "
			"knng.read (%s)",
			name, name);
	mxClassID class = mxGetClassID(a); /* before anything else: the data of a function handle must not be touched */
	if (class == mxSTRUCT_CLASS)
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "%s is a struct: give the matrix in it; of ds = knng.read (…) that is ds.X", name);
	if (class == mxCELL_CLASS)
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "%s is a cell: it must be a full real matrix of class double or single, such as "
				 "%s (%s) if all in it are numbers",
				 name, holds_texts(a) ? "str2double" : "cell2mat", name);
	if (class != mxDOUBLE_CLASS && class != mxSINGLE_CLASS)
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "%s is of class %s: it must be a full real matrix of class double or single, such as "
				 "%s (%s)",
				 name, knng_mex_class(a), fits_single(class) ? "single" : "double", name);
	if (mxIsSparse(a))
		return knng_fail(err, KNNG_EARGS, "knng:args:sparse", "%s is sparse: use full (%s)", name, name);
	if (mxIsComplex(a))
		return knng_fail(err, KNNG_EARGS, "knng:args:complex", "%s is complex: use real (%s) or abs (%s)", name,
				 name, name);
	if (mxGetNumberOfDimensions(a) != 2)
		return knng_fail(err, KNNG_EARGS, "knng:args:dims",
				 "%s has %d dimensions: it must be a matrix whose rows are points; see reshape", name,
				 (int)mxGetNumberOfDimensions(a));
	*m = (knng_matrix){.n = (int64_t)mxGetM(a),
			   .d = (int64_t)mxGetN(a),
			   .type = class == mxSINGLE_CLASS ? KNNG_F32 : KNNG_F64,
			   .row_stride = 1,
			   .col_stride = (int64_t)mxGetM(a)};
	if (m->n > 0 && m->d > 0)
		m->data = mxGetData(a);
	return KNNG_OK;
}

/* A full real matrix of that class or the other. */
static bool
is_table(const mxArray *a, mxClassID class, mxClassID other)
{
	return (mxGetClassID(a) == class || mxGetClassID(a) == other) && !mxIsSparse(a) && !mxIsComplex(a) &&
	       mxGetNumberOfDimensions(a) == 2;
}

knng_status
knng_mex_table(const mxArray *idx, const mxArray *dist, knng_output *table, int64_t *m, int64_t *k, knng_err *err)
{
	char text[80];
	if (!is_table(idx, mxDOUBLE_CLASS, mxDOUBLE_CLASS))
		return knng_fail(err, KNNG_EARGS, "knng:args:idx",
				 "idx is %s: it must be a full matrix of class double, as knngraph returns it",
				 knng_mex_show(idx, text, sizeof text));
	if (!is_table(dist, mxDOUBLE_CLASS, mxSINGLE_CLASS) || mxGetM(idx) != mxGetM(dist) ||
	    mxGetN(idx) != mxGetN(dist))
		return knng_fail(err, KNNG_EARGS, "knng:args:dist",
				 "dist is %s: it must be a full %.0f-by-%.0f matrix of class double or single, as "
				 "knngraph returns it along with idx",
				 knng_mex_show(dist, text, sizeof text), (double)mxGetM(idx), (double)mxGetN(idx));
	*m = (int64_t)mxGetM(idx);
	*k = (int64_t)mxGetN(idx);
	*table = (knng_output){.idx = *m > 0 && *k > 0 ? mxGetData(idx) : NULL,
			       .idx_type = KNNG_F64,
			       .index_base = 1,
			       .dist = *m > 0 && *k > 0 ? mxGetData(dist) : NULL,
			       .dist_type = mxGetClassID(dist) == mxSINGLE_CLASS ? KNNG_F32 : KNNG_F64,
			       .row_stride = 1,
			       .col_stride = *m};
	return KNNG_OK;
}

bool
knng_mex_word(const mxArray *a, char *word, size_t size)
{
	return mxGetClassID(a) == mxCHAR_CLASS && mxGetNumberOfDimensions(a) == 2 && mxGetM(a) == 1 &&
	       mxGetNumberOfElements(a) < size && mxGetString(a, word, (mwSize)size) == 0 &&
	       strlen(word) == mxGetNumberOfElements(a);
}

/* What knng.internal.allocate makes of these arguments, which go; NULL where there is no such function. */
static mxArray *
allocate(mxArray *rows, mxArray *columns, mxArray *what)
{
	mxArray *arguments[] = {rows, columns, what}, *made = NULL;
	mxArray *missing = mexCallMATLABWithTrap(1, &made, 3, arguments, "knng.internal.allocate");
	for (size_t a = 0; a < sizeof arguments / sizeof *arguments; a++)
		mxDestroyArray(arguments[a]);
	return missing == NULL ? made : NULL;
}

enum { SMALL = 1 << 16 }; /* elements that are copied sooner than a function is called */

mxArray *
knng_mex_result(int64_t rows, int64_t columns, bool single, knng_err *err)
{
	mxClassID class = single ? mxSINGLE_CLASS : mxDOUBLE_CLASS;
	mxArray *made = NULL;
	bool too_large = columns > 0 && rows > INT64_MAX / 16 / columns;
	if (!too_large && rows * columns >= SMALL)
		made = allocate(mxCreateDoubleScalar((double)rows), mxCreateDoubleScalar((double)columns),
				mxCreateString(single ? "single" : "double"));
	if (!too_large && made == NULL) /* a small one; or MATLAB, which copies nothing */
		return mxCreateUninitNumericMatrix((mwSize)rows, (mwSize)columns, class, mxREAL);
	if (!too_large && mxGetClassID(made) == class && mxGetNumberOfElements(made) == (size_t)(rows * columns))
		return made;
	knng_fail_memory(err, "the result", (double)rows * (double)columns * (single ? 4 : 8));
	return NULL;
}

mxArray *
knng_mex_sparse(int64_t rows, int64_t columns, int64_t entries, knng_err *err)
{
	double bytes = 16.0 * (double)entries + 8.0 * (double)columns;
	if (knng_afford(bytes, "the result", err) != KNNG_OK)
		return NULL;
	mxArray *made = NULL;
	if (entries >= SMALL)
		made = allocate(mxCreateDoubleScalar((double)rows), mxCreateDoubleScalar((double)columns),
				mxCreateDoubleScalar((double)entries));
	if (made != NULL && mxIsEmpty(made) && rows > 0 && columns > 0) {
		mxDestroyArray(made);
		knng_fail_memory(err, "the result", bytes);
		return NULL;
	}
	if (made != NULL && mxIsSparse(made) && mxGetM(made) == (size_t)rows && mxGetN(made) == (size_t)columns &&
	    mxGetNzmax(made) >= (mwSize)entries)
		return made;
	if (made != NULL) /* Octave was told to store sparse matrices as it sees fit */
		mxDestroyArray(made);
	return mxCreateSparse((mwSize)rows, (mwSize)columns, (mwSize)(entries > 0 ? entries : 1), mxREAL);
}

bool
knng_mex_number(const mxArray *a, double low, double high, bool whole, double *value)
{
	if (!mxIsNumeric(a) || mxIsComplex(a) || mxGetNumberOfElements(a) != 1)
		return false;
	*value = mxIsSparse(a) && mxGetJc(a)[1] == 0 ? 0 : mxGetScalar(a);
	return *value >= low && *value <= high && (!whole || *value == floor(*value));
}

bool
knng_mex_bytes(const mxArray *a, double low, double *bytes)
{
	char word[32];
	if (!knng_mex_word(a, word, sizeof word))
		return knng_mex_number(a, low, INFINITY, false, bytes);
	*bytes = knng_bytes(word);
	return *bytes > 0 && *bytes >= low;
}

const char *
knng_mex_class(const mxArray *a)
{
	const char *name = mxGetClassName(a);
	return name != NULL ? name : mxIsStruct(a) ? "struct" : "value of another class";
}

const char *
knng_mex_show(const mxArray *a, char *text, size_t size)
{
	char word[40];
	double value = 0;
	bool number = knng_mex_number(a, -INFINITY, INFINITY, false, &value);
	if (isnan(value) || isinf(value)) /* as Octave shows them, not as C does */
		snprintf(text, size, "%s", isnan(value) ? "NaN" : value > 0 ? "Inf" : "-Inf");
	else if (number)
		snprintf(text, size, "%.10g", value);
	else if (knng_mex_word(a, word, sizeof word))
		snprintf(text, size, "'%s'", word);
	else if (mxGetNumberOfDimensions(a) > 2)
		snprintf(text, size, "a %s with %d dimensions", knng_mex_class(a), (int)mxGetNumberOfDimensions(a));
	else
		snprintf(text, size, "a %.0f-by-%.0f %s%s%s", (double)mxGetM(a), (double)mxGetN(a),
			 mxIsNumeric(a) && mxIsComplex(a) ? "complex " : "", mxIsSparse(a) ? "sparse " : "",
			 knng_mex_class(a));
	return text;
}

knng_status
knng_mex_bad_option(const char *name, const mxArray *a, const char *wanted, knng_err *err)
{
	char text[80];
	return knng_fail(err, KNNG_EARGS, "knng:args:option", "'%s' is %s: it must be %s", name,
			 knng_mex_show(a, text, sizeof text), wanted);
}

int
knng_mex_which(const mxArray *a, const char *const *words, int n)
{
	char word[32];
	if (!knng_mex_word(a, word, sizeof word))
		return -1;
	for (int i = 0; i < n; i++)
		if (strcasecmp(word, words[i]) == 0)
			return i;
	return -1;
}

/* Element i of a full real array of any numeric class. */
static double
element(const mxArray *a, size_t i)
{
	const void *data = mxGetData(a);
	switch (mxGetClassID(a)) {
	case mxDOUBLE_CLASS:
		return ((const double *)data)[i];
	case mxSINGLE_CLASS:
		return ((const float *)data)[i];
	case mxINT8_CLASS:
		return ((const int8_t *)data)[i];
	case mxUINT8_CLASS:
		return ((const uint8_t *)data)[i];
	case mxINT16_CLASS:
		return ((const int16_t *)data)[i];
	case mxUINT16_CLASS:
		return ((const uint16_t *)data)[i];
	case mxINT32_CLASS:
		return ((const int32_t *)data)[i];
	case mxUINT32_CLASS:
		return ((const uint32_t *)data)[i];
	case mxINT64_CLASS:
		return (double)((const int64_t *)data)[i];
	case mxUINT64_CLASS:
		return (double)((const uint64_t *)data)[i];
	default:
		return NAN;
	}
}

knng_status
knng_mex_device(const mxArray *a, int most, knng_devices *device, knng_err *err)
{
	static const char *const names[] = {"auto", "cpu", "gpu"}; /* in the order of knng_device_kind */
	size_t n = mxGetNumberOfElements(a);
	int named = knng_mex_which(a, names, 3);
	if (named >= 0) {
		device->kind = (knng_device_kind)named;
		return KNNG_OK;
	}
	if (!mxIsNumeric(a) || mxIsSparse(a) || mxIsComplex(a) || n < 1 || n > (size_t)most)
		goto bad;
	for (size_t i = 0; i < n; i++) {
		double number = element(a, i);
		if (!(number >= 1 && number <= 1e6) || number != floor(number))
			goto bad;
		device->number[i] = (int)number;
		for (size_t j = 0; j < i; j++)
			if (device->number[i] == device->number[j])
				goto bad;
	}
	device->kind = KNNG_DEVICE_LIST;
	device->count = (int)n;
	return KNNG_OK;
bad:;
	knng_status status =
		knng_mex_bad_option("Device", a,
				    most == 1 ? "'auto', 'cpu', 'gpu' or the number of a GPU, such as 1"
					      : "'auto', 'cpu', 'gpu' or numbers of GPUs, each once, such as [1 2]",
				    err);
	if (err != NULL)
		snprintf(err->id, sizeof err->id, "knng:args:device");
	return status;
}

knng_status
knng_mex_progress(const mxArray *a, knng_progress *p, knng_err *err)
{
	static const char *const names[] = {"auto", "on", "off"}; /* in the order of p->mode */
	int mode = knng_mex_which(a, names, 3);
	if (mode < 0)
		return knng_mex_bad_option("Progress", a, "'auto', 'on' or 'off'", err);
	p->mode = mode;
	return KNNG_OK;
}

knng_status
knng_mex_threads(const mxArray *a, knng_task *task, knng_err *err)
{
	double threads;
	if (!knng_mex_number(a, 1, 4096, true, &threads))
		return knng_mex_bad_option("Threads", a, "a whole number, 1 to 4096", err);
	task->threads = (int)threads;
	return KNNG_OK;
}

/* [], or '' where a text is wanted: the default. */
static bool
is_none(const mxArray *a, bool text)
{
	mxClassID class = mxGetClassID(a);
	return (class == mxDOUBLE_CLASS || (text && class == mxCHAR_CLASS)) && mxGetNumberOfElements(a) == 0;
}

knng_status
knng_mex_dataset(const mxArray *a, char **name, knng_err *err)
{
	knng_free(*name);
	*name = NULL;
	if (is_none(a, true))
		return KNNG_OK;
	*name = knng_mex_string(a, "knng:args:option", "'Dataset'", err);
	return *name != NULL ? KNNG_OK : KNNG_EARGS;
}

knng_status
knng_mex_transposed(const mxArray *a, int *transposed, knng_err *err)
{
	double value = -1;
	if (!is_none(a, false) && !knng_mex_number(a, 0, 1, true, &value)) {
		if (!mxIsLogicalScalar(a))
			return knng_mex_bad_option("Transposed", a, "true or false", err);
		value = mxGetScalar(a);
	}
	*transposed = (int)value;
	return KNNG_OK;
}

bool
knng_mex_operations(const mxArray *a, struct knng_pairs *p)
{
	size_t n = mxGetNumberOfElements(a);
	bool right = mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a) && n <= KNNG_OPERATIONS;
	for (size_t i = 0; right && i < n; i++) {
		double op = ((const double *)mxGetData(a))[i];
		right = op >= 1 && op <= KNNG_OPERATIONS && op == floor(op);
		p->op[i] = right ? (int)op - 1 : 0;
	}
	p->nops = right ? (int)n : 0;
	return right;
}

knng_status
knng_mex_pair_up(knng_matrix *X, struct knng_pairs *p, knng_err *err)
{
	int64_t rows = X->n, most = INT32_MAX - 64;
	if (X->n > 0 && (!knng_pairs_rows(X->n, p->nops, &rows) || rows > most)) {
		double n = (double)X->n;
		return knng_fail(err, KNNG_EARGS, "knng:args:rows",
				 "X has %.0f rows, which make %.0f metafeatures: more than 2^31 - 65 cannot be "
				 "searched; choose the rows that matter first, or take fewer operations",
				 n, n + p->nops * n * (n - 1) / 2);
	}
	p->n = X->n;
	X->n = rows;
	X->pairs = p;
	return KNNG_OK;
}
