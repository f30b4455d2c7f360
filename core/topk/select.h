/* select.h  The k smallest or largest along a dimension of an array, in order. */
#ifndef KNNG_SELECT_H
#define KNNG_SELECT_H

#include "base/plugin.h"
#include "topk/keys.h"

typedef enum { KNNG_UNSIGNED, KNNG_SIGNED, KNNG_FLOAT } knng_number;

/* An array of inner x n x outer elements, the first index fastest: inner*outer vectors of n elements, which lie inner
 * apart. */
typedef struct {
	const void *data;
	knng_number number;
	int size; /* bytes an element: 1, 2, 4, 8; of KNNG_FLOAT 4, 8 */
	int64_t inner, n, outer;
	int64_t k;      /* 0 … n */
	bool largest;   /* the largest first, instead of the smallest */
	bool magnitude; /* by |x|, and for equal ones the positive first; reversed for the largest */
	void *values;   /* inner x k x outer of the same kind; or NULL */
	double *index;  /* the same shape: where they stand in their vectors, from 1; or NULL */
} knng_topk;

/* Fills values and index: of every vector the k first in the order asked for; equal elements (0 and -0, all NaN) in the
 * order of their indices, NaN behind everything in either direction. The answer is the same for any number of threads
 * and any code. `target`: the instruction set, NULL for the best. Errors: knng:args:option (target), knng:memory:host,
 * knng:interrupted; nothing stays allocated then. O(1) an element, and O(1) an answer to sort it. Memory: on each
 * thread at most 4 MB, and 200*k bytes for each of the vectors that it works at together: one, or, where inner > 1, as
 * many as are 256 bytes wide. */
knng_status knng_topk_along(knng_task *task, const knng_topk *s, const char *target, knng_err *err);

/* The same where `device` says: on the CPU, on the first GPU that works, or on that one. 'auto' takes whichever is
 * expected to be faster. If the GPU cannot do it or fails on the way, the CPU does, and *fallback says why; its id is
 * empty else. Further errors: knng:args:device, knng:device:none. On a GPU it takes an arena of at most 1 GiB, kept for
 * the session, and on the host pinned buffers, likewise. */
knng_status knng_topk_anywhere(knng_task *task, const knng_topk *s, const knng_devices *device, knng_err *fallback,
			       knng_err *err);

/* The k-th smallest of n keys, 1 <= k <= n, which change their order and get lost. O(n). */
uint64_t knng_kth_key(uint64_t *a, int64_t n, int64_t k);

/* What keys.h has for its elements and order. */
knng_keys_kind knng_topk_kind(const knng_topk *s);
uint64_t knng_topk_mask(const knng_topk *s);

/* What the CUDA plugin does for selections: the same on that device, with keys of that kind and mask. KNNG_EDEVICE: the
 * device cannot, or failed; the outputs are undefined then. */
#define KNNG_TOPK_ROOM "topk"
typedef struct {
	knng_status (*select)(knng_task *task, const knng_topk *s, knng_keys_kind kind, uint64_t mask, int device,
			      knng_err *err);
} knng_topk_gpu;

#endif
