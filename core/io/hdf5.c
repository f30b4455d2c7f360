/* hdf5.c  The door to the HDF5 library, see hdf5.h. */
#include "io/hdf5.h"

#ifdef KNNG_HDF5
#include "base/sys.h"
#include "base/task.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	PATIENCE = 3,  /* seconds of the processor for a file, and one more for every */
	SPEED = 28,    /* 2^28 bytes of it */
	ROOM = 1 << 30 /* bytes that the library may claim for what a file says */
};

static pthread_mutex_t inside = PTHREAD_MUTEX_INITIALIZER;
static struct {
	H5E_auto2_t tell;
	void *data;
	bool known;
} before;

knng_status
knng_hdf5_enter(knng_err *err)
{
	unsigned major, minor, release;
	pthread_mutex_lock(&inside);
	before.known = false;
	if (H5get_libversion(&major, &minor, &release) < 0 || major != H5_VERS_MAJOR || minor != H5_VERS_MINOR ||
	    release != H5_VERS_RELEASE)
		return knng_fail(err, KNNG_EIO, "knng:io:noHDF",
				 "knng was built with HDF5 %d.%d.%d, and the one that is loaded is %u.%u.%u: run make "
				 "again, and restart",
				 H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE, major, minor, release);
	before.known = H5Eget_auto2(H5E_DEFAULT, &before.tell, &before.data) >= 0;
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	return KNNG_OK;
}

void
knng_hdf5_leave(void)
{
	if (before.known)
		H5Eset_auto2(H5E_DEFAULT, before.tell, before.data);
	pthread_mutex_unlock(&inside);
}

/* Whether the library has this very file open, and not one that took its name since. */
static bool
is_of(hid_t file, const knng_store *s)
{
	void *handle = NULL; /* an int *, of the driver that the access list below has chosen */
	return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle != NULL && knng_store_is(s, *(int *)handle);
}

/* The library would refuse files of a file system that has no locks, and a lock would keep others from writing for as
 * long as a search runs; whoever writes now is asked for by knng_store_locked. */
hid_t
knng_hdf5_open(const char *path, const knng_store *s)
{
	char expanded[PATH_MAX];
	hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = H5I_INVALID_HID;
	if (access < 0)
		return file;
	H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
	bool fine = knng_path_expand(path, expanded) && H5Pset_fapl_sec2(access) >= 0 &&
		    H5Pset_cache(access, 0, 1, 0, 0) >= 0 && H5Pget_mdc_config(access, &cache) >= 0;
	cache.set_initial_size = true;
	cache.initial_size = cache.max_size = KNNG_HDF5_BYTES;
	cache.min_size = KNNG_HDF5_BYTES / 2;
	cache.incr_mode = H5C_incr__off;
	cache.flash_incr_mode = H5C_flash_incr__off;
	cache.decr_mode = H5C_decr__off;
	fine = fine && H5Pset_mdc_config(access, &cache) >= 0;
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
	fine = fine && H5Pset_file_locking(access, false, true) >= 0;
#endif
	if (fine)
		file = H5Fopen(expanded, H5F_ACC_RDONLY, access);
	H5Pclose(access);
	if (file >= 0 && !is_of(file, s)) {
		H5Fclose(file);
		file = H5I_INVALID_HID;
	}
	return file;
}

/* ---- a child that tries a file ---- */

static void
limit(int what, rlim_t most)
{
	struct rlimit now;
	if (getrlimit(what, &now) != 0)
		return;
	now.rlim_cur = now.rlim_max == RLIM_INFINITY || most < now.rlim_max ? most : now.rlim_max;
	setrlimit(what, &now);
}

/* Bytes of address space that the process has. */
static rlim_t
mapped(void)
{
	char text[64] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	unsigned long long pages = 0;
	if (fd < 0)
		return RLIM_INFINITY;
	if (read(fd, text, sizeof text - 1) > 0)
		for (const char *t = text; *t >= '0' && *t <= '9'; t++)
			pages = 10 * pages + (unsigned)(*t - '0');
	close(fd);
	return pages > 0 ? (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) : RLIM_INFINITY;
}

/* What the library has open. */
static ssize_t
count_open(void)
{
	ssize_t count = -1;
	if (knng_hdf5_enter(NULL) == KNNG_OK)
		count = H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL);
	knng_hdf5_leave();
	return count;
}

/* Whether the object is of no file, as types in memory are, or of one that is open for reading alone. */
static bool
is_read_only(hid_t object)
{
	unsigned intent = H5F_ACC_RDWR;
	if (H5Iget_type(object) == H5I_DATATYPE && H5Tcommitted(object) == 0)
		return true;
	hid_t file = H5Iget_file_id(object);
	if (file < 0)
		return false;
	bool known = H5Fget_intent(file, &intent) >= 0;
	H5Fclose(file);
	return known && (intent & H5F_ACC_RDWR) == 0;
}

/* Has the library close all that is open, as the session will one day: where it cannot, since what a file says of
 * itself has misled it, it says so, and would stay so. That shows only when the last object of a file goes, so what the
 * session had open before, such as other matrices of this file, goes too. Nothing is closed where it could be written:
 * that is others' to do, and theirs alone. */
static void
close_all(void)
{
	enum { MANY = 1000 };
	static hid_t open[MANY]; /* a child has but this thread */
	ssize_t count = H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL);
	bool fine = count >= 0 && count <= MANY && H5Fget_obj_ids((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL, MANY, open) == count;
	H5E_BEGIN_TRY
	{
		for (ssize_t i = 0; fine && i < count; i++)
			fine = is_read_only(open[i]);
	}
	H5E_END_TRY
	if (fine)
		H5close();
}

/* What crashes here has to end here, in silence: with none of the session's handlers, no dump of its memory, and not a
 * word on its terminal. */
static _Noreturn void
child(const knng_store *s, bool (*look)(void *context), void *context, int done, pid_t parent)
{
	sigset_t none;
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	signal(SIGINT, SIG_IGN); /* a terminal sends these to both; the session decides */
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_DUMPABLE, 0);
	if (getppid() != parent) /* it is gone already */
		_exit(1);
	int said = memfd_create("said", MFD_CLOEXEC);
	if (said < 0 || dup2(said, STDOUT_FILENO) < 0 || dup2(said, STDERR_FILENO) < 0)
		_exit(1);
	rlim_t now = mapped();
	limit(RLIMIT_CPU, PATIENCE + (rlim_t)(knng_store_size(s) >> SPEED));
	if (now != RLIM_INFINITY)
		limit(RLIMIT_AS, now + ROOM);
	ssize_t before = count_open();
	bool fine = look(context);
	fine = count_open() == before && fine;
	close_all();
	fine = fine && lseek(said, 0, SEEK_END) == 0 && write(done, "", 1) == 1;
	_exit(!fine);
}

/* Whether the child has said that it is through; false too when it ended before, or the task says stop. */
static bool
wait_for(int done, const knng_task *task)
{
	struct pollfd p = {.fd = done, .events = POLLIN};
	char said;
	while (task == NULL || knng_task_poll(task, NULL) == KNNG_OK) {
		if (poll(&p, 1, 50) <= 0)
			continue;
		ssize_t got = read(done, &said, 1);
		if (got >= 0 || errno != EINTR)
			return got == 1;
	}
	return false;
}

static knng_status
no_process(const char *path, knng_err *err)
{
	return knng_fail(err, KNNG_EMEMORY, "knng:memory:host",
			 "%.200s is not read: the machine has no room for a process that tries it before; close other "
			 "programs",
			 path);
}

knng_status
knng_hdf5_try(const char *path, const knng_store *s, const knng_task *task, bool (*look)(void *context), void *context,
	      knng_err *err)
{
	int ends[2], ended;
	if (knng_sys_fault() || pipe2(ends, O_CLOEXEC) != 0)
		return no_process(path, err);
	pid_t own = getpid(), pid = fork();
	if (pid == 0)
		child(s, look, context, ends[1], own);
	close(ends[1]);
	bool fine = pid > 0 && wait_for(ends[0], task);
	close(ends[0]);
	if (pid < 0)
		return no_process(path, err);
	kill(pid, SIGKILL);
	while (waitpid(pid, &ended, 0) < 0 && errno == EINTR)
		;
	if (fine)
		return KNNG_OK;
	knng_status status = task != NULL ? knng_task_poll(task, err) : KNNG_OK;
	return status != KNNG_OK ? status
				 : knng_fail(err, KNNG_EIO, "knng:io:format",
					     "%.200s is damaged: HDF5 fails over what it says of its contents", path);
}
#endif
