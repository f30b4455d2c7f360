/* linkage_table.c  Nodes by the table of their distances. A join changes a row of it and what every other row says of
 * two nodes. These others are brought up to date when they are next read, join by join: what is written then lies in
 * one place, and most rows are never read again. */
#include "graph/linkage.h"

#include "base/sys.h"
#include "graph/joined.h"

#include <string.h>

/* Rows of a job; operations that make a thread worth waking. */
enum { ROWS = 16, WORTH = 1 << 18, AHEAD = 16 };

typedef struct {
	knng_nearness base;
	knng_task *task;
	knng_link method;
	double *W;         /* [places x places] */
	knng_join *events; /* since the places were last closed up */
	int64_t count;     /* of them */
	int32_t *known;    /* [places] how many of them the row there knows */
} table;

/* What events since its last change mean for a row. One loop for each method: which it is need not be asked again. */
#define CATCH_UP(METHOD)                                                                                               \
	case METHOD:                                                                                                   \
		for (int64_t s = t->known[p]; s < t->count; s++) {                                                     \
			const knng_join *e = &t->events[s];                                                            \
			__builtin_prefetch(&row[e[AHEAD].a], 1);                                                       \
			__builtin_prefetch(&row[e[AHEAD].b], 1);                                                       \
			row[e->a] = knng_joined(METHOD, row[e->a], row[e->b], e, t->base.size[p]);                     \
			row[e->b] = NAN;                                                                               \
		}                                                                                                      \
		break;

static double *
row_of(table *t, int64_t p)
{
	double *row = t->W + p * t->base.places;
	switch (t->method) {
		CATCH_UP(KNNG_LINK_SINGLE)
		CATCH_UP(KNNG_LINK_COMPLETE)
		CATCH_UP(KNNG_LINK_AVERAGE)
		CATCH_UP(KNNG_LINK_WEIGHTED)
		CATCH_UP(KNNG_LINK_WARD)
		CATCH_UP(KNNG_LINK_CENTROID)
		CATCH_UP(KNNG_LINK_MEDIAN)
	case KNNG_LINKS:
		break;
	}
	t->known[p] = (int32_t)t->count;
	return row;
}

static knng_status
row(knng_nearness *w, int64_t a, int64_t count, const double **near, knng_err *err)
{
	(void)count, (void)err; /* it is there */
	*near = row_of((table *)w, a);
	return KNNG_OK;
}

/* All of a row at once, for methods that ask for no sizes: NaN, of empty places and of a and b, stays NaN. */
#define MERGE(METHOD)                                                                                                  \
	case METHOD:                                                                                                   \
		_Pragma("omp simd") for (int64_t k = 0; k < places; k++) one[k] =                                      \
			knng_joined(METHOD, one[k], other[k], e, 0);                                                   \
		break;

static void
merge(const table *t, const knng_join *e, double *restrict one, const double *restrict other)
{
	int64_t places = t->base.places;
	const double *size = t->base.size;
	switch (t->method) {
		MERGE(KNNG_LINK_SINGLE)
		MERGE(KNNG_LINK_COMPLETE)
		MERGE(KNNG_LINK_AVERAGE)
		MERGE(KNNG_LINK_WEIGHTED)
	default:
		for (int64_t k = 0; k < places; k++)
			if (size[k] > 0 && k != e->a && k != e->b)
				one[k] = knng_joined(t->method, one[k], other[k], e, size[k]);
	}
}

static knng_status
join(knng_nearness *w, int64_t a, int64_t b, double near, knng_err *err)
{
	table *t = (table *)w;
	double *one = row_of(t, a), *other = row_of(t, b);
	knng_join e = knng_join_of(t->method, w->size, a, b, near);
	one[b] = other[a] = NAN;
	merge(t, &e, one, other);
	one[a] = NAN;
	t->events[t->count++] = e;
	t->known[a] = (int32_t)t->count;
	(void)err;
	return KNNG_OK;
}

static knng_status
catch_up(void *context, int worker, int64_t job, knng_err *err)
{
	table *t = context;
	knng_part part = knng_part_of(job, ROWS, t->base.places);
	(void)worker;
	(void)err;
	for (int64_t p = part.first; p < part.end; p++)
		if (t->base.size[p] > 0)
			row_of(t, p);
	return KNNG_OK;
}

static knng_status
close_up(knng_nearness *w, knng_err *err)
{
	table *t = (table *)w;
	int64_t places = w->places, live = 0;
	int32_t *at = t->known; /* once all rows know all, the places that are not empty */
	knng_task task = {.threads = t->task->threads, .interrupt = t->task->interrupt};
	int threads = knng_task_threads_for(t->task, (double)places * (double)t->count, WORTH);
	knng_status status = knng_task_run(&task, threads, knng_parts(ROWS, places), catch_up, t, err);
	for (int64_t p = 0; p < places; p++)
		if (w->size[p] > 0)
			at[live++] = (int32_t)p;
	for (int64_t i = 0; i < live && status == KNNG_OK; i++) {
		const double *from = t->W + at[i] * places;
		double *to = t->W + i * live; /* never beyond what was read */
		for (int64_t c = 0; c < live; c++)
			to[c] = from[at[c]];
		status = knng_task_poll(t->task, err);
	}
	t->count = 0;
	memset(t->known, 0, (size_t)places * sizeof *t->known);
	return status;
}

static double
height(const knng_nearness *w, double near)
{
	(void)w;
	return near;
}

knng_status
knng_link_distances(knng_task *task, int64_t n, double *W, knng_link method, double *Z, knng_err *err)
{
	bool chains = method != KNNG_LINK_CENTROID && method != KNNG_LINK_MEDIAN;
	knng_status status;
	table t = {.base = {.places = n, .row = row, .join = join, .close_up = close_up, .height = height},
		   .task = task,
		   .method = method,
		   .W = W};
	if (n < 2)
		return KNNG_OK;
	t.base.size = knng_alloc(n, sizeof *t.base.size);
	t.events = knng_calloc(n + AHEAD, sizeof *t.events);
	t.known = knng_calloc(n, sizeof *t.known);
	if (t.base.size == NULL || t.events == NULL || t.known == NULL) {
		status = knng_fail_memory(err, "the tree", knng_link_bytes(n));
		goto done;
	}
	for (int64_t i = 0; i < n; i++) {
		t.base.size[i] = 1;
		W[i * n + i] = NAN;
	}
	status = knng_link_nodes(task, &t.base, chains, Z, err);
done:
	knng_free(t.base.size);
	knng_free(t.events);
	knng_free(t.known);
	return status;
}
