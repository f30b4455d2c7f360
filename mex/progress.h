/* progress.h  How a gateway's work shows how far it is, and hears Ctrl-C, SIGTERM and SIGHUP. */
#ifndef KNNG_PROGRESS_H
#define KNNG_PROGRESS_H

#include "base/knng_base.h"

/* One line on the terminal that rewrites itself; zeros are 'auto': only for long calls that somebody watches. Where
 * standard output is no terminal and 'on' asks for it, a line every few seconds. */
typedef struct {
	enum { KNNG_PROGRESS_AUTO, KNNG_PROGRESS_ON, KNNG_PROGRESS_OFF } mode;
	double started, shown;        /* when */
	const char *stage;            /* what goes on, */
	double began, from, fraction; /* since when, from where and how far */
} knng_progress;

/* From start to end the task shows its progress and is stopped by signals. In between nothing of mex.h may be called
 * that makes, prints or evaluates: it could leave the gateway while handlers are installed, and threads at work.
 * status: what the work ended with. */
void knng_progress_start(knng_progress *p, knng_task *task);
void knng_progress_end(knng_progress *p, knng_status status);

/* When all is cleaned up: hands on to Octave a Ctrl-C that came too late to end the work, and SIGTERM and SIGHUP in any
 * case. It does not come back where Octave ends by them, so what the error would say, if there is one, goes to
 * standard error before. */
void knng_progress_hand_on(const char *said);

#endif
