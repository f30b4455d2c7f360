/* schedule.h  Which process lets which blocks meet, and when.
 *
 * The blocks lie around a circle, and each meets those behind it, up to half-way: so every two blocks meet once. Every
 * process (a rank) has some blocks that lie together, its own, and takes the meetings of these. It takes them visitor
 * after visitor: rows of others come to it once, for all of its blocks. Where there is room for it, a visitor meets
 * several of them at once, and at first all of them meet each other: less is prepared twice then, and less is found
 * that does not stay. A rank that has nothing left takes meetings of its blocks from the rank that has most left. */
#ifndef KNNG_SCHEDULE_H
#define KNNG_SCHEDULE_H

#include "base/task.h"
#include "blocks/panels.h"
#include "blocks/ranks.h"

/* What a rank does at a time: blocks [first, end) of its own meet a visitor, or, where that is `first`, each other and
 * themselves. */
typedef struct {
	int64_t first, end, visitor;
} knng_visit;

/* The pairs of a visit, one after the other: a home of -1 begins. False: there are no more. */
bool knng_visit_step(const knng_visit *v, knng_pair_of_blocks *pair);

typedef struct {
	int64_t blocks, steps; /* steps: the farthest that a block goes around the circle */
	int ranks;
	bool together;    /* a visit is of as many blocks as it can */
	int64_t left;     /* meetings that are not done */
	int64_t moved;    /* that another rank took */
	uint8_t *state;   /* [blocks * (steps + 1)] of the meeting of a block with the one so many steps on */
	int64_t *waiting; /* [ranks] meetings of a rank that nobody has taken */
	int64_t *at;      /* [ranks] where it looks next */
} knng_schedule;

/* The blocks of a rank, and the rank that has a block. */
knng_part knng_blocks_of_rank(int64_t blocks, int ranks, int rank);
int knng_rank_of_block(int64_t blocks, int ranks, int64_t block);

/* Nothing has met. Errors: knng:memory:host. Memory: knng_schedule_bytes. */
knng_status knng_schedule_make(knng_schedule *s, int64_t blocks, int ranks, bool together, knng_err *err);
void knng_schedule_free(knng_schedule *s); /* safe on zeros, and twice */

/* What a rank does next; helps: it has nothing else, and may take of another. False: nothing is left for it. */
bool knng_schedule_next(knng_schedule *s, int rank, bool helps, knng_visit *visit);

/* Two blocks have met, in either order; true where that was not known. */
bool knng_schedule_done(knng_schedule *s, knng_pair_of_blocks pair);

#endif
