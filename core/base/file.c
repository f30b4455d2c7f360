/* file.c  Files, see file.h.
 *
 * zlib's own files (gzread, gzwrite) are not used: they lose bytes when a signal comes in between, and wait for ever
 * for the other end of a pipe. */
#include "base/file.h"
#include "base/sys.h"
#include "base/task.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

enum {
	BUFFER = 1 << 15,  /* of packed bytes */
	STRETCH = 1 << 24, /* that a thread reads of a large read; and how many threads at most */
	READERS = 16,
	PIECE = 1 << 22, /* the most that is read or written in one call, so that the task is looked at in between */
	CLAIM = 1 << 30, /* the most that is claimed in one call */
	WAIT = 50,       /* ms until the task is looked at again */
	LINKS = 40,      /* as many as the kernel follows */
};

/* ---- what both directions need ---- */

static bool
stopped(const knng_task *task)
{
	return task != NULL && knng_task_poll(task, NULL) != KNNG_OK;
}

bool
knng_path_expand(const char *path, char *out)
{
	const char *home = NULL, *rest = path;
	char name[256], text[4096];
	struct passwd entry, *found = NULL;
	if (*path == '~') {
		rest = path + strcspn(path, "/");
		size_t length = (size_t)(rest - path) - 1;
		if (length == 0)
			home = getenv("HOME");
		else if (length < sizeof name) {
			memcpy(name, path + 1, length);
			name[length] = '\0';
			if (getpwnam_r(name, &entry, text, sizeof text, &found) == 0 && found != NULL)
				home = found->pw_dir;
		}
		if (home == NULL || *home == '\0') {
			home = NULL;
			rest = path;
		}
	}
	if (snprintf(out, PATH_MAX, "%s%s", home != NULL ? home : "", rest) < PATH_MAX)
		return true;
	errno = ENAMETOOLONG;
	return false;
}

bool
knng_on_disk(const char *path)
{
	char expanded[PATH_MAX];
	struct stat st;
	return knng_path_expand(path, expanded) && stat(expanded, &st) == 0 && S_ISREG(st.st_mode);
}

bool
knng_is_folder(const char *path)
{
	char expanded[PATH_MAX];
	struct stat st;
	return knng_path_expand(path, expanded) && stat(expanded, &st) == 0 && S_ISDIR(st.st_mode);
}

bool
knng_same_file(const char *a, const char *b)
{
	char path[2][PATH_MAX];
	struct stat st[2];
	return knng_path_expand(a, path[0]) && knng_path_expand(b, path[1]) && stat(path[0], &st[0]) == 0 &&
	       stat(path[1], &st[1]) == 0 && S_ISREG(st[0].st_mode) && st[0].st_dev == st[1].st_dev &&
	       st[0].st_ino == st[1].st_ino;
}

/* The path without its last name, which is returned: "a/b/" is "a/", and b. */
static const char *
cut_name(char *path, char name[PATH_MAX])
{
	size_t length = strlen(path);
	while (length > 1 && path[length - 1] == '/')
		path[--length] = '\0';
	char *last = strrchr(path, '/');
	strcpy(name, last != NULL ? last + 1 : path);
	strcpy(last != NULL ? last + 1 : path, last != NULL ? "" : ".");
	return name;
}

static bool
is_same(const char *a, const char *b)
{
	struct stat st[2];
	return stat(a, &st[0]) == 0 && stat(b, &st[1]) == 0 && st[0].st_dev == st[1].st_dev &&
	       st[0].st_ino == st[1].st_ino;
}

bool
knng_same_place(const char *a, const char *b)
{
	char path[2][PATH_MAX], name[2][PATH_MAX];
	if (!knng_path_expand(a, path[0]) || !knng_path_expand(b, path[1]))
		return false;
	return is_same(path[0], path[1]) ||
	       (strcmp(cut_name(path[0], name[0]), cut_name(path[1], name[1])) == 0 && is_same(path[0], path[1]));
}

/* Waits until the descriptor of a pipe or a device can be read or written; false, and errno: the task says stop. */
static bool
wait_for(int fd, short events, const knng_task *task)
{
	struct pollfd p = {.fd = fd, .events = events};
	while (!stopped(task)) {
		int ready = poll(&p, 1, WAIT);
		if (ready > 0 || (ready < 0 && errno != EINTR && errno != EAGAIN))
			return true; /* the call that follows says what is wrong */
	}
	errno = EINTR;
	return false;
}

static bool
is_regular(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

/* ---- reading ---- */

struct knng_file {
	int fd;
	const knng_task *task;
	bool waits;                                          /* it is a pipe or a device */
	enum { UNKNOWN, PLAIN, PACKED, BETWEEN, END } state; /* BETWEEN: after a gzip stream */
	bool ended;                                          /* the descriptor is at its end */
	z_stream z;
	unsigned char buffer[BUFFER]; /* z.next_in and z.avail_in say what of it is still to be used */
};

/* Opens a file to read it, a pipe before anybody writes to it; -1 and errno. */
static int
open_to_read(const char *path)
{
	char expanded[PATH_MAX];
	return knng_path_expand(path, expanded) ? open(expanded, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
}

knng_file *
knng_file_open(const char *path, const knng_task *task)
{
	if (knng_sys_fault()) {
		errno = EIO;
		return NULL;
	}
	knng_file *f = knng_alloc(1, sizeof *f);
	if (f == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	memset(f, 0, offsetof(knng_file, buffer));
	f->task = task;
	f->fd = open_to_read(path);
	if (f->fd < 0) {
		int reason = errno;
		knng_free(f);
		errno = reason;
		return NULL;
	}
	f->waits = !is_regular(f->fd); /* wait_for waits for the other end */
	f->z.next_in = f->buffer;
	knng_sys_live(1);
	return f;
}

/* Up to `bytes`, 0 at the end, -1 and errno. */
static ssize_t
read_some(knng_file *f, void *to, size_t bytes)
{
	if (f->ended)
		return 0;
	for (;;) {
		if (stopped(f->task)) {
			errno = EINTR;
			return -1;
		}
		if (f->waits && !wait_for(f->fd, POLLIN, f->task))
			return -1;
		ssize_t got = read(f->fd, to, bytes < PIECE ? bytes : PIECE);
		if (got >= 0) {
			f->ended = got == 0;
			return got;
		}
		if (errno != EINTR && errno != EAGAIN)
			return -1;
	}
}

/* More packed bytes, if there are any, behind those that are left; false, and errno: it failed. */
static bool
fill(knng_file *f)
{
	memmove(f->buffer, f->z.next_in, f->z.avail_in);
	f->z.next_in = f->buffer;
	ssize_t got = read_some(f, f->buffer + f->z.avail_in, BUFFER - f->z.avail_in);
	f->z.avail_in += got > 0 ? (unsigned)got : 0;
	return got >= 0;
}

/* What comes next: a gzip stream, or bytes as they are; behind a gzip stream those mean nothing. */
static bool
look(knng_file *f)
{
	while (f->z.avail_in < 2 && !f->ended)
		if (!fill(f))
			return false;
	bool packed = f->z.avail_in >= 2 && f->z.next_in[0] == 0x1F && f->z.next_in[1] == 0x8B;
	if (!packed) {
		f->state = f->state == UNKNOWN ? PLAIN : END;
		return true;
	}
	int code = f->state == UNKNOWN ? inflateInit2(&f->z, 16 + MAX_WBITS) : inflateReset(&f->z);
	if (code != Z_OK) {
		f->state = END;
		errno = ENOMEM;
		return false;
	}
	f->state = PACKED;
	return true;
}

static ssize_t
read_plain(knng_file *f, char *to, size_t bytes)
{
	size_t held = f->z.avail_in < bytes ? f->z.avail_in : bytes;
	if (held == 0)
		return read_some(f, to, bytes);
	memcpy(to, f->z.next_in, held);
	f->z.next_in += held;
	f->z.avail_in -= (unsigned)held;
	return (ssize_t)held;
}

/* The same from a gzip stream; 0: it ended, or its first bytes make none. */
static ssize_t
read_packed(knng_file *f, char *to, size_t bytes)
{
	unsigned room = bytes < PIECE ? (unsigned)bytes : PIECE;
	f->z.next_out = (unsigned char *)to;
	f->z.avail_out = room;
	while (f->z.avail_out == room) {
		if (f->z.avail_in == 0 && !fill(f))
			return -1;
		int code = inflate(&f->z, Z_NO_FLUSH);
		if (code == Z_STREAM_END) {
			f->state = BETWEEN;
			break;
		}
		if (code != Z_OK) { /* damaged; without input, and at the end, it stops in the middle */
			errno = code == Z_MEM_ERROR ? ENOMEM : 0;
			return -1;
		}
	}
	return (ssize_t)(room - f->z.avail_out);
}

int64_t
knng_file_read(knng_file *f, void *buf, int64_t bytes)
{
	int64_t done = 0;
	if (knng_sys_fault()) {
		errno = EIO;
		return -1;
	}
	while (done < bytes && f->state != END) {
		char *to = (char *)buf + done;
		if (f->state == UNKNOWN || f->state == BETWEEN) {
			if (!look(f))
				return -1;
			continue;
		}
		ssize_t got = f->state == PLAIN ? read_plain(f, to, (size_t)(bytes - done))
						: read_packed(f, to, (size_t)(bytes - done));
		if (got < 0)
			return -1;
		if (got == 0 && f->state == PLAIN)
			f->state = END;
		done += got;
	}
	return done;
}

void
knng_file_close(knng_file *f)
{
	if (f == NULL)
		return;
	if (f->z.state != NULL)
		inflateEnd(&f->z);
	close(f->fd);
	knng_sys_live(-1);
	knng_free(f);
}

/* ---- reading at any place ---- */

struct knng_store {
	int fd;
	const knng_task *task;
	struct stat former; /* as it was opened */
};

knng_store *
knng_store_open(const char *path, const knng_task *task)
{
	if (knng_sys_fault()) {
		errno = EIO;
		return NULL;
	}
	knng_store *s = knng_alloc(1, sizeof *s);
	if (s == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	s->task = task;
	s->fd = open_to_read(path);
	bool fine = s->fd >= 0 && fstat(s->fd, &s->former) == 0;
	if (fine && !S_ISREG(s->former.st_mode)) {
		errno = S_ISDIR(s->former.st_mode) ? EISDIR : ESPIPE;
		fine = false;
	}
	if (!fine) {
		int reason = errno;
		if (s->fd >= 0)
			close(s->fd);
		knng_free(s);
		errno = reason;
		return NULL;
	}
	knng_sys_live(1);
	return s;
}

int64_t
knng_store_size(const knng_store *s)
{
	return (int64_t)s->former.st_size;
}

/* Whether nobody has written to it. */
static bool
is_as_before(const knng_store *s, int fd)
{
	struct stat now;
	return fstat(fd, &now) == 0 && now.st_dev == s->former.st_dev && now.st_ino == s->former.st_ino &&
	       now.st_size == s->former.st_size && now.st_mtim.tv_sec == s->former.st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == s->former.st_mtim.tv_nsec;
}

/* A read, by several threads where it is large: a copy out of the system's cache takes as long as one needs for it. */
typedef struct {
	const knng_store *s;
	int64_t at, bytes;
	char *to;
	atomic_int reason; /* errno of one that failed; 0: the file ends before */
} reading;

static knng_status
read_job(void *context, int worker, int64_t job, knng_err *err)
{
	reading *r = context;
	knng_part part = knng_part_of(job, STRETCH, r->bytes);
	(void)worker, (void)err;
	while (part.first < part.end) {
		int64_t left = part.end - part.first;
		ssize_t got = -1;
		if (stopped(r->s->task))
			atomic_store(&r->reason, EINTR);
		else if ((got = pread(r->s->fd, r->to + part.first, (size_t)(left < PIECE ? left : PIECE),
				      (off_t)(r->at + part.first))) < 0 &&
			 errno == EINTR)
			continue;
		else if (got < 0)
			atomic_store(&r->reason, errno);
		if (got <= 0)
			return KNNG_EIO;
		part.first += got;
	}
	return KNNG_OK;
}

bool
knng_store_read(knng_store *s, int64_t at, void *buf, int64_t bytes)
{
	if (knng_sys_fault()) {
		errno = EIO;
		return false;
	}
	reading r = {.s = s, .at = at, .bytes = bytes, .to = buf};
	knng_task silent = {.threads = s->task != NULL ? s->task->threads : 0};
	knng_status status = KNNG_OK;
	if (bytes <= STRETCH) {
		status = read_job(&r, 0, 0, NULL);
	} else {
		int threads = knng_task_threads(&silent);
		status = knng_task_run(&silent, threads < READERS ? threads : (int)READERS, knng_parts(STRETCH, bytes),
				       read_job, &r, NULL);
	}
	errno = atomic_load(&r.reason);
	return status == KNNG_OK && is_as_before(s, s->fd);
}

bool
knng_store_as_before(const knng_store *s)
{
	return is_as_before(s, s->fd);
}

bool
knng_store_is(const knng_store *s, int fd)
{
	return is_as_before(s, fd) && is_as_before(s, s->fd);
}

const knng_task *
knng_store_task(const knng_store *s)
{
	return s->task;
}

/* A file system without locks has none. */
bool
knng_store_locked(const knng_store *s)
{
	if (flock(s->fd, LOCK_SH | LOCK_NB) != 0)
		return errno == EWOULDBLOCK;
	flock(s->fd, LOCK_UN);
	return false;
}

void
knng_store_close(knng_store *s)
{
	if (s == NULL)
		return;
	close(s->fd);
	knng_sys_live(-1);
	knng_free(s);
}

/* ---- writing ---- */

struct knng_out {
	int fd, folder; /* folder: where name and part lie */
	const knng_task *task;
	bool waits, packed;
	bool placed;   /* it is written at any place */
	bool joined;   /* and another process has claimed it */
	bool nameless; /* or it has no name, and is read, too */
	size_t piece;  /* the most that one call writes */
	bool replaces; /* there is a file of this name, which was like `former` */
	struct stat former;
	char name[NAME_MAX + 1];
	char part[48];        /* under which it is written; empty: straight to the name */
	char place[PATH_MAX]; /* the folder, as it was named */
	z_stream z;
	unsigned char buffer[BUFFER];
};

/* Replaces `path` by what it is a link to, if it is one, whether that exists or not; false, and errno: the kernel would
 * not follow it, for it goes in a circle, or lies in a folder of all and is somebody else's. */
static bool
follow(char path[PATH_MAX])
{
	char link[PATH_MAX];
	struct stat st;
	int fd = open(path, O_PATH | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	else if (errno != ENOENT)
		return false;
	if (fd >= 0 && stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return true; /* a pipe or a device is written through the link: that of /dev/stdout leads to no path */
	for (int links = 0;; links++) {
		ssize_t length = readlink(path, link, sizeof link);
		if (length < 0)
			return true; /* no link */
		char *slash = strrchr(path, '/');
		size_t kept = link[0] == '/' || slash == NULL ? 0 : (size_t)(slash - path) + 1;
		if (links == LINKS || kept + (size_t)length >= PATH_MAX) {
			errno = links == LINKS ? ELOOP : ENAMETOOLONG;
			return false;
		}
		memcpy(path + kept, link, (size_t)length);
		path[kept + (size_t)length] = '\0';
	}
}

/* Opens the folder that the file lies in, and notes the file's name in it. */
static bool
open_folder(knng_out *o, const char *path)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
	size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
	memcpy(folder, path, length);
	strcpy(folder + length, length > 0 ? "" : ".");
	if (strlen(name) > NAME_MAX || *name == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		errno = *path == '\0' ? ENOENT : strlen(name) > NAME_MAX ? ENAMETOOLONG : EISDIR;
		return false;
	}
	strcpy(o->name, name);
	strcpy(o->place, folder);
	o->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (o->folder < 0 && errno == EACCES) /* one that may not be listed cannot be synced, but written to */
		o->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return o->folder >= 0;
}

/* A pipe or a device; a pipe has to have somebody who reads it. */
static int
open_straight(const knng_out *o)
{
	for (;;) {
		int fd = openat(o->folder, o->name, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd >= 0 || (errno != ENXIO && errno != EINTR) || !S_ISFIFO(o->former.st_mode))
			return fd;
		poll(NULL, 0, WAIT);
		if (stopped(o->task)) {
			errno = EINTR;
			return -1;
		}
	}
}

enum { TAG = 16 }; /* letters of a machine */

static uint64_t
stir(uint64_t h, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
	return h;
}

/* How the parts of all processes begin that run on this machine while it is not started again: they see each other's
 * locks. Copies of one virtual machine have been started once, and have different names. Empty: nobody says what
 * machine this is. */
static void
name_machine(char start[TAG + 8])
{
	char id[36];
	struct utsname machine;
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, id, sizeof id) : -1;
	if (fd >= 0)
		close(fd);
	start[0] = '\0';
	if (got != sizeof id || uname(&machine) != 0)
		return;
	uint64_t h = stir(stir(0xcbf29ce484222325u, id, sizeof id), machine.nodename, strlen(machine.nodename));
	snprintf(start, TAG + 8, ".knng-%016llx", (unsigned long long)h);
}

/* LOST: another process took it; WITHOUT: there are no locks, or none now. */
typedef enum { LOCKED, LOST, WITHOUT } locking;

/* Sees that this process alone has the file, which still has this name. */
static locking
lock_part(const knng_out *o, int fd)
{
	struct stat there, own;
	while (flock(fd, LOCK_EX | LOCK_NB) != 0)
		if (errno != EINTR)
			return errno == EWOULDBLOCK ? LOST : WITHOUT;
	return fstatat(o->folder, o->part, &there, AT_SYMLINK_NOFOLLOW) == 0 && fstat(fd, &own) == 0 &&
			       there.st_ino == own.st_ino && there.st_dev == own.st_dev
		       ? LOCKED
		       : LOST;
}

/* A file of a new name beside the one to be written, which nobody had there and nobody is led to by a link. It is
 * locked for as long as this process lives, or it is done. One that cannot be locked has a name without the machine's:
 * nobody takes that for one that was left. */
static int
open_part(knng_out *o)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	mode_t mode = o->nameless ? 0600 : o->replaces ? o->former.st_mode & 0777 : 0666;
	int how = (o->nameless ? O_RDWR : O_WRONLY) | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	unsigned char chance[16];
	char start[TAG + 8];
	name_machine(start);
	for (int tries = 0; tries < 100; tries++) {
		char name[sizeof chance + 1] = "";
		if (getrandom(chance, sizeof chance, 0) != sizeof chance)
			break;
		for (size_t i = 0; i < sizeof chance; i++)
			name[i] = letters[chance[i] % 32];
		snprintf(o->part, sizeof o->part, "%s-%s.part", start[0] != '\0' ? start : ".knng", name);
		int fd = openat(o->folder, o->part, how, mode);
		locking locked = fd >= 0 ? lock_part(o, fd) : LOST;
		if (fd >= 0 && (locked == LOCKED || start[0] == '\0'))
			return fd;
		if (fd < 0 && errno != EEXIST)
			return fd;
		if (locked == WITHOUT) {
			unlinkat(o->folder, o->part, 0);
			start[0] = '\0';
		}
		if (fd >= 0)
			close(fd);
		errno = EEXIST;
	}
	return -1;
}

/* Removes this part, if its process has been killed: nobody has it locked. */
static void
remove_left(const knng_out *o, const char *name)
{
	struct stat there, own;
	int fd = openat(o->folder, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && fstat(fd, &own) == 0 && S_ISREG(own.st_mode) && own.st_nlink == 1 &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0 && fstatat(o->folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	    there.st_ino == own.st_ino && there.st_dev == own.st_dev)
		unlinkat(o->folder, name, 0);
	if (fd >= 0)
		close(fd);
}

/* Removes what killed processes of this machine have left in the folder. Those of others stay: their locks may not be
 * seen here. */
static void
remove_all_left(const knng_out *o)
{
	char start[TAG + 8];
	name_machine(start);
	int fd = start[0] == '\0' ? -1 : openat(o->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	if (folder == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	const struct dirent *entry;
	while ((entry = readdir(folder)) != NULL) {
		size_t length = strlen(entry->d_name), own = strlen(start);
		if (length == own + 22 && strncmp(entry->d_name, start, own) == 0 && entry->d_name[own] == '-' &&
		    strcmp(entry->d_name + length - 5, ".part") == 0 && strcmp(entry->d_name, o->part) != 0)
			remove_left(o, entry->d_name);
	}
	closedir(folder);
}

/* What it was opened with stays as it is, so that a write of more than the pipe takes at once would wait. */
static int
open_standard_output(knng_out *o)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	o->waits = fd >= 0 && !is_regular(fd);
	o->piece = o->waits ? PIPE_BUF : PIECE;
	return fd;
}

/* Whether the path is what standard output writes to, as /dev/stdout is: a file that a shell has opened is written on
 * then, and not replaced. */
static bool
is_standard_output(const char *path)
{
	struct stat file, standard;
	return stat(path, &file) == 0 && fstat(STDOUT_FILENO, &standard) == 0 && file.st_dev == standard.st_dev &&
	       file.st_ino == standard.st_ino;
}

static int
open_out(knng_out *o)
{
	if (fstatat(o->folder, o->name, &o->former, 0) == 0) {
		if (S_ISDIR(o->former.st_mode)) {
			errno = EISDIR;
			return -1;
		}
		if (!S_ISREG(o->former.st_mode) && o->placed) {
			errno = ESPIPE;
			return -1;
		}
		if (!S_ISREG(o->former.st_mode)) {
			o->waits = true;
			return open_straight(o);
		}
		o->replaces = true;
		if (faccessat(o->folder, o->name, W_OK, AT_EACCESS) != 0)
			return -1;
	} else if (errno != ENOENT)
		return -1;
	return open_part(o);
}

static void
free_out(knng_out *o)
{
	if (o->z.state != NULL)
		deflateEnd(&o->z);
	if (o->fd >= 0)
		close(o->fd);
	if (o->folder >= 0)
		close(o->folder);
	knng_free(o);
}

/* One that writes nothing yet; NULL, and errno. */
static knng_out *
new_out(const knng_task *task)
{
	knng_out *o = knng_alloc(1, sizeof *o);
	if (o == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	memset(o, 0, offsetof(knng_out, buffer));
	o->task = task;
	o->fd = o->folder = -1;
	o->piece = PIECE;
	return o;
}

/* Gives out what was made, or frees it, as all went well or not. */
static knng_out *
give_out(knng_out *o, bool fine)
{
	int reason = errno;
	if (fine) {
		knng_sys_live(1);
		return o;
	}
	if (o->part[0] != '\0')
		unlinkat(o->folder, o->part, 0);
	free_out(o);
	errno = reason;
	return NULL;
}

/* Opens what the path, with ~ replaced, stands for. */
static bool
open_path(knng_out *o, char target[PATH_MAX])
{
	return follow(target) && open_folder(o, target) && (o->fd = open_out(o)) >= 0;
}

/* Opens standard output, if that is meant; *named: a file is, at `target`, which is still to be opened. */
static bool
find_target(knng_out *o, const char *path, char target[PATH_MAX], bool *named)
{
	*named = false;
	if (knng_sys_fault()) {
		errno = EIO;
		return false;
	}
	if (path != NULL && !knng_path_expand(path, target))
		return false;
	*named = path != NULL && !is_standard_output(target);
	return *named || (o->fd = open_standard_output(o)) >= 0;
}

knng_out *
knng_out_create(const char *path, const knng_task *task)
{
	char target[PATH_MAX];
	size_t length = path != NULL ? strlen(path) : 0;
	knng_out *o = new_out(task);
	if (o == NULL)
		return NULL;
	o->packed = length > 3 && strcmp(path + length - 3, ".gz") == 0;
	bool named, fine = find_target(o, path, target, &named);
	if (fine && named)
		fine = open_path(o, target);
	if (fine && o->packed && deflateInit2(&o->z, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
		errno = ENOMEM;
		fine = false;
	}
	o->z.next_out = o->buffer;
	o->z.avail_out = BUFFER;
	return give_out(o, fine);
}

/* Gives the file its size, on the disk. */
static bool
claim(const knng_out *o, int64_t bytes)
{
	for (int64_t done = 0; done < bytes;) {
		int64_t step = bytes - done < CLAIM ? bytes - done : CLAIM;
		int reason = stopped(o->task) ? EINTR : posix_fallocate(o->fd, (off_t)done, (off_t)step);
		if (reason != 0 && (reason != EINTR || stopped(o->task))) {
			errno = reason;
			return false;
		}
		done += reason == 0 ? step : 0;
	}
	return true;
}

knng_out *
knng_out_claim(const char *path, int64_t bytes, const knng_task *task)
{
	char target[PATH_MAX];
	knng_out *o = new_out(task);
	if (o == NULL)
		return NULL;
	o->placed = true;
	bool fine = !knng_sys_fault();
	if (!fine)
		errno = EIO;
	fine = fine && knng_path_expand(path, target);
	if (fine && is_standard_output(target)) {
		errno = ESPIPE;
		fine = false;
	}
	fine = fine && open_path(o, target);
	if (fine)
		remove_all_left(o); /* which may be as large */
	return give_out(o, fine && claim(o, bytes));
}

/* Takes the file's name away: it lasts as long as its descriptor. */
static bool
unname(knng_out *o)
{
	if (unlinkat(o->folder, o->part, 0) != 0)
		return false;
	o->part[0] = '\0';
	return true;
}

/* A file that never has a name, so that a process that is killed at any moment leaves none; not all disks have such. */
static int
open_nameless(const knng_out *o)
{
	return openat(o->folder, ".", O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
}

knng_out *
knng_out_scratch(const char *path, int64_t bytes, const knng_task *task)
{
	char target[PATH_MAX];
	knng_out *o = new_out(task);
	if (o == NULL)
		return NULL;
	o->placed = o->nameless = true;
	bool fine = !knng_sys_fault();
	if (!fine)
		errno = EIO;
	fine = fine && knng_path_expand(path, target) && follow(target) && open_folder(o, target) &&
	       ((o->fd = open_nameless(o)) >= 0 || ((o->fd = open_part(o)) >= 0 && unname(o))) && claim(o, bytes);
	o->task = NULL;
	return give_out(o, fine);
}

/* Whether the file that is open could be made; a pipe or a device is asked for its rights alone. */
static bool
can_place(knng_out *o)
{
	bool there = fstatat(o->folder, o->name, &o->former, 0) == 0;
	if (there && !S_ISREG(o->former.st_mode) && !S_ISDIR(o->former.st_mode))
		return faccessat(o->folder, o->name, W_OK, AT_EACCESS) == 0;
	return (o->fd = open_out(o)) >= 0 && unname(o);
}

bool
knng_out_can(const char *path)
{
	char target[PATH_MAX];
	knng_out *o = new_out(NULL);
	if (o == NULL)
		return false;
	bool named, fine = find_target(o, path, target, &named);
	if (fine && named)
		fine = follow(target) && open_folder(o, target) && can_place(o);
	o = give_out(o, fine);
	return o != NULL && knng_out_done(o, false) == 0;
}

/* Writes all of it to the descriptor. */
static int
write_all(knng_out *o, const void *buf, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		if (stopped(o->task)) {
			errno = EINTR;
			return -1;
		}
		if (o->waits && !wait_for(o->fd, POLLOUT, o->task))
			return -1;
		size_t left = bytes - done;
		ssize_t put = write(o->fd, (const char *)buf + done, left < o->piece ? left : o->piece);
		if (put < 0 && errno != EINTR && errno != EAGAIN)
			return -1;
		done += put > 0 ? (size_t)put : 0;
	}
	return 0;
}

/* Packs what z has as its input; with Z_FINISH to the end of the stream. */
static int
pack(knng_out *o, int flush)
{
	for (;;) {
		int code = deflate(&o->z, flush);
		if (o->z.avail_out > 0 && flush == Z_NO_FLUSH)
			return 0;
		if (write_all(o, o->buffer, BUFFER - o->z.avail_out) != 0)
			return -1;
		o->z.next_out = o->buffer;
		o->z.avail_out = BUFFER;
		if (code == Z_STREAM_END)
			return 0;
	}
}

int
knng_out_write(knng_out *o, const void *buf, int64_t bytes)
{
	if (knng_sys_fault()) {
		errno = EIO;
		return -1;
	}
	if (!o->packed)
		return write_all(o, buf, (size_t)bytes);
	for (int64_t done = 0; done < bytes; done += PIECE) {
		o->z.next_in = (unsigned char *)buf + done; /* zlib does not write there */
		o->z.avail_in = bytes - done < PIECE ? (unsigned)(bytes - done) : PIECE;
		if (pack(o, Z_NO_FLUSH) != 0)
			return -1;
	}
	return 0;
}

bool
knng_out_part(const knng_out *o, char *path)
{
	if (realpath(o->place, path) == NULL)
		return false;
	size_t length = strlen(path);
	if (length + 1 + strlen(o->part) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	snprintf(path + length, PATH_MAX - length, "%s%s", length > 1 ? "/" : "", o->part);
	return true;
}

knng_out *
knng_out_join(const char *part, const knng_task *task)
{
	knng_out *o = new_out(task);
	if (o == NULL)
		return NULL;
	o->placed = o->joined = true;
	bool fine = !knng_sys_fault();
	if (!fine)
		errno = EIO;
	fine = fine && (o->fd = open(part, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) >= 0;
	if (fine && !is_regular(o->fd)) {
		errno = ESPIPE;
		fine = false;
	}
	return give_out(o, fine);
}

int
knng_out_write_at(knng_out *o, int64_t at, const void *buf, int64_t bytes)
{
	if (knng_sys_fault()) {
		errno = EIO;
		return -1;
	}
	for (int64_t done = 0; done < bytes;) {
		if (stopped(o->task)) {
			errno = EINTR;
			return -1;
		}
		int64_t left = bytes - done;
		ssize_t put = pwrite(o->fd, (const char *)buf + done, (size_t)(left < PIECE ? left : PIECE),
				     (off_t)(at + done));
		if (put < 0 && errno != EINTR)
			return -1;
		done += put > 0 ? put : 0;
	}
	return 0;
}

int
knng_out_read_at(knng_out *o, int64_t at, void *buf, int64_t bytes)
{
	if (knng_sys_fault()) {
		errno = EIO;
		return -1;
	}
	for (int64_t done = 0; done < bytes;) {
		int64_t left = bytes - done;
		ssize_t got =
			pread(o->fd, (char *)buf + done, (size_t)(left < PIECE ? left : PIECE), (off_t)(at + done));
		if (got == 0)
			errno = EIO; /* somebody has cut it off */
		if (got == 0 || (got < 0 && errno != EINTR))
			return -1;
		done += got > 0 ? got : 0;
	}
	return 0;
}

/* The rights and the owner of the file that is replaced. Where the group cannot be had, it gets no rights. */
static int
copy_rights(const knng_out *o)
{
	mode_t mode = o->former.st_mode & 0777;
	struct stat st;
	if (fstat(o->fd, &st) != 0)
		return -1;
	bool same_user = st.st_uid == o->former.st_uid, same_group = st.st_gid == o->former.st_gid;
	if ((!same_user || !same_group) && fchown(o->fd, o->former.st_uid, o->former.st_gid) != 0 && !same_group &&
	    fchown(o->fd, (uid_t)-1, o->former.st_gid) != 0)
		mode &= ~(mode_t)070;
	return fchmod(o->fd, mode);
}

/* Has what was written on the disk; some file systems know no such thing. */
static int
sync_out(const knng_out *o)
{
	return fsync(o->fd) != 0 && errno != EINVAL && errno != ENOTSUP ? -1 : 0;
}

/* The same, and then under its name. */
static int
keep_part(knng_out *o)
{
	if ((o->replaces && copy_rights(o) != 0) || sync_out(o) != 0)
		return -1;
	int lock = fcntl(o->fd, F_DUPFD_CLOEXEC, 0), fd = o->fd; /* the lock stays until it has its name */
	o->fd = lock;
	if (lock < 0) {
		int reason = errno;
		close(fd);
		errno = reason;
		return -1;
	}
	if (close(fd) != 0 || renameat(o->folder, o->part, o->folder, o->name) != 0)
		return -1;
	(void)fsync(o->folder); /* it has its name; there is nothing left to undo */
	return 0;
}

int
knng_out_done(knng_out *o, bool keep)
{
	int reason = 0;
	if (knng_sys_fault())
		reason = EIO;
	else if (keep && ((o->packed && pack(o, Z_FINISH) != 0) || (o->part[0] != '\0' && keep_part(o) != 0) ||
			  (o->joined && sync_out(o) != 0)))
		reason = errno;
	if (o->part[0] != '\0' && (!keep || reason != 0))
		unlinkat(o->folder, o->part, 0);
	knng_sys_live(-1);
	free_out(o);
	errno = reason;
	return reason == 0 ? 0 : -1;
}
