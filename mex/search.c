/* search.c  The gateway of knngraph, knng.knnsearch, knng.rangesearch, knng.rangegraph, knng.createns, knng.estimate
 * and knng.devices:
 *
 *     [idx, dist, info] = knng.internal.search ('graph', X, k [, metric], 'Name', value, …)
 *                         X may be the name of a file of numbers (core/io/matrix_file.h); 'Metafeatures' are
 *                         numbers of operations, as knng_operations lists them, from 1
 *     info              = knng.internal.search ('graph', …, 'Output', file)
 *     [idx, dist, info] = knng.internal.search ('search', X, Y, 'Name', value, …)   X as for a graph
 *     info              = knng.internal.search ('prepare', X, id, 'Name', value, …)   a searcher, of that id
 *     [idx, dist, info] = knng.internal.search ('query', id, Y, 'Name', value, …)   a search of its
 *     [count, idx, dist, info] = knng.internal.search ('within', id, Y, r, 'Name', value, …)   all within r (within.h)
 *     [count, idx, dist, info] = knng.internal.search ('rangesearch', X, Y, r, 'Name', value, …)   the same of X
 *     [count, idx, dist, info] = knng.internal.search ('rangegraph', X, r, 'Name', value, …)   of the rows of X
 *     [A, info]         = knng.internal.search ('rangematrix', X, r, 'Name', value, …)   that, sparse
 *                         'MaxPairs': where there are more pairs than that all results are []
 *     id                = knng.internal.search ('id')   one that no searcher has
 *     s                 = knng.internal.search ('searchers')   all, a struct count x 1 of rows, columns, …
 *     s                 = knng.internal.search ('searcher', id)   that one, 1 x 1; 0 x 1 if there is none
 *     count             = knng.internal.search ('drop', id)   frees it; NaN: all. How many there were
 *     plan              = knng.internal.search ('plan', n, d, k [, metric], 'Name', value, …)   no search
 *     plan              = knng.internal.search ('plan', X or file, [], k [, metric], 'Name', value, …)
 *     [devices, why]    = knng.internal.search ('devices')
 *     metrics           = knng.internal.search ('metrics')
 *     name              = knng.internal.search ('metric', name)    its first name, of any of its names or a beginning
 *     yes               = knng.internal.search ('stored', path)   whether its ending is that of a file of numbers
 *     knng.internal.search ('release')                       gives back what is held on the GPUs for the session
 *
 * 'metrics' are the table of metric.c, a struct 1 x their number: name; alias, '' where there is none; prepared, sum
 * and map in the words of CONTRIBUTING.md.
 *
 * It checks classes and options; sizes, metric and memory are knng_plan_make's to check. */
#include "base/sys.h"
#include "blocks/blocks.h"
#include "blocks/estimate.h"
#include "blocks/queries.h"
#include "blocks/shared.h"
#include "gateway.h"
#include "info.h"
#include "io/graph_file.h"
#include "io/matrix_file.h"
#include "options.h"
#include "rows/complete.h"
#include "search/describe.h"
#include "search/gpu.h"
#include "search/metric.h"
#include "search/searcher.h"
#include "search/size.h"
#include "within.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

/* What is asked for, and in the table of options: for which of them an option is. */
enum {
	GRAPH = 1,
	SEARCH = 2,
	PLAN = 4,
	PREPARE = 8,
	NEAREST = 16,
	WITHIN = 32,
	QUERY = NEAREST | WITHIN, /* of a searcher */
	AROUND = 64,              /* all within a radius of the rows of Y */
	NEAR = 128,               /* of those of X, */
	MATRIX = 256,             /* as a sparse matrix */
	RANGE = AROUND | NEAR | MATRIX,
	ALL = GRAPH | SEARCH | PLAN | PREPARE | RANGE
};

typedef struct {
	knng_options opt; /* first: options.h */
	int kind;
	knng_matrix x, y;          /* of a plan the shapes and classes alone */
	bool calibrate;            /* a plan's */
	bool classed;              /* x.type was asked for */
	bool radius;               /* of all rows within a radius, k of each */
	double network;            /* of a plan for several ranks */
	int missing;               /* KNNG_ROWS_… */
	int transposed;            /* of a file: as knng_matrix_choice has it */
	knng_rows rows;            /* of `file`, in place of X, or of X where there is a checkpoint or an output */
	knng_queries_plan queries; /* of a search for Y among the rows of `file` */
	double id;                 /* of a searcher that is to be made, */
	knng_searcher *searcher;   /* or is there */
	knng_progress progress;
} request;

static char *path, *checkpoint, *output, *dataset;
static knng_matrix_file *file;
static int ranks;                /* that a plan is for; 0: knngraph does it */
static struct knng_pairs pairs;  /* of 'Metafeatures'; nops == 0: none */
static knng_task reading;        /* the task that the file looks at */
static knng_complete complete;   /* of 'Rows', 'complete' */
static knng_range found;         /* within a radius */
static knng_searcher *searchers; /* from call to call, until each is dropped */

/* What warnings are made of when the call is over. */
static struct {
	bool searched, graph; /* graph: no rows but those of X are meant */
	bool stored;          /* X is a file */
	bool within;          /* a radius was searched, */
	bool many;            /* and more pairs lie within it than are wanted */
	int64_t k;            /* as it was asked for */
	char metric[64];
	knng_plan plan;
	knng_info info;
	int missing;                       /* KNNG_ROWS_… */
	knng_matrix x, y;                  /* as they were given; y.n == 0: there is none */
	int choice;                        /* which 'Rows' the call could have (info.h) */
	knng_filled filled;                /* rows of a file, or that are searched in blocks */
	char left_out[200];                /* columns, of 'Rows', 'complete' */
	const struct knng_prepared *known; /* rows of X that were warned of when they were prepared; or NULL */
} last;

static void
release(void)
{
	knng_mex_free_options();
	knng_free(path);
	knng_free(checkpoint);
	knng_free(output);
	knng_free(dataset);
	knng_matrix_file_close(file);
	knng_range_close(&found);
	knng_complete_free(&complete);
	path = checkpoint = output = dataset = NULL;
	file = NULL;
	ranks = 0;
	pairs.nops = 0;
}

/* ---------------------------------------------------------------- options */

static request *
request_of(knng_options *opt)
{
	return (request *)opt;
}

static knng_status
take_k(knng_options *opt, const mxArray *a, knng_err *err)
{
	char text[80];
	double k;
	if (!knng_mex_number(a, 1, 0x1p53, true, &k))
		return knng_fail(err, KNNG_EARGS, "knng:args:k", "k is %s: it must be one whole number from 1 to 2^53",
				 knng_mex_show(a, text, sizeof text));
	opt->k = (int64_t)k;
	return KNNG_OK;
}

static knng_status
take_threads(knng_options *opt, const mxArray *a, knng_err *err)
{
	return knng_mex_threads(a, &opt->task, err);
}

static knng_status
take_progress(knng_options *opt, const mxArray *a, knng_err *err)
{
	return knng_mex_progress(a, &request_of(opt)->progress, err);
}

static knng_status
take_class(knng_options *opt, const mxArray *a, knng_err *err)
{
	static const char *const names[] = {"double", "single"};
	int i = knng_mex_which(a, names, 2);
	if (i < 0)
		return knng_mex_bad_option("Class", a, "'double' or 'single', the class of X", err);
	request_of(opt)->x.type = i == 1 ? KNNG_F32 : KNNG_F64;
	request_of(opt)->classed = true;
	return KNNG_OK;
}

static knng_status
take_queries(knng_options *opt, const mxArray *a, knng_err *err)
{
	double rows;
	if (!knng_mex_number(a, 1, 0x1p53, true, &rows))
		return knng_mex_bad_option("Queries", a, "the number of rows of Y, a whole number from 1 on", err);
	request_of(opt)->y.n = (int64_t)rows;
	return KNNG_OK;
}

static knng_status
take_calibrate(knng_options *opt, const mxArray *a, knng_err *err)
{
	if (!mxIsLogicalScalar(a))
		return knng_mex_bad_option("Calibrate", a, "true or false", err);
	request_of(opt)->calibrate = mxGetScalar(a) != 0;
	return KNNG_OK;
}

static knng_status
take_radius(knng_options *opt, const mxArray *a, knng_err *err)
{
	if (!mxIsLogicalScalar(a))
		return knng_mex_bad_option("Radius", a, "true or false", err);
	request_of(opt)->radius = mxGetScalar(a) != 0;
	return KNNG_OK;
}

static knng_status
take_ranks(knng_options *opt, const mxArray *a, knng_err *err)
{
	double count;
	(void)opt;
	if (!knng_mex_number(a, 1, 65536, true, &count))
		return knng_mex_bad_option("Ranks", a, "a whole number of processes of knng-mpi, 1 to 65536", err);
	ranks = (int)count;
	return KNNG_OK;
}

static knng_status
take_network(knng_options *opt, const mxArray *a, knng_err *err)
{
	return knng_mex_take_bytes("Network", "the bytes that a machine receives in a second, such as 10e9", a,
				   &request_of(opt)->network, err);
}

static knng_status
take_missing(knng_options *opt, const mxArray *a, knng_err *err)
{
	static const char *const names[] = {"all", "complete", "pairwise"}; /* KNNG_ROWS_… */
	request *r = request_of(opt);
	r->missing = knng_mex_which(a, names, 3);
	return r->missing >= 0
		       ? KNNG_OK
		       : knng_mex_bad_option(
				 "Rows", a, r->kind & RANGE ? "'all' or 'pairwise'" : "'all', 'complete' or 'pairwise'",
				 err);
}

static knng_status
take_valid(knng_options *opt, const mxArray *a, knng_err *err)
{
	double least;
	if (!knng_mex_number(a, 1, 0x1p30, true, &least))
		return knng_mex_bad_option("MinValid", a, "a whole number of columns, 1 or more", err);
	opt->least_shared = (int64_t)least;
	return KNNG_OK;
}

static knng_status
take_most(knng_options *opt, const mxArray *a, knng_err *err)
{
	double most;
	(void)opt;
	if (!knng_mex_number(a, 1, 0x1p53, true, &most))
		return knng_mex_bad_option("MaxPairs", a, "a whole number, 1 or more", err);
	found.most = (int64_t)most;
	return KNNG_OK;
}

static knng_status
take_checkpoint(knng_options *opt, const mxArray *a, knng_err *err)
{
	knng_free(checkpoint);
	opt->checkpoint = checkpoint = knng_mex_string(a, "knng:args:option", "'Checkpoint'", err);
	if (checkpoint != NULL && checkpoint[0] == '\0')
		return knng_mex_bad_option("Checkpoint", a, "the name of a folder", err);
	return checkpoint == NULL ? KNNG_EARGS : KNNG_OK;
}

static knng_status
take_every(knng_options *opt, const mxArray *a, knng_err *err)
{
	if (!knng_mex_number(a, 0, 1e9, false, &opt->save_every))
		return knng_mex_bad_option("SaveEvery", a, "a number of seconds, such as 600", err);
	opt->save_every = fmax(opt->save_every, DBL_MIN); /* 0 is after every meeting */
	return KNNG_OK;
}

static knng_status
take_output(knng_options *opt, const mxArray *a, knng_err *err)
{
	knng_free(output);
	opt->output = output = knng_mex_string(a, "knng:args:option", "'Output'", err);
	if (output == NULL)
		return KNNG_EARGS;
	if (output[0] == '\0')
		return knng_mex_bad_option("Output", a, "the name of a file", err);
	if (!knng_graph_file_named(output))
		return knng_fail(err, KNNG_EARGS, "knng:args:format",
				 "'Output' is '%.200s': give the file the ending .h5, .hdf5 or .mat; other formats are "
				 "written by knng.write",
				 output);
	return KNNG_OK;
}

static knng_status
take_metafeatures(knng_options *opt, const mxArray *a, knng_err *err)
{
	(void)opt;
	if (!knng_mex_operations(a, &pairs) || pairs.nops < 1)
		return knng_mex_bad_option("Metafeatures", a, "operations, as knng.metafeatures takes them", err);
	return KNNG_OK;
}

static knng_status
take_dataset(knng_options *opt, const mxArray *a, knng_err *err)
{
	(void)opt;
	return knng_mex_dataset(a, &dataset, err);
}

static knng_status
take_transposed(knng_options *opt, const mxArray *a, knng_err *err)
{
	return knng_mex_transposed(a, &request_of(opt)->transposed, err);
}

/* The options, in the order in which messages list them. */
static const knng_mex_option options[] = {
	{"K", take_k, SEARCH | NEAREST},
	{"Distance", knng_mex_take_metric, ALL},
	{"Device", knng_mex_take_device, ALL},
	{"MaxMemory", knng_mex_take_limit, ALL | QUERY},
	{"MaxDeviceMemory", knng_mex_take_device_limit, ALL},
	{"Checkpoint", take_checkpoint, GRAPH | PLAN},
	{"SaveEvery", take_every, GRAPH | PLAN},
	{"Output", take_output, GRAPH | PLAN},
	{"Dataset", take_dataset, GRAPH | SEARCH | PLAN},
	{"Transposed", take_transposed, GRAPH | SEARCH | PLAN},
	{"MaxPairs", take_most, RANGE},
	{"Rows", take_missing, GRAPH | SEARCH | PLAN | RANGE},
	{"MinValid", take_valid, GRAPH | SEARCH | PLAN | RANGE},
	{"Metafeatures", take_metafeatures, GRAPH | PLAN},
	{"Prune", knng_mex_take_prune, ALL},
	{"TileSize", knng_mex_take_tile, ALL},
	{"Threads", take_threads, ALL | QUERY},
	{"Progress", take_progress, ALL | QUERY},
	{"Target", knng_mex_take_target, ALL},
	{"Class", take_class, PLAN},
	{"Queries", take_queries, PLAN},
	{"Calibrate", take_calibrate, PLAN},
	{"Radius", take_radius, PLAN},
	{"Ranks", take_ranks, PLAN},
	{"Network", take_network, PLAN},
	{NULL, NULL, 0},
};

static knng_mex_options
options_of(int kind)
{
	return (knng_mex_options){options, kind,
				  kind == GRAPH  ? " (the metric may also be the third argument)"
				  : kind == PLAN ? " (the metric may also be the fourth argument)"
						 : ""};
}

static bool
is_metric(const mxArray *a)
{
	for (int i = 0; knng_metric_name(i) != NULL; i++) {
		const char *name = knng_metric_name(i);
		if (knng_mex_which(a, &name, 1) == 0)
			return true;
	}
	return false;
}

/* A file of numbers instead of a matrix, by its name, after the options. */
static knng_status
take_file(request *r, knng_err *err)
{
	const knng_matrix_choice choice = {dataset, r->transposed};
	knng_progress silent = {.mode = KNNG_PROGRESS_OFF};
	knng_progress_start(&silent, &reading); /* an archive is read whole */
	knng_status status = knng_matrix_file_open(&file, path, &choice, &reading, err);
	knng_progress_end(&silent, status);
	reading = (knng_task){.threads = reading.threads};
	if (status != KNNG_OK)
		return status;
	const knng_layout *l = knng_matrix_file_layout(file);
	if (r->classed && r->x.type != l->element->type)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'Class' is not that of the file, whose numbers are %s: leave it out",
				 l->element->type == KNNG_F32 ? "single" : "double");
	r->rows = (knng_rows){.n = l->n,
			      .d = l->d,
			      .type = l->element->type,
			      .read = knng_matrix_file_read,
			      .context = file,
			      .costly = knng_matrix_file_is_costly(file),
			      .bytes = knng_matrix_file_bytes(file)};
	r->x = knng_by_rows(l->n, l->d, l->element->type, &knng_elsewhere);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- searchers */

/* Where the searcher of this id is linked in: *place is NULL where there is none. */
static knng_searcher **
place_of(double id)
{
	knng_searcher **place = &searchers;
	while (*place != NULL && (*place)->id != id)
		place = &(*place)->next;
	return place;
}

/* A whole number that no searcher of this session has, and by all chance none of another, whose handle was saved. */
static double
new_id(void)
{
	static uint64_t next;
	static pid_t of; /* a forked child has ids of its own */
	if (next == 0 || of != getpid()) {
		struct timespec now;
		of = getpid();
		clock_gettime(CLOCK_REALTIME, &now);
		next = ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) * 0x9e3779b97f4a7c15u +
		       (uint64_t)getpid() * 0xbf58476d1ce4e5b9u;
	}
	do
		next += 0x94d049bb133111ebu;
	while (next >> 12 == 0 || *place_of((double)(next >> 12)) != NULL);
	return (double)(next >> 12);
}

static knng_status
take_id(request *r, const mxArray *a, knng_err *err)
{
	if (!knng_mex_number(a, 1, 0x1p53, true, &r->id) || *place_of(r->id) != NULL)
		return knng_call_wrong(err);
	return KNNG_OK;
}

static knng_status
take_searcher(request *r, const mxArray *a, knng_err *err)
{
	if (!knng_mex_number(a, -INFINITY, INFINITY, false, &r->id))
		return knng_call_wrong(err);
	r->searcher = *place_of(r->id);
	if (r->searcher == NULL)
		return knng_fail(err, KNNG_EARGS, "knng:searcher:gone",
				 "there is no such searcher (any more): it was released, or is of another session of "
				 "Octave or MATLAB; make it anew with knng.createns (X)");
	r->x = r->searcher->x;
	return KNNG_OK;
}

/* How many there were: that one, or all. */
static double
drop(double id)
{
	double count = 0;
	knng_searcher **place = isnan(id) ? &searchers : place_of(id);
	while (*place != NULL && (isnan(id) || count == 0)) {
		knng_searcher *s = *place;
		*place = s->next;
		knng_searcher_free(s);
		count++;
	}
	return count;
}

/* ---------------------------------------------------------------- check */

/* A size instead of a matrix. */
static knng_status
take_size(const mxArray *a, const char *name, const char *what, const char *id, int64_t *size, knng_err *err)
{
	char text[80];
	double value;
	if (!knng_mex_number(a, 1, 0x1p53, true, &value))
		return knng_fail(err, KNNG_EARGS, id,
				 "%s is %s: it must be the number of %s of X, a whole one from 1 on", name,
				 knng_mex_show(a, text, sizeof text), what);
	*size = (int64_t)value;
	return KNNG_OK;
}

/* Whether the rows are searched in blocks, maybe: those of a file, all that have a checkpoint or go to a file, and
 * those of several processes. */
static bool
in_blocks(void)
{
	return file != NULL || checkpoint != NULL || output != NULL || ranks > 0;
}

/* Of 'Rows' and 'MinValid', when all options are known. */
static knng_status
check_rows(request *r, knng_err *err)
{
	r->opt.rows = r->missing == KNNG_ROWS_PAIRWISE ? KNNG_ROWS_PAIRWISE : KNNG_ROWS_ALL;
	if (r->opt.least_shared > 0 && r->missing != KNNG_ROWS_PAIRWISE)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'MinValid' is for 'Rows', 'pairwise': give that, too, or leave it out");
	if (r->missing == KNNG_ROWS_COMPLETE && (r->kind & RANGE))
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'Rows' is 'complete', which a search for a radius does not take: leave columns with "
				 "NaN out of X and Y, keep = ~any (isnan ([X; Y])), X(:, keep), or give 'Rows', "
				 "'pairwise'");
	if (r->missing == KNNG_ROWS_PAIRWISE && r->kind == SEARCH && file != NULL)
		return knng_fail(
			err, KNNG_EARGS, "knng:args:option",
			"'Rows' is 'pairwise', which is for matrices here: give the matrix itself, ds = knng.read "
			"(file), ds.X, or leave 'Rows' out");
	if (r->missing == KNNG_ROWS_COMPLETE && in_blocks())
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'Rows' is 'complete', which takes no files of numbers, no 'Checkpoint', no 'Output' "
				 "and no 'Ranks': leave these out, and give the matrix itself, ds = knng.read (file), "
				 "ds.X%s",
				 r->kind == SEARCH ? "" : ", or 'Rows', 'pairwise'");
	if (r->missing == KNNG_ROWS_COMPLETE && r->kind == PLAN)
		return knng_fail(
			err, KNNG_EARGS, "knng:args:option",
			"'Rows' is 'complete', and how many columns stay only X shows: give their number for d, "
			"as sum (~any (isnan (X))), and leave 'Rows' out");
	return KNNG_OK;
}

/* A call by the word that it begins with. */
typedef struct {
	const char *word;
	int kind, needed, results; /* needed: arguments, with the word */
	const char *what, *function;
} call_row;

static const call_row calls[] = {
	{"graph", GRAPH, 3, 3, "knngraph needs a matrix and k, as in knngraph (X, 20)", "knngraph"},
	{"search", SEARCH, 3, 3, "knng.knnsearch needs references and queries, as in knng.knnsearch (X, Y)",
	 "knng.knnsearch"},
	{"plan", PLAN, 4, 1, "knng.estimate needs the rows and columns of X and k, as in knng.estimate (1e5, 300, 20)",
	 "knng.estimate"},
	{"prepare", PREPARE, 3, 1, "knng.createns needs a matrix, as in knng.createns (X)", "knng.createns"},
	{"query", NEAREST, 3, 3, "knng.knnsearch needs a searcher and queries, as in knng.knnsearch (ns, Y)",
	 "knng.knnsearch"},
	{"within", WITHIN, 4, 4,
	 "knng.rangesearch needs a searcher, queries and r, as in knng.rangesearch (ns, Y, 0.5)", "knng.rangesearch"},
	{"rangesearch", AROUND, 4, 4,
	 "knng.rangesearch needs references, queries and r, as in knng.rangesearch (X, Y, 0.5)", "knng.rangesearch"},
	{"rangegraph", NEAR, 3, 4, "knng.rangegraph needs a matrix and r, as in knng.rangegraph (X, 0.5)",
	 "knng.rangegraph"},
	{"rangematrix", MATRIX, 3, 2, "knng.rangegraph needs a matrix and r, as in knng.rangegraph (X, 0.5)",
	 "knng.rangegraph"},
};

static const call_row *
find_call(const knng_call *call)
{
	for (size_t c = 0; call->nrhs > 0 && c < sizeof calls / sizeof *calls; c++)
		if (knng_mex_which(call->prhs[0], &calls[c].word, 1) == 0)
			return &calls[c];
	return NULL;
}

/* Whether a plan has the matrix in place of n: there is no d then. */
static bool
is_whole(const mxArray **prhs)
{
	return mxIsEmpty(prhs[2]) && !(mxIsNumeric(prhs[1]) && mxGetNumberOfElements(prhs[1]) == 1);
}

/* X, or what stands for it: a file, a searcher, the sizes. */
static knng_status
take_rows(request *r, const mxArray **prhs, knng_err *err)
{
	bool named = mxIsChar(prhs[1]);
	if (r->kind == PLAN && !named && !is_whole(prhs)) {
		knng_status status = take_size(prhs[1], "n", "rows", "knng:args:rows", &r->x.n, err);
		return status == KNNG_OK ? take_size(prhs[2], "d", "columns", "knng:args:columns", &r->x.d, err)
					 : status;
	}
	if (r->kind & QUERY)
		return take_searcher(r, prhs[1], err);
	if (!named || r->kind & (PREPARE | RANGE))
		return knng_mex_matrix(prhs[1], "X", &r->x, err);
	path = knng_mex_string(prhs[1], "knng:args:class", "X", err);
	return path != NULL ? KNNG_OK : KNNG_EARGS;
}

/* What follows it: queries, the id of a searcher, or k and maybe the metric. *next: the first argument behind them. */
static knng_status
take_wanted(request *r, const knng_call *call, int *next, knng_err *err)
{
	const mxArray **prhs = call->prhs;
	const knng_mex_options known = options_of(r->kind);
	if (r->kind & (SEARCH | QUERY | RANGE)) {
		bool within = r->kind & (WITHIN | RANGE), own = r->kind & (NEAR | MATRIX);
		knng_status status = own ? KNNG_OK : knng_mex_matrix(prhs[2], "Y", &r->y, err);
		r->opt.k = 1;
		r->opt.range = within ? &found : NULL;
		return status == KNNG_OK && within ? knng_mex_radius(prhs[own ? 2 : 3], r->kind == MATRIX, &found, err)
						   : status;
	}
	if (r->kind == PREPARE)
		return take_id(r, prhs[2], err);
	knng_status status = take_k(&r->opt, prhs[*next - 1], err);
	int left = call->nrhs - *next;
	/* The metric comes first if it is one, or is the odd one out and no option: names and values come in pairs. */
	if (status == KNNG_OK && left > 0 &&
	    (is_metric(prhs[*next]) || (left % 2 == 1 && !knng_mex_is_option(&known, prhs[*next]))))
		status = knng_mex_take_metric(&r->opt, prhs[(*next)++], err);
	return status;
}

/* Opens the file, and refuses options that need another one, which is not there. */
static knng_status
check_needs(request *r, knng_err *err)
{
	knng_status status = KNNG_OK;
	if (r->opt.save_every > 0 && checkpoint == NULL)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'SaveEvery' is for a search with a 'Checkpoint': name its folder, or leave it out");
	if (path != NULL)
		status = take_file(r, err);
	else
		status = knng_matrix_nothing_chosen(&(knng_matrix_choice){dataset, r->transposed}, NULL, err);
	if (status == KNNG_OK && r->classed && r->x.data != NULL)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'Class' is for a matrix that is not there, and X is: leave it out");
	if (status == KNNG_OK && r->network > 0 && ranks == 0)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'Network' is for several processes: give 'Ranks', too, or leave it out");
	return status;
}

/* What 'Metafeatures' does not go with. */
static knng_status
check_pairs(const request *r, knng_err *err)
{
	if (pairs.nops == 0)
		return KNNG_OK;
	if (file != NULL)
		return knng_fail(
			err, KNNG_EARGS, "knng:args:option",
			"'Metafeatures' are those of a matrix, and '%.200s' is a file of numbers: read it, and "
			"give the matrix",
			path);
	if (r->y.n > 0 || r->radius || ranks > 0)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'Metafeatures' are for the graph of knngraph: leave 'Queries', 'Radius' and 'Ranks' "
				 "out");
	if (r->missing == KNNG_ROWS_COMPLETE)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'Rows' is 'complete', which does not go with 'Metafeatures': leave the columns out "
				 "before, X(:, ~any (isnan (X)))");
	return KNNG_OK;
}

/* Refuses options that exclude each other. */
static knng_status
check_conflicts(const request *r, knng_err *err)
{
	if (file != NULL && output != NULL && knng_same_file(path, output))
		return knng_fail(err, KNNG_EARGS, "knng:args:file",
				 "'Output' is '%.200s', the file that is read: name another one for the graph", output);
	if (checkpoint != NULL && output != NULL && knng_same_place(checkpoint, output))
		return knng_fail(err, KNNG_EARGS, "knng:args:file",
				 "'Output' is '%.200s', the folder of 'Checkpoint': name another one for the graph",
				 output);
	if (r->kind == PLAN && r->y.n > 0 && in_blocks())
		return knng_fail(
			err, KNNG_EARGS, "knng:args:option",
			file != NULL
				? "'Queries' among the rows of a file are searched in as many parts as the memory asks "
				  "for, of which there is no estimate: knng.knnsearch (file, Y) says so at once if it "
				  "does not fit"
				: "'Queries' are of knng.knnsearch, which takes no 'Checkpoint', no 'Output' and no "
				  "'Ranks': leave these out");
	if (r->radius && in_blocks())
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'Radius' is of knng.rangesearch and knng.rangegraph, which take no files, no "
				 "'Checkpoint', no 'Output' and no 'Ranks'");
	return KNNG_OK;
}

/* The rows of a search in blocks, if they are not those of a file that is there. */
static void
describe_rows(request *r)
{
	if (file != NULL || !in_blocks())
		return;
	r->rows = (knng_rows){.n = r->x.n, .d = r->x.d, .type = r->x.type};
	if (ranks > 0) /* there will be a file */
		return;
	r->rows.read = knng_read_matrix;
	r->rows.context = &r->x;
	r->rows.later = r->kind == PLAN && r->x.data == NULL ? knng_matrix_bytes(&r->x) : 0;
	r->rows.there = &r->x;
}

/* What a plan knows of X and Y: they lie, or will lie, as Octave has matrices. */
static void
imagine(request *r)
{
	r->x.row_stride = r->y.row_stride = 1;
	r->x.col_stride = r->x.n;
	r->y.col_stride = r->y.n;
	if (r->y.n == 0)
		return;
	r->y.d = r->x.d;
	r->y.type = r->x.type;
	r->y.data = &knng_elsewhere; /* that there will be a Y; a plan does not read it */
}

static knng_status
check(request *r, const knng_call *call, knng_err *err)
{
	const call_row *c = find_call(call);
	if (c == NULL || call->nlhs > c->results)
		return knng_call_wrong(err);
	if (call->nrhs < c->needed)
		return knng_fail(err, KNNG_EARGS, "knng:args:count", "%s: see help %s", c->what, c->function);
	r->kind = c->kind;
	r->opt.task = call->task;
	r->progress = call->progress;
	r->calibrate = r->kind == PLAN;
	r->transposed = -1;
	int next = c->needed;
	const knng_mex_options known = options_of(r->kind);
	knng_status status = take_rows(r, call->prhs, err);
	if (status == KNNG_OK)
		status = take_wanted(r, call, &next, err);
	if (status == KNNG_OK)
		status = knng_mex_take_options(&known, &r->opt, call->nrhs - next, call->prhs + next, err);
	if (status == KNNG_OK)
		status = check_needs(r, err);
	if (status == KNNG_OK)
		status = check_conflicts(r, err);
	if (status == KNNG_OK)
		status = check_pairs(r, err);
	if (status == KNNG_OK)
		status = check_rows(r, err);
	if (r->kind == PLAN)
		imagine(r);
	if (status == KNNG_OK && pairs.nops > 0)
		status = knng_mex_pair_up(&r->x, &pairs, err);
	describe_rows(r);
	return status;
}

/* ---------------------------------------------------------------- run */

static mxArray *
number(double x)
{
	return mxCreateDoubleScalar(x);
}

/* Of idx and dist, and how many columns neighbours share; of several processes what rank 0 takes for them; of a radius
 * with the cells. */
static double
result_bytes(const knng_plan *plan)
{
	const knng_options opt = {.output = output};
	if (plan->opt.range != NULL)
		return (double)plan->m * ((double)plan->k * (plan->x.type == KNNG_F32 ? 12 : 16) + 512);
	if (ranks > 0)
		return knng_ranks_result_bytes(plan->m, plan->k, &opt);
	bool counts = plan->opt.rows == KNNG_ROWS_PAIRWISE && !in_blocks();
	double place = (plan->x.type == KNNG_F32 ? 12 : 16) + (counts ? 8 : 0);
	return output != NULL ? 0 : (double)plan->m * (double)plan->k * place;
}

/* What a plan says, for knng.estimate; problem: why the search would be refused, or empty. */
static mxArray *
make_plan(const knng_plan *plan, const knng_blocks_plan *blocks, const knng_ranks_traffic *traffic,
	  const knng_guess *guess, const char *problem)
{
	static const char *const fields[] = {"problem",  "device",   "gpus",   "note",    "threads",
					     "tilesize", "blocks",   "panels", "planned", "least",
					     "ondevice", "input",    "result", "disk",    "ranks",
					     "received", "gathered", "read",   "seconds", "pruned"};
	char device[96];
	knng_plan_device(plan, device, sizeof device);
	mxArray *gpus = mxCreateDoubleMatrix(1, (mwSize)plan->ndevices, mxREAL);
	for (int i = 0; i < plan->ndevices; i++)
		((double *)mxGetData(gpus))[i] = plan->devices[i] + 1;
	mxArray *values[] = {
		mxCreateString(problem),
		mxCreateString(device),
		gpus,
		mxCreateString(plan->why_cpu),
		number(plan->threads),
		number((double)plan->tile),
		number(in_blocks()       ? ceil((double)plan->m / (double)blocks->size)
		       : plan->block > 0 ? ceil((double)plan->m / (double)plan->block)
					 : 0),
		number((double)knng_plan_panels(in_blocks() ? &blocks->one : plan)),
		number(in_blocks() ? blocks->bytes : plan->bytes),
		number(in_blocks() ? blocks->least : plan->least),
		number(plan->device_bytes),
		number(file != NULL || ranks > 0 ? 0 : knng_matrix_bytes(&plan->x) + knng_matrix_bytes(&plan->y)),
		number(result_bytes(plan)),
		number(blocks->disk + blocks->file + blocks->lists),
		number(fmax(ranks, 1)),
		number(traffic->received),
		number(traffic->gathered),
		number(traffic->read),
		number(guess->seconds),
		mxCreateString(guess->pruned),
	};
	int n = sizeof values / sizeof *values;
	mxArray *s = mxCreateStructMatrix(1, 1, n, (const char **)fields);
	for (int i = 0; i < n; i++)
		mxSetFieldByNumber(s, 0, i, values[i]);
	return s;
}

static void
warn(void)
{
	const knng_plan *plan = &last.plan;
	const knng_info *info = &last.info;
	int64_t rows = (last.known != NULL ? 0 : plan->x.n) + (last.graph ? 0 : plan->m);
	knng_info rest = *info;
	if (!last.searched)
		return;
	if (info->fallback[0] != 0)
		knng_call_warn("knng:device:fallback",
			       "a GPU did not finish (%s): the search was done otherwise, on %s, with the same result",
			       info->fallback, info->device);
	if (info->unsaved[0] != 0)
		knng_call_warn("knng:checkpoint:write", "%s; the result is complete", info->unsaved);
	if (last.k > plan->k)
		knng_call_warn("knng:args:kClipped", "k is %lld, but X has only %lld %s: %s row%s gets %s%s%lld%s",
			       (long long)last.k, (long long)plan->x.n,
			       plan->x.pairs != NULL ? "metafeature(s)" : "row(s)", info->fewer > 0 ? "no" : "every",
			       last.graph ? "" : " of Y", info->fewer > 0 ? "more than " : "",
			       last.graph ? "the " : "all ", (long long)plan->k, last.graph ? " others" : "");
	if (last.left_out[0] != 0)
		knng_call_warn("knng:data:leftOut",
			       "%lld of %lld columns hold NaN in some row and are left out: %s; info.omitted has all",
			       (long long)(last.x.d - plan->x.d), (long long)last.x.d, last.left_out);
	if (info->fewer > 0 && !last.within)
		knng_call_warn("knng:data:fewer",
			       "%lld of %lld rows%s %s a distance to fewer than %lld other%s, since %s fewer than %lld "
			       "column%s with the rest, or %s constant over these: %s shorter (index 0, distance NaN)",
			       (long long)info->fewer, (long long)plan->m, last.graph ? "" : " of Y",
			       info->fewer == 1 ? "has" : "have", (long long)plan->k, plan->k == 1 ? "" : "s",
			       info->fewer == 1 ? "it shares" : "they share", (long long)plan->least_shared,
			       plan->least_shared == 1 ? "" : "s", info->fewer == 1 ? "is" : "are",
			       info->fewer == 1 ? "its list is" : "their lists are");
	if (last.known != NULL) {
		rest.nonfinite -= last.known->nonfinite;
		rest.constant -= last.known->constant;
	}
	knng_mex_warn_rows(&rest, &(knng_mex_rows){.rows = rows,
						   .columns = plan->x.d,
						   .metric = last.metric,
						   .answer = last.within ? "an empty list" : "index 0, distance NaN",
						   .x = last.x.n > 0 ? &last.x : NULL,
						   .y = last.y.n > 0 && !last.stored ? &last.y : NULL,
						   .handling = last.missing,
						   .choice = last.choice});
	const knng_metric *metric = knng_metric_find(last.metric);
	if (metric != NULL && metric->prep != KNNG_PREP_NONE)
		knng_filled_take_dead(&last.filled);
	knng_mex_warn_filled(&last.filled, last.stored ? "the file" : "X",
			     last.stored ? "NaN in its place says so" : "NaN in its place in X says so");
	knng_filled of_queries;
	if (!last.stored || last.y.n == 0) /* else rows of Y were not looked at beside those of the file */
		return;
	knng_filled_look(&last.y, &of_queries);
	knng_mex_warn_filled(&of_queries, "Y", "NaN in its place in Y says so");
}

/* ---------------------------------------------------------------- the session: GPUs, tests */

static void
list_devices(int nlhs, mxArray *plhs[])
{
	static const char *const fields[] = {"number", "name", "capability", "memory", "free", "problem", "note"};
	char why[160];
	const knng_plugin *plugin = knng_plugin_find(why, sizeof why);
	int n = plugin == NULL ? 0 : plugin->count();
	if (plugin != NULL && n == 0)
		snprintf(why, sizeof why, "%.150s", plugin->why());
	plhs[0] = mxCreateStructMatrix((mwSize)n, 1, 7, (const char **)fields);
	for (int i = 0; i < n; i++) {
		knng_device_info info = {0};
		knng_err err = {0};
		char capability[24], note[200] = "";
		knng_status status = plugin->describe(i, &info, &err);
		if (status == KNNG_OK && info.problem[0] == 0 && knng_search_on_gpus() != NULL)
			knng_search_on_gpus()->check(i, note, sizeof note, NULL);
		if (status != KNNG_OK)
			snprintf(info.problem, sizeof info.problem, "%.150s", err.text);
		snprintf(capability, sizeof capability, "%d.%d", info.major, info.minor);
		mxArray *values[] = {number(i + 1),       mxCreateString(info.name), mxCreateString(capability),
				     number(info.total),  number(info.free),         mxCreateString(info.problem),
				     mxCreateString(note)};
		for (int f = 0; f < 7; f++)
			mxSetFieldByNumber(plhs[0], (mwIndex)i, f, values[f]);
	}
	if (nlhs > 1)
		plhs[1] = mxCreateString(n > 0 ? "" : why);
}

static mxArray *
list_metrics(void)
{
	static const char *const fields[] = {"name", "alias", "prepared", "sum", "map"};
	int n = 0;
	while (knng_metrics[n].name != NULL)
		n++;
	mxArray *s = mxCreateStructMatrix(1, (mwSize)n, 5, (const char **)fields);
	for (int i = 0; i < n; i++) {
		const knng_metric *m = &knng_metrics[i];
		const char *values[] = {m->name, m->alias != NULL ? m->alias : "", knng_prep_name[m->prep],
					knng_sum_name[m->sum], knng_map_name[m->map]};
		for (int f = 0; f < 5; f++)
			mxSetFieldByNumber(s, (mwIndex)i, f, mxCreateString(values[f]));
	}
	return s;
}

static knng_status
first_name(const mxArray *given, mxArray **name, knng_err *err)
{
	request r = {0};
	knng_status status = knng_mex_take_metric(&r.opt, given, err);
	const knng_metric *found = status == KNNG_OK ? knng_metric_find(r.opt.metric) : NULL;
	if (status == KNNG_OK && found == NULL)
		status = knng_metric_unknown(r.opt.metric, err);
	if (status == KNNG_OK)
		*name = mxCreateString(found->name);
	return status;
}

/* Whether the name is that of a file of numbers. */
static bool
is_stored(const mxArray *name)
{
	path = knng_mex_string(name, "knng:args:file", "FILE", NULL);
	return path != NULL && knng_matrix_format_find(path) != NULL;
}

static const char *const searcher_fields[] = {"id", "rows", "columns", "class", "Distance", "bytes", "gpu", "gpubytes"};
enum { SEARCHER_FIELDS = sizeof searcher_fields / sizeof *searcher_fields };

static void
describe_searcher(mxArray *s, mwIndex at, const knng_searcher *one)
{
	mxArray *values[] = {number(one->id),
			     number((double)one->x.n),
			     number((double)one->x.d),
			     mxCreateString(one->x.type == KNNG_F32 ? "single" : "double"),
			     mxCreateString(one->opt.metric),
			     number(one->bytes),
			     number(one->opt.device.kind == KNNG_DEVICE_LIST ? one->opt.device.number[0] : 0),
			     number(knng_searcher_device_bytes(one))};
	for (int f = 0; f < SEARCHER_FIELDS; f++)
		mxSetFieldByNumber(s, at, f, values[f]);
}

static mxArray *
list_searchers(void)
{
	mwSize n = 0;
	for (const knng_searcher *each = searchers; each != NULL; each = each->next)
		n++;
	mxArray *s = mxCreateStructMatrix(n, 1, SEARCHER_FIELDS, (const char **)searcher_fields);
	for (const knng_searcher *each = searchers; each != NULL; each = each->next)
		describe_searcher(s, --n, each); /* the first one is the last that was made */
	return s;
}

static mxArray *
list_searcher(const mxArray *id)
{
	double value;
	bool is_id = mxGetClassID(id) == mxDOUBLE_CLASS && knng_mex_number(id, 1, 0x1p53, true, &value);
	const knng_searcher *one = is_id ? *place_of(value) : NULL;
	mxArray *s = mxCreateStructMatrix(one != NULL, 1, SEARCHER_FIELDS, (const char **)searcher_fields);
	if (one != NULL)
		describe_searcher(s, 0, one);
	return s;
}

/* That one; NaN: all. */
static knng_status
drop_searcher(const mxArray *id, mxArray **count, knng_err *err)
{
	if (mxGetClassID(id) != mxDOUBLE_CLASS || mxIsComplex(id) || mxIsSparse(id) || mxGetNumberOfElements(id) != 1)
		return knng_call_wrong(err);
	*count = number(drop(mxGetScalar(id)));
	return KNNG_OK;
}

/* What of X may stand for missing values, in words, and as a condition; two empty texts where nothing may, and of what
 * is no matrix of numbers. */
static mxArray *
find_filled(const mxArray *given)
{
	char text[320] = "", condition[100] = "";
	knng_matrix X;
	knng_filled filled = {0};
	mxArray *both = mxCreateCellMatrix(1, 2);
	if (knng_mex_matrix(given, "X", &X, NULL) == KNNG_OK)
		knng_filled_look(&X, &filled);
	if (filled.column > 0) {
		knng_filled_say(&filled, "X", text, sizeof text);
		snprintf(condition, sizeof condition, "X == %s%s%s", filled.code,
			 filled.other[0] != 0 ? " | X == " : "", filled.other);
	}
	mxSetCell(both, 0, mxCreateString(text));
	mxSetCell(both, 1, mxCreateString(condition));
	return both;
}

/* The calls that are no search. False: it is one. */
static bool
other_calls(const knng_call *call, knng_status *status, knng_err *err)
{
	static const char *const kinds[] = {"devices", "release", "metrics",  "id",   "searchers",
					    "metric",  "stored",  "searcher", "drop", "filled"};
	int kind = call->nrhs < 1 ? -1 : knng_mex_which(call->prhs[0], kinds, sizeof kinds / sizeof *kinds);
	if (call->nrhs != (kind >= 5 ? 2 : 1))
		return false;
	*status = KNNG_OK;
	if (kind == 0 && call->nlhs <= 2)
		list_devices(call->nlhs, call->plhs);
	else if (kind == 1 && call->nlhs == 0)
		knng_plugin_release();
	else if (kind == 2 && call->nlhs <= 1)
		call->plhs[0] = list_metrics();
	else if (kind == 3 && call->nlhs <= 1)
		call->plhs[0] = number(new_id());
	else if (kind == 4 && call->nlhs <= 1)
		call->plhs[0] = list_searchers();
	else if (kind == 5 && call->nlhs <= 1)
		*status = first_name(call->prhs[1], &call->plhs[0], err);
	else if (kind == 6 && call->nlhs <= 1)
		call->plhs[0] = mxCreateLogicalScalar(is_stored(call->prhs[1]));
	else if (kind == 7 && call->nlhs <= 1)
		call->plhs[0] = list_searcher(call->prhs[1]);
	else if (kind == 8 && call->nlhs <= 1)
		*status = drop_searcher(call->prhs[1], &call->plhs[0], err);
	else if (kind == 9 && call->nlhs <= 1)
		call->plhs[0] = find_filled(call->prhs[1]);
	else
		return false;
	return true;
}

/* The plan of a rank, as one of blocks. */
static knng_status
plan_ranks(const request *r, knng_blocks_plan *blocks, knng_ranks_traffic *traffic, knng_err *err)
{
	const knng_team team = {.ranks = ranks};
	knng_ranks_plan plan;
	knng_status status = knng_ranks_imagine(&plan, ranks, &r->rows, &r->opt, err);
	*blocks = (knng_blocks_plan){.size = plan.size,
				     .k = plan.k,
				     .bytes = plan.bytes,
				     .disk = plan.disk,
				     .file = plan.file,
				     .lists = plan.lists > 0 ? knng_neighbours_bytes(r->rows.n, plan.k) : 0,
				     .one = plan.one};
	if (plan.size > 0) {
		blocks->least = knng_ranks_least(&plan, &team, &r->rows);
		*traffic = knng_ranks_moves(&plan, ranks, &r->rows);
	}
	return status;
}

/* The plan of a search for all rows within a radius, where each row has k on average. */
static knng_status
plan_radius(const request *r, knng_plan *plan, knng_err *err)
{
	static knng_range imagined;
	knng_options opt = r->opt;
	opt.range = &imagined;
	knng_status status = knng_plan_make(plan, &r->x, r->y.n > 0 ? &r->y : NULL, &opt, err);
	if (status != KNNG_OK)
		return status;
	int64_t others = r->x.n - (r->y.n == 0);
	plan->k = r->opt.k < others ? r->opt.k : others;
	double found =
		knng_range_bytes((double)plan->m * (double)(plan->k + (r->y.n == 0)), (double)plan->m, plan->threads);
	knng_budget budget = knng_budget_of(plan);
	plan->bytes += found;
	plan->least += found;
	return plan->bytes <= budget.limit ? KNNG_OK : knng_refuse_memory(plan, &budget, err);
}

enum { LISTED = 8 }; /* columns in a warning */

/* Makes X and Y those of the columns without NaN; a plan for them. Nothing is copied yet. */
static knng_status
plan_complete(request *r, knng_plan *plan, knng_err *err)
{
	knng_question q;
	const knng_matrix *Y = r->kind == SEARCH ? &r->y : NULL;
	size_t used = 0;
	knng_status status = knng_ask(&q, &r->x, Y, r->opt.metric, r->opt.k, err);
	if (status == KNNG_OK)
		status = knng_complete_find(&complete, &r->opt.task, &r->x, Y, err);
	if (status != KNNG_OK)
		return status;
	for (int64_t c = 0; c < complete.count && c < LISTED; c++)
		used += (size_t)snprintf(last.left_out + used, sizeof last.left_out - used, "%s%lld", c > 0 ? ", " : "",
					 (long long)complete.left_out[c] + 1);
	if (complete.count > LISTED)
		snprintf(last.left_out + used, sizeof last.left_out - used, ", …");
	r->opt.held = complete.bytes;
	return knng_plan_make(plan, &complete.x, Y != NULL ? &complete.y : NULL, &r->opt, err);
}

/* Of blocks the plan is that of one search; what of it is told afterwards is that of all rows. */
static knng_status
make_plan_of(request *r, knng_plan *plan, knng_blocks_plan *blocks, knng_ranks_traffic *traffic, knng_err *err)
{
	knng_status status;
	int64_t bytes;
	if (r->radius) {
		status = plan_radius(r, plan, err);
	} else if (r->kind & QUERY) {
		status = knng_searcher_plan(r->searcher, plan, &r->y, &r->opt, err);
	} else if (r->kind == SEARCH && file != NULL) {
		status = knng_queries_plan_make(&r->queries, &r->rows, &r->y, &r->opt, err);
		*plan = r->queries.one;
		plan->x.n = r->rows.n;
		plan->k = r->opt.k < r->rows.n ? r->opt.k : r->rows.n;
	} else if (r->missing == KNNG_ROWS_COMPLETE) {
		status = plan_complete(r, plan, err);
	} else if (!in_blocks()) {
		status = knng_plan_make(plan, &r->x, r->y.data != NULL || r->kind & (SEARCH | AROUND) ? &r->y : NULL,
					&r->opt, err);
	} else {
		status = ranks > 0 ? plan_ranks(r, blocks, traffic, err)
				   : knng_blocks_plan_make(blocks, &r->rows, &r->opt, err);
		*plan = blocks->one;
		plan->x.n = plan->m = r->rows.n;
		plan->x.pairs = r->x.pairs;
		plan->k = blocks->k;
		if (ranks == 0 && file != NULL && blocks->size > 0) {
			const knng_ranks_plan one = {.blocks = knng_parts(blocks->size, r->rows.n), .k = plan->k};
			*traffic = knng_ranks_moves(&one, 1, &r->rows);
		}
	}
	if (plan->m > 0 && !knng_mul(plan->m, plan->k, 16, &bytes))
		status = knng_fail(err, KNNG_EARGS, "knng:args:k",
				   "k is %lld: %lld-by-%lld neighbours are more than a machine can hold",
				   (long long)plan->k, (long long)plan->m, (long long)plan->k);
	return status;
}

static void
suggest_limit(const request *r, const knng_plan *plan, const knng_blocks_plan *blocks, knng_err *err)
{
	if (r->kind == SEARCH && file != NULL)
		knng_suggest_limit(r->queries.bytes, r->queries.least < r->queries.bytes, err);
	else if (in_blocks())
		knng_suggest_limit(blocks->bytes, knng_blocks_least(blocks, &r->rows, &r->opt) < blocks->bytes, err);
	else
		knng_suggest_limit(plan->bytes, plan->least < plan->bytes, err);
}

/* info, with what is no part of knng_info. shared: how many columns neighbours share, or NULL. */
static mxArray *
make_info(mxArray *shared)
{
	mxArray *info = knng_mex_info(&last.info), *omitted = mxCreateDoubleMatrix(1, (mwSize)complete.count, mxREAL);
	for (int64_t c = 0; c < complete.count; c++)
		((double *)mxGetData(omitted))[c] = (double)complete.left_out[c] + 1;
	knng_mex_put(info, "omitted", omitted);
	if (file != NULL)
		knng_mex_put(info, "dataset", mxCreateString(knng_matrix_file_layout(file)->name));
	if (shared != NULL)
		knng_mex_put(info, "nvalid", shared);
	return info;
}

/* To a file. */
static knng_status
search_to_file(knng_call *call, request *r, const knng_plan *plan, const knng_blocks_plan *blocks, knng_err *err)
{
	if (call->nlhs > 1)
		return knng_call_wrong(err);
	knng_call_start(call);
	r->opt.task = reading = call->task;
	knng_status status = knng_rows_filled(&r->rows, &last.filled, err);
	if (status == KNNG_OK)
		status = knng_blocks_graph(blocks, &r->rows, &r->opt, NULL, &last.info, err);
	status = knng_call_end(call, status);
	if (status == KNNG_EMEMORY)
		suggest_limit(r, plan, blocks, err);
	if (status == KNNG_OK)
		call->plhs[0] = make_info(NULL);
	return status;
}

/* In blocks; then how many columns neighbours share. */
static knng_status
search_blocks(request *r, const knng_plan *plan, const knng_blocks_plan *blocks, const knng_output *out, knng_err *err)
{
	double *shared = plan->opt.shared, bytes = shared != NULL ? knng_shared_bytes(&r->rows) : 0;
	knng_status status = knng_rows_filled(&r->rows, &last.filled, err);
	if (status == KNNG_OK)
		status = knng_blocks_graph(blocks, &r->rows, &r->opt, out, &last.info, err);
	if (status != KNNG_OK || shared == NULL)
		return status;
	last.info.planned = bytes > last.info.planned ? bytes : last.info.planned;
	last.info.peak = bytes > last.info.peak ? bytes : last.info.peak;
	return knng_shared_count(&r->rows, out->idx, plan->k, shared, &r->opt.task, err);
}

/* For queries, among the rows of a file. */
static knng_status
search_file(request *r, const knng_output *out, knng_err *err)
{
	r->queries.one.opt.task = r->opt.task;
	knng_status status = knng_rows_filled(&r->rows, &last.filled, err);
	return status == KNNG_OK ? knng_queries_run(&r->queries, &r->rows, &r->y, out, &last.info, err) : status;
}

static knng_status
run_search(request *r, knng_plan *plan, const knng_blocks_plan *blocks, const knng_output *out, knng_err *err)
{
	if (r->kind == SEARCH && file != NULL)
		return search_file(r, out, err);
	if (in_blocks())
		return search_blocks(r, plan, blocks, out, err);
	if (r->missing == KNNG_ROWS_COMPLETE) {
		knng_status status = knng_complete_copy(&complete, &r->opt.task, err);
		if (status != KNNG_OK)
			return status;
		plan->x = complete.x;
		plan->y = complete.y;
	}
	return knng_run(plan, out, &last.info, err);
}

/* Whether there is memory to count how many columns neighbours share, which in blocks is done at the end. */
static bool
can_count(const request *r)
{
	double bytes = in_blocks() ? knng_shared_bytes(&r->rows) : 0;
	return r->opt.max_memory > 0 ? bytes <= r->opt.max_memory : knng_afford(bytes, "", NULL) == KNNG_OK;
}

static knng_status
search(knng_call *call, request *r, knng_plan *plan, const knng_blocks_plan *blocks, knng_err *err)
{
	bool single = r->x.type == KNNG_F32 || r->y.type == KNNG_F32;
	mxArray *idx = knng_mex_result(plan->m, plan->k, false, err), *shared = NULL;
	mxArray *dist = idx == NULL ? NULL : knng_mex_result(plan->m, plan->k, single, err);
	bool counts = r->missing == KNNG_ROWS_PAIRWISE && call->nlhs > 2 && can_count(r);
	if (dist != NULL && counts)
		shared = knng_mex_result(plan->m, plan->k, false, err);
	if (dist == NULL || (counts && shared == NULL))
		return KNNG_EMEMORY;
	knng_output out = {.idx = mxGetData(idx),
			   .idx_type = KNNG_F64,
			   .index_base = 1,
			   .dist = mxGetData(dist),
			   .dist_type = single ? KNNG_F32 : KNNG_F64,
			   .row_stride = 1,
			   .col_stride = plan->m};
	plan->opt.shared = shared == NULL ? NULL : mxGetData(shared);
	knng_call_start(call);
	r->opt.task = plan->opt.task = reading = call->task;
	knng_status status = run_search(r, plan, blocks, &out, err);
	status = knng_call_end(call, status);
	if (status == KNNG_EMEMORY)
		suggest_limit(r, plan, blocks, err);
	call->plhs[0] = idx;
	if (call->nlhs > 1)
		call->plhs[1] = dist;
	if (status == KNNG_OK && call->nlhs > 2)
		call->plhs[2] = make_info(shared);
	return status;
}

/* All rows within a radius. */
static knng_status
search_radius(knng_call *call, request *r, knng_plan *plan, knng_err *err)
{
	bool single = r->x.type == KNNG_F32 || r->y.type == KNNG_F32, matrix = r->kind == MATRIX;
	int at = matrix ? 1 : 3; /* the place of info */
	knng_call_start(call);
	plan->opt.task = call->task;
	knng_status status = knng_call_end(call, knng_run(plan, NULL, &last.info, err));
	last.many = status != KNNG_OK && strcmp(err->id, "knng:args:radius") == 0;
	if (last.many) {
		for (int i = 0; i < call->nlhs || i == 0; i++)
			call->plhs[i] = mxCreateDoubleMatrix(0, 0, mxREAL);
		return KNNG_OK;
	}
	if (status == KNNG_OK)
		status = matrix ? knng_mex_within_matrix(call, &found, single, err)
				: knng_mex_within(call, &found, single, plan->threads, err);
	if (status == KNNG_OK && call->nlhs > at)
		call->plhs[at] = make_info(NULL);
	return status;
}

/* Makes a searcher. */
static knng_status
prepare(knng_call *call, request *r, knng_err *err)
{
	knng_searcher *s;
	call->task = r->opt.task;
	call->progress = r->progress;
	knng_call_start(call);
	r->opt.task = call->task;
	knng_status status = knng_call_end(call, knng_searcher_make(&s, &r->x, &r->opt, &last.info, err));
	if (status != KNNG_OK)
		return status;
	s->id = r->id;
	s->next = searchers;
	searchers = s;
	last.searched = last.graph = true;
	last.plan.x = s->x;
	last.x = r->x;
	snprintf(last.metric, sizeof last.metric, "%s", s->opt.metric);
	call->plhs[0] = knng_mex_info(&last.info);
	return KNNG_OK;
}

/* What a search of X would warn of. */
static void
look_at_rows(const request *r, const knng_plan *plan)
{
	int64_t nonfinite = knng_mex_nonfinite(&r->x, r->missing == KNNG_ROWS_PAIRWISE);
	last.searched = last.graph = true;
	last.within = r->radius;
	last.x = r->x;
	last.missing = r->missing;
	last.choice = r->radius || in_blocks() ? 1 : 2;
	last.info.nonfinite = nonfinite > 0 ? nonfinite : 0;
	snprintf(last.metric, sizeof last.metric, "%s", plan->metric->name);
}

/* How long it would take. */
static knng_status
estimate(knng_call *call, const request *r, const knng_plan *plan, const knng_blocks_plan *blocks,
	 const knng_ranks_traffic *traffic, knng_guess *guess, knng_err *err)
{
	bool there = file == NULL && ranks == 0 && r->x.data != NULL && r->x.pairs == NULL;
	const knng_estimated e = {.n = plan->x.n,
				  .m = plan->m,
				  .d = plan->x.d,
				  .k = plan->k,
				  .x = there ? &r->x : NULL,
				  .graph = r->y.data == NULL,
				  .type = plan->x.type,
				  .columns = file == NULL && ranks == 0,
				  .metric = plan->metric->name,
				  .one = plan,
				  .blocks = in_blocks() && plan->ndevices == 0 ? knng_parts(blocks->size, plan->m) : 1,
				  .ranks = ranks > 0 ? ranks : 1,
				  .network = r->network,
				  .traffic = *traffic};
	call->task = r->opt.task;
	call->progress.mode = KNNG_PROGRESS_OFF;
	knng_call_start(call);
	knng_status status = knng_call_end(call, knng_estimate(&e, &call->task, guess, err));
	if (status == KNNG_OK && there)
		look_at_rows(r, plan);
	return status;
}

static knng_status
run(knng_call *call, knng_err *err)
{
	request r = {0};
	knng_status status;
	knng_blocks_plan blocks = {0};
	knng_ranks_traffic traffic = {0};
	knng_guess guess = {.seconds = NAN};
	memset(&last, 0, sizeof last);
	reading = (knng_task){0};
	if (other_calls(call, &status, err))
		return status;
	knng_plan *plan = &last.plan;
	status = check(&r, call, err);
	if (status == KNNG_OK && r.kind == PREPARE)
		return prepare(call, &r, err);
	if (status == KNNG_OK)
		status = make_plan_of(&r, plan, &blocks, &traffic, err);
	/* A plan that would be refused is an answer too; wrong arguments are not. */
	bool refused = status == KNNG_EMEMORY || status == KNNG_EDEVICE ||
		       strcmp(err->id, "knng:args:maxMemory") == 0 || strstr(err->id, ":checkpoint:") != NULL ||
		       strcmp(err->id, "knng:io:exists") == 0;
	plan->opt.metric = r.opt.metric == NULL ? "euclidean" : r.opt.metric;
	plan->opt.target = r.opt.target == NULL ? "auto" : r.opt.target;
	if (r.kind == PLAN && plan->m > 0 && (status == KNNG_OK || refused)) {
		if (in_blocks() && ranks == 0 && blocks.size > 0)
			blocks.least = knng_blocks_least(&blocks, &r.rows, &r.opt);
		if (status != KNNG_OK || !r.calibrate ||
		    (status = estimate(call, &r, plan, &blocks, &traffic, &guess, err)) == KNNG_OK) {
			const char *problem = status == KNNG_OK ? "" : err->text;
			call->plhs[0] = make_plan(plan, &blocks, &traffic, &guess, problem);
			return KNNG_OK;
		}
	}
	if (status != KNNG_OK)
		return status;
	call->task = r.opt.task;
	call->progress = r.progress;
	last.within = r.kind & (WITHIN | RANGE);
	status = output != NULL ? search_to_file(call, &r, plan, &blocks, err)
		 : last.within  ? search_radius(call, &r, plan, err)
				: search(call, &r, plan, &blocks, err);
	last.searched = status == KNNG_OK && !last.many;
	last.graph = r.kind & (GRAPH | NEAR | MATRIX);
	last.k = last.within ? 0 : r.opt.k;
	last.stored = file != NULL;
	snprintf(last.metric, sizeof last.metric, "%s", r.kind & QUERY ? r.searcher->opt.metric : plan->opt.metric);
	last.known = r.kind & QUERY ? &r.searcher->prepared : NULL;
	last.missing = r.missing;
	last.choice = r.kind & QUERY || (r.kind == SEARCH && file != NULL) ? 0
		      : pairs.nops > 0                                     ? 3
		      : in_blocks() || r.kind & RANGE                      ? 1
									   : 2;
	if (!(r.kind & QUERY) && pairs.nops == 0 && !in_blocks())
		last.x = r.x;
	last.y = r.y;
	if (pairs.nops > 0 && !in_blocks())
		knng_filled_look(&r.x, &last.filled);
	return status;
}

static void
close_session(void)
{
	drop(NAN);
	knng_plugin_release();
}

const knng_gateway knng_this_gateway = {
	.results = 4,
	.functions = "knngraph, knng.knnsearch, knng.rangesearch, knng.rangegraph or knng.estimate",
	.run = run,
	.release = release,
	.warn = warn,
	.close = close_session,
};
