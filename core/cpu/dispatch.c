/* dispatch.c  Which compiled target of kernels.c and keys.c serves on this CPU. */
#include "kernels.h"
#include "keys.h"

#include <strings.h>

extern const knng_kernels knng_kernels_plain;
extern const knng_keys knng_keys_plain[KNNG_KEYS];

static bool
always(void)
{
	return true;
}

#if defined(__x86_64__)
extern const knng_kernels knng_kernels_avx512, knng_kernels_avx2;
extern const knng_keys knng_keys_avx512[KNNG_KEYS], knng_keys_avx2[KNNG_KEYS];

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
#endif

static const struct {
	const knng_kernels *kernels;
	const knng_keys *keys;
	bool (*supported)(void);
} targets[] = {
#if defined(__x86_64__)
	{&knng_kernels_avx512, knng_keys_avx512, has_avx512},
	{&knng_kernels_avx2, knng_keys_avx2, has_avx2},
#endif
	{&knng_kernels_plain, knng_keys_plain, always},
};

/* The target of that name, or the best this CPU runs; -1 if there is none. */
static int
find(const char *name)
{
	for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
		if ((name == NULL || strcasecmp(name, targets[t].kernels->name) == 0) && targets[t].supported())
			return (int)t;
	return -1;
}

const knng_kernels *
knng_kernels_find(const char *name)
{
	int t = find(name);
	return t < 0 ? NULL : targets[t].kernels;
}

const knng_keys *
knng_keys_find(const char *name)
{
	int t = find(name);
	return t < 0 ? NULL : targets[t].keys;
}
