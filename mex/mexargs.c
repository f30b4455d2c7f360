#include "mexargs.h"
#include "sys.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

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

knng_status
knng_mex_matrix(const mxArray *a, const char *name, knng_matrix *m, knng_err *err)
{
	if (mxGetClassID(a) == mxCHAR_CLASS)
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "%s is text: read the file first, ds = knng.read (%s), and search ds.X", name, name);
	mxClassID class = mxGetClassID(a); /* before anything else: the data of a function handle must not be touched */
	if (class == mxSTRUCT_CLASS)
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "%s is a struct: give the matrix in it; of ds = knng.read (…) that is ds.X", name);
	if (class == mxCELL_CLASS)
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "%s is a cell: it must be a full real matrix of class double or single, such as "
				 "cell2mat (%s) if all in it are numbers",
				 name, name);
	if (class != mxDOUBLE_CLASS && class != mxSINGLE_CLASS)
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "%s is of class %s: it must be a full real matrix of class double or single, such as "
				 "double (%s)",
				 name, mxGetClassName(a), name);
	if (mxIsSparse(a))
		return knng_fail(err, KNNG_EARGS, "knng:args:sparse", "%s is sparse: use full (%s)", name, name);
	if (mxIsComplex(a))
		return knng_fail(err, KNNG_EARGS, "knng:args:complex", "%s is complex: use real (%s) or abs (%s)", name,
				 name, name);
	if (mxGetNumberOfDimensions(a) != 2)
		return knng_fail(err, KNNG_EARGS, "knng:args:dims",
				 "%s has %d dimensions: it must be a matrix whose rows are points; see reshape", name,
				 (int)mxGetNumberOfDimensions(a));
	*m = (knng_matrix){.n = (int64_t)mxGetM(a),
			   .d = (int64_t)mxGetN(a),
			   .type = class == mxSINGLE_CLASS ? KNNG_F32 : KNNG_F64,
			   .row_stride = 1,
			   .col_stride = (int64_t)mxGetM(a)};
	if (m->n > 0 && m->d > 0)
		m->data = mxGetData(a);
	return KNNG_OK;
}

/* A full real matrix of that class or the other. */
static bool
is_table(const mxArray *a, mxClassID class, mxClassID other)
{
	return (mxGetClassID(a) == class || mxGetClassID(a) == other) && !mxIsSparse(a) && !mxIsComplex(a) &&
	       mxGetNumberOfDimensions(a) == 2;
}

knng_status
knng_mex_table(const mxArray *idx, const mxArray *dist, knng_output *table, int64_t *m, int64_t *k, knng_err *err)
{
	char text[80];
	if (!is_table(idx, mxDOUBLE_CLASS, mxDOUBLE_CLASS))
		return knng_fail(err, KNNG_EARGS, "knng:args:idx",
				 "idx is %s: it must be a full matrix of class double, as knngraph returns it",
				 knng_mex_show(idx, text, sizeof text));
	if (!is_table(dist, mxDOUBLE_CLASS, mxSINGLE_CLASS) || mxGetM(idx) != mxGetM(dist) ||
	    mxGetN(idx) != mxGetN(dist))
		return knng_fail(err, KNNG_EARGS, "knng:args:dist",
				 "dist is %s: it must be a full %.0f-by-%.0f matrix of class double or single, as "
				 "knngraph returns it along with idx",
				 knng_mex_show(dist, text, sizeof text), (double)mxGetM(idx), (double)mxGetN(idx));
	*m = (int64_t)mxGetM(idx);
	*k = (int64_t)mxGetN(idx);
	*table = (knng_output){.idx = *m > 0 && *k > 0 ? mxGetData(idx) : NULL,
			       .idx_type = KNNG_F64,
			       .index_base = 1,
			       .dist = *m > 0 && *k > 0 ? mxGetData(dist) : NULL,
			       .dist_type = mxGetClassID(dist) == mxSINGLE_CLASS ? KNNG_F32 : KNNG_F64,
			       .row_stride = 1,
			       .col_stride = *m};
	return KNNG_OK;
}

bool
knng_mex_word(const mxArray *a, char *word, size_t size)
{
	return mxGetClassID(a) == mxCHAR_CLASS && mxGetNumberOfDimensions(a) == 2 && mxGetM(a) == 1 &&
	       mxGetNumberOfElements(a) < size && mxGetString(a, word, (mwSize)size) == 0 &&
	       strlen(word) == mxGetNumberOfElements(a);
}

mxArray *
knng_mex_result(int64_t rows, int64_t columns, bool single, knng_err *err)
{
	enum { SMALL = 1 << 16 };
	mxClassID class = single ? mxSINGLE_CLASS : mxDOUBLE_CLASS;
	mxArray *made = NULL, *missing = NULL;
	bool too_large = columns > 0 && rows > INT64_MAX / 16 / columns;
	if (!too_large && rows * columns >= SMALL) {
		mxArray *arguments[] = {mxCreateDoubleScalar((double)rows), mxCreateDoubleScalar((double)columns),
					mxCreateString(single ? "single" : "double")};
		missing = mexCallMATLABWithTrap(1, &made, 3, arguments, "knng.internal.allocate");
		for (size_t a = 0; a < sizeof arguments / sizeof *arguments; a++)
			mxDestroyArray(arguments[a]);
	}
	if (!too_large && (missing != NULL || made == NULL)) /* a small one; or MATLAB, which copies nothing */
		return mxCreateUninitNumericMatrix((mwSize)rows, (mwSize)columns, class, mxREAL);
	if (!too_large && mxGetClassID(made) == class && mxGetNumberOfElements(made) == (size_t)(rows * columns))
		return made;
	knng_fail_memory(err, "the result", (double)rows * (double)columns * (single ? 4 : 8));
	return NULL;
}

bool
knng_mex_number(const mxArray *a, double low, double high, bool whole, double *value)
{
	if (!mxIsNumeric(a) || mxIsComplex(a) || mxGetNumberOfElements(a) != 1)
		return false;
	*value = mxIsSparse(a) && mxGetJc(a)[1] == 0 ? 0 : mxGetScalar(a);
	return *value >= low && *value <= high && (!whole || *value == floor(*value));
}

const char *
knng_mex_show(const mxArray *a, char *text, size_t size)
{
	char word[40];
	double value = 0;
	bool number = knng_mex_number(a, -INFINITY, INFINITY, false, &value);
	if (isnan(value) || isinf(value)) /* as Octave shows them, not as C does */
		snprintf(text, size, "%s", isnan(value) ? "NaN" : value > 0 ? "Inf" : "-Inf");
	else if (number)
		snprintf(text, size, "%.10g", value);
	else if (knng_mex_word(a, word, sizeof word))
		snprintf(text, size, "'%s'", word);
	else
		snprintf(text, size, "a %.0f-by-%.0f %s%s%s", (double)mxGetM(a), (double)mxGetN(a),
			 mxIsNumeric(a) && mxIsComplex(a) ? "complex " : "", mxIsSparse(a) ? "sparse " : "",
			 mxGetClassName(a));
	return text;
}

knng_status
knng_mex_bad_option(const char *name, const mxArray *a, const char *wanted, knng_err *err)
{
	char text[80];
	return knng_fail(err, KNNG_EARGS, "knng:args:option", "'%s' is %s: it must be %s", name,
			 knng_mex_show(a, text, sizeof text), wanted);
}

int
knng_mex_which(const mxArray *a, const char *const *words, int n)
{
	char word[32];
	if (!knng_mex_word(a, word, sizeof word))
		return -1;
	for (int i = 0; i < n; i++)
		if (strcasecmp(word, words[i]) == 0)
			return i;
	return -1;
}

/* Element i of a full real array of any numeric class. */
static double
element(const mxArray *a, size_t i)
{
	const void *data = mxGetData(a);
	switch (mxGetClassID(a)) {
	case mxDOUBLE_CLASS:
		return ((const double *)data)[i];
	case mxSINGLE_CLASS:
		return ((const float *)data)[i];
	case mxINT8_CLASS:
		return ((const int8_t *)data)[i];
	case mxUINT8_CLASS:
		return ((const uint8_t *)data)[i];
	case mxINT16_CLASS:
		return ((const int16_t *)data)[i];
	case mxUINT16_CLASS:
		return ((const uint16_t *)data)[i];
	case mxINT32_CLASS:
		return ((const int32_t *)data)[i];
	case mxUINT32_CLASS:
		return ((const uint32_t *)data)[i];
	case mxINT64_CLASS:
		return (double)((const int64_t *)data)[i];
	case mxUINT64_CLASS:
		return (double)((const uint64_t *)data)[i];
	default:
		return NAN;
	}
}

knng_status
knng_mex_device(const mxArray *a, int most, knng_options *opt, knng_err *err)
{
	static const char *const names[] = {"auto", "cpu", "gpu"}; /* in the order of knng_device */
	size_t n = mxGetNumberOfElements(a);
	int named = knng_mex_which(a, names, 3);
	if (named >= 0) {
		opt->device = (knng_device)named;
		return KNNG_OK;
	}
	if (!mxIsNumeric(a) || mxIsSparse(a) || mxIsComplex(a) || n < 1 || n > (size_t)most)
		goto bad;
	for (size_t i = 0; i < n; i++) {
		double number = element(a, i);
		if (!(number >= 1 && number <= 1e6) || number != floor(number))
			goto bad;
		opt->devices[i] = (int)number;
		for (size_t j = 0; j < i; j++)
			if (opt->devices[i] == opt->devices[j])
				goto bad;
	}
	opt->device = KNNG_DEVICE_LIST;
	opt->ndevices = (int)n;
	return KNNG_OK;
bad:;
	knng_status status =
		knng_mex_bad_option("Device", a,
				    most == 1 ? "'auto', 'cpu', 'gpu' or the number of a GPU, such as 1"
					      : "'auto', 'cpu', 'gpu' or numbers of GPUs, each once, such as [1 2]",
				    err);
	if (err != NULL)
		snprintf(err->id, sizeof err->id, "knng:args:device");
	return status;
}

bool
knng_mex_enter(int nlhs, mxArray *plhs[], int most, int nrhs, const mxArray *prhs[])
{
	/* mexIsLocked would say it, but in Octave it looks for the gateway's bare name in every folder of the path: 4
	 * ms a call. */
	static bool locked;
	char word[8];
	double n;
	knng_err err;
	if (!locked)
		mexLock();
	locked = true;
	if (nlhs <= 2 && nrhs == 2 && knng_mex_word(prhs[0], word, sizeof word) && strcmp(word, "fail") == 0 &&
	    knng_mex_number(prhs[1], 0, 0x1p53, true, &n)) {
		knng_sys_count count = knng_sys();
		knng_sys_fail_at((int64_t)n);
		plhs[0] = mxCreateDoubleScalar((double)count.calls);
		if (nlhs > 1)
			plhs[1] = mxCreateDoubleScalar((double)count.live);
		return false;
	}
	if (nlhs > most) {
		knng_fail(&err, KNNG_EARGS, "knng:args:count", "%d results are asked for, and there is no more than %d",
			  nlhs, most);
		knng_raise(&err);
	}
	return true;
}

/* ---------------------------------------------------------------- Ctrl-C and progress */

static volatile sig_atomic_t interrupted;
static struct sigaction former;
static sigset_t former_mask;

static void
on_interrupt(int signal)
{
	(void)signal;
	__atomic_store_n(&interrupted, 1, __ATOMIC_RELAXED); /* other threads read it */
}

/* MATLAB says it in its own way. */
extern bool utIsInterruptPending(void) __attribute__((weak));

/* "45 s", "3 min 20 s", "2 h 5 min". */
static void
print_duration(char *text, size_t size, double seconds)
{
	long s = (long)ceil(seconds);
	if (s < 60)
		snprintf(text, size, "%ld s", s);
	else if (s < 3600)
		snprintf(text, size, "%ld min %ld s", s / 60, s % 60);
	else
		snprintf(text, size, "%ld h %ld min", s / 3600, s % 3600 / 60);
}

/* On a terminal the line is written past Octave, whose pager and diary would keep it. */
enum { LINE = 56 };

static void
show_progress(void *context, const char *stage, double fraction)
{
	knng_progress *p = context;
	double now = knng_seconds();
	bool terminal = isatty(STDOUT_FILENO);
	if (utIsInterruptPending != NULL && utIsInterruptPending())
		__atomic_store_n(&interrupted, 1, __ATOMIC_RELAXED);
	if (p->stage != stage || fraction < p->fraction) { /* a stage begins */
		p->stage = stage;
		p->began = now;
		p->from = fraction;
	}
	p->fraction = fraction;
	if (p->mode == KNNG_PROGRESS_OFF || (p->mode == KNNG_PROGRESS_AUTO && (now - p->started < 3 || !terminal)) ||
	    (p->shown > 0 && now - p->shown < (terminal ? 0.5 : 5)))
		return;

	char left[32], line[LINE + 1];
	snprintf(line, sizeof line, "knng: %s %.0f %%", stage, 100 * fraction);
	if (now - p->began >= 1 && fraction > p->from) {
		print_duration(left, sizeof left, (now - p->began) / (fraction - p->from) * (1 - fraction));
		size_t used = strlen(line);
		snprintf(line + used, sizeof line - used, ", %s left%s", left,
			 strcmp(stage, "filter") == 0 ? ", then refine" : "");
	}
	if (terminal && p->shown == 0)
		mexEvalString("if exist ('OCTAVE_VERSION', 'builtin'), fflush (stdout); end");
	p->shown = now;
	if (terminal)
		dprintf(STDOUT_FILENO, "\r%-*s", LINE, line);
	else {
		mexPrintf("%s\n", line);
		mexEvalString("if exist ('OCTAVE_VERSION', 'builtin'), fflush (stdout); else, drawnow ('update'); end");
	}
}

knng_status
knng_mex_progress(const mxArray *a, knng_progress *p, knng_err *err)
{
	static const char *const names[] = {"auto", "on", "off"};
	char word[8];
	if (knng_mex_word(a, word, sizeof word))
		for (int i = 0; i < 3; i++)
			if (strcasecmp(word, names[i]) == 0) {
				p->mode = i;
				return KNNG_OK;
			}
	return knng_mex_bad_option("Progress", a, "'auto', 'on' or 'off'", err);
}

void
knng_progress_start(knng_progress *p, knng_options *opt)
{
	struct sigaction action = {.sa_handler = on_interrupt};
	*p = (knng_progress){.mode = p->mode, .started = knng_seconds()};
	interrupted = 0;
	opt->interrupt = &interrupted;
	opt->progress = show_progress;
	opt->progress_context = p;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, &former);
	/* Octave blocks the signal here, for a thread that waits for it. Else it came to us only where OpenBLAS has
	 * threads. */
	sigset_t own;
	sigemptyset(&own);
	sigaddset(&own, SIGINT);
	pthread_sigmask(SIG_UNBLOCK, &own, &former_mask);
}

void
knng_progress_end(knng_progress *p, knng_status status)
{
	pthread_sigmask(SIG_SETMASK, &former_mask, NULL);
	sigaction(SIGINT, &former, NULL);
	if (interrupted && status != KNNG_EINTERRUPTED && utIsInterruptPending == NULL)
		kill(getpid(), SIGINT); /* it came when there was nothing left to stop: Octave stops what is next */
	if (p->shown > 0 && isatty(STDOUT_FILENO))
		dprintf(STDOUT_FILENO, "\r%*s\r", LINE, "");
}
