#include "graph/heat.h"
#include "base/sort.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 1024 }; /* a job */

typedef struct {
	knng_task *task;
	const knng_sparse *U;
	knng_bins *bins; /* one a thread */
	double s, floor;
	uint8_t *which;
	size_t *start;
	knng_sparse *W;
} heating;

static knng_status
run_columns(heating *h, knng_job *job, knng_err *err)
{
	int64_t n = h->U->columns;
	int threads = knng_weigh_threads(h->task, (double)h->U->start[n]);
	return knng_task_run(h->task, threads, knng_parts(COLUMNS, n), job, h, err);
}

static knng_status
bins_job(void *context, int worker, int64_t job, knng_err *err)
{
	const heating *h = context;
	const knng_sparse *U = h->U;
	knng_bins *bins = &h->bins[worker];
	knng_status status = KNNG_OK;
	knng_part part = knng_part_of(job, COLUMNS, U->columns);
	for (int64_t j = part.first; j < part.end && (status = knng_task_poll(h->task, err)) == KNNG_OK; j++)
		for (size_t e = U->start[j]; e < U->start[j + 1]; e++) {
			double d = U->value[e];
			if (!(d < INFINITY) || U->row[e] == (size_t)j)
				bins->unfit++;
			else if (d <= DBL_MIN)
				bins->zeros++;
			else
				bins->bin[(int64_t)round(128 * log2(d)) - KNNG_BIN_FIRST]++;
		}
	return status;
}

knng_status
knng_bins_count(knng_task *task, const knng_sparse *U, knng_bins *bins, knng_err *err)
{
	int threads = knng_weigh_threads(task, (double)U->start[U->columns]);
	heating h = {.task = task, .U = U, .bins = knng_calloc(threads, sizeof *bins)};
	if (h.bins == NULL)
		return knng_fail_memory(err, "the numbers of distances", (double)sizeof *bins * threads);
	knng_status status = knng_task_run(task, threads, knng_parts(COLUMNS, U->columns), bins_job, &h, err);
	memset(bins, 0, sizeof *bins);
	for (int t = 0; t < threads; t++) {
		for (int64_t b = 0; b < KNNG_BINS; b++)
			bins->bin[b] += h.bins[t].bin[b];
		bins->zeros += h.bins[t].zeros;
		bins->unfit += h.bins[t].unfit;
	}
	knng_free(h.bins);
	return status;
}

static double
weight_of(const heating *h, size_t e)
{
	return knng_gaussian(knng_read_distance(h->U->value[e]), h->s, h->s);
}

static knng_status
wanting_job(void *context, int worker, int64_t job, knng_err *err)
{
	(void)worker;
	const heating *h = context;
	const size_t *start = h->U->start;
	knng_status status = KNNG_OK;
	knng_part part = knng_part_of(job, COLUMNS, h->U->columns);
	for (int64_t j = part.first; j < part.end && (status = knng_task_poll(h->task, err)) == KNNG_OK; j++) {
		double sum = 0, need = fmin(1, (double)(start[j + 1] - start[j]) / 2);
		for (size_t e = start[j]; h->which[j] && e < start[j + 1]; e++)
			sum += weight_of(h, e);
		h->which[j] = h->which[j] && sum < need;
	}
	return status;
}

knng_status
knng_heat_wanting(knng_task *task, const knng_sparse *U, double s, uint8_t *which, knng_err *err)
{
	heating h = {.task = task, .U = U, .s = s, .which = which};
	return run_columns(&h, wanting_job, err);
}

static knng_status
weights_job(void *context, int worker, int64_t job, knng_err *err)
{
	(void)worker;
	const heating *h = context;
	const knng_sparse *U = h->U;
	knng_status status = KNNG_OK;
	knng_part part = knng_part_of(job, COLUMNS, U->columns);
	for (int64_t j = part.first; j < part.end && (status = knng_task_poll(h->task, err)) == KNNG_OK; j++) {
		size_t at = h->W != NULL ? h->W->start[j] : 0;
		for (size_t e = U->start[j]; e < U->start[j + 1]; e++) {
			double w = weight_of(h, e);
			if (!(w >= h->floor))
				continue;
			if (h->W != NULL) {
				h->W->row[at] = U->row[e];
				h->W->value[at] = w;
			}
			at++;
		}
		if (h->W == NULL)
			h->start[j + 1] = at;
	}
	return status;
}

knng_status
knng_heat_count(knng_task *task, const knng_sparse *U, double s, double floor, size_t *start, knng_err *err)
{
	heating h = {.task = task, .U = U, .s = s, .floor = floor, .start = start};
	knng_status status = run_columns(&h, weights_job, err);
	start[0] = 0;
	if (status == KNNG_OK)
		knng_add_up(start, U->columns);
	return status;
}

knng_status
knng_heat_fill(knng_task *task, const knng_sparse *U, double s, double floor, knng_sparse *W, knng_err *err)
{
	heating h = {.task = task, .U = U, .s = s, .floor = floor, .W = W};
	return run_columns(&h, weights_job, err);
}
