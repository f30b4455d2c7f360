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
 * It has a copy of the rows, as a search on the CPU prepares them, and needs X no more. Its answers have the bits of
 * searches of X. One search of it at a time. */
#ifndef KNNG_SEARCHER_H
#define KNNG_SEARCHER_H

#include "search/knng_search.h"
#include "search/prepared.h"

typedef struct knng_searcher {
	knng_matrix x;    /* its shape and type; no data */
	knng_options opt; /* metric, prune, tile and target, which stay for all searches */
	char target[16];  /* what opt.target points to */
	bool any_device;  /* no device was asked for */
	double bytes;     /* what it holds */
	struct knng_prepared prepared;
	double id;                  /* for whoever keeps several: what one is called, */
	struct knng_searcher *next; /* and the others */
} knng_searcher;

/* Prepares X. Of opt counts: metric, device (the CPU; GPUs are an error), max_memory, for this call, prune, tile,
 * target and task. Takes what a search of one row does. info is as after a search, without neighbours. On failure *s is
 * NULL and nothing stays. Errors: as knng_plan_make and knng_run; knng:args:device. */
knng_status knng_searcher_make(knng_searcher **s, const knng_matrix *X, const knng_options *opt, knng_info *info,
			       knng_err *err);

/* The plan of a search for Y. Of opt count k, max_memory and task. What the searcher holds is no part of plan->bytes.
 * Whatever comes of the run, the searcher stays. Errors: as knng_plan_make. */
knng_status knng_searcher_plan(knng_searcher *s, knng_plan *plan, const knng_matrix *Y, const knng_options *opt,
			       knng_err *err);

void knng_searcher_free(knng_searcher *s); /* NULL is fine */

#endif
