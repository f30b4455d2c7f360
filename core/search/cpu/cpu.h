/* cpu.h  What the parts of the CPU backend share.
 *
 * It holds each matrix twice: prepared rows u in double, row-major, for the canonical distances, and a copy rounded to
 * single for the filter. A tile is T x T scores in L2, made and compared by one thread (tiles.c); what may
 * belong to a list goes into it under the lock of the tile's row (or column) block (lists.c). The names of the bounds
 * (h, eps, sigma, radius) and the numbers of inequalities are those of docs/canonical.md, 6 to 8. */
#ifndef KNNG_CPU_H
#define KNNG_CPU_H

#include "search/backend.h"
#include "search/bounds.h"
#include "search/cpu/kernels.h"

#include <math.h>
#include <pthread.h>

enum {
	ROWS_F64 = 128, /* tile height of the double-precision level */
	COLUMNS_F64 = 512,
	ROWS_SCAN = 4, /* of the canonical level */
	COLUMNS_SCAN = 2048,
	LONGEST_JOB = 1 << 30, /* multiply-adds: a second of plain C */
	DISTANCES = 16,        /* a list may spend so many distances: one for that many rows, and 4 for each slot */
};

/* One matrix as points. */
typedef struct {
	int64_t count;
	double *u;    /* [rows * ld] prepared, 64-byte aligned rows */
	float *copy;  /* [count up to 16 * d] rounded to single: micro-panels of 16 rows, or row-major for OpenBLAS */
	double *half; /* [count] h */
	double *eps;  /* [count] eps of the single-precision level */
	float *base;  /* [count] h - eps, rounded down */
	float *slack; /* [count] knng_slack32, rounded up */
} knng_cpu_operand;

/* What a worker has for itself. */
typedef struct {
	double *scratch; /* [4 * ld] preparing */
	double largest;  /* |x| of the rows this worker prepared */
	bool integers;   /* all of them integers */
	int64_t refined; /* canonical distances made */
	float *v;        /* [T * (T + 16)] the tile */
	double *y, *v64; /* the double level: rows and columns, and their tile */
	float *row_threshold, *row_base, *column_threshold, *column_base; /* [T + 16] the tile's own copies */
	float *short_row, *short_column, *short_base; /* [T + 16] of components: thresholds, and the columns' base */
	float *best;                                  /* [T + 16] group_best */
	uint64_t *best_key;                           /* [T + 16] */
	knng_hit *row_hits, *column_hits;             /* [hits] */
	double *sums;                                 /* [capacity or COLUMNS_SCAN] */
	int32_t *columns;                             /* the same */
	knng_pair *pairs;                             /* [2 * capacity] */
} knng_cpu_worker;

typedef struct {
	const knng_kernels *kernels;
	knng_tile_kind kind;
	bool blas;        /* OpenBLAS makes the products of the single-precision level, */
	bool blas64;      /* and of the double one */
	int blas_threads; /* what it had */
	bool blas_claimed;
	knng_cpu_operand x, y, *query;

	/* y = u * scale - centre; sums are 2^sigma times (h - q). */
	double *centre;
	double scale;
	int sigma;
	bool exact; /* integers: eps = 0 */

	/* What stays for the next search (prepared.h) beside x and what is above. */
	double largest; /* |x| of the rows that were prepared when it was opened */
	bool integers;  /* all of these are */
	int exponent;   /* E of the copies; */
	bool whole;     /* whether they are of small integers, */
	bool for_blas;  /* and row after row; */
	int64_t copied; /* points of x that have one from the search before */

	/* The lists, one a query point. */
	int64_t capacity, tile, width, hits;
	uint64_t *slots;        /* [count * capacity] knng_key */
	int32_t *used;          /* slots in use */
	float *threshold;       /* A, rounded down, less the offset; INFINITY: escalated or closed */
	int32_t *bound;         /* columns from here on are not needed (exact: at the threshold's score) */
	double *radius;         /* no pair whose real sum exceeds it is needed */
	double *offset;         /* subtracted from scores of the double level */
	int64_t *refined;       /* canonical distances spent on the row in this level */
	pthread_mutex_t *locks; /* one a block of height rows */
	int64_t nlocks, height;

	struct knng_boxes *boxes[2];        /* of all references, or of each side; or NULL */
	struct knng_components *components; /* or NULL */
	knng_cpu_worker *workers;
	int nworkers;
} knng_cpu;

static inline int64_t
knng_up_to_panels(int64_t count)
{
	return (count + MICRO_PANEL - 1) / MICRO_PANEL * MICRO_PANEL;
}

/* Where the first number of the copy of point i lies, and MICRO_PANEL numbers on, or one, the next. */
static inline float *
knng_copy_of(const knng_cpu *c, float *copies, int64_t i, int64_t d)
{
	return c->blas ? copies + i * d : copies + i / MICRO_PANEL * MICRO_PANEL * d + i % MICRO_PANEL;
}

static inline float
knng_round_down(double x)
{
	float f = (float)x;
	return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static inline float
knng_round_up(double x)
{
	return -knng_round_down(-x);
}

/* eps of a query or reference row in this level. The double level adds the rounding of its own scores. */
static inline double
knng_eps_of(const knng_search *w, const knng_cpu_operand *s, int64_t i, double offset)
{
	return w->level == KNNG_LEVEL_F32 ? s->eps[i] : knng_eps64(w->plan->x.d, s->half[i], offset);
}

/* ---- copies.c */

/* The largest |x| of all rows, and whether all are of integers. */
double knng_cpu_extent(const knng_search *w, knng_cpu *c, bool *integers);
/* How copies are made; if that is another way than before, none is left. */
void knng_cpu_centre(knng_search *w);
/* All copies that are not there yet, their bounds too. */
knng_status knng_cpu_copy(knng_search *w, knng_err *err);
/* eps of a row's copy at the single-precision level, with (6.2). */
double knng_cpu_eps(const knng_search *w, const knng_measure *m);

/* ---- lists.c. Blocks are of w->pending, or of reference points where a graph's first level serves both sides. */

double knng_lists_bytes(const knng_plan *plan, int64_t capacity);
bool knng_lists_open(knng_cpu *c, const knng_plan *plan);
void knng_lists_close(knng_cpu *c);

/* Empty lists for w->level; thresholds from the radii of the levels before. height: of a block. */
knng_status knng_lists_begin(knng_search *w, int64_t height, knng_err *err);

/* The thresholds of a block, as they are now; INFINITY for rows that are closed before column `first`. */
void knng_lists_thresholds(const knng_search *w, knng_block block, int64_t first, float *threshold);

/* What the scores of components (components.h) of a block have to come to, as lists are now: eps is theirs, of all
 * points of that side. False: some row has no threshold yet. */
bool knng_lists_short_thresholds(const knng_search *w, knng_block block, int64_t first, const double *eps,
				 float *threshold);

/* First thresholds of rows that have none, from a tile of scores; in the lists and in s->row_threshold. */
void knng_lists_first_thresholds(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns);

/* The largest sum that row p of w->pending, one of block, still takes. */
double knng_lists_limit(const knng_search *w, knng_block block, int64_t p);

/* Hits go to the lists of their block; `others` is where the other index starts. */
void knng_lists_add(const knng_search *w, knng_cpu_worker *s, const knng_hit *hits, int64_t n, knng_block block,
		    int64_t others);

/* The canonical distances of point i's list, after what its scores prove has been left out of it: sorted by (distance,
 * column) in s->pairs. How many there are. Nobody else may use the list. */
int64_t knng_lists_refine(const knng_search *w, knng_cpu_worker *s, int64_t i);

/* ---- tiles.c */

/* Buffers of a worker. */
double knng_worker_bytes(const knng_plan *plan, int64_t tile, int64_t capacity);
bool knng_worker_open(knng_cpu_worker *s, const knng_plan *plan);
void knng_worker_close(knng_cpu_worker *s);

/* Pairs that a worker keeps before they go to the lists. */
int64_t knng_worker_hits(int64_t tile);

/* How many columns a product in single precision takes at a time, which bounds the error of its sums. */
int64_t knng_slices(int64_t d);

/* Claims what the double-precision level needs. */
knng_status knng_tiles_begin_f64(knng_search *w, knng_err *err);

/* One tile of a level: its scores, compared with the thresholds (backend.h, candidates). */
knng_status knng_tile_f32(knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns, bool both,
			  knng_err *err);
void knng_tile_f64(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns);
void knng_tile_scan(const knng_search *w, knng_cpu_worker *s, knng_block rows, knng_block columns);

#endif
