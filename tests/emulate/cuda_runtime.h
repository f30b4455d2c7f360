/* cuda_runtime.h  As much of CUDA as knng uses, on the CPU: for tests of the CUDA backend where there is no GPU.
 *
 * Kernels run as they are written, block after block in some order; the threads of a block are fibers that give way at
 * barriers and in what warps do together, in an order that changes. Streams do their work when somebody waits for it,
 * and no sooner, so that a missing event or synchronisation shows. Memory comes filled with bytes that are no numbers.
 * What it cannot show: races that need two blocks, or two threads between barriers, at once; cuBLAS's own errors (they
 * are those of sums in single precision); speed. build.sh builds it. */
#ifndef EMULATED_CUDA_RUNTIME_H
#define EMULATED_CUDA_RUNTIME_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <tuple>

/* ---------------------------------------------------------------- language */

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define __shared__ static

using std::max;
using std::min;

struct dim3 {
	unsigned x, y, z;
	dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z)
	{
	}
};
struct float2 {
	float x, y;
};
struct float3 {
	float x, y, z;
};
struct alignas(16) float4 {
	float x, y, z, w;
};
struct alignas(16) int4 {
	int x, y, z, w;
};
struct alignas(16) uint4 {
	unsigned x, y, z, w;
};
struct alignas(8) uint2 {
	unsigned x, y;
};
struct alignas(16) ulonglong2 {
	unsigned long long x, y;
};
static inline uint2
make_uint2(unsigned x, unsigned y)
{
	return {x, y};
}
static inline float2
make_float2(float x, float y)
{
	return {x, y};
}
static inline float3
make_float3(float x, float y, float z)
{
	return {x, y, z};
}
static inline float4
make_float4(float x, float y, float z, float w)
{
	return {x, y, z, w};
}
static inline uint4
make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
	return {x, y, z, w};
}

/* The sum of what four bytes differ by. */
static inline unsigned
__vsadu4(unsigned a, unsigned b)
{
	unsigned sum = 0;
	for (int bit = 0; bit < 32; bit += 8) {
		int x = (int)(a >> bit & 255), y = (int)(b >> bit & 255);
		sum += (unsigned)(x > y ? x - y : y - x);
	}
	return sum;
}

typedef struct emulated_stream *cudaStream_t;
typedef struct emulated_event *cudaEvent_t;

namespace emulated
{
enum { WARP = 32 };
extern dim3 thread, block, threads, blocks;
extern unsigned char *shared; /* what a launch asks for */
/* Shared memory that is declared: no number when the first thread of a block comes to it. */
void fresh(void *variable, size_t bytes);
void barrier();
bool any(bool mine, bool all); /* of a block */
void warp_barrier();
int lane();
/* What another lane of the warp gives; and what all give, those that have ended none: a bit for each that is there. */
uint64_t exchange(uint64_t mine, int lane);
uint32_t gather(uint64_t mine, uint64_t all[WARP]);
void push(cudaStream_t stream, std::function<void()> work);
void run(dim3 grid, dim3 block, size_t bytes, const std::function<void()> &kernel);

template <class T>
T
shuffle(T mine, int lane)
{
	uint64_t bits = 0;
	memcpy(&bits, &mine, sizeof mine);
	bits = exchange(bits, lane);
	memcpy(&mine, &bits, sizeof mine);
	return mine;
}

template <class T, class F>
T
reduce(T mine, F both)
{
	uint64_t bits = 0, all[WARP];
	memcpy(&bits, &mine, sizeof mine);
	uint32_t there = gather(bits, all) & ~(1u << lane());
	for (int i = 0; i < WARP; i++) {
		T other;
		memcpy(&other, &all[i], sizeof other);
		if (there >> i & 1)
			mine = both(mine, other);
	}
	return mine;
}

template <class K> struct launch {
	dim3 grid, block;
	size_t bytes;
	cudaStream_t stream;
	K kernel;
	template <class... A> void operator()(A... a)
	{
		launch me = *this;
		auto arguments = std::make_tuple(a...);
		push(stream, [=] { run(me.grid, me.block, me.bytes, [&] { std::apply(me.kernel, arguments); }); });
	}
};
template <class K>
launch<K>
make_launch(dim3 grid, dim3 block, size_t bytes, cudaStream_t stream, K kernel)
{
	return {grid, block, bytes, stream, kernel};
}
} // namespace emulated

/* kernel<<<grid, block, bytes, stream>>>(...) */
#define EMULATED_LAUNCH(kernel, ...) emulated::make_launch(__VA_ARGS__, [=](const auto &...a) { kernel(a...); })

#define threadIdx (emulated::thread)
#define blockIdx (emulated::block)
#define blockDim (emulated::threads)
#define gridDim (emulated::blocks)
#define __syncthreads emulated::barrier
#define __syncwarp emulated::warp_barrier
#define __threadfence() /* one thread runs at a time */
#define __syncthreads_and(x) emulated::any(x, true)
#define __syncthreads_or(x) emulated::any(x, false)
#define __shfl_sync(mask, x, from) emulated::shuffle(x, from)
#define __shfl_xor_sync(mask, x, step) emulated::shuffle(x, emulated::lane() ^ (step))
#define __shfl_up_sync(mask, x, step)                                                                                  \
	emulated::shuffle(x, emulated::lane() >= (step) ? emulated::lane() - (step) : emulated::lane())
#define __reduce_add_sync(mask, x) emulated::reduce(x, [](auto a, auto b) { return a + b; })
#define __reduce_min_sync(mask, x) emulated::reduce(x, [](auto a, auto b) { return a < b ? a : b; })
#define __reduce_max_sync(mask, x) emulated::reduce(x, [](auto a, auto b) { return a < b ? b : a; })
static inline unsigned
__ballot_sync(unsigned, bool mine)
{
	return emulated::reduce((unsigned)mine << emulated::lane(), [](unsigned a, unsigned b) { return a | b; });
}

template <class T, class U>
static inline T
atomicAdd(T *p, U x)
{
	T before = *p;
	*p += (T)x;
	return before;
}
template <class T>
static inline T
atomicOr(T *p, T x)
{
	T before = *p;
	*p |= x;
	return before;
}
template <class T>
static inline T
atomicMax(T *p, T x)
{
	T before = *p;
	*p = before < x ? x : before;
	return before;
}
template <class T>
static inline T
atomicCAS(T *p, T expected, T x)
{
	T before = *p;
	*p = before == expected ? x : before;
	return before;
}

/* ---------------------------------------------------------------- arithmetic */

template <class To, class From>
static inline To
emulated_bits(From x)
{
	To y;
	static_assert(sizeof x == sizeof y, "of one size");
	memcpy(&y, &x, sizeof y);
	return y;
}
#define __double_as_longlong(x) emulated_bits<long long>((double)(x))
#define __longlong_as_double(x) emulated_bits<double>((long long)(x))
#define __float_as_uint(x) emulated_bits<unsigned>((float)(x))
#define __uint_as_float(x) emulated_bits<float>((unsigned)(x))
#define __int_as_float(x) emulated_bits<float>((int)(x))
#define __dadd_rn(a, b) ((double)(a) + (double)(b))
#define __dsub_rn(a, b) ((double)(a) - (double)(b))
#define __dmul_rn(a, b) ((double)(a) * (double)(b))
#define __ddiv_rn(a, b) ((double)(a) / (double)(b))
#define __drcp_rn(a) (1 / (double)(a))
#define __dsqrt_rn(a) sqrt((double)(a))
#define __fma_rn(a, b, c) fma(a, b, c)
#define __fmaf_rn(a, b, c) fmaf(a, b, c)
#define __logf(x) logf(x)
/* Those of the C library are called for each number. What is a number goes before what is none. */
template <class T>
static inline T
emulated_larger(T a, T b)
{
	return a > b || b != b ? a : b;
}
template <class T>
static inline T
emulated_smaller(T a, T b)
{
	return a < b || b != b ? a : b;
}
#define fmaxf(...) emulated_larger<float>(__VA_ARGS__)
#define fminf(...) emulated_smaller<float>(__VA_ARGS__)
#define fmax(...) emulated_larger<double>(__VA_ARGS__)
#define fmin(...) emulated_smaller<double>(__VA_ARGS__)
static inline double
rsqrt(double x)
{
	return 1 / sqrt(x);
}
static inline float
rsqrtf(float x)
{
	return 1 / sqrtf(x);
}
#define __fdividef(a, b) ((float)(a) / (float)(b))
static inline float
__saturatef(float x)
{
	return x > 1 ? 1 : x > 0 ? x : 0; /* NaN becomes 0 */
}
#define __popc(x) __builtin_popcount(x)
#define __ffs(x) __builtin_ffs(x)
static inline int
__clz(int x)
{
	return x == 0 ? 32 : __builtin_clz((unsigned)x);
}
static inline int
__clzll(long long x)
{
	return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
template <class T>
static inline T
__ldcs(const T *p)
{
	return *p;
}
#define __ldg __ldcs
#define __ldcg __ldcs
static inline double
__dsub_rd(double a, double b)
{
	double s = a - b, part = s - a, lost = (a - (s - part)) + (-b - part);
	return std::isfinite(s) && lost < 0 ? nextafter(s, -INFINITY) : s;
}
static inline float
__double2float_rd(double x)
{
	float f = (float)x;
	return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static inline float
__double2float_ru(double x)
{
	return -__double2float_rd(-x);
}

static inline float
__double2float_rn(double x)
{
	return (float)x;
}
static inline float
__fadd_rn(float a, float b)
{
	return a + b;
}

static inline float
__fadd_rd(float a, float b)
{
	return __double2float_rd(__dsub_rd(a, -(double)b));
}
static inline float
__fsub_rn(float a, float b)
{
	return a - b;
}

/* ---------------------------------------------------------------- runtime */

typedef int cudaError_t;
enum {
	cudaSuccess = 0,
	cudaErrorInvalidValue = 1,
	cudaErrorMemoryAllocation = 2,
	cudaErrorInvalidConfiguration = 9,
	cudaErrorInsufficientDriver = 35,
	cudaErrorInvalidDeviceFunction = 98,
	cudaErrorNoDevice = 100,
	cudaErrorLaunchOutOfResources = 701,
	cudaErrorContextIsDestroyed = 709
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2, cudaHostAllocPortable = 1 };
enum { cudaFuncAttributeMaxDynamicSharedMemorySize };
struct cudaUUID_t {
	char bytes[16];
};
struct cudaDeviceProp {
	char name[256];
	cudaUUID_t uuid;
	int major, minor;
};
struct cudaFuncAttributes {
	int binaryVersion;
};
template <class F>
static inline cudaError_t
cudaFuncGetAttributes(cudaFuncAttributes *, F)
{
	return cudaSuccess;
}
template <class F>
static inline cudaError_t
cudaFuncSetAttribute(F, int, int)
{
	return cudaSuccess;
}
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int *n);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaMalloc(void **p, size_t bytes);
cudaError_t cudaFree(void *p);
cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t s);
cudaError_t cudaStreamSynchronize(cudaStream_t s);
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t e);
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s);
cudaError_t cudaEventSynchronize(cudaEvent_t e);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t s);
cudaError_t cudaMemcpyPeerAsync(void *to, int device, const void *from, int other, size_t bytes, cudaStream_t s);
cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t s);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int other);
cudaError_t cudaDeviceEnablePeerAccess(int other, unsigned flags);

#endif
