/* task.h  Work on several threads: the one place that starts threads, looks for Ctrl-C and shows progress.
 *
 * The threads are kept for the process and sleep between calls. One that cannot be started is done without: fewer work
 * then, at last the caller alone, and nothing fails for it. A forked child begins with none. */
#ifndef KNNG_TASK_H
#define KNNG_TASK_H

#include "base/knng_base.h"
#include <pthread.h>

/* Job i of a run, 0 <= i < jobs; worker: which of the threads does it, 0 is the caller. */
typedef knng_status knng_job(void *context, int worker, int64_t i, knng_err *err);

/* Runs job(context, worker, i, err) for every i < jobs on at most `threads` threads, the caller among them, handed out
 * in ascending order. Between jobs every thread looks for Ctrl-C, and the caller shows progress. The first failure
 * wins: no further job begins, and its status and text come back. Jobs round to nearest and keep subnormals, whatever
 * the caller had set. A run within a job, or beside another one, is the calling thread's alone. Errors:
 * knng:interrupted, and those of the jobs. A call costs some 10 us on top of its jobs. */
knng_status knng_task_run(knng_task *task, int threads, int64_t jobs, knng_job *job, void *context, knng_err *err);

/* knng:interrupted when the user wants to stop: for long jobs to look in between. */
knng_status knng_task_poll(const knng_task *task, knng_err *err);

/* Shows progress, on the caller's thread, and looks for Ctrl-C: for loops that are no run. */
knng_status knng_task_step(knng_task *task, double fraction, knng_err *err);

/* One job beside what the caller does: begun, and later waited for, by one thread at a time. Where no thread can be
 * started it is done while it is waited for. What it runs it runs alone. Not to be moved or copied between the two. */
typedef struct {
	knng_status (*job)(void *context, knng_err *err);
	void *context;
	bool begun, threaded;
	pthread_t thread;
	knng_status status;
	knng_err err;
} knng_aside;
void knng_aside_begin(knng_aside *a, knng_status (*job)(void *context, knng_err *err), void *context);
/* What the job came to; KNNG_OK where none was begun. */
knng_status knng_aside_end(knng_aside *a, knng_err *err);

/* Part i of `total` things in parts of `size`. */
typedef struct {
	int64_t first, end;
} knng_part;
static inline knng_part
knng_part_of(int64_t i, int64_t size, int64_t total)
{
	int64_t end = (i + 1) * size;
	return (knng_part){i * size, end < total ? end : total};
}
static inline int64_t
knng_parts(int64_t size, int64_t total)
{
	return (total + size - 1) / size;
}

/* How many threads task->threads means: 0 is one for each processor that this process may use, by its affinity and by
 * the limit of its container or batch job, or OMP_NUM_THREADS where that is set. Never more than four times the
 * processors (8 where that is less), and never more than 128: more only wait for each other. */
int knng_task_threads(const knng_task *task);

/* The same, but no more than one for each `worth` of `work`: waking a thread costs more than it saves on little. A
 * number that was asked for stays. */
int knng_task_threads_for(const knng_task *task, double work, double worth);

#endif
