/* select.cu  Times the top-k selection kernel on the workload of docs/performance.md: the k smallest of each of 8192
 * lines of 65536 single numbers, data and answers on the device; `make bench-gpu` runs it. Three arrays in turn, so
 * that none is in a cache. The median of nine runs, beside the time to read the bytes once. A line of each answer is
 * compared with a sort on the host. */
#include "cuda/topk/select.h"

#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

enum { LINES = 8192, N = 65536, ARRAYS = 3, RUNS = 9, MOST = 2048 };

static void
check(cudaError_t error)
{
	if (error == cudaSuccess)
		return;
	printf("%s\n", cudaGetErrorString(error));
	exit(1);
}

/* Normal numbers from a counter: a hash gives two uniform ones. Also data that are hard to select from. */
enum { NORMAL, UNIFORM, EQUAL, TEN_VALUES, RISING, FALLING, KINDS };
static const char *const names[] = {"normal", "uniform", "equal", "ten values", "rising", "falling"};

__global__ static void
fill_kernel(float *x, int64_t count, uint64_t seed, int kind)
{
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < count;
	     i += gridDim.x * (int64_t)blockDim.x) {
		uint64_t h = ((uint64_t)i + seed) * 0x9e3779b97f4a7c15u;
		h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
		h = (h ^ h >> 27) * 0x94d049bb133111ebu;
		h ^= h >> 31;
		float u = ((float)(h >> 40) + 0.5f) * 0x1p-24f, v = (float)(h & 0xffffff) * 0x1p-24f;
		float normal = sqrtf(-2 * logf(u)) * cospif(2 * v), at = (float)(i % N);
		x[i] = kind == NORMAL       ? normal
		       : kind == UNIFORM    ? u
		       : kind == EQUAL      ? 1
		       : kind == TEN_VALUES ? floorf(10 * u)
		       : kind == RISING     ? at
					    : -at;
	}
}

/* Adds up all numbers, to time how long reading takes. */
__global__ static void
read_kernel(const uint4 *x, int64_t count, unsigned *sum)
{
	unsigned a = 0;
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < count;
	     i += gridDim.x * (int64_t)blockDim.x) {
		uint4 v = x[i];
		a += v.x ^ v.y ^ v.z ^ v.w;
	}
	if (a == 0x12345678)
		*sum = a;
}

static float *arrays[ARRAYS];
static selecting chosen;
static unsigned *sum;

static void
selection(int turn)
{
	chosen.x = arrays[turn % ARRAYS];
	check(launch_select(chosen, 0));
}

static void
reading(int turn)
{
	read_kernel<<<132 * 16, 512>>>((const uint4 *)arrays[turn % ARRAYS], (int64_t)LINES * N / 4, sum);
}

static float
milliseconds(void (*work)(int turn))
{
	float times[RUNS];
	cudaEvent_t from, to;
	check(cudaEventCreate(&from));
	check(cudaEventCreate(&to));
	for (int r = -2; r < RUNS; r++) {
		check(cudaEventRecord(from));
		work(r + 2);
		check(cudaEventRecord(to));
		check(cudaEventSynchronize(to));
		if (r >= 0)
			check(cudaEventElapsedTime(&times[r], from, to));
	}
	std::sort(times, times + RUNS);
	return times[RUNS / 2];
}

static bool
right(int line)
{
	static float x[N], v[MOST];
	static uint32_t at[MOST];
	std::vector<uint32_t> order(N);
	const size_t k = (size_t)chosen.k;
	check(cudaMemcpy(x, (const float *)chosen.x + (int64_t)line * N, sizeof x, cudaMemcpyDeviceToHost));
	check(cudaMemcpy(v, (const float *)chosen.values + line * chosen.k, k * sizeof *v, cudaMemcpyDeviceToHost));
	check(cudaMemcpy(at, chosen.index + line * chosen.k, k * sizeof *at, cudaMemcpyDeviceToHost));
	for (uint32_t e = 0; e < N; e++)
		order[e] = e;
	std::stable_sort(order.begin(), order.end(), [](uint32_t a, uint32_t b) { return x[a] < x[b]; });
	for (size_t r = 0; r < k; r++)
		if (at[r] != order[r] || v[r] != x[at[r]])
			return false;
	return true;
}

int
main(void)
{
	static const int64_t ks[] = {1, 20, 64, 256, 512, 1024, 2048};
	bool fine = true;
	cudaDeviceProp device;
	check(cudaGetDeviceProperties(&device, 0));
	for (int a = 0; a < ARRAYS; a++) {
		check(cudaMalloc((void **)&arrays[a], (size_t)LINES * N * sizeof **arrays));
	}
	check(cudaMalloc((void **)&sum, sizeof *sum));
	chosen.kind = KNNG_KEYS_F32;
	chosen.lines = LINES;
	chosen.n = chosen.length = chosen.pitch = N;
	chosen.rank_step = 1;
	check(cudaMalloc(&chosen.values, (size_t)LINES * MOST * 4));
	check(cudaMalloc((void **)&chosen.index, (size_t)LINES * MOST * 4));
	const float floor = milliseconds(reading);
	printf("%s: the k first of %d lines of %d; reading them once takes %.3f ms\n", device.name, LINES, N, floor);
	for (int kind = 0; kind < KINDS; kind++) {
		for (int a = 0; a < ARRAYS; a++)
			fill_kernel<<<4096, 256>>>(arrays[a], (int64_t)LINES * N, (uint64_t)a << 40, kind);
		for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
			chosen.k = chosen.line_step = ks[i];
			if (kind != NORMAL && ks[i] != 512)
				continue;
			float ms = milliseconds(selection);
			bool same = right((int)(i * 1171 % LINES));
			fine = fine && same;
			printf("%-10s k = %4lld: %.3f ms, %.2f times reading, %s\n", names[kind], (long long)ks[i], ms,
			       ms / floor, same ? "right" : "WRONG");
		}
	}
	check(cudaDeviceSynchronize());
	return !fine;
}
