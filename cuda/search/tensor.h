/* tensor.h  Rows that are hard on the sums of tensor cores, what their products are, and how much of the bound of
 * docs/canonical.md, (6.9) and (6.13), computed products take. The check of a device (tensor.cu) and
 * tests/gpu/tensor.cu share them. */
#ifndef KNNG_TENSOR_H
#define KNNG_TENSOR_H

#include "search/bounds.h"

#include <cuda_fp16.h>

enum { TENSOR_ROWS = 32 };

typedef struct {
	int64_t d;
	bool pieces;
	double sum[TENSOR_ROWS][TENSOR_ROWS];  /* of all pairs, exact but for roundings in double precision */
	double size[TENSOR_ROWS][TENSOR_ROWS]; /* what the bound is a part of */
	double bound, parts_bound;             /* the other one of pieces that are summed up in short parts */
} tensor_rows;

/* A number of [0, 1), of these. */
static inline double
tensor_random(uint64_t seed, int row, int64_t l)
{
	uint64_t z = (seed * TENSOR_ROWS + (uint64_t)row) * 0x9e3779b97f4a7c15u + (uint64_t)l * 0xd1b54a32d192ed03u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Element l of d. No row is longer than 2^7. */
static inline double
tensor_element(uint64_t seed, int row, int64_t l, int64_t d)
{
	double u = tensor_random(seed, row, l), sign = tensor_random(seed + 1, row, l) < 0.5 ? -1 : 1;
	if (row < 16) {
		/* (6.19): one product of 2^12 among those of just below 2^(1 - e), e = 1 ... 12, each of them lost to
		 * hardware that keeps no more than e + 11 bits: at the beginning, at the end, in the middle. */
		int64_t large = row < 12 ? 0 : row < 14 ? d - 1 : d / 2;
		int e = row < 12 ? 6 - row / 2 : 6 - row % 2;
		return l == large ? 64 : ldexp(row % 2 ? 1 : 1 - 0x1p-11, -e);
	}
	if (row < 20) /* noise */
		return (u + tensor_random(seed + 2, row, l) + tensor_random(seed + 3, row, l) - 1.5) * 128 /
		       sqrt((double)d);
	if (row < 24) /* sums that grow */
		return u * 128 / sqrt((double)d);
	if (row < 28) /* large terms that cancel, with a small rest */
		return 100 / sqrt((double)d) * (row % 2 ? 1 + u * 0x1p-8 : l % 2 ? -1 : 1);
	if (row < 30) /* subnormal ones */
		return l % 7 == 0 ? sign * u : sign * 0x1p-24 * floor(1 + 1000 * u);
	return sign * 100 * fmin(1, sqrt(27. / (double)d)) * pow(2., -20. * (double)l / (double)d);
}

/* rows: TENSOR_ROWS * d, both operands of the product. pieces: TENSOR_ROWS * 3d, (lo, hi, hi), and columns, (hi, lo,
 * hi). values: room for TENSOR_ROWS * d numbers. */
static inline void
tensor_make(tensor_rows *t, uint64_t seed, int64_t d, bool pieces, __half *rows, __half *columns, double *values)
{
	double kappa = 0, norm[TENSOR_ROWS];
	t->d = d;
	t->pieces = pieces;
	for (int i = 0; i < TENSOR_ROWS; i++) {
		double squares = 0, seconds = 0, *copy = values + i * d;
		for (int64_t l = 0; l < d; l++) {
			double y = tensor_element(seed, i, l, d);
			y *= pieces ? 1 + tensor_random(seed + 4, i, l) * 0x1p-11 : 1;
			__half hi = __double2half(y);
			copy[l] = (double)__half2float(hi);
			if (pieces) {
				__half lo = __double2half(y - copy[l]), *row = rows + i * 3 * d;
				__half *column = columns + i * 3 * d;
				double second = (double)__half2float(lo);
				row[l] = column[d + l] = lo;
				column[l] = row[d + l] = row[2 * d + l] = column[2 * d + l] = hi;
				copy[l] += second;
				seconds += second * second;
			} else {
				rows[i * d + l] = hi;
			}
			squares += copy[l] * copy[l];
		}
		norm[i] = sqrt(squares);
		kappa = fmax(kappa, sqrt(seconds / squares));
	}
	t->parts_bound = knng_tensor_pieces_parts(d, kappa * (1 + 0x1p-20));
	t->bound = pieces ? knng_tensor_pieces(d, kappa * (1 + 0x1p-20)) : knng_tensor(d);
	for (int i = 0; i < TENSOR_ROWS; i++)
		for (int j = 0; j <= i; j++) {
			const double *a = values + i * d, *b = values + j * d;
			double sum = 0, size = 0;
			for (int64_t l = 0; l < d; l++) {
				sum += a[l] * b[l];
				size += fabs(a[l] * b[l]);
			}
			t->sum[i][j] = t->sum[j][i] = sum;
			t->size[i][j] = t->size[j][i] = pieces ? norm[i] * norm[j] : size;
		}
}

/* How much of the bound the worst of n products of row i (of those above, over and over again) takes; halves: beside
 * the rounding of what was stored. A NaN is the worst of all. */
static inline double
tensor_worst(const tensor_rows *t, int64_t i, const void *products, bool halves, int64_t n)
{
	double worst = 0;
	for (int64_t j = 0; j < n; j++) {
		double v = halves ? (double)__half2float(((const __half *)products)[j])
				  : (double)((const float *)products)[j];
		double error = fabs(v - t->sum[i % TENSOR_ROWS][j % TENSOR_ROWS]);
		error -= halves ? fabs(v) * 0x1p-11 + 0x1p-25 : 0;
		double part = error / (t->bound * t->size[i % TENSOR_ROWS][j % TENSOR_ROWS]);
		worst = part <= worst ? worst : part;
		if (isnan(worst))
			return INFINITY;
	}
	return worst;
}

#endif
