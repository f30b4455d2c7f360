/* kernels.h  The kernels of the search; every launch has its launch_* function beside the kernel.
 *
 * Names: u prepared rows (canonical), y what is multiplied, h half squared norms, eps error bounds, q scores, all of
 * docs/canonical.md, 6 to 8, with half-precision products (the level f16), those of rows in two pieces (f32), double
 * ones (f64) and canonical distances (scan). */
#ifndef KNNG_CUDA_KERNELS_H
#define KNNG_CUDA_KERNELS_H

#include "cuda/base/devices.h"
#include "search/gpu.h"

#include <cuda_fp16.h>

extern const knng_search_host *core; /* set once, when the plugin opens */

/* ---------------------------------------------------------------- prepare.cu */

/* Prepared rows on a device: floats where they came as floats and are searched as they came, otherwise doubles. */
typedef struct {
	void *at; /* row 0 */
	int64_t ld;
	bool single;
} prepared;

static inline prepared
rows_from(prepared u, int64_t first)
{
	u.at = (char *)u.at + first * u.ld * (u.single ? 4 : 8);
	return u;
}

/* raw: columns of n rows, element (i, c) at raw[c*n + i]; to element first + c of row i of u. */
void launch_transpose(const void *raw, knng_type type, int64_t n, int64_t first, int64_t columns, prepared u,
		      cudaStream_t stream);
/* raw: n rows of d, one behind the other; to the first d elements of the rows of u. */
void launch_spread(const void *raw, knng_type type, int64_t n, int64_t d, prepared u, cudaStream_t stream);
/* Average ranks in place of every finite, not constant row. scratch: RANK_BLOCKS * ld doubles. */
enum { RANK_BLOCKS = 1024 };
void launch_rank(prepared u, int64_t n, int64_t d, double *scratch, cudaStream_t stream);
/* docs/canonical.md, 3, in place. extent: [0] the bits of max|u|, [1] nonzero if a fraction was seen. */
void launch_prepare(const knng_metric *metric, prepared u, int64_t n, int64_t d, uint8_t *state, uint64_t *hash,
		    unsigned long long *extent, cudaStream_t stream);
/* differs[0] becomes 1 + i for some i < count where row a[i] of u (NULL: row i) and row b[i] of v are not bit-equal. */
void launch_differ(prepared u, prepared v, const int32_t *a, const int32_t *b, int64_t count, int32_t *differs,
		   cudaStream_t stream);
/* flag[0] becomes 1 if two of n fine rows share a hash, or one has the hash 0. table: size numbers, zeros; size is a
 * power of two above n. */
void launch_meet_hashes(const uint8_t *state, const uint64_t *hash, int64_t n, uint64_t *table, int64_t size,
			int32_t *flag, cudaStream_t stream);
/* to[i] = u[rows[i]], i < count, as they are. */
void launch_copy(prepared u, const int32_t *rows, int64_t count, void *to, cudaStream_t stream);
/* to[i] = y of u[rows[i]] (NULL: of u[i]), i < count; y = u*scale - centre, or u where centre is NULL; rounded, where
 * `to` is of single precision. */
void launch_gather(prepared u, int64_t d, const int32_t *rows, const double *centre, double scale, int64_t count,
		   double *to, cudaStream_t stream);
void launch_gather(prepared u, int64_t d, const int32_t *rows, const double *centre, double scale, int64_t count,
		   float *to, cudaStream_t stream);
/* half and eps of the double level of each y. large[0] = 1 if a half reaches 2^40. */
void launch_measure(knng_sum sum, prepared u, const double *centre, double scale, int64_t count, int64_t d,
		    double *half, double *eps, int32_t *large, cudaStream_t stream);
/* half of each row of y = u*factor - centre (NULL: 0). extent: [0] the bits, as floats, of the longest |y|, [1] of the
 * shortest, complemented. */
void launch_lengths(prepared u, const double *centre, double factor, int64_t count, int64_t d, double *half,
		    unsigned *extent, cudaStream_t stream);
/* The copy of the half-precision level, canonical.md, 6: f = y / scale rounded; scale is `common`, or, if that is 0,
 * the power of two that puts the row's length into [2^6, 2^7). norm of the copy and residual, rounded up. extent: [2]
 * the bits of the largest (residual / norm)^2. */
void launch_halve(prepared u, const double *centre, double factor, float common, __half *f, float *scale, int64_t count,
		  int64_t d, const double *half, double *norm, double *residual, unsigned *extent, cudaStream_t stream);
/* Row i of y = u*factor - centre, of row from[i] of u (NULL: i), in two pieces, in the unit of point point[i] (NULL:
 * i): hi + lo = y / scale but for a rest. f: count rows of 3*ld, (lo, hi, hi); column: (hi, lo, hi). */
void launch_split(prepared u, const int32_t *from, const int32_t *point, const double *centre, double factor,
		  const float *scale, int64_t count, int64_t d, __half *f, bool column, cudaStream_t stream);
/* Half squared norms of y; norms of copies in two pieces, and residuals, both rounded up. extent: [2] as above; [3] the
 * bits of the largest (second piece / copy)^2. */
void launch_pieces(prepared u, const double *centre, double factor, const float *scale, int64_t count, int64_t d,
		   double *half, double *norm, double *residual, unsigned *extent, cudaStream_t stream);
/* From norms (in base) and residuals (in eps) to eps and base. exact: eps = 0. pieces: the copies have two; parts:
 * their products are summed up in parts of KNNG_PIECES_PART. */
void launch_bound(bool exact, bool pieces, bool parts, int64_t d, const double *half, double *eps, double *base,
		  int64_t count, const unsigned *extent, cudaStream_t stream);
/* base = half - eps rounded down; exact: eps = 0. */
void launch_base(bool exact, double *half, double *eps, double *base, int64_t count, cudaStream_t stream);

/* ---------------------------------------------------------------- tiles.cu */

/* Products become scores: antipearson negates, abspearson takes the absolute value. */
void launch_orient(knng_sum sum, double *v, int64_t nr, int64_t nc, int64_t width, cudaStream_t stream);
/* v[r*width + c] = sums[r*nc + c] in half precision; nc, width: multiples of 8. */
void launch_narrow(const float *sums, int64_t nr, int64_t nc, __half *v, int64_t width, cudaStream_t stream);
/* v = minus the canonical distance of rows u[pending[r]] (NULL: u[r]) and columns. */
void launch_canonical_tile(knng_sum sum, knng_final_map map, prepared u, const int32_t *pending, prepared columns,
			   int64_t nr, int64_t nc, double *v, int64_t width, cudaStream_t stream);

/* ---------------------------------------------------------------- differences.cu */

/* Bytes of a row's copy of whole numbers: a byte or a half for each of ld numbers, in groups of sixteen bytes. */
static inline int64_t
grid_bytes(knng_sum sum, int64_t ld)
{
	return (ld * (sum == KNNG_SUM_LINF ? 2 : 1) + 15) / 16 * 16;
}

/* Copies of y = u*factor - centre (NULL: 0) in whole numbers of `unit`, grid_bytes each; every scale is the unit, half
 * is 0. */
void launch_grid(knng_sum sum, prepared u, const double *centre, double factor, float unit, void *copies, float *scale,
		 int64_t count, int64_t d, double *half, double *eps, cudaStream_t stream);
/* The bounds of y in single precision; scale 1, half 0. */
void launch_singles(knng_sum sum, prepared u, const double *centre, double factor, float *scale, int64_t count,
		    int64_t d, double *half, double *eps, cudaStream_t stream);
/* v[r*width + c] = the L1 or Linf distance of copies, in their units: of launch_grid, or rows of ld floats, a multiple
 * of 4. width: a multiple of 4. */
void launch_distances(knng_sum sum, bool singles, const void *rows, const void *columns, int64_t ld, int64_t nr,
		      int64_t nc, float *v, int64_t width, cudaStream_t stream);
/* v[r*width + c] = minus the L1 or Linf distance of rows y[r] and columns y[c]. */
void launch_difference_tile(knng_sum sum, const double *rows, const double *columns, int64_t d, int64_t ld, int64_t nr,
			    int64_t nc, double *v, int64_t width, cudaStream_t stream);

/* ---------------------------------------------------------------- candidate lists, lists.h inside kernels */

/* The candidate lists of a device and what their rows know; one list a query point. Passed by value. */
typedef struct {
	/* By query point, but of those of one block alone. */
	uint64_t *key;     /* [capacity] each: ascending keys are descending scores; at last the bits of distances */
	int32_t *column;   /* [capacity] each */
	int32_t *used;     /* may exceed capacity until the list is pruned */
	double *threshold; /* A; +Inf: the row escalates to the next level */
	int32_t *bound;    /* at score A, columns from here on are not needed */
	double *radius;
	int32_t *spent; /* exact distances that pruning took in this level */
	unsigned long long
		*refined; /* [1] exact distances of the level: what was spent, and the entries of lists at last */
	const double *half, *eps, *base; /* of the queries */
	const double *eps_x, *base_x;    /* of the references */
	const float *scale, *scale_x;    /* of the copies, in all levels but the last two */
	const int32_t *pending;          /* point of each row of the level */
	int32_t *queue;                  /* [2][stride] lists that wait to be pruned: row r, or ~column */
	int32_t *queued;                 /* [2] how many, of two queues; active: the one that is filled; [2] how many
					    lists had no room for what a tile had for them, or how many rows are
					    crowded (few); [3] how many places a tile took for hits, or of how many
					    rows more than (k + few) / 2 columns of their first tile pass; [4] how
					    far a tile's blocks are (fused.h); [5], [6] of how many rows more than
					    dense[0], [1] do */
	int64_t capacity, k, candidates, d;
	int64_t room;   /* a list with more entries is pruned after the tile */
	int64_t stride; /* of a queue */
	/* What lists that stay full are refined with: prepared rows of the queries and the references, and how many
	 * exact distances a list may take; 0: none. */
	prepared u, u_x;
	int64_t budget;
	knng_final_map map;
	knng_sum sum;
	int sigma, active;
	bool exact, graph;
	bool alike;  /* all copies have one scale */
	int64_t few; /* a row is crowded if more columns of its first tile pass the threshold that they give it */
	/* More columns of a tile that may pass in the end are too many: [1] in this tile, [0] in every tile; share: how
	 * many of the k best a tile has (find_dense in begin.cu). */
	int64_t dense[2], share;
} lists;

/* Sums of differences: scores are minus distances, in units of one scale. */
KNNG_HD bool
differs(knng_sum sum)
{
	return sum == KNNG_SUM_L1 || sum == KNNG_SUM_LINF;
}

/* A tile: rows [row0, row0 + nr) of pending against columns [column0, column0 + nc). Doubles, already
 * oriented; or halves or floats, products or distances of copies; or nothing but the copies themselves, ld halves each.
 */
typedef struct {
	const void *v;
	const __half *rows, *columns;
	int64_t ld;
	bool halves, floats; /* neither: doubles */
	int64_t width, row0, nr, column0, nc;
} tile;

/* ---------------------------------------------------------------- thresholds.cu */

/* Empty lists of the first `count` rows; scores: they have no radii yet, or, within, those of the distances that stand
 * in their place. */
void launch_reset(lists l, int64_t count, bool scores, bool within, cudaStream_t stream);
/* Thresholds of the rows of a tile from k good scores of each. */
void launch_first_thresholds(lists l, tile t, cudaStream_t stream);

/* ---------------------------------------------------------------- compare.cu */

/* Compares a tile with the thresholds; both: serves the columns' lists too. */
void launch_compare(lists l, tile t, bool both, cudaStream_t stream);

/* ---------------------------------------------------------------- prune.cu */

/* Makes room again in the lists that launch_compare queued, and compares again what did not fit. Lists that scores
 * leave full are refined, while their budget lasts; capacity <= REFINED where there is one. Then the row escalates. */
enum { REFINED = 4096 };
void launch_prune_queued(lists l, tile t, cudaStream_t stream);
/* Prunes those lists of a tile by their scores that have grown since, where that takes little. */
void launch_prune_tile(lists l, tile t, bool both, cudaStream_t stream);
/* Leaves the columns in lists [first, first + count) of pending that may be among the k best. scan: scores, all of
 * them, become the distances that they are. radius, where it is not NULL: [count] a real sum that `rank` columns of
 * each list do not exceed, or Inf. */
void launch_prune(lists l, int64_t first, int64_t count, bool scan, bool halves, int64_t rank, double *radius,
		  cudaStream_t stream);
/* Leaves those that may be among the k best of all devices: as many columns as they have ranks do not exceed the
 * largest radius, which is the device's own or one of `many` others, [many * count]. */
void launch_prune_shared(lists l, int64_t first, int64_t count, const double *mine, const double *others, int many,
			 cudaStream_t stream);

/* ---------------------------------------------------------------- best.cu */

/* The k best distances of lists [first, first + count) of pending in front. number[p - first]: how many there are, or
 * -1: the row escalates. */
void launch_best(lists l, int64_t first, int64_t count, int32_t *number, cudaStream_t stream);
/* The k in front of lists [first, first + count) of pending, in order: count * k distances, then their columns. Places
 * without an answer are at the end, as NO_ANSWER, which is no distance but a NaN, and -1. */
static const uint64_t NO_ANSWER = ~0ull;
void launch_pack(lists l, int64_t first, int64_t count, char *packed, cudaStream_t stream);
/* The k best of what n devices packed of the same rows, in the same shape behind them: part i is at parts + i*share. */
void launch_merge(char *parts, int n, int64_t share, int64_t count, int64_t k, cudaStream_t stream);

/* ---------------------------------------------------------------- leaves.cu */

/* Rows in leaves of a tree, each in a box (docs/canonical.md, 10). Node 1 is the root, the children of node i are 2i
 * and 2i + 1, the leaves nodes `leaves`, ...: of 2^depth nodes of a depth each has as many rows as the others, or one
 * more. Passed by value. */
enum { LEAF = 32, DEEPEST = 30, STAGED = 64 /* columns up to which a leaf's rows lie in shared memory */ };
/* Whose turn it is to go through a tree with copies: first the groups of a launch, then those of their queries that go
 * another time. */
#ifdef KNNG_PLAIN
enum { TURNS = 1 }; /* on emulated GPUs, where tests come to more */
#else
enum { TURNS = 1 << 14 };
#endif
typedef struct {
	unsigned long long taken, got, put, done; /* groups; of those that were put here, also in vain; of all */
	unsigned long long visited;               /* leaves, by those that are done */
	int32_t group[TURNS];
	unsigned queries[TURNS]; /* a bit for each; 0: not yet */
} turns;
typedef struct {
	int64_t n;
	int d, wide;    /* columns of the rows, and of what lies here: zeros follow, which add nothing */
	int depth;      /* of the leaves */
	int32_t *order; /* [n] points, leaf after leaf */
	double *rows;   /* [n * wide] in that order */
	double *box;    /* [2^(depth + 1) * 2 * wide] of each node the least elements, then the largest */
	double *cut;    /* [2^depth] where a node is cut: no element of its left half is larger */
	int32_t *axis;  /* [2^depth] in which column */
	/* Copies in single precision, in the room of rows, or NULL (copies.cu). */
	float *copies; /* [leaves * wide * stride] of each leaf column by column, what follows its rows among them */
	float *sides;  /* [2^(depth + 1) * 2 * wide] boxes of copies */
	/* Centres, from which copies of the rows below some nodes are made: 0 is that of all rows. */
	int centres;
	int16_t *own;   /* [JUDGED] the centre of a node, and of those below that are JUDGED or more */
	double *size;   /* [JUDGED] the norm of half the sides of a node's box */
	double *centre; /* [CENTRES * wide] what is taken from rows before they are scaled */
	double *scale;  /* [CENTRES] */
	double *length; /* [CENTRES] the norm of the longest copy */
	int stride;     /* rows of a leaf, a multiple of eight */
	/* Of PARTIES groups that are under way, LEAF lists each of `room` sums and points, and CREW times room for
	 * distances. */
	int64_t room;
	float *sums;
	int32_t *kept;
	uint64_t *distance;
	turns *queue;
	double *within; /* of visiting, where there is room for it */
	/* While it is made: pairs to be sorted. */
	uint64_t *key[2];
	uint32_t *place[2];
	void *temporary; /* [temporary_bytes] */
	int64_t temporary_bytes;
} boxes;
/* Columns that rows of d columns have in leaves. */
int boxes_wide(int64_t d);
/* Makes the tree of points 0 ... n - 1; all but what it points to is set. Its room has to do for `count` rows to be
 * sorted: boxes_temporary. */
int64_t boxes_temporary(int64_t count);
cudaError_t launch_boxes(boxes b, prepared u, cudaStream_t stream);
/* Rows and boxes of a tree again, where copies were. */
cudaError_t launch_fill(boxes b, prepared u, cudaStream_t stream);
/* The queries in the order of the leaves that they lie in: order, one of b.place. */
cudaError_t launch_order(boxes b, knng_sum sum, prepared u, int64_t count, uint32_t **order, cudaStream_t stream);
/* LOOKING of m points look at `some` of the n others, or of those of the other side (visiting), in GLANCES parts: found
 * has of each point and part the least sum, what the part adds to the mean, and which part of all sums lies there, at
 * most NEXT_TO of their geometric mean. */
enum { LOOKING = 32, GLANCES = 8, GLANCED = 3 };
#define NEXT_TO 0.01
void launch_look(knng_sum sum, prepared u, int64_t m, prepared others, int64_t n, int64_t split, bool graph,
		 int64_t some, double *found, cudaStream_t stream);
/* Which of the points the i-th of these is. */
__host__ __device__ static inline int64_t
look_query(int64_t m, int i)
{
	return (2 * i + 1) * m / (2 * LOOKING);
}

enum { COUNTS = 3 };
/* Queries that go through the tree, `together` of them as a group: a warp, or a block where there are copies. */
typedef struct {
	prepared u, others;    /* of the queries and of the references */
	const int32_t *points; /* those that lie beside each other go together */
	int64_t first, end;    /* of points */
	int64_t step;          /* from one group to the next: as many as go together, or more where a sample goes */
	int64_t groups;
	int together;
	int64_t k;
	knng_sum sum;
	knng_final_map map;
	bool graph;           /* points are not their own neighbours, */
	int64_t split;        /* nor those of their side: the first so many points, or the others; 0: one side */
	const double *within; /* [points] the farthest that each looks; NULL: all look as far as they like */
	uint64_t *distance;   /* [groups * together * k] in order, NO_ANSWER where there is none; its bits */
	int32_t *column;
	bool in_place;  /* answers of point p lie at row p, instead of query after query */
	bool sample;    /* only counts are wanted: once they say yes, the turns that have not ended are given up */
	int64_t most;   /* leaves that a group may visit in a turn before it gives up */
	int64_t enough; /* of a sample: distances of lists that a warp may compute before its group does so, too */
	/* [COUNTS] leaves that groups visited, twice those of turns given up; rows of these for each query; distances
	 */
	unsigned long long *counts;
} visiting;
/* Whether rows of so many columns can be searched so, and lists of so many neighbours. */
bool boxes_fit(int64_t d, int64_t k);
void launch_visits(boxes b, visiting s, cudaStream_t stream);

/* ---------------------------------------------------------------- copies.cu */

enum { COPIED = 8, COPIED_MOST = 344 /* columns: copies of a group lie in shared memory */ };
enum { PARTIES = 1024, CREW = 4 /* warps of each */ };
enum { CENTRES = 256, JUDGED = 8192 /* nodes that may have a centre of their own come before */ };
/* Whether leaves may hold copies of rows of so many columns, where so many neighbours are sought. */
bool copies_fit(int64_t d, int64_t k);
int64_t copies_room(int64_t k);
/* The sizes of nodes, by which the host gives them centres. */
cudaError_t launch_sizes(boxes b, knng_sum sum, cudaStream_t stream);
/* Then copies of the rows of a tree and the sides of their boxes. */
cudaError_t launch_copies(boxes b, knng_sum sum, prepared u, cudaStream_t stream);
void launch_copied_visits(boxes b, visiting s, cudaStream_t stream);

/* ---------------------------------------------------------------- refine.cu */

/* Canonical distances in place of the scores of columns [from, end) in lists [first, first + count) of pending: every
 * pair fetches a row. */
void launch_gathered(lists l, int64_t first, int64_t count, knng_sum sum, knng_final_map map, prepared u,
		     prepared columns, int64_t from, int64_t end, bool scores, cudaStream_t stream);
/* The same by blocks of rows and of columns that meet in shared memory, all of one side: a bucket holds what a block of
 * rows and one of columns share. A launch takes the buckets of some blocks of rows. */
enum { BLOCKED = 256, BLOCKED_COLUMNS = 12000, BLOCKED_CAPACITY = (1 << 24) - 1 };
typedef struct {
	/* Place p in pending is point p, and a column: who stands in whose list does not matter then, so that a pair is
	 * computed once for both, in the bucket whose block of rows is not after that of columns. */
	bool mutual;
	int side;                  /* rows of a block, at most BLOCKED */
	int64_t count;             /* lists */
	int64_t rows, columns;     /* blocks of each; at most BLOCKED_COLUMNS of columns */
	int64_t top, tall;         /* first block of rows of the launch, and how many */
	uint64_t *entry;           /* entries of lists, by bucket */
	uint64_t *pair;            /* pairs, by bucket */
	int32_t *begin, *end;      /* [tall * columns] of each bucket */
	unsigned long long *total; /* [2] entries, pairs */
} blocking;
/* total[0] += entries of the first `count` lists of pending. */
void launch_total(lists l, int64_t count, unsigned long long *total, cudaStream_t stream);
/* The side with which a bucket holds just what is worked at together; a list has that part of all columns. */
int blocked_side(knng_sum sum, double part, bool mutual);
/* Entries of the launch, into total[0], and where those of each bucket begin. begin and total: zeros. */
void launch_count(lists l, blocking m, cudaStream_t stream);
/* Then their distances. pair: room for twice the entries, or for the entries and `side` more a bucket. */
void launch_blocked(lists l, blocking m, knng_sum sum, knng_final_map map, prepared u, prepared columns,
		    cudaStream_t stream);
/* Lets the kernels of blocked refinement have their shared memory, which not every device has. */
cudaError_t blocked_prepare(void);
/* self[i] = canonical distance of row i to itself. */
void launch_self(knng_sum sum, knng_final_map map, prepared u, int64_t count, double *self, cudaStream_t stream);

/* ---------------------------------------------------------------- canonical arithmetic on the device */

#ifdef __CUDACC__

enum { LANES = 8 };

/* The fixed tree over eight neighbouring lanes; every lane gets the sum. (Addition commutes, so all agree.) */
__device__ static inline double
tree8(double a)
{
	a = __dadd_rn(a, __shfl_xor_sync(0xffffffffu, a, 4));
	a = __dadd_rn(a, __shfl_xor_sync(0xffffffffu, a, 2));
	return __dadd_rn(a, __shfl_xor_sync(0xffffffffu, a, 1));
}

__device__ static inline double
largest8(double a)
{
	a = fmax(a, __shfl_xor_sync(0xffffffffu, a, 4));
	a = fmax(a, __shfl_xor_sync(0xffffffffu, a, 2));
	return fmax(a, __shfl_xor_sync(0xffffffffu, a, 1));
}

/* One term of a canonical sum; EITHER is made of a MINUS and a PLUS. */
__device__ static inline double
meet(knng_sum sum, double a, double u, double v)
{
	double t;
	switch (sum) {
	case KNNG_SUM_PLUS:
		t = __dadd_rn(u, v);
		return __fma_rn(t, t, a);
	case KNNG_SUM_L1:
		return __dadd_rn(a, fabs(__dsub_rn(u, v)));
	case KNNG_SUM_LINF:
		return fmax(a, fabs(__dsub_rn(u, v)));
	default:
		t = __dsub_rn(u, v);
		return __fma_rn(t, t, a);
	}
}

__device__ static inline double
map_on_device(knng_final_map map, double sum)
{
	return map == KNNG_MAP_SQRT ? __dsqrt_rn(sum) : map == KNNG_MAP_HALF ? sum / 2 : sum;
}

/* The accumulators of a distance; EITHER has two of them. */
template <knng_sum SUM> struct sums {
	double a[SUM == KNNG_SUM_EITHER ? 2 : 1];
};

template <knng_sum SUM>
__device__ static inline void
take(sums<SUM> *s, double u, double v)
{
	s->a[0] = meet(SUM == KNNG_SUM_EITHER ? KNNG_SUM_MINUS : SUM, s->a[0], u, v);
	if (SUM == KNNG_SUM_EITHER)
		s->a[SUM == KNNG_SUM_EITHER] = meet(KNNG_SUM_PLUS, s->a[SUM == KNNG_SUM_EITHER], u, v);
}

/* The bits of the distance, in all eight threads of the pair. */
template <knng_sum SUM>
__device__ static inline uint64_t
result(const sums<SUM> &s, knng_final_map map)
{
	double a = SUM == KNNG_SUM_LINF ? largest8(s.a[0]) : tree8(s.a[0]);
	if (SUM == KNNG_SUM_EITHER)
		a = fmin(a, tree8(s.a[SUM == KNNG_SUM_EITHER]));
	return (uint64_t)__double_as_longlong(map_on_device(map, a) + 0.0);
}

/* Number e of prepared rows. */
__device__ static inline double
number_of(const prepared &u, int64_t e)
{
	return u.single ? (double)((const float *)u.at)[e] : ((const double *)u.at)[e];
}

/* Of rows x and y, by eight neighbouring threads. Each asks for AHEAD numbers of a row before it takes the first: 64
 * bytes. */
template <knng_sum SUM, typename T>
__device__ static inline uint64_t
distance_of(const T *x, const T *y, int64_t ld, knng_final_map map)
{
	enum { AHEAD = 64 / (int)sizeof(T) };
	sums<SUM> s = {};
	for (int64_t f = threadIdx.x % LANES; f < ld; f += AHEAD * LANES) {
		T u[AHEAD], v[AHEAD]; /* beyond the end zeros, which add nothing */
#pragma unroll
		for (int a = 0; a < AHEAD; a++) {
			bool there = f + a * LANES < ld;
			u[a] = there ? x[f + a * LANES] : 0;
			v[a] = there ? y[f + a * LANES] : 0;
		}
#pragma unroll
		for (int a = 0; a < AHEAD; a++)
			take<SUM>(&s, u[a], v[a]);
	}
	return result<SUM>(s, map);
}

#endif
#endif
