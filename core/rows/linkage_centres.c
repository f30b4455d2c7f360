/* linkage_centres.c  Centres that move, in panels, element by element, as the kernels take them. */
#include "rows/linkage_centres.h"

#include "base/sys.h"
#include "graph/joined.h"
#include "rows/linkage_odd.h"
#include "search/cpu/kernels.h"
#include "search/source.h"

#include <math.h>

/* Operations that make a thread worth waking, and a GPU. */
enum { PANEL = KNNG_LINK_PANEL, WORTH = 1 << 16 };
static const double worth_of_gpu = 0x1p32;

typedef struct {
	knng_nearness base;
	knng_task *task;
	const knng_kernels *kernels;
	knng_link method;
	int64_t d;
	int exponent;    /* centres are 2^-exponent times what they are */
	double *centres; /* [places / PANEL x d x PANEL] */
	double *near;    /* [places up to a multiple of PANEL] */
	double *query;   /* [d] */
	int64_t from;    /* the node whose row is sought */
} centring;

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static double
height(const knng_nearness *w, double near)
{
	return ldexp(sqrt(near), ((const centring *)w)->exponent);
}

static knng_status
meet(void *context, int worker, int64_t job, knng_err *err)
{
	centring *k = context;
	int64_t p = job * PANEL, places = least(PANEL, k->base.places - p);
	double *near = k->near + p;
	const double *size = k->base.size + p;
	(void)worker;
	(void)err;
	k->kernels->sums_of_columns(KNNG_SUM_MINUS, k->query, 1, k->centres + p * k->d, PANEL, k->d, INFINITY, near);
	double own = k->base.size[k->from];
	for (int64_t c = 0; c < places; c++)
		if (size[c] == 0)
			near[c] = NAN;
		else if (k->method == KNNG_LINK_WARD)
			near[c] *= 2 * own * size[c] / (own + size[c]);
	return KNNG_OK;
}

static double *
element(const centring *k, int64_t place, int64_t l)
{
	return k->centres + place / PANEL * PANEL * k->d + l * PANEL + place % PANEL;
}

static knng_status
row(knng_nearness *w, int64_t a, int64_t count, const double **near, knng_err *err)
{
	centring *k = (centring *)w;
	knng_task task = {.threads = k->task->threads, .interrupt = k->task->interrupt};
	for (int64_t l = 0; l < k->d; l++)
		k->query[l] = *element(k, a, l);
	k->from = a;
	int threads = knng_task_threads_for(k->task, (double)count * (double)k->d, WORTH);
	knng_status status = knng_task_run(&task, threads, knng_parts(PANEL, count), meet, k, err);
	k->near[a] = NAN;
	*near = k->near;
	return status;
}

static knng_status
join(knng_nearness *w, int64_t a, int64_t b, double near, knng_err *err)
{
	centring *k = (centring *)w;
	double p = knng_join_of(k->method, w->size, a, b, near).p;
	(void)err;
	for (int64_t l = 0; l < k->d; l++) {
		double *x = element(k, a, l);
		*x = p * *x + (1 - p) * *element(k, b, l);
	}
	return KNNG_OK;
}

static knng_status
close_up(knng_nearness *w, knng_err *err)
{
	centring *k = (centring *)w;
	int64_t to = 0;
	knng_status status = KNNG_OK;
	for (int64_t p = 0; p < w->places && (status = knng_task_poll(k->task, err)) == KNNG_OK; p++) {
		if (w->size[p] == 0)
			continue;
		for (int64_t l = 0; l < k->d; l++)
			*element(k, to, l) = *element(k, p, l);
		to++;
	}
	return status;
}

/* ---------------------------------------------------------------- rows as centres */

typedef struct {
	const knng_matrix *X;
	centring *k;
	int64_t ld;
	double *rows, *largest; /* [PANEL x ld], one, a thread */
	int64_t *first, *wrong; /* a thread: its first row that is not finite, and how many there are */
} gathering;

static knng_status
gather(void *context, int worker, int64_t job, knng_err *err)
{
	gathering *g = context;
	knng_part part = knng_part_of(job, PANEL, g->X->n);
	double *rows = g->rows + worker * PANEL * g->ld, most = g->largest[worker];
	(void)err;
	knng_source_rows(g->X, part.first, part.end - part.first, rows, g->ld);
	for (int64_t r = part.first; r < part.end; r++) {
		bool fine = true;
		for (int64_t l = 0; l < g->X->d; l++) {
			double x = rows[(r - part.first) * g->ld + l];
			*element(g->k, r, l) = x;
			most = fabs(x) > most ? fabs(x) : most;
			fine &= isfinite(x) != 0;
		}
		if (!fine && g->wrong[worker]++ == 0)
			g->first[worker] = r;
		else if (!fine)
			g->first[worker] = least(g->first[worker], r);
	}
	g->largest[worker] = most;
	return KNNG_OK;
}

static double
centres_bytes(int64_t n, int64_t d)
{
	return 8.0 * ((double)(n + PANEL) * ((double)d + 2) + (double)d) + knng_link_bytes(n);
}

/* Rows as centres, scaled so that no square leaves the doubles. */
static knng_status
gather_all(centring *k, const knng_matrix *X, const knng_metric *metric, int threads, knng_err *err)
{
	gathering g = {.X = X, .k = k, .ld = knng_columns(X->d)};
	double most = 0;
	int64_t first = X->n, wrong = 0;
	knng_status status;
	g.rows = knng_alloc((int64_t)threads * PANEL, (size_t)g.ld * sizeof *g.rows);
	g.largest = knng_calloc(threads, sizeof *g.largest);
	g.first = knng_calloc(threads, sizeof *g.first);
	g.wrong = knng_calloc(threads, sizeof *g.wrong);
	if (g.rows == NULL || g.largest == NULL || g.first == NULL || g.wrong == NULL) {
		status = knng_fail_memory(err, "the tree", centres_bytes(X->n, X->d));
		goto done;
	}
	k->task->stage = "rows";
	if ((status = knng_task_run(k->task, threads, knng_parts(PANEL, X->n), gather, &g, err)) != KNNG_OK)
		goto done;
	for (int t = 0; t < threads; t++) {
		most = g.largest[t] > most ? g.largest[t] : most;
		first = g.wrong[t] > 0 ? least(g.first[t], first) : first;
		wrong += g.wrong[t];
	}
	if (wrong > 0) {
		const knng_link_odd odd = {.first = first, .is_nonfinite = true, .nonfinite = wrong};
		status = knng_link_refuse(&odd, metric, err);
		goto done;
	}
	frexp(most, &k->exponent);
	for (int64_t i = 0, all = knng_parts(PANEL, X->n) * PANEL * X->d; i < all && k->exponent != 0; i++)
		k->centres[i] = ldexp(k->centres[i], -k->exponent);
done:
	knng_free(g.rows);
	knng_free(g.largest);
	knng_free(g.first);
	knng_free(g.wrong);
	return status;
}

/* ---------------------------------------------------------------- trees */

/* With the centres on the processor, or on a GPU. */
static knng_status
link_centres(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_link method, double max_memory,
	     const knng_link_device *device, double *Z, knng_err *err)
{
	int64_t up = knng_parts(PANEL, X->n) * PANEL;
	int threads = knng_task_threads_for(task, (double)X->n * (double)X->d, WORTH);
	centring k = {.base = {.places = X->n, .row = row, .join = join, .close_up = close_up, .height = height},
		      .task = task,
		      .kernels = knng_kernels_find(NULL),
		      .method = method,
		      .d = X->d};
	double bytes = centres_bytes(X->n, X->d) + 8.0 * threads * PANEL * (double)knng_columns(X->d) +
		       (device->gpu != NULL ? 4.0 * (double)X->n : 0);
	knng_status status = knng_link_afford(bytes, max_memory, X->n, "take fewer rows or columns", err);
	if (status != KNNG_OK)
		return status;
	k.centres = knng_calloc(up, (size_t)X->d * sizeof *k.centres);
	if (k.centres == NULL) {
		status = knng_fail_memory(err, "the tree", bytes);
		goto done;
	}
	if ((status = gather_all(&k, X, metric, threads, err)) != KNNG_OK)
		goto done;
	if (device->gpu != NULL) {
		knng_link_nodes_of nodes = {
			.n = X->n, .d = X->d, .method = method, .centres = k.centres, .exponent = k.exponent};
		status = knng_link_on(device, task, &nodes, Z, err);
		goto done;
	}
	k.near = knng_alloc(up, sizeof *k.near);
	k.base.size = knng_alloc(up, sizeof *k.base.size);
	k.query = knng_alloc(X->d, sizeof *k.query);
	if (k.near == NULL || k.base.size == NULL || k.query == NULL) {
		status = knng_fail_memory(err, "the tree", bytes);
		goto done;
	}
	for (int64_t i = 0; i < up; i++)
		k.base.size[i] = i < X->n;
	status = knng_link_nodes(task, &k.base, method == KNNG_LINK_WARD, Z, err);
done:
	knng_free(k.centres);
	knng_free(k.near);
	knng_free(k.base.size);
	knng_free(k.query);
	return status;
}

knng_status
knng_link_centres(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_link method, double max_memory,
		  double *Z, knng_err *err)
{
	const knng_link_device none = {0};
	return link_centres(task, X, metric, method, max_memory, &none, Z, err);
}

knng_status
knng_link_centres_on(const knng_link_device *device, knng_task *task, const knng_matrix *X, const knng_metric *metric,
		     knng_link method, double max_memory, double *Z, knng_err *err)
{
	return link_centres(task, X, metric, method, max_memory, device, Z, err);
}

bool
knng_link_centres_worth(int64_t n, int64_t d)
{
	return (double)n * (double)n * (double)d >= worth_of_gpu;
}
