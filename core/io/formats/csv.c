/* csv.c  A table of edges: a header that has source and target, separated by commas, semicolons or tabs; a row an edge,
 * or, with an empty target, a node without edges. Nodes are numbered as they come as sources, then those that are
 * targets alone; so the first column of what is written names every node in order. */
#include "io/graph_builder.h"
#include "io/write.h"

#include <string.h>

/* ---- reading ---- */

/* A field, without the quotes around it; inside they stand twice. */
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

/* What the header says: which column is what (-1: there is none), how many there are, the separator. */
typedef struct {
	int of[COLUMNS], count;
	char separator;
} layout;

/* The comma, unless the line has none, but others. */
static char
csv_separator(const char *p, const char *end)
{
	char separator = ',';
	for (const char *c = ";\t"; *c != '\0'; c++)
		if (memchr(p, *c, (size_t)(end - p)) != NULL && memchr(p, ',', (size_t)(end - p)) == NULL)
			separator = *c;
	return separator;
}

/* The header at p; false if it is none. */
static bool
csv_header(char *p, layout *l)
{
	static const char *const names[COLUMNS][3] = {
		{"source", "from"}, {"target", "to"}, {"weight", "distance"}, {"type"}};
	field f;
	int64_t lines = 0;
	l->separator = csv_separator(p, p + strcspn(p, "\n"));
	for (int c = 0; c < COLUMNS; c++)
		l->of[c] = -1;
	for (l->count = 0; l->count < MOST_COLUMNS; l->count++, p++) {
		if ((p = csv_field(p, l->separator, &f, &lines)) == NULL || lines > 0)
			return false;
		for (int c = 0; c < COLUMNS; c++)
			for (int i = 0; i < 3 && names[c][i] != NULL; i++)
				if (l->of[c] < 0 && knng_text_is(f.begin, f.end, names[c][i]))
					l->of[c] = l->count;
		if (is_end(*p)) {
			l->count++;
			return l->of[SOURCE] >= 0 && l->of[TARGET] >= 0;
		}
	}
	return false;
}

static bool
csv_looks_like(const char *text)
{
	layout l;
	return csv_header((char *)text, &l);
}

/* The rank of each node: its place among the sources, -1: none yet. */
typedef struct {
	int64_t *rank, count, room, sources;
} ranks;

static knng_status
csv_node(knng_graph_builder *b, ranks *r, const field *f, bool source, int64_t *node, knng_err *err)
{
	*node = knng_names_add(&b->ids, f->begin, f->end - f->begin);
	if (*node < 0 ||
	    (*node == r->room && !knng_graph_grow((void **)&r->rank, r->count, &r->room, 0, sizeof *r->rank)))
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

/* Divides the row at t->at, and moves to its end; *lines are those in quotes. */
static knng_status
csv_fields(knng_text *t, const layout *l, field f[COLUMNS], int64_t *lines, knng_err *err)
{
	char *p = t->at, *at, q[KNNG_QUOTED + 8];
	int have = 0;
	for (;; p++) {
		field any;
		at = p;
		if ((p = csv_field(p, l->separator, &any, lines)) == NULL) {
			t->line += *lines;
			if (any.end < any.begin)
				return knng_text_fail_truncated(t, "the quote that ends a field", err);
			return knng_text_fail(
				t, err, "found %s: a quote belongs before and behind a field, and twice inside one",
				knng_text_quote(at, skip_word(at), q));
		}
		for (int c = 0; c < COLUMNS; c++)
			if (l->of[c] == have)
				f[c] = any;
		have++;
		if (is_end(*p))
			break;
	}
	if (have == l->count) {
		t->at = p;
		return KNNG_OK;
	}
	return *p == '\0' && have < l->count
		       ? knng_text_fail_truncated(t, "the end of a row", err)
		       : knng_text_fail(t, err, "found %d fields, expected %d as in the header", have, l->count);
}

static bool
is_given(const field *f)
{
	return f->begin < f->end || f->quoted;
}

/* Is the edge one of both directions? */
static knng_status
csv_type(const knng_text *t, const field *f, bool *both, knng_err *err)
{
	char q[KNNG_QUOTED + 8];
	*both = knng_text_is(f->begin, f->end, "undirected");
	if (*both || f->begin == f->end || knng_text_is(f->begin, f->end, "directed"))
		return KNNG_OK;
	return knng_text_fail(t, err, "found the type %s, expected directed or undirected",
			      knng_text_quote(f->begin, f->end, q));
}

/* One row: a node, or an edge and its nodes. */
static knng_status
csv_row(knng_graph_builder *b, ranks *r, const layout *l, knng_err *err)
{
	knng_text *t = b->t;
	field f[COLUMNS] = {0};
	int64_t lines = 0, from, to;
	double weight;
	bool weighted = l->of[WEIGHT] >= 0, both = false;
	knng_status status;
	if ((status = csv_fields(t, l, f, &lines, err)) != KNNG_OK)
		return status;
	if (!is_given(&f[SOURCE]))
		return knng_text_fail(t, err, "found nothing as the source, expected the name of a node");
	if ((status = csv_node(b, r, &f[SOURCE], true, &from, err)) != KNNG_OK)
		return status;
	if (is_given(&f[TARGET]) &&
	    ((status = csv_node(b, r, &f[TARGET], false, &to, err)) != KNNG_OK ||
	     (weighted && (status = knng_graph_weight(b, f[WEIGHT].begin, f[WEIGHT].end, &weight, err)) != KNNG_OK) ||
	     (l->of[TYPE] >= 0 && (status = csv_type(t, &f[TYPE], &both, err)) != KNNG_OK) ||
	     (status = knng_graph_edge(b, from, to, weighted ? &weight : NULL, both, err)) != KNNG_OK))
		return status;
	t->line += lines;
	return KNNG_OK;
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
	layout l;
	ranks r = {0};
	knng_status status = KNNG_OK;
	if (!csv_header(t->at, &l))
		return knng_text_fail_found(t, t->at, "a header with source and target", err);
	b->directed = l.of[TYPE] < 0;
	t->at += strcspn(t->at, "\n");
	for (knng_text_next_line(t); status == KNNG_OK && *t->at != '\0'; knng_text_next_line(t))
		status = csv_row(b, &r, &l, err);
	if (status == KNNG_OK)
		status = csv_renumber(b, &r, err);
	knng_free(r.rank);
	return status;
}

static knng_status
csv_read(knng_text *t, knng_content *content, knng_err *err)
{
	static const knng_graph_format f = {.spelled = csv_text, .parse = csv_parse};
	return knng_graph_parse(t, content, &f, err);
}

/* ---- writing ---- */

/* CSV (RFC 4180): in quotes where they are needed; a quote is doubled. A \r would be read as the end of a line. */
static bool
csv_spell(writer *w, const char *s)
{
	if (strchr(s, '\r') != NULL)
		return false;
	bool quoted = *s == '\0' || strpbrk(s, "\",;\n\t ") != NULL;
	room(w, KNNG_PUT_ROOM);
	if (quoted)
		put(w, "\"");
	for (; *s != '\0'; s++) {
		room(w, KNNG_PUT_ROOM);
		if (*s == '"')
			*w->at++ = '"';
		*w->at++ = *s;
	}
	if (quoted)
		put(w, "\"");
	return true;
}

static void
csv_head(writer *w)
{
	put(w, "source,target,weight\n");
}

static void
csv_edge(writer *w, int64_t from, edge e)
{
	knng_put_node(w, from);
	put(w, ",");
	knng_put_node(w, e.to);
	put(w, ",");
	put_number(w, weight_of(e));
	put(w, "\n");
}

static void
csv_alone(writer *w, int64_t i)
{
	knng_put_node(w, i);
	put(w, ",,\n");
}

static const knng_writing writing[] = {
	{
		.name = "csv",
		.nan = "NaN",
		.holds = NAMES,
		.spell = csv_spell,
		.head = csv_head,
		.edge = csv_edge,
		.alone = csv_alone,
	},
	{.name = NULL},
};

const knng_format knng_format_csv = {
	.name = "csv",
	.title = "a table of edges (source,target)",
	.kind = KNNG_GRAPH,
	.looks_like = csv_looks_like,
	.parse = csv_read,
	.write = writing,
};
