#include "base/signals.h"

#include <pthread.h>

static const struct {
	int signal;
	const char *name;
} table[] = {{SIGINT, "Ctrl-C"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGUSR1, "SIGUSR1"}};

enum { SIGNALS = sizeof table / sizeof *table };

static volatile sig_atomic_t came; /* other threads read it */
static int holding;                /* of the table */
static struct sigaction former[SIGNALS];
static sigset_t former_mask;

void
knng_signals_note(int signal)
{
	sig_atomic_t none = 0; /* Ctrl-C gives way to a signal that ends the process */
	if (signal == SIGINT)
		__atomic_compare_exchange_n(&came, &none, signal, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	else
		__atomic_store_n(&came, signal, __ATOMIC_RELAXED);
}

static bool
is_ignored(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) == 0 && action->sa_handler == SIG_IGN;
}

const volatile sig_atomic_t *
knng_signals_hold(bool once, bool batch)
{
	struct sigaction action = {.sa_handler = knng_signals_note, .sa_flags = once ? (int)SA_RESETHAND : 0};
	sigset_t held;
	sigemptyset(&action.sa_mask);
	sigemptyset(&held);
	came = 0;
	holding = SIGNALS - !batch;
	for (int s = 0; s < holding; s++) {
		sigaction(table[s].signal, NULL, &former[s]);
		if (is_ignored(&former[s]))
			continue;
		sigaction(table[s].signal, &action, NULL);
		sigaddset(&held, table[s].signal);
	}
	/* Octave blocks them, for a thread that waits for them. Else they came to us only where OpenBLAS has threads.
	 */
	pthread_sigmask(SIG_UNBLOCK, &held, &former_mask);
	return &came;
}

int
knng_signals_release(void)
{
	pthread_sigmask(SIG_SETMASK, &former_mask, NULL);
	for (int s = 0; s < holding; s++)
		if (!is_ignored(&former[s]))
			sigaction(table[s].signal, &former[s], NULL);
	return came;
}

const char *
knng_signals_name(int signal)
{
	for (int s = 0; s < SIGNALS; s++)
		if (table[s].signal == signal)
			return table[s].name;
	return "a signal";
}
