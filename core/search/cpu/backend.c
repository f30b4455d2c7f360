/* backend.c  The CPU backend: prepared rows, their low-precision copies, and the table that the search calls it by. */
#include "base/sys.h"
#include "search/centre.h"
#include "search/cpu/blas.h"
#include "search/cpu/boxes.h"
#include "search/cpu/components.h"
#include "search/cpu/cpu.h"
#include "search/prepared.h"
#include "search/source.h"

#include <stdio.h>

/* ---------------------------------------------------------------- memory */

static double
operand_bytes(int64_t rows, int64_t d, int64_t ld)
{
	return (double)rows * (double)ld * 8 + (double)knng_up_to_panels(rows) * (double)d * 4 +
	       (double)rows * (8 + 8 + 4 + 4) + knng_points_bytes(rows) + 1024;
}

double
knng_cpu_bytes(const knng_plan *plan, int64_t tile, int64_t capacity, int threads)
{
	double bytes = 0;
	if (!knng_prepared_all(plan->opt.prepared))
		bytes += operand_bytes(knng_prepared_room(plan->opt.prepared, plan->x.n), plan->x.d, plan->ld);
	if (plan->y.data != NULL)
		bytes += operand_bytes(plan->y.n, plan->x.d, plan->ld);
	return bytes + knng_lists_bytes(plan, capacity) + (double)plan->ld * 8 +
	       knng_worker_bytes(plan, tile, capacity) * threads + 4096;
}

static bool
open_operand(knng_cpu_operand *s, int64_t rows, int64_t d, int64_t ld)
{
	int64_t bytes;
	if (!knng_mul(knng_up_to_panels(rows), ld, 8, &bytes))
		return false;
	s->u = knng_alloc(rows * ld, sizeof *s->u);
	s->copy = knng_alloc(knng_up_to_panels(rows) * d, sizeof *s->copy);
	s->half = knng_alloc(rows, sizeof *s->half);
	s->eps = knng_alloc(rows, sizeof *s->eps);
	s->base = knng_alloc(rows, sizeof *s->base);
	s->slack = knng_alloc(rows, sizeof *s->slack);
	return s->u != NULL && s->copy != NULL && s->half != NULL && s->eps != NULL && s->base != NULL &&
	       s->slack != NULL;
}

static void
close_operand(knng_cpu_operand *s)
{
	knng_free(s->u);
	knng_free(s->copy);
	knng_free(s->half);
	knng_free(s->eps);
	knng_free(s->base);
	knng_free(s->slack);
}

static bool
open_operands(knng_cpu *c, const knng_plan *plan)
{
	int64_t rows = knng_prepared_room(plan->opt.prepared, plan->x.n);
	bool there = c->x.u != NULL; /* kept */
	if (!there && !open_operand(&c->x, rows, plan->x.d, plan->ld))
		return false;
	return plan->y.data == NULL || open_operand(&c->y, plan->y.n, plan->x.d, plan->ld);
}

static bool
open_workers(knng_cpu *c, const knng_plan *plan)
{
	c->workers = knng_calloc(plan->threads, sizeof *c->workers);
	bool fine = c->workers != NULL;
	for (int t = 0; fine && t < plan->threads; t++) {
		c->nworkers = t + 1;
		fine = knng_worker_open(&c->workers[t], plan);
	}
	return fine;
}

/* Who makes the single-precision products. */
static void
choose_product(knng_search *w)
{
	const knng_plan *plan = w->plan;
	knng_cpu *c = w->state;
	c->blas = c->kind == KNNG_TILE_PRODUCT && plan->blas != KNNG_BLAS_NO && knng_blas_has_room(plan->threads) &&
		  (plan->blas == KNNG_BLAS_YES || knng_blas_is_faster(c->kernels));
	snprintf(w->info->product, sizeof w->info->product, "%s", c->blas ? "openblas" : "own");
}

static knng_status
cpu_open(knng_search *w, knng_err *err)
{
	const knng_plan *plan = w->plan;
	knng_cpu *c = w->known > 0 ? w->state : knng_calloc(1, sizeof *c);
	if (c == NULL)
		return knng_fail_memory(err, "the search", sizeof *c);
	w->state = c;
	if (!plan->prunes && !knng_prepared_whole(plan->opt.prepared)) { /* which does not count it */
		knng_boxes_free(c->boxes[0]);
		c->boxes[0] = NULL;
	}
	c->kernels = knng_kernels_find(plan->target);
	c->kind = plan->metric->sum == KNNG_SUM_L1     ? KNNG_TILE_L1
		  : plan->metric->sum == KNNG_SUM_LINF ? KNNG_TILE_LINF
						       : KNNG_TILE_PRODUCT;
	c->query = w->query == &w->x ? &c->x : &c->y;
	c->tile = plan->tile;
	c->width = plan->tile + 16;
	c->hits = knng_worker_hits(plan->tile);
	if (c->kind == KNNG_TILE_PRODUCT) { /* others do not call it, and asking may start its threads */
		c->blas_threads = knng_blas_claim();
		c->blas_claimed = true;
	}
	if (c->centre == NULL)
		c->centre = knng_calloc(plan->ld, sizeof *c->centre);
	if (c->centre == NULL || !open_operands(c, plan) || !knng_lists_open(c, plan) || !open_workers(c, plan))
		return knng_fail_memory(err, "the prepared rows and their lists", plan->bytes);
	choose_product(w);
	knng_plan_device(plan, w->info->device, sizeof w->info->device);
	return KNNG_OK;
}

static void
free_rows(void *state)
{
	knng_cpu *c = state;
	close_operand(&c->x);
	for (int s = 0; s < 2; s++)
		knng_boxes_free(c->boxes[s]);
	knng_free(c->centre);
	knng_free(c);
}

/* The prepared rows stay for the next search. */
static void
keep_rows(struct knng_prepared *left, knng_cpu *c)
{
	*c = (knng_cpu){.x = c->x,
			.centre = c->centre,
			.scale = c->scale,
			.sigma = c->sigma,
			.exact = c->exact,
			.largest = c->largest,
			.integers = c->integers,
			.exponent = c->exponent,
			.whole = c->whole,
			.for_blas = c->for_blas,
			.copied = c->copied,
			.boxes = {c->boxes[0], NULL}};
	left->state = c;
	left->free = free_rows;
}

static void
cpu_close(knng_search *w)
{
	knng_cpu *c = w->state;
	if (c == NULL)
		return;
	if (c->blas_claimed)
		knng_blas_release(c->blas_threads);
	for (int t = 0; t < c->nworkers; t++) {
		w->info->refined += c->workers[t].refined;
		knng_worker_close(&c->workers[t]);
	}
	knng_lists_close(c);
	knng_boxes_rest(c->boxes[0]);
	knng_boxes_free(c->boxes[1]); /* of rows that do not stay */
	c->boxes[1] = NULL;
	knng_components_free(c->components);
	close_operand(&c->y);
	knng_free(c->workers);
	if (w->prepared != NULL)
		keep_rows(w->prepared, c);
	else
		free_rows(c);
	w->state = NULL;
}

/* ---------------------------------------------------------------- load: prepared rows */

typedef struct {
	const knng_matrix *matrix;
	knng_points *points;
	knng_cpu_operand *operand;
	int64_t ld, first, each; /* rows before the first are prepared; rows of a job */
} loading;

static knng_status
load_job(knng_search *w, int worker, int64_t job, void *context, knng_err *err)
{
	(void)err;
	const loading *l = context;
	knng_cpu *c = w->state;
	knng_cpu_worker *s = &c->workers[worker];
	int64_t first = l->first + job * l->each, last = first + l->each;
	if (last > l->matrix->n)
		last = l->matrix->n;
	knng_source_rows(l->matrix, first, last - first, l->operand->u + first * l->ld, l->ld);
	for (int64_t i = first; i < last; i++) {
		double *u = l->operand->u + i * l->ld;
		l->points->state[i] = (uint8_t)c->kernels->prepare(w->plan->metric, u, l->matrix->d, l->ld, s->scratch,
								   &l->points->hash[i]);
		if (l->points->state[i] == KNNG_ROW_FINE && w->plan->metric->prep == KNNG_PREP_NONE)
			c->kernels->extent(u, l->matrix->d, &s->largest, &s->integers);
	}
	return KNNG_OK;
}

static bool
same_row(void *context, int64_t a, int64_t b)
{
	const loading *l = context;
	return memcmp(l->operand->u + a * l->ld, l->operand->u + b * l->ld, (size_t)l->ld * sizeof(double)) == 0;
}

static void
move_row(void *context, int64_t to, int64_t from)
{
	const loading *l = context;
	memcpy(l->operand->u + to * l->ld, l->operand->u + from * l->ld, (size_t)l->ld * sizeof(double));
}

/* The largest |x| of all rows, and whether all are of integers. */
static double
extent_of_all(const knng_search *w, knng_cpu *c, bool *integers)
{
	double largest = w->known > 0 ? c->largest : 0;
	*integers = w->known == 0 || c->integers;
	for (int t = 0; t < c->nworkers; t++) {
		largest = fmax(largest, c->workers[t].largest);
		*integers = *integers && c->workers[t].integers;
	}
	if (w->known == 0) {
		c->largest = largest;
		c->integers = *integers;
	}
	return largest;
}

static knng_status
cpu_load(knng_search *w, const knng_matrix *matrix, knng_points *points, bool queries, knng_err *err)
{
	knng_cpu *c = w->state;
	loading l = {matrix, points, queries ? &c->y : &c->x, w->plan->ld, points->known, knng_prepare_rows(matrix->d)};
	knng_status status =
		knng_parallel(w, w->plan->threads, knng_parts(l.each, matrix->n - l.first), load_job, &l, err);
	if (status == KNNG_OK)
		status = knng_points_group(points, &w->task, same_row, move_row, &l, err);
	l.operand->count = points->count;
	if (!queries && w->prepared != NULL) { /* what stays needs it, whatever is made of it now */
		bool integers;
		extent_of_all(w, c, &integers);
	}
	return status;
}

static knng_status
cpu_largest(const knng_search *w, double *largest, knng_err *err)
{
	bool integers;
	(void)err;
	*largest = extent_of_all(w, w->state, &integers);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- begin: copies, bounds, empty lists */

void
knng_cpu_centre(knng_search *w)
{
	enum { NEAR = 4 }; /* exponents: no row becomes so short by it that its copy loses digits */
	knng_cpu *c = w->state;
	if (c->for_blas != c->blas)
		c->copied = 0;
	c->for_blas = c->blas;
	if (w->plan->metric->prep == KNNG_PREP_NONE) {
		bool integers, whole;
		double largest = extent_of_all(w, c, &integers);
		if (w->prepared != NULL && w->prepared->whole &&
		    c->copied > 0) /* whole numbers and others may take turns */
			integers = integers && c->whole;
		whole = integers;
		int exponent = knng_exponent(largest, &whole);
		if (c->copied > 0 && whole == c->whole && exponent <= c->exponent && exponent + NEAR >= c->exponent)
			return;
#ifndef KNNG_PLANT_STALE /* what the tests must find: copies that are of another scale, or around another centre */
		c->copied = 0;
#endif
		c->exponent = knng_centre(c->x.u, c->x.count, w->plan->x.d, w->plan->ld, largest, knng_reach(w->plan),
					  &integers, c->centre);
		c->whole = integers;
		c->exact = integers && w->plan->metric->sum == KNNG_SUM_MINUS;
	}
	c->scale = ldexp(1, -c->exponent);
	c->sigma = c->kind == KNNG_TILE_PRODUCT ? 2 * c->exponent + 1 : c->exponent;
}

/* Rows that a job copies: whole micro-panels. */
static int64_t
copy_rows(int64_t d)
{
	int64_t panels = ((int64_t)1 << 22) / MICRO_PANEL / (d > 0 ? d : 1);
	return MICRO_PANEL * (panels > 16 ? 16 : panels < 1 ? 1 : panels);
}

double
knng_cpu_eps(const knng_search *w, const knng_measure *m)
{
	const knng_cpu *c = w->state;
	int64_t d = w->plan->x.d;
	double slices = (double)knng_slices(d), dd = (double)d;
	double acc = c->kind == KNNG_TILE_LINF ? 0x1p-23 : knng_gamma(ceil(dd / slices) + slices, 0x1p-24);
	const double up = 1 + 0x1p-20;
	double r = m->residual * up + dd * 0x1p-500, norm = m->norm * up + dd * 0x1p-500;
	return c->kind == KNNG_TILE_PRODUCT ? knng_eps32(d, m->half, norm, r + 0x1p-51 * sqrt(2 * m->half), acc)
					    : knng_eps32_differences(d, norm, r + 0x1p-51 * (r + norm), acc);
}

/* Rows that are copied, from a micro-panel on. */
typedef struct {
	knng_cpu_operand *operand;
	int64_t first;
} copying;

/* The low-precision copies, their h and eps. */
static knng_status
copy_job(knng_search *w, int worker, int64_t job, void *context, knng_err *err)
{
	(void)worker, (void)err;
	const copying *rows = context;
	knng_cpu *c = w->state;
	knng_cpu_operand *s = rows->operand;
	int64_t d = w->plan->x.d;
	knng_part part = knng_part_of(job, copy_rows(d), knng_up_to_panels(s->count) - rows->first);
	part.first += rows->first;
	part.end += rows->first;
	for (int64_t i = part.first; i < part.end; i++) {
		float *to = knng_copy_of(c, s->copy, i, d);
		int64_t stride = c->blas ? 1 : MICRO_PANEL;
		if (i >= s->count) {
			for (int64_t l = 0; l < d; l++)
				to[l * stride] = 0;
			continue;
		}
		knng_measure m = c->kernels->copy(c->kind, s->u + i * w->plan->ld,
						  w->plan->metric->prep == KNNG_PREP_NONE ? c->centre : NULL, c->scale,
						  d, to, stride);
		s->half[i] = m.half;
		s->eps[i] = knng_cpu_eps(w, &m);
		s->base[i] = knng_round_down(m.half - s->eps[i]);
		s->slack[i] = knng_round_up(knng_slack32(m.half, s->eps[i]));
	}
	return KNNG_OK;
}

/* Small integers, (7.7), leave nothing to bound: the scores are exact. */
static void
drop_bounds(knng_cpu *c)
{
	knng_cpu_operand *operands[] = {&c->x, c->query};
	for (int t = 0; t < 2; t++)
		for (int64_t i = 0; i < operands[t]->count; i++)
			c->exact = c->exact && operands[t]->half[i] < 0x1p21;
	for (int t = 0; c->exact && t < 2; t++)
		for (int64_t i = 0; i < operands[t]->count; i++) {
			operands[t]->eps[i] = 0;
			operands[t]->slack[i] = 0;
			operands[t]->base[i] = (float)operands[t]->half[i];
		}
}

/* The copies of the points from this one on. */
static knng_status
copy_from(knng_search *w, knng_cpu_operand *operand, int64_t first, knng_err *err)
{
	copying rows = {operand, first / MICRO_PANEL * MICRO_PANEL};
	int64_t count = knng_up_to_panels(operand->count) - rows.first;
	return knng_parallel(w, w->plan->threads, knng_parts(copy_rows(w->plan->x.d), count), copy_job, &rows, err);
}

/* All copies that are not there yet. */
static knng_status
make_copies(knng_search *w, knng_err *err)
{
	knng_cpu *c = w->state;
	bool exact = c->exact;
	int64_t copied = c->copied;
	c->copied = 0; /* whatever is left, if this ends before its time */
	knng_status status = copied < c->x.count ? copy_from(w, &c->x, copied, err) : KNNG_OK;
	if (status == KNNG_OK && c->query != &c->x)
		status = copy_from(w, c->query, 0, err);
	if (status != KNNG_OK)
		return status;
	drop_bounds(c);
	if (exact && !c->exact && copied > 0) /* the bounds of those were dropped before */
		status = copy_from(w, &c->x, 0, err);
	if (status == KNNG_OK)
		c->copied = w->plan->opt.split > 0 ? w->split : c->x.count;
	return status;
}

static knng_status
cpu_begin(knng_search *w, knng_err *err)
{
	knng_cpu *c = w->state;
	knng_status status = KNNG_OK;
	int64_t height, width;
	if (w->level == KNNG_LEVEL_F32) {
		if (c->blas) /* memory was claimed since */
			choose_product(w);
		knng_cpu_centre(w);
		status = knng_components_try(w, &c->components, err);
		if (status == KNNG_OK)
			status = make_copies(w, err);
		if (status == KNNG_OK && c->components != NULL)
			status = knng_components_copy(w, c->components, err);
	} else if (w->level == KNNG_LEVEL_F64) {
		status = knng_tiles_begin_f64(w, err);
	}
	if (status != KNNG_OK)
		return status;
	w->backend->blocks(w, &height, &width);
	return knng_lists_begin(w, height, err);
}

static bool
cpu_has_level(const knng_search *w, int level)
{
	return level != KNNG_LEVEL_F16 && (level != KNNG_LEVEL_F64 || knng_by_products(w->plan->metric));
}

static int
cpu_workers(const knng_search *w)
{
	return w->plan->threads;
}

static void
cpu_blocks(const knng_search *w, int64_t *height, int64_t *width)
{
	const knng_cpu *c = w->state;
	*height = w->level == KNNG_LEVEL_F32 ? c->tile : w->level == KNNG_LEVEL_SCAN ? ROWS_SCAN : ROWS_F64;
	*width = w->level == KNNG_LEVEL_F32 ? c->tile : w->level == KNNG_LEVEL_SCAN ? COLUMNS_SCAN : COLUMNS_F64;
	/* Of long rows fewer columns at a time, so that Ctrl-C is heard. */
	while (w->level != KNNG_LEVEL_F32 && *width > 16 &&
	       (double)(*height * *width) * (double)w->plan->x.d > LONGEST_JOB)
		*width /= 2;
	if (w->level == KNNG_LEVEL_F64 && *height > c->tile)
		*height = c->tile; /* the tile of scores is shared by the levels */
	if (w->level == KNNG_LEVEL_F64 && *width > c->tile)
		*width = c->tile;
}

static knng_status
cpu_candidates(knng_search *w, int worker, knng_block rows, knng_block columns, bool both, knng_err *err)
{
	knng_cpu *c = w->state;
	knng_cpu_worker *s = &c->workers[worker];
	switch (w->level) {
	case KNNG_LEVEL_F32:
		return knng_tile_f32(w, s, rows, columns, both, err);
	case KNNG_LEVEL_F64:
		knng_tile_f64(w, s, rows, columns);
		return KNNG_OK;
	default:
		knng_tile_scan(w, s, rows, columns);
		return KNNG_OK;
	}
}

static bool
cpu_certified(const knng_search *w, int32_t p)
{
	const knng_cpu *c = w->state;
	return c->threshold[p] != INFINITY;
}

/* ---------------------------------------------------------------- pruning */

static knng_status
cpu_prune(knng_search *w, int32_t *points, int64_t *count, knng_err *err)
{
	knng_cpu *c = w->state;
	bool on = false;
	knng_status status = knng_boxes_try(w, c->boxes, &on, err);
	*count = status == KNNG_OK && on ? w->query->count : 0;
	if (*count > 0)
		knng_boxes_order(w, c->boxes, points);
	return status;
}

/* ---------------------------------------------------------------- refine */

/* The w->k nearest of the list of point i, or fewer and pairs of index -1. How many there are. */
static int64_t
nearest_of_list(const knng_search *w, knng_cpu_worker *s, int64_t i, knng_pair *pairs)
{
	int64_t n = knng_lists_refine(w, s, i);
	n = n < w->k ? n : w->k;
	memcpy(pairs, s->pairs, (size_t)n * sizeof *pairs);
	for (int64_t c = n; c < w->k; c++)
		pairs[c] = (knng_pair){INFINITY, -1};
	return n;
}

/* Of k such pairs. */
static int64_t
count_found(const knng_pair *pairs, int64_t k)
{
	while (k > 0 && pairs[k - 1].index < 0)
		k--;
	return k;
}

static knng_status
cpu_refine(knng_search *w, int worker, const int32_t *points, int64_t count, knng_pair *pairs, double *self,
	   knng_err *err)
{
	knng_cpu *c = w->state;
	knng_cpu_worker *s = &c->workers[worker];
	int64_t k = w->k, ld = w->plan->ld;
	bool boxes = w->level == KNNG_LEVEL_BOXES;
	knng_status status = boxes ? knng_boxes_search(w, c->boxes, s, points, count, pairs, err) : KNNG_OK;
	if (status != KNNG_OK || w->plan->opt.range != NULL)
		return status;
	for (int64_t a = 0; a < count; a++) {
		int64_t i = points[a];
		int64_t n = boxes ? count_found(pairs + a * k, k) : nearest_of_list(w, s, i, pairs + a * k);
		if (n < k && !knng_has_no_more(w, points[a], n) && !(knng_within(w, points[a]) < INFINITY))
			return knng_fail(err, KNNG_EINTERNAL, "knng:internal:candidates",
					 "row %lld kept %lld candidates for %lld neighbours: this is a fault of knng; "
					 "please report it with the data",
					 (long long)i + 1, (long long)n, (long long)k);
		self[a] = 0;
		if (c->query == &c->x && w->plan->metric->sum == KNNG_SUM_PLUS) {
			int32_t own = (int32_t)i;
			c->kernels->sums(w->plan->metric->sum, c->x.u + i * ld, c->x.u, ld, &own, 1, &self[a]);
			self[a] = knng_map_sum(w->plan->metric, self[a]);
		}
	}
	return KNNG_OK;
}

const knng_backend knng_backend_cpu = {
	.name = "cpu",
	.open = cpu_open,
	.load = cpu_load,
	.largest = cpu_largest,
	.prune = cpu_prune,
	.begin = cpu_begin,
	.has_level = cpu_has_level,
	.workers = cpu_workers,
	.blocks = cpu_blocks,
	.candidates = cpu_candidates,
	.certified = cpu_certified,
	.refine = cpu_refine,
	.close = cpu_close,
};
