/* lists.h  Candidate lists inside kernels: keys, scores, the k-th of a list, appending, keeping.
 *
 * A list is an array of (key, column); ascending keys are descending scores. It never holds more than its capacity:
 * comparing a tile counts on beyond it and drops what does not fit (compare.cu); pruning, after the tile, sharpens the
 * threshold by the k best, leaves what it does not discard, and compares the line of the tile again where something was
 * dropped (prune.cu). Where scores cannot tell so many columns apart that the list stays full, exact distances do. */
#ifndef KNNG_CUDA_LISTS_H
#define KNNG_CUDA_LISTS_H

#include "cuda/search/kernels.h"
#include "search/bounds.h"

#include <math_constants.h>

enum { BLOCK = 128, BINS = 256 };
/* How many blocks take what there is from a list, one after another: as many as keep a GPU busy. On emulated ones a
 * few, so that blocks come to a second entry, too; those that find none would take half the time of the tests. */
#ifdef KNNG_PLAIN
#define SHARERS(many) 7
#else
#define SHARERS(many) (many)
#endif

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
__device__ static inline void
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

/* The product of copies r and c of a tile whose products are nowhere, in the parts of fused_long.cu. */
__device__ static inline float
product_of(const tile &t, int64_t r, int64_t c)
{
	const int4 *row = (const int4 *)(t.rows + r * t.ld), *column = (const int4 *)(t.columns + c * t.ld);
	float all = 0;
	int64_t part = (t.floats ? KNNG_PIECES_PART : KNNG_TENSOR_PART) / 8;
	for (int64_t l = 0; l < t.ld / 8;) {
		int64_t end = l + part < t.ld / 8 ? l + part : t.ld / 8;
		float sum = 0;
		for (; l < end; l++) {
			int4 a = row[l], b = column[l];
			const __half2 *u = (const __half2 *)&a, *v = (const __half2 *)&b;
#pragma unroll
			for (int e = 0; e < 4; e++) {
				sum = __fmaf_rn(__low2float(u[e]), __low2float(v[e]), sum);
				sum = __fmaf_rn(__high2float(u[e]), __high2float(v[e]), sum);
			}
		}
		all += sum;
	}
	return all;
}

/* The optimistic value of the pair (i, j) at (r, c) of a tile: no less than the value before it was stored; see (6.11)
 * of docs/canonical.md, whose numbers those below are too. */
__device__ static inline double
value_at(const lists &l, const tile &t, int64_t r, int64_t c, int64_t i, int64_t j)
{
	int64_t at = r * t.width + c;
	if (!t.halves && !t.floats)
		return ((const double *)t.v)[at];
	double v = (double)(t.v == NULL ? product_of(t, r, c)
			    : t.halves  ? __half2float(((const __half *)t.v)[at])
					: ((const float *)t.v)[at]);
	v *= (double)l.scale[i] * (differs(l.sum) ? 1 : (double)l.scale_x[j]);
	v = l.sum == KNNG_SUM_PLUS || differs(l.sum) ? -v : l.sum == KNNG_SUM_EITHER ? fabs(v) : v;
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
__device__ static inline place
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

__device__ static inline double
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

/* Keeps the entries of list i that wanted (key, column, e) says, in place; returns how many. A stripe is read before
 * anything is written at or below it. All threads of a block. */
template <typename WANTED>
__device__ static inline int64_t
keep(const lists &l, int64_t i, int64_t n, WANTED wanted)
{
	__shared__ int count; /* here, where its address is known: as a parameter it costs registers */
	uint64_t *keys = l.key + i * l.capacity;
	int32_t *columns = l.column + i * l.capacity;
	if (threadIdx.x == 0)
		count = 0;
	__syncthreads();
	for (int64_t e0 = 0; e0 < n; e0 += BLOCK) {
		int64_t e = e0 + threadIdx.x;
		uint64_t key = e < n ? keys[e] : 0;
		int32_t column = e < n ? columns[e] : 0;
		bool stays = e < n && wanted(key, column, e);
		__syncthreads();
		if (stays) {
			int at = atomicAdd(&count, 1);
			keys[at] = key;
			columns[at] = column;
		}
		__syncthreads();
	}
	int64_t kept = count;
	__syncthreads();
	return kept;
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
		l.queue[l.active * l.stride + atomicAdd(&l.queued[l.active], 1)] = code;
}

static inline unsigned
up(int64_t a, int64_t b)
{
	return (unsigned)((a + b - 1) / b);
}

#endif
