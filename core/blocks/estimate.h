/* estimate.h  How long a search would take here: scaled up from short searches of some of its rows, or, where these are
 * not there, of made-up ones. */
#ifndef KNNG_ESTIMATE_H
#define KNNG_ESTIMATE_H

#include "blocks/ranks.h"

/* A search. */
typedef struct {
	int64_t n, m, d, k;   /* m: rows of the answer */
	const knng_matrix *x; /* the n rows of d columns, if `columns`; NULL: they are not there */
	bool graph;
	knng_type type;
	bool columns;         /* matrices lie by column, as in Octave, and not by row */
	const char *metric;   /* its name */
	const knng_plan *one; /* how: devices, threads, tile, target */
	int64_t blocks;       /* that a row is compared with, one after the other; 1 or more */
	int ranks;            /* 1 or more, each as this process */
	double network;       /* bytes that a machine receives in a second; 0: that time is left out */
	knng_ranks_traffic traffic;
} knng_estimated;

/* What is said of it. */
typedef struct {
	double seconds;
	char pruned[256]; /* whether pairs of rows are left out, and why or why not: as knng_info has it */
} knng_guess;

/* A guess, from searches that take about a second, with x up to some seconds. The faster of two counts, since other
 * programs disturb. Errors: those of knng_run; knng:memory:host. Memory: 400 MB at most, and what searches of so many
 * rows take. O(d) for each row that is tried. */
knng_status knng_estimate(const knng_estimated *e, const knng_task *task, knng_guess *guess, knng_err *err);

#endif
