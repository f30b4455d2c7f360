/* blocks.h  A graph from blocks of rows that come one pair at a time, from wherever rows are kept.
 *
 * The rows are cut into blocks. A pair of blocks is met once: every row of either is compared with all rows of the
 * other, exactly, and its neighbours are merged into its list (neighbours.h). A row's k-th distance so far travels with
 * it, so that a meeting on the CPU looks no farther. A block also meets itself. When every pair has met, the lists are
 * the graph, bit for bit as knng_run gives it, whatever the size of the blocks and the order of the pairs. */
#ifndef KNNG_BLOCKS_H
#define KNNG_BLOCKS_H

#include "blocks/neighbours.h"
#include "search/knng_search.h"

/* Where rows are kept: n rows of d numbers. read: rows [first, first + count) to `to`, row after row. */
typedef struct {
	int64_t n, d;
	knng_type type; /* KNNG_F64 or KNNG_F32: of the numbers, and of those that read writes */
	knng_status (*read)(void *context, int64_t first, int64_t count, void *to, knng_err *err);
	void *context;
} knng_rows;

/* The neighbours of all rows into lists of n rows, k = min (opt->k, n - 1) places. size: rows of a block, 1 or more;
 * opt->split and opt->within are not looked at. info (NULL is fine): times and numbers are sums over the meetings,
 * those of rows without distances and of points over the blocks, bytes the most of any; blocks that were searched one
 * after the other are counted in each meeting. Errors: those of knng_plan_make and knng_run, and of read. Memory beside
 * the lists: two blocks of rows, their neighbours (16 bytes a place) and one search of two blocks. Cost: n^2/2
 * distances; a row is read n / (2 size) + 1/2 times on average. */
knng_status knng_blocks_run(const knng_rows *rows, int64_t size, const knng_options *opt, knng_neighbours *lists,
			    knng_info *info, knng_err *err);

#endif
