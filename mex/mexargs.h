/* mexargs.h  What the gateways share: reading arguments without trusting them, raising errors, Ctrl-C. */
#ifndef KNNG_MEXARGS_H
#define KNNG_MEXARGS_H

#include "knng.h"
#include "mex.h"

/* Ends the call with err's identifier and text. Call it last: it does not return, and it cleans up nothing of ours. */
void knng_raise(const knng_err *err);

/* A char row vector as a C string of knng_alloc (free it), or NULL with err filled: `id`, or knng:memory:host. `what`
 * names the argument in the message. Safe for every class. */
char *knng_mex_string(const mxArray *a, const char *id, const char *what, knng_err *err);

/* Call first in every gateway: keeps the gateway loaded (OpenMP's threads outlive a call). */
void knng_mex_enter(void);

/* From catch to release SIGINT sets *flag instead of ending anything; release restores the former handler. */
const volatile sig_atomic_t *knng_interrupt_catch(void);
void knng_interrupt_release(void);
void knng_interrupt_poll(void); /* on the main thread: asks MATLAB, which has no SIGINT */

#endif
