/* test_components.c  Searches that look at some principal components of long rows first: the bits of the oracle,
 * whatever the data, the tiles, the instructions, the threads, the blocks and the number of neighbours. What the axes
 * are good for; memory; failures; interrupts; when a search takes components of itself. */
#include "base/target.h"
#include "interrupts.h"
#include "meetings.h"
#include "search/cpu/blas.h"
#include "search/cpu/components.h"

#include <cblas.h>

/* Rows that are combinations of a few, and a little more. */
enum {
	SMOOTH,
	FLAT,
	TIGHT,
	WHOLE,
	LATTICE,
	REPEATED,
	SCALES,
	SUBNORMAL,
	TINY,
	HUGE_FEW,
	FAR,
	OVERFLOWS,
	BROKEN,
	EQUAL,
	NORMAL,
	KINDS
};
static const char *const kind_name[KINDS] = {"smooth",   "flat",      "tight",     "whole", "lattice",
					     "repeated", "scales",    "subnormal", "tiny",  "a huge few",
					     "far",      "overflows", "broken",    "equal", "normal"};
enum { LATENT = 9 };

/* Element l of a row of a kind, out of the row's part in the combination, x, and of noise, e. */
static double
element(int kind, int64_t i, int64_t l, int64_t d, double x, double e)
{
	switch (kind) {
	case FLAT: /* nothing but the combination */
		return x;
	case TIGHT: /* clusters, far smaller than what lies between them, in which components tell nothing apart */
		return x + 1e-5 * e;
	case WHOLE:
		return floor(3 * x + 0.2 * e);
	case LATTICE: /* the same few distances again and again */
		return l < 70 ? (double)random_below(l < 5 ? 3 : 1 + (random_below(40) == 0)) : 1;
	case SCALES:
		return (x + 0.1 * e) * pow(10, (double)(i * 37 % 601) - 300);
	case SUBNORMAL:
		return ldexp(x + 0.1 * e, i % 2 ? -1060 : -1070);
	case TINY: /* sums of squares of these are subnormal, and tell rows apart all the same */
		return ldexp(x + 0.1 * e, -518);
	case HUGE_FEW: /* beside these all others are short, but not too short for a copy */
		return i < 2 ? ldexp(i % 2 ? -1 : 1, 540) : ldexp(x + 0.1 * e, 490);
	case FAR:
		return (x + 0.1 * e) + (i % 2 ? 1e6 : 0) + (i % 5 == 3 ? 1e140 : 0);
	case OVERFLOWS: /* the sums of some pairs do, and those of others are far smaller than any scale */
		return (x + 0.1 * e) * (i % 3 == 0 ? 1e200 : i % 3 == 1 ? 1e140 : 1e-150);
	case BROKEN:
		return i % 11 == 3 ? 0 : i % 11 == 5 ? 2.5 : i % 13 == 4 && l == i % d ? NAN : x + 0.1 * e;
	case EQUAL:
		return (double)(l % 7);
	case NORMAL: /* what components do not tell apart */
		return e;
	default:
		return x + 0.1 * e;
	}
}

static data_set
make_data(int kind, int64_t n, int64_t d, int64_t m, int64_t k)
{
	bool single = (kind < SCALES || kind > OVERFLOWS) && random_below(3) == 0; /* what floats hold */
	data_set s = {.name = kind_name[kind], .n = n, .d = d, .m = m, .k = k, .single = single};
	double *x = room((n + m) * d, sizeof *x), *axes = room(LATENT * d, sizeof *axes);
	for (int64_t e = 0; e < LATENT * d; e++)
		axes[e] = random_normal();
	for (int64_t i = 0; i < n + m; i++) {
		double part[LATENT];
		for (int a = 0; a < LATENT; a++)
			part[a] = kind == TIGHT ? sin((double)(i % 40 * 131 + a * 977)) : random_normal() / (a + 1);
		for (int64_t l = 0; l < d; l++) {
			double sum = 0;
			for (int a = 0; a < LATENT; a++)
				sum += part[a] * axes[a * d + l];
			x[i * d + l] = element(kind, i, l, d, sum, random_normal());
		}
		if (kind == REPEATED && i >= 40)
			memcpy(x + i * d, x + i * 7 % 40 * d, (size_t)d * sizeof *x);
	}
	for (int64_t e = 0; s.single && e < (n + m) * d; e++)
		x[e] = (float)x[e];
	free(axes);
	take_rows(&s, x);
	return s;
}

/* ---------------------------------------------------------------- the bound, pair by pair */

static int64_t looked_at, left_out; /* pairs, and those that were wrongly left out */

/* The real sum of a row and a query, over 2^sigma, rounded upwards more or less. */
static double
sum_of(const knng_search *w, const knng_cpu *c, int64_t i, int64_t j)
{
	const double *a = c->query->u + i * w->plan->ld, *b = c->x.u + j * w->plan->ld;
	long double sum = 0;
	for (int64_t l = 0; l < w->plan->x.d; l++)
		sum += ((long double)a[l] - b[l]) * ((long double)a[l] - b[l]);
	return (double)(ldexpl(sum, -2 * c->exponent) * (1 + 0x1p-52L) / 2);
}

static void
gather(const knng_cpu *c, float *copies, int64_t i, int64_t columns, float *to)
{
	const float *from = knng_copy_of(c, copies, i, columns);
	for (int64_t l = 0; l < columns; l++)
		to[l] = from[l * (c->blas ? 1 : MICRO_PANEL)];
}

/* A pair just at the radius of a row has to be left over by short rows: of some rows with all others. */
knng_status __real_knng_components_copy(knng_search *w, knng_components *p, knng_err *err);
knng_status __wrap_knng_components_copy(knng_search *w, knng_components *p, knng_err *err);

knng_status
__wrap_knng_components_copy(knng_search *w, knng_components *p, knng_err *err)
{
	enum { EACH = 11, MOST = 2000 };
	const knng_cpu *c = w->state;
	int64_t columns = p->count + 1;
	float query[64], other[64];
	knng_status status = __real_knng_components_copy(w, p, err);
	for (int64_t i = 0; status == KNNG_OK && i < c->query->count && c->x.count < MOST; i += EACH)
		for (int64_t j = 0; j < c->x.count; j++) {
			double sum = sum_of(w, c, i, j);
			float v,
				least = knng_round_down(knng_threshold(c->query->half[i], sum, 0, p->query->eps[i], 0));
			gather(c, p->query->copy, i, columns, query);
			gather(c, p->x.copy, j, columns, other);
			knng_blas_tile(query, other, columns, 0, columns, 1, 1, &v, 1, false);
			looked_at++;
			left_out += !(v - p->x.base[j] >= least);
		}
	return status;
}

/* ---------------------------------------------------------------- one run */

typedef struct {
	int64_t tile;
	int threads, components;
	const char *target;
	bool single, by_column;
	double memory;
	const volatile sig_atomic_t *interrupt;
} variant;

static variant
next_variant(const data_set *s)
{
	static const int64_t tiles[] = {16, 32, 64, 0};
	static const char *const targets[] = {NULL, "blas", "plain", "avx2"};
	static int next = 0;
	int v = next++;
	return (variant){.tile = tiles[v % 4],
			 .threads = v / 4 % 2 ? 3 : 1,
			 .components = KNNG_PRUNE_ON,
			 .target = knng_target_find(targets[v / 8 % 4]) < 0 ? NULL : targets[v / 8 % 4],
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
				.prune = v.components == KNNG_PRUNE_AUTO ? KNNG_PRUNE_AUTO : KNNG_PRUNE_OFF,
				.components = v.components,
				.tile = v.tile,
				.target = v.target,
				.max_memory = v.memory,
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
	return knng_run(&r->plan, &out, &r->info, &r->err);
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

static bool
run(const data_set *s, const knng_metric *metric, const answer *t, variant v)
{
	running r;
	bool fine = true, may;
	DEMAND(open_run(&r, s, metric, v) == KNNG_OK);
	may = metric->sum == KNNG_SUM_MINUS && v.components == KNNG_PRUNE_ON && r.plan.k > 0;
	DEMAND(r.plan.shortens == may);
	DEMAND(do_run(&r) == KNNG_OK);
	DEMAND(r.info.peak > 0 && r.info.peak <= r.info.planned);
	DEMAND(r.info.components == (may && r.info.points > 1 ? 63 : 0));
	DEMAND(v.target == NULL || metric->sum > KNNG_SUM_EITHER ||
	       strcmp(r.info.product, strcmp(v.target, "blas") == 0 ? "openblas" : "own") == 0);
	DEMAND(!fine || same_answers(t, &r.found, false));
	DEMAND(left_out == 0);
	if (!fine)
		printf("  of %s, %s, n = %lld, d = %lld, m = %lld, k = %lld, tile %lld, %s, %d threads: '%s'; peak "
		       "%.0f of "
		       "%.0f\n",
		       s->name, metric->name, (long long)s->n, (long long)s->d, (long long)s->m, (long long)s->k,
		       (long long)v.tile, v.target, v.threads, r.err.text, r.info.peak, r.info.planned);
	DEMAND(nothing_left(&r));
	close_run(&r);
	return fine;
}

/* ---------------------------------------------------------------- answers */

static void
compare(const data_set *s, const knng_metric *metric, int runs)
{
	answer t = solve(s, metric);
	bool fine = true;
	for (int r = 0; r < runs && fine; r++)
		fine = run(s, metric, &t, next_variant(s));
	CHECK(fine, "%s, %s, %s, n = %lld, d = %lld, k = %lld", s->name, s->m ? "search" : "graph", metric->name,
	      (long long)s->n, (long long)s->d, (long long)s->k);
	close_answer(&t);
}

static void
test_data(void)
{
	static const int64_t columns[] = {128, 129, 150, 192, 300}, neighbours[] = {1, 3, 8, 20};
	int turn = 0;
	for (int kind = 0; kind < KINDS; kind++)
		for (int mode = 0; mode < 2; mode++)
			for (const knng_metric *metric = knng_metrics; metric->name != NULL; metric++, turn++) {
				if (SKIPS_TOO(17, 61) || (metric->sum != KNNG_SUM_MINUS && turn % 4 > 0))
					continue;
				data_set s = make_data(kind, 300 + random_below(60), columns[turn % 5], mode ? 90 : 0,
						       neighbours[turn % 4]);
				compare(&s, metric, 4);
				close_data(&s);
			}
}

/* Rows of which a product is made in parts; more neighbours than a tile has rows, or than there are. */
static void
test_long(void)
{
	static const int64_t columns[] = {512, 513, 1100}, neighbours[] = {2, 70, 1 << 20};
	for (int c = 0; c < 3; c++)
		for (int kind = 0; kind < KINDS; kind += 5) {
			if (SKIPS(4))
				continue;
			data_set s = make_data(kind, 200, columns[c], kind % 2 ? 40 : 0, neighbours[c]);
			compare(&s, knng_metric_find(kind % 2 ? "cosine" : "euclidean"), 2);
			close_data(&s);
		}
}

/* So many rows that most tiles are served by components, against the same search without these. */
static void
test_many(void)
{
	static const int kinds[] = {HUGE_FEW, TINY, SMOOTH};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		for (int way = 0; way < 2; way++) {
			if (SKIPS(5))
				continue;
			data_set s = make_data(kinds[i], ENOUGH(1500, 500), 128, 0, 8);
			variant v = {.tile = 64, .threads = 1 + way % 2, .target = way == 0 ? "plain" : NULL};
			running r;
			answer a;
			v.components = KNNG_PRUNE_OFF;
			CHECK(open_run(&r, &s, knng_metrics, v) == KNNG_OK && do_run(&r) == KNNG_OK, "%s", r.err.text);
			a = r.found;
			r.found = (answer){0};
			close_run(&r);
			v.components = KNNG_PRUNE_ON;
			CHECK(run(&s, knng_metrics, &a, v), "%s, way %d", s.name, way);
			close_answer(&a);
			close_data(&s);
		}
}

/* Blocks that meet, each of which has its short rows made anew for every meeting. */
static void
test_meetings(void)
{
	static const int64_t columns[] = {128, 150, 300}, neighbours[] = {1, 3, 8, 20};
	int turn = 0;
	for (int kind = 0; kind < KINDS; kind++)
		for (const knng_metric *metric = knng_metrics; metric->name != NULL; metric++, turn++) {
			if (SKIPS_TOO(7, 61) || (metric->sum != KNNG_SUM_MINUS && turn % 4 > 0))
				continue;
			int64_t n = 200 + random_below(60), k = neighbours[turn % 4], size = n / (2 + turn % 3);
			data_set s = make_data(kind, n, columns[turn % 3], 0, k);
			answer t = solve(&s, metric);
			for (int r = 0; r < 2; r++) {
				if (SKIPS_TOO(2, 2)) /* before the next one is taken: each is met */
					continue;
				variant v = next_variant(&s);
				knng_options opt = {.metric = metric->name,
						    .k = k,
						    .prune = turn % 2 ? KNNG_PRUNE_OFF : KNNG_PRUNE_AUTO,
						    .components = KNNG_PRUNE_ON,
						    .tile = v.tile,
						    .target = v.target,
						    .task.threads = v.threads};
				knng_sys_count before = knng_sys();
				knng_neighbours lists;
				knng_info info;
				knng_err err = {0};
				if (knng_neighbours_make(&lists, n, k, 1, &err) != KNNG_OK)
					abort();
				knng_status status = search_blocks(&s, v.single, size, &opt, &lists, &info, &err);
				CHECK(status == KNNG_OK && lists_are(&lists, &t), "%s, %s, blocks of %lld: %s", s.name,
				      metric->name, (long long)size, err.text);
				CHECK(info.components == (metric->sum == KNNG_SUM_MINUS ? 63 : 0) ||
					      kind == OVERFLOWS || kind == EQUAL,
				      "%s, %s: %lld components", s.name, metric->name, (long long)info.components);
				CHECK(info.peak <= info.planned, "%s: peak %.0f of %.0f", s.name, info.peak,
				      info.planned);
				knng_neighbours_free(&lists);
				CHECK(knng_sys().live == before.live && left_out == 0, "%s, %s", s.name, metric->name);
			}
			close_answer(&t);
			close_data(&s);
		}
}

/* ---------------------------------------------------------------- memory, failures, interrupts */

static void
test_memory(void)
{
	data_set s = make_data(SMOOTH, 1500, 140, 0, 5);
	const knng_metric *metric = knng_metric_find("pearson");
	variant v = {.threads = 2, .components = KNNG_PRUNE_ON, .tile = 64};
	running r;
	answer t = solve(&s, metric);
	CHECK(open_run(&r, &s, metric, v) == KNNG_OK && r.plan.shortens, "%s", r.err.text);
	double with = r.plan.bytes;
	close_run(&r);
	v.components = KNNG_PRUNE_OFF;
	CHECK(open_run(&r, &s, metric, v) == KNNG_OK && !r.plan.shortens && r.plan.bytes < with, "%s", r.err.text);
	double without = r.plan.bytes;
	close_run(&r);
	v.components = KNNG_PRUNE_ON;
	for (int e = 0; e < 6; e++) {
		v.memory = without + (with - without) * e / 5;
		CHECK(open_run(&r, &s, metric, v) == KNNG_OK && r.plan.shortens == (e == 5) && r.plan.bytes <= v.memory,
		      "part %d: %s", e, r.err.text);
		CHECK(do_run(&r) == KNNG_OK && r.info.peak <= r.plan.bytes && same_answers(&t, &r.found, false),
		      "part %d: %s, peak %.0f", e, r.err.text, r.info.peak);
		close_run(&r);
	}
	close_answer(&t);
	close_data(&s);
}

static void
test_failures(void)
{
	for (int mode = 0; mode < 2; mode++) {
		data_set s = make_data(SMOOTH, 150, 130, mode ? 40 : 0, 4);
		const knng_metric *metric = knng_metrics;
		answer t = solve(&s, metric);
		variant v = {.threads = 1 + mode, .components = KNNG_PRUNE_ON, .tile = 32};
		int64_t failures = 0;
		bool fine = true, met = true;
		for (int64_t nth = 1; met && fine; nth++) {
			if (SKIPS(2))
				continue;
			running r;
			DEMAND(open_run(&r, &s, metric, v) == KNNG_OK);
			int64_t calls = knng_sys().calls;
			knng_sys_fail_at(nth);
			knng_status status = do_run(&r);
			knng_sys_fail_at(0);
			met = knng_sys().calls - calls >= nth;
			failures += status != KNNG_OK;
			DEMAND(status == KNNG_OK ? same_answers(&t, &r.found, false)
						 : met && status == KNNG_EMEMORY && strlen(r.err.text) > 20 &&
							   strcmp(r.err.id, "knng:memory:host") == 0);
			DEMAND(nothing_left(&r));
			if (!fine)
				printf("  at call %lld: %d, %s, %s\n", (long long)nth, status, r.err.id, r.err.text);
			close_run(&r);
		}
		CHECK(fine && failures > ENOUGH(20, 10), "mode %d: %lld failures", mode, (long long)failures);
		close_answer(&t);
		close_data(&s);
	}
}

static void
test_interrupts(void)
{
	for (int mode = 0; mode < 2; mode++) {
		data_set s = make_data(SMOOTH, ENOUGH(900, 500), 130, mode ? ENOUGH(300, 150) : 0, 4);
		variant v = {.threads = 1 + mode, .interrupt = &stop, .components = KNNG_PRUNE_ON, .tile = 32};
		int stopped = 0;
		bool fine = true;
		knng_status status = KNNG_EINTERRUPTED;
		for (stop_at = 1; fine && status != KNNG_OK; stop_at += 1 + stop_at / 3) {
			running r;
			stop = 0;
			looks = 0;
			DEMAND(open_run(&r, &s, knng_metrics, v) == KNNG_OK);
			status = do_run(&r);
			stopped += status == KNNG_EINTERRUPTED;
			DEMAND(status == KNNG_OK || (status == KNNG_EINTERRUPTED && nothing_left(&r) &&
						     strcmp(r.err.id, "knng:interrupted") == 0));
			close_run(&r);
		}
		CHECK(fine && stopped >= 8, "mode %d: stopped %d times, then %d", mode, stopped, status);
		close_data(&s);
	}
	stop_at = 0;
	stop = 0;
}

/* ---------------------------------------------------------------- whether they gain */

/* Where rows are many and long enough, and some components tell them apart. */
static void
test_auto(void)
{
	enum { N = 8200, D = 750 };
	static const struct {
		const char *metric, *target;
		int components, prune;
		int64_t n, d;
		bool may;
	} cases[] = {{"euclidean", NULL, KNNG_PRUNE_AUTO, KNNG_PRUNE_AUTO, N, D, true},
		     {"spearman", NULL, KNNG_PRUNE_AUTO, KNNG_PRUNE_ON, N, D, true},
		     {"euclidean", NULL, KNNG_PRUNE_OFF, KNNG_PRUNE_AUTO, N, D, false},
		     {"euclidean", NULL, KNNG_PRUNE_AUTO, KNNG_PRUNE_OFF, N, D, false},
		     {"euclidean", "plain", KNNG_PRUNE_AUTO, KNNG_PRUNE_AUTO, N, D, true},
		     {"antipearson", NULL, KNNG_PRUNE_AUTO, KNNG_PRUNE_AUTO, N, D, false},
		     {"cityblock", NULL, KNNG_PRUNE_AUTO, KNNG_PRUNE_AUTO, N, D, false},
		     {"euclidean", NULL, KNNG_PRUNE_AUTO, KNNG_PRUNE_AUTO, N - 100, D, false},
		     {"euclidean", NULL, KNNG_PRUNE_AUTO, KNNG_PRUNE_AUTO, 3 * N, 100, false}};
	for (int kind = SMOOTH; kind <= ENOUGH(NORMAL, SMOOTH); kind += NORMAL - SMOOTH) {
		data_set s = make_data(kind, N, D, 0, 5);
		running r;
		variant v = {.threads = 2};
		CHECK(open_run(&r, &s, knng_metrics, v) == KNNG_OK && r.plan.shortens, "%s", r.err.text);
		r.plan.prunes = false;
		CHECK(do_run(&r) == KNNG_OK && r.info.components == (kind == SMOOTH ? 63 : 0),
		      "%s: %lld components; %s", s.name, (long long)r.info.components, r.err.text);
		for (size_t c = 0; kind == SMOOTH && c < sizeof cases / sizeof *cases; c++) {
			knng_options opt = {.metric = cases[c].metric,
					    .k = 5,
					    .target = cases[c].target,
					    .prune = cases[c].prune,
					    .components = cases[c].components,
					    .device.kind = KNNG_DEVICE_CPU};
			knng_matrix X = r.X;
			X.n = cases[c].n;
			X.d = X.row_stride = cases[c].d;
			CHECK(knng_plan_make(&r.plan, &X, NULL, &opt, &r.err) == KNNG_OK &&
				      r.plan.shortens == cases[c].may,
			      "case %d: %s", (int)c, r.err.text);
		}
		close_run(&r);
		close_data(&s);
	}
}

int
main(int argc, char **argv)
{
	openblas_set_num_threads(1);
	PART(data);
	PART(long);
	PART(many);
	PART(meetings);
	PART(memory);
	PART(failures);
	PART(interrupts);
	PART(auto);
	CHECK(looked_at > 100000 || argc > 1, "%lld pairs", (long long)looked_at);
	return summary();
}
