/* test_write.c  Writing graphs and data sets: the shortest decimals, every format to the byte, what cannot be written,
 * and that nothing half-written is left, whatever fails. */
#include "base/file.h"
#include "base/names.h"
#include "base/sys.h"
#include "io/digits.h"
#include "io/format.h"
#include "knng.h"
#include "testing.h"

#include <dirent.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <sys/stat.h>

static char folder[] = "/tmp/knng-test-write-XXXXXX", path[300];

/* ---- numbers ---- */

/* The significant digits of a number's text. */
static int
digits_of(const char *text, char digit[64])
{
	int n = 0, last = 0;
	for (; *text != '\0' && *text != 'e'; text++)
		if (*text >= '0' && *text <= '9' && (n > 0 || *text != '0')) {
			digit[n++] = *text;
			if (*text != '0')
				last = n;
		}
	return last;
}

/* The text reads back to the same bits, fewer digits would not, and as many do not come nearer. */
static void
test_digits(void)
{
	static const struct {
		double v;
		const char *text;
	} fixed[] = {
		{0, "0"},
		{-0.0, "-0"},
		{1, "1"},
		{-12.5, "-12.5"},
		{0.1, "0.1"},
		{2.0 / 3, "0.6666666666666666"},
		{123456, "123456"},
		{1e16, "10000000000000000"},
		{1e17, "1.0e+17"},
		{1e22, "1.0e+22"},
		{9007199254740993.0, "9007199254740992"},
		{0.00001, "0.00001"},
		{1.5e-7, "1.5e-07"},
		{DBL_MIN, "2.2250738585072014e-308"},
		{DBL_MAX, "1.7976931348623157e+308"},
		{5e-324, "5.0e-324"},
	};
	static knng_digits t;
	char text[KNNG_DIGITS_LONGEST + 1], other[64], mine[64], theirs[64];
	int wrong = 0;
	knng_digits_init(&t);
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
		*knng_digits_put(&t, fixed[i].v, text) = '\0';
		CHECK(strcmp(text, fixed[i].text) == 0, "%s for %s", text, fixed[i].text);
	}
	for (int64_t trial = 0; trial < 1000000 && wrong < 10; trial++) {
		uint64_t bits = random_bits();
		double v;
		if (trial % 4 == 0) /* next to a power of two, where the interval is lopsided */
			bits = bits >> 52 << 52 | (uint64_t)((random_below(5) - 2) & INT64_MAX >> 12);
		memcpy(&v, &bits, sizeof v);
		if (trial % 4 == 1)
			v = random_unit();
		if (trial % 4 == 2)
			v = rint(1000 * random_normal()) / 100;
		if (!isfinite(v))
			continue;
		char *end = knng_digits_put(&t, v, text);
		*end = '\0';
		int n = digits_of(text, mine);
		bool right = end - text <= KNNG_DIGITS_LONGEST && bits_of(strtod(text, NULL)) == bits_of(v);
		if (n > 1) {
			snprintf(other, sizeof other, "%.*e", n - 2, v);
			right = right && strtod(other, NULL) != v;
		}
		if (n > 0) {
			snprintf(other, sizeof other, "%.*e", n - 1, v);
			/* The nearest with n digits, if that one reads back at all, next to a power of two it need not.
			 */
			right = right && (strtod(other, NULL) != v ||
					  (digits_of(other, theirs) == n && memcmp(mine, theirs, (size_t)n) == 0));
		}
		if (!right && wrong++ < 10)
			printf("%.17g is written %s\n", v, text);
	}
	CHECK(wrong == 0, "%d numbers", wrong);
}

static void
test_names(void)
{
	enum { COUNT = 5000 };
	static char text[COUNT][8];
	knng_names t = {0};
	int wrong = 0;
	CHECK(knng_names_find(&t, "a", 1) == -1, "found in nothing");
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < COUNT; i++) {
			int length = snprintf(text[i], sizeof text[i], "%d", i);
			wrong += round == 0 && knng_names_find(&t, text[i], length) != -1;
			wrong += knng_names_add(&t, text[i], length) != i;
			wrong += knng_names_find(&t, text[i], length) != i;
		}
	CHECK(wrong == 0 && t.count == COUNT && knng_names_find(&t, "12", 1) == 1 && knng_names_add(&t, "", 0) == COUNT,
	      "%d wrong", wrong);
	knng_names_free(&t);
}

/* ---- graphs ---- */

/* 0 -> 1 (0), 0 -> 2 (0.1), 1 -> 0 (0), 3 -> 0 (NaN), 3 -> 2 (Inf); node 2 has no edges of its own, 4 none at all. */
static size_t start[] = {0, 2, 3, 5, 5, 5}, row[] = {1, 3, 0, 0, 3};
static double value[] = {DBL_MIN, NAN, DBL_MIN, 0.1, INFINITY};
static char *names[] = {"a\"b", "R&D <1>", "\xC3\xA9,\xF0\x9F\x98\x80", "two\nlines", "&#1; ;"};
static char *groups[] = {"A&L", "\"x\""};
static int64_t group[] = {1, 2, 0, 1, 2};
static double positions[] = {0, 1, 2, 3, 0.1, 10, -20, 30, 1e300, 5e-324};

static const knng_graph full = {.n = 5,
				.start = start,
				.row = row,
				.weight = value,
				.names = names,
				.ngroups = 2,
				.groups = groups,
				.group = group,
				.positions = positions};

/* What lies in the file, unpacked. */
static char *
content(void)
{
	static char text[1 << 16];
	knng_file *f = knng_file_open(path, NULL);
	int64_t got = f != NULL ? knng_file_read(f, text, sizeof text - 1) : 0;
	knng_file_close(f);
	text[got > 0 ? got : 0] = '\0';
	return text;
}

static int
files_there(void)
{
	int count = 0;
	DIR *d = opendir(folder);
	while (d != NULL && readdir(d) != NULL)
		count++;
	closedir(d);
	return count - 2;
}

static knng_status
write_as(const char *ending, const knng_graph *g, int directed, char left_out[64], knng_err *err)
{
	knng_write_options opt = {.directed = directed};
	snprintf(path, sizeof path, "%s/graph.%s", folder, ending);
	return knng_write(path, g, &opt, left_out, err);
}

static void
test_formats(void)
{
	static const struct {
		const char *ending, *left_out, *text;
	} cases[] = {
		{"knn", "names, groups, positions", "5 5\n0 1 0\n0 2 0.1\n1 0 0\n3 2 INF\n3 0 NaN\n"},
		{"mtx", "names, groups, positions",
		 "%%MatrixMarket matrix coordinate real general\n5 5 5\n1 2 0\n1 3 0.1\n2 1 0\n4 3 INF\n4 1 NaN\n"},
		{"csv", "groups, positions",
		 "source,target,weight\n\"a\"\"b\",\"R&D <1>\",0\n\"a\"\"b\",\"\xC3\xA9,\xF0\x9F\x98\x80\",0.1\n"
		 "\"R&D <1>\",\"a\"\"b\",0\n\"\xC3\xA9,\xF0\x9F\x98\x80\",,\n\"two\nlines\",\"\xC3\xA9,"
		 "\xF0\x9F\x98\x80\",INF\n\"two\nlines\",\"a\"\"b\",NaN\n\"&#1; ;\",,\n"},
		{"net", "groups",
		 "*Vertices 5\n1 \"a&#34;b\" 0 10\n2 \"R&D <1>\" 1 -20\n3 \"\xC3\xA9,\xF0\x9F\x98\x80\" 2 30\n"
		 "4 \"two&#10;lines\" 3 1.0e+300\n5 \"&#38;#1; ;\" 0.1 5.0e-324\n*Arcs\n1 2 0\n1 3 0.1\n2 1 0\n"
		 "4 3 INF\n4 1 NaN\n"},
		{"graphml", "",
		 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		 "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
		 "<key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
		 "<key id=\"group\" for=\"node\" attr.name=\"group\" attr.type=\"string\"/>\n"
		 "<key id=\"x\" for=\"node\" attr.name=\"x\" attr.type=\"double\"/>\n"
		 "<key id=\"y\" for=\"node\" attr.name=\"y\" attr.type=\"double\"/>\n"
		 "<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n"
		 "<graph edgedefault=\"directed\">\n"
		 "<node id=\"n1\"><data key=\"name\">a\"b</data><data key=\"group\">A&amp;L</data>"
		 "<data key=\"x\">0</data><data key=\"y\">10</data></node>\n"
		 "<node id=\"n2\"><data key=\"name\">R&amp;D &lt;1&gt;</data><data key=\"group\">\"x\"</data>"
		 "<data key=\"x\">1</data><data key=\"y\">-20</data></node>\n"
		 "<node id=\"n3\"><data key=\"name\">\xC3\xA9,\xF0\x9F\x98\x80</data>"
		 "<data key=\"x\">2</data><data key=\"y\">30</data></node>\n"
		 "<node id=\"n4\"><data key=\"name\">two\nlines</data><data key=\"group\">A&amp;L</data>"
		 "<data key=\"x\">3</data><data key=\"y\">1.0e+300</data></node>\n"
		 "<node id=\"n5\"><data key=\"name\">&amp;#1; ;</data><data key=\"group\">\"x\"</data>"
		 "<data key=\"x\">0.1</data><data key=\"y\">5.0e-324</data></node>\n"
		 "<edge source=\"n1\" target=\"n2\"><data key=\"weight\">0</data></edge>\n"
		 "<edge source=\"n1\" target=\"n3\"><data key=\"weight\">0.1</data></edge>\n"
		 "<edge source=\"n2\" target=\"n1\"><data key=\"weight\">0</data></edge>\n"
		 "<edge source=\"n4\" target=\"n3\"><data key=\"weight\">INF</data></edge>\n"
		 "<edge source=\"n4\" target=\"n1\"><data key=\"weight\">NaN</data></edge>\n"
		 "</graph>\n</graphml>\n"},
		{"gexf", "",
		 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		 "<gexf xmlns=\"http://gexf.net/1.3\" xmlns:viz=\"http://gexf.net/1.3/viz\" version=\"1.3\">\n"
		 "<meta><creator>knng " KNNG_VERSION "</creator></meta>\n"
		 "<graph defaultedgetype=\"directed\">\n"
		 "<attributes class=\"node\">\n"
		 "<attribute id=\"group\" title=\"group\" type=\"string\"/>\n"
		 "<attribute id=\"x\" title=\"x\" type=\"double\"/>\n"
		 "<attribute id=\"y\" title=\"y\" type=\"double\"/>\n"
		 "</attributes>\n"
		 "<nodes>\n"
		 "<node id=\"1\" label=\"a&quot;b\"><attvalues><attvalue for=\"group\" value=\"A&amp;L\"/><attvalue "
		 "for=\"x\" value=\"0\"/><attvalue for=\"y\" value=\"10\"/></attvalues><viz:color r=\"0\" g=\"114\" "
		 "b=\"178\"/><viz:position x=\"0\" y=\"-78.3\" z=\"0\"/><viz:size value=\"15\"/></node>\n"
		 "<node id=\"2\" label=\"R&amp;D &lt;1&gt;\"><attvalues><attvalue for=\"group\" "
		 "value=\"&quot;x&quot;\"/><attvalue for=\"x\" value=\"1\"/><attvalue for=\"y\" "
		 "value=\"-20\"/></attvalues><viz:color r=\"213\" g=\"94\" b=\"0\"/><viz:position x=\"0\" "
		 "y=\"-78.3\" z=\"0\"/><viz:size value=\"15\"/></node>\n"
		 "<node id=\"3\" label=\"\xC3\xA9,\xF0\x9F\x98\x80\"><attvalues><attvalue for=\"x\" "
		 "value=\"2\"/><attvalue for=\"y\" value=\"30\"/></attvalues><viz:position x=\"0\" y=\"-78.3\" "
		 "z=\"0\"/><viz:size value=\"15\"/></node>\n"
		 "<node id=\"4\" label=\"two&#10;lines\"><attvalues><attvalue for=\"group\" "
		 "value=\"A&amp;L\"/><attvalue for=\"x\" value=\"3\"/><attvalue for=\"y\" "
		 "value=\"1.0e+300\"/></attvalues><viz:color r=\"0\" g=\"114\" b=\"178\"/><viz:position x=\"0\" "
		 "y=\"78.3\" z=\"0\"/><viz:size value=\"15\"/></node>\n"
		 "<node id=\"5\" label=\"&amp;#1; ;\"><attvalues><attvalue for=\"group\" "
		 "value=\"&quot;x&quot;\"/><attvalue for=\"x\" value=\"0.1\"/><attvalue for=\"y\" "
		 "value=\"5.0e-324\"/></attvalues><viz:color r=\"213\" g=\"94\" b=\"0\"/><viz:position x=\"0\" "
		 "y=\"-78.3\" z=\"0\"/><viz:size value=\"15\"/></node>\n"
		 "</nodes>\n"
		 "<edges>\n"
		 "<edge source=\"1\" target=\"2\" weight=\"0\"/>\n"
		 "<edge source=\"1\" target=\"3\" weight=\"0.1\"/>\n"
		 "<edge source=\"2\" target=\"1\" weight=\"0\"/>\n"
		 "<edge source=\"4\" target=\"3\" weight=\"INF\"/>\n"
		 "<edge source=\"4\" target=\"1\" weight=\"NaN\"/>\n"
		 "</edges>\n"
		 "</graph>\n"
		 "</gexf>\n"},
		{"cyjs", "",
		 "{\"generated_by\": \"knng " KNNG_VERSION
		 "\", \"format_version\": \"1.0\", \"target_cytoscapejs_version\": \"~2.1\",\n"
		 "\"data\": {\"name\": \"knng\"}, \"multigraph\": false, \"directed\": true,\n"
		 "\"elements\": {\n"
		 "\"nodes\": [\n"
		 "{\"data\": {\"id\": \"1\", \"value\": \"1\", \"name\": \"a\\\"b\", \"group\": \"A&L\", \"color\": "
		 "\"#0072B2\", \"x\": 0, \"y\": 10}, \"position\": {\"x\": 0, \"y\": 78.3}},\n"
		 "{\"data\": {\"id\": \"2\", \"value\": \"2\", \"name\": \"R&D <1>\", \"group\": \"\\\"x\\\"\", "
		 "\"color\": \"#D55E00\", \"x\": 1, \"y\": -20}, \"position\": {\"x\": 0, \"y\": 78.3}},\n"
		 "{\"data\": {\"id\": \"3\", \"value\": \"3\", \"name\": \"\xC3\xA9,\xF0\x9F\x98\x80\", \"x\": 2, "
		 "\"y\": 30}, \"position\": {\"x\": 0, \"y\": 78.3}},\n"
		 "{\"data\": {\"id\": \"4\", \"value\": \"4\", \"name\": \"two\\u000alines\", \"group\": \"A&L\", "
		 "\"color\": \"#0072B2\", \"x\": 3, \"y\": 1.0e+300}, \"position\": {\"x\": 0, \"y\": -78.3}},\n"
		 "{\"data\": {\"id\": \"5\", \"value\": \"5\", \"name\": \"&#1; ;\", \"group\": \"\\\"x\\\"\", "
		 "\"color\": \"#D55E00\", \"x\": 0.1, \"y\": 5.0e-324}, \"position\": {\"x\": 0, \"y\": 78.3}}\n"
		 "],\n"
		 "\"edges\": [\n"
		 "{\"data\": {\"source\": \"1\", \"target\": \"2\", \"weight\": 0}},\n"
		 "{\"data\": {\"source\": \"1\", \"target\": \"3\", \"weight\": 0.1}},\n"
		 "{\"data\": {\"source\": \"2\", \"target\": \"1\", \"weight\": 0}},\n"
		 "{\"data\": {\"source\": \"4\", \"target\": \"3\", \"weight\": 1e999}},\n"
		 "{\"data\": {\"source\": \"4\", \"target\": \"1\", \"weight\": null}}\n"
		 "]\n"
		 "}\n"
		 "}\n"},
	};
	static const char *gml[] = {
		"Creator \"knng " KNNG_VERSION "\"\ngraph [\ndirected 1\n",
		"node [ id 1 label \"a&quot;b\" group \"A&amp;L\" x 0.0 y 10.0 graphics [ x ",
		" type \"ellipse\" fill \"#0072B2\" ] ]\n",
		"node [ id 2 label \"R&amp;D <1>\" group \"&quot;x&quot;\" x 1.0 y -20.0 graphics [ x ",
		"fill \"#D55E00\" ] ]\n",
		"node [ id 3 label \"&#233;,&#128512;\" x 2.0 y 30.0 graphics [ x ",
		"fill \"#FFFFFF\" ] ]\n",
		"node [ id 4 label \"two&#10;lines\"",
		"node [ id 5 label \"&amp;#1; ;\"",
		"edge [ source 1 target 2 weight 0.0 graphics [ targetArrow \"standard\" ] ]\n",
		"edge [ source 4 target 3 weight INF graphics",
		"edge [ source 4 target 1 weight NAN graphics [ targetArrow \"standard\" ] ]\n]\n",
	};
	knng_err err;
	char left_out[64];
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		knng_status status = write_as(cases[c].ending, &full, KNNG_DIRECTED_AUTO, left_out, &err);
		CHECK(status == KNNG_OK && strcmp(left_out, cases[c].left_out) == 0, "%s", err.text);
		CHECK(strcmp(content(), cases[c].text) == 0, "%s:\n%s", cases[c].ending, content());
		unlink(path);
		char packed[20];
		snprintf(packed, sizeof packed, "%s.gz", cases[c].ending);
		CHECK(write_as(packed, &full, KNNG_DIRECTED, NULL, &err) == KNNG_OK, "%s", err.text);
		CHECK(strcmp(content(), cases[c].text) == 0, "%s:\n%s", packed, content());
		FILE *f = fopen(path, "rb");
		CHECK(f != NULL && fgetc(f) == 0x1F && fgetc(f) == 0x8B, "%s is not packed", packed);
		if (f != NULL)
			fclose(f);
		unlink(path);
	}
	for (int i = 0; knng_write_format(i) != NULL; i++) {
		size_t c = 0;
		while (c < sizeof cases / sizeof *cases && strcmp(cases[c].ending, knng_write_format(i)) != 0)
			c++;
		CHECK(c < sizeof cases / sizeof *cases || strcmp("gml", knng_write_format(i)) == 0, "%s has no case",
		      knng_write_format(i));
	}
	CHECK(write_as("gml", &full, KNNG_DIRECTED_AUTO, left_out, &err) == KNNG_OK && left_out[0] == '\0', "%s",
	      err.text);
	char *at = content();
	for (size_t c = 0; c < sizeof gml / sizeof *gml; c++) {
		char *next = strstr(at, gml[c]);
		CHECK(next != NULL, "%s in\n%s", gml[c], at);
		at = next != NULL ? next + strlen(gml[c]) : at;
	}
	CHECK(*at == '\0', "more: %s", at);
	unlink(path);
	CHECK(knng_sys().live == 0 && files_there() == 0, "%d files left", files_there());
}

/* What is known of nodes: a node without any, missing numbers and texts, names that have to be escaped. */
static void
test_attributes(void)
{
	static const double number[] = {1.5, NAN, NAN, INFINITY, 0};
	static char *text[] = {"", "a<\"b\">", "", "", "c&\n"};
	static knng_attribute known[] = {{.name = "a \"b\" <", .key = "ab", .number = number},
					 {.name = "t", .key = "t", .text = text}};
	static const struct {
		const char *ending, *part[4];
	} cases[] = {
		{"gml",
		 {"y 10.0 ab 1.5 graphics [", "y -20.0 t \"a<&quot;b&quot;>\" graphics [", "x 2.0 y 30.0 graphics [",
		  "ab 0.0 t \"c&amp;&#10;\" graphics ["}},
		{"graphml",
		 {"attr.name=\"y\" attr.type=\"double\"/>\n<key id=\"a1\" for=\"node\" attr.name=\"a &quot;b&quot; "
		  "&lt;\" "
		  "attr.type=\"double\"/>\n<key id=\"a2\" for=\"node\" attr.name=\"t\" attr.type=\"string\"/>\n",
		  "<data key=\"a1\">1.5</data></node>", "<data key=\"y\">30</data></node>",
		  "<data key=\"a1\">0</data><data key=\"a2\">c&amp;\n</data></node>"}},
		{"gexf",
		 {"<attribute id=\"a1\" title=\"a &quot;b&quot; &lt;\" type=\"double\"/>\n<attribute id=\"a2\" "
		  "title=\"t\" "
		  "type=\"string\"/>\n</attributes>",
		  "<attvalue for=\"a1\" value=\"1.5\"/></attvalues>", "value=\"30\"/></attvalues>",
		  "<attvalue for=\"a2\" value=\"c&amp;&#10;\"/></attvalues>"}},
		{"cyjs",
		 {"\"y\": 10, \"a \\\"b\\\" <\": 1.5}", "\"y\": -20, \"t\": \"a<\\\"b\\\">\"}", "\"y\": 30}",
		  "\": 0, \"t\": \"c&\\u000a\"}"}},
	};
	knng_graph g = full;
	char left_out[64];
	knng_err err;
	g.nattributes = 2;
	g.attributes = known;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		CHECK(write_as(cases[c].ending, &g, KNNG_DIRECTED_AUTO, left_out, &err) == KNNG_OK &&
			      left_out[0] == '\0',
		      "%s", err.text);
		char *at = content();
		for (int i = 0; i < 4 && at != NULL; i++) {
			char *next = strstr(at, cases[c].part[i]);
			CHECK(next != NULL, "%s: %s in\n%s", cases[c].ending, cases[c].part[i], at);
			at = next;
		}
		unlink(path);
	}
	CHECK(write_as("knn", &g, KNNG_DIRECTED_AUTO, left_out, &err) == KNNG_OK &&
		      strcmp(left_out, "names, groups, positions, attributes") == 0,
	      "%s", left_out);
	unlink(path);
	known[0].name = "\xFF";
	CHECK(write_as("gexf", &g, KNNG_DIRECTED_AUTO, left_out, &err) == KNNG_EARGS &&
		      strstr(err.text, "a text of attribute 1, '?', holds") != NULL,
	      "%s", err.text);
	known[0].name = "a";
	CHECK(knng_sys().live == 0 && files_there() == 0, "%d files left", files_there());
}

/* Symmetric to the bit: undirected, each edge once, where the format knows it. */
static void
test_undirected(void)
{
	static size_t s[] = {0, 2, 4, 6}, r[] = {0, 1, 0, 2, 1, 2};
	static double v[] = {5, 1, 1, 2, 2, NAN};
	knng_graph g = {.n = 3, .start = s, .row = r, .weight = v};
	static const char *const cases[][3] = {
		{"knn", "3 6\n0 1 1\n0 0 5\n1 0 1\n1 2 2\n2 1 2\n2 2 NaN\n",
		 "3 6\n0 1 1\n0 0 5\n1 0 1\n1 2 2\n2 1 2\n2 2 NaN\n"},
		{"mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n2 1 1\n1 1 5\n3 2 2\n3 3 NaN\n",
		 "%%MatrixMarket matrix coordinate real general\n3 3 6\n1 2 1\n1 1 5\n2 1 1\n2 3 2\n3 2 2\n3 3 NaN\n"},
		{"net", "*Vertices 3\n*Edges\n1 2 1\n1 1 5\n2 3 2\n3 3 NaN\n",
		 "*Vertices 3\n*Arcs\n1 2 1\n1 1 5\n2 1 1\n2 3 2\n3 2 2\n3 3 NaN\n"},
	};
	knng_err err;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
		for (int directed = KNNG_DIRECTED_AUTO; directed <= KNNG_UNDIRECTED; directed++) {
			CHECK(write_as(cases[c][0], &g, directed, NULL, &err) == KNNG_OK, "%s", err.text);
			const char *want = cases[c][directed == KNNG_DIRECTED ? 2 : 1];
			CHECK(strcmp(content(), want) == 0, "%d:\n%s", directed, content());
			unlink(path);
		}
	for (int change = 0; change < 3; change++) { /* a weight, a place, an entry too few */
		double w[] = {5, 1, change == 0 ? nextafter(1, 2) : 1, 2, 2, NAN};
		size_t places[] = {0, 1, change == 1 ? 1 : 0, 2, 1, 2};
		size_t ends[] = {0, 2, 4, change == 2 ? 5 : 6};
		knng_graph h = {.n = 3, .start = ends, .row = places, .weight = w};
		if (change == 2)
			places[4] = 2;
		CHECK(write_as("net", &h, KNNG_UNDIRECTED, NULL, &err) == KNNG_EARGS &&
			      strcmp(err.id, "knng:args:directed") == 0,
		      "%s", err.id);
		CHECK(write_as("net", &h, KNNG_DIRECTED_AUTO, NULL, &err) == KNNG_OK &&
			      strstr(content(), "*Arcs") != NULL,
		      "%s", content());
		unlink(path);
	}
	knng_graph none = {.start = (size_t[]){0}}, alone = {.n = 2, .start = (size_t[]){0, 0, 0}};
	for (int i = 0; knng_write_format(i) != NULL; i++) {
		CHECK(write_as(knng_write_format(i), &none, 0, NULL, &err) == KNNG_OK, "%s", err.text);
		unlink(path);
		CHECK(write_as(knng_write_format(i), &alone, 0, NULL, &err) == KNNG_OK, "%s", err.text);
		if (strcmp(knng_write_format(i), "csv") == 0)
			CHECK(strcmp(content(), "source,target,weight\n1,,\n2,,\n") == 0, "%s", content());
		unlink(path);
	}
	CHECK(knng_sys().live == 0 && files_there() == 0, "%d files left", files_there());
}

/* More text than the buffer holds, long rows, and the layout: groups apart, nodes apart, all finite. */
static void
test_large(void)
{
	enum { N = 3000, LONG = 3 << 20 };
	static size_t s[N + 1], r[2 * N];
	static double v[2 * N];
	static int64_t in[N];
	static char *text[N], *labels[] = {"a", "b", "c"};
	char *name = malloc(LONG + 1);
	memset(name, 'n', LONG);
	name[LONG] = '\0';
	for (int64_t j = 0; j < N; j++) { /* everybody points at 0, node 7 at everybody */
		s[j + 1] = s[j];
		for (int64_t i = 0; i < (j == 0 ? N : 8); i++)
			if (j == 0 || i == 7) {
				v[s[j + 1]] = (double)((i * 31 + j * 17) % 101);
				r[s[j + 1]++] = (size_t)i;
			}
		text[j] = j == 5 ? name : "";
		in[j] = j < 10 ? 1 : j < 20 ? 3 : 0;
	}
	knng_graph g = {
		.n = N, .start = s, .row = r, .weight = v, .names = text, .ngroups = 3, .groups = labels, .group = in};
	knng_err err;
	CHECK(write_as("gml", &g, 0, NULL, &err) == KNNG_OK, "%s", err.text);
	struct stat st;
	CHECK(stat(path, &st) == 0 && st.st_size > LONG, "too small");
	static double x[N], y[N];
	int64_t have = 0, edges = 0;
	double last = -1;
	int wrong = 0;
	char *line = NULL;
	size_t room_for = 0;
	FILE *f = fopen(path, "r");
	while (f != NULL && getline(&line, &room_for, f) > 0) {
		const char *at = strstr(line, "graphics [ x ");
		if (at != NULL && have < N && sscanf(at, "graphics [ x %lf y %lf", &x[have], &y[have]) == 2)
			have++;
		int from, to;
		double weight;
		if (sscanf(line, "edge [ source %d target %d weight %lf", &from, &to, &weight) == 3) {
			edges++;
			if (from == 8) {
				wrong += weight < last;
				last = weight;
			}
		}
	}
	if (f != NULL)
		fclose(f);
	free(line);
	free(name);
	unlink(path);
	CHECK(have == N && edges == (int64_t)s[N] && wrong == 0 && last == 100, "%" PRId64 " nodes, %" PRId64 " edges",
	      have, edges);
	for (int64_t i = 0; i < have; i++)
		for (int64_t j = 0; j < i; j++)
			wrong += !(hypot(x[i] - x[j], y[i] - y[j]) > 32);
	CHECK(wrong == 0, "%d pairs of nodes lie on each other", wrong);
	CHECK(knng_sys().live == 0, "leaks");
}

/* ---- what goes wrong ---- */

/* What is known before there is a graph has the same words as afterwards. */
static void
check_names(const char *format, char **of, const knng_err *after)
{
	const knng_task task = {0};
	knng_err err = {0};
	knng_status status = knng_write_can_names(format, of, 5, &task, &err);
	CHECK(status == (after != NULL ? KNNG_EARGS : KNNG_OK) && (after == NULL || strcmp(err.text, after->text) == 0),
	      "%s: '%s'", format, err.text);
}

static void
test_before(void)
{
	enum { LONG = 3 << 20 };
	char *twice[] = {"a", "b", "c", "b", "e"}, *empty[] = {"a", "", "c", "d", "e"}, *long_name;
	volatile sig_atomic_t now = 1;
	knng_task stop = {.interrupt = &now};
	knng_err err, after;
	knng_graph g = full;
	for (int i = 0; knng_write_format(i) != NULL; i++) {
		char **const lists[] = {names, twice, empty};
		for (size_t c = 0; c < sizeof lists / sizeof *lists; c++) {
			g.names = lists[c];
			knng_status status = write_as(knng_write_format(i), &g, 0, NULL, &after);
			check_names(knng_write_format(i), lists[c], status != KNNG_OK ? &after : NULL);
			unlink(path);
		}
		check_names(knng_write_format(i), NULL, NULL);
	}
	CHECK(knng_write_can_names("gml", names, 5, &stop, &err) == KNNG_EINTERRUPTED, "it goes on");
	long_name = malloc(LONG); /* more than the writers' buffer */
	memset(long_name, 'x', LONG - 1);
	long_name[LONG - 1] = '\0';
	twice[1] = long_name;
	check_names("graphml", twice, NULL);
	free(long_name);

	CHECK(write_as("knn", &full, 0, NULL, &err) == KNNG_OK && knng_write_can(path, &err) == KNNG_OK &&
		      strncmp(content(), "5 5\n", 4) == 0 && files_there() == 1,
	      "what is there is not what it was");
	CHECK(knng_write_can(NULL, &err) == KNNG_OK, "%s", err.text);
	unlink(path);
	CHECK(knng_write_can(path, &err) == KNNG_OK && files_there() == 0, "%d files", files_there());
	CHECK(mkfifo(path, 0600) == 0 && knng_write_can(path, &err) == KNNG_OK, "%s", err.text); /* nobody reads it */
	unlink(path);
	CHECK(knng_write_can(folder, &err) == KNNG_EIO && strcmp(err.id, "knng:io:open") == 0, "%s", err.text);
	snprintf(path, sizeof path, "%s/no/graph.gml", folder);
	CHECK(knng_write_can(path, &err) == KNNG_EIO && strstr(err.text, "cannot write ") == err.text, "%s", err.text);
	CHECK(knng_sys().live == 0 && files_there() == 0, "%d files left", files_there());
}

static void
test_errors(void)
{
	knng_err err;
	knng_write_options opt = {0};
	knng_graph g = full;
	static const char *const bad_names[][2] = {
		{"graphml", "bell \a"}, {"graphml", "\xEF\xBF\xBE"},     {"gml", "\xE9t\xE9"},
		{"net", "cut \xC3"},    {"csv", "long \xC0\xAF"},        {"gml", "surrogate \xED\xA0\x80"},
		{"csv", "R&D <1>"},     {"gml", "far \xF4\x90\x80\x80"}, {"gml", "\x80"},
		{"csv", "return\r"},
	};
	char *other[5];
	memcpy(other, names, sizeof names);
	g.names = other;
	for (size_t c = 0; c < sizeof bad_names / sizeof *bad_names; c++) {
		other[3] = (char *)bad_names[c][1];
		CHECK(write_as(bad_names[c][0], &g, 0, NULL, &err) == KNNG_EARGS &&
			      strcmp(err.id, "knng:args:names") == 0 && strstr(err.text, " 4") != NULL &&
			      (c == 6) == (strstr(err.text, " 4, '") == NULL),
		      "case %zu: %s %s", c, err.id, err.text);
		if (c != 6)
			check_names(bad_names[c][0], other, &err);
	}
	static const char *const paths[][2] = {
		{"graph", "knng:args:format"},    {"graph.txt", "knng:args:format"}, {".gz", "knng:args:format"},
		{"graphgml", "knng:args:format"}, {"no/graph.gml", "knng:io:open"},
	};
	for (size_t c = 0; c < sizeof paths / sizeof *paths; c++) {
		snprintf(path, sizeof path, "%s/%s", folder, paths[c][0]);
		CHECK(knng_write(path, &full, &opt, NULL, &err) != KNNG_OK && strcmp(err.id, paths[c][1]) == 0,
		      "%s: %s %s", paths[c][0], err.id, err.text);
	}
	opt.format = "xls";
	CHECK(knng_write(path, &full, &opt, NULL, &err) == KNNG_EARGS && strcmp(err.id, "knng:args:format") == 0, "%s",
	      err.id);
	opt.format = "KNN";
	CHECK(knng_write(folder, &full, &opt, NULL, &err) == KNNG_EIO && strcmp(err.id, "knng:io:open") == 0, "%s",
	      err.text);
	for (int gz = 0; gz < 2; gz++) { /* a full disk */
		char link[300];
		snprintf(link, sizeof link, "%s/full.knn%s", folder, gz ? ".gz" : "");
		CHECK(symlink("/dev/full", link) == 0, "no link");
		CHECK(knng_write(link, &full, &opt, NULL, &err) == KNNG_EIO && strcmp(err.id, "knng:io:write") == 0 &&
			      strstr(err.text, "No space") != NULL,
		      "%s %s", err.id, err.text);
		unlink(link);
	}
	g = full;
	for (int change = 0; change < 3; change++) { /* twice the same, out of order, out of range */
		size_t places[] = {1, 3, 0, 0, 3};
		places[change == 0 ? 1 : change == 1 ? 0 : 4] = change == 0 ? 1 : change == 1 ? 3 : 5;
		g.row = places;
		CHECK(write_as("knn", &g, 0, NULL, &err) == KNNG_EARGS && strcmp(err.id, "knng:args:idx") == 0, "%s",
		      err.id);
	}
	CHECK(knng_sys().live == 0 && files_there() == 0, "%d files left", files_there());
}

/* The old file stays until the new one is whole; a link stays a link. */
static void
test_replace(void)
{
	knng_err err;
	volatile sig_atomic_t now = 1;
	knng_write_options opt = {.task.interrupt = &now};
	char link[300];
	CHECK(write_as("knn", &full, 0, NULL, &err) == KNNG_OK, "%s", err.text);
	knng_graph small = {.n = 1, .start = (size_t[]){0, 0}};
	CHECK(knng_write(path, &small, &opt, NULL, &err) == KNNG_EINTERRUPTED &&
		      strcmp(err.id, "knng:interrupted") == 0,
	      "%s", err.id);
	CHECK(strncmp(content(), "5 5\n", 4) == 0 && files_there() == 1, "%s", content());
	snprintf(link, sizeof link, "%s/link.knn", folder);
	CHECK(symlink("graph.knn", link) == 0, "no link");
	now = 0;
	CHECK(knng_write(link, &small, &opt, NULL, &err) == KNNG_OK && strcmp(content(), "1 0\n") == 0, "%s",
	      content());
	struct stat st;
	CHECK(lstat(link, &st) == 0 && S_ISLNK(st.st_mode), "the link is gone");
	unlink(link);
	unlink(path);
	CHECK(knng_sys().live == 0 && files_there() == 0, "%d files left", files_there());

	/* A pipe that nobody reads or writes. */
	knng_content read;
	now = 1;
	CHECK(mkfifo(path, 0600) == 0 && knng_write(path, &small, &opt, NULL, &err) == KNNG_EINTERRUPTED &&
		      strcmp(err.id, "knng:interrupted") == 0,
	      "%s", err.id);
	CHECK(knng_read(path, KNNG_GRAPH, &opt.task, &read, &err) == KNNG_EINTERRUPTED &&
		      strcmp(err.id, "knng:interrupted") == 0,
	      "%s", err.id);
	unlink(path);
	CHECK(knng_sys().live == 0 && files_there() == 0, "%d files left", files_there());
}

/* ---- data sets ---- */

static double values[] = {1, -INFINITY, NAN, 2, 0.1, 1e-300}; /* 2 x 3, by columns */
static char *rows[] = {"a", "R&D"}, *samples[] = {"s1", "s2", "s\xC3\xA9"}, *classes[] = {"0", "NA", "x"};
static const knng_dataset data = {
	.nrows = 2, .ncols = 3, .X = values, .names = rows, .samples = samples, .classes = classes};

static const struct {
	const char *ending, *left_out, *full, *bare;
} data_cases[] = {
	{"nbi", "",
	 "<MicroarrayData>\n2\t3\na\t1\tNA\t0.1\nR&D\t-INF\t2\t1.0e-300\n<SamplesNames>\ns1\ts2\ts\xC3\xA9\n"
	 "<SamplesClasses>\n0\tNA\tx\n<EndOfFile>\n",
	 "<MicroarrayData>\n2\t3\nF1\t1\tNA\t0.1\nF2\t-INF\t2\t1.0e-300\n<EndOfFile>\n"},
	{"csv", "classes", ",\"s1\",\"s2\",\"s\xC3\xA9\"\n\"a\",1,NA,0.1\n\"R&D\",-INF,2,1.0e-300\n",
	 "S1,S2,S3\n1,NA,0.1\n-INF,2,1.0e-300\n"},
	{"tsv", "classes", "\t\"s1\"\t\"s2\"\t\"s\xC3\xA9\"\n\"a\"\t1\tNA\t0.1\n\"R&D\"\t-INF\t2\t1.0e-300\n",
	 "S1\tS2\tS3\n1\tNA\t0.1\n-INF\t2\t1.0e-300\n"},
	{"gct", "classes",
	 "#1.2\n2\t3\nName\tDescription\ts1\ts2\ts\xC3\xA9\na\tna\t1\tNA\t0.1\nR&D\tna\t-INF\t2\t1.0e-300\n",
	 "#1.2\n2\t3\nName\tDescription\tS1\tS2\tS3\nF1\tna\t1\tNA\t0.1\nF2\tna\t-INF\t2\t1.0e-300\n"},
};
enum { DATA_CASES = sizeof data_cases / sizeof *data_cases };

static knng_status
write_data_as(const char *ending, const knng_dataset *ds, char left_out[64], knng_err *err)
{
	knng_write_options opt = {0};
	snprintf(path, sizeof path, "%s/data.%s", folder, ending);
	return knng_write_data(path, ds, &opt, left_out, err);
}

static void
test_data(void)
{
	knng_err err;
	char left_out[64];
	const knng_dataset bare = {.nrows = 2, .ncols = 3, .X = values};
	for (int c = 0; c < DATA_CASES; c++) {
		CHECK(write_data_as(data_cases[c].ending, &data, left_out, &err) == KNNG_OK &&
			      strcmp(left_out, data_cases[c].left_out) == 0,
		      "%s", err.text);
		CHECK(strcmp(content(), data_cases[c].full) == 0, "%s", content());
		unlink(path);
		CHECK(write_data_as(data_cases[c].ending, &bare, left_out, &err) == KNNG_OK && left_out[0] == '\0',
		      "%s", err.text);
		CHECK(strcmp(content(), data_cases[c].bare) == 0, "%s", content());
		unlink(path);
	}
	for (const knng_format *const *f = knng_formats; *f != NULL; f++)
		for (int e = 0; (*f)->kind == KNNG_DATASET && knng_format_ending(*f, e) != NULL; e++) {
			int c = 0;
			while (c < DATA_CASES && strcmp(data_cases[c].ending, knng_format_ending(*f, e)) != 0)
				c++;
			CHECK(c < DATA_CASES, "%s has no case", knng_format_ending(*f, e));
		}
	static const char *const bad[][3] = {{"nbi", "a b", "'a b', holds characters that nbi"},
					     {"nbi", "", "is empty, which nbi"},
					     {"nbi", "<SamplesNames>", "'<SamplesNames>', holds"},
					     {"nbi", "a\nb", "'a.b', holds characters that nbi"},
					     {"csv", "a\rb", "'a.b', holds characters that csv"},
					     {"gct", "a\tb", "'a.b', holds characters that gct"},
					     {"gct", " a", "' a', holds"},
					     {"gct", "\"a\"", "'\"a\"', holds"},
					     {"tsv", "\xE9", "'?', holds characters that are no UTF-8"}};
	for (size_t c = 0; c < sizeof bad / sizeof *bad; c++)
		for (int where = 0; where < 2; where++) {
			char *wrong[] = {"x", (char *)bad[c][1], "y"};
			knng_dataset ds = data;
			if (where == 0)
				ds.names = wrong;
			else
				ds.samples = wrong;
			CHECK(write_data_as(bad[c][0], &ds, NULL, &err) == KNNG_EARGS &&
				      strcmp(err.id, "knng:args:names") == 0 &&
				      strstr(err.text, where == 0 ? "a text of row 2" : "a text of column 2") != NULL &&
				      strstr(err.text, bad[c][2]) != NULL,
			      "case %zu: %s %s", c, err.id, err.text);
		}
	CHECK(write_data_as("gml", &data, NULL, &err) == KNNG_EARGS && strcmp(err.id, "knng:args:format") == 0, "%s",
	      err.id);
	CHECK(knng_sys().live == 0 && files_there() == 0, "%d files left", files_there());

	/* NBI holds all, and reads back to the bit. */
	enum { N = 300, D = 41 };
	static double X[N * D];
	static char name[N][16], *names_of[N];
	for (int i = 0; i < N * D; i++) {
		uint64_t bits = random_bits();
		memcpy(&X[i], &bits, sizeof bits);
		if (i % 3 == 0)
			X[i] = isnan(X[i]) ? 0 : rint(X[i]);
		if (i % 50 == 0)
			X[i] = NAN;
	}
	for (int i = 0; i < N; i++) {
		snprintf(name[i], sizeof name[i], "g%d", i);
		names_of[i] = name[i];
	}
	const knng_dataset large = {
		.nrows = N, .ncols = D, .X = X, .names = names_of, .samples = names_of, .classes = names_of + 9};
	knng_content c;
	CHECK(write_data_as("nbi.gz", &large, NULL, &err) == KNNG_OK, "%s", err.text);
	knng_status status = knng_read(path, KNNG_DATASET, NULL, &c, &err);
	CHECK(status == KNNG_OK && c.data.nrows == N && c.data.ncols == D, "%s", err.text);
	int wrong = 0;
	for (int i = 0; status == KNNG_OK && i < N * D; i++)
		wrong += isnan(X[i]) ? !isnan(c.data.X[i]) : bits_of(X[i]) != bits_of(c.data.X[i]);
	for (int j = 0; status == KNNG_OK && j < D; j++)
		wrong += strcmp(c.data.samples[j], name[j]) != 0 || strcmp(c.data.classes[j], name[j + 9]) != 0;
	CHECK(wrong == 0 && (status != KNNG_OK || strcmp(c.data.names[N - 1], name[N - 1]) == 0), "%d wrong", wrong);
	knng_content_free(&c);
	unlink(path);
	CHECK(knng_sys().live == 0 && files_there() == 0, "%d files left", files_there());
}

/* Makes every wrapped call fail one after another. */
static void
test_faults(void)
{
	knng_err err;
	int graphs = 0;
	while (knng_write_format(graphs) != NULL)
		graphs++;
	for (int i = 0; i < graphs + DATA_CASES; i++)
		for (int64_t nth = 1;; nth++) {
			int64_t before = knng_sys().calls;
			knng_sys_fail_at(nth);
			knng_status status = i < graphs
						     ? write_as(knng_write_format(i), &full, 0, NULL, &err)
						     : write_data_as(data_cases[i - graphs].ending, &data, NULL, &err);
			bool reached = knng_sys().calls - before >= nth;
			knng_sys_fail_at(0);
			CHECK(knng_sys().live == 0 && files_there() == !reached,
			      "%s, call %" PRId64 " leaves something", path, nth);
			if (!reached) {
				CHECK(status == KNNG_OK && nth > 4, "%" PRId64 " calls", nth);
				unlink(path);
				break;
			}
			CHECK((status == KNNG_EMEMORY && strcmp(err.id, "knng:memory:host") == 0) ||
				      (status == KNNG_EIO && strncmp(err.id, "knng:io:", 8) == 0),
			      "call %" PRId64 ": status %d, %s", nth, (int)status, err.id);
		}
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		return 2;
	test_digits();
	test_names();
	test_formats();
	test_attributes();
	test_undirected();
	test_large();
	test_errors();
	test_before();
	test_data();
	test_replace();
	test_faults();
	rmdir(folder);
	return summary();
}
