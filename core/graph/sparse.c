#include "graph/sparse.h"

enum {
	WORTH = 1 << 15, /* entries that make a thread worth waking */
	COLUMNS = 1024,  /* a job */
};

typedef struct {
	const knng_sparse *A;
	const double *x;
	double *y;
} multiplying;

static knng_status
columns_job(void *context, int worker, int64_t job, knng_err *err)
{
	(void)worker, (void)err;
	const multiplying *m = context;
	const knng_sparse *A = m->A;
	knng_part columns = knng_part_of(job, COLUMNS, A->columns);
	for (int64_t j = columns.first; j < columns.end; j++) {
		double sum = 0;
		for (size_t e = A->start[j]; e < A->start[j + 1]; e++)
			sum += A->value[e] * m->x[A->row[e]];
		m->y[j] = sum;
	}
	return KNNG_OK;
}

knng_status
knng_sparse_times(knng_task *task, const knng_sparse *A, const double *x, double *y, knng_err *err)
{
	multiplying m = {A, x, y};
	return knng_task_run(task, knng_task_threads_for(task, (double)A->start[A->columns], WORTH),
			     knng_parts(COLUMNS, A->columns), columns_job, &m, err);
}
