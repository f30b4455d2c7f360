/* plugin.c  A CUDA plugin without CUDA, for test_plugin.sh. KNNG_FAKE names the condition of its GPU, or GPUs:
 *
 *     none    there is no GPU
 *     dead    it cannot be described
 *     small   nothing fits into it
 *     lost    it fails when the search starts, and cannot be described from then on
 *     faulty  the code that works on it has a fault, which is not the GPU's
 *     alive   nothing, until a search is tried
 *     three   three that are lost like that, one after the other */
#include "graph/eigen.h"
#include "search/gpu.h"
#include "topk/select.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const knng_host *host;
static int lost; /* so many of the first */

static bool
is(const char *condition)
{
	const char *asked = getenv("KNNG_FAKE");
	return asked != NULL && strcmp(asked, condition) == 0;
}

static int
count(void)
{
	return is("none") ? 0 : is("three") ? 3 : 1;
}

static const char *
why(void)
{
	return "no GPU is plugged in";
}

static knng_status
describe(int device, knng_device_info *info, knng_err *err)
{
	host->fault(); /* counted by the host */
	if (is("dead") || device < lost)
		return host->fail(err, KNNG_EDEVICE, "knng:device:failed", "GPU %d does not answer", device + 1);
	*info = (knng_device_info){.name = "fake", .major = 9, .total = 1e9, .free = 1e9};
	return KNNG_OK;
}

static knng_status
plan(knng_plan *plan, knng_err *err)
{
	if (is("small"))
		return host->fail(err, KNNG_EDEVICE, "knng:device:memory", "GPU 1 has not enough free memory");
	plan->tile = 64;
	plan->capacity = plan->k;
	return KNNG_OK;
}

static knng_status
open_backend(knng_search *w, knng_err *err)
{
	if (is("faulty"))
		return host->fail(err, KNNG_EINTERNAL, "knng:internal:candidates", "a row lost its candidates");
	lost = w->plan->devices[0] + 1;
	return host->fail(err, KNNG_EDEVICE, "knng:device:failed", "GPU %d fell off the bus", lost);
}

static void
close_backend(knng_search *w)
{
	(void)w;
}

static void
release(void)
{
}

static knng_status
select_lost(knng_task *task, const knng_topk *s, knng_keys_kind kind, uint64_t mask, int device, knng_err *err)
{
	(void)task, (void)s, (void)kind, (void)mask, (void)device;
	if (is("faulty"))
		return host->fail(err, KNNG_EINTERNAL, "knng:internal:candidates", "a row lost its candidates");
	return host->fail(err, KNNG_EDEVICE, "knng:device:failed", "GPU 1 slept");
}

static knng_status
open_lost(knng_task *task, const knng_eigen *e, int64_t columns, int device, void **work, knng_err *err)
{
	(void)columns, (void)device, (void)work;
	(void)e;
	return select_lost(task, NULL, 0, 0, device, err);
}

static void
close_nothing(void *work)
{
	(void)work;
}

static knng_status
check(int device, char *note, size_t size, knng_err *err)
{
	(void)device, (void)size, (void)err;
	note[0] = 0;
	return KNNG_OK;
}

static const knng_backend backend = {.name = "fake", .open = open_backend, .close = close_backend};

static const void *
serve(const char *room, const void *lent)
{
	static const knng_search_gpu search = {&backend, plan, check};
	static const knng_topk_gpu select = {select_lost};
	static const knng_eigen_gpu eigen = {.open = open_lost, .close = close_nothing};
	(void)lent;
	if (strcmp(room, KNNG_EIGEN_ROOM) == 0)
		return &eigen;
	return strcmp(room, KNNG_GPU_ROOM) == 0 ? (const void *)&search : &select;
}

__attribute__((visibility("default"))) const knng_plugin *
knng_plugin_open(const knng_host *from)
{
	static knng_plugin plugin = {count, why, describe, release, serve, 0};
	if (from->abi != KNNG_ABI)
		return NULL;
	if (host == NULL) {
		host = from;
		plugin.process = getpid();
	}
	return &plugin;
}
