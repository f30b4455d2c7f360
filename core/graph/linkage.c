/* linkage.c  Chains of nearest neighbours (Murtagh 1983) where they are right: each node is the nearest of the one
 * before it, and two that are each other's nearest are joined, whatever else there is. The rest of the chain stays,
 * since no join brings a third node nearer than one of its parts was. Where joins do (centroid, median) the nearest
 * pair of all is sought each time: every node keeps the nearest of those before it, or a bound that it cannot undercut,
 * and is searched again only when it is the first by that bound (Müllner, arXiv:1109.2378). */
#include "graph/linkage.h"

#include "base/sort.h"
#include "base/sys.h"

#include <math.h>

typedef struct {
	int32_t a, b; /* the smallest rows of the nodes, a < b */
	double height;
} step_made;

typedef struct {
	knng_task *task;
	knng_nearness *w;
	double *Z;
	int64_t n, live, first; /* nodes; nodes that are left; no node stands before this place */
	step_made *links;       /* [n - 1] in the order in which they are made */
	int32_t *row;           /* [n] the smallest row of the node at a place */
	double *height;         /* [n] of the node at a place */
	int32_t *chain;         /* [n] places, each the nearest of the one before */
	int64_t length;
	uint8_t *chained; /* [n] is in the chain */
	double *bound;    /* [n] no node before it is nearer; NaN: there is none, or the place is empty */
	int32_t *near;    /* [n] the nearest node before it, if the bound is exact */
	uint8_t *exact;
} linking;

double
knng_link_bytes(int64_t n)
{
	return 110.0 * (double)n;
}

knng_status
knng_link_afford(double bytes, double max_memory, int64_t n, const char *remedy, knng_err *err)
{
	double free = max_memory > 0 ? max_memory : knng_memory_available();
	if (max_memory > 0 ? bytes <= max_memory : knng_afford(bytes, "the tree", NULL) == KNNG_OK)
		return KNNG_OK;
	char takes[KNNG_AMOUNT], has[KNNG_AMOUNT];
	return knng_fail(err, KNNG_EMEMORY, max_memory > 0 ? "knng:args:maxMemory" : "knng:memory:host",
			 "the tree of %lld rows takes %s beside them, and %s %s: %s", (long long)n,
			 knng_amount(bytes, takes), max_memory > 0 ? "'MaxMemory' is" : "the machine has",
			 knng_amount(free, has), remedy);
}

/* The smallest of x[0 … count), the first of equal ones; -1: they are all NaN or Inf. */
static int64_t
smallest(const double *x, int64_t count)
{
	enum { LANES = 8, BLOCK = 512 };
	double least = INFINITY;
	int64_t at = -1;
	for (int64_t i = 0; i < count; i += BLOCK) {
		int64_t some = count - i < BLOCK ? count - i : BLOCK, l = 0;
		double m[LANES], here = INFINITY;
		for (int k = 0; k < LANES; k++)
			m[k] = INFINITY;
		for (; l + LANES <= some; l += LANES) {
#pragma omp simd
			for (int k = 0; k < LANES; k++)
				m[k] = x[i + l + k] < m[k] ? x[i + l + k] : m[k];
		}
		for (; l < some; l++)
			here = x[i + l] < here ? x[i + l] : here;
		for (int k = 0; k < LANES; k++)
			here = m[k] < here ? m[k] : here;
		if (here < least) {
			least = here;
			for (at = i; x[at] != here; at++) {
			}
		}
	}
	return at;
}

/* The first of those that are Inf. */
static int64_t
first_of(const double *x, int64_t count)
{
	for (int64_t i = 0; i < count; i++)
		if (!isnan(x[i]))
			return i;
	return -1;
}

static int64_t
nearest(const double *x, int64_t count)
{
	int64_t at = smallest(x, count);
	return at >= 0 ? at : first_of(x, count);
}

/* Of the first `count` nodes; other: -1, or one that shall be measured too. */
static knng_status
find_nearest(const linking *k, int64_t a, int64_t count, int64_t other, knng_nearest *found, knng_err *err)
{
	const double *near;
	if (k->w->nearest != NULL)
		return k->w->nearest(k->w, a, count, other, found, err);
	knng_status status = k->w->row(k->w, a, count, &near, err);
	if (status != KNNG_OK)
		return status;
	found->at = nearest(near, count);
	found->near = found->at < 0 ? NAN : near[found->at];
	found->of_other = other < 0 ? NAN : near[other];
	return KNNG_OK;
}

static knng_status
join(linking *k, int64_t a, int64_t b, double near, bool rising, knng_err *err)
{
	double h = k->w->height(k->w, near);
	if (rising) { /* rounding alone could make it lower */
		h = k->height[a] > h ? k->height[a] : h;
		h = k->height[b] > h ? k->height[b] : h;
	}
	k->links[k->n - k->live] = (step_made){k->row[a], k->row[b], h};
	k->height[a] = h;
	k->live--;
	knng_status status = k->w->join(k->w, a, b, near, err);
	k->w->size[a] += k->w->size[b];
	k->w->size[b] = 0;
	return status;
}

/* Once half of the places are empty. */
static knng_status
close_up(linking *k, knng_err *err)
{
	int64_t to = 0;
	knng_nearness *w = k->w;
	if (w->places < 128 || 2 * k->live > w->places)
		return KNNG_OK;
	knng_status status = w->close_up(w, err);
	if (status != KNNG_OK)
		return status;
	int32_t *moved = k->near; /* of chains, which have no other use for it */
	for (int64_t p = 0; p < w->places; p++) {
		if (w->size[p] == 0)
			continue;
		k->row[to] = k->row[p];
		k->height[to] = k->height[p];
		if (k->bound != NULL) {
			k->bound[to] = k->bound[p];
			k->exact[to] = k->exact[p];
			k->chain[p] = (int32_t)to;
			k->near[to] = k->near[p] < 0 ? -1 : k->chain[k->near[p]];
		} else {
			k->chained[to] = k->chained[p];
			moved[p] = (int32_t)to;
		}
		w->size[to++] = w->size[p];
	}
	for (int64_t c = 0; k->bound == NULL && c < k->length; c++)
		k->chain[c] = moved[k->chain[c]];
	w->places = to;
	k->first = 0;
	return KNNG_OK;
}

/* The node that follows a, the last one of the chain: the nearest, of equally near ones `before`, the one before a in
 * the chain (-1: none). With centres, others in the chain may be nearer by rounding alone: who is in it stays there. */
static knng_status
follow(const linking *k, int64_t a, int64_t before, knng_nearest *next, knng_err *err)
{
	const double *near;
	knng_status status = find_nearest(k, a, k->w->places, before, next, err);
	if (status != KNNG_OK || before < 0)
		return status;
	bool nearer = next->near < next->of_other;
	if (nearer && !k->chained[next->at])
		return KNNG_OK;
	if (nearer && (status = k->w->row(k->w, a, k->w->places, &near, err)) != KNNG_OK)
		return status;
	*next = (knng_nearest){before, next->of_other, next->of_other};
	for (int64_t p = 0; nearer && p < k->w->places; p++)
		if (!k->chained[p] && near[p] < next->near) {
			next->at = p;
			next->near = near[p];
		}
	return KNNG_OK;
}

static knng_status
make_chains(linking *k, knng_err *err)
{
	knng_nearness *w = k->w;
	while (k->live > 1) {
		knng_nearest next;
		knng_status status = knng_task_poll(k->task, err);
		if (status != KNNG_OK)
			return status;
		if (k->length == 0) {
			while (w->size[k->first] == 0)
				k->first++;
			k->chained[k->first] = 1;
			k->chain[k->length++] = (int32_t)k->first;
		}
		int64_t a = k->chain[k->length - 1], before = k->length > 1 ? k->chain[k->length - 2] : -1;
		if ((status = follow(k, a, before, &next, err)) != KNNG_OK)
			return status;
		int64_t b = next.at;
		if (b != before) {
			k->chained[b] = 1;
			k->chain[k->length++] = (int32_t)b;
			continue;
		}
		k->length -= 2;
		k->chained[a] = k->chained[b] = 0;
		if ((status = join(k, a < b ? a : b, a < b ? b : a, next.near, true, err)) != KNNG_OK ||
		    (status = knng_task_step(k->task, (double)(k->n - k->live) / (double)k->n, err)) != KNNG_OK ||
		    (status = close_up(k, err)) != KNNG_OK)
			return status;
	}
	return KNNG_OK;
}

/* For the nearest of the nodes before i. */
static knng_status
seek(linking *k, int64_t i, knng_err *err)
{
	knng_nearest found;
	knng_status status = find_nearest(k, i, i, -1, &found, err);
	if (status == KNNG_OK) {
		k->near[i] = (int32_t)found.at;
		k->bound[i] = found.near;
		k->exact[i] = 1;
	}
	return status;
}

/* What the join of i and j < i means for the others: they may be nearer to it than to what they were nearest to. */
static knng_status
look_again(linking *k, int64_t i, int64_t j, knng_err *err)
{
	const double *row;
	knng_status status = k->w->row(k->w, j, k->w->places, &row, err);
	if (status != KNNG_OK)
		return status;
	k->bound[i] = NAN;
	k->near[i] = -1;
	int64_t before = nearest(row, j);
	k->near[j] = (int32_t)before;
	k->bound[j] = before < 0 ? NAN : row[before];
	k->exact[j] = 1;
	for (int64_t x = j + 1; x < k->w->places; x++) {
		if (isnan(row[x]))
			continue;
		bool was = k->near[x] == i || k->near[x] == j;
		if (row[x] < k->bound[x] || (row[x] == k->bound[x] && k->exact[x] && (was || j < k->near[x]))) {
			k->bound[x] = row[x];
			k->near[x] = (int32_t)j;
			k->exact[x] = 1;
		} else if (was) {
			k->near[x] = (int32_t)j;
			k->exact[x] = 0;
		}
	}
	return KNNG_OK;
}

static knng_status
make_greedily(linking *k, knng_err *err)
{
	knng_nearness *w = k->w;
	knng_status status;
	for (int64_t i = 0; i < k->n; i++)
		if ((status = seek(k, i, err)) != KNNG_OK ||
		    (status = knng_task_step(k->task, 0.4 * (double)i / (double)k->n, err)) != KNNG_OK)
			return status;
	while (k->live > 1) {
		int64_t i = nearest(k->bound, w->places);
		if (!k->exact[i]) {
			if ((status = seek(k, i, err)) != KNNG_OK || (status = knng_task_poll(k->task, err)) != KNNG_OK)
				return status;
			continue;
		}
		int64_t j = k->near[i];
		if ((status = join(k, j, i, k->bound[i], false, err)) != KNNG_OK)
			return status;
		if (k->live > 1 && (status = look_again(k, i, j, err)) != KNNG_OK)
			return status;
		status = knng_task_step(k->task, 1 - 0.6 * (double)k->live / (double)k->n, err);
		if (status != KNNG_OK || (status = close_up(k, err)) != KNNG_OK)
			return status;
	}
	return KNNG_OK;
}

/* A node is called by its row until its step gives it a number. */
static void
write_step(double *Z, int64_t steps, int64_t s, double one, double other, double height)
{
	Z[s] = one < other ? one : other;
	Z[steps + s] = one < other ? other : one;
	Z[2 * steps + s] = height;
}

/* Steps by height, of equal ones in the order in which they were made. A node never comes before its parts. */
static knng_status
write_tree(linking *k, bool sorted, knng_err *err)
{
	int64_t steps = k->n - 1;
	knng_pair *pairs = knng_alloc(steps, sizeof *pairs), *scratch = knng_alloc(steps, sizeof *scratch);
	double *called = knng_alloc(k->n, sizeof *called);
	knng_status status = KNNG_OK;
	if (pairs == NULL || scratch == NULL || called == NULL) {
		status = knng_fail_memory(err, "the tree", knng_link_bytes(k->n));
		goto done;
	}
	for (int64_t s = 0; s < steps; s++)
		pairs[s] = (knng_pair){k->links[s].height, (int32_t)s};
	if (sorted)
		knng_sort_pairs(pairs, scratch, steps);
	for (int64_t i = 0; i < k->n; i++)
		called[i] = (double)i + 1;
	for (int64_t s = 0; s < steps; s++) {
		const step_made *l = &k->links[pairs[s].index];
		write_step(k->Z, steps, s, called[l->a], called[l->b], l->height);
		called[l->a] = (double)(k->n + s + 1);
	}
done:
	knng_free(pairs);
	knng_free(scratch);
	knng_free(called);
	return status;
}

knng_status
knng_link_nodes(knng_task *task, knng_nearness *w, bool chains, double *Z, knng_err *err)
{
	int64_t n = w->places;
	linking k = {.task = task, .w = w, .Z = Z, .n = n, .live = n};
	knng_status status = KNNG_OK;
	if (n < 2)
		return KNNG_OK;
	task->stage = "linkage";
	k.links = knng_alloc(n - 1, sizeof *k.links);
	k.row = knng_alloc(n, sizeof *k.row);
	k.height = knng_calloc(n, sizeof *k.height);
	k.chain = knng_alloc(n, sizeof *k.chain);
	k.chained = knng_calloc(n, sizeof *k.chained);
	k.near = knng_alloc(n, sizeof *k.near);
	k.exact = knng_calloc(n, sizeof *k.exact);
	if (!chains)
		k.bound = knng_alloc(n, sizeof *k.bound);
	if (k.links == NULL || k.row == NULL || k.height == NULL || k.chain == NULL || k.chained == NULL ||
	    k.near == NULL || k.exact == NULL || (!chains && k.bound == NULL)) {
		status = knng_fail_memory(err, "the tree", knng_link_bytes(n));
		goto done;
	}
	for (int64_t i = 0; i < n; i++)
		k.row[i] = (int32_t)i;
	status = chains ? make_chains(&k, err) : make_greedily(&k, err);
	if (status == KNNG_OK)
		status = write_tree(&k, chains, err);
done:
	knng_free(k.links);
	knng_free(k.row);
	knng_free(k.height);
	knng_free(k.chain);
	knng_free(k.chained);
	knng_free(k.near);
	knng_free(k.exact);
	knng_free(k.bound);
	return status;
}

static int32_t
root_of(int32_t *parent, int32_t i)
{
	while (parent[i] != i)
		i = parent[i] = parent[parent[i]];
	return i;
}

knng_status
knng_link_edges(knng_task *task, int64_t n, const double *i, const double *j, const double *d, double *Z, knng_err *err)
{
	int64_t steps = n - 1;
	knng_status status = KNNG_OK;
	if (n < 2)
		return KNNG_OK;
	int32_t *parent = knng_alloc(n, sizeof *parent);
	double *called = knng_alloc(n, sizeof *called);
	knng_pair *pairs = knng_alloc(steps, sizeof *pairs), *scratch = knng_alloc(steps, sizeof *scratch);
	if (parent == NULL || called == NULL || pairs == NULL || scratch == NULL) {
		status = knng_fail_memory(err, "the tree", knng_link_bytes(n));
		goto done;
	}
	for (int64_t r = 0; r < n; r++) {
		parent[r] = (int32_t)r;
		called[r] = (double)r + 1;
	}
	for (int64_t s = 0; s < steps; s++)
		pairs[s] = (knng_pair){d[s], (int32_t)s};
	knng_sort_pairs(pairs, scratch, steps);
	for (int64_t s = 0; s < steps; s++) {
		int64_t e = pairs[s].index;
		int32_t a = root_of(parent, (int32_t)i[e] - 1), b = root_of(parent, (int32_t)j[e] - 1);
		if (a == b) {
			status = knng_fail(err, KNNG_EINTERNAL, "knng:internal:tree", "the edges are no tree");
			goto done;
		}
		write_step(Z, steps, s, called[a], called[b], d[e]);
		parent[a < b ? b : a] = a < b ? a : b;
		called[a < b ? a : b] = (double)(n + s + 1);
		if (s % 4096 == 0 && (status = knng_task_poll(task, err)) != KNNG_OK)
			goto done;
	}
done:
	knng_free(parent);
	knng_free(called);
	knng_free(pairs);
	knng_free(scratch);
	return status;
}
