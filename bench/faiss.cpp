/* faiss.cpp  Times FAISS-CPU's exact index on one matrix.
 *
 *     bench_faiss FILE n d k l2|ip RUNS
 *
 * FILE is n x d float32, row after row. One run makes an IndexFlat, adds the rows and asks for the k + 1 nearest of
 * each (FAISS counts a row as its own neighbour). After one run to warm up, prints the median wall time of RUNS runs
 * and the number of threads. */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <faiss/IndexFlat.h>
#include <omp.h>
#include <vector>

static double
run(faiss::Index::idx_t n, int d, int k, faiss::MetricType metric, const std::vector<float> &x,
    std::vector<float> &dist, std::vector<faiss::Index::idx_t> &idx)
{
	auto start = std::chrono::steady_clock::now();
	faiss::IndexFlat index(d, metric);
	index.add(n, x.data());
	index.search(n, x.data(), k, dist.data(), idx.data());
	return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int
main(int argc, char **argv)
try {
	if (argc != 7) {
		fprintf(stderr, "usage: bench_faiss FILE n d k l2|ip RUNS\n");
		return 2;
	}
	faiss::Index::idx_t n = atoll(argv[2]);
	int d = atoi(argv[3]), k = atoi(argv[4]) + 1, runs = std::max(1, atoi(argv[6]));
	faiss::MetricType metric = strcmp(argv[5], "ip") == 0 ? faiss::METRIC_INNER_PRODUCT : faiss::METRIC_L2;

	std::vector<float> x((size_t)n * d), dist((size_t)n * k);
	std::vector<faiss::Index::idx_t> idx((size_t)n * k);
	FILE *f = fopen(argv[1], "rb");
	if (f == NULL || fread(x.data(), sizeof(float), x.size(), f) != x.size()) {
		fprintf(stderr, "bench_faiss: cannot read %zu numbers from %s\n", x.size(), argv[1]);
		return 1;
	}
	fclose(f);

	run(n, d, k, metric, x, dist, idx);
	std::vector<double> seconds;
	for (int i = 0; i < runs; i++)
		seconds.push_back(run(n, d, k, metric, x, dist, idx));
	std::sort(seconds.begin(), seconds.end());
	printf("%.6f %d\n", seconds[seconds.size() / 2], omp_get_max_threads());
	return 0;
} catch (const std::exception &e) {
	fprintf(stderr, "bench_faiss: %s\n", e.what());
	return 1;
}
