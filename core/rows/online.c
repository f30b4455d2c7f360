/* online.c  Single rows that move to other clusters while that lowers the sum of all distances (docs/centres.md, 3).
 * Rows are tried in ascending order, each with the clusters that the moves before it have left. Some are tried together
 * on several threads, and those after one that moves are tried again: the moves are those of one row after the other.
 */
#include "rows/lloyd.h"

#include <string.h>

/* Rows that are tried together: a few after a move, since another may follow, then more and more. */
enum { FEW = 64, MANY = 1 << 15 };

typedef struct {
	knng_lloyd *k;
	knng_part rows; /* that are tried together */
} trial;

/* What the cluster's distances lose when a row at D leaves (C10), and gain when one comes (C11): of s rows, or of
 * prepared rows whose sum has this length. */
static double
loss_of_squares(double D, double s)
{
	return D * (s / (s - 1));
}

static double
gain_of_squares(double D, double s)
{
	return D * (s / (s + 1));
}

static double
loss_of_angles(double D, double length)
{
	double h = length - 1, x = 2 * length * D, r = sqrt(h * h + x);
	return h > 0 ? x / (r + h) : r - h;
}

static double
gain_of_angles(double D, double length)
{
	double h = length + 1, x = 2 * length * D, square = h * h - x;
	return x / (h + sqrt(square > 0 ? square : 0));
}

/* The same of medians, (C12). */
static double
loss_of_medians(const knng_lloyd *k, const double *u, int32_t j)
{
	const double *low = k->low + j * k->ld, *high = k->high + j * k->ld;
	double loss = 0;
	for (int64_t l = 0; l < k->d; l++) {
		double below = high[l] - u[l], above = u[l] - low[l];
		loss += below > above ? below : above;
	}
	return loss;
}

static double
gain_of_medians(const knng_lloyd *k, const double *u, int32_t j)
{
	const double *low = k->low + j * k->ld, *high = k->high + j * k->ld;
	double gain = 0;
	for (int64_t l = 0; l < k->d; l++) {
		double below = low[l] - u[l], above = u[l] - high[l], beyond = below > above ? below : above;
		gain += beyond > 0 ? beyond : 0;
	}
	return gain;
}

/* The cluster in which row i should be: its own, or the one to which it moves. */
static int32_t
best_for(const knng_lloyd *k, knng_lloyd_worker *w, int64_t i)
{
	const double *u = k->u + i * k->ld;
	bool medians = k->metric->sum == KNNG_SUM_L1, squares = k->metric->prep == KNNG_PREP_NONE;
	int32_t own = k->own[i], at = -1;
	double loss = 0, least = INFINITY;
	if (own < 0 || k->size[own] < 2)
		return own;
	if (!medians)
		k->kernels->sums(k->metric->sum, u, k->v, k->ld, k->there, k->alive, w->distance);
	w->computed += (double)k->alive;
	for (int64_t c = 0; c < k->alive; c++) {
		int32_t j = k->there[c];
		double D = medians ? 0 : knng_map_sum(k->metric, w->distance[c]), s = (double)k->size[j], gain;
		if (j == own) {
			loss = medians   ? loss_of_medians(k, u, j)
			       : squares ? loss_of_squares(D, s)
					 : loss_of_angles(D, k->length[j]);
			continue;
		}
		gain = medians   ? gain_of_medians(k, u, j)
		       : squares ? gain_of_squares(D, s)
				 : gain_of_angles(D, k->length[j]);
		if (at < 0 || gain < least) {
			at = j;
			least = gain;
		}
	}
	return at >= 0 && least < loss * (1 - ((double)k->d + 64) * 0x1p-50) ? at : own;
}

static knng_status
try_rows(void *context, int worker, int64_t job, knng_err *err)
{
	const trial *t = context;
	knng_lloyd *k = t->k;
	knng_part part = knng_part_of(job, LLOYD_ROWS, t->rows.end - t->rows.first);
	for (int64_t i = t->rows.first + part.first; i < t->rows.first + part.end; i++) {
		k->was[i] = best_for(k, &k->worker[worker], i);
		if (i % 8 == 7) {
			knng_status status = knng_task_poll(k->task, err);
			if (status != KNNG_OK)
				return status;
		}
	}
	return KNNG_OK;
}

/* The length of the sum of a cluster's rows. */
static void
measure(knng_lloyd *k, int64_t j)
{
	const double *sums = k->sums + j * CENTRES_SUMS * k->ld;
	double square = 0;
	for (int64_t l = 0; l < k->d; l++) {
		double sum = ldexp(sums[l] + (sums[k->ld + l] + sums[2 * k->ld + l]), k->exponent[l]);
		square += sum * sum;
	}
	k->length[j] = sqrt(square);
}

static knng_status
move(knng_lloyd *k, int64_t i, int32_t to, knng_err *err)
{
	int32_t from = k->own[i];
	knng_lloyd_move(k, &k->worker[0], i, from, to);
	k->own[i] = to;
	knng_lloyd_gather(k);
	if (k->metric->sum != KNNG_SUM_L1) {
		measure(k, from);
		measure(k, to);
	}
	return knng_lloyd_means(k, err);
}

/* One pass over all rows: how many moved. */
static knng_status
pass(knng_lloyd *k, int64_t *moves, knng_err *err)
{
	int64_t together = LLOYD_ROWS;
	trial t = {.k = k};
	*moves = 0;
	for (int64_t at = 0; at < k->n;) {
		t.rows = (knng_part){at, at + together < k->n ? at + together : k->n};
		knng_status status =
			knng_task_run(k->task, k->threads, knng_parts(LLOYD_ROWS, t.rows.end - at), try_rows, &t, err);
		while (status == KNNG_OK && at < t.rows.end && k->was[at] == k->own[at])
			at++;
		if (status == KNNG_OK && at < t.rows.end) {
			status = move(k, at, k->was[at], err);
			++*moves;
			at++;
			together = FEW;
		} else {
			together = 2 * together < MANY ? 2 * together : MANY;
		}
		if (status != KNNG_OK)
			return status;
	}
	return KNNG_OK;
}

knng_status
knng_lloyd_online(knng_lloyd *k, int64_t most, int64_t *passes, bool *converged, knng_err *err)
{
	knng_status status;
	int64_t moves = 1;
	k->alive = 0;
	for (int64_t j = 0; j < k->k; j++) {
		k->touched[j] = !k->gone[j];
		if (k->gone[j])
			continue;
		k->there[k->alive++] = (int32_t)j;
		if (k->metric->sum != KNNG_SUM_L1)
			measure(k, j);
	}
	if ((status = knng_lloyd_means(k, err)) != KNNG_OK)
		return status;
	*converged = false;
	for (*passes = 0; *passes < most && moves > 0; ++*passes)
		if ((status = pass(k, &moves, err)) != KNNG_OK)
			return status;
	*converged = moves == 0;
	return KNNG_OK;
}
