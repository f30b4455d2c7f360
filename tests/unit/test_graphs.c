/* test_graphs.c  Reading graphs: what knng_write wrote, to the bit; files as other programs make them; every error with
 * its line; files cut off; every failing call. */
#include "base/sys.h"
#include "io/format.h"
#include "knng.h"
#include "testing.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>

static char folder[] = "/tmp/knng-test-graphs-XXXXXX", path[300];

static knng_status
read_bytes(const char *text, size_t size, knng_content *c, knng_err *err)
{
	FILE *f = fopen(path, "wb");
	if (f == NULL || fwrite(text, 1, size, f) != size || fclose(f) != 0)
		abort();
	return knng_read(path, KNNG_DATASET | KNNG_GRAPH, NULL, c, err);
}

/* A graph in one line: n, d or u, the edges by column from 1, names, groups, positions. */
static const char *
show(const knng_content *c)
{
	static char text[4096];
	const knng_graph *g = &c->graph;
	char *p = text + sprintf(text, "%s %" PRId64 "%c", c->format, g->n, g->directed ? 'd' : 'u');
	for (int64_t j = 0; j < g->n; j++)
		for (size_t e = g->start[j]; e < g->start[j + 1]; e++) {
			bool zero = g->weight[e] == DBL_MIN;
			p += sprintf(p, " %zu>%" PRId64 ":%.17g", g->row[e] + 1, j + 1, zero ? 0 : g->weight[e]);
		}
	for (int64_t i = 0; g->names != NULL && i < g->n; i++)
		p += sprintf(p, " [%s]", g->names[i]);
	for (int64_t i = 0; g->group != NULL && i < g->n; i++)
		p += sprintf(p, " {%s}", g->group[i] > 0 ? g->groups[g->group[i] - 1] : "");
	for (int64_t i = 0; g->positions != NULL && i < g->n; i++)
		p += sprintf(p, " (%g,%g)", g->positions[i], g->positions[g->n + i]);
	return text;
}

/* ---- what was written is read ---- */

static bool
equal(const void *a, const void *b, size_t bytes)
{
	return a == NULL || b == NULL ? a == b : memcmp(a, b, bytes) == 0;
}

static void
test_round_trip(void)
{
	enum { MOST = 40 };
	static const char *const words[] = {
		"a\"b", "R&D <1>", "\xC3\xA9,\xF0\x9F\x98\x80", "two\nlines", "&#65;", " x ", "]]>", "", "7", "#no",
		"]",    "'"};
	/* names, groups, positions, undirected */
	static const struct {
		const char *format;
		bool names, groups, positions, undirected;
	} formats[] = {{"knn", 0, 0, 0, 0},        {"csv", 1, 0, 0, 0},  {"mtx", 0, 0, 0, 1},
		       {"net", 1, 0, 1, 1},        {"gml", 1, 1, 1, 1},  {"graphml", 1, 1, 1, 1},
		       {"graphml.gz", 1, 1, 1, 1}, {"gexf", 1, 1, 1, 1}, {"cyjs", 1, 1, 1, 1}};
	for (int trial = 0; trial < 300; trial++) {
		int64_t n = trial == 0 ? 0 : 1 + random_below(MOST - 1);
		size_t start[MOST + 1] = {0}, row[MOST * MOST];
		double weight[MOST * MOST], positions[2 * MOST];
		bool symmetric = trial % 3 == 1;
		int64_t group[MOST];
		char name[MOST][40], *names[MOST], *groups[] = {"one", "A&L", "\"q\"\n"};
		uint64_t dense = random_bits() % 3;
		for (int64_t j = 0; j < n; j++) {
			start[j + 1] = start[j];
			for (int64_t i = 0; i < n; i++) {
				uint64_t r = (uint64_t)(symmetric ? i * j + i + j : i * 77 + j) * 0x9e3779b97f4a7c15u +
					     (uint64_t)trial;
				r ^= r >> 31;
				static const double special[] = {DBL_MIN, NAN,  INFINITY, -INFINITY,
								 5e-324,  -1.5, DBL_MAX};
				uint64_t bits = r % UINT64_C(0x7FF0000000000000) + 1;
				if (r % 7 > dense)
					continue;
				row[start[j + 1]] = (size_t)i;
				memcpy(&weight[start[j + 1]], &bits, sizeof bits);
				if (r % 11 < 7)
					weight[start[j + 1]] = special[r % 11];
				start[j + 1]++;
			}
			snprintf(name[j], sizeof name[j], "%s_%d", words[random_below(12)], (int)j);
			names[j] = name[j];
			group[j] = 1 + (j + trial) % 3;
			for (int c = 0; c < 2; c++)
				positions[c * n + j] = random_normal() * (trial % 2 ? 1e200 : 1);
		}
		if (n > 0)
			group[0] = 0;
		knng_graph g = {.n = n,
				.start = start,
				.row = row,
				.weight = weight,
				.names = names,
				.ngroups = 3,
				.groups = groups,
				.group = group,
				.positions = positions};
		if (trial % 4 == 3) {
			g.names = NULL;
			g.group = NULL;
			g.positions = NULL;
		}
		for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
			knng_write_options opt = {0};
			knng_content c;
			knng_err err;
			snprintf(path, sizeof path, "%s/graph.%s", folder, formats[f].format);
			CHECK(knng_write(path, &g, &opt, NULL, &err) == KNNG_OK, "%s", err.text);
			knng_status status = knng_read(path, KNNG_GRAPH, NULL, &c, &err);
			CHECK(status == KNNG_OK, "trial %d: %s", trial, err.text);
			if (status == KNNG_OK) {
				knng_graph *h = &c.graph;
				size_t m = start[n];
				CHECK(h->n == n && equal(h->start, start, ((size_t)n + 1) * sizeof *start) &&
					      equal(h->row, row, m * sizeof *row),
				      "trial %d, %s: %s", trial, formats[f].format, show(&c));
				bool same = h->start[n] == m;
				for (size_t e = 0; same && e < m; e++)
					same = bits_of(h->weight[e]) == bits_of(weight[e]) ||
					       (isnan(h->weight[e]) && isnan(weight[e]));
				CHECK(same, "trial %d, %s: weights", trial, formats[f].format);
				bool has_names = formats[f].names && g.names != NULL && n > 0,
				     has_groups = formats[f].groups && g.group != NULL && n > 1,
				     has_positions = formats[f].positions && g.positions != NULL && n > 0;
				for (int64_t i = 0; has_names && h->names != NULL && i < n; i++)
					same = same && strcmp(h->names[i], names[i]) == 0;
				for (int64_t i = 0; has_groups && h->group != NULL && i < n; i++)
					same = same && (group[i] == 0) == (h->group[i] == 0) &&
					       (group[i] == 0 ||
						strcmp(h->groups[h->group[i] - 1], groups[group[i] - 1]) == 0);
				CHECK(same && has_names == (h->names != NULL) && has_groups == (h->group != NULL),
				      "trial %d, %s: names: %s", trial, formats[f].format, show(&c));
				/* without positions GML has a layout */
				CHECK(formats[f].groups && g.positions == NULL
					      ? true
					      : equal(h->positions, has_positions ? positions : NULL,
						      2 * (size_t)n * sizeof *positions),
				      "trial %d, %s: positions", trial, formats[f].format);
				/* empty is symmetric */
				if (formats[f].undirected && (symmetric || m == 0))
					CHECK(!h->directed, "trial %d, %s is directed", trial, formats[f].format);
				if (!formats[f].undirected)
					CHECK(h->directed, "trial %d, %s is undirected", trial, formats[f].format);
			}
			knng_content_free(&c);
			unlink(path);
		}
	}
	for (const knng_format *const *f = knng_formats; *f != NULL; f++)
		for (int e = 0; (*f)->kind == KNNG_GRAPH && (*f)->parse != NULL && knng_format_ending(*f, e) != NULL;
		     e++) {
			size_t r = 0;
			while (r < sizeof formats / sizeof *formats &&
			       strcmp(formats[r].format, knng_format_ending(*f, e)) != 0)
				r++;
			CHECK(r < sizeof formats / sizeof *formats, "%s has no row", knng_format_ending(*f, e));
		}
	CHECK(knng_sys().live == 0, "leaks");
	snprintf(path, sizeof path, "%s/graph", folder);
}

/* ---- files of others ---- */

static const char gephi[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?><graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
	"<key attr.name=\"label\" attr.type=\"string\" for=\"node\" id=\"label\"/>\n"
	"<key attr.name=\"Edge Label\" attr.type=\"string\" for=\"edge\" id=\"edgelabel\"/>\n"
	"<key attr.name=\"weight\" attr.type=\"double\" for=\"edge\" id=\"weight\"/>\n"
	"<key attr.name=\"x\" attr.type=\"float\" for=\"node\" id=\"x\"/>\n"
	"<key attr.name=\"y\" attr.type=\"float\" for=\"node\" id=\"y\"/>\n"
	"<key attr.name=\"r\" attr.type=\"int\" for=\"node\" id=\"r\"/>\n"
	"<graph edgedefault=\"directed\">\n"
	"<node id=\"17\">\n<data key=\"label\">A &amp; B</data>\n<data key=\"r\">12</data>\n"
	"<data key=\"x\">-1.5</data>\n<data key=\"y\">2.0</data>\n</node>\n"
	"<node id=\"x3\">\n<data key=\"label\">C</data>\n<data key=\"x\">3</data>\n<data key=\"y\">4</data>\n</node>\n"
	"<edge id=\"0\" source=\"17\" target=\"x3\">\n<data key=\"weight\"> 2.5 </data>\n</edge>\n"
	"<edge id=\"1\" source=\"x3\" target=\"x3\" directed=\"false\"/>\n</graph>\n</graphml>\n";

static const char yed[] =
	"<?xml version='1.0'?>\n<!-- <graphml> --><!DOCTYPE graphml [ <!ENTITY x \"y\"> ]>\n"
	"<graphml xmlns:y=\"http://www.yworks.com/xml/graphml\"><key for=\"node\" id=\"d6\" "
	"yfiles.type=\"nodegraphics\"/>\n"
	"<key for='node' id='d7' attr.name='group'/><graph edgedefault=\"undirected\" id=\"G\">\n"
	"<node id=\"n0\"><data key=\"d6\"><y:ShapeNode><y:Geometry height=\"30.0\" x=\"10\" y='20.5'/>"
	"<y:Fill color=\"#FFCC00\"/><y:NodeLabel>one &#x41;<y:LabelModel/></y:NodeLabel></y:ShapeNode></data>"
	"<data key='d7'><![CDATA[a<b]]></data></node>\n"
	"<node id=\"n1\"><data key=\"d6\"><y:NodeLabel hasText=\"false\"/>\n  <y:NodeLabel hasText=\"false\">\n  "
	"<y:LabelModel/></y:NodeLabel></data><graph><node id=\"n1::n0\"/></graph></node>\n"
	"<edge source=\"n0\" target=\"n1::n0\"/><edge source='n1' target='n0'/></graph></graphml>";

static const struct {
	const char *text, *graph;
} others[] = {
	/* igraph: flat attributes, ids from 0, a missing weight is NaN */
	{"Creator \"igraph\"\nVersion 1\ngraph\n[\n  directed 1\n  node\n  [\n    id 0\n    name \"R&amp;D\"\n"
	 "    group \"u\"\n    x 1.5\n    y 0\n  ]\n  node\n  [\n    id 1\n    name \"b\"\n  ]\n  edge\n  [\n"
	 "    source 0\n    target 1\n    weight Inf\n  ]\n  edge\n  [\n    source 1\n    target 0\n  ]\n]\n",
	 "gml 2d 2>1:nan 1>2:inf [R&D] [b] {u} {} (1.5,0) (nan,nan)"},
	/* yEd: nested graphics, comments, undirected by default, an edge before its nodes */
	{"# by yEd\ngraph [ hierarchic 1 edge [ source 4 target 2 graphics [ Line [ point [ x 1 ] ] ] ]\n"
	 "node [ id 4 label \"a\" graphics [ x 1.0 y 2.0 w 30 ] LabelGraphics [ text \"a]\" ] ]\n"
	 "node [ id 2 label \"b\nc\" graphics [ x 3.0 y 4.0 ] ] ]",
	 "gml 2u 2>1:1 1>2:1 [a] [b\nc] (1,2) (3,4)"},
	/* networkx: numbers as labels say nothing; value is a weight */
	{"graph [\n  node [\n    id 0\n    label \"0\"\n  ]\n  node [\n    id 1\n    label \"1\"\n  ]\n"
	 "  edge [\n    source 0\n    target 1\n    value 0\n  ]\n]\n",
	 "gml 2u 2>1:0 1>2:0"},
	{"graph [ node [ id 7 ] node [ id 9 ] edge [ source 7 target 7 weight 2 ] ]", "gml 2u 1>1:2 [7] [9]"},
	{gephi, "graphml 2d 1>2:2.5 2>2:nan [A & B] [C] (-1.5,2) (3,4)"},
	{yed, "graphml 3u 2>1:1 3>1:1 1>2:1 1>3:1 [one A] [] [] {a<b} {} {} (10,20.5) (nan,nan) (nan,nan)"},
	{"<graphml><graph><node id=\"R&amp;D\"/><node id=\"b\"/><edge source=\"b\" "
	 "target=\"R&amp;D\"/></graph></graphml>",
	 "graphml 2d 2>1:1 [R&D] [b]"},
	{"<graphml><graph edgedefault=\"undirected\"><edge source=\"n1\" target=\"n0\"/><node id=\"n0\"/><node "
	 "id=\"n1\"/>"
	 "</graph></graphml>",
	 "graphml 2u 2>1:1 1>2:1"},
	/* Pajek, all kinds of lines */
	{"*Network x\n% comment\n*vertices 4\n1 \"a b\" 0.5 0.25 0.5 ellipse ic Red\n2 b\n3 \"&#233;\" box\n*arcs\n1 2 "
	 "3.5\n"
	 "2 1 -1 c Blue\n*Edges\n1 3\n*Arcslist\n4 1 2\n*EDGESLIST\n3 4\n",
	 "net 4d 2>1:-1 3>1:nan 4>1:nan 1>2:3.5 4>2:nan 1>3:nan 4>3:nan 3>4:nan [a b] [b] [\xC3\xA9] [] (0.5,0.25) "
	 "(nan,nan) (nan,nan) (nan,nan)"},
	{"*Vertices 3\r\n*Edges :2 \"likes\"\r\n1 2\r\n\r\n2 3\r\n", "net 3u 2>1:1 1>2:1 3>2:1 2>3:1"},
	{"%\n*Vertices 2", "net 2u"},
	{"%%MatrixMarket matrix coordinate pattern symmetric\n%\n% by hand\n\n3 3 2\n2 1\n3 3\n",
	 "mtx 3u 2>1:1 1>2:1 3>3:1"},
	{"%%matrixmarket MATRIX Coordinate Integer General\n2 2 2\n1 2 -7\n1 2 -7\n", "mtx 2d 1>2:-7"},
	{"%%MatrixMarket matrix coordinate real general\n0 0 0\n", "mtx 0d"},
	/* the sample of the first paper begins so */
	{"10 3\n0 5 -0.145362\n0 8 -0.782624\n9 3 -0.520289\n", "knn 10d 10>4:-0.520289 1>6:-0.14536199999999999 "
								"1>9:-0.78262399999999999"},
	{"2 1\r\n  1\t0   1e-3  \r\n\r\n", "knn 2d 2>1:0.001"},
	{"3 0", "knn 3d"},
	/* Gephi's and others' tables of edges */
	{"Source,Target,Type,Id,Label,timeset,Weight\n7157,1956,Directed,0,,,2.0\n1956,672,Undirected,1,\"x\ny\",,1\n",
	 "csv 3d 1>2:2 3>2:1 2>3:1 [7157] [1956] [672]"},
	{"from;to\n\"a;\"\"b\"\"\";c\n c ; \"a;\"\"b\"\"\" \nd;\n", "csv 3d 2>1:1 1>2:1 [a;\"b\"] [c] [d]"},
	{"\"source\"\t\"target\"\t\"distance\"\n1\t3\tNA\n2\t\t\n", "csv 3d 1>3:nan"},
	{"source,target\n", "csv 0d"},
	/* networkx: defaults, for what has no data of the key; the second key's own */
	{"<graphml><key id='d3' for='edge' attr.name='weight'>\n<default>2.5</default>\n</key>"
	 "<key id='d0' for='node' attr.name='group'><default>u</default></key>"
	 "<key id='d1' for='node' attr.name='size'><default>9</default></key>"
	 "<key id='d2' for='node' attr.name='x'><default/></key><graph edgedefault='directed'>"
	 "<node id='a'><data key='d0'>v</data></node><node id='b'/><edge source='a' target='b'/>"
	 "<edge source='b' target='a'><data key='d3'>0.5</data></edge></graph></graphml>",
	 "graphml 2d 2>1:0.5 1>2:2.5 [a] [b] {v} {u}"},
	/* n1, n2 are ids that say nothing, but names that do */
	{"<graphml><graph><node id='n1'/><node id='n2'/></graph></graphml>", "graphml 2d"},
	{"<graphml><key id='d' for='node' attr.name='name'/><graph><node id='a'><data key='d'>n1</data></node>"
	 "<node id='b'><data key='d'>n2</data></node></graph></graphml>",
	 "graphml 2d [n1] [n2]"},
	/* Gephi: attributes with defaults, of nodes and of edges under the same ids; a node in a node; an edge before
	 * its nodes, of another type than the others */
	{"<?xml version='1.0' encoding='UTF-8'?><gexf xmlns='http://gexf.net/1.3' xmlns:viz='http://gexf.net/1.3/viz' "
	 "version='1.3'><meta lastmodifieddate='2024-01-01'><creator>Gephi 0.10</creator></meta>"
	 "<graph defaultedgetype='directed' mode='static'><attributes class='node' mode='static'>"
	 "<attribute id='0' title='Group' type='string'><default>u</default></attribute>"
	 "<attribute id='1' title='size' type='float'><default>9</default></attribute></attributes>"
	 "<attributes class='edge'><attribute id='0' title='Weight' type='double'/></attributes>"
	 "<edges><edge id='0' source='b' target='a' type='undirected' weight='2.5'><viz:thickness value='3'/></edge>"
	 "<edge id='1' source='b' target='b'><attvalues><attvalue for='0' value='7'/></attvalues></edge>"
	 "<edge source='a' target='c'/></edges>"
	 "<nodes><node id='a' label='R&amp;D'><attvalues><attvalue for='0' value='v'/><attvalue for='1' value='3'/>"
	 "</attvalues><viz:size value='10'/><viz:position x='1.5' y=' -2 ' z='0'/><viz:color r='1' g='2' b='3'/>"
	 "<nodes><node id='c'/></nodes></node><node id='b' label='&quot;&#233;'/></nodes></graph></gexf>",
	 "gexf 3d 3>1:2.5 1>2:1 1>3:2.5 3>3:7 [R&D] [] [\"\xC3\xA9] {v} {u} {u} (1.5,-2) (nan,nan) (nan,nan)"},
	/* networkx: version 1.2, undirected as it is by default */
	{"<gexf version=\"1.2\"><graph name=\"\"><nodes><node id=\"n0\" label=\"n0\"/><node id=\"n1\" label=\"n1\"/>"
	 "</nodes><edges><edge source=\"n0\" target=\"n1\" id=\"0\" weight=\"INF\"/></edges></graph></gexf>",
	 "gexf 2u 2>1:inf 1>2:inf [n0] [n1]"},
	/* Cytoscape: no word about directions, ids that are numbers */
	{"{\n  \"format_version\" : \"1.0\",\n  \"data\" : { \"SUID\" : 52, \"tags\" : [ \"a\", { \"b\" : [ ] } ] },\n"
	 "  \"elements\" : {\n    \"nodes\" : [ { \"data\" : { \"id\" : \"70\", \"shared_name\" : \"s\", \"name\" : "
	 "\"a\\u00e9\\\"\\n\" },\n \"position\" : { \"x\" : -1.5, \"y\" : 2 }, \"selected\" : false }, "
	 "{ \"data\" : { \"id\" : 72, \"shared_name\" : \"\\ud83d\\ude00\", \"group\" : null } } ],\n"
	 "    \"edges\" : [ { \"data\" : { \"id\" : \"74\", \"source\" : \"70\", \"target\" : 72, \"weight\" : 0.5 } } "
	 "]\n  }\n}\n",
	 "cyjs 2d 1>2:0.5 [a\xC3\xA9\"\n] [\xF0\x9F\x98\x80] (-1.5,2) (nan,nan)"},
	/* networkx; a list of elements, edges first; what is said of directions comes last */
	{"{\"elements\": [{\"group\": \"edges\", \"data\": {\"source\": \"b\", \"target\": \"a\", \"weight\": 1e999}},"
	 "{\"data\": {\"source\": \"a\", \"target\": \"a\", \"weight\": null}},"
	 "{\"data\": {\"id\": \"a\", \"group\": 3, \"x\": 4, \"y\": 5}, \"position\": {\"x\": 1, \"y\": 2}}, "
	 "{\"data\": {\"id\": \"b\", \"label\": \"\\ud83d\\q\\u0000\"}}], \"directed\": false, \"multigraph\": false}",
	 "cyjs 2u 1>1:nan 2>1:inf 1>2:inf [] [\xEF\xBF\xBD\\q\xEF\xBF\xBD] {3} {} (4,5) (nan,nan)"},
	/* nodes whose data have a source or a target; texts that read null */
	{"{\"elements\": {\"nodes\": [{\"data\": {\"id\": 1, \"name\": \"null\", \"group\": \"null\", \"source\": "
	 "\"STRING\"}}, {\"data\": {\"id\": 2, \"name\": null, \"label\": \"b\", \"group\": null, \"source\": 1, "
	 "\"target\": 2}}], \"edges\": [{\"group\": 7, \"data\": {\"source\": 1, \"target\": 2, \"weight\": 3}}]}}",
	 "cyjs 2d 1>2:3 [null] [b] {null} {}"},
	{"{\"elements\": [{\"group\": \"nodes\", \"data\": {\"id\": 1, \"source\": \"x\"}}, {\"data\": {\"source\": 1, "
	 "\"target\": 1}, \"group\": \"edges\"}]}",
	 "cyjs 1d 1>1:1"},
	{"{\"elements\": {}}", "cyjs 0d"},
	{"graph [ node [ id 1 label \"n1\" ] node [ id 2 label \"n2\" ] ]", "gml 2u [n1] [n2]"},
	{"*Vertices 2\n1 n0\n2 n1\n", "net 2u [n0] [n1]"},
	{"source,target\nn1,n2\n", "csv 2d 1>2:1 [n1] [n2]"},
};

static void
test_others(void)
{
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		knng_content c;
		knng_err err;
		knng_status status = read_bytes(others[i].text, strlen(others[i].text), &c, &err);
		CHECK(status == KNNG_OK && c.kind == KNNG_GRAPH && strcmp(show(&c), others[i].graph) == 0,
		      "case %zu:\n%s\n%s", i, status == KNNG_OK ? show(&c) : err.text, others[i].graph);
		knng_content_free(&c);
	}
	for (const knng_format *const *f = knng_formats; *f != NULL; f++) {
		size_t length = strlen((*f)->name), i = 0;
		while (i < sizeof others / sizeof *others &&
		       (strncmp(others[i].graph, (*f)->name, length) != 0 || others[i].graph[length] != ' '))
			i++;
		CHECK(i < sizeof others / sizeof *others || (*f)->kind != KNNG_GRAPH || (*f)->parse == NULL,
		      "%s has no case", (*f)->name);
	}
	/* A data set is no graph, and a graph no data set. */
	knng_content c;
	knng_err err;
	for (int edges = 0; edges < 2; edges++) {
		const char *text = edges ? "10 2\n0 5 -0.25\n0 8 0.5\n" : "3 0";
		read_bytes(text, strlen(text), &c, &err);
		knng_content_free(&c);
		CHECK(knng_read(path, KNNG_DATASET, NULL, &c, &err) == KNNG_EIO &&
			      strcmp(err.id, "knng:io:format") == 0 && strstr(err.text, "graph") != NULL,
		      "%s", err.text);
		knng_content_free(&c);
	}
	CHECK(knng_sys().live == 0, "leaks");
}

/* ---- what is wrong ---- */

static void
test_errors(void)
{
	static const struct {
		const char *text, *id, *line, *names;
	} cases[] = {
		{"3 2\n0 1 0.5\n0 3 1\n", "format", "line 3:", "from 0 to 2"},
		{"3 2\n0 1 0.5\n0 x 1\n", "format", "line 3:", "'x'"},
		{"3 2\n0 1 0.5\n0 2 1,5\n", "format", "line 3:", "'1,5'"},
		{"3 2\n0 1 0.5\n0 2\n", "format", "line 3:", "weight"},
		{"3 2\n0 1 0.5\n1 2 1 7\n\n", "format", "line 3:", "'7'"},
		{"3 1\n0 1 0.5\n0 2 1\n", "format", "line 3:", "no more than the 1 edges"},
		{"3 2\n0 1 0.5\n", "truncated", "line 1:", "2 edges"},
		{"3 2\n0 1 0.5000000000\n", "truncated", "line 3,", "edge"},
		{"3 2\n0 1 0.5\n0 2", "truncated", "line 3,", "weight"},
		{"3 3\n0 1 1\n0 2 1\n0 1 2\n", "format", "line 4:", "node 1 (from 1) to node 2 (from 1)"},
		{"9007199254740992 1\n0 1 1\n", "format", "line 1:", "9007199254740992"},
		{"%%MatrixMarket matrix array real general\n2 2\n", "format", "line 1:", "'array'"},
		{"%%MatrixMarket matrix coordinate complex general\n2 2\n", "format", "line 1:", "'complex'"},
		{"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2\n", "format", "line 1:", "skew"},
		{"%%MatrixMarket matrix coordinate real general\n%\n2 3 1\n1 1 1\n", "format", "line 3:", "2 rows"},
		{"%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n", "format", "line 3:", "from 1 to 2"},
		{"%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 1\n1 2 3\n", "format",
		 "line 4:", "second"},
		{"%%MatrixMarket matrix coordinate real general\n", "truncated", "line 2,", "rows"},
		{"*Vertices 2\n*Matrix\n0 1\n", "format", "line 2:", "'*Matrix'"},
		{"*Vertices 2\n3 \"a\"\n", "format", "line 2:", "'3'"},
		{"*Vertices 2\n1 \"a\n\n", "format", "line 2:", "quote"},
		{"*Vertices 2\n1 \"a\"b\"\n\n", "format", "line 2:", "blank"},
		{"*Vertices 2\n*Arcs\n1 3\n", "format", "line 3:", "'3'"},
		{"*Vertices 2\n*Arcslist\n1 2 0\n", "format", "line 3:", "'0'"},
		{"*Vertices 2\n*Vertices 2\n\n", "format", "line 2:", "second time"},
		{"*Vertices 2147483647\n", "format", "line 1:", "2147483647"},
		{"*Vertices 1000000\n1 \"a\"\n", "format", "line 2:", "too short"},
		{"*Network x\n*Arcs\n1 2\n", "format", "line 2:", "'*Arcs'"},
		{"*Vertices x\n\n", "format", "line 1:", "'x'"},
		{"graph [ node [ id 1 ]\nnode [ id 1 ] ]", "format", "line 2:", "second time"},
		{"graph [\nnode [ label \"x\" ]\n]", "format", "line 2:", "without id"},
		{"graph [\nnode [ id 1 ]\nedge [ source 1\ntarget 2 ] ]", "format", "line 4:", "'2'"},
		{"graph [\nnode [ id 1 ]\nedge [ source 1 ]\n ]", "format", "line 3:", "without source or target"},
		{"graph [\nnode [ id 1 x a ]\n]", "format", "line 2:", "'a'"},
		{"graph [\n]\n]\n", "format", "line 3:", "bracket"},
		{"graph [\n]\ngraph [ ]\n", "format", "line 3:", "second graph"},
		{"graph [\n5 ]\n", "format", "line 2:", "'5'"},
		{"graph [\nnode [ id 1", "truncated", "line 2", ""},
		{"graph [\nnode [ id 1 label \"x\n", "truncated", "line 3", "quote"},
		{"graph [ node [ id 1 ] edge [ source 1 target 1 ] edge [ source 1\ntarget 1 weight 2 ] ]", "format",
		 "line 2:", "second time"},
		{"<graphml>\n<graph><node/></graph></graphml>", "format", "line 2:", "without id"},
		{"<graphml>\n<graph>\n<node id=\"a\"></graph></graphml>", "format", "line 3:", "'graph'"},
		{"<graphml><graph>\n<edge source=\"a\" target=\"b\"/></graph></graphml>", "format", "line 2:", "'a'"},
		{"<graphml><graph>\n<hyperedge/></graph></graphml>", "format", "line 2:", "hyperedge"},
		{"<graphml><graph>\n<node id='a'/><edge source='a' target='a'><data key='w'>1</data></edge></graph>",
		 "truncated", "line 2", "</graphml>"},
		{"<graphml><key id='w' for='edge' attr.name='weight'/><graph><node id='a'/>\n<edge source='a' "
		 "target='a'>"
		 "<data key='w'>x</data></edge></graph></graphml>",
		 "format", "line 2:", "'x'"},
		{"<graphml><key id='w' for='edge' attr.name='weight'/><graph><node id='a'/>\n<edge source='a' "
		 "target='a'>"
		 "<data key='w'>1<b/></data></edge></graph></graphml>",
		 "format", "line 2:", "element"},
		{"<graphml></graph>\n</graphml>", "format", "line 1:", "'graph'"},
		{"<graphml><graph></graph>\n<graph></graph></graphml>", "format", "line 2:", "second graph"},
		{"<graphml><graph>\n<node id=\"a\" <b></graph></graphml>", "format", "line 2:", "<"},
		{"<?xml version=\"1.0\"?><a>\n<graphml></graphml></a>", "format", "line 1:", "<graphml>"},
		/* Latin-1, whatever the head says; half of a pair of surrogates; a character that is longer than need
		   be */
		{"<?xml version='1.0' encoding='ISO-8859-1'?>\n<gexf><graph><nodes><node id='1' label='\xE9'/></nodes>"
		 "</graph></gexf>",
		 "format", "line 2:", "E9, expected text in UTF-8"},
		{"<graphml><graph>\n<node id='n0'/>\n<node id='\xED\xA0\x80'/></graph></graphml>", "format",
		 "line 3:", "UTF-8"},
		{"{\"elements\": {\"nodes\": [{\"data\": {\"id\": 1,\n\"name\": \"\xC0\xAF, 12345678\"}}]}}", "format",
		 "line 2:", "C0, expected"},
		{"<gexf><graph>\n<nodes><node id='\xC3\xA9 \xF0\x9F\x98", "truncated", "line 2", "tag"},
		{"<gexf><graph><nodes>\n<node/></nodes></graph></gexf>", "format", "line 2:", "without id"},
		{"<gexf><graph>\n<edges><edge source='a'/></edges></graph></gexf>", "format", "line 2:", "target"},
		{"<gexf><graph>\n<edges><edge source='a' target='b'/></edges></graph></gexf>", "format",
		 "line 2:", "'a'"},
		{"<gexf><graph><nodes><node id='a'/></nodes><edges>\n<edge source='a' target='a' weight='x'/></edges>"
		 "</graph></gexf>",
		 "format", "line 2:", "'x'"},
		{"<gexf><graph><nodes><node id='a'>\n<viz:position x='y'/></node></nodes></graph></gexf>", "format",
		 "line 2:", "'y', expected a number, for the weight of an edge or the place of a node"},
		{"<gexf><graph><attributes class='node'>\n<attribute title='x'/></attributes></graph></gexf>", "format",
		 "line 2:", "without id"},
		{"<gexf><graph><nodes/></graph>\n<graph/></gexf>", "format", "line 2:", "second graph"},
		{"<gexf><graph>\n<nodes><node id='a'></node></nodes></graph>", "truncated", "line 2", "</gexf>"},
		{"<?xml version=\"1.0\"?><a>\n<gexf></gexf></a>", "format", "line 1:", "<gexf>"},
		{"{\"elements\": {\"nodes\": [{\"data\": {}}\n]}}", "format", "line 1:", "without id"},
		{"{\"elements\": {\"edges\": [\n{\"data\": {\"source\": 1}}]}}", "format", "line 2:", "target"},
		{"{\"elements\": {\"edges\": [\n{\"data\": {\"source\": 1, \"target\": 2}}]}}", "format",
		 "line 2:", "'1'"},
		{"{\"elements\": {\"nodes\": [{\"data\": {\"id\": 1}}, \n{\"data\": {\"id\": 1}}]}}", "format",
		 "line 2:", "second time"},
		{"{\"elements\": []}\n{\"elements\": []}\n", "format", "line 2:", "behind the end"},
		{"{\"elements\": {\"edges\": [\n{\"data\": {\"id\": 1}}]}}\n", "format", "line 2:", "without source"},
		{"{\"elements\":\n{\"nodes\": 7}}\n", "format", "line 2:", "list"},
		{"{\"elements\":\n{\"nodes\": [7]}}\n", "format", "line 2:", "object"},
		{"{\"elements\":\n7}\n", "format", "line 2:", "object or a list"},
		{"{\"elements\": [{\"data\": {\"id\": 1}}\n{\"data\": {\"id\": 2}}]}\n", "format", "line 2:", "comma"},
		{"{\"a\": \"elements\", \"b\": {\"elements\": []}\n}", "format", "line 2:", "without elements"},
		{"{\"elements\": [{\"data\": {\"id\": 1}},\n{\"data\": {\"id", "truncated", "line 2", "quote"},
		{"{\"elements\": [\n", "truncated", "line 2", "list"},
		{"source,target,weight\na,b,1\na,b,2\n", "format", "line 3:", "node 'a' to node 'b'"},
		{"source,target,weight\na,b,x\n", "format", "line 2:", "'x'"},
		{"source,target,weight\na,b,1\n,c,2\n", "format", "line 3:", "source"},
		{"source,target,weight\na,b,1\n\"\",a,1\n,,\n", "format", "line 4:", "source"},
		{"source,target,weight\na,b\n", "format", "line 2:", "2 fields"},
		{"source,target,weight\n\"a\nb\",c,1\na,\"b,1\n", "truncated", "line 5", "quote"},
		{"source,target,weight\na,b\"c,1\n\n", "format", "line 2:", "quote"},
		{"source,target,type\na,b,mutual\n", "format", "line 2:", "'mutual'"},
		{"source,target,weight\na,b,1\nc,", "truncated", "line 3", ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		knng_content c;
		knng_err err = {0};
		char id[40];
		snprintf(id, sizeof id, "knng:io:%s", cases[i].id);
		knng_status status = read_bytes(cases[i].text, strlen(cases[i].text), &c, &err);
		CHECK(status == KNNG_EIO && strcmp(err.id, id) == 0 && strstr(err.text, cases[i].line) != NULL &&
			      strstr(err.text, cases[i].names) != NULL,
		      "case %zu: %s %s", i, err.id, status == KNNG_OK ? show(&c) : err.text);
		knng_content_free(&c);
		CHECK(knng_sys().live == 0, "case %zu leaks", i);
	}
}

/* Cut off anywhere, a file that has an end is never read as whole; the others are an error or a shorter graph. */
static void
test_cuts(void)
{
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		size_t size = strlen(others[i].text), last = size;
		while (last > 0 && strchr(" \r\n", others[i].text[last - 1]) != NULL)
			last--;
		bool has_end = strncmp(others[i].graph, "g", 1) == 0;
		for (size_t cut = 0; cut < size; cut++) {
			knng_content c;
			knng_err err = {0};
			knng_status status = read_bytes(others[i].text, cut, &c, &err);
			if (has_end && cut < last)
				CHECK(status == KNNG_EIO, "case %zu, cut at %zu: %s", i, cut, show(&c));
			CHECK(status == KNNG_OK || strncmp(err.id, "knng:io:", 8) == 0, "case %zu, cut at %zu: %s", i,
			      cut, err.id);
			knng_content_free(&c);
			if (knng_sys().live != 0)
				CHECK(false, "case %zu, cut at %zu leaks", i, cut);
		}
	}
}

/* Makes every wrapped call fail one after another. */
static void
test_faults(void)
{
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		for (int64_t nth = 1;; nth++) {
			knng_content c;
			knng_err err = {0};
			FILE *f = fopen(path, "wb");
			if (f == NULL || fputs(others[i].text, f) < 0 || fclose(f) != 0)
				abort();
			int64_t before = knng_sys().calls;
			knng_sys_fail_at(nth);
			knng_status status = knng_read(path, KNNG_GRAPH, NULL, &c, &err);
			bool reached = knng_sys().calls - before >= nth;
			knng_sys_fail_at(0);
			if (!reached) {
				CHECK(status == KNNG_OK && strcmp(show(&c), others[i].graph) == 0 && nth > 4,
				      "case %zu: %s", i, err.text);
				knng_content_free(&c);
				break;
			}
			CHECK((status == KNNG_EMEMORY && strcmp(err.id, "knng:memory:host") == 0) ||
				      (status == KNNG_EIO && strncmp(err.id, "knng:io:", 8) == 0),
			      "case %zu, call %" PRId64 ": status %d, %s", i, nth, (int)status, err.id);
			CHECK(c.graph.start == NULL && c.graph.text == NULL && knng_sys().live == 0,
			      "case %zu, call %" PRId64 " leaves something", i, nth);
		}
}

/* A header promises more nodes than the machine has room for; and one whose nodes come by and by. */
static void
test_memory(void)
{
	static const char *const texts[] = {
		"%%MatrixMarket matrix coordinate real general\n150000000 150000000 1\n1 2 0.5\n",
		"150000000 1\n0 1 0.5\n",
		"*Vertices 150000000\n*Arcs\n1 2 0.5\n",
	};
	knng_content c;
	knng_err err;
	knng_memory_set_available(700e6);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		FILE *f = fopen(path, "wb");
		if (f == NULL || fputs(texts[i], f) < 0 || fclose(f) != 0)
			abort();
		knng_sys_mark_peak();
		CHECK(knng_read(path, KNNG_GRAPH, NULL, &c, &err) == KNNG_EMEMORY &&
			      strcmp(err.id, "knng:memory:host") == 0 && knng_sys().live == 0 && knng_sys().peak < 1e8,
		      "case %zu: %s, %.0f bytes", i, err.id, (double)knng_sys().peak);
	}
	knng_memory_set_available(1e12);
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		return 2;
	knng_memory_set_available(1e12); /* so that the same calls are counted everywhere */
	test_round_trip();
	test_others();
	test_errors();
	test_cuts();
	test_faults();
	test_memory();
	unlink(path);
	rmdir(folder);
	return summary();
}
