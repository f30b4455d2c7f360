#include "estimate.h"
#include "base/sys.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double year = 365.25 * 86400;

/* Two units, the larger one first. */
static void
time_text(double s, char *text, size_t size)
{
	static const struct {
		double seconds;
		const char *name;
	} units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
	size_t u = 0;
	if (!(s < 10 * year)) { /* a network may be as slow as anybody says */
		snprintf(text, size, s < 1000 * year ? "%.0f years" : "more than 1000 years", s / year);
		return;
	}
	if (s < 9.95) {
		snprintf(text, size, "%.1f s", fmax(s, 0.1));
		return;
	}
	s = round(s);
	while (s < units[u].seconds)
		u++;
	int used = snprintf(text, size, "%.0f %s", floor(s / units[u].seconds), units[u].name);
	if (u < 3)
		snprintf(text + used, size - (size_t)used, " %.0f %s",
			 floor(fmod(s, units[u].seconds) / units[u + 1].seconds), units[u + 1].name);
}

knng_status
knng_tell_time(const knng_estimated *e, const knng_task *task, knng_err *err)
{
	knng_guess guess;
	char text[60];
	fflush(stdout);
	knng_status status = knng_estimate(e, task, &guess, err);
	if (status != KNNG_OK)
		return status;
	time_text(guess.seconds, text, sizeof text);
	printf("time: about %s, by short searches here, scaled up%s\n", text,
	       e->ranks == 1    ? ""
	       : e->network > 0 ? "; the network as was said"
				: "; the network's is not in it (--network)");
	if (e->one->ndevices == 0)
		printf("pairs left out by boxes? %s\n", guess.pruned);
	return KNNG_OK;
}

void
knng_tell_places(const knng_plan *one, double checkpoint, double graph, double lists, const char *whose)
{
	if (one->ndevices > 0)
		printf("on each GPU: %.3g GB\n", one->device_bytes / 1e9);
	if (checkpoint > 0)
		printf("disk for the checkpoint: %.3g GB\n", checkpoint / 1e9);
	if (graph > 0)
		printf("disk for the graph: %.3g GB\n", graph / 1e9);
	if (lists > 0)
		printf("disk for the neighbours%s, while they are sought: %.3g GB\n", whose, lists / 1e9);
}

knng_status
knng_told(knng_err *err)
{
	if (fflush(stdout) == 0)
		return KNNG_OK;
	return knng_fail(err, KNNG_EIO, "knng:io:write", "cannot write standard output: %s", strerror(errno));
}
