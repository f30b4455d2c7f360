/* anywhere.c  A selection on the CPU or on a GPU, with the same answer. */
#include "base/plugin.h"
#include "base/sys.h"
#include "topk/select.h"

#include <math.h>

/* Bytes of an array from which 'auto' takes a GPU: none. Elements come from the host's memory and are looked at once,
 * so the way to the device is the cost: along columns 16 cores were faster than an H200, along rows half as fast, which
 * does not make up for the start of the GPU in a session below some gigabytes (docs/performance.md). */
static const double worth_a_gpu = INFINITY;

static bool
wanted(const knng_topk *s, const knng_devices *device)
{
	if (device->kind == KNNG_DEVICE_AUTO)
		return (double)s->inner * (double)s->n * (double)s->outer * s->size >= worth_a_gpu;
	return device->kind != KNNG_DEVICE_CPU;
}

knng_status
knng_topk_anywhere(knng_task *task, const knng_topk *s, const knng_devices *device, knng_err *fallback, knng_err *err)
{
	*fallback = (knng_err){0};
	if (wanted(s, device)) {
		char why[160];
		int devices[KNNG_MAX_DEVICES], n;
		knng_status status = knng_devices_find(device, devices, &n, why, sizeof why, err);
		if (status != KNNG_OK && device->kind != KNNG_DEVICE_AUTO)
			return status;
		if (n > 0 && s->k > 0 && s->inner > 0 && s->outer > 0) {
			const knng_topk_gpu *gpu = knng_plugin_find(why, sizeof why)->serve(KNNG_TOPK_ROOM, NULL);
			knng_task here = *task;
			here.stage = "selection";
			here.threads = knng_task_threads(task);
			status = gpu->select(&here, s, knng_topk_kind(s), knng_topk_mask(s), devices[0], fallback);
			if (status == KNNG_OK)
				return KNNG_OK;
			if (status != KNNG_EDEVICE) {
				if (err != NULL)
					*err = *fallback;
				return status;
			}
		}
	}
	return knng_topk_along(task, s, NULL, err);
}
