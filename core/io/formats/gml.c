/* gml.c  GML graphs, as yEd, igraph, networkx, Gephi and knng.write make them:
 *
 *     graph [ directed 1
 *       node [ id 1 label "a" group "b" x 0.5 y 1.5 graphics [ x 10.0 y 20.0 … ] ]
 *       edge [ source 1 target 2 weight 0.25 ] ]
 *
 * A file is a list of keys and values; a value is a number, a text in quotes or a list in brackets. What is not named
 * above is skipped. The name of a node is its label, else its name, else its id; a weight may be called value; x
 * and y of a node go before those of its graphics. Source: M. Himsolt, GML: a portable graph file format (1997). */
#include "io/entities.h"
#include "io/graph_builder.h"
#include "io/utf8.h"
#include "io/write.h"

#include <math.h>
#include <string.h>

/* ---- reading ---- */

enum { DEEPEST = 100 };

/* A key and what follows it: a piece of text, or a list that begins. */
typedef struct {
	char *key, *key_end;
	char *text, *end;
	enum { GML_TEXT, GML_LIST, GML_CLOSE } kind;
} item;

/* To the next word; comments begin with # and end with the line. */
static void
next_word(knng_text *t)
{
	for (knng_text_next_word(t); *t->at == '#'; knng_text_next_word(t))
		while (!is_end(*t->at))
			t->at++;
}

static bool
is_letter(char c)
{
	return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_';
}

/* The next item; in a list also its end. */
static knng_status
next_item(knng_text *t, item *it, knng_err *err)
{
	next_word(t);
	*it = (item){.key = t->at, .kind = GML_CLOSE};
	if (*t->at == ']') {
		t->at++;
		return KNNG_OK;
	}
	while (is_letter(*t->at) || (t->at > it->key && is_digit(*t->at)))
		t->at++;
	it->key_end = t->at;
	if (it->key == it->key_end)
		return *t->at == '\0' ? knng_text_fail_truncated(t, "the bracket that ends a list", err)
				      : knng_text_fail_found(t, t->at, "a key, or the bracket that ends a list", err);
	next_word(t);
	it->text = t->at;
	it->kind = *t->at == '[' ? GML_LIST : GML_TEXT;
	if (*t->at == '[') {
		t->at++;
	} else if (*t->at == '"') {
		it->text = ++t->at;
		for (; *t->at != '"'; t->at++) {
			if (*t->at == '\0')
				return knng_text_fail_truncated(t, "the quote that ends a text", err);
			t->line += *t->at == '\n';
		}
		it->end = t->at++;
	} else {
		while (!is_blank(*t->at) && !is_end(*t->at) && *t->at != '[' && *t->at != ']')
			t->at++;
		it->end = t->at;
		if (it->text == it->end)
			return knng_text_fail_found(t, t->at, "the value of a key", err);
	}
	return KNNG_OK;
}

/* To the end of the list that has begun. */
static knng_status
skip_list(knng_text *t, knng_err *err)
{
	item it;
	knng_status status = KNNG_OK;
	for (int deep = 1; deep > 0 && (status = next_item(t, &it, err)) == KNNG_OK;)
		if ((deep += it.kind == GML_LIST ? 1 : it.kind == GML_CLOSE ? -1 : 0) > DEEPEST)
			return knng_text_fail(t, err, "lists lie more than %d deep in each other", DEEPEST);
	return status;
}

static bool
is_key(const item *it, const char *key)
{
	return it->kind != GML_CLOSE && knng_text_is(it->key, it->key_end, key);
}

static knng_status
number(const knng_text *t, const item *it, double *value, knng_err *err)
{
	char q[KNNG_QUOTED + 8], key[KNNG_QUOTED + 8];
	if (it->kind == GML_TEXT && knng_text_value(t, it->text, it->end, value))
		return KNNG_OK;
	return knng_text_fail(t, err, "found %s behind %s, expected a number",
			      it->kind == GML_TEXT ? knng_text_quote(it->text, it->end, q) : "a list",
			      knng_text_quote(it->key, it->key_end, key));
}

/* x and y of a list graphics. */
static knng_status
parse_graphics(knng_text *t, double at[2], knng_err *err)
{
	item it;
	knng_status status;
	while ((status = next_item(t, &it, err)) == KNNG_OK && it.kind != GML_CLOSE) {
		if (is_key(&it, "x") || is_key(&it, "y"))
			status = number(t, &it, &at[lower(*it.key) == 'y'], err);
		else if (it.kind == GML_LIST)
			status = skip_list(t, err);
		if (status != KNNG_OK)
			return status;
	}
	return status;
}

static knng_status
parse_node(knng_graph_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	item it, id = {0}, label = {0}, name = {0}, group = {0};
	double at[2] = {NAN, NAN}, drawn[2] = {NAN, NAN};
	int64_t line = t->line, node;
	knng_status status;
	while ((status = next_item(t, &it, err)) == KNNG_OK && it.kind != GML_CLOSE) {
		if (is_key(&it, "graphics") && it.kind == GML_LIST)
			status = parse_graphics(t, drawn, err);
		else if (it.kind == GML_LIST)
			status = skip_list(t, err);
		else if (is_key(&it, "x") || is_key(&it, "y"))
			status = number(t, &it, &at[lower(*it.key) == 'y'], err);
		else if (is_key(&it, "id"))
			id = it;
		else if (is_key(&it, "label"))
			label = it;
		else if (is_key(&it, "name"))
			name = it;
		else if (is_key(&it, "group"))
			group = it;
		if (status != KNNG_OK)
			return status;
	}
	if (status != KNNG_OK || b->pass == KNNG_PASS_EDGES)
		return status;
	if (id.text == NULL) {
		t->line = line;
		return knng_text_fail(t, err, "found a node without id");
	}
	if ((status = knng_graph_new_id(b, id.text, id.end - id.text, &node, err)) != KNNG_OK)
		return status;
	if (label.text == NULL)
		label = name;
	b->node[node].name = (knng_name){label.text, label.end - label.text};
	bool own = !isnan(at[0]) && !isnan(at[1]);
	b->node[node].x = own ? at[0] : drawn[0];
	b->node[node].y = own ? at[1] : drawn[1];
	return group.text == NULL ? KNNG_OK : knng_graph_group(b, node, group.text, group.end - group.text, err);
}

static knng_status
parse_edge(knng_graph_builder *b, bool both, knng_err *err)
{
	knng_text *t = b->t;
	item it, end[2] = {0}, weight = {0}, value = {0};
	int64_t node[2], line = t->line;
	double w;
	knng_status status;
	while ((status = next_item(t, &it, err)) == KNNG_OK && it.kind != GML_CLOSE) {
		if (it.kind == GML_LIST) {
			if ((status = skip_list(t, err)) != KNNG_OK)
				return status;
		} else if (is_key(&it, "source"))
			end[0] = it;
		else if (is_key(&it, "target"))
			end[1] = it;
		else if (is_key(&it, "weight"))
			weight = it;
		else if (is_key(&it, "value"))
			value = it;
	}
	if (status != KNNG_OK || b->pass == KNNG_PASS_NODES)
		return status;
	if (end[0].text == NULL || end[1].text == NULL) {
		t->line = line;
		return knng_text_fail(t, err, "found an edge without source or target");
	}
	if (weight.text == NULL)
		weight = value;
	for (int c = 0; c < 2; c++)
		if ((status = knng_graph_find_id(b, end[c].text, end[c].end - end[c].text, &node[c], err)) != KNNG_OK)
			return status;
	if (weight.text != NULL && (status = number(t, &weight, &w, err)) != KNNG_OK)
		return status;
	return knng_graph_edge(b, node[0], node[1], weight.text != NULL ? &w : NULL, both, err);
}

static knng_status
parse_graph(knng_graph_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	item it;
	double directed = 0;
	knng_status status;
	while ((status = next_item(t, &it, err)) == KNNG_OK && it.kind != GML_CLOSE) {
		if (is_key(&it, "directed")) {
			if (b->edges > 0)
				return knng_text_fail(t, err,
						      "found directed behind the first edge, expected it before");
			status = number(t, &it, &directed, err);
			b->directed = directed != 0;
		} else if (is_key(&it, "node") && it.kind == GML_LIST)
			status = parse_node(b, err);
		else if (is_key(&it, "edge") && it.kind == GML_LIST)
			status = parse_edge(b, directed == 0, err);
		else if (it.kind == GML_LIST)
			status = skip_list(t, err);
		if (status != KNNG_OK)
			return status;
	}
	return status;
}

static knng_status
gml_parse(knng_graph_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	item it;
	bool found = false;
	knng_status status = KNNG_OK;
	for (next_word(t); status == KNNG_OK && *t->at != '\0'; next_word(t)) {
		if ((status = next_item(t, &it, err)) != KNNG_OK)
			return status;
		if (it.kind == GML_CLOSE)
			return knng_text_fail(t, err, "found a bracket that ends no list");
		if (it.kind == GML_TEXT)
			continue;
		if (!is_key(&it, "graph")) {
			status = skip_list(t, err);
		} else if (found) {
			return knng_text_fail(t, err, "found a second graph, expected one");
		} else {
			found = true;
			status = parse_graph(b, err);
		}
	}
	return status != KNNG_OK || found ? status : knng_text_fail_truncated(t, "a graph", err);
}

/* Keys with values, up to 'graph ['. */
static bool
gml_looks_like(const char *text)
{
	knng_text t = {.at = (char *)text, .end = (char *)text + strlen(text)};
	item it;
	while (next_item(&t, &it, NULL) == KNNG_OK && it.kind != GML_CLOSE) {
		if (it.kind == GML_LIST)
			return knng_text_is(it.key, it.key_end, "graph");
	}
	return false;
}

static int64_t
gml_text(const char *piece, int64_t length, char *to)
{
	return knng_entities(piece, length, to, true);
}

static knng_status
gml_read(knng_text *t, knng_content *content, knng_err *err)
{
	static const knng_graph_format f = {.spelled = gml_text, .parse = gml_parse};
	return knng_graph_parse(t, content, &f, err);
}

/* ---- writing, as yEd opens it: circles in the colours of their groups, with labels, where the layout has them.
 * Positions that the user gave stand in x and y as well, to the bit. ---- */

/* A number that GML takes for a real. */
static void
put_real(writer *w, double v)
{
	char *start = w->at;
	put_number(w, v);
	if (isfinite(v) && memchr(start, '.', (size_t)(w->at - start)) == NULL)
		put(w, ".0");
}

/* GML is ASCII: anything else is the number of its character. */
static bool
gml_spell(writer *w, const char *s)
{
	while (*s != '\0') {
		int32_t c = knng_utf8_next(&s);
		room(w, KNNG_PUT_ROOM);
		if (c == '&')
			put(w, "&amp;");
		else if (c == '"')
			put(w, "&quot;");
		else if (c < ' ' || c > '~')
			knng_put_code(w, c);
		else
			*w->at++ = (char)c;
	}
	return true;
}

static void
gml_head(writer *w)
{
	put(w, "Creator \"knng " KNNG_VERSION "\"\ngraph [\ndirected ");
	put(w, w->directed ? "1\n" : "0\n");
}

static void
gml_node(writer *w, int64_t i)
{
	const knng_graph *g = w->g;
	const knng_attribute *a;
	const char *group = group_of(w, i);
	put(w, "node [ id ");
	put_int(w, i + 1);
	put(w, " label \"");
	knng_put_node(w, i);
	put(w, "\"");
	if (group != NULL) {
		put(w, " group \"");
		knng_put_text(w, "node", i, group);
		put(w, "\"");
	}
	for (int c = 0; c < 2 && has_position(w, i); c++) {
		put(w, c == 0 ? " x " : " y ");
		put_real(w, g->positions[c * g->n + i]);
	}
	for (int64_t c = 0; (a = knng_next_attribute(w, i, &c)) != NULL;) {
		put(w, " ");
		knng_put_plain(w, a->key);
		if (a->number != NULL) {
			put(w, " ");
			put_real(w, a->number[i]);
		} else {
			put(w, " \"");
			knng_put_text(w, "node", i, a->text[i]);
			put(w, "\"");
		}
	}
	put(w, " graphics [");
	for (int c = 0; c < 2 && (g->positions == NULL || has_position(w, i)); c++) {
		put(w, c == 0 ? " x " : " y ");
		put_real(w, w->layout[c * g->n + i]);
	}
	put(w, " w 30.0 h 30.0 type \"ellipse\" fill \"");
	put(w, group != NULL ? knng_group_colour(g->group[i]) : "#FFFFFF");
	put(w, "\" ] ]\n");
}

static void
gml_edge(writer *w, int64_t from, edge e)
{
	put(w, "edge [ source ");
	put_int(w, from + 1);
	put(w, " target ");
	put_int(w, e.to + 1);
	put(w, " weight ");
	put_real(w, weight_of(e));
	put(w, w->directed ? " graphics [ targetArrow \"standard\" ] ]\n" : " ]\n");
}

static void
gml_tail(writer *w)
{
	put(w, "]\n");
}

static const knng_writing writing[] = {
	{
		.name = "gml",
		.nan = "NAN",
		.holds = NAMES | GROUPS | POSITIONS | UNDIRECTED | ATTRIBUTES,
		.spell = gml_spell,
		.prepare = knng_lay_out,
		.head = gml_head,
		.node = gml_node,
		.edge = gml_edge,
		.tail = gml_tail,
	},
	{.name = NULL},
};

const knng_format knng_format_gml = {
	.name = "gml",
	.title = "GML (graph [ … ])",
	.kind = KNNG_GRAPH,
	.looks_like = gml_looks_like,
	.parse = gml_read,
	.write = writing,
};
