/* keys.c  Compiled once a target, as kernels.c is. Every loop is written for the compiler to make lanes of.
 *
 * Limits: below and least read each element once and do some ten operations on it, eight doubles at a time with
 * AVX-512: as fast as the elements come from memory. */
#include "keys.h"

#include <string.h>

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define KEYS_INLINE static inline __attribute__((always_inline))

/* Element to key and back, for T of as many bits as U. A float's bits are sign and magnitude: negative ones are turned
 * whole, the others' sign is set. By magnitude the sign goes to the lowest bit, behind the magnitude, and 1 is added to
 * leave the largest key to NaN in either direction. x + 0 makes 0 of -0. */
#define FLOAT(name, T, U, S)                                                                                           \
	KEYS_INLINE U key_##name(T x, U mask)                                                                          \
	{                                                                                                              \
		U b;                                                                                                   \
		T y = x + (T)0;                                                                                        \
		memcpy(&b, &y, sizeof b);                                                                              \
		b ^= (U)((S)b >> (8 * sizeof b - 1)) | (U)1 << (8 * sizeof b - 1);                                     \
		b ^= mask;                                                                                             \
		return x != x ? (U)-1 : b;                                                                             \
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
		return x != x ? (U)-1 : b;                                                                             \
	}                                                                                                              \
	KEYS_INLINE U bits_abs##name(U key, U mask)                                                                    \
	{                                                                                                              \
		key = (key ^ mask) - 1;                                                                                \
		return key >> 1 | key << (8 * sizeof key - 1);                                                         \
	}

/* By magnitude an integer counts 0, 1, -1, 2, -2, …: there are as many of them as keys. */
#define INTEGER(name, U, S)                                                                                            \
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
		return (U)((U)(y << 1) ^ (U)((S)y >> (8 * sizeof y - 1)) ^ mask);                                      \
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
			int64_t end = n - at < KEYS_BLOCK ? n : at + KEYS_BLOCK;                                       \
			if (end - at == KEYS_BLOCK) {                                                                  \
				U any = 0;                                                                             \
				for (int i = 0; i < KEYS_BLOCK; i++)                                                   \
					any |= (U)(key_##name(x[at + i], m) <= most);                                  \
				if (any == 0) {                                                                        \
					at = end;                                                                      \
					continue;                                                                      \
				}                                                                                      \
			}                                                                                              \
			for (; at < end; at++) {                                                                       \
				U key = key_##name(x[at], m);                                                          \
				items[c] = (knng_item){key, first + at};                                               \
				c += key <= most;                                                                      \
			}                                                                                              \
		}                                                                                                      \
		*count = c;                                                                                            \
		return at;                                                                                             \
	}                                                                                                              \
	static void least_##name(const void *elements, int64_t n, uint64_t mask, int64_t groups, uint64_t *best)       \
	{                                                                                                              \
		const U m = (U)mask;                                                                                   \
		for (int64_t g = 0; g < groups; g += KEYS_GROUPS) {                                                    \
			U least[KEYS_GROUPS];                                                                          \
			memset(least, 0xff, sizeof least);                                                             \
			for (int64_t row = 0; row + groups <= n; row += groups) {                                      \
				const T *x = (const T *)elements + row + g;                                            \
				for (int i = 0; i < KEYS_GROUPS; i++) {                                                \
					U key = key_##name(x[i], m);                                                   \
					least[i] = key < least[i] ? key : least[i];                                    \
				}                                                                                      \
			}                                                                                              \
			for (int i = 0; i < KEYS_GROUPS; i++)                                                          \
				best[g + i] = least[i];                                                                \
		}                                                                                                      \
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

/* Turning knows no order. Eight by eight, so that what is read and what is written stay in the nearest cache. */
#define TURN(name, T)                                                                                                  \
	static void turn_##name(const void *elements, int64_t inner, int64_t lanes, int64_t n, void *to,               \
				int64_t stride)                                                                        \
	{                                                                                                              \
		const T *x = elements;                                                                                 \
		T *tile = to;                                                                                          \
		for (int64_t e = 0; e < n; e += 8) {                                                                   \
			int64_t rows = n - e < 8 ? n - e : 8;                                                          \
			for (int64_t l = 0; l < lanes; l++)                                                            \
				for (int64_t r = 0; r < rows; r++)                                                     \
					tile[l * stride + e + r] = x[(e + r) * inner + l];                             \
		}                                                                                                      \
	}

#define KIND(name, T, U) LOOPS(name, T, U) LOOPS(abs##name, T, U) TURN(name, T)

INTEGER(8, uint8_t, int8_t)
INTEGER(16, uint16_t, int16_t)
INTEGER(32, uint32_t, int32_t)
INTEGER(64, uint64_t, int64_t)
FLOAT(f32, float, uint32_t, int32_t)
FLOAT(f64, double, uint64_t, int64_t)
KIND(8, uint8_t, uint8_t)
KIND(16, uint16_t, uint16_t)
KIND(32, uint32_t, uint32_t)
KIND(64, uint64_t, uint64_t)
KIND(f32, float, uint32_t)
KIND(f64, double, uint64_t)

#define ROWS(kind, name) [KNNG_KEYS_##kind] = {below_##name, least_##name, turn_##name, put_##name}
#define ABS_ROWS(kind, name) [KNNG_KEYS_ABS##kind] = {below_abs##name, least_abs##name, turn_##name, put_abs##name}

extern const knng_keys PASTE(knng_keys_, KNNG_TARGET)[KNNG_KEYS];
const knng_keys PASTE(knng_keys_, KNNG_TARGET)[KNNG_KEYS] = {
	ROWS(8, 8),       ROWS(16, 16),     ROWS(32, 32),   ROWS(64, 64),   ABS_ROWS(8, 8),     ABS_ROWS(16, 16),
	ABS_ROWS(32, 32), ABS_ROWS(64, 64), ROWS(F32, f32), ROWS(F64, f64), ABS_ROWS(F32, f32), ABS_ROWS(F64, f64),
};
