/* queries.c  Queries among rows from elsewhere: each part of these is a search of its own, whose neighbours are merged
 * with those of the parts before. Distances do not depend on the part, and ties keep the order of the rows, since parts
 * come in that order. */
#include "blocks/queries.h"
#include "base/put.h"
#include "base/sys.h"
#include "base/task.h"
#include "blocks/panels.h"
#include "search/info.h"
#include "search/size.h"

#include <math.h>
#include <string.h>

enum { SMALLEST = 256 /* rows at a time */, ROWS = 256 /* whose lists a job merges */ };

/* m lists of k neighbours, nearest first; index -1: none. */
typedef struct {
	int64_t m, k;
	int64_t *index;
	double *distance;
} lists;

static double
lists_bytes(int64_t m, int64_t k)
{
	return 16 * (double)m * (double)k;
}

static void
close_lists(lists *l)
{
	knng_free(l->index);
	knng_free(l->distance);
	*l = (lists){0};
}

static knng_status
open_lists(lists *l, int64_t m, int64_t k, knng_err *err)
{
	int64_t slots;
	*l = (lists){.m = m, .k = k};
	if (knng_mul(m, k, 1, &slots)) {
		l->index = knng_alloc(slots + 1, sizeof *l->index);
		l->distance = knng_alloc(slots + 1, sizeof *l->distance);
	}
	if (l->index != NULL && l->distance != NULL)
		return KNNG_OK;
	close_lists(l);
	return knng_fail_memory(err, "the neighbours that were found", lists_bytes(m, k));
}

/* ---- plan ---- */

/* What is held beside a search of `size` rows at a time: these and the next ones, the lists, and places to merge in. */
static double
rest_of(const knng_rows *rows, int64_t size, int64_t m, int64_t k, int threads)
{
	int64_t some = k < size ? k : size;
	return knng_panels_bytes(rows, size, size < rows->n ? 2 : 1) + lists_bytes(m, k) + lists_bytes(m, some) +
	       lists_bytes(threads, k) + 4096;
}

/* A plan with so many rows at a time, and so much memory; INFINITY: whatever it takes. */
static knng_status
plan_with(knng_queries_plan *plan, int64_t size, double memory, const knng_rows *rows, const knng_matrix *Y,
	  const knng_options *opt, knng_err *err)
{
	const knng_matrix X = knng_by_rows(size, rows->d, rows->type, &knng_elsewhere);
	knng_options o = *opt;
	int64_t k = opt->k < rows->n ? opt->k : rows->n;
	o.separate = KNNG_PRUNE_OFF;
	o.max_memory = memory;
	o.held = rest_of(rows, size, Y->n, k, knng_task_threads(&opt->task));
	plan->size = size;
	knng_status status = knng_plan_make(&plan->one, &X, Y, &o, err);
	plan->bytes = plan->one.bytes;
	plan->least = plan->one.least;
	return status;
}

knng_status
knng_queries_plan_make(knng_queries_plan *plan, const knng_rows *rows, const knng_matrix *Y, const knng_options *opt,
		       knng_err *err)
{
	const knng_matrix X = knng_by_rows(rows->n, rows->d, rows->type, &knng_elsewhere);
	knng_question q;
	*plan = (knng_queries_plan){0};
	knng_status status = knng_ask(&q, &X, Y, opt->metric, opt->k, err);
	if (status != KNNG_OK)
		return status;
	plan->limit = knng_budget_beside(opt, Y->n, q.k).limit;
	for (int64_t size = rows->n;; size = size / 2 > SMALLEST ? size / 2 : SMALLEST) {
		status = plan_with(plan, size, INFINITY, rows, Y, opt, err);
		if (status != KNNG_OK || plan->bytes <= plan->limit)
			return status;
		if (size <= SMALLEST)
			return plan_with(plan, size, opt->max_memory, rows, Y, opt, err);
	}
}

/* ---- run ---- */

typedef struct {
	const knng_queries_plan *plan;
	const knng_rows *rows;
	const knng_matrix *Y;
	const knng_output *out;
	knng_info *info;
	knng_task task;
	knng_panels panels;
	double done, now; /* parts of the rows: that were searched, and that are */
	lists all, part;  /* of the rows before, and of those that are searched */
	int64_t found;    /* columns of `all` that are filled */
	int64_t first;    /* the first row of the part */
	int64_t *index;   /* [threads * k] to merge in */
	double *distance; /* likewise */
} asking;

/* Of rows that are as far those of the parts before come first; what the tests must find: that the others do. */
#ifdef KNNG_PLANT_LATER
#define IS_BEFORE(near, far) ((near) < (far))
#else
#define IS_BEFORE(near, far) ((near) <= (far))
#endif

/* The neighbours of a query so far and those in the part, into the first; these have higher indices. */
static void
merge(const asking *w, int64_t i, int64_t *index, double *distance)
{
	const lists *b = &w->part;
	int64_t *before = w->all.index + i * w->all.k, at = 0, other = 0, n = 0;
	double *near = w->all.distance + i * w->all.k;
	const int64_t *behind = b->index + i * b->k;
	const double *far = b->distance + i * b->k;
	while (n < w->all.k) {
		bool one = at < w->found && before[at] >= 0, two = other < b->k && behind[other] >= 0;
		if (!one && !two)
			break;
		if (one && (!two || IS_BEFORE(near[at], far[other]))) {
			index[n] = before[at];
			distance[n++] = near[at++];
		} else {
			index[n] = w->first + behind[other];
			distance[n++] = far[other++];
		}
	}
	memcpy(before, index, (size_t)n * sizeof *index);
	memcpy(near, distance, (size_t)n * sizeof *distance);
	for (; n < w->all.k; n++)
		before[n] = -1;
}

static knng_status
merge_job(void *context, int worker, int64_t job, knng_err *err)
{
	const asking *w = context;
	knng_part some = knng_part_of(job, ROWS, w->all.m);
	(void)err;
	for (int64_t i = some.first; i < some.end; i++)
		merge(w, i, w->index + worker * w->all.k, w->distance + worker * w->all.k);
	return KNNG_OK;
}

static knng_status
write_job(void *context, int worker, int64_t job, knng_err *err)
{
	const asking *w = context;
	knng_part some = knng_part_of(job, ROWS, w->all.m);
	(void)worker, (void)err;
	for (int64_t i = some.first; i < some.end; i++) {
		const int64_t *index = w->all.index + i * w->all.k;
		int64_t n = 0;
		for (; n < w->all.k && index[n] >= 0; n++)
			knng_put(w->out, i, n, index[n], w->all.distance[i * w->all.k + n]);
		knng_put_none(w->out, i, n, w->all.k);
	}
	return KNNG_OK;
}

/* Each part counts all the queries that have no distances. */
static void
add_info(knng_info *all, knng_info part, bool first)
{
	if (!first) {
		part.nonfinite -= part.nonfinite_queries;
		part.constant -= part.constant_queries;
	}
	knng_info_add(all, &part, first);
}

/* How far all is, of what the search of a part shows. */
static void
show(void *context, const char *stage, double fraction)
{
	const asking *w = context;
	w->task.progress(w->task.context, stage, w->done + w->now * fraction);
}

/* Every part has the devices and the threads of the largest, and no more memory, whatever fails on the way. */
static knng_options
options_of(asking *w)
{
	const knng_plan *one = &w->plan->one;
	knng_options opt = one->opt;
	opt.max_memory = w->plan->limit;
	opt.device = knng_plan_devices(one);
	opt.task.threads = one->threads;
	opt.task.progress = opt.task.progress != NULL ? show : NULL;
	opt.task.context = w;
	return opt;
}

/* The rows of a part. */
static knng_status
search(asking *w, int64_t p, const void *data, int64_t count, knng_err *err)
{
	const knng_matrix X = knng_by_rows(count, w->rows->d, w->rows->type, data);
	knng_plan now;
	knng_info info;
	const knng_options opt = options_of(w);
	knng_task quiet = {.threads = w->task.threads, .interrupt = w->task.interrupt};
	knng_status status = knng_plan_make(&now, &X, w->Y, &opt, err);
	if (status != KNNG_OK)
		return status;
	const knng_output out = {.idx = w->part.index,
				 .idx_type = KNNG_I64,
				 .dist = w->part.distance,
				 .dist_type = KNNG_F64,
				 .row_stride = now.k,
				 .col_stride = 1};
	w->part.k = now.k;
	if ((status = knng_run(&now, &out, &info, err)) != KNNG_OK)
		return status;
	add_info(w->info, info, p == 0);
	w->first = p * w->plan->size;
	status = knng_task_run(&quiet, w->task.threads, knng_parts(ROWS, w->all.m), merge_job, w, err);
	w->found = w->found + now.k < w->all.k ? w->found + now.k : w->all.k;
	return status;
}

static knng_status
search_all(asking *w, knng_err *err)
{
	int64_t n = w->rows->n, size = w->plan->size, parts = knng_parts(size, n);
	knng_status status = KNNG_OK;
	for (int64_t p = 0; p < parts && status == KNNG_OK; p++) {
		const knng_pair_of_blocks here = {p, p}, next = {p + 1, p + 1};
		int64_t count = p + 1 < parts ? size : n - p * size;
		const void *data[2];
		w->done = (double)p * (double)size / (double)n;
		w->now = (double)count / (double)n;
		status = knng_task_poll(&w->task, err);
		if (status == KNNG_OK)
			status = knng_panels_bring(&w->panels, here, p + 1 < parts ? &next : NULL, data, err);
		if (status == KNNG_OK)
			status = search(w, p, data[0], count, err);
	}
	w->info->seconds[KNNG_STAGE_PREPARE] += w->panels.waited;
	w->info->total += w->panels.waited;
	w->info->blocks = parts;
	knng_info_choice(w->info, &w->plan->one);
	knng_task quiet = {.threads = w->task.threads, .interrupt = w->task.interrupt};
	if (status == KNNG_OK)
		status = knng_task_run(&quiet, w->task.threads, knng_parts(ROWS, w->all.m), write_job, w, err);
	return status;
}

knng_status
knng_queries_run(const knng_queries_plan *plan, const knng_rows *rows, const knng_matrix *Y, const knng_output *out,
		 knng_info *info, knng_err *err)
{
	knng_info unread = {0};
	int64_t k = plan->one.opt.k < rows->n ? plan->one.opt.k : rows->n, some = k < plan->size ? k : plan->size;
	asking w = {.plan = plan,
		    .rows = rows,
		    .Y = Y,
		    .out = out,
		    .info = info != NULL ? info : &unread,
		    .task = plan->one.opt.task};
	*w.info = (knng_info){0};
	w.task.threads = knng_task_threads(&w.task);
	knng_status status = open_lists(&w.all, Y->n, k, err);
	if (status == KNNG_OK)
		status = open_lists(&w.part, Y->n, some, err);
	w.index = knng_alloc(w.task.threads * k + 1, sizeof *w.index);
	w.distance = knng_alloc(w.task.threads * k + 1, sizeof *w.distance);
	if (status == KNNG_OK && (w.index == NULL || w.distance == NULL))
		status = knng_fail_memory(err, "the neighbours that were found", lists_bytes(w.task.threads, k));
	if (status == KNNG_OK)
		status = knng_panels_open(&w.panels, rows, plan->size, plan->size < rows->n ? 2 : 1, err);
	if (status == KNNG_OK) {
		status = search_all(&w, err);
		knng_panels_close(&w.panels);
	}
	close_lists(&w.all);
	close_lists(&w.part);
	knng_free(w.index);
	knng_free(w.distance);
	return status;
}
