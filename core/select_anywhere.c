/* select_anywhere.c  A selection on the CPU or on a GPU, with the same answer. */
#include "device.h"
#include "sys.h"

#include <math.h>

/* Bytes of an array from which 'auto' takes a GPU: none. Elements come from the host's memory and are looked at once,
 * so the way to the device is the cost: along columns 16 cores were faster than an H200, along rows half as fast, which
 * does not make up for the start of the GPU in a session below some gigabytes (docs/performance.md). */
static const double worth_a_gpu = INFINITY;

static bool
wanted(const knng_selection *s, const knng_options *opt)
{
	if (opt->device == KNNG_DEVICE_AUTO)
		return (double)s->inner * (double)s->n * (double)s->outer * s->size >= worth_a_gpu;
	return opt->device != KNNG_DEVICE_CPU;
}

knng_status
knng_select_anywhere(const knng_selection *s, const knng_options *opt, knng_err *fallback, knng_err *err)
{
	knng_plan plan = {.opt = *opt, .threads = knng_selection_threads(opt)};
	knng_work w = {.plan = &plan, .stage = "selection"};
	char why[160];
	*fallback = (knng_err){0};
	if (wanted(s, opt)) {
		knng_status status = knng_plan_devices(&plan, err);
		if (status != KNNG_OK && opt->device != KNNG_DEVICE_AUTO)
			return status;
		if (plan.ndevices > 0 && s->k > 0 && s->inner > 0 && s->outer > 0) {
			status = knng_plugin_find(why, sizeof why)
					 ->select(&w, s, knng_selection_kind(s), knng_selection_mask(s),
						  plan.devices[0], fallback);
			if (status == KNNG_OK)
				return KNNG_OK;
			if (status != KNNG_EDEVICE) {
				if (err != NULL)
					*err = *fallback;
				return status;
			}
		}
	}
	return knng_select_along(s, opt, err);
}
