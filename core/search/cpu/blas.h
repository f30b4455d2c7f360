/* blas.h  Who makes the tiles of inner products: OpenBLAS, or our own kernel where OpenBLAS does not know the
 * processor (an old OpenBLAS on a new CPU falls back to code four times slower). */
#ifndef KNNG_BLAS_H
#define KNNG_BLAS_H

#include "search/cpu/kernels.h"

/* Keeps OpenBLAS at one thread, since tiles run on ours; release gives it back the number it had. */
int knng_blas_claim(void);
void knng_blas_release(int threads);

/* Whether OpenBLAS, called from so many threads at once, finds the address space for the buffer that it maps for each
 * caller and keeps for later ones. It has to be asked before the first call, and again when memory was claimed since:
 * where a buffer cannot be mapped OpenBLAS tries for ever, and from 0.3.30 on ends the process. Buffers that it holds
 * already are not known and asked for again. */
bool knng_blas_has_room(int callers);

/* v (bi x bj, row stride ldv) = or += rows * columns', row-major with d columns, over columns [l0, l1). */
void knng_blas_tile(const float *rows, const float *columns, int64_t d, int64_t l0, int64_t l1, int64_t bi, int64_t bj,
		    float *v, int64_t ldv, bool add);
void knng_blas_tile64(const double *rows, const double *columns, int64_t d, int64_t bi, int64_t bj, double *v,
		      int64_t ldv);

/* True if OpenBLAS makes a 256 x 256 x 256 product faster than these kernels. Measured once a process, about 2 ms.
 * OpenBLAS must be claimed, and have room for one caller. */
bool knng_blas_is_faster(const knng_kernels *kernels);

#endif
