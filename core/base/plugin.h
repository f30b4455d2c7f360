/* plugin.h  The CUDA plugin: a shared object of its own that lies beside the gateways, is loaded when a GPU is first
 * asked for, and links nothing of the core's. What it needs of the core it is handed as tables of functions, and what
 * it offers comes back the same way: a table for each room of the core that has work for GPUs.
 *
 * Every gateway has a core of its own, while the plugin is one in the process: the first that opens it is its host, and
 * what the plugin counts and plants is counted and planted there. So it must stay loaded. */
#ifndef KNNG_PLUGIN_H
#define KNNG_PLUGIN_H

#include "base/knng_base.h"
#include "base/task.h"

/* What the plugin calls back: so the counters, and the failures that tests plant, are one. */
typedef struct {
	uint64_t abi;        /* KNNG_ABI, first: a plugin of another build must not be used. The Makefile gives it
				to the two ends: a hash of all headers that they share */
	bool (*fault)(void); /* counts a call; true when a test wants it to fail */
	void (*live)(int64_t change); /* device allocations, pinned buffers, streams … held */
	void *(*alloc)(int64_t count, size_t size);
	void (*free)(void *p);
	knng_status (*fail)(knng_err *err, knng_status status, const char *id, const char *format, ...);
	knng_status (*run)(knng_task *task, int threads, int64_t jobs, knng_job *job, void *context, knng_err *err);
	knng_status (*poll)(const knng_task *task, knng_err *err);
} knng_host;

typedef struct {
	char name[96];
	int major, minor;       /* compute capability */
	double total, free;     /* bytes */
	char problem[160];      /* why it cannot be used, or empty */
	unsigned char uuid[16]; /* the same for one GPU in every process of a machine */
} knng_device_info;

/* What the plugin offers. */
typedef struct {
	int (*count)(void);       /* devices the driver shows */
	const char *(*why)(void); /* why there are none */
	knng_status (*describe)(int device, knng_device_info *info, knng_err *err);
	void (*release)(void); /* everything held for the session */
	/* What it does for a room ("search", "topk"), a table that the room's header declares; NULL: nothing. `host`:
	 * what the room lends it, or NULL. */
	const void *(*serve)(const char *room, const void *host);
	int process; /* that loaded it: a fork of it cannot use CUDA */
} knng_plugin;

/* The plugin, loaded at the first call; NULL and why there is none, as in a process that was forked after it was
 * loaded, by this core or another one. Always safe. */
const knng_plugin *knng_plugin_find(char *why, size_t size);

/* Gives back what it holds on the GPUs for the session, if it was loaded. */
void knng_plugin_release(void);

/* The GPUs that are asked for and that work, all of them with 'auto', counted from 0, into devices[*n]. None: `why`
 * says why; an error only where GPUs were asked for by name. Errors: knng:args:device, knng:device:none. */
knng_status knng_devices_find(const knng_devices *wanted, int devices[KNNG_MAX_DEVICES], int *n, char *why, size_t size,
			      knng_err *err);

#define KNNG_PLUGIN_FILE "knng_cuda.so"
#define KNNG_PLUGIN_ENTRY "knng_plugin_open"
typedef const knng_plugin *knng_plugin_open_function(const knng_host *host);

#endif
