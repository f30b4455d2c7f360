/* plan.c  How the processes of a job divide the rows, the processors and the GPUs. */
#include "base/plugin.h"
#include "base/sys.h"
#include "blocks/checkpoint.h"
#include "engine.h"
#include "search/metric.h"

#include "agree.h"
#include "schedule.h"
#include "share.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	MANY = 64,         /* ranks, of which each may do with one block */
	SMALLEST = 256,    /* rows of a block: with fewer a search would not end */
	BLOCKS_A_RANK = 2, /* at least, so that slow ranks can give some away */
	KEPT_BLOCKS = 8,   /* at least, with a checkpoint: what is lost is at most a meeting of two */
};

/* What this rank may use. gpus: the numbers of its GPUs. */
static void
look_for_resources(knng_resources *mine, int gpus[KNNG_MAX_DEVICES], const knng_post *post, const knng_options *opt)
{
	char why[160];
	knng_device_info info;
	*mine = (knng_resources){.machine = knng_post_machine(post)};
	if (sched_getaffinity(0, sizeof mine->cpus, &mine->cpus) != 0)
		CPU_ZERO(&mine->cpus);
	if (opt->device.kind != KNNG_DEVICE_AUTO ||
	    knng_devices_find(&opt->device, gpus, &mine->gpus, why, sizeof why, NULL) != KNNG_OK)
		mine->gpus = 0;
	const knng_plugin *plugin = mine->gpus > 0 ? knng_plugin_find(why, sizeof why) : NULL;
	for (int g = 0; g < mine->gpus; g++)
		if (plugin != NULL && plugin->describe(gpus[g], &info, NULL) == KNNG_OK)
			memcpy(mine->gpu[g], info.uuid, sizeof info.uuid);
		else
			mine->gpu[g][0] = (unsigned char)(gpus[g] + 1);
}

static void
share_threads(knng_cluster_plan *plan, const knng_post *post, const knng_resources *all)
{
	knng_options *opt = &plan->opt;
	int ranks = knng_post_neighbours(post), machine = (int)sysconf(_SC_NPROCESSORS_ONLN);
	int threads = knng_task_threads(&opt->task);
	int share = knng_share_threads(all, knng_post_ranks(post), knng_post_rank(post));
	if (share == 0)
		share = threads * ranks <= machine ? threads : threads / ranks > 1 ? threads / ranks : 1;
	opt->task.threads = threads < share ? threads : share;
	if (2 * opt->task.threads * ranks <= machine)
		snprintf(plan->hint, sizeof plan->hint,
			 "a rank may use %d of %d processors here, and there are %d ranks: mpirun --bind-to none gives "
			 "them "
			 "all",
			 opt->task.threads, machine, ranks);
}

/* More ranks than GPUs: those that have the same one share its memory. */
static void
share_gpus(knng_cluster_plan *plan, const knng_post *post, const knng_resources *all, const int gpus[KNNG_MAX_DEVICES])
{
	knng_options *opt = &plan->opt;
	int mine[KNNG_MAX_DEVICES], sharing;
	char why[160];
	knng_device_info info;
	plan->gpus.kind = KNNG_DEVICE_LIST;
	plan->gpus.count = knng_share_gpus(all, knng_post_ranks(post), knng_post_rank(post), mine, &sharing);
	for (int g = 0; g < plan->gpus.count; g++)
		plan->gpus.number[g] = gpus[mine[g]] + 1;
	const knng_plugin *plugin =
		sharing > 1 && opt->max_device_memory == 0 ? knng_plugin_find(why, sizeof why) : NULL;
	if (plugin != NULL && plugin->describe(gpus[mine[0]], &info, NULL) == KNNG_OK)
		opt->max_device_memory = 0.8 * info.free / sharing;
}

/* Ranks of one machine share its processors and its GPUs, where they are not bound to some. */
static knng_status
share_out(knng_cluster_plan *plan, knng_post *post, knng_err *err)
{
	int gpus[KNNG_MAX_DEVICES], ranks = knng_post_ranks(post), rank = knng_post_rank(post);
	knng_resources *all = knng_alloc(ranks, sizeof *all);
	knng_status status =
		all != NULL ? KNNG_OK : knng_fail_memory(err, "what all ranks may use", ranks * (double)sizeof *all);
	if ((status = knng_agree(post, status, err)) == KNNG_OK) {
		knng_resources mine;
		look_for_resources(&mine, gpus, post, &plan->opt);
		knng_post_all(post, &mine, sizeof mine, all);
		if (plan->opt.task.threads == 0)
			share_threads(plan, post, all);
		if (all[rank].gpus > 0 && knng_post_neighbours(post) > 1)
			share_gpus(plan, post, all, gpus);
	}
	knng_free(all);
	return status;
}

/* Whether all ranks have the same value. */
static bool
is_common(knng_post *post, double value)
{
	double least = knng_post_least(post, value), most = -knng_post_least(post, -value);
	return least == most;
}

/* A hash of the first row and the last. */
static knng_status
hash_ends(const knng_rows *rows, uint32_t *hash, knng_err *err)
{
	int64_t bytes = rows->d * (rows->type == KNNG_F32 ? 4 : 8);
	unsigned char *row = knng_alloc(bytes, 1);
	knng_status status = row != NULL ? KNNG_OK : knng_fail_memory(err, "a row", (double)bytes);
	*hash = 2166136261u;
	for (int end = 0; status == KNNG_OK && end < 2; end++) {
		status = rows->read(rows->context, end == 0 ? 0 : rows->n - 1, 1, row, err);
		for (int64_t i = 0; status == KNNG_OK && i < bytes; i++)
			*hash = (*hash ^ row[i]) * 16777619u;
	}
	knng_free(row);
	return status;
}

/* A rank that reads another file than the others, or one that is still being written, would spoil the graph. */
static knng_status
compare_data(knng_post *post, const knng_rows *rows, const knng_options *opt, knng_err *err)
{
	uint32_t hash;
	bool same = true;
	knng_status status = knng_agree(post, hash_ends(rows, &hash, err), err);
	if (status != KNNG_OK)
		return status;
	const double values[] = {(double)rows->n, (double)rows->d, (double)rows->type,
				 (double)opt->k,  (double)hash,    (double)(opt->checkpoint != NULL)};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		same &= is_common(post, values[i]);
	return same ? KNNG_OK
		    : knng_fail(err, KNNG_EIO, "knng:mpi:data",
				"the ranks do not read the same data: rank 0 has %lld rows of %lld columns. Give all "
				"machines the same file, which nobody writes meanwhile",
				(long long)rows->n, (long long)rows->d);
}

/* Bytes that this rank may take. */
static double
limit_of(const knng_post *post, const knng_rows *rows, int64_t k, const knng_options *opt)
{
	double available = knng_memory_available();
	if (opt->max_memory > 0)
		return opt->max_memory;
	if (available == 0)
		return INFINITY;
	bool first = strcmp(knng_post_host(post, 0), knng_post_host(post, knng_post_rank(post))) == 0;
	double result = first && opt->output == NULL ? 32 * (double)rows->n * (double)k : 0; /* that rank 0 gathers */
	return (0.9 * available - result) / knng_post_neighbours(post) - rows->later;
}

/* With this rank's own GPUs, where a search of two blocks would take any and has room there. */
static knng_status
plan_meeting(knng_cluster_plan *plan, const knng_matrix *X, knng_err *err)
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

/* The plan with blocks of this size, whose meetings may take so many bytes. */
static knng_status
plan_with(knng_cluster_plan *plan, int64_t size, bool resident, double bytes, const knng_post *post,
	  const knng_rows *rows, knng_err *err)
{
	int ranks = knng_post_ranks(post);
	bool alone = 2 * size > rows->n;
	const knng_matrix X = knng_by_rows(alone ? rows->n : 2 * size, rows->d, rows->type, &knng_elsewhere);
	plan->opt.split = alone ? 0 : size;
	plan->opt.max_memory = bytes;
	plan->size = size;
	plan->blocks = knng_parts(size, rows->n);
	plan->resident = resident;
	knng_status status = plan_meeting(plan, &X, err);
	const knng_options o = plan->opt;
	plan->bytes = plan->one.bytes + rows->bytes +
		      knng_engine_bytes(rows, size, plan->blocks, knng_parts(ranks, plan->blocks), plan->k, resident,
					&plan->opt) +
		      knng_cluster_bytes(plan, knng_post_rank(post), ranks) +
		      (knng_post_rank(post) == 0 && o.output != NULL ? knng_graph_file_bytes(rows->n, plan->k) : 0);
	const knng_graph_shape shape = {.n = rows->n, .k = plan->k, .type = rows->type};
	knng_graph_places places;
	plan->file = o.output != NULL && knng_graph_places_of(&shape, &places) ? (double)places.end : 0;
	plan->disk = o.checkpoint != NULL ? knng_checkpoint_disk(rows->n, plan->k, size) : 0;
	return status;
}

/* Whether that does on all ranks, with meetings that may take so many bytes. */
static bool
fits(knng_cluster_plan *plan, int64_t size, bool resident, double bytes, knng_post *post, const knng_rows *rows)
{
	knng_status status = plan_with(plan, size, resident, bytes, post, rows, NULL);
	return knng_post_least(post, status == KNNG_OK && plan->bytes <= plan->limit) > 0;
}

/* What all but a meeting takes, and the least that would do. */
static double
rest_of(const knng_cluster_plan *plan)
{
	return plan->bytes - plan->one.bytes;
}

/* The largest blocks, if nothing else says how many. */
static int64_t
largest(const knng_cluster_plan *plan, int64_t ranks, int64_t n)
{
	int64_t blocks = ranks > 1 ? ranks * BLOCKS_A_RANK : 1;
	if (plan->opt.checkpoint != NULL && blocks < KEPT_BLOCKS)
		blocks = knng_parts(ranks, KEPT_BLOCKS) * ranks;
	int64_t size = knng_parts(blocks, n), whole = knng_parts(ranks, n);
	return ranks < MANY || size >= SMALLEST ? size : whole < SMALLEST ? whole : SMALLEST;
}

/* The largest blocks that fit, rows in memory where that can be; else those that can make do with the least. */
static knng_status
choose(knng_cluster_plan *plan, int64_t kept, knng_post *post, const knng_rows *rows, knng_err *err)
{
	int64_t ranks = knng_post_ranks(post), tightest = 0;
	double least = INFINITY;
	for (int resident = 1; resident >= 0; resident--)
		for (int64_t size = kept > 0 ? kept : largest(plan, ranks, rows->n); size > 0;
		     size = kept > 0 || size <= SMALLEST ? 0
			    : size - size / 5 > SMALLEST ? size - size / 5
							 : SMALLEST) {
			if (fits(plan, size, resident, INFINITY, post, rows))
				return KNNG_OK;
			double needs = -knng_post_least(post, -(rest_of(plan) + plan->one.least));
			if (needs < least) {
				least = needs;
				tightest = size;
			}
		}
	if (least <= plan->limit) {
		plan_with(plan, tightest, false, INFINITY, post, rows, NULL);
		if (fits(plan, tightest, false, plan->limit - rest_of(plan), post, rows))
			return KNNG_OK;
	}
	bool asked = plan->asked;
	return knng_fail(err, asked ? KNNG_EARGS : KNNG_EMEMORY, asked ? "knng:args:maxMemory" : "knng:memory:host",
			 "%s %.0f bytes, and each of %lld ranks needs at least %.0f: give more memory, more "
			 "machines, or ask for fewer neighbours",
			 asked ? "'MaxMemory' is" : "a rank may take", fmax(plan->limit, 0), (long long)ranks,
			 ceil(least));
}

/* The rows of a block of a checkpoint that rank 0 finds; 0: there is none. */
static knng_status
look(const knng_cluster_plan *plan, knng_post *post, const knng_question *q, int64_t *kept, knng_err *err)
{
	*kept = 0;
	if (plan->opt.checkpoint == NULL)
		return KNNG_OK;
	knng_status status = KNNG_OK;
	if (knng_post_rank(post) == 0)
		status = knng_checkpoint_look(plan->opt.checkpoint, q, kept, err);
	double size = knng_post_rank(post) == 0 ? (double)*kept : INFINITY;
	*kept = (int64_t)knng_post_least(post, size);
	return status;
}

knng_status
knng_cluster_plan_make(knng_cluster_plan *plan, knng_post *post, const knng_rows *rows, const knng_options *opt,
		       knng_err *err)
{
	const knng_matrix X = knng_by_rows(rows->n, rows->d, rows->type, &knng_elsewhere);
	knng_question q;
	int64_t kept;
	*plan = (knng_cluster_plan){.opt = *opt};
	knng_status status = knng_agree(post, knng_ask(&q, &X, NULL, opt->metric, opt->k, err), err);
	if (status != KNNG_OK)
		return status;
	plan->k = q.k;
	if ((status = compare_data(post, rows, opt, err)) != KNNG_OK)
		return status;
	if ((status = share_out(plan, post, err)) != KNNG_OK)
		return status;
	plan->asked = opt->max_memory > 0;
	plan->limit = knng_post_least(post, limit_of(post, rows, q.k, opt));
	status = knng_agree(post, look(plan, post, &q, &kept, err), err);
	if (status == KNNG_OK)
		status = choose(plan, kept, post, rows, err);
	if (status == KNNG_OK && opt->checkpoint != NULL && kept == 0) {
		if (knng_post_rank(post) == 0)
			status = knng_checkpoint_room(opt->checkpoint, plan->disk, err);
		status = knng_agree(post, status, err);
	}
	plan->opt.max_memory = plan->limit;
	return status;
}
