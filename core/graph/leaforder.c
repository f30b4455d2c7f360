/* leaforder.c  First the tree, where none is given: chains of nearest neighbours (Murtagh 1983), which give that of
 * average linkage in O(n^2). Then its leaves are numbered from left to right, so that every node is a range, and its
 * two children are the halves of it. M(i, j) is the least sum of an order of the node where leaves i and j part, with i
 * at one end and j at the other:
 *
 *     M(i, j) = min over m, k of M(i, m) + D(m, k) + M(k, j),      i, m in one child, k, j in the other,
 *
 * where m is in the child of i's child that i is not in (m = i, M = 0 if i's child is a leaf), and k likewise. The
 * minimum over m is taken first, once for each (i, k), in T. */
#include "graph/leaforder.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

typedef struct {
	int64_t first, middle, end; /* leaves by their place; a leaf has middle = first */
	int64_t i, j, to;           /* in the answer: the leaves at its ends, and where the first of them goes */
} node;

typedef struct {
	int64_t n;
	double *W;      /* n x n: distances of nodes in the making, then D of the leaves by their place */
	double *M;      /* n x n */
	double *T;      /* (i, k) of one node: at most n x n / 4 */
	node *nodes;    /* 2n - 1: leaves by their number, then steps */
	int64_t *child; /* 2 (n - 1) */
	int64_t *at;    /* n: the node in each row of W; then the leaf at each place */
	int64_t *size;  /* n: leaves of the node in a row of W, 0: empty */
	int64_t *chain; /* n: rows of W, each the nearest of the one before */
} ordering;

static knng_status
make_tree(knng_task *task, ordering *w, knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t n = w->n, length = 0;
	for (int64_t i = 0; i < n; i++) {
		w->at[i] = i;
		w->size[i] = 1;
	}
	for (int64_t step = 0; step < n - 1 && (status = knng_task_poll(task, err)) == KNNG_OK;) {
		if (length == 0)
			for (int64_t i = 0; length == 0; i++)
				if (w->size[i] > 0)
					w->chain[length++] = i;
		int64_t a = w->chain[length - 1], before = length > 1 ? w->chain[length - 2] : -1, b = before;
		for (int64_t i = 0; i < n; i++) /* of equal ones the one that the chain came from, then the first */
			if (w->size[i] > 0 && i != a && (b < 0 || w->W[a * n + i] < w->W[a * n + b]))
				b = i;
		if (b != before) {
			w->chain[length++] = b;
			continue;
		}
		length -= 2;
		w->child[2 * step] = w->at[a < b ? a : b];
		w->child[2 * step + 1] = w->at[a < b ? b : a];
		double p = (double)w->size[a] / (double)(w->size[a] + w->size[b]);
		for (int64_t i = 0; i < n; i++)
			w->W[a * n + i] = w->W[i * n + a] = p * w->W[a * n + i] + (1 - p) * w->W[b * n + i];
		w->size[a] += w->size[b];
		w->size[b] = 0;
		w->at[a] = n + step++;
	}
	return status;
}

/* Gives every node its range of places, and every place its leaf. */
static void
place_leaves(ordering *w)
{
	int64_t n = w->n;
	node *v = w->nodes;
	for (int64_t s = 0; s < n; s++)
		v[s].end = 1;
	for (int64_t s = 0; s < n - 1; s++) /* the number of its leaves, for now */
		v[n + s].end = v[w->child[2 * s]].end + v[w->child[2 * s + 1]].end;
	v[2 * n - 2].first = 0;
	for (int64_t s = 2 * n - 2; s >= n; s--) {
		node *left = &v[w->child[2 * (s - n)]], *right = &v[w->child[2 * (s - n) + 1]];
		left->first = v[s].first;
		right->first = v[s].middle = left->first + left->end;
		v[s].end += v[s].first;
	}
	for (int64_t s = 0; s < n; s++) {
		v[s].middle = v[s].first;
		v[s].end += v[s].first;
		w->at[v[s].first] = s;
	}
}

/* Where the other end of `a` may be if place i is at one: in the child that i is not in. Of a leaf it is the leaf. */
static node
across(const node *a, int64_t i)
{
	if (a->middle == a->first)
		return *a;
	return i < a->middle ? (node){.first = a->middle, .end = a->end} : (node){.first = a->first, .end = a->middle};
}

typedef struct {
	knng_task *task;
	const ordering *w;
	const node *left, *right;
} siblings;

enum {
	LEAVES = 8,      /* of the left sibling, a job */
	WORTH = 1 << 11, /* pairs of leaves that make a thread worth waking */
};

/* M between some leaves of the left sibling and all of the right one. */
static knng_status
meet_job(void *context, int worker, int64_t job, knng_err *err)
{
	(void)worker;
	const siblings *s = context;
	knng_status status = KNNG_OK;
	const node *left = s->left, *right = s->right;
	const ordering *w = s->w;
	int64_t n = w->n, wide = right->end - right->first;
	knng_part leaves = knng_part_of(job, LEAVES, left->end - left->first);
	for (int64_t r = leaves.first; r < leaves.end && (status = knng_task_poll(s->task, err)) == KNNG_OK; r++) {
		int64_t i = left->first + r;
		double *T = w->T + r * wide, *M = w->M + i * n;
		node m = across(left, i);
		for (int64_t k = 0; k < wide; k++)
			T[k] = M[right->first + k] = INFINITY;
		for (int64_t e = m.first; e < m.end; e++) {
			const double *D = w->W + e * n + right->first, one = M[e];
#pragma omp simd
			for (int64_t k = 0; k < wide; k++)
				T[k] = T[k] < one + D[k] ? T[k] : one + D[k];
		}
		for (int64_t k = 0; k < wide; k++) {
			node j = across(right, right->first + k);
			const double *rest = w->M + (right->first + k) * n, one = T[k];
#pragma omp simd
			for (int64_t e = j.first; e < j.end; e++)
				M[e] = M[e] < one + rest[e] ? M[e] : one + rest[e];
		}
	}
	return status;
}

static knng_status
solve(knng_task *task, ordering *w, const node *left, const node *right, knng_err *err)
{
	int64_t n = w->n, tall = left->end - left->first, wide = right->end - right->first;
	siblings s = {task, w, left, right};
	knng_status status = knng_task_run(task, knng_task_threads_for(task, (double)tall * (double)wide, WORTH),
					   knng_parts(LEAVES, tall), meet_job, &s, err);
	for (int64_t i = left->first; i < left->end && status == KNNG_OK; i++, status = knng_task_poll(task, err))
		for (int64_t j = right->first; j < right->end; j++)
			w->M[j * n + i] = w->M[i * n + j];
	return status;
}

/* From the root, whose ends are known, to the leaves. */
static void
write_order(const ordering *w, int64_t *order)
{
	int64_t n = w->n;
	node *v = w->nodes;
	for (int64_t s = 2 * n - 2; s >= n; s--) {
		node *a = &v[w->child[2 * (s - n)]], *b = &v[w->child[2 * (s - n) + 1]];
		int64_t i = v[s].i, j = v[s].j;
		if (i >= v[s].middle) {
			node *other = a;
			a = b;
			b = other;
		}
		node m = across(a, i), k = across(b, j);
		double least = INFINITY;
		for (int64_t p = m.first; p < m.end; p++)
			for (int64_t q = k.first; q < k.end; q++) {
				double sum = w->M[i * n + p] + w->W[p * n + q] + w->M[q * n + j];
				if (sum < least || (p == m.first && q == k.first)) {
					least = sum;
					a->j = p;
					b->i = q;
				}
			}
		a->i = i;
		b->j = j;
		a->to = v[s].to;
		b->to = v[s].to + a->end - a->first;
	}
	for (int64_t s = 0; s < n; s++)
		order[v[s].to] = s;
}

/* The ends of the best order of all. */
static double
choose_ends(const ordering *w)
{
	node *root = &w->nodes[2 * w->n - 2];
	double least = INFINITY;
	root->i = root->first;
	root->j = root->middle;
	for (int64_t i = root->first; i < root->middle; i++)
		for (int64_t j = root->middle; j < root->end; j++)
			if (w->M[i * w->n + j] < least) {
				least = w->M[i * w->n + j];
				root->i = i;
				root->j = j;
			}
	root->to = 0;
	return w->n > 1 ? least : 0;
}

knng_status
knng_leaf_order(knng_task *task, int64_t n, const double *D, const int64_t *given, int64_t *order, double *length,
		int64_t *tree, knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t cells;
	ordering w = {.n = n};
	double bytes = 18.0 * (double)n * (double)n + 120.0 * (double)n;
	if (n < 1)
		return KNNG_OK;
	if ((status = knng_afford(bytes, "ordering rows", err)) != KNNG_OK)
		return status;
	if (knng_mul(n, n, 1, &cells)) {
		w.W = knng_alloc(cells, sizeof *w.W);
		w.M = knng_alloc(cells, sizeof *w.M);
		w.T = knng_alloc(cells / 4 + 1, sizeof *w.T);
	}
	w.nodes = knng_calloc(2 * n - 1, sizeof *w.nodes);
	w.child = knng_alloc(2 * n, sizeof *w.child);
	w.at = knng_alloc(n, sizeof *w.at);
	w.size = knng_alloc(n, sizeof *w.size);
	w.chain = knng_alloc(n, sizeof *w.chain);
	if (w.W == NULL || w.M == NULL || w.T == NULL || w.nodes == NULL || w.child == NULL || w.at == NULL ||
	    w.size == NULL || w.chain == NULL) {
		status = knng_fail_memory(err, "ordering rows", bytes);
		goto done;
	}
	if (given != NULL) {
		memcpy(w.child, given, (size_t)(2 * (n - 1)) * sizeof *given);
	} else {
		memcpy(w.W, D, (size_t)cells * sizeof *D);
		status = make_tree(task, &w, err);
	}
	if (status != KNNG_OK)
		goto done;
	place_leaves(&w);
	for (int64_t i = 0; i < n && status == KNNG_OK; i++, status = knng_task_poll(task, err)) {
		for (int64_t j = 0; j < n; j++)
			w.W[i * n + j] = D[w.at[i] * n + w.at[j]];
		w.M[i * n + i] = 0;
	}
	for (int64_t s = 0; s < n - 1 && status == KNNG_OK; s++)
		status = solve(task, &w, &w.nodes[w.child[2 * s]], &w.nodes[w.child[2 * s + 1]], err);
	if (status != KNNG_OK)
		goto done;
	double least = choose_ends(&w);
	write_order(&w, order);
	if (length != NULL)
		*length = least;
	if (tree != NULL)
		memcpy(tree, w.child, (size_t)(2 * (n - 1)) * sizeof *tree);
done:
	knng_free(w.W);
	knng_free(w.M);
	knng_free(w.T);
	knng_free(w.nodes);
	knng_free(w.child);
	knng_free(w.at);
	knng_free(w.size);
	knng_free(w.chain);
	return status;
}
