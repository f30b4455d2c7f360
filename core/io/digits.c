/* digits.c  Shortest decimals.
 *
 * Of all decimals that round to v, those with the fewest digits, and of those the one nearest to v. The method is
 * R. Giulietti's Schubfach (2020): scale v and the borders of its rounding interval by a power of ten, so that the
 * interval is between 2 and 20 wide, with one multiplication each by the first 128 bits of the power; keep of what is
 * cut off only whether it was nothing (in the last bit: "round to odd"); then only the multiples of 10 and of 1 next
 * to v need be looked at. The powers are made once, from whole numbers of 40 words. */
#include "io/digits.h"

#include <stdbool.h>
#include <string.h>

enum { WORDS = 40 };

/* The first 128 bits of the number in `word` (least first), up to the next when anything is cut off or `inexact`. */
static unsigned __int128
first_bits(const uint32_t word[WORDS], int inexact)
{
	int top = WORDS - 1;
	while (word[top] == 0)
		top--;
	unsigned __int128 bits = 0;
	int have = 128, w = top;
	for (int zeros = __builtin_clz(word[top]); have > 0; w--) {
		uint32_t next = w >= 0 ? word[w] : 0;
		int take = w == top ? 32 - zeros : have < 32 ? have : 32;
		bits = bits << take | (take < 32 && w != top ? next >> (32 - take) : next);
		if (take < 32 && w != top)
			inexact |= next << take != 0;
		have -= take;
	}
	for (; w >= 0; w--)
		inexact |= word[w] != 0;
	return bits + (inexact != 0);
}

void
knng_digits_init(knng_digits *t)
{
	uint32_t word[WORDS] = {1};
	unsigned __int128 *one = t->power - KNNG_DIGITS_LEAST;
	for (int e = 0; e <= KNNG_DIGITS_MOST; e++) { /* 10^e, all of it: 10^324 has 1077 bits */
		one[e] = first_bits(word, 0);
		uint64_t carry = 0;
		for (int w = 0; w < WORDS; w++) {
			carry += 10 * (uint64_t)word[w];
			word[w] = (uint32_t)carry;
			carry >>= 32;
		}
	}
	memset(word, 0, sizeof word);
	word[WORDS - 1] = 1;
	for (int e = -1; e >= KNNG_DIGITS_LEAST; e--) { /* the whole part of 2^1248 * 10^e, never exact */
		uint64_t rest = 0;
		for (int w = WORDS - 1; w >= 0; w--) {
			rest = rest << 32 | word[w];
			word[w] = (uint32_t)(rest / 10);
			rest %= 10;
		}
		one[e] = first_bits(word, 1);
	}
}

/* The whole part of c * g / 2^128, with its last bit set if there was more. */
static uint64_t
round_to_odd(unsigned __int128 g, uint64_t c)
{
	unsigned __int128 low = (unsigned __int128)(uint64_t)g * c,
			  high = (unsigned __int128)(uint64_t)(g >> 64) * c + (uint64_t)(low >> 64);
	return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* v / 2^bits, rounded down; |v| < 2^40. */
static int
shift_down(int64_t v, int bits)
{
	return (int)((v + (INT64_C(1) << 40)) >> bits) - (1 << (40 - bits));
}

/* The decimal s * 10^*ten of the positive double with these bits. */
static uint64_t
shortest(const knng_digits *t, uint64_t fraction, int exponent, int *ten)
{
	uint64_t c = exponent != 0 ? fraction | UINT64_C(1) << 52 : fraction;
	int q = (exponent != 0 ? exponent : 1) - 1075; /* v = c * 2^q */
	int narrow = fraction == 0 && exponent > 1;    /* the neighbour below is at half the distance */
	int k = shift_down(q * INT64_C(1262611) - (narrow ? 524031 : 0), 22); /* 10^k <= the width of the interval */
	int shift = q + shift_down(-k * INT64_C(1741647), 19) + 1;
	unsigned __int128 g = t->power[-k - KNNG_DIGITS_LEAST];
	uint64_t odd = c & 1; /* then the borders themselves round to another double */
	uint64_t low = round_to_odd(g, (4 * c - 2 + (uint64_t)narrow) << shift) + odd;
	uint64_t mid = round_to_odd(g, 4 * c << shift);
	uint64_t high = round_to_odd(g, (4 * c + 2) << shift) - odd;
	uint64_t s = mid / 4, tens = s / 10;

	*ten = k;
	if (tens > 0) {
		bool down = low <= 40 * tens, above = 40 * tens + 40 <= high;
		if (down != above) {
			*ten = k + 1;
			return tens + above;
		}
	}
	bool down = low <= 4 * s, above = 4 * s + 4 <= high;
	if (down != above)
		return s + above;
	return s + (mid > 4 * s + 2 || (mid == 4 * s + 2 && (s & 1)));
}

char *
knng_digits_put_int(int64_t v, char *out)
{
	char digit[20];
	int n = 0;
	do
		digit[n++] = (char)('0' + v % 10);
	while ((v /= 10) > 0);
	while (n > 0)
		*out++ = digit[--n];
	return out;
}

static char *
zeros(char *out, int count)
{
	memset(out, '0', (size_t)count);
	return out + count;
}

char *
knng_digits_put(const knng_digits *t, double v, char *out)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	if (bits >> 63)
		*out++ = '-';
	bits &= INT64_MAX;
	if (bits == 0) {
		*out++ = '0';
		return out;
	}
	int ten;
	uint64_t s = shortest(t, bits & ((UINT64_C(1) << 52) - 1), (int)(bits >> 52), &ten);
	for (; s % 10 == 0; s /= 10)
		ten++;
	char digit[20];
	int n = (int)(knng_digits_put_int((int64_t)s, digit) - digit);
	int point = n + ten; /* v = 0.digits * 10^point */

	if (point > 17 || point < -4) {
		*out++ = digit[0];
		*out++ = '.';
		memcpy(out, n > 1 ? digit + 1 : "0", (size_t)(n > 1 ? n - 1 : 1));
		out += n > 1 ? n - 1 : 1;
		*out++ = 'e';
		*out++ = point > 0 ? '+' : '-';
		int e = point > 0 ? point - 1 : 1 - point;
		if (e < 10)
			*out++ = '0';
		return knng_digits_put_int(e, out);
	}
	if (point <= 0) {
		*out++ = '0';
		*out++ = '.';
		out = zeros(out, -point);
		memcpy(out, digit, (size_t)n);
		return out + n;
	}
	int whole = n < point ? n : point;
	memcpy(out, digit, (size_t)whole);
	out = zeros(out + whole, point - whole);
	if (n > whole) {
		*out++ = '.';
		memcpy(out, digit + whole, (size_t)(n - whole));
		out += n - whole;
	}
	return out;
}
