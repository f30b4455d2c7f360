/* run.c  The path of every search, each stage in its order:
 *
 *     source -> prepare -> [ filter -> certify -> refine -> sink ] once a precision level, for each block of points
 *
 * The stages are the backend's (backend.h); here is only what follows what. docs/architecture.md is the map. */
#include "search/gaps.h"
#include "search/prepared.h"
#include "search/separate.h"
#include "search/size.h"
#include "search/widen.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double
charge(double *stage, double since)
{
	double now = knng_seconds();
	*stage += now - since;
	return now;
}

/* Prepares a matrix; rows without distances get their empty answers at once. */
static knng_status
load(knng_search *w, const knng_matrix *matrix, knng_points *points, bool queries, knng_err *err)
{
	bool more = points == &w->x && w->known > 0;
	knng_status status = more ? knng_points_resume(points, w->known, matrix->n, err)
				  : knng_points_open(points, knng_prepared_room(w->prepared, matrix->n), err);
	points->rows = matrix->n;
	points->split = w->plan->opt.split;
	if (status == KNNG_OK)
		status = w->backend->load(w, matrix, points, queries, err);
	if (status != KNNG_OK)
		return status;
	bool empty = w->out != NULL && w->plan->opt.range == NULL && points == w->query;
	for (int64_t i = 0; i < matrix->n; i++) {
		if (points->state[i] == KNNG_ROW_FINE)
			continue;
		w->info->nonfinite += points->state[i] == KNNG_ROW_NONFINITE;
		w->info->constant += points->state[i] == KNNG_ROW_CONSTANT;
		w->info->nonfinite_queries += queries && points->state[i] == KNNG_ROW_NONFINITE;
		w->info->constant_queries += queries && points->state[i] == KNNG_ROW_CONSTANT;
		if (empty)
			knng_sink_empty(w, i);
	}
	return KNNG_OK;
}

/* Block i of things that are cut into blocks of `size`. */
static knng_block
block(int64_t i, int64_t size, int64_t total)
{
	return (knng_block){i * size, (i + 1) * size < total ? size : total - i * size};
}

/* Some things in a row, and the blocks that they touch, where all things are cut into blocks of `size`. */
typedef struct {
	int64_t first, end, size;
} stretch;

static int64_t
blocks(const stretch *s)
{
	return s->first < s->end ? (s->end - 1) / s->size - s->first / s->size + 1 : 0;
}

static knng_block
block_of(const stretch *s, int64_t i)
{
	int64_t first = (s->first / s->size + i) * s->size, end = first + s->size;
	first = first > s->first ? first : s->first;
	return (knng_block){first, (end < s->end ? end : s->end) - first};
}

/* Tiles of a level, rows against columns. In a graph's first level every pair of blocks is met once: the diagonal
 * first, which gives all rows their thresholds, then block I with I + 1, I + 2, … around the circle, so that
 * neighbouring jobs share no block. Likewise where the blocks of two sides meet. */
typedef struct {
	enum { ROWS_SEEK, BOTH_SEEK, TRIANGLE } kind;
	stretch rows, columns; /* rows: places in w->pending */
} tiling;

static int64_t
tiles(const tiling *t)
{
	int64_t rows = blocks(&t->rows);
	return t->kind == TRIANGLE ? rows * (rows + 1) / 2 : rows * blocks(&t->columns);
}

static knng_status
filter_job(knng_search *w, int worker, int64_t job, void *context, knng_err *err)
{
	const tiling *t = context;
	if (job >= tiles(t)) /* of the second side */
		job -= tiles(t++);
	int64_t all = blocks(&t->rows), row = job % all, column = job / all;
	bool both = t->kind == BOTH_SEEK;
	if (both)
		column = (row + column) % blocks(&t->columns);
	if (t->kind == TRIANGLE) {
		column = (row + column) % all;
		both = row != column;
		if (row > column) {
			int64_t swap = row;
			row = column;
			column = swap;
		}
	}
	return w->backend->candidates(w, worker, block_of(&t->rows, row), block_of(&t->columns, column), both, err);
}

/* The tiles of this level: of all rows against all columns, or of each side against the other. */
static void
lay_tiles(const knng_search *w, tiling t[2])
{
	int64_t height, width, all = w->x.count, pending = w->npending, first = w->first_side, split = w->split;
	w->backend->blocks(w, &height, &width);
	t[0] = (tiling){w->triangle ? TRIANGLE : ROWS_SEEK, {0, pending, height}, {0, all, width}};
	t[1] = (tiling){ROWS_SEEK, {0, 0, 1}, {0, 0, 1}};
	if (w->plan->opt.split == 0)
		return;
	t[0] = (tiling){w->triangle ? BOTH_SEEK : ROWS_SEEK, {0, first, height}, {split, all, width}};
	if (!w->triangle)
		t[1] = (tiling){ROWS_SEEK, {first, pending, height}, {0, split, width}};
}

static knng_status
filter(knng_search *w, knng_err *err)
{
	tiling t[2];
	for (w->first_side = 0; w->first_side < w->npending && w->pending[w->first_side] < w->split;)
		w->first_side++;
	double left = w->task.left;
	w->task.left = 1 - w->task.done; /* short: progress stays where the tiles start */
	knng_status status = w->backend->begin(w, err);
	w->task.left = left;
	if (status != KNNG_OK || w->skips)
		return status;
	lay_tiles(w, t);
	status = knng_parallel(w, w->backend->workers(w), tiles(&t[0]) + tiles(&t[1]), filter_job, t, err);
	return status == KNNG_OK && w->backend->end_level != NULL ? w->backend->end_level(w, err) : status;
}

/* Says of the rows of a point which level certified them. */
static void
note_level(const knng_search *w, int32_t point)
{
	const knng_points *x = w->query;
	w->info->certified[w->level] += x->first[point + 1] - x->first[point];
	if (w->plan->opt.levels != NULL)
		for (int64_t m = x->first[point]; m < x->first[point + 1]; m++)
			w->plan->opt.levels[x->member[m]] = (uint8_t)(1 + w->level);
}

/* The certified points of this level, to be refined; the others stay pending for the next. */
static int64_t
certify(knng_search *w, int32_t *certified)
{
	int64_t n = 0, left = 0;
	for (int64_t p = 0; p < w->npending; p++) {
		int32_t point = w->pending[p];
		if (w->backend->certified(w, point)) {
			certified[n++] = point;
			note_level(w, point);
		} else {
			w->pending[left++] = point;
		}
	}
	w->npending = left;
	return n;
}

/* Refines blocks of certified points, and writes the answers of their rows. */
typedef struct {
	const int32_t *points;
	int64_t count, block;
	knng_pair *pairs; /* [workers * block * k] */
	double *self;     /* [workers * block] */
	int32_t *scratch; /* [workers * knng_sink_scratch] */
	double sink;      /* seconds of worker 0 */
	knng_pair *kept;  /* NULL, or [all points * k]: answers wait here, by point, until there are all */
	double *kept_self;
} refining;

static knng_status
refine_job(knng_search *w, int worker, int64_t job, void *context, knng_err *err)
{
	refining *r = context;
	knng_block b = block(job, r->block, r->count);
	const int32_t *points = r->points + b.first;
	knng_pair *pairs = r->pairs + worker * r->block * w->k;
	double *self = r->self + worker * r->block;
	knng_status status = w->backend->refine(w, worker, points, b.count, pairs, self, err);
	if (status != KNNG_OK || w->plan->opt.range != NULL)
		return status;
	double start = knng_seconds();
	for (int64_t i = 0; r->kept != NULL && i < b.count; i++) {
		memcpy(r->kept + points[i] * w->k, pairs + i * w->k, (size_t)w->k * sizeof *pairs);
		r->kept_self[points[i]] = self[i];
	}
	if (r->kept == NULL)
		knng_sink_some(w, points, b.count, pairs, self, r->scratch + worker * knng_sink_scratch(w->plan));
	if (worker == 0)
		charge(&r->sink, start);
	return KNNG_OK;
}

/* Writes the answers that have waited. */
static knng_status
write_job(knng_search *w, int worker, int64_t job, void *context, knng_err *err)
{
	enum { TOGETHER = 64 };
	const refining *r = context;
	knng_block b = block(job, r->block, r->count);
	int32_t points[TOGETHER];
	(void)err;
	for (int64_t at = b.first, some; at < b.first + b.count; at += some) {
		some = b.first + b.count - at < TOGETHER ? b.first + b.count - at : (int64_t)TOGETHER;
		for (int64_t i = 0; i < some; i++)
			points[i] = (int32_t)(at + i);
		knng_sink_some(w, points, some, r->kept + at * w->k, r->kept_self + at,
			       r->scratch + worker * knng_sink_scratch(w->plan));
	}
	return KNNG_OK;
}

static knng_status
write_kept(knng_search *w, refining *r, knng_err *err)
{
	double start = knng_seconds();
	r->count = w->query->count;
	r->block = 4096;
	knng_status status =
		knng_parallel(w, w->plan->threads, (r->count + r->block - 1) / r->block, write_job, r, err);
	charge(&w->info->seconds[KNNG_STAGE_SINK], start);
	w->info->seconds[KNNG_STAGE_REFINE] -= knng_seconds() - start;
	return status;
}

static knng_status
refine(knng_search *w, const int32_t *points, int64_t count, knng_err *err)
{
	int64_t threads = w->plan->threads, most = knng_refine_rows(w->plan->k, w->plan->x.d);
	refining r = {.block = most};
	knng_status status = KNNG_OK;
	bool gathers = w->plan->gathers && w->level == KNNG_LEVEL_BOXES;
	r.pairs = knng_alloc(threads * r.block * (w->k + 1), sizeof *r.pairs);
	r.self = knng_alloc(threads * r.block, sizeof *r.self);
	r.scratch = knng_alloc(threads * knng_sink_scratch(w->plan), sizeof *r.scratch);
	if (gathers) {
		r.kept = knng_alloc(w->query->count, (size_t)w->k * sizeof *r.kept);
		r.kept_self = knng_alloc(w->query->count, sizeof *r.kept_self);
	}
	if (r.pairs == NULL || r.self == NULL || r.scratch == NULL ||
	    (gathers && (r.kept == NULL || r.kept_self == NULL)))
		status = knng_fail_memory(err, "the refined neighbours",
					  (double)threads * (double)r.block * (double)w->k * 16 +
						  (gathers ? knng_gathered_bytes(w->query->count, w->k) : 0));
	double done = w->task.done, left = w->task.left, part = (1 - done - left) / (double)count;
	for (int64_t at = 0; status == KNNG_OK && at < count; at += r.count) {
		r.points = points + at;
		r.count = count - at;
		if (w->backend->fetch != NULL) {
			status = w->backend->fetch(w, r.points, &r.count, err);
			/* They may be few: each thread gets its part. */
			r.block = r.count / (4 * threads) < most ? r.count / (4 * threads) : most;
			r.block = r.block < 1 ? 1 : r.block;
		}
		w->task.done = done + part * (double)at;
		w->task.left = left + part * (double)(count - at - r.count);
		if (status == KNNG_OK)
			status = knng_parallel(w, w->plan->threads, (r.count + r.block - 1) / r.block, refine_job, &r,
					       err);
	}
	w->task.done = done;
	w->task.left = left;
	w->info->seconds[KNNG_STAGE_SINK] += r.sink;
	w->info->seconds[KNNG_STAGE_REFINE] -= r.sink;
	if (gathers && status == KNNG_OK)
		status = write_kept(w, &r, err);
	knng_free(r.kept);
	knng_free(r.kept_self);
	knng_free(r.pairs);
	knng_free(r.self);
	knng_free(r.scratch);
	return status;
}

/* All precision levels, for the points of a block. certified: room for as many. */
static knng_status
escalate(knng_search *w, knng_block points, int32_t *certified, knng_err *err)
{
	double *seconds = w->info->seconds, now = knng_seconds();
	knng_status status = KNNG_OK;
	w->npending = 0;
	for (int64_t i = 0; i < points.count; i++)
		w->pending[w->npending++] = (int32_t)(points.first + i);
	w->triangle = w->query == &w->x && points.count == w->x.count;
	for (w->level = 0; status == KNNG_OK && w->level <= KNNG_LEVEL_SCAN && w->npending > 0; w->level++) {
		if (!w->backend->has_level(w, w->level))
			continue;
		w->task.stage = knng_stage_name[KNNG_STAGE_FILTER];
		w->skips = false;
		status = filter(w, err);
		now = charge(&seconds[KNNG_STAGE_FILTER], now);
		if (status != KNNG_OK)
			break;
		if (w->skips)
			continue;
		w->triangle = false;
		int64_t n = certify(w, certified);
		w->task.stage = knng_stage_name[KNNG_STAGE_REFINE];
		if (w->plan->opt.range == NULL) /* all that is within a radius has its distance by then */
			status = refine(w, certified, n, err);
		now = charge(&seconds[KNNG_STAGE_REFINE], now);
	}
	return status;
}

/* Finds the neighbours of all query points, if the backend can without the levels. */
static knng_status
prune(knng_search *w, int32_t *points, bool *done, knng_err *err)
{
	double *seconds = w->info->seconds, now = knng_seconds();
	int64_t count = 0;
	knng_status status = KNNG_OK;
	w->task.stage = knng_stage_name[KNNG_STAGE_FILTER];
	w->task.left = 1; /* short: progress stays where the search starts */
	if (w->plan->prunes && w->backend->prune != NULL)
		status = w->backend->prune(w, points, &count, err);
	else
		snprintf(w->info->pruned, sizeof w->info->pruned, "no: %s",
			 w->plan->why_all != NULL ? w->plan->why_all : "all pairs are compared");
	w->task.left = 0;
	now = charge(&seconds[KNNG_STAGE_FILTER], now);
	*done = count > 0;
	w->level = KNNG_LEVEL_BOXES;
	for (int64_t i = 0; i < count; i++)
		note_level(w, points[i]);
	if (status == KNNG_OK && count > 0) {
		w->info->blocks = 1;
		w->task.stage = knng_stage_name[KNNG_STAGE_REFINE];
		status = refine(w, points, count, err);
	}
	charge(&seconds[KNNG_STAGE_REFINE], now);
	return status;
}

/* All query points, as many together as the plan says. */
static knng_status
search(knng_search *w, knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t count = w->query->count, size = w->plan->block;
	bool done = false;
	int32_t *certified = knng_alloc(count + 1, sizeof *certified);
	w->pending = knng_alloc(count + 1, sizeof *w->pending);
	if (certified == NULL || w->pending == NULL)
		status = knng_fail_memory(err, "the list of points", (double)count * 8);
	if (status == KNNG_OK)
		status = prune(w, certified, &done, err);
	for (int64_t i = 0; status == KNNG_OK && !done && i * size < count; i++) {
		knng_block points = block(i, size, count);
		w->task.done = (double)points.first / (double)count;
		w->task.left = (double)(count - points.first - points.count) / (double)count;
		w->info->blocks++;
		status = escalate(w, points, certified, err);
	}
	knng_free(certified);
	return status;
}

/* The points of the rows before the split. */
static int64_t
split_of(const knng_search *w)
{
	int64_t p = 0;
	if (w->plan->opt.split > 0)
		while (p < w->x.count && w->x.member[w->x.first[p]] < w->plan->opt.split)
			p++;
	return p;
}

/* Neighbours sought a point. */
static int64_t
sought(const knng_search *w)
{
	int64_t others = w->query == &w->x ? w->x.count - 1 : w->x.count, second = w->x.count - w->split;
	if (w->plan->opt.range != NULL)
		return 0;
	if (w->plan->opt.split > 0)
		others = w->split > second ? w->split : second;
	return w->plan->k < others ? w->plan->k : others < 0 ? 0 : others;
}

void
knng_prepared_drop(struct knng_prepared *p)
{
	if (p->state != NULL)
		p->free(p->state);
	p->state = NULL;
	knng_points_close(&p->points);
}

/* Takes what the search before has left, if it is of this one's first side. */
static void
take_prepared(knng_search *w)
{
	struct knng_prepared *left = w->plan->opt.prepared;
	if (left == NULL)
		return;
	bool keeps = left->whole || w->backend == &knng_backend_cpu;
	if (!keeps || left->backend != w->backend || (!left->whole && left->rows != w->plan->opt.split))
		knng_prepared_drop(left);
	w->prepared = keeps ? left : NULL;
	if (left->state == NULL)
		return;
	w->state = left->state;
	w->x = left->points;
	w->known = left->rows;
	left->state = NULL;
	left->points = (knng_points){0};
}

/* The references of a searcher, which are there already. */
static void
count_prepared(knng_search *w)
{
	w->info->nonfinite += w->prepared->nonfinite;
	w->info->constant += w->prepared->constant;
}

/* Makes what every search of a searcher needs: the tree, or else the copies of the first precision level. */
static knng_status
prepare_searcher(knng_search *w, knng_err *err)
{
	struct knng_prepared *left = w->prepared;
	int64_t count = 0;
	knng_status status = KNNG_OK;
	int32_t *points = knng_alloc(w->x.count + 1, sizeof *points);
	if (points == NULL)
		return knng_fail_memory(err, "the list of points", (double)w->x.count * 4);
	left->rows = w->x.rows;
	left->nonfinite = w->info->nonfinite;
	left->constant = w->info->constant;
	if (w->plan->prunes)
		status = w->backend->prune(w, points, &count, err);
	else
		snprintf(w->info->pruned, sizeof w->info->pruned, "no: %s", w->plan->why_all);
	knng_free(points);
	left->pruned = count > 0;
	snprintf(left->why, sizeof left->why, "%s", w->info->pruned + strlen(left->pruned ? "yes: " : "no: "));
	if (status == KNNG_OK && count == 0) {
		while (!w->backend->has_level(w, w->level))
			w->level++;
		status = w->backend->begin(w, err);
	}
	return status;
}

/* Ends the search; leaves the next one what w->prepared is for. */
static void
close_search(knng_search *w)
{
	w->backend->close(w);
	if (w->prepared != NULL) {
		w->prepared->points = w->x;
		w->prepared->backend = w->backend;
	} else {
		knng_points_close(&w->x);
	}
	knng_points_close(&w->y);
	knng_free(w->pending);
}

/* A search for all within a radius may take what the plan has left of the limit. */
static knng_status
open_range(const knng_plan *plan, knng_err *err)
{
	double most = plan->opt.max_memory, left = most > 0 ? most - plan->bytes : INFINITY;
	return knng_range_open(plan->opt.range, plan->threads, left, most, err);
}

static knng_status
finish_range(knng_search *w, knng_err *err)
{
	double start = knng_seconds();
	w->task.stage = knng_stage_name[KNNG_STAGE_SINK];
	w->task.done = w->task.left = 0;
	knng_status status = knng_range_finish(w->plan->opt.range, &w->x, w->prepared != NULL,
					       w->query == &w->y ? &w->y : NULL, &w->task, w->plan->threads, err);
	charge(&w->info->seconds[KNNG_STAGE_SINK], start);
	return status;
}

/* Looks for clusters again, if some rows are far larger than those that were looked at first. */
static knng_status
separate_larger(const knng_search *w, knng_clusters *apart, knng_err *err)
{
	double largest = 0;
	knng_status status = KNNG_OK;
	if (!w->plan->separates_later || w->backend->largest == NULL ||
	    (status = w->backend->largest(w, &largest, err)) != KNNG_OK)
		return status;
	if (knng_may_separate(apart, largest))
		status = knng_separate(w->plan, true, apart, err);
	return status;
}

/* One way through with the backend of the plan. Where it turns out on the way that rows lie in clusters far apart it
 * ends with these, and nothing else. */
static knng_status
attempt(const knng_plan *plan, const knng_output *out, knng_info *info, knng_clusters *apart, knng_err *err)
{
	knng_search w = {.plan = plan, .out = out, .info = info, .backend = plan->backend, .task = plan->opt.task};
	knng_status status;
	if (plan->opt.rows == KNNG_ROWS_PAIRWISE) {
		status = plan->opt.range != NULL ? open_range(plan, err) : KNNG_OK;
		return status == KNNG_OK ? knng_gaps_run(plan, out, info, err) : status;
	}
	bool whole = plan->opt.prepared != NULL && plan->opt.prepared->whole,
	     there = knng_prepared_all(plan->opt.prepared);
	bool first = whole && !there;
	w.query = plan->y.data == NULL || first ? &w.x : &w.y;
	w.task.stage = knng_stage_name[KNNG_STAGE_PREPARE];
	double start = knng_seconds();

	take_prepared(&w);
	status = w.backend->open(&w, err);
	if (status == KNNG_OK && plan->opt.range != NULL)
		status = open_range(plan, err);
	if (status == KNNG_OK && there)
		count_prepared(&w);
	else if (status == KNNG_OK)
		status = load(&w, &plan->x, &w.x, false, err);
	if (status == KNNG_OK && w.query == &w.y)
		status = load(&w, &plan->y, &w.y, true, err);
	if (status == KNNG_OK)
		status = separate_larger(&w, apart, err);
	if (status == KNNG_OK && first) {
		w.k = sought(&w);
		status = prepare_searcher(&w, err);
	}
	charge(&w.info->seconds[KNNG_STAGE_PREPARE], start);
	if (status == KNNG_OK && !first && apart->count == 0) {
		w.split = split_of(&w);
		w.k = sought(&w);
		status = search(&w, err);
	}

	w.info->points = w.x.count;
	if (status == KNNG_OK && plan->opt.range != NULL)
		status = finish_range(&w, err);
	if (status != KNNG_OK && !there)
		w.prepared = NULL;
	close_search(&w);
	return status;
}

/* Whether each of some devices is among others. */
static bool
among(const int *some, int n, const int *others, int m)
{
	for (int i = 0; i < n; i++) {
		bool found = false;
		for (int j = 0; j < m; j++)
			found |= some[i] == others[j];
		if (!found)
			return false;
	}
	return true;
}

/* After a device failed, which is not knng's fault: half its memory, if that was it; the other devices, if it is lost;
 * the CPU. False: nothing is left to try, as where no other device has the references. */
static bool
plan_again(knng_plan *plan, const char *id)
{
	knng_options opt = plan->opt;
	knng_matrix x = plan->x, y = plan->y;
	const knng_matrix *queries = y.data == NULL ? NULL : &y;
	int before = plan->ndevices, devices[KNNG_MAX_DEVICES];
	bool memory = strcmp(id, "knng:device:memory") == 0, bound = knng_prepared_all(opt.prepared);
	if (before == 0 || (bound && !memory))
		return false;
	memcpy(devices, plan->devices, sizeof devices);
	if (memory)
		opt.max_device_memory = plan->device_bytes / 2;
	if (knng_plan_make(plan, &x, queries, &opt, NULL) == KNNG_OK && plan->ndevices > 0 &&
	    (memory || !among(devices, before, plan->devices, plan->ndevices)))
		return true; /* with others: a lost one is never planned with again */
	if (bound)
		return false;
	opt.device.kind = KNNG_DEVICE_CPU;
	if (knng_prepared_whole(opt.prepared))
		y.n = 1; /* the CPU takes no room for searches to come */
	return knng_plan_make(plan, &x, queries, &opt, NULL) == KNNG_OK;
}

void
knng_advise_again(knng_err *err)
{
	knng_err failure = *err;
	bool memory = strcmp(failure.id, "knng:device:memory") == 0, hash = strcmp(failure.id, "knng:device:hash") == 0;
	knng_fail(err, KNNG_EDEVICE, failure.id, "%.400s: %s", failure.text,
		  memory ? "search fewer rows at a time, release other searchers with knng.release, or make this one "
			   "anew with knng.createns (X, 'Device', 'cpu')"
		  : hash ? "search with knng.createns (X, 'Device', 'cpu')"
			 : "search again, or make the searcher anew with knng.createns (X)");
}

/* All rows together; or none, where on the way they turn out to lie in clusters far apart. */
static knng_status
run_together(knng_plan *now, const knng_output *out, knng_info *info, knng_clusters *apart, knng_err *err)
{
	double planned = now->bytes;
	knng_status status;
	while ((status = attempt(now, out, info, apart, err)) == KNNG_EDEVICE && plan_again(now, err->id)) {
		*info = (knng_info){0};
		planned = now->bytes > planned ? now->bytes : planned;
		snprintf(info->fallback, sizeof info->fallback, "%.300s", err->text);
	}
	info->tile = now->tile;
	info->panels = knng_plan_panels(now);
	info->threads = now->threads;
	info->planned = planned;
	const char *why = info->fallback[0] != 0 ? info->fallback : now->why_cpu;
	snprintf(info->why_cpu, sizeof info->why_cpu, "%.300s%s%.190s", why,
		 why[0] != 0 && info->skipped[0] != 0 ? "; " : "", info->skipped);
	return status;
}

/* All within a radius on GPUs, by the nearest. */
static knng_status
run_widening(const knng_plan *now, int64_t held, knng_info *info, knng_err *err)
{
	knng_status status = open_range(now, err);
	return status == KNNG_OK ? knng_widen(now, held, knng_run, info, err) : status;
}

/* Clusters far apart one by one, and all else together. */
static knng_status
run(knng_plan *now, const knng_output *out, int64_t held, knng_info *info, knng_err *err)
{
	knng_clusters apart;
	bool done = false;
	if (now->opt.range != NULL && now->ndevices > 0)
		return run_widening(now, held, info, err);
	double start = knng_seconds();
	knng_status status = knng_separate(now, false, &apart, err);
	charge(&info->seconds[KNNG_STAGE_PREPARE], start);
	if (status == KNNG_OK && apart.count == 0)
		status = run_together(now, out, info, &apart, err);
	if (status != KNNG_OK || apart.count == 0)
		return status;
	knng_info before = *info; /* of the way to here what it took, and what failed */
	*info = (knng_info){.planned = fmax(before.planned, now->bytes),
			    .peak = (double)(knng_sys().peak - held) + now->opt.held,
			    .device_peak = before.device_peak};
	memcpy(info->seconds, before.seconds, sizeof info->seconds);
	memcpy(info->fallback, before.fallback, sizeof info->fallback);
	memcpy(info->why_cpu, before.why_cpu, sizeof info->why_cpu);
	status = knng_run_separately(now, &apart, out, held, knng_run, info, &done, err);
	knng_clusters_close(&apart);
	now->opt.separate = KNNG_PRUNE_OFF; /* nor another plan, should a device fail */
	now->separates = now->separates_later = false;
	return status == KNNG_OK && !done ? run_together(now, out, info, &apart, err) : status;
}

knng_status
knng_run(const knng_plan *plan, const knng_output *out, knng_info *info, knng_err *err)
{
	knng_info unread = {0};
	knng_err failure = {0};
	knng_plan now = *plan;
	knng_status status;
	fenv_t environment;
	info = info != NULL ? info : &unread;
	*info = (knng_info){0};
	fegetenv(&environment);
	fesetenv(FE_DFL_ENV);
	knng_sys_mark_peak();
	int64_t held = knng_sys().bytes;
	double start = knng_seconds();

	status = run(&now, out, held, info, &failure);
	bool widens = plan->opt.range != NULL && plan->ndevices > 0; /* its parts have said that */
	if (status == KNNG_EDEVICE && knng_prepared_all(plan->opt.prepared) && !widens)
		knng_advise_again(&failure);
	if (status != KNNG_OK && err != NULL)
		*err = failure;
	if (status != KNNG_OK && plan->opt.range != NULL)
		knng_range_close(plan->opt.range);
	if (plan->opt.range != NULL && status == KNNG_OK)
		info->planned += plan->opt.range->bytes;
	double peak =
		(double)(knng_sys().peak - held) + plan->opt.held; /* since the last part began, if there are any */
	info->peak = peak > info->peak ? peak : info->peak;
	charge(&info->total, start);
	fesetenv(&environment);
	return status;
}
