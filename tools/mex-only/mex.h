/* mex.h  A stand-in for `make check-mexapi`: the part of the documented MATLAB MEX API (R2018a, interleaved complex)
 * that the gateways may use, and nothing else. A gateway that compiles against it calls nothing that only Octave has.
 * Prototypes only, never linked. Like MATLAB's and unlike Octave's, mxChar has 16 bits and no standard header comes
 * along but those below. */
#ifndef KNNG_MEX_ONLY_H
#define KNNG_MEX_ONLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MX_HAS_INTERLEAVED_COMPLEX 1

typedef struct mxArray_tag mxArray;
typedef size_t mwSize;
typedef size_t mwIndex;
typedef ptrdiff_t mwSignedIndex;
typedef bool mxLogical;
typedef uint16_t mxChar;
typedef double mxDouble;
typedef float mxSingle;
typedef int8_t mxInt8;
typedef uint8_t mxUint8;
typedef int16_t mxInt16;
typedef uint16_t mxUint16;
typedef int32_t mxInt32;
typedef uint32_t mxUint32;
typedef int64_t mxInt64;
typedef uint64_t mxUint64;
typedef struct {
	mxDouble real, imag;
} mxComplexDouble;
typedef struct {
	mxSingle real, imag;
} mxComplexSingle;

typedef enum { mxREAL, mxCOMPLEX } mxComplexity;

typedef enum {
	mxUNKNOWN_CLASS,
	mxCELL_CLASS,
	mxSTRUCT_CLASS,
	mxLOGICAL_CLASS,
	mxCHAR_CLASS,
	mxVOID_CLASS,
	mxDOUBLE_CLASS,
	mxSINGLE_CLASS,
	mxINT8_CLASS,
	mxUINT8_CLASS,
	mxINT16_CLASS,
	mxUINT16_CLASS,
	mxINT32_CLASS,
	mxUINT32_CLASS,
	mxINT64_CLASS,
	mxUINT64_CLASS,
	mxFUNCTION_CLASS
} mxClassID;

/* The gateway itself. */
void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]);

/* What an array is. */
mxClassID mxGetClassID(const mxArray *a);
const char *mxGetClassName(const mxArray *a);
bool mxIsClass(const mxArray *a, const char *name);
bool mxIsDouble(const mxArray *a);
bool mxIsSingle(const mxArray *a);
bool mxIsNumeric(const mxArray *a);
bool mxIsLogical(const mxArray *a);
bool mxIsLogicalScalar(const mxArray *a);
bool mxIsChar(const mxArray *a);
bool mxIsCell(const mxArray *a);
bool mxIsStruct(const mxArray *a);
bool mxIsSparse(const mxArray *a);
bool mxIsComplex(const mxArray *a);
bool mxIsScalar(const mxArray *a);
bool mxIsEmpty(const mxArray *a);
bool mxIsInt8(const mxArray *a);
bool mxIsUint8(const mxArray *a);
bool mxIsInt16(const mxArray *a);
bool mxIsUint16(const mxArray *a);
bool mxIsInt32(const mxArray *a);
bool mxIsUint32(const mxArray *a);
bool mxIsInt64(const mxArray *a);
bool mxIsUint64(const mxArray *a);

/* Its size. */
size_t mxGetM(const mxArray *a);
size_t mxGetN(const mxArray *a);
size_t mxGetNumberOfElements(const mxArray *a);
mwSize mxGetNumberOfDimensions(const mxArray *a);
const mwSize *mxGetDimensions(const mxArray *a);
size_t mxGetElementSize(const mxArray *a);

/* Its elements. */
double mxGetScalar(const mxArray *a);
double *mxGetPr(const mxArray *a);
void *mxGetData(const mxArray *a);
mxDouble *mxGetDoubles(const mxArray *a);
mxSingle *mxGetSingles(const mxArray *a);
mxInt8 *mxGetInt8s(const mxArray *a);
mxUint8 *mxGetUint8s(const mxArray *a);
mxInt16 *mxGetInt16s(const mxArray *a);
mxUint16 *mxGetUint16s(const mxArray *a);
mxInt32 *mxGetInt32s(const mxArray *a);
mxUint32 *mxGetUint32s(const mxArray *a);
mxInt64 *mxGetInt64s(const mxArray *a);
mxUint64 *mxGetUint64s(const mxArray *a);
mxComplexDouble *mxGetComplexDoubles(const mxArray *a);
mxComplexSingle *mxGetComplexSingles(const mxArray *a);
mxLogical *mxGetLogicals(const mxArray *a);
mxChar *mxGetChars(const mxArray *a);
int mxGetString(const mxArray *a, char *buffer, mwSize bytes);
char *mxArrayToString(const mxArray *a);
char *mxArrayToUTF8String(const mxArray *a);

/* Sparse arrays. */
mwIndex *mxGetIr(const mxArray *a);
mwIndex *mxGetJc(const mxArray *a);
mwSize mxGetNzmax(const mxArray *a);

/* Cells and structures. */
mxArray *mxGetCell(const mxArray *a, mwIndex i);
void mxSetCell(mxArray *a, mwIndex i, mxArray *value);
mxArray *mxGetField(const mxArray *a, mwIndex i, const char *name);
void mxSetField(mxArray *a, mwIndex i, const char *name, mxArray *value);
mxArray *mxGetFieldByNumber(const mxArray *a, mwIndex i, int field);
void mxSetFieldByNumber(mxArray *a, mwIndex i, int field, mxArray *value);
int mxGetFieldNumber(const mxArray *a, const char *name);
int mxGetNumberOfFields(const mxArray *a);
const char *mxGetFieldNameByNumber(const mxArray *a, int field);
int mxAddField(mxArray *a, const char *name);

/* New arrays. */
mxArray *mxCreateDoubleMatrix(mwSize m, mwSize n, mxComplexity flag);
mxArray *mxCreateDoubleScalar(double value);
mxArray *mxCreateNumericMatrix(mwSize m, mwSize n, mxClassID type, mxComplexity flag);
mxArray *mxCreateUninitNumericMatrix(size_t m, size_t n, mxClassID class_id, mxComplexity complexity);
mxArray *mxCreateNumericArray(mwSize ndim, const mwSize *dims, mxClassID type, mxComplexity flag);
mxArray *mxCreateUninitNumericMatrix(size_t m, size_t n, mxClassID type, mxComplexity flag);
mxArray *mxCreateUninitNumericArray(size_t ndim, size_t *dims, mxClassID type, mxComplexity flag);
mxArray *mxCreateLogicalArray(mwSize ndim, const mwSize *dims);
mxArray *mxCreateLogicalMatrix(mwSize m, mwSize n);
mxArray *mxCreateLogicalScalar(bool value);
mxArray *mxCreateSparse(mwSize m, mwSize n, mwSize nzmax, mxComplexity flag);
mxArray *mxCreateString(const char *text);
mxArray *mxCreateCellMatrix(mwSize m, mwSize n);
mxArray *mxCreateStructMatrix(mwSize m, mwSize n, int fields, const char **names);
mxArray *mxDuplicateArray(const mxArray *a);
void mxDestroyArray(mxArray *a);
void mxSetM(mxArray *a, mwSize m);
void mxSetN(mxArray *a, mwSize n);

/* Memory that an error gives back. */
void *mxMalloc(size_t bytes);
void *mxCalloc(size_t count, size_t bytes);
void *mxRealloc(void *p, size_t bytes);
void mxFree(void *p);

/* Numbers. */
double mxGetNaN(void);
double mxGetInf(void);
double mxGetEps(void);
bool mxIsNaN(double x);
bool mxIsInf(double x);
bool mxIsFinite(double x);

/* The interpreter. */
_Noreturn void mexErrMsgIdAndTxt(const char *id, const char *format, ...) __attribute__((format(printf, 2, 3)));
void mexWarnMsgIdAndTxt(const char *id, const char *format, ...) __attribute__((format(printf, 2, 3)));
int mexPrintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int mexCallMATLAB(int nlhs, mxArray *plhs[], int nrhs, mxArray *prhs[], const char *name);
mxArray *mexCallMATLABWithTrap(int nlhs, mxArray *plhs[], int nrhs, mxArray *prhs[], const char *name);
int mexEvalString(const char *command);
const char *mexFunctionName(void);
void mexLock(void);
void mexUnlock(void);
bool mexIsLocked(void);
int mexAtExit(void (*f)(void));
void mexMakeArrayPersistent(mxArray *a);

#endif
