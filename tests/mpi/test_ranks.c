/* test_ranks.c [deep]  Under mpirun: searches by several ranks have the bits of the oracle, for every metric and data
 * of every kind, with the rows in memory and without, with the lists in memory and in files, with a checkpoint and
 * without; an error or a signal at one rank is everybody's. */
#include "base/sys.h"
#include "kinds.h"
#include "knng.h"
#include "mpi/agree.h"
#include "mpi/cluster.h"
#include "oracle.h"
#include "testing.h"

#include <signal.h>

static knng_post *post;
static int rank, ranks;

typedef struct {
	const double *X;
	int64_t d, reads, fail_at; /* fail_at: the read at which this rank fails, or is stopped; 0: none */
	bool single;
	volatile sig_atomic_t *stop;
} memory;

static knng_status
read_rows(void *context, int64_t first, int64_t count, void *to, knng_err *err)
{
	memory *m = context;
	if (++m->reads == m->fail_at) {
		if (m->stop == NULL)
			return knng_fail(err, KNNG_EIO, "knng:io:read", "rows from %lld on", (long long)first);
		__atomic_store_n(m->stop, SIGUSR1, __ATOMIC_RELAXED);
	}
	for (int64_t e = 0; e < count * m->d; e++)
		if (m->single)
			((float *)to)[e] = (float)m->X[first * m->d + e];
		else
			((double *)to)[e] = m->X[first * m->d + e];
	return KNNG_OK;
}

/* One search; the answer is rank 0's. */
typedef struct {
	knng_status status;
	knng_err err;
	knng_info info;
	knng_cluster_info more;
	int64_t *idx; /* [n * k] */
	double *dist;
	int64_t blocks;
	bool planned;
} outcome;

/* Where rows are, and, the last two, lists in a file. */
enum way { FROM_FILE, ONE_BY_ONE, TOGETHER, FILED, ALL_IN_FILES, WAYS };

static char beside[300];  /* where they are */
static int without = -1;  /* the rank that has no place for them */
static double least_room; /* that memory has then; 0: any */

/* More blocks than lie in memory, with lists in files. */
static void
file_lists(knng_cluster_plan *plan, const knng_rows *rows)
{
	if (plan->kept == 0) /* no checkpoint has other ones */
		plan->size = knng_parts(6 * (int64_t)ranks, rows->n);
	plan->blocks = knng_parts(plan->size, rows->n);
	plan->lists = knng_neighbours_bytes(plan->size * knng_parts(ranks, plan->blocks), plan->k);
	plan->opt.output = rank == without ? "/nowhere/graph.h5" : beside;
	plan->limit = least_room > 0 ? least_room : plan->limit;
}

static void
search(outcome *o, memory *m, int64_t n, int64_t k, enum way way, const knng_options *opt)
{
	knng_cluster_plan plan;
	knng_rows rows = {.n = n, .d = m->d, .type = m->single ? KNNG_F32 : KNNG_F64, .read = read_rows, .context = m};
	*o = (outcome){.idx = room(n * k, sizeof *o->idx), .dist = room(n * k, sizeof *o->dist)};
	o->status = knng_cluster_plan_make(&plan, post, &rows, opt, &o->err);
	if (o->status != KNNG_OK)
		return;
	/* The rows are few: so the plan has them all in memory, and lets blocks meet together. */
	o->planned = plan.resident && plan.together == knng_parts(knng_post_ranks(post), plan.blocks);
	plan.resident = way != FROM_FILE && way != ALL_IN_FILES;
	plan.together = way == TOGETHER ? plan.together : 1;
	if (way >= FILED)
		file_lists(&plan, &rows);
	o->blocks = plan.blocks;
	const knng_output out = {o->idx, KNNG_I64, 0, o->dist, KNNG_F64, k, 1};
	o->status = knng_cluster_run(&plan, post, &rows, &out, NULL, &o->info, &o->more, &o->err);
}

static void
forget(outcome *o)
{
	free(o->idx);
	free(o->dist);
}

/* Whether rank 0 says so; all ranks go on alike. */
static bool
everybody(bool says)
{
	return knng_post_least(post, rank > 0 || says) > 0;
}

static bool
is_answer(const outcome *o, int64_t slots, const int64_t *idx, const double *dist)
{
	for (int64_t e = 0; e < slots; e++)
		if (o->idx[e] != idx[e] || (idx[e] >= 0 && bits_of(o->dist[e]) != bits_of(dist[e])))
			return false;
	return true;
}

static void
test_answers(bool deep)
{
	enum { D = 9 };
	static const int64_t ns[] = {61, 7, 140, 33}, ks[] = {1, 5, 40, 80};
	int64_t live = knng_sys().live;
	int turn = 0;
	for (int i = 0; knng_metric_name(i) != NULL; i++)
		for (int kind = 0; kind < KINDS; kind++)
			for (int c = 0; c < (deep ? 8 : 1); c++, turn++) {
				if (!deep && ranks > 3 && turn % 7 % 3 != 0) /* three of seven; fewer ranks have all */
					continue;
				int64_t n = ns[(turn / 3) % 4], k = oracle_width(n, true, ks[turn % 4]);
				double *X = make_rows(kind, n, D);
				int64_t *idx = room(n * k, sizeof *idx);
				double *dist = room(n * k, sizeof *dist);
				outcome o;
				memory m = {.X = X, .d = D};
				const knng_options opt = {.metric = knng_metric_name(i),
							  .k = k,
							  .prune = turn % 5 < 3 ? KNNG_PRUNE_ON : KNNG_PRUNE_AUTO,
							  .device.kind = KNNG_DEVICE_CPU,
							  .task.threads = 1 + turn % 2};
				if (oracle_knn(opt.metric, false, n, D, X, 0, NULL, k, idx, dist) != 0)
					abort();
				search(&o, &m, n, k, turn % WAYS, &opt);
				CHECK(everybody(o.status == KNNG_OK && is_answer(&o, n * k, idx, dist)),
				      "%s, kind %d, %lld rows, k %lld, %lld blocks: %s", opt.metric, kind, (long long)n,
				      (long long)k, (long long)o.blocks, o.err.text);
				CHECK(o.planned, "%lld blocks", (long long)o.blocks);
				CHECK(rank > 0 || o.info.points + o.info.nonfinite + o.info.constant >= 1, "points");
				forget(&o);
				free(X);
				free(idx);
				free(dist);
			}
	CHECK(knng_sys().live == live, "something is left");
}

/* A rank whose rows cannot be read, or to which a signal comes, ends all, and rank 0 says why. */
static void
test_ends(const char *folder)
{
	enum { N = 400, D = 6, K = 4 };
	double *X = make_rows(NORMAL, N, D);
	int64_t *idx = room(N * K, sizeof *idx);
	double *dist = room(N * K, sizeof *dist);
	int64_t live = knng_sys().live;
	outcome o;
	if (oracle_knn("euclidean", false, N, D, X, 0, NULL, K, idx, dist) != 0)
		abort();
	knng_options opt = {.metric = "euclidean", .k = K, .device.kind = KNNG_DEVICE_CPU, .task.threads = 1};
	for (int failing = 0; failing < ranks; failing++)
		for (int at = 1; at < 12; at += 3) {
			memory m = {.X = X, .d = D, .fail_at = rank == failing ? at : 0};
			search(&o, &m, N, K, at % 2 ? TOGETHER : failing % 2 ? FROM_FILE : FILED, &opt);
			bool ended = knng_post_least(post, m.fail_at == 0 || m.reads < m.fail_at) == 0;
			CHECK(everybody((o.status == KNNG_EIO) == ended), "rank %d, read %d: %s", failing, at,
			      o.err.text);
			CHECK(rank > 0 || !ended || strstr(o.err.text, "rows from") != NULL, "%s", o.err.text);
			forget(&o);
		}
	/* A rank that has another row, or one less, than the others. */
	for (int other = 1; other < ranks; other++) {
		memory m = {.X = X, .d = D};
		double former = X[0];
		X[0] += rank == other;
		search(&o, &m, N, K, TOGETHER, &opt);
		X[0] = former;
		CHECK(everybody(strcmp(o.err.id, "knng:mpi:data") == 0), "rank %d: %s", other, o.err.text);
		forget(&o);
		search(&o, &m, N - (rank == other), K, TOGETHER, &opt);
		CHECK(everybody(strcmp(o.err.id, "knng:mpi:data") == 0), "rank %d: %s", other, o.err.text);
		forget(&o);
	}
	/* With a checkpoint: stopped again and again, at another rank each time, until it ends. */
	opt.checkpoint = folder;
	opt.save_every = 1e-9;
	for (int turn = 0;; turn++) {
		volatile sig_atomic_t stop = 0;
		memory m = {.X = X, .d = D, .fail_at = rank == turn % ranks ? 3 + turn : 0, .stop = &stop};
		opt.task.interrupt = &stop;
		search(&o, &m, N, K, turn % 2 ? FROM_FILE : ALL_IN_FILES, &opt);
		bool done = everybody(o.status == KNNG_OK);
		CHECK(done || everybody(o.status == KNNG_EINTERRUPTED && o.more.signal == SIGUSR1 &&
					strstr(o.err.text, "% of the work is saved") != NULL),
		      "turn %d: %s", turn, o.err.text);
		if (done) {
			CHECK(rank > 0 || is_answer(&o, N * K, idx, dist), "after %d stops", turn);
			CHECK(rank > 0 || turn == 0 || o.info.resumed > 0, "%g was there", o.info.resumed);
			CHECK(rank > 0 || o.info.points == N, "%lld points", (long long)o.info.points);
		}
		forget(&o);
		if (done || turn > 200)
			break;
	}
	/* All is there; then a row changes, and that is refused. */
	opt.task.interrupt = NULL;
	memory m = {.X = X, .d = D};
	search(&o, &m, N, K, ONE_BY_ONE, &opt);
	CHECK(everybody(o.status == KNNG_OK && is_answer(&o, N * K, idx, dist) && o.info.resumed == 1), "%s",
	      o.err.text);
	forget(&o);
	X[N * D - 1] += 1;
	search(&o, &m, N, K, ONE_BY_ONE, &opt);
	CHECK(everybody(o.status == KNNG_EIO && strcmp(o.err.id, "knng:checkpoint:data") == 0), "%s", o.err.text);
	forget(&o);
	CHECK(knng_sys().live == live, "something is left");
	free(X);
	free(idx);
	free(dist);
}

/* A rank that can have no file of lists: all keep them in memory, or, where that has no room, say why not. */
static void
test_places(void)
{
	enum { N = 200, D = 6, K = 7 };
	double *X = make_rows(NORMAL, N, D);
	int64_t *idx = room(N * K, sizeof *idx);
	double *dist = room(N * K, sizeof *dist);
	int64_t live = knng_sys().live;
	const knng_options opt = {.metric = "euclidean", .k = K, .device.kind = KNNG_DEVICE_CPU, .task.threads = 1};
	memory m = {.X = X, .d = D};
	outcome o;
	if (oracle_knn(opt.metric, false, N, D, X, 0, NULL, K, idx, dist) != 0)
		abort();
	for (without = 0; without < ranks; without++) {
		search(&o, &m, N, K, FILED, &opt);
		CHECK(everybody(o.status == KNNG_OK && is_answer(&o, N * K, idx, dist)), "rank %d: %s", without,
		      o.err.text);
		forget(&o);
		least_room = 1;
		search(&o, &m, N, K, ALL_IN_FILES, &opt);
		CHECK(everybody(o.status == KNNG_EIO && strcmp(o.err.id, "knng:io:open") == 0 &&
				strstr(o.err.text, "/nowhere/graph.h5") != NULL),
		      "rank %d: %s", without, o.err.text);
		forget(&o);
		least_room = 0;
	}
	without = -1;
	CHECK(knng_sys().live == live, "something is left");
	free(X);
	free(idx);
	free(dist);
}

/* Under any limit that is enough memory stays within the plan, and the plan within the limit; with little of it lists
 * are in files. */
static void
test_limits(const char *folder)
{
	enum { N = 4000, D = 4, K = 60 };
	double *X = make_rows(NORMAL, N, D), least = 0;
	int64_t *idx = room(N * K, sizeof *idx), *got = room(N * K, sizeof *got), filed = 0, kept = 0;
	double *dist = room(N * K, sizeof *dist), *far = room(N * K, sizeof *far);
	int64_t live = knng_sys().live;
	const knng_output out = {got, KNNG_I64, 0, far, KNNG_F64, K, 1};
	if (rank == 0 && oracle_knn("euclidean", false, N, D, X, 0, NULL, K, idx, dist) != 0)
		abort();
	for (int i = 0; i < 3; i++) {
		memory m = {.X = X, .d = D};
		const knng_rows rows = {.n = N, .d = D, .type = KNNG_F64, .read = read_rows, .context = &m};
		knng_options opt = {.metric = "euclidean",
				    .k = K,
				    .device.kind = KNNG_DEVICE_CPU,
				    .checkpoint = folder,
				    .max_memory = least * (1 + (i - 1) * (i - 1) / 3.0),
				    .task.threads = 1};
		outcome o = {0};
		knng_cluster_plan plan;
		o.status = knng_cluster_plan_make(&plan, post, &rows, &opt, &o.err);
		if (i == 0) /* without a limit */
			least = knng_cluster_least(&plan, post, &rows);
		if (o.status == KNNG_OK)
			o.status = knng_cluster_run(&plan, post, &rows, &out, NULL, &o.info, &o.more, &o.err);
		o.idx = got;
		o.dist = far;
		CHECK(everybody(o.status == KNNG_OK && is_answer(&o, N * K, idx, dist)), "%g bytes: %s", opt.max_memory,
		      o.err.text);
		CHECK(plan.bytes <= plan.limit && (i == 0 || plan.limit == opt.max_memory), "%g, limit %g", plan.bytes,
		      opt.max_memory);
		CHECK(rank > 0 || (o.info.peak > 0 && o.info.peak <= o.info.planned &&
				   (i == 0 || o.info.planned <= opt.max_memory)),
		      "%g bytes, planned %g, limit %g", o.info.peak, o.info.planned, opt.max_memory);
		filed += plan.lists > 0;
		kept += plan.lists == 0;
		CHECK(rank > 0 || remove_folder(folder), "no checkpoint");
		everybody(true);
	}
	CHECK(filed > 0 && kept > 0, "%lld with files, %lld without", (long long)filed, (long long)kept);
	CHECK(knng_sys().live == live, "something is left");
	free(X);
	free(idx);
	free(dist);
	free(got);
	free(far);
}

int
main(int argc, char **argv)
{
	knng_err err;
	char folder[300];
	if (knng_post_open(&post, &argc, &argv, &err) != KNNG_OK) {
		printf("%s\n0 passed, 1 failed\n", err.text);
		return 1;
	}
	rank = knng_post_rank(post);
	ranks = knng_post_ranks(post);
	if (argc < 2) {
		printf("0 passed, 1 failed\n");
		return 1;
	}
	snprintf(folder, sizeof folder, "%s/kept", argv[1]);
	snprintf(beside, sizeof beside, "%s/graph.h5", argv[1]);
	test_answers(argc > 2);
	test_ends(folder);
	test_places();
	snprintf(folder, sizeof folder, "%s/limited", argv[1]);
	if (ranks <= 3) /* of more each has too few rows to need it */
		test_limits(folder);
	int bad = 1 - (int)knng_post_least(post, failed == 0);
	knng_post_close(post, bad);
	if (rank > 0 && failed > 0)
		printf("rank %d: %d failed\n", rank, failed);
	if (rank == 0)
		printf("%d passed, %d failed\n", passed, failed > 0 ? failed : bad);
	return bad;
}
