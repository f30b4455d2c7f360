/* describe.c  What levels, stages and plans are called, and how a search is refused. */
#include "search/describe.h"
#include "base/sys.h"
#include "search/gpu.h"

#include <stdio.h>
#include <string.h>

const char *const knng_level_name[KNNG_LEVELS] = {"f16", "f32", "f64", "scan", "boxes"};
const char *const knng_stage_name[KNNG_STAGES] = {"prepare", "filter", "refine", "sink"};

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

knng_devices
knng_plan_devices(const knng_plan *plan)
{
	knng_devices d = {.kind = plan->ndevices > 0 ? KNNG_DEVICE_LIST : KNNG_DEVICE_CPU, .count = plan->ndevices};
	for (int i = 0; i < plan->ndevices; i++)
		d.number[i] = plan->devices[i] + 1;
	return d;
}

knng_status
knng_refuse_target(const char *name, knng_err *err)
{
	return knng_fail(err, KNNG_EARGS, "knng:args:target",
			 "'Target' is '%.40s', which is none of 'auto', 'avx512', 'avx2', 'plain' and 'blas', "
			 "or not what this processor can run: 'auto' takes the fastest that it can",
			 name);
}

/* What else may help. */
static const char *
smaller(const knng_plan *plan)
{
	return plan->opt.range != NULL ? ", or a smaller radius" : plan->k > 1 ? ", or a smaller k" : "";
}

knng_status
knng_refuse_memory(const knng_plan *plan, const knng_budget *budget, knng_err *err)
{
	if (plan->opt.max_memory > 0)
		return knng_fail(err, KNNG_EARGS, "knng:args:maxMemory",
				 "'MaxMemory' is %.0f bytes: this search needs at least %.0f beside its input and "
				 "output: give it that, or search fewer rows or columns%s",
				 plan->opt.max_memory, plan->least, smaller(plan));
	return knng_fail(err, KNNG_EMEMORY, "knng:memory:host",
			 "this search needs at least %.1f MB and %s %.1f MB, and nine tenths of the %.1f MB "
			 "that the machine, or its container, has "
			 "available are to be used: close other programs, or search fewer rows or columns%s",
			 plan->least * 1e-6, plan->x.data == NULL ? "X and the result" : "its result",
			 budget->result * 1e-6, budget->free * 1e-6, smaller(plan));
}

void
knng_suggest_limit(double planned, bool less_will_do, knng_err *err)
{
	size_t length = strlen(err->text);
	if (less_will_do && strcmp(err->id, "knng:memory:host") == 0)
		snprintf(err->text + length, sizeof err->text - length,
			 "; or give 'MaxMemory' less than the %.0f bytes that were planned: the search takes longer "
			 "then",
			 planned);
}
