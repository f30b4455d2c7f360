/* differences.cu  cityblock and chebychev, which are no products: copies of rows with their bounds, and tiles of the
 * distances of copies.
 *
 * The first level has copies of whole numbers, in a unit that is one for all rows. Those of cityblock are bytes, of
 * which an instruction adds up four differences; those of chebychev are halves up to 1 023, of which one takes two. So
 * the distance of two copies is exact, and what copies lose is all that a bound has to cover. The second level has
 * copies in single precision, the third doubles. */
#include "cuda/search/kernels.h"

enum { THREADS = 256 };

static unsigned
up(int64_t a, int64_t b)
{
	return (unsigned)((a + b - 1) / b);
}

/* ---------------------------------------------------------------- copies */

/* Sums and maxima over a row, of which each thread of a warp has seen a part. */
__device__ static inline double
whole_row(bool largest, double x)
{
	for (int step = 16; step > 0; step /= 2) {
		double other = __shfl_xor_sync(0xffffffffu, x, step);
		x = largest ? fmax(x, other) : x + other;
	}
	return x;
}

/* (6.20) of docs/canonical.md. A warp a row. Bytes beyond the end of a row are all alike. */
__global__ static void
grid_kernel(bool largest, prepared u, const double *centre, double factor, float unit, int64_t bytes, char *copies,
	    float *scale, int64_t count, int64_t d, double *half, double *eps)
{
	int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
	if (i >= count)
		return;
	double lost = 0, norm = 0, most = largest ? KNNG_GRID_HALVES : KNNG_GRID_BYTES;
	for (int64_t l = threadIdx.x % 32; l < (largest ? bytes / 2 : bytes); l += 32) {
		double y = l < d ? number_of(u, i * u.ld + l) * factor - (centre != NULL ? centre[l] : 0) : 0;
		double whole = fmin(fmax(rint(y / unit), -most), most), off = fabs(y - whole * unit);
#ifdef KNNG_PLANT_GRID /* what the tests must find: what lies beyond the grid is not counted */
		off = fmin(off, unit / 2);
#endif
		lost = largest ? fmax(lost, off) : lost + off;
		norm = largest ? fmax(norm, fabs(y)) : norm + fabs(y);
		if (largest)
			((__half *)(copies + i * bytes))[l] = __double2half(whole);
		else
			((uint8_t *)(copies + i * bytes))[l] = (uint8_t)((int)whole + KNNG_GRID_BYTES);
	}
	lost = whole_row(largest, lost);
	norm = whole_row(largest, norm);
	if (threadIdx.x % 32 != 0)
		return;
	scale[i] = unit;
	half[i] = 0;
	eps[i] = knng_eps_grid(d, norm, lost);
}

/* (6.7) of docs/canonical.md: the bounds of copies in single precision, which each tile makes for itself. A warp a row.
 */
__global__ static void
singles_kernel(bool largest, prepared u, const double *centre, double factor, float *scale, int64_t count, int64_t d,
	       double *half, double *eps)
{
	int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
	if (i >= count)
		return;
	double lost = 0, norm = 0;
	for (int64_t l = threadIdx.x % 32; l < d; l += 32) {
		double v = number_of(u, i * u.ld + l), y = centre != NULL ? v * factor - centre[l] : v;
		double copy = (double)(float)y, off = fabs(y - copy);
		lost = largest ? fmax(lost, off) : lost + off;
		norm = largest ? fmax(norm, fabs(copy)) : norm + fabs(copy);
	}
	lost = whole_row(largest, lost);
	norm = whole_row(largest, norm) * (1 + 0x1p-20);
	if (threadIdx.x % 32 != 0)
		return;
	scale[i] = 1;
	half[i] = 0;
	eps[i] = knng_eps32_differences(d, norm, lost * (1 + 0x1p-20) + 0x1p-47 * norm,
					largest ? 0x1p-23 : knng_gamma((double)d + 2, 0x1p-24));
}

/* ---------------------------------------------------------------- tiles */

/* What a word of a copy holds. */
typedef enum { BYTES, HALVES, SINGLES, SINGLES_MAX } kind;

/* The distance so far, and one word more of each row. */
template <kind KIND>
__device__ static inline uint32_t
meet_words(uint32_t so_far, uint32_t a, uint32_t b)
{
	if (KIND == BYTES) {
#ifndef KNNG_PLAIN
		asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %0;" : "+r"(so_far) : "r"(a), "r"(b));
		return so_far;
#else
		return so_far + __vsadu4(a, b);
#endif
	}
	if (KIND == HALVES) {
		__half2 apart = __habs2(__hsub2(*(const __half2 *)&a, *(const __half2 *)&b));
		apart = __hmax2(*(const __half2 *)&so_far, apart);
		return *(const uint32_t *)&apart;
	}
	float apart = fabsf(__uint_as_float(a) - __uint_as_float(b)), all = __uint_as_float(so_far);
	return __float_as_uint(KIND == SINGLES ? all + apart : fmaxf(all, apart));
}

template <kind KIND>
__device__ static inline float
distance_in(uint32_t so_far)
{
	const __half2 *two = (const __half2 *)&so_far;
	return KIND == BYTES    ? (float)so_far
	       : KIND == HALVES ? __half2float(__hmax(__low2half(*two), __high2half(*two)))
				: __uint_as_float(so_far);
}

/* 128 x 128 pairs a block of 16 x 16 threads, 8 x 8 pairs a thread: two times four neighbouring rows and columns, so
 * that words come four at a time from shared memory. There lie 16 words of each row, in turn in two places: the next
 * ones come while these meet. Limited by the instructions of meet_words. */
enum { SIDE = 128, DEPTH = 16, EACH = 8, FOURS = DEPTH / 4, PARTS = SIDE * FOURS / THREADS };

typedef struct {
	uint4 some[2][PARTS]; /* of rows and of columns */
} words_to_come;

__device__ static inline void
fetch_words(const uint32_t *const from[2], const int first[2], const int end[2], int words, int at, words_to_come *to)
{
#pragma unroll
	for (int side = 0; side < 2; side++)
#pragma unroll
		for (int p = 0; p < PARTS; p++) {
			int e = threadIdx.x + p * THREADS;
			int row = first[side] + e / FOURS, w = at + e % FOURS * 4;
			to->some[side][p] = row < end[side] && w < words
						    ? *(const uint4 *)(from[side] + (int64_t)row * words + w)
						    : make_uint4(0, 0, 0, 0);
		}
}

template <kind KIND>
__global__ static void
__launch_bounds__(THREADS, 2)
	distances_kernel(const uint32_t *rows, const uint32_t *columns, int words, int nr, int nc, float *v, int width)
{
	__shared__ uint4 held[2][2][DEPTH][SIDE / 4]; /* place, side, word, row */
	const uint32_t *const from[2] = {rows, columns};
	const int first[2] = {(int)blockIdx.y * SIDE, (int)blockIdx.x * SIDE}, end[2] = {nr, nc};
	int x = threadIdx.x % 16, y = threadIdx.x / 16, place = 0;
	uint32_t apart[EACH][EACH] = {};
	words_to_come next;
	fetch_words(from, first, end, words, 0, &next);
	for (int at = 0; at < words; at += DEPTH, place ^= 1) {
#pragma unroll
		for (int side = 0; side < 2; side++)
#pragma unroll
			for (int p = 0; p < PARTS; p++) {
				int e = threadIdx.x + p * THREADS, row = e / FOURS, w = e % FOURS * 4;
				uint4 some = next.some[side][p];
				((uint32_t *)held[place][side][w])[row] = some.x;
				((uint32_t *)held[place][side][w + 1])[row] = some.y;
				((uint32_t *)held[place][side][w + 2])[row] = some.z;
				((uint32_t *)held[place][side][w + 3])[row] = some.w;
			}
		__syncthreads();
		if (at + DEPTH < words)
			fetch_words(from, first, end, words, at + DEPTH, &next);
		int there = words - at < DEPTH ? words - at : (int)DEPTH;
#pragma unroll 2
		for (int w = 0; w < there; w++) {
			uint4 a[2] = {held[place][0][w][y], held[place][0][w][16 + y]};
			uint4 b[2] = {held[place][1][w][x], held[place][1][w][16 + x]};
#pragma unroll
			for (int r = 0; r < EACH; r++)
#pragma unroll
				for (int c = 0; c < EACH; c++)
					apart[r][c] = meet_words<KIND>(apart[r][c], ((const uint32_t *)a)[r],
								       ((const uint32_t *)b)[c]);
		}
	}
#pragma unroll
	for (int r = 0; r < EACH; r++) {
		int row = first[0] + r / 4 * 64 + y * 4 + r % 4;
#pragma unroll
		for (int c = 0; c < EACH; c += 4) {
			int column = first[1] + c / 4 * 64 + x * 4;
			if (row < nr && column < nc)
				*(float4 *)(v + (int64_t)row * width + column) = make_float4(
					distance_in<KIND>(apart[r][c]), distance_in<KIND>(apart[r][c + 1]),
					distance_in<KIND>(apart[r][c + 2]), distance_in<KIND>(apart[r][c + 3]));
		}
	}
}

enum { SIDE_OF_DOUBLES = 64, DEPTH_OF_DOUBLES = 16, EACH_OF_DOUBLES = 4 };

/* 64 x 64 pairs a block of 16 x 16 threads, 4 x 4 pairs a thread, 16 features at a time in shared memory. Limited by
 * the double-precision adds: two or three a pair and feature. */
__global__ static void
difference_kernel(knng_sum sum, const double *rows, const double *columns, int64_t d, int64_t ld, int64_t nr,
		  int64_t nc, double *v, int64_t width)
{
	__shared__ double a[DEPTH_OF_DOUBLES][SIDE_OF_DOUBLES + 1], b[DEPTH_OF_DOUBLES][SIDE_OF_DOUBLES + 1];
	int64_t r0 = (int64_t)blockIdx.y * SIDE_OF_DOUBLES, c0 = (int64_t)blockIdx.x * SIDE_OF_DOUBLES;
	int t = threadIdx.y * 16 + threadIdx.x;
	double acc[EACH_OF_DOUBLES][EACH_OF_DOUBLES] = {};
	for (int64_t l0 = 0; l0 < d; l0 += DEPTH_OF_DOUBLES) {
		for (int e = t; e < SIDE_OF_DOUBLES * DEPTH_OF_DOUBLES; e += 256) {
			int64_t row = e / DEPTH_OF_DOUBLES, l = l0 + e % DEPTH_OF_DOUBLES;
			a[e % DEPTH_OF_DOUBLES][row] = r0 + row < nr && l < d ? rows[(r0 + row) * ld + l] : 0;
			b[e % DEPTH_OF_DOUBLES][row] = c0 + row < nc && l < d ? columns[(c0 + row) * ld + l] : 0;
		}
		__syncthreads();
		for (int l = 0; l < DEPTH_OF_DOUBLES; l++)
#pragma unroll
			for (int r = 0; r < EACH_OF_DOUBLES; r++)
#pragma unroll
				for (int c = 0; c < EACH_OF_DOUBLES; c++) {
					double x = fabs(a[l][threadIdx.y + 16 * r] - b[l][threadIdx.x + 16 * c]);
					acc[r][c] = sum == KNNG_SUM_LINF ? fmax(acc[r][c], x) : acc[r][c] + x;
				}
		__syncthreads();
	}
	for (int r = 0; r < EACH_OF_DOUBLES; r++)
		for (int c = 0; c < EACH_OF_DOUBLES; c++) {
			int64_t row = r0 + threadIdx.y + 16 * r, column = c0 + threadIdx.x + 16 * c;
			if (row < nr && column < nc)
				v[row * width + column] = -acc[r][c];
		}
}

/* ---------------------------------------------------------------- launchers */

void
launch_grid(knng_sum sum, prepared u, const double *centre, double factor, float unit, void *copies, float *scale,
	    int64_t count, int64_t d, double *half, double *eps, cudaStream_t stream)
{
	bool largest = sum == KNNG_SUM_LINF;
	grid_kernel<<<up(count, THREADS / 32), THREADS, 0, stream>>>(
		largest, u, centre, factor, unit, grid_bytes(sum, u.ld), (char *)copies, scale, count, d, half, eps);
}

void
launch_singles(knng_sum sum, prepared u, const double *centre, double factor, float *scale, int64_t count, int64_t d,
	       double *half, double *eps, cudaStream_t stream)
{
	singles_kernel<<<up(count, THREADS / 32), THREADS, 0, stream>>>(sum == KNNG_SUM_LINF, u, centre, factor, scale,
									count, d, half, eps);
}

void
launch_distances(knng_sum sum, bool singles, const void *rows, const void *columns, int64_t ld, int64_t nr, int64_t nc,
		 float *v, int64_t width, cudaStream_t stream)
{
	static void (*const kernels[2][2])(const uint32_t *, const uint32_t *, int, int, int, float *,
					   int) = {{distances_kernel<BYTES>, distances_kernel<HALVES>},
						   {distances_kernel<SINGLES>, distances_kernel<SINGLES_MAX>}};
	dim3 grid(up(nc, SIDE), up(nr, SIDE));
	kernels[singles][sum == KNNG_SUM_LINF]<<<grid, THREADS, 0, stream>>>(
		(const uint32_t *)rows, (const uint32_t *)columns, (int)(singles ? ld : grid_bytes(sum, ld) / 4),
		(int)nr, (int)nc, v, (int)width);
}

void
launch_difference_tile(knng_sum sum, const double *rows, const double *columns, int64_t d, int64_t ld, int64_t nr,
		       int64_t nc, double *v, int64_t width, cudaStream_t stream)
{
	dim3 grid(up(nc, SIDE_OF_DOUBLES), up(nr, SIDE_OF_DOUBLES)), threads(16, 16);
	difference_kernel<<<grid, threads, 0, stream>>>(sum, rows, columns, d, ld, nr, nc, v, width);
}
