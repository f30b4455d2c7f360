/* searcher.h  References that are prepared once, for any number of searches: a searcher.
 *
 *     knng_searcher *s;
 *     if (knng_searcher_make(&s, &X, &opt, &info, &err) == KNNG_OK) {
 *         knng_plan plan;
 *         if (knng_searcher_plan(s, &plan, &Y, &(knng_options){.k = 5}, &err) == KNNG_OK)
 *             knng_run(&plan, &out, &info, &err); ... again and again
 *         knng_searcher_free(s);
 *     }
 *
 * It has a copy of the rows, as a search on the CPU or on one GPU prepares them, and needs X no more. Its answers have
 * the bits of searches of X. One search of it at a time. */
#ifndef KNNG_SEARCHER_H
#define KNNG_SEARCHER_H

#include "search/knng_search.h"
#include "search/prepared.h"

typedef struct knng_searcher {
	knng_matrix x;    /* its shape and type; no data */
	knng_options opt; /* metric, device, prune, tile, target and max_device_memory, which stay for all searches */
	char target[16];  /* what opt.target points to */
	bool any_device;  /* the CPU was not asked for */
	char why[160];    /* and why it has the rows all the same */
	double bytes;     /* what it holds on the host; knng_searcher_device_bytes: on a GPU */
	struct knng_prepared prepared;
	double id;                  /* for whoever keeps several: what one is called, */
	struct knng_searcher *next; /* and the others */
} knng_searcher;

/* Prepares X. Of opt counts: metric, device (of several GPUs the first that works has the rows; AUTO: a GPU where a
 * search for KNNG_USUAL_QUERIES rows gains from one, and rows have 8 columns or more), max_device_memory, of the
 * searcher and each of its searches together, max_memory, for this call, prune, tile, target and task. Takes what a
 * search of one row does, on a GPU what one of KNNG_USUAL_QUERIES rows does, which then has room. info is as after a
 * search, without neighbours. On failure *s is NULL and nothing stays. Errors: as knng_plan_make and knng_run. */
knng_status knng_searcher_make(knng_searcher **s, const knng_matrix *X, const knng_options *opt, knng_info *info,
			       knng_err *err);

/* The plan of a search for Y. Of opt count k or range, max_memory and task. What the searcher holds is no part of
 * plan->bytes, nor of plan->device_bytes. Whatever comes of the run, the searcher stays; where its GPU is lost, it
 * cannot be searched any more. A range is closed before the searcher is freed or searched again. Errors: as
 * knng_plan_make; knng:searcher:gone. */
knng_status knng_searcher_plan(knng_searcher *s, knng_plan *plan, const knng_matrix *Y, const knng_options *opt,
			       knng_err *err);

/* What it holds on a GPU; 0 where the CPU has the rows, or they were lost, as in a forked process. */
double knng_searcher_device_bytes(const knng_searcher *s);

void knng_searcher_free(knng_searcher *s); /* NULL is fine */

#endif
