/* available.c  What the machine could still give, or the container or batch job that this process is in, if that is
 * less.
 *
 * A control group (cgroup) has a limit and a use, and so has each group that it lies in. Of the use, file pages that
 * nobody has touched lately are given up before the limit is felt. Inside a container the path that /proc/self/cgroup
 * names may be one of the machine outside, while the group itself is mounted as the root: so whatever is missing on the
 * way up is skipped. */
#include "base/file.h"
#include "base/sys.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { TEXT = 8192 };

static const struct {
	const char *controller, *mounted, *limit, *used, *inactive;
} versions[] = {
	{"", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "},
	{"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "},
};

/* The beginning of a file as text; false: it is not there, or says nothing. */
static bool
read_text(char text[TEXT], const char *root, const char *folder, const char *group, const char *file)
{
	char path[PATH_MAX];
	if (snprintf(path, sizeof path, "%s%s%s/%s", root, folder, group, file) >= (int)sizeof path)
		return false;
	knng_file *f = knng_file_open(path, NULL);
	int64_t got = f == NULL ? 0 : knng_file_read(f, text, TEXT - 1);
	knng_file_close(f);
	text[got > 0 ? got : 0] = 0;
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

/* What the limits of a group, and of those that it lies in, leave; Inf without any. Cuts the path of the group up. */
static double
group_leaves(const char *root, int version, char *group)
{
	char text[TEXT];
	double least = INFINITY;
	for (size_t length = strlen(group);; length = strlen(group)) {
		while (length > 0 && group[length - 1] == '/')
			group[--length] = 0;
		/* "max", or in version 1 nearly 2^63: no limit */
		if (read_text(text, root, versions[version].mounted, group, versions[version].limit) &&
		    isdigit((unsigned char)text[0]) && strtod(text, NULL) < 0x1p62) {
			double left = strtod(text, NULL);
			if (read_text(text, root, versions[version].mounted, group, versions[version].used))
				left -= strtod(text, NULL);
			if (read_text(text, root, versions[version].mounted, group, "memory.stat"))
				left += fmax(0, number_after(text, versions[version].inactive));
			least = fmin(least, left);
		}
		if (length == 0)
			return least;
		*strrchr(group, '/') = 0;
	}
}

double
knng_memory_available_below(const char *root)
{
	char text[TEXT];
	double least = INFINITY;
	if (read_text(text, root, "/proc", "", "meminfo"))
		least = fmin(least, 1024 * number_after(text, "MemAvailable:"));
	if (!read_text(text, root, "/proc", "/self", "cgroup"))
		text[0] = 0;
	/* Lines such as 0::/user.slice/session or 4:memory:/job_7 */
	for (char *line = text, *next; line != NULL; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = 0;
		char *controller = strchr(line, ':'), *group = controller == NULL ? NULL : strchr(controller + 1, ':');
		if (group == NULL || group[1] != '/')
			continue;
		*group++ = 0;
		for (int v = 0; v < 2; v++)
			if (strcmp(controller + 1, versions[v].controller) == 0)
				least = fmin(least, group_leaves(root, v, group));
	}
	return isinf(least) ? 0 : fmax(least, 1);
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
