/* test_oracle.c  Facts worked out by hand that the oracle must show: it follows docs/canonical.md. */
#include "oracle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;
static bool worked_out[64]; /* of the oracle's metrics: whether a fact was */

static void
check(bool ok, const char *what)
{
	if (ok) {
		passed++;
	} else {
		failed++;
		printf("failed: %s\n", what);
	}
}

/* The distance between two rows of d. */
static double
between(const char *metric, int64_t d, const double *x, const double *y)
{
	int64_t idx = -2;
	double dist = -1;
	for (int i = 0; oracle_metric_name(i) != NULL; i++)
		worked_out[i] = worked_out[i] || strcmp(oracle_metric_name(i), metric) == 0;
	check(oracle_knn(metric, false, 1, d, y, 1, x, 1, &idx, &dist) == 0, metric);
	return dist;
}

static uint64_t
bits(double x)
{
	uint64_t b;
	memcpy(&b, &x, sizeof b);
	return b;
}

/* A lane holds 1 and two others 2^-53 each. The sum is 1 + 2^-52 where the two meet before they meet the 1, otherwise
 * each is rounded away. mates[r] has the bit of every pair (p, q) that meets first. */
static void
test_order_of_sum(void)
{
	for (int r = 0; r < 8; r++)
		for (int p = 0; p < 8; p++)
			for (int q = 0; q < p; q++) {
				if (p == r || q == r)
					continue;
				double x[8] = {0}, zero[8] = {0};
				x[r] = 1;
				x[p] = x[q] = 0x1p-53;
				/* the lanes as leaves: pairs {0,4} {2,6} {1,5} {3,7}; then {0,4,2,6} {1,5,3,7} */
				bool pair_pq = p % 4 == q % 4, half_pq = p % 2 == q % 2, half_pr = p % 2 == r % 2;
				bool first = pair_pq || (half_pq && !half_pr);
				check(between("cityblock", 8, x, zero) == (first ? 1 + 0x1p-52 : 1), "fold of lanes");
			}
	/* within a lane: ascending */
	double up[17] = {0}, down[17] = {0}, zero[17] = {0};
	up[0] = up[8] = 0x1p-53;
	up[16] = 1;
	down[0] = 1;
	down[8] = down[16] = 0x1p-53;
	check(between("cityblock", 17, up, zero) == 1 + 0x1p-52, "small terms first in a lane");
	check(between("cityblock", 17, down, zero) == 1, "large term first in a lane");
}

/* 2^24 + (1 + 2^-30)^2 = 2^24 + 1 + 2^-29 + 2^-60: fused, the last term tips the tie upwards. */
static void
test_fused_products(void)
{
	double x[9] = {4096}, zero[9] = {0};
	x[8] = 1 + 0x1p-30;
	check(between("sqeuclidean", 9, x, zero) == 0x1p24 + 1 + 0x1p-28, "products are fused");
}

/* Distances of small rows that are exact. */
static void
test_small_rows(void)
{
	double x[3] = {1, 2, 3}, y[3] = {4, 6, 3};
	check(between("euclidean", 3, x, y) == 5, "euclidean 3-4-5");
	check(between("sqeuclidean", 3, x, y) == 25, "sqeuclidean");
	check(between("squaredeuclidean", 3, x, y) == 25, "squaredeuclidean");
	check(between("cityblock", 3, x, y) == 7, "cityblock");
	check(between("manhattan", 3, x, y) == 7, "manhattan");
	check(between("chebychev", 3, x, y) == 4, "chebychev");

	/* z = x / 2 has length 1 from four elements of 1/2; a right angle has 1 - r = 1 */
	double a[4] = {1, -1, 1, -1}, b[4] = {-1, 1, -1, 1}, c[4] = {1, 1, -1, -1}, a7[4] = {9, -5, 9, -5};
	check(between("pearson", 4, a, b) == 2, "pearson, r = -1");
	check(between("pearson", 4, a, c) == 1, "pearson, r = 0");
	check(between("correlation", 4, a, a7) == 0, "correlation, 7 a + 2");
	check(between("cosine", 4, a, c) == 1, "cosine, right angle");
	check(between("cosine", 4, a, b) == 2, "cosine, opposite");
	check(between("abspearson", 4, a, b) == 0, "abspearson, r = -1");
	check(between("abspearson", 4, a, c) == 1, "abspearson, r = 0");
	check(between("antipearson", 4, a, b) == 0, "antipearson, r = -1");
	check(between("antipearson", 4, a, a) == 2, "antipearson of a row and itself");

	/* the mean is taken off twice, after scaling: any binary scale gives the same bits */
	double p[5] = {0.1, 0.7, -0.3, 12.1, 3}, q[5] = {5, 0.2, 0.3, -7, 1}, ps[5], qs[5];
	for (int j = 0; j < 5; j++) {
		ps[j] = ldexp(p[j], -1000);
		qs[j] = ldexp(q[j], 1000);
	}
	check(between("pearson", 5, p, q) == between("pearson", 5, ps, qs), "pearson at 2^-1000 and 2^1000");
	check(between("cosine", 5, p, q) == between("cosine", 5, ps, qs), "cosine at 2^-1000 and 2^1000");
	double tiny[4] = {DBL_TRUE_MIN, -DBL_TRUE_MIN, DBL_TRUE_MIN, -DBL_TRUE_MIN};
	check(between("pearson", 4, a, tiny) == 0, "pearson of the smallest subnormals");
}

/* Prepared by hand, one operation a line: x = (2, 4, 9), d = 3. */
static void
test_prepared_row(void)
{
	double x[3] = {2, 4, 9}, e[3] = {1, 0, 0}, z[3], w[3];
	double m = ((0.25 + 1.125) + 0.5) / 3; /* scaled by 2^-3; lanes 0, 2, then 1 */
	z[0] = 0.25 - m;
	z[1] = 0.5 - m;
	z[2] = 1.125 - m;
	double m2 = ((z[0] + z[2]) + z[1]) / 3;
	for (int j = 0; j < 3; j++)
		z[j] = z[j] - m2;
	double root = sqrt((z[0] * z[0] + z[2] * z[2]) + z[1] * z[1]); /* one product a lane: nothing to fuse */
	for (int j = 0; j < 3; j++)
		z[j] = z[j] / root;
	/* e: m = 1/3 */
	double third = 1.0 / 3;
	w[0] = 1 - third;
	w[1] = w[2] = -third;
	m2 = ((w[0] + w[2]) + w[1]) / 3;
	for (int j = 0; j < 3; j++)
		w[j] = w[j] - m2;
	root = sqrt((w[0] * w[0] + w[2] * w[2]) + w[1] * w[1]);
	for (int j = 0; j < 3; j++)
		w[j] = w[j] / root;
	double t0 = z[0] - w[0], t1 = z[1] - w[1], t2 = z[2] - w[2];
	double minus = (t0 * t0 + t2 * t2) + t1 * t1;
	t0 = z[0] + w[0], t1 = z[1] + w[1], t2 = z[2] + w[2];
	double plus = (t0 * t0 + t2 * t2) + t1 * t1;
	check(between("pearson", 3, x, e) == minus / 2, "pearson, step by step");
	check(between("antipearson", 3, x, e) == plus / 2, "antipearson, step by step");
	check(between("abspearson", 3, x, e) == (minus < plus ? minus : plus) / 2, "abspearson, step by step");
}

/* Ranks of (3, 1, 3, -0, +0, 7) are (4.5, 3, 4.5, 1.5, 1.5, 6). */
static void
test_ranks(void)
{
	double x[6] = {3, 1, 3, -0.0, 0.0, 7}, r[6] = {4.5, 3, 4.5, 1.5, 1.5, 6}, y[6] = {2, 9, 4, 4, 0, 1};
	double ry[6] = {3, 6, 4.5, 4.5, 1, 2};
	check(bits(between("spearman", 6, x, y)) == bits(between("pearson", 6, r, ry)), "average ranks");
	check(between("spearman", 6, x, r) == 0, "ranks are their own ranks");
}

/* Which rows have distances. */
static void
test_rows_without_distances(void)
{
	double X[6 * 3] = {1, 2, 3, /**/ NAN, 1, 2, /**/ 5, 5, 5, /**/ 0, -0.0, 0, /**/ 1, INFINITY, 0, /**/ 9, 1, 4};
	static const struct {
		const char *metric;
		bool has[6];
	} table[] = {
		{"euclidean", {1, 0, 1, 1, 0, 1}},   {"sqeuclidean", {1, 0, 1, 1, 0, 1}},
		{"cityblock", {1, 0, 1, 1, 0, 1}},   {"chebychev", {1, 0, 1, 1, 0, 1}},
		{"cosine", {1, 0, 1, 0, 0, 1}},      {"pearson", {1, 0, 0, 0, 0, 1}},
		{"correlation", {1, 0, 0, 0, 0, 1}}, {"abspearson", {1, 0, 0, 0, 0, 1}},
		{"antipearson", {1, 0, 0, 0, 0, 1}}, {"spearman", {1, 0, 0, 0, 0, 1}},
		{"manhattan", {1, 0, 1, 1, 0, 1}},   {"squaredeuclidean", {1, 0, 1, 1, 0, 1}},
	};
	for (int i = 0; oracle_metric_name(i) != NULL; i++) {
		size_t t = 0;
		while (t < sizeof table / sizeof table[0] && strcmp(table[t].metric, oracle_metric_name(i)) != 0)
			t++;
		check(t < sizeof table / sizeof table[0], oracle_metric_name(i));
	}
	for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
		int64_t idx[6 * 5], others = 0;
		double dist[6 * 5];
		bool good = oracle_knn(table[t].metric, false, 6, 3, X, 0, NULL, 99, idx, dist) == 0;
		for (int i = 0; i < 6; i++)
			others += table[t].has[i];
		for (int i = 0; i < 6; i++)
			for (int c = 0; c < 5; c++) {
				bool full = table[t].has[i] && c < others - 1;
				int64_t j = idx[i * 5 + c];
				double D = dist[i * 5 + c];
				good = good && (full ? j >= 0 && j != i && table[t].has[j] && !isnan(D)
						     : j == -1 && bits(D) == 0x7FF8000000000000u);
			}
		check(good, table[t].metric);
	}
	double one[1] = {3}, two[1] = {-4};
	check(isnan(between("pearson", 1, one, two)), "one column is a constant row");
	check(between("cosine", 1, one, two) == 2, "cosine with one column");
}

/* Overflow is Inf and sorts after every number, Infs by index; underflow is a tie. */
static void
test_overflow(void)
{
	double X[4] = {0, 1e200, -1.5e308, 1.5e308};
	int64_t idx[12];
	double dist[12];
	oracle_knn("sqeuclidean", false, 4, 1, X, 0, NULL, 3, idx, dist);
	check(idx[0] == 1 && idx[1] == 2 && idx[2] == 3 && isinf(dist[0]) && isinf(dist[2]), "Inf ties by index");
	oracle_knn("cityblock", false, 4, 1, X, 0, NULL, 3, idx, dist);
	check(idx[0] == 1 && dist[0] == 1e200 && isinf(dist[2 * 3 + 2]) && idx[2 * 3 + 2] == 3, "cityblock overflow");
	oracle_knn("chebychev", false, 4, 1, X, 0, NULL, 3, idx, dist);
	check(idx[3 * 3 + 2] == 2 && isinf(dist[3 * 3 + 2]), "chebychev overflow");
	double tiny[3] = {0, 3e-200, 1e-200};
	oracle_knn("euclidean", false, 3, 1, tiny, 0, NULL, 2, idx, dist);
	check(idx[0] == 1 && idx[1] == 2 && dist[0] == 0 && dist[1] == 0, "squares that underflow tie");
}

/* The root of 1 + 2^-52 is 1: euclidean sees a tie, sqeuclidean does not. */
static void
test_ties(void)
{
	double X[3 * 8] = {0, 0,       0, 0,       0, 0,       0, 0,       /**/
			   1, 0x1p-27, 0, 0x1p-27, 0, 0x1p-27, 0, 0x1p-27, /**/
			   1, 0,       0, 0,       0, 0,       0, 0};
	int64_t idx[6];
	double dist[6];
	oracle_knn("sqeuclidean", false, 3, 8, X, 0, NULL, 2, idx, dist);
	check(idx[0] == 2 && idx[1] == 1 && dist[0] == 1 && dist[1] == 1 + 0x1p-52, "squares differ in the last bit");
	oracle_knn("euclidean", false, 3, 8, X, 0, NULL, 2, idx, dist);
	check(idx[0] == 1 && idx[1] == 2 && dist[0] == 1 && dist[1] == 1, "their roots tie, the index decides");

	/* equal rows are neighbours of each other, a row is not its own; a query leaves nobody out */
	double same[3] = {4, 4, 4};
	oracle_knn("euclidean", false, 3, 1, same, 0, NULL, 2, idx, dist);
	check(idx[0] == 1 && idx[1] == 2 && idx[2] == 0 && idx[3] == 2 && idx[4] == 0 && idx[5] == 1, "equal rows");
	oracle_knn("euclidean", false, 3, 1, same, 3, same, 2, idx, dist);
	check(idx[0] == 0 && idx[1] == 1 && idx[2] == 0 && idx[3] == 1 && idx[4] == 0 && idx[5] == 1, "equal queries");

	/* single: 1 and 1 + 2^-30 become equal after they were ordered */
	double near[3] = {0, 1 + 0x1p-30, 1};
	oracle_knn("euclidean", true, 3, 1, near, 0, NULL, 2, idx, dist);
	check(idx[0] == 2 && idx[1] == 1 && dist[0] == 1 && dist[1] == 1, "rounded to single after the order");
	double large[2] = {0, 1e30};
	oracle_knn("sqeuclidean", true, 2, 1, large, 0, NULL, 1, idx, dist);
	check(isinf(dist[0]), "a single overflows at the end");
}

static void
test_arguments(void)
{
	double X[4] = {1, 2, 3, 5};
	int64_t idx[16];
	double dist[16];
	check(oracle_width(4, true, 9) == 3 && oracle_width(4, false, 9) == 4 && oracle_width(4, true, 2) == 2,
	      "k is cut");
	check(oracle_knn("pearsn", false, 4, 1, X, 0, NULL, 1, idx, dist) == -1, "unknown metric");
	check(oracle_knn("euclidean", false, 4, 1, X, 1, X + 3, 99, idx, dist) == 0 && idx[0] == 3 && idx[3] == 0,
	      "all references");
	check(oracle_knn("euclidean", false, 1, 1, X, 0, NULL, 5, idx, dist) == 0, "a graph of one row");
}

/* The sample of the supplement to Arefin et al., PLoS ONE 7(8):e44000 (2012): 10 features, 6 samples, and the three
 * features with the smallest correlation r to each, printed with six decimals. */
static void
test_published_sample(void)
{
	static const double X[10 * 6] = {1, 4.5, 2,   7.3, 8.21, 5.71, 1,  3, 8,    6.66, 7.19, 1.06,
					 3, 3,   9,   5,   6.67, 7.73, 4,  4, 1,    4,    3.64, 2.92,
					 8, 7,   1.5, 4,   4.91, 6.15, 8,  6, 3,    2.4,  7.36, 4.76,
					 3, 8,   3,   3.2, 5.31, 5.49, 2,  1, 4.02, 5.8,  3.08, 7.15,
					 4, 1,   3.7, 2.2, 1.31, 1.48, -3, 0, 3,    1,    3.82, 2.7};
	static const struct {
		int j;
		double r;
	} published[10][3] = {
		{{5, -0.145362}, {8, -0.782624}, {4, -0.117918}}, {{5, -0.480781}, {4, -0.866238}, {3, -0.415669}},
		{{5, -0.486956}, {4, -0.763127}, {3, -0.833721}}, {{9, -0.520289}, {1, -0.415669}, {2, -0.833721}},
		{{9, -0.673579}, {1, -0.866238}, {2, -0.763127}}, {{7, -0.620824}, {1, -0.480781}, {2, -0.486956}},
		{{7, -0.317340}, {1, -0.292388}, {8, -0.834691}}, {{4, -0.367099}, {5, -0.620824}, {6, -0.317340}},
		{{0, -0.782624}, {6, -0.834691}, {9, -0.426985}}, {{8, -0.426985}, {4, -0.673579}, {3, -0.520289}},
	};
	int64_t idx[30];
	double dist[30];
	check(oracle_knn("antipearson", false, 10, 6, X, 0, NULL, 3, idx, dist) == 0, "published sample");
	for (int i = 0; i < 10; i++) {
		int found = 0;
		for (int c = 0; c < 3; c++)
			for (int p = 0; p < 3; p++)
				found += idx[3 * i + c] == published[i][p].j &&
					 fabs(dist[3 * i + c] - (1 + published[i][p].r)) < 2e-6;
		check(found == 3, "published neighbours");
	}
}

int
main(void)
{
	test_order_of_sum();
	test_fused_products();
	test_small_rows();
	test_prepared_row();
	test_ranks();
	test_rows_without_distances();
	test_overflow();
	test_ties();
	test_arguments();
	test_published_sample();
	for (int i = 0; oracle_metric_name(i) != NULL; i++) {
		char what[80];
		snprintf(what, sizeof what, "a fact worked out by hand for %s", oracle_metric_name(i));
		check(worked_out[i], what);
	}
	printf("%d passed, %d failed\n", passed, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
