/* fields.c  Fields and rows, see fields.h. */
#include "io/formats/fields.h"

#include <math.h>
#include <string.h>

knng_status
knng_field_next(knng_text *t, char separator, knng_field *f, knng_err *err)
{
	char *p = t->at, q[KNNG_QUOTED + 8];
	while (knng_field_is_space(*p, separator))
		p++;
	f->quoted = *p == '"';
	if (!f->quoted) {
		f->begin = p;
		while (!knng_field_divides(*p, separator) && !is_end(*p))
			p++;
		t->at = p;
		while (p > f->begin && knng_field_is_space(p[-1], separator))
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
	for (p++; knng_field_is_space(*p, separator) && !knng_field_divides(*p, separator); p++) {
	}
	if (!knng_field_divides(*p, separator) && !is_end(*p))
		return knng_text_fail(t, err,
				      "found %s after a closing quote, expected a separator; a quote inside quotes is "
				      "written twice",
				      knng_text_quote(p, skip_word(p), q));
	t->at = p;
	return KNNG_OK;
}

bool
knng_field_separator(knng_text *t, char separator)
{
	if (!knng_field_divides(*t->at, separator))
		return false;
	t->at++;
	if (separator != ' ')
		return true;
	t->at = skip_blanks(t->at);
	return !is_end(*t->at);
}

knng_status
knng_fields_keep(knng_text *t, char separator, int64_t *count, knng_err *err)
{
	int64_t all = 0;
	*count = 0;
	do {
		knng_field f;
		knng_status status = knng_field_next(t, separator, &f, err);
		if (status != KNNG_OK)
			return status;
		knng_text_keep(t, f.begin, f.end);
		all++;
		if (f.end > f.begin)
			*count = all;
	} while (knng_field_separator(t, separator));
	return KNNG_OK;
}

knng_field
knng_field_loose(knng_text *t, bool *quotes)
{
	char *p = t->at, *end;
	while (*p == ' ')
		p++;
	if (*quotes && *p == '"') {
		for (end = p + 1; !is_end(*end); end++)
			if (*end == '"' && (end[1] == '\t' || is_end(end[1]))) {
				t->at = end + 1;
				return (knng_field){.begin = p + 1, .end = end, .quoted = true};
			}
		*quotes = false;
	}
	for (end = p; *end != '\t' && !is_end(*end); end++) {
	}
	t->at = end;
	while (end > p && end[-1] == ' ')
		end--;
	return (knng_field){.begin = p, .end = end};
}

int64_t
knng_fields_keep_loose(knng_text *t, int64_t want)
{
	int64_t all = 0, count = 0;
	bool quotes = true;
	do {
		knng_field f = knng_field_loose(t, &quotes);
		knng_text_keep(t, f.begin, f.end);
		all++;
		if (f.end > f.begin || all <= want)
			count = all;
	} while (knng_field_separator(t, '\t'));
	return count;
}

int64_t
knng_fields_rows(const knng_text *t, int64_t d)
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
	return knng_text_fail(
		t, err, "found %s%lld fields, expected %lld%s%s", have > b->width + b->values ? "at least " : "",
		(long long)have, (long long)(b->width + b->values), b->why != NULL ? b->why : "",
		b->why != NULL && b->records == 0 ? "; 'HeaderLines' leaves out lines above a table" : "");
}

bool
knng_field_is_fortran(const knng_field *f, bool sign)
{
	static const char digits[] = "0123456789";
	const char *p = f->begin + (*f->begin == '-' || *f->begin == '+');
	size_t length = strspn(p, digits);
	p += length;
	if (length == 0 || (sign && *p != '.' && *p != ','))
		return false;
	p += sign;
	if (lower(*p) != 'd')
		return false;
	p += 1 + (!sign && (p[1] == '-' || p[1] == '+'));
	length = strspn(p, digits);
	return length > 0 && p + length == f->end;
}

/* Whether a field is a date as spreadsheets write it: 2020-01-02, 1.2.2020, 01/02/20. */
static bool
is_date(const knng_field *f)
{
	static const char digits[] = "0123456789";
	const char *p = f->begin;
	size_t parts[3];
	char sign = '\0';
	for (int i = 0; i < 3; i++) {
		parts[i] = strspn(p, digits);
		p += parts[i];
		if (i == 0)
			sign = *p;
		if (i < 2 && (p >= f->end || *p++ != sign))
			return false;
	}
	bool first = parts[0] == 4 && parts[1] - 1 < 2 && parts[2] - 1 < 2,
	     last = parts[0] - 1 < 2 && parts[1] - 1 < 2 && (parts[2] == 2 || parts[2] == 4);
	return (sign == '-' || sign == '.' || sign == '/') && p == f->end && (first || last);
}

/* What may help against a field that is no value: another decimal sign, or to give it as 'Missing', behind which it is
 * to follow. */
static const char *
remedy(const knng_text *t, const knng_field *f, char unseen[280])
{
	static const char number[] = "+-0123456789.,";
	size_t all = (size_t)(f->end - f->begin), length = strspn(f->begin, number);
	char other = t->point == ',' ? '.' : ',';
	const char *sign = f->begin + strcspn(f->begin, ".,");
	length = length < all ? length : all;
	const char *blank = knng_text_unseen(f->begin, f->end);
	if (blank != NULL) {
		snprintf(unseen, 280,
			 "; in it is %s, which may stand before and behind a number, but numbers have no signs between "
			 "thousands, and no units: mend that in the file; if it stands for a missing value, give "
			 "knng.read 'Missing', ",
			 blank);
		return unseen;
	}
	if (strcspn(f->begin, "0123456789") >= all)
		return "; if it stands for one, give knng.read 'Missing', ";
	if (knng_field_is_fortran(f, false))
		return "; a D before the exponent is read behind a decimal sign, as in 1.0D3: mend that in the file; "
		       "if "
		       "it stands for a missing value, give knng.read 'Missing', ";
	if (is_date(f))
		return "; it looks like a date, which spreadsheets make of some numbers: mend that in the file; if it "
		       "stands for a missing value, give knng.read 'Missing', ";
	if (length < all)
		return "; numbers have no %, units, currencies or signs between thousands, and no minus but -: mend "
		       "that in the file; if it stands for a missing value, give knng.read 'Missing', ";
	if (sign < f->begin + length && memchr(sign + 1, *sign, (size_t)(f->begin + length - sign - 1)) != NULL)
		return "; numbers have one decimal sign and none between thousands: mend that in the file; if it "
		       "stands for a missing value, give knng.read 'Missing', ";
	if (memchr(f->begin, ',', length) != NULL && memchr(f->begin, '.', length) != NULL)
		return "; numbers may have no sign between thousands: leave it out of the file";
	if (memchr(f->begin, other, length) == NULL)
		return "; a number has one sign at most, in front: mend that in the file; if it stands for a missing "
		       "value, give knng.read 'Missing', ";
	return other == ',' ? "; if the comma is decimal, give knng.read 'DecimalComma', true; if it parts thousands, "
			      "leave it out of the file"
			    : "; if the point is decimal, give knng.read 'DecimalComma', false";
}

knng_status
knng_fields_value(knng_text *t, char separator, int64_t at, double *value, knng_err *err)
{
	char *end = separator != t->point ? knng_text_number(t, t->at, value) : NULL, q[KNNG_QUOTED + 8];
	knng_field f;
	if (end != NULL && isfinite(*value) && !knng_text_is_said(t, t->at, end, *value) &&
	    (knng_field_divides(*end, separator) || is_end(*end))) {
		t->at = end;
		return KNNG_OK;
	}
	knng_status status = knng_field_next(t, separator, &f, err);
	if (status != KNNG_OK)
		return status;
	bool number = knng_text_value(t, f.begin, f.end, value);
	if (number && !knng_text_is_beyond(f.begin, *value))
		return KNNG_OK;
	char spelt[KNNG_SPELT], unseen[280];
	const char *help = number ? "; the largest is 1.8e308: mend that in the file, or write Inf; if it stands for a "
				    "missing value, give knng.read 'Missing', "
				  : remedy(t, &f, unseen),
		   *found = knng_text_quote(f.begin, f.end, q);
	return knng_text_fail(t, err,
			      "found %s in field %lld, expected a number (with a decimal %s), or NA for a missing "
			      "value%s%s",
			      found, (long long)at, t->point == ',' ? "comma" : "point", help,
			      strstr(help, "'Missing'") != NULL ? knng_text_spelt(f.begin, f.end, spelt) : "");
}

/* The first text in the column of texts that is this field of a row, from 0, among what was kept of the rows. */
static const char *
first_text(const knng_builder *b, int64_t field)
{
	const knng_text *t = b->t;
	const char *p = t->buffer;
	int64_t column = 0;
	for (int64_t i = 0; i < field; i++)
		column += b->texts[i] != 0;
	for (int64_t i = 0; i < t->kept; i++, p += strlen(p) + 1)
		if (i >= b->names && (i - b->names) % b->width == column && !knng_text_is_missing(p, p + strlen(p)))
			return p;
	return "";
}

/* Keeps the string at b->t->at, field i of a row, and goes behind it. In a column of texts (names are none) a missing
 * value is the empty text, and there is no number; what is in quotes is a text in any case. */
static knng_status
keep_string(const knng_builder *b, char separator, int64_t i, knng_err *err)
{
	knng_text *t = b->t;
	knng_field f;
	double value;
	char q[KNNG_QUOTED + 8], first[KNNG_QUOTED + 8], spelt[KNNG_SPELT];
	int64_t since = b->texts != NULL ? b->texts[i] : -1;
	knng_status status = knng_field_next(t, separator, &f, err);
	if (status != KNNG_OK)
		return status;
	bool text = since <= 0 || f.quoted || knng_field_is_fortran(&f, true) ||
		    !knng_text_value(t, f.begin, f.end, &value) || (since == KNNG_ANY_TEXT && !isnan(value));
	if (!text && !isnan(value)) {
		const char *above = first_text(b, i), *end = above + strlen(above);
		return knng_text_fail(
			t, err,
			"found the number %s in field %lld, which has a text in line %lld, %s: if that stands for a "
			"missing value, give knng.read 'Missing', %s; else leave out what does not fit, or put numbers "
			"that are texts in quotes",
			knng_text_quote(f.begin, f.end, q), (long long)i + 1, (long long)since,
			knng_text_quote(above, end, first), knng_text_spelt(above, end, spelt));
	}
	knng_text_keep(t, f.begin, text ? f.end : f.begin);
	return KNNG_OK;
}

knng_status
knng_fields_row(knng_builder *b, char separator, bool loose, knng_err *err)
{
	knng_text *t = b->t;
	double *v = knng_builder_next(b);
	knng_status status = KNNG_OK;
	bool quotes = true;
	knng_field f;

	for (int64_t i = 0; i < b->width + b->values; i++) {
		if (i > 0 && !knng_field_separator(t, separator))
			return fail_fields(b, i, err);
		if (b->texts != NULL ? b->texts[i] == 0 : i >= b->width) {
			status = knng_fields_value(t, separator, i + 1, v++, err);
		} else if (loose) {
			f = knng_field_loose(t, &quotes);
			knng_text_keep(t, f.begin, f.end);
		} else {
			status = keep_string(b, separator, i, err);
		}
		if (status != KNNG_OK)
			return status;
	}
	while (knng_field_separator(t, separator)) {
		if ((status = knng_field_next(t, separator, &f, err)) != KNNG_OK)
			return status;
		if (f.end > f.begin)
			return fail_fields(b, b->width + b->values + 1, err);
	}
	knng_builder_done(b);
	return KNNG_OK;
}
