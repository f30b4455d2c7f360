/* load.cu  Rows from the host to all devices, prepared, and equal ones found. Every device brings a share, and gets the
 * others from its peers. */
#include "cuda/search/backend_cuda.h"

#include <string.h>

enum { WIDEST = 1 << 20 };

/* A piece of a shipment: rows [i0, i0 + ni), columns [c0, c0 + nc), to a pinned buffer as they are: column after column
 * or row after row. */
typedef struct {
	const shipment *b;
	int64_t i0, ni, c0, nc;
	bool by_columns;
	char *to;
} piece;

/* More threads wait for memory, and for each other: a piece takes them less than a millisecond. */
enum { PIECES = 64, THREADS = 16 };

static int64_t
row_of(const shipment *b, int64_t i)
{
	int64_t p = b->list != NULL ? b->list[b->first + i] : b->first + i;
	return b->points != NULL ? b->points->member[b->points->first[p]] : p;
}

/* Where that row lies in the data. */
static int64_t
place_of(const shipment *b, int64_t i)
{
	int64_t row = row_of(b, i);
	return b->matrix->rows != NULL ? b->matrix->rows[row] : row;
}

/* How many rows from row i on lie behind each other in the matrix as well. */
static int64_t
row_run(const shipment *b, int64_t i, int64_t most)
{
	bool gaps = b->list != NULL || (b->points != NULL && b->points->count < b->points->rows);
	int64_t run = gaps || b->matrix->rows != NULL ? 1 : most;
	while (run < most && place_of(b, i + run) == place_of(b, i) + run)
		run++;
	return run;
}

static int64_t
lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* How many elements of a piece from `at` on, at most `most`, lie behind each other in the matrix as well, or as far
 * apart as its columns, or are formed as such: of a line of the piece, or of several rows. */
static int64_t
element_run(const piece *p, int64_t at, int64_t most)
{
	const knng_matrix *matrix = p->b->matrix;
	int64_t length = p->by_columns ? p->ni : p->nc, line = at / length, place = at % length;
	if (p->by_columns)
		return row_run(p->b, p->i0 + place, lesser(length - place, most));
	bool packed = matrix->col_stride == 1 && matrix->row_stride == length && matrix->second == NULL;
	int64_t rows = packed ? row_run(p->b, p->i0 + line, (place + most + length - 1) / length) : 1;
	return lesser(rows * length - place, most);
}

/* Of rows that lie anywhere in the data, elements of a column. */
template <typename T>
static void
fill_column(const piece *p, int64_t row, int64_t column, int64_t count, T *to)
{
	const T *from = (const T *)p->b->matrix->data + column * p->b->matrix->col_stride;
	for (int64_t r = 0; r < count; r++)
		to[r] = from[place_of(p->b, row + r)];
}

static int64_t
fill(const piece *p, int64_t at, int64_t most)
{
	const knng_matrix *matrix = p->b->matrix;
	if (p->by_columns && matrix->rows != NULL) {
		int64_t count = lesser(p->ni - at % p->ni, most), row = p->i0 + at % p->ni, column = p->c0 + at / p->ni;
		if (matrix->type == KNNG_F32)
			fill_column(p, row, column, count, (float *)p->to + at);
		else
			fill_column(p, row, column, count, (double *)p->to + at);
		return count;
	}
	int64_t size = element_bytes(matrix), count = element_run(p, at, most);
	int64_t row = p->by_columns ? at % p->ni : at / p->nc, column = p->by_columns ? at / p->ni : at % p->nc;
	int64_t step = p->by_columns ? 1 : matrix->col_stride;
	if (matrix->pairs != NULL) {
		core->pairs_column(matrix, p->c0 + column, row_of(p->b, p->i0 + row), count, p->to + at * size);
		return count;
	}
	const char *from = (const char *)knng_row_of(matrix, row_of(p->b, p->i0 + row)) +
			   (p->c0 + column) * matrix->col_stride * size;
	char *to = p->to + at * size;
	if (step == 1)
		memcpy(to, from, (size_t)(count * size));
	else
		for (int64_t l = 0; l < count; l++)
			memcpy(to + l * size, from + l * step * size, (size_t)size);
	return count;
}

/* Part `i` of PIECES of a piece. */
static knng_status
fill_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	const piece *p = (const piece *)context;
	int64_t all = p->nc * p->ni, end = all * (i + 1) / PIECES;
	(void)w, (void)worker, (void)err;
	for (int64_t at = all * i / PIECES; at < end;)
		at += fill(p, at, end - at);
	return KNNG_OK;
}

/* The rows of a shipment that device i brings; from the others it gets theirs. */
static knng_block
share_of(const shipment *b, int i)
{
	int64_t n = b->end - b->from, first = b->count * (i - b->from) / n;
	return (knng_block){first, b->count * (i - b->from + 1) / n - first};
}

/* To every device its share of the shipment, row-major, through the pinned buffers. */
static knng_status
upload(knng_search *w, const shipment *b, int to, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	const knng_matrix *matrix = b->matrix;
	knng_status status = KNNG_OK;
	int device = 0, buffer = 0, threads = w->plan->threads < THREADS ? w->plan->threads : (int)THREADS;
	int64_t size = element_bytes(matrix), ld = w->plan->ld, d = matrix->d;
	int64_t most = share_of(b, b->end - 1).count, height, width = d;
	int64_t n = b->end - b->from, down, across;
	piece p = {b, 0, 0, 0, 0, by_columns(matrix), NULL};
	height = BUFFER_BYTES / (size * d);
	if (p.by_columns) {
		height = BUFFER_BYTES / (size * 32);
		height = most < height ? most : height;
		width = BUFFER_BYTES / (size * height);
		width = width < WIDEST ? width : (int64_t)WIDEST;
	}
	for (int i = b->from; i < b->end && d < ld; i++) {
		unit *g = &c->units[i];
		knng_block mine = share_of(b, i);
		device = g->device;
		TRY(cudaSetDevice(device));
		TRY(cudaMemsetAsync(rows_from(g->room[to], mine.first).at, 0, (size_t)(mine.count * row_bytes(w->plan)),
				    g->s->list));
	}
	down = (most + height - 1) / height;
	across = (d + width - 1) / width;
	for (int64_t e = 0; e < down * across * n; e++) {
		unit *g = &c->units[b->from + e % n];
		knng_block mine = share_of(b, (int)(b->from + e % n));
		int64_t at = e / n / across * height;
		if (at >= mine.count)
			continue;
		prepared into = rows_from(g->room[to], mine.first + at);
		p.i0 = mine.first + at;
		p.ni = mine.count - at < height ? mine.count - at : height;
		p.c0 = e / n % across * width;
		p.nc = d - p.c0 < width ? d - p.c0 : width;
		p.to = c->pinned[buffer];
		for (int i = 0; i < c->n; i++) {
			device = c->units[i].device;
			TRY(cudaEventSynchronize(c->units[i].s->sent[buffer]));
		}
		if ((status = core->parallel(w, threads, PIECES, fill_job, &p, err)) != KNNG_OK)
			goto out;
		device = g->device;
		TRY(cudaSetDevice(device));
		TRY(cudaMemcpyAsync(g->raw[buffer], p.to, (size_t)(p.ni * p.nc * size), cudaMemcpyHostToDevice,
				    g->s->list));
		if (p.by_columns)
			launch_transpose(g->raw[buffer], matrix->type, p.ni, p.c0, p.nc, into, g->s->list);
		else
			launch_spread(g->raw[buffer], matrix->type, p.ni, d, into, g->s->list);
		TRY_LAUNCH();
		TRY(cudaEventRecord(g->s->sent[buffer], g->s->list));
		buffer = (buffer + 1) % BUFFERS;
	}
out:
	return status;
}

typedef struct {
	const shipment *b;
	int to;
	knng_points *found; /* NULL, or where states and hashes go */
} bringing;

/* Prepares the device's share. */
static knng_status
prepare_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const bringing *b = (const bringing *)context;
	unit *g = &((gpu *)w->state)->units[b->b->from + i];
	knng_block mine = share_of(b->b, (int)(b->b->from + i));
	int64_t d = w->plan->x.d, at = b->b->first + mine.first;
	prepared u = rows_from(g->room[b->to], mine.first);
	knng_status status = KNNG_OK;
	int device = g->device;
	if (mine.count < 1)
		return KNNG_OK;
	TRY(cudaSetDevice(device));
	if (w->plan->metric->prep == KNNG_PREP_RANKED) {
		launch_rank(u, mine.count, d, g->scratch, g->s->list);
		TRY_LAUNCH();
	}
	launch_prepare(w->plan->metric, u, mine.count, d, g->state, g->hash, g->extent, g->s->list);
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
exchange_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const bringing *b = (const bringing *)context;
	const gpu *c = (const gpu *)w->state;
	const unit *g = &c->units[b->b->from + i];
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	for (int o = b->b->from; o < b->b->end; o++) {
		knng_block theirs = share_of(b->b, o);
		if (o == b->b->from + i || theirs.count < 1)
			continue;
		TRY(cudaMemcpyPeerAsync(rows_from(g->room[b->to], theirs.first).at, device,
					rows_from(c->units[o].room[b->to], theirs.first).at, c->units[o].device,
					(size_t)(theirs.count * row_bytes(w->plan)), g->s->list));
	}
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

/* Brings the prepared rows of a shipment to its devices, into room `to`. */
static knng_status
bring(knng_search *w, const shipment *b, int to, knng_points *found, knng_err *err)
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

knng_status
hold(knng_search *w, bool queries, int to, const int32_t *list, knng_block part, int devices, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	const knng_plan *plan = w->plan;
	shipment b = {queries ? &plan->y : &plan->x, queries ? &w->y : &w->x, list, part.first, part.count, 0, devices};
	const shipment *is = &c->held[to];
	if (is->points == b.points && is->list == list && is->first == b.first && is->count == b.count &&
	    is->end >= devices)
		return KNNG_OK;
	double left = w->task.left;
	c->held[to].count = 0;
	w->task.left = 1 - w->task.done; /* the stage gets on with what is done with the rows */
	knng_status status = bring(w, &b, to, NULL, err);
	w->task.left = left;
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
compare_pairs(knng_search *w, const loading *l, knng_err *err)
{
	unit *g = &((gpu *)w->state)->units[0];
	const knng_plan *plan = w->plan;
	prepared a = l->queries ? g->rows : g->columns, b = a;
	knng_status status = KNNG_OK;
	int device = g->device;
	int32_t differs = 0, *ia = (int32_t *)g->raw[0], *ib = (int32_t *)g->raw[1];
	int64_t most = streams(plan) ? plan->panel : BUFFER_BYTES / 4, some;
	TRY(cudaSetDevice(device));
	TRY(cudaMemsetAsync(g->flag, 0, 4, g->s->list));
	for (int64_t done = 0; done < l->pairs; done += some) {
		some = l->pairs - done < most ? l->pairs - done : most;
		if (streams(plan)) {
			shipment rows = {l->queries ? &plan->y : &plan->x, NULL, l->a, done, some, 0, 1};
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
		launch_differ(a, b, ia, ib, some, g->flag, g->s->list);
		TRY_LAUNCH();
	}
	TRY(cudaMemcpyAsync(&differs, g->flag, 4, cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	if (differs != 0)
		status = host->fail(err, KNNG_EDEVICE, "knng:device:hash",
				    "different rows share a hash, which the GPU code cannot tell apart");
out:
	return status;
}

/* *apart: no two rows share a hash, so that each is a point. False too where the lists, which are not yet in use, have
 * no room to find out. The host would take as long for that as for all else that it does with the rows. */
static knng_status
all_apart(knng_search *w, const knng_points *points, bool *apart, knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	const unit *g = &c->units[0];
	int64_t n = points->rows, size = 16;
	knng_status status = KNNG_OK;
	int device = g->device;
	int32_t met = 0;
	while (size < 2 * n)
		size *= 2;
	if (size > w->plan->block * w->plan->capacity)
		return KNNG_OK;
	TRY(cudaSetDevice(device));
	if (c->n > 1) { /* each brought a share */
		TRY(cudaMemcpyAsync(g->hash, points->hash, (size_t)n * 8, cudaMemcpyHostToDevice, g->s->list));
		TRY(cudaMemcpyAsync(g->state, points->state, (size_t)n, cudaMemcpyHostToDevice, g->s->list));
	}
	TRY(cudaMemsetAsync(g->held.key, 0, (size_t)size * 8, g->s->list));
	TRY(cudaMemsetAsync(g->flag, 0, 4, g->s->list));
	launch_meet_hashes(g->state, g->hash, n, g->held.key, size, g->flag, g->s->list);
	TRY_LAUNCH();
	TRY(cudaMemcpyAsync(&met, g->flag, 4, cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	*apart = met == 0;
out:
	return status;
}

/* Rows close ranks: row i becomes row first[i], piece by piece, since first[i] >= i ascends. */
static knng_status
compact_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker;
	const loading *l = (const loading *)context;
	unit *g = &((gpu *)w->state)->units[i];
	prepared u = g->room[l->queries];
	int64_t rows = BUFFER_BYTES / row_bytes(w->plan);
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	TRY(cudaMemcpyAsync(g->ids, l->first, (size_t)l->points->count * 4, cudaMemcpyHostToDevice, g->s->list));
	for (int64_t at = 0; at < l->points->count; at += rows) {
		int64_t some = l->points->count - at < rows ? l->points->count - at : rows;
		launch_copy(u, g->ids + at, some, g->raw[0], g->s->list);
		TRY_LAUNCH();
		TRY(cudaMemcpyAsync(rows_from(u, at).at, g->raw[0], (size_t)(some * row_bytes(w->plan)),
				    cudaMemcpyDeviceToDevice, g->s->list));
	}
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

knng_status
cuda_load(knng_search *w, const knng_matrix *matrix, knng_points *points, bool queries, knng_err *err)
{
	loading l = {points, queries, NULL, NULL, NULL, 0};
	gpu *c = (gpu *)w->state;
	knng_status status = KNNG_OK;
	bool stream = streams(w->plan), apart = false;
	int64_t panel = w->plan->panel, n = matrix->n;
	int device = 0;
	l.first = (int32_t *)host->alloc(n, sizeof *l.first);
	l.a = (int32_t *)host->alloc(n, sizeof *l.a);
	l.b = (int32_t *)host->alloc(n, sizeof *l.b);
	if (l.first == NULL || l.a == NULL || l.b == NULL) {
		status = host->fail(err, KNNG_EMEMORY, "knng:memory:host",
				    "the machine has no memory left for finding equal rows");
		goto out;
	}
	for (int64_t i = 0; i < n; i++)
		l.first[i] = (int32_t)i;
	for (int i = 0; i < c->n && (!queries || c->resident != NULL); i++) {
		const unit *g = &c->units[i];
		device = g->device;
		TRY(cudaSetDevice(device));
		TRY(cudaMemsetAsync(g->extent, 0, 16, g->s->list));
		if (queries) /* the references are there */
			TRY(cudaMemcpyAsync(g->extent, c->resident->extent, 16, cudaMemcpyHostToDevice, g->s->list));
	}
	for (int64_t first = 0; first < n; first += panel) {
		shipment b = {matrix, NULL, NULL, first, n - first < panel ? n - first : panel, 0, c->n};
		if ((status = bring(w, &b, stream ? 0 : queries, points, err)) != KNNG_OK)
			goto out;
	}
	if (!stream && n > 0 && (status = all_apart(w, points, &apart, err)) != KNNG_OK)
		goto out;
	if (apart)
		core->points_apart(points, move_row, &l);
	else if ((status = core->points_group(points, &w->task, same_row, move_row, &l, err)) != KNNG_OK)
		goto out;
	if (l.pairs > 0)
		status = compare_pairs(w, &l, err);
	if (status == KNNG_OK && points->count < n && points->count > 0 && !stream)
		status = on_devices(w, compact_job, &l, err);
	if (status == KNNG_OK && c->resident != NULL && !queries) {
		device = c->resident->device;
		TRY(cudaMemcpy(c->resident->extent, c->units[0].extent, 16, cudaMemcpyDeviceToHost));
	}
	for (int64_t p = 0; c->within != NULL && p < points->count; p++)
#ifndef KNNG_PLANT_RADIUS /* what the tests must find: another row's */
		c->within[p] = core->within(w, (int32_t)p);
#else
		c->within[p] = core->within(w, (int32_t)(points->count - 1 - p));
#endif
out:
	host->free(l.first);
	host->free(l.a);
	host->free(l.b);
	return status;
}

knng_status
extents(const gpu *c, unsigned long long extent[2], knng_err *err)
{
	unsigned long long one[2];
	knng_status status = KNNG_OK;
	int device = 0;
	extent[0] = extent[1] = 0;
	for (int i = c->n - 1; i >= 0; i--) { /* the first one is current then */
		device = c->units[i].device;
		TRY(cudaSetDevice(device));
		TRY(cudaMemcpy(one, c->units[i].extent, sizeof one, cudaMemcpyDeviceToHost));
		extent[0] = one[0] > extent[0] ? one[0] : extent[0];
		extent[1] |= one[1];
	}
out:
	return status;
}

knng_status
cuda_largest(const knng_search *w, double *largest, knng_err *err)
{
	unsigned long long extent[2];
	knng_status status = extents((const gpu *)w->state, extent, err);
	if (status == KNNG_OK)
		memcpy(largest, &extent[0], sizeof *largest);
	return status;
}
