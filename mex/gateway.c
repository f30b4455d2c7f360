/* gateway.c  The frame of every gateway. Each is linked with its own core, which has its own threads and counters. */
#include "gateway.h"
#include "base/sys.h"

#include <fenv.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
knng_call_start(knng_call *call)
{
	call->task.stage = knng_this_gateway.stage;
	if (knng_this_gateway.silent)
		call->progress.mode = KNNG_PROGRESS_OFF;
	knng_progress_start(&call->progress, &call->task);
}

knng_status
knng_call_end(knng_call *call, knng_status status)
{
	knng_progress_end(&call->progress, status);
	return status;
}

knng_status
knng_call_wrong(knng_err *err)
{
	return knng_fail(err, KNNG_EARGS, "knng:args:count", "call %s, not this gateway", knng_this_gateway.functions);
}

/* What tests ask of every gateway: [calls, live] = knng.internal.NAME ('fail', n) makes the nth wrapped call from now
 * fail (0: none) and tells what sys.h has counted. */
static bool
count_and_fail(const knng_call *call)
{
	char word[8];
	double n;
	if (call->nlhs > 2 || call->nrhs != 2 || !knng_mex_word(call->prhs[0], word, sizeof word) ||
	    strcmp(word, "fail") != 0 || !knng_mex_number(call->prhs[1], 0, 0x1p53, true, &n))
		return false;
	knng_sys_count count = knng_sys();
	knng_sys_fail_at((int64_t)n);
	call->plhs[0] = mxCreateDoubleScalar((double)count.calls);
	if (call->nlhs > 1)
		call->plhs[1] = mxCreateDoubleScalar((double)count.live);
	return true;
}

/* Whether an option has a value; [] is none. */
static bool
is_given(const mxArray *a)
{
	return a != NULL && !(mxGetClassID(a) == mxDOUBLE_CLASS && mxIsEmpty(a));
}

/* Takes 'Threads' and 'Progress' off the arguments. */
static knng_status
take_how(knng_call *call, knng_err *err)
{
	const mxArray *last = call->nrhs > 0 ? call->prhs[call->nrhs - 1] : NULL;
	if (last == NULL || mxGetClassID(last) != mxSTRUCT_CLASS || mxGetNumberOfElements(last) != 1)
		return KNNG_OK;
	const mxArray *threads = mxGetField(last, 0, "Threads"), *progress = mxGetField(last, 0, "Progress");
	if (threads == NULL && progress == NULL)
		return KNNG_OK;
	call->nrhs--;
	knng_status status = KNNG_OK;
	if (is_given(threads))
		status = knng_mex_threads(threads, &call->task, err);
	if (status == KNNG_OK && is_given(progress))
		status = knng_mex_progress(progress, &call->progress, err);
	return status;
}

static void
release(void)
{
	if (knng_this_gateway.release != NULL)
		knng_this_gateway.release();
}

/* "error" or "warning". mexErrMsgIdAndTxt and mexWarnMsgIdAndTxt of Octave would put the name of the gateway before the
 * text, which users do not know. */
static void
say(const char *how, const char *id, const char *text)
{
	mxArray *arguments[] = {mxCreateString(id), mxCreateString("%s"), mxCreateString(text)};
	mexCallMATLAB(0, NULL, 3, arguments, how);
	for (int i = 0; i < 3; i++)
		mxDestroyArray(arguments[i]);
}

void
knng_call_warn(const char *id, const char *format, ...)
{
	char text[sizeof((knng_err *)NULL)->text];
	va_list ap;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	say("warning", id, text);
}

static void
at_exit(void)
{
	release();
	if (knng_this_gateway.close != NULL)
		knng_this_gateway.close();
}

void
mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
	/* The code stays loaded, since its threads outlive a call. mexIsLocked would say whether it is locked, but in
	 * Octave it looks for the gateway's bare name in every folder of the path: 4 ms a call. */
	static bool locked, registered;
	const knng_gateway *g = &knng_this_gateway;
	knng_call call = {.nlhs = nlhs, .nrhs = nrhs, .plhs = plhs, .prhs = prhs};
	knng_err err = {0};
	if (!locked)
		mexLock();
	locked = true;
	if (count_and_fail(&call))
		return;
	if (!registered)
		registered = mexAtExit(at_exit) == 0;
	release();
	knng_progress_hand_on(NULL); /* of a call that was left */
	knng_status status = KNNG_OK;
	if (nlhs > g->results)
		status = knng_fail(&err, KNNG_EARGS, "knng:args:count",
				   "%d results are asked for, and there is no more than %d", nlhs, g->results);
	if (status == KNNG_OK)
		status = take_how(&call, &err);
	if (status == KNNG_OK) { /* as jobs have it (task.h): no rounding mode of another library reaches an answer */
		fenv_t environment;
		fegetenv(&environment);
		fesetenv(FE_DFL_ENV);
		status = g->run(&call, &err);
		fesetenv(&environment);
	}
	release();
	knng_progress_hand_on(status == KNNG_EINTERRUPTED ? err.text : NULL);
	if (status != KNNG_OK) {
		say("error", err.id, err.text); /* does not return */
		mexErrMsgIdAndTxt(err.id, "%s", err.text);
	}
	if (g->warn != NULL)
		g->warn();
}
