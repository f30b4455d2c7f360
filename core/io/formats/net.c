/* net.c  Pajek: *Vertices with names and places, then *Arcs or *Edges, each with a weight, or lists of neighbours. */
#include "io/entities.h"
#include "io/formats/edge_lines.h"
#include "io/write.h"

#include <math.h>
#include <string.h>

/* ---- reading ---- */

/* Characters may stand as numbers, but not by name. */
static int64_t
net_text(const char *piece, int64_t length, char *to)
{
	return knng_entities(piece, length, to, false);
}

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

/* Room for the descriptions of all nodes. A file is not believed to describe few of many. */
static knng_status
net_descriptions(knng_graph_builder *b, knng_err *err)
{
	const knng_text *t = b->t;
	double bytes = (double)b->n * sizeof *b->node;
	knng_status status;
	if (b->n / 2 > t->end - t->text)
		return knng_text_fail(t, err, "found %lld nodes, for which the file is too short", (long long)b->n);
	if ((status = knng_afford(bytes, "the nodes of a file", err)) != KNNG_OK)
		return status;
	if ((b->node = knng_alloc(b->n, sizeof *b->node)) == NULL)
		return knng_fail_memory(err, "the nodes of a file", bytes);
	for (; b->node_room < b->n; b->node_room++)
		b->node[b->node_room] = (knng_node){.x = NAN, .y = NAN};
	return KNNG_OK;
}

/* What a line is in each section. */
enum { NETWORK, VERTICES, ARCSLIST, EDGESLIST, ARCS, EDGES, SECTIONS, NOWHERE };

/* A line that begins with '*': *in, the section that it begins; *sized, *Vertices was there. */
static knng_status
net_section(knng_graph_builder *b, int *in, bool *sized, knng_err *err)
{
	static const char *const names[SECTIONS] = {"*network",   "*vertices", "*arcslist",
						    "*edgeslist", "*arcs",     "*edges"};
	knng_text *t = b->t;
	knng_status status = KNNG_OK;
	char *p = skip_word(t->at);
	for (char *q = t->at; q < p; q++) /* '*Arcs:2 "relation"' */
		if (*q == ':')
			p = q;
	for (*in = 0; *in < SECTIONS && !knng_text_is(t->at, p, names[*in]);)
		++*in;
	if (*in == SECTIONS || (*in > VERTICES && !*sized))
		return knng_text_fail_found(t, t->at, "*Vertices first, then *Arcs, *Edges, *Arcslist or *Edgeslist",
					    err);
	if (*in == VERTICES) {
		status = net_vertices(b, p, err);
		*sized = true;
	}
	b->directed = b->directed || *in == ARCS || *in == ARCSLIST;
	while (!is_end(*t->at))
		t->at++;
	return status;
}

/* Any other line of a section. */
static knng_status
net_line(knng_graph_builder *b, int in, knng_err *err)
{
	knng_text *t = b->t;
	knng_status status;
	if (*t->at == '%' || in == NETWORK) {
		while (!is_end(*t->at))
			t->at++;
		return KNNG_OK;
	}
	if (in == VERTICES)
		return b->node == NULL && (status = net_descriptions(b, err)) != KNNG_OK ? status : net_vertex(b, err);
	if (in == ARCSLIST || in == EDGESLIST)
		return net_list(b, in == EDGESLIST, err);
	if (in == ARCS || in == EDGES)
		return knng_edge_line(b, 1, KNNG_PERHAPS_WEIGHT, in == EDGES, err);
	return knng_text_fail_found(t, t->at, "*Vertices", err);
}

static knng_status
net_parse(knng_graph_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	knng_status status = KNNG_OK;
	int in = NOWHERE;
	bool sized = false;
	for (knng_text_next_word(t); status == KNNG_OK && *t->at != '\0'; knng_text_next_word(t))
		status = *t->at == '*' ? net_section(b, &in, &sized, err) : net_line(b, in, err);
	if (status == KNNG_OK && !sized)
		return knng_text_fail_truncated(t, "*Vertices", err);
	return status;
}

static knng_status
net_read(knng_text *t, knng_content *content, knng_err *err)
{
	static const knng_graph_format f = {.spelled = net_text, .parse = net_parse};
	return knng_graph_parse(t, content, &f, err);
}

/* ---- writing ---- */

/* Pajek: in quotes, with the numbers of what would end them. */
static bool
net_spell(writer *w, const char *s)
{
	for (; *s != '\0'; s++) {
		room(w, KNNG_PUT_ROOM);
		if (*s == '"' || (unsigned char)*s < ' ' || (*s == '&' && s[1] == '#'))
			knng_put_code(w, *s);
		else
			*w->at++ = *s;
	}
	return true;
}

static void
net_head(writer *w)
{
	put(w, "*Vertices ");
	put_int(w, w->g->n);
	put(w, "\n");
}

static void
net_node(writer *w, int64_t i)
{
	const knng_graph *g = w->g;
	if (g->names == NULL && g->positions == NULL)
		return;
	put_int(w, i + 1);
	put(w, " \"");
	knng_put_node(w, i);
	put(w, "\"");
	for (int c = 0; c < 2 && has_position(w, i); c++) {
		put(w, " ");
		put_number(w, g->positions[c * g->n + i]);
	}
	put(w, "\n");
}

static void
net_between(writer *w)
{
	put(w, w->directed ? "*Arcs\n" : "*Edges\n");
}

static void
net_edge(writer *w, int64_t from, edge e)
{
	put_int(w, from + 1);
	put(w, " ");
	put_int(w, e.to + 1);
	put(w, " ");
	put_number(w, weight_of(e));
	put(w, "\n");
}

static const knng_writing writing[] = {
	{
		.name = "net",
		.nan = "NaN",
		.holds = NAMES | POSITIONS | UNDIRECTED,
		.spell = net_spell,
		.head = net_head,
		.node = net_node,
		.between = net_between,
		.edge = net_edge,
	},
	{.name = NULL},
};

const knng_format knng_format_net = {
	.name = "net",
	.title = "Pajek (*Vertices)",
	.kind = KNNG_GRAPH,
	.looks_like = net_looks_like,
	.parse = net_read,
	.write = writing,
};
