/* compare.cu  Compares the scores of a tile with the thresholds of its rows and columns, and appends what may belong to
 * a list. */
#include "cuda/search/lists.h"

/* Grid: columns / 256, rows / 32; a thread goes down 32 rows of its column. Reads each score once: bandwidth. */
enum { DOWN = 32 };
__global__ static void
compare_kernel(lists l, tile t, bool both)
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

/* Tiles of products or distances of copies, in half or single precision: 16 bytes of neighbouring columns a thread,
 * COPY_ROWS rows down. The pairs are looked over in single precision, with thresholds lowered so far that none is
 * missed which the test in double precision lets in; that one decides. Reads each score once: bandwidth, then the six
 * or so operations a pair. */
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

/* The pair at (r, c): the tests themselves, for the row and the column. */
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
__launch_bounds__(COPY_THREADS, 4) compare_copies_kernel(lists l, tile t, bool both)
{
	constexpr int SOME = 16 / (int)sizeof(T), WIDE = COPY_THREADS * SOME, AT_ONCE = 32 / SOME;
	/* A row takes (A_i + base_j) / (scale_i scale_j) from the product of copies: a = A / scale, b = base / scale
	 * and g = 1 / scale of each. A constant moves from b to a, so that neither is much larger than the sum. */
	__shared__ float3 row[COPY_ROWS];
	__shared__ unsigned hit[HITS], found; /* row * WIDE + column, in the block */
	int64_t r0 = (int64_t)blockIdx.y * COPY_ROWS, rows = t.nr - r0 < COPY_ROWS ? t.nr - r0 : COPY_ROWS;
	int64_t block0 = (int64_t)blockIdx.x * WIDE, c0 = block0 + threadIdx.x * SOME;
	double moved = l.half[l.pending[t.row0]];
	float all = ALIKE && !differs(SUM) ? 1 / l.scale_x[t.column0] : 1; /* distances have one unit */
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
				s = SUM == KNNG_SUM_PLUS || differs(SUM) ? -s : SUM == KNNG_SUM_EITHER ? fabsf(s) : s;
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

/* ---------------------------------------------------------------- launchers */

void
launch_compare(lists l, tile t, bool both, cudaStream_t stream)
{
	if (!t.halves && !t.floats) {
		dim3 grid(up(t.nc, 256), up(t.nr, DOWN));
		compare_kernel<<<grid, 256, 0, stream>>>(l, t, both);
		return;
	}
#define KINDS(T, SUM)                                                                                                  \
	{                                                                                                              \
		compare_copies_kernel<T, SUM, false>, compare_copies_kernel<T, SUM, true>                              \
	}
	static void (*const kernels[2][4][2])(lists, tile, bool) = {
		{KINDS(__half, KNNG_SUM_MINUS), KINDS(__half, KNNG_SUM_PLUS), KINDS(__half, KNNG_SUM_EITHER)},
		{KINDS(float, KNNG_SUM_MINUS), KINDS(float, KNNG_SUM_PLUS), KINDS(float, KNNG_SUM_EITHER),
		 KINDS(float, KNNG_SUM_L1)}, /* and the largest difference */
	};
#undef KINDS
	dim3 grid(up(t.nc, COPY_THREADS * (t.halves ? 8 : 4)), up(t.nr, COPY_ROWS));
	kernels[t.floats][differs(l.sum) ? KNNG_SUM_L1 : l.sum][l.alike]<<<grid, COPY_THREADS, 0, stream>>>(l, t, both);
}
