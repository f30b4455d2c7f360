/* backend.cu  The CUDA backend: core/backend.h on all devices of the plan.
 *
 * Every device holds all prepared rows and a list of candidates for every query point; tiles are shared out by the
 * core, so each device sees a part of the pairs. A device's thresholds are proven by pairs that it has seen, so its
 * lists hold all of its part that can matter; the k best of the lists of all devices together are the answer. Tiles are
 * made on one stream and passed over on another, STAGES of them in turn. */
#include "knng_cuda.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST_TILE = 8192, SMALLEST_TILE = 256, SAMPLE_ROWS = 2048, SAMPLE_BYTES = 16 << 20, WIDEST = 1 << 20 };

/* One matrix on a device. */
typedef struct {
	double *u, *y;             /* [rows * ld]; y == u where nothing is taken away */
	__half *f;                 /* [rows * ld] the half-precision copies */
	float *scale;              /* [rows] of a copy */
	double *half, *eps, *base; /* [rows] */
} side;

typedef struct {
	int device;
	session *s;
	side x, q, *query;
	lists l;
	void *v[STAGES];
	char *raw[STAGES];
	int turn;
	uint8_t *state;
	uint64_t *hash;
	int32_t *ids;               /* [most rows] w->pending; rows to gather */
	unsigned long long *extent; /* [2] */
	int32_t *flag;              /* [1] */
	double *scratch, *centre, *self;
	double *distance;         /* host [m * k] of this device, by place in pending */
	int32_t *column, *number; /* host [m * k], [m]; number -1: the row climbs */
} unit;

typedef struct {
	int n;
	unit *units;
	char *staging[STAGES]; /* pinned, of the session */
	int32_t *place;        /* [m] of a point in pending */
	double *self;          /* [m] */
	knng_pair *pairs;      /* [threads * 2 * n * k] */
	int64_t most;          /* rows of the larger matrix */
} gpu;

/* ---------------------------------------------------------------- plan: memory */

static int64_t
up_to(int64_t a, int64_t multiple)
{
	return (a + multiple - 1) / multiple * multiple;
}

/* Tiles of halves have the plan's side, those of doubles half of it: 8 bytes an element, as many. */
static int64_t
side_of(const knng_plan *plan, int step)
{
	return step == KNNG_STEP_F16 ? plan->tile : plan->tile / 2;
}

/* Doubles that a tile's buffer holds; it also takes a packed list. */
static int64_t
tile_elements(const knng_plan *plan, int64_t tile)
{
	return tile * tile / 4 > plan->k + 1 ? tile * tile / 4 : plan->k + 1;
}

static bool
has_copy(const knng_metric *metric)
{
	return metric->prep == KNNG_PREP_NONE;
}

static double
side_bytes(const knng_plan *plan, int64_t rows)
{
	double halves = knng_by_products(plan->metric) ? (double)plan->ld * 2 + 4 : 0;
	return (double)rows * ((double)plan->ld * 8 * (has_copy(plan->metric) ? 2 : 1) + 3 * 8 + halves);
}

/* The order is that of unit_open. */
static double
device_bytes(const knng_plan *plan, int64_t tile, int64_t capacity)
{
	bool graph = plan->y.data == NULL;
	double most = (double)(plan->x.n > plan->m ? plan->x.n : plan->m), m = (double)plan->m;
	double bytes = side_bytes(plan, plan->x.n) + (graph ? 0 : side_bytes(plan, plan->y.n));
	bytes += m * (double)capacity * 12 + m * (4 + 8 + 4 + 8) + most * (4 + 1 + 8) + m * 8;
	bytes += STAGES * ((double)tile_elements(plan, tile) * 8 + STAGE_BYTES) + LIBRARY_BYTES + 4. * 4 * (double)tile;
	bytes += (double)plan->ld * 8 * (plan->metric->prep == KNNG_PREP_RANKED ? (double)RANK_BLOCKS + 1 : 1.);
	return bytes + 64 * 256 + 2 * 8 * 2 * (double)plan->ld;
}

static double
host_bytes(const knng_plan *plan)
{
	double m = (double)plan->m, k = (double)plan->k, n = plan->ndevices;
	double bytes = core->run_bytes(plan, plan->threads) + core->points_bytes(plan->x.n) + n * (m * k * 12 + m * 4) +
		       m * 12;
	if (plan->y.data != NULL)
		bytes += core->points_bytes(plan->y.n);
	bytes += plan->threads * 2 * n * k * sizeof(knng_pair) +
		 3.0 * (double)(plan->x.n > plan->m ? plan->x.n : plan->m) * 4;
	return bytes + SAMPLE_BYTES + SAMPLE_ROWS * 4. + 17 * (double)plan->ld * 8 + STAGES * (double)STAGE_BYTES + 1e5;
}

knng_status
backend_plan(knng_plan *plan, knng_err *err)
{
	double room = 1e300;
	char name[96] = "";
	for (int i = 0; i < plan->ndevices; i++) {
		knng_device_info info;
		knng_status status = devices_describe(plan->devices[i], &info, err);
		if (status != KNNG_OK)
			return status;
		room = fmin(room, info.free - 512e6); /* what the context and the launches still take */
		snprintf(name, sizeof name, "%.60s", info.name);
	}
	if (plan->opt.max_device_memory > 0)
		room = fmin(room, plan->opt.max_device_memory);
	int64_t candidates = plan->y.data == NULL ? plan->x.n - 1 : plan->x.n, k = plan->k;
	int64_t shortest = k + 32 < candidates ? k + 32 : candidates;
	int64_t capacity = 3 * k + 128, tile = LARGEST_TILE;
	capacity = capacity < candidates ? capacity : candidates;
	capacity = capacity < 1 ? 1 : capacity;
	shortest = shortest < 1 ? 1 : shortest;
	while (tile > 1024 && (plan->m / tile + 1) * (plan->m / tile + 2) / 2 < 8 * plan->ndevices)
		tile /= 2;
	if (plan->opt.tile > 0)
		tile = plan->opt.tile < LARGEST_TILE ? up_to(plan->opt.tile, 16) : (int64_t)LARGEST_TILE;
	if (plan->ld * 8 > STAGE_BYTES)
		return core->fail(err, KNNG_EDEVICE, "knng:device:memory",
				  "rows of %lld features are too long for a GPU: at most %d fit; search on the CPU",
				  (long long)plan->x.d, STAGE_BYTES / 8);
	double least = device_bytes(plan, plan->opt.tile > 0 ? tile : (int64_t)SMALLEST_TILE, shortest);
	while (device_bytes(plan, tile, capacity) > room) {
		if (tile > SMALLEST_TILE && plan->opt.tile == 0)
			tile /= 2;
		else if (capacity > shortest)
			capacity = shortest + (capacity - shortest) / 2;
		else
			return core->fail(
				err, KNNG_EDEVICE, "knng:device:memory",
				"this search needs at least %.0f bytes on a GPU (%s), and %.0f are to be had: raise "
				"'MaxDeviceMemory', or search on the CPU",
				least, name, room > 0 ? room : 0);
	}
	plan->tile = tile;
	plan->capacity = capacity;
	plan->device_bytes = device_bytes(plan, tile, capacity);
	plan->bytes = plan->least = host_bytes(plan);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- open, close */

static void
carve_side(unit *g, side *s, const knng_plan *plan, int64_t rows)
{
	s->u = (double *)device_carve(g->s, rows * plan->ld * 8);
	s->y = has_copy(plan->metric) ? (double *)device_carve(g->s, rows * plan->ld * 8) : s->u;
	if (knng_by_products(plan->metric)) {
		s->f = (__half *)device_carve(g->s, (rows + 8) * plan->ld * 2);
		s->scale = (float *)device_carve(g->s, rows * 4);
	}
	s->half = (double *)device_carve(g->s, rows * 8);
	s->eps = (double *)device_carve(g->s, rows * 8);
	s->base = (double *)device_carve(g->s, rows * 8);
}

static knng_status
unit_open(knng_work *w, unit *g, knng_err *err)
{
	const knng_plan *plan = w->plan;
	gpu *c = (gpu *)w->state;
	int64_t m = plan->m, k = plan->k;
	int64_t bytes = (int64_t)plan->device_bytes - LIBRARY_BYTES;
	double most = plan->opt.max_device_memory - LIBRARY_BYTES;
	int64_t limit = plan->opt.max_device_memory > 0 && most < 1e18 ? (int64_t)most : INT64_MAX;
	knng_status status = device_open(g->device, bytes, limit, err);
	if (status != KNNG_OK)
		return status;
	g->s = device_session(g->device);
	carve_side(g, &g->x, plan, plan->x.n);
	if (plan->y.data != NULL)
		carve_side(g, &g->q, plan, plan->y.n);
	g->query = plan->y.data == NULL ? &g->x : &g->q;
	g->l.key = (uint64_t *)device_carve(g->s, m * plan->capacity * 8);
	g->l.column = (int32_t *)device_carve(g->s, m * plan->capacity * 4);
	g->l.used = (int32_t *)device_carve(g->s, m * 4);
	g->l.threshold = (double *)device_carve(g->s, m * 8);
	g->l.bound = (int32_t *)device_carve(g->s, m * 4);
	g->l.cut = (double *)device_carve(g->s, m * 8);
	g->ids = (int32_t *)device_carve(g->s, c->most * 4);
	g->state = (uint8_t *)device_carve(g->s, c->most);
	g->hash = (uint64_t *)device_carve(g->s, c->most * 8);
	g->self = (double *)device_carve(g->s, m * 8);
	for (int b = 0; b < STAGES; b++) {
		g->v[b] = device_carve(g->s, tile_elements(plan, plan->tile) * 8);
		g->raw[b] = (char *)device_carve(g->s, STAGE_BYTES);
	}
	g->centre = (double *)device_carve(g->s, plan->ld * 8);
	if (plan->metric->prep == KNNG_PREP_RANKED)
		g->scratch = (double *)device_carve(g->s, RANK_BLOCKS * plan->ld * 8);
	g->extent = (unsigned long long *)device_carve(g->s, 16);
	g->flag = (int32_t *)device_carve(g->s, 16);
	g->l.stride = 2 * plan->tile;
	g->l.queue = (int32_t *)device_carve(g->s, 2 * g->l.stride * 4);
	g->l.queued = (int32_t *)device_carve(g->s, 8);

	g->l.half = g->query->half;
	g->l.eps = g->query->eps;
	g->l.base = g->query->base;
	g->l.eps_x = g->x.eps;
	g->l.base_x = g->x.base;
	g->l.scale = g->query->scale;
	g->l.scale_x = g->x.scale;
	g->l.sum = plan->metric->sum;
	g->l.pending = g->ids;
	g->l.capacity = plan->capacity;
	g->l.d = plan->x.d;
	g->l.graph = plan->y.data == NULL;

	g->distance = (double *)core->alloc(m * k + 1, sizeof *g->distance);
	g->column = (int32_t *)core->alloc(m * k + 1, sizeof *g->column);
	g->number = (int32_t *)core->alloc(m, sizeof *g->number);
	if (g->distance == NULL || g->column == NULL || g->number == NULL)
		return core->fail(err, KNNG_EMEMORY, "knng:memory:host",
				  "the machine has no memory left for the neighbours of GPU %d", g->device + 1);
	return KNNG_OK;
}

static knng_status
cuda_open(knng_work *w, knng_err *err)
{
	const knng_plan *plan = w->plan;
	knng_status status = KNNG_OK;
	int device = plan->devices[0];
	knng_device_info info;
	gpu *c = (gpu *)core->alloc(1, sizeof *c);
	if (c == NULL)
		return core->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
	memset(c, 0, sizeof *c);
	w->state = c;
	c->most = plan->x.n > plan->m ? plan->x.n : plan->m;
	c->units = (unit *)core->alloc(plan->ndevices, sizeof *c->units);
	c->place = (int32_t *)core->alloc(plan->m, sizeof *c->place);
	c->self = (double *)core->alloc(plan->m, sizeof *c->self);
	c->pairs =
		(knng_pair *)core->alloc((int64_t)plan->threads * 2 * plan->ndevices * (plan->k + 1), sizeof *c->pairs);
	if (c->units == NULL || c->place == NULL || c->self == NULL || c->pairs == NULL)
		return core->fail(err, KNNG_EMEMORY, "knng:memory:host",
				  "the machine has no memory left for the lists of the GPUs");
	memset(c->units, 0, (size_t)plan->ndevices * sizeof *c->units);
	for (int64_t i = 0; i < plan->m; i++)
		c->self[i] = 0;
	for (int i = 0; i < plan->ndevices; i++) {
		c->units[i].device = plan->devices[i];
		c->n = i + 1;
		if ((status = unit_open(w, &c->units[i], err)) != KNNG_OK)
			return status;
	}
	if ((status = devices_describe(device, &info, err)) != KNNG_OK ||
	    (status = staging_open(c->staging, device, err)) != KNNG_OK)
		return status;
	snprintf(w->info->device, sizeof w->info->device, "%d x %.80s", c->n, info.name);
	snprintf(w->info->product, sizeof w->info->product, "%s", knng_by_products(plan->metric) ? "cublas" : "own");
	for (int i = 0; i < c->n; i++)
		w->info->device_peak =
			fmax(w->info->device_peak, (double)c->units[i].s->used + (double)c->units[i].s->library_bytes);
	return KNNG_OK;
}

static void
cuda_close(knng_work *w)
{
	gpu *c = (gpu *)w->state;
	if (c == NULL)
		return;
	for (int i = 0; i < c->n && c->units != NULL; i++) {
		unit *g = &c->units[i];
		if (g->s != NULL && g->s->ready) {
			cudaSetDevice(g->device);
			cudaStreamSynchronize(g->s->make);
			cudaStreamSynchronize(g->s->list);
			cudaGetLastError();
		}
		core->free(g->distance);
		core->free(g->column);
		core->free(g->number);
	}
	core->free(c->units);
	core->free(c->place);
	core->free(c->self);
	core->free(c->pairs);
	core->free(c);
	w->state = NULL;
}

/* Runs job on every device, each by its own thread. */
static knng_status
on_devices(knng_work *w, knng_status (*job)(knng_work *w, int worker, int64_t i, void *context, knng_err *err),
	   void *context, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	return core->parallel(w, c->n, c->n, job, context, err);
}

/* ---------------------------------------------------------------- load */

/* A piece of the matrix on its way: rows [i0, i0 + ni), columns [c0, c0 + nc), to a pinned buffer. */
typedef struct {
	const knng_matrix *matrix;
	int64_t i0, ni, c0, nc, ld;
	bool by_columns;
	char *to;
} piece;

enum { PIECES = 64 };

/* Part `i` of PIECES of a piece. */
static knng_status
stage_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	const piece *p = (const piece *)context;
	(void)w, (void)worker, (void)err;
	if (!p->by_columns) {
		int64_t from = p->ni * i / PIECES, to = p->ni * (i + 1) / PIECES;
		core->source_rows(p->matrix, p->i0 + from, to - from, (double *)p->to + from * p->ld, p->ld);
		return KNNG_OK;
	}
	int64_t size = p->matrix->type == KNNG_F32 ? 4 : 8, total = p->nc * p->ni;
	for (int64_t at = total * i / PIECES, end = total * (i + 1) / PIECES; at < end;) {
		int64_t column = at / p->ni, row = at % p->ni, count = p->ni - row < end - at ? p->ni - row : end - at;
		memcpy(p->to + at * size,
		       (const char *)p->matrix->data + ((p->c0 + column) * p->matrix->col_stride + p->i0 + row) * size,
		       (size_t)(count * size));
		at += count;
	}
	return KNNG_OK;
}

/* The matrix to all devices, row-major, through pinned buffers in turn. */
static knng_status
upload(knng_work *w, const knng_matrix *matrix, bool queries, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	knng_status status = KNNG_OK;
	int device = 0;
	int64_t size = matrix->type == KNNG_F32 ? 4 : 8, ld = w->plan->ld, n = matrix->n, d = matrix->d;
	piece p = {matrix, 0, n, 0, d, ld, matrix->row_stride == 1 && matrix->col_stride >= n, NULL};
	if (p.by_columns) {
		int64_t rows = STAGE_BYTES / (size * 32);
		p.ni = n < rows ? n : rows;
		int64_t columns = STAGE_BYTES / (size * p.ni);
		columns = columns < WIDEST ? columns : (int64_t)WIDEST;
		p.nc = columns < d ? columns : d;
	} else {
		int64_t rows = STAGE_BYTES / (8 * ld);
		p.ni = n < rows ? n : rows;
		if (rows < 1)
			return core->fail(err, KNNG_EDEVICE, "knng:device:memory",
					  "rows of %lld features are too long for a GPU", (long long)d);
	}
	int64_t height = p.ni, width = p.nc;
	int turn = 0;
	for (int i = 0; i < c->n; i++) {
		unit *g = &c->units[i];
		device = g->device;
		side *s = queries ? &g->q : &g->x;
		TRY(cudaSetDevice(device));
		TRY(cudaMemsetAsync(s->u, 0, (size_t)(n * ld * 8), g->s->list));
		if (!queries)
			TRY(cudaMemsetAsync(g->extent, 0, 16, g->s->list));
	}
	for (p.i0 = 0; p.i0 < n; p.i0 += height)
		for (p.c0 = 0; p.c0 < d; p.c0 += width, turn = (turn + 1) % STAGES) {
			p.ni = n - p.i0 < height ? n - p.i0 : height;
			p.nc = d - p.c0 < width ? d - p.c0 : width;
			p.to = c->staging[turn];
			for (int i = 0; i < c->n; i++) {
				device = c->units[i].device;
				TRY(cudaEventSynchronize(c->units[i].s->staged[turn]));
			}
			status = core->parallel(w, w->plan->threads, PIECES, stage_job, &p, err);
			if (status != KNNG_OK)
				goto out;
			for (int i = 0; i < c->n; i++) {
				unit *g = &c->units[i];
				side *s = queries ? &g->q : &g->x;
				device = g->device;
				TRY(cudaSetDevice(device));
				if (p.by_columns) {
					TRY(cudaMemcpyAsync(g->raw[turn], p.to, (size_t)(p.ni * p.nc * size),
							    cudaMemcpyHostToDevice, g->s->list));
					launch_transpose(g->raw[turn], matrix->type, p.ni, p.c0, p.nc, s->u + p.i0 * ld,
							 ld, g->s->list);
					TRY_LAUNCH();
				} else {
					TRY(cudaMemcpyAsync(s->u + p.i0 * ld, p.to, (size_t)(p.ni * ld * 8),
							    cudaMemcpyHostToDevice, g->s->list));
				}
				TRY(cudaEventRecord(g->s->staged[turn], g->s->list));
			}
		}
out:
	return status;
}

typedef struct {
	const knng_matrix *matrix;
	knng_points *points;
	bool queries;
	int32_t *first, *a, *b; /* [rows] a point's first row; pairs of rows that should be equal */
	int64_t pairs;
} loading;

static knng_status
prepare_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const loading *l = (const loading *)context;
	gpu *c = (gpu *)w->state;
	unit *g = &c->units[i];
	side *s = l->queries ? &g->q : &g->x;
	int64_t n = l->matrix->n, d = l->matrix->d, ld = w->plan->ld;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	if (w->plan->metric->prep == KNNG_PREP_RANKED) {
		launch_rank(s->u, n, d, ld, g->scratch, g->s->list);
		TRY_LAUNCH();
	}
	launch_prepare(w->plan->metric, s->u, n, d, ld, g->state, g->hash, g->extent, g->s->list);
	TRY_LAUNCH();
	if (i == 0) {
		TRY(cudaMemcpyAsync(l->points->state, g->state, (size_t)n, cudaMemcpyDeviceToHost, g->s->list));
		TRY(cudaMemcpyAsync(l->points->hash, g->hash, (size_t)n * 8, cudaMemcpyDeviceToHost, g->s->list));
	}
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

/* Equal hashes are taken for equal rows here, and compared on the device afterwards. */
static bool
same_row(void *context, int64_t point, int64_t row)
{
	loading *l = (loading *)context;
	l->a[l->pairs] = l->first[point];
	l->b[l->pairs++] = (int32_t)row;
	return true;
}

static void
move_row(void *context, int64_t to, int64_t from)
{
	((loading *)context)->first[to] = (int32_t)from;
}

static knng_status
compare_pairs(knng_work *w, const loading *l, knng_err *err)
{
	unit *g = &((gpu *)w->state)->units[0];
	const double *u = l->queries ? g->q.u : g->x.u;
	knng_status status = KNNG_OK;
	int device = g->device;
	int32_t differs = 0;
	TRY(cudaSetDevice(device));
	TRY(cudaMemsetAsync(g->flag, 0, 4, g->s->list));
	for (int64_t done = 0; done < l->pairs;) {
		int64_t some = l->pairs - done < STAGE_BYTES / 4 ? l->pairs - done : (int64_t)STAGE_BYTES / 4;
		TRY(cudaMemcpyAsync(g->raw[0], l->a + done, (size_t)some * 4, cudaMemcpyHostToDevice, g->s->list));
		TRY(cudaMemcpyAsync(g->raw[1], l->b + done, (size_t)some * 4, cudaMemcpyHostToDevice, g->s->list));
		launch_compare(u, w->plan->ld, (int32_t *)g->raw[0], (int32_t *)g->raw[1], some, g->flag, g->s->list);
		TRY_LAUNCH();
		done += some;
	}
	TRY(cudaMemcpyAsync(&differs, g->flag, 4, cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	if (differs != 0)
		status = core->fail(err, KNNG_EDEVICE, "knng:device:hash",
				    "different rows share a hash, which the GPU code cannot tell apart");
out:
	return status;
}

/* Rows close ranks: row i becomes row first[i], piece by piece, since first[i] >= i ascends. */
static knng_status
compact_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const loading *l = (const loading *)context;
	unit *g = &((gpu *)w->state)->units[i];
	double *u = l->queries ? g->q.u : g->x.u;
	int64_t ld = w->plan->ld, rows = STAGE_BYTES / (8 * ld);
	knng_status status = KNNG_OK;
	int device = g->device;
	rows = rows < 1 ? 1 : rows;
	TRY(cudaSetDevice(device));
	TRY(cudaMemcpyAsync(g->ids, l->first, (size_t)l->points->count * 4, cudaMemcpyHostToDevice, g->s->list));
	for (int64_t at = 0; at < l->points->count; at += rows) {
		int64_t some = l->points->count - at < rows ? l->points->count - at : rows;
		launch_gather(u, ld, g->ids + at, some, (double *)g->raw[0], g->s->list);
		TRY_LAUNCH();
		TRY(cudaMemcpyAsync(u + at * ld, g->raw[0], (size_t)(some * ld * 8), cudaMemcpyDeviceToDevice,
				    g->s->list));
	}
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

static knng_status
cuda_load(knng_work *w, const knng_matrix *matrix, knng_points *points, bool queries, knng_err *err)
{
	loading l = {matrix, points, queries, NULL, NULL, NULL, 0};
	knng_status status = upload(w, matrix, queries, err);
	if (status != KNNG_OK)
		return status;
	l.first = (int32_t *)core->alloc(matrix->n, sizeof *l.first);
	l.a = (int32_t *)core->alloc(matrix->n, sizeof *l.a);
	l.b = (int32_t *)core->alloc(matrix->n, sizeof *l.b);
	if (l.first == NULL || l.a == NULL || l.b == NULL) {
		status = core->fail(err, KNNG_EMEMORY, "knng:memory:host",
				    "the machine has no memory left for finding equal rows");
		goto out;
	}
	for (int64_t i = 0; i < matrix->n; i++)
		l.first[i] = (int32_t)i;
	if ((status = on_devices(w, prepare_job, &l, err)) != KNNG_OK ||
	    (status = core->points_group(points, same_row, move_row, &l, err)) != KNNG_OK)
		goto out;
	if (l.pairs > 0)
		status = compare_pairs(w, &l, err);
	if (status == KNNG_OK && points->count < matrix->n && points->count > 0)
		status = on_devices(w, compact_job, &l, err);
out:
	core->free(l.first);
	core->free(l.a);
	core->free(l.b);
	return status;
}

/* ---------------------------------------------------------------- begin */

typedef struct {
	double scale;
	const double *centre; /* NULL: nothing is taken away */
	int sigma;
	bool integers;
} centring;

/* The centre, from a sample of the rows as they came: metrics that have one do not change them. */
static knng_status
choose_centre(knng_work *w, double *centre, centring *t, knng_err *err)
{
	unit *g = &((gpu *)w->state)->units[0];
	const knng_plan *plan = w->plan;
	unsigned long long extent[2];
	knng_status status = KNNG_OK;
	int device = g->device, exponent = 0;
	int64_t ld = plan->ld, rows = SAMPLE_BYTES / (8 * ld);
	double *sample = NULL, largest;
	int32_t *picks = NULL;
	rows = rows > (int64_t)SAMPLE_ROWS ? (int64_t)SAMPLE_ROWS : rows < 1 ? 1 : rows;
	rows = rows > w->x.count ? w->x.count : rows;
	bool zero = true;
	TRY(cudaSetDevice(device));
	TRY(cudaMemcpy(extent, g->extent, 16, cudaMemcpyDeviceToHost));
	sample = (double *)core->alloc(rows * ld, sizeof *sample);
	if (sample == NULL) {
		status = core->fail(err, KNNG_EMEMORY, "knng:memory:host",
				    "the machine has no memory left for a sample of the rows");
		goto out;
	}
	picks = (int32_t *)core->alloc(rows, sizeof *picks);
	if (picks == NULL) {
		status = core->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
		goto out;
	}
	for (int64_t a = 0; a < rows; a++)
		picks[a] = (int32_t)(rows == w->x.count ? a
							: (int64_t)((unsigned long long)a * 2654435761u %
								    (unsigned long long)w->x.count));
	TRY(cudaMemcpyAsync(g->ids, picks, (size_t)rows * 4, cudaMemcpyHostToDevice, g->s->list));
	launch_gather(g->x.u, ld, g->ids, rows, (double *)g->raw[0], g->s->list);
	TRY_LAUNCH();
	TRY(cudaMemcpyAsync(sample, g->raw[0], (size_t)(rows * ld * 8), cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	memcpy(&largest, &extent[0], 8);
	t->integers = extent[1] == 0;
	exponent = core->centre(sample, rows, plan->x.d, ld, largest, &t->integers, centre);
	for (int64_t l = 0; l < plan->x.d; l++)
		zero = zero && centre[l] == 0;
	t->scale = ldexp(1, -exponent);
	t->centre = zero && exponent == 0 ? NULL : centre;
	t->sigma = knng_by_products(plan->metric) ? 2 * exponent + 1 : exponent;
out:
	core->free(sample);
	core->free(picks);
	return status;
}

static void cuda_blocks(const knng_work *w, int64_t *height, int64_t *width);
static knng_status make_tile(knng_work *w, unit *g, knng_block rows, knng_block columns, tile *t, knng_err *err);
static knng_status passed_tile(unit *g, knng_err *err);

/* After the first step the rows of products are gathered, a tile's worth at a time, into a staging buffer. */
static bool
gathers(const knng_work *w)
{
	return w->step == KNNG_STEP_F64 && w->npending < w->query->count;
}

static int64_t
gathered_rows(const knng_plan *plan, int64_t side)
{
	int64_t rows = STAGE_BYTES / (8 * plan->ld);
	return rows < side ? rows : side;
}

/* The sides of a search and how many points each has; in a graph both are one. */
typedef struct {
	side *side;
	int64_t count;
} part;

static int
parts_of(const knng_work *w, unit *g, part parts[2])
{
	parts[0].side = &g->x;
	parts[0].count = w->x.count;
	parts[1].side = g->query;
	parts[1].count = w->query->count;
	return g->query == &g->x ? 1 : 2;
}

/* The copies of the half-precision step, and their bounds. Integers are exact while no product passes 2^11. */
static const float EXACT_LENGTH = 45;
enum { EXTENTS = 3 };

static knng_status
begin_halves(knng_work *w, unit *g, const centring *t, knng_err *err)
{
	part parts[2];
	int many = parts_of(w, g, parts), device = g->device;
	knng_status status = KNNG_OK;
	unsigned *extent = (unsigned *)g->flag, found[EXTENTS] = {0};
	const double *centre = t->centre != NULL ? g->centre : NULL;
	int64_t d = w->plan->x.d, ld = w->plan->ld;
	float longest, shortest, common = 0;
	int e;
	TRY_BLAS(cublasSetMathMode(
		g->s->blas, (cublasMath_t)(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)));
	TRY(cudaMemsetAsync(extent, 0, sizeof found, g->s->list));
	for (int i = 0; i < many; i++) {
		if (parts[i].count > 0)
			launch_lengths(parts[i].side->u, centre, t->scale, parts[i].count, d, ld, parts[i].side->half,
				       extent, g->s->list);
		TRY_LAUNCH();
	}
	TRY(cudaMemcpyAsync(found, extent, sizeof found, cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	found[1] = ~found[1];
	memcpy(&longest, &found[0], sizeof longest);
	memcpy(&shortest, &found[1], sizeof shortest);
	g->l.exact = t->integers && w->plan->metric->sum == KNNG_SUM_MINUS && longest < EXACT_LENGTH;
	g->l.alike = longest > 0x1p-30f && shortest > longest * 0x1p-8f;
	if (g->l.alike) {
		frexpf(longest, &e);
		common = ldexpf(1, e - 7);
	}
	for (int i = 0; i < many; i++) {
		side *s = parts[i].side;
		if (parts[i].count > 0)
			launch_halve(s->u, centre, t->scale, common, s->f, s->scale, parts[i].count, d, ld, s->half,
				     s->base, s->eps, extent, g->s->list);
		TRY_LAUNCH();
	}
	for (int i = 0; i < many; i++) {
		side *s = parts[i].side;
		if (parts[i].count > 0)
			launch_bound(g->l.exact, d, s->half, s->eps, s->base, parts[i].count, extent, g->s->list);
		TRY_LAUNCH();
	}
out:
	return status;
}

/* The vectors of the double step, and their bounds. */
static knng_status
begin_doubles(knng_work *w, unit *g, const centring *t, knng_err *err)
{
	part parts[2];
	int many = parts_of(w, g, parts), device = g->device;
	knng_status status = KNNG_OK;
	int32_t large = 0;
	knng_sum sum = w->plan->metric->sum;
	int64_t d = w->plan->x.d, ld = w->plan->ld;
	TRY_BLAS(cublasSetMathMode(g->s->blas, CUBLAS_PEDANTIC_MATH));
	TRY(cudaMemsetAsync(g->flag, 0, 4, g->s->list));
	for (int i = 0; i < many; i++) {
		side *s = parts[i].side;
		if (t->centre == NULL)
			s->y = s->u;
		if (parts[i].count > 0)
			launch_centre(sum, s->u, g->centre, t->scale, s->y, parts[i].count, d, ld, s->half, s->eps,
				      g->flag, g->s->list);
		TRY_LAUNCH();
	}
	TRY(cudaMemcpyAsync(&large, g->flag, 4, cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	g->l.exact = t->integers && sum == KNNG_SUM_MINUS && !large;
	for (int i = 0; i < many; i++) {
		side *s = parts[i].side;
		if (parts[i].count > 0)
			launch_base(g->l.exact, s->half, s->eps, s->base, parts[i].count, g->s->list);
		TRY_LAUNCH();
	}
out:
	return status;
}

/* Copies and bounds, and the first thresholds of every row from the tile on the diagonal (of queries: with the first
 * columns). */
static knng_status
begin_products(knng_work *w, unit *g, const centring *t, knng_err *err)
{
	knng_status status = KNNG_OK;
	int device = g->device;
	int64_t height, side;
	if (t->centre != NULL)
		TRY(cudaMemcpyAsync(g->centre, t->centre, (size_t)w->plan->ld * 8, cudaMemcpyHostToDevice, g->s->list));
	g->l.sigma = t->sigma;
	status = w->step == KNNG_STEP_F16 ? begin_halves(w, g, t, err) : begin_doubles(w, g, t, err);
	if (status != KNNG_OK)
		goto out;
	launch_reset(g->l, w->npending, true, g->s->list);
	TRY_LAUNCH();
	TRY(cudaStreamSynchronize(g->s->list)); /* the other stream reads these */
	cuda_blocks(w, &height, &side);
	for (int64_t first = 0; first < w->npending && g->l.k > 0; first += height) {
		knng_block rows = {first, w->npending - first < height ? w->npending - first : height};
		knng_block columns = {w->triangle ? first : 0, side};
		tile made;
		if (columns.first + columns.count > w->x.count)
			columns.count = w->x.count - columns.first;
		if ((status = core->poll(w, err)) != KNNG_OK ||
		    (status = make_tile(w, g, rows, columns, &made, err)) != KNNG_OK)
			goto out;
		launch_first_thresholds(g->l, made, g->s->list);
		TRY_LAUNCH();
		if ((status = passed_tile(g, err)) != KNNG_OK)
			goto out;
	}
out:
	return status;
}

static knng_status
begin_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	unit *g = &((gpu *)w->state)->units[i];
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	g->l.k = w->k;
	g->l.candidates = w->query == &w->x ? w->x.count - 1 : w->x.count;
	g->l.room = g->l.capacity >= g->l.candidates ? INT64_MAX : g->l.capacity - (g->l.capacity - g->l.k + 1) / 2;
	g->l.turn = 0;
	TRY(cudaMemsetAsync(g->l.queued, 0, 8, g->s->list));
	TRY(cudaMemcpyAsync(g->ids, w->pending, (size_t)w->npending * 4, cudaMemcpyHostToDevice, g->s->list));
	if (w->step != KNNG_STEP_SCAN) {
		status = begin_products(w, g, (const centring *)context, err);
	} else {
		/* Scores are negated distances from here on; nothing is taken from them. */
		g->l.exact = true;
		launch_reset(g->l, w->npending, false, g->s->list);
		TRY_LAUNCH();
		TRY(cudaMemsetAsync(g->x.base, 0, (size_t)w->x.count * 8, g->s->list));
		TRY(cudaMemsetAsync(g->query->base, 0, (size_t)w->query->count * 8, g->s->list));
		TRY(cudaStreamSynchronize(g->s->list));
	}
out:
	return status;
}

static knng_status
cuda_begin(knng_work *w, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	centring t = {1, NULL, 1, false};
	knng_status status = KNNG_OK;
	double *centre = NULL;
	for (int64_t p = 0; p < w->npending; p++)
		c->place[w->pending[p]] = (int32_t)p;
	if (w->step != KNNG_STEP_SCAN && has_copy(w->plan->metric) && w->x.count > 0) {
		centre = (double *)core->alloc(w->plan->ld, sizeof *centre);
		if (centre == NULL)
			return core->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
		memset(centre, 0, (size_t)w->plan->ld * sizeof *centre);
		status = choose_centre(w, centre, &t, err);
	}
	if (status == KNNG_OK)
		status = on_devices(w, begin_job, &t, err);
	core->free(centre);
	return status;
}

static bool
cuda_has_step(const knng_work *w, int step)
{
	return step == KNNG_STEP_F16 ? knng_by_products(w->plan->metric) : step != KNNG_STEP_F32;
}

static int
cuda_workers(const knng_work *w)
{
	return ((const gpu *)w->state)->n;
}

static void
cuda_blocks(const knng_work *w, int64_t *height, int64_t *width)
{
	*height = *width = side_of(w->plan, w->step);
	if (gathers(w))
		*height = gathered_rows(w->plan, *height);
}

/* ---------------------------------------------------------------- candidates */

/* Makes a tile into the next buffer and lets the list stream wait for it. No more than STAGES tiles are under way. */
static knng_status
make_tile(knng_work *w, unit *g, knng_block rows, knng_block columns, tile *t, knng_err *err)
{
	const knng_metric *metric = w->plan->metric;
	int64_t d = w->plan->x.d, ld = w->plan->ld, width = up_to(side_of(w->plan, w->step), 8);
	session *s = g->s;
	knng_status status = KNNG_OK;
	int device = g->device;
	double *v = (double *)g->v[g->turn];
	const double *y = w->step == KNNG_STEP_F64 ? g->query->y + rows.first * ld : NULL;
	const double one = 1, zero = 0;
	const float one32 = 1, zero32 = 0;
	TRY(cudaEventSynchronize(s->passed[g->turn]));
	if (gathers(w)) {
		double *rows_of = (double *)g->raw[g->turn];
		launch_gather(g->query->y, ld, g->ids + rows.first, rows.count, rows_of, s->make);
		y = rows_of;
	}
	if (w->step == KNNG_STEP_F16) {
		/* Whole groups of eight, which its fast kernels ask for: what lies beyond the last row is never looked
		 * at. */
		TRY_BLAS(cublasGemmEx(s->blas, CUBLAS_OP_T, CUBLAS_OP_N, (int)up_to(columns.count, 8),
				      (int)up_to(rows.count, 8), (int)ld, &one32, g->x.f + columns.first * ld,
				      CUDA_R_16F, (int)ld, g->query->f + rows.first * ld, CUDA_R_16F, (int)ld, &zero32,
				      v, CUDA_R_16F, (int)width, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
	} else if (w->step == KNNG_STEP_SCAN) {
		launch_canonical_tile(metric->sum, metric->finish, g->query->u, g->ids + rows.first,
				      g->x.u + columns.first * ld, ld, rows.count, columns.count, v, width, s->make);
	} else if (!knng_by_products(metric)) {
		launch_difference_tile(metric->sum, y, g->x.y + columns.first * ld, d, ld, rows.count, columns.count, v,
				       width, s->make);
	} else {
		TRY_BLAS(cublasDgemm(s->blas, CUBLAS_OP_T, CUBLAS_OP_N, (int)columns.count, (int)rows.count, (int)d,
				     &one, g->x.y + columns.first * ld, (int)ld, y, (int)ld, &zero, v, (int)width));
		launch_orient(metric->sum, v, rows.count, columns.count, width, s->make);
	}
	TRY_LAUNCH();
	TRY(cudaEventRecord(s->made[g->turn], s->make));
	TRY(cudaStreamWaitEvent(s->list, s->made[g->turn], 0));
	t->v = v;
	t->halves = w->step == KNNG_STEP_F16;
	t->width = width;
	t->row0 = rows.first;
	t->nr = rows.count;
	t->column0 = columns.first;
	t->nc = columns.count;
out:
	return status;
}

static knng_status
passed_tile(unit *g, knng_err *err)
{
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaEventRecord(g->s->passed[g->turn], g->s->list));
	g->turn = (g->turn + 1) % STAGES;
out:
	return status;
}

static knng_status
cuda_candidates(knng_work *w, int worker, knng_block rows, knng_block columns, bool both, knng_err *err)
{
	unit *g = &((gpu *)w->state)->units[worker];
	knng_status status = KNNG_OK;
	int device = g->device;
	tile t;
	if (w->k < 1)
		return KNNG_OK;
	TRY(cudaSetDevice(device));
	if ((status = make_tile(w, g, rows, columns, &t, err)) != KNNG_OK)
		goto out;
	launch_pass(g->l, t, both, g->s->list);
	TRY_LAUNCH();
	launch_settle(g->l, t, g->s->list);
	TRY_LAUNCH();
	g->l.turn = 1 - g->l.turn;
	status = passed_tile(g, err);
out:
	return status;
}

/* ---------------------------------------------------------------- finish: refined lists to the host */

static knng_status
finish_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	gpu *c = (gpu *)w->state;
	unit *g = &c->units[i];
	const knng_metric *metric = w->plan->metric;
	cudaStream_t stream = g->s->list;
	knng_status status = KNNG_OK;
	int device = g->device;
	int64_t k = w->k, room = tile_elements(w->plan, w->plan->tile);
	int64_t rows = room / (k + 1) < room ? room / (k + 1) : room;
	rows = rows < 1 ? 1 : rows;
	TRY(cudaSetDevice(device));
	launch_refine(g->l, w->npending, w->step == KNNG_STEP_SCAN, w->step == KNNG_STEP_F16, metric->sum,
		      metric->finish, g->query->u, g->x.u, w->plan->ld, stream);
	TRY_LAUNCH();
	/* The tiles are free now: distances are packed into one, columns and numbers into the other. */
	for (int64_t first = 0; first < w->npending; first += rows) {
		int64_t some = w->npending - first < rows ? w->npending - first : rows;
		int32_t *columns = (int32_t *)g->v[1], *numbers = columns + some * k;
		if ((status = core->poll(w, err)) != KNNG_OK)
			goto out;
		launch_pack(g->l, first, some, (uint64_t *)g->v[0], columns, numbers, stream);
		TRY_LAUNCH();
		TRY(cudaMemcpyAsync(g->distance + first * k, g->v[0], (size_t)(some * k * 8), cudaMemcpyDeviceToHost,
				    stream));
		TRY(cudaMemcpyAsync(g->column + first * k, columns, (size_t)(some * k * 4), cudaMemcpyDeviceToHost,
				    stream));
		TRY(cudaMemcpyAsync(g->number + first, numbers, (size_t)some * 4, cudaMemcpyDeviceToHost, stream));
	}
	if (i == 0 && metric->sum == KNNG_SUM_PLUS && w->query == &w->x && w->x.count > 0) {
		launch_self(metric->sum, metric->finish, g->x.u, w->plan->ld, w->x.count, g->self, stream);
		TRY_LAUNCH();
		TRY(cudaMemcpyAsync(c->self, g->self, (size_t)w->x.count * 8, cudaMemcpyDeviceToHost, stream));
	}
	TRY(cudaStreamSynchronize(stream));
out:
	return status;
}

static knng_status
cuda_finish(knng_work *w, knng_err *err)
{
	return on_devices(w, finish_job, NULL, err);
}

static bool
cuda_certified(const knng_work *w, int32_t p)
{
	const gpu *c = (const gpu *)w->state;
	for (int i = 0; i < c->n; i++)
		if (c->units[i].number[c->place[p]] < 0)
			return false;
	return true;
}

static knng_status
cuda_refine(knng_work *w, int worker, const int32_t *points, int64_t count, knng_pair *pairs, double *self,
	    knng_err *err)
{
	gpu *c = (gpu *)w->state;
	int64_t k = w->k;
	knng_pair *all = c->pairs + (int64_t)worker * 2 * c->n * (w->plan->k + 1);
	for (int64_t a = 0; a < count; a++) {
		int64_t at = c->place[points[a]], n = 0;
		for (int i = 0; i < c->n; i++) {
			const unit *g = &c->units[i];
			int64_t there = g->number[at] < k ? g->number[at] : k;
			for (int64_t e = 0; e < there; e++) {
				knng_pair it = {g->distance[at * k + e], g->column[at * k + e]};
				all[n++] = it;
			}
		}
		if (n < k)
			return core->fail(
				err, KNNG_EDEVICE, "knng:internal:candidates",
				"row %lld kept %lld candidates for %lld neighbours: this is a fault of knng; please "
				"report it with the data",
				(long long)points[a] + 1, (long long)n, (long long)k);
		knng_sort_pairs(all, all + n, n);
		memcpy(pairs + a * k, all, (size_t)k * sizeof *pairs);
		self[a] = c->self[points[a]];
	}
	return KNNG_OK;
}

const knng_backend backend_cuda = {
	"cuda",      cuda_open,       cuda_load,   cuda_begin,     cuda_has_step, cuda_workers,
	cuda_blocks, cuda_candidates, cuda_finish, cuda_certified, cuda_refine,   cuda_close,
};
