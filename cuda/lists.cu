/* lists.cu  Candidate lists on the device: first thresholds, the elementwise pass, making room, refining.
 *
 * A list is an array of (key, column); ascending keys are descending scores. Lists never hold more than their capacity:
 * the pass counts on beyond it and drops what does not fit, and settling, one block a list, draws the threshold in and
 * goes over the tile's row again for what was dropped. */
#include "knng_cuda.h"

#include <math_constants.h>

enum { BLOCK = 128, BINS = 256 };

/* ---------------------------------------------------------------- keys */

__device__ static inline uint64_t
key_of(double q)
{
	uint64_t bits = (uint64_t)__double_as_longlong(q + 0.0); /* -0 and +0 are one score */
	return ~(bits >> 63 ? ~bits : bits | 1ull << 63);
}

__device__ static inline double
score_of(uint64_t key)
{
	uint64_t bits = ~key;
	return __longlong_as_double((long long)(bits >> 63 ? bits & ~(1ull << 63) : ~bits));
}

/* ---------------------------------------------------------------- selection by a block */

/* Where the k-th smallest stands: the key, and with ties the column. */
typedef struct {
	uint64_t key;
	int32_t column;
} place;

typedef struct {
	int bin[BINS];
	uint64_t digit;
	int64_t before;
} histogram;

/* The bin that holds the k-th, and how many lie before it; all threads call it after the bins were filled. */
__device__ static void
find_bin(histogram *h, int64_t k)
{
	__syncthreads();
	if (threadIdx.x < 32) {
		int lane = threadIdx.x;
		int64_t mine = 0;
		for (int b = 0; b < BINS / 32; b++)
			mine += h->bin[lane * (BINS / 32) + b];
		int64_t through = mine;
		for (int step = 1; step < 32; step *= 2) {
			int64_t left = __shfl_up_sync(0xffffffffu, through, step);
			if (lane >= step)
				through += left;
		}
		int64_t before = through - mine;
		if (before < k && through >= k) {
			int b = lane * (BINS / 32);
			while (before + h->bin[b] < k)
				before += h->bin[b++];
			h->digit = (uint64_t)b;
			h->before = before;
		}
	}
#ifndef KNNG_PLANT_RACE /* what racecheck must find */
	__syncthreads();
#endif
}

/* The i-th element of what is selected from: a list, or a row of a tile (scores less the columns' base; self is skipped
 * by an impossible key). */
typedef struct {
	const uint64_t *key;
	const int32_t *column;
	const double *v, *base;
	int64_t self;
} source;

__device__ static inline uint64_t
key_at(const source *s, int64_t e)
{
	if (s->key != NULL)
		return s->key[e];
	return e == s->self ? ~0ull : key_of(s->v[e] - s->base[e]);
}

/* Radix selection of the k-th smallest (key, column) of n; 8 bits a round from the top. rounds 4: only the upper half
 * of the key, the rest of the answer is ones (an upper bound that at least k elements do not exceed). ties: on into the
 * columns. */
__device__ static place
block_select(source s, int64_t n, int64_t k, int rounds, bool ties, histogram *h)
{
	uint64_t prefix = 0, mask = 0;
	uint32_t column = 0, column_mask = 0;
	for (int round = 0; round < rounds; round++) {
		int shift = 56 - 8 * round;
		for (int b = threadIdx.x; b < BINS; b += BLOCK)
			h->bin[b] = 0;
		__syncthreads();
		for (int64_t e = threadIdx.x; e < n; e += BLOCK) {
			uint64_t key = key_at(&s, e);
			if ((key & mask) == prefix)
				atomicAdd(&h->bin[key >> shift & 255], 1);
		}
		find_bin(h, k);
		k -= h->before;
		prefix |= h->digit << shift;
		mask |= 255ull << shift;
		__syncthreads();
	}
	for (int round = 0; ties && round < 4; round++) {
		int shift = 24 - 8 * round;
		for (int b = threadIdx.x; b < BINS; b += BLOCK)
			h->bin[b] = 0;
		__syncthreads();
		for (int64_t e = threadIdx.x; e < n; e += BLOCK)
			if (s.key[e] == prefix && ((uint32_t)s.column[e] & column_mask) == column)
				atomicAdd(&h->bin[(uint32_t)s.column[e] >> shift & 255], 1);
		find_bin(h, k);
		k -= h->before;
		column |= (uint32_t)h->digit << shift;
		column_mask |= 255u << shift;
		__syncthreads();
	}
	place p = {prefix | ~mask, (int32_t)column};
	return p;
}

__device__ static double
block_min(double x, double *shared)
{
	for (int step = 16; step > 0; step /= 2)
		x = fmin(x, __shfl_xor_sync(0xffffffffu, x, step));
	if (threadIdx.x % 32 == 0)
		shared[threadIdx.x / 32] = x;
	__syncthreads();
	for (int w = 0; w < BLOCK / 32; w++)
		x = fmin(x, shared[w]);
	__syncthreads();
	return x;
}

/* Keeps the entries of list i that keep() wants, in place; returns how many. Every step reads a stripe before it writes
 * at or below it. */
#define KEEP(l, i, n, condition, kept)                                                                                 \
	do {                                                                                                           \
		uint64_t *keys = (l).key + (i) * (l).capacity;                                                         \
		int32_t *columns = (l).column + (i) * (l).capacity;                                                    \
		if (threadIdx.x == 0)                                                                                  \
			shared_count = 0;                                                                              \
		__syncthreads();                                                                                       \
		for (int64_t e0 = 0; e0 < (n); e0 += BLOCK) {                                                          \
			int64_t e = e0 + threadIdx.x;                                                                  \
			uint64_t key = e < (n) ? keys[e] : 0;                                                          \
			int32_t column = e < (n) ? columns[e] : 0;                                                     \
			bool wanted = e < (n) && (condition);                                                          \
			__syncthreads();                                                                               \
			if (wanted) {                                                                                  \
				int at = atomicAdd(&shared_count, 1);                                                  \
				keys[at] = key;                                                                        \
				columns[at] = column;                                                                  \
			}                                                                                              \
			__syncthreads();                                                                               \
		}                                                                                                      \
		kept = shared_count;                                                                                   \
		__syncthreads();                                                                                       \
	} while (0)

__shared__ static int shared_count;

/* ---------------------------------------------------------------- kernels */

__global__ static void
reset_kernel(lists l, int64_t count, bool scores)
{
	int64_t p = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
	if (p >= count)
		return;
	int64_t i = l.pending[p];
	l.used[i] = 0;
	l.bound[i] = INT32_MAX;
	l.threshold[i] = -CUDART_INF;
	if (scores)
		l.cut[i] = CUDART_INF;
}

/* One block a row of the tile. */
__global__ static void
first_kernel(lists l, tile t)
{
	__shared__ histogram h;
	__shared__ double shared[BLOCK / 32];
	int64_t r = blockIdx.x, i = l.pending[t.row0 + r];
	source s = {NULL, NULL, t.v + r * t.width, l.base_x + t.column0, l.graph ? i - t.column0 : -1};
	int64_t there = t.nc - (s.self >= 0 && s.self < t.nc);
	if (there < l.k)
		return;
	place p = block_select(s, t.nc, l.k, 4, false, &h);
	double q = score_of(p.key);
	if (!(q > -CUDART_INF))
		return;
	double widest = 0;
	for (int64_t c = threadIdx.x; c < t.nc; c += BLOCK)
		widest = fmax(widest, l.eps_x[t.column0 + c]);
	widest = -block_min(-widest, shared);
	if (threadIdx.x != 0)
		return;
	if (l.exact) {
		l.threshold[i] = q;
		return;
	}
	double sum = knng_wide(l.d, ldexp(fmax(l.half[i] - (q - 2 * widest - l.eps[i]), 0.), l.sigma));
	l.cut[i] = fmin(l.cut[i], sum);
	l.threshold[i] = knng_threshold(l.half[i], l.cut[i], l.sigma, l.eps[i], 0);
}

__device__ static inline void
append(const lists &l, int64_t i, double q, int32_t j, double threshold, int32_t bound)
{
	if (!(q > threshold || (q == threshold && j < bound)))
		return;
	int at = atomicAdd(&l.used[i], 1);
	if (at < l.capacity) {
		l.key[i * l.capacity + at] = key_of(q);
		l.column[i * l.capacity + at] = j;
	}
}

/* Grid: columns / 256, rows / 32; a thread goes down 32 rows of its column. Reads each score once: bandwidth. */
enum { DOWN = 32 };
__global__ static void
pass_kernel(lists l, tile t, bool both)
{
	__shared__ double row_threshold[DOWN], row_base[DOWN];
	__shared__ int32_t row_point[DOWN], row_bound[DOWN];
	int64_t r0 = (int64_t)blockIdx.y * DOWN, rows = t.nr - r0 < DOWN ? t.nr - r0 : DOWN;
	if (threadIdx.x < rows) {
		int32_t i = l.pending[t.row0 + r0 + threadIdx.x];
		row_point[threadIdx.x] = i;
		row_threshold[threadIdx.x] = l.threshold[i];
		row_bound[threadIdx.x] = l.bound[i];
		row_base[threadIdx.x] = l.base[i];
	}
	__syncthreads();
	int64_t c = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
	if (c >= t.nc)
		return;
	int64_t j = t.column0 + c;
	double base = l.base_x[j], threshold = both ? l.threshold[j] : CUDART_INF;
	int32_t bound = both ? l.bound[j] : 0;
#pragma unroll 8
	for (int64_t r = 0; r < rows; r++) {
		double v = __ldcs(t.v + (r0 + r) * t.width + c);
		int32_t i = row_point[r];
		if (l.graph && i == j)
			continue;
		if (v - base >= row_threshold[r])
			append(l, i, v - base, (int32_t)j, row_threshold[r], row_bound[r]);
		if (both && v - row_base[r] >= threshold)
			append(l, j, v - row_base[r], i, threshold, bound);
	}
}

/* Draws list i in: the k best prove a threshold, the rest leaves where it may. All threads of a block. n > k. Returns
 * the entries left; the row climbs (threshold Inf, no entries) when they are more than room. */
__device__ static int64_t
prune(const lists &l, int64_t i, int64_t n, int64_t room, histogram *h, double *shared)
{
	source s = {l.key + i * l.capacity, l.column + i * l.capacity, NULL, NULL, -1};
	place p = block_select(s, n, l.k, 8, l.exact, h);
	int64_t kept;
	if (l.exact) {
		KEEP(l, i, n, key < p.key || (key == p.key && column <= p.column), kept);
		if (threadIdx.x == 0) {
			l.threshold[i] = score_of(p.key);
			l.bound[i] = p.column + 1;
		}
	} else {
		double worst = CUDART_INF;
		for (int64_t e = threadIdx.x; e < n; e += BLOCK)
			if (s.key[e] <= p.key)
				worst = fmin(worst, score_of(s.key[e]) - 2 * l.eps_x[s.column[e]]);
		worst = block_min(worst, shared);
		double sum = knng_wide(l.d, ldexp(fmax(l.half[i] - (worst - l.eps[i]), 0.), l.sigma));
		double cut = fmin(l.cut[i], sum);
		double a = fmax(l.threshold[i], knng_threshold(l.half[i], cut, l.sigma, l.eps[i], 0));
		__syncthreads();
		KEEP(l, i, n, score_of(key) >= a, kept);
		bool climbs = kept > room;
		if (threadIdx.x == 0) {
			l.cut[i] = cut;
			l.threshold[i] = climbs ? CUDART_INF : a;
		}
		kept = climbs ? 0 : kept;
	}
	if (threadIdx.x == 0)
		l.used[i] = (int)kept;
	__syncthreads();
	return kept;
}

/* One block a list of the tile's rows, or (columns) of its columns. */
__global__ static void
settle_kernel(lists l, tile t, bool columns)
{
	__shared__ histogram h;
	__shared__ double shared[BLOCK / 32];
	int64_t at = blockIdx.x, i = columns ? t.column0 + at : l.pending[t.row0 + at];
	int64_t n = l.used[i], chunk = (l.capacity - l.k + 1) / 2, room = l.capacity - chunk;
	if (l.capacity >= l.candidates || n <= room)
		return; /* all threads see the same */
	__syncthreads();
	if (isinf(l.threshold[i]) && l.threshold[i] > 0) {
		if (threadIdx.x == 0)
			l.used[i] = 0;
		return;
	}
	int64_t kept = prune(l, i, n < l.capacity ? n : l.capacity, room, &h, shared);
	if (n <= l.capacity || kept == 0)
		return;

	/* Some of this tile was dropped: what is there of it leaves, and the whole line is taken up again in pieces. */
	int64_t line0 = columns ? t.row0 : t.column0, line = columns ? t.nr : t.nc;
	KEEP(l, i, kept, column < line0 || column >= line0 + line, kept); /* in a triangle row and point are one */
	if (threadIdx.x == 0)
		l.used[i] = (int)kept;
	__syncthreads();
	for (int64_t from = 0; from < line; from += chunk) {
		double threshold = l.threshold[i];
		int32_t bound = l.bound[i];
		for (int64_t e = from + threadIdx.x; e < line && e < from + chunk; e += BLOCK) {
			int64_t j = line0 + e;
			double v = columns ? t.v[e * t.width + at] : t.v[at * t.width + e];
			double q = v - (columns ? l.base[j] : l.base_x[j]);
			if (!(l.graph && i == j))
				append(l, i, q, (int32_t)j, threshold, bound);
		}
		__syncthreads();
		n = l.used[i];
		__syncthreads();
		if (n > room && prune(l, i, n, room, &h, shared) == 0)
			return;
	}
}

/* A block a list. Canonical distances by eight threads a pair, sixteen pairs at a time; then the k best in front. Reads
 * a row a pair: bandwidth, the list's own row stays in L1. */
__global__ static void
refine_kernel(lists l, bool scan, knng_sum sum, knng_finish_kind finish, const double *u, const double *columns,
	      int64_t ld)
{
	__shared__ histogram h;
	__shared__ double shared[BLOCK / 32];
	int64_t i = l.pending[blockIdx.x];
	bool climbs = isinf(l.threshold[i]) && l.threshold[i] > 0;
	if (climbs)
		return;
	int64_t n = l.used[i];
	__syncthreads();
	if (n > l.k && !scan)
		n = prune(l, i, n, l.capacity, &h, shared);
	uint64_t *keys = l.key + i * l.capacity;
	int32_t *js = l.column + i * l.capacity;
	const double *x = u + i * ld;
	int lane = threadIdx.x % LANES, pair = threadIdx.x / LANES;
	for (int64_t e0 = 0; e0 < n; e0 += BLOCK / LANES) {
		int64_t e = e0 + pair;
		double distance;
		if (scan) {
			distance = e < n ? -score_of(keys[e]) : 0;
		} else {
			const double *y = columns + js[e < n ? e : n - 1] * ld;
			double a = 0, b = 0;
			if (sum == KNNG_SUM_EITHER)
				for (int64_t f = lane; f < ld; f += LANES) {
					a = meet(KNNG_SUM_MINUS, a, x[f], y[f]);
					b = meet(KNNG_SUM_PLUS, b, x[f], y[f]);
				}
			else
				for (int64_t f = lane; f < ld; f += LANES)
					a = meet(sum, a, x[f], y[f]);
			a = sum == KNNG_SUM_LINF ? largest8(a) : tree8(a);
			b = tree8(b);
			distance = finish_on_device(finish, sum == KNNG_SUM_EITHER ? fmin(a, b) : a);
		}
		__syncthreads();
		if (lane == 0 && e < n) /* a distance is not negative: its bits are in order */
			keys[e] = (uint64_t)__double_as_longlong(distance + 0.0);
	}
	__syncthreads();
	if (n <= l.k)
		return;
	source s = {keys, js, NULL, NULL, -1};
	place p = block_select(s, n, l.k, 8, true, &h);
	int64_t kept;
	KEEP(l, i, n, key < p.key || (key == p.key && column <= p.column), kept);
	if (threadIdx.x == 0)
		l.used[i] = (int)kept;
}

__global__ static void
pack_kernel(lists l, int64_t first, uint64_t *distance, int32_t *column, int32_t *number)
{
	int64_t p = blockIdx.x, i = l.pending[first + p];
	bool climbs = isinf(l.threshold[i]) && l.threshold[i] > 0;
	int64_t n = climbs ? 0 : l.used[i] < l.k ? l.used[i] : l.k;
	for (int64_t e = threadIdx.x; e < n; e += blockDim.x) {
		distance[p * l.k + e] = l.key[i * l.capacity + e];
		column[p * l.k + e] = l.column[i * l.capacity + e];
	}
	if (threadIdx.x == 0)
		number[p] = climbs ? -1 : (int32_t)n;
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

static unsigned
up(int64_t a, int64_t b)
{
	return (unsigned)((a + b - 1) / b);
}

void
launch_reset(lists l, int64_t count, bool scores, cudaStream_t stream)
{
	reset_kernel<<<up(count, 256), 256, 0, stream>>>(l, count, scores);
}

void
launch_first_thresholds(lists l, tile t, cudaStream_t stream)
{
	first_kernel<<<(unsigned)t.nr, BLOCK, 0, stream>>>(l, t);
}

void
launch_pass(lists l, tile t, bool both, cudaStream_t stream)
{
	dim3 grid(up(t.nc, 256), up(t.nr, DOWN));
	pass_kernel<<<grid, 256, 0, stream>>>(l, t, both);
}

void
launch_settle(lists l, tile t, bool both, cudaStream_t stream)
{
	settle_kernel<<<(unsigned)t.nr, BLOCK, 0, stream>>>(l, t, false);
	if (both)
		settle_kernel<<<(unsigned)t.nc, BLOCK, 0, stream>>>(l, t, true);
}

void
launch_refine(lists l, int64_t count, bool scan, knng_sum sum, knng_finish_kind finish, const double *u,
	      const double *columns, int64_t ld, cudaStream_t stream)
{
	refine_kernel<<<(unsigned)count, BLOCK, 0, stream>>>(l, scan, sum, finish, u, columns, ld);
}

void
launch_pack(lists l, int64_t first, int64_t count, uint64_t *distance, int32_t *column, int32_t *number,
	    cudaStream_t stream)
{
	pack_kernel<<<(unsigned)count, 64, 0, stream>>>(l, first, distance, column, number);
}

void
launch_self(knng_sum sum, knng_finish_kind finish, const double *u, int64_t ld, int64_t count, double *self,
	    cudaStream_t stream)
{
	self_kernel<<<up(count, 256 / LANES), 256, 0, stream>>>(sum, finish, u, ld, count, self);
}
