/* lanes.h  Eight doubles and sixteen floats at once, for three instruction sets: AVX-512, AVX2 with FMA, and plain C.
 * Included only by files that are compiled once a target (LOOPS of the Makefile). Every operation rounds as IEEE 754
 * says, lane by lane, so the three give the same bits (the single-precision product excepted, which plain C makes
 * without fma; it is only ever used within an error bound). */
#ifndef KNNG_LANES_H
#define KNNG_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define KNNG_INLINE static inline __attribute__((always_inline))

#if defined(__AVX512F__)

#include <immintrin.h>
enum { TILE_MR = 8, TILE_PANELS = 2 };    /* rows and 16-column micro-panels of a register block */
enum { PAIR_QUERIES = 4, PAIR_ROWS = 4 }; /* of pairs whose sums are made together */
enum { COPY_QUERIES = 2 };                /* compared with up to 64 copies together */
typedef __m512d v8;
typedef __m512 f16;
#define v8_zero() _mm512_setzero_pd()
#define v8_load(p) _mm512_load_pd(p)
#define v8_loadu(p) _mm512_loadu_pd(p)
#define v8_store(p, a) _mm512_store_pd(p, a)
#define v8_set(x) _mm512_set1_pd(x)
#define v8_add(a, b) _mm512_add_pd(a, b)
#define v8_sub(a, b) _mm512_sub_pd(a, b)
#define v8_mul(a, b) _mm512_mul_pd(a, b)
#define v8_div(a, b) _mm512_div_pd(a, b)
#define v8_sqrt(a) _mm512_sqrt_pd(a)
#define v8_fma(a, b, c) _mm512_fmadd_pd(a, b, c)
#define v8_muladd(a, b, c) v8_fma(a, b, c) /* with one rounding or two */
#define v8_abs(a) _mm512_abs_pd(a)
#define v8_max(a, b) _mm512_max_pd(a, b)
#define v8_min(a, b) _mm512_min_pd(a, b)
#define v8_known(a) _mm512_maskz_mov_pd(_mm512_cmp_pd_mask(a, a, _CMP_ORD_Q), a) /* 0 in place of NaN */
#define v8_le(a, b) ((uint32_t)_mm512_cmp_pd_mask(a, b, _CMP_LE_OQ))
#define v8_widen(p) _mm512_cvtps_pd(_mm256_loadu_ps(p)) /* eight floats */
/* Rounds to single, at p, any eight floats; what they are now. */
KNNG_INLINE v8
v8_round(float *p, v8 a)
{
	__m256 rounded = _mm512_cvtpd_ps(a);
	_mm256_storeu_ps(p, rounded);
	return _mm512_cvtps_pd(rounded);
}
#define f16_zero() _mm512_setzero_ps()
#define f16_load(p) _mm512_loadu_ps(p)
#define f16_store(p, a) _mm512_storeu_ps(p, a)
#define f16_set(x) _mm512_set1_ps(x)
#define f16_add(a, b) _mm512_add_ps(a, b)
#define f16_sub(a, b) _mm512_sub_ps(a, b)
#define f16_mul(a, b) _mm512_mul_ps(a, b)
#define f16_div(a, b) _mm512_div_ps(a, b)
#define f16_sqrt(a) _mm512_sqrt_ps(a)
#define f16_fma(a, b, c) _mm512_fmadd_ps(a, b, c)
#define f16_abs(a) _mm512_abs_ps(a)
#define f16_max(a, b) _mm512_max_ps(a, b)
#define f16_min(a, b) _mm512_min_ps(a, b)
#define f16_ge(a, b) ((uint32_t)_mm512_cmp_ps_mask(a, b, _CMP_GE_OQ))

#elif defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>
enum { TILE_MR = 4, TILE_PANELS = 1 };
enum { PAIR_QUERIES = 2, PAIR_ROWS = 2 };
enum { COPY_QUERIES = 1 };
typedef struct {
	__m256d l, h;
} v8;
typedef struct {
	__m256 l, h;
} f16;
#define V8(x, y) ((v8){x, y})
#define F16(x, y) ((f16){x, y})
#define BY_HALVES(name, type, operation)                                                                               \
	KNNG_INLINE type name(type a, type b)                                                                          \
	{                                                                                                              \
		return (type){operation(a.l, b.l), operation(a.h, b.h)};                                               \
	}
BY_HALVES(v8_add, v8, _mm256_add_pd)
BY_HALVES(v8_sub, v8, _mm256_sub_pd)
BY_HALVES(v8_mul, v8, _mm256_mul_pd)
BY_HALVES(v8_div, v8, _mm256_div_pd)
BY_HALVES(v8_max, v8, _mm256_max_pd)
BY_HALVES(v8_min, v8, _mm256_min_pd)
BY_HALVES(f16_add, f16, _mm256_add_ps)
BY_HALVES(f16_sub, f16, _mm256_sub_ps)
BY_HALVES(f16_mul, f16, _mm256_mul_ps)
BY_HALVES(f16_div, f16, _mm256_div_ps)
BY_HALVES(f16_max, f16, _mm256_max_ps)
BY_HALVES(f16_min, f16, _mm256_min_ps)
KNNG_INLINE v8
v8_zero(void)
{
	return V8(_mm256_setzero_pd(), _mm256_setzero_pd());
}
KNNG_INLINE v8
v8_load(const double *p)
{
	return V8(_mm256_load_pd(p), _mm256_load_pd(p + 4));
}
KNNG_INLINE v8
v8_loadu(const double *p)
{
	return V8(_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4));
}
KNNG_INLINE v8
v8_set(double x)
{
	return V8(_mm256_set1_pd(x), _mm256_set1_pd(x));
}
KNNG_INLINE v8
v8_round(float *p, v8 a)
{
	__m128 l = _mm256_cvtpd_ps(a.l), h = _mm256_cvtpd_ps(a.h);
	_mm_storeu_ps(p, l), _mm_storeu_ps(p + 4, h);
	return V8(_mm256_cvtps_pd(l), _mm256_cvtps_pd(h));
}
KNNG_INLINE void
v8_store(double *p, v8 a)
{
	_mm256_store_pd(p, a.l), _mm256_store_pd(p + 4, a.h);
}
KNNG_INLINE v8
v8_sqrt(v8 a)
{
	return V8(_mm256_sqrt_pd(a.l), _mm256_sqrt_pd(a.h));
}
KNNG_INLINE v8
v8_widen(const float *p)
{
	return V8(_mm256_cvtps_pd(_mm_loadu_ps(p)), _mm256_cvtps_pd(_mm_loadu_ps(p + 4)));
}
KNNG_INLINE v8
v8_fma(v8 a, v8 b, v8 c)
{
	return V8(_mm256_fmadd_pd(a.l, b.l, c.l), _mm256_fmadd_pd(a.h, b.h, c.h));
}
#define v8_muladd(a, b, c) v8_fma(a, b, c)
KNNG_INLINE v8
v8_abs(v8 a)
{
	__m256d sign = _mm256_set1_pd(-0.0);
	return V8(_mm256_andnot_pd(sign, a.l), _mm256_andnot_pd(sign, a.h));
}
KNNG_INLINE uint32_t
v8_le(v8 a, v8 b)
{
	return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a.l, b.l, _CMP_LE_OQ)) |
	       (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a.h, b.h, _CMP_LE_OQ)) << 4;
}
KNNG_INLINE v8
v8_known(v8 a)
{
	return V8(_mm256_and_pd(a.l, _mm256_cmp_pd(a.l, a.l, _CMP_ORD_Q)),
		  _mm256_and_pd(a.h, _mm256_cmp_pd(a.h, a.h, _CMP_ORD_Q)));
}
KNNG_INLINE f16
f16_zero(void)
{
	return F16(_mm256_setzero_ps(), _mm256_setzero_ps());
}
KNNG_INLINE f16
f16_load(const float *p)
{
	return F16(_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8));
}
KNNG_INLINE void
f16_store(float *p, f16 a)
{
	_mm256_storeu_ps(p, a.l), _mm256_storeu_ps(p + 8, a.h);
}
KNNG_INLINE f16
f16_set(float x)
{
	return F16(_mm256_set1_ps(x), _mm256_set1_ps(x));
}
KNNG_INLINE f16
f16_sqrt(f16 a)
{
	return F16(_mm256_sqrt_ps(a.l), _mm256_sqrt_ps(a.h));
}
KNNG_INLINE f16
f16_fma(f16 a, f16 b, f16 c)
{
	return F16(_mm256_fmadd_ps(a.l, b.l, c.l), _mm256_fmadd_ps(a.h, b.h, c.h));
}
KNNG_INLINE f16
f16_abs(f16 a)
{
	__m256 sign = _mm256_set1_ps(-0.0f);
	return F16(_mm256_andnot_ps(sign, a.l), _mm256_andnot_ps(sign, a.h));
}
KNNG_INLINE uint32_t
f16_ge(f16 a, f16 b)
{
	return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a.l, b.l, _CMP_GE_OQ)) |
	       (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a.h, b.h, _CMP_GE_OQ)) << 8;
}

#else

enum { TILE_MR = 4, TILE_PANELS = 1 };
enum { PAIR_QUERIES = 2, PAIR_ROWS = 2 };
enum { COPY_QUERIES = 1 };
/* Vectors of 16 bytes, of which compilers know without headers of theirs, on machines that have none, too. */
typedef double d2 __attribute__((vector_size(16)));
typedef int64_t d2_bits __attribute__((vector_size(16)));
typedef double d2_anywhere __attribute__((vector_size(16), aligned(8), may_alias));
typedef float s2 __attribute__((vector_size(8)));
typedef float s4 __attribute__((vector_size(16)));
typedef int32_t s4_bits __attribute__((vector_size(16)));
typedef float s4_anywhere __attribute__((vector_size(16), aligned(4), may_alias));
typedef struct {
	d2 x[4];
} v8;
typedef struct {
	s4 x[4];
} f16;
/* The expression is of part i, a constant: loops of four, which compilers unroll, take them several times as long. */
#define PART(number, expression)                                                                                       \
	{                                                                                                              \
		enum { i = number };                                                                                   \
		r.x[i] = (expression);                                                                                 \
	}
#define OPERATION(name, type, arguments, expression)                                                                   \
	KNNG_INLINE type name arguments                                                                                \
	{                                                                                                              \
		type r;                                                                                                \
		PART(0, expression) PART(1, expression) PART(2, expression) PART(3, expression) return r;              \
	}
#define WHERE(type, bits, where, a, b)                                                                                 \
	((type)(((where) & (bits)(a)) | (~(where) & (bits)(b)))) /* C has no ?: of vectors */
#define D2_EACH(f, a) ((d2){f((a)[0]), f((a)[1])})
#define S4_EACH(f, a) ((s4){f((a)[0]), f((a)[1]), f((a)[2]), f((a)[3])})
KNNG_INLINE d2
d2_widen(const float *p)
{
	s2 a;
	memcpy(&a, p, sizeof a);
	return __builtin_convertvector(a, d2);
}
OPERATION(v8_zero, v8, (void), (d2){0})
OPERATION(v8_loadu, v8, (const double *p), ((const d2_anywhere *)p)[i])
#define v8_load(p) v8_loadu(p)
OPERATION(v8_set, v8, (double v), ((d2){v, v}))
OPERATION(v8_add, v8, (v8 a, v8 b), a.x[i] + b.x[i])
OPERATION(v8_sub, v8, (v8 a, v8 b), a.x[i] - b.x[i])
OPERATION(v8_mul, v8, (v8 a, v8 b), a.x[i] * b.x[i])
OPERATION(v8_div, v8, (v8 a, v8 b), a.x[i] / b.x[i])
OPERATION(v8_sqrt, v8, (v8 a), D2_EACH(sqrt, a.x[i]))
OPERATION(v8_widen, v8, (const float *p), d2_widen(p + 2 * i))
OPERATION(v8_fma, v8, (v8 a, v8 b, v8 c),
	  ((d2){fma(a.x[i][0], b.x[i][0], c.x[i][0]), fma(a.x[i][1], b.x[i][1], c.x[i][1])}))
OPERATION(v8_muladd, v8, (v8 a, v8 b, v8 c), a.x[i] * b.x[i] + c.x[i]) /* which a function of the library is not */
OPERATION(v8_abs, v8, (v8 a), (d2)((d2_bits)a.x[i] & INT64_MAX))
OPERATION(v8_max, v8, (v8 a, v8 b), WHERE(d2, d2_bits, a.x[i] > b.x[i], a.x[i], b.x[i]))
OPERATION(v8_min, v8, (v8 a, v8 b), WHERE(d2, d2_bits, a.x[i] < b.x[i], a.x[i], b.x[i]))
OPERATION(v8_known, v8, (v8 a), (d2)((d2_bits)a.x[i] & (a.x[i] == a.x[i])))
OPERATION(f16_zero, f16, (void), (s4){0})
OPERATION(f16_load, f16, (const float *p), ((const s4_anywhere *)p)[i])
OPERATION(f16_set, f16, (float v), ((s4){v, v, v, v}))
OPERATION(f16_add, f16, (f16 a, f16 b), a.x[i] + b.x[i])
OPERATION(f16_sub, f16, (f16 a, f16 b), a.x[i] - b.x[i])
OPERATION(f16_mul, f16, (f16 a, f16 b), a.x[i] * b.x[i])
OPERATION(f16_div, f16, (f16 a, f16 b), a.x[i] / b.x[i])
OPERATION(f16_sqrt, f16, (f16 a), S4_EACH(sqrtf, a.x[i]))
OPERATION(f16_fma, f16, (f16 a, f16 b, f16 c), a.x[i] * b.x[i] + c.x[i])
OPERATION(f16_abs, f16, (f16 a), (s4)((s4_bits)a.x[i] & INT32_MAX))
OPERATION(f16_max, f16, (f16 a, f16 b), WHERE(s4, s4_bits, a.x[i] > b.x[i], a.x[i], b.x[i]))
OPERATION(f16_min, f16, (f16 a, f16 b), WHERE(s4, s4_bits, a.x[i] < b.x[i], a.x[i], b.x[i]))
KNNG_INLINE d2
d2_round(float *p, d2 a)
{
	s2 rounded = __builtin_convertvector(a, s2); /* gcc 12 takes {(double)(float)a[0], ...} for a */
	memcpy(p, &rounded, sizeof rounded);
	return __builtin_convertvector(rounded, d2);
}
OPERATION(v8_round, v8, (float *p, v8 a), d2_round(p + 2 * i, a.x[i]))
KNNG_INLINE uint32_t
d2_le(d2 a, d2 b)
{
	d2_bits le = a <= b;
	return ((uint32_t)le[0] & 1) | ((uint32_t)le[1] & 2);
}
KNNG_INLINE uint32_t
v8_le(v8 a, v8 b)
{
	return d2_le(a.x[0], b.x[0]) | d2_le(a.x[1], b.x[1]) << 2 | d2_le(a.x[2], b.x[2]) << 4 |
	       d2_le(a.x[3], b.x[3]) << 6;
}
KNNG_INLINE void
v8_store(double *p, v8 a)
{
	d2_anywhere *to = (d2_anywhere *)p;
	to[0] = a.x[0], to[1] = a.x[1], to[2] = a.x[2], to[3] = a.x[3];
}
KNNG_INLINE void
f16_store(float *p, f16 a)
{
	s4_anywhere *to = (s4_anywhere *)p;
	to[0] = a.x[0], to[1] = a.x[1], to[2] = a.x[2], to[3] = a.x[3];
}
KNNG_INLINE uint32_t
s4_ge(s4 a, s4 b)
{
	s4_bits ge = (a >= b) & (s4_bits){1, 2, 4, 8};
	return (uint32_t)(ge[0] | ge[1] | ge[2] | ge[3]);
}
KNNG_INLINE uint32_t
f16_ge(f16 a, f16 b)
{
	return s4_ge(a.x[0], b.x[0]) | s4_ge(a.x[1], b.x[1]) << 4 | s4_ge(a.x[2], b.x[2]) << 8 |
	       s4_ge(a.x[3], b.x[3]) << 12;
}

#endif
#endif
