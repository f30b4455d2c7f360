#include "search/info.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void
knng_info_add(knng_info *sum, const knng_info *part, bool name)
{
	knng_info all = name ? *part : *sum;
	for (int s = 0; s < KNNG_STAGES; s++)
		all.seconds[s] = sum->seconds[s] + part->seconds[s];
	for (int l = 0; l < KNNG_LEVELS; l++)
		all.certified[l] = sum->certified[l] + part->certified[l];
	all.total = sum->total + part->total;
	all.nonfinite = sum->nonfinite + part->nonfinite;
	all.constant = sum->constant + part->constant;
	all.points = sum->points + part->points;
	all.blocks = sum->blocks + part->blocks;
	all.refined = sum->refined + part->refined;
	all.planned = fmax(sum->planned, part->planned);
	all.peak = fmax(sum->peak, part->peak);
	all.device_peak = fmax(sum->device_peak, part->device_peak);
	const knng_info *fell = sum->fallback[0] != 0 ? sum : part, *skips = sum->skipped[0] != 0 ? sum : part;
	memcpy(all.fallback, fell->fallback, sizeof all.fallback);
	memcpy(all.skipped, skips->skipped, sizeof all.skipped);
	const knng_info *tells = fell->fallback[0] != 0 ? fell : skips;
	if (tells->fallback[0] != 0 || tells->skipped[0] != 0)
		memcpy(all.why_cpu, tells->why_cpu, sizeof all.why_cpu);
	*sum = all;
}

void
knng_info_choice(knng_info *info, const knng_plan *plan)
{
	if (info->fallback[0] == 0 && info->skipped[0] == 0)
		snprintf(info->why_cpu, sizeof info->why_cpu, "%s", plan->why_cpu);
}
