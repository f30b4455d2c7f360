/* duplicates.c  Rows are hashed a block at a time; what shares a hash is prepared once more and compared. So no second
 * copy of the matrix is held. */
#include "rows/duplicates.h"
#include "base/task.h"
#include "search/cpu/kernels.h"
#include "search/points.h"
#include "search/source.h"

#include <string.h>

/* Rows of scratch that prepare takes; elements that make a thread worth waking. */
enum { SCRATCH = 4, WORTH = 1 << 16 };

typedef struct {
	const knng_matrix *X;
	const knng_metric *metric;
	int64_t ld, block; /* rows of a block */
	const knng_kernels *kernels;
	knng_points points;
	int64_t *row;  /* [n] the first row of a point */
	double *space; /* (block + SCRATCH) x ld a thread */
} search;

/* `count` rows from `first` on, prepared; their states and hashes. */
static void
load(const search *s, int64_t first, int64_t count, double *u, double *scratch, uint8_t *state, uint64_t *hash)
{
	int64_t ld = s->ld;
	knng_source_rows(s->X, first, count, u, ld);
	for (int64_t e = 0; e < count * ld; e++)
		u[e] += 0.0; /* -0 becomes 0 */
	for (int64_t r = 0; r < count; r++)
		state[r] = (uint8_t)s->kernels->prepare(s->metric, u + r * ld, s->X->d, ld, scratch, &hash[r]);
}

static knng_status
hash_block(void *context, int worker, int64_t i, knng_err *err)
{
	search *s = context;
	knng_part part = knng_part_of(i, s->block, s->X->n);
	double *u = s->space + worker * (s->block + SCRATCH) * s->ld;
	(void)err;
	load(s, part.first, part.end - part.first, u, u + s->block * s->ld, s->points.state + part.first,
	     s->points.hash + part.first);
	return KNNG_OK;
}

static bool
same(void *context, int64_t point, int64_t row)
{
	search *s = context;
	int64_t ld = s->ld;
	uint8_t state;
	uint64_t hash;
	double *u = s->space, *v = u + ld, *scratch = u + s->block * ld;
	load(s, s->row[point], 1, u, scratch, &state, &hash);
	load(s, row, 1, v, scratch, &state, &hash);
	return memcmp(u, v, (size_t)ld * sizeof *u) == 0;
}

static void
move(void *context, int64_t to, int64_t from)
{
	((search *)context)->row[to] = from;
}

knng_status
knng_duplicates(knng_task *task, const knng_matrix *X, const knng_metric *metric, double *group, int64_t *groups,
		knng_err *err)
{
	int64_t n = X->n, ld = knng_columns(X->d), block = knng_prepare_rows(X->d);
	int threads = knng_task_threads_for(task, (double)n * (double)X->d, WORTH);
	search s = {.X = X, .metric = metric, .ld = ld, .block = block, .kernels = knng_kernels_find(NULL)};
	task->stage = "rows";
	knng_status status = knng_points_open(&s.points, n, err);
	s.row = knng_alloc(n, sizeof *s.row);
	s.space = knng_alloc((int64_t)threads * (block + SCRATCH), (size_t)ld * sizeof *s.space);
	if (status == KNNG_OK && (s.row == NULL || s.space == NULL))
		status = knng_fail_memory(err, "finding equal rows",
					  8.0 * (double)n + 8.0 * (double)(threads * (block + SCRATCH)) * (double)ld);
	if (status != KNNG_OK ||
	    (status = knng_task_run(task, threads, knng_parts(block, n), hash_block, &s, err)) != KNNG_OK)
		goto done;
	for (int64_t i = 0; i < n; i++)
		s.row[i] = i;
	if ((status = knng_points_group(&s.points, task, same, move, &s, err)) != KNNG_OK)
		goto done;
	*groups = 0;
	for (int64_t i = 0; i < n; i++) { /* s.row[point] is its first row now, which has its number already */
		int32_t point = s.points.of_row[i];
		bool new = point < 0 || s.row[point] == i;
		group[i] = new ? (double)++*groups : group[s.row[point]];
	}
done:
	knng_free(s.space);
	knng_free(s.row);
	knng_points_close(&s.points);
	return status;
}
