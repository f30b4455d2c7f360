/* panels.h  The rows of two blocks in memory, while those of the next are read. */
#ifndef KNNG_PANELS_H
#define KNNG_PANELS_H

#include "base/task.h"
#include "blocks/blocks.h"
#include "blocks/checkpoint.h"

/* Three places, one behind the other: the home block is in the middle, and its visitors come in turn to either side of
 * it, so that both always lie together, and the third is free to be read into. */
typedef struct {
	const knng_rows *rows;
	int64_t size;                /* rows of a block */
	size_t bytes;                /* of a row */
	char *data;                  /* [3 * size rows] */
	int64_t block[3];            /* that is there; -1: none */
	int reading;                 /* the place that is read into */
	knng_checkpoint *checkpoint; /* or NULL: it is shown every block that is read */
	knng_aside aside;
	double waited; /* seconds for rows */
} knng_panels;

double knng_panels_bytes(const knng_rows *rows, int64_t size);

/* Errors: knng:memory:host. */
knng_status knng_panels_open(knng_panels *p, const knng_rows *rows, int64_t size, knng_err *err);
void knng_panels_close(knng_panels *p); /* waits for a read that is under way */

/* Reads a block, to look at it alone. Errors: those of rows->read, and of knng_checkpoint_show. */
knng_status knng_panels_look(knng_panels *p, int64_t block, knng_err *err);

/* Sees that both are there, and begins to read what `next` wants (NULL: there is no next), into the place that they
 * leave free. *first is the one that lies first, and their rows begin at *data. Errors: those of
 * knng_panels_look. */
knng_status knng_panels_bring(knng_panels *p, knng_pair_of_blocks pair, const knng_pair_of_blocks *next,
			      const void **data, int64_t *first, knng_err *err);

#endif
