/* said.h  What the user says is a missing value, beside the words that every reader knows: words, as they are written,
 * and numbers, however they are. */
#ifndef KNNG_SAID_H
#define KNNG_SAID_H

#include "base/knng_base.h"

typedef struct knng_said knng_said;

/* Room for so many. Error: knng:memory:host. */
knng_status knng_said_open(knng_said **said, int64_t count, knng_err *err);
void knng_said_close(knng_said *said); /* NULL is fine */

/* The next one: a text, which has to live as long, and the numbers that it is where the point is decimal and where the
 * comma is, NaN: none; or NULL, and a number. known: every reader knows it anyway. */
void knng_said_add(knng_said *said, const char *text, const double value[2], bool known);

/* Is the field [p, end) one of the words? */
bool knng_said_word(knng_said *said, const char *p, const char *end);
/* Is this value one of the numbers, in a file that has this decimal sign? NaN is none. O(1) for each of them. */
bool knng_said_number(knng_said *said, char point, double value);

/* How many no field was, those that are known aside; the first of them, which is a text, or NULL and a number. */
int64_t knng_said_unseen(const knng_said *said, const char **text, double *value);

#endif
