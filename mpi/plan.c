/* plan.c  How the processes of a job divide the rows, the processors and the GPUs. */
#include "base/plugin.h"
#include "base/sys.h"
#include "blocks/checkpoint.h"
#include "cluster.h"
#include "search/metric.h"

#include "agree.h"
#include "share.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
	int allowed = knng_processors_allowed(); /* to all ranks here, which are in one job */
	if (allowed > 0 && share > allowed / ranks)
		share = allowed / ranks > 1 ? allowed / ranks : 1;
	machine = allowed > 0 && allowed < machine ? allowed : machine;
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
	int64_t bytes = (int64_t)knng_row_bytes(rows);
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
	double result = first ? knng_ranks_result_bytes(rows->n, k, opt) : 0;
	return (0.9 * available - result) / knng_post_neighbours(post) - rows->later;
}

/* Finds the checkpoint, if there is one, on rank 0. */
static knng_status
look(knng_cluster_plan *plan, knng_post *post, const knng_question *q, knng_err *err)
{
	if (plan->opt.checkpoint == NULL)
		return KNNG_OK;
	knng_status status = KNNG_OK;
	if (knng_post_rank(post) == 0)
		status = knng_checkpoint_look(plan->opt.checkpoint, q, &plan->kept, err);
	plan->kept = (int64_t)knng_post_least(post, knng_post_rank(post) == 0 ? (double)plan->kept : INFINITY);
	return status;
}

static double
least_of(void *post, double value)
{
	return knng_post_least(post, value);
}

static knng_team
team_of(knng_post *post)
{
	return (knng_team){knng_post_ranks(post), knng_post_rank(post), least_of, post};
}

knng_status
knng_cluster_plan_make(knng_cluster_plan *plan, knng_post *post, const knng_rows *rows, const knng_options *opt,
		       knng_err *err)
{
	knng_question q;
	knng_team team = team_of(post);
	*plan = (knng_cluster_plan){.opt = *opt};
	knng_status status = knng_agree(post, knng_rows_ask(&q, rows, opt, opt->k, err), err);
	if (status != KNNG_OK)
		return status;
	plan->k = q.k;
	if ((status = compare_data(post, rows, opt, err)) != KNNG_OK)
		return status;
	if ((status = share_out(plan, post, err)) != KNNG_OK)
		return status;
	plan->asked = opt->max_memory > 0;
	plan->limit = knng_post_least(post, limit_of(post, rows, q.k, opt));
	status = knng_agree(post, look(plan, post, &q, err), err);
	if (status == KNNG_OK)
		status = knng_ranks_choose(plan, true, &team, rows, err);
	if (status == KNNG_OK && opt->checkpoint != NULL && plan->kept == 0) {
		if (knng_post_rank(post) == 0)
			status = knng_checkpoint_room(opt->checkpoint, plan->disk, err);
		status = knng_agree(post, status, err);
	}
	plan->opt.max_memory = plan->limit;
	return status;
}

bool
knng_cluster_plan_in_memory(knng_cluster_plan *plan, knng_post *post, const knng_rows *rows)
{
	knng_team team = team_of(post);
	knng_status status = knng_ranks_choose(plan, false, &team, rows, NULL);
	plan->opt.max_memory = plan->limit;
	return status == KNNG_OK;
}

double
knng_cluster_least(const knng_cluster_plan *plan, knng_post *post, const knng_rows *rows)
{
	knng_team team = team_of(post);
	return knng_ranks_least(plan, &team, rows);
}
