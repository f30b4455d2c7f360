/* oracle.c  See oracle.h. The section numbers below are those of docs/canonical.md. */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { AS_IS, UNIT, CENTRED, RANKED } preparation;
typedef enum { SQUARE, ROOT, HALF_MINUS, HALF_EITHER, HALF_PLUS, SUM, MAXIMUM } form;

static const struct metric {
	const char *name;
	preparation prepare;
	form map;
} metrics[] = {
	{"euclidean", AS_IS, ROOT},          {"sqeuclidean", AS_IS, SQUARE},       {"cosine", UNIT, HALF_MINUS},
	{"pearson", CENTRED, HALF_MINUS},    {"correlation", CENTRED, HALF_MINUS}, {"abspearson", CENTRED, HALF_EITHER},
	{"antipearson", CENTRED, HALF_PLUS}, {"spearman", RANKED, HALF_MINUS},     {"cityblock", AS_IS, SUM},
	{"manhattan", AS_IS, SUM},           {"chebychev", AS_IS, MAXIMUM},        {"squaredeuclidean", AS_IS, SQUARE},
};

enum { METRICS = sizeof metrics / sizeof metrics[0] };

const char *
oracle_metric_name(int i)
{
	return i >= 0 && i < METRICS ? metrics[i].name : NULL;
}

int64_t
oracle_width(int64_t n, bool graph, int64_t k)
{
	int64_t most = graph ? n - 1 : n;
	return k < most ? k : most;
}

/* Section 2: the eight accumulators, folded. */
static double
fold(const double a[8])
{
	return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

static double
sum(const double *v, int64_t d)
{
	double a[8] = {0};
	for (int64_t j = 0; j < d; j++)
		a[j % 8] += v[j];
	return fold(a);
}

static double
sum_of_squares(const double *v, int64_t d)
{
	double a[8] = {0};
	for (int64_t j = 0; j < d; j++)
		a[j % 8] = fma(v[j], v[j], a[j % 8]);
	return fold(a);
}

/* Average ranks, 1 to d, of x: those below, and half of those that are equal. Multiples of 1/2, so exact. */
static void
ranks(const double *x, int64_t d, double *u)
{
	for (int64_t j = 0; j < d; j++) {
		int64_t below = 0, equal = 0;
		for (int64_t i = 0; i < d; i++) {
			below += x[i] < x[j];
			equal += x[i] == x[j];
		}
		u[j] = (double)below + ((double)equal + 1) / 2;
	}
}

/* Section 3, scaling: the power of two that brings the largest |u| into [1, 2). */
static void
scale(double *u, int64_t d)
{
	double largest = 0;
	int e;
	for (int64_t j = 0; j < d; j++)
		largest = fmax(largest, fabs(u[j]));
	frexp(largest, &e); /* 2^(e-1) <= largest < 2^e */
	for (int64_t j = 0; j < d; j++)
		u[j] = ldexp(u[j], 1 - e);
}

static void
subtract_mean(double *u, int64_t d)
{
	double m = sum(u, d) / (double)d;
	for (int64_t j = 0; j < d; j++)
		u[j] = u[j] - m;
}

/* Sections 1 and 3: fills u with the prepared row of x. False: the row has no distances. */
static bool
prepare(preparation how, const double *x, int64_t d, double *u)
{
	double low = INFINITY, high = -INFINITY;
	for (int64_t j = 0; j < d; j++) {
		if (!isfinite(x[j]))
			return false;
		low = fmin(low, x[j]);
		high = fmax(high, x[j]);
	}
	if ((how == CENTRED || how == RANKED) && low == high)
		return false;
	if (how == UNIT && low == 0 && high == 0)
		return false;

	memcpy(u, x, (size_t)d * sizeof *u);
	if (how == AS_IS)
		return true;
	if (how == RANKED)
		ranks(x, d, u);
	scale(u, d);
	if (how != UNIT) {
		subtract_mean(u, d);
		subtract_mean(u, d);
	}
	double length = sqrt(sum_of_squares(u, d));
	for (int64_t j = 0; j < d; j++)
		u[j] = u[j] / length;
	return true;
}

/* Section 3: the distance from u, the row whose neighbours are sought, to v. t: room for d doubles. */
static double
distance(form map, const double *u, const double *v, int64_t d, double *t)
{
	double minus = 0, plus = 0, largest = 0;

	if (map == HALF_PLUS || map == HALF_EITHER) {
		for (int64_t j = 0; j < d; j++)
			t[j] = u[j] + v[j];
		plus = sum_of_squares(t, d);
	}
	for (int64_t j = 0; j < d; j++)
		t[j] = u[j] - v[j];
	if (map == SUM || map == MAXIMUM) {
		for (int64_t j = 0; j < d; j++) {
			t[j] = fabs(t[j]);
			largest = fmax(largest, t[j]);
		}
		return map == SUM ? sum(t, d) : largest;
	}
	minus = sum_of_squares(t, d);

	switch (map) {
	case ROOT:
		return sqrt(minus);
	case HALF_MINUS:
		return minus / 2;
	case HALF_EITHER:
		return fmin(minus, plus) / 2;
	case HALF_PLUS:
		return plus / 2;
	default:
		return minus;
	}
}

typedef struct {
	double dist;
	int64_t j;
} neighbour;

/* Section 4: by distance, then by index. No distance here is a NaN. */
static int
compare(const void *pa, const void *pb)
{
	const neighbour *a = pa, *b = pb;
	if (a->dist != b->dist)
		return a->dist < b->dist ? -1 : 1;
	return (a->j > b->j) - (a->j < b->j);
}

/* One more among those found so far, which are not sorted; the new number of them. Sorted now and then, all but the
 * first k go, which are no longer among the first k of all; bar is then the last of these, and what comes after it need
 * not be kept. To sort all of a row took as long as their distances. */
static int64_t
put(neighbour *all, int64_t found, int64_t k, neighbour *bar, neighbour one)
{
	if (bar->j >= 0 && compare(bar, &one) < 0)
		return found;
	all[found++] = one;
	if (k < 1 || found < 2 * k + 16)
		return found;
	qsort(all, (size_t)found, sizeof *all, compare);
	*bar = all[k - 1];
	return k;
}

/* malloc for count objects, at least one. */
static void *
room(int64_t count, size_t size)
{
	return malloc((size_t)(count > 0 ? count : 1) * size);
}

int
oracle_knn(const char *metric, bool single_result, int64_t n, int64_t d, const double *X, int64_t m, const double *Y,
	   int64_t k, int64_t *idx, double *dist)
{
	bool graph = !Y;
	int which = 0, status = -2;
	while (which < METRICS && strcmp(metric, metrics[which].name) != 0)
		which++;
	if (which == METRICS)
		return -1;

	k = oracle_width(n, graph, k);
	if (graph) {
		m = n;
		Y = X;
	}

	double *u = room(n * d, sizeof *u), *y = room(d, sizeof *y), *t = room(d, sizeof *t);
	bool *has = room(n, sizeof *has);
	neighbour *all = room(n, sizeof *all);
	if (!u || !y || !t || !has || !all)
		goto done;

	for (int64_t j = 0; j < n; j++)
		has[j] = prepare(metrics[which].prepare, X + j * d, d, u + j * d);
	for (int64_t i = 0; i < m; i++) {
		int64_t found = 0;
		neighbour bar = {NAN, -1};
		if (prepare(metrics[which].prepare, Y + i * d, d, y))
			for (int64_t j = 0; j < n; j++)
				if (has[j] && !(graph && i == j))
					found = put(all, found, k, &bar,
						    (neighbour){distance(metrics[which].map, y, u + j * d, d, t), j});
		qsort(all, (size_t)found, sizeof *all, compare);
		for (int64_t c = 0; c < k; c++) {
			double r = c < found ? all[c].dist : NAN;
			idx[i * k + c] = c < found ? all[c].j : -1;
			dist[i * k + c] = single_result ? (double)(float)r : r;
		}
	}
	status = 0;
done:
	free(all);
	free(has);
	free(t);
	free(y);
	free(u);
	return status;
}

/* ---------------------------------------------------------------- section 12 */

/* Some columns of a row, and which: element j stands in column at[j]. */
typedef struct {
	double *v;
	const int64_t *at;
	int64_t c;
} part_row;

static double
sum_of_part(const part_row *p)
{
	double a[8] = {0};
	for (int64_t j = 0; j < p->c; j++)
		a[p->at[j] % 8] += p->v[j];
	return fold(a);
}

static double
squares_of_part(const part_row *p)
{
	double a[8] = {0};
	for (int64_t j = 0; j < p->c; j++)
		a[p->at[j] % 8] = fma(p->v[j], p->v[j], a[p->at[j] % 8]);
	return fold(a);
}

/* False: the row has no distance over these columns. r: room for c doubles. */
static bool
prepare_part(preparation how, part_row *p, double *r)
{
	bool same = true, zero = true;
	for (int64_t j = 0; j < p->c; j++) {
		same = same && p->v[j] == p->v[0];
		zero = zero && p->v[j] == 0;
	}
	if (((how == CENTRED || how == RANKED) && same) || (how == UNIT && zero))
		return false;
	if (how == AS_IS)
		return true;
	if (how == RANKED) {
		ranks(p->v, p->c, r);
		memcpy(p->v, r, (size_t)p->c * sizeof *r);
	}
	scale(p->v, p->c);
	for (int pass = 0; pass < 2 && how != UNIT; pass++) {
		double m = sum_of_part(p) / (double)p->c;
		for (int64_t j = 0; j < p->c; j++)
			p->v[j] = p->v[j] - m;
	}
	double length = sqrt(squares_of_part(p));
	for (int64_t j = 0; j < p->c; j++)
		p->v[j] = p->v[j] / length;
	return true;
}

/* The distance over the columns that x and y share; false: there is none. u, v, t: room for d doubles; at: for d. */
static bool
distance_of_pair(const struct metric *metric, const double *x, const double *y, int64_t d, int64_t least, double *u,
		 double *v, double *t, int64_t *at, int64_t *shared, double *result)
{
	int64_t c = 0;
	for (int64_t j = 0; j < d; j++) {
		if (isinf(x[j]) || isinf(y[j]))
			return false;
		if (isnan(x[j]) || isnan(y[j]))
			continue;
		u[c] = x[j];
		v[c] = y[j];
		at[c++] = j;
	}
	*shared = c;
	part_row p = {u, at, c}, q = {v, at, c}, r = {t, at, c};
	if (c < least || c < 1 || !prepare_part(metric->prepare, &p, t) || !prepare_part(metric->prepare, &q, t))
		return false;
	double minus, plus, s = (double)d / (double)c;
	for (int64_t j = 0; j < c; j++)
		t[j] = u[j] + v[j];
	plus = squares_of_part(&r);
	for (int64_t j = 0; j < c; j++)
		t[j] = u[j] - v[j];
	minus = squares_of_part(&r);
	for (int64_t j = 0; j < c; j++)
		t[j] = fabs(t[j]);
	*result = metric->map == SUM           ? sum_of_part(&r) * s
		  : metric->map == SQUARE      ? minus * s
		  : metric->map == ROOT        ? sqrt(minus * s)
		  : metric->map == HALF_MINUS  ? minus / 2
		  : metric->map == HALF_EITHER ? fmin(minus, plus) / 2
					       : plus / 2;
	return true;
}

int
oracle_pairwise(const char *metric, bool single_result, int64_t least, int64_t n, int64_t d, const double *X, int64_t m,
		const double *Y, int64_t k, int64_t *idx, double *dist, int64_t *shared)
{
	bool graph = !Y;
	int which = 0;
	while (which < METRICS && strcmp(metric, metrics[which].name) != 0)
		which++;
	if (which == METRICS)
		return -1;
	if (metrics[which].map == MAXIMUM)
		return -3;
	k = oracle_width(n, graph, k);
	if (graph) {
		m = n;
		Y = X;
	}
	double *u = room(3 * d, sizeof *u);
	int64_t *at = room(d, sizeof *at), *common = room(n, sizeof *common);
	neighbour *all = room(n, sizeof *all);
	bool fine = u && at && common && all;
	for (int64_t i = 0; fine && i < m; i++) {
		int64_t found = 0;
		neighbour bar = {NAN, -1};
		for (int64_t j = 0; j < n; j++) {
			double r;
			if (!(graph && i == j) && distance_of_pair(&metrics[which], Y + i * d, X + j * d, d, least, u,
								   u + d, u + 2 * d, at, &common[j], &r))
				found = put(all, found, k, &bar, (neighbour){r, j});
		}
		qsort(all, (size_t)found, sizeof *all, compare);
		for (int64_t c = 0; c < k; c++) {
			double r = c < found ? all[c].dist : NAN;
			idx[i * k + c] = c < found ? all[c].j : -1;
			dist[i * k + c] = single_result ? (double)(float)r : r;
			if (shared)
				shared[i * k + c] = c < found ? common[all[c].j] : 0;
		}
	}
	free(all);
	free(common);
	free(at);
	free(u);
	return fine ? 0 : -2;
}
