/* lists.cu  Candidate lists on the device: first thresholds, the elementwise pass, making room, the k best.
 *
 * A list is an array of (key, column); ascending keys are descending scores. Lists never hold more than their capacity:
 * the pass counts on beyond it and drops what does not fit, and settling, one warp or block a list, draws the
 * threshold in and goes over the tile's row again for what was dropped. Where the scores cannot tell so many columns
 * apart that a list stays full, exact distances leave the k best of it. */
#include "cuda/search/kernels.h"

#include <math_constants.h>

enum { BLOCK = 128, BINS = 256, SETTLERS = 1056, SETTLERS_OF_ONE = 8 };

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

/* The optimistic value of the pair (i, j) at (r, c) of a tile: no less than the value before it was stored; see (6.11)
 * of docs/canonical.md, whose numbers those below are too. */
__device__ static inline double
value_at(const lists &l, const tile &t, int64_t r, int64_t c, int64_t i, int64_t j)
{
	int64_t at = r * t.width + c;
	if (!t.halves && !t.floats)
		return ((const double *)t.v)[at];
	double v = (double)(t.halves ? __half2float(((const __half *)t.v)[at]) : ((const float *)t.v)[at]);
	v *= (double)l.scale[i] * (double)l.scale_x[j];
	v = l.sum == KNNG_SUM_PLUS ? -v : l.sum == KNNG_SUM_EITHER ? fabs(v) : v;
	return l.exact || t.floats ? v : v + fabs(v) * 0x1p-11;
}

/* (6.11): how far a score may lie above a column's real one, beside the eps of the row. */
__device__ static inline double
slack(const lists &l, bool halves, double q, int64_t j)
{
	return l.exact ? 0 : 2 * l.eps_x[j] + (halves ? fabs(q + l.base_x[j]) * 0x1.01p-10 : 0);
}

/* The score at (r, c) of a tile for the row's list. */
__device__ static inline double
score_at(const lists &l, const tile &t, int64_t r, int64_t c, int64_t i)
{
	return value_at(l, t, r, c, i, t.column0 + c) - l.base_x[t.column0 + c];
}

/* Radix selection of the k-th smallest (key, column) of n entries; 8 bits a round from the top. ties: on into the
 * columns. between: any place from there on that is before the next will do, and comes sooner. */
__device__ static place
block_select(const uint64_t *keys, const int32_t *columns, int64_t n, int64_t k, int rounds, bool ties, bool between,
	     histogram *h)
{
	uint64_t prefix = 0, mask = 0;
	uint32_t column = 0, column_mask = 0;
	for (int round = 0; round < rounds; round++) {
		int shift = 56 - 8 * round;
		for (int b = threadIdx.x; b < BINS; b += BLOCK)
			h->bin[b] = 0;
		__syncthreads();
		for (int64_t e = threadIdx.x; e < n; e += BLOCK)
			if ((keys[e] & mask) == prefix)
				atomicAdd(&h->bin[keys[e] >> shift & 255], 1);
		find_bin(h, k);
		k -= h->before;
		prefix |= h->digit << shift;
		mask |= 255ull << shift;
		bool all = between && h->bin[h->digit] == k;
		__syncthreads();
		if (all) {
			place p = {prefix | ~mask, INT32_MAX};
			return p;
		}
	}
	for (int round = 0; ties && round < 4; round++) {
		int shift = 24 - 8 * round;
		for (int b = threadIdx.x; b < BINS; b += BLOCK)
			h->bin[b] = 0;
		__syncthreads();
		for (int64_t e = threadIdx.x; e < n; e += BLOCK)
			if (keys[e] == prefix && ((uint32_t)columns[e] & column_mask) == column)
				atomicAdd(&h->bin[(uint32_t)columns[e] >> shift & 255], 1);
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
block_min(double x, double *shared, int threads)
{
	for (int step = 16; step > 0; step /= 2)
		x = fmin(x, __shfl_xor_sync(0xffffffffu, x, step));
	if (threadIdx.x % 32 == 0)
		shared[threadIdx.x / 32] = x;
	__syncthreads();
	for (int w = 0; w < threads / 32; w++)
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
	l.spent[i] = 0;
	l.bound[i] = INT32_MAX;
	l.threshold[i] = -CUDART_INF;
	if (scores)
		l.cut[i] = CUDART_INF;
}

/* One block a row of the tile. Any k columns prove a threshold: here those from some score on, which is sought among
 * rounded scores in registers, over the first SAMPLE columns: as if they were normal above their mean, and by halves
 * where they are not. */
enum {
	WORD = 8,
	EACH = 2 * WORD,
	FIRST_THREADS = 512,
	SAMPLE = EACH * FIRST_THREADS,
	FIRST_ROWS = 8,
	GUESSES = 6,
	TURNS = 30
};

/* The best of a block's scores, and their sum. */
__device__ static inline float2
block_extent(float best, float sum, float2 *shared)
{
	for (int step = 16; step > 0; step /= 2) {
		best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, step));
		sum += __shfl_xor_sync(0xffffffffu, sum, step);
	}
	if (threadIdx.x % 32 == 0)
		shared[threadIdx.x / 32] = make_float2(best, sum);
	__syncthreads();
	sum = 0;
	for (int w = 0; w < FIRST_THREADS / 32; w++) {
		best = fmaxf(best, shared[w].x);
		sum += shared[w].y;
	}
	return make_float2(best, sum);
}

/* What the columns take away stays in registers for FIRST_ROWS rows. */
__global__ static void
__launch_bounds__(FIRST_THREADS, 2) first_kernel(lists l, tile t)
{
	__shared__ int counts[3], chosen;
	__shared__ unsigned short choice[SAMPLE];
	__shared__ double shared[FIRST_THREADS / 32];
	__shared__ float2 extents[FIRST_THREADS / 32];
	int columns = (int)(t.nc < SAMPLE ? t.nc : (int64_t)SAMPLE);
	bool copies = t.halves || t.floats, scaled = copies && !l.alike;
	float base[EACH], all = (float)columns, wanted = (float)l.k + (float)l.k / 32 + 0.5f;
#pragma unroll
	for (int e = 0; e < EACH; e++) {
		int c = e / WORD * WORD * FIRST_THREADS + threadIdx.x * WORD + e % WORD;
		base[e] = c < columns ? (float)l.base_x[t.column0 + c] : CUDART_INF_F;
	}
	for (int64_t r = (int64_t)blockIdx.x * FIRST_ROWS; r < t.nr && r < ((int64_t)blockIdx.x + 1) * FIRST_ROWS;
	     r++) {
		int64_t i = l.pending[t.row0 + r], mine = l.graph ? i - t.column0 : -1;
		const __half *halves = (const __half *)t.v + r * t.width;
		const double *doubles = (const double *)t.v + r * t.width;
		const float *floats = (const float *)t.v + r * t.width;
		float factor = copies ? l.scale[i] * (l.alike ? l.scale_x[t.column0] : 1) : 1;
		float score[EACH], best = -CUDART_INF_F, sum = 0;
		if (threadIdx.x == 0)
			counts[0] = counts[1] = counts[2] = chosen = 0;
#pragma unroll
		for (int g = 0; g < EACH; g += WORD) {
			int c0 = g * FIRST_THREADS + threadIdx.x * WORD;
			int4 eight = {};
			if (t.halves && c0 < columns)
				eight = *(const int4 *)(halves + c0);
			const __half2 *two = (const __half2 *)&eight;
#pragma unroll
			for (int e = 0; e < WORD; e++) {
				int c = c0 + e;
				float v = (e % 2 ? __high2float(two[e / 2]) : __low2float(two[e / 2])) * factor;
				if (!t.halves)
					v = c >= columns ? 0 : t.floats ? floats[c] * factor : (float)doubles[c];
				if (scaled && c < columns)
					v *= l.scale_x[t.column0 + c];
				if (copies)
					v = l.sum == KNNG_SUM_PLUS ? -v : l.sum == KNNG_SUM_EITHER ? fabsf(v) : v;
				float q = c == mine || c >= columns ? -CUDART_INF_F : v - base[g + e];
				score[g + e] = q;
				best = fmaxf(best, q);
				sum += q > -CUDART_INF_F ? q : 0;
			}
		}
		float2 extent = block_extent(best, sum, extents);
		best = extent.x;
		float mean = extent.y / (all - (mine >= 0 && mine < columns)), low = -CUDART_INF_F, high = best;
		float middle = mean + (best - mean) * sqrtf(__logf(all / wanted) / __logf(all));
		middle = middle > mean && middle < best ? middle : mean;
		for (int turn = 0; turn < TURNS && middle < high && middle > low; turn++) {
			int n = 0;
#pragma unroll
			for (int e = 0; e < EACH; e++)
				n += score[e] >= middle;
			n = __reduce_add_sync(0xffffffffu, n);
			if (threadIdx.x % 32 == 0)
				atomicAdd(&counts[turn % 3], n);
			if (threadIdx.x == 0)
				counts[(turn + 1) % 3] = 0;
			__syncthreads();
			n = counts[turn % 3];
			bool enough = n >= l.k;
			/* Fewer than k above the mean: then all serve. */
			if ((!enough && middle <= mean) || (enough && n <= l.k + l.k / 16 + 1)) {
				low = enough ? middle : low;
				break;
			}
			low = enough ? middle : low;
			high = enough ? high : middle;
			float next = mean + (middle - mean) * sqrtf(__logf(all / wanted) / __logf(all / (float)n));
			bool guess = turn < GUESSES && next > fmaxf(low, mean) && next < high;
			middle = guess ? next : low > -CUDART_INF_F ? low + (high - low) / 2 : mean;
		}
#pragma unroll
		for (int e = 0; e < EACH; e++)
			if (score[e] >= low && score[e] > -CUDART_INF_F)
				choice[atomicAdd(&chosen, 1)] = (unsigned short)(e / WORD * WORD * FIRST_THREADS +
										 threadIdx.x * WORD + e % WORD);
		__syncthreads();
		double worst = CUDART_INF;
		for (int e = threadIdx.x; e < chosen; e += FIRST_THREADS) {
			double q = score_at(l, t, r, choice[e], i);
			worst = fmin(worst, q - slack(l, t.halves, q, t.column0 + choice[e]));
		}
		worst = block_min(worst, shared, FIRST_THREADS);
		if (threadIdx.x == 0 && chosen >= l.k && worst > -CUDART_INF) {
			double sum = knng_wide(l.d, ldexp(fmax(l.half[i] - (worst - l.eps[i]), 0.), l.sigma));
			l.cut[i] = l.exact ? l.cut[i] : fmin(l.cut[i], sum);
			l.threshold[i] = l.exact ? worst : knng_threshold(l.half[i], l.cut[i], l.sigma, l.eps[i], 0);
		}
		__syncthreads();
	}
}

/* Column j into list i if its score calls for it; the place it took, or -1. */
__device__ static inline int
append(const lists &l, int64_t i, double q, int32_t j, double threshold, int32_t bound)
{
	if (!(q > threshold || (q == threshold && j < bound)))
		return -1;
	int at = atomicAdd(&l.used[i], 1);
	if (at < l.capacity) {
		l.key[i * l.capacity + at] = key_of(q);
		l.column[i * l.capacity + at] = j;
	}
	return at;
}

/* The entry that fills a list's room queues it, once: every list starts a tile with no more. */
__device__ static inline void
enqueue(const lists &l, int at, int32_t code)
{
	if (at == l.room)
		l.queue[l.turn * l.stride + atomicAdd(&l.queued[l.turn], 1)] = code;
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
		int32_t i = row_point[r];
		double v = __ldcs((const double *)t.v + (r0 + r) * t.width + c);
		if (l.graph && i == j)
			continue;
		if (v - base >= row_threshold[r])
			enqueue(l, append(l, i, v - base, (int32_t)j, row_threshold[r], row_bound[r]),
				(int32_t)(r0 + r));
		if (both && v - row_base[r] >= threshold)
			enqueue(l, append(l, j, v - row_base[r], i, threshold, bound), ~(int32_t)c);
	}
}

/* Tiles of products of copies, in half or single precision: 16 bytes of neighbouring columns a thread, COPY_ROWS rows
 * down. The pairs are looked over in single precision, with thresholds lowered so far that none is missed which the
 * test in double precision lets in; that one decides. Reads each score once: bandwidth, then the six or so operations a
 * pair. */
enum { COPY_ROWS = 64, COPY_THREADS = 256, HITS = 4096 };

/* (6.14): single precision, and lower by more than the roundings of what is done with it and of the stored product, of
 * which the former are below 2^-22 of it. */
template <typename T>
__device__ static inline float
lowered(double x)
{
	return __double2float_rd(x - fabs(x) * (sizeof(T) == 2 ? 0x1.01p-11 : 0x1p-21) - 0x1p-100);
}

/* Scores e of sixteen bytes of them. */
__device__ static inline float
score_in(const int4 &some, int e, __half)
{
	const __half2 *two = (const __half2 *)&some;
	return e % 2 ? __high2float(two[e / 2]) : __low2float(two[e / 2]);
}

__device__ static inline float
score_in(const int4 &some, int e, float)
{
	return __int_as_float(e == 0 ? some.x : e == 1 ? some.y : e == 2 ? some.z : some.w);
}

/* The pair at (r, c): the tests themselves, for each side. */
__device__ static inline void
look(const lists &l, const tile &t, int64_t r, int64_t c, bool both)
{
	int64_t i = l.pending[t.row0 + r], j = t.column0 + c;
	if (l.graph && i == j)
		return;
	double v = value_at(l, t, r, c, i, j);
	enqueue(l, append(l, i, v - l.base_x[j], (int32_t)j, l.threshold[i], l.bound[i]), (int32_t)r);
	if (both)
		enqueue(l, append(l, j, v - l.base[i], (int32_t)i, l.threshold[j], l.bound[j]), ~(int32_t)c);
}

/* ALIKE: all copies have one scale. */
template <typename T, knng_sum SUM, bool ALIKE>
__global__ static void
__launch_bounds__(COPY_THREADS, 4) copies_pass_kernel(lists l, tile t, bool both)
{
	constexpr int SOME = 16 / (int)sizeof(T), WIDE = COPY_THREADS * SOME, AT_ONCE = 32 / SOME;
	/* A row takes (A_i + base_j) / (scale_i scale_j) from the product of copies: a = A / scale, b = base / scale
	 * and g = 1 / scale of each. A constant moves from b to a, so that neither is much larger than the sum. */
	__shared__ float3 row[COPY_ROWS];
	__shared__ unsigned hit[HITS], found; /* row * WIDE + column, in the block */
	int64_t r0 = (int64_t)blockIdx.y * COPY_ROWS, rows = t.nr - r0 < COPY_ROWS ? t.nr - r0 : COPY_ROWS;
	int64_t block0 = (int64_t)blockIdx.x * WIDE, c0 = block0 + threadIdx.x * SOME;
	double moved = l.half[l.pending[t.row0]];
	float all = ALIKE ? 1 / l.scale_x[t.column0] : 1;
	if (threadIdx.x == 0)
		found = 0;
	if (threadIdx.x < rows) {
		int64_t i = l.pending[t.row0 + r0 + threadIdx.x];
		float g = 1 / l.scale[i];
		row[threadIdx.x] = make_float3(lowered<T>((l.threshold[i] + moved) * g * all),
					       lowered<T>((l.base[i] - moved) * g * all), g);
	}
	__syncthreads();
	float a[SOME], b[SOME], g[SOME];
#pragma unroll
	for (int e = 0; e < SOME; e++) {
		int64_t j = t.column0 + (c0 + e < t.nc ? c0 + e : t.nc - 1);
		g[e] = 1 / l.scale_x[j];
		a[e] = both ? lowered<T>((l.threshold[j] + moved) * g[e] * all) : CUDART_INF_F;
		b[e] = lowered<T>((l.base_x[j] - moved) * g[e] * all);
	}
	const int4 *v = (const int4 *)((const T *)t.v + r0 * t.width + c0);
	int64_t down = t.width / SOME;
	for (int first = 0; first < rows && c0 < t.nc; first += AT_ONCE) {
		int4 some[AT_ONCE];
#pragma unroll
		for (int r = 0; r < AT_ONCE; r++, v += down)
			if (first + r < rows)
				some[r] = __ldcs(v);
#pragma unroll
		for (int r = 0; r < AT_ONCE; r++) {
			if (first + r >= rows)
				break;
			float3 x = row[first + r];
			bool any = false, over[SOME];
#pragma unroll
			for (int e = 0; e < SOME; e++) {
				float s = score_in(some[r], e, T());
				s = SUM == KNNG_SUM_PLUS ? -s : SUM == KNNG_SUM_EITHER ? fabsf(s) : s;
				over[e] = s >= (ALIKE ? fminf(x.x + b[e], a[e] + x.y)
						      : fminf(__fmaf_rn(x.x, g[e], b[e] * x.z),
							      __fmaf_rn(a[e], x.z, x.y * g[e])));
				any |= over[e];
			}
			if (!any)
				continue;
			unsigned hits = 0;
#pragma unroll
			for (int e = 0; e < SOME; e++)
				hits |= (unsigned)over[e] << e;
			for (unsigned at; hits != 0; hits &= hits - 1)
				if ((at = atomicAdd(&found, 1)) < HITS)
					hit[at] = (unsigned)((first + r) * WIDE + threadIdx.x * SOME +
							     __ffs((int)hits) - 1);
		}
	}
	/* All together, since each waits long for memory; every pair, where they are more than there is room for. */
	__syncthreads();
	unsigned all_of = found <= HITS ? found : (unsigned)rows * WIDE;
	for (unsigned e = threadIdx.x; e < all_of; e += COPY_THREADS) {
		unsigned code = found <= HITS ? hit[e] : e;
		int64_t c = block0 + code % WIDE;
		if (c < t.nc)
			look(l, t, r0 + code / WIDE, c, both);
	}
}

/* (7.1): a real sum that `rank` columns of the n >= rank in list i do not exceed. All threads of a block. */
__device__ static double
reach_of(const lists &l, int64_t i, int64_t n, int64_t rank, bool halves, histogram *h, double *shared)
{
	const uint64_t *scores = l.key + i * l.capacity;
	const int32_t *js = l.column + i * l.capacity;
	place p = block_select(scores, js, n, rank, 4, false, true, h);
	double worst = CUDART_INF;
	for (int64_t e = threadIdx.x; e < n; e += BLOCK)
		if (scores[e] <= p.key)
			worst = fmin(worst, score_of(scores[e]) - slack(l, halves, score_of(scores[e]), js[e]));
	worst = block_min(worst, shared, BLOCK);
	return knng_wide(l.d, ldexp(fmax(l.half[i] - (worst - l.eps[i]), 0.), l.sigma));
}

/* Draws list i in: the k best prove a threshold, (7.2), the rest leaves where it may. All threads of a block. n > k.
 * Returns the entries left. */
__device__ static int64_t
prune(const lists &l, int64_t i, int64_t n, bool halves, histogram *h, double *shared)
{
	int64_t kept;
	if (l.exact) {
		place p = block_select(l.key + i * l.capacity, l.column + i * l.capacity, n, l.k, 8, true, false, h);
		KEEP(l, i, n, key < p.key || (key == p.key && column <= p.column), kept);
		if (threadIdx.x == 0) {
			l.threshold[i] = score_of(p.key);
			l.bound[i] = p.column + 1;
		}
	} else {
		double cut = fmin(l.cut[i], reach_of(l, i, n, l.k, halves, h, shared));
		double a = fmax(l.threshold[i], knng_threshold(l.half[i], cut, l.sigma, l.eps[i], 0));
		__syncthreads();
		KEEP(l, i, n, score_of(key) >= a, kept);
		if (threadIdx.x == 0) {
			l.cut[i] = cut;
			l.threshold[i] = a;
		}
	}
	if (threadIdx.x == 0)
		l.used[i] = (int)kept;
	__syncthreads();
	return kept;
}

/* Of the rows that begin at those numbers of the queries and of the references. */
template <knng_sum SUM>
__device__ static inline uint64_t
distance_in(const lists &l, int64_t x, int64_t y)
{
	return l.u.single
		       ? distance_of<SUM>((const float *)l.u.at + x, (const float *)l.u_x.at + y, l.u.ld, l.finish)
		       : distance_of<SUM>((const double *)l.u.at + x, (const double *)l.u_x.at + y, l.u.ld, l.finish);
}

/* The k best of the n > k entries of list i by exact distance, which prove a threshold too, (5.3). All threads of a
 * block. Returns the entries left: none where that is beyond the budget, and the row climbs (threshold Inf). Shared
 * memory: 8 bytes an entry, where there is a budget. */
template <knng_sum SUM>
__device__ static int64_t
refine(const lists &l, int64_t i, int64_t n, histogram *h, double *shared)
{
	extern __shared__ uint64_t distance[];
	const int32_t *js = l.column + i * l.capacity;
	int64_t spent = l.spent[i] + n, kept = 0;
	bool climbs = spent > l.budget;
	double cut = l.cut[i], a = CUDART_INF;
	if (!climbs) {
		for (int64_t e0 = 0; e0 < n; e0 += BLOCK / LANES) {
			int64_t e = e0 + threadIdx.x / LANES, there = e < n ? e : n - 1;
			uint64_t bits = distance_in<SUM>(l, i * l.u.ld, js[there] * l.u.ld);
			if (threadIdx.x % LANES == 0 && e < n)
				distance[e] = bits;
		}
		__syncthreads();
		place p = block_select(distance, js, n, l.k, 8, true, true, h);
		KEEP(l, i, n, distance[e] < p.key || (distance[e] == p.key && column <= p.column), kept);
		double worst = 0;
		for (int64_t e = threadIdx.x; e < n; e += BLOCK)
			if (distance[e] <= p.key)
				worst = fmin(worst, -__longlong_as_double((long long)distance[e]));
		worst = -block_min(worst, shared, BLOCK);
#ifdef KNNG_PLANT_CUT /* what the tests must find: columns that are lost to a threshold too sharp */
		worst = 0;
#endif
		cut = fmin(cut, knng_reach(l.finish, l.d, worst));
		a = fmax(l.threshold[i], knng_threshold(l.half[i], cut, l.sigma, l.eps[i], 0));
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		l.spent[i] = (int32_t)(climbs ? spent - n : spent);
		l.cut[i] = cut;
		l.threshold[i] = a;
		l.used[i] = (int)kept;
	}
	__syncthreads();
	return kept;
}

/* What prune does, by one warp, for a short list of which nothing was dropped: no barriers, and the upper halves of the
 * keys stay in registers. Others are left as they are; a list that stays full is still to be refined. */
enum { HELD = 14, SHORT = 32 * HELD };
__device__ static inline bool
draws_short(const lists &l)
{
	return !l.exact && l.capacity <= SHORT;
}

__device__ static void
settle_short(const lists &l, const tile &t, int32_t code)
{
	int64_t i = code < 0 ? t.column0 + ~code : l.pending[t.row0 + code];
	int lane = threadIdx.x % 32, n = l.used[i];
	if (n > l.capacity)
		return;
	uint64_t *keys = l.key + i * l.capacity;
	int32_t *columns = l.column + i * l.capacity;
	uint32_t high[HELD], least = ~0u, most = 0;
#pragma unroll
	for (int h = 0; h < HELD; h++) {
		high[h] = h * 32 + lane < n ? (uint32_t)(keys[h * 32 + lane] >> 32) : ~0u;
		least = min(least, high[h]);
		most = h * 32 + lane < n ? max(most, high[h]) : most;
	}
	least = __reduce_min_sync(0xffffffffu, least);
	most = __reduce_max_sync(0xffffffffu, most);
	/* The largest number that fewer than k lie below: the k-th. Above the first bit that differs all are alike. */
	int bits = 32 - __clz((int)(least ^ most));
	uint32_t kth = bits < 32 ? least >> bits << bits : 0;
	for (int b = bits - 1; b >= 0; b--) {
		uint32_t bit = 1u << b;
		int below = 0;
#pragma unroll
		for (int h = 0; h < HELD; h++)
			below += high[h] < (kth | bit);
		kth |= __reduce_add_sync(0xffffffffu, below) < l.k ? bit : 0;
	}
	double worst = CUDART_INF;
#pragma unroll
	for (int h = 0; h < HELD; h++)
		if (h * 32 + lane < n && high[h] <= kth) {
			double q = score_of(keys[h * 32 + lane]);
			worst = fmin(worst, q - slack(l, t.halves, q, columns[h * 32 + lane]));
		}
	for (int step = 16; step > 0; step /= 2)
		worst = fmin(worst, __shfl_xor_sync(0xffffffffu, worst, step));
	double sum = knng_wide(l.d, ldexp(fmax(l.half[i] - (worst - l.eps[i]), 0.), l.sigma));
	double cut = fmin(l.cut[i], sum);
	double a = fmax(l.threshold[i], knng_threshold(l.half[i], cut, l.sigma, l.eps[i], 0));
	int kept = 0;
	for (int e0 = 0; e0 < n; e0 += 32) {
		bool there = e0 + lane < n;
		uint64_t key = there ? keys[e0 + lane] : 0;
		int32_t column = there ? columns[e0 + lane] : 0;
		bool wanted = there && score_of(key) >= a;
		__syncwarp();
		unsigned all = __ballot_sync(0xffffffffu, wanted);
		int at = kept + __popc(all & ((1u << lane) - 1));
		if (wanted) {
			keys[at] = key;
			columns[at] = column;
		}
		kept += __popc(all);
		__syncwarp();
	}
	if (lane == 0) {
		l.cut[i] = cut;
		l.threshold[i] = a;
		l.used[i] = kept;
	}
}

/* Makes room in list i, which has n entries; drawn: it has been drawn in. Returns those left, none if the row climbs.
 */
template <knng_sum SUM>
__device__ static int64_t
make_room(const lists &l, int64_t i, int64_t n, bool drawn, bool halves, histogram *h, double *shared)
{
	int64_t kept = drawn ? n : prune(l, i, n, halves, h, shared);
	return kept > l.room ? refine<SUM>(l, i, kept, h, shared) : kept;
}

/* Settles one list: row or column `at` of the tile. All threads of a block. */
template <knng_sum SUM>
__device__ static void
settle(const lists &l, const tile &t, int64_t at, bool columns, histogram *h, double *shared)
{
	int64_t i = columns ? t.column0 + at : l.pending[t.row0 + at], n = l.used[i];
	__syncthreads();
	if (n <= l.room)
		return;
	if (n <= l.capacity) {
		make_room<SUM>(l, i, n, draws_short(l), t.halves, h, shared);
		return;
	}

	/* Some of this tile was dropped: what is there of it leaves when the threshold has been drawn in, and the whole
	 * line is taken up again in pieces, shorter ones where that is too much again; the shortest there is always
	 * room for. */
	int64_t kept = prune(l, i, l.capacity, t.halves, h, shared);
	int64_t line0 = columns ? t.row0 : t.column0, line = columns ? t.nr : t.nc, piece = 16 * BLOCK;
	KEEP(l, i, kept, column < line0 || column >= line0 + line, kept); /* in a triangle row and point are one */
	if (threadIdx.x == 0)
		l.used[i] = (int)kept;
	__syncthreads();
	for (int64_t from = 0; from < line;) {
		double threshold = l.threshold[i];
		int32_t bound = l.bound[i];
		for (int64_t e = from + threadIdx.x; e < line && e < from + piece; e += BLOCK) {
			int64_t j = line0 + e;
			double v = columns ? value_at(l, t, e, at, j, i) : value_at(l, t, at, e, i, j);
			double q = v - (columns ? l.base[j] : l.base_x[j]);
			if (!(l.graph && i == j))
				append(l, i, q, (int32_t)j, threshold, bound);
		}
		__syncthreads();
		n = l.used[i];
		__syncthreads();
		if (n > l.capacity) {
			piece = piece / 4 > l.capacity - l.room ? piece / 4 : l.capacity - l.room;
			if (threadIdx.x == 0)
				l.used[i] = (int)kept;
			__syncthreads();
			continue;
		}
		kept = n > l.room ? make_room<SUM>(l, i, n, false, t.halves, h, shared) : n;
		if (kept == 0 && n > 0)
			return;
		from += piece;
		piece *= 2;
	}
}

/* The blocks share the queue of the pass; the other queue is empty for the next. */
template <knng_sum SUM>
__global__ static void
__launch_bounds__(BLOCK, SETTLERS_OF_ONE) settle_kernel(lists l, tile t)
{
	__shared__ histogram h;
	__shared__ double shared[BLOCK / 32];
	int count = l.queued[l.turn];
	if (blockIdx.x == 0 && threadIdx.x == 0)
		l.queued[1 - l.turn] = 0;
	if (draws_short(l))
		for (int e = blockIdx.x + threadIdx.x / 32 * gridDim.x; e < count; e += BLOCK / 32 * gridDim.x)
			settle_short(l, t, l.queue[l.turn * l.stride + e]);
	__syncthreads();
	for (int e = blockIdx.x; e < count; e += gridDim.x) {
		int32_t code = l.queue[l.turn * l.stride + e];
		settle<SUM>(l, t, code < 0 ? ~code : code, code < 0, &h, shared);
		__syncthreads();
	}
}

/* A block a list: draws it in a last time, and says how far its `rank` best reach. A scan has no use for that: its
 * scores are distances, negated. */
__global__ static void
prune_kernel(lists l, int64_t first, bool scan, bool halves, int64_t rank, double *reach)
{
	__shared__ histogram h;
	__shared__ double shared[BLOCK / 32];
	int64_t i = l.pending[first + blockIdx.x], n = l.used[i];
	bool climbs = l.threshold[i] == CUDART_INF;
	__syncthreads();
	if (!scan) {
		double far = CUDART_INF;
		if (!climbs && n > l.k)
			n = prune(l, i, n, halves, &h, shared);
		if (reach != NULL && !climbs && n >= rank && !l.exact)
			far = reach_of(l, i, n, rank, halves, &h, shared);
		if (reach != NULL && threadIdx.x == 0)
			reach[blockIdx.x] = far;
		return;
	}
	if (climbs)
		return;
	uint64_t *keys = l.key + i * l.capacity;
	for (int64_t e = threadIdx.x; e < n; e += BLOCK)
		keys[e] = (uint64_t)__double_as_longlong(-score_of(keys[e]) + 0.0);
}

/* A block a list: draws it in by what all devices together have found, (7.3). */
__global__ static void
draw_kernel(lists l, int64_t first, const double *mine, const double *others, int many, int64_t count)
{
	int64_t i = l.pending[first + blockIdx.x], n = l.used[i], kept;
	double cut = mine[blockIdx.x], a = l.threshold[i];
	for (int o = 0; o < many; o++)
		cut = fmax(cut, others[o * count + blockIdx.x]);
	if (cut == CUDART_INF || a == CUDART_INF)
		return;
	a = fmax(a, knng_threshold(l.half[i], cut, l.sigma, l.eps[i], 0));
	KEEP(l, i, n, score_of(key) >= a, kept);
	if (threadIdx.x == 0) {
		l.threshold[i] = a;
		l.used[i] = (int)kept;
	}
}

/* A block a list: the k best in front. The bits of distances are in order, since none is negative. */
__global__ static void
best_kernel(lists l, int64_t first, int32_t *number)
{
	__shared__ histogram h;
	int64_t i = l.pending[first + blockIdx.x], n = l.used[i], kept = n;
	bool climbs = l.threshold[i] == CUDART_INF;
	if (threadIdx.x == 0)
		atomicAdd(l.refined, (unsigned long long)(n + l.spent[i]));
	__syncthreads();
	if (!climbs && n > l.k) {
		place p = block_select(l.key + i * l.capacity, l.column + i * l.capacity, n, l.k, 8, true, true, &h);
		KEEP(l, i, n, key < p.key || (key == p.key && column <= p.column), kept);
		if (threadIdx.x == 0)
			l.used[i] = (int)kept;
	}
	if (threadIdx.x == 0)
		number[blockIdx.x] = climbs ? -1 : (int32_t)kept;
}

/* Puts n entries in order by exchanges that all have the lesser one in front, as if they were a power of two: those
 * beyond n would be larger than any, and never move. All threads of a block. */
template <typename INDEX>
__device__ static inline void
block_sort(uint64_t *keys, int32_t *columns, INDEX n)
{
	for (INDEX size = 2; size / 2 < n; size *= 2)
		for (INDEX step = size / 2; step > 0; step /= 2) {
			__syncthreads();
			for (INDEX t = threadIdx.x, low; (low = 2 * t - (t & (step - 1))) < n; t += blockDim.x) {
				INDEX high = step == size / 2 ? low ^ (size - 1) : low + step;
				if (high >= n)
					continue;
				uint64_t a = keys[low], b = keys[high];
				int32_t aj = columns[low], bj = columns[high];
				if (b < a || (b == a && bj < aj)) {
					keys[low] = b;
					keys[high] = a;
					columns[low] = bj;
					columns[high] = aj;
				}
			}
		}
	__syncthreads();
}

/* A block a list, which is put in order: in shared memory, 12 bytes an answer, or where it goes. */
enum { SORTED = 2048 };
template <bool SHARED>
__global__ static void
pack_kernel(lists l, int64_t first, uint64_t *distance, int32_t *column)
{
	extern __shared__ uint64_t sorted[];
	int32_t *sorted_column = (int32_t *)(sorted + l.k);
	int64_t p = blockIdx.x, i = l.pending[first + p], n = l.used[i] < l.k ? l.used[i] : l.k;
	const uint64_t *keys = l.key + i * l.capacity;
	const int32_t *columns = l.column + i * l.capacity;
	distance += p * l.k;
	column += p * l.k;
	for (int64_t e = threadIdx.x; e < n; e += blockDim.x) {
		(SHARED ? sorted : distance)[e] = keys[e];
		(SHARED ? sorted_column : column)[e] = columns[e];
	}
	if (SHARED)
		block_sort(sorted, sorted_column, (int)n);
	else
		block_sort(distance, column, n);
	for (int64_t e = threadIdx.x; e < l.k; e += blockDim.x)
		if (SHARED || e >= n) {
			distance[e] = e < n ? sorted[e] : NO_ANSWER;
			column[e] = e < n ? sorted_column[e] : -1;
		}
}

/* A thread an answer. Its place among all of its row is how many come before it in each list; of equal ones those of
 * the list before. So each of the first k places is taken once. Grid: answers / 256, lists. The lists of a row are
 * looked at again and again, and stay in L1. */
__global__ static void
merge_kernel(char *parts, int64_t share, int64_t count, int64_t k)
{
	int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, all = count * k;
	int many = gridDim.y, mine = blockIdx.y;
	if (at >= all)
		return;
	uint64_t key = ((const uint64_t *)(parts + mine * share))[at];
	int32_t column = ((const int32_t *)(parts + mine * share + all * 8))[at];
	int64_t row = at / k * k, place = at - row;
	for (int i = 0; i < many && place < k; i++) {
		const uint64_t *keys = (const uint64_t *)(parts + i * share) + row;
		const int32_t *columns = (const int32_t *)(parts + i * share + all * 8) + row;
		int64_t before = 0, end = i == mine ? 0 : k - place; /* with more of them it has no place */
		while (before < end) {
			int64_t middle = before + (end - before) / 2;
			uint64_t other = keys[middle];
			if (other < key ||
			    (other == key && (columns[middle] < column || (columns[middle] == column && i < mine))))
				before = middle + 1;
			else
				end = middle;
		}
		place += before;
	}
	if (place < k) {
		((uint64_t *)(parts + many * share))[row + place] = key;
		((int32_t *)(parts + many * share + all * 8))[row + place] = column;
	}
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
	first_kernel<<<up(t.nr, FIRST_ROWS), FIRST_THREADS, 0, stream>>>(l, t);
}

void
launch_pass(lists l, tile t, bool both, cudaStream_t stream)
{
	if (!t.halves && !t.floats) {
		dim3 grid(up(t.nc, 256), up(t.nr, DOWN));
		pass_kernel<<<grid, 256, 0, stream>>>(l, t, both);
		return;
	}
#define KINDS(T, SUM)                                                                                                  \
	{                                                                                                              \
		copies_pass_kernel<T, SUM, false>, copies_pass_kernel<T, SUM, true>                                    \
	}
	static void (*const kernels[2][3][2])(lists, tile, bool) = {
		{KINDS(__half, KNNG_SUM_MINUS), KINDS(__half, KNNG_SUM_PLUS), KINDS(__half, KNNG_SUM_EITHER)},
		{KINDS(float, KNNG_SUM_MINUS), KINDS(float, KNNG_SUM_PLUS), KINDS(float, KNNG_SUM_EITHER)},
	};
#undef KINDS
	dim3 grid(up(t.nc, COPY_THREADS * (t.halves ? 8 : 4)), up(t.nr, COPY_ROWS));
	kernels[t.floats][l.sum][l.alike]<<<grid, COPY_THREADS, 0, stream>>>(l, t, both);
}

void
launch_settle(lists l, tile t, cudaStream_t stream)
{
	static void (*const kernels[])(lists, tile) = {settle_kernel<KNNG_SUM_MINUS>, settle_kernel<KNNG_SUM_PLUS>,
						       settle_kernel<KNNG_SUM_EITHER>, settle_kernel<KNNG_SUM_L1>,
						       settle_kernel<KNNG_SUM_LINF>};
	unsigned bytes = l.budget > 0 ? (unsigned)l.capacity * 8 : 0;
	kernels[l.sum]<<<SETTLERS, BLOCK, bytes, stream>>>(l, t);
}

void
launch_prune(lists l, int64_t first, int64_t count, bool scan, bool halves, int64_t rank, double *reach,
	     cudaStream_t stream)
{
	prune_kernel<<<(unsigned)count, BLOCK, 0, stream>>>(l, first, scan, halves, rank, reach);
}

void
launch_draw(lists l, int64_t first, int64_t count, const double *mine, const double *others, int many,
	    cudaStream_t stream)
{
	draw_kernel<<<(unsigned)count, BLOCK, 0, stream>>>(l, first, mine, others, many, count);
}

void
launch_best(lists l, int64_t first, int64_t count, int32_t *number, cudaStream_t stream)
{
	best_kernel<<<(unsigned)count, BLOCK, 0, stream>>>(l, first, number);
}

void
launch_pack(lists l, int64_t first, int64_t count, char *packed, cudaStream_t stream)
{
	uint64_t *distance = (uint64_t *)packed;
	int32_t *column = (int32_t *)(packed + count * l.k * 8);
	unsigned threads = 32;
	while (threads < 256 && threads * 2 < l.k)
		threads *= 2;
	if (l.k <= SORTED)
		pack_kernel<true><<<(unsigned)count, threads, (size_t)l.k * 12, stream>>>(l, first, distance, column);
	else
		pack_kernel<false><<<(unsigned)count, 512, 0, stream>>>(l, first, distance, column);
}

void
launch_merge(char *parts, int n, int64_t share, int64_t count, int64_t k, cudaStream_t stream)
{
	merge_kernel<<<dim3(up(count * k, 256), (unsigned)n), 256, 0, stream>>>(parts, share, count, k);
}
