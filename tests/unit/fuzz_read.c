/* fuzz_read.c  Throws damaged files at the parsers. Meant for a build with the address and undefined-behaviour
 * sanitizers, in which reading a byte too far ends the program.
 *
 *     build/asan/tests/unit/fuzz_read [N [SEED [FORMAT]]]
 *
 * N files (default 4000) for each format of the table of seeds, or for one. Each is a seed that was changed in a few
 * places: bits, bytes, numbers, lines, tokens, pieces of other seeds, cut off; some are gzipped, or made UTF-16, and
 * changed after that. Every other is read with options drawn at random. They go through memory, not through the disk.
 * What comes back has to keep the promises of knng_read: sizes and pointers that can be walked, errors of known
 * identifiers that name a line of the file, memory bounded by the file, nothing left. File i of SEED is always the
 * same; a fault prints both.
 *
 * A new format joins by a row in `seeds`. With -DKNNG_LIBFUZZER there is the entry of libFuzzer in place of main. */
#include "base/sys.h"
#include "io/format.h"
#include "knng.h"
#include "sanitizer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

enum { ROOM = 1 << 19, FIRST_READ = 1 << 18, EVERY_KIND = KNNG_DATASET | KNNG_GRAPH };

/* One row or more a format, side by side. They have to be read without an error. */
static const struct {
	const char *format, *text;
} seeds[] = {
	{"nbi", "<MicroarrayData>\n3 4\nGAPDH   7.3   7.1   7.9   8\nZYX\t1.5\t\t3e-2\t4\nCD33 0 2.25 ? -1\n"
		"<SamplesNames>\nS1 S2 S3 S4\n<SamplesClasses>\n0 0 1 1\n<EndOfFile>\n"},
	{"nbi", "\xEF\xBB\xBF\r\n<microarraydata>\r\n1 2\r\nF_1 NA -inf\r\n<EndOfFile>\r\n"},
	{"abk", "FEATURESINROWS\nTARGETPRESENT\nLAST\n3\n4\ndummy s1 s2 s3 s4\ng1 1 2 3 4\ng2 5 6 7 8.5\n"
		"g3 1e3 -2 NA 0\n0 0 1 1\n"},
	{"abk", "FEATURESINCOLUMNS TARGETPRESENT FIRST\n2 3\ndummy\tg1\tg2\ns1\tA\t1\t2\ns2\tA\t3\t4\ns3\tB\t\t6\n"},
	{"abk", "featuresinrows\ntargetpresent\nfirst\n1\n2\ndummy a b\n0 1\ng 3 4\n"},
	{"geo", "!Series_title\t\"A study of 5\" things\"\n!Series_sample_id\t\"GSM1 GSM2 GSM3 \"\n\n"
		"!Sample_title\t\"a\"\t\"b\"\t\"c\"\n!Sample_characteristics_ch1\t\"sex: f\"\t\"sex: m\"\t\"\"\n"
		"!Sample_characteristics_ch1\t\"age: 3\"\t\t\"age: 5\"\n!series_matrix_table_begin\n"
		"\"ID_REF\"\t\"GSM1\"\t\"GSM2\"\t\"GSM3\"\n\"1007_s_at\"\t10.25\t\t7\n\"1053_at\"\tnull\t-1.5e2\t.5\n"
		"\"AFFX \"\"x\"\"\"\t1\t2\t3\n!series_matrix_table_end\n"},
	{"soft",
	 "^DATABASE = Geo\n!Database_name = GEO (NCBI)\n^DATASET = GDS1\n!dataset_title = T = 1 \n^SUBSET = GDS1_1\n"
	 "!subset_description = a b\n!subset_sample_id = GSM2, GSM1\n!subset_type = disease state\n^DATASET = GDS1\n"
	 "#ID_REF = Platform's\n!dataset_table_begin\nID_REF\tIDENTIFIER\tGSM1\tGSM2\tGO\ng\tA\t1.5\tnull\tx\n"
	 "\"h\"\t\t\t-2e2\t\n!dataset_table_end\n"},
	{"soft",
	 "^SERIES = GSE1\n!Series_sample_id = GSM1\n^PLATFORM = GPL1\n!platform_table_begin\nID\tGene "
	 "Symbol\tGene Title\n"
	 "\"p,1\"\tA\tx\np2\n3\t\"B\" // b\t\t\n!platform_table_end\n^SAMPLE = GSM1\n!Sample_c = sex: "
	 "f\n!Sample_c = age\n!Sample_platform_id = GPL1\n"
	 "!sample_table_begin\nID_REF\tABS\tVALUE\tP\n3\tA\t7\t\n\"p,1\"\t\t1.5\t0\np2\t\t1\n!sample_table_end\n"
	 "^SAMPLE = GSM2\n!Sample_platform_id = GPL2\n!Sample_d =\n!sample_table_begin\n!sample_table_end\n"},
	{"soft", "^SAMPLE = a\n!sample_table_begin\nID_REF\tVALUE\nb\t2\na\t1\n!sample_table_end\n^SAMPLE = c\n"
		 "!sample_table_begin\nID_REF\tVALUE\na\t2\n!sample_table_end\n"},
	{"geo", "!Sample_title\t\"a\"\n!series_matrix_table_begin\nID_REF\tGSM1\n1\t2\n!series_matrix_table_end"},
	{"gct", "#1.2\n2\t3\nName\tDescription\ts1\ts2\ts3\ng1\tna\t1\t2\t3\ng2\ta \"kinase\"\t4.5\t\t-6e1\n"},
	{"gct", "#1.3\n2\t2\t2\t1\nid\tsymbol\tlength\tc1\tc2\ndose\tna\tna\tlow\thigh\ng1\tA\t5\t1.5\t2\n"
		"g2\tB\t6\t3\tNaN\n"},
	{"table", "gene,s1,s2\nA,1,2\n\"B, or \"\"b\"\"\",3.25,NA\nC,\"5\",-6e-1\n"},
	{"table", "\ts1\ts2\ns3\t1\t2\r\ns4\t\t4\r\n"},
	{"table", "s1;s2\n\"A\nB\";1;2\nC;3;4\n"},
	{"table", "1,2,3\n4,5,6\n7,8,\n"},
	{"table", "x,y\n1,2\n3,4\n"},
	{"table", "\"x\" \"y\"\n\"a\" 1 2\n\"b c\"  NA\t-4e1 \n"},
	{"table", "Gene ID,symbol,s1,\"what\"\n7,A,1,\n8,\"B, b\",NA,a \"\"kinase\n9,,3,NA\n"},
	{"table", "x\tkind\ty\n1\t\t2\n3\ta\t4\n5\t\"7\"\t6\n"},
	{"table", "gene,symbol,s1,s2,s3\nclass,,ALL,\"A\"\"L\",AML\n#age,,51.5,,7\nA,a,1,2,3\nB,b,4,5,6\n"},
	{"table", "x;y;z\nu;v;\n1;2;3\n4;5;6\n"},
	{"table", "s1 s2\nclass u v\ngroup 0 1\na 1 2\n"},
	{"table", "sep=|\n## made by a|b\n#g|x\na|1\n"},
	{"table", "gene;k;s1;s2\nclass;;u;v\nA;\"x\";1,5;-,5e1\nB;-;1,234;0\n"},
	{"table", "# by featureCounts\nGeneid\tChr\tStart\tEnd\tStrand\tLength\ta.bam\nE1\t1;1\t1;9\t4;12\t+;+\t7\t0\n"
		  "E2\t2\t5\t6\t-\t2\t3\n__ambiguous\t\t\t\t\t\t8\n"},
	{"table", "g\tn\tx\ty\n1\tp\t0,30000000000000004441\t-999\n2\tq\t7\t1,5\n"},
	{"table", "# gene,x,y,z\nclass,a,b,a\n\"9\",-1,2,\n"},
	{"table", "g,symbol,x\n1-Mar,Sep-02,1\n2.31E+19,01. Mrz,2\na,b,3\nb,c,4\nc,2001-09-02 00:00:00,5\n"},
	{"table", "g,limit,price,y\na,<0.1,$5,1.5D-02\nb,< 0.2,(6),-1.23456789012345678901d+3\n"},
	{"table", "g,day,s1,s2,s3\na,01.02.2020,\"OOR <\",7,\"5 mg\"\nb,1.2.3,\"12\",2,\"12\"\nc,,\">100\",1,\"-\"\n"},
	{"table", "g\ttext\tlist\tx\na\tbelow LOD\t3,7,12\t1\nb\t\"7\"\t1 2 3\t2\n"},
	{"knn", "4 5\n0 1 0.5\n0 2 1e-3\n1 0 0\n3 2 INF\n3 0 NaN\n"},
	{"knn", "10 3\r\n0 5 -0.145362\r\n0 8 -0.782624\r\n9 3 -0.520289\r\n"},
	{"knn", "3 0\n"},
	{"mtx",
	 "%%MatrixMarket matrix coordinate real general\n% by hand\n3 3 4\n1 2 0.25\n2 1 -1.D5\n3 3 nan\n1 3 0\n"},
	{"mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 3\n4 1\n"},
	{"net",
	 "*Network x\n% comment\n*Vertices 4\n1 \"a b\" 0.5 0.25 0.5 ellipse ic Red\n2 b\n3 \"&#233;&#x41;\" box\n"
	 "*Arcs\n1 2 3.5\n2 1 -1 c Blue\n*Edges :2 \"likes\"\n1 3\n*Arcslist\n4 1 2\n*Edgeslist\n3 4\n"},
	{"net", "*vertices 3\n*arcs\n1 2 0\n2 3 1.5\n"},
	{"csv", "source,target,weight\n\"a\"\"b\",\"c\nd\",0\nx,\"a\"\"b\",0.1\n\"c\nd\",,\n7,x,INF\n"},
	{"csv",
	 "Source;Target;Type;Id;Label;timeset;Weight\n1;2;Directed;0;;;2.0\n2;3;Undirected;1;\"x\ny\";;1\n3;1;;;;;\n"},
	{"csv", "from\tto\n1\t2\n2\t1\nn3\t1\n"},
	{"gml",
	 "Creator \"knng\"\ngraph [\ndirected 1\nnode [ id 1 label \"a&quot;b&#233;\" group \"A&amp;L\" x 0.0 y -1.5e3 "
	 "graphics [ x 1 y 2 w 30.0 type \"ellipse\" fill \"#E69F00\" ] ]\nnode [ id 2 label \"2\" ]\n"
	 "edge [ source 1 target 2 weight 0.5 graphics [ targetArrow \"standard\" ] ]\n"
	 "edge [ source 2 target 1 weight NAN ]\n]\n"},
	{"gml",
	 "# igraph\nVersion 1\ngraph\n[\n  edge\n  [\n    source 7\n    target 4\n    value 2\n  ]\n  node\n  [\n"
	 "    id 4\n    name \"x\ny\"\n  ]\n  node [ id 7 list [ a [ b 1 ] ] ]\n]\n"},
	{"graphml",
	 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
	 "<key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
	 "<key id=\"g\" for=\"node\" attr.name=\"group\"/><key id=\"x\" for=\"node\"/><key id=\"y\" for=\"all\"/>\n"
	 "<key id=\"d0\" for=\"edge\" attr.name=\"weight\"/>\n<graph edgedefault=\"directed\">\n"
	 "<node id=\"n1\"><data key=\"name\">a &amp;\nb</data><data key=\"x\">1</data><data key=\"y\">2</data></node>\n"
	 "<node id=\"n2\"><data key=\"g\"><![CDATA[<&>]]></data></node>\n"
	 "<edge source=\"n1\" target=\"n2\"><data key=\"d0\">0.25</data></edge>\n"
	 "<edge source=\"n2\" target=\"n2\" directed=\"false\"/>\n</graph>\n</graphml>\n"},
	{"graphml", "<graphml><key id='w' for='edge' attr.name='weight'><default>2.5</default></key><key id='g' "
		    "attr.name='group'><default>u</default></key><graph><node id='a'/><node id='b'><data "
		    "key='g'>v</data></node><edge source='a' target='b'/></graph></graphml>"},
	{"graphml",
	 "<!-- yEd --><!DOCTYPE graphml [ <!ENTITY x \"y\"> ]>\n<graphml><graph edgedefault='undirected'>\n"
	 "<edge source='a' target='b'/><node id='a'><data key='d6'><y:ShapeNode><y:Geometry x='10' y='20.5'/>"
	 "<y:NodeLabel>one<y:LabelModel/></y:NodeLabel></y:ShapeNode></data></node>\n"
	 "<node id='b'><graph><node id='b::c'/></graph></node></graph></graphml>"},
	{"gexf",
	 "<?xml version='1.0'?><gexf xmlns:viz='http://gexf.net/1.3/viz' version='1.3'><graph "
	 "defaultedgetype='directed'>"
	 "<attributes class='node'><attribute id='0' title='group'><default>u</default></attribute><attribute id='1' "
	 "title='x'/></attributes><attributes class='edge'><attribute id='0' title='weight'/></attributes>\n"
	 "<nodes><node id='a' label='R&amp;D&#233;'><attvalues><attvalue for='0' value='v'/><attvalue for='1' "
	 "value='2'/>"
	 "</attvalues><viz:position x='1.5' y='-2' z='0'/><nodes><node id='c'/></nodes></node><node id='b'/></nodes>\n"
	 "<edges><edge source='b' target='a' type='mutual' weight='2.5'/><edge source='b' target='b'><attvalues>"
	 "<attvalue for='0' value='7'/></attvalues></edge></edges></graph></gexf>\n"},
	{"gexf", "<gexf><graph><edges><edge source='a' target='b'/></edges><nodes><node id='a'/><node id='b'/></nodes>"
		 "</graph></gexf>"},
	{"cyjs",
	 "{\"directed\": false, \"data\": {\"tags\": [1, {\"b\": [\"]\"]}]},\n\"elements\": {\n\"nodes\": "
	 "[\n{\"data\": "
	 "{\"id\": \"1\", \"name\": \"a\\u00e9\\\"\\ud83d\\ude00\", \"group\": \"g\", \"x\": 0.1, \"y\": 5}, "
	 "\"position\": "
	 "{\"x\": 1, \"y\": 2}},\n{\"data\": {\"id\": 2}}],\n\"edges\": [{\"data\": {\"source\": \"1\", \"target\": 2, "
	 "\"weight\": 0.5}},\n{\"data\": {\"source\": 2, \"target\": 2, \"weight\": null}}]}}\n"},
	{"cyjs",
	 "{\"elements\": [{\"data\": {\"source\": \"b\", \"target\": \"a\", \"weight\": 1e999}}, {\"data\": {\"id\": "
	 "\"a\"}}, {\"data\": {\"id\": \"b\"}}], \"directed\": true}"},
};

enum { NSEEDS = sizeof seeds / sizeof *seeds };

static struct {
	const char *format;
	int64_t run, seed;
} now; /* for the message of a fault */

static int64_t faults;

static void
fault(const char *what, const knng_err *err)
{
	if (faults++ < 20)
		printf("FAILED %s run %" PRId64 " of seed %" PRId64 ": %s (%s: %s)\n", now.format, now.run, now.seed,
		       what, err->id, err->text);
}

/* ---- what comes back ---- */

/* Walks strings; their bytes. One that stands in several lists, or several times in one, counts once. */
enum { SEEN = 1 << 16 };
static const char *seen_text[SEEN];
static int64_t seen_texts;

static size_t
walk(char *const *strings, int64_t count)
{
	size_t bytes = 0;
	for (int64_t i = 0; strings != NULL && i < count; i++) {
		int64_t at = (int64_t)((uint64_t)(uintptr_t)strings[i] * 0x9e3779b97f4a7c15u >> 48);
		while (seen_text[at] != NULL && seen_text[at] != strings[i])
			at = (at + 1) % SEEN;
		size_t length = strlen(strings[i]) + 1; /* every byte is read */
		if (seen_text[at] == NULL && seen_texts < SEEN / 2) {
			seen_text[at] = strings[i];
			seen_texts++;
			bytes += length;
		}
	}
	return bytes;
}

static void
forget_texts(void)
{
	memset(seen_text, 0, sizeof seen_text);
	seen_texts = 0;
}

static void
check_dataset(const knng_dataset *ds, size_t size, const knng_err *err)
{
	static volatile double seen; /* every value is read */
	forget_texts();
	size_t bytes = walk(ds->names, ds->nrows) + walk(ds->samples, ds->ncols) + walk(ds->classes, ds->ncols);
	if (ds->nrows < 1 || ds->ncols < 1 || ds->X == NULL)
		fault("an empty data set", err);
	for (int64_t i = 0; i < ds->nrows * ds->ncols; i++)
		seen = ds->X[i];
	(void)seen;
	for (int64_t l = 0; l < ds->nmeta; l++) {
		const knng_meta *m = &ds->meta[l];
		bytes += walk(m->values, m->count) + strlen(m->key);
		if (m->count < 0 || (m->by_row && m->count != ds->nrows))
			fault("metadata of a wrong count", err);
	}
	walk(ds->symbols, ds->nrows);
	if (bytes > size + 1 + 16 * (size_t)ds->nmeta) /* keys that are ours have no more than 16 */
		fault("more text than the file has", err);
}

static void
check_graph(const knng_graph *g, size_t size, const knng_err *err)
{
	forget_texts();
	size_t bytes = walk(g->names, g->n) + walk(g->groups, g->ngroups);
	if (g->n < 0 || g->start == NULL || g->start[0] != 0 || (g->group == NULL) != (g->ngroups == 0))
		fault("no graph", err);
	for (int64_t j = 0; j < g->n; j++)
		for (size_t e = g->start[j]; e < g->start[j + 1]; e++)
			if (g->row[e] >= (size_t)g->n || (e > g->start[j] && g->row[e] <= g->row[e - 1]) ||
			    g->weight[e] == 0)
				fault("a matrix out of order", err);
	for (int64_t i = 0; i < g->n && g->group != NULL; i++)
		if (g->group[i] < 0 || g->group[i] > g->ngroups)
			fault("a group that is none", err);
	for (int64_t i = 0; i < 2 * g->n && g->positions != NULL; i++)
		if (g->positions[i] == 0.123456)
			bytes++; /* so that every one is read */
	if (bytes > 2 * size + 200)
		fault("more text than the file has", err);
}

/* Does the text name a line, from 1 to `lines`? */
static bool
names_line(const char *text, int64_t lines)
{
	const char *p = strstr(text, "line ");
	int64_t line = p != NULL ? atoll(p + 5) : 0;
	return line >= 1 && line <= lines;
}

/* The file in `fd`, of `size` bytes when unpacked and `lines` lines (0: not known). What came of it: an index of
 * outcomes. */
enum { FINE, WARNED, FORMAT, TRUNCATED, MEMORY, OPTION, OUTCOMES };
static const char *const outcomes[OUTCOMES] = {"read", "with a warning", "format", "truncated", "memory", "option"};

static knng_read_options options; /* with which it is read */

static int
check_file(const char *path, size_t size, int64_t lines)
{
	static const char *const ids[OUTCOMES] = {
		"", "", "knng:io:format", "knng:io:truncated", "knng:memory:host", "knng:args:option"};
	static const char *const known[KNNG_DOUBTS] = {
		"knng:data:spreadsheet", "knng:data:transposed",  "knng:data:counts", "knng:data:samples",
		"knng:data:texts",       "knng:data:sampleNames", "knng:data:fill",   "knng:data:missing"};
	knng_content content;
	knng_err err = {0};
	int outcome;
	knng_sys_mark_peak();
	int64_t before = knng_sys().peak;
	knng_status status = knng_read_with(path, EVERY_KIND, &options, NULL, &content, &err);
	/* A graph has as many nodes as a number in its text says, also one that has an edge twice. */
	int64_t nodes = status == KNNG_OK && content.kind == KNNG_GRAPH ? content.graph.n : 0;
	bool twice = strstr(err.text, "second time, with another weight") != NULL;
	if (lines > 0 && !twice && knng_sys().peak - before > (INT64_C(1) << 19) + 300 * (int64_t)size + 50 * nodes)
		fault("memory beyond what the file can want", &err);
	if (status == KNNG_OK) {
		outcome = content.warnings > 0 ? WARNED : FINE;
		if (content.format == NULL)
			fault("no format", &err);
		for (int i = 0; i < KNNG_DOUBTS; i++)
			if (content.doubts[i].id[0] != '\0' &&
			    (content.kind != KNNG_DATASET || strstr(content.doubts[i].text, path) == NULL ||
			     strcmp(content.doubts[i].id, known[i]) != 0))
				fault("a doubt that is none", &content.doubts[i]);
		if (content.kind == KNNG_DATASET)
			check_dataset(&content.data, lines > 0 ? size : SIZE_MAX / 2, &err);
		else
			check_graph(&content.graph, lines > 0 ? size : SIZE_MAX / 4, &err);
		if (content.warnings > 0 && (strcmp(content.warning.id, "knng:data:metadata") != 0 ||
					     !names_line(content.warning.text, lines > 0 ? lines : INT64_MAX)))
			fault("a warning without a line", &content.warning);
	} else {
		for (outcome = FORMAT; outcome < OUTCOMES && strcmp(err.id, ids[outcome]) != 0; outcome++) {
		}
		if (outcome == OUTCOMES) {
			fault("an error of another identifier", &err);
			outcome = FORMAT;
		}
		if (outcome == FORMAT && !names_line(err.text, lines > 0 ? lines : INT64_MAX))
			fault("an error that names no line of the file", &err);
		if (content.data.X != NULL || content.data.text != NULL || err.text[0] == '\0')
			fault("an error that leaves something", &err);
	}
	knng_content_free(&content);
	if (knng_sys().live != 0)
		fault("a leak", &err);
	return outcome;
}

/* ---- files in memory ---- */

static int fd = -1;
static char path[64];

static void
open_memory(void)
{
	fd = memfd_create("knng", 0);
	if (fd < 0)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
}

static int
try_bytes(const char *bytes, size_t size, size_t unpacked, int64_t lines)
{
	if (ftruncate(fd, 0) != 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size)
		abort();
	return check_file(path, unpacked, lines);
}

static int64_t
count_lines(const char *text, size_t size)
{
	int64_t lines = 1;
	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n' || (text[i] == '\r' && (i + 1 == size || text[i + 1] != '\n'));
	return lines;
}

#ifdef KNNG_LIBFUZZER

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	if (fd < 0)
		open_memory();
	try_bytes((const char *)bytes, size, size, 0);
	if (faults > 0)
		abort();
	return 0;
}

#else

/* ---- changes ---- */

static uint64_t random_state;

static uint64_t
random_bits(void)
{
	random_state += UINT64_C(0x9E3779B97F4A7C15);
	uint64_t z = random_state;
	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

static size_t
below(size_t n) /* from 0 to n - 1; 0 if n is 0 */
{
	return n == 0 ? 0 : random_bits() % n;
}

typedef struct {
	char bytes[ROOM];
	size_t size;
} file;

/* Puts `size` bytes in the place of `gone` bytes at `at`, unless the file gets too large. */
static void
replace(file *f, size_t at, size_t gone, const char *bytes, size_t size)
{
	static char copy[ROOM];
	if (at > f->size || gone > f->size - at || f->size - gone + size > ROOM)
		return;
	memcpy(copy, bytes, size); /* it may lie in the file */
	memmove(f->bytes + at + size, f->bytes + at + gone, f->size - at - gone);
	memcpy(f->bytes + at, copy, size);
	f->size += size - gone;
}

/* The line that holds byte `at`: where it begins, and its size with its end. */
static size_t
line_of(const file *f, size_t at, size_t *size)
{
	size_t begin = at, end = at;
	while (begin > 0 && f->bytes[begin - 1] != '\n')
		begin--;
	while (end < f->size && f->bytes[end++] != '\n') {
	}
	*size = end - begin;
	return begin;
}

static void
change(file *f, int format_first, int format_count)
{
	static const char *const numbers[] = {"0",
					      "1",
					      "-1",
					      "2",
					      "3",
					      "1e999",
					      "-1e-999",
					      "1.",
					      ".5",
					      "+.",
					      "1e",
					      "0x1p3",
					      "nan",
					      "-inf",
					      "NA",
					      "",
					      "99999999999999999999",
					      "9007199254740993",
					      "4294967296",
					      "2147483648",
					      "1000000",
					      "9223372036854775807",
					      "1,5",
					      "0.30000000000000004441",
					      "1e-320",
					      "00000000000000000000000000001"};
	static const char *const tokens[] = {"\t",
					     " ",
					     "\n",
					     "\r",
					     "\r\n",
					     "\"",
					     "\"\"",
					     ",",
					     ";",
					     "!",
					     "#",
					     "<",
					     ">",
					     "\t\t",
					     "\n\n",
					     "\xEF\xBB\xBF",
					     "\xFF\xFE",
					     "<EndOfFile>",
					     "<SamplesNames>",
					     "<SamplesClasses>",
					     "!series_matrix_table_begin\n",
					     "!series_matrix_table_end\n",
					     "ID_REF",
					     "FIRST",
					     "#1.3\n",
					     "TARGETPRESENT",
					     "FEATURESINCOLUMNS",
					     "NONE",
					     "\"\n\"",
					     "é",
					     "\xE9",
					     "\x80",
					     "sep=;\n",
					     "!Sample_x\t1\n",
					     "[",
					     "]",
					     "&",
					     "&#",
					     ";",
					     "<!--",
					     "-->",
					     "<![CDATA[",
					     "]]>",
					     "/>",
					     "</",
					     "<data key=\"d0\">",
					     "<node id=\"q\">",
					     "</node>",
					     "<graph>",
					     "edge [ ",
					     "node [ id 3",
					     "*Arcs\n",
					     "*Edges\n",
					     "*Vertices 3\n",
					     "%",
					     ",undirected",
					     "INF",
					     "class",
					     "#age",
					     "ALL,AML,ALL\n"};
	size_t at = below(f->size + 1), size, other;
	const char *piece;
	if (below(1000) == 0) { /* longer than what is read at once */
		static char blank[FIRST_READ + 8];
		size = below(16);
		memset(blank, size % 2 == 0 ? '\n' : ' ', sizeof blank);
		replace(f, at, 0, blank, FIRST_READ - 8 + size);
	}
	switch (below(12)) {
	case 0:
		if (at < f->size)
			f->bytes[at] ^= (char)(1 << below(8));
		break;
	case 1:
		if (at < f->size)
			f->bytes[at] = (char)random_bits();
		break;
	case 2: /* the end is lost */
		f->size = below(4) == 0 ? at : f->size;
		break;
	case 3:
		replace(f, at, below(20) < f->size - at ? below(20) : 0, "", 0);
		break;
	case 4: /* a piece twice */
		other = below(f->size);
		size = below(60);
		if (other + size <= f->size)
			replace(f, at, 0, f->bytes + other, size);
		break;
	case 5: /* a piece of another seed, mostly of the same format */
		other = (size_t)format_first + below((size_t)format_count);
		piece = seeds[below(4) == 0 ? below(NSEEDS) : other].text;
		size = below(strlen(piece));
		other = below(strlen(piece) - size);
		replace(f, at, 0, piece + other, size);
		break;
	case 6: /* a line twice, elsewhere */
		at = line_of(f, at, &size);
		other = below(f->size + 1);
		replace(f, line_of(f, other, &other), 0, f->bytes + at, size);
		break;
	case 7: /* a line less */
		at = line_of(f, at, &size);
		replace(f, at, size, "", 0);
		break;
	case 8: /* another number */
	case 9:
		while (at < f->size && (f->bytes[at] < '0' || f->bytes[at] > '9'))
			at++;
		for (size = 0; at + size < f->size && strchr("0123456789.eE+-", f->bytes[at + size]) != NULL &&
			       f->bytes[at + size] != '\0';)
			size++;
		piece = numbers[below(sizeof numbers / sizeof *numbers)];
		replace(f, at, size, piece, strlen(piece));
		break;
	default:
		piece = tokens[below(sizeof tokens / sizeof *tokens)];
		replace(f, at, below(2), piece, strlen(piece));
	}
}

static void
pack(const file *from, file *to)
{
	z_stream z = {0};
	if (deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 4, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	z.next_in = (Bytef *)from->bytes;
	z.avail_in = (uInt)from->size;
	z.next_out = (Bytef *)to->bytes;
	z.avail_out = ROOM;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		to->size = 0;
	else
		to->size = z.total_out;
	deflateEnd(&z);
}

/* As UTF-16, of either order, of which every byte is a character. */
static void
widen(const file *from, file *to)
{
	bool big = below(2) == 0;
	memcpy(to->bytes, big ? "\xFE\xFF" : "\xFF\xFE", 2);
	to->size = 2;
	for (size_t i = 0; i < from->size && to->size + 2 <= ROOM; i++, to->size += 2) {
		to->bytes[to->size + big] = from->bytes[i];
		to->bytes[to->size + !big] = 0;
	}
}

/* Graphs, and tables, come without warnings. */
static bool
is_graph(const char *format)
{
	for (const knng_format *const *f = knng_formats; *f != NULL; f++)
		if (strcmp((*f)->name, format) == 0)
			return (*f)->kind == KNNG_GRAPH;
	return false;
}

static knng_read_options
draw_options(void)
{
	static const char delimiters[] = ",;\t |";
	static const char *const names[] = {"gene", "g", "s1", "x", "n", "k", "y", ""};
	static const char *words[] = {"", "1", "-", "NA", "-999", "1.e0", "a", "u", "x y", "3.25", "A", NULL};
	knng_read_options opt = {0};
	bool soft = strcmp(now.format, "soft") == 0 || below(32) == 0;
	if (soft && below(3) == 0)
		opt.platform = below(2) == 0 ? "GPL1" : "GPL2";
	bool table = strcmp(now.format, "table") == 0 || below(8) == 0; /* else some options are refused at once */
	if (table && below(3) == 0)
		opt.delimiter = delimiters[below(sizeof delimiters - 1)];
	if (below(2) == 0)
		opt.decimal = below(2) == 0 ? KNNG_DECIMAL_COMMA : KNNG_DECIMAL_POINT;
	if (below(4) == 0)
		opt.skip = (int64_t)below(4);
	if (table && below(3) == 0)
		opt.names = names[below(sizeof names / sizeof *names)];
	else if (table && below(2) == 0)
		opt.names_column = (int64_t)below(6) - 1;
	if (below(2) == 0)
		opt.missing = words + below(sizeof words / sizeof *words);
	return opt;
}

/* How large the text can get that a file is turned into: a byte of Windows-1252 may take three. */
static size_t
as_text(const file *f)
{
	size_t size = f->size;
	for (size_t i = 0; i < f->size; i++)
		size += (unsigned char)f->bytes[i] < 0x80 ? 0 : 2;
	return size;
}

/* Run `now.run`. */
static int
run(int first, int count)
{
	static file f, packed;
	random_state = (uint64_t)now.seed * UINT64_C(1000003) + (uint64_t)now.run;
	for (const char *p = now.format; *p != '\0'; p++)
		random_state = random_state * 31 + (uint64_t)*p;
	const char *text = seeds[first + (int)(now.run % count)].text;
	f.size = strlen(text);
	memcpy(f.bytes, text, f.size);
	if (now.run >= count) /* the first are the seeds as they are */
		for (size_t changes = 1 + below(below(4) == 0 ? 12 : 3); changes > 0; changes--)
			change(&f, first, count);
	options = (knng_read_options){0};
	if (now.run >= count && below(2) == 0)
		options = draw_options();
	if (now.run < count || now.run % 16 < 14)
		return try_bytes(f.bytes, f.size, as_text(&f), count_lines(f.bytes, f.size));
	bool wide = now.run % 16 == 14;
	(wide ? widen : pack)(&f, &packed);
	bool whole = below(2) == 0;
	for (size_t changes = whole ? 0 : 1 + below(3); changes > 0; changes--)
		change(&packed, first, count);
	return try_bytes(packed.bytes, packed.size, wide ? 2 * packed.size : as_text(&f),
			 whole && !wide ? count_lines(f.bytes, f.size) : 0);
}

#if defined(__SANITIZE_ADDRESS__)
void __sanitizer_set_death_callback(void (*callback)(void));

static void
say_where(void)
{
	fprintf(stderr, "FAILED %s run %" PRId64 " of seed %" PRId64 "\n", now.format, now.run, now.seed);
}
#endif

int
main(int argc, char **argv)
{
	int64_t runs = argc > 1 ? atoll(argv[1]) : 4000, total = 0;
	now.seed = argc > 2 ? atoll(argv[2]) : 1;
	open_memory();
	knng_memory_set_available(1e9); /* a graph may have as many nodes as its header says */
#if defined(__SANITIZE_ADDRESS__)
	__sanitizer_set_death_callback(say_where);
#endif
	for (const knng_format *const *f = knng_formats; *f != NULL; f++) {
		int s = 0;
		while (s < NSEEDS && strcmp(seeds[s].format, (*f)->name) != 0)
			s++;
		if ((*f)->parse != NULL && (*f)->fits == NULL && s == NSEEDS) { /* fuzz_cells.c has several files */
			faults++;
			printf("FAILED %s has no seed\n", (*f)->name);
		}
	}
	for (int first = 0, count; first < NSEEDS; first += count) {
		for (count = 1;
		     first + count < NSEEDS && strcmp(seeds[first + count].format, seeds[first].format) == 0;)
			count++;
		if (argc > 3 && strcmp(argv[3], seeds[first].format) != 0)
			continue;
		int64_t tally[OUTCOMES] = {0};
		double t = knng_seconds();
		now.format = seeds[first].format;
		for (now.run = 0; now.run < runs; now.run++) {
			int outcome = run(first, count);
			if (now.run < count && outcome != FINE) {
				faults++;
				printf("FAILED %s: seed %d is not read\n", now.format, (int)now.run);
			}
			tally[outcome]++;
		}
		total += runs;
		printf("%-8s %" PRId64 " files in %.1f s:", now.format, runs, knng_seconds() - t);
		for (int o = 0; o < OUTCOMES; o++)
			printf(" %s %" PRId64 "%s", outcomes[o], tally[o], o + 1 < OUTCOMES ? "," : "\n");
		/* a fuzzer that only ever sees one end sees nothing */
		for (int o = FINE; runs >= 1000 && o <= TRUNCATED; o++)
			if (tally[o] == 0 &&
			    !(o == WARNED && (is_graph(now.format) || strcmp(now.format, "table") == 0))) {
				faults++;
				printf("FAILED %s: no file was '%s'\n", now.format, outcomes[o]);
			}
	}
	close(fd);
	printf("%" PRId64 " passed, %" PRId64 " failed\n", total - (faults < total ? faults : total), faults);
	return faults != 0;
}

#endif
