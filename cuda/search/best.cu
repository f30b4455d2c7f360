/* best.cu  The k best of each list: chosen, sorted and packed for the host, merged with those of other devices. */
#include "cuda/search/lists.h"

/* A block a list: the k best in front. The bits of distances are in order, since none is negative. */
__global__ static void
best_kernel(lists l, int64_t first, int32_t *number)
{
	__shared__ histogram h;
	int64_t i = l.pending[first + blockIdx.x], n = l.used[i], kept = n;
	bool escalates = l.threshold[i] == CUDART_INF;
	if (threadIdx.x == 0)
		atomicAdd(l.refined, (unsigned long long)(n + l.spent[i]));
	__syncthreads();
	if (!escalates && n > l.k) {
		place p = block_select(l.key + i * l.capacity, l.column + i * l.capacity, n, l.k, 8, true, true, &h);
		kept = keep(l, i, n, [&](uint64_t key, int32_t column, int64_t) {
			return key < p.key || (key == p.key && column <= p.column);
		});
		if (threadIdx.x == 0)
			l.used[i] = (int)kept;
	}
	if (threadIdx.x == 0)
		number[blockIdx.x] = escalates ? -1 : (int32_t)kept;
}

/* Puts n entries in order by exchanges that all have the lesser one in front, as if they were a power of two: those
 * beyond n would be larger than any, and never move. All threads of a block. */
template <typename INDEX>
__device__ static inline void
block_sort(uint64_t *keys, int32_t *columns, INDEX n)
{
	for (INDEX size = 2; size / 2 < n; size *= 2)
		for (INDEX step = size / 2; step > 0; step /= 2) {
			__syncthreads();
			for (INDEX t = threadIdx.x, low; (low = 2 * t - (t & (step - 1))) < n; t += blockDim.x) {
				INDEX high = step == size / 2 ? low ^ (size - 1) : low + step;
				if (high >= n)
					continue;
				uint64_t a = keys[low], b = keys[high];
				int32_t aj = columns[low], bj = columns[high];
				if (b < a || (b == a && bj < aj)) {
					keys[low] = b;
					keys[high] = a;
					columns[low] = bj;
					columns[high] = aj;
				}
			}
		}
	__syncthreads();
}

/* A block a list, which is put in order: in shared memory, 12 bytes an answer, or where it goes. */
enum { SORTED = 2048 };
template <bool SHARED>
__global__ static void
pack_kernel(lists l, int64_t first, uint64_t *distance, int32_t *column)
{
	extern __shared__ uint64_t sorted[];
	int32_t *sorted_column = (int32_t *)(sorted + l.k);
	int64_t p = blockIdx.x, i = l.pending[first + p], n = l.used[i] < l.k ? l.used[i] : l.k;
	const uint64_t *keys = l.key + i * l.capacity;
	const int32_t *columns = l.column + i * l.capacity;
	distance += p * l.k;
	column += p * l.k;
	for (int64_t e = threadIdx.x; e < n; e += blockDim.x) {
		(SHARED ? sorted : distance)[e] = keys[e];
		(SHARED ? sorted_column : column)[e] = columns[e];
	}
	if (SHARED)
		block_sort(sorted, sorted_column, (int)n);
	else
		block_sort(distance, column, n);
	for (int64_t e = threadIdx.x; e < l.k; e += blockDim.x)
		if (SHARED || e >= n) {
			distance[e] = e < n ? sorted[e] : NO_ANSWER;
			column[e] = e < n ? sorted_column[e] : -1;
		}
}

/* A thread an answer. Its place among all of its row is how many come before it in each list; of equal ones those of
 * the list before. So each of the first k places is taken once. Grid: answers / 256, lists. The lists of a row are
 * looked at again and again, and stay in L1. */
__global__ static void
merge_kernel(char *parts, int64_t share, int64_t count, int64_t k)
{
	int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, all = count * k;
	int many = gridDim.y, mine = blockIdx.y;
	if (at >= all)
		return;
	uint64_t key = ((const uint64_t *)(parts + mine * share))[at];
	int32_t column = ((const int32_t *)(parts + mine * share + all * 8))[at];
	int64_t row = at / k * k, place = at - row;
	for (int i = 0; i < many && place < k; i++) {
		const uint64_t *keys = (const uint64_t *)(parts + i * share) + row;
		const int32_t *columns = (const int32_t *)(parts + i * share + all * 8) + row;
		int64_t before = 0, end = i == mine ? 0 : k - place; /* with more of them it has no place */
		while (before < end) {
			int64_t middle = before + (end - before) / 2;
			uint64_t other = keys[middle];
			if (other < key ||
			    (other == key && (columns[middle] < column || (columns[middle] == column && i < mine))))
				before = middle + 1;
			else
				end = middle;
		}
		place += before;
	}
	if (place < k) {
		((uint64_t *)(parts + many * share))[row + place] = key;
		((int32_t *)(parts + many * share + all * 8))[row + place] = column;
	}
}

/* ---------------------------------------------------------------- launchers */

void
launch_best(lists l, int64_t first, int64_t count, int32_t *number, cudaStream_t stream)
{
	best_kernel<<<(unsigned)count, BLOCK, 0, stream>>>(l, first, number);
}

void
launch_pack(lists l, int64_t first, int64_t count, char *packed, cudaStream_t stream)
{
	uint64_t *distance = (uint64_t *)packed;
	int32_t *column = (int32_t *)(packed + count * l.k * 8);
	unsigned threads = 32;
	while (threads < 256 && threads * 2 < l.k)
		threads *= 2;
	if (l.k <= SORTED)
		pack_kernel<true><<<(unsigned)count, threads, (size_t)l.k * 12, stream>>>(l, first, distance, column);
	else
		pack_kernel<false><<<(unsigned)count, 512, 0, stream>>>(l, first, distance, column);
}

void
launch_merge(char *parts, int n, int64_t share, int64_t count, int64_t k, cudaStream_t stream)
{
	merge_kernel<<<dim3(up(count * k, 256), (unsigned)n), 256, 0, stream>>>(parts, share, count, k);
}
