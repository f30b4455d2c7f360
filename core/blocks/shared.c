#include "blocks/shared.h"
#include "base/sys.h"
#include "base/task.h"
#include "search/cpu/kernels.h"

#include <math.h>

enum { SOME_BYTES = 1 << 20, LOOK_PLACES = 1 << 20 };

static int64_t
words_of(const knng_rows *rows)
{
	return (rows->d + 63) / 64;
}

/* Rows that are read at a time. */
static int64_t
some_of(const knng_rows *rows)
{
	int64_t some = SOME_BYTES / (int64_t)knng_row_bytes(rows) + 1;
	return some < rows->n ? some : rows->n;
}

double
knng_shared_bytes(const knng_rows *rows)
{
	return 8 * (double)rows->n * (double)words_of(rows) + (double)some_of(rows) * (double)knng_row_bytes(rows);
}

/* Which values `count` rows have. */
static void
mark(const knng_rows *rows, const void *values, int64_t count, uint64_t *has)
{
	int64_t words = words_of(rows);
	for (int64_t i = 0; i < count; i++)
		for (int64_t l = 0; l < rows->d; l++) {
			int64_t at = i * rows->d + l;
			bool there = rows->type == KNNG_F32 ? !isnan(((const float *)values)[at])
							    : !isnan(((const double *)values)[at]);
			has[i * words + l / 64] |= (uint64_t)there << l % 64;
		}
}

knng_status
knng_shared_count(const knng_rows *rows, const double *idx, int64_t k, double *shared, const knng_task *task,
		  knng_err *err)
{
	const knng_kernels *kernels = knng_kernels_find(NULL);
	int64_t words = words_of(rows), some = some_of(rows), n = rows->n;
	uint64_t *has = knng_calloc(n, (size_t)words * sizeof *has);
	void *values = knng_alloc(some, knng_row_bytes(rows));
	knng_status status = KNNG_OK;
	if (has == NULL || values == NULL)
		status = knng_fail_memory(err, "which values there are", knng_shared_bytes(rows));
	for (int64_t first = 0; first < n && status == KNNG_OK; first += some) {
		int64_t count = some < n - first ? some : n - first;
		if ((status = knng_task_poll(task, err)) == KNNG_OK &&
		    (status = rows->read(rows->context, first, count, values, err)) == KNNG_OK)
			mark(rows, values, count, has + first * words);
	}
	for (int64_t at = 0; at < n * k && status == KNNG_OK; at++) {
		int32_t other = (int32_t)idx[at] - 1, bits = 0;
		if (at % LOOK_PLACES == 0)
			status = knng_task_poll(task, err);
		if (other >= 0)
			kernels->shared_bits(has + at % n * words, has, words, &other, 1, &bits);
		shared[at] = bits;
	}
	knng_free(values);
	knng_free(has);
	return status;
}
