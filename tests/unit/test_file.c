/* test_file  Files: what stands under a name while it is written and after, with links, rights and long names as users
 * have them; pipes, whose other end may never come; signals in the middle; ~; what killed processes leave. */
#include "base/file.h"
#include "base/sys.h"
#include "testing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <zlib.h>

static char folder[] = "/tmp/knng-test-file-XXXXXX";
static knng_task never; /* nothing stops it */

/* A path in the folder; four of them may be used at a time. */
static const char *
at(const char *name)
{
	static _Thread_local char text[4][PATH_MAX];
	static _Thread_local int next;
	next = (next + 1) % 4;
	snprintf(text[next], sizeof text[next], "%s/%s", folder, name);
	return text[next];
}

static void
put(const char *name, const char *text, mode_t mode)
{
	FILE *f = fopen(at(name), "w");
	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0 || chmod(at(name), mode) != 0)
		abort();
}

/* The text of a file, "" without one. */
static const char *
content(const char *path)
{
	static char text[256];
	FILE *f = fopen(path, "r");
	size_t got = f != NULL ? fread(text, 1, sizeof text - 1, f) : 0;
	text[got] = '\0';
	if (f != NULL)
		fclose(f);
	return text;
}

static unsigned
rights(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? (unsigned)st.st_mode & 07777 : 0;
}

static int
files_there(void)
{
	int count = 0;
	DIR *d = opendir(folder);
	while (d != NULL && readdir(d) != NULL)
		count++;
	closedir(d);
	return count - 2;
}

/* Writes it whole; 0, or what was wrong. */
static int
write_text(const char *path, const char *text)
{
	knng_out *o = knng_out_create(path, &never);
	if (o == NULL)
		return errno;
	int bad = knng_out_write(o, text, (int64_t)strlen(text)) != 0 ? errno : 0;
	return knng_out_done(o, bad == 0) == 0 ? 0 : errno;
}

/* ---- what a name stands for ---- */

static char order[8]; /* f: a file was synced, r: renamed, d: a folder was synced */

static void
note(char what)
{
	size_t length = strlen(order);
	if (length + 1 < sizeof order) {
		order[length] = what;
		order[length + 1] = '\0';
	}
}

/* In place of the C library's. */
int
fsync(int fd)
{
	struct stat st;
	note(fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) ? 'd' : 'f');
	return (int)syscall(SYS_fsync, fd);
}

int
renameat(int from, const char *old, int to, const char *new)
{
	note('r');
	return (int)syscall(SYS_renameat2, from, old, to, new, 0);
}

static void
test_whole(void)
{
	put("out", "before", 0644);
	order[0] = '\0';
	knng_out *o = knng_out_create(at("out"), &never);
	CHECK(o != NULL && knng_out_write(o, "after", 5) == 0, "%s", strerror(errno));
	CHECK(strcmp(content(at("out")), "before") == 0 && files_there() == 2, "%s", content(at("out")));
	CHECK(knng_out_done(o, true) == 0 && strcmp(content(at("out")), "after") == 0, "%s", content(at("out")));
	CHECK(strcmp(order, "frd") == 0, "on the disk before it has its name, and the name then: %s", order);
	o = knng_out_create(at("out"), &never);
	CHECK(o != NULL && knng_out_write(o, "dropped", 7) == 0 && knng_out_done(o, false) == 0, "%s", strerror(errno));
	CHECK(strcmp(content(at("out")), "after") == 0 && files_there() == 1, "%s", content(at("out")));
	/* Two at once: each is whole, the later one stays. */
	knng_out *one = knng_out_create(at("out"), &never), *two = knng_out_create(at("out"), &never);
	CHECK(one != NULL && two != NULL && knng_out_write(one, "one", 3) == 0 && knng_out_write(two, "two2", 4) == 0,
	      "%s", strerror(errno));
	CHECK(knng_out_done(two, true) == 0 && strcmp(content(at("out")), "two2") == 0, "%s", content(at("out")));
	CHECK(knng_out_done(one, true) == 0 && strcmp(content(at("out")), "one") == 0, "%s", content(at("out")));
	unlink(at("out"));
	CHECK(files_there() == 0 && knng_sys().live == 0, "%d files", files_there());
}

/* Links that lie there lead nowhere, unless it is the file itself that is one. */
static void
test_links(void)
{
	char planted[64];
	put("victim", "safe", 0644);
	snprintf(planted, sizeof planted, "out.%ld.part", (long)getpid());
	CHECK(symlink("victim", at(planted)) == 0 && symlink("victim", at("out.part")) == 0, "no links");
	CHECK(write_text(at("out"), "new") == 0 && strcmp(content(at("victim")), "safe") == 0, "%s",
	      content(at("victim")));
	struct stat st;
	CHECK(lstat(at("out"), &st) == 0 && S_ISREG(st.st_mode) && strcmp(content(at("out")), "new") == 0, "no file");
	unlink(at(planted));
	unlink(at("out.part"));
	unlink(at("out"));

	/* To a file, over another link, and to one that is not there yet. */
	CHECK(mkdir(at("sub"), 0755) == 0 && symlink("../second", at("sub/first")) == 0 &&
		      symlink("victim", at("second")) == 0 && symlink("sub/made", at("dangling")) == 0 &&
		      symlink("circle", at("circle")) == 0 && symlink("none/made", at("nowhere")) == 0,
	      "no links");
	CHECK(write_text(at("sub/first"), "led") == 0 && strcmp(content(at("victim")), "led") == 0, "%s",
	      content(at("victim")));
	CHECK(lstat(at("second"), &st) == 0 && S_ISLNK(st.st_mode), "the link is gone");
	CHECK(write_text(at("dangling"), "made") == 0 && strcmp(content(at("sub/made")), "made") == 0, "%s",
	      content(at("sub/made")));
	CHECK(lstat(at("dangling"), &st) == 0 && S_ISLNK(st.st_mode), "the link is gone");
	CHECK(write_text(at("circle"), "x") == ELOOP, "a circle");
	CHECK(write_text(at("nowhere"), "x") == ENOENT, "a folder that is not there");
	CHECK(write_text(at("sub"), "x") == EISDIR && write_text(at("sub/"), "x") == EISDIR &&
		      write_text(at("sub/.."), "x") == EISDIR && write_text("", "x") == ENOENT,
	      "folders");
	char *from = getcwd(NULL, 0);
	CHECK(from != NULL && chdir(folder) == 0 && write_text("here", "relative") == 0 &&
		      strcmp(content(at("here")), "relative") == 0,
	      "%s", content(at("here")));
	if (from == NULL || chdir(from) != 0)
		abort();
	free(from);
	static const char *const made[] = {"here",     "victim",   "second", "sub/first",
					   "sub/made", "dangling", "circle", "nowhere"};
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		unlink(at(made[i]));
	rmdir(at("sub"));
	CHECK(files_there() == 0 && knng_sys().live == 0, "%d files", files_there());
}

static void
test_rights(void)
{
	static const unsigned modes[] = {0600, 0640, 0644, 0666, 0755, 0200};
	mode_t before = umask(027);
	CHECK(write_text(at("new"), "x") == 0 && rights(at("new")) == 0640, "%o", rights(at("new")));
	umask(0);
	for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
		put("old", "x", modes[m]);
		knng_out *o = knng_out_create(at("old"), &never);
		CHECK(o != NULL && knng_out_write(o, "y", 1) == 0, "%s", strerror(errno));
		struct dirent *e;
		DIR *d = opendir(folder);
		while (o != NULL && (e = readdir(d)) != NULL) /* nor may more people see it while it is made */
			CHECK(strstr(e->d_name, ".part") == NULL || (rights(at(e->d_name)) & ~modes[m]) == 0, "%s",
			      e->d_name);
		closedir(d);
		CHECK(knng_out_done(o, true) == 0 && rights(at("old")) == modes[m], "%o is %o", modes[m],
		      rights(at("old")));
		unlink(at("old"));
	}
	umask(before);
	/* What may not be written is not replaced. Root may write all. */
	bool root = geteuid() == 0;
	if (chmod(folder, 0777) != 0 || (root && seteuid(65534) != 0))
		abort();
	put("kept", "x", 0444);
	CHECK(write_text(at("kept"), "y") == EACCES && strcmp(content(at("kept")), "x") == 0, "%s",
	      content(at("kept")));
	if (root && seteuid(0) != 0)
		abort();
	if (root) {
		struct stat st;
		CHECK(write_text(at("kept"), "y") == 0 && rights(at("kept")) == 0444 && stat(at("kept"), &st) == 0 &&
			      st.st_uid == 65534,
		      "%o", rights(at("kept")));
	}
	unlink(at("kept"));
	unlink(at("new"));
	CHECK(files_there() == 0 && knng_sys().live == 0, "%d files", files_there());
}

static void
test_names(void)
{
	char name[300];
	for (size_t length = 240; length <= 256; length++) {
		memset(name, 'n', length);
		strcpy(name + length - 4, ".knn");
		int bad = write_text(at(name), "x");
		CHECK(bad == (length <= 255 ? 0 : ENAMETOOLONG), "%zu: %s", length, strerror(bad));
		unlink(at(name));
	}
	char *far = room(2 * PATH_MAX, 1);
	memset(far, '/', 2 * PATH_MAX);
	far[2 * PATH_MAX - 1] = '\0';
	CHECK(write_text(far, "x") == ENAMETOOLONG && knng_file_open(far, &never) == NULL && errno == ENAMETOOLONG,
	      "%s", strerror(errno));
	free(far);

	const char *home = getenv("HOME");
	char *before = home != NULL ? strdup(home) : NULL, text[8];
	setenv("HOME", folder, 1);
	CHECK(write_text("~/tilde", "home") == 0 && strcmp(content(at("tilde")), "home") == 0, "%s",
	      content(at("tilde")));
	knng_file *f = knng_file_open("~/tilde", &never);
	CHECK(f != NULL && knng_file_read(f, text, 8) == 4 && memcmp(text, "home", 4) == 0, "%s", strerror(errno));
	knng_file_close(f);
	CHECK(write_text("~", "x") == EISDIR, "the folder itself");
	CHECK(write_text("~nobody here/x", "x") == ENOENT && knng_file_open("~nobody here/x", NULL) == NULL,
	      "nobody's folder");
	f = knng_file_open("~root/../dev/null", NULL);
	CHECK(f != NULL, "%s", strerror(errno));
	knng_file_close(f);
	unsetenv("HOME");
	CHECK(knng_file_open("~/tilde", NULL) == NULL && errno == ENOENT, "without HOME");
	if (before != NULL)
		setenv("HOME", before, 1);
	free(before);
	unlink(at("tilde"));
	CHECK(files_there() == 0 && knng_sys().live == 0, "%d files", files_there());
}

/* Standard output, into a file and into a pipe. */
static void
test_standard_output(void)
{
	char text[16] = "";
	int kept = dup(STDOUT_FILENO), file = open(at("stdout"), O_WRONLY | O_CREAT | O_TRUNC, 0600), ends[2];
	fflush(stdout);
	if (kept < 0 || file < 0 || pipe(ends) != 0)
		abort();
	dup2(file, STDOUT_FILENO);
	int in_file = write_text(NULL, "a file");
	dup2(ends[1], STDOUT_FILENO);
	int in_pipe = write_text(NULL, "a pipe");
	dup2(kept, STDOUT_FILENO);
	CHECK(in_file == 0 && strcmp(content(at("stdout")), "a file") == 0, "%s", content(at("stdout")));
	CHECK(in_pipe == 0 && read(ends[0], text, sizeof text - 1) == 6 && strcmp(text, "a pipe") == 0, "%s", text);
	close(ends[0]);
	close(ends[1]);
	close(file);
	close(kept);
	unlink(at("stdout"));
	CHECK(files_there() == 0 && knng_sys().live == 0, "%d files", files_there());
}

/* ---- gzip ---- */

/* The bytes of a file, which the caller frees. */
static unsigned char *
bytes_of(const char *path, int64_t *count)
{
	FILE *f = fopen(path, "rb");
	if (f == NULL || fseek(f, 0, SEEK_END) != 0)
		abort();
	*count = ftell(f);
	rewind(f);
	unsigned char *bytes = room(*count, 1);
	if (fread(bytes, 1, (size_t)*count, f) != (size_t)*count)
		abort();
	fclose(f);
	return bytes;
}

static int64_t
read_all(const char *path, char *to, int64_t most, int64_t piece)
{
	int64_t done = 0, got;
	knng_file *f = knng_file_open(path, &never);
	if (f == NULL)
		return -2;
	while ((got = knng_file_read(f, to + done, done + piece < most ? piece : most - done)) > 0)
		done += got;
	if (got < 0)
		done = errno == 0 ? -1 : -2;
	knng_file_close(f);
	return done;
}

/* Any text, in pieces of any size, against zlib's own files. */
static void
test_gzip(void)
{
	enum { MOST = 3 << 20 };
	char *text = room(MOST, 1), *back = room(MOST + 1, 1);
	for (int64_t i = 0; i < MOST; i++)
		text[i] = (char)(i % 1000 < 500 ? 'a' + random_below(4) : ' ');
	static const int64_t sizes[] = {0, 1, 2, 1000, 262144, 262145, MOST};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		int64_t size = sizes[s], ours, theirs;
		knng_out *o = knng_out_create(at("ours.gz"), &never);
		for (int64_t done = 0, piece; done < size; done += piece) {
			piece = 1 + random_below(size - done);
			CHECK(knng_out_write(o, text + done, piece) == 0, "%s", strerror(errno));
		}
		CHECK(knng_out_done(o, true) == 0, "%s", strerror(errno));
		gzFile gz = gzopen(at("theirs.gz"), "wb1");
		if (gz == NULL || (size > 0 && gzwrite(gz, text, (unsigned)size) != size) || gzclose(gz) != Z_OK)
			abort();
		unsigned char *a = bytes_of(at("ours.gz"), &ours), *b = bytes_of(at("theirs.gz"), &theirs);
		CHECK(ours == theirs && memcmp(a, b, (size_t)ours) == 0, "%lld and %lld bytes", (long long)ours,
		      (long long)theirs);
		int64_t got = read_all(at("ours.gz"), back, MOST + 1, 1 + random_below(100000));
		CHECK(got == size && memcmp(back, text, (size_t)size) == 0, "%lld of %lld", (long long)got,
		      (long long)size);
		/* Two streams in one file, and something else behind them. */
		FILE *f = fopen(at("twice"), "wb");
		if (f == NULL || fwrite(a, 1, (size_t)ours, f) != (size_t)ours ||
		    fwrite(a, 1, (size_t)ours, f) != (size_t)ours || fputs("rest", f) < 0 || fclose(f) != 0)
			abort();
		char *both = room(2 * size + 1, 1);
		got = read_all(at("twice"), both, 2 * size + 1, 70000);
		CHECK(got == 2 * size && memcmp(both, text, (size_t)size) == 0 &&
			      memcmp(both + size, text, (size_t)size) == 0,
		      "%lld of %lld", (long long)got, 2 * (long long)size);
		/* Cut off, and damaged. */
		for (int64_t cut = 2; cut < ours; cut += 1 + ours / 7) {
			CHECK(truncate(at("ours.gz"), cut) == 0 && read_all(at("ours.gz"), back, MOST + 1, 65536) == -1,
			      "%lld of %lld bytes", (long long)cut, (long long)ours);
			f = fopen(at("ours.gz"), "wb");
			if (f == NULL || fwrite(a, 1, (size_t)ours, f) != (size_t)ours || fclose(f) != 0)
				abort();
		}
		a[ours - 6] ^= 1; /* the checksum */
		f = fopen(at("ours.gz"), "wb");
		if (f == NULL || fwrite(a, 1, (size_t)ours, f) != (size_t)ours || fclose(f) != 0)
			abort();
		CHECK(read_all(at("ours.gz"), back, MOST + 1, 65536) == -1, "a wrong checksum");
		free(both);
		free(a);
		free(b);
	}
	unlink(at("ours.gz"));
	unlink(at("theirs.gz"));
	unlink(at("twice"));
	free(text);
	free(back);
	CHECK(files_there() == 0 && knng_sys().live == 0, "%d files", files_there());
}

/* ---- pipes ---- */

static volatile sig_atomic_t stop;

static void *
stop_soon(void *context)
{
	(void)context;
	usleep(100000);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* The other end never comes, or does nothing: the task is heard. Without that this never ends. */
static void
test_waiting(void)
{
	knng_task task = {.interrupt = &stop};
	pthread_t other;
	char *text = room(1 << 20, 1);
	memset(text, 'x', 1 << 20);
	if (mkfifo(at("fifo"), 0600) != 0)
		abort();
	for (int way = 0; way < 4; way++) {
		int end = way < 2 ? -1 : open(at("fifo"), O_RDWR);
		int64_t live = knng_sys().live;
		stop = 0;
		if (pthread_create(&other, NULL, stop_soon, NULL) != 0)
			abort();
		errno = 0;
		if (way % 2 == 0) {
			knng_file *f = knng_file_open(at("fifo"), &task);
			CHECK(f != NULL && knng_file_read(f, text, 10) == -1 && errno == EINTR, "way %d: %s", way,
			      strerror(errno));
			knng_file_close(f);
		} else if (way == 1) {
			CHECK(knng_out_create(at("fifo"), &task) == NULL && errno == EINTR, "%s", strerror(errno));
		} else {
			knng_out *o = knng_out_create(at("fifo"), &task);
			CHECK(o != NULL && knng_out_write(o, text, 1 << 20) == -1 && errno == EINTR, "%s",
			      strerror(errno));
			if (o != NULL)
				knng_out_done(o, false);
		}
		pthread_join(other, NULL);
		if (end >= 0)
			close(end);
		CHECK(knng_sys().live == live, "way %d", way);
	}
	free(text);
	unlink(at("fifo"));
	CHECK(files_there() == 0 && knng_sys().live == 0, "%d files", files_there());
}

static void
nothing(int signal)
{
	(void)signal;
}

enum { LONG = 8 << 20 };
typedef struct {
	const char *name;
	const char *text;
	bool good;
} sender;

static void *
send_text(void *context)
{
	sender *s = context;
	knng_out *o = knng_out_create(at(s->name), &never);
	s->good = o != NULL;
	for (int64_t done = 0; s->good && done < LONG; done += 1 << 20)
		s->good = knng_out_write(o, s->text + done, 1 << 20) == 0;
	if (o != NULL)
		s->good = knng_out_done(o, true) == 0 && s->good;
	return NULL;
}

/* A signal every millisecond, whose handler does not restart calls: no byte is lost at either end. */
static void
test_signals(void)
{
	static const char *const names[] = {"fifo", "fifo.gz"};
	struct sigaction action = {.sa_handler = nothing}, before;
	const struct itimerval often = {{0, 1000}, {0, 1000}}, off = {{0, 0}, {0, 0}};
	char *text = room(LONG, 1), *back = room(LONG + 1, 1);
	for (int64_t i = 0; i < LONG; i++)
		text[i] = (char)('a' + random_below(16));
	sigaction(SIGALRM, &action, &before);
	for (int packed = 0; packed < 2; packed++) {
		sender s = {names[packed], text, false};
		pthread_t other;
		if (mkfifo(at(s.name), 0600) != 0)
			abort();
		setitimer(ITIMER_REAL, &often, NULL);
		if (pthread_create(&other, NULL, send_text, &s) != 0)
			abort();
		int64_t got = read_all(at(s.name), back, LONG + 1, 300000);
		pthread_join(other, NULL);
		setitimer(ITIMER_REAL, &off, NULL);
		CHECK(s.good && got == LONG && memcmp(back, text, LONG) == 0, "%s: %lld of %d", s.name, (long long)got,
		      LONG);
		unlink(at(s.name));
	}
	sigaction(SIGALRM, &before, NULL);
	free(text);
	free(back);
	CHECK(files_there() == 0 && knng_sys().live == 0, "%d files", files_there());
}

static bool no_locks;     /* for now */
static const char *where; /* the machine; NULL: this one */

/* In place of the C library's. */
int
flock(int fd, int what)
{
	errno = ENOLCK;
	return no_locks && (what & LOCK_EX) != 0 ? -1 : (int)syscall(SYS_flock, fd, what);
}

int
uname(struct utsname *machine)
{
	int said = (int)syscall(SYS_uname, machine);
	if (where != NULL)
		snprintf(machine->nodename, sizeof machine->nodename, "%s", where);
	return said;
}

/* A process that claims a file and is killed; the name of what it leaves to `part`. */
static void
leave(const char *name, char part[PATH_MAX])
{
	int ends[2], ended;
	pid_t pid = pipe(ends) == 0 ? fork() : -1;
	part[0] = '\0';
	if (pid == 0) {
		const knng_out *o = knng_out_claim(at(name), 1000, &never);
		if (o == NULL || !knng_out_part(o, part))
			_exit(1);
		_exit(write(ends[1], part, PATH_MAX) != PATH_MAX || pause() == 0);
	}
	CHECK(pid > 0 && read(ends[0], part, PATH_MAX) > 0 && access(part, F_OK) == 0, "no child");
	if (pid > 0)
		kill(pid, SIGKILL);
	waitpid(pid, &ended, 0);
	close(ends[0]);
	close(ends[1]);
}

/* A part that a process has left which was killed goes when the next file of this kind is claimed; those of processes
 * that are there stay, locked or not, and those that another machine has made, a copy of this one among them. */
static void
test_left(void)
{
	int before = files_there();
	char left[PATH_MAX], elsewhere[PATH_MAX], alive[PATH_MAX] = "", unlocked[PATH_MAX] = "";
	leave("left", left);
	where = "another";
	leave("elsewhere", elsewhere);
	where = NULL;
	CHECK(files_there() == before + 2, "%d files more", files_there() - before);
	knng_out *one = knng_out_claim(at("alive"), 1000, &never);
	CHECK(one != NULL && knng_out_part(one, alive) && access(left, F_OK) != 0 && access(elsewhere, F_OK) == 0,
	      "%d files more, %s", files_there() - before, strerror(errno));
	CHECK(strspn(strrchr(alive, '/') + strlen("/.knng-"), "0123456789abcdef") == 16, "%s", alive);
	no_locks = true;
	knng_out *two = knng_out_claim(at("unlocked"), 1000, &never);
	no_locks = false;
	CHECK(two != NULL && knng_out_part(two, unlocked) && files_there() == before + 3, "%d files more, %s",
	      files_there() - before, strerror(errno));
	knng_out *three = knng_out_claim(at("later"), 1000, &never);
	CHECK(three != NULL && access(alive, F_OK) == 0 && access(unlocked, F_OK) == 0 && access(elsewhere, F_OK) == 0,
	      "%d files more, %s", files_there() - before, strerror(errno));
	CHECK(three != NULL && knng_out_done(three, true) == 0, "%s", strerror(errno));
	CHECK(two != NULL && knng_out_done(two, true) == 0, "%s", strerror(errno));
	CHECK(one != NULL && knng_out_done(one, true) == 0, "%s", strerror(errno));
	unlink(elsewhere);
	CHECK(rights(at("later")) != 0 && rights(at("unlocked")) != 0 && rights(at("alive")) != 0 &&
		      files_there() == before + 3,
	      "%d files", files_there() - before);
	unlink(at("later"));
	unlink(at("unlocked"));
	unlink(at("alive"));
}

/* Processes that begin files in one folder at the same time, and look for what killed ones have left there, take
 * nothing of each other. */
static void
test_together(void)
{
	enum { PROCESSES = 4, FILES = 300 };
	pid_t pid[PROCESSES];
	char name[20];
	for (int i = 0; i < PROCESSES; i++) {
		snprintf(name, sizeof name, "together%d", i);
		if ((pid[i] = fork()) != 0)
			continue;
		for (int n = 0; n < FILES; n++) {
			knng_out *o = knng_out_claim(at(name), 1000, &never);
			if (o == NULL || knng_out_done(o, true) != 0)
				_exit(1);
		}
		_exit(0);
	}
	for (int i = 0; i < PROCESSES; i++) {
		int ended = -1;
		CHECK(pid[i] > 0 && waitpid(pid[i], &ended, 0) == pid[i] && ended == 0, "process %d lost a file", i);
		snprintf(name, sizeof name, "together%d", i);
		unlink(at(name));
	}
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		return 2;
	test_whole();
	test_links();
	test_rights();
	test_names();
	test_standard_output();
	test_gzip();
	test_waiting();
	test_signals();
	test_left();
	test_together();
	rmdir(folder);
	return summary();
}
