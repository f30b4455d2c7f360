/* plugin.cu  The entry of the plugin, and what it does for each room of the core. */
#include "cuda/graph/eigen.h"
#include "cuda/graph/linkage.h"
#include "cuda/search/backend_cuda.h"
#include "cuda/topk/select.h"

#include <string.h>
#include <unistd.h>

static const void *
serve(const char *room, const void *lent)
{
	static const knng_search_gpu search = {&backend_cuda, backend_plan, backend_check, gaps_plan,
					       gaps_open,     gaps_meet,    gaps_close};
	static const knng_topk_gpu select = {select_along};
	if (strcmp(room, KNNG_TOPK_ROOM) == 0)
		return &select;
	if (strcmp(room, KNNG_EIGEN_ROOM) == 0)
		return &eigen_gpu;
	if (strcmp(room, KNNG_LINKAGE_ROOM) == 0)
		return &linkage_gpu;
	if (strcmp(room, KNNG_GPU_ROOM) != 0)
		return NULL;
	if (core == NULL)
		core = (const knng_search_host *)lent;
	return &search;
}

extern "C" __attribute__((visibility("default"))) const knng_plugin *
knng_plugin_open(const knng_host *from)
{
	static knng_plugin plugin = {devices_count, devices_why, devices_describe, devices_release, serve, 0};
	if (from->abi != KNNG_ABI)
		return NULL;
	if (host ==
	    NULL) { /* a second one is served by the first one's means: what they count would not be in balance */
		host = from;
		plugin.process = getpid();
	}
	return &plugin;
}
