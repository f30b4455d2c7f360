/* missing.h  What the user says is a missing value, beside the words that every reader knows: words, as they are
 * written, and numbers, however they are. */
#ifndef KNNG_MISSING_H
#define KNNG_MISSING_H

#include "base/knng_base.h"

typedef struct knng_missing knng_missing;

/* Room for so many. Error: knng:memory:host. */
knng_status knng_missing_open(knng_missing **said, int64_t count, knng_err *err);
void knng_missing_close(knng_missing *said); /* NULL is fine */

/* The next one: a text, which has to live as long, and the numbers that it is where the point is decimal and where the
 * comma is, NaN: none; or NULL, and a number. known: every reader knows it anyway. */
void knng_missing_add(knng_missing *said, const char *text, const double value[2], bool known);

/* Is the field [p, end) one of the words? */
bool knng_missing_word(knng_missing *said, const char *p, const char *end);
/* Is this value one of the numbers, in a file that has this decimal sign? NaN is none. O(1) for each of them. */
bool knng_missing_number(knng_missing *said, char point, double value);

/* How many no field was, those that are known aside; the first of them, which is a text, or NULL and a number. */
int64_t knng_missing_unseen(const knng_missing *said, const char **text, double *value);

#endif
