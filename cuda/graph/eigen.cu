/* eigen.cu  A sparse symmetric matrix and long vectors on a device, for core/graph/eigen.c.
 *
 * The matrix is compressed rows: 64-bit starts, so that there may be 2^31 entries and more, and 32-bit columns, for
 * which cuSPARSE (12.6, with CUDA 13.0) has no product. All sums have a fixed order, whatever the device: so the answer
 * is the same on each.
 *
 * Limits: the memory of the device; what a product reads of it is an entry's 12 bytes, and x, which stays in the cache
 * up to some million rows; what a step reads is the basis, four times. */
#include "cuda/graph/eigen.h"

#include <math.h>
#include <string.h>

enum {
	THREADS = 256,
	WARP = 32,
	PARTS = 1024,               /* of a vector, in sums, at most */
	PART = 512,                 /* numbers of a part, at least */
	GROUP = THREADS / WARP,     /* columns that a block multiplies with one, so that it is read once for them */
	PACKED = BUFFER_BYTES / 12, /* entries in a pinned buffer: values, then their columns */
	PIECES = 64,
	TILE_BYTES = 48 << 10,
};

typedef struct {
	int device;
	session *g;
	int64_t n, columns;
	int lanes; /* threads for a row */
	int64_t *start;
	int32_t *row;
	double *value, *diagonal;
	double *x;       /* columns of n numbers */
	double *partial; /* [columns * PARTS] */
	double *sums;    /* 2 * columns + 1: what was taken out, twice, and the squared length of the rest */
	double *of_host; /* the same on the host */
	double *Q;       /* [columns * columns] */
} eigen_work;

static int64_t
smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* ---------------------------------------------------------------- kernels */

/* y = S x. */
__global__ static void
times_kernel(const int64_t *start, const int32_t *row, const double *value, const double *diagonal, int64_t n,
	     int lanes, const double *x, double *y)
{
	const int64_t thread = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, r = thread / lanes;
	const int lane = (int)(thread % lanes);
	double sum = 0;
	if (r < n) {
		const int64_t end = start[r + 1];
#pragma unroll 4
		for (int64_t e = start[r] + lane; e < end; e += lanes)
			sum += __ldcs(&value[e]) * x[__ldcs(&row[e])];
	}
	for (int step = lanes / 2; step > 0; step /= 2)
		sum += __shfl_xor_sync(0xffffffffu, sum, step);
	if (r < n && lane == 0)
		y[r] = sum + diagonal[r] * x[r];
}

/* Random numbers from -1/2 to 1/2 (splitmix64). */
__global__ static void
random_kernel(uint64_t seed, int64_t n, double *y)
{
	const int64_t r = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (r >= n)
		return;
	uint64_t z = (seed << 40) + (uint64_t)(r + 1) * 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	y[r] = (double)(z >> 11) * 0x1p-53 - 0.5;
}

/* The sum of x[0 … count), by a warp, in its first lane; `space`: WARP numbers of shared memory. */
__device__ static double
sum_by_warp(const double *x, int count, double *space)
{
	const int lane = threadIdx.x % WARP;
	double sum = 0;
	for (int i = lane; i < count; i += WARP)
		sum += x[i];
	space[lane] = sum;
	__syncwarp();
	for (int i = 1; i < WARP && lane == 0; i++)
		sum += space[i];
	return sum;
}

/* partial[c*parts + b]: what part b of column c and of y give. Grid: parts, groups of columns. */
__global__ static void
dots_kernel(const double *x, int64_t n, int columns, const double *y, double *partial)
{
	__shared__ double of_threads[GROUP * THREADS];
	__shared__ double of_warps[GROUP * WARP];
	const int64_t parts = gridDim.x, from = n * blockIdx.x / parts, end = n * (blockIdx.x + 1) / parts;
	const int first = (int)blockIdx.y * GROUP;
	double sums[GROUP] = {};
	if (first + GROUP <= columns) {
		for (int64_t r = from + threadIdx.x; r < end; r += THREADS) {
			const double factor = y[r];
			for (int c = 0; c < GROUP; c++)
				sums[c] += x[(first + c) * n + r] * factor;
		}
	} else {
		for (int64_t r = from + threadIdx.x; r < end; r += THREADS) {
			const double factor = y[r];
			for (int c = 0; c < GROUP; c++)
				if (first + c < columns)
					sums[c] += x[(first + c) * n + r] * factor;
		}
	}
	for (int c = 0; c < GROUP; c++)
		of_threads[c * THREADS + threadIdx.x] = sums[c];
	__syncthreads();
	/* A warp for each column. */
	const int c = threadIdx.x / WARP;
	const double sum = sum_by_warp(of_threads + c * THREADS, THREADS, of_warps + c * WARP);
	if (threadIdx.x % WARP == 0 && first + c < columns)
		partial[(first + c) * parts + blockIdx.x] = sum;
}

/* sums[c]: of the parts of column c. A warp for each. */
__global__ static void
add_kernel(const double *partial, int parts, double *sums)
{
	__shared__ double of_lanes[WARP];
	const double sum = sum_by_warp(partial + blockIdx.x * (int64_t)parts, parts, of_lanes);
	if (threadIdx.x == 0)
		sums[blockIdx.x] = sum;
}

/* y less sums[c] times each column. */
__global__ static void
take_out_kernel(const double *x, int64_t n, int columns, const double *sums, double *y)
{
	const int64_t r = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (r >= n)
		return;
	double left = y[r];
	for (int c = 0; c < columns; c++)
		left -= __ldg(&sums[c]) * x[c * n + r];
	y[r] = left;
}

/* y over the root of *squared. */
__global__ static void
shorten_kernel(const double *squared, int64_t n, double *y)
{
	const int64_t r = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (r < n)
		y[r] /= sqrt(*squared);
}

/* In place: column c becomes the sum over k of Q[c*p + k] times column k, for c < to <= p. A block takes `rows` rows.
 */
__global__ static void
combine_kernel(double *x, int64_t n, int p, int to, int rows, const double *Q)
{
	extern __shared__ double tile[];
	const int64_t first = blockIdx.x * (int64_t)rows;
	for (int i = threadIdx.x; i < rows * p; i += THREADS)
		if (first + i % rows < n)
			tile[i] = x[i / rows * n + first + i % rows];
	__syncthreads();
	for (int i = threadIdx.x; i < rows * to; i += THREADS) {
		const int r = i % rows, c = i / rows;
		double sum = 0;
		if (first + r >= n)
			continue;
		for (int k = 0; k < p; k++)
			sum += __ldg(&Q[c * p + k]) * tile[k * rows + r];
		x[c * n + first + r] = sum;
	}
}

/* ---------------------------------------------------------------- to the device */

/* Entries from `from` on, into a buffer. */
typedef struct {
	const knng_eigen *e;
	int64_t from, count;
	double *value;
	int32_t *row;
} packing;

static knng_status
pack_job(void *context, int worker, int64_t i, knng_err *err)
{
	const packing *p = (const packing *)context;
	const knng_sparse *W = p->e->W;
	const double *scale = p->e->scale;
	const int64_t begin = p->from + p->count * i / PIECES, end = p->from + p->count * (i + 1) / PIECES;
	int64_t j = 0, behind = W->columns; /* the column of the entry `begin` */
	(void)worker, (void)err;
	while (behind - j > 1) {
		const int64_t middle = j + (behind - j) / 2;
		if ((int64_t)W->start[middle] <= begin)
			j = middle;
		else
			behind = middle;
	}
	for (int64_t e = begin; e < end; e++) {
		while (e >= (int64_t)W->start[j + 1])
			j++;
		p->value[e - p->from] = scale[j] * W->value[e] * scale[W->row[e]];
		p->row[e - p->from] = (int32_t)W->row[e];
	}
	return KNNG_OK;
}

static knng_status
upload(knng_task *task, const knng_eigen *e, eigen_work *w, knng_err *err)
{
	const int device = w->device;
	const int64_t n = w->n, entries = (int64_t)e->W->start[n];
	char *pinned[BUFFERS];
	knng_task quiet = *task; /* its parts are many and short */
	quiet.progress = NULL;
	knng_status status = buffers_open(pinned, device, err);
	if (status != KNNG_OK)
		return status;
	int b = 0;
	for (int64_t at = 0; at < entries; at += PACKED, b = (b + 1) % BUFFERS) {
		const int64_t count = smaller(entries - at, PACKED);
		packing p = {e, at, count, (double *)pinned[b], (int32_t *)(pinned[b] + 8 * (int64_t)PACKED)};
		TRY(cudaEventSynchronize(w->g->sent[b]));
		status = host->run(&quiet, task->threads, PIECES, pack_job, &p, err);
		if (status != KNNG_OK)
			goto out;
		TRY(cudaMemcpyAsync(w->value + at, p.value, (size_t)count * 8, cudaMemcpyHostToDevice, w->g->make));
		TRY(cudaMemcpyAsync(w->row + at, p.row, (size_t)count * 4, cudaMemcpyHostToDevice, w->g->make));
		TRY(cudaEventRecord(w->g->sent[b], w->g->make));
	}
	for (int64_t at = 0; at < n; at += PACKED, b = (b + 1) % BUFFERS) {
		const int64_t count = smaller(n - at, PACKED);
		double *diagonal = (double *)pinned[b];
		TRY(cudaEventSynchronize(w->g->sent[b]));
		for (int64_t i = 0; i < count; i++)
			diagonal[i] = e->self * e->scale[at + i] * e->scale[at + i];
		TRY(cudaMemcpyAsync(w->diagonal + at, diagonal, (size_t)count * 8, cudaMemcpyHostToDevice, w->g->make));
		TRY(cudaEventRecord(w->g->sent[b], w->g->make));
	}
	TRY(cudaMemcpyAsync(w->start, e->W->start, (size_t)(n + 1) * 8, cudaMemcpyHostToDevice, w->g->make));
	if (e->nknown > 0)
		TRY(cudaMemcpyAsync(w->x, e->known, (size_t)(e->nknown * n) * 8, cudaMemcpyHostToDevice, w->g->make));
	TRY(cudaStreamSynchronize(w->g->make));
out:
	return status;
}

static knng_status
claim_memory(eigen_work *w, int64_t entries, knng_err *err)
{
	const int64_t n = w->n, columns = w->columns;
	const int64_t vectors = columns * n * 8, sums = (2 * columns + 1) * 8, partial = columns * PARTS * 8,
		      square = columns * columns * 8;
	const double bytes = 12.0 * (double)entries + 8.0 * (double)(2 * n + 1) + 8.0 * (double)columns * (double)n +
			     (double)(sums + partial + square) + 16 * 256;
	knng_device_info info;
	knng_status status = devices_describe(w->device, &info, err);
	if (status != KNNG_OK)
		return status;
	if (bytes > info.free - 512e6 || n > INT32_MAX)
		return host->fail(err, KNNG_EDEVICE, "knng:device:memory",
				  "GPU %d has not enough free memory: the matrix and its vectors take %.1f GB",
				  w->device + 1, bytes / 1e9);
	status = device_open(w->device, (int64_t)bytes, INT64_MAX, err);
	if (status != KNNG_OK)
		return status;
	w->g = device_session(w->device);
	w->start = (int64_t *)device_carve(w->g, (n + 1) * 8);
	w->row = (int32_t *)device_carve(w->g, entries * 4);
	w->value = (double *)device_carve(w->g, entries * 8);
	w->diagonal = (double *)device_carve(w->g, n * 8);
	w->x = (double *)device_carve(w->g, vectors);
	w->partial = (double *)device_carve(w->g, partial);
	w->sums = (double *)device_carve(w->g, sums);
	w->Q = (double *)device_carve(w->g, square);
	return KNNG_OK;
}

static knng_status
open_work(knng_task *task, const knng_eigen *e, int64_t columns, int device, void **work, knng_err *err)
{
	const int64_t n = e->W->columns, entries = (int64_t)e->W->start[n];
	eigen_work *w = (eigen_work *)host->alloc(1, sizeof *w);
	*work = w;
	if (w == NULL)
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host", "there is no memory for the eigenvectors");
	memset(w, 0, sizeof *w);
	w->device = device;
	w->n = n;
	w->columns = columns;
	w->lanes = entries > 16 * n ? WARP : entries > 4 * n ? WARP / 4 : WARP / 16;
	w->of_host = (double *)host->alloc(2 * columns + 1, sizeof *w->of_host);
	if (w->of_host == NULL)
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host", "there is no memory for the eigenvectors");
	knng_status status = claim_memory(w, entries, err);
	return status == KNNG_OK ? upload(task, e, w, err) : status;
}

static void
close_work(void *work)
{
	eigen_work *w = (eigen_work *)work;
	if (w == NULL)
		return;
	if (w->g != NULL) {
		cudaStreamSynchronize(w->g->make);
		cudaGetLastError();
	}
	host->free(w->of_host);
	host->free(w);
}

/* ---------------------------------------------------------------- steps */

static unsigned
blocks_for(int64_t n)
{
	return (unsigned)((n + THREADS - 1) / THREADS);
}

/* sums[c], c < columns: the product of x, columns from there on, and y. */
static knng_status
multiply(eigen_work *w, const double *x, int columns, const double *y, double *sums, knng_err *err)
{
	const int device = w->device;
	const unsigned parts = (unsigned)smaller((w->n + PART - 1) / PART, PARTS);
	const dim3 grid(parts, (unsigned)(columns + GROUP - 1) / GROUP);
	knng_status status = KNNG_OK;
	dots_kernel<<<grid, THREADS, 0, w->g->make>>>(x, w->n, columns, y, w->partial);
	TRY_LAUNCH();
	add_kernel<<<(unsigned)columns, WARP, 0, w->g->make>>>(w->partial, (int)parts, sums);
	TRY_LAUNCH();
out:
	return status;
}

/* Takes the columns before it out of column `to`, and makes it of length 1. */
static knng_status
straighten(eigen_work *w, int64_t to, knng_err *err)
{
	const int device = w->device, columns = (int)to;
	double *y = w->x + to * w->n, *squared = w->sums + 2 * w->columns;
	knng_status status = KNNG_OK;
	for (int pass = 0; pass < 2 && columns > 0; pass++) {
		double *sums = w->sums + pass * w->columns;
		status = multiply(w, w->x, columns, y, sums, err);
		if (status != KNNG_OK)
			goto out;
		take_out_kernel<<<blocks_for(w->n), THREADS, 0, w->g->make>>>(w->x, w->n, columns, sums, y);
		TRY_LAUNCH();
	}
	status = multiply(w, y, 1, y, squared, err);
	if (status != KNNG_OK)
		goto out;
	shorten_kernel<<<blocks_for(w->n), THREADS, 0, w->g->make>>>(squared, w->n, y);
	TRY_LAUNCH();
out:
	return status;
}

static knng_status
start_column(void *work, int64_t to, uint64_t seed, knng_err *err)
{
	eigen_work *w = (eigen_work *)work;
	const int device = w->device;
	knng_status status = KNNG_OK;
	TRY(cudaSetDevice(device));
	random_kernel<<<blocks_for(w->n), THREADS, 0, w->g->make>>>(seed, w->n, w->x + to * w->n);
	TRY_LAUNCH();
	status = straighten(w, to, err);
out:
	return status;
}

static knng_status
step_column(void *work, int64_t from, int64_t to, double *h, double *length, knng_err *err)
{
	eigen_work *w = (eigen_work *)work;
	const int device = w->device;
	const int64_t count = 2 * w->columns + 1;
	knng_status status = KNNG_OK;
	TRY(cudaSetDevice(device));
	times_kernel<<<blocks_for(w->n * w->lanes), THREADS, 0, w->g->make>>>(
		w->start, w->row, w->value, w->diagonal, w->n, w->lanes, w->x + from * w->n, w->x + to * w->n);
	TRY_LAUNCH();
	status = straighten(w, to, err);
	if (status != KNNG_OK)
		goto out;
	TRY(cudaMemcpyAsync(w->of_host, w->sums, (size_t)count * 8, cudaMemcpyDeviceToHost, w->g->make));
	TRY(cudaStreamSynchronize(w->g->make));
	for (int64_t c = 0; c < to; c++)
		h[c] = w->of_host[c] + w->of_host[w->columns + c];
	*length = sqrt(w->of_host[2 * w->columns]);
out:
	return status;
}

static knng_status
combine_columns(void *work, int64_t first, int64_t p, int64_t to, const double *Q, knng_err *err)
{
	eigen_work *w = (eigen_work *)work;
	const int device = w->device;
	const int64_t n = w->n, fit = TILE_BYTES / (8 * p), rows = smaller(fit, WARP);
	double *x = w->x + first * n;
	knng_status status = KNNG_OK;
	if (rows < 1)
		return host->fail(err, KNNG_EDEVICE, "knng:device:memory", "GPU %d cannot combine %lld vectors at once",
				  device + 1, (long long)p);
	TRY(cudaSetDevice(device));
	TRY(cudaMemcpyAsync(w->Q, Q, (size_t)(to * p) * 8, cudaMemcpyHostToDevice, w->g->make));
	combine_kernel<<<(unsigned)((n + rows - 1) / rows), THREADS, (size_t)(rows * p) * 8, w->g->make>>>(
		x, n, (int)p, (int)to, (int)rows, w->Q);
	TRY_LAUNCH();
	if (to < p)
		TRY(cudaMemcpyAsync(x + to * n, x + p * n, (size_t)n * 8, cudaMemcpyDeviceToDevice, w->g->make));
	TRY(cudaStreamSynchronize(w->g->make));
out:
	return status;
}

static knng_status
fetch_column(void *work, int64_t column, double *x, knng_err *err)
{
	eigen_work *w = (eigen_work *)work;
	const int device = w->device;
	knng_status status = KNNG_OK;
	TRY(cudaSetDevice(device));
	TRY(cudaMemcpyAsync(x, w->x + column * w->n, (size_t)w->n * 8, cudaMemcpyDeviceToHost, w->g->make));
	TRY(cudaStreamSynchronize(w->g->make));
out:
	return status;
}

const knng_eigen_gpu eigen_gpu = {open_work, start_column, step_column, combine_columns, fetch_column, close_work};
