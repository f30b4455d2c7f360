/* heat.h  The weights of a symmetric graph of distances, as knng.diffusionmap takes them: one scale s for all of them,
 * which is found from the graph. */
#ifndef KNNG_HEAT_H
#define KNNG_HEAT_H

#include "graph/adjacency.h"

/* Distances are counted in bins of a 128th of a power of 2: a distance d above DBL_MIN in that of round (128*log2 (d)),
 * the first of which is KNNG_BIN_FIRST. */
enum { KNNG_BIN_FIRST = -1022 * 128, KNNG_BINS = (1024 + 1022) * 128 + 1 };

typedef struct {
	int64_t bin[KNNG_BINS];
	int64_t zeros; /* distances up to DBL_MIN */
	int64_t unfit; /* infinite ones, and those of nodes to themselves: they are in no other number */
} knng_bins;

/* Of the n x n distances U. O(entries), 2 MB a thread. Errors, here and below: knng:memory:host, knng:interrupted. */
knng_status knng_bins_count(knng_task *task, const knng_sparse *U, knng_bins *bins, knng_err *err);

/* Of the nodes in `which`, [n], 0 and 1, those stay whose weights exp (-d^2/s^2), d in their column, sum to less than
 * 1, or, where there is a single one, than 1/2. O(entries). */
knng_status knng_heat_wanting(knng_task *task, const knng_sparse *U, double s, uint8_t *which, knng_err *err);

/* The weights that are at least `floor`, above 0. First the starts of columns, [n + 1], of which the last is how many
 * there are; then, with room for them, W. O(entries). */
knng_status knng_heat_count(knng_task *task, const knng_sparse *U, double s, double floor, size_t *start,
			    knng_err *err);
knng_status knng_heat_fill(knng_task *task, const knng_sparse *U, double s, double floor, knng_sparse *W,
			   knng_err *err);

#endif
