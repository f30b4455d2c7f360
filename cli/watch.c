#include "watch.h"
#include "base/sys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 40 }; /* columns that the line takes at most */

static struct {
	double began, shown;
	double from, since; /* part of the stage that was done when it was first shown, and when that was */
	char stage[16];
	bool terminal, logged;
} watch;

void
knng_watch_open(bool logged)
{
	watch.terminal = isatty(STDERR_FILENO);
	watch.logged = logged && !watch.terminal;
}

/* The time that a stage still takes, once that can be told. */
static void
tell_left(double now, double fraction, char text[24])
{
	double seconds = (1 - fraction) / (fraction - watch.from) * (now - watch.since);
	text[0] = '\0';
	if (now - watch.since < 10 || fraction - watch.from < 0.005)
		return;
	if (seconds < 100)
		snprintf(text, 24, ", %.0f s left", ceil(seconds));
	else if (seconds < 100 * 60)
		snprintf(text, 24, ", %.0f min left", ceil(seconds / 60));
	else
		snprintf(text, 24, ", %.0f h left", ceil(seconds / 3600));
}

void
knng_watch_show(void *unused, const char *stage, double fraction)
{
	double now = knng_seconds();
	char left[24];
	bool is_search = stage != NULL && strcmp(stage, "blocks") == 0;
	(void)unused;
	stage = stage != NULL ? stage : "";
	if (watch.began == 0)
		watch.began = now;
	if (strncmp(watch.stage, stage, sizeof watch.stage - 1) != 0) {
		snprintf(watch.stage, sizeof watch.stage, "%s", stage);
		watch.from = fraction;
		watch.since = now;
	}
	tell_left(now, fraction, left);
	if (watch.terminal && now - watch.began > 3 && now - watch.shown > 0.5)
		fprintf(stderr, "\rknng: %-8s %3.0f %%%-14s", stage, floor(100 * fraction), left);
	else if (watch.logged && (watch.shown == 0 || now - watch.shown > 600))
		fprintf(stderr, "knng: %s%s%.1f %%%s\n", is_search ? "" : watch.stage, is_search ? "" : " ",
			floor(1000 * fraction) / 10, left);
	else
		return;
	watch.shown = now;
}

void
knng_watch_tell(const char *text)
{
	char clean[640];
	knng_watch_end();
	snprintf(clean, sizeof clean, "%s", text);
	knng_clean(clean);
	fprintf(stderr, "knng: %s\n", clean);
}

void
knng_watch_end(void)
{
	if (watch.terminal && watch.shown > 0)
		fprintf(stderr, "\r%*s\r", LINE, "");
}
