/* market.h  The head of a MatrixMarket file, which graphs and matrices of cells have. */
#ifndef KNNG_MARKET_H
#define KNNG_MARKET_H

#include "io/text.h"

/* Does the text begin like one? */
bool knng_market_begins(const char *text);

/* The first line: *pattern, the entries have no values; *both, those above the diagonal are left out. */
knng_status knng_market_banner(knng_text *t, bool *pattern, bool *both, knng_err *err);

/* The line of sizes, behind the rest of the first and comments. */
knng_status knng_market_sizes(knng_text *t, int64_t *rows, int64_t *columns, int64_t *entries, knng_err *err);

#endif
