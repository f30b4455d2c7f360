/* gaps.cu  Searches over the columns that two rows share (docs/canonical.md, 12): of a block of queries, with all
 * references, tile by tile.
 *
 * cuBLAS multiplies copies: halves, on tensor cores, and where too many pairs pass their bounds, or tensor cores do not
 * sum as they should, single precision from there on; of cityblock a kernel sums up the differences of copies in single
 * precision. From the products or sums comes a lower bound of every pair of the tile.
 *
 * A query that has its k neighbours has a limit, that of the last. A pair whose bound is no larger goes into the list
 * of the query, and gets its canonical distance; now and then the k nearest of a list stay. In a graph, where the lists
 * of all rows have room on one device, a pair serves both of its rows, and a block meets those behind it alone: blocks
 * come in order then, as one device takes them.
 *
 * The first tile of a query, and one with more such pairs than there is room for, is taken slowly: the bounds are
 * stored, and as long as there are pairs that may matter to their query, as many as its list has room for go there. A
 * query that has no k neighbours yet takes the pairs with the k lowest bounds. Without a filter every bound is 0, and
 * all tiles are taken so.
 *
 * All rows lie on every device. Several devices share out the blocks of queries, so that no two know of each other. */
#include "cuda/search/gaps.h"
#include "cuda/search/products.h"

#include <math.h>
#include <string.h>

enum {
	LARGEST_TILE = 4096,
	SMALLEST_TILE = 64,
	FREE_PLACES = 512 /* of a list, at least, beside those of its neighbours */
};

typedef struct {
	int device;
	session *s;
	gap_rows x, y;
	double *centre; /* [ld] */
	float *v;
	gap_lists lists; /* of the rows of a block */
	gap_hit *hits;
	gap_tally *tally; /* [tiles of a block] */
	gap_counters *count;
} gap_unit;

typedef struct {
	knng_gap_search g;
	int n;
	gap_unit units[MAX_DEVICES];
	bool both;        /* a pair serves both of its rows: blocks come in order */
	int64_t next;     /* then, the first row of the next one */
	bool halves;      /* tiles are multiplied as halves; any thread may clear it */
	gap_tally *tally; /* host [tiles of a block] of each device */
} gap_state;

/* ---------------------------------------------------------------- memory */

static int64_t
words_of(int64_t d)
{
	return (d + 31) / 32;
}

/* Whether copies are multiplied; else their differences are summed up. */
static bool
multiplies(const knng_plan *plan)
{
	return plan->metric->sum != KNNG_SUM_L1;
}

static int64_t
products_of(const knng_plan *plan)
{
	/* The bound of centred rows looks at all of them, others at the first. */
	bool centred = plan->metric->prep == KNNG_PREP_CENTRED || plan->metric->prep == KNNG_PREP_RANKED;
	return !plan->filters || !multiplies(plan) ? 1 : centred ? KNNG_GAP_PRODUCTS : KNNG_GAP_X;
}

static double
rows_bytes(const knng_plan *plan, int64_t n)
{
	double copies = !plan->filters ? 0 : multiplies(plan) ? 3 * (2 + 4) : 4;
	return (double)n * (8 * (double)plan->ld + 4 * (double)words_of(plan->x.d) + 6 +
			    copies * (double)across(plan->x.d)) +
	       11 * 256;
}

/* The bytes of a tile; tensor cores are checked there, and neighbours packed. */
static int64_t
tile_bytes(const knng_plan *plan, int64_t tile)
{
	int64_t floats = products_of(plan) * tile * tile * 4;
	int64_t check = plan->filters && multiplies(plan) ? 2 * (int64_t)BUFFER_BYTES : 0;
	int64_t least = check > plan->k * (int64_t)sizeof(knng_pair) ? check : plan->k * (int64_t)sizeof(knng_pair);
	return floats > least ? floats : least;
}

static int64_t
tiles_of(const knng_plan *plan, int64_t tile)
{
	return (plan->x.n + tile - 1) / tile;
}

/* Of a plan whose block is chosen. */
static double
gaps_bytes(const knng_plan *plan, int64_t tile)
{
	double lists = (double)plan->block * (12 * (double)plan->capacity + 12);
	double rows = rows_bytes(plan, plan->x.n) + (plan->y.data == NULL ? 0 : rows_bytes(plan, plan->y.n));
	double hits = (double)(tile * HITS_A_ROW) * sizeof(gap_hit) + (double)tiles_of(plan, tile) * sizeof(gap_tally);
	return rows + lists + hits + (double)tile_bytes(plan, tile) + 8 * (double)plan->ld + sizeof(gap_counters) +
	       10 * 256 + LIBRARY_BYTES;
}

/* Lists of all rows of a graph, where one device has room for them; else of those of a tile. */
static double
choose_block(knng_plan *plan, int64_t tile, double room)
{
	plan->block = plan->m;
	if (plan->y.data != NULL || plan->ndevices > 1 || !plan->filters || gaps_bytes(plan, tile) > room)
		plan->block = tile < plan->m ? tile : plan->m;
	return gaps_bytes(plan, tile);
}

knng_status
gaps_plan(knng_plan *plan, knng_err *err)
{
	char name[96];
	double room;
	int64_t places = plan->k > FREE_PLACES ? plan->k : (int64_t)FREE_PLACES, tile = LARGEST_TILE;
	knng_status status = devices_room(plan, &room, name, sizeof name, err);
	if (status != KNNG_OK)
		return status;
	plan->capacity = plan->k + places < plan->x.n ? plan->k + places : plan->x.n;
	while (tile > 1024 && plan->m < 4 * tile * plan->ndevices)
		tile /= 2;
	while (tile > SMALLEST_TILE && tile * (tile < plan->capacity ? tile : plan->capacity) > GATHERED / plan->x.d)
		tile /= 2;
	if (plan->opt.tile > 0)
		tile = plan->opt.tile < LARGEST_TILE ? plan->opt.tile : (int64_t)LARGEST_TILE;
	while (tile > SMALLEST_TILE && choose_block(plan, tile, room) > room)
		tile = tile / 2 > SMALLEST_TILE ? tile / 2 : (int64_t)SMALLEST_TILE;
	plan->tile = tile;
	plan->device_bytes = choose_block(plan, tile, room);
	if (plan->device_bytes > room)
		return refuse_room(plan, plan->device_bytes, name, room, err);
	plan->bytes = sizeof(gap_state) + (double)plan->ndevices * (double)tiles_of(plan, tile) * sizeof(gap_tally) +
		      (plan->filters ? (double)plan->ndevices * TENSOR_HOST_BYTES : 0);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- a search */

template <typename T>
static copies<T>
carve_copies(session *s, int64_t numbers)
{
	copies<T> c;
	for (T **part : {&c.y, &c.square, &c.mask})
		*part = (T *)device_carve(s, numbers * (int64_t)sizeof(T));
	return c;
}

static gap_rows
carve_rows(session *s, const knng_plan *plan, int64_t n)
{
	gap_rows rows = {};
	int64_t numbers = plan->filters ? n * across(plan->x.d) : 0;
	rows.n = n;
	rows.total = (float *)device_carve(s, n * 4);
	rows.u = (double *)device_carve(s, n * plan->ld * 8);
	rows.has = (uint32_t *)device_carve(s, n * words_of(plan->x.d) * 4);
	rows.alone = (uint8_t *)device_carve(s, n);
	rows.tied = (uint8_t *)device_carve(s, n);
	if (multiplies(plan)) {
		rows.half = carve_copies<__half>(s, numbers);
		rows.single = carve_copies<float>(s, numbers);
	} else {
		rows.single.y = (float *)device_carve(s, numbers * (int64_t)sizeof(float));
	}
	return rows;
}

static knng_status
ship(const knng_gap_search *g, const gap_unit *unit, const gap_rows *to, const knng_gap_rows *from, knng_err *err)
{
	int device = unit->device;
	int64_t d = g->plan->x.d, ld = g->plan->ld;
	knng_gap_scale scale = g->scale;
	knng_status status = KNNG_OK;
	scale.centre = unit->centre;
	TRY(cudaMemcpyAsync(to->u, from->u, (size_t)(from->n * ld * 8), cudaMemcpyHostToDevice, unit->s->make));
	TRY(cudaMemcpyAsync(to->alone, from->alone, (size_t)from->n, cudaMemcpyHostToDevice, unit->s->make));
	TRY(cudaMemcpyAsync(to->tied, from->tied, (size_t)from->n, cudaMemcpyHostToDevice, unit->s->make));
	launch_gap_copies(to, g->filters, multiplies(g->plan), &scale, d, ld, unit->s->make);
	TRY_LAUNCH();
out:
	return status;
}

static knng_status
unit_open(gap_state *c, gap_unit *unit, knng_err *err)
{
	const knng_plan *plan = c->g.plan;
	int device = unit->device;
	double most = plan->opt.max_device_memory - LIBRARY_BYTES;
	int64_t limit = plan->opt.max_device_memory > 0 && most < 1e18 ? (int64_t)most : INT64_MAX, tile = plan->tile;
	knng_status status = device_open(device, (int64_t)plan->device_bytes - LIBRARY_BYTES, limit, err);
	if (status != KNNG_OK)
		return status;
	unit->s = device_session(device);
	unit->v = (float *)device_carve(unit->s, tile_bytes(plan, tile));
	if (plan->filters && multiplies(plan)) {
		char *room[] = {(char *)unit->v, (char *)unit->v + BUFFER_BYTES};
		if ((status = tensor_check(device, room, err)) != KNNG_OK)
			return status;
		TRY_BLAS(cublasSetMathMode(unit->s->blas, PRODUCTS_MODE));
	}
	unit->x = carve_rows(unit->s, plan, plan->x.n);
	unit->y = plan->y.data == NULL ? unit->x : carve_rows(unit->s, plan, plan->y.n);
	unit->centre = (double *)device_carve(unit->s, plan->ld * 8);
	unit->lists.key = (uint64_t *)device_carve(unit->s, plan->block * plan->capacity * 8);
	unit->lists.column = (int32_t *)device_carve(unit->s, plan->block * plan->capacity * 4);
	unit->lists.found = (int32_t *)device_carve(unit->s, plan->block * 4);
	unit->lists.taken = (int32_t *)device_carve(unit->s, plan->block * 4);
	unit->lists.limit = (float *)device_carve(unit->s, plan->block * 4);
	unit->hits = (gap_hit *)device_carve(unit->s, tile * HITS_A_ROW * (int64_t)sizeof(gap_hit));
	unit->tally = (gap_tally *)device_carve(unit->s, tiles_of(plan, tile) * (int64_t)sizeof(gap_tally));
	unit->count = (gap_counters *)device_carve(unit->s, sizeof(gap_counters));
	TRY(cudaMemcpyAsync(unit->centre, c->g.scale.centre, (size_t)plan->ld * 8, cudaMemcpyHostToDevice,
			    unit->s->make));
	status = ship(&c->g, unit, &unit->x, &c->g.x, err);
	if (status == KNNG_OK && plan->y.data != NULL)
		status = ship(&c->g, unit, &unit->y, &c->g.y, err);
	if (status == KNNG_OK)
		TRY(cudaStreamSynchronize(unit->s->make));
out:
	return status;
}

static knng_status
open_job(void *context, int, int64_t job, knng_err *err)
{
	gap_state *c = (gap_state *)context;
	return unit_open(c, &c->units[job], err);
}

knng_status
gaps_open(const knng_gap_search *g, void **state, knng_info *info, knng_err *err)
{
	knng_task task = *g->task;
	gap_state *c = (gap_state *)host->alloc(1, sizeof *c);
	if (c == NULL)
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
	memset(c, 0, sizeof *c);
	*state = c;
	c->g = *g;
	/* cuBLAS may take subnormal numbers for 0: no element, product or sum of (12.3) loses more than that. */
	c->g.bound.tiny = (double)g->plan->x.d * 0x1p-120;
	c->n = g->plan->ndevices;
	c->both = g->filters && c->n == 1 && g->plan->y.data == NULL && g->plan->block == g->plan->m;
	c->tally = (gap_tally *)host->alloc(c->n * tiles_of(g->plan, g->plan->tile), sizeof *c->tally);
	if (c->tally == NULL)
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
	for (int i = 0; i < c->n; i++)
		c->units[i].device = g->plan->devices[i];
	c->halves = g->filters && g->by_halves;
	knng_status status = host->run(&task, c->n, c->n, open_job, c, err);
	for (int i = 0; i < c->n && status == KNNG_OK; i++) {
		const gap_unit *unit = &c->units[i];
		double excess = c->halves ? tensor_excess(unit->device) : 0;
		info->device_peak = fmax(info->device_peak, (double)unit->s->used + (double)unit->s->library_bytes);
		if (excess > 0) {
			c->halves = false;
			snprintf(info->skipped, sizeof info->skipped,
				 "GPU %d: rows with missing values are multiplied in single precision: its "
				 "half-precision products err by %.3g times the proven bound",
				 unit->device + 1, excess);
		}
	}
	return status;
}

void
gaps_close(void *state)
{
	gap_state *c = (gap_state *)state;
	for (int i = 0; c != NULL && i < c->n; i++)
		if (c->units[i].s != NULL && c->units[i].s->ready) {
			cudaSetDevice(c->units[i].device);
			cudaStreamSynchronize(c->units[i].s->make);
			cudaGetLastError();
		}
	if (c != NULL)
		host->free(c->tally);
	host->free(c);
}

/* The factors of a product. */
template <typename T> struct factors {
	const T *left, *right;
};

template <typename T>
static factors<T>
factors_of(const copies<T> &y, const copies<T> &x, int product)
{
	factors<T> f;
	f.left = product == KNNG_GAP_XX ? y.square : product == KNNG_GAP_YY || product == KNNG_GAP_Y ? y.mask : y.y;
	f.right = product == KNNG_GAP_YY ? x.square : product == KNNG_GAP_XX || product == KNNG_GAP_X ? x.mask : x.y;
	return f;
}

/* The products of a tile, of halves. */
static knng_status
multiply_halves(const meeting *t, const gap_unit *unit, knng_err *err)
{
	int device = unit->device;
	int64_t width = across(t->d);
	knng_status status = KNNG_OK;
	for (int p = 0; p < (t->centred ? KNNG_GAP_PRODUCTS : KNNG_GAP_X); p++) {
		factors<__half> f = factors_of(t->y.half, t->x.half, p);
		TRY_BLAS(product_of_halves(unit->s->blas, f.right + t->column0 * width, f.left + t->row0 * width, t->nc,
					   t->nr, width, t->v + p * t->plane, CUDA_R_32F, t->width));
	}
out:
	return status;
}

/* The same of copies in single precision. */
static knng_status
multiply(const meeting *t, const gap_unit *unit, knng_err *err)
{
	int device = unit->device;
	const float one = 1, zero = 0;
	int64_t width = across(t->d), part = up_to(t->slice, 8);
	knng_status status = KNNG_OK;
	for (int p = 0; p < (t->centred ? KNNG_GAP_PRODUCTS : KNNG_GAP_X); p++) {
		factors<float> f = factors_of(t->y.single, t->x.single, p);
		for (int64_t l = 0; l < width; l += part)
			TRY_BLAS(cublasGemmEx(unit->s->blas, CUBLAS_OP_T, CUBLAS_OP_N, (int)t->nc, (int)t->nr,
					      (int)(width - l < part ? width - l : part), &one,
					      f.right + t->column0 * width + l, CUDA_R_32F, (int)width,
					      f.left + t->row0 * width + l, CUDA_R_32F, (int)width,
					      l > 0 ? &one : &zero, t->v + p * t->plane, CUDA_R_32F, (int)t->width,
					      CUBLAS_COMPUTE_32F_PEDANTIC, CUBLAS_GEMM_DEFAULT));
	}
out:
	return status;
}

template <typename real>
static gap_terms<real>
terms_of(const knng_shared_bound *b)
{
	gap_terms<real> terms = {(real)b->sums,
				 (real)b->upper,
				 (real)((b->normed ? 2 : 1) * b->copies),
				 (real)b->floor,
				 (real)(b->tiny * b->upper),
				 (real)((b->sum == KNNG_SUM_L1 ? 1 : 10) * b->tiny)};
#ifdef KNNG_PLANT_LOW /* what the tests must find: no room for what copies and sums lose */
	terms.sums = terms.copies = 0;
#endif
	return terms;
}

/* The lists from that row on. */
static gap_lists
lists_from(const gap_state *c, const gap_unit *unit, int64_t row)
{
	gap_lists l = unit->lists;
	int64_t capacity = c->g.plan->capacity;
	l.key += row * capacity;
	l.column += row * capacity;
	l.found += row;
	l.taken += row;
	l.limit += row;
	return l;
}

/* Queries from row0 on, whose lists are those from `list` on, and references from column0 on, a tile at most. */
static meeting
meeting_of(const gap_state *c, const gap_unit *unit, int64_t row0, int64_t list, int64_t column0)
{
	const knng_plan *plan = c->g.plan;
	meeting t = {};
	t.kind = plan->metric->sum;
	t.prep = plan->metric->prep;
	t.map = plan->metric->map;
	t.halves = __atomic_load_n(&c->halves, __ATOMIC_RELAXED);
	t.exact = terms_of<double>(t.halves ? &c->g.halves : &c->g.bound);
	t.quick = terms_of<float>(t.halves ? &c->g.halves : &c->g.bound);
	t.slice = c->g.bound.slice;
	t.normed = c->g.bound.normed;
	t.centred = c->g.bound.centred;
	t.ranked = c->g.bound.ranked;
	t.x = unit->x;
	t.y = unit->y;
	t.graph = plan->y.data == NULL;
	t.filters = c->g.filters;
	t.both = c->both;
	t.shift = knng_gap_shift(&c->g.bound, &c->g.scale);
	t.d = plan->x.d;
	t.ld = plan->ld;
	t.words = words_of(plan->x.d);
	t.least = plan->least_shared;
	t.k = plan->k;
	t.capacity = plan->capacity;
	t.row0 = row0;
	t.nr = plan->m - row0 < plan->tile ? plan->m - row0 : plan->tile;
	t.column0 = column0;
	t.nc = plan->x.n - column0 < plan->tile ? plan->x.n - column0 : plan->tile;
	t.width = plan->tile;
	t.plane = plan->tile * plan->tile;
	t.v = unit->v;
	t.mine = lists_from(c, unit, list);
	if (c->both)
		t.theirs = lists_from(c, unit, column0);
	t.hits = unit->hits;
	t.room = plan->tile * HITS_A_ROW;
	t.count = unit->count;
	return t;
}

/* The products of a tile, or the sums of its differences. */
static knng_status
prepare(const meeting *t, const gap_unit *unit, knng_err *err)
{
	int device = unit->device;
	knng_status status = KNNG_OK;
	if (!t->filters)
		return KNNG_OK;
	if (t->kind != KNNG_SUM_L1)
		return t->halves ? multiply_halves(t, unit, err) : multiply(t, unit, err);
	launch_gap_differences(t, unit->s->make);
	TRY_LAUNCH();
out:
	return status;
}

/* A tile, until no list takes anything. */
static knng_status
meet_slowly(gap_state *c, const gap_unit *unit, const meeting *t, knng_err *err)
{
	int device = unit->device;
	cudaStream_t stream = unit->s->make;
	gap_counters before = {}, now = {};
	knng_status status = prepare(t, unit, err);
	if (status != KNNG_OK)
		return status;
	TRY(cudaMemcpyAsync(&before, t->count, sizeof before, cudaMemcpyDeviceToHost, stream));
	launch_gap_settle(t, false, true, stream);
	TRY_LAUNCH();
	launch_gap_bounds(t, stream);
	TRY_LAUNCH();
	do {
		if ((status = host->poll(c->g.task, err)) != KNNG_OK)
			return status;
		TRY(cudaMemsetAsync(&t->count->some, 0, sizeof now.some, stream));
		launch_gap_take(t, stream);
		TRY_LAUNCH();
		TRY(cudaMemcpyAsync(&now, t->count, sizeof now, cudaMemcpyDeviceToHost, stream));
		TRY(cudaStreamSynchronize(stream));
	} while (now.some != 0);
	/* Halves tell too little; but of ranks the bound loses far more than they do. */
	if ((int64_t)(now.made - before.made) > t->nr * (4 * t->k + FREE_PLACES / 2) && !t->ranked)
		__atomic_store_n(&c->halves, false, __ATOMIC_RELAXED);
out:
	return status;
}

/* A tile whose queries have limits, and its references, too, if it serves both; as many pairs as there is room for. */
static knng_status
meet_quickly(const gap_unit *unit, const meeting *t, knng_err *err)
{
	int device = unit->device;
	cudaStream_t stream = unit->s->make;
	knng_status status = prepare(t, unit, err);
	if (status != KNNG_OK)
		return status;
	launch_gap_offers(t, stream);
	TRY_LAUNCH();
	launch_gap_hits(t, stream);
	TRY_LAUNCH();
	for (int theirs = 0; theirs < (t->both ? 2 : 1); theirs++) {
		launch_gap_settle(t, theirs != 0, false, stream);
		TRY_LAUNCH();
	}
out:
	return status;
}

/* Queries [first, first + count) with references from column0 on, with limits; and what they could not take, slowly. */
static knng_status
meet_rest(gap_state *c, int which, int64_t first, int64_t list, int64_t column0, knng_err *err)
{
	const gap_unit *unit = &c->units[which];
	const knng_plan *plan = c->g.plan;
	int64_t tile = plan->tile, tiles = tiles_of(plan, tile);
	int device = unit->device;
	gap_tally *tally = c->tally + which * tiles;
	cudaStream_t stream = unit->s->make;
	knng_status status = KNNG_OK;
	TRY(cudaMemsetAsync(unit->tally, 0, (size_t)tiles * sizeof *tally, stream));
	for (int64_t column = column0, ahead = 0; column < plan->x.n; column += tile) {
		meeting t = meeting_of(c, unit, first, list, column);
		t.tally = unit->tally + column / tile;
		if (ahead > GATHERED || t.ranked) { /* Ctrl-C does not wait for more than is under way */
			TRY(cudaStreamSynchronize(stream));
			ahead = 0;
		}
		ahead += t.nr * t.nc * t.d;
		if ((status = host->poll(c->g.task, err)) == KNNG_OK)
			status = meet_quickly(unit, &t, err);
		if (status != KNNG_OK)
			return status;
	}
	TRY(cudaMemcpyAsync(tally, unit->tally, (size_t)tiles * sizeof *tally, cudaMemcpyDeviceToHost, stream));
	TRY(cudaStreamSynchronize(stream));
	for (int64_t column = column0; column < plan->x.n; column += tile) {
		if (tally[column / tile].spilled == 0)
			continue;
		meeting t = meeting_of(c, unit, first, list, column);
		status = meet_slowly(c, unit, &t, err);
		if (status == KNNG_OK && c->both) {
			t = meeting_of(c, unit, column, column, first);
			status = meet_slowly(c, unit, &t, err);
		}
		if (status != KNNG_OK)
			return status;
	}
out:
	return status;
}

/* The first tile of queries: in a graph where pairs serve both rows that of a block with itself, of all blocks. */
static knng_status
meet_first(gap_state *c, const gap_unit *unit, int64_t first, knng_err *err)
{
	const knng_plan *plan = c->g.plan;
	int64_t tile = plan->tile, end = c->both ? plan->m : first + 1;
	int device = unit->device;
	knng_status status = KNNG_OK;
	if (c->both && first > 0)
		return KNNG_OK;
	launch_gap_begin(&unit->lists, plan->block, unit->s->make);
	TRY_LAUNCH();
	for (int64_t row = first; row < end && status == KNNG_OK; row += tile) {
		meeting t = meeting_of(c, unit, row, c->both ? row : 0, c->both ? row : 0);
		status = meet_slowly(c, unit, &t, err);
	}
out:
	return status;
}

knng_status
gaps_meet(void *state, int which, int64_t first, int64_t count, knng_pair *near, int32_t *found, int64_t *made,
	  knng_err *err)
{
	gap_state *c = (gap_state *)state;
	const gap_unit *unit = &c->units[which];
	const knng_plan *plan = c->g.plan;
	int device = unit->device;
	int64_t list = c->both ? first : 0, next = c->both ? first + plan->tile : plan->tile;
	int64_t rows = tile_bytes(plan, plan->tile) / (plan->k * (int64_t)sizeof(knng_pair));
	cudaStream_t stream = unit->s->make;
	meeting all = meeting_of(c, unit, first, list, 0);
	gap_counters now;
	knng_status status = KNNG_OK;
	if (c->both && first != c->next)
		return host->fail(err, KNNG_EINTERNAL, "knng:internal:order",
				  "rows from %lld on came before those from %lld on: this is a fault of knng",
				  (long long)first, (long long)c->next);
	if (c->both)
		c->next = first + plan->tile;
	TRY(cudaSetDevice(device));
	TRY(cudaMemsetAsync(unit->count, 0, sizeof *unit->count, stream));
	status = meet_first(c, unit, first, err);
	if (status == KNNG_OK && c->g.filters)
		status = meet_rest(c, which, first, list, next, err);
	for (int64_t column = next; column < plan->x.n && !c->g.filters && status == KNNG_OK; column += plan->tile) {
		meeting t = meeting_of(c, unit, first, list, column);
		status = meet_slowly(c, unit, &t, err);
	}
	if (status != KNNG_OK)
		return status;
	launch_gap_settle(&all, false, true, stream);
	TRY_LAUNCH();
	for (int64_t r = 0; r < count; r += rows) {
		int64_t some = count - r < rows ? count - r : rows;
		launch_gap_pairs(&all, r, some, (knng_pair *)unit->v, stream);
		TRY_LAUNCH();
		TRY(cudaMemcpyAsync(near + r * plan->k, unit->v, (size_t)(some * plan->k) * sizeof *near,
				    cudaMemcpyDeviceToHost, stream));
	}
	TRY(cudaMemcpyAsync(found, all.mine.found, (size_t)count * sizeof *found, cudaMemcpyDeviceToHost, stream));
	TRY(cudaMemcpyAsync(&now, unit->count, sizeof now, cudaMemcpyDeviceToHost, stream));
	TRY(cudaStreamSynchronize(stream));
	*made += (int64_t)now.made;
out:
	return status;
}
