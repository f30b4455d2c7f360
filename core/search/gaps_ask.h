/* gaps_ask.h  What is asked for where NaN is a missing value, before anything is planned. */
#ifndef KNNG_GAPS_ASK_H
#define KNNG_GAPS_ASK_H

#include "search/knng_search.h"

/* How many columns two rows of d must share; 0: NaN is no missing value. */
int64_t knng_gaps_shared(const knng_options *opt, int64_t d);

/* The same into the question, once it is asked; refuses what cannot be compared so: knng:args:metric, knng:args:option.
 */
knng_status knng_gaps_ask(knng_question *q, const knng_options *opt, knng_err *err);

#endif
