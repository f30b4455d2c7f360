/* kmeans.c  Lloyd's iterations: assign.c sends rows to their nearest centres, means.c makes centres of them;
 * and online.c moves single rows at the end. */
#include "rows/kmeans.h"
#include "rows/lloyd.h"
#include "search/centre.h"
#include "search/describe.h"

#include <string.h>

/* Bounds are off where the squares of elements could overflow; copies where their scale could. */
enum { HIGHEST = 480, STEEPEST = 400 };

/* ---------------------------------------------------------------- memory */

static double
needed(const knng_lloyd *k)
{
	double n = (double)k->n, ld = (double)k->ld, clusters = (double)k->k,
	       wide = k->k > LLOYD_DRAW ? clusters : LLOYD_DRAW;
	bool medians = k->metric->sum == KNNG_SUM_L1;
	double worker = (LLOYD_SCRATCH + 2) * ld * 8 + clusters * 9 + wide * 12 +
			(medians ? 16 * n : 8 * CENTRES_SUMS * ld * clusters);
	return n * (8 * ld + 32 + (medians ? 4 : 0)) + k->threads * worker +
	       (k->how->start == NULL ? knng_lloyd_draw_needs(k->n, k->k) : 0) +
	       clusters * (ld * (4 + CENTRES_SUMS) * 8 + 72) + (36 + 10 * k->threads) * 64 +
	       (k->how->online ? clusters * (medians ? 16 * ld : 8) + 128 : 0);
}

static double
needed_by_copies(const knng_lloyd *k)
{
	double panels = (double)k->panels * CENTRES_PANEL;
	return (double)k->n * (4.0 * (double)k->ldf + sizeof(knng_lloyd_bound)) +
	       panels * (double)(k->d + k->ldf + 8) * 4 + k->threads * panels * CENTRES_ROWS * 4;
}

/* Decides whether there is room for copies, or not even for the rest. */
static knng_status
fit(knng_lloyd *k, double *planned, knng_err *err)
{
	double least = needed(k), more = k->fast ? needed_by_copies(k) : 0, limit = k->how->max_memory;
	if (limit > 0 && least > limit)
		return knng_fail(
			err, KNNG_EARGS, "knng:args:maxMemory",
			"'MaxMemory' is %.0f bytes: these clusters need at least %.0f beside X and the results: "
			"give 'MaxMemory' that much, or fewer 'Threads'",
			limit, ceil(least));
	double left = 0.9 * knng_memory_available(), room = limit > 0 && (left <= 0 || limit < left) ? limit : left;
	if (room > 0 && least + more > room) {
		k->fast = false;
		more = 0;
	}
	*planned = least + more;
	return knng_afford(least + more, "clusters", err);
}

static bool
open_workers(knng_lloyd *k)
{
	bool medians = k->metric->sum == KNNG_SUM_L1;
	int64_t wide = k->k > LLOYD_DRAW ? k->k : LLOYD_DRAW;
	if ((k->worker = knng_calloc(k->threads, sizeof *k->worker)) == NULL)
		return false;
	for (int t = 0; t < k->threads; t++) {
		knng_lloyd_worker *w = &k->worker[t];
		w->size = knng_calloc(k->k, sizeof *w->size);
		w->touched = knng_calloc(k->k, sizeof *w->touched);
		w->scratch = knng_calloc(LLOYD_SCRATCH + 1, (size_t)k->ld * sizeof *w->scratch);
		w->high = knng_calloc(k->ld, sizeof *w->high);
		w->distance = knng_alloc(wide, sizeof *w->distance);
		w->list = knng_alloc(wide, sizeof *w->list);
		if (w->size == NULL || w->touched == NULL || w->scratch == NULL || w->high == NULL ||
		    w->distance == NULL || w->list == NULL)
			return false;
		if (medians && (w->key = knng_alloc(k->n, 2 * sizeof *w->key)) == NULL)
			return false;
		if (!medians && (w->sums = knng_calloc(k->k, CENTRES_SUMS * (size_t)k->ld * sizeof *w->sums)) == NULL)
			return false;
		if (k->fast &&
		    (w->scores = knng_alloc(k->panels, CENTRES_ROWS * CENTRES_PANEL * sizeof *w->scores)) == NULL)
			return false;
	}
	return true;
}

static bool
open_all(knng_lloyd *k)
{
	size_t row = (size_t)k->ld * sizeof(double);
	k->u = knng_alloc(k->n, row);
	k->own = knng_alloc(k->n, sizeof *k->own);
	k->was = knng_alloc(k->n, sizeof *k->was);
	k->upper = knng_alloc(k->n, sizeof *k->upper);
	k->lower = knng_alloc(k->n, sizeof *k->lower);
	k->far = knng_alloc(k->n, sizeof *k->far);
	k->c = knng_calloc(k->k, row);
	k->v = knng_calloc(k->k, row);
	k->before = knng_calloc(k->k, row);
	k->best_v = knng_calloc(k->k, row);
	k->moved = knng_calloc(k->k, sizeof *k->moved);
	k->apart = knng_calloc(k->k, sizeof *k->apart);
	k->gone = knng_calloc(k->k, sizeof *k->gone);
	k->best_gone = knng_calloc(k->k, sizeof *k->best_gone);
	k->there = knng_calloc(k->k, sizeof *k->there);
	k->size = knng_calloc(k->k, sizeof *k->size);
	k->end = knng_calloc(k->k, sizeof *k->end);
	k->touched = knng_calloc(k->k, sizeof *k->touched);
	k->down = knng_calloc(k->ld, sizeof *k->down);
	k->exponent = knng_calloc(k->ld, sizeof *k->exponent);
	k->sums = knng_calloc(k->k, CENTRES_SUMS * row);
	if (k->how->online && k->metric->sum != KNNG_SUM_L1 &&
	    (k->length = knng_calloc(k->k, sizeof *k->length)) == NULL)
		return false;
	if (k->how->online && k->metric->sum == KNNG_SUM_L1 &&
	    ((k->low = knng_calloc(k->k, row)) == NULL || (k->high = knng_calloc(k->k, row)) == NULL))
		return false;
	if (k->metric->sum == KNNG_SUM_L1 && (k->order = knng_alloc(k->n, sizeof *k->order)) == NULL)
		return false;
	if (k->fast) {
		k->copy = knng_alloc(k->n, (size_t)k->ldf * sizeof *k->copy);
		k->row = knng_alloc(k->n, sizeof *k->row);
		k->shift = knng_calloc(k->ld, sizeof *k->shift);
		k->panel = knng_calloc(k->panels, CENTRES_PANEL * (size_t)k->d * sizeof *k->panel);
		k->base = knng_alloc(k->panels, CENTRES_PANEL * sizeof *k->base);
		k->flat = knng_calloc(k->k, (size_t)k->ldf * sizeof *k->flat);
		k->bound = knng_calloc(k->k, sizeof *k->bound);
		if (k->copy == NULL || k->row == NULL || k->shift == NULL || k->panel == NULL || k->base == NULL ||
		    k->flat == NULL || k->bound == NULL)
			return false;
	}
	return k->u != NULL && k->own != NULL && k->was != NULL && k->upper != NULL && k->lower != NULL &&
	       k->far != NULL && k->c != NULL && k->v != NULL && k->before != NULL && k->best_v != NULL &&
	       k->moved != NULL && k->apart != NULL && k->gone != NULL && k->best_gone != NULL && k->there != NULL &&
	       k->size != NULL && k->end != NULL && k->touched != NULL && k->down != NULL && k->exponent != NULL &&
	       k->sums != NULL && open_workers(k);
}

static void
close_all(knng_lloyd *k)
{
	for (int t = 0; k->worker != NULL && t < k->threads; t++) {
		knng_lloyd_worker *w = &k->worker[t];
		void *of_worker[] = {w->sums,     w->size, w->touched, w->scratch, w->high,
				     w->distance, w->list, w->scores,  w->key};
		for (size_t i = 0; i < sizeof of_worker / sizeof *of_worker; i++)
			knng_free(of_worker[i]);
	}
	void *all[] = {k->worker,   k->u,         k->own,    k->was,    k->upper,  k->lower,   k->far,
		       k->order,    k->c,         k->v,      k->before, k->best_v, k->moved,   k->apart,
		       k->gone,     k->best_gone, k->there,  k->size,   k->end,    k->touched, k->down,
		       k->exponent, k->sums,      k->copy,   k->row,    k->shift,  k->panel,   k->base,
		       k->flat,     k->bound,     k->length, k->low,    k->high};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
}

/* ---------------------------------------------------------------- rows */

static knng_status
load(void *context, int worker, int64_t job, knng_err *err)
{
	knng_lloyd *k = context;
	knng_lloyd_worker *w = &k->worker[worker];
	knng_part part = knng_part_of(job, knng_prepare_rows(k->d), k->n);
	uint64_t hash;
	(void)err;
	knng_source_rows(k->X, part.first, part.end - part.first, k->u + part.first * k->ld, k->ld);
	for (int64_t i = part.first; i < part.end; i++) {
		double *u = k->u + i * k->ld;
		int state = k->kernels->prepare(k->metric, u, k->d, k->ld, w->scratch, &hash);
		k->own[i] = state == KNNG_ROW_FINE ? LLOYD_UNKNOWN : LLOYD_NONE;
		if (state != KNNG_ROW_FINE) {
			w->constant += state == KNNG_ROW_CONSTANT;
			memset(u, 0, (size_t)k->ld * sizeof *u);
		}
		for (int64_t l = 0; l < k->d; l++)
			w->high[l] = fabs(u[l]) > w->high[l] ? fabs(u[l]) : w->high[l];
	}
	return KNNG_OK;
}

static knng_status
make_copies(void *context, int worker, int64_t job, knng_err *err)
{
	knng_lloyd *k = context;
	knng_part part = knng_part_of(job, LLOYD_ROWS, k->n);
	(void)worker;
	(void)err;
	for (int64_t i = part.first; i < part.end; i++) {
		float *to = k->copy + i * k->ldf;
		k->row[i] = knng_lloyd_copy(k, k->u + i * k->ld, to, 1);
		for (int64_t l = k->d; l < k->ldf; l++)
			to[l] = 0;
	}
	return KNNG_OK;
}

/* (C1); how large elements are, those of starts too. */
static void
scales(knng_lloyd *k)
{
	for (int64_t l = 0; l < k->d; l++) {
		double high = 0;
		for (int t = 0; t < k->threads; t++)
			high = k->worker[t].high[l] > high ? k->worker[t].high[l] : high;
		frexp(high, &k->exponent[l]);
		k->exponent[l] = k->exponent[l] < -1022 ? -1022 : k->exponent[l];
		k->down[l] = ldexp(1, -k->exponent[l]);
		k->largest = high > k->largest ? high : k->largest;
	}
	if (k->how->start != NULL && k->metric->prep == KNNG_PREP_NONE)
		for (int64_t e = 0; e < k->how->replicates * k->k * k->d; e++)
			k->largest = fabs(k->how->start[e]) > k->largest ? fabs(k->how->start[e]) : k->largest;
}

static knng_status
open_rows(knng_lloyd *k, knng_kmeans_found *found, knng_err *err)
{
	k->task->stage = "rows";
	k->task->left = 0.9;
	knng_status status =
		knng_task_run(k->task, k->threads, knng_parts(knng_prepare_rows(k->d), k->n), load, k, err);
	if (status != KNNG_OK)
		return status;
	for (int64_t i = 0; i < k->n; i++)
		k->rows += k->own[i] != LLOYD_NONE;
	for (int t = 0; t < k->threads; t++)
		found->constant += k->worker[t].constant;
	found->left_out = k->n - k->rows;
	if (k->rows < k->k)
		return knng_fail(err, KNNG_EARGS, "knng:args:k",
				 "k is %lld: there are no more clusters than rows with distances, %lld of %lld here",
				 (long long)k->k, (long long)k->rows, (long long)k->n);
	scales(k);
	k->bounded = k->largest < ldexp(1, HIGHEST);
	bool integers = false;
	int exponent = knng_exponent(k->largest, &integers);
	k->fast = k->fast && k->bounded && exponent > -STEEPEST;
	if (!k->fast)
		return KNNG_OK;
	if (k->metric->prep == KNNG_PREP_NONE)
		exponent = knng_centre(k->u, k->n, k->d, k->ld, k->largest, INFINITY, &integers, k->shift);
	k->unit = ldexp(1, exponent);
	k->per_unit = ldexp(1, -exponent);
	return knng_task_run(k->task, k->threads, knng_parts(LLOYD_ROWS, k->n), make_copies, k, err);
}

/* ---------------------------------------------------------------- a replicate */

static knng_status
start(knng_lloyd *k, int64_t replicate, knng_err *err)
{
	const knng_kmeans_how *how = k->how;
	knng_status status = KNNG_OK;
	for (int64_t i = 0; i < k->n; i++)
		k->own[i] = k->own[i] == LLOYD_NONE ? LLOYD_NONE : LLOYD_UNKNOWN;
	memset(k->size, 0, (size_t)k->k * sizeof *k->size);
	memset(k->gone, 0, (size_t)k->k * sizeof *k->gone);
	memset(k->sums, 0, (size_t)(k->k * CENTRES_SUMS * k->ld) * sizeof *k->sums);
	memset(k->c, 0, (size_t)(k->k * k->ld) * sizeof *k->c);
	if (how->start == NULL) {
		status = knng_lloyd_draw(k, how->draws + replicate * k->k, err);
		for (int64_t i = 0; i < k->n; i++)
			k->own[i] = k->own[i] == LLOYD_NONE ? LLOYD_NONE : LLOYD_UNKNOWN;
		return status;
	}
	for (int64_t j = 0; j < k->k; j++) {
		memcpy(k->c + j * k->ld, how->start + (replicate * k->k + j) * k->d, (size_t)k->d * sizeof *k->c);
		if (!knng_lloyd_prepare(k, j))
			return knng_fail(err, KNNG_EARGS, "knng:args:start",
					 "row %lld of the start has no '%s' distances: it is constant, or 0",
					 (long long)j + 1, k->metric->name);
	}
	return KNNG_OK;
}

/* The row farthest from its centre, of those that are not alone in their clusters. */
static int64_t
farthest(const knng_lloyd *k)
{
	int64_t at = -1;
	for (int64_t i = 0; i < k->n; i++)
		if (k->own[i] >= 0 && k->size[k->own[i]] > 1 && (at < 0 || k->far[i] > k->far[at]))
			at = i;
	return at;
}

static knng_status
fill_empty(knng_lloyd *k, int64_t *changed, knng_err *err)
{
	bool measured = false;
	for (int64_t j = 0; j < k->k; j++) {
		knng_status status = KNNG_OK;
		if (k->size[j] > 0 || k->gone[j])
			continue;
		if (k->how->empty == KNNG_EMPTY_ERROR)
			return knng_fail(err, KNNG_EARGS, "knng:data:emptyCluster",
					 "cluster %lld has lost its rows: give other starts, fewer clusters, or "
					 "'EmptyAction', 'singleton' or 'drop'",
					 (long long)j + 1);
		if (k->how->empty == KNNG_EMPTY_DROP) {
			k->gone[j] = true;
			continue;
		}
		if (!measured && (status = knng_lloyd_distances(k, err)) != KNNG_OK)
			return status;
		measured = true;
		int64_t i = farthest(k);
		*changed += (k->own[i] == k->was[i]) - (j == k->was[i]);
		knng_lloyd_move(k, &k->worker[0], i, k->own[i], (int32_t)j);
		k->own[i] = (int32_t)j;
		k->upper[i] = INFINITY;
		k->lower[i] = -INFINITY;
		knng_lloyd_gather(k);
	}
	return KNNG_OK;
}

/* Iterations from k->v: how many; *converged. */
static knng_status
iterate(knng_lloyd *k, int64_t replicate, int64_t *iterations, bool *converged, knng_err *err)
{
	double all = (double)k->how->replicates * ((double)k->how->most + 1);
	int64_t changed = 1;
	*converged = false;
	for (int64_t i = 0;; i++) {
		bool last = i == k->how->most; /* every row to the nearest of the centres as they are */
		k->task->done = ((double)replicate * ((double)k->how->most + 1) + (double)i) / all;
		k->task->left = 1 - k->task->done - 1 / all;
		knng_status status = knng_lloyd_ready(k, i == 0, err);
		if (status == KNNG_OK)
			status = knng_lloyd_assign(k, &changed, err);
		if (status != KNNG_OK)
			return status;
		knng_lloyd_gather(k);
		*iterations = last ? i : i + 1;
		if (!last && (status = fill_empty(k, &changed, err)) != KNNG_OK)
			return status;
		*converged = changed == 0;
		if (last || changed == 0)
			return KNNG_OK;
		if ((status = knng_lloyd_means(k, err)) != KNNG_OK)
			return status;
	}
}

/* The replicate is the best so far: what it found goes into *found. */
static void
keep(knng_lloyd *k, const double *sum, knng_kmeans_found *found)
{
	for (int64_t j = 0; j < k->k; j++) {
		found->sum[j] = k->gone[j] ? NAN : sum[j];
		for (int64_t l = 0; l < k->d; l++)
			found->centre[j * k->d + l] = k->gone[j] ? NAN : k->c[j * k->ld + l];
	}
	for (int64_t i = 0; i < k->n; i++)
		found->cluster[i] = k->own[i] >= 0 ? k->own[i] : -1;
	memcpy(k->best_v, k->v, (size_t)(k->k * k->ld) * sizeof *k->v);
	memcpy(k->best_gone, k->gone, (size_t)k->k * sizeof *k->gone);
}

/* The sum of each cluster's distances, and the total, which is kept if it is the least. */
static knng_status
add_up(knng_lloyd *k, int64_t replicate, double *sum, double *total, double *least, knng_kmeans_found *found,
       knng_err *err)
{
	knng_status status = knng_lloyd_distances(k, err);
	if (status != KNNG_OK)
		return status;
	memset(sum, 0, (size_t)k->k * sizeof *sum);
	for (int64_t i = 0; i < k->n; i++)
		if (k->own[i] >= 0)
			sum[k->own[i]] += k->far[i];
	*total = 0;
	for (int64_t j = 0; j < k->k; j++)
		*total += sum[j];
	if (found->replicate < 0 || *total < *least) {
		*least = *total;
		found->replicate = replicate;
		keep(k, sum, found);
	}
	return KNNG_OK;
}

/* A replicate. *passes: how often rows were sent to centres. */
static knng_status
run(knng_lloyd *k, int64_t replicate, double *sum, double *least, double *passes, knng_kmeans_found *found,
    knng_err *err)
{
	int64_t iterations = 0, more = 0;
	bool converged = false;
	double total = 0, after = 0;
	knng_status status = start(k, replicate, err);
	if (status == KNNG_OK)
		status = iterate(k, replicate, &iterations, &converged, err);
	if (status == KNNG_OK)
		status = add_up(k, replicate, sum, &total, least, found, err);
	*passes += (double)(iterations + !converged);
	if (status == KNNG_OK && k->how->online && converged) {
		k->task->left = 0; /* nobody knows how many moves there will be */
		status = knng_lloyd_online(k, k->how->most - iterations, &more, &converged, err);
		if (status == KNNG_OK)
			status = add_up(k, replicate, sum, &after, least, found, err);
		total = after < total ? after : total;
		*passes += (double)more;
	}
	found->iterations[replicate] = (double)(iterations + more) * (converged ? 1 : -1);
	found->total[replicate] = total;
	return status;
}

/* The distances of each row to each centre of the best. */
static knng_status
tell(void *context, int worker, int64_t job, knng_err *err)
{
	void *const *of = context;
	knng_lloyd *k = of[0];
	double *to = of[1], *distance = k->worker[worker].distance;
	knng_part part = knng_part_of(job, LLOYD_ROWS, k->n);
	(void)err;
	for (int64_t i = part.first; i < part.end; i++) {
		for (int64_t j = 0; j < k->k; j++)
			to[j * k->n + i] = NAN;
		if (k->own[i] == LLOYD_NONE)
			continue;
		k->kernels->sums(k->metric->sum, k->u + i * k->ld, k->best_v, k->ld, k->there, k->alive, distance);
		for (int64_t c = 0; c < k->alive; c++)
			to[k->there[c] * k->n + i] = knng_map_sum(k->metric, distance[c]);
	}
	return KNNG_OK;
}

static knng_status
tell_all(knng_lloyd *k, double *to, knng_err *err)
{
	void *of[] = {k, to};
	k->alive = 0;
	for (int64_t j = 0; j < k->k; j++)
		if (!k->best_gone[j])
			k->there[k->alive++] = (int32_t)j;
	return knng_task_run(k->task, k->threads, knng_parts(LLOYD_ROWS, k->n), tell, of, err);
}

knng_status
knng_kmeans(knng_task *task, const knng_matrix *X, const knng_kmeans_how *how, knng_kmeans_found *found, knng_err *err)
{
	double dd = (double)X->d, slices = X->d < CENTRES_SLICE ? dd : CENTRES_SLICE, least = INFINITY, *sum = NULL;
	knng_lloyd k = {.task = task,
			.X = X,
			.how = how,
			.metric = how->metric,
			.kernels = knng_kernels_find(how->target),
			.loops = knng_centres_find(how->target),
			.n = X->n,
			.d = X->d,
			.ld = knng_columns(X->d),
			.k = how->k,
			.threads = knng_task_threads_for(task, (double)X->n * dd * (double)how->k, LLOYD_WORTH),
			.ldf = (X->d + 15) / 16 * 16,
			.panels = knng_parts(CENTRES_PANEL, how->k)};
	if (k.kernels == NULL || k.loops == NULL)
		return knng_refuse_target(how->target, err);
	if (how->k < 1 || how->k > X->n)
		return knng_fail(err, KNNG_EARGS, "knng:args:k",
				 "k is %lld: it must be a whole number from 1 to the number of rows, %lld",
				 (long long)how->k, (long long)X->n);
	bool by_roots = how->metric->sum != KNNG_SUM_L1;
	k.delta = (1 + (dd / 4 + 64) * (by_roots ? 0x1p-53 : 0x1p-52)) * (1 + 0x1p-48);
	k.tau = (by_roots ? sqrt(dd + 8) * 0x1p-535 : 8 * (dd + 8) * 0x1p-1074) * (1 + 0x1p-40);
	double additions = ceil(dd / slices) + slices, by_lanes = dd / 16 + 8;
	k.acc = knng_gamma(additions > by_lanes ? additions : by_lanes, 0x1p-24);
	k.fast = by_roots && k.acc <= 0.25;
	found->left_out = found->constant = 0;
	found->replicate = -1;
	found->computed = 0;
	knng_status status = fit(&k, &found->planned, err);
	if (status != KNNG_OK)
		return status;
	sum = knng_calloc(k.k, sizeof *sum);
	if (!open_all(&k) || sum == NULL) {
		status = knng_fail_memory(err, "clusters", found->planned);
		goto done;
	}
	if ((status = open_rows(&k, found, err)) != KNNG_OK)
		goto done;
	task->stage = "clusters";
	double passes = 0;
	for (int64_t r = 0; r < how->replicates; r++)
		if ((status = run(&k, r, sum, &least, &passes, found, err)) != KNNG_OK)
			goto done;
	task->done = task->left = 0;
	for (int t = 0; t < k.threads; t++)
		found->computed += k.worker[t].computed;
	found->computed /= passes * (double)k.rows * (double)k.k;
	task->stage = "distances";
	if (found->to != NULL)
		status = tell_all(&k, found->to, err);
done:
	knng_free(sum);
	close_all(&k);
	return status;
}
