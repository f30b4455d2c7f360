/* rows.c  Rows from wherever they are kept; see rows.h. */
#include "blocks/rows.h"
#include "base/pairs.h"
#include "base/sys.h"
#include "search/gaps_ask.h"

knng_status
knng_rows_ask(knng_question *q, const knng_rows *rows, const knng_options *opt, int64_t k, knng_err *err)
{
	const knng_matrix X = knng_by_rows(rows->n, rows->d, rows->type, &knng_elsewhere);
	knng_status status = knng_ask(q, &X, NULL, opt->metric, k, err);
	return status == KNNG_OK ? knng_gaps_ask(q, opt, err) : status;
}

/* A few rows at a time, so that the columns of a matrix by column are read in pieces that lie together. */
#define COPY(type)                                                                                                     \
	for (int64_t r = first; r < first + count; r += PIECE)                                                         \
		for (int64_t l = 0; l < X->d; l++)                                                                     \
			for (int64_t i = r; i < r + PIECE && i < first + count; i++)                                   \
	((type *)to)[(i - first) * X->d + l] = ((const type *)knng_row_of(X, i))[l * X->col_stride]

knng_status
knng_read_matrix(void *matrix, int64_t first, int64_t count, void *to, knng_err *err)
{
	enum { PIECE = 64 };
	const knng_matrix *X = matrix;
	(void)err;
	if (X->pairs != NULL) {
		knng_pairs_form(X, first, count, X->type, to, X->d);
	} else if (X->type == KNNG_F32) {
		COPY(float);
	} else {
		COPY(double);
	}
	return KNNG_OK;
}

knng_status
knng_rows_filled(const knng_rows *rows, knng_filled *filled, knng_err *err)
{
	enum { FEWEST = 8, BYTES = 1 << 24 }; /* of long rows fewer */
	int64_t some = rows->n < KNNG_FILLED_ROWS ? rows->n : (int64_t)KNNG_FILLED_ROWS;
	*filled = (knng_filled){0};
	if (rows->there != NULL) {
		knng_filled_look(rows->there, filled);
		return KNNG_OK;
	}
	if (rows->costly)
		return KNNG_OK;
	while (some > FEWEST && (double)some * (double)knng_row_bytes(rows) > BYTES)
		some /= 2;
	void *data = knng_alloc(some, knng_row_bytes(rows));
	if (data == NULL)
		return knng_fail_memory(err, "the first rows", (double)some * (double)knng_row_bytes(rows));
	knng_status status = rows->read(rows->context, 0, some, data, err);
	const knng_matrix X = knng_by_rows(some, rows->d, rows->type, data);
	if (status == KNNG_OK)
		knng_filled_look(&X, filled);
	knng_free(data);
	return status;
}
