/* engine.h  The thread of a process that computes: it takes meetings from the desk until there are no more. */
#ifndef KNNG_ENGINE_H
#define KNNG_ENGINE_H

#include "blocks/checkpoint.h"
#include "blocks/meeting.h"
#include "cluster.h"
#include "desk.h"

typedef struct {
	const knng_cluster_plan *plan;
	const knng_rows *rows;
	knng_options opt;            /* the plan's, stopped by the desk */
	knng_rows fetched;           /* the same rows, from wherever they are */
	knng_part own;               /* blocks */
	knng_part own_rows;          /* of these */
	knng_neighbours lists;       /* of these rows, where they are in memory */
	knng_shelf shelf;            /* the same, or those in a file */
	double *reached;             /* [own rows] the radii of lists that are in a file; else NULL */
	knng_checkpoint *checkpoint; /* or NULL */
	pthread_mutex_t lock;        /* of lists, reached and checkpoint */
	char *resident;              /* rows of its own blocks, or NULL */
	knng_desk desk;
	knng_info info;       /* sums over its meetings */
	knng_block_rows sums; /* of its own blocks */
	knng_meeting meeting;
	knng_panels panels;
	knng_neighbours visiting; /* what a visitor finds */
	double *radii;            /* of a visitor */
	double share;             /* of all distances, of a visit */
	pthread_t thread;
	bool running;
} knng_engine;

knng_part knng_engine_rows_of(const knng_engine *w, int64_t block);
bool knng_engine_owns(const knng_engine *w, int64_t block);

/* How far a row of its own blocks has to look. Under the lock. */
double knng_engine_radius(const knng_engine *w, int64_t row);
/* After the lists of a block have changed. Under the lock. */
void knng_engine_note(knng_engine *w, int64_t block, const knng_neighbours *lists);

/* Everything but the thread. Memory: knng_ranks_own_bytes. Rank 0 opens the checkpoint first, whose folder is there.
 * Errors: knng:memory:host; those of knng_shelf_open; those of knng_checkpoint_open. */
knng_status knng_engine_open(knng_engine *w, const knng_cluster_plan *plan, const knng_rows *rows, knng_part own,
			     knng_err *err);
knng_status knng_engine_open_checkpoint(knng_engine *w, bool joins, knng_err *err);
knng_status knng_engine_start(knng_engine *w, knng_err *err);
/* Ends the thread, where it runs, and frees all. */
void knng_engine_close(knng_engine *w);

#endif
