#include "search/widen.h"
#include "base/sys.h"
#include "search/backend.h"
#include "search/info.h"
#include "search/prepared.h"
#include "search/size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FEWEST = 8,  /* neighbours of a row, where a sample says how many */
	MORE = 8,    /* times as many, the next time */
	ROWS = 4096, /* of a table, that a job looks at */
};

typedef struct {
	const knng_plan *plan;
	knng_runner *run;
	knng_range *found;
	knng_info *info;
	bool graph, told;    /* told: info has what is to be said of X */
	int64_t held;        /* bytes, when the search began */
	double done, part;   /* of progress: what is behind, and what runs now */
	uint8_t *open;       /* [m] of rows that may have more than were sought */
	int32_t *list;       /* [m] rows to be asked for again */
	int64_t pairs;       /* that were found, of a graph with rows themselves in part */
	int32_t *idx;        /* [room] */
	double *dist;        /* [room] */
	int64_t room, k;     /* places of a row, now */
	const int32_t *rows; /* those in the tables; NULL: all */
	int64_t count;       /* of them */
	char why[155];       /* why the CPU does the rest; empty: it does not */
} widening;

/* ---------------------------------------------------------------- memory */

static void
close_tables(widening *w)
{
	knng_free(w->idx);
	knng_free(w->dist);
	w->idx = NULL;
	w->dist = NULL;
	w->room = 0;
}

/* Makes room for k nearest of as many rows as there is memory for, or leaves what is there. */
static knng_status
open_tables(widening *w, int64_t k, knng_err *err)
{
	const knng_plan *plan = w->plan;
	double free = knng_budget_of(plan).limit - (plan->bytes - plan->tables);
	int64_t places = knng_widen_places(plan, k, free);
	double bytes = (double)places * (sizeof *w->idx + sizeof *w->dist);
	if (places <= w->room)
		return KNNG_OK;
	close_tables(w);
	w->idx = knng_alloc(places, sizeof *w->idx);
	w->dist = knng_alloc(places, sizeof *w->dist);
	w->room = places;
	return w->idx != NULL && w->dist != NULL ? KNNG_OK : knng_fail_memory(err, "the nearest of rows", bytes);
}

static double
found_bytes(const widening *w)
{
	return (double)w->found->points * sizeof(knng_near);
}

/* ---------------------------------------------------------------- what the tables say */

static int64_t
row_of(const widening *w, int64_t at)
{
	return w->rows != NULL ? w->rows[at] : at;
}

/* How many of the nearest lie within the radius. */
static int64_t
within(const widening *w, int64_t at)
{
	const int32_t *idx = w->idx + at * w->k;
	const double *dist = w->dist + at * w->k;
	int64_t n = 0;
	while (n < w->k && idx[n] >= 0 && KNNG_WITHIN(dist[n], w->found->radius))
		n++;
	return n;
}

/* The rows within the radius go to what is found, unless there may be more of them. */
static knng_status
take_row(widening *w, int worker, int64_t at, knng_err *err)
{
	const int32_t *idx = w->idx + at * w->k;
	const double *dist = w->dist + at * w->k;
	int64_t row = row_of(w, at), n = within(w, at), most = w->plan->x.n - (w->graph && w->rows == NULL);
	bool fine = true;
	w->open[row] = n == w->k && n < most;
	if (!w->open[row])
		__atomic_fetch_add(&w->pairs, n, __ATOMIC_RELAXED);
	for (int64_t e = 0; e < n && !w->open[row] && fine; e++)
		if (!w->graph || idx[e] != row)
			fine = knng_range_put(w->found, worker, (knng_near){dist[e], (int32_t)row, idx[e]});
	return fine ? KNNG_OK : knng_range_status(w->found, worker, err);
}

static knng_status
take_job(void *context, int worker, int64_t job, knng_err *err)
{
	widening *w = context;
	knng_part part = knng_part_of(job, ROWS, w->count);
	knng_status status = KNNG_OK;
	for (int64_t at = part.first; at < part.end && status == KNNG_OK; at++)
		status = take_row(w, worker, at, err);
	return status;
}

/* ---------------------------------------------------------------- searches */

static void
show(void *context, const char *stage, double fraction)
{
	const widening *w = context;
	const knng_task *task = &w->plan->opt.task;
	if (task->progress != NULL)
		task->progress(task->context, stage, w->done + w->part * fraction);
}

/* A part of the whole: what it holds counts under a limit of its own; without one it is no longer free. */
static knng_options
options_of(widening *w)
{
	knng_options opt = w->plan->opt;
	if (opt.max_memory > 0)
		opt.held += knng_widen_bytes(w->plan, w->room) + found_bytes(w);
	opt.range = NULL;
	opt.task.progress = show;
	opt.task.context = w;
	return opt;
}

/* Those of the rows that the tables, or the list, have. */
static knng_matrix
rows_of(const widening *w, const int32_t *rows, int64_t count)
{
	knng_matrix some = w->graph ? w->plan->x : w->plan->y;
	some.n = count;
	some.rows = rows;
	return some;
}

/* The search for what the tables are to have, on the devices of the whole. */
static knng_status
plan_part(widening *w, bool together, knng_plan *part, knng_err *err)
{
	const knng_plan *whole = w->plan;
	knng_options opt = options_of(w);
	const knng_matrix some = rows_of(w, w->rows, w->count), *all = w->graph ? NULL : &whole->y;
	opt.k = w->k;
	opt.device = knng_plan_devices(whole);
	return knng_plan_make(part, &whole->x, together ? all : &some, &opt, err);
}

/* Adds what one search says: of rows, what those say that have all rows of the answer between them. What it held when
 * it began is `before`; some of that its plan may count as well (options_of). Of memory it adds what the search itself
 * takes, and the tables: what is found the whole counts, once, when all is (knng_run). name: it says what was done, and
 * where. */
static void
add_info(widening *w, const knng_plan *plan, const knng_info *one, double before, bool counts, bool name)
{
	knng_info part = *one, was = *w->info;
	bool first = counts && !w->told;
	double counted = plan->opt.held - w->plan->opt.held;
	w->told = w->told || counts;
	part.peak += before - (double)w->held - counted;
	part.planned += knng_widen_bytes(w->plan, w->room) - counted;
	if (w->graph || !counts) { /* its queries have been said as rows of X, or before */
		part.nonfinite -= part.nonfinite_queries;
		part.constant -= part.constant_queries;
		part.nonfinite_queries = part.constant_queries = 0;
	}
	if (!first) { /* and those of X */
		part.nonfinite = part.nonfinite_queries;
		part.constant = part.constant_queries;
		part.points = 0;
	}
	if (!counts)
		memset(part.certified, 0, sizeof part.certified);
	knng_info_add(w->info, &part, first || name);
	w->info->nonfinite_queries = was.nonfinite_queries + part.nonfinite_queries;
	w->info->constant_queries = was.constant_queries + part.constant_queries;
	w->info->fewer = 0; /* than were sought: no fault of the rows */
	w->info->total = 0; /* the whole is timed as one */
	w->info->blocks = was.blocks + (counts ? one->blocks : 0);
}

/* The k nearest of the rows to the tables; *there: they are, or w->why says why not. */
static knng_status
ask(widening *w, bool together, bool counts, bool *there, knng_err *err)
{
	knng_plan plan;
	knng_info one = {0};
	double before = (double)knng_sys().bytes;
	const knng_output out = {w->idx, KNNG_I32, 0, w->dist, KNNG_F64, w->k, 1};
	*there = false;
	knng_err problem = {0};
	knng_status status = plan_part(w, together, &plan, &problem);
	if (status != KNNG_OK && w->plan->opt.prepared != NULL) {
		knng_fail(err, status, problem.id, "%.*s", (int)strcspn(problem.text, ";"), problem.text);
		knng_advise_again(err);
		return status;
	}
	if (status != KNNG_OK) {
		snprintf(w->why, sizeof w->why, "%.154s", problem.text);
		return KNNG_OK;
	}
	status = w->run(&plan, &out, &one, err);
	add_info(w, &plan, &one, before, counts, one.fallback[0] != 0);
	if (one.fallback[0] != 0)
		snprintf(w->why, sizeof w->why, "%.154s", one.fallback);
	*there = status == KNNG_OK;
	w->done += w->part;
	return status;
}

/* The same, and takes what lies within the radius. */
static knng_status
search(widening *w, bool together, bool counts, knng_err *err)
{
	knng_task task = w->plan->opt.task;
	bool there;
	knng_status status = ask(w, together, counts, &there, err);
	double start = knng_seconds();
	task.stage = knng_stage_name[KNNG_STAGE_SINK];
	task.progress = NULL;
	if (there)
		status = knng_task_run(&task, w->plan->threads, knng_parts(ROWS, w->count), take_job, w, err);
	w->info->seconds[KNNG_STAGE_SINK] += knng_seconds() - start;
	return status;
}

/* So many rows, as many at once as the tables have room for: those of the list, or, where there is none, all. For most
 * of them that is enough; progress is to have something left for the others, however many these are. */
static knng_status
search_all(widening *w, const int32_t *list, int64_t count, bool counts, knng_err *err)
{
	const double most = 0.9;
	int64_t each = w->room / w->k;
	double left = 1 - w->done;
	knng_status status = KNNG_OK;
	for (int64_t first = 0; first < count && status == KNNG_OK && w->why[0] == 0; first += w->count) {
		w->rows = list != NULL ? list + first : NULL;
		w->count = count - first < each ? count - first : each;
		w->part = most * left * (double)w->count / (double)count;
		status = search(w, list == NULL, counts, err);
	}
	return status;
}

/* The rows that are to be asked for, to the list. */
static int64_t
collect(widening *w)
{
	int64_t count = 0;
	for (int64_t row = 0; row < w->plan->m; row++)
		if (w->open[row])
			w->list[count++] = (int32_t)row;
	return count;
}

static int
by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Looks at some of the listed rows: *k so that nine in ten of them have fewer within the radius, and *half of which
 * every other one has more. */
static knng_status
look(widening *w, int64_t count, int64_t *k, int64_t *half, knng_err *err)
{
	int32_t some[KNNG_WIDEN_LOOKED];
	int64_t size[KNNG_WIDEN_LOOKED], deep = w->room / KNNG_WIDEN_LOOKED;
	for (int64_t i = 0; i < KNNG_WIDEN_LOOKED; i++)
		some[i] = w->list[i * count / KNNG_WIDEN_LOOKED];
	w->rows = some;
	w->count = KNNG_WIDEN_LOOKED;
	w->k = deep < w->plan->x.n ? deep : w->plan->x.n;
	w->part = 0; /* short: progress stays where it is */
	bool there;
	knng_status status = ask(w, false, false, &there, err);
	if (!there)
		return status;
	for (int64_t i = 0; i < KNNG_WIDEN_LOOKED; i++)
		size[i] = within(w, i);
	qsort(size, KNNG_WIDEN_LOOKED, sizeof *size, by_size);
	int64_t most = size[KNNG_WIDEN_LOOKED * 9 / 10], wanted = most + most / 8 + 1;
	*half = size[KNNG_WIDEN_LOOKED / 2];
	*k = wanted > *k ? wanted : *k;
	return KNNG_OK;
}

/* What the CPU found of the listed rows, to the rest. */
static knng_status
take_rest(widening *w, const knng_range *rest, knng_err *err)
{
	knng_pair *near = knng_alloc(2 * rest->longest + 1, sizeof *near);
	bool fine = near != NULL;
	if (!fine)
		return knng_fail_memory(err, "rows within the radius", 32. * (double)rest->longest);
	for (int64_t i = 0; i < rest->rows && fine; i++) {
		int64_t count = knng_range_count(rest, i);
		knng_range_row(rest, i, near, near + rest->longest);
		for (int64_t e = 0; e < count && fine; e++)
			if (!w->graph || near[e].index != w->list[i])
				fine = knng_range_put(w->found, 0,
						      (knng_near){near[e].distance, w->list[i], near[e].index});
	}
	knng_free(near);
	return fine ? KNNG_OK : knng_range_status(w->found, 0, err);
}

/* All rows that may have more, by the CPU's own search for a radius, as w->why says: *whole: these are all, and what is
 * found is complete. */
static knng_status
finish_on_cpu(widening *w, bool *whole, knng_err *err)
{
	const knng_plan *plan = w->plan;
	knng_plan part;
	knng_info one = {0};
	int64_t count = collect(w);
	knng_range rest = {.radius = w->found->radius, .most = w->found->most > 0 ? w->found->most + count : 0};
	const knng_matrix some = rows_of(w, w->list, count), *all = w->graph ? NULL : &plan->y;
	*whole = count == plan->m;
	close_tables(w);
	knng_options opt = options_of(w);
	opt.range = *whole ? w->found : &rest;
	opt.device.kind = KNNG_DEVICE_CPU;
	double before = (double)knng_sys().bytes;
	knng_status status = knng_plan_make(&part, &plan->x, *whole ? all : &some, &opt, err);
	if (status != KNNG_OK)
		return status;
	snprintf(part.why_cpu, sizeof part.why_cpu, "%s", w->why);
	w->part = 1 - w->done;
	status = w->run(&part, NULL, &one, err);
	one.planned -= opt.range == w->found ? w->found->bytes : 0; /* the whole counts them */
	add_info(w, &part, &one, before, !w->told, true);
	if (status == KNNG_OK && !*whole)
		status = take_rest(w, &rest, err);
	knng_range_close(&rest);
	return status;
}

/* Whether the CPU does a search sooner of whose rows half have so many within the radius, or more: on a GPU each of
 * these takes longer, and on the CPU the pairs that are compared. Measured on 16 processors beside an H200. */
static bool
is_crowded(const knng_plan *plan, int64_t half)
{
	return half > 64 && (double)plan->x.n * (double)plan->x.d < 2000. * plan->threads * (double)half;
}

/* *whole: what is found is complete. */
static knng_status
widen(widening *w, bool *whole, knng_err *err)
{
	const knng_plan *plan = w->plan;
	int64_t count = plan->m, k = plan->k, half = 0;
	bool may = plan->opt.device.kind == KNNG_DEVICE_AUTO && plan->opt.prepared == NULL;
	knng_status status = open_tables(w, k, err);
	memset(w->open, 1, (size_t)plan->m);
	if (status == KNNG_OK && collect(w) >= KNNG_WIDEN_MANY) {
		k = k < FEWEST ? k : (int64_t)FEWEST;
		status = look(w, count, &k, &half, err);
	}
	if (may && is_crowded(plan, half))
		snprintf(w->why, sizeof w->why, "so many rows lie within the radius that the CPU is as soon done");
	k = k < plan->x.n - w->graph ? k : plan->x.n - w->graph;
	if (status == KNNG_OK && w->why[0] == 0)
		status = open_tables(w, k, err);
	bool together = w->room / k >= plan->m;
	w->k = k + (w->graph && !together);
	if (status == KNNG_OK)
		status = search_all(w, together ? NULL : w->list, plan->m, true, err);
	while (status == KNNG_OK && w->why[0] == 0 && (count = collect(w)) > 0) {
		double least = (double)w->pairs + (double)count * (double)w->k;
		int64_t more = MORE * w->k, twice = 2 * w->k;
		if ((status = knng_range_want(w->found, least - w->graph * (double)plan->m, err)) != KNNG_OK)
			break;
		if (count >= KNNG_WIDEN_MANY && w->room / KNNG_WIDEN_LOOKED > twice) {
			more = twice;
			status = look(w, count, &more, &half, err);
		}
		w->k = more < plan->x.n ? more : plan->x.n;
		if (status == KNNG_OK)
			status = search_all(w, w->list, count, false, err);
	}
	return status == KNNG_OK && w->why[0] != 0 && collect(w) > 0 ? finish_on_cpu(w, whole, err) : status;
}

knng_status
knng_widen(const knng_plan *plan, int64_t held, knng_runner *run, knng_info *info, knng_err *err)
{
	widening w = {.plan = plan,
		      .run = run,
		      .found = plan->opt.range,
		      .info = info,
		      .graph = plan->y.data == NULL,
		      .held = held};
	bool whole = false;
	knng_task task = plan->opt.task;
	knng_status status = KNNG_OK;
	w.open = knng_calloc(plan->m, sizeof *w.open);
	w.list = knng_alloc(plan->m, sizeof *w.list);
	if (w.open == NULL || w.list == NULL)
		status = knng_fail_memory(err, "the nearest of rows", (double)plan->m * 5);
	knng_sys_keep(true);
	if (status == KNNG_OK)
		status = widen(&w, &whole, err);
	knng_sys_keep(false);
	knng_free(w.open);
	knng_free(w.list);
	close_tables(&w);
	double start = knng_seconds();
	task.stage = knng_stage_name[KNNG_STAGE_SINK];
	task.done = task.left = 0;
	if (status == KNNG_OK && !whole)
		status = knng_range_finish_rows(w.found, plan->x.n, w.graph ? -1 : plan->m, &task, plan->threads, err);
	info->seconds[KNNG_STAGE_SINK] += knng_seconds() - start;
	return status;
}
