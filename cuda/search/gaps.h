/* gaps.h  What the files of searches over shared columns share: gaps.cu, gap_bounds.cu, gap_lists.cu. */
#ifndef KNNG_CUDA_GAPS_H
#define KNNG_CUDA_GAPS_H

#include "cuda/search/backend_cuda.h"

enum { HITS_A_ROW = 256 /* pairs of a tile that there is room for, for each of its rows */ };

/* Zeros where a value is missing, and at the end of a row; of cityblock there is y alone, and NaN in it. */
template <typename T> struct copies {
	T *y, *square, *mask; /* [n * across] */
};

/* One matrix on a device. */
typedef struct {
	int64_t n;
	double *u;      /* [n * ld] as it came */
	uint32_t *has;  /* [words * n] bit l % 32 of number l / 32 * n + i: row i has column l, and may meet others */
	uint8_t *alone; /* [n] */
	uint8_t *tied;  /* [n] of ranks */
	float *total;   /* [n] of ranks: how many columns a row has; of cityblock: no less than the sum of its copy's
			   absolute values */
	copies<__half> half;
	copies<float> single;
} gap_rows;

/* Lists of rows that lie one after the other: of row r its neighbours, and whatever else has been found since they were
 * last chosen; then what it has taken from the tile. Keys are the bits of distances. */
typedef struct {
	uint64_t *key;   /* [rows * capacity] */
	int32_t *column; /* [rows * capacity] */
	int32_t *found, *taken;
	float *limit; /* the largest bound that still matters */
} gap_lists;

/* A pair of a tile that may matter: query, reference; its places in their lists, or -1. */
typedef struct {
	int32_t row, column, mine, theirs;
} gap_hit;

/* What a tile counts: pairs that may matter; 1: there was no room for all of them, and none of them counts. */
typedef struct {
	int32_t hits, spilled;
} gap_tally;

/* What a block of queries counts. */
typedef struct {
	unsigned long long made; /* canonical distances */
	int32_t some;            /* whether any list has taken anything */
} gap_counters;

/* The numbers of a bound, in the precision that it is computed in. */
template <typename real> struct gap_terms {
	real sums, upper, copies, floor;
	real tiny, least; /* what stands beside sums of squares, and what is taken off beside parts */
};

/* A tile of queries and references, and their lists, as kernels get them. */
typedef struct {
	knng_sum kind; /* of the metric */
	knng_prep prep;
	knng_final_map map;
	gap_terms<double> exact;
	gap_terms<float> quick; /* the same: what is lost by halves is more than what single precision loses */
	bool normed, centred, ranked;
	int64_t slice; /* columns that a product in single precision takes at a time, at most */
	bool graph, filters, halves;
	bool both;     /* a pair serves the reference, too */
	gap_rows x, y; /* references; queries, of a graph the same */
	int shift;     /* bounds are 2^shift times real sums */
	int64_t d, ld, words, least, k, capacity;
	int64_t row0, nr, column0, nc, width; /* width: of a row of v */
	float *v;                             /* the products, `plane` numbers each; bounds in place of the first */
	int64_t plane;
	gap_lists mine, theirs; /* of row0 on; of column0 on, if there are any */
	gap_hit *hits;          /* [room] */
	int64_t room;
	gap_tally *tally;
	gap_counters *count;
} meeting;

/* Numbers of a copy's row, so that each begins where cuBLAS likes it. */
static inline int64_t
across(int64_t d)
{
	return up_to(d, 8);
}

/* ---------------------------------------------------------------- gap_bounds.cu */

/* Which columns rows have, and their copies; the centre is the device's. multiplied: else their differences are summed
 * up. */
void launch_gap_copies(const gap_rows *rows, bool filters, bool multiplied, const knng_gap_scale *to, int64_t d,
		       int64_t ld, cudaStream_t stream);

/* The sums of the differences of a tile's copies. */
void launch_gap_differences(const meeting *t, cudaStream_t stream);

/* The bounds of a tile, in place of the first product. */
void launch_gap_bounds(const meeting *t, cudaStream_t stream);

/* Pairs of a tile that may matter, by their bounds, to the hits and to the lists. */
void launch_gap_offers(const meeting *t, cudaStream_t stream);

/* ---------------------------------------------------------------- gap_lists.cu */

/* `rows` lists become empty. */
void launch_gap_begin(const gap_lists *lists, int64_t rows, cudaStream_t stream);

/* Of pairs with bounds those that may matter to their query, as long as its list has room, their distances, and the
 * k nearest. */
void launch_gap_take(const meeting *t, cudaStream_t stream);

/* The distances of hits, in the lists. */
void launch_gap_hits(const meeting *t, cudaStream_t stream);

/* What lists of a tile have taken is found, and the k nearest are chosen: where that is worth it, or of all. */
void launch_gap_settle(const meeting *t, bool theirs, bool all, cudaStream_t stream);

/* The neighbours of queries [first, first + count), as the host has them. */
void launch_gap_pairs(const meeting *t, int64_t first, int64_t count, knng_pair *to, cudaStream_t stream);

#endif
