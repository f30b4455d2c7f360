/* gexf.c  GEXF, as Gephi, networkx, rgexf and knng.write make it:
 *
 *     <gexf version="1.3"> <graph defaultedgetype="undirected">
 *     <attributes class="node"> <attribute id="0" title="group" type="string"/> </attributes>
 *     <nodes> <node id="1" label="a"> <attvalues> <attvalue for="0" value="…"/> </attvalues>
 *       <viz:color r="230" g="159" b="0"/> <viz:position x="1.5" y="2.0" z="0.0"/> </node> </nodes>
 *     <edges> <edge source="1" target="2" weight="0.5"/> </edges> </graph> </gexf>
 *
 * The name of a node is its label. Of its attributes those are read whose title is group, x and y, which go before its
 * viz:position; of an edge its weight, also as an attribute, and its type: a mutual edge is undirected. An attribute
 * may have a default, which counts where an element has no value of it. Nodes in nodes are taken for nodes. Written is
 * version 1.3. Source: GEXF 1.3 (2022), gexf.net. */
#include "io/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

typedef enum { NOTHING, GROUP, X, Y, WEIGHT } meaning;
enum { MEANINGS = WEIGHT + 1, MOST = 64, OF_NODES = 0, OF_EDGES = 1 };

/* The attributes that a class, nodes or edges, has. */
typedef struct {
	knng_names ids;
	meaning meaning[MOST]; /* of the first ids, as many as have one */
} attributes;

typedef struct {
	knng_graph_builder *b;
	knng_xml x;
	attributes of[2];
	int class;                    /* of the attributes that are declared now */
	meaning last;                 /* of the attribute declared last */
	knng_name standard[MEANINGS]; /* the default of each */
	bool both;                    /* edges are undirected unless they say otherwise */
} document;

static knng_status
parse_attribute(document *f, const knng_tag *g, knng_err *err)
{
	static const char *const titles[2][MEANINGS] = {{[GROUP] = "group", [X] = "x", [Y] = "y"},
							{[WEIGHT] = "weight"}};
	attributes *of = &f->of[f->class];
	knng_name id = knng_xml_attribute(g, "id"), title = knng_xml_attribute(g, "title");
	f->last = NOTHING;
	if (id.text == NULL)
		return knng_text_fail(f->x.t, err, "found an attribute without id");
	for (int m = GROUP; m < MEANINGS && title.text != NULL; m++) {
		const char *wanted = titles[f->class][m];
		if (wanted == NULL || !knng_text_is(title.text, title.text + title.length, wanted) ||
		    of->ids.count == MOST || knng_names_find(&of->ids, id.text, id.length) >= 0)
			continue;
		int64_t at = knng_names_add(&of->ids, id.text, id.length);
		if (at < 0)
			return knng_fail_memory(err, "the attributes of a file", 1e4);
		of->meaning[at] = f->last = (meaning)m;
	}
	return KNNG_OK;
}

/* The value of an attribute into found[…], if it means something. */
static void
take_value(const attributes *of, const knng_tag *g, knng_name *found)
{
	knng_name id = knng_xml_attribute(g, "for");
	if (id.text == NULL)
		id = knng_xml_attribute(g, "id"); /* before version 1.1 */
	int64_t at = id.text != NULL ? knng_names_find(&of->ids, id.text, id.length) : -1;
	if (at >= 0)
		found[of->meaning[at]] = knng_xml_attribute(g, "value");
}

static knng_status
end_node(document *f, int64_t node, knng_name label, const knng_name *found, double place[2], knng_err *err)
{
	knng_graph_builder *b = f->b;
	knng_status status;
	for (int c = 0; c < 2; c++)
		if (found[X + c].text != NULL && (status = knng_xml_number(b, found[X + c], &place[c], err)) != KNNG_OK)
			return status;
	b->node[node].name = label;
	b->node[node].x = place[0];
	b->node[node].y = place[1];
	return found[GROUP].text == NULL ? KNNG_OK
					 : knng_graph_group(b, node, found[GROUP].text, found[GROUP].length, err);
}

/* A node or an edge, from its tag to its end. */
static knng_status
parse_element(document *f, const knng_tag *element, bool is_node, knng_err *err)
{
	knng_graph_builder *b = f->b;
	knng_text *t = f->x.t;
	knng_name id = knng_xml_attribute(element, "id"), label = knng_xml_attribute(element, "label"),
		  end[2] = {knng_xml_attribute(element, "source"), knng_xml_attribute(element, "target")},
		  type = knng_xml_attribute(element, "type"), found[MEANINGS] = {{0}};
	int64_t node[2];
	int outside = f->x.deep - 1;
	double place[2] = {NAN, NAN}, weight = 1;
	bool both = type.text == NULL ? f->both : !knng_xml_is(type, "directed");
	bool skip = b->pass == (is_node ? KNNG_PASS_EDGES : KNNG_PASS_NODES);
	knng_status status;

	if (is_node ? id.text == NULL : end[0].text == NULL || end[1].text == NULL)
		return knng_text_fail(t, err,
				      is_node ? "found a node without id" : "found an edge without source or target");
	/* The node is there before what it holds, which may be nodes. */
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
		if (g.kind == KNNG_XML_CLOSE)
			continue;
		bool inner_node = knng_xml_is(g.name, "node");
		if (knng_xml_is(g.name, "attvalue"))
			take_value(&f->of[is_node ? OF_NODES : OF_EDGES], &g, found);
		else if (inner_node || knng_xml_is(g.name, "edge")) {
			if (!is_node)
				return knng_text_fail(t, err, "found a node or an edge inside an edge");
			if ((status = parse_element(f, &g, inner_node, err)) != KNNG_OK)
				return status;
		}
		for (int c = 0; c < 2 && knng_xml_is(g.name, "position"); c++) {
			knng_name at = knng_xml_attribute(&g, c == 0 ? "x" : "y");
			if (at.text != NULL && (status = knng_xml_number(b, at, &place[c], err)) != KNNG_OK)
				return status;
		}
	}
	if (skip)
		return KNNG_OK;
	for (int m = GROUP; m < MEANINGS; m++)
		if (found[m].text == NULL && f->standard[m].length > 0)
			found[m] = f->standard[m];
	if (is_node)
		return end_node(f, node[0], label, found, place, err);
	knng_name said = knng_xml_attribute(element, "weight");
	said = said.text != NULL ? said : found[WEIGHT];
	if (said.text != NULL && (status = knng_xml_number(b, said, &weight, err)) != KNNG_OK)
		return status;
	return knng_graph_edge(b, node[0], node[1], &weight, both, err);
}

/* What is neither a node nor an edge. */
static knng_status
parse_other(document *f, const knng_tag *g, bool *graph, knng_err *err)
{
	knng_name class = knng_xml_attribute(g, "class"), type = knng_xml_attribute(g, "defaultedgetype");
	if (knng_xml_is(g->name, "attributes")) {
		f->class = class.text != NULL && knng_xml_is(class, "edge") ? OF_EDGES : OF_NODES;
	} else if (knng_xml_is(g->name, "attribute")) {
		return parse_attribute(f, g, err);
	} else if (knng_xml_is(g->name, "default")) {
		f->standard[f->last].text = f->x.t->at;
	} else if (knng_xml_is(g->name, "graph")) {
		if (*graph)
			return knng_text_fail(f->x.t, err, "found a second graph, expected one");
		*graph = true;
		f->both = type.text == NULL || !knng_xml_is(type, "directed");
		f->b->directed = f->b->directed || !f->both;
	}
	return KNNG_OK;
}

static knng_status
parse_document(document *f, knng_err *err)
{
	bool graph = false;
	knng_tag g;
	char *text_end;
	knng_status status;
	do {
		if ((status = knng_xml_next(&f->x, &g, &text_end, err)) != KNNG_OK)
			return status;
		if (f->x.deep == 1 && g.kind == KNNG_XML_OPEN && !knng_xml_is(g.name, "gexf"))
			return knng_text_fail(f->x.t, err, "found another element, expected <gexf>");
		bool is_node = knng_xml_is(g.name, "node");
		if (g.kind == KNNG_XML_CLOSE) {
			if (knng_xml_is(g.name, "default"))
				f->standard[f->last].length = text_end - f->standard[f->last].text;
		} else if (is_node || knng_xml_is(g.name, "edge")) {
			status = parse_element(f, &g, is_node, err);
		} else {
			status = parse_other(f, &g, &graph, err);
		}
		if (status != KNNG_OK)
			return status;
	} while (f->x.deep > 0);
	return KNNG_OK;
}

static knng_status
gexf_parse(knng_graph_builder *b, knng_err *err)
{
	document f = {.b = b, .x = {.t = b->t, .last = "</gexf>"}, .both = true};
	knng_status status = parse_document(&f, err);
	knng_names_free(&f.of[OF_NODES].ids);
	knng_names_free(&f.of[OF_EDGES].ids);
	return status;
}

static bool
gexf_looks_like(const char *text)
{
	text = skip_blanks((char *)text);
	return *text == '<' && (text[1] == '?' || text[1] == '!' || text[1] == 'g') && strstr(text, "<gexf") != NULL;
}

static knng_status
gexf_read(knng_text *t, knng_content *content, knng_err *err)
{
	static const knng_graph_format f = {.spelled = knng_xml_spelled, .parse = gexf_parse, .utf8 = true};
	return knng_graph_parse(t, content, &f, err);
}

/* ---- writing, as Gephi opens it: circles in the colours of their groups, with labels, where the layout has them.
 * Positions that the user gave stand in the attributes x and y as well, to the bit. ---- */

static void
attribute(writer *w, const char *name, const char *type)
{
	const char *part[] = {"<attribute id=\"", name, "\" title=\"", name, "\" type=\"", type, "\"/>\n"};
	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
		put(w, part[i]);
}

static void
gexf_head(writer *w)
{
	const knng_graph *g = w->g;
	put(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gexf xmlns=\"http://gexf.net/1.3\" "
	       "xmlns:viz=\"http://gexf.net/1.3/viz\" version=\"1.3\">\n<meta><creator>knng " KNNG_VERSION
	       "</creator></meta>\n<graph defaultedgetype=\"");
	put(w, w->directed ? "directed\">\n" : "undirected\">\n");
	bool some = g->group != NULL || g->positions != NULL || g->nattributes > 0;
	if (some)
		put(w, "<attributes class=\"node\">\n");
	if (g->group != NULL)
		attribute(w, "group", "string");
	if (g->positions != NULL) {
		attribute(w, "x", "double");
		attribute(w, "y", "double");
	}
	for (int64_t a = 0; a < g->nattributes; a++) {
		put(w, "<attribute id=\"a");
		put_int(w, a + 1);
		put(w, "\" title=\"");
		knng_put_text(w, "attribute", a, g->attributes[a].name);
		put(w, g->attributes[a].number != NULL ? "\" type=\"double\"/>\n" : "\" type=\"string\"/>\n");
	}
	if (some)
		put(w, "</attributes>\n");
	put(w, "<nodes>\n");
}

/* What a viewer draws. */
static void
put_look(writer *w, int64_t i, bool grouped)
{
	const knng_graph *g = w->g;
	if (grouped) {
		long colour = strtol(knng_group_colour(g->group[i]) + 1, NULL, 16);
		put(w, "<viz:color r=\"");
		put_int(w, colour >> 16);
		put(w, "\" g=\"");
		put_int(w, colour >> 8 & 255);
		put(w, "\" b=\"");
		put_int(w, colour & 255);
		put(w, "\"/>");
	}
	if (g->positions == NULL || has_position(w, i)) {
		put(w, "<viz:position x=\"");
		put_number(w, w->layout[i]);
		put(w, "\" y=\"");
		put_number(w, 0 - w->layout[g->n + i]); /* upwards */
		put(w, "\" z=\"0\"/>");
	}
	put(w, "<viz:size value=\"15\"/>");
}

static void
gexf_node(writer *w, int64_t i)
{
	const knng_graph *g = w->g;
	const char *group = group_of(w, i);
	const knng_attribute *a;
	int64_t next = 0;
	bool placed = has_position(w, i), some = group != NULL || placed || knng_next_attribute(w, i, &next) != NULL;
	put(w, "<node id=\"");
	put_int(w, i + 1);
	if (g->names != NULL) {
		put(w, "\" label=\"");
		knng_put_text(w, "node", i, g->names[i]);
	}
	put(w, "\">");
	if (some)
		put(w, "<attvalues>");
	if (group != NULL) {
		put(w, "<attvalue for=\"group\" value=\"");
		knng_put_text(w, "node", i, group);
		put(w, "\"/>");
	}
	for (int c = 0; c < 2 && placed; c++) {
		put(w, c == 0 ? "<attvalue for=\"x\" value=\"" : "<attvalue for=\"y\" value=\"");
		put_number(w, g->positions[c * g->n + i]);
		put(w, "\"/>");
	}
	for (int64_t c = 0; (a = knng_next_attribute(w, i, &c)) != NULL;) {
		put(w, "<attvalue for=\"a");
		put_int(w, c);
		put(w, "\" value=\"");
		if (a->number != NULL)
			put_number(w, a->number[i]);
		else
			knng_put_text(w, "node", i, a->text[i]);
		put(w, "\"/>");
	}
	if (some)
		put(w, "</attvalues>");
	put_look(w, i, group != NULL);
	put(w, "</node>\n");
}

static void
gexf_between(writer *w)
{
	put(w, "</nodes>\n<edges>\n");
}

static void
gexf_edge(writer *w, int64_t from, edge e)
{
	put(w, "<edge source=\"");
	put_int(w, from + 1);
	put(w, "\" target=\"");
	put_int(w, e.to + 1);
	put(w, "\" weight=\"");
	put_number(w, weight_of(e));
	put(w, "\"/>\n");
}

static void
gexf_tail(writer *w)
{
	put(w, "</edges>\n</graph>\n</gexf>\n");
}

static const knng_writing writing[] = {
	{
		.name = "gexf",
		.nan = "NaN",
		.holds = NAMES | GROUPS | POSITIONS | UNDIRECTED | ATTRIBUTES,
		.spell = knng_xml_spell_value,
		.prepare = knng_lay_out,
		.head = gexf_head,
		.node = gexf_node,
		.between = gexf_between,
		.edge = gexf_edge,
		.tail = gexf_tail,
	},
	{.name = NULL},
};

const knng_format knng_format_gexf = {
	.name = "gexf",
	.title = "GEXF (<gexf>)",
	.kind = KNNG_GRAPH,
	.looks_like = gexf_looks_like,
	.parse = gexf_read,
	.write = writing,
};
