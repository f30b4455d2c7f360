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

knng_status
knng_hash(knng_task *task, const knng_output *table, int64_t m, int64_t k, char hex[65], knng_err *err)
{
	knng_sha256 sha;
	task->stage = "checksum";
	knng_status status = KNNG_OK;
	int64_t bytes, block = m < ROWS ? m : ROWS;
	unsigned char header[16], *rows = NULL;
	if (!knng_mul(block, k, 16, &bytes) || (rows = knng_alloc(bytes, 1)) == NULL)
		return knng_fail_memory(err, "the hash", 16.0 * (double)block * (double)k);
	put(header, (uint64_t)m);
	put(header + 8, (uint64_t)k);
	knng_sha256_open(&sha);
	knng_sha256_add(&sha, header, sizeof header);
	for (int64_t i0 = 0; k > 0 && i0 < m; i0 += block) {
		int64_t count = m - i0 < block ? m - i0 : block;
		for (int64_t c = 0; c < k; c++)
			for (int64_t r = 0; r < count; r++) {
				double index = knng_table_index(table, i0 + r, c);
				if (!(fabs(index) <= 0x1p53) || index != (double)(int64_t)index) {
					status = knng_fail(err, KNNG_EARGS, "knng:args:idx",
							   "idx(%lld,%lld) is %g: it must be the number of a row, or 0",
							   (long long)(i0 + r + 1), (long long)(c + 1), index);
					goto done;
				}
				put(rows + 16 * r * k + 8 * c, (uint64_t)(int64_t)index);
				put_double(rows + 16 * r * k + 8 * (k + c), knng_table_distance(table, i0 + r, c));
			}
		knng_sha256_add(&sha, rows, (size_t)(16 * count * k));
		if ((status = knng_task_step(task, (double)i0 / (double)m, err)) != KNNG_OK)
			goto done;
	}
	knng_sha256_close(&sha, hex);
done:
	knng_free(rows);
	return status;
}
