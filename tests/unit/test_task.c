/* test_task.c  Runs on several threads: every job once and in order, fewer threads than were asked for, forks,
 * failures, Ctrl-C, progress, runs within runs, floating-point modes. */
#include "base/sys.h"
#include "base/task.h"
#include "testing.h"

#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Threads that may still be started; below 0: any number. Takes the place of the system's function. */
static int threads_left = -1;

int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
	static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	if (real == NULL) {
		void *symbol = dlsym(RTLD_NEXT, "pthread_create");
		memcpy(&real, &symbol, sizeof real);
	}
	if (threads_left == 0)
		return EAGAIN;
	threads_left -= threads_left > 0;
	return real(thread, attributes, start, argument);
}

enum { MOST = 64 };

typedef struct {
	atomic_int done[1000], workers[MOST];
	atomic_int wrong, at_once, most_at_once;
	int threads;
	int fail_from; /* jobs from here on fail; 0: none */
	long nap;      /* ns a job */
	bool within;   /* jobs are runs themselves */
} record;

static knng_status
count(void *context, int worker, int64_t i, knng_err *err)
{
	record *r = context;
	int now = atomic_fetch_add(&r->at_once, 1) + 1, top = atomic_load(&r->most_at_once);
	while (now > top && !atomic_compare_exchange_weak(&r->most_at_once, &top, now)) {
	}
	if (worker < 0 || worker >= r->threads || fegetround() != FE_TONEAREST)
		atomic_fetch_add(&r->wrong, 1);
	else
		atomic_fetch_add(&r->workers[worker], 1);
	atomic_fetch_add(&r->done[i], 1);
	if (r->nap > 0)
		nanosleep(&(struct timespec){.tv_nsec = r->nap}, NULL);
	atomic_fetch_sub(&r->at_once, 1);
	if (r->fail_from > 0 && i >= r->fail_from)
		return knng_fail(err, KNNG_EARGS, "knng:args:test", "job %lld", (long long)i);
	return KNNG_OK;
}

static knng_status
nested(void *context, int worker, int64_t i, knng_err *err)
{
	knng_task task = {0};
	record inner = {.threads = 1};
	knng_status status = knng_task_run(&task, 4, 10, count, &inner, err);
	for (int j = 0; j < 10; j++)
		if (inner.done[j] != 1)
			atomic_fetch_add(&((record *)context)->wrong, 1);
	((record *)context)->wrong += inner.wrong + (inner.most_at_once > 1);
	return status == KNNG_OK ? count(context, worker, i, err) : status;
}

/* Every job was done once, by workers that there may be. */
static bool
whole(const record *r, int jobs)
{
	bool fine = r->wrong == 0;
	for (int i = 0; i < jobs; i++)
		fine = fine && r->done[i] == 1;
	return fine;
}

static void
test_runs(void)
{
	knng_task task = {0};
	knng_err err = {0};
	for (int threads = 1; threads <= 9; threads += 4)
		for (int jobs = 0; jobs <= 1000; jobs += jobs < 4 ? 1 : 332) {
			record r = {.threads = threads < jobs ? threads : jobs};
			CHECK(knng_task_run(&task, threads, jobs, count, &r, &err) == KNNG_OK && whole(&r, jobs),
			      "%d jobs on %d threads", jobs, threads);
		}
	int at_once = 0;
	for (int again = 0; again < 20 && at_once < 2; again++) { /* on a busy machine a thread may come too late */
		record r = {.threads = 4, .nap = 2000000};
		CHECK(knng_task_run(&task, 4, 40, count, &r, &err) == KNNG_OK && whole(&r, 40), "jobs that take long");
		at_once = r.most_at_once;
	}
	CHECK(at_once > 1, "%d jobs at once", at_once);
	for (int again = 0; again < 2000; again++) {
		record many = {.threads = 4};
		if (knng_task_run(&task, 4, 8, count, &many, &err) != KNNG_OK || !whole(&many, 8)) {
			CHECK(false, "run %d of many", again);
			break;
		}
	}
	record outer = {.threads = 3};
	CHECK(knng_task_run(&task, 3, 30, nested, &outer, &err) == KNNG_OK && whole(&outer, 30), "runs within a run");
	fesetround(FE_UPWARD);
	record modes = {.threads = 4};
	CHECK(knng_task_run(&task, 4, 1000, count, &modes, &err) == KNNG_OK && whole(&modes, 1000) &&
		      fegetround() == FE_UPWARD,
	      "rounding");
	fesetround(FE_TONEAREST);
}

/* Less than all threads, or none: the jobs are done all the same. In a process of its own, which has none yet. */
static void
test_few(void)
{
	for (int left = 0; left <= 3; left++) {
		pid_t pid = fork();
		if (pid == 0) {
			knng_task task = {0};
			threads_left = left;
			record r = {.threads = 8, .nap = 100000};
			bool fine = knng_task_run(&task, 8, 100, count, &r, NULL) == KNNG_OK && whole(&r, 100) &&
				    r.most_at_once <= left + 1;
			threads_left = -1; /* the next run has them all */
			record next = {.threads = 8};
			fine = fine && knng_task_run(&task, 8, 100, count, &next, NULL) == KNNG_OK && whole(&next, 100);
			_exit(fine ? 0 : 1);
		}
		int status = -1;
		CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0, "%d threads to be had: status %d",
		      left, status);
	}
}

/* A forked child has none of the parent's threads, and starts its own; the parent goes on with its. */
static void
test_forks(void)
{
	knng_task task = {0};
	record before = {.threads = 4};
	CHECK(knng_task_run(&task, 4, 100, count, &before, NULL) == KNNG_OK && whole(&before, 100), "the parent");
	for (int again = 0; again < 20; again++) {
		pid_t pid = fork();
		if (pid == 0) {
			alarm(600);
			record r = {.threads = 4, .nap = 10000};
			_exit(knng_task_run(&task, 4, 100, count, &r, NULL) == KNNG_OK && whole(&r, 100) ? 0 : 1);
		}
		record r = {.threads = 4};
		int status = -1;
		bool fine = knng_task_run(&task, 4, 100, count, &r, NULL) == KNNG_OK && whole(&r, 100);
		CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 && fine, "child %d: status %d", again,
		      status);
	}
}

static int shown, shown_wrongly;
static pthread_t caller;
static volatile sig_atomic_t stop;

static void
show(void *context, const char *stage, double fraction)
{
	double *last = context;
	shown++;
	if (!pthread_equal(pthread_self(), caller) || strcmp(stage, "test") != 0 || !(fraction >= 0.25) ||
	    !(fraction <= 0.75) || fraction < *last)
		shown_wrongly++;
	*last = fraction;
}

static void
stop_now(void *context, const char *stage, double fraction)
{
	(void)context, (void)stage, (void)fraction;
	stop = 1;
}

static void
test_ends(void)
{
	knng_err err = {0};
	knng_task task = {0};
	record failing = {.threads = 4, .fail_from = 100};
	CHECK(knng_task_run(&task, 4, 1000, count, &failing, &err) == KNNG_EARGS &&
		      strcmp(err.id, "knng:args:test") == 0 && failing.done[999] == 0,
	      "a job fails: %s", err.text);
	CHECK(knng_task_run(&task, 4, 1000, count, &failing, NULL) == KNNG_EARGS, "and nobody asks why");

	caller = pthread_self();
	for (int again = 0; again < 20 && shown < 2; again++) { /* the other thread may do most of the jobs */
		double last = 0;
		task = (knng_task){.progress = show, .context = &last, .stage = "test", .done = 0.25, .left = 0.25};
		record slow = {.threads = 2, .nap = 5000000};
		shown = 0;
		CHECK(knng_task_run(&task, 2, 200, count, &slow, &err) == KNNG_OK && shown_wrongly == 0, "%d wrongly",
		      shown_wrongly);
	}
	CHECK(shown > 1, "shown %d times", shown);

	task = (knng_task){.progress = stop_now, .interrupt = &stop, .stage = "test"};
	record stopped = {.threads = 2, .nap = 5000000};
	CHECK(knng_task_run(&task, 2, 1000, count, &stopped, &err) == KNNG_EINTERRUPTED &&
		      strcmp(err.id, "knng:interrupted") == 0 && stopped.done[999] == 0,
	      "stopped: %s", err.text);
	CHECK(knng_task_step(&task, 0, &err) == KNNG_EINTERRUPTED, "a loop looks up");
}

static void
test_numbers(void)
{
	unsetenv("OMP_NUM_THREADS");
	int processors = knng_task_threads(&(knng_task){0}), most = knng_task_threads(&(knng_task){.threads = 4096});
	CHECK(processors >= 1 && most >= processors && most <= 128 && most >= 8, "%d and %d", processors, most);
	setenv("OMP_NUM_THREADS", "1", 1);
	CHECK(knng_task_threads(&(knng_task){0}) == 1, "OMP_NUM_THREADS=1");
	CHECK(knng_task_threads(&(knng_task){.threads = 3}) == 3, "what is asked for comes first");
	setenv("OMP_NUM_THREADS", "3000", 1);
	CHECK(knng_task_threads(&(knng_task){0}) == most, "OMP_NUM_THREADS=3000");
	setenv("OMP_NUM_THREADS", "2,4", 1);
	CHECK(knng_task_threads(&(knng_task){0}) == 2, "OMP_NUM_THREADS=2,4");
	setenv("OMP_NUM_THREADS", "many", 1);
	CHECK(knng_task_threads(&(knng_task){0}) == processors, "OMP_NUM_THREADS=many");
	unsetenv("OMP_NUM_THREADS");
	CHECK(knng_task_threads_for(&(knng_task){0}, 10, 100) == 1, "little work");
	CHECK(knng_task_threads_for(&(knng_task){.threads = 3}, 10, 100) == 3, "little work on three threads");
}

typedef struct {
	pthread_t thread;
	knng_status status;
	int done;
} errand;

static knng_status
do_errand(void *context, knng_err *err)
{
	errand *e = context;
	e->thread = pthread_self();
	e->done++;
	return e->status == KNNG_OK ? KNNG_OK : knng_fail(err, e->status, "knng:test:aside", "it failed");
}

/* A job beside what the caller does is done once, on another thread; its failure comes back where it is waited for. */
static void
test_aside(void)
{
	static const knng_status statuses[] = {KNNG_OK, KNNG_EIO};
	for (int s = 0; s < 2; s++) {
		errand e = {.status = statuses[s]};
		knng_err err = {0};
		knng_aside aside = {0};
		CHECK(knng_aside_end(&aside, &err) == KNNG_OK, "none was begun");
		knng_aside_begin(&aside, do_errand, &e);
		CHECK(knng_aside_end(&aside, &err) == statuses[s] && e.done == 1, "done %d times", e.done);
		CHECK(!aside.threaded || !pthread_equal(e.thread, pthread_self()), "on this thread");
		CHECK((err.id[0] != 0) == (s > 0), "'%s'", err.id);
		CHECK(knng_aside_end(&aside, &err) == KNNG_OK && e.done == 1, "waited for twice");
	}
}

int
main(void)
{
	test_few();
	test_runs();
	test_forks();
	test_ends();
	test_numbers();
	test_aside();
	return summary();
}
