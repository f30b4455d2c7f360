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
 * not; 'again', the same where the queue is full. */
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

/* No sum whose distance is at most that is larger, (10.2). */
__device__ static inline double
limit_of(knng_final_map map, double distance)
{
	double sum = map == KNNG_MAP_SQRT   ? __dmul_rn(distance, distance)
		     : map == KNNG_MAP_HALF ? 2 * distance
					    : distance;
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

#endif
