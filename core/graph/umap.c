#include "graph/umap.h"

#include "base/drawn.h"
#include "base/sys.h"
#include "graph/powers.h"

#include <math.h>
#include <string.h>

enum {
	COLUMNS = 256,   /* of a job */
	WORTH = 1 << 12, /* entries to weigh, that make a thread worth waking */
	STEPS = 1 << 12, /* of a pass, likewise */
	NODES = 400,     /* of a block, at least */
	BLOCKS = 64,     /* at most */
	CLIP = 4,        /* no coordinate goes farther in a step of rate 1 */
	BISECTIONS = 60, /* after which sigma is known to its last digits */
	EDGE_BYTES = 20,
};

/* ---------------------------------------------------------------- memberships */

typedef struct {
	const knng_sparse *A;
	double *weight;
} weighing;

/* What a distance x of a column weighs, by = -1 / (sigma ln 2). */
static inline double
weight_of(double x, double rho, double by)
{
	return x > rho ? knng_exp2((x - rho) * by) : 1;
}

static double
sum_of(const double *x, int64_t count, double rho, double sigma)
{
	double sum = 0, by = -1.4426950408889634 / sigma;
	for (int64_t e = 0; e < count; e++)
		sum += weight_of(x[e], rho, by);
	return sum;
}

static void
weigh_column(const double *d, int64_t count, double *w)
{
	double most = 0, rho = INFINITY, mean = 0, low = 0, high = 1, target = knng_log2((double)count + 1);
	for (int64_t e = 0; e < count; e++)
		most = knng_read_distance(d[e]) > most ? d[e] : most;
	for (int64_t e = 0; e < count; e++) { /* over the largest one, for now */
		w[e] = most > 0 ? knng_read_distance(d[e]) / most : 0;
		mean += w[e] / (double)count;
		rho = w[e] > 0 && w[e] < rho ? w[e] : rho;
	}
	while (high < 0x1p40 && sum_of(w, count, rho, high) < target)
		high *= 2;
	for (int s = 0; s < BISECTIONS; s++) {
		double middle = low + (high - low) / 2;
		if (sum_of(w, count, rho, middle) < target)
			low = middle;
		else
			high = middle;
	}
	double sigma = high > mean / 1000 ? high : mean / 1000;
	for (int64_t e = 0; e < count; e++)
		w[e] = weight_of(w[e], rho, -1.4426950408889634 / sigma);
}

static knng_status
weigh_job(void *context, int worker, int64_t job, knng_err *err)
{
	const weighing *w = context;
	knng_part columns = knng_part_of(job, COLUMNS, w->A->columns);
	(void)worker, (void)err;
	for (int64_t j = columns.first; j < columns.end; j++) {
		size_t first = w->A->start[j], end = w->A->start[j + 1];
		weigh_column(w->A->value + first, (int64_t)(end - first), w->weight + first);
	}
	return KNNG_OK;
}

knng_status
knng_umap_weigh(knng_task *task, const knng_sparse *A, double *weight, knng_err *err)
{
	weighing w = {A, weight};
	task->stage = "memberships";
	return knng_task_run(task, knng_task_threads_for(task, (double)A->start[A->columns], WORTH),
			     knng_parts(COLUMNS, A->columns), weigh_job, &w, err);
}

/* ---------------------------------------------------------------- layout */

typedef struct {
	int64_t n;
	int dims, blocks;
	const knng_umap_how *how;
	double *y;      /* [n x dims] by place: block after block */
	int64_t *first; /* [blocks + 1] places */
	int64_t *place; /* [n] of each node */
	int32_t *block; /* [n] of each place */
	/* Edges, those of a cell together. For each direction `next` says in which pass it is taken next. */
	int64_t *cell; /* [blocks x blocks + 1]: where the edges of blocks p <= q begin, at p * blocks + q */
	int32_t *head, *tail;
	float *period; /* passes from one time to the next */
	float *next;   /* [2 an edge] */
	/* of the pass, and of the round that is on */
	int64_t epoch, round;
	double rate;
} layout;

int
knng_umap_blocks(int64_t n)
{
	int64_t blocks = n / NODES / 2 * 2;
	return blocks < 2 ? 2 : blocks > BLOCKS ? BLOCKS : (int)blocks;
}

/* Deals the nodes: an order that is drawn, in blocks of equal size. */
static void
deal(layout *l)
{
	uint64_t state = knng_stirred(l->how->seed + knng_stride);
	for (int64_t i = 0; i < l->n; i++)
		l->place[i] = i;
	for (int64_t i = l->n - 1; i > 0; i--) {
		int64_t j = knng_one_of((uint32_t)(knng_drawn(&state) >> 32), i + 1), keep = l->place[i];
		l->place[i] = l->place[j];
		l->place[j] = keep;
	}
	for (int b = 0; b <= l->blocks; b++)
		l->first[b] = l->n * b / l->blocks;
	for (int b = 0; b < l->blocks; b++)
		for (int64_t p = l->first[b]; p < l->first[b + 1]; p++)
			l->block[p] = b;
}

static int64_t
cell_of(const layout *l, int64_t p, int64_t q)
{
	int64_t a = l->block[p], b = l->block[q];
	return a < b ? a * l->blocks + b : b * l->blocks + a;
}

/* Sorts the edges into cells, and draws for each when it is taken first. */
static void
sort_edges(layout *l, const knng_sparse *W)
{
	int64_t cells = (int64_t)l->blocks * l->blocks;
	double most = 0;
	memset(l->cell, 0, (size_t)(cells + 1) * sizeof *l->cell);
	for (int64_t j = 0; j < W->columns; j++)
		for (size_t e = W->start[j]; e < W->start[j + 1] && (int64_t)W->row[e] < j; e++) {
			l->cell[cell_of(l, l->place[W->row[e]], l->place[j]) + 1]++;
			most = W->value[e] > most ? W->value[e] : most;
		}
	for (int64_t c = 0; c < cells; c++)
		l->cell[c + 1] += l->cell[c];
	for (int64_t j = 0; j < W->columns; j++)
		for (size_t e = W->start[j]; e < W->start[j + 1] && (int64_t)W->row[e] < j; e++) {
			int64_t p = l->place[W->row[e]], q = l->place[j], at = l->cell[cell_of(l, p, q)]++;
			l->head[at] = (int32_t)p;
			l->tail[at] = (int32_t)q;
			l->period[at] = (float)fmin(most / W->value[e], 1e30);
		}
	for (int64_t c = cells; c > 0; c--)
		l->cell[c] = l->cell[c - 1];
	l->cell[0] = 0;
	for (int64_t e = 0; e < 2 * l->cell[cells]; e++) {
		uint64_t bits = knng_stirred(knng_stirred(l->how->seed) + knng_stride * (uint64_t)(e + 1));
		l->next[e] = (float)((double)(bits >> 40) * 0x1p-24) * l->period[e / 2];
	}
}

static inline double
clipped(double step)
{
	return step < -CLIP ? -CLIP : step > CLIP ? CLIP : step;
}

/* Both ends of an edge towards each other. */
static inline __attribute__((always_inline)) void
attract(const layout *l, int dims, double *x, double *y)
{
	double d = 0, a = l->how->a, b = l->how->b;
	for (int c = 0; c < dims; c++)
		d += (x[c] - y[c]) * (x[c] - y[c]);
	if (!(d > 1e-300))
		return;
	double power = knng_exp2(b * knng_log2(d)), pull = 2 * a * b * power / (d * (1 + a * power));
	for (int c = 0; c < dims; c++) {
		double step = l->rate * clipped(pull * (x[c] - y[c]));
		x[c] -= step;
		y[c] += step;
	}
}

/* x away from some nodes of two ranges of places: all at once, from where it stands. */
static inline __attribute__((always_inline)) void
repel(const layout *l, int dims, int m, int64_t p, knng_part one, knng_part other, uint64_t key)
{
	double d[KNNG_UMAP_NEGATIVES], push[KNNG_UMAP_NEGATIVES], a = l->how->a, b = l->how->b;
	const double *from[KNNG_UMAP_NEGATIVES];
	double *x = l->y + p * dims;
	int64_t there = one.end - one.first, count = there + other.end - other.first;
	uint64_t bits = 0;
	for (int s = 0; s < m; s++) {
		bits = s % 2 == 0 ? knng_drawn(&key) : bits >> 32;
		int64_t q = knng_one_of((uint32_t)bits, count);
		from[s] = l->y + (q < there ? one.first + q : other.first + q - there) * dims;
	}
	for (int s = 0; s < m; s++) {
		d[s] = 0;
		for (int c = 0; c < dims; c++)
			d[s] += (x[c] - from[s][c]) * (x[c] - from[s][c]);
	}
#pragma omp simd
	for (int s = 0; s < m; s++) {
		double power = knng_exp2(b * knng_log2(d[s] > 1e-300 ? d[s] : 1e-300));
		push[s] = 2 * b / ((0.001 + d[s]) * (1 + a * power));
	}
	for (int c = 0; c < dims; c++) {
		double step = 0;
		for (int s = 0; s < m; s++)
			step += clipped(push[s] * (x[c] - from[s][c]));
		x[c] += l->rate * step;
	}
}

/* Blocks that meet in a round: round 0 is each with itself, the others are those of a tournament, in which one block
 * keeps its seat and the others go around. */
static void
meeting(const layout *l, int64_t job, int *p, int *q)
{
	int around = l->blocks - 1, shift = (int)l->round - 1, i = (int)job;
	if (l->round == 0) {
		*p = *q = i;
		return;
	}
	int a = (shift + i) % around, b = i == 0 ? around : (shift + around - i) % around;
	*p = a < b ? a : b;
	*q = a < b ? b : a;
}

/* The edges of a cell. dims and m are numbers where that is faster. */
static inline __attribute__((always_inline)) void
walk(const layout *l, int dims, int m, int64_t cell, knng_part one, knng_part other)
{
	uint64_t key = knng_stirred(l->how->seed + knng_stride * (uint64_t)l->epoch);
	float now = (float)l->epoch;
	for (int64_t e = 2 * l->cell[cell]; e < 2 * l->cell[cell + 1]; e++) {
		if (l->next[e] > now)
			continue;
		l->next[e] += l->period[e / 2];
		int64_t ends[2] = {l->head[e / 2], l->tail[e / 2]}, p = ends[e % 2], q = ends[1 - e % 2];
		attract(l, dims, l->y + p * dims, l->y + q * dims);
		repel(l, dims, m, p, one, other, knng_stirred(key + (uint64_t)e));
	}
}

static knng_status
meet_job(void *context, int worker, int64_t job, knng_err *err)
{
	const layout *l = context;
	int p, q;
	(void)worker, (void)err;
	meeting(l, job, &p, &q);
	knng_part one = {l->first[p], l->first[p + 1]}, other = {l->first[q], l->first[q + 1]};
	if (p == q)
		other.end = other.first;
	int64_t cell = (int64_t)p * l->blocks + q;
	if (l->dims == 2 && l->how->negatives == 5)
		walk(l, 2, 5, cell, one, other);
	else
		walk(l, l->dims, l->how->negatives, cell, one, other);
	return KNNG_OK;
}

static knng_status
pass(knng_task *task, layout *l, int threads, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (l->round = 0; l->round < l->blocks && status == KNNG_OK; l->round++)
		status = knng_task_run(task, threads, l->round == 0 ? l->blocks : l->blocks / 2, meet_job, l, err);
	return status;
}

knng_status
knng_umap_layout(knng_task *task, const knng_sparse *W, const knng_umap_how *how, int dims, double *y, knng_err *err)
{
	int64_t n = W->columns, edges = 0, room, cells;
	layout l = {.n = n, .dims = dims, .blocks = knng_umap_blocks(n), .how = how};
	knng_status status;
	for (int64_t j = 0; j < n; j++)
		for (size_t e = W->start[j]; e < W->start[j + 1]; e++)
			edges += (int64_t)W->row[e] < j;
	cells = (int64_t)l.blocks * l.blocks;
	double bytes =
		EDGE_BYTES * (double)edges + (8.0 * dims + 12) * (double)n + 8.0 * (double)(cells + l.blocks + 2);
	if (edges == 0)
		return KNNG_OK;
	if ((status = knng_afford(bytes, "the layout", err)) != KNNG_OK)
		return status;
	if (knng_mul(n, dims, 1, &room))
		l.y = knng_alloc(room, sizeof *l.y);
	l.first = knng_alloc(l.blocks + 1, sizeof *l.first);
	l.place = knng_alloc(n, sizeof *l.place);
	l.block = knng_alloc(n, sizeof *l.block);
	l.cell = knng_alloc(cells + 1, sizeof *l.cell);
	l.head = knng_alloc(edges, sizeof *l.head);
	l.tail = knng_alloc(edges, sizeof *l.tail);
	l.period = knng_alloc(edges, sizeof *l.period);
	l.next = knng_alloc(2 * edges, sizeof *l.next);
	if (l.y == NULL || l.first == NULL || l.place == NULL || l.block == NULL || l.cell == NULL || l.head == NULL ||
	    l.tail == NULL || l.period == NULL || l.next == NULL) {
		status = knng_fail_memory(err, "the layout", bytes);
		goto done;
	}
	deal(&l);
	sort_edges(&l, W);
	for (int64_t i = 0; i < n; i++)
		memcpy(l.y + l.place[i] * dims, y + i * dims, (size_t)dims * sizeof *y);
	int threads = knng_task_threads_for(task, (double)edges * (1 + how->negatives) * dims / l.blocks, STEPS);
	task->stage = "layout";
	for (l.epoch = 1; l.epoch <= how->epochs && status == KNNG_OK; l.epoch++) {
		task->done = (double)(l.epoch - 1) / (double)how->epochs;
		task->left = 1 - (double)l.epoch / (double)how->epochs;
		l.rate = how->rate * (1 - task->done);
		status = pass(task, &l, threads, err);
	}
	task->done = task->left = 0;
	for (int64_t i = 0; i < n; i++)
		memcpy(y + i * dims, l.y + l.place[i] * dims, (size_t)dims * sizeof *y);
done:
	knng_free(l.next);
	knng_free(l.period);
	knng_free(l.tail);
	knng_free(l.head);
	knng_free(l.cell);
	knng_free(l.block);
	knng_free(l.place);
	knng_free(l.first);
	knng_free(l.y);
	return status;
}
