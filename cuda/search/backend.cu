/* backend.cu  The CUDA backend: core/search/backend.h on all devices of the plan.
 *
 * Every device holds the half-precision copies of all rows and a list of candidates for every query point of the block
 * that is searched; tiles are shared out by the core, so each device sees a part of the pairs. Thresholds are proven by
 * pairs that some device sees, so the lists of all devices together hold all that can matter; the k best of them are
 * the answer. Tiles are made on one stream and compared on another, in BUFFERS buffers.
 *
 * Prepared rows stay on the devices where they fit. Where they do not they are streamed: they come in panels from the
 * host, are prepared again each time, and every panel of rows meets every panel of columns once. */
#include "cuda/search/backend_cuda.h"
#include "cuda/search/fused.h"
#include "cuda/search/products.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const knng_search_host *core;

/* ---------------------------------------------------------------- open, close */

static void
carve_operand(unit *g, operand *s, int64_t rows, int64_t copy)
{
	if (copy > 0)
		s->f = (__half *)device_carve(g->s, (rows + 8) * copy);
	s->scale = (float *)device_carve(g->s, rows * 4);
	s->half = (double *)device_carve(g->s, rows * 8);
	s->eps = (double *)device_carve(g->s, rows * 8);
	s->base = (double *)device_carve(g->s, rows * 8);
}

static knng_status
unit_open(knng_search *w, unit *g, knng_err *err)
{
	const knng_plan *plan = w->plan;
	gpu *c = (gpu *)w->state;
	int64_t m = plan->m, block = plan->block, moved = moved_rows(plan, plan->tile);
	int64_t bytes = (int64_t)plan->device_bytes - LIBRARY_BYTES;
	double most = plan->opt.max_device_memory - LIBRARY_BYTES;
	int64_t limit = plan->opt.max_device_memory > 0 && most < 1e18 ? (int64_t)most : INT64_MAX;
	bool keeps = keeps_rows(plan), makes = keeps && c->resident == NULL;
	if (makes) /* an arena that is larger makes room for it */
		limit = bytes -= (int64_t)resident_bytes(plan) + boxes_resident(plan);
	knng_status status = device_open(g->device, bytes, limit, err);
	if (status == KNNG_OK && keeps)
		status = makes ? resident_open(plan, g->device, &c->resident, err) : resident_check(c->resident, err);
	if (status != KNNG_OK)
		return status;
	g->s = device_session(g->device);
	g->fusible = fused_longest(g->device);
	g->shares = !host->fault() && blocked_prepare() == cudaSuccess;
	cudaGetLastError();
	carve_operand(g, &g->x, plan->x.n, keeps ? 0 : copy_bytes(plan));
	if (plan->y.data != NULL)
		carve_operand(g, &g->q, plan->y.n, copy_bytes(plan));
	g->query = w->query == &w->x ? &g->x : &g->q;
	for (int r = 0; r < 2; r++) {
		int64_t rows = room_rows(plan, r);
		void *room = rows > 0 ? device_carve(g->s, rows * row_bytes(plan)) : NULL;
		g->room[r] = (prepared){room, plan->ld, plan->single};
	}
	if (keeps) {
		g->room[0] = c->resident->rows;
		g->x.f = c->resident->x.f;
	}
#ifdef KNNG_PLANT_STAYS /* what the tests must find: the rows of the searcher that was made last */
	static prepared last;
	if (makes)
		last = g->room[0];
	if (keeps && getenv("KNNG_PLANT") != NULL && strcmp(getenv("KNNG_PLANT"), "other") == 0)
		g->room[0] = last;
#endif
	g->columns = g->room[0];
	g->rows = w->query == &w->x ? g->room[0] : g->room[1];
	g->held.key = (uint64_t *)device_carve(g->s, block * plan->capacity * 8);
	g->held.column = (int32_t *)device_carve(g->s, block * plan->capacity * 4);
	g->held.used = (int32_t *)device_carve(g->s, block * 4);
	g->held.threshold = (double *)device_carve(g->s, block * 8);
	g->held.bound = (int32_t *)device_carve(g->s, block * 4);
	g->held.radius = (double *)device_carve(g->s, block * 8);
	g->held.spent = (int32_t *)device_carve(g->s, block * 4);
	boxes_open(plan, g, makes ? NULL : c->resident);
	g->ids = (int32_t *)device_carve(g->s, c->most * 4);
	g->state = (uint8_t *)device_carve(g->s, c->most);
	g->hash = (uint64_t *)device_carve(g->s, c->most * 8);
	g->self = (double *)device_carve(g->s, m * 8);
	for (int b = 0; b < BUFFERS; b++) {
		g->v[b] = device_carve(g->s, tile_elements(plan, plan->tile) * 8);
		g->raw[b] = (char *)device_carve(g->s, BUFFER_BYTES);
	}
	g->moved[0] = (double *)device_carve(g->s, (int64_t)moved_bytes(plan, plan->tile));
	g->moved[1] = g->moved[0] + moved * plan->ld;
	g->sums = (float *)g->moved[0];
	g->centre = (double *)device_carve(g->s, plan->ld * 8);
	if (plan->metric->prep == KNNG_PREP_RANKED)
		g->scratch = (double *)device_carve(g->s, RANK_BLOCKS * plan->ld * 8);
	g->extent = (unsigned long long *)device_carve(g->s, 16);
	g->flag = (int32_t *)device_carve(g->s, 32);
	g->l.stride = 2 * FUSED_TILES * plan->tile;
	g->l.queue = (int32_t *)device_carve(g->s, 2 * g->l.stride * 4);
	g->l.queued = (int32_t *)device_carve(g->s, QUEUED * 4);
	g->l.refined = (unsigned long long *)device_carve(g->s, 8);

	g->l.half = g->query->half;
	g->l.eps = g->query->eps;
	g->l.base = g->query->base;
	g->l.eps_x = g->x.eps;
	g->l.base_x = g->x.base;
	g->l.scale = g->query->scale;
	g->l.scale_x = g->x.scale;
	g->l.u = g->rows;
	g->l.u_x = g->columns;
	g->l.map = plan->metric->map;
	g->l.sum = plan->metric->sum;
	g->l.pending = g->ids;
	g->l.capacity = plan->capacity;
	g->l.d = plan->x.d;
	g->l.graph = plan->y.data == NULL;

	g->number = (int32_t *)host->alloc(m, sizeof *g->number);
	g->met = (bool *)host->alloc(lists_met(plan), sizeof *g->met);
	if (g->number == NULL || g->met == NULL)
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host",
				  "the machine has no memory left for the neighbours of GPU %d", g->device + 1);
	return knng_by_products(plan->metric) ? tensor_check(g->device, g->raw, err) : KNNG_OK;
}

/* Where answers are packed, and where they arrive: the tiles are free by then, and so are the pinned buffers. */
static knng_status
answers_open(gpu *c, const knng_plan *plan, knng_err *err)
{
	int64_t row = answer_bytes(plan->k > 0 ? plan->k : 1), tile = tile_elements(plan, plan->tile) * 8;
	int64_t room = tile > BUFFER_BYTES ? tile : (int64_t)BUFFER_BYTES;
	c->own_answers = row > BUFFER_BYTES;
	c->share = room / answer_parts(c->n) / 8 * 8;
	c->rows = (c->own_answers ? row : (int64_t)BUFFER_BYTES) / row;
	c->rows = c->share / row < c->rows ? c->share / row : c->rows;
	for (int b = 0; b < BUFFERS; b++) {
		for (int i = 0; i < c->n; i++) {
			unit *g = &c->units[i];
			g->packed[b] = tile > BUFFER_BYTES ? (char *)g->v[b] : g->raw[b];
		}
		c->answers[b] = c->own_answers ? (char *)host->alloc(row, 1) : c->pinned[b];
		if (c->answers[b] == NULL)
			return host->fail(err, KNNG_EMEMORY, "knng:memory:host",
					  "the machine has no memory left for the neighbours");
	}
	return KNNG_OK;
}

/* Where one device breaks the bound on half-precision products, none makes any. */
static void
leave_out_halves(knng_search *w, gpu *c)
{
	c->halves = knng_by_products(w->plan->metric);
	for (int i = 0; i < c->n && c->halves; i++) {
		double excess = tensor_excess(c->units[i].device);
		c->halves = excess == 0;
		if (excess > 0)
			snprintf(w->info->skipped, sizeof w->info->skipped, "GPU %d: " TENSOR_NOTE,
				 c->units[i].device + 1, excess);
	}
}

static knng_status
cuda_open(knng_search *w, knng_err *err)
{
	const knng_plan *plan = w->plan;
	knng_status status = KNNG_OK;
	int device = plan->devices[0];
	knng_device_info info;
	resident *there = (resident *)w->state;
	gpu *c = (gpu *)host->alloc(1, sizeof *c);
	w->state = c;
	if (c == NULL) {
		if (there != NULL)
			resident_leave(w->prepared, there);
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
	}
	memset(c, 0, sizeof *c);
	c->resident = there;
	c->most = most_rows(plan);
	c->units = (unit *)host->alloc(plan->ndevices, sizeof *c->units);
	c->place = (int32_t *)host->alloc(plan->m, sizeof *c->place);
	c->self = (double *)host->alloc(plan->m, sizeof *c->self);
	if (c->units == NULL || c->place == NULL || c->self == NULL)
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host",
				  "the machine has no memory left for the lists of the GPUs");
	memset(c->units, 0, (size_t)plan->ndevices * sizeof *c->units);
	if (plan->opt.within != NULL && plan->opt.split > 0 &&
	    (c->within = (double *)host->alloc(plan->m, sizeof *c->within)) == NULL)
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
	for (int64_t i = 0; i < plan->m; i++)
		c->self[i] = 0;
	c->copied = -1;
	if (has_centre(plan->metric) && (c->t.centre = (double *)host->alloc(plan->ld, sizeof *c->t.centre)) == NULL)
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
	for (int i = 0; i < plan->ndevices; i++) {
		c->units[i].device = plan->devices[i];
		c->n = i + 1;
		if ((status = unit_open(w, &c->units[i], err)) != KNNG_OK)
			return status;
	}
	leave_out_halves(w, c);
	c->coarse = knng_by_products(plan->metric) || plan->grids;
	devices_join(plan->devices, c->n);
	if ((status = devices_describe(device, &info, err)) != KNNG_OK ||
	    (status = buffers_open(c->pinned, device, err)) != KNNG_OK ||
	    (status = answers_open(c, plan, err)) != KNNG_OK)
		return status;
	snprintf(w->info->device, sizeof w->info->device, "%d x %.80s", c->n, info.name);
	snprintf(w->info->product, sizeof w->info->product, "%s", knng_by_products(plan->metric) ? "cublas" : "own");
	for (int i = 0; i < c->n; i++)
		w->info->device_peak =
			fmax(w->info->device_peak, (double)c->units[i].s->used + (double)c->units[i].s->library_bytes);
	if (c->resident != NULL && there == NULL)
		w->info->device_peak += (double)c->resident->bytes;
	return KNNG_OK;
}

static void
cuda_close(knng_search *w)
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
		host->free(g->number);
		host->free(g->met);
	}
	for (int b = 0; b < BUFFERS && c->own_answers; b++)
		host->free(c->answers[b]);
	host->free(c->t.centre);
	host->free(c->units);
	host->free(c->place);
	host->free(c->self);
	host->free(c->within);
	if (w->prepared != NULL && c->resident != NULL)
		resident_leave(w->prepared, c->resident);
	else
		resident_free(c->resident);
	host->free(c);
	w->state = NULL;
}

knng_status
on_devices(knng_search *w, knng_search_job *job, void *context, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	return core->parallel(w, c->n, c->n, job, context, err);
}

/* ---------------------------------------------------------------- candidates */

static bool
cuda_has_level(const knng_search *w, int level)
{
	const gpu *c = (const gpu *)w->state;
	bool products = knng_by_products(w->plan->metric);
	return level == KNNG_LEVEL_F16   ? c->coarse && (!products || c->halves)
	       : level == KNNG_LEVEL_F32 ? !products || c->halves
					 : true;
}

/* Tiles of prepared rows that are streamed are one device's work: it waits for its rows most of the time. */
int
cuda_workers(const knng_search *w)
{
	return streams(w->plan) && w->level != KNNG_LEVEL_F16 ? 1 : ((const gpu *)w->state)->n;
}

void
cuda_blocks(const knng_search *w, int64_t *height, int64_t *width)
{
	bool fused = ((const gpu *)w->state)->fused;
	*height = *width = fused ? fused_side(w->plan, w->level) : side_of(w->plan, w->level);
}

/* Whether the rows of a tile are its columns, and their lists the same. */
static bool
is_diagonal(const knng_search *w, knng_block rows, knng_block columns)
{
	return w->triangle && w->plan->opt.split == 0 && rows.first == columns.first;
}

/* What is there of a tile goes into the lists; then room is made in those that are full. */
static knng_status
compare_made(knng_search *w, unit *g, knng_block rows, knng_block columns, bool both, knng_err *err)
{
	knng_status status = KNNG_OK;
	int device = g->device;
	tile t;
	if ((status = make_tile(w, g, rows, columns, &t, err)) != KNNG_OK)
		goto out;
	launch_compare(g->l, t, both, g->s->list);
	TRY_LAUNCH();
	launch_prune_queued(g->l, t, g->s->list);
	TRY_LAUNCH();
	g->l.active = 1 - g->l.active;
	status = tile_done(g, err);
out:
	return status;
}

/* A large tile that is compared in pieces of `side` rows and columns. Of one whose rows are its columns no piece below
 * the diagonal is looked at: those above it serve both lists. */
typedef knng_status piece_comparer(knng_search *w, unit *g, knng_block rows, knng_block columns, bool both,
				   knng_err *err);
static knng_status
in_pieces(knng_search *w, unit *g, knng_block rows, knng_block columns, bool both, int64_t side,
	  piece_comparer *compare, knng_err *err)
{
	bool same = is_diagonal(w, rows, columns);
	knng_status status = KNNG_OK;
	for (int64_t r = 0; r < rows.count; r += side)
		for (int64_t c = same ? r : 0; c < columns.count && status == KNNG_OK; c += side) {
			knng_block down = panel_of(r / side, side, rows.count);
			knng_block across = panel_of(c / side, side, columns.count);
			down.first += rows.first;
			across.first += columns.first;
			if ((status = host->poll(&w->task, err)) == KNNG_OK)
				status = compare(w, g, down, across, both || (same && r != c), err);
		}
	return status;
}

/* Where the host learns of the tile in a buffer: lists::queued as the tile left it. (Rows that are streamed would be
 * shipped through these buffers at the same time, but only copies in one half are compared here then, and nothing is
 * shipped while tiles of these are made.) */
static int32_t *
learned(const gpu *c, const unit *g, int buffer)
{
	return (int32_t *)c->pinned[buffer] + 4 * (g - c->units);
}

/* What becomes of tiles that bring more than their lists have room for. Some of the next are smaller, so that
 * thresholds are sharper sooner; where even those bring too much, some are made as scores in memory, which are compared
 * again and again until lists have room. More of them each time, and at once if many lists had no room. */
static void
adapt(unit *g, bool small, bool full, bool crowded, bool most)
{
	if (!full && (small || !crowded))
		return;
	if (most && g->patience < MANY)
		g->patience = MANY;
	*(small ? &g->apart : &g->small) = g->patience;
	g->patience *= g->patience < INT32_MAX / 2 ? 2 : 1;
}

/* Rows, or columns, of the smaller ones. */
static int64_t
small_side(const knng_search *w)
{
	int64_t half = fused_side(w->plan, w->level) / 2, side = side_of(w->plan, w->level);
	return half > side || !has_halves(w->plan, w->level) ? half : side;
}

/* Waits for the tile in a buffer. One that had more hits than there was room for is made again, in pieces. */
static knng_status
settle(knng_search *w, unit *g, int buffer, knng_err *err)
{
	const int32_t *of = learned((const gpu *)w->state, g, buffer);
	knng_block rows = g->compared[buffer].rows, columns = g->compared[buffer].columns;
	int64_t lists = rows.count + columns.count, side = small_side(w);
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaEventSynchronize(g->s->compared[buffer]));
	if (!g->compared[buffer].there)
		goto out;
	g->compared[buffer].there = false;
	/* A list that had no room for what the tile had for it was served from the copies, which takes long. */
	adapt(g, rows.count <= side && columns.count <= side,
	      of[3] > fused_room(w->plan, w->level) || of[2] > lists / 256, of[g->compared[buffer].active] > lists / 2,
	      of[2] > lists / 8);
#ifndef KNNG_PLANT_DROP /* what the tests must find: hits that had no room, and are forgotten */
	if (of[3] > fused_room(w->plan, w->level)) {
		if (!has_halves(w->plan, w->level)) /* the next tile may need what has moved */
			TRY(cudaStreamSynchronize(g->s->list));
		status = in_pieces(w, g, rows, columns, g->compared[buffer].both, side_of(w->plan, w->level),
				   compare_made, err);
	}
#endif
out:
	return status;
}

/* Columns are tested together if the squares of the distances that they ask for are not more than so many times each
 * other. A column that asks for less than another has the more rows between the two distances, the more features there
 * are; with so many, it hands on some twenty times as many as it asks for, at most. */
static const double SPREAD = 1.1, SPREAD_BY_FEATURES = 6;

/* Compares a tile while it is made. */
static knng_status
compare_fused(knng_search *w, unit *g, knng_block rows, knng_block columns, bool both, knng_err *err)
{
	bool pieces = !has_halves(w->plan, w->level);
	int64_t ld = pieces ? 3 * w->plan->ld : w->plan->ld, side = fused_side(w->plan, w->level);
	cudaStream_t stream = g->s->list;
	knng_status status = KNNG_OK;
	int device = g->device, buffer = g->buffer;
	bool alike = w->plan->metric->prep != KNNG_PREP_NONE; /* rows are of length one */
	fused f = {};
	__half *beside = (__half *)((char *)g->v[buffer] + half_buffer(w->plan));
	__half *piece[2] = {(__half *)g->moved[0], (__half *)g->moved[1]};
	if (pieces_fit(w->plan, side)) {
		piece[0] = beside;
		piece[1] = beside + side * ld;
	}
	f.rows = pieces ? piece[0] : g->query->f + w->pending[rows.first] * ld;
	f.columns = pieces ? piece[1] : g->x.f + columns.first * ld;
	f.ld = ld;
	f.nr = (int)rows.count;
	f.nc = (int)columns.count;
	f.flip = w->plan->metric->sum == KNNG_SUM_PLUS ? 0x80008000u : 0;
	f.half = is_diagonal(w, rows, columns);
	f.both = both || f.half;
#ifdef KNNG_PLANT_TWICE /* what the tests must find: pairs that are there twice */
	f.half = f.half && !(getenv("KNNG_PLANT") != NULL && strcmp(getenv("KNNG_PLANT"), "twice") == 0);
#endif
	f.pieces = pieces;
	f.fold = alike || pieces ? 0 : fused_fold(w->plan->x.d);
	/* Where lists have met little, many pairs pass. */
	f.even = (alike || f.fold > 0) && 2 * rows.count > side && 2 * columns.count > side;
	f.spread = alike ? SPREAD : exp(SPREAD_BY_FEATURES / (double)w->plan->x.d);
	f.row = (float2 *)g->v[buffer];
	f.column = f.row + side;
	f.least = f.column + side;
	bool in_order = !fused_is_long(ld, pieces);
#ifdef KNNG_PLANT_TWICE /* what the tests must find: an order that the kernel does not know */
	in_order = in_order || (getenv("KNNG_PLANT") != NULL && strcmp(getenv("KNNG_PLANT"), "order") == 0);
#endif
	f.order = f.even && f.both && in_order ? (uint16_t *)(f.least + (side + TOGETHER - 1) / TOGETHER) : NULL;
	f.hits = (uint2 *)(f.row + TESTS * side);
	f.room = (int)fused_room(w->plan, w->level);
	f.handed = g->l.queued + 3;
	f.pace = ld >= KNNG_TENSOR_PART ? g->l.queued + 4 : NULL; /* from there on it gains, as measured */
	f.l = g->l;
	f.t.rows = f.rows;
	f.t.columns = f.columns;
	f.t.ld = ld;
	f.t.halves = !pieces;
	f.t.floats = pieces;
	f.t.row0 = rows.first;
	f.t.nr = rows.count;
	f.t.column0 = columns.first;
	f.t.nc = columns.count;
	TRY(cudaMemsetAsync(g->l.queued + 2, 0, 12, stream));
	if (pieces)
		split_tile(w, g, rows, columns, piece[0], piece[1], stream);
	launch_fused(f, stream);
	TRY_LAUNCH();
	launch_prune_queued(g->l, f.t, stream);
	TRY_LAUNCH();
	launch_prune_tile(g->l, f.t, both, stream);
	TRY_LAUNCH();
	TRY(cudaMemcpyAsync(learned((const gpu *)w->state, g, buffer), g->l.queued, 16, cudaMemcpyDeviceToHost,
			    stream));
	g->compared[buffer].active = g->l.active;
	g->l.active = 1 - g->l.active;
	g->compared[buffer].rows = rows;
	g->compared[buffer].columns = columns;
	g->compared[buffer].both = both;
	g->compared[buffer].there = true;
	status = tile_done(g, err);
out:
	return status;
}

static knng_status
compare_large(knng_search *w, unit *g, knng_block rows, knng_block columns, bool both, knng_err *err)
{
	knng_status status;
	do
		status = settle(w, g, g->buffer, err); /* which may leave the other buffer to be taken next */
	while (status == KNNG_OK && g->compared[g->buffer].there);
	if (status == KNNG_OK && g->apart == 0)
		return compare_fused(w, g, rows, columns, both, err);
	for (int b = 0; b < BUFFERS && status == KNNG_OK; b++)
		status = settle(w, g, b, err); /* the buffers are taken */
	g->apart -= g->apart > 0;
	return status == KNNG_OK ? in_pieces(w, g, rows, columns, both, side_of(w->plan, w->level), compare_made, err)
				 : status;
}

/* Whether lists have met nothing on this device but what gave them their first thresholds. */
static bool
is_fresh(unit *g, int64_t lists)
{
	bool yes = !g->met[lists];
	g->met[lists] = true;
	return yes;
}

/* A tile whose lists are fresh has much for them: it comes in quarters, and they are pruned after each. So do tiles of
 * which lists have had too much. */
static knng_status
compare_parts(knng_search *w, unit *g, knng_block rows, knng_block columns, bool both, knng_err *err)
{
	int64_t side = fused_side(w->plan, w->level), part = side;
	bool one = w->triangle && w->plan->opt.split == 0; /* rows and columns are the same lists */
	int64_t others = one ? 0 : (w->npending + side - 1) / side;
	bool fresh = is_fresh(g, rows.first / side);
	fresh = (both && is_fresh(g, others + columns.first / side)) || fresh;
	if (fresh && (has_halves(w->plan, w->level) || side > side_of(w->plan, w->level)))
		part = side / 2;
	if (g->small > 0)
		part = small_side(w);
	g->small -= g->small > 0;
	return in_pieces(w, g, rows, columns, both, part, compare_large, err);
}

/* Waits for the last tiles. */
static knng_status
settle_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	unit *g = &((gpu *)w->state)->units[i];
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	for (int b = 0; b < BUFFERS && status == KNNG_OK; b++)
		status = settle(w, g, b, err);
out:
	return status;
}

static knng_status
cuda_candidates(knng_search *w, int worker, knng_block rows, knng_block columns, bool both, knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	unit *g = &c->units[worker];
	knng_status status = KNNG_OK;
	int device = g->device;
	if (w->k < 1)
		return KNNG_OK;
	TRY(cudaSetDevice(device));
	status = (c->fused ? compare_parts : compare_made)(w, g, rows, columns, both, err);
out:
	return status;
}

/* ---------------------------------------------------------------- end of a level: exact distances in the lists */

static bool
refines_blocked(const knng_search *w, const unit *g)
{
	return g->shares && shares_candidates(w->k, w->x.count, w->plan->ld) && !w->plan->single &&
	       g->l.capacity <= BLOCKED_CAPACITY;
}

/* Canonical distances of the candidates, among columns [from, end), of rows [first, first + count) of pending. scores:
 * the lists of these rows have scores yet, but for columns that are not among them. */
static knng_status
gathered(knng_search *w, unit *g, knng_block part, prepared rows, prepared columns, int64_t from, int64_t end,
	 bool scores, knng_err *err)
{
	const knng_metric *metric = w->plan->metric;
	int64_t ld = w->plan->ld, most = GATHERED / ld / (w->k + 1) + 1; /* a tenth of a second */
	knng_status status = KNNG_OK;
	int device = g->device;
	for (int64_t at = 0; at < part.count && w->k > 0; at += most) {
		TRY(cudaStreamSynchronize(g->s->list));
		if ((status = host->poll(&w->task, err)) != KNNG_OK)
			goto out;
		launch_gathered(g->l, part.first + at, part.count - at < most ? part.count - at : most, metric->sum,
				metric->map, rows, columns, from, end, scores, g->s->list);
		TRY_LAUNCH();
	}
out:
	return status;
}

/* Canonical distances of the candidates of the first *done rows of the level, by blocks: of all, unless one block of
 * rows has more of them than a buffer takes. The tiles are free now: one is room for the entries of a launch, the other
 * for its pairs and where they begin. */
static knng_status
distances_blocked(knng_search *w, unit *g, int64_t *done, knng_err *err)
{
	const knng_metric *metric = w->plan->metric;
	int64_t room = tile_elements(w->plan, w->plan->tile), all = w->npending;
	unsigned long long entries, *total = (unsigned long long *)g->v[1];
	cudaStream_t stream = g->s->list;
	knng_status status = KNNG_OK;
	int device = g->device;
	blocking m = {};
	m.mutual = w->triangle;
	m.count = all;
	room = room < INT32_MAX ? room : INT32_MAX;
	TRY(cudaMemsetAsync(total, 0, 8, stream));
	launch_total(g->l, all, total, stream);
	TRY_LAUNCH();
	TRY(cudaMemcpyAsync(&entries, total, 8, cudaMemcpyDeviceToHost, stream));
	TRY(cudaStreamSynchronize(stream));
	m.side = blocked_side(metric->sum, (double)entries / (double)all / (double)w->x.count, m.mutual);
	m.rows = (all + m.side - 1) / m.side;
	m.columns = (w->x.count + m.side - 1) / m.side;
	if (m.columns > BLOCKED_COLUMNS)
		goto out;
	m.entry = (uint64_t *)g->v[0];
	m.total = total;
	m.begin = (int32_t *)(total + 2);
	for (int64_t tall = m.rows; tall > 0 && m.top < m.rows;) {
		m.tall = tall < m.rows - m.top ? tall : m.rows - m.top;
		m.tall = m.tall < room / 4 / m.columns ? m.tall : room / 4 / m.columns;
		int64_t buckets = m.tall * m.columns;
		m.end = m.begin + buckets;
		m.pair = (uint64_t *)(m.end + buckets);
		if (buckets < 1)
			break;
		TRY(cudaMemsetAsync(total, 0, (size_t)(2 + buckets) * 8, stream));
		launch_count(g->l, m, stream);
		TRY_LAUNCH();
		TRY(cudaMemcpyAsync(&entries, total, 8, cudaMemcpyDeviceToHost, stream));
		TRY(cudaStreamSynchronize(stream));
		if ((status = host->poll(&w->task, err)) != KNNG_OK)
			goto out;
		/* Beside a pair for each entry, one more for each row of a bucket that has an odd number. */
		double most = fmin(2 * (double)entries, (double)entries + (double)(buckets * m.side));
		double need = (most + 2 + (double)buckets) / (double)room;
		if (need <= 1) {
			launch_blocked(g->l, m, metric->sum, metric->map, g->rows, g->columns, stream);
			TRY_LAUNCH();
			m.top += m.tall;
		} else {
			tall = m.tall > 1 ? (int64_t)fmax(1, 0.9 * (double)m.tall / need) : 0;
		}
	}
out:
	*done = m.top * m.side < all ? m.top * m.side : all;
	return status;
}

/* Canonical distances of the candidates of all rows of the level. */
static knng_status
distances(knng_search *w, unit *g, knng_err *err)
{
	int64_t done = 0;
	knng_status status = refines_blocked(w, g) && w->k > 0 ? distances_blocked(w, g, &done, err) : KNNG_OK;
	if (status != KNNG_OK)
		return status;
	/* In a triangle, lists of the rows that are left have distances of pairs with those that are done. */
	bool scores = done == 0 || !w->triangle;
#ifdef KNNG_PLANT_TWICE /* what the tests must find: distances that are taken for scores */
	scores = scores || (getenv("KNNG_PLANT") != NULL && strcmp(getenv("KNNG_PLANT"), "scores") == 0);
#endif
	return gathered(w, g, (knng_block){done, w->npending - done}, g->rows, g->columns, 0, w->x.count, scores, err);
}

/* Distances of rows to themselves, where they are not 0. */
static knng_status
distances_to_self(knng_search *w, unit *g, knng_block part, prepared rows, knng_err *err)
{
	const knng_metric *metric = w->plan->metric;
	knng_status status = KNNG_OK;
	int device = g->device;
	if (metric->sum == KNNG_SUM_PLUS && w->query == &w->x && part.count > 0 && g == ((gpu *)w->state)->units) {
		launch_self(metric->sum, metric->map, rows, part.count, g->self + part.first, g->s->list);
		TRY_LAUNCH();
	}
out:
	return status;
}

static knng_status
distances_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
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

/* A panel of rows and one of columns that are held, and which of the level's rows lie in each. */
typedef struct {
	knng_block down, across, down_pending, across_pending;
} meeting;

static knng_status
meet_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const meeting *m = (const meeting *)context;
	unit *g = &((gpu *)w->state)->units[i];
	bool graph = w->query == &w->x, same = graph && m->down.first == m->across.first;
	prepared down = rows_from(g->room[1], -m->down.first);
	prepared across = same ? down : rows_from(g->room[0], -m->across.first);
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	status = gathered(w, g, m->down_pending, down, across, m->across.first, m->across.first + m->across.count, true,
			  err);
	if (status == KNNG_OK && graph && !same)
		status = gathered(w, g, m->across_pending, across, down, m->down.first, m->down.first + m->down.count,
				  true, err);
	if (status == KNNG_OK && same)
		status = distances_to_self(w, g, m->down, g->room[1], err);
out:
	return status;
}

/* The places in pending of the points of a panel. */
static knng_block
pending_of(const knng_search *w, knng_block panel)
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

/* Every panel of rows meets every panel of columns once; in a graph two panels meet once for the rows of both. */
static knng_status
distances_of_panels(knng_search *w, knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	bool graph = w->query == &w->x;
	int64_t size = w->plan->panel, rows = (w->query->count + size - 1) / size;
	int64_t columns = (w->x.count + size - 1) / size;
	knng_status status = KNNG_OK;
	if (w->k < 1 && w->plan->metric->sum != KNNG_SUM_PLUS)
		return KNNG_OK;
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

static bool
prunes_together(const knng_search *w)
{
	return ((const gpu *)w->state)->n > 1 && w->k > 0 && w->level != KNNG_LEVEL_SCAN;
}

/* Prunes the lists of some rows of the level. Of several devices each gives the radius of the best of its lists, as
 * many as make k with the others' (the tiles are free now). */
static knng_status
prune_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const knng_block *part = (const knng_block *)context;
	const gpu *c = (const gpu *)w->state;
	unit *g = &c->units[i];
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	launch_prune(g->l, part->first, part->count, w->level == KNNG_LEVEL_SCAN, has_halves(w->plan, w->level),
		     (w->k + c->n - 1) / c->n, prunes_together(w) ? (double *)g->v[0] : NULL, g->s->list);
	TRY_LAUNCH();
	if (prunes_together(w))
		TRY(cudaStreamSynchronize(g->s->list)); /* the others read it */
out:
	return status;
}

/* And by what they all have found. */
static knng_status
prune_shared_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const knng_block *part = (const knng_block *)context;
	const gpu *c = (const gpu *)w->state;
	unit *g = &c->units[i];
	double *others = (double *)g->v[1];
	knng_status status = KNNG_OK;
	int device = g->device, many = 0;
	TRY(cudaSetDevice(device));
	for (int o = 0; o < c->n; o++)
		if (o != i)
			TRY(cudaMemcpyPeerAsync(others + part->count * many++, device, c->units[o].v[0],
						c->units[o].device, (size_t)part->count * 8, g->s->list));
	launch_prune_shared(g->l, part->first, part->count, (const double *)g->v[0], others, many, g->s->list);
	TRY_LAUNCH();
	TRY(cudaStreamSynchronize(g->s->list)); /* before v[0] is taken again */
out:
	return status;
}

static knng_status
prune_lists(knng_search *w, knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	int64_t most = c->n > 1 ? tile_elements(w->plan, w->plan->tile) / (c->n - 1) : w->npending;
	knng_status status = KNNG_OK;
	for (int64_t first = 0; first < w->npending && status == KNNG_OK; first += most) {
		knng_block part = {first, w->npending - first < most ? w->npending - first : most};
		status = on_devices(w, prune_job, &part, err);
		if (status == KNNG_OK && prunes_together(w))
			status = on_devices(w, prune_shared_job, &part, err);
	}
	return status;
}

static knng_status
best_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	gpu *c = (gpu *)w->state;
	unit *g = &c->units[i];
	cudaStream_t stream = g->s->list;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	TRY(cudaMemsetAsync(g->l.refined, 0, 8, stream));
	for (int64_t first = 0; first < w->npending; first += BUFFER_BYTES / 4) {
		int64_t some = w->npending - first < BUFFER_BYTES / 4 ? w->npending - first : (int64_t)BUFFER_BYTES / 4;
		launch_best(g->l, first, some, (int32_t *)g->raw[0], stream);
		TRY_LAUNCH();
		TRY(cudaMemcpyAsync(g->number + first, g->raw[0], (size_t)some * 4, cudaMemcpyDeviceToHost, stream));
	}
	if (i == 0 && w->plan->metric->sum == KNNG_SUM_PLUS && w->query == &w->x && w->level != KNNG_LEVEL_SCAN)
		TRY(cudaMemcpyAsync(c->self, g->self, (size_t)w->x.count * 8, cudaMemcpyDeviceToHost, stream));
	TRY(cudaMemcpyAsync(&g->refined, g->l.refined, 8, cudaMemcpyDeviceToHost, stream));
	TRY(cudaStreamSynchronize(stream));
out:
	return status;
}

static knng_status
cuda_end_level(knng_search *w, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	double done = w->task.done;
	w->task.done = 1 - w->task.left; /* the tiles are through */
	knng_status status = c->fused ? on_devices(w, settle_job, NULL, err) : KNNG_OK;
	if (status == KNNG_OK)
		status = prune_lists(w, err);
	if (status == KNNG_OK && w->level != KNNG_LEVEL_SCAN)
		status = streams(w->plan) ? distances_of_panels(w, err) : on_devices(w, distances_job, NULL, err);
	if (status == KNNG_OK)
		status = on_devices(w, best_job, NULL, err);
	for (int i = 0; i < c->n && w->level != KNNG_LEVEL_SCAN; i++)
		w->info->refined += (int64_t)c->units[i].refined;
	if (w->level == KNNG_LEVEL_SCAN)
		w->info->refined += w->npending * w->x.count;
	w->task.done = done;
	return status;
}

static bool
cuda_certified(const knng_search *w, int32_t p)
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
send(knng_search *w, int64_t first, int64_t some, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	knng_status status = KNNG_OK;
	int64_t batch = c->sent++, bytes = some * answer_bytes(w->k);
	int device = 0, buffer = (int)(batch % BUFFERS);
	unit *owner = &c->units[batch % c->n];
	char *room = owner->packed[buffer];
	cudaStream_t stream = owner->s->list;
	if (some == 0)
		return KNNG_OK;
	if (w->level == KNNG_LEVEL_BOXES) {
		device = owner->device;
		TRY(cudaSetDevice(device));
		if ((status = boxes_answer(w, owner, first, some, room, err)) != KNNG_OK)
			goto out;
	}
	for (int i = 0; i < c->n && w->level != KNNG_LEVEL_BOXES; i++) {
		unit *g = &c->units[i];
		device = g->device;
		TRY(cudaSetDevice(device));
		launch_pack(g->l, first, some, g->packed[buffer] + i * c->share, g->s->list);
		TRY_LAUNCH();
		if (g != owner)
			TRY(cudaEventRecord(g->s->sent[buffer], g->s->list));
	}
	device = owner->device;
	TRY(cudaSetDevice(device));
	for (int i = 0; i < c->n && w->level != KNNG_LEVEL_BOXES; i++) {
		const unit *g = &c->units[i];
		if (g == owner)
			continue;
		TRY(cudaStreamWaitEvent(stream, g->s->sent[buffer], 0));
		TRY(cudaMemcpyPeerAsync(room + i * c->share, device, g->packed[buffer] + i * c->share, g->device,
					(size_t)bytes, stream));
	}
	if (c->n > 1 && w->level != KNNG_LEVEL_BOXES) {
		launch_merge(room, c->n, c->share, some, w->k, stream);
		TRY_LAUNCH();
		room += c->n * c->share;
	}
	TRY(cudaMemcpyAsync(c->answers[buffer], room, (size_t)bytes, cudaMemcpyDeviceToHost, stream));
	TRY(cudaEventRecord(owner->s->sent[buffer], stream));
out:
	return status;
}

/* While the host works at these rows the next are on their way. */
static knng_status
cuda_fetch(knng_search *w, const int32_t *points, int64_t *count, knng_err *err)
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
		for (int i = 0; i < c->n && !boxes_at_once(w, some); i++) {
			unit *g = &c->units[i];
			device = g->device;
			TRY(cudaSetDevice(device));
			TRY(cudaMemcpyAsync(g->ids, points, (size_t)left * 4, cudaMemcpyHostToDevice, g->s->list));
		}
		if ((status = send(w, 0, some, err)) != KNNG_OK)
			goto out;
	}
	batch = c->sent - 1;
	c->arrived = c->answers[batch % BUFFERS];
	/* The owner, which waits for the others, comes last, so that one that failed is named. */
	for (int i = 1; i <= c->n; i++) {
		const unit *g = &c->units[(batch + i) % c->n];
		device = g->device;
		TRY(cudaEventSynchronize(g->s->sent[batch % BUFFERS]));
	}
	if (w->level == KNNG_LEVEL_BOXES && some == left && (status = boxes_count(w, err)) != KNNG_OK)
		goto out;
	status = send(w, points - c->certified + some, some_rows(c, left - some), err);
out:
	return status;
}

static knng_status
cuda_refine(knng_search *w, int worker, const int32_t *points, int64_t count, knng_pair *pairs, double *self,
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
#ifdef KNNG_PLANT_LOSS /* what must reach the user as an error */
		n -= getenv("KNNG_PLANT") != NULL && strcmp(getenv("KNNG_PLANT"), "loss") == 0;
#endif
		if (n < k && !core->has_no_more(w, points[a], n) &&
		    !(c->within != NULL && c->within[points[a]] < INFINITY))
			return host->fail(
				err, KNNG_EINTERNAL, "knng:internal:candidates",
				"row %lld kept %lld candidates for %lld neighbours: this is a fault of knng; please "
				"report it with the data",
				(long long)points[a] + 1, (long long)n, (long long)k);
		for (; n < k; n++)
			pairs[a * k + n] = (knng_pair){INFINITY, -1};
		self[a] = c->self[points[a]];
	}
	return KNNG_OK;
}

const knng_backend backend_cuda = {
	"cuda",         cuda_open,      cuda_load,    cuda_largest, cuda_prune,
	cuda_begin,     cuda_has_level, cuda_workers, cuda_blocks,  cuda_candidates,
	cuda_end_level, cuda_certified, cuda_fetch,   cuda_refine,  cuda_close,
};
