/* kernels.c  Compiled once a target with KNNG_TARGET = avx512, avx2 or plain and that target's compiler flags.
 *
 * Limits: sums() reads one row from memory a pair (8 bytes a feature); tile() does one fused operation an element and
 * feature from registers (8 rows x 32 columns with AVX-512), micro-panels of 16 rows streaming from L2; compare() reads
 * each tile value once from L2. */
#include "search/cpu/kernels.h"
#include "base/sort.h"
#include "search/cpu/gap_copies.h"
#include "search/cpu/lanes.h"
#include "search/points.h"

#include <float.h>

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

/* ---------------------------------------------------------------- canonical */

/* The fixed tree over the eight accumulators. */
KNNG_INLINE double
tree(v8 v)
{
	_Alignas(64) double a[8];
	v8_store(a, v);
	return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

static double
sum_plain(const double *x, int64_t ld)
{
	v8 a = v8_zero();
	for (int64_t l = 0; l < ld; l += 8)
		a = v8_add(a, v8_load(x + l));
	return tree(a);
}

static double
sum_squares(const double *x, int64_t ld)
{
	v8 a = v8_zero();
	for (int64_t l = 0; l < ld; l += 8)
		a = v8_fma(v8_load(x + l), v8_load(x + l), a);
	return tree(a);
}

/* One step of a sum with t = u - v or u + v. */
#define STEP_MINUS(a, u, v) (t = v8_sub(u, v), v8_fma(t, t, a))
#define STEP_PLUS(a, u, v) (t = v8_add(u, v), v8_fma(t, t, a))
#define STEP_L1(a, u, v) v8_add(a, v8_abs(v8_sub(u, v)))
#define STEP_LINF(a, u, v) v8_max(a, v8_abs(v8_sub(u, v)))

/* The same where NaN is a missing value, in u or v: as if both had 0 there. */
#define STEP_SHARED_MINUS(a, u, v) (t = v8_known(v8_sub(u, v)), v8_fma(t, t, a))
#define STEP_SHARED_L1(a, u, v) v8_add(a, v8_abs(v8_known(v8_sub(u, v))))
#define STEP_SHARED_LINF(a, u, v) v8_max(a, v8_abs(v8_known(v8_sub(u, v))))

KNNG_INLINE double
largest(v8 v)
{
	_Alignas(64) double a[8];
	double m = 0;
	v8_store(a, v);
	for (int l = 0; l < 8; l++)
		m = a[l] > m ? a[l] : m;
	return m;
}

/* Four rows at a time hide the latency of the chains of additions; the rows after them are on their way meanwhile. */
#define SUMS(name, STEP, END)                                                                                          \
	static void sums_##name(const double *u, const double *U, int64_t ld, const int32_t *j, int64_t count,         \
				double *out)                                                                           \
	{                                                                                                              \
		int64_t c = 0;                                                                                         \
		v8 t;                                                                                                  \
		(void)t;                                                                                               \
		for (; c + 4 <= count; c += 4) {                                                                       \
			const double *v0 = U + j[c] * ld, *v1 = U + j[c + 1] * ld, *v2 = U + j[c + 2] * ld,            \
				     *v3 = U + j[c + 3] * ld;                                                          \
			v8 a0 = v8_zero(), a1 = v8_zero(), a2 = v8_zero(), a3 = v8_zero();                             \
			for (int64_t l = 0; l < ld; l += 8) {                                                          \
				v8 x = v8_load(u + l);                                                                 \
				a0 = STEP(a0, x, v8_load(v0 + l));                                                     \
				a1 = STEP(a1, x, v8_load(v1 + l));                                                     \
				a2 = STEP(a2, x, v8_load(v2 + l));                                                     \
				a3 = STEP(a3, x, v8_load(v3 + l));                                                     \
			}                                                                                              \
			out[c] = END(a0);                                                                              \
			out[c + 1] = END(a1);                                                                          \
			out[c + 2] = END(a2);                                                                          \
			out[c + 3] = END(a3);                                                                          \
		}                                                                                                      \
		for (; c < count; c++) {                                                                               \
			const double *v = U + j[c] * ld;                                                               \
			v8 a = v8_zero();                                                                              \
			for (int64_t l = 0; l < ld; l += 8)                                                            \
				a = STEP(a, v8_load(u + l), v8_load(v + l));                                           \
			out[c] = END(a);                                                                               \
		}                                                                                                      \
	}
SUMS(minus, STEP_MINUS, tree)
SUMS(plus, STEP_PLUS, tree)
SUMS(l1, STEP_L1, tree)
SUMS(linf, STEP_LINF, largest)
SUMS(shared_minus, STEP_SHARED_MINUS, tree)
SUMS(shared_l1, STEP_SHARED_L1, tree)
SUMS(shared_linf, STEP_SHARED_LINF, largest)

/* ---- four rows u at once: each of the others that is loaded serves several pairs */

#define SUMS_OF_FOUR(name, STEP, END)                                                                                  \
	static void four_##name(const double *const *u, const double *U, int64_t ld, const int32_t *j, int64_t count,  \
				double *out)                                                                           \
	{                                                                                                              \
		for (int64_t c = 0; c < count; c += PAIR_ROWS) {                                                       \
			const double *from[PAIR_ROWS];                                                                 \
			for (int r = 0; r < PAIR_ROWS; r++)                                                            \
				from[r] = U + j[c + r < count ? c + r : count - 1] * ld;                               \
			for (int q0 = 0; q0 < 4; q0 += PAIR_QUERIES) {                                                 \
				v8 a[PAIR_QUERIES][PAIR_ROWS], v[PAIR_ROWS], t;                                        \
				(void)t;                                                                               \
				_Pragma("GCC unroll 4") for (int q = 0; q < PAIR_QUERIES; q++)                         \
					_Pragma("GCC unroll 4") for (int r = 0; r < PAIR_ROWS; r++) a[q][r] =          \
						v8_zero();                                                             \
				for (int64_t l = 0; l < ld; l += 8) {                                                  \
					_Pragma("GCC unroll 4") for (int r = 0; r < PAIR_ROWS; r++) v[r] =             \
						v8_load(from[r] + l);                                                  \
					_Pragma("GCC unroll 4") for (int q = 0; q < PAIR_QUERIES; q++)                 \
					{                                                                              \
						v8 x = v8_load(u[q0 + q] + l);                                         \
						_Pragma("GCC unroll 4") for (int r = 0; r < PAIR_ROWS; r++) a[q][r] =  \
							STEP(a[q][r], x, v[r]);                                        \
					}                                                                              \
				}                                                                                      \
				_Pragma("GCC unroll 4") for (int q = 0; q < PAIR_QUERIES; q++)                         \
					_Pragma("GCC unroll 4") for (int r = 0; r < PAIR_ROWS; r++)                    \
						out[(q0 + q) * 64 + c + r] = END(a[q][r]);                             \
			}                                                                                              \
		}                                                                                                      \
	}
SUMS_OF_FOUR(minus, STEP_MINUS, tree)
SUMS_OF_FOUR(plus, STEP_PLUS, tree)
SUMS_OF_FOUR(l1, STEP_L1, tree)
SUMS_OF_FOUR(linf, STEP_LINF, largest)

/* ---- rows in columns: eight pairs at a time, so each accumulator of a sum is eight of them */

KNNG_INLINE v8
tree_of(const v8 *a)
{
	return v8_add(v8_add(v8_add(a[0], a[4]), v8_add(a[2], a[6])), v8_add(v8_add(a[1], a[5]), v8_add(a[3], a[7])));
}

KNNG_INLINE v8
largest_of(const v8 *a)
{
	return v8_max(v8_max(v8_max(a[0], a[4]), v8_max(a[2], a[6])), v8_max(v8_max(a[1], a[5]), v8_max(a[3], a[7])));
}

/* The sums of eight pairs: STEP adds element l to one of the accumulators. What is beyond d adds nothing. */
#define EIGHT_PAIRS(d, STEP, END, result)                                                                              \
	{                                                                                                              \
		v8 a[8] = {v8_zero(), v8_zero(), v8_zero(), v8_zero(), v8_zero(), v8_zero(), v8_zero(), v8_zero()};    \
		int64_t l = 0;                                                                                         \
		for (; l + 8 <= d; l += 8) {                                                                           \
			a[0] = STEP(a[0], l);                                                                          \
			a[1] = STEP(a[1], l + 1);                                                                      \
			a[2] = STEP(a[2], l + 2);                                                                      \
			a[3] = STEP(a[3], l + 3);                                                                      \
			a[4] = STEP(a[4], l + 4);                                                                      \
			a[5] = STEP(a[5], l + 5);                                                                      \
			a[6] = STEP(a[6], l + 6);                                                                      \
			a[7] = STEP(a[7], l + 7);                                                                      \
		}                                                                                                      \
		if (l < d)                                                                                             \
			a[0] = STEP(a[0], l);                                                                          \
		if (l + 1 < d)                                                                                         \
			a[1] = STEP(a[1], l + 1);                                                                      \
		if (l + 2 < d)                                                                                         \
			a[2] = STEP(a[2], l + 2);                                                                      \
		if (l + 3 < d)                                                                                         \
			a[3] = STEP(a[3], l + 3);                                                                      \
		if (l + 4 < d)                                                                                         \
			a[4] = STEP(a[4], l + 4);                                                                      \
		if (l + 5 < d)                                                                                         \
			a[5] = STEP(a[5], l + 5);                                                                      \
		if (l + 6 < d)                                                                                         \
			a[6] = STEP(a[6], l + 6);                                                                      \
		result = END(a);                                                                                       \
	}

#define PAIR_MINUS(a, l) STEP_MINUS(a, v8_set(u[(l)*stride]), v8_load(rows + (l)*many + c))
#define PAIR_PLUS(a, l) STEP_PLUS(a, v8_set(u[(l)*stride]), v8_load(rows + (l)*many + c))
#define PAIR_L1(a, l) STEP_L1(a, v8_set(u[(l)*stride]), v8_load(rows + (l)*many + c))
#define PAIR_LINF(a, l) STEP_LINF(a, v8_set(u[(l)*stride]), v8_load(rows + (l)*many + c))

#define SUMS_OF_COLUMNS(name, STEP, END)                                                                               \
	static void columns_##name(const double *u, int64_t stride, const double *rows, int64_t many, int64_t d,       \
				   double *out)                                                                        \
	{                                                                                                              \
		for (int64_t c = 0; c < many; c += 8) {                                                                \
			v8 t, s;                                                                                       \
			(void)t;                                                                                       \
			EIGHT_PAIRS(d, STEP, END, s)                                                                   \
			v8_store(out + c, s);                                                                          \
		}                                                                                                      \
	}
SUMS_OF_COLUMNS(minus, PAIR_MINUS, tree_of)
SUMS_OF_COLUMNS(plus, PAIR_PLUS, tree_of)
SUMS_OF_COLUMNS(l1, PAIR_L1, tree_of)
SUMS_OF_COLUMNS(linf, PAIR_LINF, largest_of)

/* How far element l of eight queries lies from the box; of PLUS, from that of the rows with all signs changed. */
#define GAP_MINUS(l)                                                                                                   \
	v8_max(v8_max(v8_sub(v8_set(low[l]), v8_load(q + (l)*many)), v8_sub(v8_load(q + (l)*many), v8_set(high[l]))),  \
	       v8_zero())
#define GAP_PLUS(l)                                                                                                    \
	v8_max(v8_max(v8_add(v8_set(low[l]), v8_load(q + (l)*many)),                                                   \
		      v8_sub(v8_zero(), v8_add(v8_load(q + (l)*many), v8_set(high[l])))),                              \
	       v8_zero())
#define BOX_MINUS(a, l) (t = GAP_MINUS(l), v8_fma(t, t, a))
#define BOX_PLUS(a, l) (t = GAP_PLUS(l), v8_fma(t, t, a))
#define BOX_L1(a, l) v8_add(a, GAP_MINUS(l))
#define BOX_LINF(a, l) v8_max(a, GAP_MINUS(l))

#define SUMS_TO_BOX(name, STEP, END)                                                                                   \
	static void box_##name(const double *queries, int64_t many, const double *low, const double *high, int64_t d,  \
			       uint64_t among, double *out)                                                            \
	{                                                                                                              \
		for (int64_t c = 0; c < many; c += 8) {                                                                \
			const double *q = queries + c;                                                                 \
			v8 t, s;                                                                                       \
			(void)t;                                                                                       \
			if ((among >> c & 255) == 0)                                                                   \
				continue;                                                                              \
			EIGHT_PAIRS(d, STEP, END, s)                                                                   \
			v8_store(out + c, s);                                                                          \
		}                                                                                                      \
	}
SUMS_TO_BOX(minus, BOX_MINUS, tree_of)
SUMS_TO_BOX(plus, BOX_PLUS, tree_of)
SUMS_TO_BOX(l1, BOX_L1, tree_of)
SUMS_TO_BOX(linf, BOX_LINF, largest_of)

/* ---- copies in columns: up to four times sixteen rows, and one query or two */

#define NEAR_MINUS(a, u, v) (t = f16_sub(u, v), f16_fma(t, t, a))
#define NEAR_PLUS(a, u, v) (t = f16_add(u, v), f16_fma(t, t, a))
#define NEAR_L1(a, u, v) f16_add(a, f16_abs(f16_sub(u, v)))
#define NEAR_LINF(a, u, v) f16_max(a, f16_abs(f16_sub(u, v)))

#define SUMS_OF_COPIES(name, STEP)                                                                                     \
	KNNG_INLINE void copies_of_##name(const float *const *q, const float *rows, int64_t d, const float *limit,     \
					  float *out, uint64_t *within, const int queries, const int panels)           \
	{                                                                                                              \
		f16 a[2][4], v[4], t;                                                                                  \
		(void)t;                                                                                               \
		_Pragma("GCC unroll 2") for (int e = 0; e < queries; e++)                                              \
			_Pragma("GCC unroll 4") for (int p = 0; p < panels; p++) a[e][p] = f16_zero();                 \
		for (int64_t l = 0; l < d; l++) {                                                                      \
			_Pragma("GCC unroll 4") for (int p = 0; p < panels; p++) v[p] =                                \
				f16_load(rows + (l * panels + p) * 16);                                                \
			_Pragma("GCC unroll 2") for (int e = 0; e < queries; e++)                                      \
			{                                                                                              \
				f16 u = f16_set(q[e][l]);                                                              \
				_Pragma("GCC unroll 4") for (int p = 0; p < panels; p++) a[e][p] =                     \
					STEP(a[e][p], u, v[p]);                                                        \
			}                                                                                              \
		}                                                                                                      \
		_Pragma("GCC unroll 2") for (int e = 0; e < queries; e++)                                              \
		{                                                                                                      \
			f16 most = f16_set(limit[e]);                                                                  \
			uint64_t near = 0;                                                                             \
			_Pragma("GCC unroll 4") for (int p = 0; p < panels; p++) near |=                               \
				(uint64_t)f16_ge(most, a[e][p]) << 16 * p;                                             \
			within[e] = near;                                                                              \
			if (near == 0)                                                                                 \
				continue;                                                                              \
			_Pragma("GCC unroll 4") for (int p = 0; p < panels; p++)                                       \
				f16_store(out + e * 64 + p * 16, a[e][p]);                                             \
		}                                                                                                      \
	}                                                                                                              \
	static void copies_##name(const float *const *q, int count, const float *rows, int panels, int64_t d,          \
				  const float *limit, float *out, uint64_t *within)                                    \
	{                                                                                                              \
		for (int e = 0; e < count; e += COPY_QUERIES)                                                          \
			switch (panels + (COPY_QUERIES == 2 && e + 1 < count ? 4 : 0)) {                               \
			case 1:                                                                                        \
				copies_of_##name(q + e, rows, d, limit + e, out + e * 64, within + e, 1, 1);           \
				break;                                                                                 \
			case 2:                                                                                        \
				copies_of_##name(q + e, rows, d, limit + e, out + e * 64, within + e, 1, 2);           \
				break;                                                                                 \
			case 3:                                                                                        \
				copies_of_##name(q + e, rows, d, limit + e, out + e * 64, within + e, 1, 3);           \
				break;                                                                                 \
			case 4:                                                                                        \
				copies_of_##name(q + e, rows, d, limit + e, out + e * 64, within + e, 1, 4);           \
				break;                                                                                 \
			case 5:                                                                                        \
				copies_of_##name(q + e, rows, d, limit + e, out + e * 64, within + e, 2, 1);           \
				break;                                                                                 \
			case 6:                                                                                        \
				copies_of_##name(q + e, rows, d, limit + e, out + e * 64, within + e, 2, 2);           \
				break;                                                                                 \
			case 7:                                                                                        \
				copies_of_##name(q + e, rows, d, limit + e, out + e * 64, within + e, 2, 3);           \
				break;                                                                                 \
			default:                                                                                       \
				copies_of_##name(q + e, rows, d, limit + e, out + e * 64, within + e, 2, 4);           \
				break;                                                                                 \
			}                                                                                              \
	}
SUMS_OF_COPIES(minus, NEAR_MINUS)
SUMS_OF_COPIES(plus, NEAR_PLUS)
SUMS_OF_COPIES(l1, NEAR_L1)
SUMS_OF_COPIES(linf, NEAR_LINF)

/* How far copies of queries lie from a box of copies, sixteen at a time: as the doubles above. */
#define NEAR_GAP_MINUS(q, l) f16_max(f16_max(f16_sub(f16_set(low[l]), q), f16_sub(q, f16_set(high[l]))), f16_zero())
#define NEAR_GAP_PLUS(q, l)                                                                                            \
	f16_max(f16_max(f16_add(f16_set(low[l]), q), f16_sub(f16_zero(), f16_add(q, f16_set(high[l])))), f16_zero())
#define NEAR_BOX_MINUS(a, q, l) (t = NEAR_GAP_MINUS(q, l), f16_fma(t, t, a))
#define NEAR_BOX_PLUS(a, q, l) (t = NEAR_GAP_PLUS(q, l), f16_fma(t, t, a))
#define NEAR_BOX_L1(a, q, l) f16_add(a, NEAR_GAP_MINUS(q, l))
#define NEAR_BOX_LINF(a, q, l) f16_max(a, NEAR_GAP_MINUS(q, l))

#define BOX_OF_COPIES(name, STEP)                                                                                      \
	static uint64_t box_of_copies_##name(const float *queries, const float *low, const float *high, int64_t d,     \
					     uint64_t among, const float *limit)                                       \
	{                                                                                                              \
		uint64_t near = 0;                                                                                     \
		for (int64_t c = 0; c < 64; c += 16) {                                                                 \
			f16 a = f16_zero(), t;                                                                         \
			(void)t;                                                                                       \
			if ((among >> c & 65535) == 0)                                                                 \
				continue;                                                                              \
			for (int64_t l = 0; l < d; l++)                                                                \
				a = STEP(a, f16_load(queries + l * 64 + c), l);                                        \
			near |= (uint64_t)f16_ge(f16_load(limit + c), a) << c;                                         \
		}                                                                                                      \
		return near & among;                                                                                   \
	}
BOX_OF_COPIES(minus, NEAR_BOX_MINUS)
BOX_OF_COPIES(plus, NEAR_BOX_PLUS)
BOX_OF_COPIES(l1, NEAR_BOX_L1)
BOX_OF_COPIES(linf, NEAR_BOX_LINF)

/* ---- every sum; of EITHER the first of two, of which the smaller counts */

static const struct {
	void (*rows)(const double *u, const double *U, int64_t ld, const int32_t *j, int64_t count, double *out);
	void (*four)(const double *const *u, const double *U, int64_t ld, const int32_t *j, int64_t count, double *out);
	void (*columns)(const double *u, int64_t stride, const double *rows, int64_t many, int64_t d, double *out);
	void (*box)(const double *queries, int64_t many, const double *low, const double *high, int64_t d,
		    uint64_t among, double *out);
	void (*copies)(const float *const *q, int count, const float *rows, int panels, int64_t d, const float *limit,
		       float *out, uint64_t *within);
} of_sum[] = {
	[KNNG_SUM_MINUS] = {sums_minus, four_minus, columns_minus, box_minus, copies_minus},
	[KNNG_SUM_PLUS] = {sums_plus, four_plus, columns_plus, box_plus, copies_plus},
	[KNNG_SUM_EITHER] = {sums_minus, four_minus, columns_minus, box_minus, copies_minus},
	[KNNG_SUM_L1] = {sums_l1, four_l1, columns_l1, box_l1, copies_l1},
	[KNNG_SUM_LINF] = {sums_linf, four_linf, columns_linf, box_linf, copies_linf},
};

static void
sums(knng_sum sum, const double *u, const double *U, int64_t ld, const int32_t *j, int64_t count, double *out)
{
	enum { BATCH = 64 };
	double plus[BATCH];
	if (sum != KNNG_SUM_EITHER) {
		of_sum[sum].rows(u, U, ld, j, count, out);
		return;
	}
	for (int64_t c = 0; c < count; c += BATCH) {
		int64_t some = count - c < BATCH ? count - c : BATCH;
		sums_minus(u, U, ld, j + c, some, out + c);
		sums_plus(u, U, ld, j + c, some, plus);
		for (int64_t b = 0; b < some; b++)
			out[c + b] = plus[b] < out[c + b] ? plus[b] : out[c + b];
	}
}

static uint64_t
sums_of_columns(knng_sum sum, const double *u, int64_t stride, const double *rows, int64_t many, int64_t d,
		double limit, double *out)
{
	_Alignas(64) double plus[64];
	uint64_t within = 0;
	of_sum[sum].columns(u, stride, rows, many, d, out);
	if (sum == KNNG_SUM_EITHER) {
		columns_plus(u, stride, rows, many, d, plus);
		for (int64_t c = 0; c < many; c += 8)
			v8_store(out + c, v8_min(v8_load(out + c), v8_load(plus + c)));
	}
	for (int64_t c = 0; c < many; c += 8)
		within |= (uint64_t)v8_le(v8_load(out + c), v8_set(limit)) << c;
	return within;
}

/* Of EITHER one of both is near where the smaller is. */
static uint64_t
near_box_of_copies(knng_sum sum, const float *queries, const float *low, const float *high, int64_t d, uint64_t among,
		   const float *limit)
{
	switch (sum) {
	case KNNG_SUM_PLUS:
		return box_of_copies_plus(queries, low, high, d, among, limit);
	case KNNG_SUM_EITHER:
		return box_of_copies_minus(queries, low, high, d, among, limit) |
		       box_of_copies_plus(queries, low, high, d, among, limit);
	case KNNG_SUM_L1:
		return box_of_copies_l1(queries, low, high, d, among, limit);
	case KNNG_SUM_LINF:
		return box_of_copies_linf(queries, low, high, d, among, limit);
	default:
		return box_of_copies_minus(queries, low, high, d, among, limit);
	}
}

static void
sums_of_four(knng_sum sum, const double *const *u, const double *U, int64_t ld, const int32_t *j, int64_t count,
	     const double *limit, double *out, uint64_t *within)
{
	_Alignas(64) double plus[4 * 64];
	uint64_t there = UINT64_MAX >> (64 - count);
	of_sum[sum].four(u, U, ld, j, count, out);
	if (sum == KNNG_SUM_EITHER)
		four_plus(u, U, ld, j, count, plus);
	for (int64_t q = 0; q < 4; q++) {
		double *to = out + q * 64;
		within[q] = 0;
		for (int64_t c = 0; c < count; c += 8) {
			if (sum == KNNG_SUM_EITHER)
				v8_store(to + c, v8_min(v8_load(to + c), v8_load(plus + q * 64 + c)));
			within[q] |= (uint64_t)v8_le(v8_load(to + c), v8_set(limit[q])) << c;
		}
		within[q] &= there;
	}
}

static void
sums_of_copies(knng_sum sum, const float *const *q, int count, const float *rows, int64_t many, int64_t d,
	       const float *limit, float *out, uint64_t *within)
{
	static const float all[2] = {INFINITY, INFINITY};
	float plus[2 * 64];
	int panels = (int)(many / 16);
	if (sum != KNNG_SUM_EITHER) {
		of_sum[sum].copies(q, count, rows, panels, d, limit, out, within);
		return;
	}
	copies_minus(q, count, rows, panels, d, all, out, within);
	copies_plus(q, count, rows, panels, d, all, plus, within);
	for (int e = 0; e < count; e++) {
		f16 most = f16_set(limit[e]);
		within[e] = 0;
		for (int64_t c = e * 64; c < e * 64 + many; c += 16) {
			f16 least = f16_min(f16_load(out + c), f16_load(plus + c));
			f16_store(out + c, least);
			within[e] |= (uint64_t)f16_ge(most, least) << c % 64;
		}
	}
}

/* How many of so many times sixteen are at most that. */
KNNG_INLINE int64_t
count_within(const float *x, int64_t sixteens, float most)
{
	f16 limit = f16_set(most);
	int64_t count = 0;
	for (int64_t p = 0; p < sixteens; p++)
		count += __builtin_popcount(f16_ge(limit, f16_load(x + 16 * p)));
	return count;
}

static float
bound_of_least(float *x, int64_t count, int64_t k, int64_t more)
{
	enum { BY_VALUE = 12 }; /* steps, before bits are halved, which ends whatever the values */
	int64_t sixteens = (count + 15) / 16;
	uint32_t below, above;
	float low = 0, high = 0, middle;
	for (int64_t c = count; c < 16 * sixteens; c++)
		x[c] = INFINITY;
	for (int64_t c = 0; c < count; c++)
		high = x[c] > high ? x[c] : high;
	if (count_within(x, sixteens, low) >= k)
		return low;
	for (int step = 0; step < BY_VALUE + 32; step++) {
		memcpy(&below, &low, 4);
		memcpy(&above, &high, 4);
		if (above - below <= 1)
			break;
		below += (above - below) / 2;
		memcpy(&middle, &below, 4);
		middle = step < BY_VALUE ? low + (high - low) / 2 : middle;
		int64_t many = count_within(x, sixteens, middle);
		if (many >= k)
			high = middle;
		else
			low = middle;
		if (many >= k && many <= k + more)
			break;
	}
	return high;
}

static uint64_t
near_box(knng_sum sum, const double *queries, int64_t many, const double *low, const double *high, int64_t d,
	 uint64_t among, const double *limit)
{
	_Alignas(64) double out[64], plus[64];
	uint64_t near = 0;
	bool either = sum == KNNG_SUM_EITHER;
	of_sum[sum].box(queries, many, low, high, d, among, out);
	if (either)
		box_plus(queries, many, low, high, d, among, plus);
	for (int64_t c = 0; c < many; c += 8) {
		if ((among >> c & 255) == 0)
			continue;
		v8 s = v8_load(out + c);
		near |= (uint64_t)v8_le(either ? v8_min(s, v8_load(plus + c)) : s, v8_load(limit + c)) << c;
	}
	return near & among;
}

static void
shared_sums(knng_sum sum, const double *u, const double *U, int64_t ld, const int32_t *j, int64_t count, double *out)
{
	if (sum == KNNG_SUM_L1)
		sums_shared_l1(u, U, ld, j, count, out);
	else if (sum == KNNG_SUM_LINF)
		sums_shared_linf(u, U, ld, j, count, out);
	else
		sums_shared_minus(u, U, ld, j, count, out);
}

static void
shared_bits(const uint64_t *a, const uint64_t *B, int64_t words, const int32_t *j, int64_t count, int32_t *out)
{
	for (int64_t c = 0; c < count; c++) {
		const uint64_t *b = B + j[c] * words;
		int32_t bits = 0;
		for (int64_t w = 0; w < words; w++)
			bits += __builtin_popcountll(a[w] & b[w]);
		out[c] = bits;
	}
}

static void
shared_same(const double *x, const double *y, int64_t ld, int64_t *same, int64_t *zero)
{
	int64_t equal = 0, nought = 0;
	for (int64_t l = 0; l < ld; l += 8) /* a NaN is at most nothing, and what is left of one */
		equal += __builtin_popcount(v8_le(v8_abs(v8_sub(v8_load(x + l), v8_load(y + l))), v8_zero()));
	for (int64_t l = 0; l < ld && zero != NULL; l += 8) {
		v8 a = v8_abs(v8_load(x + l)), b = v8_abs(v8_load(y + l));
		nought += __builtin_popcount(v8_le(v8_add(a, b), v8_zero()));
	}
	*same = equal;
	if (zero != NULL)
		*zero = nought;
}

/* ---------------------------------------------------------------- preparing */

/* Multiplies by 2^(-e) with one rounding, 2^e <= largest < 2^(e+1). The factor of a tiny row is beyond the doubles: two
 * exact steps then. */
static void
scale_to_one(double *x, int64_t d, double largest_element)
{
	int e;
	frexp(largest_element, &e); /* largest = f * 2^e, f in [1/2, 1) */
	e -= 1;
	double first = e < -1022 ? 0x1p600 : 1, factor = ldexp(1, e < -1022 ? -e - 600 : -e);
	for (int64_t l = 0; l < d; l++)
		x[l] = x[l] * first * factor;
}

/* ---- the columns that two rows share: NaN stays NaN through every step, and adds nothing to a sum */

/* A row over the columns that it shares with another. */
typedef struct {
	double *u;
	double largest; /* |x| */
	bool constant;
} shared_row;

static void
take_shared(shared_row *r, const double *x, const double *y, int64_t ld)
{
	v8 top = v8_zero(), apart = v8_zero(), one;
	int64_t l = 0;
	while (isnan(x[l]) || isnan(y[l]))
		l++;
	one = v8_set(x[l]);
	for (l = 0; l < ld; l += 8) {
		v8 other = v8_load(y + l), a = v8_add(v8_load(x + l), v8_sub(other, other)); /* NaN where y has it */
		top = v8_max(top, v8_abs(v8_known(a)));
		apart = v8_max(apart, v8_abs(v8_known(v8_sub(a, one))));
		v8_store(r->u + l, a);
	}
	r->largest = largest(top);
	r->constant = largest(apart) == 0;
}

static double
scale_shared(const shared_row *r, int64_t ld)
{
	int e;
	v8 sum = v8_zero();
	frexp(r->largest, &e);
	e -= 1;
	v8 first = v8_set(e < -1022 ? 0x1p600 : 1), factor = v8_set(ldexp(1, e < -1022 ? -e - 600 : -e));
	for (int64_t l = 0; l < ld; l += 8) {
		v8 a = v8_mul(v8_mul(v8_load(r->u + l), first), factor);
		sum = v8_add(sum, v8_known(a));
		v8_store(r->u + l, a);
	}
	return tree(sum);
}

/* Subtracts the mean of what is left, whose sum is given. Returns the new sum. */
static double
centre_shared(const shared_row *r, int64_t ld, double sum, int64_t shared)
{
	v8 mean = v8_set(sum / (double)shared), left = v8_zero();
	for (int64_t l = 0; l < ld; l += 8) {
		v8 a = v8_sub(v8_load(r->u + l), mean);
		left = v8_add(left, v8_known(a));
		v8_store(r->u + l, a);
	}
	return tree(left);
}

static v8
length_shared(const shared_row *r, int64_t ld)
{
	v8 squares = v8_zero();
	for (int64_t l = 0; l < ld; l += 8) {
		v8 a = v8_known(v8_load(r->u + l));
		squares = v8_fma(a, a, squares);
	}
	return v8_set(sqrt(tree(squares)));
}

/* Of ranks 1 to `shared`, whose mean is exact: what is left of them, doubled, is whole, and a factor of 2 changes no
 * bit of the quotients. */
static double
ranked_pair(const double *x, const double *y, int64_t ld, int64_t shared)
{
	const v8 two = v8_set(2), middle = v8_set((double)shared + 1);
	v8 squares0 = v8_zero(), squares1 = v8_zero(), sum = v8_zero(), t;
	for (int64_t l = 0; l < ld; l += 8) {
		v8 a = v8_known(v8_sub(v8_mul(v8_load(x + l), two), middle));
		v8 b = v8_known(v8_sub(v8_mul(v8_load(y + l), two), middle));
		squares0 = v8_fma(a, a, squares0);
		squares1 = v8_fma(b, b, squares1);
	}
	double length0 = sqrt(tree(squares0)), length1 = sqrt(tree(squares1));
	if (length0 == 0 || length1 == 0)
		return NAN;
	for (int64_t l = 0; l < ld; l += 8) {
		v8 a = v8_known(v8_sub(v8_mul(v8_load(x + l), two), middle));
		v8 b = v8_known(v8_sub(v8_mul(v8_load(y + l), two), middle));
		sum = STEP_MINUS(sum, v8_div(a, v8_set(length0)), v8_div(b, v8_set(length1)));
	}
	return tree(sum);
}

static double
shared_pair(const knng_metric *metric, const double *x, const double *y, int64_t ld, int64_t shared, double *scratch)
{
	shared_row r[2] = {{.u = scratch}, {.u = scratch + ld}};
	bool unit = metric->prep == KNNG_PREP_UNIT;
	if (metric->prep == KNNG_PREP_RANKED && shared < 1 << 25)
		return ranked_pair(x, y, ld, shared);
	take_shared(&r[0], x, y, ld);
	take_shared(&r[1], y, x, ld);
	for (int i = 0; i < 2; i++)
		if (unit ? r[i].largest == 0 : r[i].constant)
			return NAN;
	for (int i = 0; i < 2; i++) {
		double sum = scale_shared(&r[i], ld);
		if (!unit)
			centre_shared(&r[i], ld, centre_shared(&r[i], ld, sum, shared), shared);
	}
	v8 length0 = length_shared(&r[0], ld), length1 = length_shared(&r[1], ld), minus = v8_zero(), plus = v8_zero(),
	   t;
	for (int64_t l = 0; l < ld; l += 8) {
		v8 u = v8_known(v8_div(v8_load(r[0].u + l), length0)),
		   v = v8_known(v8_div(v8_load(r[1].u + l), length1));
		minus = STEP_MINUS(minus, u, v);
		plus = STEP_PLUS(plus, u, v);
	}
	double low = tree(minus), high = tree(plus);
	return metric->sum == KNNG_SUM_PLUS ? high : metric->sum == KNNG_SUM_EITHER && high < low ? high : low;
}

static void
shared_ranks(const double *x, const double *y, int64_t ld, const int32_t *order, int64_t count, bool tied, double *to,
	     int32_t *scratch)
{
	int32_t seen = 0;
	for (int64_t l = 0; l < ld; l++)
		to[l] = NAN;
	for (int64_t i = 0; i < count && !tied; i++) { /* no branch: what y lacks is hard to guess */
		seen += y[order[i]] == y[order[i]];
		to[order[i]] = (double)seen;
	}
	for (int64_t l = 0; l < ld && !tied; l++)
		to[l] += y[l] - y[l];
	for (int64_t i = 0; i < count && tied;) {
		int32_t first = seen;
		for (double value = x[order[i]]; i < count && x[order[i]] == value; i++) {
			scratch[seen] = order[i];
			seen += y[order[i]] == y[order[i]];
		}
		for (int32_t s = first; s < seen; s++)
			to[scratch[s]] = ((double)first + 1 + (double)seen) / 2;
	}
}

/* Average ranks of x, in place. */
static void
rank_row(double *x, int64_t d, double *scratch)
{
	knng_pair *pair = (knng_pair *)scratch; /* d of them, and as many to merge */
	for (int64_t l = 0; l < d; l++)
		pair[l] = (knng_pair){x[l] + 0.0, (int32_t)l}; /* -0 becomes +0 */
	knng_sort_values(pair, pair + d, d);
	for (int64_t from = 0, to; from < d; from = to) {
		for (to = from + 1; to < d && pair[to].distance == pair[from].distance; to++) {
		}
		for (int64_t l = from; l < to; l++)
			x[pair[l].index] = ((double)from + 1 + (double)to) / 2;
	}
}

static uint64_t
hash_row(const double *u, int64_t ld)
{
	uint64_t h[8] = {1, 2, 3, 4, 5, 6, 7, 8}, all = 0;
	for (int64_t l = 0; l < ld; l += 8)
		for (int i = 0; i < 8; i++) {
			uint64_t bits;
			memcpy(&bits, u + l + i, 8);
			h[i] = (h[i] ^ bits) * 0x9e3779b97f4a7c15u;
			h[i] ^= h[i] >> 29;
		}
	for (int i = 0; i < 8; i++) {
		all = (all ^ h[i]) * 0xff51afd7ed558ccdu;
		all ^= all >> 32;
	}
	return all;
}

static int
prepare(const knng_metric *metric, double *u, int64_t d, int64_t ld, double *scratch, uint64_t *hash)
{
	double zero = 0;
#pragma omp simd reduction(+ : zero)
	for (int64_t l = 0; l < d; l++)
		zero += u[l] - u[l];
	if (zero != 0)
		return KNNG_ROW_NONFINITE;
	if (metric->prep != KNNG_PREP_NONE) {
		double low = u[0], high = u[0];
#pragma omp simd reduction(min : low) reduction(max : high)
		for (int64_t l = 0; l < d; l++) {
			low = u[l] < low ? u[l] : low;
			high = u[l] > high ? u[l] : high;
		}
		if (metric->prep == KNNG_PREP_UNIT ? low == 0 && high == 0 : low == high)
			return KNNG_ROW_CONSTANT;
		if (metric->prep == KNNG_PREP_RANKED) {
			rank_row(u, d, scratch);
			low = high = 0;
			for (int64_t l = 0; l < d; l++)
				high = u[l] > high ? u[l] : high;
		}
		scale_to_one(u, d, high > -low ? high : -low);
		if (metric->prep != KNNG_PREP_UNIT)
			for (int twice = 0; twice < 2; twice++) {
				double mean = sum_plain(u, ld) / (double)d;
				for (int64_t l = 0; l < d; l++)
					u[l] -= mean;
			}
		double norm = sqrt(sum_squares(u, ld));
		for (int64_t l = 0; l < d; l++)
			u[l] /= norm;
	}
	*hash = hash_row(u, ld);
	return KNNG_ROW_FINE;
}

static void
extent(const double *u, int64_t d, double *largest, bool *integers)
{
	double most = *largest;
#pragma omp simd reduction(max : most)
	for (int64_t l = 0; l < d; l++)
		most = fabs(u[l]) > most ? fabs(u[l]) : most;
	*largest = most;
	for (int64_t l = 0; *integers && l < d; l++)
		*integers = u[l] == nearbyint(u[l]);
}

/* ---------------------------------------------------------------- the filter */

/* What is measured of a row, in eight parts. */
typedef struct {
	v8 residual, norm, half;
} measures;

/* As knng_coarse. */
KNNG_INLINE v8
coarse(v8 y)
{
	v8 small = v8_max(v8_min(y, v8_set(0x1p-11)), v8_set(-0x1p-11)), unit = v8_set(0x1.8p-10);
	return v8_add(v8_sub(y, small), v8_sub(v8_add(small, unit), unit));
}

/* Rounds eight elements, and measures what was lost and what is left. */
KNNG_INLINE void
round_eight(knng_tile_kind kind, v8 y, float rounded[8], measures *m)
{
	v8 kept = v8_round(rounded, kind == KNNG_TILE_PRODUCT ? coarse(y) : y), left = v8_sub(y, kept);
	if (kind == KNNG_TILE_PRODUCT) {
		m->residual = v8_add(m->residual, v8_mul(left, left));
		m->norm = v8_add(m->norm, v8_mul(kept, kept));
		m->half = v8_add(m->half, v8_mul(y, y));
	} else if (kind == KNNG_TILE_L1) {
		m->residual = v8_add(m->residual, v8_abs(left));
		m->norm = v8_add(m->norm, v8_abs(kept));
	} else {
		m->residual = v8_max(m->residual, v8_abs(left));
		m->norm = v8_max(m->norm, v8_abs(kept));
	}
}

KNNG_INLINE knng_measure
sum_up(knng_tile_kind kind, const measures *m)
{
	if (kind == KNNG_TILE_LINF)
		return (knng_measure){largest(m->residual), largest(m->norm), 0};
	if (kind == KNNG_TILE_L1)
		return (knng_measure){tree(m->residual), tree(m->norm), 0};
	return (knng_measure){sqrt(tree(m->residual)), sqrt(tree(m->norm)), tree(m->half) / 2};
}

/* Each kind has loops of its own. */
KNNG_INLINE knng_measure
copy_as(knng_tile_kind kind, const double *u, const double *centre, double scale, int64_t d, float *to, int64_t stride)
{
	measures m = {v8_zero(), v8_zero(), v8_zero()};
	v8 factor = v8_set(scale);
	float rounded[8];
	int64_t whole = d / 8 * 8;
	for (int64_t l = 0; l < whole; l += 8) {
		v8 y = v8_mul(v8_loadu(u + l), factor);
		round_eight(kind, centre != NULL ? v8_sub(y, v8_loadu(centre + l)) : y, rounded, &m);
		for (int i = 0; i < 8; i++)
			to[(l + i) * stride] = rounded[i];
	}
	if (whole < d) {
		double rest[8] = {0};
		for (int64_t l = whole; l < d; l++)
			rest[l - whole] = u[l] * scale - (centre != NULL ? centre[l] : 0);
		round_eight(kind, v8_loadu(rest), rounded, &m);
		for (int64_t l = whole; l < d; l++)
			to[l * stride] = rounded[l - whole];
	}
	return sum_up(kind, &m);
}

static knng_measure
copy(knng_tile_kind kind, const double *u, const double *centre, double scale, int64_t d, float *to, int64_t stride)
{
	switch (kind) {
	case KNNG_TILE_L1:
		return copy_as(KNNG_TILE_L1, u, centre, scale, d, to, stride);
	case KNNG_TILE_LINF:
		return copy_as(KNNG_TILE_LINF, u, centre, scale, d, to, stride);
	default:
		return copy_as(KNNG_TILE_PRODUCT, u, centre, scale, d, to, stride);
	}
}

/* Sums of the elements and squares of 16 rows, a micro-panel, over some columns: SOME at a time, so that (6.2) holds of
 * what is lost. */
KNNG_INLINE void
sum_some(const float *y, const float *square, const int32_t *columns, int64_t count, bool elements, f16 *sum,
	 f16 *squares)
{
	enum { SOME = 512 };
	*sum = *squares = f16_zero();
	for (int64_t c = 0; c < count; c += SOME) {
		f16 part = f16_zero(), parts = f16_zero();
		for (int64_t e = c; e < count && e < c + SOME; e++) {
			if (elements)
				part = f16_add(part, f16_load(y + columns[e] * MICRO_PANEL));
			parts = f16_add(parts, f16_load(square + columns[e] * MICRO_PANEL));
		}
		if (elements)
			*sum = f16_add(*sum, part);
		*squares = f16_add(*squares, parts);
	}
}

KNNG_INLINE void
put_some(f16 sum, float *to, int64_t stride)
{
	float each[MICRO_PANEL];
	if (stride == 1) {
		f16_store(to, sum);
		return;
	}
	f16_store(each, sum);
	for (int i = 0; i < MICRO_PANEL; i++)
		to[i * stride] = each[i];
}

/* All lists pass by while a micro-panel stays in L1. */
KNNG_INLINE void
some_of_lists(const float *y, const float *square, const float *all, const float *every, int64_t d, int64_t rows,
	      const knng_shared_list *lists, int64_t count, bool elements, float *to, float *too, int64_t stride,
	      int64_t step)
{
	for (int64_t r = 0; r < rows; r += MICRO_PANEL)
		for (int64_t c = 0; c < count; c++) {
			f16 sum, squares;
			sum_some(y + r * d, square + r * d, lists[c].columns, lists[c].count, elements, &sum, &squares);
			if (lists[c].lacks)
				squares = f16_sub(f16_load(every + r), squares);
			put_some(squares, too + r * stride + c * step, stride);
			if (!elements)
				continue;
			if (lists[c].lacks)
				sum = f16_sub(f16_load(all + r), sum);
			put_some(sum, to + r * stride + c * step, stride);
		}
}

static void
shared_some(const float *y, const float *square, const float *all, const float *every, int64_t d, int64_t rows,
	    const knng_shared_list *lists, int64_t count, float *to, float *too, int64_t stride, int64_t step)
{
	if (to != NULL)
		some_of_lists(y, square, all, every, d, rows, lists, count, true, to, too, stride, step);
	else
		some_of_lists(y, square, all, every, d, rows, lists, count, false, to, too, stride, step);
}

enum { FEW_GONE = 64 };

/* (12.14): t of each column is its rank less how many of the others have a lower one. Ranks are whole and no two equal,
 * so a difference between 0 and 1 counts; no comparison with NaN, of columns that the row lacks, does. */
static double
shared_turn(const double *ranks, const int32_t *columns, int64_t count, int64_t all, int64_t shared)
{
	float rank[FEW_GONE], below[FEW_GONE];
	v8 sum = v8_zero(), squares = v8_zero(), apart = v8_zero(), one = v8_set(1), b = v8_set((double)(all - shared));
	int64_t whole = (count + 15) / 16 * 16;
	if (shared < 1)
		return knng_gap_turn(all, shared);
	for (int64_t c = 0; c < whole; c += 16)
		f16_store(rank + c, f16_set(NAN));
#pragma omp simd
	for (int64_t c = 0; c < count; c++)
		rank[c] = (float)ranks[columns[c]];
	for (int64_t c = 0; c < whole; c += 16) {
		f16 mine = f16_load(rank + c), lower = f16_zero();
		for (int64_t e = 0; e < count; e++)
			lower = f16_add(lower,
					f16_min(f16_max(f16_sub(mine, f16_set(rank[e])), f16_zero()), f16_set(1)));
		f16_store(below + c, lower);
	}
	for (int64_t c = 0; c < whole; c += 8) {
		v8 lower = v8_widen(below + c), t = v8_known(v8_sub(v8_sub(v8_widen(rank + c), one), lower));
		sum = v8_add(sum, t);
		squares = v8_add(squares, v8_mul(t, t));
		apart = v8_add(apart, v8_mul(v8_sub(v8_add(v8_add(lower, lower), one), b), t));
	}
	return knng_gap_turn_by(all, shared, tree(sum), tree(squares), tree(apart));
}

/* h (sigma) of (12.13): by how much ranks among all columns of a row differ in direction from those among the shared
 * ones. */
KNNG_INLINE f16
turned(f16 s)
{
	return f16_mul(s, f16_add(f16_set(1), f16_mul(f16_set(0.5F), f16_mul(s, s))));
}

/* (12.7), and with (12.13) of ranks: of rows that are normed. */
KNNG_INLINE f16
low_normed(const knng_shared_bound *b, const knng_shared_sums *s, int64_t c, bool centred, bool ranked)
{
	const f16 sums = f16_set((float)b->sums), tiny = f16_set((float)(10 * b->tiny)),
		  least = f16_set(KNNG_GAP_LEAST), floor = f16_set((float)b->floor);
	f16 count = f16_load(s->shared + c), inverse = f16_div(f16_set(1), count);
	f16 lx = f16_load(s->xx + c), ly = f16_load(s->yy + c), n = f16_load(s->xy + c);
	f16 ux = f16_mul(f16_set(s->weight), inverse), uy = f16_mul(f16_load(s->weights + c), inverse);
	f16 uxy = f16_mul(f16_mul(f16_set(s->root), f16_load(s->roots + c)), inverse);
	if (centred) {
		f16 x1 = f16_load(s->x + c), y1 = f16_load(s->y + c);
		f16 mx = f16_mul(x1, inverse), my = f16_mul(y1, inverse);
		lx = f16_sub(lx, f16_mul(x1, mx));
		ly = f16_sub(ly, f16_mul(y1, my));
		n = f16_sub(n, f16_mul(mx, y1));
	}
	lx = f16_max(f16_sub(f16_sub(lx, f16_mul(sums, ux)), tiny), least);
	ly = f16_max(f16_sub(f16_sub(ly, f16_mul(sums, uy)), tiny), least);
	n = b->sum == KNNG_SUM_PLUS ? f16_sub(f16_zero(), n) : b->sum == KNNG_SUM_EITHER ? f16_abs(n) : n;
	n = f16_max(f16_add(f16_add(n, f16_mul(sums, uxy)), tiny), f16_zero());
	lx = f16_div(f16_set(1), lx);
	ly = f16_div(f16_set(1), ly);
	f16 rx = f16_sqrt(lx), ry = f16_sqrt(ly), r = f16_mul(f16_mul(n, rx), ry);
	f16 square = f16_max(f16_sub(f16_set(2 - 0x1p-16F), f16_add(r, r)), f16_zero());
	f16 lost = f16_add(f16_mul(f16_add(ux, floor), lx), f16_mul(f16_add(uy, floor), ly));
	lost = f16_mul(f16_set((float)(2 * b->copies)), f16_sqrt(lost));
	if (ranked) {
		f16 part = f16_sqrt(f16_mul(count, f16_set(1 / 12.0F)));
		lost = f16_add(lost, turned(f16_mul(f16_mul(f16_load(s->turn + c), part), rx)));
		lost = f16_add(lost, turned(f16_mul(f16_mul(f16_load(s->turned + c), part), ry)));
	}
	return f16_sub(f16_sqrt(square), lost);
}

/* (12.8): of rows as they are. */
KNNG_INLINE f16
low_plain(const knng_shared_bound *b, const knng_shared_sums *s, int64_t c)
{
	f16 n = f16_load(s->xy + c), inverse = f16_div(f16_set(1), f16_load(s->shared + c));
	f16 u = f16_mul(f16_add(f16_set(s->weight), f16_load(s->weights + c)), inverse);
	f16 square = f16_sub(f16_add(f16_load(s->xx + c), f16_load(s->yy + c)), f16_add(n, n));
	square = f16_sub(f16_sub(square, f16_mul(f16_set((float)b->sums), u)), f16_set((float)(10 * b->tiny)));
	f16 lost = f16_mul(f16_set((float)b->copies), f16_sqrt(f16_add(u, f16_set((float)b->floor))));
	return f16_sub(f16_sqrt(f16_max(square, f16_zero())), lost);
}

static void
shared_low(const knng_shared_bound *b, const knng_shared_sums *s, int64_t count, float limit, const float *limits,
	   float *low, uint16_t *near)
{
	const f16 less = f16_set(1 - 0x1p-19F);
	for (int64_t c = 0; c < count; c += 16) {
		f16 root = !b->normed   ? low_plain(b, s, c)
			   : b->ranked  ? low_normed(b, s, c, true, true)
			   : b->centred ? low_normed(b, s, c, true, false)
					: low_normed(b, s, c, false, false);
		root = f16_max(root, f16_zero());
		f16 square = f16_mul(f16_mul(root, root), less);
		if (!b->normed)
			square = f16_mul(square, f16_div(f16_set((float)b->d), f16_load(s->shared + c)));
		f16_store(low + c, square);
		near[c / 16] = (uint16_t)f16_ge(f16_max(f16_set(limit), f16_load(limits + c)), square);
	}
}

#define MEET_PRODUCT(acc, a, b) f16_fma(a, b, acc)
#define MEET_L1(acc, a, b) f16_add(acc, f16_abs(f16_sub(a, b)))
#define MEET_LINF(acc, a, b) f16_max(acc, f16_abs(f16_sub(a, b)))

/* A register block: TILE_MR rows of one micro-panel against P micro-panels of columns. */
#define BLOCK(name, MEET, JOIN, P)                                                                                     \
	KNNG_INLINE void block_##name##_##P(const float *a, const float *b, int64_t d, int64_t l0, int64_t l1,         \
					    float *v, int64_t ldv, bool add)                                           \
	{                                                                                                              \
		f16 acc[TILE_MR][P];                                                                                   \
		_Pragma("GCC unroll 16") for (int r = 0; r < TILE_MR; r++)                                             \
			_Pragma("GCC unroll 4") for (int p = 0; p < P; p++) acc[r][p] = f16_zero();                    \
		for (int64_t l = l0; l < l1; l++) {                                                                    \
			f16 c[P];                                                                                      \
			_Pragma("GCC unroll 4") for (int p = 0; p < P; p++) c[p] =                                     \
				f16_load(b + (p * d + l) * MICRO_PANEL);                                               \
			_Pragma("GCC unroll 16") for (int r = 0; r < TILE_MR; r++)                                     \
			{                                                                                              \
				f16 x = f16_set(a[l * MICRO_PANEL + r]);                                               \
				_Pragma("GCC unroll 4") for (int p = 0; p < P; p++) acc[r][p] =                        \
					MEET(acc[r][p], x, c[p]);                                                      \
			}                                                                                              \
		}                                                                                                      \
		_Pragma("GCC unroll 16") for (int r = 0; r < TILE_MR; r++)                                             \
			_Pragma("GCC unroll 4") for (int p = 0; p < P; p++)                                            \
		{                                                                                                      \
			float *to = v + r * ldv + p * MICRO_PANEL;                                                     \
			f16_store(to, add ? JOIN(f16_load(to), acc[r][p]) : acc[r][p]);                                \
		}                                                                                                      \
	}

/* All register blocks of a tile: two micro-panels of columns stay in L1 while the rows pass by. */
#define TILE(name, MEET, JOIN)                                                                                         \
	BLOCK(name, MEET, JOIN, 1)                                                                                     \
	BLOCK(name, MEET, JOIN, 2)                                                                                     \
	static void tile_##name(const float *rows, const float *columns, int64_t d, int64_t l0, int64_t l1,            \
				int64_t bi, int64_t bj, float *v, int64_t ldv, bool add)                               \
	{                                                                                                              \
		int64_t panels = (bj + MICRO_PANEL - 1) / MICRO_PANEL,                                                 \
			height = (bi + MICRO_PANEL - 1) / MICRO_PANEL * MICRO_PANEL, p = 0;                            \
		for (; TILE_PANELS == 2 && p + 2 <= panels; p += 2)                                                    \
			for (int64_t i = 0; i < height; i += TILE_MR)                                                  \
				block_##name##_2(rows + (i / MICRO_PANEL) * MICRO_PANEL * d + i % MICRO_PANEL,         \
						 columns + p * MICRO_PANEL * d, d, l0, l1,                             \
						 v + i * ldv + p * MICRO_PANEL, ldv, add);                             \
		for (; p < panels; p++)                                                                                \
			for (int64_t i = 0; i < height; i += TILE_MR)                                                  \
				block_##name##_1(rows + (i / MICRO_PANEL) * MICRO_PANEL * d + i % MICRO_PANEL,         \
						 columns + p * MICRO_PANEL * d, d, l0, l1,                             \
						 v + i * ldv + p * MICRO_PANEL, ldv, add);                             \
	}
TILE(product, MEET_PRODUCT, f16_add)
TILE(l1, MEET_L1, f16_add)
TILE(linf, MEET_LINF, f16_max)

/* The sum of sixteen numbers. */
KNNG_INLINE float
sum_of(f16 a)
{
	float x[16], sum = 0;
	f16_store(x, a);
	for (int i = 0; i < 16; i++)
		sum += x[i];
	return sum;
}

/* Two rows share what is read of x. */
static void
products(const float *x, const float *X, int64_t d, const int32_t *j, int64_t count, float *out)
{
	enum { SLICE = 512 };
	int64_t slices = (d + SLICE - 1) / SLICE, slice = (d + slices - 1) / slices;
	for (int64_t c = 0; c < count; c += 2) {
		int64_t last = count - 1;
		const float *a = X + j[c] * d, *b = X + j[c + 1 < count ? c + 1 : c] * d;
		const float *next = X + j[c + 2 < count ? c + 2 : last] * d,
			    *after = X + j[c + 3 < count ? c + 3 : last] * d;
		float ab[2] = {0, 0};
		for (int64_t l = 0, end; l < d; l = end) {
			f16 a0 = f16_zero(), a1 = f16_zero(), b0 = f16_zero(), b1 = f16_zero();
			float ra = 0, rb = 0;
			end = l + slice < d ? l + slice : d;
			for (; l + 32 <= end; l += 32) {
				f16 x0 = f16_load(x + l), x1 = f16_load(x + l + 16);
				__builtin_prefetch(next + l);
				__builtin_prefetch(next + l + 16);
				__builtin_prefetch(after + l);
				__builtin_prefetch(after + l + 16);
				a0 = f16_fma(x0, f16_load(a + l), a0);
				a1 = f16_fma(x1, f16_load(a + l + 16), a1);
				b0 = f16_fma(x0, f16_load(b + l), b0);
				b1 = f16_fma(x1, f16_load(b + l + 16), b1);
			}
			for (; l < end; l++) {
				ra += x[l] * a[l];
				rb += x[l] * b[l];
			}
			ab[0] += sum_of(f16_add(a0, a1)) + ra;
			ab[1] += sum_of(f16_add(b0, b1)) + rb;
		}
		out[c] = ab[0];
		if (c + 1 < count)
			out[c + 1] = ab[1];
	}
}

/* Products of TILE_MR rows and eight columns, which lie packed: element l of column c at [8*l + c]. */
KNNG_INLINE void
block64(const double *const *rows, const double *packed, int64_t many, double (*sums)[8])
{
	v8 a[TILE_MR];
	_Pragma("GCC unroll 16") for (int r = 0; r < TILE_MR; r++) a[r] = v8_zero();
	for (int64_t l = 0; l < many; l++) {
		v8 c = v8_load(packed + 8 * l);
		_Pragma("GCC unroll 16") for (int r = 0; r < TILE_MR; r++) a[r] =
			v8_muladd(v8_set(rows[r][l]), c, a[r]);
	}
	_Pragma("GCC unroll 16") for (int r = 0; r < TILE_MR; r++) v8_store(sums[r], a[r]);
}

/* Eight columns at a time stay in L1 while the rows pass by. */
static void
tile64(const double *rows, const double *columns, int64_t d, int64_t bi, int64_t bj, double *v, int64_t ldv)
{
	enum { MOST = 256 }; /* elements at a time */
	_Alignas(64) double packed[8 * MOST], sums[TILE_MR][8];
	for (int64_t j = 0; j < bj; j += 8) {
		int64_t some = bj - j < 8 ? bj - j : 8;
		for (int64_t l = 0; l == 0 || l < d; l += MOST) {
			int64_t many = d - l < MOST ? d - l : MOST;
			for (int64_t c = 0; c < 8; c++) /* columns that are not there are the last one */
				for (int64_t e = 0; e < many; e++)
					packed[8 * e + c] = columns[(j + (c < some ? c : some - 1)) * d + l + e];
			for (int64_t i = 0; i < bi; i += TILE_MR) {
				const double *from[TILE_MR];
				for (int64_t r = 0; r < TILE_MR; r++)
					from[r] = rows + (i + r < bi ? i + r : bi - 1) * d + l;
				block64(from, packed, many, sums);
				for (int64_t r = 0; r < TILE_MR && i + r < bi; r++)
					for (int64_t c = 0; c < some; c++)
						v[(i + r) * ldv + j + c] =
							(l > 0 ? v[(i + r) * ldv + j + c] : 0) + sums[r][c];
			}
		}
	}
}

/* No less than x, and no float between. */
static inline float
round_up(double x)
{
	float f = (float)x;
	int32_t bits;
	memcpy(&bits, &f, sizeof bits);
	int32_t step = bits >= 0 ? 1 : -1;
	bits += (double)f < x ? step : 0;
	memcpy(&f, &bits, sizeof bits);
	return f;
}

static void
scores64(knng_sum sum, const double *products, const double *base, double offset, int64_t n, float *v)
{
	double sign = sum == KNNG_SUM_PLUS ? -1 : 1;
	if (sum == KNNG_SUM_EITHER) {
#pragma omp simd
		for (int64_t j = 0; j < n; j++)
			v[j] = round_up(fabs(products[j]) - base[j] - offset);
		return;
	}
#pragma omp simd
	for (int64_t j = 0; j < n; j++)
		v[j] = round_up(sign * products[j] - base[j] - offset);
}

static void
compare(const float *v, int32_t row, int64_t bj, float threshold, float row_base, const float *column_threshold,
	const float *column_base, knng_hit *row_hits, int64_t *nrow, knng_hit *column_hits, int64_t *ncolumn)
{
	f16 limit = f16_set(threshold), base = f16_set(row_base);
	int64_t nr = *nrow, nc = *ncolumn;
	for (int64_t j = 0; j < bj; j += 16) {
		f16 x = f16_load(v + j), q = f16_sub(x, f16_load(column_base + j));
		uint32_t mask = f16_ge(q, limit);
		for (; mask != 0; mask &= mask - 1) {
			int64_t c = j + __builtin_ctz(mask);
			row_hits[nr++] = (knng_hit){row, (int32_t)c, v[c] - column_base[c]};
		}
		if (column_threshold == NULL)
			continue;
		mask = f16_ge(f16_sub(x, base), f16_load(column_threshold + j));
		for (; mask != 0; mask &= mask - 1) {
			int64_t c = j + __builtin_ctz(mask);
			column_hits[nc++] = (knng_hit){(int32_t)c, row, v[c] - row_base};
		}
	}
	*nrow = nr;
	*ncolumn = nc;
}

static void
group_best(const float *v, const float *base, int64_t bj, int64_t groups, float *best)
{
	for (int64_t g = 0; g < groups; g += 16) {
		f16 top = f16_set(-FLT_MAX);
		for (int64_t j = g; j < bj; j += groups)
			top = f16_max(f16_sub(f16_load(v + j), f16_load(base + j)), top);
		f16_store(best + g, top);
	}
}

const knng_kernels PASTE(knng_kernels_, KNNG_TARGET) = {
	.name = TEXT(KNNG_TARGET),
	.prepare = prepare,
	.extent = extent,
	.sums = sums,
	.sums_of_columns = sums_of_columns,
	.sums_of_four = sums_of_four,
	.sums_of_copies = sums_of_copies,
	.bound_of_least = bound_of_least,
	.near_box = near_box,
	.near_box_of_copies = near_box_of_copies,
	.shared_sums = shared_sums,
	.shared_bits = shared_bits,
	.shared_same = shared_same,
	.shared_pair = shared_pair,
	.shared_ranks = shared_ranks,
	.shared_some = shared_some,
	.shared_turn = shared_turn,
	.shared_low = shared_low,
	.copy = copy,
	.tile = {tile_product, tile_l1, tile_linf},
	.products = products,
	.tile64 = tile64,
	.scores64 = scores64,
	.compare = compare,
	.group_best = group_best,
};
