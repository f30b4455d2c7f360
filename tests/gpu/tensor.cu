/* tensor.cu  Compares cuBLAS's half-precision products with the bound that canonical.md, (6.9) and (6.13), gives for
 * the sums of tensor cores: through the calls of the backend, with the rows of its own check (cuda/search/tensor.h), in
 * more shapes and with other numbers. */
#include "cuda/search/products.h"
#include "cuda/search/tensor.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 16384, MOST = 2048, SEEDS = 3 };

static const struct {
	int d, n; /* cuBLAS has other kernels for large products; of pieces n is no multiple of 8 */
	bool pieces;
} shapes[] = {
	{8, 32, false},     {16, 32, false},    {24, 32, false},     {40, 32, false},      {64, 32, false},
	{296, 32, false},   {296, MOST, false}, {1000, 32, false},   {2048, 32, false},    {2048, MOST, false},
	{2056, 32, false},  {4096, 32, false},  {4096, MOST, false}, {LONGEST, 32, false}, {LONGEST, MOST, false},
	{8, 29, true},      {8, 1021, true},    {48, 29, true},      {48, 1021, true},     {168, 29, true},
	{168, 1021, true},  {176, 29, true},    {176, 1021, true},   {296, 29, true},      {296, 1021, true},
	{1024, 29, true},   {1024, 1021, true}, {2048, 29, true},    {2048, 1021, true},   {2056, 29, true},
	{2056, 1021, true}, {5000, 29, true},   {5000, 1021, true},
};

static __half *rows, *columns;       /* on the device */
static __half *of_rows, *of_columns; /* on the host, TENSOR_ROWS of them */
static double *values;
static void *out;
static char fetched[MOST * MOST * sizeof(float)];

/* n rows, those on the host over and over again. */
static bool
fill(__half *to, const __half *from, int n, int64_t length)
{
	bool fine = true;
	for (int i = 0; i < n; i += TENSOR_ROWS)
		fine = fine && cudaMemcpy(to + i * length, from,
					  sizeof *to * length * (n - i < TENSOR_ROWS ? n - i : TENSOR_ROWS),
					  cudaMemcpyHostToDevice) == cudaSuccess;
	return fine;
}

/* How much of the bound the worst of all products takes; -1: a call failed. */
static double
worst_of(cublasHandle_t blas, const tensor_rows *t, int n, bool halves)
{
	int64_t width = (n + 7) / 8 * 8, line = width * (halves ? 2 : 4);
	double worst = 0;
	cublasStatus_t status = t->pieces ? product_of_pieces(blas, columns, rows, n, n, t->d, (float *)out, width)
					  : product_of_halves(blas, rows, rows, n, n, t->d, out,
							      halves ? CUDA_R_16F : CUDA_R_32F, width);
	if (status != CUBLAS_STATUS_SUCCESS ||
	    cudaMemcpy(fetched, out, (size_t)(n * line), cudaMemcpyDeviceToHost) != cudaSuccess)
		return -1;
	for (int i = 0; i < n; i++)
		worst = fmax(worst, tensor_worst(t, i, fetched + i * line, halves, n));
	return worst;
}

int
main(void)
{
	static tensor_rows t;
	cublasHandle_t blas;
	int passed = 0, failed = 0;
	double used[2] = {0, 0};
	of_rows = (__half *)malloc(sizeof *of_rows * TENSOR_ROWS * LONGEST);
	of_columns = (__half *)malloc(sizeof *of_columns * TENSOR_ROWS * LONGEST);
	values = (double *)malloc(sizeof *values * TENSOR_ROWS * LONGEST);
	if (of_rows == NULL || of_columns == NULL || values == NULL ||
	    cudaMalloc((void **)&rows, sizeof *rows * MOST * LONGEST) != cudaSuccess ||
	    cudaMalloc((void **)&columns, sizeof *columns * MOST * LONGEST) != cudaSuccess ||
	    cudaMalloc(&out, sizeof fetched) != cudaSuccess || cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS ||
	    cublasSetMathMode(blas, PRODUCTS_MODE) != CUBLAS_STATUS_SUCCESS)
		return 1;
	for (uint64_t seed = 0; seed < SEEDS; seed++)
		for (size_t z = 0; z < sizeof shapes / sizeof *shapes; z++) {
			int n = shapes[z].n;
			bool pieces = shapes[z].pieces;
			int64_t d = shapes[z].d, length = pieces ? 3 * d : d;
			tensor_make(&t, 100 * seed + z, d, pieces, of_rows, of_columns, values);
			if (!fill(rows, of_rows, n, length) || (pieces && !fill(columns, of_columns, n, length)))
				return 1;
			/* Of one part of halves the products are stored as halves. */
			for (int halves = 0; halves <= (!pieces && knng_tensor_parts(d) == 1); halves++) {
				double worst = worst_of(blas, &t, n, halves);
				bool fine = worst >= 0 && worst <= 1;
				passed += fine;
				failed += !fine;
				if (!halves)
					used[pieces] = fmax(used[pieces], worst);
				if (!fine)
					printf("  %s, d = %d, n = %d%s: %.3f of the bound\n",
					       pieces ? "two pieces" : "halves", (int)d, n, halves ? ", stored" : "",
					       worst);
			}
		}
	/* The vectors have to be hard, or this would show nothing. */
	bool hard = used[0] > 0.05 && used[1] > 0.05;
	passed += hard;
	failed += !hard;
	printf("the error reaches %.3f of the bound, of two pieces %.3f\n%d passed, %d failed\n", used[0], used[1],
	       passed, failed);
	return failed > 0;
}
