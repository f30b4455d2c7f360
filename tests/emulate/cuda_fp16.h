/* cuda_fp16.h  Halves for tests/emulate/cuda_runtime.h. */
#ifndef EMULATED_CUDA_FP16_H
#define EMULATED_CUDA_FP16_H

#include "cuda_runtime.h"

struct __half {
	uint16_t bits;
};
struct __half2 {
	__half x, y;
};

/* By bits, since the functions of the C library would take longer than all else. */
static inline float
__half2float(__half h)
{
	uint32_t e = h.bits >> 10 & 31, m = h.bits & 1023;
	float f =
		e == 0 ? (float)m * 0x1p-24f : emulated_bits<float>((e == 31 ? 255 << 23 : (e + 112) << 23) | m << 13);
	return h.bits >> 15 ? -f : f;
}

/* To the nearest, ties to even: of a number of double precision, so that it is rounded once. */
static inline __half
__double2half(double x)
{
	uint16_t sign = std::signbit(x) ? 0x8000 : 0;
	double a = fabs(x);
	if (!(a < 65520))
		return {(uint16_t)(sign | (a == a ? 0x7c00 : 0x7e00))};
	int e = (int)(emulated_bits<uint64_t>(a) >> 52) - 1022; /* a < 2^e */
	int unit = e - 11 > -24 ? e - 11 : -24;
	double m = nearbyint(a * emulated_bits<double>((uint64_t)(1023 - unit) << 52)); /* at most 2^11 */
	if (unit == -24)
		return {(uint16_t)(sign | (uint16_t)m)}; /* the bits of a number with the least exponent follow */
	if (m == 2048) {
		m = 1024;
		unit++;
	}
	return {(uint16_t)(sign | (uint16_t)((unit + 25) << 10) | ((uint16_t)m & 1023))};
}

static inline __half
__float2half(float x)
{
	return __double2half((double)x);
}
static inline float
__low2float(__half2 h)
{
	return __half2float(h.x);
}
static inline float
__high2float(__half2 h)
{
	return __half2float(h.y);
}
static inline __half2
__floats2half2_rn(float x, float y)
{
	return {__float2half(x), __float2half(y)};
}
static inline __half
__low2half(__half2 h)
{
	return h.x;
}
static inline __half
__high2half(__half2 h)
{
	return h.y;
}

/* The larger number, where one is none. */
static inline __half
__hmax(__half a, __half b)
{
	return __float2half(fmaxf(__half2float(a), __half2float(b)));
}
static inline __half2
__hmax2(__half2 a, __half2 b)
{
	return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
static inline __half2
__habs2(__half2 a)
{
	return __floats2half2_rn(fabsf(__half2float(a.x)), fabsf(__half2float(a.y)));
}
static inline __half2
__hadd2(__half2 a, __half2 b)
{
	return __floats2half2_rn(__half2float(a.x) + __half2float(b.x), __half2float(a.y) + __half2float(b.y));
}
static inline __half2
__hsub2(__half2 a, __half2 b)
{
	return __floats2half2_rn(__half2float(a.x) - __half2float(b.x), __half2float(a.y) - __half2float(b.y));
}
static inline __half
hfma(__half a, __half b, __half c)
{
	return __double2half((double)__half2float(a) * (double)__half2float(b) + (double)__half2float(c));
}
static inline __half2
__hfma2(__half2 a, __half2 b, __half2 c)
{
	return {hfma(a.x, b.x, c.x), hfma(a.y, b.y, c.y)};
}
static inline __half2
__hge2(__half2 a, __half2 b)
{
	return __floats2half2_rn(__half2float(a.x) >= __half2float(b.x), __half2float(a.y) >= __half2float(b.y));
}

#endif
