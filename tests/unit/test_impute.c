/* test_impute.c  knng_impute against plain loops over the oracle's distances, bit by bit; faults. */
#include "base/sys.h"
#include "knng.h"
#include "oracle.h"
#include "rows/impute.h"
#include "search/metric.h"
#include "testing.h"

enum { MOST = 80 }; /* rows */

typedef struct {
	int64_t n, d;
	double *X; /* [n x d] by rows */
	knng_imputing how;
	const double *distance; /* [n x n] for these in place of the metric's; or NULL */
} sample;

/* The definition of impute.h, one value after the other. */

/* Cosines and correlations, of rows that share enough. */
static double
plain_angle(const sample *t, int64_t a, int64_t b)
{
	int64_t idx, shared, least = t->d < 3 ? t->d : 3;
	double *u = room(2 * t->d, sizeof *u), distance;
	for (int64_t j = 0; j < t->d; j++) {
		double unit = t->how.unit == NULL ? 1 : t->how.unit[j];
		u[j] = t->X[a * t->d + j] / unit;
		u[t->d + j] = t->X[b * t->d + j] / unit;
	}
	if (oracle_pairwise(t->how.metric->name, false, least, 1, t->d, u, 1, u + t->d, 1, &idx, &distance, &shared) !=
	    0)
		abort();
	free(u);
	return distance <= 0x1p-97 ? 0 : distance; /* the oracle has halved it */
}

static double
plain_share(const sample *t, int64_t a, int64_t b)
{
	double differ = 0, all = 0;
	int64_t shared = 0;
	for (int64_t j = 0; j < t->d; j++) {
		double x = t->X[a * t->d + j], y = t->X[b * t->d + j];
		if (isnan(x) || isnan(y))
			continue;
		shared++;
		differ += x != y;
		all += t->how.near == KNNG_NEAR_HAMMING || x != 0 || y != 0;
	}
	return shared == 0 ? NAN : differ == 0 ? 0 : differ / all;
}

static double
plain_distance(const sample *t, int64_t a, int64_t b)
{
	if (t->how.near == KNNG_NEAR_HAMMING || t->how.near == KNNG_NEAR_JACCARD)
		return plain_share(t, a, b);
	if (t->how.metric->prep != KNNG_PREP_NONE)
		return plain_angle(t, a, b);
	const char *sums[] = {
		[KNNG_SUM_MINUS] = "sqeuclidean", [KNNG_SUM_L1] = "cityblock", [KNNG_SUM_LINF] = "chebychev"};
	double *u = room(2 * t->d, sizeof *u), *v = u + t->d, distance;
	int64_t shared = 0, idx;
	for (int64_t j = 0; j < t->d; j++) {
		bool both = !isnan(t->X[a * t->d + j]) && !isnan(t->X[b * t->d + j]);
		double unit = t->how.unit == NULL ? 1 : t->how.unit[j];
		u[j] = both ? t->X[a * t->d + j] / unit : 0;
		v[j] = both ? t->X[b * t->d + j] / unit : 0;
		shared += both;
	}
	if (oracle_knn(sums[t->how.metric->sum], false, 1, t->d, u, 1, v, 1, &idx, &distance) != 0)
		abort();
	free(u);
	if (t->how.metric->sum != KNNG_SUM_LINF)
		distance *= (double)t->d / (double)shared;
	return shared == 0 ? NAN : t->how.metric->map == KNNG_MAP_SQRT ? sqrt(distance) : distance;
}

static double
plain_weight(const knng_imputing *how, int64_t place, double nearest, double distance)
{
	double ratio = distance == nearest ? 1 : nearest / distance;
	return how->fill == KNNG_FILL_INVERSE           ? ratio
	       : how->fill == KNNG_FILL_SQUARED_INVERSE ? ratio * ratio
	       : how->fill == KNNG_FILL_GIVEN           ? how->weight[place < how->k ? place : how->k - 1]
							: 1;
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Of the values of the nearest, with their distances, all in order; count of them. */
static double
plain_value(const knng_imputing *how, double *value, const double *distance, int64_t count)
{
	double sum = 0, total = 0, low = INFINITY, high = -INFINITY, m = 0, w[MOST];
	if (how->fill == KNNG_FILL_MEDIAN) {
		qsort(value, (size_t)count, sizeof *value, ascending);
		double a = value[(count - 1) / 2], b = value[count / 2];
		return isinf(a + b) ? a / 2 + b / 2 : (a + b) / 2;
	}
	for (int64_t c = 0; c < count; c++) {
		w[c] = plain_weight(how, c, distance[0], distance[c]);
		total += w[c];
		sum += w[c] * value[c];
		if (w[c] > 0) {
			low = fmin(low, value[c]);
			high = fmax(high, value[c]);
		}
	}
	for (int64_t c = 0; c < count; c++)
		m += w[c] / total * value[c];
	return fmax(low, fmin(high, isfinite(sum) ? sum / total : m));
}

/* Fills Z and counts what was done. */
static void
solve(const sample *t, double *Z, knng_imputed *done)
{
	double distance[MOST], near[MOST], value[MOST];
	*done = (knng_imputed){0};
	memcpy(Z, t->X, (size_t)(t->n * t->d) * sizeof *Z);
	for (int64_t i = 0; i < t->n; i++) {
		int64_t before = done->missing;
		for (int64_t r = 0; r < t->n; r++)
			distance[r] = r == i                ? NAN
				      : t->distance == NULL ? plain_distance(t, i, r)
							    : t->distance[i * t->n + r];
		for (int64_t j = 0; j < t->d; j++) {
			int64_t count = 0;
			bool used[MOST] = {false};
			if (!isnan(t->X[i * t->d + j]))
				continue;
			done->missing++;
			for (;;) { /* the nearest that is left and has the column */
				int64_t next = -1;
				for (int64_t r = 0; r < t->n; r++)
					if (!used[r] && !isnan(distance[r]) && !isnan(t->X[r * t->d + j]) &&
					    (next < 0 || distance[r] < distance[next]))
						next = r;
				if (next < 0 || (count >= t->how.k && distance[next] > near[t->how.k - 1]))
					break;
				used[next] = true;
				near[count] = distance[next];
				value[count++] = t->X[next * t->d + j];
			}
			if (count > 0)
				Z[i * t->d + j] = plain_value(&t->how, value, near, count);
			done->filled += count > 0;
			done->fewer += count > 0 && count < t->how.k;
		}
		done->rows += done->missing > before;
	}
}

static bool
is_same(const sample *t, const double *want, const double *Z)
{
	for (int64_t e = 0; e < t->n * t->d; e++)
		if (isnan(want[e]) ? !isnan(Z[e]) : bits_of(want[e]) != bits_of(Z[e]))
			return false;
	return true;
}

static bool
is_done(const knng_imputed *a, const knng_imputed *b)
{
	return a->missing == b->missing && a->rows == b->rows && a->filled == b->filled && a->fewer == b->fewer;
}

/* X column by column and of class single; *Z comes back by rows, in doubles. */
static knng_status
impute_single(const sample *t, knng_task *task, double *Z, knng_imputed *done, knng_err *err)
{
	float *X = room(2 * t->n * t->d, sizeof *X), *made = X + t->n * t->d;
	knng_matrix as = {.n = t->n, .d = t->d, .type = KNNG_F32, .data = X, .row_stride = 1, .col_stride = t->n};
	for (int64_t e = 0; e < t->n * t->d; e++)
		X[e % t->d * t->n + e / t->d] = made[e % t->d * t->n + e / t->d] = (float)t->X[e];
	knng_status status = knng_impute(task, &as, &t->how, made, done, err);
	for (int64_t e = 0; e < t->n * t->d; e++)
		Z[e] = (double)made[e % t->d * t->n + e / t->d];
	free(X);
	return status;
}

static void
faults(const sample *t, const double *want, double *Z)
{
	knng_matrix X = knng_by_rows(t->n, t->d, KNNG_F64, t->X);
	volatile sig_atomic_t stop = 1;
	knng_task task = {.threads = 2};
	knng_imputed done;
	knng_err err = {0};
	int64_t live = knng_sys().live, nth = 0;
	knng_status status = KNNG_EMEMORY;
	while (status == KNNG_EMEMORY && nth < 40) {
		memcpy(Z, t->X, (size_t)(t->n * t->d) * sizeof *Z);
		knng_sys_fail_at(++nth);
		status = knng_impute(&task, &X, &t->how, Z, &done, &err);
		CHECK((status == KNNG_OK || strcmp(err.id, "knng:memory:host") == 0) && knng_sys().live == live,
		      "call %lld: %s", (long long)nth, err.id);
	}
	knng_sys_fail_at(0);
	CHECK(status == KNNG_OK && is_same(t, want, Z) && nth > 14, "%lld calls", (long long)nth);
	task.interrupt = &stop;
	CHECK(knng_impute(&task, &X, &t->how, Z, &done, &err) == KNNG_EINTERRUPTED && knng_sys().live == live, "%s",
	      err.id);
	task.interrupt = NULL;
	for (double room = 300; room < 3e4; room += 2e4) { /* nothing fits; the rows do, and no thread */
		knng_memory_set_available(room);
		CHECK(knng_impute(&task, &X, &t->how, Z, &done, &err) == KNNG_EMEMORY &&
			      strcmp(err.id, "knng:memory:host") == 0 && knng_sys().live == live,
		      "%g bytes: %s", room, err.id);
	}
	knng_memory_set_available(1e12);
	double kept = t->X[(t->n - 1) * t->d];
	t->X[(t->n - 1) * t->d] = -INFINITY;
	CHECK(knng_impute(&task, &X, &t->how, Z, &done, &err) == KNNG_EARGS &&
		      strcmp(err.id, "knng:data:infinite") == 0 && strstr(err.text, "row 80:") != NULL &&
		      knng_sys().live == live,
	      "%s: %s", err.id, err.text);
	t->X[(t->n - 1) * t->d] = kept;
}

/* The rows with missing values in two parts, by distances that are given: random ones, many equal, some missing. */
static void
in_parts(const sample *t, double *want, double *Z)
{
	knng_matrix X = knng_by_rows(t->n, t->d, KNNG_F64, t->X);
	double *all = room(2 * t->n * t->n, sizeof *all), *some = all + t->n * t->n;
	sample given = *t;
	knng_imputed right, done[2];
	knng_task task = {.threads = 2};
	knng_err err = {0};
	int64_t count = 0;
	for (int64_t e = 0; e < t->n * t->n; e++)
		all[e] = random_below(5) == 0 ? NAN : random_below(5) == 0 ? INFINITY : (double)random_below(6);
	given.distance = all;
	solve(&given, want, &right);
	for (int64_t i = 0; i < t->n; i++) {
		bool misses = false;
		for (int64_t j = 0; j < t->d; j++)
			misses = misses || isnan(t->X[i * t->d + j]);
		if (misses)
			memcpy(some + count++ * t->n, all + i * t->n, (size_t)t->n * sizeof *all);
	}
	memcpy(Z, t->X, (size_t)(t->n * t->d) * sizeof *Z);
	given.how.near = KNNG_NEAR_GIVEN;
	for (int part = 0; part < 2; part++) {
		given.how.first = part * (count / 3);
		given.how.count = part == 0 ? count / 3 : count - count / 3;
		given.how.distance = some + given.how.first * t->n;
		CHECK(knng_impute(&task, &X, &given.how, Z, &done[part], &err) == KNNG_OK, "%s", err.text);
	}
	done[1].missing += done[0].missing;
	done[1].rows += done[0].rows;
	done[1].filled += done[0].filled;
	done[1].fewer += done[0].fewer;
	CHECK(is_same(t, want, Z) && is_done(&done[1], &right), "given, %lld x %lld, k = %lld, fill %d",
	      (long long)t->n, (long long)t->d, (long long)t->how.k, t->how.fill);
	free(all);
}

/* Rows that are compared in place of X, of another number of columns. */
static void
by_others(const sample *t, double *want, double *Z)
{
	enum { C = 11 };
	knng_matrix X = knng_by_rows(t->n, t->d, KNNG_F64, t->X), by;
	double *Y = room(t->n * (C + t->n), sizeof *Y), *distance = Y + t->n * C;
	sample others = *t, plain = {.n = t->n, .d = C, .X = Y, .how = t->how};
	knng_imputed right, done;
	knng_task task = {.threads = 2};
	knng_err err = {0};
	plain.how.unit = others.how.unit = NULL;
	for (int64_t e = 0; e < t->n * C; e++)
		Y[e] = (double)random_below(4);
	for (int64_t e = 0; e < t->n * t->n; e++)
		distance[e] = plain_distance(&plain, e / t->n, e % t->n);
	others.distance = distance;
	solve(&others, want, &right);
	memcpy(Z, t->X, (size_t)(t->n * t->d) * sizeof *Z);
	by = knng_by_rows(t->n, C, KNNG_F64, Y);
	others.how.by = &by;
	CHECK(knng_impute(&task, &X, &others.how, Z, &done, &err) == KNNG_OK && is_same(t, want, Z) &&
		      is_done(&done, &right),
	      "by others: %s, %lld x %lld, k = %lld, fill %d: %s", t->how.metric->name, (long long)t->n,
	      (long long)t->d, (long long)t->how.k, t->how.fill, err.text);
	free(Y);
}

static void
check(const sample *t, double *want, double *Z)
{
	knng_matrix X = knng_by_rows(t->n, t->d, KNNG_F64, t->X);
	knng_imputed right, done;
	knng_task task = {0};
	knng_err err = {0};
	solve(t, want, &right);
	for (task.threads = 1; task.threads <= 3; task.threads += 2) {
		memcpy(Z, t->X, (size_t)(t->n * t->d) * sizeof *Z);
		CHECK(knng_impute(&task, &X, &t->how, Z, &done, &err) == KNNG_OK && is_same(t, want, Z) &&
			      is_done(&done, &right),
		      "%s, %lld x %lld, k = %lld, fill %d, %d threads: %s", t->how.metric->name, (long long)t->n,
		      (long long)t->d, (long long)t->how.k, t->how.fill, task.threads, err.text);
	}
	if (t->n == MOST && t->d == 9)
		faults(t, want, Z);
	if (t->how.near == KNNG_NEAR_METRIC)
		by_others(t, want, Z);
	if (t->how.near == KNNG_NEAR_METRIC && t->how.metric == knng_metrics)
		in_parts(t, want, Z);
	for (int64_t e = 0; e < t->n * t->d; e++)
		t->X[e] = (float)(fabs(t->X[e]) > 1e38 ? t->X[e] * 1e-270 : t->X[e]);
	solve(t, want, &right);
	for (int64_t e = 0; e < t->n * t->d; e++)
		want[e] = (float)want[e];
	CHECK(impute_single(t, &task, Z, &done, &err) == KNNG_OK && is_same(t, want, Z) && is_done(&done, &right),
	      "%s, %lld x %lld, k = %lld, fill %d, single, by columns: %s", t->how.metric->name, (long long)t->n,
	      (long long)t->d, (long long)t->how.k, t->how.fill, err.text);
}

/* Values of a kind: few different ones, so that many rows are equally near; any; so large that sums leave the doubles;
 * all the same, of which a rounded mean is another. */
static double
element(int kind)
{
	return kind == 0   ? (double)random_below(3)
	       : kind == 1 ? random_normal()
	       : kind == 2 ? 1e308 * (random_unit() - 0.5) * 3
			   : 0.1;
}

int
main(void)
{
	static const struct {
		int64_t n, d, k;
		int missing; /* in 100 */
	} sizes[] = {{1, 1, 1, 50},  {2, 3, 1, 30},   {9, 5, 3, 60},     {17, 8, 2, 20},  {MOST, 9, 5, 10},
		     {40, 3, 4, 60}, {33, 64, 10, 5}, {MOST, 65, 3, 90}, {20, 130, 7, 1}, {50, 2, 60, 40}};
	double weight[60], unit[130], *want = room(MOST * 130, sizeof *want), *Z = room(MOST * 130, sizeof *Z);
	const knng_metric *metrics[16] = {NULL};
	int count = 0, refused = 0;
	knng_err err = {0};
	for (const knng_metric *m = knng_metrics; m->name != NULL; m++)
		if (knng_impute_metric(m, &err) == KNNG_OK)
			metrics[count++] = m;
		else
			refused += strcmp(err.id, "knng:args:metric") == 0;
	CHECK(count == 6 && refused == 3, "%d metrics, %d refused", count, refused);
	knng_memory_set_available(1e12); /* so that the same calls are counted everywhere */
	for (int c = 0; c < 60; c++)
		weight[c] = 1 / (double)(1 + c * c);
	for (int c = 0; c < 130; c++)
		unit[c] = c % 3 == 0 ? 1 : 3.7 * (1 + c % 5);
	for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++)
		for (int by = 0; by < count + 2; by++)
			for (int fill = 0; fill < KNNG_FILLS; fill++)
				for (int kind = 0; kind < 4; kind++) {
					if (SKIPS_TOO(3, 11))
						continue;
					sample t = {.n = sizes[z].n,
						    .d = sizes[z].d,
						    .how = {.near = by < count    ? KNNG_NEAR_METRIC
								    : by == count ? KNNG_NEAR_HAMMING
										  : KNNG_NEAR_JACCARD,
							    .metric = metrics[by < count ? by : 0],
							    .k = sizes[z].k,
							    .fill = (knng_fill)fill,
							    .weight = weight,
							    .unit = (z + (size_t)kind) % 2 == 0 ? unit : NULL}};
					t.X = room(t.n * t.d, sizeof *t.X);
					for (int64_t e = 0; e < t.n * t.d; e++)
						t.X[e] = random_below(100) < sizes[z].missing ? NAN : element(kind);
					check(&t, want, Z);
					free(t.X);
				}
	free(want);
	free(Z);
	return summary();
}
