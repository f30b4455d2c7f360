/* metafeatures.c  Z is written in blocks of rows: a block goes through all columns, so that each of its rows is known
 * to be finite or not in one place, and no two threads touch one row. */
#include "rows/metafeatures.h"
#include "base/sys.h"

#include <stdatomic.h>
#include <string.h>

enum {
	BLOCK = 4096,    /* rows: 32 kB of a column of doubles */
	WORTH = 1 << 16, /* elements of Z that make a thread worth waking */
};

/* bad[r] becomes true where an element is NaN or Inf: these alone leave no 0 when they are taken from themselves. */
#define MARK(type)                                                                                                     \
	static void mark_##type(int64_t count, const type *z, bool *bad)                                               \
	{                                                                                                              \
		for (int64_t r = 0; r < count; r++)                                                                    \
			bad[r] |= !(z[r] - z[r] == 0);                                                                 \
	}
MARK(double)
MARK(float)

typedef struct {
	const knng_task *task;
	const knng_matrix *Z; /* to be formed */
	void *to;
	bool *bad; /* BLOCK a thread */
	atomic_llong nonfinite;
} job;

static knng_status
fill_block(void *context, int worker, int64_t block, knng_err *err)
{
	job *b = context;
	const knng_matrix *Z = b->Z;
	int64_t first = block * BLOCK, count = Z->n - first < BLOCK ? Z->n - first : BLOCK, found = 0;
	bool *bad = b->bad + (int64_t)worker * BLOCK;
	memset(bad, 0, (size_t)count * sizeof *bad);
	for (int64_t c = 0; c < Z->d; c++) {
		knng_status status = c % 64 == 0 ? knng_task_poll(b->task, err) : KNNG_OK;
		if (status != KNNG_OK)
			return status;
		int64_t at = c * Z->n + first;
		void *to = Z->type == KNNG_F64 ? (void *)((double *)b->to + at) : (void *)((float *)b->to + at);
		knng_pairs_column(Z, c, first, count, to);
		if (Z->type == KNNG_F64)
			mark_double(count, to, bad);
		else
			mark_float(count, to, bad);
	}
	for (int64_t r = 0; r < count; r++)
		found += bad[r];
	atomic_fetch_add(&b->nonfinite, found);
	return KNNG_OK;
}

knng_status
knng_metafeatures(knng_task *task, const knng_matrix *Z, void *to, int64_t *nonfinite, knng_err *err)
{
	job b = {.task = task, .Z = Z, .to = to};
	int threads = knng_task_threads_for(task, (double)Z->n * (double)Z->d, WORTH);
	task->stage = "pairs";
	if ((b.bad = knng_alloc((int64_t)threads * BLOCK, sizeof *b.bad)) == NULL)
		return knng_fail_memory(err, "the pairs of rows", (double)threads * BLOCK);
	knng_status status = knng_task_run(task, threads, knng_parts(BLOCK, Z->n), fill_block, &b, err);
	*nonfinite = (int64_t)atomic_load(&b.nonfinite);
	knng_free(b.bad);
	return status;
}
