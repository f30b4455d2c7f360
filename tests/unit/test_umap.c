/* test_umap.c  Memberships of edges against their definition with libm; the layout: every edge is taken as often as it
 * weighs, ends meet in the middle and nodes are driven apart, with the same bits for any number of threads; failures.
 */
#include "base/sys.h"
#include "graph/umap.h"
#include "knng.h"
#include "testing.h"

/* ---------------------------------------------------------------- memberships */

static void
test_weights(void)
{
	enum { N = 400 };
	size_t start[N + 1] = {0}, row[N * 40];
	static double d[N * 40], w[N * 40];
	knng_task task = {.threads = 3};
	knng_err err = {0};
	for (int j = 0; j < N; j++) {
		int count = j % 41;
		start[j + 1] = start[j] + (size_t)count;
		for (int e = 0; e < count; e++) {
			row[start[j] + (size_t)e] = (size_t)e;
			double x = random_unit();
			x = j % 5 == 0   ? floor(3 * x)
			    : j % 5 == 1 ? 1e-200 * x
			    : j % 5 == 2 ? 1e200 * (1 + 1e-9 * x)
					 : x;
			d[start[j] + (size_t)e] = x == 0 ? DBL_MIN : x;
		}
	}
	knng_sparse A = {.rows = N, .columns = N, .start = start, .row = row, .value = d};
	CHECK(knng_umap_weigh(&task, &A, w, &err) == KNNG_OK, "%s", err.text);
	for (int j = 0; j < N; j++) {
		int count = (int)(start[j + 1] - start[j]);
		double rho = INFINITY, mean = 0, sum = 0, sigma = 0, most = 0, *x = d + start[j], *v = w + start[j];
		int least = 0; /* how many weigh 1 whatever sigma */
		for (int e = 0; e < count; e++) {
			x[e] = x[e] <= DBL_MIN ? 0 : x[e];
			rho = x[e] > 0 && x[e] < rho ? x[e] : rho;
			most = x[e] > most ? x[e] : most;
		}
		for (int e = 0; e < count; e++) {
			least += x[e] <= rho;
			mean += x[e] / count;
			sum += v[e];
			if (x[e] <= rho)
				CHECK(v[e] == 1, "column %d: %g of %g", j, v[e], x[e]);
			else if (v[e] > 1e-290 && v[e] < 1 - 1e-6)
				sigma = -(x[e] - rho) / log(v[e]);
		}
		for (int e = 0; e < count; e++) /* one sigma for all */
			if (x[e] > rho && sigma > 0)
				CHECK(fabs(v[e] - exp(-(x[e] - rho) / sigma)) < 1e-8, "column %d: %g", j, v[e]);
		if (count > 1 && least < log2(count + 1) && most < 1e100)
			CHECK(fabs(sum - log2(count + 1)) < 1e-6 || fabs(sigma / (mean / 1000) - 1) < 1e-6,
			      "column %d: %d weigh %g", j, count, sum);
	}
}

/* ---------------------------------------------------------------- layout */

/* A symmetric matrix of n nodes that joins i and other[i]; [2 * n] in all. */
typedef struct {
	size_t *start, *row;
	double *value;
} joined;

/* Pairs 2i and 2i + 1, of these weights in turn. */
static joined
pairs_of(int64_t n, const double *weight, int64_t count)
{
	joined g = {room(n + 1, sizeof *g.start), room(n, sizeof *g.row), room(n, sizeof *g.value)};
	for (int64_t i = 0; i < n; i++) {
		g.start[i] = (size_t)i;
		g.row[i] = (size_t)(i ^ 1);
		g.value[i] = weight[i / 2 % count];
	}
	g.start[n] = (size_t)n;
	return g;
}

/* Each node with the next `near` ones on a ring. */
static joined
ring_of(int64_t n, int64_t near)
{
	joined g = {room(n + 1, sizeof *g.start), room(2 * near * n, sizeof *g.row),
		    room(2 * near * n, sizeof *g.value)};
	size_t e = 0;
	for (int64_t i = 0; i < n; i++) {
		g.start[i] = e;
		for (int64_t j = 0; j < n; j++) {
			int64_t apart = llabs(i - j) < n - llabs(i - j) ? llabs(i - j) : n - llabs(i - j);
			if (apart < 1 || apart > near)
				continue;
			g.row[e] = (size_t)j;
			g.value[e++] = 1. / (double)apart;
		}
	}
	g.start[n] = e;
	return g;
}

static void
release(joined *g)
{
	free(g->start);
	free(g->row);
	free(g->value);
}

static knng_sparse
matrix(const joined *g, int64_t n)
{
	return (knng_sparse){.rows = n, .columns = n, .start = g->start, .row = g->row, .value = g->value};
}

/* Ends of edges move towards each other, as far as each other, and as often as edges weigh. Steps are so small that
 * all of an edge are of one length, but for the rate, which falls to 0 and so adds up to half of all passes. */
static void
test_passes(void)
{
	static const double weight[] = {1, 0.5, 0.25, 0.03};
	enum { EPOCHS = 400 };
	for (int64_t n = 2; n <= 30000; n = n < 100 ? n + 2 : n * 7) {
		n -= n % 2;
		joined g = pairs_of(n, weight, 4);
		knng_sparse W = matrix(&g, n);
		double *y = room(n, sizeof *y), rate = 1e-6, a = 1.5, b = 0.9;
		knng_task task = {.threads = 2};
		knng_err err = {0};
		knng_umap_how how = {
			.a = a, .b = b, .epochs = EPOCHS, .negatives = 0, .rate = rate, .seed = (uint64_t)n};
		for (int64_t i = 0; i < n; i++)
			y[i] = (double)(i % 2);
		CHECK(knng_umap_layout(&task, &W, &how, 1, y, &err) == KNNG_OK, "%s", err.text);
		double pull = 2 * a * b / (1 + a), worst = 0, off = 0;
		for (int64_t i = 0; i < n; i += 2) {
			double times = y[i] / pull / rate / (EPOCHS / 2.); /* of both directions, each once a pass */
			double wanted = 2 * weight[i / 2 % 4], miss = fabs(times - wanted) * EPOCHS / 2;
			worst = miss > worst ? miss : worst;
			off = fmax(off, fabs(y[i] + y[i + 1] - 1));
		}
		CHECK(worst < 2, "n %lld: an edge is taken %g times too often or seldom", (long long)n, worst);
		CHECK(off < 1e-12, "n %lld: ends move %g apart", (long long)n, off);
		free(y);
		release(&g);
	}
}

/* The same bits, whoever does the work; other bits with another seed; distances that are neither 0 nor huge. */
static void
test_threads(void)
{
	static const int64_t sizes[] = {3, 50, 801, 5000};
	for (int s = 0; s < 4; s++)
		for (int dims = 1; dims <= 3; dims++) {
			if (s == 3 && SKIPS(3))
				continue;
			int64_t n = sizes[s];
			joined g = ring_of(n, n < 10 ? 1 : 4);
			knng_sparse W = matrix(&g, n);
			double *first = room(n * dims, sizeof *first), *y = room(n * dims, sizeof *y);
			for (int turn = 0; turn < 4; turn++) {
				knng_task task = {.threads = turn == 3 ? 1 : 1 + 2 * turn};
				knng_err err = {0};
				knng_umap_how how = {.a = 1.577,
						     .b = 0.895,
						     .epochs = 30,
						     .negatives = dims == 2 ? 5 : 3 + dims,
						     .rate = 1,
						     .seed = turn == 3};
				random_state = 7;
				for (int64_t i = 0; i < n * dims; i++)
					y[i] = 20 * random_unit();
				CHECK(knng_umap_layout(&task, &W, &how, dims, y, &err) == KNNG_OK, "%s", err.text);
				size_t bytes = (size_t)(n * dims) * sizeof *y;
				if (turn == 0)
					memcpy(first, y, bytes);
				CHECK((memcmp(first, y, bytes) == 0) == (turn < 3), "n %lld, turn %d", (long long)n,
				      turn);
			}
			double apart = 0;
			for (int64_t i = 0; i < n; i++)
				for (int c = 0; c < dims; c++)
					apart += fabs(y[i * dims + c] - y[(i + 1) % n * dims + c]) / (double)n;
			CHECK(apart > 0.01 && apart < 10, "n %lld, %d dimensions: neighbours are %g apart",
			      (long long)n, dims, apart);
			free(first);
			free(y);
			release(&g);
		}
}

/* Pairs drive each other away; the two of an edge stay near. */
static void
test_apart(void)
{
	double one = 1;
	joined g = pairs_of(4, &one, 1);
	knng_sparse W = matrix(&g, 4);
	double y[] = {0, 0, 0.1, 0, 2, 0, 2.1, 0.1};
	knng_task task = {.threads = 1};
	knng_err err = {0};
	knng_umap_how how = {.a = 1.577, .b = 0.895, .epochs = 50, .negatives = 5, .rate = 1e-3, .seed = 1};
	CHECK(knng_umap_layout(&task, &W, &how, 2, y, &err) == KNNG_OK, "%s", err.text);
	CHECK(y[4] + y[6] - y[0] - y[2] > 4.01, "two pairs are %g apart", (y[4] + y[6] - y[0] - y[2]) / 2);
	how.epochs = 500;
	how.rate = 1;
	CHECK(knng_umap_layout(&task, &W, &how, 2, y, &err) == KNNG_OK, "%s", err.text);
	CHECK(hypot(y[0] - y[2], y[1] - y[3]) < 1.5, "an edge is %g long", hypot(y[0] - y[2], y[1] - y[3]));
	CHECK(hypot(y[0] - y[4], y[1] - y[5]) > 3, "two pairs are %g apart", hypot(y[0] - y[4], y[1] - y[5]));
	release(&g);
}

static void
test_failures(void)
{
	joined g = ring_of(900, 2);
	knng_sparse W = matrix(&g, 900);
	double *y = room(1800, sizeof *y);
	knng_umap_how how = {.a = 1.577, .b = 0.895, .epochs = 2, .negatives = 5, .rate = 1, .seed = 1};
	knng_task task = {.threads = 1};
	knng_err err = {0};
	int64_t live = knng_sys().live, refused = 0;
	knng_status status = KNNG_OK;
	memset(y, 0, 1800 * sizeof *y);
	for (int64_t nth = 1; nth <= 40; nth++) { /* files that say how much memory there is may be missing */
		knng_sys_fail_at(nth);
		status = knng_umap_layout(&task, &W, &how, 2, y, &err);
		CHECK(status == KNNG_OK || status == KNNG_EMEMORY, "call %lld: %s", (long long)nth, err.text);
		CHECK(knng_sys().live == live, "call %lld", (long long)nth);
		refused += status == KNNG_EMEMORY;
	}
	knng_sys_fail_at(0);
	CHECK(status == KNNG_OK && refused == 9, "%lld refused", (long long)refused);
	volatile sig_atomic_t stop = SIGINT;
	task.interrupt = &stop;
	CHECK(knng_umap_layout(&task, &W, &how, 2, y, &err) == KNNG_EINTERRUPTED, "not interrupted");
	CHECK(knng_umap_weigh(&task, &W, g.value, &err) == KNNG_EINTERRUPTED, "not interrupted");
	CHECK(knng_sys().live == live, "blocks are left");
	free(y);
	release(&g);
}

int
main(int argc, char **argv)
{
	PART(weights);
	PART(passes);
	PART(threads);
	PART(apart);
	PART(failures);
	return summary();
}
