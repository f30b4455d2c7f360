/* source.h  Where rows come from. */
#ifndef KNNG_SOURCE_H
#define KNNG_SOURCE_H

#include "search/knng_search.h"

/* The columns ld of a prepared row: d, up to the next multiple of 8. */
static inline int64_t
knng_columns(int64_t d)
{
	return (d + 7) / 8 * 8;
}

/* Rows that are prepared together: of long rows fewer, so that Ctrl-C is heard, but no fewer than eight,
 * which share cache lines. */
static inline int64_t
knng_prepare_rows(int64_t d)
{
	int64_t rows = d > 0 ? ((int64_t)1 << 20) / d : 64;
	return rows > 64 ? 64 : rows < 8 ? 8 : rows;
}

/* Rows [first, first + count) of the matrix as doubles, row-major with ld columns, zeros from d on. Reads each element
 * once; columns eight at a time, so that both layouts use whole cache lines. Rows that pairs make are formed here. */
void knng_source_rows(const knng_matrix *matrix, int64_t first, int64_t count, double *rows, int64_t ld);

#endif
