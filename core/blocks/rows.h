/* rows.h  Rows that a graph is made of, wherever they are kept: in memory, in a file, with other processes. */
#ifndef KNNG_ROWS_H
#define KNNG_ROWS_H

#include "base/filled.h"
#include "search/knng_search.h"

/* Where rows are kept: n rows of d numbers. read: rows [first, first + count) to `to`, row after row; called
 * from one thread at a time, and not always the same. */
typedef struct {
	int64_t n, d;
	knng_type type; /* KNNG_F64 or KNNG_F32: of the numbers, and of those that read writes */
	knng_status (*read)(void *context, int64_t first, int64_t count, void *to, knng_err *err);
	void *context;
	bool costly;              /* to read a few rows may take as long as to read all */
	double bytes;             /* that reading holds */
	double later;             /* that the rows themselves take, of a plan for some that are not in memory yet */
	const knng_matrix *there; /* or NULL: they are in memory, and all at once are searched there */
} knng_rows;

static inline size_t
knng_row_bytes(const knng_rows *rows)
{
	return (size_t)rows->d * knng_type_bytes(rows->type);
}

/* What a graph of these rows asks for. Errors: those of knng_ask and knng_gaps_ask. */
knng_status knng_rows_ask(knng_question *q, const knng_rows *rows, const knng_options *opt, int64_t k, knng_err *err);

/* read for rows that are in memory; matrix: a knng_matrix. */
knng_status knng_read_matrix(void *matrix, int64_t first, int64_t count, void *to, knng_err *err);

/* Whether the first rows have numbers that may stand for missing values; where that is costly they are not looked at.
 * Errors: memory, and those of read. */
knng_status knng_rows_filled(const knng_rows *rows, knng_filled *filled, knng_err *err);

#endif
