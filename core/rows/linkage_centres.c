/* linkage_centres.c  Centres that move, in panels, element by element, as the kernels take them. */
#include "rows/linkage_centres.h"

#include "base/sys.h"
#include "search/cpu/kernels.h"
#include "search/source.h"

#include <math.h>

/* Operations that make a thread worth waking, and a GPU. */
enum { PANEL = KNNG_CENTRES_PANEL, WORTH = 1 << 18 };
static const double worth_of_gpu = 0x1p33;

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
	const knng_centres_gpu *gpu;
	void *work;
	int32_t *live; /* [places] those that are not empty */
} centring;

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static double
share_of(const centring *k, int64_t a, int64_t b)
{
	const double *size = k->base.size;
	return k->method == KNNG_LINK_MEDIAN ? 0.5 : size[a] / (size[a] + size[b]);
}

static double
height(const knng_nearness *w, double near)
{
	return ldexp(sqrt(near), ((const centring *)w)->exponent);
}

/* ---------------------------------------------------------------- on the processor */

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
	double p = share_of(k, a, b);
	(void)near;
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

/* ---------------------------------------------------------------- on a GPU */

static knng_status
gpu_row(knng_nearness *w, int64_t a, int64_t count, const double **near, knng_err *err)
{
	centring *k = (centring *)w;
	*near = k->near;
	return k->gpu->row(k->work, a, count, k->near, err);
}

static knng_status
gpu_nearest(knng_nearness *w, int64_t a, int64_t count, int64_t other, knng_nearest *found, knng_err *err)
{
	centring *k = (centring *)w;
	return k->gpu->nearest(k->work, a, count, other, found, err);
}

static knng_status
gpu_join(knng_nearness *w, int64_t a, int64_t b, double near, knng_err *err)
{
	centring *k = (centring *)w;
	(void)near;
	return k->gpu->join(k->work, a, b, share_of(k, a, b), err);
}

static knng_status
gpu_close_up(knng_nearness *w, knng_err *err)
{
	centring *k = (centring *)w;
	int64_t n = 0;
	for (int64_t p = 0; p < w->places; p++)
		if (w->size[p] > 0)
			k->live[n++] = (int32_t)p;
	return k->gpu->close_up(k->work, k->live, n, err);
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
		status = knng_link_refuse(first, wrong, metric, err);
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

/* With the centres on the processor (gpu: NULL), or on that GPU. */
static knng_status
link_centres(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_link method, double max_memory,
	     const knng_centres_gpu *gpu, int device, double max_device_memory, double *Z, knng_err *err)
{
	int64_t up = knng_parts(PANEL, X->n) * PANEL;
	int threads = knng_task_threads_for(task, (double)X->n * (double)X->d, WORTH);
	centring k = {.base = {.places = X->n, .row = row, .join = join, .close_up = close_up, .height = height},
		      .task = task,
		      .kernels = knng_kernels_find(NULL),
		      .method = method,
		      .d = X->d,
		      .gpu = gpu};
	double bytes = centres_bytes(X->n, X->d) + 8.0 * threads * PANEL * (double)knng_columns(X->d) +
		       (gpu != NULL ? 4.0 * (double)X->n : 0);
	knng_status status = knng_link_afford(bytes, max_memory, X->n, "take fewer rows or columns", err);
	if (status != KNNG_OK)
		return status;
	k.centres = knng_calloc(up, (size_t)X->d * sizeof *k.centres);
	k.near = knng_alloc(up, sizeof *k.near);
	k.base.size = knng_alloc(up, sizeof *k.base.size);
	k.query = knng_alloc(X->d, sizeof *k.query);
	k.live = knng_alloc(gpu != NULL ? X->n : 1, sizeof *k.live);
	if (k.centres == NULL || k.near == NULL || k.base.size == NULL || k.query == NULL || k.live == NULL) {
		status = knng_fail_memory(err, "the tree", bytes);
		goto done;
	}
	for (int64_t i = 0; i < up; i++)
		k.base.size[i] = i < X->n;
	if ((status = gather_all(&k, X, metric, threads, err)) != KNNG_OK)
		goto done;
	if (gpu != NULL) {
		k.base.row = gpu_row;
		k.base.nearest = gpu_nearest;
		k.base.join = gpu_join;
		k.base.close_up = gpu_close_up;
		status = gpu->open(k.centres, X->n, X->d, method == KNNG_LINK_WARD, device, max_device_memory, &k.work,
				   err);
		knng_free(k.centres);
		k.centres = NULL;
	}
	if (status == KNNG_OK)
		status = knng_link_nodes(task, &k.base, method == KNNG_LINK_WARD, Z, err);
	if (gpu != NULL)
		gpu->close(k.work);
done:
	knng_free(k.centres);
	knng_free(k.near);
	knng_free(k.base.size);
	knng_free(k.query);
	knng_free(k.live);
	return status;
}

knng_status
knng_link_centres(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_link method, double max_memory,
		  double *Z, knng_err *err)
{
	return link_centres(task, X, metric, method, max_memory, NULL, -1, 0, Z, err);
}

knng_status
knng_link_centres_on_gpu(knng_task *task, const knng_matrix *X, const knng_metric *metric, knng_link method,
			 const knng_devices *device, double max_memory, double max_device_memory, double *Z, bool *done,
			 knng_err *fallback, knng_err *err)
{
	char why[160];
	int devices[KNNG_MAX_DEVICES], n = 0;
	double operations = (double)X->n * (double)X->n * (double)X->d;
	*done = false;
	*fallback = (knng_err){0};
	if (device->kind == KNNG_DEVICE_CPU || (device->kind == KNNG_DEVICE_AUTO && operations < worth_of_gpu))
		return KNNG_OK;
	knng_status status = knng_devices_find(device, devices, &n, why, sizeof why, err);
	if (status != KNNG_OK && device->kind != KNNG_DEVICE_AUTO)
		return status;
	if (n == 0)
		return KNNG_OK;
	const knng_centres_gpu *gpu = knng_plugin_find(why, sizeof why)->serve(KNNG_CENTRES_ROOM, NULL);
	status = link_centres(task, X, metric, method, max_memory, gpu, devices[0], max_device_memory, Z, fallback);
	*done = status == KNNG_OK;
	if (status == KNNG_OK || status == KNNG_EDEVICE)
		return KNNG_OK;
	if (err != NULL)
		*err = *fallback;
	*fallback = (knng_err){0};
	return status;
}
