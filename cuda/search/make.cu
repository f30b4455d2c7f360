/* make.cu  The tiles of scores, by precision level: each level has its maker. */
#include "cuda/search/backend_cuda.h"
#include "cuda/search/fused.h"
#include "cuda/search/products.h"

#include <stdlib.h>
#include <string.h>

/* What a tile is made of on a device: rows and columns where they lie there, and its scores. */
typedef struct {
	const knng_search *w;
	unit *g;
	prepared rows, columns; /* row 0: of the first of the tile, but for rows that are taken by number */
	const int32_t *ids;     /* numbers of the rows, NULL: they lie in order */
	const int32_t *points;  /* of the rows, on the device */
	int64_t first, column0; /* point of the first row and of the first column */
	int64_t nr, nc;
	void *v; /* row stride width */
	int64_t width;
} operands;

typedef knng_status tile_maker(const operands *o, knng_err *err);

static const double *
centre_of(const operands *o)
{
	return ((const gpu *)o->w->state)->t.centred ? o->g->centre : NULL;
}

/* f16: products of half-precision copies. Whole groups of eight, which cuBLAS's fast kernels ask for: what lies beyond
 * the last row is never looked at. */
static knng_status
tile_of_halves(const operands *o, knng_err *err)
{
	unit *g = o->g;
	int64_t ld = o->w->plan->ld, nc = up_to(o->nc, 8), nr = up_to(o->nr, 8), parts = knng_tensor_parts(ld);
	const __half *x = g->x.f + o->column0 * ld, *q = g->query->f + o->first * ld;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY_BLAS(product_of_halves(g->s->blas, x, q, nc, nr, ld, parts > 1 ? (void *)g->sums : o->v,
				   parts > 1 ? CUDA_R_32F : CUDA_R_16F, parts > 1 ? nc : o->width));
	if (parts > 1)
		launch_narrow(g->sums, o->nr, nc, (__half *)o->v, o->width, g->s->make);
out:
	return status;
}

/* f16 of differences: distances of copies in whole numbers. */
static knng_status
tile_of_grids(const operands *o, knng_err *err)
{
	unit *g = o->g;
	const knng_plan *plan = o->w->plan;
	int64_t bytes = grid_bytes(plan->metric->sum, plan->ld);
	(void)err;
	launch_distances(plan->metric->sum, false, (const char *)g->query->f + o->first * bytes,
			 (const char *)g->x.f + o->column0 * bytes, plan->ld, o->nr, o->nc, (float *)o->v, o->width,
			 g->s->make);
	return KNNG_OK;
}

/* Rows in two pieces, (lo, hi, hi), and columns, (hi, lo, hi): the smaller products come first. */
static void
split(const operands *o, __half *q, __half *x, cudaStream_t stream)
{
	const unit *g = o->g;
	double scale = ((const gpu *)o->w->state)->t.scale;
	int64_t d = o->w->plan->x.d;
	launch_split(o->rows, o->ids, o->points, centre_of(o), scale, g->query->scale, o->nr, d, q, false, stream);
	bool column = true;
#ifdef KNNG_PLANT_TWICE /* what the tests must find: pieces that do not meet those that they belong to */
	column = getenv("KNNG_PLANT") == NULL || strcmp(getenv("KNNG_PLANT"), "pieces") != 0;
#endif
	launch_split(o->columns, NULL, NULL, centre_of(o), scale, g->x.scale + o->column0, o->nc, d, x, column, stream);
}

/* f32: products of rows in two pieces, which the kernel that compares them makes too: cuBLAS sums up longer parts. */
static knng_status
tile_of_pieces(const operands *o, knng_err *err)
{
	const unit *g = o->g;
	__half *q = (__half *)g->moved[0], *x = (__half *)g->moved[1];
	knng_status status = KNNG_OK;
	int device = g->device;
	split(o, q, x, g->s->make);
	TRY_LAUNCH();
	if (((const gpu *)o->w->state)->fused) {
		fused f = {};
		f.rows = q;
		f.columns = x;
		f.ld = 3 * o->w->plan->ld;
		f.nr = (int)o->nr;
		f.nc = (int)o->nc;
		f.pieces = true;
		f.products = (float *)o->v;
		f.width = o->width;
		if (!launch_fused(f, g->s->make))
			status = host->fail(err, KNNG_EDEVICE, "knng:device:failed",
					    "GPU %d: products of rows in two pieces cannot be launched", device + 1);
		TRY_LAUNCH();
		goto out;
	}
	TRY_BLAS(product_of_pieces(g->s->blas, x, q, o->nc, o->nr, o->w->plan->ld, (float *)o->v, o->width));
out:
	return status;
}

/* f32 of differences: distances of copies in single precision. */
static knng_status
tile_of_singles(const operands *o, knng_err *err)
{
	unit *g = o->g;
	const knng_plan *plan = o->w->plan;
	double scale = ((const gpu *)o->w->state)->t.scale;
	float *rows = (float *)g->moved[0], *columns = (float *)g->moved[1];
	(void)err;
	launch_gather(o->rows, plan->x.d, o->ids, centre_of(o), scale, o->nr, rows, g->s->make);
	launch_gather(o->columns, plan->x.d, NULL, centre_of(o), scale, o->nc, columns, g->s->make);
	launch_distances(plan->metric->sum, true, rows, columns, plan->ld, o->nr, o->nc, (float *)o->v, o->width,
			 g->s->make);
	return KNNG_OK;
}

/* f64: products of doubles, or their differences. Rows that do not lie there as they are multiplied are gathered. */
static knng_status
tile_of_doubles(const operands *o, knng_err *err)
{
	unit *g = o->g;
	const knng_plan *plan = o->w->plan;
	bool moved = ((const gpu *)o->w->state)->t.centred || plan->single;
	double scale = ((const gpu *)o->w->state)->t.scale, *v = (double *)o->v;
	const double *a = (const double *)o->rows.at, *b = (const double *)o->columns.at;
	const double one = 1, zero = 0;
	int64_t d = plan->x.d, ld = plan->ld;
	knng_status status = KNNG_OK;
	int device = g->device;
	if (moved || o->ids != NULL) {
		launch_gather(o->rows, d, o->ids, centre_of(o), scale, o->nr, g->moved[0], g->s->make);
		TRY_LAUNCH();
		a = g->moved[0];
	}
	if (moved) {
		launch_gather(o->columns, d, NULL, centre_of(o), scale, o->nc, g->moved[1], g->s->make);
		TRY_LAUNCH();
		b = g->moved[1];
	}
	if (knng_by_products(plan->metric)) {
		TRY_BLAS(cublasDgemm(g->s->blas, CUBLAS_OP_T, CUBLAS_OP_N, (int)o->nc, (int)o->nr, (int)d, &one, b,
				     (int)ld, a, (int)ld, &zero, v, (int)o->width));
		launch_orient(plan->metric->sum, v, o->nr, o->nc, o->width, g->s->make);
	} else {
		launch_difference_tile(plan->metric->sum, a, b, d, ld, o->nr, o->nc, v, o->width, g->s->make);
	}
out:
	return status;
}

/* scan: canonical distances. */
static knng_status
tile_of_distances(const operands *o, knng_err *err)
{
	const knng_metric *metric = o->w->plan->metric;
	(void)err;
	launch_canonical_tile(metric->sum, metric->map, o->rows, o->ids, o->columns, o->nr, o->nc, (double *)o->v,
			      o->width, o->g->s->make);
	return KNNG_OK;
}

/* Prepared rows that are streamed: whole tiles, as many as there is room for. The list stream, on which they come, has
 * waited for the tiles before. */
static knng_status
stream_operands(knng_search *w, unit *g, knng_block rows, knng_block columns, operands *o, knng_err *err)
{
	int64_t side = side_of(w->plan, w->level), panel = w->plan->panel / side * side;
	knng_block across = panel_of(columns.first / panel, panel, w->x.count);
	knng_block down = panel_of(rows.first / panel, panel, w->npending);
	knng_status status = hold(w, false, 0, NULL, across, 1, err);
	if (status == KNNG_OK)
		status = hold(w, w->query != &w->x, 1, w->pending, down, 1, err);
	o->columns = rows_from(g->room[0], columns.first - across.first);
	o->rows = rows_from(g->room[1], rows.first - down.first);
	o->ids = NULL;
	return status;
}

static operands
operands_of(const knng_search *w, unit *g, knng_block rows, knng_block columns)
{
	int64_t first = w->pending[rows.first];
	bool in_order = w->pending[rows.first + rows.count - 1] - first < rows.count;
	operands o = {};
	o.w = w;
	o.g = g;
	o.columns = rows_from(g->columns, columns.first);
	o.points = g->ids + rows.first;
	o.rows = in_order ? rows_from(g->rows, first) : g->rows;
	o.ids = in_order ? NULL : o.points;
	o.first = first;
	o.column0 = columns.first;
	o.nr = rows.count;
	o.nc = columns.count;
	return o;
}

void
split_tile(const knng_search *w, unit *g, knng_block rows, knng_block columns, __half *q, __half *x,
	   cudaStream_t stream)
{
	operands o = operands_of(w, g, rows, columns);
	split(&o, q, x, stream);
}

knng_status
make_tile(knng_search *w, unit *g, knng_block rows, knng_block columns, tile *t, knng_err *err)
{
	/* of products and of differences, by level: f16, f32, f64, scan */
	static tile_maker *const makers[2][KNNG_LEVELS] = {
		{tile_of_halves, tile_of_pieces, tile_of_doubles, tile_of_distances},
		{tile_of_grids, tile_of_singles, tile_of_doubles, tile_of_distances},
	};
	session *s = g->s;
	operands o = operands_of(w, g, rows, columns);
	knng_status status = KNNG_OK;
	int device = g->device;
	o.v = g->v[g->buffer];
	o.width = up_to(side_of(w->plan, w->level), 8);
	TRY(cudaEventSynchronize(s->compared[g->buffer]));
	if (streams(w->plan) && w->level != KNNG_LEVEL_F16) {
		if ((status = stream_operands(w, g, rows, columns, &o, err)) != KNNG_OK)
			goto out;
		TRY(cudaSetDevice(device));
	}
	if ((status = makers[!knng_by_products(w->plan->metric)][w->level](&o, err)) != KNNG_OK)
		goto out;
	TRY_LAUNCH();
	TRY(cudaEventRecord(s->made[g->buffer], s->make));
	TRY(cudaStreamWaitEvent(s->list, s->made[g->buffer], 0));
	t->v = o.v;
	t->halves = has_halves(w->plan, w->level);
	t->floats = !t->halves && w->level <= KNNG_LEVEL_F32;
	t->width = o.width;
	t->row0 = rows.first;
	t->nr = rows.count;
	t->column0 = columns.first;
	t->nc = columns.count;
out:
	return status;
}

knng_status
tile_done(unit *g, knng_err *err)
{
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaEventRecord(g->s->compared[g->buffer], g->s->list));
	g->buffer = (g->buffer + 1) % BUFFERS;
out:
	return status;
}
