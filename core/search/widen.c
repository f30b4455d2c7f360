#include "search/widen.h"
#include "base/sys.h"
#include "search/backend.h"
#include "search/info.h"

#include <math.h>
#include <string.h>

enum {
	FIRST = 32, /* neighbours of a row */
	MORE = 8,   /* times as many, the next time */
	ROWS = 4096 /* of a table, that a job looks at */
};
enum { BYTES = sizeof(int32_t) + sizeof(double) }; /* of a place in the tables */

typedef struct {
	const knng_plan *plan;
	knng_runner *run;
	knng_range *found;
	knng_info *info;
	bool graph;
	int64_t held;           /* bytes, when the search began */
	double done, part, all; /* pairs that were compared; those of what runs now; of all, as far as is known */
	uint8_t *open;          /* [m] of rows that may have more than were sought */
	int32_t *list;          /* [m] rows to be asked for again */
	int64_t pairs;          /* that were found, of a graph with rows themselves in part */
	int32_t *idx;           /* [room] */
	double *dist;           /* [room] */
	int64_t room, k;        /* places of a row, now */
	const int32_t *rows;    /* those in the tables; NULL: all */
	int64_t count;          /* of them */
} widening;

/* ---------------------------------------------------------------- memory */

int64_t
knng_widen_first(int64_t others)
{
	return others < FIRST ? others : (int64_t)FIRST;
}

/* Of the tables: for so many rows, each of which finds itself, too, where it is asked for again in a graph; or for all
 * that one row may find. */
static int64_t
places_of(const knng_plan *plan, int64_t each)
{
	int64_t places = each * (plan->k + 1);
	return places > plan->x.n ? places : plan->x.n;
}

static double
bytes_of(const knng_plan *plan, int64_t each)
{
	return (double)places_of(plan, each) * BYTES + (double)plan->m * 5 + 4096;
}

void
knng_widen_fit(knng_plan *plan, double limit)
{
	const double part = (limit - plan->bytes) / 4;
	plan->each = plan->m;
	while (plan->each > 1 && bytes_of(plan, plan->each) > part)
		plan->each = (plan->each + 1) / 2;
	plan->bytes += bytes_of(plan, plan->each);
}

/* What is held beside what a search for the nearest takes. */
static double
own_bytes(const widening *w)
{
	return w->plan->opt.held + bytes_of(w->plan, w->plan->each);
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

/* The rows within the radius go to what is found, unless there may be more of them. */
static knng_status
take_row(widening *w, int worker, int64_t at, knng_err *err)
{
	const int32_t *idx = w->idx + at * w->k;
	const double *dist = w->dist + at * w->k;
	int64_t row = row_of(w, at), n = 0, most = w->plan->x.n - (w->graph && w->rows == NULL);
	bool fine = true;
	while (n < w->k && idx[n] >= 0 && KNNG_WITHIN(dist[n], w->found->radius))
		n++;
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
		task->progress(task->context, stage, (w->done + w->part * fraction) / w->all);
}

/* The search for what the tables are to have, on the devices of the whole; where these have no room for it and 'auto'
 * chose them, on the CPU. */
static knng_status
plan_part(widening *w, bool together, knng_plan *part, knng_err *err)
{
	const knng_plan *whole = w->plan;
	knng_options opt = whole->opt;
	knng_matrix some = w->graph ? whole->x : whole->y;
	const knng_matrix *queries = together && w->graph ? NULL : &some;
	knng_err problem = {0};
	if (!together) {
		some.n = w->count;
		some.rows = w->rows;
	}
	opt.range = NULL;
	opt.k = w->k;
	opt.device = knng_plan_devices(whole);
	opt.held = own_bytes(w) + found_bytes(w);
	opt.task.progress = show;
	opt.task.context = w;
	knng_status status = knng_plan_make(part, &whole->x, queries, &opt, &problem);
	if (status != KNNG_OK && whole->opt.device.kind == KNNG_DEVICE_AUTO && whole->opt.prepared == NULL) {
		opt.device.kind = KNNG_DEVICE_CPU;
		status = knng_plan_make(part, &whole->x, queries, &opt, &problem);
	}
	return status == KNNG_OK ? status : knng_fail(err, status, problem.id, "%s", problem.text);
}

/* Adds what one search says: of rows, what those say that have all rows of the answer between them. */
static void
add_info(widening *w, const knng_plan *plan, const knng_info *one, double before, bool counts)
{
	knng_info part = *one, was = *w->info;
	bool first = w->done == 0;
	part.peak += before - plan->opt.held - (double)w->held + w->plan->opt.held;
	part.planned -= found_bytes(w); /* which are added when there are all */
	if (w->graph || !counts) {      /* its queries have been said as rows of X, or before */
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
	knng_info_add(w->info, &part, first);
	w->info->nonfinite_queries = was.nonfinite_queries + part.nonfinite_queries;
	w->info->constant_queries = was.constant_queries + part.constant_queries;
	w->info->fewer = 0; /* than were sought: no fault of the rows */
	w->info->total = 0; /* the whole is timed as one */
	w->info->blocks = was.blocks + (counts ? one->blocks : 0);
}

/* Searches for the k nearest of rows, and takes what lies within the radius. */
static knng_status
search(widening *w, bool together, bool counts, knng_err *err)
{
	knng_plan plan;
	knng_info one = {0};
	knng_task task = w->plan->opt.task;
	double before = (double)knng_sys().bytes;
	knng_output out = {w->idx, KNNG_I32, 0, w->dist, KNNG_F64, w->k, 1};
	w->part = (double)w->count * (double)w->plan->x.n;
	knng_status status = plan_part(w, together, &plan, err);
	if (status == KNNG_OK) {
		status = w->run(&plan, &out, &one, err);
		add_info(w, &plan, &one, before, counts);
	}
	double start = knng_seconds();
	task.stage = knng_stage_name[KNNG_STAGE_SINK];
	task.progress = NULL;
	if (status == KNNG_OK)
		status = knng_task_run(&task, w->plan->threads, knng_parts(ROWS, w->count), take_job, w, err);
	w->info->seconds[KNNG_STAGE_SINK] += knng_seconds() - start;
	w->done += w->part;
	return status;
}

/* So many rows, as many at once as the tables have room for: those of the list, or, where there is none, all. */
static knng_status
search_all(widening *w, const int32_t *list, int64_t count, bool counts, knng_err *err)
{
	int64_t each = w->room / w->k;
	knng_status status = KNNG_OK;
	for (int64_t first = 0; first < count && status == KNNG_OK; first += w->count) {
		w->rows = list != NULL ? list + first : NULL;
		w->count = count - first < each ? count - first : each;
		status = search(w, list == NULL, counts, err);
	}
	return status;
}

/* The rows that are to be asked for again. */
static int64_t
collect(widening *w)
{
	int64_t count = 0;
	for (int64_t row = 0; row < w->plan->m; row++)
		if (w->open[row])
			w->list[count++] = (int32_t)row;
	return count;
}

static knng_status
widen(widening *w, knng_err *err)
{
	const knng_plan *plan = w->plan;
	int64_t open = plan->m;
	knng_status status;
	w->k = plan->k;
	w->all = (double)plan->m * (double)plan->x.n;
	if (plan->each == plan->m) {
		status = search_all(w, NULL, plan->m, true, err);
	} else {
		memset(w->open, 1, (size_t)plan->m);
		w->k += w->graph;
		status = search_all(w, w->list, collect(w), true, err);
	}
	while (status == KNNG_OK && (open = collect(w)) > 0) {
		int64_t more = MORE * w->k;
		double least = (double)w->pairs + (double)open * (double)w->k;
		if ((status = knng_range_want(w->found, least - w->graph * (double)plan->m, err)) != KNNG_OK)
			break;
		w->k = more < plan->x.n ? more : plan->x.n;
		w->all += (double)open * (double)plan->x.n;
		status = search_all(w, w->list, open, false, err);
	}
	return status;
}

knng_status
knng_widen(const knng_plan *plan, int64_t held, knng_runner *run, knng_info *info, knng_err *err)
{
	widening w = {.plan = plan,
		      .run = run,
		      .found = plan->opt.range,
		      .info = info,
		      .graph = plan->y.data == NULL,
		      .held = held,
		      .room = places_of(plan, plan->each)};
	knng_task task = plan->opt.task;
	knng_status status = KNNG_OK;
	w.open = knng_calloc(plan->m, sizeof *w.open);
	w.list = knng_alloc(plan->m, sizeof *w.list);
	w.idx = knng_alloc(w.room, sizeof *w.idx);
	w.dist = knng_alloc(w.room, sizeof *w.dist);
	if (w.open == NULL || w.list == NULL || w.idx == NULL || w.dist == NULL)
		status = knng_fail_memory(err, "the nearest of rows", bytes_of(plan, plan->each));
	knng_sys_keep(true);
	if (status == KNNG_OK)
		status = widen(&w, err);
	knng_sys_keep(false);
	knng_free(w.open);
	knng_free(w.list);
	knng_free(w.idx);
	knng_free(w.dist);
	double start = knng_seconds();
	task.stage = knng_stage_name[KNNG_STAGE_SINK];
	task.done = task.left = 0;
	if (status == KNNG_OK)
		status = knng_range_finish_rows(w.found, plan->x.n, w.graph ? -1 : plan->m, &task, plan->threads, err);
	info->seconds[KNNG_STAGE_SINK] += knng_seconds() - start;
	return status;
}
