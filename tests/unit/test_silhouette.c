/* test_silhouette.c  knng_silhouette against sums over the oracle's distances, bit by bit. */
#include "base/sys.h"
#include "knng.h"
#include "oracle.h"
#include "rows/silhouette.h"
#include "search/metric.h"
#include "testing.h"

typedef struct {
	const char *metric;
	int64_t n, d, clusters;
	double *X, *want, *s;
	int32_t *cluster;
} sample;

/* The values by their definition: sums in the order of the rows. */
static void
solve(const sample *t)
{
	int64_t n = t->n, *idx = room(n * n, sizeof *idx), *size = room(t->clusters, sizeof *size), clusters = 0;
	double *dist = room(n * n, sizeof *dist), *to = room(n, sizeof *to), *mean = room(t->clusters, sizeof *mean);
	memset(size, 0, (size_t)t->clusters * sizeof *size);
	if (oracle_knn(t->metric, false, n, t->d, t->X, n, t->X, n, idx, dist) != 0)
		abort();
	for (int64_t i = 0; i < n; i++) /* a row without distances finds nobody */
		if (t->cluster[i] >= 0 && idx[i * n] >= 0)
			clusters += size[t->cluster[i]]++ == 0;
	for (int64_t i = 0; i < n; i++) {
		int32_t own = t->cluster[i];
		double b = INFINITY;
		t->want[i] = NAN;
		if (own < 0 || idx[i * n] < 0 || clusters < 2)
			continue;
		for (int64_t c = 0; c < n; c++)
			to[c] = NAN;
		for (int64_t c = 0; c < n; c++)
			if (idx[i * n + c] >= 0)
				to[idx[i * n + c]] = dist[i * n + c];
		for (int64_t c = 0; c < t->clusters; c++) {
			mean[c] = 0;
			for (int64_t j = 0; j < n; j++)
				if (t->cluster[j] == c && j != i && !isnan(to[j]))
					mean[c] += to[j];
			mean[c] /= (double)(size[c] - (c == own));
			if (c != own && size[c] > 0 && mean[c] < b)
				b = mean[c];
		}
		t->want[i] = size[own] == 1  ? 1
			     : mean[own] < b ? 1 - mean[own] / b
			     : mean[own] > b ? b / mean[own] - 1
					     : 0;
	}
	free(idx);
	free(dist);
	free(to);
	free(mean);
	free(size);
}

static bool
is_right(const sample *t)
{
	for (int64_t i = 0; i < t->n; i++)
		if (isnan(t->want[i]) ? !isnan(t->s[i]) : bits_of(t->want[i]) != bits_of(t->s[i]))
			return false;
	return true;
}

static void
check(const sample *t)
{
	knng_question q;
	knng_task task = {0};
	knng_err err = {0};
	knng_matrix X = {.n = t->n, .d = t->d, .data = t->X, .row_stride = t->d, .col_stride = 1};
	volatile sig_atomic_t stop = 1;
	int64_t live = knng_sys().live, nth = 0;
	knng_status status = KNNG_EMEMORY;
	CHECK(knng_ask(&q, &X, NULL, t->metric, 1, &err) == KNNG_OK, "%s", err.text);
	solve(t);
	for (task.threads = 1; task.threads <= 3; task.threads += 2) {
		memset(t->s, 0xa5, (size_t)t->n * sizeof *t->s);
		CHECK(knng_silhouette(&task, &q.x, q.metric, t->cluster, t->clusters, t->s, &err) == KNNG_OK &&
			      is_right(t),
		      "%s, %lld rows, %lld clusters, %d threads", t->metric, (long long)t->n, (long long)t->clusters,
		      task.threads);
	}
	task.threads = 2;
	while (status == KNNG_EMEMORY && nth < 20) {
		knng_sys_fail_at(++nth);
		status = knng_silhouette(&task, &q.x, q.metric, t->cluster, t->clusters, t->s, &err);
		CHECK((status == KNNG_OK || strcmp(err.id, "knng:memory:host") == 0) && knng_sys().live == live,
		      "call %lld: %s", (long long)nth, err.id);
	}
	knng_sys_fail_at(0);
	CHECK(status == KNNG_OK && is_right(t) && nth > 5, "%lld calls", (long long)nth);
	task.interrupt = &stop;
	CHECK(knng_silhouette(&task, &q.x, q.metric, t->cluster, t->clusters, t->s, &err) == KNNG_EINTERRUPTED &&
		      knng_sys().live == live,
	      "%s", err.id);
	task.interrupt = NULL;
	knng_memory_set_available(300); /* what the machine does not have is not claimed */
	CHECK(knng_silhouette(&task, &q.x, q.metric, t->cluster, t->clusters, t->s, &err) == KNNG_EMEMORY &&
		      strcmp(err.id, "knng:memory:host") == 0 && knng_sys().live == live,
	      "%s", err.id);
	knng_memory_set_available(1e12);
}

int
main(void)
{
	knng_memory_set_available(1e12); /* so that the same calls are counted everywhere */
	static const struct {
		int64_t n, d, clusters;
	} sizes[] = {{1, 1, 1},   {2, 3, 2},    {63, 8, 3},  {64, 9, 4},
		     {65, 1, 64}, {200, 17, 1}, {520, 5, 9}, {130, 700, 2}};
	for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++)
		for (int m = 0; oracle_metric_name(m) != NULL; m++) {
			sample t = {.metric = oracle_metric_name(m),
				    .n = sizes[z].n,
				    .d = sizes[z].d,
				    .clusters = sizes[z].clusters};
			const knng_metric *known = knng_metric_find(t.metric);
			CHECK(known != NULL, "core/search/metric.c has no metric %s", t.metric);
			if (known == NULL || (t.n > 500 && m % 3 > 0))
				continue;
			t.X = room(t.n * t.d, sizeof *t.X);
			t.want = room(t.n, sizeof *t.want);
			t.s = room(t.n, sizeof *t.s);
			t.cluster = room(t.n, sizeof *t.cluster);
			for (int64_t e = 0; e < t.n * t.d; e++)
				t.X[e] = m % 2 ? random_normal() : (double)random_below(4);
			for (int64_t i = 0; i < t.n; i++)
				t.cluster[i] = (int32_t)random_below(t.clusters + (m % 4 == 0)) - (m % 4 == 0);
			if (t.n > 2 && m % 3 == 1)
				t.X[t.n / 2 * t.d] = m % 2 ? NAN : INFINITY;
			check(&t);
			free(t.X);
			free(t.want);
			free(t.s);
			free(t.cluster);
		}
	return summary();
}
