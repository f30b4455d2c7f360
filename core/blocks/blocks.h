/* blocks.h  A graph from blocks of rows that come one pair at a time, from wherever rows are kept.
 *
 * The rows are cut into blocks. Every pair of blocks meets once (meeting.h), and every block meets itself. Then the
 * lists of neighbours are the graph, bit for bit as knng_run gives it, whatever the size of the blocks and the order of
 * the pairs. While two blocks meet, the next one is read (panels.h). */
#ifndef KNNG_BLOCKS_H
#define KNNG_BLOCKS_H

#include "blocks/rows.h"
#include "blocks/shelf.h"

/* The neighbours of all rows into lists of n rows, k = min (opt->k, n - 1) places, which are empty, in memory or in a
 * file in blocks of this size (or all, if that is less). size: rows of a block, 1 or more;
 * opt->split, within, prepared and levels are not looked at; opt->max_memory is for all but the lists. info (NULL is
 * fine): times and refined distances are sums over the meetings, rows without distances and points over the blocks, a
 * row is certified by the highest level of its meetings, bytes are the most of any meeting, blocks those of the rows,
 * device, threads, tile and product those of a meeting of two whole blocks. Errors: those of knng_plan_make and
 * knng_run, and of read. Memory beside the lists: three blocks of rows, the neighbours of two (16 bytes a place) and
 * one search of two blocks. Cost: n^2/2 distances; a row is read n / (2 size) + 1/2 times on average. */
knng_status knng_blocks_run(const knng_rows *rows, int64_t size, const knng_options *opt, knng_shelf *lists,
			    knng_info *info, knng_err *err);

/* What that takes beside the lists and the search of two blocks. */
double knng_blocks_bytes(const knng_rows *rows, int64_t size, int64_t k, const knng_options *opt);
/* What a row takes in each meeting of its block beside its share of the pairs: as long as to move so many bytes. */
static inline double
knng_blocks_meets(const knng_rows *rows, int64_t k)
{
	return 500 + 2 * (double)rows->d + 10 * (double)k;
}

/* Whether there is a place for a file of lists. */
static inline bool
knng_blocks_can_file(const knng_options *opt)
{
	return opt->output != NULL || opt->checkpoint != NULL;
}

/* How a graph of rows from elsewhere is made. */
typedef struct {
	int64_t size;  /* rows of a block; all of them: the rows are read into memory, and searched there */
	int64_t k;     /* columns of the answer */
	double bytes;  /* of the host, beside an answer in memory: rows, lists and the search; smaller meetings may take
			  more, within the limit */
	double rest;   /* of these, all but the search */
	double least;  /* that would do with blocks of this size */
	double limit;  /* what bytes may be; Inf: anything */
	double disk;   /* that a checkpoint takes */
	double file;   /* bytes of the file that the graph is written to */
	double lists;  /* of the file that has the lists meanwhile; 0: they are in memory */
	knng_plan one; /* of the search, or of a meeting; its data cannot be read */
} knng_blocks_plan;

/* The fewest blocks that fit into opt->max_memory, here with the rows, or into nine tenths of what is available, less
 * the answer; with a checkpoint eight or more, and as many as it has.
 *
 * The lists of neighbours are in memory, or, with opt->output or a checkpoint, in a file beside the graph or in the
 * folder of the checkpoint (shelf.h). Memory without lists has room for larger blocks, and fewer meetings, but then
 * each brings and takes lists, too. So they are in a file where fewer bytes are read and written that way: rows alone,
 * in as many blocks as fit beside all lists, or rows and twice their lists in as many as fit without. In memory, if all
 * rows fit at once, and in a file, where threads or tiles had to shrink otherwise. Errors: those of
 * knng_checkpoint_look and _room; those of knng_plan_make; knng:args:maxMemory, or knng:memory:host, where no blocks of
 * 256 rows or more fit; with opt->output those of knng_graph_out_can. */
knng_status knng_blocks_plan_make(knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt,
				  knng_err *err);

/* The least memory that would do with blocks of any size, after a plan was made. Some ms. */
double knng_blocks_least(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt);

/* Makes the graph by such a plan: what knng_run would answer of the same rows in memory. out as for knng_run; with
 * opt->output it is not looked at, and the graph goes from the lists of neighbours to that file, which is there when it
 * is whole. info->blocks says in how many blocks; planned and peak are of all. Errors: those of knng_blocks_run, and of
 * knng_graph_out_create, before anything is read, _put and _done. */
knng_status knng_blocks_graph(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt,
			      const knng_output *out, knng_info *info, knng_err *err);

#endif
