/* boxes.c  Rows in leaves of a tree, each leaf in a box; searches that leave out the boxes which are too far.
 *
 * Every node is cut in half where its rows are spread most, so that a leaf holds neighbours. A group of queries that
 * are neighbours too goes through the tree together: first to the leaf in their midst, then up from there, the nearer
 * half first; each query follows only while the box is no farther from it than its k-th best so far. Of the rows of a
 * leaf single-precision copies are compared, in double precision those that these leave; in few columns, or within a
 * radius, the canonical distance itself is computed of each. Either way there is nothing to certify. */
#include "search/cpu/boxes.h"
#include "base/sys.h"
#include "search/prepared.h"
#include "search/range.h"

#include <stdio.h>
#include <string.h>

enum {
	MOST = KNNG_BOXES_MOST,
	PIECES = 256, /* of a tree that are made beside each other, at most */
	DEEP = 64,    /* nodes above it, far more than 2^31 rows have */
	SPREAD = 64,  /* rows by which a node is cut */
	SAMPLE = 32,  /* queries that say whether a search gains */
	SHORT = 64,   /* k up to which answers are kept in order; beyond it they are a heap */
	ROWS_AT_LEAST = 1000,
	LEAF_ELEMENTS = 1 << 15,
	LONG = 64,                /* columns beyond which the rows of a leaf lie one after another */
	ELEMENTS_A_JOB = 1 << 20, /* and between two looks for Ctrl-C */
	COPIED = 8,               /* columns from which on there are copies, */
	COPIED_MOST = 1 << 17,    /* up to so many, */
	COPIED_K = 1024,          /* where no more neighbours are sought */
	WAITING = 16,             /* beyond k, that are kept before their limit is looked at, */
	TOO_MANY = 32,            /* and that may be left then */
};
static const double LITTLE = 0x1p-5; /* of a sum: less than that is not looked at */
static const double APART = 0x1p-12; /* of the size of a box: one within it that is no larger has a centre of its own */

/* What the tests must find: a box without the last row of its leaf, the limit of another query, a limit that leaves out
 * what is just as far, and one without room for roundings. */
#ifdef KNNG_PLANT_BOX
#define LEFT_OUT 1
#else
#define LEFT_OUT 0
#endif
#ifdef KNNG_PLANT_NEAR
#define LIMIT_OF(e) (g->have[(e) ^ 1] == g->k || g->held[(e) ^ 1] >= g->k ? (e) ^ 1 : (e))
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

/* And copies that lose nothing; rows that are all at their centre; copies around the centre before; sums of copies that
 * are not rounded. */
#ifdef KNNG_PLANT_COPY
#define ERROR(e) (0 * (e))
#else
#define ERROR(e) (e)
#endif
#ifdef KNNG_PLANT_LENGTH
#define LENGTH(norm) (0 * (norm))
#else
#define LENGTH(norm) (norm)
#endif
#ifdef KNNG_PLANT_CENTRE
#define KEPT(queries) (queries)
#else
#define KEPT(queries) (0 * (queries))
#endif
#ifdef KNNG_PLANT_SUM
#define LOST(gamma) (0 * (gamma))
#else
#define LOST(gamma) (gamma)
#endif

/* ---------------------------------------------------------------- memory */

/* Rows of a leaf, as many as are asked for, or else as are best: a multiple of eight; of long rows no more than a cache
 * holds. */
static int64_t
leaf_of(int64_t asked, int64_t d)
{
	int64_t held = LEAF_ELEMENTS / d / 8 * 8;
	asked = asked / 8 * 8;
	if (asked > 0)
		return asked < MOST ? asked : (int64_t)MOST;
	return d < 8 ? MOST / 2 : held >= MOST ? (int64_t)MOST : held < 8 ? 8 : held;
}

/* Whether a search goes by copies. All meetings of a block do, or none, whatever their rows leave of k. */
static bool
copied(const knng_plan *plan)
{
	int64_t k = knng_prepared_meets(plan->opt.prepared, plan->opt.split) ? plan->opt.k : plan->k;
	return plan->x.d >= COPIED && plan->x.d <= COPIED_MOST && plan->k > 0 && k <= COPIED_K &&
	       plan->opt.range == NULL;
}

static int64_t
stride_of(int64_t leaf)
{
	return (leaf + 15) / 16 * 16;
}

static int64_t
kept_of(int64_t k)
{
	return (k + TOO_MANY + MOST + 15) / 16 * 16;
}

/* Of a tree, or of a part of one: every cut leaves a whole number of leaves to its left. */
static int64_t
nodes_of(int64_t leaves)
{
	return 2 * leaves - 1;
}

/* Of the rows in leaves, each with room for a pair while the tree is made. */
static int64_t
elements_of(int64_t d)
{
	return d > 2 && d <= LONG ? d : 2;
}

/* Of all rows as copies, or else in double precision. */
static double
rows_bytes(int64_t leaf, double leaves, int64_t d, bool copies)
{
	return copies ? leaves * (((double)stride_of(leaf) * 4 + 16) * (double)d + 32)
		      : leaves * (double)leaf * (double)elements_of(d) * 8;
}

static double
tree_bytes(int64_t n, int64_t d, int64_t asked, bool copies)
{
	double leaf = (double)leaf_of(asked, d), leaves = ceil((double)n / leaf);
	return (double)n * 4 + rows_bytes((int64_t)leaf, leaves, d, copies) + 2 * leaves * (16 * (double)d + 12);
}

double
knng_boxes_tree_bytes(int64_t n, int64_t d, int64_t asked)
{
	return tree_bytes(n, d, asked, false);
}

double
knng_boxes_bytes(const knng_plan *plan, int threads)
{
	int64_t n = plan->x.n, d = plan->x.d, split = plan->opt.split;
	double leaves = ceil((double)n / (double)leaf_of(plan->opt.tile, d));
	double queries = plan->y.data == NULL ? 0 : (double)plan->m * 8 + leaves * 4;
	bool copies = copied(plan);
	double tree = tree_bytes(n - split, d, plan->opt.tile, copies);
	double group = MOST * ((double)d * (copies ? 16 : 8) + (copies ? 8 * (double)kept_of(plan->k) : 0));
	double one = (double)threads * group + 4096, other = split > 0 ? one : 0;
	other += split > 0 ? tree_bytes(split, d, plan->opt.tile, copies) : 0;
	return (knng_prepared_all(plan->opt.prepared) ? 0 : tree) + queries + one + other;
}

/* Where two sides meet each has a tree, in which the other's points seek; otherwise there is one. */
static int
trees_of(const knng_search *w)
{
	return w->plan->opt.split > 0 ? 2 : 1;
}

/* The points that a tree is of. */
static knng_block
points_of(const knng_search *w, int tree)
{
	return trees_of(w) == 1 ? (knng_block){0, w->x.count}
	       : tree == 0      ? (knng_block){0, w->split}
				: (knng_block){w->split, w->x.count - w->split};
}

/* The tree that a query seeks in. */
static int
tree_for(const knng_search *w, int64_t query)
{
	return trees_of(w) == 2 && query < w->split;
}

/* How many of the queries seek in a tree. */
static int64_t
queries_of(const knng_search *w, int tree)
{
	return trees_of(w) == 1 ? w->query->count : points_of(w, 1 - tree).count;
}

/* What a search needs beside the tree. */
static bool
open_search(const knng_search *w, knng_boxes *b)
{
	b->sorted = w->query == &w->x ? b->order : knng_alloc(w->query->count, sizeof *b->sorted);
	b->queries = knng_alloc(w->plan->threads * MOST * b->d, sizeof *b->queries);
	b->room = kept_of(w->k);
	if (b->stride > 0 && copied(w->plan)) {
		b->copied = knng_alloc(w->plan->threads * 2 * MOST * b->d, sizeof *b->copied);
		b->kept = knng_alloc(w->plan->threads * MOST * b->room, sizeof *b->kept);
		b->sums = knng_alloc(w->plan->threads * MOST * b->room, sizeof *b->sums);
		if (b->copied == NULL || b->kept == NULL || b->sums == NULL)
			return false;
	}
	return b->sorted != NULL && b->queries != NULL;
}

void
knng_boxes_rest(knng_boxes *b)
{
	if (b == NULL)
		return;
	if (b->sorted != b->order)
		knng_free(b->sorted);
	knng_free(b->queries);
	knng_free(b->copied);
	knng_free(b->kept);
	knng_free(b->sums);
	b->sorted = NULL;
	b->queries = NULL;
	b->copied = NULL;
	b->kept = NULL;
	b->sums = NULL;
}

/* A tree with room for n rows, or copies of them; NULL where there is no memory. */
static knng_boxes *
open_tree(int64_t n, int64_t d, int64_t asked, bool copies)
{
	knng_boxes *b = knng_calloc(1, sizeof *b);
	if (b == NULL)
		return NULL;
	b->n = n;
	b->d = d;
	b->leaf = leaf_of(asked, d);
	b->leaves = (b->n + b->leaf - 1) / b->leaf;
	b->order = knng_alloc(b->n, sizeof *b->order);
	b->stride = copies ? stride_of(b->leaf) : 0;
	b->rows = copies ? knng_alloc(b->leaves * b->stride * b->d, sizeof *b->copies)
			 : knng_alloc(b->leaves * b->leaf * elements_of(b->d), sizeof *b->rows);
	b->around = copies ? knng_alloc(nodes_of(b->leaves), sizeof *b->around) : NULL;
	b->exponent = copies ? knng_alloc(nodes_of(b->leaves), sizeof *b->exponent) : NULL;
	b->length = copies ? knng_alloc(nodes_of(b->leaves), sizeof *b->length) : NULL;
	b->sides = copies ? knng_alloc(nodes_of(b->leaves) * 2 * b->d, sizeof *b->sides) : NULL;
	b->box = knng_alloc(nodes_of(b->leaves) * 2 * b->d, sizeof *b->box);
	b->right = knng_alloc(nodes_of(b->leaves), sizeof *b->right);
	b->first = knng_alloc(nodes_of(b->leaves), sizeof *b->first);
	b->axis = knng_alloc(nodes_of(b->leaves), sizeof *b->axis);
	if (b->order == NULL || b->rows == NULL || b->box == NULL || b->right == NULL || b->first == NULL ||
	    b->axis == NULL ||
	    (copies && (b->around == NULL || b->exponent == NULL || b->length == NULL || b->sides == NULL))) {
		knng_boxes_free(b);
		return NULL;
	}
	return b;
}

static knng_boxes *
open_boxes(const knng_search *w, int tree)
{
	knng_boxes *b = open_tree(points_of(w, tree).count, w->plan->x.d, w->plan->opt.tile, copied(w->plan));
	if (b != NULL && !open_search(w, b)) {
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
	knng_boxes_rest(b);
	void *all[] = {b->order,  b->rows,   b->box,      b->right,  b->first, b->axis,
		       b->copies, b->around, b->exponent, b->length, b->sides};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
	knng_free(b);
}

/* ---------------------------------------------------------------- the tree */

typedef struct {
	knng_task *task;
	int threads;
	knng_boxes *b;
	const double *u;
	int64_t ld;
	knng_sum sum;  /* that copies are for */
	int64_t first; /* point of the tree */
} building;

/* The element in which some of the points are spread most. */
static int32_t
widest(const building *t, const int32_t *points, int64_t count)
{
	int64_t rows = t->b->d > 256 ? SPREAD / 4 : SPREAD, step = (count + rows - 1) / rows;
	int64_t some = (count + step - 1) / step;
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

/* Puts the `many` that come first by (distance, index) in front. Pivots by chance, since those from a fixed place are
 * the worst of all for some data that are in order. */
static knng_status
part(const knng_task *task, knng_pair *a, int64_t n, int64_t many, knng_err *err)
{
	uint64_t chance = (uint64_t)n;
	for (int64_t low = 0, high = n - 1; low < high;) {
		knng_status status = knng_task_poll(task, err);
		if (status != KNNG_OK)
			return status;
		chance = chance * 6364136223846793005u + 1442695040888963407u;
		knng_pair pivot = a[low + (int64_t)((chance >> 33) % (uint64_t)(high - low))];
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
	return KNNG_OK;
}

/* A node, and the places of its points. */
typedef struct {
	int64_t node, first, count;
} piece;

/* Cuts a node in two; they have no points if it is a leaf. `rows` is room until it is filled. */
static knng_status
cut_once(const building *t, piece it, piece halves[2], knng_err *err)
{
	knng_boxes *b = t->b;
	int64_t half = it.count / b->leaf / 2 * b->leaf;
	int32_t *points = b->order + it.first;
	knng_pair *pairs = (knng_pair *)b->rows + it.first;
	halves[0].count = halves[1].count = 0;
	b->first[it.node] = (int32_t)it.first;
	b->right[it.node] = 0;
	if (it.count <= b->leaf)
		return KNNG_OK;
	half = half > 0 ? half : b->leaf;
	knng_status status = knng_task_poll(t->task, err);
	if (status != KNNG_OK)
		return status;
	int32_t axis = b->axis[it.node] = widest(t, points, it.count);
	for (int64_t i = 0; i < it.count; i++)
		pairs[i] = (knng_pair){t->u[points[i] * t->ld + axis], points[i]};
	if ((status = part(t->task, pairs, it.count, half, err)) != KNNG_OK)
		return status;
	for (int64_t i = 0; i < it.count; i++)
		points[i] = pairs[i].index;
	halves[0] = (piece){it.node + 1, it.first, half};
	halves[1] = (piece){it.node + 1 + nodes_of(half / b->leaf), it.first + half, it.count - half};
	b->right[it.node] = (int32_t)halves[1].node;
	return KNNG_OK;
}

/* Cuts a node, and what comes of it, until leaves are left. */
static knng_status
cut(const building *t, piece it, knng_err *err)
{
	piece halves[2];
	knng_status status = cut_once(t, it, halves, err);
	for (int i = 0; i < 2 && status == KNNG_OK && halves[i].count > 0; i++)
		status = cut(t, halves[i], err);
	return status;
}

/* Some nodes that are cut beside each other: once, into twice as many, or until leaves are left. */
typedef struct {
	const building *t;
	piece nodes[2 * PIECES], halves[2 * PIECES];
	bool once;
} cutting;

static knng_status
cut_job(void *context, int worker, int64_t job, knng_err *err)
{
	cutting *c = context;
	(void)worker;
	return c->once ? cut_once(c->t, c->nodes[job], c->halves + 2 * job, err) : cut(c->t, c->nodes[job], err);
}

/* The whole tree, which is the same whatever the threads. */
static knng_status
cut_all(const building *t, knng_err *err)
{
	int threads = t->threads;
	cutting c = {.t = t, .nodes = {{0, 0, t->b->n}}, .once = true};
	int64_t many = 1;
	knng_status status = KNNG_OK;
	while (threads > 1 && many > 0 && many < 4 * threads && many < PIECES && status == KNNG_OK) {
		int64_t before = many;
		status = knng_task_run(t->task, threads, many, cut_job, &c, err);
		many = 0;
		for (int64_t i = 0; i < 2 * before; i++)
			if (c.halves[i].count > 0)
				c.nodes[many++] = c.halves[i];
	}
	c.once = false;
	return status == KNNG_OK ? knng_task_run(t->task, threads, many, cut_job, &c, err) : status;
}

/* The rows of a leaf, in columns; beyond the last point there is it again. And its box. */
static void
fill(const building *t, int64_t node)
{
	const knng_boxes *b = t->b;
	int64_t leaf = b->first[node] / b->leaf, some = knng_boxes_rows(b, leaf);
	double *to = b->rows + leaf * b->leaf * b->d, *low = b->box + node * 2 * b->d, *high = low + b->d;
	for (int64_t c = 0; c < b->leaf; c++) {
		const double *from = t->u + b->order[leaf * b->leaf + (c < some ? c : some - 1)] * t->ld;
		bool boxed = c < some - LEFT_OUT;
		for (int64_t l = 0; l < b->d && b->d <= LONG && b->stride == 0; l++)
			to[l * b->leaf + c] = from[l];
		for (int64_t l = 0; l < b->d; l++) {
			low[l] = c == 0 || (boxed && from[l] < low[l]) ? from[l] : low[l];
			high[l] = c == 0 || (boxed && from[l] > high[l]) ? from[l] : high[l];
		}
	}
}

static int64_t
nodes_a_job(const knng_boxes *b)
{
	int64_t nodes = ELEMENTS_A_JOB / (b->leaf * b->d);
	return nodes > 0 ? nodes : 1;
}

static knng_status
fill_job(void *context, int worker, int64_t job, knng_err *err)
{
	(void)worker, (void)err;
	const building *t = context;
	knng_part nodes = knng_part_of(job, nodes_a_job(t->b), t->b->nodes);
	for (int64_t node = nodes.first; node < nodes.end; node++)
		if (t->b->right[node] == 0)
			fill(t, node);
	return KNNG_OK;
}

/* The boxes of nodes above leaves: children come after their node. */
static void
bound(knng_boxes *b)
{
	int64_t d = b->d;
	for (int64_t node = b->nodes - 1; node >= 0; node--) {
		double *low = b->box + node * 2 * d, *high = low + d;
		const double *left = low + 2 * d, *right = b->box + b->right[node] * 2 * d;
		for (int64_t l = 0; l < d && b->right[node] > 0; l++) {
			low[l] = left[l] < right[l] ? left[l] : right[l];
			high[l] = left[d + l] > right[d + l] ? left[d + l] : right[d + l];
		}
	}
}

/* ---- copies */

static bool
of_squares(knng_sum sum)
{
	return sum != KNNG_SUM_L1 && sum != KNNG_SUM_LINF;
}

/* What a centre is multiplied by: 0 where sums are of u + v. */
static double
centred(knng_sum sum)
{
	return sum != KNNG_SUM_PLUS && sum != KNNG_SUM_EITHER;
}

/* Puts the copy of a row around the centre of a node at to[l*stride]. Its norm, of the kind that the sum has, rounded
 * up; INFINITY: it is too far from the centre, and its copy is of zeros. */
static double
copy_row(const knng_boxes *b, int64_t node, knng_sum sum, const double *u, float *to, int64_t stride)
{
	const double *low = b->box + node * 2 * b->d, *high = low + b->d;
	double scale = ldexp(1, -b->exponent[node]), half = centred(sum) / 2, total = 0, largest = 0;
	for (int64_t l = 0; l < b->d; l++) {
		double away = (u[l] - (low[l] * half + high[l] * half)) * scale;
		float y = (float)(of_squares(sum) ? knng_coarse(away) : away);
		double size = fabs((double)y);
		to[l * stride] = y;
		total += of_squares(sum) ? size * size : size;
		largest = size > largest ? size : largest;
	}
	if (largest <= 0x1p20)
		return (sum == KNNG_SUM_LINF ? largest : sum == KNNG_SUM_L1 ? total : sqrt(total)) * (1 + 0x1p-30);
	for (int64_t l = 0; l < b->d; l++)
		to[l * stride] = 0;
	return INFINITY;
}

/* The rows of a leaf. */
static void
copy_leaf(const building *t, int64_t node)
{
	const knng_boxes *b = t->b;
	int64_t leaf = b->first[node] / b->leaf, some = knng_boxes_rows(b, leaf);
	float *copies = b->copies + leaf * b->stride * b->d;
	for (int64_t c = 0; c < b->stride; c++) {
		const double *u = t->u + b->order[leaf * b->leaf + (c < some ? c : some - 1)] * t->ld;
		copy_row(b, b->around[node], t->sum, u, copies + c, b->stride);
	}
}

/* And the boxes of all nodes: copies have the order of what they are made of. */
static knng_status
copy_job(void *context, int worker, int64_t job, knng_err *err)
{
	(void)worker, (void)err;
	const building *t = context;
	const knng_boxes *b = t->b;
	knng_part nodes = knng_part_of(job, nodes_a_job(b), b->nodes);
	for (int64_t node = nodes.first; node < nodes.end; node++) {
		const double *low = b->box + node * 2 * b->d;
		float *side = b->sides + node * 2 * b->d;
		copy_row(b, b->around[node], t->sum, low, side, 1);
		copy_row(b, b->around[node], t->sum, low + b->d, side + b->d, 1);
		if (b->right[node] == 0)
			copy_leaf(t, node);
	}
	return KNNG_OK;
}

/* The size of a box: the norm of half its sides, of the kind that the sum has. And its longest side, halved. */
static double
size_of(const knng_boxes *b, knng_sum sum, int64_t node, double *longest)
{
	const double *low = b->box + node * 2 * b->d, *high = low + b->d;
	double half = centred(sum) / 2, total = 0, most = 0;
	for (int64_t l = 0; l < b->d; l++) {
		double middle = low[l] * half + high[l] * half,
		       away = fmax(fabs(low[l] - middle), fabs(high[l] - middle));
		total += of_squares(sum) ? away * away : away;
		most = fmax(most, away);
	}
	*longest = most;
	return sum == KNNG_SUM_LINF ? most : of_squares(sum) ? sqrt(total) : total;
}

/* The first node has a centre, and so has every node that is so much smaller than the one whose centre its copies would
 * lie around otherwise. Whether all numbers are of a size at which nothing overflows, and nothing that matters
 * underflows. */
static bool
find_centres(const building *t)
{
	knng_boxes *b = t->b;
	double largest = 0;
	for (int64_t l = 0; l < b->d; l++)
		largest = fmax(largest, fmax(fabs(b->box[l]), fabs(b->box[b->d + l])));
	if (!(largest <= 0x1p400))
		return false;
	b->around[0] = 0;
	for (int64_t node = 0; node < b->nodes; node++) { /* children come after their node */
		int32_t around = b->around[node];
		double longest, size = size_of(b, t->sum, node, &longest);
		bool own = longest >= 0x1p-400;
		if (node == 0 && !own)
			return false;
		if (node > 0)
			own = own && centred(t->sum) > 0 &&
			      size <= APART * ldexp(b->length[around], b->exponent[around]);
		if (own) {
			b->around[node] = around = (int32_t)node;
			frexp(longest, &b->exponent[node]);
			b->length[node] = ldexp(size, -b->exponent[node]) * (1 + 0x1p-20);
		}
		if (b->right[node] > 0)
			b->around[node + 1] = b->around[b->right[node]] = around;
	}
	return true;
}

/* Puts copies where there was room for rows. */
static knng_status
make_copies(const building *t, knng_err *err)
{
	knng_boxes *b = t->b;
	if (!find_centres(t))
		return KNNG_OK;
	b->copies = (void *)b->rows;
	b->rows = NULL;
	return knng_task_run(t->task, t->threads, knng_parts(nodes_a_job(b), b->nodes), copy_job, (void *)t, err);
}

static int64_t
leaf_at(const knng_boxes *b, const double *u)
{
	int64_t node = 0;
	while (b->right[node] > 0)
		node = knng_boxes_child(b, node, u);
	return b->first[node] / b->leaf;
}

enum { QUERIES_A_JOB = 4096 };

typedef struct {
	const knng_boxes *b;
	int32_t *leaf; /* [m] that queries lie in */
} finding;

static knng_status
find_job(knng_search *w, int worker, int64_t job, void *context, knng_err *err)
{
	(void)worker, (void)err;
	const finding *f = context;
	const knng_cpu *c = w->state;
	knng_part some = knng_part_of(job, QUERIES_A_JOB, w->query->count);
	for (int64_t i = some.first; i < some.end; i++)
		f->leaf[i] = (int32_t)leaf_at(f->b, c->query->u + i * w->plan->ld);
	return KNNG_OK;
}

/* Queries of another matrix by leaf, those of one in their order. */
static knng_status
sort_queries(knng_search *w, knng_boxes *b, knng_err *err)
{
	int64_t m = w->query->count;
	if (w->query == &w->x)
		return KNNG_OK;
	int32_t *ends = knng_calloc(b->leaves + 1, sizeof *ends), *leaf = knng_alloc(m, sizeof *leaf);
	finding f = {b, leaf};
	knng_status status =
		ends != NULL && leaf != NULL
			? knng_parallel(w, w->plan->threads, knng_parts(QUERIES_A_JOB, m), find_job, &f, err)
			: knng_fail_memory(err, "the queries in order", 4. * (double)(b->leaves + m));
	for (int64_t i = 0; status == KNNG_OK && i < m; i++)
		ends[leaf[i] + 1]++;
	for (int64_t l = 1; status == KNNG_OK && l <= b->leaves; l++)
		ends[l] += ends[l - 1];
	for (int64_t i = 0; status == KNNG_OK && i < m; i++)
		b->sorted[ends[leaf[i]]++] = (int32_t)i;
	knng_free(ends);
	knng_free(leaf);
	return status;
}

static knng_status
build(const building *t, knng_err *err)
{
	knng_boxes *b = t->b;
	for (int64_t i = 0; i < b->n; i++)
		b->order[i] = (int32_t)(t->first + i);
	b->nodes = nodes_of(b->leaves);
	knng_status status = cut_all(t, err);
	if (status == KNNG_OK)
		status = knng_task_run(t->task, t->threads, knng_parts(nodes_a_job(b), b->nodes), fill_job, (void *)t,
				       err);
	if (status != KNNG_OK)
		return status;
	bound(b);
	if (b->stride > 0)
		status = make_copies(t, err);
	if (b->stride > 0 ? b->copies == NULL : b->d > LONG) {
		knng_free(b->rows);
		b->rows = NULL;
	}
	return status;
}

knng_status
knng_boxes_make(knng_boxes **boxes, const double *u, int64_t n, int64_t d, int64_t ld, int64_t asked, int threads,
		knng_task *task, knng_err *err)
{
	knng_boxes *b = *boxes = open_tree(n, d, asked, false);
	if (b == NULL)
		return knng_fail_memory(err, "the tree", knng_boxes_tree_bytes(n, d, asked));
	knng_status status = build(&(building){task, threads, b, u, ld, KNNG_SUM_MINUS, 0}, err);
	if (status != KNNG_OK) {
		knng_boxes_free(b);
		*boxes = NULL;
	}
	return status;
}

/* ---------------------------------------------------------------- search */

/* Queries on their way through the tree together, and what each has found. */
typedef struct {
	knng_boxes_way at;
	const knng_search *w;
	const knng_metric *metric;
	int64_t count, k;
	int64_t visits, most; /* leaves that queries visited; where they are more than `most` the search ends */
	int64_t compared;     /* rows of these */
	int64_t unheard;      /* elements since the last look for Ctrl-C */
	const knng_task *task;
	knng_err *err;
	knng_status status;
	bool graph;
	const struct knng_range *within; /* all within its radius are sought, in place of k; or NULL */
	struct knng_range *found;        /* where they go to; NULL: nowhere */
	int worker;
	int64_t have[MOST];
	knng_pair *pairs; /* [count * k] in order, or heaps with the last on top */

	/* By copies: of each query what it has found, and whether that went into its pairs since it was too much. */
	float *copies;            /* [count * d]; NULL: the search goes by rows */
	float *sums;              /* [count * room] sums of copies, */
	int32_t *kept;            /* [count * room] and points, in no order */
	int64_t held[MOST];       /* how many */
	bool exact[MOST], exacts; /* any of them */
	int64_t centre;           /* the node around whose centre these lie; -1: there are none yet */
	uint64_t copied;          /* the queries that have a copy there */
	double error[MOST];       /* E of (10.3) */
	float far[MOST];          /* T of (10.6): no row of a larger sum can matter */
} group;

double
knng_boxes_limit(knng_final_map map, double distance)
{
	double sum = map == KNNG_MAP_SQRT ? distance * distance : map == KNNG_MAP_HALF ? 2 * distance : distance;
	return WIDENED(sum);
}

/* Lets what stands at the top of a heap of n pairs sink to its place. */
static void
sink_top(knng_pair *heap, int64_t n)
{
	knng_pair it = heap[0];
	int64_t at = 0;
	for (int64_t child; (child = 2 * at + 1) < n; at = child) {
		child += child + 1 < n && knng_pair_before(&heap[child], &heap[child + 1]);
		if (!knng_pair_before(&it, &heap[child]))
			break;
		heap[at] = heap[child];
	}
	heap[at] = it;
}

/* Into n pairs that are in order, or a heap, and have room for one more. */
static void
put(knng_pair *pairs, int64_t n, knng_pair it, bool heap)
{
	int64_t at = n;
	for (int64_t up; at > 0; at = up) {
		up = heap ? (at - 1) / 2 : at - 1;
		if (heap ? !knng_pair_before(&pairs[up], &it) : !knng_pair_before(&it, &pairs[up]))
			break;
		pairs[at] = pairs[up];
	}
	pairs[at] = it;
}

/* What is within the radius. */
static void
keep(group *g, int64_t e, double sum, int32_t point)
{
	double distance = knng_map_sum(g->metric, sum);
	if (g->found == NULL || g->status != KNNG_OK || !KNNG_WITHIN(distance, g->within->radius))
		return;
	if (!knng_range_put(g->found, g->worker, (knng_near){distance, g->at.points[e], point})) {
		g->status = knng_range_status(g->found, g->worker, g->err);
		g->most = -1;
	}
}

static void
take(group *g, int64_t e, double sum, int32_t point)
{
	bool heap = g->k > SHORT, full = g->have[e] == g->k;
	knng_pair *pairs = g->pairs + e * g->k, it = {knng_map_sum(g->metric, sum), point};
	const knng_pair *last = heap ? pairs : pairs + g->k - 1;
	if (full && !knng_pair_before(&it, last))
		return;
	if (full && heap) {
		pairs[0] = it;
		sink_top(pairs, g->k);
	} else {
		put(pairs, full ? g->k - 1 : g->have[e]++, it, heap);
	}
	if (g->have[e] == g->k)
		g->at.limit[LIMIT_OF(e)] =
			fmin(knng_boxes_limit(g->metric->map, last->distance), g->at.limit[LIMIT_OF(e)]);
}

/* What was found, in order, and nothing in the places after it. */
static void
put_in_order(group *g)
{
	for (int64_t e = 0; e < g->count; e++) {
		knng_pair *pairs = g->pairs + e * g->k;
		for (int64_t n = g->k > SHORT ? g->have[e] : 0; n > 1;) {
			knng_pair last = pairs[0];
			pairs[0] = pairs[--n];
			pairs[n] = last;
			sink_top(pairs, n);
		}
		for (int64_t at = g->have[e]; at < g->k; at++)
			pairs[at] = (knng_pair){INFINITY, -1};
	}
}

/* Looks for Ctrl-C after so many more elements; then nothing more is visited. */
static void
listen(group *g, int64_t elements)
{
	g->unheard += elements;
	if (g->unheard < ELEMENTS_A_JOB || g->status != KNNG_OK)
		return;
	g->unheard = 0;
	g->status = knng_task_poll(g->task, g->err);
	g->most = g->status == KNNG_OK ? g->most : -1;
}

/* What may be of use to a query of a leaf: rows whose sums are within its limit. */
static void
take_rows(group *g, int64_t e, uint64_t near, const double *sums, const int32_t *points)
{
	for (; near != 0; near &= near - 1) {
		int64_t c = __builtin_ctzll(near);
		if (g->within != NULL)
			keep(g, e, sums[c], points[c]);
		else if (sums[c] <= g->at.limit[e] && !(g->graph && points[c] == g->at.points[e]))
			take(g, e, sums[c], points[c]);
	}
}

void
knng_boxes_sums(const knng_boxes_way *w, int64_t leaf, const int64_t *e, int64_t count, double *sums, uint64_t *near)
{
	const knng_boxes *b = w->b;
	int64_t some = knng_boxes_rows(b, leaf);
	const double *q[KNNG_BOXES_FOUR];
	double limit[KNNG_BOXES_FOUR];
	if (b->rows != NULL) {
		near[0] = w->kernels->sums_of_columns(w->sum, w->q + e[0], b->leaf, b->rows + leaf * b->leaf * b->d,
						      b->leaf, b->d, w->limit[e[0]], sums);
		near[0] &= UINT64_MAX >> (64 - some);
		return;
	}
	for (int64_t i = 0; i < KNNG_BOXES_FOUR; i++) {
		int64_t one = e[i < count ? i : 0];
		q[i] = w->u + w->points[one] * w->ld;
		limit[i] = w->limit[one];
	}
	w->kernels->sums_of_four(w->sum, q, w->others, w->ld, b->order + leaf * b->leaf, some, limit, sums, near);
}

/* ---- by copies: docs/canonical.md, (10.3) to (10.7) */

/* (10.5): the part by which a sum of copies may be off, for its roundings; and what underflows. */
static double
lost_of(const knng_boxes *b)
{
	return LOST(knng_gamma((double)b->d + 3, 0x1p-24));
}

static double
underflow_of(const knng_boxes *b)
{
	return (double)b->d * 0x1p-148;
}

/* (10.6): the sum of copies beyond which no sum is within the limit of query e. */
static float
far_of(const group *g, int64_t e)
{
	const knng_boxes *b = g->at.b;
	double sum = knng_wide(b->d, g->at.limit[e]);
	double r = (of_squares(g->at.sum) ? sqrt(sum) : sum) * ldexp(1, -b->exponent[g->centre]) + g->error[e];
	r = of_squares(g->at.sum) ? r * r : r;
	return knng_round_up(r * (1 + lost_of(b)) * (1 + 0x1p-40) + underflow_of(b));
}

/* (10.7): the limit where k rows have sums of copies that are at most `most`. */
static double
limit_of(const group *g, int64_t e, float most)
{
	const knng_boxes *b = g->at.b;
	double sum = ((double)most + underflow_of(b)) * (1 + 2 * lost_of(b)) * (1 + 0x1p-40);
	double r = ((of_squares(g->at.sum) ? sqrt(sum) : sum) + g->error[e]) * ldexp(1, b->exponent[g->centre]) *
		   (1 + 0x1p-40);
	sum = knng_wide(b->d, of_squares(g->at.sum) ? r * r : r);
	return knng_boxes_limit(g->metric->map, knng_map_sum(g->metric, sum));
}

/* Distances of query e to some points, up to 64, of which those that are near go into its pairs. */
static void
take_points(group *g, int64_t e, const int32_t *points, int64_t count)
{
	_Alignas(64) double sums[MOST];
	g->at.kernels->sums(g->at.sum, g->at.u + g->at.points[e] * g->at.ld, g->at.others, g->at.ld, points, count,
			    sums);
	for (int64_t c = 0; c < count; c++)
		if (sums[c] <= g->at.limit[e])
			take(g, e, sums[c], points[c]);
	listen(g, count * g->at.b->d);
}

static void
take_kept(group *g, int64_t e)
{
	const int32_t *kept = g->kept + e * g->at.b->room;
	for (int64_t first = 0; first < g->held[e] && g->status == KNNG_OK; first += MOST)
		take_points(g, e, kept + first, g->held[e] - first < MOST ? g->held[e] - first : (int64_t)MOST);
	g->held[e] = 0;
}

/* Leaves out what k others prove to be too far. Where that is too little, from now on distances decide. */
static void
settle(group *g, int64_t e)
{
	float *sums = g->sums + e * g->at.b->room;
	int32_t *kept = g->kept + e * g->at.b->room;
	float most = g->at.kernels->bound_of_least(sums, g->held[e], g->k, g->k < 128 ? g->k / 16 : 8);
	int64_t some = 0;
	g->at.limit[LIMIT_OF(e)] = fmin(limit_of(g, e, most), g->at.limit[LIMIT_OF(e)]);
	g->far[LIMIT_OF(e)] = far_of(g, LIMIT_OF(e));
	for (int64_t c = 0; c < g->held[e]; c++) {
		sums[some] = sums[c];
		kept[some] = kept[c];
		some += sums[c] <= g->far[e];
	}
	g->held[e] = some;
	if (some < g->k + TOO_MANY)
		return;
	g->exact[e] = g->exacts = true;
	take_kept(g, e);
	g->far[e] = far_of(g, e);
}

/* Rows of a leaf whose copies are near. */
static void
keep_rows(group *g, int64_t e, uint64_t near, const float *sums, const int32_t *points)
{
	int32_t *kept = g->kept + e * g->at.b->room + g->held[e];
	float *found = g->sums + e * g->at.b->room + g->held[e];
	int32_t some[MOST];
	int64_t count = 0;
	if (g->exact[e]) {
		for (; near != 0; near &= near - 1) {
			some[count] = points[__builtin_ctzll(near)];
			count += !(g->graph && some[count] == g->at.points[e]);
		}
		take_points(g, e, some, count);
		g->far[e] = far_of(g, e);
		return;
	}
	for (; near != 0; near &= near - 1) {
		int64_t c = __builtin_ctzll(near);
		found[count] = sums[c];
		kept[count] = points[c];
		count += !(g->graph && points[c] == g->at.points[e]);
	}
	g->held[e] += count;
	if (g->held[e] >= g->k + (g->far[e] < INFINITY ? WAITING : 0))
		settle(g, e);
}

/* (10.3) */
static void
copy_query(group *g, int64_t e)
{
	const knng_boxes *b = g->at.b;
	float *columns = g->copies + MOST * b->d;
	const double *u = g->at.u + g->at.points[e] * g->at.ld;
	double length = copy_row(b, g->centre, g->at.sum, u, g->copies + e * b->d, 1);
	for (int64_t l = 0; l < b->d; l++)
		columns[l * MOST + e] = g->copies[e * b->d + l];
	g->error[e] =
		ERROR((length + LENGTH(b->length[g->centre])) * (0x1p-24 * (1 + 0x1p-18)) + (double)b->d * 0x1p-61);
	g->far[e] = g->at.limit[e] < INFINITY ? far_of(g, e) : INFINITY;
	g->exact[e] = g->at.limit[e] < INFINITY && !(length < INFINITY); /* its copy says nothing */
	g->exacts = g->exacts || g->exact[e];
}

/* No query has a copy yet, nor has found anything. */
static void
begin_copies(group *g)
{
	const knng_boxes *b = g->at.b;
	memset(g->copies + MOST * b->d, 0, (size_t)(MOST * b->d) * sizeof *g->copies);
	memset(g->held, 0, sizeof g->held);
	g->centre = -1;
	g->copied = 0;
}

/* What is left of what was found goes into the pairs. */
static void
take_all(group *g)
{
	for (int64_t e = 0; e < g->count; e++) {
		if (g->held[e] > g->k)
			settle(g, e);
		take_kept(g, e);
	}
}

/* Some queries go on by copies around the centre of a node. */
static void
move_to(group *g, int64_t node, uint64_t queries)
{
	if (node != g->centre) {
		take_all(g);
		g->copied = KEPT(g->copied);
		g->exacts = false;
		g->centre = node;
	}
	queries &= ~g->copied;
	g->copied |= queries;
	listen(g, __builtin_popcountll(queries) * g->at.b->d);
	for (; queries != 0; queries &= queries - 1)
		copy_query(g, __builtin_ctzll(queries));
}

static void
visit_copies(group *g, int64_t node, uint64_t queries)
{
	const knng_boxes *b = g->at.b;
	int64_t leaf = b->first[node] / b->leaf, rows = knng_boxes_rows(b, leaf);
	const float *copies = b->copies + leaf * b->stride * b->d;
	_Alignas(64) float sums[2 * MOST];
	move_to(g, b->around[node], queries);
	while (queries != 0 && g->visits <= g->most) {
		const float *q[2];
		int64_t e[2];
		float far[2];
		uint64_t near[2];
		int count = 0;
		for (; count < 2 && queries != 0; queries &= queries - 1, count++) {
			e[count] = __builtin_ctzll(queries);
			q[count] = g->copies + e[count] * b->d;
			far[count] = g->far[e[count]];
		}
		g->at.kernels->sums_of_copies(g->at.sum, q, count, copies, b->stride, b->d, far, sums, near);
		for (int i = 0; i < count; i++) {
			near[i] &= UINT64_MAX >> (64 - rows);
			if (near[i] != 0)
				keep_rows(g, e[i], near[i], sums + i * MOST, b->order + leaf * b->leaf);
		}
		g->visits += count;
		g->compared += count * rows;
		listen(g, count * b->leaf * b->d / 2);
	}
}

/* The distances of those queries to the rows of a leaf. */
static void
visit(group *g, int64_t node, uint64_t queries)
{
	const knng_boxes *b = g->at.b;
	int64_t leaf = b->first[node] / b->leaf, most = b->rows != NULL ? 1 : KNNG_BOXES_FOUR;
	uint64_t near[KNNG_BOXES_FOUR];
	_Alignas(64) double sums[KNNG_BOXES_FOUR * MOST];
	if (g->copies != NULL) {
		visit_copies(g, node, queries);
		return;
	}
	while (queries != 0 && g->visits <= g->most) {
		int64_t e[KNNG_BOXES_FOUR], count = 0;
		for (; count < most && queries != 0; queries &= queries - 1)
			e[count++] = __builtin_ctzll(queries);
		knng_boxes_sums(&g->at, leaf, e, count, sums, near);
		for (int64_t i = 0; i < count; i++)
			take_rows(g, e[i], near[i], sums + i * MOST, b->order + leaf * b->leaf);
		g->visits += count;
		g->compared += count * knng_boxes_rows(b, leaf);
		listen(g, count * b->leaf * b->d);
	}
}

/* Whether the box of a node is one of copies: of queries that go by distances rows may be nearer. */
static bool
by_copies(const group *g, int64_t node)
{
	return g->copies != NULL && !g->exacts && g->at.b->around[node] == g->centre;
}

/* Those of the queries that are not too far from the box of a node. */
static uint64_t
not_far(const group *g, int64_t node, uint64_t queries)
{
	const knng_boxes *b = g->at.b;
	int64_t at = node * 2 * b->d;
	if (by_copies(g, node))
		return g->at.kernels->near_box_of_copies(g->at.sum, g->copies + MOST * b->d, b->sides + at,
							 b->sides + at + b->d, b->d, queries, g->far);
	return g->at.kernels->near_box(g->at.sum, g->at.q, b->leaf, b->box + at, b->box + at + b->d, b->d, queries,
				       g->at.limit);
}

/* All leaves below a node that are near enough, the nearer half first. */
static void
descend(group *g, int64_t node, uint64_t queries, const double *middle)
{
	const knng_boxes *b = g->at.b;
	if (g->visits > g->most)
		return;
	listen(g, b->leaf * b->d / 8);
	if (by_copies(g, node))
		move_to(g, g->centre, queries);
	queries = not_far(g, node, queries);
	if (queries == 0)
		return;
	if (b->right[node] == 0) {
		visit(g, node, queries);
		return;
	}
	int64_t near = knng_boxes_child(b, node, middle), far = near == node + 1 ? b->right[node] : node + 1;
	descend(g, near, queries, middle);
	descend(g, far, queries, middle);
}

void
knng_boxes_gather(const knng_boxes_way *w, int64_t count, double *middle)
{
	const knng_boxes *b = w->b;
	double sign = w->sum == KNNG_SUM_PLUS ? -1 : 1;
	for (int64_t e = 0; e < b->leaf; e++) {
		const double *from = w->u + w->points[e < count ? e : 0] * w->ld;
		for (int64_t l = 0; l < b->d; l++)
			w->q[l * b->leaf + e] = from[l];
	}
	for (int64_t l = 0; l < b->d; l++) {
		middle[l] = 0;
		for (int64_t e = 0; e < count; e++)
			middle[l] += sign * w->q[l * b->leaf + e] / (double)count;
	}
}

/* The largest sum that matters to a query which has found nothing yet. */
static double
first_limit(const knng_search *w, int32_t query)
{
	double within = knng_within(w, query);
	return within < INFINITY ? knng_boxes_limit(w->plan->metric->map, within) : INFINITY;
}

static void
search(group *g, double *middle)
{
	const knng_boxes *b = g->at.b;
	int64_t path[DEEP], depth = 0, node = 0;
	uint64_t all = g->count < 64 ? ((uint64_t)1 << g->count) - 1 : UINT64_MAX;
	knng_boxes_gather(&g->at, g->count, middle);
	for (int64_t e = 0; e < b->leaf; e++) {
		g->at.limit[e] = first_limit(g->w, g->at.points[e < g->count ? e : 0]);
		g->have[e] = 0;
	}
	if (g->copies != NULL)
		begin_copies(g);
	if (g->within != NULL) { /* what is near stands fast: no order is better than another */
		descend(g, 0, all, middle);
		return;
	}
	while (b->right[node] > 0) {
		int64_t near = knng_boxes_child(b, node, middle);
		path[depth++] = near == node + 1 ? b->right[node] : node + 1;
		node = near;
	}
	visit(g, node, all);
	while (depth > 0)
		descend(g, path[--depth], all, middle);
	if (g->copies != NULL)
		take_all(g);
	put_in_order(g);
}

static group
group_of(const knng_search *w, const knng_boxes *b, const knng_cpu_worker *s, knng_err *err)
{
	const knng_cpu *c = w->state;
	int64_t of = (s - c->workers) * MOST;
	bool copies = b->copies != NULL && b->copied != NULL;
	return (group){.at = {.b = b,
			      .kernels = c->kernels,
			      .sum = w->plan->metric->sum,
			      .u = c->query->u,
			      .others = c->x.u,
			      .ld = w->plan->ld,
			      .q = b->queries + of * b->d},
		       .copies = copies ? b->copied + 2 * of * b->d : NULL,
		       .kept = copies ? b->kept + of * b->room : NULL,
		       .sums = copies ? b->sums + of * b->room : NULL,
		       .w = w,
		       .metric = w->plan->metric,
		       .k = w->k,
		       .most = INT64_MAX,
		       .task = &w->task,
		       .err = err,
		       .graph = w->query == &w->x && trees_of(w) == 1,
		       .within = w->plan->opt.range,
		       .worker = (int)(s - c->workers)};
}

/* How many queries go through the tree together: those that are neighbours of each other, which few among many rows are
 * not. In few dimensions even two of these pass more boxes together than each alone; in more, eight, as many as a test
 * of a box takes, pass the fewest. So it was measured. */
static int64_t
together(int64_t queries, const knng_boxes *b)
{
	int64_t near = 2 * queries / b->leaves, some = b->d >= 8 ? (near + 7) / 8 * 8 : near;
	int64_t least = b->d >= 8 ? 8 : 1;
	return some > b->leaf ? b->leaf : some > least ? some : least;
}

/* The nearest of queries that all seek in this tree. */
static knng_status
search_tree(const knng_search *w, const knng_boxes *b, int64_t some, knng_cpu_worker *s, const int32_t *points,
	    int64_t count, knng_pair *pairs, knng_err *err)
{
	group g = group_of(w, b, s, err);
	g.found = w->plan->opt.range;
	for (int64_t first = 0; first < count && g.status == KNNG_OK; first += some) {
		g.at.points = points + first;
		g.count = count - first < some ? count - first : some;
		g.pairs = pairs + first * g.k;
		search(&g, s->scratch);
	}
	s->refined += g.compared;
	return g.status;
}

knng_status
knng_boxes_search(const knng_search *w, knng_boxes *const boxes[2], knng_cpu_worker *s, const int32_t *points,
		  int64_t count, knng_pair *pairs, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int64_t at = 0, end; at < count && status == KNNG_OK; at = end) {
		int tree = tree_for(w, points[at]);
		for (end = at + 1; end < count && tree_for(w, points[end]) == tree;)
			end++;
		status = search_tree(w, boxes[tree], together(queries_of(w, tree), boxes[tree]), s, points + at,
				     end - at, pairs + at * w->k, err);
	}
	return status;
}

void
knng_boxes_order(const knng_search *w, knng_boxes *const boxes[2], int32_t *points)
{
	for (int tree = 0; tree < trees_of(w); tree++) {
		int64_t some = trees_of(w) == 1 ? w->query->count : boxes[tree]->n;
		memcpy(points, boxes[tree]->sorted, (size_t)some * sizeof *points);
		points += some;
	}
}

/* ---------------------------------------------------------------- does it gain? */

/* Nanoseconds of a pair, as measured with 2 to 300 features, where all are compared. */
static double
usual(const knng_plan *plan)
{
	double d = (double)plan->x.d;
	double least = plan->metric->sum == KNNG_SUM_PLUS ? 0.55 : plan->metric->sum == KNNG_SUM_EITHER ? 0.42 : 0.26;
	return (knng_by_products(plan->metric) ? least + 0.0052 * d : 0.48 + 0.015 * d) *
	       (plan->y.data == NULL ? 1 : 1.6);
}

double
knng_boxes_worth(const knng_plan *plan, double extra)
{
	double d = (double)plan->x.d;
	bool differences = !knng_by_products(plan->metric);
	double visited = !copied(plan) ? 0.6 + 0.11 * d : differences ? 0.3 + 0.04 * d : 0.25 + 0.028 * d;
	visited *= plan->metric->sum == KNNG_SUM_EITHER ? 2 : 1;
	return fmin(0.9 * (usual(plan) + extra) / visited, 1);
}

/* What a pair takes beside that where single precision does not tell a part of the rows from the nearest: distances, up
 * to what a list may spend, and then all is done again in double precision, or canonically. */
static double
extra_of(const knng_plan *plan, double part)
{
	double d = (double)plan->x.d, n = (double)plan->x.n;
	double most = 1. / DISTANCES + 4 * (double)plan->capacity / n, again = 1.5 + 0.04 * d;
	if (!knng_by_products(plan->metric))
		again = 0.6 + 0.11 * d;
	if (plan->opt.range != NULL) /* there is no list */
		most = 1;
	return fmin(part, most) * (20 + 0.3 * d) + (part > most ? again : 0);
}

/* How many rows a query of the sample is compared with before there is a tree: all of them take less than a hundredth
 * of the search, or a third of what a searcher takes to prepare its rows. */
static int64_t
looked_at(const knng_search *w, int tree)
{
	enum { QUERIES = 2000, LEAST = 32 }; /* that a searcher will have to answer, more or less; rows */
	bool whole = w->prepared != NULL && w->prepared->whole;
	double n = (double)points_of(w, tree).count, queries = whole ? QUERIES : (double)queries_of(w, tree);
	double some = fmin(n / 8, fmax(LEAST, n * queries / 2e5));
	return some < 1 ? 1 : (int64_t)some;
}

/* A number from 0 to most - 1 for each i, whatever the period of the data. */
static int64_t
scattered(int64_t i, int64_t most)
{
	return (int64_t)((uint64_t)((uint32_t)i * 2654435761u) * (uint64_t)most >> 32);
}

/* Sums of u and the next of the rows that query i of the sample is compared with, from `first` on. How many. */
static int64_t
sums_of_some(const knng_search *w, const knng_cpu_worker *s, int64_t i, int tree, knng_sum sum, const double *u,
	     int64_t first)
{
	const knng_cpu *c = w->state;
	knng_block rows = points_of(w, tree);
	int64_t ld = w->plan->ld, some = looked_at(w, tree), step = rows.count / some;
	int64_t many = some - first < ELEMENTS_A_JOB / ld + 1 ? some - first : ELEMENTS_A_JOB / ld + 1;
	many = many < COLUMNS_SCAN ? many : (int64_t)COLUMNS_SCAN;
	for (int64_t e = first; e < first + many; e++)
		s->columns[e - first] = (int32_t)(rows.first + e * step + scattered(e + i * some, step));
	c->kernels->sums(sum, u, c->x.u, ld, s->columns, many, s->sums);
	return many;
}

/* What a look finds: of each query of the sample, */
typedef struct {
	bool near[SAMPLE];    /* whether a row is far nearer than the others, */
	double least[SAMPLE]; /* the sum that counts: that of the nearest, or how far is sought, */
	double open[SAMPLE];  /* the part of the rows that lie in boxes which are not too far, it seems, */
	double alike[SAMPLE]; /* and that which single precision does not tell from the nearest */
} looking;

static int64_t
query_of(const knng_search *w, int64_t i)
{
	int64_t step = w->query->count / SAMPLE;
	return i * w->query->count / SAMPLE + scattered(i + 1, step > 0 ? step : 1);
}

/* By how much sums of a query may differ that single-precision scores do not tell apart. */
static double
blur_of(const knng_search *w, const knng_cpu_worker *s, int64_t q)
{
	const knng_cpu *c = w->state;
	const double *centre = w->plan->metric->prep == KNNG_PREP_NONE ? c->centre : NULL;
	float *copy = (void *)s->scratch;
	knng_measure m =
		c->kernels->copy(c->kind, c->query->u + q * w->plan->ld, centre, c->scale, w->plan->x.d, copy, 1);
	return c->exact ? 0 : ldexp(2 * knng_slack32(m.half, knng_cpu_eps(w, &m)), c->sigma);
}

/* The part of the rows whose sums are no larger. */
static knng_status
count_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	looking *l = context;
	const knng_cpu *c = w->state;
	const knng_cpu_worker *s = &c->workers[worker];
	int64_t q = query_of(w, i);
	int tree = tree_for(w, q);
	int64_t some = looked_at(w, tree);
	double most = l->least[i] + blur_of(w, s, q);
	knng_status status = KNNG_OK;
	l->alike[i] = 0;
	if (!(most > (1 + LITTLE) * l->least[i]))
		return KNNG_OK;
	for (int64_t first = 0, many; first < some && status == KNNG_OK; first += many) {
		many = sums_of_some(w, s, i, tree, w->plan->metric->sum, c->query->u + q * w->plan->ld, first);
		for (int64_t e = 0; e < many; e++)
			l->alike[i] += !(s->sums[e] > most) / (double)some;
		status = knng_task_poll(&w->task, err);
	}
	l->alike[i] = fmax(0, l->alike[i] - 1 / (double)some); /* that is the nearest itself */
	return status;
}

static knng_status
look_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	looking *l = context;
	const knng_cpu *c = w->state;
	const knng_cpu_worker *s = &c->workers[worker];
	knng_sum sum = w->plan->metric->sum;
	int64_t q = query_of(w, i);
	int tree = tree_for(w, q);
	int64_t some = looked_at(w, tree);
	double least = first_limit(w, (int32_t)q), mean = 0; /* with a radius what counts is how far it is sought */
	knng_status status = KNNG_OK;
	for (int64_t first = 0, many; first < some && status == KNNG_OK; first += many) {
		many = sums_of_some(w, s, i, tree, sum, c->query->u + q * w->plan->ld, first);
		for (int64_t e = 0; e < many; e++)
			if (!(w->query == &w->x && s->columns[e] == q)) {
				if (w->plan->opt.range == NULL)
					least = fmin(least, s->sums[e]);
				mean += s->sums[e] / (double)some;
			}
		status = knng_task_poll(&w->task, err);
	}
	l->near[i] = !(least > (of_squares(sum) ? 0.15 : 0.4) * mean);
	l->least[i] = least;
	return status == KNNG_OK ? count_job(w, worker, i, l, err) : status;
}

/* The radius of a box, about: how far a row, not the query, is from so many others as a leaf has. A box whose rows are
 * farther from the query than the nearest and this radius together is too far. */
static knng_status
open_job(knng_search *w, int worker, int64_t i, void *context, knng_err *err)
{
	looking *l = context;
	const knng_cpu *c = w->state;
	const knng_cpu_worker *s = &c->workers[worker];
	knng_sum sum = w->plan->metric->sum, between = of_squares(sum) ? KNNG_SUM_MINUS : sum;
	int64_t n = w->x.count, ld = w->plan->ld, some = looked_at(w, 0), q = query_of(w, i);
	int64_t row = (2 * i + 1) * n / (2 * SAMPLE), wanted = leaf_of(w->plan->opt.tile, w->plan->x.d) * some / n;
	double nearest[MOST], open = 0;
	knng_status status = KNNG_OK;
	wanted = wanted > 1 ? wanted : 1;
	for (int64_t j = 0; j < wanted; j++)
		nearest[j] = INFINITY;
	for (int64_t first = 0, many; first < some && status == KNNG_OK; first += many) {
		many = sums_of_some(w, s, i, 0, between, c->x.u + row * ld, first);
		for (int64_t e = 0; e < many; e++) {
			int64_t at = s->columns[e] != row && s->sums[e] < nearest[wanted - 1] ? wanted - 1 : -1;
			for (; at > 0 && nearest[at - 1] > s->sums[e]; at--)
				nearest[at] = nearest[at - 1];
			if (at >= 0)
				nearest[at] = s->sums[e];
		}
		status = knng_task_poll(&w->task, err);
	}
	double radius = nearest[wanted - 1];
	double reach = of_squares(sum) ? sqrt(l->least[i]) + sqrt(radius) : l->least[i] + radius;
	reach = of_squares(sum) ? reach * reach : reach;
	for (int64_t first = 0, many; first < some && status == KNNG_OK; first += many) {
		many = sums_of_some(w, s, i, 0, sum, c->query->u + q * ld, first);
		for (int64_t e = 0; e < many; e++)
			open += !(s->sums[e] > reach) / (double)some;
		status = knng_task_poll(&w->task, err);
	}
	l->open[i] = open;
	return status;
}

/* Whether some queries have near rows: otherwise boxes leave nothing out, and a tree is not worth while. But rows that
 * are far from all queries may lie close together: where queries are another matrix's, or opposite rows are sought. So
 * there it is looked at, too, how large boxes may be. Queries visit one to five times the part that is open in this
 * way; so it was measured. */
static knng_status
look(knng_search *w, bool *promising, double *extra, knng_err *err)
{
	looking l = {.near = {false}};
	bool apart = trees_of(w) == 1 && (w->query != &w->x || w->plan->metric->sum == KNNG_SUM_PLUS);
	int count = 0;
	double open = 0;
	knng_cpu_centre(w);
	knng_status status = knng_parallel(w, w->plan->threads, SAMPLE, look_job, &l, err);
	for (int i = 0; i < SAMPLE; i++) {
		count += l.near[i];
		*extra += extra_of(w->plan, l.alike[i]) / SAMPLE;
	}
	*promising = count >= SAMPLE / 8 || *extra > usual(w->plan);
	if (status != KNNG_OK || *promising || !apart)
		return status;
	status = knng_parallel(w, w->plan->threads, SAMPLE, open_job, &l, err);
	for (int i = 0; i < SAMPLE; i++)
		open += l.open[i] / SAMPLE;
	*promising = open <= knng_boxes_worth(w->plan, *extra) / 3;
	return status;
}

/* The leaves that queries of a sample visit, of those of a tree; or at least so much, once it is more than `enough`. */
static knng_status
try_tree(const knng_search *w, knng_boxes *const boxes[2], int tree, double enough, knng_pair *pairs, double *visited,
	 knng_err *err)
{
	const knng_cpu *c = w->state;
	knng_cpu_worker *s = &c->workers[0];
	const knng_boxes *b = boxes[tree];
	const int32_t *queries = trees_of(w) == 1 ? b->sorted : boxes[1 - tree]->sorted;
	group g = group_of(w, b, s, err);
	int64_t m = queries_of(w, tree);
	g.count = 1;
	g.pairs = pairs;
	g.most = (int64_t)(enough * SAMPLE * (double)b->leaves) + SAMPLE;
	for (int i = 0; i < SAMPLE && g.visits <= g.most; i++) {
		g.at.points = queries + (2 * i + 1) * m / (2 * SAMPLE);
		search(&g, s->scratch);
	}
	s->refined += g.compared;
	*visited = (double)g.visits / SAMPLE / (double)b->leaves;
	return g.status;
}

/* The same of all trees: what is looked at in each of two is half of what is compared. */
static knng_status
try_some(const knng_search *w, knng_boxes *const boxes[2], double enough, knng_pair *pairs, double *visited,
	 knng_err *err)
{
	int trees = trees_of(w);
	knng_status status = KNNG_OK;
	*visited = 0;
	for (int tree = 0; tree < trees && status == KNNG_OK && *visited <= enough; tree++) {
		double some = 0;
		status = try_tree(w, boxes, tree, trees * (enough - *visited), pairs, &some, err);
		*visited += some / trees;
	}
	return status;
}

/* Whether the trees are to be used: as a sample says. */
static knng_status
decide(knng_search *w, knng_boxes *const boxes[2], bool *on, knng_err *err)
{
	knng_pair *pairs = knng_alloc(w->k + 1, sizeof *pairs);
	double enough = knng_boxes_worth(w->plan, boxes[0]->extra), visited = 0;
	knng_status status = pairs != NULL ? try_some(w, boxes, enough, pairs, &visited, err)
					   : knng_fail_memory(err, "some neighbours", (double)w->k * sizeof *pairs);
	knng_free(pairs);
	*on = visited <= enough;
	snprintf(w->info->pruned, sizeof w->info->pruned,
		 "%s: %s%.3g %% of the pairs have to be compared, below %.3g %% it gains", *on ? "yes" : "no",
		 *on ? "" : "at least ", 100 * visited, 100 * enough);
	return status;
}

/* Whether the trees that stand are to be used. */
static knng_status
use(knng_search *w, knng_boxes *const boxes[2], bool *on, knng_err *err)
{
	bool again = w->prepared != NULL && w->known > 0; /* to search for a few takes no longer than to ask */
	bool sure = w->plan->opt.prune == KNNG_PRUNE_ON || (again && w->query->count < SAMPLE);
	knng_status status = sort_queries(w, boxes[0], err);
	*on = true;
	return status == KNNG_OK && !sure ? decide(w, boxes, on, err) : status;
}

/* The tree that a searcher has kept, and what this search needs beside it. */
static knng_status
take_tree(knng_search *w, knng_boxes *const boxes[2], bool *on, knng_err *err)
{
	bool asked = w->plan->opt.prune == KNNG_PRUNE_ON, range = w->plan->opt.range != NULL;
	bool none = (w->k < 1 && !range) || w->x.count < 1 || w->query->count < 1;
	bool fine = !none && open_search(w, boxes[0]);
	snprintf(w->info->pruned, sizeof w->info->pruned, "%s",
		 none    ? "no: there is nothing to compare"
		 : !fine ? "no: there is no memory for it"
		 : asked ? "yes: as 'Prune' asks"
			 : "yes: the searcher has a tree");
	if (fine)
		return use(w, boxes, on, err);
	return none || !asked ? KNNG_OK : knng_fail_memory(err, "the queries in order", 4. * (double)w->query->count);
}

/* Makes the trees that are not there yet. *fine: there is memory for them. */
static knng_status
make_trees(knng_search *w, knng_boxes *boxes[2], bool *fine, knng_err *err)
{
	knng_status status = KNNG_OK;
	*fine = true;
	for (int tree = 0; tree < trees_of(w) && status == KNNG_OK && *fine; tree++) {
		if (boxes[tree] != NULL) {
			*fine = open_search(w, boxes[tree]);
			continue;
		}
		*fine = (boxes[tree] = open_boxes(w, tree)) != NULL;
		if (!*fine)
			break;
		status = build(&(building){&w->task, w->plan->threads, boxes[tree], ((const knng_cpu *)w->state)->x.u,
					   w->plan->ld, w->plan->metric->sum, points_of(w, tree).first},
			       err);
		if (status != KNNG_OK) {
			knng_boxes_free(boxes[tree]);
			boxes[tree] = NULL;
		}
	}
	return status;
}

/* Trees that are of no use go; but a block of rows keeps its own for the meetings to come. */
static void
drop_trees(const knng_search *w, knng_boxes *boxes[2])
{
	bool keeps = w->prepared != NULL && !w->prepared->whole;
	for (int tree = keeps; tree < 2; tree++) {
		knng_boxes_free(boxes[tree]);
		boxes[tree] = NULL;
	}
}

knng_status
knng_boxes_try(knng_search *w, knng_boxes *boxes[2], bool *gains, knng_err *err)
{
	bool on = w->plan->opt.prune == KNNG_PRUNE_ON, promising = true, fine = false;
	bool range = w->plan->opt.range != NULL, none = w->k < 1 && !range, few = false, small = false;
	double extra = 0;
	bool meets = knng_prepared_meets(w->prepared, w->plan->opt.split);
	bool whole = w->prepared != NULL && w->prepared->whole;
	knng_status status = KNNG_OK;
	*gains = false;
	if (boxes[0] != NULL && trees_of(w) == 1)
		return take_tree(w, boxes, gains, err);
	for (int tree = 0; tree < trees_of(w); tree++) {
		int64_t rows = points_of(w, tree).count, queries = queries_of(w, tree);
		none = none || rows < 1 || queries < 1;
		few = few || rows < ROWS_AT_LEAST || queries < ROWS_AT_LEAST;
		small = small || rows < KNNG_PRUNE_ROWS || (queries < KNNG_PRUNE_QUERIES && !whole);
	}
	if (!on && !few && !none)
		status = look(w, &promising, &extra, err);
	small = small && !meets && !on && extra <= usual(w->plan);
	if (!none && promising && (!few || on) && !small && status == KNNG_OK)
		status = make_trees(w, boxes, &fine, err);
	if (boxes[0] != NULL)
		boxes[0]->extra = extra;
	snprintf(w->info->pruned, sizeof w->info->pruned, "%s",
		 none         ? "no: there is nothing to compare"
		 : few && !on ? "no: there are too few different rows to gain"
		 : small      ? "no: there are too few rows to gain"
		 : !promising ? range ? "no: the radius is not much smaller than most distances"
				      : "no: the nearest rows are not much nearer than all others"
		 : !fine      ? "no: there is no memory for it"
			      : "yes: as 'Prune' asks");
	if (!fine && on && !none && status == KNNG_OK)
		status = knng_fail_memory(err, "the tree", knng_boxes_bytes(w->plan, w->plan->threads));
	if (status == KNNG_OK && fine)
		status = use(w, boxes, gains, err);
	if (status != KNNG_OK || !*gains)
		drop_trees(w, boxes);
	return status;
}
