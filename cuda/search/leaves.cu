/* leaves.cu  Rows in leaves of a tree, each leaf in a box, and queries that leave out the boxes which are too far
 * (docs/canonical.md, 10).
 *
 * Every node is cut in half where some of its rows are spread most: all nodes of a depth are sorted at once, by node
 * and by the element that counts there. A warp takes queries that are neighbours through the tree together, one a lane:
 * first to the leaf of the one in their midst, then up from there, the nearer half first. A node is passed over when no
 * lane may need it. What is computed of a leaf is the canonical distance itself, and every lane keeps a heap of its k
 * best with the last on top. */
#include "cuda/search/leaves.h"

#include <cub/device/device_radix_sort.cuh>
#include <math_constants.h>

enum {
	THREADS = 256,
	WIDEST = 176,          /* columns: the queries of a group lie in shared memory */
	SHARED_MOST = 48 << 10 /* bytes that every device has */
};

int
boxes_wide(int64_t d)
{
	return d <= 2 ? 2 : d <= 4 ? (int)d : d <= 6 ? 6 : (int)((d + 7) / 8 * 8);
}

bool
boxes_fit(int64_t d, int64_t k)
{
	return d <= WIDEST && k >= 1 && k <= 1024;
}

/* ---------------------------------------------------------------- the tree */

/* The node of a depth in which row i lies. */
__device__ static inline int64_t
node_of(int64_t n, int depth, int64_t i)
{
	return (((i + 1) << depth) - 1) / n;
}

/* The bits of a number, in its order. */
__device__ static inline uint32_t
ordered(float x)
{
	uint32_t bits = __float_as_uint(x);
	return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/* How many neighbouring lanes take columns that are neighbours, so that they read a row together: a power of two. */
__host__ __device__ static inline int
across(int64_t columns)
{
	int lanes = 1;
	while (lanes < WARP && lanes < columns)
		lanes *= 2;
	return lanes;
}

/* A block a node: the column in which some of its rows are spread most. Lanes that have one column share its rows. */
__global__ static void
axis_kernel(boxes b, prepared u, int depth)
{
	enum { SPREAD = 64 }; /* rows */
	__shared__ int64_t row[SPREAD];
	__shared__ double most_of[THREADS / WARP];
	__shared__ int axis_of[THREADS / WARP];
	int64_t at = blockIdx.x, first = first_of(b.n, depth, at), count = first_of(b.n, depth, at + 1) - first;
	int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, lanes = across(b.d), shares = WARP / lanes;
	int axis = 0;
	double most = -1;
	int some = count < SPREAD ? (int)count : (int)SPREAD;
	for (int e = threadIdx.x; e < some; e += blockDim.x)
		row[e] = (int64_t)b.place[0][first + e * count / some] * u.ld;
	__syncthreads();
	for (int from = warp * lanes; from < b.d; from += (int)blockDim.x / shares) {
		int c = from + lane % lanes < b.d ? from + lane % lanes : b.d - 1;
		double from_there = number_of(u, row[0] + c);
		float x[SPREAD]; /* rows are sorted by such numbers */
		double mean = 0, spread = 0;
#pragma unroll
		for (int e = 0; e < SPREAD; e++)
			x[e] = e < some && e % shares == lane / lanes ? (float)(number_of(u, row[e] + c) - from_there)
								      : 0;
#pragma unroll
		for (int e = 0; e < SPREAD; e++)
			mean += (double)x[e];
		for (int step = lanes; step < WARP; step *= 2)
			mean += __shfl_xor_sync(ALL, mean, step);
		mean /= some;
#pragma unroll
		for (int e = 0; e < SPREAD; e++) {
			double away = e < some && e % shares == lane / lanes ? (double)x[e] - mean : 0;
			spread += away * away;
		}
		for (int step = lanes; step < WARP; step *= 2)
			spread += __shfl_xor_sync(ALL, spread, step);
		axis = spread > most ? c : axis;
		most = spread > most ? spread : most;
	}
	for (int step = WARP / 2; step > 0; step /= 2) {
		double other = __shfl_xor_sync(ALL, most, step);
		int its = __shfl_xor_sync(ALL, axis, step);
		axis = other > most || (other == most && its < axis) ? its : axis;
		most = other > most ? other : most;
	}
	if (lane == 0) {
		most_of[warp] = most;
		axis_of[warp] = axis;
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		for (int w = 1; w < (int)blockDim.x / WARP; w++)
			if (most_of[w] > most) {
				most = most_of[w];
				axis = axis_of[w];
			}
		b.axis[((int64_t)1 << depth) + at] = axis;
		b.cut[((int64_t)1 << depth) + at] = number_of(u, row[0] + axis); /* until it is cut */
	}
}

__global__ static void
first_kernel(uint32_t *place, int64_t n)
{
	int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (i < n)
		place[i] = (uint32_t)i;
}

__global__ static void
key_kernel(boxes b, prepared u, int depth)
{
	int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (i >= b.n)
		return;
	int64_t at = node_of(b.n, depth, i);
	int64_t node = ((int64_t)1 << depth) + at;
	double x = number_of(u, (int64_t)b.place[0][i] * u.ld + b.axis[node]) - b.cut[node];
	b.key[0][i] = (uint64_t)at << 32 | ordered((float)x);
}

/* A thread a number of a row. */
__global__ static void
fill_kernel(boxes b, prepared u)
{
	int64_t e = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, i = e / b.wide;
	int c = (int)(e % b.wide);
	if (i >= b.n)
		return;
	b.rows[e] = c < b.d ? number_of(u, (int64_t)b.order[i] * u.ld + c) : 0;
}

/* A thread a column of a leaf. */
__global__ static void
leaf_kernel(boxes b)
{
	int64_t e = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, leaf = e / b.wide, leaves = (int64_t)1 << b.depth;
	int c = (int)(e % b.wide);
	if (leaf >= leaves)
		return;
	int64_t first = first_of(b.n, b.depth, leaf), end = first_of(b.n, b.depth, leaf + 1) - PLANTED("box");
	double low = b.rows[first * b.wide + c], high = low;
	for (int64_t i = first + 1; i < end; i++) {
		low = fmin(low, b.rows[i * b.wide + c]);
		high = fmax(high, b.rows[i * b.wide + c]);
	}
	double *box = b.box + (leaves + leaf) * 2 * b.wide;
	box[c] = low;
	box[b.wide + c] = high;
}

/* A thread a column of a node of a depth, whose children have their boxes. */
__global__ static void
node_kernel(boxes b, int depth)
{
	int64_t e = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, nodes = (int64_t)1 << depth;
	int64_t node = nodes + e / b.wide;
	int c = (int)(e % b.wide);
	if (node >= 2 * nodes)
		return;
	double *box = b.box + node * 2 * b.wide;
	const double *left = b.box + 2 * node * 2 * b.wide, *right = left + 2 * b.wide;
	box[c] = fmin(left[c], right[c]);
	box[b.wide + c] = fmax(left[b.wide + c], right[b.wide + c]);
	if (c == b.axis[node])
		b.cut[node] = left[b.wide + c];
}

static unsigned
grid_of(int64_t threads)
{
	return (unsigned)((threads + THREADS - 1) / THREADS);
}

/* Pairs (key, place) by the first bits of the keys; the sorted ones are b->key[0], b->place[0] afterwards. Asks for the
 * room, where b->temporary is NULL. */
static cudaError_t
sort_pairs(boxes *b, int64_t count, int bits, size_t *bytes, cudaStream_t stream)
{
	cub::DoubleBuffer<uint64_t> keys(b->key[0], b->key[1]);
	cub::DoubleBuffer<uint32_t> places(b->place[0], b->place[1]);
	cudaError_t error = cub::DeviceRadixSort::SortPairs(b->temporary, *bytes, keys, places, count, 0, bits, stream);
	if (error != cudaSuccess || b->temporary == NULL || keys.Current() == b->key[0])
		return error;
	uint64_t *key = b->key[0];
	uint32_t *place = b->place[0];
	b->key[0] = b->key[1];
	b->key[1] = key;
	b->place[0] = b->place[1];
	b->place[1] = place;
	return error;
}

/* What sorting takes beside the pairs: a 20th of this, as CUB has it today. */
int64_t
boxes_temporary(int64_t count)
{
	return 4 * count + (4 << 20);
}

static cudaError_t
has_room(boxes *b, int64_t count)
{
	boxes ask = *b;
	size_t bytes = 0;
	ask.temporary = NULL;
	cudaError_t error = sort_pairs(&ask, count, 64, &bytes, 0);
	return error == cudaSuccess && (int64_t)bytes > b->temporary_bytes ? cudaErrorMemoryAllocation : error;
}

cudaError_t
launch_boxes(boxes b, prepared u, cudaStream_t stream)
{
	size_t bytes = (size_t)b.temporary_bytes;
	int threads = b.d <= WARP ? (int)WARP : b.d >= THREADS ? (int)THREADS : (b.d + WARP - 1) / WARP * WARP;
	cudaError_t error = has_room(&b, b.n);
	first_kernel<<<grid_of(b.n), THREADS, 0, stream>>>(b.place[0], b.n);
	for (int depth = 0; depth < b.depth && error == cudaSuccess; depth++) {
		axis_kernel<<<(unsigned)1 << depth, threads, 0, stream>>>(b, u, depth);
		key_kernel<<<grid_of(b.n), THREADS, 0, stream>>>(b, u, depth);
		error = sort_pairs(&b, b.n, 32 + depth, &bytes, stream);
	}
	if (error == cudaSuccess)
		error = cudaMemcpyAsync(b.order, b.place[0], (size_t)b.n * 4, cudaMemcpyDeviceToDevice, stream);
	return error == cudaSuccess ? launch_fill(b, u, stream) : error;
}

cudaError_t
launch_fill(boxes b, prepared u, cudaStream_t stream)
{
	fill_kernel<<<grid_of(b.n * b.wide), THREADS, 0, stream>>>(b, u);
	leaf_kernel<<<grid_of(((int64_t)1 << b.depth) * b.wide), THREADS, 0, stream>>>(b);
	for (int depth = b.depth - 1; depth >= 0; depth--)
		node_kernel<<<grid_of(((int64_t)1 << depth) * b.wide), THREADS, 0, stream>>>(b, depth);
	return cudaGetLastError();
}

/* ---------------------------------------------------------------- the order of queries */

/* A thread a query: the leaf in which it lies, or, of PLUS, what lies opposite of it. */
__global__ static void
find_kernel(boxes b, double sign, prepared u, int64_t count)
{
	int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, leaves = (int64_t)1 << b.depth, node = 1;
	if (i >= count)
		return;
	while (node < leaves)
		node = 2 * node + (sign * number_of(u, i * u.ld + b.axis[node]) > b.cut[node]);
	b.key[0][i] = (uint64_t)(node - leaves);
	b.place[0][i] = (uint32_t)i;
}

cudaError_t
launch_order(boxes b, knng_sum sum, prepared u, int64_t count, uint32_t **order, cudaStream_t stream)
{
	size_t bytes = (size_t)b.temporary_bytes;
	cudaError_t error = has_room(&b, count);
	if (error != cudaSuccess)
		return error;
	find_kernel<<<grid_of(count), THREADS, 0, stream>>>(b, sum == KNNG_SUM_PLUS ? -1 : 1, u, count);
	error = sort_pairs(&b, count, b.depth > 0 ? b.depth : 1, &bytes, stream);
	*order = b.place[0];
	return error;
}

/* ---------------------------------------------------------------- does it gain? */

/* The sum of a query and a row, of a warp's lanes that are neighbours. */
__device__ static double
look_at(knng_sum sum, prepared u, int64_t q, prepared others, int64_t row, int lane, int lanes)
{
	bool either = sum == KNNG_SUM_EITHER;
	double a = 0, opposite = either ? 0 : CUDART_INF;
#pragma unroll 4
	for (int64_t f = lane; f < u.ld; f += lanes) {
		double x = number_of(u, q * u.ld + f), y = number_of(others, row * u.ld + f);
		a = meet(either ? KNNG_SUM_MINUS : sum, a, x, y);
		opposite = either ? meet(KNNG_SUM_PLUS, opposite, x, y) : CUDART_INF;
	}
	for (int half = lanes / 2; half > 0; half /= 2) {
		double its = __shfl_xor_sync(ALL, a, half);
		a = sum == KNNG_SUM_LINF ? fmax(a, its) : a + its;
		opposite += __shfl_xor_sync(ALL, opposite, half);
	}
	return fmin(a, opposite);
}

/* Blocks y = 0 … GLANCES - 1 share the rows that a query looks at, and lanes that are neighbours a row. They look again
 * for the geometric mean of their sums, which a few far rows do not change much, and again when they know it. */
__global__ static void
look_kernel(knng_sum sum, prepared u, int64_t m, prepared others, int64_t n, int64_t split, bool graph, int64_t some,
	    double *found)
{
	__shared__ double least[THREADS], total[THREADS];
	int64_t i = blockIdx.x, q = look_query(m, (int)i), before = split > 0 && q < split ? split : 0;
	int64_t rows_there = before > 0 ? n - split : split > 0 ? split : n, step = rows_there / some;
	int64_t from = before + i * 7 % step;
	int t = threadIdx.x, lanes = across(u.ld / 4), rows = THREADS / lanes;
	double limit = -CUDART_INF;
	found += GLANCED * (i * GLANCES + blockIdx.y);
	for (int look = 0; look < GLANCED; look++) {
		least[t] = CUDART_INF;
		total[t] = 0;
		for (int64_t e0 = blockIdx.y * rows; e0 < some; e0 += GLANCES * rows) {
			int64_t e = e0 + t / lanes, row = from + (e < some ? e : e0) * step;
			double a = look_at(sum, u, q, others, row, t % lanes, lanes);
			if (t % lanes > 0 || e >= some || (graph && row == q))
				continue;
			least[t] = look == 0 ? fmin(least[t], a) : least[t];
			a = look == 0 ? a : look == 1 ? log(fmax(a, 0x1p-1000)) : (double)(a <= limit);
			total[t] += a / (double)some;
		}
		for (int width = THREADS / 2; width > 0; width /= 2) {
			__syncthreads();
			if (t < width) {
				least[t] = fmin(least[t], least[t + width]);
				total[t] += total[t + width];
			}
		}
		__syncthreads();
		if (t == 0 && look == 0) {
			found[0] = least[0];
			found[1] = total[0];
		}
		if (t == 0 && look == 2)
			found[2] = total[0];
		limit = NEXT_TO * exp(GLANCES * total[0]);
		__syncthreads();
	}
}

void
launch_look(knng_sum sum, prepared u, int64_t m, prepared others, int64_t n, int64_t split, bool graph, int64_t some,
	    double *found, cudaStream_t stream)
{
	look_kernel<<<dim3(LOOKING, GLANCES), THREADS, 0, stream>>>(sum, u, m, others, n, split, graph, some, found);
}

/* ---------------------------------------------------------------- through the tree */

/* The k best of a lane: a heap with the last on top. Entries lie `step` apart. */
typedef struct {
	uint64_t *key;
	int32_t *column;
	int step;
	int k, have;
} heap;

__device__ static inline bool
before(uint64_t key, int32_t column, uint64_t other, int32_t than)
{
	return key < other || (key == other && column < than);
}

/* Lets an entry sink from the top of the first n to its place. */
__device__ static inline void
sink_top(const heap &h, int n, uint64_t key, int32_t column)
{
	int at = 0;
	for (int child; (child = 2 * at + 1) < n; at = child) {
		uint64_t next = h.key[child * h.step];
		int32_t its = h.column[child * h.step];
		if (child + 1 < n) {
			uint64_t other = h.key[(child + 1) * h.step];
			int32_t that = h.column[(child + 1) * h.step];
			if (before(next, its, other, that)) {
				next = other;
				its = that;
				child++;
			}
		}
		if (!before(key, column, next, its))
			break;
		h.key[at * h.step] = next;
		h.column[at * h.step] = its;
	}
	h.key[at * h.step] = key;
	h.column[at * h.step] = column;
}

/* An entry more, or in place of the last if it comes before that. */
__device__ static inline void
put(heap *h, uint64_t key, int32_t column)
{
	if (h->have == h->k) {
		if (before(key, column, h->key[0], h->column[0]))
			sink_top(*h, h->k, key, column);
		return;
	}
	int at = h->have++;
	for (int up; at > 0; at = up) {
		up = (at - 1) / 2;
		if (!before(h->key[up * h->step], h->column[up * h->step], key, column))
			break;
		h->key[at * h->step] = h->key[up * h->step];
		h->column[at * h->step] = h->column[up * h->step];
	}
	h->key[at * h->step] = key;
	h->column[at * h->step] = column;
}

__device__ static inline void
put_in_order(const heap &h)
{
	for (int n = h.have; n > 1;) {
		n--;
		uint64_t key = h.key[n * h.step];
		int32_t column = h.column[n * h.step];
		h.key[n * h.step] = h.key[0];
		h.column[n * h.step] = h.column[0];
		sink_top(h, n, key, column);
	}
}

/* A query: D numbers in registers, or, of more than eight, in shared memory, a warp's width apart. */
template <int D> struct query {
	double q[D > 0 ? D : 1];
	const double *all;
	__device__ double number(int l) const
	{
		return D > 0 ? q[D > 0 ? l % (D > 0 ? D : 1) : 0] : all[l * WARP];
	}
};

/* The sum of a query and a row. */
template <knng_sum SUM, int D>
__device__ static inline double
sum_with(const query<D> &q, const double *row, int wide)
{
	sums<SUM> s[8] = {};
	if (D > 0) {
#pragma unroll
		for (int l = 0; l < D; l++)
			take<SUM>(&s[l], q.number(l), row[l]);
	} else {
		for (int f = 0; f < wide; f += 8)
#pragma unroll
			for (int l = 0; l < 8; l++)
				take<SUM>(&s[l], q.number(f + l), row[f + l]);
	}
	return joined<SUM, D>(s);
}

/* No sum with a row in the box is less. */
template <knng_sum SUM, int D>
__device__ static inline double
bound_of(const query<D> &q, const double *box, int wide)
{
	sums<SUM> s[8] = {};
	if (D > 0) {
#pragma unroll
		for (int l = 0; l < D; l++)
			take_gap<SUM>(&s[l], q.number(l), box[l], box[D + l]);
	} else {
		for (int f = 0; f < wide; f += 8)
#pragma unroll
			for (int l = 0; l < 8; l++)
				take_gap<SUM>(&s[l], q.number(f + l), box[f + l], box[wide + f + l]);
	}
	return joined<SUM, D>(s);
}

/* What a group has in shared memory, in doubles: its middle, queries, the rows of a leaf and their points, lists. */
typedef struct {
	int queries, rows, points, lists, all;
} shares;

__host__ __device__ static inline shares
shares_of(int wide, int64_t k)
{
	shares s;
	s.queries = wide;
	s.rows = s.queries + (wide > 8 ? wide * WARP : 0);
	s.points = s.rows + (wide <= STAGED ? wide * LEAF : 0);
	s.lists = s.points + LEAF / 2;
	int64_t all = s.lists + k * WARP / 2 * 3;
	if (all * 8 > SHARED_MOST) /* they lie where the answers go */
		all = s.lists;
	s.all = (int)all;
	return s;
}

/* The queries of a warp, one a lane. */
template <knng_sum SUM, int D> struct group {
	const boxes &b;
	const visiting &s;
	query<D> q;
	heap h;
	double limit; /* the largest sum that can still matter; negative: a lane without a query */
	int32_t point;
	double *middle, *rows; /* rows: room for those of a leaf, or NULL */
	int32_t *points;
	int64_t visits, compared;
	int count;

	/* The distances to the rows of a leaf. */
	__device__ void visit(int64_t leaf)
	{
		int lane = threadIdx.x, wide = D > 0 ? D : b.wide;
		int64_t first = first_of(b.n, b.depth, leaf);
		int some = (int)(first_of(b.n, b.depth, leaf + 1) - first);
		const double *row = b.rows + first * wide;
		__syncwarp(); /* all lanes are done with the leaf before */
		if (lane < some)
			points[lane] = b.order[first + lane];
		if (rows != NULL) {
			for (int e = lane; e < some * wide; e += WARP)
				rows[e] = row[e];
			row = rows;
		}
		if (!PLANTED("leaf"))
			__syncwarp();
		uint32_t near = 0;
		for (int e = 0; e < some; e++)
			near |= (uint32_t)(sum_with<SUM, D>(q, row + e * wide, wide) <= limit) << e;
		if (s.split > 0) { /* those of the own side are many, maybe */
			unsigned firsts = __ballot_sync(ALL, lane < some && points[lane] < s.split);
			near &= point < s.split ? ~firsts : firsts;
		}
		for (; near != 0; near &= near - 1) {
			int e = __ffs((int)near) - 1;
			double sum = sum_with<SUM, D>(q, row + e * wide, wide);
			if (sum > limit || is_left_out(s, point, points[e]))
				continue;
			double distance = map_on_device(s.map, sum) + 0.0;
			put(&h, (uint64_t)__double_as_longlong(distance), points[e]);
			if (h.have == h.k)
				limit = fmin(limit, limit_of(s.map, __longlong_as_double((long long)h.key[0])));
		}
		if (PLANTED("near")) {
			double other = __shfl_xor_sync(ALL, limit, 1);
			limit = limit < 0 || other < 0 ? limit : other;
		}
		visits++;
		compared += some * count;
	}

	/* Which child of a node lies with the middle. */
	__device__ int64_t nearer(int64_t node) const
	{
		return 2 * node + (middle[b.axis[node]] > b.cut[node]);
	}

	/* Whether some lane may need what lies below a node. */
	__device__ bool needs(int64_t node) const
	{
		int wide = D > 0 ? D : b.wide;
		double bound = bound_of<SUM, D>(q, b.box + node * 2 * wide, wide);
		return __ballot_sync(ALL, bound <= limit) != 0;
	}
};

/* All leaves below a node that some query of a group may need, the nearer half first. Lane i holds place i of the
 * stack. */
template <typename T>
__device__ static inline void
descend(T &g, const boxes &b, int64_t most, int64_t top)
{
	int lane = threadIdx.x, high = 1;
	int32_t stack = (int32_t)top;
	while (high > 0 && g.visits <= most) {
		int64_t node = __shfl_sync(ALL, stack, --high);
		if (!g.needs(node))
			continue;
		if (node >> b.depth != 0) {
			g.visit(node - ((int64_t)1 << b.depth));
			continue;
		}
		int32_t near = (int32_t)g.nearer(node);
		stack = lane == high ? near ^ 1 : lane == high + 1 ? near : stack;
		high += 2;
	}
}

/* A warp a group. */
template <knng_sum SUM, int D>
__global__ static void
visits_kernel(boxes b, visiting s)
{
	extern __shared__ double room[];
	int lane = threadIdx.x, wide = D > 0 ? D : b.wide;
	shares of = shares_of(wide, s.k);
	int64_t first = s.first + blockIdx.x * s.step;
	int count = (int)(s.end - first < s.together ? s.end - first : s.together);
	bool mine = lane < count;
	bool shared = of.all > of.lists;
	int64_t k = s.k;
	group<SUM, D> g = {b, s};
	g.count = count;
	g.point = s.points[first + (mine ? lane : count - 1)];
	int64_t row = s.in_place ? g.point : (int64_t)blockIdx.x * s.together + lane;
	g.middle = room;
	g.rows = wide <= STAGED ? room + of.rows : NULL;
	g.points = (int32_t *)(room + of.points);
	g.limit = mine ? first_limit(s, g.point) : -1;
	g.h.key = shared ? (uint64_t *)(room + of.lists) + lane : s.distance + row * k;
	g.h.column = shared ? (int32_t *)(room + of.lists + k * WARP) + lane : s.column + row * k;
	g.h.step = shared ? WARP : 1;
	g.h.k = (int)k;
	g.h.have = 0;
	g.visits = g.compared = 0;
	g.q.all = room + of.queries + lane;
#pragma unroll
	for (int l = 0; l < (D > 0 ? D : 0); l++)
		g.q.q[l] = l < b.d ? number_of(s.u, g.point * s.u.ld + l) : 0;
	for (int l = 0; l < wide && D == 0; l++)
		room[of.queries + l * WARP + lane] = l < b.d ? number_of(s.u, g.point * s.u.ld + l) : 0;
	int64_t middle = s.points[first + count / 2] * s.u.ld;
	for (int l = lane; l < wide; l += WARP)
		room[l] = (l < b.d ? number_of(s.u, middle + l) : 0) * (SUM == KNNG_SUM_PLUS ? -1 : 1);
	__syncwarp();

	int64_t node = 1;
	while (node >> b.depth == 0)
		node = g.nearer(node);
	g.visit(node - ((int64_t)1 << b.depth));
	for (; node > 1; node /= 2)
		descend(g, b, s.most, node ^ 1);

	if (lane == 0) {
		atomicAdd(&s.counts[0], (unsigned long long)(g.visits > s.most ? 2 * g.visits : g.visits));
		atomicAdd(&s.counts[1], (unsigned long long)g.compared);
	}
	if (!mine)
		return;
	put_in_order(g.h);
	for (int e = 0; e < (int)k; e++)
		if (shared || e >= g.h.have) {
			s.distance[row * k + e] = e < g.h.have ? g.h.key[e * g.h.step] : NO_ANSWER;
			s.column[row * k + e] = e < g.h.have ? g.h.column[e * g.h.step] : -1;
		}
}

typedef void visits(boxes, visiting);

/* By knng_sum, and by columns: 2, 3, 4, 6, 8, more. */
#define VISITS(sum)                                                                                                    \
	{                                                                                                              \
		sum,                                                                                                   \
		{                                                                                                      \
			visits_kernel<sum, 2>, visits_kernel<sum, 3>, visits_kernel<sum, 4>, visits_kernel<sum, 6>,    \
				visits_kernel<sum, 8>, visits_kernel<sum, 0>                                           \
		}                                                                                                      \
	}
static const struct {
	knng_sum sum;
	visits *of[6];
} kinds[] = {VISITS(KNNG_SUM_MINUS), VISITS(KNNG_SUM_PLUS), VISITS(KNNG_SUM_EITHER), VISITS(KNNG_SUM_L1),
	     VISITS(KNNG_SUM_LINF)};
enum { KINDS = sizeof kinds / sizeof *kinds };

void
launch_visits(boxes b, visiting s, cudaStream_t stream)
{
	static const int widths[] = {2, 3, 4, 6, 8};
	int kind = 0, width = 0;
	while (kind < KINDS - 1 && kinds[kind].sum != s.sum)
		kind++;
	while (width < 5 && widths[width] != b.wide)
		width++;
	visits *kernel = kinds[kind].of[width];
	kernel<<<(unsigned)s.groups, WARP, (size_t)shares_of(b.wide, s.k).all * 8, stream>>>(b, s);
}
