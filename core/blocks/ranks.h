/* ranks.h  What a job of several processes (ranks) takes of each: how large the blocks are, memory, traffic. Nothing
 * here talks to anybody, so that a job can also be planned where it does not run.
 *
 * Every rank has blocks that lie together, its own; it has the lists of their rows, in memory or in a file (shelf.h),
 * and, where memory allows it, the rows. Two blocks meet at a rank that has one of them (mpi/schedule.h); the other one
 * comes from the rank that has it, and what its rows found goes back. */
#ifndef KNNG_RANKS_H
#define KNNG_RANKS_H

#include "blocks/blocks.h"

/* What ranks hold beside rows and lists. */
enum {
	KNNG_RANKS_RETURNS = 2,  /* what visitors have found, on its way home */
	KNNG_RANKS_LENT = 2,     /* copies of radii at a time */
	KNNG_RANKS_LATER = 8,    /* letters a rank that cannot be answered at once, */
	KNNG_RANKS_LETTER = 768, /* of at most so many bytes, */
	KNNG_RANKS_INFO = 2048,  /* and what rank 0 is told of each in the end */
};

/* The ranks of a job, as one of them sees them. */
typedef struct {
	int ranks, rank;
	/* The least of what all ranks say, asked by all at once; NULL: the others are as this one. */
	double (*least)(void *context, double value);
	void *context;
} knng_team;

/* How it is done; the same for all ranks, but for what is marked. */
typedef struct {
	int64_t size, blocks;
	int64_t k;
	bool resident;     /* every rank keeps the rows of its blocks in memory; else blocks are read from the file */
	int64_t together;  /* blocks of a rank that meet a visitor at once, at most; with a checkpoint one, so that what
			      is lost is a meeting of two; with lists in files one */
	double bytes;      /* of this rank, beside the result */
	double limit;      /* what they may be; Inf: anything */
	int64_t kept;      /* rows of a block of the checkpoint that is there; 0: there is none */
	bool asked;        /* the user said so */
	double disk;       /* that a checkpoint takes */
	double file;       /* bytes of the file of opt.output */
	double lists;      /* of the file that has the lists of a rank meanwhile; 0: they are in memory */
	knng_options opt;  /* of this rank: threads, devices, memory */
	knng_devices gpus; /* of this rank, where 'auto' shares them out among the ranks of a machine; else none */
	knng_plan one;     /* of this rank: a meeting */
	char hint[200];    /* what would make better use of the machines, or empty */
} knng_ranks_plan;

/* The largest blocks that fit plan->limit, rows and lists in memory where that can be. Else rows are read again and
 * again, or, where `files` allows it and there is a checkpoint or an output, beside which they can lie, lists are in
 * files, whichever moves fewer bytes, or both; at last the blocks that can make do with the least. Of the plan opt,
 * gpus, k, limit, kept and asked are given. Called by all ranks at once. Errors: knng:args:maxMemory, or
 * knng:memory:host, the same at all ranks. */
knng_status knng_ranks_choose(knng_ranks_plan *plan, bool files, const knng_team *team, const knng_rows *rows,
			      knng_err *err);

/* The same of a job that does not run: so many ranks, each on a machine as this one, which also has the disk of the
 * checkpoint. Errors: those of knng_blocks_plan_make. */
knng_status knng_ranks_imagine(knng_ranks_plan *plan, int ranks, const knng_rows *rows, const knng_options *opt,
			       knng_err *err);

/* Bytes that rank 0 takes in the end, for a graph that does not go to opt->output. */
double knng_ranks_result_bytes(int64_t n, int64_t k, const knng_options *opt);

/* The least limit that would do, after a plan was made; by all ranks at once. Some ms. */
double knng_ranks_least(const knng_ranks_plan *plan, const knng_team *team, const knng_rows *rows);

/* Bytes that go from rank to rank, where every rank finds about as much. */
typedef struct {
	double received; /* by a rank while blocks meet: rows, unless they are read from the file, radii, neighbours */
	double gathered; /* by rank 0 in the end: the graph, less what it has itself */
	double read;     /* of the file, by all ranks together */
} knng_ranks_traffic;
knng_ranks_traffic knng_ranks_moves(const knng_ranks_plan *plan, int ranks, const knng_rows *rows);

/* Rows of the largest blocks that such a job may have, where memory does not ask for smaller ones. */
int64_t knng_ranks_largest(int64_t ranks, int64_t n, bool keeps);

/* Rows of the largest meeting. */
int64_t knng_ranks_meeting(int64_t size, int64_t together, int64_t n);

/* Blocks that lie in memory beside its own: a visitor, and the next one; or all, where its own are not kept. */
int knng_ranks_places(bool resident, int64_t own, int64_t blocks);

/* Bytes of a rank with so many blocks of its own: of all but the search of a meeting; and of the talk between ranks.
 * filed: its lists are in a file. */
double knng_ranks_own_bytes(const knng_rows *rows, int64_t size, int64_t blocks, int64_t own, int64_t k, bool resident,
			    bool filed, int64_t together, const knng_options *opt);
double knng_ranks_talk_bytes(int64_t size, int64_t blocks, bool keeps, int rank, int ranks);

/* Of these: what the rows of a block found, packed, so many rows together; and the meetings of all blocks. */
enum { KNNG_FOUND_ROWS = 1 << 13 };
double knng_found_bytes(int64_t rows, int64_t k);
double knng_schedule_bytes(int64_t blocks, int ranks);

#endif
