/* cublas_v2.h  The products that knng asks for, for tests/emulate/cuda_runtime.h. */
#ifndef EMULATED_CUBLAS_V2_H
#define EMULATED_CUBLAS_V2_H

#include "cuda_runtime.h"

typedef struct emulated_blas *cublasHandle_t;
typedef int cublasStatus_t;
typedef int cudaDataType_t;
enum { CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_ALLOC_FAILED = 3 };
enum { CUBLAS_OP_N, CUBLAS_OP_T };
enum { CUDA_R_32F, CUDA_R_16F = 2 };
enum { CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_PEDANTIC, CUBLAS_GEMM_DEFAULT };
enum cublasMath_t {
	CUBLAS_DEFAULT_MATH,
	CUBLAS_PEDANTIC_MATH = 2,
	CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};
cublasStatus_t cublasCreate(cublasHandle_t *blas);
cublasStatus_t cublasDestroy(cublasHandle_t blas);
cublasStatus_t cublasSetStream(cublasHandle_t blas, cudaStream_t s);
cublasStatus_t cublasSetMathMode(cublasHandle_t blas, cublasMath_t mode);
const char *cublasGetStatusString(cublasStatus_t status);
/* The first turned, the second not. */
cublasStatus_t cublasGemmEx(cublasHandle_t blas, int turn_a, int turn_b, int m, int n, int k, const void *alpha,
			    const void *a, int type_a, int lda, const void *b, int type_b, int ldb, const void *beta,
			    void *c, int type_c, int ldc, int compute, int algorithm);
cublasStatus_t cublasDgemm(cublasHandle_t blas, int turn_a, int turn_b, int m, int n, int k, const double *alpha,
			   const double *a, int lda, const double *b, int ldb, const double *beta, double *c, int ldc);

#endif
