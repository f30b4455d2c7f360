/* test_checkpoint.c  Searches that are stopped, killed, starved of memory or disk go on from their checkpoint and end
 * with the same bits; what is damaged is made up for, and what belongs to another search or other rows is refused. */
#include "base/folder.h"
#include "base/sys.h"
#include "blocks/blocks.h"
#include "blocks/checkpoint.h"
#include "oracle.h"
#include "shelved.h"
#include "testing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { N = 61, D = 9, K = 5, SIZE = 8, BLOCKS = (N + SIZE - 1) / SIZE };

static double *X;
static int64_t wanted[N * K];
static double far[N * K];
static char work[128], folder[160], other[160], graph[160];
static const char *beside; /* where the lists are in a file, or NULL */
static int damages, kills; /* trials */

typedef struct {
	int64_t reads, stop_at; /* the read that stops the search, from 1; 0: none */
	int64_t die_at;         /* the read at which the process is killed */
	int nap;                /* us that a read takes */
	volatile sig_atomic_t stop;
} source;

static knng_status
read_rows(void *context, int64_t first, int64_t count, void *to, knng_err *err)
{
	source *s = context;
	(void)err;
	if (s->nap > 0)
		usleep((useconds_t)s->nap);
	if (++s->reads == s->stop_at)
		__atomic_store_n(&s->stop, SIGTERM, __ATOMIC_RELAXED); /* another thread looks at it */
	if (s->reads == s->die_at)
		raise(SIGKILL);
	memcpy(to, X + first * D, (size_t)(count * D) * sizeof *X);
	return KNNG_OK;
}

/* One search with this folder. */
typedef struct {
	knng_status status;
	knng_err err;
	knng_info info;
	bool right; /* its answer is */
} outcome;

static outcome
search(source *s, const char *metric, int64_t n, int64_t k, double every)
{
	outcome o = {0};
	knng_rows rows = {.n = n, .d = D, .type = KNNG_F64, .read = read_rows, .context = s};
	knng_options opt = {.metric = metric,
			    .k = k,
			    .device.kind = KNNG_DEVICE_CPU,
			    .checkpoint = folder,
			    .save_every = every,
			    .task.threads = 1,
			    .task.interrupt = &s->stop};
	knng_neighbours lists = {0};
	o.status = knng_neighbours_make(&lists, n, k, 2, &o.err);
	if (o.status == KNNG_OK)
		o.status = run_blocks(&rows, SIZE, &opt, &lists, beside, &o.info, &o.err);
	o.right = o.status == KNNG_OK && n == N && k == K;
	for (int64_t e = 0; o.right && e < N * K; e++)
		o.right = lists.index[e] == wanted[e] && (wanted[e] < 0 || lists.distance[e] == far[e]);
	knng_neighbours_free(&lists);
	return o;
}

static outcome
again(void)
{
	source s = {0};
	return search(&s, "euclidean", N, K, 1e-9);
}

/* ---- files ---- */

static void
each_file(const char *path, void (*use)(const char *file, void *context), void *context)
{
	char file[512];
	DIR *dir = opendir(path);
	if (dir == NULL)
		return;
	for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
		if (entry->d_name[0] != '.') {
			snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
			use(file, context);
		}
	closedir(dir);
}

static void
remove_file(const char *file, void *unused)
{
	(void)unused;
	unlink(file);
}

static void
clear(const char *path)
{
	each_file(path, remove_file, NULL);
	rmdir(path);
}

static int64_t
length_of(const char *file)
{
	struct stat st;
	return stat(file, &st) == 0 ? st.st_size : 0;
}

/* Copies a file of one in `often` into the folder *context. */
static int often;
static void
copy_file(const char *file, void *context)
{
	char to[700], buffer[1 << 16];
	snprintf(to, sizeof to, "%s%s", (const char *)context, strrchr(file, '/'));
	FILE *in = fopen(file, "rb"), *out = random_below(often) == 0 ? fopen(to, "wb") : NULL;
	for (size_t n; in != NULL && out != NULL && (n = fread(buffer, 1, sizeof buffer, in)) > 0;)
		if (fwrite(buffer, 1, n, out) != n)
			abort();
	if (in != NULL)
		fclose(in);
	if (out != NULL)
		fclose(out);
}

static void
copy_folder(const char *from, char *to, int one_in)
{
	mkdir(to, 0777);
	often = one_in;
	each_file(from, copy_file, to);
}

/* ---- tests ---- */

/* Stopped at every read in turn, and gone on with; nothing that was done is done again. */
static void
test_stops(void)
{
	for (int64_t at = 1; at < 40; at++) {
		clear(folder);
		source s = {.stop_at = at};
		outcome first = search(&s, "euclidean", N, K, at % 2 == 0 ? 0 : 1e-9);
		if (first.status == KNNG_OK) {
			CHECK(at > BLOCKS, "it was stopped at read %lld", (long long)at);
			CHECK(first.right, "without a stop");
			return;
		}
		CHECK(first.status == KNNG_EINTERRUPTED && strcmp(first.err.id, "knng:interrupted") == 0 &&
			      strstr(first.err.text, folder) != NULL && strstr(first.err.text, "SIGTERM") != NULL,
		      "read %lld: %s", (long long)at, first.err.text);
		double said = atof(strchr(first.err.text, ';') + 1) / 100;
		outcome second = again();
		CHECK(second.right, "read %lld: %s", (long long)at, second.err.text);
		CHECK(fabs(second.info.resumed - said) < 2e-3, "%g were said, %g are there", said, second.info.resumed);
		outcome third = again();
		CHECK(third.right && fabs(third.info.resumed - 1) < 1e-9 && third.info.refined == 0,
		      "%g of a search that is done", third.info.resumed);
		CHECK(third.info.points == N && second.info.points == N && second.info.certified[0] == 0, "%lld points",
		      (long long)third.info.points);
	}
	CHECK(false, "it never ended");
}

/* When any call of the system or the allocator fails, the same search afterwards is right. */
static void
test_failures(void)
{
	int64_t live = knng_sys().live, reached = 1, failed_saves = 0;
	for (int64_t nth = 1; reached; nth += nth < 60 ? 1 : 11) {
		if (SKIPS(5))
			continue;
		source s = {0};
		clear(folder);
		int64_t before = knng_sys().calls;
		knng_sys_fail_at(nth);
		outcome o = search(&s, "euclidean", N, K, nth % 2 == 0 ? 0 : 1e-9);
		reached = knng_sys().calls - before >= nth;
		knng_sys_fail_at(0);
		failed_saves += o.info.unsaved[0] != 0;
		CHECK(o.status == KNNG_OK ? o.right : reached && o.err.text[0] != 0, "call %lld: %s", (long long)nth,
		      o.err.text);
		bool saved = o.status == KNNG_OK && o.info.unsaved[0] == 0;
		o = again();
		CHECK(o.right && o.info.unsaved[0] == 0, "after call %lld: %s", (long long)nth, o.err.text);
		CHECK(!saved || o.info.resumed == 1, "after call %lld: %g resumed", (long long)nth, o.info.resumed);
		CHECK(knng_sys().live == live, "call %lld leaves something", (long long)nth);
	}
	CHECK(failed_saves > 0, "a checkpoint that could not be saved at last says so");
}

static bool
is_refusal(const outcome *o)
{
	return o->status == KNNG_EIO && strncmp(o->err.id, "knng:checkpoint:", 16) == 0;
}

static void
test_foreign(void)
{
	source s = {0};
	clear(folder);
	CHECK(search(&s, "euclidean", N, K, 0).right, "the first");
	static const struct {
		const char *metric;
		int64_t n, k;
	} others[] = {{"cosine", N, K}, {"euclidean", N, K + 1}, {"euclidean", N - 1, K}, {"euclidean", 8, K}};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		outcome o = search(&s, others[i].metric, others[i].n, others[i].k, 0);
		CHECK(is_refusal(&o) && strcmp(o.err.id, "knng:checkpoint:other") == 0 &&
			      strstr(o.err.text, folder) != NULL && strstr(o.err.text, "61 rows") != NULL,
		      "%zu: %s %s", i, o.err.id, o.err.text);
	}
	/* One number of any row is another one: the rows have changed. */
	for (int64_t i = 0; i < N; i += 5) {
		double *e = &X[i * D + i % D], former = *e;
		*e = nextafter(*e, 100);
		outcome o = again();
		*e = former;
		CHECK(is_refusal(&o) && strcmp(o.err.id, "knng:checkpoint:data") == 0, "row %lld: %s", (long long)i,
		      o.err.text);
	}
	CHECK(again().right, "the refused ones left it as it was");
	/* The same where the changed block's own file is gone. */
	char file[200];
	snprintf(file, sizeof file, "%s/block-3.knng", folder);
	CHECK(unlink(file) == 0, "%s", file);
	double former = X[3 * SIZE * D];
	X[3 * SIZE * D] += 1;
	outcome o = again();
	X[3 * SIZE * D] = former;
	CHECK(is_refusal(&o), "%s", o.err.text);
	CHECK(again().right, "a file that is gone is made up for");
	/* A file of another search among them; what is no file of a checkpoint stays. */
	snprintf(file, sizeof file, "%s/notes.txt", folder);
	FILE *notes = fopen(file, "w");
	CHECK(notes != NULL && fclose(notes) == 0, "%s", file);
	copy_folder(folder, other, 1);
	clear(folder);
	CHECK(search(&s, "cityblock", N, K, 0).status == KNNG_OK, "another");
	/* Some files, and never none or all of them. */
	char stays[200], aside[200], comes[200];
	snprintf(stays, sizeof stays, "%s/block-2.knng", folder);
	snprintf(comes, sizeof comes, "%s/block-3.knng", other);
	snprintf(aside, sizeof aside, "%s.aside", folder);
	CHECK(rename(stays, aside) == 0, "%s", stays);
	copy_folder(other, folder, 2);
	often = 1;
	copy_file(comes, folder);
	CHECK(rename(aside, stays) == 0, "%s", stays);
	o = again();
	CHECK(is_refusal(&o), "mixed with another search: %s", o.err.text);
	copy_folder(other, folder, 1);
	CHECK(again().right && length_of(file) == 0 && access(file, F_OK) == 0, "its own again, and the notes");
	unlink(file);
}

/* Stops at a read; the search of before may have left anything. */
static void
some_until(int64_t read)
{
	source s = {.stop_at = read};
	search(&s, "euclidean", N, K, 1e-9);
}

static void
some(void)
{
	some_until(1 + random_below(30));
}

static void
damage_file(const char *file, void *context)
{
	int64_t bytes = length_of(file), *count = context;
	int fd = open(file, O_RDWR);
	if (fd < 0 || bytes == 0)
		abort();
	int how = (int)random_below(6);
	*count += how < 4;
	for (int64_t i = how == 0 ? 1 + random_below(9) : 0; i > 0; i--) { /* bits, of what is used most likely */
		int64_t at = random_below(random_below(2) ? bytes : 600) + (random_below(2) ? bytes / 2 : 0);
		unsigned char byte;
		at = at < bytes ? at : bytes - 1;
		if (pread(fd, &byte, 1, at) != 1)
			abort();
		byte ^= (unsigned char)(1 << random_below(8));
		if (pwrite(fd, &byte, 1, at) != 1)
			abort();
	}
	if (how == 1 && ftruncate(fd, random_below(bytes)) != 0)
		abort();
	if (how == 2 && ftruncate(fd, bytes + 1 + random_below(9000)) != 0)
		abort();
	close(fd);
	if (how == 3)
		unlink(file);
}

/* Files that are cut off, longer, gone, or have bits that flipped; and files of other times. */
static void
test_damage(void)
{
	int64_t damaged = 0;
	for (int trial = 0; trial < damages; trial++) {
		clear(folder);
		some();
		if (trial % 2 == 0) {
			each_file(folder, damage_file, &damaged);
		} else {
			clear(other);
			copy_folder(folder, other, 1);
			some();
			copy_folder(other, folder, 2);
		}
		if (trial % 3 == 0)
			some();
		outcome o = again();
		CHECK(o.right, "trial %d: %s %s", trial, o.err.id, o.err.text);
	}
	CHECK(damaged > 2 * damages, "%lld", (long long)damaged);
}

/* Rows that change while a search is stopped are noticed, or were not used yet. */
static void
test_changes(void)
{
	int refused = 0, used = 0;
	double *former = room(N * D, sizeof *former);
	memcpy(former, X, N * D * sizeof *X);
	for (int64_t at = 1; at < 30; at++)
		for (int64_t block = 0; block < BLOCKS; block += 3) {
			source s = {.stop_at = at};
			clear(folder);
			search(&s, "euclidean", N, K, at % 2 == 0 ? 0 : 1e-9);
			X[block * SIZE * D + 1] += 0.5;
			if (oracle_knn("euclidean", false, N, D, X, 0, NULL, K, wanted, far) != 0)
				abort();
			outcome o = again();
			CHECK(o.right || (is_refusal(&o) && strcmp(o.err.id, "knng:checkpoint:data") == 0),
			      "read %lld, block %lld: %s", (long long)at, (long long)block, o.err.text);
			refused += !o.right;
			used += o.right;
			memcpy(X, former, N * D * sizeof *X);
		}
	CHECK(refused > 5 && used > 5, "%d refused, %d used", refused, used);
	if (oracle_knn("euclidean", false, N, D, X, 0, NULL, K, wanted, far) != 0)
		abort();
	free(former);
}

typedef struct {
	const double *X;
	int64_t d;
} wide;

static knng_status
read_wide(void *context, int64_t first, int64_t count, void *to, knng_err *err)
{
	const wide *m = context;
	(void)err;
	memcpy(to, m->X + first * m->d, (size_t)(count * m->d) * sizeof *m->X);
	return KNNG_OK;
}

/* The merge that stops a search; the linker sends those of the core here (Makefile). */
static struct {
	int64_t left; /* merges until then; 0: none */
	volatile sig_atomic_t *stop;
} merging;

void __real_knng_neighbours_merge(knng_neighbours *l, int64_t row, const double *distance, const int32_t *index,
				  int64_t count, double *room, int32_t *index_room);
void __wrap_knng_neighbours_merge(knng_neighbours *l, int64_t row, const double *distance, const int32_t *index,
				  int64_t count, double *room, int32_t *index_room);

void
__wrap_knng_neighbours_merge(knng_neighbours *l, int64_t row, const double *distance, const int32_t *index,
			     int64_t count, double *room, int32_t *index_room)
{
	if (merging.left > 0 && --merging.left == 0)
		*merging.stop = SIGTERM;
	__real_knng_neighbours_merge(l, row, distance, index, count, room, index_room);
}

/* A search that is stopped while it merges leaves no neighbours in lists that the checkpoint does not know of: they
 * would stay after the rows have changed. */
static void
test_merges(void)
{
	enum { ROWS = 1200, COLUMNS = 4, BLOCK = 300, NEAREST = 4 };
	double *rows = room(ROWS * COLUMNS, sizeof *rows), *dist = room(ROWS * NEAREST, sizeof *dist);
	int64_t *idx = room(ROWS * NEAREST, sizeof *idx);
	int stopped = 0;
	/* Block 0 meets itself, 1 and 2. */
	for (int64_t visitor = 1; visitor < 3; visitor++) {
		int64_t at = BLOCK + 2 * (visitor - 1) * BLOCK + 400;
		wide m = {rows, COLUMNS};
		volatile sig_atomic_t stop = 0;
		knng_rows from = {.n = ROWS, .d = COLUMNS, .type = KNNG_F64, .read = read_wide, .context = &m};
		knng_options opt = {.k = NEAREST,
				    .device.kind = KNNG_DEVICE_CPU,
				    .checkpoint = folder,
				    .task = {.threads = 1, .interrupt = &stop}};
		for (int64_t e = 0; e < ROWS * COLUMNS; e++)
			rows[e] = random_unit();
		clear(folder);
		for (int again = 0; again < 2; again++) {
			knng_neighbours lists = {0};
			knng_err err = {0};
			merging.left = again == 0 ? at : 0;
			merging.stop = &stop;
			stop = 0;
			if (knng_neighbours_make(&lists, ROWS, NEAREST, 2, &err) != KNNG_OK)
				abort();
			knng_status status = run_blocks(&from, BLOCK, &opt, &lists, beside, NULL, &err);
			stopped += status == KNNG_EINTERRUPTED;
			bool right = status == KNNG_OK;
			for (int64_t e = 0; again == 1 && right && e < ROWS * NEAREST; e++)
				right = lists.index[e] == idx[e] && lists.distance[e] == dist[e];
			CHECK(again == 0 || right || strcmp(err.id, "knng:checkpoint:data") == 0,
			      "merge %lld: neighbours of rows that are gone", (long long)at);
			knng_neighbours_free(&lists);
			for (int64_t e = visitor * BLOCK * COLUMNS; again == 0 && e < (visitor + 1) * BLOCK * COLUMNS;
			     e++)
				rows[e] += 0.5;
			if (oracle_knn("euclidean", false, ROWS, COLUMNS, rows, 0, NULL, NEAREST, idx, dist) != 0)
				abort();
		}
	}
	CHECK(stopped == 2, "%d were stopped", stopped);
	free(rows);
	free(dist);
	free(idx);
}

/* Both places for states are used in turn, so that the one before the last is whole; files that are in each other's
 * place are nothing. */
static void
test_states(void)
{
	char file[200], swapped[200], start[8];
	clear(folder);
	CHECK(again().right, "without a stop");
	for (int block = 0; block < BLOCKS; block++) {
		snprintf(file, sizeof file, "%s/block-%d.knng", folder, block);
		int fd = open(file, O_RDWR);
		for (int state = 0; state < 2; state++)
			CHECK(pread(fd, start, sizeof start, state * length_of(file) / 2) == sizeof start &&
				      memcmp(start, "knng che", sizeof start) == 0,
			      "block %d, state %d", block, state);
		/* The one that was saved last is damaged in one of two. */
		CHECK(pwrite(fd, "?", 1, block % 2 * length_of(file) / 2 + 300) == 1, "%s", file);
		close(fd);
	}
	outcome o = again();
	CHECK(o.right && o.info.resumed > 0.3 && o.info.resumed < 1, "%g of it is resumed", o.info.resumed);
	snprintf(file, sizeof file, "%s/block-0.knng", folder);
	snprintf(swapped, sizeof swapped, "%s/block-1.knng", folder);
	char aside[200];
	snprintf(aside, sizeof aside, "%s/aside", work);
	CHECK(rename(file, aside) == 0 && rename(swapped, file) == 0 && rename(aside, swapped) == 0, "swapped");
	CHECK(again().right, "files in each other's place");
}

/* Of rows of some MB the last number counts, too; and rows of another class are others. */
static void
test_wide(void)
{
	enum { ROWS = 6, WIDE = 200000 };
	double *rows = room(ROWS * WIDE, sizeof *rows);
	for (int64_t e = 0; e < ROWS * WIDE; e++)
		rows[e] = random_unit();
	clear(folder);
	for (int change = 0; change < 3; change++) {
		wide m = {rows, WIDE};
		knng_rows from = {.n = ROWS, .d = WIDE, .type = KNNG_F64, .read = read_wide, .context = &m};
		knng_options opt = {.k = 2, .device.kind = KNNG_DEVICE_CPU, .checkpoint = folder};
		knng_neighbours lists = {0};
		knng_err err = {0};
		double *last = &rows[4 * WIDE - 1], former = *last;
		*last = change == 1 ? former + 1 : former;
		if (change == 2)
			from.type = KNNG_F32;
		if (knng_neighbours_make(&lists, ROWS, 2, 2, &err) != KNNG_OK)
			abort();
		knng_status status = run_blocks(&from, 2, &opt, &lists, beside, NULL, &err);
		CHECK(change == 0 ? status == KNNG_OK : status == KNNG_EIO, "change %d: %s", change, err.text);
		CHECK(strcmp(err.id, change == 1   ? "knng:checkpoint:data"
				     : change == 2 ? "knng:checkpoint:other"
						   : "") == 0,
		      "change %d: %s", change, err.id);
		knng_neighbours_free(&lists);
		*last = former;
	}
	free(rows);
}

/* Where there is no room, the second call does not find any either. */
static void
test_room(void)
{
	struct rlimit former, small;
	clear(folder);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &former);
	small = (struct rlimit){6000, former.rlim_max};
	for (int i = 0; i < 3; i++) {
		setrlimit(RLIMIT_FSIZE, &small);
		outcome o = again();
		setrlimit(RLIMIT_FSIZE, &former);
		CHECK(is_refusal(&o) && strcmp(o.err.id, "knng:checkpoint:folder") == 0, "call %d: %s", i, o.err.text);
	}
	CHECK(again().right, "with room");
}

/* Killed at any moment, without a chance to save: at a read, or when the clock says so. */
static void
test_kills(void)
{
	int at_reads = 0, ends = 0;
	double most = 0;
	uint64_t former = random_state; /* how often a search is killed depends on the machine */
	for (int trial = 0; trial < kills; trial++) {
		clear(folder);
		for (int i = 0; i < 40; i++) {
			source s = {.nap = 500};
			if (i < 2)
				s.die_at = 2 + random_below(8);
			useconds_t soon = (useconds_t)(2000 + random_below(20000));
			pid_t child = fork();
			if (child == 0)
				_exit(search(&s, "euclidean", N, K, 1e-9).right ? 0 : 1);
			int status;
			if (s.die_at == 0) {
				usleep(soon);
				kill(child, SIGKILL);
			}
			waitpid(child, &status, 0);
			at_reads += s.die_at > 0 && WIFSIGNALED(status);
			CHECK(WIFSIGNALED(status) || WEXITSTATUS(status) == 0, "status %d", status);
			if (!WIFSIGNALED(status))
				break;
		}
		outcome o = again();
		CHECK(o.right, "%s", o.err.text);
		most = fmax(most, o.info.resumed);
		ends++;
	}
	random_state = former;
	CHECK(at_reads == 2 * kills && ends == kills && most > 0, "%d killed, %g resumed", at_reads, most);
}

static void
test_busy(void)
{
	clear(folder);
	some_until(9);
	knng_folder *held = knng_folder_open(folder, true);
	outcome o = again();
	CHECK(is_refusal(&o) && strcmp(o.err.id, "knng:checkpoint:busy") == 0, "%s", o.err.text);
	knng_folder_close(held);
	CHECK(again().right, "when it is free");
	clear(folder);
	FILE *in_the_way = fopen(folder, "w");
	CHECK(in_the_way != NULL && fclose(in_the_way) == 0, "%s", folder);
	o = again();
	CHECK(is_refusal(&o) && strstr(o.err.text, folder) != NULL, "a file in its place: %s", o.err.text);
	unlink(folder);
	char beyond[400];
	snprintf(beyond, sizeof beyond, "%s/no/such", work);
	int64_t size;
	knng_err err = {0};
	knng_question q;
	const knng_matrix A = knng_by_rows(N, D, KNNG_F64, &knng_elsewhere);
	CHECK(knng_ask(&q, &A, NULL, "euclidean", K, &err) == KNNG_OK, "%s", err.text);
	CHECK(knng_checkpoint_look(beyond, &q, &size, &err) == KNNG_OK && size == 0, "%s", err.text);
	clear(folder);
	some_until(9);
	CHECK(knng_checkpoint_look(folder, &q, &size, &err) == KNNG_OK && size == SIZE, "%lld", (long long)size);
	q.k--;
	CHECK(knng_checkpoint_look(folder, &q, &size, &err) == KNNG_EIO && strcmp(err.id, "knng:checkpoint:other") == 0,
	      "%s", err.text);
	CHECK(knng_checkpoint_room(folder, 1e30, &err) == KNNG_EIO && strstr(err.text, "MB left") != NULL &&
		      knng_checkpoint_room(folder, 1, &err) == KNNG_OK,
	      "%s", err.text);
	/* The files of a search that ended before it saved anything are room. */
	double most = knng_folder_free(folder) + 0x1p42;
	clear(folder);
	snprintf(beyond, sizeof beyond, "%s/block-0.knng", folder);
	FILE *claimed = mkdir(folder, 0777) == 0 ? fopen(beyond, "w") : NULL;
	CHECK(claimed != NULL && ftruncate(fileno(claimed), (off_t)1 << 43) == 0 && fclose(claimed) == 0 &&
		      knng_checkpoint_room(folder, most, &err) == KNNG_OK,
	      "%s", err.text);
	CHECK(unlink(beyond) == 0 && knng_checkpoint_room(folder, most, &err) == KNNG_EIO, "%s", err.text);
	/* A folder of somebody else's files is nothing to write into. */
	clear(folder);
	snprintf(beyond, sizeof beyond, "%s/thesis.txt", folder);
	FILE *thesis = mkdir(folder, 0777) == 0 ? fopen(beyond, "w") : NULL;
	CHECK(thesis != NULL && fclose(thesis) == 0, "%s", beyond);
	o = again();
	CHECK(is_refusal(&o) && strstr(o.err.text, "has other files") != NULL, "%s", o.err.text);
}

/* Rows that have no distances are counted, too, in blocks that have met before. */
static void
test_counts(void)
{
	double *former = room(N * D, sizeof *former);
	memcpy(former, X, N * D * sizeof *X);
	for (int64_t i = 0; i < N; i += 7)
		X[i * D + 2] = NAN;
	source s = {0};
	for (int64_t at = 3; at < 20; at += 4) {
		clear(folder);
		s = (source){.stop_at = at};
		search(&s, "euclidean", N, K, 0);
		outcome o = again();
		CHECK(o.status == KNNG_OK && o.info.nonfinite == 9 && o.info.points == N - 9, "%lld: %lld, %lld points",
		      (long long)at, (long long)o.info.nonfinite, (long long)o.info.points);
	}
	memcpy(X, former, N * D * sizeof *X);
	free(former);
}

int
main(int argc, char **argv)
{
	const char *tmp = getenv("TMPDIR");
	snprintf(work, sizeof work, "%.80s/knng-checkpoint-XXXXXX",
		 tmp != NULL && access(tmp, W_OK) == 0 ? tmp : "/tmp");
	if (mkdtemp(work) == NULL)
		abort();
	snprintf(folder, sizeof folder, "%s/kept", work);
	snprintf(other, sizeof other, "%s/other", work);
	snprintf(graph, sizeof graph, "%s/graph.h5", work);
	X = room(N * D, sizeof *X);
	for (int64_t e = 0; e < N * D; e++)
		X[e] = e / D % 4 == 1 ? X[e - D] + (double)random_below(2) : random_normal();
	if (oracle_knn("euclidean", false, N, D, X, 0, NULL, K, wanted, far) != 0)
		abort();
	for (int filed = 0; filed < 2; filed++) {
		beside = filed ? graph : NULL;
		damages = filed ? ENOUGH(40, 20) : ENOUGH(120, 60);
		kills = filed ? 5 : 12;
		PART(stops);
		PART(failures);
		PART(damage);
		PART(merges);
		PART(states);
		PART(kills);
	}
	beside = NULL;
	PART(foreign);
	PART(counts);
	PART(changes);
	PART(wide);
	PART(busy);
	PART(room);
	clear(folder);
	clear(other);
	CHECK(rmdir(work) == 0, "%s is empty: %s", work, strerror(errno));
	free(X);
	return summary();
}
