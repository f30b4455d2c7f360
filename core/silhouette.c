#include "silhouette.h"

#include "backend.h"
#include "cpu/kernels.h"
#include "source.h"

#include <math.h>
#include <string.h>

/* Rows of a job; rows of scratch that prepare takes; the most rows that a row meets at a time, and their bytes, which
 * stay in the second-level cache while the rows of a job pass by. */
enum { ROWS = 64, SCRATCH = 4, MEET = 512, CACHE = 1 << 17 };

typedef struct {
	const knng_plan *plan;
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
} work;

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static knng_status
load(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	const work *k = context;
	const knng_plan *plan = k->plan;
	int64_t first = i * ROWS, count = least(ROWS, plan->x.n - first);
	uint64_t hash;
	(void)w;
	(void)err;
	knng_source_rows(&plan->x, first, count, k->u + first * plan->ld, plan->ld);
	for (int64_t r = first; r < first + count; r++)
		k->has[r] = k->cluster[r] >= 0 &&
			    k->kernels->prepare(plan->metric, k->u + r * plan->ld, plan->x.d, plan->ld,
						k->scratch + worker * SCRATCH * plan->ld, &hash) == KNNG_ROW_FINE;
	return KNNG_OK;
}

static double
value(const work *k, const double *total, int32_t own)
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
meet(knng_work *w, int worker, int64_t i, void *context, knng_err *err)
{
	const work *k = context;
	const knng_plan *plan = k->plan;
	int64_t first = i * ROWS, end = first + least(ROWS, k->members - first);
	double *total = k->total + worker * ROWS * k->clusters, distance[MEET];
	(void)w;
	(void)err;
	memset(total, 0, (size_t)(ROWS * k->clusters) * sizeof *total);
	for (int64_t j0 = 0; j0 < k->members; j0 += k->some) {
		int64_t count = least(k->some, k->members - j0);
		for (int64_t r = first; r < end; r++) {
			double *to = total + (r - first) * k->clusters;
			k->kernels->sums(plan->metric->sum, k->u + k->member[r] * plan->ld, k->u, plan->ld,
					 k->member + j0, count, distance);
			for (int64_t c = 0; c < count; c++)
				if (j0 + c != r) /* a row is not at distance 0 from itself with every metric */
					to[k->cluster[k->member[j0 + c]]] += knng_finish(plan->metric, distance[c]);
		}
	}
	for (int64_t r = first; r < end; r++)
		k->s[k->member[r]] = value(k, total + (r - first) * k->clusters, k->cluster[k->member[r]]);
	return KNNG_OK;
}

knng_status
knng_silhouette(const knng_plan *plan, const int32_t *cluster, int64_t clusters, double *s, knng_err *err)
{
	int64_t n = plan->x.n, ld = plan->ld, found = 0;
	work k = {.plan = plan, .kernels = knng_kernels_find(NULL), .cluster = cluster, .clusters = clusters, .s = s};
	knng_work w = {.plan = plan, .stage = "rows"};
	knng_status status = KNNG_OK;
	k.some = CACHE / (ld * (int64_t)sizeof *k.u);
	k.some = k.some < 4 ? 4 : least(k.some, MEET);
	k.u = knng_alloc(n, (size_t)ld * sizeof *k.u);
	k.has = knng_alloc(n, sizeof *k.has);
	k.member = knng_alloc(n, sizeof *k.member);
	k.size = knng_calloc(clusters, sizeof *k.size);
	k.scratch = knng_alloc((int64_t)plan->threads * SCRATCH, (size_t)ld * sizeof *k.scratch);
	k.total = knng_alloc((int64_t)plan->threads * ROWS, (size_t)clusters * sizeof *k.total);
	if (k.u == NULL || k.has == NULL || k.member == NULL || k.size == NULL || k.scratch == NULL ||
	    k.total == NULL) {
		status = knng_fail_memory(err, "silhouette values",
					  8.0 * (double)n * (double)ld + 8.0 * plan->threads * ROWS * (double)clusters);
		goto done;
	}
	if ((status = knng_parallel(&w, plan->threads, (n + ROWS - 1) / ROWS, load, &k, err)) != KNNG_OK)
		goto done;
	for (int64_t i = 0; i < n; i++) {
		s[i] = NAN;
		if (k.has[i]) {
			k.member[k.members++] = (int32_t)i;
			found += k.size[cluster[i]]++ == 0;
		}
	}
	w.stage = "silhouette";
	if (found > 1)
		status = knng_parallel(&w, plan->threads, (k.members + ROWS - 1) / ROWS, meet, &k, err);
done:
	knng_free(k.total);
	knng_free(k.scratch);
	knng_free(k.size);
	knng_free(k.member);
	knng_free(k.has);
	knng_free(k.u);
	return status;
}
