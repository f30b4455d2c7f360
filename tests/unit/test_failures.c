/* test_failures.c  Every wrapped call of a run fails one after another: the run says so, nothing is left, and the next
 * is right.
 */
#include "knng.h"
#include "oracle.h"
#include "search/backend.h"
#include "search/cpu/kernels.h"
#include "testing.h"

#include <cblas.h>

/* A search that is run again and again, and its answer. */
typedef struct {
	const char *name, *metric, *target;
	int64_t n, d, m, k; /* m = 0: a graph */
	double *X, *Y;
	int threads;
	bool least;   /* with the least memory */
	int64_t *idx; /* the answer */
	double *dist;
	int64_t rows, width;
} search;

static double *
matrix(int64_t n, int64_t d)
{
	double *x = room(n * d, sizeof *x);
	for (int64_t e = 0; e < n * d; e++)
		x[e] = random_normal();
	return x;
}

static void
open_search(search *s)
{
	s->X = matrix(s->n, s->d);
	s->Y = matrix(s->m, s->d);
	s->rows = s->m ? s->m : s->n;
	s->width = oracle_width(s->n, s->m == 0, s->k);
	s->idx = room(s->rows * s->width, sizeof *s->idx);
	s->dist = room(s->rows * s->width, sizeof *s->dist);
}

static void
solve(search *s)
{
	if (oracle_knn(s->metric, false, s->n, s->d, s->X, s->m, s->m ? s->Y : NULL, s->k, s->idx, s->dist) != 0)
		abort();
}

static void
close_search(search *s)
{
	free(s->X);
	free(s->Y);
	free(s->idx);
	free(s->dist);
}

/* Rows around b and -b, so near to each other that only the last precision level tells them apart. */
static void
draw_together(search *s, double noise)
{
	for (int64_t e = s->d; e < s->n * s->d; e++)
		s->X[e] = s->X[e % s->d] * (e / s->d % 2 ? -1 : 1) + noise * s->X[e];
	for (int64_t e = 0; e < s->m * s->d; e++)
		s->Y[e] = s->X[e % s->d] + noise * s->Y[e];
}

static knng_status
make_plan(const search *s, knng_plan *plan, knng_err *err)
{
	knng_matrix X = {.n = s->n, .d = s->d, .data = s->X, .row_stride = s->d, .col_stride = 1};
	knng_matrix Y = {.n = s->m, .d = s->d, .data = s->Y, .row_stride = s->d, .col_stride = 1};
	knng_options opt = {.metric = s->metric,
			    .k = s->k,
			    .task.threads = s->threads,
			    .target = s->target,
			    .device.kind = KNNG_DEVICE_CPU};
	knng_status status = knng_plan_make(plan, &X, s->m ? &Y : NULL, &opt, err);
	if (status == KNNG_OK && s->least) {
		opt.max_memory = plan->least;
		status = knng_plan_make(plan, &X, s->m ? &Y : NULL, &opt, err);
	}
	return status;
}

static bool
is_answer(const search *s, const int64_t *idx, const double *dist)
{
	for (int64_t e = 0; e < s->rows * s->width; e++)
		if (idx[e] != s->idx[e] ||
		    (isnan(s->dist[e]) ? !isnan(dist[e]) : bits_of(dist[e]) != bits_of(s->dist[e])))
			return false;
	return true;
}

/* Fails call 1, 2, … of a run until one makes fewer calls than that. No failure may be swallowed. */
static void
fail_all(search *s)
{
	knng_plan plan;
	knng_err err = {0};
	CHECK(make_plan(s, &plan, &err) == KNNG_OK, "%s: %s", s->name, err.text);
	int64_t cells = s->rows * s->width, *idx = room(cells, sizeof *idx);
	double *dist = room(cells, sizeof *dist);
	knng_output out = {.idx = idx, .dist = dist, .idx_type = KNNG_I64, .row_stride = s->width, .col_stride = 1};
	int blas = openblas_get_num_threads();
	knng_sys_count before = knng_sys();
	bool reported = true, clean = true, within = true, right = true;
	int64_t failures = 0;
	int survived = 0;
	for (int64_t nth = 1;; nth++) {
		knng_info info = {0};
		bool silent = nth % 5 == 0; /* nobody has to listen */
		memset(&err, 0, sizeof err);
		int64_t calls = knng_sys().calls;
		knng_sys_fail_at(nth);
		knng_status status = knng_run(&plan, &out, silent ? NULL : &info, silent ? NULL : &err);
		knng_sys_fail_at(0);
		knng_sys_count after = knng_sys();
		bool met = after.calls - calls >= nth;
		clean = clean && after.live == before.live && after.bytes == before.bytes &&
			openblas_get_num_threads() == blas;
		within = within && info.peak <= plan.bytes;
		if (met && status == KNNG_OK) {
			survived++;
			right = right && is_answer(s, idx, dist);
		} else if (met) {
			failures++;
			reported = reported && (status == KNNG_EMEMORY || status == KNNG_EIO) &&
				   (silent || (strncmp(err.id, "knng:", 5) == 0 && strlen(err.text) > 20));
		}
		if (!clean || !reported || !within) {
			printf("call %lld: status %d, '%s', '%s', %lld live, %lld bytes; peak %.0f of %.0f\n",
			       (long long)nth, status, err.id, err.text, (long long)(after.live - before.live),
			       (long long)(after.bytes - before.bytes), info.peak, plan.bytes);
			break;
		}
		/* The next run is right. */
		memset(idx, 0xa5, (size_t)cells * sizeof *idx);
		memset(dist, 0xa5, (size_t)cells * sizeof *dist);
		right = right && knng_run(&plan, &out, &info, &err) == KNNG_OK && is_answer(s, idx, dist);
		clean = clean && knng_sys().live == before.live;
		within = within && info.peak <= plan.bytes;
		if (!met)
			break;
	}
	CHECK(clean, "%s: nothing is left", s->name);
	CHECK(reported, "%s: failures have a status, an id and a text", s->name);
	CHECK(within, "%s: memory is within the plan's", s->name);
	CHECK(right, "%s: the next run is right", s->name);
	CHECK(failures > 20, "%s: %lld failures", s->name, (long long)failures);
	CHECK(survived == 0, "%s: %d failures were swallowed", s->name, survived);
	free(idx);
	free(dist);
}

static knng_info
info_of(const search *s)
{
	knng_plan plan;
	knng_info info = {0};
	if (make_plan(s, &plan, NULL) != KNNG_OK)
		abort();
	int64_t *idx = room(s->rows * s->width, sizeof *idx);
	knng_output out = {.idx = idx, .idx_type = KNNG_I64, .row_stride = s->width, .col_stride = 1};
	if (knng_run(&plan, &out, &info, NULL) != KNNG_OK)
		abort();
	free(idx);
	return info;
}

/* Making a plan asks the machine for its free memory; when that fails, the plan is made without. */
static void
test_plan(void)
{
	search s = {.name = "plan", .metric = "euclidean", .n = 100, .d = 10, .k = 5, .threads = 2};
	knng_plan plan, usual;
	knng_err err = {0};
	open_search(&s);
	CHECK(make_plan(&s, &usual, &err) == KNNG_OK, "%s", err.text);
	int64_t live = knng_sys().live, failures = 0;
	for (int64_t nth = 1;; nth++) {
		int64_t calls = knng_sys().calls;
		knng_sys_fail_at(nth);
		knng_status status = make_plan(&s, &plan, &err);
		knng_sys_fail_at(0);
		CHECK(status == KNNG_OK && knng_sys().live == live && plan.bytes == usual.bytes &&
			      plan.tile == usual.tile && plan.capacity == usual.capacity,
		      "call %lld: %s", (long long)nth, err.text);
		if (knng_sys().calls - calls < nth)
			break;
		failures++;
	}
	CHECK(failures >= 2, "%lld calls", (long long)failures);
	close_search(&s);
}

static void
test_runs(void)
{
	/* Comes first: which product is faster is found out in the first run. */
	search first = {.name = "graph", .metric = "pearson", .n = 90, .d = 9, .k = 5, .threads = 2};
	open_search(&first);
	solve(&first);
	fail_all(&first);
	close_search(&first);

	static const search table[] = {
		{.name = "graph, one thread", .metric = "euclidean", .n = 70, .d = 17, .k = 3, .threads = 1},
		{.name = "graph, least", .metric = "cosine", .n = 80, .d = 5, .k = 3, .threads = 3, .least = true},
		{.name = "search", .metric = "euclidean", .n = 80, .d = 12, .m = 50, .k = 6, .threads = 2},
		{.name = "search, blas", .metric = "abspearson", .n = 60, .d = 8, .m = 9, .k = 4, .target = "blas"},
		{.name = "cityblock", .metric = "cityblock", .n = 70, .d = 6, .k = 5, .threads = 2},
		{.name = "chebychev", .metric = "chebychev", .n = 60, .d = 6, .m = 20, .k = 5, .threads = 3},
		{.name = "plain", .metric = "spearman", .n = 70, .d = 11, .k = 5, .threads = 2, .target = "plain"},
		{.name = "one row", .metric = "euclidean", .n = 1, .d = 6, .k = 5, .threads = 2},
	};
	for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
		search s = table[t];
		s.threads = s.threads ? s.threads : 1;
		open_search(&s);
		solve(&s);
		fail_all(&s);
		close_search(&s);
	}
}

static void
test_levels(void)
{
	static const struct {
		search s;
		double noise;
		int level;
	} table[] = {
		{{.name = "to f64", .metric = "euclidean", .n = 230, .d = 8, .k = 4, .threads = 2, .least = true},
		 1e-5,
		 KNNG_LEVEL_F64},
		{{.name = "to f64",
		  .metric = "pearson",
		  .n = 230,
		  .d = 8,
		  .m = 40,
		  .k = 4,
		  .threads = 2,
		  .least = true},
		 1e-5,
		 KNNG_LEVEL_F64},
		{{.name = "to scan", .metric = "pearson", .n = 230, .d = 8, .k = 4, .threads = 2, .least = true},
		 1e-9,
		 KNNG_LEVEL_SCAN},
		{{.name = "to scan",
		  .metric = "cityblock",
		  .n = 230,
		  .d = 8,
		  .m = 50,
		  .k = 4,
		  .threads = 2,
		  .least = true},
		 1e-9,
		 KNNG_LEVEL_SCAN},
	};
	for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
		search s = table[t].s;
		open_search(&s);
		draw_together(&s, table[t].noise);
		solve(&s);
		CHECK(info_of(&s).certified[table[t].level] > 0, "%s, %s", s.name, s.metric);
		fail_all(&s);
		close_search(&s);
	}
}

static void
test_odd_rows(void)
{
	search s = {.name = "duplicates", .metric = "sqeuclidean", .n = 100, .d = 7, .k = 8, .threads = 2};
	open_search(&s);
	for (int64_t i = 10; i < s.n; i++)
		memcpy(s.X + i * s.d, s.X + i % 10 * s.d, (size_t)s.d * sizeof *s.X);
	solve(&s);
	CHECK(info_of(&s).points == 10, "ten points");
	fail_all(&s);
	s.name = "rows without distances";
	for (int64_t i = 0; i < s.n; i += 3)
		s.X[i * s.d] = i % 2 ? NAN : INFINITY;
	s.metric = "antipearson";
	solve(&s);
	fail_all(&s);
	s.name = "integers";
	for (int64_t e = 0; e < s.n * s.d; e++)
		s.X[e] = (double)random_below(5);
	s.metric = "euclidean";
	solve(&s);
	fail_all(&s);
	close_search(&s);
}

int
main(void)
{
	openblas_set_num_threads(2);
	test_plan();
	test_runs();
	test_levels();
	test_odd_rows();
	return summary();
}
