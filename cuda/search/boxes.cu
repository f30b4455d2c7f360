/* boxes.cu  Pruning on GPUs: searches that leave out pairs by boxes (leaves.cu), where that gains.
 *
 * Every device makes the tree of all rows for itself, in the place of the lists, which such a search does not need, and
 * answers the batches of queries that are its own (send, in backend.cu). One of them puts the queries in order, and
 * tries some, as the CPU does (core/search/cpu/boxes.c). */
#include "cuda/search/backend_cuda.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	ROWS = 32768,      /* below so many a tree takes longer than it saves, */
	LEAST_ROWS = 8192, /* of blocks that meet */
	QUERIES = 4000,
	OF_SEARCHER = 8192, /* likewise, of rows that are there: fewer leave most of the GPU without work in the tree */
	SAMPLE = 64,        /* groups that are tried */
	LEAST_LEAF = 8,
	COPIES = 4,              /* rows that take as much as copies of eight, the least of a leaf */
	LEAST_LEAVES = 4,        /* that a group visits, whatever the data are */
	LEAST_QUERIES = 1 << 16, /* of a launch, within a second: fewer leave multiprocessors without work */
	LISTED = 64,             /* that a list has beyond k, about */
	OFTEN = 4,               /* that a query's list may be measured before copies are of no use */
#ifndef KNNG_PLAIN
	LEAST_CENTRED = 20, /* rows of a node that may have a centre of its own, */
#else
	LEAST_CENTRED = 16, /* fewer on emulated GPUs */
#endif
	MOST_CENTRED = 512 /* and how many such nodes there may be */
};
static const double FAR = 1e-10; /* of the mean: nearer rows are not told apart in two half-precision numbers either */
static const double TIGHT = 0x1p-12; /* the size of such a node, beside that of all that shares its centre otherwise */
static const int64_t LOOKED_AT = 1 << 20; /* numbers of rows, by each query before there is a tree */
static const double ELEMENTS = 4e10;      /* that a launch compares, or more or less: a tenth of a second */

/* ---------------------------------------------------------------- memory */

/* Cuts until no leaf has more rows than that; one that is asked for is kept within what a warp takes. */
static int
depth_of(int64_t n, int64_t asked)
{
	int64_t leaf = asked <= 0 || asked > LEAF ? (int64_t)LEAF : asked < LEAST_LEAF ? (int64_t)LEAST_LEAF : asked;
	int depth = 0;
	while (depth < DEEPEST && ((n + ((int64_t)1 << depth) - 1) >> depth) > leaf)
		depth++;
	return depth;
}

/* Divides room from `at` on. How many bytes it takes. */
static int64_t
lay_out(char *at, const int64_t *bytes, void **part, size_t parts)
{
	int64_t used = 0;
	for (size_t i = 0; i < parts; i++) {
		part[i] = at + used;
		used += up_to(bytes[i], 256);
	}
	return used;
}

/* The parts of a tree of so many rows that stay as long as it does. */
static int64_t
divide_tree(const knng_plan *plan, char *at, boxes *b)
{
	int64_t n = plan->x.n, nodes = (int64_t)1 << depth_of(n, plan->opt.tile);
	int64_t copied = copies_fit(plan->x.d, plan->k);
	b->d = (int)plan->x.d;
	b->wide = boxes_wide(plan->x.d);
	const int64_t bytes[] = {n * 4,
				 (n < COPIES ? (int64_t)COPIES : n) * b->wide * 8,
				 nodes * 4 * b->wide * 8,
				 nodes * 8,
				 nodes * 4,
				 copied * nodes * 4 * b->wide * 4,
				 copied * JUDGED * 2,
				 copied * JUDGED * 8,
				 copied * CENTRES * b->wide * 8,
				 copied * CENTRES * 8,
				 copied * CENTRES * 8};
	void *part[sizeof bytes / sizeof *bytes];
	int64_t used = lay_out(at, bytes, part, sizeof bytes / sizeof *bytes);
	b->order = (int32_t *)part[0];
	b->rows = (double *)part[1];
	b->box = (double *)part[2];
	b->cut = (double *)part[3];
	b->axis = (int32_t *)part[4];
	b->sides = (float *)part[5];
	b->own = (int16_t *)part[6];
	b->size = (double *)part[7];
	b->centre = (double *)part[8];
	b->scale = (double *)part[9];
	b->length = (double *)part[10];
	return used;
}

/* What it takes beside that to make it, and to search; there: it is made already, so that only queries are sorted. */
static int64_t
divide_rest(const knng_plan *plan, bool there, char *at, boxes *b)
{
	int64_t most = there ? plan->m : most_rows(plan);
	int64_t lists = copies_fit(plan->x.d, plan->k) ? PARTIES * copies_room(plan->k) : 0;
	b->temporary_bytes = boxes_temporary(most);
	int64_t turned = lists > 0 ? (int64_t)sizeof(turns) : 0, radii = plan->opt.split > 0 ? plan->m : 0;
	const int64_t bytes[] = {most * 8,         most * 8,         most * 4,         most * 4, b->temporary_bytes,
				 lists * LEAF * 4, lists * LEAF * 4, lists * CREW * 8, turned,   radii * 8};
	void *part[sizeof bytes / sizeof *bytes];
	int64_t used = lay_out(at, bytes, part, sizeof bytes / sizeof *bytes);
	b->key[0] = (uint64_t *)part[0];
	b->key[1] = (uint64_t *)part[1];
	b->place[0] = (uint32_t *)part[2];
	b->place[1] = (uint32_t *)part[3];
	b->temporary = part[4];
	b->sums = (float *)part[5];
	b->kept = (int32_t *)part[6];
	b->distance = (uint64_t *)part[7];
	b->queue = (turns *)part[8];
	b->within = (double *)part[9];
	b->room = copies_room(plan->k);
	return used;
}

/* All that is no searcher's. */
static int64_t
divide(const knng_plan *plan, bool there, char *at, boxes *b)
{
	int64_t used = keeps_rows(plan) ? 0 : divide_tree(plan, at, b);
	return used + divide_rest(plan, there, at + used, b);
}

int64_t
boxes_carved(const knng_plan *plan, bool there)
{
	boxes b;
	int64_t bytes = divide(plan, there, NULL, &b);
	return bytes > plan->block * plan->capacity * 8 ? bytes : 0;
}

int64_t
boxes_resident(const knng_plan *plan)
{
	boxes b;
	return plan->prunes ? divide_tree(plan, NULL, &b) : 0;
}

void
boxes_open(const knng_plan *plan, unit *g, const resident *there)
{
	if (!plan->prunes)
		return;
	int64_t carved = boxes_carved(plan, there != NULL);
	if (there != NULL)
		g->boxes = there->boxes;
	divide(plan, there != NULL, carved > 0 ? (char *)device_carve(g->s, carved) : (char *)g->held.key, &g->boxes);
}

/* Fewer rows take no tree. Of blocks that meet it is worth while to look how rows lie, as they meet often. */
static int64_t
least_rows(const knng_plan *plan)
{
	return plan->opt.split > 0 ? LEAST_ROWS : ROWS;
}

/* Why a searcher has no tree. */
static const char *
why_bare(const knng_plan *plan)
{
	const struct knng_prepared *left = plan->opt.prepared;
	return left->pruned ? "the tree was lost in a search that failed" : left->why;
}

void
boxes_plan(knng_plan *plan, double room)
{
	boxes b;
	const resident *there = resident_of(plan);
	bool whole = keeps_rows(plan), asked = plan->opt.prune == KNNG_PRUNE_ON;
	bool large = plan->x.n >= least_rows(plan) && (whole || plan->m >= QUERIES);
	double bytes = (double)boxes_carved(plan, there != NULL);
	bytes += whole && there == NULL ? (double)divide_tree(plan, NULL, &b) : 0;
	plan->why_all = there != NULL && !there->planted    ? why_bare(plan)
			: plan->opt.prune == KNNG_PRUNE_OFF ? "as 'Prune' asks"
			: !asked && !large                  ? "there are too few rows to gain on a GPU"
			: plan->k < 1                       ? "there is nothing to compare"
			: streams(plan)                     ? "the rows do not all fit on a GPU"
			: !boxes_fit(plan->x.d, plan->k) && !copies_fit(plan->x.d, plan->k)
				? "GPUs do so with 344 columns and 1024 neighbours at most"
			: plan->device_bytes + bytes > room ? "there is no memory for it on a GPU"
							    : NULL;
	plan->prunes = plan->why_all == NULL;
	plan->device_bytes += plan->prunes ? bytes : 0;
}

/* ---------------------------------------------------------------- does it gain? */

/* How many queries go together: those that are neighbours of each other, which few among many rows are not. */
static int
together(double n, double m)
{
	double near = 64. * m / n;
	return near >= LEAF ? (int)LEAF : near > 4 ? (int)near : 4;
}

/* The part of the pairs up to which boxes gain, by nanoseconds of a query as they were measured on an H200
 * (docs/performance.md): with all pairs, by the pair and for the start of such a search, and for the distances that it
 * computes where rows lie in clusters that half precision does not tell apart, or, where these are so large that such
 * rows escalate, by the pair once more; with boxes for its list, in the search and for the host, and by the pair.
 * Devices share out all pairs, but take batches of boxes one after the other. At most 1; negative: they never gain.
 * With rows of a searcher, which are there, all pairs begin sooner. */
static double
worth(const knng_plan *plan, int devices, double n, double m, bool copies, clustering tight)
{
	double start = keeps_rows(plan) ? 2e6 : 9e6;
	double d = boxes_wide(plan->x.d), k = (double)plan->k;
	double all = (differs(plan->metric->sum) ? 0.003 + 0.00005 * d : 0.0003) * (plan->y.data == NULL ? 1 : 1.8);
	double visited = copies        ? 0.004 + 0.0002 * d
			 : d <= 8      ? 0.008
			 : d <= STAGED ? 0.02 * pow(d / 16, 1.7)
				       : 0.033 * d;
	double list = copies ? 50 + 2 * k : 20 + 3 * k, refined = tight != SCATTERED ? 150 + 2 * d : 0;
	all += tight == FAR_APART ? 0.02 + 0.0003 * d : tight == IN_LARGE ? 0.008 + 0.00007 * d : 0;
	all *= plan->opt.split > 0 ? 0.5 : 1; /* rows of one side do not meet */
	visited *= plan->metric->sum == KNNG_SUM_EITHER ? 2 : 1;
	return fmin(((all * n + start / m + refined) / devices - list) / (visited * n), 1);
}

/* How far a point looks, as a sum, about. */
static double
reach_of(const knng_search *w, int64_t point)
{
	const gpu *c = (const gpu *)w->state;
	double within = c->within != NULL ? c->within[point] : INFINITY;
	knng_final_map map = w->plan->metric->map;
	return map == KNNG_MAP_SQRT ? within * within : map == KNNG_MAP_HALF ? 2 * within : within;
}

/* Whether some queries of a sample have a row that is far nearer than the others: otherwise boxes leave nothing out,
 * and a tree is not worth while. And whether rows lie in clusters so tight, or huge ones: of more rows than a list is
 * measured for, c + n/100 (docs/backends.md), by half. */
static knng_status
look(knng_search *w, bool *promising, clustering *tight, knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	unit *g = &c->units[0];
	knng_sum sum = w->plan->metric->sum;
	int64_t n = w->x.count, split = w->split, fewest = split > 0 ? (split < n - split ? split : n - split) : n;
	int64_t some = LOOKED_AT / w->plan->ld;
	double found[LOOKING][GLANCES][GLANCED], share = 0;
	knng_status status = KNNG_OK;
	int device = g->device, near = 0, within = 0, apart = 0;
	some = fewest / 8 < some ? fewest / 8 : some;
	some = some < 1 ? 1 : some;
	TRY(cudaSetDevice(device));
	launch_look(sum, g->rows, w->query->count, g->columns, n, split, w->query == &w->x, some, (double *)g->raw[0],
		    g->s->list);
	TRY_LAUNCH();
	TRY(cudaMemcpyAsync(found, g->raw[0], sizeof found, cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	for (int i = 0; i < LOOKING; i++) {
		double least = INFINITY, mean = 0;
		for (int part = 0; part < GLANCES; part++) {
			least = fmin(least, found[i][part][0]);
			mean += found[i][part][1];
			share += found[i][part][2] / LOOKING;
		}
		within += !(least > NEXT_TO * mean);
		apart += !(least > FAR * mean);
		least = fmin(least, reach_of(w, look_query(w->query->count, i)));
		near += !(least > (differs(sum) ? 0.25 : 0.06) * mean);
	}
	*promising = near >= LOOKING / 8;
	*tight = within < LOOKING / 2 || differs(sum) ? SCATTERED
		 : apart >= LOOKING / 2               ? FAR_APART
		 : share > 0.015                      ? IN_LARGE
						      : IN_CLUSTERS;
out:
	return status;
}

/* ---------------------------------------------------------------- the tree */

/* The boxes of nodes that share a centre, all below one that has another. */
typedef struct {
	int below; /* that other one */
	double low[COPIED_MOST], high[COPIED_MOST];
} cluster;

/* What the host has of the tree while it gives nodes centres. */
typedef struct {
	double size[JUDGED];
	int16_t own[JUDGED];   /* [JUDGED] of boxes */
	int16_t under[JUDGED]; /* the node that gave it that centre */
	int count;
	cluster c[CENTRES];
	double centre[CENTRES * COPIED_MOST], scale[CENTRES];
} centring_tree;

double
boxes_host_bytes(const knng_plan *plan)
{
	return copies_fit(plan->x.d, plan->k) ? sizeof(centring_tree) : 0;
}

/* The norm of half the sides of a box, as size_kernel of copies.cu has it. */
static double
half_of(knng_sum sum, const double *low, const double *high, int d)
{
	double total = 0, largest = 0;
	for (int l = 0; l < d; l++) {
		double half = high[l] / 2 - low[l] / 2;
		total += sum == KNNG_SUM_L1 ? half : half * half;
		largest = fmax(largest, half);
	}
	return sum == KNNG_SUM_LINF ? largest : sum == KNNG_SUM_L1 ? total : sqrt(total);
}

/* The cluster of a box that is small beside `large`: with others, if they are small together. -1: there are too many.
 */
static int
join_cluster(centring_tree *t, knng_sum sum, const double *low, const double *high, int d, int below, double large)
{
	double least[COPIED_MOST], most[COPIED_MOST];
	for (int c = 1; c < t->count; c++) {
		cluster *its = &t->c[c];
		if (its->below != below)
			continue;
		for (int l = 0; l < d; l++) {
			least[l] = fmin(low[l], its->low[l]);
			most[l] = fmax(high[l], its->high[l]);
		}
		if (half_of(sum, least, most, d) > TIGHT * large)
			continue;
		memcpy(its->low, least, (size_t)d * sizeof *least);
		memcpy(its->high, most, (size_t)d * sizeof *most);
		return c;
	}
	if (t->count == CENTRES)
		return -1;
	cluster *its = &t->c[t->count];
	its->below = below;
	memcpy(its->low, low, (size_t)d * sizeof *low);
	memcpy(its->high, high, (size_t)d * sizeof *high);
	return t->count++;
}

/* Gives nodes of many rows that are tight beside all that shares their centre one of their own, so that single
 * precision tells their rows apart; nodes that are as tight together share it. */
static knng_status
find_clusters(const knng_search *w, unit *g, centring_tree *t, knng_err *err)
{
	const boxes *b = &g->boxes;
	knng_sum sum = w->plan->metric->sum;
	double box[2 * COPIED_MOST];
	int64_t nodes = (int64_t)2 << b->depth, some = nodes < JUDGED ? nodes : (int64_t)JUDGED, tight = 0;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(launch_sizes(*b, sum, g->s->list));
	TRY(cudaMemcpyAsync(t->size, b->size, (size_t)some * 8, cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	t->own[1] = 0;
	t->under[1] = 1;
	for (int64_t node = 2, depth = 1; node < some; node++) {
		depth += node >> (depth + 1);
		t->own[node] = t->own[node / 2];
		t->under[node] = t->under[node / 2];
		double large = t->size[t->under[node]];
		if (b->n >> depth < LEAST_CENTRED || !(t->size[node] <= TIGHT * large && t->size[node] >= 0x1p-390))
			continue;
		TRY(cudaMemcpyAsync(box, b->box + node * 2 * b->wide, (size_t)b->wide * 16, cudaMemcpyDeviceToHost,
				    g->s->list));
		TRY(cudaStreamSynchronize(g->s->list));
		int its = ++tight > MOST_CENTRED ? -1
						 : join_cluster(t, sum, box, box + b->wide, b->d, t->own[node], large);
		if (its < 0) { /* too many to tell which are worth it */
			t->count = 1;
			goto out;
		}
		t->own[node] = (int16_t)its;
		t->under[node] = (int16_t)node;
	}
out:
	return status;
}

/* The middle of a box becomes a centre, or 0. False: its numbers are too small for copies, or too large. */
static bool
put_centre(centring_tree *t, int c, bool centred, int wide)
{
	double away = 0, largest = 0, *centre = t->centre + c * wide;
	const cluster *its = &t->c[c];
	int exponent = 0;
	for (int l = 0; l < wide; l++) {
		double low = its->low[l], high = its->high[l];
		centre[l] = centred ? low / 2 + high / 2 : 0;
		largest = fmax(largest, fmax(fabs(low), fabs(high)));
		away = fmax(away, fmax(fabs(low - centre[l]), fabs(high - centre[l])));
	}
	frexp(away, &exponent);
	t->scale[c] = ldexp(1, -exponent);
	return largest <= 0x1p400 && away >= 0x1p-400;
}

/* Copies of the rows, around the middle of all of them or of their cluster, unless numbers are of a size at which they
 * might overflow. */
static knng_status
make_copies(const knng_search *w, unit *g, knng_err *err)
{
	double root[2 * COPIED_MOST];
	boxes *b = &g->boxes;
	knng_sum sum = w->plan->metric->sum;
	bool centred = sum != KNNG_SUM_PLUS && sum != KNNG_SUM_EITHER;
	knng_status status = KNNG_OK;
	int device = g->device;
	int64_t rows = (b->n + ((int64_t)1 << b->depth) - 1) >> b->depth;
	centring_tree *t = (centring_tree *)host->alloc(1, sizeof *t);
	if (t == NULL)
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
	memset(t, 0, sizeof *t);
	t->count = 1;
	TRY(cudaMemcpyAsync(root, b->box + 2 * b->wide, (size_t)b->wide * 16, cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	memcpy(t->c[0].low, root, (size_t)b->wide * 8);
	memcpy(t->c[0].high, root + b->wide, (size_t)b->wide * 8);
	if (!put_centre(t, 0, centred, b->wide))
		goto out;
	if (centred && (status = find_clusters(w, g, t, err)) != KNNG_OK)
		goto out;
	for (int c = 1; c < t->count; c++)
		put_centre(t, c, true, b->wide); /* what is large enough as a whole is so in some column */
	b->centres = t->count;
	b->stride = (int)up_to(rows, 8);
	b->copies = (float *)b->rows;
	TRY(cudaMemcpyAsync(b->own, t->own, sizeof t->own, cudaMemcpyHostToDevice, g->s->list));
	TRY(cudaMemcpyAsync(b->centre, t->centre, (size_t)b->centres * b->wide * 8, cudaMemcpyHostToDevice,
			    g->s->list));
	TRY(cudaMemcpyAsync(b->scale, t->scale, (size_t)b->centres * 8, cudaMemcpyHostToDevice, g->s->list));
	TRY(launch_copies(*b, sum, g->columns, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list)); /* what was copied is the host's until then */
out:
	host->free(t);
	return status;
}

static knng_status
make_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	const gpu *c = (const gpu *)w->state;
	unit *g = &c->units[i];
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	g->boxes.n = w->x.count;
	g->boxes.depth = depth_of(w->x.count, w->plan->opt.tile);
	g->boxes.copies = NULL;
	if (c->within != NULL)
		TRY(cudaMemcpyAsync(g->boxes.within, c->within, (size_t)w->x.count * 8, cudaMemcpyHostToDevice,
				    g->s->list));
	TRY(launch_boxes(g->boxes, g->columns, g->s->list));
	if (copies_fit(w->plan->x.d, w->plan->k) && (status = make_copies(w, g, err)) != KNNG_OK)
		goto out;
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

/* Rows again where copies were. */
static knng_status
fill_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	unit *g = &((gpu *)w->state)->units[i];
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	g->boxes.copies = NULL;
	TRY(launch_fill(g->boxes, g->columns, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

/* Makes the tree of a searcher, for as long as it may gain. */
static knng_status
plant(knng_search *w, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	boxes *b = &c->units[0].boxes;
	int64_t bytes = divide_tree(w->plan, NULL, b);
	knng_status status = resident_plant(c->resident, bytes, err);
	if (status != KNNG_OK)
		return status;
	divide_tree(w->plan, c->resident->tree, b);
	w->info->device_peak += (double)bytes;
	return on_devices(w, make_job, NULL, err);
}

/* Rows in place of copies that turned out to be of no use. A searcher has no tree until that is done. */
static knng_status
give_up_copies(knng_search *w, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	resident *r = c->resident;
	bool planted = r != NULL && r->planted;
	if (planted)
		r->planted = false;
	knng_status status = on_devices(w, fill_job, NULL, err);
	if (status == KNNG_OK && planted) {
		r->boxes = c->units[0].boxes;
		r->planted = true;
	}
	return status;
}

/* The queries in order, to ids of the first device and to the host. */
static knng_status
put_in_order(knng_search *w, int32_t *points, knng_err *err)
{
	unit *g = &((gpu *)w->state)->units[0];
	size_t bytes = (size_t)w->query->count * 4;
	uint32_t *order = (uint32_t *)g->boxes.order;
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	if (w->query != &w->x)
		TRY(launch_order(g->boxes, w->plan->metric->sum, g->rows, w->query->count, &order, g->s->list));
	TRY(cudaMemcpyAsync(g->ids, order, bytes, cudaMemcpyDeviceToDevice, g->s->list));
	TRY(cudaMemcpyAsync(points, order, bytes, cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

/* Whether all answers arrive at once: then the first device has them, and they come point after point, to be written
 * row after row. */
bool
boxes_at_once(const knng_search *w, int64_t count)
{
	return w->level == KNNG_LEVEL_BOXES && count == w->query->count;
}

/* ---------------------------------------------------------------- search */

static visiting
visiting_of(const knng_search *w, const unit *g, int64_t first, int64_t count)
{
	visiting s = {};
	s.u = g->rows;
	s.others = g->columns;
	s.points = g->ids;
	s.first = first;
	s.end = first + count;
	s.together = together((double)w->x.count, (double)w->query->count);
	s.step = s.together;
	s.groups = (count + s.step - 1) / s.step;
	s.k = w->k;
	s.sum = w->plan->metric->sum;
	s.map = w->plan->metric->map;
	s.graph = w->query == &w->x;
	s.split = w->split;
	s.within = ((const gpu *)w->state)->within != NULL ? g->boxes.within : NULL;
	s.most = INT64_MAX;
	s.counts = (unsigned long long *)g->flag;
	return s;
}

static void
go_through(const unit *g, visiting s)
{
	(g->boxes.copies != NULL ? launch_copied_visits : launch_visits)(g->boxes, s, g->s->list);
}

/* The part of the leaves that groups of a sample visit, where those that gave up, mostly with more than `enough`, count
 * twice, and leaves that take longer as several, so that it may be more than 1. And how often they measured their
 * lists. */
static knng_status
try_some(knng_search *w, double enough, double *visited, double *measured, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	unit *g = &c->units[0];
	int64_t m = w->query->count, leaves = (int64_t)1 << g->boxes.depth;
	visiting s = visiting_of(w, g, 0, m);
	unsigned long long counts[COUNTS];
	knng_status status = KNNG_OK;
	int device = g->device;
	int64_t most = c->rows / s.together; /* answers for which there is room */
	most = most < 1 ? 1 : most < SAMPLE ? most : (int64_t)SAMPLE;
	if (s.groups > most) {
		s.step = s.groups / most * s.together;
		s.groups = most;
	}
	s.together = c->rows < s.together ? (int)c->rows : s.together;
	s.sample = true;
	s.enough = 2 * OFTEN * (s.k + LISTED) * s.together;
	s.most = (int64_t)(enough * (double)leaves) + 1;
	s.distance = (uint64_t *)g->packed[0];
	s.column = (int32_t *)(g->packed[0] + s.groups * s.together * s.k * 8);
	TRY(cudaSetDevice(device));
	TRY(cudaMemsetAsync(s.counts, 0, sizeof counts, g->s->list));
	go_through(g, s);
	TRY_LAUNCH();
	TRY(cudaMemcpyAsync(counts, s.counts, sizeof counts, cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
	w->info->refined += (int64_t)counts[1];
	*visited = (double)counts[0] / (double)s.groups / (double)leaves;
	*measured = (double)counts[2] / (double)(s.groups * s.together) / (double)(s.k + LISTED);
out:
	return status;
}

/* Of the search, or, while a searcher is made, of one that its tree is meant for. */
static double
queries_of(const knng_search *w)
{
	bool makes = keeps_rows(w->plan) && w->query == &w->x;
	return (double)(makes ? w->x.count : w->query->count);
}

/* Whether all pairs are compared sooner even if queries visit no more leaves than they have to. */
static bool
gains_never(const knng_search *w, bool copies, clustering tight)
{
	const gpu *c = (const gpu *)w->state;
	double n = (double)w->x.count;
	return worth(w->plan, c->n, n, queries_of(w), copies, tight) * n < LEAST_LEAVES * LEAF;
}

/* Whether the tree is to be used: as a sample says, unless it is asked for. */
static knng_status
decide(knng_search *w, clustering tight, bool *on, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	bool asked = w->plan->opt.prune == KNNG_PRUNE_ON;
	bool copies = c->units[0].boxes.copies != NULL, short_rows = boxes_fit(w->plan->x.d, w->plan->k);
	double enough = worth(w->plan, c->n, (double)w->x.count, queries_of(w), copies, tight);
	double most = asked ? fmax(enough, 0.05) : enough, visited = 0, measured = 0;
	knng_status status = copies || short_rows ? try_some(w, most, &visited, &measured, err) : KNNG_OK;
	if (status == KNNG_OK && copies && measured > OFTEN && short_rows) {
		status = give_up_copies(w, err);
		return status == KNNG_OK ? decide(w, tight, on, err) : status;
	}
	*on = (copies && measured <= OFTEN) || short_rows;
	if (!*on) {
		snprintf(w->info->pruned, sizeof w->info->pruned,
			 "no: single precision does not tell so long rows apart");
		return status;
	}
	c->visited = visited <= most ? fmin(visited, 1) : 1;
	*on = asked || visited <= enough;
	if (!asked)
		snprintf(w->info->pruned, sizeof w->info->pruned,
			 "%s: %s%.3g %% of the pairs have to be compared, below %.3g %% it gains", *on ? "yes" : "no",
			 *on ? "" : "some ", fmin(100 * visited, 100), 100 * enough);
	return status;
}

/* Distances of points to themselves, where they are not 0. */
static knng_status
to_self(knng_search *w, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	unit *g = &c->units[0];
	const knng_metric *metric = w->plan->metric;
	knng_status status = KNNG_OK;
	int device = g->device;
	if (metric->sum != KNNG_SUM_PLUS || w->query != &w->x)
		return KNNG_OK;
	TRY(cudaSetDevice(device));
	launch_self(metric->sum, metric->map, g->columns, w->x.count, g->self, g->s->list);
	TRY_LAUNCH();
	TRY(cudaMemcpyAsync(c->self, g->self, (size_t)w->x.count * 8, cudaMemcpyDeviceToHost, g->s->list));
	TRY(cudaStreamSynchronize(g->s->list));
out:
	return status;
}

/* No more is counted on any device than what its batches take. */
static knng_status
zero_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	(void)worker, (void)context;
	unit *g = &((gpu *)w->state)->units[i];
	knng_status status = KNNG_OK;
	int device = g->device;
	TRY(cudaSetDevice(device));
	TRY(cudaMemsetAsync(g->flag, 0, COUNTS * sizeof(unsigned long long), g->s->list));
out:
	return status;
}

/* A tree that may gain, with the queries in its order, and whether it does. */
static knng_status
try_tree(knng_search *w, int32_t *points, clustering tight, bool *on, knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	bool makes = c->resident != NULL && w->query == &w->x;
	knng_status status = c->resident == NULL ? on_devices(w, make_job, NULL, err) : makes ? plant(w, err) : KNNG_OK;
	if (status == KNNG_OK)
		status = put_in_order(w, points, err);
	return status == KNNG_OK ? decide(w, tight, on, err) : status;
}

/* While a searcher is made there is nothing to be answered: its tree stays, or is given up. */
static void
keep_tree(const knng_search *w, bool on, clustering tight)
{
	const gpu *c = (const gpu *)w->state;
	resident *r = c->resident;
	if (!on) {
		resident_fell(r);
		return;
	}
	r->boxes = c->units[0].boxes;
	r->tight = tight;
	r->planted = true;
}

knng_status
cuda_prune(knng_search *w, int32_t *points, int64_t *count, knng_err *err)
{
	gpu *c = (gpu *)w->state;
	const resident *r = c->resident;
	bool makes = r != NULL && w->query == &w->x, there = r != NULL && !makes;
	bool on = w->plan->opt.prune == KNNG_PRUNE_ON, promising = true;
	clustering tight = there ? r->tight : SCATTERED;
	bool copies = copies_fit(w->plan->x.d, w->plan->k);
	bool too_few = there && w->query->count < OF_SEARCHER;
	bool few = !there && (w->x.count < least_rows(w->plan) || (!makes && w->query->count < QUERIES));
	bool none = w->k < 1 || w->x.count < 1 || w->query->count < 1;
	none = none || (w->plan->opt.split > 0 && (w->split < 1 || w->split == w->x.count));
	knng_status status = KNNG_OK;
	*count = 0;
	few = few || (!on && !too_few && !none && gains_never(w, copies, FAR_APART)); /* wherever rows may lie */
	if (!on && !few && !none && !there) {
		status = look(w, &promising, &tight, err);
		few = status == KNNG_OK &&
		      ((tight == SCATTERED && w->x.count < ROWS) || (promising && gains_never(w, copies, tight)));
	}
	snprintf(w->info->pruned, sizeof w->info->pruned, "%s",
		 none             ? "no: there is nothing to compare"
		 : too_few && !on ? "no: a GPU compares so few queries with all rows sooner"
		 : few && !on     ? "no: with so many rows, columns and neighbours a GPU compares all pairs sooner"
		 : !promising     ? "no: the nearest rows are not much nearer than all others"
				  : "yes: as 'Prune' asks");
	if (status != KNNG_OK || none || ((few || too_few) && !on) || !promising)
		return status;
	status = try_tree(w, points, tight, &on, err);
	if (status == KNNG_OK && makes) {
		keep_tree(w, on, tight);
		*count = on ? w->x.count : 0;
	}
	if (status != KNNG_OK || !on || makes)
		return status;
	if ((status = to_self(w, err)) == KNNG_OK && (status = on_devices(w, zero_job, NULL, err)) == KNNG_OK)
		*count = w->query->count;
	for (int64_t i = 0; i < *count && *count <= c->rows; i++)
		points[i] = (int32_t)i;
	c->certified = NULL;
	c->sent = 0;
	return status;
}

knng_status
boxes_answer(knng_search *w, unit *g, int64_t first, int64_t count, char *packed, knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	knng_status status = KNNG_OK;
	int device = g->device;
	double query = c->visited * (double)w->x.count * (double)g->boxes.wide + 1;
	double some_queries = fmax(ELEMENTS / query, fmin(LEAST_QUERIES, 10 * ELEMENTS / query));
	int64_t most = (int64_t)fmax(fmin(some_queries / LEAF, 1e9), 1) * LEAF;
	for (int64_t at = 0; at < count; at += most) {
		int64_t some = count - at < most ? count - at : most;
		visiting s = visiting_of(w, g, first + at, some);
		s.in_place = boxes_at_once(w, count);
		s.distance = (uint64_t *)packed + (s.in_place ? 0 : at * w->k);
		s.column = (int32_t *)(packed + count * w->k * 8) + (s.in_place ? 0 : at * w->k);
		if (at > 0)
			TRY(cudaStreamSynchronize(g->s->list));
		if ((status = host->poll(&w->task, err)) != KNNG_OK)
			goto out;
		go_through(g, s);
		TRY_LAUNCH();
	}
out:
	return status;
}

knng_status
boxes_count(knng_search *w, knng_err *err)
{
	const gpu *c = (const gpu *)w->state;
	knng_status status = KNNG_OK;
	for (int i = 0, device; i < c->n; i++) {
		unsigned long long counts[COUNTS];
		device = c->units[i].device;
		TRY(cudaSetDevice(device));
		TRY(cudaMemcpy(counts, c->units[i].flag, sizeof counts, cudaMemcpyDeviceToHost));
		w->info->refined += (int64_t)counts[1];
	}
out:
	return status;
}
