/* adjacency.c  The gateway of knng.adjacency, which has the help:
 *
 *     A = knng.internal.adjacency (idx, dist [, weight, symmetrize, metric, columns, bandwidth, neighbor])
 *     A = knng.internal.adjacency (A, [], weight, symmetrize, metric, columns, bandwidth, neighbor)
 *     A = knng.internal.adjacency (A, k)                                       of knng.trim
 *
 * metric '' is none named, columns 0 the number of rows. */
#include "graph/adjacency.h"
#include "base/sys.h"
#include "gateway.h"
#include "search/metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

_Static_assert(sizeof(mwIndex) == sizeof(size_t), "sparse indices are 8 bytes");

static knng_sparse D, T;
static size_t *starts;
static double *scale;
static uint8_t *marks;

static void
drop(knng_sparse *A)
{
	knng_free(A->start);
	knng_free(A->row);
	knng_free(A->value);
	*A = (knng_sparse){0};
}

static void
release(void)
{
	drop(&D);
	drop(&T);
	knng_free(starts);
	knng_free(scale);
	knng_free(marks);
	starts = NULL;
	marks = NULL;
	scale = NULL;
}

static knng_status
claim(knng_sparse *A, int64_t rows, int64_t columns, int64_t entries, knng_err *err)
{
	*A = (knng_sparse){.rows = rows,
			   .columns = columns,
			   .start = knng_alloc(columns + 1, sizeof *A->start),
			   .row = knng_alloc(entries, sizeof *A->row),
			   .value = knng_alloc(entries, sizeof *A->value)};
	if (A->start != NULL && A->row != NULL && A->value != NULL)
		return KNNG_OK;
	return knng_fail_memory(err, "the edges of the graph", 8.0 * (double)columns + 16.0 * (double)entries);
}

/* The parts of a sparse array of Octave's, not copied. */
static knng_sparse
parts(const mxArray *a)
{
	return (knng_sparse){.rows = (int64_t)mxGetM(a),
			     .columns = (int64_t)mxGetN(a),
			     .start = (size_t *)mxGetJc(a),
			     .row = (size_t *)mxGetIr(a),
			     .value = mxGetData(a)};
}

typedef struct {
	bool is_sparse; /* the graph is a sparse matrix, not a table */
	knng_output table;
	int64_t m, k, columns, edges;
	const knng_weight *weight;
	knng_weighing weighing;
	knng_symmetry symmetry;
	enum { FIXED, AUTO, SELFTUNING } bandwidth;
	double width, neighbor; /* of FIXED, of SELFTUNING */
} request;

static knng_status
take_weight(request *r, const mxArray *name, const mxArray *metric, knng_err *err)
{
	char all[120] = "", word[24] = "";
	const knng_weight *w = knng_weights;
	const knng_metric *of = NULL;
	if (!knng_mex_word(name, word, sizeof word))
		word[0] = 0;
	while (w->name != NULL && strcasecmp(w->name, word) != 0)
		w++;
	for (const knng_weight *v = knng_weights; w->name == NULL && v->name != NULL; v++)
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s'%s'",
			 v == knng_weights   ? ""
			 : v[1].name == NULL ? " or "
					     : ", ",
			 v->name);
	if (w->name == NULL)
		return knng_mex_bad_option("Weight", name, all, err);
	if (mxGetNumberOfElements(metric) > 0) {
		char *text = knng_mex_string(metric, "knng:args:metric", "'Metric'", err);
		if (text == NULL)
			return KNNG_EARGS;
		of = knng_metric_find(text);
		knng_status status = of != NULL ? KNNG_OK : knng_metric_unknown(text, err);
		knng_free(text);
		if (status != KNNG_OK)
			return status;
	}
	if (of == NULL && w->length != w->complement)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'Weight', '%s' depends on what the distances are: give 'Metric', the one of the "
				 "graph, too",
				 w->name);
	r->weight = w;
	r->weighing.of = of != NULL && of->map == KNNG_MAP_HALF ? w->complement : w->length;
	return KNNG_OK;
}

static knng_status
take_bandwidth(request *r, const mxArray *bandwidth, const mxArray *neighbor, knng_err *err)
{
	char word[16];
	if (!knng_mex_number(neighbor, 1, INFINITY, true, &r->neighbor))
		return knng_mex_bad_option("Neighbor", neighbor, "a whole number, 1 or more", err);
	if (knng_mex_number(bandwidth, 0, DBL_MAX, false, &r->width) && r->width > 0)
		r->bandwidth = FIXED;
	else if (knng_mex_word(bandwidth, word, sizeof word) && strcasecmp(word, "auto") == 0)
		r->bandwidth = AUTO;
	else if (knng_mex_word(bandwidth, word, sizeof word) && strcasecmp(word, "selftuning") == 0)
		r->bandwidth = SELFTUNING;
	else
		return knng_mex_bad_option("Bandwidth", bandwidth, "a number above 0, 'auto' or 'selftuning'", err);
	return KNNG_OK;
}

static knng_status
take_symmetry(request *r, const mxArray *name, knng_err *err)
{
	char word[24] = "";
	if (!knng_mex_word(name, word, sizeof word))
		word[0] = 0;
	for (int i = 0; knng_symmetry_names[i] != NULL; i++)
		if (strcasecmp(word, knng_symmetry_names[i]) == 0) {
			r->symmetry = (knng_symmetry)i;
			return KNNG_OK;
		}
	return knng_mex_bad_option("Symmetrize", name, "'none', 'union', 'mutual' or 'mean'", err);
}

/* The entries of a sparse matrix are distances. */
static knng_status
check_sparse(knng_task *task, const mxArray *a, knng_err *err)
{
	knng_sparse A = parts(a);
	knng_status status = KNNG_OK;
	for (int64_t j = 0; j < A.columns; j++) {
		if (j % 1024 == 0 && (status = knng_task_poll(task, err)) != KNNG_OK)
			return status;
		for (size_t e = A.start[j]; e < A.start[j + 1]; e++)
			if (!(A.value[e] >= 0))
				return knng_fail(err, KNNG_EARGS, "knng:args:dist",
						 "A(%zu,%lld) is %g: a distance must be 0 or more", A.row[e] + 1,
						 (long long)(j + 1), A.value[e]);
	}
	return status;
}

static knng_status
check(request *r, knng_call *call, knng_err *err)
{
	int nrhs = call->nrhs;
	const mxArray **prhs = call->prhs;
	knng_status status;
	double columns = 0;
	if (nrhs != 2 && nrhs != 8)
		return knng_call_wrong(err);
	*r = (request){.weight = knng_weights, .weighing.of = knng_weights->length};
	if (nrhs > 2 && ((status = take_weight(r, prhs[2], prhs[4], err)) != KNNG_OK ||
			 (status = take_symmetry(r, prhs[3], err)) != KNNG_OK ||
			 (status = take_bandwidth(r, prhs[6], prhs[7], err)) != KNNG_OK))
		return status;
	if (nrhs > 2 && !knng_mex_number(prhs[5], 0, 0x1p31 - 65, true, &columns))
		return knng_mex_bad_option("Columns", prhs[5], "a whole number, 1 to 2^31 - 65", err);
	r->is_sparse = nrhs > 2 && mxIsSparse(prhs[0]);
	if (r->is_sparse) {
		if (mxGetClassID(prhs[0]) != mxDOUBLE_CLASS || mxIsComplex(prhs[0]))
			return knng_fail(err, KNNG_EARGS, "knng:args:class",
					 "A is a sparse matrix, but not of real numbers: it must be one as knngraph "
					 "returns it");
		r->m = (int64_t)mxGetM(prhs[0]);
		r->columns = (int64_t)mxGetN(prhs[0]);
		knng_call_start(call);
		status = knng_call_end(call, check_sparse(&call->task, prhs[0], err));
	} else {
		if ((status = knng_mex_table(prhs[0], prhs[1], &r->table, &r->m, &r->k, err)) != KNNG_OK)
			return status;
		/* Only a table without columns can have more rows than the machine has memory for. */
		if (r->k == 0 && r->m > 1)
			return knng_fail(err, KNNG_EARGS, "knng:args:empty",
					 "idx has no columns: knngraph gives at least one");
		r->columns = columns > 0 ? (int64_t)columns : r->m;
		knng_call_start(call);
		status = knng_call_end(
			call, knng_adjacency_count(&call->task, &r->table, r->m, r->k, r->columns, &r->edges, err));
	}
	const char *option = r->symmetry != KNNG_AS_LISTED            ? "Symmetrize"
			     : r->weight->takes != KNNG_TAKES_NOTHING ? "Weight"
								      : NULL;
	if (status == KNNG_OK && option != NULL && r->m != r->columns)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'%s' needs a graph: %lld rows and %lld columns are a search among other rows", option,
				 (long long)r->m, (long long)r->columns);
	return status;
}

/* A kernel that hands out more than it has would end the session later. What is counted: starts of columns, of the
 * result and one or two beside it, the entries, which a union doubles, and what filling takes, which ends before those
 * are doubled. */
static knng_status
check_memory(const request *r, const knng_task *task, const mxArray *a, knng_err *err)
{
	bool listed = r->symmetry == KNNG_AS_LISTED, alone = listed && r->weight->takes == KNNG_TAKES_NOTHING;
	double edges = r->is_sparse ? (double)mxGetJc(a)[r->columns] : (double)r->edges;
	double filling = r->is_sparse ? knng_fill_bytes(task, 0, 0, edges, r->columns)
				      : knng_fill_bytes(task, r->m, r->k, (double)r->m * (double)r->k, r->columns);
	double bytes = (double)r->columns * 8 * (alone ? 2 : 5) +
		       edges * 16 *
			       (alone    ? 1
				: listed ? 2
					 : 4) +
		       (listed ? filling : 0) +
		       (r->weight->takes == KNNG_TAKES_LISTS ? (double)r->columns * knng_task_threads(task) : 0);
	return knng_afford(bytes, "the graph", err);
}

/* What the weight takes, from the distances D and their transpose T. */
static knng_status
prepare_weighing(request *r, knng_task *task, const knng_sparse *listed, knng_err *err)
{
	int64_t n = listed->columns;
	if (r->weight->takes == KNNG_TAKES_NOTHING)
		return KNNG_OK;
	if (r->weight->takes == KNNG_TAKES_LISTS) {
		r->weighing.lists = &T;
		int threads = r->weighing.threads = knng_weigh_threads(task, (double)listed->start[n]);
		r->weighing.marks = marks = knng_calloc(threads, (size_t)n);
		return marks != NULL ? KNNG_OK : knng_fail_memory(err, "the marks of nodes", (double)n * threads);
	}
	if ((scale = knng_alloc(n, sizeof *scale)) == NULL)
		return knng_fail_memory(err, "the scales of the nodes", 8.0 * (double)n);
	r->weighing.scale = scale;
	if (r->bandwidth == SELFTUNING)
		return knng_neighbour_scales(task, listed, &T, r->neighbor < (double)n ? (int64_t)r->neighbor : n,
					     scale, err);
	knng_status status = r->bandwidth == AUTO ? knng_median_distance(task, listed, &r->width, err) : KNNG_OK;
	for (int64_t i = 0; i < n; i++)
		scale[i] = r->width;
	return status;
}

/* As the lists say: straight into the result. */
static knng_status
make_listed(knng_call *call, request *r, knng_err *err)
{
	knng_task *task = &call->task;
	call->plhs[0] =
		r->is_sparse ? mxDuplicateArray(call->prhs[0]) : knng_mex_sparse(r->m, r->columns, r->edges, err);
	if (call->plhs[0] == NULL)
		return KNNG_EMEMORY;
	knng_sparse A = parts(call->plhs[0]);
	knng_call_start(call);
	knng_status status = r->is_sparse ? KNNG_OK : knng_adjacency_fill(task, &r->table, r->m, r->k, &A, err);
	bool turned = r->weight->takes == KNNG_TAKES_LISTS || r->bandwidth == SELFTUNING;
	if (status == KNNG_OK && r->weight->takes != KNNG_TAKES_NOTHING && turned &&
	    (status = claim(&T, r->columns, r->m, (int64_t)A.start[r->columns], err)) == KNNG_OK)
		status = knng_sparse_transpose(task, &A, &T, err);
	if (status == KNNG_OK)
		status = prepare_weighing(r, task, &A, err);
	if (status == KNNG_OK)
		status = knng_adjacency_weigh(task, &A, &r->weighing, err);
	return knng_call_end(call, status);
}

/* The graph as listed, its transpose, and what the weight takes; starts: those of the result's columns. */
static knng_status
prepare_symmetric(request *r, knng_task *task, knng_sparse *listed, knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t n = r->m;
	if (!r->is_sparse) {
		if ((status = claim(&D, n, n, r->edges, err)) != KNNG_OK ||
		    (status = knng_adjacency_fill(task, &r->table, n, r->k, &D, err)) != KNNG_OK)
			return status;
		*listed = D;
	}
	if ((status = claim(&T, n, n, (int64_t)listed->start[n], err)) != KNNG_OK)
		return status;
	starts = knng_alloc(n + 1, sizeof *starts);
	if (starts == NULL)
		return knng_fail_memory(err, "the edges of the graph", 8.0 * (double)n);
	if ((status = knng_sparse_transpose(task, listed, &T, err)) != KNNG_OK ||
	    (status = prepare_weighing(r, task, listed, err)) != KNNG_OK)
		return status;
	return knng_symmetric_count(task, listed, &T, r->symmetry, starts, err);
}

static knng_status
make_symmetric(knng_call *call, request *r, knng_err *err)
{
	knng_sparse listed = {0};
	mwSize n = (mwSize)r->m;
	if (r->is_sparse)
		listed = parts(call->prhs[0]);
	knng_call_start(call);
	knng_status status = knng_call_end(call, prepare_symmetric(r, &call->task, &listed, err));
	if (status != KNNG_OK)
		return status;
	if ((call->plhs[0] = knng_mex_sparse(r->m, r->m, (int64_t)starts[n], err)) == NULL)
		return KNNG_EMEMORY;
	knng_sparse A = parts(call->plhs[0]);
	memcpy(A.start, starts, (n + 1) * sizeof *starts);
	knng_call_start(call);
	return knng_call_end(call, knng_symmetric_fill(&call->task, &listed, &T, r->symmetry, &r->weighing, &A, err));
}

/* Rows are columns of T, and back. */
static knng_status
trim(knng_call *call, knng_err *err)
{
	char text[80];
	double k;
	const mxArray *a = call->prhs[0];
	knng_task *task = &call->task;
	if (mxGetClassID(a) != mxDOUBLE_CLASS || mxIsComplex(a))
		return knng_fail(err, KNNG_EARGS, "knng:args:class", "A is no sparse matrix of real numbers");
	if (!knng_mex_number(call->prhs[1], 1, INFINITY, false, &k))
		return knng_fail(err, KNNG_EARGS, "knng:args:k", "k is %s: it must be 1 or more",
				 knng_mex_show(call->prhs[1], text, sizeof text));
	knng_sparse A = parts(a);
	double entries = (double)A.start[A.columns];
	int64_t longer = A.rows > A.columns ? A.rows : A.columns;
	knng_status status = knng_afford(32 * entries + 8 * (double)(A.rows + A.columns) +
						 knng_fill_bytes(task, 0, 0, entries, longer),
					 "the graph", err);
	if (status == KNNG_OK)
		status = claim(&T, A.columns, A.rows, (int64_t)A.start[A.columns], err);
	if (status != KNNG_OK)
		return status;
	knng_call_start(call);
	if ((status = knng_sparse_transpose(task, &A, &T, err)) == KNNG_OK)
		status = knng_sparse_trim(task, &T, k < (double)A.columns ? (int64_t)k : A.columns, err);
	if (knng_call_end(call, status) != KNNG_OK)
		return status;
	call->plhs[0] = knng_mex_sparse(A.rows, A.columns, (int64_t)T.start[T.columns], err);
	if (call->plhs[0] == NULL)
		return KNNG_EMEMORY;
	A = parts(call->plhs[0]);
	knng_call_start(call);
	return knng_call_end(call, knng_sparse_transpose(task, &T, &A, err));
}

static knng_status
run(knng_call *call, knng_err *err)
{
	request r;
	if (call->nrhs == 2 && mxIsSparse(call->prhs[0]))
		return trim(call, err);
	knng_status status = check(&r, call, err);
	if (status == KNNG_OK)
		status = check_memory(&r, &call->task, call->prhs[0], err);
	if (status != KNNG_OK)
		return status;
	return (r.symmetry == KNNG_AS_LISTED ? make_listed : make_symmetric)(call, &r, err);
}

const knng_gateway knng_this_gateway = {
	.results = 1, .stage = "graph", .functions = "knng.adjacency", .run = run, .release = release};
