/* numbers.h  What the tests of files of numbers put into them, numbers of every type, and what each stands for; and how
 * they look at what is read. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "io/matrix_file.h"
#include "testing.h"

static const struct {
	const char *code, *element;
	int bytes;
} types[] = {
	{"<f4", "float32", 4}, {"<f8", "float64", 8}, {"<f2", "float16", 2}, {"|u1", "uint8", 1},
	{"<i8", "int64", 8},   {">f4", "float32", 4}, {">f8", "float64", 8}, {"|b1", "uint8", 1},
	{"|i1", "int8", 1},    {"<u2", "uint16", 2},  {"<i2", "int16", 2},   {"<u4", "uint32", 4},
	{"<i4", "int32", 4},   {"<u8", "uint64", 8},  {">f2", "float16", 2}, {">u1", "uint8", 1},
	{">u2", "uint16", 2},  {">i2", "int16", 2},   {">u4", "uint32", 4},  {">i4", "int32", 4},
	{">u8", "uint64", 8},  {">i8", "int64", 8},
};
enum { TYPES = sizeof types / sizeof *types, LARGE_TYPES = 7 /* of which there are files larger than the buffer */ };

/* Number e of a file of this type into it, and what it stands for. */
static inline double
put(const char *element, char *to, int64_t e)
{
	static const uint16_t halves[] = {0x0000, 0x8000, 0x3C00, 0xC500, 0x0001, 0x83FF, 0x7BFF, 0x7C00, 0x3555};
	static const double means[] = {0, -0.0, 1, -5, 0x1p-24, -1023 * 0x1p-24, 65504, INFINITY, 1365 * 0x1p-12};
	double value = 0;
#define AS(type, x)                                                                                                    \
	{                                                                                                              \
		type v = (type)(x);                                                                                    \
		memcpy(to, &v, sizeof v);                                                                              \
		value = (double)v;                                                                                     \
	}
	uint64_t z = (uint64_t)e * 0x9e3779b97f4a7c15u;
	if (strcmp(element, "float32") == 0)
		AS(float, (double)(int64_t)z * 1e-15)
	else if (strcmp(element, "float64") == 0)
		AS(double, (double)(int64_t)z * 1e-15)
	else if (strcmp(element, "uint8") == 0)
		AS(uint8_t, z >> 40)
	else if (strcmp(element, "int8") == 0)
		AS(int8_t, z >> 40)
	else if (strcmp(element, "uint16") == 0)
		AS(uint16_t, z >> 40)
	else if (strcmp(element, "int16") == 0)
		AS(int16_t, z >> 40)
	else if (strcmp(element, "uint32") == 0)
		AS(uint32_t, z >> 30)
	else if (strcmp(element, "int32") == 0)
		AS(int32_t, z >> 30)
	else if (strcmp(element, "uint64") == 0) /* 53 bits, anywhere */
		AS(uint64_t, e % 17 == 3 ? UINT64_C(1) << 63 : z >> 11 << e % 12)
	else if (strcmp(element, "int64") == 0)
		AS(int64_t, e % 17 == 3  ? INT64_MIN
			    : e % 2 == 0 ? (int64_t)(z >> 12 << e % 11)
					 : -(int64_t)(z >> 12 << e % 11))
	else {
		memcpy(to, &halves[e % 9], 2);
		value = means[e % 9];
	}
	return value;
}

static inline void
reverse(char *at, int bytes)
{
	for (int b = 0; b < bytes / 2; b++) {
		char c = at[b];
		at[b] = at[bytes - 1 - b];
		at[bytes - 1 - b] = c;
	}
}

/* Whether a file gives these numbers, row after row, to the bit, in parts of several sizes. */
static inline bool
has_numbers(knng_matrix_file *f, const double *want, knng_err *err)
{
	const knng_layout *l = knng_matrix_file_layout(f);
	bool fine = true;
	int64_t n = l->n, d = l->d;
	int64_t size = l->element->type == KNNG_F32 ? 4 : 8, parts[] = {n, 1, 3, n / 2 + 1};
	for (int p = 0; fine && p < 4; p++) {
		if (n > 100 && parts[p] < 10)
			continue;
		void *rows = room(parts[p] * d, (size_t)size);
		for (int64_t first = 0; fine && first < n; first += parts[p]) {
			int64_t count = n - first < parts[p] ? n - first : parts[p];
			fine = knng_matrix_file_read(f, first, count, rows, err) == KNNG_OK;
			for (int64_t e = 0; fine && e < count * d; e++) {
				double got = size == 4 ? (double)((float *)rows)[e] : ((double *)rows)[e],
				       wanted = want[first * d + e];
				fine = memcmp(&got, &wanted, sizeof got) == 0;
			}
		}
		free(rows);
	}
	return fine;
}

#endif
