/* begin.cu  Before the tiles of a level: the centre, copies of the rows with their bounds, first thresholds. */
#include "cuda/search/backend_cuda.h"
#include "cuda/search/fused.h"
#include "cuda/search/products.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Takes the centre of a searcher's copies, unless it is of none, or the numbers of the search have another size: any
 * centre and any exponent are right that both sides have, and |y| may be far above 2 here (docs/canonical.md, 6). */
static bool
stays(const resident *r, double largest, centring *t)
{
	enum { NEAR = 24 }; /* exponents */
	double *centre = t->centre;
	bool integers = t->integers;
	int exponent = core->exponent(largest, &integers);
	if (r->exponent == INT32_MIN || exponent > r->exponent + NEAR || exponent < r->exponent - NEAR)
		return false;
	memcpy(centre, r->t.centre, (size_t)r->rows.ld * sizeof *centre);
	*t = r->t;
	t->centre = centre;
	t->integers = r->t.integers && integers;
	return true;
}

/* Keeps the centre for the searches that follow. Copies around another one are of no use any more. */
static void
settle_on(resident *r, const centring *t, int exponent, int64_t ld)
{
	double *centre = r->t.centre;
	r->level = -1;
	memcpy(centre, t->centre, (size_t)ld * sizeof *centre);
	r->t = *t;
	r->t.centre = centre;
	r->exponent = exponent;
}

/* The centre, from a sample of the rows as they came: metrics that have one do not change them. */
static knng_status
choose_centre(knng_search *w, centring *t, knng_err *err)
{
	double *centre = t->centre;
	memset(centre, 0, (size_t)w->plan->ld * sizeof *centre);
	unit *g = &((gpu *)w->state)->units[0];
	resident *r = ((gpu *)w->state)->resident;
	const knng_plan *plan = w->plan;
	unsigned long long extent[2];
	knng_status status = KNNG_OK;
	int device = g->device, exponent = 0;
	int64_t ld = plan->ld, rows = SAMPLE_BYTES / (8 * ld);
	double *sample = (double *)((const gpu *)w->state)->pinned[0], largest; /* nothing is on its way now */
	prepared from = g->columns;
	int32_t *picks = NULL;
	const int32_t *ids = NULL;
	rows = rows > (int64_t)SAMPLE_ROWS ? (int64_t)SAMPLE_ROWS : rows < 1 ? 1 : rows;
	rows = rows > w->x.count ? w->x.count : rows;
	rows = rows > plan->panel ? plan->panel : rows;
	bool zero = true;
	if ((status = extents((const gpu *)w->state, extent, err)) != KNNG_OK)
		goto out;
	memcpy(&largest, &extent[0], 8);
	t->integers = extent[1] == 0;
	if (r != NULL && stays(r, largest, t))
		goto out;
	picks = (int32_t *)host->alloc(rows, sizeof *picks);
	if (picks == NULL) {
		status = host->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
		goto out;
	}
	for (int64_t a = 0; a < rows; a++)
		picks[a] = (int32_t)(rows == w->x.count ? a
							: (int64_t)((unsigned long long)a * 2654435761u %
								    (unsigned long long)w->x.count));
	if (streams(plan)) {
		if ((status = hold(w, false, 0, picks, (knng_block){0, rows}, 1, err)) != KNNG_OK)
			goto out;
		((gpu *)w->state)->held[0].count = 0; /* the picks end here */
		TRY(cudaSetDevice(device));
		from = g->room[0];
	} else {
		ids = g->ids;
		TRY(cudaMemcpyAsync(g->ids, picks, (size_t)rows * 4, cudaMemcpyHostToDevice, g->s->list));
	}
	launch_gather(from, ld, ids, NULL, 1, rows, (double *)g->raw[0], g->s->list);
	TRY_LAUNCH();
	TRY(cudaMemcpyAsync(sample, g->raw[0], (size_t)(rows * ld * 8), cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	exponent = core->centre(sample, rows, plan->x.d, ld, largest, knng_reach(plan), &t->integers, centre);
	for (int64_t l = 0; l < plan->x.d; l++)
		zero = zero && centre[l] == 0;
	t->scale = ldexp(1, -exponent);
	t->centred = !zero || exponent != 0;
	t->sigma = knng_by_products(plan->metric) ? 2 * exponent + 1 : exponent;
	if (!knng_by_products(plan->metric))
		t->unit = core->unit(sample, rows, plan->x.d, ld, exponent, centre, plan->metric->sum == KNNG_SUM_LINF);
	if (r != NULL)
		settle_on(r, t, exponent, ld);
out:
	host->free(picks);
	return status;
}

/* The operands of a search and how many points each has; in a graph both are one. */
typedef struct {
	operand *operand;
	int64_t count;
} part;

static int
parts_of(const knng_search *w, unit *g, part parts[2])
{
	parts[0].operand = &g->x;
	parts[0].count = w->x.count;
	parts[1].operand = g->query;
	parts[1].count = w->query->count;
	return g->query == &g->x ? 1 : 2;
}

/* What is made of prepared rows: of points `part` of an operand, whose rows a device has. */
typedef void making(const knng_search *w, unit *g, const operand *to, prepared rows, knng_block part);

typedef struct {
	making *make;
	bool queries;
	knng_block part;
} span;

static knng_status
rows_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const span *s = (const span *)context;
	unit *g = &((gpu *)w->state)->units[i];
	prepared all = s->queries ? g->rows : g->columns;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	s->make(w, g, s->queries ? &g->q : &g->x, streams(w->plan) ? g->room[0] : rows_from(all, s->part.first),
		s->part);
	TRY_LAUNCH();
out:
	return status;
}

/* Makes it on every device of all points of both operands, panel by panel. */
static knng_status
on_panels(knng_search *w, making *make, knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	int64_t panel = w->plan->panel;
	knng_status status = KNNG_OK;
	for (int q = 0; q <= (w->query != &w->x); q++) {
		int64_t count = q ? w->query->count : w->x.count;
		for (int64_t first = 0; status == KNNG_OK && first < count; first += panel) {
			span s = {make, q > 0, {first, count - first < panel ? count - first : panel}};
			if (streams(w->plan))
				status = hold(w, s.queries, 0, NULL, s.part, c->n, err);
			if (status == KNNG_OK)
				status = on_devices(w, rows_job, &s, err);
		}
	}
	return status;
}

/* What is taken from the rows and what they are multiplied by, of the level. */
static const centring *
taken(const knng_search *w)
{
	return &((const gpu *)w->state)->t;
}

static const double *
centre_of(const knng_search *w, const unit *g)
{
	return taken(w)->centred ? g->centre : NULL;
}

/* The copies of the half-precision level, and their bounds. Integers are exact while no product passes 2^11. */
static const float EXACT_LENGTH = 45;

static void
make_lengths(const knng_search *w, unit *g, const operand *to, prepared rows, knng_block part)
{
	launch_lengths(rows, centre_of(w, g), taken(w)->scale, part.count, w->plan->x.d, to->half + part.first,
		       (unsigned *)g->flag, g->s->list);
}

/* One scale for all copies, where the lengths of the rows allow it. */
static knng_status
scale_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	const gpu *c = (const gpu *)w->state;
	unit *g = &c->units[i];
	knng_status status = KNNG_OK;
	int device = g->device, e;
	unsigned found[2];
	float longest, shortest;
	TRY(cudaSetDevice(device));
	TRY(cudaMemcpyAsync(found, g->flag, sizeof found, cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	found[1] = ~found[1];
	memcpy(&longest, &found[0], sizeof longest);
	memcpy(&shortest, &found[1], sizeof shortest);
	g->l.exact = c->t.integers && w->plan->metric->sum == KNNG_SUM_MINUS && longest < EXACT_LENGTH;
	g->l.alike = longest > 0x1p-30f && shortest > longest * 0x1p-8f;
	g->common = 0;
	if (g->l.alike) {
		frexpf(longest, &e);
		g->common = ldexpf(1, e - 7);
	}
out:
	return status;
}

static void
make_halves(const knng_search *w, unit *g, const operand *to, prepared rows, knng_block part)
{
	int64_t first = part.first, ld = w->plan->ld;
	launch_halve(rows, centre_of(w, g), taken(w)->scale, g->common, to->f + first * ld, to->scale + first,
		     part.count, w->plan->x.d, to->half + first, to->base + first, to->eps + first, (unsigned *)g->flag,
		     g->s->list);
}

/* Of copies in two pieces the bounds alone: each tile makes them for itself. The scales are those of the level before.
 */
static void
make_pieces(const knng_search *w, unit *g, const operand *to, prepared rows, knng_block part)
{
	int64_t first = part.first;
	launch_pieces(rows, centre_of(w, g), taken(w)->scale, to->scale + first, part.count, w->plan->x.d,
		      to->half + first, to->base + first, to->eps + first, (unsigned *)g->flag, g->s->list);
}

/* Of differences: copies in whole numbers; and of those in single precision, which each tile makes, the bounds. */
static void
make_grids(const knng_search *w, unit *g, const operand *to, prepared rows, knng_block part)
{
	int64_t first = part.first;
	launch_grid(w->plan->metric->sum, rows, centre_of(w, g), taken(w)->scale, taken(w)->unit,
		    (char *)to->f + first * grid_bytes(w->plan->metric->sum, w->plan->ld), to->scale + first,
		    part.count, w->plan->x.d, to->half + first, to->eps + first, g->s->list);
}

static void
make_singles(const knng_search *w, unit *g, const operand *to, prepared rows, knng_block part)
{
	int64_t first = part.first;
	launch_singles(w->plan->metric->sum, rows, centre_of(w, g), taken(w)->scale, to->scale + first, part.count,
		       w->plan->x.d, to->half + first, to->eps + first, g->s->list);
}

/* The bounds of the double level. */
static void
make_measures(const knng_search *w, unit *g, const operand *to, prepared rows, knng_block part)
{
	launch_measure(w->plan->metric->sum, rows, centre_of(w, g), taken(w)->scale, part.count, w->plan->x.d,
		       to->half + part.first, to->eps + part.first, g->flag, g->s->list);
}

static knng_status
bound_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	const gpu *c = (const gpu *)w->state;
	part parts[2];
	unit *g = &c->units[i];
	int many = parts_of(w, g, parts), device = g->device;
	knng_status status = KNNG_OK;
	TRY(cudaSetDevice(device));
	for (int p = 0; p < many; p++) {
		operand *s = parts[p].operand;
		if (parts[p].count > 0)
			launch_bound(g->l.exact, w->level == KNNG_LEVEL_F32,
				     c->fused && fused_in_parts(3 * w->plan->ld), w->plan->x.d, s->half, s->eps,
				     s->base, parts[p].count, (unsigned *)g->flag, g->s->list);
		TRY_LAUNCH();
	}
out:
	return status;
}

static knng_status
base_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	const gpu *c = (const gpu *)w->state;
	part parts[2];
	unit *g = &c->units[i];
	int many = parts_of(w, g, parts), device = g->device;
	int32_t large = 0;
	knng_status status = KNNG_OK;
	TRY(cudaSetDevice(device));
	TRY(cudaMemcpyAsync(&large, g->flag, 4, cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	g->l.exact = c->t.integers && w->plan->metric->sum == KNNG_SUM_MINUS && !large;
	for (int p = 0; p < many; p++) {
		operand *s = parts[p].operand;
		if (parts[p].count > 0)
			launch_base(g->l.exact, s->half, s->eps, s->base, parts[p].count, g->s->list);
		TRY_LAUNCH();
	}
out:
	return status;
}

static knng_status
centre_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	const gpu *c = (const gpu *)w->state;
	unit *g = &c->units[i];
	bool halves = w->level != KNNG_LEVEL_F64;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	TRY_BLAS(cublasSetMathMode(g->s->blas, halves ? PRODUCTS_MODE : CUBLAS_PEDANTIC_MATH));
	if (c->t.centred)
		TRY(cudaMemcpyAsync(g->centre, c->t.centre, (size_t)w->plan->ld * 8, cudaMemcpyHostToDevice,
				    g->s->list));
	g->l.sigma = c->t.sigma;
	g->l.exact = false; /* until that is known */
	g->l.alike = g->l.alike || !knng_by_products(w->plan->metric);
	TRY(cudaMemsetAsync(g->flag, 0, EXTENTS * sizeof(unsigned), g->s->list));
out:
	return status;
}

/* Makes it on every device of all points of one operand, which lie there. */
static knng_status
make_all(knng_search *w, making *make, bool queries, knng_err *err)
{
	span s = {make, queries, {0, queries ? w->query->count : w->x.count}};
	return s.part.count > 0 ? on_devices(w, rows_job, &s, err) : KNNG_OK;
}

/* What the makers leave of each of a searcher's references, to where it stays or from there. */
static knng_status
copy_made(const knng_search *w, bool there, knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	const unit *g = &c->units[0];
	const operand *from = there ? &c->resident->x : &g->x, *to = there ? &g->x : &c->resident->x;
	size_t n = (size_t)w->x.count;
	cudaStream_t stream = g->s->list;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	TRY(cudaMemcpyAsync(to->scale, from->scale, n * 4, cudaMemcpyDeviceToDevice, stream));
	TRY(cudaMemcpyAsync(to->half, from->half, n * 8, cudaMemcpyDeviceToDevice, stream));
	TRY(cudaMemcpyAsync(to->eps, from->eps, n * 8, cudaMemcpyDeviceToDevice, stream));
	TRY(cudaMemcpyAsync(to->base, from->base, n * 8, cudaMemcpyDeviceToDevice, stream));
out:
	return status;
}

/* Flags [from, EXTENTS) of the device, while the references alone have left any there. */
static knng_status
read_found(const knng_search *w, int from, knng_err *err)
{
	const unit *g = &((const gpu *)w->state)->units[0];
	resident *r = ((const gpu *)w->state)->resident;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	TRY(cudaMemcpyAsync(r->found + from, g->flag + from, (size_t)(EXTENTS - from) * sizeof *r->found,
			    cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

/* Copies of a searcher's references, which stay. */
static knng_status
make_resident(knng_search *w, making *make, knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	resident *r = c->resident;
	bool stays = w->level == KNNG_LEVEL_F16 || w->query == &w->x;
	if (stays)
		r->level = -1; /* until it is done */
	knng_status status = make_all(w, make, false, err);
	if (status != KNNG_OK || !stays)
		return status;
	if ((status = copy_made(w, false, err)) != KNNG_OK ||
	    (status = read_found(w, has_halves(w->plan, w->level) ? 2 : 0, err)) != KNNG_OK)
		return status;
	r->common = c->units[0].common;
	r->level = w->level;
	return status;
}

/* Copies of the level where the references are a searcher's: theirs are there, unless queries have another scale. */
static knng_status
make_queries(knng_search *w, making *make, knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	const unit *g = &c->units[0];
	resident *r = c->resident;
	bool halves = has_halves(w->plan, w->level), kept = r->level == w->level, queries = w->query != &w->x;
	bool others = false;
	knng_status status = KNNG_OK;
	int device = g->device;
	if (kept) {
		TRY(cudaSetDevice(device));
		TRY(cudaMemcpyAsync(g->flag, r->found, sizeof r->found, cudaMemcpyHostToDevice, g->s->list));
	} else if (halves && ((status = make_all(w, make_lengths, false, err)) != KNNG_OK ||
			      (status = read_found(w, 0, err)) != KNNG_OK)) {
		return status;
	}
	if (halves && queries)
		status = make_all(w, make_lengths, true, err);
	if (status == KNNG_OK && halves)
		status = on_devices(w, scale_job, NULL, err);
	others = kept && halves && g->common != r->common;
#ifdef KNNG_PLANT_STAYS /* what the tests must find: copies that stay where the queries need others */
	others = others && (getenv("KNNG_PLANT") == NULL || strcmp(getenv("KNNG_PLANT"), "stays") != 0);
#endif
	if (status == KNNG_OK && others) {
		r->level = -1;
		status = on_devices(w, centre_job, NULL, err);
		return status == KNNG_OK ? make_queries(w, make, err) : status;
	}
	if (status == KNNG_OK)
		status = kept ? copy_made(w, true, err) : make_resident(w, make, err);
	if (status == KNNG_OK && queries)
		status = make_all(w, make, true, err);
out:
	return status;
}

/* Copies and bounds of the level. */
static knng_status
begin_products(knng_search *w, knng_err *err)
{
	/* of products and of differences, by level: f16, f32, f64 */
	static making *const makers[2][KNNG_LEVEL_SCAN] = {{make_halves, make_pieces, make_measures},
							   {make_grids, make_singles, make_measures}};
	bool differences = !knng_by_products(w->plan->metric), bounded = differences || w->level == KNNG_LEVEL_F64;
	bool resident = ((const gpu *)w->state)->resident != NULL;
	making *make = makers[differences][w->level];
	knng_status status = on_devices(w, centre_job, NULL, err);
	if (status == KNNG_OK && resident)
		status = make_queries(w, make, err);
	if (status == KNNG_OK && !resident && has_halves(w->plan, w->level))
		status = on_panels(w, make_lengths, err);
	if (status == KNNG_OK && !resident && has_halves(w->plan, w->level))
		status = on_devices(w, scale_job, NULL, err);
	if (status == KNNG_OK && !resident)
		status = on_panels(w, make, err);
	return status == KNNG_OK ? on_devices(w, bounded ? base_job : bound_job, NULL, err) : status;
}

/* The rows of the level whose first thresholds are device i's to find. */
static knng_block
first_rows(const knng_search *w, int64_t i)
{
	int64_t height = side_of(w->plan, w->level), n = cuda_workers(w);
	int64_t tiles = i < n ? (w->npending + height - 1) / height : 0;
	int64_t from = tiles * i / n * height, to = tiles * (i + 1) / n * height;
	to = to < w->npending ? to : w->npending;
	return (knng_block){from, to > from ? to - from : 0};
}

/* The rows from place `first` on, at most `height` of them before `end`, that find their first thresholds together, and
 * the columns among which: the tile on the diagonal; of queries, and of the rows of a block, the first columns; of two
 * sides the first columns of the other one. No tile lies in two blocks of rows, nor of columns where rows are streamed,
 * since those come by whole blocks: where a side begins within a block the columns are those in it, or the next ones if
 * they are more.
 */
static void
first_tile(const knng_search *w, int64_t first, int64_t end, int64_t height, int64_t side, knng_block *rows,
	   knng_block *columns)
{
	int64_t from = w->triangle ? first : 0, to = w->x.count;
	if (w->plan->opt.split > 0) {
		bool one = first < w->first_side;
		from = one ? w->split : 0;
		to = one ? to : w->split;
		end = one && w->first_side < end ? w->first_side : end;
	}
	int64_t below = (first / height + 1) * height, behind = (from + side - 1) / side * side;
	if (behind - from < to - behind)
		from = behind;
	behind = (from / side + 1) * side;
	*rows = (knng_block){first, (end < below ? end : below) - first};
	to = to < behind ? to : behind;
	if (w->triangle && w->plan->opt.split == 0 && !streams(w->plan) &&
	    to - from < side) /* few columns prove little */
		from = to < side ? 0 : to - side;
	*columns = (knng_block){from, to - from};
}

/* How many rows have to be searched at least, so that so few pairs pass that it is quicker not to store scores: some
 * thousand for each neighbour. Fewer of short rows, of which scores take longer to store than to make, and of long ones
 * of length one, whose products take longer and are tested by the best of them; and the fewer, the longer rows are that
 * do not lie in registers. Hits of rows in two pieces have half the room. As measured. */
static int64_t
fewest_fused(const knng_search *w, int64_t ld, bool pieces)
{
	enum { FEW = 8000, FEW_OTHERS = 4000, SHORT = 96, LONG = 256, FEATURES = 1500000, TILE = 8192, PIECES = 128 };
	bool alike = w->plan->metric->prep != KNNG_PREP_NONE;
	if (pieces && ld >= KNNG_TENSOR_PART && w->k * PIECES > TILE)
		return w->k * PIECES;
	if (ld > FUSED_IN_REGISTERS)
		return ld >= KNNG_TENSOR_PART || w->k * FEATURES < ld * TILE ? (int64_t)TILE : w->k * FEATURES / ld;
	return w->k * (ld <= SHORT || (alike && ld >= LONG) ? FEW_OTHERS : FEW);
}

/* Tiles of the level, of copies with one scale; one whose size is asked for is made as it can be. Of the longest rows
 * cuBLAS makes the products sooner. Of copies in two pieces the bounds rest on it: it is one for all blocks of rows. */
static bool
is_fused(const knng_search *w, int level)
{
	enum { LONGEST = 4096, LONGEST_PIECES = 3 * 4096 };
	const gpu *c = (const gpu *)w->state;
	bool halves = has_halves(w->plan, level), asked = w->plan->opt.tile > 0;
	int64_t ld = halves ? w->plan->ld : 3 * w->plan->ld;
	bool yes = halves || (level == KNNG_LEVEL_F32 && knng_by_products(w->plan->metric) && !streams(w->plan));
	yes = yes && ld <= (halves ? LONGEST : LONGEST_PIECES) && (asked || w->x.count >= fewest_fused(w, ld, !halves));
	for (int i = 0; i < c->n; i++)
		yes = yes && c->units[i].l.alike && fused_needs(ld, !halves) <= c->units[i].fusible;
	return yes;
}

/* z where a normal number is above z with probability p <= 1/2: Abramowitz and Stegun, 26.2.22. */
static double
above(double p)
{
	double t = sqrt(-2 * log(p));
	return t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t));
}

/* How many columns of the first tile may pass the first threshold of a row, where differences are compared in whole
 * numbers. In the end k + 50 + n / 400 may be left: their exact distances take about what bytes save beside single
 * precision, as measured, and halves save half of that. If scores are normal, the k-th best of the tile and of all
 * columns are as many deviations from what may be left. */
static int64_t
few_of(const knng_search *w, const unit *g)
{
	double n = (double)w->x.count, nc = fmin(n, (double)side_of(w->plan, w->level)), k = (double)w->k;
	double left = k + 50 + n / (w->plan->metric->sum == KNNG_SUM_LINF ? 800 : 400);
	if (k < 1 || g->l.room == INT64_MAX || 2 * left > n || 2 * k > nc)
		return INT64_MAX;
	double apart = above(k / n) - above(left / n);
	return (int64_t)(nc * erfc((above(k / nc) - apart) / sqrt(2.)) / 2);
}

/* The same where copies in one half are multiplied, and two halves would be compared while they are made: in the end
 * k + 50 + n / 100 may be left, as measured; fewer of rows in double precision, whose distances take longer. Pairs that
 * are exact are as many at the next level. For few queries the second halves of all rows take longer than exact
 * distances. */
static void
find_dense(const knng_search *w, lists *l)
{
	enum { FEW_QUERIES = 256 };
	double n = (double)w->x.count, nc = fmin(n, (double)side_of(w->plan, w->level)), k = (double)w->k;
	double more = 50 + n / (w->plan->single ? 100 : 170);
	l->dense[0] = l->dense[1] = INT64_MAX;
	l->share = (int64_t)ceil(k * nc / n);
	if (!has_halves(w->plan, w->level) || !is_fused(w, KNNG_LEVEL_F32) || l->exact || l->room == INT64_MAX ||
	    w->npending < w->x.count / FEW_QUERIES || 2 * (k + more) > n || 2 * k > nc)
		return;
	l->dense[0] = l->share + (int64_t)(more * nc / n);
	l->dense[1] = (int64_t)(k + more);
}

static knng_status
first_thresholds(knng_search *w, unit *g, knng_block rows, knng_block columns, knng_err *err)
{
	tile made;
	knng_status status = host->poll(&w->task, err);
	int device = g->device;
	if (status != KNNG_OK || (status = make_tile(w, g, rows, columns, &made, err)) != KNNG_OK)
		goto out;
	launch_first_thresholds(g->l, made, g->s->list);
	TRY_LAUNCH();
	status = tile_done(g, err);
out:
	return status;
}

/* What they counted: lists::queued, from `from` on. */
static knng_status
read_counts(unit *g, int from, int32_t count[QUEUED], knng_err *err)
{
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaMemcpyAsync(count + from, g->l.queued + from, (size_t)(QUEUED - from) * 4, cudaMemcpyDeviceToHost,
			    g->s->list));
	TRY(cudaStreamSynchronize(g->s->list)); /* other devices read the thresholds */
out:
	return status;
}

/* Where too many columns of the first tile pass, some of the rows are looked at again among columns half of all rows
 * away: what is near may lie beside the rows alone. */
static knng_status
look_elsewhere(knng_search *w, unit *g, knng_block mine, bool *everywhere, knng_err *err)
{
	int64_t side = side_of(w->plan, w->level), many = (w->x.count + side - 1) / side;
	int64_t own = w->triangle ? mine.first / side : 0;
	knng_block rows = {mine.first, mine.count < side ? mine.count : side};
	knng_block columns = panel_of((own + many / 2) % many, side, w->x.count);
	int32_t count[QUEUED];
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaMemsetAsync(g->l.queued + 5, 0, 8, g->s->list));
	if ((status = first_thresholds(w, g, rows, columns, err)) == KNNG_OK)
		status = read_counts(g, 5, count, err);
	*everywhere = status == KNNG_OK && count[5] > rows.count / 2;
out:
	return status;
}

/* First thresholds of some rows. */
static knng_status
begin_thresholds(knng_search *w, unit *g, knng_block mine, knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t height = side_of(w->plan, w->level), side = height, end = mine.first + mine.count;
	int32_t count[QUEUED] = {};
	bool everywhere = false;
	g->crowded = 0;
	for (int64_t first = mine.first; first < end && g->l.k > 0;) {
		knng_block rows, columns;
		first_tile(w, first, end, height, side, &rows, &columns);
		first += rows.count;
		if (columns.count > 0 && (status = first_thresholds(w, g, rows, columns, err)) != KNNG_OK)
			return status;
	}
	if ((status = read_counts(g, 2, count, err)) != KNNG_OK)
		return status;
	if (count[2] > mine.count / 256)
		g->apart = count[2] > mine.count / 2 ? (int)MANY : g->patience;
	if (count[3] > mine.count / 2)
		g->small = g->patience = MANY;
	if (!has_halves(w->plan, w->level)) {
		g->crowded = count[2];
		return status;
	}
	if (count[5] > mine.count / 2 && count[6] <= mine.count / 2 && w->plan->opt.split == 0 && w->x.count > side)
		status = look_elsewhere(w, g, mine, &everywhere, err);
	g->crowded = everywhere ? mine.count : count[6];
	return status;
}

static knng_status
begin_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	const gpu *c = (const gpu *)w->state;
	unit *g = &c->units[i];
	knng_status status = KNNG_OK;
	int device = g->device;
	int64_t first = w->pending[0]; /* all pending points are of one block */
	TRY(cudaSetDevice(device));
	g->l.key = g->held.key - first * g->l.capacity;
	g->l.column = g->held.column - first * g->l.capacity;
	g->l.used = g->held.used - first;
	g->l.threshold = g->held.threshold - first;
	g->l.bound = g->held.bound - first;
	g->l.radius = g->held.radius - first;
	g->l.spent = g->held.spent - first;
	g->l.k = w->k;
	g->l.candidates = w->query == &w->x ? w->x.count - 1 : w->x.count;
	g->l.room = g->l.capacity >= g->l.candidates ? INT64_MAX : g->l.capacity - (g->l.capacity - g->l.k + 1) / 2;
	g->l.few = w->level != KNNG_LEVEL_F16 || !g->l.alike ? INT64_MAX
		   : !has_halves(w->plan, w->level)          ? few_of(w, g)
		   : c->fused && g->l.room < INT64_MAX ? g->l.k + (g->l.room - g->l.k) / 3 /* of a part of a tile */
						       : g->l.room;
	find_dense(w, &g->l);
	/* What takes about as long as the next level does with the row, as measured with 10 to 4 096 features. */
	g->l.budget = g->l.capacity + g->l.candidates / 100;
	if (streams(w->plan) || g->l.capacity > REFINED)
		g->l.budget = 0;
	g->l.active = 0;
	g->compared[0].there = g->compared[1].there = false;
	g->small = g->apart = 0;
	g->patience = 4;
	memset(g->met, 0, (size_t)lists_met(w->plan) * sizeof *g->met);
	TRY(cudaMemsetAsync(g->l.queued, 0, QUEUED * 4, g->s->list));
	TRY(cudaMemcpyAsync(g->ids, w->pending, (size_t)w->npending * 4, cudaMemcpyHostToDevice, g->s->list));
	if (w->level == KNNG_LEVEL_SCAN) {
		/* Scores are negated distances from here on; nothing is taken from them. */
		g->l.exact = true;
		TRY(cudaMemsetAsync(g->x.base, 0, (size_t)w->x.count * 8, g->s->list));
		TRY(cudaMemsetAsync(g->query->base, 0, (size_t)w->query->count * 8, g->s->list));
	}
	if (c->within != NULL && w->level != KNNG_LEVEL_SCAN) {
		int64_t count = w->pending[w->npending - 1] - first + 1;
		TRY(cudaMemcpyAsync(g->held.radius, c->within + first, (size_t)count * 8, cudaMemcpyHostToDevice,
				    g->s->list));
	}
	launch_reset(g->l, w->npending, w->level != KNNG_LEVEL_SCAN, c->within != NULL, g->s->list);
	TRY_LAUNCH();
	TRY(cudaStreamSynchronize(g->s->list)); /* the other stream reads these */
out:
	return status;
}

static knng_status
thresholds_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	unit *g = &((gpu *)w->state)->units[i];
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	status = begin_thresholds(w, g, first_rows(w, i), err);
out:
	return status;
}

/* Every device takes over the first thresholds that the others found. */
static knng_status
share_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	const gpu *c = (const gpu *)w->state;
	const unit *g = &c->units[i];
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	for (int64_t o = 0; o < c->n; o++) {
		const unit *other = &c->units[o];
		knng_block theirs = first_rows(w, o);
		if (o == i || theirs.count == 0)
			continue;
		int64_t from = w->pending[theirs.first];
		size_t bytes = (size_t)(w->pending[theirs.first + theirs.count - 1] - from + 1) * 8;
		TRY(cudaMemcpyPeerAsync(g->l.threshold + from, device, other->l.threshold + from, other->device, bytes,
					g->s->list));
		TRY(cudaMemcpyPeerAsync(g->l.radius + from, device, other->l.radius + from, other->device, bytes,
					g->s->list));
	}
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

/* Where the copies of the first level do not do for half of the rows, it is passed over, now and for later blocks. */
static void
pass_over_coarse(knng_search *w)
{
	gpu *c = (gpu *)w->state;
	int64_t crowded = 0;
	for (int i = 0; i < c->n; i++)
		crowded += c->units[i].crowded;
	w->skips = crowded > w->npending / 2;
	c->coarse = !w->skips;
}

knng_status
cuda_begin(knng_search *w, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	knng_status status = KNNG_OK;
	for (int64_t p = 0; p < w->npending; p++)
		c->place[w->pending[p]] = (int32_t)p;
	c->certified = NULL;
	c->held[0].count = c->held[1].count = 0; /* other points are pending */
	if (w->level != KNNG_LEVEL_SCAN && c->copied != w->level) {
		c->t = (centring){1, c->t.centre, false, 1, false, 1};
		if (has_centre(w->plan->metric) && w->x.count > 0)
			status = choose_centre(w, &c->t, err);
	}
	c->fused = is_fused(w, w->level); /* copies in one half show whether all have one scale */
	if (status == KNNG_OK && w->level != KNNG_LEVEL_SCAN && c->copied != w->level)
		status = begin_products(w, err);
	c->copied = status == KNNG_OK ? w->level : -1;
	if (w->npending == 0) /* a searcher is made, and has its copies now */
		return status;
	c->fused = is_fused(w, w->level);
	if (c->fused)
		snprintf(w->info->product, sizeof w->info->product, "own");
	if (status == KNNG_OK)
		status = on_devices(w, begin_job, NULL, err);
	if (status == KNNG_OK && w->level != KNNG_LEVEL_SCAN)
		status = core->parallel(w, cuda_workers(w), cuda_workers(w), thresholds_job, NULL, err);
	if (status == KNNG_OK && w->level != KNNG_LEVEL_SCAN && c->n > 1)
		status = on_devices(w, share_job, NULL, err);
	if (status == KNNG_OK && w->level == KNNG_LEVEL_F16)
		pass_over_coarse(w);
	return status;
}
