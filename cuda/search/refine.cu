/* refine.cu  Canonical distances of the candidates in the lists, in two ways.
 *
 * Gathered: a pair fetches its column's row from memory, 8 d bytes. Blocked: where k is a good part of n, rows and
 * columns are cut into blocks, and what a block of rows shares with one of columns comes into shared memory together,
 * so that each row serves several pairs. First every list says how many entries it has in each pair of blocks, a
 * bucket; then they go there; then each bucket is put in order, and entries of two lists that are one pair become one.
 * The side of the blocks is chosen so that the pairs of most buckets are worked at in one round. Either way eight
 * threads are the eight accumulators of a pair. */
#include "cuda/search/lists.h"

#include <cuda_pipeline.h>

/* ---------------------------------------------------------------- kernels */

/* Distances in place of the keys of those of n entries that wanted (e) picks, asked once for each; sixteen pairs at a
 * time. Returns the largest. Reads a row a pair: bandwidth, as long as enough is on its way; the list's own row, x,
 * stays in L1. All threads of a block. */
template <knng_sum SUM, typename T, typename WANTED>
__device__ static inline double
refine_some(uint64_t *keys, const int32_t *js, int64_t n, const T *x, const T *y, int64_t ld, knng_final_map map,
	    WANTED wanted)
{
	__shared__ int chosen[BLOCK], some;
	int pair = threadIdx.x / LANES;
	double worst = 0;
	for (int64_t e0 = 0; e0 < n; e0 += BLOCK) {
		if (threadIdx.x == 0)
			some = 0;
		__syncthreads();
		int64_t e = e0 + threadIdx.x;
		if (e < n && wanted(e))
			chosen[atomicAdd(&some, 1)] = (int)threadIdx.x;
		__syncthreads();
		for (int c0 = 0; c0 < some; c0 += BLOCK / LANES) {
			int c = c0 + pair;
			e = e0 + chosen[c < some ? c : some - 1];
			uint64_t bits = distance_of<SUM>(x, y + js[e] * ld, ld, map);
			if (threadIdx.x % LANES == 0 && c < some)
				keys[e] = bits;
			worst = fmax(worst, __longlong_as_double((long long)bits));
		}
		__syncthreads();
	}
	return worst;
}

/* A block a list: its entries with columns in [from, end). scores: the keys of all lists are still scores. Where more
 * than WORTH bytes lie in entries that have no place among the k best scores, those come first: their distances prove a
 * threshold, (5.3), as in prune.cu, and what lies below it is left out. */
enum { WORTH = 1 << 15, MARKED = 8192 };
template <knng_sum SUM, typename T>
__global__ static void
__launch_bounds__(BLOCK, 7) gathered_kernel(lists l, int64_t first, knng_final_map map, prepared u, prepared columns,
					    int64_t from, int64_t end, bool scores)
{
	__shared__ histogram h;
	__shared__ double shared[BLOCK / 32];
	__shared__ uint32_t made[MARKED / 32]; /* a bit an entry */
	__shared__ int out;
	int64_t i = l.pending[first + blockIdx.x], n = l.used[i], ld = u.ld;
	uint64_t *keys = l.key + i * l.capacity;
	const int32_t *js = l.column + i * l.capacity;
	const T *x = (const T *)u.at + i * ld, *y = (const T *)columns.at;
	bool twice = scores && n > l.k && n <= MARKED && (n - l.k) * ld * (int64_t)sizeof(T) > WORTH, beyond = false;
	for (int64_t e = threadIdx.x; twice && e < n; e += BLOCK)
		beyond = beyond || js[e] < from || js[e] >= end;
	if (__syncthreads_or(beyond) || !twice) {
		refine_some<SUM>(keys, js, n, x, y, ld, map, [&](int64_t e) { return js[e] >= from && js[e] < end; });
		return;
	}
	for (int e = threadIdx.x; e < MARKED / 32; e += BLOCK)
		made[e] = 0;
	if (threadIdx.x == 0)
		out = 0;
	uint64_t last = block_select(keys, js, n, l.k, 4, false, true, &h).key;
	double worst = refine_some<SUM>(keys, js, n, x, y, ld, map, [&](int64_t e) {
		bool best = keys[e] <= last;
		if (best)
			atomicOr(&made[e / 32], 1u << e % 32);
		return best;
	});
	worst = -block_min(-worst, shared, BLOCK);
#ifdef KNNG_PLANT_RADIUS /* what the tests must find: columns that are lost to a threshold too sharp */
	worst = 0;
#endif
	double radius = fmin(l.radius[i], knng_radius_of(map, l.d, worst));
	double threshold = knng_threshold(l.half[i], radius, l.sigma, l.eps[i], 0);
	refine_some<SUM>(keys, js, n, x, y, ld, map, [&](int64_t e) {
		bool is_made = made[e / 32] >> e % 32 & 1, far = !is_made && score_of(keys[e]) < threshold;
		if (far) {
			keys[e] = NO_ANSWER;
			atomicAdd(&out, 1);
		}
		return !is_made && !far;
	});
	if (threadIdx.x == 0 && out > 0)
		l.spent[i] -= out; /* of what the list has (best.cu) */
}

/* How much the threads before this one have; all: how much the block has. warp: shared, [THREADS / 32]. */
template <int THREADS>
__device__ static inline int
before_me(int mine, int *warp, int *all)
{
	int through = mine, w0 = (int)threadIdx.x / 32;
	for (int step = 1; step < 32; step *= 2) {
		int left = __shfl_up_sync(0xffffffffu, through, step);
		through += (int)threadIdx.x % 32 >= step ? left : 0;
	}
	if (threadIdx.x % 32 == 31)
		warp[w0] = through;
	__syncthreads();
	*all = 0;
	for (int w = 0; w < THREADS / 32; w++) {
		through += w < w0 ? warp[w] : 0;
		*all += warp[w];
	}
	__syncthreads();
	return through - mine;
}

/* total[0] += entries of all lists of the level. */
enum { TOTALLERS = 256 };
__global__ static void
total_kernel(lists l, int64_t count, unsigned long long *total)
{
	unsigned long long some = 0;
	for (int64_t p = (int64_t)blockIdx.x * TOTALLERS + threadIdx.x; p < count; p += (int64_t)gridDim.x * TOTALLERS)
		some += (unsigned long long)l.used[l.pending[p]];
	for (int step = 16; step > 0; step /= 2)
		some += __shfl_xor_sync(0xffffffffu, some, step);
	if (threadIdx.x % 32 == 0)
		atomicAdd(total, some);
}

/* Where a launch keeps what blocks a of rows and b of columns share; -1: in another launch. */
__device__ static inline int64_t
bucket_of(const blocking &m, int a, int b)
{
	int row = m.mutual && b < a ? b : a;
	return row >= m.top && row < m.top + m.tall ? (row - m.top) * m.columns + (row == a ? b : a) : -1;
}

/* A block a list: how many of its entries lie in each bucket, added to m.begin; or, filling, where they go, from m.end
 * on. An entry is its number << 17 | swapped << 16 | row << 8 | column, both within their blocks; swapped: it stands in
 * the column's list. */
template <bool FILL>
__global__ static void
bucket_kernel(lists l, blocking m)
{
	extern __shared__ int32_t places[]; /* [m.columns] */
	int p = (int)(m.top * m.side + blockIdx.x), mine = p / m.side;
	int64_t i = l.pending[p], n = l.used[i];
	const int32_t *js = l.column + i * l.capacity;
	for (int b = threadIdx.x; b < m.columns; b += BLOCK)
		places[b] = 0;
	__syncthreads();
	for (int64_t e = threadIdx.x; e < n; e += BLOCK)
		atomicAdd(&places[js[e] / m.side], 1);
	__syncthreads();
	for (int b = threadIdx.x; b < m.columns; b += BLOCK) {
		int64_t bucket = bucket_of(m, mine, b);
		if (places[b] != 0 && bucket >= 0)
			places[b] = atomicAdd((FILL ? m.end : m.begin) + bucket, places[b]);
	}
	__syncthreads();
	for (int64_t e = threadIdx.x; FILL && e < n; e += BLOCK) {
		int j = js[e], b = j / m.side;
		bool swapped = m.mutual && j < p;
		int row = (swapped ? j : p) % m.side, column = (swapped ? p : j) % m.side;
		if (bucket_of(m, mine, b) >= 0)
			m.entry[atomicAdd(&places[b], 1)] =
				(uint64_t)e << 17 | (uint64_t)swapped << 16 | (uint64_t)row << 8 | (uint64_t)column;
	}
}

/* One block: counts in m.begin become where each bucket begins, and so does m.end; m.total[0]: all. Where these pass
 * 2^31 the launch is too tall, and a lower one is made. */
enum { SCANNERS = 1024 };
__global__ static void
scan_kernel(blocking m)
{
	__shared__ int warp[SCANNERS / 32];
	int64_t before = 0, buckets = m.tall * m.columns;
	for (int64_t b0 = 0; b0 < buckets; b0 += SCANNERS) {
		int64_t b = b0 + threadIdx.x;
		int all, mine = b < buckets ? m.begin[b] : 0, at = before_me<SCANNERS>(mine, warp, &all);
		if (b < buckets)
			m.begin[b] = m.end[b] = (int32_t)(before + at);
		before += all;
	}
	if (threadIdx.x == 0)
		m.total[0] = (unsigned long long)before;
}

/* A block a bucket: its entries become pairs, each there once, by row and column, and m.begin and m.end say where they
 * are. The low word of a pair is row << 24 | number of its entry in the row's list, the high word column << 24 | number
 * in the column's list, or UNLISTED where that list has it not. The pairs of a row are made even by one in no list. */
static const uint32_t UNLISTED = BLOCKED_CAPACITY;
__global__ static void
__launch_bounds__(BLOCKED) unify_kernel(blocking m)
{
	__shared__ uint32_t there[BLOCKED][BLOCKED / 32]; /* a bit a pair */
	__shared__ int32_t first[BLOCKED];                /* where the pairs of a row begin */
	__shared__ int warp[BLOCKED / 32];
	__shared__ int32_t base;
	int t = threadIdx.x, some = 0, all;
	int32_t begin = m.begin[blockIdx.x], end = m.end[blockIdx.x];
	if (begin == end)
		return;
	for (int w = 0; w < BLOCKED / 32; w++)
		there[t][w] = 0;
	__syncthreads();
	for (int32_t e = begin + t; e < end; e += BLOCKED) {
		uint32_t code = (uint32_t)m.entry[e], column = code & 255;
		atomicOr(&there[code >> 8 & 255][column / 32], 1u << column % 32);
	}
	__syncthreads();
	for (int w = 0; w < BLOCKED / 32; w++)
		some += __popc(there[t][w]);
	int at = before_me<BLOCKED>(some + some % 2, warp, &all);
	if (t == 0) {
		base = (int32_t)atomicAdd(m.total + 1, (unsigned long long)all);
		m.begin[blockIdx.x] = base;
		m.end[blockIdx.x] = base + all;
	}
	__syncthreads();
	first[t] = at += base;
	uint64_t row = (uint64_t)t << 24 | UNLISTED, code = 0;
	for (int w = 0; w < BLOCKED / 32; w++)
		for (uint32_t left = there[t][w]; left != 0; left &= left - 1) {
			code = (uint64_t)(w * 32 + __ffs((int)left) - 1) << 56 | (uint64_t)UNLISTED << 32 | row;
			m.pair[at++] = code;
		}
	if (some % 2 != 0)
		m.pair[at] = code;
	__syncthreads();
	for (int32_t e = begin + t; e < end; e += BLOCKED) {
		uint64_t entry = m.entry[e];
		uint32_t r = entry >> 8 & 255, column = entry & 255, swapped = entry >> 16 & 1;
		int place = first[r] + __popc(there[r][column / 32] & ((1u << column % 32) - 1));
		for (uint32_t w = 0; w < column / 32; w++)
			place += __popc(there[r][w]);
		((uint32_t *)(m.pair + place))[swapped] = (swapped ? column : r) << 24 | (uint32_t)(entry >> 17);
	}
}

/* A block a bucket, in equal rounds of as many pairs as have accumulators in registers, EACH for every eight threads.
 * What a round needs of the rows, at most 2 * BLOCKED of them, comes into shared memory DEPTH features at a time, the
 * next while these are used. Shared memory is busiest: for 16 features 128 bytes a pair, and 128 where a group of eight
 * goes on to another row, which a couple of pairs does together. Neighbouring groups must not want the same
 * banks, half of a row's 128 bytes each: every other group is half a part behind. */
enum {
	BLOCKED_THREADS = 512,
	DEPTH = 16,
	ROW = DEPTH * 8,
	SLOTS = 2 * BLOCKED,
	GROUPS = BLOCKED_THREADS / LANES,
	TALL = 12
};

/* Pairs whose accumulators eight threads hold. */
__host__ __device__ static constexpr int
each_of(knng_sum sum)
{
	return sum == KNNG_SUM_EITHER ? 16 : 32;
}

typedef struct {
	double part[3][SLOTS * DEPTH];
	const double *source[SLOTS];
	uint32_t couple[1024]; /* bytes before the columns in a part, second << 16 | first; | 1: it has the next row */
	uint16_t slot[SLOTS];
	int warp[BLOCKED_THREADS / 32];
} shared_rows;

template <knng_sum SUM>
__global__ static void
__launch_bounds__(BLOCKED_THREADS, 1)
	blocked_kernel(lists l, blocking m, knng_final_map map, const double *u, const double *columns, int64_t ld)
{
	enum { EACH = each_of(SUM), ROUND = EACH * GROUPS };
	extern __shared__ __align__(16) unsigned char memory[];
	shared_rows *s = (shared_rows *)memory;
	/* Buckets that run together are TALL in height and about as wide, so that they share rows and columns. */
	int64_t belt = blockIdx.x / (TALL * m.columns), rest = blockIdx.x % (TALL * m.columns);
	int64_t height = m.tall - belt * TALL < TALL ? m.tall - belt * TALL : TALL;
	int64_t row = belt * TALL + rest % height, column = rest / height, bucket = row * m.columns + column;
	int64_t row0 = (m.top + row) * m.side, column0 = column * m.side;
	int t = threadIdx.x, lane = t % LANES, group = t / LANES;
	int couples = (m.end[bucket] - m.begin[bucket]) / 2, rounds = (2 * couples + ROUND - 1) / ROUND;
	for (int round = 0; round < rounds; round++) {
		int from = couples * round / rounds, n = (couples * (round + 1) / rounds - from) * 2, slots;
		int each = (n / 2 + GROUPS - 1) / GROUPS * 2;
		const uint64_t *pairs = m.pair + m.begin[bucket] + 2 * from;

		/* Which rows are needed, and the slot of each. */
		s->slot[t] = 0;
		__syncthreads();
		for (int e = t; e < n; e += BLOCKED_THREADS) {
			s->slot[pairs[e] >> 24 & 255] = 1;
			s->slot[BLOCKED + (pairs[e] >> 56)] = 1;
		}
		__syncthreads();
		int needed = s->slot[t], slot = before_me<BLOCKED_THREADS>(needed, s->warp, &slots);
		if (needed != 0) {
			s->slot[t] = (uint16_t)slot;
			s->source[slot] =
				t < BLOCKED ? u + l.pending[row0 + t] * ld : columns + (column0 + t - BLOCKED) * ld;
		}
		__syncthreads();
		for (int at = t; at < ROUND / 2; at += BLOCKED_THREADS) {
			int q = at * 2 % EACH, e = at * 2 / EACH * each + q;
			uint32_t code = 0;
			if (q < each && e < n) {
				uint32_t y = s->slot[BLOCKED + (pairs[e] >> 56)];
				uint32_t z = s->slot[BLOCKED + (pairs[e + 1] >> 56)];
				bool fresh = q > 0 && (pairs[e] >> 24 & 255) != (pairs[e - 2] >> 24 & 255);
				code = z * ROW << 16 | y * ROW | fresh;
			}
			s->couple[at] = code;
		}
		int x0 = group * each < n ? s->slot[pairs[group * each] >> 24 & 255] * ROW : 0;

		sums<SUM> sum[EACH] = {};
		/* Before the first part lie zeros, and after the last: they add nothing. */
		for (int e = t; e < slots * LANES; e += BLOCKED_THREADS)
			s->part[2][e / LANES * DEPTH + LANES + e % LANES] = 0;
		bool behind = group % 2 != 0;
		int parts = (int)((ld + DEPTH - 1) / DEPTH), piece = t % (DEPTH / 2) * 2;
		for (int now = -1; now <= parts; now++) {
			__pipeline_wait_prior(0);
			__syncthreads(); /* part `now` is there, and nobody reads what the next takes the place of */
			int64_t next = (int64_t)(now + 1) * DEPTH + piece;
			double *into = s->part[(now + 1) % 3];
			for (int r = t / (DEPTH / 2); r < slots && now < parts; r += BLOCKED_THREADS / (DEPTH / 2))
				__pipeline_memcpy_async(into + r * DEPTH + piece, s->source[r] + (next < ld ? next : 0),
							16, next < ld ? 0 : 16);
			__pipeline_commit();
			if (now < 0)
				continue;
			const double *a = behind ? s->part[(now + 2) % 3] + LANES : s->part[now % 3];
			const double *b = s->part[now % 3] + (behind ? 0 : LANES);
			const char *early = (const char *)(a + lane), *late = (const char *)(b + lane);
			/* A row's slot follows that of the row before. */
			uint32_t x = x0;
			double xa = *(const double *)(early + x), xb = *(const double *)(late + x);
			uint4 four = {};
#pragma unroll
			for (int q = 0; q < EACH; q += 2) {
				if (q % 4 == 0 && q > 0 && q >= each)
					break;
				if (q % 8 == 0)
					four = *(const uint4 *)&s->couple[(group * EACH + q) / 2];
				uint32_t code = (&four.x)[q / 2 % 4];
				uint32_t fresh = code & 1, y = code & 0xfffe, z = code >> 16;
				x += fresh * ROW;
				if (fresh != 0) {
					xa = *(const double *)(early + x);
					xb = *(const double *)(late + x);
				}
				double ya = *(const double *)(early + y), yb = *(const double *)(late + y);
				double za = *(const double *)(early + z), zb = *(const double *)(late + z);
				take<SUM>(&sum[q], xa, ya);
				take<SUM>(&sum[q + 1], xa, za);
				take<SUM>(&sum[q], xb, yb);
				take<SUM>(&sum[q + 1], xb, zb);
			}
		}
#pragma unroll
		for (int q = 0; q < EACH; q++) {
			uint64_t bits = result<SUM>(sum[q], map);
			int e = group * each + q;
			if (lane != q % LANES || q >= each || e >= n)
				continue;
			uint32_t forward = (uint32_t)pairs[e], back = (uint32_t)(pairs[e] >> 32);
			int64_t i = l.pending[row0 + (forward >> 24)], j = column0 + (back >> 24);
			if ((forward & UNLISTED) != UNLISTED)
				l.key[i * l.capacity + (forward & UNLISTED)] = bits;
			if ((back & UNLISTED) != UNLISTED)
				l.key[j * l.capacity + (back & UNLISTED)] = bits;
		}
	}
}

__global__ static void
self_kernel(knng_sum sum, knng_final_map map, prepared u, int64_t count, double *self)
{
	int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / LANES;
	int64_t x = (i < count ? i : count - 1) * u.ld;
	double a = 0;
	for (int64_t f = threadIdx.x % LANES; f < u.ld; f += LANES)
		a = meet(sum, a, number_of(u, x + f), number_of(u, x + f));
	a = map_on_device(map, tree8(a));
	if (i < count && threadIdx.x % LANES == 0)
		self[i] = a;
}

/* ---------------------------------------------------------------- launchers */

typedef void (*gathered)(lists, int64_t, knng_final_map, prepared, prepared, int64_t, int64_t, bool);
typedef void (*blocked)(lists, blocking, knng_final_map, const double *, const double *, int64_t);

/* By knng_sum; of doubles, and of floats. */
#define GATHER(sum)                                                                                                    \
	{                                                                                                              \
		gathered_kernel<sum, double>, gathered_kernel<sum, float>                                              \
	}
static const struct {
	knng_sum sum;
	gathered gather[2];
	blocked block;
} kinds[] = {
	{KNNG_SUM_MINUS, GATHER(KNNG_SUM_MINUS), blocked_kernel<KNNG_SUM_MINUS>},
	{KNNG_SUM_PLUS, GATHER(KNNG_SUM_PLUS), blocked_kernel<KNNG_SUM_PLUS>},
	{KNNG_SUM_EITHER, GATHER(KNNG_SUM_EITHER), blocked_kernel<KNNG_SUM_EITHER>},
	{KNNG_SUM_L1, GATHER(KNNG_SUM_L1), blocked_kernel<KNNG_SUM_L1>},
	{KNNG_SUM_LINF, GATHER(KNNG_SUM_LINF), blocked_kernel<KNNG_SUM_LINF>},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int
kind_of(knng_sum sum)
{
	int kind = 0;
	while (kind < KINDS - 1 && kinds[kind].sum != sum)
		kind++;
	return kind;
}

void
launch_gathered(lists l, int64_t first, int64_t count, knng_sum sum, knng_final_map map, prepared u, prepared columns,
		int64_t from, int64_t end, bool scores, cudaStream_t stream)
{
	gathered gather = kinds[kind_of(sum)].gather[u.single];
	gather<<<(unsigned)count, BLOCK, 0, stream>>>(l, first, map, u, columns, from, end, scores);
}

void
launch_total(lists l, int64_t count, unsigned long long *total, cudaStream_t stream)
{
	int64_t blocks = (count + TOTALLERS - 1) / TOTALLERS;
	total_kernel<<<(unsigned)(blocks < 1024 ? blocks : 1024), TOTALLERS, 0, stream>>>(l, count, total);
}

int
blocked_side(knng_sum sum, double part, bool mutual)
{
	/* Of the entries of normal rows a third stand in both lists, and of lists that hold nearly all, all. */
	double dense = mutual ? part * fmin(1.7, 2 - part) : part, most = 0.9 * each_of(sum) * GROUPS;
	double side = 2 * most / (0.5 + sqrt(0.25 + 4 * dense * most)); /* dense side^2 + side / 2 = most */
	return side < BLOCKED ? (int)side : (int)BLOCKED;
}

/* Of the lists of a launch, and of a mutual one those after it too. */
static unsigned
lists_of(const blocking *m)
{
	int64_t first = m->top * m->side, end = (m->top + m->tall) * m->side;
	return (unsigned)((m->mutual || end > m->count ? m->count : end) - first);
}

void
launch_count(lists l, blocking m, cudaStream_t stream)
{
	bucket_kernel<false><<<lists_of(&m), BLOCK, (size_t)m.columns * 4, stream>>>(l, m);
	scan_kernel<<<1, SCANNERS, 0, stream>>>(m);
}

void
launch_blocked(lists l, blocking m, knng_sum sum, knng_final_map map, prepared u, prepared columns, cudaStream_t stream)
{
	unsigned buckets = (unsigned)(m.tall * m.columns);
	bucket_kernel<true><<<lists_of(&m), BLOCK, (size_t)m.columns * 4, stream>>>(l, m);
	unify_kernel<<<buckets, BLOCKED, 0, stream>>>(m);
	kinds[kind_of(sum)].block<<<buckets, BLOCKED_THREADS, sizeof(shared_rows), stream>>>(
		l, m, map, (const double *)u.at, (const double *)columns.at, u.ld);
}

cudaError_t
blocked_prepare(void)
{
	cudaError_t error = cudaSuccess;
	for (int k = 0; k < KINDS && error == cudaSuccess; k++)
		error = cudaFuncSetAttribute(kinds[k].block, cudaFuncAttributeMaxDynamicSharedMemorySize,
					     (int)sizeof(shared_rows));
	return error;
}

void
launch_self(knng_sum sum, knng_final_map map, prepared u, int64_t count, double *self, cudaStream_t stream)
{
	self_kernel<<<(unsigned)((count + 256 / LANES - 1) / (256 / LANES)), 256, 0, stream>>>(sum, map, u, count,
											       self);
}
