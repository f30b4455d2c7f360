/* fused.h  Products of half-precision copies, compared while they are made (fused.cu). */
#ifndef KNNG_FUSED_H
#define KNNG_FUSED_H

#include "cuda/search/kernels.h"

enum {
	TOGETHER = 128, /* columns of one product */
	SORTED = 1024,  /* that are put in order: a power of two */
	SORTERS = 512,  /* threads that do so */
	FOLDED_LONGEST = 96,
	FUSED_IN_REGISTERS = 304 /* the longest rows that lie in registers; fused_long.cu has longer ones */
};

/* A tile whose scores reach no memory, of 32 768 rows and columns at most. */
typedef struct {
	const __half *rows, *columns; /* of the tile, ld halves each */
	int64_t ld;
	int nr, nc;
	uint32_t flip; /* of two halves: the signs of rows, where nearer pairs have smaller products */
	int fold;      /* 0, or the first of four features, a multiple of 4, that rows have not got: what
			  products are compared with is folded in there */
	bool pieces;   /* rows and columns are in two pieces each (launch_split), thrice as long */
	bool both;     /* serves the columns' lists too */
	bool half;     /* rows and columns are the same points: each pair is met once, as the row that comes first,
			  and serves both lists */
	float2 *row, *column; /* [nr], [nc] room */
	bool even;            /* few pairs pass, and rows are of length one, or products folded */
	double spread;        /* of what columns ask for that are tested together: the largest by the smallest */
	float2 *least;        /* [nc / TOGETHER, rounded up] room */
	uint16_t *order;      /* [nc] room: of each SORTED columns; NULL: they stay as they are, as those of
				 long rows do */
	uint2 *hits;          /* [room] of pairs that may matter: row and column, sixteen bits each, and the product */
	int room, *handed;    /* how many places of hits were taken, 0 before; more than there is room for: the lists
				 get nothing, and the tile has to be made in another way */
	int *pace;            /* NULL, or how far the blocks of long rows are, all together, 0 before: they wait for
				 each other */
	float *products;      /* NULL, or [nr * width]: the products, in place of lists; flip is 0, or rows are long */
	int64_t width;
	int blocks; /* 0, or how many share the work, so that each has more of it */
	lists l;
	tile t;
} fused;

/* Whether rows of so many features, in two pieces, are summed up in parts of KNNG_PIECES_PART; ld: thrice as many. */
static inline bool
fused_in_parts(int64_t ld)
{
	return ld > 192;
}

/* Whether fused_long.cu has rows of so many halves: longer ones, and those in two pieces that are summed up in parts.
 */
static inline bool
fused_is_long(int64_t ld, bool pieces)
{
	return ld > FUSED_IN_REGISTERS || (pieces && fused_in_parts(ld));
}

/* What fused_longest has to be for them. */
static inline int64_t
fused_needs(int64_t ld, bool pieces)
{
	return fused_is_long(ld, pieces) && ld <= FUSED_IN_REGISTERS ? FUSED_IN_REGISTERS + 1 : ld;
}

/* Where in rows of d features what products are compared with is folded in; 0: nowhere. Of longer rows the features
 * that it takes cost more than it saves. */
static inline int
fused_fold(int64_t d)
{
	int64_t at = (d + 3) / 4 * 4;
	return at + 4 <= FOLDED_LONGEST ? (int)at : 0;
}

/* The longest rows that launch_fused takes on a device; 0: it has not got what that needs. */
int64_t fused_longest(int device);
/* The lists get what the tile has for them, as from launch_compare; of copies with one scale. False: there are no
 * products, and no lists; lists get theirs in another way, as *handed is more than there is room for. */
bool launch_fused(fused f, cudaStream_t stream);

#endif
