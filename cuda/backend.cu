/* backend.cu  The CUDA backend: core/backend.h on all devices of the plan.
 *
 * Every device holds the half-precision copies of all rows and a list of candidates for every query point of the block
 * that is searched; tiles are shared out by the core, so each device sees a part of the pairs. Thresholds are proven by
 * pairs that some device sees, so the lists of all devices together hold all that can matter; the k best of them are
 * the answer. Tiles are made on one stream and passed over on another, STAGES of them in turn.
 *
 * Prepared rows stay on the devices where they fit. Where they do not they are streamed: they come in panels from the
 * host, are prepared again each time, and every panel of rows meets every panel of columns once. */
#include "knng_cuda.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST_TILE = 8192, SMALLEST_TILE = 256, SAMPLE_ROWS = 2048, SAMPLE_BYTES = 4 << 20, WIDEST = 1 << 20 };

/* Numbers that one launch fetches, so that Ctrl-C is heard. */
static const int64_t GATHERED = (int64_t)1 << 35;

/* One matrix on a device. */
typedef struct {
	__half *f;                 /* [rows * ld] the half-precision copies */
	float *scale;              /* [rows] of a copy */
	double *half, *eps, *base; /* [rows] */
} side;

typedef struct {
	int device;
	session *s;
	side x, q, *query;
	double *room[2];              /* prepared rows: all of X and all of Y (in a graph NULL), or two panels */
	const double *rows, *columns; /* where prepared rows 0 of the queries and of the references are, or would be */
	lists l, held; /* the lists as they are held: of a block, from its first point on; l counts all points */
	void *v[STAGES];
	char *raw[STAGES];
	double *moved[2]; /* of the double step: gathered or centred rows, centred columns of a tile */
	int turn;
	uint8_t *state;
	uint64_t *hash;
	int32_t *ids;               /* [most rows] w->pending; rows to gather */
	unsigned long long *extent; /* [2] */
	int32_t *flag;              /* [1] */
	double *scratch, *centre, *self;
	char *packed[STAGES]; /* v or raw: part i of answers is that of device i, the last what they are together */
	float common;         /* scale of all copies, or 0 */
	int32_t *number;      /* host [m] by place in pending: answers of this device; -1: the row climbs */
} unit;

/* Rows of a matrix: the first rows of points, if there are points; all, or those of a list; from `first` on. */
typedef struct {
	const knng_matrix *matrix;
	const knng_points *points;
	const int32_t *list;
	int64_t first, count;
	int from, end; /* the devices that get them */
} batch;

/* What is taken from the rows before they are multiplied: y = u*scale - centre. */
typedef struct {
	double scale;
	double *centre; /* host [ld] */
	bool centred;   /* false: y = u */
	int sigma;
	bool integers;
} centring;

typedef struct {
	int n;
	unit *units;
	char *staging[STAGES]; /* pinned, of the session */
	batch held[2];         /* what the panels hold, if they are streamed; count 0: nothing */
	int32_t *place;        /* [m] of a point in pending */
	double *self;          /* [m] */
	int64_t most;          /* rows of the larger matrix */
	int copied;            /* the step whose copies and bounds are on the devices, or -1 */
	centring t;            /* of that step */
	/* Answers on their way to the host: some rows of the certified points, batch after batch. Batch b is put
	 * together on device b % n and takes the buffers b % STAGES. */
	const int32_t *certified, *fetched; /* all of them; those that refine may ask for */
	int64_t fetched_rows;
	const char *arrived;   /* their answers */
	char *answers[STAGES]; /* pinned, of the session, or own where one row does not fit there */
	bool own_answers;
	int64_t rows, share; /* of a batch; bytes between the parts of packed */
	int64_t sent;        /* batches */
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

/* Parts of a buffer for answers: what each of several devices found, and what that is together. */
static int
answer_parts(int ndevices)
{
	return ndevices > 1 ? ndevices + 1 : 1;
}

/* Doubles that a tile's buffer holds; it also takes the answers of a row. */
static int64_t
tile_elements(const knng_plan *plan, int64_t tile)
{
	int64_t list = answer_parts(plan->ndevices) * ((plan->k + 1) / 2 * 3 + 3);
	return tile * tile / 4 > list ? tile * tile / 4 : list;
}

/* Bytes of an answer: k distances and columns. */
static int64_t
answer_bytes(int64_t k)
{
	return k * 12;
}

static int64_t
most_rows(const knng_plan *plan)
{
	return plan->x.n > plan->m ? plan->x.n : plan->m;
}

/* Rows, or columns, of a tile of doubles that are moved before they are multiplied. */
static int64_t
moved_rows(const knng_plan *plan, int64_t tile)
{
	return tile / 2 < most_rows(plan) ? tile / 2 : most_rows(plan);
}

static bool
has_centre(const knng_metric *metric)
{
	return metric->prep == KNNG_PREP_NONE;
}

/* Prepared rows come and go. */
static bool
streams(const knng_plan *plan)
{
	return plan->panel < most_rows(plan);
}

static double
side_bytes(const knng_plan *plan, int64_t rows)
{
	double halves = knng_by_products(plan->metric) ? (double)plan->ld * 2 + 4 : 0;
	return (double)rows * (3 * 8 + halves);
}

/* Of one panel, or of the matrix in its place. */
static int64_t
room_rows(const knng_plan *plan, int which)
{
	int64_t all = which == 0 ? plan->x.n : plan->y.data == NULL ? 0 : plan->m;
	return streams(plan) ? plan->panel : all;
}

/* A row of the lists. */
static double
list_bytes(int64_t capacity)
{
	return (double)capacity * 12 + 4 + 8 + 4 + 8;
}

/* All but the lists; the order is that of unit_open. */
static double
device_bytes(const knng_plan *plan, int64_t tile)
{
	bool graph = plan->y.data == NULL;
	double most = (double)most_rows(plan), m = (double)plan->m;
	double bytes = side_bytes(plan, plan->x.n) + (graph ? 0 : side_bytes(plan, plan->y.n));
	bytes += (double)(room_rows(plan, 0) + room_rows(plan, 1)) * (double)plan->ld * 8;
	bytes += most * (4 + 1 + 8) + m * 8;
	bytes += 2. * (double)moved_rows(plan, tile) * (double)plan->ld * 8;
	bytes += STAGES * ((double)tile_elements(plan, tile) * 8 + STAGE_BYTES) + LIBRARY_BYTES + 4. * 4 * (double)tile;
	bytes += (double)plan->ld * 8 * (plan->metric->prep == KNNG_PREP_RANKED ? (double)RANK_BLOCKS + 1 : 1.);
	return bytes + 64 * 256 + 2 * 8 * 2 * (double)plan->ld;
}

static double
host_bytes(const knng_plan *plan)
{
	double m = (double)plan->m, n = plan->ndevices;
	double bytes = core->run_bytes(plan, plan->threads) + core->points_bytes(plan->x.n) + n * m * 4 + m * 12;
	if (answer_bytes(plan->k) > STAGE_BYTES)
		bytes += STAGES * (double)answer_bytes(plan->k);
	if (plan->y.data != NULL)
		bytes += core->points_bytes(plan->y.n);
	bytes += 3.0 * (double)most_rows(plan) * 4;
	return bytes + SAMPLE_BYTES + SAMPLE_ROWS * 4. + 17 * (double)plan->ld * 8 + STAGES * (double)STAGE_BYTES + 1e5;
}

/* How many tiles the first step has, all rows together. */
static int64_t
tiles_of(const knng_plan *plan, int64_t tile)
{
	int64_t rows = (plan->m + tile - 1) / tile, columns = (plan->x.n + tile - 1) / tile;
	return plan->y.data == NULL ? rows * (rows + 1) / 2 : rows * columns;
}

/* Takes the largest tile down to `least` that leaves room for the lists of all rows, or of `tiles` tiles of them; and
 * for two panels, where prepared rows are streamed: all that is left then, or half of it. */
static bool
fit(knng_plan *plan, double room, bool stream, int64_t tile, int64_t least, int64_t capacity, int64_t tiles)
{
	bool all = tiles == INT64_MAX;
	double row = 16. * (double)plan->ld, lists = list_bytes(capacity), m = (double)plan->m;
	for (; tile >= least && tile > 0; tile /= 2) {
		plan->panel = stream ? 0 : most_rows(plan);
		double left = room - device_bytes(plan, tile), enough = all ? m : fmin((double)(tiles * tile), m);
		if (stream) {
			double most = (double)most_rows(plan), moved = (double)moved_rows(plan, tile);
			double panel = floor(fmin(all ? left : left / 2, left - enough * lists) / row);
			if (panel >= most)
				continue;
			panel = fmax(panel > 0 ? ceil(most / ceil(most / panel)) : 0, moved); /* of one size */
			plan->panel = (int64_t)panel;
			left -= panel * row;
		}
		double rows = floor(left / lists);
		if (rows < enough)
			continue;
		double blocks = ceil(m / rows);
		plan->tile = tile;
		plan->capacity = capacity;
		plan->block = blocks <= 1 ? plan->m : (int64_t)ceil(m / blocks);
		return true;
	}
	return false;
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
	/* Large tiles, as long as there are enough to share out, or to make one while another is passed over. */
	while (tile > 1024 && tiles_of(plan, tile) < (plan->ndevices > 1 ? 8 * plan->ndevices : 3))
		tile /= 2;
	if (plan->opt.tile > 0)
		tile = plan->opt.tile < LARGEST_TILE ? up_to(plan->opt.tile, 16) : (int64_t)LARGEST_TILE;
	if (plan->ld * 8 > STAGE_BYTES)
		return core->fail(err, KNNG_EDEVICE, "knng:device:memory",
				  "rows of %lld features are too long for a GPU: at most %d fit; search on the CPU",
				  (long long)plan->x.d, STAGE_BYTES / 8);
	/* The choices, best first: all rows together, with tiles that cost little; blocks of them; the same while
	 * prepared rows are streamed; what is left. */
	int64_t smallest = plan->opt.tile > 0 ? tile : (int64_t)SMALLEST_TILE;
	int64_t cheap = plan->opt.tile > 0 || tile < 2048 ? smallest : 2048;
	bool fits = false;
	for (int stream = 0; stream < 2 && !fits; stream++)
		fits = fit(plan, room, stream, tile, cheap, capacity, INT64_MAX) ||
		       fit(plan, room, stream, tile, smallest, capacity, 4);
	for (int stream = 0; stream < 2 && !fits; stream++)
		fits = fit(plan, room, stream, smallest, smallest, shortest, 1);
	if (!fits) {
		double lists = (double)(plan->m < smallest ? plan->m : smallest) * list_bytes(shortest);
		plan->panel = moved_rows(plan, smallest);
		double least = device_bytes(plan, smallest) + fmax(lists, 0);
		return core->fail(err, KNNG_EDEVICE, "knng:device:memory",
				  "this search needs at least %.0f bytes on a GPU (%s), and %.0f are to be had: raise "
				  "'MaxDeviceMemory', or search on the CPU",
				  least, name, room > 0 ? room : 0);
	}
	plan->device_bytes = device_bytes(plan, plan->tile) + (double)plan->block * list_bytes(plan->capacity);
	plan->bytes = plan->least = host_bytes(plan);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- open, close */

static void
carve_side(unit *g, side *s, const knng_plan *plan, int64_t rows)
{
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
	int64_t m = plan->m, block = plan->block, moved = moved_rows(plan, plan->tile);
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
	for (int r = 0; r < 2; r++)
		if (room_rows(plan, r) > 0)
			g->room[r] = (double *)device_carve(g->s, room_rows(plan, r) * plan->ld * 8);
	g->columns = g->room[0];
	g->rows = plan->y.data == NULL ? g->room[0] : g->room[1];
	g->held.key = (uint64_t *)device_carve(g->s, block * plan->capacity * 8);
	g->held.column = (int32_t *)device_carve(g->s, block * plan->capacity * 4);
	g->held.used = (int32_t *)device_carve(g->s, block * 4);
	g->held.threshold = (double *)device_carve(g->s, block * 8);
	g->held.bound = (int32_t *)device_carve(g->s, block * 4);
	g->held.cut = (double *)device_carve(g->s, block * 8);
	g->ids = (int32_t *)device_carve(g->s, c->most * 4);
	g->state = (uint8_t *)device_carve(g->s, c->most);
	g->hash = (uint64_t *)device_carve(g->s, c->most * 8);
	g->self = (double *)device_carve(g->s, m * 8);
	for (int b = 0; b < STAGES; b++) {
		g->v[b] = device_carve(g->s, tile_elements(plan, plan->tile) * 8);
		g->raw[b] = (char *)device_carve(g->s, STAGE_BYTES);
	}
	for (int b = 0; b < 2; b++)
		g->moved[b] = (double *)device_carve(g->s, moved * plan->ld * 8);
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

	g->number = (int32_t *)core->alloc(m, sizeof *g->number);
	if (g->number == NULL)
		return core->fail(err, KNNG_EMEMORY, "knng:memory:host",
				  "the machine has no memory left for the neighbours of GPU %d", g->device + 1);
	return KNNG_OK;
}

/* Where answers are packed, and where they arrive: the tiles are free by then, and so are the staging buffers. */
static knng_status
answers_open(gpu *c, const knng_plan *plan, knng_err *err)
{
	int64_t row = answer_bytes(plan->k > 0 ? plan->k : 1), tile = tile_elements(plan, plan->tile) * 8;
	int64_t room = tile > STAGE_BYTES ? tile : (int64_t)STAGE_BYTES;
	c->own_answers = row > STAGE_BYTES;
	c->share = room / answer_parts(c->n) / 8 * 8;
	c->rows = (c->own_answers ? row : (int64_t)STAGE_BYTES) / row;
	c->rows = c->share / row < c->rows ? c->share / row : c->rows;
	for (int b = 0; b < STAGES; b++) {
		for (int i = 0; i < c->n; i++) {
			unit *g = &c->units[i];
			g->packed[b] = tile > STAGE_BYTES ? (char *)g->v[b] : g->raw[b];
		}
		c->answers[b] = c->own_answers ? (char *)core->alloc(row, 1) : c->staging[b];
		if (c->answers[b] == NULL)
			return core->fail(err, KNNG_EMEMORY, "knng:memory:host",
					  "the machine has no memory left for the neighbours");
	}
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
	c->most = most_rows(plan);
	c->units = (unit *)core->alloc(plan->ndevices, sizeof *c->units);
	c->place = (int32_t *)core->alloc(plan->m, sizeof *c->place);
	c->self = (double *)core->alloc(plan->m, sizeof *c->self);
	if (c->units == NULL || c->place == NULL || c->self == NULL)
		return core->fail(err, KNNG_EMEMORY, "knng:memory:host",
				  "the machine has no memory left for the lists of the GPUs");
	memset(c->units, 0, (size_t)plan->ndevices * sizeof *c->units);
	for (int64_t i = 0; i < plan->m; i++)
		c->self[i] = 0;
	c->copied = -1;
	if (has_centre(plan->metric) && (c->t.centre = (double *)core->alloc(plan->ld, sizeof *c->t.centre)) == NULL)
		return core->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
	for (int i = 0; i < plan->ndevices; i++) {
		c->units[i].device = plan->devices[i];
		c->n = i + 1;
		if ((status = unit_open(w, &c->units[i], err)) != KNNG_OK)
			return status;
	}
	devices_join(plan->devices, c->n);
	if ((status = devices_describe(device, &info, err)) != KNNG_OK ||
	    (status = staging_open(c->staging, device, err)) != KNNG_OK ||
	    (status = answers_open(c, plan, err)) != KNNG_OK)
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
		core->free(g->number);
	}
	for (int b = 0; b < STAGES && c->own_answers; b++)
		core->free(c->answers[b]);
	core->free(c->t.centre);
	core->free(c->units);
	core->free(c->place);
	core->free(c->self);
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

/* A piece of a batch on its way: rows [i0, i0 + ni), columns [c0, c0 + nc), to a pinned buffer. */
typedef struct {
	const batch *b;
	int64_t i0, ni, c0, nc, ld;
	bool by_columns;
	char *to;
} piece;

enum { PIECES = 64, STAGERS = 16 };

static int64_t
row_of(const batch *b, int64_t i)
{
	int64_t p = b->list != NULL ? b->list[b->first + i] : b->first + i;
	return b->points != NULL ? b->points->member[b->points->first[p]] : p;
}

/* How many rows from row i on lie behind each other in the matrix as well. */
static int64_t
row_run(const batch *b, int64_t i, int64_t most)
{
	bool gaps = b->list != NULL || (b->points != NULL && b->points->count < b->points->rows);
	int64_t run = gaps ? 1 : most;
	while (run < most && row_of(b, i + run) == row_of(b, i) + run)
		run++;
	return run;
}

/* Part `i` of PIECES of a piece. */
static knng_status
stage_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	const piece *p = (const piece *)context;
	const knng_matrix *matrix = p->b->matrix;
	(void)w, (void)worker, (void)err;
	int64_t size = matrix->type == KNNG_F32 ? 4 : 8, all = p->by_columns ? p->nc * p->ni : p->ni;
	for (int64_t at = all * i / PIECES, end = all * (i + 1) / PIECES, count; at < end; at += count) {
		int64_t column = at / p->ni, row = at % p->ni;
		count = row_run(p->b, p->i0 + row, p->ni - row < end - at ? p->ni - row : end - at);
		int64_t from = row_of(p->b, p->i0 + row);
		if (p->by_columns)
			memcpy(p->to + at * size,
			       (const char *)matrix->data + ((p->c0 + column) * matrix->col_stride + from) * size,
			       (size_t)(count * size));
		else
			core->source_rows(matrix, from, count, (double *)p->to + at * p->ld, p->ld);
	}
	return KNNG_OK;
}

/* The rows of a batch that device i brings; from the others it gets theirs. */
static knng_block
share_of(const batch *b, int i)
{
	int64_t n = b->end - b->from, first = b->count * (i - b->from) / n;
	return (knng_block){first, b->count * (i - b->from + 1) / n - first};
}

/* To every device its share of the batch, row-major, through pinned buffers in turn. */
static knng_status
upload(knng_work *w, const batch *b, int to, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	const knng_matrix *matrix = b->matrix;
	knng_status status = KNNG_OK;
	int device = 0, turn = 0, threads = w->plan->threads < STAGERS ? w->plan->threads : (int)STAGERS;
	int64_t size = matrix->type == KNNG_F32 ? 4 : 8, ld = w->plan->ld, d = matrix->d;
	int64_t most = share_of(b, b->end - 1).count, height = STAGE_BYTES / (8 * ld), width = d;
	int64_t n = b->end - b->from, down, across;
	piece p = {b, 0, 0, 0, 0, ld, matrix->row_stride == 1 && matrix->col_stride >= matrix->n, NULL};
	if (p.by_columns) {
		height = STAGE_BYTES / (size * 32);
		height = most < height ? most : height;
		width = STAGE_BYTES / (size * height);
		width = width < WIDEST ? width : (int64_t)WIDEST;
	}
	for (int i = b->from; i < b->end && d < ld; i++) {
		unit *g = &c->units[i];
		knng_block mine = share_of(b, i);
		device = g->device;
		TRY(cudaSetDevice(device));
		TRY(cudaMemsetAsync(g->room[to] + mine.first * ld, 0, (size_t)(mine.count * ld * 8), g->s->list));
	}
	down = (most + height - 1) / height;
	across = (d + width - 1) / width;
	for (int64_t e = 0; e < down * across * n; e++) {
		unit *g = &c->units[b->from + e % n];
		knng_block mine = share_of(b, (int)(b->from + e % n));
		int64_t at = e / n / across * height;
		if (at >= mine.count)
			continue;
		double *into = g->room[to] + (mine.first + at) * ld;
		p.i0 = mine.first + at;
		p.ni = mine.count - at < height ? mine.count - at : height;
		p.c0 = e / n % across * width;
		p.nc = d - p.c0 < width ? d - p.c0 : width;
		p.to = c->staging[turn];
		for (int i = 0; i < c->n; i++) {
			device = c->units[i].device;
			TRY(cudaEventSynchronize(c->units[i].s->staged[turn]));
		}
		if ((status = core->parallel(w, threads, PIECES, stage_job, &p, err)) != KNNG_OK)
			goto out;
		device = g->device;
		TRY(cudaSetDevice(device));
		if (p.by_columns) {
			TRY(cudaMemcpyAsync(g->raw[turn], p.to, (size_t)(p.ni * p.nc * size), cudaMemcpyHostToDevice,
					    g->s->list));
			launch_transpose(g->raw[turn], matrix->type, p.ni, p.c0, p.nc, into, ld, g->s->list);
			TRY_LAUNCH();
		} else {
			TRY(cudaMemcpyAsync(into, p.to, (size_t)(p.ni * ld * 8), cudaMemcpyHostToDevice, g->s->list));
		}
		TRY(cudaEventRecord(g->s->staged[turn], g->s->list));
		turn = (turn + 1) % STAGES;
	}
out:
	return status;
}

typedef struct {
	const batch *b;
	int to;
	knng_points *found; /* NULL, or where states and hashes go */
} bringing;

/* Prepares the device's share. */
static knng_status
prepare_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const bringing *b = (const bringing *)context;
	unit *g = &((gpu *)w->state)->units[b->b->from + i];
	knng_block mine = share_of(b->b, (int)(b->b->from + i));
	int64_t d = w->plan->x.d, ld = w->plan->ld, at = b->b->first + mine.first;
	double *u = g->room[b->to] + mine.first * ld;
	knng_status status = KNNG_OK;
	int device = g->device;
	if (mine.count < 1)
		return KNNG_OK;
	TRY(cudaSetDevice(device));
	if (w->plan->metric->prep == KNNG_PREP_RANKED) {
		launch_rank(u, mine.count, d, ld, g->scratch, g->s->list);
		TRY_LAUNCH();
	}
	launch_prepare(w->plan->metric, u, mine.count, d, ld, g->state, g->hash, g->extent, g->s->list);
	TRY_LAUNCH();
	if (b->found != NULL) {
		TRY(cudaMemcpyAsync(b->found->state + at, g->state, (size_t)mine.count, cudaMemcpyDeviceToHost,
				    g->s->list));
		TRY(cudaMemcpyAsync(b->found->hash + at, g->hash, (size_t)mine.count * 8, cudaMemcpyDeviceToHost,
				    g->s->list));
	}
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

/* Fetches the shares of the other devices: over NVLink, where they have it. */
static knng_status
exchange_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const bringing *b = (const bringing *)context;
	const gpu *c = (const gpu *)w->state;
	const unit *g = &c->units[b->b->from + i];
	int64_t ld = w->plan->ld;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	for (int o = b->b->from; o < b->b->end; o++) {
		knng_block theirs = share_of(b->b, o);
		if (o == b->b->from + i || theirs.count < 1)
			continue;
		TRY(cudaMemcpyPeerAsync(g->room[b->to] + theirs.first * ld, device,
					c->units[o].room[b->to] + theirs.first * ld, c->units[o].device,
					(size_t)(theirs.count * ld * 8), g->s->list));
	}
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

/* Brings the prepared rows of a batch to its devices, into room `to`. */
static knng_status
bring(knng_work *w, const batch *b, int to, knng_points *found, knng_err *err)
{
	bringing all = {b, to, found};
	int n = b->end - b->from;
	knng_status status = b->count < 1 ? KNNG_OK : upload(w, b, to, err);
	if (status == KNNG_OK && b->count > 0)
		status = core->parallel(w, n, n, prepare_job, &all, err);
	if (status == KNNG_OK && b->count > 0 && n > 1)
		status = core->parallel(w, n, n, exchange_job, &all, err);
	return status;
}

/* Has points [first, first + count), or of a list of points, in panel `to` of devices 0 … devices - 1. */
static knng_status
hold(knng_work *w, bool queries, int to, const int32_t *list, knng_block part, int devices, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	const knng_plan *plan = w->plan;
	batch b = {queries ? &plan->y : &plan->x, queries ? &w->y : &w->x, list, part.first, part.count, 0, devices};
	const batch *is = &c->held[to];
	if (is->points == b.points && is->list == list && is->first == b.first && is->count == b.count &&
	    is->end >= devices)
		return KNNG_OK;
	c->held[to].count = 0;
	knng_status status = bring(w, &b, to, NULL, err);
	if (status == KNNG_OK)
		c->held[to] = b;
	return status;
}

typedef struct {
	knng_points *points;
	bool queries;
	int32_t *first, *a, *b; /* [rows] a point's first row; pairs of rows that should be equal */
	int64_t pairs;
} loading;

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
	const knng_plan *plan = w->plan;
	const double *a = l->queries ? g->rows : g->columns, *b = a;
	knng_status status = KNNG_OK;
	int device = g->device;
	int32_t differs = 0, *ia = (int32_t *)g->raw[0], *ib = (int32_t *)g->raw[1];
	int64_t most = streams(plan) ? plan->panel : STAGE_BYTES / 4, some;
	TRY(cudaSetDevice(device));
	TRY(cudaMemsetAsync(g->flag, 0, 4, g->s->list));
	for (int64_t done = 0; done < l->pairs; done += some) {
		some = l->pairs - done < most ? l->pairs - done : most;
		if (streams(plan)) {
			batch rows = {l->queries ? &plan->y : &plan->x, NULL, l->a, done, some, 0, 1};
			if ((status = bring(w, &rows, 0, NULL, err)) != KNNG_OK)
				goto out;
			rows.list = l->b;
			if ((status = bring(w, &rows, 1, NULL, err)) != KNNG_OK)
				goto out;
			a = g->room[0];
			b = g->room[1];
			ia = ib = NULL;
			TRY(cudaSetDevice(device));
		} else {
			TRY(cudaMemcpyAsync(ia, l->a + done, (size_t)some * 4, cudaMemcpyHostToDevice, g->s->list));
			TRY(cudaMemcpyAsync(ib, l->b + done, (size_t)some * 4, cudaMemcpyHostToDevice, g->s->list));
		}
		launch_compare(a, b, plan->ld, ia, ib, some, g->flag, g->s->list);
		TRY_LAUNCH();
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
	double *u = g->room[l->queries];
	int64_t ld = w->plan->ld, rows = STAGE_BYTES / (8 * ld);
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	TRY(cudaMemcpyAsync(g->ids, l->first, (size_t)l->points->count * 4, cudaMemcpyHostToDevice, g->s->list));
	for (int64_t at = 0; at < l->points->count; at += rows) {
		int64_t some = l->points->count - at < rows ? l->points->count - at : rows;
		launch_gather(u, ld, ld, g->ids + at, NULL, 1, some, (double *)g->raw[0], g->s->list);
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
	loading l = {points, queries, NULL, NULL, NULL, 0};
	gpu *c = (gpu *)w->state;
	knng_status status = KNNG_OK;
	bool stream = streams(w->plan);
	int64_t panel = w->plan->panel, n = matrix->n;
	int device = 0;
	l.first = (int32_t *)core->alloc(n, sizeof *l.first);
	l.a = (int32_t *)core->alloc(n, sizeof *l.a);
	l.b = (int32_t *)core->alloc(n, sizeof *l.b);
	if (l.first == NULL || l.a == NULL || l.b == NULL) {
		status = core->fail(err, KNNG_EMEMORY, "knng:memory:host",
				    "the machine has no memory left for finding equal rows");
		goto out;
	}
	for (int64_t i = 0; i < n; i++)
		l.first[i] = (int32_t)i;
	for (int i = 0; i < c->n && !queries; i++) {
		device = c->units[i].device;
		TRY(cudaSetDevice(device));
		TRY(cudaMemsetAsync(c->units[i].extent, 0, 16, c->units[i].s->list));
	}
	for (int64_t first = 0; first < n; first += panel) {
		batch b = {matrix, NULL, NULL, first, n - first < panel ? n - first : panel, 0, c->n};
		if ((status = bring(w, &b, stream ? 0 : queries, points, err)) != KNNG_OK)
			goto out;
	}
	if ((status = core->points_group(points, same_row, move_row, &l, err)) != KNNG_OK)
		goto out;
	if (l.pairs > 0)
		status = compare_pairs(w, &l, err);
	if (status == KNNG_OK && points->count < n && points->count > 0 && !stream)
		status = on_devices(w, compact_job, &l, err);
out:
	core->free(l.first);
	core->free(l.a);
	core->free(l.b);
	return status;
}

/* ---------------------------------------------------------------- begin */

/* The centre, from a sample of the rows as they came: metrics that have one do not change them. */
static knng_status
choose_centre(knng_work *w, centring *t, knng_err *err)
{
	double *centre = t->centre;
	memset(centre, 0, (size_t)w->plan->ld * sizeof *centre);
	unit *g = &((gpu *)w->state)->units[0];
	const knng_plan *plan = w->plan;
	unsigned long long extent[2] = {0}, one[2];
	knng_status status = KNNG_OK;
	int device = g->device, exponent = 0;
	int64_t ld = plan->ld, rows = SAMPLE_BYTES / (8 * ld);
	double *sample = NULL, largest;
	const double *from = (const double *)g->raw[0];
	int32_t *picks = NULL;
	rows = rows > (int64_t)SAMPLE_ROWS ? (int64_t)SAMPLE_ROWS : rows < 1 ? 1 : rows;
	rows = rows > w->x.count ? w->x.count : rows;
	rows = rows > plan->panel ? plan->panel : rows;
	bool zero = true;
	for (int i = ((const gpu *)w->state)->n - 1; i >= 0; i--) {
		const unit *other = &((const gpu *)w->state)->units[i];
		device = other->device;
		TRY(cudaSetDevice(device));
		TRY(cudaMemcpy(one, other->extent, sizeof one, cudaMemcpyDeviceToHost));
		extent[0] = one[0] > extent[0] ? one[0] : extent[0];
		extent[1] |= one[1];
	}
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
	if (streams(plan)) {
		if ((status = hold(w, false, 0, picks, (knng_block){0, rows}, 1, err)) != KNNG_OK)
			goto out;
		((gpu *)w->state)->held[0].count = 0; /* the picks end here */
		TRY(cudaSetDevice(device));
		from = g->room[0];
	} else {
		TRY(cudaMemcpyAsync(g->ids, picks, (size_t)rows * 4, cudaMemcpyHostToDevice, g->s->list));
		launch_gather(g->columns, ld, ld, g->ids, NULL, 1, rows, (double *)g->raw[0], g->s->list);
		TRY_LAUNCH();
	}
	TRY(cudaMemcpyAsync(sample, from, (size_t)(rows * ld * 8), cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	memcpy(&largest, &extent[0], 8);
	t->integers = extent[1] == 0;
	exponent = core->centre(sample, rows, plan->x.d, ld, largest, &t->integers, centre);
	for (int64_t l = 0; l < plan->x.d; l++)
		zero = zero && centre[l] == 0;
	t->scale = ldexp(1, -exponent);
	t->centred = !zero || exponent != 0;
	t->sigma = knng_by_products(plan->metric) ? 2 * exponent + 1 : exponent;
out:
	core->free(sample);
	core->free(picks);
	return status;
}

static int cuda_workers(const knng_work *w);
static void cuda_blocks(const knng_work *w, int64_t *height, int64_t *width);
static knng_status make_tile(knng_work *w, unit *g, knng_block rows, knng_block columns, tile *t, knng_err *err);
static knng_status passed_tile(unit *g, knng_err *err);

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

/* Points of a side whose prepared rows a device has. */
typedef struct {
	bool queries;
	knng_block part;
} span;

static const double *
held_rows(const knng_work *w, const unit *g, const span *s)
{
	return streams(w->plan) ? g->room[0] : (s->queries ? g->rows : g->columns) + s->part.first * w->plan->ld;
}

/* Runs a job on every device for all points of all sides, panel by panel. */
static knng_status
on_panels(knng_work *w, knng_status (*job)(knng_work *w, int worker, int64_t i, void *context, knng_err *err),
	  knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	int64_t panel = w->plan->panel;
	knng_status status = KNNG_OK;
	for (int q = 0; q <= (w->query != &w->x); q++) {
		int64_t count = q ? w->query->count : w->x.count;
		for (int64_t first = 0; status == KNNG_OK && first < count; first += panel) {
			span s = {q > 0, {first, count - first < panel ? count - first : panel}};
			if (streams(w->plan))
				status = hold(w, s.queries, 0, NULL, s.part, c->n, err);
			if (status == KNNG_OK)
				status = on_devices(w, job, &s, err);
		}
	}
	return status;
}

/* The copies of the half-precision step, and their bounds. Integers are exact while no product passes 2^11. */
static const float EXACT_LENGTH = 45;
enum { EXTENTS = 3 };

static knng_status
lengths_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const span *s = (const span *)context;
	const gpu *c = (const gpu *)w->state;
	unit *g = &c->units[i];
	side *to = s->queries ? &g->q : &g->x;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	launch_lengths(held_rows(w, g, s), c->t.centred ? g->centre : NULL, c->t.scale, s->part.count, w->plan->x.d,
		       w->plan->ld, to->half + s->part.first, (unsigned *)g->flag, g->s->list);
	TRY_LAUNCH();
	TRY(cudaStreamSynchronize(g->s->list)); /* the panel is needed for others */
out:
	return status;
}

/* One scale for all copies, where the lengths of the rows allow it. */
static knng_status
scale_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
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

static knng_status
halve_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const span *s = (const span *)context;
	const gpu *c = (const gpu *)w->state;
	unit *g = &c->units[i];
	side *to = s->queries ? &g->q : &g->x;
	int64_t first = s->part.first, ld = w->plan->ld;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	launch_halve(held_rows(w, g, s), c->t.centred ? g->centre : NULL, c->t.scale, g->common, to->f + first * ld,
		     to->scale + first, s->part.count, w->plan->x.d, ld, to->half + first, to->base + first,
		     to->eps + first, (unsigned *)g->flag, g->s->list);
	TRY_LAUNCH();
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

static knng_status
bound_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	part parts[2];
	unit *g = &((gpu *)w->state)->units[i];
	int many = parts_of(w, g, parts), device = g->device;
	knng_status status = KNNG_OK;
	TRY(cudaSetDevice(device));
	for (int p = 0; p < many; p++) {
		side *s = parts[p].side;
		if (parts[p].count > 0)
			launch_bound(g->l.exact, w->plan->x.d, s->half, s->eps, s->base, parts[p].count,
				     (unsigned *)g->flag, g->s->list);
		TRY_LAUNCH();
	}
out:
	return status;
}

/* The bounds of the double step. */
static knng_status
measure_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const span *s = (const span *)context;
	const gpu *c = (const gpu *)w->state;
	unit *g = &c->units[i];
	side *to = s->queries ? &g->q : &g->x;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	launch_measure(w->plan->metric->sum, held_rows(w, g, s), c->t.centred ? g->centre : NULL, c->t.scale,
		       s->part.count, w->plan->x.d, w->plan->ld, to->half + s->part.first, to->eps + s->part.first,
		       g->flag, g->s->list);
	TRY_LAUNCH();
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

static knng_status
base_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
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
		side *s = parts[p].side;
		if (parts[p].count > 0)
			launch_base(g->l.exact, s->half, s->eps, s->base, parts[p].count, g->s->list);
		TRY_LAUNCH();
	}
out:
	return status;
}

static knng_status
centre_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	const gpu *c = (const gpu *)w->state;
	unit *g = &c->units[i];
	bool halves = w->step == KNNG_STEP_F16;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	TRY_BLAS(cublasSetMathMode(g->s->blas, halves ? (cublasMath_t)(CUBLAS_DEFAULT_MATH |
								       CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)
						      : CUBLAS_PEDANTIC_MATH));
	if (c->t.centred)
		TRY(cudaMemcpyAsync(g->centre, c->t.centre, (size_t)w->plan->ld * 8, cudaMemcpyHostToDevice,
				    g->s->list));
	g->l.sigma = c->t.sigma;
	TRY(cudaMemsetAsync(g->flag, 0, EXTENTS * sizeof(unsigned), g->s->list));
out:
	return status;
}

/* Copies and bounds of the step. */
static knng_status
begin_products(knng_work *w, knng_err *err)
{
	bool halves = w->step == KNNG_STEP_F16;
	knng_status status = on_devices(w, centre_job, NULL, err);
	if (status == KNNG_OK && halves)
		status = on_panels(w, lengths_job, err);
	if (status == KNNG_OK && halves)
		status = on_devices(w, scale_job, NULL, err);
	if (status == KNNG_OK)
		status = on_panels(w, halves ? halve_job : measure_job, err);
	return status == KNNG_OK ? on_devices(w, halves ? bound_job : base_job, NULL, err) : status;
}

/* The rows of the step whose first thresholds are device i's to find. */
static knng_block
first_rows(const knng_work *w, int64_t i)
{
	int64_t side, height, n = cuda_workers(w);
	cuda_blocks(w, &height, &side);
	int64_t tiles = i < n ? (w->npending + height - 1) / height : 0;
	int64_t from = tiles * i / n * height, to = tiles * (i + 1) / n * height;
	to = to < w->npending ? to : w->npending;
	return (knng_block){from, to > from ? to - from : 0};
}

/* First thresholds from the tile on the diagonal; of queries, and of the rows of a block, from the first columns. */
static knng_status
begin_thresholds(knng_work *w, unit *g, knng_block mine, knng_err *err)
{
	knng_status status = KNNG_OK;
	int device = g->device;
	int64_t height, side, end = mine.first + mine.count;
	cuda_blocks(w, &height, &side);
	for (int64_t first = mine.first; first < end && g->l.k > 0; first += height) {
		knng_block rows = {first, end - first < height ? end - first : height};
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
	TRY(cudaStreamSynchronize(g->s->list)); /* other devices read them */
out:
	return status;
}

static knng_status
begin_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	unit *g = &((gpu *)w->state)->units[i];
	knng_status status = KNNG_OK;
	int device = g->device;
	int64_t first = w->pending[0]; /* all pending points are of one block */
	TRY(cudaSetDevice(device));
	g->l.key = g->held.key - first * g->l.capacity;
	g->l.column = g->held.column - first * g->l.capacity;
	g->l.used = g->held.used - first;
	g->l.threshold = g->held.threshold - first;
	g->l.bound = g->held.bound - first;
	g->l.cut = g->held.cut - first;
	g->l.k = w->k;
	g->l.candidates = w->query == &w->x ? w->x.count - 1 : w->x.count;
	g->l.room = g->l.capacity >= g->l.candidates ? INT64_MAX : g->l.capacity - (g->l.capacity - g->l.k + 1) / 2;
	g->l.turn = 0;
	TRY(cudaMemsetAsync(g->l.queued, 0, 8, g->s->list));
	TRY(cudaMemcpyAsync(g->ids, w->pending, (size_t)w->npending * 4, cudaMemcpyHostToDevice, g->s->list));
	if (w->step == KNNG_STEP_SCAN) {
		/* Scores are negated distances from here on; nothing is taken from them. */
		g->l.exact = true;
		TRY(cudaMemsetAsync(g->x.base, 0, (size_t)w->x.count * 8, g->s->list));
		TRY(cudaMemsetAsync(g->query->base, 0, (size_t)w->query->count * 8, g->s->list));
	}
	launch_reset(g->l, w->npending, w->step != KNNG_STEP_SCAN, g->s->list);
	TRY_LAUNCH();
	TRY(cudaStreamSynchronize(g->s->list)); /* the other stream reads these */
out:
	return status;
}

static knng_status
thresholds_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
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
share_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
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
		TRY(cudaMemcpyPeerAsync(g->l.cut + from, device, other->l.cut + from, other->device, bytes,
					g->s->list));
	}
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

static knng_status
cuda_begin(knng_work *w, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	knng_status status = KNNG_OK;
	for (int64_t p = 0; p < w->npending; p++)
		c->place[w->pending[p]] = (int32_t)p;
	c->certified = NULL;
	c->held[0].count = c->held[1].count = 0; /* other points are pending */
	if (w->step != KNNG_STEP_SCAN && c->copied != w->step) {
		c->t = (centring){1, c->t.centre, false, 1, false};
		if (has_centre(w->plan->metric) && w->x.count > 0)
			status = choose_centre(w, &c->t, err);
	}
	if (status == KNNG_OK && w->step != KNNG_STEP_SCAN && c->copied != w->step)
		status = begin_products(w, err);
	c->copied = status == KNNG_OK ? w->step : -1;
	if (status == KNNG_OK)
		status = on_devices(w, begin_job, NULL, err);
	if (status == KNNG_OK && w->step != KNNG_STEP_SCAN)
		status = core->parallel(w, cuda_workers(w), cuda_workers(w), thresholds_job, NULL, err);
	if (status == KNNG_OK && w->step != KNNG_STEP_SCAN && c->n > 1)
		status = on_devices(w, share_job, NULL, err);
	return status;
}

static bool
cuda_has_step(const knng_work *w, int step)
{
	return step == KNNG_STEP_F16 ? knng_by_products(w->plan->metric) : step != KNNG_STEP_F32;
}

/* Tiles of prepared rows that are streamed are one device's work: it waits for its rows most of the time. */
static int
cuda_workers(const knng_work *w)
{
	return streams(w->plan) && w->step != KNNG_STEP_F16 ? 1 : ((const gpu *)w->state)->n;
}

static void
cuda_blocks(const knng_work *w, int64_t *height, int64_t *width)
{
	*height = *width = side_of(w->plan, w->step);
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
	const double one = 1, zero = 0;
	const float one32 = 1, zero32 = 0;
	int64_t first = w->pending[rows.first];
	bool gather = w->pending[rows.first + rows.count - 1] - first >= rows.count;
	bool stream = streams(w->plan) && w->step != KNNG_STEP_F16;
	const double *from = g->rows + first * ld, *to = g->columns + columns.first * ld, *all = g->rows;
	const int32_t *ids = g->ids + rows.first;
	TRY(cudaEventSynchronize(s->passed[g->turn]));
	if (stream) {
		TRY(cudaStreamSynchronize(s->make)); /* what the panels hold is used until then */
		if ((status = hold(w, false, 0, NULL, columns, 1, err)) != KNNG_OK ||
		    (status = hold(w, w->query != &w->x, 1, w->pending, rows, 1, err)) != KNNG_OK)
			goto out;
		TRY(cudaSetDevice(device));
		to = g->room[0];
		from = all = g->room[1];
		ids = NULL;
		gather = false;
	}
	if (w->step == KNNG_STEP_F64) {
		const centring *y = &((const gpu *)w->state)->t;
		const double *centre = y->centred ? g->centre : NULL;
		if (gather || y->centred) {
			launch_gather(gather ? all : from, d, ld, gather ? ids : NULL, centre, y->scale, rows.count,
				      g->moved[0], s->make);
			TRY_LAUNCH();
			from = g->moved[0];
		}
		if (y->centred) {
			launch_gather(to, d, ld, NULL, centre, y->scale, columns.count, g->moved[1], s->make);
			TRY_LAUNCH();
			to = g->moved[1];
		}
	}
	if (w->step == KNNG_STEP_F16) {
		/* Whole groups of eight, which its fast kernels ask for: what lies beyond the last row is never looked
		 * at. */
		TRY_BLAS(cublasGemmEx(s->blas, CUBLAS_OP_T, CUBLAS_OP_N, (int)up_to(columns.count, 8),
				      (int)up_to(rows.count, 8), (int)ld, &one32, g->x.f + columns.first * ld,
				      CUDA_R_16F, (int)ld, g->query->f + first * ld, CUDA_R_16F, (int)ld, &zero32, v,
				      CUDA_R_16F, (int)width, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
	} else if (w->step == KNNG_STEP_SCAN) {
		launch_canonical_tile(metric->sum, metric->finish, all, ids, to, ld, rows.count, columns.count, v,
				      width, s->make);
	} else if (!knng_by_products(metric)) {
		launch_difference_tile(metric->sum, from, to, d, ld, rows.count, columns.count, v, width, s->make);
	} else {
		TRY_BLAS(cublasDgemm(s->blas, CUBLAS_OP_T, CUBLAS_OP_N, (int)columns.count, (int)rows.count, (int)d,
				     &one, to, (int)ld, from, (int)ld, &zero, v, (int)width));
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

/* ---------------------------------------------------------------- finish: exact distances in the lists */

/* Blocks of rows are staged together where a pair of blocks shares so many candidates that each row serves several. */
static bool
stages(const knng_work *w, const unit *g)
{
	return g->s->shares && w->k * 64 >= w->x.count && w->plan->ld >= 64;
}

/* Canonical distances of the candidates, among columns [from, end), of rows [first, first + count) of pending. */
static knng_status
gathered(knng_work *w, unit *g, knng_block part, const double *rows, const double *columns, int64_t from, int64_t end,
	 knng_err *err)
{
	const knng_metric *metric = w->plan->metric;
	int64_t ld = w->plan->ld, most = GATHERED / ld / (w->k + 1) + 1; /* a tenth of a second */
	knng_status status = KNNG_OK;
	int device = g->device;
	for (int64_t at = 0; at < part.count && w->k > 0; at += most) {
		TRY(cudaStreamSynchronize(g->s->list));
		if ((status = core->poll(w, err)) != KNNG_OK)
			goto out;
		launch_gathered(g->l, part.first + at, part.count - at < most ? part.count - at : most, metric->sum,
				metric->finish, rows, columns, ld, from, end, g->s->list);
		TRY_LAUNCH();
	}
out:
	return status;
}

/* Canonical distances of the candidates of all rows of the step. The tiles are free now: one is room for the pairs of
 * as many rows as it takes, the other for where those of each pair of blocks begin. */
static knng_status
distances(knng_work *w, unit *g, knng_err *err)
{
	const knng_metric *metric = w->plan->metric;
	int64_t room = tile_elements(w->plan, w->plan->tile), ld = w->plan->ld;
	double part = (double)(w->k + w->k / 16) / (double)w->x.count; /* some candidates beside the neighbours */
	int64_t wide = staged_columns(metric->sum, part < 1 ? part : 1), blocks = (w->x.count + wide - 1) / wide;
	int64_t rows = (w->npending + STAGED - 1) / STAGED, most, turns;
	knng_status status = KNNG_OK;
	int device = g->device;
	if (w->k < 1)
		return KNNG_OK;
	most = room / (g->l.capacity + blocks) / STAGED;
	most = most < (room - 1) / blocks ? most : (room - 1) / blocks;
	if (!stages(w, g) || most < 1 || blocks > STAGED_BLOCKS)
		return gathered(w, g, (knng_block){0, w->npending}, g->rows, g->columns, 0, w->x.count, err);
	turns = (rows + most - 1) / most;
	for (int64_t turn = 0; turn < turns; turn++) {
		int64_t first = rows * turn / turns * STAGED, end = rows * (turn + 1) / turns * STAGED;
		int64_t count = (end < w->npending ? end : w->npending) - first;
		int64_t buckets = (count + STAGED - 1) / STAGED * blocks;
		int32_t *offset = (int32_t *)g->v[1];
		TRY(cudaStreamSynchronize(g->s->list));
		if ((status = core->poll(w, err)) != KNNG_OK)
			goto out;
		TRY(cudaMemsetAsync(offset, 0, (size_t)(2 * buckets + 1) * 4, g->s->list));
		launch_staged(g->l, first, count, wide, blocks, metric->sum, metric->finish, g->rows, g->columns, ld,
			      (uint64_t *)g->v[0], offset, offset + buckets + 1, g->s->list);
		TRY_LAUNCH();
	}
out:
	return status;
}

/* Distances of rows to themselves, where they are not 0. */
static knng_status
distances_to_self(knng_work *w, unit *g, knng_block part, const double *rows, knng_err *err)
{
	const knng_metric *metric = w->plan->metric;
	knng_status status = KNNG_OK;
	int device = g->device;
	if (metric->sum == KNNG_SUM_PLUS && w->query == &w->x && part.count > 0 && g == ((gpu *)w->state)->units) {
		launch_self(metric->sum, metric->finish, rows, w->plan->ld, part.count, g->self + part.first,
			    g->s->list);
		TRY_LAUNCH();
	}
out:
	return status;
}

static knng_status
distances_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	unit *g = &((gpu *)w->state)->units[i];
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	status = distances_to_self(w, g, (knng_block){0, w->x.count}, g->columns, err);
	if (status == KNNG_OK)
		status = distances(w, g, err);
out:
	return status;
}

/* A panel of rows and one of columns that are held, and which of the step's rows lie in each. */
typedef struct {
	knng_block down, across, down_pending, across_pending;
} meeting;

static knng_status
meet_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const meeting *m = (const meeting *)context;
	unit *g = &((gpu *)w->state)->units[i];
	bool graph = w->query == &w->x, same = graph && m->down.first == m->across.first;
	int64_t ld = w->plan->ld;
	const double *down = g->room[1] - m->down.first * ld;
	const double *across = same ? down : g->room[0] - m->across.first * ld;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	status = gathered(w, g, m->down_pending, down, across, m->across.first, m->across.first + m->across.count, err);
	if (status == KNNG_OK && graph && !same)
		status = gathered(w, g, m->across_pending, across, down, m->down.first, m->down.first + m->down.count,
				  err);
	if (status == KNNG_OK && same)
		status = distances_to_self(w, g, m->down, g->room[1], err);
	if (status == KNNG_OK)
		TRY(cudaStreamSynchronize(g->s->list)); /* the panels are needed for others */
out:
	return status;
}

/* The places in pending of the points of a panel. */
static knng_block
pending_of(const knng_work *w, knng_block panel)
{
	int64_t end[2] = {panel.first, panel.first + panel.count};
	for (int e = 0; e < 2; e++) {
		int64_t low = 0, high = w->npending;
		while (low < high) {
			int64_t middle = low + (high - low) / 2;
			if (w->pending[middle] < end[e])
				low = middle + 1;
			else
				high = middle;
		}
		end[e] = low;
	}
	return (knng_block){end[0], end[1] - end[0]};
}

static knng_block
panel_of(int64_t i, int64_t size, int64_t count)
{
	return (knng_block){i * size, count - i * size < size ? count - i * size : size};
}

/* Every panel of rows meets every panel of columns once; in a graph two panels meet once for the rows of both. */
static knng_status
distances_of_panels(knng_work *w, knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	bool graph = w->query == &w->x;
	int64_t size = w->plan->panel, rows = (w->query->count + size - 1) / size;
	int64_t columns = (w->x.count + size - 1) / size;
	knng_status status = KNNG_OK;
	for (int64_t p = 0; p < rows; p++)
		for (int64_t e = 0, some = graph ? columns - p : columns; e < some && status == KNNG_OK; e++) {
			/* To and fro, so that the last panel of columns stays. */
			int64_t q = columns - some + (p % 2 == 0 ? e : some - 1 - e);
			knng_block down = panel_of(p, size, w->query->count), across = panel_of(q, size, w->x.count);
			meeting m = {down, across, pending_of(w, down), pending_of(w, across)};
			if (m.down_pending.count == 0 && (!graph || m.across_pending.count == 0))
				continue;
			status = hold(w, !graph, 1, NULL, m.down, c->n, err);
			if (status == KNNG_OK && !(graph && p == q))
				status = hold(w, false, 0, NULL, m.across, c->n, err);
			if (status == KNNG_OK)
				status = on_devices(w, meet_job, &m, err);
		}
	return status;
}

static knng_status
prune_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	unit *g = &((gpu *)w->state)->units[i];
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	launch_prune(g->l, w->npending, w->step == KNNG_STEP_SCAN, w->step == KNNG_STEP_F16, g->s->list);
	TRY_LAUNCH();
out:
	return status;
}

static knng_status
best_job(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	gpu *c = (gpu *)w->state;
	unit *g = &c->units[i];
	cudaStream_t stream = g->s->list;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	for (int64_t first = 0; first < w->npending; first += STAGE_BYTES / 4) {
		int64_t some = w->npending - first < STAGE_BYTES / 4 ? w->npending - first : (int64_t)STAGE_BYTES / 4;
		launch_best(g->l, first, some, (int32_t *)g->raw[0], stream);
		TRY_LAUNCH();
		TRY(cudaMemcpyAsync(g->number + first, g->raw[0], (size_t)some * 4, cudaMemcpyDeviceToHost, stream));
	}
	if (i == 0 && w->plan->metric->sum == KNNG_SUM_PLUS && w->query == &w->x && w->step != KNNG_STEP_SCAN)
		TRY(cudaMemcpyAsync(c->self, g->self, (size_t)w->x.count * 8, cudaMemcpyDeviceToHost, stream));
	TRY(cudaStreamSynchronize(stream));
out:
	return status;
}

static knng_status
cuda_finish(knng_work *w, knng_err *err)
{
	double done = w->done;
	w->done = 1 - w->left; /* the tiles are through */
	knng_status status = on_devices(w, prune_job, NULL, err);
	if (status == KNNG_OK && w->step != KNNG_STEP_SCAN)
		status = streams(w->plan) ? distances_of_panels(w, err) : on_devices(w, distances_job, NULL, err);
	if (status == KNNG_OK)
		status = on_devices(w, best_job, NULL, err);
	w->done = done;
	return status;
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

/* ---------------------------------------------------------------- answers to the host */

static int64_t
some_rows(const gpu *c, int64_t left)
{
	return left < c->rows ? left : c->rows;
}

/* Lets the answers for rows [first, first + some) of the certified points be sent: the owner of the batch gets what the
 * others found, puts it together and sends it on. What the buffers held before has arrived. */
static knng_status
send(knng_work *w, int64_t first, int64_t some, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	knng_status status = KNNG_OK;
	int64_t batch = c->sent++, bytes = some * answer_bytes(w->k);
	int device = 0, turn = (int)(batch % STAGES);
	unit *owner = &c->units[batch % c->n];
	char *room = owner->packed[turn];
	cudaStream_t stream = owner->s->list;
	if (some == 0)
		return KNNG_OK;
	for (int i = 0; i < c->n; i++) {
		unit *g = &c->units[i];
		device = g->device;
		TRY(cudaSetDevice(device));
		launch_pack(g->l, first, some, g->packed[turn] + i * c->share, g->s->list);
		TRY_LAUNCH();
		if (g != owner)
			TRY(cudaEventRecord(g->s->staged[turn], g->s->list));
	}
	device = owner->device;
	TRY(cudaSetDevice(device));
	for (int i = 0; i < c->n; i++) {
		const unit *g = &c->units[i];
		if (g == owner)
			continue;
		TRY(cudaStreamWaitEvent(stream, g->s->staged[turn], 0));
		TRY(cudaMemcpyPeerAsync(room + i * c->share, device, g->packed[turn] + i * c->share, g->device,
					(size_t)bytes, stream));
	}
	if (c->n > 1) {
		launch_merge(room, c->n, c->share, some, w->k, stream);
		TRY_LAUNCH();
		room += c->n * c->share;
	}
	TRY(cudaMemcpyAsync(c->answers[turn], room, (size_t)bytes, cudaMemcpyDeviceToHost, stream));
	TRY(cudaEventRecord(owner->s->staged[turn], stream));
out:
	return status;
}

/* While the host works at these rows the next are on their way. */
static knng_status
cuda_fetch(knng_work *w, const int32_t *points, int64_t *count, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	knng_status status = KNNG_OK;
	int device = 0;
	int64_t left = *count, some = some_rows(c, left), batch;
	*count = some;
	c->fetched = points;
	c->fetched_rows = some;
	if (w->k < 1)
		return KNNG_OK;
	if (c->certified == NULL) {
		c->certified = points;
		for (int i = 0; i < c->n; i++) {
			unit *g = &c->units[i];
			device = g->device;
			TRY(cudaSetDevice(device));
			TRY(cudaMemcpyAsync(g->ids, points, (size_t)left * 4, cudaMemcpyHostToDevice, g->s->list));
		}
		if ((status = send(w, 0, some, err)) != KNNG_OK)
			goto out;
	}
	batch = c->sent - 1;
	c->arrived = c->answers[batch % STAGES];
	/* The owner, which waits for the others, comes last, so that one that failed is named. */
	for (int i = 1; i <= c->n; i++) {
		const unit *g = &c->units[(batch + i) % c->n];
		device = g->device;
		TRY(cudaEventSynchronize(g->s->staged[batch % STAGES]));
	}
	status = send(w, points - c->certified + some, some_rows(c, left - some), err);
out:
	return status;
}

static knng_status
cuda_refine(knng_work *w, int worker, const int32_t *points, int64_t count, knng_pair *pairs, double *self,
	    knng_err *err)
{
	(void)worker;
	const gpu *c = (const gpu *)w->state;
	int64_t k = w->k;
	for (int64_t a = 0; a < count; a++) {
		int64_t at = points + a - c->fetched, n = 0;
		const double *distance = (const double *)c->arrived + at * k;
		const int32_t *column = (const int32_t *)(c->arrived + c->fetched_rows * k * 8) + at * k;
		for (; n < k && !isnan(distance[n]); n++)
			pairs[a * k + n] = (knng_pair){distance[n], column[n]};
		if (n < k)
			return core->fail(
				err, KNNG_EDEVICE, "knng:internal:candidates",
				"row %lld kept %lld candidates for %lld neighbours: this is a fault of knng; please "
				"report it with the data",
				(long long)points[a] + 1, (long long)n, (long long)k);
		self[a] = c->self[points[a]];
	}
	return KNNG_OK;
}

const knng_backend backend_cuda = {
	"cuda",          cuda_open,   cuda_load,      cuda_begin, cuda_has_step, cuda_workers, cuda_blocks,
	cuda_candidates, cuda_finish, cuda_certified, cuda_fetch, cuda_refine,   cuda_close,
};
