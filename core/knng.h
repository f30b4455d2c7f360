/* knng.h  The public header of knng's core: exact k-nearest-neighbour graphs.
 *
 * Two calls make a graph: knng_plan_make() checks everything and counts the memory, knng_run() works.
 *
 *     knng_plan plan;
 *     knng_err err;
 *     knng_options opt = {.metric = "pearson", .k = 20};
 *     knng_matrix X = {.n = n, .d = d, .data = x, .row_stride = d, .col_stride = 1};
 *     if (knng_plan_make(&plan, &X, NULL, &opt, &err) == KNNG_OK) {
 *         knng_output out = {.idx = idx, .dist = dist, .row_stride = plan.k, .col_stride = 1};
 *         knng_info info;
 *         if (knng_run(&plan, &out, &info, &err) != KNNG_OK) puts(err.text);
 *     }
 *
 * What the distances are, to the last bit: docs/canonical.md. No function prints, exits, aborts or jumps. One run at
 * a time in a process (the counters of sys.h are the process's). */
#ifndef KNNG_H
#define KNNG_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KNNG_VERSION "0.1.0"

typedef enum {
	KNNG_OK = 0,
	KNNG_EARGS,        /* the caller's arguments */
	KNNG_EMEMORY,      /* an allocation failed */
	KNNG_EIO,          /* a file */
	KNNG_EINTERRUPTED, /* *interrupt was set */
	KNNG_EDEVICE,      /* no such device, or it failed */
} knng_status;

/* Caller-owned text of the last failure: id is 'knng:<area>:<reason>', text says what was given and what to do. */
typedef struct {
	char id[64];
	char text[576];
} knng_err;

typedef enum { KNNG_F64 = 0, KNNG_F32 = 1, KNNG_I64 = 2 } knng_type;

/* A dense n x d matrix, rows are points. Element (i, j) lies at data[i*row_stride + j*col_stride]. Not copied. */
typedef struct {
	int64_t n, d;
	knng_type type; /* KNNG_F64 or KNNG_F32 */
	const void *data;
	int64_t row_stride, col_stride;
} knng_matrix;

#define KNNG_MAX_DEVICES 64

typedef enum { KNNG_DEVICE_AUTO = 0, KNNG_DEVICE_CPU, KNNG_DEVICE_GPU, KNNG_DEVICE_LIST } knng_device;

/* Zero means the default everywhere. */
typedef struct {
	const char *metric; /* a name or alias of the metric table; NULL: euclidean */
	int64_t k;          /* neighbours a row; more than there are rows is cut to what there is */
	knng_device device;
	int ndevices; /* with KNNG_DEVICE_LIST: device numbers from 1 */
	int devices[KNNG_MAX_DEVICES];
	double max_memory;        /* host bytes beside input and output; 0: what the machine has free */
	double max_device_memory; /* bytes a device */
	int64_t tile;             /* rows a tile; 0: chosen */
	int threads;              /* 0: as many as OpenMP would use */
	/* Code of the CPU kernels: "avx512", "avx2" or "plain", with our own products; "blas": the best kernels this
	 * CPU runs with OpenBLAS's products; NULL or "auto": the best kernels, with whichever products are faster. For
	 * tests: no bit differs. */
	const char *target;
	const volatile sig_atomic_t *interrupt; /* polled; nonzero stops the run with KNNG_EINTERRUPTED; may be NULL */
	/* Called on the caller's thread a few times a second: stage name, fraction done of the stage. May be NULL. */
	void (*progress)(void *context, const char *stage, double fraction);
	void *progress_context;
} knng_options;

/* Where the answer goes: n (or m) x plan.k arrays of the caller. Element (i, c) lies at [i*row_stride + c*col_stride].
 * idx counts from index_base; a missing neighbour is index_base - 1 with distance NaN. */
typedef struct {
	void *idx;
	knng_type idx_type; /* KNNG_F64 (exact up to 2^53) or KNNG_I64 */
	int64_t index_base; /* 0 or 1 */
	void *dist;         /* may be NULL */
	knng_type dist_type;
	int64_t row_stride, col_stride;
} knng_output;

/* The steps of the ladder (docs/canonical.md, 8), and the stages that are timed. */
enum { KNNG_STEP_F16, KNNG_STEP_F32, KNNG_STEP_F64, KNNG_STEP_SCAN, KNNG_STEPS };
enum { KNNG_STAGE_PREPARE, KNNG_STAGE_FILTER, KNNG_STAGE_REFINE, KNNG_STAGE_SINK, KNNG_STAGES };
extern const char *const knng_step_name[KNNG_STEPS];
extern const char *const knng_stage_name[KNNG_STAGES];

/* Who makes single-precision products on the CPU: whoever is faster, or one of the two. */
enum { KNNG_BLAS_FASTER, KNNG_BLAS_YES, KNNG_BLAS_NO };

typedef struct knng_metric knng_metric; /* a row of the metric table, metric.h */

/* What a run will do and take; made by knng_plan_make, read-only afterwards. */
typedef struct {
	knng_matrix x;    /* references; in a graph the queries too */
	knng_matrix y;    /* queries; y.data == NULL in a graph */
	knng_options opt; /* as given */
	const knng_metric *metric;
	int64_t m;     /* rows of the answer */
	int64_t k;     /* columns of the answer: opt.k cut to what there is */
	int64_t ld;    /* columns of a prepared row: d rounded up to 8 */
	int64_t tile;  /* rows a tile */
	int64_t block; /* rows of the answer that are searched together: m, or fewer where a GPU has no room for more */
	bool single;   /* GPUs keep prepared rows in single precision, which loses nothing of them */
	int64_t panel; /* prepared rows that a GPU holds at a time: all, max (n, m), or fewer, which come again and
			  again */
	int64_t capacity; /* slots of a candidate list */
	int threads;
	const char *target;
	int blas;     /* KNNG_BLAS_… */
	double bytes; /* host memory that the run takes at most, beside input, output and BLAS's own buffers */
	double least; /* the least that would do */
	const struct knng_backend *backend;
	int ndevices; /* GPUs, counted from 0; 0: the CPU works */
	int devices[KNNG_MAX_DEVICES];
	double device_bytes; /* memory that the run takes on each of them */
	char why_cpu[160];   /* why no GPU is used */
} knng_plan;

typedef struct {
	char device[96]; /* "cpu (avx512, 2 threads)" */
	char why_cpu[160];
	double seconds[KNNG_STAGES], total;
	int64_t certified[KNNG_STEPS]; /* rows of the answer certified by each step */
	int64_t nonfinite, constant; /* rows of X and Y without distances: NaN or Inf; constant (or zero, for cosine) */
	int64_t points;              /* different prepared rows among the references */
	int64_t tile;                /* rows of a tile, as the run ended */
	int64_t blocks;              /* of rows that were searched one after the other */
	int64_t panels;              /* that prepared rows came to a GPU in */
	int threads;                 /* the same */
	double planned;              /* host bytes of the largest plan that was tried */
	int64_t refined;             /* canonical distances computed */
	double device_peak;          /* bytes on each GPU, beside CUDA's own */
	char fallback[320];          /* what failed on the way, and was done otherwise; or empty */
	double peak;                 /* host bytes held at once, measured */
	char product[16];            /* who made the tiles: "openblas", "own", … */
} knng_info;

/* Checks X, Y (NULL: a graph of X) and opt, chooses tile, capacity and threads, counts the memory. Does no work and
 * allocates nothing. To ask before there is any data, leave X->data NULL and Y->data anything else: X and Y then count
 * as memory still to be taken, and such a plan cannot be run. Errors: knng:args:…, knng:memory:host, knng:device:….
 * O(1). */
knng_status knng_plan_make(knng_plan *plan, const knng_matrix *X, const knng_matrix *Y, const knng_options *opt,
			   knng_err *err);

/* What will do the work, in words: "cpu (avx512, 2 threads)". */
void knng_plan_device(const knng_plan *plan, char *text, size_t size);

/* How many panels the prepared rows of such a plan make. */
int64_t knng_plan_panels(const knng_plan *plan);

/* What the elements of a matrix take. */
double knng_matrix_bytes(const knng_matrix *X);

/* Fills out with the exact neighbours. On any error nothing stays allocated and out's contents are undefined.
 * Cost: n*n*d operations for a graph (half of the square), 2*m*n*d for queries. info may be NULL. */
knng_status knng_run(const knng_plan *plan, const knng_output *out, knng_info *info, knng_err *err);

/* What knng_verify found. Rows count from 0, neighbours from 1 (0: none). */
typedef struct {
	int64_t nmalformed, checked, different;
	bool *malformed; /* [m] rows of the table that can be no answer, whatever the data are */
	const char *why; /* what is wrong with the first of these */
	int64_t *row;    /* [checked] rows that were computed again, ascending */
	bool *differs;   /* [checked] whether the table has something else; `different` of them */
	int64_t *idx;    /* [checked x k] what is right */
	double *dist;
} knng_proof;

/* Holds a table, which claims to be the answer of `plan`, against docs/canonical.md: looks at every row's form, and
 * computes `sample` rows (at most all), chosen by `seed` alike on every machine, again by a plain loop over all pairs
 * that shares no code with knng_run. Every bit counts; where X, Y or the table is single, the right distances are
 * rounded to single. Of the plan it uses x, y, metric, m, k, threads, interrupt and progress. Errors: knng:memory:host,
 * knng:interrupted; nothing stays allocated then. sample*n*d terms; 8*sample*(d + 2k) bytes, and some 20 MB. */
knng_status knng_verify(const knng_plan *plan, const knng_output *table, int64_t sample, uint64_t seed,
			knng_proof *proof, knng_err *err);
void knng_proof_free(knng_proof *proof); /* always safe on a zeroed or freed one */

/* The SHA-256 of the m x k answer in `table`, as 64 hexadecimal digits: int64 m and k, then of every row its k
 * neighbours (int64, counted from 1, 0 for none) and its k distances (double, a NaN as 0x7FF8000000000000), all
 * little-endian. So one answer has one hash, whatever arrays hold it. interrupt may be NULL. Errors: knng:args:idx,
 * knng:memory:host, knng:interrupted. O(mk). */
knng_status knng_hash(const knng_output *table, int64_t m, int64_t k, const volatile sig_atomic_t *interrupt,
		      char hex[65], knng_err *err);

/* From the list of n names the one nearest to `given` by edits (case ignored), or NULL if none is near. */
const char *knng_nearest_name(const char *given, const char *const *names, int n);

/* The metric names, aliases included, in table order; NULL past the end. */
const char *knng_metric_name(int i);

/* A line of metadata. */
typedef struct {
	const char *key;
	char **values;
	int64_t count;
	bool by_row;  /* one value a row; otherwise one a column, or as many as the file has */
	int64_t line; /* where it stands in the file */
} knng_meta;

/* X is nrows x ncols, column-major (ready for Octave), missing values NaN. */
typedef struct {
	int64_t nrows, ncols;
	double *X;
	char **names;   /* nrows row names, or NULL if the file has none */
	char **samples; /* ncols column names, or NULL */
	char **classes; /* ncols class labels as written, or NULL */
	knng_meta *meta;
	int64_t nmeta;
	char *text, **strings, **lists; /* own what the lists point into */
} knng_dataset;

/* A weighted graph of n nodes as a sparse matrix A: an edge i -> j of weight w is the entry A(i, j) = w. Column j has
 * the rows row[start[j]] … row[start[j + 1] - 1], ascending, nodes counted from 0. DBL_MIN stands for a weight of 0, as
 * knngraph gives it. */
typedef struct {
	int64_t n;
	bool directed;     /* of a file that was read: it says so, or cannot say otherwise */
	size_t *start;     /* n + 1 */
	size_t *row;       /* start[n] */
	double *weight;    /* start[n] */
	char **names;      /* n, or NULL */
	int64_t ngroups;   /* labels of groups */
	char **groups;     /* the labels */
	int64_t *group;    /* n: the group of each node, from 1; 0: none; or NULL */
	double *positions; /* x of every node, then y of every node, NaN: it has none; or NULL */
	char *text;        /* owns the bytes that the names and labels point into; NULL when they are the caller's */
} knng_graph;

/* What a file can hold; sums of them say what is wanted. */
typedef enum { KNNG_DATASET = 1, KNNG_GRAPH = 2 } knng_kind;

/* What a file holds: the member of its kind. */
typedef struct {
	knng_kind kind;
	const char *format; /* "nbi", … */
	knng_dataset data;
	knng_graph graph;
	knng_err warning; /* knng:data:metadata, the first of them */
	int64_t warnings; /* how many */
} knng_content;

/* Reads a text file, plain or gzipped, whose format is told by its content; docs/api.md has the formats. `kinds` says
 * what is wanted. Errors: knng:io:open, knng:io:format (with the line; also a file of another kind),
 * knng:io:truncated, knng:memory:host. */
knng_status knng_read(const char *path, int kinds, knng_content *content, knng_err *err);
void knng_content_free(knng_content *content); /* always safe on a zeroed or freed one */

typedef struct {
	const char *format; /* "knn", "gml", "graphml", "net", "mtx", "csv"; NULL: what the path ends in */
	enum {
		KNNG_DIRECTED_AUTO = 0,
		KNNG_DIRECTED,
		KNNG_UNDIRECTED
	} directed;                             /* auto: undirected if A is symmetric */
	const volatile sig_atomic_t *interrupt; /* polled; may be NULL */
} knng_write_options;

/* Writes a graph to a file, gzipped if the path ends in ".gz". The file appears when it is whole. `left_out` (NULL is
 * fine) gets the names of what the graph has and the format cannot hold, "" if nothing. Errors: knng:args:format,
 * knng:args:directed, knng:args:names, knng:args:idx, knng:io:open, knng:io:write, knng:memory:host, knng:interrupted.
 * O(n + edges); memory 16 bytes an edge. */
knng_status knng_write(const char *path, const knng_graph *g, const knng_write_options *opt, char left_out[64],
		       knng_err *err);
/* The same for a data set: formats "nbi", "csv", "tsv", "gct"; missing names of rows and columns are made up. Of the
 * options, `directed` has no meaning. O(nd). */
knng_status knng_write_data(const char *path, const knng_dataset *ds, const knng_write_options *opt, char left_out[64],
			    knng_err *err);
/* The names of the formats of graphs in order, NULL past the end. */
const char *knng_write_format(int i);

#ifdef __cplusplus
}
#endif
#endif
