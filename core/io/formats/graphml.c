/* graphml.c  GraphML, as Gephi, yEd, igraph, networkx, Cytoscape and knng.write make it:
 *
 *     <graphml> <key id="d0" for="edge" attr.name="weight" attr.type="double"/>
 *     <graph edgedefault="directed"> <node id="a"> <data key="…">…</data> </node>
 *     <edge source="a" target="b"> <data key="d0">0.5</data> </edge> </graph> </graphml>
 *
 * Of the data those are read whose attr.name is name or label, group, x, y and weight; in files of yEd also the label
 * and the place that it draws. A key may have a default, which counts where an element has no data of it, except for
 * names. Graphs in graphs are taken for one. The XML is read as far as GraphML needs it: elements, attributes, texts,
 * CDATA; comments, declarations and processing instructions are skipped. Source: U. Brandes et al., GraphML
 * progress report (2002). */
#include "io/entities.h"
#include "io/graph_builder.h"
#include "io/write.h"

#include <math.h>
#include <string.h>

/* ---- reading ---- */

enum { DEEPEST = 100 };

typedef enum { NOTHING, NAME, LABEL, GROUP, X, Y, WEIGHT } meaning;

typedef struct {
	knng_name name;            /* of the element, without a prefix */
	char *attributes, *end;    /* what stands behind the name in the tag */
	enum { OPEN, CLOSE } kind; /* <a> or </a>; <a/> is both, one after the other */
} tag;

typedef struct {
	knng_graph_builder *b;
	knng_text *t;
	knng_name open[DEEPEST]; /* the elements that are open */
	int deep;
	bool closes;                    /* the tag just read was <a/> */
	knng_names keys;                /* ids of keys */
	meaning meaning[64];            /* of the first keys, as many as have one */
	meaning last;                   /* of the key read last */
	knng_name standard[WEIGHT + 1]; /* the default of each */
} xml;

/* ---- XML ---- */

static void
advance(knng_text *t, char *to)
{
	for (char *p = t->at; (p = memchr(p, '\n', (size_t)(to - p))) != NULL; p++)
		t->line++;
	t->at = to;
}

/* Behind the mark, or an error. */
static knng_status
pass(knng_text *t, const char *mark, knng_err *err)
{
	char *p = strstr(t->at, mark);
	if (p == NULL) {
		advance(t, t->end);
		return knng_text_fail_truncated(t, mark, err);
	}
	advance(t, p + strlen(mark));
	return KNNG_OK;
}

/* <!DOCTYPE …>, which may hold declarations in brackets. */
static knng_status
pass_declaration(knng_text *t, knng_err *err)
{
	int brackets = 0;
	char *p = t->at;
	for (; *p != '\0' && (*p != '>' || brackets > 0); p++)
		brackets += *p == '[' ? 1 : *p == ']' ? -1 : 0;
	advance(t, p);
	if (*p == '\0')
		return knng_text_fail_truncated(t, "the end of a declaration", err);
	t->at++;
	return KNNG_OK;
}

static bool
is_named(knng_name a, const char *name)
{
	return a.length == (int64_t)strlen(name) && memcmp(a.text, name, (size_t)a.length) == 0;
}

/* The next tag; x->t->at goes behind it. The text before it ends at `*text_end`. */
static knng_status
next_tag(xml *x, tag *g, char **text_end, knng_err *err)
{
	knng_text *t = x->t;
	knng_status status = KNNG_OK;
	*g = (tag){.kind = CLOSE};
	*text_end = t->at;
	if (x->closes) {
		x->closes = false;
		g->name = x->open[--x->deep];
		return KNNG_OK;
	}
	for (;;) {
		char *p = knng_text_stopped(t) ? NULL : strchr(t->at, '<');
		advance(t, p != NULL ? p : t->end);
		*text_end = t->at;
		if (p == NULL)
			return knng_text_fail_truncated(t, "</graphml>", err);
		if (strncmp(p, "<!--", 4) == 0)
			status = pass(t, "-->", err);
		else if (strncmp(p, "<![CDATA[", 9) == 0)
			status = pass(t, "]]>", err);
		else if (p[1] == '?')
			status = pass(t, "?>", err);
		else if (p[1] == '!')
			status = pass_declaration(t, err);
		else
			break;
		if (status != KNNG_OK)
			return status;
	}
	g->kind = t->at[1] == '/' ? CLOSE : OPEN;
	char *name = t->at + (g->kind == CLOSE ? 2 : 1), *p = name;
	while (!is_blank(*p) && !is_end(*p) && *p != '>' && *p != '/' && *p != '<')
		p++;
	if (p == name)
		return knng_text_fail_found(t, t->at, "the name of an element", err);
	g->name = (knng_name){name, p - name};
	g->attributes = p;
	for (char quote = '\0'; *p != '>' || quote != '\0'; p++) { /* a > in quotes ends nothing */
		if (*p == '\0' || (*p == '<' && quote == '\0')) {
			bool cut = *p == '\0';
			advance(t, p);
			return cut ? knng_text_fail_truncated(t, "the end of a tag", err)
				   : knng_text_fail(t, err, "found < in a tag, expected its end");
		}
		if (*p == quote)
			quote = '\0';
		else if (quote == '\0' && (*p == '"' || *p == '\''))
			quote = *p;
	}
	g->end = p;
	if (g->kind == OPEN) {
		if (x->deep == DEEPEST)
			return knng_text_fail(t, err, "elements lie more than %d deep in each other", DEEPEST);
		x->open[x->deep++] = g->name;
		x->closes = p[-1] == '/';
		g->end -= x->closes;
	} else {
		char q[KNNG_QUOTED + 8], open[KNNG_QUOTED + 8];
		if (x->deep == 0)
			return knng_text_fail(t, err, "found the end of %s, which has not begun",
					      knng_text_quote(g->name.text, g->name.text + g->name.length, q));
		knng_name last = x->open[--x->deep];
		if (last.length != g->name.length || memcmp(last.text, g->name.text, (size_t)last.length) != 0)
			return knng_text_fail(t, err, "found the end of %s, expected that of %s",
					      knng_text_quote(g->name.text, g->name.text + g->name.length, q),
					      knng_text_quote(last.text, last.text + last.length, open));
	}
	advance(t, p + 1);
	/* y:NodeLabel is NodeLabel. */
	const char *colon = memchr(g->name.text, ':', (size_t)g->name.length);
	if (colon != NULL) {
		g->name.length -= colon + 1 - g->name.text;
		g->name.text = colon + 1;
	}
	return KNNG_OK;
}

/* The value of an attribute; text NULL: there is none. */
static knng_name
attribute(const tag *g, const char *name)
{
	size_t length = strlen(name);
	for (char *p = g->attributes; p < g->end;) {
		while (p < g->end && (is_blank(*p) || *p == '\n'))
			p++;
		char *key = p;
		while (p < g->end && *p != '=' && !is_blank(*p) && *p != '\n')
			p++;
		size_t have = (size_t)(p - key);
		while (p < g->end && *p != '"' && *p != '\'')
			p++;
		if (p == g->end)
			break;
		char *value = p + 1, *end = memchr(value, *p, (size_t)(g->end - value));
		if (end == NULL)
			break;
		if (have == length && memcmp(key, name, length) == 0)
			return (knng_name){value, end - value};
		p = end + 1;
	}
	return (knng_name){0};
}

/* A piece of text, or of a CDATA section, without the mark-up of the latter. */
static int64_t
xml_text(const char *piece, int64_t length, char *to)
{
	if (length >= 12 && memcmp(piece, "<![CDATA[", 9) == 0 && memcmp(piece + length - 3, "]]>", 3) == 0) {
		memcpy(to, piece + 9, (size_t)length - 12);
		return length - 12;
	}
	return knng_entities(piece, length, to, true);
}

/* ---- GraphML ---- */

/* What the data of a key mean, from the name that it gives them. */
static knng_status
parse_key(xml *x, const tag *g, knng_err *err)
{
	static const char *const names[] = {
		[NAME] = "name", [LABEL] = "label", [GROUP] = "group", [X] = "x", [Y] = "y", [WEIGHT] = "weight"};
	enum { MEANINGS = sizeof names / sizeof *names, MOST = sizeof x->meaning / sizeof *x->meaning };
	knng_name id = attribute(g, "id"), name = attribute(g, "attr.name"), of = attribute(g, "for");
	x->last = NOTHING;
	if (id.text == NULL)
		return knng_text_fail(x->t, err, "found a key without id");
	if (name.text == NULL)
		name = id;
	for (int m = NAME; m < MEANINGS; m++) {
		bool fits = of.text == NULL || is_named(of, "all") || is_named(of, m == WEIGHT ? "edge" : "node");
		if (!fits || !knng_text_is(name.text, name.text + name.length, names[m]) || x->keys.count == MOST ||
		    knng_names_find(&x->keys, id.text, id.length) >= 0)
			continue;
		int64_t at = knng_names_add(&x->keys, id.text, id.length);
		if (at < 0)
			return knng_fail_memory(err, "the keys of a file", 1e4);
		x->meaning[at] = x->last = (meaning)m;
	}
	return KNNG_OK;
}

static knng_status
number(const xml *x, knng_name text, double *value, knng_err *err)
{
	char *p = (char *)text.text, *end = p + text.length;
	while (p < end && (is_blank(*p) || *p == '\n'))
		p++;
	while (end > p && (is_blank(end[-1]) || end[-1] == '\n'))
		end--;
	return knng_graph_weight(x->b, p, end, value, err);
}

/* A node or an edge, from its tag to its end. */
static knng_status
parse_element(xml *x, const tag *element, bool is_node, bool both, knng_err *err)
{
	knng_graph_builder *b = x->b;
	knng_text *t = x->t;
	knng_name id = attribute(element, "id"), end[2] = {attribute(element, "source"), attribute(element, "target")},
		  direction = attribute(element, "directed"), found[WEIGHT + 1] = {{0}};
	int64_t node[2];
	int outside = x->deep - 1;
	meaning wanted = NOTHING;
	double drawn[2] = {NAN, NAN}, value;
	knng_status status;
	bool skip = b->pass == (is_node ? KNNG_PASS_EDGES : KNNG_PASS_NODES);

	if (direction.text != NULL)
		both = is_named(direction, "false");
	if (is_node ? id.text == NULL : end[0].text == NULL || end[1].text == NULL)
		return knng_text_fail(t, err,
				      is_node ? "found a node without id" : "found an edge without source or target");
	/* The node is there before what it holds, which may be a graph. */
	if (!skip && is_node && (status = knng_graph_new_id(b, id.text, id.length, &node[0], err)) != KNNG_OK)
		return status;
	for (int c = 0; c < 2 && !skip && !is_node; c++)
		if ((status = knng_graph_find_id(b, end[c].text, end[c].length, &node[c], err)) != KNNG_OK)
			return status;
	while (x->deep > outside) {
		tag g;
		char *text_end;
		if ((status = next_tag(x, &g, &text_end, err)) != KNNG_OK)
			return status;
		if (g.kind == OPEN && is_named(g.name, "data")) {
			knng_name key = attribute(&g, "key");
			int64_t at = key.text != NULL ? knng_names_find(&x->keys, key.text, key.length) : -1;
			wanted = at >= 0 ? x->meaning[at] : NOTHING;
			found[wanted] = (knng_name){t->at, 0};
		} else if (g.kind == CLOSE && wanted != NOTHING && is_named(g.name, "data")) {
			found[wanted].length = text_end - found[wanted].text;
			wanted = NOTHING;
		} else if (wanted != NOTHING) {
			return knng_text_fail(t, err, "found an element, expected the text of data and </data>");
		} else if (g.kind == OPEN && is_named(g.name, "Geometry")) {
			for (int c = 0; c < 2; c++) {
				knng_name at = attribute(&g, c == 0 ? "x" : "y");
				if (at.text != NULL && (status = number(x, at, &drawn[c], err)) != KNNG_OK)
					return status;
			}
		} else if (g.kind == OPEN && is_named(g.name, "NodeLabel") && found[LABEL].text == NULL && !x->closes &&
			   !is_named(attribute(&g, "hasText"), "false")) {
			found[LABEL] = (knng_name){t->at, (int64_t)strcspn(t->at, "<")};
		} else if (g.kind == OPEN && (is_named(g.name, "node") || is_named(g.name, "edge"))) {
			bool inner = is_named(g.name, "node");
			if (!is_node)
				return knng_text_fail(t, err, "found a node or an edge inside an edge");
			if ((status = parse_element(x, &g, inner, both, err)) != KNNG_OK)
				return status;
		}
	}
	if (skip)
		return KNNG_OK;
	for (int m = GROUP; m <= WEIGHT; m++)
		if (found[m].text == NULL && x->standard[m].length > 0)
			found[m] = x->standard[m];
	if (!is_node) {
		if (found[WEIGHT].text != NULL && (status = number(x, found[WEIGHT], &value, err)) != KNNG_OK)
			return status;
		return knng_graph_edge(b, node[0], node[1], found[WEIGHT].text != NULL ? &value : NULL, both, err);
	}
	for (int c = 0; c < 2; c++)
		if (found[X + c].text != NULL && (status = number(x, found[X + c], &drawn[c], err)) != KNNG_OK)
			return status;
	b->node[node[0]].name = found[NAME].text != NULL ? found[NAME] : found[LABEL];
	b->node[node[0]].x = drawn[0];
	b->node[node[0]].y = drawn[1];
	return found[GROUP].text == NULL ? KNNG_OK
					 : knng_graph_group(b, node[0], found[GROUP].text, found[GROUP].length, err);
}

static knng_status
parse_document(xml *x, knng_err *err)
{
	knng_text *t = x->t;
	bool both = false, graph = false;
	tag g;
	char *text_end;
	knng_status status;
	do {
		if ((status = next_tag(x, &g, &text_end, err)) != KNNG_OK)
			return status;
		if (x->deep == 1 && g.kind == OPEN && !is_named(g.name, "graphml"))
			return knng_text_fail(t, err, "found another element, expected <graphml>");
		if (g.kind == CLOSE) {
			if (is_named(g.name, "default") && x->last != NOTHING)
				x->standard[x->last].length = text_end - x->standard[x->last].text;
			continue;
		}
		if (is_named(g.name, "key")) {
			status = parse_key(x, &g, err);
		} else if (is_named(g.name, "default")) {
			x->standard[x->last].text = t->at;
		} else if (is_named(g.name, "graph")) {
			if (x->deep == 2 && graph)
				return knng_text_fail(t, err, "found a second graph, expected one");
			graph = true;
			both = is_named(attribute(&g, "edgedefault"), "undirected");
			x->b->directed = x->b->directed || !both;
		} else if (is_named(g.name, "node") || is_named(g.name, "edge")) {
			status = parse_element(x, &g, is_named(g.name, "node"), both, err);
		} else if (is_named(g.name, "hyperedge")) {
			return knng_text_fail(t, err, "found a hyperedge, expected edges between two nodes");
		}
		if (status != KNNG_OK)
			return status;
	} while (x->deep > 0);
	return KNNG_OK;
}

static knng_status
graphml_parse(knng_graph_builder *b, knng_err *err)
{
	xml x = {.b = b, .t = b->t};
	knng_status status = parse_document(&x, err);
	knng_names_free(&x.keys);
	return status;
}

static bool
graphml_looks_like(const char *text)
{
	text = skip_blanks((char *)text);
	return *text == '<' && (text[1] == '?' || text[1] == '!' || text[1] == 'g') && strstr(text, "<graphml") != NULL;
}

static knng_status
graphml_read(knng_text *t, knng_content *content, knng_err *err)
{
	static const knng_graph_format f = {xml_text, graphml_parse};
	return knng_graph_parse(t, content, &f, err);
}

/* ---- writing ---- */

/* XML knows no control characters but these, and would take \r for a \n. */
static bool
xml_spell(writer *w, const char *s)
{
	while (*s != '\0') {
		const char *from = s;
		int32_t c = knng_next_character(&s);
		room(w, KNNG_PUT_ROOM);
		if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0xFFFE || c == 0xFFFF)
			return false;
		if (c == '&')
			put(w, "&amp;");
		else if (c == '<')
			put(w, "&lt;");
		else if (c == '>')
			put(w, "&gt;");
		else if (c == '\r')
			knng_put_code(w, c);
		else
			while (from < s)
				*w->at++ = *from++;
	}
	return true;
}

static void
xml_key(writer *w, const char *what, const char *name, const char *type)
{
	const char *part[] = {"<key id=\"",      name, "\" for=\"", what, "\" attr.name=\"", name,
			      "\" attr.type=\"", type, "\"/>\n"};
	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
		put(w, part[i]);
}

static void
xml_head(writer *w)
{
	put(w,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
	if (w->g->names != NULL)
		xml_key(w, "node", "name", "string");
	if (w->g->group != NULL)
		xml_key(w, "node", "group", "string");
	if (w->g->positions != NULL) {
		xml_key(w, "node", "x", "double");
		xml_key(w, "node", "y", "double");
	}
	xml_key(w, "edge", "weight", "double");
	put(w, w->directed ? "<graph edgedefault=\"directed\">\n" : "<graph edgedefault=\"undirected\">\n");
}

static void
xml_node(writer *w, int64_t i)
{
	const knng_graph *g = w->g;
	const char *group = group_of(w, i);
	put(w, "<node id=\"n");
	put_int(w, i + 1);
	put(w, "\">");
	if (g->names != NULL) {
		put(w, "<data key=\"name\">");
		knng_put_text(w, "node", i, g->names[i]);
		put(w, "</data>");
	}
	if (group != NULL) {
		put(w, "<data key=\"group\">");
		knng_put_text(w, "node", i, group);
		put(w, "</data>");
	}
	for (int c = 0; c < 2 && has_position(w, i); c++) {
		put(w, c == 0 ? "<data key=\"x\">" : "<data key=\"y\">");
		put_number(w, g->positions[c * g->n + i]);
		put(w, "</data>");
	}
	put(w, "</node>\n");
}

static void
xml_edge(writer *w, int64_t from, edge e)
{
	put(w, "<edge source=\"n");
	put_int(w, from + 1);
	put(w, "\" target=\"n");
	put_int(w, e.to + 1);
	put(w, "\"><data key=\"weight\">");
	put_number(w, weight_of(e));
	put(w, "</data></edge>\n");
}

static void
xml_tail(writer *w)
{
	put(w, "</graph>\n</graphml>\n");
}

static const knng_writing writing[] = {
	{
		.name = "graphml",
		.nan = "NaN",
		.holds = NAMES | GROUPS | POSITIONS | UNDIRECTED,
		.spell = xml_spell,
		.head = xml_head,
		.node = xml_node,
		.edge = xml_edge,
		.tail = xml_tail,
	},
	{.name = NULL},
};

const knng_format knng_format_graphml = {
	.name = "graphml",
	.title = "GraphML (<graphml>)",
	.kind = KNNG_GRAPH,
	.looks_like = graphml_looks_like,
	.parse = graphml_read,
	.write = writing,
};
