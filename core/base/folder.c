#include "base/folder.h"
#include "base/file.h"
#include "base/sys.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct knng_folder {
	int fd;
};

struct knng_kept {
	int fd;
	int64_t size;
};

/* Counts a call; true: it has to fail. */
static bool
fault(void)
{
	bool fails = knng_sys_fault();
	if (fails)
		errno = EIO;
	return fails;
}

/* A descriptor's owner of so many bytes; the descriptor is closed where there is no memory for it. */
static void *
own(int fd, size_t bytes)
{
	void *owner = fd < 0 ? NULL : knng_calloc(1, bytes);
	if (owner == NULL && fd >= 0) {
		close(fd);
		errno = ENOMEM;
	}
	if (owner != NULL)
		knng_sys_live(1);
	return owner;
}

static void
disown(void *owner, int fd)
{
	close(fd);
	knng_free(owner);
	knng_sys_live(-1);
}

knng_folder *
knng_folder_open(const char *path, bool to_write)
{
	char expanded[PATH_MAX];
	if (fault() || !knng_path_expand(path, expanded) || (to_write && mkdir(expanded, 0777) != 0 && errno != EEXIST))
		return NULL;
	int fd = open(expanded, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* Where a file system has no such locks, nobody is kept out. */
	if (fd >= 0 && to_write && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		close(fd);
		errno = EWOULDBLOCK;
		return NULL;
	}
	knng_folder *f = own(fd, sizeof *f);
	if (f != NULL)
		f->fd = fd;
	return f;
}

void
knng_folder_close(knng_folder *f)
{
	if (f != NULL)
		disown(f, f->fd);
}

bool
knng_folder_each(knng_folder *f, bool (*each)(void *context, const char *name), void *context)
{
	int fd = fault() ? -1 : openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (dir == NULL) {
		int reason = errno;
		if (fd >= 0)
			close(fd);
		errno = reason;
		return false;
	}
	const struct dirent *entry;
	errno = 0;
	while ((entry = readdir(dir)) != NULL && each(context, entry->d_name))
		errno = 0;
	int reason = entry == NULL ? errno : 0;
	closedir(dir);
	errno = reason;
	return reason == 0;
}

double
knng_folder_free(const char *path)
{
	char expanded[PATH_MAX];
	struct statvfs disk;
	if (fault() || !knng_path_expand(path, expanded))
		return -1;
	if (statvfs(expanded, &disk) != 0) { /* the folder above it */
		size_t length = strlen(expanded);
		while (length > 1 && expanded[length - 1] == '/')
			length--;
		while (length > 0 && expanded[length - 1] != '/')
			length--;
		snprintf(expanded + length, 2, ".");
		if (errno != ENOENT || statvfs(expanded, &disk) != 0)
			return -1;
	}
	return (double)disk.f_bavail * (double)disk.f_frsize;
}

bool
knng_folder_remove(knng_folder *f, const char *name)
{
	return !fault() && (unlinkat(f->fd, name, 0) == 0 || errno == ENOENT);
}

/* Some file systems cannot say that a folder, or anything, is on the disk. */
static bool
on_disk(int fd)
{
	return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP;
}

/* Gives a file its size, on the disk; it is not longer then than it was where that fails. */
static bool
claim(const knng_folder *f, int fd, int64_t bytes)
{
	struct stat st;
	if (fstat(fd, &st) != 0)
		return false;
	if (st.st_size == bytes && (int64_t)st.st_blocks * 512 >= bytes)
		return true;
	if ((st.st_size > bytes && ftruncate(fd, bytes) != 0))
		return false;
	int reason = posix_fallocate(fd, 0, bytes);
	if (reason != 0 && st.st_size < bytes && ftruncate(fd, st.st_size) != 0)
		reason = errno;
	errno = reason;
	return reason == 0 && on_disk(fd) && on_disk(f->fd);
}

knng_kept *
knng_kept_open(knng_folder *f, const char *name, int64_t bytes)
{
	struct stat st;
	if (fault())
		return NULL;
	int fd = openat(f->fd, name,
			O_CLOEXEC | O_NOFOLLOW |
				(bytes > 0    ? O_RDWR | O_CREAT
				 : bytes == 0 ? O_RDONLY
					      : O_RDWR),
			0666);
	if (fd >= 0 && ((bytes > 0 && !claim(f, fd, bytes)) || fstat(fd, &st) != 0)) {
		int reason = errno;
		close(fd);
		errno = reason;
		return NULL;
	}
	knng_kept *k = own(fd, sizeof *k);
	if (k != NULL)
		*k = (knng_kept){fd, st.st_size};
	return k;
}

int64_t
knng_kept_size(const knng_kept *k)
{
	return k->size;
}

bool
knng_kept_read(knng_kept *k, int64_t at, void *to, int64_t bytes)
{
	if (fault())
		return false;
	for (int64_t done = 0; done < bytes;) {
		ssize_t n = pread(k->fd, (char *)to + done, (size_t)(bytes - done), at + done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n < 0 ? errno : 0;
			return false;
		}
		done += n;
	}
	return true;
}

bool
knng_kept_write(knng_kept *k, int64_t at, const void *from, int64_t bytes)
{
	if (fault())
		return false;
	for (int64_t done = 0; done < bytes;) {
		ssize_t n = pwrite(k->fd, (const char *)from + done, (size_t)(bytes - done), at + done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		done += n;
	}
	return true;
}

bool
knng_kept_sync(knng_kept *k)
{
	return !fault() && on_disk(k->fd);
}

void
knng_kept_close(knng_kept *k)
{
	if (k != NULL)
		disown(k, k->fd);
}
