/* graph_builder.c  Builds a graph from what a parser finds in a file; see graph_builder.h. */
#include "io/graph_builder.h"
#include "base/sort.h"
#include "io/write.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- nodes and edges as they come ---- */

enum { LARGE = 1 << 24 }; /* bytes from which on it is asked whether the machine has them */

bool
knng_graph_grow(void **array, int64_t count, int64_t *room, int64_t least, size_t size)
{
	int64_t larger = *room > 0 ? 2 * *room : 64;
	if (larger < least)
		larger = least;
	bool possible = (double)larger * (double)size < LARGE ||
			knng_afford((double)larger * (double)size, "", NULL) == KNNG_OK;
	void *to = possible ? knng_alloc(larger, size) : NULL;
	if (to == NULL)
		return false;
	if (count > 0)
		memcpy(to, *array, (size_t)count * size);
	knng_free(*array);
	*array = to;
	*room = larger;
	return true;
}

knng_status
knng_graph_node(knng_graph_builder *b, knng_err *err)
{
	if (b->n == b->node_room && !knng_graph_grow((void **)&b->node, b->n, &b->node_room, 0, sizeof *b->node))
		return knng_fail_memory(err, "the nodes of a file", 2.0 * sizeof *b->node * (double)b->n);
	if (b->n == KNNG_MAX_NODES)
		return knng_text_fail(b->t, err, "there are more than %d nodes", KNNG_MAX_NODES);
	b->node[b->n++] = (knng_node){.x = NAN, .y = NAN};
	return KNNG_OK;
}

knng_status
knng_graph_new_id(knng_graph_builder *b, const char *id, int64_t length, int64_t *node, knng_err *err)
{
	char q[KNNG_QUOTED + 8];
	*node = knng_names_add(&b->ids, id, length);
	if (*node < 0)
		return knng_fail_memory(err, "the nodes of a file", 100.0 * (double)b->n);
	if (*node < b->n)
		return knng_text_fail(b->t, err, "the node %s is there a second time",
				      knng_text_quote(id, id + length, q));
	return knng_graph_node(b, err);
}

knng_status
knng_graph_find_id(knng_graph_builder *b, const char *id, int64_t length, int64_t *node, knng_err *err)
{
	char q[KNNG_QUOTED + 8];
	*node = knng_names_find(&b->ids, id, length);
	if (*node >= 0)
		return KNNG_OK;
	b->forward = true;
	return knng_text_fail(b->t, err, "an edge names the node %s, which the file does not have",
			      knng_text_quote(id, id + length, q));
}

knng_status
knng_graph_group(knng_graph_builder *b, int64_t node, const char *label, int64_t length, knng_err *err)
{
	if (length == 0)
		return KNNG_OK;
	b->node[node].group = knng_names_add(&b->group, label, length) + 1;
	return b->node[node].group > 0 ? KNNG_OK
				       : knng_fail_memory(err, "the groups of a file", 100.0 * (double)b->group.count);
}

knng_status
knng_graph_room(knng_graph_builder *b, int64_t edges, knng_err *err)
{
	if (edges <= b->edge_room - b->edges ||
	    knng_graph_grow((void **)&b->edge, b->edges, &b->edge_room, b->edges + edges, sizeof *b->edge))
		return KNNG_OK;
	return knng_fail_memory(err, "the edges of a file", 2.0 * sizeof *b->edge * (double)(b->edges + edges));
}

/* An edge is there a second time, with another weight. */
static knng_status
fail_contradiction(const knng_graph_builder *b, int64_t from, int64_t to, knng_err *err)
{
	char text[2][KNNG_QUOTED + 8];
	int64_t node[2] = {from, to};
	for (int c = 0; c < 2; c++)
		if (b->ids.count > 0) {
			const knng_name *id = &b->ids.name[node[c]];
			knng_text_quote(id->text, id->text + id->length, text[c]);
		} else
			snprintf(text[c], sizeof text[c], "%lld (from 1)", (long long)node[c] + 1);
	return knng_text_fail(
		b->t, err,
		"the edge from node %s to node %s is there a second time, with another weight, and a matrix "
		"has place for one",
		text[0], text[1]);
}

static bool
same(const double *a, const double *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

static double
no_weight(void)
{
	uint64_t bits = UINT64_C(0x7FF8000000000001);
	double w;
	memcpy(&w, &bits, sizeof w);
	return w;
}

static inline knng_status
add(knng_graph_builder *b, int64_t from, int64_t to, double weight, knng_err *err)
{
	if (b->edges == b->edge_room) {
		knng_status status = knng_graph_room(b, 1, err);
		if (status != KNNG_OK)
			return status;
	}
	if (b->edges == b->again)
		return fail_contradiction(b, from, to, err);
	b->sorted = b->sorted && (b->edges == 0 || b->edge[b->edges - 1].from <= from);
	b->edge[b->edges++] = (knng_file_edge){(int32_t)from, (int32_t)to, weight};
	return KNNG_OK;
}

knng_status
knng_graph_edge(knng_graph_builder *b, int64_t from, int64_t to, const double *weight, bool both, knng_err *err)
{
	/* What no weight is, is not known before the end; as long it is a NaN that no text makes. */
	double w = weight == NULL ? no_weight() : *weight == 0 ? DBL_MIN : *weight;
	b->weighted = b->weighted || weight != NULL;
	b->unweighted = b->unweighted || weight == NULL;
	b->directed = b->directed || !both;
	knng_status status = add(b, from, to, w, err);
	return status == KNNG_OK && both && from != to ? add(b, to, from, w, err) : status;
}

knng_status
knng_graph_weight(const knng_graph_builder *b, char *p, const char *end, double *weight, knng_err *err)
{
	char q[KNNG_QUOTED + 8];
	if (knng_text_value(b->t, p, end, weight))
		return KNNG_OK;
	return knng_text_fail(b->t, err,
			      "found %s, expected a number, for the weight of an edge or the place of a node",
			      knng_text_quote(p, end, q));
}

/* ---- the whole graph ---- */

/* Are these texts the numbers from 0 or from 1 on, in order? Then they say nothing. Ids may each have an n in front. */
static bool
are_numbers(const knng_name *name, int64_t n, size_t stride, bool ids)
{
	int64_t first = 0;
	bool lettered = false;
	for (int64_t i = 0; i < n; i++, name = (const knng_name *)((const char *)name + stride)) {
		const char *p = name->text, *end = p + name->length;
		int64_t value = 0;
		if (i == 0)
			lettered = ids && name->length > 0 && *p == 'n';
		if (name->length < 1 + lettered || name->length > 10 + lettered || (lettered && *p != 'n'))
			return false;
		p += lettered;
		if (*p == '0' && end - p > 1)
			return false;
		for (; p < end && is_digit(*p); p++)
			value = value * 10 + (*p - '0');
		if (i == 0)
			first = value;
		if (p < end || first > 1 || value != first + i)
			return false;
	}
	return true;
}

void
knng_graph_free(knng_graph *g)
{
	knng_free(g->start);
	knng_free(g->row);
	knng_free(g->weight);
	knng_free(g->names);
	knng_free(g->groups);
	knng_free(g->group);
	knng_free(g->positions);
	knng_free(g->text);
	*g = (knng_graph){0};
}

static void
free_builder(knng_graph_builder *b)
{
	knng_free(b->node);
	knng_free(b->edge);
	knng_names_free(&b->ids);
	knng_names_free(&b->group);
}

/* The edges by `from`, the same ones in the order of the file; NULL without memory. */
static knng_file_edge *
sort_by_from(const knng_graph_builder *b)
{
	size_t *place = knng_calloc(b->n + 1, sizeof *place);
	knng_file_edge *to = knng_alloc(b->edges + 1, sizeof *to);
	if (place == NULL || to == NULL) {
		knng_free(place);
		knng_free(to);
		return NULL;
	}
	for (int64_t e = 0; e < b->edges; e++)
		place[b->edge[e].from + 1]++;
	knng_add_up(place, b->n);
	for (int64_t e = 0; e < b->edges; e++)
		to[place[b->edge[e].from]++] = b->edge[e];
	knng_free(place);
	return to;
}

/* The first edge that was there before with another weight. */
static int64_t
find_contradiction(const knng_graph_builder *b, int64_t from, int64_t to)
{
	const double *weight = NULL;
	int64_t e = 0;
	for (; e < b->edges; e++)
		if (b->edge[e].from == from && b->edge[e].to == to) {
			if (weight != NULL && !same(weight, &b->edge[e].weight))
				break;
			weight = &b->edge[e].weight;
		}
	return e;
}

/* The edges as columns. An edge that stands twice counts once; if its weights differ, *again is its number. O(n +
 * edges). */
static knng_status
make_columns(knng_graph_builder *b, knng_graph *g, int64_t *again, knng_err *err)
{
	int64_t n = b->n;
	knng_file_edge *sorted = NULL;
	const knng_file_edge *edge = b->edge;
	double bytes = 16.0 * (double)n + 32.0 * (double)b->edges;

	*again = -1;
	double none = no_weight();
	for (int64_t e = 0; b->unweighted && e < b->edges; e++)
		if (same(&b->edge[e].weight, &none))
			b->edge[e].weight = b->weighted ? NAN : 1;
	/* A line can promise more nodes than the machine has room for. */
	knng_status status = knng_afford(bytes, "the graph of a file", err);
	if (status != KNNG_OK)
		return status;
	if ((g->start = knng_calloc(n + 1, sizeof *g->start)) == NULL ||
	    (g->row = knng_alloc(b->edges + 1, sizeof *g->row)) == NULL ||
	    (g->weight = knng_alloc(b->edges + 1, sizeof *g->weight)) == NULL ||
	    (!b->sorted && (edge = sorted = sort_by_from(b)) == NULL))
		return knng_fail_memory(err, "the graph of a file", bytes);
	for (int64_t e = 0; e < b->edges; e++)
		g->start[edge[e].to + 1]++;
	knng_add_up(g->start, n);
	for (int64_t e = 0; e < b->edges; e++) {
		size_t at = g->start[edge[e].to]++;
		g->row[at] = (size_t)edge[e].from;
		g->weight[at] = edge[e].weight;
	}
	knng_free(sorted);
	knng_step_back(g->start, n);
	size_t have = 0, end = 0;
	for (int64_t j = 0; j < n; j++) {
		size_t from = end, first = have;
		end = g->start[j + 1];
		g->start[j] = first;
		for (size_t e = from; e < end; e++)
			if (have == first || g->row[have - 1] != g->row[e]) {
				g->row[have] = g->row[e];
				g->weight[have++] = g->weight[e];
			} else if (!same(&g->weight[have - 1], &g->weight[e])) {
				*again = find_contradiction(b, (int64_t)g->row[e], j);
				return KNNG_OK;
			}
	}
	g->start[n] = have;
	g->n = n;
	g->directed = b->directed;
	return KNNG_OK;
}

static char *
spell(const knng_graph_builder *b, knng_name name, char *to)
{
	if (b->f->spelled != NULL)
		to += b->f->spelled(name.text, name.length, to);
	else if (name.length > 0)
		to = mempcpy(to, name.text, (size_t)name.length);
	*to++ = '\0';
	return to;
}

/* Names, groups and positions. Ids are the names where there are no others. */
static knng_status
make_descriptions(knng_graph_builder *b, knng_graph *g, knng_err *err)
{
	int64_t n = b->n, bytes = 0;
	bool named = false, placed = false;
	for (int64_t i = 0; b->node != NULL && i < n; i++) {
		named = named || b->node[i].name.text != NULL;
		placed = placed || (!isnan(b->node[i].x) && !isnan(b->node[i].y));
	}
	const knng_name *name = named ? &b->node->name : b->ids.name;
	size_t stride = named ? sizeof *b->node : sizeof *name;
	bool ids = !named && b->node != NULL; /* in a CSV file they are names */
	named = named || b->ids.count > 0;
	if (named && are_numbers(name, n, stride, ids))
		named = false;
#define NAME(i) ((const knng_name *)((const char *)name + (size_t)(i)*stride))
	for (int64_t i = 0; named && i < n; i++)
		bytes += NAME(i)->length + 1;
	for (int64_t c = 0; c < b->group.count; c++)
		bytes += b->group.name[c].length + 1;
	if ((bytes > 0 && (g->text = knng_alloc(bytes, 1)) == NULL) ||
	    (named && (g->names = knng_alloc(n, sizeof *g->names)) == NULL) ||
	    (b->group.count > 0 && ((g->groups = knng_alloc(b->group.count, sizeof *g->groups)) == NULL ||
				    (g->group = knng_alloc(n, sizeof *g->group)) == NULL)) ||
	    (placed && (g->positions = knng_alloc(2 * n, sizeof *g->positions)) == NULL))
		return knng_fail_memory(err, "the nodes of a file", (double)bytes + 32.0 * (double)n);
	char *at = g->text;
	for (int64_t i = 0; named && i < n; i++) {
		g->names[i] = at;
		at = spell(b, *NAME(i), at);
	}
#undef NAME
	g->ngroups = b->group.count;
	for (int64_t c = 0; c < g->ngroups; c++) {
		g->groups[c] = at;
		at = spell(b, b->group.name[c], at);
	}
	for (int64_t i = 0; g->group != NULL && i < n; i++)
		g->group[i] = b->node[i].group;
	for (int64_t i = 0; placed && i < n; i++) {
		g->positions[i] = b->node[i].x;
		g->positions[n + i] = b->node[i].y;
	}
	return KNNG_OK;
}

/* That the file was UTF-8; a character that the end of the file cuts is not looked at. */
static knng_status
check_utf8(const knng_text *t, knng_err *err)
{
	if (t->foreign.line == 0 || t->foreign.left < 4)
		return KNNG_OK;
	knng_text there = *t;
	there.line = t->foreign.line;
	return knng_text_fail(
		&there, err,
		"found the byte %02X, expected text in UTF-8: turn the file into it, as iconv -f ISO-8859-1 -t "
		"UTF-8 does from Latin-1",
		(unsigned)t->foreign.byte);
}

knng_status
knng_graph_parse(knng_text *t, knng_content *content, const knng_graph_format *f, knng_err *err)
{
	char *at = t->at;
	int64_t line = t->line, again = -1;
	bool nodes_first = false, done = false;
	knng_status status = f->utf8 ? check_utf8(t, err) : KNNG_OK;

	if (status != KNNG_OK)
		return status;
	while (!done) {
		knng_graph_builder b = {.t = t, .f = f, .sorted = true, .again = again};
		for (b.pass = nodes_first ? KNNG_PASS_NODES : KNNG_PASS_ALL;; b.pass++) {
			t->at = at;
			t->line = line;
			status = f->parse(&b, err);
			if (status != KNNG_OK || b.pass != KNNG_PASS_NODES)
				break;
		}
		if (status != KNNG_OK && b.forward && !nodes_first) {
			nodes_first = true;
		} else if (status != KNNG_OK) {
			done = true;
		} else {
			status = make_columns(&b, &content->graph, &again, err);
			done = again < 0;
			if (done && status == KNNG_OK)
				status = make_descriptions(&b, &content->graph, err);
		}
		free_builder(&b);
		if (!done)
			knng_graph_free(&content->graph);
	}
	return status;
}
