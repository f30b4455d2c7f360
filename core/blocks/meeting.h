/* meeting.h  Two blocks of rows that lie in memory, and what they find of each other.
 *
 * Every row of either is compared with all rows of the other, exactly, and what is found is merged into the lists of
 * both (neighbours.h). A block can also meet itself. A row's k-th distance so far goes with it, so that the CPU looks
 * no farther. */
#ifndef KNNG_MEETING_H
#define KNNG_MEETING_H

#include "base/task.h"
#include "blocks/checkpoint.h"
#include "search/knng_search.h"
#include "search/prepared.h"

/* A block of rows, and where what they find goes. */
typedef struct {
	knng_part rows;
	const void *data;       /* the rows, one behind the other */
	knng_neighbours *lists; /* of these rows, among others */
	const double *within;   /* [rows] or NULL: nothing farther goes there; NULL: farther than the k-th there */
} knng_side;

/* What meetings use, one after the other. */
typedef struct {
	int64_t d, k;
	knng_type type;
	const knng_options *opt; /* split, within, prepared and levels are not looked at */
	pthread_mutex_t *lock;   /* held while lists are read or changed; NULL: nobody else does */
	knng_devices device;     /* opt's; once GPUs failed, the CPU where they are lost */
	knng_info *info;         /* sums over the meetings so far */
	knng_block_rows rows;    /* what the last meeting said of its rows */
	double largest;          /* share of the largest of them: of it info has tile, threads and product */
	int64_t met, pruned;     /* how many there were, and in how many pairs were left out by boxes, */
	char why[320];           /* and what the largest says of that */
	double rest;             /* bytes that are held beside a meeting's search, which opt->max_memory is for, too */
	int64_t held;            /* bytes that were held before there was any of this */
	struct knng_prepared prepared; /* of side `a` of the last meeting */
	knng_part of;                  /* which rows that were */
	double *within;                /* [rows] */
	double *distance;
	int64_t *index;   /* [rows * k] each: what one meeting found */
	uint8_t *level;   /* [rows] */
	double *room;     /* [workers * k] each: for merging */
	int32_t *indices; /* [workers * 2 * k] */
	int threads;
} knng_meeting;

/* Bytes of it, where so many rows meet. */
double knng_meeting_bytes(int64_t rows, int64_t k, int threads);

/* most: rows of both sides together. Errors: knng:memory:host. */
knng_status knng_meeting_open(knng_meeting *m, int64_t most, const knng_rows *rows, int64_t k, const knng_options *opt,
			      knng_info *info, double rest, knng_err *err);
void knng_meeting_close(knng_meeting *m);

/* The rows of `a` meet those of `b`, or each other where b is empty. task: how, with the progress of this meeting.
 * share: of all work. Errors: those of knng_plan_make and knng_run. What an error leaves in the lists is true, and not
 * all that there is. */
knng_status knng_meet(knng_meeting *m, knng_side a, knng_side b, const knng_task *task, double share, knng_err *err);

#endif
