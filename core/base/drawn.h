/* drawn.h  Numbers that look drawn, the same on every machine: 64 bits from 64 that count up, by the mix of G. Steele,
 * D. Lea, C. Flood, OOPSLA 2014, 453-472. */
#ifndef KNNG_DRAWN_H
#define KNNG_DRAWN_H

#include <stdint.h>

static inline uint64_t
knng_stirred(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static const uint64_t knng_stride = 0x9e3779b97f4a7c15u;

/* The next of a sequence. */
static inline uint64_t
knng_drawn(uint64_t *state)
{
	return knng_stirred(*state += knng_stride);
}

/* One of 0 … count - 1, count at most 2^32, from 32 bits. */
static inline int64_t
knng_one_of(uint32_t bits, int64_t count)
{
	return (int64_t)(((uint64_t)bits * (uint64_t)count) >> 32);
}

#endif
