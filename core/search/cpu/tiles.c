/* tiles.c  The tiles of the CPU backend's three levels: scores, and the comparison that hands them to the lists. */
#include "base/sys.h"
#include "search/cpu/blas.h"
#include "search/cpu/components.h"
#include "search/cpu/cpu.h"
#include "search/range.h"

enum {
	SLICE = 512,               /* columns a partial product */
	ELEMENTS_A_LOOK = 1 << 20, /* of exact distances between two looks for Ctrl-C */
};

/* ---------------------------------------------------------------- memory */

int64_t
knng_worker_hits(int64_t tile)
{
	return 4 * tile > 4096 ? 4 * tile : 4096;
}

static int64_t
distances_of(int64_t capacity)
{
	return capacity > COLUMNS_SCAN ? capacity : COLUMNS_SCAN;
}

double
knng_worker_bytes(const knng_plan *plan, int64_t tile, int64_t capacity)
{
	double wide = (double)tile + 16, d = (double)plan->x.d;
	double single_level =
		(double)tile * wide * 4 + wide * (8 * 4 + 8) + 2 * (double)knng_worker_hits(tile) * sizeof(knng_hit);
	double double_level =
		d * 8 * (ROWS_F64 + COLUMNS_F64) + 8.0 * ROWS_F64 * COLUMNS_F64; /* when a row escalates to it */
	double distances = (double)distances_of(capacity) * (8 + 4) + 2 * (double)capacity * sizeof(knng_pair);
	return (double)plan->ld * 4 * 8 + single_level + double_level + distances + 4096;
}

bool
knng_worker_open(knng_cpu_worker *s, const knng_plan *plan)
{
	int64_t wide = plan->tile + 16, many = distances_of(plan->capacity), hits = knng_worker_hits(plan->tile);
	s->integers = true;
	s->scratch = knng_alloc(4 * plan->ld, sizeof *s->scratch);
	s->v = knng_calloc(plan->tile * wide, sizeof *s->v);
	s->row_threshold = knng_alloc(wide, sizeof(float));
	s->row_base = knng_alloc(wide, sizeof(float));
	s->column_threshold = knng_alloc(wide, sizeof(float));
	s->column_base = knng_alloc(wide, sizeof(float));
	s->short_row = knng_alloc(wide, sizeof(float));
	s->short_column = knng_alloc(wide, sizeof(float));
	s->short_base = knng_alloc(wide, sizeof(float));
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
	       s->pairs != NULL && s->short_row != NULL && s->short_column != NULL && s->short_base != NULL;
}

void
knng_worker_close(knng_cpu_worker *s)
{
	void *all[] = {s->scratch,
		       s->v,
		       s->y,
		       s->v64,
		       s->row_threshold,
		       s->row_base,
		       s->column_threshold,
		       s->column_base,
		       s->best,
		       s->best_key,
		       s->row_hits,
		       s->column_hits,
		       s->sums,
		       s->columns,
		       s->pairs,
		       s->short_row,
		       s->short_column,
		       s->short_base};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
}

knng_status
knng_tiles_begin_f64(knng_search *w, knng_err *err)
{
	knng_cpu *c = w->state;
	int64_t d = w->plan->x.d;
	for (int t = 0; t < c->nworkers; t++) {
		knng_cpu_worker *s = &c->workers[t];
		s->y = knng_alloc((ROWS_F64 + COLUMNS_F64) * d, sizeof *s->y);
		s->v64 = knng_alloc(ROWS_F64 * COLUMNS_F64, sizeof *s->v64);
		if (s->y == NULL || s->v64 == NULL)
			return knng_fail_memory(err, "products in double precision", (double)d * 8 * COLUMNS_F64);
	}
	c->blas64 = w->plan->blas != KNNG_BLAS_NO && knng_blas_has_room(c->nworkers) &&
		    (w->plan->blas == KNNG_BLAS_YES || knng_blas_is_faster(c->kernels));
	return KNNG_OK;
}

/* ---------------------------------------------------------------- comparing a tile with the thresholds */

static void
pad(float *values, int64_t count)
{
	for (int64_t r = count; r < knng_up_to_panels(count); r++)
		values[r] = INFINITY;
}

/* Hands what was collected to the lists, and begins again. */
static void
hand_over(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns, int64_t *nrow,
	  int64_t *ncolumn)
{
	knng_lists_add(w, s, s->row_hits, *nrow, rows, columns.first);
	knng_lists_add(w, s, s->column_hits, *ncolumn, columns, rows.first);
	*nrow = *ncolumn = 0;
}

/* Compares the scores of a tile with the thresholds. */
static void
compare_tile(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns, bool both)
{
	const knng_cpu *c = w->state;
	int64_t nrow = 0, ncolumn = 0;
	for (int64_t r = 0; r < rows.count; r++) {
		if (nrow + columns.count > c->hits || ncolumn + columns.count > c->hits) {
			hand_over(w, s, rows, columns, &nrow, &ncolumn);
			knng_lists_thresholds(w, rows, columns.first, s->row_threshold);
			if (both)
				knng_lists_thresholds(w, columns, rows.first, s->column_threshold);
		}
		c->kernels->compare(s->v + r * c->width, (int32_t)r, columns.count, s->row_threshold[r], s->row_base[r],
				    both ? s->column_threshold : NULL, s->column_base, s->row_hits, &nrow,
				    s->column_hits, &ncolumn);
	}
	hand_over(w, s, rows, columns, &nrow, &ncolumn);
}

/* ---------------------------------------------------------------- single precision */

int64_t
knng_slices(int64_t d)
{
	return (d + SLICE - 1) / SLICE;
}

/* Products of copies of d numbers, or distances between them, slice by slice. Both blocks begin with a micro-panel. */
static knng_status
multiply_panels(const knng_search *w, knng_cpu_worker *s, const float *queries, const float *others, int64_t d,
		knng_block rows, knng_block columns, knng_err *err)
{
	const knng_cpu *c = w->state;
	int64_t slices = knng_slices(d), slice = (d + slices - 1) / slices;
	for (int64_t l = 0; l < d; l += slice) {
		int64_t end = l + slice < d ? l + slice : d;
		knng_status status = knng_task_poll(&w->task, err);
		if (status != KNNG_OK)
			return status;
		(c->blas ? knng_blas_tile
			 : c->kernels->tile[c->kind])(queries + rows.first * d, others + columns.first * d, d, l, end,
						      rows.count, columns.count, s->v, c->width, l > 0);
	}
	return KNNG_OK;
}

/* The same of columns that begin anywhere, as those of a second side do. */
static knng_status
multiply(const knng_search *w, knng_cpu_worker *s, const float *queries, const float *others, int64_t d,
	 knng_block rows, knng_block columns, knng_err *err)
{
	const knng_cpu *c = w->state;
	int64_t before = columns.first % MICRO_PANEL;
	knng_block whole = {columns.first - before, columns.count + before};
	knng_status status = multiply_panels(w, s, queries, others, d, rows, whole, err);
	for (int64_t r = 0; status == KNNG_OK && before > 0 && r < rows.count; r++)
		memmove(s->v + r * c->width, s->v + r * c->width + before, (size_t)columns.count * sizeof *s->v);
	return status;
}

/* Scores as the bounds want them: the negative of a distance or of a product, or its absolute value. */
static void
orient(const knng_search *w, const knng_cpu *c, float *v, int64_t rows, int64_t columns)
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

/* What scores are compared with: the bases of both operands, and the thresholds as they are now. */
static void
read_sides(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns, bool both)
{
	const knng_cpu *c = w->state;
	memcpy(s->row_base, c->query->base + rows.first, (size_t)rows.count * sizeof(float));
	memcpy(s->column_base, c->x.base + columns.first, (size_t)columns.count * sizeof(float));
	pad(s->column_base, columns.count);
	knng_lists_thresholds(w, rows, columns.first, s->row_threshold);
	knng_lists_first_thresholds(w, s, rows, columns);
	if (both) {
		knng_lists_thresholds(w, columns, rows.first, s->column_threshold);
		pad(s->column_threshold, columns.count);
	}
}

/* The distances of those pairs of a tile whose scores do not rule it out that they lie within the radius: into
 * plan->opt.range, of a tile above the diagonal both ways. */
static knng_status
keep_near(const knng_search *w, knng_cpu_worker *s, int64_t hits, knng_block rows, knng_block columns, bool both,
	  knng_err *err)
{
	const knng_cpu *c = w->state;
	int64_t ld = w->plan->ld,
		some = ELEMENTS_A_LOOK / ld + 1 < COLUMNS_SCAN ? ELEMENTS_A_LOOK / ld + 1 : COLUMNS_SCAN;
	struct knng_range *found = w->plan->opt.range;
	int worker = (int)(s - c->workers);
	for (int64_t first = 0, n; first < hits; first += n) {
		int32_t i = w->pending[rows.first + s->row_hits[first].to];
		knng_status status = knng_task_poll(&w->task, err);
		if (status != KNNG_OK)
			return status;
		for (n = 0; n < some && first + n < hits && s->row_hits[first + n].to == s->row_hits[first].to; n++)
			s->columns[n] = (int32_t)columns.first + s->row_hits[first + n].other;
		c->kernels->sums(w->plan->metric->sum, c->query->u + i * ld, c->x.u, ld, s->columns, n, s->sums);
		s->refined += n;
		for (int64_t e = 0; e < n; e++) {
			double distance = knng_map_sum(w->plan->metric, s->sums[e]);
			if (!KNNG_WITHIN(distance, found->radius))
				continue;
			if (!knng_range_put(found, worker, (knng_near){distance, i, s->columns[e]}) ||
			    (both && !knng_range_put(found, worker, (knng_near){distance, s->columns[e], i})))
				return knng_range_status(found, worker, err);
		}
	}
	return KNNG_OK;
}

/* Compares the scores of a tile with what the radius is for each row. Where a pair is within it, the score that stands
 * at the row says so: distances are the same both ways. */
static knng_status
find_within(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns, bool both, knng_err *err)
{
	const knng_cpu *c = w->state;
	knng_status status = KNNG_OK;
	int64_t hits = 0, none = 0;
	read_sides(w, s, rows, columns, false);
	for (int64_t r = 0; r < rows.count && status == KNNG_OK; r++) {
		if (hits + columns.count > c->hits) {
			status = keep_near(w, s, hits, rows, columns, both, err);
			hits = 0;
		}
		c->kernels->compare(s->v + r * c->width, (int32_t)r, columns.count, s->row_threshold[r], s->row_base[r],
				    NULL, s->column_base, s->row_hits, &hits, s->column_hits, &none);
	}
	return status == KNNG_OK ? keep_near(w, s, hits, rows, columns, both, err) : status;
}

/* ---------------------------------------------------------------- components first */

/* The bases and thresholds of components. False: some row has no threshold yet. */
static bool
read_short(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns, bool both)
{
	const knng_cpu *c = w->state;
	const knng_components *p = c->components;
	memcpy(s->short_base, p->x.base + columns.first, (size_t)columns.count * sizeof(float));
	pad(s->short_base, columns.count);
	pad(s->short_column, columns.count);
	return knng_lists_short_thresholds(w, rows, columns.first, p->query->eps, s->short_row) &&
	       (!both || knng_lists_short_thresholds(w, columns, rows.first, p->x.eps, s->short_column));
}

/* What the components of a row of the tile leave over goes to the hits. */
static void
compare_short(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns, bool both, int64_t r,
	      int64_t *nrow, int64_t *ncolumn)
{
	const knng_cpu *c = w->state;
	c->kernels->compare(s->v + r * c->width, (int32_t)r, columns.count, s->short_row[r],
			    c->components->query->base[rows.first + r], both ? s->short_column : NULL, s->short_base,
			    s->row_hits, nrow, s->column_hits, ncolumn);
}

/* Whether they leave so much over that it is quicker to multiply all columns: some rows of the tile are looked at. */
static bool
leaves_much(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns, bool both)
{
	enum { EACH = 8 };
	const knng_cpu *c = w->state;
	const int64_t worth = c->blas ? 8 : 16; /* a pair of its own takes as long as so many of a tile, or more */
	int64_t left = 0, looked = 0;
	for (int64_t r = columns.first / c->tile % EACH; r < rows.count; r += EACH) {
		int64_t nrow = 0, ncolumn = 0;
		compare_short(w, s, rows, columns, both, r, &nrow, &ncolumn);
		left += nrow > ncolumn ? nrow : ncolumn;
		looked += columns.count;
	}
	return left * worth > looked;
}

/* The product of what copies are made of. */
static double
product_of(const knng_search *w, const double *u, const double *v)
{
	const knng_cpu *c = w->state;
	double sum = 0;
	for (int64_t l = 0; l < w->plan->x.d; l++)
		sum += (u[l] * c->scale - c->centre[l]) * (v[l] * c->scale - c->centre[l]);
	return sum;
}

/* The scores of all columns for a row and some others: of copies where these have one row after another, or else from
 * the canonical sums, (7.9). */
static void
score_some(const knng_search *w, knng_cpu_worker *s, int64_t i, const int32_t *columns, int64_t count, float *score)
{
	const knng_cpu *c = w->state;
	int64_t d = w->plan->x.d, ld = w->plan->ld;
	const double *u = c->query->u + i * ld;
	if (c->blas) {
		c->kernels->products(c->query->copy + i * d, c->x.copy, d, columns, count, score);
		return;
	}
	c->kernels->sums(w->plan->metric->sum, u, c->x.u, ld, columns, count, s->sums);
	s->refined += count;
	for (int64_t e = 0; e < count; e++) {
		bool normal = s->sums[e] >= 0x1p-900 && s->sums[e] <= 0x1p1000;
		score[e] = (float)(normal ? c->query->half[i] + c->x.half[columns[e]] - ldexp(s->sums[e], -c->sigma)
					  : product_of(w, u, c->x.u + columns[e] * ld));
	}
}

/* Hits of the components of a row of the tile get the scores of all columns; those that pass with these stay. */
static knng_status
score_hits(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns, int64_t *nrow,
	   int64_t *ncolumn, knng_err *err)
{
	const knng_hit *mine = s->row_hits, *theirs = s->column_hits;
	int64_t a = 0, b = 0, kept = 0, others = 0;
	knng_status status = KNNG_OK;
	while (status == KNNG_OK && (a < *nrow || b < *ncolumn)) {
		int32_t r = a == *nrow || (b < *ncolumn && theirs[b].other < mine[a].to) ? theirs[b].other : mine[a].to;
		int64_t i = a, j = b, n = 0;
		while ((i < *nrow && mine[i].to == r) || (j < *ncolumn && theirs[j].other == r)) {
			int32_t x = i < *nrow && mine[i].to == r ? mine[i].other : INT32_MAX;
			int32_t y = j < *ncolumn && theirs[j].other == r ? theirs[j].to : INT32_MAX;
			s->columns[n++] = (int32_t)columns.first + (x < y ? x : y);
			i += x <= y;
			j += y <= x;
		}
		score_some(w, s, rows.first + r, s->columns, n, s->best);
		for (int64_t e = 0; e < n; e++) {
			int32_t column = s->columns[e] - (int32_t)columns.first;
			float v = s->best[e];
			if (a < i && mine[a].other == column) {
				float q = v - s->column_base[column];
				a++;
				if (q >= s->row_threshold[r])
					s->row_hits[kept++] = (knng_hit){r, column, q};
			}
			if (b < j && theirs[b].to == column) {
				float q = v - s->row_base[r];
				b++;
				if (q >= s->column_threshold[column])
					s->column_hits[others++] = (knng_hit){column, r, q};
			}
		}
		status = knng_task_poll(&w->task, err);
	}
	*nrow = kept;
	*ncolumn = others;
	return status;
}

/* One tile by components. *served: it is done; otherwise all columns have to be multiplied. */
static knng_status
tile_by_components(knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns, bool both, bool *served,
		   knng_err *err)
{
	const knng_cpu *c = w->state;
	knng_components *p = c->components;
	int64_t nrow = 0, ncolumn = 0, d = p->count + 1;
	*served = false;
	if (!read_short(w, s, rows, columns, both))
		return KNNG_OK;
	knng_status status = multiply(w, s, p->query->copy, p->x.copy, d, rows, columns, err);
	if (status != KNNG_OK || leaves_much(w, s, rows, columns, both))
		return status;
	read_sides(w, s, rows, columns, both);
	for (int64_t r = 0; r < rows.count; r++) {
		if (nrow + columns.count > c->hits || ncolumn + columns.count > c->hits) {
			if ((status = score_hits(w, s, rows, columns, &nrow, &ncolumn, err)) != KNNG_OK)
				return status;
			hand_over(w, s, rows, columns, &nrow, &ncolumn);
		}
		compare_short(w, s, rows, columns, both, r, &nrow, &ncolumn);
	}
	if ((status = score_hits(w, s, rows, columns, &nrow, &ncolumn, err)) != KNNG_OK)
		return status;
	hand_over(w, s, rows, columns, &nrow, &ncolumn);
	*served = true;
	return KNNG_OK;
}

/* ---------------------------------------------------------------- a tile of the single-precision level */

knng_status
knng_tile_f32(knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns, bool both, knng_err *err)
{
	const knng_cpu *c = w->state;
	bool diagonal = c->query == &c->x && rows.first == columns.first, served = false;
	knng_status status = KNNG_OK;
	if (c->components != NULL && !diagonal && knng_components_turn(c->components)) {
		status = tile_by_components(w, s, rows, columns, both, &served, err);
		knng_components_note(c->components, served);
	}
	if (status == KNNG_OK && !served)
		status = multiply(w, s, c->query->copy, c->x.copy, w->plan->x.d, rows, columns, err);
	if (status != KNNG_OK || served)
		return status;
	orient(w, c, s->v, rows.count, columns.count);
	if (w->plan->opt.range != NULL)
		return find_within(w, s, rows, columns, both, err);
	for (int64_t r = 0; diagonal && r < rows.count; r++)
		s->v[r * c->width + r] = -INFINITY;
	read_sides(w, s, rows, columns, both);
	compare_tile(w, s, rows, columns, both);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- double precision */

/* Rows of u as the double level multiplies them. */
static void
centre_rows(const knng_search *w, const knng_cpu *c, const double *u, double *y)
{
	for (int64_t l = 0; l < w->plan->x.d; l++)
		y[l] = u[l] * c->scale - c->centre[l];
}

/* Products of the centred rows of both operands, in s->v64. */
static void
multiply_f64(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns)
{
	const knng_cpu *c = w->state;
	int64_t d = w->plan->x.d, ld = w->plan->ld;
	double *yc = s->y + ROWS_F64 * d;
	for (int64_t r = 0; r < rows.count; r++)
		centre_rows(w, c, c->query->u + w->pending[rows.first + r] * ld, s->y + r * d);
	for (int64_t j = 0; j < columns.count; j++)
		centre_rows(w, c, c->x.u + (columns.first + j) * ld, yc + j * d);
	(c->blas64 ? knng_blas_tile64 : c->kernels->tile64)(s->y, yc, d, rows.count, columns.count, s->v64,
							    COLUMNS_F64);
}

/* Scores from the products, as far from 0 as the row's offset says: all that they are compared with lies in them. */
static void
score_f64(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns)
{
	const knng_cpu *c = w->state;
	knng_sum sum = w->plan->metric->sum;
	double base[COLUMNS_F64];
	for (int64_t j = 0; j < columns.count; j++)
		base[j] = c->x.half[columns.first + j] - knng_eps_of(w, &c->x, columns.first + j, 0);
	for (int64_t r = 0; r < rows.count; r++) {
		int64_t i = w->pending[rows.first + r], own = i - columns.first;
		float *v = s->v + r * c->width;
		c->kernels->scores64(sum, s->v64 + r * COLUMNS_F64, base, c->offset[i], columns.count, v);
		if (c->query == &c->x && own >= 0 && own < columns.count)
			v[own] = -INFINITY;
		s->row_base[r] = 0;
	}
	for (int64_t j = 0; j < columns.count; j++)
		s->column_base[j] = 0;
	pad(s->column_base, columns.count);
}

void
knng_tile_f64(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns)
{
	multiply_f64(w, s, rows, columns);
	score_f64(w, s, rows, columns);
	knng_lists_thresholds(w, rows, columns.first, s->row_threshold);
	compare_tile(w, s, rows, columns, false);
}

/* ---------------------------------------------------------------- exact sums */

/* Every pair's canonical sum; what may be near enough is kept. */
void
knng_tile_scan(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns)
{
	const knng_cpu *c = w->state;
	int64_t ld = w->plan->ld;
	for (int64_t r = 0; r < rows.count; r++) {
		int64_t i = w->pending[rows.first + r], n = 0;
		for (int64_t j = 0; j < columns.count; j++)
			s->columns[j] = (int32_t)(columns.first + j); /* lists that are pruned use it too */
		c->kernels->sums(w->plan->metric->sum, c->query->u + i * ld, c->x.u, ld, s->columns, columns.count,
				 s->sums);
		double limit = knng_lists_limit(w, rows, rows.first + r);
		/* No more than COLUMNS_SCAN of them, and there is room for 4096. */
		for (int64_t j = 0; j < columns.count; j++)
			if (!(s->sums[j] > limit) && !(c->query == &c->x && columns.first + j == i))
				s->row_hits[n++] = (knng_hit){(int32_t)r, (int32_t)j, 0};
		knng_lists_add(w, s, s->row_hits, n, rows, columns.first);
		s->refined += columns.count;
	}
}
