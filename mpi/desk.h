/* desk.h  What the two threads of a process hand each other: one computes, and the main one talks to the other
 * processes. */
#ifndef KNNG_DESK_H
#define KNNG_DESK_H

#include "blocks/checkpoint.h"
#include "blocks/panels.h"
#include "found.h"
#include "schedule.h"

#include <pthread.h>

/* Something that another process has, which the computing thread waits for. */
typedef struct {
	enum { KNNG_REQUEST_NONE, KNNG_REQUEST_NEW, KNNG_REQUEST_SENT } state;
	int64_t block;
	void *to;
	int64_t bytes;
} knng_request;

enum { KNNG_DESK_ROWS, KNNG_DESK_RADII, KNNG_DESK_ASKS };

typedef struct knng_desk knng_desk;

/* What visiting rows have found, on its way to their own process. */
typedef struct {
	knng_desk *desk;
	enum { KNNG_FOUND_NONE, KNNG_FOUND_NEW, KNNG_FOUND_TOLD } state;
	knng_visit visit; /* the visitor's process gets it */
	knng_found found;
} knng_return;

enum { KNNG_DESK_VISITS = 2, KNNG_DESK_RETURNS = KNNG_RANKS_RETURNS };

struct knng_desk {
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t change;
	knng_visit visit[KNNG_DESK_VISITS]; /* to do next, */
	int visits;                         /* so many */
	bool finish;                        /* there will be no more */
	bool last;                          /* no more come before the thread is idle */
	bool idle;                          /* the thread waits for one */
	bool takes;                         /* it takes one, and is to know the next one, too */
	knng_request ask[KNNG_DESK_ASKS];
	knng_return back[KNNG_DESK_RETURNS];
	knng_visit met[KNNG_DESK_VISITS]; /* of blocks that are both here */
	int mets;
	double done;  /* of all distances, in the visit that goes on */
	bool unsaved; /* the checkpoint could not be saved the last time: */
	char problem[320];
	bool loaded; /* the rows of its own blocks are there, if they are to be */
	bool ended;  /* the thread has done, with this: */
	knng_status status;
	knng_err err;

	/* Nonzero ends the computing. Not under the lock. */
	volatile sig_atomic_t stop;
};

void knng_desk_open(knng_desk *d);
void knng_desk_close(knng_desk *d);

/* For the computing thread: waits until another process has sent it. Errors: knng:interrupted. */
knng_status knng_desk_ask(knng_desk *d, int what, int64_t block, void *to, int64_t bytes, knng_err *err);

/* A meeting of blocks that are both here is done. */
void knng_desk_tell_met(knng_desk *d, knng_visit visit);

/* A place for what a visitor has found; NULL: all has to end. */
knng_return *knng_desk_place(knng_desk *d);
/* For the main thread: it was sent, and the place is free again. */
void knng_desk_sent(void *place);
/* Whether all of them were. */
bool knng_desk_is_clear(knng_desk *d);

#endif
