/* tensor.cu  Holds cuBLAS's half-precision products against the bound that canonical.md, 6, gives for the accumulation
 * of tensor cores, with vectors that are hard on it. Products of halves are exact in double precision, and sums of them
 * nearly so. */
#include "bounds.h"

#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 32, LONGEST = 16384, MOST = 2048 }; /* rows repeated: cuBLAS has other kernels for large products */

static double
uniform(void)
{
	return (rand() + 0.5) / ((double)RAND_MAX + 1);
}

static double
sign(void)
{
	return rand() % 2 ? 1 : -1;
}

/* Element l of d of a row of each kind, no longer than 2^7. */
typedef double (*kind)(int row, int l, int d);

static double
noise(int row, int l, int d)
{
	(void)row, (void)l;
	return (uniform() + uniform() + uniform() - 1.5) * 128 / sqrt((double)d);
}

static double
positive(int row, int l, int d)
{
	(void)row, (void)l;
	return uniform() * 128 / sqrt((double)d);
}

/* Large terms that cancel, with a small rest. */
static double
cancelling(int row, int l, int d)
{
	double large = 100 / sqrt((double)d);
	return row % 2 ? large * (1 + uniform() * 0x1p-8) : (l % 2 ? -large : large);
}

/* One product of about 2^12, and many that lie below the last bit of it. */
static double
swallowed(int row, int l, int d)
{
	(void)row, (void)d;
	return l == 0 ? 64 + uniform() : 0x1p-6 * (1 + uniform());
}

static double
swallowed_late(int row, int l, int d)
{
	return swallowed(row, d - 1 - l, d);
}

static double
subnormal(int row, int l, int d)
{
	(void)row, (void)d;
	return l % 7 == 0 ? sign() * uniform() : sign() * 0x1p-24 * (1 + rand() % 1000);
}

static double
geometric(int row, int l, int d)
{
	(void)row;
	return sign() * 100 * fmin(1, sqrt(27. / d)) * pow(2., -20. * l / d);
}

static const struct {
	const char *name;
	kind element;
} kinds[] = {
	{"noise", noise},
	{"positive", positive},
	{"cancelling", cancelling},
	{"swallowed", swallowed},
	{"swallowed late", swallowed_late},
	{"subnormal", subnormal},
	{"geometric", geometric},
};

static const struct {
	int d, n;
} sizes[] = {
	{8, ROWS},    {16, ROWS},   {24, ROWS},   {40, ROWS},      {64, ROWS},
	{296, ROWS},  {296, MOST},  {1000, ROWS}, {2048, ROWS},    {2048, MOST},
	{2056, ROWS}, {4096, ROWS}, {4096, MOST}, {LONGEST, ROWS}, {LONGEST, MOST},
};

/* The length of even parts of d. */
static int
even_part(int d)
{
	int parts = (int)knng_tensor_parts(d);
	return ((d + parts - 1) / parts + 7) / 8 * 8;
}

/* The products of all pairs of rows, in parts, as cuda/backend.cu makes them. */
static bool
products(cublasHandle_t blas, const __half *rows, int n, int d, cudaDataType_t type, void *out)
{
	const float one = 1, zero = 0;
	int part = even_part(d);
	for (int l = 0; l < d; l += part)
		if (cublasGemmEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, d - l < part ? d - l : part, &one, rows + l,
				 CUDA_R_16F, d, rows + l, CUDA_R_16F, d, l > 0 ? &one : &zero, out, type, n,
				 CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) != CUBLAS_STATUS_SUCCESS)
			return false;
	return true;
}

/* Products of copies in two pieces, as cuda/backend.cu makes them: of rows (lo, hi, hi) and (hi, lo, hi). */
static bool
products_of_pieces(cublasHandle_t blas, const __half *rows, const __half *columns, int n, int d, void *out)
{
	const float one = 1, zero = 0;
	bool joined = 3 * d <= KNNG_TENSOR_JOINED;
	for (int l = 0, part; l < 3 * d; l += part) {
		int left = joined || l >= 2 * d ? 3 * d - l : 2 * d - l;
		part = joined ? left : even_part(l < 2 * d ? 2 * d : d);
		part = part < left ? part : left;
		if (cublasGemmEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, part, &one, columns + l, CUDA_R_16F, 3 * d,
				 rows + l, CUDA_R_16F, 3 * d, l > 0 ? &one : &zero, out, CUDA_R_32F, (n + 7) / 8 * 8,
				 CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) != CUBLAS_STATUS_SUCCESS)
			return false;
	}
	return true;
}

/* A NaN is larger than all. */
static double
larger(double a, double b)
{
	return isnan(a) || a >= b ? a : b;
}

/* The worst error of pieces of rows of that kind, as a part of the bound; -1: a call failed. n: no multiple of 8. */
static double
error_of_pieces(cublasHandle_t blas, kind element, int d, int n, __half *rows, void *out, float *s32)
{
	static double copy[ROWS][LONGEST / 3], real[ROWS][ROWS];
	double kappa = 0, worst = 0, norm[ROWS];
	__half *host = (__half *)malloc(sizeof *host * ROWS * 6 * (size_t)d), *of_columns = rows + (size_t)n * 3 * d;
	if (host == NULL)
		return -1;
	for (int i = 0; i < ROWS; i++) {
		double squares = 0, seconds = 0;
		__half *row = host + (size_t)i * 3 * d, *column = row + (size_t)ROWS * 3 * d;
		for (int l = 0; l < d; l++) {
			double y = element(i, l, d) * (1 + uniform() * 0x1p-11);
			__half hi = __double2half(y), lo = __double2half(y - (double)__half2float(hi));
			row[l] = column[d + l] = lo;
			column[l] = row[d + l] = row[2 * d + l] = column[2 * d + l] = hi;
			double second = (double)__half2float(lo);
			copy[i][l] = (double)__half2float(hi) + second;
			squares += copy[i][l] * copy[i][l];
			seconds += second * second;
		}
		norm[i] = sqrt(squares);
		kappa = fmax(kappa, sqrt(seconds / squares));
	}
	for (int i = 0; i < n; i++)
		if (cudaMemcpy(rows + (size_t)i * 3 * d, host + (size_t)(i % ROWS) * 3 * d, sizeof *host * 3 * d,
			       cudaMemcpyHostToDevice) != cudaSuccess ||
		    cudaMemcpy(of_columns + (size_t)i * 3 * d, host + (size_t)(ROWS + i % ROWS) * 3 * d,
			       sizeof *host * 3 * d, cudaMemcpyHostToDevice) != cudaSuccess)
			worst = -1;
	int width = (n + 7) / 8 * 8;
	if (worst < 0 || !products_of_pieces(blas, rows, of_columns, n, d, out) ||
	    cudaMemcpy(s32, out, sizeof *s32 * n * width, cudaMemcpyDeviceToHost) != cudaSuccess)
		worst = -1;
	for (int i = 0; i < n && worst >= 0; i++)
		for (int j = 0; j < n; j++) {
			int a = i % ROWS, b = j % ROWS;
			if (i < ROWS && j < ROWS) {
				real[a][b] = 0;
				for (int l = 0; l < d; l++)
					real[a][b] += copy[a][l] * copy[b][l];
			}
			double bound = knng_tensor_pieces(d, kappa * (1 + 0x1p-20)) * norm[a] * norm[b];
			worst = larger(worst, fabs((double)s32[(size_t)i * width + j] - real[a][b]) / bound);
		}
	free(host);
	return worst;
}

int
main(void)
{
	static float s32[MOST * MOST];
	static __half s16[MOST * MOST];
	static double sum[ROWS][ROWS], size[ROWS][ROWS];
	__half *host = (__half *)malloc(sizeof *host * ROWS * LONGEST), *rows;
	void *out;
	cublasHandle_t blas;
	int passed = 0, failed = 0;
	double used = 0, pieces = 0;
	if (host == NULL || cudaMalloc((void **)&rows, sizeof *rows * MOST * LONGEST) != cudaSuccess ||
	    cudaMalloc(&out, sizeof s32) != cudaSuccess || cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS ||
	    cublasSetMathMode(blas,
			      (cublasMath_t)(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)) !=
		    CUBLAS_STATUS_SUCCESS)
		return 1;
	srand(1);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++) {
			int d = sizes[z].d, n = sizes[z].n;
			double worst32 = 0, worst16 = 0;
			for (int i = 0; i < ROWS; i++)
				for (int l = 0; l < d; l++)
					host[(size_t)i * d + l] = __double2half(kinds[k].element(i, l, d));
			for (int i = 0; i < n; i += ROWS)
				if (cudaMemcpy(rows + (size_t)i * d, host, sizeof *host * ROWS * d,
					       cudaMemcpyHostToDevice) != cudaSuccess)
					return 1;
			if (!products(blas, rows, n, d, CUDA_R_32F, out) ||
			    cudaMemcpy(s32, out, sizeof *s32 * n * n, cudaMemcpyDeviceToHost) != cudaSuccess)
				return 1;
			/* Of several parts the sums are stored once they are complete. */
			if (knng_tensor_parts(d) > 1) {
				for (int e = 0; e < n * n; e++)
					s16[e] = __float2half(s32[e]);
			} else if (!products(blas, rows, n, d, CUDA_R_16F, out) ||
				   cudaMemcpy(s16, out, sizeof *s16 * n * n, cudaMemcpyDeviceToHost) != cudaSuccess) {
				return 1;
			}
			for (int i = 0; i < ROWS; i++)
				for (int j = 0; j < ROWS; j++) {
					sum[i][j] = size[i][j] = 0;
					for (int l = 0; l < d; l++) {
						double p = (double)__half2float(host[(size_t)i * d + l]) *
							   (double)__half2float(host[(size_t)j * d + l]);
						sum[i][j] += p;
						size[i][j] += fabs(p);
					}
				}
			for (int i = 0; i < n; i++)
				for (int j = 0; j < n; j++) {
					double real = sum[i % ROWS][j % ROWS];
					double bound = knng_tensor(d) * size[i % ROWS][j % ROWS];
					double v = (double)__half2float(s16[(size_t)i * n + j]);
					double rounding = fabs(v) * 0x1p-11 + 0x1p-25;
					worst32 = larger(worst32, fabs((double)s32[(size_t)i * n + j] - real) / bound);
					worst16 = larger(worst16, (fabs(v - real) - rounding) / bound);
				}
			bool fine = worst32 <= 1 && worst16 <= 1;
			passed += fine;
			failed += !fine;
			used = fmax(used, worst32);
			if (!fine)
				printf("  %s, d = %d, n = %d: %.3f and %.3f of the bound\n", kinds[k].name, d, n,
				       worst32, worst16);
		}
	static const int lengths[] = {8, 48, 168, 176, 296, 1024, 2048, 2056, 5000};
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (size_t z = 0; z < 2 * sizeof lengths / sizeof *lengths; z++) {
			int d = lengths[z / 2], n = z % 2 ? 1021 : ROWS - 3;
			double worst = error_of_pieces(blas, kinds[k].element, d, n, rows, out, s32);
			bool fine = worst >= 0 && worst <= 1;
			passed += fine;
			failed += !fine;
			pieces = fmax(pieces, worst);
			if (!fine)
				printf("  two pieces, %s, d = %d, n = %d: %.3f of the bound\n", kinds[k].name, d, n,
				       worst);
		}
	/* The vectors have to be hard, or this would show nothing. */
	bool hard = used > 0.05 && pieces > 0.05;
	passed += hard;
	failed += !hard;
	printf("the error reaches %.3f of the bound, of two pieces %.3f\n%d passed, %d failed\n", used, pieces, passed,
	       failed);
	return failed > 0;
}
