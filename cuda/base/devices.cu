/* devices.cu  The counted door to CUDA: errors, sessions of devices, arenas, pinned buffers, and the plugin's entry. */
#include "cuda/base/devices.h"

#include <stdio.h>
#include <string.h>

const knng_host *host;

static session sessions[MAX_DEVICES];
static char *pinned[BUFFERS];
static char why_none[160];

/* After these the context is lost: nothing in this process can use the device again. */
static bool
fatal(cudaError_t error)
{
	switch (error) {
	case cudaErrorMemoryAllocation:
	case cudaErrorInvalidValue:
	case cudaErrorInvalidConfiguration:
	case cudaErrorLaunchOutOfResources:
		return false;
	default:
		return true;
	}
}

knng_status
cuda_check(cudaError_t error, int device, const char *call, knng_err *err)
{
	if (error == cudaSuccess)
		return KNNG_OK;
	cudaGetLastError(); /* an error that is not sticky is forgotten */
	if (error == cudaErrorMemoryAllocation)
		return host->fail(err, KNNG_EDEVICE, "knng:device:memory", "GPU %d has not enough free memory",
				  device + 1);
	if (fatal(error) && device >= 0 && device < MAX_DEVICES)
		snprintf(sessions[device].dead, sizeof sessions[device].dead, "%.150s", cudaGetErrorString(error));
	return host->fail(err, KNNG_EDEVICE, "knng:device:failed", "GPU %d failed: %s (%.60s)", device + 1,
			  cudaGetErrorString(error), call);
}

knng_status
cuda_planted(int device, const char *call, knng_err *err)
{
	if (strstr(call, "Alloc") != NULL || strstr(call, "Malloc") != NULL)
		return cuda_check(cudaErrorMemoryAllocation, device, call, err);
	return host->fail(err, KNNG_EDEVICE, "knng:device:failed", "a CUDA call was made to fail by a test");
}

knng_status
blas_check(cublasStatus_t error, int device, const char *call, knng_err *err)
{
	if (error == CUBLAS_STATUS_SUCCESS)
		return KNNG_OK;
	if (error == CUBLAS_STATUS_ALLOC_FAILED)
		return host->fail(err, KNNG_EDEVICE, "knng:device:memory", "GPU %d has not enough free memory",
				  device + 1);
	/* Where a kernel had failed before, that is the reason, and it may be the end of the context. */
	cudaError_t before = cudaPeekAtLastError();
	if (before != cudaSuccess)
		return cuda_check(before, device, call, err);
	return host->fail(err, KNNG_EDEVICE, "knng:device:failed", "GPU %d failed: %s (%.60s)", device + 1,
			  cublasGetStatusString(error), call);
}

session *
device_session(int device)
{
	return &sessions[device];
}

void
device_close(int device)
{
	session *s = &sessions[device];
	if (!s->ready && s->arena == NULL && s->blas == NULL && s->make == NULL && s->list == NULL)
		return;
	cudaSetDevice(device);
	if (s->blas != NULL) {
		cublasDestroy(s->blas);
		host->live(-1);
	}
	for (int b = 0; b < BUFFERS; b++) {
		cudaEvent_t *events[] = {&s->made[b], &s->compared[b], &s->sent[b]};
		for (int e = 0; e < 3; e++)
			if (*events[e] != NULL) {
				cudaEventDestroy(*events[e]);
				host->live(-1);
			}
	}
	cudaStream_t streams[] = {s->make, s->list};
	for (int t = 0; t < 2; t++)
		if (streams[t] != NULL) {
			cudaStreamDestroy(streams[t]);
			host->live(-1);
		}
	if (s->arena != NULL) {
		cudaFree(s->arena);
		host->live(-1);
	}
	char dead[sizeof s->dead];
	memcpy(dead, s->dead, sizeof dead);
	memset(s, 0, sizeof *s);
	memcpy(s->dead, dead, sizeof dead);
	cudaGetLastError();
}

#ifdef KNNG_SEPARATE
/* For compute-sanitizer: every part is an allocation of its own, so that it sees where each ends. */
static void *parts[MAX_DEVICES][64];
static int nparts[MAX_DEVICES];

void *
device_carve(session *s, int64_t bytes)
{
	void *p = NULL;
	int64_t device = s - sessions;
	if (nparts[device] < 64 && cudaMalloc(&p, (size_t)(bytes > 0 ? bytes : 1)) == cudaSuccess)
		parts[device][nparts[device]++] = p;
	return p;
}

static void
free_parts(int device)
{
	while (nparts[device] > 0)
		cudaFree(parts[device][--nparts[device]]);
}
#else
static void
free_parts(int device)
{
	(void)device;
}

void *
device_carve(session *s, int64_t bytes)
{
	char *p = s->arena + s->used;
	s->used += (bytes + 255) / 256 * 256;
	return p;
}
#endif

knng_status
device_open(int device, int64_t bytes, int64_t limit, knng_err *err)
{
	session *s = &sessions[device];
	knng_status status = KNNG_OK;
	size_t before = 0, after = 0, total = 0;
	TRY(cudaSetDevice(device));
	if (!s->ready) {
		TRY(cudaStreamCreateWithFlags(&s->make, cudaStreamNonBlocking));
		host->live(1);
		TRY(cudaStreamCreateWithFlags(&s->list, cudaStreamNonBlocking));
		host->live(1);
		for (int b = 0; b < BUFFERS; b++) {
			TRY(cudaEventCreateWithFlags(&s->made[b], cudaEventDisableTiming));
			host->live(1);
			TRY(cudaEventCreateWithFlags(&s->compared[b], cudaEventDisableTiming));
			host->live(1);
			TRY(cudaEventCreateWithFlags(&s->sent[b], cudaEventDisableTiming));
			host->live(1);
		}
		TRY(cudaMemGetInfo(&before, &total));
		TRY_BLAS(cublasCreate(&s->blas));
		host->live(1);
		TRY(cudaMemGetInfo(&after, &total));
		s->library_bytes = before > after ? (int64_t)(before - after) : 0;
		TRY_BLAS(cublasSetMathMode(s->blas, CUBLAS_PEDANTIC_MATH));
		TRY_BLAS(cublasSetStream(s->blas, s->make));
		s->ready = true;
	}
	if (s->arena_bytes < bytes || s->arena_bytes > limit) {
		if (s->arena != NULL) {
			cudaFree(s->arena);
			host->live(-1);
			s->arena = NULL;
			s->arena_bytes = 0;
		}
		TRY(cudaMalloc((void **)&s->arena, (size_t)bytes));
		host->live(1);
		s->arena_bytes = bytes;
	}
	s->used = 0;
	free_parts(device);
out:
	if (status != KNNG_OK && !s->ready)
		device_close(device);
	return status;
}

/* Where this fails copies go by way of the host, and are as good; if a device is lost the next call says so. What was
 * arranged stays when the session ends, since other libraries of the process may count on it. */
void
devices_join(const int *devices, int n)
{
	for (int i = 0; i < n; i++)
		for (int o = 0; o < n; o++) {
			session *s = &sessions[devices[i]];
			int can = 0;
			if (o == i || (s->asked >> devices[o] & 1) != 0)
				continue;
			s->asked |= (uint64_t)1 << devices[o];
			if (!host->fault() && cudaSetDevice(devices[i]) == cudaSuccess &&
			    cudaDeviceCanAccessPeer(&can, devices[i], devices[o]) == cudaSuccess && can != 0)
				cudaDeviceEnablePeerAccess(devices[o], 0);
			cudaGetLastError();
		}
}

knng_status
buffers_open(char *buffers[BUFFERS], int device, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int b = 0; b < BUFFERS; b++) {
		if (pinned[b] == NULL) {
			TRY(cudaHostAlloc((void **)&pinned[b], BUFFER_BYTES, cudaHostAllocPortable));
			host->live(1);
		}
		buffers[b] = pinned[b];
	}
out:
	return status;
}

void
devices_release(void)
{
	for (int device = 0; device < MAX_DEVICES; device++)
		device_close(device);
	for (int b = 0; b < BUFFERS; b++)
		if (pinned[b] != NULL) {
			cudaFreeHost(pinned[b]);
			pinned[b] = NULL;
			host->live(-1);
		}
}

int
devices_count(void)
{
	int n = 0;
	cudaError_t error = host->fault() ? cudaErrorNoDevice : cudaGetDeviceCount(&n);
	cudaGetLastError();
	why_none[0] = 0;
	if (error != cudaSuccess || n == 0) {
		snprintf(why_none, sizeof why_none, "%s",
			 error == cudaErrorInsufficientDriver
				 ? "no NVIDIA driver is loaded, or it is older than this build needs"
			 : error == cudaErrorNoDevice || n == 0 ? "the machine has no NVIDIA GPU that the driver shows"
								: cudaGetErrorString(error));
		return 0;
	}
	return n < MAX_DEVICES ? n : MAX_DEVICES;
}

const char *
devices_why(void)
{
	return why_none;
}

__global__ static void
probe_kernel(void)
{
}

knng_status
devices_describe(int device, knng_device_info *info, knng_err *err)
{
	static knng_device_info known[MAX_DEVICES];
	knng_status status = KNNG_OK;
	cudaDeviceProp properties;
	cudaFuncAttributes attributes;
	size_t free_bytes = 0, total = 0;
	memset(info, 0, sizeof *info);
	if (sessions[device].dead[0] != 0) {
		snprintf(info->problem, sizeof info->problem, "it failed earlier in this session (%.100s)",
			 sessions[device].dead);
		return KNNG_OK;
	}
	TRY(cudaSetDevice(device));
	if (known[device].name[0] == 0) { /* does not change */
		TRY(cudaGetDeviceProperties(&properties, device));
		snprintf(known[device].name, sizeof known[device].name, "%.90s", properties.name);
		memcpy(known[device].uuid, properties.uuid.bytes, sizeof known[device].uuid);
		known[device].major = properties.major;
		known[device].minor = properties.minor;
	}
	*info = known[device];
	if ((host->fault() ? cudaErrorInvalidDeviceFunction : cudaFuncGetAttributes(&attributes, probe_kernel)) !=
	    cudaSuccess) {
		cudaGetLastError();
		snprintf(info->problem, sizeof info->problem, "this build has no code for its compute capability %d.%d",
			 info->major, info->minor);
		return KNNG_OK;
	}
	TRY(cudaMemGetInfo(&free_bytes, &total));
	/* The arena that an earlier run left is ours to use. */
	info->free = (double)free_bytes + (double)sessions[device].arena_bytes;
	info->total = (double)total;
out:
	return status;
}
