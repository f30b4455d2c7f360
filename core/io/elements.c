/* elements.c  The numbers of files, see elements.h. */
#include "io/elements.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

#define CONVERT(name, from_type, to_type)                                                                              \
	static int64_t name(const void *from, int64_t count, void *to)                                                 \
	{                                                                                                              \
		for (int64_t i = 0; i < count; i++)                                                                    \
			((to_type *)to)[i] = ((const from_type *)from)[i];                                             \
		return count;                                                                                          \
	}
CONVERT(convert_u8, uint8_t, float)
CONVERT(convert_i8, int8_t, float)
CONVERT(convert_u16, uint16_t, float)
CONVERT(convert_i16, int16_t, float)
CONVERT(convert_u32, uint32_t, double)
CONVERT(convert_i32, int32_t, double)

/* The size of a whole number whose bits are these, by the double nearest to it. */
static uint64_t
size_of(uint64_t bits, double rounded)
{
	return rounded < 0 ? 0 - bits : bits;
}

/* A double has 53 bits from the first to the last that is 1. */
#define CONVERT_LONG(name, from_type)                                                                                  \
	static int64_t name(const void *from, int64_t count, void *to)                                                 \
	{                                                                                                              \
		for (int64_t i = 0; i < count; i++) {                                                                  \
			from_type value = ((const from_type *)from)[i];                                                \
			((double *)to)[i] = (double)value;                                                             \
			uint64_t size = size_of((uint64_t)value, (double)value);                                       \
			if (size >> 53 != 0 && size << __builtin_clzll(size) << 53 != 0)                               \
				return i;                                                                              \
		}                                                                                                      \
		return count;                                                                                          \
	}
CONVERT_LONG(convert_u64, uint64_t)
CONVERT_LONG(convert_i64, int64_t)

/* IEEE half precision. */
static int64_t
convert_f16(const void *from, int64_t count, void *to)
{
	for (int64_t i = 0; i < count; i++) {
		unsigned bits = ((const uint16_t *)from)[i], exponent = bits >> 10 & 31, fraction = bits & 1023;
		float value = exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
			      : exponent > 0 ? ldexpf((float)(1024 + fraction), (int)exponent - 25)
					     : ldexpf((float)fraction, -24);
		((float *)to)[i] = bits >> 15 ? -value : value;
	}
	return count;
}

static const knng_element elements[] = {
	{"float32", 4, KNNG_F32, NULL},        {"float64", 8, KNNG_F64, NULL},
	{"float16", 2, KNNG_F32, convert_f16}, {"uint8", 1, KNNG_F32, convert_u8},
	{"int8", 1, KNNG_F32, convert_i8},     {"uint16", 2, KNNG_F32, convert_u16},
	{"int16", 2, KNNG_F32, convert_i16},   {"uint32", 4, KNNG_F64, convert_u32},
	{"int32", 4, KNNG_F64, convert_i32},   {"uint64", 8, KNNG_F64, convert_u64},
	{"int64", 8, KNNG_F64, convert_i64},   {NULL, 0, KNNG_F64, NULL},
};

const knng_element *
knng_element_find(const char *name, int length)
{
	for (const knng_element *e = elements; e->name != NULL; e++)
		if ((int)strlen(e->name) == length && memcmp(e->name, name, (size_t)length) == 0)
			return e;
	return NULL;
}

/* Numbers whose bytes are the other way round. */
#define SWAP(bits)                                                                                                     \
	static void swap_##bits(char *at, int64_t count)                                                               \
	{                                                                                                              \
		for (int64_t i = 0; i < count; i++, at += bits / 8) {                                                  \
			uint##bits##_t v;                                                                              \
			memcpy(&v, at, sizeof v);                                                                      \
			v = __builtin_bswap##bits(v);                                                                  \
			memcpy(at, &v, sizeof v);                                                                      \
		}                                                                                                      \
	}
SWAP(16)
SWAP(32)
SWAP(64)
static void (*const swap[])(char *at, int64_t count) = {[2] = swap_16, [4] = swap_32, [8] = swap_64}; /* by bytes */

void
knng_element_swap(const knng_element *e, void *at, int64_t count)
{
	if (e->bytes > 1)
		swap[e->bytes](at, count);
}

int64_t
knng_element_turn(const knng_element *e, const void *from, int64_t count, void *to)
{
	if (e->convert != NULL)
		return e->convert(from, count, to);
	memcpy(to, from, (size_t)(count * e->bytes));
	return count;
}

#define SPREAD(type)                                                                                                   \
	for (int64_t i = 0; i < rows; i++)                                                                             \
		for (int64_t c = 0; c < columns; c++)                                                                  \
	((type *)to)[i * d + c] = ((const type *)from)[c * height + i]

void
knng_element_spread(const knng_element *e, const void *from, int64_t height, int64_t rows, int64_t columns, void *to,
		    int64_t d)
{
	if (e->type == KNNG_F32)
		SPREAD(float);
	else
		SPREAD(double);
}

knng_status
knng_element_refuse(const char *path, int64_t row, int64_t column, const void *from, const void *to, knng_err *err)
{
	uint64_t bits;
	double rounded;
	memcpy(&bits, from, sizeof bits);
	memcpy(&rounded, to, sizeof rounded);
	return knng_fail(err, KNNG_EIO, "knng:io:format",
			 "%.200s: row %lld, column %lld holds %s%llu, which no double is: it would become %.0f; if "
			 "rounded numbers will do, save the array as float64, x.astype ('<f8')",
			 path, (long long)row + 1, (long long)column + 1, rounded < 0 ? "-" : "",
			 (unsigned long long)size_of(bits, rounded), rounded);
}
