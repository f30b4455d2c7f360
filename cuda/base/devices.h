/* devices.h  The door to CUDA: every call is counted, and what a device keeps for the session is opened here. C-style
 * CUDA, in all of cuda/. */
#ifndef KNNG_CUDA_DEVICES_H
#define KNNG_CUDA_DEVICES_H

#include "base/plugin.h"

#include <cublas_v2.h>
#include <cuda_runtime.h>

extern const knng_host *host; /* set once, when the plugin opens */

/* Every CUDA or cuBLAS call of the backend: TRY (call) leaves `status` and goes to `out` when it fails or a test wants
 * it to; `err` and `device` must be in scope. */
#define TRY(call)                                                                                                      \
	do {                                                                                                           \
		status = host->fault() ? cuda_planted(device, #call, err) : cuda_check((call), device, #call, err);    \
		if (status != KNNG_OK)                                                                                 \
			goto out;                                                                                      \
	} while (0)
#define TRY_BLAS(call)                                                                                                 \
	do {                                                                                                           \
		status = host->fault() ? cuda_planted(device, #call, err) : blas_check((call), device, #call, err);    \
		if (status != KNNG_OK)                                                                                 \
			goto out;                                                                                      \
	} while (0)
/* After launches: their own errors. */
#define TRY_LAUNCH() TRY(cudaGetLastError())

/* What a call answers that a test lets fail: no memory, if it asks for some. */
knng_status cuda_planted(int device, const char *call, knng_err *err);
knng_status cuda_check(cudaError_t error, int device, const char *call, knng_err *err);
knng_status blas_check(cublasStatus_t error, int device, const char *call, knng_err *err);

enum { BUFFERS = 2 }; /* used alternately */

/* What a device keeps for the session: streams, handle, one arena that every run carves. No data is remembered. */
typedef struct {
	bool ready;
	cudaStream_t make, list; /* tiles are made on one stream, compared on the other */
	cudaEvent_t made[BUFFERS], compared[BUFFERS];
	cudaEvent_t sent[BUFFERS]; /* a pinned buffer was sent */
	cublasHandle_t blas;
	char *arena;
	int64_t arena_bytes, used;
	int64_t library_bytes; /* what cuBLAS took, measured; planned with LIBRARY_BYTES */
	uint64_t asked;        /* bit d: whether it reaches the memory of device d was asked, and arranged */
	char dead[160];        /* why it is not used again in this session, or empty */
} session;

enum { MAX_DEVICES = KNNG_MAX_DEVICES, BUFFER_BYTES = 24 << 20, LIBRARY_BYTES = 80 << 20 };

session *device_session(int device);
/* Streams, handle and an arena of at least `bytes` and, where a larger one was kept, at most `limit`. */
knng_status device_open(int device, int64_t bytes, int64_t limit, knng_err *err);
/* Gives all of that back. */
void device_close(int device);
/* Lets each of the devices copy from the others without the host, where the machine can. */
void devices_join(const int *devices, int n);
/* The next part of the arena, 256-byte aligned; the plan has counted it. */
void *device_carve(session *s, int64_t bytes);
/* BUFFERS pinned buffers of BUFFER_BYTES, kept for the session. */
knng_status buffers_open(char *buffers[BUFFERS], int device, knng_err *err);
void devices_release(void);

int devices_count(void);
const char *devices_why(void);
knng_status devices_describe(int device, knng_device_info *info, knng_err *err);

#endif
