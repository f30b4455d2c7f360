/* dispatch.c  The loops of each target. */
#include "base/target.h"
#include "graph/pushes.h"

#include <stddef.h>

extern const knng_pushes knng_pushes_plain[KNNG_TSNE_DIMS];
#if defined(__x86_64__)
extern const knng_pushes knng_pushes_avx512[KNNG_TSNE_DIMS], knng_pushes_avx2[KNNG_TSNE_DIMS];
#endif

static const knng_pushes *const pushes[KNNG_TARGETS] = KNNG_BY_TARGET(knng_pushes_);

const knng_pushes *
knng_pushes_find(const char *name)
{
	int target = knng_target_find(name);
	return target < 0 ? NULL : pushes[target];
}
