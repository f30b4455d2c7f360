/* pairs.c  Rows made of pairs of rows. An element is one operation, so that no order of summation, no contraction and
 * no instruction set can change a bit of it. */
#include "base/pairs.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

const knng_operation knng_operations[KNNG_OPERATIONS] = {
	[KNNG_DIFFERENCE] = {"difference", '-'},
	[KNNG_SUM] = {"sum", '+'},
	[KNNG_PRODUCT] = {"product", '*'},
	[KNNG_RATIO] = {"ratio", '/'},
};

bool
knng_pairs_rows(int64_t n, int nops, int64_t *rows)
{
	int64_t half = n % 2 == 0 ? n / 2 : n, other = n % 2 == 0 ? n - 1 : (n - 1) / 2;
	return n >= 1 && knng_mul(half, other, nops, rows) && *rows <= INT64_MAX - n && (*rows += n, true);
}

/* How many pairs come before those of row i. */
static int64_t
pairs_before(int64_t n, int64_t i)
{
	int64_t others = 2 * n - 1 - i;
	return i % 2 == 0 ? i / 2 * others : others / 2 * i;
}

void
knng_pair_walk_at(knng_pair_walk *w, int64_t n, int64_t row)
{
	int64_t pairs = pairs_before(n, n);
	*w = (knng_pair_walk){.n = n, .i = row, .j = -1, .left = n - row, .op = -1};
	if (row < n)
		return;
	w->op = pairs > 0 ? (int)((row - n) / pairs) : 0;
	int64_t rest = pairs > 0 ? (row - n) % pairs : 0;
	double b = (double)n - 0.5; /* i i / 2 - b i + rest = 0, and what rounding leaves is made good by steps */
	w->i = (int64_t)(b - sqrt(fmax(0, b * b - 2 * (double)rest)));
	w->i = w->i > n - 2 ? n - 2 : w->i < 0 ? 0 : w->i;
	while (w->i > 0 && pairs_before(n, w->i) > rest)
		w->i--;
	while (w->i < n - 1 && pairs_before(n, w->i + 1) <= rest)
		w->i++;
	w->j = w->i + 1 + rest - pairs_before(n, w->i);
	w->left = n - w->j;
}

void
knng_pair_walk_next(knng_pair_walk *w, int64_t count)
{
	w->left -= count;
	if (w->op < 0)
		w->i += count;
	else
		w->j += count;
	if (w->left > 0)
		return;
	if (w->op < 0 || w->i == w->n - 2) {
		w->op++;
		w->i = 0;
	} else {
		w->i++;
	}
	w->j = w->i + 1;
	w->left = w->n - w->j;
}

#define EACH(value)                                                                                                    \
	if (step == 1) {                                                                                               \
		_Pragma("omp simd") for (int64_t r = 0; r < count; r++)                                                \
		{                                                                                                      \
			const real b = y[r];                                                                           \
			z[r] = value;                                                                                  \
		}                                                                                                      \
	} else {                                                                                                       \
		for (int64_t r = 0; r < count; r++) {                                                                  \
			const real b = y[r * step];                                                                    \
			z[r] = value;                                                                                  \
		}                                                                                                      \
	}                                                                                                              \
	break

/* `count` elements from one row with the rows behind it, which lie `step` apart; op: what they are, -1 these rows
 * themselves. */
#define STRETCH(type)                                                                                                  \
	static void stretch_##type(int op, const type *x, const type *y, int64_t step, int64_t count, type *z)         \
	{                                                                                                              \
		typedef type real;                                                                                     \
		const real a = *x;                                                                                     \
		switch (op) {                                                                                          \
		case KNNG_DIFFERENCE:                                                                                  \
			EACH(a - b);                                                                                   \
		case KNNG_SUM:                                                                                         \
			EACH(a + b);                                                                                   \
		case KNNG_PRODUCT:                                                                                     \
			EACH(a *(b));                                                                                  \
		case KNNG_RATIO:                                                                                       \
			EACH(a / b);                                                                                   \
		default:                                                                                               \
			EACH(b);                                                                                       \
		}                                                                                                      \
	}
STRETCH(double)
STRETCH(float)

void
knng_pairs_column(const knng_matrix *X, int64_t column, int64_t first, int64_t count, void *to)
{
	knng_pair_walk at;
	int64_t step = X->row_stride, start = column * X->col_stride;
	knng_pair_walk_at(&at, X->pairs->n, first);
	for (int64_t done = 0, some; done < count; done += some) {
		int64_t x = start + at.i * step, y = at.op < 0 ? x : start + at.j * step;
		int op = at.op < 0 ? -1 : X->pairs->op[at.op];
		some = at.left < count - done ? at.left : count - done;
		if (X->type == KNNG_F64)
			stretch_double(op, (const double *)X->data + x, (const double *)X->data + y, step, some,
				       (double *)to + done);
		else
			stretch_float(op, (const float *)X->data + x, (const float *)X->data + y, step, some,
				      (float *)to + done);
		knng_pair_walk_next(&at, some);
	}
}

#define PUT(from, type)                                                                                                \
	for (int64_t i = 0; i < some; i++)                                                                             \
	((type *)to)[(r + i) * ld + c] = (type)column.from##s[i]

/* Some rows at a time, column by column, into a buffer that stays in the first-level cache. */
void
knng_pairs_form(const knng_matrix *X, int64_t first, int64_t count, knng_type type, void *to, int64_t ld)
{
	enum { TOGETHER = 64 };
	union {
		double doubles[TOGETHER];
		float floats[TOGETHER];
	} column;
	for (int64_t r = 0, some; r < count; r += some) {
		some = count - r < TOGETHER ? count - r : (int64_t)TOGETHER;
		for (int64_t c = 0; c < X->d; c++) {
			knng_pairs_column(X, c, first + r, some, &column);
			if (X->type == KNNG_F64)
				PUT(double, double);
			else if (type == KNNG_F64)
				PUT(float, double);
			else
				PUT(float, float);
		}
	}
}
#undef PUT
