/* cells.c  A matrix of single cells, as 10x Genomics and others write it: see io/cells.h for its files. Most of its
 * numbers are 0, and only the others are in the file; what is read has all. */
#include "io/cells.h"
#include "io/format.h"
#include "io/formats/market.h"

#include <math.h>

enum { COLUMNS = 6 }; /* of features.tsv at most: id, and those below */

static const char *const keys[COLUMNS] = {NULL,         "symbol",           "feature_type",
					  "chromosome", "chromosome_start", "chromosome_end"};

/* The fields of a file of names: field c of line i is from[i * columns + c], up to end. */
typedef struct {
	knng_text text;
	int64_t lines;
	int columns;
	struct field {
		const char *from, *end;
	} * fields;
} names;

/* ---- the names ---- */

static void
close_names(names *n)
{
	knng_free(n->fields);
	knng_text_close(&n->text);
	*n = (names){0};
}

/* The fields of the line at p, which becomes its end; the first n->columns of them are taken, if there is room. Returns
 * how many there are. */
static int
split(const names *n, char **p, struct field *to)
{
	int count = 0;
	for (bool more = true; more; count++) {
		char *end = *p;
		while (*end != '\t' && !is_end(*end))
			end++;
		if (to != NULL && count < n->columns)
			to[count] = (struct field){*p, end};
		more = *end == '\t';
		*p = end + more;
	}
	return count;
}

/* Takes the line at t->at, which moves to its end. most: see read_names. */
static knng_status
take_line(names *n, int most, knng_err *err)
{
	knng_text *t = &n->text;
	struct field *to = n->fields + n->lines * n->columns;
	int count = split(n, &t->at, to);
	if (to[0].from == to[0].end)
		return knng_text_fail(t, err, "found nothing before the first tab, expected a name");
	if (most > 1 && count != n->columns)
		return knng_text_fail(t, err, "found %d fields, expected %d, as in the first line", count, n->columns);
	n->lines++;
	return KNNG_OK;
}

/* Lines from t->at on, empty ones too. */
static int64_t
count_lines(const knng_text *t)
{
	int64_t lines = 1;
	for (const char *p = t->at; (p = memchr(p, '\n', (size_t)(t->end - p))) != NULL; p++)
		lines++;
	return lines;
}

/* Reads a file of names. most: the columns that are taken; of 1 what stands behind is left out. */
static knng_status
read_names(names *n, const char *path, int most, const knng_text *matrix, knng_err *err)
{
	knng_text *t = &n->text;
	knng_status status = knng_text_open(t, path, matrix->task, err);
	t->opt = matrix->opt;
	t->said = matrix->said;
	if (status == KNNG_OK)
		status = knng_text_rest(t, err);
	if (status != KNNG_OK)
		return status;
	knng_text_next_line(t);
	char *first = t->at;
	n->columns = most > 1 ? split(n, &first, NULL) : 1;
	if (n->columns > most)
		return knng_text_fail(t, err, "found %d fields, expected %d at most: id, symbol, type and place",
				      n->columns, most);
	n->fields = knng_text_room(count_lines(t) * n->columns, sizeof *n->fields, "the names of a file", err);
	if (n->fields == NULL)
		return KNNG_EMEMORY;
	for (; *t->at != '\0'; knng_text_next_line(t))
		if ((status = take_line(n, most, err)) != KNNG_OK)
			return status;
	return KNNG_OK;
}

/* ---- the data set ---- */

/* Copies column c, as strings that follow each other. Behind the names what the options say is missing is "". */
static void
copy_column(const names *n, int c, char ***string, char **byte)
{
	for (int64_t i = 0; i < n->lines; i++) {
		const struct field *f = &n->fields[i * n->columns + c];
		double value;
		bool number = knng_text_number(&n->text, (char *)f->from, &value) == f->end,
		     missing = c > 0 && knng_text_is_said(&n->text, f->from, f->end, number ? value : NAN);
		size_t length = missing ? 0 : (size_t)(f->end - f->from);
		memcpy(*byte, f->from, length);
		(*byte)[length] = '\0';
		*(*string)++ = *byte;
		*byte += length + 1;
	}
}

static int64_t
count_bytes(const names *n)
{
	int64_t bytes = 0;
	for (int64_t i = 0; i < n->lines * n->columns; i++)
		bytes += n->fields[i].end - n->fields[i].from + 1;
	return bytes;
}

/* Ids of the features, their other columns, and the names of the cells, all of the data set's own. */
static knng_status
take_names(knng_dataset *ds, const names *features, const names *cells, knng_err *err)
{
	static const char what[] = "the names of a file";
	int64_t n = features->lines, more = features->columns - 1, strings = n * features->columns + cells->lines;
	ds->strings = knng_text_room(strings, sizeof *ds->strings, what, err);
	if (ds->strings == NULL ||
	    (ds->text = knng_text_room(count_bytes(features) + count_bytes(cells), 1, what, err)) == NULL ||
	    (ds->meta = knng_text_room(more, sizeof *ds->meta, what, err)) == NULL)
		return KNNG_EMEMORY;
	char **string = ds->strings, *byte = ds->text;
	for (int c = 0; c < features->columns; c++) {
		if (c > 0)
			ds->meta[ds->nmeta++] =
				(knng_meta){.key = keys[c], .values = string, .count = n, .by_row = true, .line = 1};
		copy_column(features, c, &string, &byte);
	}
	ds->names = ds->strings;
	ds->symbols = more > 0 ? ds->strings + n : NULL;
	ds->samples = string;
	copy_column(cells, 0, &string, &byte);
	return KNNG_OK;
}

/* Room for all numbers, each 0. It is there twice for a moment when it is handed over. */
static knng_status
claim(const knng_text *t, knng_dataset *ds, knng_err *err)
{
	int64_t size;
	double bytes = 8.0 * (double)ds->nrows * (double)ds->ncols;
	bool fine = knng_mul(ds->nrows, ds->ncols, 1, &size);
	if (fine && (bytes < 1 << 20 || knng_afford(2 * bytes, "", NULL) == KNNG_OK))
		ds->X = knng_calloc(size, sizeof *ds->X);
	return ds->X != NULL
		       ? KNNG_OK
		       : knng_fail(
				 err, KNNG_EMEMORY, "knng:memory:host",
				 "%.200s is sparse, and read with all its zeros: the %lld x %lld numbers take %.1f MB, "
				 "for a moment twice, which the machine has not; write it anew with fewer features or "
				 "cells, such as the 2000 features that vary most",
				 t->path, (long long)ds->nrows, (long long)ds->ncols, bytes * 1e-6);
}

/* A number from 1 to `most` at *p, which moves to the next word. */
static bool
take_index(char **p, int64_t most, int64_t *index)
{
	char *end = knng_text_count(*p, index);
	if (end == NULL || *index < 1 || *index > most)
		return false;
	*p = skip_blanks(end);
	return true;
}

/* The entry at t->at, which moves to the end of its line. */
static knng_status
take_entry(knng_text *t, bool pattern, knng_dataset *ds, knng_err *err)
{
	int64_t feature, cell;
	char *p = t->at, expected[80];
	double value = 1;
	if (!take_index(&p, ds->nrows, &feature)) {
		snprintf(expected, sizeof expected, "a feature, a whole number from 1 to %lld", (long long)ds->nrows);
		return knng_text_fail_found(t, p, expected, err);
	}
	if (!take_index(&p, ds->ncols, &cell)) {
		snprintf(expected, sizeof expected, "a cell, a whole number from 1 to %lld", (long long)ds->ncols);
		return knng_text_fail_found(t, p, expected, err);
	}
	if (!pattern) {
		char *end = skip_word(p);
		if (end == p || !knng_text_value(t, p, end, &value) || knng_text_is_beyond(p, value))
			return knng_text_fail_found(t, p, "a number", err);
		p = skip_blanks(end);
	}
	if (!is_end(*p))
		return knng_text_fail_found(t, p, "the end of the line", err);
	double *x = &ds->X[(cell - 1) * ds->nrows + feature - 1];
	if (*x != 0)
		return knng_text_fail(t, err, "feature %lld of cell %lld stands here for the second time",
				      (long long)feature, (long long)cell);
	*x = value;
	t->at = p;
	return KNNG_OK;
}

static knng_status
take_entries(knng_text *t, bool pattern, int64_t entries, knng_dataset *ds, knng_err *err)
{
	knng_status status;
	int64_t bytes = t->end - t->at;
	if (entries > (bytes + 1) / (pattern ? 4 : 6))
		return knng_fail(err, KNNG_EIO, "knng:io:truncated",
				 "%.200s, line %lld: promises %lld entries, which the %lld bytes that follow cannot "
				 "hold; copy or download the file again",
				 t->path, (long long)t->line, (long long)entries, (long long)bytes);
	if ((status = claim(t, ds, err)) != KNNG_OK)
		return status;
	for (int64_t e = 0; e < entries; e++) {
		knng_text_next_word(t);
		if (*t->at == '\0')
			return knng_text_fail_truncated(t, "the last entry that its header promises", err);
		if ((status = take_entry(t, pattern, ds, err)) != KNNG_OK)
			return status;
	}
	knng_text_next_word(t);
	char q[KNNG_QUOTED + 8];
	return *t->at == '\0' ? KNNG_OK
			      : knng_text_fail(t, err, "found %s, expected no more than the %lld entries of the header",
					       knng_text_quote(t->at, skip_word(t->at), q), (long long)entries);
}

/* That the matrix has a row for each feature and a column for each cell, one at least. */
static knng_status
check_sizes(const knng_text *t, const knng_dataset *ds, const names *features, const names *cells, knng_err *err)
{
	if (ds->nrows != features->lines || ds->ncols != cells->lines)
		return knng_text_fail(
			t, err,
			"found a matrix of %lld rows and %lld columns, expected %lld and %lld: as many as "
			"the features of %.100s and the barcodes beside it",
			(long long)ds->nrows, (long long)ds->ncols, (long long)features->lines, (long long)cells->lines,
			features->text.path);
	return ds->nrows > 0 && ds->ncols > 0 ? KNNG_OK
					      : knng_text_fail(t, err, "found a matrix without features or cells");
}

static bool
cells_fit(const char *path)
{
	knng_cells beside;
	return knng_cells_beside(path, &beside);
}

static knng_status
cells_read(knng_text *t, knng_content *content, knng_err *err)
{
	knng_dataset *ds = &content->data;
	names features = {0}, cells = {0};
	knng_cells beside;
	bool pattern = false, both = false;
	int64_t entries = 0;
	if (!knng_cells_beside(t->path, &beside))
		return knng_text_fail(t, err, "the names of features or cells, which were beside this, are gone");
	knng_status status = knng_market_banner(t, &pattern, &both, err);
	if (status == KNNG_OK && both)
		status = knng_text_fail(t, err,
					"found a symmetric matrix, expected a general one of features and cells");
	if (status == KNNG_OK)
		status = knng_market_sizes(t, &ds->nrows, &ds->ncols, &entries, err);
	if (status == KNNG_OK)
		status = read_names(&features, beside.features, COLUMNS, t, err);
	if (status == KNNG_OK)
		status = read_names(&cells, beside.barcodes, 1, t, err);
	if (status == KNNG_OK)
		status = check_sizes(t, ds, &features, &cells, err);
	if (status == KNNG_OK)
		status = take_entries(t, pattern, entries, ds, err);
	if (status == KNNG_OK)
		status = take_names(ds, &features, &cells, err);
	close_names(&features);
	close_names(&cells);
	return status;
}

const knng_format knng_format_cells = {
	.name = "cells",
	.title = "a matrix of cells (a folder)",
	.kind = KNNG_DATASET,
	.looks_like = knng_market_begins,
	.fits = cells_fit,
	.parse = cells_read,
};
