/* keys.h  Elements of every class as keys, for selection (select.c): compiled once a target, as kernels.h is.
 *
 * A key is an unsigned integer of the element's size. Ascending keys are the order asked for; equal elements have
 * equal keys, 0 and -0 too; the key of NaN is the largest there is, and no other element's where there are NaN. */
#ifndef KNNG_KEYS_H
#define KNNG_KEYS_H

#include <stdint.h>

/* A candidate: its key, and its place in the vector, from 0. */
typedef struct {
	uint64_t key;
	int64_t index;
} knng_item;

/* Kinds of elements and orders. Integers by their size in bits; the next four by magnitude, where 1 comes before -1. */
typedef enum {
	KNNG_KEYS_8,
	KNNG_KEYS_16,
	KNNG_KEYS_32,
	KNNG_KEYS_64,
	KNNG_KEYS_ABS8,
	KNNG_KEYS_ABS16,
	KNNG_KEYS_ABS32,
	KNNG_KEYS_ABS64,
	KNNG_KEYS_F32,
	KNNG_KEYS_F64,
	KNNG_KEYS_ABSF32,
	KNNG_KEYS_ABSF64,
	KNNG_KEYS
} knng_keys_kind;

enum {
	KEYS_BLOCK = 16,  /* elements that `below` appends without asking for room */
	KEYS_GROUPS = 64, /* best number of groups: a multiple of these */
};

/* `mask` reverses the order: all ones for the largest first. Of KNNG_KEYS_8 to _64 it is the bits that differ between
 * element and key: the sign bit where there is one, and all of them flipped for the largest first. */
typedef struct {
	/* Appends the elements x[0 … n) whose key is at most `limit`, the first of which has the index `first`, to
	 * `items` until there are *count >= stop of them; there is room for stop + KEYS_BLOCK. Returns how many
	 * elements it has looked at. */
	int64_t (*below)(const void *x, int64_t n, int64_t first, uint64_t mask, uint64_t limit, knng_item *items,
			 int64_t *count, int64_t stop);

	/* best[g], g < groups: the least key of x[g], x[g + groups], … of the whole rows of groups in x[0 … n).
	 * space: that many elements. */
	void (*least)(const void *x, int64_t n, uint64_t mask, int64_t groups, void *space, uint64_t *best);

	/* tile[l*stride + e] = x[e*inner + l], e < n, l < lanes. */
	void (*transpose)(const void *x, int64_t inner, int64_t lanes, int64_t n, void *tile, int64_t stride);

	/* out[r*out_stride], r < count: the elements of the items, of the vector x[0], x[stride], … */
	void (*put)(const knng_item *items, int64_t count, uint64_t mask, const void *x, int64_t stride, void *out,
		    int64_t out_stride);
} knng_keys;

/* The kinds of that target, or of the best this CPU runs (name NULL); NULL if there are none such here. */
const knng_keys *knng_keys_find(const char *name);

#endif
