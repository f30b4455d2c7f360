/* test_kmedoids.c  knng_kmedoids against section 7 of docs/centres.md in plain loops, over the oracle's distances, bit
 * by bit. */
#include "base/sys.h"
#include "interrupts.h"
#include "knng.h"
#include "oracle.h"
#include "rows/kmedoids.h"
#include "testing.h"

#include <float.h>

typedef struct {
	const char *metric;
	int64_t n, d, k, replicates, most;
	knng_medoids_start start;
	double *X, *draw;
	int32_t *given;
} problem;

typedef struct {
	int32_t *cluster, *medoid;
	double *sum, *to, *iterations, *total, *swaps;
} answer;

static answer
room_for(const problem *p)
{
	return (answer){.cluster = room(p->n, sizeof(int32_t)),
			.medoid = room(p->k, sizeof(int32_t)),
			.sum = room(p->k, sizeof(double)),
			.to = room(p->n * p->k, sizeof(double)),
			.iterations = room(p->replicates, sizeof(double)),
			.total = room(p->replicates, sizeof(double)),
			.swaps = room(p->replicates, sizeof(double))};
}

static void
release(answer *a)
{
	void *all[] = {a->cluster, a->medoid, a->sum, a->to, a->iterations, a->total, a->swaps};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

/* ---------------------------------------------------------------- the definition */

/* All distances, 0 of a row to itself, NaN where there is none. */
static double *
all_distances(const problem *p)
{
	int64_t n = p->n, *idx = room(n * n, sizeof *idx);
	double *dist = room(n * n, sizeof *dist), *w = room(n * n, sizeof *w);
	if (oracle_knn(p->metric, false, n, p->d, p->X, n, p->X, n, idx, dist) != 0)
		abort();
	for (int64_t e = 0; e < n * n; e++)
		w[e] = NAN;
	for (int64_t e = 0; e < n * n; e++)
		if (idx[e] >= 0)
			w[e / n * n + idx[e]] = idx[e] == e / n ? 0 : dist[e];
	free(idx);
	free(dist);
	return w;
}

typedef struct {
	int64_t r, k;
	const double *w; /* [r x r] */
	int32_t *medoid; /* [k] of r */
	double *a, *b;
	int32_t *near;
} state;

static bool
is_medoid(const state *s, int64_t k, int64_t i)
{
	for (int64_t c = 0; c < k; c++)
		if (s->medoid[c] == i)
			return true;
	return false;
}

static double
nearest_two(const state *s, int64_t k)
{
	double total = 0;
	for (int64_t i = 0; i < s->r; i++) {
		s->near[i] = 0;
		for (int32_t c = 1; c < k; c++)
			if (s->w[s->medoid[c] * s->r + i] < s->w[s->medoid[s->near[i]] * s->r + i])
				s->near[i] = c;
		s->a[i] = s->w[s->medoid[s->near[i]] * s->r + i];
		s->b[i] = INFINITY;
		for (int32_t c = 0; c < k; c++)
			if (c != s->near[i] && s->w[s->medoid[c] * s->r + i] < s->b[i])
				s->b[i] = s->w[s->medoid[c] * s->r + i];
		total += s->a[i];
	}
	return total;
}

static void
draw(const problem *p, const state *s, const double *u)
{
	for (int32_t c = 0; c < p->k; c++) {
		int64_t left = (int64_t)(u[c] * (double)(s->r - (p->start == KNNG_MEDOIDS_SAMPLE ? c : 0))), i = 0;
		double whole = c > 0 ? nearest_two(s, c) : 0, sum = 0;
		if (c == 0 || p->start == KNNG_MEDOIDS_SAMPLE) {
			while (is_medoid(s, c, i) || left-- > 0)
				i++;
		} else if (whole == 0) {
			while (is_medoid(s, c, i))
				i++;
		} else {
			for (i = 0; sum += s->a[i], !(s->a[i] > 0 && sum >= u[c] * whole); i++) {
			}
		}
		s->medoid[c] = (int32_t)i;
	}
}

static bool
try(const state *s, int64_t j, double *total, double *L)
{
	double G = 0, after = 0;
	int32_t c = 0;
	for (int64_t i = 0; i < s->k; i++)
		L[i] = 0;
	for (int64_t i = 0; i < s->r; i++)
		L[s->near[i]] += s->b[i] - s->a[i];
	for (int64_t i = 0; i < s->r; i++) {
		double w = s->w[j * s->r + i];
		if (w < s->a[i]) {
			G += w - s->a[i];
			L[s->near[i]] += s->a[i] - s->b[i];
		} else if (w < s->b[i])
			L[s->near[i]] += w - s->b[i];
	}
	for (int32_t i = 1; i < s->k; i++)
		c = L[i] < L[c] ? i : c;
	if (!(L[c] + G < 0))
		return false;
	int32_t before = s->medoid[c];
	s->medoid[c] = (int32_t)j;
	after = nearest_two(s, s->k);
	if (after < *total) {
		*total = after;
		return true;
	}
	s->medoid[c] = before;
	nearest_two(s, s->k);
	return false;
}

static int64_t
of_rows(const double *w, int64_t n, int64_t *row)
{
	int64_t r = 0;
	for (int64_t i = 0; i < n; i++)
		if (!isnan(w[i * n + i]))
			row[r++] = i;
	return r;
}

static void
solve(const problem *p, answer *out)
{
	int64_t n = p->n, k = p->k, *row = room(n, sizeof *row);
	double *all = all_distances(p), *w = room(n * n, sizeof *w), *L = room(k, sizeof *L), best = INFINITY;
	int64_t r = of_rows(all, n, row);
	state s = {.r = r,
		   .k = k,
		   .w = w,
		   .medoid = room(k, sizeof *s.medoid),
		   .a = room(n, sizeof *s.a),
		   .b = room(n, sizeof *s.b),
		   .near = room(n, sizeof *s.near)};
	for (int64_t e = 0; e < r * r; e++)
		w[e] = fmin(all[row[e / r] * n + row[e % r]], DBL_MAX / (8 * (double)n));
	for (int64_t t = 0; t < p->replicates; t++) {
		int64_t since = 0, round = 0, j = 0, swaps = 0;
		if (p->start == KNNG_MEDOIDS_GIVEN)
			for (int64_t c = 0; c < k; c++)
				for (int64_t i = 0; i < r; i++)
					s.medoid[c] = row[i] == p->given[t * k + c] ? (int32_t)i : s.medoid[c];
		else
			draw(p, &s, p->draw + t * k);
		double total = k == 1 ? INFINITY : nearest_two(&s, k);
		for (j = 0; k == 1 && j < r; j++) {
			double sum = 0;
			for (int64_t i = 0; i < r; i++)
				sum += w[j * r + i];
			if (sum < total) {
				total = sum;
				s.medoid[0] = (int32_t)j;
			}
		}
		for (j = 0; k > 1 && since < r && round < p->most; round += j + 1 == r, j = (j + 1) % r) {
			bool swapped = !is_medoid(&s, k, j) && try(&s, j, &total, L);
			since = swapped ? 1 : since + 1;
			swaps += swapped;
		}
		out->iterations[t] = k == 1 ? 1 : (double)(round + (j > 0)) * (since < r ? -1 : 1);
		out->total[t] = total;
		out->swaps[t] = (double)swaps;
		for (int64_t c = 0; c < k && total < best; c++)
			out->medoid[c] = (int32_t)row[s.medoid[c]];
		best = fmin(best, total);
	}
	for (int64_t c = 0; c < k; c++)
		out->sum[c] = 0;
	for (int64_t i = 0; i < n; i++) {
		int32_t *own = &out->cluster[i];
		*own = isnan(all[i * n + i]) ? -1 : 0;
		for (int64_t c = 0; c < k; c++)
			out->to[c * n + i] = all[i * n + out->medoid[c]];
		for (int32_t c = 1; c < k && *own >= 0; c++)
			*own = out->to[c * n + i] < out->to[*own * n + i] ? c : *own;
		for (int32_t c = 0; c < k; c++)
			*own = out->medoid[c] == i ? c : *own;
		if (*own >= 0)
			out->sum[*own] += out->to[*own * n + i];
	}
	void *done[] = {row, all, w, L, s.medoid, s.a, s.b, s.near};
	for (size_t i = 0; i < sizeof done / sizeof *done; i++)
		free(done[i]);
}

/* ---------------------------------------------------------------- comparing */

static bool
is_right(const problem *p, const answer *want, const answer *got)
{
	return memcmp(want->cluster, got->cluster, (size_t)p->n * sizeof *want->cluster) == 0 &&
	       memcmp(want->medoid, got->medoid, (size_t)p->k * sizeof *want->medoid) == 0 &&
	       alike(want->sum, got->sum, p->k) && alike(want->to, got->to, p->n * p->k) &&
	       alike(want->iterations, got->iterations, p->replicates) &&
	       alike(want->total, got->total, p->replicates) && alike(want->swaps, got->swaps, p->replicates);
}

static knng_status
call(const problem *p, knng_task *task, const char *target, double max_memory, answer *got, knng_kmedoids_found *found,
     knng_err *err)
{
	knng_matrix X = knng_by_rows(p->n, p->d, KNNG_F64, p->X);
	knng_kmedoids_how how = {.metric = knng_metric_find(p->metric),
				 .k = p->k,
				 .replicates = p->replicates,
				 .start = p->start,
				 .draws = p->draw,
				 .given = p->given,
				 .most = p->most,
				 .max_memory = max_memory,
				 .target = target};
	*found = (knng_kmedoids_found){.cluster = got->cluster,
				       .medoid = got->medoid,
				       .sum = got->sum,
				       .to = got->to,
				       .iterations = got->iterations,
				       .total = got->total,
				       .swaps = got->swaps};
	return knng_kmedoids(task, &X, &how, found, err);
}

static int64_t without; /* calls that had no room for all distances */

static void
check(const problem *p, const char *what)
{
	static const char *const targets[] = {"plain", NULL};
	answer want = room_for(p), got = room_for(p);
	knng_err err = {0};
	double stored = 0;
	solve(p, &want);
	for (int t = 0; t < 4; t++) {
		knng_task task = {.threads = 1 + t % 2 * 2};
		knng_kmedoids_found found;
		knng_status status = call(p, &task, targets[t / 2], t > 1 ? stored - 1 : 0, &got, &found, &err);
		if (t > 1 && status == KNNG_EARGS) {
			CHECK(strcmp(err.id, "knng:args:maxMemory") == 0, "%s", err.id);
			continue;
		}
		CHECK(status == KNNG_OK && is_right(p, &want, &got),
		      "%s: %s, %lld x %lld, k %lld, start %d, %d threads, %d", what, p->metric, (long long)p->n,
		      (long long)p->d, (long long)p->k, (int)p->start, task.threads, t);
		CHECK(found.stored == (t < 2) || found.planned < stored, "%g bytes", found.planned);
		stored = t == 0 ? found.planned : stored;
		without += !found.stored;
	}
	release(&want);
	release(&got);
}

static problem
make(const char *metric, int64_t n, int64_t d, int64_t k)
{
	problem p = {
		.metric = metric, .n = n, .d = d, .k = k, .replicates = 2, .most = 9, .X = room(n * d, sizeof *p.X)};
	p.draw = room(2 * k, sizeof *p.draw);
	p.given = room(2 * k, sizeof *p.given);
	for (int64_t e = 0; e < n * d; e++)
		p.X[e] = random_normal();
	return p;
}

static void
discard(problem *p)
{
	free(p->X);
	free(p->draw);
	free(p->given);
}

/* Different rows with distances, and random numbers. */
static void
begin(problem *p)
{
	double *w = all_distances(p);
	for (int64_t e = 0; e < 2 * p->k; e++) {
		bool again = true;
		p->draw[e] = 0.5 * (random_unit() + random_unit()) + 0x1p-60;
		while (again) {
			p->given[e] = (int32_t)random_below(p->n);
			again = isnan(w[p->given[e] * p->n + p->given[e]]);
			for (int64_t i = e / p->k * p->k; i < e; i++)
				again = again || p->given[i] == p->given[e];
		}
	}
	free(w);
}

static void
test_metrics(void)
{
	static const struct {
		int64_t n, d, k;
	} sizes[] = {{1, 3, 1}, {2, 3, 2}, {9, 4, 9}, {40, 5, 1}, {130, 3, 7}, {300, 17, 12}};
	for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++)
		for (int m = 0; oracle_metric_name(m) != NULL; m++) {
			if (SKIPS(3))
				continue;
			problem p = make(oracle_metric_name(m), sizes[z].n, sizes[z].d, sizes[z].k);
			CHECK(knng_metric_find(p.metric) != NULL, "core/search/metric.c has no metric %s", p.metric);
			for (int64_t e = 0; m % 3 == 1 && e < p.n * p.d; e++) /* ties, copies */
				p.X[e] = (double)(e % p.d == 0) * 9 * (double)e + (double)random_below(3);
			for (int64_t i = 1; m % 3 == 2 && p.n > 20 && i < p.n; i += 9) /* rows without distances */
				p.X[i * p.d] = i % 2 ? NAN : INFINITY;
			begin(&p);
			for (int s = KNNG_MEDOIDS_PLUS; s <= KNNG_MEDOIDS_GIVEN; s++) {
				p.start = (knng_medoids_start)s;
				p.most = s == KNNG_MEDOIDS_SAMPLE ? 1 : 9;
				check(&p, "metrics");
			}
			discard(&p);
		}
	CHECK(without > 50, "%lld", (long long)without);
}

/* Copies alone; distances that underflow, overflow, or nearly do. */
static void
test_scales(void)
{
	static const double scales[] = {0, 0x1p-1072, 0x1p-540, 0x1p510, 0x1p512, 0x1p1018, 0x1p1020};
	for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
		for (int m = 0; m < 3; m++) {
			problem p = make((const char *const[]){"sqeuclidean", "cityblock", "chebychev"}[m], 120, 3, 5);
			for (int64_t e = 0; e < p.n * p.d; e++)
				p.X[e] *= scales[s];
			begin(&p);
			for (int kind = KNNG_MEDOIDS_PLUS; kind <= KNNG_MEDOIDS_GIVEN; kind++) {
				p.start = (knng_medoids_start)kind;
				check(&p, "scales");
			}
			discard(&p);
		}
}

/* Every call that can fail does, memory stays as planned, Ctrl-C is heard, and nothing is left. */
static void
test_failures(void)
{
	problem p = make("euclidean", 200, 4, 6);
	begin(&p);
	answer want = room_for(&p), got = room_for(&p);
	solve(&p, &want);
	for (int few = 0; few < 2; few++) {
		double limit = few ? 60000 : 0;
		knng_task task = {.threads = 2};
		knng_err err = {0};
		knng_kmedoids_found found;
		int64_t live = knng_sys().live, nth = 0;
		knng_status status = KNNG_EMEMORY;
		while (status == KNNG_EMEMORY && nth < 40) {
			knng_sys_fail_at(++nth);
			status = call(&p, &task, NULL, limit, &got, &found, &err);
			CHECK((status == KNNG_OK || strcmp(err.id, "knng:memory:host") == 0) && knng_sys().live == live,
			      "call %lld: %s", (long long)nth, err.id);
		}
		knng_sys_fail_at(0);
		CHECK(status == KNNG_OK && is_right(&p, &want, &got) && nth > 12 && found.stored == !few, "%lld calls",
		      (long long)nth);
		knng_sys_mark_peak();
		call(&p, &task, NULL, limit, &got, &found, &err);
		double peak = (double)(knng_sys().peak - live);
		CHECK(peak <= found.planned && peak > 0.8 * found.planned, "%g of %g", peak, found.planned);
		task = (knng_task){.threads = 1, .interrupt = &stop}; /* so that looks are the same every time */
		stop = 0;
		looks = stop_at = 0;
		CHECK(call(&p, &task, NULL, limit, &got, &found, &err) == KNNG_OK && looks >= p.n,
		      "%lld looks of %lld rows", (long long)looks, (long long)p.n);
		for (int64_t nth = 1, all = looks; nth <= all; nth += all / 20 + 1) {
			stop = 0;
			looks = 0;
			stop_at = nth;
			CHECK(call(&p, &task, NULL, limit, &got, &found, &err) == KNNG_EINTERRUPTED &&
				      knng_sys().live == live,
			      "look %lld: %s", (long long)nth, err.id);
		}
		stop = 1;
		task.threads = 2;
		CHECK(call(&p, &task, NULL, limit, &got, &found, &err) == KNNG_EINTERRUPTED && knng_sys().live == live,
		      "%s", err.id);
		task.interrupt = NULL;
		knng_memory_set_available(300); /* what the machine does not have is not claimed */
		CHECK(call(&p, &task, NULL, 0, &got, &found, &err) == KNNG_EMEMORY &&
			      strcmp(err.id, "knng:memory:host") == 0 && knng_sys().live == live,
		      "%s", err.id);
		knng_memory_set_available(1e12);
		p.given[3] = p.given[1];
		p.start = KNNG_MEDOIDS_GIVEN;
		CHECK(call(&p, &task, NULL, 0, &got, &found, &err) == KNNG_EARGS &&
			      strcmp(err.id, "knng:args:start") == 0 && knng_sys().live == live,
		      "%s", err.id);
		p.start = KNNG_MEDOIDS_PLUS;
	}
	p.X[0] = NAN;
	p.k = p.n;
	knng_task task = {0};
	knng_err err = {0};
	knng_kmedoids_found found;
	CHECK(call(&p, &task, NULL, 0, &got, &found, &err) == KNNG_EARGS && strcmp(err.id, "knng:args:k") == 0, "%s",
	      err.id);
	CHECK(call(&p, &task, "riscv", 0, &got, &found, &err) == KNNG_EARGS && strcmp(err.id, "knng:args:target") == 0,
	      "%s", err.id);
	release(&want);
	release(&got);
	discard(&p);
}

int
main(int argc, char **argv)
{
	knng_memory_set_available(1e12); /* so that the same calls are counted everywhere */
	PART(metrics);
	PART(scales);
	PART(failures);
	return summary();
}
