#include "graph/louvain.h"

#include "base/drawn.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

enum {
	WAYS = 100,     /* up, at most: should roundings of the sums that lie above the nodes let some move forever */
	LOOK = 1 << 12, /* nodes between two looks for Ctrl-C */
};

/* A graph, each edge in the lists of both ends. */
typedef struct {
	int64_t n, *start; /* [n + 1] */
	int32_t *to;       /* ascending in each list */
	double *weight;    /* NULL: all weigh 1 */
	int64_t *strength; /* [n] */
} graph;

typedef struct {
	int64_t strength;
	double edges; /* what those weigh that join it to the node at hand; 0 in between */
} cluster;

/* What goes on at a level. */
typedef struct {
	const graph *g;
	double resolution; /* relative to strengths: an edge's weight less this * both strengths is what it is worth */
	int32_t *of;       /* [n] the cluster of each node */
	cluster *clusters; /* [n] */
	int32_t *size;     /* [n] of each cluster, in nodes */
	int32_t *empty;    /* [n] clusters without nodes, `empties` of them */
	int64_t empties;
	int32_t *met;     /* [n + 1] clusters around the node at hand */
	int32_t *queue;   /* [n] a ring of nodes to look at */
	uint8_t *waiting; /* [n] whether a node is in it */
	uint64_t state;   /* of what is drawn */
} moving;

/* There is most of all where a level of clusters that are clusters of clusters is made: two graphs, what is between
 * the clusters of the second and their strengths, and what goes on; and the sums of modularity. */
enum {
	EDGE_OF_GRAPH = 2 * (sizeof(int32_t) + sizeof(double)), /* at both ends */
	NODE_OF_GRAPH = 2 * sizeof(int64_t),
	EDGE_BETWEEN = sizeof(size_t) + sizeof(double),
	NODE_BETWEEN = sizeof(size_t) + sizeof(int64_t),
	NODE_MOVING = sizeof(cluster) + 5 * sizeof(int32_t) + sizeof(uint8_t),
	EDGE_BYTES = 2 * EDGE_OF_GRAPH + EDGE_BETWEEN,
	NODE_BYTES = 2 * NODE_OF_GRAPH + NODE_BETWEEN + NODE_MOVING + 2 * sizeof(double),
	MORE_BYTES = 2048, /* what arrays have beyond their nodes, and their alignment */
};

/* ---------------------------------------------------------------- graphs */

static void
graph_free(graph *g)
{
	knng_free(g->start);
	knng_free(g->to);
	knng_free(g->weight);
	knng_free(g->strength);
	memset(g, 0, sizeof *g);
}

static inline bool
is_edge(const knng_sparse *A, double above, size_t e, int64_t column)
{
	return (int64_t)A->row[e] < column && A->value[e] > above;
}

/* From the entries of A over the diagonal that are larger than `above`, their weights times scale; 0: all weigh 1.
 * Without strengths. */
static knng_status
mirror(graph *g, const knng_sparse *A, double above, double scale, knng_err *err)
{
	int64_t n = A->columns, *start = knng_calloc(n + 1, sizeof *start);
	*g = (graph){.n = n, .start = start};
	if (start == NULL)
		return knng_fail_memory(err, "the graph", 8.0 * (double)(n + 1));
	for (int64_t j = 0; j < n; j++)
		for (size_t e = A->start[j]; e < A->start[j + 1]; e++)
			if (is_edge(A, above, e, j)) {
				start[A->row[e] + 1]++;
				start[j + 1]++;
			}
	for (int64_t i = 0; i < n; i++)
		start[i + 1] += start[i];
	g->to = knng_alloc(start[n], sizeof *g->to);
	g->weight = scale > 0 ? knng_alloc(start[n], sizeof *g->weight) : NULL;
	if (g->to == NULL || (scale > 0 && g->weight == NULL))
		return knng_fail_memory(err, "the graph", (scale > 0 ? 12.0 : 4.0) * (double)start[n]);
	for (int64_t j = 0; j < n; j++) /* start[i] is where the next entry of list i goes */
		for (size_t e = A->start[j]; e < A->start[j + 1]; e++)
			if (is_edge(A, above, e, j)) {
				int64_t i = (int64_t)A->row[e], one = start[i]++, other = start[j]++;
				g->to[one] = (int32_t)j;
				g->to[other] = (int32_t)i;
				if (scale > 0)
					g->weight[one] = g->weight[other] = scale * A->value[e];
			}
	memmove(start + 1, start, (size_t)n * sizeof *start);
	start[0] = 0;
	return KNNG_OK;
}

/* Strengths as whole numbers, some 2^61 to 2^62 together; *unit is what they count in, *whole their sum. */
static knng_status
weigh_nodes(graph *g, double *unit, int64_t *whole, knng_err *err)
{
	double all = 0;
	if ((g->strength = knng_calloc(g->n, sizeof *g->strength)) == NULL)
		return knng_fail_memory(err, "the graph", 8.0 * (double)g->n);
	for (int64_t e = 0; g->weight != NULL && e < g->start[g->n]; e++)
		all += g->weight[e];
	if (g->weight == NULL)
		all = (double)g->start[g->n];
	int power = 61 - ilogb(all);
	*whole = 0;
	*unit = ldexp(1, -power);
	for (int64_t i = 0; i < g->n; i++) {
		double sum = 0;
		for (int64_t e = g->start[i]; e < g->start[i + 1]; e++)
			sum += g->weight != NULL ? g->weight[e] : 1;
		*whole += g->strength[i] = (int64_t)ldexp(sum, power);
	}
	return KNNG_OK;
}

/* ---------------------------------------------------------------- moves */

/* What it is worth to be in a cluster, from both ends of an edge. */
static inline double
worth(const moving *m, int64_t c, double pull)
{
	return m->clusters[c].edges - pull * (double)m->clusters[c].strength;
}

/* Moves node i to where it gains most; false where it stays. */
static inline __attribute__((always_inline)) bool
move(moving *m, int64_t i, bool weighs)
{
	const graph *g = m->g;
	int32_t own = m->of[i], best = own, mets = 0;
	int64_t first = g->start[i], end = g->start[i + 1];
	cluster *clusters = m->clusters;
	for (int64_t e = first; e < end; e++) {
		int32_t c = m->of[g->to[e]];
		m->met[mets] = c;
		mets += clusters[c].edges == 0;
		clusters[c].edges += weighs ? g->weight[e] : 1;
	}
	double strength = (double)g->strength[i], pull = m->resolution * strength;
	clusters[own].strength -= g->strength[i];
	double stay = worth(m, own, pull), most = stay;
	for (int32_t s = 0; s < mets; s++) {
		double here = worth(m, m->met[s], pull);
		if (here > most) {
			most = here;
			best = m->met[s];
		}
	}
	if (most < 0 && m->size[own] > 1) { /* alone */
		most = 0;
		best = m->empty[m->empties - 1];
	}
	if (best != own) {
		double edges = clusters[own].edges + clusters[best].edges;
		double sizes = pull * ((double)clusters[own].strength + (double)clusters[best].strength);
		if (!(most - stay > 0x1p-51 * ((double)(end - first) * edges + 4 * sizes)))
			best = own;
	}
	for (int32_t s = 0; s < mets; s++)
		clusters[m->met[s]].edges = 0;
	clusters[best].strength += g->strength[i];
	if (best == own)
		return false;
	m->of[i] = best;
	m->empties -= m->size[best]++ == 0;
	if (--m->size[own] == 0)
		m->empty[m->empties++] = own;
	return true;
}

/* Nodes are in the clusters of part, NULL: each in its own, and wait in an order that is drawn. */
static void
begin(moving *m, const graph *g, const int32_t *part)
{
	m->g = g;
	m->empties = 0;
	for (int64_t i = 0; i < g->n; i++) {
		m->of[i] = part != NULL ? part[i] : (int32_t)i;
		m->queue[i] = (int32_t)i;
		m->waiting[i] = 1;
		m->size[i] = 0;
		m->clusters[i] = (cluster){.strength = 0};
	}
	for (int64_t i = 0; i < g->n; i++) {
		m->size[m->of[i]]++;
		m->clusters[m->of[i]].strength += g->strength[i];
	}
	for (int64_t i = 0; i < g->n; i++)
		if (m->size[i] == 0)
			m->empty[m->empties++] = (int32_t)i;
	for (int64_t i = g->n - 1; i > 0; i--) {
		int64_t j = knng_one_of((uint32_t)(knng_drawn(&m->state) >> 32), i + 1);
		int32_t keep = m->queue[i];
		m->queue[i] = m->queue[j];
		m->queue[j] = keep;
	}
}

/* Begins to fetch into the cache what is needed of nodes that are looked at soon, which halves the time where
 * the graph is large. Behind those that wait are others that did. (Where it is not inlined gcc leaves it out, since it
 * has no effect.) */
static inline __attribute__((always_inline)) void
fetch(const moving *m, int64_t at)
{
	const graph *g = m->g;
	int32_t next = m->queue[at];
	int32_t soon = m->queue[at + 8 < g->n ? at + 8 : 0], later = m->queue[at + 16 < g->n ? at + 16 : 0];
	__builtin_prefetch(&g->start[later]);
	__builtin_prefetch(&m->of[later]);
	__builtin_prefetch(g->to + g->start[soon]);
	__builtin_prefetch(g->to + g->start[soon] + 16);
	if (g->weight != NULL)
		__builtin_prefetch(g->weight + g->start[soon]);
	for (int64_t e = g->start[next]; e < g->start[next + 1]; e++)
		__builtin_prefetch(&m->of[g->to[e]]);
}

/* Until none moves; *moved: whether any has. */
static knng_status
settle(knng_task *task, moving *m, bool *moved, knng_err *err)
{
	const graph *g = m->g;
	int64_t n = g->n, at = 0, waits = n;
	double shown = 0;
	*moved = false;
	task->left = (1 - task->done) / 2;
	for (int64_t looks = 0; waits > 0; looks++) {
		if (looks % LOOK == 0) {
			shown = fmax(shown, 1 - (double)waits / (double)n);
			knng_status status = knng_task_step(task, shown, err);
			if (status != KNNG_OK)
				return status;
		}
		int32_t i = m->queue[at];
		at = at + 1 < n ? at + 1 : 0;
		waits--;
		m->waiting[i] = 0;
		fetch(m, at);
		if (!(g->weight != NULL ? move(m, i, true) : move(m, i, false)))
			continue;
		*moved = true;
		for (int64_t e = g->start[i]; e < g->start[i + 1]; e++) {
			int32_t to = g->to[e];
			if (!m->waiting[to] && m->of[to] != m->of[i]) {
				int64_t last = at + waits++;
				m->queue[last < n ? last : last - n] = to;
				m->waiting[to] = 1;
			}
		}
	}
	task->done = 1 - task->left;
	return KNNG_OK;
}

/* Numbers the clusters from 0 in the order of their first nodes; how many there are. */
static int64_t
number(moving *m, int64_t n)
{
	int64_t count = 0;
	for (int64_t i = 0; i < n; i++)
		m->queue[i] = -1;
	for (int64_t i = 0; i < n; i++) {
		int32_t *new = &m->queue[m->of[i]];
		if (*new < 0)
			*new = (int32_t)count++;
		m->of[i] = *new;
	}
	return count;
}

/* ---------------------------------------------------------------- levels */

/* The edges between clusters, those of a cluster to the ones before it. Of the room in m the queue and the sizes are
 * taken: where the nodes of each cluster begin, and the nodes. */
static void
gather(moving *m, int64_t count, knng_sparse *to, int64_t *strength)
{
	const graph *g = m->g;
	int64_t edges = 0;
	int32_t *first = m->size, *nodes = m->queue, *met = m->met;
	memset(first, 0, (size_t)count * sizeof *first);
	for (int64_t i = 0; i < g->n; i++)
		first[m->of[i]]++;
	for (int64_t c = 0, at = 0; c < count; c++) {
		int32_t size = first[c];
		first[c] = (int32_t)at;
		at += size;
	}
	for (int64_t i = 0; i < g->n; i++)
		nodes[first[m->of[i]]++] = (int32_t)i; /* first: where a cluster ends */
	for (int64_t c = 0; c < count; c++)
		m->clusters[c].edges = 0;
	for (int64_t c = 0; c < count; c++) {
		int32_t mets = 0;
		strength[c] = 0;
		for (int64_t s = c > 0 ? first[c - 1] : 0; s < first[c]; s++) {
			int32_t i = nodes[s];
			strength[c] += g->strength[i];
			for (int64_t e = g->start[i]; e < g->start[i + 1]; e++) {
				int32_t other = m->of[g->to[e]];
				if (other >= c)
					continue;
				met[mets] = other;
				mets += m->clusters[other].edges == 0;
				m->clusters[other].edges += g->weight != NULL ? g->weight[e] : 1;
			}
		}
		to->start[c] = (size_t)edges;
		for (int32_t s = 0; s < mets; s++) {
			to->row[edges] = (size_t)met[s];
			to->value[edges++] = m->clusters[met[s]].edges;
			m->clusters[met[s]].edges = 0;
		}
	}
	to->start[count] = (size_t)edges;
}

/* to: the graph of g's clusters; it may be g itself. */
static knng_status
next_level(moving *m, const graph *g, int64_t count, graph *to, knng_err *err)
{
	knng_sparse between = {.rows = count, .columns = count};
	int64_t *strength = knng_alloc(count, sizeof *strength);
	knng_status status = KNNG_OK;
	between.start = knng_alloc(count + 1, sizeof *between.start);
	between.row = knng_alloc(g->start[g->n] / 2, sizeof *between.row);
	between.value = knng_alloc(g->start[g->n] / 2, sizeof *between.value);
	if (strength == NULL || between.start == NULL || between.row == NULL || between.value == NULL)
		status = knng_fail_memory(err, "the graph of clusters", 8.0 * (double)g->start[g->n]);
	else {
		gather(m, count, &between, strength);
		graph_free(to);
		status = mirror(to, &between, 0, 1, err);
		to->strength = strength;
		strength = NULL;
	}
	knng_free(between.start);
	knng_free(between.row);
	knng_free(between.value);
	knng_free(strength);
	return status;
}

static double
modularity(const knng_sparse *A, double above, double scale, double resolution, const int32_t *part, double *strength,
	   double *sum)
{
	int64_t n = A->columns;
	double all = 0, within = 0, squares = 0;
	memset(strength, 0, (size_t)n * sizeof *strength);
	memset(sum, 0, (size_t)n * sizeof *sum);
	for (int64_t j = 0; j < n; j++)
		for (size_t e = A->start[j]; e < A->start[j + 1]; e++)
			if (is_edge(A, above, e, j)) {
				int64_t i = (int64_t)A->row[e];
				double w = scale > 0 ? scale * A->value[e] : 1;
				strength[i] += w;
				strength[j] += w;
				sum[j] += part[i] == part[j] ? 2 * w : 0;
			}
	for (int64_t i = 0; i < n; i++) {
		all += strength[i];
		within += sum[i];
		sum[i] = 0;
	}
	for (int64_t i = 0; i < n; i++)
		sum[part[i]] += strength[i] / all;
	for (int64_t i = 0; i < n; i++)
		squares += sum[i] * sum[i];
	return within / all - resolution * squares;
}

/* One way up, from nodes in the clusters of part (again) or each in its own, level after level, to part. *moved:
 * whether a node has moved at the first one; if not, part is as good as it gets. */
static knng_status
ascend(knng_task *task, moving *m, const graph *nodes, graph *clusters, bool again, int32_t *part, bool *moved,
       knng_err *err)
{
	const graph *g = nodes;
	knng_status status;
	begin(m, g, again ? part : NULL);
	if ((status = settle(task, m, moved, err)) != KNNG_OK)
		return status;
	bool more = *moved;
	int64_t count = number(m, g->n);
	memcpy(part, m->of, (size_t)g->n * sizeof *part);
	while (more && count < g->n) {
		if ((status = next_level(m, g, count, clusters, err)) != KNNG_OK)
			return status;
		g = clusters;
		begin(m, g, NULL);
		if ((status = settle(task, m, &more, err)) != KNNG_OK)
			return status;
		count = number(m, g->n);
		for (int64_t i = 0; i < nodes->n; i++)
			part[i] = m->of[part[i]];
	}
	return KNNG_OK;
}

knng_status
knng_louvain(knng_task *task, const knng_sparse *A, double resolution, uint64_t seed, int32_t *part, double *quality,
	     knng_err *err)
{
	int64_t n = A->columns, edges = 0, whole = 0;
	double least = INFINITY, most = 0, unit = 0, bytes, *sums = NULL;
	moving m = {0};
	graph g = {0}, clusters = {0}; /* what is given, and that of the clusters of a level */
	bool moved = true;
	knng_status status;
	for (int64_t j = 0; j < n; j++)
		for (size_t e = A->start[j]; e < A->start[j + 1]; e++)
			if (is_edge(A, DBL_MIN, e, j)) {
				edges++;
				least = fmin(least, A->value[e]);
				most = fmax(most, A->value[e]);
			}
	for (int64_t i = 0; i < n; i++)
		part[i] = (int32_t)i;
	*quality = NAN;
	if (edges == 0)
		return KNNG_OK;
	bytes = EDGE_BYTES * (double)edges + NODE_BYTES * (double)n + MORE_BYTES;
	if ((status = knng_afford(bytes, "the graph", err)) != KNNG_OK)
		return status;
	/* The largest weighs 1 to 2. What has no room in a double beside it is left out. */
	double scale = least == most ? 0 : ldexp(1, -ilogb(most));
	double above = fmax(DBL_MIN, ldexp(1, ilogb(most) - 1070));
	m.of = knng_alloc(n, sizeof *m.of);
	m.clusters = knng_alloc(n, sizeof *m.clusters);
	m.size = knng_alloc(n, sizeof *m.size);
	m.empty = knng_alloc(n, sizeof *m.empty);
	m.met = knng_alloc(n + 1, sizeof *m.met);
	m.queue = knng_alloc(n, sizeof *m.queue);
	m.waiting = knng_alloc(n, sizeof *m.waiting);
	sums = knng_alloc(2 * n, sizeof *sums);
	if (m.of == NULL || m.clusters == NULL || m.size == NULL || m.empty == NULL || m.met == NULL ||
	    m.queue == NULL || m.waiting == NULL || sums == NULL) {
		status = knng_fail_memory(err, "the clusters", bytes);
		goto done;
	}
	task->stage = "louvain";
	if ((status = mirror(&g, A, above, scale, err)) != KNNG_OK ||
	    (status = weigh_nodes(&g, &unit, &whole, err)) != KNNG_OK)
		goto done;
	m.resolution = resolution / (double)whole * unit;
	m.state = knng_stirred(seed);
	for (int way = 0; moved && way < WAYS && status == KNNG_OK; way++)
		status = ascend(task, &m, &g, &clusters, way > 0, part, &moved, err);
	if (status == KNNG_OK)
		*quality = modularity(A, above, scale, resolution, part, sums, sums + n);
done:
	task->done = task->left = 0;
	graph_free(&clusters);
	graph_free(&g);
	knng_free(m.of);
	knng_free(m.clusters);
	knng_free(m.size);
	knng_free(m.empty);
	knng_free(m.met);
	knng_free(m.queue);
	knng_free(m.waiting);
	knng_free(sums);
	return status;
}
