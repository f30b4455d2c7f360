/* lloyd.h  What the parts of knng_kmeans share. The numbers of inequalities are those of docs/centres.md. */
#ifndef KNNG_LLOYD_H
#define KNNG_LLOYD_H

#include "base/sys.h"
#include "rows/centres.h"
#include "rows/kmeans.h"
#include "search/cpu/kernels.h"
#include "search/points.h"
#include "search/source.h"
#include "topk/select.h"

#include <math.h>

enum {
	LLOYD_ROWS = 512,      /* rows of a job */
	LLOYD_DRAW = 1024,     /* rows of a block in k-means++: part of the definition */
	LLOYD_SAMPLE = 4096,   /* the least points of a sample there; likewise */
	LLOYD_WORTH = 1000000, /* operations that make a thread worth waking */
	LLOYD_SCRATCH = 4      /* rows of scratch that prepare takes */
};

/* A centre as the filter sees it: a row of copies, and bounds of its scores. */
typedef struct {
	double half, slack; /* |y|^2 / 2; b of (C7) */
} knng_lloyd_bound;

typedef struct {
	double *sums;     /* [k x 3*ld] what rows that moved change in the sums of the clusters */
	int64_t *size;    /* [k] and in their sizes */
	bool *touched;    /* [k] */
	double *scratch;  /* [(LLOYD_SCRATCH + 1) x ld] preparing */
	double *high;     /* [ld] the largest |u| of each column */
	double *distance; /* [k, or LLOYD_DRAW] */
	int32_t *list;    /* the same */
	float *scores;    /* [CENTRES_ROWS x panels*16] */
	uint64_t *key;    /* [2 x n] of medians */
	int64_t changed;  /* rows that moved */
	double computed;  /* distances, as scores or exactly */
	int64_t constant; /* rows without distances that are finite */
} knng_lloyd_worker;

typedef struct {
	knng_task *task;
	const knng_matrix *X;
	const knng_kmeans_how *how;
	const knng_metric *metric;
	const knng_kernels *kernels;
	const knng_centres_loops *loops;
	int64_t n, d, ld, k, rows; /* rows: those with distances */
	int threads;
	bool bounded;      /* no distance overflows: bounds hold */
	bool fast;         /* and rows have copies in single precision, whose products are filtered */
	double delta, tau; /* (C5) */

	double *u;      /* [n x ld] prepared rows */
	int32_t *own;   /* [n] the row's cluster, -1: it has no distances, UNKNOWN: none yet */
	int32_t *was;   /* [n] before this iteration */
	double *upper;  /* [n] the root of the row's distance to its centre is no larger, 5 */
	double *lower;  /* [n] that to every other centre is no smaller */
	double *far;    /* [n] final distances to the own centre; k-means++: to the nearest start */
	int32_t *order; /* [n] rows by clusters, for medians, */
	int64_t *end;   /* [k] and where each cluster's end */

	/* The filter. */
	int64_t ldf;           /* columns of a copy: d up to a multiple of 16 */
	float *copy;           /* [n x ldf] */
	knng_lloyd_bound *row; /* [n] half, and a of (C7) */
	double *shift;         /* [ld] subtracted before rows are copied */
	double unit, per_unit; /* 2^E and 2^-E */
	double acc;            /* as (6.2) of canonical.md */
	int64_t panels;
	float *panel;            /* [panels x 16*d] copies of the centres */
	float *base;             /* [panels x 16] */
	float *flat;             /* [k x ldf] the same copies, row after row */
	knng_lloyd_bound *bound; /* [k] */

	/* The centres. */
	double *c;      /* [k x ld] */
	double *v;      /* [k x ld] prepared */
	double *before; /* [k x ld] v of the iteration before */
	double *moved;  /* [k] no less than the root of the distance from there */
	double *apart;  /* [k] no more than that to the nearest other centre */
	bool *gone;     /* [k] dropped */
	int32_t *there; /* [alive] those that are not, ascending */
	int64_t alive;
	int32_t most;              /* the centre that moved farthest, */
	double farthest, next;     /* how far, and how far the next */
	int64_t *size;             /* [k] rows of each cluster */
	bool *touched;             /* [k] whether rows came or went */
	double *down;              /* [ld] 2^-e of the columns, (C1) */
	int *exponent;             /* [ld] e */
	double *sums;              /* [k x 3*ld] */
	knng_lloyd_worker *worker; /* [threads] */
	double largest;            /* max|u| */

	/* Where single rows move at the end. */
	double *length;     /* [k] of the sum of each cluster's rows; no medians */
	double *low, *high; /* [k x ld] the two numbers in the middle of each column, which may be one; medians */

	/* The best so far, where there are several replicates. */
	double *best_v;
	bool *best_gone;
} knng_lloyd;

enum { LLOYD_NONE = -1, LLOYD_UNKNOWN = -2 };

/* The sum's root, in which the triangle inequality holds. */
static inline double
knng_lloyd_root(const knng_lloyd *k, double sum)
{
	return k->metric->sum == KNNG_SUM_L1 ? sum : sqrt(sum);
}

/* (C4): no less and no more than the root of the real sum, from the computed one. */
static inline double
knng_lloyd_above(const knng_lloyd *k, double sum)
{
	return knng_lloyd_root(k, knng_wide(k->d, sum)) * (1 + 0x1p-50);
}

static inline double
knng_lloyd_below(const knng_lloyd *k, double sum)
{
	double dd = (double)k->d, least = sum / (1 + (dd / 4 + 64) * 0x1p-52) - 8 * (dd + 8) * 0x1p-1074;
	return least > 0 ? knng_lloyd_root(k, least) * (1 - 0x1p-50) : 0;
}

/* (C5): the computed sum of a pair whose root is at most `upper` is smaller than that of one with at least `lower`. */
static inline bool
knng_lloyd_surely(const knng_lloyd *k, double upper, double lower)
{
	return upper * k->delta + k->tau < lower;
}

/* ---- assign.c */

/* (C7): the copy of a row or a centre, element l at to[l*stride]. */
knng_lloyd_bound knng_lloyd_copy(const knng_lloyd *k, const double *u, float *to, int64_t stride);

/* Makes ready for k->v: copies, how far centres have moved and are apart. first: nothing is known of the rows. */
knng_status knng_lloyd_ready(knng_lloyd *k, bool first, knng_err *err);

/* Every row goes to its nearest centre. *changed: how many went to another one. Workers have what that does to the
 * sums. */
knng_status knng_lloyd_assign(knng_lloyd *k, int64_t *changed, knng_err *err);

/* k->far, of all rows with distances. */
knng_status knng_lloyd_distances(knng_lloyd *k, knng_err *err);

/* ---- means.c */

/* Sums, sizes and `touched` from what the workers have of moves, which is then nothing. */
void knng_lloyd_gather(knng_lloyd *k);
/* Row i moves, from a cluster or from none. */
void knng_lloyd_move(const knng_lloyd *k, knng_lloyd_worker *w, int64_t i, int32_t from, int32_t to);
/* k->c and k->v of the clusters as they are. */
knng_status knng_lloyd_means(knng_lloyd *k, knng_err *err);
/* k->v of row j from k->c; false: it has no distances, and v stays. */
bool knng_lloyd_prepare(knng_lloyd *k, int64_t j);

/* ---- online.c */

/* Single rows move while that lowers the sum of distances, in at most `most` passes over all rows: how many there were,
 * and whether none moved in the last. Changes own, sums, sizes, k->c and k->v. */
knng_status knng_lloyd_online(knng_lloyd *k, int64_t most, int64_t *passes, bool *converged, knng_err *err);

/* ---- starts.c */

/* Bytes that the next takes beside what there is. */
double knng_lloyd_draw_needs(int64_t n, int64_t k);
/* k->c and k->v: greedy k-means++ by k random numbers. Changes own and far. */
knng_status knng_lloyd_draw(knng_lloyd *k, const double *draw, knng_err *err);

#endif
