/* backend.c  The CPU backend: prepared rows, and the table that the search calls it by. */
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
		knng_cpu_extent(w, c, &integers);
	}
	return status;
}

static knng_status
cpu_largest(const knng_search *w, double *largest, knng_err *err)
{
	bool integers;
	(void)err;
	*largest = knng_cpu_extent(w, w->state, &integers);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- begin: copies, bounds, empty lists */

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
			status = knng_cpu_copy(w, err);
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
