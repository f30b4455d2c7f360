#include "watch.h"
#include "base/sys.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static struct {
	double began, shown;
	bool terminal, logged;
} watch;

void
knng_watch_open(bool logged)
{
	watch.terminal = isatty(STDERR_FILENO);
	watch.logged = logged && !watch.terminal;
}

void
knng_watch_show(void *unused, const char *stage, double fraction)
{
	double now = knng_seconds();
	(void)unused;
	if (watch.began == 0)
		watch.began = now;
	if (watch.terminal && now - watch.began > 3 && now - watch.shown > 0.5)
		fprintf(stderr, "\rknng: %-8s %3.0f %% ", stage, floor(100 * fraction));
	else if (watch.logged && (watch.shown == 0 || now - watch.shown > 600))
		fprintf(stderr, "knng: %.1f %%\n", floor(1000 * fraction) / 10);
	else
		return;
	watch.shown = now;
}

void
knng_watch_end(void)
{
	if (watch.terminal && watch.shown > 0)
		fprintf(stderr, "\r%24s\r", "");
}
