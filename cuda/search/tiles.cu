/* tiles.cu  What cuBLAS leaves to be done for tiles of products; tiles of canonical distances. */
#include "cuda/search/kernels.h"

/* ---------------------------------------------------------------- kernels */

__global__ static void
orient_kernel(bool absolute, double *v, int64_t nr, int64_t nc, int64_t width)
{
	int64_t c = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
	if (c >= nc)
		return;
	for (int64_t r = blockIdx.y; r < nr; r += gridDim.y)
		v[r * width + c] = absolute ? fabs(v[r * width + c]) : -v[r * width + c];
}

/* Eight scores a thread. Reads four bytes a pair and writes two: bandwidth. */
__global__ static void
narrow_kernel(const float *sums, int64_t nr, int64_t nc, __half *v, int64_t width)
{
	int64_t c = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * 8;
	if (c >= nc)
		return;
	for (int64_t r = blockIdx.y; r < nr; r += gridDim.y) {
		const float4 *from = (const float4 *)(sums + r * nc + c);
		float4 a = __ldcs(from), b = __ldcs(from + 1);
		__align__(16) __half2 eight[4] = {__floats2half2_rn(a.x, a.y), __floats2half2_rn(a.z, a.w),
						  __floats2half2_rn(b.x, b.y), __floats2half2_rn(b.z, b.w)};
		*(int4 *)(v + r * width + c) = *(const int4 *)eight;
	}
}

/* A thread a pair, its eight accumulators in registers; 16 x 16 pairs a block, 16 features at a time in shared memory.
 */
__global__ static void
canonical_kernel(knng_sum sum, knng_final_map map, prepared u, const int32_t *pending, prepared columns, int64_t nr,
		 int64_t nc, double *v, int64_t width)
{
	__shared__ double a[16][17], b[16][17];
	int64_t r0 = (int64_t)blockIdx.y * 16, c0 = (int64_t)blockIdx.x * 16;
	int64_t row = r0 + threadIdx.y, column = c0 + threadIdx.x;
	int64_t from_row = r0 + threadIdx.y < nr ? r0 + threadIdx.y : nr - 1;
	int64_t from_column = c0 + threadIdx.y < nc ? c0 + threadIdx.y : nc - 1;
	int64_t ld = u.ld, x = (pending != NULL ? pending[from_row] : from_row) * ld, y = from_column * ld;
	double result = 0;
	bool either = sum == KNNG_SUM_EITHER;
	for (int sign = 0; sign < (either ? 2 : 1); sign++) {
		knng_sum kind = either ? (sign == 0 ? KNNG_SUM_MINUS : KNNG_SUM_PLUS) : sum;
		double acc[LANES] = {};
		for (int64_t l0 = 0; l0 < ld; l0 += 16) {
			bool there = l0 + threadIdx.x < ld;
			a[threadIdx.y][threadIdx.x] = there ? number_of(u, x + l0 + threadIdx.x) : 0;
			b[threadIdx.y][threadIdx.x] = there ? number_of(columns, y + l0 + threadIdx.x) : 0;
			__syncthreads();
#pragma unroll
			for (int l = 0; l < 16; l++)
				acc[l % LANES] = meet(kind, acc[l % LANES], a[threadIdx.y][l], b[threadIdx.x][l]);
			__syncthreads();
		}
		double total;
		if (kind == KNNG_SUM_LINF) {
			total = 0;
#pragma unroll
			for (int l = 0; l < LANES; l++)
				total = fmax(total, acc[l]);
		} else {
			total = __dadd_rn(__dadd_rn(__dadd_rn(acc[0], acc[4]), __dadd_rn(acc[2], acc[6])),
					  __dadd_rn(__dadd_rn(acc[1], acc[5]), __dadd_rn(acc[3], acc[7])));
		}
		result = sign == 0 ? total : fmin(result, total);
	}
	if (row < nr && column < nc)
		v[row * width + column] = -map_on_device(map, result);
}

/* ---------------------------------------------------------------- launchers */

static unsigned
up(int64_t a, int64_t b)
{
	return (unsigned)((a + b - 1) / b);
}

void
launch_orient(knng_sum sum, double *v, int64_t nr, int64_t nc, int64_t width, cudaStream_t stream)
{
	dim3 grid(up(nc, 256), (unsigned)(nr < 1024 ? nr : 1024));
	if (sum == KNNG_SUM_PLUS || sum == KNNG_SUM_EITHER)
		orient_kernel<<<grid, 256, 0, stream>>>(sum == KNNG_SUM_EITHER, v, nr, nc, width);
}

void
launch_narrow(const float *sums, int64_t nr, int64_t nc, __half *v, int64_t width, cudaStream_t stream)
{
	dim3 grid(up(nc, 8 * 128), (unsigned)(nr < 2048 ? nr : 2048));
	narrow_kernel<<<grid, 128, 0, stream>>>(sums, nr, nc, v, width);
}

void
launch_canonical_tile(knng_sum sum, knng_final_map map, prepared u, const int32_t *pending, prepared columns,
		      int64_t nr, int64_t nc, double *v, int64_t width, cudaStream_t stream)
{
	dim3 grid(up(nc, 16), up(nr, 16)), threads(16, 16);
	canonical_kernel<<<grid, threads, 0, stream>>>(sum, map, u, pending, columns, nr, nc, v, width);
}
