/* linkage_gpu.h  Trees whose nodes, centres or a table of distances, a GPU keeps. */
#ifndef KNNG_LINKAGE_GPU_H
#define KNNG_LINKAGE_GPU_H

#include "base/plugin.h"
#include "graph/joined.h"

/* Nodes of a panel, as centres come: element l of that at place p is number p / PANEL * PANEL * d + l * PANEL + p %
 * PANEL. Rows and columns of a block, at most, as a table comes. */
enum { KNNG_LINK_PANEL = 64, KNNG_LINK_TALL = 512, KNNG_LINK_WIDE = 4096 };

/* What the CUDA plugin does for it: it keeps nodes at places 0 to n - 1, and how many rows are in each, 1 at first, 0
 * of empty places. KNNG_EDEVICE: the device cannot, or failed. */
#define KNNG_LINKAGE_ROOM "linkage"
typedef struct {
	/* d: elements of a centre, or 0: a table. max_memory: bytes, 0: what the device has. *work is to be closed in
	 * any case. */
	knng_status (*open)(int64_t n, int64_t d, knng_link method, int device, double max_memory, void **work,
			    knng_err *err);
	knng_status (*put_centres)(void *work, const double *centres, knng_err *err);
	/* Room for a block; then what stands there, row after row, as rows from i and columns from j of the table: of
	 * it what is above the diagonal. */
	knng_status (*block)(void *work, double **x, knng_err *err);
	knng_status (*put_block)(void *work, int64_t i, int64_t tall, int64_t j, int64_t wide, knng_err *err);
	/* Of knng_nearness. */
	knng_status (*row)(void *work, int64_t a, int64_t count, double *near, knng_err *err);
	knng_status (*nearest)(void *work, int64_t a, int64_t count, int64_t other, knng_nearest *found, knng_err *err);
	knng_status (*join)(void *work, const knng_join *e, knng_err *err);
	/* The node at from[i] comes to place i < n. */
	knng_status (*close_up)(void *work, const int32_t *from, int64_t n, knng_err *err);
	void (*close)(void *work);
} knng_linkage_gpu;

/* The GPU that makes a tree of n rows, or none (gpu: NULL): where the CPU is asked for, or 'auto' is and `worth` is
 * false. Errors: knng:args:device, knng:device:none. */
typedef struct {
	const knng_linkage_gpu *gpu;
	int device;
	double max_memory; /* bytes; 0: what the GPU has */
} knng_link_device;
knng_status knng_link_device_find(const knng_devices *wanted, bool worth, knng_link_device *found, knng_err *err);

/* One tree, Z, of nodes that are given as centres (d > 0), 2^-exponent times what they are, or as a table, block by
 * block: fill puts distances of rows i and columns j on, of which those above the diagonal are read. KNNG_EDEVICE: the
 * GPU cannot, or failed. Memory of the GPU: 12 n d bytes, or 10 n^2 and 34 MB, beside them 24 n and what cuBLAS takes,
 * kept for the session; of the host 20 n. */
typedef struct {
	int64_t n, d;
	knng_link method;
	const double *centres;
	int exponent;
	knng_status (*fill)(void *context, int64_t i, int64_t tall, int64_t j, int64_t wide, double *x, knng_err *err);
	void *context;
} knng_link_nodes_of;
knng_status knng_link_on(const knng_link_device *device, knng_task *task, const knng_link_nodes_of *nodes, double *Z,
			 knng_err *err);

/* What a caller makes of the answer: *done, or *fallback says why the GPU did not, or it is an error. */
knng_status knng_link_settle(knng_status status, bool *done, knng_err *fallback, knng_err *err);

/* knng_link_distances of the n (n - 1) / 2 distances y, n >= 2, as knng_link_on has it; of the host no more than
 * max_memory bytes, 0: what there is. */
knng_status knng_link_distances_on(const knng_link_device *device, knng_task *task, int64_t n, const double *y,
				   knng_link method, double max_memory, double *Z, knng_err *err);

/* Whether a table of n rows is worth a GPU. */
bool knng_link_worth(int64_t n);

#endif
