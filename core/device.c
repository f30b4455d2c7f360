/* device.c  Finds and loads the CUDA plugin that lies beside the code that asks for it. */
#include "device.h"
#include "centre.h"
#include "source.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const knng_core core = {
	.abi = KNNG_ABI,
	.fault = knng_sys_fault,
	.live = knng_sys_live,
	.alloc = knng_alloc,
	.free = knng_free,
	.fail = knng_fail,
	.parallel = knng_parallel,
	.poll = knng_poll,
	.points_group = knng_points_group,
	.points_bytes = knng_points_bytes,
	.run_bytes = knng_run_bytes,
	.source_rows = knng_source_rows,
	.centre = knng_centre,
	.finish = knng_finish,
};

/* The plugin lies beside this object (a gateway), or in the toolbox beside a build folder (the command-line program).
 */
static void *
open_beside(char *why, size_t size)
{
	static const char *const places[] = {"", "../+knng/+internal/"};
	Dl_info self;
	char path[4096];
	void *library = NULL;
	if (dladdr(&core, &self) == 0 || self.dli_fname == NULL)
		return NULL;
	const char *slash = strrchr(self.dli_fname, '/');
	int folder = slash == NULL ? 0 : (int)(slash - self.dli_fname) + 1;
	for (size_t p = 0; p < sizeof places / sizeof *places && library == NULL; p++) {
		snprintf(path, sizeof path, "%.*s%s%s", folder, self.dli_fname, places[p], KNNG_PLUGIN_FILE);
		library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		const char *problem = library == NULL ? dlerror() : NULL;
		/* A message that begins with the plugin's own path says that it is not there; else it does not load. */
		if (problem != NULL &&
		    (strncmp(problem, path, strlen(path)) != 0 || strstr(problem, "cannot open") == NULL)) {
			snprintf(why, size, "%.150s", problem);
			return NULL;
		}
	}
	if (library == NULL)
		snprintf(why, size, "knng was built without CUDA (no nvcc was found)");
	return library;
}

static bool tried;

bool
knng_plugin_loaded(void)
{
	return tried;
}

const knng_plugin *
knng_plugin_find(char *why, size_t size)
{
	static const knng_plugin *plugin;
	static char reason[192];
	if (!tried) {
		if (knng_sys_fault()) { /* not remembered: the next call may find it */
			snprintf(why, size, "loading the CUDA plugin was made to fail by a test");
			return NULL;
		}
		tried = true;
		void *library = open_beside(reason, sizeof reason);
		if (library != NULL) {
			knng_plugin_open_function *open;
			void *symbol = dlsym(library, KNNG_PLUGIN_ENTRY);
			memcpy(&open, &symbol, sizeof open);
			plugin = symbol == NULL ? NULL : open(&core);
			if (plugin == NULL)
				snprintf(reason, sizeof reason,
					 "the CUDA plugin is of another build of knng: run make again where nvcc is, "
					 "or remove it");
		}
	}
	snprintf(why, size, "%s", reason);
	return plugin;
}
