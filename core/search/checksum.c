/* checksum.c  The hash of a table of neighbours. */
#include "base/sha256.h"
#include "base/sys.h"
#include "base/table.h"
#include "base/task.h"
#include "search/knng_verify.h"

#include <math.h>
#include <string.h>

enum { ROWS = 64 }; /* gathered at a time: a column of the table is read by cache lines */

static void
put(unsigned char *to, uint64_t bits)
{
	for (int i = 0; i < 8; i++)
		to[i] = (unsigned char)(bits >> 8 * i);
}

static void
put_double(unsigned char *to, double x)
{
	uint64_t bits = 0x7ff8000000000000u;
	if (!isnan(x))
		memcpy(&bits, &x, sizeof bits);
	put(to, bits);
}

/* Some rows, the first of which is row `first` of all, to `to`: of each its neighbours, then its distances. */
static knng_status
gather(const knng_output *table, int64_t at, int64_t first, int64_t count, int64_t k, unsigned char *to, knng_err *err)
{
	for (int64_t c = 0; c < k; c++)
		for (int64_t r = 0; r < count; r++) {
			double index = knng_table_index(table, at + r, c);
			if (!(fabs(index) <= 0x1p53) || index != (double)(int64_t)index)
				return knng_fail(err, KNNG_EARGS, "knng:args:idx",
						 "idx(%lld,%lld) is %g: it must be the number of a row, or 0",
						 (long long)(first + r + 1), (long long)(c + 1), index);
			put(to + 16 * r * k + 8 * c, (uint64_t)(int64_t)index);
			put_double(to + 16 * r * k + 8 * (k + c), knng_table_distance(table, at + r, c));
		}
	return KNNG_OK;
}

/* Rows that are had together. */
static knng_status
add_rows(knng_task *task, knng_sha256 *sha, const knng_table_rows *rows, knng_part part, int64_t m, int64_t k,
	 unsigned char *room, knng_err *err)
{
	knng_output table;
	knng_status status = rows->rows(rows->context, part.first, part.end - part.first, &table, err);
	for (int64_t i = part.first; i < part.end && status == KNNG_OK; i += ROWS) {
		int64_t count = part.end - i < ROWS ? part.end - i : ROWS;
		if ((status = gather(&table, i - part.first, i, count, k, room, err)) != KNNG_OK)
			break;
		knng_sha256_add(sha, room, (size_t)(16 * count * k));
		status = knng_task_step(task, (double)i / (double)m, err);
	}
	return status;
}

knng_status
knng_hash_rows(knng_task *task, const knng_table_rows *rows, int64_t m, int64_t k, char hex[65], knng_err *err)
{
	knng_sha256 sha;
	task->stage = "checksum";
	knng_status status = KNNG_OK;
	int64_t bytes, block = m < ROWS ? m : ROWS;
	unsigned char header[16], *room = NULL;
	if (!knng_mul(block, k, 16, &bytes) || (room = knng_alloc(bytes, 1)) == NULL)
		return knng_fail_memory(err, "the hash", 16.0 * (double)block * (double)k);
	put(header, (uint64_t)m);
	put(header + 8, (uint64_t)k);
	knng_sha256_open(&sha);
	knng_sha256_add(&sha, header, sizeof header);
	for (int64_t p = 0; k > 0 && p < knng_parts(rows->most, m) && status == KNNG_OK; p++)
		status = add_rows(task, &sha, rows, knng_part_of(p, rows->most, m), m, k, room, err);
	knng_sha256_close(&sha, hex);
	knng_free(room);
	return status;
}

/* Where rows of a table begin that lies in memory. */
static knng_status
point_to(void *context, int64_t first, int64_t count, knng_output *rows, knng_err *err)
{
	static const int bytes[] = {[KNNG_F64] = 8, [KNNG_F32] = 4, [KNNG_I64] = 8, [KNNG_I32] = 4};
	const knng_output *table = context;
	(void)count, (void)err;
	*rows = *table;
	rows->idx = (char *)table->idx + first * table->row_stride * bytes[table->idx_type];
	rows->dist = (char *)table->dist + first * table->row_stride * bytes[table->dist_type];
	return KNNG_OK;
}

knng_table_rows
knng_all_rows(const knng_output *table)
{
	return (knng_table_rows){
		.most = INT64_MAX / 2, .dist_type = table->dist_type, .rows = point_to, .context = (void *)table};
}

knng_status
knng_hash(knng_task *task, const knng_output *table, int64_t m, int64_t k, char hex[65], knng_err *err)
{
	const knng_table_rows rows = knng_all_rows(table);
	return knng_hash_rows(task, &rows, m, k, hex, err);
}
