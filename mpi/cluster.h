/* cluster.h  A graph by several processes, which may be on several machines.
 *
 * Every process (a rank) has some blocks of rows as its own: it keeps their lists of neighbours, and their part of a
 * checkpoint, and, where memory allows it, the rows. Rank 0 says which blocks meet where (schedule.h). For a meeting a
 * rank takes one block of its own, has the rows of the other sent to it, and the radii that they have reached, and
 * sends back what these rows found. So what a list has is what it has in one process: any ranks, in any order, give the
 * same bits.
 *
 * In each process one thread computes, with all others that it starts, and the main thread answers the other ranks
 * (desk.h, post.h). */
#ifndef KNNG_CLUSTER_H
#define KNNG_CLUSTER_H

#include "blocks/blocks.h"
#include "io/graph_file.h"
#include "post.h"

/* How it is done; the same for all ranks, but for what is marked. */
typedef struct {
	int64_t size, blocks;
	int64_t k;
	bool resident;     /* every rank keeps the rows of its blocks in memory; else blocks are read from the file */
	double bytes;      /* of each rank, beside the result */
	double limit;      /* what they may be; Inf: anything; */
	bool asked;        /* the user said so */
	double disk;       /* that a checkpoint takes */
	double file;       /* bytes of the file of opt.output */
	knng_options opt;  /* of this rank: threads, devices, memory */
	knng_devices gpus; /* of this rank, where 'auto' shares them out among the ranks of a machine; else none */
	knng_plan one;     /* of this rank: a meeting */
	char hint[200];    /* what would make better use of the machines, or empty */
} knng_cluster_plan;

/* Called by all ranks at once. Errors: those of knng_blocks_plan_make, the same on all ranks;
 * knng:mpi:data, the ranks do not have the same rows. */
knng_status knng_cluster_plan_make(knng_cluster_plan *plan, knng_post *post, const knng_rows *rows,
				   const knng_options *opt, knng_err *err);

/* Bytes that the talk between ranks takes, beside what an engine does. */
double knng_cluster_bytes(const knng_cluster_plan *plan, int rank, int ranks);

/* What rank 0 tells of the others. */
typedef struct {
	double moved;  /* bytes of rows and lists that went from rank to rank */
	int64_t taken; /* meetings that a rank took over from another */
	int signal;    /* that ended it, at any rank; or 0 */
} knng_cluster_info;

/* Makes the graph. out, file, info: of rank 0; with a file the graph goes there, one block after the other, and out is
 * not looked at. Errors: those of knng_blocks_run, of any rank, which all return, and of knng_graph_out_put. */
knng_status knng_cluster_run(const knng_cluster_plan *plan, knng_post *post, const knng_rows *rows,
			     const knng_output *out, knng_graph_out *file, knng_info *info, knng_cluster_info *more,
			     knng_err *err);

#endif
