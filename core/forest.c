/* forest.c  Components by union and find, spanning forests by Boruvka's rounds: every part takes the shortest edge that
 * leaves it. A round reads the graph once, in the order in which it lies, and of nodes it keeps a few numbers; a sort
 * of all edges, as Kruskal's algorithm wants it, would take as much memory as the graph again. */
#include "forest.h"
#include "sys.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- union and find */

/* up[i] <= i leads to the first node of i's part, which leads to itself. Paths are halved on the way. */
static int32_t
first_of(int32_t *up, int32_t i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
}

/* Joins two parts; false if they are one. */
static bool
join(int32_t *up, int32_t i, int32_t j)
{
	i = first_of(up, i);
	j = first_of(up, j);
	if (i < j)
		up[j] = i;
	else
		up[i] = j;
	return i != j;
}

/* Every node leads straight to the first of its part. */
static void
flatten(int32_t *up, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		up[i] = up[up[i]]; /* what stands before it is flat already */
}

static void
each_alone(int32_t *up, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		up[i] = (int32_t)i;
}

/* First nodes become numbers of parts. */
static int64_t
number(int32_t *up, int64_t n)
{
	int64_t parts = 0;
	flatten(up, n);
	for (int64_t i = 0; i < n; i++)
		up[i] = up[i] == i ? (int32_t)parts++ : up[up[i]];
	return parts;
}

void
knng_components(const knng_sparse *A, int32_t *part, int64_t *parts)
{
	each_alone(part, A->columns);
	for (int64_t j = 0; j < A->columns; j++)
		for (size_t e = A->start[j]; e < A->start[j + 1]; e++)
			join(part, (int32_t)A->row[e], (int32_t)j);
	*parts = number(part, A->columns);
}

/* ---------------------------------------------------------------- minimum spanning forests */

static bool
before(const knng_edge *a, const knng_edge *b)
{
	return a->d < b->d || (a->d == b->d && (a->i < b->i || (a->i == b->i && a->j < b->j)));
}

/* Merges runs of 1, 2, 4, … edges; returns a or scratch, where the sorted ones lie. */
static knng_edge *
sort_edges(knng_edge *a, knng_edge *scratch, int64_t n)
{
	for (int64_t width = 1; width < n; width *= 2) {
		for (int64_t start = 0; start < n; start += 2 * width) {
			int64_t middle = start + width < n ? start + width : n;
			int64_t end = middle + width < n ? middle + width : n, i = start, j = middle;
			for (int64_t o = start; o < end; o++)
				scratch[o] = i < middle && (j == end || before(&a[i], &a[j])) ? a[i++] : a[j++];
		}
		knng_edge *swap = a;
		a = scratch;
		scratch = swap;
	}
	return a;
}

/* The shortest edge that leaves each part, into best[its first node]; i = -1 where none does. up is flat. out (or
 * NULL): whether the row of a node has an edge that leaves its part. */
static void
shortest(const knng_sparse *A, const int32_t *up, knng_edge *best, uint8_t *out)
{
	for (int64_t i = 0; i < A->columns; i++)
		best[i].i = -1;
	for (int64_t j = 0; j < A->columns; j++) {
		int32_t c = (int32_t)j;
		knng_edge *of_c = &best[up[c]];
		for (size_t e = A->start[j]; e < A->start[j + 1]; e++) {
			int32_t r = (int32_t)A->row[e];
			if (up[r] == up[c])
				continue;
			knng_edge edge = {knng_read_distance(A->value[e]), r < c ? r : c, r < c ? c : r};
			knng_edge *of_r = &best[up[r]];
			if (of_c->i < 0 || before(&edge, of_c))
				*of_c = edge;
			if (of_r->i < 0 || before(&edge, of_r))
				*of_r = edge;
			if (out != NULL)
				out[r] = 1;
		}
	}
}

/* Takes back the choice of the parts from which a shorter edge may lead that is not known. out becomes zeros. */
static void
withdraw(int64_t n, const int32_t *up, const double *reach, uint8_t *out, knng_edge *best)
{
	for (int64_t i = 0; i < n; i++) {
		knng_edge *of = &best[up[i]];
		if (!out[i] && of->i >= 0 && !(of->d < reach[i]))
			of->i = -1;
		out[i] = 0;
	}
}

knng_status
knng_forest(const knng_sparse *A, const double *reach, const int32_t *start, int32_t *part, double *shortest_of,
	    knng_edge *tree, int64_t *edges, knng_err *err)
{
	int64_t n = A->columns, known;
	knng_edge *best = knng_alloc(n, sizeof *best);
	uint8_t *out = knng_calloc(reach != NULL ? n : 0, sizeof *out);
	*edges = 0;
	if (best == NULL || out == NULL) {
		knng_free(best);
		knng_free(out);
		return knng_fail_memory(err, "the spanning forest", 17.0 * (double)n);
	}
	each_alone(part, n);
	for (int64_t i = 0; start != NULL && i < n; i++)
		best[start[i]].i = -1;
	for (int64_t i = 0; start != NULL && i < n; i++) { /* the first node of each part stands in best for a while */
		if (best[start[i]].i < 0)
			best[start[i]].i = (int32_t)i;
		part[i] = best[start[i]].i;
	}
	do {
		known = *edges;
		shortest(A, part, best, reach != NULL ? out : NULL);
		for (int64_t i = 0; shortest_of != NULL && i < n; i++)
			shortest_of[i] = best[i].i >= 0 ? best[i].d : INFINITY;
		if (reach != NULL)
			withdraw(n, part, reach, out, best);
		for (int64_t i = 0; i < n; i++) /* two parts may have taken the same edge */
			if (best[i].i >= 0 && join(part, best[i].i, best[i].j))
				tree[(*edges)++] = best[i];
		flatten(part, n);
	} while (*edges > known);
	for (int64_t i = 0, p = 0; shortest_of != NULL && i < n; i++)
		if (part[i] == i)
			shortest_of[p++] = shortest_of[i];
	number(part, n);
	if (*edges > 0) {
		const knng_edge *sorted = sort_edges(tree, best, *edges);
		if (sorted != tree)
			memcpy(tree, sorted, (size_t)*edges * sizeof *tree);
	}
	knng_free(best);
	knng_free(out);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- MST-kNN */

/* Whether `to` is among the k nearest neighbours of `from` within their part: 1, 0; or -1, the list is too short to
 * tell. */
static int
is_near(const knng_sparse *lists, const int32_t *part, int64_t from, int64_t to, int64_t k)
{
	size_t first = lists->start[from], end = lists->start[from + 1], at = first;
	int64_t nearer = 0, members = 0;
	while (at < end && lists->row[at] != (size_t)to)
		at++;
	double d = at < end ? knng_read_distance(lists->value[at]) : INFINITY;
	for (size_t e = first; e < end; e++)
		if (part[lists->row[e]] == part[from]) {
			double other = knng_read_distance(lists->value[e]);
			members++;
			nearer += other < d || (other == d && lists->row[e] < (size_t)to);
		}
	return at < end ? nearer < k : members >= k ? 0 : -1;
}

typedef struct {
	int32_t *size, *next;  /* [n] of a part: nodes; of a node: its part in the next round */
	uint8_t *active, *cut; /* [n] of a part: may lose edges; has lost one */
} clusters;

/* Keeps or drops the edges of the active parts; wanting as knng_mstknn has it. True if one was dropped. */
static bool
drop_far(const knng_sparse *lists, const knng_edge *tree, int64_t edges, int64_t fixed, const int32_t *part,
	 const clusters *c, uint8_t *kept, uint8_t *wanting)
{
	int any = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(| : any) if (edges > 4096)
	for (int64_t e = 0; e < edges; e++) {
		int32_t i = tree[e].i, j = tree[e].j, p = part[i];
		if (!kept[e] || !c->active[p])
			continue;
		int64_t k = fixed > 0 ? fixed : (int64_t)fmax(1, floor(log((double)c->size[p])));
		int there = is_near(lists, part, i, j, k), back = there == 1 ? 0 : is_near(lists, part, j, i, k);
		if (there == 1 || back == 1)
			continue;
		kept[e] = 0;
		any = 1;
#pragma omp atomic write
		c->cut[p] = 1;
		if (there < 0) {
#pragma omp atomic write
			wanting[i] = 1;
		}
		if (back < 0) {
#pragma omp atomic write
			wanting[j] = 1;
		}
	}
	return any != 0;
}

knng_status
knng_mstknn(const knng_sparse *lists, const knng_edge *tree, int64_t edges, int64_t k, uint8_t *kept, int32_t *part,
	    uint8_t *wanting, knng_err *err)
{
	int64_t n = lists->columns, first = -1;
	clusters c = {.size = knng_alloc(n, sizeof *c.size),
		      .next = knng_alloc(n, sizeof *c.next),
		      .active = knng_calloc(n, 1),
		      .cut = knng_calloc(n, 1)};
	knng_status status = KNNG_OK;
	if (c.size == NULL || c.next == NULL || c.active == NULL || c.cut == NULL) {
		status = knng_fail_memory(err, "the clusters", 10.0 * (double)n);
		goto done;
	}
	memset(kept, 1, (size_t)edges);
	memset(wanting, 0, (size_t)n);
	for (int64_t i = 0; i < n;
	     i++) /* the first part: all that have neighbours, whether they hang together or not */
		c.cut[i] = lists->start[i] < lists->start[i + 1];
	for (int64_t e = 0; e < edges; e++)
		c.cut[tree[e].i] = c.cut[tree[e].j] = 1;
	for (int64_t i = 0; i < n; i++) {
		first = first < 0 && c.cut[i] ? i : first;
		part[i] = (int32_t)(c.cut[i] ? first : i);
	}
	memset(c.active, 1, (size_t)number(part, n));
	bool more = true;
	for (int64_t round = 0; more; round++) {
		memset(c.size, 0, (size_t)n * sizeof *c.size);
		for (int64_t i = 0; i < n; i++)
			c.size[part[i]]++;
		memset(c.cut, round == 0, (size_t)n); /* without edges between them, parts are apart from the start */
		more = drop_far(lists, tree, edges, k, part, &c, kept, wanting) || round == 0;
		each_alone(c.next, n);
		for (int64_t e = 0; e < edges; e++)
			if (kept[e])
				join(c.next, tree[e].i, tree[e].j);
		number(c.next, n);
		for (int64_t i = 0; i < n; i++)
			c.active[c.next[i]] = c.cut[part[i]];
		memcpy(part, c.next, (size_t)n * sizeof *part);
	}
done:
	knng_free(c.size);
	knng_free(c.next);
	knng_free(c.active);
	knng_free(c.cut);
	return status;
}
