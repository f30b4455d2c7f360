/* options.h  The options 'Name', value of gateways that search: how they are looked up, and those of every search. */
#ifndef KNNG_OPTIONS_H
#define KNNG_OPTIONS_H

#include "knng.h"
#include "mex.h"

/* Takes the value of one option. What is asked for is a struct of the gateway's own that begins with its knng_options:
 * a pointer to these is one to the whole. */
typedef knng_status knng_mex_take(knng_options *opt, const mxArray *a, knng_err *err);

typedef struct {
	const char *name;
	knng_mex_take *take;
	int kinds; /* of calls that have it, bits of the gateway's own */
} knng_mex_option;

/* The options of a call of this kind. */
typedef struct {
	const knng_mex_option *all; /* in the order in which messages list them; ends with name == NULL */
	int kind;
	const char *note; /* what a message adds to the list */
} knng_mex_options;

/* Takes n names and values. Errors: knng:args:unknownOption, knng:args:option, and those of the values. */
knng_status knng_mex_take_options(const knng_mex_options *known, knng_options *opt, int n, const mxArray *args[],
				  knng_err *err);

/* Whether it is the name of an option, in full. */
bool knng_mex_is_option(const knng_mex_options *known, const mxArray *a);

/* 'Distance', 'Device', 'MaxMemory', 'MaxDeviceMemory', 'Prune', 'TileSize' and 'Target'. Texts stay until the
 * gateway's release calls knng_mex_free_options. */
knng_mex_take knng_mex_take_metric, knng_mex_take_device, knng_mex_take_limit, knng_mex_take_device_limit,
	knng_mex_take_prune, knng_mex_take_tile, knng_mex_take_target;
void knng_mex_free_options(void);

/* The value a of the option `name`, a number of bytes, as `wanted` says. */
knng_status knng_mex_take_bytes(const char *name, const char *wanted, const mxArray *a, double *bytes, knng_err *err);

#endif
