/* clock.h  Conditions that are waited for until a time, by a clock that nobody sets. */
#ifndef KNNG_CLOCK_H
#define KNNG_CLOCK_H

#include <pthread.h>
#include <time.h>

static inline void
knng_clock_condition(pthread_cond_t *c)
{
	pthread_condattr_t monotonic;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(c, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

/* The time after so many seconds, for pthread_cond_timedwait with such a condition. */
static inline struct timespec
knng_clock_after(double seconds)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += (long)(seconds * 1e9);
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

#endif
