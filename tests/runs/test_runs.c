/* test_runs.c  Whole runs against the oracle, byte for byte: metrics, targets, tiles, threads, layouts and limits of
 * memory; the precision levels; tiles in any order and at once; interrupts; the caller's floating-point environment.
 * After every run: its measured memory is within the plan's, nothing is left, OpenBLAS has its threads back. */
#include "search/cpu/kernels.h"
#include "searches.h"

#include <cblas.h>
#include <fenv.h>
#include <float.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* ---------------------------------------------------------------- data and answers */

static double *
matrix(int64_t n, int64_t d)
{
	double *x = room(n * d, sizeof *x);
	for (int64_t e = 0; e < n * d; e++)
		x[e] = random_normal();
	return x;
}

enum {
	NORMAL,
	CLUSTERS,
	FAR_CLUSTERS,
	DIGITS,
	LARGE_INTEGERS,
	BINARY,
	REPEATED,
	BROKEN,
	ONE_COLUMN,
	ONE_ROW,
	THREE_ROWS,
	OUTLIER,
	OVERFLOWS,
	SUBNORMAL,
	DEEP,
	ALL_EQUAL,
	ALL_BROKEN,
	SIGNED_ZEROS,
	SCALES,
	DATA_SETS
};

/* Data set number `which`, as a graph or, with a few queries near and far, as a search. */
static data_set
make_data(int which, bool graph)
{
	static const struct {
		const char *name;
		int64_t n, d, k;
	} table[DATA_SETS] = {{"normal", 150, 20, 7},   {"clusters", 180, 12, 5},     {"far clusters", 150, 9, 4},
			      {"digits", 150, 8, 6},    {"large integers", 90, 9, 5}, {"binary", 150, 6, 9},
			      {"repeated", 140, 10, 8}, {"broken rows", 120, 9, 6},   {"one column", 110, 1, 5},
			      {"one row", 1, 5, 3},     {"three rows", 3, 4, 10},     {"outlier", 90, 10, 4},
			      {"overflows", 70, 8, 5},  {"subnormal", 90, 8, 4},      {"deep", 40, 700, 4},
			      {"all equal", 60, 5, 7},  {"all broken", 30, 4, 3},     {"signed zeros", 70, 3, 6},
			      {"scales", 100, 12, 5}};
	data_set s = {.name = table[which].name, .n = table[which].n, .d = table[which].d, .k = table[which].k};
	s.m = graph ? 0 : s.n / 3 + 1;
	int64_t rows = s.n + s.m;
	double *x = matrix(rows, s.d);
	for (int64_t i = 0; i < rows; i++)
		for (int64_t l = 0; l < s.d; l++) {
			double *e = x + i * s.d + l;
			switch (which) {
			case CLUSTERS:
				*e += i % 2 ? 1e5 : 0;
				break;
			case FAR_CLUSTERS:
				*e += i % 2 ? 1e8 * (1 + (double)l) : 0;
				break;
			case DIGITS:
				*e = (double)random_below(10);
				break;
			case LARGE_INTEGERS:
				*e = (double)random_below((int64_t)1 << (i % 3 ? 12 : 24));
				break;
			case BINARY:
				*e = (double)random_below(2);
				break;
			case REPEATED:
				*e = i >= 20 ? x[(i * 7 % 20) * s.d + l] : *e;
				break;
			case BROKEN:
				*e = i % 11 == 3   ? 0
				     : i % 11 == 5 ? 2.5
				     : i % 13 == 4 ? (l == i % s.d ? NAN : 1)
				     : i % 17 == 6 ? (l == 2 ? -INFINITY : *e)
						   : *e;
				break;
			case OUTLIER:
				*e *= i == 17 ? 1e300 : 1;
				break;
			case OVERFLOWS:
				*e *= i % 3 ? 1e200 : 1e307;
				break;
			case SUBNORMAL:
				*e = i % 2 ? ldexp(*e, -1060) : ldexp((double)random_below(9) - 4, -1074);
				break;
			case ALL_EQUAL:
				*e = (double)l;
				break;
			case ALL_BROKEN:
				*e = l == i % 4 ? (i % 2 ? NAN : INFINITY) : *e;
				break;
			case SIGNED_ZEROS:
				*e = random_below(3) ? (random_below(2) ? 0.0 : -0.0) : (double)random_below(3);
				break;
			case SCALES:
				*e = ldexp(*e, -(int)(i % 40) * 7);
				break;
			default:
				break;
			}
		}
	take_rows(&s, x);
	return s;
}

/* Two clusters around b and -b, noise of that size within: the smaller, the higher their level. */
static data_set
make_levels(int64_t n, int64_t m, int64_t d, int64_t k, double noise)
{
	data_set s = {.name = "levels", .n = n, .d = d, .m = m, .k = k};
	double *b = matrix(1, d);
	s.X = matrix(n, d);
	s.Y = matrix(s.m, d);
	for (int64_t e = 0; e < n * d; e++)
		s.X[e] = b[e % d] * (e / d % 2 ? 1 : -1) + noise * s.X[e];
	for (int64_t e = 0; e < m * d; e++)
		s.Y[e] = b[e % d] * (e / d % 3 ? 1 : -1) + noise * s.Y[e];
	free(b);
	return s;
}

/* ---------------------------------------------------------------- one run */

enum { MEMORY_FREE, MEMORY_LEAST, MEMORY_BETWEEN };

typedef struct {
	const char *target;
	int64_t tile;
	int threads, memory;
	bool by_column, no_dist, input_by_column;
	knng_type idx_type, dist_type, x_type;
	int64_t base;
	const volatile sig_atomic_t *interrupt;
	void (*progress)(void *, const char *, double);
} variant;

/* What the caller sees of the counters and of OpenBLAS. */
typedef struct {
	int64_t live, bytes;
	int threads;
} held;

static held
now_held(void)
{
	knng_sys_count c = knng_sys();
	return (held){c.live, c.bytes, openblas_get_num_threads()};
}

static bool
as_before(held before)
{
	held now = now_held();
	return now.live == before.live && now.bytes == before.bytes && now.threads == before.threads;
}

static bool
is_single(const double *x, int64_t count)
{
	for (int64_t e = 0; e < count; e++)
		if (!(isnan(x[e]) || (double)(float)x[e] == x[e]))
			return false;
	return true;
}

/* Whether the output holds the answer, and nothing beside its cells. */
static bool
is_answer(const answer *a, const knng_output *out, int64_t cells)
{
	uint64_t untouched;
	memset(&untouched, 0xa5, sizeof untouched);
	for (int64_t i = 0; i < a->m; i++)
		for (int64_t c = 0; c < a->k; c++) {
			int64_t at = i * out->row_stride + c * out->col_stride, index = a->idx[i * a->k + c];
			uint64_t *cell = (uint64_t *)out->idx + at;
			double x = (double)(index + out->index_base), want = a->dist[i * a->k + c];
			if (out->idx_type == KNNG_F64 ? *cell != bits_of(x) : (int64_t)*cell != index + out->index_base)
				return false;
			*cell = untouched;
			if (out->dist == NULL)
				continue;
			if (out->dist_type == KNNG_F32) {
				float got = ((float *)out->dist)[at];
				if (!(isnan(want) ? isnan(got) : got == (float)want))
					return false;
				continue;
			}
			uint64_t got = ((uint64_t *)out->dist)[at];
			if (got != (isnan(want) ? 0x7FF8000000000000u : bits_of(want)))
				return false;
			((uint64_t *)out->dist)[at] = untouched;
		}
	for (int64_t e = 0; e < cells; e++)
		if (((uint64_t *)out->idx)[e] != untouched ||
		    (out->dist != NULL && out->dist_type == KNNG_F64 && ((uint64_t *)out->dist)[e] != untouched))
			return false;
	return true;
}

/* Runs, and compares everything with the answer (NULL: a run that must be interrupted). */
static bool
run(const data_set *s, const knng_metric *metric, const answer *a, variant v, knng_info *info)
{
	bool fine = true, graph = s->m == 0;
	knng_matrix X = lay_out(s->X, s->n, s->d, v.x_type, v.input_by_column),
		    Y = lay_out(s->Y, s->m, s->d, v.x_type, v.input_by_column);
	knng_options opt = {.metric = metric->name,
			    .k = s->k,
			    .device.kind = KNNG_DEVICE_CPU,
			    .tile = v.tile,
			    .task.threads = v.threads,
			    .target = v.target,
			    .task.interrupt = v.interrupt,
			    .task.progress = v.progress};
	knng_plan plan;
	knng_err err = {0};
	held before = now_held();
	knng_status status = knng_plan_make(&plan, &X, graph ? NULL : &Y, &opt, &err);
	if (status == KNNG_OK && v.memory != MEMORY_FREE) {
		opt.max_memory = v.memory == MEMORY_LEAST ? plan.least : (plan.least + plan.bytes) / 2;
		status = knng_plan_make(&plan, &X, graph ? NULL : &Y, &opt, &err);
	}
	DEMAND(status == KNNG_OK);
	DEMAND(as_before(before));

	int64_t spare = 2, cells = plan.m * (plan.k + spare);
	knng_output out = {.idx = room(cells, 8), .idx_type = v.idx_type, .index_base = v.base};
	out.dist = v.no_dist ? NULL : room(cells, 8);
	out.dist_type = v.dist_type;
	out.row_stride = v.by_column ? 1 : plan.k + spare;
	out.col_stride = v.by_column ? plan.m : 1;
	memset(out.idx, 0xa5, (size_t)cells * 8);
	if (out.dist != NULL)
		memset(out.dist, 0xa5, (size_t)cells * 8);

	knng_info unread = {0};
	info = info != NULL ? info : &unread;
	memset(info, 0xff, sizeof *info);
	status = knng_run(&plan, &out, info, &err);
	DEMAND(as_before(before));
	DEMAND(info->peak <= plan.bytes);
	DEMAND(opt.max_memory == 0 || plan.bytes <= opt.max_memory);
	if (a == NULL) {
		DEMAND(status == KNNG_EINTERRUPTED);
		DEMAND(strcmp(err.id, "knng:interrupted") == 0 && err.text[0] != 0);
	} else {
		DEMAND(status == KNNG_OK);
		DEMAND(plan.m == a->m && plan.k == a->k);
		DEMAND(is_answer(a, &out, cells));

		int64_t certified = 0;
		for (int level = 0; level < KNNG_LEVELS; level++) {
			DEMAND(info->certified[level] >= 0);
			certified += info->certified[level];
		}
		DEMAND(certified == a->fine && info->certified[KNNG_LEVEL_F16] == 0); /* which GPUs have */
		DEMAND(knng_by_products(metric) || info->certified[KNNG_LEVEL_F64] == 0);
		DEMAND(info->nonfinite == a->nonfinite && info->constant == a->constant);
		DEMAND(info->points >= 0 && info->points <= s->n);
		DEMAND(!graph || (info->points > 0) == (a->fine > 0));
		DEMAND(info->refined >= 0 && info->peak > 0 && info->total >= 0);
		for (int stage = 0; stage < KNNG_STAGES; stage++)
			DEMAND(info->seconds[stage] >= 0 && info->seconds[stage] <= info->total);
		DEMAND(strcmp(info->why_cpu, plan.why_cpu) == 0);
		char device[96];
		snprintf(device, sizeof device, "cpu (%s, %d thread%s)", plan.target, plan.threads,
			 plan.threads == 1 ? "" : "s");
		DEMAND(strcmp(info->device, device) == 0);
		bool own = strcmp(info->product, "own") == 0, blas = strcmp(info->product, "openblas") == 0;
		DEMAND(own || blas);
		DEMAND(knng_by_products(metric) || own);
		DEMAND(v.target == NULL || !knng_by_products(metric) || blas == (strcmp(v.target, "blas") == 0));
	}
	if (!fine)
		printf("  of %s, %s, %s, target %s, tile %lld of %lld, capacity %lld, %d threads, memory %d; '%s'; "
		       "peak %.0f of %.0f\n",
		       s->name, graph ? "graph" : "search", metric->name, v.target ? v.target : "auto",
		       (long long)v.tile, (long long)plan.tile, (long long)plan.capacity, plan.threads, v.memory,
		       err.text, info->peak, plan.bytes);
	free((void *)X.data);
	free((void *)Y.data);
	free(out.idx);
	free(out.dist);
	return fine;
}

/* ---------------------------------------------------------------- all of them */

static const char *targets[5];
static int ntargets;

static void
find_targets(void)
{
	static const char *const names[] = {"avx512", "avx2", "plain"};
	for (int t = 0; t < 3; t++)
		if (knng_kernels_find(names[t]) != NULL)
			targets[ntargets++] = names[t];
	targets[ntargets++] = "blas";
	targets[ntargets++] = NULL;
}

/* Must come first: the choice between OpenBLAS and our own product is made in the first run of the process, and what
 * it takes is part of that run. */
static void
test_first_run(void)
{
	data_set s = {.name = "smallest", .n = 2, .d = 1, .k = 1, .X = matrix(2, 1), .Y = matrix(0, 1)};
	const knng_metric *metric = knng_metric_find("euclidean");
	answer a = solve(&s, metric);
	CHECK(run(&s, metric, &a, (variant){.memory = MEMORY_LEAST, .threads = 1}, NULL), "the first run");
	CHECK(run(&s, metric, &a, (variant){.memory = MEMORY_LEAST, .threads = 1}, NULL), "the second run");
	close_answer(&a);
	close_data(&s);
}

static void
test_all(void)
{
	static const int64_t tiles[] = {16, 64, 0};
	for (int which = 0; which < DATA_SETS; which++)
		for (int mode = 0; mode < 2; mode++) {
			data_set s = make_data(which, mode == 0);
			bool single = is_single(s.X, s.n * s.d) && is_single(s.Y, s.m * s.d);
			for (const knng_metric *metric = knng_metrics; metric->name != NULL; metric++) {
				answer a = solve(&s, metric);
				bool fine = true;
				/* Every other one of targets, tiles and threads; the rest as it falls. */
				for (int t = (which + mode + (int)(metric - knng_metrics)) % 2; t < 9 * ntargets;
				     t += 2) {
					if (SKIPS(17))
						continue;
					variant v = {.target = targets[t / 9],
						     .tile = tiles[t / 3 % 3],
						     .threads = 1 + t % 3,
						     .memory = (int)random_below(3),
						     .by_column = random_below(2),
						     .no_dist = random_below(8) == 0,
						     .input_by_column = random_below(2),
						     .idx_type = random_below(2) ? KNNG_F64 : KNNG_I64,
						     .dist_type = random_below(4) ? KNNG_F64 : KNNG_F32,
						     .x_type = single && random_below(2) ? KNNG_F32 : KNNG_F64,
						     .base = random_below(2)};
					fine = fine && run(&s, metric, &a, v, NULL);
				}
				CHECK(fine, "%s, %s, %s", s.name, mode ? "search" : "graph", metric->name);
				close_answer(&a);
			}
			close_data(&s);
		}
}

/* Whether runs on such data are right for all targets, and some of their rows are certified by that level. */
static void
forced(const data_set *s, const knng_metric *metric, int expected, int memory)
{
	answer a = solve(s, metric);
	bool fine = true;
	int64_t certified[KNNG_LEVELS] = {0};
	for (int t = 0; t < ntargets; t++) {
		variant v = {.target = targets[t], .threads = 1 + t % 3, .tile = t % 2 ? 0 : 48, .memory = memory};
		knng_info info;
		fine = fine && run(s, metric, &a, v, &info);
		for (int c = 0; c < KNNG_LEVELS; c++)
			certified[c] += info.certified[c];
	}
	CHECK(fine, "levels to %s, %s", knng_level_name[expected], metric->name);
	CHECK(certified[expected] > 0, "%s, n = %lld: %lld rows certified by f32, %lld by f64, %lld by scan",
	      metric->name, (long long)s->n, (long long)certified[KNNG_LEVEL_F32], (long long)certified[KNNG_LEVEL_F64],
	      (long long)certified[KNNG_LEVEL_SCAN]);
	close_answer(&a);
}

/* Data that forces each precision level, with short and with long lists. */
static void
test_levels(void)
{
	static const double noises[KNNG_LEVELS] = {[KNNG_LEVEL_F32] = 1, 1e-5, 1e-9};
	for (int mode = 0; mode < 2; mode++)
		for (int level = KNNG_LEVEL_F32; level <= KNNG_LEVEL_SCAN; level++) {
			data_set s = make_levels(230, mode ? 70 : 0, 10, 4, noises[level]);
			for (const knng_metric *metric = knng_metrics; metric->name != NULL; metric++) {
				/* Differences have no cancellation, and no second level; ranks have no small noise. */
				bool small = !knng_by_products(metric) && level < KNNG_LEVEL_SCAN;
				if (metric->prep != KNNG_PREP_RANKED && !SKIPS(5))
					forced(&s, metric, small ? KNNG_LEVEL_F32 : level, MEMORY_LEAST);
			}
			close_data(&s);
		}
	/* In between, where double products just do, or just do not. */
	for (double noise = 1e-6; noise > 1e-9; noise /= 3) {
		data_set s = make_levels(230, 0, 10, 4, noise);
		for (const knng_metric *metric = knng_metrics; metric->name != NULL; metric++) {
			if (SKIPS(5))
				continue;
			answer a = solve(&s, metric);
			variant v = {.target = targets[random_below(ntargets)], .memory = MEMORY_LEAST, .threads = 1};
			CHECK(run(&s, metric, &a, v, NULL), "noise of %g, %s", noise, metric->name);
			close_answer(&a);
		}
		close_data(&s);
	}
	static const struct {
		const char *metric;
		int level;
	} table[] = {{"euclidean", KNNG_LEVEL_F64}, {"abspearson", KNNG_LEVEL_SCAN}, {"cityblock", KNNG_LEVEL_SCAN}};
	for (int t = 0; t < 3; t++) {
		if (SKIPS(2))
			continue;
		data_set s = make_levels(1200, t ? 90 : 0, 8, 4, noises[table[t].level]);
		forced(&s, knng_metric_find(table[t].metric), table[t].level, MEMORY_FREE);
		close_data(&s);
	}
}

/* Small integers are exact in single precision and need no other level; few canonical distances are made. */
static void
test_integers(void)
{
	data_set s = {.name = "integers", .n = 500, .d = 12, .k = 6, .X = matrix(500, 12), .Y = matrix(0, 1)};
	for (int64_t e = 0; e < s.n * s.d; e++)
		s.X[e] = (double)random_below(4) - 1000;
	for (int m = 0; m < 2; m++) {
		const knng_metric *metric = knng_metric_find(m ? "sqeuclidean" : "euclidean");
		answer a = solve(&s, metric);
		for (int t = 0; t < ntargets; t++) {
			knng_info info;
			variant v = {.target = targets[t], .threads = 2, .tile = t % 2 ? 32 : 0};
			CHECK(run(&s, metric, &a, v, &info), "%s", metric->name);
			CHECK(info.certified[KNNG_LEVEL_F32] == s.n && info.refined == info.points * s.k,
			      "%lld canonical distances", (long long)info.refined);
		}
		close_answer(&a);
	}
	close_data(&s);
}

/* Integers too large for that: beside the squares of their lengths, the distances are lost in single precision. */
static void
test_far_integers(void)
{
	data_set s = make_levels(300, 80, 9, 5, 1);
	double b[9];
	for (int l = 0; l < 9; l++)
		b[l] = (double)random_below(1 << 20);
	for (int64_t e = 0; e < (s.n + s.m) * s.d; e++) {
		double *x = e < s.n * s.d ? s.X + e : s.Y + (e - s.n * s.d);
		*x = b[e % s.d] * (e / s.d % 2 ? 1 : -1) + (double)random_below(6);
	}
	for (const knng_metric *metric = knng_metrics; metric->name != NULL; metric++) {
		answer a = solve(&s, metric);
		bool fine = true;
		for (int t = 0; t < ntargets; t++)
			for (int memory = MEMORY_FREE; memory <= MEMORY_LEAST; memory++)
				fine = fine &&
				       (SKIPS(7) ||
					run(&s, metric, &a, (variant){.target = targets[t], .memory = memory}, NULL));
		CHECK(fine, "far integers, %s", metric->name);
		close_answer(&a);
	}
	close_data(&s);
}

/* The worst that the filter may meet: sums whose small terms are all rounded away, in the same direction, for some of
 * the columns and not for others. Only the whole of the error bound keeps the neighbours. */
static void
test_absorbed(void)
{
	enum { D = 512, DECOYS = 120, NEAREST = 5, QUERIES = 3 };
	static const char *const metrics[] = {"sqeuclidean", "cityblock"};
	for (int m = 0; m < 2; m++) {
		bool products = m == 0, fine = true;
		/* Just less than half an ulp of the first term, which is 1. */
		const float a = 0x1.ffcp-13f, b = 0x1.fap-25f;
		data_set s = {.name = "absorbed", .n = 2 * (DECOYS + NEAREST), .d = D, .m = QUERIES, .k = NEAREST};
		s.X = room(s.n * D, sizeof *s.X);
		s.Y = room(s.m * D, sizeof *s.Y);
		for (int64_t i = 0; i < s.n; i++)
			for (int64_t l = 0; l < D; l++) {
				/* Every row and its negative, so that there is no centre to take away; the nearest
				 * last. */
				int64_t r = i / 2;
				bool decoy = r < DECOYS;
				double last =
					products ? (decoy ? ldexp((double)r, -20)
							  : sqrt((D - 2) * a * a * (0.9 + 0.01 * (double)r / DECOYS)))
						 : 0;
				double x = products ? (l == 0       ? 1
						       : l == D - 1 ? (double)(float)last
						       : decoy      ? 0
								    : a)
					   : decoy  ? (l == 0 ? 1 : (double)(float)(b * (1 - ldexp((double)r, -10))))
						    : (l == 0 ? 1 + ldexp((double)(16 + r - DECOYS), -20) : 0);
				s.X[i * D + l] = i % 2 ? x : -x;
			}
		for (int64_t i = 0; i < s.m; i++)
			for (int64_t l = 0; l < D; l++)
				s.Y[i * D + l] = products     ? (l == 0       ? 1
								 : l == D - 1 ? 0
									      : a)
						 : l == D - 1 ? ldexp(1, -30)
							      : 0;
		for (int64_t i = 0; i < s.m; i++)
			s.Y[i * D + D - 1] += ldexp((double)i, -30);
		const knng_metric *metric = knng_metric_find(metrics[m]);
		answer want = solve(&s, metric);
		CHECK(want.idx[0] / 2 >= DECOYS && want.idx[NEAREST - 1] / 2 >= DECOYS, "the nearest are the last");
		for (int t = 0; t < 6 * ntargets; t++) {
			if (SKIPS(7))
				continue;
			variant v = {.target = targets[t / 6],
				     .tile = t % 3 == 0   ? 16
					     : t % 3 == 1 ? 64
							  : 0,
				     .memory = t / 3 % 2 ? MEMORY_LEAST : MEMORY_FREE,
				     .threads = 1};
			fine = fine && run(&s, metric, &want, v, NULL);
		}
		CHECK(fine, "absorbed terms, %s", metric->name);
		close_answer(&want);
		close_data(&s);
	}
}

/* ---------------------------------------------------------------- the backend alone, tile by tile */

typedef struct {
	knng_plan plan;
	knng_info info;
	knng_output out;
	knng_search w;
	int64_t height, width, rows, columns;
	bool fine;
} stepping;

/* A run up to its first tile. */
static void
open_level(stepping *t, const knng_matrix *X, const knng_matrix *Y, const knng_options *opt)
{
	*t = (stepping){.fine = true};
	if (knng_plan_make(&t->plan, X, Y, opt, NULL) != KNNG_OK)
		abort();
	knng_search *w = &t->w;
	*w = (knng_search){.plan = &t->plan,
			   .info = &t->info,
			   .out = &t->out,
			   .backend = &knng_backend_cpu,
			   .level = KNNG_LEVEL_F32,
			   .task.stage = ""};
	w->query = Y == NULL ? &w->x : &w->y;
	t->fine = t->fine && knng_points_open(&w->x, X->n, NULL) == KNNG_OK &&
		  (Y == NULL || knng_points_open(&w->y, Y->n, NULL) == KNNG_OK) &&
		  w->backend->open(w, NULL) == KNNG_OK && w->backend->load(w, X, &w->x, false, NULL) == KNNG_OK &&
		  (Y == NULL || w->backend->load(w, Y, &w->y, true, NULL) == KNNG_OK);
	int64_t others = Y == NULL ? w->x.count - 1 : w->x.count;
	w->k = t->plan.k < others ? t->plan.k : others;
	w->pending = knng_alloc(w->query->count, sizeof *w->pending);
	for (int64_t p = 0; p < w->query->count; p++)
		w->pending[p] = (int32_t)p;
	w->npending = w->query->count;
	t->fine = t->fine && w->backend->begin(w, NULL) == KNNG_OK;
	w->backend->blocks(w, &t->height, &t->width);
	t->rows = (w->npending + t->height - 1) / t->height;
	t->columns = (w->x.count + t->width - 1) / t->width;
}

static void
one_tile(stepping *t, int worker, int64_t row, int64_t column)
{
	int64_t i = row * t->height, j = column * t->width, n = t->w.npending, x = t->w.x.count;
	knng_block a = {i, i + t->height < n ? t->height : n - i}, b = {j, j + t->width < x ? t->width : x - j};
	bool both = t->w.query == &t->w.x && row != column;
	if (t->w.backend->candidates(&t->w, worker, a, b, both, NULL) != KNNG_OK)
		t->fine = false;
}

/* The points that hold their certificate have the right neighbours. Every row is a point of its own here. */
static int64_t
close_level(stepping *t, const answer *a)
{
	knng_search *w = &t->w;
	knng_pair *pairs = room(w->k, sizeof *pairs);
	int64_t certified = 0;
	double self;
	for (int32_t p = 0; p < w->npending && t->fine; p++) {
		if (!w->backend->certified(w, p))
			continue;
		certified++;
		t->fine = w->backend->refine(w, 0, &p, 1, pairs, &self, NULL) == KNNG_OK;
		for (int64_t c = 0; c < w->k; c++)
			t->fine = t->fine && pairs[c].index == a->idx[p * a->k + c] &&
				  pairs[c].distance == a->dist[p * a->k + c];
	}
	free(pairs);
	w->backend->close(w);
	knng_points_close(&w->x);
	knng_points_close(&w->y);
	knng_free(w->pending);
	return certified;
}

/* n different rows of small integers, many at the same distance, or of normal numbers. */
static double *
different_rows(int64_t n, int64_t d, bool integers)
{
	double *x = matrix(n, d);
	for (int64_t i = 0; integers && i < n; i++) {
		bool again = true;
		while (again) {
			for (int64_t l = 0; l < d; l++)
				x[i * d + l] = (double)random_below(4);
			again = false;
			for (int64_t j = 0; j < i && !again; j++)
				again = memcmp(x + i * d, x + j * d, (size_t)d * sizeof *x) == 0;
		}
	}
	return x;
}

/* Section 8: the certificate holds whatever the order of the tiles. */
static void
test_any_order(void)
{
	held before = now_held();
	for (int which = 0; which < 12; which++) {
		bool graph = which % 3 != 2, fine = true;
		data_set s = {.name = "any order", .n = 203, .d = 6, .k = 5, .m = graph ? 0 : 75};
		s.X = different_rows(s.n, s.d, which % 2);
		s.Y = different_rows(s.m, s.d, which % 2);
		const knng_metric *metric = knng_metric_find(which < 4    ? "euclidean"
							     : which < 6  ? "pearson"
							     : which < 8  ? "sqeuclidean"
							     : which < 10 ? "cityblock"
									  : "cosine");
		if (metric->prep != KNNG_PREP_NONE) { /* no two rows become equal */
			close_data(&s);
			s.X = matrix(s.n, s.d);
			s.Y = matrix(s.m, s.d);
		}
		answer a = solve(&s, metric);
		knng_matrix X = lay_out(s.X, s.n, s.d, KNNG_F64, false), Y = lay_out(s.Y, s.m, s.d, KNNG_F64, false);
		int64_t certified = 0, expected = 0;
		for (int again = 0; again < 12; again++) {
			if (SKIPS(7))
				continue;
			knng_options opt = {.metric = metric->name,
					    .k = s.k,
					    .tile = again % 2 ? 16 : 32,
					    .task.threads = 2,
					    .target = targets[again % ntargets],
					    .device.kind = KNNG_DEVICE_CPU};
			stepping t;
			open_level(&t, &X, graph ? NULL : &Y, &opt);
			int64_t jobs = 0, *job = room(t.rows * t.columns, sizeof *job);
			for (int64_t j = 0; j < t.rows * t.columns; j++)
				if (!graph || j / t.columns <= j % t.columns)
					job[jobs++] = j;
			for (int64_t j = jobs - 1; j > 0; j--) {
				int64_t other = random_below(j + 1), swap = job[j];
				job[j] = job[other];
				job[other] = swap;
			}
			for (int64_t j = 0; j < jobs; j++)
				one_tile(&t, (int)random_below(2), job[j] / t.columns, job[j] % t.columns);
			expected += t.w.npending;
			certified += close_level(&t, &a);
			fine = fine && t.fine;
			free(job);
		}
		CHECK(fine, "tiles in any order, %s, %d", metric->name, which);
		CHECK(certified > 0 && certified <= expected, "%lld of %lld certified", (long long)certified,
		      (long long)expected);
		close_answer(&a);
		close_data(&s);
		free((void *)X.data);
		free((void *)Y.data);
	}
	CHECK(as_before(before), "nothing is left");
}

/* A second thread that makes a tile when it is told to, and is awake all the time. */
typedef struct {
	stepping t;
	int processor;
	atomic_int told, done; /* the number of the tile; -1: enough */
	int64_t row, column;
	double late;
} helper;

static void
sleepless(double seconds)
{
	for (double start = knng_seconds(); knng_seconds() - start < seconds;) {
	}
}

/* Keeps the calling thread on the nth of its processors. */
static void
stay_on(int nth)
{
	cpu_set_t all, one;
	CPU_ZERO(&one);
	if (pthread_getaffinity_np(pthread_self(), sizeof all, &all) != 0)
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && nth-- == 0)
			CPU_SET(cpu, &one);
	if (CPU_COUNT(&one) == 1)
		pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

static void *
help(void *context)
{
	helper *h = context;
	stay_on(h->processor);
	for (int number = 1;; number++) {
		int told;
		while ((told = atomic_load(&h->told)) != number && told != -1)
			sched_yield();
		if (told == -1)
			return NULL;
		sleepless(h->late);
		one_tile(&h->t, 1, h->row, h->column);
		atomic_store(&h->done, number);
	}
}

/* Two tiles that share a block of rows, one a little later than the other: a row gets its first threshold while hits of
 * the other tile go into its list. */
static void
test_at_once(void)
{
	enum { TILE = 128 };
	const int AGAIN = ENOUGH(300, 100);
	cpu_set_t usual;
	pthread_getaffinity_np(pthread_self(), sizeof usual, &usual);
	data_set s = {.name = "at once", .n = 2 * TILE, .d = 6, .k = 5, .X = different_rows(2 * TILE, 6, true)};
	s.Y = matrix(0, 1);
	held before = now_held();
	for (int m = 0; m < 2; m++) {
		const knng_metric *metric = knng_metric_find(m ? "cityblock" : "sqeuclidean");
		answer a = solve(&s, metric);
		knng_matrix X = lay_out(s.X, s.n, s.d, KNNG_F64, false);
		knng_options opt = {.metric = metric->name,
				    .k = s.k,
				    .tile = TILE,
				    .task.threads = 2,
				    .target = targets[0],
				    .device.kind = KNNG_DEVICE_CPU};
		helper h = {.processor = 1, .row = 0, .column = 1};
		pthread_t thread;
		int wrong = 0;
		if (pthread_create(&thread, NULL, help, &h) != 0)
			abort();
		stay_on(0);
		for (int again = 1; again <= AGAIN; again++) {
			double late = 1e-6 * exp2(8 * random_unit());
			open_level(&h.t, &X, NULL, &opt);
			one_tile(&h.t, 0, 0, 0);
			h.late = again % 3 ? 0 : late;
			atomic_store(&h.told, again);
			sleepless(again % 3 ? late : 0);
			one_tile(&h.t, 0, 1, 1);
			while (atomic_load(&h.done) != again)
				sched_yield();
			close_level(&h.t, &a);
			wrong += !h.t.fine;
		}
		atomic_store(&h.told, -1);
		pthread_join(thread, NULL);
		pthread_setaffinity_np(pthread_self(), sizeof usual, &usual);
		CHECK(wrong == 0, "%s: %d of %d runs went wrong", metric->name, wrong, AGAIN);
		close_answer(&a);
		free((void *)X.data);
	}
	CHECK(as_before(before), "nothing is left");
	close_data(&s);
}

/* ---------------------------------------------------------------- interrupts and progress */

static volatile sig_atomic_t stop;
static int shown, shown_wrongly;
static pthread_t shown_on;

static void
show(void *context, const char *stage, double fraction)
{
	bool known = false;
	for (int s = 0; s < KNNG_STAGES; s++)
		known = known || strcmp(stage, knng_stage_name[s]) == 0;
	shown++;
	shown_wrongly += !(known && context == NULL && fraction >= 0 && fraction <= 1) ||
			 !pthread_equal(pthread_self(), shown_on);
}

static void
show_and_stop(void *context, const char *stage, double fraction)
{
	show(context, stage, fraction);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
}

static void *
stop_later(void *microseconds)
{
	struct timespec t = {.tv_nsec = 1000 * *(const long *)microseconds};
	nanosleep(&t, NULL);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void
test_interrupts(void)
{
	data_set s = make_data(NORMAL, true), large = {.name = "large", .n = 4000, .d = 400, .k = 5};
	const knng_metric *metric = knng_metric_find("pearson");
	answer a = solve(&s, metric);
	variant v = {.interrupt = &stop, .progress = show, .threads = 2};
	shown_on = pthread_self();
	openblas_set_num_threads(2); /* must be so afterwards, too */

	stop = 1;
	CHECK(run(&s, metric, NULL, v, NULL), "stopped before it began");
	stop = 0;
	CHECK(run(&s, metric, &a, v, NULL), "a run that nobody stops");

	/* Long enough for some progress to be shown. */
	large.X = matrix(large.n, large.d);
	large.Y = matrix(0, 1);
	for (int t = 0; t < 4; t++) {
		variant slow = {.interrupt = &stop,
				.progress = show_and_stop,
				.threads = 1 + t % 2,
				.target = "plain",
				.tile = 32,
				.memory = MEMORY_LEAST};
		shown = 0;
		stop = 0;
		const knng_metric *either = t % 2 ? knng_metric_find("cityblock") : metric;
		CHECK(run(&large, either, NULL, slow, NULL), "stopped by its progress");
		CHECK(shown >= 1, "shown %d times", shown);
	}
	/* At any time. */
	data_set levels = make_levels(500, 0, 40, 4, 1e-9);
	answer escalates = solve(&levels, metric);
	int stopped = 0, finished = 0;
	for (int t = 0; t < 60; t++) {
		long microseconds = (long)random_below(t % 2 ? 30000 : 3000);
		pthread_t thread;
		knng_plan plan;
		knng_options opt = {.metric = metric->name, .k = 4, .task = {.threads = 2, .interrupt = &stop}};
		opt.device.kind = KNNG_DEVICE_CPU;
		knng_matrix X = lay_out(levels.X, levels.n, levels.d, KNNG_F64, false);
		int64_t cells = levels.n * (4 + 2);
		knng_output out = {.idx = room(cells, 8), .dist = room(cells, 8), .idx_type = KNNG_I64};
		out.row_stride = 6;
		out.col_stride = 1;
		memset(out.idx, 0xa5, (size_t)cells * 8);
		memset(out.dist, 0xa5, (size_t)cells * 8);
		held before = now_held();
		knng_err err = {0};
		stop = 0;
		if (knng_plan_make(&plan, &X, NULL, &opt, NULL) != KNNG_OK ||
		    pthread_create(&thread, NULL, stop_later, &microseconds) != 0)
			abort();
		knng_status status = knng_run(&plan, &out, NULL, &err);
		pthread_join(thread, NULL);
		stopped += status == KNNG_EINTERRUPTED;
		finished += status == KNNG_OK;
		CHECK(as_before(before) && (status == KNNG_OK ? is_answer(&escalates, &out, cells)
							      : status == KNNG_EINTERRUPTED &&
									strcmp(err.id, "knng:interrupted") == 0),
		      "stopped after %ld us: %d, %s", microseconds, status, err.text);
		free((void *)X.data);
		free(out.idx);
		free(out.dist);
	}
	CHECK(stopped > 0, "%d stopped, %d finished", stopped, finished);
	stop = 0;
	CHECK(run(&levels, metric, &escalates, v, NULL), "the next run is right");
	CHECK(shown_wrongly == 0, "%d wrong reports of progress", shown_wrongly);
	CHECK(openblas_get_num_threads() == 2, "OpenBLAS has its threads");
	openblas_set_num_threads(1);
	close_answer(&a);
	close_answer(&escalates);
	close_data(&s);
	close_data(&large);
	close_data(&levels);
}

/* ---------------------------------------------------------------- the caller's floating point */

/* Rounding, and on x86 the register with flush-to-zero in it, but for the flags of what has happened. */
static unsigned
environment(void)
{
	unsigned mode = (unsigned)fegetround();
#if defined(__x86_64__)
	mode |= (_mm_getcsr() & ~0x3fu) << 16;
#endif
	return mode;
}

/* Another rounding, subnormals lost, division by zero a trap. Returns the environment. */
static unsigned
change_environment(int rounding)
{
	fesetround(rounding);
#if defined(__x86_64__)
	_mm_setcsr(_mm_getcsr() | 0x8040); /* flush to zero, denormals are zero */
#endif
#if defined(__GLIBC__)
	feenableexcept(FE_DIVBYZERO);
#endif
	return environment();
}

static void
test_floating_point(void)
{
	static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
	static const int sets[] = {NORMAL, SUBNORMAL, BROKEN, OVERFLOWS, CLUSTERS};
	static const char *const metrics[] = {"euclidean", "pearson", "cosine", "cityblock", "spearman"};
	fenv_t usual;
	fegetenv(&usual);
	for (int d = 0; d < 5; d++)
		for (int m = 0; m < 5; m++) {
			data_set s = make_data(sets[d], (d + m) % 2);
			const knng_metric *metric = knng_metric_find(metrics[m]);
			answer a = solve(&s, metric);
			bool fine = true, kept = true;
			for (int mode = 0; mode < 4; mode++)
				for (int threads = 1; threads <= 3; threads++) {
					if (SKIPS(7))
						continue;
					variant v = {.threads = threads,
						     .target = targets[(mode + threads) % ntargets]};
					unsigned before = change_environment(modes[mode]);
					fine = fine && run(&s, metric, &a, v, NULL);
					kept = kept && environment() == before;
					fesetenv(&usual);
				}
			CHECK(fine, "other modes, %s, %s", s.name, metric->name);
			CHECK(kept, "the caller's mode stays, %s, %s", s.name, metric->name);
			close_answer(&a);
			close_data(&s);
		}
}

/* ---------------------------------------------------------------- a backend that takes no memory */

/* Every row is a point but the last, which equals the first; the neighbours of a point are those after it. */
static knng_status
bare_open(knng_search *w, knng_err *err)
{
	(void)w, (void)err;
	return KNNG_OK;
}

static bool
bare_same(void *context, int64_t point, int64_t row)
{
	(void)context, (void)point, (void)row;
	return true;
}

static void
bare_move(void *context, int64_t to, int64_t from)
{
	(void)context, (void)to, (void)from;
}

static knng_status
bare_load(knng_search *w, const knng_matrix *rows, knng_points *points, bool queries, knng_err *err)
{
	(void)w, (void)queries;
	for (int64_t i = 0; i < rows->n; i++)
		points->hash[i] = (uint64_t)(i % (rows->n - 1));
	return knng_points_group(points, &w->task, bare_same, bare_move, NULL, err);
}

static knng_status
bare_begin(knng_search *w, knng_err *err)
{
	(void)w, (void)err;
	return KNNG_OK;
}

static bool
bare_has_level(const knng_search *w, int level)
{
	(void)w;
	return level == KNNG_LEVEL_SCAN;
}

static int
bare_workers(const knng_search *w)
{
	(void)w;
	return 1;
}

static void
bare_blocks(const knng_search *w, int64_t *height, int64_t *width)
{
	*height = w->npending;
	*width = w->x.count;
}

static knng_status
bare_candidates(knng_search *w, int worker, knng_block rows, knng_block columns, bool both, knng_err *err)
{
	(void)w, (void)worker, (void)rows, (void)columns, (void)both, (void)err;
	return KNNG_OK;
}

static bool
bare_certified(const knng_search *w, int32_t p)
{
	(void)w, (void)p;
	return true;
}

static knng_status
bare_refine(knng_search *w, int worker, const int32_t *points, int64_t count, knng_pair *pairs, double *self,
	    knng_err *err)
{
	(void)worker, (void)err;
	for (int64_t c = 0; c < count; c++) {
		self[c] = 0;
		for (int64_t a = 0; a < w->k; a++)
			pairs[c * w->k + a] = (knng_pair){(double)(a + 1), (int32_t)((points[c] + 1 + a) % w->x.count)};
	}
	return KNNG_OK;
}

static void
bare_close(knng_search *w)
{
	(void)w;
}

static const knng_backend bare = {
	.name = "bare",
	.open = bare_open,
	.load = bare_load,
	.begin = bare_begin,
	.has_level = bare_has_level,
	.workers = bare_workers,
	.blocks = bare_blocks,
	.candidates = bare_candidates,
	.certified = bare_certified,
	.refine = bare_refine,
	.close = bare_close,
};

/* What the core takes by itself is counted with the k of the plan, of which equal rows may leave fewer points. */
static void
test_own_memory(void)
{
	for (int64_t k = 1; k <= 4097; k = k < 1000 ? 2 * k + 1 : k == 1023 ? 1024 : k == 1024 ? 1025 : 2 * k - 1) {
		if (SKIPS(5))
			continue;
		int64_t n = k + 1;
		double x = 0;
		knng_matrix X = {.n = n, .d = 1, .data = &x}; /* which nobody reads */
		knng_options opt = {.k = k, .task = {.threads = 2}, .device = {.kind = KNNG_DEVICE_CPU}};
		knng_plan plan;
		knng_err err;
		knng_info info;
		CHECK(knng_plan_make(&plan, &X, NULL, &opt, &err) == KNNG_OK, "%s", err.text);
		plan.backend = &bare;
		knng_output out = {.idx = room(n * k, 8), .idx_type = KNNG_I64, .row_stride = k, .col_stride = 1};
		knng_status status = knng_run(&plan, &out, &info, &err);
		double planned = knng_run_bytes(&plan, plan.threads) + knng_points_bytes(n) + 4. * (double)n;
		CHECK(status == KNNG_OK && info.points == n - 1, "k = %lld: %s", (long long)k, err.text);
		CHECK(info.peak <= planned, "k = %lld: %.0f bytes, where %.0f are planned", (long long)k, info.peak,
		      planned);
		free(out.idx);
	}
}

int
main(void)
{
	find_targets();
	test_first_run();
	test_own_memory();
	test_all();
	test_levels();
	test_integers();
	test_far_integers();
	test_absorbed();
	test_any_order();
	test_at_once();
	test_interrupts();
	test_floating_point();
	return summary();
}
