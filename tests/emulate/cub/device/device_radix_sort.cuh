/* device_radix_sort.cuh  Sorting for tests/emulate/cuda_runtime.h. */
#ifndef EMULATED_CUB_H
#define EMULATED_CUB_H

#include "cuda_runtime.h"

#include <numeric>
#include <vector>

namespace cub
{
template <class T> struct DoubleBuffer {
	T *buffers[2];
	int selector;
	DoubleBuffer(T *a, T *b) : buffers{a, b}, selector(0)
	{
	}
	T *Current()
	{
		return buffers[selector];
	}
};

/* By the first `bits` bits of the keys, stable, into the other buffers. */
template <class K, class V>
static void
emulated_sort(const K *keys, const V *values, K *to_keys, V *to_values, int64_t n, int bits)
{
	std::vector<int64_t> order((size_t)n);
	std::iota(order.begin(), order.end(), (int64_t)0);
	K mask = bits >= (int)sizeof(K) * 8 ? ~(K)0 : ((K)1 << bits) - 1;
	std::stable_sort(order.begin(), order.end(),
			 [&](int64_t a, int64_t b) { return (keys[a] & mask) < (keys[b] & mask); });
	for (int64_t i = 0; i < n; i++) {
		to_keys[i] = keys[order[(size_t)i]];
		to_values[i] = values[order[(size_t)i]];
	}
}

struct DeviceRadixSort {
	template <class K, class V>
	static cudaError_t SortPairs(void *temporary, size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values,
				     int64_t n, int, int bits, cudaStream_t stream)
	{
		if (temporary == NULL) {
			bytes = 1;
			return cudaSuccess;
		}
		K *k = keys.Current(), *to_k = keys.buffers[1 - keys.selector];
		V *v = values.Current(), *to_v = values.buffers[1 - values.selector];
		emulated::push(stream, [=] { emulated_sort(k, v, to_k, to_v, n, bits); });
		keys.selector ^= 1;
		values.selector ^= 1;
		return cudaSuccess;
	}
};

struct DeviceSegmentedRadixSort {
	template <class K, class V, class O>
	static cudaError_t SortPairs(void *temporary, size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values,
				     int64_t, int64_t segments, O begins, O ends, int, int bits, cudaStream_t stream)
	{
		if (temporary == NULL) {
			bytes = 1;
			return cudaSuccess;
		}
		K *k = keys.Current(), *to_k = keys.buffers[1 - keys.selector];
		V *v = values.Current(), *to_v = values.buffers[1 - values.selector];
		emulated::push(stream, [=] {
			for (int64_t s = 0; s < segments; s++)
				emulated_sort(k + begins[s], v + begins[s], to_k + begins[s], to_v + begins[s],
					      ends[s] - begins[s], bits);
		});
		keys.selector ^= 1;
		values.selector ^= 1;
		return cudaSuccess;
	}
};
} // namespace cub

#endif
