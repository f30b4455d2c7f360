/* test_tsne.c  Weights of neighbours against their definition with libm; the layout against the method in plain loops
 * over all pairs, with the approximation close to it; the same bits for any number of threads; failures. */
#include "base/sys.h"
#include "graph/pushes.h"
#include "graph/tsne.h"
#include "interrupts.h"
#include "knng.h"
#include "testing.h"

/* ---------------------------------------------------------------- weights */

static void
test_weights(void)
{
	enum { N = 400, MOST = 60 };
	size_t start[N + 1] = {0}, *row = room(N * MOST, sizeof *row);
	double *d = room(N * MOST, sizeof *d), *w = room(N * MOST, sizeof *w);
	knng_task task = {.threads = 3};
	knng_err err = {0};
	for (int j = 0; j < N; j++) {
		int count = j % (MOST + 1);
		start[j + 1] = start[j] + (size_t)count;
		for (int e = 0; e < count; e++) {
			row[start[j] + (size_t)e] = (size_t)e;
			double x = random_unit();
			x = j % 4 == 0 ? floor(3 * x) : j % 4 == 1 ? 1e-200 * x : j % 4 == 2 ? 1e200 * (1 + x) : x;
			d[start[j] + (size_t)e] = x == 0 ? DBL_MIN : x;
		}
	}
	knng_sparse A = {.rows = N, .columns = N, .start = start, .row = row, .value = d};
	double perplexity = 9.5;
	CHECK(knng_tsne_weigh(&task, &A, perplexity, w, &err) == KNNG_OK, "%s", err.text);
	for (int j = 0; j < N; j++) {
		int count = (int)(start[j + 1] - start[j]), at = 0, nearest = 0;
		double sum = 0, entropy = 0, b = -1, *x = d + start[j], *v = w + start[j], least = INFINITY;
		for (int e = 0; e < count; e++) {
			x[e] = x[e] <= DBL_MIN ? 0 : x[e];
			sum += v[e];
			entropy -= v[e] > 0 ? v[e] * log2(v[e]) : 0;
			at = x[e] < x[at] ? e : at;
			least = fmin(least, x[e]);
		}
		for (int e = 0; e < count; e++)
			nearest += x[e] == least;
		if (count == 0)
			continue;
		CHECK(fabs(sum - 1) < 1e-12, "column %d: weights of %g", j, sum);
		double wanted = fmin(fmax(perplexity, nearest), count);
		CHECK(fabs(entropy - log2(wanted)) < 1e-8, "column %d: perplexity %g of %d", j, exp2(entropy), count);
		double unit = j % 4 == 1 ? 1e-200 : j % 4 == 2 ? 1e200 : 1;
		for (int e = 0; e < count; e++) { /* one b for all */
			double off = (x[e] / unit - least / unit) * (x[e] / unit + least / unit);
			if (off > 1e-3 && v[e] > 1e-100 && b < 0)
				b = -log(v[e] / v[at]) / off;
			if (b >= 0 && v[e] > 1e-100)
				CHECK(fabs(v[e] / v[at] - exp(-b * off)) < 1e-6, "column %d: %g", j, v[e]);
		}
	}
	free(w);
	free(d);
	free(row);
}

/* ---------------------------------------------------------------- layout */

typedef struct {
	size_t *start, *row;
	double *value;
} joined;

/* Each node with the next `near` ones on a ring, some more than others; weights are 1 in all. */
static joined
ring_of(int64_t n, int64_t near)
{
	joined g = {room(n + 1, sizeof *g.start), room(2 * near * n, sizeof *g.row),
		    room(2 * near * n, sizeof *g.value)};
	size_t e = 0;
	double sum = 0;
	for (int64_t i = 0; i < n; i++) {
		g.start[i] = e;
		for (int64_t j = 0; j < n; j++) {
			int64_t apart = llabs(i - j) < n - llabs(i - j) ? llabs(i - j) : n - llabs(i - j);
			if (apart < 1 || apart > near)
				continue;
			g.row[e] = (size_t)j;
			g.value[e] = (1. + (double)((i + j) % 3)) / (double)apart;
			sum += g.value[e++];
		}
	}
	g.start[n] = e;
	for (size_t k = 0; k < e; k++)
		g.value[k] /= sum;
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

static double *
scattered(int64_t n, int dims, double wide)
{
	double *y = room(n * dims, sizeof *y);
	random_state = 7;
	for (int64_t e = 0; e < n * dims; e++)
		y[e] = wide * (random_unit() - 0.5);
	return y;
}

/* The sum of 1 / (1 + d^2) over all pairs, and the gradient. */
static double
gradient(const knng_sparse *P, double exaggeration, int dims, const double *y, double *down)
{
	int64_t n = P->columns;
	double all = 0, *push = room(n * dims, sizeof *push);
	for (int64_t e = 0; e < n * dims; e++)
		push[e] = down[e] = 0;
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++) {
			double d = 1;
			for (int c = 0; c < dims; c++)
				d += pow(y[i * dims + c] - y[j * dims + c], 2);
			all += i == j ? 0 : 1 / d;
			for (int c = 0; c < dims; c++)
				push[i * dims + c] += (y[i * dims + c] - y[j * dims + c]) / (d * d);
		}
	for (int64_t i = 0; i < n; i++)
		for (size_t e = P->start[i]; e < P->start[i + 1]; e++) {
			int64_t j = (int64_t)P->row[e];
			double d = 1;
			for (int c = 0; c < dims; c++)
				d += pow(y[i * dims + c] - y[j * dims + c], 2);
			for (int c = 0; c < dims; c++)
				down[i * dims + c] +=
					4 * exaggeration * P->value[e] * (y[i * dims + c] - y[j * dims + c]) / d;
		}
	for (int64_t e = 0; e < n * dims; e++)
		down[e] -= 4 * push[e] / all;
	free(push);
	return all;
}

static double
divergence(const knng_sparse *P, int dims, const double *y)
{
	double loss = 0, *down = room(P->columns * dims, sizeof *down), all = gradient(P, 1, dims, y, down);
	for (int64_t i = 0; i < P->columns; i++)
		for (size_t e = P->start[i]; e < P->start[i + 1]; e++) {
			double d = 1;
			for (int c = 0; c < dims; c++)
				d += pow(y[i * dims + c] - y[(int64_t)P->row[e] * dims + c], 2);
			loss += P->value[e] * log(P->value[e] * d * all);
		}
	free(down);
	return loss;
}

/* The rounds of the method, in plain loops. Returns the length of the last gradient. */
static double
plainly(const knng_sparse *P, const knng_tsne_how *how, int dims, double *y)
{
	int64_t size = P->columns * dims;
	double *step = room(size, sizeof *step), *gain = room(size, sizeof *gain), *down = room(size, sizeof *down);
	double length = 0;
	for (int64_t round = 0; round < how->rounds; round++) {
		bool early = round < how->early;
		gradient(P, early ? how->exaggeration : 1, dims, y, down);
		length = 0;
		for (int64_t e = 0; e < size; e++) {
			length += down[e] * down[e];
			if (round == 0 || round == how->early) {
				step[e] = 0;
				gain[e] = 1;
			}
			gain[e] = step[e] * down[e] < 0 ? gain[e] + 0.2 : fmax(0.01, gain[e] * 0.8);
			step[e] = (early ? 0.5 : 0.8) * step[e] - how->rate * gain[e] * down[e];
			y[e] += step[e];
		}
	}
	free(down);
	free(gain);
	free(step);
	return sqrt(length);
}

static void
test_exact(void)
{
	static const int64_t sizes[] = {1, 2, 3, 9, 60, 301};
	for (int s = 0; s < 6; s++)
		for (int dims = 1; dims <= 3; dims++) {
			int64_t n = sizes[s];
			joined g = ring_of(n, n < 12 ? 1 : 5);
			knng_sparse P = matrix(&g, n);
			double *y = scattered(n, dims, 4), *z = scattered(n, dims, 4), loss;
			knng_task task = {.threads = 2};
			knng_err err = {0};
			knng_tsne_how how = {.rounds = 12, .early = 5, .exaggeration = 4, .rate = 1, .theta = 0};
			double slope = 0, length = plainly(&P, &how, dims, z);
			CHECK(knng_tsne_layout(&task, &P, &how, dims, y, &loss, &slope, &err) == KNNG_OK, "%s",
			      err.text);
			CHECK(n < 3 || fabs(slope - length) <= 1e-8 * length, "n %lld: slope %g, not %g", (long long)n,
			      slope, length);
			double off = 0, moved = 0, *from = scattered(n, dims, 4), known = divergence(&P, dims, z);
			for (int64_t e = 0; e < n * dims; e++) {
				off = fmax(off, fabs(y[e] - z[e]));
				moved = fmax(moved, fabs(z[e] - from[e]));
			}
			CHECK(off <= 1e-10 * moved, "n %lld, %d dimensions: off by %g of %g", (long long)n, dims, off,
			      moved);
			CHECK(n < 3 || fabs(loss - known) < 1e-8, "n %lld: divergence %g, not %g", (long long)n, loss,
			      known);
			free(from);
			free(z);
			free(y);
			release(&g);
		}
}

/* The steps of one round, with crowds in the place of nodes: scattered, in clusters, and all but some in one place. */
static void
test_approximation(void)
{
	static const double theta[] = {0.5, 0.1}, near[] = {0.03, 0.001};
	const int64_t N = ENOUGH(1500, 500);
	joined g = ring_of(N, 3);
	knng_sparse P = matrix(&g, N);
	for (int kind = 0; kind < 8; kind++)
		for (int dims = 1; dims <= 3; dims++) {
			double *y = scattered(N, dims, kind / 2 == 0 ? 40 : kind / 2 == 1 ? 1e-3 : 0.5), loss;
			double *z = room(N * dims, sizeof *z), *push = room(N * dims, sizeof *push);
			double *down = room(N * dims, sizeof *down), off = 0, size = 0;
			for (int64_t i = 0; i < N && kind >= 4; i++)
				for (int c = 0; c < dims; c++)
					y[i * dims + c] = kind / 2 == 2
								  ? y[i * dims + c] + (double)(i % 7 * (c + 1) * 9)
							  : i % 50 == 0 ? 1e3 * y[i * dims + c]
									: 0.25;
			memcpy(z, y, (size_t)(N * dims) * sizeof *y);
			knng_task task = {.threads = 2};
			knng_err err = {0};
			knng_tsne_how how = {.rounds = 1, .exaggeration = 1, .rate = 1, .theta = theta[kind % 2]};
			CHECK(knng_tsne_layout(&task, &P, &how, dims, y, &loss, NULL, &err) == KNNG_OK, "%s", err.text);
			gradient(&P, 0, dims, z, push);
			gradient(&P, 1, dims, z, down);
			for (int64_t e = 0; e < N * dims; e++) {
				off += pow((z[e] - y[e]) / 0.8 - down[e], 2); /* the first gain is 0.8 */
				size += pow(push[e], 2);
			}
			double least = sqrt(off / size), known = divergence(&P, dims, y);
			CHECK(least < near[kind % 2], "kind %d, %d dimensions: pushes are off by %g of 1", kind, dims,
			      least);
			CHECK(fabs(loss - known) < near[kind % 2], "kind %d: divergence %g, not %g", kind, loss, known);
			free(down);
			free(push);
			free(z);
			free(y);
		}
	release(&g);
}

/* The same bits, whoever does the work. */
static void
test_threads(void)
{
	for (int dims = 1; dims <= 3; dims++) {
		if (SKIPS(2))
			continue;
		const int64_t N = ENOUGH(5000, 3000);
		joined g = ring_of(N, 4);
		knng_sparse P = matrix(&g, N);
		double loss[3], slope[3], *first = NULL;
		for (int turn = 0; turn < 3; turn++) {
			knng_task task = {.threads = 1 + 2 * turn};
			knng_err err = {0};
			knng_tsne_how how = {.rounds = 9, .early = 4, .exaggeration = 12, .rate = 200, .theta = 0.5};
			double *y = scattered(N, dims, 1e-4);
			CHECK(knng_tsne_layout(&task, &P, &how, dims, y, loss + turn, slope + turn, &err) == KNNG_OK,
			      "%s", err.text);
			if (turn == 0)
				first = y;
			else {
				CHECK(memcmp(first, y, (size_t)(N * dims) * sizeof *y) == 0, "turn %d", turn);
				CHECK(loss[turn] == loss[0] && slope[turn] == slope[0] && slope[0] > 0,
				      "turn %d: %g, %g", turn, loss[turn], slope[turn]);
				free(y);
			}
		}
		/* And in several calls. */
		double *y = scattered(N, dims, 1e-4), *state = room(2 * N * dims, sizeof *state);
		for (int64_t end = 2; end <= 9; end = end == 2 ? 4 : end == 4 ? 5 : end + 4) {
			knng_task task = {.threads = 2};
			knng_err err = {0};
			knng_tsne_how how = {.rounds = 9,
					     .early = 4,
					     .exaggeration = 12,
					     .rate = 200,
					     .theta = 0.5,
					     .first = end == 2   ? 0
						      : end == 4 ? 2
						      : end == 5 ? 4
								 : 5,
					     .end = end,
					     .state = state};
			CHECK(knng_tsne_layout(&task, &P, &how, dims, y, loss + 1, slope + 1, &err) == KNNG_OK, "%s",
			      err.text);
		}
		CHECK(memcmp(first, y, (size_t)(N * dims) * sizeof *y) == 0 && loss[1] == loss[0] &&
			      slope[1] == slope[0],
		      "in pieces: %g, %g", loss[1], slope[1]);
		free(state);
		free(y);
		free(first);
		release(&g);
	}
}

/* The same bits by every instruction set, of whole lists and of those that end anywhere. */
static void
test_targets(void)
{
	static const char *const name[] = {"avx512", "avx2"};
	const knng_pushes *plain = knng_pushes_find("plain");
	for (int t = 0; t < 2; t++)
		for (int64_t turn = 0; turn < 600 && knng_pushes_find(name[t]) != NULL; turn++) {
			enum { MOST = 40, LANES = KNNG_PUSH_LANES, DIMS = KNNG_TSNE_DIMS };
			int dims = 1 + (int)(turn % 3);
			const knng_pushes *loops[2] = {plain + dims - 1, knng_pushes_find(name[t]) + dims - 1};
			double x[DIMS * LANES], list[MOST * (DIMS + 1)], weight[MOST], force[2][DIMS * LANES];
			double sum[2][LANES], pull[2][DIMS];
			int32_t row[MOST];
			for (int e = 0; e < DIMS * LANES; e++)
				x[e] = 9 * random_unit();
			for (int e = 0; e < MOST * (DIMS + 1); e++)
				list[e] = 9 * random_unit();
			for (int e = 0; e < MOST; e++) {
				row[e] = (int32_t)(MOST * random_unit());
				weight[e] = random_unit();
			}
			for (int k = 0; k < 2; k++) {
				for (int e = 0; e < DIMS * LANES; e++)
					force[k][e] = x[e];
				for (int e = 0; e < LANES; e++)
					sum[k][e] = e;
				loops[k]->push(x, list, turn % MOST, force[k], sum[k]);
				loops[k]->pull(x, list, row, weight, turn % MOST, pull[k]);
			}
			CHECK(memcmp(force[0], force[1], (size_t)dims * LANES * sizeof **force) == 0 &&
				      memcmp(sum[0], sum[1], sizeof *sum) == 0,
			      "%s pushes otherwise, %d dimensions", name[t], dims);
			CHECK(memcmp(pull[0], pull[1], (size_t)dims * sizeof **pull) == 0, "%s pulls otherwise",
			      name[t]);
		}
}

static void
test_failures(void)
{
	joined g = ring_of(900, 2);
	knng_sparse P = matrix(&g, 900);
	double *y = scattered(900, 2, 1), loss;
	knng_tsne_how how = {.rounds = 2, .early = 1, .exaggeration = 12, .rate = 1, .theta = 0.5};
	knng_task task = {.threads = 1};
	knng_err err = {0};
	int64_t live = knng_sys().live, refused = 0;
	knng_status status = KNNG_OK;
	for (int64_t nth = 1; nth <= 60; nth++) { /* files that say how much memory there is may be missing */
		knng_sys_fail_at(nth);
		status = knng_tsne_layout(&task, &P, &how, 2, y, &loss, NULL, &err);
		CHECK(status == KNNG_OK || status == KNNG_EMEMORY, "call %lld: %s", (long long)nth, err.text);
		CHECK(knng_sys().live == live, "call %lld", (long long)nth);
		refused += status == KNNG_EMEMORY;
	}
	CHECK(status == KNNG_OK && refused == 18, "%lld refused", (long long)refused);
	knng_sys_fail_at(1);
	CHECK(knng_tsne_weigh(&task, &P, 2, g.value, &err) == KNNG_EMEMORY, "not refused");
	knng_sys_fail_at(0);
	CHECK(knng_sys().live == live, "blocks are left");
	task.interrupt = &stop;
	stop_at = 0;
	looks = 0; /* of a tree seven: before and behind each digit that is sorted by, and before crowds are made */
	CHECK(knng_tsne_layout(&task, &P, &how, 2, y, &loss, NULL, &err) == KNNG_OK && looks >= 1 + 3 * 7, "%lld looks",
	      (long long)looks);
	int64_t all = looks;
	for (int64_t nth = 1; nth <= all; nth += 2) {
		stop = 0;
		looks = 0;
		stop_at = nth;
		CHECK(knng_tsne_layout(&task, &P, &how, 2, y, &loss, NULL, &err) == KNNG_EINTERRUPTED, "look %lld",
		      (long long)nth);
		CHECK(knng_sys().live == live, "blocks are left");
	}
	stop = 0;
	looks = stop_at = 0;
	CHECK(knng_tsne_weigh(&task, &P, 2, g.value, &err) == KNNG_OK && looks >= 900, "%lld looks of 900 columns",
	      (long long)looks);
	looks = 0;
	stop_at = 333;
	CHECK(knng_tsne_weigh(&task, &P, 2, g.value, &err) == KNNG_EINTERRUPTED, "not interrupted");
	stop_at = 0;
	CHECK(knng_sys().live == live, "blocks are left");
	task.interrupt = NULL;
	for (int wild = 0; wild < 2; wild++) { /* all in one place, and far too fast: still numbers */
		for (int e = 0; e < 1800; e++)
			y[e] = wild == 0 ? 3 : e % 7;
		how = (knng_tsne_how){
			.rounds = 30, .early = 9, .exaggeration = 12, .rate = wild == 0 ? 1 : 1e9, .theta = 0.5};
		CHECK(knng_tsne_layout(&task, &P, &how, 2, y, &loss, NULL, &err) == KNNG_OK, "%s", err.text);
		for (int e = 0; e < 1800; e++)
			CHECK(fabs(y[e]) <= 1e100, "a place at %g", y[e]);
	}
	free(y);
	release(&g);
}

int
main(int argc, char **argv)
{
	PART(weights);
	PART(exact);
	PART(approximation);
	PART(threads);
	PART(targets);
	PART(failures);
	return summary();
}
