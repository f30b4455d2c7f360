/* keys.c  Compiled once a target, as kernels.c is. Every loop is written for the compiler to make lanes of.
 *
 * Limits: below and least do some ten operations an element, on eight doubles at a time with AVX-512, which is little
 * beside reading it; transpose moves one element at a time, and costs more than both. */
#include "topk/keys.h"

#include <string.h>

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
enum {
	LINE = 64, /* bytes of a cache line */
	FAR = 32,  /* elements that `below` looks at together, before it looks closer */
};

#define KEYS_INLINE static inline __attribute__((always_inline))

/* Element to key and back, for T of as many bits as U. A float's bits are sign and magnitude: negative ones are
 * complemented whole, the others' sign is set. By magnitude the sign goes to the lowest bit, behind the magnitude, and
 * 1 is added to leave the largest key to NaN in either direction. x + 0 makes 0 of -0. */
#define FLOAT(name, T, U)                                                                                              \
	KEYS_INLINE U key_##name(T x, U mask)                                                                          \
	{                                                                                                              \
		U b;                                                                                                   \
		T y = x + (T)0;                                                                                        \
		memcpy(&b, &y, sizeof b);                                                                              \
		b ^= (U)(0 - (b >> (8 * sizeof b - 1))) | (U)1 << (8 * sizeof b - 1);                                  \
		b ^= mask;                                                                                             \
		return b | (U)(0 - (U)(x != x));                                                                       \
	}                                                                                                              \
	KEYS_INLINE U bits_##name(U key, U mask)                                                                       \
	{                                                                                                              \
		key ^= mask;                                                                                           \
		return key ^ (key >> (8 * sizeof key - 1) ? (U)1 << (8 * sizeof key - 1) : (U)-1);                     \
	}                                                                                                              \
	KEYS_INLINE U key_abs##name(T x, U mask)                                                                       \
	{                                                                                                              \
		U b;                                                                                                   \
		T y = x + (T)0;                                                                                        \
		memcpy(&b, &y, sizeof b);                                                                              \
		b = ((b << 1 | b >> (8 * sizeof b - 1)) + 1) ^ mask;                                                   \
		return b | (U)(0 - (U)(x != x));                                                                       \
	}                                                                                                              \
	KEYS_INLINE U bits_abs##name(U key, U mask)                                                                    \
	{                                                                                                              \
		key = (key ^ mask) - 1;                                                                                \
		return key >> 1 | key << (8 * sizeof key - 1);                                                         \
	}

/* By magnitude an integer counts 0, 1, -1, 2, -2, …: there are as many of them as keys. */
#define INTEGER(name, U)                                                                                               \
	KEYS_INLINE U key_##name(U x, U mask)                                                                          \
	{                                                                                                              \
		return x ^ mask;                                                                                       \
	}                                                                                                              \
	KEYS_INLINE U bits_##name(U key, U mask)                                                                       \
	{                                                                                                              \
		return key ^ mask;                                                                                     \
	}                                                                                                              \
	KEYS_INLINE U key_abs##name(U x, U mask)                                                                       \
	{                                                                                                              \
		U y = (U)(0 - x);                                                                                      \
		return (U)((U)(y << 1) ^ (U)(0 - (y >> (8 * sizeof y - 1))) ^ mask);                                   \
	}                                                                                                              \
	KEYS_INLINE U bits_abs##name(U key, U mask)                                                                    \
	{                                                                                                              \
		key ^= mask;                                                                                           \
		return (U)(0 - (U)((U)(key >> 1) ^ (U)(0 - (key & 1))));                                               \
	}

/* The loops of a kind. `put` takes the element itself where bits and element may differ: 0 and NaN. */
#define LOOPS(name, T, U)                                                                                              \
	static int64_t below_##name(const void *elements, int64_t n, int64_t first, uint64_t mask, uint64_t limit,     \
				    knng_item *items, int64_t *count, int64_t stop)                                    \
	{                                                                                                              \
		const T *x = elements;                                                                                 \
		const U m = (U)mask, most = (U)limit;                                                                  \
		int64_t c = *count, at = 0;                                                                            \
		while (at < n && c < stop) {                                                                           \
			U keys[KEYS_BLOCK], any = 0;                                                                   \
			if (n - at >= FAR) {                                                                           \
				for (int i = 0; i < FAR; i++)                                                          \
					any |= (U)(key_##name(x[at + i], m) <= most);                                  \
				if (any == 0) {                                                                        \
					at += FAR;                                                                     \
					continue;                                                                      \
				}                                                                                      \
			}                                                                                              \
			for (int64_t end = n - at < FAR ? n : at + FAR; at < end && c < stop;) {                       \
				int some = end - at < KEYS_BLOCK ? (int)(end - at) : KEYS_BLOCK;                       \
				if (some == KEYS_BLOCK)                                                                \
					for (int i = 0; i < KEYS_BLOCK; i++)                                           \
						keys[i] = key_##name(x[at + i], m);                                    \
				else                                                                                   \
					for (int i = 0; i < some; i++)                                                 \
						keys[i] = key_##name(x[at + i], m);                                    \
				for (int i = 0; i < some; i++) {                                                       \
					items[c] = (knng_item){keys[i], first + at + i};                               \
					c += keys[i] <= most;                                                          \
				}                                                                                      \
				at += some;                                                                            \
			}                                                                                              \
		}                                                                                                      \
		*count = c;                                                                                            \
		return at;                                                                                             \
	}                                                                                                              \
	static void least_##name(const void *elements, int64_t n, uint64_t mask, int64_t groups, void *space,          \
				 uint64_t *best)                                                                       \
	{                                                                                                              \
		const T *x = elements;                                                                                 \
		const U m = (U)mask;                                                                                   \
		U *least = space;                                                                                      \
		memset(least, 0xff, (size_t)groups * sizeof *least);                                                   \
		for (int64_t row = 0; row + groups <= n; row += groups)                                                \
			for (int64_t g = 0; g < groups; g++) {                                                         \
				U key = key_##name(x[row + g], m);                                                     \
				least[g] = key < least[g] ? key : least[g];                                            \
			}                                                                                              \
		for (int64_t g = 0; g < groups; g++)                                                                   \
			best[g] = least[g];                                                                            \
	}                                                                                                              \
	static void put_##name(const knng_item *items, int64_t count, uint64_t mask, const void *elements,             \
			       int64_t stride, void *to, int64_t to_stride)                                            \
	{                                                                                                              \
		const T *x = elements;                                                                                 \
		T *out = to;                                                                                           \
		const U zero = key_##name(0, (U)mask);                                                                 \
		for (int64_t r = 0; r < count; r++) {                                                                  \
			U key = (U)items[r].key, bits = bits_##name(key, (U)mask);                                     \
			T v;                                                                                           \
			memcpy(&v, &bits, sizeof v);                                                                   \
			out[r * to_stride] = key != zero && key != (U)-1 ? v : x[items[r].index * stride];             \
		}                                                                                                      \
	}

/* Transposing knows no order. Eight by eight, so that what is written stays in the nearest cache; between, the lines of
 * the next eight rows are asked for, which may lie pages apart, where the processor does not foresee them. */
#define TRANSPOSE(name, T)                                                                                             \
	static void transpose_##name(const void *elements, int64_t inner, int64_t lanes, int64_t n, void *to,          \
				     int64_t stride)                                                                   \
	{                                                                                                              \
		const T *x = elements;                                                                                 \
		T *tile = to;                                                                                          \
		for (int64_t e = 0; e + 8 <= n; e += 8) {                                                              \
			const T *from = x + e * inner, *next = e + 16 <= n ? from + 8 * inner : from;                  \
			for (int64_t l = 0; l < lanes; l++) {                                                          \
				int64_t in_line = l % (LINE / (int64_t)sizeof *x);                                     \
				if (in_line < 8)                                                                       \
					__builtin_prefetch(next + in_line * inner + l - in_line);                      \
				for (int r = 0; r < 8; r++)                                                            \
					tile[l * stride + e + r] = from[r * inner + l];                                \
			}                                                                                              \
		}                                                                                                      \
		for (int64_t e = n - n % 8; e < n; e++)                                                                \
			for (int64_t l = 0; l < lanes; l++)                                                            \
				tile[l * stride + e] = x[e * inner + l];                                               \
	}

#define KIND(name, T, U) LOOPS(name, T, U) LOOPS(abs##name, T, U) TRANSPOSE(name, T)

INTEGER(8, uint8_t)
INTEGER(16, uint16_t)
INTEGER(32, uint32_t)
INTEGER(64, uint64_t)
FLOAT(f32, float, uint32_t)
FLOAT(f64, double, uint64_t)
KIND(8, uint8_t, uint8_t)
KIND(16, uint16_t, uint16_t)
KIND(32, uint32_t, uint32_t)
KIND(64, uint64_t, uint64_t)
KIND(f32, float, uint32_t)
KIND(f64, double, uint64_t)

#define ROWS(kind, name) [KNNG_KEYS_##kind] = {below_##name, least_##name, transpose_##name, put_##name}
#define ABS_ROWS(kind, name) [KNNG_KEYS_ABS##kind] = {below_abs##name, least_abs##name, transpose_##name, put_abs##name}

extern const knng_keys PASTE(knng_keys_, KNNG_TARGET)[KNNG_KEYS];
const knng_keys PASTE(knng_keys_, KNNG_TARGET)[KNNG_KEYS] = {
	ROWS(8, 8),       ROWS(16, 16),     ROWS(32, 32),   ROWS(64, 64),   ABS_ROWS(8, 8),     ABS_ROWS(16, 16),
	ABS_ROWS(32, 32), ABS_ROWS(64, 64), ROWS(F32, f32), ROWS(F64, f64), ABS_ROWS(F32, f32), ABS_ROWS(F64, f64),
};
