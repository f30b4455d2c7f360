/* table.c  A table with a header, as spreadsheets, R and Python write them, separated by tabs, commas or semicolons, or
 * by blanks where the first line has none of these; quotes as in RFC 4180: a quoted field may hold separators and ends
 * of lines, and a quote is doubled in it. Above it may stand lines that begin with #, of which the last may be the
 * header, and, for spreadsheets, a line sep=X. Below the header may stand lines of what the samples are, such as their
 * classes. */
#include "base/suggest.h"
#include "io/formats/fields.h"
#include "io/titles.h"
#include "io/write.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- reading ---- */

/* The separator of the line: the tab, else what there is more of, the comma or the semicolon, else blanks between
 * words; '\0' if none. Where the comma is the decimal sign, one between digits does not count, and any semicolon does.
 */
static char
find_separator(const char *p, char point)
{
	int64_t commas = 0, semicolons = 0;
	bool inside = false, blank = false, text = false, words = false;
	char before = '\0';
	for (; *p != '\0' && (*p != '\n' || inside); before = *p++) {
		words |= text && blank && *p != ' ';
		text |= *p != ' ';
		if (*p == '"')
			inside = !inside;
		else if (!inside && *p == '\t')
			return '\t';
		else if (!inside) {
			commas += *p == ',' && (point != ',' || !is_digit(before) || !is_digit(p[1]));
			semicolons += *p == ';';
			blank = *p == ' ';
		}
	}
	return semicolons > (point != ',' ? commas : 0) ? ';' : commas > 0 ? ',' : words ? ' ' : '\0';
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

/* What the first two lines say of a table. */
typedef struct {
	char separator;
	bool header, corner; /* the first line is one; it has a field above the names of rows */
	bool first_empty;    /* that field, or the first at all, is empty */
	bool unnamed;        /* so the first column has names of rows */
	bool row;            /* it may be one of values: all is numbers but a name at its beginning */
	int64_t fields;      /* of a row, as the first line says */
	int64_t most;        /* fields that it can have, whatever the decimal sign is */
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
		.unnamed = header && (!corner || first.first_empty),
		.row = header && first.numbers == first.fields - 1 && !first.first_number && !first.first_empty &&
		       first.fields > 1,
		.fields = header ? first.filled + !corner : first.fields,
		.most = first.fields + 1,
	};
	if (header && !corner && second.last_empty) {
		t->line = below.line;
		return knng_text_fail(t, err,
				      "found a separator at the end, which the header has not; remove it, or put "
				      "one there too");
	}
	return KNNG_OK;
}

/* What a field or a column holds. Missing values tell nothing; dashes alone stand for a text that is missing. */
typedef enum { MISSING, DASHES, NUMBER, TEXT } kind;

/* As spreadsheets and papers have it before numbers. */
#define MINUS "\xE2\x88\x92"

/* Has it a sign twice or more, as a date (01.02.2020), a version (1.2.3) and a list (3, 7, 12) have, and not between
 * thousands, whose groups have three digits, or but the last two, as in India? */
static bool
is_series(const char *p, const char *end)
{
	for (const char *sign = "., "; *sign != '\0'; sign++) {
		int signs = 0, thousands = 0;
		for (const char *q = p; q < end; q++) {
			if (*q != *sign || (*q == ' ' && !is_digit(q[1])))
				continue;
			size_t digits = strspn(q + 1, "0123456789");
			signs++;
			thousands += digits == 3 || (digits == 2 && *q == ',' && q[3] == ',');
		}
		if (signs > 1 && thousands < signs)
			return true;
	}
	return false;
}

/* What only a misspelt number can be, such as 1,5 or 10%, counts as one, to be refused where it is read. */
static kind
kind_of(const knng_text *t, const knng_field *f)
{
	double value;
	if (knng_text_value(t, f->begin, f->end, &value))
		return isnan(value) ? MISSING : NUMBER;
	char *begin = f->begin;
	const char *end = f->end;
	knng_text_trim(&begin, &end);
	const char *p = begin + strspn(begin, "-");
	if (p == end)
		return f->quoted ? TEXT : DASHES;
	p += strncmp(p, MINUS, 3) == 0 ? 3 : (int)strspn(p, "+-");
	const char *first = p;
	p += strspn(p, ".,");
	if (p >= end || !is_digit(*p) || is_series(p, end))
		return TEXT;
	for (size_t more = 1, blank; more > 0; p += more)
		more = (blank = knng_text_unseen_at(p, end)) > 0 ? blank : strspn(p, "0123456789., ");
	bool sign = first[strspn(first, "0123456789")] != *p;
	if (knng_text_is_exponent(p, sign) && (lower(*p) == 'e' || strspn(p + 1, "+-0123456789") > 0)) {
		p++;
		p += strspn(p, "+-");
		p += strspn(p, "0123456789");
	}
	p += strspn(p, " %");
	return p >= end ? NUMBER : TEXT;
}

static bool
is_a_to_z(char c)
{
	return lower(c) >= 'a' && lower(c) <= 'z';
}

enum { WORD = 16 }; /* longer than every word that is known */

/* Does the name of a column say that it has names of rows, such as Gene ID, entrez_id, probeId, genes or ID_REF? */
static bool
is_for_names(const char *name, const char *end)
{
	static const char *const words[] = {"accession", "entrez",     "entrezgene", "feature", "gene",
					    "id",        "identifier", "idref",      "name",    "patient",
					    "probe",     "probeset",   "rowname",    "sample",  "subject",
					    "symbol",    "transcript", "unnamed0",   NULL};
	char word[WORD];
	if (end - name > 2 && knng_text_is(end - 2, end, "id") &&
	    (!is_a_to_z(end[-3]) || (end[-2] == 'I' && lower(end[-3]) == end[-3])))
		return true;
	size_t length = knng_text_word(name, end, word, sizeof word);
	length -= length > 0 && word[length - 1] == 's';
	for (int without = 0; without < 2; without++) {
		word[length] = '\0';
		if (knng_text_among(words, word))
			return true;
		length -= length > 2 && strcmp(word + length - 2, "id") == 0 ? 2 : 0; /* geneid */
	}
	return false;
}

/* Are the first fields of the rows at t->at and below names? They are if one is no number, if all are as 1.D3, or if
 * all are whole numbers or missing and the header, `whole`, says so. */
static bool
first_column_is_names(const knng_text *t, char separator, bool whole)
{
	knng_text rows = *t;
	bool any = false, wells = true;
	while (*rows.at != '\0') {
		char *p = rows.at;
		double value;
		knng_field f = peek(&p, separator);
		wells = wells && knng_field_is_fortran(&f, true);
		if (f.quoted || !knng_text_value(&rows, f.begin, f.end, &value))
			return true;
		whole = whole && (isnan(value) || (value >= 0 && value <= DBL_MAX && value == floor(value)));
		any |= !isnan(value);
		while (peek_on(&p, separator))
			peek(&p, separator);
		knng_text_advance(&rows, p);
		knng_text_next_line(&rows);
	}
	return (whole || wells) && any;
}

/* What the name of a line says: nothing; that its texts are no values; that numbers, too, are classes. */
typedef enum { NO_WORD, OF_SAMPLES, OF_CLASSES } meaning;

static meaning
meaning_of(const knng_field *f)
{
	unsigned says = knng_title_says(f->begin, f->end);
	if ((says & KNNG_CLASSES) || (!f->quoted && f->begin < f->end && strchr("#!", *f->begin) != NULL))
		return OF_CLASSES;
	return says & KNNG_TEXTS ? OF_SAMPLES : NO_WORD;
}

/* What the name says with which a line begins. */
static meaning
meaning_of_line(const char *line, char separator)
{
	char *p = (char *)line;
	knng_field f = peek(&p, separator);
	return meaning_of(&f);
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
	char separator = find_separator(text, '.');
	if (separator != ' ')
		return separator != '\0';
	/* Any text has blanks. Two that begin graphs are none: the sizes of a list of edges would name samples, and
	 * what made a GML, whose version follows, a column. Else, below a header or in the only line, there has to be a
	 * number or a missing value. */
	if (knng_format_knn.looks_like(text) || knng_text_begins(skip_blanks(text), "creator "))
		return false;
	const char *row = line_below(text), *word;
	row = skip_blanks(*row != '\0' ? row : text);
	while (meaning_of_line(row, ' ') != NO_WORD && *line_below(row) != '\0')
		row = line_below(row);
	word = row = skip_blanks(row);
	while (!is_end(*row)) {
		word = row;
		row = skip_blanks(skip_word(row));
	}
	return is_digit(word[strspn(word, "+-.")]) || knng_text_begins(word, "na") || knng_text_begins(word, "inf");
}

/* What the first row has, below lines of texts that are called class or the like. */
static outline
look_at_row(const knng_text *t, char separator)
{
	knng_text rows = *t;
	outline row = look_at(&rows, rows.at, separator);
	while (row.numbers == 0 && meaning_of_line(rows.at, separator) == OF_CLASSES) {
		knng_text_advance(&rows, row.end);
		knng_text_next_line(&rows);
		if (*rows.at == '\0')
			break;
		row = look_at(&rows, rows.at, separator);
	}
	return row;
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
		const char *name = t->at + strspn(t->at, "# \t");
		if (comment == NULL || meaning_of_line(name, find_separator(name, '.')) != OF_CLASSES) {
			comment = skip_blanks(t->at) + 1;
			line = t->line;
		}
		t->at += strcspn(t->at, "\n");
		knng_text_next_line(t);
	}
	if (t->opt->delimiter != '\0')
		separator = t->opt->delimiter;
	if (separator == '\0')
		separator = find_separator(t->at, t->point);
	if (separator == '\0') /* quotes may hold decimal commas */
		separator = find_separator(t->at, '.');
	if (comment == NULL || *t->at == '\0' || separator == '\0')
		return separator;
	while (*comment == '#')
		comment++;
	outline above = look_at(t, comment, separator), row = look_at_row(t, separator);
	if (row.numbers > 0 && above.fields > 1 && (above.fields == row.fields || above.fields + 1 == row.fields)) {
		t->at = comment;
		t->line = line;
	}
	return separator;
}

/* What is being read. */
typedef struct {
	knng_builder b;
	top_lines top;
	int64_t values, texts; /* columns of values, and of texts beside that of names */
	int64_t *since;        /* of every field of a row: in which line its column of texts begins; 0: it is none */
	int64_t *sample_of;
	int64_t name;   /* the field that is the name of the row; -1: none is, or it is not known */
	bool by_option; /* since that is how it should be */
	bool whole;     /* the header says that numbers in the first column are names */
	int64_t lines;  /* of what the samples are, below the header */
	bool no_values; /* every column but that of names begins with a text */
	knng_text row;  /* the first row, below them */
} table;

static const char columns_of_a_table[] = "the columns of a table";

enum { STRINGS = -1, UNKNOWN = -2 };

/* Are these the names of the first columns of featureCounts? */
static bool
is_of_features(const table *s)
{
	static const char *const words[] = {"geneid", "chr", "start", "end", "strand", "length"};
	char *p = s->b.t->at, word[WORD];
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		knng_field f = peek(&p, s->top.separator);
		knng_text_word(f.begin, f.end, word, sizeof word);
		if (strcmp(word, words[i]) != 0 || !peek_on(&p, s->top.separator))
			return false;
	}
	return true;
}

/* Does the name of a column say that it has places on chromosomes, whose numbers are texts as X and MT are? */
static bool
is_of_places(const knng_field *name)
{
	static const char *const words[] = {"chr",     "chrom",    "chromosome", "chromosomename",
					    "seqname", "seqnames", "strand",     NULL};
	char word[WORD];
	knng_text_word(name->begin, name->end, word, sizeof word);
	return knng_text_among(words, word);
}

/* Over signs: what is no letter, digit or blank, as far as ASCII goes, and of UTF-8 the signs of Latin-1 and of
 * currencies. */
static const char *
skip_signs(const char *p, const char *end)
{
	for (; p < end && *p != ' ' && !is_a_to_z(*p) && !is_digit(*p); p++) {
		if ((unsigned char)*p < 128)
			continue;
		if (*p != '\xC2' && *p != '\xE2')
			break;
		while (p + 1 < end && ((unsigned char)p[1] & 0xC0) == 0x80)
			p++;
	}
	return p;
}

/* Is it a number between signs, such as $5 or (5)? */
static bool
is_dressed(const knng_field *f)
{
	const char *p = skip_signs(f->begin, f->end);
	p += strspn(p, " ");
	if (p >= f->end || !is_digit(*p))
		return false;
	p += strspn(p, "0123456789., ");
	return p >= f->end || skip_signs(p, f->end) == f->end;
}

/* As kind_of, where it tells what a column holds: what could not be computed, measured or written, as #DIV/0!, <5 or
 * *****, tells as little as dashes, and so does a number with signs, as $5, or 1D3 and 1.D3, which may be names,
 * or 1.2.3. */
static kind
first_kind(const knng_text *t, const knng_field *f)
{
	kind c = kind_of(t, f);
	bool odd = strchr("#<", *f->begin) != NULL || is_dressed(f) || knng_field_is_fortran(f, false) ||
		   f->begin + strspn(f->begin, "*") == f->end;
	return !f->quoted && ((c == TEXT && odd) || (c == NUMBER && knng_field_is_fortran(f, true))) ? DASHES : c;
}

/* Is there a text in any of the columns that may have places, in the rows at t->at and below? */
static bool
has_places(const table *s, const knng_text *t, const int64_t *since)
{
	knng_text rows = *t;
	bool found = false;
	while (*rows.at != '\0' && !found) {
		char *p = rows.at;
		for (int64_t i = 0; i == 0 || peek_on(&p, s->top.separator); i++) {
			knng_field f = peek(&p, s->top.separator);
			found |= i < s->top.fields && since[i] == KNNG_ANY_TEXT && first_kind(&rows, &f) == TEXT;
			knng_text_advance(&rows, p);
		}
		knng_text_advance(&rows, p);
		knng_text_next_line(&rows);
	}
	return found;
}

/* Which columns have texts though there are numbers in them: the first ones of featureCounts, and those of places on
 * chromosomes, if any of these has a text, such as X. */
static void
find_places(const table *s, const knng_text *t, int64_t *since)
{
	enum { FEATURES = 6 };
	bool features = is_of_features(s), places = false;
	char *p = s->b.t->at;
	for (int64_t i = !s->top.corner; i < s->top.fields && s->top.header; i++) {
		knng_field f = peek(&p, s->top.separator);
		int64_t word = i - !s->top.corner;
		if (since[i] == UNKNOWN && (is_of_places(&f) || (features && word > 0 && word < FEATURES))) {
			since[i] = KNNG_ANY_TEXT;
			places = true;
		}
		peek_on(&p, s->top.separator);
	}
	if (!places || features || has_places(s, t, since))
		return;
	for (int64_t i = 0; i < s->top.fields; i++)
		if (since[i] == KNNG_ANY_TEXT)
			since[i] = UNKNOWN;
}

/* Does the name of a column, behind a # or !, say that it has what the samples are, which are the rows? */
static bool
is_marked(const knng_field *name)
{
	return !name->quoted && name->begin < name->end && strchr("#!", *name->begin) != NULL &&
	       knng_title_says(name->begin, name->end) != 0;
}

/* Which columns have texts, since their names are marked so; with `blank` the marks become blanks. */
static void
find_marked(const table *s, int64_t *since, bool blank)
{
	char *p = s->b.t->at;
	for (int64_t i = !s->top.corner; i < s->top.fields && s->top.header; i++) {
		knng_field f = peek(&p, s->top.separator);
		if (is_marked(&f) && since[i] == (blank ? KNNG_ANY_TEXT : UNKNOWN)) {
			since[i] = KNNG_ANY_TEXT;
			*f.begin = blank ? ' ' : *f.begin;
		}
		peek_on(&p, s->top.separator);
	}
}

/* Of the rows at t->at and below: `since` gets the line of the first text, or of the first dashes above it, where a
 * field's first value that is not missing is a text, 0 where it is a number, or UNKNOWN; STRINGS where it is a name in
 * any case, KNNG_ANY_TEXT where numbers are texts, too. What could not be computed or measured, as #DIV/0!
 * or <5, and a number with signs, is a text only if no number is below it. */
static void
first_kinds(const table *s, const knng_text *t, int64_t *since)
{
	knng_text rows = *t;
	char separator = s->top.separator;
	int64_t fields = s->top.fields, unknown = fields;
	for (int64_t i = 0; i < fields; i++)
		since[i] = i == s->name || (i == 0 && s->top.unnamed) ? STRINGS : UNKNOWN;
	find_places(s, t, since);
	find_marked(s, since, false);
	for (int64_t i = 0; i < fields; i++)
		unknown -= since[i] != UNKNOWN;
	while (*rows.at != '\0' && unknown > 0) {
		char *p = rows.at;
		for (int64_t i = 0; i == 0 || peek_on(&p, separator); i++) {
			knng_field f = peek(&p, separator);
			kind c = MISSING;
			if (i < fields && since[i] <= UNKNOWN)
				c = first_kind(&rows, &f);
			knng_text_advance(&rows, p);
			if (c == DASHES && since[i] == UNKNOWN)
				since[i] = UNKNOWN - rows.line; /* until it is known what is below */
			if (c == MISSING || c == DASHES)
				continue;
			since[i] = c == NUMBER ? 0 : since[i] < UNKNOWN ? UNKNOWN - since[i] : rows.line;
			unknown--;
		}
		knng_text_advance(&rows, p);
		knng_text_next_line(&rows);
	}
	for (int64_t i = 0; i < fields; i++)
		if (since[i] < UNKNOWN) /* dashes are all that there is */
			since[i] = UNKNOWN - since[i];
}

/* Finds the columns of texts: those whose first field that is not missing is one. If no column of values were left,
 * there are none, and the first text is refused. */
static void
find_texts(table *s)
{
	int64_t fields = s->top.fields, named = s->name >= 0, given = 0;
	first_kinds(s, &s->row, s->since);
	for (int64_t i = 0; i < fields; i++) {
		s->texts += s->since[i] > 0;
		given += s->since[i] == STRINGS;
	}
	bool none = given + s->texts == fields;
	s->no_values = none && s->texts > 0;
	for (int64_t i = 0; i < fields; i++)
		if (s->since[i] == UNKNOWN || (none && s->since[i] > 0))
			s->since[i] = 0;
	s->texts = given - named + (none ? 0 : s->texts);
}

/* ---- lines of what the samples are ----
 *
 * Between the header and the first row: lines of texts above columns of numbers. None of them could be a row, unless
 * its texts were values. So a name that says what the line is has to stand before them; without one there have to be
 * two different texts at least, above half of the columns. */

/* A byte of the minus sign, or of a no-break blank, in UTF-8. */
static bool
is_sign(const char *p)
{
	return strchr("\xe2\x88\x92\xc2\xa0", *p) != NULL;
}

/* Is a text rather a value that is misspelt, such as 1.5* or (0.5), or could not be measured or computed, such as ND or
 * #DIV/0!? */
static bool
is_gap(const knng_field *f)
{
	static const char *const words[] = {"absent", "err", "error", "fail",      "failed", "missing",
					    "none",   "ns",  "undef", "undefined", NULL};
	char word[WORD];
	const char *p = f->begin;
	knng_text_word(p, f->end, word, sizeof word);
	while (p < f->end && !is_a_to_z(*p) && !is_digit(*p) && ((unsigned char)*p < 128 || is_sign(p)))
		p++;
	return p == f->end || is_digit(*p) || *f->begin == '#' || *f->begin == '<' || knng_text_among(words, word) ||
	       knng_text_is_unmeasured(f->begin, f->end);
}

/* A line below the header, found without changing it. */
typedef struct {
	knng_field name; /* the first field that is not empty */
	meaning meaning;
	bool numbers, whole;    /* behind the first field are numbers; all numbers there are whole */
	int64_t above, texts;   /* fields above values; those of them that are texts */
	int64_t which;          /* the first of these */
	int64_t kinds, told;    /* two if texts that are no gaps differ, else one or none; how many of them there are */
	knng_field first, kind; /* the text that is the first, and the first that is no gap */
} sample_line;

/* since: of every field 0 or UNKNOWN where it is a column of values; NULL: that is as yet unknown. */
static sample_line
look_at_samples(const table *s, const knng_text *at, const int64_t *since)
{
	knng_text t = *at;
	char *p = t.at, separator = s->top.separator;
	sample_line l = {.whole = true};
	for (int64_t i = 0; i == 0 || peek_on(&p, separator); i++) {
		knng_field f = peek(&p, separator);
		double value;
		kind c = kind_of(&t, &f);
		if (l.name.begin == NULL && f.end > f.begin)
			l.name = f;
		if (i > 0 && i != s->name && c == NUMBER) {
			l.numbers = true;
			l.whole = l.whole && knng_text_value(&t, f.begin, f.end, &value) && isfinite(value) &&
				  value == floor(value);
		}
		if (since == NULL || i >= s->top.fields || since[i] > 0 || since[i] == STRINGS)
			continue;
		l.above++;
		if (c != TEXT)
			continue;
		if (l.texts++ == 0) {
			l.which = i;
			l.first = f;
		}
		if (is_gap(&f))
			continue;
		if (l.told++ == 0) {
			l.kind = f;
			l.kinds = 1;
		}
		if (f.end - f.begin != l.kind.end - l.kind.begin ||
		    memcmp(f.begin, l.kind.begin, (size_t)(f.end - f.begin)) != 0)
			l.kinds = 2;
	}
	if (l.name.begin != NULL && kind_of(&t, &l.name) == TEXT)
		l.meaning = meaning_of(&l.name);
	return l;
}

/* Goes from the line at t->at to the next that has something. */
static void
pass_line(knng_text *t, char separator)
{
	char *p = t->at;
	do
		peek(&p, separator);
	while (peek_on(&p, separator));
	knng_text_advance(t, p);
	knng_text_next_line(t);
}

/* Is it a line of what the samples are, as it seems? */
static bool
is_plain(const sample_line *l)
{
	return l->meaning != NO_WORD || (l->kinds > 1 && 2 * l->told >= l->above);
}

/* An error if the line `at`, which has texts above values, is the header rather; or a row with a wrong value, if it is
 * not plain what it is and below its first text, in the row `below`, a number stands. */
static knng_status
doubt(const table *s, const knng_text *at, const sample_line *l, const knng_text *below, knng_err *err)
{
	static const char *const genes[] = {"gene",    "geneid",   "genesymbol", "id",     "idref",      "probe",
					    "probeid", "probeset", "probesetid", "symbol", "transcript", NULL};
	char word[WORD], q[KNNG_QUOTED + 8], spelt[KNNG_SPELT], separator = s->top.separator;
	char *top = s->b.t->at, *p = below->at;
	knng_field corner = peek(&top, separator), f = peek(&p, separator);
	double value;
	knng_text_word(l->name.begin, l->name.end, word, sizeof word);
	if (knng_text_among(genes, word) && !(s->top.corner && is_for_names(corner.begin, corner.end)))
		return knng_text_fail(
			at, err,
			"this line looks like the header, since it begins with %s: put it above line %lld; if that is "
			"the header, put # before this one; 'HeaderLines' leaves it out if it is a title",
			knng_text_quote(l->name.begin, l->name.end, q), (long long)s->b.t->line);
	for (int64_t i = 0; i < l->which && peek_on(&p, separator); i++)
		f = peek(&p, separator);
	if (is_plain(l) || f.quoted || !knng_text_value(below, f.begin, f.end, &value) || isnan(value))
		return KNNG_OK;
	const char *found = knng_text_quote(l->first.begin, l->first.end, q);
	bool digits = strcspn(l->first.begin, "0123456789") < (size_t)(l->first.end - l->first.begin);
	return knng_text_fail(at, err,
			      "found %s in field %lld, expected a number (with a decimal %s), or NA for a missing "
			      "value%s; if this line says what the samples are, put # before its name "
			      "(before the quote, if there is one); if %s stands for a missing value, give knng.read "
			      "'Missing', %s",
			      found, (long long)l->which + 1, s->b.t->point == ',' ? "comma" : "point",
			      digits ? "; numbers have no %, units, currencies or signs between thousands" : "", found,
			      knng_text_spelt(l->first.begin, l->first.end, spelt));
}

/* Are these numbers those of classes? Not quoted, with # or ! before the name, they may be any. */
static bool
are_classes(const sample_line *l)
{
	return l->meaning == OF_CLASSES && (l->whole || strchr("#!", *l->name.begin) != NULL);
}

/* Of the lines at `rows` and below, the first that has numbers which are no classes; else the end. */
static knng_text
first_numbers(const table *s, const knng_text *rows)
{
	knng_text t = *rows;
	for (; *t.at != '\0'; pass_line(&t, s->top.separator)) {
		sample_line l = look_at_samples(s, &t, NULL);
		if (l.numbers && !are_classes(&l))
			break;
	}
	return t;
}

/* Where the names of rows are, as far as the rows at t->at and below say. */
static int64_t
name_by_rows(const table *s, const knng_text *t)
{
	if (s->by_option)
		return s->name;
	return s->top.unnamed || first_column_is_names(t, s->top.separator, s->whole) ? 0 : -1;
}

/* ---- the decimal sign ---- */

/* How a field would be read if its comma were decimal, or its point: not at all; in one way; or the comma might part
 * thousands, too. */
typedef enum { NEITHER, WITH_COMMA, WITH_POINT, THOUSANDS } sign_of;

static sign_of
sign_in(const knng_field *f)
{
	static const char digits[] = "0123456789";
	char *begin = f->begin;
	const char *end = f->end;
	knng_text_trim(&begin, &end);
	const char *p = begin + (begin < end && strchr("+-", *begin) != NULL);
	size_t before = strspn(p, digits);
	char sign = p[before];
	const char *first = p;
	p += before + 1;
	if ((sign != ',' && sign != '.') || p >= end || !is_digit(*p))
		return NEITHER;
	size_t behind = strspn(p, digits);
	p += behind;
	bool thousands = sign == ',' && before > 0 && before < 4 && *first != '0' && behind == 3 && p == end;
	if (p < end && knng_text_is_exponent(p, true)) {
		p += 1 + (p[1] == '+' || p[1] == '-');
		p += strspn(p, digits);
	}
	return p != end ? NEITHER : thousands ? THOUSANDS : sign == ',' ? WITH_COMMA : WITH_POINT;
}

/* Counts the lines of what the samples are, and goes with s->row below them. Uses s->since. */
static knng_status
find_sample_lines(table *s, knng_err *err)
{
	char separator = s->top.separator;
	knng_text numbers = first_numbers(s, &s->row);
	if (*numbers.at == '\0' || numbers.at == s->row.at)
		return KNNG_OK;
	s->name = name_by_rows(s, &numbers);
	first_kinds(s, &numbers, s->since);
	for (; s->row.at < numbers.at; pass_line(&s->row, separator), s->lines++) {
		sample_line l = look_at_samples(s, &s->row, s->since);
		bool texts = l.texts > 1 || (l.texts == 1 && l.which > 0); /* else it may be the name of a row */
		knng_status status = texts ? doubt(s, &s->row, &l, &numbers, err) : KNNG_OK;
		if (status != KNNG_OK)
			return status;
		if (!(texts && is_plain(&l)) && !(l.numbers && are_classes(&l)))
			break;
	}
	return KNNG_OK;
}

/* A line of what the samples are, at t->at: its name stands before the values, or there is none. */
static knng_status
sample_line_keep(table *s, knng_err *err)
{
	knng_builder *b = &s->b;
	knng_text *t = b->t;
	char separator = s->top.separator, q[KNNG_QUOTED + 8];
	knng_meta_line m = {.key = "class", .first = -1, .count = s->values, .line = t->line};
	int64_t fields = s->top.fields, i = 0;
	do {
		knng_field f;
		double value;
		knng_status status = knng_field_next(t, separator, &f, err);
		if (status != KNNG_OK)
			return status;
		if (i >= fields && f.end > f.begin)
			return knng_text_fail(t, err, "found %s in field %lld, expected %lld fields",
					      knng_text_quote(f.begin, f.end, q), (long long)i + 1, (long long)fields);
		if (i < fields && s->since[i] == 0) {
			bool missing = !f.quoted && knng_text_value(t, f.begin, f.end, &value) && isnan(value);
			int64_t number = knng_text_keep(t, f.begin, missing ? f.begin : f.end);
			m.first = m.first < 0 ? number : m.first;
		} else if (m.first < 0 && m.key != NULL) {
			while (!f.quoted && f.begin < f.end && strchr("#! ", *f.begin) != NULL)
				f.begin++;
			if (f.begin < f.end) {
				m.key = NULL;
				m.name = knng_text_keep(t, f.begin, f.end);
			}
		}
		i++;
	} while (knng_field_separator(t, separator));
	if (i < fields)
		return knng_text_fail(t, err,
				      "found %lld fields, expected %lld: one for each sample, empty where there is "
				      "nothing to say",
				      (long long)i, (long long)fields);
	b->classes = b->classes < 0 ? m.first : b->classes;
	return knng_builder_meta(b, m, err);
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
	b->samples = header + (s->name == 0) - lacks;
	if (s->texts == 0 && s->name <= 0)
		return KNNG_OK;
	if ((s->sample_of = knng_text_room(s->values, sizeof *s->sample_of, columns_of_a_table, err)) == NULL)
		return KNNG_EMEMORY;
	for (int64_t i = 0; i < s->top.fields; i++) {
		knng_meta_line line = {.name = header + i - lacks,
				       .column = column + 1,
				       .between = sample > 0 && sample < s->values,
				       .line = b->t->line};
		if (s->since[i] == 0) {
			s->sample_of[sample++] = line.name;
		} else if (i == s->name) {
			b->name_at = column;
		} else {
			if (i == 0 && s->top.unnamed) {
				line.key = "row_names";
				line.name = header;
			}
			knng_status status = knng_builder_meta(b, line, err);
			if (status != KNNG_OK)
				return status;
			column++;
		}
	}
	b->sample_of = s->sample_of;
	b->texts = s->since;
	return KNNG_OK;
}

/* Does the header, at t->at, say that the names of the rows are those of genes? */
static bool
has_genes(const table *s)
{
	static const char *const words[] = {"ensembl",      "ensemblgene", "ensemblgeneid", "ensemblid", "entrezgene",
					    "entrezid",     "gene",        "geneid",        "genename",  "genes",
					    "genesymbol",   "hgncsymbol",  "idref",         "probe",     "probeid",
					    "probes",       "probeset",    "probesetid",    "symbol",    "transcript",
					    "transcriptid", NULL};
	char *p = s->b.t->at, word[WORD];
	knng_field f = peek(&p, s->top.separator);
	for (int64_t i = !s->top.corner; i < s->name && peek_on(&p, s->top.separator); i++)
		f = peek(&p, s->top.separator);
	knng_text_word(f.begin, f.end, word, sizeof word);
	return s->name >= !s->top.corner && knng_text_among(words, word);
}

/* The text of a field, of which so much as there is room for; in quotes a quote is doubled. */
static void
copy_field(const knng_field *f, char *to, size_t room)
{
	const char *p = f->begin;
	for (; p < f->end && room > 1; room--) {
		*to++ = *p;
		p += 1 + (f->quoted && *p == '"');
	}
	*to = '\0';
}

/* The column that 'NamesColumn' says, and what the header, at t->at, says of the first. */
static knng_status
find_names_column(table *s, knng_err *err)
{
	const knng_text *t = s->b.t;
	const knng_read_options *opt = t->opt;
	char *p = t->at, names[200] = "";
	int64_t at = -1, fields = s->top.fields, lacks = !s->top.corner;
	knng_field corner = peek(&(char *){t->at}, s->top.separator);
	s->whole = s->top.header && is_for_names(corner.begin, corner.end);
	s->by_option = opt->names != NULL || opt->names_column != 0;
	s->name = opt->names_column - 1;
	if (opt->names == NULL && s->name < fields)
		return KNNG_OK;
	if (opt->names == NULL)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'NamesColumn' is %lld, and %.200s has %lld columns", (long long)opt->names_column,
				 t->path, (long long)fields);
	/* The name as it is, else in upper or lower case; else what is meant. */
	int64_t alike = -1;
	char near[200] = "", meant[KNNG_MEANT], q[KNNG_QUOTED + 8];
	for (int64_t i = lacks; i < fields && at < 0 && s->top.header; i++) {
		char name[sizeof near];
		knng_field f = peek(&p, s->top.separator);
		size_t have = strlen(names);
		copy_field(&f, name, sizeof name);
		if (strcmp(name, opt->names) == 0)
			at = i;
		else if (alike < 0 && strcasecmp(name, opt->names) == 0)
			alike = i;
		if (knng_nearest_name(opt->names, (const char *[]){near, name}, 2) == name)
			strcpy(near, name);
		snprintf(names + have, sizeof names - have, "%s%s", have > 0 ? ", " : "",
			 knng_text_quote(f.begin, f.end, q));
		peek_on(&p, s->top.separator);
	}
	s->name = at >= 0 ? at : alike;
	knng_meant(meant, "'", near[0] != '\0' ? near : NULL, "'");
	return s->name >= 0 ? KNNG_OK
			    : knng_fail(err, KNNG_EARGS, "knng:args:option",
					"'NamesColumn' is '%.60s', and %.200s has no such column%s; its header has %s",
					opt->names, t->path, meant, s->top.header ? names : "no names, but numbers");
}

/* What the values of the rows at `t` and below say of the decimal sign, in the order of the file, but the first field
 * of rows only if no other says anything, since it may be a name; and the line of the first that is in doubt, else 0.
 */
static sign_of
first_sign(const table *s, const knng_text *t, int64_t *doubtful)
{
	knng_text rows = *t;
	sign_of sign = NEITHER, names = NEITHER;
	*doubtful = 0;
	while (*rows.at != '\0' && sign != WITH_COMMA && sign != WITH_POINT) {
		char *p = rows.at;
		int64_t i = 0;
		do {
			knng_field f = peek(&p, s->top.separator);
			sign = i < s->top.fields && s->since[i] == 0 ? sign_in(&f) : NEITHER;
			if (sign == THOUSANDS && i > 0 && *doubtful == 0)
				*doubtful = rows.line;
			if (i++ == 0) {
				names = names == NEITHER && sign != THOUSANDS ? sign : names;
				sign = NEITHER;
			}
		} while (sign != WITH_COMMA && sign != WITH_POINT && peek_on(&p, s->top.separator));
		knng_text_advance(&rows, p);
		knng_text_next_line(&rows);
	}
	return sign == WITH_COMMA || sign == WITH_POINT ? sign : s->whole ? NEITHER : names;
}

/* Finds out whether commas are decimal, if the option does not say so: where semicolons or tabs separate, and of the
 * values, as far as columns look like values now, the first that tells has a comma that parts no thousands. Uses
 * s->since. */
static knng_status
find_decimal(table *s, knng_err *err)
{
	knng_text *t = s->b.t, rows = *t;
	char separator = s->top.separator;
	int64_t doubtful;
	if (t->opt->decimal != KNNG_DECIMAL_AUTO || (separator != ';' && separator != '\t') ||
	    strchr(t->at, ',') == NULL)
		return KNNG_OK;
	pass_line(&rows, separator);
	knng_text line = rows; /* what is passed over are lines of samples alone */
	rows = first_numbers(s, &rows);
	first_kinds(s, &rows, s->since);
	for (; line.at < rows.at; pass_line(&line, separator)) {
		sample_line l = look_at_samples(s, &line, s->since);
		if (!is_plain(&l) && !(l.numbers && are_classes(&l))) {
			rows = line;
			first_kinds(s, &rows, s->since);
			break;
		}
	}
	sign_of sign = first_sign(s, &rows, &doubtful);
	if (sign == WITH_COMMA) {
		t->point = ',';
		knng_status status = look_at_top(t, separator, &s->top, err);
		return status == KNNG_OK ? find_names_column(s, err) : status;
	}
	if (sign == WITH_POINT || doubtful == 0)
		return KNNG_OK;
	t->line = doubtful;
	return knng_text_fail(t, err,
			      "a comma may be decimal here, or part thousands: if it is decimal, give knng.read "
			      "'DecimalComma', true; else remove such commas");
}

/* What each column has, and its name. */
static knng_status
table_header(table *s, knng_err *err)
{
	knng_builder *b = &s->b;
	knng_text *t = b->t;
	const top_lines *top = &s->top;
	int64_t header = t->kept, count;
	knng_status status;
	s->row = *t;
	pass_line(&s->row, top->separator);
	if ((status = find_sample_lines(s, err)) != KNNG_OK)
		return status;
	s->name = name_by_rows(s, &s->row);
	b->width = s->name >= 0;
	if (top->fields <= b->width)
		return knng_text_fail(t, err,
				      "found no names of columns of values; 'HeaderLines' leaves out lines above a "
				      "table");
	find_texts(s);
	b->width += s->texts;
	s->values = top->fields - b->width;
	find_marked(s, s->since, true);
	b->unnamed = s->name < 0;
	b->ds->genes = has_genes(s);
	if (s->values == 0)
		return knng_text_fail(t, err, "found no columns of values beside those of names");
	if (s->lines == 0 && (top->row || (s->texts > 0 && top->corner && !top->first_empty && samples_are_numbers(s))))
		knng_text_warn(t, t->line,
			       "the names of the samples are numbers; if this is a row of values, put a header "
			       "above it");
	if ((status = knng_fields_keep(t, top->separator, &count, err)) == KNNG_OK)
		status = divide_header(s, header, err);
	for (int64_t l = 0; l < s->lines && status == KNNG_OK; l++) {
		knng_text_next_line(t);
		status = sample_line_keep(s, err);
	}
	return status;
}

/* All columns have values, but one that 'NamesColumn' says. */
static knng_status
no_header(table *s, knng_err *err)
{
	if (s->name < 0)
		return KNNG_OK;
	for (int64_t i = 0; i < s->top.fields; i++)
		s->since[i] = i == s->name ? STRINGS : 0;
	s->b.texts = s->since;
	s->b.width = 1;
	s->values = s->top.fields - 1;
	return s->values > 0 ? KNNG_OK
			     : knng_text_fail(s->b.t, err, "found no columns of values beside those of names");
}

/* Goes to the end of a line that has separators alone, as spreadsheets put them below a table. */
static bool
pass_empty(knng_text *t, char separator)
{
	char *p = t->at;
	do {
		knng_field f = peek(&p, separator);
		if (f.quoted || f.end > f.begin)
			return false;
	} while (peek_on(&p, separator));
	knng_text_advance(t, p);
	return true;
}

/* An error if one of the first rows, at t->at, has texts alone where values are, as of sex below numbers as of age. */
static knng_status
check_row(const table *s, knng_err *err)
{
	enum { FIRST = 20 };
	const knng_builder *b = &s->b;
	char q[KNNG_QUOTED + 8];
	if (!s->top.header || b->records == 0 || b->records >= FIRST)
		return KNNG_OK;
	sample_line l = look_at_samples(s, b->t, s->since);
	if (l.numbers || l.texts < 2 || l.told < l.texts || !is_plain(&l))
		return KNNG_OK;
	return knng_text_fail(b->t, err,
			      "found %s in field %lld, expected a number; if this line says what the samples are, put "
			      "it directly below the header, or put # before its name and those of the lines above it "
			      "(before the quote, if there is one)",
			      knng_text_quote(l.first.begin, l.first.end, q), (long long)l.which + 1);
}

/* What names look like: one has a blank, one begins with neither a letter nor a digit. */
enum { BLANK = 1, SIGN = 2 };

/* Of the row at t->at the text that stands alone in it, the rest being empty; else the name. *alone: which it is. */
static knng_field
find_alone(const table *s, const knng_text *t, bool *alone)
{
	char *p = t->at;
	knng_field found = {0};
	int64_t filled = 0;
	for (int64_t i = 0; i == 0 || peek_on(&p, s->top.separator); i++) {
		knng_field f = peek(&p, s->top.separator);
		bool value = i >= s->top.fields || s->since[i] == 0;
		if (f.end > f.begin && (value || filled++ > 0)) {
			*alone = false;
			return found;
		}
		found = f.end > f.begin ? f : found;
	}
	*alone = filled == 1;
	return found;
}

static unsigned
looks_of(const knng_field *name)
{
	const char *p = name->begin;
	if (p == name->end)
		return 0;
	bool sign = (unsigned char)*p < 128 ? !is_a_to_z(*p) && !is_digit(*p) : skip_signs(p, name->end) > p;
	return (memchr(p, ' ', (size_t)(name->end - p)) != NULL ? BLANK : 0) | (sign ? SIGN : 0);
}

/* The rows at the end of a table that seem to be notes below it. */
typedef struct {
	unsigned looks;      /* of the names above them */
	unsigned own;        /* theirs */
	int64_t count, line; /* where the first one is */
	char text[KNNG_QUOTED + 8];
} notes;

/* The row at t->at: a note, if it has a text alone that looks as no name above does. */
static void
take_note(notes *n, const table *s, const knng_text *t)
{
	bool alone;
	knng_field f = find_alone(s, t, &alone);
	unsigned looks = looks_of(&f);
	if (!alone || (looks & ~n->looks) == 0 || s->top.fields < 3) {
		*n = (notes){.looks = n->looks | n->own | looks};
		return;
	}
	n->own |= looks;
	if (n->count++ == 0) {
		n->line = t->line;
		knng_text_quote(f.begin, f.end, n->text);
	}
}

static knng_status
table_rows(table *s, knng_err *err)
{
	knng_builder *b = &s->b;
	knng_text *t = b->t;
	char separator = s->top.separator, more[60] = "";
	notes below = {0};
	for (knng_text_next_line(t); *t->at != '\0'; knng_text_next_line(t)) {
		if (b->names >= 0 && pass_empty(t, separator))
			continue;
		knng_status status = check_row(s, err);
		if (b->names >= 0)
			take_note(&below, s, t);
		if (status == KNNG_OK)
			status = knng_fields_row(b, separator, false, err);
		if (status != KNNG_OK)
			return status;
	}
	if (below.count > 1)
		snprintf(more, sizeof more, " (and %lld more such line%s)", (long long)below.count - 1,
			 below.count > 2 ? "s" : "");
	if (below.count > 0 && below.count < b->records)
		knng_text_warn(t, below.line,
			       "%s stands alone, without values%s: it was read as row %lld, in which all are missing; "
			       "if it is a note below the table, take it out of the file",
			       below.text, more, (long long)(b->records - below.count) + 1);
	return b->records > 0 ? KNNG_OK : knng_text_fail_truncated(t, "the first row of values", err);
}

/* Where a comma separates fields and the option says that it is the decimal sign, too, it may stand between digits in
 * quotes alone: else rows would be taken apart in other places than was meant. A number in quotes that has one shows
 * that the others separate. */
static knng_status
check_comma(const table *s, knng_err *err)
{
	knng_text rows = *s->b.t;
	char found[KNNG_QUOTED + 8] = "";
	int64_t at = 0;
	if (s->top.separator != ',' || rows.opt->decimal != KNNG_DECIMAL_COMMA)
		return KNNG_OK;
	for (bool header = s->top.header; *rows.at != '\0'; header = false) {
		char *p = rows.at;
		do {
			char *begin = p;
			knng_field f = peek(&p, ',');
			if (header)
				continue;
			sign_of sign = f.quoted ? sign_in(&f) : NEITHER;
			if (sign == WITH_COMMA || sign == THOUSANDS)
				return KNNG_OK;
			if (!f.quoted && at == 0 && *p == ',' && p > begin && is_digit(p[-1]) && is_digit(p[1])) {
				char *end = p + 1;
				while (is_digit(*end))
					end++;
				at = rows.line;
				knng_text_quote(f.begin, end, found);
			}
		} while (peek_on(&p, ','));
		knng_text_advance(&rows, p);
		knng_text_next_line(&rows);
	}
	rows.line = at;
	return at == 0 ? KNNG_OK
		       : knng_text_fail(
				 &rows, err,
				 "found %s, in which a comma may separate fields or be decimal: if it separates, "
				 "leave 'DecimalComma' out; else other signs have to stand between fields, or "
				 "quotes around numbers",
				 found);
}

/* What separates the first line, at t->at, in which the 'Delimiter' that was given is nowhere; '\0': it is there. */
static char
other_delimiter(const knng_text *t)
{
	char given = t->opt->delimiter;
	if (given == '\0' || given == ' ' || memchr(t->at, given, strcspn(t->at, "\n")) != NULL)
		return '\0';
	char seen = find_separator(t->at, t->point);
	return seen == ' ' ? '\0' : seen;
}

/* An error of a file whose first line, number `line`, has this delimiter, and not the one that was given. */
static knng_status
fail_delimiter(knng_text *t, int64_t line, char other, knng_err *err)
{
	t->line = line;
	static const char *const names[] = {
		['\t'] = "tabs", [','] = "commas", [';'] = "semicolons", [' '] = "blanks", ['|'] = "bars"};
	return knng_text_fail(t, err,
			      "this is no table of %s, which 'Delimiter' says: %s separate the fields of this line; "
			      "give these, or leave the option out",
			      names[(unsigned char)t->opt->delimiter], names[(unsigned char)other]);
}

/* Adds to an error of a table of texts alone what else it may be. */
static void
add_remedy(knng_err *err)
{
	size_t used = strlen(err->text);
	snprintf(
		err->text + used, sizeof err->text - used,
		"; if this table says what the samples of other data are, give its name to knng.explore, 'Phenotypes'");
}

static knng_status
table_parse(knng_text *t, knng_content *content, knng_err *err)
{
	table s = {.b = {.t = t, .ds = &content->data, .names = -1, .samples = -1, .classes = -1}, .name = -1};
	knng_builder *b = &s.b;
	char separator = table_top(t), other = other_delimiter(t);
	int64_t line = t->line;
	knng_status status;
	if (*t->at == '\0')
		return knng_text_fail_truncated(t, "the first row of values", err);
	if (separator == '\0') /* an option says that it is a table */
		return knng_text_fail(t, err, "found no tab, comma, semicolon or blank, which would separate fields");
	if ((status = look_at_top(t, separator, &s.top, err)) != KNNG_OK)
		goto done;
	s.since = knng_text_room(s.top.most, sizeof *s.since, columns_of_a_table, err);
	status = s.since == NULL ? KNNG_EMEMORY : check_comma(&s, err);
	if (status == KNNG_OK)
		status = find_names_column(&s, err);
	if (status == KNNG_OK && (status = find_decimal(&s, err)) == KNNG_OK) {
		s.values = s.top.fields;
		status = s.top.header ? table_header(&s, err) : no_header(&s, err);
	}
	if (status != KNNG_OK)
		goto done;
	b->names = b->width > 0 ? t->kept : -1;
	b->why = !s.top.header  ? ", as in the first row"
		 : s.top.corner ? ", as in the header"
				: ": the header's and one for the name, as in the row below the header";
	if ((status = knng_builder_size(b, knng_fields_rows(t, s.values), s.values, err)) == KNNG_OK &&
	    (status = table_rows(&s, err)) == KNNG_OK)
		status = knng_builder_finish(b, err);
done:
	knng_builder_free(b);
	knng_free(s.since);
	knng_free(s.sample_of);
	if (status == KNNG_EIO && s.no_values && b->records == 0)
		add_remedy(err);
	return status == KNNG_EIO && other != '\0' ? fail_delimiter(t, line, other, err) : status;
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
	.title = "a table (of tabs, commas, semicolons or blanks)",
	.kind = KNNG_DATASET,
	.looks_like = table_looks_like,
	.parse = table_parse,
	.write = writing,
};
