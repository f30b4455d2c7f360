#include "rows/silhouette.h"

#include "base/sys.h"
#include "search/cpu/kernels.h"
#include "search/points.h"
#include "search/source.h"

#include <math.h>
#include <string.h>

/* Rows of a job; rows of scratch that prepare takes; the most rows that a row meets at a time, and their bytes, which
 * stay in the second-level cache while the rows of a job pass by; operations that make a thread worth waking. */
enum { ROWS = 64, SCRATCH = 4, MEET = 512, CACHE = 1 << 17, WORTH = 1000000 };

typedef struct {
	const knng_task *task;
	const knng_matrix *X;
	const knng_metric *metric;
	int64_t ld;
	const knng_kernels *kernels;
	const int32_t *cluster;
	int64_t clusters, members, some; /* some: rows met at a time */
	double *u;                       /* [n x ld] prepared rows */
	bool *has;                       /* [n] takes part */
	int32_t *member;                 /* [members] the rows that do, ascending */
	int64_t *size;                   /* [clusters] how many */
	double *scratch;                 /* [SCRATCH x ld] a thread */
	double *total;                   /* [ROWS x clusters] a thread: the sum of the distances to each cluster */
	double *s;
} averaging;

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static knng_status
load(void *context, int worker, int64_t i, knng_err *err)
{
	const averaging *k = context;
	int64_t ld = k->ld;
	knng_part part = knng_part_of(i, knng_prepare_rows(k->X->d), k->X->n);
	uint64_t hash;
	(void)err;
	knng_source_rows(k->X, part.first, part.end - part.first, k->u + part.first * ld, ld);
	for (int64_t r = part.first; r < part.end; r++)
		k->has[r] = k->cluster[r] >= 0 &&
			    k->kernels->prepare(k->metric, k->u + r * ld, k->X->d, ld,
						k->scratch + worker * SCRATCH * ld, &hash) == KNNG_ROW_FINE;
	return KNNG_OK;
}

static double
value(const averaging *k, const double *total, int32_t own)
{
	double a = total[own] / (double)(k->size[own] - 1), b = INFINITY;
	if (k->size[own] == 1)
		return 1;
	for (int64_t c = 0; c < k->clusters; c++)
		if (c != own && k->size[c] > 0)
			b = fmin(b, total[c] / (double)k->size[c]);
	return a < b ? 1 - a / b : a == b ? 0 : b / a - 1;
}

/* ROWS members meet all. */
static knng_status
meet(void *context, int worker, int64_t i, knng_err *err)
{
	const averaging *k = context;
	int64_t ld = k->ld, first = i * ROWS, end = first + least(ROWS, k->members - first);
	double *total = k->total + worker * ROWS * k->clusters, distance[MEET];
	memset(total, 0, (size_t)(ROWS * k->clusters) * sizeof *total);
	for (int64_t j0 = 0; j0 < k->members; j0 += k->some) {
		int64_t count = least(k->some, k->members - j0);
		knng_status status = knng_task_poll(k->task, err);
		if (status != KNNG_OK)
			return status;
		for (int64_t r = first; r < end; r++) {
			double *to = total + (r - first) * k->clusters;
			k->kernels->sums(k->metric->sum, k->u + k->member[r] * ld, k->u, ld, k->member + j0, count,
					 distance);
			for (int64_t c = 0; c < count; c++)
				if (j0 + c != r) /* a row is not at distance 0 from itself with every metric */
					to[k->cluster[k->member[j0 + c]]] += knng_map_sum(k->metric, distance[c]);
		}
	}
	for (int64_t r = first; r < end; r++)
		k->s[k->member[r]] = value(k, total + (r - first) * k->clusters, k->cluster[k->member[r]]);
	return KNNG_OK;
}

knng_status
knng_silhouette(knng_task *task, const knng_matrix *X, const knng_metric *metric, const int32_t *cluster,
		int64_t clusters, double *s, knng_err *err)
{
	int64_t n = X->n, ld = knng_columns(X->d), found = 0;
	int threads = knng_task_threads_for(task, (double)n * (double)n * (double)X->d, WORTH);
	averaging k = {.task = task,
		       .X = X,
		       .metric = metric,
		       .ld = ld,
		       .kernels = knng_kernels_find(NULL),
		       .cluster = cluster,
		       .clusters = clusters,
		       .s = s};
	task->stage = "rows";
	double bytes =
		(8.0 * (double)ld + 5) * (double)n + 8.0 * threads * (ROWS * (double)clusters + SCRATCH * (double)ld);
	knng_status status = knng_afford(bytes, "silhouette values", err);
	if (status != KNNG_OK)
		return status;
	k.some = CACHE / (ld * (int64_t)sizeof *k.u);
	k.some = k.some < 4 ? 4 : least(k.some, MEET);
	k.u = knng_alloc(n, (size_t)ld * sizeof *k.u);
	k.has = knng_alloc(n, sizeof *k.has);
	k.member = knng_alloc(n, sizeof *k.member);
	k.size = knng_calloc(clusters, sizeof *k.size);
	k.scratch = knng_alloc((int64_t)threads * SCRATCH, (size_t)ld * sizeof *k.scratch);
	k.total = knng_alloc((int64_t)threads * ROWS, (size_t)clusters * sizeof *k.total);
	if (k.u == NULL || k.has == NULL || k.member == NULL || k.size == NULL || k.scratch == NULL ||
	    k.total == NULL) {
		status = knng_fail_memory(err, "silhouette values", bytes);
		goto done;
	}
	if ((status = knng_task_run(task, threads, knng_parts(knng_prepare_rows(X->d), n), load, &k, err)) != KNNG_OK)
		goto done;
	for (int64_t i = 0; i < n; i++) {
		s[i] = NAN;
		if (k.has[i]) {
			k.member[k.members++] = (int32_t)i;
			found += k.size[cluster[i]]++ == 0;
		}
	}
	task->stage = "silhouette";
	if (found > 1)
		status = knng_task_run(task, threads, knng_parts(ROWS, k.members), meet, &k, err);
done:
	knng_free(k.total);
	knng_free(k.scratch);
	knng_free(k.size);
	knng_free(k.member);
	knng_free(k.has);
	knng_free(k.u);
	return status;
}
