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
	ROUNDS = 30
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
		for (int round = 0; round < ROUNDS && middle < high && middle > low; round++) {
			int n = 0;
#pragma unroll
			for (int e = 0; e < EACH; e++)
				n += score[e] >= middle;
			n = __reduce_add_sync(0xffffffffu, n);
			if (threadIdx.x % 32 == 0)
				atomicAdd(&counts[round % 3], n);
			if (threadIdx.x == 0)
				counts[(round + 1) % 3] = 0;
			__syncthreads();
			n = counts[round % 3];
			bool enough = n >= l.k;
			/* Fewer than k above the mean: then all serve. */
			if ((!enough && middle <= mean) || (enough && n <= l.k + l.k / 16 + 1)) {
				low = enough ? middle : low;
				break;
			}
			low = enough ? middle : low;
			high = enough ? high : middle;
			float next = mean + (middle - mean) * sqrtf(__logf(all / wanted) / __logf(all / (float)n));
			bool guess = round < GUESSES && next > fmaxf(low, mean) && next < high;
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
			l.radius[i] = l.exact ? l.radius[i] : fmin(l.radius[i], sum);
			l.threshold[i] = l.exact ? worst : knng_threshold(l.half[i], l.radius[i], l.sigma, l.eps[i], 0);
		}
		__syncthreads();
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
	first_kernel<<<up(t.nr, FIRST_ROWS), FIRST_THREADS, 0, stream>>>(l, t);
}
