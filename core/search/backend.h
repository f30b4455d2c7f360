/* backend.h  What a run shares between its stages, and what a backend must do. The CPU's is core/search/cpu/backend.c.
 *
 * A backend holds the prepared rows, their low-precision copies, the candidate lists and thresholds wherever it likes
 * (host or device); the core only ever sees points (points.h), blocks of them, and refined neighbours. */
#ifndef KNNG_BACKEND_H
#define KNNG_BACKEND_H

#include "base/sort.h"
#include "base/task.h"
#include "search/points.h"

#include <math.h>

typedef struct knng_backend knng_backend;

typedef struct knng_search {
	const knng_plan *plan;
	const knng_output *out;
	knng_info *info;
	const knng_backend *backend;
	void *state; /* the backend's */
	knng_points x, y;
	knng_points *query;             /* &x in a graph, &y otherwise */
	struct knng_prepared *prepared; /* where x stays for the next search; NULL: nowhere */
	int64_t known;    /* rows of x that the search before has left in state and x, prepared and grouped */
	int64_t split;    /* points of the first side, which come first; 0: one side (knng_options) */
	int64_t k;        /* neighbours sought a point: plan->k, or all that a point can have if they are fewer */
	int level;        /* a KNNG_LEVEL_… */
	bool triangle;    /* this level meets every pair of blocks once, for both sides */
	bool skips;       /* begin found that the level would do for few rows: it is passed over */
	int32_t *pending; /* query points of this level, ascending */
	int64_t npending, first_side; /* first_side: how many of them are of the first side, where there are two */
	knng_task task;
} knng_search;

/* Rows [first, first + count) of a list of points. */
typedef struct {
	int64_t first, count;
} knng_block;

struct knng_backend {
	const char *name;

	/* Claims what the plan says, fills info->device. After a failed open, close is called all the same. */
	knng_status (*open)(knng_search *w, knng_err *err);

	/* Prepares the rows of a matrix and groups them into points. queries: the second matrix of a search. The first
	 * points->known rows are there already. */
	knng_status (*load)(knng_search *w, const knng_matrix *matrix, knng_points *points, bool queries,
			    knng_err *err);

	/* The largest |x| of what was loaded, of metrics that leave rows as they are. NULL: it is not known. */
	knng_status (*largest)(const knng_search *w, double *largest, knng_err *err);

	/* Where pairs can be left out so that no level is needed: points[0 … *count) are all query points then,
	 * neighbours beside each other, and refine finds theirs at level KNNG_LEVEL_BOXES; otherwise *count is 0. NULL:
	 * never. */
	knng_status (*prune)(knng_search *w, int32_t *points, int64_t *count, knng_err *err);

	/* Makes ready for w->level over w->pending: copies of that precision, empty lists. Thresholds stay valid, and
	 * may be kept. May set w->skips. */
	knng_status (*begin)(knng_search *w, knng_err *err);

	/* Whether the filter has this level for the metric. The first one there is may meet every pair of a graph once.
	 */
	bool (*has_level)(const knng_search *w, int level);

	/* How many workers make tiles: threads, or devices. */
	int (*workers)(const knng_search *w);

	/* The level's block height (of w->pending) and width (of reference points). */
	void (*blocks)(const knng_search *w, int64_t *height, int64_t *width);

	/* One tile: rows of w->pending against reference points; what may belong to the lists of the rows goes there.
	 * both: the tile lies above the diagonal of a graph's first level and serves the columns' lists as well; a
	 * point is never its own candidate in a graph. Called by several workers at once. Where plan->opt.range is
	 * not NULL, which is for the CPU alone, there are no lists: what lies within the radius goes there, a point
	 * itself too; so it does in refine, which then leaves pairs and self as they are. */
	knng_status (*candidates)(knng_search *w, int worker, knng_block rows, knng_block columns, bool both,
				  knng_err *err);

	/* After the last tile of a level; may be NULL. */
	knng_status (*end_level)(knng_search *w, knng_err *err);

	/* Whether point p holds its certificate in this level; otherwise it escalates. */
	bool (*certified)(const knng_search *w, int32_t p);

	/* Brings the neighbours of the first *count of these certified points within the reach of refine, of fewer if
	 * it sets *count lower, and may begin to bring those after them. May be NULL: all are. */
	knng_status (*fetch)(knng_search *w, const int32_t *points, int64_t *count, knng_err *err);

	/* The w->k nearest of each of count points, a part of those that were fetched, by (distance, point),
	 * into pairs[c*w->k …]; where there are two sides perhaps fewer, and then pairs of index -1. self[c]: its
	 * distance to itself. Called by several workers at once. */
	knng_status (*refine)(knng_search *w, int worker, const int32_t *points, int64_t count, knng_pair *pairs,
			      double *self, knng_err *err);

	/* Frees all but what it leaves to w->prepared; safe at any time. */
	void (*close)(knng_search *w);
};

extern const knng_backend knng_backend_cpu;

/* Host bytes of the CPU backend under a plan with these choices; what it counts stands in docs/memory.md. */
double knng_cpu_bytes(const knng_plan *plan, int64_t tile, int64_t capacity, int threads);

/* What no two rows of a plan are farther apart than, in any column; INFINITY: nobody knows. */
static inline double
knng_reach(const knng_plan *plan)
{
	return plan->opt.reach > 0 ? plan->opt.reach : INFINITY;
}

/* Below so many rows a tree costs the CPU more than it saves, unless all pairs take unusually long. */
enum { KNNG_PRUNE_ROWS = 8000, KNNG_PRUNE_QUERIES = 4000 };
/* What the CPU backend takes beside that where it may prune (plan->prunes). */
double knng_boxes_bytes(const knng_plan *plan, int threads);

/* Where it may look at principal components first (plan->shortens). */
double knng_components_bytes(const knng_plan *plan, int threads);

/* Host bytes of run.c itself (size.c): lists of points, refined blocks on their way to the sink. */
double knng_run_bytes(const knng_plan *plan, int threads);

/* Of all answers of a search that gathers them. */
double knng_gathered_bytes(int64_t m, int64_t k);

/* Whether point p may have only n of w->k neighbours, since its other side has no more. */
bool knng_has_no_more(const knng_search *w, int32_t p, int64_t n);
/* The largest knng_options.within of the rows of point p; Inf if there is none. Where it is less than Inf a point may
 * have fewer than w->k neighbours too. */
double knng_within(const knng_search *w, int32_t p);

/* Runs job(w, worker, i, context, err) for i < jobs: knng_task_run (base/task.h) with w->task. */
typedef knng_status knng_search_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err);
knng_status knng_parallel(knng_search *w, int threads, int64_t jobs, knng_search_job *job, void *context,
			  knng_err *err);

/* Writes the answers of the rows of query point p. scratch: knng_sink_scratch(plan) int32. */
void knng_sink(const knng_search *w, int32_t p, const knng_pair *pairs, double self, int32_t *scratch);
/* The same of count points, whose neighbours are pairs[i*w->k …]. Column by column where it can be: points that are
 * neighbours are rows far apart, and each column lies in other pages of the memory. */
void knng_sink_some(const knng_search *w, const int32_t *points, int64_t count, const knng_pair *pairs,
		    const double *self, int32_t *scratch);
int64_t knng_sink_scratch(const knng_plan *plan);
/* Rows that have no distances: index 0, NaN. */
void knng_sink_empty(const knng_search *w, int64_t row);

#endif
