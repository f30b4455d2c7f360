#include "search/searcher.h"
#include "base/plugin.h"
#include "base/sys.h"
#include "search/backend.h"
#include "search/size.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Neighbours of the rows by which a searcher finds out whether a tree gains. */
enum { USUAL_K = 10 };

/* The device that is to have the rows: one GPU, the first of those that are asked for and work, or the CPU, and why. */
static knng_status
choose_device(const knng_matrix *X, const knng_options *opt, knng_devices *one, char *why, size_t size, knng_err *err)
{
	int devices[KNNG_MAX_DEVICES], n = 0;
	*one = (knng_devices){.kind = KNNG_DEVICE_CPU};
	if (opt->device.kind == KNNG_DEVICE_CPU)
		return KNNG_OK;
	if (opt->device.kind == KNNG_DEVICE_AUTO && X->d < KNNG_FEW_COLUMNS && opt->prune != KNNG_PRUNE_OFF) {
		snprintf(why, size, "with so few columns its tree answers sooner than a GPU");
		return KNNG_OK;
	}
	if (opt->device.kind == KNNG_DEVICE_AUTO &&
	    !knng_gains_from_gpu((double)X->n * (double)X->d * KNNG_USUAL_QUERIES)) {
		snprintf(why, size, "they are too few to gain from a GPU");
		return KNNG_OK;
	}
	knng_status status = knng_devices_find(&opt->device, devices, &n, why, size, err);
	if (status == KNNG_OK && n > 0)
		*one = (knng_devices){.kind = KNNG_DEVICE_LIST, .count = 1, .number = {devices[0] + 1}};
	return status;
}

/* A plan for preparing the rows. Where no device was asked for, the CPU has what no GPU has room for. */
static knng_status
plan_rows(const knng_matrix *X, const knng_options *opt, knng_options *one, knng_plan *plan, char *why, size_t size,
	  knng_err *err)
{
	knng_matrix query = {
		.n = 1, .d = X->d, .type = X->type, .data = &knng_elsewhere, .row_stride = 1, .col_stride = 1};
	knng_err problem = {0};
	knng_status status = choose_device(X, opt, &one->device, why, size, err);
	if (status != KNNG_OK)
		return status;
	query.n = one->device.kind == KNNG_DEVICE_LIST ? KNNG_USUAL_QUERIES : 1;
	status = knng_plan_make(plan, X, &query, one, &problem);
	if (status != KNNG_OK && opt->device.kind == KNNG_DEVICE_AUTO && one->device.kind == KNNG_DEVICE_LIST) {
		snprintf(why, size, "%.155s", problem.text);
		one->device.kind = KNNG_DEVICE_CPU;
		query.n = 1;
		status = knng_plan_make(plan, X, &query, one, &problem);
	}
	return status == KNNG_OK ? status : knng_fail(err, status, problem.id, "%s", problem.text);
}

/* Why the CPU has the rows, where it was not asked for. */
static void
explain(const knng_searcher *s, const char *why, knng_plan *plan)
{
	if (s->any_device && plan->ndevices == 0)
		snprintf(plan->why_cpu, sizeof plan->why_cpu, "the CPU has the rows: %.137s", why);
}

/* Prepares the rows, which are those of plan->x. */
static knng_status
prepare(knng_searcher *s, knng_plan *plan, knng_info *info, knng_err *err)
{
	knng_info unread = {0};
	int64_t before = knng_sys().bytes;
	info = info != NULL ? info : &unread;
	explain(s, s->why, plan);
	knng_status status = knng_run(plan, NULL, info, err);
	s->bytes += (double)(knng_sys().bytes - before);
	if (status != KNNG_OK)
		return status;
	if (s->prepared.backend == &knng_backend_cpu) {
		if (plan->ndevices > 0) { /* which failed */
			s->any_device = true;
			snprintf(s->why, sizeof s->why, "%.155s", info->fallback);
		}
		s->opt.device = (knng_devices){.kind = KNNG_DEVICE_CPU};
	} else {
		s->opt.device =
			(knng_devices){.kind = KNNG_DEVICE_LIST, .count = 1, .number = {s->prepared.device + 1}};
	}
	return KNNG_OK;
}

knng_status
knng_searcher_make(knng_searcher **made, const knng_matrix *X, const knng_options *opt, knng_info *info, knng_err *err)
{
	knng_plan plan;
	int64_t before = knng_sys().bytes;
	knng_searcher *s = *made = knng_calloc(1, sizeof *s);
	if (s == NULL)
		return knng_fail_memory(err, "the searcher", sizeof *s);
	*s = (knng_searcher){.x = *X, .any_device = opt->device.kind == KNNG_DEVICE_AUTO, .prepared.whole = true};
	s->bytes = (double)(knng_sys().bytes - before);
	s->x.data = &knng_elsewhere;
	snprintf(s->target, sizeof s->target, "%s", opt->target != NULL ? opt->target : "auto");
	s->opt = (knng_options){.prune = opt->prune,
				.tile = opt->tile,
				.target = s->target,
				.max_device_memory = opt->max_device_memory};
	knng_options one = s->opt;
	one.metric = opt->metric;
	one.target = opt->target;
	one.k = USUAL_K;
	one.max_memory = opt->max_memory;
	one.task = opt->task;
	one.prepared = &s->prepared;
	knng_status status = plan_rows(X, opt, &one, &plan, s->why, sizeof s->why, err);
	if (status == KNNG_OK) {
		s->opt.metric = plan.metric->name;
		status = prepare(s, &plan, info, err);
	}
	if (status != KNNG_OK) {
		knng_searcher_free(s);
		*made = NULL;
	}
	return status;
}

knng_status
knng_searcher_plan(knng_searcher *s, knng_plan *plan, const knng_matrix *Y, const knng_options *opt, knng_err *err)
{
	struct knng_prepared *p = &s->prepared;
	knng_options now = s->opt;
	knng_err problem = {0};
	now.k = opt->k;
	now.range = opt->range;
	now.max_memory = opt->max_memory;
	now.task = opt->task;
	now.prepared = &s->prepared;
	if (now.max_device_memory > 0)
		now.max_device_memory = fmax(now.max_device_memory - p->device_bytes, 1);
	knng_status status = knng_plan_make(plan, &s->x, Y, &now, &problem);
	explain(s, s->why, plan);
	if (status == KNNG_OK)
		return KNNG_OK;
	bool lost = strcmp(problem.id, "knng:device:none") == 0 || strcmp(problem.id, "knng:args:device") == 0 ||
		    strcmp(problem.id, "knng:device:failed") == 0;
	if (p->backend != &knng_backend_cpu && lost) {
		char *advice = strstr(problem.text, "; 'Device'"); /* of which there is no choice any more */
		p->device_bytes = 0;
		if (advice != NULL)
			*advice = 0;
		return knng_fail(err, KNNG_EARGS, "knng:searcher:gone",
				 "GPU %d has the rows of this searcher, and they cannot be reached any more: %.300s; "
				 "make it anew with knng.createns (X)",
				 p->device + 1, problem.text);
	}
	return knng_fail(err, status, problem.id, "%s", problem.text);
}

double
knng_searcher_device_bytes(const knng_searcher *s)
{
	char why[192];
	bool there = s->prepared.device_bytes > 0 && knng_plugin_find(why, sizeof why) != NULL;
	return there ? s->prepared.device_bytes : 0;
}

void
knng_searcher_free(knng_searcher *s)
{
	if (s == NULL)
		return;
	knng_prepared_drop(&s->prepared);
	knng_free(s);
}
