/* test_output.c  Graphs that go to a file: it has the same bytes whatever the memory, the blocks, the threads and the
 * form of the rows, and after a search was stopped and went on; they are the oracle's graph. Memory stays within the
 * plan, which has no place for a result. Whatever fails, nothing is left and the name stands for what it stood for. */
#include "base/folder.h"
#include "base/sys.h"
#include "blocks/blocks.h"
#include "io/graph_file.h"
#include "oracle.h"
#include "testing.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>

enum { N = 2100, D = 17, K = 9, OTHER_D = 3, OTHER_K = 100 };

static char folder[] = "/tmp/knng-test-output-XXXXXX";
static double *X, *far;
static float *narrow;
static int64_t *wanted;

typedef struct {
	int64_t reads, stop_at;
	volatile sig_atomic_t stop;
	bool single;
	const double *other; /* rows of OTHER_D numbers, in place of X; or NULL */
} source;

static knng_status
read_rows(void *context, int64_t first, int64_t count, void *to, knng_err *err)
{
	source *s = context;
	(void)err;
	if (++s->reads == s->stop_at)
		__atomic_store_n(&s->stop, SIGTERM, __ATOMIC_RELAXED);
	if (s->other != NULL)
		memcpy(to, s->other + first * OTHER_D, (size_t)(count * OTHER_D) * sizeof *X);
	else if (s->single)
		memcpy(to, narrow + first * D, (size_t)(count * D) * sizeof *narrow);
	else
		memcpy(to, X + first * D, (size_t)(count * D) * sizeof *X);
	return KNNG_OK;
}

static const char *
at(const char *name)
{
	static char text[4][200];
	static int next;
	next = (next + 1) % 4;
	snprintf(text[next], sizeof text[next], "%s/%s", folder, name);
	return text[next];
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

static bool
same_files(const char *a, const char *b)
{
	FILE *f = fopen(a, "rb"), *g = fopen(b, "rb");
	bool same = f != NULL && g != NULL;
	static char of_f[1 << 16], of_g[1 << 16];
	for (size_t bytes = 1; same && bytes > 0;) {
		bytes = fread(of_f, 1, sizeof of_f, f);
		same = bytes == fread(of_g, 1, sizeof of_g, g) && memcmp(of_f, of_g, bytes) == 0;
	}
	same = same && !ferror(f) && !ferror(g);
	if (f != NULL)
		fclose(f);
	if (g != NULL)
		fclose(g);
	return same;
}

typedef struct {
	knng_status status;
	knng_err err;
	knng_info info;
	knng_blocks_plan plan;
} outcome;

/* A graph to the file of opt. */
static outcome
search(const knng_rows *rows, const knng_options *opt)
{
	outcome o = {0};
	o.status = knng_blocks_plan_make(&o.plan, rows, opt, &o.err);
	if (o.status == KNNG_OK)
		o.status = knng_blocks_graph(&o.plan, rows, opt, NULL, &o.info, &o.err);
	return o;
}

static knng_rows
rows_of(source *s)
{
	return (knng_rows){.n = N, .d = D, .type = s->single ? KNNG_F32 : KNNG_F64, .read = read_rows, .context = s};
}

/* What the file holds is the oracle's. */
static void
check_answer(const char *path, bool single)
{
	int64_t *idx = room(N * K, sizeof *idx), wrong = 0;
	double *dist = room(N * K, sizeof *dist);
	knng_err err = {0};
	knng_graph_in *g;
	const knng_output out = {idx, KNNG_I64, 0, dist, KNNG_F64, K, 1};
	if (knng_graph_in_open(&g, path, NULL, &err) != KNNG_OK) {
		CHECK(false, "%s", err.text);
		return;
	}
	CHECK(knng_graph_in_read(g, 0, N, &out, &err) == KNNG_OK && knng_graph_in_shape(g)->k == K &&
		      strcmp(knng_graph_in_shape(g)->metric, "euclidean") == 0,
	      "%s", err.text);
	for (int64_t e = 0; e < N * K; e++)
		wrong += idx[e] != wanted[e] || bits_of(dist[e]) != bits_of(single ? (double)(float)far[e] : far[e]);
	CHECK(wrong == 0, "%lld neighbours", (long long)wrong);
	knng_graph_in_close(g);
	free(idx);
	free(dist);
}

/* Under every limit, on some threads, from a file, from rows or columns in memory. */
static void
test_bytes(bool single)
{
	source s = {.single = single};
	knng_rows rows = rows_of(&s);
	knng_options opt = {.k = K, .device.kind = KNNG_DEVICE_CPU, .output = at("whole.h5"), .metric = "euclidean"};
	outcome o = search(&rows, &opt);
	CHECK(o.status == KNNG_OK && o.info.blocks == 1 && o.plan.file == 4096 + N * K * (single ? 8 : 12), "%s",
	      o.err.text);
	check_answer(at("whole.h5"), single);
	double *turned = room(N * D, sizeof *turned);
	for (int64_t i = 0; i < N; i++)
		for (int64_t l = 0; l < D; l++)
			turned[l * N + i] = X[i * D + l];
	const knng_matrix by_column = {.n = N, .d = D, .data = turned, .row_stride = 1, .col_stride = N};
	int64_t most = 0, refused = 0;
	opt.output = "";
	char name[200];
	snprintf(name, sizeof name, "%s", at("some.h5"));
	opt.output = name;
	for (double limit = 2e7; limit > 1e5; limit *= 0.7)
		for (int there = 0; there < 1 + !single; there++) {
			source t = {.single = single};
			knng_rows some = rows_of(&t);
			if (there == 1) {
				some.read = knng_read_matrix;
				some.context = (void *)&by_column;
				some.there = &by_column;
			}
			opt.max_memory = limit;
			opt.task.threads = 1 + (int)(most % 3);
			o = search(&some, &opt);
			if (o.status != KNNG_OK) {
				CHECK(o.status == KNNG_EARGS && strstr(o.err.text, "'MaxMemory'") != NULL &&
					      strstr(o.err.text, "result") == NULL && t.reads == 0 &&
					      files_there() == 1,
				      "%g: %s", limit, o.err.text);
				refused++;
				continue;
			}
			CHECK(same_files(name, at("whole.h5")) && files_there() == 2, "%g, %lld blocks", limit,
			      (long long)o.info.blocks);
			CHECK(o.info.peak <= o.info.planned && o.info.planned <= limit && o.plan.bytes <= limit,
			      "%g: %g, planned %g, %g", limit, o.info.peak, o.info.planned, o.plan.bytes);
			CHECK(o.plan.lists > 0 ? o.plan.lists == 12 * N * K + N && o.info.blocks > 1
					       : o.info.peak > 12 * N * K,
			      "%g: %g, %g in a file", limit, o.info.peak, o.plan.lists);
			CHECK(o.info.blocks > 1 || there == 1 || o.info.peak > N * D * (single ? 4 : 8), "%g: %g",
			      limit, o.info.peak);
			most = o.info.blocks > most ? o.info.blocks : most;
			unlink(name);
		}
	CHECK(most > 4 && refused > 0, "%lld blocks, %lld refused", (long long)most, (long long)refused);
	free(turned);
	unlink(at("whole.h5"));
}

/* Lists that do not fit into memory are in a file during the search, beside the graph or in the folder of the
 * checkpoint: what comes out is the same, memory stays within the limit, and nothing is left. Stopped at any read, with
 * a checkpoint, the next search goes on, with lists in memory or in a file. */
static void
test_filed(void)
{
	const int64_t n = ENOUGH_TOO(5200, 3000);
	const double most = ENOUGH_TOO(1.6e7, 1.1e7);
	double *points = room(n * OTHER_D, sizeof *points);
	for (int64_t e = 0; e < n * OTHER_D; e++)
		points[e] = e / OTHER_D % 50 == 3 ? NAN : (double)random_below(40);
	source s = {.other = points};
	knng_rows rows = {.n = n, .d = OTHER_D, .type = KNNG_F64, .read = read_rows, .context = &s};
	char name[200], kept[200];
	int64_t filed = 0, memory = 0, refused = 0, stopped = 0, live = knng_sys().live;
	snprintf(name, sizeof name, "%s", at("some.h5"));
	snprintf(kept, sizeof kept, "%s", at("kept"));
	knng_options opt = {.k = OTHER_K, .device.kind = KNNG_DEVICE_CPU, .output = at("whole.h5"), .task.threads = 1};
	outcome o = search(&rows, &opt);
	CHECK(o.status == KNNG_OK && o.info.blocks == 1 && o.plan.lists == 0, "%s", o.err.text);
	opt.output = name;
	opt.task.interrupt = &s.stop;
	for (int with = 0; with < 2; with++)
		for (double limit = most; limit > 2e6; limit *= ENOUGH_TOO(0.75, 0.72)) {
			opt.checkpoint = with ? kept : NULL;
			opt.max_memory = limit;
			s.reads = s.stop = 0;
			s.stop_at = with ? 1 + random_below(30) : 0;
			o = search(&rows, &opt);
			if (o.status == KNNG_EARGS) {
				CHECK(s.reads == 0, "%g: %s", limit, o.err.text);
				refused++;
				continue;
			}
			if (with && o.status == KNNG_EINTERRUPTED) {
				CHECK(access(name, F_OK) != 0 && files_there() == 2, "%g: %s", limit, o.err.text);
				stopped++;
				s.stop = s.stop_at = 0;
				opt.max_memory = random_below(2) ? limit : most;
				o = search(&rows, &opt);
			}
			CHECK(o.status == KNNG_OK && same_files(name, at("whole.h5")) && files_there() == 2 + with,
			      "%g: %s", limit, o.err.text);
			CHECK(o.info.peak <= o.info.planned && o.info.planned <= opt.max_memory &&
				      o.info.peak > 0.5 * o.info.planned,
			      "%g: %g, planned %g", limit, o.info.peak, o.info.planned);
			CHECK(o.plan.lists == (o.plan.lists > 0 ? (12.0 * OTHER_K + 1) * (double)n : 0) &&
				      (o.plan.lists == 0 || o.info.peak < o.plan.lists + 2e6),
			      "%g: %g bytes of lists", limit, o.plan.lists);
			filed += o.plan.lists > 0;
			memory += o.plan.lists == 0;
			unlink(name);
			CHECK(!with || remove_folder(kept), "no checkpoint");
		}
	CHECK(filed > 3 && memory > 3 && refused > 1 && stopped > 2,
	      "%lld in a file, %lld in memory, %lld refused, %lld stopped", (long long)filed, (long long)memory,
	      (long long)refused, (long long)stopped);
	/* Without an output. */
	int32_t *idx = room(n * OTHER_K, sizeof *idx), *want = room(n * OTHER_K, sizeof *want);
	knng_output out = {idx, KNNG_I32, 0, NULL, KNNG_F64, OTHER_K, 1}, other = out;
	knng_graph_in *g;
	other.idx = want;
	opt.output = NULL;
	opt.checkpoint = kept;
	opt.max_memory = ENOUGH_TOO(5e6, 3.6e6);
	s.stop = s.stop_at = 0;
	o.status = knng_blocks_plan_make(&o.plan, &rows, &opt, &o.err);
	if (o.status == KNNG_OK)
		o.status = knng_blocks_graph(&o.plan, &rows, &opt, &out, &o.info, &o.err);
	CHECK(o.status == KNNG_OK && o.plan.lists > 0 && o.info.peak <= o.info.planned &&
		      o.info.planned <= opt.max_memory,
	      "%g bytes of lists, %s", o.plan.lists, o.err.text);
	CHECK(knng_graph_in_open(&g, at("whole.h5"), NULL, &o.err) == KNNG_OK &&
		      knng_graph_in_read(g, 0, n, &other, &o.err) == KNNG_OK &&
		      memcmp(idx, want, n * OTHER_K * sizeof *idx) == 0,
	      "%s", o.err.text);
	knng_graph_in_close(g);
	free(idx);
	free(want);
	free(points);
	CHECK(remove_folder(kept) && unlink(at("whole.h5")) == 0 && files_there() == 0 && knng_sys().live == live,
	      "%d files", files_there());
}

/* Without a limit of its own a search has what is available, from which no result is taken. */
static void
test_available(void)
{
	source s = {0};
	knng_rows rows = rows_of(&s);
	char name[200];
	snprintf(name, sizeof name, "%s", at("g.h5"));
	knng_options opt = {.k = K, .device.kind = KNNG_DEVICE_CPU};
	knng_blocks_plan memory, file;
	knng_memory_set_available(1e9);
	CHECK(knng_blocks_plan_make(&memory, &rows, &opt, NULL) == KNNG_OK, "no plan");
	opt.output = name;
	CHECK(knng_blocks_plan_make(&file, &rows, &opt, NULL) == KNNG_OK, "no plan");
	knng_memory_set_available(0);
	CHECK(fabs(file.limit - memory.limit - 16.0 * N * K) < 1 && memory.file == 0, "%g, %g", memory.limit,
	      file.limit);
	CHECK(file.bytes - memory.bytes >= 12 * N * K && file.bytes - memory.bytes < 13 * N * K + 1.1e6, "%g, %g",
	      memory.bytes, file.bytes);
	CHECK(files_there() == 0, "a plan makes no file");
}

/* When any call fails nothing is left; a search that is stopped at any read leaves nothing but its checkpoint, and the
 * next one writes the same bytes. */
static void
test_failures(void)
{
	source s = {0};
	knng_rows rows = rows_of(&s);
	char name[200], kept[200];
	snprintf(name, sizeof name, "%s", at("out.h5"));
	snprintf(kept, sizeof kept, "%s", at("kept"));
	knng_options opt = {.k = K, .device.kind = KNNG_DEVICE_CPU, .output = name, .task.threads = 1};
	CHECK(search(&rows, &opt).status == KNNG_OK && rename(name, at("whole.h5")) == 0, "no graph");
	int64_t live = knng_sys().live, nth = 1;
	for (bool reached = true; reached; nth += nth < 50 ? 1 : 5) {
		int64_t calls = knng_sys().calls;
		opt.max_memory = nth % 2 == 0 ? 1.8e6 : 0;
		knng_sys_fail_at(nth);
		outcome o = search(&rows, &opt);
		reached = knng_sys().calls - calls >= nth;
		knng_sys_fail_at(0);
		CHECK(o.status == KNNG_OK ? same_files(name, at("whole.h5")) : reached && o.err.text[0] != 0,
		      "call %lld: %s", (long long)nth, o.err.text);
		CHECK(knng_sys().live == live && files_there() == 1 + (o.status == KNNG_OK),
		      "call %lld leaves something", (long long)nth);
		unlink(name);
	}
	CHECK(nth > 60, "%lld calls", (long long)nth);
	opt.max_memory = 0;
	opt.checkpoint = kept;
	opt.save_every = 1e-9;
	opt.task.interrupt = &s.stop;
	for (int64_t stop_at = 1; stop_at < 12; stop_at += 3) {
		s.reads = s.stop = 0;
		s.stop_at = stop_at;
		outcome o = search(&rows, &opt);
		CHECK(o.status == KNNG_EINTERRUPTED && access(name, F_OK) != 0 && files_there() == 2, "read %lld: %s",
		      (long long)stop_at, o.err.text);
		s.stop = s.stop_at = 0;
		o = search(&rows, &opt);
		CHECK(o.status == KNNG_OK && o.info.blocks == 8 && same_files(name, at("whole.h5")), "read %lld: %s",
		      (long long)stop_at, o.err.text);
		unlink(name);
		o = search(&rows, &opt);
		CHECK(o.status == KNNG_OK && o.info.resumed == 1 && same_files(name, at("whole.h5")), "%s", o.err.text);
		unlink(name);
		CHECK(remove_folder(kept), "no checkpoint");
	}
	unlink(at("whole.h5"));
}

/* A checkpoint that is in use, or that of another search, is refused before there is any other file. */
static void
test_checkpoint_first(void)
{
	source s = {0};
	knng_rows rows = rows_of(&s);
	char kept[200];
	snprintf(kept, sizeof kept, "%s", at("kept"));
	knng_options opt = {.k = K, .device.kind = KNNG_DEVICE_CPU, .checkpoint = kept, .output = "/nowhere/g.h5"};
	knng_folder *held = knng_folder_open(kept, true);
	outcome o = search(&rows, &opt);
	CHECK(held != NULL && o.status == KNNG_EIO && strcmp(o.err.id, "knng:checkpoint:busy") == 0 && s.reads == 0,
	      "%s", o.err.text);
	knng_folder_close(held);
	o = search(&rows, &opt);
	CHECK(strcmp(o.err.id, "knng:io:open") == 0 && s.reads == 0, "when it is free: %s", o.err.text);
	char name[200];
	snprintf(name, sizeof name, "%s", at("g.h5"));
	opt.output = name;
	CHECK(search(&rows, &opt).status == KNNG_OK && unlink(name) == 0, "no checkpoint");
	opt.output = "/nowhere/g.h5";
	opt.k = K - 1;
	const knng_blocks_plan plan = o.plan; /* made before there was another search's */
	s.reads = 0;
	knng_status status = knng_blocks_graph(&plan, &rows, &opt, NULL, NULL, &o.err);
	CHECK(status == KNNG_EIO && strcmp(o.err.id, "knng:checkpoint:other") == 0 && s.reads == 0, "%s", o.err.text);
	CHECK(remove_folder(kept) && files_there() == 0, "%d files", files_there());
}

/* A file that cannot be there is an error before anything is read. */
static void
test_refused(void)
{
	static const char *const names[] = {"/dev/null", "/nowhere/g.h5", "/dev/full"};
	for (int i = 0; i < 3; i++) {
		source s = {0};
		knng_rows rows = rows_of(&s);
		knng_options opt = {.k = K, .device.kind = KNNG_DEVICE_CPU, .output = names[i]};
		outcome o = search(&rows, &opt);
		CHECK(o.status == KNNG_EIO && strcmp(o.err.id, "knng:io:open") == 0 && s.reads == 0, "%s: %s", names[i],
		      o.err.text);
	}
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		abort();
	X = room(N * D, sizeof *X);
	narrow = room(N * D, sizeof *narrow);
	wanted = room(N * K, sizeof *wanted);
	far = room(N * K, sizeof *far);
	for (int64_t e = 0; e < N * D; e++)
		X[e] = narrow[e] =
			(float)(e / D % 40 == 7 ? NAN : (double)random_below(64) + (e % 2 ? random_unit() : 0));
	if (oracle_knn("euclidean", false, N, D, X, 0, NULL, K, wanted, far) != 0)
		abort();
	if (knng_graph_out_can(NULL) == KNNG_OK) {
		test_bytes(false);
		test_bytes(true);
		test_filed();
		test_available();
		test_failures();
		test_refused();
		test_checkpoint_first();
	} else {
		source s = {0};
		knng_rows rows = rows_of(&s);
		knng_options opt = {.k = K, .output = at("g.h5")};
		outcome o = search(&rows, &opt);
		CHECK(o.status == KNNG_EIO && strcmp(o.err.id, "knng:io:noHDF") == 0 && s.reads == 0, "%s", o.err.text);
	}
	CHECK(files_there() == 0 && knng_sys().live == 0, "%d files", files_there());
	rmdir(folder);
	free(X);
	free(narrow);
	free(wanted);
	free(far);
	return summary();
}
