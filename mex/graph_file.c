/* graph_file.c  The gateway of knng.loadgraph, and of knng.checksum of a file:
 *
 *     [idx, dist, about] = knng.internal.graph_file ('load', file)          all rows
 *     [idx, dist, about] = knng.internal.graph_file ('load', file, rows)    these, counted from 1, a real double array
 *     h                  = knng.internal.graph_file ('checksum', file)
 *     yes                = knng.internal.graph_file ('can')                 whether this build can write them
 *
 * about: n, k, class, metric. */
#include "io/graph_file.h"
#include "base/sys.h"
#include "gateway.h"

#include <math.h>

static char *path;
static knng_graph_in *graph;
static int64_t *rows;

static void
release(void)
{
	knng_free(path);
	knng_free(rows);
	knng_graph_in_close(graph);
	path = NULL;
	rows = NULL;
	graph = NULL;
}

/* The numbers of the rows that are asked for, from 0. */
static knng_status
take_rows(const mxArray *a, int64_t n, int64_t *count, knng_err *err)
{
	if (mxGetClassID(a) != mxDOUBLE_CLASS || mxIsSparse(a) || mxIsComplex(a))
		return knng_call_wrong(err);
	*count = (int64_t)mxGetNumberOfElements(a);
	if ((rows = knng_alloc(*count, sizeof *rows)) == NULL)
		return knng_fail_memory(err, "the rows to read", 8.0 * (double)*count);
	const double *wanted = *count > 0 ? mxGetData(a) : NULL;
	for (int64_t r = 0; r < *count; r++) {
		if (!(wanted[r] >= 1 && wanted[r] <= (double)n) || wanted[r] != floor(wanted[r]))
			return knng_fail(err, KNNG_EARGS, "knng:args:rows",
					 "rows(%lld) is %.10g: rows are whole numbers from 1 to %lld, which %.200s has",
					 (long long)r + 1, wanted[r], (long long)n, path);
		rows[r] = (int64_t)wanted[r] - 1;
	}
	return KNNG_OK;
}

static mxArray *
make_about(const knng_graph_shape *s)
{
	static const char *const fields[] = {"n", "k", "class", "metric"};
	mxArray *values[] = {mxCreateDoubleScalar((double)s->n), mxCreateDoubleScalar((double)s->k),
			     mxCreateString(s->type == KNNG_F32 ? "single" : "double"), mxCreateString(s->metric)};
	mxArray *about = mxCreateStructMatrix(1, 1, 4, (const char **)fields);
	for (int f = 0; f < 4; f++)
		mxSetFieldByNumber(about, 0, f, values[f]);
	return about;
}

static knng_status
load(knng_call *call, knng_err *err)
{
	const knng_graph_shape *s = knng_graph_in_shape(graph);
	int64_t count = s->n;
	bool single = s->type == KNNG_F32;
	knng_status status = call->nrhs > 2 ? take_rows(call->prhs[2], s->n, &count, err) : KNNG_OK;
	if (status == KNNG_OK)
		status = knng_afford((double)count * (double)s->k * (single ? 12 : 16), "the result", err);
	if (status != KNNG_OK)
		return status;
	mxArray *idx = knng_mex_result(count, s->k, false, err);
	mxArray *dist = idx == NULL ? NULL : knng_mex_result(count, s->k, single, err);
	if (dist == NULL)
		return KNNG_EMEMORY;
	const knng_output out = {.idx = mxGetData(idx),
				 .idx_type = KNNG_F64,
				 .index_base = 1,
				 .dist = mxGetData(dist),
				 .dist_type = s->type,
				 .row_stride = 1,
				 .col_stride = count};
	knng_call_start(call);
	status = knng_call_end(call, rows == NULL ? knng_graph_in_read(graph, 0, count, &out, err)
						  : knng_graph_in_rows(graph, rows, count, &out, err));
	call->plhs[0] = idx;
	if (call->nlhs > 1)
		call->plhs[1] = dist;
	if (call->nlhs > 2)
		call->plhs[2] = make_about(s);
	return status;
}

static knng_status
checksum(knng_call *call, knng_err *err)
{
	const knng_graph_shape *s = knng_graph_in_shape(graph);
	knng_table_rows table;
	char hex[65];
	knng_status status = knng_graph_in_table(graph, &table, err);
	if (status != KNNG_OK)
		return status;
	knng_call_start(call);
	status = knng_call_end(call, knng_hash_rows(&call->task, &table, s->n, s->k, hex, err));
	if (status == KNNG_OK)
		call->plhs[0] = mxCreateString(hex);
	return status;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	static const struct {
		knng_status (*run)(knng_call *call, knng_err *err);
		int results, least, most;
	} calls[] = {{load, 3, 2, 3}, {checksum, 1, 2, 2}, {NULL, 1, 1, 1}};
	static const char *const kinds[] = {"load", "checksum", "can"};
	int kind = call->nrhs < 1 ? -1 : knng_mex_which(call->prhs[0], kinds, 3);
	if (kind < 0 || call->nlhs > calls[kind].results || call->nrhs < calls[kind].least ||
	    call->nrhs > calls[kind].most)
		return knng_call_wrong(err);
	if (calls[kind].run == NULL) {
		call->plhs[0] = mxCreateLogicalScalar(knng_graph_out_can(NULL) == KNNG_OK);
		return KNNG_OK;
	}
	if ((path = knng_mex_string(call->prhs[1], "knng:args:file", "FILE", err)) == NULL)
		return KNNG_EARGS;
	knng_status status = knng_graph_in_open(&graph, path, &call->task, err);
	return status == KNNG_OK ? calls[kind].run(call, err) : status;
}

const knng_gateway knng_this_gateway = {
	.results = 3, .stage = "load", .functions = "knng.loadgraph or knng.checksum", .run = run, .release = release};
