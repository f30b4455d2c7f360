/* gaps.cu  Searches over the columns that two rows share (docs/canonical.md, 12): of a block of queries, with all
 * references, tile by tile.
 *
 * cuBLAS multiplies copies: halves, on tensor cores, and where too many pairs pass their bounds, or tensor cores do not
 * sum as they should, single precision from there on. From its products a kernel makes a lower bound of every pair of
 * the tile. Then, as long as there are pairs that may matter to their query: as many as its list has room for go there,
 * get their canonical distances, and the k nearest stay; their last is the query's limit. A query that has no k
 * neighbours yet takes the pairs with the k lowest bounds. Without a filter every bound is 0.
 *
 * All rows lie on every device, and devices share out the blocks of queries, so that no two know of each other. */
#include "cuda/search/backend_cuda.h"
#include "cuda/search/lists.h"
#include "cuda/search/products.h"

#include <math.h>
#include <string.h>

enum {
	LARGEST_TILE = 4096,
	SMALLEST_TILE = 64,
	FREE_PLACES = 512, /* of a list, at least, beside those of its neighbours */
	PAIRS_AT_ONCE = BLOCK / LANES,
	ROWS = 8
};

/* What marks a pair that there is no distance of, or that was taken. */
#define NO_PAIR CUDART_INF_F

/* Zeros where a value is missing, and at the end of a row. */
template <typename T> struct copies {
	T *y, *square, *mask; /* [n * across] */
};

/* One matrix on a device. */
typedef struct {
	int64_t n;
	double *u;      /* [n * ld] as it came */
	uint32_t *has;  /* [words * n] bit l % 32 of number l / 32 * n + i: row i has column l, and may meet others */
	uint8_t *alone; /* [n] */
	copies<__half> half;
	copies<float> single;
} gap_rows;

/* What a block of queries counts. */
typedef struct {
	unsigned long long made; /* canonical distances */
	int32_t some;            /* whether any list has taken anything */
} counters;

/* A tile of queries and references, and the lists of the queries, as kernels get them. */
typedef struct {
	knng_shared_bound bound;
	knng_prep prep;
	knng_sum sum;
	knng_final_map map;
	gap_rows x, y; /* references; queries, of a graph the same */
	bool graph, filters, halves;
	int shift; /* bounds are 2^shift times real sums */
	int64_t d, ld, words, least, k, capacity;
	int64_t row0, nr, column0, nc, width; /* width: of a row of v */
	float *v;                             /* the products, `plane` numbers each; bounds in place of the first */
	int64_t plane;
	/* Of query r: its neighbours, then what it has taken; keys are the bits of distances. */
	uint64_t *key;   /* [nr * capacity] */
	int32_t *column; /* [nr * capacity] */
	int32_t *found, *taken;
	double *limit; /* the largest bound that still matters */
	counters *count;
} meeting;

typedef struct {
	int device;
	session *s;
	gap_rows x, y;
	double *centre; /* [ld] */
	float *v;
	uint64_t *key;
	int32_t *column, *found, *taken;
	double *limit;
	counters *count;
} gap_unit;

typedef struct {
	knng_gap_search g;
	int n;
	gap_unit units[MAX_DEVICES];
	bool halves; /* tiles are multiplied as halves; any thread may clear it */
} gap_state;

/* ---------------------------------------------------------------- memory */

static int64_t
words_of(int64_t d)
{
	return (d + 31) / 32;
}

/* Numbers of a copy's row, so that each begins where cuBLAS likes it. */
static int64_t
across(int64_t d)
{
	return up_to(d, 8);
}

static int64_t
products_of(const knng_plan *plan)
{
	/* The bound of centred rows looks at all of them, others at the first. */
	return !plan->filters ? 1 : plan->metric->prep == KNNG_PREP_CENTRED ? KNNG_GAP_PRODUCTS : KNNG_GAP_X;
}

static double
rows_bytes(const knng_plan *plan, int64_t n)
{
	double copies = plan->filters ? 3 * (2 + 4) * (double)across(plan->x.d) : 0;
	return (double)n * (8 * (double)plan->ld + 4 * (double)words_of(plan->x.d) + 1 + copies) + 9 * 256;
}

/* The bytes of a tile; tensor cores are checked there, and neighbours packed. */
static int64_t
tile_bytes(const knng_plan *plan, int64_t tile)
{
	int64_t floats = products_of(plan) * tile * tile * 4, check = plan->filters ? 2 * (int64_t)BUFFER_BYTES : 0;
	int64_t least = check > plan->k * (int64_t)sizeof(knng_pair) ? check : plan->k * (int64_t)sizeof(knng_pair);
	return floats > least ? floats : least;
}

static double
gaps_bytes(const knng_plan *plan, int64_t tile)
{
	double lists = (double)tile * (12 * (double)plan->capacity + 16);
	double rows = rows_bytes(plan, plan->x.n) + (plan->y.data == NULL ? 0 : rows_bytes(plan, plan->y.n));
	return rows + lists + (double)tile_bytes(plan, tile) + 8 * (double)plan->ld + sizeof(counters) + 8 * 256 +
	       LIBRARY_BYTES;
}

knng_status
gaps_plan(knng_plan *plan, knng_err *err)
{
	char name[96];
	double room;
	int64_t places = plan->k > FREE_PLACES ? plan->k : (int64_t)FREE_PLACES, tile = LARGEST_TILE;
	knng_status status = devices_room(plan, &room, name, sizeof name, err);
	if (status != KNNG_OK)
		return status;
	plan->capacity = plan->k + places < plan->x.n ? plan->k + places : plan->x.n;
	while (tile > 1024 && plan->m < 4 * tile * plan->ndevices)
		tile /= 2;
	while (tile > SMALLEST_TILE && tile * (tile < plan->capacity ? tile : plan->capacity) > GATHERED / plan->x.d)
		tile /= 2;
	if (plan->opt.tile > 0)
		tile = plan->opt.tile < LARGEST_TILE ? plan->opt.tile : (int64_t)LARGEST_TILE;
	while (tile > SMALLEST_TILE && gaps_bytes(plan, tile) > room)
		tile = tile / 2 > SMALLEST_TILE ? tile / 2 : (int64_t)SMALLEST_TILE;
	if (gaps_bytes(plan, tile) > room)
		return refuse_room(gaps_bytes(plan, tile), name, room, err);
	plan->tile = tile;
	plan->device_bytes = gaps_bytes(plan, tile);
	plan->bytes = sizeof(gap_state) + (plan->filters ? (double)plan->ndevices * TENSOR_HOST_BYTES : 0);
	return KNNG_OK;
}

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

/* Which columns a row has, and its copies: a block for each row. */
__global__ static void
__launch_bounds__(BLOCK) copy_kernel(gap_rows rows, bool filters, bool normed, bool centred, const double *centre,
				     int exponent, int64_t d, int64_t ld, int64_t width)
{
	__shared__ double shared[BLOCK / 32];
	int64_t i = blockIdx.x;
	const double *u = rows.u + i * ld;
	bool alone = rows.alone[i] != 0;
	double largest = 0, sum = 0, count = 0, mean = 0;
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
	for (int64_t l = threadIdx.x; l < d && normed && centred; l += BLOCK)
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
		double y = !has ? 0 : normed ? scalbn(u[l], 1 - e) - mean : scalbn(u[l] - centre[l], -exponent);
		__half half = __double2half(y);
		float single = (float)y, wide = __half2float(half);
		rows.half.y[i * width + l] = half;
		rows.half.square[i * width + l] = __float2half(wide * wide); /* exact before it is a half */
		rows.half.mask[i * width + l] = __float2half(has ? 1 : 0);
		rows.single.y[i * width + l] = single;
		rows.single.square[i * width + l] = (float)((double)single * (double)single);
		rows.single.mask[i * width + l] = has ? 1 : 0;
	}
}

/* ---------------------------------------------------------------- bounds */

/* (12.7): of rows that are normed, before it is squared; with one division and one reciprocal root. */
__device__ static double
low_normed(const knng_shared_bound &b, double n, double x2, double y2, double x1, double y1, double count)
{
	double ux = (x2 + b.tiny) * b.upper, uy = (y2 + b.tiny) * b.upper, part = 1 / count;
	double lx = fmax(x2 - x1 * x1 * part - b.sums * ux - 10 * b.tiny, 1e-150);
	double ly = fmax(y2 - y1 * y1 * part - b.sums * uy - 10 * b.tiny, 1e-150), lengths = rsqrt(lx * ly);
	n -= x1 * y1 * part;
	n = b.sum == KNNG_SUM_PLUS ? -n : b.sum == KNNG_SUM_EITHER ? fabs(n) : n;
	n = fmax(n + b.sums * sqrt(ux * uy) + 10 * b.tiny, 0.);
	double square = fmax(2 - 0x1p-46 - 2 * n * lengths, 0.), lost = (ux + b.floor) * ly + (uy + b.floor) * lx;
	return sqrt(square) - 2 * b.copies * sqrt(lost) * lengths;
}

/* (12.8): of rows as they are. */
__device__ static double
low_plain(const knng_shared_bound &b, double n, double x2, double y2)
{
	double u = (x2 + y2 + 2 * b.tiny) * b.upper;
	double square = x2 + y2 - 2 * n - b.sums * u - 10 * b.tiny;
	return sqrt(fmax(square, 0.)) - b.copies * sqrt(u + b.floor);
}

/* The bound of the pair at v that shares so many columns. */
__device__ static float
low_of(const meeting &t, const float *v, int shared)
{
	const knng_shared_bound &b = t.bound;
	if (!t.filters)
		return 0;
	double n = v[KNNG_GAP_XY * t.plane], x2 = v[KNNG_GAP_XX * t.plane], y2 = v[KNNG_GAP_YY * t.plane];
	double x1 = b.centred ? v[KNNG_GAP_X * t.plane] : 0, y1 = b.centred ? v[KNNG_GAP_Y * t.plane] : 0;
	double low = b.normed ? low_normed(b, n, x2, y2, x1, y1, (double)shared) : low_plain(b, n, x2, y2);
	low = low > 0 ? low * low * (1 - 0x1p-40) : 0;
	return __double2float_rd(b.normed ? low : low * (b.d / (double)shared));
}

/* The bounds of a tile, in place of the first product: a thread for each reference, and ROWS queries. */
__global__ static void
__launch_bounds__(BLOCK) low_kernel(meeting t)
{
	int64_t first = (int64_t)blockIdx.y * ROWS, c = (int64_t)blockIdx.x * BLOCK + threadIdx.x, j = t.column0 + c;
	int shared[ROWS] = {};
	if (c >= t.nc)
		return;
	for (int64_t w = 0; w < t.words; w++) {
		uint32_t x = t.x.has[w * t.x.n + j];
		const uint32_t *y = t.y.has + w * t.y.n + t.row0 + first;
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			shared[r] += first + r < t.nr ? __popc(x & y[r]) : 0;
	}
#pragma unroll
	for (int r = 0; r < ROWS; r++) {
		float *v = t.v + (first + r) * t.width + c;
		if (first + r >= t.nr)
			break;
		bool may = shared[r] >= t.least && !(t.graph && t.row0 + first + r == j);
		*v = may ? low_of(t, v, shared[r]) : NO_PAIR;
	}
}

/* ---------------------------------------------------------------- lists */

__global__ static void
begin_kernel(meeting t)
{
	int64_t r = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
	if (r >= t.nr)
		return;
	t.found[r] = 0;
	t.taken[r] = 0;
	t.limit[r] = CUDART_INF;
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
	int found = t.found[r];
	double limit = t.limit[r];
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
			limit = (double)kth_bound(low, t.nc, t.k, &h);
	}
	if (threadIdx.x == 0)
		count = 0;
	__syncthreads();
	for (int64_t c = threadIdx.x; c < t.nc; c += BLOCK) {
		if (!(low[c] < NO_PAIR && (double)low[c] <= limit))
			continue;
		int at = found + atomicAdd(&count, 1);
		if (at < t.capacity) {
			t.column[r * t.capacity + at] = (int32_t)(t.column0 + c);
			low[c] = NO_PAIR;
		}
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		int room = (int)t.capacity - found;
		t.taken[r] = count < room ? count : room;
		if (count > 0)
			atomicOr(&t.count->some, 1);
	}
}

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

/* The canonical sum of rows x and y over the columns that both have, each prepared over these alone, by eight
 * neighbouring threads; NaN: one of the two is constant there (UNIT: zero). */
__device__ static double
prepared_sum(const meeting &t, const double *x, const double *y)
{
	double top[2] = {-CUDART_INF, -CUDART_INF}, bottom[2] = {CUDART_INF, CUDART_INF}, count = 0;
	int64_t lane = threadIdx.x % LANES;
	int means = t.prep == KNNG_PREP_CENTRED ? 2 : 0;
	for (int64_t l = lane; l < t.d; l += LANES) {
		double a = x[l], b = y[l];
		if (a != a || b != b)
			continue;
		top[0] = fmax(top[0], a);
		bottom[0] = fmin(bottom[0], a);
		top[1] = fmax(top[1], b);
		bottom[1] = fmin(bottom[1], b);
		count++;
	}
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
		for (int64_t l = lane; l < t.d; l += LANES)
			if (x[l] == x[l] && y[l] == y[l]) {
				sum[0] = __dadd_rn(sum[0], centred(r[0], x[l], m));
				sum[1] = __dadd_rn(sum[1], centred(r[1], y[l], m));
			}
		r[0].mean[m] = __ddiv_rn(tree8(sum[0]), count);
		r[1].mean[m] = __ddiv_rn(tree8(sum[1]), count);
	}
	double squares[2] = {0, 0}, minus = 0, plus = 0;
	for (int64_t l = lane; l < t.d; l += LANES)
		if (x[l] == x[l] && y[l] == y[l]) {
			double a = centred(r[0], x[l], means), b = centred(r[1], y[l], means);
			squares[0] = __fma_rn(a, a, squares[0]);
			squares[1] = __fma_rn(b, b, squares[1]);
		}
	r[0].length = __dsqrt_rn(tree8(squares[0]));
	r[1].length = __dsqrt_rn(tree8(squares[1]));
	for (int64_t l = lane; l < t.d; l += LANES)
		if (x[l] == x[l] && y[l] == y[l]) {
			double a = __ddiv_rn(centred(r[0], x[l], means), r[0].length);
			double b = __ddiv_rn(centred(r[1], y[l], means), r[1].length);
			minus = meet(KNNG_SUM_MINUS, minus, a, b);
			plus = meet(KNNG_SUM_PLUS, plus, a, b);
		}
	minus = tree8(minus);
	plus = tree8(plus);
	return none ? CUDART_NAN : t.sum == KNNG_SUM_PLUS || (t.sum == KNNG_SUM_EITHER && plus < minus) ? plus : minus;
}

/* The same of rows as they are; what they share stands for all columns. */
__device__ static double
plain_sum(const meeting &t, const double *x, const double *y)
{
	double sum = 0, count = 0;
	for (int64_t l = threadIdx.x % LANES; l < t.d; l += LANES)
		if (x[l] == x[l] && y[l] == y[l]) {
			sum = meet(t.sum, sum, x[l], y[l]);
			count++;
		}
	count = tree8(count);
	return __dmul_rn(tree8(sum), __ddiv_rn((double)t.d, count));
}

/* The distances of what queries have taken: a block for each query. */
__global__ static void
__launch_bounds__(BLOCK) distance_kernel(meeting t)
{
	int64_t r = blockIdx.x, list = r * t.capacity + t.found[r], taken = t.taken[r];
	int there = 0;
	const double *y = t.y.u + (t.row0 + r) * t.ld;
	for (int64_t p0 = 0; p0 < taken; p0 += PAIRS_AT_ONCE) {
		int64_t p = p0 + threadIdx.x / LANES;
		const double *x = t.x.u + t.column[list + (p < taken ? p : taken - 1)] * t.ld;
		double sum = t.prep == KNNG_PREP_NONE ? plain_sum(t, y, x) : prepared_sum(t, y, x);
		if (p >= taken || threadIdx.x % LANES != 0)
			continue;
		there += sum == sum;
		t.key[list + p] =
			sum != sum ? NO_ANSWER : (uint64_t)__double_as_longlong(map_on_device(t.map, sum) + 0.0);
	}
	if (there > 0)
		atomicAdd(&t.count->made, (unsigned long long)there);
}

/* The k nearest stay: a block for each query. */
__global__ static void
__launch_bounds__(BLOCK) keep_kernel(meeting t)
{
	__shared__ histogram h;
	int64_t r = blockIdx.x, n = t.found[r] + t.taken[r];
	lists l = {};
	place last = {NO_ANSWER, 0};
	if (t.taken[r] == 0)
		return;
	l.key = t.key;
	l.column = t.column;
	l.capacity = t.capacity;
	if (n >= t.k)
		last = block_select(t.key + r * t.capacity, t.column + r * t.capacity, n, t.k, 8, true, false, &h);
	int64_t kept = keep(l, r, n, [&](uint64_t key, int32_t column, int64_t) {
		return key != NO_ANSWER && (key < last.key || (key == last.key && column <= last.column));
	});
	if (threadIdx.x != 0)
		return;
	t.found[r] = (int32_t)kept;
	t.taken[r] = 0;
	if (kept == t.k)
		t.limit[r] = ldexp(knng_radius_of(t.map, t.d, __longlong_as_double((long long)last.key)), t.shift);
}

/* The neighbours of queries [first, first + count), as the host has them. */
__global__ static void
pairs_kernel(meeting t, int64_t first, int64_t count, knng_pair *to)
{
	int64_t at = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
	if (at >= count * t.k)
		return;
	int64_t from = (first + at / t.k) * t.capacity + at % t.k;
	bool there = at % t.k < t.found[first + at / t.k];
	to[at].distance = there ? __longlong_as_double((long long)t.key[from]) : CUDART_NAN;
	to[at].index = there ? t.column[from] : -1;
}

/* ---------------------------------------------------------------- a search */

template <typename T>
static copies<T>
carve_copies(session *s, int64_t numbers)
{
	copies<T> c;
	for (T **part : {&c.y, &c.square, &c.mask})
		*part = (T *)device_carve(s, numbers * (int64_t)sizeof(T));
	return c;
}

static gap_rows
carve_rows(session *s, const knng_plan *plan, int64_t n)
{
	gap_rows rows = {};
	int64_t numbers = plan->filters ? n * across(plan->x.d) : 0;
	rows.n = n;
	rows.u = (double *)device_carve(s, n * plan->ld * 8);
	rows.has = (uint32_t *)device_carve(s, n * words_of(plan->x.d) * 4);
	rows.alone = (uint8_t *)device_carve(s, n);
	rows.half = carve_copies<__half>(s, numbers);
	rows.single = carve_copies<float>(s, numbers);
	return rows;
}

static knng_status
ship(const knng_gap_search *g, const gap_unit *unit, const gap_rows *to, const knng_gap_rows *from, knng_err *err)
{
	int device = unit->device;
	int64_t d = g->plan->x.d, ld = g->plan->ld;
	knng_status status = KNNG_OK;
	TRY(cudaMemcpyAsync(to->u, from->u, (size_t)(from->n * ld * 8), cudaMemcpyHostToDevice, unit->s->make));
	TRY(cudaMemcpyAsync(to->alone, from->alone, (size_t)from->n, cudaMemcpyHostToDevice, unit->s->make));
	copy_kernel<<<(unsigned)from->n, BLOCK, 0, unit->s->make>>>(*to, g->filters, g->scale.normed, g->scale.centred,
								    unit->centre, g->scale.exponent, d, ld, across(d));
	TRY_LAUNCH();
out:
	return status;
}

static knng_status
unit_open(gap_state *c, gap_unit *unit, knng_err *err)
{
	const knng_plan *plan = c->g.plan;
	int device = unit->device;
	double most = plan->opt.max_device_memory - LIBRARY_BYTES;
	int64_t limit = plan->opt.max_device_memory > 0 && most < 1e18 ? (int64_t)most : INT64_MAX, tile = plan->tile;
	knng_status status = device_open(device, (int64_t)plan->device_bytes - LIBRARY_BYTES, limit, err);
	if (status != KNNG_OK)
		return status;
	unit->s = device_session(device);
	unit->v = (float *)device_carve(unit->s, tile_bytes(plan, tile));
	if (plan->filters) {
		char *room[] = {(char *)unit->v, (char *)unit->v + BUFFER_BYTES};
		if ((status = tensor_check(device, room, err)) != KNNG_OK)
			return status;
		TRY_BLAS(cublasSetMathMode(unit->s->blas, PRODUCTS_MODE));
	}
	unit->x = carve_rows(unit->s, plan, plan->x.n);
	unit->y = plan->y.data == NULL ? unit->x : carve_rows(unit->s, plan, plan->y.n);
	unit->centre = (double *)device_carve(unit->s, plan->ld * 8);
	unit->key = (uint64_t *)device_carve(unit->s, tile * plan->capacity * 8);
	unit->column = (int32_t *)device_carve(unit->s, tile * plan->capacity * 4);
	unit->found = (int32_t *)device_carve(unit->s, tile * 4);
	unit->taken = (int32_t *)device_carve(unit->s, tile * 4);
	unit->limit = (double *)device_carve(unit->s, tile * 8);
	unit->count = (counters *)device_carve(unit->s, sizeof(counters));
	TRY(cudaMemcpyAsync(unit->centre, c->g.scale.centre, (size_t)plan->ld * 8, cudaMemcpyHostToDevice,
			    unit->s->make));
	status = ship(&c->g, unit, &unit->x, &c->g.x, err);
	if (status == KNNG_OK && plan->y.data != NULL)
		status = ship(&c->g, unit, &unit->y, &c->g.y, err);
	if (status == KNNG_OK)
		TRY(cudaStreamSynchronize(unit->s->make));
out:
	return status;
}

static knng_status
open_job(void *context, int, int64_t job, knng_err *err)
{
	gap_state *c = (gap_state *)context;
	return unit_open(c, &c->units[job], err);
}

knng_status
gaps_open(const knng_gap_search *g, void **state, knng_info *info, knng_err *err)
{
	knng_task task = *g->task;
	gap_state *c = (gap_state *)host->alloc(1, sizeof *c);
	if (c == NULL)
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
	memset(c, 0, sizeof *c);
	*state = c;
	c->g = *g;
	/* cuBLAS may take subnormal numbers for 0: no element, product or sum of (12.3) loses more than that. */
	c->g.bound.tiny = (double)g->plan->x.d * 0x1p-120;
	c->n = g->plan->ndevices;
	for (int i = 0; i < c->n; i++)
		c->units[i].device = g->plan->devices[i];
	c->halves = g->filters && g->by_halves;
	knng_status status = host->run(&task, c->n, c->n, open_job, c, err);
	for (int i = 0; i < c->n && status == KNNG_OK; i++) {
		const gap_unit *unit = &c->units[i];
		double excess = g->filters ? tensor_excess(unit->device) : 0;
		info->device_peak = fmax(info->device_peak, (double)unit->s->used + (double)unit->s->library_bytes);
		if (excess > 0) {
			c->halves = false;
			snprintf(info->skipped, sizeof info->skipped,
				 "GPU %d: rows with missing values are multiplied in single precision: its "
				 "half-precision "
				 "products err by %.3g times the proven bound",
				 unit->device + 1, excess);
		}
	}
	return status;
}

void
gaps_close(void *state)
{
	gap_state *c = (gap_state *)state;
	for (int i = 0; c != NULL && i < c->n; i++)
		if (c->units[i].s != NULL && c->units[i].s->ready) {
			cudaSetDevice(c->units[i].device);
			cudaStreamSynchronize(c->units[i].s->make);
			cudaGetLastError();
		}
	host->free(c);
}

/* The factors of a product. */
template <typename T> struct factors {
	const T *left, *right;
};

template <typename T>
static factors<T>
factors_of(const copies<T> &y, const copies<T> &x, int product)
{
	factors<T> f;
	f.left = product == KNNG_GAP_XX ? y.square : product == KNNG_GAP_YY || product == KNNG_GAP_Y ? y.mask : y.y;
	f.right = product == KNNG_GAP_YY ? x.square : product == KNNG_GAP_XX || product == KNNG_GAP_X ? x.mask : x.y;
	return f;
}

/* The products of a tile, of halves. */
static knng_status
multiply_halves(const meeting *t, const gap_unit *unit, knng_err *err)
{
	int device = unit->device;
	int64_t width = across(t->d);
	knng_status status = KNNG_OK;
	for (int p = 0; p < knng_gap_products(&t->bound); p++) {
		factors<__half> f = factors_of(t->y.half, t->x.half, p);
		TRY_BLAS(product_of_halves(unit->s->blas, f.right + t->column0 * width, f.left + t->row0 * width, t->nc,
					   t->nr, width, t->v + p * t->plane, CUDA_R_32F, t->width));
	}
out:
	return status;
}

/* The same of copies in single precision. */
static knng_status
multiply(const meeting *t, const gap_unit *unit, knng_err *err)
{
	int device = unit->device;
	const float one = 1, zero = 0;
	int64_t width = across(t->d), part = up_to(t->bound.slice, 8); /* of d / 512, rounded up, slices: up to 512 */
	knng_status status = KNNG_OK;
	for (int p = 0; p < knng_gap_products(&t->bound); p++) {
		factors<float> f = factors_of(t->y.single, t->x.single, p);
		for (int64_t l = 0; l < width; l += part)
			TRY_BLAS(cublasGemmEx(unit->s->blas, CUBLAS_OP_T, CUBLAS_OP_N, (int)t->nc, (int)t->nr,
					      (int)(width - l < part ? width - l : part), &one,
					      f.right + t->column0 * width + l, CUDA_R_32F, (int)width,
					      f.left + t->row0 * width + l, CUDA_R_32F, (int)width,
					      l > 0 ? &one : &zero, t->v + p * t->plane, CUDA_R_32F, (int)t->width,
					      CUBLAS_COMPUTE_32F_PEDANTIC, CUBLAS_GEMM_DEFAULT));
	}
out:
	return status;
}

static meeting
meeting_of(const gap_state *c, const gap_unit *unit, int64_t first, int64_t count)
{
	const knng_plan *plan = c->g.plan;
	meeting t = {};
	t.prep = plan->metric->prep;
	t.sum = plan->metric->sum;
	t.map = plan->metric->map;
	t.x = unit->x;
	t.y = unit->y;
	t.graph = plan->y.data == NULL;
	t.filters = c->g.filters;
	t.shift = c->g.scale.normed ? 0 : -2 * c->g.scale.exponent;
	t.d = plan->x.d;
	t.ld = plan->ld;
	t.words = words_of(plan->x.d);
	t.least = plan->least_shared;
	t.k = plan->k;
	t.capacity = plan->capacity;
	t.row0 = first;
	t.nr = count;
	t.width = plan->tile;
	t.plane = plan->tile * plan->tile;
	t.v = unit->v;
	t.key = unit->key;
	t.column = unit->column;
	t.found = unit->found;
	t.taken = unit->taken;
	t.limit = unit->limit;
	t.count = unit->count;
	return t;
}

/* A tile: until no list takes anything. *made: the canonical distances of the block so far. */
static knng_status
meet_tile(const gap_state *c, const gap_unit *unit, const meeting *t, int64_t *made, knng_err *err)
{
	int device = unit->device;
	cudaStream_t stream = unit->s->make;
	counters now = {};
	knng_status status = KNNG_OK;
	if (t->filters)
		status = t->halves ? multiply_halves(t, unit, err) : multiply(t, unit, err);
	if (status != KNNG_OK)
		return status;
	low_kernel<<<dim3(up(t->nc, BLOCK), up(t->nr, ROWS)), BLOCK, 0, stream>>>(*t);
	TRY_LAUNCH();
	do {
		if ((status = host->poll(c->g.task, err)) != KNNG_OK)
			return status;
		TRY(cudaMemsetAsync(&t->count->some, 0, sizeof now.some, stream));
		take_kernel<<<(unsigned)t->nr, BLOCK, 0, stream>>>(*t);
		TRY_LAUNCH();
		distance_kernel<<<(unsigned)t->nr, BLOCK, 0, stream>>>(*t);
		TRY_LAUNCH();
		keep_kernel<<<(unsigned)t->nr, BLOCK, 0, stream>>>(*t);
		TRY_LAUNCH();
		TRY(cudaMemcpyAsync(&now, t->count, sizeof now, cudaMemcpyDeviceToHost, stream));
		TRY(cudaStreamSynchronize(stream));
	} while (now.some != 0);
	*made = (int64_t)now.made;
out:
	return status;
}

knng_status
gaps_meet(void *state, int which, int64_t first, int64_t count, knng_pair *near, int32_t *found, int64_t *made,
	  knng_err *err)
{
	gap_state *c = (gap_state *)state;
	const gap_unit *unit = &c->units[which];
	const knng_plan *plan = c->g.plan;
	int device = unit->device;
	cudaStream_t stream = unit->s->make;
	meeting t = meeting_of(c, unit, first, count);
	int64_t rows = tile_bytes(plan, plan->tile) / (t.k * (int64_t)sizeof(knng_pair));
	int64_t before = 0, now = 0;
	knng_status status = KNNG_OK;
	TRY(cudaSetDevice(device));
	TRY(cudaMemsetAsync(unit->count, 0, sizeof *unit->count, stream));
	begin_kernel<<<up(count, BLOCK), BLOCK, 0, stream>>>(t);
	TRY_LAUNCH();
	for (t.column0 = 0; t.column0 < plan->x.n && status == KNNG_OK; t.column0 += plan->tile) {
		t.nc = plan->x.n - t.column0 < plan->tile ? plan->x.n - t.column0 : plan->tile;
		t.halves = __atomic_load_n(&c->halves, __ATOMIC_RELAXED);
		t.bound = t.halves ? c->g.halves : c->g.bound;
#ifdef KNNG_PLANT_LOW /* what the tests must find: no room for what copies and sums lose */
		t.bound.sums = t.bound.copies = 0;
#endif
		status = meet_tile(c, unit, &t, &now, err);
		if (now - before > count * (4 * t.k + FREE_PLACES / 2))
			__atomic_store_n(&c->halves, false, __ATOMIC_RELAXED);
		before = now;
	}
	for (int64_t r = 0; r < count && status == KNNG_OK; r += rows) {
		int64_t some = count - r < rows ? count - r : rows;
		pairs_kernel<<<up(some * t.k, BLOCK), BLOCK, 0, stream>>>(t, r, some, (knng_pair *)t.v);
		TRY_LAUNCH();
		TRY(cudaMemcpyAsync(near + r * t.k, t.v, (size_t)(some * t.k) * sizeof *near, cudaMemcpyDeviceToHost,
				    stream));
	}
	if (status == KNNG_OK) {
		TRY(cudaMemcpyAsync(found, t.found, (size_t)count * sizeof *found, cudaMemcpyDeviceToHost, stream));
		TRY(cudaStreamSynchronize(stream));
		*made += now;
	}
out:
	return status;
}
