/* fuzzing.h  What the programs share that throw damaged files at the readers (tests/unit/fuzz_*.c).
 *
 * Most of what such a program did was to wait for the system: for a disk, for pages that the sanitizer gives back and
 * asks for again, and to copy these for each child. So files lie in memory, and what was freed is kept for as long as a
 * file or two are read: long enough to see that any of it is used again. */
#ifndef FUZZING_H
#define FUZZING_H

#include "sanitizer.h"
#include "testing.h"

#include <fcntl.h>

/* A new folder of this program, in memory where there is such a place; to be removed by remove_folder. */
static inline void
make_folder(char *folder, size_t size)
{
	const char *place = getenv("TMPDIR");
	if (access("/dev/shm", W_OK | X_OK) == 0)
		place = "/dev/shm";
	snprintf(folder, size, "%s/knng-fuzz-XXXXXX", place != NULL ? place : "/tmp");
	if (mkdtemp(folder) == NULL)
		abort();
}

/* An empty file that stays open, so that its bytes can be changed without asking for its name again. */
static inline int
make_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		abort();
	return fd;
}

static inline void
set_bytes(int fd, const void *bytes, size_t size)
{
	if (ftruncate(fd, (off_t)size) != 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size)
		abort();
}

/* File `run` of a seed is always the same. */
static inline void
start_file(uint64_t seed, int64_t run)
{
	random_state = (seed << 40) + (uint64_t)run;
}

#endif
