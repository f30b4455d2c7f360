/* lists.c  The lists of candidates of the CPU backend, their thresholds, and the locks of both. */
#include "base/sort.h"
#include "base/sys.h"
#include "search/cpu/cpu.h"

#include <float.h>
#include <limits.h>

/* ---------------------------------------------------------------- memory */

double
knng_lists_bytes(const knng_plan *plan, int64_t capacity)
{
	double lists = (double)plan->m * ((double)capacity * 8 + 4 + 4 + 4 + 8 + 8 + 8 + 4); /* and w->pending */
	double locks = ((double)plan->m / ROWS_SCAN + 1) * sizeof(pthread_mutex_t);
	return lists + locks;
}

bool
knng_lists_open(knng_cpu *c, const knng_plan *plan)
{
	int64_t m = plan->m, slots;
	c->capacity = plan->capacity;
	c->slots = knng_mul(m, c->capacity, 1, &slots) ? knng_alloc(slots, sizeof *c->slots) : NULL;
	c->used = knng_calloc(m, sizeof *c->used);
	c->threshold = knng_alloc(m, sizeof *c->threshold);
	c->bound = knng_alloc(m, sizeof *c->bound);
	c->radius = knng_alloc(m, sizeof *c->radius);
	c->offset = knng_calloc(m, sizeof *c->offset);
	c->refined = knng_alloc(m, sizeof *c->refined);
	c->locks = knng_alloc(m / ROWS_SCAN + 1, sizeof *c->locks);
	if (c->slots == NULL || c->used == NULL || c->threshold == NULL || c->bound == NULL || c->radius == NULL ||
	    c->offset == NULL || c->refined == NULL || c->locks == NULL)
		return false;
	for (int64_t i = 0; i < m; i++) {
		c->radius[i] = INFINITY;
		c->bound[i] = INT32_MAX;
	}
	return true;
}

/* One lock a block; those of the level before go. */
static void
set_locks(knng_cpu *c, int64_t count)
{
	for (int64_t b = 0; b < c->nlocks; b++)
		pthread_mutex_destroy(&c->locks[b]);
	c->nlocks = count;
	for (int64_t b = 0; b < c->nlocks; b++)
		pthread_mutex_init(&c->locks[b], NULL);
}

void
knng_lists_close(knng_cpu *c)
{
	void *all[] = {c->slots, c->used, c->threshold, c->bound, c->radius, c->offset, c->refined, c->locks};
	set_locks(c, 0);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
}

/* ---------------------------------------------------------------- locks */

/* The lock of a block of rows: its lists and thresholds. */
static pthread_mutex_t *
lock(knng_cpu *c, knng_block rows)
{
	pthread_mutex_t *l = &c->locks[rows.first / c->height];
#ifndef KNNG_PLANT_RACE /* a fault for a test to find */
	pthread_mutex_lock(l);
#endif
	return l;
}

static void
unlock(pthread_mutex_t *l)
{
#ifndef KNNG_PLANT_RACE
	pthread_mutex_unlock(l);
#else
	(void)l;
#endif
}

/* ---------------------------------------------------------------- thresholds: the caller holds the row's lock */

/* The radius of a point that has k candidates whose real scores are no less than p: the largest that their sums can be,
 * (7.1). */
static double
sum_at(const knng_search *w, const knng_cpu *c, int64_t i, double p)
{
	return knng_wide(w->plan->x.d, ldexp(fmax(c->query->half[i] - p, 0), c->sigma));
}

/* Takes the threshold of row i from its radius, (7.2), rounded down for (7.4). */
static void
set_threshold(const knng_search *w, knng_cpu *c, int64_t i)
{
	if (w->level == KNNG_LEVEL_SCAN || (c->exact && w->plan->opt.range == NULL))
		return;
	double eps = knng_eps_of(w, c->query, i, c->offset[i]);
#ifdef KNNG_PLANT_BOUND /* what the tests must find */
	eps = -eps;
#endif
	double a = knng_threshold(c->query->half[i], c->radius[i], c->sigma, eps, c->offset[i]);
	float f = a > -FLT_MAX ? knng_round_down(a) : -FLT_MAX;
	if (f > c->threshold[i])
		c->threshold[i] = f;
}

/* Small integers have exact scores: ties at the old one do not matter any more, those at the new one do. */
static void
raise_exact(knng_cpu *c, int64_t i, float best)
{
	if (best > c->threshold[i]) {
		c->threshold[i] = best;
		c->bound[i] = INT32_MAX;
	}
}

enum { ROWS_BEGIN = 4096 };

static knng_status
begin_job(knng_search *w, int worker, int64_t job, void *context, knng_err *err)
{
	(void)worker, (void)context, (void)err;
	knng_cpu *c = w->state;
	knng_part part = knng_part_of(job, ROWS_BEGIN, w->npending);
	for (int64_t p = part.first; p < part.end; p++) {
		int64_t i = w->pending[p];
		c->radius[i] = fmin(c->radius[i],
				    knng_radius_of(w->plan->metric->map, w->plan->x.d, knng_within(w, (int32_t)i)));
		double near = c->query->half[i] - ldexp(c->radius[i], -c->sigma);
		c->used[i] = 0;
		c->refined[i] = 0;
		c->threshold[i] = -FLT_MAX;
		c->offset[i] = w->level == KNNG_LEVEL_F64 && isfinite(near) ? near : 0;
		set_threshold(w, c, i);
	}
	return KNNG_OK;
}

knng_status
knng_lists_begin(knng_search *w, int64_t height, knng_err *err)
{
	knng_cpu *c = w->state;
	c->height = height;
	set_locks(c, (w->npending + height - 1) / height);
	return knng_parallel(w, w->plan->threads, knng_parts(ROWS_BEGIN, w->npending), begin_job, NULL, err);
}

void
knng_lists_thresholds(const knng_search *w, knng_block block, int64_t first, float *threshold)
{
	knng_cpu *c = w->state;
	pthread_mutex_t *held = lock(c, block);
	for (int64_t r = 0; r < block.count; r++) {
		int64_t i = w->pending[block.first + r];
		threshold[r] = !c->exact && c->bound[i] <= first ? INFINITY : c->threshold[i];
	}
	unlock(held);
}

bool
knng_lists_short_thresholds(const knng_search *w, knng_block block, int64_t first, const double *eps, float *threshold)
{
	knng_cpu *c = w->state;
	bool all = true;
	pthread_mutex_t *held = lock(c, block);
	for (int64_t r = 0; r < block.count; r++) {
		int64_t i = w->pending[block.first + r];
		double half = c->query->half[i], score = c->threshold[i], radius = c->radius[i];
		if (c->exact && score > -FLT_MAX) /* a list of these keeps no radius */
			radius = knng_wide(w->plan->x.d, ldexp(fmax(half - score, 0), c->sigma));
		bool closed = score == INFINITY || (!c->exact && c->bound[i] <= first);
		all = all && score > -FLT_MAX;
		threshold[r] = closed ? INFINITY : knng_round_down(knng_threshold(half, radius, c->sigma, eps[i], 0));
	}
	unlock(held);
	return all;
}

double
knng_lists_limit(const knng_search *w, knng_block block, int64_t p)
{
	knng_cpu *c = w->state;
	pthread_mutex_t *held = lock(c, block);
	double limit = knng_wide(w->plan->x.d, c->radius[w->pending[p]]);
	unlock(held);
	return limit;
}

/* The kth best among the best scores of groups of columns: at least k columns of the tile are as good. -FLT_MAX: there
 * are no k groups with a score. */
static float
kth_of_groups(const knng_search *w, const knng_cpu *c, knng_cpu_worker *s, const float *v, int64_t columns,
	      int64_t groups)
{
	c->kernels->group_best(v, s->column_base, columns, groups, s->best);
	for (int64_t g = 0; g < groups; g++)
		s->best_key[g] = knng_key(s->best[g], 0);
	knng_nth(s->best_key, groups, w->k);
	return knng_key_score(s->best_key[w->k - 1]);
}

static double
largest_slack(const knng_cpu *c, knng_block columns)
{
	double slack = 0;
	for (int64_t j = 0; j < columns.count; j++)
		slack = fmax(slack, c->x.slack[columns.first + j]);
	return slack;
}

void
knng_lists_first_thresholds(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns)
{
	knng_cpu *c = w->state;
	int64_t k = w->k, groups = knng_up_to_panels(2 * k);
	if (k < 1 || columns.count < k)
		return;
	if (groups > columns.count / 2)
		groups = knng_up_to_panels(columns.count);
	double slack = -1;
	for (int64_t r = 0; r < rows.count; r++) {
		int64_t i = w->pending[rows.first + r];
		if (s->row_threshold[r] != -FLT_MAX)
			continue;
		if (slack < 0)
			slack = largest_slack(c, columns);
		float best = kth_of_groups(w, c, s, s->v + r * c->width, columns.count, groups);
		if (best == -FLT_MAX)
			continue;
		pthread_mutex_t *held = lock(c, rows);
		if (c->exact) {
			raise_exact(c, i, best);
		} else {
			c->radius[i] =
				fmin(c->radius[i], sum_at(w, c, i, knng_least_score(best, slack) - c->query->eps[i]));
			set_threshold(w, c, i);
		}
		s->row_threshold[r] = c->threshold[i];
		unlock(held);
	}
}

/* ---------------------------------------------------------------- lists: the caller holds the row's lock */

/* The least that the real score of one of these candidates may be, (7.5). */
static double
least_of(const knng_search *w, const knng_cpu *c, const uint64_t *keys, int64_t n)
{
	double least = INFINITY;
	for (int64_t a = 0; a < n; a++) {
		double q = knng_key_score(keys[a]);
		int64_t j = knng_key_column(keys[a]);
		double slack = w->level == KNNG_LEVEL_F32 ? c->x.slack[j] : 2 * knng_eps_of(w, &c->x, j, 0);
		q = knng_least_score(q, slack);
		least = q < least ? q : least;
	}
	return least;
}

/* The k best scores, in front, prove a radius, (7.1) with (7.5). Leaves fewer keys where the threshold allows it. */
static void
prune(const knng_search *w, knng_cpu *c, int64_t i)
{
	uint64_t *keys = c->slots + i * c->capacity;
	int64_t n = c->used[i], k = w->k;
	if (n <= k || w->level == KNNG_LEVEL_SCAN)
		return;
	knng_nth(keys, n, k);
	if (c->exact) {
		c->used[i] = (int32_t)k;
		c->threshold[i] = knng_key_score(keys[k - 1]);
		c->bound[i] = knng_key_column(keys[k - 1]) + 1;
		return;
	}
	double p = c->offset[i] + least_of(w, c, keys, k) - knng_eps_of(w, c->query, i, c->offset[i]);
	double sum = sum_at(w, c, i, p);
	if (sum < c->radius[i]) {
		c->radius[i] = sum;
		set_threshold(w, c, i);
	}
	int64_t kept = k;
	for (int64_t a = k; a < n; a++)
		if (knng_key_score(keys[a]) >= c->threshold[i])
			keys[kept++] = keys[a];
	c->used[i] = (int32_t)kept;
}

/* Canonical distances of a list, sorted by (distance, column) into s->pairs; s->sums keeps them in list order. */
static int64_t
measure(const knng_search *w, knng_cpu *c, knng_cpu_worker *s, int64_t i)
{
	const uint64_t *keys = c->slots + i * c->capacity;
	int64_t n = c->used[i], ld = w->plan->ld;
	for (int64_t a = 0; a < n; a++)
		s->columns[a] = knng_key_column(keys[a]);
	c->kernels->sums(w->plan->metric->sum, c->query->u + i * ld, c->x.u, ld, s->columns, n, s->sums);
	for (int64_t a = 0; a < n; a++) {
		s->sums[a] = knng_map_sum(w->plan->metric, s->sums[a]);
		s->pairs[a] = (knng_pair){s->sums[a], s->columns[a]};
	}
	knng_sort_pairs(s->pairs, s->pairs + c->capacity, n);
	s->refined += n;
	return n;
}

/* Of a list that was measured, leaves what is no farther than the kth, whose distance proves a radius. */
static void
keep_nearest(const knng_search *w, knng_cpu *c, const knng_cpu_worker *s, int64_t i)
{
	uint64_t *keys = c->slots + i * c->capacity;
	int64_t n = c->used[i], kept = 0;
	knng_pair last = s->pairs[w->k - 1];
	for (int64_t a = 0; a < n; a++) {
		knng_pair it = {s->sums[a], s->columns[a]};
		if (!knng_pair_before(&last, &it))
			keys[kept++] = keys[a];
	}
	c->used[i] = (int32_t)kept;
	c->radius[i] = fmin(c->radius[i], knng_radius_of(w->plan->metric->map, w->plan->x.d, last.distance));
	if (last.distance == 0 && last.index < c->bound[i])
		c->bound[i] = last.index + 1;
	set_threshold(w, c, i);
}

/* Makes room in a full list; a row whose list costs too many distances escalates. */
static void
make_room(const knng_search *w, knng_cpu *c, knng_cpu_worker *s, int64_t i)
{
	prune(w, c, i);
	if (c->used[i] <= c->capacity - (c->capacity - w->k + 1) / 2)
		return;
	c->refined[i] += measure(w, c, s, i);
	keep_nearest(w, c, s, i);
	if (w->level < KNNG_LEVEL_SCAN && c->refined[i] > 4 * c->capacity + c->x.count / DISTANCES) {
		c->threshold[i] = INFINITY; /* the bound does not separate its candidates */
		c->used[i] = 0;
	}
}

static inline void
push(const knng_search *w, knng_cpu *c, knng_cpu_worker *s, int64_t i, int32_t j, float q)
{
	for (int full = 0; full < 2; full++) {
		if (!(q >= c->threshold[i]) || (j >= c->bound[i] && (!c->exact || q == c->threshold[i])))
			return;
		if (c->used[i] < c->capacity) {
			c->slots[i * c->capacity + c->used[i]++] = knng_key(q, j);
			return;
		}
		make_room(w, c, s, i);
	}
}

void
knng_lists_add(const knng_search *w, knng_cpu_worker *s, const knng_hit *hits, int64_t n, knng_block block,
	       int64_t others)
{
	knng_cpu *c = w->state;
	if (n == 0)
		return;
	pthread_mutex_t *held = lock(c, block);
	for (int64_t h = 0; h < n; h++)
		push(w, c, s, w->pending[block.first + hits[h].to], (int32_t)(others + hits[h].other), hits[h].q);
	unlock(held);
}

int64_t
knng_lists_refine(const knng_search *w, knng_cpu_worker *s, int64_t i)
{
	knng_cpu *c = w->state;
	prune(w, c, i);
	return measure(w, c, s, i);
}
