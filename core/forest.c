/* forest.c  Components by union and find, spanning forests by Boruvka's rounds: every part takes the shortest edge that
 * leaves it. A round reads the graph once, in the order in which it lies, and of nodes it keeps a few numbers; a sort
 * of all edges, as Kruskal's algorithm wants it, would take as much memory as the graph again. */
#include "forest.h"
#include "sys.h"

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

/* The shortest edge that leaves each part, into best[its first node]; i = -1 where none does. up is flat. */
static void
shortest(const knng_sparse *A, const int32_t *up, knng_edge *best)
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
		}
	}
}

knng_status
knng_forest(const knng_sparse *A, knng_edge *tree, int64_t *edges, knng_err *err)
{
	int64_t n = A->columns, before_round;
	int32_t *up = knng_alloc(n, sizeof *up);
	knng_edge *best = knng_alloc(n, sizeof *best);
	*edges = 0;
	if (up == NULL || best == NULL) {
		knng_free(up);
		knng_free(best);
		return knng_fail_memory(err, "the spanning forest", 20.0 * (double)n);
	}
	each_alone(up, n);
	do {
		before_round = *edges;
		shortest(A, up, best);
		for (int64_t i = 0; i < n; i++) /* two parts may have taken the same edge */
			if (best[i].i >= 0 && join(up, best[i].i, best[i].j))
				tree[(*edges)++] = best[i];
		flatten(up, n);
	} while (*edges > before_round);
	if (*edges > 0) {
		const knng_edge *sorted = sort_edges(tree, best, *edges);
		if (sorted != tree)
			memcpy(tree, sorted, (size_t)*edges * sizeof *tree);
	}
	knng_free(up);
	knng_free(best);
	return KNNG_OK;
}
