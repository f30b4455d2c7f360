/* sort.h  Small sorting and selecting, inline: keys of candidates, (distance, index) pairs, and places by counting. */
#ifndef KNNG_SORT_H
#define KNNG_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A candidate's key: ascending keys are descending scores, then ascending columns. Scores are finite. */
static inline uint64_t
knng_key(float q, int32_t j)
{
	uint32_t bits;
	q += 0.0f; /* -0 and +0 are one score */
	memcpy(&bits, &q, 4);
	bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u; /* ascending with q */
	return (uint64_t)~bits << 32 | (uint32_t)j;
}

static inline int32_t
knng_key_column(uint64_t key)
{
	return (int32_t)(uint32_t)key;
}

static inline float
knng_key_score(uint64_t key)
{
	uint32_t bits = ~(uint32_t)(key >> 32);
	float q;
	bits = bits & 0x80000000u ? bits & 0x7fffffffu : ~bits;
	memcpy(&q, &bits, 4);
	return q;
}

/* Puts the k smallest of n keys in front, the k-th smallest at [k-1]; 1 <= k <= n. Hoare's selection, pivots by the
 * median of three; O(n) on average. */
static inline void
knng_nth(uint64_t *a, int64_t n, int64_t k)
{
	int64_t low = 0, high = n - 1, want = k - 1;
	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		uint64_t x = a[low], y = a[middle], z = a[high];
		uint64_t pivot = x < y ? (y < z ? y : x < z ? z : x) : (x < z ? x : y < z ? z : y);
		int64_t i = low - 1, j = high + 1;
		for (;;) {
			while (a[++i] < pivot) {
			}
			while (a[--j] > pivot) {
			}
			if (i >= j)
				break;
			uint64_t swap = a[i];
			a[i] = a[j];
			a[j] = swap;
		}
		if (want <= j)
			high = j;
		else
			low = j + 1;
	}
}

typedef struct {
	double distance;
	int32_t index;
} knng_pair;

static inline bool
knng_pair_before(const knng_pair *a, const knng_pair *b)
{
	return a->distance < b->distance || (a->distance == b->distance && a->index < b->index);
}

/* Sorts n pairs by (distance, index), no NaN among them; scratch holds n. Runs of insertion sort, then merges. */
static inline void
knng_sort_pairs(knng_pair *a, knng_pair *scratch, int64_t n)
{
	enum { RUN = 24 };
	for (int64_t start = 0; start < n; start += RUN) {
		int64_t end = start + RUN < n ? start + RUN : n;
		for (int64_t i = start + 1; i < end; i++) {
			knng_pair x = a[i];
			int64_t j = i;
			for (; j > start && knng_pair_before(&x, &a[j - 1]); j--)
				a[j] = a[j - 1];
			a[j] = x;
		}
	}
	knng_pair *from = a, *to = scratch;
	for (int64_t width = RUN; width < n; width *= 2) {
		for (int64_t start = 0; start < n; start += 2 * width) {
			int64_t middle = start + width < n ? start + width : n;
			int64_t end = start + 2 * width < n ? start + 2 * width : n, i = start, j = middle;
			for (int64_t o = start; o < end; o++)
				to[o] = i < middle && (j >= end || !knng_pair_before(&from[j], &from[i])) ? from[i++]
													  : from[j++];
		}
		knng_pair *swap = from;
		from = to;
		to = swap;
	}
	if (from != a)
		memcpy(a, from, (size_t)n * sizeof *a);
}

/* The same of values of one row: first into up to SPREAD buckets of equal width, which have few each where values are
 * spread as they mostly are; else by merges. x - low and its product with scale never fall where x rises. */
static inline void
knng_sort_values(knng_pair *a, knng_pair *scratch, int64_t n)
{
	enum { SPREAD = 1024, CROWDED = 24 };
	int32_t end[SPREAD] = {0};
	int64_t buckets = n < SPREAD ? n : (int64_t)SPREAD;
	double low = n > 0 ? a[0].distance : 0, high = low;
	for (int64_t i = 1; i < n; i++) {
		low = a[i].distance < low ? a[i].distance : low;
		high = a[i].distance > high ? a[i].distance : high;
	}
	double scale = (double)(buckets - 1) / (high - low);
	bool spread = scale > 0 && scale <= 0x1p1000;
	for (int64_t i = 0; i < n && spread; i++)
		spread = end[(int32_t)((a[i].distance - low) * scale)]++ < CROWDED;
	if (!spread) {
		knng_sort_pairs(a, scratch, n);
		return;
	}
	for (int64_t b = 1; b < buckets; b++)
		end[b] += end[b - 1];
	for (int64_t i = n - 1; i >= 0; i--)
		scratch[--end[(int32_t)((a[i].distance - low) * scale)]] = a[i];
	for (int64_t i = 0, j; i < n; i++) {
		for (j = i; j > 0 && knng_pair_before(&scratch[i], &a[j - 1]); j--)
			a[j] = a[j - 1];
		a[j] = scratch[i];
	}
}

/* Defines name (d, index, count), which puts a list into the order of (d, index), in place: by insertion, from far and
 * from near (Shell's sort), since lists are short as a rule, but may be all rows. */
#define KNNG_SORT_LIST(name, type)                                                                                     \
	static void name(double *d, type *index, int64_t count)                                                        \
	{                                                                                                              \
		int64_t gap = 1;                                                                                       \
		while (gap < count / 3)                                                                                \
			gap = 3 * gap + 1;                                                                             \
		for (; gap > 0; gap /= 3)                                                                              \
			for (int64_t e = gap; e < count; e++) {                                                        \
				double x = d[e];                                                                       \
				type i = index[e];                                                                     \
				int64_t to = e;                                                                        \
				for (; to >= gap && (d[to - gap] > x || (d[to - gap] == x && index[to - gap] > i));    \
				     to -= gap) {                                                                      \
					d[to] = d[to - gap];                                                           \
					index[to] = index[to - gap];                                                   \
				}                                                                                      \
				d[to] = x;                                                                             \
				index[to] = i;                                                                         \
			}                                                                                              \
	}

/* How many things go to each of n places, in start[1 …], becomes where each place begins; the last of the n + 1 numbers
 * is how many there are. */
static inline void
knng_add_up(size_t *start, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		start[i + 1] += start[i];
}

/* Filling a place moves its beginning to that of the next; this moves all back. */
static inline void
knng_step_back(size_t *start, int64_t n)
{
	for (int64_t i = n; i > 0; i--)
		start[i] = start[i - 1];
	start[0] = 0;
}

#endif
