/* centres.cu  Centres of nodes on a device, for core/rows/linkage_centres.c: how near all of them are to one, and the
 * nearest.
 *
 * A sum of squares has the order of docs/canonical.md, 2: eight sums, of every eighth element, and a tree over them.
 * So a warp takes one of the eight for 32 places side by side, and reads 256 bytes at a time.
 *
 * Limits: the centres are read once for each question, from memory or, once few are left, from the cache. A question
 * waits for the answer to the one before it, which takes some ten microseconds of calls. */
#include "cuda/graph/centres.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
	PANEL = KNNG_CENTRES_PANEL,
	WARP = 32,
	SUMS = 8,
	THREADS = SUMS * WARP,
	BLOCKS = 1024 /* at most */
};

typedef struct {
	double near;
	int at; /* INT_MAX: none */
} candidate;

typedef struct {
	candidate nearest;
	double of_other;
} answer;

typedef struct {
	int device;
	session *g;
	int64_t n, d; /* places */
	bool ward;
	double *centres, *spare;   /* panels; as many as half of them */
	double *size, *spare_size; /* rows of each, 0: an empty place */
	double *near;              /* [n], the answer to `row` */
	candidate *found;          /* [BLOCKS] */
	unsigned *blocks;          /* that are done, as each run leaves it 0 */
	int32_t *from;
	char *pinned; /* BUFFER_BYTES of the host, which the device reaches: there lies the answer to `nearest` */
} centres_work;

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

/* The places p < count, 32 of them a block at a time: how near each is to a, and the nearest, in `answered`; in near,
 * unless it is NULL, NaN for empty places and a itself. */
__global__ static void
nearest_kernel(const double *centres, const double *size, int64_t d, int64_t count, int64_t a, int64_t other, bool ward,
	       double *near, candidate *found, unsigned *blocks, answer *answered)
{
	__shared__ double sums[SUMS * WARP];
	__shared__ candidate of_warps[SUMS];
	__shared__ bool last;
	const int lane = threadIdx.x % WARP, mine = threadIdx.x / WARP;
	const double *from = centre_at(centres, d, a);
	candidate best = {INFINITY, INT_MAX};
	for (int64_t first = blockIdx.x * (int64_t)WARP; first < count; first += gridDim.x * (int64_t)WARP) {
		const int64_t p = first + lane;
		const double *to = centre_at(centres, d, p);
		double sum = 0;
#pragma unroll 8
		for (int64_t l = mine; l < d; l += SUMS) {
			const double t = __ldg(&from[l * PANEL]) - __ldg(&to[l * PANEL]);
			sum = fma(t, t, sum);
		}
		sums[threadIdx.x] = sum;
		__syncthreads();
		if (mine == 0 && p < count) {
			const double *s = sums + lane, rows = size[p], own = size[a];
			double x = ((s[0] + s[4 * WARP]) + (s[2 * WARP] + s[6 * WARP])) +
				   ((s[WARP] + s[5 * WARP]) + (s[3 * WARP] + s[7 * WARP]));
			if (ward)
				x *= 2 * own * rows / (own + rows);
			const candidate c = {x, (int)p};
			const bool there = rows > 0 && p != a;
			if (near != NULL)
				near[p] = there ? x : NAN;
			if (there && p == other)
				answered->of_other = x;
			if (there && is_nearer(c, best))
				best = c;
		}
		__syncthreads();
	}
	if (mine == 0)
		best = nearest_of_warp(best);
	if (threadIdx.x == 0) {
		found[blockIdx.x] = best;
		__threadfence();
		last = atomicAdd(blocks, 1u) == gridDim.x - 1;
	}
	__syncthreads();
	if (!last)
		return;
	best = {INFINITY, INT_MAX};
	__threadfence();
	for (int b = threadIdx.x; b < (int)gridDim.x; b += THREADS) {
		const candidate c = {__ldcg(&found[b].near), __ldcg(&found[b].at)};
		if (is_nearer(c, best))
			best = c;
	}
	best = nearest_of_warp(best);
	if (lane == 0)
		of_warps[mine] = best;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (int w = 1; w < SUMS; w++)
			if (is_nearer(of_warps[w], best))
				best = of_warps[w];
		answered->nearest = best;
		*blocks = 0;
	}
}

/* The node at b goes into that at a. */
__global__ static void
join_kernel(double *centres, double *size, int64_t d, int64_t a, int64_t b, double p)
{
	const int64_t l = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	double *to = (double *)centre_at(centres, d, a);
	const double *other = centre_at(centres, d, b);
	if (l < d)
		to[l * PANEL] = p * to[l * PANEL] + (1 - p) * other[l * PANEL];
	if (l == 0) {
		size[a] += size[b];
		size[b] = 0;
	}
}

/* Grid: places, by PANEL; blockDim: PANEL. */
__global__ static void
close_up_kernel(const double *centres, const double *size, int64_t d, const int32_t *from, int64_t n, double *to,
		double *to_size)
{
	const int64_t i = blockIdx.x * (int64_t)PANEL + threadIdx.x;
	const double *x = centre_at(centres, d, i < n ? from[i] : 0);
	double *y = (double *)centre_at(to, d, i);
	for (int64_t l = blockIdx.y; l < d; l += gridDim.y)
		y[l * PANEL] = i < n ? x[l * PANEL] : 0;
	if (blockIdx.y == 0)
		to_size[i] = i < n ? size[from[i]] : 0;
}

/* ---------------------------------------------------------------- the table */

static int64_t
whole_panels(int64_t n)
{
	return (n + PANEL - 1) / PANEL * PANEL;
}

static knng_status
claim_memory(centres_work *w, double max_memory, knng_err *err)
{
	const int64_t all = whole_panels(w->n), half = whole_panels(w->n / 2), panels = (all + half) * w->d * 8,
		      sizes = (all + half) * 8, rest = all * 12 + BLOCKS * (int64_t)sizeof(candidate);
	const double bytes = (double)panels + (double)sizes + (double)rest + 16 * 256;
	knng_device_info info;
	knng_status status = devices_describe(w->device, &info, err);
	if (status != KNNG_OK)
		return status;
	if (bytes > info.free - 512e6 || (max_memory > 0 && bytes > max_memory))
		return host->fail(err, KNNG_EDEVICE, "knng:device:memory",
				  "the centres take %.3g GB, more than GPU %d has or 'MaxDeviceMemory' says",
				  bytes / 1e9, w->device + 1);
	status = device_open(w->device, (int64_t)bytes, INT64_MAX, err);
	if (status != KNNG_OK)
		return status;
	w->g = device_session(w->device);
	w->centres = (double *)device_carve(w->g, all * w->d * 8);
	w->spare = (double *)device_carve(w->g, half * w->d * 8);
	w->size = (double *)device_carve(w->g, all * 8);
	w->spare_size = (double *)device_carve(w->g, half * 8);
	w->near = (double *)device_carve(w->g, all * 8);
	w->from = (int32_t *)device_carve(w->g, all * 4);
	w->found = (candidate *)device_carve(w->g, BLOCKS * (int64_t)sizeof(candidate));
	w->blocks = (unsigned *)device_carve(w->g, sizeof(unsigned));
	return KNNG_OK;
}

/* In pieces, by way of pinned memory. */
static knng_status
send(centres_work *w, void *to, const void *from, int64_t bytes, knng_err *err)
{
	const int device = w->device;
	knng_status status = KNNG_OK;
	for (int64_t at = 0; at < bytes; at += BUFFER_BYTES) {
		const int64_t some = smaller(bytes - at, BUFFER_BYTES);
		memcpy(w->pinned, (const char *)from + at, (size_t)some);
		TRY(cudaMemcpyAsync((char *)to + at, w->pinned, (size_t)some, cudaMemcpyHostToDevice, w->g->make));
		TRY(cudaStreamSynchronize(w->g->make));
	}
out:
	return status;
}

static knng_status
fetch(centres_work *w, void *to, const void *from, int64_t bytes, knng_err *err)
{
	const int device = w->device;
	knng_status status = KNNG_OK;
	for (int64_t at = 0; at < bytes; at += BUFFER_BYTES) {
		const int64_t some = smaller(bytes - at, BUFFER_BYTES);
		TRY(cudaMemcpyAsync(w->pinned, (const char *)from + at, (size_t)some, cudaMemcpyDeviceToHost,
				    w->g->make));
		TRY(cudaStreamSynchronize(w->g->make));
		memcpy((char *)to + at, w->pinned, (size_t)some);
	}
out:
	return status;
}

static knng_status
open_work(const double *centres, int64_t n, int64_t d, bool ward, int device, double max_memory, void **work,
	  knng_err *err)
{
	centres_work *w = (centres_work *)host->alloc(1, sizeof *w);
	char *pinned[BUFFERS];
	*work = w;
	if (w == NULL)
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host", "there is no memory for the tree");
	memset(w, 0, sizeof *w);
	w->device = device;
	w->n = n;
	w->d = d;
	w->ward = ward;
	knng_status status = claim_memory(w, max_memory, err);
	if (status != KNNG_OK || (status = buffers_open(pinned, device, err)) != KNNG_OK)
		return status;
	w->pinned = pinned[0];
	TRY(cudaMemsetAsync(w->blocks, 0, sizeof *w->blocks, w->g->make));
	status = send(w, w->centres, centres, whole_panels(n) * d * 8, err);
	for (int64_t at = 0; at < n && status == KNNG_OK; at += BUFFER_BYTES / 8) {
		const int64_t some = smaller(n - at, BUFFER_BYTES / 8);
		for (int64_t i = 0; i < some; i++)
			((double *)w->pinned)[i] = 1;
		TRY(cudaMemcpyAsync(w->size + at, w->pinned, (size_t)some * 8, cudaMemcpyHostToDevice, w->g->make));
		TRY(cudaStreamSynchronize(w->g->make));
	}
out:
	return status;
}

static void
close_work(void *work)
{
	centres_work *w = (centres_work *)work;
	if (w != NULL && w->g != NULL) {
		cudaStreamSynchronize(w->g->make);
		cudaGetLastError();
	}
	host->free(w);
}

static knng_status
ask(centres_work *w, int64_t a, int64_t count, int64_t other, double *near, knng_err *err)
{
	const int device = w->device;
	const int64_t blocks = smaller((count + WARP - 1) / WARP, BLOCKS);
	knng_status status = KNNG_OK;
	TRY(cudaSetDevice(device));
	nearest_kernel<<<(unsigned)blocks, THREADS, 0, w->g->make>>>(
		w->centres, w->size, w->d, count, a, other, w->ward, near, w->found, w->blocks, (answer *)w->pinned);
	TRY_LAUNCH();
out:
	return status;
}

static knng_status
nearest_place(void *work, int64_t a, int64_t count, int64_t other, knng_nearest *found, knng_err *err)
{
	centres_work *w = (centres_work *)work;
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
		const answer *answered = (const answer *)w->pinned;
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
	centres_work *w = (centres_work *)work;
	knng_status status = ask(w, a, count, -1, w->near, err);
	return status == KNNG_OK ? fetch(w, near, w->near, count * 8, err) : status;
}

static knng_status
join_places(void *work, int64_t a, int64_t b, double p, knng_err *err)
{
	centres_work *w = (centres_work *)work;
	const int device = w->device;
	knng_status status = KNNG_OK;
	TRY(cudaSetDevice(device));
	join_kernel<<<(unsigned)((w->d + THREADS - 1) / THREADS), THREADS, 0, w->g->make>>>(w->centres, w->size, w->d,
											    a, b, p);
	TRY_LAUNCH();
out:
	return status;
}

static knng_status
close_up_places(void *work, const int32_t *from, int64_t n, knng_err *err)
{
	centres_work *w = (centres_work *)work;
	const int device = w->device;
	const int64_t panels = whole_panels(n) / PANEL;
	const dim3 grid((unsigned)panels, (unsigned)smaller(w->d, PANEL));
	double *centres = w->centres, *size = w->size;
	knng_status status = send(w, w->from, from, n * 4, err);
	if (status != KNNG_OK)
		return status;
	TRY(cudaSetDevice(device));
	close_up_kernel<<<grid, PANEL, 0, w->g->make>>>(centres, size, w->d, w->from, n, w->spare, w->spare_size);
	TRY_LAUNCH();
	w->centres = w->spare;
	w->size = w->spare_size;
	w->spare = centres;
	w->spare_size = size;
out:
	return status;
}

const knng_centres_gpu centres_gpu = {open_work, row_of, nearest_place, join_places, close_up_places, close_work};
