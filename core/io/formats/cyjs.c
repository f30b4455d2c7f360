/* cyjs.c  JSON of Cytoscape.js, as Cytoscape, networkx and knng.write make it:
 *
 *     {"directed": false, "elements": {
 *       "nodes": [{"data": {"id": "1", "name": "a", "group": "b"}, "position": {"x": 1.5, "y": 2}}, …],
 *       "edges": [{"data": {"source": "1", "target": "2", "weight": 0.5}}, …]}}
 *
 * The name of a node is its name, else its label, else its shared_name; x and y of its data go before its position.
 * The elements may also be one list, where group says "nodes" or "edges", or else those with a source are edges. Edges
 * are directed unless `directed` is false.
 * What is not named above is skipped. Source: Cytoscape.js, elements JSON; networkx's cytoscape_data, whose `directed`
 * this is. */
#include "io/graph_builder.h"
#include "io/utf8.h"
#include "io/write.h"

#include <math.h>
#include <string.h>

/* ---- JSON: what stands at t->at; each call goes behind it ---- */

static knng_status
pass(knng_text *t, char c, const char *expected, knng_err *err)
{
	knng_text_next_word(t);
	if (*t->at == '\0')
		return knng_text_fail_truncated(t, expected, err);
	if (*t->at != c)
		return knng_text_fail_found(t, t->at, expected, err);
	t->at++;
	return KNNG_OK;
}

static knng_status
pass_text(knng_text *t, knng_name *s, knng_err *err)
{
	knng_status status = pass(t, '"', "a text in quotes", err);
	if (status != KNNG_OK)
		return status;
	char *from = t->at;
	for (; *t->at != '"' && *t->at != '\0'; t->at++) {
		t->line += *t->at == '\n';
		if (*t->at == '\\' && t->at[1] != '\0')
			t->at++;
	}
	if (*t->at == '\0')
		return knng_text_fail_truncated(t, "the quote that ends a text", err);
	*s = (knng_name){from, t->at++ - from};
	return KNNG_OK;
}

/* Whether the object or list has one more part, which is next; ends it if not. */
static knng_status
pass_comma(knng_text *t, char end, bool *first, bool *more, knng_err *err)
{
	knng_text_next_word(t);
	*more = *t->at != end;
	if (!*more)
		t->at++;
	bool comma = *more && !*first;
	*first = false;
	return comma ? pass(t, ',',
			    end == '}' ? "a comma, or the } that ends an object" : "a comma, or the ] that ends a list",
			    err)
		     : KNNG_OK;
}

/* The next key of an object; text NULL: it has ended. */
static knng_status
pass_key(knng_text *t, bool *first, knng_name *key, knng_err *err)
{
	bool more;
	knng_status status = pass_comma(t, '}', first, &more, err);
	*key = (knng_name){0};
	if (status != KNNG_OK || !more)
		return status;
	if ((status = pass_text(t, key, err)) == KNNG_OK &&
	    (status = pass(t, ':', "a colon behind a key", err)) == KNNG_OK)
		knng_text_next_word(t);
	return status;
}

/* A text, a number or a word; of an object or a list nothing, and all is passed. */
static knng_status
pass_value(knng_text *t, knng_name *value, knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t deep = 0;
	*value = (knng_name){0};
	do {
		knng_text_next_word(t);
		char c = *t->at, *from = t->at;
		if (c == '\0')
			return knng_text_fail_truncated(t, deep > 0 ? "the end of an object or a list" : "a value",
							err);
		if (c == '"') {
			status = pass_text(t, value, err);
		} else if (strchr("{[", c) != NULL) {
			deep++;
			t->at++;
		} else if (deep > 0 && strchr("}],:", c) != NULL) {
			deep -= c == '}' || c == ']';
			t->at++;
			*value = (knng_name){0};
		} else {
			while (!is_blank(*t->at) && !is_end(*t->at) && strchr("{}[],:\"", *t->at) == NULL)
				t->at++;
			if (t->at == from)
				return knng_text_fail_found(t, t->at, "a value", err);
			*value = (knng_name){from, t->at - from};
		}
		if (status != KNNG_OK)
			return status;
	} while (deep > 0);
	return KNNG_OK;
}

static bool
is_named(knng_name a, const char *name)
{
	return a.length == (int64_t)strlen(name) && memcmp(a.text, name, (size_t)a.length) == 0;
}

/* The word, not the text "null". */
static bool
is_null(knng_name value)
{
	return is_named(value, "null") && value.text[-1] != '"';
}

/* ---- reading ---- */

/* What is read of the data of an element; of several that are a name the first. */
typedef enum { ID, OF_NAME, OF_LABEL, OF_SHARED, GROUP, OF_X, OF_Y, SOURCE, TARGET, WEIGHT, MEANINGS } meaning;

static const char *const keys[MEANINGS] = {
	[ID] = "id",  [OF_NAME] = "name", [OF_LABEL] = "label", [OF_SHARED] = "shared_name", [GROUP] = "group",
	[OF_X] = "x", [OF_Y] = "y",       [SOURCE] = "source",  [TARGET] = "target",         [WEIGHT] = "weight"};

/* The data of an element; or its position, in the places of x and y. */
static knng_status
take_data(knng_text *t, knng_name found[MEANINGS], knng_err *err)
{
	bool first = true;
	knng_name key, value;
	knng_status status = pass(t, '{', "an object", err);
	while (status == KNNG_OK && (status = pass_key(t, &first, &key, err)) == KNNG_OK && key.text != NULL) {
		status = pass_value(t, &value, err);
		for (int m = 0; m < MEANINGS && status == KNNG_OK && value.text != NULL; m++)
			if (is_named(key, keys[m]) && (m == WEIGHT || !is_null(value)))
				found[m] = value;
	}
	return status;
}

static knng_status
end_node(knng_graph_builder *b, const knng_name *found, const knng_name *position, knng_err *err)
{
	int64_t node;
	double at[2] = {NAN, NAN};
	knng_status status;
	if (found[ID].text == NULL)
		return knng_text_fail(b->t, err, "found a node without id");
	if (b->pass == KNNG_PASS_EDGES)
		return KNNG_OK;
	if ((status = knng_graph_new_id(b, found[ID].text, found[ID].length, &node, err)) != KNNG_OK)
		return status;
	for (int c = 0; c < 2; c++) {
		knng_name said = found[OF_X + c].text != NULL ? found[OF_X + c] : position[OF_X + c];
		if (said.text != NULL &&
		    (status = knng_graph_weight(b, (char *)said.text, said.text + said.length, &at[c], err)) != KNNG_OK)
			return status;
	}
	for (int m = OF_SHARED; m >= OF_NAME; m--)
		if (found[m].text != NULL)
			b->node[node].name = found[m];
	b->node[node].x = at[0];
	b->node[node].y = at[1];
	return found[GROUP].text == NULL ? KNNG_OK
					 : knng_graph_group(b, node, found[GROUP].text, found[GROUP].length, err);
}

static knng_status
end_edge(knng_graph_builder *b, const knng_name *found, bool both, knng_err *err)
{
	int64_t node[2];
	double weight;
	knng_name said = found[WEIGHT];
	knng_status status;
	if (found[SOURCE].text == NULL || found[TARGET].text == NULL)
		return knng_text_fail(b->t, err, "found an edge without source or target");
	if (b->pass == KNNG_PASS_NODES)
		return KNNG_OK;
	for (int c = 0; c < 2; c++)
		if ((status = knng_graph_find_id(b, found[SOURCE + c].text, found[SOURCE + c].length, &node[c], err)) !=
		    KNNG_OK)
			return status;
	if (said.text != NULL &&
	    (status = knng_graph_weight(b, (char *)said.text, said.text + said.length, &weight, err)) != KNNG_OK)
		return status;
	return knng_graph_edge(b, node[0], node[1], said.text != NULL ? &weight : NULL, both, err);
}

typedef enum { NODES, EDGES, BOTH } list;

static list
list_of(knng_name name)
{
	return is_named(name, "nodes") ? NODES : is_named(name, "edges") ? EDGES : BOTH;
}

static knng_status
parse_elements(knng_graph_builder *b, list all, bool both, knng_err *err)
{
	knng_text *t = b->t;
	bool first = true, more;
	knng_status status = pass(t, '[', "a list of elements", err);
	while (status == KNNG_OK && (status = pass_comma(t, ']', &first, &more, err)) == KNNG_OK && more) {
		knng_name found[MEANINGS] = {{0}}, position[MEANINGS] = {{0}}, key, value;
		bool first_key = true;
		list one = all;
		status = pass(t, '{', "an object for each element", err);
		while (status == KNNG_OK && (status = pass_key(t, &first_key, &key, err)) == KNNG_OK &&
		       key.text != NULL) {
			status = is_named(key, "data")       ? take_data(t, found, err)
				 : is_named(key, "position") ? take_data(t, position, err)
							     : pass_value(t, &value, err);
			if (all == BOTH && is_named(key, "group"))
				one = list_of(value);
		}
		if (one == BOTH) /* which nobody says */
			one = found[SOURCE].text != NULL || found[TARGET].text != NULL ? EDGES : NODES;
		if (status == KNNG_OK)
			status = one == EDGES ? end_edge(b, found, both, err) : end_node(b, found, position, err);
	}
	return status;
}

/* The file once through, for what is said of the whole, which may stand behind the elements. */
static knng_status
look_over(knng_text *t, bool *both, char **elements, int64_t *line, knng_err *err)
{
	bool first = true;
	knng_name key, value;
	*elements = NULL;
	knng_status status = pass(t, '{', "the { of a network", err);
	while (status == KNNG_OK && (status = pass_key(t, &first, &key, err)) == KNNG_OK && key.text != NULL) {
		if (is_named(key, "elements")) {
			*elements = t->at;
			*line = t->line;
		}
		status = pass_value(t, &value, err);
		if (is_named(key, "directed"))
			*both = is_named(value, "false");
	}
	if (status == KNNG_OK && *elements == NULL)
		return knng_text_fail(t, err, "found a network without elements");
	knng_text_next_word(t);
	return status == KNNG_OK && *t->at != '\0' ? knng_text_fail(t, err, "found more behind the end of the network")
						   : status;
}

static knng_status
cyjs_parse(knng_graph_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	bool both = false, first = true;
	char *elements;
	int64_t line = 1;
	knng_name key, value;
	knng_status status = look_over(t, &both, &elements, &line, err);
	if (status != KNNG_OK)
		return status;
	b->directed = b->directed || !both;
	t->at = elements;
	t->line = line;
	if (*t->at == '[')
		return parse_elements(b, BOTH, both, err);
	status = pass(t, '{', "an object or a list of elements", err);
	while (status == KNNG_OK && (status = pass_key(t, &first, &key, err)) == KNNG_OK && key.text != NULL)
		status = list_of(key) != BOTH ? parse_elements(b, list_of(key), both, err) : pass_value(t, &value, err);
	return status;
}

static bool
cyjs_looks_like(const char *text)
{
	return *skip_blanks((char *)text) == '{' && strstr(text, "\"elements\"") != NULL;
}

static int
hex(char c)
{
	return is_digit(c) ? c - '0' : lower(c) >= 'a' && lower(c) <= 'f' ? lower(c) - 'a' + 10 : -1;
}

/* The number of \uXXXX at p; -1: it is none. */
static int32_t
escaped(const char *p, const char *end)
{
	int32_t c = 0;
	if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
		return -1;
	for (int i = 2; i < 6; i++)
		c = hex(p[i]) < 0 || c < 0 ? -1 : c * 16 + hex(p[i]);
	return c;
}

/* What is no escape of JSON stays as it is; half a pair of surrogates, and the character 0, become U+FFFD. */
static int64_t
json_text(const char *p, int64_t length, char *to)
{
	static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
	const char *end = p + length;
	char *out = to;
	while (p < end) {
		const char *letter;
		int32_t c = escaped(p, end);
		if (c >= 0) {
			int32_t low = c >= 0xD800 && c < 0xDC00 ? escaped(p + 6, end) : -1;
			bool pair = low >= 0xDC00 && low < 0xE000;
			p += pair ? 12 : 6;
			out += knng_utf8_put((uint32_t)(pair ? 0x10000 + ((c - 0xD800) << 10) + low - 0xDC00
							: c == 0 || (c >= 0xD800 && c < 0xE000) ? 0xFFFD
												: c),
					     out);
		} else if (*p == '\\' && end - p >= 2 && strchr("\"\\/", p[1]) != NULL) {
			*out++ = p[1];
			p += 2;
		} else if (*p == '\\' && end - p >= 2 && (letter = strchr(letters, p[1])) != NULL) {
			*out++ = meant[letter - letters];
			p += 2;
		} else {
			*out++ = *p++;
		}
	}
	return out - to;
}

static knng_status
cyjs_read(knng_text *t, knng_content *content, knng_err *err)
{
	static const knng_graph_format f = {.spelled = json_text, .parse = cyjs_parse, .utf8 = true};
	return knng_graph_parse(t, content, &f, err);
}

/* ---- writing, as Cytoscape opens it: where the layout has the nodes. Positions that the user gave stand in the data
 * x and y as well, to the bit. `value` is the id again, which networkx takes. ---- */

static bool
json_spell(writer *w, const char *s)
{
	static const char digits[] = "0123456789abcdef";
	for (; *s != '\0'; s++) {
		room(w, KNNG_PUT_ROOM);
		if (*s == '"' || *s == '\\')
			*w->at++ = '\\';
		if ((unsigned char)*s < ' ') {
			put(w, "\\u00");
			*w->at++ = digits[*s >> 4];
			*w->at++ = digits[*s & 15];
		} else {
			*w->at++ = *s;
		}
	}
	return true;
}

/* JSON has no infinity, but what is too large for a double is read as one. */
static void
json_number(writer *w, double v)
{
	if (isinf(v))
		put(w, v > 0 ? "1e999" : "-1e999");
	else
		put_number(w, v);
}

static void
cyjs_head(writer *w)
{
	put(w, "{\"generated_by\": \"knng " KNNG_VERSION "\", \"format_version\": \"1.0\", "
	       "\"target_cytoscapejs_version\": \"~2.1\",\n\"data\": {\"name\": \"knng\"}, \"multigraph\": false, "
	       "\"directed\": ");
	put(w, w->directed ? "true" : "false");
	put(w, ",\n\"elements\": {\n\"nodes\": [");
}

static void
cyjs_node(writer *w, int64_t i)
{
	const knng_graph *g = w->g;
	const knng_attribute *a;
	const char *group = group_of(w, i);
	put(w, i > 0 ? ",\n{\"data\": {\"id\": \"" : "\n{\"data\": {\"id\": \"");
	put_int(w, i + 1);
	put(w, "\", \"value\": \"");
	put_int(w, i + 1);
	put(w, "\"");
	if (g->names != NULL) {
		put(w, ", \"name\": \"");
		knng_put_text(w, "node", i, g->names[i]);
		put(w, "\"");
	}
	if (group != NULL) {
		put(w, ", \"group\": \"");
		knng_put_text(w, "node", i, group);
		put(w, "\", \"color\": \"");
		put(w, knng_group_colour(g->group[i]));
		put(w, "\"");
	}
	for (int c = 0; c < 2 && has_position(w, i); c++) {
		put(w, c == 0 ? ", \"x\": " : ", \"y\": ");
		json_number(w, g->positions[c * g->n + i]);
	}
	for (int64_t c = 0; (a = knng_next_attribute(w, i, &c)) != NULL;) {
		put(w, ", \"");
		knng_put_text(w, "attribute", c - 1, a->name);
		put(w, a->number != NULL ? "\": " : "\": \"");
		if (a->number != NULL)
			json_number(w, a->number[i]);
		else
			knng_put_text(w, "node", i, a->text[i]);
		put(w, a->number != NULL ? "" : "\"");
	}
	put(w, "}");
	for (int c = 0; c < 2 && (g->positions == NULL || has_position(w, i)); c++) {
		put(w, c == 0 ? ", \"position\": {\"x\": " : ", \"y\": ");
		json_number(w, w->layout[c * g->n + i]);
		put(w, c == 0 ? "" : "}");
	}
	put(w, "}");
}

static void
cyjs_between(writer *w)
{
	put(w, "\n],\n\"edges\": [");
}

static void
cyjs_edge(writer *w, int64_t from, edge e)
{
	bool first = w->first[from] == 0 && w->e[0].to == e.to;
	put(w, first ? "\n{\"data\": {\"source\": \"" : ",\n{\"data\": {\"source\": \"");
	put_int(w, from + 1);
	put(w, "\", \"target\": \"");
	put_int(w, e.to + 1);
	put(w, "\", \"weight\": ");
	json_number(w, weight_of(e));
	put(w, "}}");
}

static void
cyjs_tail(writer *w)
{
	put(w, "\n]\n}\n}\n");
}

static const knng_writing writing[] = {
	{
		.name = "cyjs",
		.nan = "null",
		.holds = NAMES | GROUPS | POSITIONS | UNDIRECTED | ATTRIBUTES,
		.spell = json_spell,
		.prepare = knng_lay_out,
		.head = cyjs_head,
		.node = cyjs_node,
		.between = cyjs_between,
		.edge = cyjs_edge,
		.tail = cyjs_tail,
	},
	{.name = NULL},
};

const knng_format knng_format_cyjs = {
	.name = "cyjs",
	.title = "JSON of Cytoscape ({ \"elements\": … })",
	.kind = KNNG_GRAPH,
	.looks_like = cyjs_looks_like,
	.parse = cyjs_read,
	.write = writing,
};
