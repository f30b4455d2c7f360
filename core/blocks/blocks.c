#include "blocks/blocks.h"
#include "base/sys.h"
#include "base/task.h"

#include <math.h>
#include <string.h>

/* Two blocks of rows, one behind the other, and what they found of each other. */
typedef struct {
	const knng_rows *rows;
	const knng_options *opt;
	knng_neighbours *lists;
	int64_t size;   /* rows of a block */
	char *data;     /* [2 * size * d] */
	double *within; /* [2 * size] */
	double *distance;
	int64_t *index;   /* [2 * size * k] each */
	int32_t *one;     /* [k] neighbours of one row */
	int64_t first[2]; /* rows of the blocks that are there */
	int64_t count[2];
	knng_info *info;
} meeting;

static size_t
row_bytes(const knng_rows *rows)
{
	return (size_t)rows->d * (rows->type == KNNG_F32 ? 4 : 8);
}

static knng_part
rows_of(const meeting *m, int64_t block)
{
	return knng_part_of(block, m->size, m->rows->n);
}

/* Block b as the first (side 0) or the second of the two. The second lies behind the first. */
static knng_status
bring(meeting *m, int side, int64_t block, knng_err *err)
{
	knng_part part = rows_of(m, block);
	char *to = m->data + (side == 0 ? 0 : (size_t)m->count[0] * row_bytes(m->rows));
	m->first[side] = part.first;
	m->count[side] = part.end - part.first;
	return m->rows->read(m->rows->context, part.first, m->count[side], to, err);
}

/* The row of the data that row r of the two blocks is. */
static int64_t
global(const meeting *m, int64_t r)
{
	return r < m->count[0] ? m->first[0] + r : m->first[1] + r - m->count[0];
}

static void
merge(meeting *m, int64_t n, int64_t k)
{
	for (int64_t r = 0; r < n; r++) {
		int64_t found = 0;
		for (; found < k && m->index[r * k + found] >= 0; found++)
			m->one[found] = (int32_t)global(m, m->index[r * k + found]);
		knng_neighbours_merge(m->lists, global(m, r), m->distance + r * k, m->one, found);
	}
}

/* Adds what one meeting says: times and work, what was done otherwise in any, and of rows what a block says of its own.
 */
static void
add_info(knng_info *sum, const knng_info *one, bool alone)
{
	knng_info all = *one;
	for (int s = 0; s < KNNG_STAGES; s++)
		all.seconds[s] += sum->seconds[s];
	for (int l = 0; l < KNNG_LEVELS; l++)
		all.certified[l] += sum->certified[l];
	all.total += sum->total;
	all.refined += sum->refined;
	all.blocks += sum->blocks;
	all.nonfinite = sum->nonfinite + (alone ? one->nonfinite : 0);
	all.constant = sum->constant + (alone ? one->constant : 0);
	all.points = sum->points + (alone ? one->points : 0);
	all.peak = fmax(sum->peak, one->peak);
	all.planned = fmax(sum->planned, one->planned);
	all.device_peak = fmax(sum->device_peak, one->device_peak);
	if (sum->why_cpu[0] != 0)
		memcpy(all.why_cpu, sum->why_cpu, sizeof all.why_cpu);
	if (sum->fallback[0] != 0)
		memcpy(all.fallback, sum->fallback, sizeof all.fallback);
	if (sum->skipped[0] != 0)
		memcpy(all.skipped, sum->skipped, sizeof all.skipped);
	*sum = all;
}

/* The blocks that are there meet: the first itself where there is no second. */
static knng_status
meet(meeting *m, knng_err *err)
{
	const knng_rows *rows = m->rows;
	int64_t n = m->count[0] + m->count[1];
	const knng_matrix X = {n, rows->d, rows->type, m->data, rows->d, 1};
	knng_options opt = *m->opt;
	knng_info info;
	knng_plan plan;
	opt.k = m->lists->k;
	opt.split = m->count[1] > 0 ? m->count[0] : 0;
	opt.within = opt.split > 0 ? m->within : NULL;
	for (int64_t r = 0; r < n; r++)
		m->within[r] = knng_neighbours_within(m->lists, global(m, r));
	knng_status status = knng_plan_make(&plan, &X, NULL, &opt, err);
	if (status != KNNG_OK)
		return status;
	const knng_output out = {m->index, KNNG_I64, 0, m->distance, KNNG_F64, plan.k, 1};
	if ((status = knng_run(&plan, &out, &info, err)) != KNNG_OK)
		return status;
	merge(m, n, plan.k);
	add_info(m->info, &info, opt.split == 0);
	return KNNG_OK;
}

/* Every pair of blocks once. */
static knng_status
meet_all(meeting *m, knng_err *err)
{
	int64_t blocks = knng_parts(m->size, m->rows->n);
	knng_status status = KNNG_OK;
	for (int64_t a = 0; a < blocks && status == KNNG_OK; a++) {
		m->count[1] = 0;
		if ((status = bring(m, 0, a, err)) == KNNG_OK)
			status = meet(m, err);
		for (int64_t b = a + 1; b < blocks && status == KNNG_OK; b++)
			if ((status = bring(m, 1, b, err)) == KNNG_OK)
				status = meet(m, err);
	}
	return status;
}

knng_status
knng_blocks_run(const knng_rows *rows, int64_t size, const knng_options *opt, knng_neighbours *lists, knng_info *info,
		knng_err *err)
{
	knng_info unread = {0};
	info = info != NULL ? info : &unread;
	*info = (knng_info){0};
	if (size < 1 || rows->n > INT32_MAX - 64)
		return knng_fail(err, KNNG_EARGS, "knng:args:rows",
				 "%lld rows in blocks of %lld: 2^31 - 65 rows at most, and 1 or more in a block",
				 (long long)rows->n, (long long)size);
	if (lists->k < 1)
		return KNNG_OK; /* a row alone */
	int64_t k = lists->k, both = 2 * (size < rows->n ? size : rows->n);
	meeting m = {.rows = rows, .opt = opt, .lists = lists, .size = size, .info = info};
	double bytes = (double)both * ((double)row_bytes(rows) + 8 + 16 * (double)k);
	knng_status status = knng_afford(bytes, "two blocks of rows", err);
	if (status != KNNG_OK)
		return status;
	m.data = knng_alloc(both, row_bytes(rows));
	m.within = knng_alloc(both, sizeof *m.within);
	m.distance = knng_alloc(both * k, sizeof *m.distance);
	m.index = knng_alloc(both * k, sizeof *m.index);
	m.one = knng_alloc(k, sizeof *m.one);
	if (m.data == NULL || m.within == NULL || m.distance == NULL || m.index == NULL || m.one == NULL)
		status = knng_fail_memory(err, "two blocks of rows", bytes);
	else
		status = meet_all(&m, err);
	knng_free(m.data);
	knng_free(m.within);
	knng_free(m.distance);
	knng_free(m.index);
	knng_free(m.one);
	return status;
}
