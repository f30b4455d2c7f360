/* refine.cu  Canonical distances of the candidates in the lists, in two ways.
 *
 * Gathered: a pair fetches its column's row from memory, 8 d bytes. Staged: where k is a good part of n, blocks of rows
 * and of columns that share many pairs are brought into shared memory together, so that each row serves several pairs.
 * Either way eight threads are the eight accumulators of a pair. */
#include "knng_cuda.h"

#include <cuda_pipeline.h>

/* ---------------------------------------------------------------- kernels */

/* The accumulators of a distance; EITHER has two of them. */
template <knng_sum SUM> struct sums {
	double a[SUM == KNNG_SUM_EITHER ? 2 : 1];
};

template <knng_sum SUM>
__device__ static inline void
take(sums<SUM> *s, double u, double v)
{
	s->a[0] = meet(SUM == KNNG_SUM_EITHER ? KNNG_SUM_MINUS : SUM, s->a[0], u, v);
	if (SUM == KNNG_SUM_EITHER)
		s->a[SUM == KNNG_SUM_EITHER] = meet(KNNG_SUM_PLUS, s->a[SUM == KNNG_SUM_EITHER], u, v);
}

/* The bits of the finished distance, in all eight threads of the pair. */
template <knng_sum SUM>
__device__ static inline uint64_t
result(const sums<SUM> &s, knng_finish_kind finish)
{
	double a = SUM == KNNG_SUM_LINF ? largest8(s.a[0]) : tree8(s.a[0]);
	if (SUM == KNNG_SUM_EITHER)
		a = fmin(a, tree8(s.a[SUM == KNNG_SUM_EITHER]));
	return (uint64_t)__double_as_longlong(finish_on_device(finish, a) + 0.0);
}

/* A block a list, sixteen pairs at a time, of those with columns in [from, end). Reads a row a pair: bandwidth; the
 * list's own row stays in L1. */
enum { BLOCK = 128 };
template <knng_sum SUM>
__global__ static void
gathered_kernel(lists l, int64_t first, knng_finish_kind finish, const double *u, const double *columns, int64_t ld,
		int64_t from, int64_t end)
{
	__shared__ int chosen[BLOCK], some;
	int64_t i = l.pending[first + blockIdx.x], n = l.used[i];
	uint64_t *keys = l.key + i * l.capacity;
	const int32_t *js = l.column + i * l.capacity;
	const double *x = u + i * ld;
	int lane = threadIdx.x % LANES, pair = threadIdx.x / LANES;
	for (int64_t e0 = 0; e0 < n; e0 += BLOCK) {
		if (threadIdx.x == 0)
			some = 0;
		__syncthreads();
		int64_t e = e0 + threadIdx.x;
		if (e < n && js[e] >= from && js[e] < end)
			chosen[atomicAdd(&some, 1)] = (int)threadIdx.x;
		__syncthreads();
		for (int c0 = 0; c0 < some; c0 += BLOCK / LANES) {
			int c = c0 + pair;
			e = e0 + chosen[c < some ? c : some - 1];
			const double *y = columns + js[e] * ld;
			sums<SUM> s = {};
			for (int64_t f = lane; f < ld; f += LANES)
				take<SUM>(&s, x[f], y[f]);
			uint64_t bits = result<SUM>(s, finish);
			if (lane == 0 && c < some)
				keys[e] = bits;
		}
		__syncthreads();
	}
}

/* A block a list: how many of its candidates lie in each block of columns, added to the pairs of blocks; or, filling,
 * where they go. A pair is entry << 16 | row << 8 | column, both within their blocks. A row's pairs follow each other,
 * and are made even by one that is NO_PAIR. */
static const uint64_t NO_PAIR = ~0ull;
template <bool FILL>
__global__ static void
bucket_kernel(lists l, int64_t first, int wide, int blocks, int32_t *count, uint64_t *pairs)
{
	extern __shared__ int32_t places[]; /* [blocks] */
	int64_t p = first + blockIdx.x, i = l.pending[p], n = l.used[i];
	const int32_t *js = l.column + i * l.capacity;
	int32_t *mine = count + (int64_t)(blockIdx.x / STAGED) * blocks;
	for (int b = threadIdx.x; b < blocks; b += BLOCK)
		places[b] = 0;
	__syncthreads();
	for (int64_t e = threadIdx.x; e < n; e += BLOCK)
		atomicAdd(&places[js[e] / wide], 1);
	__syncthreads();
	for (int b = threadIdx.x; b < blocks; b += BLOCK) {
		int some = places[b];
		if (some == 0)
			continue;
		places[b] = atomicAdd(&mine[b], some + some % 2);
		if (FILL && some % 2 != 0)
			pairs[places[b] + some] = NO_PAIR;
	}
	__syncthreads();
	for (int64_t e = threadIdx.x; FILL && e < n; e += BLOCK) {
		int32_t j = js[e];
		pairs[atomicAdd(&places[j / wide], 1)] =
			(uint64_t)e << 16 | (uint64_t)(blockIdx.x % STAGED) << 8 | (uint64_t)(j % wide);
	}
}

/* One block: offset[b] counts become where each pair of blocks begins, and so does cursor; the total comes last. */
enum { SCANNERS = 1024 };
__global__ static void
scan_kernel(int32_t *offset, int32_t *cursor, int64_t buckets)
{
	__shared__ int32_t warp[SCANNERS / 32];
	int lane = threadIdx.x % 32;
	int32_t before = 0;
	for (int64_t b0 = 0; b0 < buckets; b0 += SCANNERS) {
		int64_t b = b0 + threadIdx.x;
		int32_t mine = b < buckets ? offset[b] : 0, through = mine;
		for (int step = 1; step < 32; step *= 2) {
			int32_t left = __shfl_up_sync(0xffffffffu, through, step);
			through += lane >= step ? left : 0;
		}
		if (lane == 31)
			warp[threadIdx.x / 32] = through;
		__syncthreads();
		int32_t total = 0;
		for (int w = 0; w < SCANNERS / 32; w++) {
			through += w < (int)threadIdx.x / 32 ? warp[w] : 0;
			total += warp[w];
		}
		__syncthreads();
		if (b < buckets) {
			offset[b] = before + through - mine;
			cursor[b] = before + through - mine;
		}
		before += total;
	}
	if (threadIdx.x == 0)
		offset[buckets] = before;
}

/* A block a pair of blocks; EACH * 64 pairs at a time. What they need of the rows, at most 2 * STAGED of them, comes
 * into shared memory DEPTH features at a time, the next while these are used; the accumulators, EACH pairs for every
 * eight threads, stay in registers. Two pairs of a row load it once. Neighbouring groups of eight must not want the
 * same banks, half of a row's 128 bytes each: every other group is half a part behind. Shared memory is busiest: 192
 * bytes a pair and 16 features. */
enum { STAGERS = 512, DEPTH = 16, ROW = DEPTH * 8, SLOTS = 2 * STAGED };

/* Pairs whose accumulators eight threads hold. */
__host__ __device__ static constexpr int
each_of(knng_sum sum)
{
	return sum == KNNG_SUM_EITHER ? 16 : 32;
}

typedef struct {
	double part[3][SLOTS * DEPTH];
	const double *source[SLOTS];
	uint32_t pair[2048]; /* bytes before the row in a part << 16 | before the column; of the second, the column */
	uint16_t slot[SLOTS];
	int warp[STAGERS / 32];
} stage;

template <knng_sum SUM>
__global__ static void
__launch_bounds__(STAGERS, 1)
	staged_kernel(lists l, int64_t first, int64_t count, int wide, int blocks, knng_finish_kind finish,
		      const double *u, const double *columns, int64_t ld, const uint64_t *pairs, const int32_t *offset)
{
	enum { EACH = each_of(SUM), ROUND = EACH * STAGERS / LANES };
	extern __shared__ __align__(16) unsigned char memory[];
	stage *s = (stage *)memory;
	/* Neighbouring blocks share their columns. */
	int64_t row_blocks = (count + STAGED - 1) / STAGED,
		bucket = blockIdx.x % row_blocks * blocks + blockIdx.x / row_blocks;
	int64_t row0 = first + blockIdx.x % row_blocks * STAGED, column0 = blockIdx.x / row_blocks * wide;
	int t = threadIdx.x, lane = t % LANES, group = t / LANES;
	int32_t end = offset[bucket + 1];
	for (int32_t begin = offset[bucket]; begin < end; begin += ROUND) {
		int n = end - begin < ROUND ? end - begin : (int)ROUND;

		/* Which rows are needed, and the slot of each. */
		s->slot[t] = 0;
		__syncthreads();
		for (int e = t; e < n; e += STAGERS) {
			uint64_t code = pairs[begin + e];
			if (code == NO_PAIR)
				continue;
			s->slot[code >> 8 & 255] = 1;
			s->slot[STAGED + (code & 255)] = 1;
		}
		__syncthreads();
		bool needed = s->slot[t] != 0;
		unsigned vote = __ballot_sync(0xffffffffu, needed);
		if (t % 32 == 0)
			s->warp[t / 32] = __popc(vote);
		__syncthreads();
		int slot = __popc(vote & ((1u << t % 32) - 1)), slots = 0;
		for (int w = 0; w < STAGERS / 32; w++) {
			slot += w < t / 32 ? s->warp[w] : 0;
			slots += s->warp[w];
		}
		if (needed) {
			s->slot[t] = (uint16_t)slot;
			s->source[slot] =
				t < STAGED ? u + l.pending[row0 + t] * ld : columns + (column0 + t - STAGED) * ld;
		}
		__syncthreads();
		for (int e = t; e < ROUND; e += STAGERS) {
			uint64_t code = e < n ? pairs[begin + e] : NO_PAIR;
			uint32_t row = s->slot[code >> 8 & 255], column = s->slot[STAGED + (code & 255)];
			s->pair[e] = code != NO_PAIR ? (row << 16 | column) * ROW : 0;
		}

		sums<SUM> sum[EACH] = {};
		/* Before the first part lie zeros, and after the last: they add nothing. */
		for (int e = t; e < slots * LANES; e += STAGERS)
			s->part[2][e / LANES * DEPTH + LANES + e % LANES] = 0;
		bool behind = group % 2 != 0;
		int parts = (int)((ld + DEPTH - 1) / DEPTH), piece = t % (DEPTH / 2) * 2;
		for (int now = -1; now <= parts; now++) {
			int64_t next = (int64_t)(now + 1) * DEPTH + piece;
			double *into = s->part[(now + 1) % 3];
			for (int r = t / (DEPTH / 2); r < slots && now < parts; r += STAGERS / (DEPTH / 2))
				__pipeline_memcpy_async(into + r * DEPTH + piece, s->source[r] + (next < ld ? next : 0),
							16, next < ld ? 0 : 16);
			__pipeline_commit();
			if (now < 0)
				continue;
			__pipeline_wait_prior(1);
			__syncthreads();
			const double *a = behind ? s->part[(now + 2) % 3] + LANES : s->part[now % 3];
			const double *b = s->part[now % 3] + (behind ? 0 : LANES);
			const char *early = (const char *)(a + lane), *late = (const char *)(b + lane);
#pragma unroll
			for (int q = 0; q < EACH; q += 4) {
				uint4 four = *(const uint4 *)&s->pair[group * EACH + q];
				const uint32_t codes[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
				for (int r = 0; r < 4; r += 2) {
					uint32_t x = codes[r] >> 16, y = codes[r] & 0xffff, z = codes[r + 1] & 0xffff;
					double xa = *(const double *)(early + x), xb = *(const double *)(late + x);
					double ya = *(const double *)(early + y), yb = *(const double *)(late + y);
					double za = *(const double *)(early + z), zb = *(const double *)(late + z);
					take<SUM>(&sum[q + r], xa, ya);
					take<SUM>(&sum[q + r + 1], xa, za);
					take<SUM>(&sum[q + r], xb, yb);
					take<SUM>(&sum[q + r + 1], xb, zb);
				}
			}
			__syncthreads();
		}
#pragma unroll
		for (int q = 0; q < EACH; q++) {
			uint64_t bits = result<SUM>(sum[q], finish);
			int e = group * EACH + q;
			uint64_t code = lane == q % LANES && e < n ? pairs[begin + e] : NO_PAIR;
			if (code == NO_PAIR)
				continue;
			int64_t i = l.pending[row0 + (int64_t)(code >> 8 & 255)];
			l.key[i * l.capacity + (int64_t)(code >> 16)] = bits;
		}
		__syncthreads();
	}
}

__global__ static void
self_kernel(knng_sum sum, knng_finish_kind finish, const double *u, int64_t ld, int64_t count, double *self)
{
	int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / LANES;
	const double *x = u + (i < count ? i : count - 1) * ld;
	double a = 0;
	for (int64_t f = threadIdx.x % LANES; f < ld; f += LANES)
		a = meet(sum, a, x[f], x[f]);
	a = finish_on_device(finish, tree8(a));
	if (i < count && threadIdx.x % LANES == 0)
		self[i] = a;
}

/* ---------------------------------------------------------------- launchers */

typedef void (*gathered)(lists, int64_t, knng_finish_kind, const double *, const double *, int64_t, int64_t, int64_t);
typedef void (*staged)(lists, int64_t, int64_t, int, int, knng_finish_kind, const double *, const double *, int64_t,
		       const uint64_t *, const int32_t *);

/* By knng_sum. */
static const struct {
	knng_sum sum;
	gathered gather;
	staged stage;
} kinds[] = {
	{KNNG_SUM_MINUS, gathered_kernel<KNNG_SUM_MINUS>, staged_kernel<KNNG_SUM_MINUS>},
	{KNNG_SUM_PLUS, gathered_kernel<KNNG_SUM_PLUS>, staged_kernel<KNNG_SUM_PLUS>},
	{KNNG_SUM_EITHER, gathered_kernel<KNNG_SUM_EITHER>, staged_kernel<KNNG_SUM_EITHER>},
	{KNNG_SUM_L1, gathered_kernel<KNNG_SUM_L1>, staged_kernel<KNNG_SUM_L1>},
	{KNNG_SUM_LINF, gathered_kernel<KNNG_SUM_LINF>, staged_kernel<KNNG_SUM_LINF>},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int
kind_of(knng_sum sum)
{
	int kind = 0;
	while (kind < KINDS - 1 && kinds[kind].sum != sum)
		kind++;
	return kind;
}

void
launch_gathered(lists l, int64_t first, int64_t count, knng_sum sum, knng_finish_kind finish, const double *u,
		const double *columns, int64_t ld, int64_t from, int64_t end, cudaStream_t stream)
{
	kinds[kind_of(sum)].gather<<<(unsigned)count, BLOCK, 0, stream>>>(l, first, finish, u, columns, ld, from, end);
}

int64_t
staged_columns(knng_sum sum, double part)
{
	double columns = (0.9 * each_of(sum) * STAGERS / LANES / STAGED - 0.5) / part; /* half a pair more to be even */
	columns = columns < STAGED / 4 ? STAGED / 4 : columns;
	return columns < STAGED ? (int64_t)columns : (int64_t)STAGED;
}

void
launch_staged(lists l, int64_t first, int64_t count, int64_t wide, int64_t blocks, knng_sum sum,
	      knng_finish_kind finish, const double *u, const double *columns, int64_t ld, uint64_t *room,
	      int32_t *offset, int32_t *cursor, cudaStream_t stream)
{
	int64_t buckets = (count + STAGED - 1) / STAGED * blocks;
	size_t places = (size_t)blocks * sizeof(int32_t);
	int w = (int)wide, b = (int)blocks;
	bucket_kernel<false><<<(unsigned)count, BLOCK, places, stream>>>(l, first, w, b, offset, NULL);
	scan_kernel<<<1, SCANNERS, 0, stream>>>(offset, cursor, buckets);
	bucket_kernel<true><<<(unsigned)count, BLOCK, places, stream>>>(l, first, w, b, cursor, room);
	kinds[kind_of(sum)].stage<<<(unsigned)buckets, STAGERS, sizeof(stage), stream>>>(l, first, count, w, b, finish,
											 u, columns, ld, room, offset);
}

cudaError_t
staged_prepare(void)
{
	cudaError_t error = cudaSuccess;
	for (int k = 0; k < KINDS && error == cudaSuccess; k++)
		error = cudaFuncSetAttribute(kinds[k].stage, cudaFuncAttributeMaxDynamicSharedMemorySize,
					     (int)sizeof(stage));
	return error;
}

void
launch_self(knng_sum sum, knng_finish_kind finish, const double *u, int64_t ld, int64_t count, double *self,
	    cudaStream_t stream)
{
	self_kernel<<<(unsigned)((count + 256 / LANES - 1) / (256 / LANES)), 256, 0, stream>>>(sum, finish, u, ld,
											       count, self);
}
