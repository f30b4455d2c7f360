/* assign.c  Every row to its nearest centre: bounds first, then products in single precision, then exact distances. */
#include "rows/lloyd.h"

#include <string.h>

/* ---------------------------------------------------------------- before the rows */

/* (C7): the copy of a centre, or of a row, and what its scores may be wrong by. */
knng_lloyd_bound
knng_lloyd_copy(const knng_lloyd *k, const double *u, float *to, int64_t stride)
{
	const double up = 1 + 0x1p-20, dd = (double)k->d;
	knng_measure m = k->kernels->copy(KNNG_TILE_PRODUCT, u, k->shift, k->per_unit, k->d, to, stride);
	double r = m.residual * up + dd * 0x1p-500 + 0x1p-51 * sqrt(2 * m.half), norm = m.norm * up + dd * 0x1p-500;
	double eps = knng_eps32(k->d, m.half, norm, r, k->acc);
	return (knng_lloyd_bound){.half = m.half, .slack = eps + (0x1p-20 + (dd + 8) * 0x1p-50) * m.half + 0x1p-120};
}

static float
round_down(double x)
{
	float f = (float)x;
	return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static void
copy_centres(knng_lloyd *k)
{
	for (int64_t j = 0; j < k->panels * CENTRES_PANEL; j++)
		k->base[j] = INFINITY;
	for (int64_t j = 0; j < k->k; j++) {
		float *to = k->panel + j / CENTRES_PANEL * CENTRES_PANEL * k->d + j % CENTRES_PANEL;
		if (k->gone[j])
			continue;
		k->bound[j] = knng_lloyd_copy(k, k->v + j * k->ld, to, CENTRES_PANEL);
		k->base[j] = round_down(k->bound[j].half - k->bound[j].slack);
		for (int64_t l = 0; l < k->d; l++)
			k->flat[j * k->ldf + l] = to[l * CENTRES_PANEL];
	}
}

/* How far centre j is from the others. */
static knng_status
space(void *context, int worker, int64_t j, knng_err *err)
{
	knng_lloyd *k = context;
	double *distance = k->worker[worker].distance, least = INFINITY;
	(void)err;
	if (k->gone[j])
		return KNNG_OK;
	k->kernels->sums(k->metric->sum, k->v + j * k->ld, k->v, k->ld, k->there, k->alive, distance);
	for (int64_t c = 0; c < k->alive; c++)
		if (k->there[c] != j && distance[c] < least)
			least = distance[c];
	k->apart[j] = knng_lloyd_below(k, least);
	return KNNG_OK;
}

knng_status
knng_lloyd_ready(knng_lloyd *k, bool first, knng_err *err)
{
	const int32_t zero = 0;
	k->alive = 0;
	for (int64_t j = 0; j < k->k; j++)
		if (!k->gone[j])
			k->there[k->alive++] = (int32_t)j;
	k->most = -1;
	k->farthest = k->next = 0;
	for (int64_t j = 0; j < k->k; j++) {
		const double *v = k->v + j * k->ld, *before = k->before + j * k->ld;
		double sum = 0;
		k->moved[j] = 0;
		if (first || k->gone[j] || memcmp(v, before, (size_t)k->ld * sizeof *v) == 0)
			continue;
		k->kernels->sums(k->metric->sum, v, before, k->ld, &zero, 1, &sum);
		k->moved[j] = knng_lloyd_above(k, sum);
		if (k->moved[j] > k->farthest) {
			k->next = k->farthest;
			k->farthest = k->moved[j];
			k->most = (int32_t)j;
		} else if (k->moved[j] > k->next) {
			k->next = k->moved[j];
		}
	}
	memcpy(k->before, k->v, (size_t)(k->k * k->ld) * sizeof *k->v);
	if (k->fast)
		copy_centres(k);
	if (!k->bounded || first) /* nothing is known of the rows, or may be used */
		return KNNG_OK;
	int threads = knng_task_threads_for(k->task, (double)k->k * (double)k->k * (double)k->d, LLOYD_WORTH);
	return knng_task_run(k->task, threads < k->threads ? threads : k->threads, k->k, space, k, err);
}

/* ---------------------------------------------------------------- a row */

/* Of the `count` centres in list the nearest to row i by the definition. *upper and *lower: bounds for it, and for the
 * others of the list. */
static int32_t
exactly(const knng_lloyd *k, knng_lloyd_worker *w, int64_t i, const int32_t *list, int64_t count, double *upper,
	double *lower)
{
	double best = INFINITY, sum = INFINITY, second = INFINITY;
	int32_t at = -1;
	k->kernels->sums(k->metric->sum, k->u + i * k->ld, k->v, k->ld, list, count, w->distance);
	w->computed += (double)count;
	for (int64_t c = 0; c < count; c++) {
		double distance = knng_map_sum(k->metric, w->distance[c]);
		if (at < 0 || distance < best) {
			second = at < 0 ? INFINITY : sum < second ? sum : second;
			best = distance;
			sum = w->distance[c];
			at = list[c];
		} else if (w->distance[c] < second) {
			second = w->distance[c];
		}
	}
	*upper = knng_lloyd_above(k, sum);
	*lower = second < INFINITY || !k->bounded ? knng_lloyd_below(k, second) : INFINITY;
	return at;
}

static void
settle(knng_lloyd *k, knng_lloyd_worker *w, int64_t i, int32_t to, double upper, double lower)
{
	int32_t from = k->own[i];
	k->upper[i] = k->bounded ? upper : INFINITY;
	k->lower[i] = k->bounded ? lower : -INFINITY;
	if (to == from)
		return;
	knng_lloyd_move(k, w, i, from, to);
	k->own[i] = to;
	w->changed++;
}

/* (C8): the root of the distance whose score is q at least, or at most, by the bounds. */
static double
root_above(const knng_lloyd *k, int64_t i, double q)
{
	double half = k->row[i].half - q;
	return half > 0 ? sqrt(2 * half) * k->unit * (1 + 0x1p-40) : 0;
}

static double
root_below(const knng_lloyd *k, int64_t i, double q)
{
	double half = k->row[i].half - q;
	return half > 0 ? sqrt(2 * half) * k->unit * (1 - 0x1p-40) : 0;
}

/* A row whose scores are known. */
static void
from_scores(knng_lloyd *k, knng_lloyd_worker *w, int64_t i, const float *q, const knng_nearest *nearest)
{
	double slack = k->row[i].slack;
	double upper = root_above(k, i, (double)nearest->best - slack - 2 * k->bound[nearest->at].slack);
	double lower = nearest->second > -INFINITY ? root_below(k, i, (double)nearest->second + slack) : INFINITY;
	if (knng_lloyd_surely(k, upper, lower)) {
		settle(k, w, i, nearest->at, upper, lower);
		return;
	}
	/* (C9): all others that may be as near. */
	double least = (upper * k->delta + k->tau) * (1 + 0x1p-40), cut = least * k->per_unit;
	int64_t count = 0;
	cut = k->row[i].half - slack - cut * cut / 2 * (1 + 0x1p-40) - 0x1p-120;
	for (int64_t c = 0; c < k->alive; c++) {
		w->list[count] = k->there[c];
		count += (double)q[k->there[c]] >= cut || k->there[c] == nearest->at;
	}
	int32_t to = exactly(k, w, i, w->list, count, &upper, &lower);
	settle(k, w, i, to, upper, least < lower ? least : lower);
}

/* ---------------------------------------------------------------- rows */

/* (C6): true, the row stays; its bounds are those of the centres as they are now. */
static bool
stays(const knng_lloyd *k, int64_t i)
{
	int32_t own = k->own[i];
	if (own < 0)
		return false;
	double upper = (k->upper[i] + k->moved[own]) * (1 + 0x1p-50), away = own == k->most ? k->next : k->farthest;
	double lower = k->lower[i] - away, other = k->apart[own] - upper;
	lower -= (fabs(k->lower[i]) + away) * 0x1p-50;
	k->upper[i] = upper;
	k->lower[i] = k->lower[i] == INFINITY ? INFINITY : lower;
	lower = lower > other * (1 - 0x1p-50) ? lower : other * (1 - 0x1p-50);
	return knng_lloyd_surely(k, upper, lower);
}

/* The same with the distance as it is now, by its score. */
static bool
stays_near(const knng_lloyd *k, int64_t i)
{
	int32_t own = k->own[i];
	if (own < 0)
		return false;
	float product = k->loops->product(k->copy + i * k->ldf, k->flat + own * k->ldf, k->ldf);
	double q = (double)(product - k->base[own]);
	double upper = root_above(k, i, q - k->row[i].slack - 2 * k->bound[own].slack);
	if (upper < k->upper[i])
		k->upper[i] = upper;
	double other = (k->apart[own] - k->upper[i]) * (1 - 0x1p-50);
	return knng_lloyd_surely(k, k->upper[i], other > k->lower[i] ? other : k->lower[i]);
}

static knng_status
assign(void *context, int worker, int64_t job, knng_err *err)
{
	knng_lloyd *k = context;
	knng_lloyd_worker *w = &k->worker[worker];
	knng_part part = knng_part_of(job, LLOYD_ROWS, k->n);
	int32_t left[LLOYD_ROWS];
	int64_t count = 0, some = 0;
	for (int64_t i = part.first; i < part.end; i++) {
		k->was[i] = k->own[i];
		left[count] = (int32_t)i;
		count += k->own[i] != LLOYD_NONE && !(k->bounded && stays(k, i));
	}
	if (!k->fast) {
		for (int64_t r = 0; r < count; r++) {
			double upper, lower;
			int32_t to = exactly(k, w, left[r], k->there, k->alive, &upper, &lower);
			settle(k, w, left[r], to, upper, lower);
			if (r % 8 == 7) {
				knng_status status = knng_task_poll(k->task, err);
				if (status != KNNG_OK)
					return status;
			}
		}
		return KNNG_OK;
	}
	for (int64_t r = 0; r < count; r++) {
		left[some] = left[r];
		some += !stays_near(k, left[r]);
	}
	w->computed += (double)count + (double)some * (double)k->alive;
	for (int64_t r = 0; r < some; r += CENTRES_ROWS) {
		const float *row[CENTRES_ROWS];
		knng_nearest nearest[CENTRES_ROWS];
		int64_t together = some - r < CENTRES_ROWS ? some - r : CENTRES_ROWS;
		for (int64_t i = 0; i < together; i++)
			row[i] = k->copy + left[r + i] * k->ldf;
		k->loops->scores(row, together, k->panel, k->base, k->panels, k->d, w->scores, nearest);
		for (int64_t i = 0; i < together; i++)
			from_scores(k, w, left[r + i], w->scores + i * k->panels * CENTRES_PANEL, &nearest[i]);
		knng_status status = knng_task_poll(k->task, err);
		if (status != KNNG_OK)
			return status;
	}
	return KNNG_OK;
}

knng_status
knng_lloyd_assign(knng_lloyd *k, int64_t *changed, knng_err *err)
{
	*changed = 0;
	for (int t = 0; t < k->threads; t++)
		k->worker[t].changed = 0;
	knng_status status = knng_task_run(k->task, k->threads, knng_parts(LLOYD_ROWS, k->n), assign, k, err);
	for (int t = 0; t < k->threads; t++)
		*changed += k->worker[t].changed;
	return status;
}

/* ---------------------------------------------------------------- distances */

static knng_status
measure(void *context, int worker, int64_t job, knng_err *err)
{
	knng_lloyd *k = context;
	knng_part part = knng_part_of(job, LLOYD_ROWS, k->n);
	(void)worker;
	(void)err;
	for (int64_t i = part.first; i < part.end; i++) {
		double sum;
		if (k->own[i] < 0)
			continue;
		k->kernels->sums(k->metric->sum, k->u + i * k->ld, k->v, k->ld, &k->own[i], 1, &sum);
		k->far[i] = knng_map_sum(k->metric, sum);
	}
	return KNNG_OK;
}

knng_status
knng_lloyd_distances(knng_lloyd *k, knng_err *err)
{
	return knng_task_run(k->task, k->threads, knng_parts(LLOYD_ROWS, k->n), measure, k, err);
}
