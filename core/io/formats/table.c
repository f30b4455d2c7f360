/* table.c  A table with a header, as spreadsheets, R and Python write them, separated by tabs, commas or semicolons, or
 * by blanks where the first line has none of these; quotes as in RFC 4180: a quoted field may hold separators and ends
 * of lines, and a quote is doubled in it. Above it may stand lines that begin with #, of which the last may be the
 * header, and, for spreadsheets, a line sep=X. */
#include "io/formats/fields.h"
#include "io/write.h"

#include <string.h>

/* ---- reading ---- */

/* The separator of the line: the tab, else what there is more of, the comma or the semicolon, else blanks between
 * words;
 * '\0' if none. */
static char
find_separator(const char *p)
{
	int64_t commas = 0, semicolons = 0;
	bool inside = false, blank = false, text = false, words = false;
	for (; *p != '\0' && (*p != '\n' || inside); p++) {
		words |= text && blank && *p != ' ';
		text |= *p != ' ';
		if (*p == '"')
			inside = !inside;
		else if (!inside && *p == '\t')
			return '\t';
		else if (!inside) {
			commas += *p == ',';
			semicolons += *p == ';';
			blank = *p == ' ';
		}
	}
	return semicolons > commas ? ';' : commas > 0 ? ',' : words ? ' ' : '\0';
}

/* The line after this one that has more than blanks, or the end of the text. */
static const char *
line_below(const char *p)
{
	for (p += strcspn(p, "\n"); *p == '\n'; p += is_end(*skip_blanks(p)) ? strcspn(p, "\n") : 0)
		p++;
	return p;
}

/* The separator that a line sep=X, which spreadsheets understand, gives; '\0' if this is none. */
static char
given_separator(const char *p)
{
	return knng_text_begins(p, "sep=") && !is_end(p[4]) && is_end(p[5]) ? p[4] : '\0';
}

static bool
is_comment(const char *line)
{
	return *skip_blanks(line) == '#';
}

extern const knng_format knng_format_knn; /* whose files are none of ours */

static bool
table_looks_like(const char *text)
{
	if (given_separator(text))
		return true;
	while (is_comment(text))
		text = line_below(text);
	/* what begins so is a page of a web server, XML, JSON, SOFT, … */
	if (*text == '\0' || strchr("<{[^%@", *skip_blanks(text)) != NULL)
		return false;
	char separator = find_separator(text);
	if (separator != ' ')
		return separator != '\0';
	/* Any text has blanks. Two that begin graphs are none: the sizes of a list of edges would name samples, and
	 * what made a GML, whose version follows, a column. Else, below a header or in the only line, there has to be a
	 * number or a missing value. */
	if (knng_format_knn.looks_like(text) || knng_text_begins(skip_blanks(text), "creator "))
		return false;
	const char *row = line_below(text), *word = row = skip_blanks(*row != '\0' ? row : text);
	while (!is_end(*row)) {
		word = row;
		row = skip_blanks(skip_word(row));
	}
	return is_digit(word[strspn(word, "+-.")]) || knng_text_begins(word, "na") || knng_text_begins(word, "inf");
}

/* What a line has, found without changing it. */
typedef struct {
	int64_t fields, numbers; /* numbers and missing values, not in quotes */
	bool first_number, first_empty, last_empty, quoted;
	char *end;
} outline;

/* The line at p; no further than the first field, if `first_only` and that is no number. */
static outline
look_at(const knng_text *t, char *p, char separator, bool first_only)
{
	outline o = {0};
	for (;; p++) {
		while (knng_field_is_space(*p, separator))
			p++;
		char *begin = p;
		double value;
		if (*p == '"') {
			o.quoted = true;
			for (p++; *p != '\0' && (*p != '"' || p[1] == '"'); p++)
				p += *p == '"';
		}
		while (!knng_field_divides(*p, separator) && !is_end(*p))
			p++;
		char *end = p;
		while (end > begin && knng_field_is_space(end[-1], separator))
			end--;
		bool number = *begin != '"' && knng_text_value(t, begin, end, &value);
		o.fields++;
		o.numbers += number;
		o.last_empty = end == begin;
		if (o.fields == 1) {
			o.first_number = number;
			o.first_empty = end == begin;
		}
		if (first_only && !o.first_number) /* that settles it */
			return o;
		while (separator == ' ' && is_blank(*p) && is_blank(p[1]))
			p++;
		if (!knng_field_divides(*p, separator) || (separator == ' ' && is_end(p[1])))
			break;
	}
	o.end = p;
	return o;
}

/* Is the first field of every row from here on a number, or missing? */
static bool
first_column_is_numbers(const knng_text *t, char separator)
{
	knng_text rows = *t;
	for (knng_text_next_line(&rows); *rows.at != '\0'; knng_text_next_line(&rows)) {
		outline o = look_at(&rows, rows.at, separator, true);
		if (!o.first_number)
			return false;
		rows.at = o.end;
	}
	return true;
}

/* Goes to the first line of the table and finds its separator. Of the comments above it the last is the header if it
 * has as many fields as the first row, or one less, and that row has a number. */
static char
table_top(knng_text *t)
{
	char separator = given_separator(t->at), *comment = NULL;
	int64_t line = 0;
	if (separator != '\0') {
		t->at += strcspn(t->at, "\n");
		knng_text_next_line(t);
	}
	while (is_comment(t->at)) {
		comment = skip_blanks(t->at) + 1;
		line = t->line;
		t->at += strcspn(t->at, "\n");
		knng_text_next_line(t);
	}
	if (separator == '\0')
		separator = find_separator(t->at);
	if (comment == NULL || *t->at == '\0' || separator == '\0')
		return separator;
	while (*comment == '#')
		comment++;
	outline above = look_at(t, comment, separator, false), row = look_at(t, t->at, separator, false);
	if (row.numbers > 0 && above.fields > 1 && (above.fields == row.fields || above.fields + 1 == row.fields)) {
		t->at = comment;
		t->line = line;
	}
	return separator;
}

/* What the first two lines say of a table. */
typedef struct {
	char separator;
	bool header, corner; /* the first line is one; it has a field above the names of rows */
	bool first_empty;    /* that field, or the first at all, is empty */
	int64_t fields;      /* of the first line */
} top_lines;

/* The first line, at t->at, against the one below it. A first line of numbers alone is a row, unless the rows have one
 * field more: then it names samples 1, 2, … */
static knng_status
look_at_top(knng_text *t, char separator, top_lines *top, knng_err *err)
{
	outline first = look_at(t, t->at, separator, false), second = {0};
	knng_text below = *t;
	for (const char *p = t->at; p < first.end; p++) /* in quotes */
		below.line += *p == '\n';
	below.at = first.end;
	knng_text_next_line(&below);
	if (*below.at != '\0')
		second = look_at(&below, below.at, separator, false);

	bool corner = second.fields != first.fields + 1;
	bool header = first.quoted || first.first_empty || first.numbers < first.fields || !corner;
	*top = (top_lines){separator, header, corner, first.first_empty, first.fields};
	if (header && !corner && second.last_empty) {
		t->line = below.line;
		return knng_text_fail(t, err,
				      "found a separator at the end, which the header has not; remove it, or put "
				      "one there too");
	}
	if (header && first.numbers == first.fields - 1 && !first.first_number && !first.first_empty &&
	    first.fields > 1)
		knng_text_warn(t, t->line,
			       "the names of the samples are numbers; if this is a row of values, put a header "
			       "above it");
	return KNNG_OK;
}

/* The names of the columns, if there are any; *values, how many values a row has. */
static knng_status
table_header(knng_builder *b, const top_lines *top, int64_t *values, knng_err *err)
{
	knng_text *t = b->t;
	knng_status status;
	*values = top->fields;
	if (!top->header)
		return KNNG_OK;
	b->samples = t->kept;
	if ((status = knng_fields_keep(t, top->separator, values, err)) != KNNG_OK)
		return status;
	if (!top->corner || top->first_empty || !first_column_is_numbers(t, top->separator))
		b->width = 1;
	if (b->width == 1 && top->corner) {
		b->samples++;
		--*values;
	}
	return *values >= 1 ? KNNG_OK : knng_text_fail(t, err, "found no names of columns of values");
}

static knng_status
table_rows(knng_builder *b, char separator, knng_err *err)
{
	knng_text *t = b->t;
	for (knng_text_next_line(t); *t->at != '\0'; knng_text_next_line(t)) {
		knng_status status = knng_fields_row(b, separator, false, err);
		if (status != KNNG_OK)
			return status;
	}
	return b->records > 0 ? KNNG_OK : knng_text_fail_truncated(t, "the first row of values", err);
}

static knng_status
table_parse(knng_text *t, knng_content *content, knng_err *err)
{
	knng_builder b = {.t = t, .ds = &content->data, .names = -1, .samples = -1, .classes = -1};
	char separator = table_top(t);
	top_lines top;
	int64_t values;
	knng_status status;
	if (*t->at == '\0')
		return knng_text_fail_truncated(t, "the first row of values", err);
	if ((status = look_at_top(t, separator, &top, err)) != KNNG_OK ||
	    (status = table_header(&b, &top, &values, err)) != KNNG_OK)
		goto done;
	b.names = b.width == 1 ? t->kept : -1;
	b.why = !top.header  ? ", as in the first row"
		: top.corner ? ", as in the header"
			     : ": the header's and one for the name, as in the row below the header";
	if ((status = knng_builder_size(&b, knng_fields_rows(t, values), values, err)) == KNNG_OK &&
	    (status = table_rows(&b, separator, err)) == KNNG_OK)
		status = knng_builder_finish(&b, err);
done:
	knng_builder_free(&b);
	return status;
}

/* ---- writing ---- */

/* In quotes in any case, so that a name that is a number is none. */
static bool
table_spell(writer *w, const char *text)
{
	if (strchr(text, '\r') != NULL)
		return false;
	put(w, "\"");
	for (; *text != '\0'; text++) {
		room(w, KNNG_PUT_ROOM);
		if (*text == '"')
			*w->at++ = '"';
		*w->at++ = *text;
	}
	put(w, "\"");
	return true;
}

/* An empty first field of the header says that the first column has names. One column of values alone has them too:
 * without a separator nothing is a table. */
static void
table_write(writer *w, const char *separator)
{
	bool named = w->ds->names != NULL || w->ds->ncols == 1;
	put(w, named ? separator : "");
	knng_put_columns(w, w->ds->samples, separator);
	put(w, "\n");
	knng_put_rows(w, named, "", separator);
}

static void
csv_write(writer *w)
{
	table_write(w, ",");
}

static void
tsv_write(writer *w)
{
	table_write(w, "\t");
}

static const knng_writing writing[] = {
	{.name = "csv", .nan = "NA", .holds = NAMES, .spell = table_spell, .head = csv_write},
	{.name = "tsv", .nan = "NA", .holds = NAMES, .spell = table_spell, .head = tsv_write},
	{.name = NULL},
};

const knng_format knng_format_table = {
	.name = "table",
	.title = "a table separated by tabs, commas, semicolons or, where lines end in numbers, blanks",
	.kind = KNNG_DATASET,
	.looks_like = table_looks_like,
	.parse = table_parse,
	.write = writing,
};
