#include "blocks/blocks.h"
#include "base/sys.h"
#include "base/task.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two blocks of rows, one behind the other, and what they found of each other. */
typedef struct {
	const knng_rows *rows;
	const knng_options *opt;
	knng_neighbours *lists;
	int64_t size;   /* rows of a block */
	char *data;     /* [2 * size * d] */
	double *within; /* [2 * size] */
	double *distance;
	int64_t *index;   /* [2 * size * k] each */
	int32_t *one;     /* [k] neighbours of one row */
	uint8_t *levels;  /* [2 * size], of this meeting */
	uint8_t *highest; /* [rows], of all so far */
	int64_t first[2]; /* rows of the blocks that are there */
	int64_t count[2];
	int64_t held;       /* bytes before there was anything of this */
	double rest;        /* bytes of all but a search */
	knng_task task;     /* shows progress of all meetings together */
	double done, share; /* of the distances: behind, and in this meeting */
	double seen, most;  /* what progress was shown last; the largest share yet */
	knng_devices device;
	knng_info *info;
} meeting;

static size_t
row_bytes(const knng_rows *rows)
{
	return (size_t)rows->d * (rows->type == KNNG_F32 ? 4 : 8);
}

static knng_part
rows_of(const meeting *m, int64_t block)
{
	return knng_part_of(block, m->size, m->rows->n);
}

/* Block b as the first (side 0) or the second of the two. The second lies behind the first. */
static knng_status
bring(meeting *m, int side, int64_t block, knng_err *err)
{
	knng_part part = rows_of(m, block);
	char *to = m->data + (side == 0 ? 0 : (size_t)m->count[0] * row_bytes(m->rows));
	double start = knng_seconds();
	m->first[side] = part.first;
	m->count[side] = part.end - part.first;
	knng_status status = m->rows->read(m->rows->context, part.first, m->count[side], to, err);
	m->info->seconds[KNNG_STAGE_PREPARE] += knng_seconds() - start;
	return status;
}

/* The row of the data that row r of the two blocks is. */
static int64_t
global(const meeting *m, int64_t r)
{
	return r < m->count[0] ? m->first[0] + r : m->first[1] + r - m->count[0];
}

static void
merge(meeting *m, int64_t n, int64_t k)
{
	for (int64_t r = 0; r < n; r++) {
		int64_t found = 0;
		for (; found < k && m->index[r * k + found] >= 0; found++)
			m->one[found] = (int32_t)global(m, m->index[r * k + found]);
		knng_neighbours_merge(m->lists, global(m, r), m->distance + r * k, m->one, found);
		uint8_t *highest = &m->highest[global(m, r)];
		*highest = m->levels[r] > *highest ? m->levels[r] : *highest;
	}
}

/* Progress of a meeting is a part of that of all, and never goes back. */
static void
show(void *context, const char *stage, double fraction)
{
	meeting *m = context;
	(void)stage;
	m->seen = fmax(m->seen, m->done + m->share * fraction);
	m->opt->task.progress(m->opt->task.context, m->task.stage, m->seen);
}

/* Adds what one meeting says: times and work, what was done otherwise in any, and of rows what a block says of its own.
 * Which level certified a row all meetings say together. */
static void
add_info(knng_info *sum, const knng_info *one, bool alone, bool largest)
{
	knng_info all = largest ? *one : *sum;
	for (int s = 0; s < KNNG_STAGES; s++)
		all.seconds[s] = sum->seconds[s] + one->seconds[s];
	memset(all.certified, 0, sizeof all.certified);
	all.total = sum->total + one->total;
	all.refined = sum->refined + one->refined;
	all.blocks = 0;
	all.nonfinite = sum->nonfinite + (alone ? one->nonfinite : 0);
	all.constant = sum->constant + (alone ? one->constant : 0);
	all.points = sum->points + (alone ? one->points : 0);
	all.peak = fmax(sum->peak, one->peak);
	all.planned = fmax(sum->planned, one->planned);
	all.device_peak = fmax(sum->device_peak, one->device_peak);
	const knng_info *fell = sum->fallback[0] != 0 ? sum : one, *skips = sum->skipped[0] != 0 ? sum : one;
	memmove(all.fallback, fell->fallback, sizeof all.fallback);
	memmove(all.skipped, skips->skipped, sizeof all.skipped);
	if (fell->fallback[0] != 0)
		memmove(all.why_cpu, fell->why_cpu, sizeof all.why_cpu);
	*sum = all;
}

/* The plan of a meeting of the blocks that are there. All meetings use the same devices; once some of them failed, the
 * CPU where they are lost. */
static knng_status
plan_meeting(const meeting *m, knng_plan *plan, knng_err *err)
{
	int64_t n = m->count[0] + m->count[1];
	const knng_matrix X = {n, m->rows->d, m->rows->type, m->data, m->rows->d, 1};
	knng_options opt = *m->opt;
	opt.k = m->lists->k;
	opt.device = m->device;
	opt.split = m->count[1] > 0 ? m->count[0] : 0;
	opt.within = opt.split > 0 ? m->within : NULL;
	opt.levels = m->levels;
	opt.max_memory = opt.max_memory > 0 ? opt.max_memory - m->rest : 0;
	if (opt.task.progress != NULL) {
		opt.task.progress = show;
		opt.task.context = (void *)m;
	}
	knng_status status = knng_plan_make(plan, &X, NULL, &opt, err);
	if (status == KNNG_EDEVICE && m->info->fallback[0] != 0) {
		opt.device.kind = KNNG_DEVICE_CPU;
		status = knng_plan_make(plan, &X, NULL, &opt, err);
	}
	return status;
}

/* The blocks that are there meet: the first itself where there is no second. */
static knng_status
meet(meeting *m, knng_err *err)
{
	int64_t n = m->count[0] + m->count[1];
	bool alone = m->count[1] == 0;
	knng_info info;
	knng_plan plan;
	memset(m->levels, 0, (size_t)n);
	for (int64_t r = 0; r < n; r++)
		m->within[r] = knng_neighbours_within(m->lists, global(m, r));
	knng_status status = plan_meeting(m, &plan, err);
	if (status != KNNG_OK)
		return status;
	const knng_output out = {m->index, KNNG_I64, 0, m->distance, KNNG_F64, plan.k, 1};
	if ((status = knng_run(&plan, &out, &info, err)) != KNNG_OK)
		return status;
	merge(m, n, plan.k);
	info.peak += (double)(knng_sys().bytes - m->held);
	info.planned += m->rest;
	add_info(m->info, &info, alone, m->share > m->most);
	m->most = fmax(m->most, m->share);
	m->done += m->share;
	m->seen = fmax(m->seen, m->done);
	return knng_task_step(&m->task, m->seen, err);
}

/* How much of all distances is between so many rows and as many others, or among them. */
static double
share_of(const meeting *m)
{
	double a = (double)m->count[0], b = (double)m->count[1], n = (double)m->rows->n;
	return b > 0 ? 2 * a * b / (n * n) : a * a / (n * n);
}

/* Every pair of blocks once. */
static knng_status
meet_all(meeting *m, knng_err *err)
{
	int64_t blocks = knng_parts(m->size, m->rows->n);
	knng_status status = KNNG_OK;
	for (int64_t a = 0; a < blocks && status == KNNG_OK; a++)
		for (int64_t b = a; b < blocks && status == KNNG_OK; b++) {
			if (b == a)
				m->count[1] = 0;
			if ((status = bring(m, b > a, b, err)) != KNNG_OK)
				break;
			m->share = share_of(m);
			status = meet(m, err);
		}
	return status;
}

/* Bytes of blocks of `size` rows, without lists and search. */
static double
bytes_of_blocks(const knng_rows *rows, int64_t size, int64_t k)
{
	double both = 2 * (double)(size < rows->n ? size : rows->n);
	return both * ((double)row_bytes(rows) + 9 + 16 * (double)k) + 4 * (double)k + (double)rows->n + 512 +
	       rows->bytes;
}

static double
bytes_of_lists(int64_t n, int64_t k)
{
	return 12 * (double)(n + 1) * (double)k;
}

static void
count_levels(meeting *m)
{
	for (int64_t i = 0; i < m->rows->n; i++)
		if (m->highest[i] > 0)
			m->info->certified[m->highest[i] - 1]++;
	m->info->blocks = knng_parts(m->size, m->rows->n);
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
	int64_t k = lists->k, both = 2 * (size < rows->n ? size : rows->n);
	meeting m = {.rows = rows,
		     .opt = opt,
		     .lists = lists,
		     .size = size,
		     .task = opt->task,
		     .device = opt->device,
		     .info = info};
	m.task.stage = "blocks";
	m.task.done = m.task.left = m.task.shown = 0;
	m.rest = bytes_of_blocks(rows, size, k);
	m.held = knng_sys().bytes;
	knng_status status = knng_afford(m.rest, "two blocks of rows", err);
	if (status != KNNG_OK)
		return status;
	m.data = knng_alloc(both, row_bytes(rows));
	m.within = knng_alloc(both, sizeof *m.within);
	m.distance = knng_alloc(both * k, sizeof *m.distance);
	m.index = knng_alloc(both * k, sizeof *m.index);
	m.one = knng_alloc(k, sizeof *m.one);
	m.levels = knng_alloc(both, 1);
	m.highest = knng_calloc(rows->n, 1);
	if (m.data == NULL || m.within == NULL || m.distance == NULL || m.index == NULL || m.one == NULL ||
	    m.levels == NULL || m.highest == NULL)
		status = knng_fail_memory(err, "two blocks of rows", m.rest);
	else
		status = meet_all(&m, err);
	if (status == KNNG_OK)
		count_levels(&m);
	knng_free(m.data);
	knng_free(m.within);
	knng_free(m.distance);
	knng_free(m.index);
	knng_free(m.one);
	knng_free(m.levels);
	knng_free(m.highest);
	return status;
}

/* ---- from whatever memory there is ---- */

enum { SMALLEST = 256 }; /* rows of a block: with fewer a search would not end */

static double
limit_of(const knng_options *opt, int64_t n, int64_t k)
{
	double available = knng_memory_available();
	return opt->max_memory > 0 ? opt->max_memory
	       : available > 0     ? 0.9 * available - 16 * (double)n * (double)k
				   : INFINITY;
}

/* The plan with this size, whose search may take so many bytes. */
static knng_status
plan_with(knng_blocks_plan *plan, int64_t size, double bytes, const knng_rows *rows, const knng_options *opt,
	  knng_err *err)
{
	static const char absent;
	bool whole = size >= rows->n;
	const knng_matrix X = {whole ? rows->n : 2 * size, rows->d, rows->type, &absent, rows->d, 1};
	knng_options o = *opt;
	o.split = whole ? 0 : size;
	o.max_memory = bytes;
	knng_status status = knng_plan_make(&plan->one, &X, NULL, &o, err);
	plan->size = size;
	plan->rest = whole ? (double)rows->n * (double)row_bytes(rows) + rows->bytes
			   : bytes_of_blocks(rows, size, plan->k) + bytes_of_lists(rows->n, plan->k);
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
	static const char absent;
	const knng_matrix X = {rows->n, rows->d, rows->type, &absent, rows->d, 1};
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
	plan_with(plan, tightest, INFINITY, rows, opt, NULL); /* for its rest */
	return plan_with(plan, tightest, plan->limit - plan->rest, rows, opt, err);
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
	char *data = knng_alloc(rows->n, row_bytes(rows));
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
	double held = bytes_of_lists(rows->n, plan->k), start = knng_seconds();
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
