/* test_gaps.c  Searches over the columns that two rows share: the bits of the oracle, whatever the data, the share of
 * missing values, the metric, the instructions and the threads; without missing values those of the ordinary search;
 * how many columns neighbours share; memory; failures and interrupts at any moment; what is refused. */
#include "interrupts.h"
#include "rows/complete.h"
#include "search/cpu/kernels.h"
#include "search/prepared.h"
#include "search/range.h"
#include "searches.h"
#include "shelved.h"

#include <cblas.h>
#include <float.h>

static const char *const targets[] = {"avx512", "avx2", "plain"};
static const double shares[] = {0, 0.02, 0.3, 0.8};
enum { TARGETS = 3, SHARES = 4 };

enum {
	NORMAL,
	DIGITS,
	STEPS,
	SCALES,
	HUGE_ONES,
	SUBNORMAL,
	OVERFLOWS,
	ZEROS,
	REPEATED,
	OFFSET,
	CLOSE,
	INFINITE,
	RISING,
	SINGLE,
	KINDS
};
static const char *const kind_name[KINDS] = {"normal",    "digits",    "steps",  "scales",   "huge",
					     "subnormal", "overflows", "zeros",  "repeated", "offset",
					     "close",     "infinite",  "rising", "single"};

static double
element(int kind, int64_t i, int64_t l)
{
	double x = random_normal();
	switch (kind) {
	case DIGITS:
		return (double)random_below(3);
	case STEPS: /* constant over what is left of many */
		return l % 5 == 0 ? x : (double)(i % 3);
	case SCALES:
		return ldexp(x, (int)random_below(200) - 100);
	case HUGE_ONES:
		return x * 1e150;
	case SUBNORMAL:
		return i % 2 ? ldexp(x, -1060) : ldexp((double)random_below(9) - 4, -1074);
	case OVERFLOWS:
		return x * (i % 3 ? 1e200 : 1e307);
	case ZEROS:
		return random_below(3) ? (random_below(2) ? 0.0 : -0.0) : (double)random_below(3);
	case OFFSET:
		return x + 1e9;
	case CLOSE: /* nearer to each other than copies can tell */
		return sin((double)(l * 7 + i % 3) * 1.7) * (1 + 1e-8 * x);
	case INFINITE:
		return i % 9 == 4 && l == i % 3 ? (i % 2 ? INFINITY : -INFINITY) : x;
	case RISING: /* nearly all ranks agree, over whatever columns: neighbours are as near as can be */
		return (double)l + (random_below(40) == 0 ? 2.5 : 0.5) * random_unit();
	case SINGLE:
		return (float)x;
	default:
		return x;
	}
}

/* Rows of which some have no value, some columns none, and the others this share of gaps. */
static data_set
make_data(int kind, double share, int64_t n, int64_t d, int64_t m, int64_t k)
{
	data_set s = {.name = kind_name[kind], .n = n, .d = d, .m = m, .k = k, .single = kind == SINGLE};
	double *x = room((n + m) * d, sizeof *x);
	for (int64_t i = 0; i < n + m; i++)
		for (int64_t l = 0; l < d; l++) {
			double *e = x + i * d + l;
			*e = element(kind, i, l);
			if (kind == REPEATED && i >= 11)
				*e = x[i * 7 % 11 * d + l];
			bool gone = random_unit() < share || (share > 0 && (i % 17 == 5 || (d > 2 && l == d / 2)));
			*e = gone && !isinf(*e) ? NAN : *e;
		}
	take_rows(&s, x);
	return s;
}

typedef struct {
	const char *target;
	int64_t tile, least;
	int threads;
	bool by_column;
	double max_memory;
	const volatile sig_atomic_t *interrupt;
} variant;

/* All of them, one after another. */
static variant
next_variant(int64_t d)
{
	static const int64_t tiles[] = {0, 1, 5, 16, 64};
	static int next = 0;
	int v = next++;
	int64_t least[] = {0, 1, 2, d};
	bool there = knng_kernels_find(targets[v % TARGETS]) != NULL;
	return (variant){.target = there ? targets[v % TARGETS] : NULL,
			 .tile = tiles[v % 5],
			 .least = least[v % 4] <= d ? least[v % 4] : d,
			 .threads = v % 2 ? 3 : 1,
			 .by_column = v / 2 % 2};
}

/* A search, and its answer. */
typedef struct {
	knng_matrix X, Y;
	knng_options opt;
	knng_plan plan;
	knng_info info;
	knng_err err;
	knng_sys_count before;
	answer got;
	double *shared;
	bool single;
} running;

static knng_status
open_run(running *r, const data_set *s, const char *metric, variant v)
{
	knng_type type = s->single ? KNNG_F32 : KNNG_F64;
	*r = (running){.X = lay_out(s->X, s->n, s->d, type, v.by_column), .got = open_answer(s), .single = s->single};
	if (s->m > 0)
		r->Y = lay_out(s->Y, s->m, s->d, type, !v.by_column);
	int64_t places = r->got.m * r->got.k;
	r->shared = room(places, sizeof *r->shared);
	memset(r->shared, 0xa5, (size_t)places * sizeof *r->shared);
	r->opt = (knng_options){.metric = metric,
				.k = s->k,
				.rows = KNNG_ROWS_PAIRWISE,
				.least_shared = v.least,
				.shared = r->shared,
				.tile = v.tile,
				.target = v.target,
				.max_memory = v.max_memory,
				.task = {.threads = v.threads, .interrupt = v.interrupt}};
	r->before = knng_sys();
	return knng_plan_make(&r->plan, &r->X, s->m > 0 ? &r->Y : NULL, &r->opt, &r->err);
}

static knng_status
do_run(running *r)
{
	knng_output out = {.idx = r->got.idx,
			   .idx_type = KNNG_I64,
			   .dist = r->got.dist,
			   .dist_type = KNNG_F64,
			   .row_stride = r->got.k,
			   .col_stride = 1};
	return knng_run(&r->plan, &out, &r->info, &r->err);
}

static bool
nothing_left(const running *r)
{
	return knng_sys().bytes == r->before.bytes && knng_sys().live == r->before.live;
}

static void
close_run(running *r)
{
	free((void *)r->X.data);
	free((void *)r->Y.data);
	close_answer(&r->got);
	free(r->shared);
}

/* What the oracle says. */
typedef struct {
	answer a;
	int64_t *shared;
} truth;

static truth
solve_gaps(const data_set *s, const char *metric, int64_t least)
{
	truth t = {.a = open_answer(s)};
	least = least > 0 ? least : s->d < 3 ? s->d : 3;
	t.shared = room(t.a.m * t.a.k, sizeof *t.shared);
	if (oracle_pairwise(metric, false, least, s->n, s->d, s->X, s->m, s->m > 0 ? s->Y : NULL, s->k, t.a.idx,
			    t.a.dist, t.shared) != 0)
		abort();
	return t;
}

static void
close_truth(truth *t)
{
	close_answer(&t->a);
	free(t->shared);
}

static bool
same_answers(const truth *t, const running *r)
{
	for (int64_t e = 0; e < t->a.m * t->a.k; e++) {
		double want = t->a.dist[e], got = r->got.dist[e];
		if (t->a.idx[e] != r->got.idx[e] || (isnan(want) ? !isnan(got) : bits_of(want) != bits_of(got)) ||
		    (double)t->shared[e] != r->shared[e])
			return false;
	}
	return true;
}

/* What info counts. */
static bool
right_counts(const data_set *s, const truth *t, const running *r)
{
	int64_t infinite = 0, certified = 0, fewer = 0;
	for (int64_t i = 0; i < s->n + s->m; i++) {
		const double *x = i < s->n ? s->X + i * s->d : s->Y + (i - s->n) * s->d;
		int64_t answer = s->m > 0 ? i - s->n : i;
		bool broken = false;
		for (int64_t l = 0; l < s->d; l++)
			broken = broken || isinf(x[l]);
		infinite += broken;
		if (answer < 0 || broken)
			continue;
		certified++;
		fewer += t->a.k > 0 && t->a.idx[answer * t->a.k + t->a.k - 1] < 0;
	}
	int64_t told = 0;
	for (int level = 0; level < KNNG_LEVELS; level++)
		told += r->info.certified[level];
	return r->info.nonfinite == infinite && told == certified && r->info.fewer == fewer && r->info.constant == 0 &&
	       r->info.points == s->n;
}

static const char *const metrics[] = {"euclidean", "sqeuclidean", "cityblock",   "cosine",
				      "pearson",   "abspearson",  "antipearson", "spearman"};
enum { METRICS = 8 };

/* One search, against the oracle. */
static void
try_search(const data_set *s, double share, const char *metric, variant v)
{
	truth t = solve_gaps(s, metric, v.least);
	running r;
	knng_status status = open_run(&r, s, metric, v);
	status = status == KNNG_OK ? do_run(&r) : status;
	CHECK(status == KNNG_OK, "%s", r.err.text);
	CHECK(same_answers(&t, &r), "%s %g, %d x %d, %s, %s, least %d", s->name, share, (int)s->n, (int)s->d, metric,
	      v.target, (int)v.least);
	CHECK(right_counts(s, &t, &r), "%s %g, %s", s->name, share, metric);
	CHECK(r.plan.least <= r.plan.bytes, "%s: %.17g bytes at least, of %.17g", metric, r.plan.least, r.plan.bytes);
	CHECK(r.info.peak <= r.plan.bytes && nothing_left(&r), "%s, %d x %d: peak %.0f of %.0f", metric, (int)s->n,
	      (int)s->d, r.info.peak, r.plan.bytes);
	close_run(&r);
	close_truth(&t);
}

/* More rows, of which the bounds leave out most; and rows of so many columns that products come in parts. */
static void
test_bounds(void)
{
	static const int kinds[] = {NORMAL, DIGITS, SCALES, REPEATED, OFFSET, CLOSE, RISING};
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
		for (int metric = 0; metric < METRICS; metric++)
			for (int share = 0; share < SHARES - 1; share++) {
				if (SKIPS_TOO(5, 11))
					continue;
				data_set many = make_data(kinds[kind], shares[share], 250, 23, share == 1 ? 40 : 0, 4);
				try_search(&many, shares[share], metrics[metric], next_variant(23));
				close_data(&many);
				if (metric == METRICS - 1 || share == 0) /* ranks take the oracle long */
					continue;
				data_set wide = make_data(kinds[kind], shares[share], 40, 1100, 0, 3);
				try_search(&wide, shares[share], metrics[metric], next_variant(1100));
				close_data(&wide);
			}
	data_set s = make_data(NORMAL, 0.1, 600, 30, 0, 5);
	running r;
	CHECK(open_run(&r, &s, "pearson", (variant){.threads = 1}) == KNNG_OK && do_run(&r) == KNNG_OK, "%s",
	      r.err.text);
	CHECK(r.info.certified[KNNG_LEVEL_F32] == 600 && r.info.refined < 600 * 600 / 5, "%lld distances",
	      (long long)r.info.refined);
	close_run(&r);
	close_data(&s);
}

static void
test_data(void)
{
	static const struct {
		int64_t n, d, m, k;
	} shapes[] = {{60, 9, 0, 7}, {1, 5, 0, 3}, {40, 1, 0, 5}, {50, 2, 13, 60}, {45, 70, 11, 4}, {37, 130, 0, 100}};
	for (int kind = 0; kind < KINDS; kind++)
		for (int share = 0; share < SHARES; share++)
			for (size_t c = 0; c < sizeof shapes / sizeof *shapes; c++) {
				if (SKIPS(5))
					continue;
				data_set s = make_data(kind, shares[share], shapes[c].n, shapes[c].d, shapes[c].m,
						       shapes[c].k);
				for (int metric = 0; metric < METRICS; metric++)
					try_search(&s, shares[share], metrics[metric], next_variant(s.d));
				close_data(&s);
			}
}

/* Without missing values the bits are those of the ordinary search. */
static void
test_complete(void)
{
	static const int kinds[] = {NORMAL, DIGITS, STEPS, SUBNORMAL, ZEROS, REPEATED, OFFSET};
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
		for (int metric = 0; metric < METRICS; metric++) {
			data_set s = make_data(kinds[kind], 0, 90, 19, metric % 2 ? 21 : 0, 8);
			variant v = next_variant(s.d);
			running r;
			answer want = solve(&s, knng_metric_find(metrics[metric]));
			CHECK(open_run(&r, &s, metrics[metric], v) == KNNG_OK && do_run(&r) == KNNG_OK, "%s",
			      r.err.text);
			bool fine = true;
			for (int64_t e = 0; e < want.m * want.k; e++)
				fine = fine && want.idx[e] == r.got.idx[e] &&
				       (isnan(want.dist[e]) ? isnan(r.got.dist[e])
							    : bits_of(want.dist[e]) == bits_of(r.got.dist[e]));
			CHECK(fine, "%s, %s", s.name, metrics[metric]);
			close_run(&r);
			close_answer(&want);
			close_data(&s);
		}
}

/* The kernels alone, at which a search may have no neighbour to show it. */
static void
test_kernels(void)
{
	for (int target = 0; target < TARGETS; target++) {
		const knng_kernels *kernels = knng_kernels_find(targets[target]), *plain = knng_kernels_find("plain");
		for (int round = 0; kernels != NULL && round < 400; round++) {
			if (SKIPS(5))
				continue;
			int64_t d = 1 + random_below(40), ld = up(d, 8), shared = 0, count = 0;
			double *x = room(2 * ld, 8), *ranks = room(2 * ld, 8), *scratch = room(2 * ld, 8);
			int32_t order[40], seen[40];
			bool tied = false;
			for (int64_t e = 0; e < 2 * ld; e++)
				x[e] = e % ld >= d || random_below(4) == 0 ? NAN : element(round % INFINITE, e / ld, e);
			for (int64_t l = 0; l < d; l++)
				shared += !isnan(x[l]) && !isnan(x[ld + l]);
			for (int64_t l = 0; l < d; l++)
				if (!isnan(x[l]))
					order[count++] = (int32_t)l;
			for (int64_t a = 1; a < count; a++)
				for (int64_t b = a; b > 0 && x[order[b - 1]] > x[order[b]]; b--) {
					int32_t swap = order[b];
					order[b] = order[b - 1];
					order[b - 1] = swap;
				}
			for (int64_t c = 1; c < count; c++)
				tied = tied || x[order[c]] == x[order[c - 1]];
			kernels->shared_ranks(x, x + ld, ld, order, count, tied, ranks, seen);
			for (int64_t l = 0; l < ld; l++) /* of the other row plainly */
				for (int64_t o = 0; o < d; o++) {
					double *to = ranks + ld + l, a = x[ld + o], b = x[ld + l];
					*to = o > 0 ? *to : isnan(x[l]) || isnan(b) ? NAN : 0.5;
					*to += isnan(x[o]) || isnan(a) ? 0 : (a < b) + 0.5 * (a == b);
				}
			for (int64_t l = 0; l < ld; l++) {
				double want = 0.5;
				for (int64_t o = 0; o < d; o++)
					if (!isnan(x[o]) && !isnan(x[ld + o]))
						want += (x[o] < x[l]) + 0.5 * (x[o] == x[l]);
				bool both = l < d && !isnan(x[l]) && !isnan(x[ld + l]);
				CHECK(both ? ranks[l] == want : isnan(ranks[l]), "rank %g in place of %g", ranks[l],
				      want);
			}
			for (int metric = 3; metric < METRICS && shared > 0; metric++) {
				const knng_metric *m = knng_metric_find(metrics[metric]);
				bool ranked = metric == METRICS - 1;
				const double *row = ranked ? ranks : x;
				double one = kernels->shared_pair(m, row, row + ld, ld, shared, scratch),
				       other = plain->shared_pair(ranked ? knng_metric_find("pearson") : m, row,
								  row + ld, ld, shared, scratch),
				       turned = kernels->shared_pair(m, row + ld, row, ld, shared, scratch);
				CHECK(isnan(one) ? isnan(other) && isnan(turned)
						 : bits_of(one) == bits_of(other) && bits_of(one) == bits_of(turned),
				      "%s: %g, %g, %g", metrics[metric], one, other, turned);
			}
			free(x);
			free(ranks);
			free(scratch);
		}
	}
}

/* Fewer threads where the memory is short; an error where even one has too little. */
static void
test_memory(void)
{
	data_set s = make_data(NORMAL, 0.1, 200, 40, 0, 6);
	for (int metric = 0; metric < METRICS; metric++) {
		running r;
		variant v = {.threads = 4};
		truth t = solve_gaps(&s, metrics[metric], 0);
		CHECK(open_run(&r, &s, metrics[metric], v) == KNNG_OK && r.plan.threads == 4, "%s", r.err.text);
		double bytes = r.plan.bytes, fewest = r.plan.least;
		close_run(&r);
		for (v.max_memory = fewest; v.max_memory <= bytes; v.max_memory += (bytes - fewest) / 3) {
			CHECK(open_run(&r, &s, metrics[metric], v) == KNNG_OK && do_run(&r) == KNNG_OK, "%s",
			      r.err.text);
			CHECK(same_answers(&t, &r) && r.info.peak <= v.max_memory, "%s: %.0f of %.0f", metrics[metric],
			      r.info.peak, v.max_memory);
			close_run(&r);
		}
		v.max_memory = fewest - 1;
		CHECK(open_run(&r, &s, metrics[metric], v) == KNNG_EARGS &&
			      strcmp(r.err.id, "knng:args:maxMemory") == 0,
		      "%s", r.err.text);
		close_run(&r);
		close_truth(&t);
	}
	close_data(&s);
}

static void
test_failures(void)
{
	data_set s = make_data(NORMAL, 0.1, 50, 12, 20, 6);
	for (int metric = 0; metric < METRICS; metric += 7) { /* without ranks, and with them */
		int64_t calls = 0;
		truth t = solve_gaps(&s, metrics[metric], 0);
		for (int64_t nth = 0; nth <= calls; nth++) {
			running r;
			CHECK(open_run(&r, &s, metrics[metric], (variant){.threads = 2}) == KNNG_OK, "%s", r.err.text);
			int64_t before = knng_sys().calls;
			knng_sys_fail_at(nth);
			knng_status status = do_run(&r);
			knng_sys_fail_at(0);
			calls = nth == 0 ? knng_sys().calls - before : calls;
			CHECK(nth == 0 ? status == KNNG_OK && same_answers(&t, &r)
				       : status == KNNG_EMEMORY && strcmp(r.err.id, "knng:memory:host") == 0,
			      "call %d: status %d", (int)nth, status);
			CHECK(nothing_left(&r), "call %d", (int)nth);
			close_run(&r);
		}
		CHECK(calls > 10, "%d calls", (int)calls);
		close_truth(&t);
	}
	close_data(&s);
}

static void
test_interrupts(void)
{
	data_set s = make_data(NORMAL, 0.1, 60, 12, 0, 6);
	for (int metric = 0; metric < METRICS; metric += 7) {
		truth t = solve_gaps(&s, metrics[metric], 0);
		int64_t all = 0, beside = 0, interrupted = 0;
		for (int64_t nth = 0; nth <= all; nth += nth < 8 ? 1 : all / 16 + 1) {
			running r;
			stop = 0;
			looks = 0;
			stop_at = nth;
			variant v = {.threads = 2, .tile = 16, .interrupt = &stop};
			CHECK(open_run(&r, &s, metrics[metric], v) == KNNG_OK, "%s", r.err.text);
			knng_status status = do_run(&r);
			all = nth == 0 ? looks : all;
			beside = nth == 0 ? looks - r.info.refined : beside;
			/* Which pairs are refined depends on which thread was first: there may be fewer looks this
			 * time. */
			bool stopped = nth > 0 && looks >= nth;
			interrupted += stopped;
			CHECK(stopped ? status == KNNG_EINTERRUPTED : status == KNNG_OK && same_answers(&t, &r),
			      "look %d of %d: status %d", (int)nth, (int)looks, status);
			CHECK(nothing_left(&r), "look %d", (int)nth);
			close_run(&r);
		}
		CHECK(interrupted > 16, "%d interrupted", (int)interrupted);
		CHECK(all > 10, "%d looks", (int)all);
		CHECK(beside > 150, "%d looks beside those of pairs: one for each row of a tile", (int)beside);
		close_truth(&t);
	}
	stop_at = 0;
	stop = 0;
	close_data(&s);
}

/* Rows in blocks that meet pair by pair, with lists in memory or in a file. */
static void
test_blocks(void)
{
	static const int kinds[] = {NORMAL, DIGITS, STEPS, ZEROS, REPEATED, CLOSE, RISING, INFINITE, SINGLE};
	static const int64_t sizes[] = {7, 16, 20, 33, 61};
	char folder[] = "/tmp/knng-test-gaps-XXXXXX", beside[60];
	int64_t live = knng_sys().live;
	int v = 0;
	CHECK(mkdtemp(folder) != NULL, "%s", folder);
	snprintf(beside, sizeof beside, "%s/graph", folder);
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
		for (int metric = 0; metric < METRICS; metric++)
			for (int share = 0; share < SHARES; share++, v++) {
				if (SKIPS(5))
					continue;
				data_set s = make_data(kinds[kind], shares[share], 61, 9, 0, 5);
				variant how = next_variant(s.d);
				truth t = solve_gaps(&s, metrics[metric], how.least);
				knng_type type = s.single ? KNNG_F32 : KNNG_F64;
				knng_matrix X = lay_out(s.X, s.n, s.d, type, how.by_column);
				const knng_rows rows = {
					.n = s.n, .d = s.d, .type = type, .read = knng_read_matrix, .context = &X};
				const knng_options opt = {.metric = metrics[metric],
							  .k = s.k,
							  .rows = KNNG_ROWS_PAIRWISE,
							  .least_shared = how.least,
							  .tile = how.tile,
							  .target = how.target,
							  .task.threads = how.threads};
				running r = {0};
				knng_neighbours lists = {0};
				bool fine = knng_neighbours_make(&lists, s.n, t.a.k, 2, &r.err) == KNNG_OK &&
					    run_blocks(&rows, sizes[v % 5], &opt, &lists, v % 3 == 0 ? beside : NULL,
						       &r.info, &r.err) == KNNG_OK;
				for (int64_t e = 0; e < s.n * t.a.k && fine; e++)
					fine = lists.index[e] == t.a.idx[e] &&
					       (t.a.idx[e] < 0 || bits_of(lists.distance[e]) == bits_of(t.a.dist[e]));
				CHECK(fine, "blocks of %d: %s %g, %s, least %d: %s", (int)sizes[v % 5], s.name,
				      shares[share], metrics[metric], (int)how.least, r.err.text);
				CHECK(right_counts(&s, &t, &r), "blocks of %d: %s %g, %s", (int)sizes[v % 5], s.name,
				      shares[share], metrics[metric]);
				knng_neighbours_free(&lists);
				free((void *)X.data);
				close_truth(&t);
				close_data(&s);
			}
	CHECK(knng_sys().live == live, "nothing is left");
	remove_folder(folder);
}

/* With little memory rows come in blocks, which stay within it; the answer is that of the whole search. */
static void
test_little_memory(void)
{
	data_set s = make_data(NORMAL, 0.1, 1100, 40, 0, 4);
	for (int metric = 0; metric < METRICS; metric += 7) {
		running r;
		CHECK(open_run(&r, &s, metrics[metric], (variant){.threads = 1}) == KNNG_OK && do_run(&r) == KNNG_OK,
		      "%s", r.err.text);
		const knng_rows rows = {
			.n = s.n, .d = s.d, .type = KNNG_F64, .read = knng_read_matrix, .context = &r.X};
		knng_options opt = r.opt;
		knng_blocks_plan plan;
		knng_info info;
		answer got = open_answer(&s);
		const knng_output out = {got.idx, KNNG_I64, 0, got.dist, KNNG_F64, got.k, 1};
		opt.shared = NULL;
		CHECK(knng_blocks_plan_make(&plan, &rows, &opt, &r.err) == KNNG_OK && plan.size == s.n, "%s",
		      r.err.text);
		opt.max_memory = knng_blocks_least(&plan, &rows, &opt) * 1.2;
		CHECK(knng_blocks_plan_make(&plan, &rows, &opt, &r.err) == KNNG_OK && plan.size < s.n / 2 &&
			      plan.bytes <= opt.max_memory,
		      "%.0f of %.0f bytes: %s", plan.bytes, opt.max_memory, r.err.text);
		CHECK(knng_blocks_graph(&plan, &rows, &opt, &out, &info, &r.err) == KNNG_OK &&
			      info.peak <= plan.bytes && info.blocks > 2,
		      "%.0f of %.0f bytes: %s", info.peak, plan.bytes, r.err.text);
		bool fine = info.fewer == r.info.fewer;
		for (int64_t e = 0; e < got.m * got.k; e++)
			fine = fine && got.idx[e] == r.got.idx[e] &&
			       (got.idx[e] < 0 || bits_of(got.dist[e]) == bits_of(r.got.dist[e]));
		CHECK(fine, "%s", metrics[metric]);
		close_answer(&got);
		close_run(&r);
	}
	close_data(&s);
}

/* All rows within a radius: of those that the oracle lists, the ones that are no farther. */
static void
test_range(void)
{
	static const int kinds[] = {NORMAL, DIGITS, STEPS, REPEATED, CLOSE, RISING, INFINITE, SINGLE};
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
		for (int metric = 0; metric < METRICS; metric++)
			for (int share = 0; share < SHARES; share++) {
				if (SKIPS(5))
					continue;
				data_set s = make_data(kinds[kind], shares[share], 61, 9, share % 2 ? 13 : 0, 80);
				variant v = next_variant(s.d);
				truth t = solve_gaps(&s, metrics[metric], v.least);
				double radius = t.a.dist[random_below(t.a.m) * t.a.k + random_below(12)];
				running r;
				knng_range found = {.radius = isnan(radius) ? INFINITY : radius};
				if (open_run(&r, &s, metrics[metric], v) != KNNG_OK)
					abort();
				r.opt.range = &found;
				r.opt.shared = NULL;
				CHECK(knng_plan_make(&r.plan, &r.X, s.m > 0 ? &r.Y : NULL, &r.opt, &r.err) == KNNG_OK &&
					      knng_run(&r.plan, NULL, &r.info, &r.err) == KNNG_OK,
				      "%s", r.err.text);
				CHECK(r.info.peak <= r.info.planned, "peak %.0f of %.0f", r.info.peak, r.info.planned);
				bool fine = found.rows == t.a.m;
				knng_pair *rows = room(2 * found.longest, sizeof *rows);
				for (int64_t i = 0; i < t.a.m && fine; i++) {
					int64_t count = 0, e = i * t.a.k;
					while (count < t.a.k && t.a.idx[e + count] >= 0 &&
					       t.a.dist[e + count] <= found.radius)
						count++;
					fine = knng_range_count(&found, i) == count;
					if (fine)
						knng_range_row(&found, i, rows, rows + found.longest);
					for (int64_t c = 0; c < count && fine; c++)
						fine = rows[c].index == t.a.idx[e + c] &&
						       bits_of(rows[c].distance) == bits_of(t.a.dist[e + c]);
				}
				CHECK(fine, "within %.17g: %s %g, %s, least %d", found.radius, s.name, shares[share],
				      metrics[metric], (int)v.least);
				free(rows);
				knng_range_close(&found);
				CHECK(nothing_left(&r), "%s", metrics[metric]);
				close_run(&r);
				close_truth(&t);
				close_data(&s);
			}
}

/* The columns without gaps of X and Y, in every layout and class; calls that fail, and interrupts. */
static void
test_columns(void)
{
	enum { N = 9, M = 4, D = 7 };
	double x[(N + M) * D];
	for (int64_t e = 0; e < (N + M) * D; e++)
		x[e] = (double)e;
	x[2 * D + 3] = x[(N + 1) * D + 5] = NAN; /* column 3 of X, 5 of Y */
	for (int layout = 0; layout < 8; layout++) {
		knng_type type = layout & 1 ? KNNG_F32 : KNNG_F64;
		bool queries = layout & 4;
		knng_matrix X = lay_out(x, N, D, type, layout & 2), Y = lay_out(x + N * D, M, D, type, !(layout & 2));
		int64_t calls = 1, gone = queries ? 2 : 1;
		for (int64_t nth = 0; nth <= calls; nth++) {
			knng_complete c = {0};
			knng_task task = {.threads = 1};
			knng_err err;
			knng_sys_count before = knng_sys();
			knng_sys_fail_at(nth);
			knng_status status = knng_complete_find(&c, &task, &X, queries ? &Y : NULL, &err);
			if (status == KNNG_OK)
				status = knng_complete_copy(&c, &task, &err);
			knng_sys_fail_at(0);
			calls = nth == 0 ? knng_sys().calls - before.calls : calls;
			CHECK(nth == 0 ? status == KNNG_OK : status == KNNG_OK || status == KNNG_EMEMORY,
			      "call %d: status %d", (int)nth, status);
			bool fine = status != KNNG_OK || (c.count == gone && c.left_out[0] == 3 && c.x.d == D - gone &&
							  (!queries || c.left_out[1] == 5));
			for (int64_t i = 0; i < (queries ? N + M : N) && fine && status == KNNG_OK; i++)
				for (int64_t j = 0, at = 0; j < D; j++) {
					const knng_matrix *Z = i < N ? &c.x : &c.y;
					int64_t row = i < N ? i : i - N, e = row * Z->row_stride + at * Z->col_stride;
					if (j == 3 || (queries && j == 5))
						continue;
					double got = type == KNNG_F32 ? (double)((const float *)Z->data)[e]
								      : ((const double *)Z->data)[e];
					fine = fine && got == x[i * D + j];
					at++;
				}
			CHECK(fine, "layout %d, call %d", layout, (int)nth);
			knng_complete_free(&c);
			CHECK(knng_sys().bytes == before.bytes && knng_sys().live == before.live, "call %d", (int)nth);
		}
		stop = 1;
		knng_complete c = {0};
		knng_task task = {.threads = 1, .interrupt = &stop};
		CHECK(knng_complete_find(&c, &task, &X, NULL, NULL) == KNNG_EINTERRUPTED, "layout %d", layout);
		stop = 0;
		knng_complete_free(&c);
		free((void *)X.data);
		free((void *)Y.data);
	}
}

static void
test_refusals(void)
{
	data_set s = make_data(NORMAL, 0.1, 30, 6, 0, 3);
	running r;
	CHECK(open_run(&r, &s, "chebychev", (variant){.threads = 1}) == KNNG_EARGS &&
		      strcmp(r.err.id, "knng:args:metric") == 0 && strstr(r.err.text, "cityblock") != NULL,
	      "%s", r.err.text);
	close_run(&r);
	CHECK(open_run(&r, &s, "pearson", (variant){.threads = 1, .least = 7}) == KNNG_EARGS &&
		      strcmp(r.err.id, "knng:args:option") == 0,
	      "%s", r.err.text);
	r.opt.least_shared = 6;
	CHECK(knng_plan_make(&r.plan, &r.X, NULL, &r.opt, &r.err) == KNNG_OK && r.plan.least_shared == 6, "%s",
	      r.err.text);
	struct knng_prepared searcher = {.whole = true};
	r.opt.prepared = &searcher;
	CHECK(knng_plan_make(&r.plan, &r.X, NULL, &r.opt, &r.err) == KNNG_EARGS, "%s", r.err.text);
	close_run(&r);
	close_data(&s);
}

int
main(int argc, char **argv)
{
	openblas_set_num_threads(1);
	PART(kernels);
	PART(data);
	PART(bounds);
	PART(complete);
	PART(blocks);
	PART(little_memory);
	PART(range);
	PART(memory);
	PART(failures);
	PART(interrupts);
	PART(columns);
	PART(refusals);
	return summary();
}
