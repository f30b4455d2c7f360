/* test_optics.c  Rows in the order of OPTICS: order, reach and predecessors to the last bit those of a plain loop over
 * the oracle's distances of all pairs, whatever the data, the metric, the leaves, the threads and the largest distance.
 * Failures, memory, Ctrl-C at any moment. */
#include "graph/steep.h"
#include "interrupts.h"
#include "oracle.h"
#include "rows.h"
#include "rows/optics.h"
#include "search/metric.h"

typedef struct {
	int64_t n, d;
	const char *metric;
	double most;
	double *x, *core, *reach;
	int32_t *order, *from;
	int64_t met, broken;
	knng_status status;
	knng_err err;
} problem;

/* Every look of the loop over the rows is one, too. */
knng_status __real_knng_task_step(knng_task *task, double fraction, knng_err *err);
knng_status __wrap_knng_task_step(knng_task *task, double fraction, knng_err *err);

static int64_t looks_of_steps;

knng_status
__wrap_knng_task_step(knng_task *task, double fraction, knng_err *err)
{
	looks_of_steps++;
	look();
	return __real_knng_task_step(task, fraction, err);
}

static problem
room_for(int64_t n, int64_t d, const char *metric, double most)
{
	return (problem){.n = n,
			 .d = d,
			 .metric = metric,
			 .most = most,
			 .reach = room(n, sizeof(double)),
			 .order = room(n, sizeof(int32_t)),
			 .from = room(n, sizeof(int32_t))};
}

static void
forget(problem *p)
{
	free(p->reach);
	free(p->order);
	free(p->from);
}

/* The definition (docs/canonical.md, 15). far: [n * n], NaN where there is no distance. */
static void
plain(problem *p, const double *far, const uint8_t *there)
{
	int64_t n = p->n, taken = 0;
	uint8_t *done = room(n, 1);
	for (int64_t i = 0; i < n; i++) {
		p->reach[i] = INFINITY;
		p->from[i] = -1;
		done[i] = !there[i];
		p->broken += !there[i];
	}
	for (;; taken++) {
		int64_t next = -1;
		for (int64_t i = 0; i < n; i++)
			if (!done[i] && (next < 0 || p->reach[i] < p->reach[next]))
				next = i;
		if (next < 0)
			break;
		done[next] = 1;
		p->order[taken] = (int32_t)next;
		for (int64_t j = 0; j < n && p->core[next] <= p->most && p->core[next] < INFINITY; j++) {
			double d = far[next * n + j], reach = d > p->core[next] ? d : p->core[next];
			if (!done[j] && d <= p->most && reach < p->reach[j]) {
				p->reach[j] = reach;
				p->from[j] = (int32_t)next;
			}
		}
	}
	for (int64_t i = 0; i < n; i++)
		if (!there[i])
			p->order[taken++] = (int32_t)i;
	free(done);
}

/* Rows of a kind, core distances to their m-th neighbours, and what is right. share: of all distances those that may
 * count, 1: all of them. */
static problem
make(int kind, const char *metric, int64_t n, int64_t d, int64_t m, double share)
{
	problem p = room_for(n, d, metric, INFINITY);
	int64_t width = oracle_width(n, true, n - 1), *idx = room(n * width + 1, sizeof *idx), pairs = 0;
	double *dist = room(n * width + 1, sizeof *dist), *far = room(n * n, sizeof *far);
	uint8_t *there = room(n, 1);
	p.x = rows_of_kind(kind, n, d);
	p.core = room(n, sizeof *p.core);
	CHECK(oracle_knn(metric, false, n, d, p.x, 0, NULL, n - 1, idx, dist) == 0, "%s", metric);
	for (int64_t i = 0; i < n * n; i++)
		far[i] = NAN;
	for (int64_t i = 0; i < n; i++) {
		there[i] = idx[i * width] >= 0;
		for (int64_t e = i * width; e < (i + 1) * width && idx[e] >= 0; e++, pairs++)
			far[i * n + idx[e]] = dist[e];
		p.core[i] = m <= width && idx[i * width + m - 1] >= 0 ? dist[i * width + m - 1] : INFINITY;
	}
	if (share < 1 && pairs > 0)
		p.most = dist[random_below(n) * width + (int64_t)(share * (double)(width - 1))];
	p.most = isnan(p.most) ? INFINITY : p.most;
	plain(&p, far, there);
	free(idx);
	free(dist);
	free(far);
	free(there);
	return p;
}

static void
discard(problem *p)
{
	forget(p);
	free(p->x);
	free(p->core);
}

static problem
call(const problem *p, const knng_optics_how *more, knng_task task)
{
	problem a = room_for(p->n, p->d, p->metric, p->most);
	knng_matrix X = knng_by_rows(p->n, p->d, KNNG_F64, p->x);
	knng_optics_how how = *more;
	knng_optics_found found = {.order = a.order, .reach = a.reach, .from = a.from};
	how.metric = knng_metric_find(p->metric);
	how.core = p->core;
	how.most = p->most;
	a.status = knng_optics(&task, &X, &how, &found, &a.err);
	a.met = found.met;
	a.broken = found.left_out;
	return a;
}

static bool
same_order(const problem *p, const problem *a)
{
	size_t n = (size_t)p->n;
	return a->status == KNNG_OK && memcmp(p->order, a->order, n * sizeof *p->order) == 0 &&
	       memcmp(p->reach, a->reach, n * sizeof *p->reach) == 0 &&
	       memcmp(p->from, a->from, n * sizeof *p->from) == 0 && p->broken == a->broken;
}

static void
test_data(void)
{
	static const int64_t leaves[] = {8, 16, 0};
	static const char *const targets[] = {NULL, "plain"};
	int64_t met = 0, all = 0;
	for (int kind = 0; kind < KINDS; kind++)
		for (int t = 0; oracle_metric_name(t) != NULL; t++)
			for (int few = 0; few < 2; few++) {
				int64_t n = 2 + random_below(139), d = 1 + random_below(t % 3 ? 6 : 70);
				int64_t m = 1 + random_below(4);
				problem p = make(kind, oracle_metric_name(t), n, d, m, few ? random_unit() / 2 : 1);
				knng_optics_how how = {.leaf = leaves[random_below(3)],
						       .target = targets[random_below(2)]};
				problem a = call(&p, &how, (knng_task){.threads = 1 + (int)random_below(3)});
				CHECK(same_order(&p, &a),
				      "same order: %s, %s, n %lld, d %lld, m %lld, leaf %lld, %g: %s", kind_name[kind],
				      p.metric, (long long)n, (long long)d, (long long)m, (long long)how.leaf, p.most,
				      a.err.text);
				if (how.leaf == 8) {
					met += a.met;
					all += n * ((n + 7) / 8);
				}
				forget(&a);
				discard(&p);
			}
	CHECK(met > 1000 && met < all / 2, "%lld leaves of %lld were met", (long long)met, (long long)all);
}

/* So many columns that threads are worth waking, and boxes leave out too little. */
static void
test_threads(void)
{
	problem p = make(NORMAL, "cityblock", 400, 700, 3, 1);
	for (int threads = 1; threads < 4; threads++) {
		problem a = call(&p, &(knng_optics_how){0}, (knng_task){.threads = threads});
		CHECK(same_order(&p, &a), "%d threads: %s", threads, a.err.text);
		forget(&a);
	}
	bool ended = false;
	int64_t within = 0; /* stops when rows were taken already */
	for (int64_t at = 1; !ended && at < 1000; at += 12) {
		looks = stop = 0;
		stop_at = at;
		problem a = call(&p, &(knng_optics_how){0}, (knng_task){.threads = 2, .interrupt = &stop});
		ended = looks < at;
		CHECK(ended ? same_order(&p, &a) : a.status == KNNG_EINTERRUPTED, "look %lld: %s", (long long)at,
		      a.err.text);
		within += !ended && a.met > 0;
		forget(&a);
	}
	CHECK(ended && within > 0, "%lld looks, %lld in the order", (long long)looks, (long long)within);
	stop_at = stop = 0;
	discard(&p);
}

static void
test_failures(void)
{
	problem p = make(BROKEN, "pearson", 300, 5, 2, 1);
	knng_optics_how how = {.leaf = 8};
	problem a = call(&p, &how, (knng_task){.threads = 2}); /* what is asked of a machine once may fail */
	CHECK(same_order(&p, &a) && p.broken > 20, "%s", a.err.text);
	forget(&a);
	int64_t live = knng_sys().live, nth = 0;
	a = (problem){.status = KNNG_EMEMORY};
	while (a.status == KNNG_EMEMORY && nth < 100) {
		knng_sys_fail_at(++nth);
		a = call(&p, &how, (knng_task){.threads = 2});
		CHECK((a.status == KNNG_OK || strcmp(a.err.id, "knng:memory:host") == 0) && knng_sys().live == live,
		      "call %lld: %s", (long long)nth, a.err.id);
		if (a.status != KNNG_OK)
			forget(&a);
	}
	knng_sys_fail_at(0);
	CHECK(same_order(&p, &a) && nth > 20, "%lld calls", (long long)nth);
	forget(&a);
	knng_sys_mark_peak();
	int64_t before = knng_sys().bytes;
	a = call(&p, &how, (knng_task){.threads = 2});
	double taken = (double)(knng_sys().peak - before), planned = knng_optics_bytes(p.n, p.d, how.leaf, 2);
	CHECK(same_order(&p, &a) && taken <= planned && planned < 2 * taken + 8192, "%g planned, %g taken", planned,
	      taken);
	forget(&a);
	how.max_memory = planned - 1;
	a = call(&p, &how, (knng_task){.threads = 2});
	CHECK(a.status == KNNG_EARGS && strcmp(a.err.id, "knng:args:maxMemory") == 0, "%s", a.err.id);
	forget(&a);
	how.max_memory = planned;
	a = call(&p, &how, (knng_task){.threads = 2});
	CHECK(same_order(&p, &a), "%s", a.err.text);
	forget(&a);
	how.target = "none";
	a = call(&p, &how, (knng_task){.threads = 2});
	CHECK(strcmp(a.err.id, "knng:args:target") == 0, "%s", a.err.id);
	forget(&a);
	discard(&p);
}

/* A plot of many valleys, some in others; what they are stands in the %! tests of knng.optics. */
static void
test_valleys(void)
{
	enum { N = 3000 };
	double reach[N];
	int32_t from[N];
	knng_steep_how how = {.xi = 0.02, .minpts = 3, .least = 3, .correct = true};
	knng_valley *valleys = NULL;
	int64_t count = 0, live = knng_sys().live, nth = 0;
	knng_status status = KNNG_EMEMORY;
	knng_err err;
	for (int i = 0; i < N; i++) {
		reach[i] = i == 0 ? INFINITY : 3 + sin(i / 5.0) + sin(i / 41.0) + random_unit() / 9;
		from[i] = i - 1;
	}
	while (status == KNNG_EMEMORY && nth < 100) {
		knng_sys_fail_at(++nth);
		status = knng_steep(&(knng_task){0}, N, reach, from, &how, &valleys, &count, &err);
		CHECK(status == KNNG_OK || (valleys == NULL && knng_sys().live == live), "call %lld: %s",
		      (long long)nth, err.id);
	}
	knng_sys_fail_at(0);
	CHECK(status == KNNG_OK && nth > 2 && count > 64, "%lld calls, %lld valleys", (long long)nth, (long long)count);
	for (int64_t v = 0; v < count; v++)
		CHECK(valleys[v].first >= 0 && valleys[v].last < N &&
			      valleys[v].last - valleys[v].first + 1 >= how.least,
		      "valley %lld", (long long)v);
	knng_free(valleys);
}

/* One ascent that closes many valleys in each other, on each of which it looks at its own places: it looks for Ctrl-C
 * meanwhile. What the descents take is measured without the ascent. */
static void
test_nested(void)
{
	enum { DOWN = 3000, UP = 2000, N = 2 * DOWN + UP };
	double reach[N], at = 0x1p200;
	int32_t from[N];
	int64_t looks[2];
	knng_steep_how how = {.xi = 0.001, .minpts = 3, .least = 3};
	knng_err err;
	for (int i = 0; i < N; i++) {
		reach[i] = at *= i >= 2 * DOWN ? 1.03 : i % 2 == 0 ? 1 / 1.02 : 1.0005;
		from[i] = i - 1;
	}
	for (int whole = 0; whole < 2; whole++) {
		knng_valley *valleys = NULL;
		int64_t count = 0;
		looks_of_steps = 0;
		knng_status status = knng_steep(&(knng_task){0}, whole ? N : 2 * DOWN - 1, reach, from, &how, &valleys,
						&count, &err);
		CHECK(status == KNNG_OK && (!whole || count == DOWN - 1), "%lld valleys", (long long)count);
		looks[whole] = looks_of_steps;
		knng_free(valleys);
	}
	CHECK(looks[1] > looks[0] + 1, "%lld looks, %lld of them before", (long long)looks[1], (long long)looks[0]);
}

int
main(int argc, char **argv)
{
	knng_memory_set_available(1e12);
	PART(data);
	PART(threads);
	PART(failures);
	PART(valleys);
	PART(nested);
	return summary();
}
