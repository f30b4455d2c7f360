#include "adjacency.h"
#include "sort.h"
#include "sys.h"
#include "table.h"

#include <math.h>
#include <string.h>

enum { WORTH_THREADS = 1 << 16 }; /* entries: below that one thread is done before the others are awake */

/* ---------------------------------------------------------------- tables to columns */

knng_status
knng_adjacency_count(const knng_output *table, int64_t m, int64_t k, int64_t columns, int64_t *edges, knng_err *err)
{
	*edges = 0;
	for (int64_t c = 0; c < k; c++)
		for (int64_t i = 0; i < m; i++) {
			double j = knng_table_index(table, i, c), d = knng_table_distance(table, i, c);
			if (!(j >= 0 && j <= (double)columns) || j != (double)(int64_t)j)
				return knng_fail(err, KNNG_EARGS, "knng:args:idx",
						 "idx(%lld,%lld) is %.17g: it must be the number of a row, 1 … %lld, "
						 "or 0 for none",
						 (long long)(i + 1), (long long)(c + 1), j, (long long)columns);
			if (j > 0 && !(d >= 0))
				return knng_fail(err, KNNG_EARGS, "knng:args:dist",
						 "dist(%lld,%lld) is %g, of a neighbour: it must be 0 or more",
						 (long long)(i + 1), (long long)(c + 1), d);
			*edges += j > 0;
		}
	return KNNG_OK;
}

/* Counts in start[1 …] become starts. */
static void
add_up(size_t *start, int64_t columns)
{
	for (int64_t j = 0; j < columns; j++)
		start[j + 1] += start[j];
}

/* Filling a column moves its start to the next one's place; this moves them back. */
static void
step_back(size_t *start, int64_t columns)
{
	for (int64_t j = columns; j > 0; j--)
		start[j] = start[j - 1];
	start[0] = 0;
}

knng_status
knng_adjacency_fill(const knng_output *table, int64_t m, int64_t k, knng_sparse *A, knng_err *err)
{
	for (int64_t j = 0; j <= A->columns; j++)
		A->start[j] = 0;
	for (int64_t c = 0; c < k; c++)
		for (int64_t i = 0; i < m; i++) {
			int64_t j = (int64_t)knng_table_index(table, i, c);
			A->start[j] += j > 0;
		}
	add_up(A->start, A->columns);
	for (int64_t i = 0; i < m; i++) /* rows ascend, so every column fills in order */
		for (int64_t c = 0; c < k; c++) {
			int64_t j = (int64_t)knng_table_index(table, i, c) - 1;
			if (j < 0)
				continue;
			size_t at = A->start[j]++;
			A->row[at] = (size_t)i;
			A->value[at] = knng_table_distance(table, i, c);
		}
	step_back(A->start, A->columns);
	for (int64_t j = 0; j < A->columns; j++)
		for (size_t e = A->start[j] + 1; e < A->start[j + 1]; e++)
			if (A->row[e] == A->row[e - 1])
				return knng_fail(err, KNNG_EARGS, "knng:args:idx",
						 "row %zu of idx lists row %lld twice", A->row[e] + 1,
						 (long long)(j + 1));
	return KNNG_OK;
}

void
knng_sparse_transpose(const knng_sparse *from, knng_sparse *to)
{
	size_t entries = from->start[from->columns];
	to->rows = from->columns;
	to->columns = from->rows;
	for (int64_t i = 0; i <= to->columns; i++)
		to->start[i] = 0;
	for (size_t e = 0; e < entries; e++)
		to->start[from->row[e] + 1]++;
	add_up(to->start, to->columns);
	for (int64_t j = 0; j < from->columns; j++)
		for (size_t e = from->start[j]; e < from->start[j + 1]; e++) {
			size_t at = to->start[from->row[e]]++;
			to->row[at] = (size_t)j;
			to->value[at] = from->value[e];
		}
	step_back(to->start, to->columns);
}

/* Keys ascend as the values do; 0 and -0 are one, NaN is last. */
static uint64_t
key_of(double x)
{
	uint64_t bits, sign = UINT64_C(1) << 63;
	if (isnan(x))
		return UINT64_MAX;
	x += 0.0;
	memcpy(&bits, &x, sizeof bits);
	return bits & sign ? ~bits : bits | sign;
}

knng_status
knng_sparse_trim(knng_sparse *A, int64_t k, knng_err *err)
{
	size_t most = 0, to = 0, end = A->start[0];
	for (int64_t j = 0; j < A->columns; j++)
		most = A->start[j + 1] - A->start[j] > most ? A->start[j + 1] - A->start[j] : most;
	uint64_t *keys = knng_alloc((int64_t)most, sizeof *keys);
	if (keys == NULL)
		return knng_fail_memory(err, "the edges of a row", 8.0 * (double)most);
	for (int64_t j = 0; j < A->columns; j++) {
		size_t begin = end, count = A->start[j + 1] - begin, equal = count;
		uint64_t last = UINT64_MAX; /* what is less is kept, and of what is equal the first */
		end = A->start[j + 1];
		if ((int64_t)count > k) {
			for (size_t e = 0; e < count; e++)
				keys[e] = key_of(A->value[begin + e]);
			knng_select(keys, (int64_t)count, k);
			last = keys[k - 1];
			equal = (size_t)k;
			for (int64_t e = 0; e < k; e++)
				equal -= keys[e] < last;
		}
		for (size_t e = begin; e < end; e++) {
			uint64_t key = key_of(A->value[e]);
			if (key > last || (key == last && equal == 0))
				continue;
			equal -= key == last;
			A->row[to] = A->row[e];
			A->value[to++] = A->value[e];
		}
		A->start[j + 1] = to;
	}
	knng_free(keys);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- weights */

static double
itself(double d)
{
	return d;
}

static double
one(double d)
{
	(void)d;
	return 1;
}

static double
from_one(double d)
{
	return 1 - d;
}

static double
reciprocal(double d)
{
	return 1 / (1 + d);
}

const knng_weight knng_weights[] = {
	{"distance", itself, itself},
	{"similarity", reciprocal, from_one},
	{"binary", one, one},
	{NULL, NULL, NULL},
};

static double
write_weight(double w)
{
	return fabs(w) < DBL_MIN ? DBL_MIN : w;
}

void
knng_adjacency_weigh(knng_sparse *A, double (*weight)(double))
{
	int64_t entries = (int64_t)A->start[A->columns];
#pragma omp parallel for if (entries > WORTH_THREADS)
	for (int64_t e = 0; e < entries; e++)
		A->value[e] = write_weight(weight(knng_read_distance(A->value[e])));
}

/* ---------------------------------------------------------------- symmetric matrices */

const char *const knng_symmetry_names[] = {"none", "union", "mutual", "mean", NULL};

/* The entries of column j of the result, into row and value if they are given; returns how many. Both columns ascend,
 * so they are merged. */
static size_t
merge(const knng_sparse *D, const knng_sparse *T, int64_t j, knng_symmetry rule, double (*weight)(double), size_t *row,
      double *value)
{
	size_t a = D->start[j], b = T->start[j], count = 0;
	while (a < D->start[j + 1] || b < T->start[j + 1]) {
		bool there = b == T->start[j + 1] || (a < D->start[j + 1] && D->row[a] <= T->row[b]);
		bool back = a == D->start[j + 1] || (b < T->start[j + 1] && T->row[b] <= D->row[a]);
		if (rule != KNNG_MUTUAL || (there && back)) {
			if (row != NULL) {
				double x = there ? knng_read_distance(D->value[a]) : INFINITY;
				double y = back ? knng_read_distance(T->value[b]) : INFINITY;
				row[count] = there ? D->row[a] : T->row[b];
				value[count] = write_weight(
					rule == KNNG_MEAN ? ((there ? weight(x) : 0) + (back ? weight(y) : 0)) / 2
							  : weight(rule == KNNG_UNION ? fmin(x, y) : fmax(x, y)));
			}
			count++;
		}
		a += there;
		b += back;
	}
	return count;
}

int64_t
knng_symmetric_count(const knng_sparse *D, const knng_sparse *T, knng_symmetry rule, size_t *start)
{
	start[0] = 0;
#pragma omp parallel for schedule(dynamic, 1024) if (D->start[D->columns] > WORTH_THREADS)
	for (int64_t j = 0; j < D->columns; j++)
		start[j + 1] = merge(D, T, j, rule, NULL, NULL, NULL);
	add_up(start, D->columns);
	return (int64_t)start[D->columns];
}

void
knng_symmetric_fill(const knng_sparse *D, const knng_sparse *T, knng_symmetry rule, double (*weight)(double),
		    knng_sparse *A)
{
#pragma omp parallel for schedule(dynamic, 1024) if (D->start[D->columns] > WORTH_THREADS)
	for (int64_t j = 0; j < D->columns; j++)
		merge(D, T, j, rule, weight, A->row + A->start[j], A->value + A->start[j]);
}
