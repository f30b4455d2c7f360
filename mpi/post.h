/* post.h  Messages between the processes of a search: the one place that calls MPI, for the main thread alone.
 *
 * From its opening to its end every process tells the others that it is there, whatever its main thread does, and a
 * process that says nothing for too long ends them all: knng:mpi:silent, on standard error. One says so, and those
 * whom it cannot end do later.
 *
 * Letters are short, and all alike; rows and lists go as parcels, under a number that the receiver has chosen. Nothing
 * waits: what is sent or received goes on while knng_post_step is called again and again. */
#ifndef KNNG_POST_H
#define KNNG_POST_H

#include "base/knng_base.h"

typedef struct {
	int kind; /* what it means is up to the two */
	int from; /* the rank that sent it */
	int job;  /* during which: one of a job that is over is not delivered */
	int number;
	int64_t a, b;
	int count; /* of blocks, from a on */
	double value;
	int status, signal;
	knng_err err;
} knng_letter;

typedef struct knng_post knng_post;

/* Starts MPI. Errors: knng:mpi:start; knng:memory:host. */
knng_status knng_post_open(knng_post **p, int *argc, char ***argv, knng_err *err);
/* Waits for all the others, and ends MPI; where that does not come to its end the process ends, with this status. */
void knng_post_close(knng_post *p, int status);

/* The seconds of silence after which a process is given up (120); whether what was found until then is saved, which the
 * message says then; and what is done then before this process ends, on any thread. */
void knng_post_deadline(knng_post *p, double deadline);
void knng_post_keeps(knng_post *p, bool keeps);
void knng_post_last(knng_post *p, void (*last)(void *context), void *context);

int knng_post_rank(const knng_post *p);
int knng_post_ranks(const knng_post *p);
int knng_post_neighbours(const knng_post *p); /* ranks on this machine, this one among them */
int knng_post_machine(const knng_post *p);    /* a number that these have, and no other rank */
int knng_post_hosts(const knng_post *p);      /* machines */
const char *knng_post_host(const knng_post *p, int rank);

/* Begins another job, at all ranks. */
void knng_post_begin(knng_post *p);

/* Before the first letter, all ranks at once: the smallest of their numbers, and everybody's. They wait for each other.
 */
double knng_post_least(knng_post *p, double value);
void knng_post_all(knng_post *p, const void *mine, int bytes, void *all);

/* Errors: knng:memory:host. A letter is copied. A parcel has to stay until it is sent; what is `owned` is freed then
 * (also where the call fails). sent (context), which may be NULL, and arrived (context) are called from knng_post_step.
 */
knng_status knng_post_send(knng_post *p, int to, const knng_letter *letter, knng_err *err);
knng_status knng_post_parcel(knng_post *p, int to, int number, const void *data, int64_t bytes, void *owned,
			     void (*sent)(void *context), void *context, knng_err *err);
knng_status knng_post_receive(knng_post *p, int from, int number, void *to, int64_t bytes,
			      void (*arrived)(void *context), void *context, knng_err *err);
/* A number for a parcel to this rank. */
int knng_post_number(knng_post *p);

/* Lets everything go on; true: this letter has come. busy: something was done. */
bool knng_post_step(knng_post *p, knng_letter *letter, bool *busy);
/* Parcels and letters that are under way from here, and to here. */
int knng_post_sending(const knng_post *p);
int knng_post_receiving(const knng_post *p);
/* Whether large ones are: they move on only while knng_post_step is called, so that it does not pay to sleep. */
bool knng_post_busy(const knng_post *p);

/* Bytes of parcels that this rank has received. */
double knng_post_received(const knng_post *p);

/* Ends all processes, with this status; does not return, whatever MPI does. */
void knng_post_abort(knng_post *p, int status) __attribute__((noreturn));

#endif
