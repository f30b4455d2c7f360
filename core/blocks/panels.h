/* panels.h  The rows of two blocks in memory, while those of the next are read. */
#ifndef KNNG_PANELS_H
#define KNNG_PANELS_H

#include "base/task.h"
#include "blocks/checkpoint.h"
#include "blocks/rows.h"

/* Places for blocks of rows: two meet, and a third is read meanwhile. Blocks that lie in memory already take none. */
enum { KNNG_PANELS = 3 };
typedef struct {
	const knng_rows *rows;
	int64_t size; /* rows of a block */
	int places;
	/* Where the rows of a block lie, of some that are in memory anyhow, or NULL. May be NULL: none is. */
	const void *(*here)(void *context, int64_t block);
	void *context;
	size_t bytes;                /* of a row */
	char *data;                  /* [places * size rows] */
	int64_t block[KNNG_PANELS];  /* that is there; -1: none */
	int reading;                 /* the place that is read into */
	knng_checkpoint *checkpoint; /* or NULL: it is shown every block that is read */
	knng_aside aside;
	double waited; /* seconds for rows */
} knng_panels;

double knng_panels_bytes(const knng_rows *rows, int64_t size, int places);

/* places: one more than the blocks of a pair that are not here. Errors: knng:memory:host. */
knng_status knng_panels_open(knng_panels *p, const knng_rows *rows, int64_t size, int places, knng_err *err);
void knng_panels_close(knng_panels *p); /* waits for a read that is under way */

/* Reads a block, to look at it alone. Errors: those of rows->read, and of knng_checkpoint_show. */
knng_status knng_panels_look(knng_panels *p, int64_t block, knng_err *err);

/* Sees that both are there, and begins to read what `next` wants (NULL: there is no next), into a place that they leave
 * free. The rows of the home block begin at data[0], those of its visitor at data[1]. Errors: those of
 * knng_panels_look. */
knng_status knng_panels_bring(knng_panels *p, knng_pair_of_blocks pair, const knng_pair_of_blocks *next,
			      const void *data[2], knng_err *err);

#endif
