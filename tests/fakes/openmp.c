/* openmp.c  What knng uses of OpenMP, on POSIX threads. Linked before libgomp, it takes its place under
 * ThreadSanitizer, which does not see how the threads of libgomp wait for each other and would report every region and
 * every lock. The product is compiled as always; the compiler's calls arrive here.
 *
 * With KNNG_PLANT=race in the environment locks do nothing, which the check must notice. */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 4096 };

typedef struct {
	void (*region)(void *);
	void *data;
	int number;
} member;

static _Thread_local int own_number;

static void *
begin(void *context)
{
	member m = *(member *)context;
	own_number = m.number;
	m.region(m.data);
	return NULL;
}

/* What gcc makes of `#pragma omp parallel num_threads (threads)`. */
void GOMP_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags);

void
GOMP_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags)
{
	static _Thread_local pthread_t team[MOST_THREADS];
	static _Thread_local member members[MOST_THREADS];
	unsigned started = 1, former = (unsigned)own_number;
	(void)flags;
	threads = threads > 0 ? threads : (unsigned)omp_get_max_threads();
	for (; started < threads && started < MOST_THREADS; started++) {
		members[started] = (member){region, data, (int)started};
		if (pthread_create(&team[started], NULL, begin, &members[started]) != 0)
			abort();
	}
	own_number = 0;
	region(data);
	own_number = (int)former;
	while (--started > 0)
		pthread_join(team[started], NULL);
}

int
omp_get_thread_num(void)
{
	return own_number;
}

int
omp_get_num_procs(void)
{
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

int
omp_get_max_threads(void)
{
	return omp_get_num_procs();
}

static bool racing;

__attribute__((constructor)) static void
plant(void)
{
	const char *fault = getenv("KNNG_PLANT");
	racing = fault != NULL && strcmp(fault, "race") == 0;
}

/* A lock is an int of libgomp's; none is held for long. */
void
omp_init_lock(omp_lock_t *lock)
{
	__atomic_store_n((int *)(void *)lock, 0, __ATOMIC_RELEASE);
}

void
omp_destroy_lock(omp_lock_t *lock)
{
	(void)lock;
}

void
omp_set_lock(omp_lock_t *lock)
{
	while (!racing && __atomic_exchange_n((int *)(void *)lock, 1, __ATOMIC_ACQUIRE) != 0)
		sched_yield();
}

void
omp_unset_lock(omp_lock_t *lock)
{
	if (!racing)
		__atomic_store_n((int *)(void *)lock, 0, __ATOMIC_RELEASE);
}
