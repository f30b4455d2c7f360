/* graphml.c  GraphML, as Gephi, yEd, igraph, networkx, Cytoscape and knng.write make it:
 *
 *     <graphml> <key id="d0" for="edge" attr.name="weight" attr.type="double"/>
 *     <graph edgedefault="directed"> <node id="a"> <data key="…">…</data> </node>
 *     <edge source="a" target="b"> <data key="d0">0.5</data> </edge> </graph> </graphml>
 *
 * Of the data those are read whose attr.name is name or label, group, x, y and weight; in files of yEd also the label
 * and the place that it draws. A key may have a default, which counts where an element has no data of it, except for
 * names. Graphs in graphs are taken for one. Source: U. Brandes et al., GraphML progress report (2002). */
#include "io/xml.h"

#include <math.h>
#include <string.h>

/* ---- reading ---- */

typedef enum { NOTHING, NAME, LABEL, GROUP, X, Y, WEIGHT } meaning;

typedef struct {
	knng_graph_builder *b;
	knng_xml x;
	knng_names keys;                /* ids of keys */
	meaning meaning[64];            /* of the first keys, as many as have one */
	meaning last;                   /* of the key read last */
	knng_name standard[WEIGHT + 1]; /* the default of each */
} document;

/* What the data of a key mean, from the name that it gives them. */
static knng_status
parse_key(document *f, const knng_tag *g, knng_err *err)
{
	static const char *const names[] = {
		[NAME] = "name", [LABEL] = "label", [GROUP] = "group", [X] = "x", [Y] = "y", [WEIGHT] = "weight"};
	enum { MEANINGS = sizeof names / sizeof *names, MOST = sizeof f->meaning / sizeof *f->meaning };
	knng_name id = knng_xml_attribute(g, "id"), name = knng_xml_attribute(g, "attr.name"),
		  of = knng_xml_attribute(g, "for");
	f->last = NOTHING;
	if (id.text == NULL)
		return knng_text_fail(f->x.t, err, "found a key without id");
	if (name.text == NULL)
		name = id;
	for (int m = NAME; m < MEANINGS; m++) {
		bool fits = of.text == NULL || knng_xml_is(of, "all") || knng_xml_is(of, m == WEIGHT ? "edge" : "node");
		if (!fits || !knng_text_is(name.text, name.text + name.length, names[m]) || f->keys.count == MOST ||
		    knng_names_find(&f->keys, id.text, id.length) >= 0)
			continue;
		int64_t at = knng_names_add(&f->keys, id.text, id.length);
		if (at < 0)
			return knng_fail_memory(err, "the keys of a file", 1e4);
		f->meaning[at] = f->last = (meaning)m;
	}
	return KNNG_OK;
}

/* A node or an edge, from its tag to its end. */
static knng_status
parse_element(document *f, const knng_tag *element, bool is_node, bool both, knng_err *err)
{
	knng_graph_builder *b = f->b;
	knng_text *t = f->x.t;
	knng_name id = knng_xml_attribute(element, "id"),
		  end[2] = {knng_xml_attribute(element, "source"), knng_xml_attribute(element, "target")},
		  direction = knng_xml_attribute(element, "directed"), found[WEIGHT + 1] = {{0}};
	int64_t node[2];
	int outside = f->x.deep - 1;
	meaning wanted = NOTHING;
	double drawn[2] = {NAN, NAN}, value;
	knng_status status;
	bool skip = b->pass == (is_node ? KNNG_PASS_EDGES : KNNG_PASS_NODES);

	if (direction.text != NULL)
		both = knng_xml_is(direction, "false");
	if (is_node ? id.text == NULL : end[0].text == NULL || end[1].text == NULL)
		return knng_text_fail(t, err,
				      is_node ? "found a node without id" : "found an edge without source or target");
	/* The node is there before what it holds, which may be a graph. */
	if (!skip && is_node && (status = knng_graph_new_id(b, id.text, id.length, &node[0], err)) != KNNG_OK)
		return status;
	for (int c = 0; c < 2 && !skip && !is_node; c++)
		if ((status = knng_graph_find_id(b, end[c].text, end[c].length, &node[c], err)) != KNNG_OK)
			return status;
	while (f->x.deep > outside) {
		knng_tag g;
		char *text_end;
		if ((status = knng_xml_next(&f->x, &g, &text_end, err)) != KNNG_OK)
			return status;
		if (g.kind == KNNG_XML_OPEN && knng_xml_is(g.name, "data")) {
			knng_name key = knng_xml_attribute(&g, "key");
			int64_t at = key.text != NULL ? knng_names_find(&f->keys, key.text, key.length) : -1;
			wanted = at >= 0 ? f->meaning[at] : NOTHING;
			found[wanted] = (knng_name){t->at, 0};
		} else if (g.kind == KNNG_XML_CLOSE && wanted != NOTHING && knng_xml_is(g.name, "data")) {
			found[wanted].length = text_end - found[wanted].text;
			wanted = NOTHING;
		} else if (wanted != NOTHING) {
			return knng_text_fail(t, err, "found an element, expected the text of data and </data>");
		} else if (g.kind == KNNG_XML_OPEN && knng_xml_is(g.name, "Geometry")) {
			for (int c = 0; c < 2; c++) {
				knng_name at = knng_xml_attribute(&g, c == 0 ? "x" : "y");
				if (at.text != NULL && (status = knng_xml_number(b, at, &drawn[c], err)) != KNNG_OK)
					return status;
			}
		} else if (g.kind == KNNG_XML_OPEN && knng_xml_is(g.name, "NodeLabel") && found[LABEL].text == NULL &&
			   !f->x.closes && !knng_xml_is(knng_xml_attribute(&g, "hasText"), "false")) {
			found[LABEL] = (knng_name){t->at, (int64_t)strcspn(t->at, "<")};
		} else if (g.kind == KNNG_XML_OPEN && (knng_xml_is(g.name, "node") || knng_xml_is(g.name, "edge"))) {
			bool inner = knng_xml_is(g.name, "node");
			if (!is_node)
				return knng_text_fail(t, err, "found a node or an edge inside an edge");
			if ((status = parse_element(f, &g, inner, both, err)) != KNNG_OK)
				return status;
		}
	}
	if (skip)
		return KNNG_OK;
	for (int m = GROUP; m <= WEIGHT; m++)
		if (found[m].text == NULL && f->standard[m].length > 0)
			found[m] = f->standard[m];
	if (!is_node) {
		if (found[WEIGHT].text != NULL && (status = knng_xml_number(b, found[WEIGHT], &value, err)) != KNNG_OK)
			return status;
		return knng_graph_edge(b, node[0], node[1], found[WEIGHT].text != NULL ? &value : NULL, both, err);
	}
	for (int c = 0; c < 2; c++)
		if (found[X + c].text != NULL && (status = knng_xml_number(b, found[X + c], &drawn[c], err)) != KNNG_OK)
			return status;
	b->node[node[0]].name = found[NAME].text != NULL ? found[NAME] : found[LABEL];
	b->node[node[0]].x = drawn[0];
	b->node[node[0]].y = drawn[1];
	return found[GROUP].text == NULL ? KNNG_OK
					 : knng_graph_group(b, node[0], found[GROUP].text, found[GROUP].length, err);
}

static knng_status
parse_document(document *f, knng_err *err)
{
	knng_text *t = f->x.t;
	bool both = false, graph = false;
	knng_tag g;
	char *text_end;
	knng_status status;
	do {
		if ((status = knng_xml_next(&f->x, &g, &text_end, err)) != KNNG_OK)
			return status;
		if (f->x.deep == 1 && g.kind == KNNG_XML_OPEN && !knng_xml_is(g.name, "graphml"))
			return knng_text_fail(t, err, "found another element, expected <graphml>");
		if (g.kind == KNNG_XML_CLOSE) {
			if (knng_xml_is(g.name, "default") && f->last != NOTHING)
				f->standard[f->last].length = text_end - f->standard[f->last].text;
			continue;
		}
		if (knng_xml_is(g.name, "key")) {
			status = parse_key(f, &g, err);
		} else if (knng_xml_is(g.name, "default")) {
			f->standard[f->last].text = t->at;
		} else if (knng_xml_is(g.name, "graph")) {
			if (f->x.deep == 2 && graph)
				return knng_text_fail(t, err, "found a second graph, expected one");
			graph = true;
			both = knng_xml_is(knng_xml_attribute(&g, "edgedefault"), "undirected");
			f->b->directed = f->b->directed || !both;
		} else if (knng_xml_is(g.name, "node") || knng_xml_is(g.name, "edge")) {
			status = parse_element(f, &g, knng_xml_is(g.name, "node"), both, err);
		} else if (knng_xml_is(g.name, "hyperedge")) {
			return knng_text_fail(t, err, "found a hyperedge, expected edges between two nodes");
		}
		if (status != KNNG_OK)
			return status;
	} while (f->x.deep > 0);
	return KNNG_OK;
}

static knng_status
graphml_parse(knng_graph_builder *b, knng_err *err)
{
	document f = {.b = b, .x = {.t = b->t, .last = "</graphml>"}};
	knng_status status = parse_document(&f, err);
	knng_names_free(&f.keys);
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
	static const knng_graph_format f = {.spelled = knng_xml_spelled, .parse = graphml_parse, .utf8 = true};
	return knng_graph_parse(t, content, &f, err);
}

/* ---- writing ---- */

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
	for (int64_t a = 0; a < w->g->nattributes; a++) {
		const knng_attribute *of = &w->g->attributes[a];
		put(w, "<key id=\"a");
		put_int(w, a + 1);
		put(w, "\" for=\"node\" attr.name=\"");
		knng_put_spelled(w, "attribute", a, of->name, knng_xml_spell_value);
		put(w, of->number != NULL ? "\" attr.type=\"double\"/>\n" : "\" attr.type=\"string\"/>\n");
	}
	xml_key(w, "edge", "weight", "double");
	put(w, w->directed ? "<graph edgedefault=\"directed\">\n" : "<graph edgedefault=\"undirected\">\n");
}

static void
xml_node(writer *w, int64_t i)
{
	const knng_graph *g = w->g;
	const knng_attribute *a;
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
	for (int64_t c = 0; (a = knng_next_attribute(w, i, &c)) != NULL;) {
		put(w, "<data key=\"a");
		put_int(w, c);
		put(w, "\">");
		if (a->number != NULL)
			put_number(w, a->number[i]);
		else
			knng_put_text(w, "node", i, a->text[i]);
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
		.holds = NAMES | GROUPS | POSITIONS | UNDIRECTED | ATTRIBUTES,
		.spell = knng_xml_spell,
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
