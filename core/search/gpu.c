/* gpu.c  The search's end of the CUDA plugin. */
#include "search/gpu.h"
#include "base/pairs.h"
#include "search/centre.h"

static const knng_search_host host = {
	.parallel = knng_parallel,
	.points_group = knng_points_group,
	.points_apart = knng_points_apart,
	.points_bytes = knng_points_bytes,
	.has_no_more = knng_has_no_more,
	.within = knng_within,
	.run_bytes = knng_run_bytes,
	.centre = knng_centre,
	.exponent = knng_exponent,
	.unit = knng_unit,
	.pairs_column = knng_pairs_column,
};

const knng_search_gpu *
knng_search_on_gpus(void)
{
	char why[160];
	const knng_plugin *plugin = knng_plugin_find(why, sizeof why);
	return plugin == NULL ? NULL : plugin->serve(KNNG_GPU_ROOM, &host);
}
