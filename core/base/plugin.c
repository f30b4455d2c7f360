/* plugin.c  Finds and loads the CUDA plugin that lies beside the code that asks for it. */
#include "base/plugin.h"
#include "base/sys.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const knng_host host = {
	.abi = KNNG_ABI,
	.fault = knng_sys_fault,
	.live = knng_sys_live,
	.alloc = knng_alloc,
	.free = knng_free,
	.fail = knng_fail,
	.run = knng_task_run,
	.poll = knng_task_poll,
};

/* The folder of the file that this code is in, with the slash at its end; 0 if it cannot be known. */
static size_t
own_folder(char *path, size_t size)
{
	Dl_info self;
	struct link_map *object;
	if (dladdr1(&host, &self, (void **)&object, RTLD_DL_LINKMAP) == 0)
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
static const knng_plugin *loaded;

const knng_plugin *
knng_plugin_find(char *why, size_t size)
{
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
			loaded = symbol == NULL ? NULL : open(&host);
			if (loaded == NULL)
				snprintf(reason, sizeof reason,
					 "the CUDA plugin is of another build of knng: run make again where nvcc is, "
					 "or remove it");
		}
	}
	if (loaded != NULL && loaded->process != getpid()) {
		snprintf(why, size,
			 "this process was forked from one that had loaded CUDA: start a new Octave to use GPUs");
		return NULL;
	}
	snprintf(why, size, "%s", reason);
	return loaded;
}

void
knng_plugin_release(void)
{
	if (loaded != NULL && loaded->process == getpid())
		loaded->release();
}

knng_status
knng_devices_find(const knng_devices *wanted, int devices[KNNG_MAX_DEVICES], int *n, char *why, size_t size,
		  knng_err *err)
{
	*n = 0;
	if (wanted->kind == KNNG_DEVICE_CPU) {
		snprintf(why, size, "the CPU was asked for");
		return KNNG_OK;
	}
	const knng_plugin *plugin = knng_plugin_find(why, size);
	int there = plugin == NULL ? 0 : plugin->count();
	if (plugin != NULL && there == 0)
		snprintf(why, size, "%.150s", plugin->why());
	bool listed = wanted->kind == KNNG_DEVICE_LIST;
	int count = listed && there > 0 ? wanted->count : there;
	if (count > KNNG_MAX_DEVICES || (there > 0 && count < 1))
		return knng_fail(err, KNNG_EARGS, "knng:args:device", "%d GPUs were asked for: give 1 to %d of them",
				 count, KNNG_MAX_DEVICES);
	for (int i = 0; i < count; i++) {
		knng_device_info info;
		knng_err problem = {0};
		int device = listed ? wanted->number[i] - 1 : i;
		bool twice = false;
		for (int j = 0; listed && j < i; j++)
			twice |= wanted->number[j] == wanted->number[i];
		if (device < 0 || device >= there || twice)
			return knng_fail(err, KNNG_EARGS, "knng:args:device",
					 twice ? "GPU number %d is named twice: name each once; the machine shows %d"
					       : "there is no GPU number %d: the machine shows %d; 'Device', 'auto' "
						 "takes what there is",
					 device + 1, there);
		knng_status status = plugin->describe(device, &info, &problem);
		if (status == KNNG_OK && info.problem[0] == 0)
			devices[(*n)++] = device;
		else
			snprintf(why, size, "GPU %d: %.140s", device + 1,
				 status == KNNG_OK ? info.problem : problem.text);
	}
	if (*n == 0 && wanted->kind != KNNG_DEVICE_AUTO)
		return knng_fail(err, KNNG_EDEVICE, "knng:device:none",
				 "no GPU can be used: %s; 'Device', 'auto' or 'cpu' works on the CPU", why);
	return KNNG_OK;
}
