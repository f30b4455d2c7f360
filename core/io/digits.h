/* digits.h  Doubles as the shortest decimal text that reads back to the same bits, in no locale. */
#ifndef KNNG_DIGITS_H
#define KNNG_DIGITS_H

#include <stdint.h>

enum { KNNG_DIGITS_LEAST = -292, KNNG_DIGITS_MOST = 324, KNNG_DIGITS_LONGEST = 32 };

/* The first 128 bits of 10^LEAST … 10^MOST, rounded up. */
typedef struct {
	unsigned __int128 power[KNNG_DIGITS_MOST - KNNG_DIGITS_LEAST + 1];
} knng_digits;

/* About 0.1 ms. */
void knng_digits_init(knng_digits *t);

/* Writes a finite v at `out`, at most LONGEST characters and no NUL; returns the end. 0.25, 12, 1.5e-07; an exponent
 * always follows a point, as some readers of GML insist. About 30 ns. */
char *knng_digits_put(const knng_digits *t, double v, char *out);
char *knng_digits_put_int(int64_t v, char *out); /* v >= 0 */

#endif
