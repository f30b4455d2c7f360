/* plugin.c  A CUDA plugin without CUDA, for test_plugin.sh. KNNG_FAKE names the condition of its GPU, or GPUs:
 *
 *     none    there is no GPU
 *     dead    it cannot be described
 *     small   nothing fits into it
 *     lost    it fails when the search starts, and cannot be described from then on
 *     three   three that are lost like that, one after the other */
#include "device.h"

#include <stdlib.h>
#include <string.h>

static const knng_core *core;
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
	if (is("dead") || device < lost)
		return core->fail(err, KNNG_EDEVICE, "knng:device:failed", "GPU %d does not answer", device + 1);
	*info = (knng_device_info){.name = "fake", .major = 9, .total = 1e9, .free = 1e9};
	return KNNG_OK;
}

static knng_status
plan(knng_plan *plan, knng_err *err)
{
	if (is("small"))
		return core->fail(err, KNNG_EDEVICE, "knng:device:memory", "GPU 1 has not enough free memory");
	plan->tile = 64;
	plan->capacity = plan->k;
	return KNNG_OK;
}

static knng_status
open_backend(knng_work *w, knng_err *err)
{
	lost = w->plan->devices[0] + 1;
	return core->fail(err, KNNG_EDEVICE, "knng:device:failed", "GPU %d fell off the bus", lost);
}

static void
close_backend(knng_work *w)
{
	(void)w;
}

static void
release(void)
{
}

static knng_status
select_lost(knng_work *w, const knng_selection *s, knng_keys_kind kind, uint64_t mask, int device, knng_err *err)
{
	(void)w, (void)s, (void)kind, (void)mask, (void)device;
	return core->fail(err, KNNG_EDEVICE, "knng:device:failed", "GPU 1 slept");
}

static const knng_backend backend = {.name = "fake", .open = open_backend, .close = close_backend};

__attribute__((visibility("default"))) const knng_plugin *
knng_plugin_open(const knng_core *from)
{
	static const knng_plugin plugin = {&backend, count, why, describe, plan, release, select_lost};
	if (from->abi != KNNG_ABI)
		return NULL;
	core = from;
	return &plugin;
}
