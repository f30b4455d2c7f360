#include "search/searcher.h"
#include "base/sys.h"

#include <stdio.h>

/* Neighbours of the rows by which a searcher finds out whether a tree gains. */
enum { USUAL_K = 10 };

static const char why_cpu[] = "a searcher keeps its rows on the CPU; knng.knnsearch of a matrix may use GPUs";

static knng_status
check_device(const knng_options *opt, knng_err *err)
{
	if (opt->device.kind == KNNG_DEVICE_AUTO || opt->device.kind == KNNG_DEVICE_CPU)
		return KNNG_OK;
	return knng_fail(
		err, KNNG_EARGS, "knng:args:device",
		"'Device' asks for GPUs, and a searcher keeps its rows on the CPU: give 'auto' or 'cpu', or search "
		"with knng.knnsearch (X, Y)");
}

/* Prepares the rows, which are those of plan->x. */
static knng_status
prepare(knng_searcher *s, knng_plan *plan, knng_info *info, knng_err *err)
{
	int64_t before = knng_sys().bytes;
	if (s->any_device)
		snprintf(plan->why_cpu, sizeof plan->why_cpu, "%s", why_cpu);
	knng_status status = knng_run(plan, NULL, info, err);
	s->bytes += (double)(knng_sys().bytes - before);
	return status;
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
	s->opt = (knng_options){
		.prune = opt->prune, .tile = opt->tile, .target = s->target, .device.kind = KNNG_DEVICE_CPU};
	knng_options one = s->opt;
	one.metric = opt->metric;
	one.target = opt->target;
	one.k = USUAL_K;
	one.max_memory = opt->max_memory;
	one.task = opt->task;
	one.prepared = &s->prepared;
	const knng_matrix query = {
		.n = 1, .d = X->d, .type = X->type, .data = &knng_elsewhere, .row_stride = 1, .col_stride = 1};
	knng_status status = check_device(opt, err);
	if (status == KNNG_OK)
		status = knng_plan_make(&plan, X, &query, &one, err);
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
	knng_options now = s->opt;
	now.k = opt->k;
	now.max_memory = opt->max_memory;
	now.task = opt->task;
	now.prepared = &s->prepared;
	knng_status status = knng_plan_make(plan, &s->x, Y, &now, err);
	if (status == KNNG_OK && s->any_device)
		snprintf(plan->why_cpu, sizeof plan->why_cpu, "%s", why_cpu);
	return status;
}

void
knng_searcher_free(knng_searcher *s)
{
	if (s == NULL)
		return;
	knng_prepared_drop(&s->prepared);
	knng_free(s);
}
