/* test_read.c  The file reader: every variation of a good file, every error with its line, files cut off at every byte,
 * every wrapped call failing in turn.
 *
 * Build and run: cc -D_GNU_SOURCE -Icore tests/test_read.c core/read*.c core/text.c core/sys.c -lz -lm -o test_read &&
 * ./test_read
 */
#include "sys.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static int passed, failed;
static char folder[] = "/tmp/knng_read_XXXXXX";
static char path[64];

#define CHECK(condition, ...)                                                                                          \
	do {                                                                                                           \
		if (condition)                                                                                         \
			passed++;                                                                                      \
		else {                                                                                                 \
			failed++;                                                                                      \
			printf("FAILED line %d: %s  ", __LINE__, #condition);                                          \
			printf(__VA_ARGS__);                                                                           \
			printf("\n");                                                                                  \
		}                                                                                                      \
	} while (0)

static void
write_bytes(const void *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");
	if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0)
		abort();
}

static void
write_gzip(const void *bytes, size_t size)
{
	gzFile f = gzopen(path, "wb9");
	if (f == NULL || gzwrite(f, bytes, (unsigned)size) != (int)size || gzclose(f) != Z_OK)
		abort();
}

static knng_status
read_text(const char *text, knng_content *ds, knng_err *err)
{
	write_bytes(text, strlen(text));
	err->id[0] = err->text[0] = '\0';
	return knng_read(path, KNNG_DATASET, ds, err);
}

/* The first paper's published sample. */
static const char sample[] = "<MicroarrayData>\n"
			     "10      6\n"
			     "F_1    1      4.5    2      7.3    8.21   5.71\n"
			     "F_2    1      3      8      6.66   7.19   1.06\n"
			     "F_3    3      3      9      5      6.67   7.73\n"
			     "F_4    4      4      1      4      3.64   2.92\n"
			     "F_5    8      7      1.5    4      4.91   6.15\n"
			     "F_6    8      6      3      2.4    7.36   4.76\n"
			     "F_7    3      8      3      3.2    5.31   5.49\n"
			     "F_8    2      1      4.02   5.8    3.08   7.15\n"
			     "F_9    4      1      3.7    2.2    1.31   1.48\n"
			     "F_10  -3      0      3      1      3.82   2.7\n"
			     "<SamplesNames>\n"
			     "       C1      C2      C3      C4      C5      C6\n"
			     "<SamplesClasses>\n"
			     "       1      1      1      0      0      0\n"
			     "<EndOfFile>\n";

static bool
is_sample(const knng_content *content)
{
	static const char *classes[] = {"1", "1", "1", "0", "0", "0"};
	const knng_dataset *ds = &content->data;
	if (ds->nrows != 10 || ds->ncols != 6 || ds->samples == NULL || ds->classes == NULL)
		return false;
	for (int i = 0; i < 10; i++) {
		char name[16];
		snprintf(name, sizeof name, "F_%d", i + 1);
		if (strcmp(ds->names[i], name) != 0)
			return false;
	}
	for (int j = 0; j < 6; j++) {
		char name[16];
		snprintf(name, sizeof name, "C%d", j + 1);
		if (strcmp(ds->samples[j], name) != 0 || strcmp(ds->classes[j], classes[j]) != 0)
			return false;
	}
	return ds->X[0] == 1 && ds->X[10] == 4.5 && ds->X[9] == -3 && ds->X[59] == 2.7 && ds->X[50] == 5.71 &&
	       ds->X[48] == 1.31;
}

/* The sample with each line ending, tabs for blanks, and so on. */
static void
test_sample(void)
{
	static const struct {
		const char *what, *newline, *blank;
		const char *before, *after;
	} cases[] = {
		{"as published", "\n", " ", "", ""},         {"CRLF", "\r\n", " ", "", ""},
		{"old Macintosh", "\r", " ", "", ""},        {"blank lines", "\n\n", " ", "", ""},
		{"trailing blanks", " \t\n", " ", "", ""},   {"byte order mark", "\n", " ", "\xEF\xBB\xBF", ""},
		{"leading lines", "\n", " ", "\r\n \n", ""}, {"trailing lines", "\n", " ", "", " \n\t\r\n"},
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
		for (int gz = 0; gz < 2; gz++) {
			char text[4096], *p = stpcpy(text, cases[c].before);
			for (const char *s = sample; *s != '\0'; s++) {
				const char one[2] = {*s, '\0'};
				p = stpcpy(p, *s == '\n' ? cases[c].newline : one);
			}
			p = stpcpy(p, cases[c].after);
			(gz ? write_gzip : write_bytes)(text, strlen(text));
			knng_content ds;
			knng_err err = {0};
			knng_status status = knng_read(path, KNNG_DATASET, &ds, &err);
			CHECK(status == KNNG_OK && is_sample(&ds), "%s: %s", cases[c].what, err.text);
			knng_content_free(&ds);
			CHECK(ds.data.X == NULL && knng_sys().live == 0, "%s leaks", cases[c].what);
			knng_content_free(&ds);
		}
}

/* Files of 2 x 3 that all hold the same. `v` are the six values in column order. */
static void
test_variations(void)
{
	const double N = NAN;
	static const char H[] = "<MicroarrayData>\n2 3\n", E[] = "<EndOfFile>";
	struct {
		const char *body;
		double v[6];
		bool samples, classes;
	} cases[] = {
		{"a 1 2 3\nb 4 5 6\n", {1, 4, 2, 5, 3, 6}, false, false},
		{"a\t1\t2\t3\nb\t4\t5\t6\n", {1, 4, 2, 5, 3, 6}, false, false},
		{"  a \t 1  2\t3\t\n\nb 4 5 6 \n\n", {1, 4, 2, 5, 3, 6}, false, false},
		{"a\t1\t\t3\nb\t\t5\t\n", {1, N, N, 5, 3, N}, false, false},
		{"a\t\t\t\nb\t \t 5\t \n", {N, N, N, 5, N, N}, false, false},
		{"a NA NaN null\nb ? nan -nan\n", {N, N, N, N, N, N}, false, false},
		{"a na NULL +NAN\nb 1 2 3\n", {N, 1, N, 2, N, 3}, false, false},
		{"a inf -Inf +Infinity\nb 1e3 -.5 +5.\n", {INFINITY, 1000, -INFINITY, -.5, INFINITY, 5}, false, false},
		{"a -0 0.0 000\nb 1E-2 1e+2 0010\n", {-0.0, .01, 0, 100, 0, 10}, false, false},
		{"a 1 2 3\nb 4 5 6\n<SamplesNames>\nx y z\n", {1, 4, 2, 5, 3, 6}, true, false},
		{"a 1 2 3\nb 4 5 6\n<SamplesClasses>\n\tx\ty\tz\n", {1, 4, 2, 5, 3, 6}, false, true},
		{"a 1 2 3\nb 4 5 6\n<SamplesClasses>\nx y z\n<SamplesNames>\nx y z\n", {1, 4, 2, 5, 3, 6}, true, true},
		{"a 1 2 3\nb 4 5 6\n<SamplesNames>\nx y\nz\n<SamplesClasses>\n\n", {1, 4, 2, 5, 3, 6}, true, false},
		{"a 1 2 3\nb 4 5 6\n<samplesNAMES> x y z <samplesclasses> x y z\n", {1, 4, 2, 5, 3, 6}, true, true},
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		char text[512];
		knng_content ds;
		knng_err err;
		snprintf(text, sizeof text, "%s%s%s", H, cases[c].body, E);
		knng_status status = read_text(text, &ds, &err);
		CHECK(status == KNNG_OK, "case %zu: %s %s", c, err.id, err.text);
		if (status != KNNG_OK)
			continue;
		bool same = ds.data.nrows == 2 && ds.data.ncols == 3 && strcmp(ds.data.names[0], "a") == 0 &&
			    strcmp(ds.data.names[1], "b") == 0;
		for (int i = 0; i < 6; i++)
			same = same && (isnan(cases[c].v[i]) ? isnan(ds.data.X[i]) != 0
							     : ds.data.X[i] == cases[c].v[i] &&
								       signbit(ds.data.X[i]) == signbit(cases[c].v[i]));
		same = same && (ds.data.samples != NULL) == cases[c].samples &&
		       (ds.data.classes != NULL) == cases[c].classes;
		for (int j = 0; j < 3 && same; j++) {
			const char xyz[2] = {"xyz"[j], '\0'};
			same = (ds.data.samples == NULL || strcmp(ds.data.samples[j], xyz) == 0) &&
			       (ds.data.classes == NULL || strcmp(ds.data.classes[j], xyz) == 0);
		}
		CHECK(same, "case %zu", c);
		knng_content_free(&ds);
	}
}

static uint64_t random_state = 88172645463325252u;

static uint64_t
random_bits(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* Numbers in many spellings against strtod. */
static void
test_numbers(void)
{
	enum { COUNT = 200000, WIDTH = 400 };
	static const char *fixed[] = {
		"9007199254740993",
		"9007199254740992.5",
		"9007199254740993.0000000000000000000000001",
		"1e23",
		"8.5e22",
		"4.9e-324",
		"2.4703282292062327e-324",
		"2.4703282292062328e-324",
		"2.2250738585072011e-308",
		"1.7976931348623157e308",
		"1.7976931348623159e308",
		"1e400",
		"-1e400",
		"1e-400",
		"1e99999999999999999999",
		"1e-99999999999999999999",
		"0e99999999999999999999",
		"0.1",
		"0.30000000000000004",
		"123456789012345678",
		"9223372036854775807",
		"9223372036854775808",
		"9999999999999999999",
		"18446744073709551615",
		"0.9999999999999999999",
		"0.0000000000000000001",
		"0.00000000000000000000000000000000001",
		"5e-20",
		"1.00000000000000011102230246251565404236316680908203125",
		"1.00000000000000011102230246251565404236316680908203124",
		"1.00000000000000011102230246251565404236316680908203126",
		"00000000000000000000000000001.5",
		"0.500000000000000166533453693773481063544750213623046875",
		"-7.0385307e-26",
		"1.5e+0",
		"1.e1",
	};
	enum { FIXED = sizeof fixed / sizeof *fixed };
	char *text = malloc((size_t)(COUNT + FIXED) * WIDTH), *p = text;
	char(*number)[WIDTH] = malloc((size_t)(COUNT + FIXED) * sizeof *number);
	p += sprintf(p, "<MicroarrayData>\n%d 1\n", COUNT + FIXED);
	for (int i = 0; i < COUNT + FIXED; i++) {
		static const char *formats[] = {"%.17g", "%.5f", "%.15e", "%.16e", "%.19f", "%g", "%.18f", "%.25g"};
		uint64_t bits = random_bits();
		double x;
		memcpy(&x, &bits, sizeof x);
		if (!isfinite(x))
			x = 0;
		if (i % 3 != 0) /* most near 1 */
			x = (double)(int64_t)random_bits() / 9.2e18 * pow(10, (double)(random_bits() % 20) - 10);
		if (i < FIXED)
			strcpy(number[i], fixed[i]);
		else
			snprintf(number[i], WIDTH, formats[random_bits() % 8], x);
		p += sprintf(p, "n%d %s\n", i, number[i]);
	}
	strcpy(p, "<EndOfFile>");
	/* In a locale with a decimal comma, where the machine has one. */
	const char *comma[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C"}, *set = NULL;
	double *want = malloc((COUNT + FIXED) * sizeof *want);
	for (int i = 0; i < COUNT + FIXED; i++)
		want[i] = strtod(number[i], NULL);
	for (int l = 0; l < 4 && set == NULL; l++)
		set = setlocale(LC_ALL, comma[l]);
	knng_content ds;
	knng_err err;
	knng_status status = read_text(text, &ds, &err);
	setlocale(LC_ALL, "C");
	CHECK(status == KNNG_OK, "%s", err.text);
	int wrong = 0, first = -1;
	for (int i = 0; status == KNNG_OK && i < COUNT + FIXED; i++)
		if (memcmp(&ds.data.X[i], &want[i], sizeof *want) != 0 && wrong++ == 0)
			first = i;
	CHECK(wrong == 0, "%d numbers, the first is %s", wrong, first < 0 ? "" : number[first]);
	knng_content_free(&ds);
	free(text);
	free(number);
	free(want);
}

/* Every error: its identifier, its line, and what the text must name. */
static void
test_errors(void)
{
	static const struct {
		const char *text, *id, *line, *names;
	} cases[] = {
		{"", "knng:io:truncated", "empty", ""},
		{"hello\n", "knng:io:format", "line 1:", "'hello'"},
		{"<GenomicData>\n1 1\n", "knng:io:format", "line 1:", "<MicroarrayData>"},
		{"<MicroarrayData>\n", "knng:io:truncated", "line 2,", "numbers of features"},
		{"<MicroarrayData>\n2\n", "knng:io:format", "line 2:", "'2'"},
		{"<MicroarrayData>\n2 x\n", "knng:io:format", "line 2:", "'2'"},
		{"<MicroarrayData>\n2 3 4\n", "knng:io:format", "line 2:", "two whole numbers"},
		{"<MicroarrayData>\n0 3\n", "knng:io:format", "line 2:", "'0'"},
		{"<MicroarrayData>\n-2 3\n", "knng:io:format", "line 2:", "'-2'"},
		{"<MicroarrayData>\n2.5 3\n", "knng:io:format", "line 2:", "'2.5'"},
		{"<MicroarrayData>\n99999999999999999999 3\n", "knng:io:format", "line 2:", "'99999999999999999999'"},
		{"<MicroarrayData>\n9000000000000000 9000000000000000\na 1\n<EndOfFile>\n", "knng:io:truncated",
		 "line 2:", "9000000000000000"},
		{"<MicroarrayData>\n1000000 1000000\na 1\n<EndOfFile>\n", "knng:io:truncated",
		 "line 2:", "1000000 rows"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 x\n<EndOfFile>\n", "knng:io:format", "line 4:", "'x'"},
		{"<MicroarrayData>\r\n2 2\r\na 1 2\r\nb 3 1,5\r\n<EndOfFile>\r\n", "knng:io:format",
		 "line 4:", "'1,5'"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 1e\n<EndOfFile>\n", "knng:io:format", "line 4:", "'1e'"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 0x10\n<EndOfFile>\n", "knng:io:format", "line 4:", "'0x10'"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 1.2.3\n<EndOfFile>\n", "knng:io:format", "line 4:", "'1.2.3'"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 -\n<EndOfFile>\n", "knng:io:format", "line 4:", "'-'"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 .\n<EndOfFile>\n", "knng:io:format", "line 4:", "'.'"},
		{"<MicroarrayData>\n2 2\na 1\nb 3 4\n<EndOfFile>\n", "knng:io:format",
		 "line 3:", "1 values after the name 'a'"},
		{"<MicroarrayData>\n2 2\na\nbbbbb 3 4\n<EndOfFile>\n", "knng:io:format", "line 3:", "0 values"},
		{"<MicroarrayData>\n2 2\n\na 1 2 3 4\nb 3 4\n<EndOfFile>\n", "knng:io:format", "line 4:", "4 values"},
		{"<MicroarrayData>\n2 2\na\t\t1\t2\nb 3 4\n<EndOfFile>\n", "knng:io:format", "line 3:", "3 values"},
		{"<MicroarrayData>\n2 2\na 1 2\n<SamplesNames>\nx y\n<EndOfFile>\n", "knng:io:truncated",
		 "line 4:", "after 1 of the 2"},
		{"<MicroarrayData>\n2 2\na 1 2\n<EndOfFile>\n", "knng:io:truncated", "line 4:", "after 1 of the 2"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 4\nc 5 6\n<EndOfFile>\n", "knng:io:format", "line 5:", "'c'"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 4\n", "knng:io:truncated", "line 5,", "<EndOfFile>"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 4", "knng:io:truncated", "line 4,", "<EndOfFile>"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 4\n<EndOfFi", "knng:io:truncated", "line 5,", "<EndOfFile>"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 4\n<Other>\n<EndOfFile>\n", "knng:io:format",
		 "line 5:", "'<Other>'"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 4\n<SamplesNames>\nx y\n", "knng:io:truncated", "line 7,",
		 "<EndOfFile>"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 4\n<SamplesNames>\nx\n", "knng:io:truncated", "line 7,",
		 "sample names"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 4\n<EndOfFile>\n<MicroarrayData>\n", "knng:io:format",
		 "line 6:", "nothing"},
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		knng_content ds;
		knng_err err;
		knng_status status = read_text(cases[c].text, &ds, &err);
		CHECK(status == KNNG_EIO && strcmp(err.id, cases[c].id) == 0 &&
			      strstr(err.text, cases[c].line) != NULL && strstr(err.text, cases[c].names) != NULL,
		      "case %zu: %s %s", c, err.id, err.text);
		CHECK(ds.data.X == NULL && knng_sys().live == 0, "case %zu leaks", c);
	}

	knng_content ds;
	knng_err err;
	static const char nul[] = "<MicroarrayData>\n1 2\na 1 \0\n<EndOfFile>\n";
	write_bytes(nul, sizeof nul - 1);
	CHECK(knng_read(path, KNNG_DATASET, &ds, &err) == KNNG_EIO && strcmp(err.id, "knng:io:format") == 0 &&
		      strstr(err.text, "line 3:") != NULL,
	      "%s", err.text);
	CHECK(knng_read("/nonexistent/knng.nbi", KNNG_DATASET, &ds, &err) == KNNG_EIO &&
		      strcmp(err.id, "knng:io:open") == 0 && strstr(err.text, "/nonexistent/knng.nbi") != NULL &&
		      strstr(err.text, "No such file") != NULL,
	      "%s", err.text);
	CHECK(knng_read(folder, KNNG_DATASET, &ds, &err) == KNNG_EIO && strcmp(err.id, "knng:io:open") == 0 &&
		      strstr(err.text, "directory") != NULL,
	      "%s", err.text);
	CHECK(knng_read("/dev/zero", KNNG_DATASET, &ds, &err) == KNNG_EIO && strcmp(err.id, "knng:io:format") == 0,
	      "%s", err.text);
	CHECK(knng_read("/nonexistent/knng.nbi", KNNG_DATASET, &ds, NULL) == KNNG_EIO, "without knng_err");
	CHECK(knng_sys().live == 0, "leaks");
}

/* Faults in what is no data: the data, and a warning that names the line. */
static void
test_warnings(void)
{
	static const struct {
		const char *text, *line, *names;
		int64_t warnings;
	} cases[] = {
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 4\n<SamplesNames>\nx\n<EndOfFile>\n",
		 "line 5:", "found 1 sample names, expected 2", 1},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 4\n<SamplesNames>\nx y z\n<EndOfFile>\n",
		 "line 5:", "found 3 sample names, expected 2", 1},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 4\n<SamplesClasses>\nx\n<SamplesNames>\nx\n<EndOfFile>\n",
		 "line 5:", "found 1 class labels", 2},
		{"<MicroarrayData>\n2 2\na 1 2\nb 3 4\n<SamplesClasses>\nx y\n<SamplesClasses>\nx y\n<EndOfFile>\n",
		 "line 7:", "second", 1},
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		knng_content file;
		knng_err err;
		knng_status status = read_text(cases[c].text, &file, &err);
		const knng_dataset *ds = &file.data;
		CHECK(status == KNNG_OK && file.warnings == cases[c].warnings, "case %zu: %s", c, err.text);
		CHECK(strcmp(file.warning.id, "knng:data:metadata") == 0 &&
			      strstr(file.warning.text, cases[c].line) != NULL &&
			      strstr(file.warning.text, cases[c].names) != NULL,
		      "case %zu: %s", c, file.warning.text);
		CHECK(status == KNNG_OK && ds->nrows == 2 && ds->ncols == 2 && ds->X[0] == 1 && ds->X[1] == 3 &&
			      ds->X[2] == 2 && ds->X[3] == 4 && strcmp(ds->names[1], "b") == 0,
		      "case %zu", c);
		CHECK(ds->nmeta == cases[c].warnings && strcmp(ds->meta[0].values[0], "x") == 0, "case %zu", c);
		knng_content_free(&file);
	}
	CHECK(knng_sys().live == 0, "leaks");
}

/* A file cut off anywhere is an error, or (behind the last tag) the same data; one byte changed never crashes. */
static void
test_damage(void)
{
	size_t size = strlen(sample), tag = (size_t)(strstr(sample, "<EndOfFile>") - sample) + strlen("<EndOfFile>");
	int bad = 0;
	knng_content ds;
	knng_err err;
	for (size_t cut = 0; cut <= size; cut++) {
		write_bytes(sample, cut);
		knng_status status = knng_read(path, KNNG_DATASET, &ds, &err);
		bool right = cut >= tag ? status == KNNG_OK && is_sample(&ds)
					: status == KNNG_EIO && (cut < 17 || strcmp(err.id, "knng:io:truncated") == 0);
		knng_content_free(&ds);
		if (!right || knng_sys().live != 0)
			bad++, printf("cut at %zu: %s %s\n", cut, err.id, err.text);
	}
	CHECK(bad == 0, "%d cuts of a plain file", bad);

	write_gzip(sample, size);
	unsigned char packed[4096];
	FILE *f = fopen(path, "rb");
	size_t packed_size = f == NULL ? 0 : fread(packed, 1, sizeof packed, f);
	if (f != NULL)
		fclose(f);
	for (size_t cut = 0; cut < packed_size; cut++) {
		write_bytes(packed, cut);
		knng_status status = knng_read(path, KNNG_DATASET, &ds, &err);
		bool right = status == KNNG_EIO && (cut == 1 || strcmp(err.id, "knng:io:truncated") == 0);
		knng_content_free(&ds);
		if (!right || knng_sys().live != 0)
			bad++, printf("cut at %zu: %s %s\n", cut, err.id, err.text);
	}
	CHECK(packed_size > 100 && bad == 0, "%d cuts of a gzip file", bad);

	for (int turn = 0; turn < 10000; turn++) {
		char text[sizeof sample];
		unsigned char z[sizeof packed];
		bool gz = turn % 4 == 0;
		static const unsigned char nasty[] = "\0\t\n\r <>?.-+e09\xFF";
		memcpy(text, sample, sizeof sample);
		memcpy(z, packed, sizeof packed);
		for (uint64_t i = random_bits() % 4 + 1; i > 0; i--)
			if (gz)
				z[random_bits() % packed_size] = (unsigned char)random_bits();
			else
				text[random_bits() % size] = (char)nasty[random_bits() % (sizeof nasty - 1)];
		write_bytes(gz ? (void *)z : (void *)text, gz ? packed_size : size);
		knng_status status = knng_read(path, KNNG_DATASET, &ds, &err);
		if (status == KNNG_OK) /* all of it can be read */
			for (int64_t i = 0; i < ds.data.nrows; i++)
				bad += strlen(ds.data.names[i]) > size || ds.data.nrows != 10 ||
				       !(ds.data.X[i] == ds.data.X[i] || isnan(ds.data.X[i]));
		knng_content_free(&ds);
		bad += knng_sys().live != 0;
	}
	CHECK(bad == 0, "%d changed files", bad);
}

/* A long line, and sizes one either side of where the buffer grows. */
static void
test_sizes(void)
{
	enum { GROWS = 1 << 18 };
	knng_content ds;
	knng_err err;
	for (int extra = -3; extra <= 3; extra++) {
		static const char head[] = "<MicroarrayData>\n1 2\n", tail[] = "\t1\t2\n<EndOfFile>\n";
		size_t name = (size_t)(GROWS + extra) - strlen(head) - strlen(tail);
		char *text = malloc(GROWS + 4), *p = stpcpy(text, head);
		memset(p, 'n', name);
		strcpy(p + name, tail);
		knng_status status = read_text(text, &ds, &err);
		CHECK(status == KNNG_OK && strlen(ds.data.names[0]) == name && ds.data.X[1] == 2, "%d: %s", extra,
		      err.text);
		knng_content_free(&ds);
		free(text);
	}
	for (int shape = 0; shape < 2; shape++) { /* a million columns, a million rows */
		enum { MANY = 1000000 };
		char *text = malloc(20 * MANY), *p = text;
		p += sprintf(p, "<MicroarrayData>\n%d %d\n", shape ? MANY : 1, shape ? 1 : MANY);
		if (shape == 0)
			p = stpcpy(p, "wide");
		for (int i = 0; i < MANY; i++)
			p += shape ? sprintf(p, "r%d %d\n", i, i) : sprintf(p, "\t%d", i);
		strcpy(p, "\n<EndOfFile>");
		knng_status status = read_text(text, &ds, &err);
		CHECK(status == KNNG_OK && ds.data.X[12345] == 12345 && ds.data.X[MANY - 1] == MANY - 1, "%s",
		      err.text);
		CHECK(status != KNNG_OK || strcmp(ds.data.names[ds.data.nrows - 1], shape ? "r999999" : "wide") == 0,
		      "names");
		knng_content_free(&ds);
		free(text);
	}
	CHECK(knng_sys().live == 0, "leaks");
}

/* Makes every wrapped call fail in turn. */
static void
test_faults(void)
{
	knng_content ds;
	knng_err err;
	static char text[400000]; /* so that the buffer grows */
	memset(text, '\n', sizeof text);
	memcpy(text, sample, strlen(sample));
	for (int gz = 0; gz < 2; gz++) {
		(gz ? write_gzip : write_bytes)(text, sizeof text);
		for (int64_t nth = 1;; nth++) {
			knng_sys_fail_at(nth);
			int64_t before = knng_sys().calls;
			knng_status status = knng_read(path, KNNG_DATASET, &ds, &err);
			bool reached = knng_sys().calls - before >= nth;
			knng_sys_fail_at(0);
			if (!reached) {
				CHECK(status == KNNG_OK && is_sample(&ds) && nth > 10, "after %" PRId64 " calls: %s",
				      nth, err.text);
				knng_content_free(&ds);
				break;
			}
			CHECK((status == KNNG_EMEMORY && strcmp(err.id, "knng:memory:host") == 0) ||
				      (status == KNNG_EIO && strncmp(err.id, "knng:io:", 8) == 0),
			      "call %" PRId64 ": status %d, %s", nth, (int)status, err.id);
			CHECK(ds.data.X == NULL && ds.data.text == NULL && knng_sys().live == 0,
			      "call %" PRId64 " leaks", nth);
		}
	}
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		return 2;
	snprintf(path, sizeof path, "%s/file", folder);
	test_sample();
	test_variations();
	test_numbers();
	test_errors();
	test_warnings();
	test_damage();
	test_sizes();
	test_faults();
	unlink(path);
	rmdir(folder);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
