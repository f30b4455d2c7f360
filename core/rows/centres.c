/* centres.c  Compiled once a target with KNNG_TARGET = avx512, avx2 or plain and that target's compiler flags. */
#include "rows/centres.h"
#include "search/cpu/lanes.h"

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)

/* TILE_MR rows against P panels over columns [l0, l1). */
#define BLOCK(P)                                                                                                       \
	KNNG_INLINE void block_##P(const float *const *a, const float *b, int64_t d, int64_t l0, int64_t l1, float *v, \
				   int64_t ldv)                                                                        \
	{                                                                                                              \
		f16 acc[TILE_MR][P];                                                                                   \
		_Pragma("GCC unroll 16") for (int r = 0; r < TILE_MR; r++)                                             \
			_Pragma("GCC unroll 4") for (int p = 0; p < P; p++) acc[r][p] = f16_zero();                    \
		for (int64_t l = l0; l < l1; l++) {                                                                    \
			f16 c[P];                                                                                      \
			_Pragma("GCC unroll 4") for (int p = 0; p < P; p++) c[p] =                                     \
				f16_load(b + (p * d + l) * CENTRES_PANEL);                                             \
			_Pragma("GCC unroll 16") for (int r = 0; r < TILE_MR; r++)                                     \
			{                                                                                              \
				f16 x = f16_set(a[r][l]);                                                              \
				_Pragma("GCC unroll 4") for (int p = 0; p < P; p++) acc[r][p] =                        \
					f16_fma(x, c[p], acc[r][p]);                                                   \
			}                                                                                              \
		}                                                                                                      \
		_Pragma("GCC unroll 16") for (int r = 0; r < TILE_MR; r++)                                             \
			_Pragma("GCC unroll 4") for (int p = 0; p < P; p++)                                            \
		{                                                                                                      \
			float *to = v + r * ldv + p * CENTRES_PANEL;                                                   \
			f16_store(to, l0 > 0 ? f16_add(f16_load(to), acc[r][p]) : acc[r][p]);                          \
		}                                                                                                      \
	}
BLOCK(1)
BLOCK(2)

KNNG_INLINE float
largest_of(f16 a)
{
	float x[16], most[8];
	f16_store(x, a);
	for (int i = 0; i < 8; i++)
		most[i] = x[i] > x[i + 8] ? x[i] : x[i + 8];
	for (int i = 0; i < 4; i++)
		most[i] = most[i] > most[i + 4] ? most[i] : most[i + 4];
	for (int i = 0; i < 2; i++)
		most[i] = most[i] > most[i + 2] ? most[i] : most[i + 2];
	return most[0] > most[1] ? most[0] : most[1];
}

/* Takes the bases from a row's products. */
KNNG_INLINE knng_nearest
nearest_of(float *v, const float *base, int64_t panels)
{
	f16 best = f16_set(-INFINITY), second = best;
	knng_nearest n = {.at = 0};
	for (int64_t p = 0; p < panels; p++) {
		f16 q = f16_sub(f16_load(v + p * 16), f16_load(base + p * 16));
		f16_store(v + p * 16, q);
		second = f16_max(second, f16_min(q, best));
		best = f16_max(q, best);
	}
	n.best = largest_of(best);
	for (int64_t p = 0; p < panels; p++) {
		uint32_t mask = f16_ge(f16_load(v + p * 16), f16_set(n.best));
		if (mask != 0) {
			n.at = (int32_t)(p * 16) + __builtin_ctz(mask);
			break;
		}
	}
	float in_lane[16], next[16];
	f16_store(in_lane, best);
	f16_store(next, second);
	in_lane[n.at % 16] = next[n.at % 16];
	n.second = largest_of(f16_load(in_lane));
	return n;
}

static void
scores(const float *const *row, int64_t count, const float *centres, const float *base, int64_t panels, int64_t d,
       float *v, knng_nearest *nearest)
{
	const float *a[CENTRES_ROWS];
	int64_t ldv = panels * CENTRES_PANEL, l1;
	for (int r = 0; r < CENTRES_ROWS; r++) /* rows that are not there are others again */
		a[r] = row[r < count ? r : 0];
	for (int64_t l0 = 0; l0 < d; l0 = l1) {
		l1 = l0 + CENTRES_SLICE < d ? l0 + CENTRES_SLICE : d;
		int64_t p = 0;
		for (; TILE_PANELS == 2 && p + 2 <= panels; p += 2)
			for (int64_t i = 0; i < count; i += TILE_MR)
				block_2(a + i, centres + p * CENTRES_PANEL * d, d, l0, l1,
					v + i * ldv + p * CENTRES_PANEL, ldv);
		for (; p < panels; p++)
			for (int64_t i = 0; i < count; i += TILE_MR)
				block_1(a + i, centres + p * CENTRES_PANEL * d, d, l0, l1,
					v + i * ldv + p * CENTRES_PANEL, ldv);
	}
	for (int64_t r = 0; r < count; r++)
		nearest[r] = nearest_of(v + r * ldv, base, panels);
}

static float
product(const float *a, const float *b, int64_t ld)
{
	f16 sum = f16_zero();
	float x[16];
	for (int64_t l = 0; l < ld; l += 16)
		sum = f16_fma(f16_load(a + l), f16_load(b + l), sum);
	f16_store(x, sum);
	for (int half = 8; half > 0; half /= 2)
		for (int i = 0; i < half; i++)
			x[i] += x[i + half];
	return x[0];
}

static void
add(const double *u, const double *down, double sign, int64_t ld, double *sums)
{
	/* A number below 2 in magnitude plus 1.5 * 2^52 * g is rounded to a multiple of g: 2^-22, 2^-44, 2^-66. */
	const v8 upper = v8_set(0x1.8p30), middle = v8_set(0x1.8p8), lower = v8_set(0x1.8p-14), s = v8_set(sign);
	for (int64_t l = 0; l < ld; l += 8) {
		v8 x = v8_mul(v8_mul(v8_load(u + l), v8_load(down + l)), s), part;
		part = v8_sub(v8_add(x, upper), upper);
		v8_store(sums + l, v8_add(v8_load(sums + l), part));
		x = v8_sub(x, part);
		part = v8_sub(v8_add(x, middle), middle);
		v8_store(sums + ld + l, v8_add(v8_load(sums + ld + l), part));
		x = v8_sub(x, part);
		part = v8_sub(v8_add(x, lower), lower);
		v8_store(sums + 2 * ld + l, v8_add(v8_load(sums + 2 * ld + l), part));
	}
}

extern const knng_centres_loops PASTE(knng_centres_, KNNG_TARGET);
const knng_centres_loops PASTE(knng_centres_, KNNG_TARGET) = {.scores = scores, .product = product, .add = add};
