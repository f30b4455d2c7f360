#include "base/filled.h"
#include "base/pairs.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUN = 8, RUNS = KNNG_FILLED_ROWS / RUN }; /* rows that are looked at: so many beside each other, so many times */

static double
element(const knng_matrix *X, int64_t i, int64_t j)
{
	int64_t at = i * X->row_stride + j * X->col_stride;
	return X->type == KNNG_F32 ? (double)((const float *)X->data)[at] : ((const double *)X->data)[at];
}

/* Whether x is that number, or what single precision has of it, however many digits of that are written; not where
 * that is a whole number below 10^10, as of 99999999.9. */
static bool
is(double x, double number)
{
	float single = (float)number;
	if (number < 1e10)
		return x == number || (x == (double)single && (double)single != floor((double)single));
	return x == number || (isfinite(single) && (float)x == single);
}

/* Numbers that programs and formats write where there is none: 99.9, 99.99 and 999.9 and those with more nines, powers
 * of ten from 10^10 on, what NetCDF fills in, and the least and the largest of a type. */
static bool
is_code(double x)
{
	static const double codes[] = {9.969209968386869e36,
				       FLT_MAX,
				       DBL_MAX,
				       32767,
				       32768,
				       65535,
				       2147483647,
				       2147483648.,
				       4294967295.,
				       4294967296.,
				       9223372036854775807.,
				       18446744073709551615.};
	double size = fabs(x);
	char power[16];
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (is(size, codes[i]))
			return true;
	for (double nines = 999; nines <= 999999999; nines = 10 * nines + 9)
		if (is(size, nines) || is(size, nines / 10) || (nines > 999 && is(size, nines / 100)))
			return true;
	for (int e = 10; e <= 38; e++) {
		snprintf(power, sizeof power, "1e%d", e);
		if (is(size, strtod(power, NULL)))
			return true;
	}
	return false;
}

/* What some rows have in a column: the largest number, how many have it, and the largest of the others. */
typedef struct {
	double most, second;
	int64_t count;
} tallest;

static tallest
tallest_of(const knng_matrix *X, int64_t n, int64_t j, int64_t seen)
{
	tallest t = {0, 0, 0};
	for (int64_t e = 0; e < seen; e++) {
		int64_t i = n < KNNG_FILLED_ROWS ? e : e / RUN * (n / RUNS) + e % RUN;
		double x = element(X, i, j);
		if (!isfinite(x))
			continue;
		if (x == t.most) {
			t.count++;
		} else if (fabs(x) > fabs(t.most)) {
			t = (tallest){x, fabs(t.most), 1};
		} else {
			t.second = fmax(t.second, fabs(x));
		}
	}
	return t;
}

/* As it would be written. */
static void
write_code(double code, knng_type type, char text[32])
{
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, 32, "%.*g", digits, code);
		double read = strtod(text, NULL);
		if (type == KNNG_F32 ? (float)read == (float)code : read == code)
			break;
		if (digits == 6 && code == floor(code) && fabs(code) < 1e12) {
			snprintf(text, 32, "%.0f", code);
			break;
		}
	}
}

void
knng_filled_look(const knng_matrix *X, knng_filled *filled)
{
	int64_t n = X->pairs != NULL ? X->pairs->n : X->n, seen = n < KNNG_FILLED_ROWS ? n : (int64_t)KNNG_FILLED_ROWS;
	double code = 0;
	*filled = (knng_filled){.seen = seen};
	if (X->second != NULL || X->rows != NULL) /* a part of a search, whose rows were looked at before */
		return;
	for (int64_t j = 0; j < X->d; j++) {
		tallest t = tallest_of(X, n, j, seen);
		if (t.count < 2 || fabs(t.most) < 10 * t.second || !is_code(t.most))
			continue;
		if (t.count == seen) {
			if (filled->dead++ == 0) {
				filled->dead_column = j + 1;
				write_code(t.most, X->type, filled->dead_code);
			}
			continue;
		}
		filled->more += filled->column > 0;
		if (filled->column == 0) {
			filled->column = j + 1;
			filled->count = t.count;
			code = t.most;
			write_code(code, X->type, filled->code);
		} else if (t.most != code && filled->other[0] == 0) {
			write_code(t.most, X->type, filled->other);
		}
	}
}

void
knng_filled_take_dead(knng_filled *filled)
{
	if (filled->column > 0 || filled->dead == 0)
		return;
	filled->column = filled->dead_column;
	filled->more = filled->dead - 1;
	filled->count = filled->seen;
	memcpy(filled->code, filled->dead_code, sizeof filled->code);
}

void
knng_filled_say(const knng_filled *filled, const char *name, char *text, size_t size)
{
	char others[120] = "";
	if (filled->more > 0)
		snprintf(others, sizeof others, ", and %lld more likewise%s%s", (long long)filled->more,
			 filled->other[0] != 0 ? ", with other numbers, too, such as " : "", filled->other);
	snprintf(text, size, "column %lld of %s holds %s in %lld of %lld rows that were looked at%s",
		 (long long)filled->column, name, filled->code, (long long)filled->count, (long long)filled->seen,
		 others);
}
