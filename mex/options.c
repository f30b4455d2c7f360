#include "options.h"
#include "args.h"
#include "base/suggest.h"
#include "base/sys.h"

#include <math.h>
#include <stdio.h>
#include <strings.h>

static char *metric, *target;

void
knng_mex_free_options(void)
{
	knng_free(metric);
	knng_free(target);
	metric = target = NULL;
}

knng_status
knng_mex_take_metric(knng_options *opt, const mxArray *a, knng_err *err)
{
	knng_status status = knng_mex_metric(a, &metric, err);
	opt->metric = metric;
	return status;
}

knng_status
knng_mex_take_bytes(const char *name, const char *wanted, const mxArray *a, double *bytes, knng_err *err)
{
	return knng_mex_bytes(a, 1, bytes) ? KNNG_OK : knng_mex_bad_option(name, a, wanted, err);
}

knng_status
knng_mex_take_device(knng_options *opt, const mxArray *a, knng_err *err)
{
	return knng_mex_device(a, KNNG_MAX_DEVICES, &opt->device, err);
}

knng_status
knng_mex_take_device_limit(knng_options *opt, const mxArray *a, knng_err *err)
{
	return knng_mex_take_bytes("MaxDeviceMemory", "a number of bytes a device, such as 4e9 or '4G'", a,
				   &opt->max_device_memory, err);
}

knng_status
knng_mex_take_limit(knng_options *opt, const mxArray *a, knng_err *err)
{
	return knng_mex_take_bytes("MaxMemory", "a number of bytes, such as 4e9 or '4G'", a, &opt->max_memory, err);
}

knng_status
knng_mex_take_prune(knng_options *opt, const mxArray *a, knng_err *err)
{
	static const char *const names[] = {"auto", "on", "off"}; /* KNNG_PRUNE_… */
	opt->prune = knng_mex_which(a, names, 3);
	return opt->prune >= 0 ? KNNG_OK : knng_mex_bad_option("Prune", a, "'auto', 'on' or 'off'", err);
}

knng_status
knng_mex_take_tile(knng_options *opt, const mxArray *a, knng_err *err)
{
	double tile;
	if (!knng_mex_number(a, 1, 0x1p31, true, &tile))
		return knng_mex_bad_option("TileSize", a, "a whole number of rows, 1 or more", err);
	opt->tile = (int64_t)tile;
	return KNNG_OK;
}

knng_status
knng_mex_take_target(knng_options *opt, const mxArray *a, knng_err *err)
{
	knng_free(target);
	opt->target = target = knng_mex_string(a, "knng:args:option", "'Target'", err);
	return target == NULL ? KNNG_EARGS : KNNG_OK;
}

/* ---------------------------------------------------------------- the table */

static bool
has(const knng_mex_options *known, const knng_mex_option *o)
{
	return (o->kinds & known->kind) != 0;
}

static const knng_mex_option *
find(const knng_mex_options *known, const char *name)
{
	const knng_mex_option *o = known->all;
	while (o->name != NULL && (strcasecmp(name, o->name) != 0 || !has(known, o)))
		o++;
	return o->name != NULL ? o : NULL;
}

bool
knng_mex_is_option(const knng_mex_options *known, const mxArray *a)
{
	char word[32];
	return knng_mex_word(a, word, sizeof word) && find(known, word) != NULL;
}

static knng_status
unknown_option(const knng_mex_options *known, const char *name, knng_err *err)
{
	enum { MOST = 32 };
	const char *names[MOST];
	char all[280] = "", meant[KNNG_MEANT];
	size_t used = 0;
	int n = 0;
	for (const knng_mex_option *o = known->all; o->name != NULL && n < MOST; o++) {
		if (!has(known, o))
			continue;
		if (used < sizeof all)
			used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", n ? ", " : "", o->name);
		names[n++] = o->name;
	}
	return knng_fail(err, KNNG_EARGS, "knng:args:unknownOption",
			 "there is no option '%.40s'%s; the options are %s%s", name,
			 knng_meant(meant, "'", knng_nearest_name(name, names, n), "'"), all, known->note);
}

/* value: NULL if there is none. */
static knng_status
take_option(const knng_mex_options *known, knng_options *opt, const char *name, const mxArray *value, knng_err *err)
{
	const knng_mex_option *o = find(known, name);
	if (o == NULL)
		return unknown_option(known, name, err);
	if (value == NULL)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "the option '%s' has no value: options come as 'Name', value", name);
	return o->take(opt, value, err);
}

knng_status
knng_mex_take_options(const knng_mex_options *known, knng_options *opt, int n, const mxArray *args[], knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int a = 0; a < n && status == KNNG_OK; a += 2) {
		char text[80];
		if (mxGetClassID(args[a]) != mxCHAR_CLASS)
			return knng_fail(err, KNNG_EARGS, "knng:args:unknownOption",
					 "%s stands where the name of an option should: options come as 'Name', value",
					 knng_mex_show(args[a], text, sizeof text));
		char *name = knng_mex_string(args[a], "knng:args:unknownOption", "the name of an option", err);
		if (name == NULL)
			return KNNG_EARGS;
		status = take_option(known, opt, name, a + 1 < n ? args[a + 1] : NULL, err);
		knng_free(name);
	}
	return status;
}
