/* linkage.cu  Nodes of a tree on a device, for core/graph/linkage_gpu.c: how near all of them are to one, and the
 * nearest. They are centres, or a table of distances, which a join changes at once.
 *
 * A sum of squares has the order of docs/canonical.md, 2: eight sums, of every eighth element, and a tree over them.
 * So a warp takes one of the eight for 32 places side by side, and reads 256 bytes at a time.
 *
 * Limits: the centres, or a row of the table, are read once for each question, from memory or, once few are left, from
 * the cache. A question waits for the answer to the one before it, which takes some ten microseconds of calls. */
#include "cuda/graph/linkage.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
	PANEL = KNNG_LINK_PANEL,
	WARP = 32,
	SUMS = 8,
	THREADS = SUMS * WARP,
	BLOCKS = 1024, /* at most */
	TILE = 32,     /* rows and columns that are turned at once */
	BLOCK_BYTES = KNNG_LINK_TALL * KNNG_LINK_WIDE * 8
};

typedef struct {
	double near;
	int at; /* INT_MAX: none */
} candidate;

typedef struct {
	candidate nearest;
	double of_other;
} answer;

/* Centres (d > 0) or a table; what a kernel reads. */
typedef struct {
	const double *x;    /* panels, or n rows of n */
	const double *size; /* [n] rows of each, 0: an empty place */
	int64_t n, d;
	bool ward; /* of centres: weighted by the rows of both */
} nodes;

typedef struct {
	int device;
	session *g;
	int64_t n, d; /* places */
	knng_link method;
	double *x, *spare;         /* as in nodes; half as many centres, or a table of half as many nodes */
	double *size, *spare_size; /* [n] */
	double *near;              /* [n], the answer to `row` */
	double *blocks[BUFFERS];   /* of a table, as they come */
	candidate *found;          /* [BLOCKS] */
	unsigned *ready;           /* blocks of threads that are done; each run leaves it 0 */
	int32_t *from;             /* [n] */
	char *pinned[BUFFERS];     /* of the host. The device reaches them: in the first lies the answer to `nearest` */
	int next;                  /* of the two */
} nodes_work;

static int64_t
smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* ---------------------------------------------------------------- kernels */

__device__ static inline const double *
centre_at(const double *centres, int64_t d, int64_t place)
{
	return centres + place / PANEL * PANEL * d + place % PANEL;
}

__device__ static inline bool
is_nearer(candidate x, candidate y)
{
	return x.near < y.near || (x.near == y.near && x.at < y.at);
}

/* The nearest of 32 candidates, one a lane, in every lane. */
__device__ static inline candidate
nearest_of_warp(candidate c)
{
	for (int step = WARP / 2; step > 0; step /= 2) {
		candidate o;
		o.near = __shfl_xor_sync(0xffffffffu, c.near, step);
		o.at = __shfl_xor_sync(0xffffffffu, c.at, step);
		if (is_nearer(o, c))
			c = o;
	}
	return c;
}

/* The nearest of a block's candidates, one a thread, in its first thread; `space`: one a warp. */
__device__ static inline candidate
nearest_of_block(candidate c, candidate *space)
{
	c = nearest_of_warp(c);
	if (threadIdx.x % WARP == 0)
		space[threadIdx.x / WARP] = c;
	__syncthreads();
	for (int w = 1; w < SUMS && threadIdx.x == 0; w++)
		if (is_nearer(space[w], c))
			c = space[w];
	__syncthreads();
	return c;
}

/* What is known of place p, x away from a: kept in near, unless it is NULL, and in what is answered. */
__device__ static inline void
take(const nodes &w, int64_t p, int64_t a, int64_t other, double x, double *near, answer *answered, candidate *best)
{
	const bool there = w.size[p] > 0 && p != a;
	const candidate c = {x, (int)p};
	if (near != NULL)
		near[p] = there ? x : NAN;
	if (there && p == other)
		answered->of_other = x;
	if (there && is_nearer(c, *best))
		*best = c;
}

/* Places of centres, 32 of them a block at a time. sums: [THREADS] */
__device__ static inline candidate
look_at_centres(const nodes &w, int64_t count, int64_t a, int64_t other, double *near, answer *answered, double *sums)
{
	const int lane = threadIdx.x % WARP, mine = threadIdx.x / WARP;
	const double *from = centre_at(w.x, w.d, a);
	candidate best = {INFINITY, INT_MAX};
	for (int64_t first = blockIdx.x * (int64_t)WARP; first < count; first += gridDim.x * (int64_t)WARP) {
		const int64_t p = first + lane;
		const double *to = centre_at(w.x, w.d, p);
		double sum = 0;
#pragma unroll 8
		for (int64_t l = mine; l < w.d; l += SUMS) {
			const double t = __ldg(&from[l * PANEL]) - __ldg(&to[l * PANEL]);
			sum = fma(t, t, sum);
		}
		sums[threadIdx.x] = sum;
		__syncthreads();
		if (mine == 0 && p < count) {
			const double *s = sums + lane, rows = w.size[p], own = w.size[a];
			double x = ((s[0] + s[4 * WARP]) + (s[2 * WARP] + s[6 * WARP])) +
				   ((s[WARP] + s[5 * WARP]) + (s[3 * WARP] + s[7 * WARP]));
			if (w.ward)
				x *= 2 * own * rows / (own + rows);
			take(w, p, a, other, x, near, answered, &best);
		}
		__syncthreads();
	}
	return best;
}

/* How near the places p < count are to a, and the nearest, in `answered`; in near, unless it is NULL, NaN for empty
 * places and a itself. */
__global__ static void
nearest_kernel(nodes w, int64_t count, int64_t a, int64_t other, double *near, candidate *found, unsigned *ready,
	       answer *answered)
{
	__shared__ double sums[THREADS];
	__shared__ candidate of_warps[SUMS];
	__shared__ bool last;
	candidate best = {INFINITY, INT_MAX};
	if (w.d > 0)
		best = look_at_centres(w, count, a, other, near, answered, sums);
	else
		for (int64_t p = blockIdx.x * (int64_t)THREADS + threadIdx.x; p < count;
		     p += gridDim.x * (int64_t)THREADS)
			take(w, p, a, other, w.x[a * w.n + p], near, answered, &best);
	best = nearest_of_block(best, of_warps);
	if (threadIdx.x == 0) {
		found[blockIdx.x] = best;
		__threadfence();
		last = atomicAdd(ready, 1u) == gridDim.x - 1;
	}
	__syncthreads();
	if (!last)
		return;
	__threadfence();
	best = {INFINITY, INT_MAX};
	for (int b = threadIdx.x; b < (int)gridDim.x; b += THREADS) {
		const candidate c = {__ldcg(&found[b].near), __ldcg(&found[b].at)};
		if (is_nearer(c, best))
			best = c;
	}
	best = nearest_of_block(best, of_warps);
	if (threadIdx.x == 0) {
		answered->nearest = best;
		*ready = 0;
	}
}

__device__ static inline void
join_sizes(double *size, const knng_join &e)
{
	size[e.a] = e.na + e.nb;
	size[e.b] = 0;
}

/* A thread for each element. */
__global__ static void
join_centres_kernel(double *centres, double *size, int64_t d, knng_join e)
{
	const int64_t l = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	double *to = (double *)centre_at(centres, d, e.a);
	const double *other = centre_at(centres, d, e.b);
	if (l < d)
		to[l * PANEL] = e.p * to[l * PANEL] + (1 - e.p) * other[l * PANEL];
	if (l == 0)
		join_sizes(size, e);
}

/* A thread for each place. */
__global__ static void
join_rows_kernel(double *W, double *size, int64_t n, knng_link method, knng_join e)
{
	const int64_t k = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (k == e.a)
		join_sizes(size, e);
	if (k >= n || k == e.a || k == e.b || size[k] == 0)
		return;
	const double x = knng_joined(method, W[e.a * n + k], W[e.b * n + k], &e, size[k]);
	W[e.a * n + k] = x;
	W[k * n + e.a] = x;
}

/* Grid: panels, elements; blockDim: PANEL. */
__global__ static void
close_centres_kernel(nodes w, const int32_t *from, int64_t n, double *to, double *to_size)
{
	const int64_t i = blockIdx.x * (int64_t)PANEL + threadIdx.x;
	const double *x = centre_at(w.x, w.d, i < n ? from[i] : 0);
	double *y = (double *)centre_at(to, w.d, i);
	for (int64_t l = blockIdx.y; l < w.d; l += gridDim.y)
		y[l * PANEL] = i < n ? x[l * PANEL] : 0;
	if (blockIdx.y == 0 && i < n)
		to_size[i] = w.size[from[i]];
}

/* Grid: rows. */
__global__ static void
close_rows_kernel(nodes w, const int32_t *from, int64_t n, double *to, double *to_size)
{
	const int64_t i = blockIdx.x;
	const double *x = w.x + from[i] * w.n;
	for (int64_t c = threadIdx.x; c < n; c += THREADS)
		to[i * n + c] = x[from[c]];
	if (threadIdx.x == 0)
		to_size[i] = w.size[from[i]];
}

/* A block of the table, and its mirror image. Grid: tiles; blockDim: TILE, a divisor of TILE. */
__global__ static void
block_kernel(const double *x, int64_t i, int64_t tall, int64_t j, int64_t wide, double *W, int64_t n)
{
	__shared__ double tile[TILE * (TILE + 1)];
	const int64_t c0 = blockIdx.x * (int64_t)TILE, r0 = blockIdx.y * (int64_t)TILE;
	for (int t = threadIdx.y; t < TILE; t += blockDim.y) {
		const int64_t r = r0 + t, c = c0 + threadIdx.x;
		if (r < tall && c < wide && j + c > i + r) {
			tile[t * (TILE + 1) + threadIdx.x] = x[r * wide + c];
			W[(i + r) * n + j + c] = x[r * wide + c];
		}
	}
	__syncthreads();
	for (int t = threadIdx.y; t < TILE; t += blockDim.y) {
		const int64_t r = r0 + threadIdx.x, c = c0 + t;
		if (r < tall && c < wide && j + c > i + r)
			W[(j + c) * n + i + r] = tile[threadIdx.x * (TILE + 1) + t];
	}
}

/* ---------------------------------------------------------------- the table of functions */

static int64_t
whole_panels(int64_t n)
{
	return (n + PANEL - 1) / PANEL * PANEL;
}

/* Numbers that n nodes take. */
static int64_t
numbers_of(const nodes_work *w, int64_t n)
{
	return w->d > 0 ? whole_panels(n) * w->d : n * n;
}

static knng_status
claim_memory(nodes_work *w, double max_memory, knng_err *err)
{
	const int64_t n = w->n, half = n / 2, blocks = w->d > 0 ? 0 : BUFFERS;
	const double bytes = 8.0 * ((double)numbers_of(w, n) + (double)numbers_of(w, half)) +
			     8.0 * (double)(2 * n + half) + 4.0 * (double)n + (double)blocks * BLOCK_BYTES +
			     BLOCKS * (double)sizeof(candidate) + 16 * 256;
	knng_device_info info;
	knng_status status = devices_describe(w->device, &info, err);
	if (status != KNNG_OK)
		return status;
	const double most = max_memory > 0 ? max_memory - LIBRARY_BYTES : INFINITY;
	if (bytes > info.free - 512e6 || bytes > most)
		return host->fail(err, KNNG_EDEVICE, "knng:device:memory",
				  "the nodes of the tree take %.3g GB, more than GPU %d has or 'MaxDeviceMemory' says",
				  (bytes + LIBRARY_BYTES) / 1e9, w->device + 1);
	status = device_open(w->device, (int64_t)bytes, most < 1e18 ? (int64_t)most : INT64_MAX, err);
	if (status != KNNG_OK)
		return status;
	w->g = device_session(w->device);
	w->x = (double *)device_carve(w->g, numbers_of(w, n) * 8);
	w->spare = (double *)device_carve(w->g, numbers_of(w, half) * 8);
	w->size = (double *)device_carve(w->g, n * 8);
	w->spare_size = (double *)device_carve(w->g, half * 8);
	w->near = (double *)device_carve(w->g, n * 8);
	w->from = (int32_t *)device_carve(w->g, n * 4);
	w->found = (candidate *)device_carve(w->g, BLOCKS * (int64_t)sizeof(candidate));
	w->ready = (unsigned *)device_carve(w->g, sizeof(unsigned));
	for (int64_t b = 0; b < blocks; b++)
		w->blocks[b] = (double *)device_carve(w->g, BLOCK_BYTES);
	return KNNG_OK;
}

/* In pieces, by way of pinned memory. */
static knng_status
send(nodes_work *w, void *to, const void *from, int64_t bytes, knng_err *err)
{
	const int device = w->device;
	knng_status status = KNNG_OK;
	for (int64_t at = 0; at < bytes; at += BUFFER_BYTES) {
		const int64_t some = smaller(bytes - at, BUFFER_BYTES);
		memcpy(w->pinned[0], (const char *)from + at, (size_t)some);
		TRY(cudaMemcpyAsync((char *)to + at, w->pinned[0], (size_t)some, cudaMemcpyHostToDevice, w->g->make));
		TRY(cudaStreamSynchronize(w->g->make));
	}
out:
	return status;
}

static knng_status
fetch(nodes_work *w, void *to, const void *from, int64_t bytes, knng_err *err)
{
	const int device = w->device;
	knng_status status = KNNG_OK;
	for (int64_t at = 0; at < bytes; at += BUFFER_BYTES) {
		const int64_t some = smaller(bytes - at, BUFFER_BYTES);
		TRY(cudaMemcpyAsync(w->pinned[0], (const char *)from + at, (size_t)some, cudaMemcpyDeviceToHost,
				    w->g->make));
		TRY(cudaStreamSynchronize(w->g->make));
		memcpy((char *)to + at, w->pinned[0], (size_t)some);
	}
out:
	return status;
}

static knng_status
open_work(int64_t n, int64_t d, knng_link method, int device, double max_memory, void **work, knng_err *err)
{
	nodes_work *w = (nodes_work *)host->alloc(1, sizeof *w);
	*work = w;
	if (w == NULL)
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host", "there is no memory for the tree");
	memset(w, 0, sizeof *w);
	w->device = device;
	w->n = n;
	w->d = d;
	w->method = method;
	knng_status status = claim_memory(w, max_memory, err);
	if (status != KNNG_OK || (status = buffers_open(w->pinned, device, err)) != KNNG_OK)
		return status;
	TRY(cudaMemsetAsync(w->ready, 0, sizeof *w->ready, w->g->make));
	for (int64_t at = 0; at < n && status == KNNG_OK; at += BUFFER_BYTES / 8) {
		const int64_t some = smaller(n - at, BUFFER_BYTES / 8);
		for (int64_t i = 0; i < some; i++)
			((double *)w->pinned[0])[i] = 1;
		TRY(cudaMemcpyAsync(w->size + at, w->pinned[0], (size_t)some * 8, cudaMemcpyHostToDevice, w->g->make));
		TRY(cudaStreamSynchronize(w->g->make));
	}
out:
	return status;
}

static void
close_work(void *work)
{
	nodes_work *w = (nodes_work *)work;
	if (w != NULL && w->g != NULL) {
		cudaStreamSynchronize(w->g->make);
		cudaGetLastError();
	}
	host->free(w);
}

static knng_status
put_centres(void *work, const double *centres, knng_err *err)
{
	nodes_work *w = (nodes_work *)work;
	return send(w, w->x, centres, numbers_of(w, w->n) * 8, err);
}

static knng_status
block_of(void *work, double **x, knng_err *err)
{
	nodes_work *w = (nodes_work *)work;
	const int device = w->device;
	knng_status status = KNNG_OK;
	TRY(cudaSetDevice(device));
	TRY(cudaEventSynchronize(w->g->sent[w->next]));
	*x = (double *)w->pinned[w->next];
out:
	return status;
}

static knng_status
put_block(void *work, int64_t i, int64_t tall, int64_t j, int64_t wide, knng_err *err)
{
	nodes_work *w = (nodes_work *)work;
	const int device = w->device, b = w->next;
	const dim3 grid((unsigned)((wide + TILE - 1) / TILE), (unsigned)((tall + TILE - 1) / TILE)),
		block(TILE, TILE / 4);
	knng_status status = KNNG_OK;
	TRY(cudaMemcpyAsync(w->blocks[b], w->pinned[b], (size_t)(tall * wide) * 8, cudaMemcpyHostToDevice, w->g->make));
	TRY(cudaEventRecord(w->g->sent[b], w->g->make));
	block_kernel<<<grid, block, 0, w->g->make>>>(w->blocks[b], i, tall, j, wide, w->x, w->n);
	TRY_LAUNCH();
	w->next = (b + 1) % BUFFERS;
out:
	return status;
}

static nodes
nodes_of(const nodes_work *w)
{
	return {w->x, w->size, w->n, w->d, w->method == KNNG_LINK_WARD};
}

static knng_status
ask(nodes_work *w, int64_t a, int64_t count, int64_t other, double *near, knng_err *err)
{
	const int device = w->device;
	const int64_t places = w->d > 0 ? WARP : THREADS, blocks = smaller((count + places - 1) / places, BLOCKS);
	knng_status status = KNNG_OK;
	TRY(cudaSetDevice(device));
	nearest_kernel<<<(unsigned)blocks, THREADS, 0, w->g->make>>>(nodes_of(w), count, a, other, near, w->found,
								     w->ready, (answer *)w->pinned[0]);
	TRY_LAUNCH();
out:
	return status;
}

static knng_status
nearest_place(void *work, int64_t a, int64_t count, int64_t other, knng_nearest *found, knng_err *err)
{
	nodes_work *w = (nodes_work *)work;
	const int device = w->device;
	knng_status status = KNNG_OK;
	*found = {-1, NAN, NAN};
	if (count == 0)
		return KNNG_OK;
	status = ask(w, a, count, other, NULL, err);
	if (status != KNNG_OK)
		return status;
	TRY(cudaStreamSynchronize(w->g->make));
	{
		const answer *answered = (const answer *)w->pinned[0];
		if (answered->nearest.at != INT_MAX) {
			found->at = answered->nearest.at;
			found->near = answered->nearest.near;
		}
		if (other >= 0)
			found->of_other = answered->of_other;
	}
out:
	return status;
}

static knng_status
row_of(void *work, int64_t a, int64_t count, double *near, knng_err *err)
{
	nodes_work *w = (nodes_work *)work;
	knng_status status = ask(w, a, count, -1, w->near, err);
	return status == KNNG_OK ? fetch(w, near, w->near, count * 8, err) : status;
}

static unsigned
blocks_for(int64_t n)
{
	return (unsigned)((n + THREADS - 1) / THREADS);
}

static knng_status
join_nodes(void *work, const knng_join *e, knng_err *err)
{
	nodes_work *w = (nodes_work *)work;
	const int device = w->device;
	knng_status status = KNNG_OK;
	TRY(cudaSetDevice(device));
	if (w->d > 0)
		join_centres_kernel<<<blocks_for(w->d), THREADS, 0, w->g->make>>>(w->x, w->size, w->d, *e);
	else
		join_rows_kernel<<<blocks_for(w->n), THREADS, 0, w->g->make>>>(w->x, w->size, w->n, w->method, *e);
	TRY_LAUNCH();
out:
	return status;
}

static knng_status
close_up_nodes(void *work, const int32_t *from, int64_t n, knng_err *err)
{
	nodes_work *w = (nodes_work *)work;
	const int device = w->device;
	const dim3 panels((unsigned)(whole_panels(n) / PANEL), (unsigned)smaller(w->d, PANEL));
	double *x = w->x, *size = w->size;
	knng_status status = send(w, w->from, from, n * 4, err);
	if (status != KNNG_OK)
		return status;
	TRY(cudaSetDevice(device));
	if (w->d > 0)
		close_centres_kernel<<<panels, PANEL, 0, w->g->make>>>(nodes_of(w), w->from, n, w->spare,
								       w->spare_size);
	else
		close_rows_kernel<<<(unsigned)n, THREADS, 0, w->g->make>>>(nodes_of(w), w->from, n, w->spare,
									   w->spare_size);
	TRY_LAUNCH();
	w->x = w->spare;
	w->size = w->spare_size;
	w->spare = x;
	w->spare_size = size;
	w->n = n;
out:
	return status;
}

const knng_linkage_gpu linkage_gpu = {open_work,     put_centres, block_of,       put_block, row_of,
				      nearest_place, join_nodes,  close_up_nodes, close_work};
