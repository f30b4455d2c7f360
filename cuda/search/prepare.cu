/* prepare.cu  Rows to prepared rows, the same bits as core/search/cpu/kernels.c. Eight neighbouring threads share a
 * row: thread l takes the features l, l + 8, …, which is what accumulator l of docs/canonical.md, 2, takes. All kernels
 * here are limited by memory bandwidth: a row is read and written a few times, out of L2 where it fits. */
#include "cuda/search/kernels.h"

#include <math_constants.h>

enum { THREADS = 256 };

static unsigned
blocks_for(int64_t items, int64_t per_block)
{
	return (unsigned)((items + per_block - 1) / per_block);
}

/* ---------------------------------------------------------------- kernels */

/* Grid: (rows / 32, columns / 32), 32 x 8 threads; shared memory transposes a 32 x 32 tile. */
template <typename T, typename U>
__global__ static void
transpose_kernel(const T *raw, int64_t n, int64_t first, int64_t columns, U *u, int64_t ld)
{
	__shared__ U square[32][33];
	int64_t i0 = (int64_t)blockIdx.x * 32, c0 = (int64_t)blockIdx.y * 32;
	for (int y = threadIdx.y; y < 32; y += 8)
		if (i0 + threadIdx.x < n && c0 + y < columns)
			square[y][threadIdx.x] = (U)raw[(c0 + y) * n + i0 + threadIdx.x];
	__syncthreads();
	for (int y = threadIdx.y; y < 32; y += 8)
		if (i0 + y < n && c0 + threadIdx.x < columns)
			u[(i0 + y) * ld + first + c0 + threadIdx.x] = square[threadIdx.x][y];
}

/* A warp a row. Bandwidth. */
template <typename T, typename U>
__global__ static void
spread_kernel(const T *raw, int64_t n, int64_t d, U *u, int64_t ld)
{
	int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
	if (i >= n)
		return;
	const T *from = raw + i * d;
	U *to = u + i * ld;
	for (int64_t l = threadIdx.x % 32; l < d; l += 32)
		to[l] = (U)from[l];
}

/* A block ranks one row after the other by counting: d*d compares, the row in L1. */
__global__ static void
rank_kernel(double *u, int64_t n, int64_t d, int64_t ld, double *scratch)
{
	double *copy = scratch + blockIdx.x * ld;
	for (int64_t i = blockIdx.x; i < n; i += gridDim.x) {
		double *x = u + i * ld;
		bool finite = true, varies = false;
		for (int64_t l = threadIdx.x; l < d; l += blockDim.x) {
			finite &= x[l] - x[l] == 0;
			varies |= x[l] != x[0];
			copy[l] = x[l];
		}
		finite = __syncthreads_and(finite);
		varies = __syncthreads_or(varies);
		if (finite && varies)
			for (int64_t l = threadIdx.x; l < d; l += blockDim.x) {
				double mine = copy[l];
				int64_t less = 0, equal = 0;
				for (int64_t other = 0; other < d; other++) {
					less += copy[other] < mine;
					equal += copy[other] == mine;
				}
				x[l] = ((double)less + 1 + (double)(less + equal)) / 2;
			}
		__syncthreads();
	}
}

__device__ static double
power_of_two(int e)
{
	return e >= -1022 ? __longlong_as_double((long long)(e + 1023) << 52) : __longlong_as_double(1ll << (e + 1074));
}

__device__ static double
sum8(const double *x, int64_t ld, int lane, bool squares)
{
	double a = 0;
	for (int64_t l = lane; l < ld; l += LANES)
		a = squares ? __fma_rn(x[l], x[l], a) : __dadd_rn(a, x[l]);
	return tree8(a);
}

/* Every bit of h moves every bit of the result. */
__device__ static uint64_t
mix(uint64_t h)
{
	h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
	h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
	return h ^ h >> 33;
}

/* Grid: n / 32 blocks of 256 threads, 8 a row. Threads past the last row work on it again and write nothing. */
__global__ static void
prepare_kernel(knng_prep prep, prepared u, int64_t n, int64_t d, uint8_t *state, uint64_t *hash,
	       unsigned long long *extent)
{
	int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / LANES;
	int lane = threadIdx.x % LANES;
	bool mine = i < n;
	int64_t ld = u.ld, row = (mine ? i : n - 1) * ld;
	double low = CUDART_INF, high = -CUDART_INF;
	bool finite = true, whole = true;
	for (int64_t l = lane; l < d; l += LANES) {
		double v = number_of(u, row + l);
		finite &= v - v == 0;
		low = fmin(low, v);
		high = fmax(high, v);
		whole &= v == nearbyint(v);
	}
	unsigned group = 0xffu << (threadIdx.x % 32 / LANES * LANES);
	finite = (__ballot_sync(0xffffffffu, finite) & group) == group;
	whole = (__ballot_sync(0xffffffffu, whole) & group) == group;
	low = -largest8(-low);
	high = largest8(high);
	int found = KNNG_ROW_FINE;
	if (!finite)
		found = KNNG_ROW_NONFINITE;
	else if (prep != KNNG_PREP_NONE && (prep == KNNG_PREP_UNIT ? low == 0 && high == 0 : low == high))
		found = KNNG_ROW_CONSTANT;

	if (prep != KNNG_PREP_NONE) { /* what comes out for rows that are not fine is never used */
		bool writes = mine && found == KNNG_ROW_FINE;
		double *x = (double *)u.at + row;
		int e = 0;
		double most = fmax(high, -low);
		if (writes) {
			frexp(most, &e);
			e -= 1;
		}
		double first = e < -1022 ? power_of_two(600) : 1, factor = power_of_two(e < -1022 ? -e - 600 : -e);
		for (int64_t l = lane; writes && l < d; l += LANES)
			x[l] = __dmul_rn(__dmul_rn(x[l], first), factor);
		for (int twice = 0; prep != KNNG_PREP_UNIT && twice < 2; twice++) {
			double mean = __ddiv_rn(sum8(x, ld, lane, false), (double)d);
			for (int64_t l = lane; writes && l < d; l += LANES)
				x[l] = __dsub_rn(x[l], mean);
		}
		double norm = __dsqrt_rn(sum8(x, ld, lane, true));
		for (int64_t l = lane; writes && l < d; l += LANES)
			x[l] = __ddiv_rn(x[l], norm);
	} else if (mine && found == KNNG_ROW_FINE && lane == 0) {
		atomicMax(&extent[0], (unsigned long long)__double_as_longlong(fabs(fmax(high, -low)))); /* not -0 */
		if (!whole)
			extent[1] = 1;
	}

	uint64_t h = mix((uint64_t)lane + 1); /* far from the bits of any number, subnormals too */
	for (int64_t l = lane; l < ld; l += LANES)
		h = mix(h ^ (uint64_t)__double_as_longlong(number_of(u, row + l)));
	for (int step = 4; step > 0; step /= 2)
		h += __shfl_xor_sync(0xffffffffu, h, step); /* of mixed values: the lane is in each from the start */
	if (mine && lane == 0) {
		state[i] = (uint8_t)found;
		hash[i] = h;
	}
}

/* Of a fine row each, into a table with open addressing. */
__global__ static void
meet_hashes_kernel(const uint8_t *state, const unsigned long long *hash, int64_t n, unsigned long long *table,
		   int64_t size, int32_t *flag)
{
	int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (i >= n || state[i] != KNNG_ROW_FINE)
		return;
	const unsigned long long mine = hash[i], mask = (unsigned long long)size - 1;
	unsigned long long was = mine;
	for (unsigned long long at = mine & mask; mine != 0; at = (at + 1) & mask)
		if ((was = atomicCAS(&table[at], 0ull, mine)) == 0 || was == mine)
			break;
	if (was == mine)
		*flag = 1;
}

/* A warp a pair of rows. */
__global__ static void
differ_kernel(prepared u, prepared v, const int32_t *a, const int32_t *b, int64_t count, int32_t *differs)
{
	int64_t p = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
	if (p >= count)
		return;
	int64_t ld = u.ld, x = (a != NULL ? a[p] : p) * ld, y = (b != NULL ? b[p] : p) * ld;
	for (int64_t l = threadIdx.x % 32; l < ld; l += 32)
		if (__double_as_longlong(number_of(u, x + l)) != __double_as_longlong(number_of(v, y + l)))
			*differs = (int32_t)p + 1;
}

/* A warp a row of `quarters` sixteen bytes. */
__global__ static void
copy_kernel(const int4 *u, int64_t quarters, const int32_t *rows, int64_t count, int4 *to)
{
	int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
	if (i >= count)
		return;
	for (int64_t l = threadIdx.x % 32; l < quarters; l += 32)
		to[i * quarters + l] = u[rows[i] * quarters + l];
}

template <typename T>
__global__ static void
gather_kernel(prepared u, int64_t d, const int32_t *rows, const double *centre, double scale, int64_t count, T *to)
{
	int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
	if (i >= count)
		return;
	int64_t ld = u.ld, x = (rows != NULL ? rows[i] : i) * ld;
	for (int64_t l = threadIdx.x % 32; l < ld; l += 32) {
		double v = number_of(u, x + l);
		to[i * ld + l] = (T)(centre == NULL || l >= d ? v : v * scale - centre[l]);
	}
}

/* A warp a row; eps: (6.6), (6.7) of docs/canonical.md, whose numbers those below are too. */
__global__ static void
measure_kernel(knng_sum sum, prepared u, const double *centre, double scale, int64_t count, int64_t d, double *half,
	       double *eps, int32_t *large)
{
	int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
	if (i >= count)
		return;
	double squares = 0, norm = 0;
	for (int64_t l = threadIdx.x % 32; l < d; l += 32) {
		double v = number_of(u, i * u.ld + l);
		v = centre != NULL ? v * scale - centre[l] : v;
		squares += v * v;
		norm = sum == KNNG_SUM_LINF ? fmax(norm, fabs(v)) : norm + fabs(v);
	}
	for (int step = 16; step > 0; step /= 2) {
		double other = __shfl_xor_sync(0xffffffffu, norm, step);
		squares += __shfl_xor_sync(0xffffffffu, squares, step);
		norm = sum == KNNG_SUM_LINF ? fmax(norm, other) : norm + other;
	}
	if (threadIdx.x % 32 != 0)
		return;
	bool differences = differs(sum);
	double dd = (double)d, h = differences ? 0 : squares / 2;
	half[i] = h;
	eps[i] = differences ? knng_raised(norm) * (0x1p-48 + (sum == KNNG_SUM_L1 ? knng_gamma(dd + 2, 0x1p-53) : 0)) +
				       dd * 0x1p-1000
			     : knng_eps64(d, h, 0);
	if (h >= 0x1p40)
		*large = 1;
}

/* A warp a row. */
__global__ static void
lengths_kernel(prepared u, const double *centre, double factor, int64_t count, int64_t d, double *half,
	       unsigned *extent)
{
	int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
	if (i >= count)
		return;
	double squares = 0;
	for (int64_t l = threadIdx.x % 32; l < d; l += 32) {
		double y = number_of(u, i * u.ld + l) * factor - (centre != NULL ? centre[l] : 0);
		squares += y * y;
	}
	for (int step = 16; step > 0; step /= 2)
		squares += __shfl_xor_sync(0xffffffffu, squares, step);
	if (threadIdx.x % 32 != 0)
		return;
	unsigned length = __float_as_uint((float)sqrt(squares));
	half[i] = squares / 2;
	atomicMax(&extent[0], length);
	atomicMax(&extent[1], ~length);
}

/* A warp a row. Copies are no longer than 2^7, so that no product or sum of halves overflows; rows that are shorter
 * than 2^-30 get a copy of zeros where each has its own scale. */
__global__ static void
halve_kernel(prepared u, const double *centre, double factor, float common, __half *f, float *scale, int64_t count,
	     int64_t d, const double *half, double *norm, double *residual, unsigned *extent)
{
	int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
	if (i >= count)
		return;
	int64_t ld = u.ld;
	double kept = 0, lost = 0, length = sqrt(2 * half[i]), up = 1. / common, down = common;
	if (common == 0) {
		int e = 0;
		bool there = length > 0x1p-30;
		frexp(length, &e);
		e = there ? e - 7 : 0;
		up = there ? ldexp(1., -e) : 0;
		down = ldexp(1., e);
	}
	for (int64_t l = threadIdx.x % 32; l < ld; l += 32) {
		double y = l < d ? number_of(u, i * ld + l) * factor - (centre != NULL ? centre[l] : 0) : 0;
		__half h = __double2half(y * up);
		double z = (double)__half2float(h) * down;
		f[i * ld + l] = h;
		kept += z * z;
		lost += (y - z) * (y - z);
	}
	for (int step = 16; step > 0; step /= 2) {
		kept += __shfl_xor_sync(0xffffffffu, kept, step);
		lost += __shfl_xor_sync(0xffffffffu, lost, step);
	}
	if (threadIdx.x % 32 != 0)
		return;
	norm[i] = sqrt(kept) * (1 + 0x1p-20);
	residual[i] = sqrt(lost) * (1 + 0x1p-20);
	scale[i] = (float)down;
	if (kept > 0)
		atomicMax(&extent[2], __float_as_uint((float)(lost / kept)));
}

/* The two pieces of y in units of 1 / up. */
__device__ static inline void
split(double y, double up, __half *hi, __half *lo)
{
	*hi = __double2half(y * up);
	*lo = __double2half(y * up - (double)__half2float(*hi));
}

/* A warp a row. */
__global__ static void
split_kernel(prepared u, const int32_t *from, const int32_t *point, const double *centre, double factor,
	     const float *scale, int64_t count, int64_t d, __half *f, bool column)
{
	int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
	if (i >= count)
		return;
	int64_t ld = u.ld, x = (from != NULL ? from[i] : i) * ld;
	double up = 1. / scale[point != NULL ? point[i] : i];
	__half *first = f + i * 3 * ld, hi, lo;
	for (int64_t l = threadIdx.x % 32; l < ld; l += 32) {
		split(l < d ? number_of(u, x + l) * factor - (centre != NULL ? centre[l] : 0) : 0, up, &hi, &lo);
		first[l] = column ? hi : lo;
		first[ld + l] = column ? lo : hi;
		first[2 * ld + l] = hi;
	}
}

/* A warp a row. */
__global__ static void
pieces_kernel(prepared u, const double *centre, double factor, const float *scale, int64_t count, int64_t d,
	      double *half, double *norm, double *residual, unsigned *extent)
{
	int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
	if (i >= count)
		return;
	double kept = 0, lost = 0, second = 0, squares = 0, down = scale[i], up = 1. / down;
	for (int64_t l = threadIdx.x % 32; l < d; l += 32) {
		double y = number_of(u, i * u.ld + l) * factor - (centre != NULL ? centre[l] : 0);
		__half hi, lo;
		split(y, up, &hi, &lo);
		double b = (double)__half2float(lo) * down, z = (double)__half2float(hi) * down + b;
		kept += z * z;
		lost += (y - z) * (y - z);
		second += b * b;
		squares += y * y;
	}
	for (int step = 16; step > 0; step /= 2) {
		kept += __shfl_xor_sync(0xffffffffu, kept, step);
		lost += __shfl_xor_sync(0xffffffffu, lost, step);
		second += __shfl_xor_sync(0xffffffffu, second, step);
		squares += __shfl_xor_sync(0xffffffffu, squares, step);
	}
	if (threadIdx.x % 32 != 0)
		return;
	half[i] = squares / 2;
	norm[i] = sqrt(kept) * (1 + 0x1p-20);
	residual[i] = sqrt(lost) * (1 + 0x1p-20);
	if (kept > 0) {
		atomicMax(&extent[2], __float_as_uint((float)(lost / kept)));
		atomicMax(&extent[3], __float_as_uint((float)(second / kept)));
	}
}

/* (6.10); beta is the largest ratio of residual and norm, which for most data is that of most rows; in 2^-40 ... 2^-12.
 */
__global__ static void
bound_kernel(bool exact, bool pieces, bool parts, int64_t d, const double *half, double *eps, double *base,
	     int64_t count, const unsigned *extent)
{
	int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	double beta = fmin(fmax(sqrt((double)__uint_as_float(extent[2])), 0x1p-40), 0x1p-12);
	double second = pieces ? sqrt((double)__uint_as_float(extent[3])) * (1 + 0x1p-20) : 0;
	double tensor = !pieces ? knng_tensor(d)
			: parts ? knng_tensor_pieces_parts(d, second)
				: knng_tensor_pieces(d, second);
	eps[i] = exact ? 0 : knng_eps16(d, half[i], base[i], eps[i], beta, tensor);
	base[i] = exact ? half[i] : __dsub_rd(half[i], eps[i]);
}

__global__ static void
base_kernel(bool exact, double *half, double *eps, double *base, int64_t count)
{
	int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	if (exact)
		eps[i] = 0;
	base[i] = exact ? half[i] : __dsub_rd(half[i], eps[i]);
#ifdef KNNG_PLANT_MEMORY /* what memcheck must find: one past the end */
	if (i == count - 1)
		base[count] = 0;
#endif
}

/* ---------------------------------------------------------------- launchers */

void
launch_transpose(const void *raw, knng_type type, int64_t n, int64_t first, int64_t columns, prepared u,
		 cudaStream_t stream)
{
	dim3 grid(blocks_for(n, 32), blocks_for(columns, 32)), threads(32, 8);
	double *to = (double *)u.at;
	if (u.single)
		transpose_kernel<<<grid, threads, 0, stream>>>((const float *)raw, n, first, columns, (float *)u.at,
							       u.ld);
	else if (type == KNNG_F32)
		transpose_kernel<<<grid, threads, 0, stream>>>((const float *)raw, n, first, columns, to, u.ld);
	else
		transpose_kernel<<<grid, threads, 0, stream>>>((const double *)raw, n, first, columns, to, u.ld);
}

void
launch_spread(const void *raw, knng_type type, int64_t n, int64_t d, prepared u, cudaStream_t stream)
{
	unsigned blocks = blocks_for(n, THREADS / 32);
	double *to = (double *)u.at;
	if (u.single)
		spread_kernel<<<blocks, THREADS, 0, stream>>>((const float *)raw, n, d, (float *)u.at, u.ld);
	else if (type == KNNG_F32)
		spread_kernel<<<blocks, THREADS, 0, stream>>>((const float *)raw, n, d, to, u.ld);
	else
		spread_kernel<<<blocks, THREADS, 0, stream>>>((const double *)raw, n, d, to, u.ld);
}

void
launch_rank(prepared u, int64_t n, int64_t d, double *scratch, cudaStream_t stream)
{
	unsigned blocks = (unsigned)(n < RANK_BLOCKS ? n : (int64_t)RANK_BLOCKS);
	rank_kernel<<<blocks, 128, 0, stream>>>((double *)u.at, n, d, u.ld, scratch);
}

void
launch_prepare(const knng_metric *metric, prepared u, int64_t n, int64_t d, uint8_t *state, uint64_t *hash,
	       unsigned long long *extent, cudaStream_t stream)
{
	prepare_kernel<<<blocks_for(n, THREADS / LANES), THREADS, 0, stream>>>(metric->prep, u, n, d, state, hash,
									       extent);
}

void
launch_meet_hashes(const uint8_t *state, const uint64_t *hash, int64_t n, uint64_t *table, int64_t size, int32_t *flag,
		   cudaStream_t stream)
{
	meet_hashes_kernel<<<blocks_for(n, THREADS), THREADS, 0, stream>>>(state, (const unsigned long long *)hash, n,
									   (unsigned long long *)table, size, flag);
}

void
launch_differ(prepared u, prepared v, const int32_t *a, const int32_t *b, int64_t count, int32_t *differs,
	      cudaStream_t stream)
{
	differ_kernel<<<blocks_for(count, THREADS / 32), THREADS, 0, stream>>>(u, v, a, b, count, differs);
}

void
launch_copy(prepared u, const int32_t *rows, int64_t count, void *to, cudaStream_t stream)
{
	copy_kernel<<<blocks_for(count, THREADS / 32), THREADS, 0, stream>>>(
		(const int4 *)u.at, u.ld / (u.single ? 4 : 2), rows, count, (int4 *)to);
}

void
launch_gather(prepared u, int64_t d, const int32_t *rows, const double *centre, double scale, int64_t count, double *to,
	      cudaStream_t stream)
{
	gather_kernel<<<blocks_for(count, THREADS / 32), THREADS, 0, stream>>>(u, d, rows, centre, scale, count, to);
}

void
launch_gather(prepared u, int64_t d, const int32_t *rows, const double *centre, double scale, int64_t count, float *to,
	      cudaStream_t stream)
{
	gather_kernel<<<blocks_for(count, THREADS / 32), THREADS, 0, stream>>>(u, d, rows, centre, scale, count, to);
}

void
launch_measure(knng_sum sum, prepared u, const double *centre, double scale, int64_t count, int64_t d, double *half,
	       double *eps, int32_t *large, cudaStream_t stream)
{
	measure_kernel<<<blocks_for(count, THREADS / 32), THREADS, 0, stream>>>(sum, u, centre, scale, count, d, half,
										eps, large);
}

void
launch_lengths(prepared u, const double *centre, double factor, int64_t count, int64_t d, double *half,
	       unsigned *extent, cudaStream_t stream)
{
	lengths_kernel<<<blocks_for(count, THREADS / 32), THREADS, 0, stream>>>(u, centre, factor, count, d, half,
										extent);
}

void
launch_halve(prepared u, const double *centre, double factor, float common, __half *f, float *scale, int64_t count,
	     int64_t d, const double *half, double *norm, double *residual, unsigned *extent, cudaStream_t stream)
{
	halve_kernel<<<blocks_for(count, THREADS / 32), THREADS, 0, stream>>>(u, centre, factor, common, f, scale,
									      count, d, half, norm, residual, extent);
}

void
launch_split(prepared u, const int32_t *from, const int32_t *point, const double *centre, double factor,
	     const float *scale, int64_t count, int64_t d, __half *f, bool column, cudaStream_t stream)
{
	split_kernel<<<blocks_for(count, THREADS / 32), THREADS, 0, stream>>>(u, from, point, centre, factor, scale,
									      count, d, f, column);
}

void
launch_pieces(prepared u, const double *centre, double factor, const float *scale, int64_t count, int64_t d,
	      double *half, double *norm, double *residual, unsigned *extent, cudaStream_t stream)
{
	pieces_kernel<<<blocks_for(count, THREADS / 32), THREADS, 0, stream>>>(u, centre, factor, scale, count, d, half,
									       norm, residual, extent);
}

void
launch_bound(bool exact, bool pieces, bool parts, int64_t d, const double *half, double *eps, double *base,
	     int64_t count, const unsigned *extent, cudaStream_t stream)
{
	bound_kernel<<<blocks_for(count, THREADS), THREADS, 0, stream>>>(exact, pieces, parts, d, half, eps, base,
									 count, extent);
}

void
launch_base(bool exact, double *half, double *eps, double *base, int64_t count, cudaStream_t stream)
{
	base_kernel<<<blocks_for(count, THREADS), THREADS, 0, stream>>>(exact, half, eps, base, count);
}
