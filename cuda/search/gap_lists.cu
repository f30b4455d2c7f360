/* gap_lists.cu  Searches over shared columns: what rows have found, and canonical distances (docs/canonical.md, 12). */
#include "cuda/search/gaps.h"
#include "cuda/search/lists.h"

enum {
	MORE = 16,   /* beside the k nearest: with so many they are chosen anew */
	AHEAD = 4,   /* columns that a thread reads at once */
	RANKED = 10, /* columns that a thread ranks at once */
	SOME = RANKED * 32,
	LISTS = 8, /* that a block settles */
	HIT_BLOCKS = SHARERS(4096)
};

/* What marks a pair that there is no distance of, or that was taken. */
#define NO_PAIR CUDART_INF_F

/* ---------------------------------------------------------------- canonical distances */

/* How a row is prepared over the columns that it shares with another. */
typedef struct {
	double first, factor, mean[2], length;
} shared_row;

__device__ static inline double
smallest8(double a)
{
	return -largest8(-a);
}

__device__ static shared_row
scale_of(double largest)
{
	shared_row r = {1, 1, {0, 0}, 1};
	int e;
	frexp(largest, &e);
	e -= 1;
	r.first = e < -1022 ? 0x1p600 : 1;
	r.factor = ldexp(1., e < -1022 ? -e - 600 : -e);
	return r;
}

/* x scaled, less the first `means` means. */
__device__ static inline double
centred(const shared_row &r, double x, int means)
{
	double a = __dmul_rn(__dmul_rn(x, r.first), r.factor);
	for (int m = 0; m < means; m++)
		a = __dsub_rn(a, r.mean[m]);
	return a;
}

/* step (a, b) for the elements of rows x and y in each column that both have, of every eighth column. */
template <typename STEP>
__device__ static inline void
for_shared(const meeting &t, const double *x, const double *y, STEP step)
{
	for (int64_t l = threadIdx.x % LANES; l < t.ld; l += AHEAD * LANES) {
		double a[AHEAD], b[AHEAD];
#pragma unroll
		for (int e = 0; e < AHEAD; e++) {
			bool there = l + e * LANES < t.ld;
			a[e] = there ? x[l + e * LANES] : CUDART_NAN;
			b[e] = there ? y[l + e * LANES] : CUDART_NAN;
		}
#pragma unroll
		for (int e = 0; e < AHEAD; e++)
			if (a[e] == a[e] && b[e] == b[e])
				step(a[e], b[e]);
	}
}

/* The canonical sum of rows x and y over the columns that both have, each prepared over these alone, by eight
 * neighbouring threads; NaN: one of the two is constant there (UNIT: zero). */
__device__ static double
prepared_sum(const meeting &t, const double *x, const double *y)
{
	double top[2] = {-CUDART_INF, -CUDART_INF}, bottom[2] = {CUDART_INF, CUDART_INF}, count = 0;
	int means = t.prep == KNNG_PREP_CENTRED ? 2 : 0;
	for_shared(t, x, y, [&](double a, double b) {
		top[0] = fmax(top[0], a);
		bottom[0] = fmin(bottom[0], a);
		top[1] = fmax(top[1], b);
		bottom[1] = fmin(bottom[1], b);
		count++;
	});
	count = tree8(count);
	shared_row r[2];
	bool none = false;
	for (int s = 0; s < 2; s++) {
		double high = largest8(top[s]), low = smallest8(bottom[s]), largest = fmax(fabs(high), fabs(low));
		none |= means > 0 ? high == low : largest == 0;
		r[s] = scale_of(largest);
	}
	for (int m = 0; m < means; m++) {
		double sum[2] = {0, 0};
		for_shared(t, x, y, [&](double a, double b) {
			sum[0] = __dadd_rn(sum[0], centred(r[0], a, m));
			sum[1] = __dadd_rn(sum[1], centred(r[1], b, m));
		});
		r[0].mean[m] = __ddiv_rn(tree8(sum[0]), count);
		r[1].mean[m] = __ddiv_rn(tree8(sum[1]), count);
	}
	double squares[2] = {0, 0}, minus = 0, plus = 0;
	for_shared(t, x, y, [&](double a, double b) {
		a = centred(r[0], a, means);
		b = centred(r[1], b, means);
		squares[0] = __fma_rn(a, a, squares[0]);
		squares[1] = __fma_rn(b, b, squares[1]);
	});
	r[0].length = __dsqrt_rn(tree8(squares[0]));
	r[1].length = __dsqrt_rn(tree8(squares[1]));
	for_shared(t, x, y, [&](double a, double b) {
		a = __ddiv_rn(centred(r[0], a, means), r[0].length);
		b = __ddiv_rn(centred(r[1], b, means), r[1].length);
		minus = meet(KNNG_SUM_MINUS, minus, a, b);
		if (t.kind != KNNG_SUM_MINUS)
			plus = meet(KNNG_SUM_PLUS, plus, a, b);
	});
	minus = tree8(minus);
	plus = tree8(plus);
	if (none)
		return CUDART_NAN;
	return t.kind == KNNG_SUM_PLUS || (t.kind == KNNG_SUM_EITHER && plus < minus) ? plus : minus;
}

/* The same of rows as they are; what they share stands for all columns. */
__device__ static double
plain_sum(const meeting &t, const double *x, const double *y)
{
	double sum = 0, count = 0;
	for_shared(t, x, y, [&](double a, double b) {
		sum = meet(t.kind, sum, a, b);
		count++;
	});
	count = tree8(count);
	return __dmul_rn(tree8(sum), __ddiv_rn((double)t.d, count));
}

/* A row of ranks, as a warp ranks the columns anew that it shares with another. */
typedef struct {
	const double *u;
	const uint32_t *has; /* number w at has[w * n] */
	int64_t n;
	float rank[RANKED], less[RANKED];
} ranking;

__device__ static inline ranking
ranking_of(const meeting &t, const gap_rows &rows, int64_t i)
{
	ranking r = {rows.u + i * t.ld, rows.has + i, rows.n};
	return r;
}

/* The ranks among all that the row has, of columns l, l + 32, …. */
__device__ static inline void
begin_ranks(ranking &r, int64_t l, int64_t d, float mean)
{
#pragma unroll
	for (int e = 0; e < RANKED; e++) {
		r.rank[e] = l + e * 32 < d ? (float)r.u[l + e * 32] : CUDART_NAN_F;
		r.less[e] = mean;
	}
}

/* Columns of word w are removed. An element's rank is the less by 1 for each that is below it, and by 1/2 for each that
 * equals it. Ranks are whole or halves, so that all of this is exact in single precision. */
__device__ static inline void
remove_ranks(ranking &r, uint32_t removed, int64_t column, int64_t d)
{
	if (removed == 0)
		return;
	float own = column < d ? 0.5f - (float)r.u[column] : 0;
	for (; removed != 0; removed &= removed - 1) {
		float from = __shfl_sync(0xffffffffu, own, __ffs((int)removed) - 1);
#pragma unroll
		for (int e = 0; e < RANKED; e++)
			r.less[e] += __saturatef(r.rank[e] + from); /* 1, 1/2 or 0 */
	}
}

/* The ranks of two rows among the columns that they share, of columns l, l + 32, …, less their mean; NaN elsewhere. */
__device__ static inline void
rank_both(const meeting &t, ranking &a, ranking &b, int64_t l, float mean)
{
	begin_ranks(a, l, t.d, mean);
	begin_ranks(b, l, t.d, mean);
	int lane = threadIdx.x % 32;
	for (int64_t w0 = 0; w0 < t.words; w0 += 32) { /* a word a lane */
		uint32_t mine = w0 + lane < t.words ? a.has[(w0 + lane) * a.n] : 0;
		uint32_t theirs = w0 + lane < t.words ? b.has[(w0 + lane) * b.n] : 0;
		for (unsigned some = __ballot_sync(0xffffffffu, mine != theirs); some != 0; some &= some - 1) {
			int w = __ffs((int)some) - 1;
			uint32_t x = __shfl_sync(0xffffffffu, mine, w), y = __shfl_sync(0xffffffffu, theirs, w);
			remove_ranks(a, x & ~y, (w0 + w) * 32 + lane, t.d);
			remove_ranks(b, y & ~x, (w0 + w) * 32 + lane, t.d);
		}
	}
#pragma unroll
	for (int e = 0; e < RANKED; e++) {
		a.rank[e] -= a.less[e];
		b.rank[e] -= b.less[e];
	}
}

/* prepared_sum of ranks, of query i and reference j, by a warp: their mean is exact, and without ties so is the square
 * of their length; NaN: one of the two is constant over what they share. apart holds SOME numbers. */
__device__ static double
ranked_sum(const meeting &t, int64_t i, int64_t j, double *apart)
{
	ranking a = ranking_of(t, t.y, i), b = ranking_of(t, t.x, j);
	int lane = threadIdx.x % 32, count = 0;
	for (int64_t w = lane; w < t.words; w += 32)
		count += __popc(a.has[w * a.n] & b.has[w * b.n]);
	for (int step = 16; step > 0; step /= 2)
		count += __shfl_xor_sync(0xffffffffu, count, step);
	double c = count, squares[2] = {0, 0}, length[2], inverse[2], sum = 0;
	float mean = ((float)count + 1) / 2;
	bool tied = t.y.tied[i] != 0 || t.x.tied[j] != 0;
	for (int64_t l0 = 0; l0 < t.d && tied; l0 += SOME) {
		rank_both(t, a, b, l0 + lane, mean);
#pragma unroll
		for (int e = 0; e < RANKED; e++)
			if (a.rank[e] == a.rank[e] && b.rank[e] == b.rank[e]) { /* sums of quarters: in any order */
				squares[0] += (double)(a.rank[e] * a.rank[e]);
				squares[1] += (double)(b.rank[e] * b.rank[e]);
			}
	}
	for (int s = 0; s < 2; s++) {
		for (int step = 16; step > 0 && tied; step /= 2)
			squares[s] += __shfl_xor_sync(0xffffffffu, squares[s], step);
		length[s] = __dsqrt_rn(tied ? squares[s] : c * (c * c - 1) / 12);
		inverse[s] = __drcp_rn(length[s]);
	}
	for (int64_t l0 = 0; l0 < t.d; l0 += SOME) {
		rank_both(t, a, b, l0 + lane, mean);
		__syncwarp();
#pragma unroll
		for (int e = 0; e < RANKED; e++) {
			if (l0 + e * 32 >= t.d)
				break;
			bool both = a.rank[e] == a.rank[e] && b.rank[e] == b.rank[e];
			double u = knng_quotient(a.rank[e], length[0], inverse[0]);
			double v = knng_quotient(b.rank[e], length[1], inverse[1]);
			apart[lane + e * 32] = both ? __dsub_rn(u, v) : 0;
		}
		__syncwarp();
		int end = t.d - l0 < SOME ? (int)(t.d - l0) : (int)SOME;
		for (int l = lane; l < end && lane < LANES; l += LANES)
			sum = __fma_rn(apart[l], apart[l], sum);
	}
	return tree8(sum);
}

/* The canonical sum of query i and reference j, in the first of the threads that a pair has. */
template <bool ranked> struct pairs;
template <> struct pairs<false> {
	enum { THREADS = LANES };
	__device__ static double sum(const meeting &t, int64_t i, int64_t j)
	{
		const double *y = t.y.u + i * t.ld, *x = t.x.u + j * t.ld;
		return t.prep == KNNG_PREP_NONE ? plain_sum(t, y, x) : prepared_sum(t, y, x);
	}
};
template <> struct pairs<true> {
	enum { THREADS = 32 };
	__device__ static double sum(const meeting &t, int64_t i, int64_t j)
	{
		__shared__ double apart[BLOCK / THREADS][SOME];
		return ranked_sum(t, i, j, apart[threadIdx.x / THREADS]);
	}
};

__device__ static inline uint64_t
key_of_sum(const meeting &t, double sum)
{
	return sum != sum ? NO_ANSWER : (uint64_t)__double_as_longlong(map_on_device(t.map, sum) + 0.0);
}

/* What queries have taken: a block for each query. */
template <bool ranked>
__global__ static void
__launch_bounds__(BLOCK) distance_kernel(meeting t)
{
	enum { THREADS = pairs<ranked>::THREADS };
	int64_t r = blockIdx.x, list = r * t.capacity + t.mine.found[r], taken = t.mine.taken[r];
	int there = 0;
	for (int64_t p0 = 0; p0 < taken; p0 += BLOCK / THREADS) {
		int64_t p = p0 + threadIdx.x / THREADS, j = t.mine.column[list + (p < taken ? p : taken - 1)];
		double sum = pairs<ranked>::sum(t, t.row0 + r, j);
		if (p >= taken || threadIdx.x % THREADS != 0)
			continue;
		there += sum == sum;
		t.mine.key[list + p] = key_of_sum(t, sum);
	}
	if (there > 0)
		atomicAdd(&t.count->made, (unsigned long long)there);
}

template <bool ranked>
__global__ static void
__launch_bounds__(BLOCK) hit_kernel(meeting t)
{
	enum { THREADS = pairs<ranked>::THREADS, AT_ONCE = BLOCK / THREADS };
	int64_t hits = t.tally->spilled != 0 ? 0 : t.tally->hits;
	int there = 0;
	for (int64_t p0 = (int64_t)blockIdx.x * AT_ONCE; p0 < hits; p0 += (int64_t)gridDim.x * AT_ONCE) {
		int64_t p = p0 + threadIdx.x / THREADS;
		gap_hit h = t.hits[p < hits ? p : hits - 1];
		if (THREADS == 32 && h.row < 0) /* discarded after all */
			continue;
		double sum = pairs<ranked>::sum(t, t.row0 + h.row, t.column0 + h.column);
		if (p >= hits || threadIdx.x % THREADS != 0)
			continue;
		there += sum == sum;
		if (h.mine >= 0)
			t.mine.key[h.row * t.capacity + h.mine] = key_of_sum(t, sum);
		if (h.theirs >= 0)
			t.theirs.key[h.column * t.capacity + h.theirs] = key_of_sum(t, sum);
	}
	if (there > 0)
		atomicAdd(&t.count->made, (unsigned long long)there);
}

/* ---------------------------------------------------------------- lists */

__global__ static void
begin_kernel(gap_lists l, int64_t rows)
{
	int64_t r = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
	if (r >= rows)
		return;
	l.found[r] = 0;
	l.taken[r] = 0;
	l.limit[r] = CUDART_INF_F;
}

/* No less than the k-th of the numbers of a row that are bounds, of which there are more. All threads of a block. */
__device__ static float
kth_bound(const float *low, int64_t n, int64_t k, histogram *h)
{
	uint32_t prefix = 0, mask = 0;
	for (int shift = 24; shift > 0; shift -= 8) {
		for (int b = threadIdx.x; b < BINS; b += BLOCK)
			h->bin[b] = 0;
		__syncthreads();
		for (int64_t c = threadIdx.x; c < n; c += BLOCK) {
			uint32_t bits = __float_as_uint(low[c]);
			if (low[c] < NO_PAIR && (bits & mask) == prefix)
				atomicAdd(&h->bin[bits >> shift & 255], 1);
		}
		find_bin(h, k);
		k -= h->before;
		prefix |= (uint32_t)h->digit << shift;
		mask |= 255u << shift;
		__syncthreads();
	}
	return __uint_as_float(prefix | ~mask);
}

/* Pairs that may matter to a query go into its list, as long as there is room: a block for each query. */
__global__ static void
__launch_bounds__(BLOCK) take_kernel(meeting t)
{
	__shared__ histogram h;
	__shared__ int count;
	int64_t r = blockIdx.x;
	float *low = t.v + r * t.width;
	int found = t.mine.found[r];
	float limit = t.mine.limit[r];
	if (found < t.k) { /* the limit is Inf */
		if (threadIdx.x == 0)
			count = 0;
		__syncthreads();
		int mine = 0;
		for (int64_t c = threadIdx.x; c < t.nc; c += BLOCK)
			mine += low[c] < NO_PAIR;
		atomicAdd(&count, mine);
		__syncthreads();
		int pairs = count;
		__syncthreads();
		if (pairs > t.k)
			limit = kth_bound(low, t.nc, t.k, &h);
	}
	if (threadIdx.x == 0)
		count = 0;
	__syncthreads();
	for (int64_t c = threadIdx.x; c < t.nc; c += BLOCK) {
		if (!(low[c] < NO_PAIR && low[c] <= limit))
			continue;
		int at = found + atomicAdd(&count, 1);
		if (at < t.capacity) {
			t.mine.column[r * t.capacity + at] = (int32_t)(t.column0 + c);
			low[c] = NO_PAIR;
		}
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		int room = (int)t.capacity - found;
		t.mine.taken[r] = count < room ? count : room;
		if (count > 0)
			atomicOr(&t.count->some, 1);
	}
}

/* Of a list of BLOCK entries at most: the k-th, by counting what is before each. */
__device__ static place
count_select(const uint64_t *keys, const int32_t *columns, int n, int64_t k)
{
	__shared__ place all[BLOCK], kth;
	int e = threadIdx.x, before = 0;
	place mine = {e < n ? keys[e] : NO_ANSWER, e < n ? columns[e] : INT32_MAX};
	all[e] = mine;
	__syncthreads();
	for (int other = 0; other < n; other++) {
		place p = all[other];
		before += p.key < mine.key || (p.key == mine.key && p.column < mine.column);
	}
	if (e < n && before == k - 1)
		kth = mine;
	__syncthreads();
	return kth;
}

/* The k nearest of list r, which has n, stay; all threads of a block. */
__device__ static void
choose(const meeting &t, const gap_lists &from, int64_t r, int n, histogram *h)
{
	lists l = {};
	place last = {NO_ANSWER, 0};
	l.key = from.key;
	l.column = from.column;
	l.capacity = t.capacity;
	const uint64_t *keys = from.key + r * t.capacity;
	const int32_t *columns = from.column + r * t.capacity;
	if (n >= t.k)
		last = n <= BLOCK ? count_select(keys, columns, n, t.k)
				  : block_select(keys, columns, n, t.k, 8, true, false, h);
	int64_t kept = keep(l, r, n, [&](uint64_t key, int32_t column, int64_t) {
		return key != NO_ANSWER && (key < last.key || (key == last.key && column <= last.column));
	});
	if (threadIdx.x == 0) {
		from.found[r] = (int32_t)kept;
		if (kept == t.k) {
			double last_distance = __longlong_as_double((long long)last.key);
			from.limit[r] = __double2float_rd(ldexp(knng_radius_of(t.map, t.d, last_distance), t.shift));
		}
	}
}

/* A block for LISTS of them; most have little to do. */
__global__ static void
__launch_bounds__(BLOCK) settle_kernel(meeting t, gap_lists from, int64_t rows, bool all)
{
	__shared__ histogram h;
	__shared__ int32_t n[LISTS]; /* of what a list has to choose; or 0 */
	int64_t first = (int64_t)blockIdx.x * LISTS, r = first + threadIdx.x;
	if (threadIdx.x < LISTS && r < rows) {
		int32_t taken = t.tally != NULL && t.tally->spilled != 0 ? 0 : from.taken[r];
		int32_t there = from.found[r] + taken;
		bool enough = there >= t.k && (there >= t.k + MORE || from.limit[r] == CUDART_INF_F);
		n[threadIdx.x] = all || (taken > 0 && enough) ? there : 0;
		from.found[r] = there;
		from.taken[r] = 0;
	}
	__syncthreads();
	for (int e = 0; e < LISTS && first + e < rows; e++)
		if (n[e] > 0)
			choose(t, from, first + e, n[e], &h);
}

__global__ static void
pairs_kernel(meeting t, int64_t first, int64_t count, knng_pair *to)
{
	int64_t at = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
	if (at >= count * t.k)
		return;
	int64_t from = (first + at / t.k) * t.capacity + at % t.k;
	bool there = at % t.k < t.mine.found[first + at / t.k];
	to[at].distance = there ? __longlong_as_double((long long)t.mine.key[from]) : CUDART_NAN;
	to[at].index = there ? t.mine.column[from] : -1;
}

/* ---------------------------------------------------------------- launchers */

void
launch_gap_begin(const gap_lists *lists, int64_t rows, cudaStream_t stream)
{
	begin_kernel<<<up(rows, BLOCK), BLOCK, 0, stream>>>(*lists, rows);
}

void
launch_gap_take(const meeting *t, cudaStream_t stream)
{
	unsigned rows = (unsigned)t->nr;
	take_kernel<<<rows, BLOCK, 0, stream>>>(*t);
	if (t->ranked)
		distance_kernel<true><<<rows, BLOCK, 0, stream>>>(*t);
	else
		distance_kernel<false><<<rows, BLOCK, 0, stream>>>(*t);
	launch_gap_settle(t, false, true, stream);
}

void
launch_gap_hits(const meeting *t, cudaStream_t stream)
{
	if (t->ranked)
		hit_kernel<true><<<HIT_BLOCKS, BLOCK, 0, stream>>>(*t);
	else
		hit_kernel<false><<<HIT_BLOCKS, BLOCK, 0, stream>>>(*t);
}

void
launch_gap_settle(const meeting *t, bool theirs, bool all, cudaStream_t stream)
{
	int64_t rows = theirs ? t->nc : t->nr;
	settle_kernel<<<up(rows, LISTS), BLOCK, 0, stream>>>(*t, theirs ? t->theirs : t->mine, rows, all);
}

void
launch_gap_pairs(const meeting *t, int64_t first, int64_t count, knng_pair *to, cudaStream_t stream)
{
	pairs_kernel<<<up(count * t->k, BLOCK), BLOCK, 0, stream>>>(*t, first, count, to);
}
