/* select.cu  The k first of lines on the device, in order, exactly.
 *
 * A block has a line, or a part of one. A sample of it gives a limit that some 1.5k elements are expected not to
 * exceed; one pass over the line gathers these, with their places, in shared memory; they are ranked there by key
 * and place, and the first k written. Keys are those of the CPU (core/topk/keys.c): ascending keys are the order asked
 * for.
 *
 * If fewer than k came, or more than there is room for, which ties, periods and few different values bring about, the
 * k-th key is found exactly: by counting on either side of the limit, then a digit of eleven bits a pass; of the
 * elements that have that key the first in the line are taken.
 *
 * Limits: k of at most SELECT_MOST. Memory's speed, while two to four blocks on a multiprocessor alternate between
 * reading and ranking; sorting where keys have ties. Beyond, all of a line is sorted by CUB. */
#include "cuda/topk/select.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>

enum {
	THREADS = 256,
	BLOCKS = 5,        /* on a multiprocessor, as registers go */
	ROOM = 4096,       /* items of a block, at most */
	FEW = 1024,        /* elements that are sorted without ado */
	SHARE = 16,        /* a sample has one element of so many, and of long lines less */
	SAMPLE = 16,       /* elements of the sample a thread, at most */
	DIGIT = 11,        /* bits */
	BINS = 1 << DIGIT, /* their counts share the memory of the items, of which there are 1024 then */
	CROWD = 64,        /* items that are ranked within a bin, at most */
	RUN = 16,          /* elements of a thread, where they are taken in order */
	SQUARE = 32,       /* rows and columns of a tile that is transposed */
	LONG = 1 << 18,    /* elements from which a line is worth a sort of its own */
};

/* ---------------------------------------------------------------- keys */

/* Bits of an element to its key, as in core/topk/keys.c. U: unsigned, of the element's size. */
template <class U>
__device__ static inline U
key_integer(U x, U mask)
{
	return x ^ mask;
}

template <class U>
__device__ static inline U
key_abs_integer(U x, U mask)
{
	/* 2x - 1 of positive ones and of the smallest, else -2x. */
	const U half = (U)1 << (8 * sizeof(U) - 1);
	return (U)((U)((U)(x - 1) < half ? 2 * x - 1 : 0 - 2 * x) ^ mask);
}

/* All ones where x is NaN; and -0 becomes 0. exponent: its bits, all set. */
template <class U>
__device__ static inline U
nan_or_zero(U *x, U exponent)
{
	const U sign = (U)1 << (8 * sizeof(U) - 1);
	*x = *x == sign ? 0 : *x;
	return (U)(*x << 1) > (U)(exponent << 1) ? ~(U)0 : 0;
}

template <class U>
__device__ static inline U
key_floating(U x, U mask, U exponent)
{
	const int top = 8 * sizeof(U) - 1;
	U nan = nan_or_zero(&x, exponent);
	return ((x ^ ((U)(0 - (x >> top)) | (U)1 << top)) ^ mask) | nan;
}

template <class U>
__device__ static inline U
key_abs_floating(U x, U mask, U exponent)
{
	U nan = nan_or_zero(&x, exponent);
	return (((x << 1 | x >> (8 * sizeof(U) - 1)) + 1) ^ mask) | nan;
}

/* And back, but for 0 and NaN, whose keys several elements have. */
template <class U>
__device__ static inline U
bits_abs_integer(U key, U mask)
{
	key ^= mask;
	return (U)(0 - (U)((U)(key >> 1) ^ (U)(0 - (key & 1))));
}

template <class U>
__device__ static inline U
bits_floating(U key, U mask)
{
	const U sign = (U)1 << (8 * sizeof(U) - 1);
	key ^= mask;
	return key ^ (key & sign ? sign : ~(U)0);
}

template <class U>
__device__ static inline U
bits_abs_floating(U key, U mask)
{
	key = (key ^ mask) - 1;
	return key >> 1 | key << (8 * sizeof(U) - 1);
}

#define EXPONENT32 0x7f800000u
#define EXPONENT64 0x7ff0000000000000u

/* A kind: bits of an element, of a key in registers, from one to the other and back. */
template <int KIND> struct kind;
#define KIND(name, U, K, to_key, to_bits)                                                                              \
	template <> struct kind<KNNG_KEYS_##name> {                                                                    \
		typedef U element;                                                                                     \
		typedef K key;                                                                                         \
		__device__ static inline K of(U x, U mask)                                                             \
		{                                                                                                      \
			return to_key;                                                                                 \
		}                                                                                                      \
		__device__ static inline U back(U key, U mask)                                                         \
		{                                                                                                      \
			return to_bits;                                                                                \
		}                                                                                                      \
	};
#define INTEGER(name, U, K)                                                                                            \
	KIND(name, U, K, key_integer(x, mask), key_integer(key, mask))                                                 \
	KIND(ABS##name, U, K, key_abs_integer(x, mask), bits_abs_integer(key, mask))
#define FLOATING(name, U, exponent)                                                                                    \
	KIND(name, U, U, key_floating(x, mask, (U)exponent), bits_floating(key, mask))                                 \
	KIND(ABS##name, U, U, key_abs_floating(x, mask, (U)exponent), bits_abs_floating(key, mask))
INTEGER(8, uint8_t, uint32_t)
INTEGER(16, uint16_t, uint32_t)
INTEGER(32, uint32_t, uint32_t)
INTEGER(64, uint64_t, uint64_t)
FLOATING(F32, uint32_t, EXPONENT32)
FLOATING(F64, uint64_t, EXPONENT64)

/* What is read at once: 16 bytes. */
template <class U> struct word {
	enum { PER = 16 / sizeof(U) };
	U part[PER];
};

template <class U>
__device__ static inline word<U>
load(const U *x, uint32_t at)
{
	uint4 bits = __ldg((const uint4 *)x + at);
	word<U> w;
	memcpy(&w, &bits, sizeof w);
	return w;
}

/* ---------------------------------------------------------------- a block together */

/* A candidate: its key, and its place in the part. */
template <class K> struct alignas(2 * sizeof(K)) item {
	K key;
	uint32_t place;
};

__device__ static inline bool
before(item<uint32_t> a, item<uint32_t> b)
{
	return ((uint64_t)a.key << 32 | a.place) < ((uint64_t)b.key << 32 | b.place);
}

__device__ static inline bool
before(item<uint64_t> a, item<uint64_t> b)
{
	return a.key < b.key || (a.key == b.key && a.place < b.place);
}

typedef struct {
	uint32_t found;                 /* items, or more than there is room for */
	uint32_t digit, fewer, within;  /* where the k-th key is */
	uint32_t slot[2][THREADS / 32]; /* of the warps, alternately */
} shared_t;

/* The sum over the block; every thread gets it. which: 0 and 1 alternately, then one barrier is enough: who writes to a
 * slot again has passed the barrier of the other one, before which all have read. */
__device__ static inline uint32_t
total(shared_t *b, int which, uint32_t x)
{
	const uint32_t lane = threadIdx.x % 32;
	x = __reduce_add_sync(0xffffffffu, x);
	if (lane == 0)
		b->slot[which][threadIdx.x / 32] = x;
	__syncthreads();
	return __reduce_add_sync(0xffffffffu, lane < blockDim.x / 32 ? b->slot[which][lane] : 0);
}

/* The sum over the threads before this one; *all: over the block. */
__device__ static inline uint32_t
scan(shared_t *b, uint32_t x, uint32_t *all)
{
	uint32_t lane = threadIdx.x % 32, up = x, sum = 0, base = 0;
	for (uint32_t step = 1; step < 32; step *= 2) {
		uint32_t left = __shfl_up_sync(0xffffffffu, up, step);
		up += lane >= step ? left : 0;
	}
	if (lane == 31)
		b->slot[0][threadIdx.x / 32] = up;
	__syncthreads();
	for (uint32_t w = 0; w < blockDim.x / 32; w++) {
		base += w < threadIdx.x / 32 ? b->slot[0][w] : 0;
		sum += b->slot[0][w];
	}
	__syncthreads();
	*all = sum;
	return base + up - x;
}

/* Sorts a[0 … size), size a power of two: a bitonic network. Up to a stride of 32 a warp works on 64 items of its own.
 * Barriers before and after. */
template <class K>
__device__ static void
sort_items(item<K> *a, uint32_t size)
{
	__syncthreads();
	for (uint32_t run = 2; run <= size; run *= 2)
		for (uint32_t stride = run / 2; stride > 0; stride /= 2) {
			for (uint32_t p = threadIdx.x; p < size / 2; p += blockDim.x) {
				uint32_t i = 2 * p - (p & (stride - 1)), j = i + stride;
				item<K> x = a[i], y = a[j];
				if (before(y, x) == ((i & run) == 0)) {
					a[i] = y;
					a[j] = x;
				}
			}
			if (stride > 32 || (stride == 1 && run > 32))
				__syncthreads();
			else
				__syncwarp();
		}
	__syncthreads();
}

/* The least of the block. */
template <class K>
__device__ static K
least(K *slot, K x)
{
	for (int lane = 16; lane > 0; lane /= 2) {
		K other = __shfl_xor_sync(0xffffffffu, x, lane);
		x = other < x ? other : x;
	}
	__syncthreads(); /* the slots may still be read */
	if (threadIdx.x % 32 == 0)
		slot[threadIdx.x / 32] = x;
	__syncthreads();
	for (uint32_t w = 0; w < blockDim.x / 32; w++)
		x = slot[w] < x ? slot[w] : x;
	return x;
}

__host__ __device__ static inline uint32_t
bins_for(uint32_t items, uint32_t threads)
{
	uint32_t bins = threads;
	while (bins < 2 * items && bins < BINS)
		bins *= 2;
	return bins;
}

/* Where the k first of `count` items are: the r-th is a[order[r]]. Items are dealt into bins, equal ranges of keys, and
 * each finds its rank among those of its bin; where a bin has many, as ties make it, all are sorted in place. bins:
 * bins_for (count, threads); members: count. Barriers before and after. */
template <class K>
__device__ static void
arrange(shared_t *b, K *slot, item<K> *a, uint32_t count, uint32_t k, uint32_t *bins, uint16_t *members,
	uint16_t *order)
{
	const uint32_t nbins = bins_for(count, blockDim.x), each = nbins / blockDim.x, own = threadIdx.x * each;
	K low = ~(K)0, high = ~(K)0; /* high: complemented */
	__syncthreads();
	for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
		const K key = a[i].key;
		low = key < low ? key : low;
		high = (K)~key < high ? (K)~key : high;
	}
	low = least(slot, low);
	high = least(slot, high);
	const K range = (K)~high - low;
	const int bits = range == 0 ? 0 : sizeof(K) == 8 ? 64 - __clzll((long long)range) : 32 - __clz((int)range);
	const int digit = 31 - __clz((int)nbins), shift = bits > digit ? bits - digit : 0;
	for (uint32_t i = threadIdx.x; i < nbins; i += blockDim.x)
		bins[i] = 0;
	__syncthreads();
	for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
		atomicAdd(&bins[(a[i].key - low) >> shift], 1);
	__syncthreads();
	uint32_t sum = 0, all;
	for (uint32_t i = 0; i < each; i++)
		sum += bins[own + i];
	uint32_t at = scan(b, sum, &all);
	bool crowded = false;
	for (uint32_t i = 0; i < each; i++) {
		const uint32_t size = bins[own + i];
		crowded |= size > CROWD && at < k;
		bins[own + i] = at; /* where the bin begins */
		at += size;
	}
	if (__syncthreads_or(crowded)) {
		uint32_t size = 2;
		while (size < count)
			size *= 2;
		for (uint32_t i = count + threadIdx.x; i < size; i += blockDim.x)
			a[i] = {~(K)0, ~0u};
		sort_items(a, size);
		for (uint32_t r = threadIdx.x; r < k; r += blockDim.x)
			order[r] = (uint16_t)r;
		__syncthreads();
		return;
	}
	for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
		members[atomicAdd(&bins[(a[i].key - low) >> shift], 1)] = (uint16_t)i;
	__syncthreads(); /* now the number of a bin is where it ends */
	for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
		const item<K> mine = a[i];
		const uint32_t bin = (uint32_t)((mine.key - low) >> shift), end = bins[bin];
		const uint32_t begin = bin > 0 ? bins[bin - 1] : 0;
		uint32_t rank = begin;
		for (uint32_t m = begin; m < end && begin < k; m++)
			rank += before(a[members[m]], mine);
		if (rank < k)
			order[rank] = (uint16_t)i;
	}
	__syncthreads();
}

/* ---------------------------------------------------------------- passes over a part */

/* A part of a line, x[0 … n). */
template <int KIND> struct part {
	typedef typename kind<KIND>::element U;
	typedef typename kind<KIND>::key K;
	const U *x;
	uint32_t n;
	U mask;
	item<K> *items;
	uint32_t room;
	shared_t *b;

	__device__ inline K key(U element) const
	{
		return kind<KIND>::of(element, mask);
	}
};

/* f (key) for all elements, in any order. */
template <int KIND, class F>
__device__ static inline void
every(const part<KIND> &p, F f)
{
	typedef typename part<KIND>::U U;
	enum { PER = word<U>::PER };
	uint32_t whole = p.n / PER;
	for (uint32_t at = threadIdx.x; at < whole; at += blockDim.x) {
		word<U> w = load(p.x, at);
#pragma unroll
		for (int i = 0; i < PER; i++)
			f(p.key(w.part[i]));
	}
	for (uint32_t e = whole * PER + threadIdx.x; e < p.n; e += blockDim.x)
		f(p.key(p.x[e]));
}

/* Which elements a pass takes: those whose keys do not exceed a limit. */
template <int KIND> struct below {
	typename kind<KIND>::element mask;
	typename kind<KIND>::key limit;

	__device__ inline bool takes(typename kind<KIND>::element x) const
	{
		return kind<KIND>::of(x, mask) <= limit;
	}
};

/* For single numbers in a third of the operations: as numbers, negated for the largest. It takes no NaN, whatever the
 * limit; and what equals it by magnitude, or as 0, with either sign: so it may take more, in the order of the keys. */
struct below_number {
	uint32_t keep, flip;
	float limit;

	__device__ inline bool takes(uint32_t x) const
	{
		return __uint_as_float((x & keep) ^ flip) <= limit;
	}
};

template <int KIND>
__device__ static inline below<KIND>
roughly(below<KIND> exact)
{
	return exact;
}

__device__ static inline below_number
roughly_number(uint32_t bits, uint32_t mask, uint32_t keep)
{
	const uint32_t flip = mask & 0x80000000u;
	const float limit = __uint_as_float((bits & keep) ^ flip);
	return {keep, flip, limit != limit ? __uint_as_float(EXPONENT32) : limit};
}

__device__ static inline below_number
roughly(below<KNNG_KEYS_F32> exact)
{
	return roughly_number(bits_floating(exact.limit, exact.mask), exact.mask, 0xffffffffu);
}

__device__ static inline below_number
roughly(below<KNNG_KEYS_ABSF32> exact)
{
	return roughly_number(bits_abs_floating(exact.limit, exact.mask), exact.mask, 0x7fffffffu);
}

/* Appends what the sieve takes to the items, of which found counts; found > room: not all of it. No barriers. What is
 * taken is read once more, from the nearest cache: an array of keys with a place of its own for each would not stay in
 * registers. */
template <int KIND, class S>
__device__ static __forceinline__ void
sift(const part<KIND> &p, S sieve)
{
	typedef typename part<KIND>::U U;
	enum { PER = word<U>::PER, WORDS = PER > 4 ? 16 / PER : 4 };
	uint32_t t = threadIdx.x, step = blockDim.x, whole = p.n / PER, at = 0;
	for (; at + WORDS * step <= whole; at += WORDS * step) {
		word<U> w[WORDS];
		uint32_t hits = 0;
#pragma unroll
		for (int d = 0; d < WORDS; d++)
			w[d] = load(p.x, at + d * step + t);
#pragma unroll
		for (int d = 0; d < WORDS; d++)
#pragma unroll
			for (int i = 0; i < PER; i++)
				hits |= (uint32_t)sieve.takes(w[d].part[i]) << (d * PER + i);
		if (hits == 0)
			continue;
		uint32_t count = (uint32_t)__popc(hits), to = atomicAdd(&p.b->found, count);
		if (to + count > p.room)
			return;
		for (; hits != 0; hits &= hits - 1) {
			uint32_t bit = (uint32_t)__ffs((int)hits) - 1;
			uint32_t e = (at + bit / PER * step + t) * PER + bit % PER;
			p.items[to++] = {p.key(__ldg(p.x + e)), e};
		}
	}
	for (uint32_t e = at * PER + t; e < p.n; e += step) {
		if (!sieve.takes(p.x[e]))
			continue;
		uint32_t to = atomicAdd(&p.b->found, 1);
		if (to >= p.room)
			return;
		p.items[to] = {p.key(p.x[e]), e};
	}
}

/* A key that more than k elements are expected not to exceed, from a sample whose words lie equally far apart. Its rank
 * in the sample is k's share and three standard deviations; the key of that rank is found by halving what it can be,
 * until it is met by an eighth. */
template <int KIND>
__device__ static __forceinline__ typename part<KIND>::K
guess(const part<KIND> &p, uint32_t k)
{
	typedef typename part<KIND>::U U;
	typedef typename part<KIND>::K K;
	enum { PER = word<U>::PER, WORDS = SAMPLE / PER };
	uint32_t whole = p.n / PER, words = whole / (SHARE * blockDim.x);
	words = words < 1 ? 1 : words > WORDS ? WORDS : words;
	const uint64_t apart = ((uint64_t)whole << 32) / (words * blockDim.x); /* in 2^-32 */
	word<U> w[WORDS];
	K keys[SAMPLE];
#pragma unroll
	for (uint32_t d = 0; d < WORDS; d++)
		w[d] = load(p.x, d < words ? (uint32_t)((d * blockDim.x + threadIdx.x) * apart >> 32) : 0);
#pragma unroll
	for (uint32_t d = 0; d < WORDS; d++)
#pragma unroll
		for (int i = 0; i < PER; i++)
			keys[d * PER + i] = d < words ? p.key(w[d].part[i]) : ~(K)0;
	float share = (float)k * (float)(words * blockDim.x * PER) / (float)p.n;
	uint32_t rank = (uint32_t)(share + 3 * sqrtf(share)) + 4;
	K low = 0, high = ~(K)0;
	for (int which = 0; low < high; which ^= 1) {
		K middle = low + (high - low) / 2;
		uint32_t count = 0;
#pragma unroll
		for (int i = 0; i < SAMPLE; i++)
			count += keys[i] <= middle;
		count = total(p.b, which, count);
		if (count < rank) {
			low = middle + 1;
		} else {
			high = middle;
			if (count <= rank + rank / 8)
				break;
		}
	}
	return high;
}

/* Appends the first `count` elements that have that key to the items from `to` on, in their order. */
template <int KIND>
__device__ static void
take_ties(const part<KIND> &p, typename part<KIND>::K key, uint32_t to, uint32_t count)
{
	for (uint32_t base = 0, taken = 0; base < p.n && taken < count; base += RUN * blockDim.x) {
		uint32_t first = base + threadIdx.x * RUN, hits = 0, all;
		for (uint32_t i = 0; i < RUN; i++)
			if (first + i < p.n && p.key(p.x[first + i]) == key)
				hits |= 1u << i;
		uint32_t rank = taken + scan(p.b, (uint32_t)__popc(hits), &all);
		for (; hits != 0 && rank < count; hits &= hits - 1)
			p.items[to + rank++] = {key, first + (uint32_t)__ffs((int)hits) - 1};
		taken += all;
	}
}

/* The same as guess and sift, for every order and all ties: leaves at least k items, or, of many that have the k-th
 * key, k. limit: where to begin. */
template <int KIND>
__device__ static __noinline__ void
search(part<KIND> p, uint32_t k, typename part<KIND>::K limit)
{
	typedef typename part<KIND>::K K;
	uint32_t *bins = (uint32_t *)p.items, less = 0, equal = 0;
	every(p, [&](K key) {
		less += key < limit;
		equal += key == limit;
	});
	__syncthreads(); /* the slots may still be read */
	less = total(p.b, 0, less);
	equal = total(p.b, 1, equal);
	/* The k-th key is one of low … high, which `within` elements have; `fewer` have smaller ones. */
	K low = 0, high = ~(K)0;
	uint32_t fewer = 0, within = less;
	if (less >= k) {
		high = limit - 1;
	} else if (less + equal >= k) {
		low = high = limit;
		fewer = less;
		within = equal;
	} else {
		low = limit + 1;
		fewer = less + equal;
		within = p.n - fewer;
	}
	while (low < high && fewer + within > p.room) {
		const K range = high - low;
		int bits = sizeof(K) == 8 ? 64 - __clzll((long long)range) : 32 - __clz((int)range);
		int shift = bits > DIGIT ? bits - DIGIT : 0;
		for (uint32_t i = threadIdx.x; i < BINS; i += blockDim.x)
			bins[i] = 0;
		__syncthreads();
		every(p, [&](K key) {
			if ((K)(key - low) <= range)
				atomicAdd(&bins[(key - low) >> shift], 1);
		});
		__syncthreads();
		uint32_t each = BINS / blockDim.x, own = threadIdx.x * each, sum = 0, all;
		for (uint32_t i = 0; i < each; i++)
			sum += bins[own + i];
		uint32_t at = fewer + scan(p.b, sum, &all);
		for (uint32_t i = 0; i < each; at += bins[own + i++])
			if (at < k && k <= at + bins[own + i]) {
				p.b->digit = own + i;
				p.b->fewer = at;
				p.b->within = bins[own + i];
			}
		__syncthreads();
		low += (K)p.b->digit << shift;
		high = high - low > ((K)1 << shift) - 1 ? low + ((K)1 << shift) - 1 : high;
		fewer = p.b->fewer;
		within = p.b->within;
		__syncthreads();
	}
	bool all = fewer + within <= p.room;
	if (threadIdx.x == 0)
		p.b->found = 0;
	__syncthreads();
	if (all || fewer > 0)
		sift(p, below<KIND>{p.mask, all ? high : (K)(low - 1)});
	__syncthreads();
	if (all)
		return;
	take_ties(p, low, fewer, k - fewer);
	if (threadIdx.x == 0)
		p.b->found = k;
	__syncthreads();
}

/* ---------------------------------------------------------------- select */

/* Whether all of a part is sorted. */
__host__ __device__ static inline bool
few(int64_t n, int64_t k)
{
	return n <= FEW || (n <= 2 * k && n <= ROOM);
}

/* How many items a block has room for. */
static uint32_t
room_for(int64_t n, int64_t k)
{
	int64_t room = 2, most = few(n, k) ? n : 2 * k + 900;
	while (room < most && room < ROOM)
		room *= 2;
	return (uint32_t)room;
}

/* Reads s.x once, and the sample; writes s.values, s.index. Grid: a block for each part of each line. Shared: room
 * items, and what arrange takes. */
template <int KIND>
__global__ static void
__launch_bounds__(THREADS, BLOCKS) select_kernel(selecting s, uint32_t parts, uint32_t room)
{
	typedef typename part<KIND>::U U;
	typedef typename part<KIND>::K K;
	extern __shared__ __align__(16) unsigned char space[];
	__shared__ shared_t b;
	__shared__ K slot[THREADS / 32];
	const int64_t line = blockIdx.x / parts, from = (int64_t)(blockIdx.x % parts) * s.length;
	const int64_t rest = s.n - from < s.length ? s.n - from : s.length;
	const int64_t origin = line * s.pitch + from;
	const uint32_t n = (uint32_t)rest, k = s.k < rest ? (uint32_t)s.k : n;
	const part<KIND> p = {(const U *)s.x + origin, n, (U)s.mask, (item<K> *)space, room, &b};
	if (few(rest, s.k)) {
		for (uint32_t e = threadIdx.x; e < n; e += blockDim.x)
			p.items[e] = {p.key(p.x[e]), e};
		if (threadIdx.x == 0)
			b.found = n;
		__syncthreads();
	} else {
		if (threadIdx.x == 0)
			b.found = 0;
		K limit = guess(p, k);
		__syncthreads();
		sift(p, roughly(below<KIND>{p.mask, limit}));
		__syncthreads();
		uint32_t found = b.found;
		__syncthreads();
		if (found < k || found > room)
			search(p, k, limit);
	}
	uint32_t *bins = (uint32_t *)(p.items + room);
	uint16_t *members = (uint16_t *)(bins + bins_for(room, blockDim.x)), *order = members + room;
	arrange(&b, slot, p.items, b.found, k, bins, members, order);
	for (uint32_t r = threadIdx.x; r < k; r += blockDim.x) {
		const item<K> chosen = p.items[order[r]];
		const int64_t to = line * s.line_step + (blockIdx.x % parts * s.k + r) * s.rank_step;
		const U key = (U)chosen.key;
		const bool several = KIND >= KNNG_KEYS_F32 && (key == (U) ~(U)0 || key == (U)p.key(0));
		((U *)s.values)[to] = several ? p.x[chosen.place] : kind<KIND>::back(key, p.mask);
		s.index[to] =
			s.places != NULL ? s.places[origin + chosen.place] : (uint32_t)(s.first + from + chosen.place);
	}
}

cudaError_t
launch_select(selecting s, cudaStream_t stream)
{
	typedef void kernel(selecting, uint32_t, uint32_t);
	static kernel *const kernels[KNNG_KEYS] = {
		select_kernel<KNNG_KEYS_8>,     select_kernel<KNNG_KEYS_16>,     select_kernel<KNNG_KEYS_32>,
		select_kernel<KNNG_KEYS_64>,    select_kernel<KNNG_KEYS_ABS8>,   select_kernel<KNNG_KEYS_ABS16>,
		select_kernel<KNNG_KEYS_ABS32>, select_kernel<KNNG_KEYS_ABS64>,  select_kernel<KNNG_KEYS_F32>,
		select_kernel<KNNG_KEYS_F64>,   select_kernel<KNNG_KEYS_ABSF32>, select_kernel<KNNG_KEYS_ABSF64>,
	};
	const int64_t n = s.n < s.length ? s.n : s.length, parts = (s.n + s.length - 1) / s.length;
	const uint32_t room = room_for(n, s.k);
	int threads = THREADS;
	while (threads > 32 && threads > (int)room / 2) /* a thread compares two items at a time */
		threads /= 2;
	const int an_item = (select_key_bytes(s.kind) == 8 ? 16 : 8) + 2 * (int)sizeof(uint16_t);
	const int bytes = (int)room * an_item + (int)(bins_for(room, (uint32_t)threads) * sizeof(uint32_t));
	cudaError_t error =
		cudaFuncSetAttribute((const void *)kernels[s.kind], cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
	if (error != cudaSuccess)
		return error;
	kernels[s.kind]<<<(unsigned)(s.lines * parts), threads, (size_t)bytes, stream>>>(s, (uint32_t)parts, room);
	return cudaGetLastError();
}

/* ---------------------------------------------------------------- all of a line, sorted */

template <int KIND>
__global__ static void
keys_kernel(selecting s, typename kind<KIND>::key *keys, uint32_t *places)
{
	typedef typename kind<KIND>::element U;
	const int64_t all = s.lines * s.n;
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < all;
	     i += gridDim.x * (int64_t)blockDim.x) {
		int64_t line = i / s.n, e = i % s.n;
		keys[i] = kind<KIND>::of(((const U *)s.x)[line * s.pitch + e], (U)s.mask);
		places[i] = (uint32_t)e;
	}
}

__global__ static void
offsets_kernel(int64_t *offsets, int64_t count, int64_t n)
{
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < count;
	     i += gridDim.x * (int64_t)blockDim.x)
		offsets[i] = i * n;
}

/* The first k of each sorted line. */
template <class U>
__global__ static void
front_kernel(selecting s, const uint32_t *places)
{
	const int64_t all = s.lines * s.k;
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < all;
	     i += gridDim.x * (int64_t)blockDim.x) {
		int64_t line = i / s.k, r = i % s.k, to = line * s.line_step + r * s.rank_step;
		uint32_t e = places[line * s.n + r];
		((U *)s.values)[to] = ((const U *)s.x)[line * s.pitch + e];
		s.index[to] = e;
	}
}

static unsigned
grid_for(int64_t elements)
{
	int64_t blocks = (elements + THREADS - 1) / THREADS;
	return (unsigned)(blocks < 1 << 16 ? blocks : 1 << 16);
}

template <int KIND>
static cudaError_t
sort_kind(selecting s, sorting *m, cudaStream_t stream)
{
	typedef typename kind<KIND>::element U;
	typedef typename kind<KIND>::key K;
	const int bits = 8 * (int)sizeof(U);
	const bool ask = m->temporary == NULL, together = s.n < LONG;
	size_t bytes = (size_t)m->bytes;
	cudaError_t error = cudaSuccess;
	cub::DoubleBuffer<K> keys((K *)m->keys[0], (K *)m->keys[1]);
	cub::DoubleBuffer<uint32_t> places(m->places[0], m->places[1]);
	if (!ask) {
		keys_kernel<KIND><<<grid_for(s.lines * s.n), THREADS, 0, stream>>>(s, keys.Current(), places.Current());
		offsets_kernel<<<grid_for(s.lines + 1), THREADS, 0, stream>>>(m->offsets, s.lines + 1, s.n);
	}
	if (together) {
		error = cub::DeviceSegmentedRadixSort::SortPairs(m->temporary, bytes, keys, places, s.lines * s.n,
								 s.lines, m->offsets, m->offsets + 1, 0, bits, stream);
		if (error == cudaSuccess && !ask)
			front_kernel<U><<<grid_for(s.lines * s.k), THREADS, 0, stream>>>(s, places.Current());
	}
	for (int64_t l = 0; !together && l < (ask ? 1 : s.lines) && error == cudaSuccess; l++) {
		selecting one = s;
		one.lines = 1;
		one.x = (const U *)s.x + l * s.pitch;
		one.values = (U *)s.values + l * s.line_step;
		one.index = s.index + l * s.line_step;
		keys = cub::DoubleBuffer<K>((K *)m->keys[0] + l * s.n, (K *)m->keys[1] + l * s.n);
		places = cub::DoubleBuffer<uint32_t>(m->places[0] + l * s.n, m->places[1] + l * s.n);
		error = cub::DeviceRadixSort::SortPairs(m->temporary, bytes, keys, places, s.n, 0, bits, stream);
		if (error == cudaSuccess && !ask)
			front_kernel<U><<<grid_for(s.k), THREADS, 0, stream>>>(one, places.Current());
	}
	if (ask)
		m->bytes = (int64_t)bytes;
	return error == cudaSuccess ? cudaGetLastError() : error;
}

cudaError_t
launch_sort(selecting s, sorting *m, cudaStream_t stream)
{
	typedef cudaError_t sort(selecting, sorting *, cudaStream_t);
	static sort *const sorts[KNNG_KEYS] = {
		sort_kind<KNNG_KEYS_8>,     sort_kind<KNNG_KEYS_16>,     sort_kind<KNNG_KEYS_32>,
		sort_kind<KNNG_KEYS_64>,    sort_kind<KNNG_KEYS_ABS8>,   sort_kind<KNNG_KEYS_ABS16>,
		sort_kind<KNNG_KEYS_ABS32>, sort_kind<KNNG_KEYS_ABS64>,  sort_kind<KNNG_KEYS_F32>,
		sort_kind<KNNG_KEYS_F64>,   sort_kind<KNNG_KEYS_ABSF32>, sort_kind<KNNG_KEYS_ABSF64>,
	};
	return sorts[s.kind](s, m, stream);
}

/* ---------------------------------------------------------------- transposed lines */

/* lines[l*pitch + r] = rows[r*count + l], r < n, l < count. Grid: a block for each tile, those of the same lines side
 * by side. */
template <class U>
__global__ static void
transpose_kernel(const U *rows, int64_t n, int64_t count, U *lines, int64_t pitch)
{
	__shared__ U tile[SQUARE][SQUARE + 1];
	const int64_t down = (n + SQUARE - 1) / SQUARE;
	const int64_t r0 = blockIdx.x % down * SQUARE, l0 = blockIdx.x / down * SQUARE;
	for (int i = threadIdx.y; i < SQUARE; i += blockDim.y)
		if (r0 + i < n && l0 + threadIdx.x < count)
			tile[i][threadIdx.x] = rows[(r0 + i) * count + l0 + threadIdx.x];
	__syncthreads();
	for (int i = threadIdx.y; i < SQUARE; i += blockDim.y)
		if (l0 + i < count && r0 + threadIdx.x < n)
			lines[(l0 + i) * pitch + r0 + threadIdx.x] = tile[threadIdx.x][i];
}

void
launch_transpose_lines(const void *rows, int size, int64_t n, int64_t count, void *lines, int64_t pitch,
		       cudaStream_t stream)
{
	const dim3 threads(SQUARE, 8);
	const unsigned grid = (unsigned)((n + SQUARE - 1) / SQUARE * ((count + SQUARE - 1) / SQUARE));
	switch (size) {
	case 1:
		transpose_kernel<<<grid, threads, 0, stream>>>((const uint8_t *)rows, n, count, (uint8_t *)lines,
							       pitch);
		break;
	case 2:
		transpose_kernel<<<grid, threads, 0, stream>>>((const uint16_t *)rows, n, count, (uint16_t *)lines,
							       pitch);
		break;
	case 4:
		transpose_kernel<<<grid, threads, 0, stream>>>((const uint32_t *)rows, n, count, (uint32_t *)lines,
							       pitch);
		break;
	default:
		transpose_kernel<<<grid, threads, 0, stream>>>((const uint64_t *)rows, n, count, (uint64_t *)lines,
							       pitch);
	}
}
