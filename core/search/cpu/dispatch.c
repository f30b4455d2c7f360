/* dispatch.c  The kernels of each target. */
#include "base/target.h"
#include "search/cpu/kernels.h"

#include <stddef.h>

extern const knng_kernels knng_kernels_plain;
#if defined(__x86_64__)
extern const knng_kernels knng_kernels_avx512, knng_kernels_avx2;
#endif

static const knng_kernels *const kernels[KNNG_TARGETS] = KNNG_BY_TARGET(&knng_kernels_);

const knng_kernels *
knng_kernels_find(const char *name)
{
	int target = knng_target_find(name);
	return target < 0 ? NULL : kernels[target];
}
