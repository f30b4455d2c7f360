/* leaves.h  What searches of a tree on GPUs share: leaves.cu, by rows, and copies.cu, by copies. */
#ifndef KNNG_LEAVES_H
#define KNNG_LEAVES_H

#include "cuda/search/kernels.h"

#include <math_constants.h>

enum { WARP = 32 };
static const unsigned ALL = 0xffffffffu;

/* What the tests must find (on emulated GPUs): 'box', one without the last row of its leaf; 'near', the limit of
 * another query; 'tie', one that leaves out what is just as far; 'leaf', rows that are not all there yet; 'copy',
 * copies that lose nothing; 'sum', sums of them that lose nothing; 'queue', a query that is to go another time and does
 * not; 'again', the same where the queue is full; 'centre', queries that go with the copies of another cluster. */
#ifdef KNNG_PLANT_LEAVES
#include <cstdlib>
#include <cstring>
#define PLANTED(fault) (getenv("KNNG_PLANT") != NULL && strcmp(getenv("KNNG_PLANT"), fault) == 0)
#else
#define PLANTED(fault) false
#endif

/* The first row of node `at` of the 2^depth nodes of a depth. */
__host__ __device__ static inline int64_t
first_of(int64_t n, int depth, int64_t at)
{
	return (n * at) >> depth;
}

/* The sum that a distance has, about. */
__device__ static inline double
sum_of(knng_final_map map, double distance)
{
	return map == KNNG_MAP_SQRT ? __dmul_rn(distance, distance) : map == KNNG_MAP_HALF ? 2 * distance : distance;
}

/* No sum whose distance is at most that is larger, (10.2). */
__device__ static inline double
limit_of(knng_final_map map, double distance)
{
	double sum = sum_of(map, distance);
	if (PLANTED("tie"))
		return sum * (1 - 0x1p-52);
	return __dadd_rn(__dmul_rn(sum, 1 + 0x1p-50), 0x1p-1070);
}

/* The largest sum that matters to a query which has found nothing yet. */
__device__ static inline double
first_limit(const visiting &s, int32_t query)
{
	double within = s.within != NULL ? s.within[query] : CUDART_INF;
	return within < CUDART_INF ? limit_of(s.map, within) : CUDART_INF;
}

/* Whether a point is no neighbour of a query, however near. */
__device__ static inline bool
is_left_out(const visiting &s, int32_t query, int32_t point)
{
	return s.graph && (s.split > 0 ? (query < s.split) == (point < s.split) : query == point);
}

/* The fixed tree over the first D accumulators (0: eight): what is not there is 0, which adds nothing. */
template <knng_sum SUM, int D>
__device__ static inline double
join(const double *a)
{
	const int n = D > 0 && D < 8 ? D : 8;
	if (SUM == KNNG_SUM_LINF) {
		double most = a[0];
#pragma unroll
		for (int l = 1; l < n; l++)
			most = fmax(most, a[l]);
		return most;
	}
	double left = n > 4 ? __dadd_rn(a[0], a[4 % n]) : a[0], right = n > 5 ? __dadd_rn(a[1], a[5 % n]) : a[1];
	double second = n > 6 ? __dadd_rn(a[2 % n], a[6 % n]) : a[2 % n];
	double third = n > 7 ? __dadd_rn(a[3 % n], a[7 % n]) : a[3 % n];
	left = n > 2 ? __dadd_rn(left, second) : left;
	right = n > 3 ? __dadd_rn(right, third) : right;
	return __dadd_rn(left, right);
}

template <knng_sum SUM, int D>
__device__ static inline double
joined(const sums<SUM> *s)
{
	double a[8], b[8];
#pragma unroll
	for (int l = 0; l < (D > 0 ? D : 8); l++) {
		a[l] = s[l].a[0];
		b[l] = s[l].a[SUM == KNNG_SUM_EITHER];
	}
	double sum = join<SUM, D>(a);
	return SUM == KNNG_SUM_EITHER ? fmin(sum, join<SUM, D>(b)) : sum;
}

/* How far an element is from those of a box, as they are rounded: (10.1). */
__device__ static inline double
gap(double u, double low, double high)
{
	return fmax(fmax(__dsub_rn(low, u), __dsub_rn(u, high)), 0.);
}

/* One term of the bound. */
template <knng_sum SUM>
__device__ static inline void
take_gap(sums<SUM> *s, double u, double low, double high)
{
	const knng_sum kind = SUM == KNNG_SUM_L1 || SUM == KNNG_SUM_LINF ? SUM : KNNG_SUM_MINUS;
	s->a[0] = meet(kind, s->a[0], gap(SUM == KNNG_SUM_PLUS ? -u : u, low, high), 0);
	if (SUM == KNNG_SUM_EITHER)
		s->a[SUM == KNNG_SUM_EITHER] = meet(kind, s->a[SUM == KNNG_SUM_EITHER], gap(-u, low, high), 0);
}

#endif
