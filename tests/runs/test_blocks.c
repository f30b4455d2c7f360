/* test_blocks.c  Graphs from pairs of blocks: the bits of the whole search, for any metric, size of blocks, threads and
 * target; lists that are merged in any order, and twice; failures of reading and Ctrl-C. */
#include "base/sys.h"
#include "blocks/blocks.h"
#include "kinds.h"
#include "knng.h"
#include "oracle.h"
#include "shelved.h"
#include "testing.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64] = "/tmp/knng-test-blocks-XXXXXX", beside[80]; /* lists are in a file there, in some searches */

typedef struct {
	const double *X;
	int64_t d, reads, fail_at; /* fail_at: the read that fails, from 1; 0: none */
	bool single;
	int nap;                     /* us that a read takes */
	volatile sig_atomic_t *stop; /* set at that read instead */
} memory;

static knng_status
read_rows(void *context, int64_t first, int64_t count, void *to, knng_err *err)
{
	memory *m = context;
	if (m->nap > 0)
		usleep((useconds_t)m->nap);
	if (++m->reads == m->fail_at) {
		if (m->stop == NULL)
			return knng_fail(err, KNNG_EIO, "knng:io:read", "rows from %lld on", (long long)first);
		__atomic_store_n(m->stop, SIGINT, __ATOMIC_RELAXED); /* another thread looks at it */
	}
	for (int64_t e = 0; e < count * m->d; e++)
		if (m->single)
			((float *)to)[e] = (float)m->X[first * m->d + e];
		else
			((double *)to)[e] = m->X[first * m->d + e];
	return KNNG_OK;
}

static bool
is_answer(const knng_neighbours *got, const int64_t *idx, const double *dist)
{
	for (int64_t e = 0; e < got->n * got->k; e++)
		if (got->index[e] != idx[e] || (idx[e] >= 0 && bits_of(got->distance[e]) != bits_of(dist[e])))
			return false;
	return true;
}

static void
test_answers(void)
{
	enum { N = 61, D = 9 };
	static const int64_t sizes[] = {5, 16, 30, 31, 61, 200, 1}, ks[] = {1, 5, 40, 80};
	int64_t live = knng_sys().live;
	for (int i = 0; knng_metric_name(i) != NULL; i++) {
		const char *metric = knng_metric_name(i);
		for (int kind = 0; kind < KINDS; kind++) {
			if (SKIPS_TOO(3, 17))
				continue;
			double *X = make_rows(kind, N, D);
			bool fine = true;
			for (size_t c = 0; c < sizeof ks / sizeof *ks; c++) {
				int64_t k = oracle_width(N, true, ks[c]);
				int64_t *idx = room(N * k, sizeof *idx);
				double *dist = room(N * k, sizeof *dist);
				if (oracle_knn(metric, false, N, D, X, 0, NULL, ks[c], idx, dist) != 0)
					abort();
				for (size_t s = 0; s < sizeof sizes / sizeof *sizes - (kind != NORMAL || i > 0) && fine;
				     s++) {
					if (SKIPS(5))
						continue;
					memory m = {.X = X, .d = D};
					knng_rows rows = {
						.n = N, .d = D, .type = KNNG_F64, .read = read_rows, .context = &m};
					knng_options opt = {.metric = metric,
							    .device.kind = KNNG_DEVICE_CPU,
							    .task.threads = 1 + (int)(s + c) % 3,
							    .tile = s % 2 ? 16 : 48,
							    .target = c % 2 ? "plain" : NULL,
							    .prune = (int)(s + c + (size_t)kind) % 3,
							    .k = k};
					knng_neighbours lists;
					knng_err err = {0};
					for (int filed = 0; filed < 1 + ((s + c + (size_t)kind) % 4 == 0) && fine;
					     filed++) {
						fine = knng_neighbours_make(&lists, N, k, 2, &err) == KNNG_OK &&
						       run_blocks(&rows, sizes[s], &opt, &lists, filed ? beside : NULL,
								  NULL, &err) == KNNG_OK &&
						       is_answer(&lists, idx, dist);
						if (!fine)
							printf("  blocks of %lld, k = %lld, filed %d: %s\n",
							       (long long)sizes[s], (long long)k, filed, err.text);
						knng_neighbours_free(&lists);
					}
				}
				free(idx);
				free(dist);
			}
			CHECK(fine, "%s, kind %d", metric, kind);
			free(X);
		}
	}
	CHECK(knng_sys().live == live, "nothing is left");
}

/* An element of row i where the blocks, of SIZE rows, are not alike. They have several micro-panels. */
enum { STEPS = 5, SIZE = 40, LARGER = 0, SMALLER, SOME_WHOLE, SOME_LARGE, SOME_LONG, SOME_ZERO, EQUAL, CHANGES };

static double
changing(int how, int64_t i, double normal)
{
	int64_t block = i / SIZE;
	double whole = (double)random_below(40) - 20;
	switch (how) {
	case LARGER: /* one row of each block, and the nearest of the others are everywhere */
		return i % SIZE == 3 ? ldexp(normal, (int)(3 * block)) : normal;
	case SMALLER:
		return i % SIZE == 3 ? ldexp(normal, (int)(3 * (STEPS - block))) : normal;
	case SOME_WHOLE: /* with ties, and with what single precision takes for ties */
		return (double)random_below(2) + (block % 3 == 1 ? normal * 0x1p-28 : 0);
	case SOME_LARGE: /* whole numbers whose squares single precision does not hold */
		return block % 3 == 2 ? 1000 * whole : whole;
	case SOME_LONG: /* and such that are not small any more */
		return block % 3 == 2 ? ldexp(whole, 20) + whole : whole;
	case SOME_ZERO: /* a block of few whole numbers, and others as small, whose distances look like ties */
		return i >= SIZE ? 0.5 + normal * 0x1p-28 : i % 16 == 5 ? 0 : NAN;
	default: /* within a block and across */
		return i % 11 < 4 ? 7 : normal;
	}
}

/* A block is prepared once for all blocks that it meets: also where these have other scales, centres and kinds of
 * numbers, and rows that equal its own. */
static void
test_kept(void)
{
	enum { N = STEPS * SIZE - 3, D = 9, K = 6 };
	static const char *const names[CHANGES] = {"larger and larger", "smaller and smaller", "some are whole",
						   "some are large",    "some are long",       "some are zero",
						   "equal rows"};
	int64_t live = knng_sys().live, idx[N * K];
	double dist[N * K];
	for (int i = 0; knng_metric_name(i) != NULL; i++)
		for (int how = 0; how < CHANGES; how++) {
			const char *metric = knng_metric_name(i);
			if (SKIPS_TOO(3, 11))
				continue;
			double *X = make_rows(NORMAL, N, D);
			for (int64_t e = 0; e < N * D; e++)
				X[e] = changing(how, e / D, X[e]);
			for (int64_t l = 0; l < D && how == EQUAL; l++)
				X[20 * D + l] = l == 3 ? NAN : X[20 * D + l];
			if (oracle_knn(metric, false, N, D, X, 0, NULL, K, idx, dist) != 0)
				abort();
			memory m = {.X = X, .d = D};
			knng_rows rows = {.n = N, .d = D, .type = KNNG_F64, .read = read_rows, .context = &m};
			for (int way = 0; way < 6; way++) {
				static const char *const targets[] = {NULL, "plain", "blas", NULL, NULL, "avx2"};
				knng_options opt = {.metric = metric,
						    .k = K,
						    .device.kind = KNNG_DEVICE_CPU,
						    .task.threads = 1 + way % 2,
						    .prune = way < 4 ? KNNG_PRUNE_OFF : KNNG_PRUNE_ON,
						    .tile = way == 3 ? 0 : 16,
						    .target = targets[way]};
				knng_neighbours lists;
				knng_err err = {0};
				if (knng_neighbours_make(&lists, N, K, 1, &err) != KNNG_OK)
					abort();
				CHECK(run_blocks(&rows, SIZE, &opt, &lists, NULL, NULL, &err) == KNNG_OK &&
					      is_answer(&lists, idx, dist),
				      "%s, %s, way %d: %s", metric, names[how], way, err.text);
				knng_neighbours_free(&lists);
			}
			free(X);
		}
	CHECK(knng_sys().live == live, "nothing is left of what was kept");
}

/* Rows that escalate on both sides of a meeting, and lists that are full: what few rows do not come to. */
static void
test_levels(void)
{
	enum { N = 1200, D = 3, K = 3 };
	static const struct {
		const char *metric;
		double away;
		int64_t size;
		int level;
	} cases[] = {
		{"euclidean", 0, 500, KNNG_LEVEL_F32},
		{"cosine", 1e5, 603, KNNG_LEVEL_F64},
		{"cosine", 1e9, 600, KNNG_LEVEL_SCAN},
		{"cityblock", 1e9, 601, KNNG_LEVEL_SCAN},
	};
	int64_t *idx = room(N * K, sizeof *idx);
	double *dist = room(N * K, sizeof *dist);
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		bool apart = strcmp(cases[c].metric, "cityblock") == 0; /* no centre is near all rows */
		double *X = make_rows(NORMAL, N, D);
		for (int64_t i = 0; i < N; i++)
			for (int64_t l = 0; l < D; l++)
				X[i * D + l] += apart && i % 8 == 0 ? 0 : cases[c].away;
		if (oracle_knn(cases[c].metric, false, N, D, X, 0, NULL, K, idx, dist) != 0)
			abort();
		memory m = {.X = X, .d = D};
		knng_rows rows = {.n = N, .d = D, .type = KNNG_F64, .read = read_rows, .context = &m};
		knng_options opt = {
			.metric = cases[c].metric, .k = K, .device.kind = KNNG_DEVICE_CPU, .task.threads = 2};
		knng_neighbours lists;
		knng_info info;
		knng_err err = {0};
		if (knng_neighbours_make(&lists, N, K, 2, &err) != KNNG_OK)
			abort();
		CHECK(run_blocks(&rows, cases[c].size, &opt, &lists, c % 2 ? beside : NULL, &info, &err) == KNNG_OK &&
			      is_answer(&lists, idx, dist),
		      "%s, %g away: %s", cases[c].metric, cases[c].away, err.text);
		CHECK(info.certified[cases[c].level] >= N * 7 / 8, "%s, %g away: %lld rows", cases[c].metric,
		      cases[c].away, (long long)info.certified[cases[c].level]);
		knng_neighbours_free(&lists);
		free(X);
	}
	free(idx);
	free(dist);
}

/* Random neighbours in random parts, some of them twice. */
static void
test_merge(void)
{
	bool fine = true;
	for (int trial = 0; trial < 2000; trial++) {
		int64_t k = 1 + random_below(9), count = random_below(30), parts = 1 + random_below(5);
		double distance[30] = {0}, part[30], room[9], best = -1;
		int32_t index[30], index_room[9];
		knng_neighbours l;
		if (knng_neighbours_make(&l, 3, k, 2, NULL) != KNNG_OK)
			abort();
		for (int64_t e = 0; e < count; e++)
			distance[e] = (double)random_below(6);
		for (int64_t again = 0; again < 2; again++)
			for (int64_t p = 0; p < parts; p++) {
				int64_t n = 0;
				for (int level = 0; level < 6; level++) /* by distance, then index */
					for (int64_t e = 0; e < count; e++)
						if (e % parts == p && distance[e] == level) {
							part[n] = level;
							index[n++] = (int32_t)e;
						}
				knng_neighbours_merge(&l, 1, part, index, n < k ? n : k, room, index_room);
			}
		int64_t found = 0;
		int32_t last = -1;
		for (; found < k && l.index[k + found] >= 0; found++) { /* strictly ascending, and none missing */
			double d = l.distance[k + found];
			int32_t j = l.index[k + found];
			fine = fine && distance[j] == d && (d > best || (d == best && j > last));
			best = d;
			last = j;
		}
		fine = fine && found == (count < k ? count : k) && l.index[0] == -1 && l.index[2 * k] == -1 &&
		       knng_neighbours_within(&l, 1) == (found < k ? INFINITY : best);
		for (int64_t e = 0; e < count && found == k; e++) {
			int64_t before = 0;
			for (int64_t o = 0; o < count; o++)
				before += o < e ? distance[o] <= distance[e] : distance[o] < distance[e];
			if (before < k)
				fine = fine && l.index[k + before] == e;
		}
		knng_neighbours_free(&l);
	}
	CHECK(fine, "lists merged in parts");
}

static void
test_stops(void)
{
	enum { N = 60, D = 5, K = 4 };
	double *X = make_rows(NORMAL, N, D), dist[N * K];
	volatile sig_atomic_t stop = 0;
	int64_t live = knng_sys().live, idx[N * K];
	if (oracle_knn("euclidean", false, N, D, X, 0, NULL, K, idx, dist) != 0)
		abort();
	for (int how = 0; how < 8; how++)
		for (int64_t at = 1; at <= 9; at++) {
			memory m = {.X = X, .d = D, .fail_at = at, .stop = how % 2 == 0 ? NULL : &stop};
			knng_rows rows = {.n = N, .d = D, .type = KNNG_F64, .read = read_rows, .context = &m};
			knng_options opt = {.k = K,
					    .prune = how < 4 ? KNNG_PRUNE_AUTO : KNNG_PRUNE_ON,
					    .device.kind = KNNG_DEVICE_CPU,
					    .task.interrupt = &stop};
			knng_neighbours lists;
			knng_err err = {0};
			stop = 0;
			if (knng_neighbours_make(&lists, N, K, 2, &err) != KNNG_OK)
				abort();
			knng_status status =
				run_blocks(&rows, 12, &opt, &lists, how % 4 < 2 ? NULL : beside, NULL, &err);
			CHECK(status == (how % 2 == 0 ? KNNG_EIO : KNNG_EINTERRUPTED) && err.text[0] != 0,
			      "read %lld: %d", (long long)at, (int)status);
			knng_neighbours_free(&lists);
		}
	CHECK(knng_sys().live == live, "nothing is left of runs that were stopped");
	/* A failure of each allocation, and of each call of the file of lists: without that file, and with it, with
	 * trees, and without. Which call is the nth depends on how threads come to run, so every number has its turn
	 * with the file. */
	int64_t disk = 0;
	for (int64_t turn = 4, reached = 1; reached; turn++) {
		if (SKIPS(5))
			continue;
		const char *file = turn % 2 == 0 ? NULL : beside;
		bool trees = turn / 2 % 2;
		int64_t nth = turn / 4;
		memory m = {.X = X, .d = D};
		knng_rows rows = {.n = N, .d = D, .type = KNNG_F64, .read = read_rows, .context = &m};
		knng_options opt = {.k = K,
				    .prune = trees ? KNNG_PRUNE_ON : KNNG_PRUNE_AUTO,
				    .device.kind = KNNG_DEVICE_CPU,
				    .task.threads = 1};
		knng_neighbours lists;
		knng_err err = {0};
		int64_t before = knng_sys().calls;
		knng_sys_fail_at(nth);
		knng_status status = knng_neighbours_make(&lists, N, K, 2, &err);
		if (status == KNNG_OK)
			status = run_blocks(&rows, 13, &opt, &lists, file, NULL, &err);
		bool hit = knng_sys().calls - before >= nth;
		reached = hit || file == NULL || !trees; /* with both there are more */
		knng_sys_fail_at(0);
		bool right = status != KNNG_OK || is_answer(&lists, idx, dist);
		knng_neighbours_free(&lists);
		CHECK((status == KNNG_OK || (hit && (status == KNNG_EMEMORY || status == KNNG_EIO))) && right &&
			      knng_sys().live == live && (status == KNNG_OK || err.text[0] != 0),
		      "call %lld: %d", (long long)nth, (int)status);
		if (status == KNNG_EIO) {
			CHECK(strncmp(err.id, "knng:io:", 8) == 0 && strstr(err.text, beside) != NULL, "%s: %s", err.id,
			      err.text);
			disk++;
		}
	}
	CHECK(disk > 10, "%lld calls of the file have failed", (long long)disk);
	free(X);
}

/* Rows in single precision; what is said of all meetings; what cannot be. */
static void
test_info(void)
{
	enum { N = 47, D = 6, K = 5, SIZE = 11 };
	double *X = make_rows(BROKEN, N, D);
	double *rounded = room(N * D, sizeof *rounded), dist[N * K];
	int64_t idx[N * K], nonfinite = 0, constant = 0, blocks = (N + SIZE - 1) / SIZE;
	for (int64_t e = 0; e < N * D; e++)
		rounded[e] = (double)(float)X[e];
	for (int64_t i = 0; i < N; i++) {
		nonfinite += i % 5 == 2;
		constant += i % 5 != 2 && i % 7 == 3;
	}
	if (oracle_knn("pearson", false, N, D, rounded, 0, NULL, K, idx, dist) != 0)
		abort();
	memory m = {.X = X, .d = D, .single = true};
	knng_rows rows = {.n = N, .d = D, .type = KNNG_F32, .read = read_rows, .context = &m};
	knng_options opt = {.metric = "pearson", .k = K, .device.kind = KNNG_DEVICE_CPU};
	knng_neighbours lists;
	knng_info info;
	knng_err err = {0};
	if (knng_neighbours_make(&lists, N, K, 2, &err) != KNNG_OK)
		abort();
	CHECK(run_blocks(&rows, SIZE, &opt, &lists, NULL, &info, &err) == KNNG_OK && is_answer(&lists, idx, dist),
	      "single: %s", err.text);
	int64_t certified = 0;
	for (int l = 0; l < KNNG_LEVELS; l++)
		certified += info.certified[l];
	CHECK(info.nonfinite == nonfinite && info.constant == constant && info.points == N - nonfinite - constant,
	      "%lld, %lld, %lld rows", (long long)info.nonfinite, (long long)info.constant, (long long)info.points);
	CHECK(certified == info.points && info.blocks == blocks, "%lld certified, %lld blocks", (long long)certified,
	      (long long)info.blocks);
	/* Of five blocks: all five; 1, which was gone, with 4 there, and 3, 2; then, with 2 and 3 there, 4. */
	CHECK(m.reads == 9, "%lld reads", (long long)m.reads);
	CHECK(run_blocks(&rows, 0, &opt, &lists, NULL, NULL, &err) == KNNG_EARGS, "blocks of no rows");
	rows.n = (int64_t)1 << 31;
	CHECK(run_blocks(&rows, SIZE, &opt, &lists, NULL, NULL, &err) == KNNG_EARGS,
	      "rows beyond the numbers of lists");
	knng_neighbours_free(&lists);
	free(X);
	free(rounded);
}

/* A row is certified by the highest level of any of its meetings, of which some rows have two. Meetings by themselves
 * say what is the most: those of knng_blocks_run know how far a row needs to look. */
static void
test_highest(void)
{
	enum { N = 1800, D = 3, K = 3, SIZE = 600 };
	double *X = make_rows(NORMAL, N, D);
	for (int64_t e = SIZE * D; e < N * D; e++)
		X[e] += e < 2 * SIZE * D ? 1e5 : 1e9;
	memory m = {.X = X, .d = D};
	knng_rows rows = {.n = N, .d = D, .type = KNNG_F64, .read = read_rows, .context = &m};
	knng_options opt = {.metric = "cosine", .k = K, .device.kind = KNNG_DEVICE_CPU};
	knng_neighbours lists;
	knng_info info;
	knng_err err = {0};
	uint8_t highest[N] = {0};
	int64_t want[KNNG_LEVELS] = {0}, different = 0;
	for (int a = 0; a < 3; a++)
		for (int b = a; b < 3; b++) {
			double *both = room(2 * SIZE * D, sizeof *both);
			uint8_t levels[2 * SIZE] = {0};
			int64_t idx[2 * SIZE * K], n = a < b ? 2 * SIZE : SIZE;
			memcpy(both, X + a * SIZE * D, SIZE * D * sizeof *X);
			memcpy(both + SIZE * D, X + b * SIZE * D, SIZE * D * sizeof *X);
			const knng_matrix A = knng_by_rows(n, D, KNNG_F64, both);
			const knng_output out = {idx, KNNG_I64, 0, NULL, KNNG_F64, K, 1};
			knng_options one = opt;
			knng_plan plan;
			one.split = a < b ? SIZE : 0;
			one.levels = levels;
			if (knng_plan_make(&plan, &A, NULL, &one, &err) != KNNG_OK ||
			    knng_run(&plan, &out, NULL, &err) != KNNG_OK)
				abort();
			for (int64_t i = 0; i < n; i++) {
				uint8_t *h = &highest[i < SIZE ? a * SIZE + i : b * SIZE + i - SIZE];
				different += *h != 0 && *h != levels[i];
				*h = levels[i] > *h ? levels[i] : *h;
			}
			free(both);
		}
	for (int64_t i = 0; i < N; i++)
		want[highest[i] - 1]++;
	if (knng_neighbours_make(&lists, N, K, 2, &err) != KNNG_OK)
		abort();
	CHECK(run_blocks(&rows, SIZE, &opt, &lists, NULL, &info, &err) == KNNG_OK, "%s", err.text);
	const int64_t *got = info.certified;
	CHECK(got[KNNG_LEVEL_F16] == 0 && got[KNNG_LEVEL_F32] + got[KNNG_LEVEL_F64] + got[KNNG_LEVEL_SCAN] == N &&
		      got[KNNG_LEVEL_F32] >= want[KNNG_LEVEL_F32] && got[KNNG_LEVEL_F64] > SIZE / 2 &&
		      got[KNNG_LEVEL_SCAN] > SIZE / 2 && got[KNNG_LEVEL_SCAN] <= want[KNNG_LEVEL_SCAN] &&
		      different > SIZE,
	      "%lld, %lld, %lld; alone %lld, %lld, %lld; %lld rows have two levels",
	      (long long)info.certified[KNNG_LEVEL_F32], (long long)info.certified[KNNG_LEVEL_F64],
	      (long long)info.certified[KNNG_LEVEL_SCAN], (long long)want[KNNG_LEVEL_F32],
	      (long long)want[KNNG_LEVEL_F64], (long long)want[KNNG_LEVEL_SCAN], (long long)different);
	knng_neighbours_free(&lists);
	free(X);
}

/* What progress was shown. */
static struct {
	int times, stages; /* how often; how often under another stage than before */
	double last, most_backwards;
	const char *stage;
} seen;

static void
see(void *context, const char *stage, double fraction)
{
	(void)context;
	seen.stages += stage != seen.stage;
	seen.most_backwards = fmax(seen.most_backwards, seen.last - fraction);
	seen.last = fraction;
	seen.stage = stage;
	seen.times++;
}

/* Meetings that are too short to show any progress show that of all together, which never goes back. */
static void
test_progress(void)
{
	enum { N = 200, D = 5, K = 4 };
	double *X = make_rows(NORMAL, N, D);
	memory m = {.X = X, .d = D, .nap = 15000};
	knng_rows rows = {.n = N, .d = D, .type = KNNG_F64, .read = read_rows, .context = &m};
	knng_options opt = {.k = K, .device.kind = KNNG_DEVICE_CPU, .task.progress = see};
	knng_neighbours lists;
	knng_err err = {0};
	if (knng_neighbours_make(&lists, N, K, 2, &err) != KNNG_OK)
		abort();
	memset(&seen, 0, sizeof seen);
	CHECK(run_blocks(&rows, 20, &opt, &lists, beside, NULL, &err) == KNNG_OK, "%s", err.text);
	CHECK(seen.times >= 3 && seen.stages == 1 && seen.most_backwards <= 0 && seen.last > 0.5 && seen.last <= 1,
	      "%d times, %d stages, back by %g, at last %g", seen.times, seen.stages, seen.most_backwards, seen.last);
	knng_neighbours_free(&lists);
	free(X);
}

/* As few blocks as fit, and as much alike: with less and less memory one more each time. */
static void
test_fewest(void)
{
	enum { N = 100000, D = 16, MOST = 60 };
	int64_t last = 0, size = 0;
	bool all = true, alike = true, within = true;
	for (double limit = 1e7; last < MOST; limit *= 0.997) {
		memory m = {.d = D};
		knng_rows rows = {.n = N, .d = D, .type = KNNG_F32, .read = read_rows, .context = &m};
		knng_options opt = {.k = 5,
				    .max_memory = limit,
				    .device.kind = KNNG_DEVICE_CPU,
				    .task.threads = 1,
				    .output = "/a/graph.h5"};
		knng_blocks_plan plan;
		knng_err err = {0};
		if (knng_blocks_plan_make(&plan, &rows, &opt, &err) != KNNG_OK) {
			all = strcmp(err.id, "knng:io:noHDF") == 0;
			break;
		}
		int64_t blocks = knng_parts(plan.size, N);
		all = all && (last == 0 || blocks == last || blocks == last + 1);
		alike = alike && blocks * plan.size - N < blocks;
		within = within && plan.bytes <= limit && (blocks > last || plan.size == size);
		last = blocks;
		size = plan.size;
	}
	CHECK(all, "%lld blocks", (long long)last);
	CHECK(alike, "blocks of one size");
	CHECK(within, "no more than the limit, and the same size for the same number");
}

/* With any limit on memory the answer is the same, and the memory stays within it and within what was planned; with too
 * little there is an error before anything is read. */
static void
test_limits(void)
{
	enum { N = 3000, D = 40, K = 9 };
	double *X = make_rows(REPEATED, N, D), *dist = room(N * K, sizeof *dist), *got = room(N * K, sizeof *got);
	int64_t *idx = room(N * K, sizeof *idx), *found = room(N * K, sizeof *found), most_blocks = 0, refused = 0;
	for (int64_t e = N / 2 * D; e < N * D; e++)
		X[e] = random_normal();
	if (oracle_knn("euclidean", false, N, D, X, 0, NULL, K, idx, dist) != 0)
		abort();
	for (double limit = 2e7; limit > 1e5; limit *= 0.6) {
		memory m = {.X = X, .d = D};
		knng_rows rows = {.n = N, .d = D, .type = KNNG_F64, .read = read_rows, .context = &m};
		knng_options opt = {
			.k = K, .prune = (int)(most_blocks % 3), .max_memory = limit, .device.kind = KNNG_DEVICE_CPU};
		const knng_output out = {found, KNNG_I64, 0, got, KNNG_F64, K, 1};
		knng_blocks_plan plan;
		knng_info info;
		knng_err err = {0};
		knng_status status = knng_blocks_plan_make(&plan, &rows, &opt, &err);
		if (status != KNNG_OK) {
			CHECK(status == KNNG_EARGS && strstr(err.text, "'MaxMemory'") != NULL && m.reads == 0, "%g: %s",
			      limit, err.text);
			refused++;
			continue;
		}
		CHECK(refused == 0 && plan.bytes <= limit, "%g: %g planned", limit, plan.bytes);
		status = knng_blocks_graph(&plan, &rows, &opt, &out, &info, &err);
		CHECK(status == KNNG_OK && memcmp(found, idx, N * K * sizeof *idx) == 0 &&
			      memcmp(got, dist, N * K * sizeof *dist) == 0,
		      "%g: %s", limit, err.text);
		CHECK(info.peak <= info.planned && info.planned <= limit, "%g: %g, planned %g, %g", limit, info.peak,
		      info.planned, plan.bytes);
		CHECK(info.peak > 0.3 * info.planned, "%g: %g, planned %g", limit, info.peak, info.planned);
		CHECK(info.blocks == (N + plan.size - 1) / plan.size, "%g: %lld blocks", limit, (long long)info.blocks);
		most_blocks = info.blocks > most_blocks ? info.blocks : most_blocks;
	}
	CHECK(most_blocks > 8 && refused > 1, "%lld blocks, %lld refused", (long long)most_blocks, (long long)refused);
	free(X);
	free(idx);
	free(dist);
	free(found);
	free(got);
}

/* What comes back from the file otherwise than it was written is an error, wherever it changes. */
typedef struct {
	memory rows;
	int64_t change_at, changed; /* the read at which a byte of the file changes, from 1; how many did */
	int64_t at;                 /* that byte */
} meddling;

/* The descriptor of the file of lists: one without a name in the folder; -1: there is none. */
static int
find_scratch(void)
{
	for (int fd = 3; fd < 64; fd++) {
		char name[32], path[200];
		snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
		ssize_t length = readlink(name, path, sizeof path - 1);
		path[length > 0 ? length : 0] = '\0';
		if (strncmp(path, folder, strlen(folder)) == 0 && strstr(path, "(deleted)") != NULL)
			return open(name, O_RDWR | O_CLOEXEC);
	}
	return -1;
}

static knng_status
read_and_meddle(void *context, int64_t first, int64_t count, void *to, knng_err *err)
{
	meddling *m = context;
	struct stat st;
	if (m->rows.reads + 1 == m->change_at) {
		int fd = find_scratch();
		unsigned char byte;
		if (fd < 0 || fstat(fd, &st) != 0 || (st.st_mode & 0777) != 0600 ||
		    pread(fd, &byte, 1, m->at % st.st_size) != 1)
			abort();
		byte ^= 4;
		m->changed += pwrite(fd, &byte, 1, m->at % st.st_size) == 1;
		close(fd);
	}
	return read_rows(&m->rows, first, count, to, err);
}

static void
test_meddling(void)
{
	enum { N = 120, D = 5, K = 4, SIZE = 12 };
	double *X = make_rows(NORMAL, N, D), dist[N * K];
	int64_t idx[N * K], live = knng_sys().live, noticed = 0, harmless = 0;
	if (oracle_knn("euclidean", false, N, D, X, 0, NULL, K, idx, dist) != 0)
		abort();
	const int TRIALS = ENOUGH(200, 80); /* each place twice, at least */
	for (int trial = 0; trial < TRIALS; trial++) {
		meddling m = {.rows = {.X = X, .d = D}, .change_at = 1 + trial % 40, .at = random_below(1 << 20)};
		knng_rows rows = {.n = N, .d = D, .type = KNNG_F64, .read = read_and_meddle, .context = &m};
		knng_options opt = {.k = K, .device.kind = KNNG_DEVICE_CPU, .task.threads = 1};
		knng_neighbours lists;
		knng_err err = {0};
		if (knng_neighbours_make(&lists, N, K, 2, &err) != KNNG_OK)
			abort();
		knng_status status = run_blocks(&rows, SIZE, &opt, &lists, beside, NULL, &err);
		CHECK(m.changed == 1 &&
			      (status == KNNG_OK
				       ? is_answer(&lists, idx, dist)
				       : status == KNNG_EIO && strstr(err.text, "otherwise than they were") != NULL),
		      "read %lld: %s", (long long)m.change_at, err.text);
		noticed += status != KNNG_OK;
		harmless += status == KNNG_OK;
		knng_neighbours_free(&lists);
	}
	CHECK(noticed > TRIALS / 2 && harmless > TRIALS / 40, "%lld noticed, %lld written over", (long long)noticed,
	      (long long)harmless);
	CHECK(knng_sys().live == live, "nothing is left");
	free(X);
}

/* What is left in the folder. */
static int
files_there(void)
{
	return rmdir(folder) == 0 ? mkdir(folder, 0700) : -1;
}

/* A place where no file can be. */
static void
test_places(void)
{
	enum { N = 30, K = 2 };
	static const char *const places[] = {"/nowhere/lists", "/proc/lists", "/dev/null/lists"};
	knng_shelf shelf;
	int64_t live = knng_sys().live;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		knng_err err = {0};
		CHECK(knng_shelf_open(&shelf, (knng_part){0, N}, K, 10, places[i], NULL, &err) == KNNG_EIO &&
			      strcmp(err.id, "knng:io:open") == 0 && strstr(err.text, places[i]) != NULL,
		      "%s: %s", err.id, err.text);
	}
	struct rlimit former, small;
	knng_err err = {0};
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &former);
	small = (struct rlimit){700, former.rlim_max};
	setrlimit(RLIMIT_FSIZE, &small);
	knng_status status = knng_shelf_open(&shelf, (knng_part){0, N}, K, 10, beside, NULL, &err);
	setrlimit(RLIMIT_FSIZE, &former);
	CHECK(status == KNNG_EIO && strcmp(err.id, "knng:io:write") == 0 && strstr(err.text, beside) != NULL &&
		      strstr(err.text, "'MaxMemory'") != NULL,
	      "%s: %s", err.id, err.text);
	CHECK(files_there() == 0 && knng_sys().live == live, "something is left");
}

int
main(int argc, char **argv)
{
	if (mkdtemp(folder) == NULL)
		abort();
	snprintf(beside, sizeof beside, "%s/graph.h5", folder);
	PART(places);
	PART(meddling);
	PART(highest);
	PART(progress);
	PART(limits);
	PART(fewest);
	PART(merge);
	PART(answers);
	PART(kept);
	PART(levels);
	PART(stops);
	PART(info);
	CHECK(rmdir(folder) == 0, "%s is not empty", folder);
	return summary();
}
