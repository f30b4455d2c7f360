/* kinds.h  Rows of every kind that a search may find hard. */
#ifndef KINDS_H
#define KINDS_H

#include "testing.h"

enum { NORMAL, CLUSTERS, DIGITS, BINARY, REPEATED, BROKEN, ALL_EQUAL, SUBNORMAL, SIGNED_ZEROS, SORTED, KINDS };

static double *
make_rows(int kind, int64_t n, int64_t d)
{
	double *x = room(n * d, sizeof *x);
	for (int64_t i = 0; i < n; i++)
		for (int64_t l = 0; l < d; l++) {
			double e = random_normal();
			x[i * d + l] = kind == CLUSTERS       ? e + 1e5 * (double)(i % 3)
				       : kind == SORTED       ? e + 1e6 * (double)(i / 20)
				       : kind == DIGITS       ? (double)random_below(10)
				       : kind == BINARY       ? (double)random_below(2)
				       : kind == REPEATED     ? (i >= 13 ? x[i * 7 % 13 * d + l] : e)
				       : kind == BROKEN       ? (i % 5 == 2   ? NAN
								 : i % 7 == 3 ? 4
									      : e)
				       : kind == ALL_EQUAL    ? (double)l
				       : kind == SUBNORMAL    ? ldexp((double)random_below(9) - 4, -1074)
				       : kind == SIGNED_ZEROS ? (random_below(2) ? 0.0 : -0.0) + (double)random_below(2)
							      : e;
		}
	return x;
}

#endif
