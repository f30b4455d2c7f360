/* nanoflann.cpp  Times nanoflann's kd-tree on one matrix.
 *
 *     bench_nanoflann FILE n d k
 *
 * FILE is n x d double, row after row. Makes the tree (leaves of 10, the default) and asks for the k + 1 nearest of
 * each row, which is its own neighbour there. One thread. Prints the processor time of both together. */
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <nanoflann.hpp>
#include <vector>

struct rows {
	std::vector<double> x;
	size_t n, d;
	size_t kdtree_get_point_count() const
	{
		return n;
	}
	double kdtree_get_pt(size_t i, size_t l) const
	{
		return x[i * d + l];
	}
	template <class Box> bool kdtree_get_bbox(Box &) const
	{
		return false;
	}
};

typedef nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, rows>, rows, -1, size_t> tree_of_rows;

int
main(int argc, char **argv)
{
	if (argc != 5) {
		fprintf(stderr, "usage: bench_nanoflann FILE n d k\n");
		return 2;
	}
	rows r;
	r.n = strtoull(argv[2], NULL, 10);
	r.d = strtoull(argv[3], NULL, 10);
	size_t k = strtoull(argv[4], NULL, 10) + 1;
	r.x.resize(r.n * r.d);
	FILE *f = fopen(argv[1], "rb");
	if (f == NULL || fread(r.x.data(), sizeof(double), r.x.size(), f) != r.x.size()) {
		fprintf(stderr, "bench_nanoflann: cannot read %zu numbers from %s\n", r.x.size(), argv[1]);
		return 1;
	}
	fclose(f);
	clock_t start = clock();
	tree_of_rows tree((int)r.d, r, nanoflann::KDTreeSingleIndexAdaptorParams(10));
	tree.buildIndex();
	std::vector<size_t> idx(r.n * k);
	std::vector<double> dist(r.n * k);
	for (size_t i = 0; i < r.n; i++)
		tree.knnSearch(&r.x[i * r.d], k, &idx[i * k], &dist[i * k]);
	printf("%.6f\n", (double)(clock() - start) / CLOCKS_PER_SEC);
	return 0;
}
