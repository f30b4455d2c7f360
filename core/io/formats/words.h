/* words.h  What NBI and ABK share: records whose fields are separated by a run of blanks, or by one tab with blanks
 * around it, in as many rows as a header promises. */
#ifndef KNNG_WORDS_H
#define KNNG_WORDS_H

#include "io/dataset.h"

/* Two sizes of a header, from 1 on, which the text from `p` on has to be able to hold: a row takes a byte of name, one
 * a value and the end of the line. */
knng_status knng_words_sizes(const knng_text *t, const char *p, int64_t n, int64_t d, knng_err *err);

/* Where the class of a record stands, if it has one. */
typedef enum { KNNG_NO_LABEL, KNNG_LABEL_FIRST, KNNG_LABEL_LAST } knng_label;

/* n records into b: a name and b->values values, with a class before or behind them. Keeps names and classes. `ends`
 * (NULL is fine) knows a word that ends them too early. */
knng_status knng_words_records(knng_builder *b, int64_t n, knng_label label, bool (*ends)(char *word), knng_err *err);

/* Nothing may follow `what`. */
knng_status knng_words_end(knng_text *t, const char *what, knng_err *err);

#endif
