/* read.c  Reading a file of any format. */
#include "base/file.h"
#include "base/task.h"
#include "io/cells.h"
#include "io/doubts.h"
#include "io/format.h"
#include "io/graph_builder.h"
#include "io/matrix_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

extern const knng_format knng_format_soft, knng_format_table;

char
knng_read_delimiter(const char *word)
{
	static const struct {
		char delimiter;
		const char *words[4];
	} known[] = {{',', {",", "comma"}},
		     {';', {";", "semicolon", "semi"}},
		     {'\t', {"\t", "\\t", "tab"}},
		     {' ', {" ", "blank", "space"}},
		     {'|', {"|", "bar"}}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		for (const char *const *w = known[i].words; *w != NULL; w++)
			if (strcasecmp(word, *w) == 0)
				return known[i].delimiter;
	return '\0';
}

/* Which option is for tables alone; NULL: none is given. */
static const char *
option_of_tables(const knng_read_options *opt)
{
	return opt->delimiter != '\0'                         ? "Delimiter"
	       : opt->names != NULL || opt->names_column != 0 ? "NamesColumn"
							      : NULL;
}

/* Which is for data sets alone; NULL: none. */
static const char *
option_of_data(const knng_read_options *opt)
{
	return opt->missing != NULL || opt->ncodes > 0 ? "Missing"
	       : opt->decimal != KNNG_DECIMAL_AUTO     ? "DecimalComma"
						       : NULL;
}

static const char *
given(const knng_read_options *opt)
{
	const char *table = option_of_tables(opt), *data = option_of_data(opt);
	return table != NULL           ? table
	       : data != NULL          ? data
	       : opt->platform != NULL ? "Platform"
	       : opt->skip > 0         ? "HeaderLines"
				       : NULL;
}

/* The number that the user calls missing, for a message; a number that many programs call so, if it is a word. */
static const char *
code_of(const knng_read_options *opt, char code[32])
{
	const char *word = opt->missing != NULL ? opt->missing[0] : NULL;
	char *end = NULL;
	if (word == NULL)
		snprintf(code, 32, "%.15g", opt->codes[0]);
	else if (strlen(word) >= 32 || !isfinite(strtod(word, &end)) || end == word || *end != '\0')
		return "1e20";
	return word != NULL ? word : code;
}

knng_status
knng_read_no_text(const knng_read_options *opt, const char *path, const char *format, knng_err *err)
{
	const char *option = given(opt);
	char of[32] = "", code[32], spelt[KNNG_SPELT];
	if (option == NULL)
		return KNNG_OK;
	if (format != NULL)
		snprintf(of, sizeof of, " (%s)", format);
	if (strcmp(option, "Missing") != 0)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'%s' is for texts, and %.200s is a file of numbers%s: leave it out", option, path,
				 of);
	const char *name = knng_text_spelt(path, path + strlen(path), spelt);
	return knng_fail(err, KNNG_EARGS, "knng:args:option",
			 "'Missing' is for texts, and %.200s is a file of numbers%s: read it without, and make such "
			 "numbers NaN: ds = knng.read (%s); X = ds.X; X(X == %s) = NaN",
			 path, of, name == spelt ? name : "FILE", code_of(opt, code));
}

/* Whether the options fit the format. */
static knng_status
check_options(const knng_text *t, const knng_format *f, knng_err *err)
{
	const char *table = f != &knng_format_table ? option_of_tables(t->opt) : NULL,
		   *data = f->kind != KNNG_DATASET ? option_of_data(t->opt) : NULL;
	if (t->opt->platform != NULL && f != &knng_format_soft)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'Platform' is for families of GEO, and %.200s is %s: leave it out", t->path,
				 f->title);
	if (table == NULL && data == NULL)
		return KNNG_OK;
	return knng_fail(err, KNNG_EARGS, "knng:args:option", "'%s' is for %s, and %.200s is %s: leave it out",
			 table != NULL ? table : data, table != NULL ? "tables" : "data sets", t->path, f->title);
}

static knng_status
check_choice(const knng_read_options *opt, knng_err *err)
{
	return opt->choice != NULL ? knng_matrix_nothing_chosen(opt->choice, NULL, err) : KNNG_OK;
}

/* What Octave saves as a text looks like a table of numbers below comments: who made it, and the name and the type of
 * the first variable. */
static knng_status
check_saved(const knng_text *t, knng_err *err)
{
	static const char *const lines[] = {"# Created by Octave ", "# name: ", "# type: "};
	const char *p = t->at;
	char spelt[KNNG_SPELT];
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		if (t->opt->skip > 0 || strncmp(p, lines[i], strlen(lines[i])) != 0)
			return KNNG_OK;
		p += strcspn(p, "\n");
		p += *p == '\n';
	}
	const char *path = knng_text_spelt(t->path, t->path + strlen(t->path), spelt);
	return knng_text_fail(t, err,
			      "this holds variables, saved by Octave's save -text, and no table: s = load (%s) has "
			      "them as fields; knngraph takes a matrix among them as it is, and knng.write makes a "
			      "table of it",
			      path == spelt ? path : "FILE");
}

/* Over the lines that are left out, to the first that is not blank. */
static knng_status
skip_lines(knng_text *t, knng_err *err)
{
	knng_status status;
	if (t->opt->skip > 0 && (status = knng_text_rest(t, err)) != KNNG_OK)
		return status;
	for (int64_t l = 0; l < t->opt->skip; l++) {
		t->at += strcspn(t->at, "\n");
		if (*t->at == '\0')
			return knng_fail(err, KNNG_EARGS, "knng:args:option",
					 "'HeaderLines' is %lld, and %.200s has %lld lines", (long long)t->opt->skip,
					 t->path, (long long)(t->line - (t->at[-1] == '\n')));
		t->at++;
		t->line++;
	}
	knng_text_next_line(t);
	return *t->at == '\0' && t->opt->skip > 0 ? knng_fail(err, KNNG_EARGS, "knng:args:option",
							      "'HeaderLines' is %lld, which leaves nothing of %.200s",
							      (long long)t->opt->skip, t->path)
						  : KNNG_OK;
}

/* Whether a bar is in the first line. */
static bool
has_bar(const char *line)
{
	return memchr(line, '|', strcspn(line, "\n")) != NULL;
}

/* Whether the text is a page, for people to look at. */
static bool
is_page(const char *text)
{
	const char *p = text;
	while (is_blank(*p) || *p == '\n')
		p++;
	return knng_text_begins(p, "<!doctype html") || knng_text_begins(p, "<html");
}

static bool
knows(const knng_format *f, const knng_text *t)
{
	return f->looks_like(t->at) && (f->fits == NULL || f->fits(t->path));
}

/* The first format of a wanted kind that knows the beginning. With an option for tables it is a table unless another
 * data set. */
static const knng_format *
recognise(const knng_text *t, int kinds, knng_err *err)
{
	if ((kinds & KNNG_DATASET) && option_of_tables(t->opt) != NULL)
		kinds = KNNG_DATASET;
	char titles[480] = "", q[KNNG_QUOTED + 8];
	const knng_format *other = NULL;
	for (int i = 0; knng_formats[i] != NULL; i++) {
		const knng_format *f = knng_formats[i];
		bool wanted = (f->kind & kinds) != 0;
		if ((wanted || other == NULL) && knows(f, t)) {
			if (wanted)
				return f;
			other = f;
		}
		if (wanted && strlen(titles) + strlen(f->title) + 3 < sizeof titles) {
			strcat(titles, titles[0] != '\0' ? ", " : "");
			strcat(titles, f->title);
		}
	}
	if (option_of_tables(t->opt) != NULL)
		return &knng_format_table;
	if (is_page(t->at))
		knng_text_fail(
			t, err,
			"this is a page of the web (HTML): if a server sent it in place of the file, download the "
			"file again; if a table is in it, open it in a spreadsheet and save it as CSV");
	else if (other != NULL)
		knng_text_fail(t, err, "this is %s, which holds a %s, expected %s", other->title,
			       other->kind == KNNG_GRAPH ? "graph" : "data set", titles);
	else
		knng_text_fail(t, err, "found %s%s, expected the beginning of %s",
			       knng_text_quote(skip_blanks(t->at), skip_word(skip_blanks(t->at)), q),
			       !(kinds & KNNG_DATASET) ? ""
			       : has_bar(t->at)        ? " ('Delimiter', '|' reads a table of bars)"
						       : " ('HeaderLines' leaves a title out)",
			       titles);
	return NULL;
}

/* The number that a text of 'Missing' is where that sign is decimal; NaN: none. */
static double
number_said(const knng_text *t, char *copy, char point)
{
	knng_text as = *t;
	double value;
	as.point = point;
	const char *end = knng_text_number(&as, copy, &value);
	return end != NULL && *end == '\0' ? value : NAN;
}

/* What the options say is missing, to t->said; NULL where that is nothing. */
static knng_status
open_said(knng_text *t, knng_err *err)
{
	const knng_read_options *opt = t->opt;
	int64_t texts = 0;
	while (opt->missing != NULL && opt->missing[texts] != NULL)
		texts++;
	if (texts + opt->ncodes == 0)
		return KNNG_OK;
	knng_status status = knng_missing_open(&t->said, texts + opt->ncodes, err);
	for (int64_t i = 0; i < texts && status == KNNG_OK; i++) {
		const char *text = opt->missing[i];
		int64_t bytes = (int64_t)strlen(text) + 1;
		char *copy = knng_alloc(bytes, 1); /* the reader writes into what it reads */
		if (copy == NULL)
			return knng_fail_memory(err, "'Missing'", (double)bytes);
		memcpy(copy, text, (size_t)bytes);
		const double value[2] = {number_said(t, copy, '.'), number_said(t, copy, ',')};
		knng_free(copy);
		knng_missing_add(t->said, text, value, knng_text_is_missing(text, text + bytes - 1));
	}
	for (int64_t i = 0; i < opt->ncodes && status == KNNG_OK; i++)
		knng_missing_add(t->said, NULL, (double[2]){opt->codes[i], opt->codes[i]}, isnan(opt->codes[i]));
	return status;
}

/* knng:data:missing, of what no field was. */
static void
doubt_said(const knng_missing *said, const char *path, knng_err *doubt)
{
	const char *text;
	double value;
	char others[48] = "", q[KNNG_QUOTED + 8];
	int64_t unseen = knng_missing_unseen(said, &text, &value);
	if (unseen == 0)
		return;
	if (text != NULL)
		knng_text_quote(text, text + strlen(text), q);
	else
		for (int digits = 15; digits <= 17; digits++) {
			snprintf(q, sizeof q, "%.*g", digits, value);
			if (strtod(q, NULL) == value)
				break;
		}
	if (unseen > 1)
		snprintf(others, sizeof others, " (and %lld more of it)", (long long)unseen - 1);
	knng_fail(doubt, KNNG_OK, "knng:data:missing",
		  "'Missing' %s%s is nowhere in %.200s, names and texts in quotes aside: look how the file writes what "
		  "is missing",
		  q, others, path);
}

knng_status
knng_read(const char *path, int kinds, const knng_task *task, knng_content *content, knng_err *err)
{
	return knng_read_with(path, kinds, &(knng_read_options){0}, task, content, err);
}

knng_status
knng_read_with(const char *path, int kinds, const knng_read_options *opt, const knng_task *task, knng_content *content,
	       knng_err *err)
{
	knng_text t = {0};
	char matrix[PATH_MAX];
	const knng_format *f;
	knng_status status = KNNG_OK;

	*content = (knng_content){0};
	if (knng_is_folder(path) && opt->skip > 0)
		status = knng_fail(err, KNNG_EARGS, "knng:args:option",
				   "'HeaderLines' is for texts, and %.200s is a folder: leave it out", path);
	else if (knng_is_folder(path)) {
		status = knng_cells_in(path, matrix, err);
		path = matrix;
	}
	if (status != KNNG_OK)
		goto done;
	if ((status = knng_text_open(&t, path, task, err)) != KNNG_OK)
		goto done;
	t.opt = opt;
	if ((status = open_said(&t, err)) != KNNG_OK)
		goto done;
	t.point = t.opt->decimal == KNNG_DECIMAL_COMMA ? ',' : '.';
	if ((status = check_saved(&t, err)) != KNNG_OK || (status = check_choice(opt, err)) != KNNG_OK ||
	    (status = skip_lines(&t, err)) != KNNG_OK)
		goto done;
	if ((f = recognise(&t, kinds, err)) == NULL) {
		status = KNNG_EIO;
		goto done;
	}
	if ((status = check_options(&t, f, err)) != KNNG_OK)
		goto done;
	content->kind = f->kind;
	content->format = f->name;
	if ((status = knng_text_rest(&t, err)) == KNNG_OK)
		status = f->parse(&t, content, err);
	if (task != NULL && knng_task_poll(task, err) != KNNG_OK)
		status = KNNG_EINTERRUPTED;
	content->point = t.point;
	content->warning = t.warning;
	content->warnings = t.warnings;
	if (status == KNNG_OK && content->kind == KNNG_DATASET)
		status = knng_doubt(content, path, err);
	if (status == KNNG_OK && t.said != NULL)
		doubt_said(t.said, path, &content->doubts[KNNG_DOUBTS - 1]);
done:
	if (status != KNNG_OK)
		knng_content_free(content);
	knng_missing_close(t.said);
	knng_text_close(&t);
	return status;
}

void
knng_content_free(knng_content *content)
{
	knng_dataset *ds = &content->data;
	knng_free(ds->X);
	knng_free(ds->meta);
	knng_free(ds->text);
	knng_free(ds->strings);
	knng_free(ds->lists);
	knng_graph_free(&content->graph);
	*content = (knng_content){0};
}
