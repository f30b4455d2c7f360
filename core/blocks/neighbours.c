#include "blocks/neighbours.h"
#include "base/put.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

double
knng_neighbours_bytes(int64_t n, int64_t k)
{
	return (double)n * (12 * (double)k + 1);
}

knng_status
knng_neighbours_make(knng_neighbours *l, int64_t n, int64_t k, int threads, knng_err *err)
{
	int64_t places;
	*l = (knng_neighbours){.n = n, .k = k, .threads = threads};
	if (knng_mul(n, k, 12, &places)) {
		l->distance = knng_alloc(n * k, sizeof *l->distance);
		l->index = knng_alloc(n * k, sizeof *l->index);
		l->level = knng_alloc(n, 1);
	}
	if (l->distance == NULL || l->index == NULL || l->level == NULL) {
		knng_neighbours_free(l);
		return knng_fail_memory(err, "the lists of neighbours", knng_neighbours_bytes(n, k));
	}
	knng_neighbours_clear(l, 0, n);
	return KNNG_OK;
}

/* What is done with some rows of lists, on threads. */
typedef struct {
	const knng_neighbours *lists;
	const knng_output *out;
	knng_part rows;
} stretch;

enum { TOGETHER = 1 << 13 };

static void
on_threads(stretch *s, knng_job *job)
{
	knng_task silent = {.threads = s->lists->threads};
	int64_t rows = s->rows.end - s->rows.first;
	knng_task_run(&silent, knng_task_threads(&silent), knng_parts(TOGETHER, rows), job, s, NULL);
}

/* Rows of a job, as the lists count them. */
static knng_part
rows_of(const stretch *s, int64_t job)
{
	knng_part part = knng_part_of(job, TOGETHER, s->rows.end - s->rows.first);
	int64_t first = s->rows.first - s->lists->first;
	return (knng_part){first + part.first, first + part.end};
}

static knng_status
clear_job(void *context, int worker, int64_t job, knng_err *err)
{
	const stretch *s = context;
	const knng_neighbours *l = s->lists;
	knng_part rows = rows_of(s, job);
	(void)worker, (void)err;
	for (int64_t e = rows.first * l->k; e < rows.end * l->k; e++) {
		l->distance[e] = INFINITY;
		l->index[e] = -1;
	}
	memset(l->level + rows.first, 0, (size_t)(rows.end - rows.first));
	return KNNG_OK;
}

void
knng_neighbours_clear(knng_neighbours *l, int64_t first, int64_t end)
{
	stretch s = {.lists = l, .rows = {first, end}};
	on_threads(&s, clear_job);
}

void
knng_neighbours_free(knng_neighbours *l)
{
	knng_free(l->distance);
	knng_free(l->index);
	knng_free(l->level);
	*l = (knng_neighbours){0};
}

void
knng_neighbours_merge(knng_neighbours *l, int64_t row, const double *distance, const int32_t *index, int64_t count,
		      double *room, int32_t *index_room)
{
	int64_t k = l->k, a = 0, b = 0, n = 0;
	double *own = l->distance + (row - l->first) * k;
	int32_t *own_index = l->index + (row - l->first) * k;
	if (count == 0 || (own_index[k - 1] >= 0 && distance[0] > own[k - 1]))
		return; /* the list is full, and all are farther */
	while (n < k && (b < count || (a < k && own_index[a] >= 0))) {
		bool has = a < k && own_index[a] >= 0;
		bool first = has && (b == count || own[a] < distance[b] ||
				     (own[a] == distance[b] && own_index[a] <= index[b]));
		bool same = first && b < count && own[a] == distance[b] && own_index[a] == index[b];
		room[n] = first ? own[a] : distance[b];
		index_room[n++] = first ? own_index[a++] : index[b++];
#ifndef KNNG_PLANT_TWICE /* what the tests must find: neighbours that stand in a list twice */
		b += same;
#else
		(void)same;
#endif
	}
	memcpy(own, room, (size_t)n * sizeof *own);
	memcpy(own_index, index_room, (size_t)n * sizeof *own_index);
}

static knng_status
write_job(void *context, int worker, int64_t job, knng_err *err)
{
	const stretch *s = context;
	const knng_neighbours *l = s->lists;
	knng_part rows = rows_of(s, job);
	(void)worker, (void)err;
	for (int64_t i = rows.first; i < rows.end; i++) {
		const double *distance = l->distance + i * l->k;
		const int32_t *index = l->index + i * l->k;
		int64_t c = 0;
		for (; c < l->k && index[c] >= 0; c++)
			knng_put(s->out, l->first + i, c, index[c], distance[c]);
		knng_put_none(s->out, l->first + i, c, l->k);
	}
	return KNNG_OK;
}

void
knng_neighbours_write(const knng_neighbours *l, knng_part rows, const knng_output *out)
{
	stretch s = {.lists = l, .out = out, .rows = rows};
	on_threads(&s, write_job);
}

void
knng_neighbours_count(const knng_neighbours *l, knng_part rows, int64_t *certified, int64_t *fewer)
{
	for (int64_t i = rows.first - l->first; i < rows.end - l->first; i++) {
		if (l->level[i] == 0)
			continue;
		certified[l->level[i] - 1]++;
		if (fewer != NULL && l->k > 0)
			*fewer += l->index[(i + 1) * l->k - 1] < 0;
	}
}
