/* put.h  A place in a table of neighbours. */
#ifndef KNNG_PUT_H
#define KNNG_PUT_H

#include "base/knng_base.h"

static inline void
knng_put(const knng_output *out, int64_t row, int64_t column, int64_t index, double distance)
{
	int64_t at = row * out->row_stride + column * out->col_stride;
	if (out->idx_type == KNNG_F64)
		((double *)out->idx)[at] = (double)(index + out->index_base);
	else if (out->idx_type == KNNG_I32)
		((int32_t *)out->idx)[at] = (int32_t)(index + out->index_base);
	else
		((int64_t *)out->idx)[at] = index + out->index_base;
	if (out->dist == NULL)
		return;
	if (out->dist_type == KNNG_F32)
		((float *)out->dist)[at] = (float)distance;
	else
		((double *)out->dist)[at] = distance;
}

/* No neighbours, in columns [from, to). */
static inline void
knng_put_none(const knng_output *out, int64_t row, int64_t from, int64_t to)
{
	static const union {
		uint64_t bits;
		double value;
	} none = {0x7FF8000000000000u};
	for (int64_t c = from; c < to; c++)
		knng_put(out, row, c, -1, none.value);
}

#endif
