/* gaps.h  Searches where NaN is a missing value, and two rows are compared over the columns that both have
 * (docs/canonical.md, 12). The CPU does them (cpu/gaps.c). */
#ifndef KNNG_GAPS_H
#define KNNG_GAPS_H

#include "search/knng_search.h"

/* Refuses a metric that does not compare rows so: knng:args:metric. */
knng_status knng_gaps_metric(const knng_metric *metric, knng_err *err);

/* Refuses a number of columns that rows must share which none can: knng:args:option. */
knng_status knng_gaps_least(int64_t least_shared, int64_t d, knng_err *err);

/* Refuses what cannot be searched so: knng:args:metric, knng:args:option. */
knng_status knng_gaps_check(const knng_plan *plan, knng_err *err);

/* Chooses tile and threads for the limit, and counts the memory: fills what knng_fit does. */
void knng_gaps_fit(knng_plan *plan, double limit);

/* The search. */
knng_status knng_gaps_run(const knng_plan *plan, const knng_output *out, knng_info *info, knng_err *err);

#endif
