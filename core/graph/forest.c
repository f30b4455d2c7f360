/* forest.c  Components by union and find, spanning forests by Boruvka's rounds: every part takes the shortest edge that
 * leaves it. A round reads the graph once, in the order in which it lies, and of nodes it keeps a few numbers; a sort
 * of all edges, as Kruskal's algorithm wants it, would take as much memory as the graph again. */
#include "graph/forest.h"
#include "base/sort.h"
#include "base/sys.h"
#include "graph/parts.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
	WORTH = 1 << 12, /* entries or edges that make a thread worth waking */
	COLUMNS = 1024,  /* a job */
};

/* ---------------------------------------------------------------- union and find */

/* First nodes become numbers of parts. */
static int64_t
number(int32_t *up, int64_t n)
{
	int64_t parts = 0;
	knng_parts_flatten(up, n);
	for (int64_t i = 0; i < n; i++)
		up[i] = up[i] == i ? (int32_t)parts++ : up[up[i]];
	return parts;
}

/* In a loop over nodes: now and then, whether the user wants to stop. */
static knng_status
look_up(knng_task *task, int64_t i, int64_t n, knng_err *err)
{
	return i % COLUMNS == 0 ? knng_task_step(task, (double)i / (double)n, err) : KNNG_OK;
}

knng_status
knng_components(knng_task *task, const knng_sparse *A, int32_t *part, int64_t *parts, knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t left = A->columns; /* parts, of which one cannot become fewer */
	knng_parts_begin(part, A->columns);
	for (int64_t j = 0; j < A->columns && left > 1 && (status = look_up(task, j, A->columns, err)) == KNNG_OK; j++)
		for (size_t e = A->start[j]; e < A->start[j + 1]; e++)
			left -= knng_parts_join(part, (int32_t)A->row[e], (int32_t)j);
	*parts = number(part, A->columns);
	return status;
}

/* ---------------------------------------------------------------- minimum spanning forests */

/* Merges runs of 1, 2, 4, … edges; returns a or scratch, where the sorted ones lie. Interrupted, they are not sorted.
 */
static knng_tree_edge *
sort_edges(knng_task *task, knng_tree_edge *a, knng_tree_edge *scratch, int64_t n)
{
	for (int64_t width = 1; width < n && knng_task_poll(task, NULL) == KNNG_OK; width *= 2) {
		for (int64_t start = 0; start < n; start += 2 * width) {
			int64_t middle = start + width < n ? start + width : n;
			int64_t end = middle + width < n ? middle + width : n, i = start, j = middle;
			for (int64_t o = start; o < end; o++)
				scratch[o] =
					i < middle && (j == end || knng_edge_before(&a[i], &a[j])) ? a[i++] : a[j++];
		}
		knng_tree_edge *swap = a;
		a = scratch;
		scratch = swap;
	}
	return a;
}

/* The shortest edge that leaves each part, into best[its first node]; i = -1 where none does. up is flat. Where
 * reach is not NULL, out: whether the row of a node has an edge within reach that leaves its part. */
static knng_status
shortest(knng_task *task, const knng_sparse *A, const int32_t *up, const double *reach, knng_tree_edge *best,
	 uint8_t *out, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int64_t i = 0; i < A->columns; i++)
		best[i].i = -1;
	for (int64_t j = 0; j < A->columns && (status = look_up(task, j, A->columns, err)) == KNNG_OK; j++) {
		int32_t c = (int32_t)j;
		knng_tree_edge *of_c = &best[up[c]];
		for (size_t e = A->start[j]; e < A->start[j + 1]; e++) {
			int32_t r = (int32_t)A->row[e];
			if (up[r] == up[c])
				continue;
			knng_tree_edge edge = {knng_read_distance(A->value[e]), r < c ? r : c, r < c ? c : r};
			knng_tree_edge *of_r = &best[up[r]];
			if (knng_edge_before(&edge, of_c))
				*of_c = edge;
			if (knng_edge_before(&edge, of_r))
				*of_r = edge;
			if (reach != NULL && edge.d <= reach[r])
				out[r] = 1;
		}
	}
	return status;
}

/* Takes back the choice of the parts from which a shorter edge may lead that is not known. out becomes zeros. */
static void
withdraw(int64_t n, const int32_t *up, const double *reach, uint8_t *out, knng_tree_edge *best)
{
	for (int64_t i = 0; i < n; i++) {
		knng_tree_edge *of = &best[up[i]];
		if (!out[i] && of->i >= 0 && !(of->d < reach[i]))
			of->i = -1;
		out[i] = 0;
	}
}

knng_status
knng_forest(knng_task *task, const knng_sparse *A, const double *reach, const int32_t *start, int32_t *part,
	    double *shortest_of, knng_tree_edge *tree, int64_t *edges, knng_err *err)
{
	int64_t n = A->columns, known;
	knng_tree_edge *best = knng_alloc(n, sizeof *best);
	uint8_t *out = knng_calloc(reach != NULL ? n : 0, sizeof *out);
	knng_status status = KNNG_OK;
	*edges = 0;
	if (best == NULL || out == NULL) {
		knng_free(best);
		knng_free(out);
		return knng_fail_memory(err, "the spanning forest", 17.0 * (double)n);
	}
	knng_parts_begin(part, n);
	for (int64_t i = 0; start != NULL && i < n; i++)
		best[start[i]].i = -1;
	for (int64_t i = 0; start != NULL && i < n; i++) { /* the first node of each part stands in best for a while */
		if (best[start[i]].i < 0)
			best[start[i]].i = (int32_t)i;
		part[i] = best[start[i]].i;
	}
	do {
		known = *edges;
		status = shortest(task, A, part, reach, best, out, err);
		if (status != KNNG_OK)
			break;
		for (int64_t i = 0; shortest_of != NULL && i < n; i++)
			shortest_of[i] = best[i].i >= 0 ? best[i].d : INFINITY;
		if (reach != NULL)
			withdraw(n, part, reach, out, best);
		for (int64_t i = 0; i < n; i++) /* two parts may have taken the same edge */
			if (best[i].i >= 0 && knng_parts_join(part, best[i].i, best[i].j))
				tree[(*edges)++] = best[i];
		knng_parts_flatten(part, n);
	} while (*edges > known);
	for (int64_t i = 0, p = 0; shortest_of != NULL && i < n; i++)
		if (part[i] == i)
			shortest_of[p++] = shortest_of[i];
	number(part, n);
	if (status == KNNG_OK && *edges > 0) {
		const knng_tree_edge *sorted = sort_edges(task, tree, best, *edges);
		if (sorted != tree)
			memcpy(tree, sorted, (size_t)*edges * sizeof *tree);
		status = knng_task_poll(task, err);
	}
	knng_free(best);
	knng_free(out);
	return status;
}

/* ---------------------------------------------------------------- MST-kNN */

KNNG_SORT_LIST(sort_list, size_t)

typedef struct {
	knng_task *task;
	knng_sparse *lists;
} sorting;

static knng_status
sort_job(void *context, int worker, int64_t job, knng_err *err)
{
	(void)worker;
	const sorting *s = context;
	knng_sparse *lists = s->lists;
	knng_part part = knng_part_of(job, COLUMNS, lists->columns);
	knng_status status = KNNG_OK;
	for (int64_t i = part.first; i < part.end && (status = knng_task_poll(s->task, err)) == KNNG_OK; i++) {
		size_t first = lists->start[i];
		for (size_t e = first; e < lists->start[i + 1]; e++)
			lists->value[e] = knng_read_distance(lists->value[e]);
		sort_list(lists->value + first, lists->row + first, (int64_t)(lists->start[i + 1] - first));
	}
	return status;
}

/* Whether `to` is among the k nearest neighbours of `from` within their part: 1, 0; or -1, the list is too short to
 * tell. */
static int
is_near(const knng_sparse *lists, const int32_t *part, int64_t from, int64_t to, int64_t k)
{
	for (size_t e = lists->start[from]; e < lists->start[from + 1]; e++) {
		if (lists->row[e] == (size_t)to)
			return 1;
		k -= part[lists->row[e]] == part[from];
		if (k == 0)
			return 0;
	}
	return -1;
}

typedef struct {
	int32_t *size, *k;     /* [n] of a part: nodes; how many neighbours count */
	int32_t *next, *at;    /* [n] of a node: its part in the next round; how much of its list is read */
	uint8_t *active, *cut; /* [n] of a part: may lose edges; has lost one */
} clusters;

/* c->k of the active parts, from the logarithm of their sizes: made the least that joins a part, if that is smaller.
 * c->next and c->at are scratch. */
static knng_status
least_that_joins(knng_task *task, const knng_sparse *lists, const int32_t *part, int64_t parts, const clusters *c,
		 uint8_t *wanting, knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t n = lists->columns;
	int32_t *apart = c->size; /* of a part: in how many pieces it is; put right at last */
	bool more = true;
	knng_parts_begin(c->next, n);
	memset(c->at, 0, (size_t)n * sizeof *c->at);
	for (int32_t k = 1; more && (status = knng_task_poll(task, err)) == KNNG_OK; k++) { /* every node meets its k-th
											       neighbour */
		more = false;
		for (int64_t i = 0; i < n; i++) {
			int32_t p = part[i];
			if (!c->active[p] || apart[p] == 1 || k > c->k[p])
				continue;
			size_t e = lists->start[i] + (size_t)c->at[i], end = lists->start[i + 1];
			while (e < end && part[lists->row[e]] != p)
				e++;
			if (e < end && knng_parts_join(c->next, (int32_t)i, (int32_t)lists->row[e]) && --apart[p] == 1)
				c->k[p] = k;
			else if (e == end)
				wanting[i] = 1;
			c->at[i] = (int32_t)(e + (e < end) - lists->start[i]);
			more = true;
		}
	}
	memset(c->size, 0, (size_t)parts * sizeof *c->size);
	for (int64_t i = 0; i < n; i++)
		c->size[part[i]]++;
	return status;
}

/* A round: which edges of the active parts are kept. */
typedef struct {
	knng_task *task;
	const knng_sparse *lists;
	const knng_tree_edge *tree;
	int64_t edges;
	const int32_t *part;
	const clusters *c;
	uint8_t *kept, *wanting; /* as knng_mstknn has them; threads write nothing but 0 and 1 there */
	atomic_bool any;         /* one was dropped */
} round_of;

static void
set(uint8_t *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_RELAXED);
}

static knng_status
drop_job(void *context, int worker, int64_t job, knng_err *err)
{
	(void)worker;
	round_of *r = context;
	knng_status status = KNNG_OK;
	const knng_sparse *lists = r->lists;
	knng_part edges = knng_part_of(job, COLUMNS, r->edges);
	for (int64_t e = edges.first; e < edges.end && (status = knng_task_poll(r->task, err)) == KNNG_OK; e++) {
		int32_t i = r->tree[e].i, j = r->tree[e].j, p = r->part[i], k = r->c->k[p];
		if (!r->kept[e] || !r->c->active[p])
			continue;
		if (lists->start[i + 1] - lists->start[i] > lists->start[j + 1] - lists->start[j]) {
			i = r->tree[e].j; /* the shorter list first: a long one may have many edges */
			j = r->tree[e].i;
		}
		int there = is_near(lists, r->part, i, j, k);
		int back = there == 1 ? 1 : is_near(lists, r->part, j, i, k);
		if (there == 1 || back == 1)
			continue;
		r->kept[e] = 0;
		atomic_store(&r->any, true);
		set(&r->c->cut[p]);
		if (there < 0)
			set(&r->wanting[i]);
		if (back < 0)
			set(&r->wanting[j]);
	}
	return status;
}

knng_status
knng_mstknn(knng_task *task, knng_sparse *lists, const knng_tree_edge *tree, int64_t edges, int64_t k, uint8_t *kept,
	    int32_t *part, uint8_t *wanting, knng_err *err)
{
	int64_t n = lists->columns, parts, first = -1;
	clusters c = {.size = knng_alloc(n, sizeof *c.size),
		      .k = knng_alloc(n, sizeof *c.k),
		      .next = knng_alloc(n, sizeof *c.next),
		      .at = knng_alloc(n, sizeof *c.at),
		      .active = knng_calloc(n, 1),
		      .cut = knng_calloc(n, 1)};
	knng_status status = KNNG_OK;
	if (c.size == NULL || c.k == NULL || c.next == NULL || c.at == NULL || c.active == NULL || c.cut == NULL) {
		status = knng_fail_memory(err, "the clusters", 18.0 * (double)n);
		goto done;
	}
	int threads = knng_task_threads_for(task, (double)lists->start[n], WORTH);
	status = knng_task_run(task, threads, knng_parts(COLUMNS, n), sort_job, &(sorting){task, lists}, err);
	memset(kept, 1, (size_t)edges);
	memset(wanting, 0, (size_t)n);
	/* The first part: all that have neighbours, connected or not. */
	for (int64_t i = 0; i < n; i++)
		c.cut[i] = lists->start[i] < lists->start[i + 1];
	for (int64_t e = 0; e < edges; e++)
		c.cut[tree[e].i] = c.cut[tree[e].j] = 1;
	for (int64_t i = 0; i < n; i++) {
		first = first < 0 && c.cut[i] ? i : first;
		part[i] = (int32_t)(c.cut[i] ? first : i);
	}
	parts = number(part, n);
	memset(c.active, 1, (size_t)parts);
	bool more = true;
	for (int64_t round = 0; more && status == KNNG_OK; round++) {
		memset(c.size, 0, (size_t)n * sizeof *c.size);
		for (int64_t i = 0; i < n; i++)
			c.size[part[i]]++;
		for (int64_t p = 0; p < parts; p++)
			c.k[p] = (int32_t)(k > 0 ? k : fmax(1, floor(log((double)c.size[p]))));
		if (k == KNNG_K_JOINS &&
		    (status = least_that_joins(task, lists, part, parts, &c, wanting, err)) != KNNG_OK)
			break;
		memset(c.cut, round == 0, (size_t)n); /* without edges between them, parts are apart from the start */
		round_of r = {task, lists, tree, edges, part, &c, kept, wanting, false};
		status = knng_task_run(task, threads, knng_parts(COLUMNS, edges), drop_job, &r, err);
		more = atomic_load(&r.any) || round == 0;
		knng_parts_begin(c.next, n);
		for (int64_t e = 0; e < edges; e++)
			if (kept[e])
				knng_parts_join(c.next, tree[e].i, tree[e].j);
		parts = number(c.next, n);
		for (int64_t i = 0; i < n; i++)
			c.active[c.next[i]] = c.cut[part[i]];
		memcpy(part, c.next, (size_t)n * sizeof *part);
	}
done:
	knng_free(c.size);
	knng_free(c.k);
	knng_free(c.next);
	knng_free(c.at);
	knng_free(c.active);
	knng_free(c.cut);
	return status;
}
