/* neighbours.h  The nearest neighbours of rows found so far: lists that are merged, in any order, into the same ones.
 */
#ifndef KNNG_NEIGHBOURS_H
#define KNNG_NEIGHBOURS_H

#include "base/task.h"

/* Lists of the n rows of the data from `first` on, k places each: sorted by (distance, index), indices from 0; behind
 * the last a distance of Inf and the index -1. Functions count rows as the data does. */
typedef struct {
	int64_t n, k, first;
	int threads;      /* that clear and write them; 0: all */
	double *distance; /* [n * k] */
	int32_t *index;   /* [n * k] */
	uint8_t *level;   /* [n] the highest precision level, + 1, that a row needed yet; 0: it has no distances */
} knng_neighbours;

/* Empty lists of rows from 0 on. Errors: knng:memory:host. Memory: knng_neighbours_bytes. */
double knng_neighbours_bytes(int64_t n, int64_t k);
knng_status knng_neighbours_make(knng_neighbours *l, int64_t n, int64_t k, int threads, knng_err *err);
void knng_neighbours_clear(knng_neighbours *l, int64_t first, int64_t end); /* empties the lists of rows [first, end) */
void knng_neighbours_free(knng_neighbours *l);                              /* safe on zeros, and twice */

/* Merges `count` neighbours, sorted by (distance, index), into the list of a row, which keeps its k first. One that is
 * there already, by distance and index, is dropped: so a pair of blocks may be met twice, and the order in which pairs
 * are met does not matter. Room: k places in which the merge works. O(k). */
void knng_neighbours_merge(knng_neighbours *l, int64_t row, const double *distance, const int32_t *index, int64_t count,
			   double *room, int32_t *index_room);

/* The distance beyond which a row needs no more neighbours: of its k-th, or Inf while it has fewer. */
static inline double
knng_neighbours_within(const knng_neighbours *l, int64_t row)
{
	return l->k > 0 ? l->distance[(row - l->first + 1) * l->k - 1] : -1;
}

/* Adds how many of some rows each level certified, and how many of these have less than k neighbours (NULL: that is not
 * asked). */
void knng_neighbours_count(const knng_neighbours *l, knng_part rows, int64_t *certified, int64_t *fewer);

/* The answer of a search for some of the rows, to where out has it: missing neighbours as everywhere. */
void knng_neighbours_write(const knng_neighbours *l, knng_part rows, const knng_output *out);

#endif
