/* read.h  The formats of files, and how a parser builds a data set. Internal to core/read*.c. */
#ifndef KNNG_READ_H
#define KNNG_READ_H

#include "text.h"

/* A format. looks_like sees the first 256 KB of the text, from the beginning of the first line that is not blank, ended
 * by a NUL. parse finds the text whole, t->at at the same place; it fills the member of `content` that is of its kind,
 * and may leave it half-filled when it fails. */
typedef struct {
	const char *name;  /* a word in lower case, for content.format */
	const char *title; /* for messages */
	knng_kind kind;
	bool (*looks_like)(const char *text);
	knng_status (*parse)(knng_text *t, knng_content *content, knng_err *err);
} knng_format;

/* Each is defined in the file of its family, and has a row in the table of read.c. */
extern const knng_format knng_format_nbi, knng_format_abk, knng_format_geo, knng_format_gct, knng_format_table,
	knng_format_knn, knng_format_mtx, knng_format_net, knng_format_csv, knng_format_gml, knng_format_graphml;

void knng_graph_free(knng_graph *g); /* always safe on a zeroed or freed one */

/* ---- building a data set ----
 *
 * A file has records, one a line: the name of a row and its values. (Or the name of a sample and its values:
 * `transposed`.) Rows go through a block of eight, since X is column-major and eight rows fill a cache line of each
 * column. Strings are kept in the text (knng_text_keep) as they come; the builder notes which numbers belong to which
 * list. */
typedef struct {
	const char *key;      /* a string that outlives the data set; NULL: string `name` of those kept */
	int64_t name;         /* number of a string */
	int64_t first, count; /* the values are strings first … first + count - 1 */
	int64_t column;       /* not 0: the values are this string of each record, its name is 0 */
	int64_t line;         /* in the file */
} knng_meta_line;

typedef struct {
	knng_text *t;
	knng_dataset *ds;
	bool transposed;
	int64_t room, records, values;   /* records that X has room for; that it has; values a record */
	double *block;                   /* KNNG_BLOCK records on their way into X */
	int64_t names, samples, classes; /* the number of the first string of each list; -1: there is none */
	int64_t width;   /* strings kept for each record, one after the other: its name, and by_row metadata or, if
			    transposed, its class */
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
/* Makes the data set complete. */
knng_status knng_builder_finish(knng_builder *b, knng_err *err);
void knng_builder_free(knng_builder *b); /* of what is not the data set's */

#endif
