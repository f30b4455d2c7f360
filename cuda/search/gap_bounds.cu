/* gap_bounds.cu  Searches over shared columns: copies of rows, and lower bounds of pairs (docs/canonical.md, 12). */
#include "cuda/search/gaps.h"
#include "cuda/search/lists.h"

enum {
	ROWS = 8,   /* of queries, that a thread looks at */
	WORDS = 32, /* of a row's columns, at a time */
	SIDE = 64,  /* sums of differences: of a block of threads, pairs each, columns at a time and a sum */
	EACH = 4,
	DEPTH = 16,
	SUMMED = 512,
	GONE = 128, /* columns of ranks that (12.14) looks at, at most, of so many */
	EXACT = 4096,
	AGAIN_BLOCKS = SHARERS(4096)
};

/* What marks a pair that there is no distance of, or that was taken. */
#define NO_PAIR CUDART_INF_F

/* ---------------------------------------------------------------- copies */

/* The sum of what all threads of a block give; shared: a number for each warp. */
__device__ static double
block_sum(double x, double *shared)
{
	for (int step = 16; step > 0; step /= 2)
		x += __shfl_xor_sync(0xffffffffu, x, step);
	if (threadIdx.x % 32 == 0)
		shared[threadIdx.x / 32] = x;
	__syncthreads();
	x = 0;
	for (int w = 0; w < BLOCK / 32; w++)
		x += shared[w];
	__syncthreads();
	return x;
}

/* Which columns a row has, and its copies: a block for each row. The centre is the device's. */
__global__ static void
__launch_bounds__(BLOCK) copy_kernel(gap_rows rows, bool filters, bool multiplied, knng_gap_scale to, int64_t d,
				     int64_t ld, int64_t width)
{
	__shared__ double shared[BLOCK / 32];
	int64_t i = blockIdx.x;
	const double *u = rows.u + i * ld;
	bool alone = rows.alone[i] != 0;
	double largest = 0, sum = 0, count = 0, mean = 0, total = 0;
	int e;
	for (int64_t l0 = 0; l0 < d; l0 += BLOCK) {
		int64_t l = l0 + threadIdx.x;
		bool has = l < d && !alone && u[l] == u[l];
		unsigned bits = __ballot_sync(0xffffffffu, has);
		if (threadIdx.x % 32 == 0 && l < d)
			rows.has[l / 32 * rows.n + i] = bits;
		largest = has ? fmax(largest, fabs(u[l])) : largest;
	}
	if (!filters)
		return;
	largest = -block_min(-largest, shared, BLOCK);
	frexp(largest, &e);
	for (int64_t l = threadIdx.x; l < d && to.centred; l += BLOCK)
		if (!alone && u[l] == u[l]) {
			sum += scalbn(u[l], 1 - e);
			count++;
		}
	sum = block_sum(sum, shared);
	count = block_sum(count, shared);
	if (count > 0)
		mean = sum / count;
	for (int64_t l = threadIdx.x; l < width; l += BLOCK) {
		bool has = l < d && !alone && u[l] == u[l];
		double y = !has        ? 0
			   : to.ranked ? (u[l] - (count + 1) / 2) / count
			   : to.normed ? scalbn(u[l], 1 - e) - mean
				       : scalbn(u[l] - to.centre[l], -to.exponent);
		float single = (float)y;
		if (!multiplied) {
			rows.single.y[i * width + l] = has ? single : CUDART_NAN_F;
			total += fabs((double)single);
			continue;
		}
		__half half = __double2half(y);
		float wide = __half2float(half);
		rows.half.y[i * width + l] = half;
		rows.half.square[i * width + l] = __float2half(wide * wide); /* exact before it is a half */
		rows.half.mask[i * width + l] = __float2half(has ? 1 : 0);
		rows.single.y[i * width + l] = single;
		rows.single.square[i * width + l] = (float)((double)single * (double)single);
		rows.single.mask[i * width + l] = has ? 1 : 0;
	}
	total = multiplied ? count : block_sum(total, shared);
	if (threadIdx.x == 0)
		rows.total[i] = __double2float_ru(total);
}

/* ---------------------------------------------------------------- bounds */

/* Bounds are made in double precision; or in single precision, where every operation errs by 2^-21 of its result at
 * most. The least squared length; what is taken off a square, and off a bound. */
template <typename real> struct precise;
template <> struct precise<double> {
	static constexpr double least = 1e-150, square = 0x1p-46, bound = 0x1p-40;
};
template <> struct precise<float> {
	static constexpr float least = 1e-18f, square = 0x1p-17f, bound = 0x1p-19f;
};

__device__ static inline double
inverse(double x)
{
	return 1 / x;
}

__device__ static inline double
inverse_root(double x)
{
	return rsqrt(x);
}

__device__ static inline double
root(double x)
{
	return sqrt(x);
}

__device__ static inline double
larger(double x, double y)
{
	return fmax(x, y);
}

/* The same of numbers between 1e-36 and 1e36, in one instruction each. */
__device__ static inline float
inverse(float x)
{
#ifdef __CUDA_ARCH__
	asm("rcp.approx.ftz.f32 %0, %0;" : "+f"(x));
	return x;
#else
	return 1 / x;
#endif
}

__device__ static inline float
inverse_root(float x)
{
#ifdef __CUDA_ARCH__
	asm("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
	return x;
#else
	return 1 / sqrtf(x);
#endif
}

__device__ static inline float
root(float x) /* 0 or more */
{
	return x * inverse_root(fmaxf(x, 1e-36f));
}

__device__ static inline float
larger(float x, float y)
{
	return fmaxf(x, y);
}

/* (12.12): the part of the columns of a row that it does not share. */
template <typename real>
__device__ static inline real
part_of(real all, real shared)
{
	return (all - shared) * inverse(all);
}

/* (12.13): by how much ranks among all that a row has differ in direction from those among the ones that it shares, for
 * part_of or what (12.14) has in its place. root: of the number of these over twelve times the squared length. */
template <typename real>
__device__ static inline real
turned(real part, real root)
{
	real s = part * root;
	return s * (1 + s * s / 2);
}

/* What rows a bound is of: as the metric says, or one of these, whose products are those of halves. */
enum form { ANY, PLAIN, UNIT, CENTRED, RANKED };

/* (12.7): of rows that are normed, before it is squared. xpart, ypart: of ranks, see turned. */
template <typename real>
__device__ static inline real
low_normed(const gap_terms<real> &b, knng_sum kind, bool ranked, real n, real x2, real y2, real x1, real y1, real count,
	   real xpart, real ypart)
{
	real ux = fma(x2, b.upper, b.tiny), uy = fma(y2, b.upper, b.tiny), part = inverse(count);
	real mx = x1 * part, my = y1 * part;
	real lx = larger(fma(-x1, mx, fma(-b.sums, ux, x2 - b.least)), precise<real>::least);
	real ly = larger(fma(-y1, my, fma(-b.sums, uy, y2 - b.least)), precise<real>::least);
	real lengths = inverse_root(lx * ly);
	n = fma(-x1, my, n);
	n = kind == KNNG_SUM_PLUS ? -n : kind == KNNG_SUM_EITHER ? larger(n, -n) : n;
	n = larger(fma(b.sums / 2, ux + uy, n + b.least), (real)0);
	real square = larger(fma(-2 * n, lengths, 2 - precise<real>::square), (real)0);
	real lost = b.copies * lengths * root(fma(ux + b.floor, ly, (uy + b.floor) * lx));
	if (ranked) {
		real twelfth = count * (real)(1. / 12);
		lost += turned(xpart, root(twelfth * ly) * lengths) + turned(ypart, root(twelfth * lx) * lengths);
	}
	return root(square) - lost;
}

/* (12.8): of rows as they are. */
template <typename real>
__device__ static inline real
low_plain(const gap_terms<real> &b, real n, real x2, real y2)
{
	real u = fma(x2 + y2, b.upper, 2 * b.tiny), square = fma(-b.sums, u, fma((real)-2, n, x2 + y2) - b.least);
	return root(larger(square, (real)0)) - b.copies * root(u + b.floor);
}

/* The bound of a pair by the products at v, of rows that share so many columns. xpart, ypart: as above. */
template <typename real>
__device__ static inline real
low_by_parts(const meeting &t, form f, const gap_terms<real> &b, const float *v, int shared, real xpart, real ypart)
{
	bool normed = f == ANY ? t.normed : f != PLAIN, centred = f == ANY ? t.centred : f >= CENTRED,
	     ranked = f == ANY ? t.ranked : f == RANKED;
	real n = v[KNNG_GAP_XY * t.plane], x2 = v[KNNG_GAP_XX * t.plane], y2 = v[KNNG_GAP_YY * t.plane], low;
	if (normed) {
		real x1 = centred ? v[KNNG_GAP_X * t.plane] : 0, y1 = centred ? v[KNNG_GAP_Y * t.plane] : 0;
		low = low_normed<real>(b, t.kind, ranked, n, x2, y2, x1, y1, (real)shared, xpart, ypart);
	} else {
		low = low_plain<real>(b, n, x2, y2);
	}
	low = low > 0 ? low * low * (1 - precise<real>::bound) : 0;
	return normed ? low : low * ((real)t.d * inverse((real)shared));
}

/* The same of query i and reference j. */
template <typename real>
__device__ static inline real
low_of_products(const meeting &t, form f, const gap_terms<real> &b, const float *v, int64_t i, int64_t j, int shared)
{
	bool ranked = f == ANY ? t.ranked : f == RANKED;
	real xpart = ranked ? part_of<real>(t.y.total[i], (real)shared) : 0;
	real ypart = ranked ? part_of<real>(t.x.total[j], (real)shared) : 0;
	return low_by_parts<real>(t, f, b, v, shared, xpart, ypart);
}

/* (12.15): of cityblock, by the sum of the copies' differences and those of their absolute values. */
__device__ static inline double
low_of_difference(const meeting &t, double sum, double totals, int shared)
{
	const gap_terms<double> &b = t.exact;
	double low = fmax(sum * (1 - b.sums) - b.copies * totals - b.least, 0.) * (1 - precise<double>::bound);
	return low * ((double)t.d / (double)shared);
}

__device__ static inline float
low_of(const meeting &t, form f, const float *v, int64_t i, int64_t j, int shared)
{
	if (f != ANY || (t.filters && t.halves))
		return low_of_products<float>(t, f, t.quick, v, i, j, shared);
	if (!t.filters)
		return 0;
	if (t.kind == KNNG_SUM_L1)
		return __double2float_rd(low_of_difference(t, *v, (double)t.y.total[i] + (double)t.x.total[j], shared));
	return __double2float_rd(low_of_products<double>(t, f, t.exact, v, i, j, shared));
}

/* How many columns reference j shares with ROWS queries of the tile, from `first` on; all threads of a block. */
__device__ static inline void
count_shared(const meeting &t, int64_t first, int64_t j, int shared[ROWS])
{
	__shared__ uint4 y[WORDS][ROWS / 4];
	const uint32_t *x = t.x.has + j;
#pragma unroll
	for (int r = 0; r < ROWS; r++)
		shared[r] = 0;
	for (int64_t w0 = 0; w0 < t.words; w0 += WORDS) {
		int words = t.words - w0 < WORDS ? (int)(t.words - w0) : (int)WORDS;
		__syncthreads();
		for (int e = threadIdx.x; e < words * ROWS; e += BLOCK) {
			int64_t row = first + e % ROWS;
			((uint32_t *)y)[e] = row < t.nr ? t.y.has[(w0 + e / ROWS) * t.y.n + t.row0 + row] : 0;
		}
		__syncthreads();
		for (int w = 0; w < words; w++, x += t.x.n) {
			uint32_t bits = *x;
#pragma unroll
			for (int q = 0; q < ROWS / 4; q++) {
				uint4 four = y[w][q];
				shared[4 * q] += __popc(bits & four.x);
				shared[4 * q + 1] += __popc(bits & four.y);
				shared[4 * q + 2] += __popc(bits & four.z);
				shared[4 * q + 3] += __popc(bits & four.w);
			}
		}
	}
}

/* A thread for each reference, and ROWS queries. */
__global__ static void
__launch_bounds__(BLOCK) low_kernel(meeting t)
{
	int64_t first = (int64_t)blockIdx.y * ROWS, c = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
	int64_t j = t.column0 + (c < t.nc ? c : 0);
	int shared[ROWS];
	count_shared(t, first, j, shared);
	for (int r = 0; r < ROWS && c < t.nc && first + r < t.nr; r++) {
		float *v = t.v + (first + r) * t.width + c;
		int64_t i = t.row0 + first + r;
		bool may = shared[r] >= t.least && !(t.graph && i == j);
		*v = may ? low_of(t, ANY, v, i, j, shared[r]) : NO_PAIR;
	}
}

/* The place in list i that `index` took, or -1. */
__device__ static inline int
put(const gap_lists &l, int64_t i, int64_t capacity, int64_t index)
{
	int at = l.found[i] + atomicAdd(&l.taken[i], 1);
	if (at >= capacity)
		return -1;
	l.column[i * capacity + at] = (int32_t)index;
	return at;
}

/* Limited by memory, which holds the products, and by the counts of bits. */
template <form f>
__global__ static void
__launch_bounds__(BLOCK) offer_kernel(meeting t)
{
	int64_t first = (int64_t)blockIdx.y * ROWS, c = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
	bool there = c < t.nc;
	int64_t j = t.column0 + (there ? c : 0);
	int lane = threadIdx.x % 32, shared[ROWS];
	int rows = t.nr - first < ROWS ? (int)(t.nr - first) : (int)ROWS; /* 0 or more of them */
	int64_t itself = t.graph ? j - t.row0 - first : -1;
	float low[ROWS]; /* of all rows, before anything is written: so that they are read together */
	float limit = t.both && there ? t.theirs.limit[c] : -1;
	count_shared(t, first, j, shared);
#pragma unroll
	for (int r = 0; r < ROWS; r++) {
		const float *v = t.v + (first + r) * t.width + c;
		bool may = there && r < rows && shared[r] >= t.least && r != itself;
		low[r] = may ? low_of(t, f, v, t.row0 + first + r, j, shared[r]) : NO_PAIR;
	}
#pragma unroll
	for (int r = 0; r < ROWS; r++) {
		int64_t row = first + r, i = t.row0 + row;
		bool may = low[r] < NO_PAIR, mine = may && low[r] <= t.mine.limit[row];
		bool theirs = may && low[r] <= limit, hit = mine || theirs;
		unsigned all = __ballot_sync(0xffffffffu, hit);
		if (all == 0)
			continue;
		int leader = __ffs((int)all) - 1, at = 0;
		if (lane == leader)
			at = atomicAdd(&t.tally->hits, __popc(all));
		at = __shfl_sync(0xffffffffu, at, leader) + __popc(all & ((1u << lane) - 1));
		if (!hit)
			continue;
		gap_hit h = {(int32_t)row, (int32_t)c, mine ? put(t.mine, row, t.capacity, j) : -1,
			     theirs ? put(t.theirs, c, t.capacity, i) : -1};
		if (at >= t.room || (mine && h.mine < 0) || (theirs && h.theirs < 0))
			t.tally->spilled = 1;
		else
			t.hits[at] = h;
	}
}

/* What (12.14) has in place of part_of, for a row of ranks of which columns are gone; shared: the others.
 * All threads of a warp; the ranks of those columns go to `gone`, which holds GONE. */
__device__ static double
part_of_ranks(const double *ranks, const uint32_t *has, int64_t n, const uint32_t *others, int64_t m, int64_t words,
	      bool tied, int all, int shared, float *gone)
{
	int lane = threadIdx.x % 32, b = all - shared, there = 0, sum = 0, squares = 0, apart = 0;
	if (tied || b > GONE || all > EXACT)
		return part_of((double)all, (double)shared);
	__syncwarp();
	for (int64_t w0 = 0; w0 < words; w0 += 32) { /* a word a lane */
		uint32_t mine = w0 + lane < words ? has[(w0 + lane) * n] & ~others[(w0 + lane) * m] : 0;
		for (unsigned some = __ballot_sync(0xffffffffu, mine != 0); some != 0; some &= some - 1) {
			int w = __ffs((int)some) - 1;
			uint32_t left = __shfl_sync(0xffffffffu, mine, w);
			if (left >> lane & 1)
				gone[there + __popc(left & ((1u << lane) - 1))] = (float)ranks[(w0 + w) * 32 + lane];
			there += __popc(left);
		}
	}
	__syncwarp();
	for (int e = lane; e < b; e += 32) {
		float rank = gone[e];
		int j = 0; /* of the ranks that are gone, how many are below */
		for (int other = 0; other < b; other++)
			j += gone[other] < rank;
		int t = (int)rank - 1 - j;
		sum += t;
		squares += t * t;
		apart += (2 * j + 1 - b) * t;
	}
	for (int step = 16; step > 0; step /= 2) {
		sum += __shfl_xor_sync(0xffffffffu, sum, step);
		squares += __shfl_xor_sync(0xffffffffu, squares, step);
		apart += __shfl_xor_sync(0xffffffffu, apart, step);
	}
	double c = shared, of_b = b, t1 = sum;
	double twelve = of_b * of_b * (c * c - 1) - 12 * c * apart + 12 * (of_b * squares - t1 * t1);
#ifdef KNNG_PLANT_TURN /* what the tests must find: ranks that change, and are taken for the same */
	twelve = 0;
#endif
	return sqrt(fmax(twelve, 0.)) / ((double)all * c);
}

/* Hits of ranks that (12.14) discards have no distance, and are hits no more. A warp for each. */
__global__ static void
__launch_bounds__(BLOCK) again_kernel(meeting t)
{
	enum { AT_ONCE = BLOCK / 32 };
	__shared__ float room[AT_ONCE][GONE];
	float *gone = room[threadIdx.x / 32];
	int64_t hits = t.tally->spilled != 0 ? 0 : t.tally->hits;
	for (int64_t p = (int64_t)blockIdx.x * AT_ONCE + threadIdx.x / 32; p < hits;
	     p += (int64_t)gridDim.x * AT_ONCE) {
		gap_hit h = t.hits[p];
		int64_t i = t.row0 + h.row, j = t.column0 + h.column;
		const float *v = t.v + h.row * t.width + h.column;
		const uint32_t *y = t.y.has + i, *x = t.x.has + j;
		int shared = 0;
		for (int64_t w = threadIdx.x % 32; w < t.words; w += 32)
			shared += __popc(y[w * t.y.n] & x[w * t.x.n]);
		for (int step = 16; step > 0; step /= 2)
			shared += __shfl_xor_sync(0xffffffffu, shared, step);
		double xpart = part_of_ranks(t.y.u + i * t.ld, y, t.y.n, x, t.x.n, t.words, t.y.tied[i] != 0,
					     (int)t.y.total[i], shared, gone);
		double ypart = part_of_ranks(t.x.u + j * t.ld, x, t.x.n, y, t.y.n, t.words, t.x.tied[j] != 0,
					     (int)t.x.total[j], shared, gone);
		float low =
			t.halves ? low_by_parts<float>(t, RANKED, t.quick, v, shared, (float)xpart, (float)ypart)
				 : __double2float_rd(low_by_parts<double>(t, RANKED, t.exact, v, shared, xpart, ypart));
		bool mine = h.mine >= 0 && low <= t.mine.limit[h.row];
		bool theirs = h.theirs >= 0 && low <= t.theirs.limit[h.column];
		if (mine || theirs || threadIdx.x % 32 != 0)
			continue;
		if (h.mine >= 0)
			t.mine.key[h.row * t.capacity + h.mine] = NO_ANSWER;
		if (h.theirs >= 0)
			t.theirs.key[h.column * t.capacity + h.theirs] = NO_ANSWER;
		t.hits[p].row = -1;
	}
}

/* The sums of the differences of a tile's copies, where both have a value: 64 x 64 pairs a block of 16 x 16 threads,
 * 4 x 4 pairs a thread. Limited by arithmetic: a difference, the larger of its absolute value and 0, which a NaN is
 * not, and a sum for each pair and column. */
__global__ static void
__launch_bounds__(SIDE *SIDE / (EACH * EACH)) difference_kernel(meeting t, int64_t width)
{
	__shared__ float4 a[DEPTH][SIDE / 4 + 1], b[DEPTH][SIDE / 4 + 1]; /* four rows each */
	enum { THREADS = SIDE / EACH };
	int64_t r0 = (int64_t)blockIdx.y * SIDE, c0 = (int64_t)blockIdx.x * SIDE;
	int thread = threadIdx.y * THREADS + threadIdx.x;
	float sum[EACH][EACH] = {}, part[EACH][EACH] = {};
	for (int64_t l0 = 0; l0 < width; l0 += DEPTH) {
		for (int e = thread; e < SIDE * DEPTH / 4; e += THREADS * THREADS) {
			int row = e / (DEPTH / 4), l = e % (DEPTH / 4) * 4;
			float4 none = {CUDART_NAN_F, CUDART_NAN_F, CUDART_NAN_F, CUDART_NAN_F}, x = none, y = none;
			if (r0 + row < t.nr && l0 + l < width)
				y = *(const float4 *)(t.y.single.y + (t.row0 + r0 + row) * width + l0 + l);
			if (c0 + row < t.nc && l0 + l < width)
				x = *(const float4 *)(t.x.single.y + (t.column0 + c0 + row) * width + l0 + l);
			const float rows[] = {y.x, y.y, y.z, y.w}, columns[] = {x.x, x.y, x.z, x.w};
			for (int c = 0; c < 4; c++) {
				((float *)a[l + c])[row] = rows[c];
				((float *)b[l + c])[row] = columns[c];
			}
		}
		__syncthreads();
#pragma unroll
		for (int l = 0; l < DEPTH; l++) {
			float4 y = a[l][threadIdx.y], x = b[l][threadIdx.x];
			const float rows[] = {y.x, y.y, y.z, y.w}, columns[] = {x.x, x.y, x.z, x.w};
#pragma unroll
			for (int r = 0; r < EACH; r++)
#pragma unroll
				for (int c = 0; c < EACH; c++)
					part[r][c] += fmaxf(fabsf(rows[r] - columns[c]), 0.f);
		}
		if ((l0 + DEPTH) % SUMMED == 0 || l0 + DEPTH >= width)
			for (int r = 0; r < EACH; r++)
				for (int c = 0; c < EACH; c++) {
					sum[r][c] += part[r][c];
					part[r][c] = 0;
				}
		__syncthreads();
	}
	for (int r = 0; r < EACH; r++)
		for (int c = 0; c < EACH; c++) {
			int64_t row = r0 + threadIdx.y * EACH + r, column = c0 + threadIdx.x * EACH + c;
			if (row < t.nr && column < t.nc)
				t.v[row * t.width + column] = sum[r][c];
		}
}

/* ---------------------------------------------------------------- launchers */

void
launch_gap_copies(const gap_rows *rows, bool filters, bool multiplied, const knng_gap_scale *to, int64_t d, int64_t ld,
		  cudaStream_t stream)
{
	copy_kernel<<<(unsigned)rows->n, BLOCK, 0, stream>>>(*rows, filters, multiplied, *to, d, ld, across(d));
}

void
launch_gap_differences(const meeting *t, cudaStream_t stream)
{
	dim3 grid(up(t->nc, SIDE), up(t->nr, SIDE)), threads(SIDE / EACH, SIDE / EACH);
	difference_kernel<<<grid, threads, 0, stream>>>(*t, across(t->d));
}

void
launch_gap_bounds(const meeting *t, cudaStream_t stream)
{
	dim3 grid(up(t->nc, BLOCK), up(t->nr, ROWS));
	low_kernel<<<grid, BLOCK, 0, stream>>>(*t);
}

void
launch_gap_offers(const meeting *t, cudaStream_t stream)
{
	dim3 grid(up(t->nc, BLOCK), up(t->nr, ROWS));
	if (!t->filters || !t->halves)
		offer_kernel<ANY><<<grid, BLOCK, 0, stream>>>(*t);
	else if (!t->normed)
		offer_kernel<PLAIN><<<grid, BLOCK, 0, stream>>>(*t);
	else if (!t->centred)
		offer_kernel<UNIT><<<grid, BLOCK, 0, stream>>>(*t);
	else if (!t->ranked)
		offer_kernel<CENTRED><<<grid, BLOCK, 0, stream>>>(*t);
	else
		offer_kernel<RANKED><<<grid, BLOCK, 0, stream>>>(*t);
	if (t->filters && t->ranked)
		again_kernel<<<AGAIN_BLOCKS, BLOCK, 0, stream>>>(*t);
}
