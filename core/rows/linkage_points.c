/* linkage_points.c  A table of all distances, square by square. Trees by centres are made in linkage_centres.c. */
#include "rows/linkage_points.h"

#include "base/sys.h"
#include "rows/linkage_centres.h"
#include "rows/linkage_odd.h"
#include "search/cpu/kernels.h"
#include "search/points.h"
#include "search/source.h"

#include <math.h>
#include <string.h>

/* Rows of a square of the table; rows that are looked at together; bytes of rows that stay in the first cache; scratch
 * of prepare in rows; operations that make a thread worth waking. */
enum { SQUARE = 64, TOGETHER = 64, CACHE = 24 << 10, SCRATCH = 4, WORTH = 1 << 18 };

/* ---------------------------------------------------------------- prepared rows */

typedef struct {
	knng_task *task;
	const knng_matrix *X;
	const knng_metric *metric;
	const knng_kernels *kernels;
	int64_t n, ld;
	int threads;
	double *u;       /* [n x ld] */
	double *scratch; /* [SCRATCH x ld] a thread */
	uint8_t *state;  /* [n] KNNG_ROW_… */
	double *W;       /* [n x n], or NULL: */
	double *y;       /* n (n - 1) / 2 */
	double *columns; /* [ld x SQUARE] a thread */
	double *square;  /* [SQUARE x SQUARE] a thread */
} measuring;

static knng_status
load(void *context, int worker, int64_t i, knng_err *err)
{
	const measuring *k = context;
	int64_t ld = k->ld;
	knng_part part = knng_part_of(i, knng_prepare_rows(k->X->d), k->n);
	uint64_t hash;
	(void)err;
	knng_source_rows(k->X, part.first, part.end - part.first, k->u + part.first * ld, ld);
	for (int64_t r = part.first; r < part.end; r++)
		k->state[r] = k->kernels->prepare(k->metric, k->u + r * ld, k->X->d, ld,
						  k->scratch + worker * SCRATCH * ld, &hash);
	return KNNG_OK;
}

/* Whether all rows are fine. */
static knng_status
refuse_any(const measuring *k, knng_err *err)
{
	knng_link_odd odd = {.first = -1};
	for (int64_t i = 0; i < k->n; i++) {
		bool nonfinite = k->state[i] == KNNG_ROW_NONFINITE;
		if (k->state[i] == KNNG_ROW_FINE)
			continue;
		if (odd.first < 0) {
			odd.first = i;
			odd.is_nonfinite = nonfinite;
		}
		odd.nonfinite += nonfinite;
		odd.constant += !nonfinite;
	}
	return odd.first < 0 ? KNNG_OK : knng_link_refuse(&odd, k->metric, err);
}

static void
prepared_free(measuring *k)
{
	knng_free(k->u);
	knng_free(k->scratch);
	knng_free(k->state);
	knng_free(k->columns);
	knng_free(k->square);
}

static double
prepared_bytes(const measuring *k)
{
	return (8.0 * (double)k->ld + 1) * (double)k->n +
	       8.0 * k->threads * ((SCRATCH + SQUARE) * (double)k->ld + SQUARE * SQUARE);
}

static knng_status
prepared_make(measuring *k, knng_err *err)
{
	knng_status status;
	k->u = knng_alloc(k->n, (size_t)k->ld * sizeof *k->u);
	k->scratch = knng_alloc((int64_t)k->threads * SCRATCH, (size_t)k->ld * sizeof *k->scratch);
	k->state = knng_alloc(k->n, 1);
	k->columns = knng_alloc((int64_t)k->threads * SQUARE, (size_t)k->ld * sizeof *k->columns);
	k->square = knng_alloc(k->threads, SQUARE * SQUARE * sizeof *k->square);
	if (k->u == NULL || k->scratch == NULL || k->state == NULL || k->columns == NULL || k->square == NULL)
		return knng_fail_memory(err, "the tree", prepared_bytes(k));
	k->task->stage = "rows";
	status = knng_task_run(k->task, k->threads, knng_parts(knng_prepare_rows(k->X->d), k->n), load, k, err);
	return status == KNNG_OK ? refuse_any(k, err) : status;
}

/* As load, but the rows are forgotten. */
static knng_status
look(void *context, int worker, int64_t i, knng_err *err)
{
	const measuring *k = context;
	int64_t ld = k->ld;
	knng_part part = knng_part_of(i, TOGETHER, k->n);
	double *rows = k->u + worker * TOGETHER * ld;
	uint64_t hash;
	(void)err;
	knng_source_rows(k->X, part.first, part.end - part.first, rows, ld);
	for (int64_t r = part.first; r < part.end; r++)
		k->state[r] = k->kernels->prepare(k->metric, rows + (r - part.first) * ld, k->X->d, ld,
						  k->scratch + worker * SCRATCH * ld, &hash);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- the table */

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The distances of rows [i, i + tall) and [j, j + wide). */
static void
measure(const measuring *k, int worker, int64_t i, int64_t tall, int64_t j, int64_t wide)
{
	double *columns = k->columns + worker * SQUARE * k->ld, *square = k->square + worker * SQUARE * SQUARE;
	int64_t d = k->X->d, many = CACHE / (8 * k->ld) / 8 * 8;
	many = many < 8 ? 8 : many > SQUARE ? SQUARE : many;
	for (int64_t c0 = 0; c0 < wide; c0 += many) {
		int64_t some = least(many, wide - c0), some8 = (some + 7) / 8 * 8;
		_Alignas(64) double sums[SQUARE];
		for (int64_t c = 0; c < some8; c++) { /* what is too many is a row that is there */
			const double *v = k->u + (j + c0 + least(c, some - 1)) * k->ld;
			for (int64_t l = 0; l < d; l++)
				columns[l * some8 + c] = v[l];
		}
		for (int64_t r = 0; r < tall; r++) {
			k->kernels->sums_of_columns(k->metric->sum, k->u + (i + r) * k->ld, 1, columns, some8, d,
						    INFINITY, sums);
			knng_map_sums(k->metric, sums, some8);
			memcpy(square + r * SQUARE + c0, sums, (size_t)some * sizeof *sums);
		}
	}
}

/* A block of the table, by its squares that reach above the diagonal. */
typedef struct {
	const measuring *k;
	int64_t i, tall, j, wide, across; /* squares of a row of them */
	double *x;
} block;

static knng_status
fill_square(void *context, int worker, int64_t job, knng_err *err)
{
	const block *b = context;
	const measuring *k = b->k;
	const double *square = k->square + worker * SQUARE * SQUARE;
	int64_t r0 = job / b->across * SQUARE, c0 = job % b->across * SQUARE;
	int64_t tall = least(SQUARE, b->tall - r0), wide = least(SQUARE, b->wide - c0);
	(void)err;
	if (b->j + c0 + wide <= b->i + r0)
		return KNNG_OK;
	measure(k, worker, b->i + r0, tall, b->j + c0, wide);
	for (int64_t r = 0; r < tall; r++)
		memcpy(b->x + (r0 + r) * b->wide + c0, square + r * SQUARE, (size_t)wide * sizeof *square);
	return KNNG_OK;
}

static knng_status
fill_block(void *context, int64_t i, int64_t tall, int64_t j, int64_t wide, double *x, knng_err *err)
{
	const measuring *k = context;
	block b = {k, i, tall, j, wide, knng_parts(SQUARE, wide), x};
	knng_task quiet = {.threads = k->task->threads, .interrupt = k->task->interrupt};
	return knng_task_run(&quiet, k->threads, b.across * knng_parts(SQUARE, tall), fill_square, &b, err);
}

/* Rows of squares from the diagonal on. */
static knng_status
fill(void *context, int worker, int64_t job, knng_err *err)
{
	const measuring *k = context;
	int64_t n = k->n, i = job * SQUARE, tall = least(SQUARE, n - i);
	const double *square = k->square + worker * SQUARE * SQUARE;
	for (int64_t j = i; j < n; j += SQUARE) {
		int64_t wide = least(SQUARE, n - j);
		knng_status status = knng_task_poll(k->task, err);
		if (status != KNNG_OK)
			return status;
		measure(k, worker, i, tall, j, wide);
		for (int64_t r = 0; k->W != NULL && r < tall; r++)
			memcpy(k->W + (i + r) * n + j, square + r * SQUARE, (size_t)wide * sizeof *square);
		for (int64_t c = 0; k->W != NULL && c < wide; c++)
			for (int64_t r = 0; r < tall; r++)
				k->W[(j + c) * n + i + r] = square[r * SQUARE + c];
		for (int64_t r = 0; k->y != NULL && r < tall; r++)
			for (int64_t c = 0; c < wide; c++)
				if (j + c > i + r)
					k->y[(i + r) * n - (i + r) * (i + r + 1) / 2 + (j + c) - (i + r) - 1] =
						square[r * SQUARE + c];
	}
	return KNNG_OK;
}

static measuring
measuring_of(knng_task *task, const knng_matrix *X, const knng_metric *metric)
{
	return (measuring){.task = task,
			   .X = X,
			   .metric = metric,
			   .kernels = knng_kernels_find(NULL),
			   .n = X->n,
			   .ld = knng_columns(X->d),
			   .threads =
				   knng_task_threads_for(task, (double)X->n * (double)X->n * (double)X->d, 4 * WORTH)};
}

static knng_status
fill_all(measuring *k, knng_err *err)
{
	knng_status status = prepared_make(k, err);
	k->task->stage = "distances";
	if (status == KNNG_OK)
		status = knng_task_run(k->task, k->threads, knng_parts(SQUARE, k->n), fill, k, err);
	prepared_free(k);
	return status;
}

knng_status
knng_all_distances(knng_task *task, const knng_matrix *X, const knng_metric *metric, double *y, knng_err *err)
{
	measuring k = measuring_of(task, X, metric);
	k.y = y;
	knng_status status = knng_afford(prepared_bytes(&k), "the distances of all pairs", err);
	return status != KNNG_OK ? status : fill_all(&k, err);
}

knng_status
knng_link_check(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_err *err)
{
	measuring k = measuring_of(task, X, metric);
	knng_status status;
	k.threads = knng_task_threads_for(task, (double)X->n * (double)X->d, WORTH);
	k.u = knng_alloc((int64_t)k.threads * TOGETHER, (size_t)k.ld * sizeof *k.u);
	k.scratch = knng_alloc((int64_t)k.threads * SCRATCH, (size_t)k.ld * sizeof *k.scratch);
	k.state = knng_alloc(k.n, 1);
	task->stage = "rows";
	if (k.u == NULL || k.scratch == NULL || k.state == NULL)
		status = knng_fail_memory(err, "the tree", (double)k.n);
	else
		status = knng_task_run(task, k.threads, knng_parts(TOGETHER, k.n), look, &k, err);
	if (status == KNNG_OK)
		status = refuse_any(&k, err);
	prepared_free(&k);
	return status;
}

/* ---------------------------------------------------------------- trees */

/* 'single' searches, which takes some MB and some rows for few rows, too. The figures are generous. */
const char *
knng_link_remedy(int64_t n, int64_t d, double max_memory)
{
	double room = max_memory > 0 ? max_memory : 0.9 * knng_memory_available();
	double rows = (double)n, columns = (double)d;
	bool single = 2e6 + 14e3 * columns + rows * (800 + 26 * columns) <= room,
	     ward = 2 * (1e5 + 4e3 * columns + rows * (110 + 8 * columns)) <= room;
	if (d == 0)
		return single ? "of few columns linkage (X) of the rows takes less with 'single' and with 'ward'; or "
				"take fewer rows"
			      : "take fewer rows";
	return single && ward ? "'ward' with the euclidean metric and 'single' take less; or take fewer rows"
	       : single       ? "'single' takes less; or take fewer rows"
	       : ward         ? "'ward' with the euclidean metric takes less; or take fewer rows"
			      : "take fewer rows";
}

knng_status
knng_link_points(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_link method, bool centres,
		 double max_memory, double *Z, knng_err *err)
{
	measuring k = measuring_of(task, X, metric);
	int64_t n = X->n;
	if (centres)
		return knng_link_centres(task, X, metric, method, max_memory, Z, err);
	knng_status status = knng_link_afford(8.0 * (double)n * (double)n + prepared_bytes(&k) + knng_link_bytes(n),
					      max_memory, n, knng_link_remedy(n, X->d, max_memory), err);
	if (status != KNNG_OK)
		return status;
	if ((k.W = knng_alloc(n, (size_t)n * sizeof *k.W)) == NULL)
		return knng_fail_memory(err, "the tree", 8.0 * (double)n * (double)n);
	if ((status = fill_all(&k, err)) == KNNG_OK)
		status = knng_link_distances(task, n, k.W, method, Z, err);
	knng_free(k.W);
	return status;
}

/* The table of distances goes to the GPU block by block. */
static knng_status
link_table_on(const knng_link_device *device, knng_task *task, const knng_matrix *X, const knng_metric *metric,
	      knng_link method, double max_memory, double *Z, knng_err *err)
{
	measuring k = measuring_of(task, X, metric);
	knng_link_nodes_of nodes = {.n = X->n, .method = method, .fill = fill_block, .context = &k};
	knng_status status = knng_link_afford(prepared_bytes(&k) + knng_link_bytes(X->n) + 20.0 * (double)X->n,
					      max_memory, X->n, "take fewer rows or columns", err);
	if (status == KNNG_OK && (status = prepared_make(&k, err)) == KNNG_OK)
		status = knng_link_on(device, task, &nodes, Z, err);
	prepared_free(&k);
	return status;
}

knng_status
knng_link_points_on_gpu(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_link method,
			bool centres, const knng_devices *wanted, double max_memory, double max_device_memory,
			double *Z, bool *done, knng_err *fallback, knng_err *err)
{
	knng_link_device device = {.max_memory = max_device_memory};
	bool worth = centres ? knng_link_centres_worth(X->n, X->d) : knng_link_worth(X->n);
	*done = false;
	*fallback = (knng_err){0};
	knng_status status = knng_link_device_find(wanted, worth, &device, err);
	if (status != KNNG_OK || device.gpu == NULL || X->n < 2)
		return status;
	status = centres ? knng_link_centres_on(&device, task, X, metric, method, max_memory, Z, fallback)
			 : link_table_on(&device, task, X, metric, method, max_memory, Z, fallback);
	return knng_link_settle(status, done, fallback, err);
}
