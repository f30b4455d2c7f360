/* found.h  What the rows of a block have found, packed for a message: of every row how many, and its level, and of all
 * together the distances and the indices. */
#ifndef KNNG_FOUND_H
#define KNNG_FOUND_H

#include "base/task.h"
#include "blocks/neighbours.h"
#include "blocks/ranks.h"

typedef struct {
	char *data;
	int64_t bytes, room; /* used, and there */
	int64_t *start;      /* where the neighbours of rows begin, of every so many */
} knng_found;

/* Room for the lists of so many rows. Errors: knng:memory:host. Memory: knng_found_bytes. */
knng_status knng_found_make(knng_found *f, int64_t rows, int64_t k, knng_err *err);
void knng_found_free(knng_found *f); /* safe on zeros, and twice */

/* Packs the lists of rows, of which there is room for all. */
void knng_found_pack(knng_found *f, knng_neighbours *l, knng_part rows, int threads);

/* Merges what was packed of rows into their lists. room, index_room: k places for each thread. False: it is damaged,
 * and nothing is merged. */
bool knng_found_merge(knng_found *f, knng_neighbours *l, knng_part rows, int threads, double *room,
		      int32_t *index_room);

#endif
