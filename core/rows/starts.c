/* starts.c  Greedy k-means++: for each start several rows are drawn, those far from the starts before the more likely,
 * and the one that lowers the sum most is taken (docs/centres.md, 4). */
#include "rows/lloyd.h"

#include <string.h>

typedef struct {
	knng_lloyd *k;
	int64_t starts; /* there are so many already */
	int64_t trials; /* candidates for the next start, */
	int64_t tried;  /* of which so many are different rows: */
	int64_t *row;   /* [tried] ascending */
	double *gap;    /* [trials x k] no more than the root of the distance of each to each start */
	int64_t taken;  /* the candidate that has become the newest start */
	double all;     /* the sum of the weights */
	double *total;  /* [blocks] the same for each block, */
	double *before; /* [blocks] and for those before it */
	int64_t points; /* of the sample in which candidates are compared; 0: in all rows */
	int64_t *point; /* [blocks + 1] the first of each block */
	double *stand;  /* [points] the sum of weights at which each stands */
	double *less;   /* [blocks x trials] what a candidate would take away from the weights */
} drawing;

/* ---------------------------------------------------------------- weights */

/* A start whose root to the row's own start is more than that is surely not nearer to the row, by (C5). */
static inline double
reach(const knng_lloyd *k, int64_t i)
{
	double upper = k->upper[i];
	return k->bounded ? (upper + (upper * k->delta + k->tau) * (1 + 0x1p-48)) * (1 + 0x1p-48) : INFINITY;
}

/* The weights of a block of rows, now that there is one start more. */
static knng_status
weigh(void *context, int worker, int64_t job, knng_err *err)
{
	const drawing *s = context;
	knng_lloyd *k = s->k;
	knng_lloyd_worker *w = &k->worker[worker];
	knng_part part = knng_part_of(job, LLOYD_DRAW, k->n);
	const double *gap = s->gap + s->taken * k->k;
	int64_t newest = s->starts - 1, count = 0;
	double total = 0;
	(void)err;
	for (int64_t i = part.first; i < part.end; i++) {
		if (k->own[i] == LLOYD_NONE)
			continue;
		w->list[count] = (int32_t)i; /* where the newest is surely no nearer than another nothing changes */
		count += newest == 0 || gap[k->own[i]] <= reach(k, i);
	}
	k->kernels->sums(k->metric->sum, k->v + newest * k->ld, k->u, k->ld, w->list, count, w->distance);
	for (int64_t c = 0; c < count; c++) {
		int64_t i = w->list[c];
		double distance = knng_map_sum(k->metric, w->distance[c]);
		if (newest > 0 && !(distance < k->far[i]))
			continue;
		k->far[i] = distance;
		k->own[i] = (int32_t)newest;
		k->upper[i] = knng_lloyd_above(k, w->distance[c]);
	}
	for (int64_t i = part.first; i < part.end; i++)
		total += k->own[i] == LLOYD_NONE ? 0 : k->far[i];
	s->total[job] = total;
	return KNNG_OK;
}

static int64_t
nth_row(const knng_lloyd *k, double u)
{
	int64_t left = (int64_t)(u * (double)k->rows), last = -1;
	for (int64_t i = 0; i < k->n; i++)
		if (k->own[i] != LLOYD_NONE) {
			last = i;
			if (left-- == 0)
				break;
		}
	return last;
}

/* top: the largest weight, where only that counts; or -1. */
static double
weight(const knng_lloyd *k, int64_t i, double top)
{
	if (k->own[i] == LLOYD_NONE)
		return 0;
	return top < 0 ? k->far[i] : k->far[i] == top ? 1 : 0;
}

/* Weights that add up to infinity: only the largest count, and alike. */
static double
count_largest(drawing *s)
{
	const knng_lloyd *k = s->k;
	double top = -1;
	for (int64_t i = 0; i < k->n; i++)
		top = k->own[i] != LLOYD_NONE && k->far[i] > top ? k->far[i] : top;
	s->all = 0;
	for (int64_t b = 0; b < knng_parts(LLOYD_DRAW, k->n); b++) {
		knng_part part = knng_part_of(b, LLOYD_DRAW, k->n);
		s->total[b] = 0;
		for (int64_t i = part.first; i < part.end; i++)
			s->total[b] += weight(k, i, top);
		s->before[b] = s->all;
		s->all += s->total[b];
	}
	return top;
}

/* The row that u chooses by the weights; the first that is no start yet, if all weights are 0. */
static int64_t
choose(const drawing *s, double top, double u)
{
	const knng_lloyd *k = s->k;
	int64_t last = -1;
	for (int64_t b = 0; b < knng_parts(LLOYD_DRAW, k->n); b++) {
		double before = s->before[b];
		knng_part part = knng_part_of(b, LLOYD_DRAW, k->n);
		if (!(before + s->total[b] > u * s->all))
			continue;
		for (int64_t i = part.first; i < part.end; i++) {
			double x = weight(k, i, top);
			before += x;
			last = x > 0 ? i : last;
			if (x > 0 && before > u * s->all)
				break;
		}
		return last;
	}
	for (int64_t i = 0; i < k->n && last < 0; i++)
		if (k->own[i] != LLOYD_NONE && k->was[i] == 0)
			last = i;
	return last;
}

/* ---------------------------------------------------------------- candidates */

/* How many rows are drawn for each start. */
static int64_t
trials_for(int64_t k)
{
	const double E = 2.718281828459045;
	int64_t trials = 4;
	for (double power = E; power <= (double)k; power *= E) /* none is near a whole number */
		trials += 2;
	return trials;
}

/* Points of the sample in which they are compared; 0: all rows are it. */
static int64_t
points_for(int64_t n, int64_t k)
{
	int64_t most = 2 * n / trials_for(k), points = 16 * k < most ? 16 * k : most;
	points = points > LLOYD_SAMPLE ? points : LLOYD_SAMPLE;
	return points < n ? points : 0;
}

double
knng_lloyd_draw_needs(int64_t n, int64_t k)
{
	double trials = (double)trials_for(k), blocks = (double)knng_parts(LLOYD_DRAW, n);
	return 8 * (trials * (double)(k + 1) + blocks * (4 + trials) + (double)points_for(n, k) + 2);
}

/* The rows for the next start, by one random number. */
static void
draw_candidates(drawing *s, double u)
{
	const knng_lloyd *k = s->k;
	int64_t blocks = knng_parts(LLOYD_DRAW, k->n), trials = s->trials, j = 0;
	s->all = 0;
	for (int64_t b = 0; b < blocks; b++) {
		s->before[b] = s->all;
		s->all += s->total[b];
	}
	s->tried = 1;
	if (!(s->all > 0) || isinf(s->all)) { /* nothing to compare */
		s->row[0] = choose(s, isinf(s->all) ? count_largest(s) : -1, u);
		return;
	}
	s->row[0] = choose(s, -1, u / (double)trials);
	for (int64_t t = 1; t < trials; t++) {
		int64_t i = choose(s, -1, ((double)t + u) / (double)trials);
		if (i != s->row[s->tried - 1])
			s->row[s->tried++] = i;
	}
	for (int64_t p = 0; p < s->points; p++)
		s->stand[p] = ((double)p + (double)(p * 40503 % 65536) * 0x1p-16) / (double)s->points * s->all;
	for (int64_t b = 0; b < blocks; b++) {
		s->point[b] = j;
		while (j < s->points && s->before[b] + s->total[b] > s->stand[j])
			j++;
	}
	s->point[blocks] = j;
}

/* A candidate's distances to the starts. */
static knng_status
measure(void *context, int worker, int64_t job, knng_err *err)
{
	const drawing *s = context;
	const knng_lloyd *k = s->k;
	double *gap = s->gap + job * k->k;
	(void)worker;
	(void)err;
	k->kernels->sums(k->metric->sum, k->u + s->row[job] * k->ld, k->v, k->ld, k->there, s->starts, gap);
	for (int64_t j = 0; j < s->starts; j++)
		gap[j] = knng_lloyd_below(k, gap[j]);
	return KNNG_OK;
}

/* The rows of a block in which candidates are compared: those with a weight, or those of the sample, and how many of
 * its points each is, times[i] of row i of the block. */
static int64_t
rows_of(const drawing *s, int64_t block, int32_t *row, int32_t *times)
{
	knng_part part = knng_part_of(block, LLOYD_DRAW, s->k->n);
	double before = s->before[block];
	int64_t count = 0, j = s->point[block], end = s->point[block + 1];
	for (int64_t i = part.first; i < part.end && (s->points == 0 || j < end); i++) {
		double x = weight(s->k, i, -1);
		int64_t from = j;
		if (!(x > 0))
			continue;
		for (before += x; j < end && before > s->stand[j];)
			j++;
		row[count] = (int32_t)i;
		times[i - part.first] = (int32_t)(j - from);
		count += s->points == 0 || j > from;
	}
	return count;
}

/* How much less the weights of a block would be with each candidate as a start; in a sample, each of its points counts
 * for 1. */
static knng_status
compare(void *context, int worker, int64_t job, knng_err *err)
{
	const drawing *s = context;
	const knng_lloyd *k = s->k;
	knng_lloyd_worker *w = &k->worker[worker];
	int32_t row[LLOYD_DRAW], own[LLOYD_DRAW], times[LLOYD_DRAW];
	double within[LLOYD_DRAW];
	int64_t rows = rows_of(s, job, row, times), first = job * LLOYD_DRAW;
	(void)err;
	for (int64_t r = 0; r < rows; r++) {
		own[r] = k->own[row[r]];
		within[r] = reach(k, row[r]);
	}
	for (int64_t t = 0; t < s->tried; t++) {
		const double *gap = s->gap + t * k->k;
		int64_t count = 0;
		double less = 0;
		for (int64_t r = 0; r < rows; r++) {
			w->list[count] = row[r];
			count += gap[own[r]] <= within[r];
		}
		k->kernels->sums(k->metric->sum, k->u + s->row[t] * k->ld, k->u, k->ld, w->list, count, w->distance);
		for (int64_t c = 0; c < count; c++) {
			int64_t i = w->list[c];
			double distance = knng_map_sum(k->metric, w->distance[c]);
			if (distance < k->far[i])
				less += s->points == 0 ? k->far[i] - distance
						       : times[i - first] * (1 - distance / k->far[i]);
		}
		s->less[job * s->trials + t] = less;
	}
	return KNNG_OK;
}

/* The candidate that takes away the most, of equal ones the first. */
static int64_t
best(const drawing *s)
{
	double most = -1;
	int64_t at = 0;
	for (int64_t t = 0; t < s->tried; t++) {
		double less = 0;
		for (int64_t b = 0; b < knng_parts(LLOYD_DRAW, s->k->n); b++)
			less += s->less[b * s->trials + t];
		at = less > most ? t : at;
		most = less > most ? less : most;
	}
	return at;
}

static knng_status
next_start(drawing *s, double u, knng_err *err)
{
	knng_lloyd *k = s->k;
	knng_status status;
	draw_candidates(s, u);
	s->taken = 0;
	if ((status = knng_task_run(k->task, k->threads, s->tried, measure, s, err)) != KNNG_OK || s->tried == 1)
		return status;
	status = knng_task_run(k->task, k->threads, knng_parts(LLOYD_DRAW, k->n), compare, s, err);
	s->taken = best(s);
	return status;
}

knng_status
knng_lloyd_draw(knng_lloyd *k, const double *draw, knng_err *err)
{
	int64_t blocks = knng_parts(LLOYD_DRAW, k->n), trials = trials_for(k->k), points = points_for(k->n, k->k);
	drawing s = {.k = k,
		     .trials = trials,
		     .points = points,
		     .row = knng_alloc(trials, sizeof *s.row),
		     .gap = knng_alloc(trials * k->k, sizeof *s.gap),
		     .total = knng_alloc(blocks, sizeof *s.total),
		     .before = knng_alloc(blocks, sizeof *s.before),
		     .point = knng_calloc(blocks + 1, sizeof *s.point),
		     .stand = knng_alloc(points + 1, sizeof *s.stand),
		     .less = knng_alloc(blocks * trials, sizeof *s.less)};
	knng_status status = KNNG_OK;
	if (s.row == NULL || s.gap == NULL || s.total == NULL || s.before == NULL || s.point == NULL ||
	    s.stand == NULL || s.less == NULL) {
		status = knng_fail_memory(err, "starts", knng_lloyd_draw_needs(k->n, k->k));
		goto done;
	}
	memset(k->was, 0, (size_t)k->n * sizeof *k->was);
	s.row[0] = nth_row(k, draw[0]);
	while (status == KNNG_OK) {
		int64_t i = s.row[s.taken], newest = s.starts++;
		k->was[i] = 1;
		k->there[newest] = (int32_t)newest;
		memcpy(k->v + newest * k->ld, k->u + i * k->ld, (size_t)k->ld * sizeof *k->v);
		memcpy(k->c + newest * k->ld, k->u + i * k->ld, (size_t)k->ld * sizeof *k->c);
		if (s.starts == k->k ||
		    (status = knng_task_run(k->task, k->threads, blocks, weigh, &s, err)) != KNNG_OK)
			break;
		status = next_start(&s, draw[s.starts], err);
	}
done:
	knng_free(s.row);
	knng_free(s.gap);
	knng_free(s.total);
	knng_free(s.before);
	knng_free(s.point);
	knng_free(s.stand);
	knng_free(s.less);
	return status;
}
