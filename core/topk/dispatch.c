/* dispatch.c  The loops over keys of each target. */
#include "base/target.h"
#include "topk/keys.h"

#include <stddef.h>

extern const knng_keys knng_keys_plain[KNNG_KEYS];
#if defined(__x86_64__)
extern const knng_keys knng_keys_avx512[KNNG_KEYS], knng_keys_avx2[KNNG_KEYS];
#endif

static const knng_keys *const keys[KNNG_TARGETS] = KNNG_BY_TARGET(knng_keys_);

const knng_keys *
knng_keys_find(const char *name)
{
	int target = knng_target_find(name);
	return target < 0 ? NULL : keys[target];
}
