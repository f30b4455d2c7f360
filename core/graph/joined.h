/* joined.h  How far a join of two nodes is from a third, by Lance and Williams: docs/canonical.md, 13. */
#ifndef KNNG_JOINED_H
#define KNNG_JOINED_H

#include "base/both.h"
#include "graph/linkage.h"

#include <math.h>

typedef struct {
	int32_t a, b;         /* places: b went into a */
	double na, nb, at, p; /* rows of both; how far apart they were; a's share in what they are now */
} knng_join;

static inline knng_join
knng_join_of(knng_link method, const double *size, int64_t a, int64_t b, double near)
{
	bool halves = method == KNNG_LINK_WEIGHTED || method == KNNG_LINK_MEDIAN;
	return (knng_join){(int32_t)a, (int32_t)b, size[a],
			   size[b],    near,       halves ? 0.5 : size[a] / (size[a] + size[b])};
}

/* The power of two that is next to x, for which no square leaves the doubles; 1 for most. */
KNNG_HD double
knng_unit_of(double x)
{
	if (x < 1e150 && x > 1e-140)
		return 1;
	int e;
	frexp(x, &e);
	e = e > 1023 ? 1023 : e < -1021 ? -1021 : e;
	return ldexp(1.0, e);
}

/* x and y: how far k, with nk rows, is from a and from b. */
KNNG_HD double
knng_joined(knng_link method, double x, double y, const knng_join *e, double nk)
{
	double less = x < y ? x : y, more = y < x ? x : y, d; /* two instructions without a branch */
	switch (method) {
	case KNNG_LINK_SINGLE:
		return less;
	case KNNG_LINK_COMPLETE:
		return more;
	case KNNG_LINK_AVERAGE:
	case KNNG_LINK_WEIGHTED: /* with Inf it is Inf, since p is neither 0 nor 1 */
		d = e->p * x + (1 - e->p) * y;
		d = d < less ? less : d;
		return d > more ? more : d;
	default:
		break;
	}
	if (more == (double)INFINITY)
		return INFINITY;
	double unit = knng_unit_of(more), n = e->na + e->nb + nk, c = e->at / unit;
	x /= unit;
	y /= unit;
	if (method == KNNG_LINK_WARD) {
		d = unit * sqrt((e->na + nk) / n * (x * x) + (e->nb + nk) / n * (y * y) - nk / n * (c * c));
		return d >= less ? d : less; /* of NaN too: less than 0 by rounding */
	}
	d = e->p * (x * x) + (1 - e->p) * (y * y) - e->p * (1 - e->p) * (c * c);
	return d > 0 ? unit * sqrt(d) : 0;
}

#endif
