/* test_linkage.c  Trees of clusters against docs/canonical.md, 13, in plain loops, bit by bit; thousands of trees of
 * hostile points; what is read off trees; every number of threads, and failures. */
#include "base/sys.h"
#include "graph/tree.h"
#include "knng.h"
#include "rows/linkage_points.h"
#include "testing.h"

enum { KINDS = 8 };

static const double scales[KINDS] = {1, 1, 1, 1, 1e-160, 0x1p-1070, 1e300, 1};

static double *
make_distances(int64_t n, int kind)
{
	double *D = room(n * n, sizeof *D);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j <= i; j++) {
			double v = kind == 1 || kind == 5 ? (double)random_below(4) /* many ties */
				   : kind == 2            ? fabs(pow(1.1, (double)i) - pow(1.1, (double)j))
				   : kind == 3            ? 0
				   : kind == 7            ? (random_below(3) > 0 ? INFINITY : random_unit())
							  : random_unit();
			D[i * n + j] = D[j * n + i] = i == j ? 0 : v * scales[kind];
		}
	return D;
}

/* ---- the page, once more: a table that is kept up to date as a whole */

static double
join_distance(knng_link method, double x, double y, double c, double na, double nb, double nk)
{
	double less = fmin(x, y), more = fmax(x, y), p = na / (na + nb), n, unit;
	int e;
	frexp(more, &e);
	unit = ldexp(1, e > 1023 ? 1023 : e < -1021 ? -1021 : e);
	double u = x / unit, v = y / unit, w = c / unit;
	switch (method) {
	case KNNG_LINK_SINGLE:
		return less;
	case KNNG_LINK_COMPLETE:
		return more;
	case KNNG_LINK_AVERAGE:
		return isinf(more) ? more : fmin(fmax(p * x + (1 - p) * y, less), more);
	case KNNG_LINK_WEIGHTED:
		return isinf(more) ? more : fmin(fmax(0.5 * x + 0.5 * y, less), more);
	case KNNG_LINK_WARD:
		n = na + nb + nk;
		u = (na + nk) / n * (u * u) + (nb + nk) / n * (v * v) - nk / n * (w * w);
		return isinf(more) ? more : u >= 0 ? fmax(unit * sqrt(u), less) : less;
	default:
		p = method == KNNG_LINK_MEDIAN ? 0.5 : p;
		u = p * (u * u) + (1 - p) * (v * v) - p * (1 - p) * (w * w);
		return isinf(more) ? more : u > 0 ? unit * sqrt(u) : 0;
	}
}

typedef struct {
	int64_t n, steps;
	double *D, *size, *Z;
	int64_t *called, *made; /* the number of a node; by a step its row */
	double *height;
	int64_t *one, *other;
} plain;

static void
plain_join(plain *t, knng_link method, int64_t a, int64_t b)
{
	int64_t n = t->n;
	double c = t->D[a * n + b];
	for (int64_t k = 0; k < n; k++)
		if (t->size[k] > 0 && k != a && k != b)
			t->D[a * n + k] = t->D[k * n + a] = join_distance(method, t->D[a * n + k], t->D[b * n + k], c,
									  t->size[a], t->size[b], t->size[k]);
	t->size[a] += t->size[b];
	t->size[b] = 0;
	t->height[t->steps] = c;
	t->one[t->steps] = a;
	t->other[t->steps++] = b;
}

static void
plain_chains(plain *t, knng_link method)
{
	int64_t n = t->n, *chain = room(n, sizeof *chain), length = 0;
	while (t->steps < n - 1) {
		if (length == 0)
			for (int64_t i = 0; length == 0; i++)
				if (t->size[i] > 0)
					chain[length++] = i;
		int64_t a = chain[length - 1], b = length > 1 ? chain[length - 2] : -1;
		for (int64_t i = 0; i < n; i++)
			if (t->size[i] > 0 && i != a && (b < 0 || t->D[a * n + i] < t->D[a * n + b]))
				b = i;
		if (length > 1 && b == chain[length - 2]) {
			length -= 2;
			plain_join(t, method, a < b ? a : b, a < b ? b : a);
		} else {
			CHECK(length < n, "a node came twice");
			if (length == n)
				break;
			chain[length++] = b;
		}
	}
	free(chain);
}

static void
plain_nearest(plain *t, knng_link method)
{
	int64_t n = t->n;
	while (t->steps < n - 1) {
		int64_t a = -1, b = -1;
		for (int64_t j = 0; j < n; j++)
			for (int64_t i = 0; i < j; i++)
				if (t->size[i] > 0 && t->size[j] > 0 && (a < 0 || t->D[j * n + i] < t->D[b * n + a])) {
					a = i;
					b = j;
				}
		plain_join(t, method, a, b);
	}
}

static void
plain_tree(int64_t n, const double *D, knng_link method, double *Z)
{
	plain t = {.n = n};
	bool chains = method < KNNG_LINK_CENTROID;
	t.D = room(n * n, sizeof *t.D);
	t.size = room(n, sizeof *t.size);
	t.height = room(n, sizeof *t.height);
	t.one = room(n, sizeof *t.one);
	t.other = room(n, sizeof *t.other);
	t.called = room(n, sizeof *t.called);
	t.made = room(n, sizeof *t.made);
	memcpy(t.D, D, (size_t)(n * n) * sizeof *D);
	for (int64_t i = 0; i < n; i++) {
		t.size[i] = 1;
		t.called[i] = i + 1;
	}
	if (chains)
		plain_chains(&t, method);
	else
		plain_nearest(&t, method);
	for (int64_t s = 0; s < n - 1; s++) /* by insertion */
		for (t.made[s] = s; chains && s > 0;) {
			int64_t p = s;
			for (; p > 0 && t.height[t.made[p - 1]] > t.height[s]; p--)
				t.made[p] = t.made[p - 1];
			t.made[p] = s;
			break;
		}
	for (int64_t s = 0; s < n - 1; s++) {
		int64_t a = t.one[t.made[s]], b = t.other[t.made[s]];
		Z[s] = (double)(t.called[a] < t.called[b] ? t.called[a] : t.called[b]);
		Z[n - 1 + s] = (double)(t.called[a] < t.called[b] ? t.called[b] : t.called[a]);
		Z[2 * (n - 1) + s] = t.height[t.made[s]];
		t.called[a] = n + s + 1;
	}
	free(t.D);
	free(t.size);
	free(t.height);
	free(t.one);
	free(t.other);
	free(t.called);
	free(t.made);
}

static void
test_distances(int64_t n, int kind)
{
	double *D = make_distances(n, kind), *W = room(n * n, sizeof *W);
	double *Z = room(3 * n, sizeof *Z), *right = room(3 * n, sizeof *right);
	knng_task task = {.threads = 1};
	knng_err err = {0};
	for (knng_link method = 0; method < KNNG_LINKS; method++) {
		memcpy(W, D, (size_t)(n * n) * sizeof *W);
		plain_tree(n, D, method, right);
		knng_status status = knng_link_distances(&task, n, W, method, Z, &err);
		CHECK(status == KNNG_OK && memcmp(Z, right, (size_t)(3 * (n - 1)) * sizeof *Z) == 0,
		      "%lld rows, kind %d, method %d", (long long)n, kind, (int)method);
	}
	free(D);
	free(W);
	free(Z);
	free(right);
}

/* ---- points */

static bool
is_tree(int64_t n, const double *Z, bool rising)
{
	int64_t *node = room(2 * n, sizeof *node);
	bool right = knng_tree_read(n, Z, node, NULL) == KNNG_OK;
	for (int64_t s = 0; s < n - 1; s++) {
		right = right && Z[s] < Z[n - 1 + s] && Z[2 * (n - 1) + s] >= 0;
		right = right && (!rising || s == 0 || Z[2 * (n - 1) + s - 1] <= Z[2 * (n - 1) + s]);
	}
	free(node);
	return right;
}

/* Few values, so that many distances are equal but for rounding; copies; lines. */
static void
hostile_points(int64_t n, int64_t d, double *x)
{
	int kind = (int)random_below(5);
	double unit = kind == 4 ? ldexp(1, (int)random_below(2000) - 1000) : 1;
	for (int64_t i = 0; i < n; i++)
		for (int64_t l = 0; l < d; l++)
			x[i * d + l] = (kind == 0   ? 0.1 * (double)random_below(3)
					: kind == 1 ? (double)i / 3
					: kind == 2 ? (i > 1 ? x[random_below(2) * d + l] : random_unit())
						    : cos(6.2831853071795865 * (double)i / (double)n + (double)l)) *
				       unit;
}

static void
test_hostile(void)
{
	enum { MOST = 40, WIDE = 3 };
	double x[MOST * WIDE], Z[3 * MOST], again[3 * MOST];
	knng_task one = {.threads = 1}, many = {.threads = 3};
	knng_err err = {0};
	const knng_metric *metric = knng_metric_find("euclidean");
	for (int i = 0; i < 3000; i++) {
		int64_t n = 1 + random_below(MOST), d = 1 + random_below(WIDE);
		knng_link method = (knng_link)(i % KNNG_LINKS);
		hostile_points(n, d, x);
		knng_matrix X = knng_by_rows(n, d, KNNG_F64, x);
		bool centres = method >= KNNG_LINK_WARD;
		knng_status status = knng_link_points(&one, &X, metric, method, centres, 0, Z, &err);
		CHECK(status == KNNG_OK && is_tree(n, Z, method < KNNG_LINK_CENTROID), "tree %d", i);
		if (i % 50 == 0)
			CHECK(knng_link_points(&many, &X, metric, method, centres, 0, again, &err) == KNNG_OK &&
				      memcmp(Z, again, (size_t)(3 * (n - 1)) * sizeof *Z) == 0,
			      "tree %d by three threads", i);
	}
}

/* All metrics: the table is what knng_all_distances gives; rows without distances; memory; failing calls; Ctrl-C. */
static void
test_points(void)
{
	enum { N = 150, D = 11 };
	static double x[N * D], y[N * (N - 1) / 2], W[N * N], Z[3 * N], right[3 * N];
	static volatile sig_atomic_t stop = 1;
	knng_task task = {.threads = 3}, stopped = {.threads = 1, .interrupt = &stop};
	knng_err err = {0};
	for (int i = 0; i < N * D; i++)
		x[i] = random_normal();
	knng_matrix X = knng_by_rows(N, D, KNNG_F64, x);
	for (int m = 0; knng_metrics[m].name != NULL; m++) {
		const double *at = y;
		CHECK(knng_all_distances(&task, &X, &knng_metrics[m], y, &err) == KNNG_OK, "%s", err.text);
		for (int i = 0; i < N; i++)
			for (int j = i + 1; j < N; j++)
				W[i * N + j] = W[j * N + i] = *at++;
		CHECK(knng_link_distances(&task, N, W, KNNG_LINK_AVERAGE, right, &err) == KNNG_OK &&
			      knng_link_points(&task, &X, &knng_metrics[m], KNNG_LINK_AVERAGE, false, 0, Z, &err) ==
				      KNNG_OK &&
			      memcmp(Z, right, sizeof(double) * 3 * (N - 1)) == 0,
		      "%s", knng_metrics[m].name);
	}
	const knng_metric *metric = knng_metric_find("euclidean");
	for (knng_link method = KNNG_LINK_AVERAGE; method <= KNNG_LINK_CENTROID; method++) {
		bool centres = method >= KNNG_LINK_WARD;
		int64_t live = knng_sys().live, nth = 0;
		knng_status status = KNNG_EMEMORY;
		while (status == KNNG_EMEMORY && nth < 100) {
			knng_sys_fail_at(++nth);
			status = knng_link_points(&task, &X, metric, method, centres, 0, Z, &err);
			CHECK(knng_sys().live == live, "call %lld", (long long)nth);
		}
		knng_sys_fail_at(0);
		CHECK(status == KNNG_OK && nth > 12 && nth < 40, "%lld calls", (long long)nth);
		knng_sys_mark_peak();
		int64_t before = knng_sys().bytes;
		CHECK(knng_link_points(&task, &X, metric, method, centres, 1e3, Z, &err) == KNNG_EMEMORY &&
			      strcmp(err.id, "knng:args:maxMemory") == 0 && knng_sys().peak == before,
		      "%s", err.id);
		CHECK(knng_link_points(&stopped, &X, metric, method, centres, 0, Z, &err) == KNNG_EINTERRUPTED &&
			      knng_sys().live == live,
		      "%s", err.id);
		x[17 * D + 3] = NAN;
		CHECK(knng_link_points(&task, &X, metric, method, centres, 0, Z, &err) == KNNG_EARGS &&
			      strstr(err.text, "row 18 ") != NULL && knng_sys().live == live,
		      "%s", err.text);
		CHECK(knng_link_check(&task, &X, metric, &err) == KNNG_EARGS, "%s", err.text);
		x[17 * D + 3] = 0.5;
	}
}

/* What is no tree, and clusters by cuts. */
static void
test_read(void)
{
	static const double trees[][6] = {{1, 3, 2, 3, 1, 2},   {1, 4, 2, 4, 1, 2},  {1, 1, 2, 3, 1, 2},
					  {1, 3, 1, 4, 1, 2},   {1, 3, 2, 5, 1, 2},  {0, 3, 2, 4, 1, 2},
					  {1.5, 3, 2, 4, 1, 2}, {1, 3, 2, 4, 1, NAN}};
	int64_t node[6], scratch[9];
	double part[3];
	knng_err err = {0};
	for (size_t t = 0; t < sizeof trees / sizeof *trees; t++)
		CHECK(knng_tree_read(3, trees[t], node, &err) == KNNG_EARGS && strcmp(err.id, "knng:args:tree") == 0,
		      "tree %d", (int)t);
	static const double tree[] = {2, 1, 3, 4, 1, 2}, measure[] = {1, 2};
	CHECK(knng_tree_read(3, tree, node, &err) == KNNG_OK, "%s", err.text);
	static const double parts[][3] = {{1, 2, 3}, {1, 2, 2}, {1, 1, 1}};
	for (int limit = 0; limit < 3; limit++) {
		knng_tree_cut(3, node, measure, limit, part, scratch);
		CHECK(memcmp(part, parts[limit], sizeof part) == 0, "%g %g %g", part[0], part[1], part[2]);
	}
}

int
main(void)
{
	static const int64_t sizes[] = {1, 2, 3, 4, 9, 40, 300};
	knng_memory_set_available(1e12);
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (int kind = 0; kind < KINDS; kind++)
			test_distances(sizes[s], kind);
	test_hostile();
	test_points();
	test_read();
	return summary();
}
