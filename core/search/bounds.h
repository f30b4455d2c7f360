/* bounds.h  The bounds of docs/canonical.md that host and device code share, by the numbers that they have there. */
#ifndef KNNG_BOUNDS_H
#define KNNG_BOUNDS_H

#include <math.h>
#include <stdint.h>

#include "base/both.h"

/* (5.2), (5.4): the real sum of a pair whose computed sum does not exceed that of a pair with real sum <= sum. */
KNNG_HD double
knng_wide(int64_t d, double sum)
{
	return sum * (1 + ((double)d / 4 + 64) * 0x1p-52) + 8 * ((double)d + 8) * 0x1p-1074;
}

/* (6.1): gamma of m roundings of that unit. */
KNNG_HD double
knng_gamma(double m, double unit)
{
	return m * unit < 0.25 ? m * unit / (1 - m * unit) * (1 + 0x1p-20) : 1e30;
}

/* (6.17): every eps is more than is asked for, by this factor. (7.5) rests on it. */
KNNG_HD double
knng_raised(double eps)
{
	return eps * (1 + 0x1p-20);
}

/* (6.4), (6.5): eps of a row whose products are single: half = |y|^2 / 2, norm of the copy, its distance `residual`
 * from y (both rounded up), acc as in (6.2), beta > 0 any one number for all rows. */
KNNG_HD double
knng_eps_single(int64_t d, double half, double norm, double residual, double acc, double beta)
{
	double dd = (double)d;
	return knng_raised((residual * residual / beta + beta * norm * norm + residual * residual + acc * norm * norm +
			    dd * 0x1p-148) /
				   2 +
			   (dd + 8) * 0x1p-52 * half);
}

/* The same at the level with single products. */
KNNG_HD double
knng_eps32(int64_t d, double half, double norm, double residual, double acc)
{
	return knng_eps_single(d, half, norm, residual, acc, 0x1p-24);
}

/* (6.22): how far the m components of a row y of d columns are from those by axes that are orthonormal, as a part of
 * |y|: defect is what the axes lack of it. And (6.23): how far the length of the rest, squared, as a part of |y|^2. */
KNNG_HD double
knng_components_error(int64_t d, int64_t m, double defect)
{
	return 1.01 * sqrt((double)m) * knng_gamma((double)d + 2, 0x1p-53) + defect + 0x1p-50;
}

KNNG_HD double
knng_rest_error(int64_t d, double components)
{
	return ((double)d + 8) * 0x1p-50 + 2.2 * components;
}

/* (6.7): the same where the tile holds distances of copies. */
KNNG_HD double
knng_eps32_differences(int64_t d, double norm, double residual, double acc)
{
	return knng_raised(residual + acc * norm + (double)d * 0x1p-148);
}

/* (6.20): the same where copies are whole numbers from -KNNG_GRID_BYTES or -KNNG_GRID_HALVES on, times one unit, and
 * distances of copies are exact: norm of y. Sums of longer rows of bytes need not be so in single precision. */
enum { KNNG_GRID_BYTES = 127, KNNG_GRID_HALVES = 1023, KNNG_GRID_LONGEST = (1 << 24) / (2 * KNNG_GRID_BYTES) };
KNNG_HD double
knng_eps_grid(int64_t d, double norm, double residual)
{
	return knng_raised(residual + 0x1p-47 * norm) + (double)d * 0x1p-1000;
}

/* (7.5): what is taken from a column's single-precision score for its eps and for the rounding of its base; and what is
 * left of the score then, for the rounding of its own. */
KNNG_HD double
knng_slack32(double half, double eps)
{
	return 2 * eps + 0x1p-22 * half;
}

KNNG_HD double
knng_least_score(double q, double slack)
{
	return q - slack - (fabs(q) * 0x1p-22 + 0x1p-148);
}

/* (6.6): eps of a row in the level with double products; the rounding of scores that stand `offset` away from 0 is in
 * it. */
KNNG_HD double
knng_eps64(int64_t d, double half, double offset)
{
	double dd = (double)d;
	return knng_raised(half * (0x1p-46 + knng_gamma(dd + 2, 0x1p-53) + (dd + 8) * 0x1p-52) +
			   fabs(offset) * 0x1p-48) +
	       dd * 0x1p-1000;
}

/* Products of halves are summed up in parts of at most so many, a multiple of 8, since the error grows with the length;
 * how many parts a row has. */
enum { KNNG_TENSOR_PART = 2048 };
KNNG_HD int64_t
knng_tensor_parts(int64_t d)
{
	return (d + KNNG_TENSOR_PART - 1) / KNNG_TENSOR_PART;
}

/* (6.9): the error of a tensor core's sum of d products of halves, in single precision, as a part of sum |a b|. */
KNNG_HD double
knng_tensor(int64_t d)
{
	int64_t part = d < KNNG_TENSOR_PART ? d : (int64_t)KNNG_TENSOR_PART;
	return knng_gamma(1.5 * (double)part + 64 + (double)knng_tensor_parts(d), 0x1p-23);
}

/* (6.12), (6.13): the same where copies are sums of two halves, and the products of the second pieces are left out:
 * three products in place of one, each second piece at most `second` times the copy. The three are one of rows thrice
 * as long where that is no longer than this, with d taken up to a multiple of 8; else that of the first pieces is a
 * part of its own, or several, and the bound no larger. */
enum { KNNG_TENSOR_JOINED = 512 };
KNNG_HD double
knng_tensor_pieces(int64_t d, double second)
{
	int64_t part = d < KNNG_TENSOR_PART ? d : (int64_t)KNNG_TENSOR_PART;
	double whole = 3 * d <= KNNG_TENSOR_JOINED ? 3 * (double)d : (double)part;
	double sums = knng_gamma(1.5 * whole + 64 + 3 * (double)knng_tensor_parts(d), 0x1p-23);
	return sums * (1 + 8 * second) * (1 + second) * (1 + second) + second * second;
}

/* (6.13) where the three are compared while they are made, in parts of so many products in all: fewer truncations. */
enum { KNNG_PIECES_PART = 128 };
KNNG_HD double
knng_tensor_pieces_parts(int64_t d, double second)
{
	double parts = (double)((3 * (d + 8) + KNNG_PIECES_PART - 1) / KNNG_PIECES_PART);
	double sums = knng_gamma(1.5 * KNNG_PIECES_PART + parts, 0x1p-23);
	return sums * (1 + 8 * second) * (1 + second) * (1 + second) + second * second;
}

/* (6.10): eps of a row in the levels with half-precision products: h = |y|^2 / 2, norm of the copy, its distance
 * `residual` from y (both rounded up), beta > 0 any one number for all rows, tensor the error of the products as a part
 * of those of the norms. */
KNNG_HD double
knng_eps16(int64_t d, double h, double norm, double residual, double beta, double tensor)
{
	double squared = norm * norm, dd = (double)d;
	return knng_raised(0.5 * (residual * residual * (1 / beta + 1) + squared * (beta + tensor + 0x1p-20)) +
			   h * (0x1p-46 + (dd + 8) * 0x1p-52)) +
	       dd * 0x1p-1000;
}

/* (7.2): the smallest optimistic score that may matter to a row, from its radius (a real sum), its h and eps. */
KNNG_HD double
knng_threshold(double half, double radius, int sigma, double eps, double offset)
{
	double scaled = ldexp(radius, -sigma);
	return half - scaled - eps - offset - (half + scaled + fabs(offset)) * 0x1p-48;
}

#endif
