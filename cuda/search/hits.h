/* hits.h  What the kernels that compare products while they are made share (fused.cu, fused_long.cu): how the sums that
 * a thread of a wgmma holds are tested, put aside and handed on. */
#ifndef KNNG_CUDA_HITS_H
#define KNNG_CUDA_HITS_H

#include "cuda/search/fused.h"
#include "cuda/search/lists.h"

static const float NONE = 3e38f, NEGATIVE = -0x1p-126f;

/* Whether a product may matter to its row or to its column. */
__device__ static inline bool
matters(float product, float2 row, float2 column)
{
	return product - column.y >= row.x || product - column.x >= row.y;
}

#ifdef KNNG_FUSED

enum {
	GROUP = 128,    /* threads that multiply together */
	TALL = 64,      /* rows of one product */
	STEP = 16,      /* features of one product */
	SWIZZLED = 128, /* bytes of a row that lie together in shared memory: 64 features */
	SLOTS = 8,
	RESERVED = 128,
};

/* Of a warp: sums of threads, one of which passed, what their two rows are tested with, the first row, and the first
 * column; and the place for what it hands on, and how much more there is reserved for it. */
template <int N> struct kept {
	float4 sum[SLOTS][N / 4];
	float4 test[SLOTS];
	int2 at[SLOTS];
	int place, left;
};

/* Registers that products read or write while they are under way stay where they are. */
template <int N>
__device__ static inline void
pin(float (&d)[N])
{
#pragma unroll
	for (int i = 0; i < N; i++)
		asm volatile("" : "+f"(d[i])::"memory");
}

/* Where columns lie in shared memory, for the tensor cores: rows of SWIZZLED bytes, eight of them together. */
__device__ static inline uint64_t
describe(uint32_t at)
{
	return (uint64_t)(at >> 4) | (uint64_t)(8 * SWIZZLED >> 4) << 32 | 1ull << 16 | 1ull << 62;
}

/* What row or column e of n is tested with. Behind the last it is `none`: what still passes is left out as a hit. */
__device__ static inline float2
test_of(const float2 *tests, int e, int n, float none)
{
	return e < n && tests != NULL ? tests[e] : make_float2(none, NONE);
}

/* ---------------------------------------------------------------- tests */

/* How sums are tested: each by itself; by the best of them; by the size of the best; by the best, with the numbers of
 * rows and columns folded in; or each by itself, its sign turned. */
enum { UNEVEN, EVEN, EITHER, FOLDED, TURNED };

template <int KIND>
__device__ static inline float
score_of_sum(float sum)
{
	return KIND == EITHER ? fabsf(sum) : KIND == TURNED ? -sum : sum;
}

/* The least of the bits of three numbers: of the negative ones the largest, or one that is not negative. */
__device__ static inline unsigned
least_bits(unsigned a, float b, float c)
{
	return __vimin3_u32(a, __float_as_uint(b), __float_as_uint(c));
}

/* For each sum by the numbers of its row and its column. */
template <int KIND, int N>
__device__ static inline bool
test_each(const float (&d)[N], const float2 *tests, float2 upper, float2 lower)
{
	unsigned best[4] = {~0u, ~0u, ~0u, ~0u};
#pragma unroll
	for (int g = 0; g < N / 4; g++) {
		float4 two = *(const float4 *)(tests + g * 8);
#pragma unroll
		for (int row = 0; row < 2; row++) {
			float even = score_of_sum<KIND>(d[4 * g + 2 * row]),
			      odd = score_of_sum<KIND>(d[4 * g + 2 * row + 1]);
			best[2 * row] = least_bits(best[2 * row], even - two.y, odd - two.w);
			best[2 * row + 1] = least_bits(best[2 * row + 1], even - two.x, odd - two.z);
		}
	}
	return best[0] <= __float_as_uint(upper.x) || best[1] <= __float_as_uint(upper.y) ||
	       best[2] <= __float_as_uint(lower.x) || best[3] <= __float_as_uint(lower.y);
}

/* ---------------------------------------------------------------- hits */

/* Where products are asked for in place of lists: those of rows `upper` and 8 below. */
template <int N>
__device__ static inline void
store(const fused &f, const float (&d)[N], int upper, int column)
{
	for (int e = 0; e < N; e++) {
		int r = upper + (e % 4 < 2 ? 0 : 8), c = column + e / 4 * 8 + e % 2;
		if (r < f.nr && c < f.nc)
			f.products[(int64_t)r * f.width + c] = d[e];
	}
}

/* Marks the places as empty that a warp has reserved and not used. */
template <int N>
__device__ static inline void
give_up(const fused &f, const kept<N> *k)
{
	for (int e = threadIdx.x % 32; e < k->left; e += 32)
		if (k->place + e < f.room)
			f.hits[k->place + e] = make_uint2(~0u, 0);
	__syncwarp();
}

/* Places for `wanted` pairs that a warp hands on, the first of them. */
template <int N>
__device__ static inline int
reserve(const fused &f, kept<N> *k, int wanted)
{
	int lane = threadIdx.x % 32;
	if (k->left < wanted) {
		give_up(f, k);
		if (lane == 0) {
			k->left = wanted > RESERVED ? wanted : RESERVED;
			k->place = atomicAdd(f.handed, k->left);
		}
		__syncwarp();
	}
	int place = k->place;
	__syncwarp();
	if (lane == 0) {
		k->place += wanted;
		k->left -= wanted;
	}
	__syncwarp();
	return place;
}

/* Looks over what a warp put aside, and hands on what passes. tests (c): what columns c and c + 1 are tested with, of
 * those from `first` on. */
template <int KIND, int N, typename TESTS>
__device__ static inline void
look_over(const fused &f, kept<N> *k, TESTS tests, int first, int count)
{
	int lane = threadIdx.x % 32;
	bool there = 2 * lane < N; /* of the threads whose sums lie here */
	unsigned passed = 0;       /* two bits for each of SLOTS */
	__syncwarp();
#pragma unroll
	for (int s = 0; s < SLOTS; s++) {
		float2 two = ((const float2 *)k->sum[s])[there ? lane : 0];
		float4 rows = k->test[s], columns = tests((s < count ? k->at[s].y : 0) + (there ? lane / 2 * 8 : 0));
		float2 row = lane % 2 ? make_float2(rows.z, rows.w) : make_float2(rows.x, rows.y);
		bool even, odd;
		if (KIND == FOLDED) {
			even = two.x >= row.x || two.x >= columns.x;
			odd = two.y >= row.x || two.y >= columns.z;
		} else {
			even = matters(score_of_sum<KIND>(two.x), row, make_float2(columns.x, columns.y));
			odd = matters(score_of_sum<KIND>(two.y), row, make_float2(columns.z, columns.w));
		}
		passed |= there && s < count ? (unsigned)even << 2 * s | (unsigned)odd << (2 * s + 1) : 0;
	}
	int mine = __popc(passed), through = mine;
#pragma unroll
	for (int step = 1; step < 32; step *= 2) {
		int before = __shfl_up_sync(0xffffffffu, through, step);
		through += lane >= step ? before : 0;
	}
	int place = reserve(f, k, __shfl_sync(0xffffffffu, through, 31)) + through - mine;
	for (; passed != 0; passed &= passed - 1, place++) {
		int bit = __ffs((int)passed) - 1, s = bit / 2;
		int r = k->at[s].x + lane % 2 * 8, c = first + k->at[s].y + lane / 2 * 8 + bit % 2;
		float sum = score_of_sum<KIND>(((const float *)k->sum[s])[lane * 2 + bit % 2]);
		if (place < f.room)
			f.hits[place] = make_uint2((unsigned)r << 16 | (unsigned)c, __float_as_uint(sum));
	}
	__syncwarp();
}

/* Puts the sums of threads aside, one of which passes; returns how many were put aside since they were looked over.
 * Whatever touches sums is done by whole warps: where one thread alone did, products would wait for each other. */
template <int KIND, int N, typename TESTS>
__device__ static inline int
put_aside(const fused &f, const float (&d)[N], bool passes, int row, int column, float4 rows, TESTS tests, int first,
	  kept<N> *k, int count)
{
	unsigned set = __ballot_sync(0xffffffffu, passes);
	while (set != 0) {
		int at = count + __popc(set & ((1u << threadIdx.x % 32) - 1));
		bool now = passes && at < SLOTS;
		if (now) {
#pragma unroll
			for (int e = 0; e < N / 4; e++)
				k->sum[at][e] = make_float4(d[4 * e], d[4 * e + 1], d[4 * e + 2], d[4 * e + 3]);
			k->test[at] = rows;
			k->at[at] = make_int2(row, column);
		}
		count += __popc(set);
		if (count < SLOTS)
			break;
		look_over<KIND>(f, k, tests, first, SLOTS);
		count = 0;
		passes = passes && !now;
		set = __ballot_sync(0xffffffffu, passes);
	}
	return count;
}

#endif
#endif
