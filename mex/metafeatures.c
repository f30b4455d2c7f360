/* metafeatures.c  The gateway of knng.metafeatures, which has the help:
 *
 *     [Z, nonfinite, names, pairs] = knng.internal.metafeatures (X, ops, names)
 *
 * ops are numbers from 1, as knng_operations lists them; names a cell of n texts, or [], where the numbers of the rows
 * are the names. */
#include "rows/metafeatures.h"
#include "base/sys.h"
#include "gateway.h"

#include <stdio.h>
#include <string.h>

static char **names;
static int64_t count;
static char *joined;

static void
release(void)
{
	for (int64_t i = 0; names != NULL && i < count; i++)
		knng_free(names[i]);
	knng_free(names);
	knng_free(joined);
	names = NULL;
	joined = NULL;
	count = 0;
}

/* The names as C strings, and room for two of them joined. */
static knng_status
take_names(const mxArray *cell, int64_t n, knng_err *err)
{
	size_t longest = 20; /* of a number */
	bool none = mxGetNumberOfElements(cell) == 0;
	if (!none && (mxGetClassID(cell) != mxCELL_CLASS || (int64_t)mxGetNumberOfElements(cell) != n))
		return knng_fail(err, KNNG_EARGS, "knng:args:names",
				 "the names are a %.0f-by-%.0f %s: they must be a cell of %lld texts, one for each row "
				 "of X, or []",
				 (double)mxGetM(cell), (double)mxGetN(cell), knng_mex_class(cell), (long long)n);
	if ((names = knng_calloc(n, sizeof *names)) == NULL)
		return knng_fail_memory(err, "the names of rows", 8.0 * (double)n);
	for (count = 0; count < n; count++) {
		const mxArray *name = none ? NULL : mxGetCell(cell, (mwIndex)count);
		if (none && (names[count] = knng_alloc(21, 1)) != NULL)
			snprintf(names[count], 21, "%lld", (long long)count + 1);
		else if (none)
			return knng_fail_memory(err, "the names of rows", 21.0 * (double)n);
		else if (name == NULL) /* a cell that was never filled */
			return knng_fail(err, KNNG_EARGS, "knng:args:names", "name %lld is [], and no text",
					 (long long)count + 1);
		else if ((names[count] = knng_mex_string(name, "knng:args:names", "one of the names", err)) == NULL)
			return strcmp(err->id, "knng:args:names") == 0 ? KNNG_EARGS : KNNG_EMEMORY;
		longest = strlen(names[count]) > longest ? strlen(names[count]) : longest;
	}
	if ((joined = knng_alloc((int64_t)(2 * longest + 2), 1)) == NULL)
		return knng_fail_memory(err, "the names of rows", 2.0 * (double)longest + 2);
	return KNNG_OK;
}

/* Octave takes some 500 bytes for a short text in a cell. */
static knng_status
check_memory(const knng_matrix *Z, int nlhs, knng_err *err)
{
	double z = (double)Z->n * (double)Z->d * knng_type_bytes(Z->type);
	double bytes = z + (double)Z->n * ((nlhs > 2 ? 500 : 0) + (nlhs > 3 ? 48 : 0));
	char own[KNNG_AMOUNT], all[KNNG_AMOUNT], has[KNNG_AMOUNT];
	if (knng_afford(bytes, "metafeatures", NULL) == KNNG_OK)
		return KNNG_OK;
	return knng_fail(
		err, KNNG_EMEMORY, "knng:memory:host",
		"the %lld metafeatures of %lld rows are %s, %s with what goes with them, and "
		"the machine has %s left: knngraph (X, k, metric, 'Metafeatures', ops) searches them without "
		"storing them; or choose the rows that matter first, take fewer operations%s, or ask for fewer results",
		(long long)Z->n, (long long)Z->pairs->n, knng_amount(z, own), knng_amount(bytes, all),
		knng_amount(knng_memory_available(), has), Z->type == KNNG_F64 ? ", give single (X)" : "");
}

/* Z: what X makes. */
static knng_status
check(knng_matrix *Z, struct knng_pairs *pairs, const knng_call *call, knng_err *err)
{
	knng_question q;
	const mxArray **prhs = call->prhs;
	if (call->nrhs != 3)
		return knng_call_wrong(err);
	knng_status status = knng_mex_matrix(prhs[0], "X", Z, err);
	if (status != KNNG_OK || (status = knng_ask(&q, Z, NULL, NULL, 1, err)) != KNNG_OK)
		return status;
	if (!knng_mex_operations(prhs[1], pairs) || pairs->nops < 1)
		return knng_call_wrong(err);
	pairs->n = Z->n;
	Z->pairs = pairs;
	if (!knng_pairs_rows(pairs->n, pairs->nops, &Z->n))
		return knng_fail(err, KNNG_EMEMORY, "knng:memory:host", "%lld rows have more pairs than can be counted",
				 (long long)pairs->n);
	return check_memory(Z, call->nlhs, err);
}

static mxArray *
make_names(const knng_matrix *Z)
{
	mxArray *cell = mxCreateCellMatrix((mwSize)Z->n, 1);
	knng_pair_walk at;
	knng_pair_walk_at(&at, Z->pairs->n, 0);
	for (int64_t r = 0; r < Z->n; r++, knng_pair_walk_next(&at, 1)) {
		if (at.op >= 0) {
			char *end = stpcpy(joined, names[at.i]);
			*end = knng_operations[Z->pairs->op[at.op]].sign;
			strcpy(end + 1, names[at.j]);
		}
		mxSetCell(cell, (mwIndex)r, mxCreateString(at.op >= 0 ? joined : names[at.i]));
	}
	return cell;
}

static mxArray *
make_pairs(int64_t n, int64_t rows)
{
	mxArray *pairs = mxCreateDoubleMatrix((mwSize)rows, 3, mxREAL);
	double *p = mxGetData(pairs);
	knng_pair_walk at;
	knng_pair_walk_at(&at, n, 0);
	for (int64_t r = 0; r < rows; r++, knng_pair_walk_next(&at, 1)) {
		p[r] = (double)(at.i + 1);
		p[r + rows] = (double)(at.j + 1);
		p[r + 2 * rows] = (double)(at.op + 1);
	}
	return pairs;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_matrix Z;
	struct knng_pairs pairs;
	int64_t nonfinite = 0;
	knng_status status = check(&Z, &pairs, call, err);
	if (status == KNNG_OK)
		status = take_names(call->prhs[2], pairs.n, err);
	if (status != KNNG_OK)
		return status;
	if ((call->plhs[0] = knng_mex_result(Z.n, Z.d, Z.type == KNNG_F32, err)) == NULL)
		return KNNG_EMEMORY;
	void *to = mxGetData(call->plhs[0]);
	knng_call_start(call);
	status = knng_call_end(call, knng_metafeatures(&call->task, &Z, to, &nonfinite, err));
	if (status == KNNG_OK && call->nlhs > 1)
		call->plhs[1] = mxCreateDoubleScalar((double)nonfinite);
	if (status == KNNG_OK && call->nlhs > 2)
		call->plhs[2] = make_names(&Z);
	if (status == KNNG_OK && call->nlhs > 3)
		call->plhs[3] = make_pairs(pairs.n, Z.n);
	return status;
}

const knng_gateway knng_this_gateway = {
	.results = 4, .stage = "metafeatures", .functions = "knng.metafeatures", .run = run, .release = release};
