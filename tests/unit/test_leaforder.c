/* test_leaforder.c  The order of leaves against all orders that the tree has, the tree against average linkage in plain
 * loops, every number of threads, and failures. */
#include "base/sys.h"
#include "graph/leaforder.h"
#include "knng.h"
#include "testing.h"

static double *
make_distances(int64_t n, int kind)
{
	double *D = room(n * n, sizeof *D);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j <= i; j++) {
			double v = kind == 0   ? random_unit()
				   : kind == 1 ? (double)random_below(4)        /* many ties */
					       : fabs((double)(i * i - j * j)); /* a chain */
			D[i * n + j] = D[j * n + i] = i == j ? 0 : v;
		}
	return D;
}

static double
length_of(int64_t n, const double *D, const int64_t *order)
{
	double sum = 0;
	for (int64_t p = 1; p < n; p++)
		sum += D[order[p - 1] * n + order[p]];
	return sum;
}

/* Writes the leaves of node v; bit s - n of flips says whether the children of step s change places. */
static int64_t
unfold(int64_t n, const int64_t *tree, int64_t v, uint64_t flips, int64_t *order)
{
	if (v < n) {
		*order = v;
		return 1;
	}
	int64_t flip = (int64_t)(flips >> (v - n) & 1);
	int64_t count = unfold(n, tree, tree[2 * (v - n) + flip], flips, order);
	return count + unfold(n, tree, tree[2 * (v - n) + 1 - flip], flips, order + count);
}

/* Each step of average linkage joins two nodes whose mean distance is the least that either has to any other node. */
static bool
is_average_linkage(int64_t n, const double *D, const int64_t *tree)
{
	bool right = true;
	int64_t *of = room(n, sizeof *of); /* the node of each leaf */
	double *mean = room(2 * n, sizeof *mean), *count = room(2 * n, sizeof *count);
	for (int64_t i = 0; i < n; i++)
		of[i] = i;
	for (int64_t s = 0; s < n - 1; s++) {
		double joined = 0;
		for (int side = 0; side < 2; side++) {
			int64_t a = tree[2 * s + side], b = tree[2 * s + 1 - side];
			memset(mean, 0, (size_t)(2 * n) * sizeof *mean);
			memset(count, 0, (size_t)(2 * n) * sizeof *count);
			for (int64_t i = 0; i < n; i++)
				for (int64_t j = 0; j < n; j++)
					if (of[i] == a && of[j] != a) {
						mean[of[j]] += D[i * n + j];
						count[of[j]]++;
					}
			joined = mean[b] / count[b];
			for (int64_t v = 0; v < 2 * n; v++)
				right = right && (count[v] == 0 || mean[v] / count[v] >= joined - 1e-9 * (1 + joined));
		}
		for (int64_t i = 0; i < n; i++)
			if (of[i] == tree[2 * s] || of[i] == tree[2 * s + 1])
				of[i] = n + s;
	}
	free(of);
	free(mean);
	free(count);
	return right;
}

static void
test_order(int64_t n, int kind)
{
	double *D = make_distances(n, kind), length = -1, again = -1, least = INFINITY;
	int64_t *order = room(n, sizeof *order), *other = room(n, sizeof *other);
	int64_t *tree = room(2 * n, sizeof *tree);
	knng_err err = {0};
	knng_task task = {0};
	task.threads = 1;
	CHECK(knng_leaf_order(&task, n, D, NULL, order, &length, tree, &err) == KNNG_OK, "%s", err.text);
	CHECK(fabs(length - length_of(n, D, order)) <= 1e-9 * (1 + length), "%g, %g", length, length_of(n, D, order));
	bool *seen = calloc((size_t)n + 1, sizeof *seen);
	for (int64_t i = 0; i < n; i++)
		seen[order[i] >= 0 && order[i] < n ? order[i] : n] = true;
	for (int64_t i = 0; i < n; i++)
		CHECK(seen[i], "leaf %lld is lost", (long long)i);
	free(seen);
	CHECK(knng_leaf_order(&task, n, D, tree, other, &again, NULL, &err) == KNNG_OK && again == length &&
		      memcmp(order, other, (size_t)n * sizeof *order) == 0,
	      "%lld leaves of a given tree", (long long)n);
	CHECK(is_average_linkage(n, D, tree), "%lld leaves, kind %d", (long long)n, kind);
	for (uint64_t flips = 0; n <= 11 && flips >> (n - 1) == 0; flips++) {
		unfold(n, tree, 2 * n - 2, flips, other);
		double l = length_of(n, D, other);
		least = l < least ? l : least;
	}
	CHECK(n > 11 || fabs(length - least) <= 1e-12 * (1 + least), "%lld leaves, kind %d: %g, but %g is possible",
	      (long long)n, kind, length, least);

	task.threads = 4;
	CHECK(knng_leaf_order(&task, n, D, NULL, other, &again, NULL, &err) == KNNG_OK &&
		      bits_of(again) == bits_of(length) && memcmp(order, other, (size_t)n * sizeof *order) == 0,
	      "%lld leaves, 4 threads", (long long)n);
	int64_t live = knng_sys().live, nth = 0;
	knng_status status = KNNG_EMEMORY;
	while (status == KNNG_EMEMORY && nth < 100) {
		knng_sys_fail_at(++nth);
		status = knng_leaf_order(&task, n, D, NULL, other, NULL, NULL, &err);
		CHECK(knng_sys().live == live, "call %lld", (long long)nth);
	}
	knng_sys_fail_at(0);
	CHECK(status == KNNG_OK && nth == 9, "%lld calls", (long long)nth);
	free(D);
	free(order);
	free(other);
	free(tree);
}

/* What the machine does not have is not claimed. */
static void
test_memory(void)
{
	double *D = make_distances(40, 0);
	int64_t order[40];
	knng_err err = {0};
	knng_task task = {0};
	knng_memory_set_available(20e3);
	CHECK(knng_leaf_order(&task, 40, D, NULL, order, NULL, NULL, &err) == KNNG_EMEMORY &&
		      strcmp(err.id, "knng:memory:host") == 0 && knng_sys().live == 0,
	      "%s", err.id);
	free(D);
}

int
main(void)
{
	static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 11, 40, 150};
	knng_memory_set_available(1e12); /* so that the same calls are counted everywhere */
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (int kind = 0; kind < 3; kind++)
			test_order(sizes[s], kind);
	test_memory();
	return summary();
}
