/* linkage_centres.h  Trees of rows by the centres of nodes, on the processor or on a GPU. */
#ifndef KNNG_LINKAGE_CENTRES_H
#define KNNG_LINKAGE_CENTRES_H

#include "base/plugin.h"
#include "rows/linkage_points.h"

/* knng_link_points by centres. */
knng_status knng_link_centres(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_link method,
			      double max_memory, double *Z, knng_err *err);

/* The same with the centres on a GPU, to the last bit. *done: false, and Z is undefined, where the CPU is asked for, is
 * as fast, or has to, since the GPU failed or lacks memory, as *fallback says then; its id is empty else. max_memory,
 * max_device_memory: bytes of the host and of the GPU; 0: what they have. Errors: those of knng_link_points,
 * knng:args:device, knng:device:none. Memory of the GPU: 12 n d bytes and 20 n, kept for the session. */
knng_status knng_link_centres_on_gpu(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_link method,
				     const knng_devices *device, double max_memory, double max_device_memory, double *Z,
				     bool *done, knng_err *fallback, knng_err *err);

/* Nodes of a panel. Element l of the centre at place p is number p / PANEL * PANEL * d + l * PANEL + p % PANEL. */
enum { KNNG_CENTRES_PANEL = 64 };

/* What the CUDA plugin does for it: it keeps centres at places 0 to n - 1, and how many rows are in each, 1 at first, 0
 * of empty places. KNNG_EDEVICE: the device cannot, or failed. */
#define KNNG_CENTRES_ROOM "centres"
typedef struct {
	/* centres: whole panels. ward: what is asked for is weighted by the rows in both. *work is to be closed in any
	 * case. */
	knng_status (*open)(const double *centres, int64_t n, int64_t d, bool ward, int device, double max_memory,
			    void **work, knng_err *err);
	/* knng_nearness, by the same names; the node at b goes into that at a, whose share in it is p. */
	knng_status (*row)(void *work, int64_t a, int64_t count, double *near, knng_err *err);
	knng_status (*nearest)(void *work, int64_t a, int64_t count, int64_t other, knng_nearest *found, knng_err *err);
	knng_status (*join)(void *work, int64_t a, int64_t b, double p, knng_err *err);
	/* The node at from[i] comes to place i < n. */
	knng_status (*close_up)(void *work, const int32_t *from, int64_t n, knng_err *err);
	void (*close)(void *work);
} knng_centres_gpu;

#endif
