/* describe.h  How a search is refused: knng_refuse_ fills err and returns its status. */
#ifndef KNNG_DESCRIBE_H
#define KNNG_DESCRIBE_H

#include "search/size.h"

/* knng:args:target */
knng_status knng_refuse_target(const char *name, knng_err *err);

/* Not even the least of the plan fits: knng:args:maxMemory, or knng:memory:host. */
knng_status knng_refuse_memory(const knng_plan *plan, const knng_budget *budget, knng_err *err);

/* Adds to the text of a knng:memory:host that a smaller 'MaxMemory' helps, where a search that was planned with so many
 * bytes could make do with less. */
void knng_suggest_limit(double planned, bool less_will_do, knng_err *err);

#endif
