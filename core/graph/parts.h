/* parts.h  Parts of a graph by union and find: up[i] <= i leads to the first node of i's part, which leads to itself.
 */
#ifndef KNNG_PARTS_H
#define KNNG_PARTS_H

#include <stdbool.h>
#include <stdint.h>

/* Every node is a part. */
static inline void
knng_parts_begin(int32_t *up, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		up[i] = (int32_t)i;
}

/* The first node of i's part. Paths are halved on the way. */
static inline int32_t
knng_part_first(int32_t *up, int32_t i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
}

/* Joins the parts of i and j; false if they are one. */
static inline bool
knng_parts_join(int32_t *up, int32_t i, int32_t j)
{
	i = knng_part_first(up, i);
	j = knng_part_first(up, j);
	if (i < j)
		up[j] = i;
	else
		up[i] = j;
	return i != j;
}

/* Every node leads straight to the first of its part. */
static inline void
knng_parts_flatten(int32_t *up, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		up[i] = up[up[i]]; /* what stands before it is flat already */
}

#endif
