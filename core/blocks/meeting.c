#include "blocks/meeting.h"
#include "base/sys.h"
#include "search/info.h"

#include <math.h>
#include <string.h>

enum { ROWS = 256 }; /* whose neighbours are merged in one job */

double
knng_meeting_bytes(int64_t rows, int64_t k, int threads)
{
	return (double)rows * (16 * (double)k + 9) + threads * 16 * (double)k + 512;
}

knng_status
knng_meeting_open(knng_meeting *m, int64_t most, const knng_rows *rows, int64_t k, const knng_options *opt,
		  knng_info *info, double rest, knng_err *err)
{
	int64_t places;
	*m = (knng_meeting){.d = rows->d,
			    .k = k,
			    .type = rows->type,
			    .opt = opt,
			    .device = opt->device,
			    .info = info,
			    .rest = rest,
			    .prepared.room = most,
			    .threads = knng_task_threads(&opt->task)};
	if (knng_mul(most, k, sizeof *m->index, &places)) {
		m->within = knng_alloc(most, sizeof *m->within);
		m->distance = knng_alloc(most * k, sizeof *m->distance);
		m->index = knng_alloc(most * k, sizeof *m->index);
		m->level = knng_alloc(most, 1);
		m->room = knng_alloc(m->threads * k, sizeof *m->room);
		m->indices = knng_alloc(m->threads * 2 * k, sizeof *m->indices);
	}
	if (m->within != NULL && m->distance != NULL && m->index != NULL && m->level != NULL && m->room != NULL &&
	    m->indices != NULL)
		return KNNG_OK;
	knng_meeting_close(m);
	return knng_fail_memory(err, "what two blocks of rows find", knng_meeting_bytes(most, k, m->threads));
}

void
knng_meeting_close(knng_meeting *m)
{
	knng_prepared_drop(&m->prepared);
	knng_free(m->within);
	knng_free(m->distance);
	knng_free(m->index);
	knng_free(m->level);
	knng_free(m->room);
	knng_free(m->indices);
	m->within = m->distance = m->room = NULL;
	m->index = NULL;
	m->level = NULL;
	m->indices = NULL;
}

/* What the rows of two blocks found, to be merged. */
typedef struct {
	knng_meeting *m;
	knng_side a, b;
	int64_t k; /* columns of what was found */
} finding;

static int64_t
count_of(knng_side side)
{
	return side.rows.end - side.rows.first;
}

static int64_t
rows_of(const finding *f)
{
	return count_of(f->a) + count_of(f->b);
}

/* The side that row r of the two blocks is on, and which of its rows that is. */
static const knng_side *
side_of(const finding *f, int64_t *r)
{
	if (*r < count_of(f->a))
		return &f->a;
	*r -= count_of(f->a);
	return &f->b;
}

/* The row of the data that row r of the two blocks is. */
static int64_t
global(const finding *f, int64_t r)
{
	const knng_side *side = side_of(f, &r);
	return side->rows.first + r;
}

/* How far row r looks. */
static double
within(const finding *f, int64_t r)
{
	const knng_side *side = side_of(f, &r);
	return side->within != NULL ? side->within[r] : knng_neighbours_within(side->lists, side->rows.first + r);
}

static void
lock(const knng_meeting *m)
{
	if (m->lock != NULL)
		pthread_mutex_lock(m->lock);
}

static void
unlock(const knng_meeting *m)
{
	if (m->lock != NULL)
		pthread_mutex_unlock(m->lock);
}

static knng_status
merge_job(void *context, int worker, int64_t job, knng_err *err)
{
	const finding *f = context;
	knng_meeting *m = f->m;
	int64_t k = f->k;
	knng_part part = knng_part_of(job, ROWS, rows_of(f));
	int32_t *found = m->indices + (int64_t)worker * 2 * m->k, *room = found + m->k;
	(void)err;
	for (int64_t r = part.first; r < part.end; r++) {
		int64_t row = r, count = 0;
		const knng_side *side = side_of(f, &row);
		const double *distance = m->distance + r * k,
			     limit = side->within != NULL ? side->within[row] : INFINITY;
		row += side->rows.first;
		for (; count < k && m->index[r * k + count] >= 0 && !(distance[count] > limit); count++)
			found[count] = (int32_t)global(f, m->index[r * k + count]);
		knng_neighbours_merge(side->lists, row, distance, found, count, m->room + worker * m->k, room);
		uint8_t *level = &side->lists->level[row - side->lists->first];
		*level = m->level[r] > *level ? m->level[r] : *level;
	}
	return KNNG_OK;
}

/* Adds what one meeting says: times and work, what was done otherwise in any, and of rows what a block says of its own.
 * Which level certified a row all meetings say together. */
static void
add_info(knng_info *sum, const knng_info *one, bool alone, bool largest)
{
	knng_info part = *one;
	double resumed = sum->resumed;
	if (!alone)
		part.nonfinite = part.constant = part.points = 0;
	knng_info_add(sum, &part, largest);
	memset(sum->certified, 0, sizeof sum->certified);
	sum->blocks = 0;
	sum->fewer = 0;
	sum->resumed = resumed;
}

/* Says in how many meetings pairs were left out by boxes, and what the largest one said of it. */
static void
add_pruned(knng_meeting *m, const knng_info *one, bool largest)
{
	m->met++;
	m->pruned += strncmp(one->pruned, "yes", 3) == 0;
	if (largest)
		snprintf(m->why, sizeof m->why, "%s", one->pruned);
	const char *why = m->why + (strncmp(m->why, "yes: ", 5) == 0 ? 5 : 0);
	if (m->pruned > 0)
		snprintf(m->info->pruned, sizeof m->info->pruned,
			 "yes: in %lld of %lld meetings of blocks; in the largest %.70s", (long long)m->pruned,
			 (long long)m->met, why);
	else
		snprintf(m->info->pruned, sizeof m->info->pruned, "%s", m->why);
}

/* What is kept of other rows goes, before the plan looks at the memory. */
static void
keep_side(knng_meeting *m, knng_side a)
{
	if (m->of.first != a.rows.first || m->of.end != a.rows.end)
		knng_prepared_drop(&m->prepared);
	m->of = a.rows;
	m->prepared.rows = a.rows.end - a.rows.first;
}

/* The plan of a meeting. All of them use the same devices; once some of these failed, the CPU where they are lost. */
static knng_status
plan_meeting(const finding *f, const knng_task *task, knng_plan *plan, knng_err *err)
{
	knng_meeting *m = f->m;
	knng_matrix X = knng_by_rows(rows_of(f), m->d, m->type, f->a.data);
	knng_options opt = *m->opt;
	opt.k = m->k;
	opt.device = m->device;
	X.split = opt.split = count_of(f->b) > 0 ? count_of(f->a) : 0;
	X.second = opt.split > 0 ? f->b.data : NULL;
	opt.within = opt.split > 0 ? m->within : NULL;
	opt.levels = m->level;
	opt.shared = NULL;
	opt.prepared = &m->prepared;
	opt.max_memory = opt.max_memory > 0 ? opt.max_memory - m->rest : 0;
	opt.task = *task;
	knng_status status = knng_plan_make(plan, &X, NULL, &opt, err);
	if (status == KNNG_EDEVICE && m->info->fallback[0] != 0) {
		opt.device.kind = KNNG_DEVICE_CPU;
		status = knng_plan_make(plan, &X, NULL, &opt, err);
	}
	return status;
}

knng_status
knng_meet(knng_meeting *m, knng_side a, knng_side b, const knng_task *task, double share, knng_err *err)
{
	finding f = {.m = m, .a = a, .b = b};
	int64_t n = rows_of(&f);
	knng_info info;
	knng_plan plan;
	memset(m->level, 0, (size_t)n);
	lock(m);
	for (int64_t r = 0; r < n; r++)
#ifndef KNNG_PLANT_ELSEWHERE /* what the tests must find: a radius that is another row's */
		m->within[r] = within(&f, r);
#else
		m->within[r] = within(&f, n - 1 - r);
#endif
	unlock(m);
	keep_side(m, a);
	knng_status status = plan_meeting(&f, task, &plan, err);
	if (status != KNNG_OK)
		return status;
	const knng_output out = {m->index, KNNG_I64, 0, m->distance, KNNG_F64, plan.k, 1};
	if ((status = knng_run(&plan, &out, &info, err)) != KNNG_OK)
		return status;
	double start = knng_seconds(), peak = (double)(knng_sys().peak - m->held); /* since the search began */
	/* Nothing stops it: lists must not hold a part of a meeting that no checkpoint knows of. */
	knng_task silent = {.threads = task->threads};
	f.k = plan.k;
	lock(m);
	status = knng_task_run(&silent, m->threads, knng_parts(ROWS, n), merge_job, &f, err);
	unlock(m);
	info.seconds[KNNG_STAGE_SINK] += knng_seconds() - start;
	info.peak = peak;
	info.planned += m->rest;
	m->rows = (knng_block_rows){info.nonfinite, info.constant, info.points};
	add_info(m->info, &info, count_of(b) == 0, share > m->largest);
	add_pruned(m, &info, share > m->largest);
	m->largest = fmax(m->largest, share);
	return status;
}
