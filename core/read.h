/* read.h  The formats of files, and how a parser builds a data set. Internal to core/read*.c. */
#ifndef KNNG_READ_H
#define KNNG_READ_H

#include "text.h"

/* A format. looks_like sees the first 256 KB of the text, without blank lines and blanks before it, ended by a NUL.
 * parse finds the text whole, t->at at the same place; it fills the member of `content` that is of its kind, and may
 * leave it half-filled when it fails. */
typedef struct {
	const char *name;  /* a word in lower case, for content.format */
	const char *title; /* for messages */
	knng_kind kind;
	bool (*looks_like)(const char *text);
	knng_status (*parse)(knng_text *t, knng_content *content, knng_err *err);
} knng_format;

/* Each is defined in the file of its family, and has a row in the table of read.c. */
extern const knng_format knng_format_nbi, knng_format_knn, knng_format_mtx, knng_format_net, knng_format_csv,
	knng_format_gml, knng_format_graphml;

void knng_graph_free(knng_graph *g); /* always safe on a zeroed or freed one */

/* ---- building a data set ----
 *
 * Rows go through a block of eight, since X is column-major and eight rows fill a cache line of each column. Strings
 * are kept in the text (knng_text_keep) as they come; the builder notes which numbers belong to which list. */
typedef struct {
	knng_text *t;
	knng_dataset *ds;
	int64_t room;                    /* rows that X has room for */
	double *block;                   /* KNNG_BLOCK rows on their way into X */
	int64_t names, samples, classes; /* the number of the first string of each list; -1: there is none */
	int64_t width; /* strings that are kept for each row, the name and what comes with it; 0 is 1 */
	int64_t meta_room;
} knng_builder;

enum { KNNG_BLOCK = 8 };

/* Room for `rows` x `cols` values; `rows` may be too many, but bound it by the bytes of the text. */
knng_status knng_builder_size(knng_builder *b, int64_t rows, int64_t cols, knng_err *err);
/* Where the ncols values of the next row go; then knng_builder_row_done takes them over. There has to be room. */
double *knng_builder_row(knng_builder *b);
void knng_builder_row_done(knng_builder *b);
/* Metadata: strings first … first + count - 1 are the values of the key, which is a string that outlives the data set,
 * or NULL: string first - 1. by_row: they belong to the rows, one each. */
knng_status knng_builder_meta(knng_builder *b, const char *key, int64_t first, int64_t count, bool by_row,
			      knng_err *err);
/* Makes the data set complete. */
knng_status knng_builder_finish(knng_builder *b, knng_err *err);
void knng_builder_free(knng_builder *b); /* of what is not the data set's */

#endif
