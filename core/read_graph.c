/* read_graph.c  Building a graph from a file; and the formats that are lists of edges: .knn, MatrixMarket, Pajek, CSV.
 */
#include "read_graph.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- nodes and edges as they come ---- */

/* Twice the room of an array of `count` elements. */
static bool
grow(void **array, int64_t count, int64_t *room, int64_t least, size_t size)
{
	int64_t larger = *room > 0 ? 2 * *room : 64;
	if (larger < least)
		larger = least;
	void *to = knng_alloc(larger, size);
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
	if (b->n == b->node_room && !grow((void **)&b->node, b->n, &b->node_room, 0, sizeof *b->node))
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
	    grow((void **)&b->edge, b->edges, &b->edge_room, b->edges + edges, sizeof *b->edge))
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
	b->edge[b->edges++] = (knng_edge){(int32_t)from, (int32_t)to, weight};
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
	return knng_text_fail(b->t, err, "found %s, expected a number, the weight of an edge",
			      knng_text_quote(p, end, q));
}

/* ---- names ---- */

/* Writes a character as UTF-8; the bytes. */
static int64_t
put_character(uint32_t c, char *to)
{
	int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
	to[0] = (char)(lead[more] | c >> 6 * more);
	for (int i = 1; i <= more; i++)
		to[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3F));
	return more + 1;
}

/* The character of &#N; or &#xN; at p, and its end; NULL if it is none, or one that no text has. */
static const char *
numbered_character(const char *p, const char *end, uint32_t *c)
{
	int base = p + 3 < end && (p[2] == 'x' || p[2] == 'X') ? 16 : 10, digits = 0;
	*c = 0;
	for (p += base == 16 ? 3 : 2; p < end && *c < 0x110000; p++, digits++) {
		int digit = is_digit(*p)                                         ? *p - '0'
			    : base == 16 && lower(*p) >= 'a' && lower(*p) <= 'f' ? lower(*p) - 'a' + 10
										 : -1;
		if (digit < 0)
			break;
		*c = *c * (uint32_t)base + (uint32_t)digit;
	}
	bool good = digits > 0 && p < end && *p == ';' && *c > 0 && *c < 0x110000 && (*c < 0xD800 || *c > 0xDFFF);
	return good ? p + 1 : NULL;
}

/* Entities, the named ones too or the numbers alone. What is none stays as it is. */
static int64_t
resolve(const char *p, int64_t length, char *to, bool named)
{
	static const struct {
		const char *name;
		int length;
		char c;
	} entities[] = {{"&amp;", 5, '&'}, {"&lt;", 4, '<'}, {"&gt;", 4, '>'}, {"&quot;", 6, '"'}, {"&apos;", 6, '\''}};
	enum { COUNT = sizeof entities / sizeof *entities };
	const char *end = p + length;
	char *start = to;
	while (p < end) {
		uint32_t c;
		const char *after = NULL;
		if (*p == '&' && p + 1 < end && p[1] == '#' && (after = numbered_character(p, end, &c)) != NULL)
			to += put_character(c, to);
		for (int i = 0; *p == '&' && named && after == NULL && i < COUNT; i++)
			if (end - p >= entities[i].length &&
			    memcmp(p, entities[i].name, (size_t)entities[i].length) == 0) {
				*to++ = entities[i].c;
				after = p + entities[i].length;
			}
		if (after == NULL)
			*to++ = *p;
		p = after != NULL ? after : p + 1;
	}
	return to - start;
}

int64_t
knng_graph_entities(const char *piece, int64_t length, char *to)
{
	return resolve(piece, length, to, true);
}

static int64_t
pajek_text(const char *piece, int64_t length, char *to)
{
	return resolve(piece, length, to, false);
}

/* A field of a CSV file, without the quotes around it; inside they stand twice. */
static int64_t
csv_text(const char *piece, int64_t length, char *to)
{
	char *start = to;
	for (int64_t i = 0; i < length; i++) {
		*to++ = piece[i];
		i += piece[i] == '"';
	}
	return to - start;
}

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

/* ---- the whole graph ---- */

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

/* Counts in place[1 + …] to beginnings in place[…]; the last place is the number of all. */
static void
accumulate(size_t *place, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		place[i + 1] += place[i];
}

/* After every place was moved to the next one's beginning. */
static void
shift_back(size_t *place, int64_t n)
{
	for (int64_t i = n; i > 0; i--)
		place[i] = place[i - 1];
	place[0] = 0;
}

/* The edges by `from`, the same ones in the order of the file; NULL without memory. */
static knng_edge *
sort_by_from(const knng_graph_builder *b)
{
	size_t *place = knng_calloc(b->n + 1, sizeof *place);
	knng_edge *to = knng_alloc(b->edges + 1, sizeof *to);
	if (place == NULL || to == NULL) {
		knng_free(place);
		knng_free(to);
		return NULL;
	}
	for (int64_t e = 0; e < b->edges; e++)
		place[b->edge[e].from + 1]++;
	accumulate(place, b->n);
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
	knng_edge *sorted = NULL;
	const knng_edge *edge = b->edge;
	double bytes = 16.0 * (double)n + 32.0 * (double)b->edges;

	*again = -1;
	double none = no_weight();
	for (int64_t e = 0; b->unweighted && e < b->edges; e++)
		if (same(&b->edge[e].weight, &none))
			b->edge[e].weight = b->weighted ? NAN : 1;
	/* A line can promise more nodes than the machine has room for, which it would hand out and then choke on. */
	bool possible = 3.0 * bytes < (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
	if (!possible || (g->start = knng_calloc(n + 1, sizeof *g->start)) == NULL ||
	    (g->row = knng_alloc(b->edges + 1, sizeof *g->row)) == NULL ||
	    (g->weight = knng_alloc(b->edges + 1, sizeof *g->weight)) == NULL ||
	    (!b->sorted && (edge = sorted = sort_by_from(b)) == NULL))
		return knng_fail_memory(err, "the graph of a file", bytes);
	for (int64_t e = 0; e < b->edges; e++)
		g->start[edge[e].to + 1]++;
	accumulate(g->start, n);
	for (int64_t e = 0; e < b->edges; e++) {
		size_t at = g->start[edge[e].to]++;
		g->row[at] = (size_t)edge[e].from;
		g->weight[at] = edge[e].weight;
	}
	knng_free(sorted);
	shift_back(g->start, n);
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

knng_status
knng_graph_parse(knng_text *t, knng_content *content, const knng_graph_format *f, knng_err *err)
{
	char *at = t->at;
	int64_t line = t->line, again = -1;
	bool nodes_first = false, done = false;
	knng_status status = KNNG_OK;

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

/* ---- lists of edges by numbers ---- */

typedef enum { NO_WEIGHT, A_WEIGHT, PERHAPS_WEIGHT } weighting;

/* The line 'from to weight' at t->at, which moves to its end. With PERHAPS_WEIGHT it may have more behind it, and
 * without one its weight is 1. */
static knng_status
number_edge(knng_graph_builder *b, int64_t base, weighting how, bool both, knng_err *err)
{
	knng_text *t = b->t;
	char *p = t->at;
	int64_t node[2];
	double weight;
	bool weighted = false;
	knng_status status;
	for (int c = 0; c < 2; c++) {
		char *end = knng_text_count(p, &node[c]);
		if (end == NULL || node[c] < base || node[c] >= b->n + base) {
			char expected[80];
			snprintf(expected, sizeof expected, "a node, a whole number from %lld to %lld", (long long)base,
				 (long long)(b->n + base - 1));
			return knng_text_fail_found(t, p, expected, err);
		}
		p = skip_blanks(end);
	}
	if (how == A_WEIGHT && is_end(*p))
		return knng_text_fail_found(t, p, "a number, the weight of an edge", err);
	if (how != NO_WEIGHT && !is_end(*p)) {
		char *end = knng_text_number(t, p, &weight);
		weighted = end != NULL && (is_blank(*end) || is_end(*end));
		if (!weighted) {
			end = skip_word(p);
			weighted = knng_text_value(t, p, end, &weight);
		}
		if (!weighted && how == A_WEIGHT)
			return knng_text_fail_found(t, p, "a number, the weight of an edge", err);
		p = skip_blanks(end);
	}
	while (how == PERHAPS_WEIGHT && !is_end(*p))
		p++;
	if (!is_end(*p))
		return knng_text_fail_found(t, p, "the end of the line", err);
	status = knng_graph_edge(b, node[0] - base, node[1] - base, weighted ? &weight : NULL, both, err);
	t->at = p;
	return status;
}

/* `edges` lines, and nothing behind them. The header is believed only as far as the bytes can hold it. */
static knng_status
number_edges(knng_graph_builder *b, int64_t edges, int64_t least, int64_t base, weighting how, bool both, knng_err *err)
{
	knng_text *t = b->t;
	knng_status status;
	int64_t bytes = t->end - t->at;
	if (b->n > KNNG_MAX_NODES)
		return knng_text_fail(t, err, "found %lld nodes, expected %d at most", (long long)b->n, KNNG_MAX_NODES);
	if (edges > (bytes + 1) / least)
		return knng_fail(err, KNNG_EIO, "knng:io:truncated",
				 "%.200s, line %lld: promises %lld edges, which the %lld bytes that follow cannot hold",
				 t->path, (long long)t->line, (long long)edges, (long long)bytes);
	if ((status = knng_graph_room(b, both ? 2 * edges : edges, err)) != KNNG_OK)
		return status;
	for (int64_t e = 0; e < edges; e++) {
		knng_text_next_word(t);
		if (*t->at == '\0')
			return knng_text_fail_truncated(t, "the last edge that its header promises", err);
		if ((status = number_edge(b, base, how, both, err)) != KNNG_OK)
			return status;
	}
	knng_text_next_word(t);
	char q[KNNG_QUOTED + 8];
	if (*t->at != '\0')
		return knng_text_fail(t, err, "found %s, expected no more than the %lld edges of the header",
				      knng_text_quote(t->at, skip_word(t->at), q), (long long)edges);
	return KNNG_OK;
}

/* ---- .knn: 'n m', then 'source target weight', from 0; always directed ---- */

static bool
knn_looks_like(const char *text)
{
	char *p = skip_blanks((char *)text);
	int64_t n, m, node;
	if ((p = knng_text_count(p, &n)) == NULL || (p = knng_text_count(skip_blanks(p), &m)) == NULL ||
	    !is_end(*(p = skip_blanks(p))))
		return false;
	while (is_blank(*p) || *p == '\n')
		p++;
	if (*p == '\0')
		return m == 0;
	for (int c = 0; c < 2; c++) {
		if ((p = knng_text_count(p, &node)) == NULL)
			return false;
		p = skip_blanks(p);
	}
	return !is_end(*p) && is_end(*skip_blanks(skip_word(p)));
}

static knng_status
knn_parse(knng_graph_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	int64_t edges;
	knng_text_next_word(t);
	char *p = knng_text_count(t->at, &b->n);
	if (p == NULL || (p = knng_text_count(skip_blanks(p), &edges)) == NULL || !is_end(*skip_blanks(p)))
		return knng_text_fail_found(t, t->at, "two whole numbers, of nodes and of edges", err);
	t->at = skip_blanks(p);
	b->directed = true;
	return number_edges(b, edges, 6, 0, A_WEIGHT, false, err);
}

/* ---- MatrixMarket ---- */

static bool
mtx_looks_like(const char *text)
{
	return knng_text_begins(skip_blanks((char *)text), "%%matrixmarket");
}

static knng_status
mtx_parse(knng_graph_builder *b, knng_err *err)
{
	static const char *const words[4][4] = {
		{"matrix"}, {"coordinate"}, {"real", "integer", "pattern", "double"}, {"general", "symmetric"}};
	static const char *const expected[4] = {"matrix", "coordinate (a dense array is no graph)",
						"real, integer or pattern", "general or symmetric"};
	knng_text *t = b->t;
	int word[4];
	knng_text_next_word(t);
	char *p = skip_word(t->at);
	for (int c = 0; c < 4; c++) {
		p = skip_blanks(p);
		for (word[c] = 0; word[c] < 4; word[c]++)
			if (words[c][word[c]] != NULL && knng_text_is(p, skip_word(p), words[c][word[c]]))
				break;
		if (word[c] == 4)
			return knng_text_fail_found(t, p, expected[c], err);
		p = skip_word(p);
	}
	bool pattern = word[2] == 2, both = word[3] == 1;
	do {
		t->at = p;
		while (!is_end(*t->at))
			t->at++;
		knng_text_next_word(t);
		p = t->at;
	} while (*p == '%');
	int64_t rows, edges;
	if ((p = knng_text_count(p, &rows)) == NULL || (p = knng_text_count(skip_blanks(p), &b->n)) == NULL ||
	    (p = knng_text_count(skip_blanks(p), &edges)) == NULL || !is_end(*skip_blanks(p)))
		return knng_text_fail_found(t, t->at, "three whole numbers, of rows, columns and entries", err);
	if (rows != b->n)
		return knng_text_fail(t, err, "found a matrix of %lld rows and %lld columns, expected as many of both",
				      (long long)rows, (long long)b->n);
	t->at = skip_blanks(p);
	b->directed = !both;
	return number_edges(b, edges, pattern ? 4 : 6, 1, pattern ? NO_WEIGHT : A_WEIGHT, both, err);
}

/* ---- Pajek ---- */

static bool
net_looks_like(const char *text)
{
	while (*text == '%' || is_blank(*text) || *text == '\n') {
		const char *end = *text == '%' ? strchr(text, '\n') : text;
		if (end == NULL)
			return false;
		text = end + 1;
	}
	return knng_text_begins(text, "*vertices") || knng_text_begins(text, "*network");
}

/* A line 'number label x y …'; all but the number may be missing. */
static knng_status
net_vertex(knng_graph_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	int64_t number;
	char *p = knng_text_count(t->at, &number), *end;
	if (p == NULL || number < 1 || number > b->n)
		return knng_text_fail_found(t, t->at, "the number of a node, not above that behind *Vertices", err);
	knng_node *node = &b->node[number - 1];
	p = skip_blanks(p);
	if (*p == '"') {
		for (end = ++p; *end != '"' && !is_end(*end);)
			end++;
		if (*end != '"')
			return knng_text_fail_found(t, p, "a quote behind a label", err);
		node->name = (knng_name){p, end - p};
		p = end + 1;
		if (!is_blank(*p) && !is_end(*p))
			return knng_text_fail_found(t, p, "a blank behind the quote that ends a label", err);
	} else if (!is_end(*p)) {
		end = skip_word(p);
		node->name = (knng_name){p, end - p};
		p = end;
	}
	double at[2];
	p = skip_blanks(p);
	if (knng_text_number(t, p, &at[0]) == (end = skip_word(p)) && end > p) {
		p = skip_blanks(end);
		if (knng_text_number(t, p, &at[1]) == (end = skip_word(p)) && end > p) {
			node->x = at[0];
			node->y = at[1];
		}
	}
	while (!is_end(*p))
		p++;
	t->at = p;
	return KNNG_OK;
}

/* A line 'from to to …'. */
static knng_status
net_list(knng_graph_builder *b, bool both, knng_err *err)
{
	knng_text *t = b->t;
	int64_t from = 0, to;
	for (char *p = t->at, *end; !is_end(*p); p = skip_blanks(end)) {
		end = knng_text_count(p, &to);
		if (end == NULL || to < 1 || to > b->n)
			return knng_text_fail_found(t, p, "the number of a node, not above that behind *Vertices", err);
		if (p > t->at) {
			knng_status status = knng_graph_edge(b, from - 1, to - 1, NULL, both, err);
			if (status != KNNG_OK)
				return status;
		} else
			from = to;
	}
	while (!is_end(*t->at))
		t->at++;
	return KNNG_OK;
}

/* '*Vertices n' */
static knng_status
net_vertices(knng_graph_builder *b, char *p, knng_err *err)
{
	knng_text *t = b->t;
	int64_t n;
	if (b->n > 0)
		return knng_text_fail(t, err, "found *Vertices a second time");
	if (knng_text_count(skip_blanks(p), &n) == NULL)
		return knng_text_fail_found(t, skip_blanks(p), "the number of nodes behind *Vertices", err);
	if (n > KNNG_MAX_NODES)
		return knng_text_fail(t, err, "found %lld nodes, expected %d at most", (long long)n, KNNG_MAX_NODES);
	b->n = n;
	return KNNG_OK;
}

static knng_status
net_parse(knng_graph_builder *b, knng_err *err)
{
	/* What a line is in each section. */
	enum { NETWORK, VERTICES, ARCSLIST, EDGESLIST, ARCS, EDGES, SECTIONS, NOWHERE };
	static const char *const names[SECTIONS] = {"*network",   "*vertices", "*arcslist",
						    "*edgeslist", "*arcs",     "*edges"};
	knng_text *t = b->t;
	knng_status status = KNNG_OK;
	int in = NOWHERE;
	bool sized = false;
	for (knng_text_next_word(t); status == KNNG_OK && *t->at != '\0'; knng_text_next_word(t)) {
		if (*t->at == '*') {
			char *p = skip_word(t->at);
			for (char *q = t->at; q < p; q++) /* '*Arcs:2 "relation"' */
				if (*q == ':')
					p = q;
			for (in = 0; in < SECTIONS && !knng_text_is(t->at, p, names[in]);)
				in++;
			if (in == SECTIONS || (in > VERTICES && !sized))
				return knng_text_fail_found(
					t, t->at, "*Vertices first, then *Arcs, *Edges, *Arcslist or *Edgeslist", err);
			if (in == VERTICES) {
				status = net_vertices(b, p, err);
				sized = true;
			}
			b->directed = b->directed || in == ARCS || in == ARCSLIST;
			while (!is_end(*t->at))
				t->at++;
		} else if (*t->at == '%' || in == NETWORK) {
			while (!is_end(*t->at))
				t->at++;
		} else if (in == VERTICES) {
			/* At the first there has to be room for all; a file is not believed to describe few of many. */
			if (b->node == NULL && b->n / 2 > t->end - t->text)
				return knng_text_fail(t, err, "found %lld nodes, for which the file is too short",
						      (long long)b->n);
			if (b->node == NULL && (b->node = knng_alloc(b->n, sizeof *b->node)) == NULL)
				return knng_fail_memory(err, "the nodes of a file", (double)b->n * sizeof *b->node);
			for (; b->node_room < b->n; b->node_room++)
				b->node[b->node_room] = (knng_node){.x = NAN, .y = NAN};
			status = net_vertex(b, err);
		} else if (in == ARCSLIST || in == EDGESLIST)
			status = net_list(b, in == EDGESLIST, err);
		else if (in == ARCS || in == EDGES)
			status = number_edge(b, 1, PERHAPS_WEIGHT, in == EDGES, err);
		else
			status = knng_text_fail_found(t, t->at, "*Vertices", err);
	}
	if (status == KNNG_OK && !sized)
		return knng_text_fail_truncated(t, "*Vertices", err);
	return status;
}

/* ---- CSV with a header that has source and target, separated by commas, semicolons or tabs: a row an edge, or, with
 * an empty target, a node. Nodes are numbered as they come as sources, then those that are targets alone. ---- */

enum { SOURCE, TARGET, WEIGHT, TYPE, COLUMNS, MOST_COLUMNS = 1000 };

typedef struct {
	char *begin, *end;
	bool quoted;
} field;

/* The field at p, without quotes and blanks around it; where it ends, at a separator or the end of a line. NULL: a
 * quote where none may be, or no second one (f->end < f->begin). Lines in quotes are counted. */
static char *
csv_field(char *p, char separator, field *f, int64_t *lines)
{
	while (*p == ' ')
		p++;
	*f = (field){p, p, *p == '"'};
	if (f->quoted) {
		for (f->begin = ++p; *p != '"' || *++p == '"'; p++) {
			if (*p == '\0')
				return NULL;
			*lines += *p == '\n';
		}
		f->end = p - 1;
		while (*p == ' ')
			p++;
		return *p == separator || is_end(*p) ? p : NULL;
	}
	for (; *p != separator && !is_end(*p); p++)
		if (*p == '"')
			return NULL;
	for (f->end = p; f->end > f->begin && f->end[-1] == ' ';)
		f->end--;
	return p;
}

/* The header at p: which column is what (-1: there is none), how many there are, the separator. False if it is none. */
static bool
csv_header(char *p, int column[COLUMNS], int *columns, char *separator)
{
	static const char *const names[COLUMNS][3] = {
		{"source", "from"}, {"target", "to"}, {"weight", "distance"}, {"type"}};
	field f;
	char *end = p + strcspn(p, "\n");
	int64_t lines = 0;
	*separator = ',';
	for (const char *c = ";\t"; *c != '\0'; c++)
		if (memchr(p, *c, (size_t)(end - p)) != NULL && memchr(p, ',', (size_t)(end - p)) == NULL)
			*separator = *c;
	for (int c = 0; c < COLUMNS; c++)
		column[c] = -1;
	for (*columns = 0; *columns < MOST_COLUMNS; ++*columns, p++) {
		if ((p = csv_field(p, *separator, &f, &lines)) == NULL || lines > 0)
			return false;
		for (int c = 0; c < COLUMNS; c++)
			for (int i = 0; i < 3 && names[c][i] != NULL; i++)
				if (column[c] < 0 && knng_text_is(f.begin, f.end, names[c][i]))
					column[c] = *columns;
		if (is_end(*p)) {
			++*columns;
			return column[SOURCE] >= 0 && column[TARGET] >= 0;
		}
	}
	return false;
}

static bool
csv_looks_like(const char *text)
{
	int column[COLUMNS], columns;
	char separator;
	return csv_header((char *)text, column, &columns, &separator);
}

/* The rank of each node: its place among the sources, -1: none yet. */
typedef struct {
	int64_t *rank, count, room, sources;
} ranks;

static knng_status
csv_node(knng_graph_builder *b, ranks *r, const field *f, bool source, int64_t *node, knng_err *err)
{
	*node = knng_names_add(&b->ids, f->begin, f->end - f->begin);
	if (*node < 0 || (*node == r->room && !grow((void **)&r->rank, r->count, &r->room, 0, sizeof *r->rank)))
		return knng_fail_memory(err, "the nodes of a file", 100.0 * (double)b->n);
	if (*node >= KNNG_MAX_NODES)
		return knng_text_fail(b->t, err, "there are more than %d nodes", KNNG_MAX_NODES);
	if (*node == r->count)
		r->rank[r->count++] = -1;
	b->n = r->count;
	if (source && r->rank[*node] < 0)
		r->rank[*node] = r->sources++;
	return KNNG_OK;
}

/* One row; columns as the header says. */
static knng_status
csv_row(knng_graph_builder *b, ranks *r, const int column[COLUMNS], int columns, char separator, knng_err *err)
{
	knng_text *t = b->t;
	field f[COLUMNS] = {0}, any;
	char *p = t->at, *at, q[KNNG_QUOTED + 8];
	int64_t lines = 0, node[2];
	double weight;
	int have = 0;
	for (;; p++) {
		at = p;
		if ((p = csv_field(p, separator, &any, &lines)) == NULL) {
			t->line += lines;
			if (any.end < any.begin)
				return knng_text_fail_truncated(t, "the quote that ends a field", err);
			return knng_text_fail(
				t, err, "found %s: a quote belongs before and behind a field, and twice inside one",
				knng_text_quote(at, skip_word(at), q));
		}
		for (int c = 0; c < COLUMNS; c++)
			if (column[c] == have)
				f[c] = any;
		have++;
		if (is_end(*p))
			break;
	}
	if (have != columns)
		return *p == '\0' && have < columns
			       ? knng_text_fail_truncated(t, "the end of a row", err)
			       : knng_text_fail(t, err, "found %d fields, expected %d as in the header", have, columns);
	if (f[SOURCE].begin == f[SOURCE].end && !f[SOURCE].quoted)
		return knng_text_fail(t, err, "found nothing as the source, expected the name of a node");
	knng_status status = csv_node(b, r, &f[SOURCE], true, &node[0], err);
	bool edge = f[TARGET].begin < f[TARGET].end || f[TARGET].quoted;
	if (status == KNNG_OK && edge)
		status = csv_node(b, r, &f[TARGET], false, &node[1], err);
	if (status == KNNG_OK && edge && column[WEIGHT] >= 0)
		status = knng_graph_weight(b, f[WEIGHT].begin, f[WEIGHT].end, &weight, err);
	if (status == KNNG_OK && edge) {
		bool both = column[TYPE] >= 0 && knng_text_is(f[TYPE].begin, f[TYPE].end, "undirected");
		if (column[TYPE] >= 0 && !both && f[TYPE].begin < f[TYPE].end &&
		    !knng_text_is(f[TYPE].begin, f[TYPE].end, "directed"))
			return knng_text_fail(t, err, "found the type %s, expected directed or undirected",
					      knng_text_quote(f[TYPE].begin, f[TYPE].end, q));
		status = knng_graph_edge(b, node[0], node[1], column[WEIGHT] >= 0 ? &weight : NULL, both, err);
	}
	t->at = p;
	t->line += lines;
	return status;
}

/* Numbers the nodes by rank. */
static knng_status
csv_renumber(knng_graph_builder *b, ranks *r, knng_err *err)
{
	knng_name *name = knng_alloc(b->n + 1, sizeof *name);
	if (name == NULL)
		return knng_fail_memory(err, "the nodes of a file", 16.0 * (double)b->n);
	for (int64_t i = 0; i < b->n; i++) {
		if (r->rank[i] < 0)
			r->rank[i] = r->sources++;
		name[r->rank[i]] = b->ids.name[i];
	}
	b->sorted = true;
	for (int64_t e = 0; e < b->edges; e++) {
		b->edge[e].from = (int32_t)r->rank[b->edge[e].from];
		b->edge[e].to = (int32_t)r->rank[b->edge[e].to];
		b->sorted = b->sorted && (e == 0 || b->edge[e - 1].from <= b->edge[e].from);
	}
	knng_free(b->ids.name);
	b->ids.name = name;
	return KNNG_OK;
}

static knng_status
csv_parse(knng_graph_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	int column[COLUMNS], columns;
	char separator;
	ranks r = {0};
	knng_status status = KNNG_OK;
	if (!csv_header(t->at, column, &columns, &separator))
		return knng_text_fail_found(t, t->at, "a header with source and target", err);
	b->directed = column[TYPE] < 0;
	t->at += strcspn(t->at, "\n");
	for (knng_text_next_line(t); status == KNNG_OK && *t->at != '\0'; knng_text_next_line(t))
		status = csv_row(b, &r, column, columns, separator, err);
	if (status == KNNG_OK)
		status = csv_renumber(b, &r, err);
	knng_free(r.rank);
	return status;
}

/* ---- the rows of the table in read.c ---- */

#define FORMAT(id, title_, spelled_)                                                                                   \
	static knng_status id##_read(knng_text *t, knng_content *content, knng_err *err)                               \
	{                                                                                                              \
		static const knng_graph_format f = {spelled_, id##_parse};                                             \
		return knng_graph_parse(t, content, &f, err);                                                          \
	}                                                                                                              \
	const knng_format knng_format_##id = {#id, title_, KNNG_GRAPH, id##_looks_like, id##_read};

FORMAT(knn, ".knn (n m, then m edges)", NULL)
FORMAT(mtx, "MatrixMarket (%%MatrixMarket)", NULL)
FORMAT(net, "Pajek (*Vertices)", pajek_text)
FORMAT(csv, "a table of edges (source,target)", csv_text)
