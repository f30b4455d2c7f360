/* gaps.c  Searches over the columns that two rows share (docs/canonical.md, 12): a loop over tiles of pairs. Where the
 * metric has a filter, products of copies give a lower bound of every pair of a tile, and the canonical distances are
 * computed in the order of these bounds, as long as they may matter to one of the two rows; else at once, of all pairs.
 * In a graph a pair serves both of its rows; with a split those of one side meet those of the other. GPUs, where the
 * plan has some, do all of that loop (cuda/search/gaps.cu).
 *
 * Limits: sums of differences read one row from the second-level cache a pair; a tile is one product, and of what its
 * rows lack some sums; correlations pass a pair five times in the first-level cache and divide twice an element; ranks
 * are sorted once a row and counted once a pair. cityblock has no filter: all pairs cost less than twice what one
 * would. */
#include "search/gaps.h"
#include "base/put.h"
#include "base/sort.h"
#include "base/sys.h"
#include "base/task.h"
#include "search/cpu/cpu.h"
#include "search/cpu/gap_copies.h"
#include "search/gaps_ask.h"
#include "search/gpu.h"
#include "search/prepared.h"
#include "search/range.h"
#include "search/size.h"
#include "search/source.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
	LARGEST_TILE = 256, /* rows */
	LEAST_TILE = 16,
	TILE_ELEMENTS = 1 << 26, /* of all pairs of a tile: some 0.1 s */
	LOOK_ELEMENTS = 1 << 22, /* between two looks for Ctrl-C */
	FINISH_ROWS = 64,
	FEW_LACK = 64,       /* columns: of so few it is counted, of more marked, which of a row's ranks are gone */
	LISTED = 16384,      /* columns of a tile's rows that are listed at a time */
	RANKED_THERE = 4096, /* columns, at most: GPUs take away from ranks what each missing column counts there */
};

/* The rows of one matrix. */
typedef struct {
	const knng_matrix *matrix;
	double *u;              /* [n * ld] NaN: missing, as is all from d on; of ranks, those among all it has */
	uint64_t *has;          /* [n * words] the columns that they have */
	uint8_t *broken;        /* [n] whether it holds Inf */
	uint8_t *alone;         /* [n] whether it does, or is constant (or zero) over all that it has, and so over any
				   part: whatever it meets, there is no distance */
	knng_gap_copies copies; /* of the filter */
	int32_t *order;         /* [n * d] of ranks: the columns that it has, by value, then those that it lacks */
	uint8_t *tied;          /* [n] of ranks: whether two of these are equal */
	int32_t *columns;       /* [n] how many it has */
} side;

/* What a worker has for itself. */
typedef struct {
	double *scratch;   /* [4 * ld] two rows of ranks, two that are prepared */
	int32_t *seen;     /* [d] of ranks */
	knng_pair *sorted; /* [2 * max (d of ranks, k)] */
	double *distance;  /* [tile] NaN: none */
	int32_t *shared;   /* [tile] */
	/* Of the filter. */
	float *v;                /* [products * tile * (tile + 16)] */
	int32_t *listed;         /* [LISTED + d] columns that rows have, or lack */
	knng_shared_list *lists; /* [tile] */
	float *count, *low;      /* [tile + 16] columns shared, 1 or more; lower bounds */
	float *turn, *turned;    /* [tile + 16] of ranks: of one row, of the others */
	double *limits;          /* [2 * tile] of rows and of columns: the largest bound that still matters */
	float *near_limits;      /* [tile + 16] those of columns, rounded up; -1: of graphs alone */
	uint16_t *near;          /* [tile / 16 + 1] which columns matter to a row, or it to them */
	knng_pair *hits;         /* [2 * tile * tile] pairs of a tile by their bounds, and room to sort them */
	double largest;          /* of the elements that were looked at, less the centre */
	int64_t made, fewer;
} bench;

typedef struct {
	const knng_plan *plan;
	const knng_output *out;
	knng_task task;
	const knng_kernels *kernels;
	bool graph, ranked, prepared; /* prepared: not only differences are summed up */
	int64_t ld, words, k, tile, split;
	side x, y, *query;
	/* Of the filter. */
	knng_shared_bound bound, here; /* of products that GPUs make, and of those that are made here */
	knng_gap_scale scale;
	double *centre; /* [d] */
	bool filters;
	int32_t *every;         /* [tile] 0, 1, 2, … */
	const double *within;   /* [m] or NULL: nothing farther is sought */
	knng_range *range;      /* or NULL; then all within it is sought, and there are no lists */
	knng_pair *near;        /* [m * k] of each row a heap, the farthest first */
	int32_t *found;         /* [m] how many are in it */
	pthread_mutex_t *locks; /* of a block of rows */
	int64_t nlocks;
	bench *benches;
} search;

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t
most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---------------------------------------------------------------- what is asked for, and its memory */

static bool
allows(const knng_metric *metric)
{
	return metric->sum != KNNG_SUM_LINF;
}

const char *
knng_gaps_on_cpu(const knng_metric *metric, int64_t d)
{
	return metric->prep == KNNG_PREP_RANKED && d > RANKED_THERE
		       ? "the CPU ranks rows of more than 4096 columns sooner"
		       : NULL;
}

knng_status
knng_gaps_metric(const knng_metric *metric, knng_err *err)
{
	char all[200] = "";
	size_t used = 0;
	if (allows(metric))
		return KNNG_OK;
	for (const knng_metric *m = knng_metrics; m->name != NULL; m++)
		if (allows(m) && used < sizeof all)
			used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", used > 0 ? ", " : "", m->name);
	return knng_fail(
		err, KNNG_EARGS, "knng:args:metric",
		"'%s' does not compare rows over some of their columns: with 'Rows', 'pairwise' the metrics are "
		"%s; for this one fill in missing values with knng.impute, or give 'Rows', 'complete'",
		metric->name, all);
}

knng_status
knng_gaps_least(int64_t least_shared, int64_t d, knng_err *err)
{
	if (least_shared >= 0 && least_shared <= d)
		return KNNG_OK;
	return knng_fail(
		err, KNNG_EARGS, "knng:args:option",
		"'MinValid' is %lld, and X has %lld columns: no two rows share so many; give a number from 1 to "
		"%lld",
		(long long)least_shared, (long long)d, (long long)d);
}

int64_t
knng_gaps_shared(const knng_options *opt, int64_t d)
{
	int64_t usual = d < 3 ? d : 3;
	return opt->rows != KNNG_ROWS_PAIRWISE ? 0 : opt->least_shared > 0 ? opt->least_shared : usual;
}

knng_status
knng_gaps_ask(knng_question *q, const knng_options *opt, knng_err *err)
{
	q->least_shared = knng_gaps_shared(opt, q->x.d);
	if (q->least_shared == 0)
		return KNNG_OK;
	knng_status status = knng_gaps_metric(q->metric, err);
	return status == KNNG_OK ? knng_gaps_least(opt->least_shared, q->x.d, err) : status;
}

knng_status
knng_gaps_check(const knng_plan *plan, knng_err *err)
{
	const knng_options *opt = &plan->opt;
	knng_status status = knng_gaps_metric(plan->metric, err);
	if (status == KNNG_OK)
		status = knng_gaps_least(opt->least_shared, plan->x.d, err);
	bool whole = opt->prepared != NULL && opt->prepared->whole;
	if (status == KNNG_OK && whole)
		status = knng_fail(err, KNNG_EARGS, "knng:args:option",
				   "'Rows', 'pairwise' is for searches of matrices and files: a searcher has none");
	return status;
}

static bool
is_ranked(const knng_plan *plan)
{
	return plan->metric->prep == KNNG_PREP_RANKED;
}

/* The copies of the filter are the GPUs' where these do the pairs. */
static bool
copies_here(const knng_plan *plan)
{
	return plan->filters && plan->ndevices == 0;
}

static double
side_bytes(const knng_plan *plan, int64_t rows)
{
	double words = (double)((plan->x.d + 63) / 64);
	return (double)rows * (8 * (double)plan->ld + 8 * words + 7 + (is_ranked(plan) ? 4 * (double)plan->x.d : 0)) +
	       (copies_here(plan) ? knng_gap_copies_bytes(rows, plan->x.d) : 0) + 2048;
}

/* Of the filter, what a worker has. */
static double
tile_bytes(const knng_plan *plan, int64_t tile)
{
	double t = (double)tile;
	return copies_here(plan) ? 4 * KNNG_GAP_PRODUCTS * t * (t + 16) + 32 * t * t + 64 * t +
					   4 * (double)(plan->x.d + LISTED) + 8 * (double)plan->ld + 1024
				 : 0;
}

/* Pairs that a worker sorts at a time. */
static int64_t
sorted_of(const knng_plan *plan)
{
	return most(is_ranked(plan) ? plan->x.d : 1, plan->k);
}

static double
bytes_of(const knng_plan *plan, int64_t tile, int threads)
{
	double bytes = side_bytes(plan, plan->x.n) + (plan->y.data != NULL ? side_bytes(plan, plan->y.n) : 0);
	double bench_bytes = 32 * (double)plan->ld + 4 * (double)plan->x.d + 32 * (double)sorted_of(plan) +
			     12 * (double)tile + sizeof(bench) + 512 + tile_bytes(plan, tile);
	if (plan->opt.range != NULL) /* what it makes of rows when all is found, and to ask what is available */
		bytes += knng_points_bytes(plan->x.n) + (plan->y.data != NULL ? knng_points_bytes(plan->y.n) : 0) +
			 32768;
	return bytes + 8 * (double)plan->ld + (double)plan->m * (16 * (double)plan->k + 4) +
	       (double)knng_parts(tile, plan->m) * sizeof(pthread_mutex_t) + 4 * (double)tile + threads * bench_bytes +
	       4096;
}

static int64_t
tile_of(const knng_plan *plan)
{
	int64_t tile = plan->opt.tile > 0 ? knng_tile_of(least(plan->opt.tile, 1024)) : LARGEST_TILE;
	while (plan->opt.tile == 0 && tile > LEAST_TILE &&
	       (plan->m / tile < 4 * (int64_t)plan->threads ||
		(double)(tile * tile) * (double)plan->x.d > TILE_ELEMENTS))
		tile /= 2;
	return tile;
}

void
knng_gaps_fit(knng_plan *plan, double limit)
{
	int threads = plan->threads;
	if (plan->ndevices == 0) {
		plan->tile = tile_of(plan);
		plan->capacity = plan->k;
		plan->block = plan->m;
		plan->filters = plan->filters && plan->metric->sum != KNNG_SUM_L1;
	}
	knng_plan without = *plan;
	double lent = plan->ndevices > 0 ? plan->bytes : 0; /* what the GPUs' part takes of the host */
	without.filters = false;
	plan->least = ceil(bytes_of(&without, plan->tile, 1) + lent);
	while ((plan->bytes = bytes_of(plan, plan->tile, plan->threads) + lent) > limit) {
		if (plan->threads > 1) {
			plan->threads--;
		} else if (copies_here(plan)) { /* it takes most, and can be done without */
			plan->filters = false;
			plan->threads = threads;
		} else {
			break;
		}
	}
	plan->why_all = "rows are compared over the columns that both have";
	plan->prunes = false;
	plan->panel = most(plan->x.n, plan->m);
}

/* ---------------------------------------------------------------- rows */

static bool
open_side(side *s, const knng_plan *plan, const knng_matrix *matrix, int64_t words)
{
	s->matrix = matrix;
	s->u = knng_alloc(matrix->n, (size_t)plan->ld * sizeof *s->u);
	s->has = knng_calloc(matrix->n, (size_t)words * sizeof *s->has);
	s->broken = knng_calloc(matrix->n, sizeof *s->broken);
	s->columns = knng_calloc(matrix->n, sizeof *s->columns);
	s->alone = knng_calloc(matrix->n, sizeof *s->alone);
	s->tied = knng_calloc(matrix->n, sizeof *s->tied);
	if (copies_here(plan) && !knng_gap_copies_open(&s->copies, matrix->n, matrix->d))
		return false;
	if (is_ranked(plan))
		s->order = knng_alloc(matrix->n, (size_t)matrix->d * sizeof *s->order);
	return s->u != NULL && s->has != NULL && s->broken != NULL && s->columns != NULL && s->alone != NULL &&
	       s->tied != NULL && (s->order != NULL || !is_ranked(plan));
}

static void
close_side(side *s)
{
	knng_gap_copies_close(&s->copies);
	knng_free(s->order);
	knng_free(s->tied);
	knng_free(s->alone);
	knng_free(s->columns);
	knng_free(s->broken);
	knng_free(s->has);
	knng_free(s->u);
}

/* The columns that a row has, by value, and the ranks of these in their place. */
static void
rank_columns(const search *w, const bench *b, const side *s, int64_t row)
{
	double *u = s->u + row * w->ld;
	int32_t *order = s->order + row * s->matrix->d;
	int64_t count = 0;
	for (int64_t l = 0; l < s->matrix->d; l++)
		if (!isnan(u[l]))
			b->sorted[count++] = (knng_pair){u[l], (int32_t)l};
	knng_sort_values(b->sorted, b->sorted + sorted_of(w->plan), count);
	for (int64_t l = 0, c = count; l < s->matrix->d; l++)
		if (isnan(u[l]))
			order[c++] = (int32_t)l;
	for (int64_t c = 0; c < count; c++) {
		order[c] = b->sorted[c].index;
		s->tied[row] |= c > 0 && b->sorted[c].distance == b->sorted[c - 1].distance;
	}
	w->kernels->shared_ranks(u, u, w->ld, order, count, s->tied[row], b->scratch, b->seen);
	memcpy(u, b->scratch, (size_t)w->ld * sizeof *u);
}

static void
look_at(const search *w, const side *s, int64_t row)
{
	double *u = s->u + row * w->ld;
	uint64_t *has = s->has + row * w->words;
	double low = INFINITY, high = -INFINITY;
	for (int64_t l = 0; l < s->matrix->d; l++) {
		low = u[l] < low ? u[l] : low;
		high = u[l] > high ? u[l] : high;
		has[l / 64] |= (uint64_t)!isnan(u[l]) << l % 64;
		s->columns[row] += !isnan(u[l]);
		s->broken[row] |= isinf(u[l]) != 0;
	}
	for (int64_t l = s->matrix->d; l < w->ld; l++)
		u[l] = NAN;
	knng_prep prep = w->plan->metric->prep;
	s->alone[row] = s->broken[row] ||
			(prep == KNNG_PREP_UNIT ? low >= 0 && high <= 0 : prep != KNNG_PREP_NONE && low >= high);
}

typedef struct {
	search *w;
	side *s;
} loading;

static knng_status
load_job(void *context, int worker, int64_t job, knng_err *err)
{
	const loading *l = context;
	const search *w = l->w;
	const side *s = l->s;
	knng_part part = knng_part_of(job, knng_prepare_rows(s->matrix->d), s->matrix->n);
	(void)err;
	knng_source_rows(s->matrix, part.first, part.end - part.first, s->u + part.first * w->ld, w->ld);
	for (int64_t row = part.first; row < part.end; row++) {
		look_at(w, s, row);
		if (w->ranked)
			rank_columns(w, &w->benches[worker], s, row);
	}
	return KNNG_OK;
}

static knng_status
load(search *w, side *s, knng_info *info, knng_err *err)
{
	loading l = {w, s};
	int64_t jobs = knng_parts(knng_prepare_rows(s->matrix->d), s->matrix->n);
	knng_status status = knng_task_run(&w->task, w->plan->threads, jobs, load_job, &l, err);
	for (int64_t i = 0; i < s->matrix->n && status == KNNG_OK; i++)
		info->nonfinite += s->broken[i];
	return status;
}

/* ---------------------------------------------------------------- copies */

enum { SOME_COLUMNS = 64 }; /* at a time, so that rows come in lines of memory */

/* The mean of some columns of X, of rows that are not normed. */
static knng_status
centre_job(void *context, int worker, int64_t job, knng_err *err)
{
	const search *w = context;
	knng_part part = knng_part_of(job, SOME_COLUMNS, w->plan->x.d);
	double sum[SOME_COLUMNS] = {0}, count[SOME_COLUMNS] = {0};
	(void)worker;
	for (int64_t i = 0; i < w->plan->x.n; i++) {
		if (i % 65536 == 0) {
			knng_status status = knng_task_poll(&w->task, err);
			if (status != KNNG_OK)
				return status;
		}
		for (int64_t l = part.first; l < part.end && !w->x.broken[i]; l++) {
			double x = w->x.u[i * w->ld + l];
			sum[l - part.first] += isnan(x) ? 0 : x;
			count[l - part.first] += !isnan(x);
		}
	}
	for (int64_t l = part.first; l < part.end; l++) {
		double s = sum[l - part.first], c = count[l - part.first];
		w->centre[l] = c > 0 && isfinite(s) ? s / c : 0;
	}
	return KNNG_OK;
}

/* The largest element that some rows have then. */
static knng_status
largest_job(void *context, int worker, int64_t job, knng_err *err)
{
	const loading *l = context;
	const search *w = l->w;
	knng_part part = knng_part_of(job, knng_prepare_rows(w->plan->x.d), l->s->matrix->n);
	double largest = w->benches[worker].largest;
	(void)err;
	for (int64_t row = part.first; row < part.end; row++)
		for (int64_t c = 0; c < w->plan->x.d && !l->s->broken[row]; c++) {
			double y = fabs(l->s->u[row * w->ld + c] - w->centre[c]);
			largest = y > largest ? y : largest;
		}
	w->benches[worker].largest = largest;
	return KNNG_OK;
}

/* Centre and scale of all rows that are not normed; no filter where their differences are beyond the doubles. */
static knng_status
find_scale(search *w, knng_err *err)
{
	side *sides[] = {&w->x, &w->y};
	int64_t d = w->plan->x.d;
	double largest = 0;
	knng_status status = knng_task_run(&w->task, w->plan->threads, knng_parts(SOME_COLUMNS, d), centre_job, w, err);
	for (int i = 0; i < (w->graph ? 1 : 2) && status == KNNG_OK; i++) {
		loading l = {w, sides[i]};
		int64_t jobs = knng_parts(knng_prepare_rows(d), sides[i]->matrix->n);
		status = knng_task_run(&w->task, w->plan->threads, jobs, largest_job, &l, err);
	}
	for (int t = 0; t < w->plan->threads; t++)
		largest = w->benches[t].largest > largest ? w->benches[t].largest : largest;
	if (isinf(largest)) {
		w->filters = false;
		return status;
	}
	frexp(largest, &w->scale.exponent);
	w->scale.exponent -= 1;
	return status;
}

static knng_status
copy_job(void *context, int worker, int64_t job, knng_err *err)
{
	const loading *l = context;
	const search *w = l->w;
	knng_part part = knng_part_of(job, knng_prepare_rows(l->s->matrix->d), l->s->matrix->n);
	(void)err;
	for (int64_t row = part.first; row < part.end; row++)
		if (!l->s->broken[row])
			knng_gap_copies_make(&l->s->copies, &w->scale, &w->here, l->s->u + row * w->ld, w->plan->x.d,
					     row, w->benches[worker].scratch);
	return KNNG_OK;
}

/* Makes the copies of all rows, unless GPUs do, or does without. */
static knng_status
copy(search *w, knng_err *err)
{
	side *sides[] = {&w->x, &w->y};
	knng_status status = KNNG_OK;
	w->scale = (knng_gap_scale){
		.normed = w->bound.normed, .centred = w->bound.centred, .ranked = w->ranked, .centre = w->centre};
	if (w->filters && !w->bound.normed)
		status = find_scale(w, err);
	for (int i = 0; i < (w->graph ? 1 : 2) && w->filters && copies_here(w->plan) && status == KNNG_OK; i++) {
		loading l = {w, sides[i]};
		int64_t jobs = knng_parts(knng_prepare_rows(w->plan->x.d), sides[i]->matrix->n);
		status = knng_task_run(&w->task, w->plan->threads, jobs, copy_job, &l, err);
	}
	return status;
}

/* ---------------------------------------------------------------- distances */

/* The sum over the columns that query i and reference j share; NaN: there is none. */
static double
prepared_sum(const search *w, const bench *b, int64_t i, int64_t j, int64_t shared)
{
	const double *x = w->query->u + i * w->ld, *y = w->x.u + j * w->ld;
	double *ranks = b->scratch + 2 * w->ld;
	if (w->ranked) {
		w->kernels->shared_ranks(x, y, w->ld, w->query->order + i * w->plan->x.d, w->query->columns[i],
					 w->query->tied[i], ranks, b->seen);
		w->kernels->shared_ranks(y, x, w->ld, w->x.order + j * w->plan->x.d, w->x.columns[j], w->x.tied[j],
					 ranks + w->ld, b->seen);
		x = ranks;
		y = ranks + w->ld;
	}
	return w->kernels->shared_pair(w->plan->metric, x, y, w->ld, shared, b->scratch);
}

/* False: whatever they share, there is no distance. */
static bool
may_meet(const search *w, int64_t i, int64_t j)
{
	return !w->query->alone[i] && !w->x.alone[j];
}

/* By which differences of so many columns stand for those of all. */
static double
factor(const search *w, int32_t shared)
{
#ifdef KNNG_PLANT_FACTOR
	return shared > 0 ? 1 : (double)w->plan->x.d;
#endif
	return (double)w->plan->x.d / shared;
}

/* The distances of query i to `count` references from `first` on, into b->distance. */
static knng_status
measure(const search *w, bench *b, int64_t i, int64_t first, int64_t count, knng_err *err)
{
	const knng_metric *metric = w->plan->metric;
	int64_t some = most(LOOK_ELEMENTS / w->ld, 1);
	w->kernels->shared_bits(w->query->has + i * w->words, w->x.has + first * w->words, w->words, w->every, count,
				b->shared);
	for (int64_t c = 0; c < count; c++) {
		int32_t shared = b->shared[c];
		double sum = NAN;
#ifdef KNNG_PLANT_COUNT /* what the tests must find: columns count that one of the rows lacks; differences that stand  \
			   for no more than there are */
		shared = shared > 0 ? w->query->columns[i] : 0;
#endif
		if (c % some == 0) {
			knng_status status = knng_task_poll(&w->task, err);
			if (status != KNNG_OK)
				return status;
			if (!w->prepared)
				w->kernels->shared_sums(metric->sum, w->query->u + i * w->ld,
							w->x.u + (first + c) * w->ld, w->ld, w->every,
							least(some, count - c), b->distance + c);
		}
		if (shared >= w->plan->least_shared && may_meet(w, i, first + c))
			sum = w->prepared ? prepared_sum(w, b, i, first + c, shared)
					  : b->distance[c] * factor(w, shared);
		b->distance[c] = knng_map_sum(metric, sum);
		b->made += !isnan(sum);
	}
	return KNNG_OK;
}

/* ---------------------------------------------------------------- lists */

static void
sift_down(knng_pair *heap, int64_t n)
{
	knng_pair x = heap[0];
	int64_t at = 0;
	for (int64_t child; (child = 2 * at + 1) < n; at = child) {
		child += child + 1 < n && knng_pair_before(&heap[child], &heap[child + 1]);
		if (!knng_pair_before(&x, &heap[child]))
			break;
		heap[at] = heap[child];
	}
	heap[at] = x;
}

static void
sift_up(knng_pair *heap, int64_t at)
{
	knng_pair x = heap[at];
	for (int64_t parent; at > 0 && knng_pair_before(&heap[parent = (at - 1) / 2], &x); at = parent)
		heap[at] = heap[parent];
	heap[at] = x;
}

static void
offer(const search *w, int64_t row, double distance, int64_t index)
{
	const knng_pair p = {distance, (int32_t)index};
	knng_pair *heap = w->near + row * w->k;
	if (isnan(distance))
		return;
	if (w->found[row] < w->k) {
		heap[w->found[row]] = p;
		sift_up(heap, w->found[row]++);
	} else if (knng_pair_before(&p, &heap[0])) {
		heap[0] = p;
		sift_down(heap, w->k);
	}
}

/* A pair that has a distance, where all within a radius is sought; in a graph for both of its rows. */
static knng_status
put(const search *w, const bench *b, int64_t i, int64_t j, double distance, knng_err *err)
{
	int worker = (int)(b - w->benches);
	if (!KNNG_WITHIN(distance, w->range->radius))
		return KNNG_OK;
	bool fine = knng_range_put(w->range, worker, (knng_near){distance, (int32_t)i, (int32_t)j});
	if (fine && w->graph)
		fine = knng_range_put(w->range, worker, (knng_near){distance, (int32_t)j, (int32_t)i});
	return fine ? KNNG_OK : knng_range_status(w->range, worker, err);
}

/* What row i found among references from `first` on, to its list; in a graph to theirs as well. */
static knng_status
offer_all(const search *w, const bench *b, int64_t i, int64_t first, int64_t count, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int64_t c = 0; c < count && w->range != NULL && status == KNNG_OK; c++)
		status = put(w, b, i, first + c, b->distance[c], err);
	if (w->range != NULL)
		return status;
	pthread_mutex_t *lock = &w->locks[i / w->tile];
	pthread_mutex_lock(lock);
	for (int64_t c = 0; c < count; c++)
		offer(w, i, b->distance[c], first + c);
	pthread_mutex_unlock(lock);
	if (!w->graph || count == 0)
		return KNNG_OK;
	lock = &w->locks[first / w->tile];
	pthread_mutex_lock(lock);
	for (int64_t c = 0; c < count; c++)
		offer(w, first + c, b->distance[c], i);
	pthread_mutex_unlock(lock);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- tiles */

/* In a graph every two blocks meet once, first each itself, then I with I + 1, I + 2, … around the circle, so that
 * jobs beside each other share no lock. */
static int64_t
tiles(const search *w)
{
	int64_t rows = knng_parts(w->tile, w->plan->m);
	if (w->k == 0) /* of one row, which has no others */
		return 0;
	if (w->split > 0)
		return knng_parts(w->tile, w->split) * (rows - w->split / w->tile);
	return w->graph ? rows * (rows + 1) / 2 : rows * knng_parts(w->tile, w->plan->x.n);
}

/* Every pair of a tile gets its distance. */
static knng_status
meet_all(const search *w, bench *b, knng_part rows, knng_part columns, bool diagonal, knng_err *err)
{
	for (int64_t i = rows.first; i < rows.end; i++) {
		int64_t first = diagonal ? i + 1 : most(columns.first, w->split);
		knng_status status = measure(w, b, i, first, columns.end - first, err);
		if (status == KNNG_OK)
			status = offer_all(w, b, i, first, columns.end - first, err);
		if (status != KNNG_OK)
			return status;
	}
	return KNNG_OK;
}

/* The largest lower bound that still matters to a row: more is more than the distance of its k-th so far. */
static double
limit_of(const search *w, int64_t row)
{
	const knng_metric *metric = w->plan->metric;
	double near = w->range != NULL       ? w->range->radius
		      : w->found[row] < w->k ? INFINITY
					     : w->near[row * w->k].distance;
	if (w->within != NULL && w->within[row] < near)
		near = w->within[row];
	if (isinf(near))
		return INFINITY;
	return ldexp(knng_radius_of(metric->map, w->plan->x.d, near), knng_gap_shift(&w->bound, &w->scale));
}

static void
read_limits(const search *w, knng_part rows, double *limits)
{
	pthread_mutex_t *lock = &w->locks[rows.first / w->tile];
	pthread_mutex_lock(lock);
	for (int64_t i = rows.first; i < rows.end; i++)
		limits[i - rows.first] = limit_of(w, i);
	pthread_mutex_unlock(lock);
}

static double
offer_one(const search *w, int64_t row, double distance, int64_t index)
{
	pthread_mutex_t *lock = &w->locks[row / w->tile];
	pthread_mutex_lock(lock);
	offer(w, row, distance, index);
	double limit = limit_of(w, row);
	pthread_mutex_unlock(lock);
	return limit;
}

/* The columns that a row lacks, or has where these are fewer, into `to`. */
static knng_shared_list
list_columns(const search *w, const side *s, int64_t row, int32_t *to)
{
	const uint64_t *has = s->has + row * w->words;
	int64_t d = w->plan->x.d;
	knng_shared_list list = {.columns = to, .lacks = s->columns[row] > d / 2};
	for (int64_t word = 0; word < w->words; word++) {
		uint64_t within = word < d / 64 ? ~(uint64_t)0 : ((uint64_t)1 << d % 64) - 1;
		for (uint64_t left = list.lacks ? ~has[word] & within : has[word]; left != 0; left &= left - 1)
			to[list.count++] = (int32_t)(64 * word + __builtin_ctzll(left));
	}
	return list;
}

static float *
sums_of(const search *w, const bench *b, int which)
{
	return b->v + which * w->tile * (w->tile + 16);
}

/* Sums of squares of rows of s, and of their elements where the bound asks for these, over the columns that each of
 * some rows of `others` has, into products of a tile, of which these rows are the columns if across, else its rows. */
static knng_status
sum_side(const search *w, const bench *b, const side *s, knng_part rows, const side *others, knng_part these,
	 bool across, knng_err *err)
{
	const knng_gap_copies *c = &s->copies;
	int64_t d = w->plan->x.d, ldv = w->tile + 16, stride = across ? ldv : 1, step = across ? 1 : ldv;
	float *to = w->here.centred ? sums_of(w, b, across ? KNNG_GAP_X : KNNG_GAP_Y) : NULL;
	float *squares = sums_of(w, b, across ? KNNG_GAP_XX : KNNG_GAP_YY);
	for (int64_t at = these.first, count = 0; at < these.end; at += count, count = 0) {
		int64_t used = 0;
		knng_status status = knng_task_poll(&w->task, err);
		if (status != KNNG_OK)
			return status;
		for (; at + count < these.end && used <= LISTED; count++) {
			b->lists[count] = list_columns(w, others, at + count, b->listed + used);
			used += b->lists[count].count;
		}
		int64_t from = (at - these.first) * step;
		w->kernels->shared_some(c->y + rows.first * d, c->square + rows.first * d, c->sum + rows.first,
					c->squares + rows.first, d, rows.end - rows.first, b->lists, count,
					to != NULL ? to + from : NULL, squares + from, stride, step);
	}
	return KNNG_OK;
}

/* The products and sums of a tile. */
static knng_status
multiply(const search *w, const bench *b, knng_part rows, knng_part columns, knng_err *err)
{
	int64_t d = w->plan->x.d, slice = w->here.slice;
	for (int64_t l = 0; l < d; l += slice) {
		knng_status status = knng_task_poll(&w->task, err);
		if (status != KNNG_OK)
			return status;
		knng_gap_multiply(w->kernels, &w->query->copies, rows.first, &w->x.copies, columns.first, d, l,
				  least(l + slice, d), rows.end - rows.first, columns.end - columns.first,
				  sums_of(w, b, KNNG_GAP_XY), w->tile + 16, l > 0);
	}
	knng_status status = sum_side(w, b, w->query, rows, &w->x, columns, true, err);
	return status == KNNG_OK ? sum_side(w, b, &w->x, columns, w->query, rows, false, err) : status;
}

/* By how much the ranks of a row turn where it meets another. */
static double
turn_of(const search *w, const side *s, int64_t row, const side *others, int64_t other, int64_t shared)
{
	int64_t d = w->plan->x.d, all = s->columns[row], lacks = d - others->columns[other];
	if (s->tied[row])
		return knng_gap_turn(all, shared);
	if (lacks <= FEW_LACK && d <= RANKED_THERE)
		return w->kernels->shared_turn(s->u + row * w->ld, others->order + other * d + d - lacks, lacks, all,
					       shared);
	return knng_gap_turn_of(s->u + row * w->ld, s->has + row * w->words, others->has + other * w->words, w->words,
				all, shared);
}

/* The next column of a tile from c on whose pair may matter; width or more: there is none. */
static int64_t
next(const bench *b, int64_t c, int64_t width)
{
	while (c < width) {
		uint32_t left = (uint32_t)b->near[c / 16] >> c % 16;
		if (left != 0)
			return c + __builtin_ctz(left);
		c += 16 - c % 16;
	}
	return c;
}

/* Bounds of row i and the columns of a tile; of ranks, those of pairs that may matter from `first` on once more, by the
 * columns that each row lacks. */
static void
find_low(const search *w, const bench *b, int64_t i, knng_part rows, knng_part columns, int64_t first)
{
	const knng_gap_copies *x = &w->query->copies, *y = &w->x.copies;
	int64_t r = i - rows.first, width = columns.end - columns.first, at = r * (w->tile + 16);
	float limit = knng_round_up(b->limits[r]);
	const knng_shared_sums sums = {.xy = sums_of(w, b, KNNG_GAP_XY) + at,
				       .x = sums_of(w, b, KNNG_GAP_X) + at,
				       .y = sums_of(w, b, KNNG_GAP_Y) + at,
				       .xx = sums_of(w, b, KNNG_GAP_XX) + at,
				       .yy = sums_of(w, b, KNNG_GAP_YY) + at,
				       .weight = x->weight[i],
				       .root = x->root[i],
				       .weights = y->weight + columns.first,
				       .roots = y->root + columns.first,
				       .shared = b->count,
				       .turn = b->turn,
				       .turned = b->turned};
	w->kernels->shared_bits(w->query->has + i * w->words, w->x.has + columns.first * w->words, w->words, w->every,
				width, b->shared);
	for (int64_t c = 0; c < width; c++)
		b->count[c] = (float)most(b->shared[c], 1);
	for (int64_t c = 0; c < width && w->ranked; c++) {
		float own = x->columns[i], others = y->columns[columns.first + c];
		b->turn[c] = (own - b->count[c]) / own;
		b->turned[c] = (others - b->count[c]) / others;
#ifdef KNNG_PLANT_RANKS /* what the tests must find: ranks of references are taken for those among shared columns */
		b->turned[c] = 0;
#endif
	}
	w->kernels->shared_low(&w->here, &sums, width, limit, b->near_limits, b->low, b->near);
	for (int64_t c = first; w->ranked && (c = next(b, c, width)) < width; c++) {
		int64_t j = columns.first + c, shared = b->shared[c];
		if (shared < 1 || !may_meet(w, i, j))
			continue;
		b->turn[c] = (float)turn_of(w, w->query, i, &w->x, j, shared);
		b->turned[c] = (float)turn_of(w, &w->x, j, w->query, i, shared);
	}
	if (w->ranked)
		w->kernels->shared_low(&w->here, &sums, width, limit, b->near_limits, b->low, b->near);
}

/* The pairs of row i of a tile that may matter to one of their rows, with their bounds, behind `hits` others. */
static int64_t
collect(const search *w, bench *b, int64_t i, knng_part rows, knng_part columns, bool diagonal, int64_t hits)
{
	int64_t r = i - rows.first, width = columns.end - columns.first;
	int64_t first = diagonal ? r + 1 : most(w->split - columns.first, 0);
	find_low(w, b, i, rows, columns, first);
	for (int64_t c = first; (c = next(b, c, width)) < width; c++)
		if (b->shared[c] >= w->plan->least_shared && may_meet(w, i, columns.first + c))
			b->hits[hits++] = (knng_pair){b->low[c], (int32_t)(r * w->tile + c)};
	return hits;
}

/* Pairs of a tile get their distances in the order of their bounds, unless others have made them too far. */
static knng_status
refine(const search *w, bench *b, int64_t hits, knng_part rows, knng_part columns, knng_err *err)
{
	double *row_limit = b->limits, *column_limit = b->limits + w->tile;
	int64_t some = most(LOOK_ELEMENTS / w->ld, 1);
	knng_sort_pairs(b->hits, b->hits + w->tile * w->tile, hits);
	for (int64_t h = 0; h < hits; h++) {
		int64_t r = b->hits[h].index / w->tile, c = b->hits[h].index % w->tile;
		int64_t i = rows.first + r, j = columns.first + c;
		double low = b->hits[h].distance;
		if (h % some == 0) {
			knng_status status = knng_task_poll(&w->task, err);
			if (status != KNNG_OK)
				return status;
		}
		if (!(low <= row_limit[r]) && !(w->graph && low <= column_limit[c]))
			continue;
		knng_status status = measure(w, b, i, j, 1, err);
		if (status == KNNG_OK && w->range != NULL)
			status = put(w, b, i, j, b->distance[0], err);
		if (status != KNNG_OK)
			return status;
		if (w->range != NULL)
			continue;
		if (low <= row_limit[r])
			row_limit[r] = offer_one(w, i, b->distance[0], j);
		if (w->graph && low <= column_limit[c])
			column_limit[c] = offer_one(w, j, b->distance[0], i);
	}
	return KNNG_OK;
}

/* A tile by its bounds. Of one on the diagonal a row of the tile is a column as well, and either of its limits may be
 * old, which costs no more than time. */
static knng_status
meet_near(const search *w, bench *b, knng_part rows, knng_part columns, bool diagonal, knng_err *err)
{
	int64_t hits = 0;
	knng_status status = multiply(w, b, rows, columns, err);
	if (status != KNNG_OK)
		return status;
	read_limits(w, rows, b->limits);
	if (w->graph)
		read_limits(w, columns, b->limits + w->tile);
	for (int64_t c = 0; c < w->tile; c++)
		b->near_limits[c] =
			w->graph && c < columns.end - columns.first ? knng_round_up(b->limits[w->tile + c]) : -1;
	for (int64_t i = rows.first; i < rows.end; i++) {
		if ((status = knng_task_poll(&w->task, err)) != KNNG_OK)
			return status;
		hits = collect(w, b, i, rows, columns, diagonal, hits);
	}
	return refine(w, b, hits, rows, columns, err);
}

static knng_status
tile_job(void *context, int worker, int64_t job, knng_err *err)
{
	const search *w = context;
	bench *b = &w->benches[worker];
	int64_t all = knng_parts(w->tile, w->split > 0 ? w->split : w->plan->m), row = job % all, column = job / all;
	if (w->split > 0) { /* the tile of the first row of the other side begins with rows of this one, maybe */
		int64_t others = knng_parts(w->tile, w->plan->m) - w->split / w->tile;
		column = w->split / w->tile + (row + column) % others;
	} else if (w->graph) {
		column = (row + column) % all;
		int64_t low = least(row, column);
		column = most(row, column);
		row = low;
	}
	knng_part rows = knng_part_of(row, w->tile, w->split > 0 ? w->split : w->plan->m),
		  columns = knng_part_of(column, w->tile, w->plan->x.n);
	bool diagonal = w->graph && w->split == 0 && row == column;
	return (w->filters ? meet_near : meet_all)(w, b, rows, columns, diagonal, err);
}

/* ---------------------------------------------------------------- answers */

static int
level_of(const search *w)
{
	return w->filters ? KNNG_LEVEL_F32 : KNNG_LEVEL_SCAN;
}

/* Hands over what was found within a radius. */
static knng_status
finish_range(search *w, knng_info *info, knng_err *err)
{
	double start = knng_seconds();
	w->task.stage = knng_stage_name[KNNG_STAGE_SINK];
	knng_status status = knng_range_finish_rows(w->range, w->plan->x.n, w->graph ? -1 : w->plan->y.n, &w->task,
						    w->plan->threads, err);
	info->seconds[KNNG_STAGE_SINK] += knng_seconds() - start;
	return status;
}

static void
put_shared(const search *w, int64_t row, int64_t column, int64_t index)
{
	int32_t shared = 0, zero = 0;
	double *to = w->plan->opt.shared;
	if (to == NULL)
		return;
	if (index >= 0)
		w->kernels->shared_bits(w->query->has + row * w->words, w->x.has + index * w->words, w->words, &zero, 1,
					&shared);
	to[row * w->out->row_stride + column * w->out->col_stride] = shared;
}

static knng_status
finish_job(void *context, int worker, int64_t job, knng_err *err)
{
	const search *w = context;
	bench *b = &w->benches[worker];
	knng_part rows = knng_part_of(job, FINISH_ROWS, w->plan->m);
	(void)err;
	for (int64_t i = rows.first; i < rows.end; i++) {
		knng_pair *near = w->near + i * w->k;
		knng_sort_pairs(near, b->sorted, w->found[i]);
		for (int64_t c = 0; c < w->found[i]; c++)
			knng_put(w->out, i, c, near[c].index, near[c].distance);
		knng_put_none(w->out, i, w->found[i], w->k);
		for (int64_t c = 0; c < w->k; c++)
			put_shared(w, i, c, c < w->found[i] ? near[c].index : -1);
		b->fewer += w->found[i] < w->k && !w->query->broken[i];
		if (w->plan->opt.levels != NULL && !w->query->broken[i])
			w->plan->opt.levels[i] = (uint8_t)(1 + level_of(w));
	}
	return KNNG_OK;
}

/* ---------------------------------------------------------------- the search */

static bool
open_bench(bench *b, const knng_plan *plan, int64_t tile)
{
	b->scratch = knng_alloc(4 * plan->ld, sizeof *b->scratch);
	b->seen = knng_alloc(plan->x.d, sizeof *b->seen);
	b->sorted = knng_alloc(2 * sorted_of(plan), sizeof *b->sorted);
	b->distance = knng_alloc(tile, sizeof *b->distance);
	b->shared = knng_alloc(tile, sizeof *b->shared);
	if (copies_here(plan)) {
		b->v = knng_calloc(KNNG_GAP_PRODUCTS * tile * (tile + 16), sizeof *b->v); /* bounds read beyond */
		b->listed = knng_alloc(LISTED + plan->x.d, sizeof *b->listed);
		b->lists = knng_alloc(tile, sizeof *b->lists);
		b->near_limits = knng_calloc(tile + 16, sizeof *b->near_limits);
		b->near = knng_alloc(tile / 16 + 1, sizeof *b->near);
		b->count = knng_calloc(tile + 16, sizeof *b->count);
		b->turn = knng_calloc(tile + 16, sizeof *b->turn);
		b->turned = knng_calloc(tile + 16, sizeof *b->turned);
		b->low = knng_alloc(tile + 16, sizeof *b->low);
		b->limits = knng_alloc(2 * tile, sizeof *b->limits);
		b->hits = knng_alloc(2 * tile * tile, sizeof *b->hits);
		if (b->v == NULL || b->listed == NULL || b->lists == NULL || b->near_limits == NULL ||
		    b->near == NULL || b->count == NULL || b->turn == NULL || b->turned == NULL || b->low == NULL ||
		    b->limits == NULL || b->hits == NULL)
			return false;
	}
	return b->scratch != NULL && b->seen != NULL && b->sorted != NULL && b->distance != NULL && b->shared != NULL;
}

static void
close_bench(bench *b)
{
	knng_free(b->hits);
	knng_free(b->limits);
	knng_free(b->low);
	knng_free(b->turned);
	knng_free(b->turn);
	knng_free(b->count);
	knng_free(b->near);
	knng_free(b->near_limits);
	knng_free(b->lists);
	knng_free(b->listed);
	knng_free(b->v);
	knng_free(b->shared);
	knng_free(b->distance);
	knng_free(b->sorted);
	knng_free(b->seen);
	knng_free(b->scratch);
}

static knng_status
open_search(search *w, knng_err *err)
{
	const knng_plan *plan = w->plan;
	bool fine =
		open_side(&w->x, plan, &plan->x, w->words) && (w->graph || open_side(&w->y, plan, &plan->y, w->words));
	int64_t locks = knng_parts(w->tile, plan->m);
	w->every = knng_alloc(w->tile, sizeof *w->every);
	w->centre = knng_calloc(plan->ld, sizeof *w->centre);
	w->near = knng_alloc(plan->m * w->k, sizeof *w->near);
	w->found = knng_calloc(plan->m, sizeof *w->found);
	w->locks = knng_alloc(locks, sizeof *w->locks);
	w->benches = knng_calloc(plan->threads, sizeof *w->benches);
	fine = fine && w->every != NULL && w->centre != NULL && w->near != NULL && w->found != NULL &&
	       w->locks != NULL && w->benches != NULL;
	for (int t = 0; fine && t < plan->threads; t++)
		fine = open_bench(&w->benches[t], plan, w->tile);
	if (!fine)
		return knng_fail_memory(err, "the rows and their lists", plan->bytes);
	for (; w->nlocks < locks; w->nlocks++)
		pthread_mutex_init(&w->locks[w->nlocks], NULL);
	for (int64_t c = 0; c < w->tile; c++)
		w->every[c] = (int32_t)c;
	return KNNG_OK;
}

static void
close_search(search *w)
{
	for (int t = 0; t < w->plan->threads && w->benches != NULL; t++)
		close_bench(&w->benches[t]);
	for (int64_t l = 0; l < w->nlocks; l++)
		pthread_mutex_destroy(&w->locks[l]);
	knng_free(w->benches);
	knng_free(w->locks);
	knng_free(w->found);
	knng_free(w->near);
	knng_free(w->centre);
	knng_free(w->every);
	close_side(&w->y);
	close_side(&w->x);
}

/* Runs a stage, and says how long it took. */
static knng_status
stage(search *w, knng_info *info, int which, int64_t jobs, knng_job *job, knng_err *err)
{
	double start = knng_seconds();
	w->task.stage = knng_stage_name[which];
	knng_status status = knng_task_run(&w->task, w->plan->threads, jobs, job, w, err);
	info->seconds[which] += knng_seconds() - start;
	return status;
}

/* ---------------------------------------------------------------- GPUs */

typedef struct {
	const search *w;
	const knng_search_gpu *gpus;
	void *state;
	int64_t made[KNNG_MAX_DEVICES];
} lending;

static knng_status
device_job(void *context, int worker, int64_t job, knng_err *err)
{
	lending *l = context;
	const search *w = l->w;
	knng_part part = knng_part_of(job, w->tile, w->plan->m);
	return l->gpus->gaps_meet(l->state, worker, part.first, part.end - part.first, w->near + part.first * w->k,
				  w->found + part.first, &l->made[worker], err);
}

/* The neighbours of all rows, by the devices of the plan. */
static knng_status
meet_on_devices(search *w, knng_info *info, knng_err *err)
{
	const knng_plan *plan = w->plan;
	lending l = {.w = w, .gpus = knng_search_on_gpus()};
	knng_gap_search lent = {.plan = plan,
				.task = &w->task,
				.x = {w->x.u, w->x.alone, w->x.tied, plan->x.n},
				.filters = w->filters,
				.bound = w->bound,
				.scale = w->scale};
	double start = knng_seconds();
	lent.by_halves = knng_gap_bound_of_halves(plan->metric, plan->x.d, &lent.halves);
	if (!w->graph)
		lent.y = (knng_gap_rows){w->y.u, w->y.alone, w->y.tied, plan->y.n};
	w->task.stage = knng_stage_name[KNNG_STAGE_FILTER];
	knng_status status = l.gpus->gaps_open(&lent, &l.state, info, err);
	if (status == KNNG_OK && w->k > 0)
		status = knng_task_run(&w->task, plan->ndevices, knng_parts(w->tile, plan->m), device_job, &l, err);
	l.gpus->gaps_close(l.state);
	for (int i = 0; i < plan->ndevices; i++)
		info->refined += l.made[i];
	info->seconds[KNNG_STAGE_FILTER] += knng_seconds() - start;
	return status;
}

static void
tell(const search *w, knng_info *info)
{
	const knng_plan *plan = w->plan;
	for (int t = 0; t < plan->threads; t++) {
		info->refined += w->benches[t].made;
		info->fewer += w->benches[t].fewer;
	}
	bool cublas = plan->ndevices > 0 && plan->metric->sum != KNNG_SUM_L1;
	const char *product = cublas ? "cublas" : "own";
	snprintf(info->product, sizeof info->product, "%s", w->filters ? product : "none");
	info->points = plan->x.n;
	info->blocks = 1;
	for (int64_t i = 0; i < plan->m; i++)
		info->certified[level_of(w)] += !w->query->broken[i];
}

knng_status
knng_gaps_run(const knng_plan *plan, const knng_output *out, knng_info *info, knng_err *err)
{
	search w = {.plan = plan,
		    .out = out,
		    .task = plan->opt.task,
		    .kernels = knng_kernels_find(plan->target),
		    .graph = plan->y.data == NULL,
		    .ranked = is_ranked(plan),
		    .prepared = plan->metric->prep != KNNG_PREP_NONE,
		    .ld = plan->ld,
		    .filters = plan->filters,
		    .words = (plan->x.d + 63) / 64,
		    .k = plan->k,
		    .tile = plan->tile,
		    .split = plan->opt.split,
		    .within = plan->opt.split > 0 ? plan->opt.within : NULL,
		    .range = plan->opt.range};
	w.query = w.graph ? &w.x : &w.y;
	knng_gap_bound(plan->metric, plan->x.d, &w.bound);
	knng_gap_bound_here(plan->metric, plan->x.d, &w.here);
	w.task.stage = knng_stage_name[KNNG_STAGE_PREPARE];
	double start = knng_seconds();
	knng_plan_device(plan, info->device, sizeof info->device);
	snprintf(info->pruned, sizeof info->pruned, "no: %s", plan->why_all);
	knng_status status = open_search(&w, err);
	if (status == KNNG_OK)
		status = load(&w, &w.x, info, err);
	if (status == KNNG_OK && !w.graph)
		status = load(&w, &w.y, info, err);
	if (status == KNNG_OK)
		status = copy(&w, err);
	info->seconds[KNNG_STAGE_PREPARE] += knng_seconds() - start;
	if (status == KNNG_OK && plan->ndevices > 0)
		status = meet_on_devices(&w, info, err);
	else if (status == KNNG_OK)
		status = stage(&w, info, KNNG_STAGE_FILTER, tiles(&w), tile_job, err);
	if (status == KNNG_OK && w.range != NULL)
		status = finish_range(&w, info, err);
	else if (status == KNNG_OK)
		status = stage(&w, info, KNNG_STAGE_SINK, knng_parts(FINISH_ROWS, plan->m), finish_job, err);
	if (status == KNNG_OK)
		tell(&w, info);
	close_search(&w);
	return status;
}
