/* gateway.h  What all gateways do alike. A gateway is one knng_gateway, from which gateway.c makes its mexFunction; of
 * the library only mex/ knows mex.h.
 *
 * Any function of mex.h may leave the call without coming back. So what a call holds (memory of the core's) lies in
 * statics of the gateway: they are released when the call is over, and if it was left, before the next one. */
#ifndef KNNG_GATEWAY_H
#define KNNG_GATEWAY_H

#include "args.h"
#include "progress.h"

/* The arguments, less the last one if that is a struct of one element with the field Threads or Progress: the values
 * of these options, [] for the default; its other fields are not looked at. */
typedef struct {
	int nlhs, nrhs;
	mxArray **plhs;
	const mxArray **prhs;
	knng_task task; /* 'Threads' */
	knng_progress progress;
} knng_call;

typedef struct {
	int results;           /* at most so many */
	bool silent;           /* the work has no progress worth showing */
	const char *stage;     /* what progress calls the work, where it does not say so itself */
	const char *functions; /* what to call instead */
	knng_status (*run)(knng_call *call, knng_err *err);
	void (*release)(void); /* frees the statics, any number of times; or NULL */
	void (*warn)(void);    /* last of all, after a success, since a user may have turned warnings into errors; or
				  NULL */
	void (*close)(void);   /* when the session ends; or NULL */
} knng_gateway;

extern const knng_gateway knng_this_gateway;

/* Around what takes long; see progress.h. end returns status. */
void knng_call_start(knng_call *call);
knng_status knng_call_end(knng_call *call, knng_status status);

/* A warning, as printf has it. */
void knng_call_warn(const char *id, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* knng:args:count: the gateway was not called as its functions do it. */
knng_status knng_call_wrong(knng_err *err);

#endif
