/* range.h  What a radius search finds: of every row of the answer all rows within the radius, however many they are.
 *
 *     knng_range found = {.radius = 0.5};
 *     knng_options opt = {.metric = "pearson", .range = &found};
 *     if (knng_plan_make(&plan, &X, &Y, &opt, &err) == KNNG_OK && knng_run(&plan, NULL, &info, &err) == KNNG_OK) ...
 *     knng_range_close(&found);
 *
 * Workers put pairs of points into chunks of their own, in any order. When all is found, the pairs are laid out by
 * query and sorted, and points become rows again as they are written. Nobody knows beforehand how many there will be:
 * what they take is counted as they come, and the search ends before there is no room for them. */
#ifndef KNNG_RANGE_H
#define KNNG_RANGE_H

#include "base/sort.h"
#include "search/points.h"

/* A row of the answer, and a reference within the radius, as points. */
typedef struct {
	double distance;
	int32_t query, point;
} knng_near;

typedef struct knng_chunk {
	struct knng_chunk *before;
	int64_t count, room;
	knng_near near[];
} knng_chunk;

/* What one worker has found. */
typedef struct {
	knng_chunk *chunk;
	knng_status status; /* why it can take no more */
	knng_err err;
} knng_range_part;

typedef struct knng_range {
	/* What is asked for. */
	double radius; /* 0 or more; Inf: all that have a distance */
	int64_t most;  /* where there are more pairs than that the search ends with knng:args:radius, as soon as that
			  is plain; 0: any number */
	/* What the caller will have taken for each pair and each row of the answer when all this is freed. */
	double bytes_a_pair, bytes_a_row;

	/* What was found: of query point p pairs[first[p]] to pairs[first[p + 1]], by (distance, point), in a graph the
	 * point itself among them. */
	knng_pair *pairs;
	int64_t *first;  /* [points + 1] */
	int64_t *count;  /* [points] rows that these are for a row of the point; in a graph without itself */
	int64_t rows;    /* of the answer */
	int64_t total;   /* pairs of rows */
	int64_t longest; /* most of one row */
	double bytes;    /* held at most for all this */
	bool graph;
	bool lent; /* x is a searcher's, which has to live until this is closed */
	knng_points x, y;

	/* While it is found. */
	knng_range_part *part;
	int parts;
	int64_t points;     /* pairs that there is room for, of all workers */
	knng_chunk **chunk; /* [chunks] of all workers, when all is found */
	int64_t chunks;
	double limit; /* bytes that they may take; Inf: what the machine has */
	double asked; /* the 'MaxMemory' that this comes from, for messages */
} knng_range;

/* What so many pairs take, at most, of that many rows of the answer, none of which is near to far more than the others;
 * beside the plan of the search, and what the caller makes of them. */
double knng_range_bytes(double pairs, double rows, int threads);

/* Makes ready for that many workers; drops what was found before. */
knng_status knng_range_open(knng_range *f, int workers, double limit, double asked, knng_err *err);

/* Makes room for more pairs of a worker. False: there is none, and knng_range_status says why. */
bool knng_range_more(knng_range *f, knng_range_part *part);

/* A pair that `worker` has found. False as above. */
static inline bool
knng_range_put(knng_range *f, int worker, knng_near near)
{
	knng_range_part *part = &f->part[worker];
	if ((part->chunk == NULL || part->chunk->count == part->chunk->room) && !knng_range_more(f, part))
		return false;
	part->chunk->near[part->chunk->count++] = near;
	return true;
}

/* What keeps a worker from putting more; KNNG_OK: nothing. */
knng_status knng_range_status(const knng_range *f, int worker, knng_err *err);

/* Whether the caller wants so many: else the error knng:args:radius. */
knng_status knng_range_want(const knng_range *f, double pairs, knng_err *err);

/* When all are found: lays them out by query, and sorts them. Takes x, unless it is `lent`, and y (a graph has none)
 * over, and leaves zeros. Errors: knng:memory:host, knng:args:maxMemory, where there is no room for them, or for what
 * the caller will make of them. O(pairs * log (those of one row)). */
knng_status knng_range_finish(knng_range *f, knng_points *x, bool lent, knng_points *y, knng_task *task, int threads,
			      knng_err *err);

/* The same where every row is a point: of n references, and of m queries, or of a graph where m is negative. */
knng_status knng_range_finish_rows(knng_range *f, int64_t n, int64_t m, knng_task *task, int threads, knng_err *err);

/* How many rows are within the radius of that row of the answer. */
int64_t knng_range_count(const knng_range *f, int64_t row);

/* Those of one row, by (distance, index from 0): as many as count says into rows; scratch holds as many too. */
void knng_range_row(const knng_range *f, int64_t row, knng_pair *rows, knng_pair *scratch);

/* Writes them all into one row of out, which has f->total columns: those of the first row of the answer by (distance,
 * index), then those of the second, and so on. */
knng_status knng_range_write(const knng_range *f, const knng_output *out, knng_task *task, int threads, knng_err *err);

/* Whether a distance is within the radius; what the tests must find: that those just as far are left out. */
#ifdef KNNG_PLANT_RADIUS
#define KNNG_WITHIN(distance, radius) ((distance) < (radius))
#else
#define KNNG_WITHIN(distance, radius) ((distance) <= (radius))
#endif

void knng_range_close(knng_range *f); /* safe on zeros, and twice */

#endif
