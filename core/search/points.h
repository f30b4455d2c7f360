/* points.h  Rows with bit-equal prepared vectors are searched once, as one point (docs/canonical.md, 8). */
#ifndef KNNG_POINTS_H
#define KNNG_POINTS_H

#include "base/sys.h"
#include "base/task.h"
#include "search/metric.h"

enum { KNNG_ROW_FINE, KNNG_ROW_NONFINITE, KNNG_ROW_CONSTANT };

/* The rows of one matrix as points, in order of their smallest member. */
typedef struct {
	int64_t rows, count;
	int64_t known;   /* of these rows, from the first on, that are grouped already */
	int64_t split;   /* rows from here on are never one point with those before; 0: no such place */
	uint8_t *state;  /* [rows] KNNG_ROW_… */
	uint64_t *hash;  /* [rows] of the prepared row; freed by knng_points_group */
	int32_t *of_row; /* [rows] its point, -1 if the row has no distances */
	int64_t *first;  /* [count + 1] where a point's members start */
	int32_t *member; /* rows, ascending within a point */
} knng_points;

knng_status knng_points_open(knng_points *p, int64_t rows, knng_err *err);
/* Leaves the first `known` rows as they are grouped, and makes ready for others behind them, no more in all than were
 * opened, and none equal to one of those. */
knng_status knng_points_resume(knng_points *p, int64_t known, int64_t rows, knng_err *err);
void knng_points_close(knng_points *p); /* safe on zeros, and twice */

/* Fills count, of_row, first and member from state and hash. same(context, a, b) says whether two rows that share a
 * hash are bit-equal. On the way, move(context, to, from) is called with to < from, ascending, for every row that
 * becomes point `to`, so that the prepared rows close ranks. Looks for Ctrl-C at every row. O(rows). */
knng_status knng_points_group(knng_points *p, const knng_task *task,
			      bool (*same)(void *context, int64_t point, int64_t row),
			      void (*move)(void *context, int64_t to, int64_t from), void *context, knng_err *err);

/* The same of rows of which it is known that no two fine ones are equal; known is 0. */
void knng_points_apart(knng_points *p, void (*move)(void *context, int64_t to, int64_t from), void *context);

/* Host bytes that open and group take at most. */
double knng_points_bytes(int64_t rows);

#endif
