/* test_metafeatures.c  Pairs of rows against plain loops, bit by bit; the walk over them; failures and Ctrl-C. */
#include "base/filled.h"
#include "base/pairs.h"
#include "base/sys.h"
#include "blocks/blocks.h"
#include "knng.h"
#include "rows/metafeatures.h"
#include "search/source.h"
#include "testing.h"

static double
plain(int op, double a, double b)
{
	return op == KNNG_DIFFERENCE ? a - b : op == KNNG_SUM ? a + b : op == KNNG_PRODUCT ? a * b : a / b;
}

static float
plain_single(int op, float a, float b)
{
	return op == KNNG_DIFFERENCE ? a - b : op == KNNG_SUM ? a + b : op == KNNG_PRODUCT ? a * b : a / b;
}

/* The same number, or both NaN. */
static bool
same(double a, double b)
{
	return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

/* Rows that are formed where they are read, for a search and for blocks, are those of z, whose columns lie together:
 * from data of either layout, wherever reading begins. */
static void
test_reading(const knng_matrix *Z, const void *z)
{
	knng_matrix by_rows = *Z;
	int64_t n = Z->pairs->n, ld = knng_columns(Z->d), size = Z->type == KNNG_F32 ? 4 : 8;
	char *other = room(n * Z->d, (size_t)size);
	void *read = room(Z->n * Z->d, (size_t)size);
	double *rows = room(Z->n * ld, sizeof *rows);
	for (int64_t i = 0; i < n; i++)
		for (int64_t c = 0; c < Z->d; c++)
			memcpy(other + (i * Z->d + c) * size, (const char *)Z->data + (c * n + i) * size, (size_t)size);
	by_rows.data = other;
	by_rows.row_stride = Z->d;
	by_rows.col_stride = 1;
	const knng_matrix *const both[] = {Z, &by_rows};
	for (int layout = 0; layout < 2; layout++) {
		int64_t first = random_below(Z->n), count = 1 + random_below(Z->n - first);
		knng_matrix M = *both[layout];
		bool right = true;
		memset(rows, 0xff, (size_t)(Z->n * ld) * sizeof *rows);
		knng_source_rows(&M, first, count, rows, ld);
		knng_read_matrix(&M, first, count, read, NULL);
		for (int64_t r = 0; r < count; r++)
			for (int64_t c = 0; c < ld; c++) {
				int64_t at = c * Z->n + first + r, there = r * Z->d + c;
				bool single = Z->type == KNNG_F32;
				double v = c >= Z->d ? 0 : single ? ((const float *)z)[at] : ((const double *)z)[at];
				double w = c >= Z->d ? 0 : single ? ((float *)read)[there] : ((double *)read)[there];
				right = right && same(rows[r * ld + c], v) && same(w, v);
			}
		CHECK(right, "rows %lld to %lld of %lld, layout %d", (long long)first, (long long)(first + count),
		      (long long)Z->n, layout);
	}
	free(rows);
	free(read);
	free(other);
}

static void
test_against_loops(int64_t n, int64_t d, int nops, bool single)
{
	static const int ops[] = {KNNG_RATIO, KNNG_DIFFERENCE, KNNG_PRODUCT, KNNG_SUM};
	size_t size = single ? sizeof(float) : sizeof(double);
	int64_t rows = 0, nonfinite = -1, expected = 0;
	void *x = room(n * d, size);
	for (int64_t e = 0; e < n * d; e++) {
		double v = random_below(20) == 0 ? (double)random_below(2) / 0x1p-3 : random_normal() * 1e3;
		v = random_below(500) == 0 ? INFINITY : v;
		if (single)
			((float *)x)[e] = (float)v;
		else
			((double *)x)[e] = v;
	}
	knng_err err = {0};
	knng_task task = {.threads = (int)(n % 3) + 1};
	CHECK(knng_pairs_rows(n, nops, &rows) && rows == n + nops * n * (n - 1) / 2, "%lld", (long long)rows);
	struct knng_pairs pairs = {.n = n, .nops = nops};
	memcpy(pairs.op, ops, sizeof pairs.op);
	knng_matrix Z = {.n = rows,
			 .d = d,
			 .type = single ? KNNG_F32 : KNNG_F64,
			 .data = x,
			 .row_stride = 1,
			 .col_stride = n,
			 .pairs = &pairs};
	void *z = room(rows * d, size);
	CHECK(knng_metafeatures(&task, &Z, z, &nonfinite, &err) == KNNG_OK, "%s", err.text);

	bool right = true, walked = true;
	int64_t r = 0;
	knng_pair_walk walk, jump;
	knng_pair_walk_at(&walk, n, 0);
	for (int op = -1; op < nops; op++)
		for (int64_t i = 0; i < n; i++)
			for (int64_t j = op < 0 ? n - 1 : i + 1; j < n; j++, r++) {
				bool finite = true;
				for (int64_t c = 0; c < d; c++) {
					double a = single ? ((float *)x)[c * n + i] : ((double *)x)[c * n + i];
					double b = single ? ((float *)x)[c * n + j] : ((double *)x)[c * n + j];
					double v = single ? ((float *)z)[c * rows + r] : ((double *)z)[c * rows + r];
					double w = op < 0   ? a
						   : single ? plain_single(ops[op], (float)a, (float)b)
							    : plain(ops[op], a, b);
					right = right && same(v, w);
					finite = finite && isfinite(w);
				}
				expected += !finite;
				knng_pair_walk_at(&jump, n, r);
				walked = walked && walk.i == i && walk.op == op && (op < 0 || walk.j == j) &&
					 jump.i == i && jump.op == op && jump.left == walk.left && jump.j == walk.j;
				knng_pair_walk_next(&walk, 1);
			}
	CHECK(right && r == rows, "%lld x %lld, %d operations", (long long)n, (long long)d, nops);
	CHECK(walked, "%lld rows, %d operations", (long long)n, nops);
	CHECK(nonfinite == expected, "%lld, expected %lld", (long long)nonfinite, (long long)expected);

	test_reading(&Z, z);

	knng_matrix X = Z; /* a look for fill values is one at the rows that pairs are made of */
	knng_filled of_pairs, of_rows;
	X.n = n;
	X.pairs = NULL;
	for (int64_t e = 0; e < n * d; e += 2 + e % 3)
		if (single)
			((float *)x)[e] = 1e20F;
		else
			((double *)x)[e] = 1e20;
	knng_filled_look(&X, &of_rows);
	knng_filled_look(&Z, &of_pairs);
	CHECK(of_pairs.column == of_rows.column && of_pairs.seen == of_rows.seen && of_pairs.count == of_rows.count &&
		      (of_rows.column > 0) == (n > 2),
	      "%lld rows, %lld", (long long)n, (long long)of_rows.column);

	volatile sig_atomic_t stop = 1;
	int64_t live = knng_sys().live;
	knng_sys_fail_at(1);
	CHECK(knng_metafeatures(&task, &Z, z, &nonfinite, &err) == KNNG_EMEMORY, "%s", err.id);
	knng_sys_fail_at(0);
	task.interrupt = &stop;
	CHECK(knng_metafeatures(&task, &Z, z, &nonfinite, &err) == KNNG_EINTERRUPTED, "%s", err.id);
	CHECK(knng_sys().live == live, "%lld blocks", (long long)(knng_sys().live - live));
	free(z);
	free(x);
}

int
main(void)
{
	static const int64_t sizes[][2] = {{1, 1}, {2, 3}, {3, 2}, {17, 5}, {90, 2}, {91, 1}, {131, 3}};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (int nops = 1; nops <= KNNG_OPERATIONS; nops++)
			for (int single = 0; single < 2; single++)
				test_against_loops(sizes[s][0], sizes[s][1], nops, single);
	int64_t rows;
	CHECK(knng_pairs_rows(876, 1, &rows) && rows == 384126, "%lld", (long long)rows);
	CHECK(knng_pairs_rows(876, 4, &rows) && rows == 1533876, "%lld", (long long)rows);
	CHECK(knng_pairs_rows(1, 4, &rows) && rows == 1, "%lld", (long long)rows);
	CHECK(!knng_pairs_rows(INT64_MAX, 1, &rows) && !knng_pairs_rows(0x200000000, 4, &rows), "overflow");
	return summary();
}
