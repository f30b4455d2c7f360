#include "blocks/blocks.h"
#include "base/sys.h"
#include "base/task.h"
#include "blocks/meeting.h"
#include "blocks/panels.h"
#include "search/size.h"

#include <math.h>
#include <stdio.h>

/* The meetings of a search. */
typedef struct {
	const knng_rows *rows;
	const knng_options *opt;
	knng_meeting meeting;
	knng_panels panels;
	int64_t blocks;
	knng_task task;     /* shows progress of all meetings together */
	double done, share; /* of the distances: behind, and in this meeting */
	double seen;        /* what progress was shown last */
} work;

static knng_part
rows_of(const work *w, int64_t block)
{
	return knng_part_of(block, w->panels.size, w->rows->n);
}

/* Progress of a meeting is a part of that of all, and never goes back. */
static void
show(void *context, const char *stage, double fraction)
{
	work *w = context;
	(void)stage;
	w->seen = fmax(w->seen, w->done + w->share * fraction);
	w->opt->task.progress(w->opt->task.context, w->task.stage, w->seen);
}

/* How much of all distances is between so many rows and as many others, or among them. */
static double
share_of(const work *w, knng_pair_of_blocks pair)
{
	knng_part home = rows_of(w, pair.home), visitor = rows_of(w, pair.visitor);
	double a = (double)(home.end - home.first), b = (double)(visitor.end - visitor.first), n = (double)w->rows->n;
	return (pair.home == pair.visitor ? 1 : 2) * a * b / (n * n);
}

/* The pair behind this one; false: it is the last. Visitors come in ascending order and in descending order by turns:
 * so the first is the last one of the home before, or the next home is the last visitor. */
static bool
next_pair(const work *w, knng_pair_of_blocks *pair)
{
	int64_t home = pair->home, last = w->blocks - 1;
	bool up = home % 2 == 0;
	if (pair->visitor == (up || home == last ? last : home + 1))
		pair->home = pair->visitor = home + 1;
	else if (pair->visitor == home)
		pair->visitor = up ? home + 1 : last;
	else
		pair->visitor += up ? 1 : -1;
	return pair->home <= last;
}

/* Two blocks meet, and the rows of the next pair are read meanwhile. */
static knng_status
meet(work *w, knng_pair_of_blocks pair, const knng_pair_of_blocks *next, knng_err *err)
{
	const void *data;
	int64_t first;
	knng_task task = w->opt->task;
	knng_status status = knng_panels_bring(&w->panels, pair, next, &data, &first, err);
	if (status != KNNG_OK)
		return status;
	if (task.progress != NULL) {
		task.progress = show;
		task.context = w;
	}
	knng_part a = rows_of(w, first), b = rows_of(w, first == pair.home ? pair.visitor : pair.home);
	if (pair.home == pair.visitor)
		b.first = b.end;
	w->share = share_of(w, pair);
	if ((status = knng_meet(&w->meeting, data, a, b, &task, w->share, err)) != KNNG_OK)
		return status;
	w->done += w->share;
	w->seen = fmax(w->seen, w->done);
	return knng_task_step(&w->task, w->seen, err);
}

/* Every pair of blocks once. */
static knng_status
meet_all(work *w, knng_err *err)
{
	knng_pair_of_blocks pair = {0, 0}, next = pair;
	knng_status status = KNNG_OK;
	for (bool more = true; more && status == KNNG_OK; pair = next) {
		more = next_pair(w, &next);
		status = meet(w, pair, more ? &next : NULL, err);
	}
	return status;
}

/* Bytes of blocks of `size` rows, without lists and search. */
static double
bytes_of_blocks(const knng_rows *rows, int64_t size, int64_t k, const knng_task *task)
{
	return knng_panels_bytes(rows, size) + knng_meeting_bytes(size, k, knng_task_threads(task));
}

static void
count_levels(const work *w)
{
	knng_info *info = w->meeting.info;
	const uint8_t *level = w->meeting.lists->level;
	for (int64_t i = 0; i < w->rows->n; i++)
		if (level[i] > 0)
			info->certified[level[i] - 1]++;
	info->blocks = w->blocks;
	info->seconds[KNNG_STAGE_PREPARE] += w->panels.waited;
}

knng_status
knng_blocks_run(const knng_rows *rows, int64_t size, const knng_options *opt, knng_neighbours *lists, knng_info *info,
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
	work w = {.rows = rows, .opt = opt, .task = opt->task, .blocks = knng_parts(size, rows->n)};
	w.task.stage = "blocks";
	w.task.done = w.task.left = w.task.shown = 0;
	double rest = bytes_of_blocks(rows, size, lists->k, &opt->task);
	int64_t held = knng_sys().bytes;
	knng_status status = knng_afford(rest, "blocks of rows", err);
	if (status == KNNG_OK)
		status = knng_meeting_open(&w.meeting, size, rows->d, rows->type, opt, lists, info, rest, err);
	if (status != KNNG_OK)
		return status;
	w.meeting.held = held;
	status = knng_panels_open(&w.panels, rows, size, err);
	if (status == KNNG_OK)
		status = meet_all(&w, err);
	knng_panels_close(&w.panels);
	if (status == KNNG_OK)
		count_levels(&w);
	knng_meeting_close(&w.meeting);
	return status;
}

/* ---- from whatever memory there is ---- */

enum { SMALLEST = 256 }; /* rows of a block: with fewer a search would not end */

/* What the search may take beside the answer. */
static double
limit_of(const knng_options *opt, int64_t n, int64_t k)
{
	const knng_plan search = {.opt = *opt, .m = n, .k = k, .x.data = &knng_elsewhere};
	return knng_budget_of(&search).limit;
}

/* Of all but the search. */
static double
rest_of(const knng_rows *rows, int64_t size, int64_t k, const knng_task *task)
{
	if (size >= rows->n)
		return (double)rows->n * (double)rows->d * (rows->type == KNNG_F32 ? 4 : 8) + rows->bytes;
	return bytes_of_blocks(rows, size, k, task) + knng_neighbours_bytes(rows->n, k);
}

/* The plan with this size, whose search may take so many bytes. */
static knng_status
plan_with(knng_blocks_plan *plan, int64_t size, double bytes, const knng_rows *rows, const knng_options *opt,
	  knng_err *err)
{
	bool whole = size >= rows->n;
	const knng_matrix X = {whole ? rows->n : 2 * size, rows->d, rows->type, &knng_elsewhere, rows->d, 1};
	knng_options o = *opt;
	o.split = whole ? 0 : size;
	o.max_memory = bytes;
	knng_status status = knng_plan_make(&plan->one, &X, NULL, &o, err);
	plan->size = size;
	plan->rest = rest_of(rows, size, plan->k, &opt->task);
	plan->bytes = plan->rest + plan->one.bytes;
	return status;
}

/* The next smaller blocks: two of them have to be less than all. 0: there are none. */
static int64_t
smaller(int64_t size, int64_t n)
{
	int64_t next = size >= n ? (n + 2) / 3 : size - size / 5;
	next = next < SMALLEST ? SMALLEST : next;
	return size <= SMALLEST || 2 * next >= n ? 0 : next;
}

static knng_status
refuse_limit(const knng_blocks_plan *plan, const knng_rows *rows, bool asked, double least, knng_err *err)
{
	return knng_fail(err, asked ? KNNG_EARGS : KNNG_EMEMORY, asked ? "knng:args:maxMemory" : "knng:memory:host",
			 "%s %.0f bytes: %lld rows of %lld columns, with %lld neighbours each, need at least %.0f "
			 "beside the result: give more memory, or ask for fewer neighbours",
			 asked ? "'MaxMemory' is" : "what is available leaves, less the result,",
			 plan->limit > 0 ? plan->limit : 0, (long long)rows->n, (long long)rows->d, (long long)plan->k,
			 least);
}

knng_status
knng_blocks_plan_make(knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, knng_err *err)
{
	const knng_matrix X = {rows->n, rows->d, rows->type, &knng_elsewhere, rows->d, 1};
	knng_question q;
	*plan = (knng_blocks_plan){0};
	knng_status status = knng_ask(&q, &X, NULL, opt->metric, opt->k, err);
	if (status != KNNG_OK)
		return status;
	plan->k = q.k;
	plan->limit = limit_of(opt, rows->n, q.k);
	double least = INFINITY;
	int64_t tightest = 0; /* the size that can make do with the least */
	for (int64_t size = rows->n; size > 0; size = smaller(size, rows->n)) {
		status = plan_with(plan, size, INFINITY, rows, opt, err);
		if (status != KNNG_OK || plan->bytes <= plan->limit)
			return status;
		if (ceil(plan->rest + plan->one.least) < least) {
			least = ceil(plan->rest + plan->one.least);
			tightest = size;
		}
	}
	if (least > plan->limit)
		return refuse_limit(plan, rows, opt->max_memory > 0, least, err);
	return plan_with(plan, tightest, plan->limit - rest_of(rows, tightest, plan->k, &opt->task), rows, opt, err);
}

/* All rows in memory. */
static knng_status
search_whole(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, const knng_output *out,
	     knng_info *info, knng_err *err)
{
	knng_plan p = plan->one;
	knng_status status = knng_afford(plan->rest, "the rows of the file", err);
	if (status != KNNG_OK)
		return status;
	char *data = knng_alloc(rows->n, (size_t)rows->d * (rows->type == KNNG_F32 ? 4 : 8));
	if (data == NULL)
		return knng_fail_memory(err, "the rows of the file", plan->rest);
	p.x.data = data;
	p.opt.task = opt->task;
	p.opt.max_memory = plan->limit - plan->rest; /* for another plan, after a GPU failed */
	double start = knng_seconds();
	status = rows->read(rows->context, 0, rows->n, data, err);
	double seconds = knng_seconds() - start;
	if (status == KNNG_OK)
		status = knng_run(&p, out, info, err);
	knng_free(data);
	info->peak += plan->rest;
	info->planned += plan->rest;
	info->seconds[KNNG_STAGE_PREPARE] += seconds;
	info->total += seconds;
	return status;
}

/* The devices of a plan: what 'auto' chose for two blocks holds for smaller meetings too. */
static knng_devices
devices_of(const knng_plan *plan)
{
	knng_devices d = {.kind = plan->ndevices > 0 ? KNNG_DEVICE_LIST : KNNG_DEVICE_CPU, .count = plan->ndevices};
	for (int i = 0; i < plan->ndevices; i++)
		d.number[i] = plan->devices[i] + 1;
	return d;
}

static knng_status
search_blocks(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, const knng_output *out,
	      knng_info *info, knng_err *err)
{
	knng_neighbours lists;
	knng_options o = *opt;
	double held = knng_neighbours_bytes(rows->n, plan->k), start = knng_seconds();
	o.max_memory = plan->limit - held;
	o.device = devices_of(&plan->one);
	knng_status status = knng_afford(held, "the lists of neighbours", err);
	if (status == KNNG_OK)
		status = knng_neighbours_make(&lists, rows->n, plan->k, err);
	if (status != KNNG_OK)
		return status;
	status = knng_blocks_run(rows, plan->size, &o, &lists, info, err);
	if (status == KNNG_OK)
		knng_neighbours_write(&lists, out);
	knng_neighbours_free(&lists);
	info->peak += held;
	info->planned += held;
	info->total = knng_seconds() - start;
	if (plan->one.ndevices == 0) /* its meetings were told to take the CPU */
		snprintf(info->why_cpu, sizeof info->why_cpu, "%s", plan->one.why_cpu);
	return status;
}

knng_status
knng_blocks_graph(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, const knng_output *out,
		  knng_info *info, knng_err *err)
{
	knng_info unread = {0};
	info = info != NULL ? info : &unread;
	*info = (knng_info){0};
	return (plan->size >= rows->n ? search_whole : search_blocks)(plan, rows, opt, out, info, err);
}
