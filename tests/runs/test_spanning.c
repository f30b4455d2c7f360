/* test_spanning.c  Spanning trees of points, by lists and boxes: edge by edge those of Kruskal's algorithm over the
 * oracle's distances of all pairs, in the order of (length, i, j), with core distances and without, whatever the data,
 * the lists, the leaves and the threads. Where boxes may not serve, what comes is a part of the tree. Failures, memory,
 * Ctrl-C at any moment. */
#include "interrupts.h"
#include "oracle.h"
#include "rows.h"
#include "rows/spanning.h"
#include "search/metric.h"

/* The lists of all others, and the tree. */
typedef struct {
	int64_t n, d, width, m; /* m: which neighbour gives the core distance; 0: none */
	const char *metric;
	double *x, *core;
	int64_t *idx;
	double *dist;
	knng_tree_edge *tree;
	int64_t edges;
} problem;

static int
by_order(const void *a, const void *b)
{
	const knng_tree_edge *x = a, *y = b;
	if (x->d != y->d)
		return x->d < y->d ? -1 : 1;
	return x->i != y->i ? (x->i > y->i) - (x->i < y->i) : (x->j > y->j) - (x->j < y->j);
}

/* Kruskal's algorithm, with parts that are written out. */
static void
kruskal(problem *p)
{
	knng_tree_edge *all = room(p->n * p->width + 1, sizeof *all);
	int32_t *part = room(p->n, sizeof *part);
	int64_t count = 0;
	for (int64_t i = 0; i < p->n; i++) {
		part[i] = (int32_t)i;
		for (int64_t e = i * p->width; e < (i + 1) * p->width; e++) {
			int64_t j = p->idx[e];
			if (j <= i)
				continue;
			double length = p->dist[e];
			if (p->core != NULL) {
				length = p->core[i] > length ? p->core[i] : length;
				length = p->core[j] > length ? p->core[j] : length;
			}
			all[count++] = (knng_tree_edge){length, (int32_t)i, (int32_t)j};
		}
	}
	qsort(all, (size_t)count, sizeof *all, by_order);
	p->edges = 0;
	for (int64_t e = 0; e < count; e++) {
		int32_t a = part[all[e].i], b = part[all[e].j];
		if (a == b)
			continue;
		p->tree[p->edges++] = all[e];
		for (int64_t i = 0; i < p->n; i++)
			part[i] = part[i] == b ? a : part[i];
	}
	free(all);
	free(part);
}

static problem
make(int kind, const char *metric, int64_t n, int64_t d, int64_t m)
{
	problem p = {.n = n, .d = d, .m = m, .metric = metric, .width = oracle_width(n, true, n - 1)};
	int64_t most = 0;
	p.x = rows_of_kind(kind, n, d);
	p.idx = room(n * p.width + 1, sizeof *p.idx);
	p.dist = room(n * p.width + 1, sizeof *p.dist);
	p.tree = room(n, sizeof *p.tree);
	CHECK(oracle_knn(metric, false, n, d, p.x, 0, NULL, n - 1, p.idx, p.dist) == 0, "%s", metric);
	for (int64_t i = 0; i < n; i++) {
		int64_t have = 0;
		while (have < p.width && p.idx[i * p.width + have] >= 0)
			have++;
		most = have > most ? have : most;
	}
	p.core = m > 0 ? room(n, sizeof *p.core) : NULL;
	for (int64_t i = 0; m > 0 && i < n; i++)
		p.core[i] = most > 0 && p.idx[i * p.width] >= 0 ? p.dist[i * p.width + (m < most ? m : most) - 1]
								: INFINITY;
	kruskal(&p);
	return p;
}

static void
discard(problem *p)
{
	free(p->x);
	free(p->core);
	free(p->idx);
	free(p->dist);
	free(p->tree);
}

/* The first k neighbours of each, by columns and from 1. */
static knng_near_lists
lists_of(const problem *p, int64_t k)
{
	k = k < p->m ? p->m : k;
	k = k < p->width ? k : p->width;
	double *idx = room(p->n * k + 1, sizeof *idx), *dist = room(p->n * k + 1, sizeof *dist);
	for (int64_t i = 0; i < p->n; i++)
		for (int64_t c = 0; c < k; c++) {
			idx[c * p->n + i] = (double)(p->idx[i * p->width + c] + 1);
			dist[c * p->n + i] = p->dist[i * p->width + c];
		}
	return (knng_near_lists){k, idx, dist, p->core};
}

static void
free_lists(knng_near_lists *l)
{
	free((void *)l->idx);
	free((void *)l->dist);
}

typedef struct {
	knng_tree_edge *tree;
	int32_t *part;
	int64_t edges;
	knng_spanning_info info;
	knng_status status;
	knng_err err;
} grown;

static grown
call(const problem *p, const knng_near_lists *lists, const knng_spanning_how *how, knng_task task)
{
	grown a = {.tree = room(p->n, sizeof *a.tree), .part = room(p->n, sizeof *a.part)};
	knng_matrix X = knng_by_rows(p->n, p->d, KNNG_F64, p->x);
	a.status = knng_spanning(&task, &X, lists, how, a.part, a.tree, &a.edges, &a.info, &a.err);
	if (a.status == KNNG_OK)
		qsort(a.tree, (size_t)a.edges, sizeof *a.tree, by_order);
	return a;
}

static void
forget(grown *a)
{
	free(a->tree);
	free(a->part);
}

static bool
same_tree(const problem *p, const grown *a)
{
	bool same = a->status == KNNG_OK && a->edges == p->edges;
	for (int64_t e = 0; same && e < p->edges; e++)
		same = a->tree[e].i == p->tree[e].i && a->tree[e].j == p->tree[e].j &&
		       bits_of(a->tree[e].d) == bits_of(p->tree[e].d);
	return same;
}

/* Edges of the tree, and parts that they make. */
static bool
some_of_tree(const problem *p, const grown *a)
{
	int64_t at = 0, parts = 0;
	bool fine = a->status == KNNG_OK;
	for (int64_t e = 0; fine && e < a->edges; e++, at++) {
		while (at < p->edges && by_order(&p->tree[at], &a->tree[e]) < 0)
			at++;
		fine = at < p->edges && by_order(&p->tree[at], &a->tree[e]) == 0 &&
		       a->part[a->tree[e].i] == a->part[a->tree[e].j];
	}
	for (int64_t i = 0; i < p->n; i++)
		parts += a->part[i] == i;
	return fine && parts == p->n - a->edges;
}

static int64_t searched; /* rows that were asked for, in all */
static int64_t known;    /* edges that lists alone tell, with core distances, in all */

static void
test_data(void)
{
	static const int64_t leaves[] = {8, 16, 0};
	static const char *const targets[] = {NULL, "plain"};
	for (int kind = 0; kind < KINDS; kind++)
		for (int t = 0; oracle_metric_name(t) != NULL; t++)
			for (int64_t m = 0; m < 6; m += 1 + random_below(3)) {
				if (SKIPS(3))
					continue;
				int64_t n = 2 + random_below(119), d = 1 + random_below(t % 3 ? 6 : 70);
				problem p = make(kind, oracle_metric_name(t), n, d, m);
				for (int64_t k = 1; k < 9; k += 1 + random_below(5)) {
					knng_near_lists lists = lists_of(&p, k);
					knng_spanning_how how = {.metric = knng_metric_find(p.metric),
								 .prune = KNNG_PRUNE_ON,
								 .leaf = leaves[random_below(3)],
								 .target = targets[random_below(2)]};
					grown a = call(&p, &lists, &how,
						       (knng_task){.threads = 1 + (int)random_below(3)});
					CHECK(same_tree(&p, &a),
					      "same tree: %s, %s, n %lld, d %lld, m %lld, k %lld, leaf %lld: %s",
					      kind_name[kind], p.metric, (long long)n, (long long)d, (long long)m,
					      (long long)k, (long long)how.leaf, a.err.text);
					searched += a.info.asked;
					forget(&a);
					how.prune = KNNG_PRUNE_OFF;
					a = call(&p, &lists, &how, (knng_task){.threads = 2});
					CHECK(some_of_tree(&p, &a) && a.info.asked == 0, "without boxes: %s, %s",
					      kind_name[kind], p.metric);
					/* By distances the first edge of each row is one of the tree. */
					CHECK(m > 0 || p.edges == 0 || 2 * a.edges > p.edges,
					      "%lld edges of %lld without boxes: %s, %s", (long long)a.edges,
					      (long long)p.edges, kind_name[kind], p.metric);
					known += m > 0 ? a.edges : 0;
					forget(&a);
					free_lists(&lists);
				}
				discard(&p);
			}
	CHECK(searched > 10000, "%lld rows were searched again", (long long)searched);
	CHECK(known > 10000, "%lld edges are known without boxes", (long long)known);
}

/* Two groups far apart, in which rows lie as many as make it worth asking whether boxes gain: in few columns they do.
 */
static void
test_rule(void)
{
	for (int few = 0; few < 2; few++) {
		enum { K = 4 };
		int64_t n = few ? 30000 : 8000, d = few ? 3 : 60;
		double *x = room(n * d, sizeof *x), *idx = room(n * K, sizeof *idx), *dist = room(n * K, sizeof *dist);
		for (int64_t i = 0; i < n; i++)
			for (int64_t l = 0; l < d; l++)
				x[i * d + l] = random_unit() + (i % 2 ? 2 : 0);
		knng_matrix X = knng_by_rows(n, d, KNNG_F64, x);
		knng_output out = {.idx = idx,
				   .idx_type = KNNG_F64,
				   .index_base = 1,
				   .dist = dist,
				   .dist_type = KNNG_F64,
				   .row_stride = 1,
				   .col_stride = n};
		knng_plan plan;
		knng_err err = {0};
		CHECK(knng_plan_make(&plan, &X, NULL, &(knng_options){.k = K, .device.kind = KNNG_DEVICE_CPU}, &err) ==
				      KNNG_OK &&
			      knng_run(&plan, &out, NULL, &err) == KNNG_OK,
		      "%s", err.text);
		problem p = {.n = n, .d = d, .x = x};
		knng_near_lists lists = {K, idx, dist, NULL};
		knng_spanning_how how = {.metric = knng_metric_find("euclidean")};
		grown a = call(&p, &lists, &how, (knng_task){.threads = 2});
		if (few) {
			how.prune = KNNG_PRUNE_ON;
			grown b = call(&p, &lists, &how, (knng_task){.threads = 1});
			CHECK(a.edges == n - 1 && b.edges == n - 1 && a.info.asked > n / 3, "%lld, %lld, %lld",
			      (long long)a.edges, (long long)b.edges, (long long)a.info.asked);
			CHECK(memcmp(a.tree, b.tree, (size_t)(n - 1) * sizeof *a.tree) == 0, "threads");
			CHECK((double)a.info.visits < 0.05 * (double)(a.info.asked * (n / 32)), "%lld visits of %lld",
			      (long long)a.info.visits, (long long)a.info.asked);
			forget(&b);
		} else {
			CHECK(a.status == KNNG_OK && a.edges < n - 1 && a.edges > n / 2, "%lld edges",
			      (long long)a.edges);
		}
		forget(&a);
		free(x);
		free(idx);
		free(dist);
	}
}

static void
test_failures(void)
{
	problem p = make(CLUSTERS, "euclidean", 300, 3, 2);
	knng_near_lists lists = lists_of(&p, 3);
	knng_spanning_how how = {.metric = knng_metric_find("euclidean"), .prune = KNNG_PRUNE_ON, .leaf = 8};
	grown a = call(&p, &lists, &how, (knng_task){.threads = 2}); /* what is asked of a machine once may fail */
	CHECK(same_tree(&p, &a), "%s", a.err.text);
	forget(&a);
	int64_t live = knng_sys().live, nth = 0;
	a = (grown){.status = KNNG_EMEMORY};
	while (a.status == KNNG_EMEMORY && nth < 100) {
		knng_sys_fail_at(++nth);
		a = call(&p, &lists, &how, (knng_task){.threads = 2});
		CHECK((a.status == KNNG_OK || strcmp(a.err.id, "knng:memory:host") == 0) && knng_sys().live == live,
		      "call %lld: %s", (long long)nth, a.err.id);
		forget(&a);
	}
	knng_sys_fail_at(0);
	CHECK(a.status == KNNG_OK && nth > 20, "%lld calls", (long long)nth);
	bool ended = false;
	for (int64_t at = 1; !ended && at < 1000; at++) {
		looks = 0;
		stop = 0;
		stop_at = at;
		a = call(&p, &lists, &how, (knng_task){.threads = 2, .interrupt = &stop});
		ended = looks < at;
		CHECK((ended ? same_tree(&p, &a) : a.status == KNNG_EINTERRUPTED || same_tree(&p, &a)) &&
			      knng_sys().live == live,
		      "look %lld: %s", (long long)at, a.err.text);
		forget(&a);
	}
	CHECK(ended, "it never ended");
	stop_at = 0;
	stop = 0;
	knng_sys_mark_peak();
	int64_t before = knng_sys().bytes;
	a = call(&p, &lists, &how, (knng_task){.threads = 2});
	double taken = (double)(knng_sys().peak - before);
	double planned = knng_spanning_bytes(p.n, lists.k) + knng_spanning_boxes_bytes(p.n, p.d, how.leaf, 2);
	CHECK(same_tree(&p, &a) && taken <= planned && planned < 2 * taken + 8192, "%g planned, %g taken", planned,
	      taken);
	forget(&a);
	how.max_memory = planned - 1;
	a = call(&p, &lists, &how, (knng_task){.threads = 2});
	CHECK(some_of_tree(&p, &a) && a.edges < p.edges && a.info.rounds == 0, "%lld edges", (long long)a.edges);
	forget(&a);
	how.max_memory = planned;
	a = call(&p, &lists, &how, (knng_task){.threads = 2});
	CHECK(same_tree(&p, &a), "%s", a.err.text);
	forget(&a);
	free_lists(&lists);
	discard(&p);
}

int
main(int argc, char **argv)
{
	knng_memory_set_available(1e12);
	PART(data);
	PART(rule);
	PART(failures);
	return summary();
}
