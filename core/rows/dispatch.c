/* dispatch.c  The loops over centres of each target. */
#include "base/target.h"
#include "rows/centres.h"

#include <stddef.h>

extern const knng_centres_loops knng_centres_plain;
#if defined(__x86_64__)
extern const knng_centres_loops knng_centres_avx512, knng_centres_avx2;
#endif

static const knng_centres_loops *const loops[KNNG_TARGETS] = KNNG_BY_TARGET(&knng_centres_);

const knng_centres_loops *
knng_centres_find(const char *name)
{
	int target = knng_target_find(name);
	return target < 0 ? NULL : loops[target];
}
