/* describe.h  How a search is refused: each fills err and returns its status. */
#ifndef KNNG_DESCRIBE_H
#define KNNG_DESCRIBE_H

#include "search/size.h"

/* knng:args:target */
knng_status knng_refuse_target(const char *name, knng_err *err);

/* Not even the least of the plan fits: knng:args:maxMemory, or knng:memory:host. */
knng_status knng_refuse_memory(const knng_plan *plan, const knng_budget *budget, knng_err *err);

#endif
