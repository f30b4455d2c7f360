/* test_louvain.c  Clusters by the method of Louvain, against modularity pair by pair: no move of a node and no union of
 * two clusters is better, and the best of some seeds is the best of all partitions where these can be tried; weights of
 * every size; graphs whose clusters are known; the same numbers on every machine; failures. */
#include "base/sys.h"
#include "graph/louvain.h"
#include "testing.h"

#include <signal.h>

enum { MOST = 60 };

typedef struct {
	int n;
	double w[MOST][MOST]; /* symmetric, with a diagonal that does not count */
} plain;

static const double eps = 1e-11;

static knng_sparse
sparse_of(const plain *p, double scale, bool upper)
{
	knng_sparse A = {.rows = p->n, .columns = p->n};
	size_t at = 0;
	A.start = room(p->n + 1, sizeof *A.start);
	A.row = room((int64_t)p->n * p->n, sizeof *A.row);
	A.value = room((int64_t)p->n * p->n, sizeof *A.value);
	for (int j = 0; j < p->n; j++) {
		A.start[j] = at;
		for (int i = 0; i < p->n; i++)
			if ((i < j || !upper) && p->w[i][j] > 0) {
				A.row[at] = (size_t)i;
				A.value[at++] = scale * p->w[i][j];
			}
	}
	A.start[p->n] = at;
	return A;
}

static void
drop(knng_sparse *A)
{
	free(A->start);
	free(A->row);
	free(A->value);
}

static double
modularity(const plain *p, double resolution, const int32_t *part)
{
	double s[MOST] = {0}, all = 0, q = 0;
	for (int i = 0; i < p->n; i++)
		for (int j = 0; j < p->n; j++)
			s[i] += i == j ? 0 : p->w[i][j];
	for (int i = 0; i < p->n; i++)
		all += s[i];
	for (int i = 0; i < p->n; i++)
		for (int j = 0; j < p->n; j++)
			if (part[i] == part[j])
				q += (i == j ? 0 : p->w[i][j] / all) - resolution * (s[i] / all) * (s[j] / all);
	return q;
}

static double
louvain(const plain *p, double scale, bool upper, double resolution, uint64_t seed, int32_t *part)
{
	knng_sparse A = sparse_of(p, scale, upper);
	knng_task task = {0};
	knng_err err = {0};
	double quality = 0;
	CHECK(knng_louvain(&task, &A, resolution, seed, part, &quality, &err) == KNNG_OK, "%s", err.text);
	int32_t most = -1;
	for (int i = 0; i < p->n; i++) {
		CHECK(part[i] >= 0 && part[i] <= most + 1, "node %d: %d", i, part[i]);
		most = part[i] > most ? part[i] : most;
	}
	drop(&A);
	return quality;
}

/* Weights of a kind: all the same, small whole numbers, any, of very different sizes. */
static plain
random_graph(int n, int kind, int share)
{
	plain p = {.n = n};
	for (int i = 0; i < n; i++)
		for (int j = 0; j <= i; j++) {
			double w = kind == 0   ? 0.3
				   : kind == 1 ? (double)(1 + random_below(4))
				   : kind == 2 ? random_unit()
					       : ldexp(random_unit(), -(int)random_below(60));
			if (i == j || random_below(100) < share)
				p.w[i][j] = p.w[j][i] = w;
		}
	return p;
}

static void
test_local(void)
{
	static const double resolutions[] = {0, 0.3, 1, 2.5, 1e9};
	for (int turn = 0; turn < 200; turn++) {
		int n = 1 + (int)random_below(turn % 10 ? 24 : 40);
		plain p = random_graph(n, turn % 4, turn % 7 < 3 ? 8 : 25);
		double g = resolutions[turn % 5];
		int32_t part[MOST], other[MOST];
		double q = louvain(&p, 1, false, g, (uint64_t)turn, part), plainly = modularity(&p, g, part);
		double tolerance = eps * (1 + g);
		CHECK(isnan(q) ? isnan(plainly) : fabs(q - plainly) <= tolerance, "%g, %g", q, plainly);
		memcpy(other, part, sizeof part);
		for (int i = 0; i < n && !isnan(q); i++) {
			for (int c = 0; c <= n; c++) {
				other[i] = c;
				CHECK(modularity(&p, g, other) <= q + tolerance, "node %d to %d: %g, %g", i, c,
				      modularity(&p, g, other), q);
			}
			other[i] = part[i];
		}
		for (int a = 0; a < n && !isnan(q); a++)
			for (int b = 0; b < a; b++) {
				for (int i = 0; i < n; i++)
					other[i] = part[i] == a ? b : part[i];
				CHECK(modularity(&p, g, other) <= q + tolerance, "%d and %d: %g, %g", a, b,
				      modularity(&p, g, other), q);
			}
		CHECK((louvain(&p, 1, true, g, (uint64_t)turn, other), memcmp(part, other, (size_t)n * 4)) == 0,
		      "above the diagonal, turn %d", turn);
		for (int power = -900; power <= 900; power += 900) {
			double r = louvain(&p, ldexp(1, power), false, g, (uint64_t)turn, other);
			CHECK(memcmp(part, other, (size_t)n * 4) == 0 && (r == q || isnan(q)), "2^%d, turn %d", power,
			      turn);
		}
		if (g == 0) /* what is joined is one cluster */
			for (int i = 0; i < n; i++)
				for (int j = 0; j < n; j++)
					CHECK(i == j || p.w[i][j] == 0 || part[i] == part[j], "%d and %d", i, j);
	}
}

/* All partitions: each node goes to a cluster of those before it, or to a new one. */
static double
best_of_all(const plain *p, double resolution, int32_t *part, int at, int clusters)
{
	if (at == p->n)
		return modularity(p, resolution, part);
	double best = -INFINITY;
	for (int c = 0; c <= clusters; c++) {
		part[at] = c;
		best = fmax(best, best_of_all(p, resolution, part, at + 1, clusters + (c == clusters)));
	}
	return best;
}

static void
test_best(void)
{
	for (int turn = 0; turn < 24; turn++) {
		plain p = random_graph(8, turn % 3, 45);
		int32_t part[MOST];
		double found = -INFINITY, g = turn % 2 ? 1 : 0.7;
		for (int seed = 0; seed < 20; seed++)
			found = fmax(found, louvain(&p, 1, false, g, (uint64_t)seed, part));
		double best = best_of_all(&p, g, part, 0, 0);
		CHECK(fabs(found - best) <= eps, "turn %d: %.15g, %.15g", turn, found, best);
	}
}

/* A ring of cliques. */
static void
test_known(void)
{
	plain p = {.n = 60};
	int32_t part[MOST];
	for (int i = 0; i < 60; i++)
		for (int j = 0; j < 60; j++)
			p.w[i][j] = i != j && i / 6 == j / 6;
	for (int c = 0; c < 10; c++)
		p.w[6 * c][(6 * c + 7) % 60] = p.w[(6 * c + 7) % 60][6 * c] = 1;
	for (uint64_t seed = 0; seed < 10; seed++) {
		double q = louvain(&p, 1, false, 1, seed, part);
		for (int i = 0; i < 60; i++)
			CHECK(part[i] == i / 6, "node %d: %d", i, part[i]);
		CHECK(fabs(q - (150.0 / 160 - 0.1)) <= eps, "%g", q);
	}
}

/* Weights that have no room beside the largest, resolutions without end, no edges, no nodes. */
static void
test_extremes(void)
{
	static const double resolutions[] = {0, 1, 1e300, DBL_MAX};
	plain p = {.n = 0};
	int32_t part[MOST];
	CHECK(isnan(louvain(&p, 1, false, 1, 1, part)), "no nodes");
	p.n = 9;
	CHECK(isnan(louvain(&p, 1, false, 1, 1, part)) && part[8] == 8, "no edges");
	for (int r = 0; r < 4; r++) {
		for (int i = 1; i < 9; i++) /* a star, and a chain */
			p.w[0][i] = p.w[i][0] = i % 2 ? 1e-300 : DBL_MAX;
		for (int i = 2; i < 9; i++)
			p.w[i - 1][i] = p.w[i][i - 1] = i % 3 ? 1e300 : 1e-300;
		louvain(&p, 1, false, resolutions[r], 1, part);
		CHECK(r == 0   ? part[8] == 0
		      : r == 3 ? part[8] == 8
			       : part[8] >= 0 && part[8] < 9,
		      "%g: %d", resolutions[r], part[8]);
	}
	p.n = MOST; /* two cliques, and all between them as good as nothing */
	for (int i = 0; i < MOST; i++)
		for (int j = 0; j < MOST; j++)
			p.w[i][j] = i % 2 == j % 2 ? DBL_MAX : 1e-300;
	louvain(&p, 1, false, 0, 1, part);
	for (int i = 0; i < MOST; i++)
		CHECK(part[i] == i % 2, "node %d: %d", i, part[i]);
}

/* 3 000 nodes near each other in some order, weights of all digits. */
static knng_sparse
large_graph(void)
{
	enum { N = 3000, M = 8 };
	knng_sparse A = {.rows = N, .columns = N};
	A.start = room(N + 1, sizeof *A.start);
	A.row = room(N * M, sizeof *A.row);
	A.value = room(N * M, sizeof *A.value);
	random_state = 7;
	size_t at = 0;
	for (int64_t j = 0; j < N; j++) {
		A.start[j] = at;
		for (int64_t i = j > 40 ? j - 40 : 0; i < j && at < A.start[j] + M; i++)
			if (random_below(5) == 0) {
				A.row[at] = (size_t)i;
				A.value[at++] = random_unit();
			}
	}
	A.start[N] = at;
	return A;
}

/* The same on every machine: a number that was found on one. Memory is as said, and failures leave nothing. */
static void
test_large(void)
{
	knng_sparse A = large_graph();
	volatile sig_atomic_t stop = SIGINT;
	knng_task task = {0}, stopped = {.interrupt = &stop};
	knng_err err = {0};
	int32_t *part = room(A.columns, sizeof *part);
	double quality;
	uint64_t sum = 0;
	knng_sys_mark_peak();
	int64_t live = knng_sys().live, held = knng_sys().bytes;
	CHECK(knng_louvain(&task, &A, 1, 5, part, &quality, &err) == KNNG_OK, "%s", err.text);
	CHECK(knng_sys().peak - held <= 64 * (int64_t)A.start[A.columns] + 101 * A.columns + 2048, "%lld",
	      (long long)(knng_sys().peak - held));
	for (int64_t i = 0; i < A.columns; i++)
		sum = sum * 31 + (uint64_t)part[i];
	CHECK(sum == 10276200043787146093u && bits_of(quality) == 4605825044643659902u, "%llu, %llu: %.6f",
	      (unsigned long long)sum, (unsigned long long)bits_of(quality), quality);
	CHECK(knng_louvain(&stopped, &A, 1, 5, part, &quality, &err) == KNNG_EINTERRUPTED && knng_sys().live == live,
	      "%s", err.id);
	int refused = 0;
	for (int64_t nth = 1; nth <= 80; nth++) {
		knng_sys_fail_at(nth);
		knng_status status = knng_louvain(&task, &A, 1, 5, part, &quality, &err);
		refused += status == KNNG_EMEMORY;
		CHECK((status == KNNG_EMEMORY || status == KNNG_OK) && knng_sys().live == live, "call %lld",
		      (long long)nth);
	}
	knng_sys_fail_at(0);
	CHECK(refused > 15, "%d calls", refused);
	knng_memory_set_available(1e5);
	CHECK(knng_louvain(&task, &A, 1, 5, part, &quality, &err) == KNNG_EMEMORY, "%s", err.id);
	knng_memory_set_available(0);
	free(part);
	drop(&A);
}

/* Nodes without edges stay clusters at every level. As much memory as is taken has to be there, and 101 bytes a node
 * are no more than is taken. */
static void
test_memory(void)
{
	enum { ALONE = 30000, CLIQUE = 5, CLIQUES = 40 };
	knng_sparse A = {.rows = ALONE, .columns = ALONE};
	A.start = room(ALONE + 1, sizeof *A.start);
	A.row = room(CLIQUES * CLIQUE * CLIQUE, sizeof *A.row);
	A.value = room(CLIQUES * CLIQUE * CLIQUE, sizeof *A.value);
	size_t at = 0;
	for (size_t j = 0; j < ALONE; j++) { /* a chain of cliques, which join in pairs at the second level */
		A.start[j] = at;
		size_t first = j >= CLIQUES * CLIQUE ? j : j % CLIQUE > 0 ? j - j % CLIQUE : j > 0 ? j - 1 : 0;
		for (size_t i = first; i < j; i++) {
			A.row[at] = i;
			A.value[at++] = 1 + (double)(i % 2);
		}
	}
	A.start[ALONE] = at;
	knng_task task = {0};
	knng_err err = {0};
	int32_t *part = room(ALONE, sizeof *part);
	double quality;
	int64_t held = knng_sys().bytes;
	knng_sys_mark_peak();
	CHECK(knng_louvain(&task, &A, 1, 5, part, &quality, &err) == KNNG_OK, "%s", err.text);
	double taken = (double)(knng_sys().peak - held);
	CHECK(taken > 100.0 * ALONE, "%g bytes", taken);
	knng_memory_set_available(taken / 0.9 - 64);
	CHECK(knng_louvain(&task, &A, 1, 5, part, &quality, &err) == KNNG_EMEMORY, "%g bytes are taken", taken);
	knng_memory_set_available((taken + 64.0 * (double)at + 4096 + 1000) / 0.9);
	CHECK(knng_louvain(&task, &A, 1, 5, part, &quality, &err) == KNNG_OK, "%s", err.text);
	knng_memory_set_available(0);
	free(part);
	drop(&A);
}

int
main(int argc, char **argv)
{
	PART(local);
	PART(best);
	PART(known);
	PART(extremes);
	PART(large);
	PART(memory);
	return summary();
}
