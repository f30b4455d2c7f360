/* plan.c  Decides how a search is done: instruction set, threads, tile, devices; and whether its memory is to be had.
 */
#include "base/sys.h"
#include "base/target.h"
#include "search/describe.h"
#include "search/gaps.h"
#include "search/gaps_ask.h"
#include "search/gpu.h"
#include "search/prepared.h"
#include "search/separate.h"
#include "search/size.h"
#include "search/source.h"

#include <stdio.h>
#include <strings.h>

enum { LARGEST_TILE = 4096 };

const char knng_elsewhere;

static void
take_question(knng_plan *plan, const knng_question *q)
{
	plan->x = q->x;
	plan->y = q->y;
	plan->metric = q->metric;
	plan->m = plan->block = q->m;
	plan->k = q->k;
	plan->ld = knng_columns(q->x.d);
}

static knng_status
choose_target(knng_plan *plan, knng_err *err)
{
	const char *name = plan->opt.target;
	if (name != NULL && strcasecmp(name, "auto") == 0)
		name = NULL;
	bool blas = name != NULL && strcasecmp(name, "blas") == 0;
	int target = knng_target_find(blas ? NULL : name);
	if (target < 0)
		return knng_refuse_target(name, err);
	plan->target = knng_target_name(target);
	plan->blas = blas ? KNNG_BLAS_YES : name == NULL ? KNNG_BLAS_FASTER : KNNG_BLAS_NO;
	return KNNG_OK;
}

/* Multiply-adds of all pairs. */
static double
work_of(const knng_plan *plan)
{
	return (double)plan->m * (double)plan->x.n * (double)plan->x.d;
}

static void
choose_threads(knng_plan *plan)
{
	plan->threads = knng_task_threads_for(&plan->opt.task, work_of(plan), 1e6);
}

/* Of the CPU: a quarter of L2 and more, but enough of them that all threads have work. */
static void
choose_tile(knng_plan *plan)
{
	int64_t asked = plan->opt.tile;
	plan->tile = 512;
	while (plan->tile > 64 && plan->m / plan->tile < 4 * (int64_t)plan->threads)
		plan->tile /= 2;
	if (asked > 0)
		plan->tile = asked < LARGEST_TILE ? knng_tile_of(asked) : LARGEST_TILE;
}

/* ---------------------------------------------------------------- devices */

/* Below so many multiply-adds the CPU is done before a GPU has started, and one GPU before another has its data. */
static const double worth_a_gpu = 2e10, worth_another = 5e12;

bool
knng_gains_from_gpu(double work)
{
	return work >= worth_a_gpu;
}

int
knng_gpus_worth(double work, int most)
{
	return most > 1 + work / worth_another ? 1 + (int)(work / worth_another) : most;
}

static void
stay_on_cpu(knng_plan *plan, const char *why)
{
	plan->backend = &knng_backend_cpu;
	plan->ndevices = 0;
	plan->device_bytes = 0;
	snprintf(plan->why_cpu, sizeof plan->why_cpu, "%.155s", why);
}

/* The GPUs that are asked for and there; with 'auto' those that gain. */
static knng_status
choose_devices(knng_plan *plan, knng_err *err)
{
	bool any = plan->opt.device.kind == KNNG_DEVICE_AUTO;
	double work = work_of(plan);
	bool pairwise = plan->opt.rows == KNNG_ROWS_PAIRWISE;
	const char *why = pairwise ? knng_gaps_on_cpu(plan->metric, plan->x.d) : NULL;
	if (pairwise && plan->opt.split > 0)
		why = "blocks of rows with missing values are compared on the CPU";
	if (why != NULL) {
		stay_on_cpu(plan, why);
		return KNNG_OK;
	}
	if (any && !pairwise && plan->opt.range != NULL && plan->x.d < KNNG_FEW_COLUMNS &&
	    plan->opt.prune != KNNG_PRUNE_OFF) {
		stay_on_cpu(plan, "with so few columns its tree finds all within a radius sooner than a GPU");
		return KNNG_OK;
	}
	if (any && !knng_gains_from_gpu(work)) {
		stay_on_cpu(plan, "the search is too small to gain from a GPU");
		return KNNG_OK;
	}
	plan->backend = &knng_backend_cpu;
	knng_status status = knng_devices_find(&plan->opt.device, plan->devices, &plan->ndevices, plan->why_cpu,
					       sizeof plan->why_cpu, err);
	if (status != KNNG_OK || plan->ndevices == 0)
		return status;
	plan->backend = knng_search_on_gpus()->backend;
	if (any)
		plan->ndevices = knng_gpus_worth(work, plan->ndevices);
	return KNNG_OK;
}

/* Lets the GPUs' backend plan; with 'auto' the CPU stands in for GPUs that are too small, or need more of the host. */
static knng_status
plan_on_gpus(knng_plan *plan, double limit, knng_err *err)
{
	knng_err problem = {0};
	bool any = plan->opt.device.kind == KNNG_DEVICE_AUTO;
	int64_t tile = plan->tile;
	const knng_search_gpu *gpus = knng_search_on_gpus();
	knng_status status = (plan->opt.rows == KNNG_ROWS_PAIRWISE ? gpus->gaps_plan : gpus->plan)(plan, &problem);
	if (status != KNNG_OK && !any)
		return knng_fail(err, status, problem.id, "%s", problem.text);
	if (status != KNNG_OK)
		stay_on_cpu(plan, problem.text);
	else if (any && plan->bytes > limit)
		stay_on_cpu(plan, "the GPUs' part of the search needs more host memory than there is");
	if (plan->ndevices == 0)
		plan->tile = tile;
	return KNNG_OK;
}

/* All rows within a radius are found there by the nearest, of which one at least is to be had. */
static knng_status
plan_widening(knng_plan *plan, double limit, knng_err *err)
{
	int64_t one = plan->k;
	plan->k = knng_widen_first(plan->opt.k, plan->x.n - (plan->y.data == NULL));
	if (plan->k < 1)
		stay_on_cpu(plan, "there is nothing to compare");
	knng_status status = plan->ndevices > 0 ? plan_on_gpus(plan, limit, err) : KNNG_OK;
	if (plan->ndevices > 0 && status == KNNG_OK)
		knng_widen_fit(plan, limit);
	else
		plan->k = one; /* of which the CPU makes no use */
	return status;
}

/* A search that prunes comes to its points in the order of a tree. To write each answer where it belongs, as soon as it
 * is there, costs a line of memory for every number, unless the tables stay in the cache, or have row after row, as
 * where blocks meet. */
static void
choose_gathering(knng_plan *plan, double limit)
{
	enum { CACHED = 1 << 22 };
	double bytes = knng_gathered_bytes(plan->m, plan->k);
	bool meets = knng_prepared_meets(plan->opt.prepared, plan->opt.split);
	bool fine = plan->prunes && plan->opt.range == NULL && !meets && (double)plan->m * (double)plan->k >= CACHED;
	plan->gathers = fine && plan->bytes + bytes <= limit;
	plan->bytes += plan->gathers ? bytes : 0;
}

knng_status
knng_plan_make(knng_plan *plan, const knng_matrix *X, const knng_matrix *Y, const knng_options *opt, knng_err *err)
{
	knng_question q;
	*plan = (knng_plan){.opt = *opt};
	knng_status status = knng_ask(&q, X, Y, opt->metric, opt->range != NULL ? 1 : opt->k, err);
	if (status != KNNG_OK)
		return status;
	take_question(plan, &q);
	if (opt->split < 0 || (opt->split > 0 && (opt->split >= X->n || Y != NULL)))
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "the split is %lld: it must lie between two rows of a graph", (long long)opt->split);
	if ((status = choose_target(plan, err)) != KNNG_OK)
		return status;
	bool pairwise = opt->rows == KNNG_ROWS_PAIRWISE;
	if (pairwise && (status = knng_gaps_check(plan, err)) != KNNG_OK)
		return status;
	knng_shared_bound bound;
	plan->filters = pairwise && knng_gap_bound(plan->metric, q.x.d, &bound);
	plan->least_shared = knng_gaps_shared(opt, q.x.d);
	choose_threads(plan);
	choose_tile(plan);
	knng_budget budget = knng_budget_of(plan);
	if ((status = choose_devices(plan, err)) != KNNG_OK)
		return status;
	if (plan->ndevices > 0 && opt->range != NULL)
		status = plan_widening(plan, budget.limit, err);
	else if (plan->ndevices > 0)
		status = plan_on_gpus(plan, budget.limit, err);
	if (status != KNNG_OK)
		return status;
	if (pairwise)
		knng_gaps_fit(plan, budget.limit);
	else if (plan->ndevices == 0)
		knng_fit(plan, budget.limit);
	choose_gathering(plan, budget.limit);
	knng_plan_separately(plan, budget.limit);
	return plan->bytes <= budget.limit ? KNNG_OK : knng_refuse_memory(plan, &budget, err);
}
