/* shelved.h  Searches in blocks for tests: with the lists of neighbours in memory, or in a file. */
#ifndef SHELVED_H
#define SHELVED_H

#include "blocks/blocks.h"

#include <string.h>

/* knng_blocks_run to lists in memory, which the caller has made. beside: NULL, or a path: then they are in a file
 * beside it during the search, and come to `lists` behind it. */
static inline knng_status
run_blocks(const knng_rows *rows, int64_t size, const knng_options *opt, knng_neighbours *lists, const char *beside,
	   knng_info *info, knng_err *err)
{
	knng_shelf shelf = knng_shelf_of(lists);
	if (beside == NULL || lists->k < 1)
		return knng_blocks_run(rows, size, opt, &shelf, info, err);
	int64_t n = lists->n, k = lists->k;
	knng_status status =
		knng_shelf_open(&shelf, (knng_part){0, n}, k, size < n ? size : n, beside, &opt->task, err);
	if (status == KNNG_OK)
		status = knng_blocks_run(rows, size, opt, &shelf, info, err);
	for (int64_t b = 0; b < knng_parts(size, n) && status == KNNG_OK; b++) {
		knng_neighbours *some;
		knng_part part = knng_part_of(b, size, n);
		if ((status = knng_shelf_show(&shelf, b, false, &some, err)) != KNNG_OK)
			break;
		size_t from = (size_t)(part.first - some->first), count = (size_t)(part.end - part.first);
		memcpy(lists->distance + part.first * k, some->distance + from * (size_t)k,
		       count * (size_t)k * sizeof *some->distance);
		memcpy(lists->index + part.first * k, some->index + from * (size_t)k,
		       count * (size_t)k * sizeof *some->index);
		memcpy(lists->level + part.first, some->level + from, count);
	}
	knng_shelf_close(&shelf);
	return status;
}

#endif
