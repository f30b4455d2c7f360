/* cluster.h  A graph by several processes, which may be on several machines.
 *
 * Every process (a rank) has some blocks of rows as its own: it keeps their lists of neighbours, in memory or in a
 * file, and their part of a checkpoint, and, where memory allows it, the rows. Rank 0 says which blocks meet where
 * (schedule.h). For a meeting a rank takes one block of its own, has the rows of the other sent to it, and the radii
 * that they have reached, and sends back what these rows found. So what a list has is what it has in one process: any
 * ranks, in any order, give the same bits.
 *
 * In each process one thread computes, with all others that it starts, and the main thread answers the other ranks
 * (desk.h, post.h). */
#ifndef KNNG_CLUSTER_H
#define KNNG_CLUSTER_H

#include "blocks/ranks.h"
#include "io/graph_file.h"
#include "post.h"

typedef knng_ranks_plan knng_cluster_plan;

/* Called by all ranks at once. Errors: those of knng_blocks_plan_make, the same on all ranks;
 * knng:mpi:data, the ranks do not have the same rows. */
knng_status knng_cluster_plan_make(knng_cluster_plan *plan, knng_post *post, const knng_rows *rows,
				   const knng_options *opt, knng_err *err);

/* The least of plan->bytes that would do, after that; by all ranks at once. Some ms. */
double knng_cluster_least(const knng_cluster_plan *plan, knng_post *post, const knng_rows *rows);

/* What rank 0 tells of the others. */
typedef struct {
	double moved;  /* bytes of rows and lists that went from rank to rank */
	int64_t taken; /* meetings that a rank took over from another */
	int signal;    /* that ended it, at any rank; or 0 */
} knng_cluster_info;

/* The same plan with lists in memory; false: there is none. By all ranks at once. */
bool knng_cluster_plan_in_memory(knng_cluster_plan *plan, knng_post *post, const knng_rows *rows);

/* Makes the graph. out, file, info: of rank 0; with a file the graph goes there, one block after the other, and out is
 * not looked at. Where some disk has no room for lists, and memory has, they are there. Errors: those of
 * knng_blocks_run, of any rank, which all return, and of knng_graph_out_put. */
knng_status knng_cluster_run(const knng_cluster_plan *plan, knng_post *post, const knng_rows *rows,
			     const knng_output *out, knng_graph_out *file, knng_info *info, knng_cluster_info *more,
			     knng_err *err);

#endif
