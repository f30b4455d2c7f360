/* copies.cu  Searches of a tree whose leaves hold copies of their rows in single precision (docs/canonical.md, 10.3 to
 * 10.7).
 *
 * A block takes queries that are neighbours through the tree together. Each of its warps goes to a node of its own; the
 * sums of all queries with all rows of a leaf are made in registers, four queries and eight rows a lane. Of each query
 * those are kept that may be among its k nearest, as far as copies say. Whenever there are WAITING more than k, the k
 * least sums say what is too far, and if that leaves too many, distances do: each warp does that for queries of its
 * own. At last the distances of what has been kept say which are the k. */
#include "cuda/search/leaves.h"

#include <math_constants.h>

enum {
	QUERIES = 4, /* of a lane */
	ROWS = 8,
	WAITING = 32, /* entries beyond k */
	APART = 16,   /* times the sum up to which one looks, another must look to go its own way */
	HELD = 4,     /* entries of a list that a lane holds while it is settled, or ranked */
	DIGITS = 14,  /* in which the bound of the k least sums is made out */
	FILLERS = 256,
	LINE = 128,    /* bytes */
	PAUSE = 200,   /* nanoseconds before a block asks again whether there is a turn for it */
	ABREAST = 4,   /* blocks of a multiprocessor, as far as registers go */
	NEAREST = 128, /* nodes of which the nearest is sought */
	SEEN = 64,     /* leaves where a group begins, before it looks for no more */
	MEASURED = 4,  /* times what a leaf takes whose copies lie around the centre that the queries have */
};
static_assert(2 * NEAREST >= CREW * (2 * DEEPEST + 1), "a stack has 2 CREW nodes of a depth at most");

/* ---------------------------------------------------------------- memory */

bool
copies_fit(int64_t d, int64_t k)
{
	return d >= COPIED && d <= COPIED_MOST && k >= 1 && k <= 1024;
}

/* Entries of a list: k, and so many more, when every warp brings what a leaf has. */
int64_t
copies_room(int64_t k)
{
	return (k + WAITING + CREW * LEAF + WARP - 1) / WARP * WARP;
}

/* ---------------------------------------------------------------- copies */

__device__ static inline bool
of_squares(knng_sum sum)
{
	return sum != KNNG_SUM_L1 && sum != KNNG_SUM_LINF;
}

/* Element l of a copy around a centre. */
__device__ static inline float
copy_of(const boxes &b, int centre, double u, int l)
{
	return __double2float_rn(__dmul_rn(__dsub_rn(u, b.centre[centre * b.wide + l]), b.scale[centre]));
}

/* The centre around which the copies below a node lie. */
__device__ static inline int
centre_of(const boxes &b, int64_t node)
{
	if (b.centres == 1)
		return 0;
	while (node >= JUDGED)
		node /= 2;
	return b.own[node];
}

/* A norm of the kind that the sum has, by the sum of all numbers and by the largest. */
__device__ static inline double
norm_of(knng_sum sum, double total, double largest)
{
	return sum == KNNG_SUM_LINF ? largest : of_squares(sum) ? __dsqrt_rn(total) : total;
}

/* Both, of numbers that lie in so many lanes of a warp. */
__device__ static inline void
gather(double &total, double &largest, int lanes)
{
	for (int step = lanes / 2; step > 0; step /= 2) {
		total += __shfl_xor_sync(ALL, total, step);
		largest = fmax(largest, __shfl_xor_sync(ALL, largest, step));
	}
}

/* The norm of a copy, rounded up; Inf: it is too far from the centre. */
__device__ static inline double
length_of(knng_sum sum, double total, double largest)
{
	return largest <= 0x1p20 ? norm_of(sum, total, largest) * (1 + 0x1p-30) : CUDART_INF;
}

/* A warp a node: the norm of half its sides, as half_of in boxes.cu has it. */
__global__ static void
size_kernel(boxes b, knng_sum sum)
{
	int64_t node = 1 + blockIdx.x;
	const double *low = b.box + node * 2 * b.wide, *high = low + b.wide;
	double total = 0, largest = 0;
	for (int l = threadIdx.x; l < b.wide; l += WARP) {
		double half = high[l] / 2 - low[l] / 2;
		total += of_squares(sum) ? half * half : half;
		largest = fmax(largest, half);
	}
	gather(total, largest, WARP);
	if (threadIdx.x == 0)
		b.size[node] = norm_of(sum, total, largest);
}

cudaError_t
launch_sizes(boxes b, knng_sum sum, cudaStream_t stream)
{
	int64_t nodes = (int64_t)2 << b.depth;
	size_kernel<<<(unsigned)(nodes < JUDGED ? nodes : (int64_t)JUDGED) - 1, WARP, 0, stream>>>(b, sum);
	return cudaGetLastError();
}

/* No length is negative: their bits have their order. */
__device__ static inline void
lengthen(const boxes &b, int centre, double length)
{
	atomicMax((unsigned long long *)&b.length[centre], (unsigned long long)__double_as_longlong(length));
}

/* A warp a leaf, a lane a row: its copies, column by column. Beyond the last row of a leaf there is it again. */
__global__ static void
copy_kernel(boxes b, knng_sum sum, prepared u)
{
	int64_t leaf = blockIdx.x, leaves = (int64_t)1 << b.depth, first = first_of(b.n, b.depth, leaf);
	int some = (int)(first_of(b.n, b.depth, leaf + 1) - first), lane = threadIdx.x;
	int64_t row = (int64_t)b.order[first + (lane < some ? lane : some - 1)] * u.ld;
	int centre = centre_of(b, leaves + leaf);
	float *to = b.copies + leaf * b.stride * b.wide;
	double total = 0, largest = 0;
	for (int l = 0; l < b.wide; l++) {
		float y = l < b.d ? copy_of(b, centre, number_of(u, row + l), l) : 0;
		double size = fabs((double)y);
		total += of_squares(sum) ? size * size : size;
		largest = fmax(largest, size);
		if (lane < b.stride)
			to[l * b.stride + lane] = y;
	}
	double length = length_of(sum, total, largest);
	for (int step = WARP / 2; step > 0; step /= 2)
		length = fmax(length, __shfl_xor_sync(ALL, length, step));
	if (lane == 0)
		lengthen(b, centre, length);
	if (b.centres == 1)
		return;
	/* The boxes of nodes above may have copies around another centre: these rows lie in them, too. */
	const double *low = b.box + (leaves + leaf) * 2 * b.wide, *high = low + b.wide;
	for (int64_t node = (leaves + leaf) / 2; node > 0; node /= 2) {
		int its = centre_of(b, node);
		if (its == centre)
			continue;
		centre = its;
		total = largest = 0;
		for (int l = lane; l < b.d; l += WARP) {
			double size = fmax(fabs((double)copy_of(b, its, low[l], l)),
					   fabs((double)copy_of(b, its, high[l], l)));
			total += of_squares(sum) ? size * size : size;
			largest = fmax(largest, size);
		}
		gather(total, largest, WARP);
		length = length_of(sum, total, largest);
		if (lane == 0)
			lengthen(b, its, length);
	}
}

/* A thread a column of a node: the copies of its sides, between which the copies of its rows lie, since rounding is
 * monotone. */
__global__ static void
side_kernel(boxes b)
{
	int64_t e = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, node = 1 + e / b.wide;
	int l = (int)(e % b.wide);
	if (node >= (int64_t)2 << b.depth)
		return;
	int centre = centre_of(b, node);
	for (int side = 0; side < 2; side++) {
		int64_t at = (2 * node + side) * b.wide + l;
		b.sides[at] = l < b.d ? copy_of(b, centre, b.box[at], l) : 0;
	}
}

cudaError_t
launch_copies(boxes b, knng_sum sum, prepared u, cudaStream_t stream)
{
	int64_t threads = (((int64_t)2 << b.depth) - 1) * b.wide;
	cudaError_t error = cudaMemsetAsync(b.length, 0, CENTRES * sizeof *b.length, stream);
	copy_kernel<<<(unsigned)1 << b.depth, WARP, 0, stream>>>(b, sum, u);
	side_kernel<<<(unsigned)((threads + FILLERS - 1) / FILLERS), FILLERS, 0, stream>>>(b);
	return error == cudaSuccess ? cudaGetLastError() : error;
}

/* ---------------------------------------------------------------- sums of copies */

template <knng_sum SUM>
__device__ static inline float
meet_copies(float a, float u, float v)
{
	float t = SUM == KNNG_SUM_PLUS ? __fadd_rn(u, v) : __fsub_rn(u, v);
	return SUM == KNNG_SUM_L1     ? __fadd_rn(a, fabsf(t))
	       : SUM == KNNG_SUM_LINF ? fmaxf(a, fabsf(t))
				      : __fmaf_rn(t, t, a);
}

/* Elements l to l + AHEAD - 1 of ROWS rows, `stride` apart. */
enum { AHEAD = 4 };
__device__ static inline void
fetch(float4 (&to)[AHEAD][ROWS / 4], const float *rows, int l, int stride)
{
#pragma unroll
	for (int a = 0; a < AHEAD; a++)
#pragma unroll
		for (int j = 0; j < ROWS / 4; j++)
			to[a][j] = __ldg((const float4 *)(rows + (l + a) * stride) + j);
}

/* Of QUERIES queries, which lie a warp's width apart, with those rows: while some elements meet, the next are fetched.
 */
template <knng_sum SUM>
__device__ static inline void
meet_all(float (&a)[QUERIES][ROWS], const float *queries, const float *rows, int wide, int stride)
{
	float4 now[AHEAD][ROWS / 4], next[AHEAD][ROWS / 4];
#pragma unroll
	for (int i = 0; i < QUERIES; i++)
#pragma unroll
		for (int j = 0; j < ROWS; j++)
			a[i][j] = 0;
	fetch(next, rows, 0, stride);
	for (int l = 0; l < wide; l += AHEAD) {
#pragma unroll
		for (int e = 0; e < AHEAD * ROWS / 4; e++)
			now[e / (ROWS / 4)][e % (ROWS / 4)] = next[e / (ROWS / 4)][e % (ROWS / 4)];
		fetch(next, rows, l + AHEAD < wide ? l + AHEAD : 0, stride);
#pragma unroll
		for (int f = 0; f < AHEAD; f++) {
			float4 q = *(const float4 *)(queries + (l + f) * WARP), v = now[f][0], w = now[f][1];
			float query[QUERIES] = {q.x, q.y, q.z, q.w},
			      row[ROWS] = {v.x, v.y, v.z, v.w, w.x, w.y, w.z, w.w};
#pragma unroll
			for (int i = 0; i < QUERIES; i++)
#pragma unroll
				for (int j = 0; j < ROWS; j++)
					a[i][j] = meet_copies<SUM>(a[i][j], query[i], row[j]);
		}
	}
}

template <knng_sum SUM>
__device__ static inline void
sums_with(float (&a)[QUERIES][ROWS], const float *queries, const float *rows, int wide, int stride)
{
	meet_all<SUM == KNNG_SUM_EITHER ? KNNG_SUM_MINUS : SUM>(a, queries, rows, wide, stride);
	if (SUM == KNNG_SUM_EITHER) {
		float opposite[QUERIES][ROWS];
		meet_all<KNNG_SUM_PLUS>(opposite, queries, rows, wide, stride);
#pragma unroll
		for (int i = 0; i < QUERIES; i++)
#pragma unroll
			for (int j = 0; j < ROWS; j++)
				a[i][j] = fminf(a[i][j], opposite[i][j]);
	}
}

/* How far two intervals are from each other, as it is rounded; (10.1) where one is of a single number. */
__device__ static inline float
gap_of(float low, float high, float its_low, float its_high)
{
	return fmaxf(fmaxf(__fsub_rn(its_low, high), __fsub_rn(low, its_high)), 0.f);
}

/* ---------------------------------------------------------------- through the tree */

/* What a group has in shared memory. */
typedef struct {
	double limit[WARP]; /* s of (10.2) */
	double error[WARP]; /* E of (10.3) */
	float far[WARP];    /* T of (10.6); negative: this query is not on its way */
	int held[WARP];     /* entries of its list */
	int32_t point[WARP];
	union {
		struct {
			float bound[NEAREST]; /* nodes that seek has before it */
			int32_t node[NEAREST];
		};
		int32_t stack[2 * NEAREST]; /* that descend has */
	};
	int32_t seen[SEEN + CREW]; /* leaves where the group began */
	int32_t at[CREW];          /* what each warp goes to or has found; 0: nothing */
	float to_child[2 * CREW];
	int32_t leaf[2 * CREW]; /* that wait to be visited */
	int ahead, waiting;     /* nodes that seek has left, and leaves */
	int64_t group;
	unsigned queries;   /* of the group, that go */
	int centre;         /* around which their copies lie */
	unsigned elsewhere; /* queries that lie below another one */
} known;

static_assert(COPIED_MOST * (WARP + 2) * sizeof(float) + sizeof(known) <= 48 << 10, "what every launch may have");

/* Whether most turns of a sample have ended, and it says yes even if all others are given up, which counts twice, with
 * whatever they would put off. */
__device__ static inline bool
says_yes(const volatile turns *all, const visiting &s)
{
	unsigned long long most = (unsigned long long)s.most, groups = (unsigned long long)s.groups;
	unsigned long long done = all->done, turns = groups + all->put;
	return 4 * done >= 3 * turns && all->visited + 2 * most * (turns - done) <= most * groups;
}

/* The queries of a block, one a lane in each of its warps. */
template <knng_sum SUM> struct party {
	const boxes &b;
	const visiting &s;
	float *queries; /* [wide * WARP] */
	float *box;     /* [2 * wide] the least and the largest of their elements */
	known *of;
	float *sums;                                /* [WARP * room] lists, in no order: sums of copies */
	int32_t *kept;                              /* and points */
	uint64_t *key;                              /* [room] distances, of a warp */
	int64_t visits, compared, measured, before; /* measured before this turn */
	unsigned later;                             /* queries that go through the tree another time */
	bool over;                                  /* the group has given up, */
	bool hopeless;                              /* since copies tell too few rows apart */
	int seen, warp, lane;
	double lost, scale, to_rows; /* g of (10.5); of the centre; what lengths of copies are multiplied by */

	/* How far the farthest looks of all, and who that is. */
	__device__ float farthest(int *who) const
	{
		unsigned bits = __float_as_uint(fmaxf(of->far[lane], 0.f)), most = __reduce_max_sync(ALL, bits);
		*who = __ffs((int)__ballot_sync(ALL, bits == most)) - 1;
		return __uint_as_float(most);
	}

	/* Which child of a node lies with the one that looks farthest: it has not yet found those that are near. */
	__device__ int64_t nearer(int64_t node) const
	{
		int who;
		farthest(&who);
		double x = number_of(s.u, of->point[who] * s.u.ld + b.axis[node]);
		return 2 * node + ((SUM == KNNG_SUM_PLUS ? -x : x) > b.cut[node]);
	}

	/* Whether copies below a node lie around another centre than those of the queries. */
	__device__ bool is_foreign(int64_t node) const
	{
		return b.centres > 1 && centre_of(b, node) != of->centre;
	}

	/* (10.1) for the query of each lane. */
	__device__ double own_bound(int64_t node) const
	{
		const double *box = b.box + node * 2 * b.wide;
		int64_t x = of->point[lane] * s.u.ld;
		::sums<SUM> a[8] = {};
		for (int f = 0; f < b.wide; f += 8)
#pragma unroll
			for (int l = 0; l < 8; l++)
				take_gap<SUM>(&a[l], f + l < b.d ? number_of(s.u, x + f + l) : 0, box[f + l],
					      box[b.wide + f + l]);
		return joined<SUM, 0>(a);
	}

	/* Which of the queries may need what lies below a foreign node. */
	__device__ unsigned who_needs(int64_t node) const
	{
		return __ballot_sync(ALL, of->far[lane] >= 0 && own_bound(node) <= of->limit[lane]);
	}

	/* How far a foreign node is from a query, about, as sums of copies go. */
	__device__ float away(int64_t node, int e) const
	{
		const knng_sum kind = SUM == KNNG_SUM_L1 || SUM == KNNG_SUM_LINF ? SUM : KNNG_SUM_MINUS;
		const double *low = b.box + node * 2 * b.wide, *high = low + b.wide;
		double a = 0;
		for (int l = lane; l < b.d; l += WARP)
			a = meet(kind, a, gap(number_of(s.u, of->point[e] * s.u.ld + l), low[l], high[l]) * scale, 0);
		for (int half = WARP / 2; half > 0; half /= 2) {
			double other = __shfl_xor_sync(ALL, a, half);
			a = SUM == KNNG_SUM_LINF ? fmax(a, other) : a + other;
		}
		return (float)a;
	}

	/* The bound of (10.1) for copies that lie between these, element by element, `step` apart; its sum is taken in
	 * another order. */
	__device__ float bound_of(int64_t node, const float *least, const float *most, int step) const
	{
		const knng_sum kind = SUM == KNNG_SUM_L1 || SUM == KNNG_SUM_LINF ? SUM : KNNG_SUM_MINUS;
		const float *low = b.sides + node * 2 * b.wide, *high = low + b.wide;
		float a = 0, opposite = 0;
#pragma unroll 4
		for (int l = lane; l < b.wide; l += WARP) {
			float from = least[l * step], to = most[l * step];
			float gap = SUM == KNNG_SUM_PLUS ? gap_of(-to, -from, low[l], high[l])
							 : gap_of(from, to, low[l], high[l]);
			a = meet_copies<kind>(a, gap, 0);
			if (SUM == KNNG_SUM_EITHER)
				opposite = meet_copies<kind>(opposite, gap_of(-to, -from, low[l], high[l]), 0);
		}
		for (int half = WARP / 2; half > 0; half /= 2) {
			float other = __shfl_xor_sync(ALL, a, half), its = __shfl_xor_sync(ALL, opposite, half);
			a = SUM == KNNG_SUM_LINF ? fmaxf(a, other) : __fadd_rn(a, other);
			opposite = __fadd_rn(opposite, its);
		}
		return SUM == KNNG_SUM_EITHER ? fminf(a, opposite) : a;
	}

	/* Has the copies of a leaf brought near, since it is likely that they are needed. */
	__device__ void bring(int64_t leaf) const
	{
#ifndef KNNG_PLAIN
		const char *from = (const char *)(b.copies + leaf * b.stride * b.wide);
		for (int at = lane * LINE; at < b.stride * b.wide * (int)sizeof(float); at += WARP * LINE)
			asm volatile("prefetch.global.L2 [%0];" ::"l"(from + at));
#endif
	}

	/* Whether some lane may need what lies below a node: first by the box of all of them, then by each of them. */
	__device__ bool needs(int64_t node, bool leaf) const
	{
		const knng_sum kind = SUM == KNNG_SUM_L1 || SUM == KNNG_SUM_LINF ? SUM : KNNG_SUM_MINUS;
		const float *low = b.sides + node * 2 * b.wide, *high = low + b.wide;
		int who;
		bool foreign = is_foreign(node);
		double bound = foreign ? 0 : (double)bound_of(node, box, box + b.wide, 1);
		if (bound * (1 - 2 * lost) - (double)b.d * 0x1p-148 > (double)farthest(&who))
			return false;
		for (int i = 0; leaf && i < seen; i += WARP)
			if (__ballot_sync(ALL, i + lane < seen && of->seen[i + lane] == (int32_t)node) != 0)
				return false;
		if (foreign)
			return who_needs(node) != 0;
		if (leaf)
			bring(node - ((int64_t)1 << b.depth));
		float a = 0, opposite = 0;
#pragma unroll 8
		for (int l = 0; l < b.wide; l += 4) {
			float4 lows = __ldg((const float4 *)(low + l)), highs = __ldg((const float4 *)(high + l));
			float least[4] = {lows.x, lows.y, lows.z, lows.w},
			      most[4] = {highs.x, highs.y, highs.z, highs.w};
#pragma unroll
			for (int f = 0; f < 4; f++) {
				float u = queries[(l + f) * WARP + lane] * (SUM == KNNG_SUM_PLUS ? -1 : 1);
				a = meet_copies<kind>(a, gap_of(u, u, least[f], most[f]), 0);
				if (SUM == KNNG_SUM_EITHER)
					opposite = meet_copies<kind>(opposite, gap_of(-u, -u, least[f], most[f]), 0);
			}
		}
		a = SUM == KNNG_SUM_EITHER ? fminf(a, opposite) : a;
		return __ballot_sync(ALL, a <= of->far[lane]) != 0;
	}

	/* One warp does that: gives every warp one of the nearest nodes that seek has before it; leaves have to wait.
	 */
	__device__ void choose(int e)
	{
		int ahead = of->ahead, waiting = of->waiting, some = 0;
		while (some < CREW && waiting < CREW && ahead > 0) {
			uint64_t next = ~0ull; /* the nearest, of equal ones the one that comes last */
			for (int i = lane; i < ahead; i += WARP) {
				uint64_t key = (uint64_t)__float_as_uint(of->bound[i]) << 32 | (uint32_t)~of->node[i];
				next = key < next ? key : next;
			}
			for (int step = WARP / 2; step > 0; step /= 2) {
				uint64_t other = __shfl_xor_sync(ALL, next, step);
				next = other < next ? other : next;
			}
			int32_t node = (int32_t) ~(uint32_t)next;
			if (__uint_as_float((uint32_t)(next >> 32)) > of->far[e])
				break;
			ahead--;
			__syncwarp();
			for (int i = lane; i < ahead; i += WARP)
				if (of->node[i] == node) {
					of->node[i] = of->node[ahead];
					of->bound[i] = of->bound[ahead];
				}
			bool leaf = node >> b.depth != 0;
			if (lane == 0)
				*(leaf ? &of->leaf[waiting] : &of->at[some]) = node;
			waiting += leaf;
			some += !leaf;
			__syncwarp();
		}
		__syncwarp();
		if (lane < CREW && lane >= some)
			of->at[lane] = 0;
		if (lane == 0) {
			of->ahead = ahead;
			of->waiting = waiting;
		}
	}

	/* The warps visit leaves that wait, each one of them. How many still do. */
	__device__ int visit_some(int waiting)
	{
		int some = waiting < CREW ? waiting : (int)CREW;
		if (warp < some)
			visit(of->leaf[waiting - 1 - warp] - ((int64_t)1 << b.depth));
		visits += some;
		for (int w = 0; b.centres > 1 && w < some; w++)
			visits += is_foreign(of->leaf[waiting - 1 - w]) ? MEASURED - 1 : 0;
		hopeless = s.sample && measured - before > s.enough;
		over = __syncthreads_or(visits > s.most || hopeless ||
					(s.sample && threadIdx.x == 0 && says_yes(b.queue, s)));
		hopeless = s.sample && __syncthreads_or(hopeless);
		settle_full();
		return waiting - some;
	}

	/* Visits some of the leaves that are nearest to a query, the nearest first: whoever has none that is near would
	 * have all leaves visited that come before these in the tree. */
	__device__ void seek(int e)
	{
		int enough = 4 + s.k / 8 < SEEN ? 4 + (int)s.k / 8 : (int)SEEN;
		seen = 0;
		if (threadIdx.x == 0) {
			of->node[0] = 1;
			of->bound[0] = 0;
			of->ahead = 1;
			of->waiting = 0;
		}
		__syncthreads();
		while (seen < enough) {
			if (warp == 0)
				choose(e);
			__syncthreads();
			int32_t node = of->at[warp];
			int ahead = of->ahead, waiting = of->waiting;
			bool room = ahead + 2 * CREW <= NEAREST;
			if (waiting == CREW || of->at[0] == 0 || !room) {
				if (threadIdx.x < waiting)
					of->seen[seen + threadIdx.x] = of->leaf[threadIdx.x];
				seen += waiting;
				bool none = waiting == 0;
				waiting = visit_some(waiting);
				if (none || !room)
					return;
			}
			for (int side = 0; side < 2 && node != 0; side++) {
				float its = is_foreign(2 * node + side)
						    ? away(2 * node + side, e)
						    : bound_of(2 * node + side, queries + e, queries + e, WARP);
				if (lane == 0)
					of->to_child[2 * warp + side] = its;
				if (2 * node >> b.depth != 0)
					bring(2 * node + side - ((int64_t)1 << b.depth));
			}
			__syncthreads();
			if (threadIdx.x == 0) {
				for (int w = 0; w < 2 * CREW && of->at[w / 2] != 0; w++) {
					of->node[ahead] = 2 * of->at[w / 2] + w % 2;
					of->bound[ahead++] = of->to_child[w];
				}
				of->ahead = ahead;
				of->waiting = waiting;
			}
			__syncthreads();
		}
	}

	/* All leaves that some query may need, but those where seek was. The warps take the nodes that came last, of
	 * two children the nearer first: nodes that are deeper lie above others. Leaves wait until there is one for
	 * each.
	 */
	__device__ void descend()
	{
		int high = 1, waiting = 0;
		if (threadIdx.x == 0)
			of->stack[0] = 1;
		__syncthreads();
		while (high + waiting > 0 && !over) {
			if (waiting >= CREW || high == 0) {
				waiting = visit_some(waiting);
				continue;
			}
			int some = high < CREW ? high : (int)CREW;
			int32_t node = warp < some ? of->stack[high - 1 - warp] : 0;
			bool leaf = node >> b.depth != 0, wanted = node != 0 && needs(node, leaf);
			int32_t next = !wanted ? 0 : leaf ? -node : (int32_t)nearer(node);
			if (lane == 0)
				of->at[warp] = next;
			__syncthreads();
			high -= some;
			for (int w = some - 1; w >= 0; w--) {
				next = of->at[w];
				if (threadIdx.x == 0 && next < 0)
					of->leaf[waiting] = -next;
				if (threadIdx.x == 0 && next > 0) {
					of->stack[high] = next ^ 1;
					of->stack[high + 1] = next;
				}
				waiting += next < 0;
				high += next > 0 ? 2 : 0;
			}
			__syncthreads();
		}
	}

	/* (10.6): the sum of copies beyond which no sum is within the limit of a query. */
	__device__ float far_of(int e) const
	{
		double sum = knng_wide(b.d, of->limit[e]);
		double r = (of_squares(SUM) ? __dsqrt_rn(sum) : sum) * scale + of->error[e];
		r = of_squares(SUM) ? r * r : r;
		return __double2float_ru(r * (1 + lost) * (1 + 0x1p-40) + (double)b.d * 0x1p-148);
	}

	/* (10.7): the limit where k rows have sums of copies that are at most `most`. */
	__device__ double limit_by(int e, float most) const
	{
		double sum = ((double)most + (double)b.d * 0x1p-148) * (1 + 2 * lost) * (1 + 0x1p-40);
		double r = ((of_squares(SUM) ? __dsqrt_rn(sum) : sum) + of->error[e]) * to_rows * (1 + 0x1p-40);
		sum = knng_wide(b.d, of_squares(SUM) ? r * r : r);
		return limit_of(s.map, map_on_device(s.map, sum));
	}

	/* All lanes have the same limit. */
	__device__ void set_limit(int e, double limit)
	{
		int other = PLANTED("near") && of->far[e ^ 1] >= 0 && of->limit[e ^ 1] < CUDART_INF ? e ^ 1 : e;
		__syncwarp();
		if (lane == 0) {
			of->limit[e] = fmin(of->limit[e], limit);
			of->far[e] = far_of(other);
		}
		__syncwarp();
	}

	/* Keeps those entries of a list of which that is true. */
	template <typename F> __device__ void keep(int e, F wanted)
	{
		int n = of->held[e], some = 0;
		float *its = sums + (int64_t)e * b.room;
		int32_t *points = kept + (int64_t)e * b.room;
		for (int c0 = 0; c0 < n; c0 += WARP) {
			bool there = c0 + lane < n;
			float sum = there ? its[c0 + lane] : 0;
			int32_t point = there ? points[c0 + lane] : 0;
			bool stays = there && wanted(c0 + lane, sum);
			unsigned all = __ballot_sync(ALL, stays);
			int at = some + __popc(all & ((1u << lane) - 1));
			if (stays) {
				its[at] = sum;
				points[at] = point;
			}
			some += __popc(all);
			__syncwarp();
		}
		if (lane == 0)
			of->held[e] = some;
		__syncwarp();
	}

	/* The distances of a list. */
	__device__ void measure(int e)
	{
		int n = of->held[e];
		const int32_t *points = kept + (int64_t)e * b.room;
		int64_t x = of->point[e] * s.u.ld;
		for (int c0 = 0; c0 < n; c0 += WARP / LANES) {
			int c = c0 + lane / LANES;
			int64_t y = points[c < n ? c : n - 1] * s.others.ld;
			uint64_t bits = s.u.single ? distance_of<SUM>((const float *)s.u.at + x,
								      (const float *)s.others.at + y, s.u.ld, s.map)
						   : distance_of<SUM>((const double *)s.u.at + x,
								      (const double *)s.others.at + y, s.u.ld, s.map);
			if (lane % LANES == 0 && c < n)
				key[c] = bits;
		}
		measured += n;
		__syncwarp();
	}

	/* How many entries come before HELD that a lane has: c and every WARP-th after it. */
	__device__ void rank(int e, int c, int (&before)[HELD]) const
	{
		const int32_t *points = kept + (int64_t)e * b.room;
		int n = of->held[e];
		uint64_t its[HELD];
		int32_t point[HELD];
#pragma unroll
		for (int h = 0; h < HELD; h++) {
			int at = c + h * WARP < n ? c + h * WARP : n - 1;
			its[h] = key[at];
			point[h] = points[at];
			before[h] = 0;
		}
#pragma unroll 4
		for (int o = 0; o < n; o++) {
			uint64_t other = key[o];
			int32_t that = points[o];
#pragma unroll
			for (int h = 0; h < HELD; h++)
				before[h] += other < its[h] || (other == its[h] && that < point[h]);
		}
	}

	/* Leaves the k nearest of a list, by their distances. */
	__device__ void cut(int e)
	{
		int n = of->held[e];
		uint64_t last = 0;
		uint32_t stay[(1024 + WAITING + CREW * LEAF) / WARP / 32 + 1] = {};
		measure(e);
		for (int c = lane, i = 0; c < n; c += HELD * WARP) {
			int before[HELD];
			rank(e, c, before);
#pragma unroll
			for (int h = 0; h < HELD; h++, i++) {
				bool there = c + h * WARP < n;
				stay[i / 32] |= (uint32_t)(there && before[h] < s.k) << i % 32;
				last = there && before[h] == s.k - 1 ? key[c + h * WARP] : last;
			}
		}
		for (int step = WARP / 2; step > 0; step /= 2) {
			uint64_t other = __shfl_xor_sync(ALL, last, step);
			last = other > last ? other : last;
		}
		__syncwarp();
		keep(e, [&](int c, float) { return (stay[c / WARP / 32] >> c / WARP % 32 & 1) != 0; });
		set_limit(e, limit_of(s.map, __longlong_as_double((long long)last)));
	}

	/* Leaves out what k others prove to be too far. Where that is too little, distances decide. */
	__device__ void settle(int e)
	{
		int n = of->held[e];
		const uint32_t *its = (const uint32_t *)(sums + (int64_t)e * b.room); /* none is negative */
		uint32_t held[HELD], least = ~0u, most = 0;
#pragma unroll
		for (int h = 0; h < HELD; h++) {
			int c = h * WARP + lane;
			held[h] = c < n ? its[c] : ~0u;
		}
		for (int c = lane; c < n; c += WARP) {
			least = min(least, its[c]);
			most = max(most, its[c]);
		}
		least = __reduce_min_sync(ALL, least);
		most = __reduce_max_sync(ALL, most);
		int bits = least == most ? 0 : 32 - __clz((int)(least ^ most));
		int end = bits > DIGITS ? bits - DIGITS : 0;
		uint32_t kth = bits < 32 ? least >> bits << bits : 0; /* fewer than k are below */
		for (int at = bits - 1; at >= end; at--) {
			uint32_t bit = 1u << at;
			int below = 0;
#pragma unroll
			for (int h = 0; h < HELD; h++)
				below += held[h] < (kth | bit);
			for (int c = HELD * WARP + lane; c < n; c += WARP)
				below += its[c] < (kth | bit);
			kth |= (int64_t)__reduce_add_sync(ALL, below) < s.k ? bit : 0;
		}
		set_limit(e, limit_by(e, __uint_as_float(kth | ((1u << end) - 1))));
		float far = of->far[e];
		keep(e, [far](int, float sum) { return sum <= far; });
		if (of->held[e] >= s.k + WAITING)
			cut(e);
	}

	/* The centre of the first query that goes; those that lie near another one go another time. `share` of SHARE
	 * lanes looks at a query. */
	template <int SHARE> __device__ void choose_centre(unsigned going, int e, int share, int32_t point)
	{
		unsigned quad = ((1u << SHARE) - 1) << lane / SHARE * SHARE;
		int its = 0; /* the innermost that it lies at */
		later = 0;
		if (threadIdx.x == 0) {
			of->centre = 0;
			of->elsewhere = 0;
		}
		__syncthreads();
		if (b.centres == 1)
			return;
		for (int c = b.centres - 1; c > 0; c--) {
			bool near = its == 0;
			for (int l = share; l < b.d && near; l += SHARE)
				near = fabsf(copy_of(b, c, number_of(s.u, point * s.u.ld + l), l)) <= 2;
			its = (__ballot_sync(ALL, near) & quad) == quad ? c : its;
		}
		if (share == 0 && e == __ffs((int)going) - 1)
			of->centre = its;
		__syncthreads();
		if (share == 0 && its != of->centre && (going >> e & 1) != 0 && !PLANTED("centre"))
			atomicOr(&of->elsewhere, 1u << e);
		__syncthreads();
		later = of->elsewhere;
	}

	/* The box of those who are on their way. */
	__device__ void enclose()
	{
		unsigned on = __ballot_sync(ALL, of->far[lane] >= 0);
		for (int l = threadIdx.x; l < b.wide; l += CREW * WARP) {
			float least = CUDART_INF_F, most = -CUDART_INF_F;
			for (int i = 0; i < WARP; i++) {
				int e = (i + lane) % WARP;
				float y = queries[l * WARP + e];
				least = on >> e & 1 ? fminf(least, y) : least;
				most = on >> e & 1 ? fmaxf(most, y) : most;
			}
			box[l] = least;
			box[b.wide + l] = most;
		}
		__syncthreads();
	}

	/* Those of the queries set out, who have found nothing yet; the others of them lie below another centre. */
	__device__ void set_out(unsigned queries_that_go)
	{
		bool goes = (queries_that_go >> lane & 1) != 0;
		__syncthreads();
		if (warp == 0) {
			if (goes) {
				of->limit[lane] = first_limit(s, of->point[lane]);
				of->held[lane] = 0;
			}
			of->far[lane] = !goes ? -1 : of->limit[lane] < CUDART_INF ? far_of(lane) : CUDART_INF_F;
		}
		__syncthreads();
		enclose();
	}

	/* Whoever looks much farther than another is somewhere else, and would have everything in between visited. */
	__device__ void part()
	{
		float far = of->far[lane];
		float least = __uint_as_float(__reduce_min_sync(ALL, __float_as_uint(far < 0 ? CUDART_INF_F : far)));
		unsigned apart = __ballot_sync(ALL, far > APART * least);
		if (apart == 0)
			return;
		later |= apart;
		__syncthreads();
		if (warp == 0 && (apart >> lane & 1) != 0)
			of->far[lane] = -1;
		__syncthreads();
		enclose();
	}

	/* What may be near of a leaf whose copies lie around another centre: distances tell, and count as the sums of
	 * copies that lose nothing (docs/canonical.md, 10). */
	__device__ void measure_leaf(int64_t leaf)
	{
		enum { PAIRS = WARP / LANES }; /* at once */
		int64_t first = first_of(b.n, b.depth, leaf);
		int some = (int)(first_of(b.n, b.depth, leaf + 1) - first);
		unsigned near = who_needs(leaf + ((int64_t)1 << b.depth));
		double factor = of_squares(SUM) ? scale * scale : scale;
		for (int r = 0; r < some; r++) {
			int32_t point = b.order[first + r];
			int64_t y = point * s.others.ld;
			for (int e0 = 0; e0 < WARP; e0 += PAIRS) {
				int e = e0 + lane / LANES;
				int64_t x = of->point[e] * s.u.ld;
				if ((near >> e0 & ((1u << PAIRS) - 1)) == 0)
					continue;
				uint64_t bits =
					s.u.single ? distance_of<SUM>((const float *)s.u.at + x,
								      (const float *)s.others.at + y, s.u.ld, s.map)
						   : distance_of<SUM>((const double *)s.u.at + x,
								      (const double *)s.others.at + y, s.u.ld, s.map);
				double sum = sum_of(s.map, __longlong_as_double((long long)bits));
				if (lane % LANES != 0 || (near >> e & 1) == 0 || is_left_out(s, of->point[e], point) ||
				    sum * (1 - 0x1p-40) - 0x1p-1000 > of->limit[e])
					continue;
				int64_t at = (int64_t)e * b.room + atomicAdd(&of->held[e], 1);
				sums[at] = (float)(sum * factor);
				kept[at] = point;
			}
			__syncwarp();
		}
		compared += some * __popc(near);
	}

	/* What may be near of a leaf. */
	__device__ void visit(int64_t leaf)
	{
		if (is_foreign(leaf + ((int64_t)1 << b.depth))) {
			measure_leaf(leaf);
			return;
		}
		int of_queries = lane / 4 * QUERIES, of_rows = lane % 4 * ROWS;
		int64_t first = first_of(b.n, b.depth, leaf);
		int some = (int)(first_of(b.n, b.depth, leaf + 1) - first);
		const float *rows = b.copies + leaf * b.stride * b.wide + (of_rows < b.stride ? of_rows : 0);
		float a[QUERIES][ROWS];
		sums_with<SUM>(a, queries + of_queries, rows, b.wide, b.stride);
#pragma unroll
		for (int i = 0; i < QUERIES; i++) {
			int e = of_queries + i;
			float far = of->far[e];
#pragma unroll
			for (int j = 0; j < ROWS; j++)
				if (a[i][j] <= far && of_rows + j < some) {
					int32_t point = b.order[first + of_rows + j];
					if (is_left_out(s, of->point[e], point))
						continue;
					int64_t at = (int64_t)e * b.room + atomicAdd(&of->held[e], 1);
					sums[at] = a[i][j];
					kept[at] = point;
				}
		}
		compared += some * __popc(__ballot_sync(ALL, of->far[lane] >= 0));
	}

	/* Once the warps have visited leaves: each has queries of its own. */
	__device__ void settle_full()
	{
		bool full = lane % CREW == warp && of->far[lane] >= 0 &&
			    of->held[lane] >= s.k + (of->far[lane] < CUDART_INF_F ? WAITING : 0);
		for (unsigned set = __ballot_sync(ALL, full); set != 0; set &= set - 1)
			settle(__ffs((int)set) - 1);
		__syncthreads();
	}

	/* The k nearest, in order. */
	__device__ void answer(int e, int64_t row)
	{
		if (of->held[e] > s.k)
			settle(e);
		int n = of->held[e];
		measure(e);
		for (int c = lane; c < n; c += HELD * WARP) {
			int before[HELD];
			rank(e, c, before);
#pragma unroll
			for (int h = 0; h < HELD; h++) {
				int at = c + h * WARP;
				if (at < n && before[h] < s.k) {
					s.distance[row * s.k + before[h]] = key[at];
					s.column[row * s.k + before[h]] = kept[(int64_t)e * b.room + at];
				}
			}
		}
		for (int64_t c = n + lane; c < s.k; c += WARP) {
			s.distance[row * s.k + c] = NO_ANSWER;
			s.column[row * s.k + c] = -1;
		}
		__syncwarp();
	}
};

/* ---------------------------------------------------------------- turns */

/* The next turn of a block, by one thread: queries that go another time, or else a group of the launch. Waits while
 * there may be some. False: there are no more. */
__device__ static inline bool
take_turn(turns *all, unsigned long long groups, known *of)
{
	volatile turns *now = all;
	for (;;) {
		unsigned long long done = now->done;
		__threadfence();
		unsigned long long at = now->got, put = now->put;
		if (at < put && at < TURNS) {
			if (atomicCAS(&all->got, at, at + 1) != at)
				continue;
			do
				of->queries = now->queries[at];
			while (of->queries == 0);
			__threadfence();
			of->group = now->group[at];
			return true;
		}
		if (now->taken < groups && (at = atomicAdd(&all->taken, 1ull)) < groups) {
			of->queries = ALL;
			of->group = (int64_t)at;
			return true;
		}
		if (done == groups + put)
			return false;
#ifndef KNNG_PLAIN
		__nanosleep(PAUSE);
#endif
	}
}

/* Lets these queries go another time, by whoever is free. False: there is no room for it. */
__device__ static inline bool
put_turn(turns *all, int64_t group, unsigned queries)
{
	int64_t at = (int64_t)atomicAdd(&all->put, 1ull);
	if (at >= TURNS)
		return false;
	all->group[at] = (int32_t)group;
	__threadfence();
	((volatile turns *)all)->queries[at] = queries;
	return true;
}

/* Blocks take turns until there are none. */
template <knng_sum SUM>
__global__ static void
__launch_bounds__(CREW *WARP, ABREAST) copies_kernel(boxes b, visiting s)
{
	extern __shared__ __align__(16) float room[];
	enum { SHARE = CREW }; /* lanes that a query has while it is fetched: a power of two */
	int e = (int)threadIdx.x / SHARE, share = (int)threadIdx.x % SHARE;
	party<SUM> g = {b, s};
	g.lane = (int)threadIdx.x % WARP;
	g.warp = (int)threadIdx.x / WARP;
	g.queries = room;
	g.box = room + b.wide * WARP;
	g.of = (known *)(g.box + b.wide * 2);
	g.sums = b.sums + blockIdx.x * WARP * b.room;
	g.kept = b.kept + blockIdx.x * WARP * b.room;
	g.key = b.distance + ((int64_t)blockIdx.x * CREW + g.warp) * b.room;
	g.compared = g.measured = 0;
	g.lost = PLANTED("sum") ? 0 : knng_gamma((double)b.d + 3, 0x1p-24);
	int64_t visited = 0;
	for (bool again = false;;) {
		bool there = again;
		if (threadIdx.x == 0 && !again)
			there = take_turn(b.queue, (unsigned long long)s.groups, g.of);
		if (!__syncthreads_or(there))
			break;
		int64_t group = g.of->group, first = s.first + group * s.step;
		int count = (int)(s.end - first < s.together ? s.end - first : s.together);
		unsigned going = g.of->queries & (count < WARP ? (1u << count) - 1 : ALL);
		if (PLANTED(again ? "again" : g.of->queries != ALL ? "queue" : "first"))
			going &= going - 1;
		int32_t point = s.points[first + (e < count ? e : count - 1)];
		if (share == 0)
			g.of->point[e] = point;
		g.template choose_centre<SHARE>(going, e, share, point);
		int centre = g.of->centre;
		g.scale = b.scale[centre];
		g.to_rows = 1 / g.scale;
		double total = 0, largest = 0;
		for (int l = share; l < b.wide; l += SHARE) {
			float y = l < b.d ? copy_of(b, PLANTED("centre") ? 0 : centre,
						    number_of(s.u, point * s.u.ld + l), l)
					  : 0;
			double size = fabs((double)y);
			total += of_squares(SUM) ? size * size : size;
			largest = fmax(largest, size);
			g.queries[l * WARP + e] = y;
		}
		gather(total, largest, SHARE);
		double length = length_of(SUM, total, largest);
		for (int l = share; l < b.wide && length == CUDART_INF; l += SHARE)
			g.queries[l * WARP + e] = 0;
		if (share == 0)
			g.of->error[e] = PLANTED("copy") ? 0
							 : (length + b.length[centre]) * (0x1p-24 * (1 + 0x1p-18)) +
								   (double)b.d * 0x1p-147;
		int first_of_all;
		g.visits = 0;
		g.before = g.measured;
		g.over = g.hopeless = false;
		g.set_out(going & ~g.later);
		g.farthest(&first_of_all);
		g.seek(first_of_all);
		g.part();
		if (g.over) /* what it would put off counts as given up with it */
			g.later = 0;
		bool put = true; /* at once: others may be free */
		if (threadIdx.x == 0 && g.later != 0)
			put = put_turn(b.queue, group, g.later);
		g.descend();
		for (unsigned set = g.over ? 0 : going & ~g.later; set != 0; set &= set - 1) {
			int one = __ffs((int)set) - 1;
			if (one % CREW == g.warp)
				g.answer(one, s.in_place ? g.of->point[one] : group * s.together + one);
		}
		visited += g.hopeless ? 2 * s.most : g.over ? 2 * g.visits : g.visits;
		again = __syncthreads_or(!put);
		if (threadIdx.x == 0) {
			g.of->queries = g.later;
			atomicAdd(&b.queue->visited, (unsigned long long)g.visits);
			__threadfence();
			atomicAdd(&b.queue->done, 1ull);
		}
	}
	if (threadIdx.x == 0)
		atomicAdd(&s.counts[0], (unsigned long long)visited);
	if (g.lane == 0) {
		atomicAdd(&s.counts[1], (unsigned long long)g.compared);
		atomicAdd(&s.counts[2], (unsigned long long)g.measured);
	}
}

/* Groups of queries go through the tree, PARTIES of them at once. Where there are few, there are blocks that have none,
 * for what is put off. */
void
launch_copied_visits(boxes b, visiting s, cudaStream_t stream)
{
	static const struct {
		knng_sum sum;
		void (*kernel)(boxes, visiting);
	} kinds[] = {{KNNG_SUM_MINUS, copies_kernel<KNNG_SUM_MINUS>},
		     {KNNG_SUM_PLUS, copies_kernel<KNNG_SUM_PLUS>},
		     {KNNG_SUM_EITHER, copies_kernel<KNNG_SUM_EITHER>},
		     {KNNG_SUM_L1, copies_kernel<KNNG_SUM_L1>},
		     {KNNG_SUM_LINF, copies_kernel<KNNG_SUM_LINF>}};
	int kind = 0;
	while (kinds[kind].sum != s.sum)
		kind++;
	int64_t parties = 4 * s.groups < PARTIES ? 4 * s.groups : (int64_t)PARTIES;
	size_t bytes = (size_t)b.wide * (WARP + 2) * sizeof(float) + sizeof(known);
	if (cudaMemsetAsync(b.queue, 0, sizeof *b.queue, stream) == cudaSuccess) /* else the launch has failed, too */
		kinds[kind].kernel<<<(unsigned)parties, CREW * WARP, bytes, stream>>>(b, s);
}
