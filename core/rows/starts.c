/* starts.c  k-means++: rows as starts, those far from the starts before the more likely (docs/centres.md, 4). */
#include "rows/lloyd.h"

#include <string.h>

typedef struct {
	knng_lloyd *k;
	int64_t starts; /* there are so many already */
	double *total;  /* [blocks] of weights */
	double *gap;    /* [starts] no more than the root of the distance of the newest start to each */
} drawing;

/* The weights of a block of rows, now that there is one start more. */
static knng_status
weigh(void *context, int worker, int64_t job, knng_err *err)
{
	const drawing *s = context;
	knng_lloyd *k = s->k;
	knng_lloyd_worker *w = &k->worker[worker];
	knng_part part = knng_part_of(job, LLOYD_DRAW, k->n);
	int64_t newest = s->starts - 1, count = 0;
	double total = 0;
	(void)err;
	for (int64_t i = part.first; i < part.end; i++) {
		if (k->own[i] == LLOYD_NONE)
			continue;
		w->list[count] = (int32_t)i; /* where the newest is surely no nearer than another nothing changes */
		count += newest == 0 || !k->bounded ||
			 !knng_lloyd_surely(k, k->upper[i], (s->gap[k->own[i]] - k->upper[i]) * (1 - 0x1p-50));
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
count_largest(const drawing *s, double *total)
{
	const knng_lloyd *k = s->k;
	double top = -1;
	for (int64_t i = 0; i < k->n; i++)
		top = k->own[i] != LLOYD_NONE && k->far[i] > top ? k->far[i] : top;
	*total = 0;
	for (int64_t b = 0; b < knng_parts(LLOYD_DRAW, k->n); b++) {
		knng_part part = knng_part_of(b, LLOYD_DRAW, k->n);
		s->total[b] = 0;
		for (int64_t i = part.first; i < part.end; i++)
			s->total[b] += weight(k, i, top);
		*total += s->total[b];
	}
	return top;
}

/* The row that u chooses by the weights; the first that is no start yet, if all weights are 0. */
static int64_t
choose(const drawing *s, double u)
{
	const knng_lloyd *k = s->k;
	int64_t blocks = knng_parts(LLOYD_DRAW, k->n), last = -1;
	double total = 0, before = 0, top = -1;
	for (int64_t b = 0; b < blocks; b++)
		total += s->total[b];
	if (isinf(total))
		top = count_largest(s, &total);
	for (int64_t b = 0; b < blocks; b++) {
		double after = before + s->total[b];
		knng_part part = knng_part_of(b, LLOYD_DRAW, k->n);
		if (!(after > u * total)) {
			before = after;
			continue;
		}
		for (int64_t i = part.first; i < part.end; i++) {
			double x = weight(k, i, top);
			before += x;
			last = x > 0 ? i : last;
			if (x > 0 && before > u * total)
				break;
		}
		return last;
	}
	for (int64_t i = 0; i < k->n && last < 0; i++)
		if (k->own[i] != LLOYD_NONE && k->was[i] == 0)
			last = i;
	return last;
}

knng_status
knng_lloyd_draw(knng_lloyd *k, const double *draw, knng_err *err)
{
	int64_t blocks = knng_parts(LLOYD_DRAW, k->n);
	drawing s = {.k = k, .total = knng_alloc(blocks, sizeof *s.total), .gap = knng_alloc(k->k, sizeof *s.gap)};
	knng_status status = KNNG_OK;
	if (s.total == NULL || s.gap == NULL) {
		status = knng_fail_memory(err, "starts", 8.0 * (double)(blocks + k->k));
		goto done;
	}
	memset(k->was, 0, (size_t)k->n * sizeof *k->was);
	for (s.starts = 0; s.starts < k->k;) {
		int64_t i = s.starts == 0 ? nth_row(k, draw[0]) : choose(&s, draw[s.starts]), newest = s.starts++;
		k->was[i] = 1;
		memcpy(k->v + newest * k->ld, k->u + i * k->ld, (size_t)k->ld * sizeof *k->v);
		memcpy(k->c + newest * k->ld, k->u + i * k->ld, (size_t)k->ld * sizeof *k->c);
		for (int64_t j = 0; j < newest; j++)
			k->there[j] = (int32_t)j;
		k->kernels->sums(k->metric->sum, k->v + newest * k->ld, k->v, k->ld, k->there, newest, s.gap);
		for (int64_t j = 0; j < newest; j++)
			s.gap[j] = knng_lloyd_below(k, s.gap[j]);
		if (s.starts == k->k)
			break;
		if ((status = knng_task_run(k->task, k->threads, blocks, weigh, &s, err)) != KNNG_OK)
			break;
	}
done:
	knng_free(s.gap);
	knng_free(s.total);
	return status;
}
