/* means.c  The centres of clusters: exact sums, to which rows that move are added and from which they are taken, so
 * that neither order nor history counts; and medians. */
#include "rows/lloyd.h"

#include <float.h>
#include <string.h>

void
knng_lloyd_move(const knng_lloyd *k, knng_lloyd_worker *w, int64_t i, int32_t from, int32_t to)
{
	const int32_t ends[] = {from, to};
	for (int e = 0; e < 2; e++) {
		int32_t j = ends[e];
		if (j < 0)
			continue;
		w->size[j] += e == 0 ? -1 : 1;
		w->touched[j] = true;
		if (w->sums != NULL)
			k->loops->add(k->u + i * k->ld, k->down, e == 0 ? -1 : 1, k->ld,
				      w->sums + j * CENTRES_SUMS * k->ld);
	}
}

void
knng_lloyd_gather(knng_lloyd *k)
{
	int64_t width = CENTRES_SUMS * k->ld;
	for (int t = 0; t < k->threads; t++)
		for (int64_t j = 0; j < k->k; j++) {
			knng_lloyd_worker *w = &k->worker[t];
			if (!w->touched[j])
				continue;
			k->touched[j] = true;
			k->size[j] += w->size[j];
			for (int64_t l = 0; w->sums != NULL && l < width; l++)
				k->sums[j * width + l] += w->sums[j * width + l];
			if (w->sums != NULL)
				memset(w->sums + j * width, 0, (size_t)width * sizeof *w->sums);
			w->size[j] = 0;
			w->touched[j] = false;
		}
}

bool
knng_lloyd_prepare(knng_lloyd *k, int64_t j)
{
	double *scratch = k->worker[0].scratch, *row = scratch + LLOYD_SCRATCH * k->ld;
	uint64_t hash;
	memcpy(row, k->c + j * k->ld, (size_t)k->ld * sizeof *row);
	if (k->metric->prep != KNNG_PREP_NONE &&
	    k->kernels->prepare(k->metric, row, k->d, k->ld, scratch, &hash) != KNNG_ROW_FINE)
		return false;
	memcpy(k->v + j * k->ld, row, (size_t)k->ld * sizeof *row);
	return true;
}

/* (C2) */
static void
mean(knng_lloyd *k, int64_t j)
{
	const double *sums = k->sums + j * CENTRES_SUMS * k->ld;
	double size = (double)k->size[j], *c = k->c + j * k->ld;
	for (int64_t l = 0; l < k->d; l++) {
		double total = sums[l] + (sums[k->ld + l] + sums[2 * k->ld + l]);
		c[l] = ldexp(total / size, k->exponent[l]);
		if (isinf(c[l]))
			c[l] = copysign(DBL_MAX, c[l]);
	}
}

/* Keys in the order of the numbers, which equal numbers share. */
static uint64_t
key_of(double x)
{
	uint64_t b;
	x += 0.0; /* -0 becomes +0 */
	memcpy(&b, &x, sizeof b);
	return b >> 63 ? ~b : b | (uint64_t)1 << 63;
}

static double
of_key(uint64_t key)
{
	double x;
	key = key >> 63 ? key ^ (uint64_t)1 << 63 : ~key;
	memcpy(&x, &key, sizeof x);
	return x;
}

/* The median of column l of a cluster, (C3). */
static knng_status
median(void *context, int worker, int64_t job, knng_err *err)
{
	knng_lloyd *k = context;
	int64_t j = job / k->d, l = job % k->d, size = k->size[j], first = k->end[j] - size, up_to = 0;
	uint64_t *key = k->worker[worker].key, *copy = key + k->n, above = UINT64_MAX;
	(void)err;
	if (k->gone[j] || !k->touched[j] || size == 0)
		return KNNG_OK;
	for (int64_t r = 0; r < size; r++)
		copy[r] = key[r] = key_of(k->u[k->order[first + r] * k->ld + l]);
	uint64_t middle = knng_kth_key(copy, size, (size + 1) / 2);
	for (int64_t r = 0; r < size; r++) {
		up_to += key[r] <= middle;
		above = key[r] > middle && key[r] < above ? key[r] : above;
	}
	double a = of_key(middle), b = size % 2 == 1 || up_to > size / 2 ? a : of_key(above), both = a + b;
	k->c[j * k->ld + l] = size % 2 == 1 ? a : isinf(both) ? a / 2 + b / 2 : both / 2;
	if (k->low != NULL) {
		k->low[j * k->ld + l] = a;
		k->high[j * k->ld + l] = b;
	}
	return KNNG_OK;
}

static knng_status
medians(knng_lloyd *k, knng_err *err)
{
	int64_t at = 0;
	for (int64_t j = 0; j < k->k; j++) {
		k->end[j] = at;
		at += k->size[j];
	}
	for (int64_t i = 0; i < k->n; i++)
		if (k->own[i] >= 0)
			k->order[k->end[k->own[i]]++] = (int32_t)i;
	return knng_task_run(k->task, k->threads, k->k * k->d, median, k, err);
}

knng_status
knng_lloyd_means(knng_lloyd *k, knng_err *err)
{
	if (k->metric->sum == KNNG_SUM_L1) {
		knng_status status = medians(k, err);
		if (status != KNNG_OK)
			return status;
	}
	for (int64_t j = 0; j < k->k; j++) {
		if (k->gone[j] || !k->touched[j] || k->size[j] == 0)
			continue;
		if (k->metric->sum != KNNG_SUM_L1)
			mean(k, j);
		knng_lloyd_prepare(k, j);
		k->touched[j] = false;
	}
	return KNNG_OK;
}
