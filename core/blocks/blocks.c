#include "blocks/blocks.h"
#include "base/signals.h"
#include "base/sys.h"
#include "base/task.h"
#include "blocks/checkpoint.h"
#include "blocks/meeting.h"
#include "blocks/panels.h"

#include <math.h>
#include <stdio.h>

/* The meetings of a search. */
typedef struct {
	const knng_rows *rows;
	const knng_options *opt;
	knng_shelf *lists;
	knng_meeting meeting;
	knng_panels panels;
	knng_checkpoint *checkpoint; /* or NULL */
	int64_t blocks;
	knng_task task;     /* shows progress of all meetings together */
	double done, share; /* of the distances: behind, and in this meeting */
	double seen;        /* what progress was shown last */
	bool unsaved;       /* the checkpoint could not be saved the last time */
} meetings;

static knng_part
rows_of(const meetings *w, int64_t block)
{
	return knng_part_of(block, w->panels.size, w->rows->n);
}

/* Progress never goes back, nor beyond the whole, which the sum of all parts may exceed by its roundings. */
static void
see(meetings *w, double fraction)
{
	w->seen = fmin(fmax(w->seen, fraction), 1);
}

/* Progress of a meeting is a part of that of all. */
static void
show(void *context, const char *stage, double fraction)
{
	meetings *w = context;
	(void)stage;
	see(w, w->done + w->share * fraction);
	w->opt->task.progress(w->opt->task.context, w->task.stage, w->seen);
}

/* How much of all distances is between so many rows and as many others, or among them. */
static double
share_of(const meetings *w, knng_pair_of_blocks pair)
{
	knng_part home = rows_of(w, pair.home), visitor = rows_of(w, pair.visitor);
	double a = (double)(home.end - home.first), b = (double)(visitor.end - visitor.first), n = (double)w->rows->n;
	return (pair.home == pair.visitor ? 1 : 2) * a * b / (n * n);
}

/* The pair behind this one. Visitors come in ascending order and in descending order by turns: so the first is the last
 * one of the home before, or the next home is the last visitor. */
static void
step(const meetings *w, knng_pair_of_blocks *pair)
{
	int64_t home = pair->home, last = w->blocks - 1;
	bool up = home % 2 == 0;
	if (pair->visitor == (up || home == last ? last : home + 1))
		pair->home = pair->visitor = home + 1;
	else if (pair->visitor == home)
		pair->visitor = up ? home + 1 : last;
	else
		pair->visitor += up ? 1 : -1;
}

static bool
have_met(const meetings *w, knng_pair_of_blocks pair)
{
	return w->checkpoint != NULL && knng_checkpoint_has(w->checkpoint, pair.home, pair.visitor);
}

/* From this pair on, the first that has not met; false: there is none. */
static bool
find_pair(const meetings *w, knng_pair_of_blocks *pair)
{
	while (pair->home < w->blocks && have_met(w, *pair))
		step(w, pair);
	return pair->home < w->blocks;
}

/* Saves the checkpoint where it is time. Of failures one after the other the user hears at once, and once. */
static void
save(meetings *w)
{
	char text[420];
	knng_err problem;
	bool before = w->unsaved;
	w->unsaved = knng_checkpoint_save(w->checkpoint, true, w->opt->save_every, &problem) != KNNG_OK;
	if (!w->unsaved || before || w->opt->tell == NULL)
		return;
	snprintf(text, sizeof text, "%.300s; the search goes on, and saving is tried again", problem.text);
	w->opt->tell(text);
}

/* Notes that two blocks have met, and saves all where it is time. A failure is tried again the next time. */
static void
keep(meetings *w, knng_pair_of_blocks pair)
{
	if (w->checkpoint == NULL)
		return;
	if (pair.home == pair.visitor)
		*knng_checkpoint_rows(w->checkpoint, pair.home) = w->meeting.rows;
	knng_checkpoint_note(w->checkpoint, pair.home, pair.visitor);
	save(w);
}

/* Two blocks meet, and the rows of the next pair are read meanwhile. */
static knng_status
meet(meetings *w, knng_pair_of_blocks pair, const knng_pair_of_blocks *next, knng_err *err)
{
	const void *data[2];
	knng_neighbours *home, *visitor;
	knng_task task = w->opt->task;
	knng_status status = knng_panels_bring(&w->panels, pair, next, data, err);
	if (status == KNNG_OK)
		status = knng_shelf_bring(w->lists, pair, next, &home, &visitor, err);
	if (status != KNNG_OK)
		return status;
	if (task.progress != NULL) {
		task.progress = show;
		task.context = w;
	}
	knng_side a = {.rows = rows_of(w, pair.home), .data = data[0], .lists = home};
	knng_side b = {.rows = rows_of(w, pair.visitor), .data = data[1], .lists = visitor};
	if (pair.home == pair.visitor)
		b.rows.first = b.rows.end;
	w->share = share_of(w, pair);
#ifdef KNNG_PLANT_EARLY /* what the tests must find: blocks that are noted as met before their lists are merged */
	keep(w, pair);
#endif
	if ((status = knng_meet(&w->meeting, a, b, &task, w->share, err)) != KNNG_OK)
		return status;
	w->done += w->share;
	see(w, w->done);
	keep(w, pair);
	return knng_task_step(&w->task, w->seen, err);
}

/* Every pair of blocks once, but those that have met before. */
static knng_status
meet_all(meetings *w, knng_err *err)
{
	knng_pair_of_blocks pair = {0, 0};
	knng_status status = KNNG_OK;
	bool more = find_pair(w, &pair);
	while (more && status == KNNG_OK) {
		knng_pair_of_blocks next = pair;
		step(w, &next);
		more = find_pair(w, &next);
		status = meet(w, pair, more ? &next : NULL, err);
		pair = next;
	}
	return status;
}

/* ---- the checkpoint ---- */

static knng_status
open_checkpoint(meetings *w, knng_err *err)
{
	knng_question q;
	knng_status status = knng_rows_ask(&q, w->rows, w->opt, w->lists->k, err);
	if (status == KNNG_OK)
		status = knng_checkpoint_open(&w->checkpoint, w->opt->checkpoint, &q, w->panels.size, w->lists, false,
					      err);
	w->panels.checkpoint = w->checkpoint;
	return status;
}

/* Counts what has met before, and sees that it was of these rows. */
static knng_status
resume(meetings *w, knng_err *err)
{
	knng_info *info = w->meeting.info;
	knng_status status = KNNG_OK;
	char text[280];
	bool all = true;
	for (knng_pair_of_blocks pair = {0, 0}; pair.home < w->blocks; step(w, &pair))
		if (have_met(w, pair))
			w->done += share_of(w, pair);
		else
			all = false;
	w->done = all ? 1 : w->done;
	w->seen = info->resumed = w->done;
	snprintf(text, sizeof text, "goes on from %.1f %% in %.200s", floor(1000 * w->done) / 10, w->opt->checkpoint);
	if (w->opt->tell != NULL && w->done > 0)
		w->opt->tell(text);
	for (int64_t b = 0; status == KNNG_OK && b < w->blocks; b++) {
		status = knng_panels_look(&w->panels, b, err);
		if (status == KNNG_OK)
			status = knng_task_poll(&w->task, err);
		const knng_block_rows *rows = knng_checkpoint_rows(w->checkpoint, b);
		info->nonfinite += rows->nonfinite;
		info->constant += rows->constant;
		info->points += rows->points;
	}
	return status;
}

/* An interruption says what is kept. */
static knng_status
tell_interruption(const meetings *w, const char *unsaved, knng_err *err)
{
	const char *signal = knng_signals_name(__atomic_load_n(w->opt->task.interrupt, __ATOMIC_RELAXED));
	if (unsaved[0] != 0)
		return knng_fail(err, KNNG_EINTERRUPTED, "knng:interrupted", "stopped by %s; %.300s", signal, unsaved);
	return knng_fail(
		err, KNNG_EINTERRUPTED, "knng:interrupted",
		"stopped by %s; %.1f %% of the work is saved in %.200s, and the same command goes on from there",
		signal, floor(1000 * w->done) / 10, w->opt->checkpoint);
}

/* Meets all with a checkpoint, and saves it whatever comes. */
static knng_status
go_on(meetings *w, knng_err *err)
{
	knng_info *info = w->meeting.info;
	knng_err problem = {0};
	knng_status status = knng_checkpoint_resumes(w->checkpoint) ? resume(w, err) : KNNG_OK;
	if (status == KNNG_OK && w->opt->task.progress != NULL) /* from there the time that is left counts */
		w->opt->task.progress(w->opt->task.context, w->task.stage, w->seen);
	if (status == KNNG_OK)
		status = meet_all(w, err);
	info->unsaved[0] = '\0';
	if (knng_checkpoint_save(w->checkpoint, false, 0, &problem) != KNNG_OK)
		snprintf(info->unsaved, sizeof info->unsaved, "%.300s", problem.text);
	return status == KNNG_EINTERRUPTED ? tell_interruption(w, info->unsaved, err) : status;
}

/* ---- all meetings ---- */

double
knng_blocks_bytes(const knng_rows *rows, int64_t size, int64_t k, const knng_options *opt)
{
	return knng_panels_bytes(rows, size, KNNG_PANELS) +
	       knng_meeting_bytes(2 * size, k, knng_task_threads(&opt->task)) +
	       (opt->checkpoint != NULL ? knng_checkpoint_bytes(rows->n, size) : 0);
}

static knng_status
count_levels(const meetings *w, knng_err *err)
{
	knng_info *info = w->meeting.info;
	for (int64_t b = 0; b < w->blocks; b++) {
		knng_neighbours *lists;
		knng_status status = knng_shelf_show(w->lists, b, false, &lists, err);
		if (status != KNNG_OK)
			return status;
		knng_part rows = rows_of(w, b);
		knng_neighbours_count(lists, rows, info->certified,
				      w->opt->rows == KNNG_ROWS_PAIRWISE ? &info->fewer : NULL);
	}
	info->blocks = w->blocks;
	info->seconds[KNNG_STAGE_PREPARE] += w->panels.waited;
	info->seconds[KNNG_STAGE_SINK] += w->lists->waited;
	return KNNG_OK;
}

knng_status
knng_blocks_run(const knng_rows *rows, int64_t size, const knng_options *opt, knng_shelf *lists, knng_info *info,
		knng_err *err)
{
	knng_info unread = {0};
	info = info != NULL ? info : &unread;
	*info = (knng_info){0};
	if (size < 1 || rows->n > INT32_MAX - 64)
		return knng_fail(err, KNNG_EARGS, "knng:args:rows",
				 "%lld rows in blocks of %lld: 2^31 - 65 rows at most, and 1 or more in a block",
				 (long long)rows->n, (long long)size);
	if (lists->k < 1)
		return KNNG_OK; /* a row alone */
	size = size < rows->n ? size : rows->n;
	meetings w = {.rows = rows, .opt = opt, .lists = lists, .task = opt->task, .blocks = knng_parts(size, rows->n)};
	w.task.stage = "blocks";
	w.task.done = w.task.left = w.task.shown = 0;
	double rest = knng_blocks_bytes(rows, size, lists->k, opt);
	int64_t held = knng_sys().bytes;
	knng_status status = knng_afford(rest, "blocks of rows", err);
	if (status == KNNG_OK)
		status = knng_meeting_open(&w.meeting, 2 * size, rows, lists->k, opt, info, rest, err);
	if (status != KNNG_OK)
		return status;
	w.meeting.held = held;
	status = knng_panels_open(&w.panels, rows, size, KNNG_PANELS, err);
	if (status == KNNG_OK && opt->checkpoint != NULL)
		status = open_checkpoint(&w, err);
	knng_sys_keep(true);
	if (status == KNNG_OK)
		status = w.checkpoint != NULL ? go_on(&w, err) : meet_all(&w, err);
	knng_sys_keep(false);
	knng_panels_close(&w.panels);
	knng_checkpoint_close(w.checkpoint);
	if (status == KNNG_OK)
		status = count_levels(&w, err);
	knng_meeting_close(&w.meeting);
	return status;
}
