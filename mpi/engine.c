#include "engine.h"
#include "base/sys.h"
#include "clock.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double NEXT = 0.2; /* seconds that a visit waits for the next one to be known */

knng_part
knng_engine_rows_of(const knng_engine *w, int64_t block)
{
	return knng_part_of(block, w->plan->size, w->rows->n);
}

bool
knng_engine_owns(const knng_engine *w, int64_t block)
{
	return block >= w->own.first && block < w->own.end;
}

static int64_t
count_of(knng_part rows)
{
	return rows.end - rows.first;
}

double
knng_engine_radius(const knng_engine *w, int64_t row)
{
	return w->reached != NULL ? w->reached[row - w->own_rows.first] : knng_neighbours_within(&w->lists, row);
}

void
knng_engine_note(knng_engine *w, int64_t block, const knng_neighbours *lists)
{
	knng_part rows = knng_engine_rows_of(w, block);
	for (int64_t i = rows.first; w->reached != NULL && i < rows.end; i++)
		w->reached[i - w->own_rows.first] = knng_neighbours_within(lists, i);
}

/* ---- the thread ---- */

/* knng_rows.read for the panels: a block of the file, or one that another rank sends. */
static knng_status
fetch(void *context, int64_t first, int64_t count, void *to, knng_err *err)
{
	knng_engine *w = context;
	int64_t block = first / w->plan->size, bytes = count * (int64_t)knng_row_bytes(w->rows);
	return w->resident == NULL ? w->rows->read(w->rows->context, first, count, to, err)
				   : knng_desk_ask(&w->desk, KNNG_DESK_ROWS, block, to, bytes, err);
}

/* The rows of its own blocks, where they are in memory. */
static const void *
here(void *context, int64_t block)
{
	const knng_engine *w = context;
	return w->resident != NULL && knng_engine_owns(w, block)
		       ? w->resident + (size_t)(block * w->plan->size - w->own_rows.first) * knng_row_bytes(w->rows)
		       : NULL;
}

/* What a checkpoint had of a block may be in a file. */
static knng_status
note_resumed(knng_engine *w, int64_t block, knng_err *err)
{
	knng_neighbours *lists;
	if (w->reached == NULL || !knng_checkpoint_resumes(w->checkpoint))
		return KNNG_OK;
	pthread_mutex_lock(&w->lock);
	knng_status status = knng_shelf_show(&w->shelf, block, false, &lists, err);
	if (status == KNNG_OK)
		knng_engine_note(w, block, lists);
	pthread_mutex_unlock(&w->lock);
	return status;
}

/* Reads the blocks that are its own, to keep them, and to know their hashes. */
static knng_status
load(knng_engine *w, knng_err *err)
{
	size_t row = knng_row_bytes(w->rows);
	knng_status status = KNNG_OK;
	if (w->resident == NULL && w->checkpoint == NULL)
		return KNNG_OK;
	for (int64_t b = w->own.first; status == KNNG_OK && b < w->own.end; b++) {
		knng_part part = knng_engine_rows_of(w, b);
		char *to = w->resident != NULL ? w->resident + (size_t)(part.first - w->own_rows.first) * row
					       : w->panels.data;
		status = w->rows->read(w->rows->context, part.first, count_of(part), to, err);
		if (status == KNNG_OK && w->checkpoint != NULL)
			status = knng_checkpoint_show(w->checkpoint, b, to, err);
		if (status == KNNG_OK && w->checkpoint != NULL)
			status = note_resumed(w, b, err);
		if (status == KNNG_OK)
			status = knng_task_poll(&w->opt.task, err);
	}
	return status;
}

static void
show(void *context, const char *stage, double fraction)
{
	knng_engine *w = context;
	(void)stage;
	pthread_mutex_lock(&w->desk.lock);
	w->desk.done = w->share * fraction;
	pthread_mutex_unlock(&w->desk.lock);
}

static void
save(knng_engine *w, bool due)
{
	knng_err problem = {0};
	if (w->checkpoint == NULL)
		return;
	pthread_mutex_lock(&w->lock);
	knng_status status = knng_checkpoint_save(w->checkpoint, due, w->opt.save_every, &problem);
	pthread_mutex_unlock(&w->lock);
	w->info.unsaved[0] = '\0';
	if (status != KNNG_OK)
		snprintf(w->info.unsaved, sizeof w->info.unsaved, "%.300s", problem.text);
	pthread_mutex_lock(&w->desk.lock);
	w->desk.unsaved = due && status != KNNG_OK;
	snprintf(w->desk.problem, sizeof w->desk.problem, "%.300s", w->info.unsaved);
	pthread_mutex_unlock(&w->desk.lock);
}

/* Notes what the lists that are here have now: those of the home and, where it is here, of the visitor. */
static void
note(knng_engine *w, const knng_visit *visit, const knng_neighbours *home, const knng_neighbours *visitor)
{
	pthread_mutex_lock(&w->lock);
	knng_engine_note(w, visit->first, home); /* in a file they are met by one block at a time */
	if (knng_engine_owns(w, visit->visitor))
		knng_engine_note(w, visit->visitor, visitor);
	if (visit->visitor == visit->first) {
		w->sums.nonfinite += w->meeting.rows.nonfinite;
		w->sums.constant += w->meeting.rows.constant;
		w->sums.points += w->meeting.rows.points;
		if (w->checkpoint != NULL) /* then it is one block */
			*knng_checkpoint_rows(w->checkpoint, visit->first) = w->meeting.rows;
	}
	for (knng_pair_of_blocks pair = {-1, -1}; w->checkpoint != NULL && knng_visit_step(visit, &pair);) {
		knng_checkpoint_note_side(w->checkpoint, pair.home, pair.visitor);
		if (knng_engine_owns(w, pair.visitor))
			knng_checkpoint_note_side(w->checkpoint, pair.visitor, pair.home);
	}
	pthread_mutex_unlock(&w->lock);
}

/* Hands what the visitor has found to the main thread. */
static void
hand_back(knng_engine *w, knng_visit visit)
{
	knng_return *place = knng_desk_place(&w->desk);
	if (place == NULL)
		return;
	knng_found_pack(&place->found, &w->visiting, knng_engine_rows_of(w, visit.visitor), w->meeting.threads);
	pthread_mutex_lock(&w->desk.lock);
	w->desk.done = 0;
	place->visit = visit;
	place->state = KNNG_FOUND_NEW;
	pthread_mutex_unlock(&w->desk.lock);
}

/* A block that visits, and, where it is not here, what it has reached at home. lists: where it is. */
static knng_status
visitor_of(knng_engine *w, int64_t block, const void *data, knng_neighbours *lists, knng_side *side, knng_err *err)
{
	*side = (knng_side){.rows = knng_engine_rows_of(w, block), .data = data, .lists = lists};
	if (knng_engine_owns(w, block))
		return KNNG_OK;
	side->lists = &w->visiting;
	side->within = w->radii;
	w->visiting.first = side->rows.first;
	knng_neighbours_clear(&w->visiting, side->rows.first, side->rows.end);
	return knng_desk_ask(&w->desk, KNNG_DESK_RADII, block, w->radii, count_of(side->rows) * (int64_t)sizeof(double),
			     err);
}

/* The rows of the blocks that are at home. */
static knng_part
home_of(const knng_engine *w, const knng_visit *visit)
{
	return (knng_part){knng_engine_rows_of(w, visit->first).first, knng_engine_rows_of(w, visit->end - 1).end};
}

static double
share_of(const knng_engine *w, const knng_visit *visit)
{
	double a = (double)count_of(home_of(w, visit)), n = (double)w->rows->n;
	double b = (double)count_of(knng_engine_rows_of(w, visit->visitor));
	return (visit->visitor == visit->first ? a * a : 2 * a * b) / (n * n);
}

/* The blocks whose rows a visit needs; those of several at home lie together. */
static knng_pair_of_blocks
rows_for(const knng_visit *visit)
{
	return (knng_pair_of_blocks){visit->first, visit->visitor};
}

/* The blocks whose lists it needs, of those that are here. */
static knng_pair_of_blocks
lists_for(const knng_engine *w, const knng_visit *visit)
{
	return (knng_pair_of_blocks){visit->first, knng_engine_owns(w, visit->visitor) ? visit->visitor : visit->first};
}

/* Sees that they are there, and that those of the next visit come meanwhile. */
static knng_status
bring_lists(knng_engine *w, const knng_visit *visit, const knng_visit *behind, knng_neighbours **home,
	    knng_neighbours **visitor, knng_err *err)
{
	knng_pair_of_blocks next = lists_for(w, behind != NULL ? behind : visit);
	pthread_mutex_lock(&w->lock);
	knng_status status =
		knng_shelf_bring(&w->shelf, lists_for(w, visit), behind != NULL ? &next : NULL, home, visitor, err);
	pthread_mutex_unlock(&w->lock);
	return status;
}

static knng_status
meet(knng_engine *w, knng_visit visit, const knng_visit *behind, knng_err *err)
{
	const void *data[2];
	knng_neighbours *home, *visitor;
	knng_pair_of_blocks next = rows_for(behind != NULL ? behind : &visit);
	knng_task task = w->opt.task;
	task.progress = show;
	task.context = w;
	knng_status status = knng_panels_bring(&w->panels, rows_for(&visit), behind != NULL ? &next : NULL, data, err);
	if (status == KNNG_OK)
		status = bring_lists(w, &visit, behind, &home, &visitor, err);
	if (status != KNNG_OK)
		return status;
	knng_side a = {.rows = home_of(w, &visit), .data = data[0], .lists = home}, b;
	if ((status = visitor_of(w, visit.visitor, data[1], visitor, &b, err)) != KNNG_OK)
		return status;
	if (visit.visitor == visit.first)
		b.rows.first = b.rows.end;
	w->share = share_of(w, &visit);
	if ((status = knng_meet(&w->meeting, a, b, &task, w->share, err)) != KNNG_OK)
		return status;
	note(w, &visit, home, visitor);
	if (knng_engine_owns(w, visit.visitor))
		knng_desk_tell_met(&w->desk, visit);
	else
		hand_back(w, visit);
	save(w, true);
	return KNNG_OK;
}

static void
wait_for(knng_desk *d, double seconds)
{
	const struct timespec until = knng_clock_after(seconds);
	pthread_cond_timedwait(&d->change, &d->lock, &until);
}

/* Waits for a visit, at most for a second, since there may be something to save; and for the one behind it, visit[1] if
 * *count is 2, so that its rows are fetched meanwhile. False: there will be none. */
static bool
take(knng_engine *w, knng_visit visit[KNNG_DESK_VISITS], int *count)
{
	knng_desk *d = &w->desk;
	pthread_mutex_lock(&d->lock);
	d->takes = true;
	d->idle = d->visits == 0;
	if (d->visits == 0 && !d->finish && d->stop == 0)
		wait_for(d, 0.999);
	d->idle = false;
	for (double start = knng_seconds();
	     d->visits == 1 && !d->last && !d->finish && d->stop == 0 && knng_seconds() - start < NEXT;)
		wait_for(d, NEXT);
	d->takes = false;
	*count = d->visits;
	for (int i = 0; i < d->visits; i++)
		visit[i] = d->visit[i];
	if (d->visits > 0)
		d->visit[0] = d->visit[--d->visits];
	bool more = *count > 0 || (!d->finish && d->stop == 0);
	pthread_mutex_unlock(&d->lock);
	return more;
}

static knng_status
compute(knng_engine *w, knng_err *err)
{
	knng_visit visit[KNNG_DESK_VISITS];
	int count;
	knng_status status = load(w, err);
	pthread_mutex_lock(&w->desk.lock);
	w->desk.loaded = status == KNNG_OK;
	pthread_mutex_unlock(&w->desk.lock);
	while (status == KNNG_OK && take(w, visit, &count)) {
		if (count > 0)
			status = meet(w, visit[0], count > 1 ? &visit[1] : NULL, err);
		else
			save(w, true);
	}
	save(w, false);
	return status;
}

static void *
run(void *context)
{
	knng_engine *w = context;
	knng_err err = {0};
	knng_status status = compute(w, &err);
	pthread_mutex_lock(&w->desk.lock);
	w->desk.status = status;
	w->desk.err = err;
	w->desk.ended = true;
	pthread_mutex_unlock(&w->desk.lock);
	return NULL;
}

/* ---- the start and the end ---- */

/* Empty lists of its rows, in memory or in a file. */
static knng_status
open_lists(knng_engine *w, knng_err *err)
{
	const knng_options *opt = &w->opt;
	int64_t count = count_of(w->own_rows), k = w->plan->k;
	char path[PATH_MAX];
	if (w->plan->lists == 0 || count == 0) {
		knng_status status = knng_neighbours_make(&w->lists, count, k, knng_task_threads(&opt->task), err);
		w->lists.first = w->own_rows.first;
		w->shelf = knng_shelf_of(&w->lists);
		return status;
	}
	if ((w->reached = knng_alloc(count, sizeof *w->reached)) == NULL)
		return knng_fail_memory(err, "radii", 8.0 * (double)count);
	for (int64_t i = 0; i < count; i++)
		w->reached[i] = INFINITY;
	snprintf(path, sizeof path, "%s%s", opt->checkpoint != NULL ? opt->checkpoint : opt->output,
		 opt->checkpoint != NULL ? "/lists" : "");
	return knng_shelf_open(&w->shelf, w->own_rows, k, w->plan->size, path, &w->plan->opt.task, err);
}

knng_status
knng_engine_open(knng_engine *w, const knng_cluster_plan *plan, const knng_rows *rows, knng_part own, knng_err *err)
{
	int64_t k = plan->k, size = plan->size;
	int threads = knng_task_threads(&plan->opt.task);
	*w = (knng_engine){.plan = plan, .rows = rows, .opt = plan->opt, .fetched = *rows, .own = own};
	w->opt.task.interrupt = &w->desk.stop;
	w->fetched.read = fetch;
	w->fetched.context = w;
	w->own_rows = (knng_part){own.first * size, own.end * size < rows->n ? own.end * size : rows->n};
	pthread_mutex_init(&w->lock, NULL);
	knng_desk_open(&w->desk);
	double rest = plan->bytes - plan->one.bytes;
	knng_status status = knng_afford(rest, "this rank's rows and lists", err);
	if (status == KNNG_OK)
		status = open_lists(w, err);
	if (status == KNNG_OK)
		status = knng_neighbours_make(&w->visiting, size, k, threads, err);
	for (int i = 0; status == KNNG_OK && i < KNNG_DESK_RETURNS; i++)
		status = knng_found_make(&w->desk.back[i].found, size, k, err);
	if (status == KNNG_OK && (w->radii = knng_alloc(size, sizeof *w->radii)) == NULL)
		status = knng_fail_memory(err, "radii", 8.0 * (double)size);
	if (status == KNNG_OK && plan->resident &&
	    (w->resident = knng_alloc(count_of(w->own_rows) + 1, knng_row_bytes(w->rows))) == NULL)
		status = knng_fail_memory(err, "this rank's rows",
					  (double)count_of(w->own_rows) * (double)knng_row_bytes(w->rows));
	if (status == KNNG_OK)
		status = knng_meeting_open(&w->meeting, knng_ranks_meeting(size, plan->together, rows->n), rows, k,
					   &w->opt, &w->info, rest, err);
	if (status == KNNG_OK)
		status = knng_panels_open(&w->panels, &w->fetched, size,
					  knng_ranks_places(plan->resident, own.end - own.first, plan->blocks), err);
	w->meeting.lock = &w->lock;
	w->panels.here = here;
	w->panels.context = w;
	return status;
}

knng_status
knng_engine_open_checkpoint(knng_engine *w, bool joins, knng_err *err)
{
	knng_question q;
	knng_status status = knng_rows_ask(&q, w->rows, &w->opt, w->plan->k, err);
	if (status == KNNG_OK)
		status = knng_checkpoint_open(&w->checkpoint, w->opt.checkpoint, &q, w->plan->size, &w->shelf, joins,
					      err);
	return status;
}

knng_status
knng_engine_start(knng_engine *w, knng_err *err)
{
	w->running = pthread_create(&w->thread, NULL, run, w) == 0;
	return w->running ? KNNG_OK : knng_fail(err, KNNG_EMEMORY, "knng:memory:host", "no thread can be started");
}

void
knng_engine_close(knng_engine *w)
{
	if (w->running) {
		__atomic_store_n(&w->desk.stop, SIGTERM, __ATOMIC_RELAXED);
		pthread_mutex_lock(&w->desk.lock);
		pthread_cond_broadcast(&w->desk.change);
		pthread_mutex_unlock(&w->desk.lock);
		pthread_join(w->thread, NULL);
	}
	w->running = false;
	if (w->panels.rows != NULL)
		knng_panels_close(&w->panels);
	knng_meeting_close(&w->meeting);
	knng_checkpoint_close(w->checkpoint);
	knng_shelf_close(&w->shelf);
	knng_neighbours_free(&w->lists);
	knng_neighbours_free(&w->visiting);
	knng_free(w->reached);
	knng_free(w->radii);
	knng_free(w->resident);
	w->checkpoint = NULL;
	w->reached = w->radii = NULL;
	w->resident = NULL;
	knng_desk_close(&w->desk);
	pthread_mutex_destroy(&w->lock);
}
