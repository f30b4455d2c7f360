/* test_kmeans.c  knng_kmeans against docs/centres.md in plain loops, bit by bit: distances are the oracle's, sums whole
 * numbers. */
#include "base/sys.h"
#include "kinds.h"
#include "knng.h"
#include "oracle.h"
#include "rows/kmeans.h"
#include "search/cpu/kernels.h"
#include "search/metric.h"
#include "testing.h"

#include <float.h>

typedef struct {
	const char *metric;
	int64_t n, d, k;
	bool draws; /* else starts are given */
	knng_empty empty;
	int64_t most;
	bool online;
	double *X, *start, *draw;
} problem;

typedef struct {
	int32_t *cluster;
	double *centre, *sum, *to, iterations, total;
	knng_status status;
} answer;

static answer
room_for(const problem *p)
{
	return (answer){.cluster = room(p->n, sizeof(int32_t)),
			.centre = room(p->k * p->d, sizeof(double)),
			.sum = room(p->k, sizeof(double)),
			.to = room(p->n * p->k, sizeof(double))};
}

static void
release(answer *a)
{
	free(a->cluster);
	free(a->centre);
	free(a->sum);
	free(a->to);
}

/* ---------------------------------------------------------------- the page in plain loops */

static double
in_order(const double *x, int64_t d, bool squares)
{
	double a[8] = {0};
	for (int64_t l = 0; l < d; l++)
		a[l % 8] = squares ? fma(x[l], x[l], a[l % 8]) : a[l % 8] + x[l];
	return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

/* Section 3 of canonical.md for the metrics that have centres. */
static void
prepared(const char *metric, const double *x, int64_t d, double *u)
{
	double most = 0;
	int e = 0;
	memcpy(u, x, (size_t)d * sizeof *u);
	if (strcmp(metric, "cosine") != 0 && strcmp(metric, "pearson") != 0)
		return;
	for (int64_t l = 0; l < d; l++)
		most = fmax(most, fabs(u[l]));
	frexp(most, &e);
	for (int64_t l = 0; l < d; l++)
		u[l] = scalbn(u[l], 1 - e);
	for (int twice = 0; twice < 2 && strcmp(metric, "pearson") == 0; twice++) {
		double mean = in_order(u, d, false) / (double)d;
		for (int64_t l = 0; l < d; l++)
			u[l] -= mean;
	}
	double norm = sqrt(in_order(u, d, true));
	for (int64_t l = 0; l < d; l++)
		u[l] /= norm;
}

/* The distance of each row to each of k centres, NaN where one has none. The oracle is asked once for all of them,
 * since it prepares every row anew. */
static void
distances(const problem *p, const double *centre, const bool *gone, int64_t k, double *to)
{
	int64_t *idx = room(p->n * k, sizeof *idx), *which = room(k, sizeof *which), left = 0;
	double *dist = room(p->n * k, sizeof *dist), *some = room(k * p->d, sizeof *some);
	for (int64_t j = 0; j < k; j++)
		if (!gone[j]) {
			memcpy(some + left * p->d, centre + j * p->d, (size_t)p->d * sizeof *some);
			which[left++] = j;
		}
	if (oracle_knn(p->metric, false, left, p->d, some, p->n, p->X, left, idx, dist) != 0)
		abort();
	for (int64_t e = 0; e < p->n * k; e++)
		to[e] = NAN;
	for (int64_t i = 0; i < p->n; i++)
		for (int64_t c = i * left; c < (i + 1) * left; c++)
			if (idx[c] >= 0)
				to[which[idx[c]] * p->n + i] = dist[c];
	free(idx);
	free(which);
	free(dist);
	free(some);
}

static bool
has_distances(const char *metric, const double *x, int64_t d)
{
	double other[64], dist;
	int64_t idx;
	for (int64_t l = 0; l < d; l++)
		other[l] = (double)(1 + l);
	return oracle_knn(metric, false, 1, d, other, 1, x, 1, &idx, &dist) == 0 && idx == 0;
}

/* H + (M + W), whole numbers in units of 2^-22, 2^-44 and 2^-66, and e of (C1). */
static double
sum_of(const problem *p, const double *u, const bool *has, const int32_t *cluster, int64_t j, int64_t l, int *exponent,
       double *size)
{
	double most = 0;
	int64_t sum[3] = {0};
	int e = 0;
	for (int64_t i = 0; i < p->n; i++)
		if (has[i])
			most = fmax(most, fabs(u[i * p->d + l]));
	frexp(most, &e);
	*exponent = e = e < -1022 ? -1022 : e;
	*size = 0;
	for (int64_t i = 0; i < p->n; i++) {
		double x = has[i] ? ldexp(u[i * p->d + l], -e) : 0;
		if (!has[i] || cluster[i] != j)
			continue;
		++*size;
		for (int part = 0; part < 3; part++) {
			double units = nearbyint(ldexp(x, 22 * (part + 1)));
			sum[part] += (int64_t)units;
			x -= ldexp(units, -22 * (part + 1));
		}
	}
	return ldexp((double)sum[0], -22) + (ldexp((double)sum[1], -44) + ldexp((double)sum[2], -66));
}

/* (C2) */
static double
mean_of(const problem *p, const double *u, const bool *has, const int32_t *cluster, int64_t j, int64_t l)
{
	double size;
	int e;
	double total = sum_of(p, u, has, cluster, j, l, &e, &size), c = ldexp(total / size, e);
	return isinf(c) ? copysign(DBL_MAX, c) : c;
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void
middle_of(const problem *p, const bool *has, const int32_t *cluster, int64_t j, int64_t l, double *a, double *b)
{
	double *x = room(p->n, sizeof *x);
	int64_t size = 0;
	for (int64_t i = 0; i < p->n; i++)
		if (has[i] && cluster[i] == j)
			x[size++] = p->X[i * p->d + l] + 0.0;
	qsort(x, (size_t)size, sizeof *x, ascending);
	*a = x[(size - 1) / 2];
	*b = x[size / 2];
	free(x);
}

/* (C3): where both are one number, half of their sum is it again, if that does not overflow. */
static double
median_of(const problem *p, const bool *has, const int32_t *cluster, int64_t j, int64_t l)
{
	double a, b;
	middle_of(p, has, cluster, j, l, &a, &b);
	return isinf(a + b) ? a / 2 + b / 2 : (a + b) / 2;
}

/* ---- the online phase, section 3 */

/* What solve knows of the rows and clusters. */
typedef struct {
	const problem *p;
	const bool *has, *gone;
	const double *u;
	double *centre, *seen, *to;
	int32_t *own;
	int64_t *size;
} state;

static void
make_centre(const state *s, int64_t j)
{
	int64_t d = s->p->d;
	double next[64] = {0};
	for (int64_t l = 0; l < d; l++)
		next[l] = strcmp(s->p->metric, "cityblock") != 0 ? mean_of(s->p, s->u, s->has, s->own, j, l)
								 : median_of(s->p, s->has, s->own, j, l);
	memcpy(s->centre + j * d, next, (size_t)d * sizeof *next);
	if (has_distances(s->p->metric, next, d))
		memcpy(s->seen + j * d, next, (size_t)d * sizeof *next);
}

/* (C10), (C11), (C12): what row i takes along when it leaves cluster j, or brings when it comes. The state's lengths
 * and middles are those of the clusters as they are. */
static double
change(const state *s, int64_t i, int64_t j, bool leaves, const double *length, const double *low, const double *high)
{
	double D = s->to[j * s->p->n + i], size = (double)s->size[j], sum = 0;
	if (strcmp(s->p->metric, "sqeuclidean") == 0)
		return D * (size / (leaves ? size - 1 : size + 1));
	if (strcmp(s->p->metric, "cityblock") != 0) {
		double L = length[j], y = leaves ? L - 1 : L + 1, x = 2 * L * D;
		if (!leaves)
			return x / (y + sqrt(fmax(y * y - x, 0)));
		return y > 0 ? x / (sqrt(y * y + x) + y) : sqrt(y * y + x) - y;
	}
	for (int64_t l = 0; l < s->p->d; l++) {
		double x = s->u[i * s->p->d + l], p = low[j * s->p->d + l], q = high[j * s->p->d + l];
		sum += leaves ? fmax(q - x, x - p) : fmax(fmax(p - x, x - q), 0);
	}
	return sum;
}

static void
know(const state *s, int64_t j, double *length, double *low, double *high)
{
	double square = 0, none;
	int e;
	for (int64_t l = 0; l < s->p->d; l++) {
		if (strcmp(s->p->metric, "cityblock") == 0) {
			middle_of(s->p, s->has, s->own, j, l, &low[j * s->p->d + l], &high[j * s->p->d + l]);
			continue;
		}
		double sum = sum_of(s->p, s->u, s->has, s->own, j, l, &e, &none), x = ldexp(sum, e);
		square += x * x;
	}
	length[j] = sqrt(square);
}

/* Passes from a run that has converged: how many, negative if rows still move. */
static double
online(const state *s, int64_t most)
{
	int64_t n = s->p->n, d = s->p->d, k = s->p->k, passes = 0, moves = 1;
	double *length = room(k, sizeof *length), *low = room(k * d, sizeof *low), *high = room(k * d, sizeof *high);
	for (int64_t j = 0; j < k; j++)
		if (!s->gone[j])
			know(s, j, length, low, high);
	for (; passes < most && moves > 0; passes++) {
		moves = 0;
		for (int64_t i = 0; i < n; i++) {
			int32_t own = s->own[i], at = -1;
			double least = INFINITY;
			if (!s->has[i] || s->size[own] < 2)
				continue;
			for (int32_t j = 0; j < k; j++) {
				double h = s->gone[j] || j == own ? NAN : change(s, i, j, false, length, low, high);
				if (!s->gone[j] && j != own && (at < 0 || h < least)) {
					at = j;
					least = h;
				}
			}
			if (at < 0 ||
			    !(least < change(s, i, own, true, length, low, high) * (1 - ((double)d + 64) * 0x1p-50)))
				continue;
			moves++;
			s->own[i] = at;
			s->size[own]--;
			s->size[at]++;
			int32_t both[] = {own, at};
			for (int e = 0; e < 2; e++) {
				bool none = false;
				make_centre(s, both[e]);
				know(s, both[e], length, low, high);
				distances(s->p, s->seen + both[e] * d, &none, 1, s->to + both[e] * n);
			}
		}
	}
	free(length);
	free(low);
	free(high);
	return (double)passes * (moves > 0 ? -1 : 1);
}

/* What the clusters come to. */
static double
total_of(const state *s, double *sum)
{
	double total = 0;
	memset(sum, 0, (size_t)s->p->k * sizeof *sum);
	for (int64_t i = 0; i < s->p->n; i++)
		if (s->has[i])
			sum[s->own[i]] += s->to[s->own[i] * s->p->n + i];
	for (int64_t j = 0; j < s->p->k; j++)
		total += sum[j];
	return total;
}

static int64_t lowered[2], kept; /* how often the phase lowered the total, of means and medians, and how often not */

/* ---- starts that are drawn, section 4 */

enum { BLOCKS = 64 };

/* The rows with distances: where they are in X, their weights, and which are starts. */
typedef struct {
	problem p;
	int64_t *at;
	double *weight, block[BLOCKS], total;
	bool *is_start;
} drawn;

/* most >= 0: rows of that weight count 1, all others 0. */
static double
counts(const drawn *s, int64_t r, double most)
{
	return most < 0 ? s->weight[r] : s->weight[r] == most;
}

static void
add_up(drawn *s, double most)
{
	memset(s->block, 0, sizeof s->block);
	for (int64_t r = 0; r < s->p.n; r++)
		s->block[s->at[r] / 1024] += counts(s, r, most);
	s->total = 0;
	for (int b = 0; b < BLOCKS; b++)
		s->total += s->block[b];
}

/* The row that u chooses; point: none where rounding leaves none. */
static int64_t
choose(const drawn *s, double most, double u, bool point)
{
	double before = 0;
	int64_t chosen = -1, r = 0;
	for (int b = 0; b < BLOCKS && chosen < 0; b++) {
		bool here = before + s->block[b] > u * s->total;
		double sum = before;
		before += s->block[b];
		for (; r < s->p.n && s->at[r] / 1024 == b; r++) {
			double x = here ? counts(s, r, most) : 0;
			if (!(x > 0) || (chosen >= 0 && sum > u * s->total))
				continue;
			sum += x;
			chosen = r;
		}
		if (point && here)
			return sum > u * s->total ? chosen : -1;
	}
	for (r = 0; r < s->p.n && chosen < 0; r++)
		if (!s->is_start[r])
			chosen = r;
	return chosen;
}

static int64_t sampled, equal; /* how often candidates were compared in a sample, and two were equally good */

/* The rows that are next to be a start by u: points stand for the rows of a sample. */
static int64_t
next_start(drawn *s, double u, const int64_t *points, int64_t count)
{
	int64_t n = s->p.n, trials = 2 * (2 + (int64_t)floor(log((double)s->p.k))), taken = -1;
	double most = 0, best = -1, *to = room(n, sizeof *to);
	bool none = false;
	add_up(s, -1);
	for (int64_t r = 0; r < n; r++)
		most = fmax(most, s->weight[r]);
	if (!(s->total > 0) || isinf(s->total)) {
		most = isinf(s->total) ? most : -1;
		add_up(s, most);
		free(to);
		return choose(s, most, u, false);
	}
	int64_t *times = calloc((size_t)n, sizeof *times), before = -1;
	for (int64_t j = 0; j < count; j++) {
		int64_t at = choose(s, -1, ((double)j + ldexp((double)points[j], -16)) / (double)count, true);
		times[at < 0 ? 0 : at] += at >= 0;
	}
	sampled += count > 0;
	for (int64_t t = 0; t < trials; t++) {
		int64_t at = choose(s, -1, ((double)t + u) / (double)trials, false);
		double block[BLOCKS] = {0}, gain = 0;
		distances(&s->p, s->p.X + at * s->p.d, &none, 1, to);
		for (int64_t r = 0; r < n; r++) {
			double w = s->weight[r], share = count > 0 ? (double)times[r] * (1 - to[r] / w) : w - to[r];
			block[s->at[r] / 1024] += to[r] < w && (count == 0 || times[r] > 0) ? share : 0;
		}
		for (int b = 0; b < BLOCKS; b++)
			gain += block[b];
		equal += gain == best && at != before;
		taken = gain > best ? at : taken;
		best = fmax(best, gain);
		before = at;
	}
	free(times);
	free(to);
	return taken;
}

/* Rows as they are in X. */
static void
draw_starts(const problem *p, const bool *has, double *centre)
{
	int64_t n = p->n, rows = 0, count = 2 * n / (2 * (2 + (int64_t)floor(log((double)p->k))));
	drawn s = {.p = *p, .at = room(n, sizeof *s.at), .weight = room(n, sizeof *s.weight)};
	double *to = room(n, sizeof *to);
	bool none = false;
	s.is_start = calloc((size_t)n, sizeof *s.is_start);
	s.p.X = room(n * p->d, sizeof *s.p.X);
	for (int64_t i = 0; i < n; i++)
		if (has[i]) {
			memcpy(s.p.X + rows * p->d, p->X + i * p->d, (size_t)p->d * sizeof *to);
			s.at[rows++] = i;
		}
	s.p.n = rows;
	count = count < 16 * p->k ? count : 16 * p->k;
	count = count > 4096 ? count : 4096;
	count = count < n ? count : 0;
	int64_t *points = room(count, sizeof *points), at = (int64_t)(p->draw[0] * (double)rows);
	for (int64_t j = 0; j < count; j++)
		points[j] = (j * 40503) % 65536;
	for (int64_t c = 0; c < p->k; c++) {
		at = c == 0 ? at : next_start(&s, p->draw[c], points, count);
		s.is_start[at] = true;
		memcpy(centre + c * p->d, s.p.X + at * p->d, (size_t)p->d * sizeof *centre);
		distances(&s.p, centre + c * p->d, &none, 1, to);
		for (int64_t r = 0; r < rows; r++)
			s.weight[r] = c == 0 || to[r] < s.weight[r] ? to[r] : s.weight[r];
	}
	free(points);
	free(s.at);
	free(s.weight);
	free(s.is_start);
	free(s.p.X);
	free(to);
}

static void
solve(const problem *p, answer *a)
{
	int64_t n = p->n, d = p->d, k = p->k;
	bool *has = room(n, sizeof *has), *gone = calloc((size_t)k, sizeof *gone),
	     means = strcmp(p->metric, "cityblock") != 0;
	double *u = room(n * d, sizeof *u), *seen = room(k * d, sizeof *seen);
	int32_t *was = room(n, sizeof *was), *own = a->cluster;
	int64_t *size = room(k, sizeof *size);
	state s = {.p = p,
		   .has = has,
		   .gone = gone,
		   .u = u,
		   .centre = a->centre,
		   .seen = seen,
		   .to = a->to,
		   .own = own,
		   .size = size};
	for (int64_t i = 0; i < n; i++) {
		has[i] = has_distances(p->metric, p->X + i * d, d);
		own[i] = -1;
		if (has[i])
			prepared(p->metric, p->X + i * d, d, u + i * d);
	}
	if (p->draws)
		draw_starts(p, has, seen);
	else
		memcpy(seen, p->start, (size_t)(k * d) * sizeof *seen);
	for (int64_t j = 0; j < k; j++) /* a drawn row counts as prepared */
		for (int64_t l = 0; l < d; l++)
			a->centre[j * d + l] = seen[j * d + l];
	for (int64_t j = 0; p->draws && j < k; j++)
		prepared(p->metric, seen + j * d, d, a->centre + j * d);
	a->status = KNNG_OK;
	for (int64_t t = 0;; t++) {
		bool last = t == p->most, changed = false;
		memcpy(was, own, (size_t)n * sizeof *was);
		distances(p, seen, gone, k, a->to);
		memset(size, 0, (size_t)k * sizeof *size);
		for (int64_t i = 0; i < n; i++) {
			own[i] = -1;
			for (int32_t j = 0; has[i] && j < k; j++)
				if (!gone[j] && (own[i] < 0 || a->to[j * n + i] < a->to[own[i] * n + i]))
					own[i] = j;
			if (has[i])
				size[own[i]]++;
		}
		bool *moved = calloc((size_t)n, sizeof *moved);
		for (int32_t j = 0; !last && j < k; j++) {
			int64_t far = -1;
			if (size[j] > 0 || gone[j])
				continue;
			if (p->empty == KNNG_EMPTY_ERROR)
				a->status = KNNG_EARGS;
			gone[j] = p->empty == KNNG_EMPTY_DROP;
			for (int64_t i = 0; i < n; i++)
				if (has[i] && size[own[i]] > 1 &&
				    (far < 0 || a->to[own[i] * n + i] > a->to[own[far] * n + far]))
					far = i;
			if (p->empty != KNNG_EMPTY_SINGLETON)
				continue;
			size[own[far]]--;
			own[far] = j;
			size[j] = 1;
		}
		free(moved);
		for (int64_t i = 0; i < n; i++)
			changed = changed || own[i] != was[i];
		a->iterations = (double)(last ? t : t + 1) * (changed ? -1 : 1);
		if (last || !changed)
			break;
		for (int64_t j = 0; j < k; j++)
			if (!gone[j] && size[j] > 0)
				make_centre(&s, j);
	}
	distances(p, seen, gone, k, a->to);
	a->total = total_of(&s, a->sum);
	if (p->online && a->iterations > 0) {
		size_t all = (size_t)(k * d) * sizeof *seen;
		double *kept_centre = room(k * d, sizeof *seen), *kept_seen = room(k * d, sizeof *seen);
		memcpy(kept_centre, a->centre, all);
		memcpy(kept_seen, seen, all);
		memcpy(was, own, (size_t)n * sizeof *was);
		double passes = online(&s, p->most - (int64_t)a->iterations), after = total_of(&s, a->sum);
		a->iterations = (a->iterations + fabs(passes)) * (passes > 0 ? 1 : -1);
		if (after < a->total) {
			a->total = after;
			lowered[!means]++;
		} else { /* as it was before */
			memcpy(a->centre, kept_centre, all);
			memcpy(seen, kept_seen, all);
			memcpy(own, was, (size_t)n * sizeof *was);
			distances(p, seen, gone, k, a->to);
			a->total = total_of(&s, a->sum);
			kept++;
		}
		free(kept_centre);
		free(kept_seen);
	}
	for (int64_t j = 0; j < k; j++) {
		for (int64_t l = 0; gone[j] && l < d; l++)
			a->centre[j * d + l] = NAN;
		a->sum[j] = gone[j] ? NAN : a->sum[j];
	}
	free(has);
	free(gone);
	free(u);
	free(seen);
	free(was);
	free(size);
}

/* ---------------------------------------------------------------- comparing */

static bool
is_right(const problem *p, const answer *want, const answer *got)
{
	return memcmp(want->cluster, got->cluster, (size_t)p->n * sizeof *want->cluster) == 0 &&
	       alike(want->centre, got->centre, p->k * p->d) && alike(want->sum, got->sum, p->k) &&
	       alike(want->to, got->to, p->n * p->k) && alike(&want->iterations, &got->iterations, 1) &&
	       alike(&want->total, &got->total, 1);
}

static knng_status
call(const problem *p, knng_task *task, const char *target, double max_memory, answer *got, knng_kmeans_found *found,
     knng_err *err)
{
	knng_matrix X = knng_by_rows(p->n, p->d, KNNG_F64, p->X);
	knng_kmeans_how how = {.metric = knng_metric_find(p->metric),
			       .k = p->k,
			       .replicates = 1,
			       .start = p->draws ? NULL : p->start,
			       .draws = p->draw,
			       .most = p->most,
			       .empty = p->empty,
			       .online = p->online,
			       .max_memory = max_memory,
			       .target = target};
	*found = (knng_kmeans_found){.cluster = got->cluster,
				     .centre = got->centre,
				     .sum = got->sum,
				     .to = got->to,
				     .iterations = &got->iterations,
				     .total = &got->total};
	return knng_kmeans(task, &X, &how, found, err);
}

static double skipped; /* the least share of distances that was computed */

static void
check(const problem *p, const char *what)
{
	static const char *const targets[] = {"plain", "avx2", "avx512"};
	answer want = room_for(p), got = room_for(p);
	knng_err err = {0};
	double fast = 0; /* what one thread takes with copies */
	bool copies = strcmp(p->metric, "cityblock") != 0;
	solve(p, &want);
	for (int t = 0; t < 6; t++) {
		const char *target = targets[t % 3];
		knng_task task = {.threads = 1 + t % 2 * 2};
		knng_kmeans_found found;
		double least = t == 4 ? fast - 1 : 0;                             /* no room for copies */
		if (knng_kernels_find(target) == NULL || (t % 4 > 0 && SKIPS(3))) /* the fifth needs the first */
			continue;
		memset(got.cluster, 0x55, (size_t)p->n * sizeof *got.cluster);
		knng_status status = call(p, &task, target, copies ? least : 0, &got, &found, &err);
		CHECK(want.status != KNNG_OK ? status == want.status && strcmp(err.id, "knng:data:emptyCluster") == 0
					     : status == KNNG_OK && is_right(p, &want, &got),
		      "%s: %s, %lld x %lld, k %lld, %s, %d threads, %s%s: %d %g of %g iterations", what, p->metric,
		      (long long)p->n, (long long)p->d, (long long)p->k, target, task.threads,
		      p->draws ? "drawn" : "given", p->online ? ", online" : "", (int)status, got.iterations,
		      want.iterations);
		fast = t == 0 ? found.planned : fast;
		CHECK(t != 4 || !copies || found.planned < fast, "%g planned, %g", found.planned, fast);
		skipped = status == KNNG_OK && found.computed < skipped ? found.computed : skipped;
	}
	release(&want);
	release(&got);
}

static const char *const metrics[] = {"sqeuclidean", "cosine", "pearson", "cityblock"};

static problem
make(int kind, const char *metric, int64_t n, int64_t d, int64_t k)
{
	problem p = {.metric = metric, .n = n, .d = d, .k = k, .most = 30, .X = make_rows(kind, n, d)};
	p.start = room(k * d, sizeof *p.start);
	p.draw = room(k, sizeof *p.draw);
	for (int64_t j = 0; j < k; j++) {
		p.draw[j] = random_unit();
		int64_t i = 0;
		do
			i = random_below(n);
		while (!has_distances(metric, p.X + i * d, d));
		memcpy(p.start + j * d, p.X + i * d, (size_t)d * sizeof *p.start);
	}
	return p;
}

static void
discard(problem *p)
{
	free(p->X);
	free(p->start);
	free(p->draw);
}

/* Rows of every kind, starts of both, every metric, all that an empty cluster may become. */
static void
test_kinds(void)
{
	for (int kind = 0; kind < KINDS; kind++)
		for (int m = 0; m < 4; m++) {
			bool scaled = m == 1 || m == 2;
			if (scaled && (kind == ALL_EQUAL ? m == 2 : kind >= SUBNORMAL && kind <= SIGNED_ZEROS))
				continue;
			if (SKIPS(3))
				continue;
			int64_t d = kind % 3 == 0 ? 17 : 5;
			problem p = make(kind, metrics[m], 300, d, 6 + kind);
			for (int t = 0; t < 2; t++) {
				p.draws = t == 1;
				p.empty = kind % 3 == 1 && t == 0 ? KNNG_EMPTY_DROP : KNNG_EMPTY_SINGLETON;
				check(&p, "kinds");
			}
			p.empty = KNNG_EMPTY_ERROR;
			p.draws = false;
			p.most = 2;
			check(&p, "error");
			discard(&p);
		}
}

/* Scales that overflow or underflow, one row far from all others, and values around a large one. */
static void
test_scales(void)
{
	static const double scales[] = {0x1p-1070, 0x1p-600, 0x1p-470, 0x1p-300, 0x1p100, 0x1p470, 0x1p510, 0x1p1018};
	for (size_t s = 0; s < sizeof scales / sizeof *scales + 2; s++)
		for (int m = 0; m < 4; m += s % 2 == 0 ? 3 : 1) {
			problem p = make(NORMAL, metrics[m], 250, 9, 8);
			for (int64_t e = 0; e < p.n * p.d; e++)
				p.X[e] = s < 8           ? p.X[e] * scales[s]
					 : s == 8        ? p.X[e] + 1e7
					 : e / p.d == 77 ? p.X[e] * 1e9
							 : p.X[e];
			for (int64_t j = 0; j < p.k; j++)
				memcpy(p.start + j * p.d, p.X + 31 * j * p.d, (size_t)p.d * sizeof *p.X);
			p.draws = m % 3 == 0 && s % 2 == 0;
			check(&p, "scales");
			discard(&p);
		}
}

/* Several panels of centres, blocks of rows and jobs; one centre, one row, one column; starts far from all rows. */
static void
test_sizes(void)
{
	static const struct {
		int64_t n, d, k;
	} sizes[] = {{1, 1, 1}, {7, 3, 7}, {40, 1, 3}, {2500, 3, 40}, {1500, 24, 17}, {1030, 2, 1}, {520, 60, 33}};
	for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++)
		for (int m = 0; m < 4; m++) {
			if ((m == 2 && sizes[z].d < 3) || (m == 1 && sizes[z].d < 2) ||
			    ((z != 3 || m > 0) && SKIPS_TOO(3, 3)))
				continue;
			problem p = make(z == 3 ? CLUSTERS : NORMAL, metrics[m], sizes[z].n, sizes[z].d, sizes[z].k);
			p.draws = z % 2 == 0;
			check(&p, "sizes");
			if (!p.draws && p.k > 1) {
				p.start[p.d] = m % 3 == 0 ? -1e40 : p.start[p.d];
				p.most = 5;
				check(&p, "far start");
			}
			discard(&p);
		}
}

/* Starts that are drawn where candidates are compared in a sample: of 4096 points, more by k, and less than that by n,
 * where most rows have no distances. */
static void
test_samples(void)
{
	static const struct {
		int64_t n, d, k;
	} sizes[] = {{4096, 1, 4}, {4097, 3, 9}, {9000, 2, 30}, {30000, 2, 260}, {29000, 2, 260}};
	for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++)
		for (int m = 0; m < 4; m++) {
			bool some = sizes[z].k > 200;
			if ((m == 2 && sizes[z].d < 3) || (m == 1 && sizes[z].d < 2) ||
			    (some && m != (z == 3 ? 0 : 3)) || SKIPS_TOO(3, 5))
				continue;
			problem p =
				make(m % 2 == 0 ? CLUSTERS : NORMAL, metrics[m], sizes[z].n, sizes[z].d, sizes[z].k);
			for (int64_t i = 0; some && i < p.n; i++)
				p.X[i * p.d] = i % 37 == 0 ? p.X[i * p.d] : NAN;
			p.draws = true;
			p.most = 1;
			check(&p, "samples");
			discard(&p);
		}
}

/* Single rows that move: rows of every kind, scales that overflow, more rows than are tried together, few iterations.
 */
static void
test_online(void)
{
	for (int kind = 0; kind < KINDS + 4; kind++)
		for (int m = 0; m < 4; m++) {
			bool scaled = m == 1 || m == 2;
			if (kind < KINDS && scaled &&
			    (kind == ALL_EQUAL ? m == 2 : kind >= SUBNORMAL && kind <= SIGNED_ZEROS))
				continue;
			int64_t n = kind == KINDS ? 1300 : kind == KINDS + 1 ? 3 : 150, d = kind % 2 == 0 ? 3 : 9;
			problem p = make(kind < KINDS ? kind : NORMAL, metrics[m], n, d, kind == KINDS + 1 ? 2 : 9);
			p.online = true;
			p.most = kind == KINDS + 3 ? 6 : 60;
			p.empty = kind % 3 == 1 ? KNNG_EMPTY_DROP : KNNG_EMPTY_SINGLETON;
			for (int64_t e = 0; kind == KINDS + 2 && e < n * d; e++)
				p.X[e] *= 0x1p1017;
			for (int64_t e = 0; kind == KINDS + 2 && e < p.k * d; e++)
				p.start[e] *= 0x1p1017;
			check(&p, "online");
			discard(&p);
		}
}

/* Of several runs the first best one; refused calls; the nth allocation that fails; Ctrl-C; too little memory. */
static void
test_failures(void)
{
	enum { N = 200, D = 3, K = 4, RUNS = 5 };
	problem p = make(NORMAL, "cosine", N, D, K);
	answer got = room_for(&p), one = room_for(&p);
	double iterations[RUNS], total[RUNS], draws[RUNS * K];
	knng_matrix X = knng_by_rows(N, D, KNNG_F64, p.X);
	knng_task task = {.threads = 2};
	knng_err err = {0};
	volatile sig_atomic_t stop = 1;
	for (int e = 0; e < RUNS * K; e++)
		draws[e] = random_unit();
	knng_kmeans_how how = {
		.metric = knng_metric_find("cosine"), .k = K, .replicates = RUNS, .draws = draws, .most = 100};
	knng_kmeans_found again, found = {.cluster = got.cluster,
					  .centre = got.centre,
					  .sum = got.sum,
					  .to = got.to,
					  .iterations = iterations,
					  .total = total};
	CHECK(knng_kmeans(&task, &X, &how, &found, &err) == KNNG_OK, "%s", err.text);
	p.draws = true;
	p.most = 100;
	for (int r = 0; r < RUNS; r++) {
		memcpy(p.draw, draws + r * K, K * sizeof *draws);
		CHECK(call(&p, &task, NULL, 0, &one, &again, &err) == KNNG_OK && one.total == total[r] &&
			      one.iterations == iterations[r] && total[found.replicate] <= total[r] &&
			      (r >= found.replicate || total[r] > total[found.replicate]),
		      "run %d", r);
		got.iterations = iterations[r];
		got.total = total[r];
		CHECK(r != found.replicate || is_right(&p, &one, &got), "run %d", r);
	}
	int64_t live = knng_sys().live, nth = 0;
	p.online = how.online = true;
	knng_status status = KNNG_EMEMORY;
	while (status == KNNG_EMEMORY && nth < 100) {
		knng_sys_fail_at(++nth);
		status = call(&p, &task, NULL, 0, &one, &again, &err);
		CHECK((status == KNNG_OK || strcmp(err.id, "knng:memory:host") == 0) && knng_sys().live == live,
		      "call %lld: %s", (long long)nth, err.id);
	}
	knng_sys_fail_at(0);
	CHECK(status == KNNG_OK && nth > 30, "%lld calls", (long long)nth);
	task.interrupt = &stop;
	CHECK(call(&p, &task, NULL, 0, &one, &again, &err) == KNNG_EINTERRUPTED && knng_sys().live == live, "%s",
	      err.id);
	task.interrupt = NULL;
	CHECK(call(&p, &task, NULL, 1000, &one, &again, &err) == KNNG_EARGS &&
		      strcmp(err.id, "knng:args:maxMemory") == 0,
	      "%s", err.id);
	knng_memory_set_available(300);
	CHECK(call(&p, &task, NULL, 0, &one, &again, &err) == KNNG_EMEMORY && knng_sys().live == live, "%s", err.id);
	knng_memory_set_available(1e12);
	/* What was planned is no less than what was taken, and not much more. */
	knng_sys_mark_peak();
	int64_t before = knng_sys().bytes;
	CHECK(knng_kmeans(&task, &X, &how, &found, &err) == KNNG_OK, "%s", err.text);
	double taken = (double)(knng_sys().peak - before);
	CHECK(taken <= found.planned && found.planned < 2 * taken, "%g planned, %g taken", found.planned, taken);
	p.k = N + 1;
	CHECK(call(&p, &task, NULL, 0, &one, &again, &err) == KNNG_EARGS && strcmp(err.id, "knng:args:k") == 0, "%s",
	      err.id);
	p.k = K;
	CHECK(call(&p, &task, "abacus", 0, &one, &again, &err) == KNNG_EARGS && strcmp(err.id, "knng:args:target") == 0,
	      "%s", err.id);
	release(&got);
	release(&one);
	discard(&p);
}

int
main(int argc, char **argv)
{
	knng_memory_set_available(1e12); /* so that the same calls are counted everywhere */
	skipped = 1;
	PART(kinds);
	PART(scales);
	PART(sizes);
	PART(samples);
	CHECK(argc > 1 || (sampled > 100 && equal > 10),
	      "candidates were compared %lld times in a sample, and %lld times equally good", (long long)sampled,
	      (long long)equal);
	CHECK(argc > 1 || skipped < 0.2, "bounds never left out more than the share %g", 1 - skipped);
	PART(online);
	CHECK(argc > 1 || (lowered[0] > 10 && lowered[1] > 5 && kept > 5),
	      "single rows lowered %lld and %lld totals, not %lld", (long long)lowered[0], (long long)lowered[1],
	      (long long)kept);
	PART(failures);
	return summary();
}
