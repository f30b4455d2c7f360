/* testing.h  What the C tests share: counting, random numbers, memory that must be there. */
#ifndef TESTING_H
#define TESTING_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int passed, failed;

/* The last line of a test, and its exit status. */
static inline int
summary(void)
{
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}

/* Where a fault is planted, KNNG_FAILURES says how many failures are enough, and KNNG_FAILURE what one says that is. */
__attribute__((noinline, unused, format(printf, 2, 3))) static void
say_failed(const char *what, const char *format, ...)
{
	char text[6000];
	int begun = snprintf(text, sizeof text - 2000, "%s  ", what);
	begun = begun < (int)sizeof text - 2000 ? begun : (int)sizeof text - 2001;
	va_list list;
	va_start(list, format);
	vsnprintf(text + begun, sizeof text - (size_t)begun, format, list);
	va_end(list);
	printf("FAILED %s\n", text);
	const char *enough = getenv("KNNG_FAILURES"), *wanted = getenv("KNNG_FAILURE");
	if ((enough != NULL && failed >= atoi(enough)) || (wanted != NULL && strstr(text, wanted) != NULL))
		exit(summary());
}

#define TEXT_OF(x) #x
#define LINE_TEXT(line) TEXT_OF(line)
#define CHECK(condition, ...)                                                                                          \
	do {                                                                                                           \
		if (condition)                                                                                         \
			passed++;                                                                                      \
		else if (failed++ < 40)                                                                                \
			say_failed(__FILE__ ":" LINE_TEXT(__LINE__) ": " #condition, __VA_ARGS__);                     \
	} while (0)

/* Runs a part of a test, unless the arguments of the program name others. */
#define PART(name)                                                                                                     \
	do {                                                                                                           \
		if (is_asked(argc, argv, #name))                                                                       \
			test_##name();                                                                                 \
	} while (0)

static inline bool
is_asked(int argc, char **argv, const char *part)
{
	bool asked = argc < 2;
	for (int a = 1; a < argc; a++)
		asked = asked || strcmp(argv[a], part) == 0;
	return asked;
}

/* SKIPS(n): whether this one of many cases that are alike is left out. A sanitizer takes several times as long, and
 * shows what is wrong with an access at the first case that makes it, so with one only each nth is tried, from the
 * first on; n and the lengths of the loops around it have no common divisor, so that each of their values is met.
 * KNNG_ALL=1: all. ENOUGH(many, fewer): likewise fewer rows, where the work grows with their square.
 * SKIPS_TOO(n, m): where there are very many, each nth without a sanitizer, and each mth with one.
 * ENOUGH_TOO(many, fewer): fewer without a sanitizer, too. */
#define COUNTED_SKIP(n)                                                                                                \
	({                                                                                                             \
		static int met;                                                                                        \
		is_skipped(&met, n);                                                                                   \
	})
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ENOUGH(many, fewer) (getenv("KNNG_ALL") == NULL ? (fewer) : (many))
#define SKIPS(n) COUNTED_SKIP(n)
#define SKIPS_TOO(n, m) COUNTED_SKIP(m)
#else
#define ENOUGH(many, fewer) (many)
#define SKIPS(n) false
#define SKIPS_TOO(n, m) COUNTED_SKIP(n)
#endif
#define ENOUGH_TOO(many, fewer) (getenv("KNNG_ALL") == NULL ? (fewer) : (many))
static inline bool
is_skipped(int *met, int n)
{
	return getenv("KNNG_ALL") == NULL && (*met)++ % n != 0;
}

/* splitmix64: the same numbers in every run. */
static uint64_t random_state = 1;

static inline uint64_t
random_bits(void)
{
	uint64_t z = random_state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* 0 … n - 1 */
static inline int64_t
random_below(int64_t n)
{
	return (int64_t)(random_bits() % (uint64_t)n);
}

/* In [0, 1). */
static inline double
random_unit(void)
{
	return (double)(random_bits() >> 11) * 0x1p-53;
}

/* Nearly normal. */
static inline double
random_normal(void)
{
	double s = -6;
	for (int i = 0; i < 12; i++)
		s += random_unit();
	return s;
}

/* count * size bytes, aligned to 64 and as long as that and no longer, so that a sanitizer sees any step beyond them.
 */
static inline void *
room(int64_t count, size_t size)
{
	void *p;
	if (posix_memalign(&p, 64, count > 0 ? (size_t)count * size : 1) != 0)
		abort();
	return p;
}

/* A folder and all that is in it; false: it cannot be. */
static inline bool
remove_folder(const char *path)
{
	char command[400];
	snprintf(command, sizeof command, "rm -r '%s'", path);
	return system(command) == 0;
}

static inline uint64_t
bits_of(double x)
{
	uint64_t b;
	memcpy(&b, &x, sizeof b);
	return b;
}

/* The same to the last bit, but for what kind of NaN there is. */
static inline bool
alike(const double *a, const double *b, int64_t count)
{
	for (int64_t i = 0; i < count; i++)
		if (isnan(a[i]) ? !isnan(b[i]) : bits_of(a[i]) != bits_of(b[i]))
			return false;
	return true;
}

static inline int64_t
up(int64_t a, int64_t multiple)
{
	return (a + multiple - 1) / multiple * multiple;
}

#endif
