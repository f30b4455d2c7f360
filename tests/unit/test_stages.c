/* test_stages.c  Every stage plainly, against straightforward code: sorting, metrics, points, source, sink, adjacency,
 * forests, the system's door, the plan, and the kernels of every target that this CPU runs. */
#include "base/file.h"
#include "graph/adjacency.h"
#include "graph/forest.h"
#include "graph/sparse.h"
#include "knng.h"
#include "search/backend.h"
#include "search/bounds.h"
#include "search/centre.h"
#include "search/cpu/kernels.h"
#include "search/source.h"
#include "testing.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <pthread.h>
#include <unistd.h>

/* Work on as many threads as there are by default. */
static knng_task plainly;

/* ---------------------------------------------------------------- sort.h */

static float
random_float(void)
{
	uint32_t b;
	float q;
	do {
		b = (uint32_t)random_bits();
		memcpy(&q, &b, 4);
	} while (!isfinite(q));
	return q;
}

static bool
keys_agree(float q, int32_t i, float r, int32_t j)
{
	bool first = q > r || (q == r && i < j);
	uint64_t a = knng_key(q, i), b = knng_key(r, j);
	return first == (a < b) && (a == b) == (q == r && i == j);
}

static void
test_keys(void)
{
	static const float q[] = {-FLT_MAX,     -1e30f,  -2, -1, -0.5f, -FLT_MIN, -FLT_TRUE_MIN,  -0.0f,  0.0f,
				  FLT_TRUE_MIN, FLT_MIN, 1,  2,  1.5f,  1e30f,    0x1.fffffep-1f, FLT_MAX};
	static const int32_t j[] = {0, 1, 255, 65536, INT32_MAX - 64};
	enum { Q = sizeof q / sizeof *q, J = sizeof j / sizeof *j };
	bool order = true, trip = true;
	for (int a = 0; a < Q * J; a++) {
		uint64_t key = knng_key(q[a / J], j[a % J]);
		trip = trip && knng_key_score(key) == q[a / J] && knng_key_column(key) == j[a % J];
		for (int b = 0; b < Q * J; b++)
			order = order && keys_agree(q[a / J], j[a % J], q[b / J], j[b % J]);
	}
	CHECK(order, "keys of chosen scores");
	CHECK(trip, "scores and columns of chosen keys");
	CHECK(!signbit(knng_key_score(knng_key(-0.0f, 3))), "-0 is +0");
	for (int t = 0; t < 100000; t++) {
		float a = random_float(), b = t % 3 ? random_float() : a;
		int32_t i = (int32_t)random_below(INT32_MAX), k = t % 2 ? i : (int32_t)random_below(INT32_MAX);
		order = order && keys_agree(a, i, b, k);
		trip = trip && knng_key_score(knng_key(a, i)) == a && knng_key_column(knng_key(a, i)) == i;
	}
	CHECK(order && trip, "random keys");
}

static int
compare_keys(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Key i of n of a shape: random, sorted, backwards, equal, two values, organ pipe. */
static uint64_t
shaped(int shape, int64_t i, int64_t n)
{
	switch (shape) {
	case 0:
		return random_bits();
	case 1:
		return (uint64_t)i;
	case 2:
		return (uint64_t)(n - i);
	case 3:
		return 7;
	case 4:
		return random_bits() % 2 ? 0 : UINT64_MAX;
	default:
		return (uint64_t)(i < n / 2 ? i : n - i);
	}
}

static bool
selects(int shape, int64_t n, int64_t k)
{
	uint64_t *a = room(n, sizeof *a), *sorted = room(n, sizeof *sorted);
	for (int64_t i = 0; i < n; i++)
		sorted[i] = a[i] = shaped(shape, i, n);
	qsort(sorted, (size_t)n, sizeof *sorted, compare_keys);
	knng_nth(a, n, k);
	bool fine = a[k - 1] == sorted[k - 1];
	for (int64_t i = 0; i < n; i++)
		fine = fine && (i < k ? a[i] <= a[k - 1] : a[i] >= a[k - 1]);
	qsort(a, (size_t)n, sizeof *a, compare_keys); /* nothing is lost */
	fine = fine && memcmp(a, sorted, (size_t)n * sizeof *a) == 0;
	free(a);
	free(sorted);
	return fine;
}

static void
test_select(void)
{
	for (int shape = 0; shape < 6; shape++) {
		bool fine = true;
		for (int64_t n = 1; n <= 40; n++)
			for (int64_t k = 1; k <= n; k++)
				fine = fine && selects(shape, n, k);
		for (int64_t k = 1; k <= 3000; k = 3 * k + 1)
			fine = fine && selects(shape, 3000, k);
		CHECK(fine, "select, shape %d", shape);
	}
}

static int
compare_pairs(const void *a, const void *b)
{
	const knng_pair *x = a, *y = b;
	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

typedef void sorting(knng_pair *a, knng_pair *scratch, int64_t n);

static bool
sorts(sorting *sort, int shape, int64_t n)
{
	knng_pair *a = room(n, sizeof *a), *sorted = room(n, sizeof *sorted), *scratch = room(n, sizeof *scratch);
	static const double few[] = {0, DBL_TRUE_MIN, 1, INFINITY, -0.0, -DBL_MAX, DBL_MAX, -INFINITY};
	for (int64_t i = 0; i < n; i++) {
		double x = shape < 6 ? (double)shaped(shape, i, n) : few[random_below(shape == 6 ? 4 : 8)];
		sorted[i] = a[i] = (knng_pair){x, (int32_t)(i * 7919 % 10007)};
	}
	qsort(sorted, (size_t)n, sizeof *sorted, compare_pairs);
	sort(a, scratch, n);
	bool fine = true;
	for (int64_t i = 0; i < n; i++)
		fine = fine && a[i].distance == sorted[i].distance && a[i].index == sorted[i].index;
	free(a);
	free(sorted);
	free(scratch);
	return fine;
}

static void
test_sorts(void)
{
	static sorting *const ways[] = {knng_sort_pairs, knng_sort_values};
	for (int way = 0; way < 2; way++)
		for (int shape = 0; shape < 8; shape++) {
			bool fine = true;
			for (int64_t n = 0; n <= 200; n++)
				fine = fine && sorts(ways[way], shape, n);
			CHECK(fine && sorts(ways[way], shape, 4999), "sort %d, shape %d", way, shape);
		}
}

/* ---------------------------------------------------------------- metric.c */

static void
test_metrics(void)
{
	static const struct {
		const char *name, *alias;
		knng_prep prep;
		knng_sum sum;
		double of_half; /* the distance of the sum 0.5 */
	} table[] = {
		{"euclidean", NULL, KNNG_PREP_NONE, KNNG_SUM_MINUS, 0x1.6a09e667f3bcdp-1},
		{"sqeuclidean", "squaredeuclidean", KNNG_PREP_NONE, KNNG_SUM_MINUS, 0.5},
		{"cosine", NULL, KNNG_PREP_UNIT, KNNG_SUM_MINUS, 0.25},
		{"pearson", "correlation", KNNG_PREP_CENTRED, KNNG_SUM_MINUS, 0.25},
		{"abspearson", NULL, KNNG_PREP_CENTRED, KNNG_SUM_EITHER, 0.25},
		{"antipearson", NULL, KNNG_PREP_CENTRED, KNNG_SUM_PLUS, 0.25},
		{"spearman", NULL, KNNG_PREP_RANKED, KNNG_SUM_MINUS, 0.25},
		{"cityblock", "manhattan", KNNG_PREP_NONE, KNNG_SUM_L1, 0.5},
		{"chebychev", NULL, KNNG_PREP_NONE, KNNG_SUM_LINF, 0.5},
	};
	enum { ROWS = sizeof table / sizeof *table };
	int names = 0;
	for (int t = 0; t < ROWS; t++) {
		const knng_metric *m = knng_metric_find(table[t].name);
		CHECK(m == &knng_metrics[t] && m->prep == table[t].prep && m->sum == table[t].sum, "%s", table[t].name);
		CHECK(m != NULL && knng_map_sum(m, 0.5) == table[t].of_half && knng_map_sum(m, 0) == 0 &&
			      isinf(knng_map_sum(m, INFINITY)),
		      "%s", table[t].name);
		CHECK(m != NULL && knng_by_products(m) == (m->sum != KNNG_SUM_L1 && m->sum != KNNG_SUM_LINF), "%s",
		      table[t].name);
		CHECK(strcmp(knng_metric_name(names++), table[t].name) == 0, "%s", table[t].name);
		if (table[t].alias != NULL) {
			CHECK(strcmp(knng_metric_name(names++), table[t].alias) == 0, "%s", table[t].alias);
			CHECK(knng_metric_find(table[t].alias) == m, "%s", table[t].alias);
		}
	}
	CHECK(knng_metrics[ROWS].name == NULL, "end of the table");
	CHECK(knng_metric_name(names) == NULL && knng_metric_name(names + 5) == NULL && knng_metric_name(-1) == NULL,
	      "past the end");
	CHECK(knng_metric_find("PearSON") == knng_metric_find("pearson") &&
		      knng_metric_find("Manhattan") == knng_metric_find("cityblock"),
	      "case is ignored");
	CHECK(knng_metric_find("Corr") == &knng_metrics[3] && knng_metric_find("squared") == &knng_metrics[1] &&
		      knng_metric_find("eucl") == &knng_metrics[0] && knng_metric_find("pe") == &knng_metrics[3] &&
		      knng_metric_find("p") == NULL,
	      "abbreviations");
	CHECK(knng_metric_find("") == NULL && knng_metric_find("co") == NULL && knng_metric_find("S") == NULL &&
		      knng_metric_find("pearsonn") == NULL && knng_metric_find("l2") == NULL,
	      "unknown names");
	static const char *const wrong[][3] = {{"CO", "short for several", "cosine, correlation:"},
					       {"p", "too short for a name", "give more of pearson"},
					       {"l2", "did you mean 'euclidean'", "manhattan, chebychev"},
					       {"Linf", "did you mean 'chebychev'", "squaredeuclidean"},
					       {"pearsn", "did you mean 'pearson'", "spearman"},
					       {"xyzzy", "there is no metric 'xyzzy'; the", "cosine"}};
	for (size_t t = 0; t < sizeof wrong / sizeof *wrong; t++) {
		knng_err err = {0};
		CHECK(knng_metric_unknown(wrong[t][0], &err) == KNNG_EARGS && strcmp(err.id, "knng:args:metric") == 0 &&
			      strstr(err.text, wrong[t][1]) != NULL && strstr(err.text, wrong[t][2]) != NULL,
		      "%s", err.text);
	}
}

static void
test_nearest_name(void)
{
	const char *names[16];
	char longest[200];
	int n = 0;
	for (; knng_metric_name(n) != NULL; n++)
		names[n] = knng_metric_name(n);
	static const struct {
		const char *given, *nearest;
	} table[] = {
		{"euclidian", "euclidean"},
		{"eucldean", "euclidean"},
		{"PEARSN", "pearson"},
		{"pearson", "pearson"},
		{"cosin", "cosine"},
		{"citiblok", "cityblock"},
		{"chebyshev", "chebychev"},
		{"anti-pearson", "antipearson"},
		{"spearmann", "spearman"},
		{"xyz", NULL},
		{"", NULL},
		{"q", NULL},
		{"hamming", NULL},
		{"correlatoin", "correlation"},
	};
	for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
		const char *found = knng_nearest_name(table[t].given, names, n);
		CHECK((found == NULL) == (table[t].nearest == NULL) &&
			      (found == NULL || strcmp(found, table[t].nearest) == 0),
		      "'%s' gives '%s'", table[t].given, found ? found : "(none)");
	}
	memset(longest, 'e', sizeof longest - 1);
	longest[sizeof longest - 1] = 0;
	const char *one = longest;
	CHECK(knng_nearest_name(longest, names, n) == NULL, "a long name");
	CHECK(knng_nearest_name("euclidean", &one, 1) == NULL, "long candidates");
	CHECK(knng_nearest_name("euclidean", names, 0) == NULL, "no candidates");
}

/* ---------------------------------------------------------------- points.c */

typedef struct {
	int32_t *value;       /* of the rows, closing ranks */
	int32_t *as_given;    /* before */
	const uint64_t *hash; /* as given */
	int64_t moved;        /* the last move's target, -1 */
	bool fine;
} fake_rows;

static bool
fake_same(void *context, int64_t point, int64_t row)
{
	fake_rows *f = context;
	f->fine = f->fine && point < row && f->value[row] == f->as_given[row];
	return f->value[point] == f->value[row];
}

static void
fake_move(void *context, int64_t to, int64_t from)
{
	fake_rows *f = context;
	f->fine = f->fine && to < from && to > f->moved;
	f->moved = to;
	f->value[to] = f->value[from];
}

/* n rows with values below `values`, or, if that is 0, all different and known to be; a share of them without
 * distances; how: how hashes follow from values. */
static bool
groups_rows(int64_t n, int64_t values, int how, int without)
{
	knng_points p;
	int64_t live = knng_sys().live;
	if (knng_points_open(&p, n, NULL) != KNNG_OK)
		return false;
	uint64_t *hash = room(n, sizeof *hash);
	fake_rows f = {room(n, sizeof(int32_t)), room(n, sizeof(int32_t)), hash, -1, true};
	for (int64_t i = 0; i < n; i++) {
		uint64_t v = values > 0 ? (uint64_t)random_below(values) : (uint64_t)i;
		f.value[i] = f.as_given[i] = (int32_t)v;
		hash[i] = how == 0   ? v * 0x9e3779b97f4a7c15u
			  : how == 1 ? 42
			  : how == 2 ? v % 3
			  : how == 3 ? v << 40
				     : UINT64_MAX - v; /* runs around the end of the table */
		p.hash[i] = hash[i];
		if (random_below(100) < without)
			p.state[i] = random_below(2) ? KNNG_ROW_NONFINITE : KNNG_ROW_CONSTANT;
	}
	bool fine = true;
	if (values > 0)
		fine = knng_points_group(&p, &(knng_task){0}, fake_same, fake_move, &f, NULL) == KNNG_OK;
	else
		knng_points_apart(&p, fake_move, &f);
	fine = fine && f.fine && p.rows == n && p.hash == NULL;

	/* The same, row by row. */
	int64_t count = 0, *start = room(n, sizeof *start), members = 0;
	for (int64_t i = 0; i < n && fine; i++) {
		if (p.state[i] != KNNG_ROW_FINE) {
			fine = p.of_row[i] == -1;
			continue;
		}
		int64_t g = 0;
		while (g < count && f.as_given[start[g]] != f.as_given[i])
			g++;
		if (g == count)
			start[count++] = i;
		fine = p.of_row[i] == g && f.value[g] == f.as_given[i];
		members++;
	}
	fine = fine && p.count == count && p.first[0] == 0 && p.first[count] == members;
	for (int64_t g = 0; g < count && fine; g++) {
		fine = p.first[g] < p.first[g + 1] && p.member[p.first[g]] == start[g];
		for (int64_t m = p.first[g]; m < p.first[g + 1] && fine; m++)
			fine = p.of_row[p.member[m]] == g && (m == p.first[g] || p.member[m - 1] < p.member[m]);
	}
	knng_points_close(&p);
	fine = fine && p.member == NULL && p.count == 0;
	knng_points_close(&p);
	free(f.value);
	free(f.as_given);
	free(hash);
	free(start);
	return fine && knng_sys().live == live;
}

static volatile sig_atomic_t wants_to_stop;

static bool
stopping_same(void *context, int64_t point, int64_t row)
{
	int64_t *calls = context;
	(void)point, (void)row;
	wants_to_stop = ++*calls == 10 ? SIGINT : wants_to_stop;
	return true;
}

/* Rows are compared no more once the user wants to stop. */
static void
test_points_stop(void)
{
	int64_t live = knng_sys().live, calls = 0;
	knng_task task = {.interrupt = &wants_to_stop};
	knng_points p;
	knng_err err = {0};
	if (knng_points_open(&p, 1000, NULL) != KNNG_OK)
		abort();
	memset(p.hash, 0, 1000 * sizeof *p.hash);
	wants_to_stop = 0;
	knng_status status = knng_points_group(&p, &task, stopping_same, NULL, &calls, &err);
	CHECK(status == KNNG_EINTERRUPTED && calls == 10 && strcmp(err.id, "knng:interrupted") == 0,
	      "Ctrl-C while rows are grouped: %lld calls, %s", (long long)calls, err.id);
	knng_points_close(&p);
	CHECK(knng_sys().live == live, "a grouping that was stopped leaves nothing");
	wants_to_stop = 0;
}

static void
test_points(void)
{
	test_points_stop();
	static const char *const hows[] = {"good hashes", "one hash", "three hashes", "equal low bits", "high ends"};
	for (int how = 0; how < 5; how++) {
		bool fine = true;
		for (int64_t n = 1; n < 70; n++)
			for (int64_t values = 0; values <= 2 * n; values = 2 * values + 1)
				fine = fine && groups_rows(n, values, how, (int)(n % 3) * 20);
		CHECK(fine, "points, %s", hows[how]);
		CHECK(groups_rows(4000, how == 1 ? 30 : 900, how, 10), "many rows, %s", hows[how]);
		CHECK(groups_rows(500, 1, how, 0), "all equal, %s", hows[how]);
		CHECK(groups_rows(300, 5, how, 100), "none has distances, %s", hows[how]);
	}
	/* What open and group take. */
	for (int64_t n = 1; n <= 40000; n = 3 * n + 1) {
		knng_sys_mark_peak();
		int64_t before = knng_sys().bytes;
		bool fine = groups_rows(n, n, 0, 0);
		CHECK(fine && (double)(knng_sys().peak - before) <= knng_points_bytes(n), "%lld rows", (long long)n);
	}
	/* A failure of each of its allocations. */
	for (int nth = 1; nth <= 5; nth++) {
		knng_points p;
		knng_err err = {0};
		int64_t live = knng_sys().live;
		knng_sys_fail_at(nth);
		CHECK(knng_points_open(&p, 100, &err) == KNNG_EMEMORY && err.text[0] != 0 && knng_sys().live == live &&
			      p.member == NULL,
		      "allocation %d", nth);
	}
	knng_sys_fail_at(0);
}

/* ---------------------------------------------------------------- source.c */

static bool
gathers(knng_type type, int64_t n, int64_t d, int layout, int64_t first, int64_t count)
{
	int64_t rs = layout == 0 ? d : layout == 1 ? 1 : 3 * d + 5, cs = layout == 0 ? 1 : layout == 1 ? n : 3;
	int64_t elements = (n - 1) * rs + (d - 1) * cs + 1, ld = up(d, 8);
	void *data = room(elements, type == KNNG_F32 ? 4 : 8);
	double *rows = room(count * ld, sizeof *rows);
	for (int64_t e = 0; e < elements; e++) {
		double x = e % 17 == 0 ? -0.0 : e % 19 == 0 ? NAN : ldexp(random_normal(), (int)random_below(50) - 25);
		if (type == KNNG_F32)
			((float *)data)[e] = e % 23 == 0 ? FLT_TRUE_MIN : (float)x;
		else
			((double *)data)[e] = e % 23 == 0 ? DBL_TRUE_MIN : x;
	}
	memset(rows, 0xff, (size_t)(count * ld) * sizeof *rows);
	knng_matrix matrix = {.n = n, .d = d, .type = type, .data = data, .row_stride = rs, .col_stride = cs};
	knng_source_rows(&matrix, first, count, rows, ld);
	bool fine = true;
	for (int64_t r = 0; r < count; r++)
		for (int64_t l = 0; l < ld; l++) {
			int64_t at = (first + r) * rs + l * cs;
			double want = l >= d ? 0 : type == KNNG_F32 ? ((float *)data)[at] : ((double *)data)[at];
			double got = rows[r * ld + l];
			fine = fine && (isnan(want) ? isnan(got) : bits_of(got) == bits_of(want));
		}
	free(data);
	free(rows);
	return fine;
}

static void
test_source(void)
{
	static const int64_t columns[] = {1, 2, 7, 8, 9, 15, 16, 17, 40, 101};
	for (int type = KNNG_F64; type <= KNNG_F32; type++)
		for (int layout = 0; layout < 3; layout++) {
			bool fine = true;
			for (size_t t = 0; t < sizeof columns / sizeof *columns; t++) {
				fine = fine && gathers((knng_type)type, 13, columns[t], layout, 0, 13) &&
				       gathers((knng_type)type, 13, columns[t], layout, 5, 6) &&
				       gathers((knng_type)type, 13, columns[t], layout, 12, 1) &&
				       gathers((knng_type)type, 1, columns[t], layout, 0, 1) &&
				       gathers((knng_type)type, 13, columns[t], layout, 3, 0);
			}
			CHECK(fine, "type %d, layout %d", type, layout);
		}
}

/* ---------------------------------------------------------------- sink.c */

typedef struct {
	int64_t n, m, k; /* m: queries, 0 in a graph */
	int64_t values;  /* points, about */
	int levels;      /* different distances */
	double self;     /* of every point to itself */
	knng_output out; /* types and base; strides are chosen by `by_column` */
	bool by_column;
} sinking;

static void
group_random(knng_points *p, int64_t n, int64_t values)
{
	fake_rows f = {room(n, sizeof(int32_t)), room(n, sizeof(int32_t)), NULL, -1, true};
	if (knng_points_open(p, n, NULL) != KNNG_OK)
		abort();
	for (int64_t i = 0; i < n; i++) {
		f.value[i] = f.as_given[i] = (int32_t)random_below(values);
		p->hash[i] = (uint64_t)f.value[i];
		if (random_below(10) == 0)
			p->state[i] = KNNG_ROW_CONSTANT;
	}
	if (knng_points_group(p, &(knng_task){0}, fake_same, fake_move, &f, NULL) != KNNG_OK)
		abort();
	free(f.value);
	free(f.as_given);
}

/* Random points at random distances: the answer of every row, from its definition. */
static bool
sinks(sinking s)
{
	static const double level[] = {0.5, 0, 1, INFINITY, DBL_TRUE_MIN, 2, 0.1, 3};
	bool graph = s.m == 0, fine = true;
	knng_points x, y = {0};
	group_random(&x, s.n, s.values);
	if (!graph)
		group_random(&y, s.m, s.values);
	int64_t m = graph ? s.n : s.m, most = graph ? s.n - 1 : s.n;
	knng_plan plan = {.k = s.k < most ? s.k : most, .m = m};
	int64_t k = plan.k, stride = 3, cells = m * k * stride;
	knng_output out = s.out;
	out.row_stride = s.by_column ? 1 : k * stride;
	out.col_stride = s.by_column ? m : stride;
	out.idx = room(cells, 8);
	memset(out.idx, 0xa5, (size_t)cells * 8);
	bool wanted = random_below(8) != 0;
	double *dist = room(cells, sizeof *dist);
	memset(dist, 0xa5, (size_t)cells * sizeof *dist);
	out.dist = wanted ? dist : NULL;

	knng_search w = {.plan = &plan, .out = &out, .x = x, .y = y};
	w.query = graph ? &w.x : &w.y;
	int64_t others = graph ? x.count - 1 : x.count;
	w.k = k < others ? k : others < 0 ? 0 : others;
	knng_pair *all = room(s.n, sizeof *all), *rows = room(s.n, sizeof *rows);
	int32_t *scratch = room(knng_sink_scratch(&plan), sizeof *scratch);
	for (int64_t p = 0; p < w.query->count; p++) {
		double to[512];
		int64_t n = 0;
		for (int64_t o = 0; o < x.count; o++) {
			to[o] = graph && o == p ? s.self : level[random_below(s.levels)];
			if (!graph || o != p)
				all[n++] = (knng_pair){to[o], (int32_t)o};
		}
		qsort(all, (size_t)n, sizeof *all, compare_pairs);
		knng_pair *nearest = room(w.k, sizeof *nearest);
		memcpy(nearest, all, (size_t)w.k * sizeof *nearest);
		knng_sink(&w, (int32_t)p, nearest, s.self, scratch);
		free(nearest);

		for (int64_t q = w.query->first[p]; q < w.query->first[p + 1]; q++) {
			int64_t row = w.query->member[q];
			n = 0;
			for (int64_t j = 0; j < s.n; j++)
				if (x.of_row[j] >= 0 && !(graph && j == row))
					rows[n++] = (knng_pair){to[x.of_row[j]], (int32_t)j};
			qsort(rows, (size_t)n, sizeof *rows, compare_pairs);
			for (int64_t c = 0; c < k; c++) {
				int64_t at = row * out.row_stride + c * out.col_stride;
				double want = c < n ? rows[c].distance : NAN;
				int64_t index = (c < n ? rows[c].index : -1) + out.index_base;
				fine = fine && (out.idx_type == KNNG_F64 ? ((double *)out.idx)[at] == (double)index
									 : ((int64_t *)out.idx)[at] == index);
				if (!wanted)
					continue;
				double got = out.dist_type == KNNG_F32 ? ((float *)out.dist)[at] : dist[at];
				if (out.dist_type == KNNG_F32)
					want = (float)want;
				fine = fine && (isnan(want) ? isnan(got) : got == want);
				fine = fine && (!isnan(want) || out.dist_type == KNNG_F32 ||
						bits_of(got) == 0x7FF8000000000000u);
			}
		}
	}
	for (int64_t i = 0; i < m; i++) {
		if (w.query->of_row[i] >= 0)
			continue;
		knng_sink_empty(&w, i);
		for (int64_t c = 0; c < k; c++) {
			int64_t at = i * out.row_stride + c * out.col_stride;
			fine = fine && (out.idx_type == KNNG_F64 ? ((double *)out.idx)[at] == (double)out.index_base - 1
								 : ((int64_t *)out.idx)[at] == out.index_base - 1);
			fine = fine && (!wanted ||
					(out.dist_type == KNNG_F32 ? isnan(((float *)out.dist)[at]) : isnan(dist[at])));
		}
	}
	/* Nothing is written beside the cells. */
	uint64_t untouched;
	memset(&untouched, 0xa5, sizeof untouched);
	for (int64_t e = 0; e < cells; e++)
		if (s.by_column ? e >= m * k : e % stride != 0)
			fine = fine && ((uint64_t *)out.idx)[e] == untouched;
	free(out.idx);
	free(dist);
	free(all);
	free(rows);
	free(scratch);
	knng_points_close(&x);
	knng_points_close(&y);
	return fine;
}

static void
test_sink(void)
{
	static const double selves[] = {0, 0.5, 2, 0.7, INFINITY};
	for (int mode = 0; mode < 2; mode++) /* graph, search */
		for (size_t f = 0; f < sizeof selves / sizeof *selves; f++)
			for (int levels = 1; levels <= 8; levels += levels < 3 ? 1 : 5) {
				bool fine = true;
				for (int t = 0; t < 150; t++) {
					sinking s = {
						.n = 1 + random_below(60),
						.m = mode ? 1 + random_below(20) : 0,
						.k = 1 + random_below(t % 3 ? 8 : 70),
						.values = 1 + random_below(t % 2 ? 60 : 6),
						.levels = levels,
						.self = selves[f],
						.out = {.idx_type = t % 2 ? KNNG_F64 : KNNG_I64,
							.index_base = t % 5 == 0,
							.dist_type = t % 4 ? KNNG_F64 : KNNG_F32},
						.by_column = t % 7 < 3,
					};
					fine = fine && sinks(s);
				}
				CHECK(fine, "mode %d, own group at %g, %d distances", mode, selves[f], levels);
			}
	/* Long runs of ties between large groups: the scratch of 3k + 16 rows is enough. */
	for (int64_t k = 1; k <= 300; k = 2 * k + 1)
		for (int levels = 1; levels <= 2; levels++)
			for (int64_t values = 1; values <= 300; values *= 6) {
				sinking s = {.n = 400, .k = k, .values = values, .levels = levels, .self = 0.5};
				CHECK(sinks(s), "k = %lld, %lld points, %d distances", (long long)k, (long long)values,
				      levels);
			}
}

/* ---------------------------------------------------------------- adjacency.c */

static bool
fills(int64_t n, int64_t k, knng_type type)
{
	static const double some[] = {0, 1, DBL_MIN, DBL_TRUE_MIN, 2.5, 1e300, INFINITY};
	double *idx = room(n * k, sizeof *idx), *dense = calloc((size_t)(n * n), sizeof *dense);
	void *dist = room(n * k, type == KNNG_F32 ? 4 : 8);
	int64_t want = 0, edges = -1;
	bool fine = dense != NULL;
	for (int64_t i = 0; i < n && fine; i++) {
		int64_t skip = random_below(3);
		for (int64_t c = 0; c < k; c++) {
			int64_t j = random_below(n);
			bool none = random_below(4) < skip || dense[j * n + i] != 0;
			double d = some[random_below(7)];
			idx[c * n + i] = none ? 0 : (double)(j + 1);
			if (none)
				d = NAN;
			if (type == KNNG_F32) {
				((float *)dist)[c * n + i] = (float)d;
				d = (float)d;
			} else {
				((double *)dist)[c * n + i] = d;
			}
			if (!none) {
				dense[j * n + i] = d > DBL_MIN ? d : DBL_MIN;
				want++;
			}
		}
	}
	knng_output table = {
		.idx = idx, .index_base = 1, .dist = dist, .dist_type = type, .row_stride = 1, .col_stride = n};
	fine = fine && knng_adjacency_count(&plainly, &table, n, k, n, &edges, NULL) == KNNG_OK && edges == want;
	size_t *start = room(n + 1, sizeof *start), *row = room(want, sizeof *row);
	double *value = room(want, sizeof *value);
	knng_sparse A = {.rows = n, .columns = n, .start = start, .row = row, .value = value};
	fine = fine && knng_adjacency_fill(&plainly, &table, n, k, &A, NULL) == KNNG_OK;
	knng_adjacency_weigh(&plainly, &A, &(knng_weighing){.of = knng_weights->length}, NULL);
	fine = fine && start[0] == 0 && start[n] == (size_t)want;
	for (int64_t j = 0; j < n && fine; j++)
		for (size_t e = start[j]; e < start[j + 1] && fine; e++) {
			fine = (e == start[j] || row[e - 1] < row[e]) && (int64_t)row[e] < n &&
			       value[e] == dense[j * n + (int64_t)row[e]];
			dense[j * n + (int64_t)row[e]] = 0;
		}
	for (int64_t e = 0; e < n * n && fine; e++)
		fine = dense[e] == 0; /* all of them were there */
	free(idx);
	free(dense);
	free(dist);
	free(start);
	free(row);
	free(value);
	return fine;
}

/* Weights of pairs of lists and of scales, against loops over all nodes. */
static bool
weighs(int64_t n, int64_t k)
{
	size_t *start[2], *row[2];
	double *value[2], *scale = room(n, sizeof *scale), median = 0;
	knng_sparse G[2]; /* D, and T whose column i has the neighbours of i */
	for (int g = 0; g < 2; g++) {
		start[g] = room(n + 1, sizeof(size_t));
		row[g] = room(n * k, sizeof(size_t));
		value[g] = room(n * k, sizeof(double));
		G[g] = (knng_sparse){n, n, start[g], row[g], value[g]};
	}
	for (int64_t i = 0; i < n; i++) {
		start[1][i] = (size_t)(i * k);
		for (int64_t c = 0; c < k; c++) {
			row[1][i * k + c] =
				(size_t)(c == 0 ? random_below(n - k + 1) : (int64_t)row[1][i * k + c - 1] + 1);
			value[1][i * k + c] = (double)random_below(4);
		}
	}
	start[1][n] = (size_t)(n * k);
	knng_sparse_transpose(&plainly, &G[1], &G[0], NULL);
	uint8_t *marks = calloc((size_t)knng_task_threads(&plainly), (size_t)n);
	bool fine = marks != NULL && knng_neighbour_scales(&plainly, &G[0], &G[1], 2, scale, NULL) == KNNG_OK &&
		    knng_median_distance(&plainly, &G[0], &median, NULL) == KNNG_OK;
	int64_t below = 0, upto = 0, positive = 0;
	for (int64_t e = 0; e < n * k; e++) {
		positive += value[0][e] > 0;
		below += value[0][e] > 0 && value[0][e] < median;
		upto += value[0][e] > 0 && value[0][e] <= median;
	}
	fine = fine && (positive == 0 ? median == 1 : below < (positive + 1) / 2 && upto >= (positive + 1) / 2);
	for (const knng_weight *w = knng_weights; w->name != NULL && fine; w++) {
		knng_weighing of = {.of = w->length, .scale = scale};
		double *before = room(n * k, sizeof *before);
		memcpy(before, value[0], (size_t)(n * k) * sizeof *before);
		if (w->takes == KNNG_TAKES_LISTS) {
			of.lists = &G[1];
			of.marks = marks;
		}
		knng_adjacency_weigh(&plainly, &G[0], &of, NULL);
		for (int64_t j = 0; j < n && fine; j++)
			for (size_t e = start[0][j]; e < start[0][j + 1] && fine; e++) {
				int64_t i = (int64_t)row[0][e], first = (int64_t)row[1][i * k];
				int64_t apart = llabs(first - (int64_t)row[1][j * k]); /* lists are runs */
				double shared = apart < k ? (double)(k - apart) : 0, d = before[e], want;
				want = strcmp(w->name, "snn") == 0          ? shared
				       : strcmp(w->name, "jaccard") == 0    ? shared / (2 * (double)k - shared)
				       : strcmp(w->name, "gaussian") == 0   ? exp(-(d / scale[i]) * (d / scale[j]))
				       : strcmp(w->name, "binary") == 0     ? 1
				       : strcmp(w->name, "similarity") == 0 ? 1 / (1 + d)
									    : d;
				fine = value[0][e] == fmax(want, DBL_MIN);
			}
		memcpy(value[0], before, (size_t)(n * k) * sizeof *before);
		free(before);
	}
	for (int64_t i = 0; i < n && fine; i++) {
		double least = INFINITY, second = value[1][i * k], least_of_all;
		for (int64_t c = 0; c < k; c++) {
			int64_t nearer = 0;
			for (int64_t b = 0; b < k; b++)
				nearer += value[1][i * k + b] < value[1][i * k + c] ||
					  (value[1][i * k + b] == value[1][i * k + c] && b < c);
			second = nearer == (k > 1) ? value[1][i * k + c] : second;
			least = value[1][i * k + c] > 0 ? fmin(least, value[1][i * k + c]) : least;
		}
		for (size_t e = start[0][i]; e < start[0][i + 1]; e++)
			least = value[0][e] > 0 ? fmin(least, value[0][e]) : least;
		least_of_all = least < INFINITY ? least : 1;
		fine = scale[i] == (second > 0 ? second : least_of_all);
	}
	for (int g = 0; g < 2; g++) {
		free(start[g]);
		free(row[g]);
		free(value[g]);
	}
	free(scale);
	free(marks);
	return fine;
}

/* Lists of unequal lengths: the shorter one of two is read. */
static bool
star_weights(void)
{
	size_t start[] = {0, 1, 3, 4, 7}, row[] = {3, 2, 3, 3, 0, 1, 2, 3}; /* the last is in no list */
	double value[] = {1, 1, 1, 1, 1, 1, 1};
	const double want[] = {DBL_MIN, 1, 1, DBL_MIN, DBL_MIN, 1, DBL_MIN};
	knng_sparse A = {4, 4, start, row, value};
	const knng_weight *snn = knng_weights;
	while (strcmp(snn->name, "snn") != 0)
		snn++;
	uint8_t *marks = calloc((size_t)knng_task_threads(&plainly), 4);
	if (marks == NULL)
		return false;
	knng_adjacency_weigh(&plainly, &A, &(knng_weighing){.of = snn->length, .lists = &A, .marks = marks}, NULL);
	free(marks);
	return memcmp(value, want, sizeof want) == 0;
}

/* A table of n rows of k neighbours or fewer, row by row; every row lists the node 0. */
static knng_output
table_of(int64_t n, int64_t k, int32_t *idx, float *dist)
{
	for (int64_t i = 0; i < n; i++)
		for (int64_t c = 0; c < k; c++) {
			int64_t low = c * n / k, high = (c + 1) * n / k;
			bool none = c > 0 && random_below(8) < i % 8;
			idx[i * k + c] = c == 0 ? 0 : none ? -1 : (int32_t)(low + random_below(high - low));
			dist[i * k + c] = (float)random_below(1000) / 8;
		}
	return (knng_output){.idx = idx,
			     .idx_type = KNNG_I32,
			     .dist = dist,
			     .dist_type = KNNG_F32,
			     .row_stride = k,
			     .col_stride = 1};
}

static bool
same_sparse(const knng_sparse *A, const knng_sparse *B)
{
	size_t n = (size_t)A->columns, entries = A->start[n];
	return A->rows == B->rows && A->columns == B->columns &&
	       memcmp(A->start, B->start, (n + 1) * sizeof *A->start) == 0 &&
	       memcmp(A->row, B->row, entries * sizeof *A->row) == 0 &&
	       memcmp(A->value, B->value, entries * sizeof *A->value) == 0;
}

/* Tables and transposes become the same bytes by any number of threads, and of several faults the same one is named:
 * as by one thread, which plain loops have checked elsewhere. */
static void
same_by_any_threads(int64_t n, int64_t k)
{
	knng_sparse G[2][3]; /* by one thread, by some: the table's columns, its transpose, the union of both */
	int32_t *idx = room(n * k, sizeof *idx);
	float *dist = room(n * k, sizeof *dist);
	knng_output table = table_of(n, k, idx, dist);
	const knng_weighing distance = {.of = knng_weights->length};
	for (int i = 0; i < 6; i++)
		G[i / 3][i % 3] = (knng_sparse){.rows = n,
						.columns = n,
						.start = room(n + 1, sizeof(size_t)),
						.row = room(2 * n * k, sizeof(size_t)),
						.value = room(2 * n * k, sizeof(double))};
	/* A table of one row takes no more than that row, one of few neighbours a quarter of its entries. */
	double one = knng_fill_bytes(&(knng_task){.threads = 8}, 1, 1 << 20, 1 << 20, 1 << 20);
	double few = knng_fill_bytes(&(knng_task){.threads = 8}, 1 << 20, 8, 1 << 23, 1 << 20);
	CHECK(one == 24.0 * (1 << 20), "a row takes %g bytes", one);
	CHECK(few <= 4.0 * (1 << 23) + 8 * 16 * 16 * 8, "few neighbours take %g bytes", few);
	for (int threads = 1; threads <= 8; threads++) {
		knng_task task = {.threads = threads};
		knng_sparse *D = G[threads > 1], *T = D + 1, *U = D + 2;
		int64_t edges = 0;
		bool fine = knng_adjacency_count(&task, &table, n, k, n, &edges, NULL) == KNNG_OK &&
			    knng_adjacency_fill(&task, &table, n, k, D, NULL) == KNNG_OK &&
			    knng_sparse_transpose(&task, D, T, NULL) == KNNG_OK &&
			    knng_symmetric_count(&task, D, T, KNNG_UNION, U->start, NULL) == KNNG_OK &&
			    knng_symmetric_fill(&task, D, T, KNNG_UNION, &distance, U, NULL) == KNNG_OK;
		fine = fine && edges == (int64_t)D->start[n];
		for (int g = 0; g < 3; g++)
			CHECK(fine && same_sparse(&G[0][g], &G[threads > 1][g]), "%lld x %lld, %d threads, matrix %d",
			      (long long)n, (long long)k, threads, g);
	}
	for (int64_t i = n / 2; i < n; i++) {
		idx[i * k + 1] = (int32_t)i;
		idx[i * k + 2] = (int32_t)i;
	}
	for (int threads = 1; threads <= 8; threads++) {
		knng_err err = {0};
		char want[80];
		int64_t edges, first = n / 2 + 1;
		snprintf(want, sizeof want, "row %lld of idx lists row %lld twice", (long long)first, (long long)first);
		knng_task task = {.threads = threads};
		CHECK(knng_adjacency_fill(&task, &table, n, k, &G[1][0], &err) == KNNG_EARGS &&
			      strcmp(err.text, want) == 0,
		      "twice, %d threads: %s", threads, err.text);
		for (int64_t i = n / 2; i < n; i++)
			dist[i * k] = -1;
		idx[2] = 1;
		dist[2] = -1; /* of a row before them, but behind in the table */
		snprintf(want, sizeof want, "dist(%lld,1) is -1, ", (long long)first);
		CHECK(knng_adjacency_count(&task, &table, n, k, n, &edges, &err) == KNNG_EARGS &&
			      strncmp(err.text, want, strlen(want)) == 0,
		      "negative, %d threads: %s", threads, err.text);
	}
	for (int i = 0; i < 6; i++) {
		free(G[i / 3][i % 3].start);
		free(G[i / 3][i % 3].row);
		free(G[i / 3][i % 3].value);
	}
	free(idx);
	free(dist);
}

static void
test_adjacency(void)
{
	bool fine = true;
	CHECK(star_weights(), "weights of a star");
	for (int t = 0; t < 200; t++)
		fine = fine && fills(1 + random_below(30), random_below(12), t % 2 ? KNNG_F32 : KNNG_F64);
	CHECK(fine, "against a full matrix");
	for (int64_t n = 2; n <= 60; n *= 3)
		for (int64_t k = 1; k <= 9 && k < n; k += 2)
			CHECK(weighs(n, k), "weights, %lld nodes, %lld neighbours", (long long)n, (long long)k);
	CHECK(weighs(30000, 5), "weights, on several threads");
	same_by_any_threads(3001, 17);
	same_by_any_threads(2500, 4);
	static const double bad[] = {-1, 0.5, 4, 3.0000000001, 1e300, -1e300, INFINITY, -INFINITY, NAN};
	for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
		double idx[6] = {1, 2, 3, 3, 1, 0};
		double dist[6] = {0};
		knng_output table = {.idx = idx, .index_base = 1, .dist = dist, .row_stride = 1, .col_stride = 3};
		int64_t edges;
		CHECK(knng_adjacency_count(&plainly, &table, 3, 2, 3, &edges, NULL) == KNNG_OK && edges == 5,
		      "good indices");
		dist[b % 5] = b % 2 ? -1 : NAN;
		CHECK(knng_adjacency_count(&plainly, &table, 3, 2, 3, &edges, NULL) == KNNG_EARGS, "a bad distance");
		dist[b % 5] = 0;
		idx[b % 6] = bad[b];
		CHECK(knng_adjacency_count(&plainly, &table, 3, 2, 3, &edges, NULL) == KNNG_EARGS, "index %g", bad[b]);
	}
}

/* ---------------------------------------------------------------- forest.c */

/* Kruskal's algorithm on all pairs, with parts that are named anew at each join. */
static int64_t
plain_forest(int64_t n, const double *dense, int32_t *part, knng_tree_edge *tree)
{
	int64_t edges = 0;
	for (int32_t i = 0; i < n; i++)
		part[i] = i;
	for (;;) {
		knng_tree_edge least = {INFINITY, -1, -1};
		for (int32_t i = 0; i < n; i++)
			for (int32_t j = i + 1; j < n; j++) {
				double d = fmin(dense[i * n + j], dense[j * n + i]);
				if (part[i] != part[j] && !isnan(d) && (least.i < 0 || d < least.d))
					least = (knng_tree_edge){d, i, j};
			}
		if (least.i < 0)
			break;
		tree[edges++] = least;
		for (int32_t i = 0, to = part[least.i], from = part[least.j]; i < n; i++)
			if (part[i] == from)
				part[i] = to;
	}
	return edges;
}

static bool
same_forest(int64_t n, int64_t each)
{
	static const double some[] = {0, 1, DBL_MIN, DBL_TRUE_MIN, 2.5, 1e300, INFINITY};
	double *dense = room(n * n, sizeof *dense), *value = room(n * n, sizeof *value);
	size_t *start = room(n + 1, sizeof *start), *row = room(n * n, sizeof *row), entries = 0;
	int32_t *part = room(n, sizeof *part), *want_part = room(n, sizeof *want_part);
	knng_tree_edge *tree = room(n, sizeof *tree), *want = room(n, sizeof *want);
	for (int64_t j = 0; j < n; j++) {
		start[j] = entries;
		for (int64_t i = 0; i < n; i++) {
			double d = some[random_below(7)];
			dense[i * n + j] = NAN;
			if (random_below(n) < each) {
				row[entries] = (size_t)i;
				value[entries++] = d;
				dense[i * n + j] = d > DBL_MIN ? d : 0;
			}
		}
	}
	start[n] = entries;
	knng_sparse A = {.rows = n, .columns = n, .start = start, .row = row, .value = value};
	int64_t edges = -1, parts = -1, want_edges = plain_forest(n, dense, want_part, want);
	bool fine =
		knng_forest(&plainly, &A, NULL, NULL, part, NULL, tree, &edges, NULL) == KNNG_OK && edges == want_edges;
	for (int64_t e = 0; e < edges && fine; e++)
		fine = tree[e].d == want[e].d && tree[e].i == want[e].i && tree[e].j == want[e].j;
	knng_components(&plainly, &A, part, &parts, NULL);
	fine = fine && parts == n - edges;
	for (int64_t i = 0, seen = 0; i < n && fine; i++) {
		fine = part[i] <= seen;
		seen += part[i] == seen;
		for (int64_t j = 0; j < i && fine; j++)
			fine = (part[i] == part[j]) == (want_part[i] == want_part[j]);
	}
	for (int64_t nth = 1; nth <= 2 && fine; nth++) { /* without memory */
		int64_t live = knng_sys().live;
		knng_err err = {0};
		knng_sys_fail_at(nth);
		fine = knng_forest(&plainly, &A, NULL, NULL, part, NULL, tree, &edges, &err) == KNNG_EMEMORY &&
		       strcmp(err.id, "knng:memory:host") == 0 && knng_sys().live == live;
		knng_sys_fail_at(0);
	}
	free(dense);
	free(value);
	free(start);
	free(row);
	free(part);
	free(want_part);
	free(tree);
	free(want);
	return fine;
}

/* The graph of the k nearest neighbours of points in a plane (cityblock); dense gets all distances. Rows of lists are
 * columns of `to`, ascending. */
static void
near_graph(int64_t n, int64_t k, const double *x, double *dense, knng_sparse *to)
{
	size_t entries = 0;
	for (int64_t i = 0; i < n; i++) {
		to->start[i] = entries;
		for (int64_t j = 0; j < n; j++)
			dense[i * n + j] = i == j ? NAN : fabs(x[i] - x[j]) + fabs(x[n + i] - x[n + j]);
		for (int64_t j = 0; j < n; j++) {
			int64_t nearer = 0;
			for (int64_t other = 0; other < n; other++)
				nearer += dense[i * n + other] < dense[i * n + j] ||
					  (dense[i * n + other] == dense[i * n + j] && other < j);
			if (i != j && nearer < k) {
				to->row[entries] = (size_t)j;
				to->value[entries++] = dense[i * n + j];
			}
		}
	}
	to->start[n] = entries;
}

/* From short lists, proven edges of the forest of all pairs plainly, and with longer ones from there on all of them;
 * and clusters that are those of complete lists unless a list is said to be wanting. */
static bool
grows(int64_t n, int64_t k, int64_t places)
{
	double *x = room(2 * n, sizeof *x), *dense = room(n * n, sizeof *dense), *reach = room(n, sizeof *reach);
	int32_t *part = room(n, sizeof *part), *start = room(n, sizeof *start), *want_part = room(n, sizeof *want_part);
	knng_tree_edge *tree = room(n, sizeof *tree), *want = room(n, sizeof *want), *rest = room(n, sizeof *rest);
	uint8_t *kept = room(n, 1), *want_kept = room(n, 1), *wanting = room(n, 1);
	size_t *starts[3], *rows[3];
	double *values[3];
	knng_sparse graph[3]; /* short lists, their transpose, all pairs (which is its own) */
	for (int g = 0; g < 3; g++) {
		graph[g].rows = graph[g].columns = n;
		graph[g].start = starts[g] = room(n + 1, sizeof(size_t));
		graph[g].row = rows[g] = room(n * n, sizeof(size_t));
		graph[g].value = values[g] = room(n * n, sizeof(double));
	}
	for (int64_t i = 0; i < n; i++) { /* dense here, sparse there */
		double width = random_below(3) == 0 ? 40 : 1;
		x[i] = width * (double)random_below(places);
		x[n + i] = width * (double)random_below(places);
	}
	near_graph(n, n, x, dense, &graph[2]);
	near_graph(n, k, x, dense, &graph[0]);
	knng_sparse_transpose(&plainly, &graph[0], &graph[1], NULL);
	for (int64_t i = 0; i < n; i++) {
		reach[i] = k < n - 1 ? 0 : INFINITY;
		for (size_t e = starts[0][i]; e < starts[0][i + 1] && k < n - 1; e++)
			reach[i] = fmax(reach[i], values[0][e]);
	}
	int64_t edges, more, all = plain_forest(n, dense, want_part, want), at = 0;
	knng_err err;
	bool fine = knng_forest(&plainly, &graph[1], reach, NULL, start, NULL, tree, &edges, &err) == KNNG_OK;
	for (int64_t e = 0; e < edges && fine; e++, at++) { /* in the same order, with gaps */
		while (at < all && (want[at].i != tree[e].i || want[at].j != tree[e].j || want[at].d != tree[e].d))
			at++;
		fine = at < all;
	}
	for (int64_t i = 0; i < n; i++)
		reach[i] = INFINITY;
	fine = fine && knng_forest(&plainly, &graph[2], reach, start, part, x, rest, &more, &err) == KNNG_OK &&
	       edges + more == all && (n < 2 || (part[n - 1] == 0 && isinf(x[0])));

	int64_t rule = random_below(4) - 1;
	fine = fine && knng_mstknn(&plainly, &graph[0], want, all, rule, kept, part, wanting, &err) == KNNG_OK;
	bool short_of = false;
	for (int64_t i = 0; i < n; i++)
		short_of = short_of || wanting[i];
	fine = fine &&
	       knng_mstknn(&plainly, &graph[2], want, all, rule, want_kept, want_part, wanting, &err) == KNNG_OK;
	for (int64_t e = 0; e < all && fine; e++)
		fine = short_of || (kept[e] == want_kept[e]);
	for (int64_t i = 0; i < n && fine; i++)
		fine = !wanting[i] && (short_of || part[i] == want_part[i]);
	for (int64_t nth = 1; nth <= 6 && fine; nth++) { /* without memory */
		int64_t live = knng_sys().live;
		knng_sys_fail_at(nth);
		fine = knng_mstknn(&plainly, &graph[0], want, all, rule, kept, part, wanting, &err) == KNNG_EMEMORY &&
		       knng_sys().live == live;
		knng_sys_fail_at(0);
	}
	for (int g = 0; g < 3; g++) {
		free(starts[g]);
		free(rows[g]);
		free(values[g]);
	}
	void *others[] = {x, dense, reach, part, start, want_part, tree, want, rest, kept, want_kept, wanting};
	for (size_t o = 0; o < sizeof others / sizeof *others; o++)
		free(others[o]);
	return fine;
}

static void
test_forest(void)
{
	for (int64_t n = 1; n <= 64; n = n < 8 ? n + 1 : 2 * n)
		for (int64_t each = 0; each <= 5; each++) {
			bool fine = true;
			for (int t = 0; t < 20; t++)
				fine = fine && same_forest(n, each);
			CHECK(fine, "%lld nodes, %lld edges each", (long long)n, (long long)each);
		}
	for (int64_t n = 1; n <= 60; n = n < 4 ? n + 1 : 2 * n + 1)
		for (int64_t places = 2; places <= 2000; places *= 10) {
			bool fine = true;
			for (int t = 0; t < 40; t++)
				fine = fine && grows(n, 1 + random_below(n < 8 ? n : 8), places);
			CHECK(fine, "%lld nodes on %lld places", (long long)n, (long long)places);
		}
}

/* ---------------------------------------------------------------- walk.c */

static void
test_times(int64_t rows, int64_t columns, int64_t each)
{
	size_t *start = room(columns + 1, sizeof *start), *row = room(columns * each, sizeof *row), entries = 0;
	double *value = room(columns * each, sizeof *value), *x = room(rows, sizeof *x), *y = room(columns, sizeof *y);
	for (int64_t i = 0; i < rows; i++)
		x[i] = ldexp((double)random_below(1 << 20) - (1 << 19), (int)random_below(60) - 30);
	for (int64_t j = 0; j < columns; j++) {
		start[j] = entries;
		for (int64_t e = random_below(each + 1); e > 0; e--) {
			row[entries] = (size_t)random_below(rows);
			value[entries++] = 1 / (double)(1 + random_below(1000));
		}
	}
	start[columns] = entries;
	knng_sparse A = {.rows = rows, .columns = columns, .start = start, .row = row, .value = value};
	for (int threads = 1; threads <= 3; threads += 2) {
		knng_task task = {.threads = threads};
		knng_sparse_times(&task, &A, x, y, NULL);
		bool fine = true;
		for (int64_t j = 0; j < columns; j++) {
			double sum = 0;
			for (size_t e = start[j]; e < start[j + 1]; e++)
				sum += value[e] * x[row[e]];
			fine = fine && sum == y[j];
		}
		CHECK(fine, "%lld x %lld, %zu entries, %d threads", (long long)rows, (long long)columns, entries,
		      threads);
	}
	free(start);
	free(row);
	free(value);
	free(x);
	free(y);
}

/* ---------------------------------------------------------------- sys.c */

static void *
claim_and_free(void *unused)
{
	for (int t = 0; t < 500; t++)
		knng_free(knng_alloc(1 + t % 100, 8));
	return unused;
}

static void
test_sys(void)
{
	knng_sys_count before = knng_sys();
	bool fine = true;
	for (int64_t count = 0; count < 300; count++) {
		unsigned char *a = knng_alloc(count, 3), *b = knng_calloc(count, 3);
		fine = fine && a != NULL && b != NULL && (uintptr_t)a % 64 == 0 && (uintptr_t)b % 64 == 0;
		memset(a, 0xff, (size_t)count * 3);
		for (int64_t e = 0; e < 3 * count; e++)
			fine = fine && b[e] == 0;
		fine = fine && knng_sys().live == before.live + 2 && knng_sys().bytes >= before.bytes + 6 * count;
		knng_free(a);
		knng_free(b);
	}
	knng_sys_count after = knng_sys();
	CHECK(fine && after.live == before.live && after.bytes == before.bytes && after.calls == before.calls + 600,
	      "counters");
	knng_free(NULL);
	CHECK(knng_sys().live == before.live, "free takes NULL");

	knng_sys_mark_peak();
	CHECK(knng_sys().peak == before.bytes, "the peak is marked");
	void *a = knng_alloc(1000, 8), *b = knng_alloc(500, 8);
	knng_free(a);
	void *c = knng_alloc(100, 8);
	int64_t peak = knng_sys().peak - before.bytes;
	CHECK(peak >= 12000 && peak < 12000 + 2 * 128 && knng_sys().bytes - before.bytes < 4800 + 2 * 128, "peak %lld",
	      (long long)peak);
	knng_free(b);
	knng_free(c);
	CHECK(knng_sys().peak - before.bytes == peak, "the peak stays");
	knng_sys_mark_peak();
	CHECK(knng_sys().peak == before.bytes, "until it is marked again");

	CHECK(knng_alloc(INT64_MAX, 2) == NULL && knng_alloc(INT64_MAX / 4, 8) == NULL && knng_alloc(-1, 8) == NULL &&
		      knng_alloc(INT64_MAX, 1) == NULL && knng_alloc(INT64_MAX - 10, 1) == NULL &&
		      knng_calloc(INT64_MAX / 2, 3) == NULL && knng_calloc(-5, 1) == NULL,
	      "sizes beyond all");
	CHECK(knng_sys().live == before.live && knng_sys().bytes == before.bytes, "nothing held");

	int64_t product = -7;
	CHECK(knng_mul(3, 5, 7, &product) && product == 105, "3 * 5 * 7");
	CHECK(knng_mul(0, 5, 7, &product) && product == 0, "0");
	CHECK(knng_mul(INT64_MAX, 1, 1, &product) && product == INT64_MAX, "the largest");
	CHECK(knng_mul((int64_t)1 << 31, (int64_t)1 << 31, 1, &product) && product == (int64_t)1 << 62, "2^62");
	CHECK(!knng_mul((int64_t)1 << 31, (int64_t)1 << 32, 1, &product), "2^63");
	CHECK(!knng_mul((int64_t)1 << 31, (int64_t)1 << 31, 2, &product), "2^63 in the last step");
	CHECK(!knng_mul(INT64_MAX, INT64_MAX, 1, &product), "far beyond");
	CHECK(!knng_mul(-1, 1, 1, &product) && !knng_mul(1, -1, 1, &product) && !knng_mul(1, 1, -1, &product) &&
		      !knng_mul(-1, -1, 1, &product),
	      "negative factors");

	for (int nth = 1; nth <= 3; nth++) {
		knng_sys_fail_at(nth);
		for (int call = 1; call <= 4; call++) {
			void *p = call % 2 ? knng_alloc(10, 1) : knng_calloc(10, 1);
			CHECK((p == NULL) == (call == nth), "call %d of a failure at %d", call, nth);
			knng_free(p);
		}
	}
	knng_sys_fail_at(2);
	knng_sys_fail_at(0);
	void *p = knng_alloc(1, 1), *q = knng_alloc(1, 1);
	CHECK(p != NULL && q != NULL, "no failure any more");
	knng_free(p);
	knng_free(q);

	/* Four threads at once. */
	knng_sys_mark_peak();
	pthread_t threads[4];
	for (int t = 0; t < 4; t++)
		if (pthread_create(&threads[t], NULL, claim_and_free, NULL) != 0)
			abort();
	for (int t = 0; t < 4; t++)
		pthread_join(threads[t], NULL);
	after = knng_sys();
	CHECK(after.live == before.live && after.bytes == before.bytes &&
		      after.peak - before.bytes <= 4 * (800 + 128) && after.peak > before.bytes,
	      "four threads");
}

static void
test_files(void)
{
	char path[] = "/tmp/knng_stages_XXXXXX", text[32];
	int fd = mkstemp(path);
	if (fd < 0 || write(fd, "0123456789", 10) != 10 || close(fd) != 0)
		abort();
	int64_t live = knng_sys().live;
	knng_file *f = knng_file_open(path, NULL);
	CHECK(f != NULL && knng_sys().live > live, "open");
	CHECK(knng_file_read(f, text, 4) == 4 && memcmp(text, "0123", 4) == 0, "read");
	CHECK(knng_file_read(f, text, 32) == 6 && memcmp(text, "456789", 6) == 0, "the rest");
	CHECK(knng_file_read(f, text, 32) == 0, "the end");
	knng_sys_fail_at(1);
	CHECK(knng_file_read(f, text, 1) == -1, "a read that fails");
	knng_file_close(f);
	CHECK(knng_sys().live == live, "closed");
	knng_file_close(NULL);
	for (int nth = 1; nth <= 2; nth++) {
		errno = 0;
		knng_sys_fail_at(nth);
		CHECK(knng_file_open(path, NULL) == NULL && errno != 0 && knng_sys().live == live, "open fails at %d",
		      nth);
	}
	knng_sys_fail_at(0);
	unlink(path);
	errno = 0;
	CHECK(knng_file_open(path, NULL) == NULL && errno == ENOENT && knng_sys().live == live, "no such file");
}

static void
test_fail(void)
{
	knng_err err;
	char longer[2000];
	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = 0;
	CHECK(knng_fail(NULL, KNNG_EIO, "knng:a:b", "%s", longer) == KNNG_EIO, "no err");
	CHECK(knng_fail(&err, KNNG_EARGS, longer, "%s%d", longer, 7) == KNNG_EARGS &&
		      strlen(err.text) == sizeof err.text - 1 && strlen(err.id) == sizeof err.id - 1,
	      "long texts are cut");
	CHECK(knng_fail(&err, KNNG_EARGS, "knng:args:k", "k is %d", 7) == KNNG_EARGS &&
		      strcmp(err.id, "knng:args:k") == 0 && strcmp(err.text, "k is 7") == 0,
	      "%s", err.text);
	CHECK(knng_fail_memory(&err, "the tests", 3e6) == KNNG_EMEMORY && strcmp(err.id, "knng:memory:host") == 0 &&
		      strstr(err.text, "the tests") != NULL && strstr(err.text, "has no 3 MB left") != NULL,
	      "%s", err.text);
	double then = knng_seconds();
	CHECK(knng_seconds() >= then, "the clock");
}

/* ---------------------------------------------------------------- plan.c */

static knng_matrix
shape_of(int64_t n, int64_t d)
{
	return (knng_matrix){.n = n, .d = d, .data = &passed, .row_stride = d, .col_stride = 1};
}

/* Whether a plan is refused with that status, id and a word of its text. */
static bool
refuses(knng_matrix X, const knng_matrix *Y, knng_options opt, knng_status status, const char *id, const char *word)
{
	knng_plan plan;
	knng_err err = {0};
	int64_t live = knng_sys().live;
	knng_status got = knng_plan_make(&plan, &X, Y, &opt, &err);
	bool fine = got == status && strcmp(err.id, id) == 0 && strstr(err.text, word) != NULL &&
		    knng_plan_make(&plan, &X, Y, &opt, NULL) == status && knng_sys().live == live;
	if (!fine)
		printf("status %d, '%s', '%s'\n", got, err.id, err.text);
	return fine;
}

static void
test_plan_errors(void)
{
	knng_matrix X = shape_of(100, 10), other = shape_of(20, 11), none = shape_of(0, 10);
	knng_options opt = {.k = 5, .device.kind = KNNG_DEVICE_CPU};
	CHECK(refuses(none, NULL, opt, KNNG_EARGS, "knng:args:empty", "X is 0-by-10"), "no rows");
	CHECK(refuses(shape_of(10, 0), NULL, opt, KNNG_EARGS, "knng:args:empty", "X is 10-by-0"), "no columns");
	CHECK(refuses(shape_of(-3, 2), NULL, opt, KNNG_EARGS, "knng:args:empty", "X is -3-by-2"), "negative rows");
	CHECK(refuses(X, &none, opt, KNNG_EARGS, "knng:args:empty", "Y is 0-by-10"), "no queries");
	CHECK(refuses(shape_of(INT32_MAX - 63, 1), NULL, opt, KNNG_EARGS, "knng:args:rows", "2147483584"), "rows");
	CHECK(refuses(shape_of((int64_t)1 << 40, 1), NULL, opt, KNNG_EARGS, "knng:args:rows", "X has"), "rows");
	CHECK(refuses(shape_of(1 << 20, (int64_t)1 << 42), NULL, opt, KNNG_EARGS, "knng:args:rows", "X has"),
	      "elements");
	CHECK(refuses(shape_of(1, INT64_MAX / 8), NULL, opt, KNNG_EARGS, "knng:args:rows", "X has"), "elements");
	CHECK(refuses(X, &other, opt, KNNG_EARGS, "knng:args:columns", "10 columns and Y 11"), "columns differ");
	opt.k = 0;
	CHECK(refuses(X, NULL, opt, KNNG_EARGS, "knng:args:k", "k is 0"), "k = 0");
	opt.k = -4;
	CHECK(refuses(X, NULL, opt, KNNG_EARGS, "knng:args:k", "k is -4"), "k = -4");
	opt.k = 5;
	opt.metric = "pearsn";
	CHECK(refuses(X, NULL, opt, KNNG_EARGS, "knng:args:metric", "did you mean 'pearson'?"), "metric");
	CHECK(refuses(X, NULL, opt, KNNG_EARGS, "knng:args:metric", "chebychev"), "the list is whole");
	opt.metric = "zzzzzzz";
	CHECK(refuses(X, NULL, opt, KNNG_EARGS, "knng:args:metric", "'zzzzzzz'; the metrics"), "metric");
	opt.metric = NULL;
	opt.target = "sse9";
	CHECK(refuses(X, NULL, opt, KNNG_EARGS, "knng:args:target", "'sse9'"), "target");
	opt.target = NULL;
	/* Nobody has that many, and few have one. */
	knng_plan plan;
	knng_err err = {0};
	opt.device = (knng_devices){.kind = KNNG_DEVICE_LIST, .count = 1, .number = {KNNG_MAX_DEVICES}};
	knng_status status = knng_plan_make(&plan, &X, NULL, &opt, &err);
	CHECK((status == KNNG_EARGS || status == KNNG_EDEVICE) && strncmp(err.id, "knng:", 5) == 0 &&
		      strstr(err.text, "GPU") != NULL,
	      "%d, %s, %s", status, err.id, err.text);
	opt.device.kind = KNNG_DEVICE_GPU;
	status = knng_plan_make(&plan, &X, NULL, &opt, &err);
	CHECK(status == KNNG_OK || (status == KNNG_EDEVICE && strcmp(err.id, "knng:device:none") == 0 &&
				    strstr(err.text, "no GPU") != NULL),
	      "%d, %s, %s", status, err.id, err.text);
	opt.device.kind = KNNG_DEVICE_CPU;
	opt.max_memory = 1000;
	CHECK(refuses(X, NULL, opt, KNNG_EARGS, "knng:args:maxMemory", "1000 bytes"), "MaxMemory");
	opt.max_memory = 0;
	CHECK(refuses(shape_of(INT32_MAX - 64, 1000), NULL, opt, KNNG_EMEMORY, "knng:memory:host", "available"),
	      "more than the machine has");
}

static void
test_plan(void)
{
	static const struct {
		int64_t n, d, m, k;
	} shapes[] = {{1, 1, 0, 1},       {2, 1, 0, 5},        {100, 10, 0, 5},
		      {100, 10, 30, 200}, {3000, 600, 0, 30},  {3000, 60, 50, 30},
		      {40, 60, 5000, 1},  {24158, 161, 0, 20}, {700, 5000, 0, 300}};
	for (size_t t = 0; t < sizeof shapes / sizeof *shapes; t++) {
		knng_matrix X = shape_of(shapes[t].n, shapes[t].d), Y = shape_of(shapes[t].m, shapes[t].d);
		const knng_matrix *queries = shapes[t].m ? &Y : NULL;
		int64_t candidates = shapes[t].m ? X.n : X.n - 1, m = shapes[t].m ? shapes[t].m : X.n;
		knng_options opt = {.k = shapes[t].k,
				    .separate = KNNG_PRUNE_OFF,
				    .task.threads = 4,
				    .device.kind = KNNG_DEVICE_CPU};
		knng_plan plan, other;
		int64_t live = knng_sys().live;
		CHECK(knng_plan_make(&plan, &X, queries, &opt, NULL) == KNNG_OK && knng_sys().live == live, "plan %zu",
		      t);
		int64_t k = opt.k < candidates ? opt.k : candidates;
		CHECK(plan.k == k && plan.m == m && plan.ld == up(X.d, 8) && plan.threads == 4 &&
			      strcmp(plan.metric->name, "euclidean") == 0 && plan.blas == KNNG_BLAS_FASTER,
		      "plan %zu", t);
		CHECK(plan.tile % 16 == 0 && plan.tile >= 64 && plan.tile <= 512, "tile %lld", (long long)plan.tile);
		CHECK(plan.capacity >= 1 && plan.capacity >= (k + 16 < candidates ? k + 16 : candidates) &&
			      (candidates < 1 || plan.capacity <= candidates),
		      "capacity %lld", (long long)plan.capacity);
		CHECK(plan.bytes >= plan.least && plan.least > 8.0 * (double)X.n * (double)X.d, "bytes");
		CHECK(plan.bytes == knng_cpu_bytes(&plan, plan.tile, plan.capacity, plan.threads) +
					    knng_run_bytes(&plan, plan.threads) +
					    (plan.prunes ? knng_boxes_bytes(&plan, plan.threads) : 0),
		      "bytes are of the choices");
		CHECK(plan.prunes == (X.n >= 2000 && m >= 1000), "plan %zu prunes: %d", t, plan.prunes);

		/* The least works, a byte less does not; what is between always fits, and never shrinks. */
		opt.max_memory = plan.least;
		CHECK(knng_plan_make(&other, &X, queries, &opt, NULL) == KNNG_OK && other.bytes <= plan.least &&
			      other.least == plan.least && other.threads == 1,
		      "the least of plan %zu", t);
		opt.max_memory = plan.least - 1;
		CHECK(refuses(X, queries, opt, KNNG_EARGS, "knng:args:maxMemory", "at least"), "less, plan %zu", t);
		bool fits = true, grows = true;
		double last = 0;
		for (int s = 0; s <= 64; s++) {
			opt.max_memory = plan.least + (plan.bytes - plan.least) * s / 64;
			fits = fits && knng_plan_make(&other, &X, queries, &opt, NULL) == KNNG_OK &&
			       other.bytes <= opt.max_memory && other.capacity >= (k + 16 < candidates ? k + 16 : k) &&
			       other.tile % 16 == 0 && other.threads >= 1;
			grows = grows && other.bytes >= last;
			last = other.bytes;
		}
		CHECK(fits, "between, plan %zu", t);
		CHECK(grows && last == plan.bytes, "more memory is used, plan %zu", t);
		opt.max_memory = 0;

		/* More of anything takes more. */
		double bytes = 0;
		bool more = true;
		for (int64_t tile = 16; tile <= 4096; tile += 16) {
			more = more && knng_cpu_bytes(&plan, tile, plan.capacity, 2) > bytes;
			bytes = knng_cpu_bytes(&plan, tile, plan.capacity, 2);
		}
		bytes = 0;
		for (int64_t capacity = 1; capacity <= 5000; capacity += 7) {
			more = more && knng_cpu_bytes(&plan, 64, capacity, 2) > bytes;
			bytes = knng_cpu_bytes(&plan, 64, capacity, 2);
		}
		bytes = 0;
		for (int threads = 1; threads < 20; threads++) {
			double all = knng_cpu_bytes(&plan, 64, 10, threads) + knng_run_bytes(&plan, threads);
			more = more && all > bytes;
			bytes = all;
		}
		CHECK(more, "bytes are monotone, plan %zu", t);
	}

	knng_matrix X = shape_of(1000, 30);
	knng_options opt = {.k = 10, .device.kind = KNNG_DEVICE_CPU};
	knng_plan plan;
	static const int64_t tiles[][2] = {{1, 16},    {16, 16},     {17, 32},     {100, 112},
					   {512, 512}, {4095, 4096}, {5000, 4096}, {INT64_MAX, 4096}};
	for (size_t t = 0; t < sizeof tiles / sizeof *tiles; t++) {
		opt.tile = tiles[t][0];
		CHECK(knng_plan_make(&plan, &X, NULL, &opt, NULL) == KNNG_OK && plan.tile == tiles[t][1],
		      "tile %lld gives %lld", (long long)opt.tile, (long long)plan.tile);
		double least = plan.least;
		opt.max_memory = least;
		CHECK(knng_plan_make(&plan, &X, NULL, &opt, NULL) == KNNG_OK && plan.tile == tiles[t][1],
		      "a tile that was asked for stays");
		opt.max_memory = least - 1;
		CHECK(knng_plan_make(&plan, &X, NULL, &opt, NULL) == KNNG_EARGS, "with less than its least");
		opt.max_memory = 0;
	}
	opt.tile = 0;
	CHECK(knng_plan_make(&plan, &X, NULL, &opt, NULL) == KNNG_OK && plan.threads >= 1 &&
		      plan.threads <= knng_task_threads(&plainly),
	      "threads");
	opt.task.threads = 100000;
	X.n = 10;
	CHECK(knng_plan_make(&plan, &X, NULL, &opt, NULL) != KNNG_OK || plan.threads <= 4096, "threads are cut");
	opt.task.threads = 2;
	CHECK(knng_plan_make(&plan, &X, NULL, &opt, NULL) == KNNG_OK && strstr(plan.why_cpu, "asked for") != NULL, "%s",
	      plan.why_cpu);
	static const struct {
		const char *target;
		int blas;
	} targets[] = {
		{NULL, KNNG_BLAS_FASTER}, {"auto", KNNG_BLAS_FASTER}, {"blas", KNNG_BLAS_YES}, {"plain", KNNG_BLAS_NO}};
	for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
		opt.target = targets[t].target;
		const char *want = t == 3 ? "plain" : knng_kernels_find(NULL)->name;
		CHECK(knng_plan_make(&plan, &X, NULL, &opt, NULL) == KNNG_OK && plan.blas == targets[t].blas &&
			      strcmp(plan.target, want) == 0,
		      "target %zu", t);
	}
	CHECK(strcmp(knng_level_name[KNNG_LEVEL_F32], "f32") == 0 &&
		      strcmp(knng_level_name[KNNG_LEVEL_F64], "f64") == 0 &&
		      strcmp(knng_level_name[KNNG_LEVEL_SCAN], "scan") == 0 &&
		      strcmp(knng_level_name[KNNG_LEVEL_BOXES], "boxes") == 0,
	      "names of levels");
}

/* ---------------------------------------------------------------- dispatch.c */

enum { MOST_TARGETS = 3 };
static const knng_kernels *target[MOST_TARGETS];
static int ntargets;

static void
test_dispatch(void)
{
	static const char *const names[] = {"avx512", "avx2", "plain"};
	for (size_t t = 0; t < sizeof names / sizeof *names; t++) {
		const knng_kernels *k = knng_kernels_find(names[t]);
		CHECK(k == NULL || strcmp(k->name, names[t]) == 0, "%s", names[t]);
		if (k != NULL)
			target[ntargets++] = k;
	}
	CHECK(ntargets > 0 && knng_kernels_find(NULL) == target[0], "the best is the first");
	CHECK(knng_kernels_find("plain") != NULL, "plain runs everywhere");
	CHECK(knng_kernels_find("") == NULL && knng_kernels_find("blas") == NULL && knng_kernels_find("avx") == NULL,
	      "no such target");
#if defined(__x86_64__)
	CHECK((knng_kernels_find("avx2") != NULL) == (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")),
	      "avx2");
	CHECK(knng_kernels_find("avx512") == NULL || __builtin_cpu_supports("avx512f"), "avx512");
#endif
	printf("targets:");
	for (int t = 0; t < ntargets; t++)
		printf(" %s", target[t]->name);
	printf("\n");
}

/* ---------------------------------------------------------------- kernels: canonical */

static double
fold(const double a[8])
{
	return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

/* docs/canonical.md, 2 and 3, term by term. */
static double
plain_sum(knng_sum sum, const double *u, const double *v, int64_t d)
{
	double a[8] = {0}, b[8] = {0}, most = 0;
	for (int64_t l = 0; l < d; l++) {
		double minus = u[l] - v[l], plus = u[l] + v[l], size = fabs(minus);
		switch (sum) {
		case KNNG_SUM_L1:
			a[l % 8] += size;
			break;
		case KNNG_SUM_LINF:
			most = size > most ? size : most;
			break;
		default:
			a[l % 8] = fma(minus, minus, a[l % 8]);
			b[l % 8] = fma(plus, plus, b[l % 8]);
		}
	}
	switch (sum) {
	case KNNG_SUM_PLUS:
		return fold(b);
	case KNNG_SUM_EITHER:
		return fold(a) < fold(b) ? fold(a) : fold(b);
	case KNNG_SUM_LINF:
		return most;
	default:
		return fold(a);
	}
}

/* An element of a kind of data. */
enum { NORMAL, TIED, SUBNORMAL, HUGE_ROWS, WIDE, CONSTANT, ZERO, ALMOST, WITH_NAN, WITH_INF, KINDS };

static double
element(int kind, int64_t l, int64_t special)
{
	switch (kind) {
	case TIED:
		return (double)random_below(5) - 2;
	case SUBNORMAL:
		return ldexp((double)random_below(64) - 32, -1074);
	case HUGE_ROWS:
		return random_normal() * 0x1p1020;
	case WIDE:
		return ldexp(random_normal(), (int)random_below(1800) - 900);
	case CONSTANT:
		return 0.3;
	case ZERO:
		return l % 2 ? -0.0 : 0.0;
	case ALMOST:
		return l == special ? 0.3 + 0x1p-54 : 0.3;
	case WITH_NAN:
		return l == special ? NAN : 1;
	case WITH_INF:
		return l == special ? -INFINITY : (double)l;
	default:
		return random_normal();
	}
}

static const int64_t some_columns[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 33, 100, 257};
enum { SOME_COLUMNS = sizeof some_columns / sizeof *some_columns };

static void
test_sums(void)
{
	enum { ROWS = 37 };
	static const int64_t counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 131};
	for (int t = 0; t < ntargets; t++)
		for (int sum = KNNG_SUM_MINUS; sum <= KNNG_SUM_LINF; sum++) {
			bool fine = true;
			for (int c = 0; c < SOME_COLUMNS; c++)
				for (int kind = NORMAL; kind <= ZERO; kind++) {
					int64_t d = some_columns[c], ld = up(d, 8);
					double *U = room((ROWS + 1) * ld, sizeof *U), *u = U + ROWS * ld;
					memset(U, 0, (size_t)((ROWS + 1) * ld) * sizeof *U);
					for (int64_t r = 0; r <= ROWS; r++)
						for (int64_t l = 0; l < d; l++)
							U[r * ld + l] = element(kind, l, 0);
					int64_t count = counts[random_below(13)];
					int32_t *j = room(count, sizeof *j);
					double *out = room(count, sizeof *out);
					for (int64_t a = 0; a < count; a++)
						j[a] = (int32_t)random_below(ROWS + 1); /* itself too */
					target[t]->sums((knng_sum)sum, u, U, ld, j, count, out);
					for (int64_t a = 0; a < count; a++)
						fine = fine && bits_of(out[a]) == bits_of(plain_sum((knng_sum)sum, u,
												    U + j[a] * ld, d));
					free(U);
					free(j);
					free(out);
				}
			CHECK(fine, "%s, sum %d", target[t]->name, sum);
		}
}

/* Sums over the columns that two rows share are those of rows with 0 elsewhere. */
static void
test_shared(void)
{
	enum { ROWS = 13 };
	for (int t = 0; t < ntargets; t++)
		for (int c = 0; c < SOME_COLUMNS; c++) {
			int64_t d = some_columns[c], ld = up(d, 8), words = up(d, 64) / 64;
			double *U = room(ROWS * ld, sizeof *U), u[264], v[264], out[ROWS];
			uint64_t *has = room(ROWS * words, sizeof *has);
			int32_t j[ROWS], shared[ROWS];
			bool fine = true;
			memset(U, 0, (size_t)(ROWS * ld) * sizeof *U);
			memset(has, 0, (size_t)(ROWS * words) * sizeof *has);
			for (int r = 0; r < ROWS; r++) {
				j[r] = (int32_t)random_below(ROWS);
				for (int64_t l = 0; l < d; l++) {
					bool known = random_below(4) < r % 4 + 1;
					U[r * ld + l] = known ? random_normal() * 1e150 : r % 2 ? NAN : -NAN;
					has[r * words + l / 64] |= (uint64_t)known << l % 64;
				}
			}
			target[t]->shared_bits(has, has, words, j, ROWS, shared);
			for (int sum = KNNG_SUM_MINUS; sum <= KNNG_SUM_LINF; sum++) {
				if (sum == KNNG_SUM_PLUS || sum == KNNG_SUM_EITHER)
					continue;
				target[t]->shared_sums((knng_sum)sum, U, U, ld, j, ROWS, out);
				for (int r = 0; r < ROWS; r++) {
					int32_t both = 0;
					for (int64_t l = 0; l < d; l++) {
						bool known = !isnan(U[l]) && !isnan(U[j[r] * ld + l]);
						u[l] = known ? U[l] : 0;
						v[l] = known ? U[j[r] * ld + l] : 0;
						both += known;
					}
					fine = fine && shared[r] == both &&
					       bits_of(out[r]) == bits_of(plain_sum((knng_sum)sum, u, v, d));
				}
			}
			CHECK(fine, "%s, %lld columns", target[t]->name, (long long)d);
			free(U);
			free(has);
		}
}

static void
test_same(void)
{
	static const double values[] = {0, -0.0, 1, -1, 2, 0x1p-1074, NAN, -NAN};
	for (int t = 0; t < ntargets; t++)
		for (int c = 0; c < SOME_COLUMNS; c++) {
			int64_t d = some_columns[c], ld = up(d, 8), same, zero, right[2] = {0, 0};
			double *x = room(2 * ld, sizeof *x), *y = x + ld;
			for (int64_t l = 0; l < ld; l++) {
				x[l] = l < d ? values[random_below(8)] : NAN;
				y[l] = l < d ? values[random_below(8)] : NAN;
				right[0] += x[l] == y[l];
				right[1] += x[l] == 0 && y[l] == 0;
			}
			target[t]->shared_same(x, y, ld, &same, &zero);
			CHECK(same == right[0] && zero == right[1], "%s, %lld columns: %lld, %lld", target[t]->name,
			      (long long)d, (long long)same, (long long)zero);
			free(x);
		}
}

/* docs/canonical.md, 1 and 3, element by element. */
static int
plain_prepare(const knng_metric *metric, const double *x, int64_t d, double *u)
{
	double a[8] = {0}, largest = 0;
	bool constant = true, zero = true;
	int e;
	for (int64_t l = 0; l < d; l++) {
		if (!isfinite(x[l]))
			return KNNG_ROW_NONFINITE;
		constant = constant && x[l] == x[0];
		zero = zero && x[l] == 0;
		u[l] = x[l];
	}
	if (metric->prep == KNNG_PREP_NONE)
		return KNNG_ROW_FINE;
	if (metric->prep == KNNG_PREP_UNIT ? zero : constant)
		return KNNG_ROW_CONSTANT;
	for (int64_t l = 0; metric->prep == KNNG_PREP_RANKED && l < d; l++) {
		u[l] = 0.5;
		for (int64_t i = 0; i < d; i++)
			u[l] += x[i] < x[l] ? 1 : x[i] == x[l] ? 0.5 : 0;
	}
	for (int64_t l = 0; l < d; l++)
		largest = fmax(largest, fabs(u[l]));
	frexp(largest, &e);
	for (int64_t l = 0; l < d; l++)
		u[l] = ldexp(u[l], 1 - e);
	for (int twice = 0; twice < 2 && metric->prep != KNNG_PREP_UNIT; twice++) {
		memset(a, 0, sizeof a);
		for (int64_t l = 0; l < d; l++)
			a[l % 8] += u[l];
		double mean = fold(a) / (double)d;
		for (int64_t l = 0; l < d; l++)
			u[l] -= mean;
	}
	memset(a, 0, sizeof a);
	for (int64_t l = 0; l < d; l++)
		a[l % 8] = fma(u[l], u[l], a[l % 8]);
	double root = sqrt(fold(a));
	for (int64_t l = 0; l < d; l++)
		u[l] /= root;
	return KNNG_ROW_FINE;
}

static void
test_prepare(void)
{
	for (const knng_metric *m = knng_metrics; m->name != NULL; m++) {
		bool states = true, bits = true, padding = true, hashes = true, differ = true;
		uint64_t last = 0;
		for (int c = 0; c < SOME_COLUMNS; c++)
			for (int kind = 0; kind < KINDS; kind++)
				for (int again = 0; again < 4; again++) {
					int64_t d = some_columns[c], ld = up(d, 8), special = random_below(d);
					double *x = room(d, sizeof *x), *want = room(d, sizeof *want);
					double *u = room(ld, sizeof *u), *scratch = room(4 * ld, sizeof *scratch);
					uint64_t hash[MOST_TARGETS] = {0};
					for (int64_t l = 0; l < d; l++)
						x[l] = element(kind, l, special);
					int state = plain_prepare(m, x, d, want);
					for (int t = 0; t < ntargets; t++) {
						memset(u, 0, (size_t)ld * sizeof *u);
						memcpy(u, x, (size_t)d * sizeof *u);
						memset(scratch, 0xff, (size_t)(4 * ld) * sizeof *scratch);
						states = states &&
							 target[t]->prepare(m, u, d, ld, scratch, &hash[t]) == state;
						if (state != KNNG_ROW_FINE)
							continue;
						bits = bits && memcmp(u, want, (size_t)d * sizeof *u) == 0;
						hashes = hashes && hash[t] == hash[0];
						for (int64_t l = d; l < ld; l++)
							padding = padding && bits_of(u[l]) == 0;
					}
					if (kind == NORMAL && d > 8 && again > 0 && state == KNNG_ROW_FINE)
						differ = differ && hash[0] != last;
					last = hash[0];
					free(x);
					free(want);
					free(u);
					free(scratch);
				}
		CHECK(states, "%s: rows without distances", m->name);
		CHECK(bits, "%s: prepared rows", m->name);
		CHECK(padding, "%s: zeros behind", m->name);
		CHECK(hashes, "%s: one hash for all targets", m->name);
		CHECK(differ, "%s: hashes of different rows", m->name);
	}
}

static void
test_extent(void)
{
	for (int t = 0; t < ntargets; t++) {
		double rows[][9] = {
			{1, -7, 3, 0, 2, 2, 2, 2, 2}, {0.5, 1, 1, 1, 1, 1, 1, 1, 1}, {0x1p60, 1, 1, 1, 1, 1, 1, 1, 1}};
		double largest = 0;
		bool integers = true;
		target[t]->extent(rows[0], 9, &largest, &integers);
		CHECK(largest == 7 && integers, "%s: integers", target[t]->name);
		target[t]->extent(rows[1], 9, &largest, &integers);
		CHECK(largest == 7 && !integers, "%s: a fraction", target[t]->name);
		target[t]->extent(rows[2], 9, &largest, &integers);
		CHECK(largest == 0x1p60 && !integers, "%s: remembers", target[t]->name);
		integers = true;
		rows[0][8] = 3.25;
		largest = 0;
		target[t]->extent(rows[0], 8, &largest, &integers);
		CHECK(largest == 7 && integers, "%s: no further than d", target[t]->name);
		target[t]->extent(rows[0], 9, &largest, &integers);
		CHECK(!integers, "%s: the last element", target[t]->name);
		rows[0][8] = -DBL_TRUE_MIN;
		integers = true;
		target[t]->extent(rows[0], 9, &largest, &integers);
		CHECK(!integers, "%s: a subnormal is no integer", target[t]->name);
	}
}

/* ---------------------------------------------------------------- centre.c */

/* A centre of rows of a kind: 0 near the origin, 1 away from it, 2 one row far away, 3 integers, 4 tiny ones. */
static double *
centre_of(int kind, int64_t n, int64_t d, int64_t *E, bool *integers, double *rows)
{
	double largest = 0, *centre = room(d, sizeof *centre);
	int64_t ld = up(d, 8);
	memset(rows, 0, (size_t)(n * ld) * sizeof *rows);
	*integers = true;
	for (int64_t i = 0; i < n; i++)
		for (int64_t l = 0; l < d; l++) {
			double x = random_normal();
			x = kind == 1 ? 1e5 * (double)(l + 1) + x : kind == 2 && i == n / 2 ? 1e200 : x;
			x = kind == 3 ? 1000 + nearbyint(3 * x) : kind == 4 ? ldexp(x, -1060) : x;
			rows[i * ld + l] = x;
			largest = fmax(largest, fabs(x));
			*integers = *integers && x == nearbyint(x);
		}
	memset(centre, 0xff, (size_t)d * sizeof *centre);
	*E = knng_centre(rows, n, d, ld, largest, INFINITY, integers, centre);
	return centre;
}

static void
test_centre(void)
{
	static const int64_t counts[] = {1, 2, 100, 2048, 2049, 6000};
	for (int kind = 0; kind < 5; kind++) {
		bool bounded = true, shorter = true, whole = true;
		for (int c = 0; c < 6; c++) {
			int64_t n = counts[c], d = 5, ld = 8, E;
			bool integers;
			double *rows = room(n * ld, sizeof *rows), *centre = centre_of(kind, n, d, &E, &integers, rows);
			double before = 0, after = 0, size = 0;
			for (int64_t i = 0; i < n; i++)
				for (int64_t l = 0; l < d; l++) {
					double x = rows[i * ld + l] * ldexp(1, (int)-E), y = x - centre[l];
					bounded = bounded && (kind == 3 || (fabs(x) < 1 && fabs(y) < 2));
					whole = whole && (kind != 3 || centre[l] == nearbyint(centre[l]));
					size = fmax(size, fabs(x));
					before += x * x;
					after += y * y;
				}
			bounded = bounded && (kind == 3 ? E == 0 : kind == 4 ? E == -1000 : size >= 0.5);
			whole = whole && integers == (kind == 3);
			shorter = shorter && (kind == 1 || kind == 3 ? after < 1e-3 * before : after <= 1.01 * before);
			for (int64_t l = 0; l < d; l++)
				shorter = shorter && (kind != 2 || n < 3 || centre[l] == 0);
			free(rows);
			free(centre);
		}
		CHECK(bounded, "rows fit, kind %d", kind);
		CHECK(whole, "whole centres of whole rows only, kind %d", kind);
		CHECK(shorter, "rows are not longer without it, kind %d", kind);
	}
	double row[8] = {0x1p21, 1}, zero[8] = {0}, centre[2] = {7, 7};
	bool integers = true;
	CHECK(knng_centre(row, 1, 2, 8, 0x1p21, INFINITY, &integers, centre) == 22 && !integers,
	      "large integers are none");
	integers = true;
	CHECK(knng_centre(row, 1, 2, 8, 0x1p21 - 1, INFINITY, &integers, centre) == 0 && integers,
	      "the largest that are");
	integers = false;
	CHECK(knng_centre(zero, 1, 2, 8, 0, INFINITY, &integers, centre) == 0 && centre[0] == 0 && centre[1] == 0,
	      "zeros");
	centre[0] = 7;
	CHECK(knng_centre(NULL, 0, 2, 8, 0, INFINITY, &integers, centre) == 0 && centre[0] == 0, "no rows");
}

/* The unit of copies in whole numbers: of normal rows near to the best, of whole numbers such that nothing is lost,
 * never so small that its inverse is none. */
static void
test_unit(void)
{
	static const int64_t counts[] = {1, 2, 100, 2048, 6000};
	for (int kind = 0; kind < 5; kind++)
		for (int c = 0; c < 5; c++)
			for (int largest = 0; largest < 2; largest++) {
				int64_t n = counts[c], d = 40, ld = 40, E, beyond = 0;
				bool integers;
				double *rows = room(n * ld, sizeof *rows), lost = 0;
				double *centre = centre_of(kind, n, d, &E, &integers, rows);
				float unit = knng_unit(rows, n, d, ld, (int)E, centre, largest);
				double most = largest ? KNNG_GRID_HALVES : KNNG_GRID_BYTES, scale = ldexp(1, (int)-E);
				for (int64_t i = 0; i < n; i++) {
					bool far = false;
					for (int64_t l = 0; l < d; l++) {
						double y = rows[i * ld + l] * scale - centre[l];
						double z = fmin(fmax(nearbyint(y / unit), -most), most);
						lost += fabs(y - z * unit) / scale / (double)(n * d);
						far = far || fabs(y) > (most + 0.5) * unit;
					}
					beyond += far;
				}
				/* Of normal numbers bytes lose 0.0070 at best, when they reach to 2.8. */
				bool fine = unit >= 0x1p-60F && unit <= 0x1p60F;
				fine = fine && (kind == 2 || beyond <= (largest ? n / 500 : n / 4));
				fine = fine && (kind == 2 || kind == 4 || lost <= (largest ? 0.002 : 0.0085));
				fine = fine && (kind != 3 || lost == 0);
				CHECK(fine, "%s of %lld rows, kind %d: unit %g loses %g, %lld rows beyond",
				      largest ? "halves" : "bytes", (long long)n, kind, (double)unit, lost,
				      (long long)beyond);
				free(rows);
				free(centre);
			}
	/* One far element, and one row of zeros, change little. */
	int64_t n = 400, d = 600, E;
	bool integers;
	double *rows = room(n * d, sizeof *rows), *from = centre_of(0, n, d, &E, &integers, rows);
	for (int largest = 0; largest < 2; largest++) {
		memset(rows, 0, (size_t)d * sizeof *rows);
		float before = knng_unit(rows, n, d, d, 3, from, largest);
		rows[5 * d + 7] = largest ? 1e-3 : 1e5;
		float after = knng_unit(rows, n, d, d, 3, from, largest);
		CHECK(before >= 0x1p-12F && before <= 0x1p-6F && after <= 2 * before && 2 * after >= before,
		      "one far element: units %g and %g", (double)before, (double)after);
		rows[5 * d + 7] = 1;
	}
	free(rows);
	free(from);
	double zero[8] = {0}, centre[2] = {0};
	for (int largest = 0; largest < 2; largest++)
		CHECK(knng_unit(zero, 1, 2, 8, 0, centre, largest) >= 0x1p-60F &&
			      knng_unit(NULL, 0, 2, 8, 0, centre, largest) >= 0x1p-60F,
		      "zeros, and no rows");
}

/* ---------------------------------------------------------------- kernels: the filter */

static bool
near(double got, long double want)
{
	return fabsl(got - want) <= 1e-12L * fabsl(want);
}

static bool
copies(const knng_kernels *kernels, knng_tile_kind kind, int64_t d, int64_t stride, bool centred, double scale)
{
	double *u = room(d, sizeof *u), *centre = room(d, sizeof *centre);
	float *to = room(d * stride, sizeof *to);
	long double residual = 0, norm = 0, half = 0;
	bool fine = true;
	for (int64_t l = 0; l < d; l++) {
		u[l] = random_normal() / scale;
		centre[l] = random_below(4) ? random_normal() : 0;
	}
	for (int64_t e = 0; e < d * stride; e++)
		to[e] = -7;
	knng_measure m = kernels->copy(kind, u, centred ? centre : NULL, scale, d, to, stride);
	for (int64_t l = 0; l < d; l++) {
		double y = u[l] * scale - (centred ? centre[l] : 0);
		float rounded = (float)y;
		long double left = fabsl((long double)y - rounded), size = fabsl((long double)rounded);
		fine = fine && to[l * stride] == rounded;
		if (kind == KNNG_TILE_LINF) {
			residual = left > residual ? left : residual;
			norm = size > norm ? size : norm;
		} else {
			residual += kind == KNNG_TILE_L1 ? left : left * left;
			norm += kind == KNNG_TILE_L1 ? size : size * size;
			half += (long double)y * y / 2;
		}
	}
	if (kind == KNNG_TILE_PRODUCT) {
		residual = sqrtl(residual);
		norm = sqrtl(norm);
		fine = fine && near(m.half, half);
	} else {
		fine = fine && m.half == 0;
	}
	for (int64_t e = 0; e < d * stride; e++)
		fine = fine && (e % stride == 0 || to[e] == -7);
	fine = fine && near(m.residual, residual) && near(m.norm, norm);
	free(u);
	free(centre);
	free(to);
	return fine;
}

static void
test_copy(void)
{
	for (int t = 0; t < ntargets; t++)
		for (int kind = 0; kind < KNNG_TILES; kind++) {
			bool fine = true;
			for (int c = 0; c < SOME_COLUMNS; c++)
				for (int how = 0; how < 4; how++)
					fine = fine &&
					       copies(target[t], (knng_tile_kind)kind, some_columns[c],
						      how % 2 ? MICRO_PANEL : 1, how / 2, c % 2 ? 1 : 0x1p-300) &&
					       copies(target[t], (knng_tile_kind)kind, some_columns[c],
						      how % 2 ? MICRO_PANEL : 1, how / 2, 0x1p700);
			CHECK(fine && copies(target[t], (knng_tile_kind)kind, 5000, MICRO_PANEL, true, 1),
			      "%s, kind %d", target[t]->name, kind);
			/* What single precision holds leaves nothing; what it does not hold, all. */
			double whole[] = {1, -2, 0.5, 1048575, 0, 3, 4, 5, 6}, tiny[] = {0x1p-200, 0, 0};
			float to[9];
			CHECK(target[t]->copy((knng_tile_kind)kind, whole, NULL, 1, 9, to, 1).residual == 0, "exact");
			knng_measure m = target[t]->copy((knng_tile_kind)kind, tiny, NULL, 1, 3, to, 1);
			CHECK(m.residual == 0x1p-200 && m.norm == 0 && to[0] == 0, "%s: %g", target[t]->name,
			      m.residual);
		}
}

/* rows x d floats in panels of 16, zeros behind. */
static float *
panelled(const float *a, int64_t rows, int64_t d)
{
	float *p = room(up(rows, MICRO_PANEL) * d, sizeof *p);
	memset(p, 0, (size_t)(up(rows, MICRO_PANEL) * d) * sizeof *p);
	for (int64_t r = 0; r < rows; r++)
		for (int64_t l = 0; l < d; l++)
			p[r / MICRO_PANEL * MICRO_PANEL * d + l * MICRO_PANEL + r % MICRO_PANEL] = a[r * d + l];
	return p;
}

/* The tile in one to four slices, each value against double within its bound; differences and the fused products also
 * have one value for all targets. v: the tile as made by the target, bi x ldv. */
static bool
tiles(const knng_kernels *kernels, knng_tile_kind kind, const float *a, const float *b, int64_t bi, int64_t bj,
      int64_t d, int64_t slices, float *v, int64_t ldv)
{
	float *rows = panelled(a, bi, d), *columns = panelled(b, bj, d), sentinel = -12345;
	int64_t slice = (d + slices - 1) / slices, high = up(bi, MICRO_PANEL) + 1;
	bool fine = true;
	for (int64_t e = 0; e < high * ldv; e++)
		v[e] = sentinel;
	for (int64_t l = 0; l < d; l += slice)
		kernels->tile[kind](rows, columns, d, l, l + slice < d ? l + slice : d, bi, bj, v, ldv, l > 0);
	for (int64_t i = 0; i < high; i++)
		for (int64_t j = 0; j < ldv; j++) {
			double exact = 0, size = 0;
			if (i >= up(bi, MICRO_PANEL) || j >= up(bj, MICRO_PANEL)) {
				fine = fine && v[i * ldv + j] == sentinel;
				continue;
			}
			if (i >= bi || j >= bj)
				continue;
			for (int64_t l = 0; l < d; l++) {
				double x = a[i * d + l], y = b[j * d + l];
				double term = kind == KNNG_TILE_PRODUCT ? x * y : fabs(x - y);
				exact = kind == KNNG_TILE_LINF ? fmax(exact, term) : exact + term;
				size = kind == KNNG_TILE_LINF ? exact : size + fabs(term);
			}
			double m = kind == KNNG_TILE_LINF ? 1 : (double)(slice + slices + 1);
			fine = fine &&
			       fabs(v[i * ldv + j] - exact) <= m * 0x1p-24 * (1 + 1e-6) * size + (double)d * 0x1p-148;
		}
	free(rows);
	free(columns);
	return fine;
}

static void
test_tiles(void)
{
	static const int64_t sides[] = {1, 3, 15, 16, 17, 31, 32, 33, 50};
	static const int64_t depths[] = {1, 2, 5, 16, 33, 130, 531};
	for (int kind = 0; kind < KNNG_TILES; kind++) {
		bool within[MOST_TARGETS] = {true, true, true}, same = true;
		for (int a = 0; a < 9; a++)
			for (int c = 0; c < 9; c += 1 + (a % 3)) {
				int64_t bi = sides[a], bj = sides[c], d = depths[random_below(7)];
				int64_t slices = 1 + random_below(d < 4 ? d : 4),
					ldv = up(bj, MICRO_PANEL) + random_below(20);
				float *x = room(bi * d, sizeof *x), *y = room(bj * d, sizeof *y);
				int64_t size = (up(bi, MICRO_PANEL) + 1) * ldv;
				float *v[MOST_TARGETS];
				for (int64_t e = 0; e < bi * d; e++)
					x[e] = ldexpf((float)random_normal(), (int)random_below(20) - 10);
				for (int64_t e = 0; e < bj * d; e++)
					y[e] = ldexpf((float)random_normal(), (int)random_below(20) - 10);
				for (int t = 0; t < ntargets; t++) {
					v[t] = room(size, sizeof(float));
					within[t] = within[t] && tiles(target[t], (knng_tile_kind)kind, x, y, bi, bj, d,
								       slices, v[t], ldv);
				}
				/* plain C makes products without fma */
				for (int t = 1; t < ntargets; t++)
					if (kind != KNNG_TILE_PRODUCT || strcmp(target[t]->name, "plain") != 0)
						for (int64_t i = 0; i < bi; i++)
							same = same && memcmp(v[t] + i * ldv, v[0] + i * ldv,
									      (size_t)bj * sizeof(float)) == 0;
				for (int t = 0; t < ntargets; t++)
					free(v[t]);
				free(x);
				free(y);
			}
		for (int t = 0; t < ntargets; t++)
			CHECK(within[t], "%s, kind %d", target[t]->name, kind);
		CHECK(same, "one result for all targets, kind %d", kind);
	}
}

/* Products in double precision, and what lies beyond them. */
static bool
tile64(const knng_kernels *kernels, int64_t bi, int64_t bj, int64_t d)
{
	int64_t ldv = bj + random_below(4);
	double *a = room(bi * d, sizeof *a), *b = room(bj * d, sizeof *b), *v = room(bi * ldv, sizeof *v);
	double sentinel = -12345;
	bool fine = true;
	for (int64_t e = 0; e < bi * d; e++)
		a[e] = ldexp(random_normal(), (int)random_below(20) - 10);
	for (int64_t e = 0; e < bj * d; e++)
		b[e] = ldexp(random_normal(), (int)random_below(20) - 10);
	for (int64_t e = 0; e < bi * ldv; e++)
		v[e] = sentinel;
	kernels->tile64(a, b, d, bi, bj, v, ldv);
	for (int64_t i = 0; i < bi; i++)
		for (int64_t j = 0; j < ldv; j++) {
			long double exact = 0, size = 0;
			for (int64_t l = 0; j < bj && l < d; l++) {
				exact += (long double)a[i * d + l] * b[j * d + l];
				size += fabsl((long double)a[i * d + l] * b[j * d + l]);
			}
			fine = fine && (j < bj ? fabsl(v[i * ldv + j] - exact) <= knng_gamma((double)d, 0x1p-53) * size
					       : v[i * ldv + j] == sentinel);
		}
	free(a);
	free(b);
	free(v);
	return fine;
}

static void
test_tile64(void)
{
	static const int64_t sides[] = {1, 2, 3, 4, 5, 8, 17}, depths[] = {1, 3, 8, 19, 300};
	for (int t = 0; t < ntargets; t++) {
		bool fine = true;
		for (int a = 0; a < 7; a++)
			for (int c = 0; c < 7; c++)
				for (int l = 0; l < 5; l++)
					fine = fine && tile64(target[t], sides[a], sides[c], depths[l]);
		CHECK(fine, "%s, products in double precision", target[t]->name);
	}
}

/* Values with many equal scores, on the grid of thresholds. */
static float
gridded(void)
{
	return random_below(30) == 0 ? -INFINITY : (float)random_below(9) / 4 - 1;
}

static bool
same_hits(const knng_hit *a, const knng_hit *b, int64_t n)
{
	bool fine = true;
	for (int64_t h = 0; h < n; h++)
		fine = fine && a[h].to == b[h].to && a[h].other == b[h].other && a[h].q == b[h].q;
	return fine;
}

static bool
compares(const knng_kernels *kernels, int64_t bj, int grid)
{
	enum { BEFORE = 3 };
	int64_t wide = up(bj, 16);
	float *v = room(wide, sizeof *v), *base = room(wide, sizeof *base), *limit = room(wide, sizeof *limit);
	knng_hit *row_hits = room(bj + BEFORE, sizeof *row_hits), *column_hits = room(bj + BEFORE, sizeof *column_hits);
	knng_hit *want_row = room(bj + BEFORE, sizeof *want_row), *want_column = room(bj + BEFORE, sizeof *want_column);
	static const float limits[] = {-FLT_MAX, INFINITY, 0, 0.25f, -0.5f, 1};
	float threshold = limits[random_below(6)],
	      row_base = grid ? (float)random_below(4) / 4 : (float)random_normal();
	bool columns = random_below(3) > 0;
	for (int64_t j = 0; j < wide; j++) {
		v[j] = grid ? gridded() : (float)random_normal();
		base[j] = j >= bj ? INFINITY : grid ? (float)random_below(4) / 4 : (float)random_normal();
		limit[j] = j >= bj ? INFINITY : limits[random_below(6)];
	}
	knng_hit mark = {-1, -2, -3};
	for (int64_t h = 0; h < BEFORE; h++)
		row_hits[h] = column_hits[h] = want_row[h] = want_column[h] = mark;
	int64_t nrow = BEFORE, ncolumn = BEFORE, rows_wanted = BEFORE, columns_wanted = BEFORE;
	for (int32_t j = 0; j < bj; j++) {
		volatile float q = v[j] - base[j], p = v[j] - row_base;
		if (q >= threshold)
			want_row[rows_wanted++] = (knng_hit){11, j, q};
		if (columns && p >= limit[j])
			want_column[columns_wanted++] = (knng_hit){j, 11, p};
	}
	kernels->compare(v, 11, bj, threshold, row_base, columns ? limit : NULL, base, row_hits, &nrow, column_hits,
			 &ncolumn);
	bool fine = nrow == rows_wanted && ncolumn == columns_wanted && same_hits(row_hits, want_row, nrow) &&
		    same_hits(column_hits, want_column, ncolumn);

	/* The best of groups, of the same row. */
	int64_t groups = 16 * (1 + random_below(4));
	float *best = room(groups, sizeof *best);
	kernels->group_best(v, base, bj, groups, best);
	for (int64_t g = 0; g < groups; g++) {
		float top = -FLT_MAX;
		for (int64_t j = g; j < bj; j += groups) {
			volatile float q = v[j] - base[j];
			top = q > top ? q : top;
		}
		fine = fine && best[g] == top;
	}
	free(best);
	free(v);
	free(base);
	free(limit);
	free(row_hits);
	free(column_hits);
	free(want_row);
	free(want_column);
	return fine;
}

static void
test_compare(void)
{
	static const int64_t sizes[] = {1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 49, 100, 200};
	for (int t = 0; t < ntargets; t++)
		for (int grid = 0; grid < 2; grid++) {
			bool fine = true;
			for (int s = 0; s < 13; s++)
				for (int again = 0; again < 60; again++)
					fine = fine && compares(target[t], sizes[s], grid);
			CHECK(fine, "%s, grid %d", target[t]->name, grid);
		}
}

int
main(void)
{
	test_keys();
	test_select();
	test_sorts();
	test_metrics();
	test_nearest_name();
	test_points();
	test_source();
	test_sink();
	test_adjacency();
	test_forest();
	test_times(1, 1, 1);
	test_times(40, 30, 7);
	test_times(3000, 20000, 10);
	test_sys();
	test_files();
	test_fail();
	test_dispatch();
	test_plan_errors();
	test_plan();
	test_sums();
	test_shared();
	test_same();
	test_prepare();
	test_extent();
	test_centre();
	test_unit();
	test_copy();
	test_tiles();
	test_tile64();
	test_compare();
	return summary();
}
