/* available.c  What the machine could still give, or the container or batch job that this process is in, if that is
 * less: memory, and processors.
 *
 * A control group (cgroup) has a limit and a use, and so has each group that it lies in. Of the use, file pages that
 * nobody has touched lately are given up before the limit is felt. Inside a container the path that /proc/self/cgroup
 * names may be one of the machine outside, while the group itself is mounted as the root: so whatever is missing on the
 * way up is skipped. What the process may map at all (ulimit -v) is a limit, too. */
#include "base/file.h"
#include "base/sys.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TEXT = 8192 };

/* The beginning of a file as text; false: it is not there, or says nothing. */
static bool
read_text(char text[TEXT], const char *root, const char *folder, const char *group, const char *file)
{
	char path[PATH_MAX];
	if (snprintf(path, sizeof path, "%s%s%s/%s", root, folder, group, file) >= (int)sizeof path)
		return false;
	FILE *f = knng_sys_fault() ? NULL : fopen(path, "re");
	size_t got = f == NULL || knng_sys_fault() ? 0 : fread(text, 1, TEXT - 1, f);
	if (f != NULL)
		fclose(f);
	text[got] = 0;
	return got > 0;
}

/* The number behind `key` at the beginning of a line; NaN, which fmin and fmax skip, if there is none. */
static double
number_after(const char *text, const char *key)
{
	size_t length = strlen(key);
	while (strncmp(text, key, length) != 0) {
		text = strchr(text, '\n');
		if (text++ == NULL)
			return NAN;
	}
	return strtod(text + length, NULL);
}

/* What a group itself allows; Inf: anything. version 0 is that of control groups which have all controllers in one tree
 * (2), version 1 the older one. */
typedef double limit(const char *root, int version, const char *group);

/* The bytes that it leaves. */
static double
memory_left(const char *root, int version, const char *group)
{
	static const struct {
		const char *mounted, *limit, *used, *inactive;
	} files[] = {
		{"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "},
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "},
	};
	char text[TEXT];
	const char *mounted = files[version].mounted;
	/* "max", or in version 1 nearly 2^63: no limit */
	if (!read_text(text, root, mounted, group, files[version].limit) || !isdigit((unsigned char)text[0]) ||
	    strtod(text, NULL) >= 0x1p62)
		return INFINITY;
	double left = strtod(text, NULL);
	if (read_text(text, root, mounted, group, files[version].used))
		left -= strtod(text, NULL);
	if (read_text(text, root, mounted, group, "memory.stat"))
		left += fmax(0, number_after(text, files[version].inactive));
	return left;
}

/* The processors whose time it may take: so much of every period. */
static double
processors_left(const char *root, int version, const char *group)
{
	char text[TEXT], *end = text;
	double quota = 0, period = 0;
	if (version == 0) { /* "150000 100000", or "max 100000": no limit */
		if (read_text(text, root, "/sys/fs/cgroup", group, "cpu.max")) {
			quota = strtod(text, &end);
			period = strtod(end, NULL);
		}
	} else if (read_text(text, root, "/sys/fs/cgroup/cpu", group, "cpu.cfs_quota_us")) {
		quota = strtod(text, NULL); /* -1: no limit */
		if (read_text(text, root, "/sys/fs/cgroup/cpu", group, "cpu.cfs_period_us"))
			period = strtod(text, NULL);
	}
	return isdigit((unsigned char)text[0]) && quota > 0 && period > 0 ? quota / period : INFINITY;
}

/* The least of a group, and of those that it lies in. Cuts the path of the group up. */
static double
least_upwards(const char *root, int version, char *group, limit *of)
{
	double least = INFINITY;
	for (size_t length = strlen(group);; length = strlen(group)) {
		while (length > 0 && group[length - 1] == '/')
			group[--length] = 0;
		least = fmin(least, of(root, version, group));
		if (length == 0)
			return least;
		*strrchr(group, '/') = 0;
	}
}

/* Whether a list such as cpu,cpuacct has a name. */
static bool
is_among(const char *list, const char *name)
{
	size_t length = strlen(name);
	for (;; list++) {
		if (strncmp(list, name, length) == 0 && (list[length] == ',' || list[length] == 0))
			return true;
		if ((list = strchr(list, ',')) == NULL)
			return false;
	}
}

/* What all groups that this process is in allow. */
static double
least_of_groups(const char *root, const char *controller, limit *of)
{
	char text[TEXT];
	double least = INFINITY;
	if (!read_text(text, root, "/proc", "/self", "cgroup"))
		text[0] = 0;
	/* Lines such as 0::/user.slice/session or 4:memory:/job_7 */
	for (char *line = text, *next; line != NULL; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = 0;
		char *list = strchr(line, ':'), *group = list == NULL ? NULL : strchr(list + 1, ':');
		if (group == NULL || group[1] != '/')
			continue;
		*group++ = 0;
		if (list[1] == 0 || is_among(list + 1, controller))
			least = fmin(least, least_upwards(root, list[1] != 0, group, of));
	}
	return least;
}

/* What is left of the address space, where that has a limit; Inf: it has none. */
static double
address_space_left(const char *root)
{
	char text[TEXT];
	struct rlimit most;
	if (getrlimit(RLIMIT_AS, &most) != 0 || most.rlim_cur == RLIM_INFINITY ||
	    !read_text(text, root, "/proc", "/self", "statm"))
		return INFINITY;
	return (double)most.rlim_cur - strtod(text, NULL) * (double)sysconf(_SC_PAGESIZE);
}

double
knng_memory_available_below(const char *root)
{
	char text[TEXT];
	double least = address_space_left(root);
	if (read_text(text, root, "/proc", "", "meminfo"))
		least = fmin(least, 1024 * number_after(text, "MemAvailable:"));
	least = fmin(least, least_of_groups(root, "memory", memory_left));
	return isinf(least) ? 0 : fmax(least, 1);
}

int
knng_processors_allowed_below(const char *root)
{
	double least = ceil(least_of_groups(root, "cpu", processors_left));
	return least < INT_MAX ? (int)fmax(least, 1) : 0;
}

int
knng_processors_allowed(void)
{
	static atomic_int known = -1;
	int allowed = atomic_load(&known);
	if (allowed < 0)
		atomic_store(&known, allowed = knng_processors_allowed_below(""));
	return allowed;
}

static _Atomic double said; /* by a test */

void
knng_memory_set_available(double bytes)
{
	said = bytes;
}

double
knng_memory_available(void)
{
	if (said > 0)
		return said;
	double left = knng_memory_available_below("");
	return left > 0 ? left + (double)knng_sys().spare : 0;
}

knng_status
knng_afford(double bytes, const char *what, knng_err *err)
{
	double free = knng_memory_available();
	double most = free > 0 ? 0.9 * free : 0x1p60; /* nothing says: what no machine has */
	return bytes > most ? knng_fail_memory(err, what, bytes) : KNNG_OK;
}

bool
knng_memory_can_map(int64_t bytes)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	void *p = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
	return p != MAP_FAILED && munmap(p, (size_t)bytes) == 0;
}
