/* linkage_gpu.c  Nodes that a GPU keeps: the path of linkage.c is the same, what it asks for comes from there. */
#include "graph/linkage_gpu.h"

#include "base/sys.h"

#include <string.h>

typedef struct {
	knng_nearness base;
	const knng_linkage_gpu *gpu;
	void *work;
	const knng_link_nodes_of *nodes;
	double *near;  /* [n] */
	int32_t *live; /* [n] places that are not empty */
} gpu_nodes;

static knng_status
row(knng_nearness *w, int64_t a, int64_t count, const double **near, knng_err *err)
{
	gpu_nodes *k = (gpu_nodes *)w;
	*near = k->near;
	return k->gpu->row(k->work, a, count, k->near, err);
}

static knng_status
nearest(knng_nearness *w, int64_t a, int64_t count, int64_t other, knng_nearest *found, knng_err *err)
{
	gpu_nodes *k = (gpu_nodes *)w;
	return k->gpu->nearest(k->work, a, count, other, found, err);
}

static knng_status
join(knng_nearness *w, int64_t a, int64_t b, double near, knng_err *err)
{
	gpu_nodes *k = (gpu_nodes *)w;
	knng_join e = knng_join_of(k->nodes->method, w->size, a, b, near);
	return k->gpu->join(k->work, &e, err);
}

static knng_status
close_up(knng_nearness *w, knng_err *err)
{
	gpu_nodes *k = (gpu_nodes *)w;
	int64_t n = 0;
	for (int64_t p = 0; p < w->places; p++)
		if (w->size[p] > 0)
			k->live[n++] = (int32_t)p;
	return k->gpu->close_up(k->work, k->live, n, err);
}

static double
height_of_centres(const knng_nearness *w, double near)
{
	return ldexp(sqrt(near), ((const gpu_nodes *)w)->nodes->exponent);
}

static double
height(const knng_nearness *w, double near)
{
	(void)w;
	return near;
}

/* Block by block, those on the diagonal and above. */
static knng_status
put_table(const gpu_nodes *k, knng_task *task, knng_err *err)
{
	const knng_link_nodes_of *nodes = k->nodes;
	int64_t n = nodes->n;
	task->stage = "distances";
	for (int64_t i = 0; i < n; i += KNNG_LINK_TALL) {
		int64_t tall = n - i < KNNG_LINK_TALL ? n - i : KNNG_LINK_TALL;
		knng_status status = knng_task_step(task, (double)i / (double)n * (2 - (double)i / (double)n), err);
		for (int64_t j = i; j < n && status == KNNG_OK; j += KNNG_LINK_WIDE) {
			int64_t wide = n - j < KNNG_LINK_WIDE ? n - j : KNNG_LINK_WIDE;
			double *x;
			if ((status = knng_task_poll(task, err)) == KNNG_OK &&
			    (status = k->gpu->block(k->work, &x, err)) == KNNG_OK &&
			    (status = nodes->fill(nodes->context, i, tall, j, wide, x, err)) == KNNG_OK)
				status = k->gpu->put_block(k->work, i, tall, j, wide, err);
		}
		if (status != KNNG_OK)
			return status;
	}
	return KNNG_OK;
}

knng_status
knng_link_on(const knng_link_device *device, knng_task *task, const knng_link_nodes_of *nodes, double *Z, knng_err *err)
{
	int64_t n = nodes->n;
	bool by_centres = nodes->d > 0;
	knng_status status;
	gpu_nodes k = {.base = {.places = n,
				.row = row,
				.nearest = nearest,
				.join = join,
				.close_up = close_up,
				.height = by_centres ? height_of_centres : height},
		       .gpu = device->gpu,
		       .nodes = nodes};
	k.base.size = knng_alloc(n, sizeof *k.base.size);
	k.near = knng_alloc(n, sizeof *k.near);
	k.live = knng_alloc(n, sizeof *k.live);
	if (k.base.size == NULL || k.near == NULL || k.live == NULL) {
		status = knng_fail_memory(err, "the tree", 20.0 * (double)n);
		goto done;
	}
	for (int64_t i = 0; i < n; i++)
		k.base.size[i] = 1;
	status = k.gpu->open(n, nodes->d, nodes->method, device->device, device->max_memory, &k.work, err);
	if (status == KNNG_OK)
		status = by_centres ? k.gpu->put_centres(k.work, nodes->centres, err) : put_table(&k, task, err);
	/* centroid and median always join the nearest pair; ward of centres may go along chains too */
	if (status == KNNG_OK)
		status = knng_link_nodes(task, &k.base,
					 nodes->method != KNNG_LINK_CENTROID && nodes->method != KNNG_LINK_MEDIAN, Z,
					 err);
	k.gpu->close(k.work);
done:
	knng_free(k.base.size);
	knng_free(k.near);
	knng_free(k.live);
	return status;
}

knng_status
knng_link_device_find(const knng_devices *wanted, bool worth, knng_link_device *found, knng_err *err)
{
	char why[160];
	int devices[KNNG_MAX_DEVICES], n = 0;
	if (wanted->kind == KNNG_DEVICE_CPU || (wanted->kind == KNNG_DEVICE_AUTO && !worth))
		return KNNG_OK;
	knng_status status = knng_devices_find(wanted, devices, &n, why, sizeof why, err);
	if (status != KNNG_OK)
		return wanted->kind == KNNG_DEVICE_AUTO ? KNNG_OK : status;
	if (n > 0) {
		found->gpu = knng_plugin_find(why, sizeof why)->serve(KNNG_LINKAGE_ROOM, NULL);
		found->device = devices[0];
	}
	return KNNG_OK;
}

knng_status
knng_link_settle(knng_status status, bool *done, knng_err *fallback, knng_err *err)
{
	*done = status == KNNG_OK;
	if (status == KNNG_OK || status == KNNG_EDEVICE)
		return KNNG_OK;
	if (err != NULL)
		*err = *fallback;
	*fallback = (knng_err){0};
	return status;
}

bool
knng_link_worth(int64_t n)
{
	return n >= 12 << 10;
}

/* Rows i on of all distances y, from columns j on: those above the diagonal. */
typedef struct {
	const double *y;
	int64_t n;
} given;

static knng_status
fill_from(void *context, int64_t i, int64_t tall, int64_t j, int64_t wide, double *x, knng_err *err)
{
	const given *g = context;
	(void)err;
	for (int64_t r = i; r < i + tall; r++) {
		int64_t from = j > r ? j : r + 1;
		if (from < j + wide) /* (r, r + 1) comes behind the n - 1, n - 2, … distances of the rows before it */
			memcpy(x + (r - i) * wide + from - j, g->y + r * g->n - r * (r + 1) / 2 + from - r - 1,
			       (size_t)(j + wide - from) * sizeof *x);
	}
	return KNNG_OK;
}

knng_status
knng_link_distances_on(const knng_link_device *device, knng_task *task, int64_t n, const double *y, knng_link method,
		       double max_memory, double *Z, knng_err *err)
{
	given g = {y, n};
	knng_link_nodes_of nodes = {.n = n, .method = method, .fill = fill_from, .context = &g};
	knng_status status =
		knng_link_afford(knng_link_bytes(n) + 20.0 * (double)n, max_memory, n, "take fewer rows", err);
	return status == KNNG_OK ? knng_link_on(device, task, &nodes, Z, err) : status;
}
