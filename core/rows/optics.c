/* optics.c  Prim's way through all pairs: of the rows that are left the one that is reached from nearest is taken, and
 * the others may then be reached from it. Rows lie in the leaves of a tree of boxes. Each node knows the nearest and
 * the farthest reach of its rows that are left: what a row cannot improve it need not be compared with. */
#include "rows/optics.h"

#include "base/sys.h"
#include "search/cpu/boxes.h"
#include "search/describe.h"
#include "search/points.h"
#include "search/source.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

enum {
	SCRATCH = 4,                /* rows that prepare takes */
	WORTH = 1 << 18,            /* elements that make a thread worth waking */
	ELEMENTS_BETWEEN = 1 << 22, /* that are compared between two looks for Ctrl-C */
	TESTS = 1 << 12,            /* of boxes, after which is asked what they save */
	REST = 256,                 /* steps without them where that is too little */
	PRICE = 12,                 /* rows that a test of a box costs as much as */
	LEAVES_A_JOB = 16,
};

/* What the tests must find: a limit that leaves out what is a little nearer, a node that is not told what its rows have
 * become, and ties that go to any row. */
#ifdef KNNG_PLANT_LIMIT
#define LIMIT_OF(map, distance) (knng_boxes_limit(map, distance) * 0.99)
#else
#define LIMIT_OF(map, distance) knng_boxes_limit(map, distance)
#endif
#ifdef KNNG_PLANT_FAR
#define FARTHER(a, b) ((void)(b), a)
#else
#define FARTHER(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifdef KNNG_PLANT_TIE
#define ROW_OF(o, place) (place)
#else
#define ROW_OF(o, place) ((o)->row[place])
#endif

/* Places are those of the tree's leaves; in each leaf the rows that are left come first. */
typedef struct {
	knng_task *task;
	const knng_matrix *X;
	const knng_optics_how *how;
	const knng_metric *metric;
	const knng_kernels *kernels;
	int threads;
	int64_t all, n, d, ld; /* rows of X; of these with distances; columns; of a prepared row */
	double *u, *scratch; /* [all * ld] prepared rows, by place where they are long, else NULL; [threads * 4 * ld] */
	uint8_t *state;      /* [all] KNNG_ROW_… */
	knng_boxes *b;
	int32_t *row;         /* [n] of a place */
	double *core, *reach; /* [n] */
	int32_t *from;        /* [n] a row, or -1 */
	int32_t *left, *many; /* [leaves] rows that are left; columns of the leaf's copy */
	int32_t *node;        /* [leaves] */
	int32_t *up;          /* [nodes] the parent, -1: the root */
	int32_t *rows;        /* [nodes] that are left */
	double *near, *far;   /* [nodes] the nearest and the farthest reach of these; -1 without any */
	int32_t *best;        /* [nodes] the place of the nearest, of equal ones that of the smallest row; -1 */

	/* Of the row that was taken. */
	int32_t taken;
	double from_core;
	double *q, *q8; /* [ld] prepared; [8 * d] eight times, in columns */
	int32_t *path;  /* [nodes] that it may improve, parents first */
	int32_t *leaf;  /* [leaves] of them */
	int64_t nodes, leaves;
	int64_t tests, saved, rest; /* of boxes, rows that they saved; steps without */
} ordering;

double
knng_optics_bytes(int64_t n, int64_t d, int64_t leaf, int threads)
{
	double ld = (double)knng_columns(d), leaves = ceil((double)n / 8) + 1; /* of the smallest size */
	return 8 * ld * ((double)n + SCRATCH * threads + 10) + knng_boxes_tree_bytes(n, d, leaf) + 29.0 * (double)n +
	       leaves * (16 + 2 * 32) + 4096;
}

static void
close_all(ordering *o)
{
	knng_boxes_free(o->b);
	void *all[] = {o->u,  o->scratch, o->state, o->row, o->core, o->reach, o->from, o->left, o->many, o->node,
		       o->up, o->rows,    o->near,  o->far, o->best, o->q,     o->q8,   o->path, o->leaf};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
}

/* ---------------------------------------------------------------- rows and their tree */

static knng_status
load(void *context, int worker, int64_t job, knng_err *err)
{
	ordering *o = context;
	knng_part part = knng_part_of(job, knng_prepare_rows(o->d), o->all);
	uint64_t hash;
	(void)err;
	knng_source_rows(o->X, part.first, part.end - part.first, o->u + part.first * o->ld, o->ld);
	for (int64_t r = part.first; r < part.end; r++)
		o->state[r] = (uint8_t)o->kernels->prepare(o->metric, o->u + r * o->ld, o->d, o->ld,
							   o->scratch + worker * SCRATCH * o->ld, &hash);
	return KNNG_OK;
}

knng_status
knng_optics_afford(const knng_task *task, int64_t n, int64_t d, const knng_optics_how *how, knng_err *err)
{
	double bytes = knng_optics_bytes(n, d, how->leaf, knng_task_threads(task)), most = how->max_memory;
	if (most > 0 && bytes > most)
		return knng_fail(err, KNNG_EARGS, "knng:args:maxMemory",
				 "'MaxMemory' is %.0f bytes: the order of these rows needs %.0f beside X and the "
				 "results: give 'MaxMemory' that much",
				 most, ceil(bytes));
	return knng_afford(bytes, "the order of the rows", err);
}

static knng_status
claim(ordering *o, knng_err *err)
{
	int64_t n = o->n, leaves = o->b->leaves, nodes = o->b->nodes;
	o->row = knng_alloc(n, sizeof *o->row);
	o->core = knng_alloc(n, sizeof *o->core);
	o->reach = knng_alloc(n, sizeof *o->reach);
	o->from = knng_alloc(n, sizeof *o->from);
	o->left = knng_alloc(leaves, sizeof *o->left);
	o->many = knng_alloc(leaves, sizeof *o->many);
	o->node = knng_alloc(leaves, sizeof *o->node);
	o->up = knng_alloc(nodes, sizeof *o->up);
	o->rows = knng_alloc(nodes, sizeof *o->rows);
	o->near = knng_alloc(nodes, sizeof *o->near);
	o->far = knng_alloc(nodes, sizeof *o->far);
	o->best = knng_alloc(nodes, sizeof *o->best);
	o->q = knng_calloc(o->ld, sizeof *o->q);
	o->q8 = knng_alloc(8 * o->d, sizeof *o->q8);
	o->path = knng_alloc(nodes, sizeof *o->path);
	o->leaf = knng_alloc(leaves, sizeof *o->leaf);
	if (o->row == NULL || o->core == NULL || o->reach == NULL || o->from == NULL || o->left == NULL ||
	    o->many == NULL || o->node == NULL || o->up == NULL || o->rows == NULL || o->near == NULL ||
	    o->far == NULL || o->best == NULL || o->q == NULL || o->q8 == NULL || o->path == NULL || o->leaf == NULL)
		return knng_fail_memory(err, "the order of the rows",
					knng_optics_bytes(o->all, o->d, o->how->leaf, o->threads));
	return KNNG_OK;
}

/* Puts prepared row order[place] to each place, along the circles that this makes; q is one row of room. */
static void
put_in_places(ordering *o)
{
	const int32_t *order = o->b->order;
	size_t bytes = (size_t)o->ld * sizeof *o->u;
	for (int64_t place = 0; place < o->n; place++) {
		int64_t at = place, next;
		if (o->row[place] >= 0) /* for now: has been put */
			continue;
		memcpy(o->q, o->u + place * o->ld, bytes);
		for (; (next = order[at]) != place; at = next) {
			memcpy(o->u + at * o->ld, o->u + next * o->ld, bytes);
			o->row[at] = 0;
		}
		memcpy(o->u + at * o->ld, o->q, bytes);
		o->row[at] = 0;
	}
}

/* Whether the row at place a comes before that at b. */
static bool
before(const ordering *o, int32_t a, int32_t b)
{
	return o->reach[a] < o->reach[b] || (o->reach[a] == o->reach[b] && ROW_OF(o, a) < ROW_OF(o, b));
}

static void
sum_up_leaf(ordering *o, int64_t leaf)
{
	int32_t first = (int32_t)(leaf * o->b->leaf), end = first + o->left[leaf], best = end > first ? first : -1;
	double far = -1;
	for (int32_t place = first; place < end; place++) {
		far = FARTHER(o->reach[place], far);
		best = before(o, place, best) ? place : best;
	}
	int32_t node = o->node[leaf];
	o->rows[node] = o->left[leaf];
	o->near[node] = best < 0 ? -1 : o->reach[best];
	o->far[node] = far;
	o->best[node] = best;
}

static void
sum_up(ordering *o, int64_t node)
{
	int64_t a = node + 1, b = o->b->right[node];
	int32_t x = o->best[a], y = o->best[b];
	o->rows[node] = o->rows[a] + o->rows[b];
	o->far[node] = FARTHER(o->far[a], o->far[b]);
	o->best[node] = x < 0 ? y : y < 0 || before(o, x, y) ? x : y;
	o->near[node] = o->best[node] < 0 ? -1 : o->reach[o->best[node]];
}

static void
begin(ordering *o, const int32_t *of)
{
	knng_boxes *b = o->b;
	memset(o->row, 255, (size_t)o->n * sizeof *o->row);
	if (b->rows == NULL)
		put_in_places(o);
	else { /* what is compared is the copy in the leaves */
		knng_free(o->u);
		o->u = NULL;
	}
	for (int64_t place = 0; place < o->n; place++) {
		o->row[place] = of != NULL ? of[b->order[place]] : b->order[place];
		o->core[place] = o->how->core[o->row[place]];
		if (o->core[place] > o->how->most)
			o->core[place] = INFINITY;
		o->reach[place] = INFINITY;
		o->from[place] = -1;
	}
	o->up[0] = -1;
	for (int64_t node = 0; node < b->nodes; node++)
		if (b->right[node] > 0)
			o->up[node + 1] = o->up[b->right[node]] = (int32_t)node;
		else
			o->node[b->first[node] / b->leaf] = (int32_t)node;
	for (int64_t leaf = 0; leaf < b->leaves; leaf++) {
		o->left[leaf] = (int32_t)knng_boxes_rows(b, leaf);
		o->many[leaf] = (int32_t)b->leaf;
	}
	for (int64_t node = b->nodes - 1; node >= 0; node--) /* children come after their node */
		if (b->right[node] > 0)
			sum_up(o, node);
		else
			sum_up_leaf(o, b->first[node] / b->leaf);
}

/* The prepared rows that have distances, and their tree. `of` [n] leads back to what they are in X, where not all have
 * any. */
static knng_status
open_tree(ordering *o, knng_optics_found *found, knng_err *err)
{
	int64_t all = o->all, ld = o->ld;
	int32_t *of = NULL;
	o->u = knng_alloc(all * ld, sizeof *o->u);
	o->scratch = knng_alloc((int64_t)o->threads * SCRATCH * ld, sizeof *o->scratch);
	o->state = knng_alloc(all, sizeof *o->state);
	if (o->u == NULL || o->scratch == NULL || o->state == NULL)
		return knng_fail_memory(err, "the prepared rows", 8.0 * (double)all * (double)ld);
	knng_status status = knng_task_run(o->task, o->threads, knng_parts(knng_prepare_rows(o->d), all), load, o, err);
	if (status != KNNG_OK)
		return status;
	for (int64_t i = 0; i < all; i++) {
		o->n += o->state[i] == KNNG_ROW_FINE;
		found->constant += o->state[i] == KNNG_ROW_CONSTANT;
	}
	found->left_out = all - o->n;
	if (o->n == 0)
		return KNNG_OK;
	if (o->n < all) {
		int64_t n = 0;
		if ((of = knng_alloc(o->n, sizeof *of)) == NULL)
			return knng_fail_memory(err, "the rows with distances", 4.0 * (double)o->n);
		for (int64_t i = 0; i < all; i++)
			if (o->state[i] == KNNG_ROW_FINE) {
				memmove(o->u + n * ld, o->u + i * ld, (size_t)ld * sizeof *o->u);
				of[n++] = (int32_t)i;
			}
	}
	status = knng_boxes_make(&o->b, o->u, o->n, o->d, ld, o->how->leaf, o->threads, o->task, err);
	if (status == KNNG_OK && (status = claim(o, err)) == KNNG_OK)
		begin(o, of);
	knng_free(of);
	return status;
}

/* ---------------------------------------------------------------- one row */

/* Row c of a leaf has no place any more: the last one that is left there gets it. */
static void
take_away(ordering *o, int64_t leaf, int64_t c)
{
	knng_boxes *b = o->b;
	int64_t first = leaf * b->leaf, last = --o->left[leaf], many = o->many[leaf], fewer = (last + 7) / 8 * 8;
	double *rows = b->rows != NULL ? b->rows + first * o->d : NULL;
	if (c != last) {
		o->row[first + c] = o->row[first + last];
		o->core[first + c] = o->core[first + last];
		o->reach[first + c] = o->reach[first + last];
		o->from[first + c] = o->from[first + last];
		if (rows == NULL)
			memcpy(o->u + (first + c) * o->ld, o->u + (first + last) * o->ld, (size_t)o->ld * sizeof *o->u);
		for (int64_t l = 0; rows != NULL && l < o->d; l++)
			rows[l * many + c] = rows[l * many + last];
	}
	if (rows != NULL && fewer > 0 && fewer < many) {
		for (int64_t l = 1; l < o->d; l++)
			memmove(rows + l * fewer, rows + l * many, (size_t)fewer * sizeof *rows);
		o->many[leaf] = (int32_t)fewer;
	}
}

/* Takes the first of all rows. */
static void
take(ordering *o, int64_t step, knng_optics_found *found)
{
	knng_boxes *b = o->b;
	int32_t place = o->best[0], row = o->row[place];
	int64_t leaf = place / b->leaf, c = place % b->leaf;
	found->order[step] = row;
	found->reach[row] = o->reach[place];
	found->from[row] = o->from[place];
	o->taken = row;
	o->from_core = o->core[place];
	for (int64_t l = 0; l < o->d; l++) {
		o->q[l] = b->rows != NULL ? b->rows[leaf * b->leaf * o->d + l * o->many[leaf] + c]
					  : o->u[place * o->ld + l];
		for (int64_t e = 0; e < 8; e++)
			o->q8[l * 8 + e] = o->q[l];
	}
	take_away(o, leaf, c);
	sum_up_leaf(o, leaf);
	for (int32_t node = o->up[o->node[leaf]]; node >= 0; node = o->up[node])
		sum_up(o, node);
}

/* What is farther from the row that was taken improves nothing of a node. */
static double
limit_of(const ordering *o, int64_t node)
{
	return LIMIT_OF(o->metric->map, o->far[node] < o->how->most ? o->far[node] : o->how->most);
}

/* The nodes that the row may improve. */
static void
walk(ordering *o, int64_t node)
{
	const knng_boxes *b = o->b;
	if (!(o->far[node] > o->from_core))
		return;
	if (o->rest == 0) {
		const double *low = b->box + node * 2 * b->d;
		_Alignas(64) double limit[8] = {0};
		limit[0] = limit_of(o, node);
		o->tests++;
		if (!o->kernels->near_box(o->metric->sum, o->q8, 8, low, low + b->d, b->d, 1, limit)) {
			o->saved += o->rows[node];
			return;
		}
	}
	o->path[o->nodes++] = (int32_t)node;
	if (b->right[node] == 0)
		o->leaf[o->leaves++] = (int32_t)(b->first[node] / b->leaf);
	else {
		walk(o, node + 1);
		walk(o, b->right[node]);
	}
}

static void
meet(ordering *o, int64_t leaf)
{
	static const int32_t first_rows[KNNG_BOXES_MOST] = {
		0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
		22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
		44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
	_Alignas(64) double sums[KNNG_BOXES_MOST];
	knng_boxes *b = o->b;
	int64_t first = leaf * b->leaf, count = o->left[leaf];
	double limit = limit_of(o, o->node[leaf]);
	bool better = false;
	if (b->rows != NULL)
		o->kernels->sums_of_columns(o->metric->sum, o->q, 1, b->rows + first * o->d, o->many[leaf], o->d, limit,
					    sums);
	else
		o->kernels->sums(o->metric->sum, o->q, o->u + first * o->ld, o->ld, first_rows, count, sums);
	for (int64_t c = 0; c < count; c++) {
		if (sums[c] > limit)
			continue;
		double distance = knng_map_sum(o->metric, sums[c]);
		double reach = distance > o->from_core ? distance : o->from_core;
		if (distance <= o->how->most && reach < o->reach[first + c]) {
			o->reach[first + c] = reach;
			o->from[first + c] = o->taken;
			better = true;
		}
	}
	if (better)
		sum_up_leaf(o, leaf);
}

static knng_status
meet_job(void *context, int worker, int64_t job, knng_err *err)
{
	ordering *o = context;
	knng_part part = knng_part_of(job, LEAVES_A_JOB, o->leaves);
	(void)worker, (void)err;
	for (int64_t i = part.first; i < part.end; i++)
		meet(o, o->leaf[i]);
	return KNNG_OK;
}

/* Reaches the others from the row that was taken. */
static knng_status
reach_others(ordering *o, knng_err *err)
{
	double elements = 0;
	walk(o, 0);
	for (int64_t i = 0; i < o->leaves; i++)
		elements += (double)o->left[o->leaf[i]] * (double)o->d;
	int threads = elements < WORTH ? 1 : knng_task_threads_for(o->task, elements, WORTH);
	if (threads > 1) {
		knng_task task = {.threads = o->task->threads, .interrupt = o->task->interrupt};
		knng_status status =
			knng_task_run(&task, threads, knng_parts(LEAVES_A_JOB, o->leaves), meet_job, o, err);
		if (status != KNNG_OK)
			return status;
	} else
		for (int64_t i = 0; i < o->leaves; i++)
			meet(o, o->leaf[i]);
	for (int64_t i = o->nodes - 1; i >= 0; i--)
		if (o->b->right[o->path[i]] > 0)
			sum_up(o, o->path[i]);
	if (o->rest > 0)
		o->rest--;
	else if (o->tests >= TESTS) { /* whether it is better to go without for a while */
		o->rest = o->saved < PRICE * o->tests ? REST : 0;
		o->tests = o->saved = 0;
	}
	return KNNG_OK;
}

static knng_status
order_all(ordering *o, knng_optics_found *found, knng_err *err)
{
	knng_status status = KNNG_OK;
	double heard = ELEMENTS_BETWEEN;
	for (int64_t step = 0; step < o->n && status == KNNG_OK; step++) {
		if (heard >= ELEMENTS_BETWEEN) {
			double open = (double)(o->n - step) / (double)o->n; /* rows meet those that are left */
			heard = 0;
			if ((status = knng_task_step(o->task, 1 - open * open, err)) != KNNG_OK)
				break;
		}
		take(o, step, found);
		o->nodes = o->leaves = 0;
		if (o->from_core < INFINITY)
			status = reach_others(o, err);
		found->met += o->leaves;
		heard += (double)((o->leaves * o->b->leaf + 8 * o->nodes) * o->d + 1000);
	}
	return status;
}

knng_status
knng_optics(knng_task *task, const knng_matrix *X, const knng_optics_how *how, knng_optics_found *found, knng_err *err)
{
	ordering o = {.task = task,
		      .X = X,
		      .how = how,
		      .metric = how->metric,
		      .kernels = knng_kernels_find(how->target),
		      .threads = knng_task_threads(task),
		      .all = X->n,
		      .d = X->d,
		      .ld = knng_columns(X->d)};
	fenv_t environment;
	found->left_out = found->constant = found->met = 0;
	if (o.kernels == NULL)
		return knng_refuse_target(how->target, err);
	knng_status status = knng_optics_afford(task, X->n, X->d, how, err);
	fegetenv(&environment); /* what the jobs of a task have, too (task.h) */
	fesetenv(FE_DFL_ENV);
	task->stage = "rows";
	if (status == KNNG_OK && (status = open_tree(&o, found, err)) == KNNG_OK) {
		task->stage = "order";
		status = order_all(&o, found, err);
	}
	fesetenv(&environment);
	for (int64_t i = 0, at = o.n; i < o.all && status == KNNG_OK; i++) {
		if (o.state[i] == KNNG_ROW_FINE)
			continue;
		found->order[at++] = (int32_t)i;
		found->reach[i] = INFINITY;
		found->from[i] = -1;
	}
	close_all(&o);
	return status;
}
