/* test_range.c  Searches for all rows within a radius: those of the oracle, no more and no less, in its order and with
 * its bits, whatever the data, the radius, the tiles, the leaves, the instructions and the threads, by boxes and by the
 * filter. Memory, limits, failures, interrupts. */
#include "interrupts.h"
#include "rows.h"
#include "search/cpu/kernels.h"
#include "search/range.h"

#include <cblas.h>
#include <float.h>

static const char *const targets[] = {"avx512", "avx2", "plain", "blas"};
static const int64_t tiles[] = {8, 16, 48, 64, 0};
enum { TARGETS = 4, TILES = 5, ALL = 1 << 20 }; /* ALL: more neighbours than there are */

/* ---------------------------------------------------------------- what is right */

static int64_t
count_within(const answer *t, int64_t i, double radius)
{
	int64_t n = 0;
	while (n < t->k && t->dist[i * t->k + n] <= radius)
		n++;
	return n;
}

/* Radii at which an answer goes wrong, if it does: distances that there are, and those next to them. */
static double
some_radius(const answer *t, int which)
{
	double there = t->m * t->k > 0 ? t->dist[random_below(t->m * t->k)] : 1;
	there = isnan(there) ? 0.25 : there;
	switch (which % 6) {
	case 0:
		return 0;
	case 1:
		return nextafter(there, 0);
	case 2:
		return which % 4 ? INFINITY : DBL_MAX;
	default:
		return which % 5 ? there : nextafter(there, INFINITY);
	}
}

/* ---------------------------------------------------------------- one run */

typedef struct {
	const char *target;
	int64_t tile;
	int threads, prune;
	bool single, by_column;
	double memory;
	const volatile sig_atomic_t *interrupt;
} variant;

/* All targets, tiles, threads, with boxes and without, one after another. */
static variant
next_variant(const data_set *s)
{
	static int next = 0;
	int v = next++, target = v % TARGETS;
	bool runs = target == 3 || knng_kernels_find(targets[target]) != NULL;
	return (variant){.target = runs ? targets[target] : NULL,
			 .tile = tiles[v / TARGETS % TILES],
			 .threads = v / (TARGETS * TILES) % 2 ? 3 : 1,
			 .prune = random_below(2) ? KNNG_PRUNE_ON : KNNG_PRUNE_OFF,
			 .single = s->single && random_below(2),
			 .by_column = random_below(2)};
}

typedef struct {
	knng_matrix X, Y;
	knng_range found;
	knng_options opt;
	knng_plan plan;
	knng_info info;
	knng_err err;
	knng_sys_count before;
} running;

static knng_status
open_run(running *r, const data_set *s, const knng_metric *metric, double radius, variant v)
{
	*r = (running){.X = lay_out(s->X, s->n, s->d, v.single ? KNNG_F32 : KNNG_F64, v.by_column),
		       .Y = lay_out(s->Y, s->m, s->d, v.single ? KNNG_F32 : KNNG_F64, v.by_column),
		       .found = {.radius = radius},
		       .before = knng_sys()};
	r->opt = (knng_options){.metric = metric->name,
				.range = &r->found,
				.prune = v.prune,
				.tile = v.tile,
				.target = v.target,
				.max_memory = v.memory,
				.task = {.threads = v.threads, .interrupt = v.interrupt}};
	return knng_plan_make(&r->plan, &r->X, s->m ? &r->Y : NULL, &r->opt, &r->err);
}

/* *r stays where it was opened: the options point into it. */
static knng_status
do_run(running *r)
{
	return knng_run(&r->plan, NULL, &r->info, &r->err);
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
	knng_range_close(&r->found);
	free((void *)r->X.data);
	free((void *)r->Y.data);
}

/* What was found is what is in the table, in any form. */
static bool
is_right(const running *r, const answer *t)
{
	const knng_range *f = &r->found;
	int64_t at = 0;
	int32_t *idx = room(f->total, sizeof *idx);
	float *dist = room(f->total, sizeof *dist);
	knng_pair *rows = room(2 * f->longest, sizeof *rows);
	knng_output out = {.idx = idx, .idx_type = KNNG_I32, .dist = dist, .dist_type = KNNG_F32, .col_stride = 1};
	knng_task task = {.threads = 2};
	bool fine = true;
	DEMAND(f->rows == t->m);
	DEMAND(knng_range_write(f, &out, &task, 2, NULL) == KNNG_OK);
	for (int64_t i = 0; fine && i < t->m; i++) {
		int64_t n = count_within(t, i, f->radius);
		DEMAND(knng_range_count(f, i) == n && n <= f->longest);
		if (!fine)
			printf("  row %lld has %lld, not %lld\n", (long long)i, (long long)knng_range_count(f, i),
			       (long long)n);
		else
			knng_range_row(f, i, rows, rows + f->longest);
		for (int64_t e = 0; fine && e < n; e++, at++) {
			double d = t->dist[i * t->k + e];
			DEMAND(rows[e].index == t->idx[i * t->k + e] && bits_of(rows[e].distance) == bits_of(d));
			DEMAND(idx[at] == rows[e].index && dist[at] == (float)d);
		}
	}
	DEMAND(at == f->total || !fine);
	free(idx);
	free(dist);
	free(rows);
	return fine;
}

static bool
run(const data_set *s, const knng_metric *metric, double radius, const answer *t, variant v)
{
	running r;
	bool fine = true;
	DEMAND(open_run(&r, s, metric, radius, v) == KNNG_OK);
	DEMAND(do_run(&r) == KNNG_OK);
	DEMAND(r.info.peak > 0 && r.info.peak <= r.info.planned);
	DEMAND(!fine || is_right(&r, t));
	bool boxes = v.prune == KNNG_PRUNE_ON && r.info.points > 0 && r.info.certified[KNNG_LEVEL_BOXES] > 0;
	DEMAND(boxes == (strncmp(r.info.pruned, "yes", 3) == 0));
	if (!fine)
		printf("  of %s, %s, radius %a, n = %lld, d = %lld, m = %lld, tile %lld, %s, %d threads, prune %d: "
		       "'%s'; '%s'; peak %.0f of %.0f\n",
		       s->name, metric->name, radius, (long long)s->n, (long long)s->d, (long long)s->m,
		       (long long)v.tile, v.target, v.threads, v.prune, r.err.text, r.info.pruned, r.info.peak,
		       r.info.planned);
	knng_range_close(&r.found);
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
		fine = run(s, metric, some_radius(&t, r), &t, next_variant(s));
	CHECK(fine, "%s, %s, %s, n = %lld, d = %lld", s->name, s->m ? "search" : "graph", metric->name, (long long)s->n,
	      (long long)s->d);
	close_answer(&t);
}

static void
test_data(void)
{
	for (int kind = 0; kind < KINDS; kind++)
		for (int mode = 0; mode < 2; mode++)
			for (const knng_metric *metric = knng_metrics; metric->name != NULL; metric++) {
				if (SKIPS_TOO(7, 23))
					continue;
				int64_t d = random_below(3) ? 1 + random_below(9) : 1 + random_below(130);
				data_set s = make_data(kind, 130 + random_below(90), d, mode ? 90 : 0, ALL);
				compare(&s, metric, 12);
				close_data(&s);
			}
}

/* Long rows, of which a product is made in parts, and rows of which the single-precision scores say nothing. */
static void
test_long(void)
{
	static const int64_t columns[] = {512, 513, 700};
	for (int c = 0; c < 3; c++)
		for (int kind = 0; kind < KINDS; kind += 7)
			for (const knng_metric *metric = knng_metrics; metric->name != NULL; metric++) {
				if (SKIPS(4))
					continue;
				data_set s = make_data(kind, 70, columns[c], kind % 2 ? 40 : 0, ALL);
				compare(&s, metric, 3);
				close_data(&s);
			}
}

/* Sums that differ, and whose roots are the radius: a square of the radius may be less than either. */
static void
test_rings(void)
{
	for (int64_t k = 1; k < 30; k++) {
		data_set s = make_data(RINGS, 150, 2 + k % 3, k % 2 ? 40 : 0, ALL);
		const knng_metric *metric = knng_metric_find("euclidean");
		answer t = solve(&s, metric);
		bool fine = true;
		for (int r = 0; r < 8 && fine; r++)
			fine = run(&s, metric, 1 + (r % 4 - 1) * 0x1p-53, &t, next_variant(&s));
		CHECK(fine, "k = %lld", (long long)k);
		close_answer(&t);
		close_data(&s);
	}
}

/* Numbers of rows around those of a leaf and of a tile. */
static void
test_sizes(void)
{
	const knng_metric *metric = knng_metrics;
	for (int v = 0; v < TILES; v++)
		for (int add = 0; add < 7; add++)
			for (int mode = 0; mode < 2; mode++) {
				int64_t tile = tiles[v] ? tiles[v] : 64;
				int64_t sizes[] = {1, 2, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 5};
				data_set s = make_data((int)random_below(KINDS), sizes[add], 1 + random_below(20),
						       mode ? 1 + random_below(70) : 0, ALL);
				compare(&s, metric, 5);
				close_data(&s);
				metric = metric[1].name != NULL ? metric + 1 : knng_metrics;
			}
}

/* Many tiles and leaves, most pairs out of reach, and some with very many within it. */
static void
test_many_rows(void)
{
	static const int kinds[] = {NORMAL, CLUSTERS, LATTICE, INTEGERS, FAR, SCALES, REPEATED, BROKEN};
	const knng_metric *metric = knng_metrics;
	for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++)
		for (int mode = 0; mode < 2; mode++) {
			if (SKIPS(5))
				continue;
			data_set s =
				make_data(kinds[c], 800 + random_below(400), 2 + random_below(5), mode ? 400 : 0, ALL);
			answer t = solve(&s, metric);
			double near = t.dist[random_below(t.m) * t.k + random_below(30)];
			bool fine = true;
			for (int r = 0; r < 4 && fine; r++)
				fine = run(&s, metric, r < 3 ? (isnan(near) ? 0.1 : near) : some_radius(&t, 1), &t,
					   next_variant(&s));
			CHECK(fine, "%s, %s", s.name, metric->name);
			close_answer(&t);
			close_data(&s);
			metric = metric[1].name != NULL ? metric + 1 : knng_metrics;
		}
}

/* ---------------------------------------------------------------- memory, failures, interrupts */

/* What a limit allows is enough, or the search ends with a remedy. */
static void
test_limits(void)
{
	for (int mode = 0; mode < 4; mode++) {
		data_set s = make_data(mode < 2 ? NORMAL : REPEATED, ENOUGH(900, 600), 4,
				       mode % 2 ? ENOUGH(500, 400) : 0, ALL);
		const knng_metric *metric = knng_metric_find("cityblock");
		answer t = solve(&s, metric);
		running r;
		variant v = {.threads = 2, .prune = mode % 2 ? KNNG_PRUNE_ON : KNNG_PRUNE_OFF, .memory = 1e12};
		int refused = 0, done = 0;
		bool fine = open_run(&r, &s, metric, 4, v) == KNNG_OK && do_run(&r) == KNNG_OK;
		double least = r.plan.bytes, most = r.info.planned;
		close_run(&r);
		for (int step = 0; step <= 16 && fine; step++) {
			v.memory = least + (1.5 * most - least) * step / 16;
			DEMAND(open_run(&r, &s, metric, 4, v) == KNNG_OK);
			knng_status status = do_run(&r);
			refused += status == KNNG_EARGS;
			done += status == KNNG_OK;
			DEMAND(status == KNNG_OK ? is_right(&r, &t)
						 : strcmp(r.err.id, "knng:args:maxMemory") == 0 &&
							   strstr(r.err.text, "smaller radius") != NULL);
			knng_range_close(&r.found);
			DEMAND(nothing_left(&r));
			DEMAND(r.info.peak <= v.memory + 32768); /* headers of chunks, which are no pairs */
			close_run(&r);
		}
		CHECK(fine && done > 0 && refused > 0, "mode %d: %d done, %d refused", mode, done, refused);
		close_answer(&t);
		close_data(&s);
	}
}

/* As many pairs as the caller wants, and one more. */
static void
test_most(void)
{
	for (int mode = 0; mode < 4; mode++) {
		data_set s = make_data(mode < 2 ? NORMAL : REPEATED, 1500, 3, mode % 2 ? 700 : 0, ALL);
		running r;
		variant v = {.threads = 1 + mode % 2};
		bool fine = open_run(&r, &s, knng_metrics, 1, v) == KNNG_OK && do_run(&r) == KNNG_OK;
		int64_t total = r.found.total;
		const int64_t most[] = {1, total - 1, total, total + 1};
		for (int c = 0; c < 4 && fine; c++) {
			r.found.most = most[c];
			knng_status status = do_run(&r);
			DEMAND(status == (c < 2 ? KNNG_EARGS : KNNG_OK));
			DEMAND(c < 2 ? strcmp(r.err.id, "knng:args:radius") == 0 && nothing_left(&r)
				     : r.found.total == total);
		}
		CHECK(fine && total > 10, "mode %d: %lld pairs", mode, (long long)total);
		close_run(&r);
		close_data(&s);
	}
}

/* Where the machine has no more, the search ends before it takes it; and before what the caller would. */
static void
test_scarce(void)
{
	data_set s = make_data(NORMAL, 3000, 3, 0, ALL);
	for (int mode = 0; mode < 3; mode++) {
		running r;
		bool fine = true;
		variant v = {.threads = 1 + mode % 2, .prune = mode ? KNNG_PRUNE_ON : KNNG_PRUNE_OFF};
		DEMAND(open_run(&r, &s, knng_metrics, INFINITY, v) == KNNG_OK);
		r.found.bytes_a_pair = mode == 2 ? 1e6 : 0;
		knng_memory_set_available(mode == 2 ? 1e9 : 2e7);
		knng_status status = do_run(&r);
		knng_memory_set_available(0);
		DEMAND(status == KNNG_EMEMORY && strcmp(r.err.id, "knng:memory:host") == 0);
		DEMAND(strstr(r.err.text, "smaller radius") != NULL);
		DEMAND(nothing_left(&r));
		DEMAND(r.info.peak < r.plan.bytes + 2e7);
		CHECK(fine, "mode %d: %d, %s, %s", mode, status, r.err.id, r.err.text);
		close_run(&r);
	}
	close_data(&s);
}

/* Every call that can fail does; the run says so, nothing is left, and the next is right. */
static void
test_failures(void)
{
	static const int kinds[] = {NORMAL, REPEATED, BROKEN};
	for (int c = 0; c < 6; c++) {
		data_set s = make_data(kinds[c % 3], 120, 3, c % 2 ? 50 : 0, ALL);
		const knng_metric *metric = knng_metrics + c;
		answer t = solve(&s, metric);
		variant v = {.threads = 1 + c % 2, .prune = c < 3 ? KNNG_PRUNE_ON : KNNG_PRUNE_OFF, .tile = 16};
		int64_t failures = 0;
		bool fine = true, met = true;
		for (int64_t nth = 1; met && fine; nth++) {
			running r;
			DEMAND(open_run(&r, &s, metric, 1, v) == KNNG_OK);
			int64_t calls = knng_sys().calls;
			knng_sys_fail_at(nth);
			knng_status status = do_run(&r);
			knng_sys_fail_at(0);
			met = knng_sys().calls - calls >= nth;
			failures += status != KNNG_OK;
			/* Where nothing says what the machine has, the search goes on. */
			DEMAND(status == KNNG_OK
				       ? is_right(&r, &t)
				       : met && status == KNNG_EMEMORY && strlen(r.err.text) > 20 &&
						 strcmp(r.err.id, "knng:memory:host") == 0 && nothing_left(&r));
			DEMAND(do_run(&r) == KNNG_OK && is_right(&r, &t));
			if (!fine)
				printf("  at call %lld: %d, %s, %s\n", (long long)nth, status, r.err.id, r.err.text);
			close_run(&r);
		}
		CHECK(fine && failures > 20, "%s, %s: %lld failures", s.name, metric->name, (long long)failures);
		close_answer(&t);
		close_data(&s);
	}
}

static void
test_interrupts(void)
{
	for (int mode = 0; mode < 4; mode++) {
		data_set s = make_data(NORMAL, 3000, 2, mode % 2 ? 1000 : 0, ALL);
		variant v = {.threads = 1 + mode / 2,
			     .interrupt = &stop,
			     .prune = mode / 2 ? KNNG_PRUNE_OFF : KNNG_PRUNE_ON};
		int stopped = 0;
		bool fine = true;
		knng_status status = KNNG_EINTERRUPTED;
		for (stop_at = 1; fine && status != KNNG_OK; stop_at += 1 + stop_at / 3) {
			running r;
			stop = 0;
			looks = 0;
			DEMAND(open_run(&r, &s, knng_metrics, 0.5, v) == KNNG_OK);
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

/* ---------------------------------------------------------------- whether boxes gain */

static bool
same_found(const knng_range *a, const knng_range *b)
{
	int64_t queries = a->graph ? a->x.count : a->y.count;
	bool same = a->total == b->total && memcmp(a->first, b->first, (size_t)(queries + 1) * 8) == 0;
	for (int64_t e = 0; same && e < a->first[queries]; e++)
		same = a->pairs[e].index == b->pairs[e].index &&
		       bits_of(a->pairs[e].distance) == bits_of(b->pairs[e].distance);
	return same;
}

static void
test_auto(void)
{
	static const struct {
		int kind;
		int64_t n, d, m;
		double radius;
		const char *says; /* how info.pruned begins */
	} cases[] = {{NORMAL, 10000, 3, 0, 0.1, "yes: "},
		     {NORMAL, 10000, 3, 4000, 0.1, "yes: "},
		     {NORMAL, 8500, 20, 0, 3.6, "no: the radius is not "},
		     {NORMAL, 8500, 100, 0, 12, "no: the radius is not "},
		     {NORMAL, 8500, 20, 0, 2.2, "no: at least "},
		     {NORMAL, 7000, 3, 0, 0.1, "no: there are too few rows"},
		     {EQUAL, 10000, 3, 4000, 1, "no: there are too few different"}};
	const knng_metric *metric = knng_metric_find("euclidean");
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		data_set s = make_data(cases[c].kind, cases[c].n, cases[c].d, cases[c].m, ALL);
		running r, off;
		variant v = {.threads = 2};
		CHECK(open_run(&r, &s, metric, cases[c].radius, v) == KNNG_OK && do_run(&r) == KNNG_OK, "%s",
		      r.err.text);
		CHECK(strncmp(r.info.pruned, cases[c].says, strlen(cases[c].says)) == 0, "case %d: %s", (int)c,
		      r.info.pruned);
		v.prune = KNNG_PRUNE_OFF;
		CHECK(open_run(&off, &s, metric, cases[c].radius, v) == KNNG_OK && do_run(&off) == KNNG_OK, "%s",
		      off.err.text);
		CHECK(same_found(&r.found, &off.found), "case %d: other pairs", (int)c);
		close_run(&off);
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
	PART(rings);
	PART(sizes);
	PART(many_rows);
	PART(limits);
	PART(most);
	PART(scarce);
	PART(failures);
	PART(interrupts);
	PART(auto);
	return summary();
}
