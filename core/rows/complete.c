#include "rows/complete.h"

#include "base/sys.h"
#include "base/task.h"

#include <math.h>
#include <string.h>

enum { WORTH = 1000000 }; /* elements that make a thread worth waking */

static bool
is_nan(const knng_matrix *X, int64_t i, int64_t j)
{
	int64_t at = i * X->row_stride + j * X->col_stride;
	return X->type == KNNG_F32 ? isnan(((const float *)X->data)[at]) : isnan(((const double *)X->data)[at]);
}

static knng_status
look_job(void *context, int worker, int64_t j, knng_err *err)
{
	const knng_complete *c = context;
	(void)worker, (void)err;
	for (int m = 0; m < 2; m++)
		for (int64_t i = 0; i < c->given[m].n && !c->gap[j]; i++)
			c->gap[j] = is_nan(&c->given[m], i, j);
	return KNNG_OK;
}

/* Every column has a gap. */
static knng_status
refuse(const knng_complete *c, knng_err *err)
{
	int64_t worst = 0, most = 0;
	bool queries = false;
	for (int m = 0; m < 2; m++)
		for (int64_t i = 0; i < c->given[m].n; i++) {
			int64_t count = 0;
			for (int64_t j = 0; j < c->columns; j++)
				count += is_nan(&c->given[m], i, j);
			if (count > most) {
				most = count;
				worst = i;
				queries = m == 1;
			}
		}
	return knng_fail(err, KNNG_EARGS, "knng:data:incomplete",
			 "every one of the %lld columns holds NaN in some row, so none is left (row %lld of %s alone "
			 "has %lld): leave out rows with many gaps, give 'Rows', 'pairwise', which compares two rows "
			 "over the columns that both have, or fill in what is missing with knng.impute",
			 (long long)c->columns, (long long)worst + 1, queries ? "Y" : "X", (long long)most);
}

/* What is left of a matrix, one column after another. */
static knng_matrix
shape_of(const knng_complete *c, int m)
{
	knng_matrix X = c->given[m];
	if (c->count == 0 || X.data == NULL)
		return X;
	X.d -= c->count;
	X.row_stride = 1;
	X.col_stride = X.n;
	return X;
}

knng_status
knng_complete_find(knng_complete *c, knng_task *task, const knng_matrix *X, const knng_matrix *Y, knng_err *err)
{
	*c = (knng_complete){.columns = X->d, .given = {*X}};
	if (Y != NULL)
		c->given[1] = *Y;
	c->gap = knng_calloc(c->columns, sizeof *c->gap);
	c->left_out = knng_alloc(c->columns, sizeof *c->left_out);
	if (c->gap == NULL || c->left_out == NULL)
		return knng_fail_memory(err, "the columns that hold NaN", 9.0 * (double)c->columns);
	double work = (double)(c->given[0].n + c->given[1].n) * (double)c->columns;
	knng_status status =
		knng_task_run(task, knng_task_threads_for(task, work, WORTH), c->columns, look_job, c, err);
	if (status != KNNG_OK)
		return status;
	for (int64_t j = 0; j < c->columns; j++)
		if (c->gap[j])
			c->left_out[c->count++] = j;
	if (c->count == c->columns)
		return refuse(c, err);
	c->x = shape_of(c, 0);
	c->y = shape_of(c, 1);
	for (int m = 0; m < 2 && c->count > 0; m++)
		c->bytes += (double)c->given[m].n * (double)c->x.d * knng_type_bytes(c->given[m].type);
	return KNNG_OK;
}

/* The column that stays as the j-th. */
static void
copy_column(const knng_matrix *from, int64_t column, void *copy, int64_t j)
{
	size_t size = knng_type_bytes(from->type);
	char *to = (char *)copy + (size_t)(j * from->n) * size;
	const char *start = (const char *)from->data + (size_t)(column * from->col_stride) * size;
	if (from->row_stride == 1)
		memcpy(to, start, (size_t)from->n * size);
	else
		for (int64_t i = 0; i < from->n; i++)
			memcpy(to + (size_t)i * size, start + (size_t)(i * from->row_stride) * size, size);
}

knng_status
knng_complete_copy(knng_complete *c, knng_task *task, knng_err *err)
{
	knng_matrix *to[2] = {&c->x, &c->y};
	int64_t at = 0;
	if (c->count == 0)
		return KNNG_OK;
	knng_status status = knng_afford(c->bytes, "the columns without NaN", err);
	if (status != KNNG_OK)
		return status;
	for (int m = 0; m < 2; m++) {
		if (c->given[m].data == NULL)
			continue;
		c->copy[m] = knng_alloc(c->given[m].n * c->x.d, knng_type_bytes(c->given[m].type));
		if (c->copy[m] == NULL)
			return knng_fail_memory(err, "the columns without NaN", c->bytes);
		to[m]->data = c->copy[m];
	}
	for (int64_t j = 0; j < c->columns; j++) {
		if (c->gap[j])
			continue;
		if ((status = knng_task_poll(task, err)) != KNNG_OK)
			return status;
		for (int m = 0; m < 2; m++)
			if (c->copy[m] != NULL)
				copy_column(&c->given[m], j, c->copy[m], at);
		at++;
	}
	return KNNG_OK;
}

void
knng_complete_free(knng_complete *c)
{
	knng_free(c->copy[0]);
	knng_free(c->copy[1]);
	knng_free(c->left_out);
	knng_free(c->gap);
	*c = (knng_complete){0};
}
