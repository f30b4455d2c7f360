/* test_searcher.c  Searches of references that are prepared once, for neighbours and for all within a radius: the bits
 * of the oracle, whatever was asked before, for any metric, with boxes and without; several searchers; memory; failures
 * and interrupts at any moment, of which the next search knows nothing; and a forked child. */
#include "interrupts.h"
#include "kinds.h"
#include "knng.h"
#include "oracle.h"
#include "search/cpu/cpu.h"
#include "search/metric.h"
#include "search/range.h"
#include "search/searcher.h"

#include <cblas.h>
#include <sys/wait.h>

static const char *const targets[] = {"avx512", "avx2", "plain", "blas"};

typedef struct {
	const char *target;
	int64_t tile;
	int threads, prune;
	bool by_column;
	const volatile sig_atomic_t *interrupt;
} variant;

/* All targets, tiles and threads, one after another. */
static variant
next_variant(void)
{
	static const int64_t tiles[] = {0, 16, 48, 128};
	static int next = 0;
	int v = next++;
	bool there = strcmp(targets[v % 4], "blas") == 0 || knng_kernels_find(targets[v % 4]) != NULL;
	return (variant){.target = there ? targets[v % 4] : NULL,
			 .tile = tiles[v / 4 % 4],
			 .threads = v % 3 == 0 ? 3 : 1,
			 .prune = v % 3, /* KNNG_PRUNE_… */
			 .by_column = v % 2};
}

/* Row-major rows, as the variant wants them. */
static knng_matrix
lay_out(const double *rows, int64_t n, int64_t d, variant v)
{
	double *data = room(n * d, sizeof *data);
	knng_matrix X = {
		.n = n, .d = d, .data = data, .row_stride = v.by_column ? 1 : d, .col_stride = v.by_column ? n : 1};
	for (int64_t i = 0; i < n; i++)
		for (int64_t l = 0; l < d; l++)
			data[i * X.row_stride + l * X.col_stride] = rows[i * d + l];
	return X;
}

static knng_options
options_of(const char *metric, variant v, int64_t k)
{
	return (knng_options){.metric = metric,
			      .k = k,
			      .prune = v.prune,
			      .tile = v.tile,
			      .target = v.target,
			      .task = {.threads = v.threads, .interrupt = v.interrupt}};
}

#define DEMAND(condition, ...)                                                                                         \
	do                                                                                                             \
		if (!(condition)) {                                                                                    \
			printf("  not so: %s  ", #condition);                                                          \
			printf(__VA_ARGS__);                                                                           \
			printf("\n");                                                                                  \
			fine = false;                                                                                  \
		}                                                                                                      \
	while (0)

/* A searcher of rows that are gone when it is made. */
static knng_status
make(knng_searcher **s, const double *rows, int64_t n, int64_t d, const char *metric, variant v, knng_info *info,
     knng_err *err)
{
	knng_matrix X = lay_out(rows, n, d, v);
	knng_options opt = options_of(metric, v, 0);
	knng_status status = knng_searcher_make(s, &X, &opt, info, err);
	memset((void *)X.data, 0xa5, (size_t)(n * d) * sizeof(double));
	free((void *)X.data);
	return status;
}

/* ---------------------------------------------------------------- one search */

typedef struct {
	int64_t m, k, width, *idx;
	double *Y, *dist;
} batch;

/* What may be asked of references: rows of every kind, far too large and small ones, whole numbers, references. */
enum { OF_KIND, LARGE, SMALL, WHOLE, LARGE_WHOLE, HALVES, MISSING, THEMSELVES, TINY, MINUTE, BATCHES };

static double
query(int which, const double *X, int64_t n, int64_t d, const double *rows, int64_t e)
{
	switch (which) {
	case LARGE:
		return 1e7 * rows[e];
	case SMALL:
		return 1e-9 * rows[e];
	case WHOLE:
		return (double)random_below(10);
	case LARGE_WHOLE:
		return (double)random_below(3000000) - 1500000;
	case HALVES:
		return (double)random_below(10) + 0.5;
	case MISSING:
		return e / d % 2 ? rows[e] : NAN;
	case TINY:
		return 1e-22 * rows[e];
	case MINUTE:
		return 1e-50 * rows[e];
	case THEMSELVES:
		return X[e / d * 5 % n * d + e % d];
	default:
		return rows[e];
	}
}

static batch
open_batch(int which, int kind, const double *X, int64_t n, int64_t d, int64_t m, int64_t k, const char *metric)
{
	batch b = {.m = m, .k = k, .width = oracle_width(n, false, k), .Y = room(m * d, sizeof *b.Y)};
	double *rows = make_rows(kind, m, d);
	for (int64_t e = 0; e < m * d; e++)
		b.Y[e] = query(which, X, n, d, rows, e);
	free(rows);
	b.idx = room(m * b.width, sizeof *b.idx);
	b.dist = room(m * b.width, sizeof *b.dist);
	if (oracle_knn(metric, false, n, d, X, m, b.Y, k, b.idx, b.dist) != 0)
		abort();
	return b;
}

static void
close_batch(batch *b)
{
	free(b->Y);
	free(b->idx);
	free(b->dist);
}

static bool
same(const batch *b, const int64_t *idx, const double *dist)
{
	for (int64_t e = 0; e < b->m * b->width; e++)
		if (idx[e] != b->idx[e] ||
		    (isnan(b->dist[e]) ? !isnan(dist[e]) : bits_of(dist[e]) != bits_of(b->dist[e])))
			return false;
	return true;
}

/* Copies that count as made have their bounds, unless all scores are exact. */
static bool
bounded(const knng_searcher *s)
{
	const knng_cpu *c = s->prepared.state;
	bool fine = true;
	for (int64_t i = 0; i < c->copied && !c->exact; i++)
		fine = fine && c->x.eps[i] > 0 && c->x.slack[i] > 0;
	return fine;
}

/* Searches; an answer has to be the right one, and the searcher has what it had. status: what came of it. */
static bool
search(knng_searcher *s, const batch *b, variant v, knng_info *info, knng_status *status, knng_err *err)
{
	bool fine = true;
	knng_plan plan;
	knng_matrix Y = lay_out(b->Y, b->m, s->x.d, v);
	knng_options opt = options_of("no metric", v, b->k);
	int64_t *idx = room(b->m * b->width, sizeof *idx);
	double *dist = room(b->m * b->width, sizeof *dist);
	knng_output out = {.idx = idx,
			   .dist = dist,
			   .idx_type = KNNG_I64,
			   .dist_type = KNNG_F64,
			   .row_stride = b->width,
			   .col_stride = 1};
	memset(idx, 0xa5, (size_t)(b->m * b->width) * sizeof *idx);
	memset(dist, 0xa5, (size_t)(b->m * b->width) * sizeof *dist);
	knng_sys_count before = knng_sys();
	*info = (knng_info){0};
	*status = knng_searcher_plan(s, &plan, &Y, &opt, err);
	DEMAND(*status == KNNG_OK && plan.k == b->width, "%s", err->text);
	if (fine)
		*status = knng_run(&plan, &out, info, err);
	DEMAND(*status != KNNG_OK || same(b, idx, dist), "'%s', m = %lld, k = %lld", info->pruned, (long long)b->m,
	       (long long)b->k);
	DEMAND(bounded(s), "after status %d", *status);
	DEMAND(info->peak <= plan.bytes, "peak %.0f of %.0f", info->peak, plan.bytes);
	DEMAND(knng_sys().bytes == before.bytes && knng_sys().live == before.live, "%lld bytes are left",
	       (long long)(knng_sys().bytes - before.bytes));
	free((void *)Y.data);
	free(idx);
	free(dist);
	return fine;
}

/* Whether what was found of a row begins as its neighbours do, and, where these are all that there are, ends so. */
static bool
begins(const batch *b, int64_t i, double radius, const knng_pair *rows, int64_t count, int64_t n)
{
	const int64_t *idx = b->idx + i * b->width;
	const double *dist = b->dist + i * b->width;
	int64_t e = 0;
	for (; e < b->width && dist[e] <= radius; e++)
		if (e >= count || rows[e].index != idx[e] || bits_of(rows[e].distance) != bits_of(dist[e]))
			return false;
	bool all = e < b->width || b->width == n;
	for (; !all && e < count; e++)
		if (!(rows[e].distance <= radius) || !knng_pair_before(&rows[e - 1], &rows[e]))
			return false;
	return e == count;
}

/* Searches for all within a radius: the distance of the last neighbour of one of the queries. */
static bool
within(knng_searcher *s, const batch *b, variant v, knng_info *info, knng_status *status, knng_err *err)
{
	bool fine = true;
	knng_plan plan;
	knng_matrix Y = lay_out(b->Y, b->m, s->x.d, v);
	double last = b->dist[random_below(b->m) * b->width + b->width - 1];
	knng_range found = {.radius = isnan(last) ? 0 : last};
	knng_options opt = options_of("no metric", v, 0);
	opt.range = &found;
	knng_sys_count before = knng_sys();
	*info = (knng_info){0};
	*status = knng_searcher_plan(s, &plan, &Y, &opt, err);
	if (*status == KNNG_OK)
		*status = knng_run(&plan, NULL, info, err);
	if (*status == KNNG_OK) {
		knng_pair *rows = room(2 * found.longest, sizeof *rows);
		DEMAND(found.rows == b->m && info->peak <= info->planned, "peak %.0f of %.0f", info->peak,
		       info->planned);
		for (int64_t i = 0; fine && i < b->m; i++) {
			knng_range_row(&found, i, rows, rows + found.longest);
			DEMAND(begins(b, i, found.radius, rows, knng_range_count(&found, i), s->x.n),
			       "row %lld, radius %g, '%s'", (long long)i, found.radius, info->pruned);
		}
		free(rows);
	}
	knng_range_close(&found);
	DEMAND(bounded(s), "after status %d", *status);
	DEMAND(knng_sys().bytes == before.bytes && knng_sys().live == before.live, "%lld bytes are left",
	       (long long)(knng_sys().bytes - before.bytes));
	free((void *)Y.data);
	return fine;
}

static int64_t
warned(const knng_info *info)
{
	return info->nonfinite * 100000 + info->constant;
}

/* What a search without a searcher counts. */
static int64_t
warned_without(const double *rows, int64_t n, int64_t d, const char *metric, const batch *b)
{
	knng_plan plan;
	knng_info info;
	knng_err err;
	variant v = {.threads = 1};
	knng_matrix X = lay_out(rows, n, d, v), Y = lay_out(b->Y, b->m, d, v);
	knng_options opt = options_of(metric, v, b->k);
	knng_output out = {
		.idx = room(b->m * b->width, 8), .idx_type = KNNG_I64, .row_stride = b->width, .col_stride = 1};
	bool fine =
		knng_plan_make(&plan, &X, &Y, &opt, &err) == KNNG_OK && knng_run(&plan, &out, &info, &err) == KNNG_OK;
	free((void *)X.data);
	free((void *)Y.data);
	free(out.idx);
	return fine ? warned(&info) : -1;
}

/* ---------------------------------------------------------------- answers */

/* Batches of all sorts one after another, in any order, of one searcher. */
static void
ask_all(int kind, int64_t n, int64_t d, const char *metric, variant v)
{
	double *X = make_rows(kind, n, d);
	knng_searcher *s;
	knng_info info;
	knng_err err = {0};
	knng_sys_count before = knng_sys();
	bool fine = true;
	DEMAND(make(&s, X, n, d, metric, v, &info, &err) == KNNG_OK, "%s", err.text);
	DEMAND(fine && s->bytes == (double)(knng_sys().bytes - before.bytes), "%.0f bytes are said", s->bytes);
	for (int i = 0; fine && i < BATCHES + 4; i++) {
		int which = (int)random_below(BATCHES);
		int64_t m = random_below(3) ? 1 + random_below(3) : 40 + random_below(30);
		int64_t k = random_below(4) ? 1 + random_below(7) : n + random_below(2);
		batch b = open_batch(which, kind, X, n, d, m, k, metric);
		knng_status status;
		DEMAND(search(s, &b, v, &info, &status, &err) && status == KNNG_OK, "batch %d: %s", which, err.text);
		DEMAND(warned(&info) == warned_without(X, n, d, metric, &b), "rows without distances");
		DEMAND(within(s, &b, v, &info, &status, &err) && status == KNNG_OK, "batch %d: %s", which, err.text);
		DEMAND(warned(&info) == warned_without(X, n, d, metric, &b), "rows without distances");
		close_batch(&b);
	}
	CHECK(fine, "kind %d, %s, n = %lld, d = %lld, %s, tile %lld, %d threads, prune %d", kind, metric, (long long)n,
	      (long long)d, v.target ? v.target : "auto", (long long)v.tile, v.threads, v.prune);
	knng_searcher_free(s);
	CHECK(knng_sys().bytes == before.bytes && knng_sys().live == before.live, "it is freed");
	free(X);
}

static void
test_answers(void)
{
	static const int64_t columns[] = {1, 3, 8, 17, 100};
	for (int kind = 0; kind < KINDS; kind++)
		for (const knng_metric *metric = knng_metrics; metric->name != NULL; metric++)
			for (int round = 0; round < 3; round++) {
				if (SKIPS(11))
					continue;
				ask_all(kind, 1 + random_below(250), columns[random_below(5)], metric->name,
					next_variant());
			}
}

/* A tree of copies, and then more neighbours than are sought by them, and again. */
static void
test_many_neighbours(void)
{
	enum { N = 1100, D = 9 };
	static const int64_t ks[] = {5, 1024, 1025, 5, N};
	for (int i = 0; i < 3; i++) {
		const char *metric = knng_metrics[3 * i].name;
		double *X = make_rows(i, N, D);
		variant v = {.threads = 1 + i, .prune = KNNG_PRUNE_ON};
		knng_searcher *s;
		knng_info info;
		knng_err err = {0};
		bool fine = true;
		DEMAND(make(&s, X, N, D, metric, v, &info, &err) == KNNG_OK, "%s", err.text);
		for (int j = 0; fine && j < 5; j++) {
			batch b = open_batch(OF_KIND, i, X, N, D, 40, ks[j], metric);
			knng_status status;
			DEMAND(search(s, &b, v, &info, &status, &err) && status == KNNG_OK, "%s", err.text);
			DEMAND(strncmp(info.pruned, "yes", 3) == 0, "%s", info.pruned);
			DEMAND(within(s, &b, v, &info, &status, &err) && status == KNNG_OK, "%s", err.text);
			DEMAND(strncmp(info.pruned, "yes", 3) == 0, "%s", info.pruned);
			close_batch(&b);
		}
		CHECK(fine, "kind %d, %s", i, metric);
		knng_searcher_free(s);
		free(X);
	}
}

/* Several, whose searches take turns, and which go in any order. */
static void
test_several(void)
{
	enum { COUNT = 5 };
	knng_searcher *s[COUNT];
	double *X[COUNT];
	bool fine = true;
	knng_err err = {0};
	knng_info info;
	knng_status status;
	int64_t before = knng_sys().bytes;
	for (int i = 0; i < COUNT; i++) {
		X[i] = make_rows(i, 100 + i, 3 + i);
		DEMAND(make(&s[i], X[i], 100 + i, 3 + i, knng_metrics[i].name, next_variant(), &info, &err) == KNNG_OK,
		       "%s", err.text);
	}
	for (int round = 0; fine && round < 40; round++) {
		int i = (int)random_below(COUNT);
		if (s[i] == NULL)
			continue;
		batch b = open_batch((int)random_below(BATCHES), i, X[i], 100 + i, 3 + i, 1 + random_below(20), 4,
				     knng_metrics[i].name);
		DEMAND(search(s[i], &b, next_variant(), &info, &status, &err) && status == KNNG_OK, "%s", err.text);
		close_batch(&b);
		if (round % 9 == 8) {
			knng_searcher_free(s[i]);
			s[i] = NULL;
		}
	}
	for (int i = 0; i < COUNT; i++) {
		knng_searcher_free(s[i]);
		free(X[i]);
	}
	CHECK(fine && knng_sys().bytes == before, "searchers that take turns");
}

/* The tree stays: a query visits few of many rows, and the answers are those without one. */
static void
test_tree(void)
{
	enum { N = 10000, D = 3 };
	double *X = make_rows(NORMAL, N, D);
	static const int64_t many[] = {1, 31, 32, 150};
	for (int prune = 0; prune < 3; prune++) {
		knng_searcher *s;
		knng_info info;
		knng_err err = {0};
		knng_status status;
		bool fine = true, tree = prune != KNNG_PRUNE_OFF;
		variant v = {.threads = 1, .prune = prune};
		DEMAND(make(&s, X, N, D, "euclidean", v, &info, &err) == KNNG_OK, "%s", err.text);
		DEMAND(strncmp(info.pruned, tree ? "yes: " : "no: ", 4) == 0, "%s", info.pruned);
		for (int i = 0; fine && i < 4; i++) {
			batch b = open_batch(OF_KIND, NORMAL, X, N, D, many[i], 5, "euclidean");
			DEMAND(search(s, &b, v, &info, &status, &err) && status == KNNG_OK, "%s", err.text);
			DEMAND(strncmp(info.pruned, tree ? "yes: " : "no: ", 4) == 0, "%s", info.pruned);
			DEMAND(!tree || info.refined < many[i] * N / 10, "%lld distances", (long long)info.refined);
			DEMAND(within(s, &b, v, &info, &status, &err) && status == KNNG_OK, "%s", err.text);
			DEMAND(strncmp(info.pruned, tree ? "yes: " : "no: ", 4) == 0, "%s", info.pruned);
			DEMAND(!tree || info.refined < many[i] * N / 10, "%lld distances", (long long)info.refined);
			close_batch(&b);
		}
		CHECK(fine, "prune %d", prune);
		knng_searcher_free(s);
	}
	/* Far from all rows, where a tree gains nothing: then it is not used, however small the queries are. */
	knng_searcher *s;
	knng_info info;
	knng_err err = {0};
	knng_status status;
	variant v = {.threads = 1};
	CHECK(make(&s, X, N, D, "euclidean", v, &info, &err) == KNNG_OK, "%s", err.text);
	batch b = open_batch(OF_KIND, NORMAL, X, N, D, 40, 7000, "euclidean");
	CHECK(search(s, &b, v, &info, &status, &err) && status == KNNG_OK && strncmp(info.pruned, "no: ", 4) == 0,
	      "%s; %s", info.pruned, err.text);
	close_batch(&b);
	knng_searcher_free(s);
	free(X);
	enum { WIDE = 6 };
	X = make_rows(NORMAL, N, WIDE);
	CHECK(make(&s, X, N, WIDE, "euclidean", v, &info, &err) == KNNG_OK, "%s", err.text);
	for (int which = TINY; which <= MINUTE; which++) {
		b = open_batch(which, NORMAL, X, N, WIDE, 40, 4, "euclidean");
		CHECK(search(s, &b, v, &info, &status, &err) && status == KNNG_OK, "%d: %s", which, err.text);
		CHECK(strncmp(info.pruned, "no: ", 4) == 0, "%s", info.pruned);
		close_batch(&b);
	}
	knng_searcher_free(s);
	free(X);
}

/* ---------------------------------------------------------------- memory, failures, interrupts, fork */

/* Memory for one search is for that search alone: what the searcher holds is no part of it. */
static void
test_limits(void)
{
	double *X = make_rows(NORMAL, 3000, 20);
	variant v = {.threads = 2};
	knng_matrix matrix = lay_out(X, 3000, 20, v);
	knng_options opt = options_of("euclidean", v, 0);
	knng_searcher *s;
	knng_info info;
	knng_err err = {0};
	knng_plan plan;
	opt.max_memory = 3000 * 20 * 8;
	CHECK(knng_searcher_make(&s, &matrix, &opt, &info, &err) == KNNG_EARGS && s == NULL &&
		      strcmp(err.id, "knng:args:maxMemory") == 0,
	      "%s", err.text);
	opt.max_memory = 3e6;
	CHECK(knng_searcher_make(&s, &matrix, &opt, &info, &err) == KNNG_OK && info.peak <= info.planned &&
		      s->bytes < 3e6,
	      "%s", err.text);
	knng_matrix Y = lay_out(X, 1, 20, v);
	opt.k = 5;
	opt.max_memory = 8e5;
	CHECK(knng_searcher_plan(s, &plan, &Y, &opt, &err) == KNNG_OK && plan.bytes <= 8e5, "%s", err.text);
	opt.max_memory = 1e3;
	CHECK(knng_searcher_plan(s, &plan, &Y, &opt, &err) == KNNG_EARGS && strcmp(err.id, "knng:args:maxMemory") == 0,
	      "%s", err.text);
	knng_searcher_free(s);
	opt.prune = KNNG_PRUNE_ON;
	opt.max_memory = 3e6;
	CHECK(knng_searcher_make(&s, &matrix, &opt, &info, &err) == KNNG_OK && info.peak <= info.planned &&
		      !s->prepared.pruned && strcmp(info.pruned, "no: there is no memory for it") == 0,
	      "%s, %s", err.text, info.pruned);
	opt.max_memory = 0;
	CHECK(knng_searcher_plan(s, &plan, &Y, &opt, &err) == KNNG_OK && !plan.prunes &&
		      strcmp(plan.why_all, "there is no memory for it") == 0,
	      "%s", err.text);
	knng_searcher_free(s);
	CHECK(knng_searcher_make(&s, &matrix, &opt, &info, &err) == KNNG_OK && info.peak <= info.planned &&
		      s->prepared.pruned,
	      "%s, %s", err.text, info.pruned);
	knng_searcher_free(s);
	static const char *const advice[][2] = {{"knng:device:memory", "knng.release"},
						{"knng:device:memory", "'Device', 'cpu'"},
						{"knng:device:hash", "'Device', 'cpu'"},
						{"knng:device:failed", "make the searcher anew"}};
	for (int a = 0; a < 4; a++) {
		knng_fail(&err, KNNG_EDEVICE, advice[a][0], "what happened");
		knng_advise_again(&err);
		CHECK(strcmp(err.id, advice[a][0]) == 0 && strstr(err.text, "what happened: ") == err.text &&
			      strstr(err.text, advice[a][1]) != NULL,
		      "%s, %s", err.id, err.text);
	}
	opt.device.kind = KNNG_DEVICE_GPU; /* there is no plugin beside this program */
	CHECK(knng_searcher_make(&s, &matrix, &opt, &info, &err) == KNNG_EDEVICE && s == NULL &&
		      strcmp(err.id, "knng:device:none") == 0,
	      "%s", err.text);
	opt.device = (knng_devices){.kind = KNNG_DEVICE_AUTO};
	CHECK(knng_searcher_make(&s, &matrix, &opt, &info, &err) == KNNG_OK && knng_searcher_device_bytes(s) == 0 &&
		      strstr(info.why_cpu, "they are too few to gain from a GPU") != NULL,
	      "%s, %s", err.text, info.why_cpu);
	knng_searcher_free(s);
	free((void *)matrix.data);
	free((void *)Y.data);
	free(X);
}

/* Calls that a plan makes: without knowing the memory it goes on. */
static int64_t
calls_of_plan(void)
{
	int64_t before = knng_sys().calls;
	double row[] = {1, 2};
	knng_matrix X = {.n = 2, .d = 1, .data = row, .row_stride = 1, .col_stride = 1};
	knng_plan plan;
	if (knng_plan_make(&plan, &X, &X, &(knng_options){.k = 1, .device.kind = KNNG_DEVICE_CPU}, NULL) != KNNG_OK)
		abort();
	return knng_sys().calls - before;
}

/* Whether it failed as it should. */
static bool
reported(bool met, knng_status status, const knng_err *err)
{
	return met ? (status == KNNG_EMEMORY || status == KNNG_EIO) && strncmp(err->id, "knng:", 5) == 0 &&
			       strlen(err->text) > 20
		   : status == KNNG_OK;
}

/* Every call that can fail does: a searcher that is not made leaves nothing, and one that is made is as it was. */
static void
fail_all(int kind, int64_t d, const char *metric, variant v)
{
	enum { N = 150 };
	double *X = make_rows(kind, N, d);
	knng_searcher *s = NULL;
	knng_info info;
	knng_err err = {0};
	bool fine = true, met = true;
	int64_t failures = 0, plan = calls_of_plan();
	for (int64_t nth = 1; met && fine; nth++) {
		knng_sys_count before = knng_sys();
		knng_sys_fail_at(nth);
		knng_status status = make(&s, X, N, d, metric, v, &info, &err);
		knng_sys_fail_at(0);
		met = knng_sys().calls - before.calls >= nth;
		failures += met;
		DEMAND(reported(met, status, &err) || (nth <= plan + 1 && status == KNNG_OK), "make, call %lld: %d, %s",
		       (long long)nth, status, err.text);
		DEMAND((s == NULL) == (status != KNNG_OK), "a searcher after a failure");
		if (s != NULL && met) {
			knng_searcher_free(s);
			s = NULL;
		}
		DEMAND(s != NULL || (knng_sys().live == before.live && knng_sys().bytes == before.bytes),
		       "make, call %lld", (long long)nth);
	}
	CHECK(fine && failures > 15, "make, kind %d, %s: %lld failures", kind, metric, (long long)failures);
	for (int which = 0; fine && which < BATCHES; which++) {
		batch b = open_batch(which, kind, X, N, d, which % 2 ? 40 : 1, 5, metric), other;
		other = open_batch(BATCHES - 1 - which, kind, X, N, d, 7, 3, metric);
		failures = 0;
		met = true;
		for (int64_t nth = 1; met && fine; nth++) {
			int64_t calls = knng_sys().calls;
			knng_status status;
			memset(&err, 0, sizeof err);
			knng_sys_fail_at(nth);
			DEMAND(search(s, &b, v, &info, &status, &err), "search, call %lld: %s", (long long)nth,
			       err.text);
			knng_sys_fail_at(0);
			met = knng_sys().calls - calls >= nth;
			failures += met;
			DEMAND(reported(met, status, &err) || (nth <= plan && status == KNNG_OK),
			       "search, call %lld: %d, %s", (long long)nth, status, err.text);
			calls = knng_sys().calls;
			knng_sys_fail_at(nth);
			DEMAND(within(s, &b, v, &info, &status, &err), "within, call %lld: %s", (long long)nth,
			       err.text);
			knng_sys_fail_at(0);
			DEMAND(reported(knng_sys().calls - calls >= nth, status, &err) ||
				       (nth <= plan && status == KNNG_OK),
			       "within, call %lld: %d, %s", (long long)nth, status, err.text);
			/* Another one, which has copies made otherwise, and this one again. */
			DEMAND(search(s, &other, v, &info, &status, &err) && status == KNNG_OK, "next, %s", err.text);
			DEMAND(search(s, &b, v, &info, &status, &err) && status == KNNG_OK, "again, %s", err.text);
		}
		CHECK(fine && failures > 15, "batch %d, kind %d, %s: %lld failures", which, kind, metric,
		      (long long)failures);
		close_batch(&b);
		close_batch(&other);
	}
	knng_searcher_free(s);
	free(X);
}

static void
test_failures(void)
{
	fail_all(NORMAL, 12, "euclidean", (variant){.threads = 1});
	fail_all(DIGITS, 12, "sqeuclidean", (variant){.threads = 3});
	fail_all(BROKEN, 5, "pearson", (variant){.threads = 1, .prune = KNNG_PRUNE_ON});
	fail_all(CLUSTERS, 3, "cityblock", (variant){.threads = 3, .prune = KNNG_PRUNE_ON, .tile = 16});
}

/* Ctrl-C at the nth look for it outside of task.c, or copy of a row. */
const knng_kernels *__real_knng_kernels_find(const char *name);
const knng_kernels *__wrap_knng_kernels_find(const char *name);

static knng_kernels watched;
static knng_measure (*copy)(knng_tile_kind kind, const double *u, const double *centre, double scale, int64_t d,
			    float *to, int64_t stride);

static knng_measure
watched_copy(knng_tile_kind kind, const double *u, const double *centre, double scale, int64_t d, float *to,
	     int64_t stride)
{
	look();
	return copy(kind, u, centre, scale, d, to, stride);
}

const knng_kernels *
__wrap_knng_kernels_find(const char *name)
{
	const knng_kernels *found = __real_knng_kernels_find(name);
	if (found == NULL)
		return NULL;
	copy = found->copy;
	watched = *found;
	watched.copy = watched_copy;
	return &watched;
}

static void
test_interrupts(void)
{
	const int64_t N = ENOUGH(30000, 12000);
	for (int mode = 0; mode < 4; mode++) {
		int64_t d = mode % 2 ? 2 : 30;
		double *X = make_rows(DIGITS, N, d);
		variant v = {.threads = 1 + mode / 2,
			     .interrupt = &stop,
			     .prune = mode % 2 ? KNNG_PRUNE_ON : KNNG_PRUNE_OFF};
		knng_searcher *s = NULL;
		knng_info info;
		knng_err err = {0};
		knng_status status = KNNG_EINTERRUPTED;
		bool fine = true;
		int stopped = 0;
		for (stop_at = 1; fine && s == NULL; stop_at += 1 + stop_at / 2) {
			int64_t before = knng_sys().live;
			stop = 0;
			looks = 0;
			status = make(&s, X, N, d, "euclidean", v, &info, &err);
			stopped += status == KNNG_EINTERRUPTED;
			DEMAND(status == KNNG_OK || (s == NULL && knng_sys().live == before), "make, %s", err.text);
			DEMAND(looks < stop_at ? status == KNNG_OK
					       : status == KNNG_OK || strcmp(err.id, "knng:interrupted") == 0,
			       "make, %s", err.text);
		}
		CHECK(fine && stopped >= 4, "make, mode %d: stopped %d times", mode, stopped);
		/* Copies of whole numbers, and then of others, which are stopped while they are made. */
		for (int which = WHOLE; fine && which <= HALVES; which++) {
			batch b = open_batch(which, DIGITS, X, N, d, 3, 4, "euclidean");
			status = KNNG_EINTERRUPTED;
			for (stop_at = 1; fine && status != KNNG_OK; stop_at += 1 + stop_at / 2) {
				stop = 0;
				looks = 0;
				DEMAND(within(s, &b, v, &info, &status, &err), "%s", err.text);
				DEMAND(status == KNNG_OK || strcmp(err.id, "knng:interrupted") == 0, "%s", err.text);
				stop = 0;
				looks = 0;
				DEMAND(search(s, &b, v, &info, &status, &err), "%s", err.text);
				DEMAND(status == KNNG_OK || strcmp(err.id, "knng:interrupted") == 0, "%s", err.text);
				stopped += status == KNNG_EINTERRUPTED;
			}
			stop_at = 0;
			stop = 0;
			DEMAND(search(s, &b, v, &info, &status, &err) && status == KNNG_OK, "again, %s", err.text);
			close_batch(&b);
		}
		CHECK(fine && stopped >= 8, "mode %d: stopped %d times", mode, stopped);
		stop_at = 0;
		stop = 0;
		knng_searcher_free(s);
		free(X);
	}
}

/* A child searches what its parent has prepared, and frees its own. */
static void
test_fork(void)
{
	double *X = make_rows(NORMAL, 500, 9);
	variant v = {.threads = 3};
	knng_searcher *s;
	knng_info info;
	knng_err err = {0};
	knng_status status;
	CHECK(make(&s, X, 500, 9, "euclidean", v, &info, &err) == KNNG_OK, "%s", err.text);
	batch b = open_batch(OF_KIND, NORMAL, X, 500, 9, 60, 4, "euclidean");
	CHECK(search(s, &b, v, &info, &status, &err) && status == KNNG_OK, "%s", err.text);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		bool fine = search(s, &b, v, &info, &status, &err) && status == KNNG_OK;
		knng_searcher_free(s);
		_exit(fine ? 0 : 1);
	}
	int ended = -1;
	CHECK(child > 0 && waitpid(child, &ended, 0) == child && ended == 0, "the child: %d", ended);
	CHECK(search(s, &b, v, &info, &status, &err) && status == KNNG_OK, "%s", err.text);
	close_batch(&b);
	knng_searcher_free(s);
	free(X);
}

int
main(int argc, char **argv)
{
	openblas_set_num_threads(1);
	PART(answers);
	PART(many_neighbours);
	PART(several);
	PART(tree);
	PART(limits);
	PART(failures);
	PART(interrupts);
	PART(fork);
	CHECK(knng_sys().live == 0, "%lld blocks are left", (long long)knng_sys().live);
	return summary();
}
