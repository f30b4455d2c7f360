/* watch.h  How far the work is, on standard error.
 *
 * On a terminal a line that is written over, once it takes longer; in the log of a job with a checkpoint a line at the
 * start and every ten minutes. */
#ifndef KNNG_WATCH_H
#define KNNG_WATCH_H

#include "base/knng_base.h"

void knng_watch_open(bool logged);
void knng_watch_show(void *unused, const char *stage, double fraction); /* as knng_task.progress */
void knng_watch_tell(const char *text);                                 /* as knng_options.tell */
void knng_watch_end(void);                                              /* removes the line; safe at any time */

#endif
