/* rows.h  References and queries of every kind that is hard on boxes, bounds and ties. */
#ifndef ROWS_H
#define ROWS_H

#include "searches.h"

enum {
	NORMAL,
	CLUSTERS,
	LATTICE,
	FACES,
	LINE,
	ALL_BUT_ONE,
	EQUAL,
	FAR,
	OVERFLOWS,
	SUBNORMAL,
	SCALES,
	INTEGERS,
	ONE_CONSTANT,
	BROKEN,
	ALL_BROKEN,
	RINGS,
	REPEATED,
	SIGNED_ZEROS,
	HUMP,
	SINGLES,
	KINDS
};
static const char *const kind_name[KINDS] = {"normal",      "clusters", "lattice",      "faces",     "line",
					     "all but one", "equal",    "far",          "overflows", "subnormal",
					     "scales",      "integers", "a constant",   "broken",    "all broken",
					     "rings",       "repeated", "signed zeros", "hump",      "singles"};

/* What makes element l of row i of a kind out of a normal number. */
static double
element(int kind, int64_t i, int64_t l, int64_t d, double x)
{
	switch (kind) {
	case CLUSTERS:
		return 1e-3 * x + (double)((i * 7 + l * 3) % 11);
	case LATTICE:
		return (double)random_below(d > 2 ? 3 : 12);
	case FACES: /* many on the faces of boxes */
		return random_below(2) ? (double)random_below(4) : x;
	case HUMP: /* in order, up and down: hard to cut in half where pivots come from a fixed place */
		return l % 2 ? sin((double)i * M_PI / 10000) / 2 : -cos((double)i * M_PI / 10000);
	case SINGLES: /* three quarters in groups of eight; the others have nobody near */
		return i % 32 < 24 ? x / 1000 + 3 * sin((double)(i / 8 * 131 + l * 977) * 12.9898) : x;
	case LINE:
		return (double)(i % 97) * (double)(l + 1) / 3;
	case ALL_BUT_ONE:
		return i == 13 ? x : (double)(l * l);
	case EQUAL:
		return (double)(l * l);
	case FAR:
		return x * (i % 2 ? 1e140 : 1) + (l == 0 ? (double)(i % 5) * 1e150 : 0);
	case OVERFLOWS:
		return x * (i % 3 == 0 ? 1e200 : i % 3 == 1 ? 1e307 : 1);
	case SUBNORMAL:
		return i % 2 ? ldexp(x, -1060) : ldexp((double)random_below(9) - 4, -1074);
	case SCALES:
		return x * pow(10, (double)random_below(601) - 300);
	case INTEGERS:
		return (double)random_below(1000) - 500;
	case ONE_CONSTANT:
		return l == d / 2 ? 7 : x;
	case BROKEN:
		return i % 11 == 3   ? 0
		       : i % 11 == 5 ? 2.5
		       : i % 13 == 4 ? (l == i % d ? NAN : 1)
		       : i % 17 == 6 ? (l == d - 1 ? -INFINITY : x)
				     : x;
	case ALL_BROKEN:
		return l == i % d ? (i % 2 ? NAN : INFINITY) : x;
	case SIGNED_ZEROS:
		return random_below(3) ? (random_below(2) ? 0.0 : -0.0) : (double)random_below(3);
	default:
		return x;
	}
}

/* Around centres, which are rows too, all at distance 1 but for roundings: sums that differ, and of which the roots are
 * equal. */
static void
make_ring(double *row, int64_t i, int64_t d)
{
	double sum = 0, centre = 4 * (double)(i % 3);
	for (int64_t l = 0; l < d; l++)
		sum += row[l] * row[l];
	for (int64_t l = 0; l < d; l++)
		row[l] = centre + (i % 150 < 3 ? 0 : row[l] / sqrt(sum));
}

static inline double *
rows_of_kind(int kind, int64_t n, int64_t d)
{
	double *x = room(n * d, sizeof *x);
	for (int64_t i = 0; i < n; i++) {
		for (int64_t l = 0; l < d; l++)
			x[i * d + l] = element(kind, i, l, d, random_normal());
		if (kind == RINGS)
			make_ring(x + i * d, i, d);
		if (kind == REPEATED && i >= 20)
			memcpy(x + i * d, x + i * 7 % 20 * d, (size_t)d * sizeof *x);
	}
	return x;
}

static inline data_set
make_data(int kind, int64_t n, int64_t d, int64_t m, int64_t k)
{
	data_set s = {.name = kind_name[kind], .n = n, .d = d, .m = m, .k = k, .single = random_below(3) == 0};
	double *x = rows_of_kind(kind, n + m, d);
	for (int64_t e = 0; s.single && e < (n + m) * d; e++)
		x[e] = (float)x[e];
	take_rows(&s, x);
	return s;
}

#endif
