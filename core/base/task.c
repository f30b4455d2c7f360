/* task.c  A pool of threads, and runs on it. */
#include "base/task.h"
#include "base/signals.h"
#include "base/sys.h"

#include <fenv.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	MOST_THREADS = 128,
	STACK = 4 << 20, /* bytes of a thread's stack: jobs are shallow, but the makers of drivers are not */
};

/* How long a thread looks for the next run, and the caller for the end, before it sleeps, in seconds: stages follow
 * each other closely, and 16 threads that sleep take 0.15 ms to wake. */
static const double looking = 1e-3;

/* What one call of knng_task_run hands to the pool. */
typedef struct {
	knng_task *task;
	int64_t jobs;
	knng_job *job;
	void *context;
	atomic_llong next; /* the first job that nobody has taken */
	atomic_int failed; /* status of the first failure */
	knng_err *err;     /* whoever sets `failed` fills it */
	bool shows;        /* the caller may show progress */
} run;

/* The threads wait for a run with free seats, take one and work; the run is over when the seats are closed and all that
 * were taken are free again. A thread that wakes too late finds them closed. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t begin, end;
	bool forks;  /* child_after_fork is known to the system */
	bool busy;   /* a run is on */
	int threads; /* started */
	run *run;
	int seats, seated;
	int working;         /* seats that are taken */
	atomic_int on, left; /* for looks without the lock: a run has seats; how many are taken */
	atomic_bool looks;   /* before they sleep */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .begin = PTHREAD_COND_INITIALIZER, .end = PTHREAD_COND_INITIALIZER};

static _Thread_local bool within; /* a job: what it runs, it runs alone */

/* Processors that this process may use: those that it is bound to, or as many as its container or batch job has the
 * time of. */
static int
processors(void)
{
	cpu_set_t set;
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
		n = CPU_COUNT(&set);
	int allowed = knng_processors_allowed();
	n = allowed > 0 && allowed < n ? allowed : n;
	return n < 1 ? 1 : n < MOST_THREADS ? (int)n : MOST_THREADS;
}

knng_status
knng_task_poll(const knng_task *task, knng_err *err)
{
	int signal = task->interrupt == NULL ? 0 : __atomic_load_n(task->interrupt, __ATOMIC_RELAXED);
	if (signal != 0)
		return knng_fail(err, KNNG_EINTERRUPTED, "knng:interrupted", "stopped by %s; nothing was kept",
				 knng_signals_name(signal));
	return KNNG_OK;
}

static void
show(knng_task *task, double fraction)
{
	double now = knng_seconds();
	if (task->progress == NULL)
		return;
	if (task->shown == 0)
		task->shown = now;
	if (now - task->shown <= 0.1)
		return;
	task->shown = now;
	task->progress(task->context, task->stage, task->done + (1 - task->done - task->left) * fraction);
}

knng_status
knng_task_step(knng_task *task, double fraction, knng_err *err)
{
	show(task, fraction);
	return knng_task_poll(task, err);
}

/* Jobs, until there are none left or one has failed. */
static void
work(run *r, int worker)
{
	fenv_t environment;
	bool before = within;
	within = true;
	fegetenv(&environment);
	fesetenv(FE_DFL_ENV);
	while (atomic_load(&r->failed) == KNNG_OK) {
		int64_t i = atomic_fetch_add(&r->next, 1);
		if (i >= r->jobs)
			break;
		knng_err mine = {0};
		knng_status status = knng_task_poll(r->task, &mine);
		if (status == KNNG_OK)
			status = r->job(r->context, worker, i, &mine);
		int fine = KNNG_OK;
		if (status != KNNG_OK && atomic_compare_exchange_strong(&r->failed, &fine, status) && r->err != NULL)
			*r->err = mine; /* the caller reads it after the run */
		if (worker == 0 && r->shows)
			show(r->task, (double)i / (double)r->jobs);
	}
	fesetenv(&environment);
	within = before;
}

/* Waits a little until *what becomes `wanted`. Not where there are more threads than processors: they need them. */
static void
look_for(const atomic_int *what, int wanted)
{
	double end = knng_seconds() + looking;
	while (pool.looks && atomic_load_explicit(what, memory_order_relaxed) != wanted && knng_seconds() < end)
		for (int i = 0; i < 64; i++) {
#if defined(__x86_64__)
			__builtin_ia32_pause();
#endif
		}
}

static void *
wait_for_runs(void *unused)
{
	(void)unused;
	for (;;) {
		look_for(&pool.on, 1);
		pthread_mutex_lock(&pool.lock);
		while (pool.seats == 0)
			pthread_cond_wait(&pool.begin, &pool.lock);
		run *r = pool.run;
		int worker = ++pool.seated;
		if (--pool.seats == 0)
			atomic_store(&pool.on, 0);
		atomic_store(&pool.left, ++pool.working);
		pthread_mutex_unlock(&pool.lock);
		work(r, worker);
		pthread_mutex_lock(&pool.lock);
		atomic_store(&pool.left, --pool.working);
		if (pool.working == 0)
			pthread_cond_signal(&pool.end);
		pthread_mutex_unlock(&pool.lock);
	}
	return NULL;
}

static void
lock_before_fork(void)
{
	pthread_mutex_lock(&pool.lock);
}

static void
parent_after_fork(void)
{
	pthread_mutex_unlock(&pool.lock);
}

/* The threads are the parent's. */
static void
child_after_fork(void)
{
	pthread_mutex_init(&pool.lock, NULL);
	pthread_cond_init(&pool.begin, NULL);
	pthread_cond_init(&pool.end, NULL);
	pool.threads = pool.seats = pool.seated = pool.working = 0;
	pool.on = pool.left = 0;
	pool.busy = false;
}

/* A thread with the stack that jobs need. Signals stay with the threads that were there before. */
static bool
start_thread(pthread_t *thread, bool detached, void *(*code)(void *), void *context)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setdetachstate(&attributes, detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
	pthread_attr_setstacksize(&attributes, STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool fine = pthread_create(thread, &attributes, code, context) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return fine;
}

/* Lets there be that many threads beside the caller, or as many as can be had. The lock is held. */
static void
start_threads(int wanted)
{
	pthread_t thread;
	if (!pool.forks)
		pool.forks = pthread_atfork(lock_before_fork, parent_after_fork, child_after_fork) == 0;
	if (pool.threads >= wanted || !pool.forks)
		return;
	while (pool.threads < wanted && start_thread(&thread, true, wait_for_runs, NULL))
		pool.threads++;
	atomic_store(&pool.looks, pool.threads < processors());
}

/* True: the pool serves this run, and has to be left. */
static bool
enter_pool(run *r, int threads)
{
	if (threads < 2 || within)
		return false;
	pthread_mutex_lock(&pool.lock);
	bool mine = !pool.busy;
	if (mine) {
		start_threads(threads - 1);
		pool.busy = true;
		pool.run = r;
		pool.seated = 0;
		pool.seats = threads - 1 < pool.threads ? threads - 1 : pool.threads;
		atomic_store(&pool.on, pool.seats > 0);
		pthread_cond_broadcast(&pool.begin);
	}
	pthread_mutex_unlock(&pool.lock);
	return mine;
}

static void
leave_pool(void)
{
	pthread_mutex_lock(&pool.lock);
	pool.seats = 0;
	atomic_store(&pool.on, 0);
	pthread_mutex_unlock(&pool.lock);
	look_for(&pool.left, 0);
	pthread_mutex_lock(&pool.lock);
	while (pool.working > 0)
		pthread_cond_wait(&pool.end, &pool.lock);
	pool.busy = false;
	pthread_mutex_unlock(&pool.lock);
}

knng_status
knng_task_run(knng_task *task, int threads, int64_t jobs, knng_job *job, void *context, knng_err *err)
{
	run r = {.task = task, .jobs = jobs, .job = job, .context = context, .err = err, .shows = !within};
	if (jobs <= 0)
		return KNNG_OK;
	bool pooled = enter_pool(&r, jobs < threads ? (int)jobs : threads);
	work(&r, 0);
	if (pooled)
		leave_pool();
	return (knng_status)atomic_load(&r.failed);
}

static void
do_aside(knng_aside *a)
{
	bool before = within;
	within = true;
	a->status = a->job(a->context, &a->err);
	within = before;
}

static void *
do_aside_threaded(void *context)
{
	do_aside(context);
	return NULL;
}

void
knng_aside_begin(knng_aside *a, knng_status (*job)(void *context, knng_err *err), void *context)
{
	*a = (knng_aside){.job = job, .context = context, .begun = true};
	a->threaded = start_thread(&a->thread, false, do_aside_threaded, a);
}

knng_status
knng_aside_end(knng_aside *a, knng_err *err)
{
	if (!a->begun)
		return KNNG_OK;
	a->begun = false;
	if (a->threaded)
		pthread_join(a->thread, NULL);
	else
		do_aside(a);
	if (a->status != KNNG_OK && err != NULL)
		*err = a->err;
	return a->status;
}

int
knng_task_threads(const knng_task *task)
{
	int cpus = processors(), most = 4 * cpus > 8 ? 4 * cpus : 8;
	const char *text = getenv("OMP_NUM_THREADS"); /* of a list the first */
	long wanted = text == NULL ? 0 : strtol(text, NULL, 10);
	if (wanted < 1)
		wanted = cpus;
	if (task->threads > 0)
		wanted = task->threads;
	most = most < MOST_THREADS ? most : MOST_THREADS;
	return wanted < most ? (int)wanted : most;
}

int
knng_task_threads_for(const knng_task *task, double work, double worth)
{
	int threads = knng_task_threads(task);
	while (task->threads == 0 && threads > 1 && work / threads < worth)
		threads--;
	return threads;
}
