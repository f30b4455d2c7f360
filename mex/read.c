/* read.c  ds = knng.internal.read (file, dataset, transposed, options): the gateway of knng.read; text =
 * knng.internal.read (file, 'text') is the text of any file, as the readers see it (text.h). Of a file of HDF5
 * dataset and transposed are options of knng.read, [] for their defaults; where the file is '' they are looked at, and
 * nothing is read. Those of texts are fields of a struct. X n x d double, names n x 1 cell, samples 1 x d or 1 x 0
 * cell, classes 1 x d double if every label is a number, else 1 x d cell; 1 x 0 double if the file has none; symbols n
 * x 1 or 0 x 1 cell; annotation and meta struct. Of a file of numbers X has the class that these become. Errors:
 * knng:args:…, and what knng_read and knng_matrix_file_open report. Cost: the file once, X of a text twice in memory
 * while it is handed over. */
#include "base/sys.h"
#include "base/task.h"
#include "gateway.h"
#include "io/h5ad.h"
#include "io/matrix_file.h"
#include "io/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static knng_content content;
static knng_dataset *const ds = &content.data;
static char *file, *dataset;
static int transposed;
static knng_read_options of_text;
static char *names_column, *platform, **missing;
static double *codes; /* what is missing, as numbers */
static void *piece;   /* rows on their way to X */
static knng_matrix_file *numbers;
static struct {
	struct entry *entries;
	const char **fields;
	int64_t lines, count; /* of entries, of fields */
} sorted[2];                  /* metadata, and those that go by rows: annotation */
static knng_text text;
static knng_err warning, doubts[KNNG_DOUBTS]; /* of the last file that was read */
static int64_t warnings;

static void
release(void)
{
	knng_content_free(&content);
	knng_free(file);
	knng_free(dataset);
	knng_free(names_column);
	knng_free(platform);
	for (char **word = missing; word != NULL && *word != NULL; word++)
		knng_free(*word);
	knng_free(missing);
	knng_free(codes);
	knng_free(piece);
	knng_matrix_file_close(numbers);
	knng_text_close(&text);
	for (int r = 0; r < 2; r++) {
		knng_free(sorted[r].entries);
		knng_free(sorted[r].fields);
	}
	memset(sorted, 0, sizeof sorted);
	file = dataset = names_column = platform = NULL;
	missing = NULL;
	codes = NULL;
	of_text = (knng_read_options){0};
	piece = NULL;
	numbers = NULL;
}

/* The number that a class label is (missing: NaN), with the decimal sign of the file. Octave and MATLAB keep the
 * decimal point in every locale. */
static bool
is_number(const char *label, double *value)
{
	static const char *const missing[] = {"NA", "NaN", "N/A", "#N/A", "null", "?"}; /* as values have them */
	char *end, *sign, copy[64];
	for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
		if (strcasecmp(label, missing[i]) == 0) {
			*value = mxGetNaN();
			return true;
		}
	if (content.point == ',') {
		if (strlen(label) >= sizeof copy || strchr(label, '.') != NULL)
			return false;
		label = strcpy(copy, label);
		if ((sign = strchr(copy, ',')) != NULL)
			*sign = '.';
	}
	*value = strtod(label, &end);
	return end > label && *end == '\0' && label[strspn(label, "+-.0123456789eE")] == '\0';
}

static mxArray *
make_cell(char *const *strings, int64_t rows, int64_t columns)
{
	mxArray *cell = mxCreateCellMatrix((mwSize)rows, (mwSize)columns);
	for (int64_t i = 0; i < rows * columns; i++)
		mxSetCell(cell, (mwIndex)i, mxCreateString(strings[i]));
	return cell;
}

/* Labels as a row or a column: doubles if all are numbers, and not all of them missing, else a cell. Label i is
 * labels[of[i] - 1], "" if of[i] is 0; labels[i], of which "" is missing, too, if of is NULL. */
static mxArray *
make_labels(char *const *labels, const int64_t *of, int64_t rows, int64_t columns)
{
	int64_t count = rows * columns;
	mxArray *made = mxCreateDoubleMatrix((mwSize)rows, (mwSize)columns, mxREAL);
	double *v = mxGetPr(made);
	bool all = true, any = false;
	for (int64_t i = 0; all && i < count; i++) {
		if (of != NULL ? of[i] == 0 : *labels[i] == '\0')
			v[i] = mxGetNaN();
		else
			all = is_number(labels[of != NULL ? of[i] - 1 : i], &v[i]);
		any = any || !mxIsNaN(v[i]);
	}
	if (all && any)
		return made;
	mxDestroyArray(made);
	made = mxCreateCellMatrix((mwSize)rows, (mwSize)columns);
	for (int64_t i = 0; i < count; i++)
		mxSetCell(made, (mwIndex)i,
			  mxCreateString(of == NULL  ? labels[i]
					 : of[i] > 0 ? labels[of[i] - 1]
						     : ""));
	return made;
}

static mxArray *
make_classes(void)
{
	return ds->classes == NULL ? mxCreateDoubleMatrix(1, 0, mxREAL) : make_labels(ds->classes, NULL, 1, ds->ncols);
}

/* ---- metadata ----
 *
 * A key becomes the name of a field, and all lines of the same key its value. Those that go by rows each have a field
 * of their own. */

enum { NAME = 63 }; /* characters that MATLAB allows in the name of a field */

struct entry {
	char name[NAME + 1], field[NAME + 1]; /* the name made of the key; another where that is taken */
	int64_t line, first;                  /* number of the line of metadata; of the first with this name */
};

/* A valid name of a field: what is no letter, digit or underscore becomes an underscore, and it begins with a letter.
 */
static void
field_name(const char *key, char name[NAME + 1])
{
	int n = 0;
	if (!((*key >= 'a' && *key <= 'z') || (*key >= 'A' && *key <= 'Z')))
		name[n++] = 'x';
	for (; *key != '\0' && n < NAME; key++) {
		bool good =
			(*key >= 'a' && *key <= 'z') || (*key >= 'A' && *key <= 'Z') || (*key >= '0' && *key <= '9');
		name[n++] = good ? *key : '_';
	}
	name[n] = '\0';
}

static int
by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static int
by_first(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = (x->first > y->first) - (x->first < y->first);
	return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static int
name_only(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* A field for entry i alone, of which there are others of its name before: with a number behind it, which is that of
 * the entry's column, so that no two are the same. The entries are in order of names. */
static void
own_field(struct entry *entries, int64_t count, int64_t i, int64_t column)
{
	struct entry own = {0};
	do {
		snprintf(own.name, sizeof own.name, "%.40s_%lld", entries[i].name, (long long)column);
		column += count;
	} while (bsearch(&own, entries, (size_t)count, sizeof own, name_only) != NULL);
	strcpy(entries[i].field, own.name);
}

/* Sorts the lines of metadata, or those of them that go by rows, into entries, the same names side by side in the order
 * of the file, and lists the fields; "format" is before those of metadata. False without memory. */
static bool
sort_meta(bool by_row)
{
	struct entry *e = knng_alloc(ds->nmeta, sizeof *e);
	const char **fields = knng_alloc(ds->nmeta + 1, sizeof *fields);
	int64_t lines = 0, count = 0;
	sorted[by_row].entries = e;
	sorted[by_row].fields = fields;
	if (e == NULL || fields == NULL)
		return false;
	for (int64_t l = 0; l < ds->nmeta; l++)
		if (ds->meta[l].by_row == by_row) {
			field_name(ds->meta[l].key, e[lines].name);
			if (!by_row && strcmp(e[lines].name, "format") == 0)
				strcat(e[lines].name, "_");
			strcpy(e[lines].field, e[lines].name);
			e[lines].first = lines + 1; /* its column */
			e[lines++].line = l;
		}
	if (lines > 0)
		qsort(e, (size_t)lines, sizeof *e, by_name);
	for (int64_t l = 0; l < lines; l++) {
		bool again = l > 0 && strcmp(e[l].name, e[l - 1].name) == 0;
		if (again && by_row)
			own_field(e, lines, l, e[l].first);
		e[l].first = again && !by_row ? e[l - 1].first : e[l].line;
	}
	if (lines > 0)
		qsort(e, (size_t)lines, sizeof *e, by_first);
	if (!by_row)
		fields[count++] = "format";
	for (int64_t l = 0; l < lines; l++)
		if (l == 0 || e[l].first != e[l - 1].first)
			fields[count++] = e[l].field;
	sorted[by_row].lines = lines;
	sorted[by_row].count = count;
	return true;
}

/* The value of `lines` lines of metadata: a row each; a cell each if they differ in length. */
static mxArray *
make_meta_value(const struct entry *e, int64_t lines)
{
	const knng_meta *first = &ds->meta[e->line];
	bool even = true;
	for (int64_t l = 1; l < lines; l++)
		even = even && ds->meta[e[l].line].count == first->count;
	if (first->by_row)
		return make_cell(first->values, first->count, 1);
	mxArray *cell = mxCreateCellMatrix((mwSize)lines, even ? (mwSize)first->count : 1);
	for (int64_t l = 0; l < lines; l++) {
		const knng_meta *m = &ds->meta[e[l].line];
		if (!even)
			mxSetCell(cell, (mwIndex)l, make_cell(m->values, 1, m->count));
		else
			for (int64_t i = 0; i < m->count; i++)
				mxSetCell(cell, (mwIndex)(i * lines + l), mxCreateString(m->values[i]));
	}
	return cell;
}

/* From what sort_meta made. */
static mxArray *
make_meta(bool by_row)
{
	const struct entry *e = sorted[by_row].entries;
	mxArray *meta = mxCreateStructMatrix(1, 1, (int)sorted[by_row].count, sorted[by_row].fields);
	int field = 0;
	if (!by_row)
		mxSetFieldByNumber(meta, 0, field++, mxCreateString(content.format));
	for (int64_t l = 0, next; l < sorted[by_row].lines; l = next, field++) {
		for (next = l + 1; next < sorted[by_row].lines && e[next].first == e[l].first; next++) {
		}
		mxSetFieldByNumber(meta, 0, field, make_meta_value(&e[l], next - l));
	}
	return meta;
}

enum { NAMED = 500 /* bytes that Octave takes for a short text in a cell, some */ };

/* What Octave takes for the results, beside what was read. */
static knng_status
check_memory(knng_err *err)
{
	const knng_graph *g = &content.graph;
	double bytes = 0, texts = 0;
	if (content.kind == KNNG_GRAPH) {
		bytes = 8.0 * (double)g->n + 16.0 * (double)g->start[g->n];
		texts = (g->names != NULL) + (g->group != NULL);
		texts *= (double)g->n;
	} else {
		bytes = 8.0 * (double)ds->nrows * (double)ds->ncols;
		texts = (double)ds->nrows * ((ds->names != NULL) + (ds->symbols != NULL)) +
			(ds->samples != NULL ? (double)ds->ncols : 0);
		for (int64_t l = 0; l < ds->nmeta; l++)
			texts += (double)ds->meta[l].count;
	}
	return knng_afford(bytes + NAMED * texts, "what a file holds", err);
}

/* ---- results ---- */

static mxArray *
copy_X(void)
{
	mxArray *X = mxCreateDoubleMatrix((mwSize)ds->nrows, (mwSize)ds->ncols, mxREAL);
	memcpy(mxGetPr(X), ds->X, (size_t)ds->nrows * (size_t)ds->ncols * sizeof *ds->X);
	return X;
}

static mxArray *
make_dataset(mxArray *X)
{
	static const char *names[] = {"X", "names", "samples", "classes", "symbols", "annotation", "meta"};
	mxArray *made = mxCreateStructMatrix(1, 1, 7, names);
	mxSetField(made, 0, "X", X);
	mxSetField(made, 0, "names", make_cell(ds->names, ds->names ? ds->nrows : 0, 1));
	mxSetField(made, 0, "samples", make_cell(ds->samples, 1, ds->samples ? ds->ncols : 0));
	mxSetField(made, 0, "classes", make_classes());
	mxSetField(made, 0, "symbols", make_cell(ds->symbols, ds->symbols ? ds->nrows : 0, 1));
	mxSetField(made, 0, "annotation", make_meta(true));
	mxSetField(made, 0, "meta", make_meta(false));
	return made;
}

static mxArray *
make_graph(void)
{
	static const char *names[] = {"A", "names", "groups", "positions", "directed", "meta"};
	const knng_graph *g = &content.graph;
	size_t n = (size_t)g->n, edges = g->start[n];
	mxArray *A = mxCreateSparse((mwSize)n, (mwSize)n, (mwSize)(edges > 0 ? edges : 1), mxREAL);
	_Static_assert(sizeof(mwIndex) == sizeof(size_t), "sparse indices are 8 bytes");
	memcpy(mxGetJc(A), g->start, (n + 1) * sizeof *g->start);
	if (edges > 0) {
		memcpy(mxGetIr(A), g->row, edges * sizeof *g->row);
		memcpy(mxGetData(A), g->weight, edges * sizeof *g->weight);
	}
	mxArray *positions = mxCreateDoubleMatrix((mwSize)(g->positions ? n : 0), 2, mxREAL);
	if (g->positions != NULL)
		memcpy(mxGetPr(positions), g->positions, 2 * n * sizeof *g->positions);
	mxArray *made = mxCreateStructMatrix(1, 1, 6, names);
	mxSetField(made, 0, "A", A);
	mxSetField(made, 0, "names", make_cell(g->names, g->names ? g->n : 0, 1));
	mxSetField(made, 0, "groups",
		   g->group ? make_labels(g->groups, g->group, g->n, 1) : mxCreateDoubleMatrix(0, 1, mxREAL));
	mxSetField(made, 0, "positions", positions);
	mxSetField(made, 0, "directed", mxCreateLogicalScalar(g->directed));
	mxSetField(made, 0, "meta", make_meta(false));
	return made;
}

/* ---- files of numbers ---- */

enum { PIECE = 1 << 22 }; /* bytes that are turned from rows to columns at a time, or rows that are read together */

/* All columns to X, of a file that lies as X does. */
static knng_status
copy_columns(knng_task *task, const knng_layout *l, void *X, knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t bytes = l->n * knng_type_bytes(l->element->type);
	for (int64_t j = 0; j < l->d && status == KNNG_OK; j++) {
		status = knng_matrix_file_column(numbers, j, (char *)X + j * bytes, err);
		if (status == KNNG_OK)
			status = knng_task_step(task, (double)j / (double)l->d, err);
	}
	return status;
}

/* All rows to the columns of X. */
static knng_status
turn_rows(knng_task *task, const knng_layout *l, void *X, knng_err *err)
{
	int64_t size = knng_type_bytes(l->element->type), together = knng_matrix_file_together(numbers),
		most = PIECE / (size * l->d) / together * together;
	most = most < together ? together : most;
	if (most * l->d * size > PIECE &&
	    knng_afford((double)(most * l->d * size), "rows that a file holds together", err) != KNNG_OK)
		return KNNG_EMEMORY;
	if ((piece = knng_alloc(most * l->d, (size_t)size)) == NULL)
		return knng_fail_memory(err, "a file of numbers", (double)(most * l->d * size));
	for (int64_t first = 0; first < l->n; first += most) {
		int64_t count = l->n - first < most ? l->n - first : most;
		knng_status status = knng_matrix_file_read(numbers, first, count, piece, err);
		if (status == KNNG_OK)
			status = knng_task_step(task, (double)first / (double)l->n, err);
		if (status != KNNG_OK)
			return status;
		for (int64_t j = 0; j < l->d; j++)
			for (int64_t i = 0; i < count; i++)
				if (size == 4)
					((float *)X)[j * l->n + first + i] = ((const float *)piece)[i * l->d + j];
				else
					((double *)X)[j * l->n + first + i] = ((const double *)piece)[i * l->d + j];
	}
	return KNNG_OK;
}

static knng_status
read_numbers(knng_call *call, const knng_matrix_format *format, knng_err *err)
{
	const knng_matrix_choice choice = {dataset, transposed};
	knng_call_start(call);
	knng_status status = knng_call_end(call, knng_matrix_file_open(&numbers, file, &choice, &call->task, err));
	if (status != KNNG_OK)
		return status;
	const knng_layout *l = knng_matrix_file_layout(numbers);
	bool single = l->element->type == KNNG_F32;
	if ((status = knng_afford((double)l->n * (double)l->d * (single ? 4 : 8), "what a file holds", err)) != KNNG_OK)
		return status;
	mxArray *X = knng_mex_result(l->n, l->d, single, err);
	if (X == NULL)
		return KNNG_EMEMORY;
	knng_call_start(call);
	if ((status = knng_call_end(
		     call, (l->by_column ? copy_columns : turn_rows)(&call->task, l, mxGetData(X), err))) != KNNG_OK)
		return status;
	if (transposed != 1) {
		knng_call_start(call);
		status = knng_call_end(call, knng_h5ad_rows(file, dataset, l->n, &call->task, &content.data, err));
		if (status == KNNG_OK && ds->names != NULL)
			status = knng_afford(NAMED * (double)ds->nrows, "the names of a file", err);
		if (status != KNNG_OK)
			return status;
	}
	content.kind = KNNG_DATASET;
	content.format = format->name;
	if (!sort_meta(false) || !sort_meta(true))
		return knng_fail_memory(err, "the metadata of a file", sizeof *sorted->entries);
	call->plhs[0] = make_dataset(X);
	return KNNG_OK;
}

/* ---- options of texts ---- */

static knng_status
take_delimiter(const mxArray *a, knng_err *err)
{
	char word[16];
	of_text.delimiter = '\0';
	if (knng_mex_word(a, word, sizeof word))
		of_text.delimiter = knng_read_delimiter(word);
	return of_text.delimiter != '\0'
		       ? KNNG_OK
		       : knng_mex_bad_option("Delimiter", a,
					     "',' or 'comma', ';' or 'semicolon', '\\t' or 'tab', ' ' "
					     "or 'blank', '|' or 'bar'",
					     err);
}

static knng_status
take_decimal(const mxArray *a, knng_err *err)
{
	static const char *const automatic[] = {"auto"};
	double comma = 0;
	if (knng_mex_which(a, automatic, 1) == 0)
		return KNNG_OK;
	if (mxIsSparse(a) || (!mxIsLogicalScalar(a) && !knng_mex_number(a, 0, 1, true, &comma)))
		return knng_mex_bad_option("DecimalComma", a, "true, false or 'auto'", err);
	of_text.decimal = mxGetScalar(a) != 0 ? KNNG_DECIMAL_COMMA : KNNG_DECIMAL_POINT;
	return KNNG_OK;
}

static knng_status
take_lines(const mxArray *a, knng_err *err)
{
	double lines;
	if (!knng_mex_number(a, 0, 1e15, true, &lines))
		return knng_mex_bad_option("HeaderLines", a, "a whole number, of lines to leave out at the top", err);
	of_text.skip = (int64_t)lines;
	return KNNG_OK;
}

static knng_status
take_names_column(const mxArray *a, knng_err *err)
{
	double column;
	if (mxGetClassID(a) == mxCHAR_CLASS) {
		of_text.names = names_column = knng_mex_string(a, "knng:args:option", "'NamesColumn'", err);
		return names_column != NULL ? KNNG_OK : KNNG_EARGS;
	}
	if (!knng_mex_number(a, 0, 1e15, true, &column))
		return knng_mex_bad_option("NamesColumn", a,
					   "the number of a column, its name in the header, or 0 for none", err);
	of_text.names_column = column > 0 ? (int64_t)column : -1;
	return KNNG_OK;
}

static knng_status
take_platform(const mxArray *a, knng_err *err)
{
	of_text.platform = platform = knng_mex_string(a, "knng:args:option", "'Platform'", err);
	return platform != NULL ? KNNG_OK : KNNG_EARGS;
}

static knng_status
take_missing(const mxArray *a, knng_err *err)
{
	static const char wanted[] = "it must be a text such as 'ND', a number, or a cell of these";
	bool cell = mxGetClassID(a) == mxCELL_CLASS;
	int64_t count = cell ? (int64_t)mxGetNumberOfElements(a) : 1;
	int64_t texts = 0;
	missing = knng_calloc(count + 1, sizeof *missing);
	codes = knng_calloc(count + 1, sizeof *codes);
	if (missing == NULL || codes == NULL)
		return knng_fail_memory(err, "'Missing'", 16.0 * (double)count);
	for (int64_t i = 0; i < count; i++) {
		char what[48], shown[80];
		const mxArray *word = cell ? mxGetCell(a, (mwIndex)i) : a;
		snprintf(what, sizeof what, cell ? "element %lld of 'Missing'" : "'Missing'", (long long)i + 1);
		if (word == NULL)
			return knng_fail(err, KNNG_EARGS, "knng:args:option", "%s is []: %s", what, wanted);
		double *code = &codes[of_text.ncodes];
		if (knng_mex_number(word, -INFINITY, INFINITY, false, code) || isnan(*code)) {
			of_text.ncodes++;
			continue;
		}
		if (mxGetClassID(word) != mxCHAR_CLASS)
			return knng_fail(err, KNNG_EARGS, "knng:args:option", "%s is %s: %s", what,
					 knng_mex_show(word, shown, sizeof shown), wanted);
		if ((missing[texts] = knng_mex_string(word, "knng:args:option", what, err)) == NULL)
			return KNNG_EARGS;
		texts++;
	}
	of_text.missing = texts > 0 ? (const char **)missing : NULL;
	of_text.codes = codes;
	return KNNG_OK;
}

/* The fields of the struct; [] or '' is the default. */
static knng_status
take_options(const mxArray *s, knng_err *err)
{
	static const struct {
		const char *name;
		knng_status (*take)(const mxArray *a, knng_err *err);
	} options[] = {{"Delimiter", take_delimiter},      {"DecimalComma", take_decimal}, {"HeaderLines", take_lines},
		       {"NamesColumn", take_names_column}, {"Platform", take_platform},    {"Missing", take_missing}};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		const mxArray *a = mxGetField(s, 0, options[i].name);
		mxClassID class = a != NULL ? mxGetClassID(a) : mxDOUBLE_CLASS;
		if (a == NULL || ((class == mxDOUBLE_CLASS || class == mxCHAR_CLASS) && mxGetNumberOfElements(a) == 0))
			continue;
		knng_status status = options[i].take(a, err);
		if (status != KNNG_OK)
			return status;
	}
	return KNNG_OK;
}

static knng_status
read_text(knng_call *call, knng_err *err)
{
	static const char *const word[] = {"text"};
	if (knng_mex_which(call->prhs[1], word, 1) != 0)
		return knng_call_wrong(err);
	if ((file = knng_mex_string(call->prhs[0], "knng:args:file", "FILE", err)) == NULL)
		return KNNG_EARGS;
	knng_call_start(call);
	knng_status status = knng_text_open(&text, file, &call->task, err);
	status = knng_call_end(call, status == KNNG_OK ? knng_text_rest(&text, err) : status);
	if (status == KNNG_OK)
		status = knng_afford(2.0 * (double)(text.end - text.at), "what a file holds", err);
	if (status == KNNG_OK)
		call->plhs[0] = mxCreateString(text.at);
	return status;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	warnings = 0;
	memset(doubts, 0, sizeof doubts);
	transposed = -1;
	if (call->nrhs == 2)
		return read_text(call, err);
	bool with = call->nrhs == 4 && mxIsStruct(call->prhs[3]) && mxGetNumberOfElements(call->prhs[3]) == 1;
	if (call->nrhs != 1 && call->nrhs != 3 && !with)
		return knng_fail(err, KNNG_EARGS, "knng:args:count",
				 "expected 1 or 3 arguments, the name of a file first, or a struct of options behind "
				 "them; got %d",
				 call->nrhs);
	if ((file = knng_mex_string(call->prhs[0], "knng:args:file", "FILE", err)) == NULL)
		return KNNG_EARGS;
	if (call->nrhs >= 3) {
		knng_status status = knng_mex_dataset(call->prhs[1], &dataset, err);
		if (status == KNNG_OK)
			status = knng_mex_transposed(call->prhs[2], &transposed, err);
		if (status == KNNG_OK && with)
			status = take_options(call->prhs[3], err);
		if (status == KNNG_OK && *file == '\0')
			call->plhs[0] = mxCreateDoubleMatrix(0, 0, mxREAL);
		if (status != KNNG_OK || *file == '\0')
			return status;
	}
	const knng_matrix_format *format = knng_matrix_format_find(file);
	knng_status fits = format != NULL ? knng_read_no_text(&of_text, file, format->name, err) : KNNG_OK;
	if (fits != KNNG_OK)
		return fits;
	bool cells = knng_h5ad_is(file) && dataset == NULL && transposed < 0;
	if (format != NULL && !cells)
		return read_numbers(call, format, err);
	const knng_matrix_choice choice = {dataset, transposed};
	of_text.choice = &choice;
	knng_call_start(call);
	knng_status status = knng_call_end(
		call, cells ? knng_h5ad_read(file, &call->task, &content, err)
			    : knng_read_with(file, KNNG_DATASET | KNNG_GRAPH, &of_text, &call->task, &content, err));
	if (status == KNNG_OK)
		status = check_memory(err);
	if (status != KNNG_OK)
		return status;
	if (!sort_meta(false) || !sort_meta(true))
		return knng_fail_memory(err, "the metadata of a file",
					(double)ds->nmeta * (double)sizeof *sorted->entries);
	call->plhs[0] = content.kind == KNNG_GRAPH ? make_graph() : make_dataset(copy_X());
	warning = content.warning;
	memcpy(doubts, content.doubts, sizeof doubts);
	warnings = content.warnings;
	return KNNG_OK;
}

static void
warn(void)
{
	if (warnings == 1)
		knng_call_warn(warning.id, "%s", warning.text);
	else if (warnings > 1)
		knng_call_warn(warning.id, "%s (and %lld more)", warning.text, (long long)warnings - 1);
	for (int i = 0; i < KNNG_DOUBTS; i++)
		if (doubts[i].id[0] != '\0')
			knng_call_warn(doubts[i].id, "%s", doubts[i].text);
}

const knng_gateway knng_this_gateway = {
	.results = 1, .stage = "read", .functions = "knng.read", .run = run, .release = release, .warn = warn};
