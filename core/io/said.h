/* said.h  What the user says is a missing value, beside the words that every reader knows: words, as they are written,
 * and numbers, however they are. */
#ifndef KNNG_SAID_H
#define KNNG_SAID_H

#include "io/knng_io.h"

struct knng_text;
typedef struct knng_said knng_said;

/* Those of t->opt to t->said, NULL where there are none. Error: knng:memory:host. */
knng_status knng_said_open(struct knng_text *t, knng_err *err);
void knng_said_close(knng_said *said); /* NULL is fine */

/* Is the field [p, end) one of the words? */
bool knng_said_word(knng_said *said, const char *p, const char *end);
/* Is this value one of the numbers, in a file that has this decimal sign? NaN is none. O(1) for each of them. */
bool knng_said_number(knng_said *said, char point, double value);

/* knng:data:missing, of what no field was; what is missing without being said does not count. */
void knng_said_doubt(const knng_said *said, const char *path, knng_err *doubt);

#endif
