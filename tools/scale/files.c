/* files.c  The rates of a machine, and the table of what was measured, from text files. */
#include "base/sys.h"
#include "model.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char *const scale_kind_name[SCALE_KINDS] = {"filter", "call", "knng", "knng-mpi"};

#define RATE(name)                                                                                                     \
	{                                                                                                              \
#name, offsetof(scale_rates, name)                                                                     \
	}

static const struct {
	const char *name;
	size_t at;
} rates_of_file[] = {
	RATE(products), RATE(compare), RATE(row),        RATE(place),    RATE(refined), RATE(refine), RATE(thresholds),
	RATE(upload),   RATE(stays),   RATE(gpu_memory), RATE(gpu_loss), RATE(meeting), RATE(start),  RATE(read),
	RATE(beside),   RATE(copy),    RATE(merge),      RATE(threads),  RATE(inbox),   RATE(post),   RATE(latency),
	RATE(output),   RATE(hash),    RATE(save),       RATE(search),   RATE(restart),
};

enum { RATES = sizeof rates_of_file / sizeof *rates_of_file };

/* Takes a line 'NAME VALUE'; false: it is none. */
static bool
take_rate(scale_rates *rates, const char *line, bool *seen)
{
	char name[40], more;
	double value;
	if (sscanf(line, " %39s %lf %c", name, &value, &more) != 2 || !(value >= 0) || isinf(value))
		return false;
	for (size_t i = 0; i < RATES; i++)
		if (strcmp(name, rates_of_file[i].name) == 0 && !seen[i]) {
			memcpy((char *)rates + rates_of_file[i].at, &value, sizeof value);
			return seen[i] = true;
		}
	return false;
}

knng_status
scale_rates_read(scale_rates *rates, const char *path, knng_err *err)
{
	char line[400];
	bool seen[RATES] = {false};
	knng_status status = KNNG_OK;
	FILE *f = fopen(path, "r");
	if (f == NULL)
		return knng_fail(err, KNNG_EIO, "knng:io:open", "cannot open %.200s", path);
	for (int number = 1; status == KNNG_OK && fgets(line, sizeof line, f) != NULL; number++) {
		line[strcspn(line, "#\n")] = '\0';
		if (line[strspn(line, " \t")] != '\0' && !take_rate(rates, line, seen))
			status =
				knng_fail(err, KNNG_EIO, "knng:io:format",
					  "%.200s, line %d: expected a rate and its value, each rate once, not '%.60s'",
					  path, number, line);
	}
	fclose(f);
	for (size_t i = 0; status == KNNG_OK && i < RATES; i++)
		if (!seen[i])
			status = knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s: there is no rate '%s'", path,
					   rates_of_file[i].name);
	return status;
}

static bool
take_measured(scale_measured *m, const char *line)
{
	char what[20], kind[20], keeps[4];
	long long rows, columns, k, blocks;
	int used = 0, i = 0;
	*m = (scale_measured){.job = {.nodes = 1}};
	if (sscanf(line, " %19s %19s %lld %lld %d %lld %d %d %lld %3s %lf %lf %n", what, kind, &rows, &columns,
		   &m->job.bytes, &k, &m->job.ranks, &m->job.gpus, &blocks, keeps, &m->low, &m->high, &used) != 12 ||
	    line[used] != '\0' || !(m->low > 0) || !(m->high >= m->low))
		return false;
	while (i < SCALE_KINDS && strcmp(kind, scale_kind_name[i]) != 0)
		i++;
	m->job.kind = (scale_kind)i;
	m->job.rows = rows;
	m->job.columns = columns;
	m->job.k = k;
	m->job.blocks = blocks;
	m->job.keeps = strcmp(keeps, "yes") == 0;
	m->received = strcmp(what, "received") == 0;
	snprintf(m->line, sizeof m->line, "%.*s", (int)strcspn(line, "\n"), line);
	return i < SCALE_KINDS && (m->received || strcmp(what, "seconds") == 0) &&
	       (m->job.keeps || strcmp(keeps, "no") == 0);
}

bool
scale_measured_read(scale_measured *m, void *file, knng_err *err)
{
	char line[400];
	*err = (knng_err){0};
	while (fgets(line, sizeof line, file) != NULL) {
		line[strcspn(line, "#\n")] = '\0';
		if (line[strspn(line, " \t")] == '\0')
			continue;
		if (take_measured(m, line))
			return true;
		knng_fail(err, KNNG_EIO, "knng:io:format", "what was measured: '%.100s' is no line of the table", line);
		return false;
	}
	return false;
}

double
scale_measured_model(const scale_measured *m, const scale_rates *rates)
{
	scale_result result;
	if (scale_run(rates, &m->job, &result, NULL) != KNNG_OK)
		return NAN;
	double said = m->received ? result.rank[0].received / 1e9 : result.seconds;
	scale_free(&result);
	return said;
}

double
scale_measured_error(const scale_measured *m, double model)
{
	return model > m->high ? model / m->high - 1 : model < m->low ? model / m->low - 1 : model - model;
}
