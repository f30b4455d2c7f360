/* device.c  Finds and loads the CUDA plugin that lies beside the code that asks for it. */
#include "device.h"
#include "centre.h"
#include "source.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
};

/* The folder of the file that this code is in, with the slash at its end; 0 if it cannot be known. */
static size_t
own_folder(char *path, size_t size)
{
	Dl_info self;
	struct link_map *object;
	if (dladdr1(&core, &self, (void **)&object, RTLD_DL_LINKMAP) == 0)
		return 0;
	/* A program has no name here, and is called by whatever name the caller chose. */
	if (object->l_name[0] == 0) {
		ssize_t length = readlink("/proc/self/exe", path, size);
		if (length < 0 || (size_t)length >= size)
			return 0;
		path[length] = 0;
	} else if (snprintf(path, size, "%s", object->l_name) >= (int)size) {
		return 0;
	}
	char *slash = strrchr(path, '/');
	return slash == NULL ? 0 : (size_t)(slash + 1 - path);
}

/* The plugin lies beside a gateway; the command-line program lies in build/ beside the toolbox, or was installed. */
static void *
open_beside(char *why, size_t size)
{
	static const char *const places[] = {"", "../+knng/+internal/", "../lib/knng/+knng/+internal/"};
	char path[4096 + 64];
	void *library = NULL;
	size_t folder = own_folder(path, 4096);
	for (size_t p = 0; folder > 0 && p < sizeof places / sizeof *places && library == NULL; p++) {
		snprintf(path + folder, sizeof path - folder, "%s%s", places[p], KNNG_PLUGIN_FILE);
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
