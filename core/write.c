/* write.c  Graphs to files.
 *
 * A format is one row of `formats`: what stands at the beginning, for every node, between, for every edge and at the
 * end; how it spells text and what is no number; and what it can hold. The edges come node by node, nearest first.
 * Numbers are the shortest decimals that read back to the same bits. */
#include "write.h"
#include "names.h"

#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <strings.h>

enum { ROOM = KNNG_PUT_ROOM };

void
knng_put_flush(writer *w)
{
	if (w->failed == 0 && knng_out_write(w->out, w->buffer, w->at - w->buffer) != 0)
		w->failed = errno;
	w->at = w->buffer;
}

bool
knng_put_stopped(const writer *w)
{
	return w->failed != 0 || w->misspelt != NULL || (w->interrupt != NULL && *w->interrupt);
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
bool
knng_spell_csv(writer *w, const char *s)
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

void
knng_put_text(writer *w, const char *what, int64_t at, const char *text)
{
	const char *p = text;
	while (*p != '\0' && next_character(&p) >= 0) {
	}
	if ((*p != '\0' || !w->f->spell(w, text)) && w->misspelt == NULL) {
		w->misspelt = what;
		w->misspelt_at = at + 1;
	}
	room(w, ROOM);
}

static void
put_text(writer *w, int64_t node, const char *text)
{
	knng_put_text(w, "node", node, text);
}

static const char *
group_of(const writer *w, int64_t i)
{
	return w->g->group != NULL && w->g->group[i] > 0 ? w->g->groups[w->g->group[i] - 1] : NULL;
}

/* Was node i given a place? NaN is none. */
static bool
has_position(const writer *w, int64_t i)
{
	const double *p = w->g->positions;
	return p != NULL && !isnan(p[i]) && !isnan(p[w->g->n + i]);
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
			for (int64_t i = 1; i < n; i++) { /* fmin and fmax pass over NaN */
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
	for (int c = 0; c < 2 && has_position(w, i); c++) {
		put(w, c == 0 ? " x " : " y ");
		put_real(w, g->positions[c * g->n + i]);
	}
	put(w, " graphics [");
	for (int c = 0; c < 2 && (g->positions == NULL || has_position(w, i)); c++) {
		put(w, c == 0 ? " x " : " y ");
		put_real(w, w->layout[c * g->n + i]);
	}
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
	{"csv", "NaN", NAMES, knng_spell_csv, csv_head, NULL, NULL, csv_edge, csv_alone, NULL},
	{.name = NULL},
};
/* clang-format on */

enum { NFORMATS = sizeof formats / sizeof *formats - 1 };

const char *
knng_write_format(int i)
{
	return i >= 0 && i < NFORMATS ? formats[i].name : NULL;
}

/* The row of this format, or of what the path ends in, in a table that ends with a row without name. */
static knng_status
find_format(const format *table, const char *path, const char *name, const format **f, knng_err *err)
{
	size_t length = strlen(path);
	char known[120] = "";
	if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
		length -= 3;
	for (*f = table; (*f)->name != NULL; ++*f) {
		size_t own = strlen((*f)->name);
		if (name != NULL ? strcasecmp(name, (*f)->name) == 0
				 : length > own && path[length - own - 1] == '.' &&
					   strncasecmp(path + length - own, (*f)->name, own) == 0)
			return KNNG_OK;
		strcat(strcat(known, known[0] != '\0' ? ", " : ""), (*f)->name);
	}
	return knng_fail(err, KNNG_EARGS, "knng:args:format",
			 name != NULL
				 ? "there is no format '%.60s' for this, only %s"
				 : "the ending of '%.200s' names no format for this: give it one of the endings %s "
				   "(and .gz to pack it), or use the option 'Format'",
			 name != NULL ? name : path, known);
}

/* Opens the file, lets `body` write, and keeps it if all is well. */
static knng_status
write_file(writer *w, const char *path, void (*body)(writer *w), knng_err *err)
{
	w->buffer = w->at = knng_alloc(KNNG_PUT_BUFFER, 1);
	if (w->buffer == NULL)
		return knng_fail_memory(err, "writing a file", KNNG_PUT_BUFFER);
	knng_digits_init(&w->digits);
	errno = 0;
	if ((w->out = knng_out_create(path)) == NULL)
		return errno == ENOMEM ? knng_fail_memory(err, "a file to write", 3e5)
				       : knng_fail(err, KNNG_EIO, "knng:io:open",
						   "cannot write %.200s: %s; check the name, the folder and the rights",
						   path, strerror(errno));
	body(w);
	knng_put_flush(w);
	bool good = !knng_put_stopped(w);
	errno = 0;
	if (knng_out_done(w->out, good) != 0 && good)
		w->failed = errno;
	if (w->misspelt != NULL)
		return knng_fail(err, KNNG_EARGS, "knng:args:names",
				 "a text of %s %lld holds characters that are no UTF-8, or that %s cannot hold",
				 w->misspelt, (long long)w->misspelt_at, w->f->name);
	if (w->failed != 0)
		return knng_fail(err, KNNG_EIO, "knng:io:write", "cannot write %.200s: %s; nothing is left of it", path,
				 strerror(w->failed));
	return good ? KNNG_OK
		    : knng_fail(err, KNNG_EINTERRUPTED, "knng:interrupted",
				"interrupted while writing %.200s; nothing is left of it", path);
}

/* Lists what there is and the format cannot hold. */
static void
list_left_out(const format *f, unsigned there, char left_out[64])
{
	static const char *const names[] = {"names", "groups", "positions", NULL, "classes"};
	if (left_out == NULL)
		return;
	left_out[0] = '\0';
	for (int i = 0; i < 5; i++)
		if (names[i] != NULL && (there & ~f->holds) >> i & 1)
			strcat(strcat(left_out, left_out[0] ? ", " : ""), names[i]);
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
write_graph(writer *w)
{
	const format *f = w->f;
	for (int part = 0; part < 2; part++) {
		room(w, ROOM);
		if (part == 0)
			f->head(w);
		else if (f->between != NULL)
			f->between(w);
		for (int64_t i = 0; i < w->g->n; i++) {
			if (knng_put_stopped(w))
				return;
			room(w, ROOM);
			if (part == 0) {
				if (f->node != NULL)
					f->node(w, i);
				continue;
			}
			size_t from = w->first[i], end = w->first[i + 1];
			if (from == end && f->alone != NULL)
				f->alone(w, i);
			sort_edges(w->e + from, (int64_t)(end - from));
			for (size_t c = from; c < end; c++) {
				room(w, ROOM);
				f->edge(w, i, w->e[c]);
			}
		}
	}
	room(w, ROOM);
	if (f->tail != NULL)
		f->tail(w);
}

knng_status
knng_write(const char *path, const knng_graph *g, const knng_write_options *opt, char left_out[64], knng_err *err)
{
	writer w = {.g = g, .interrupt = opt->interrupt};
	knng_status status;

	if ((status = find_format(formats, path, opt->format, &w.f, err)) != KNNG_OK)
		return status;
	if (!is_valid(g))
		return knng_fail(err, KNNG_EARGS, "knng:args:idx",
				 "the graph is no valid sparse matrix: a row of idx names a neighbour twice, or A was "
				 "damaged");
	if (w.f->alone != NULL && g->names != NULL && (status = check_names(g, w.f, err)) != KNNG_OK)
		return status;
	size_t edges = g->n > 0 ? g->start[g->n] : 0;
	double bytes = 16.0 * (double)edges + 24.0 * (double)g->n;
	if ((w.first = knng_alloc(g->n + 1, sizeof *w.first)) == NULL)
		return knng_fail_memory(err, "writing a graph", bytes);
	bool symmetric = opt->directed != KNNG_DIRECTED && is_symmetric(g, w.first);
	w.directed = !(symmetric && (w.f->holds & UNDIRECTED));
	if (opt->directed == KNNG_UNDIRECTED && !symmetric)
		status = knng_fail(err, KNNG_EARGS, "knng:args:directed",
				   "A is not symmetric, so its graph is directed: write max (A, A') for an edge where "
				   "either is, or leave 'Directed' true");
	else if ((w.e = knng_alloc((int64_t)edges + 1, sizeof *w.e)) == NULL || (w.f->node == gml_node && !lay_out(&w)))
		status = knng_fail_memory(err, "writing a graph", bytes);
	if (status == KNNG_OK) {
		if (w.layout != NULL)
			fit_positions(&w);
		gather(g, w.directed, w.first, w.e);
		w.edges = (int64_t)w.first[g->n];
		status = write_file(&w, path, write_graph, err);
	}
	list_left_out(w.f,
		      (g->names != NULL ? NAMES : 0) | (g->group != NULL ? GROUPS : 0) |
			      (g->positions != NULL ? POSITIONS : 0),
		      left_out);
	knng_free(w.buffer);
	knng_free(w.layout);
	knng_free(w.first);
	knng_free(w.e);
	return status;
}

knng_status
knng_write_data(const char *path, const knng_dataset *ds, const knng_write_options *opt, char left_out[64],
		knng_err *err)
{
	writer w = {.ds = ds, .interrupt = opt->interrupt};
	knng_status status = find_format(knng_data_formats, path, opt->format, &w.f, err);
	if (status != KNNG_OK)
		return status;
	status = write_file(&w, path, w.f->head, err);
	list_left_out(w.f, ds->classes != NULL ? CLASSES : 0, left_out);
	knng_free(w.buffer);
	return status;
}
