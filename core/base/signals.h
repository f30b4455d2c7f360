/* signals.h  The signals that ask a process to stop: Ctrl-C (SIGINT), SIGTERM and SIGHUP; of a batch job also SIGUSR1.
 *
 * From hold to release they do not act but are noted, where work looks for them (knng_task.interrupt). Whoever held
 * them cleans up and then hands the one that came on, by raising it again. */
#ifndef KNNG_SIGNALS_H
#define KNNG_SIGNALS_H

#include "base/knng_base.h"

/* What a signal is noted in: 0, or its number; SIGTERM and SIGHUP go before SIGINT. One that is ignored stays ignored.
 * They come to the calling thread, even where it had blocked them. `once`: the second of a kind acts at once. `batch`:
 * SIGUSR1, too. Not nested. */
const volatile sig_atomic_t *knng_signals_hold(bool once, bool batch);

/* Puts back what was there before hold; the signal that came, or 0. */
int knng_signals_release(void);

/* Notes a signal that came in another way. */
void knng_signals_note(int signal);

/* For messages: "Ctrl-C", "SIGTERM", … */
const char *knng_signals_name(int signal);

#endif
