/* shelf.h  The lists of neighbours of all rows: in memory, or in a file, where memory has no room for them.
 *
 * In a file they lie block after block, and those of three blocks are in memory: of the two that meet, and of a third,
 * which goes back to the file and makes room for the next one meanwhile. The file has no name, and nobody else sees it
 * (knng_out_scratch). It is written and read, and not mapped: a disk that fails is an error then, and does not end the
 * process by a signal.
 *
 * A file system may lose what it has taken, and say so late or never, where it ran out of room or its server went away.
 * So the hash of every block's lists is in memory, and what comes back has to have it. */
#ifndef KNNG_SHELF_H
#define KNNG_SHELF_H

#include "base/file.h"
#include "base/task.h"
#include "blocks/neighbours.h"

/* Blocks of rows. */
typedef struct {
	int64_t home, visitor; /* the same: a block by itself */
} knng_pair_of_blocks;

enum { KNNG_SHELF_PLACES = 3 };

/* Lists of the n rows of the data from `first` on, k places each. Blocks count from the first row of the data. */
typedef struct {
	int64_t n, k, first;
	knng_neighbours *all; /* of all of them; or NULL, and the rest of this is used */
	int64_t size;         /* rows of a block */
	knng_out *file;
	char path[256]; /* beside which it is, for messages */
	uint64_t *hash; /* [blocks] of the lists of each, from `first` on, that are in the file; 0: they are empty, and
			   not there */
	knng_neighbours place[KNNG_SHELF_PLACES];
	int64_t block[KNNG_SHELF_PLACES]; /* that is there; -1: none */
	bool changed[KNNG_SHELF_PLACES];  /* it is not as in the file */
	knng_pair_of_blocks kept[2];      /* those that meet, and then; their places are not given to others */
	int fetching;                     /* the place that is filled aside, and with which block */
	int64_t wanted;
	knng_aside aside;
	double waited; /* seconds for lists */
} knng_shelf;

/* Lists that are in memory, and stay the caller's. Nothing to close. */
knng_shelf knng_shelf_of(knng_neighbours *all);

/* Empty lists of some rows, which are whole blocks of `size` rows, in a file beside this path. Errors:
 * knng:memory:host; knng:io:open; knng:io:write, there is no room on the disk. Memory: knng_shelf_bytes. Disk:
 * knng_neighbours_bytes. */
knng_status knng_shelf_open(knng_shelf *s, knng_part rows, int64_t k, int64_t size, const char *path,
			    const knng_task *task, knng_err *err);
double knng_shelf_bytes(int64_t n, int64_t k, int64_t size);
void knng_shelf_close(knng_shelf *s); /* safe on zeros, and twice */

/* The lists of two blocks that meet, *home and *visitor, to be changed, until the next call; those that `next` wants
 * (NULL: there is no next) are fetched meanwhile. Errors: knng:io:open, knng:io:write: lists cannot be read or written,
 * or come back otherwise than they were written. */
knng_status knng_shelf_bring(knng_shelf *s, knng_pair_of_blocks pair, const knng_pair_of_blocks *next,
			     knng_neighbours **home, knng_neighbours **visitor, knng_err *err);

/* The lists of one block, among others, until the next call; those that met last stay where they are. changes: they
 * will not stay as they are. Errors: the same. */
knng_status knng_shelf_show(knng_shelf *s, int64_t block, bool changes, knng_neighbours **lists, knng_err *err);

#endif
