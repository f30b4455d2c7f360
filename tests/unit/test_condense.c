/* test_condense.c  Clusters of density against the definition in plain loops: trees whose lengths are equal as a rule,
 * forests, nodes without edges, the same tree in another order, every choice of clusters, and failures. */
#include "base/sys.h"
#include "graph/condense.h"
#include "knng.h"
#include "testing.h"

enum { MOST = 64 };

/* Of the definition: from the top down. */
typedef struct {
	int64_t n, edges, least;
	const knng_tree_edge *tree;
	int count;
	uint64_t nodes[2 * MOST]; /* of a cluster when it begins */
	int into[2 * MOST];
	double born[2 * MOST], died[2 * MOST], mass[2 * MOST];
	int of[MOST];
	double fell[MOST];
} plain;

static int
count_of(uint64_t nodes)
{
	return __builtin_popcountll(nodes);
}

/* All nodes that edges shorter than `length` connect with one of them, among `nodes`; by all edges where it
 * is NaN. */
static uint64_t
reached(const plain *p, uint64_t nodes, int from, double length)
{
	uint64_t seen = (uint64_t)1 << from, before = 0;
	while (seen != before) {
		before = seen;
		for (int64_t e = 0; e < p->edges; e++) {
			uint64_t i = (uint64_t)1 << p->tree[e].i, j = (uint64_t)1 << p->tree[e].j;
			if (!(p->tree[e].d >= length) && (nodes & i) && (nodes & j) && (seen & (i | j)))
				seen |= i | j;
		}
	}
	return seen;
}

static double
growth(double from, double to)
{
	return to < from ? 1 / to - 1 / from : 0;
}

static void
fall(plain *p, int c, uint64_t nodes, double length)
{
	for (int i = 0; i < p->n; i++)
		if (nodes >> i & 1) {
			p->of[i] = c;
			p->fell[i] = length;
		}
}

static void
take_apart(plain *p, uint64_t nodes, int into, double born)
{
	int c = p->count++;
	p->nodes[c] = nodes;
	p->into[c] = into;
	p->born[c] = born;
	while (nodes != 0) {
		uint64_t parts[MOST], left = nodes;
		int many = 0, large = 0;
		double length = -1;
		for (int64_t e = 0; e < p->edges; e++)
			if ((nodes >> p->tree[e].i & 1) && (nodes >> p->tree[e].j & 1) && p->tree[e].d > length)
				length = p->tree[e].d;
		for (int i = 0; i < p->n; i++)
			if (left >> i & 1) {
				parts[many] = reached(p, nodes, i, length);
				left &= ~parts[many];
				large += count_of(parts[many++]) >= p->least;
			}
		uint64_t next = 0;
		for (int a = 0; a < many; a++) {
			if (count_of(parts[a]) < p->least)
				fall(p, c, parts[a], length);
			else if (large == 1)
				next = parts[a];
			else
				take_apart(p, parts[a], c, length);
		}
		nodes = next;
	}
	p->died[c] = INFINITY;
	p->mass[c] = 0;
	for (int i = 0; i < p->n; i++)
		if (p->of[i] == c) {
			p->died[c] = fmin(p->died[c], p->fell[i]);
			p->mass[c] += growth(born, p->fell[i]);
		}
	for (int d = c + 1; d < p->count; d++)
		if (p->into[d] == c) {
			p->died[c] = fmin(p->died[c], p->born[d]);
			p->mass[c] += growth(born, p->born[d]) * count_of(p->nodes[d]);
		}
}

/* The best sum of clusters within c, and which they are. */
static double
best(const plain *p, const knng_choice *choice, int c, uint64_t *chosen)
{
	double sum = 0;
	uint64_t within = 0;
	for (int d = c + 1; d < p->count; d++)
		if (p->into[d] == c)
			sum += best(p, choice, d, &within);
	bool fits = (choice->most == 0 || count_of(p->nodes[c]) <= choice->most) && (c > 0 || choice->whole);
	if (fits && p->mass[c] >= sum) {
		*chosen |= (uint64_t)1 << c;
		return p->mass[c];
	}
	*chosen |= within;
	return sum;
}

/* The largest sum of clusters none of which is in another, by trying all. */
static double
largest(const plain *p, const knng_choice *choice)
{
	double most = 0;
	for (uint64_t some = 0; some >> p->count == 0; some++) {
		double sum = 0;
		bool right = true;
		for (int c = 0; c < p->count; c++)
			for (int d = p->into[c]; (some >> c & 1) && d >= 0; d = p->into[d])
				right = right && !(some >> d & 1);
		for (int c = 0; c < p->count && right; c++)
			if (some >> c & 1) {
				right = (choice->most == 0 || count_of(p->nodes[c]) <= choice->most) &&
					(c > 0 || choice->whole);
				sum += p->mass[c];
			}
		most = right && sum > most ? sum : most;
	}
	return most;
}

static uint64_t
choose(const plain *p, const knng_choice *choice)
{
	uint64_t chosen = 0, way = 0;
	if (p->count == 0)
		return 0;
	if (!choice->leaves) {
		double sum = best(p, choice, 0, &chosen);
		CHECK(p->count > 12 || sum == largest(p, choice), "%g", sum);
	}
	for (int c = 0; c < p->count && choice->leaves; c++) {
		bool leaf = c > 0 || choice->whole;
		for (int d = 0; d < p->count; d++)
			leaf = leaf && p->into[d] != c;
		chosen |= (uint64_t)leaf << c;
	}
	for (int c = 0; c < p->count; c++) {
		int to = c;
		if (!(chosen >> c & 1))
			continue;
		while (choice->near > 0 && p->born[to] <= choice->near &&
		       (p->into[to] > 0 || (p->into[to] == 0 && choice->whole)))
			to = p->into[to];
		way |= (uint64_t)1 << to;
	}
	for (int c = 0; c < p->count; c++) /* the outermost of these */
		for (int d = p->into[c]; d >= 0; d = p->into[d])
			if (way >> d & 1)
				way &= ~((uint64_t)1 << c);
	return way;
}

static knng_hierarchy
room_for(int64_t n)
{
	return (knng_hierarchy){.of = room(n + 1, sizeof(int32_t)),
				.fell = room(n + 1, sizeof(double)),
				.into = room(n + 1, sizeof(int32_t)),
				.born = room(n + 1, sizeof(double)),
				.died = room(n + 1, sizeof(double)),
				.mass = room(n + 1, sizeof(double)),
				.size = room(n + 1, sizeof(int32_t))};
}

static void
free_room(knng_hierarchy *h)
{
	free(h->of);
	free(h->fell);
	free(h->into);
	free(h->born);
	free(h->died);
	free(h->mass);
	free(h->size);
}

/* Cluster c of the definition is that of h which begins with the same nodes. */
static void
compare(const plain *p, const knng_hierarchy *h, int *same)
{
	CHECK(h->clusters == p->count, "%lld, %d", (long long)h->clusters, p->count);
	for (int c = 0; c < p->count; c++) {
		uint64_t nodes = 0;
		same[c] = -1;
		for (int a = 0; a < h->clusters; a++) {
			nodes = 0;
			for (int i = 0; i < p->n; i++) {
				int of = h->of[i];
				while (of >= 0 && of != a)
					of = h->into[of];
				nodes |= (uint64_t)(of == a) << i;
			}
			if (nodes == p->nodes[c] && (h->into[a] >= 0) == (c > 0))
				same[c] = a;
		}
		int a = same[c];
		CHECK(a >= 0 && h->size[a] == count_of(p->nodes[c]) && h->born[a] == p->born[c] &&
			      h->died[a] == p->died[c] && h->mass[a] == p->mass[c] &&
			      h->into[a] == (c > 0 ? same[p->into[c]] : -1) && (c > 0 || a == h->clusters - 1),
		      "cluster %d, %d", c, a);
	}
	for (int i = 0; i < p->n; i++)
		CHECK(h->fell[i] == p->fell[i] && h->of[i] == (p->of[i] < 0 ? -1 : same[p->of[i]]), "node %d", i);
}

static void
check_choice(const plain *p, const knng_hierarchy *h, const knng_choice *choice)
{
	int32_t label[MOST], number[2 * MOST], numbers = 0;
	double probability[MOST], score[MOST];
	knng_err err = {0};
	uint64_t chosen = choose(p, choice);
	CHECK(knng_choose(p->n, h, choice, label, probability, score, &err) == KNNG_OK, "%s", err.text);
	for (int c = 0; c < p->count; c++)
		number[c] = -1;
	for (int i = 0; i < p->n; i++) {
		double least = INFINITY, fell = p->fell[i];
		int c = p->of[i];
		while (c >= 0 && !(chosen >> c & 1))
			c = p->into[c];
		if (c >= 0 && number[c] < 0)
			number[c] = numbers++;
		for (int o = 0; o < p->n && p->of[i] >= 0; o++)
			if (p->nodes[p->of[i]] >> o & 1)
				least = fmin(least, p->fell[o]);
		CHECK(label[i] == (c < 0 ? -1 : number[c]), "node %d: %d, %d", i, label[i], c);
		CHECK(probability[i] == (c < 0                ? 0
					 : fell <= p->died[c] ? 1
							      : p->died[c] / fell),
		      "node %d: %g", i, probability[i]);
		CHECK(p->of[i] < 0 ? isnan(score[i]) : score[i] == (fell <= least ? 0 : 1 - least / fell),
		      "node %d: %g", i, score[i]);
	}
}

/* Lengths are powers of two, whose inverses have exact sums; levels: how many there are. */
static void
test_tree(int64_t n, int levels, int64_t least, int kind)
{
	static const double lengths[] = {0, 0x1p-3, 0.25, 0.5, 1, 2, 4, INFINITY};
	knng_tree_edge tree[MOST], other[MOST];
	plain p = {.n = n, .least = least, .tree = tree};
	knng_hierarchy h = room_for(n);
	knng_err err = {0};
	knng_task task = {.threads = 1};
	int same[2 * MOST];
	for (int i = 1; i < n; i++) { /* kind 1: a chain; 2: trees apart, nodes alone */
		if (kind == 2 && random_below(4) == 0)
			continue;
		int to = kind == 1 ? i - 1 : (int)random_below(i);
		tree[p.edges++] = (knng_tree_edge){lengths[(levels < 8 ? 1 : 0) + random_below(levels)], to, i};
	}
	for (int64_t e = 1; e < p.edges; e++)
		for (int64_t a = e; a > 0 && tree[a].d < tree[a - 1].d; a--) {
			knng_tree_edge swap = tree[a];
			tree[a] = tree[a - 1];
			tree[a - 1] = swap;
		}
	uint64_t on = 0;
	for (int64_t e = 0; e < p.edges; e++)
		on |= (uint64_t)1 << tree[e].i | (uint64_t)1 << tree[e].j;
	for (int i = 0; i < n; i++) {
		p.of[i] = -1;
		p.fell[i] = INFINITY;
	}
	/* Trees apart are as if joined by edges without end, and less than `least` nodes fall all at once. */
	plain joined = p;
	knng_tree_edge all[2 * MOST];
	memcpy(all, tree, sizeof tree);
	joined.tree = all;
	for (int64_t e = 1; e < p.edges; e++)
		if (!(reached(&joined, on, tree[0].i, NAN) >> tree[e].i & 1))
			all[joined.edges++] = (knng_tree_edge){INFINITY, tree[0].i, tree[e].i};
	if (on != 0)
		take_apart(&joined, on, -1, INFINITY);
	joined.tree = tree;

	CHECK(knng_condense(&task, n, tree, p.edges, least, &h, &err) == KNNG_OK, "%s", err.text);
	compare(&joined, &h, same);
	for (int c = 0; c < 16; c++) {
		knng_choice choice = {.leaves = c & 1,
				      .whole = c >> 1 & 1,
				      .near = c & 4 ? lengths[random_below(8)] : 0,
				      .most = c & 8 ? 1 + random_below(n + 1) : 0};
		check_choice(&joined, &h, &choice);
	}

	/* Edges of one length may come in any order. */
	knng_hierarchy h2 = room_for(n);
	memcpy(other, tree, sizeof tree);
	for (int64_t e = 0; e + 1 < p.edges; e++) {
		int64_t last = e;
		while (last + 1 < p.edges && other[last + 1].d == other[e].d)
			last++;
		int64_t to = e + random_below(last - e + 1);
		knng_tree_edge swap = other[e];
		other[e] = other[to];
		other[to] = swap;
	}
	CHECK(knng_condense(&task, n, other, p.edges, least, &h2, &err) == KNNG_OK, "%s", err.text);
	compare(&joined, &h2, same);
	free_room(&h);
	free_room(&h2);
}

static void
test_failures(void)
{
	enum { N = 40 };
	knng_tree_edge tree[N];
	knng_hierarchy h = room_for(N);
	knng_err err = {0};
	knng_task task = {.threads = 1};
	knng_choice choice = {0};
	int32_t label[N];
	double probability[N], score[N];
	int64_t live = knng_sys().live, nth = 0;
	knng_status status = KNNG_EMEMORY;
	for (int i = 0; i < N - 1; i++)
		tree[i] = (knng_tree_edge){1 + i / 10, i, i + 1};
	while (status == KNNG_EMEMORY && nth < 100) {
		knng_sys_fail_at(++nth);
		status = knng_condense(&task, N, tree, N - 1, 3, &h, &err);
		if (status == KNNG_OK)
			status = knng_choose(N, &h, &choice, label, probability, score, &err);
		CHECK(knng_sys().live == live, "call %lld", (long long)nth);
	}
	knng_sys_fail_at(0);
	CHECK(status == KNNG_OK && nth == 11, "%lld calls", (long long)nth);
	free_room(&h);
}

int
main(void)
{
	static const int64_t sizes[] = {1, 2, 3, 5, 9, 20, 45, MOST};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (int turn = 0; turn < 24; turn++)
			test_tree(sizes[s], turn % 8 < 4 ? 2 + turn % 4 : 8, 2 + turn % 5, turn % 3);
	test_failures();
	return summary();
}
