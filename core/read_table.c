/* read_table.c  Formats whose fields are separated by one character: series matrix files of GEO, GCT, and tables with a
 * header, as spreadsheets, R and Python write them.
 *
 * A GEO series matrix, separated by tabs, text in double quotes:
 *
 *     !Series_title  "…"                      (lines of metadata: a key and its values)
 *     !Sample_title  "…"  "…"                 (one value a sample)
 *     !series_matrix_table_begin
 *     "ID_REF"  "GSM1"  "GSM2"
 *     "1007_s_at"  10.1  null                 (missing: null, nothing)
 *     !series_matrix_table_end
 *
 * GCT, separated by tabs (1.2 has no sizes p and q: p = 1, q = 0):
 *
 *     #1.3
 *     n  d  p  q
 *     id  P_1 … P_p  s_1 … s_d                (1.2: Name Description s_1 … s_d)
 *     Q_i  na … na  v_1 … v_d                 (q lines of metadata of the columns)
 *     name  w_1 … w_p  v_1 … v_d              (n rows)
 *
 * A table, separated by tabs, commas or semicolons, or by blanks where the first line has none of these; quotes as in
 * RFC 4180: a quoted field may hold separators and ends of lines, and a quote is doubled in it. Above it may stand
 * lines that begin with #, of which the last may be the header, and, for spreadsheets, a line sep=X.
 *
 * Room for the rows is claimed by what the text can hold: every row takes a line, and a byte a value. A fault in
 * metadata is a warning. */
#include "read.h"

#include <string.h>

/* ---- fields ---- */

/* The separator ' ' is any run of blanks, and no field is empty unless in quotes. */
static bool
divides(char c, char separator)
{
	return c == separator || (separator == ' ' && c == '\t');
}

/* Is it a blank that means nothing before a field? */
static bool
is_space(char c, char separator)
{
	return c == ' ' || (c == '\t' && separator != '\t');
}

/* A field as it was written: [begin, end) without blanks around it, or what stands in its quotes. */
typedef struct {
	char *begin, *end;
	bool quoted;
} field;

/* The field at t->at, and goes to the separator or the end of the line behind it. */
static knng_status
next_field(knng_text *t, char separator, field *f, knng_err *err)
{
	char *p = t->at, q[KNNG_QUOTED + 8];
	while (is_space(*p, separator))
		p++;
	f->quoted = *p == '"';
	if (!f->quoted) {
		f->begin = p;
		while (!divides(*p, separator) && !is_end(*p))
			p++;
		t->at = p;
		while (p > f->begin && is_space(p[-1], separator))
			p--;
		f->end = p;
		return KNNG_OK;
	}
	int64_t line = t->line;
	f->begin = f->end = ++p;
	for (; *p != '"' || p[1] == '"'; p++) {
		if (*p == '\0') {
			t->line = line;
			return knng_text_fail(t, err, "the quote before %s is not closed",
					      knng_text_quote(f->begin, f->end, q));
		}
		t->line += *p == '\n';
		if (f->end != p)
			*f->end = *p;
		f->end++;
		p += *p == '"';
	}
	for (p++; is_space(*p, separator) && !divides(*p, separator); p++) {
	}
	if (!divides(*p, separator) && !is_end(*p))
		return knng_text_fail(t, err,
				      "found %s after a closing quote, expected a separator; a quote inside quotes is "
				      "written twice",
				      knng_text_quote(p, skip_word(p), q));
	t->at = p;
	return KNNG_OK;
}

/* Goes over the separator at t->at, if there is one; blanks at the end of a line separate nothing. */
static bool
next_separator(knng_text *t, char separator)
{
	if (!divides(*t->at, separator))
		return false;
	t->at++;
	if (separator != ' ')
		return true;
	t->at = skip_blanks(t->at);
	return !is_end(*t->at);
}

/* Keeps the fields that are left in the line; their number without empty ones at its end. */
static knng_status
keep_fields(knng_text *t, char separator, int64_t *count, knng_err *err)
{
	int64_t all = 0;
	*count = 0;
	do {
		field f;
		knng_status status = next_field(t, separator, &f, err);
		if (status != KNNG_OK)
			return status;
		knng_text_keep(t, f.begin, f.end);
		all++;
		if (f.end > f.begin)
			*count = all;
	} while (next_separator(t, separator));
	return KNNG_OK;
}

/* A field of metadata, in which quotes are not always right: none goes past its line. In quotes it ends in a quote
 * before a tab or the end of the line. Where no such quote comes, it ends at the tab, and no later one of the line has
 * it either: *quotes, true at the beginning of a line, becomes false. */
static field
loose_field(knng_text *t, bool *quotes)
{
	char *p = t->at, *end;
	while (*p == ' ')
		p++;
	if (*quotes && *p == '"') {
		for (end = p + 1; !is_end(*end); end++)
			if (*end == '"' && (end[1] == '\t' || is_end(end[1]))) {
				t->at = end + 1;
				return (field){.begin = p + 1, .end = end, .quoted = true};
			}
		*quotes = false;
	}
	for (end = p; *end != '\t' && !is_end(*end); end++) {
	}
	t->at = end;
	while (end > p && end[-1] == ' ')
		end--;
	return (field){.begin = p, .end = end};
}

/* Keeps those that are left in the line; their number, without empty ones at its end beyond `want`. */
static int64_t
keep_loose_fields(knng_text *t, int64_t want)
{
	int64_t all = 0, count = 0;
	bool quotes = true;
	do {
		field f = loose_field(t, &quotes);
		knng_text_keep(t, f.begin, f.end);
		all++;
		if (f.end > f.begin || all <= want)
			count = all;
	} while (next_separator(t, '\t'));
	return count;
}

/* ---- rows ---- */

/* How many rows of d values the rest of the text can hold at most. */
static int64_t
possible_rows(const knng_text *t, int64_t d)
{
	int64_t lines = 1, bytes = t->end - t->at + 1;
	for (const char *p = t->at; (p = memchr(p, '\n', (size_t)(t->end - p))) != NULL; p++)
		lines++;
	int64_t rows = lines < bytes / d ? lines : bytes / d;
	return rows > 0 ? rows : 1;
}

static knng_status
fail_fields(const knng_builder *b, int64_t have, knng_err *err)
{
	const knng_text *t = b->t;
	if (have < b->width + b->values && knng_text_is_last_line(t, t->at))
		return knng_text_fail_truncated(t, "the end of a row", err);
	return knng_text_fail(t, err, "found %s%lld fields, expected %lld%s",
			      have > b->width + b->values ? "at least " : "", (long long)have,
			      (long long)(b->width + b->values), b->why != NULL ? b->why : "");
}

/* A row, at t->at: as many strings as the builder wants, kept, then its values. Empty fields behind them are nothing.
 */
static knng_status
parse_row(knng_builder *b, char separator, bool loose, knng_err *err)
{
	knng_text *t = b->t;
	double *v = knng_builder_next(b);
	char q[KNNG_QUOTED + 8];
	knng_status status;
	bool quotes = true;
	field f;

	for (int64_t i = 0; i < b->width + b->values; i++) {
		if (i > 0 && !next_separator(t, separator))
			return fail_fields(b, i, err);
		if (i < b->width) {
			if (loose)
				f = loose_field(t, &quotes);
			else if ((status = next_field(t, separator, &f, err)) != KNNG_OK)
				return status;
			knng_text_keep(t, f.begin, f.end);
			continue;
		}
		double *to = &v[i - b->width];
		char *end = knng_text_number(t, t->at, to);
		if (end != NULL && (divides(*end, separator) || is_end(*end))) {
			t->at = end;
			continue;
		}
		if ((status = next_field(t, separator, &f, err)) != KNNG_OK)
			return status;
		if (!knng_text_value(t, f.begin, f.end, to))
			return knng_text_fail(t, err,
					      "found %s in field %lld, expected a number (with a decimal point), or "
					      "NA for a missing value",
					      knng_text_quote(f.begin, f.end, q), (long long)i + 1);
	}
	while (next_separator(t, separator)) {
		if ((status = next_field(t, separator, &f, err)) != KNNG_OK)
			return status;
		if (f.end > f.begin)
			return fail_fields(b, b->width + b->values + 1, err);
	}
	knng_builder_done(b);
	return KNNG_OK;
}

/* ---- GEO ---- */

static bool
geo_looks_like(const char *text)
{
	return *skip_blanks(text) == '!';
}

/* The line of metadata at t->at, behind its '!'. */
static knng_status
geo_line(knng_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	char q[KNNG_QUOTED + 8], *key = t->at, *end = skip_word(key);
	int64_t name = t->kept, line = t->line, count = 0;
	if (end == key) {
		knng_text_warn(t, line, "found %s after !, expected a key; the line is not used",
			       knng_text_quote(key, end, q));
		t->at += strcspn(t->at, "\n");
		return KNNG_OK;
	}
	t->at = end;
	knng_text_keep(t, key, end);
	if (!is_end(*(t->at = skip_blanks(end)))) {
		t->at = *end == '\t' ? end + 1 : t->at; /* tabs at once may be empty values */
		count = keep_loose_fields(t, INT64_MAX);
	}
	return knng_builder_meta(b, (knng_meta_line){.name = name, .first = name + 1, .count = count, .line = line},
				 err);
}

/* The lines before the table, and the one that begins it. */
static knng_status
geo_head(knng_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	char q[KNNG_QUOTED + 8];
	for (;;) {
		knng_status status;
		knng_text_next_line(t);
		char *p = skip_blanks(t->at);
		if (*p == '\0')
			return knng_text_fail_truncated(t, "!series_matrix_table_begin", err);
		if (*p == '!') {
			t->at = p + 1;
			if (knng_text_is(t->at, skip_word(t->at), "series_matrix_table_begin")) {
				t->at += strcspn(t->at, "\n");
				knng_text_next_line(t);
				return KNNG_OK;
			}
			if ((status = geo_line(b, err)) != KNNG_OK)
				return status;
			continue;
		}
		if (knng_text_begins(p + (*p == '"'), "id_ref")) {
			knng_text_warn(t, t->line, "the table begins without a line !series_matrix_table_begin");
			return KNNG_OK;
		}
		knng_text_warn(t, t->line, "found %s, expected a line that begins with !; it is not used",
			       knng_text_quote(p, skip_word(p), q));
		t->at += strcspn(t->at, "\n");
	}
}

/* The line of names, the rows, and the line that ends them. */
static knng_status
geo_table(knng_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	int64_t header;
	knng_status found;
	b->samples = t->kept + 1;
	if ((found = keep_fields(t, '\t', &header, err)) != KNNG_OK)
		return found;
	if (header < 2)
		return knng_text_fail(t, err, "found a table without samples, expected ID_REF and their names");
	b->names = t->kept;
	if ((found = knng_builder_size(b, possible_rows(t, header - 1), header - 1, err)) != KNNG_OK)
		return found;
	for (;;) {
		knng_status status;
		knng_text_next_line(t);
		if (*t->at == '\0')
			return knng_text_fail_truncated(t, "!series_matrix_table_end", err);
		if (*t->at != '!') {
			if ((status = parse_row(b, '\t', false, err)) != KNNG_OK)
				return status;
			continue;
		}
		t->at++;
		bool end = knng_text_is(t->at, skip_word(t->at), "series_matrix_table_end");
		if (!end)
			return knng_text_fail_found(t, t->at - 1, "a row, or !series_matrix_table_end", err);
		t->at += strcspn(t->at, "\n");
		return KNNG_OK;
	}
}

static knng_status
geo_parse(knng_text *t, knng_content *content, knng_err *err)
{
	knng_builder b = {.t = t, .ds = &content->data, .names = -1, .samples = -1, .classes = -1, .width = 1};
	char q[KNNG_QUOTED + 8];
	knng_status status;

	if ((status = geo_head(&b, err)) != KNNG_OK)
		goto done;
	status = geo_table(&b, err);
	if (status == KNNG_EIO && knng_text_is_last_line(t, t->at))
		status = knng_text_fail_truncated(t, "!series_matrix_table_end", err);
	if (status != KNNG_OK)
		goto done;
	if (b.records == 0) {
		status = knng_text_fail(
			t, err,
			"the table has no rows: the values of this series are not in its matrix file, but "
			"in its supplementary files");
		goto done;
	}
	for (;;) {
		knng_text_next_word(t);
		if (*t->at != '!')
			break;
		t->at++;
		if ((status = geo_line(&b, err)) != KNNG_OK)
			goto done;
	}
	if (*t->at != '\0') {
		status = knng_text_fail(t, err, "found %s, expected nothing after !series_matrix_table_end",
					knng_text_quote(t->at, skip_word(t->at), q));
		goto done;
	}
	if ((status = knng_builder_finish(&b, err)) != KNNG_OK)
		goto done;
	for (int64_t l = 0; l < content->data.nmeta; l++) {
		const knng_meta *m = &content->data.meta[l];
		if (knng_text_begins(m->key, "sample_") && m->count != b.values)
			knng_text_warn(t, m->line, "found %lld values of %.40s, expected %lld, one a sample",
				       (long long)m->count, m->key, (long long)b.values);
	}
done:
	knng_builder_free(&b);
	return status;
}

const knng_format knng_format_geo = {"geo", "a series matrix of GEO (!Series_…)", KNNG_DATASET, geo_looks_like,
				     geo_parse};

/* ---- GCT ---- */

static bool
gct_looks_like(const char *text)
{
	text = skip_blanks(text);
	return text[0] == '#' && text[1] == '1' && text[2] == '.' && is_digit(text[3]);
}

/* The q lines of metadata of the columns; before the values they have p fields that mean nothing. */
static knng_status
gct_columns(knng_builder *b, int64_t p, int64_t q, knng_err *err)
{
	knng_text *t = b->t;
	for (; q > 0; q--) {
		knng_text_next_line(t);
		if (*t->at == '\0')
			return knng_text_fail_truncated(t, "the rows", err);
		bool quotes = true;
		field f = loose_field(t, &quotes);
		int64_t name = knng_text_keep(t, f.begin, f.end), count = 0;
		for (int64_t i = 0; i < p && next_separator(t, '\t'); i++)
			loose_field(t, &quotes);
		if (next_separator(t, '\t'))
			count = keep_loose_fields(t, b->values);
		if (count != b->values)
			knng_text_warn(t, t->line, "found %lld values, expected %lld, one a sample", (long long)count,
				       (long long)b->values);
		knng_status status = knng_builder_meta(
			b, (knng_meta_line){.name = name, .first = name + 1, .count = count, .line = t->line}, err);
		if (status != KNNG_OK)
			return status;
	}
	return KNNG_OK;
}

static knng_status
gct_parse(knng_text *t, knng_content *content, knng_err *err)
{
	knng_builder b = {.t = t, .ds = &content->data, .names = -1, .samples = -1, .classes = -1};
	enum { N, D, P, Q };
	int64_t size[4] = {0, 0, 1, 0}, least;
	char q[KNNG_QUOTED + 8], *p = t->at = skip_blanks(t->at), *end = skip_word(p);
	knng_status status = KNNG_EIO;

	bool two = knng_text_is(p, end, "#1.2"), three = knng_text_is(p, end, "#1.3");
	if ((!two && !three) || !is_end(*skip_blanks(end)))
		return knng_text_fail_found(t, p, "#1.2 or #1.3 alone in the first line", err);
	t->at = skip_blanks(end);
	knng_text_next_word(t);
	p = t->at;
	int sizes = two ? 2 : 4, got = 0;
	while (got < sizes && (p = knng_text_count(p, &size[got])) != NULL) {
		p = skip_blanks(p);
		got++;
	}
	if (got < sizes || !is_end(*p) || size[N] == 0 || size[D] == 0)
		return knng_text_fail_found(t, t->at,
					    two ? "two whole numbers from 1 on, the numbers of rows and of samples"
						: "four whole numbers: rows and samples, from 1 on, and the lines of "
						  "metadata of each",
					    err);
	t->at = p;
	if (!knng_mul(size[N], size[D] + size[P] + 1, 1, &least) || least > t->end - p + 1)
		return knng_fail(err, KNNG_EIO, "knng:io:truncated",
				 "%.200s, line %lld: promises %lld rows of %lld values, which the %lld bytes that "
				 "follow cannot hold",
				 t->path, (long long)t->line, (long long)size[N], (long long)size[D],
				 (long long)(t->end - p));

	knng_text_next_line(t);
	int64_t want = 1 + size[P] + size[D], header = t->kept, have = keep_loose_fields(t, want);
	if (have == want)
		b.samples = header + 1 + size[P];
	else
		knng_text_warn(t, t->line, "found %lld fields in the header, expected %lld; it is not used",
			       (long long)have, (long long)want);
	if (have != want)
		status = knng_builder_meta(
			&b, (knng_meta_line){.key = "header", .first = header, .count = have, .line = t->line}, err);
	else
		for (int64_t i = 1; i <= size[P]; i++)
			if ((status = knng_builder_meta(&b,
							(knng_meta_line){.key = two ? "descriptions" : NULL,
									 .name = header + i,
									 .column = i,
									 .line = t->line},
							err)) != KNNG_OK)
				goto done;
	if ((status = knng_builder_size(&b, size[N], size[D], err)) != KNNG_OK ||
	    (status = gct_columns(&b, size[P], size[Q], err)) != KNNG_OK)
		goto done;
	b.names = t->kept;
	b.width = 1 + size[P];
	while (b.records < size[N]) {
		knng_text_next_line(t);
		if (*t->at == '\0') {
			status =
				knng_fail(err, KNNG_EIO, "knng:io:truncated",
					  "%.200s, line %lld: the rows end after %lld of the %lld that line 2 promises",
					  t->path, (long long)t->line, (long long)b.records, (long long)size[N]);
			goto done;
		}
		if ((status = parse_row(&b, '\t', true, err)) != KNNG_OK)
			goto done;
	}
	knng_text_next_word(t);
	if (*t->at != '\0') {
		status = knng_text_fail(t, err, "found %s, expected nothing after the %lld rows that line 2 promises",
					knng_text_quote(t->at, skip_word(t->at), q), (long long)size[N]);
		goto done;
	}
	status = knng_builder_finish(&b, err);
done:
	knng_builder_free(&b);
	return status;
}

const knng_format knng_format_gct = {"gct", "a GCT file (#1.2 or #1.3)", KNNG_DATASET, gct_looks_like, gct_parse};

/* ---- tables with a header ---- */

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
		while (is_space(*p, separator))
			p++;
		char *begin = p;
		double value;
		if (*p == '"') {
			o.quoted = true;
			for (p++; *p != '\0' && (*p != '"' || p[1] == '"'); p++)
				p += *p == '"';
		}
		while (!divides(*p, separator) && !is_end(*p))
			p++;
		char *end = p;
		while (end > begin && is_space(end[-1], separator))
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
		if (!divides(*p, separator) || (separator == ' ' && is_end(p[1])))
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

static knng_status
table_parse(knng_text *t, knng_content *content, knng_err *err)
{
	knng_builder b = {.t = t, .ds = &content->data, .names = -1, .samples = -1, .classes = -1};
	char separator = table_top(t);
	if (*t->at == '\0')
		return knng_text_fail_truncated(t, "the first row of values", err);
	outline top = look_at(t, t->at, separator, false), second = {0};
	knng_text below = *t;
	knng_status status;
	int64_t fields = top.fields, line = t->line;

	for (const char *p = t->at; p < top.end; p++) /* in quotes */
		below.line += *p == '\n';
	below.at = top.end;
	knng_text_next_line(&below);
	if (*below.at != '\0')
		second = look_at(&below, below.at, separator, false);

	/* A first line of numbers alone is a row, unless the rows have one field more: then it names samples 1, 2, … */
	bool corner = second.fields != top.fields + 1;
	bool header = top.quoted || top.first_empty || top.numbers < top.fields || !corner;
	if (header) {
		if (!corner && second.last_empty) {
			t->line = below.line;
			return knng_text_fail(
				t, err,
				"found a separator at the end, which the header has not; remove it, or put "
				"one there too");
		}
		if (top.numbers == top.fields - 1 && !top.first_number && !top.first_empty && top.fields > 1)
			knng_text_warn(t, line,
				       "the names of the samples are numbers; if this is a row of values, put a header "
				       "above it");
		b.samples = t->kept;
		if ((status = keep_fields(t, separator, &fields, err)) != KNNG_OK)
			goto done;
		if (!corner || top.first_empty || !first_column_is_numbers(t, separator))
			b.width = 1;
		if (b.width == 1 && corner) {
			b.samples++;
			fields--;
		}
		if (fields < 1) {
			status = knng_text_fail(t, err, "found no names of columns of values");
			goto done;
		}
	}
	b.names = b.width == 1 ? t->kept : -1;
	b.why = !header  ? ", as in the first row"
		: corner ? ", as in the header"
			 : ": the header's and one for the name, as in the row below the header";
	if ((status = knng_builder_size(&b, possible_rows(t, fields), fields, err)) != KNNG_OK)
		goto done;
	for (;;) {
		knng_text_next_line(t);
		if (*t->at == '\0')
			break;
		if ((status = parse_row(&b, separator, false, err)) != KNNG_OK)
			goto done;
	}
	if (b.records == 0) {
		status = knng_text_fail_truncated(t, "the first row of values", err);
		goto done;
	}
	status = knng_builder_finish(&b, err);
done:
	knng_builder_free(&b);
	return status;
}

const knng_format knng_format_table = {
	"table", "a table separated by tabs, commas, semicolons or, where lines end in numbers, blanks", KNNG_DATASET,
	table_looks_like, table_parse};
