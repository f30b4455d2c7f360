/* boxes.c  Rows in leaves of a tree, each leaf in a box; searches that leave out the boxes which are too far.
 *
 * Every node is cut in half where its rows are spread most, so that a leaf holds neighbours. A group of queries that
 * are neighbours too goes through the tree together: first to the leaf in their midst, then up from there, the nearer
 * half first; each query follows only while the box is no farther from it than its k-th best so far. What is computed
 * of a leaf is the canonical distance itself: no bound, no list, nothing to certify. */
#include "search/cpu/boxes.h"
#include "base/sys.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 64, SPREAD = 64, DEEP = 64, SAMPLE = 32, AMONG = COLUMNS_SCAN, ROWS_AT_LEAST = 1000 };

/* What the tests must find: a box without the last row of its leaf, the limit of another query, a limit that leaves out
 * what is just as far, and one without room for roundings. */
#ifdef KNNG_PLANT_BOX
#define LEFT_OUT 1
#else
#define LEFT_OUT 0
#endif
#ifdef KNNG_PLANT_NEAR
#define LIMIT_OF(e) (g->have[(e) ^ 1] == g->k ? (e) ^ 1 : (e))
#else
#define LIMIT_OF(e) (e)
#endif
#if defined(KNNG_PLANT_TIE)
#define WIDENED(sum) nextafter(sum, 0)
#elif defined(KNNG_PLANT_SLACK)
#define WIDENED(sum) (sum)
#else
#define WIDENED(sum) ((sum) * (1 + 0x1p-50) + 0x1p-1070)
#endif

/* ---------------------------------------------------------------- memory */

/* Rows of a leaf: a multiple of eight. */
static int64_t
leaf_of(const knng_plan *plan)
{
	int64_t asked = plan->opt.tile / 8 * 8;
	return asked > 0 ? (asked < MOST ? asked : (int64_t)MOST) : plan->x.d < 8 ? MOST / 2 : MOST;
}

/* At most: every cut leaves a whole number of leaves to its left. */
static int64_t
nodes_of(int64_t leaves)
{
	return 2 * leaves;
}

double
knng_boxes_bytes(const knng_plan *plan, int threads)
{
	double n = (double)plan->x.n, d = (double)plan->x.d, leaf = (double)leaf_of(plan), leaves = ceil(n / leaf);
	double queries = plan->y.data == NULL ? 0 : (double)plan->m * 4 + leaves * 4;
	return n * 4 + queries + leaves * leaf * fmax(d, 2) * 8 + (double)nodes_of((int64_t)leaves) * (16 * d + 12) +
	       (double)threads * MOST * d * 8 + 4096;
}

static knng_boxes *
open_boxes(const knng_search *w)
{
	const knng_plan *plan = w->plan;
	bool graph = w->query == &w->x;
	knng_boxes *b = knng_calloc(1, sizeof *b);
	if (b == NULL)
		return NULL;
	b->n = w->x.count;
	b->d = plan->x.d;
	b->leaf = leaf_of(plan);
	b->leaves = (b->n + b->leaf - 1) / b->leaf;
	b->order = knng_alloc(b->n, sizeof *b->order);
	b->sorted = graph ? b->order : knng_alloc(w->y.count, sizeof *b->sorted);
	b->rows = knng_alloc(b->leaves * b->leaf * (b->d > 2 ? b->d : 2), sizeof *b->rows);
	b->box = knng_alloc(nodes_of(b->leaves) * 2 * b->d, sizeof *b->box);
	b->right = knng_alloc(nodes_of(b->leaves), sizeof *b->right);
	b->first = knng_alloc(nodes_of(b->leaves), sizeof *b->first);
	b->axis = knng_alloc(nodes_of(b->leaves), sizeof *b->axis);
	b->queries = knng_alloc(plan->threads * MOST * b->d, sizeof *b->queries);
	if (b->order == NULL || b->sorted == NULL || b->rows == NULL || b->box == NULL || b->right == NULL ||
	    b->first == NULL || b->axis == NULL || b->queries == NULL) {
		knng_boxes_free(b);
		return NULL;
	}
	return b;
}

void
knng_boxes_free(knng_boxes *b)
{
	if (b == NULL)
		return;
	void *all[] = {b->sorted == b->order ? NULL : b->sorted,
		       b->order,
		       b->rows,
		       b->box,
		       b->right,
		       b->first,
		       b->axis,
		       b->queries};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
	knng_free(b);
}

/* ---------------------------------------------------------------- the tree */

typedef struct {
	knng_search *w;
	knng_boxes *b;
	const double *u;
	int64_t ld;
} building;

/* The element in which some of the points are spread most. */
static int32_t
widest(const building *t, const int32_t *points, int64_t count)
{
	int64_t step = count > SPREAD ? count / SPREAD : 1, some = (count + step - 1) / step;
	int32_t axis = 0;
	double most = -1;
	for (int64_t l = 0; l < t->b->d; l++) {
		double mean = 0, spread = 0;
		for (int64_t i = 0; i < count; i += step)
			mean += t->u[points[i] * t->ld + l] / (double)some;
		for (int64_t i = 0; i < count; i += step) {
			double away = t->u[points[i] * t->ld + l] - mean;
			spread += away * away;
		}
		if (spread > most) {
			most = spread;
			axis = (int32_t)l;
		}
	}
	return axis;
}

/* Puts the `many` that come first by (distance, index) in front. */
static void
part(knng_pair *a, int64_t n, int64_t many)
{
	int64_t low = 0, high = n - 1;
	while (low < high) {
		knng_pair pivot = a[low + (high - low) / 2];
		int64_t i = low - 1, j = high + 1;
		for (;;) {
			while (knng_pair_before(&a[++i], &pivot)) {
			}
			while (knng_pair_before(&pivot, &a[--j])) {
			}
			if (i >= j)
				break;
			knng_pair swap = a[i];
			a[i] = a[j];
			a[j] = swap;
		}
		if (many - 1 <= j)
			high = j;
		else
			low = j + 1;
	}
}

/* Cuts a node, and what comes of it, until leaves are left. `rows` is room until it is filled. */
static knng_status
cut(const building *t, int64_t first, int64_t count, knng_err *err)
{
	knng_boxes *b = t->b;
	int64_t node = b->nodes++, half = count / b->leaf / 2 * b->leaf;
	int32_t *points = b->order + first;
	knng_pair *pairs = (knng_pair *)b->rows;
	knng_status status = KNNG_OK;
	b->first[node] = (int32_t)first;
	b->right[node] = 0;
	if (count <= b->leaf)
		return KNNG_OK;
	half = half > 0 ? half : b->leaf;
	if (count > 1 << 15 && (status = knng_task_poll(&t->w->task, err)) != KNNG_OK)
		return status;
	int32_t axis = b->axis[node] = widest(t, points, count);
	for (int64_t i = 0; i < count; i++)
		pairs[i] = (knng_pair){t->u[points[i] * t->ld + axis], points[i]};
	part(pairs, count, half);
	for (int64_t i = 0; i < count; i++)
		points[i] = pairs[i].index;
	status = cut(t, first, half, err);
	b->right[node] = (int32_t)b->nodes;
	return status == KNNG_OK ? cut(t, first + half, count - half, err) : status;
}

/* Rows of a leaf: the last one may be short. */
static int64_t
rows_of(const knng_boxes *b, int64_t leaf)
{
	return b->n - leaf * b->leaf < b->leaf ? b->n - leaf * b->leaf : b->leaf;
}

enum { LEAVES_A_JOB = 64 };

/* The rows of some leaves, in columns. Beyond the last point there is it again. */
static knng_status
fill_job(knng_search *w, int worker, int64_t job, void *context, knng_err *err)
{
	(void)w, (void)worker, (void)err;
	const building *t = context;
	const knng_boxes *b = t->b;
	int64_t end = (job + 1) * LEAVES_A_JOB < b->leaves ? (job + 1) * LEAVES_A_JOB : b->leaves;
	for (int64_t leaf = job * LEAVES_A_JOB; leaf < end; leaf++) {
		double *to = b->rows + leaf * b->leaf * b->d;
		int64_t some = rows_of(b, leaf);
		for (int64_t c = 0; c < b->leaf; c++) {
			const double *from = t->u + b->order[leaf * b->leaf + (c < some ? c : some - 1)] * t->ld;
			for (int64_t l = 0; l < b->d; l++)
				to[l * b->leaf + c] = from[l];
		}
	}
	return KNNG_OK;
}

/* The boxes of leaves, then those of the nodes above them: children come after their node. */
static void
bound(knng_boxes *b)
{
	int64_t d = b->d;
	for (int64_t node = b->nodes - 1; node >= 0; node--) {
		double *low = b->box + node * 2 * d, *high = low + d;
		const double *left = low + 2 * d, *right = b->box + b->right[node] * 2 * d;
		const double *rows = b->rows + b->first[node] / b->leaf * b->leaf * d;
		for (int64_t l = 0; l < d && b->right[node] > 0; l++) {
			low[l] = left[l] < right[l] ? left[l] : right[l];
			high[l] = left[d + l] > right[d + l] ? left[d + l] : right[d + l];
		}
		for (int64_t l = 0; l < d && b->right[node] == 0; l++) {
			low[l] = high[l] = rows[l * b->leaf];
			for (int64_t c = 1; c < b->leaf - LEFT_OUT; c++) {
				double x = rows[l * b->leaf + c];
				low[l] = x < low[l] ? x : low[l];
				high[l] = x > high[l] ? x : high[l];
			}
		}
	}
}

/* The child of a node on whose side of the cut a row lies. */
static int64_t
side(const knng_boxes *b, int64_t node, const double *u)
{
	int32_t axis = b->axis[node];
	return u[axis] <= b->box[(node + 1) * 2 * b->d + b->d + axis] ? node + 1 : b->right[node];
}

static int64_t
leaf_at(const knng_boxes *b, const double *u)
{
	int64_t node = 0;
	while (b->right[node] > 0)
		node = side(b, node, u);
	return b->first[node] / b->leaf;
}

/* Queries of another matrix by leaf, those of one in their order. */
static knng_status
sort_queries(const knng_search *w, knng_boxes *b, const double *u, knng_err *err)
{
	int64_t m = w->query->count;
	int32_t *ends = knng_calloc(b->leaves + 1, sizeof *ends);
	knng_status status =
		ends != NULL ? KNNG_OK : knng_fail_memory(err, "the queries in order", 4. * (double)b->leaves);
	for (int64_t i = 0; status == KNNG_OK && i < m; i++) {
		if (i % 65536 == 0)
			status = knng_task_poll(&w->task, err);
		ends[leaf_at(b, u + i * w->plan->ld) + 1]++;
	}
	for (int64_t leaf = 1; status == KNNG_OK && leaf <= b->leaves; leaf++)
		ends[leaf] += ends[leaf - 1];
	for (int64_t i = 0; status == KNNG_OK && i < m; i++)
		b->sorted[ends[leaf_at(b, u + i * w->plan->ld)]++] = (int32_t)i;
	knng_free(ends);
	return status;
}

static knng_status
build(knng_search *w, knng_boxes *b, knng_err *err)
{
	const knng_cpu *c = w->state;
	building t = {w, b, c->x.u, w->plan->ld};
	for (int64_t i = 0; i < b->n; i++)
		b->order[i] = (int32_t)i;
	knng_status status = cut(&t, 0, b->n, err);
	if (status == KNNG_OK)
		status = knng_parallel(w, w->plan->threads, (b->leaves + LEAVES_A_JOB - 1) / LEAVES_A_JOB, fill_job, &t,
				       err);
	if (status != KNNG_OK)
		return status;
	bound(b);
	return w->query == &w->x ? KNNG_OK : sort_queries(w, b, c->query->u, err);
}

/* ---------------------------------------------------------------- search */

/* Queries on their way through the tree together, and what each has found. */
typedef struct {
	const knng_boxes *b;
	const knng_kernels *kernels;
	const knng_metric *metric;
	const int32_t *points;
	int64_t count, k, visits,
		most; /* leaves that queries visited; where they are more than `most` the search ends */
	bool graph;
	double *q;                       /* [d * leaf] in columns */
	_Alignas(64) double limit[MOST]; /* the largest sum that can still matter */
	int64_t have[MOST];
	knng_pair *pairs; /* [count * k] in order */
} group;

/* No sum whose distance is at most that is larger: roundings of the maps and of this. */
static double
largest_sum(knng_final_map map, double distance)
{
	double sum = map == KNNG_MAP_SQRT ? distance * distance : map == KNNG_MAP_HALF ? 2 * distance : distance;
	return WIDENED(sum);
}

static void
take(group *g, int64_t e, double sum, int32_t point)
{
	knng_pair *pairs = g->pairs + e * g->k, it = {knng_map_sum(g->metric, sum), point};
	int64_t at = g->have[e];
	if (at == g->k && !knng_pair_before(&it, &pairs[--at]))
		return;
	for (; at > 0 && knng_pair_before(&it, &pairs[at - 1]); at--)
		pairs[at] = pairs[at - 1];
	pairs[at] = it;
	g->have[e] += g->have[e] < g->k;
	if (g->have[e] == g->k)
		g->limit[LIMIT_OF(e)] = largest_sum(g->metric->map, pairs[g->k - 1].distance);
}

/* The distances of those queries to the rows of a leaf. */
static void
visit(group *g, int64_t leaf, uint64_t queries)
{
	const knng_boxes *b = g->b;
	const int32_t *points = b->order + leaf * b->leaf;
	const double *rows = b->rows + leaf * b->leaf * b->d;
	int64_t some = rows_of(b, leaf);
	uint64_t there = some < 64 ? ((uint64_t)1 << some) - 1 : UINT64_MAX;
	_Alignas(64) double sums[MOST];
	for (; queries != 0; queries &= queries - 1) {
		int64_t e = __builtin_ctzll(queries);
		uint64_t near = there & g->kernels->sums_of_columns(g->metric->sum, g->q + e, b->leaf, rows, b->leaf,
								    b->d, g->limit[e], sums);
		for (; near != 0; near &= near - 1) {
			int64_t c = __builtin_ctzll(near);
			if (!(g->graph && points[c] == g->points[e]))
				take(g, e, sums[c], points[c]);
		}
		g->visits++;
	}
}

/* All leaves below a node that are near enough, the nearer half first. */
static void
descend(group *g, int64_t node, uint64_t queries, const double *middle)
{
	const knng_boxes *b = g->b;
	const double *low = b->box + node * 2 * b->d;
	if (g->visits > g->most)
		return;
	queries = g->kernels->near_box(g->metric->sum, g->q, b->leaf, low, low + b->d, b->d, queries, g->limit);
	if (queries == 0)
		return;
	if (b->right[node] == 0) {
		visit(g, b->first[node] / b->leaf, queries);
		return;
	}
	int64_t near = side(b, node, middle), far = near == node + 1 ? b->right[node] : node + 1;
	descend(g, near, queries, middle);
	descend(g, far, queries, middle);
}

/* Where the rows lie that are near to the queries: in their midst, or opposite to it. */
static void
find_middle(const group *g, double *middle)
{
	const knng_boxes *b = g->b;
	double sign = g->metric->sum == KNNG_SUM_PLUS ? -1 : 1;
	for (int64_t l = 0; l < b->d; l++) {
		middle[l] = 0;
		for (int64_t e = 0; e < g->count; e++)
			middle[l] += sign * g->q[l * b->leaf + e] / (double)g->count;
	}
}

static void
search(group *g, const double *u, int64_t ld, double *middle)
{
	const knng_boxes *b = g->b;
	int64_t path[DEEP], depth = 0, node = 0;
	uint64_t all = g->count < 64 ? ((uint64_t)1 << g->count) - 1 : UINT64_MAX;
	for (int64_t e = 0; e < b->leaf; e++) {
		const double *from = u + g->points[e < g->count ? e : 0] * ld;
		for (int64_t l = 0; l < b->d; l++)
			g->q[l * b->leaf + e] = from[l];
		g->limit[e] = INFINITY;
		g->have[e] = 0;
	}
	find_middle(g, middle);
	while (b->right[node] > 0) {
		int64_t near = side(b, node, middle);
		path[depth++] = near == node + 1 ? b->right[node] : node + 1;
		node = near;
	}
	visit(g, b->first[node] / b->leaf, all);
	while (depth > 0)
		descend(g, path[--depth], all, middle);
}

static group
group_of(const knng_search *w, const knng_boxes *b, const knng_cpu_worker *s)
{
	const knng_cpu *c = w->state;
	return (group){.b = b,
		       .kernels = c->kernels,
		       .metric = w->plan->metric,
		       .k = w->k,
		       .most = INT64_MAX,
		       .graph = w->query == &w->x,
		       .q = b->queries + (s - c->workers) * MOST * b->d};
}

void
knng_boxes_search(const knng_search *w, const knng_boxes *b, knng_cpu_worker *s, const int32_t *points, int64_t count,
		  knng_pair *pairs)
{
	const knng_cpu *c = w->state;
	group g = group_of(w, b, s);
	for (int64_t first = 0; first < count; first += b->leaf) {
		g.points = points + first;
		g.count = count - first < b->leaf ? count - first : b->leaf;
		g.pairs = pairs + first * g.k;
		search(&g, c->query->u, w->plan->ld, s->scratch);
	}
	s->refined += g.visits * b->leaf;
}

/* ---------------------------------------------------------------- does it gain? */

/* The part of all leaves that a query may visit so that the search is quicker than one that compares all pairs:
 * nanoseconds of a pair of each, as measured with 2 to 300 features. */
static double
worthwhile(const knng_search *w)
{
	double d = (double)w->plan->x.d;
	bool differences = w->plan->metric->sum == KNNG_SUM_L1 || w->plan->metric->sum == KNNG_SUM_LINF;
	double all = (differences ? 0.48 + 0.015 * d : 0.26 + 0.0052 * d) * (w->query == &w->x ? 1 : 1.6);
	double visited = 0.6 + 0.11 * d + 0.06 * fmax(d - 64, 0); /* of long rows a leaf leaves the cache */
	visited *= w->plan->metric->sum == KNNG_SUM_EITHER ? 2 : 1;
	return 0.9 * all / visited;
}

/* Whether some queries have a row that is far nearer than the others, among an eighth of all or less: otherwise boxes
 * leave nothing out, and a tree is not worth while. */
static bool
promising(const knng_search *w)
{
	const knng_cpu *c = w->state;
	const knng_cpu_worker *s = &c->workers[0];
	bool squares = w->plan->metric->sum != KNNG_SUM_L1 && w->plan->metric->sum != KNNG_SUM_LINF;
	int64_t n = w->x.count, m = w->query->count, ld = w->plan->ld, some = n / 8 < AMONG ? n / 8 : (int64_t)AMONG;
	int near = 0;
	for (int i = 0; i < SAMPLE; i++) {
		int64_t q = (2 * i + 1) * m / (2 * SAMPLE), step = n / some, from = i * 7 % step;
		double least = INFINITY, mean = 0;
		for (int64_t e = 0; e < some; e++)
			s->columns[e] = (int32_t)(from + e * step);
		c->kernels->sums(w->plan->metric->sum, c->query->u + q * ld, c->x.u, ld, s->columns, some, s->sums);
		for (int64_t e = 0; e < some; e++)
			if (!(w->query == &w->x && s->columns[e] == q)) {
				least = fmin(least, s->sums[e]);
				mean += s->sums[e] / (double)some;
			}
		near += !(least > (squares ? 0.15 : 0.4) * mean);
	}
	return near >= SAMPLE / 8;
}

/* The part of the leaves that queries visit, of a sample of them; some, if each visits far more than would be worth it.
 */
static double
visited(const knng_search *w, const knng_boxes *b, double enough, knng_pair *pairs)
{
	knng_cpu *c = w->state;
	knng_cpu_worker *s = &c->workers[0];
	group g = group_of(w, b, s);
	double leaves = 0;
	int64_t m = w->query->count;
	g.count = 1;
	g.pairs = pairs;
	g.most = (int64_t)(3 * enough * (double)b->leaves) + 8;
	for (int i = 0; i < SAMPLE; i++) {
		g.points = b->sorted + (2 * i + 1) * m / (2 * SAMPLE);
		g.visits = 0;
		search(&g, c->query->u, w->plan->ld, s->scratch);
		s->refined += g.visits * b->leaf;
		leaves += (double)g.visits;
		if (i == SAMPLE / 4 - 1 && leaves > 2 * enough * (double)b->leaves * (i + 1))
			return leaves / (i + 1) / (double)b->leaves;
	}
	return leaves / SAMPLE / (double)b->leaves;
}

knng_status
knng_boxes_try(knng_search *w, knng_boxes **boxes, knng_err *err)
{
	bool on = w->plan->opt.prune == KNNG_PRUNE_ON;
	char *why = w->info->pruned;
	size_t size = sizeof w->info->pruned;
	knng_status status;
	*boxes = NULL;
	if (w->k < 1 || w->x.count < 1 || w->query->count < 1) {
		snprintf(why, size, "no: there is nothing to compare");
		return KNNG_OK;
	}
	if (!on && (w->x.count < ROWS_AT_LEAST || w->query->count < ROWS_AT_LEAST)) {
		snprintf(why, size, "no: there are too few different rows to gain");
		return KNNG_OK;
	}
	if (!on && !promising(w)) {
		snprintf(why, size, "no: the nearest rows are not much nearer than all others");
		return KNNG_OK;
	}
	knng_boxes *b = open_boxes(w);
	knng_pair *pairs = knng_alloc(w->k, sizeof *pairs);
	status = b != NULL && pairs != NULL
			 ? build(w, b, err)
			 : knng_fail_memory(err, "the tree", knng_boxes_bytes(w->plan, w->plan->threads));
	if (status == KNNG_OK && !on) {
		double enough = worthwhile(w), part = visited(w, b, enough, pairs);
		snprintf(why, size, "%s: %s%.3g %% of the pairs have to be compared, below %.3g %% it gains",
			 part <= enough ? "yes" : "no", part <= enough ? "" : "at least ", 100 * part, 100 * enough);
		on = part <= enough;
	} else {
		snprintf(why, size, "yes: as 'Prune' asks");
	}
	knng_free(pairs);
	if (status == KNNG_OK && on)
		*boxes = b;
	else
		knng_boxes_free(b);
	return status;
}
