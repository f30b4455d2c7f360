/* duplicates.c  Rows are hashed a block at a time; what shares a hash is prepared once more and compared. So no second
 * copy of the matrix is held. */
#include "duplicates.h"
#include "backend.h"
#include "cpu/kernels.h"
#include "source.h"

#include <string.h>

enum { BLOCK = 64, SCRATCH = 4 }; /* rows; rows of scratch that prepare takes */

typedef struct {
	const knng_plan *plan;
	const knng_kernels *kernels;
	knng_points points;
	int64_t *row;  /* [n] the first row of a point */
	double *space; /* (BLOCK + SCRATCH) x ld a thread */
} search;

/* `count` rows from `first` on, prepared; their states and hashes. */
static void
load(const search *s, int64_t first, int64_t count, double *u, double *scratch, uint8_t *state, uint64_t *hash)
{
	const knng_plan *plan = s->plan;
	knng_source_rows(&plan->x, first, count, u, plan->ld);
	for (int64_t e = 0; e < count * plan->ld; e++)
		u[e] += 0.0; /* -0 becomes 0 */
	for (int64_t r = 0; r < count; r++)
		state[r] = (uint8_t)s->kernels->prepare(plan->metric, u + r * plan->ld, plan->x.d, plan->ld, scratch,
							&hash[r]);
}

static knng_status
hash_block(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	search *s = context;
	int64_t first = i * BLOCK, n = s->plan->x.n, ld = s->plan->ld;
	double *u = s->space + worker * (BLOCK + SCRATCH) * ld;
	(void)w;
	(void)err;
	load(s, first, n - first < BLOCK ? n - first : BLOCK, u, u + BLOCK * ld, s->points.state + first,
	     s->points.hash + first);
	return KNNG_OK;
}

static bool
same(void *context, int64_t point, int64_t row)
{
	search *s = context;
	int64_t ld = s->plan->ld;
	uint8_t state;
	uint64_t hash;
	double *u = s->space, *v = u + ld, *scratch = u + BLOCK * ld;
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
knng_duplicates(const knng_plan *plan, double *group, int64_t *groups, knng_err *err)
{
	int64_t n = plan->x.n;
	search s = {.plan = plan, .kernels = knng_kernels_find(NULL)};
	knng_work w = {.plan = plan, .stage = "rows"};
	knng_status status = knng_points_open(&s.points, n, err);
	s.row = knng_alloc(n, sizeof *s.row);
	s.space = knng_alloc((int64_t)plan->threads * (BLOCK + SCRATCH), (size_t)plan->ld * sizeof *s.space);
	if (status == KNNG_OK && (s.row == NULL || s.space == NULL))
		status = knng_fail_memory(err, "finding equal rows",
					  8.0 * (double)n + 8.0 * plan->threads * (BLOCK + SCRATCH) * (double)plan->ld);
	if (status != KNNG_OK ||
	    (status = knng_parallel(&w, plan->threads, (n + BLOCK - 1) / BLOCK, hash_block, &s, err)) != KNNG_OK)
		goto done;
	for (int64_t i = 0; i < n; i++)
		s.row[i] = i;
	if ((status = knng_points_group(&s.points, same, move, &s, err)) != KNNG_OK)
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
