/* write.c  Graphs to files.
 *
 * A format is one row of `formats`: what stands at the beginning, for every node, between, for every edge and at the
 * end; how it spells text and what is no number; and what it can hold. The edges come node by node, nearest first.
 *
 * What goes through `put` is gathered in one buffer of 1 MB; a write that fails is remembered, and ends the run at the
 * next node. Weights and coordinates are the shortest decimals that read back to the same bits. */
#include "digits.h"
#include "names.h"
#include "sys.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	BUFFER = 1 << 20,
	ROOM = 1024, /* free in the buffer before every node and edge; only text may need more */
};

typedef struct {
	double weight;
	int64_t to;
} edge;

typedef struct writer writer;

/* How a format spells a text, which is UTF-8; false if it cannot. */
typedef bool (*speller)(writer *w, const char *text);

typedef struct {
	const char *name; /* for 'Format', and the ending of files */
	const char *nan;  /* how it spells a weight that is none */
	unsigned holds;   /* NAMES | … */
	speller spell;    /* NULL: it has no texts */
	void (*head)(writer *w);
	void (*node)(writer *w, int64_t i); /* may be NULL, and so the next */
	void (*between)(writer *w);
	void (*edge)(writer *w, int64_t from, edge e);
	void (*alone)(writer *w, int64_t i); /* in place of the edges of a node that has none to write */
	void (*tail)(writer *w);
} format;

enum { NAMES = 1, GROUPS = 2, POSITIONS = 4, UNDIRECTED = 8 };

struct writer {
	const format *f;
	const knng_graph *g;
	bool directed;
	int64_t edges; /* that will be written */
	knng_out *out;
	char *at, *buffer;
	int failed;       /* errno of the first write that failed */
	int64_t misspelt; /* the node whose name or group cannot be written, from 1; 0: none */
	double *layout;   /* positions in pixels, for GML */
	knng_digits digits;
};

/* ---- putting ---- */

static void
flush(writer *w)
{
	if (w->failed == 0 && knng_out_write(w->out, w->buffer, w->at - w->buffer) != 0)
		w->failed = errno;
	w->at = w->buffer;
}

static inline void
room(writer *w, int64_t bytes)
{
	if (w->buffer + BUFFER - w->at < bytes)
		flush(w);
}

static inline void
put(writer *w, const char *text)
{
	size_t bytes = strlen(text);
	memcpy(w->at, text, bytes);
	w->at += bytes;
}

static void
put_int(writer *w, int64_t v)
{
	w->at = knng_digits_put_int(v, w->at);
}

static void
put_number(writer *w, double v)
{
	if (isnan(v))
		put(w, w->f->nan);
	else if (isinf(v))
		put(w, v > 0 ? "INF" : "-INF");
	else
		w->at = knng_digits_put(&w->digits, v, w->at);
}

/* A number that GML takes for a real. */
static void
put_real(writer *w, double v)
{
	char *start = w->at;
	put_number(w, v);
	if (isfinite(v) && memchr(start, '.', (size_t)(w->at - start)) == NULL)
		put(w, ".0");
}

/* The weight of an edge; DBL_MIN stands for 0 in a sparse matrix. */
static inline double
weight(edge e)
{
	return e.weight == DBL_MIN ? 0 : e.weight;
}

/* ---- texts ---- */

/* The code point at *s, which moves past it; -1 if it is no UTF-8. */
static int32_t
next_character(const char **s)
{
	const unsigned char *p = (const unsigned char *)*s;
	static const int32_t least[] = {0, 0x80, 0x800, 0x10000};
	int more = p[0] < 0x80 ? 0 : p[0] >= 0xF0 ? 3 : p[0] >= 0xE0 ? 2 : 1;
	if (p[0] >= 0x80 && (p[0] < 0xC2 || p[0] > 0xF4))
		return -1;
	int32_t c = more == 0 ? p[0] : p[0] & (0x3F >> more);
	for (int i = 1; i <= more; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return -1;
		c = c << 6 | (p[i] & 0x3F);
	}
	if (c < least[more] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
		return -1;
	*s += more + 1;
	return c;
}

static void
put_code(writer *w, int32_t c)
{
	put(w, "&#");
	put_int(w, c);
	put(w, ";");
}

/* GML is ASCII: anything else is the number of its character. */
static bool
spell_gml(writer *w, const char *s)
{
	while (*s != '\0') {
		int32_t c = next_character(&s);
		room(w, ROOM);
		if (c == '&')
			put(w, "&amp;");
		else if (c == '"')
			put(w, "&quot;");
		else if (c < ' ' || c > '~')
			put_code(w, c);
		else
			*w->at++ = (char)c;
	}
	return true;
}

/* XML knows no control characters but these, and would take \r for a \n. */
static bool
spell_xml(writer *w, const char *s)
{
	while (*s != '\0') {
		const char *from = s;
		int32_t c = next_character(&s);
		room(w, ROOM);
		if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0xFFFE || c == 0xFFFF)
			return false;
		if (c == '&')
			put(w, "&amp;");
		else if (c == '<')
			put(w, "&lt;");
		else if (c == '>')
			put(w, "&gt;");
		else if (c == '\r')
			put_code(w, c);
		else
			while (from < s)
				*w->at++ = *from++;
	}
	return true;
}

/* Pajek: in quotes, with the numbers of what would end them. */
static bool
spell_pajek(writer *w, const char *s)
{
	for (; *s != '\0'; s++) {
		room(w, ROOM);
		if (*s == '"' || (unsigned char)*s < ' ' || (*s == '&' && s[1] == '#'))
			put_code(w, *s);
		else
			*w->at++ = *s;
	}
	return true;
}

/* CSV (RFC 4180): in quotes where they are needed; a quote is doubled. A \r would be read as the end of a line. */
static bool
spell_csv(writer *w, const char *s)
{
	if (strchr(s, '\r') != NULL)
		return false;
	bool quoted = *s == '\0' || strpbrk(s, "\",;\n\t ") != NULL;
	room(w, ROOM);
	if (quoted)
		put(w, "\"");
	for (; *s != '\0'; s++) {
		room(w, ROOM);
		if (*s == '"')
			*w->at++ = '"';
		*w->at++ = *s;
	}
	if (quoted)
		put(w, "\"");
	return true;
}

static void
put_text(writer *w, int64_t node, const char *text)
{
	const char *p = text;
	while (*p != '\0' && next_character(&p) >= 0) {
	}
	if ((*p != '\0' || !w->f->spell(w, text)) && w->misspelt == 0)
		w->misspelt = node + 1;
	room(w, ROOM);
}

static const char *
group_of(const writer *w, int64_t i)
{
	return w->g->group != NULL && w->g->group[i] > 0 ? w->g->groups[w->g->group[i] - 1] : NULL;
}

/* ---- layout: where a viewer should draw the nodes when nobody says ---- */

/* A disc for each group, filled like a sunflower (H. Vogel 1979: node m at radius sqrt (m) and m golden angles); the
 * discs stand around a circle. In units of the distance between nodes. O(n + groups). */
static bool
lay_out(writer *w)
{
	const double golden = 2.399963229728653, pi = 3.141592653589793;
	const knng_graph *g = w->g;
	int64_t n = g->n, groups = g->group != NULL ? g->ngroups + 1 : 1;
	struct disc {
		double radius, x, y;
		int64_t nodes, done;
	} *disc = knng_calloc(groups, sizeof *disc);
	w->layout = knng_alloc(2 * n + 1, sizeof *w->layout);
	if (disc == NULL || w->layout == NULL) {
		knng_free(disc);
		return false;
	}
	double around = 0, turned = 0;
	int64_t discs = 0;
	for (int64_t i = 0; i < n; i++)
		disc[g->group != NULL ? g->group[i] : 0].nodes++;
	for (int64_t c = 0; c < groups; c++) {
		disc[c].radius = disc[c].nodes > 0 ? sqrt((double)disc[c].nodes) + 1 : 0;
		around += disc[c].radius;
		discs += disc[c].nodes > 0;
	}
	for (int64_t c = 0; c < groups && discs > 1; c++) { /* each has the arc that its width asks for */
		double angle = pi * (turned + disc[c].radius / 2) / around * 2;
		/* Chords are shorter than arcs: by pi/2 at worst, with two discs. */
		double far = around / pi * 1.6;
		disc[c].x = far * cos(angle);
		disc[c].y = far * sin(angle);
		turned += disc[c].radius;
	}
	for (int64_t i = 0; i < n; i++) {
		struct disc *d = &disc[g->group != NULL ? g->group[i] : 0];
		double r = sqrt((double)d->done + 0.5), a = golden * (double)d->done;
		d->done++;
		w->layout[i] = d->x + r * cos(a);
		w->layout[n + i] = d->y + r * sin(a);
	}
	knng_free(disc);
	return true;
}

/* Where the picture has node i, in pixels, y downwards; what the user gave is only stretched. */
static void
fit_positions(writer *w)
{
	enum { PIXELS = 35 };
	const double *p = w->g->positions;
	int64_t n = w->g->n;
	double least[2], most[2], scale[2] = {PIXELS, PIXELS};
	if (p != NULL) {
		for (int c = 0; c < 2; c++) {
			least[c] = most[c] = n > 0 ? p[c * n] : 0;
			for (int64_t i = 1; i < n; i++) {
				least[c] = fmin(least[c], p[c * n + i]);
				most[c] = fmax(most[c], p[c * n + i]);
			}
		}
		double width = fmax(most[0] - least[0], most[1] - least[1]);
		if (width > 0 && isfinite(width))
			scale[0] = scale[1] = 2 * PIXELS * sqrt((double)n) / width;
		scale[1] = -scale[1];
	}
	for (int c = 0; c < 2; c++)
		for (int64_t i = 0; i < n; i++) {
			double *to = &w->layout[c * n + i];
			*to = rint(10 * scale[c] * (p != NULL ? p[c * n + i] - least[c] / 2 - most[c] / 2 : *to)) / 10;
		}
}

/* ---- .knn: n m, then source target weight, from 0 ---- */

static void
knn_head(writer *w)
{
	put_int(w, w->g->n);
	put(w, " ");
	put_int(w, w->edges);
	put(w, "\n");
}

static void
knn_edge(writer *w, int64_t from, edge e)
{
	put_int(w, from);
	put(w, " ");
	put_int(w, e.to);
	put(w, " ");
	put_number(w, weight(e));
	put(w, "\n");
}

/* ---- CSV: a row an edge. A node without edges has a row without target, so that the first column names every node
 * in order. ---- */

static void
csv_head(writer *w)
{
	put(w, "source,target,weight\n");
}

static void
csv_node(writer *w, int64_t i)
{
	if (w->g->names != NULL)
		put_text(w, i, w->g->names[i]);
	else
		put_int(w, i + 1);
}

static void
csv_edge(writer *w, int64_t from, edge e)
{
	csv_node(w, from);
	put(w, ",");
	csv_node(w, e.to);
	put(w, ",");
	put_number(w, weight(e));
	put(w, "\n");
}

static void
csv_alone(writer *w, int64_t i)
{
	csv_node(w, i);
	put(w, ",,\n");
}

/* ---- MatrixMarket: the entries of A, from 1; of a symmetric A those on and below the diagonal ---- */

static void
mtx_head(writer *w)
{
	put(w, "%%MatrixMarket matrix coordinate real ");
	put(w, w->directed ? "general\n" : "symmetric\n");
	put_int(w, w->g->n);
	put(w, " ");
	put_int(w, w->g->n);
	put(w, " ");
	put_int(w, w->edges);
	put(w, "\n");
}

static void
mtx_edge(writer *w, int64_t from, edge e)
{
	put_int(w, (w->directed ? from : e.to) + 1);
	put(w, " ");
	put_int(w, (w->directed ? e.to : from) + 1);
	put(w, " ");
	put_number(w, weight(e));
	put(w, "\n");
}

/* ---- Pajek ---- */

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
	csv_node(w, i);
	put(w, "\"");
	for (int c = 0; c < 2 && g->positions != NULL; c++) {
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
	put_number(w, weight(e));
	put(w, "\n");
}

/* ---- GML as yEd opens it: circles in the colours of their groups, with labels, where the layout has them. Positions
 * that the user gave stand in x and y as well, to the bit. ---- */

/* Colours that people of every colour vision tell apart: M. Okabe, K. Ito (2008); white is no group. */
static const char *const palette[] = {"#E69F00", "#56B4E9", "#009E73", "#F0E442",
				      "#0072B2", "#D55E00", "#CC79A7", "#999999"};
enum { COLOURS = sizeof palette / sizeof *palette };

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
	const char *group = group_of(w, i);
	put(w, "node [ id ");
	put_int(w, i + 1);
	put(w, " label \"");
	csv_node(w, i);
	put(w, "\"");
	if (group != NULL) {
		put(w, " group \"");
		put_text(w, i, group);
		put(w, "\"");
	}
	for (int c = 0; c < 2 && g->positions != NULL; c++) {
		put(w, c == 0 ? " x " : " y ");
		put_real(w, g->positions[c * g->n + i]);
	}
	put(w, " graphics [ x ");
	put_real(w, w->layout[i]);
	put(w, " y ");
	put_real(w, w->layout[g->n + i]);
	put(w, " w 30.0 h 30.0 type \"ellipse\" fill \"");
	put(w, group != NULL ? palette[(g->group[i] - 1) % COLOURS] : "#FFFFFF");
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
	put_real(w, weight(e));
	put(w, w->directed ? " graphics [ targetArrow \"standard\" ] ]\n" : " ]\n");
}

static void
gml_tail(writer *w)
{
	put(w, "]\n");
}

/* ---- GraphML ---- */

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
		put_text(w, i, g->names[i]);
		put(w, "</data>");
	}
	if (group != NULL) {
		put(w, "<data key=\"group\">");
		put_text(w, i, group);
		put(w, "</data>");
	}
	for (int c = 0; c < 2 && g->positions != NULL; c++) {
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
	put_number(w, weight(e));
	put(w, "</data></edge>\n");
}

static void
xml_tail(writer *w)
{
	put(w, "</graph>\n</graphml>\n");
}

/* ---- all formats ---- */

/* clang-format off */
static const format formats[] = {
	{"knn", "NaN", 0, NULL, knn_head, NULL, NULL, knn_edge, NULL, NULL},
	{"gml", "NAN", NAMES | GROUPS | POSITIONS | UNDIRECTED, spell_gml,
	 gml_head, gml_node, NULL, gml_edge, NULL, gml_tail},
	{"graphml", "NaN", NAMES | GROUPS | POSITIONS | UNDIRECTED, spell_xml,
	 xml_head, xml_node, NULL, xml_edge, NULL, xml_tail},
	{"net", "NaN", NAMES | POSITIONS | UNDIRECTED, spell_pajek,
	 net_head, net_node, net_between, net_edge, NULL, NULL},
	{"mtx", "NaN", UNDIRECTED, NULL, mtx_head, NULL, NULL, mtx_edge, NULL, NULL},
	{"csv", "NaN", NAMES, spell_csv, csv_head, NULL, NULL, csv_edge, csv_alone, NULL},
};
/* clang-format on */

enum { NFORMATS = sizeof formats / sizeof *formats };

const char *
knng_write_format(int i)
{
	return i >= 0 && i < NFORMATS ? formats[i].name : NULL;
}

/* The row of this format, or of what the path ends in. */
static knng_status
find_format(const char *path, const char *name, const format **f, knng_err *err)
{
	size_t length = strlen(path);
	char known[120] = "";
	if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
		length -= 3;
	for (int i = 0; i < NFORMATS; i++) {
		size_t own = strlen(formats[i].name);
		*f = &formats[i];
		if (name != NULL ? strcasecmp(name, formats[i].name) == 0
				 : length > own && path[length - own - 1] == '.' &&
					   strncasecmp(path + length - own, formats[i].name, own) == 0)
			return KNNG_OK;
		strcat(strcat(known, i > 0 ? ", " : ""), formats[i].name);
	}
	return knng_fail(err, KNNG_EARGS, "knng:args:format",
			 name != NULL
				 ? "there is no format '%.60s', only %s"
				 : "the ending of '%.200s' names no format: give it one of the endings %s (and .gz "
				   "to pack it), or use the option 'Format'",
			 name != NULL ? name : path, known);
}

/* ---- the graph as it is written ---- */

/* Columns in order; false if not. O(edges). */
static bool
is_valid(const knng_graph *g)
{
	if (g->n > 0 && g->start[0] != 0)
		return false;
	for (int64_t j = 0; j < g->n; j++)
		for (size_t e = g->start[j]; e < g->start[j + 1]; e++)
			if (g->row[e] >= (size_t)g->n || (e > g->start[j] && g->row[e] <= g->row[e - 1]))
				return false;
	return true;
}

/* Is A symmetric, to the bit? `next`: n places. The columns are passed in order, and with them the entries of every
 * row, which have to be those of the column of that number. */
static bool
is_symmetric(const knng_graph *g, size_t *next)
{
	for (int64_t j = 0; j < g->n; j++)
		next[j] = g->start[j];
	for (int64_t j = 0; j < g->n; j++)
		for (size_t e = g->start[j]; e < g->start[j + 1]; e++) {
			size_t i = g->row[e], twin = next[i]++;
			if (twin >= g->start[i + 1] || g->row[twin] != (size_t)j ||
			    memcmp(&g->weight[twin], &g->weight[e], sizeof *g->weight) != 0)
				return false;
		}
	return true;
}

/* Nearest first, then in order of nodes; what is no distance stands last. */
static int
compare(const void *left, const void *right)
{
	const edge *a = left, *b = right;
	if (isnan(a->weight) || isnan(b->weight))
		return isnan(a->weight) != isnan(b->weight) ? (isnan(a->weight) ? 1 : -1) : a->to < b->to ? -1 : 1;
	return a->weight < b->weight ? -1 : a->weight > b->weight ? 1 : a->to < b->to ? -1 : 1;
}

static void
sort_edges(edge *e, int64_t count)
{
	if (count > 40) {
		qsort(e, (size_t)count, sizeof *e, compare);
		return;
	}
	for (int64_t i = 1; i < count; i++) {
		edge moving = e[i];
		int64_t at = i;
		for (; at > 0 && compare(&moving, &e[at - 1]) < 0; at--)
			e[at] = e[at - 1];
		e[at] = moving;
	}
}

/* The edges that are written, by node: those of node i are e[first[i]] … e[first[i + 1] - 1]. Of an undirected graph
 * each edge once. O(edges). */
static void
gather(const knng_graph *g, bool all, size_t *first, edge *e)
{
	for (int64_t i = 0; i <= g->n; i++)
		first[i] = 0;
	for (int pass = 0; pass < 2; pass++) { /* count, then place */
		for (int64_t j = 0; j < g->n; j++)
			for (size_t c = g->start[j]; c < g->start[j + 1]; c++)
				if (all || g->row[c] <= (size_t)j) {
					size_t at = first[g->row[c]]++;
					if (pass == 1)
						e[at] = (edge){g->weight[c], j};
				}
		size_t before = 0;
		for (int64_t i = 0; i <= g->n;
		     i++) { /* counts to beginnings; ends, which are the next one's beginnings, back */
			size_t here = first[i];
			first[i] = before;
			before = pass == 0 ? before + here : here;
		}
	}
}

/* Names that would be one node in the file. */
static knng_status
check_names(const knng_graph *g, const format *f, knng_err *err)
{
	knng_names table = {0};
	knng_status status = KNNG_OK;
	for (int64_t i = 0; i < g->n && status == KNNG_OK; i++) {
		int64_t same = knng_names_add(&table, g->names[i], (int64_t)strlen(g->names[i]));
		if (same < 0)
			status = knng_fail_memory(err, "the names of nodes", 48.0 * (double)g->n);
		else if (same < i)
			status = knng_fail(err, KNNG_EARGS, "knng:args:names",
					   "nodes %lld and %lld are both named '%.60s', but in %s the names tell nodes "
					   "apart: make them different, or use another format",
					   (long long)same + 1, (long long)i + 1, g->names[i], f->name);
	}
	knng_names_free(&table);
	return status;
}

static void
list_left_out(const knng_graph *g, const format *f, char left_out[64])
{
	const struct {
		bool there;
		unsigned bit;
		const char *name;
	} parts[] = {{g->names != NULL, NAMES, "names"},
		     {g->group != NULL, GROUPS, "groups"},
		     {g->positions != NULL, POSITIONS, "positions"}};
	left_out[0] = '\0';
	for (int i = 0; i < 3; i++)
		if (parts[i].there && !(f->holds & parts[i].bit))
			strcat(strcat(left_out, left_out[0] ? ", " : ""), parts[i].name);
}

static knng_status
write_all(writer *w, const size_t *first, edge *e, const volatile sig_atomic_t *interrupt)
{
	const format *f = w->f;
	for (int part = 0; part < 2; part++) {
		room(w, ROOM);
		if (part == 0)
			f->head(w);
		else if (f->between != NULL)
			f->between(w);
		for (int64_t i = 0; i < w->g->n; i++) {
			if (w->failed != 0 || w->misspelt != 0)
				return KNNG_EIO;
			if (interrupt != NULL && *interrupt)
				return KNNG_EINTERRUPTED;
			room(w, ROOM);
			if (part == 0) {
				if (f->node != NULL)
					f->node(w, i);
				continue;
			}
			if (first[i] == first[i + 1] && f->alone != NULL)
				f->alone(w, i);
			sort_edges(e + first[i], (int64_t)(first[i + 1] - first[i]));
			for (size_t c = first[i]; c < first[i + 1]; c++) {
				room(w, ROOM);
				f->edge(w, i, e[c]);
			}
		}
	}
	room(w, ROOM);
	if (f->tail != NULL)
		f->tail(w);
	flush(w);
	return w->failed != 0 || w->misspelt != 0 ? KNNG_EIO : KNNG_OK;
}

knng_status
knng_write(const char *path, const knng_graph *g, const knng_write_options *opt, char left_out[64], knng_err *err)
{
	const format *f;
	knng_status status;
	writer *w = NULL;
	size_t *first = NULL;
	edge *e = NULL;

	if ((status = find_format(path, opt->format, &f, err)) != KNNG_OK)
		return status;
	if (!is_valid(g))
		return knng_fail(err, KNNG_EARGS, "knng:args:idx",
				 "the graph is no valid sparse matrix: a row of idx names a neighbour twice, or A was "
				 "damaged");
	if (f->alone != NULL && g->names != NULL && (status = check_names(g, f, err)) != KNNG_OK)
		return status;
	size_t edges = g->n > 0 ? g->start[g->n] : 0;
	w = knng_calloc(1, sizeof *w);
	first = knng_alloc(g->n + 1, sizeof *first);
	if (w == NULL || first == NULL) {
		status = knng_fail_memory(err, "writing a graph", 8.0 * (double)g->n + 1e4);
		goto done;
	}
	bool symmetric = opt->directed != KNNG_DIRECTED && is_symmetric(g, first);
	if (opt->directed == KNNG_UNDIRECTED && !symmetric) {
		status = knng_fail(err, KNNG_EARGS, "knng:args:directed",
				   "A is not symmetric, so its graph is directed: write max (A, A') for an edge where "
				   "either is, or leave 'Directed' true");
		goto done;
	}
	w->f = f;
	w->g = g;
	w->directed = !(symmetric && (f->holds & UNDIRECTED));
	w->buffer = w->at = knng_alloc(BUFFER, 1);
	e = knng_alloc((int64_t)edges + 1, sizeof *e);
	if (w->buffer == NULL || e == NULL || (f->node == gml_node && !lay_out(w))) {
		status = knng_fail_memory(err, "writing a graph", 16.0 * (double)edges + 16.0 * (double)g->n + BUFFER);
		goto done;
	}
	if (w->layout != NULL)
		fit_positions(w);
	gather(g, w->directed, first, e);
	w->edges = (int64_t)first[g->n];
	knng_digits_init(&w->digits);
	errno = 0;
	if ((w->out = knng_out_create(path)) == NULL) {
		status = errno == ENOMEM
				 ? knng_fail_memory(err, "a file to write", 3e5)
				 : knng_fail(err, KNNG_EIO, "knng:io:open",
					     "cannot write %.200s: %s; check the name, the folder and the rights", path,
					     strerror(errno));
		goto done;
	}
	status = write_all(w, first, e, opt->interrupt);
	errno = 0;
	if (knng_out_done(w->out, status == KNNG_OK) != 0 && status == KNNG_OK) {
		status = KNNG_EIO;
		w->failed = errno;
	}
	if (status == KNNG_EINTERRUPTED)
		knng_fail(err, status, "knng:interrupted", "interrupted while writing %.200s; nothing is left of it",
			  path);
	else if (w->misspelt != 0)
		status = knng_fail(err, KNNG_EARGS, "knng:args:names",
				   "the name or the group of node %lld holds characters that are no UTF-8, or that %s "
				   "cannot hold",
				   (long long)w->misspelt, f->name);
	else if (status != KNNG_OK)
		knng_fail(err, status, "knng:io:write", "cannot write %.200s: %s; nothing is left of it", path,
			  strerror(w->failed));
	else if (left_out != NULL)
		list_left_out(g, f, left_out);
done:
	if (w != NULL) {
		knng_free(w->buffer);
		knng_free(w->layout);
	}
	knng_free(w);
	knng_free(first);
	knng_free(e);
	return status;
}
