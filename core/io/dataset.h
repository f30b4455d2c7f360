/* dataset.h  How a parser builds a data set.
 *
 * A file has records, one a line: the name of a row and its values. (Or the name of a sample and its values:
 * `transposed`.) Rows go through a block of eight, since X is column-major and eight rows fill a cache line of each
 * column. Strings are kept in the text (knng_text_keep) as they come; the builder notes which numbers belong to which
 * list. */
#ifndef KNNG_DATASET_H
#define KNNG_DATASET_H

#include "io/knng_io.h"
#include "io/text.h"

#define KNNG_ANY_TEXT INT64_MAX

typedef struct {
	const char *key;      /* a string that outlives the data set; NULL: string `name` of those kept */
	int64_t name;         /* number of a string */
	int64_t first, count; /* the values are strings first … first + count - 1 */
	int64_t column;       /* not 0: the values are this string of each record, from 1, its name not counted */
	const int64_t *which; /* not NULL: the values are these strings, `count` of them */
	bool by_row;          /* and one a row */
	bool between;         /* columns of values are on both sides of them */
	int64_t line;         /* in the file */
} knng_meta_line;

typedef struct {
	knng_text *t;
	knng_dataset *ds;
	bool transposed;
	int64_t room, records, values;   /* records that X has room for; that it has; values a record */
	double *block;                   /* KNNG_BLOCK records on their way into X */
	int64_t names, samples, classes; /* the number of the first string of each list; -1: there is none */
	const int64_t *name_of, *sample_of, *class_of; /* or which string each is; NULL: as above */
	int64_t width;   /* strings kept for each record, one after the other: its name, and by_row metadata or, if
			    transposed, its class */
	bool unnamed;    /* records have no names: every string is metadata */
	int64_t name_at; /* which of them is the name, from 0 */
	/* Not NULL: which fields of a record are strings; else they are before the values. 0: a value; -1: the name;
	   else the line in which the column has its first text, or KNNG_ANY_TEXT: numbers are texts there. */
	const int64_t *texts;
	const char *why; /* behind the number of fields that a row should have: what says so; NULL is nothing */
	knng_meta_line *meta;
	int64_t nmeta, meta_room;
} knng_builder;

enum { KNNG_BLOCK = 8 };

/* Room for records; there may be fewer at last, but bound them by the bytes of the text. */
knng_status knng_builder_size(knng_builder *b, int64_t records, int64_t values, knng_err *err);
/* Where the values of the next record go; then knng_builder_done takes them over. There has to be room. */
double *knng_builder_next(knng_builder *b);
void knng_builder_done(knng_builder *b);
/* Takes a line of metadata over. */
knng_status knng_builder_meta(knng_builder *b, knng_meta_line line, knng_err *err);
/* Makes the data set complete. Of the metadata of rows one may have the symbols of genes: the first whose name is
 * symbol, gene symbol or the like; else has symbol in it; else is identifier, as in data sets of GEO; else is gene
 * name, gene or the like. */
knng_status knng_builder_finish(knng_builder *b, knng_err *err);
/* The same of a data set that is made otherwise: the metadata that has the symbols, or NULL. */
const knng_meta *knng_dataset_symbols_of(const knng_dataset *ds);
/* Symbols as they are in the file, but "" where it says in another way that there is none: two hyphens and what
 * follows, one alone, or a word for a missing value. To *at, which moves behind them. */
char **knng_dataset_take_symbols(const knng_meta *from, int64_t n, char ***at);
void knng_builder_free(knng_builder *b); /* of what is not the data set's */

#endif
