/* plan.c  Checks what the caller wants and decides how: tile, list capacity, threads; counts the memory. */
#include "cpu/kernels.h"
#include "device.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const knng_step_name[KNNG_STEPS] = {"f16", "f32", "f64", "scan"};
const char *const knng_stage_name[KNNG_STAGES] = {"prepare", "filter", "refine", "sink"};

enum { SMALLEST_TILE = 16, LARGEST_TILE = 4096, LONGEST_ROW = 1 << 30, MOST_THREADS = 128 };

/* The names of the metric table in one line. */
static void
list_metrics(char *text, size_t size)
{
	size_t used = 0;
	text[0] = 0;
	for (int i = 0; knng_metric_name(i) != NULL && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", knng_metric_name(i));
}

static knng_status
find_metric(knng_plan *plan, knng_err *err)
{
	const char *name = plan->opt.metric == NULL ? "euclidean" : plan->opt.metric;
	plan->metric = knng_metric_find(name);
	if (plan->metric != NULL)
		return KNNG_OK;
	const char *names[64], *near;
	char all[256];
	int n = 0;
	for (; n < 64 && knng_metric_name(n) != NULL; n++)
		names[n] = knng_metric_name(n);
	list_metrics(all, sizeof all);
	near = knng_nearest_name(name, names, n);
	return knng_fail(err, KNNG_EARGS, "knng:args:metric", "there is no metric '%.40s'%s%s%s; the metrics are %s",
			 name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", all);
}

static knng_status
check_matrix(const knng_matrix *X, const char *name, knng_err *err)
{
	int64_t elements;
	if (X->n < 1 || X->d < 1)
		return knng_fail(err, KNNG_EARGS, "knng:args:empty",
				 "%s is %lld-by-%lld: it needs at least one row (a point) and one column (a feature)",
				 name, (long long)X->n, (long long)X->d);
	if (X->n > INT32_MAX - 64 || X->d > LONGEST_ROW || !knng_mul(X->n, X->d + 8, 8, &elements))
		return knng_fail(err, KNNG_EARGS, "knng:args:rows",
				 "%s has %lld rows and %lld columns: more than 2^31 - 65 rows, or 2^60 elements, "
				 "cannot be searched",
				 name, (long long)X->n, (long long)X->d);
	return KNNG_OK;
}

static knng_status
find_target(knng_plan *plan, knng_err *err)
{
	const char *name = plan->opt.target;
	if (name != NULL && strcasecmp(name, "auto") == 0)
		name = NULL;
	bool blas = name != NULL && strcasecmp(name, "blas") == 0;
	const knng_kernels *kernels = knng_kernels_find(blas ? NULL : name);
	if (kernels == NULL)
		return knng_fail(err, KNNG_EARGS, "knng:args:target",
				 "'Target' is '%.40s', which is none of 'auto', 'avx512', 'avx2', 'plain' and 'blas', "
				 "or not what this processor can run: 'auto' takes the fastest that it can",
				 name);
	plan->target = kernels->name;
	plan->blas = blas ? KNNG_BLAS_YES : name == NULL ? KNNG_BLAS_FASTER : KNNG_BLAS_NO;
	return KNNG_OK;
}

/* Below so many multiply-adds the CPU is done before a GPU has started, and one GPU before another has its data. */
static const double worth_a_gpu = 2e10, worth_another = 5e12;

knng_status
knng_plan_devices(knng_plan *plan, knng_err *err)
{
	const knng_options *opt = &plan->opt;
	char *why = plan->why_cpu;
	size_t size = sizeof plan->why_cpu;
	if (opt->device == KNNG_DEVICE_CPU) {
		snprintf(why, size, "the CPU was asked for");
		return KNNG_OK;
	}
	const knng_plugin *plugin = knng_plugin_find(why, size);
	int n = plugin == NULL ? 0 : plugin->count();
	if (plugin != NULL && n == 0)
		snprintf(why, size, "%.150s", plugin->why());
	int wanted = opt->device == KNNG_DEVICE_LIST && n > 0 ? opt->ndevices : n;
	if (wanted > KNNG_MAX_DEVICES || (n > 0 && wanted < 1))
		return knng_fail(err, KNNG_EARGS, "knng:args:device", "%d GPUs were asked for: give 1 to %d of them",
				 wanted, KNNG_MAX_DEVICES);
	for (int i = 0; i < wanted; i++) {
		knng_device_info info;
		knng_err problem = {0};
		int device = opt->device == KNNG_DEVICE_LIST ? opt->devices[i] - 1 : i;
		bool twice = false;
		for (int j = 0; opt->device == KNNG_DEVICE_LIST && j < i; j++)
			twice |= opt->devices[j] == opt->devices[i];
		if (device < 0 || device >= n || twice)
			return knng_fail(err, KNNG_EARGS, "knng:args:device",
					 twice ? "GPU number %d is named twice: name each once; the machine shows %d"
					       : "there is no GPU number %d: the machine shows %d; 'Device', 'auto' "
						 "takes what there is",
					 device + 1, n);
		knng_status status = plugin->describe(device, &info, &problem);
		if (status == KNNG_OK && info.problem[0] == 0)
			plan->devices[plan->ndevices++] = device;
		else
			snprintf(why, size, "GPU %d: %.140s", device + 1,
				 status == KNNG_OK ? info.problem : problem.text);
	}
	if (plan->ndevices > 0)
		plan->backend = plugin->backend;
	else if (opt->device != KNNG_DEVICE_AUTO)
		return knng_fail(err, KNNG_EDEVICE, "knng:device:none",
				 "no GPU can be used: %s; 'Device', 'auto' or 'cpu' works on the CPU", why);
	return KNNG_OK;
}

static void
stay_on_cpu(knng_plan *plan, const char *why)
{
	plan->backend = &knng_backend_cpu;
	plan->ndevices = 0;
	plan->device_bytes = 0;
	snprintf(plan->why_cpu, sizeof plan->why_cpu, "%.155s", why);
}

/* Lets the GPUs' backend plan; with 'auto' the CPU stands in for GPUs that are too small. */
static knng_status
plan_devices(knng_plan *plan, knng_err *err)
{
	char why[160];
	knng_err problem = {0};
	knng_status status = knng_plugin_find(why, sizeof why)->plan(plan, &problem);
	if (status == KNNG_OK)
		return KNNG_OK;
	if (plan->opt.device == KNNG_DEVICE_AUTO) {
		stay_on_cpu(plan, problem.text);
		return KNNG_OK;
	}
	return knng_fail(err, status, problem.id, "%s", problem.text);
}

double
knng_matrix_bytes(const knng_matrix *X)
{
	return (double)X->n * (double)X->d * (X->type == KNNG_F32 ? 4 : 8);
}

static int64_t
up_to(int64_t a, int64_t multiple)
{
	return (a + multiple - 1) / multiple * multiple;
}

/* The choices, largest first, that fit `limit`: smaller tiles, then shorter lists, then fewer threads. */
static void
fit(knng_plan *plan, int64_t candidates, double limit)
{
	int64_t k = plan->k > candidates ? candidates : plan->k;
	int64_t shortest = k + 16 < candidates ? k + 16 : candidates;
	plan->capacity = (k > 64 ? 2 * k : k + 64) < candidates ? (k > 64 ? 2 * k : k + 64) : candidates;
	if (plan->capacity < 1)
		plan->capacity = shortest = 1;
	int64_t tile = plan->tile, capacity = plan->capacity;
	for (;;) {
		plan->bytes = knng_cpu_bytes(plan, tile, capacity, plan->threads) + knng_run_bytes(plan, plan->threads);
		if (plan->bytes <= limit)
			break;
		if (tile > 64 && plan->opt.tile == 0)
			tile = up_to(tile / 2, SMALLEST_TILE);
		else if (capacity > shortest)
			capacity = shortest + (capacity - shortest) / 2;
		else if (plan->threads > 1)
			plan->threads--;
		else if (tile > SMALLEST_TILE && plan->opt.tile == 0)
			tile = up_to(tile / 2, SMALLEST_TILE);
		else
			break;
	}
	plan->tile = tile;
	plan->block = plan->m;
	plan->panel = plan->x.n > plan->m ? plan->x.n : plan->m;
	plan->capacity = capacity;
	int64_t small = plan->opt.tile == 0 ? SMALLEST_TILE : tile;
	plan->least = ceil(knng_cpu_bytes(plan, small, shortest, 1) + knng_run_bytes(plan, 1));
}

knng_status
knng_plan_make(knng_plan *plan, const knng_matrix *X, const knng_matrix *Y, const knng_options *opt, knng_err *err)
{
	*plan = (knng_plan){.x = *X, .opt = *opt};
	knng_status status = check_matrix(X, "X", err);
	if (status == KNNG_OK && Y != NULL) {
		plan->y = *Y;
		status = check_matrix(Y, "Y", err);
		if (status == KNNG_OK && X->d != Y->d)
			status = knng_fail(
				err, KNNG_EARGS, "knng:args:columns",
				"X has %lld columns and Y %lld: references and queries need the same features",
				(long long)X->d, (long long)Y->d);
	}
	if (status == KNNG_OK && opt->k < 1)
		status = knng_fail(err, KNNG_EARGS, "knng:args:k", "k is %lld: ask for at least one neighbour",
				   (long long)opt->k);
	if (status != KNNG_OK || (status = find_metric(plan, err)) != KNNG_OK ||
	    (status = find_target(plan, err)) != KNNG_OK)
		return status;

	int64_t candidates = Y == NULL ? X->n - 1 : X->n;
	plan->m = plan->block = Y == NULL ? X->n : Y->n;
	plan->k = opt->k < candidates ? opt->k : candidates;
	plan->ld = up_to(X->d, 8);
	plan->threads = opt->threads > 0 ? opt->threads : omp_get_max_threads();
	/* More threads than processors only wait for each other; OpenBLAS has buffers for a fixed number of callers,
	 * and a thread that cannot be started would end the process. */
	int most = 4 * omp_get_num_procs() > 8 ? 4 * omp_get_num_procs() : 8;
	most = most < MOST_THREADS ? most : MOST_THREADS;
	if (plan->threads > most)
		plan->threads = most;
	/* Waking a thread costs more than it saves below some microseconds of work. */
	double work = (double)plan->m * (double)X->n * (double)X->d;
	while (opt->threads == 0 && plan->threads > 1 && work / plan->threads < 1e6)
		plan->threads--;

	/* Tiles of a quarter of L2 and more, but enough of them that all threads have work. */
	plan->tile = 512;
	while (plan->tile > 64 && plan->m / plan->tile < 4 * (int64_t)plan->threads)
		plan->tile /= 2;
	if (opt->tile > 0)
		plan->tile = opt->tile < LARGEST_TILE ? up_to(opt->tile, SMALLEST_TILE) : LARGEST_TILE;

	double free = knng_memory_available();
	double result = 16 * (double)plan->m * (double)plan->k; /* it takes its part of what is free */
	if (X->data == NULL)                                    /* and so will X and Y, which are not there yet */
		result += knng_matrix_bytes(X) + (Y == NULL ? 0 : knng_matrix_bytes(Y));
	double limit = opt->max_memory > 0 ? opt->max_memory : free > 0 ? 0.9 * free - result : INFINITY;
	int64_t tile = plan->tile;
	plan->backend = &knng_backend_cpu;
	if (opt->device == KNNG_DEVICE_AUTO && work < worth_a_gpu)
		snprintf(plan->why_cpu, sizeof plan->why_cpu, "the search is too small to gain from a GPU");
	else if ((status = knng_plan_devices(plan, err)) != KNNG_OK)
		return status;
	if (opt->device == KNNG_DEVICE_AUTO && plan->ndevices > 1 + work / worth_another)
		plan->ndevices = 1 + (int)(work / worth_another);
	if (plan->ndevices > 0 && (status = plan_devices(plan, err)) != KNNG_OK)
		return status;
	if (plan->ndevices > 0 && plan->bytes > limit && opt->device == KNNG_DEVICE_AUTO) {
		stay_on_cpu(plan, "the GPUs' part of the search needs more host memory than there is");
		plan->tile = tile;
	}
	if (plan->ndevices == 0)
		fit(plan, candidates, limit);
	if (plan->bytes <= limit)
		return KNNG_OK;
	if (opt->max_memory > 0)
		return knng_fail(err, KNNG_EARGS, "knng:args:maxMemory",
				 "'MaxMemory' is %.0f bytes: this search needs at least %.0f beside its input and "
				 "output: give it that, or search fewer rows or columns, or a smaller k",
				 opt->max_memory, plan->least);
	return knng_fail(
		err, KNNG_EMEMORY, "knng:memory:host",
		"this search needs at least %.1f MB and %s %.1f MB, and nine tenths of the %.1f MB "
		"that the machine, or its container, has "
		"available are to be used: close other programs, or search fewer rows or columns, or a smaller k",
		plan->least * 1e-6, X->data == NULL ? "X and the result" : "its result", result * 1e-6, free * 1e-6);
}

int64_t
knng_plan_panels(const knng_plan *plan)
{
	int64_t rows = plan->x.n > plan->m ? plan->x.n : plan->m;
	return plan->panel > 0 ? (rows + plan->panel - 1) / plan->panel : 0;
}

void
knng_plan_device(const knng_plan *plan, char *text, size_t size)
{
	knng_device_info info;
	char why[160];
	if (plan->ndevices == 0)
		snprintf(text, size, "cpu (%s, %d thread%s)", plan->target, plan->threads,
			 plan->threads == 1 ? "" : "s");
	else if (knng_plugin_find(why, sizeof why)->describe(plan->devices[plan->ndevices - 1], &info, NULL) == KNNG_OK)
		snprintf(text, size, "%d x %.80s", plan->ndevices, info.name);
	else
		snprintf(text, size, "%d GPUs", plan->ndevices);
}
