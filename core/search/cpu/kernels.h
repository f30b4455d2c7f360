/* kernels.h  The inner loops of the CPU backend, compiled once a target and chosen at run time. All targets give the
 * same bits wherever a result is canonical (docs/canonical.md, 2 and 3). */
#ifndef KNNG_KERNELS_H
#define KNNG_KERNELS_H

#include "search/gaps.h"

enum {
	MICRO_PANEL = 16
}; /* rows of a low-precision copy that lie interleaved: element (r, l) at [(r / 16)*16*d + l*16 + r % 16] */

/* What is copied of x where products or squares are made, before it is rounded to single: a multiple of 2^-62. Then
 * nothing that is made of copies is subnormal, with which processors are slow (docs/canonical.md, 6). */
static inline double
knng_coarse(double x)
{
	const double most = 0x1p-11, unit = 0x1.8p-10; /* that plus less than `most` is a multiple of 2^-62 */
	double small = x < -most ? -most : x > most ? most : x;
	return (x - small) + ((small + unit) - unit);
}

/* A pair that passed the filter of a tile: local row or column whose list it goes to, the other's index, its score. */
typedef struct {
	int32_t to, other;
	float q;
} knng_hit;

/* What is measured of a low-precision copy's row. */
typedef struct {
	double residual, norm; /* of y - copy, of copy; in the 2-, 1- or infinity norm; not yet rounded up */
	double half;           /* |y|^2 / 2 */
} knng_measure;

/* How tile values come about: inner products, L1 or Linf distances. */
typedef enum { KNNG_TILE_PRODUCT, KNNG_TILE_L1, KNNG_TILE_LINF, KNNG_TILES } knng_tile_kind;

/* Of one row and some others, sums over the columns that it shares with each: of products, of its own elements and
 * squares, of those of the others. x and y are looked at only where rows are centred. */
typedef struct {
	const float *xy, *x, *y, *xx, *yy;
	const float *shared;          /* columns, 1 or more */
	float weight, root;           /* of the one row: K of (12.16), and its root, rounded up */
	const float *weights, *roots; /* of the others */
	const float *turn,
		*turned; /* of ranks, of the one row and of the others: sigma of (12.13), over sqrt (c/(12 A)) */
} knng_shared_sums;

/* Columns that a row has, or those that it lacks. */
typedef struct {
	const int32_t *columns;
	int64_t count;
	bool lacks;
} knng_shared_list;

typedef struct {
	const char *name;

	/* Prepares one row in place: u[ld], zeros from d on; scratch holds 4*ld doubles. Returns KNNG_ROW_…; fills
	 * hash. */
	int (*prepare)(const knng_metric *metric, double *u, int64_t d, int64_t ld, double *scratch, uint64_t *hash);

	/* Raises *largest to max|u|; clears *integers if u holds a fraction. */
	void (*extent)(const double *u, int64_t d, double *largest, bool *integers);

	/* out[c] = the canonical sum of u and row j[c] of U (ld columns), c < count. */
	void (*sums)(knng_sum sum, const double *u, const double *U, int64_t ld, const int32_t *j, int64_t count,
		     double *out);

	/* The same of `many` rows, a multiple of 8 up to 64, that lie in columns: element l of u at u[l*stride], of row
	 * c at rows[l*many + c]. Bit c of the answer: out[c] <= limit. */
	uint64_t (*sums_of_columns)(knng_sum sum, const double *u, int64_t stride, const double *rows, int64_t many,
				    int64_t d, double limit, double *out);

	/* The same of four u at once and rows j[c] of U (ld columns), c < count, 1 to 64: out[q*64 + c] is the sum of
	 * u[q] and row c, bit c of within[q] whether it is at most limit[q]. What is in out beyond count is of no use.
	 */
	void (*sums_of_four)(knng_sum sum, const double *const *u, const double *U, int64_t ld, const int32_t *j,
			     int64_t count, const double *limit, double *out, uint64_t *within);

	/* In single precision, each sum of terms one after the other (docs/canonical.md, 10): out[e*64 + c] of query e,
	 * one or two of d elements, and of row c, of which element l is at rows[l*many + c]; many is 16, 32, 48 or 64.
	 * Bit c of within[e]: whether it is at most limit[e]. Where none is, what is in out is of no use. */
	void (*sums_of_copies)(knng_sum sum, const float *const *queries, int count, const float *rows, int64_t many,
			       int64_t d, const float *limit, float *out, uint64_t *within);

	/* A number that is no less than k of x[count], finite and none negative, nor than more than k + more, if they
	 * differ: the k-th least, or a little larger. Beyond count, x is overwritten up to the next multiple of 16. */
	float (*bound_of_least)(float *x, int64_t count, int64_t k, int64_t more);

	/* Bit c of the answer, where it is one of `among`: whether the sum of query c and of the point of a box, low[d]
	 * to high[d], that is nearest to it is at most limit[c]. It is no more than the sum of the query and of any row
	 * in the box, to the last bit (docs/canonical.md, 10). Queries lie like the rows above. */
	uint64_t (*near_box)(knng_sum sum, const double *queries, int64_t many, const double *low, const double *high,
			     int64_t d, uint64_t among, const double *limit);

	/* The same of 64 copies of queries, element l of query c at queries[l*64 + c], and of a box of copies: no more
	 * than sums_of_copies makes of the query and of any copy in the box, to the last bit. */
	uint64_t (*near_box_of_copies)(knng_sum sum, const float *queries, const float *low, const float *high,
				       int64_t d, uint64_t among, const float *limit);

	/* out[c] = the sum, MINUS, L1 or LINF, of u and row j[c] of U, where NaN is a missing value: the canonical sum
	 * of the rows that have 0 where either has NaN. No Inf. */
	void (*shared_sums)(knng_sum sum, const double *u, const double *U, int64_t ld, const int32_t *j, int64_t count,
			    double *out);

	/* out[c] = how many bits a[words] and row j[c] of B (`words` columns) have in common. */
	void (*shared_bits)(const uint64_t *a, const uint64_t *B, int64_t words, const int32_t *j, int64_t count,
			    int32_t *out);

	/* In how many columns x and y, which have NaN where a value is missing, hold the same, and in how many both 0,
	 * if that is asked for (zero not NULL). No Inf.
	 */
	void (*shared_same)(const double *x, const double *y, int64_t ld, int64_t *same, int64_t *zero);

	/* The canonical sum of x and y over the `shared` columns that both have, 1 or more, each prepared over these
	 * alone (docs/canonical.md, 12): of metrics that scale and normalise; ranks are given as x and y. NaN: one of
	 * the two is constant there (UNIT: zero). x, y [ld]: NaN is a missing value, as is all from d on; no Inf.
	 * scratch holds 2*ld doubles. */
	double (*shared_pair)(const knng_metric *metric, const double *x, const double *y, int64_t ld, int64_t shared,
			      double *scratch);

	/* The ranks of x among the columns that y has too, into `to` [ld], NaN elsewhere. order[count]: the columns
	 * that x has, by value; tied: whether two of these values are equal. scratch holds as many. */
	void (*shared_ranks)(const double *x, const double *y, int64_t ld, const int32_t *order, int64_t count,
			     bool tied, double *to, int32_t *scratch);

	/* Of each list c and each row r of copies in micro-panels, r < rows taken up to the next multiple of 16: sums
	 * of elements, to[r*stride + c*step] (to NULL: not wanted), and of squares, too[the same], over the columns of
	 * the list, or over all, of which the sums are all[r] and every[r], less these. stride or step is 1. */
	void (*shared_some)(const float *y, const float *square, const float *all, const float *every, int64_t d,
			    int64_t rows, const knng_shared_list *lists, int64_t count, float *to, float *too,
			    int64_t stride, int64_t step);

	/* (12.14), over sqrt (c/(12 A)): by how much the ranks of a row, all of them different, turn where of its `all`
	 * columns it shares so many. `columns`, up to 64, are what the other row lacks; ranks [d], up to 4096. */
	double (*shared_turn)(const double *ranks, const int32_t *columns, int64_t count, int64_t all, int64_t shared);

	/* low[c], c < count, up to the next multiple of 16: no more than the real sum of the pair's prepared rows,
	 * times d over the columns shared where they are not normed. Bit c % 16 of near[c / 16]: whether that is at
	 * most limit or limits[c]. */
	void (*shared_low)(const knng_shared_bound *b, const knng_shared_sums *s, int64_t count, float limit,
			   const float *limits, float *low, uint16_t *near);

	/* The low-precision copy of one row: y = u*scale - centre (centre may be NULL), rounded to single, element l at
	 * copy[l*stride]. */
	knng_measure (*copy)(knng_tile_kind kind, const double *u, const double *centre, double scale, int64_t d,
			     float *copy, int64_t stride);

	/* v (bi x bj, row stride ldv >= bj rounded up to 16) over columns [l0, l1) of copies in micro-panels; bi and bj
	 * are taken up to the next multiple of 16 (copies have zeros there). add: combine with what v holds. */
	void (*tile[KNNG_TILES])(const float *rows, const float *columns, int64_t d, int64_t l0, int64_t l1, int64_t bi,
				 int64_t bj, float *v, int64_t ldv, bool add);

	/* out[c] = the product of x and row j[c] of X, of d columns each, in single precision: each sum made of parts
	 * of up to 512 columns, as tiles are, with no more roundings (docs/canonical.md, (6.2)). d is 128 or more. */
	void (*products)(const float *x, const float *X, int64_t d, const int32_t *j, int64_t count, float *out);

	/* v (bi x bj, row stride ldv) = rows * columns' in double precision, row-major with d columns. In an order that
	 * differs between targets: for scores within their bound. */
	void (*tile64)(const double *rows, const double *columns, int64_t d, int64_t bi, int64_t bj, double *v,
		       int64_t ldv);
	/* A row of its scores: the products as the sum takes them, less base and offset, rounded up to single. */
	void (*scores64)(knng_sum sum, const double *products, const double *base, double offset, int64_t n, float *v);

	/* Compares one row of a tile with the thresholds, 16 columns at a time: hits of the row's list where
	 * v[j] - column_base[j] >= threshold, hits of the columns' lists (column_threshold != NULL) where
	 * v[j] - row_base >= column_threshold[j]. `row`, and j, are local; nrow and ncolumn count up. */
	void (*compare)(const float *v, int32_t row, int64_t bj, float threshold, float row_base,
			const float *column_threshold, const float *column_base, knng_hit *row_hits, int64_t *nrow,
			knng_hit *column_hits, int64_t *ncolumn);

	/* best[g], g < groups (a multiple of 16): the largest v[j] - base[j] over j = g, g + groups, … < bj. */
	void (*group_best)(const float *v, const float *base, int64_t bj, int64_t groups, float *best);
} knng_kernels;

/* The kernels of that target, or the best this CPU runs (name NULL); NULL if there are none such here. */
const knng_kernels *knng_kernels_find(const char *name);

#endif
