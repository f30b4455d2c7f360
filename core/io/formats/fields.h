/* fields.h  What GEO, GCT and tables share: fields separated by one character, and rows of them.
 *
 * The separator ' ' is any run of blanks, and no field is empty then unless in quotes. */
#ifndef KNNG_FIELDS_H
#define KNNG_FIELDS_H

#include "io/dataset.h"

static inline bool
knng_field_divides(char c, char separator)
{
	return c == separator || (separator == ' ' && c == '\t');
}

/* Is it a blank that means nothing before a field? */
static inline bool
knng_field_is_space(char c, char separator)
{
	return c == ' ' || (c == '\t' && separator != '\t');
}

/* A field as it was written: [begin, end) without blanks around it, or what stands in its quotes. */
typedef struct {
	char *begin, *end;
	bool quoted;
} knng_field;

/* Is it as if with the exponent of Fortran, but perhaps a name: 1D3, or, with a decimal sign, 1.D3? */
bool knng_field_is_fortran(const knng_field *f, bool sign);
/* The field at t->at, and goes to the separator or the end of the line behind it. */
knng_status knng_field_next(knng_text *t, char separator, knng_field *f, knng_err *err);
/* Goes over the separator at t->at, if there is one; blanks at the end of a line separate nothing. */
bool knng_field_separator(knng_text *t, char separator);
/* Keeps the fields that are left in the line; their number without empty ones at its end. */
knng_status knng_fields_keep(knng_text *t, char separator, int64_t *count, knng_err *err);

/* A field of metadata, in which quotes are not always right: none goes past its line. In quotes it ends in a quote
 * before a tab or the end of the line. Where no such quote comes, it ends at the tab, and no later one of the line has
 * it either: *quotes, true at the beginning of a line, becomes false. */
knng_field knng_field_loose(knng_text *t, bool *quotes);
/* Keeps those that are left in the line; their number, without empty ones at its end beyond `want`. */
int64_t knng_fields_keep_loose(knng_text *t, int64_t want);

/* How many rows of d values the rest of the text can hold at most: every row takes a line, and a byte a value. */
int64_t knng_fields_rows(const knng_text *t, int64_t d);
/* The value at t->at, and goes behind it; `at`: which field of the row it is, from 1. */
knng_status knng_fields_value(knng_text *t, char separator, int64_t at, double *value, knng_err *err);
/* A row, at t->at: as many strings as the builder wants, kept, then its values. Empty fields behind them are nothing.
 * `loose`: the strings are metadata. */
knng_status knng_fields_row(knng_builder *b, char separator, bool loose, knng_err *err);

#endif
