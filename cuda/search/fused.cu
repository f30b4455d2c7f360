/* fused.cu  One kernel that multiplies half-precision copies and compares the products at once: no score reaches
 * memory. For GPUs whose tensor cores take wgmma (compute capability 9.0) and rows of up to 304 features.
 *
 * A block holds a panel of columns in shared memory. Each of its groups of four warps takes 64 rows at a time as
 * fragments in registers, multiplies them with WIDE columns of the panel and tests the sums. Those of a thread that has
 * one which passes are put aside; the warp looks them over together when there is room for no more, and hands on the
 * few that pass, with their numbers. Of most tiles only the best of a thread's sums of a row is tested (test_best); of
 * short rows that differ in length what products are compared with is folded into them for that, as four more features.
 * Groups do not wait for each other, so that one tests while others multiply. The blocks share out all meetings of
 * panels and rows evenly. A second kernel decides what was handed on in double precision, and appends it to the lists:
 * that takes long for each pair, and here everything would wait for it. */
#include "cuda/search/fused_long.h"
#include "cuda/search/hits.h"

/* KNNG_PLAIN: in place of wgmma, on emulated GPUs. */
#if defined KNNG_FUSED || defined KNNG_PLAIN

#ifdef KNNG_PLAIN
enum { SETTLERS = 1 };
#else
enum { SETTLERS = 1024 };
#endif
/* C of canonical.md, 6: more than any score and half norm together, as copies of one scale are shorter than 2^7. */
static const double MOVED = 17000;
static const uint32_t ONES = 0x3c003c00, SIGNS = 0x80008000, MUCH = 0x7bff7bff; /* of two halves */

/* (6.14), for sums that were not rounded to half. */
__device__ static inline float
lowered_to_float(double x, double moved)
{
	return __double2float_rd(x - fabs(x) * 0x1p-21 - 0x1p-100 + moved);
}

/* What products have to be to matter to a row or to one of the columns whose numbers are not below `least`. */
__device__ static inline float
needed(float2 row, float2 least)
{
	float product = fminf(__fadd_rd(row.x, least.y), __fadd_rd(row.y, least.x));
	return product > 0x1p-10f ? product : -NONE;
}

/* Numbers of a row or a column that products are tested with: compare.cu, of copies with one scale. Those of rows are
 * negative, so that less of their bits is more. */
__device__ static inline float2
test_for(const fused &f, double base, double threshold, double by)
{
	const lists &l = f.l;
	double moved = l.half[l.pending[f.t.row0]],
	       scale = 1 / ((double)l.scale_x[f.t.column0] * (double)l.scale_x[f.t.column0]);
	return make_float2(lowered_to_float((threshold + moved) * scale, by),
			   lowered_to_float((base - moved) * scale, by));
}

/* The largest half that is not above x >= 0, of those that are 0 or have all their digits. */
__device__ static inline float
half_below(double x)
{
	float y = __uint_as_float(__float_as_uint(__double2float_rd(x)) & 0xffffe000);
	return y < 0x1p-14f ? 0 : y;
}

/* What is folded into products: two halves whose sum is a base, or less, in the unit of the copies; as one number. */
__device__ static inline float
fold_of(double base)
{
	float high = half_below(base > 0 ? base : 0), low = half_below((base > 0 ? base : 0) - high), bits;
	__half2 two = __floats2half2_rn(high, low);
	memcpy(&bits, &two, sizeof bits);
	return bits;
}

__device__ static inline double
unfolded(float bits)
{
	__half2 two;
	memcpy(&two, &bits, sizeof two);
	return (double)__low2float(two) + (double)__high2float(two);
}

/* What a folded product has to be to matter to the list of a row or a column; and what is folded in for it. Not all of
 * a base below 0 can be, which no copies of one scale have: then all products matter. */
__device__ static inline float2
folded_test(const fused &f, double base, double threshold)
{
	double s = f.l.scale_x[f.t.column0], scale = 1 / (s * s);
	float fold = fold_of(base * scale);
	double most = threshold * scale - unfolded(fold);
	float test = threshold == CUDART_INF ? NONE : lowered_to_float(most, -0x1p-36);
	return make_float2(base < 0 ? -NONE : test, fold);
}

__global__ static void
rows_kernel(fused f)
{
	const lists &l = f.l;
	int to = blockIdx.x * blockDim.x + threadIdx.x, e = to;
	if (e >= f.nr)
		return;
	int64_t own = l.pending[f.t.row0 + e];
#ifdef KNNG_PLANT_ROW /* what the tests must find: the threshold of another row */
	e = (e + 1) % f.nr;
#endif
	int64_t i = l.pending[f.t.row0 + e];
	double threshold = l.threshold[i];
	if (f.fold > 0) {
		float2 test = folded_test(f, l.base[own], threshold);
		f.row[to] = make_float2(fminf(test.x, NEGATIVE), test.y);
		return;
	}
	float2 test = test_for(f, l.base[i], threshold, -MOVED);
	f.row[to] = make_float2(threshold == CUDART_INF ? NEGATIVE : fminf(test.x, NEGATIVE), fminf(test.y, NEGATIVE));
}

__device__ static inline double
threshold_of_column(const fused &f, int64_t j)
{
	return f.both ? f.l.threshold[j] : CUDART_INF;
}

/* What a column asks for: minus half the square of a distance, of rows of its list. */
__device__ static inline double
asked(const fused &f, int c)
{
	int64_t j = f.t.column0 + c;
	return threshold_of_column(f, j) - f.l.base_x[j];
}

/* Orders columns by what they ask for, behind them those that ask for nothing; and by their place. */
__device__ static inline uint32_t
rank_of_column(const fused &f, int c)
{
	double q = asked(f, c);
	uint32_t bits = __float_as_uint(q == CUDART_INF ? NONE : (float)q);
	bits = bits >> 31 ? ~bits : bits | 1u << 31;
	return (bits & ~(uint32_t)(SORTED - 1)) | (uint32_t)c % SORTED;
}

/* In ascending order; count is a power of two. Places that are 32 or less apart are compared by one warp. */
__device__ static inline void
sort(uint32_t *rank, int count)
{
	int before = count;
	for (int size = 2; size <= count; size *= 2)
		for (int step = size / 2; step > 0; before = step, step /= 2) {
			if (step > 32 || before > 32)
				__syncthreads();
			else
				__syncwarp();
			for (int e = threadIdx.x; e < count / 2; e += blockDim.x) {
				int low = 2 * e - (e & (step - 1)), high = low + step;
				uint32_t a = rank[low], b = rank[high];
				if ((a > b) != ((low & size) != 0)) {
					rank[low] = b;
					rank[high] = a;
				}
			}
		}
	__syncthreads();
}

/* SORTED columns a block. Those that ask for most, or that most rows ask for, are not to lie all in one panel: folded
 * ones are shared out with all others (fused_kernel). */
__global__ static void
__launch_bounds__(SORTERS) order_kernel(fused f)
{
	__shared__ uint32_t rank[SORTED];
	int first = (int)blockIdx.x * SORTED, count = f.nc - first < SORTED ? f.nc - first : (int)SORTED, all = 1;
	while (all < count)
		all *= 2;
	for (int e = threadIdx.x; e < all; e += blockDim.x)
		rank[e] = e < count ? rank_of_column(f, first + e) : ~0u;
	sort(rank, all);
	for (int e = threadIdx.x; e < count; e += blockDim.x) {
		int group = e / TOGETHER;
		if (count == SORTED && f.fold == 0)
			group = group % (SORTED / TOGETHER / 4) * 4 + group / (SORTED / TOGETHER / 4);
		f.order[first + group * TOGETHER + e % TOGETHER] = (uint16_t)(rank[e] % SORTED);
	}
}

/* Where the column at a place of the order stands in the tile. */
__device__ static inline int
column_at(const fused &f, int place)
{
	return f.order != NULL ? place / SORTED * SORTED + f.order[place] : place;
}

/* What columns are tested with, in their order, TOGETHER of them a warp, and the least of it; less than anything where
 * each sum is to be tested by itself: where many pairs pass, or where rows differ in length, or columns in what they
 * ask for. */
__global__ static void
columns_kernel(fused f)
{
	int group = (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = (int)threadIdx.x % 32;
	int first = group * TOGETHER, end = f.nc - first < TOGETHER ? f.nc : first + TOGETHER;
	float2 least = make_float2(NONE, NONE);
	int segment = first / SORTED * SORTED, after = f.nc - segment < SORTED ? f.nc - segment : (int)SORTED;
	double most = -CUDART_INF, fewest = CUDART_INF;
	for (int place = first + lane; place < end; place += 32) {
		int own = column_at(f, place), c = own;
		double q = asked(f, c);
#ifdef KNNG_PLANT_ROW
		c = (c + 1) % f.nc;
#endif
		int64_t j = f.t.column0 + c;
		double threshold = threshold_of_column(f, j);
		float2 test = f.fold > 0 ? folded_test(f, f.l.base_x[f.t.column0 + own], threshold)
					 : test_for(f, f.l.base_x[j], threshold, MOVED);
		if (threshold == CUDART_INF && f.fold == 0)
			test.x = NONE;
		f.column[place] = test;
		least.x = fminf(least.x, test.x);
		least.y = fminf(least.y, test.y);
		most = q < CUDART_INF ? fmax(most, q) : most;
		fewest = fmin(fewest, q);
	}
	for (int step = 16; step > 0; step /= 2) {
		least.x = fminf(least.x, __shfl_xor_sync(~0u, least.x, step));
		least.y = fminf(least.y, __shfl_xor_sync(~0u, least.y, step));
		most = fmax(most, __shfl_xor_sync(~0u, most, step));
		fewest = fmin(fewest, __shfl_xor_sync(~0u, fewest, step));
	}
	/* Both are negative. What asks for less than most rows do hands on no more than they ask for. */
	bool much = f.order == NULL || first >= f.nc || fewest < asked(f, column_at(f, segment + after / 4 * 3));
	if (!f.even || (fewest < most * f.spread && much))
		least.x = least.y = -NONE;
#ifdef KNNG_PLANT_LEAST /* what the tests must find: the least of other columns */
	group = group > 0 ? group - 1 : (f.nc - 1) / TOGETHER;
#endif
	if (lane == 0 && first < f.nc)
		f.least[group] = least;
}

/* The pairs that were handed on, a thread each: the tests themselves, for the row and the column. */
__global__ static void
settle_kernel(fused f)
{
	const lists &l = f.l;
	const tile &t = f.t;
	int all = *f.handed;
	if (all > f.room)
		return;
	for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < all; e += gridDim.x * blockDim.x) {
		uint2 hit = f.hits[e];
		int r = (int)(hit.x >> 16), place = (int)(hit.x & 0xffff);
		if (r >= f.nr || place >= f.nc)
			continue;
		int c = column_at(f, place);
		int64_t i = l.pending[t.row0 + r], j = t.column0 + c;
		if ((i == j && l.graph) || (f.half && c < r))
			continue;
		double sum = __uint_as_float(hit.y);
		if (f.fold > 0)
			sum += unfolded(f.row[r].y) + unfolded(f.column[place].y);
		double v = sum * ((double)l.scale[i] * (double)l.scale_x[j]);
		enqueue(l, append(l, i, v - l.base_x[j], (int32_t)j, l.threshold[i], l.bound[i]), (int32_t)r);
		if (f.both)
			enqueue(l, append(l, j, v - l.base[i], (int32_t)i, l.threshold[j], l.bound[j]), ~(int32_t)c);
	}
}

#endif

#ifdef KNNG_FUSED

enum {
	WIDE = TOGETHER, /* columns of one product */
	SUMS = WIDE / 2,
	WIDEST = SORTED, /* columns of a panel */
	KINDS = TURNED,  /* rows turn their signs when they are loaded */
};

/* What columns of a panel are tested with, and what those together need at least. */
typedef struct {
	float2 *test, *least;
} beside;

/* ---------------------------------------------------------------- products */

/* d = (or +=) the product of 64 rows, a, of 16 features, and 128 columns in shared memory. */
__device__ static inline void
multiply(float (&d)[SUMS], const uint32_t (&a)[4], uint64_t columns, bool add)
{
#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %69, 0;\n"
		     "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
		     "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
		     "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
		     "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
		     "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
		     "{%64, %65, %66, %67}, %68, p, 1, 1, 0;\n}"
		     : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48)
		     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(columns), "r"((int)add)
		     : "memory");
#undef SIXTEEN
#undef FOUR
}

template <int STEPS>
__device__ static inline void
pin(uint32_t (&a)[STEPS][4])
{
#pragma unroll
	for (int i = 0; i < STEPS * 4; i++)
		asm volatile("" : "+r"(a[i / 4][i % 4])::"memory");
}

/* ---------------------------------------------------------------- operands
 *
 * Sixteen features of a row are four 8-byte words to a fragment: a thread has a part of the first and of the third, or
 * of the second and of the fourth. The features may come in any order, if it is that of rows and columns: so a thread
 * loads eight neighbouring ones, for two products, and the columns of a panel are put down in that order. An odd
 * product at last takes four. */

/* Features of a row from l on, zeros behind its end. */
__device__ static inline uint4
eight_of(const __half *row, int l, int ld)
{
	return l < ld ? *(const uint4 *)(row + l) : make_uint4(0, 0, 0, 0);
}

__device__ static inline uint2
four_of(const __half *row, int l, int ld)
{
	return l < ld ? *(const uint2 *)(row + l) : make_uint2(0, 0);
}

/* Puts what is folded in in place of the four features from f.fold on, if they are among those from l on. */
__device__ static inline void
fold_in(uint4 &eight, int l, const fused &f, uint2 two)
{
	if (l == (f.fold & ~7)) {
		if (f.fold & 4) {
			eight.z = two.x;
			eight.w = two.y;
		} else {
			eight.x = two.x;
			eight.y = two.y;
		}
	}
}

/* Of row or column e of n. Behind the last it is so much that nothing passes but what asks for all. */
__device__ static inline uint32_t
folded(const float2 *tests, int e, int n)
{
	return tests == NULL ? 0 : e < n ? __float_as_uint(tests[e].y) : MUCH;
}

template <int STEPS, bool FOLD>
__device__ static inline void
load_rows(uint32_t (&a)[STEPS][4], const fused &f, int block)
{
	int upper_row = block * TALL + threadIdx.x % GROUP / 32 * 16 + threadIdx.x % 32 / 4, lower_row = upper_row + 8;
	int ld = (int)f.ld;
	uint32_t flip = f.flip;
	const __half *upper = f.rows + (upper_row < f.nr ? upper_row : f.nr - 1) * f.ld;
	const __half *lower = f.rows + (lower_row < f.nr ? lower_row : f.nr - 1) * f.ld;
	int part = threadIdx.x % 4;
	uint2 fold[2];
	if (FOLD) { /* the signs of what is folded in stay as they are */
		fold[0] = make_uint2(folded(f.row, upper_row, f.nr) ^ flip, ONES ^ flip);
		fold[1] = make_uint2(folded(f.row, lower_row, f.nr) ^ flip, ONES ^ flip);
	}
#pragma unroll
	for (int s = 0; s + 1 < STEPS; s += 2) {
		uint4 u = eight_of(upper, s * STEP + part * 8, ld), v = eight_of(lower, s * STEP + part * 8, ld);
		if (FOLD) {
			fold_in(u, s * STEP + part * 8, f, fold[0]);
			fold_in(v, s * STEP + part * 8, f, fold[1]);
		}
		a[s][0] = u.x ^ flip;
#ifdef KNNG_PLANT_LAYOUT /* what the check of tensor cores must find */
		a[s][1] = v.y ^ flip;
#else
		a[s][1] = v.x ^ flip;
#endif
		a[s][2] = u.y ^ flip;
		a[s][3] = v.y ^ flip;
		a[s + 1][0] = u.z ^ flip;
		a[s + 1][1] = v.z ^ flip;
		a[s + 1][2] = u.w ^ flip;
		a[s + 1][3] = v.w ^ flip;
	}
	if (STEPS % 2 != 0) {
		const int s = STEPS - 1;
		uint2 u = four_of(upper, s * STEP + part * 4, ld), v = four_of(lower, s * STEP + part * 4, ld);
		if (FOLD && s * STEP + part * 4 == f.fold) {
			u = fold[0];
			v = fold[1];
		}
		a[s][0] = u.x ^ flip;
		a[s][1] = v.x ^ flip;
		a[s][2] = u.y ^ flip;
		a[s][3] = v.y ^ flip;
	}
}

/* Word w of product s of column c, in the panel. */
__device__ static inline uint32_t *
word_of(char *panel, int columns, int c, int s, int w)
{
	int at = c * SWIZZLED + s % 4 * 32 + w * 4;
	return (uint32_t *)(panel + s / 4 * columns * SWIZZLED + (at ^ (c & 7) << 4));
}

/* Row c of the columns, of the last where there are no more. */
__device__ static inline const __half *
column_of(const fused &f, int place)
{
	return f.columns + column_at(f, place < f.nc ? place : f.nc - 1) * f.ld;
}

template <int STEPS, int columns, int THREADS, bool FOLD>
__device__ static inline void
load_panel(const fused &f, char *panel, beside b, int first)
{
	const int pairs = STEPS > 1 ? STEPS / 2 : 1;
#pragma unroll 8
	for (int e = threadIdx.x; STEPS > 1 && e < columns * pairs * 4; e += THREADS) {
		int part = e % 4, s = e / 4 % pairs * 2, c = e / 4 / pairs;
		uint4 eight = eight_of(column_of(f, first + c), s * STEP + part * 8, (int)f.ld);
		if (FOLD)
			fold_in(eight, s * STEP + part * 8, f,
				make_uint2(ONES ^ SIGNS, folded(f.column, first + c, f.nc) ^ SIGNS));
		*word_of(panel, columns, c, s, part) = eight.x;
		*word_of(panel, columns, c, s, part + 4) = eight.y;
		*word_of(panel, columns, c, s + 1, part) = eight.z;
		*word_of(panel, columns, c, s + 1, part + 4) = eight.w;
	}
#pragma unroll 4
	for (int e = threadIdx.x; STEPS % 2 != 0 && e < columns * 4; e += THREADS) {
		int part = e % 4, s = STEPS - 1, c = e / 4;
		uint2 four = four_of(column_of(f, first + c), s * STEP + part * 4, (int)f.ld);
		if (FOLD && s * STEP + part * 4 == f.fold)
			four = make_uint2(ONES ^ SIGNS, folded(f.column, first + c, f.nc) ^ SIGNS);
		*word_of(panel, columns, c, s, part) = four.x;
		*word_of(panel, columns, c, s, part + 4) = four.y;
	}
	for (int c = threadIdx.x; c < columns; c += THREADS) {
		b.test[c] = test_of(f.column, first + c, f.nc, NONE);
		if (c % WIDE == 0 && f.least != NULL)
			b.least[c / WIDE] = first + c < f.nc ? f.least[(first + c) / WIDE] : make_float2(NONE, NONE);
	}
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); /* the tensor cores read it by another way */
}

/* ---------------------------------------------------------------- tests */

/* Whether one of a thread's sums matters. They are of two rows, and only the best of each is compared, three at a time
 * by their bits. */
template <int KIND>
__device__ static inline bool
test_best(const float (&d)[SUMS], float upper, float lower)
{
	/* Of positive numbers the largest has the most bits. Where less is enough, all is looked over. */
	int enough[2] = {upper > 0 ? __float_as_int(upper) : INT32_MIN, lower > 0 ? __float_as_int(lower) : INT32_MIN};
	int best[4] = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
#pragma unroll
	for (int g = 0; g < SUMS / 4; g++)
#pragma unroll
		for (int row = 0; row < 2; row++) {
			float even = score_of_sum<KIND>(d[4 * g + 2 * row]),
			      odd = score_of_sum<KIND>(d[4 * g + 2 * row + 1]);
			int *b = &best[2 * row + g % 2];
			*b = __vimax3_s32(*b, __float_as_int(even), __float_as_int(odd));
		}
	return max(best[0], best[1]) >= enough[0] || max(best[2], best[3]) >= enough[1];
}

/* Folded products: those of two rows are tested with what these need, or the least of the columns. */
__device__ static inline bool
test_best_folded(const float (&d)[SUMS], float upper, float lower)
{
	unsigned best[4] = {~0u, ~0u, ~0u, ~0u};
#pragma unroll
	for (int g = 0; g < SUMS / 4; g++)
#pragma unroll
		for (int row = 0; row < 2; row++) {
			unsigned *b = &best[2 * row + g % 2];
			*b = least_bits(*b, d[4 * g + 2 * row], d[4 * g + 2 * row + 1]);
		}
	return min(best[0], best[1]) <= __float_as_uint(upper) || min(best[2], best[3]) <= __float_as_uint(lower);
}

/* Or with what each column needs. */
__device__ static inline bool
test_each_folded(const float (&d)[SUMS], const float2 *tests, float upper, float lower)
{
	unsigned best[3] = {~0u, ~0u, ~0u};
#pragma unroll
	for (int g = 0; g < SUMS / 4; g++) {
		float4 two = *(const float4 *)(tests + g * 8);
#pragma unroll
		for (int row = 0; row < 2; row++) {
			float even = d[4 * g + 2 * row], odd = d[4 * g + 2 * row + 1];
			best[row] = least_bits(best[row], even, odd);
			best[2] = least_bits(best[2], even - two.x, odd - two.z);
		}
	}
	return best[0] <= __float_as_uint(upper) || best[1] <= __float_as_uint(lower) ||
	       best[2] <= __float_as_uint(NEGATIVE);
}

/* ---------------------------------------------------------------- the kernel */

/* How many times TALL rows meet the columns of a panel that begins there: all; or as many as come before any of those
 * that were put in order together. */
__device__ static inline int
height_of(const fused &f, int column)
{
	int end = (column / SORTED + 1) * SORTED, rows = f.half && end < f.nr ? end : f.nr;
	return (rows + TALL - 1) / TALL;
}

/* Of so many panels together. */
__device__ static inline int
heights_of(const fused &f, int panels, int wide)
{
	int all = 0;
	for (int p = 0; p < panels; p++)
		all += height_of(f, p * wide);
	return all;
}

template <int STEPS> struct shape {
	enum {
		/* Two products of long rows are under way, or one is while the other is tested; of shorter rows, which
		 * take longer to test than to multiply, there are more groups. Registers do for so many. */
		TURNS = STEPS > 10 ? 2 : 1,
		GROUPS = STEPS > 10  ? 2
			 : STEPS > 6 ? 3
				     : 4,
		DEEP = (STEPS + 3) / 4 * SWIZZLED, /* bytes of a column */
		KEPT = GROUPS * 4 * (int)sizeof(kept<SUMS>),
		BESIDE = 8 + 1, /* and of what lies beside it, or less */
		MOST = (226 * 1024 - KEPT) / (DEEP + BESIDE),
		COLUMNS = MOST >= WIDEST       ? WIDEST
			  : MOST >= WIDEST / 2 ? WIDEST / 2
					       : WIDEST / 4,
		BYTES = COLUMNS * (DEEP + BESIDE) + KEPT
	};
};

/* Starts the product of a thread's rows and WIDE columns of the panel. */
template <int STEPS>
__device__ static inline void
start(float (&d)[SUMS], uint32_t (&a)[STEPS][4], uint32_t columns)
{
	pin(a);
	pin(d);
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
	for (int s = 0; s < STEPS; s++)
		multiply(d, a[s], describe(columns + s / 4 * (shape<STEPS>::COLUMNS * SWIZZLED)) + s % 4 * 2, s > 0);
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Of columns c and c + 1 of the panel. */
__device__ static inline auto
tests_of(const beside &b)
{
	return [test = b.test](int c) { return *(const float4 *)(test + c); };
}

/* Tests the sums of rows `upper` and 8 below and of columns of the panel from `column` on; returns how many were put
 * aside. */
template <int KIND>
__device__ static inline int
finish(const fused &f, const float (&d)[SUMS], int upper, int column, float2 upper_test, float2 lower_test,
       const beside &b, int first, kept<SUMS> *aside, int count)
{
	if (f.products != NULL) {
		store(f, d, upper, first + column);
		return count;
	}
	bool passes;
	float2 least = b.least[column / WIDE];
	if (KIND == FOLDED && least.x == -NONE)
		passes = test_each_folded(d, b.test + column, upper_test.x, lower_test.x);
	else if (KIND == FOLDED)
		passes = test_best_folded(d, fminf(upper_test.x, least.x), fminf(lower_test.x, least.x));
	else if (KIND == UNEVEN || least.x == -NONE)
		passes = test_each<KIND>(d, b.test + column, upper_test, lower_test);
	else
		passes = test_best<KIND>(d, needed(upper_test, least), needed(lower_test, least));
	if (__any_sync(0xffffffffu, passes))
		count = put_aside<KIND>(f, d, passes, upper, column,
					make_float4(upper_test.x, upper_test.y, lower_test.x, lower_test.y),
					tests_of(b), first, aside, count);
	return count;
}

template <int STEPS, int KIND>
__global__ static void
__launch_bounds__(shape<STEPS>::GROUPS *GROUP, 1) fused_kernel(const __grid_constant__ fused f)
{
	typedef shape<STEPS> S;
	const bool FOLD = KIND == FOLDED;
	static_assert((int)SORTED % (int)S::COLUMNS == 0, "panels of columns that were put in order together");
	/* Blocks share out rows and columns; folded, all that were put in order together, so that each has of those
	 * that many rows ask for. */
	const int WHOLE = FOLD ? (int)SORTED : (int)S::COLUMNS;
	extern __shared__ __align__(1024) char panel[];
	beside by;
	by.test = (float2 *)(panel + S::COLUMNS * S::DEEP);
	by.least = (float2 *)(by.test + S::COLUMNS);
	kept<SUMS> *aside = (kept<SUMS> *)(by.least + S::COLUMNS / 8) + threadIdx.x / 32;
	uint32_t at = (uint32_t)__cvta_generic_to_shared(panel);
	int group = __shfl_sync(0xffffffffu, (int)threadIdx.x / GROUP, 0), lane = threadIdx.x % 32;
	int mine = threadIdx.x % GROUP / 32 * 16 + lane / 4, count = 0; /* of TALL rows; the other is 8 below */
	int all = heights_of(f, (f.nc + WHOLE - 1) / WHOLE, WHOLE);
	int from = (int)((int64_t)all * blockIdx.x / gridDim.x),
	    left = (int)((int64_t)all * (blockIdx.x + 1) / gridDim.x) - from, column = 0, top = from;
	for (int height; top >= (height = height_of(f, column)); column += WHOLE)
		top -= height;
	uint32_t a[STEPS][4];
	float d[S::TURNS][SUMS];
	if (lane == 0)
		aside->left = aside->place = 0;
	int done = 0; /* of the columns that are shared out together */
	while (left > 0) {
		int first = column + done, height = height_of(f, column),
		    some = left < height - top ? left : height - top;
		__syncthreads();
		load_panel<STEPS, S::COLUMNS, S::GROUPS * GROUP, FOLD>(f, panel, by, first);
		__syncthreads();
		if (group < some)
			load_rows<STEPS, FOLD>(a, f, top + group);
		for (int b = top + group; b < top + some; b += S::GROUPS) {
			int upper = b * TALL + mine, lower = upper + 8;
			float2 upper_test = test_of(f.row, upper, f.nr, NEGATIVE),
			       lower_test = test_of(f.row, lower, f.nr, NEGATIVE);
			for (int p = 0; p < S::COLUMNS && first + p < f.nc; p += S::TURNS * WIDE) {
#pragma unroll
				for (int t = 0; t < S::TURNS; t++)
					start<STEPS>(d[t], a, at + (p + t * WIDE) * SWIZZLED);
#pragma unroll
				for (int t = 0; t < S::TURNS; t++) {
					if (t + 1 < S::TURNS)
						asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
					else
						asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
					pin(d[t]);
					if (t == S::TURNS - 1) {
						int next = p + S::TURNS * WIDE;
						pin(a);
						if (next >= S::COLUMNS || first + next >= f.nc) /* meanwhile */
							load_rows<STEPS, FOLD>(a, f, b + S::GROUPS);
					}
					count = finish<KIND>(f, d[t], upper, p + t * WIDE + lane % 4 * 2, upper_test,
							     lower_test, by, first, aside, count);
				}
			}
		}
		look_over<KIND>(f, aside, tests_of(by), first, count); /* while the panel is there */
		count = 0;
		done = done + S::COLUMNS < WHOLE && first + S::COLUMNS < f.nc ? done + S::COLUMNS : 0;
		if (done == 0) {
			left -= some;
			column += WHOLE;
			top = 0;
		}
	}
	give_up(f, aside);
}

/* ---------------------------------------------------------------- launchers */

/* By length of rows and by kind. */
static const struct {
	int steps, groups, columns, bytes;
	void (*kernel[KINDS])(fused);
} shapes[] = {
#define SHAPE(n, folded)                                                                                               \
	{                                                                                                              \
		n, shape<n>::GROUPS, shape<n>::COLUMNS, shape<n>::BYTES,                                               \
		{                                                                                                      \
			fused_kernel<n, UNEVEN>, fused_kernel<n, EVEN>, fused_kernel<n, EITHER>, folded                \
		}                                                                                                      \
	}
#define SHORT(n) SHAPE(n, (fused_kernel<n, FOLDED>))
	SHORT(1),        SHORT(2),        SHORT(3),        SHORT(4),        SHORT(5),
	SHORT(6),        SHAPE(7, NULL),  SHAPE(8, NULL),  SHAPE(9, NULL),  SHAPE(10, NULL),
	SHAPE(12, NULL), SHAPE(14, NULL), SHAPE(16, NULL), SHAPE(19, NULL),
#undef SHAPE
#undef SHORT
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static int64_t
longest(int device)
{
	int major = 0;
	if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess || major != 9)
		return 0;
	for (int i = 0; i < SHAPES; i++)
		for (int e = 0; e < KINDS; e++)
			if (shapes[i].kernel[e] != NULL &&
			    cudaFuncSetAttribute(shapes[i].kernel[e], cudaFuncAttributeMaxDynamicSharedMemorySize,
						 shapes[i].bytes) != cudaSuccess)
				return 0;
	static_assert(FUSED_IN_REGISTERS == 304, "the last of the shapes");
	return long_there(device) ? (int64_t)INT32_MAX : (int64_t)FUSED_IN_REGISTERS;
}

static bool
launch_products(const fused &f, cudaStream_t stream)
{
	int i = 0, device = 0, processors = 1;
	cudaGetDevice(&device);
	cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
	processors = f.blocks > 0 ? f.blocks : processors;
	if (fused_is_long(f.ld, f.pieces)) {
		bool launched = launch_long(f, processors, stream);
		if (!launched && f.handed != NULL)
			cudaMemsetAsync(f.handed, 0x7f, sizeof *f.handed, stream); /* more than there is room for */
		return launched;
	}
	int64_t length = f.fold > 0 && f.fold + 4 > f.ld ? f.fold + 4 : f.ld;
	while (shapes[i].steps * STEP < length)
		i++;
	int kind = f.fold > 0 ? FOLDED : f.l.sum == KNNG_SUM_EITHER ? EITHER : f.even ? EVEN : UNEVEN;
	int64_t meetings = (int64_t)up(f.nr, TALL) * up(f.nc, kind != FOLDED ? shapes[i].columns : (int)SORTED);
	unsigned blocks = (unsigned)(meetings < processors ? meetings : processors);
	shapes[i].kernel[kind]<<<blocks, shapes[i].groups * GROUP, shapes[i].bytes, stream>>>(f);
	return true;
}

#elif defined KNNG_PLAIN

/* A row a thread. */
__global__ static void
plain_kernel(fused f)
{
	int r = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	bool is_long = fused_is_long(f.ld, f.pieces); /* that kernel knows no order, and tests each sum by itself */
	tile t = {};
	t.rows = f.rows;
	t.columns = f.columns;
	t.ld = f.ld;
	t.floats = f.pieces;
	for (int c = 0; r < f.nr && c < f.nc; c++) {
		float sum = product_of(t, r, is_long ? c : column_at(f, c));
		if (f.products != NULL) {
			f.products[r * f.width + c] = sum;
			continue;
		}
		sum = f.flip != 0 ? -sum : sum;
		sum = f.l.sum == KNNG_SUM_EITHER ? fabsf(sum) : sum;
		bool passes;
		float2 row = f.row[r], column = f.column[c], least = f.least[c / TOGETHER];
		if (f.fold > 0) {
			sum -= (float)unfolded(row.y);
			sum -= (float)unfolded(column.y);
			passes = sum >= fminf(row.x, least.x) && (sum >= row.x || sum >= column.x);
		} else {
			passes = (is_long || sum >= needed(row, least)) && matters(sum, row, column);
		}
		if (passes) {
			int place = atomicAdd(f.handed, 1);
			if (place < f.room)
				f.hits[place] = make_uint2((unsigned)r << 16 | (unsigned)c, __float_as_uint(sum));
		}
	}
}

static int64_t
longest(int device)
{
	(void)device;
	return INT32_MAX;
}

static bool
launch_products(const fused &f, cudaStream_t stream)
{
	plain_kernel<<<up(f.nr, 32), 32, 0, stream>>>(f);
	return true;
}

#endif

#if defined KNNG_FUSED || defined KNNG_PLAIN

int64_t
fused_longest(int device)
{
	int64_t d = longest(device);
	cudaGetLastError(); /* what cannot be had is done without */
	return d;
}

bool
launch_fused(fused f, cudaStream_t stream)
{
	if (f.products == NULL) {
		int sorters = 2 * f.nc < SORTED ? 128 : (int)SORTERS;
		if (f.order != NULL)
			order_kernel<<<up(f.nc, SORTED), sorters, 0, stream>>>(f);
		rows_kernel<<<up(f.nr, 256), 256, 0, stream>>>(f);
		columns_kernel<<<up(f.nc, 4 * TOGETHER), 128, 0, stream>>>(f);
	}
	bool launched = launch_products(f, stream);
	if (f.products == NULL)
		settle_kernel<<<SETTLERS, 256, 0, stream>>>(f);
	return launched;
}

#else

int64_t
fused_longest(int device)
{
	(void)device;
	return 0;
}

bool
launch_fused(fused f, cudaStream_t stream)
{
	(void)f, (void)stream;
	return false;
}

#endif
