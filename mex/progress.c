#include "progress.h"
#include "base/signals.h"
#include "base/sys.h"
#include "mex.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* MATLAB says it in its own way. */
extern bool utIsInterruptPending(void) __attribute__((weak));

static bool
in_matlab(void)
{
	return utIsInterruptPending != NULL;
}

/* "45 s", "3 min 20 s", "2 h 5 min". */
static void
print_duration(char *text, size_t size, double seconds)
{
	long s = (long)ceil(seconds);
	if (s < 60)
		snprintf(text, size, "%ld s", s);
	else if (s < 3600)
		snprintf(text, size, "%ld min %ld s", s / 60, s % 60);
	else
		snprintf(text, size, "%ld h %ld min", s / 3600, s % 3600 / 60);
}

enum { LINE = 56 };

/* Octave's own functions for output may leave this call, as soon as a signal is there, while threads still work for it:
 * the line is written past Octave. (Its pager and diary would keep what a terminal shows, too.) */
static void
put_line(const char *line, bool terminal)
{
	if (terminal) {
		dprintf(STDOUT_FILENO, "\r%-*s", LINE, line);
	} else if (in_matlab()) {
		mexPrintf("%s\n", line);
		mexEvalString("drawnow ('update');");
	} else {
		dprintf(STDOUT_FILENO, "%s\n", line);
	}
}

static void
show_progress(void *context, const char *stage, double fraction)
{
	knng_progress *p = context;
	double now = knng_seconds();
	bool terminal = isatty(STDOUT_FILENO);
	if (in_matlab() && utIsInterruptPending())
		knng_signals_note(SIGINT);
	if (p->stage != stage || fraction < p->fraction) { /* a stage begins */
		p->stage = stage;
		p->began = now;
		p->from = fraction;
	}
	p->fraction = fraction;
	if (p->mode == KNNG_PROGRESS_OFF || (p->mode == KNNG_PROGRESS_AUTO && (now - p->started < 3 || !terminal)) ||
	    (p->shown > 0 && now - p->shown < (terminal ? 0.5 : 5)))
		return;

	char left[32], line[LINE + 1];
	snprintf(line, sizeof line, "knng: %s %.0f %%", stage, 100 * fraction);
	if (now - p->began >= 1 && fraction > p->from) {
		print_duration(left, sizeof left, (now - p->began) / (fraction - p->from) * (1 - fraction));
		size_t used = strlen(line);
		snprintf(line + used, sizeof line - used, ", %s left%s", left,
			 strcmp(stage, "filter") == 0 ? ", then refine" : "");
	}
	p->shown = now;
	put_line(line, terminal);
}

void
knng_progress_start(knng_progress *p, knng_task *task)
{
	*p = (knng_progress){.mode = p->mode, .started = knng_seconds()};
	/* What Octave has printed comes first; here nothing is at work yet. */
	if (!in_matlab() && (p->mode == KNNG_PROGRESS_ON || (p->mode == KNNG_PROGRESS_AUTO && isatty(STDOUT_FILENO))))
		mexEvalString("fflush (stdout);");
	task->interrupt = knng_signals_hold(false, false);
	task->progress = show_progress;
	task->context = p;
}

static int pending; /* a signal that Octave has to get; 0: none */

void
knng_progress_end(knng_progress *p, knng_status status)
{
	int signal = knng_signals_release();
	if (signal != 0 && (signal != SIGINT || (status != KNNG_EINTERRUPTED && !in_matlab())))
		pending = signal;
	if (p->shown > 0 && isatty(STDOUT_FILENO))
		dprintf(STDOUT_FILENO, "\r%*s\r", LINE, "");
}

void
knng_progress_hand_on(const char *said)
{
	const struct timespec nap = {.tv_nsec = 2000000};
	int signal = pending;
	pending = 0;
	if (signal == 0)
		return;
	if (said != NULL && signal != SIGINT && !in_matlab())
		dprintf(STDERR_FILENO, "knng: %s\n", said);
	kill(getpid(), signal);
	/* Octave notes it on another thread, looks at its notes between statements, and throws them away where an error
	 * is caught: ours must not come first. */
	for (int i = 0; i < 100 && signal != SIGINT && !in_matlab(); i++) {
		nanosleep(&nap, NULL);
		mexEvalString("if true, end");
	}
}
