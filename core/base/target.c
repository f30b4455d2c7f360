/* target.c  Which instruction sets this processor runs. */
#include "base/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <strings.h>

#if defined(__x86_64__)
static bool
has_avx512(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("fma");
}

static bool
has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
static bool
never(void)
{
	return false;
}
#define has_avx512 never
#define has_avx2 never
#endif

static bool
always(void)
{
	return true;
}

static const struct {
	const char *name;
	bool (*runs)(void);
} targets[KNNG_TARGETS] = {
	[KNNG_AVX512] = {"avx512", has_avx512},
	[KNNG_AVX2] = {"avx2", has_avx2},
	[KNNG_PLAIN] = {"plain", always},
};

int
knng_target_find(const char *name)
{
	for (int t = 0; t < KNNG_TARGETS; t++)
		if ((name == NULL || strcasecmp(name, targets[t].name) == 0) && targets[t].runs())
			return t;
	return -1;
}

const char *
knng_target_name(int target)
{
	return targets[target].name;
}
