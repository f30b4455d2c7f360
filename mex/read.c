/* read.c  ds = knng.internal.read (file): the gateway of knng.read. X n x d double, names n x 1 cell, samples 1 x d or
 * 1 x 0 cell, classes 1 x d double if every label is a number, else 1 x d cell; 1 x 0 double if the file has none.
 * Errors: knng:args:…, and what knng_read reports. Cost: the file once, X twice in memory while it is handed over. */
#include "mexargs.h"
#include "sys.h"

#include <stdlib.h>
#include <string.h>

/* An mxCreate that runs out of memory leaves this call without coming back; what it left lies here, for the next one.
 */
static knng_dataset ds;
static char *file;

static void
release(void)
{
	knng_dataset_free(&ds);
	knng_free(file);
	file = NULL;
}

/* The number that a class label is (missing: NaN). Octave and MATLAB keep the decimal point in every locale. */
static bool
is_number(const char *label, double *value)
{
	static const char *const missing[] = {"NA", "NaN", "nan", "?"};
	char *end;
	for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
		if (strcmp(label, missing[i]) == 0) {
			*value = mxGetNaN();
			return true;
		}
	*value = strtod(label, &end);
	return *end == '\0' && label[strspn(label, "+-.0123456789eE")] == '\0';
}

static mxArray *
make_cell(char *const *strings, int64_t rows, int64_t columns)
{
	mxArray *cell = mxCreateCellMatrix((mwSize)rows, (mwSize)columns);
	for (int64_t i = 0; i < rows * columns; i++)
		mxSetCell(cell, (mwIndex)i, mxCreateString(strings[i]));
	return cell;
}

static mxArray *
make_classes(void)
{
	if (ds.classes == NULL)
		return mxCreateDoubleMatrix(1, 0, mxREAL);
	mxArray *numbers = mxCreateDoubleMatrix(1, (mwSize)ds.ncols, mxREAL);
	double *v = mxGetPr(numbers);
	bool all = true, any = false;
	for (int64_t j = 0; all && j < ds.ncols; j++) {
		all = is_number(ds.classes[j], &v[j]);
		any = any || !mxIsNaN(v[j]);
	}
	if (all && any)
		return numbers;
	mxDestroyArray(numbers);
	return make_cell(ds.classes, 1, ds.ncols);
}

void
mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
	static const char *fields[] = {"X", "names", "samples", "classes"};
	static bool registered;
	knng_err err;
	knng_status status;

	(void)nlhs;
	knng_mex_enter();
	if (!registered)
		registered = mexAtExit(release) == 0;
	release();

	if (nrhs != 1)
		status = knng_fail(&err, KNNG_EARGS, "knng:args:count",
				   "expected 1 argument, the name of a file; got %d", nrhs);
	else if ((file = knng_mex_string(prhs[0], "knng:args:file", "FILE", &err)) == NULL)
		status = KNNG_EARGS;
	else
		status = knng_read(file, &ds, &err);

	if (status == KNNG_OK) {
		mxArray *X = mxCreateDoubleMatrix((mwSize)ds.nrows, (mwSize)ds.ncols, mxREAL);
		memcpy(mxGetPr(X), ds.X, (size_t)ds.nrows * (size_t)ds.ncols * sizeof *ds.X);
		plhs[0] = mxCreateStructMatrix(1, 1, 4, fields);
		mxSetField(plhs[0], 0, "X", X);
		mxSetField(plhs[0], 0, "names", make_cell(ds.names, ds.nrows, 1));
		mxSetField(plhs[0], 0, "samples", make_cell(ds.samples, 1, ds.samples ? ds.ncols : 0));
		mxSetField(plhs[0], 0, "classes", make_classes());
	}
	release();
	if (status != KNNG_OK)
		knng_raise(&err);
}
