/* select.h  Selection on a device: the kernels, and the way of an array to them and back. */
#ifndef KNNG_CUDA_SELECT_H
#define KNNG_CUDA_SELECT_H

#include "cuda/base/devices.h"
#include "topk/select.h"

/* Lines on the device, of which the k first are sought. */
typedef struct {
	knng_keys_kind kind;
	uint64_t mask;    /* as core/topk/keys.h has it */
	int64_t lines, n; /* elements of a line; at most INT32_MAX */
	int64_t k;        /* 1 … n */
	int64_t length; /* of the parts that answer for themselves, the last may be shorter; takes 16 bytes, or many */
	const void *x;  /* line l begins at element l*pitch; both at multiples of 16 bytes */
	int64_t pitch;
	const uint32_t *places; /* in the same shape: where the elements stand; NULL: from `first` on */
	int64_t first;
	/* Rank r of part p of line l goes to l*line_step + (p*k + r)*rank_step. */
	void *values;
	uint32_t *index;
	int64_t line_step, rank_step;
} selecting;

enum { SELECT_MOST = 2048 };
static inline int
select_key_bytes(knng_keys_kind kind)
{
	return kind == KNNG_KEYS_64 || kind == KNNG_KEYS_ABS64 || kind == KNNG_KEYS_F64 || kind == KNNG_KEYS_ABSF64 ? 8
														    : 4;
}
/* k <= SELECT_MOST; lines times parts below 2^31. */
cudaError_t launch_select(selecting s, cudaStream_t stream);
/* Any k, by sorting lines of one part: buffers of lines*n keys and places, lines + 1 offsets; temporary NULL: only says
 * in bytes how large it has to be. */
typedef struct {
	void *keys[2];
	uint32_t *places[2];
	int64_t *offsets;
	void *temporary;
	int64_t bytes;
} sorting;
cudaError_t launch_sort(selecting s, sorting *m, cudaStream_t stream);
/* lines[l*pitch + r] = rows[r*count + l], r < n, l < count, elements of `size` bytes. */
void launch_transpose_lines(const void *rows, int size, int64_t n, int64_t count, void *lines, int64_t pitch,
			    cudaStream_t stream);
/* knng_topk_gpu.select (core/topk/select.h). */
knng_status select_along(knng_task *task, const knng_topk *s, knng_keys_kind kind, uint64_t mask, int device,
			 knng_err *err);

#endif
