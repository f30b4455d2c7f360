/* cpu.c  The CPU backend.
 *
 * It holds each matrix twice: prepared rows u in double, row-major, for the canonical distances, and a copy rounded to
 * single for the filter. A tile is T x T scores in L2, made by one thread and passed over once; what may belong to a
 * list goes into it under the lock of the tile's row (or column) block. The names of the bounds (h, eps, sigma, cut)
 * are those of docs/canonical.md, 6 to 8. */
#include "backend.h"
#include "centre.h"
#include "kernels.h"
#include "product.h"
#include "source.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>

enum {
	PREPARE_ROWS = 64, /* rows a job of preparing */
	SLICE = 512,       /* columns a partial product: bounds the accumulation error */
	ROWS_F64 = 128,    /* tile height of the double-precision step */
	COLUMNS_F64 = 512,
	ROWS_SCAN = 4, /* of the canonical step */
	COLUMNS_SCAN = 2048,
};

/* One matrix as points. */
typedef struct {
	int64_t count;
	double *u;    /* [rows * ld] prepared, 64-byte aligned rows */
	float *copy;  /* [count up to 16 * d] rounded to single: panels of 16 rows, or row-major for OpenBLAS */
	double *half; /* [count] h */
	double *eps;  /* [count] eps of the single-precision step */
	float *base;  /* [count] h - eps, rounded down */
	float *slack; /* [count] 2 eps + 2^-22 h, rounded up */
} side;

typedef struct {
	double *scratch; /* [4 * ld] preparing */
	double largest;  /* |x| of the rows this worker prepared */
	bool integers;   /* all of them integers */
	int64_t refined; /* canonical distances made */
	float *v;        /* [T * (T + 16)] the tile */
	double *y, *v64; /* the double step: rows and columns, and their tile */
	float *row_threshold, *row_base, *column_threshold, *column_base; /* [T + 16] the tile's own copies */
	float *best;                                                      /* [T + 16] group_best */
	uint64_t *best_key;                                               /* [T + 16] */
	knng_hit *row_hits, *column_hits;                                 /* [hits] */
	double *sums;                                                     /* [capacity or COLUMNS_SCAN] */
	int32_t *columns;                                                 /* the same */
	knng_pair *pairs;                                                 /* [2 * capacity] */
} worker_state;

typedef struct {
	const knng_kernels *kernels;
	knng_tile_kind kind;
	bool blas;        /* OpenBLAS makes the products */
	int blas_threads; /* what it had */
	bool blas_claimed;
	side x, y, *query;

	/* y = u * scale - centre; sums are 2^sigma times (h - q). */
	double *centre;
	double scale;
	int sigma;
	bool exact; /* integers: eps = 0 */

	/* The lists, one a query point. */
	int64_t capacity, tile, width, hits;
	uint64_t *slots;   /* [count * capacity] knng_key */
	int32_t *used;     /* slots in use */
	float *threshold;  /* A, rounded down, less the offset; INFINITY: climbed or closed */
	int32_t *bound;    /* columns from here on are not needed (exact: at the threshold's score) */
	double *cut;       /* no pair whose real sum exceeds it is needed */
	double *offset;    /* subtracted from scores of the double step */
	int64_t *refined;  /* canonical distances spent on the row in this step */
	omp_lock_t *locks; /* one a block of w->pending */
	int64_t nlocks, height;

	worker_state *workers;
	int nworkers;
} cpu;

/* ---------------------------------------------------------------- memory */

static int64_t
hits_of(int64_t tile)
{
	return 4 * tile > 4096 ? 4 * tile : 4096;
}

static int64_t
panels_of(int64_t count)
{
	return (count + PANEL - 1) / PANEL * PANEL;
}

static int64_t
columns_of(int64_t capacity)
{
	return capacity > COLUMNS_SCAN ? capacity : COLUMNS_SCAN;
}

static double
side_bytes(int64_t rows, int64_t d, int64_t ld)
{
	return (double)rows * (double)ld * 8 + (double)panels_of(rows) * (double)d * 4 +
	       (double)rows * (8 + 8 + 4 + 4) + knng_points_bytes(rows) + 1024;
}

double
knng_cpu_bytes(const knng_plan *plan, int64_t tile, int64_t capacity, int threads)
{
	bool graph = plan->y.data == NULL;
	double bytes = side_bytes(plan->x.n, plan->x.d, plan->ld);
	if (!graph)
		bytes += side_bytes(plan->y.n, plan->x.d, plan->ld);
	double lists = (double)plan->m * ((double)capacity * 8 + 4 + 4 + 4 + 8 + 8 + 8 + 4); /* and w->pending */
	double locks = ((double)plan->m / ROWS_SCAN + 1) * sizeof(omp_lock_t);
	double wide = (double)tile + 16;
	double worker = (double)plan->ld * 4 * 8 + (double)tile * wide * 4 + wide * (5 * 4 + 8) +
			2 * (double)hits_of(tile) * sizeof(knng_hit) + (double)columns_of(capacity) * (8 + 4) +
			2 * (double)capacity * sizeof(knng_pair) + 4096;
	worker += ((double)plan->x.d * 8 * (ROWS_F64 + COLUMNS_F64) +
		   8.0 * ROWS_F64 * COLUMNS_F64); /* a row that climbs */
	return bytes + lists + locks + (double)plan->ld * 8 + worker * threads + 4096;
}

static bool
open_side(side *s, int64_t rows, int64_t d, int64_t ld)
{
	int64_t bytes;
	if (!knng_mul(panels_of(rows), ld, 8, &bytes))
		return false;
	s->u = knng_alloc(rows * ld, sizeof *s->u);
	s->copy = knng_alloc(panels_of(rows) * d, sizeof *s->copy);
	s->half = knng_alloc(rows, sizeof *s->half);
	s->eps = knng_alloc(rows, sizeof *s->eps);
	s->base = knng_alloc(rows, sizeof *s->base);
	s->slack = knng_alloc(rows, sizeof *s->slack);
	return s->u != NULL && s->copy != NULL && s->half != NULL && s->eps != NULL && s->base != NULL &&
	       s->slack != NULL;
}

static void
close_side(side *s)
{
	knng_free(s->u);
	knng_free(s->copy);
	knng_free(s->half);
	knng_free(s->eps);
	knng_free(s->base);
	knng_free(s->slack);
}

static bool
open_worker(worker_state *s, const knng_plan *plan)
{
	int64_t wide = plan->tile + 16, many = columns_of(plan->capacity), hits = hits_of(plan->tile);
	s->integers = true;
	s->scratch = knng_alloc(4 * plan->ld, sizeof *s->scratch);
	s->v = knng_calloc(plan->tile * wide, sizeof *s->v);
	s->row_threshold = knng_alloc(wide, sizeof(float));
	s->row_base = knng_alloc(wide, sizeof(float));
	s->column_threshold = knng_alloc(wide, sizeof(float));
	s->column_base = knng_alloc(wide, sizeof(float));
	s->best = knng_alloc(wide, sizeof *s->best);
	s->best_key = knng_alloc(wide, sizeof *s->best_key);
	s->row_hits = knng_alloc(hits, sizeof *s->row_hits);
	s->column_hits = knng_alloc(hits, sizeof *s->column_hits);
	s->sums = knng_alloc(many, sizeof *s->sums);
	s->columns = knng_alloc(many, sizeof *s->columns);
	s->pairs = knng_alloc(2 * plan->capacity, sizeof *s->pairs);
	return s->scratch != NULL && s->v != NULL && s->row_threshold != NULL && s->row_base != NULL &&
	       s->column_threshold != NULL && s->column_base != NULL && s->best != NULL && s->best_key != NULL &&
	       s->row_hits != NULL && s->column_hits != NULL && s->sums != NULL && s->columns != NULL &&
	       s->pairs != NULL;
}

static void
close_worker(worker_state *s)
{
	void *all[] = {
		s->scratch,     s->v,    s->y,        s->v64,      s->row_threshold, s->row_base, s->column_threshold,
		s->column_base, s->best, s->best_key, s->row_hits, s->column_hits,   s->sums,     s->columns,
		s->pairs};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
}

static knng_status
cpu_open(knng_work *w, knng_err *err)
{
	const knng_plan *plan = w->plan;
	bool graph = plan->y.data == NULL;
	cpu *c = knng_calloc(1, sizeof *c);
	if (c == NULL)
		return knng_fail_memory(err, "the search", sizeof *c);
	w->state = c;
	c->kernels = knng_kernels_find(plan->target);
	c->kind = plan->metric->sum == KNNG_SUM_L1     ? KNNG_TILE_L1
		  : plan->metric->sum == KNNG_SUM_LINF ? KNNG_TILE_LINF
						       : KNNG_TILE_PRODUCT;
	c->query = graph ? &c->x : &c->y;
	c->capacity = plan->capacity;
	c->tile = plan->tile;
	c->width = plan->tile + 16;
	c->hits = hits_of(plan->tile);
	c->blas_threads = knng_blas_claim();
	c->blas_claimed = true;
	if (c->kind == KNNG_TILE_PRODUCT)
		c->blas = plan->blas == KNNG_BLAS_YES ||
			  (plan->blas == KNNG_BLAS_FASTER && knng_blas_is_faster(c->kernels));

	int64_t m = plan->m;
	bool fine = open_side(&c->x, plan->x.n, plan->x.d, plan->ld) &&
		    (graph || open_side(&c->y, plan->y.n, plan->x.d, plan->ld));
	c->centre = knng_calloc(plan->ld, sizeof *c->centre);
	int64_t slots;
	c->slots = knng_mul(m, c->capacity, 1, &slots) ? knng_alloc(slots, sizeof *c->slots) : NULL;
	c->used = knng_calloc(m, sizeof *c->used);
	c->threshold = knng_alloc(m, sizeof *c->threshold);
	c->bound = knng_alloc(m, sizeof *c->bound);
	c->cut = knng_alloc(m, sizeof *c->cut);
	c->offset = knng_calloc(m, sizeof *c->offset);
	c->refined = knng_alloc(m, sizeof *c->refined);
	c->locks = knng_alloc(m / ROWS_SCAN + 1, sizeof *c->locks);
	c->workers = knng_calloc(plan->threads, sizeof *c->workers);
	fine = fine && c->centre != NULL && c->slots != NULL && c->used != NULL && c->threshold != NULL &&
	       c->bound != NULL && c->cut != NULL && c->offset != NULL && c->refined != NULL && c->locks != NULL &&
	       c->workers != NULL;
	for (int t = 0; fine && t < plan->threads; t++) {
		c->nworkers = t + 1;
		fine = open_worker(&c->workers[t], plan);
	}
	if (!fine)
		return knng_fail_memory(err, "the prepared rows and their lists", plan->bytes);
	for (int64_t i = 0; i < m; i++) {
		c->cut[i] = INFINITY;
		c->bound[i] = INT32_MAX;
	}
	knng_plan_device(plan, w->info->device, sizeof w->info->device);
	snprintf(w->info->product, sizeof w->info->product, "%s", c->blas ? "openblas" : "own");
	return KNNG_OK;
}

static void
cpu_close(knng_work *w)
{
	cpu *c = w->state;
	if (c == NULL)
		return;
	if (c->blas_claimed)
		knng_blas_release(c->blas_threads);
	for (int64_t b = 0; b < c->nlocks; b++)
		omp_destroy_lock(&c->locks[b]);
	for (int t = 0; t < c->nworkers; t++) {
		w->info->refined += c->workers[t].refined;
		close_worker(&c->workers[t]);
	}
	close_side(&c->x);
	close_side(&c->y);
	void *all[] = {c->centre, c->slots,  c->used,    c->threshold, c->bound,
		       c->cut,    c->offset, c->refined, c->locks,     c->workers};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
	knng_free(c);
	w->state = NULL;
}

/* ---------------------------------------------------------------- load: prepared rows */

typedef struct {
	const knng_matrix *matrix;
	knng_points *points;
	side *side;
	int64_t ld;
} loading;

static knng_status
load_job(knng_work *w, int worker, int64_t job, void *context, knng_err *err)
{
	(void)err;
	const loading *l = context;
	cpu *c = w->state;
	worker_state *s = &c->workers[worker];
	int64_t first = job * PREPARE_ROWS, last = first + PREPARE_ROWS;
	if (last > l->matrix->n)
		last = l->matrix->n;
	knng_source_rows(l->matrix, first, last - first, l->side->u + first * l->ld, l->ld);
	for (int64_t i = first; i < last; i++) {
		double *u = l->side->u + i * l->ld;
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
	return memcmp(l->side->u + a * l->ld, l->side->u + b * l->ld, (size_t)l->ld * sizeof(double)) == 0;
}

static void
move_row(void *context, int64_t to, int64_t from)
{
	const loading *l = context;
	memcpy(l->side->u + to * l->ld, l->side->u + from * l->ld, (size_t)l->ld * sizeof(double));
}

static knng_status
cpu_load(knng_work *w, const knng_matrix *matrix, knng_points *points, bool queries, knng_err *err)
{
	cpu *c = w->state;
	loading l = {matrix, points, queries ? &c->y : &c->x, w->plan->ld};
	knng_status status =
		knng_parallel(w, w->plan->threads, (matrix->n + PREPARE_ROWS - 1) / PREPARE_ROWS, load_job, &l, err);
	if (status == KNNG_OK)
		status = knng_points_group(points, same_row, move_row, &l, err);
	l.side->count = points->count;
	return status;
}

/* ---------------------------------------------------------------- begin: copies, bounds, empty lists */

static float
round_down(double x)
{
	float f = (float)x;
	return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static float
round_up(double x)
{
	return -round_down(-x);
}

static int64_t
slices_of(int64_t d)
{
	return (d + SLICE - 1) / SLICE;
}

static void
choose_centre(knng_work *w, cpu *c)
{
	int exponent = 0;
	c->exact = false;
	if (w->plan->metric->prep == KNNG_PREP_NONE) {
		double largest = 0;
		bool integers = true;
		for (int t = 0; t < c->nworkers; t++) {
			largest = fmax(largest, c->workers[t].largest);
			integers &= c->workers[t].integers;
		}
		exponent = knng_centre(c->x.u, c->x.count, w->plan->x.d, w->plan->ld, largest, &integers, c->centre);
		c->exact = integers && w->plan->metric->sum == KNNG_SUM_MINUS;
	}
	c->scale = ldexp(1, -exponent);
	c->sigma = c->kind == KNNG_TILE_PRODUCT ? 2 * exponent + 1 : exponent;
}

/* Filter copies of 16 * 16 rows a job, their h and eps. Bounds: docs/canonical.md, 6. */
enum { COPY_ROWS = 16 * PANEL };

static knng_status
copy_job(knng_work *w, int worker, int64_t job, void *context, knng_err *err)
{
	(void)worker, (void)err;
	cpu *c = w->state;
	side *s = context;
	int64_t d = w->plan->x.d, first = job * COPY_ROWS, last = first + COPY_ROWS;
	double slices = (double)slices_of(d), dd = (double)d;
	double acc = c->kind == KNNG_TILE_LINF ? 0x1p-23 : knng_gamma(ceil(dd / slices) + slices, 0x1p-24);
	const double beta = 0x1p-24, up = 1 + 0x1p-20;
	if (last > panels_of(s->count))
		last = panels_of(s->count);
	for (int64_t i = first; i < last; i++) {
		float *to = c->blas ? s->copy + i * d : s->copy + i / PANEL * PANEL * d + i % PANEL;
		int64_t stride = c->blas ? 1 : PANEL;
		if (i >= s->count) {
			for (int64_t l = 0; l < d; l++)
				to[l * stride] = 0;
			continue;
		}
		knng_measure m = c->kernels->copy(c->kind, s->u + i * w->plan->ld,
						  w->plan->metric->prep == KNNG_PREP_NONE ? c->centre : NULL, c->scale,
						  d, to, stride);
		double r = m.residual * up + dd * 0x1p-500, norm = m.norm * up + dd * 0x1p-500, eps;
		if (c->kind == KNNG_TILE_PRODUCT) {
			r += 0x1p-51 * sqrt(2 * m.half);
			eps = (r * r / beta + beta * norm * norm + r * r + acc * norm * norm + dd * 0x1p-148) / 2 +
			      (dd + 8) * DBL_EPSILON * m.half;
		} else {
			r += 0x1p-51 * (r + norm);
			eps = r + acc * norm + dd * 0x1p-148;
		}
		s->half[i] = m.half;
		s->eps[i] = eps * up;
		s->base[i] = round_down(m.half - s->eps[i]);
		s->slack[i] = round_up(2 * s->eps[i] + 0x1p-22 * m.half);
	}
	return KNNG_OK;
}

/* Small integers leave nothing to bound: the scores are exact. */
static void
drop_bounds(cpu *c)
{
	side *sides[] = {&c->x, c->query};
	for (int t = 0; t < 2; t++)
		for (int64_t i = 0; i < sides[t]->count; i++)
			c->exact = c->exact && sides[t]->half[i] < 0x1p21;
	for (int t = 0; c->exact && t < 2; t++)
		for (int64_t i = 0; i < sides[t]->count; i++) {
			sides[t]->eps[i] = 0;
			sides[t]->slack[i] = 0;
			sides[t]->base[i] = (float)sides[t]->half[i];
		}
}

/* eps of a query or reference row in this step. The double step adds the rounding of its own scores. */
static double
eps_of(const knng_work *w, const side *s, int64_t i, double offset)
{
	if (w->step == KNNG_STEP_F32)
		return s->eps[i];
	return knng_eps64(w->plan->x.d, s->half[i], offset);
}

/* Draws the threshold of row i from its cut; the caller holds its lock. docs/canonical.md, 7, (2). */
static void
set_threshold(const knng_work *w, cpu *c, int64_t i)
{
	if (w->step == KNNG_STEP_SCAN || c->exact)
		return;
	double a = knng_threshold(c->query->half[i], c->cut[i], c->sigma, eps_of(w, c->query, i, c->offset[i]),
				  c->offset[i]);
	float f = a > -FLT_MAX ? round_down(a) : -FLT_MAX;
	if (f > c->threshold[i])
		c->threshold[i] = f;
}

static knng_status
cpu_begin(knng_work *w, knng_err *err)
{
	cpu *c = w->state;
	knng_status status = KNNG_OK;
	if (w->step == KNNG_STEP_F32) {
		choose_centre(w, c);
		side *sides[] = {&c->x, c->query};
		for (int t = 0; t < (c->query == &c->x ? 1 : 2) && status == KNNG_OK; t++)
			status = knng_parallel(w, w->plan->threads,
					       (panels_of(sides[t]->count) + COPY_ROWS - 1) / COPY_ROWS, copy_job,
					       sides[t], err);
		if (status != KNNG_OK)
			return status;
		drop_bounds(c);
	}
	if (w->step == KNNG_STEP_F64) {
		int64_t d = w->plan->x.d;
		for (int t = 0; t < c->nworkers; t++) {
			worker_state *s = &c->workers[t];
			s->y = knng_alloc((ROWS_F64 + COLUMNS_F64) * d, sizeof *s->y);
			s->v64 = knng_alloc(ROWS_F64 * COLUMNS_F64, sizeof *s->v64);
			if (s->y == NULL || s->v64 == NULL)
				return knng_fail_memory(err, "products in double precision",
							(double)d * 8 * COLUMNS_F64);
		}
	}
	for (int64_t p = 0; p < w->npending; p++) {
		int64_t i = w->pending[p];
		double near = c->query->half[i] - ldexp(c->cut[i], -c->sigma);
		c->used[i] = 0;
		c->refined[i] = 0;
		c->threshold[i] = -FLT_MAX;
		c->offset[i] = w->step == KNNG_STEP_F64 && isfinite(near) ? near : 0;
		set_threshold(w, c, i);
	}
	int64_t width;
	for (int64_t b = 0; b < c->nlocks; b++)
		omp_destroy_lock(&c->locks[b]);
	w->backend->blocks(w, &c->height, &width);
	c->nlocks = (w->npending + c->height - 1) / c->height;
	for (int64_t b = 0; b < c->nlocks; b++)
		omp_init_lock(&c->locks[b]);
	return KNNG_OK;
}

static bool
cpu_has_step(const knng_work *w, int step)
{
	return step != KNNG_STEP_F16 && (step != KNNG_STEP_F64 || knng_by_products(w->plan->metric));
}

static int
cpu_workers(const knng_work *w)
{
	return w->plan->threads;
}

static void
cpu_blocks(const knng_work *w, int64_t *height, int64_t *width)
{
	const cpu *c = w->state;
	*height = w->step == KNNG_STEP_F32 ? c->tile : w->step == KNNG_STEP_SCAN ? ROWS_SCAN : ROWS_F64;
	*width = w->step == KNNG_STEP_F32 ? c->tile : w->step == KNNG_STEP_SCAN ? COLUMNS_SCAN : COLUMNS_F64;
	if (w->step == KNNG_STEP_F64 && *height > c->tile)
		*height = c->tile; /* the tile of scores is shared by the steps */
	if (w->step == KNNG_STEP_F64 && *width > c->tile)
		*width = c->tile;
}

/* ---------------------------------------------------------------- lists: the caller holds the row's lock */

/* The k best scores of n keys, in front, prove a cut. Leaves fewer keys where the threshold allows it. */
static void
prune(const knng_work *w, cpu *c, int64_t i)
{
	uint64_t *keys = c->slots + i * c->capacity;
	int64_t n = c->used[i], k = w->k;
	if (n <= k || w->step == KNNG_STEP_SCAN)
		return;
	knng_select(keys, n, k);
	if (c->exact) {
		c->used[i] = (int32_t)k;
		c->threshold[i] = knng_key_score(keys[k - 1]);
		c->bound[i] = knng_key_column(keys[k - 1]) + 1;
		return;
	}
	double worst = INFINITY;
	for (int64_t a = 0; a < k; a++) {
		double q = knng_key_score(keys[a]);
		int64_t j = knng_key_column(keys[a]);
		double slack = w->step == KNNG_STEP_F32 ? c->x.slack[j] : 2 * eps_of(w, &c->x, j, 0);
		q -= slack + fabs(q) * 0x1p-22 + 0x1p-148;
		worst = q < worst ? q : worst;
	}
	double p = c->offset[i] + worst - eps_of(w, c->query, i, c->offset[i]);
	double sum = knng_wide(w->plan->x.d, ldexp(fmax(c->query->half[i] - p, 0), c->sigma));
	if (sum < c->cut[i]) {
		c->cut[i] = sum;
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
measure(const knng_work *w, cpu *c, worker_state *s, int64_t i)
{
	const uint64_t *keys = c->slots + i * c->capacity;
	int64_t n = c->used[i], ld = w->plan->ld;
	for (int64_t a = 0; a < n; a++)
		s->columns[a] = knng_key_column(keys[a]);
	c->kernels->sums(w->plan->metric->sum, c->query->u + i * ld, c->x.u, ld, s->columns, n, s->sums);
	for (int64_t a = 0; a < n; a++) {
		s->sums[a] = knng_finish(w->plan->metric, s->sums[a]);
		s->pairs[a] = (knng_pair){s->sums[a], s->columns[a]};
	}
	knng_sort_pairs(s->pairs, s->pairs + c->capacity, n);
	s->refined += n;
	return n;
}

/* Makes room in a full list. */
static void
draw_in(const knng_work *w, cpu *c, worker_state *s, int64_t i)
{
	uint64_t *keys = c->slots + i * c->capacity;
	int64_t k = w->k;
	prune(w, c, i);
	if (c->used[i] <= c->capacity - (c->capacity - k + 1) / 2)
		return;
	int64_t n = measure(w, c, s, i), kept = 0;
	knng_pair last = s->pairs[k - 1];
	for (int64_t a = 0; a < n; a++) {
		knng_pair it = {s->sums[a], s->columns[a]};
		if (!knng_pair_before(&last, &it))
			keys[kept++] = keys[a];
	}
	c->used[i] = (int32_t)kept;
	c->refined[i] += n;
	c->cut[i] = fmin(c->cut[i], knng_reach(w->plan->metric->finish, w->plan->x.d, last.distance));
	if (last.distance == 0 && last.index < c->bound[i])
		c->bound[i] = last.index + 1;
	set_threshold(w, c, i);
	if (w->step < KNNG_STEP_SCAN && c->refined[i] > 4 * c->capacity + c->x.count / 8) {
		c->threshold[i] = INFINITY; /* the bound does not separate its candidates: it climbs */
		c->used[i] = 0;
	}
}

static inline void
push(const knng_work *w, cpu *c, worker_state *s, int64_t i, int32_t j, float q)
{
	for (int full = 0; full < 2; full++) {
		if (!(q >= c->threshold[i]) || (j >= c->bound[i] && (!c->exact || q == c->threshold[i])))
			return;
		if (c->used[i] < c->capacity) {
			c->slots[i * c->capacity + c->used[i]++] = knng_key(q, j);
			return;
		}
		draw_in(w, c, s, i);
	}
}

/* ---------------------------------------------------------------- candidates: one tile */

static int64_t
point_of(const knng_work *w, int64_t p)
{
	return w->pending[p];
}

/* The thresholds of a block, as they are now. Rows closed before column `first` take nothing from this tile. */
static void
read_thresholds(const knng_work *w, cpu *c, knng_block block, int64_t first, float *threshold)
{
	omp_lock_t *lock = &c->locks[block.first / c->height];
	omp_set_lock(lock);
	for (int64_t r = 0; r < block.count; r++) {
		int64_t i = point_of(w, block.first + r);
		threshold[r] = !c->exact && c->bound[i] <= first ? INFINITY : c->threshold[i];
	}
	omp_unset_lock(lock);
}

static void
pad(float *values, int64_t count)
{
	for (int64_t r = count; r < panels_of(count); r++)
		values[r] = INFINITY;
}

/* First thresholds of rows that have none, from the best of groups of this tile's columns. */
static void
first_thresholds(const knng_work *w, cpu *c, worker_state *s, knng_block rows, knng_block columns)
{
	int64_t k = w->k, groups = panels_of(2 * k);
	if (k < 1 || columns.count < k)
		return;
	if (groups > columns.count / 2)
		groups = panels_of(columns.count);
	double slack = -1;
	for (int64_t r = 0; r < rows.count; r++) {
		int64_t i = point_of(w, rows.first + r);
		if (s->row_threshold[r] != -FLT_MAX)
			continue;
		if (slack < 0)
			for (int64_t j = 0; j < columns.count; j++)
				slack = fmax(slack, c->x.slack[columns.first + j]);
		c->kernels->group_best(s->v + r * c->width, s->column_base, columns.count, groups, s->best);
		for (int64_t g = 0; g < groups; g++)
			s->best_key[g] = knng_key(s->best[g], 0);
		knng_select(s->best_key, groups, k);
		float best = knng_key_score(s->best_key[k - 1]);
		if (best == -FLT_MAX)
			continue;
		omp_lock_t *lock = &c->locks[rows.first / c->height];
		omp_set_lock(lock);
		if (c->exact) {
			if (best >
			    c->threshold[i]) { /* ties at the old score do not matter any more, those at the new do */
				c->threshold[i] = best;
				c->bound[i] = INT32_MAX;
			}
		} else {
			double p = best - slack - fabs(best) * 0x1p-22 - 0x1p-148 - c->query->eps[i];
			double sum = knng_wide(w->plan->x.d, ldexp(fmax(c->query->half[i] - p, 0), c->sigma));
			c->cut[i] = fmin(c->cut[i], sum);
			set_threshold(w, c, i);
		}
		s->row_threshold[r] = c->threshold[i];
		omp_unset_lock(lock);
	}
}

/* Hits go to the lists of their block; `others` is where the other index starts. */
static void
flush(const knng_work *w, cpu *c, worker_state *s, const knng_hit *hits, int64_t n, knng_block block, int64_t others)
{
	if (n == 0)
		return;
	omp_lock_t *lock = &c->locks[block.first / c->height];
	omp_set_lock(lock);
	for (int64_t h = 0; h < n; h++)
		push(w, c, s, point_of(w, block.first + hits[h].to), (int32_t)(others + hits[h].other), hits[h].q);
	omp_unset_lock(lock);
}

/* The elementwise pass over a finished tile of scores. */
static void
pass_tile(const knng_work *w, cpu *c, worker_state *s, knng_block rows, knng_block columns, bool both)
{
	int64_t nrow = 0, ncolumn = 0;
	for (int64_t r = 0; r <= rows.count; r++) {
		bool full = nrow + columns.count > c->hits || ncolumn + columns.count > c->hits;
		if (full || r == rows.count) {
			flush(w, c, s, s->row_hits, nrow, rows, columns.first);
			flush(w, c, s, s->column_hits, ncolumn, columns, rows.first);
			nrow = ncolumn = 0;
			if (r == rows.count)
				break;
			read_thresholds(w, c, rows, columns.first, s->row_threshold);
			if (both)
				read_thresholds(w, c, columns, rows.first, s->column_threshold);
		}
		c->kernels->pass(s->v + r * c->width, (int32_t)r, columns.count, s->row_threshold[r], s->row_base[r],
				 both ? s->column_threshold : NULL, s->column_base, s->row_hits, &nrow, s->column_hits,
				 &ncolumn);
	}
}

/* Scores as the bounds want them: the negative of a distance or of a product, or its absolute value. */
static void
orient(const knng_work *w, const cpu *c, float *v, int64_t rows, int64_t columns)
{
	knng_sum sum = w->plan->metric->sum;
	if (sum == KNNG_SUM_MINUS)
		return;
	for (int64_t r = 0; r < rows; r++)
		for (int64_t j = 0; j < columns; j++) {
			float *x = v + r * c->width + j;
			*x = sum == KNNG_SUM_EITHER ? fabsf(*x) : -*x;
		}
}

static knng_status
tile_f32(knng_work *w, cpu *c, worker_state *s, knng_block rows, knng_block columns, bool both, knng_err *err)
{
	int64_t d = w->plan->x.d, slices = slices_of(d), slice = (d + slices - 1) / slices;
	for (int64_t l = 0; l < d; l += slice) {
		int64_t end = l + slice < d ? l + slice : d;
		knng_status status = knng_poll(w, err);
		if (status != KNNG_OK)
			return status;
		(c->blas ? knng_blas_tile
			 : c->kernels->tile[c->kind])(c->query->copy + rows.first * d, c->x.copy + columns.first * d, d,
						      l, end, rows.count, columns.count, s->v, c->width, l > 0);
	}
	orient(w, c, s->v, rows.count, columns.count);
	bool diagonal = c->query == &c->x && rows.first == columns.first;
	for (int64_t r = 0; diagonal && r < rows.count; r++)
		s->v[r * c->width + r] = -INFINITY;

	memcpy(s->row_base, c->query->base + rows.first, (size_t)rows.count * sizeof(float));
	memcpy(s->column_base, c->x.base + columns.first, (size_t)columns.count * sizeof(float));
	pad(s->column_base, columns.count);
	read_thresholds(w, c, rows, columns.first, s->row_threshold);
	first_thresholds(w, c, s, rows, columns);
	if (both) {
		read_thresholds(w, c, columns, rows.first, s->column_threshold);
		pad(s->column_threshold, columns.count);
	}
	pass_tile(w, c, s, rows, columns, both);
	return KNNG_OK;
}

/* Rows of u as the double step multiplies them. */
static void
centre_rows(const knng_work *w, const cpu *c, const double *u, double *y)
{
	for (int64_t l = 0; l < w->plan->x.d; l++)
		y[l] = u[l] * c->scale - c->centre[l];
}

static knng_status
tile_f64(knng_work *w, cpu *c, worker_state *s, knng_block rows, knng_block columns)
{
	int64_t d = w->plan->x.d, ld = w->plan->ld;
	knng_sum sum = w->plan->metric->sum;
	double *yc = s->y + ROWS_F64 * d;
	for (int64_t r = 0; r < rows.count; r++)
		centre_rows(w, c, c->query->u + point_of(w, rows.first + r) * ld, s->y + r * d);
	for (int64_t j = 0; j < columns.count; j++)
		centre_rows(w, c, c->x.u + (columns.first + j) * ld, yc + j * d);
	knng_blas_tile64(s->y, yc, d, rows.count, columns.count, s->v64, COLUMNS_F64);
	for (int64_t r = 0; r < rows.count; r++) {
		int64_t i = point_of(w, rows.first + r);
		for (int64_t j = 0; j < columns.count; j++) {
			int64_t point = columns.first + j;
			double v = s->v64[r * COLUMNS_F64 + j];
			v = sum == KNNG_SUM_EITHER ? fabs(v) : sum == KNNG_SUM_PLUS ? -v : v;
			v -= c->x.half[point] - eps_of(w, &c->x, point, 0);
			s->v[r * c->width + j] =
				c->query == &c->x && point == i ? -INFINITY : round_up(v - c->offset[i]);
		}
		s->row_base[r] = 0;
	}
	for (int64_t j = 0; j < columns.count; j++)
		s->column_base[j] = 0;
	pad(s->column_base, columns.count);
	read_thresholds(w, c, rows, columns.first, s->row_threshold);
	pass_tile(w, c, s, rows, columns, false);
	return KNNG_OK;
}

/* Every pair's canonical sum; what may be near enough is kept. */
static knng_status
tile_scan(knng_work *w, cpu *c, worker_state *s, knng_block rows, knng_block columns)
{
	int64_t ld = w->plan->ld;
	omp_lock_t *lock = &c->locks[rows.first / c->height];
	for (int64_t r = 0; r < rows.count; r++) {
		int64_t i = point_of(w, rows.first + r), n = 0;
		for (int64_t j = 0; j < columns.count; j++)
			s->columns[j] = (int32_t)(columns.first + j);
		c->kernels->sums(w->plan->metric->sum, c->query->u + i * ld, c->x.u, ld, s->columns, columns.count,
				 s->sums);
		omp_set_lock(lock);
		double limit = knng_wide(w->plan->x.d, c->cut[i]);
		omp_unset_lock(lock);
		/* No more than COLUMNS_SCAN of them, and there is room for 4096. */
		for (int64_t j = 0; j < columns.count; j++)
			if (!(s->sums[j] > limit) && !(c->query == &c->x && columns.first + j == i))
				s->row_hits[n++] = (knng_hit){(int32_t)r, (int32_t)j, 0};
		flush(w, c, s, s->row_hits, n, rows, columns.first);
		s->refined += columns.count;
	}
	return KNNG_OK;
}

static knng_status
cpu_candidates(knng_work *w, int worker, knng_block rows, knng_block columns, bool both, knng_err *err)
{
	cpu *c = w->state;
	worker_state *s = &c->workers[worker];
	switch (w->step) {
	case KNNG_STEP_F32:
		return tile_f32(w, c, s, rows, columns, both, err);
	case KNNG_STEP_F64:
		return tile_f64(w, c, s, rows, columns);
	default:
		return tile_scan(w, c, s, rows, columns);
	}
}

static bool
cpu_certified(const knng_work *w, int32_t p)
{
	const cpu *c = w->state;
	return c->threshold[p] != INFINITY;
}

/* ---------------------------------------------------------------- refine */

static knng_status
cpu_refine(knng_work *w, int worker, const int32_t *points, int64_t count, knng_pair *pairs, double *self,
	   knng_err *err)
{
	cpu *c = w->state;
	worker_state *s = &c->workers[worker];
	int64_t k = w->k, ld = w->plan->ld;
	for (int64_t a = 0; a < count; a++) {
		int64_t i = points[a];
		prune(w, c, i);
		int64_t n = measure(w, c, s, i);
		if (n < k)
			return knng_fail(err, KNNG_EDEVICE, "knng:internal:candidates",
					 "row %lld kept %lld candidates for %lld neighbours: this is a fault of knng; "
					 "please report "
					 "it with the data",
					 (long long)i + 1, (long long)n, (long long)k);
		memcpy(pairs + a * k, s->pairs, (size_t)k * sizeof *pairs);
		self[a] = 0;
		if (c->query == &c->x && w->plan->metric->sum == KNNG_SUM_PLUS) {
			int32_t own = (int32_t)i;
			c->kernels->sums(w->plan->metric->sum, c->x.u + i * ld, c->x.u, ld, &own, 1, &self[a]);
			self[a] = knng_finish(w->plan->metric, self[a]);
		}
	}
	return KNNG_OK;
}

const knng_backend knng_backend_cpu = {
	.name = "cpu",
	.open = cpu_open,
	.load = cpu_load,
	.begin = cpu_begin,
	.has_step = cpu_has_step,
	.workers = cpu_workers,
	.blocks = cpu_blocks,
	.candidates = cpu_candidates,
	.certified = cpu_certified,
	.refine = cpu_refine,
	.close = cpu_close,
};
