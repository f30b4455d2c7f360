/* interrupts.h  Ctrl-C at the nth look for it, in a test that is linked with --wrap=knng_task_poll: searches take
 * &stop. */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include "base/task.h"

#include <signal.h>

static volatile sig_atomic_t stop;
static int64_t looks, stop_at; /* 0: never */

static inline void
look(void)
{
	if (__atomic_add_fetch(&looks, 1, __ATOMIC_RELAXED) == stop_at)
		__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
}

knng_status __real_knng_task_poll(const knng_task *task, knng_err *err);
knng_status __wrap_knng_task_poll(const knng_task *task, knng_err *err);

knng_status
__wrap_knng_task_poll(const knng_task *task, knng_err *err)
{
	look();
	return __real_knng_task_poll(task, err);
}

#endif
