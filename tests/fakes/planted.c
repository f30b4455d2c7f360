/* planted.c  Faults for the sanitizers to find: a library that LD_PRELOAD puts between the gateways and Octave, so that
 * the very gateways that passed must fail. KNNG_PLANT names the fault:
 *
 *     memory      outputs are a column short, and the core writes beyond them
 *     alignment   data lie a byte beside where a double may
 *     undefined   data were never written */
#include "mex.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static bool
planted(const char *fault)
{
	const char *asked = getenv("KNNG_PLANT");
	return asked != NULL && strcmp(asked, fault) == 0;
}

mxArray *
mxCreateUninitNumericMatrix(mwSize m, mwSize n, mxClassID class, mxComplexity complexity)
{
	mxArray *(*create)(mwSize, mwSize, mxClassID, mxComplexity);
	void *symbol = dlsym(RTLD_NEXT, "mxCreateUninitNumericMatrix");
	memcpy(&create, &symbol, sizeof create);
	return create(m, planted("memory") ? n - 1 : n, class, complexity);
}

void *
mxGetData(const mxArray *a)
{
	void *(*data)(const mxArray *);
	void *symbol = dlsym(RTLD_NEXT, "mxGetData");
	memcpy(&data, &symbol, sizeof data);
	return planted("undefined") ? malloc(1 << 20) : (char *)data(a) + planted("alignment");
}
