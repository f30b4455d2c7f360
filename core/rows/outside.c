/* outside.c  Rows that lie in one leaf go through the tree together. A node whose rows are all of the part of a query
 * is left out, and so is a box that is farther than the best edge which the part has so far, whoever found it. */
#include "rows/outside.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

enum {
	ELEMENTS_BETWEEN = 1 << 20, /* that are compared between two looks for Ctrl-C */
	GROUPS = 4,                 /* of a job */
	SAMPLE = 32,                /* rows that find first edges, and as many that say whether a search gains */
	LITTLE = 1000000000,        /* operations that take no time worth asking for */
};

/* What the tests must find: the part of a node that is only that of some of its rows, the limit of another part, and a
 * limit that leaves out edges of equal length. */
#ifdef KNNG_PLANT_LABEL
#define SAME_PART(a, b) ((void)(b), true)
#else
#define SAME_PART(a, b) ((a) == (b))
#endif
#ifdef KNNG_PLANT_PART
#define PART_OF_LIMIT(o, i) ((o)->part[(i) > 0 ? (i)-1 : 0])
#else
#define PART_OF_LIMIT(o, i) ((o)->part[i])
#endif
#ifdef KNNG_PLANT_TIE
#define LIMIT_OF(map, length) nextafter(knng_boxes_limit(map, length) * (1 - 0x1p-48), 0)
#else
#define LIMIT_OF(map, length) knng_boxes_limit(map, length)
#endif

double
knng_outside_bytes(int64_t n, int64_t d, int64_t asked, int threads)
{
	double leaves = ceil((double)n / 8); /* of the smallest size; each node has a part and a core distance */
	return knng_boxes_tree_bytes(n, d, asked) + 24 * leaves + 12.0 * (double)n +
	       threads * (8.0 * (KNNG_BOXES_MOST + 1) * (double)d + 8) + 4096;
}

void
knng_outside_close(knng_outside *o)
{
	if (o->b != NULL)
		for (int l = 0; l < KNNG_OUTSIDE_LOCKS; l++)
			pthread_mutex_destroy(&o->locks[l]);
	knng_boxes_free(o->b);
	void *all[] = {o->least, o->whose, o->length, o->asked, o->q, o->middle, o->visits};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
	o->b = NULL;
	o->least = o->length = o->q = o->middle = NULL;
	o->whose = o->asked = NULL;
	o->visits = NULL;
}

/* The smallest core distance of the rows of each node: children come after their node. */
static void
find_least(knng_outside *o)
{
	const knng_boxes *b = o->b;
	for (int64_t node = b->nodes - 1; node >= 0; node--) {
		double least = INFINITY;
		int64_t leaf = b->first[node] / b->leaf;
		const int32_t *rows = b->order + b->first[node];
		if (b->right[node] > 0)
			least = fmin(o->least[node + 1], o->least[b->right[node]]);
		for (int64_t c = 0; b->right[node] == 0 && c < knng_boxes_rows(b, leaf); c++)
			least = fmin(least, o->core[rows[c]]);
		o->least[node] = least;
	}
}

knng_status
knng_outside_open(knng_outside *o, knng_task *task, int64_t d, int64_t asked, knng_err *err)
{
	knng_status status = knng_boxes_make(&o->b, o->u, o->n, d, o->ld, asked, o->threads, task, err);
	if (status != KNNG_OK)
		return status;
	for (int l = 0; l < KNNG_OUTSIDE_LOCKS; l++)
		pthread_mutex_init(&o->locks[l], NULL);
	o->least = o->core != NULL ? knng_alloc(o->b->nodes, sizeof *o->least) : NULL;
	o->whose = knng_alloc(o->b->nodes, sizeof *o->whose);
	o->length = knng_alloc(o->n, sizeof *o->length);
	o->asked = knng_alloc(o->n, sizeof *o->asked);
	o->q = knng_alloc(o->threads * KNNG_BOXES_MOST * d, sizeof *o->q);
	o->middle = knng_alloc(o->threads * d, sizeof *o->middle);
	o->visits = knng_calloc(o->threads, sizeof *o->visits);
	if ((o->core != NULL && o->least == NULL) || o->whose == NULL || o->length == NULL || o->asked == NULL ||
	    o->q == NULL || o->middle == NULL || o->visits == NULL)
		return knng_fail_memory(err, "the search outside of parts",
					knng_outside_bytes(o->n, d, asked, o->threads));
	if (o->core != NULL)
		find_least(o);
	return KNNG_OK;
}

/* The part of all rows of a node, or -1. */
static void
find_whose(knng_outside *o)
{
	const knng_boxes *b = o->b;
	for (int64_t node = b->nodes - 1; node >= 0; node--) {
		int64_t leaf = b->first[node] / b->leaf;
		const int32_t *rows = b->order + b->first[node];
		int32_t whose = b->right[node] > 0 ? o->whose[node + 1] : o->part[rows[0]];
		if (b->right[node] > 0 && !SAME_PART(o->whose[b->right[node]], whose))
			whose = -1;
		for (int64_t c = 0; b->right[node] == 0 && c < knng_boxes_rows(b, leaf); c++)
			if (!SAME_PART(o->part[rows[c]], whose))
				whose = -1;
		o->whose[node] = whose;
	}
}

void
knng_outside_begin(knng_outside *o, const uint8_t *ask)
{
	find_whose(o);
	for (int64_t i = 0; i < o->n; i++)
		o->length[i] = o->best[i].i >= 0 ? o->best[i].d : INFINITY;
	o->asked_count = 0;
	for (int64_t at = 0; at < o->n; at++)
		if (ask[o->b->order[at]])
			o->asked[o->asked_count++] = o->b->order[at];
}

/* ---------------------------------------------------------------- search */

typedef struct {
	knng_boxes_way at;
	knng_outside *o;
	int64_t count, visits, unheard;
	int32_t whose;                  /* the part of all queries, or -1 */
	double longest;                 /* no edge longer than that is of use to any of them */
	double length[KNNG_BOXES_MOST]; /* that the limits are made of */
	const knng_task *task;
	knng_err *err;
	knng_status status;
} group;

static double
length_of(const knng_outside *o, int32_t part)
{
	double length;
	__atomic_load(&o->length[part], &length, __ATOMIC_RELAXED);
	return length;
}

/* Takes note of what the parts have found since; of a row that has nothing to seek any more the limit is below 0. */
static void
refresh(group *g)
{
	const knng_outside *o = g->o;
	g->longest = -1;
	for (int64_t e = 0; e < g->count; e++) {
		int32_t i = g->at.points[e];
		double length = length_of(o, PART_OF_LIMIT(o, i));
		if (length < o->reach[i])
			length = -1;
		if (!(length == g->length[e])) {
			g->length[e] = length;
			g->at.limit[e] = length < 0 ? -1 : LIMIT_OF(o->metric->map, length);
		}
		g->longest = length > g->longest ? length : g->longest;
	}
}

/* An edge that leaves a part. Whether it is its best. */
static bool
offer(knng_outside *o, int32_t part, const knng_tree_edge *edge)
{
	if (edge->d > length_of(o, part))
		return false;
	pthread_mutex_t *lock = &o->locks[part % KNNG_OUTSIDE_LOCKS];
	pthread_mutex_lock(lock);
	bool better = knng_edge_before(edge, &o->best[part]);
	if (better) {
		o->best[part] = *edge;
		__atomic_store(&o->length[part], &o->best[part].d, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(lock);
	return better;
}

/* Rows of a leaf that are within the limit of query e. */
static void
take(group *g, int64_t e, uint64_t near, const double *sums, const int32_t *rows)
{
	knng_outside *o = g->o;
	int32_t i = g->at.points[e];
	bool better = false;
	for (; near != 0; near &= near - 1) {
		int64_t c = __builtin_ctzll(near);
		int32_t j = rows[c];
		if (o->part[j] == o->part[i])
			continue;
		knng_tree_edge edge = {knng_map_sum(o->metric, sums[c]), i < j ? i : j, i < j ? j : i};
		if (o->core != NULL)
			edge.d = fmax(edge.d, fmax(o->core[i], o->core[j]));
		better |= offer(o, o->part[i], &edge);
		better |= offer(o, o->part[j], &edge);
	}
	if (better)
		refresh(g);
}

static void
listen(group *g, int64_t elements)
{
	g->unheard += elements;
	if (g->unheard < ELEMENTS_BETWEEN || g->status != KNNG_OK)
		return;
	g->unheard = 0;
	g->status = knng_task_poll(g->task, g->err);
}

static void
visit(group *g, int64_t leaf, uint64_t queries)
{
	const knng_boxes *b = g->at.b;
	int64_t most = b->rows != NULL ? 1 : KNNG_BOXES_FOUR;
	uint64_t near[KNNG_BOXES_FOUR];
	_Alignas(64) double sums[KNNG_BOXES_FOUR * KNNG_BOXES_MOST];
	while (queries != 0 && g->status == KNNG_OK) {
		int64_t e[KNNG_BOXES_FOUR], count = 0;
		for (; count < most && queries != 0; queries &= queries - 1)
			e[count++] = __builtin_ctzll(queries);
		knng_boxes_sums(&g->at, leaf, e, count, sums, near);
		for (int64_t i = 0; i < count; i++)
			take(g, e[i], near[i], sums + i * KNNG_BOXES_MOST, b->order + leaf * b->leaf);
		g->visits += count;
		listen(g, count * b->leaf * b->d);
	}
}

/* Those that are not of the part, of which all rows of a node are. */
static uint64_t
others(const group *g, int32_t whose, uint64_t queries)
{
	if (whose < 0)
		return queries;
	if (g->whose >= 0)
		return whose == g->whose ? 0 : queries;
	uint64_t left = 0;
	for (uint64_t q = queries; q != 0; q &= q - 1) {
		int e = __builtin_ctzll(q);
		left |= (uint64_t)(g->o->part[g->at.points[e]] != whose) << e;
	}
	return left;
}

static void
descend(group *g, int64_t node, uint64_t queries, const double *middle)
{
	const knng_boxes *b = g->at.b;
	const knng_outside *o = g->o;
	const double *low = b->box + node * 2 * b->d;
	if (g->status != KNNG_OK || (queries = others(g, o->whose[node], queries)) == 0 ||
	    (o->least != NULL && o->least[node] > g->longest))
		return;
	listen(g, b->leaf * b->d / 8);
	queries = g->at.kernels->near_box(g->at.sum, g->at.q, b->leaf, low, low + b->d, b->d, queries, g->at.limit);
	if (queries == 0)
		return;
	if (b->right[node] == 0) {
		visit(g, b->first[node] / b->leaf, queries);
		return;
	}
	int64_t near = knng_boxes_child(b, node, middle), far = near == node + 1 ? b->right[node] : node + 1;
	descend(g, near, queries, middle);
	descend(g, far, queries, middle);
}

/* Rows that are neighbours, no more than a leaf has. */
static knng_status
search(knng_outside *o, const knng_task *task, int worker, const int32_t *rows, int64_t count, knng_err *err)
{
	const knng_boxes *b = o->b;
	group g = {.at = {.b = b,
			  .kernels = o->kernels,
			  .sum = o->metric->sum,
			  .points = rows,
			  .u = o->u,
			  .others = o->u,
			  .ld = o->ld,
			  .q = o->q + worker * KNNG_BOXES_MOST * b->d},
		   .o = o,
		   .count = count,
		   .whose = o->part[rows[0]],
		   .task = task,
		   .err = err};
	double *middle = o->middle + worker * b->d;
	for (int64_t e = 0; e < count; e++)
		if (o->part[rows[e]] != g.whose)
			g.whose = -1;
	for (int64_t e = 0; e < KNNG_BOXES_MOST; e++)
		g.length[e] = g.at.limit[e] = -1;
	refresh(&g);
	if (g.longest < 0)
		return KNNG_OK;
	knng_boxes_gather(&g.at, count, middle);
	descend(&g, 0, count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX, middle);
	o->visits[worker] += g.visits;
	return g.status;
}

typedef struct {
	knng_outside *o;
	const knng_task *task;
} searching;

static knng_status
search_job(void *context, int worker, int64_t job, knng_err *err)
{
	const searching *s = context;
	knng_outside *o = s->o;
	knng_part part = knng_part_of(job, GROUPS * o->b->leaf, o->asked_count);
	knng_status status = KNNG_OK;
	for (int64_t first = part.first; first < part.end && status == KNNG_OK; first += o->b->leaf) {
		int64_t count = part.end - first < o->b->leaf ? part.end - first : o->b->leaf;
		status = search(o, s->task, worker, o->asked + first, count, err);
	}
	return status;
}

/* The part of all leaves that some rows visit, one by one. */
static knng_status
sample(knng_outside *o, const knng_task *task, int64_t begin, double *visited, knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t before = o->visits[0];
	for (int64_t s = 0; s < SAMPLE && status == KNNG_OK; s++) {
		int64_t at = (2 * s + begin) * o->asked_count / (2 * SAMPLE);
		status = search(o, task, 0, o->asked + at, 1, err);
	}
	*visited = (double)(o->visits[0] - before) / SAMPLE / (double)o->b->leaves;
	return status;
}

knng_status
knng_outside_search(knng_outside *o, knng_task *task, bool sure, bool *gains, knng_err *err)
{
	double work = (double)o->asked_count * (double)o->n * (double)o->b->d, visited = 0;
	knng_status status = KNNG_OK;
	*gains = true;
	if (!sure && work > LITTLE) {
		knng_plan plan = {.metric = o->metric, .x = {.d = o->b->d}, .y = {.data = o->u}};
		status = sample(o, task, 0, &visited, err);
		if (status == KNNG_OK)
			status = sample(o, task, 1, &visited, err);
		*gains = visited <= knng_boxes_worth(&plan, 0);
	}
	if (status != KNNG_OK || !*gains)
		return status;
	searching s = {o, task};
	return knng_task_run(task, o->threads, knng_parts(GROUPS * o->b->leaf, o->asked_count), search_job, &s, err);
}
