#include "blocks/ranks.h"
#include "base/plugin.h"
#include "base/sys.h"
#include "blocks/checkpoint.h"
#include "blocks/meeting.h"
#include "blocks/panels.h"
#include "io/graph_file.h"

#include <math.h>

enum {
	MANY = 64,         /* ranks, of which each may do with one block */
	SMALLEST = 256,    /* rows of a block: with fewer a search would not end */
	BLOCKS_A_RANK = 2, /* at least, so that slow ranks can give some away */
	KEPT_BLOCKS = 8,   /* at least, with a checkpoint: what is lost is at most a meeting of two */
};

double
knng_found_bytes(int64_t rows, int64_t k)
{
	return 8 + (double)rows * (12 * (double)k + 5) + 8 * (double)(knng_parts(KNNG_FOUND_ROWS, rows) + 1);
}

double
knng_schedule_bytes(int64_t blocks, int ranks)
{
	return (double)blocks * (double)(blocks / 2 + 1) + 16.0 * ranks;
}

int
knng_ranks_places(bool resident, int64_t own, int64_t blocks)
{
	return !resident ? KNNG_PANELS : own < blocks ? KNNG_PANELS - 1 : 0;
}

int64_t
knng_ranks_meeting(int64_t size, int64_t together, int64_t n)
{
	return n / size > together ? (together + 1) * size : n;
}

double
knng_ranks_own_bytes(const knng_rows *rows, int64_t size, int64_t blocks, int64_t own, int64_t k, bool resident,
		     bool filed, int64_t together, const knng_options *opt)
{
	double mine = (double)own * (double)size, row = (double)knng_row_bytes(rows);
	double lists = filed ? knng_shelf_bytes(own * size, k, size) + 8 * mine : knng_neighbours_bytes(1, k) * mine;
	return lists + (resident ? mine * row : 0) +
	       knng_panels_bytes(rows, size, knng_ranks_places(resident, own, blocks)) +
	       knng_meeting_bytes(knng_ranks_meeting(size, together, rows->n), k, knng_task_threads(&opt->task)) +
	       knng_neighbours_bytes(size, k) + 12 * (double)k * knng_task_threads(&opt->task) + 8 * (double)size +
	       (KNNG_RANKS_RETURNS + 1) * knng_found_bytes(size, k) +
	       (opt->checkpoint != NULL ? knng_checkpoint_bytes(rows->n, size) + 8.0 * (double)blocks : 0);
}

double
knng_ranks_talk_bytes(int64_t size, int64_t blocks, bool keeps, int rank, int ranks)
{
	double b = (double)blocks, own = (double)knng_parts(ranks, blocks);
	double all = 8 * b + (keeps ? own * b : 0) + (double)KNNG_RANKS_LATER * KNNG_RANKS_LETTER * ranks +
		     KNNG_RANKS_LENT * 8 * (double)size;
	return rank > 0 ? all
			: all + knng_schedule_bytes(blocks, ranks) + (8 + (keeps ? b : 0)) * b +
				  (double)KNNG_RANKS_INFO * ranks;
}

int64_t
knng_ranks_largest(int64_t ranks, int64_t n, bool keeps)
{
	int64_t blocks = ranks > 1 ? ranks * BLOCKS_A_RANK : 1;
	if (keeps && blocks < KEPT_BLOCKS)
		blocks = knng_parts(ranks, KEPT_BLOCKS) * ranks;
	int64_t size = knng_parts(blocks, n), whole = knng_parts(ranks, n);
	return ranks < MANY || size >= SMALLEST ? size : whole < SMALLEST ? whole : SMALLEST;
}

/* With this rank's own GPUs, where a search of two blocks would take any and has room there. */
static knng_status
plan_meeting(knng_ranks_plan *plan, const knng_matrix *X, knng_err *err)
{
	knng_options *opt = &plan->opt;
	if (plan->gpus.count == 0)
		return knng_plan_make(&plan->one, X, NULL, opt, err);
	opt->device = (knng_devices){.kind = KNNG_DEVICE_AUTO};
	knng_status status = knng_plan_make(&plan->one, X, NULL, opt, err);
	bool cpu = status == KNNG_OK && plan->one.ndevices == 0;
	if (!cpu) {
		opt->device = plan->gpus;
		status = knng_plan_make(&plan->one, X, NULL, opt, err);
		cpu = status == KNNG_EDEVICE || status == KNNG_EMEMORY;
	}
	if (cpu) {
		opt->device = (knng_devices){.kind = KNNG_DEVICE_CPU};
		status = knng_plan_make(&plan->one, X, NULL, opt, err);
	}
	return status;
}

/* How blocks are kept. */
typedef struct {
	int64_t size;
	bool resident, filed;
	int64_t together;
} manner;

/* The plan of that, with meetings that may take so many bytes. */
static knng_status
plan_with(knng_ranks_plan *plan, manner m, double bytes, const knng_team *team, const knng_rows *rows, knng_err *err)
{
	int64_t size = m.size, meet = knng_ranks_meeting(size, m.together, rows->n);
	const knng_matrix X = knng_by_rows(meet, rows->d, rows->type, &knng_elsewhere);
	plan->opt.split = meet > m.together * size ? m.together * size : 0;
	plan->opt.max_memory = bytes;
	plan->opt.k = plan->k > 0 ? plan->k : plan->opt.k; /* 0: of a row alone */
	plan->size = size;
	plan->blocks = knng_parts(size, rows->n);
	plan->resident = m.resident;
	plan->together = m.together;
	knng_status status = plan_meeting(plan, &X, err);
	const knng_options o = plan->opt;
	int64_t own = knng_parts(team->ranks, plan->blocks);
	plan->bytes =
		plan->one.bytes +
		knng_ranks_own_bytes(rows, size, plan->blocks, own, plan->k, m.resident, m.filed, m.together, &o) +
		knng_ranks_talk_bytes(size, plan->blocks, o.checkpoint != NULL, team->rank, team->ranks) +
		(team->rank == 0 && o.output != NULL ? knng_graph_file_bytes(rows->n, plan->k) : 0);
	const knng_graph_shape shape = {.n = rows->n, .k = plan->k, .type = rows->type};
	knng_graph_places places;
	plan->file = o.output != NULL && knng_graph_places_of(&shape, &places) ? (double)places.end : 0;
	plan->disk = o.checkpoint != NULL ? knng_checkpoint_disk(rows->n, plan->k, size) : 0;
	plan->lists = m.filed ? knng_neighbours_bytes(own * size, plan->k) : 0;
	return status;
}

static double
least_of(const knng_team *team, double value)
{
	return team->least != NULL ? team->least(team->context, value) : value;
}

/* Whether that does on all ranks, with meetings that may take so many bytes. */
static bool
fits(knng_ranks_plan *plan, manner m, double bytes, const knng_team *team, const knng_rows *rows)
{
	knng_status status = plan_with(plan, m, bytes, team, rows, NULL);
	return least_of(team, status == KNNG_OK && plan->bytes <= plan->limit) > 0;
}

/* Whether all blocks of a rank can meet a visitor at once, where GPUs hold all of these rows. */
static bool
fits_together(knng_ranks_plan *plan, int64_t size, const knng_team *team, const knng_rows *rows)
{
	int64_t own = knng_parts(team->ranks, knng_parts(size, rows->n));
	if (team->ranks == 1 || own == 1 || plan->opt.checkpoint != NULL)
		return false;
	plan_with(plan, (manner){size, true, false, 1}, INFINITY, team, rows, NULL);
	int devices = plan->one.ndevices;
	knng_status status = plan_with(plan, (manner){size, true, false, own}, INFINITY, team, rows, NULL);
	bool held = plan->one.ndevices == devices && knng_plan_panels(&plan->one) <= 1;
	return least_of(team, status == KNNG_OK && plan->bytes <= plan->limit && held) > 0;
}

/* What all but a meeting takes, and the least that would do, at the rank that needs most. */
static double
rest_of(const knng_ranks_plan *plan)
{
	return plan->bytes - plan->one.bytes;
}

static double
needs_of(const knng_ranks_plan *plan, const knng_team *team)
{
	return -least_of(team, -(rest_of(plan) + plan->one.least));
}

/* Sizes to try, the largest first; 0: there are no more. */
static int64_t
first_size(const knng_ranks_plan *plan, const knng_team *team, const knng_rows *rows)
{
	return plan->kept > 0 ? plan->kept : knng_ranks_largest(team->ranks, rows->n, plan->opt.checkpoint != NULL);
}

static int64_t
next_size(const knng_ranks_plan *plan, int64_t size)
{
	if (plan->kept > 0 || size <= SMALLEST)
		return 0;
	return size - size / 5 > SMALLEST ? size - size / 5 : SMALLEST;
}

/* Bytes that the meetings read and write, of a row, but for a factor that all manners have, and as many as what they do
 * beside that takes: a block that meets another comes from the file, and the lists of both are fetched and put back,
 * those of the visitor when what it found is at home. */
static double
moved(const knng_ranks_plan *plan, manner m, const knng_rows *rows)
{
	return (double)plan->blocks * (knng_blocks_meets(rows, plan->k) / (double)m.together +
				       (m.resident ? 0 : (double)knng_row_bytes(rows)) +
				       (m.filed ? 4 * knng_neighbours_bytes(1, plan->k) : 0));
}

/* What was found so far. */
typedef struct {
	manner best, tightest;
	double moved, least; /* of the one; that would do for the other. Inf: there is none */
} findings;

/* The largest blocks that fit. m has how. */
static void
try_sizes(knng_ranks_plan *plan, manner m, const knng_team *team, const knng_rows *rows, findings *f)
{
	for (m.size = first_size(plan, team, rows); m.size > 0; m.size = next_size(plan, m.size)) {
		m.together = 1;
		if (m.resident && !m.filed && fits_together(plan, m.size, team, rows))
			m.together = plan->together;
		if (m.together > 1 || fits(plan, m, INFINITY, team, rows)) {
			if (moved(plan, m, rows) < f->moved) {
				f->best = m;
				f->moved = moved(plan, m, rows);
			}
			return;
		}
		double needs = needs_of(plan, team);
		if (needs < f->least) {
			f->least = needs;
			f->tightest = m;
		}
	}
}

knng_status
knng_ranks_choose(knng_ranks_plan *plan, bool files, const knng_team *team, const knng_rows *rows, knng_err *err)
{
	findings f = {.moved = INFINITY, .least = INFINITY};
	files = files && knng_blocks_can_file(&plan->opt);
	for (int filed = 0; filed < 1 + files; filed++)
		for (int resident = 1; resident >= 0; resident--)
			try_sizes(plan, (manner){.resident = resident, .filed = filed}, team, rows, &f);
	if (f.moved < INFINITY) {
		plan_with(plan, f.best, INFINITY, team, rows, NULL);
		return KNNG_OK;
	}
	if (f.least <= plan->limit) {
		plan_with(plan, f.tightest, INFINITY, team, rows, NULL);
		if (fits(plan, f.tightest, plan->limit - rest_of(plan), team, rows))
			return KNNG_OK;
	}
	bool asked = plan->asked;
	return knng_fail(err, asked ? KNNG_EARGS : KNNG_EMEMORY, asked ? "knng:args:maxMemory" : "knng:memory:host",
			 "%s %.0f bytes, and each of %d ranks needs at least %.0f: give more memory, more "
			 "machines, or ask for fewer neighbours",
			 asked ? "'MaxMemory' is" : "a rank may take", fmax(plan->limit, 0), team->ranks,
			 ceil(f.least));
}

double
knng_ranks_result_bytes(int64_t n, int64_t k, const knng_options *opt)
{
	return opt->output != NULL ? 0 : 32 * (double)n * (double)k;
}

knng_status
knng_ranks_imagine(knng_ranks_plan *plan, int ranks, const knng_rows *rows, const knng_options *opt, knng_err *err)
{
	const knng_team team = {.ranks = ranks};
	knng_question q;
	*plan = (knng_ranks_plan){.opt = *opt, .asked = opt->max_memory > 0, .limit = opt->max_memory};
	knng_status status = knng_rows_ask(&q, rows, opt, opt->k, err);
	if (status == KNNG_OK && opt->output != NULL)
		status = knng_graph_out_can(err);
	if (status != KNNG_OK)
		return status;
	plan->k = q.k;
	if (!plan->asked) {
		double available = knng_memory_available(), result = knng_ranks_result_bytes(rows->n, q.k, opt);
		plan->limit = available > 0 ? 0.9 * available - result : INFINITY;
	}
	int gpus[KNNG_MAX_DEVICES], n;
	char why[160];
	if (opt->device.kind != KNNG_DEVICE_AUTO && opt->device.kind != KNNG_DEVICE_CPU)
		status = knng_devices_find(&opt->device, gpus, &n, why, sizeof why, err);
	if (status == KNNG_OK && opt->checkpoint != NULL)
		status = knng_checkpoint_look(opt->checkpoint, &q, &plan->kept, err);
	if (status != KNNG_OK) /* what it would be */
		plan_with(plan, (manner){first_size(plan, &team, rows), true, false, 1}, INFINITY, &team, rows, NULL);
	else
		status = knng_ranks_choose(plan, true, &team, rows, err);
	if (status == KNNG_OK && opt->checkpoint != NULL && plan->kept == 0)
		status = knng_checkpoint_room(opt->checkpoint, plan->disk, err);
	return status;
}

double
knng_ranks_least(const knng_ranks_plan *plan, const knng_team *team, const knng_rows *rows)
{
	double least = INFINITY;
	knng_ranks_plan other = *plan;
	for (int way = 0; way < 2 * (1 + knng_blocks_can_file(&plan->opt)); way++)
		for (int64_t size = first_size(plan, team, rows); size > 0; size = next_size(plan, size)) {
			plan_with(&other, (manner){size, way % 2 > 0, way / 2 > 0, 1}, INFINITY, team, rows, NULL);
			least = fmin(least, needs_of(&other, team));
		}
	return ceil(least);
}

/* A row that has met h blocks finds about a h-th of its k neighbours in the next one. */
static double
found_on_average(double k, int64_t blocks)
{
	double sum = 0;
	for (int64_t h = 1; h <= blocks; h++)
		sum += 1 / (double)h;
	return k * sum / (double)blocks;
}

knng_ranks_traffic
knng_ranks_moves(const knng_ranks_plan *plan, int ranks, const knng_rows *rows)
{
	knng_ranks_traffic t = {0};
	double n = (double)rows->n, k = (double)plan->k, size = n / (double)plan->blocks;
	double row = (double)knng_row_bytes(rows);
	double b = (double)plan->blocks, own = b / ranks, others = fmax(b - own, 0);
	double visitors = ranks > 1 ? fmin(others, floor(b / 2)) : 0; /* blocks that come to a rank */
	double visits = ranks > 1 ? own * others / 2 : 0;             /* meetings with them */
	t.read = n * row * (plan->resident ? 1 : (b + 1) / 2);        /* else a block for each meeting */
	t.received = (plan->resident ? visitors * size * row : 0) +
		     visits * size * (8 + 12 * found_on_average(k, plan->blocks) + 5);
	t.gathered = ranks > 1 ? (n - n / ranks) * (12 * k + 1) : 0;
	return t;
}
