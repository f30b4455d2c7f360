/* products.h  The calls of cuBLAS that make tiles of products of copies: for the backend, and for the check that holds
 * them against their bound (tensor.h). */
#ifndef KNNG_PRODUCTS_H
#define KNNG_PRODUCTS_H

#include "search/bounds.h"

#include <cublas_v2.h>
#include <cuda_fp16.h>

/* What the handle has to be set to. */
static const cublasMath_t PRODUCTS_MODE =
	(cublasMath_t)(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);

/* The length of the parts in which products of rows of that many halves are summed up. */
static inline int64_t
product_part(int64_t ld)
{
	int64_t parts = knng_tensor_parts(ld);
	return ((ld + parts - 1) / parts + 7) / 8 * 8;
}

/* v[r*width + c] = the product of rows q[r] and x[c], of ld halves, r < nr, c < nc. Of several parts each is added to
 * those before, so that v has to be of single precision then. */
static inline cublasStatus_t
product_of_halves(cublasHandle_t blas, const __half *x, const __half *q, int64_t nc, int64_t nr, int64_t ld, void *v,
		  cudaDataType_t type, int64_t width)
{
	const float one = 1, zero = 0;
	int64_t part = product_part(ld);
	cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
	for (int64_t l = 0; l < ld && status == CUBLAS_STATUS_SUCCESS; l += part)
		status = cublasGemmEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, (int)nc, (int)nr,
				      (int)(ld - l < part ? ld - l : part), &one, x + l, CUDA_R_16F, (int)ld, q + l,
				      CUDA_R_16F, (int)ld, l > 0 ? &one : &zero, v, type, (int)width,
				      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
	return status;
}

/* The same of copies in two pieces, in single precision: rows q (lo, hi, hi) and x (hi, lo, hi) of 3*ld halves, the
 * smaller products first. */
static inline cublasStatus_t
product_of_pieces(cublasHandle_t blas, const __half *x, const __half *q, int64_t nc, int64_t nr, int64_t ld, float *v,
		  int64_t width)
{
	const float one = 1, zero = 0;
	int64_t whole = 3 * ld, small = 2 * ld;
	bool joined = whole <= KNNG_TENSOR_JOINED;
	cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
	for (int64_t l = 0, part; l < whole && status == CUBLAS_STATUS_SUCCESS; l += part) {
		int64_t left = joined || l >= small ? whole - l : small - l;
		part = joined ? left : product_part(l < small ? small : ld);
		part = part < left ? part : left;
		status = cublasGemmEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, (int)nc, (int)nr, (int)part, &one, x + l,
				      CUDA_R_16F, (int)whole, q + l, CUDA_R_16F, (int)whole, l > 0 ? &one : &zero, v,
				      CUDA_R_32F, (int)width, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
	}
	return status;
}

#endif
