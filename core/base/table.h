/* table.h  Reading a table of neighbours that was made earlier. A knng_output says where it lies. */
#ifndef KNNG_TABLE_H
#define KNNG_TABLE_H

#include "base/knng_base.h"

/* Neighbour c of row i as the table has it: counted from 1, 0 is none. What is no whole number stays what it is. */
static inline double
knng_table_index(const knng_output *t, int64_t i, int64_t c)
{
	int64_t at = i * t->row_stride + c * t->col_stride;
	double index = t->idx_type == KNNG_I64   ? (double)((const int64_t *)t->idx)[at]
		       : t->idx_type == KNNG_I32 ? (double)((const int32_t *)t->idx)[at]
						 : ((const double *)t->idx)[at];
	return index + (double)(1 - t->index_base);
}

static inline double
knng_table_distance(const knng_output *t, int64_t i, int64_t c)
{
	int64_t at = i * t->row_stride + c * t->col_stride;
	return t->dist_type == KNNG_F32 ? (double)((const float *)t->dist)[at] : ((const double *)t->dist)[at];
}

/* A table that is had some rows at a time. */
typedef struct {
	int64_t most;        /* rows that are had at a time */
	knng_type dist_type; /* of all its distances */
	/* Rows [first, first + count), count <= most, as the rows of *table from 0 on, until the next call. */
	knng_status (*rows)(void *context, int64_t first, int64_t count, knng_output *table, knng_err *err);
	void *context;
} knng_table_rows;

#endif
