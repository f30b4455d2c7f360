/* test_separate.c  Searches cluster by cluster: the bits of the oracle, whether rows lie in clusters just far enough
 * apart or not quite, whatever their scale, with rows far from all, with too few for a cluster, with NaN. What is taken
 * for clusters; memory; failures; interrupts. */
#include "base/target.h"
#include "interrupts.h"
#include "search/separate.h"
#include "searches.h"

enum { TWO, SEVERAL, FILLED, FAR_ROWS, NESTED, EQUAL, SMALL, BROKEN, SCALES, OVERFLOWS, WHOLE, BETWEEN, NORMAL, KINDS };
static const char *const kind_name[KINDS] = {"two",    "several", "filled",    "far rows", "nested",  "equal", "small",
					     "broken", "scales",  "overflows", "whole",    "between", "normal"};
enum { MOST = 8 };

/* What the rows of one data set have in common. */
typedef struct {
	int kind, clusters;
	int64_t d, few; /* few: rows of the last cluster, of SMALL */
	double apart, scale, *centre;
} shape;

/* From near enough to be one to very far, most of them about where it is decided. */
static double
distance_between(void)
{
	double size = random_below(4) > 0 ? 1 + 15 * random_unit() : pow(10, 1 + 8 * random_unit());
	return size;
}

static shape
make_shape(int kind, int64_t d, int64_t k)
{
	static const double scales[] = {1, 1e-3, 0x1p-1000, 1e100, 1e-120};
	shape s = {.kind = kind, .clusters = 2, .d = d, .apart = distance_between(), .scale = 1};
	s.few = k - 1 + random_below(4);
	if (kind == SEVERAL || kind == BROKEN || kind == WHOLE || kind == BETWEEN)
		s.clusters = 2 + (int)random_below(5);
	if (kind == SMALL || kind == NESTED)
		s.apart = 100;
	if (kind == SCALES)
		s.scale = scales[random_below(5)];
	if (kind == OVERFLOWS)
		s.apart = random_below(2) ? 1e200 : 1e154;
	s.centre = room(MOST * d, sizeof *s.centre);
	for (int c = 0; c < MOST; c++) {
		double length = 0;
		for (int64_t l = 0; l < d; l++) {
			s.centre[c * d + l] = random_normal();
			length += s.centre[c * d + l] * s.centre[c * d + l];
		}
		/* on a sphere: with two clusters opposite each other */
		for (int64_t l = 0; l < d; l++)
			s.centre[c * d + l] *= s.apart * sqrt((double)d) / sqrt(length);
	}
	for (int64_t l = 0; l < d && s.clusters == 2; l++)
		s.centre[d + l] = -s.centre[l];
	return s;
}

static void
fill_row(const shape *s, int64_t i, int64_t n, double *x)
{
	int c = (int)random_below(s->clusters);
	int64_t d = s->d;
	if (s->kind == SMALL)
		c = i % n >= n - s->few;
	for (int64_t l = 0; l < d; l++) {
		double e = s->kind == EQUAL ? 0 : random_normal() * (c == 1 && s->kind == SEVERAL ? 0.1 : 1);
		e = s->kind == NORMAL                          ? random_normal()
		    : s->kind == FILLED || s->kind == FAR_ROWS ? e
							       : e + s->centre[c * d + l];
		x[l] = s->kind == WHOLE ? floor(3 * e) : e * s->scale;
	}
	if (s->kind == NESTED && i % 3 == 0)
		x[0] += 1e9;
	if (s->kind == FILLED && i % 3 == 1)
		x[d / 2] = 1e20;
	for (int64_t l = 0; l < d && s->kind == FAR_ROWS && i % 101 == 7; l++)
		x[l] *= pow(10, (double)(i % 40));
	for (int64_t l = 0; l < d && s->kind == BETWEEN && i % 89 == 5; l++)
		x[l] *= random_unit(); /* on the way from one to another */
	if (s->kind == BROKEN && i % 13 == 5)
		x[i % d] = i % 2 ? NAN : -INFINITY;
	if (s->kind == SMALL && i % 23 == 22)
		x[i % d] = NAN;
	for (int64_t l = 0; l < d && s->kind == BROKEN && i % 71 == 40; l++)
		x[l] += 1e30; /* far from all, and all as far from it */
}

static data_set
make_data(int kind, int64_t n, int64_t d, int64_t m, int64_t k)
{
	data_set s = {.name = kind_name[kind],
		      .n = n,
		      .d = d,
		      .m = m,
		      .k = k,
		      .single = kind < SCALES && random_below(3) == 0};
	double *x = room((n + m) * d, sizeof *x);
	shape shape = make_shape(kind, d, k);
	for (int64_t i = 0; i < n + m; i++)
		fill_row(&shape, i, n, x + i * d);
	for (int64_t e = 0; s.single && e < (n + m) * d; e++)
		x[e] = (float)x[e];
	free(shape.centre);
	take_rows(&s, x);
	return s;
}

/* The most that was held, which searches within a search begin to measure anew. */
static int64_t most_held;
void __real_knng_sys_mark_peak(void);
void __wrap_knng_sys_mark_peak(void);

void
__wrap_knng_sys_mark_peak(void)
{
	int64_t peak = knng_sys().peak;
	most_held = peak > most_held ? peak : most_held;
	__real_knng_sys_mark_peak();
}

/* ---------------------------------------------------------------- one run */

typedef struct {
	int threads, separate, prune;
	bool single, by_column;
	double memory;
	const volatile sig_atomic_t *interrupt;
} variant;

static variant
next_variant(const data_set *s)
{
	static int next = 0;
	int v = next++;
	return (variant){.threads = v % 2 ? 3 : 1,
			 .separate = KNNG_PRUNE_ON,
			 .prune = v / 2 % 3,
			 .single = s->single && random_below(2),
			 .by_column = random_below(2)};
}

typedef struct {
	knng_matrix X, Y;
	knng_options opt;
	knng_plan plan;
	knng_info info;
	knng_err err;
	knng_sys_count before;
	answer found;
} running;

static knng_status
open_run(running *r, const data_set *s, const knng_metric *metric, variant v)
{
	*r = (running){.X = lay_out(s->X, s->n, s->d, v.single ? KNNG_F32 : KNNG_F64, v.by_column),
		       .Y = lay_out(s->Y, s->m, s->d, v.single ? KNNG_F32 : KNNG_F64, v.by_column),
		       .found = open_answer(s)};
	r->before = knng_sys();
	r->opt = (knng_options){.metric = metric->name,
				.k = s->k,
				.prune = v.prune,
				.separate = v.separate,
				.max_memory = v.memory,
				.device.kind = KNNG_DEVICE_CPU,
				.task = {.threads = v.threads, .interrupt = v.interrupt}};
	return knng_plan_make(&r->plan, &r->X, s->m ? &r->Y : NULL, &r->opt, &r->err);
}

static knng_status
do_run(running *r)
{
	knng_output out = {.idx = r->found.idx,
			   .idx_type = KNNG_I64,
			   .dist = r->found.dist,
			   .row_stride = r->found.k,
			   .col_stride = 1};
	__real_knng_sys_mark_peak();
	most_held = 0;
	knng_status status = knng_run(&r->plan, &out, &r->info, &r->err);
	int64_t peak = knng_sys().peak;
	most_held = (peak > most_held ? peak : most_held) - r->before.bytes;
	return status;
}

static bool
nothing_left(const running *r)
{
	knng_sys_count now = knng_sys();
	return now.live == r->before.live && now.bytes == r->before.bytes;
}

static void
close_run(running *r)
{
	close_answer(&r->found);
	free((void *)r->X.data);
	free((void *)r->Y.data);
}

static bool
same_answers(const answer *a, const answer *b, bool single)
{
	bool same = a->m == b->m && a->k == b->k;
	for (int64_t e = 0; same && e < a->m * a->k; e++) {
		double want = single ? (double)(float)a->dist[e] : a->dist[e];
		same = a->idx[e] == b->idx[e] &&
		       ((isnan(want) && isnan(b->dist[e])) || bits_of(want) == bits_of(b->dist[e]));
	}
	return same;
}

static int64_t separated[KINDS], together[KINDS];

/* Of the rows that have distances. */
static int64_t
different_rows(const data_set *s)
{
	int64_t count = 0;
	for (int64_t i = 0; i < s->n; i++) {
		bool first = state_of(knng_metrics, s->X + i * s->d, s->d) == KNNG_ROW_FINE;
		for (int64_t j = 0; j < i && first; j++)
			first = memcmp(s->X + i * s->d, s->X + j * s->d, (size_t)s->d * sizeof *s->X) != 0;
		count += first;
	}
	return count;
}

static int64_t
certified(const knng_info *info)
{
	int64_t all = 0;
	for (int l = 0; l < KNNG_LEVELS; l++)
		all += info->certified[l];
	return all;
}

static bool
run(const data_set *s, int kind, const knng_metric *metric, const answer *t, variant v)
{
	running r;
	bool fine = true;
	DEMAND(open_run(&r, s, metric, v) == KNNG_OK);
	DEMAND(do_run(&r) == KNNG_OK);
	DEMAND(r.info.peak >= (double)most_held && r.info.peak <= r.info.planned);
	DEMAND(r.info.planned >= r.plan.bytes);
	DEMAND(r.info.separated == 0 || metric->prep == KNNG_PREP_NONE);
	DEMAND(certified(&r.info) == t->fine);
	DEMAND(r.info.nonfinite == t->nonfinite);
	DEMAND(s->m > 0 || s->n > 1000 || metric->prep != KNNG_PREP_NONE || r.info.points == different_rows(s));
	DEMAND(!fine || same_answers(t, &r.found, false));
	if (!fine)
		printf("  of %s, %s, n = %lld, d = %lld, m = %lld, k = %lld, %d threads: '%s'; %s; peak %.0f of %.0f\n",
		       s->name, metric->name, (long long)s->n, (long long)s->d, (long long)s->m, (long long)s->k,
		       v.threads, r.err.text, r.info.pruned, r.info.peak, r.info.planned);
	*(r.info.separated > 0 ? &separated[kind] : &together[kind]) += 1;
	DEMAND(nothing_left(&r));
	close_run(&r);
	return fine;
}

static void
compare(const data_set *s, int kind, const knng_metric *metric, int runs)
{
	answer t = solve(s, metric);
	bool fine = true;
	for (int r = 0; r < runs && fine; r++)
		fine = run(s, kind, metric, &t, next_variant(s));
	CHECK(fine, "%s, %s, %s, n = %lld, d = %lld, k = %lld", s->name, s->m ? "search" : "graph", metric->name,
	      (long long)s->n, (long long)s->d, (long long)s->k);
	close_answer(&t);
}

/* ---------------------------------------------------------------- answers */

/* A cluster of just as many rows as neighbours are sought, a row more, and a row less. All rows are looked at first. */
static void
compare_small(int64_t few, int64_t m)
{
	data_set s = {.name = "small", .n = 60, .d = 3, .m = m, .k = 6};
	double *x = room((s.n + m) * s.d, sizeof *x);
	for (int64_t e = 0; e < (s.n + m) * s.d; e++)
		x[e] = random_normal() + (e / s.d % s.n < few ? 1e4 : 0);
	take_rows(&s, x);
	compare(&s, TWO, knng_metric_find("euclidean"), 2);
	close_data(&s);
}

static void
test_data(void)
{
	static const int64_t columns[] = {1, 2, 5, 16, 33}, neighbours[] = {1, 3, 8, 20, 60};
	static const char *const metrics[] = {"euclidean", "sqeuclidean", "cityblock", "chebychev", "pearson"};
	const char *asked = getenv("KNNG_SEPARATE_ROUNDS");
	int turn = 0, rounds = asked != NULL ? atoi(asked) : 30;
	for (int round = 0; round < rounds; round++)
		for (int kind = 0; kind < KINDS; kind++, turn++) {
			if (SKIPS(7))
				continue;
			int64_t n = 150 + random_below(250);
			data_set s = make_data(kind, n, columns[random_below(5)], turn % 2 ? n / 2 : 0,
					       neighbours[random_below(5)]);
			compare(&s, kind, knng_metric_find(metrics[turn % 9 == 8 ? 4 : random_below(4)]), 2);
			close_data(&s);
		}
	for (int64_t few = 5; few <= 8; few++)
		for (int64_t m = 0; m <= 30; m += 30)
			compare_small(few, m);
	for (int kind = 0; kind < NORMAL; kind++)
		CHECK(separated[kind] > 0 || ENOUGH(0, 1), "%s: none was cut", kind_name[kind]);
	CHECK(together[TWO] > 0 && together[NORMAL] > 0, "all were cut");
}

/* More rows far from all than are compared at once; clusters inside clusters. */
static void
test_large(void)
{
	for (int way = 0; way < 4; way++) {
		if (SKIPS(3))
			continue;
		data_set s = make_data(way < 2 ? FAR_ROWS : NESTED, 7300, 2, way % 2 ? 3000 : 0, 5);
		compare(&s, way < 2 ? FAR_ROWS : NESTED, knng_metric_find("euclidean"), 1);
		close_data(&s);
	}
}

/* ---------------------------------------------------------------- what is taken for clusters */

static void
test_clusters(void)
{
	static const struct {
		const char *name;
		int64_t n;
		double apart;
		int64_t count;
		const char *metric;
		int separate;
	} cases[] = {
		{"two", 2000, 1000, 2, "euclidean", KNNG_PRUNE_AUTO},
		{"two of products", 2000, 1000, 0, "cosine", KNNG_PRUNE_AUTO},
		{"not wanted", 2000, 1000, 0, "euclidean", KNNG_PRUNE_OFF},
		{"few rows", 1900, 1000, 0, "euclidean", KNNG_PRUNE_AUTO},
		{"few rows each", 600, 1000, 2, "euclidean", KNNG_PRUNE_ON},
		{"near", 2000, 2, 0, "euclidean", KNNG_PRUNE_ON},
		{"of whole numbers", 2000, 4096, 2, "sqeuclidean", KNNG_PRUNE_AUTO},
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		int64_t n = cases[c].n;
		data_set s = {.n = n, .d = 16, .k = 5};
		double *x = room(n * 16, sizeof *x);
		for (int64_t e = 0; e < n * 16; e++)
			x[e] = random_normal() + (e / 16 % 2 ? cases[c].apart : 0);
		take_rows(&s, x);
		running r;
		variant v = {.threads = 1, .separate = cases[c].separate};
		CHECK(open_run(&r, &s, knng_metric_find(cases[c].metric), v) == KNNG_OK && do_run(&r) == KNNG_OK, "%s",
		      r.err.text);
		CHECK(r.info.separated == cases[c].count, "%s: %lld", cases[c].name, (long long)r.info.separated);
		CHECK((strstr(r.info.pruned, " clusters far from each other") != NULL) == (cases[c].count > 0), "%s",
		      r.info.pruned);
		close_run(&r);
		close_data(&s);
	}
}

/* What info.pruned says. far: so many of the rows, and of the queries, lie far from all others. */
static void
test_words(void)
{
	static const struct {
		int64_t m, clusters, far[2];
		const char *said;
	} cases[] = {
		{0, 1, {1, 0}, "no: as 'Prune' asks; 1 row far from all others by itself"},
		{0, 1, {3, 0}, "no: as 'Prune' asks; 3 rows far from all others by themselves"},
		{0,
		 2,
		 {3, 0},
		 "yes: 2 clusters far from each other one by one; 3 rows far from all others by themselves"},
		{1200, 1, {3, 0}, "no: as 'Prune' asks"},
		{1200, 1, {3, 1}, "no: as 'Prune' asks; 1 query among all rows"},
		{1200, 2, {1, 5}, "yes: 2 clusters far from each other one by one; 5 queries among all rows"},
		{1200,
		 2,
		 {0, 5},
		 "yes: 2 clusters far from each other one by one, 5 queries among all rows; in the largest no: as "
		 "'Prune' asks"},
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		data_set s = {.name = "words", .n = 3000, .d = 20, .m = cases[c].m, .k = 4};
		int64_t rows = s.n + s.m;
		double *x = room(rows * s.d, sizeof *x);
		for (int64_t i = 0; i < rows; i++) {
			/* each fourth query is a row */
			int64_t place = i < s.n ? i : i - s.n;
			bool far = place % 4 == 1 && place / 4 < cases[c].far[i >= s.n];
			for (int64_t l = 0; l < s.d; l++)
				x[i * s.d + l] = (i < s.n ? 1 : 0.5) * random_normal() +
						 1e5 * (double)(i % cases[c].clusters) +
						 (far ? 1e9 * (double)(place + 1) : 0);
		}
		take_rows(&s, x);
		running r;
		variant v = {.threads = 1, .separate = KNNG_PRUNE_ON, .prune = KNNG_PRUNE_OFF};
		CHECK(open_run(&r, &s, knng_metric_find("euclidean"), v) == KNNG_OK && do_run(&r) == KNNG_OK, "%s",
		      r.err.text);
		CHECK(strcmp(r.info.pruned, cases[c].said) == 0, "case %zu: %s", c, r.info.pruned);
		close_run(&r);
		close_data(&s);
	}
}

/* ---------------------------------------------------------------- memory, failures, interrupts */

/* Rows in one or two clusters, and one far from all, which is too large to be one of a sample. */
static data_set
hard_data(int64_t m, bool two)
{
	data_set s = {.name = "hard", .n = 1500, .d = 3, .m = m, .k = 4};
	double *x = room((s.n + m) * 3, sizeof *x);
	for (int64_t e = 0; e < (s.n + m) * 3; e++)
		x[e] = (random_normal() + (two && e / 3 % 2 ? 1e4 : 0)) * (e / 3 == 1493 ? 1e9 : 1);
	take_rows(&s, x);
	return s;
}

/* With any limit there is an answer within it, or a message; clusters are found before anything else is held, so with
 * less than all that the search would hold, too. */
static void
test_memory(void)
{
	int before = 0;
	data_set s = hard_data(0, true);
	const knng_metric *metric = knng_metric_find("euclidean");
	answer t = solve(&s, metric);
	running r;
	variant v = {.threads = 2, .separate = KNNG_PRUNE_ON};
	CHECK(open_run(&r, &s, metric, v) == KNNG_OK, "%s", r.err.text);
	double least = r.plan.least, most = r.plan.bytes;
	close_run(&r);
	for (int step = 0; step <= 12; step++) {
		v.memory = least * 0.9 + (most * 1.1 - least * 0.9) * step / 12;
		knng_status status = open_run(&r, &s, metric, v);
		if (status == KNNG_OK) {
			CHECK(do_run(&r) == KNNG_OK && r.info.peak <= v.memory && (double)most_held <= v.memory &&
				      r.info.planned <= v.memory && r.info.peak <= r.info.planned &&
				      same_answers(&t, &r.found, false),
			      "%.0f of %.0f, planned %.0f: %s", r.info.peak, v.memory, r.info.planned, r.err.text);
			CHECK((r.info.separated > 0) == r.plan.separates, "%.0f: %s", v.memory, r.info.pruned);
			before += r.plan.separates && !r.plan.separates_later;
		} else {
			CHECK(v.memory < least, "%.0f of %.0f: %s", v.memory, least, r.err.text);
		}
		CHECK(nothing_left(&r), "something is left");
		close_run(&r);
	}
	CHECK(before > 1, "%d limits between that of finding and that of all", before);
	close_answer(&t);
	close_data(&s);
}

/* Each allocation fails in turn; each look for Ctrl-C finds one. */
static void
test_failures(void)
{
	for (int mode = 0; mode < 2; mode++) {
		data_set s = hard_data(mode ? 600 : 0, true);
		const knng_metric *metric = knng_metric_find("euclidean");
		answer t = solve(&s, metric);
		int64_t failures = 0, stops = 0;
		for (int64_t nth = 1; nth < 2000; nth++) {
			running r;
			knng_status status =
				open_run(&r, &s, metric, (variant){.threads = 1, .separate = KNNG_PRUNE_ON});
			CHECK(status == KNNG_OK, "%s", r.err.text);
			knng_sys_fail_at(nth);
			status = do_run(&r);
			knng_sys_fail_at(0);
			bool done = status == KNNG_OK, right = done && same_answers(&t, &r.found, false);
			CHECK(done ? right : status == KNNG_EMEMORY, "allocation %lld: %s", (long long)nth, r.err.text);
			CHECK(nothing_left(&r), "allocation %lld: something is left", (long long)nth);
			close_run(&r);
			failures += !done;
			if (done && nth > failures + 20)
				break;
		}
		CHECK(failures > 9, "%lld", (long long)failures);
		for (int64_t at = 1; at < 4000; at += 1 + at / 8) {
			running r;
			stop = 0;
			looks = 0;
			stop_at = at;
			open_run(&r, &s, metric,
				 (variant){.threads = 1, .separate = KNNG_PRUNE_ON, .interrupt = &stop});
			knng_status status = do_run(&r);
			CHECK(status == KNNG_OK ? same_answers(&t, &r.found, false) : status == KNNG_EINTERRUPTED,
			      "look %lld: %s", (long long)at, r.err.text);
			CHECK(nothing_left(&r), "look %lld: something is left", (long long)at);
			close_run(&r);
			stops += status != KNNG_OK;
			if (status == KNNG_OK)
				break;
		}
		stop_at = stop = 0;
		CHECK(stops > 5, "%lld", (long long)stops);
		close_answer(&t);
		close_data(&s);
	}
}

/* A plan of a part that cannot be had, and then a device that fails: one search of all rows, on the CPU, which is not
 * cut again. */
static int refused; /* plans, from the next one on */
knng_status __real_knng_plan_make(knng_plan *plan, const knng_matrix *X, const knng_matrix *Y, const knng_options *opt,
				  knng_err *err);
knng_status __wrap_knng_plan_make(knng_plan *plan, const knng_matrix *X, const knng_matrix *Y, const knng_options *opt,
				  knng_err *err);

knng_status
__wrap_knng_plan_make(knng_plan *plan, const knng_matrix *X, const knng_matrix *Y, const knng_options *opt,
		      knng_err *err)
{
	if (refused > 0 && refused-- > 0)
		return knng_fail(err, KNNG_EMEMORY, "knng:memory:host", "this plan is refused");
	return __real_knng_plan_make(plan, X, Y, opt, err);
}

static knng_status
open_in_vain(knng_search *w, knng_err *err)
{
	(void)w;
	return knng_fail(err, KNNG_EDEVICE, "knng:device:failed", "the device has failed");
}

static void
test_device(void)
{
	data_set s = hard_data(0, true);
	const knng_metric *metric = knng_metric_find("euclidean");
	answer t = solve(&s, metric);
	for (int way = 0; way < 4; way++) { /* parts that are refused, or not; a device that fails, or not */
		running r;
		knng_backend failing = knng_backend_cpu;
		CHECK(open_run(&r, &s, metric, (variant){.threads = 2, .separate = KNNG_PRUNE_ON}) == KNNG_OK, "%s",
		      r.err.text);
		failing.open = open_in_vain;
		if (way / 2) {
			r.plan.backend = &failing;
			r.plan.ndevices = 1;
		}
		refused = way % 2;
		knng_status status = do_run(&r);
		CHECK(refused == 0, "no part was planned");
		CHECK(status == KNNG_OK && same_answers(&t, &r.found, false), "way %d: %s; %s", way, r.err.text,
		      r.info.pruned);
		CHECK((r.info.separated > 0) == (way % 2 == 0), "way %d: %s", way, r.info.pruned);
		CHECK(nothing_left(&r), "something is left");
		close_run(&r);
	}
	close_answer(&t);
	close_data(&s);
	/* Where the far row is found when rows are loaded, the failure before is told all the same. */
	s = hard_data(0, false);
	t = solve(&s, metric);
	running r;
	knng_backend failing = knng_backend_cpu;
	CHECK(open_run(&r, &s, metric, (variant){.threads = 2, .separate = KNNG_PRUNE_ON}) == KNNG_OK, "%s",
	      r.err.text);
	failing.open = open_in_vain;
	r.plan.backend = &failing;
	r.plan.ndevices = 1;
	CHECK(do_run(&r) == KNNG_OK && same_answers(&t, &r.found, false) && r.info.separated == 1, "%s; %s", r.err.text,
	      r.info.pruned);
	CHECK(strcmp(r.info.fallback, "the device has failed") == 0 && strcmp(r.info.why_cpu, r.info.fallback) == 0,
	      "'%s', '%s'", r.info.fallback, r.info.why_cpu);
	close_run(&r);
	close_answer(&t);
	close_data(&s);
}

/* What is shown of the whole never goes back, and ends at its end. */
static double shown;
static bool backwards;

static void
see(void *context, const char *stage, double fraction)
{
	(void)context;
	if (strcmp(stage, "filter") != 0)
		return;
	backwards = backwards || fraction < shown - 1e-9 || fraction > 1 + 1e-9;
	shown = fraction;
}

static void
test_progress(void)
{
	data_set s = {.n = 24000, .d = 40, .k = 4};
	double *x = room(s.n * s.d, sizeof *x);
	for (int64_t e = 0; e < s.n * s.d; e++)
		x[e] = random_normal() + (e / s.d % 2 ? 1e6 : 0);
	take_rows(&s, x);
	running r;
	open_run(&r, &s, knng_metric_find("cityblock"),
		 (variant){.threads = 1, .separate = KNNG_PRUNE_AUTO, .prune = KNNG_PRUNE_OFF});
	r.plan.opt.task.progress = see;
	CHECK(do_run(&r) == KNNG_OK && r.info.separated == 2, "%s", r.err.text);
	CHECK(!backwards && shown > 0.5, "%g", shown);
	close_run(&r);
	close_data(&s);
}

int
main(int argc, char **argv)
{
	PART(data);
	PART(large);
	PART(clusters);
	PART(words);
	PART(memory);
	PART(failures);
	PART(device);
	if (ENOUGH(1, 0))
		PART(progress);
	return summary();
}
