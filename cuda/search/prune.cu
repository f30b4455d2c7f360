/* prune.cu  Makes room in candidate lists: leaves what may be among the k best, by scores or by exact distances. */
#include "cuda/search/lists.h"

enum { PRUNERS = SHARERS(1056), PRUNERS_OF_ONE = 8 };

/* (7.1): a real sum that `rank` columns of the n >= rank in list i do not exceed. All threads of a block. */
__device__ static double
radius_of(const lists &l, int64_t i, int64_t n, int64_t rank, bool halves, histogram *h, double *shared)
{
	const uint64_t *scores = l.key + i * l.capacity;
	const int32_t *js = l.column + i * l.capacity;
	place p = block_select(scores, js, n, rank, 4, false, true, h);
	double worst = CUDART_INF;
	for (int64_t e = threadIdx.x; e < n; e += BLOCK)
		if (scores[e] <= p.key)
			worst = fmin(worst, score_of(scores[e]) - slack(l, halves, score_of(scores[e]), js[e]));
	worst = block_min(worst, shared, BLOCK);
	return knng_wide(l.d, ldexp(fmax(l.half[i] - (worst - l.eps[i]), 0.), l.sigma));
}

/* Prunes list i by its scores: the k best prove a threshold, (7.2); what lies below it leaves. All threads of a block.
 * n > k. Returns the entries left. */
__device__ static int64_t
prune(const lists &l, int64_t i, int64_t n, bool halves, histogram *h, double *shared)
{
	int64_t kept;
	if (l.exact) {
		place p = block_select(l.key + i * l.capacity, l.column + i * l.capacity, n, l.k, 8, true, false, h);
		kept = keep(l, i, n, [&](uint64_t key, int32_t column, int64_t) {
			return key < p.key || (key == p.key && column <= p.column);
		});
		if (threadIdx.x == 0) {
			l.threshold[i] = score_of(p.key);
			l.bound[i] = p.column + 1;
		}
	} else {
		double radius = fmin(l.radius[i], radius_of(l, i, n, l.k, halves, h, shared));
		double a = fmax(l.threshold[i], knng_threshold(l.half[i], radius, l.sigma, l.eps[i], 0));
		__syncthreads();
		kept = keep(l, i, n, [&](uint64_t key, int32_t, int64_t) { return score_of(key) >= a; });
		if (threadIdx.x == 0) {
			l.radius[i] = radius;
			l.threshold[i] = a;
		}
	}
	if (threadIdx.x == 0)
		l.used[i] = (int)kept;
	__syncthreads();
	return kept;
}

/* Of the rows that begin at those numbers of the queries and of the references. */
template <knng_sum SUM>
__device__ static inline uint64_t
distance_in(const lists &l, int64_t x, int64_t y)
{
	return l.u.single ? distance_of<SUM>((const float *)l.u.at + x, (const float *)l.u_x.at + y, l.u.ld, l.map)
			  : distance_of<SUM>((const double *)l.u.at + x, (const double *)l.u_x.at + y, l.u.ld, l.map);
}

/* The k best of the n > k entries of list i by exact distance, which prove a threshold too, (5.3). All threads of a
 * block. Returns the entries left: none where that is beyond the budget, and the row escalates (threshold Inf). Shared
 * memory: 8 bytes an entry, where there is a budget. */
template <knng_sum SUM>
__device__ static int64_t
refine(const lists &l, int64_t i, int64_t n, histogram *h, double *shared)
{
	extern __shared__ uint64_t distance[];
	const int32_t *js = l.column + i * l.capacity;
	int64_t spent = l.spent[i] + n, kept = 0;
	bool escalates = spent > l.budget;
	double radius = l.radius[i], a = CUDART_INF;
	if (!escalates) {
		for (int64_t e0 = 0; e0 < n; e0 += BLOCK / LANES) {
			int64_t e = e0 + threadIdx.x / LANES, there = e < n ? e : n - 1;
			uint64_t bits = distance_in<SUM>(l, i * l.u.ld, js[there] * l.u.ld);
			if (threadIdx.x % LANES == 0 && e < n)
				distance[e] = bits;
		}
		__syncthreads();
		place p = block_select(distance, js, n, l.k, 8, true, true, h);
		kept = keep(l, i, n, [&](uint64_t, int32_t column, int64_t e) {
			return distance[e] < p.key || (distance[e] == p.key && column <= p.column);
		});
		double worst = 0;
		for (int64_t e = threadIdx.x; e < n; e += BLOCK)
			if (distance[e] <= p.key)
				worst = fmin(worst, -__longlong_as_double((long long)distance[e]));
		worst = -block_min(worst, shared, BLOCK);
#ifdef KNNG_PLANT_RADIUS /* what the tests must find: columns that are lost to a threshold too sharp */
		worst = 0;
#endif
		radius = fmin(radius, knng_radius_of(l.map, l.d, worst));
		a = fmax(l.threshold[i], knng_threshold(l.half[i], radius, l.sigma, l.eps[i], 0));
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		l.spent[i] = (int32_t)(escalates ? spent - n : spent);
		l.radius[i] = radius;
		l.threshold[i] = a;
		l.used[i] = (int)kept;
	}
	__syncthreads();
	return kept;
}

/* What prune does, by one warp, for a short list of which nothing was dropped: no barriers, and the upper halves of the
 * keys stay in registers. Others are left as they are; a list that stays full is still to be refined. */
enum { HELD = 14, SHORT = 32 * HELD };
__device__ static inline bool
prunes_short(const lists &l)
{
	return !l.exact && l.capacity <= SHORT;
}

__device__ static void
prune_short(const lists &l, const tile &t, int32_t code)
{
	int64_t i = code < 0 ? t.column0 + ~code : l.pending[t.row0 + code];
	int lane = threadIdx.x % 32, n = l.used[i];
	if (n > l.capacity)
		return;
	uint64_t *keys = l.key + i * l.capacity;
	int32_t *columns = l.column + i * l.capacity;
	uint32_t high[HELD], least = ~0u, most = 0;
#pragma unroll
	for (int h = 0; h < HELD; h++) {
		high[h] = h * 32 + lane < n ? (uint32_t)(keys[h * 32 + lane] >> 32) : ~0u;
		least = min(least, high[h]);
		most = h * 32 + lane < n ? max(most, high[h]) : most;
	}
	least = __reduce_min_sync(0xffffffffu, least);
	most = __reduce_max_sync(0xffffffffu, most);
	/* The largest number that fewer than k lie below: the k-th. Above the first bit that differs all are alike. */
	int bits = 32 - __clz((int)(least ^ most));
	uint32_t kth = bits < 32 ? least >> bits << bits : 0;
	for (int b = bits - 1; b >= 0; b--) {
		uint32_t bit = 1u << b;
		int below = 0;
#pragma unroll
		for (int h = 0; h < HELD; h++)
			below += high[h] < (kth | bit);
		kth |= __reduce_add_sync(0xffffffffu, below) < l.k ? bit : 0;
	}
	double worst = CUDART_INF;
#pragma unroll
	for (int h = 0; h < HELD; h++)
		if (h * 32 + lane < n && high[h] <= kth) {
			double q = score_of(keys[h * 32 + lane]);
			worst = fmin(worst, q - slack(l, t.halves, q, columns[h * 32 + lane]));
		}
	for (int step = 16; step > 0; step /= 2)
		worst = fmin(worst, __shfl_xor_sync(0xffffffffu, worst, step));
	double sum = knng_wide(l.d, ldexp(fmax(l.half[i] - (worst - l.eps[i]), 0.), l.sigma));
	double radius = fmin(l.radius[i], sum);
	double a = fmax(l.threshold[i], knng_threshold(l.half[i], radius, l.sigma, l.eps[i], 0));
	int kept = 0;
	for (int e0 = 0; e0 < n; e0 += 32) {
		bool there = e0 + lane < n;
		uint64_t key = there ? keys[e0 + lane] : 0;
		int32_t column = there ? columns[e0 + lane] : 0;
		bool wanted = there && score_of(key) >= a;
		__syncwarp();
		unsigned all = __ballot_sync(0xffffffffu, wanted);
		int at = kept + __popc(all & ((1u << lane) - 1));
		if (wanted) {
			keys[at] = key;
			columns[at] = column;
		}
		kept += __popc(all);
		__syncwarp();
	}
	if (lane == 0) {
		l.radius[i] = radius;
		l.threshold[i] = a;
		l.used[i] = kept;
	}
}

/* A warp looks at LOOKED lists of the tile, and prunes those that have twice as many entries as they need, so that
 * their thresholds are sharp before the next tile comes, which is large. */
enum { LOOKED = 4 };
__global__ static void
__launch_bounds__(BLOCK, PRUNERS_OF_ONE) prune_tile_kernel(lists l, tile t, bool both)
{
	int64_t first = ((int64_t)blockIdx.x * (BLOCK / 32) + threadIdx.x / 32) * LOOKED, e = first + threadIdx.x % 32;
	int32_t code = (int32_t)(e < t.nr ? e : ~(e - t.nr));
	bool wanted = false;
	if (e < first + LOOKED && e < t.nr + (both ? t.nc : 0)) {
		int64_t i = code < 0 ? t.column0 + ~code : l.pending[t.row0 + code];
		wanted = l.used[i] > 2 * l.k + 16 && l.threshold[i] < CUDART_INF;
	}
	for (unsigned set = __ballot_sync(0xffffffffu, wanted); set != 0; set &= set - 1)
		prune_short(l, t, __shfl_sync(0xffffffffu, code, __ffs((int)set) - 1));
}

/* Makes room in list i, which has n entries; pruned: it was by its scores. Returns those left, none if the row
 * escalates to the next level.
 */
template <knng_sum SUM>
__device__ static int64_t
make_room(const lists &l, int64_t i, int64_t n, bool pruned, bool halves, histogram *h, double *shared)
{
	int64_t kept = pruned ? n : prune(l, i, n, halves, h, shared);
	return kept > l.room ? refine<SUM>(l, i, kept, h, shared) : kept;
}

/* Prunes the list of row or column `at` of the tile. All threads of a block. */
template <knng_sum SUM>
__device__ static void
prune_queued(const lists &l, const tile &t, int64_t at, bool columns, histogram *h, double *shared)
{
	int64_t i = columns ? t.column0 + at : l.pending[t.row0 + at], n = l.used[i];
	__syncthreads();
	if (n <= l.room)
		return;
	if (n <= l.capacity) {
		make_room<SUM>(l, i, n, prunes_short(l), t.halves, h, shared);
		return;
	}

	/* Some of this tile was dropped: what is there of it leaves once the threshold is sharper, and the whole
	 * line is compared again in pieces, shorter ones where that is too much again; the shortest there is always
	 * room for. */
	if (threadIdx.x == 0)
		atomicAdd(&l.queued[2], 1);
	int64_t kept = prune(l, i, l.capacity, t.halves, h, shared);
	int64_t line0 = columns ? t.row0 : t.column0, line = columns ? t.nr : t.nc, piece = 16 * BLOCK;
	kept = keep(l, i, kept, [&](uint64_t, int32_t column, int64_t) {
		return column < line0 || column >= line0 + line; /* in a triangle row and point are one */
	});
	if (threadIdx.x == 0)
		l.used[i] = (int)kept;
	__syncthreads();
	for (int64_t from = 0; from < line;) {
		double threshold = l.threshold[i];
		int32_t bound = l.bound[i];
		for (int64_t e = from + threadIdx.x; e < line && e < from + piece; e += BLOCK) {
			int64_t j = line0 + e;
			double v = columns ? value_at(l, t, e, at, j, i) : value_at(l, t, at, e, i, j);
			double q = v - (columns ? l.base[j] : l.base_x[j]);
			if (!(l.graph && i == j))
				append(l, i, q, (int32_t)j, threshold, bound);
		}
		__syncthreads();
		n = l.used[i];
		__syncthreads();
		if (n > l.capacity) {
			piece = piece / 4 > l.capacity - l.room ? piece / 4 : l.capacity - l.room;
			if (threadIdx.x == 0)
				l.used[i] = (int)kept;
			__syncthreads();
			continue;
		}
		kept = n > l.room ? make_room<SUM>(l, i, n, false, t.halves, h, shared) : n;
		if (kept == 0 && n > 0)
			return;
		from += piece;
		piece *= 2;
	}
}

/* The blocks share the active queue; the other queue is empty for the next. */
template <knng_sum SUM>
__global__ static void
__launch_bounds__(BLOCK, PRUNERS_OF_ONE) prune_queued_kernel(lists l, tile t)
{
	__shared__ histogram h;
	__shared__ double shared[BLOCK / 32];
	int count = l.queued[l.active];
	if (blockIdx.x == 0 && threadIdx.x == 0)
		l.queued[1 - l.active] = 0;
	if (prunes_short(l))
		for (int e = blockIdx.x + threadIdx.x / 32 * gridDim.x; e < count; e += BLOCK / 32 * gridDim.x)
			prune_short(l, t, l.queue[l.active * l.stride + e]);
	__syncthreads();
	for (int e = blockIdx.x; e < count; e += gridDim.x) {
		int32_t code = l.queue[l.active * l.stride + e];
		prune_queued<SUM>(l, t, code < 0 ? ~code : code, code < 0, &h, shared);
		__syncthreads();
	}
}

/* A block a list: prunes it a last time, and gives the radius of its `rank` best. A scan has no use for that: its
 * scores are distances, negated. */
__global__ static void
prune_kernel(lists l, int64_t first, bool scan, bool halves, int64_t rank, double *radius)
{
	__shared__ histogram h;
	__shared__ double shared[BLOCK / 32];
	int64_t i = l.pending[first + blockIdx.x], n = l.used[i];
	bool escalates = l.threshold[i] == CUDART_INF;
	__syncthreads();
	if (!scan) {
		double far = CUDART_INF;
		if (!escalates && n > l.k)
			n = prune(l, i, n, halves, &h, shared);
		if (radius != NULL && !escalates && n >= rank && !l.exact)
			far = radius_of(l, i, n, rank, halves, &h, shared);
		if (radius != NULL && threadIdx.x == 0)
			radius[blockIdx.x] = far;
		return;
	}
	if (escalates)
		return;
	uint64_t *keys = l.key + i * l.capacity;
	for (int64_t e = threadIdx.x; e < n; e += BLOCK)
		keys[e] = (uint64_t)__double_as_longlong(-score_of(keys[e]) + 0.0);
}

/* A block a list: prunes it by what all devices together have found, (7.3). */
__global__ static void
prune_shared_kernel(lists l, int64_t first, const double *mine, const double *others, int many, int64_t count)
{
	int64_t i = l.pending[first + blockIdx.x], n = l.used[i], kept;
	double radius = mine[blockIdx.x], a = l.threshold[i];
	for (int o = 0; o < many; o++)
		radius = fmax(radius, others[o * count + blockIdx.x]);
	if (radius == CUDART_INF || a == CUDART_INF)
		return;
	a = fmax(a, knng_threshold(l.half[i], radius, l.sigma, l.eps[i], 0));
	kept = keep(l, i, n, [&](uint64_t key, int32_t, int64_t) { return score_of(key) >= a; });
	if (threadIdx.x == 0) {
		l.threshold[i] = a;
		l.used[i] = (int)kept;
	}
}

/* ---------------------------------------------------------------- launchers */

void
launch_prune_queued(lists l, tile t, cudaStream_t stream)
{
	static void (*const kernels[])(lists,
				       tile) = {prune_queued_kernel<KNNG_SUM_MINUS>, prune_queued_kernel<KNNG_SUM_PLUS>,
						prune_queued_kernel<KNNG_SUM_EITHER>, prune_queued_kernel<KNNG_SUM_L1>,
						prune_queued_kernel<KNNG_SUM_LINF>};
	unsigned bytes = l.budget > 0 ? (unsigned)l.capacity * 8 : 0;
	kernels[l.sum]<<<PRUNERS, BLOCK, bytes, stream>>>(l, t);
}

void
launch_prune_tile(lists l, tile t, bool both, cudaStream_t stream)
{
	if (!l.exact && l.capacity <= SHORT)
		prune_tile_kernel<<<up(t.nr + (both ? t.nc : 0), BLOCK / 32 * LOOKED), BLOCK, 0, stream>>>(l, t, both);
}

void
launch_prune(lists l, int64_t first, int64_t count, bool scan, bool halves, int64_t rank, double *radius,
	     cudaStream_t stream)
{
	prune_kernel<<<(unsigned)count, BLOCK, 0, stream>>>(l, first, scan, halves, rank, radius);
}

void
launch_prune_shared(lists l, int64_t first, int64_t count, const double *mine, const double *others, int many,
		    cudaStream_t stream)
{
	prune_shared_kernel<<<(unsigned)count, BLOCK, 0, stream>>>(l, first, mine, others, many, count);
}
