/* condense.c  From the bottom up: edges join parts, shortest first. A part is a list of nodes as long as it is small;
 * as soon as it is large enough it is a cluster, and what is joined to it later is what would fall out of it. Edges of
 * one length are joined together before anything is made of it: so the order in which they come does not matter, nor
 * which of the spanning trees it is. (Taken one by one they would make clusters that begin and end at one length.) */
#include "graph/condense.h"
#include "base/sys.h"
#include "graph/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK = 1 << 16 };

/* A part, under its first node: nodes that are in no cluster yet, and the clusters that edges of this length join. */
typedef struct {
	int32_t size, head, tail; /* of nodes; -1: none */
	int32_t first, last;      /* clusters; -1: none */
} part;

typedef struct {
	const knng_hierarchy *h;
	int64_t least, clusters;
	int32_t *up;   /* [n] leads to the first node of the part */
	int32_t *next; /* [n] in the list of nodes */
	part *parts;
	int32_t *fallen; /* [settled] nodes in the order of the lengths at which they fall out */
	int64_t settled;
} joining;

/* While clusters are joined, `into` leads to the next one of the list. */
static void
join(joining *w, int32_t i, int32_t j)
{
	i = knng_part_first(w->up, i);
	j = knng_part_first(w->up, j);
	if (i == j)
		return;
	int32_t to = i < j ? i : j, from = i < j ? j : i;
	w->up[from] = to;
	part *a = &w->parts[to], *b = &w->parts[from];
	a->size += b->size;
	if (a->head < 0)
		a->head = b->head;
	else
		w->next[a->tail] = b->head;
	a->tail = b->head < 0 ? a->tail : b->tail;
	if (a->first < 0)
		a->first = b->first;
	else
		w->h->into[a->last] = b->first;
	a->last = b->first < 0 ? a->last : b->last;
}

static int32_t
begin(joining *w, int32_t size)
{
	const knng_hierarchy *h = w->h;
	int32_t c = (int32_t)w->clusters++;
	h->into[c] = -1;
	h->born[c] = INFINITY;
	h->died[c] = INFINITY;
	h->mass[c] = 0;
	h->size[c] = size;
	return c;
}

/* What edges of one length have made of a part. last: it is all there is. */
static void
settle(joining *w, int32_t node, double length, bool last)
{
	const knng_hierarchy *h = w->h;
	part *p = &w->parts[knng_part_first(w->up, node)];
	if (p->first < 0 && p->size < w->least && !last)
		return;
	if (p->first < 0 || p->first != p->last) {
		int32_t c = begin(w, p->size);
		for (int32_t of = p->first, next; of >= 0; of = next) {
			next = h->into[of];
			h->into[of] = c;
			h->born[of] = length;
		}
		p->first = p->last = c;
	}
	h->size[p->first] = p->size;
	for (int32_t i = p->head; i >= 0; i = w->next[i]) {
		h->of[i] = p->first;
		h->fell[i] = length;
		w->fallen[w->settled++] = i;
	}
	p->head = p->tail = -1;
}

/* By how much 1 / length grows. */
static double
growth(double from, double to)
{
	double a = 1 / from, b = 1 / to;
	return b > a ? b - a : 0; /* both may be infinite */
}

/* Stabilities and least lengths. The parts of a cluster begin at one length, and nodes come in the order of theirs,
 * where equal ones add equal terms: so no sum depends on how nodes are numbered, nor on which of the trees it is. */
static void
weigh(const joining *w)
{
	const knng_hierarchy *h = w->h;
	for (int64_t e = 0; e < w->clusters; e++) {
		int32_t c = h->into[e];
		if (c >= 0) {
			h->mass[c] += h->size[e];
			h->died[c] = h->born[e];
		}
	}
	for (int64_t c = 0; c < w->clusters; c++)
		if (h->mass[c] > 0)
			h->mass[c] *= growth(h->born[c], h->died[c]);
	for (int64_t t = 0; t < w->settled; t++) {
		int32_t i = w->fallen[t], c = h->of[i];
		h->mass[c] += growth(h->born[c], h->fell[i]);
		h->died[c] = h->fell[i] < h->died[c] ? h->fell[i] : h->died[c];
	}
}

knng_status
knng_condense(knng_task *task, int64_t n, const knng_tree_edge *tree, int64_t edges, int64_t least, knng_hierarchy *h,
	      knng_err *err)
{
	joining w = {.h = h, .least = least};
	knng_status status = KNNG_OK;
	w.up = knng_alloc(n, sizeof *w.up);
	w.next = knng_alloc(n, sizeof *w.next);
	w.parts = knng_alloc(n, sizeof *w.parts);
	w.fallen = knng_alloc(n, sizeof *w.fallen);
	if (w.up == NULL || w.next == NULL || w.parts == NULL || w.fallen == NULL)
		status = knng_fail_memory(err, "the parts of the tree", 32.0 * (double)n);
	if (status == KNNG_OK)
		knng_parts_begin(w.up, n);
	for (int64_t i = 0; i < n && status == KNNG_OK; i++) {
		w.next[i] = -1;
		w.parts[i] = (part){1, (int32_t)i, (int32_t)i, -1, -1};
		h->of[i] = -1;
		h->fell[i] = INFINITY;
	}
	int64_t end = 0, seen = 0;
	for (int64_t e = 0; e < edges && status == KNNG_OK; e = end) {
		for (end = e; end < edges && tree[end].d == tree[e].d; end++)
			join(&w, tree[end].i, tree[end].j);
		for (int64_t at = e; at < end && tree[e].d < INFINITY; at++) /* those without end: below */
			settle(&w, tree[at].i, tree[at].d, false);
		if (end - seen >= LOOK) {
			seen = end;
			status = knng_task_step(task, (double)end / (double)edges, err);
		}
	}
	if (edges > 0 && status == KNNG_OK) { /* trees apart: as if by edges without end */
		bool apart = false;
		for (int64_t e = 0; e < edges; e++) {
			apart |= knng_part_first(w.up, tree[e].i) != knng_part_first(w.up, tree[0].i);
			join(&w, tree[0].i, tree[e].i);
		}
		settle(&w, tree[0].i, apart ? INFINITY : tree[edges - 1].d, true);
		weigh(&w);
	}
	h->clusters = w.clusters;
	knng_free(w.fallen);
	knng_free(w.parts);
	knng_free(w.next);
	knng_free(w.up);
	return status;
}

/* ---------------------------------------------------------------- which clusters count */

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Those that make the largest sum; parts come before what they are parts of. first and next[count]: room for the parts
 * of each, best and some for numbers: best[c] is the largest sum of c and what is in it. Sums are taken from the
 * smallest on, so that they do not depend on how parts are numbered. */
static void
choose_by_mass(const knng_hierarchy *h, int64_t count, const knng_choice *choice, int32_t *first, int32_t *next,
	       double *best, double *some, uint8_t *chosen)
{
	for (int64_t c = 0; c < count; c++)
		first[c] = -1;
	for (int64_t c = 0; c < count; c++) {
		int64_t parts = 0;
		double sum = 0;
		for (int32_t e = first[c]; e >= 0; e = next[e])
			some[parts++] = best[e];
		if (parts > 2)
			qsort(some, (size_t)parts, sizeof *some, by_size);
		for (int64_t e = 0; e < parts; e++)
			sum += some[e];
		bool fits = (choice->most == 0 || h->size[c] <= choice->most) && (h->into[c] >= 0 || choice->whole);
		chosen[c] = fits && h->mass[c] >= sum;
		best[c] = chosen[c] ? h->mass[c] : sum;
		if (h->into[c] >= 0) {
			next[c] = first[h->into[c]];
			first[h->into[c]] = (int32_t)c;
		}
	}
}

static void
choose_leaves(const knng_hierarchy *h, int64_t count, const knng_choice *choice, uint8_t *chosen)
{
	for (int64_t c = 0; c < count; c++)
		chosen[c] = h->into[c] >= 0 || choice->whole;
	for (int64_t c = 0; c < count; c++)
		if (h->into[c] >= 0)
			chosen[h->into[c]] = 0;
}

/* What is part of a chosen cluster is not chosen itself. */
static void
keep_outermost(const knng_hierarchy *h, int64_t count, uint8_t *chosen, uint8_t *inside)
{
	for (int64_t c = count - 1; c >= 0; c--) {
		int32_t of = h->into[c];
		inside[c] = of >= 0 && (inside[of] || chosen[of]);
		if (inside[c])
			chosen[c] = 0;
	}
}

/* Of clusters that begin so near to each other, what they are part of. */
static void
give_way(const knng_hierarchy *h, int64_t count, const knng_choice *choice, uint8_t *chosen)
{
	for (int64_t c = 0; c < count; c++) {
		int32_t to = (int32_t)c;
		if (!chosen[c] || h->born[c] > choice->near)
			continue;
		while (h->born[to] <= choice->near && h->into[to] >= 0 && (h->into[h->into[to]] >= 0 || choice->whole))
			to = h->into[to];
		chosen[c] = 0;
		chosen[to] = 1;
	}
}

/* Numbers of the chosen clusters in the order of their first nodes, for all clusters within them too. */
static void
number(int64_t n, const knng_hierarchy *h, int64_t count, const uint8_t *chosen, int32_t *in, int32_t *number_of,
       int32_t *label)
{
	int32_t numbers = 0;
	for (int64_t c = count - 1; c >= 0; c--) {
		in[c] = chosen[c] ? (int32_t)c : h->into[c] >= 0 ? in[h->into[c]] : -1;
		number_of[c] = -1;
	}
	for (int64_t i = 0; i < n; i++) {
		int32_t c = h->of[i] >= 0 ? in[h->of[i]] : -1;
		label[i] = -1;
		if (c < 0)
			continue;
		if (number_of[c] < 0)
			number_of[c] = numbers++;
		label[i] = number_of[c];
	}
}

knng_status
knng_choose(int64_t n, const knng_hierarchy *h, const knng_choice *choice, int32_t *label, double *probability,
	    double *score, knng_err *err)
{
	int64_t count = h->clusters;
	knng_status status = KNNG_OK;
	double *sum = knng_alloc(count, sizeof *sum), *some = knng_alloc(count, sizeof *some);
	uint8_t *chosen = knng_calloc(count, 1), *inside = knng_calloc(count, 1);
	int32_t *in = knng_alloc(count, sizeof *in), *number_of = knng_alloc(count, sizeof *number_of);
	if (sum == NULL || some == NULL || chosen == NULL || inside == NULL || in == NULL || number_of == NULL) {
		status = knng_fail_memory(err, "the clusters", 26.0 * (double)count);
		goto end;
	}
	if (choice->leaves)
		choose_leaves(h, count, choice, chosen);
	else
		choose_by_mass(h, count, choice, in, number_of, sum, some, chosen);
	keep_outermost(h, count, chosen, inside);
	if (choice->near > 0) {
		give_way(h, count, choice, chosen);
		keep_outermost(h, count, chosen, inside);
	}
	number(n, h, count, chosen, in, number_of, label);
	/* The least length of a cluster with its parts. */
	memcpy(sum, h->died, (size_t)count * sizeof *sum);
	for (int64_t c = 0; c < count; c++)
		if (h->into[c] >= 0 && sum[c] < sum[h->into[c]])
			sum[h->into[c]] = sum[c];
	for (int64_t i = 0; i < n; i++) {
		int32_t of = h->of[i], c = of >= 0 ? in[of] : -1;
		double fell = h->fell[i], least = of >= 0 ? sum[of] : NAN;
		probability[i] = c < 0 ? 0 : fell <= h->died[c] ? 1 : h->died[c] / fell;
		score[i] = of < 0 ? NAN : fell <= least ? 0 : 1 - least / fell;
	}
end:
	knng_free(number_of);
	knng_free(in);
	knng_free(inside);
	knng_free(chosen);
	knng_free(some);
	knng_free(sum);
	return status;
}
