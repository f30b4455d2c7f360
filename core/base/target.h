/* target.h  The instruction sets that inner loops are compiled for, one object file each (Makefile, TARGETS), and
 * which of them this processor runs. A table of loops has a place for each; adding one: a row in target.c, its flags in
 * the Makefile. */
#ifndef KNNG_TARGET_H
#define KNNG_TARGET_H

enum { KNNG_AVX512, KNNG_AVX2, KNNG_PLAIN, KNNG_TARGETS }; /* the fastest first */

/* The target of that name (case ignored), or the fastest that runs here (NULL); -1: there is none such here. */
int knng_target_find(const char *name);

const char *knng_target_name(int target);

/* An initializer for a table by target of symbols PREFIXavx512, PREFIXavx2 and PREFIXplain. */
#if defined(__x86_64__)
#define KNNG_BY_TARGET(prefix)                                                                                         \
	{                                                                                                              \
		[KNNG_AVX512] = prefix##avx512, [KNNG_AVX2] = prefix##avx2, [KNNG_PLAIN] = prefix##plain,              \
	}
#else
#define KNNG_BY_TARGET(prefix)                                                                                         \
	{                                                                                                              \
		[KNNG_PLAIN] = prefix##plain,                                                                          \
	}
#endif

#endif
