/* metafeatures.c  Z is written in blocks of rows: a block goes through all columns, so that each of its rows is known
 * to be finite or not in one place, and no two threads touch one row. */
#include "rows/metafeatures.h"
#include "base/sys.h"

#include <stdatomic.h>
#include <string.h>

enum {
	BLOCK = 4096,    /* rows: 32 kB of a column of doubles */
	WORTH = 1 << 16, /* elements of Z that make a thread worth waking */
};

const knng_operation knng_operations[KNNG_OPERATIONS] = {
	[KNNG_DIFFERENCE] = {"difference", '-'},
	[KNNG_SUM] = {"sum", '+'},
	[KNNG_PRODUCT] = {"product", '*'},
	[KNNG_RATIO] = {"ratio", '/'},
};

bool
knng_metafeatures_rows(int64_t n, int nops, int64_t *rows)
{
	int64_t half = n % 2 == 0 ? n / 2 : n, other = n % 2 == 0 ? n - 1 : (n - 1) / 2;
	return n >= 1 && knng_mul(half, other, nops, rows) && *rows <= INT64_MAX - n && (*rows += n, true);
}

void
knng_pair_walk_at(knng_pair_walk *w, int64_t n, int64_t row)
{
	int64_t pairs = n * (n - 1) / 2;
	*w = (knng_pair_walk){.n = n, .i = row, .j = -1, .left = n - row, .op = -1};
	if (row < n)
		return;
	w->op = pairs > 0 ? (int)((row - n) / pairs) : 0;
	int64_t rest = pairs > 0 ? (row - n) % pairs : 0;
	for (w->i = 0; rest >= n - 1 - w->i && w->i < n - 1; w->i++)
		rest -= n - 1 - w->i;
	w->j = w->i + 1 + rest;
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

/* `count` elements of one column of Z: from x[at.i] (and x[at.j], x[at.j + 1], …). bad[r] becomes true where one is NaN
 * or Inf: these alone leave no 0 when they are taken from themselves. */
#define STRETCH(type)                                                                                                  \
	static void stretch_##type(knng_pair_walk at, const int *ops, int64_t count, const type *x, type *z,           \
				   bool *bad)                                                                          \
	{                                                                                                              \
		const type a = x[at.i], *y = x + (at.op < 0 ? at.i : at.j);                                            \
		switch (at.op < 0 ? -1 : ops[at.op]) {                                                                 \
		case KNNG_DIFFERENCE:                                                                                  \
			_Pragma("omp simd") for (int64_t r = 0; r < count; r++) z[r] = a - y[r];                       \
			break;                                                                                         \
		case KNNG_SUM:                                                                                         \
			_Pragma("omp simd") for (int64_t r = 0; r < count; r++) z[r] = a + y[r];                       \
			break;                                                                                         \
		case KNNG_PRODUCT:                                                                                     \
			_Pragma("omp simd") for (int64_t r = 0; r < count; r++) z[r] = a * y[r];                       \
			break;                                                                                         \
		case KNNG_RATIO:                                                                                       \
			_Pragma("omp simd") for (int64_t r = 0; r < count; r++) z[r] = a / y[r];                       \
			break;                                                                                         \
		default:                                                                                               \
			memcpy(z, y, (size_t)count * sizeof *z);                                                       \
		}                                                                                                      \
		for (int64_t r = 0; r < count; r++)                                                                    \
			bad[r] |= !(z[r] - z[r] == 0);                                                                 \
	}
STRETCH(double)
STRETCH(float)

typedef struct {
	const knng_task *task;
	const knng_matrix *X;
	const int *ops;
	void *Z;
	int64_t rows;
	bool *bad; /* BLOCK a thread */
	atomic_llong nonfinite;
} job;

static knng_status
fill_block(void *context, int worker, int64_t block, knng_err *err)
{
	job *b = context;
	const knng_matrix *X = b->X;
	int64_t first = block * BLOCK, count = b->rows - first < BLOCK ? b->rows - first : BLOCK, found = 0;
	bool *bad = b->bad + (int64_t)worker * BLOCK;
	knng_pair_walk start;
	memset(bad, 0, (size_t)count * sizeof *bad);
	knng_pair_walk_at(&start, X->n, first);
	for (int64_t c = 0; c < X->d; c++) {
		knng_pair_walk at = start;
		knng_status status = c % 64 == 0 ? knng_task_poll(b->task, err) : KNNG_OK;
		if (status != KNNG_OK)
			return status;
		for (int64_t done = 0, some; done < count; done += some) {
			some = at.left < count - done ? at.left : count - done;
			if (X->type == KNNG_F64)
				stretch_double(at, b->ops, some, (const double *)X->data + c * X->col_stride,
					       (double *)b->Z + c * b->rows + first + done, bad + done);
			else
				stretch_float(at, b->ops, some, (const float *)X->data + c * X->col_stride,
					      (float *)b->Z + c * b->rows + first + done, bad + done);
			knng_pair_walk_next(&at, some);
		}
	}
	for (int64_t r = 0; r < count; r++)
		found += bad[r];
	atomic_fetch_add(&b->nonfinite, found);
	return KNNG_OK;
}

knng_status
knng_metafeatures(knng_task *task, const knng_matrix *X, const int *ops, int nops, void *Z, int64_t *nonfinite,
		  knng_err *err)
{
	job b = {.task = task, .X = X, .ops = ops, .Z = Z};
	if (!knng_metafeatures_rows(X->n, nops, &b.rows))
		return knng_fail_memory(err, "the pairs of rows", 4.0 * nops * (double)X->n * (double)X->n);
	int threads = knng_task_threads_for(task, (double)b.rows * (double)X->d, WORTH);
	task->stage = "pairs";
	if ((b.bad = knng_alloc((int64_t)threads * BLOCK, sizeof *b.bad)) == NULL)
		return knng_fail_memory(err, "the pairs of rows", (double)threads * BLOCK);
	knng_status status = knng_task_run(task, threads, knng_parts(BLOCK, b.rows), fill_block, &b, err);
	*nonfinite = (int64_t)atomic_load(&b.nonfinite);
	knng_free(b.bad);
	return status;
}
