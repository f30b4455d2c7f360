/* table.c  A table with a header, as spreadsheets, R and Python write them, separated by tabs, commas or semicolons, or
 * by blanks where the first line has none of these; quotes as in RFC 4180: a quoted field may hold separators and ends
 * of lines, and a quote is doubled in it. Above it may stand lines that begin with #, of which the last may be the
 * header, and, for spreadsheets, a line sep=X. */
#include "io/formats/fields.h"
#include "io/write.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- reading ---- */

/* The separator of the line: the tab, else what there is more of, the comma or the semicolon, else blanks between
 * words; '\0' if none. */
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

/* The field at *at, found without changing it, so that a quote in quotes is doubled; and goes behind it. */
static knng_field
peek(char **at, char separator)
{
	char *p = *at;
	while (knng_field_is_space(*p, separator))
		p++;
	knng_field f = {.begin = p, .end = p, .quoted = *p == '"'};
	if (f.quoted) {
		for (f.begin = ++p; *p != '\0' && (*p != '"' || p[1] == '"'); p++)
			p += *p == '"';
		f.end = p;
	}
	while (!knng_field_divides(*p, separator) && !is_end(*p))
		p++;
	*at = p;
	while (!f.quoted && p > f.begin && knng_field_is_space(p[-1], separator))
		p--;
	f.end = f.quoted ? f.end : p;
	return f;
}

/* Goes over the separator at *at; false if there is none, or nothing but the end of the line behind it. */
static bool
peek_on(char **at, char separator)
{
	char *p = *at;
	while (separator == ' ' && is_blank(*p) && is_blank(p[1]))
		p++;
	bool more = knng_field_divides(*p, separator) && !(separator == ' ' && is_end(p[1]));
	*at = p + more;
	return more;
}

/* What a line has, found without changing it. */
typedef struct {
	int64_t fields, numbers; /* numbers and missing values, not in quotes */
	int64_t filled;          /* fields up to the last that is not empty */
	bool first_number, first_empty, last_empty, quoted;
	char *end;
} outline;

static outline
look_at(const knng_text *t, char *p, char separator)
{
	outline o = {0};
	do {
		knng_field f = peek(&p, separator);
		double value;
		bool number = !f.quoted && knng_text_value(t, f.begin, f.end, &value);
		o.quoted |= f.quoted;
		o.fields++;
		o.numbers += number;
		o.last_empty = !f.quoted && f.end == f.begin;
		if (f.end > f.begin)
			o.filled = o.fields;
		if (o.fields == 1) {
			o.first_number = number;
			o.first_empty = o.last_empty;
		}
	} while (peek_on(&p, separator));
	o.end = p;
	return o;
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
	outline above = look_at(t, comment, separator), row = look_at(t, t->at, separator);
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
	bool row;            /* it may be one of values: all is numbers but a name at its beginning */
	int64_t fields;      /* of a row, as the first line says */
} top_lines;

/* The first line, at t->at, against the one below it. A first line of numbers alone is a row, unless the rows have one
 * field more: then it names samples 1, 2, … */
static knng_status
look_at_top(knng_text *t, char separator, top_lines *top, knng_err *err)
{
	outline first = look_at(t, t->at, separator), second = {0};
	knng_text below = *t;
	knng_text_advance(&below, first.end);
	knng_text_next_line(&below);
	if (*below.at != '\0')
		second = look_at(&below, below.at, separator);

	bool corner = second.fields != first.fields + 1;
	bool header = first.quoted || first.first_empty || first.numbers < first.fields || !corner;
	*top = (top_lines){
		.separator = separator,
		.header = header,
		.corner = corner,
		.first_empty = first.first_empty,
		.row = header && first.numbers == first.fields - 1 && !first.first_number && !first.first_empty &&
		       first.fields > 1,
		.fields = header ? first.filled + !corner : first.fields,
	};
	if (header && !corner && second.last_empty) {
		t->line = below.line;
		return knng_text_fail(t, err,
				      "found a separator at the end, which the header has not; remove it, or put "
				      "one there too");
	}
	return KNNG_OK;
}

/* What a field or a column holds. Missing values tell nothing. */
typedef enum { MISSING, NUMBER, TEXT } kind;

/* What only a misspelt number can be, such as 1,5 or 10%, counts as one, to be refused where it is read. */
static kind
kind_of(const knng_text *t, const knng_field *f)
{
	double value;
	if (knng_text_value(t, f->begin, f->end, &value))
		return isnan(value) ? MISSING : NUMBER;
	const char *p = f->begin + strspn(f->begin, "+-");
	p += strspn(p, ".,");
	if (!is_digit(*p))
		return TEXT;
	p += strspn(p, "0123456789., ");
	if (lower(*p) == 'e') {
		p++;
		p += strspn(p, "+-");
		p += strspn(p, "0123456789");
	}
	p += strspn(p, " %");
	return p >= f->end ? NUMBER : TEXT;
}

static bool
is_a_to_z(char c)
{
	return lower(c) >= 'a' && lower(c) <= 'z';
}

/* Does the name of a column say that it has names of rows, such as Gene ID, entrez_id, probeId, genes or ID_REF? */
static bool
is_for_names(const char *name, const char *end)
{
	static const char *const words[] = {"accession",  "entrez", "entrezgene", "feature", "gene",       "id",
					    "identifier", "idref",  "name",       "patient", "probe",      "probeset",
					    "rowname",    "sample", "subject",    "symbol",  "transcript", "unnamed0"};
	char word[16];
	size_t length = 0;
	if (end - name > 2 && knng_text_is(end - 2, end, "id") &&
	    (!is_a_to_z(end[-3]) || (end[-2] == 'I' && lower(end[-3]) == end[-3])))
		return true;
	for (; name < end && length < sizeof word - 1; name++)
		if (is_a_to_z(*name) || is_digit(*name))
			word[length++] = lower(*name);
	length -= name == end && length > 0 && word[length - 1] == 's';
	for (int without = 0; name == end && without < 2; without++) {
		word[length] = '\0';
		for (size_t w = 0; w < sizeof words / sizeof *words; w++)
			if (strcmp(word, words[w]) == 0)
				return true;
		length -= length > 2 && strcmp(word + length - 2, "id") == 0 ? 2 : 0; /* geneid */
	}
	return false;
}

/* Are the first fields of the rows below the line at t->at names? They are if one is no number, or if all are whole
 * numbers or missing and the header says so. */
static bool
first_column_is_names(const knng_text *t, char separator)
{
	knng_text rows = *t;
	bool whole = false, any = false;
	for (bool header = true; *rows.at != '\0'; header = false) {
		char *p = rows.at;
		double value = NAN;
		knng_field f = peek(&p, separator);
		if (header)
			whole = is_for_names(f.begin, f.end);
		else if (f.quoted || !knng_text_value(&rows, f.begin, f.end, &value))
			return true;
		whole = whole && (isnan(value) || (value >= 0 && value <= DBL_MAX && value == floor(value)));
		any |= !isnan(value);
		while (peek_on(&p, separator))
			peek(&p, separator);
		knng_text_advance(&rows, p);
		knng_text_next_line(&rows);
	}
	return whole && any;
}

/* What is being read. */
typedef struct {
	knng_builder b;
	top_lines top;
	int64_t values, texts; /* columns of values, and of texts beside that of names */
	int64_t *since;        /* of every field of a row: in which line its column of texts begins; 0: it is none */
	int64_t *sample_of;
} table;

static const char columns_of_a_table[] = "the columns of a table";

/* Finds the columns of texts: those whose first field that is not missing is one. If no column of values were left,
 * there are none, and the first text is refused. t->at is at the header. */
static void
find_texts(table *s)
{
	enum { UNKNOWN = -1 };
	knng_text rows = *s->b.t;
	char separator = s->top.separator;
	int64_t fields = s->top.fields, named = s->b.width, unknown = fields - named;
	for (int64_t i = 0; i < fields; i++)
		s->since[i] = i < named ? 1 : UNKNOWN;
	for (bool header = true; *rows.at != '\0' && unknown > 0; header = false) {
		char *p = rows.at;
		for (int64_t i = 0; i == 0 || peek_on(&p, separator); i++) {
			knng_field f = peek(&p, separator);
			kind c = MISSING;
			if (!header && i < fields && s->since[i] == UNKNOWN)
				c = kind_of(&rows, &f);
			knng_text_advance(&rows, p);
			if (c == MISSING)
				continue;
			s->since[i] = c == TEXT ? rows.line : 0;
			s->texts += c == TEXT;
			unknown--;
		}
		knng_text_advance(&rows, p);
		knng_text_next_line(&rows);
	}
	bool none = named + s->texts == fields;
	for (int64_t i = named; i < fields; i++)
		if (none || s->since[i] == UNKNOWN)
			s->since[i] = 0;
	s->texts = none ? 0 : s->texts;
}

/* Are the names above all columns of values numbers? */
static bool
samples_are_numbers(const table *s)
{
	const knng_text *t = s->b.t;
	char *p = t->at;
	double value;
	for (int64_t i = 0; i < s->top.fields; i++, peek_on(&p, s->top.separator)) {
		knng_field f = peek(&p, s->top.separator);
		if (s->since[i] == 0 && (f.quoted || !knng_text_value(t, f.begin, f.end, &value)))
			return false;
	}
	return true;
}

/* The names of samples, and the keys of the columns of texts, among the strings of the header, which begin at this one.
 */
static knng_status
divide_header(table *s, int64_t header, knng_err *err)
{
	knng_builder *b = &s->b;
	int64_t column = 0, sample = 0, lacks = !s->top.corner;
	b->samples = header + b->width - lacks;
	if (s->texts == 0)
		return KNNG_OK;
	if ((s->sample_of = knng_text_room(s->values, sizeof *s->sample_of, columns_of_a_table, err)) == NULL)
		return KNNG_EMEMORY;
	for (int64_t i = b->width; i < s->top.fields; i++) {
		int64_t name = header + i - lacks;
		if (s->since[i] == 0) {
			s->sample_of[sample++] = name;
			continue;
		}
		knng_meta_line line = {.name = name, .column = column + 1, .line = b->t->line};
		knng_status status = knng_builder_meta(b, line, err);
		if (status != KNNG_OK)
			return status;
		column++;
	}
	b->sample_of = s->sample_of;
	b->texts = s->since;
	b->unnamed = b->width == 0;
	b->width += s->texts;
	return KNNG_OK;
}

/* What each column has, and its name. */
static knng_status
table_header(table *s, knng_err *err)
{
	knng_builder *b = &s->b;
	knng_text *t = b->t;
	const top_lines *top = &s->top;
	int64_t header = t->kept, count;
	b->width = !top->corner || top->first_empty || first_column_is_names(t, top->separator);
	if (top->fields <= b->width)
		return knng_text_fail(t, err, "found no names of columns of values");
	if ((s->since = knng_text_room(top->fields, sizeof *s->since, columns_of_a_table, err)) == NULL)
		return KNNG_EMEMORY;
	find_texts(s);
	s->values = top->fields - b->width - s->texts;
	if (top->row || (s->texts > 0 && top->corner && !top->first_empty && samples_are_numbers(s)))
		knng_text_warn(t, t->line,
			       "the names of the samples are numbers; if this is a row of values, put a header "
			       "above it");
	knng_status status = knng_fields_keep(t, top->separator, &count, err);
	return status == KNNG_OK ? divide_header(s, header, err) : status;
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
	table s = {.b = {.t = t, .ds = &content->data, .names = -1, .samples = -1, .classes = -1}};
	knng_builder *b = &s.b;
	char separator = table_top(t);
	knng_status status;
	if (*t->at == '\0')
		return knng_text_fail_truncated(t, "the first row of values", err);
	if ((status = look_at_top(t, separator, &s.top, err)) != KNNG_OK)
		goto done;
	s.values = s.top.fields;
	if (s.top.header && (status = table_header(&s, err)) != KNNG_OK)
		goto done;
	b->names = b->width > 0 ? t->kept : -1;
	b->why = !s.top.header  ? ", as in the first row"
		 : s.top.corner ? ", as in the header"
				: ": the header's and one for the name, as in the row below the header";
	if ((status = knng_builder_size(b, knng_fields_rows(t, s.values), s.values, err)) == KNNG_OK &&
	    (status = table_rows(b, separator, err)) == KNNG_OK)
		status = knng_builder_finish(b, err);
done:
	knng_builder_free(b);
	knng_free(s.since);
	knng_free(s.sample_of);
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
 * without a separator nothing is a table; so has a first sample that would be taken for them. */
static void
table_write(writer *w, const char *separator)
{
	const char *first = w->ds->samples != NULL ? w->ds->samples[0] : "";
	bool named = w->ds->names != NULL || w->ds->ncols == 1 || is_for_names(first, first + strlen(first));
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
