/* device.h  Between the core and the CUDA plugin, which is its own shared object and links nothing of the core's. */
#ifndef KNNG_DEVICE_H
#define KNNG_DEVICE_H

#include "backend.h"
#include "cpu/keys.h"
#include "select.h"

/* What the plugin calls back: so the counters, and the failures that tests plant, are one. */
typedef struct {
	uint64_t abi;                 /* KNNG_ABI, first: a plugin of another build must not be used */
	bool (*fault)(void);          /* counts a call; true when a test wants it to fail */
	void (*live)(int64_t change); /* device allocations, pinned buffers, streams … held */
	void *(*alloc)(int64_t count, size_t size);
	void (*free)(void *p);
	knng_status (*fail)(knng_err *err, knng_status status, const char *id, const char *format, ...);
	knng_status (*parallel)(knng_work *w, int threads, int64_t jobs,
				knng_status (*job)(knng_work *w, int worker, int64_t i, void *context, knng_err *err),
				void *context, knng_err *err);
	knng_status (*poll)(const knng_work *w, knng_err *err);
	knng_status (*points_group)(knng_points *p, bool (*same)(void *context, int64_t point, int64_t row),
				    void (*move)(void *context, int64_t to, int64_t from), void *context,
				    knng_err *err);
	double (*points_bytes)(int64_t rows);
	double (*run_bytes)(const knng_plan *plan, int threads);
	void (*source_rows)(const knng_matrix *matrix, int64_t first, int64_t count, double *rows, int64_t ld);
	int (*centre)(const double *rows, int64_t count, int64_t d, int64_t ld, double largest, bool *integers,
		      double *centre);
} knng_core;

typedef struct {
	char name[96];
	int major, minor;   /* compute capability */
	double total, free; /* bytes */
	char problem[160];  /* why it cannot be used, or empty */
} knng_device_info;

/* What the plugin offers. */
typedef struct {
	const knng_backend *backend;
	int (*count)(void);       /* devices the driver shows */
	const char *(*why)(void); /* why there are none */
	knng_status (*describe)(int device, knng_device_info *info, knng_err *err);
	/* Chooses plan->tile, block, panel and capacity for plan->devices, fills device_bytes and bytes;
	 * knng:device:memory if the least does not fit. */
	knng_status (*plan)(knng_plan *plan, knng_err *err);
	void (*release)(void); /* everything held for the session */
	/* Selects (select.h) on that device, with keys of that kind and mask. Of w it uses what knng_parallel and
	 * knng_poll do. KNNG_EDEVICE: the device cannot, or failed; the outputs are undefined then. */
	knng_status (*select)(knng_work *w, const knng_selection *s, knng_keys_kind kind, uint64_t mask, int device,
			      knng_err *err);
} knng_plugin;

/* Changes with whatever core and plugin share. */
#define KNNG_ABI                                                                                                       \
	(((((uint64_t)sizeof(knng_core) * 1009 + sizeof(knng_work)) * 1009 + sizeof(knng_plan)) * 1009 +               \
	  sizeof(knng_info)) *                                                                                         \
		 1009 +                                                                                                \
	 sizeof(knng_points) + sizeof(knng_backend) * 7 + sizeof(knng_options) * 13 + sizeof(knng_plugin) * 17 +       \
	 sizeof(knng_selection) * 19)

/* The plugin, loaded at the first call; NULL and why there is none. Always safe. */
const knng_plugin *knng_plugin_find(char *why, size_t size);

/* The GPUs that plan->opt asks for and that work, all of them with 'auto', into plan->devices, and the backend. None:
 * plan->why_cpu says why; an error only where GPUs were asked for by name. Errors: knng:args:device, knng:device:none.
 */
knng_status knng_plan_devices(knng_plan *plan, knng_err *err);

/* Whether it was asked for already. */
bool knng_plugin_loaded(void);

#define KNNG_PLUGIN_FILE "knng_cuda.so"
#define KNNG_PLUGIN_ENTRY "knng_plugin_open"
typedef const knng_plugin *knng_plugin_open_function(const knng_core *core);

#endif
