#include "walk.h"

enum { WORTH_THREADS = 1 << 16 }; /* entries: below that one thread is done before the others are awake */

void
knng_sparse_times(const knng_sparse *A, const double *x, double *y)
{
#pragma omp parallel for schedule(dynamic, 1024) if (A->start[A->columns] > WORTH_THREADS)
	for (int64_t j = 0; j < A->columns; j++) {
		double sum = 0;
		for (size_t e = A->start[j]; e < A->start[j + 1]; e++)
			sum += A->value[e] * x[A->row[e]];
		y[j] = sum;
	}
}
