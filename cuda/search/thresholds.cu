/* thresholds.cu  Empty lists, and the first thresholds of rows from the scores of one tile. */
#include "cuda/search/lists.h"

__global__ static void
reset_kernel(lists l, int64_t count, bool scores, bool within)
{
	int64_t p = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
	if (p >= count)
		return;
	int64_t i = l.pending[p];
	l.used[i] = 0;
	l.spent[i] = 0;
	l.bound[i] = INT32_MAX;
	double radius = within ? knng_radius_of(l.map, l.d, l.radius[i]) : CUDART_INF;
	bool near = scores && !l.exact && radius < CUDART_INF;
	l.threshold[i] = near ? knng_threshold(l.half[i], radius, l.sigma, l.eps[i], 0) : -CUDART_INF;
	if (scores)
		l.radius[i] = radius;
}

/* A warp a row of the tile. Any k columns prove a threshold: here those from some guide on, a rounded score. It is
 * sought among guides in registers, of the first columns of the tile: as if they were normal above their mean, and by
 * halves where they are not. */
enum {
	WORDS = 4, /* of guides, which are loaded together: four floats, or eight halves */
	GROUPS = 32,
	FIRST_WARPS = 4,
	FIRST_ROWS = 6 * FIRST_WARPS, /* of a block: what the columns take away stays in shared memory for them */
	SAMPLED = 7,                  /* one in so many rows is looked at closer, which all warps take part in */
	GUESSES = 6,
	ROUNDS = 30
};

/* What turns products into guides. Those of halves are halves too: they and what is taken from them stay below 2^15,
 * as stored lengths pass 2^7 nowhere. */
typedef struct {
	float4 base[32 * GROUPS], factor[32 * GROUPS]; /* halves: what to add, and no factors */
	int columns;
} guiding;

/* By all threads of a block. */
template <bool HALF>
__device__ static inline void
prepare_guides(const lists &l, const tile &t, guiding *to)
{
	bool copies = t.halves || t.floats;
	int most = 32 * GROUPS * WORDS * (HALF ? 2 : 1), all = (int)(t.nc < most ? t.nc : (int64_t)most);
	float unit = HALF ? 1 / (l.scale_x[t.column0] * l.scale_x[t.column0]) : 1;
	for (int c = threadIdx.x; c < most; c += blockDim.x) {
		float base = c < all ? (float)l.base_x[t.column0 + c] * unit : CUDART_NAN_F;
		if (HALF) {
			((__half *)to->base)[c] = __float2half(-base);
		} else {
			((float *)to->base)[c] = base;
			((float *)to->factor)[c] = copies && !differs(l.sum) && c < all ? l.scale_x[t.column0 + c] : 1;
		}
	}
	if (threadIdx.x == 0)
		to->columns = all;
	__syncthreads();
}

/* Guides of the columns from c0 on. Behind the last column they are no numbers, and count nowhere. */
template <bool HALF>
__device__ static inline void
load_guides(const lists &l, const tile &t, int64_t r, int c0, float factor, const guiding &by, uint32_t (&guide)[WORDS])
{
	bool size = l.sum == KNNG_SUM_EITHER && (t.halves || t.floats);
	if (HALF) {
		int4 base = *(const int4 *)((const __half *)by.base + c0), some = base;
		const __half2 *b = (const __half2 *)&base, *v = (const __half2 *)&some,
			      f = __floats2half2_rn(factor, factor);
		if (c0 < by.columns)
			some = *(const int4 *)((const __half *)t.v + r * t.width + c0);
#pragma unroll
		for (int w = 0; w < WORDS; w++) {
			__half2 u = __hfma2(size ? __habs2(v[w]) : v[w], f, b[w]);
			guide[w] = *(const uint32_t *)&u;
		}
	} else {
#pragma unroll
		for (int w = 0; w < WORDS; w++) {
			int c = c0 + w;
			int64_t at = r * t.width + c;
			float v = c >= by.columns ? 0
				  : t.halves      ? __half2float(((const __half *)t.v)[at])
				  : t.floats      ? ((const float *)t.v)[at]
						  : (float)((const double *)t.v)[at];
			guide[w] = __float_as_uint((size ? fabsf(v) : v) * (factor * ((const float *)by.factor)[c]) -
						   ((const float *)by.base)[c]);
		}
	}
}

__device__ static inline __half2
halves_of(uint32_t word)
{
	return *(const __half2 *)&word;
}

/* The larger guide, or both, of two words of them. */
template <bool HALF>
__device__ static inline uint32_t
larger(uint32_t a, uint32_t b)
{
	__half2 both = __hmax2(halves_of(a), halves_of(b));
	return HALF ? *(const uint32_t *)&both : __float_as_uint(fmaxf(__uint_as_float(a), __uint_as_float(b)));
}

template <bool HALF>
__device__ static inline float
largest_in(uint32_t word)
{
	return HALF ? __half2float(__hmax(__low2half(halves_of(word)), __high2half(halves_of(word))))
		    : __uint_as_float(word);
}

/* How many guides of a warp are no less than x, which is one that there can be. */
template <bool HALF>
__device__ static inline int
count_from(const uint32_t (&guide)[GROUPS][WORDS], float x)
{
	__half2 halves = __floats2half2_rn(0, 0), from = __floats2half2_rn(x, x);
	int n = 0;
#pragma unroll
	for (int g = 0; g < GROUPS * WORDS; g++) {
		uint32_t word = guide[g / WORDS][g % WORDS];
		if (HALF)
			halves = __hadd2(halves, __hge2(halves_of(word), from));
		else
			n += __uint_as_float(word) >= x;
	}
	if (HALF)
		n = (int)(__low2float(halves) + __high2float(halves));
	return __reduce_add_sync(0xffffffffu, n);
}

template <bool HALF>
__device__ static inline float
rounded(float x)
{
	return HALF ? __half2float(__float2half(x)) : x;
}

/* A guide that k or somewhat more of a warp's are no less than; -Inf: all of them serve. */
template <bool HALF>
__device__ static inline float
find_guide(const uint32_t (&guide)[GROUPS][WORDS], int64_t k, int columns)
{
	uint32_t most = guide[0][0];
	float sum = 0, there = 0;
#pragma unroll
	for (int g = 0; g < GROUPS; g++) {
#pragma unroll
		for (int w = 0; w < WORDS; w++)
			most = larger<HALF>(most, guide[g][w]);
		float x = HALF ? __low2float(halves_of(guide[g][0])) : __uint_as_float(guide[g][0]);
		sum += isnan(x) ? 0 : x;
		there += !isnan(x);
	}
	float best = largest_in<HALF>(most);
	for (int step = 16; step > 0; step /= 2) {
		best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, step));
		sum += __shfl_xor_sync(0xffffffffu, sum, step);
		there += __shfl_xor_sync(0xffffffffu, there, step);
	}
	float all = (float)columns, wanted = (float)k + (float)k / 32 + 0.5f;
	float mean = rounded<HALF>(sum / there), low = -CUDART_INF_F, high = best;
	float middle = rounded<HALF>(mean + (best - mean) * sqrtf(__logf(all / wanted) / __logf(all)));
	middle = middle > mean && middle < best ? middle : mean;
	for (int round = 0; round < ROUNDS && middle < high && middle > low; round++) {
		int n = count_from<HALF>(guide, middle);
		bool enough = n >= k;
		low = enough ? middle : low;
		/* Fewer than k above the mean: then all serve. */
		if ((!enough && middle <= mean) || (enough && n <= k + k / 16 + 1))
			break;
		high = enough ? high : middle;
		float next =
			rounded<HALF>(mean + (middle - mean) * sqrtf(__logf(all / wanted) / __logf(all / (float)n)));
		bool guess = round < GUESSES && next > fmaxf(low, mean) && next < high;
		middle = guess ? next : low > -CUDART_INF_F ? rounded<HALF>(low + (high - low) / 2) : mean;
	}
	return low;
}

/* A score of row i as a guide. */
template <bool HALF>
__device__ static inline float
guide_of(const lists &l, int64_t i, double score)
{
	return (float)(HALF ? score / ((double)l.scale[i] * l.scale[i]) : score);
}

/* Whether a row has many columns left in the end: by those of the tile that come as close as the bound reaches,
 * `apart`, to what the k best of all columns score if the tile has as many of these as it has of all columns. known:
 * what already passes no more. */
template <bool HALF>
__device__ static inline void
count_dense(const lists &l, const uint32_t (&guide)[GROUPS][WORDS], int columns, float apart, float known)
{
	float best = find_guide<HALF>(guide, l.share, columns);
	int near = count_from<HALF>(guide, rounded<HALF>(fmaxf(best - apart, known)));
	for (int dense = 0; dense < 2; dense++)
		if (threadIdx.x % 32 == 0 && near > l.dense[dense])
			atomicAdd(&l.queued[5 + dense], SAMPLED);
}

template <bool HALF>
__global__ static void
__launch_bounds__(FIRST_WARPS * 32, 3) first_kernel(lists l, tile t)
{
	__shared__ guiding by;
	int lane = threadIdx.x % 32, each = WORDS * (HALF ? 2 : 1);
	int64_t r = (int64_t)blockIdx.x * FIRST_ROWS + threadIdx.x / 32, end = ((int64_t)blockIdx.x + 1) * FIRST_ROWS;
	prepare_guides<HALF>(l, t, &by);
	bool copies = t.halves || t.floats;
	for (; r < end && r < t.nr; r += FIRST_WARPS) {
		int64_t i = l.pending[t.row0 + r], own = l.graph ? i - t.column0 : -1, at = r * t.width + own;
		if (lane == 0 && own >= 0 && own < by.columns) { /* nothing is its own neighbour */
			if (t.halves)
				((__half *)t.v)[at] = __float2half(CUDART_NAN_F);
			else if (t.floats)
				((float *)t.v)[at] = CUDART_NAN_F;
			else
				((double *)t.v)[at] = CUDART_NAN;
		}
		__syncwarp();
		uint32_t guide[GROUPS][WORDS], groups = 0;
		bool negative = copies && (l.sum == KNNG_SUM_PLUS || differs(l.sum));
		float factor = (negative ? -1.f : 1.f) * (copies && !HALF ? l.scale[i] : 1.f);
#pragma unroll
		for (int g = 0; g < GROUPS; g++)
			load_guides<HALF>(l, t, r, (g * 32 + lane) * each, factor, by, guide[g]);
		float low = find_guide<HALF>(guide, l.k, by.columns), apart = 0;
		/* About as far as a threshold lies below the scores that prove it. */
		apart = HALF ? (float)(2 * (l.eps[i] + l.eps_x[t.column0]) / ((double)l.scale[i] * l.scale[i])) +
					fabsf(low) * 0x1p-9f
			     : (float)(4 * l.eps[i]);
		int near = l.few < INT64_MAX ? count_from<HALF>(guide, rounded<HALF>(low - apart)) : 0;
		if (l.dense[0] < INT64_MAX && r % SAMPLED == 0)
			count_dense<HALF>(l, guide, by.columns, apart, guide_of<HALF>(l, i, l.threshold[i]));
#pragma unroll
		for (int g = 0; g < GROUPS; g++) {
			uint32_t most = larger<HALF>(larger<HALF>(guide[g][0], guide[g][1]),
						     larger<HALF>(guide[g][2], guide[g][3]));
			groups |= (unsigned)(largest_in<HALF>(most) >= low) << g;
		}
		double worst = CUDART_INF;
		int chosen = 0;
		for (; groups != 0; groups &= groups - 1) {
			int c0 = ((__ffs((int)groups) - 1) * 32 + lane) * each;
			uint32_t some[WORDS], from = 0;
			load_guides<HALF>(l, t, r, c0, factor, by, some);
#pragma unroll
			for (int w = 0; w < WORDS; w++)
				from |= HALF ? (unsigned)(__low2float(halves_of(some[w])) >= low) << 2 * w |
							(unsigned)(__high2float(halves_of(some[w])) >= low)
								<< (2 * w + 1)
					     : (unsigned)(__uint_as_float(some[w]) >= low) << w;
			for (; from != 0; from &= from - 1, chosen++) {
				int c = c0 + __ffs((int)from) - 1;
				double q = score_at(l, t, r, c, i);
				worst = fmin(worst, q - slack(l, t.halves, q, t.column0 + c));
			}
		}
		chosen = __reduce_add_sync(0xffffffffu, chosen);
		for (int step = 16; step > 0; step /= 2)
			worst = fmin(worst, __shfl_xor_sync(0xffffffffu, worst, step));
		if (lane == 0 && chosen >= l.k && worst > -CUDART_INF) {
			double sum = knng_wide(l.d, ldexp(fmax(l.half[i] - (worst - l.eps[i]), 0.), l.sigma));
			l.radius[i] = l.exact ? l.radius[i] : fmin(l.radius[i], sum);
			l.threshold[i] = l.exact ? worst : knng_threshold(l.half[i], l.radius[i], l.sigma, l.eps[i], 0);
			if (near > l.few) /* about so many columns of the tile will pass */
				atomicAdd(&l.queued[2], 1);
			if (near > l.k / 2 + l.few / 2)
				atomicAdd(&l.queued[3], 1);
		}
	}
}

/* ---------------------------------------------------------------- launchers */

void
launch_reset(lists l, int64_t count, bool scores, bool within, cudaStream_t stream)
{
	reset_kernel<<<up(count, 256), 256, 0, stream>>>(l, count, scores, within);
}

void
launch_first_thresholds(lists l, tile t, cudaStream_t stream)
{
	static void (*const kernels[])(lists, tile) = {first_kernel<false>, first_kernel<true>};
	kernels[t.halves && l.alike]<<<up(t.nr, FIRST_ROWS), FIRST_WARPS * 32, 0, stream>>>(l, t);
}
