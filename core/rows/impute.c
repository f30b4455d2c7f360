#include "rows/impute.h"

#include "base/sort.h"
#include "base/sys.h"
#include "search/cpu/kernels.h"
#include "search/source.h"

#include <math.h>
#include <string.h>

/* Rows of a job; the most rows that a row meets at a time, and their bytes, which stay in the second-level cache while
 * the rows of a job pass by; operations that make a thread worth waking. */
enum { ROWS = 16, MEET = 512, CACHE = 1 << 17, WORTH = 1000000 };

/* Columns that two rows share, at least, or all there are, where an angle is to say something: of one its cosine, of
 * two a correlation is 1 or -1. And up to where the square of the difference of two rows of length 1 is rounding alone.
 */
enum { LEAST = 3 };
#define ROUNDING 0x1p-96

/* Of a thread. `near` are the rows up to some distance, by (distance, row). */
typedef struct {
	double *distance; /* [ROWS x n] NaN: none */
	uint64_t *key;    /* [n] */
	knng_pair *near, *scratch;
	double *value, *weight; /* [n] of the rows that are taken */
	double *pair;           /* [2 x ld] */
	int64_t found, all;     /* rows in `near`, and rows that have a distance */
} bench;

typedef struct {
	const knng_task *task;
	const knng_matrix *X, *by; /* by: what is compared */
	const knng_imputing *how;
	void *Z;
	int64_t ld, words, some; /* of by; of X; rows met at a time */
	const knng_kernels *kernels;
	double *u;         /* [n x ld] the rows that are compared, in units of how->unit, NaN from their end on */
	uint64_t *has;     /* [n x words] the columns of X that a row has */
	int32_t *every;    /* [n] 0, 1, 2, ... */
	int32_t *target;   /* [targets] rows with missing values */
	int32_t *missing;  /* [n] how many; then how many were filled in from fewer than k rows */
	int32_t *left;     /* [n] how many stayed */
	int64_t *infinite; /* [jobs of load] the first row with Inf, or n */
	bench *benches;    /* a thread */
	int64_t targets;
} filling;

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static bool
has_column(const filling *f, int64_t row, int64_t j)
{
	return (f->has[row * f->words + j / 64] >> j % 64 & 1) != 0;
}

/* The value itself, in its own unit. */
static double
element(const filling *f, int64_t row, int64_t j)
{
	int64_t at = row * f->X->row_stride + j * f->X->col_stride;
	return f->X->type == KNNG_F32 ? (double)((const float *)f->X->data)[at] : ((const double *)f->X->data)[at];
}

static knng_status
load(void *context, int worker, int64_t job, knng_err *err)
{
	const filling *f = context;
	knng_part part = knng_part_of(job, knng_prepare_rows(f->X->d), f->X->n);
	(void)worker;
	(void)err;
	f->infinite[job] = f->X->n;
	knng_source_rows(f->by, part.first, part.end - part.first, f->u + part.first * f->ld, f->ld);
	for (int64_t r = part.end - 1; r >= part.first; r--) {
		double *u = f->u + r * f->ld;
		int32_t missing = 0;
		for (int64_t j = 0; j < f->X->d; j++) {
			double x = f->by == f->X ? u[j] : element(f, r, j);
			f->has[r * f->words + j / 64] |= (uint64_t)!isnan(x) << j % 64;
			missing += isnan(x);
			if (isinf(x))
				f->infinite[job] = r;
		}
		for (int64_t j = 0; j < f->by->d && f->how->unit != NULL; j++)
			u[j] /= f->how->unit[j];
		for (int64_t j = f->by->d; j < f->ld; j++)
			u[j] = NAN;
		f->missing[r] = missing;
	}
	return KNNG_OK;
}

/* The share of so many columns that two rows have in which they differ; with `not_zero`, of those in which one is not
 * 0.
 */
static double
differing(const filling *f, const double *x, const double *y, int64_t shared, bool not_zero)
{
	int64_t same, zero = 0;
	f->kernels->shared_same(x, y, f->ld, &same, not_zero ? &zero : NULL);
	int64_t differ = shared - same, all = shared - zero;
	return all == 0 ? 0 : (double)differ / (double)all;
}

/* NaN: one of the two is constant, or 0, in what they share. */
static double
angle(const filling *f, const double *x, const double *y, int64_t shared, double *pair)
{
	double sum = f->kernels->shared_pair(f->how->metric, x, y, f->ld, shared, pair);
	return sum <= ROUNDING ? 0 : knng_map_sum(f->how->metric, sum);
}

/* The distances of a target and `some` rows from j0 on, of which it shares so many columns with each; none where it
 * shares too few. */
static void
measure_some(const filling *f, int32_t target, int64_t j0, int64_t some, const int32_t *shared, double *pair,
	     double *to)
{
	const knng_metric *metric = f->how->metric;
	const double *u = f->u + target * f->ld;
	bool by_metric = f->how->near == KNNG_NEAR_METRIC, as_they_are = by_metric && metric->prep == KNNG_PREP_NONE;
	int64_t fewest = by_metric && !as_they_are ? least(LEAST, f->by->d) : 1;
	if (as_they_are)
		f->kernels->shared_sums(metric->sum, u, f->u, f->ld, f->every + j0, some, to);
	for (int64_t c = 0; c < some; c++) {
		const double *v = f->u + (j0 + c) * f->ld;
		if (shared[c] < fewest)
			to[c] = NAN;
		else if (!by_metric)
			to[c] = differing(f, u, v, shared[c], f->how->near == KNNG_NEAR_JACCARD);
		else if (as_they_are)
			to[c] = knng_map_sum(
				metric, metric->sum == KNNG_SUM_LINF ? to[c] : to[c] * ((double)f->by->d / shared[c]));
		else
			to[c] = angle(f, u, v, shared[c], pair);
	}
}

/* The distances of `count` targets to all rows; to itself, too, since a row gives nothing to a column that it misses.
 */
static knng_status
measure(const filling *f, const int32_t *target, int64_t count, double *pair, double *distance, knng_err *err)
{
	int64_t n = f->X->n;
	int32_t shared[MEET];
	for (int64_t c = 0; c < MEET; c++)
		shared[c] = (int32_t)f->by->d;
	for (int64_t j0 = 0; j0 < n; j0 += f->some) {
		int64_t some = least(f->some, n - j0);
		knng_status status = knng_task_poll(f->task, err);
		if (status != KNNG_OK)
			return status;
		for (int64_t r = 0; r < count; r++) {
			if (f->by == f->X)
				f->kernels->shared_bits(f->has + target[r] * f->words, f->has, f->words, f->every + j0,
							some, shared);
			measure_some(f, target[r], j0, some, shared, pair, distance + r * n + j0);
		}
	}
	return KNNG_OK;
}

/* Makes `near` of the `want` nearest rows, and of all that are as near as the last of them. */
static void
gather(const filling *f, bench *b, const double *distance, int64_t want)
{
	int64_t n = f->X->n;
	double farthest = INFINITY;
	b->all = b->found = 0;
	for (int64_t i = 0; i < n; i++)
		if (!isnan(distance[i])) /* of numbers from +0 on, the bits ascend as they do */
			memcpy(&b->key[b->all++], &distance[i], sizeof *distance);
	if (want < b->all) {
		knng_nth(b->key, b->all, want);
		memcpy(&farthest, &b->key[want - 1], sizeof farthest);
	}
	for (int64_t i = 0; i < n; i++)
		if (distance[i] <= farthest)
			b->near[b->found++] = (knng_pair){distance[i], (int32_t)i};
	knng_sort_pairs(b->near, b->scratch, b->found);
}

/* The weight of the c-th of the rows that are taken, c from 0, at this distance, where the nearest has another. */
static double
weight_of(const knng_imputing *how, int64_t c, double nearest, double distance)
{
	double ratio = distance == nearest ? 1 : nearest / distance;
	switch (how->fill) {
	case KNNG_FILL_INVERSE:
		return ratio;
	case KNNG_FILL_SQUARED_INVERSE:
		return ratio * ratio;
	case KNNG_FILL_GIVEN:
		return how->weight[least(c, how->k - 1)];
	default:
		return 1;
	}
}

static double
mean(const double *value, double *weight, int64_t count)
{
	double total = 0, sum = 0, low = INFINITY, high = -INFINITY;
	for (int64_t c = 0; c < count; c++)
		total += weight[c];
	for (int64_t c = 0; c < count; c++) {
		if (!(total > 0)) /* the numbers given for these rows are too small to count */
			weight[c] = 1;
		sum += weight[c] * value[c];
		low = weight[c] > 0 && value[c] < low ? value[c] : low;
		high = weight[c] > 0 && value[c] > high ? value[c] : high;
	}
	total = total > 0 ? total : (double)count;
	double m = sum / total;
	if (!isfinite(sum)) { /* beyond the doubles, which the mean is not */
		m = 0;
		for (int64_t c = 0; c < count; c++)
			m += weight[c] / total * value[c];
	}
	return m < low ? low : m > high ? high : m;
}

/* Sorts the values; scratch holds as many pairs. */
static double
median(double *value, int64_t count, knng_pair *pairs, knng_pair *scratch)
{
	for (int64_t c = 0; c < count; c++)
		pairs[c] = (knng_pair){value[c], 0};
	knng_sort_pairs(pairs, scratch, count);
	double low = pairs[(count - 1) / 2].distance, high = pairs[count / 2].distance, sum = low + high;
	return isfinite(sum) ? sum / 2 : low / 2 + high / 2;
}

/* The value of column j. Returns how many rows it comes from: fewer than k if `near` has no more; 0: none. */
static int64_t
value_of(const filling *f, const bench *b, int64_t j, double *result)
{
	int64_t count = 0;
	double nearest = 0, last = 0;
	for (int64_t c = 0; c < b->found; c++) {
		const knng_pair *p = &b->near[c];
		if (count >= f->how->k && p->distance > last)
			break;
		if (!has_column(f, p->index, j))
			continue;
		nearest = count == 0 ? p->distance : nearest;
		last = count < f->how->k ? p->distance : last;
		b->weight[count] = weight_of(f->how, count, nearest, p->distance);
		b->value[count++] = element(f, p->index, j);
	}
	if (count == 0 || (count < f->how->k && b->found < b->all))
		return count;
	*result = f->how->fill == KNNG_FILL_MEDIAN ? median(b->value, count, b->scratch, b->scratch + f->X->n)
						   : mean(b->value, b->weight, count);
	return count;
}

static void
fill_row(const filling *f, bench *b, int64_t row, const double *distance)
{
	int64_t k = f->how->k, d = f->X->d, want = least(f->X->n, 2 * k + 16), fewer = 0;
	gather(f, b, distance, want);
	for (int64_t j = 0; j < d; j++) {
		double value = 0;
		int64_t count;
		if (has_column(f, row, j))
			continue;
		while ((count = value_of(f, b, j, &value)) < k && b->found < b->all) {
			want = least(f->X->n, 4 * want); /* more rows, until enough have it */
			gather(f, b, distance, want);
		}
		int64_t at = row * f->X->row_stride + j * f->X->col_stride;
		f->left[row] += count == 0;
		fewer += count > 0 && count < k;
		if (count > 0 && f->X->type == KNNG_F32)
			((float *)f->Z)[at] = (float)value;
		else if (count > 0)
			((double *)f->Z)[at] = value;
	}
	f->missing[row] = (int32_t)fewer;
}

static knng_status
fill(void *context, int worker, int64_t job, knng_err *err)
{
	const filling *f = context;
	bench *b = &f->benches[worker];
	knng_part part = knng_part_of(job, ROWS, f->targets);
	int64_t count = part.end - part.first;
	const int32_t *target = f->target + part.first;
	bool given = f->how->near == KNNG_NEAR_GIVEN;
	const double *distance = given ? f->how->distance + part.first * f->X->n : b->distance;
	knng_status status = given ? KNNG_OK : measure(f, target, count, b->pair, b->distance, err);
	for (int64_t r = 0; r < count && status == KNNG_OK; r++) {
		fill_row(f, b, target[r], distance + r * f->X->n);
		status = knng_task_poll(f->task, err);
	}
	return status;
}

static bool
make_bench(bench *b, int64_t n, int64_t ld)
{
	b->distance = knng_alloc(n, ROWS * sizeof *b->distance);
	b->key = knng_alloc(n, sizeof *b->key);
	b->near = knng_alloc(n, sizeof *b->near);
	b->scratch = knng_alloc(2 * n, sizeof *b->scratch);
	b->value = knng_alloc(n, sizeof *b->value);
	b->weight = knng_alloc(n, sizeof *b->weight);
	b->pair = knng_alloc(2 * ld, sizeof *b->pair);
	return b->distance != NULL && b->key != NULL && b->near != NULL && b->scratch != NULL && b->value != NULL &&
	       b->weight != NULL && b->pair != NULL;
}

static void
free_bench(bench *b)
{
	knng_free(b->pair);
	knng_free(b->weight);
	knng_free(b->value);
	knng_free(b->scratch);
	knng_free(b->near);
	knng_free(b->key);
	knng_free(b->distance);
}

/* Reads the rows; counts and lists those with missing values. */
static knng_status
read_rows(knng_task *task, filling *f, int threads, knng_imputed *done, knng_err *err)
{
	int64_t n = f->X->n, jobs = knng_parts(knng_prepare_rows(f->X->d), n);
	task->stage = "rows";
	knng_status status = knng_task_run(task, threads, jobs, load, f, err);
	for (int64_t job = 0; job < jobs && status == KNNG_OK; job++)
		if (f->infinite[job] < n)
			status = knng_fail(err, KNNG_EARGS, "knng:data:infinite",
					   "X has Inf, the first in row %lld: it has no place among numbers; make it a "
					   "missing value, X(isinf (X)) = NaN, or a number",
					   (long long)f->infinite[job] + 1);
	int64_t seen = 0;
	for (int64_t i = 0; i < n && status == KNNG_OK; i++) {
		f->every[i] = (int32_t)i;
		bool among = f->how->near != KNNG_NEAR_GIVEN ||
			     (seen >= f->how->first && seen < f->how->first + f->how->count);
		seen += f->missing[i] > 0;
		if (f->missing[i] == 0 || !among)
			continue;
		done->missing += f->missing[i];
		f->target[f->targets++] = (int32_t)i;
	}
	done->rows = f->targets;
	return status;
}

static knng_status
claim(filling *f, double bytes, knng_err *err)
{
	int64_t n = f->X->n, jobs = knng_parts(knng_prepare_rows(f->X->d), n);
	f->u = knng_alloc(n, (size_t)f->ld * sizeof *f->u);
	f->has = knng_calloc(n, (size_t)f->words * sizeof *f->has);
	f->every = knng_alloc(n, sizeof *f->every);
	f->target = knng_alloc(n, sizeof *f->target);
	f->missing = knng_alloc(n, sizeof *f->missing);
	f->left = knng_calloc(n, sizeof *f->left);
	f->infinite = knng_alloc(jobs, sizeof *f->infinite);
	if (f->u == NULL || f->has == NULL || f->every == NULL || f->target == NULL || f->missing == NULL ||
	    f->left == NULL || f->infinite == NULL)
		return knng_fail_memory(err, "filling in missing values", bytes);
	return KNNG_OK;
}

/* Bytes, with those of so many threads. */
static double
bytes_of(const filling *f, int threads)
{
	double n = (double)f->X->n, bench_bytes = 8.0 * ROWS + 8 + 16 + 32 + 16, ld = (double)f->ld;
	return n * (8 * ld + 8.0 * (double)f->words + 32) + threads * (n * bench_bytes + 16 * ld);
}

knng_status
knng_impute_metric(const knng_metric *metric, knng_err *err)
{
	if (metric->prep == KNNG_PREP_NONE || (metric->prep != KNNG_PREP_RANKED && metric->sum == KNNG_SUM_MINUS))
		return KNNG_OK;
	return knng_fail(err, KNNG_EARGS, "knng:args:metric",
			 "rows that are near by '%s' need not have values that are near: give 'euclidean', 'cosine', "
			 "'correlation', 'cityblock' or 'chebychev'",
			 metric->name);
}

knng_status
knng_impute(knng_task *task, const knng_matrix *X, const knng_imputing *how, void *Z, knng_imputed *done, knng_err *err)
{
	filling f = {.task = task,
		     .X = X,
		     .by = how->by != NULL ? how->by : X,
		     .how = how,
		     .Z = Z,
		     .words = (X->d + 63) / 64,
		     .kernels = knng_kernels_find(NULL)};
	f.ld = knng_columns(f.by->d);
	int threads = knng_task_threads_for(task, (double)X->n * (double)X->d, WORTH);
	*done = (knng_imputed){0};
	knng_status status = knng_afford(bytes_of(&f, 0), "filling in missing values", err);
	if (status == KNNG_OK)
		status = claim(&f, bytes_of(&f, 0), err);
	if (status == KNNG_OK)
		status = read_rows(task, &f, threads, done, err);
	if (status != KNNG_OK || f.targets == 0)
		goto done;
	threads = knng_task_threads_for(task, (double)f.targets * (double)X->n * (double)f.by->d, WORTH);
	threads = (int)least(threads, knng_parts(ROWS, f.targets));
	f.some = CACHE / (f.ld * (int64_t)sizeof *f.u);
	f.some = f.some < 4 ? 4 : least(f.some, MEET);
	status = knng_afford(bytes_of(&f, threads) - bytes_of(&f, 0), "filling in missing values", err);
	if (status != KNNG_OK)
		goto done;
	if ((f.benches = knng_calloc(threads, sizeof *f.benches)) == NULL)
		status = knng_fail_memory(err, "filling in missing values", bytes_of(&f, threads));
	for (int t = 0; t < threads && status == KNNG_OK; t++)
		if (!make_bench(&f.benches[t], X->n, f.ld))
			status = knng_fail_memory(err, "filling in missing values", bytes_of(&f, threads));
	task->stage = "filling in";
	if (status == KNNG_OK)
		status = knng_task_run(task, threads, knng_parts(ROWS, f.targets), fill, &f, err);
	done->filled = done->missing;
	for (int64_t t = 0; t < f.targets; t++) {
		done->filled -= f.left[f.target[t]];
		done->fewer += f.missing[f.target[t]];
	}
done:
	for (int t = 0; t < threads && f.benches != NULL; t++)
		free_bench(&f.benches[t]);
	knng_free(f.benches);
	knng_free(f.infinite);
	knng_free(f.left);
	knng_free(f.missing);
	knng_free(f.target);
	knng_free(f.every);
	knng_free(f.has);
	knng_free(f.u);
	return status;
}
