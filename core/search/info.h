/* info.h  What a search says of itself, where it was made of several. */
#ifndef KNNG_INFO_H
#define KNNG_INFO_H

#include "search/knng_search.h"

/* Adds what a part says: sums, the largest of what is held at once, and what was done otherwise in any of them. All
 * else, such as the device, is what that part says if it is the one to name, and stays otherwise. */
void knng_info_add(knng_info *sum, const knng_info *part, bool name);

/* Of parts that were told which devices to take: what the plan of the whole says of that choice, unless something was
 * done otherwise on the way. */
void knng_info_choice(knng_info *info, const knng_plan *plan);

#endif
