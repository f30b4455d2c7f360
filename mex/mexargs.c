#include "mexargs.h"
#include "sys.h"

#include <string.h>

void
knng_raise(const knng_err *err)
{
	mexErrMsgIdAndTxt(err->id, "%s", err->text);
}

char *
knng_mex_string(const mxArray *a, const char *id, const char *what, knng_err *err)
{
	size_t length = mxGetNumberOfElements(a);
	if (mxGetClassID(a) != mxCHAR_CLASS || mxGetNumberOfDimensions(a) != 2 || (length > 0 && mxGetM(a) != 1)) {
		knng_fail(err, KNNG_EARGS, id, "%s is a %.0f-by-%.0f %s: it must be one line of text ('…')", what,
			  (double)mxGetM(a), (double)mxGetN(a), mxGetClassName(a));
		return NULL;
	}
	char *text = knng_calloc((int64_t)length + 1, 1);
	if (text == NULL) {
		knng_fail_memory(err, what, (double)length + 1);
		return NULL;
	}
	if (length > 0 && (mxGetString(a, text, (mwSize)(length + 1)) != 0 || strlen(text) != length)) {
		knng_fail(err, KNNG_EARGS, id, "%s is '%.60s' and more: it holds characters that no name has", what,
			  text);
		knng_free(text);
		return NULL;
	}
	return text;
}

void
knng_mex_enter(void)
{
	/* mexIsLocked would say it, but in Octave it looks for the gateway's bare name in every folder of the path: 4
	 * ms a call. */
	static bool locked;
	if (!locked)
		mexLock();
	locked = true;
}

/* ---------------------------------------------------------------- Ctrl-C */

static volatile sig_atomic_t interrupted;
static struct sigaction former;

static void
on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

const volatile sig_atomic_t *
knng_interrupt_catch(void)
{
	struct sigaction action = {.sa_handler = on_interrupt};
	interrupted = 0;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, &former);
	return &interrupted;
}

/* MATLAB says it in its own way. */
extern bool utIsInterruptPending(void) __attribute__((weak));

void
knng_interrupt_poll(void)
{
	if (utIsInterruptPending != NULL && utIsInterruptPending())
		interrupted = 1;
}

void
knng_interrupt_release(void)
{
	sigaction(SIGINT, &former, NULL);
}
