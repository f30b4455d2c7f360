/* test_select.c  The k smallest and largest against a sort of everything, by comparisons of the elements themselves:
 * every class, order and target, sizes on either side of every limit, orders that are bad for a selection; then every
 * allocation fails one after another. */
#include "base/sys.h"
#include "knng.h"
#include "testing.h"
#include "topk/select.h"

#include <float.h>

static const struct {
	const char *name;
	knng_number number;
	int size;
} classes[] = {
	{"double", KNNG_FLOAT, 8},    {"single", KNNG_FLOAT, 4},    {"int8", KNNG_SIGNED, 1},
	{"int16", KNNG_SIGNED, 2},    {"int32", KNNG_SIGNED, 4},    {"int64", KNNG_SIGNED, 8},
	{"uint8", KNNG_UNSIGNED, 1},  {"uint16", KNNG_UNSIGNED, 2}, {"uint32", KNNG_UNSIGNED, 4},
	{"uint64", KNNG_UNSIGNED, 8},
};
enum { CLASSES = sizeof classes / sizeof *classes };

/* ---------------------------------------------------------------- elements */

/* What an element is: a real number, or a whole one in 128 bits. */
typedef struct {
	bool nan;
	double real;
	__int128 whole;
	int64_t index;
} element;

static element
element_at(const knng_topk *s, int64_t at, int64_t index)
{
	const char *p = (const char *)s->data + at * s->size;
	element e = {.index = index};
	if (s->number == KNNG_FLOAT) {
		float f;
		if (s->size == 4)
			memcpy(&f, p, 4), e.real = f;
		else
			memcpy(&e.real, p, 8);
		e.nan = isnan(e.real);
	} else {
		uint64_t u = 0;
		memcpy(&u, p, (size_t)s->size); /* little-endian */
		e.whole = u;
		if (s->number == KNNG_SIGNED && u >> (8 * s->size - 1))
			e.whole -= (__int128)1 << (8 * s->size);
	}
	return e;
}

static const knng_topk *sorted; /* qsort takes no context */

static int
sign(__int128 x)
{
	return x < 0 ? -1 : x > 0;
}

static int
compare(const void *p, const void *q)
{
	const element *a = p, *b = q;
	int order = 0;
	if (a->nan || b->nan)
		return a->nan != b->nan ? a->nan - b->nan : (a->index > b->index) - (a->index < b->index);
	if (sorted->magnitude) {
		__int128 u = a->whole < 0 ? -a->whole : a->whole, v = b->whole < 0 ? -b->whole : b->whole;
		order = (fabs(a->real) > fabs(b->real)) - (fabs(a->real) < fabs(b->real)) + (u > v) - (u < v);
		if (order == 0) /* the positive first */
			order = (a->real < 0) - (b->real < 0) + (a->whole < 0) - (b->whole < 0);
	} else
		order = (a->real > b->real) - (a->real < b->real) + sign(a->whole - b->whole);
	if (order != 0)
		return sorted->largest ? -order : order;
	return (a->index > b->index) - (a->index < b->index);
}

/* ---------------------------------------------------------------- data */

enum { RANDOM, CONSTANT, RISING, FALLING, FEW, ORGAN, SPIKES, SPECIAL, BITS, PERIODS, STAIRS, DATA };

static void
set(const knng_topk *s, int64_t at, double x)
{
	char *p = (char *)s->data + at * s->size;
	float f = (float)x;
	if (s->number == KNNG_FLOAT)
		memcpy(p, s->size == 4 ? (void *)&f : (void *)&x, (size_t)s->size);
	else {
		int64_t i = (int64_t)x;
		memcpy(p, &i, (size_t)s->size); /* the low bytes: small classes wrap */
	}
}

static void
fill(const knng_topk *s, int kind)
{
	static const double special[] = {0.0,      -0.0,      NAN,        INFINITY, -INFINITY, DBL_MAX,
					 -DBL_MAX, 0x1p-1074, -0x1p-1074, 1,        -1};
	int64_t all = s->inner * s->n * s->outer;
	for (int64_t at = 0; at < all; at++) {
		int64_t e = at / s->inner % s->n;
		uint64_t bits = random_bits();
		switch (kind) {
		case RANDOM:
			set(s, at, 1000 * random_normal());
			break;
		case CONSTANT:
			set(s, at, -7);
			break;
		case RISING:
			set(s, at, (double)e);
			break;
		case FALLING:
			set(s, at, (double)-e);
			break;
		case FEW:
			set(s, at, (double)random_below(4) - 2);
			break;
		case ORGAN:
			set(s, at, (double)(e < s->n / 2 ? e : s->n - e));
			break;
		case SPIKES: /* a wide range, most of it empty */
			set(s, at, ldexp(1, (int)random_below(60)) * (random_below(2) ? 1 : -1));
			break;
		case SPECIAL:
			if (s->number == KNNG_FLOAT)
				set(s, at, special[random_below(11)]);
			else /* either end, and near it */
				set(s, at, 0),
					((char *)s->data)[at * s->size + s->size - 1] = (char)(bits % 4 << 6),
										   ((char *)s->data)[at * s->size] ^=
										   (char)(bits >> 8 & 1);
			break;
		case BITS:
			memcpy((char *)s->data + at * s->size, &bits, (size_t)s->size);
			break;
		case STAIRS: /* ever smaller, with ties between what has come and what comes */
			set(s, at, (double)(-(e / 30000) - (bits % 200 == 0 ? 2 : bits % 4 == 0)));
			break;
		default: /* the small ones stand where e % 64 is 5 */
			set(s, at, e % 64 == 5 ? -random_unit() * 100 : 100 * random_unit());
			break;
		}
	}
}

/* ---------------------------------------------------------------- checks */

static bool
same(const knng_topk *a, const knng_topk *b)
{
	size_t count = (size_t)(a->inner * a->k * a->outer);
	return memcmp(a->values, b->values, count * (size_t)a->size) == 0 &&
	       memcmp(a->index, b->index, count * sizeof *a->index) == 0;
}

static void
open_answer(knng_topk *s)
{
	s->values = room(s->inner * s->k * s->outer, (size_t)s->size);
	s->index = room(s->inner * s->k * s->outer, sizeof *s->index);
}

static void
close_answer(knng_topk *s)
{
	free(s->values);
	free(s->index);
}

static void
solve(const knng_topk *s)
{
	element *all = room(s->n, sizeof *all);
	for (int64_t v = 0; v < s->inner * s->outer; v++) {
		int64_t from = v / s->inner * s->n * s->inner + v % s->inner;
		for (int64_t e = 0; e < s->n; e++)
			all[e] = element_at(s, from + e * s->inner, e);
		sorted = s;
		qsort(all, (size_t)s->n, sizeof *all, compare);
		for (int64_t r = 0; r < s->k; r++) {
			int64_t to = v / s->inner * s->k * s->inner + r * s->inner + v % s->inner;
			memcpy((char *)s->values + to * s->size,
			       (const char *)s->data + (from + all[r].index * s->inner) * s->size, (size_t)s->size);
			s->index[to] = (double)(all[r].index + 1);
		}
	}
	free(all);
}

/* Right with all targets and some numbers of threads. */
static void
check(knng_topk s)
{
	static const char *const targets[] = {NULL, "plain", "avx2"};
	static int trial;
	knng_topk right = s;
	open_answer(&right);
	open_answer(&s);
	solve(&right);
	for (int again = 0; again < 2; again++, trial++) {
		const char *target = targets[trial % 3];
		knng_task task = {.threads = trial % 4 + 1};
		knng_err err = {0};
		memset(s.values, 0xa5, (size_t)(s.inner * s.k * s.outer * s.size));
		memset(s.index, 0xa5, (size_t)(s.inner * s.k * s.outer) * sizeof *s.index);
		int64_t before = knng_sys().bytes, lanes = s.inner > 1 ? 256 / s.size : 1;
		lanes = lanes < s.inner ? lanes : s.inner;
		knng_sys_mark_peak();
		knng_status status = knng_topk_along(&task, &s, target, &err);
		int64_t peak = knng_sys().peak - before, most = task.threads * ((4 << 20) + 200 * s.k * lanes);
		CHECK(peak <= most, "%lld bytes of at most %lld", (long long)peak, (long long)most);
		if (status == KNNG_EARGS && target != NULL) /* not on this machine */
			continue;
		CHECK(status == KNNG_OK && same(&s, &right),
		      "%lld x %lld x %lld, k = %lld, number %d of %d bytes, largest %d, magnitude %d, %s, %d threads: "
		      "%s",
		      (long long)s.inner, (long long)s.n, (long long)s.outer, (long long)s.k, s.number, s.size,
		      s.largest, s.magnitude, target ? target : "best", task.threads, err.text);
	}
	close_answer(&right);
	close_answer(&s);
}

static void
test_shapes(void)
{
	static const int64_t sizes[] = {1, 2, 3, 23, 31, 32, 33, 64, 127, 128, 129, 300, 1000, 4097};
	static const int64_t inners[] = {1, 1, 2, 3, 15, 16, 17, 33, 130};
	for (int c = 0; c < CLASSES; c++)
		for (int again = 0; again < 60; again++) {
			if (SKIPS(7))
				continue;
			knng_topk s = {.number = classes[c].number,
				       .size = classes[c].size,
				       .inner = inners[random_below(9)],
				       .n = sizes[random_below(14)],
				       .outer = 1 + random_below(4),
				       .largest = random_below(2),
				       .magnitude = random_below(3) == 0};
			const int64_t ks[] = {1, 2, 10, s.n / 7, s.n / 2, s.n - 1, s.n, random_below(s.n) + 1};
			s.k = ks[random_below(8)];
			s.k = s.k < 1 ? 1 : s.k > s.n ? s.n : s.k;
			s.outer = s.inner * s.n > 20000 ? 1 : s.outer;
			s.data = room(s.inner * s.n * s.outer, (size_t)s.size);
			fill(&s, again % DATA);
			check(s);
			free((void *)s.data);
		}
}

/* Long vectors: segments, cuts, full piles, parts. */
static void
test_long(void)
{
	static const int64_t ks[] = {1, 10, 700, 2048, 9000, 40000};
	for (int kind = 0; kind < DATA; kind++)
		for (int shape = 0; shape < 4; shape++) {
			if (SKIPS_TOO(3, 5))
				continue;
			int c = (int)random_below(CLASSES);
			c = random_below(2) ? (int)random_below(2) : c;
			knng_topk s = {.number = classes[c].number,
				       .size = classes[c].size,
				       .inner = shape == 3 ? 3 : 1,
				       .n = (int64_t[]){70000, 131072, 300001, 150000}[shape],
				       .outer = shape == 1 ? 2 : 1};
			s.data = room(s.inner * s.n * s.outer, (size_t)s.size);
			fill(&s, kind);
			for (int i = 0; i < 2; i++) {
				s.k = ks[random_below(6)];
				s.largest = random_below(2);
				s.magnitude = random_below(4) == 0;
				check(s);
			}
			free((void *)s.data);
		}
}

/* A full pile whose items tie with the cut of what follows. */
static void
test_ties_at_cuts(void)
{
	knng_topk s = {.number = KNNG_FLOAT, .size = 8, .inner = 1, .n = 65536, .outer = 1};
	s.data = room(s.n, sizeof(double));
	fill(&s, STAIRS);
	for (s.k = 600; s.k < 900; s.k += 60)
		check(s);
	free((void *)s.data);
}

/* Parts that answer with all they have. */
static void
test_parts(void)
{
	knng_topk s = {.number = KNNG_FLOAT, .size = 4, .inner = 1, .n = 300001, .outer = 1, .k = 100000};
	s.data = room(s.n, sizeof(float));
	fill(&s, FEW);
	check(s);
	fill(&s, RANDOM);
	s.k = s.n;
	check(s);
	free((void *)s.data);
}

static void
test_nothing(void)
{
	knng_task task = {0};
	knng_topk s = {.number = KNNG_FLOAT, .size = 8, .inner = 1, .n = 0, .outer = 3, .k = 0};
	CHECK(knng_topk_along(&task, &s, NULL, NULL) == KNNG_OK, "vectors without elements");
	s = (knng_topk){.number = KNNG_FLOAT, .size = 8, .inner = 0, .n = INT64_MAX, .outer = 3, .k = INT64_MAX};
	CHECK(knng_topk_along(&task, &s, NULL, NULL) == KNNG_OK, "no vectors");
	volatile sig_atomic_t stop = 1;
	double x[3] = {3, 1, 2}, v[3], i[3];
	s = (knng_topk){.data = x, .number = KNNG_FLOAT, .size = 8, .inner = 1, .n = 3, .outer = 1, .k = 2};
	s.values = v;
	task.interrupt = &stop;
	CHECK(knng_topk_along(&task, &s, NULL, NULL) == KNNG_EINTERRUPTED, "stopped");
	stop = 0;
	CHECK(knng_topk_along(&task, &s, NULL, NULL) == KNNG_OK && v[0] == 1 && v[1] == 2, "values alone");
	s.values = NULL;
	s.index = i;
	CHECK(knng_topk_along(&task, &s, NULL, NULL) == KNNG_OK && i[0] == 2 && i[1] == 3, "indices alone");
	CHECK(knng_topk_along(&task, &s, "no such", NULL) == KNNG_EARGS, "no such target");
}

/* No failure is swallowed, nothing is left, and the next call is right. */
static void
test_failures(void)
{
	for (int shape = 0; shape < 3; shape++) {
		knng_topk s = {.number = KNNG_FLOAT,
			       .size = 8,
			       .inner = shape == 2 ? 5 : 1,
			       .n = shape == 1 ? 200000 : 500,
			       .outer = shape == 1 ? 1 : 40,
			       .k = 30};
		knng_task task = {.threads = 2};
		s.data = room(s.inner * s.n * s.outer, sizeof(double));
		fill(&s, RANDOM);
		knng_topk right = s;
		open_answer(&s);
		open_answer(&right);
		solve(&right);
		int64_t live = knng_sys().live, failures = 0;
		for (int64_t nth = 1;; nth++) {
			knng_err err = {0};
			int64_t calls = knng_sys().calls;
			knng_sys_fail_at(nth);
			knng_status status = knng_topk_along(&task, &s, NULL, &err);
			knng_sys_fail_at(0);
			bool met = knng_sys().calls - calls >= nth;
			CHECK(met ? status == KNNG_EMEMORY && strcmp(err.id, "knng:memory:host") == 0
				  : status == KNNG_OK && same(&s, &right),
			      "call %lld: status %d, '%s'", (long long)nth, status, err.text);
			CHECK(knng_sys().live == live, "something is left");
			if (!met)
				break;
			failures++;
		}
		CHECK(failures == (shape == 1 ? 3 : 1), "%lld failures", (long long)failures);
		free((void *)s.data);
		close_answer(&s);
		close_answer(&right);
	}
}

int
main(void)
{
	test_nothing();
	test_shapes();
	test_long();
	test_ties_at_cuts();
	test_parts();
	test_failures();
	return summary();
}
