/* blas.c  Calls of OpenBLAS. */
#include "search/cpu/blas.h"
#include "base/sys.h"

#include <cblas.h>
#include <stdatomic.h>

/* What one buffer takes: measured of 0.3.21; earlier ones take less. There is no way to ask for it, but
 * tests/octave/test_openblas.sh finds one that takes more. */
enum { BUFFER = 128 << 20 };

int
knng_blas_claim(void)
{
	int threads = openblas_get_num_threads();
	openblas_set_num_threads(1);
	return threads;
}

void
knng_blas_release(int threads)
{
	if (threads > 0)
		openblas_set_num_threads(threads);
}

bool
knng_blas_has_room(int callers)
{
	return knng_memory_can_map((int64_t)callers * BUFFER);
}

void
knng_blas_tile(const float *rows, const float *columns, int64_t d, int64_t l0, int64_t l1, int64_t bi, int64_t bj,
	       float *v, int64_t ldv, bool add)
{
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (blasint)bi, (blasint)bj, (blasint)(l1 - l0), 1, rows + l0,
		    (blasint)d, columns + l0, (blasint)d, add ? 1.0f : 0.0f, v, (blasint)ldv);
}

void
knng_blas_tile64(const double *rows, const double *columns, int64_t d, int64_t bi, int64_t bj, double *v, int64_t ldv)
{
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (blasint)bi, (blasint)bj, (blasint)d, 1, rows, (blasint)d,
		    columns, (blasint)d, 0, v, (blasint)ldv);
}

bool
knng_blas_is_faster(const knng_kernels *kernels)
{
	enum { SIZE = 256, TRIES = 4 };
	static atomic_int known; /* 0: not yet, 1: no, 2: yes */
	if (atomic_load(&known) != 0)
		return atomic_load(&known) == 2;
	static float a[3 * SIZE * SIZE];
	float *v = a + 2 * SIZE * SIZE;
	double own = 1e9, blas = 1e9;
	for (int i = 0; i < 2 * SIZE * SIZE; i++)
		a[i] = (float)((i * 7919) % 1009) / 1009 - 0.5f;
	for (int t = 0; t < TRIES; t++) { /* the first try warms up, the best counts */
		double start = knng_seconds();
		kernels->tile[KNNG_TILE_PRODUCT](a, a + SIZE * SIZE, SIZE, 0, SIZE, SIZE, SIZE, v, SIZE, false);
		double middle = knng_seconds();
		knng_blas_tile(a, a + SIZE * SIZE, SIZE, 0, SIZE, SIZE, SIZE, v, SIZE, false);
		double end = knng_seconds();
		own = middle - start < own ? middle - start : own;
		blas = end - middle < blas ? end - middle : blas;
	}
	atomic_store(&known, blas < own ? 2 : 1);
	return blas < own;
}
