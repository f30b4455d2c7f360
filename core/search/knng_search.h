/* knng_search.h  Exact k-nearest-neighbour graphs and searches.
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
 * What the distances are, to the last bit: docs/canonical.md. One run at a time in a process (the counters of
 * base/sys.h are the process's). */
#ifndef KNNG_SEARCH_H
#define KNNG_SEARCH_H

#include "base/knng_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero means the default everywhere. */
typedef struct {
	const char *metric; /* a name or alias of the metric table; NULL: euclidean */
	int64_t k;          /* neighbours a row; more than there are rows is cut to what there is */
	knng_devices device;
	double max_memory;        /* host bytes beside input and output; 0: what the machine has free */
	double max_device_memory; /* bytes a device */
	/* Of a graph: rows [0, split) and the others are two sides, and a row seeks its neighbours among the rows of
	 * the other side alone; each pair is met once, for both. 0: one side, every row among all. */
	int64_t split;
	const double *within; /* [n] or NULL, with a split: no neighbour farther than that is sought, though some may
				 be given; NaN or Inf: any */
	/* With a split, or before one: rows of the search before; of a searcher its references; or NULL. */
	struct knng_prepared *prepared;
	struct knng_range *range; /* all rows within a radius are sought, in place of the k nearest (range.h); or NULL.
				     Neither k nor an output counts then */
	int prune;                /* KNNG_PRUNE_… */
	int components;           /* the same: whether pairs are left out by some principal components */
	int separate;             /* the same: whether clusters far apart are searched one by one (separate.h) */
	/* Of such a part of a search: row i of the answer is row answer_of[i] of the output, and reference j is written
	 * as reference_of[j]; NULL: they are what they are. */
	const int32_t *answer_of, *reference_of;
	double reach; /* of the same: no two rows are farther apart than that in any column; 0: nobody knows */
	int rows;     /* KNNG_ROWS_ALL or KNNG_ROWS_PAIRWISE: what a NaN means */
	/* Of KNNG_ROWS_PAIRWISE: how many columns two rows must share to have a distance; 0: 3, or all if they are
	 * fewer. */
	int64_t least_shared;
	/* Of the same, or NULL: gets how many columns each neighbour of the answer and its row share, 0 where there is
	 * none; laid out as the output. */
	double *shared;
	/* Bytes that the caller holds, or will before the run, for this search alone, such as a copy of X: they count
	 * as the search's. */
	double held;
	uint8_t *levels; /* [rows of the answer] or NULL: gets of each 1 + the precision level that certified it;
			    one without distances is left as it is */
	int64_t tile;    /* rows a tile; 0: chosen */
	/* Code of the CPU kernels: "avx512", "avx2" or "plain", with our own products; "blas": the best kernels this
	 * CPU runs with OpenBLAS's products; NULL or "auto": the best kernels, with whichever products are faster. For
	 * tests: no bit differs. */
	const char *target;
	/* Of graphs from blocks (blocks/blocks.h): a folder where what is found is kept, or NULL; and after how many
	 * seconds it is saved again, 0: 600, or 50 times what saving takes. */
	const char *checkpoint;
	double save_every;
	void (*tell)(const char *text); /* of the same: takes a line that the user should see at once; or NULL */
	const char *output; /* of the same: the file that the graph is written to (io/graph_file.h); NULL: none */
	/* Of that file: called when all is in it, under the name that it has until it is done; what it says stands for
	 * the whole search. NULL: nothing is. */
	knng_status (*written)(void *context, const char *part, knng_err *err);
	void *written_context;
	knng_task task; /* threads, Ctrl-C, progress */
} knng_options;

/* The precision levels of the filter (docs/canonical.md, 8), pruning in their place (10 there), and the stages that are
 * timed. */
enum { KNNG_LEVEL_F16, KNNG_LEVEL_F32, KNNG_LEVEL_F64, KNNG_LEVEL_SCAN, KNNG_LEVEL_BOXES, KNNG_LEVELS };
enum { KNNG_STAGE_PREPARE, KNNG_STAGE_FILTER, KNNG_STAGE_REFINE, KNNG_STAGE_SINK, KNNG_STAGES };
extern const char *const knng_level_name[KNNG_LEVELS];
extern const char *const knng_stage_name[KNNG_STAGES];

/* Whether the CPU leaves out pairs by boxes around neighbouring rows: where that gains, always, never. */
enum { KNNG_PRUNE_AUTO, KNNG_PRUNE_ON, KNNG_PRUNE_OFF };

/* What NaN means: a row that has one has no distances; columns that have one are left out, which knng_complete does
 * before a search (rows/complete.h); two rows are compared over the columns that both have (docs/canonical.md, 12). */
enum { KNNG_ROWS_ALL, KNNG_ROWS_COMPLETE, KNNG_ROWS_PAIRWISE };

/* Who makes single-precision products on the CPU: whoever is faster, or one of the two. */
enum { KNNG_BLAS_FASTER, KNNG_BLAS_YES, KNNG_BLAS_NO };

typedef struct knng_metric knng_metric; /* a row of the metric table, metric.h */

/* What is asked for: the k nearest rows of x for every row of y, or for every row of x the k nearest others. */
typedef struct {
	knng_matrix x; /* references; in a graph the queries too */
	knng_matrix y; /* queries; y.data == NULL in a graph */
	const knng_metric *metric;
	int64_t m;            /* rows of the answer */
	int64_t k;            /* columns of the answer: what was asked for, cut to what there is */
	int64_t least_shared; /* knng_ask leaves it 0: NaN is no missing value. Else rows are compared over the columns
				 that both have, at least so many */
} knng_question;

/* Checks sizes, metric (a name or alias; NULL: euclidean) and k, and fills q. Y may be NULL: a graph of X. Errors:
 * knng:args:empty, :rows, :columns, :k, :metric. O(1). */
knng_status knng_ask(knng_question *q, const knng_matrix *X, const knng_matrix *Y, const char *metric, int64_t k,
		     knng_err *err);

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
	bool grids;    /* and copies in whole numbers, of metrics that are no products */
	int64_t panel; /* prepared rows that a GPU holds at a time: all, max (n, m), or fewer, which come again and
			  again */
	int64_t capacity;     /* slots of a candidate list */
	int64_t least_shared; /* columns that two rows must share, where NaN is a missing value */
	bool filters;         /* of such a search: copies bound distances, and there is memory for them */
	bool prunes;          /* the run may prune: it is large enough, and there is memory for it */
	const char *why_all;  /* why it may not, or NULL */
	bool shortens;        /* it may look at principal components first, likewise */
	bool gathers;         /* and if it does, answers wait until there are all, to be written row after row */
	bool separates;       /* the run may take clusters far apart one by one (separate.h), */
	bool separates_later; /* and find them when all rows are loaded */
	int threads;
	const char *target;
	int blas;      /* KNNG_BLAS_… */
	double bytes;  /* host memory that the run takes at most, beside input, output and BLAS's own buffers */
	double tables; /* of these, those of a radius on GPUs (size.h) */
	double least;  /* the least that would do */
	const struct knng_backend *backend;
	int ndevices; /* GPUs, counted from 0; 0: the CPU works */
	int devices[KNNG_MAX_DEVICES];
	double device_bytes; /* memory that the run takes on each of them */
	char why_cpu[160];   /* why no GPU is used */
} knng_plan;

typedef struct {
	char device[96];   /* "cpu (avx512, 2 threads)" */
	char why_cpu[520]; /* why no GPU was used, not all of them, or not all precision levels; or empty */
	double seconds[KNNG_STAGES], total;
	int64_t certified[KNNG_LEVELS]; /* rows of the answer certified by each level */
	int64_t nonfinite, constant; /* rows of X and Y without distances: NaN or Inf; constant (or zero, for cosine) */
	int64_t nonfinite_queries, constant_queries; /* of these, where all rows were searched together: those of Y */
	int64_t fewer;      /* other rows of the answer that have fewer than k neighbours, where NaN is a missing
			       value */
	int64_t points;     /* different prepared rows among the references */
	int64_t tile;       /* rows of a tile, as the run ended */
	int64_t blocks;     /* of rows that were searched one after the other */
	int64_t panels;     /* that prepared rows came to a GPU in */
	int threads;        /* the same */
	double planned;     /* host bytes of the largest plan that was tried */
	int64_t refined;    /* canonical distances computed; with boxes pairs of rows, or copies, that were compared */
	double device_peak; /* bytes on each GPU, beside CUDA's own */
	char fallback[320]; /* what failed on the way, and was done otherwise; or empty */
	char skipped[200];  /* why GPUs skipped precision levels, or empty; part of why_cpu, too */
	double peak;        /* host bytes held at once, measured */
	double resumed;     /* part of all distances that a checkpoint had */
	int64_t separated;  /* clusters that were searched one by one; 0: all rows together */
	char pruned[320];   /* whether pairs were left out by boxes, and why or why not; or empty */
	int64_t components; /* by so many principal components most pairs were left out; 0: by none */
	char unsaved[320];  /* why a checkpoint could not be saved, or empty */
	char product[16];   /* who made the tiles: "openblas", "own", … */
} knng_info;

/* The data of a matrix that a plan is made for, and that lies elsewhere. */
extern const char knng_elsewhere;

/* Checks X, Y (NULL: a graph of X) and opt, chooses tile, capacity and threads, counts the memory. Does no work and
 * allocates nothing. To ask before there is any data, leave X->data NULL and Y->data anything else: X and Y then count
 * as memory still to be taken, and such a plan cannot be run. Errors: knng:args:…, knng:memory:host, knng:device:….
 * O(1). */
knng_status knng_plan_make(knng_plan *plan, const knng_matrix *X, const knng_matrix *Y, const knng_options *opt,
			   knng_err *err);

/* What will do the work, in words: "cpu (avx512, 2 threads)". */
void knng_plan_device(const knng_plan *plan, char *text, size_t size);

/* The devices of a plan, to be asked for by name in another search, whatever 'auto' would choose there. */
knng_devices knng_plan_devices(const knng_plan *plan);

/* How many panels the prepared rows of such a plan make. */
int64_t knng_plan_panels(const knng_plan *plan);

/* What the elements of a matrix take: of rows that pairs make, those that they are made of. */
double knng_matrix_bytes(const knng_matrix *X);

/* Fills out with the exact neighbours. On any error nothing stays allocated and out's contents are undefined.
 * Cost: n*n*d operations for a graph (half of the square), 2*m*n*d for queries. info may be NULL. */
knng_status knng_run(const knng_plan *plan, const knng_output *out, knng_info *info, knng_err *err);

/* The metric names, aliases included, in table order; NULL past the end. */
const char *knng_metric_name(int i);

#ifdef __cplusplus
}
#endif
#endif
