/* witness.c  Sees whether a machine had time for others: on each processor that it may use a thread sleeps, works for a
 * moment, and sleeps again. Where it is woken late, or its work takes long, the processor stood still, or was busy.
 * Ended by SIGTERM, or with its parent, it prints two numbers: by how many ms a turn was late at most, and what its
 * work took at the busiest processor, in per cent of what it takes alone. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

/* ms of a turn: more work than a processor gives to one of several at a time. */
enum { SLEEP = 200, WORK = 8 };

typedef struct {
	int cpu;
	pthread_mutex_t lock;
	double begun, latest, worked; /* when the present turn began, ms; the latest one; what all work took */
	long turns;
} witness;

static double
now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* With the lock. */
static void
note(witness *w, double at)
{
	double late = at - w->begun - SLEEP - WORK;
	w->latest = late > w->latest ? late : w->latest;
}

static void *
watch(void *context)
{
	witness *w = context;
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(w->cpu, &one);
	pthread_setaffinity_np(pthread_self(), sizeof one, &one);
	for (;;) {
		nanosleep(&(struct timespec){.tv_nsec = SLEEP * 1000000L}, NULL);
		double woken = now(CLOCK_MONOTONIC), from = now(CLOCK_THREAD_CPUTIME_ID);
		while (now(CLOCK_THREAD_CPUTIME_ID) - from < WORK) {
		}
		double at = now(CLOCK_MONOTONIC);
		pthread_mutex_lock(&w->lock);
		note(w, at);
		w->worked += at - woken;
		w->turns++;
		w->begun = at;
		pthread_mutex_unlock(&w->lock);
	}
	return NULL;
}

int
main(void)
{
	static witness all[CPU_SETSIZE];
	cpu_set_t mine;
	sigset_t end;
	int n = 0, signal;
	double latest = 0, slowest = 1;
	pthread_t thread;
	sigemptyset(&end);
	sigaddset(&end, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &end, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (sched_getaffinity(0, sizeof mine, &mine) != 0)
		return 1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &mine)) {
			all[n] = (witness){.cpu = cpu, .begun = now(CLOCK_MONOTONIC)};
			pthread_mutex_init(&all[n].lock, NULL);
			if (pthread_create(&thread, NULL, watch, &all[n]) != 0)
				return 1;
			n++;
		}
	sigwait(&end, &signal);
	for (int i = 0; i < n; i++) {
		pthread_mutex_lock(&all[i].lock);
		note(&all[i], now(CLOCK_MONOTONIC)); /* what has not come yet is late, too */
		latest = all[i].latest > latest ? all[i].latest : latest;
		double slow = all[i].turns > 0 ? all[i].worked / ((double)all[i].turns * WORK) : 1;
		slowest = slow > slowest ? slow : slowest;
	}
	printf("%.0f %.0f\n", latest, 100 * slowest);
	return 0;
}
