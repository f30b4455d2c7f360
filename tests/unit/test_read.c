/* test_read.c  The file reader: every variation of a good file, every error with its line, files cut off at every byte,
 * every wrapped call failing one after another. */
#include "base/sys.h"
#include "io/format.h"
#include "io/matrix_file.h"
#include "io/text.h"
#include "io/utf8.h"
#include "io/write.h"
#include "knng.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
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
	return knng_read(path, KNNG_DATASET, NULL, ds, err);
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
			knng_status status = knng_read(path, KNNG_DATASET, NULL, &ds, &err);
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
		"1e-400",
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
		"1.23456789012345678901e-300",
		"1.23456789012345678901e-301",
		"1.23456789012345678901e-302",
		"1.23456789012345678901e-303",
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
		char *begin = p;
		p += sprintf(p, "n%d %s\n", i, number[i]);
		char *letter = strchr(begin, '.') != NULL ? strchr(begin, 'e') : NULL;
		if (letter != NULL && i % 4 == 1) /* as Fortran has it */
			*letter = i % 8 == 1 ? 'D' : 'd';
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

/* A text, the error that it is, and what the error says of the place and of what is wrong. */
typedef struct {
	const char *text, *id, *line, *names;
} refusal;

static void
refuse(const refusal *cases, size_t count)
{
	for (size_t c = 0; c < count; c++) {
		knng_content file;
		knng_err err;
		knng_status status = read_text(cases[c].text, &file, &err);
		CHECK(status == KNNG_EIO && strcmp(err.id, cases[c].id) == 0 &&
			      strstr(err.text, cases[c].line) != NULL && strstr(err.text, cases[c].names) != NULL,
		      "case %zu, %s: %s %s", c, cases[c].text, err.id, err.text);
		CHECK(file.data.X == NULL && knng_sys().live == 0, "case %zu leaks", c);
	}
}

/* Every error: its identifier, its line, and what the text must name. */
static void
test_errors(void)
{
	static const refusal cases[] = {
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
	refuse(cases, sizeof cases / sizeof *cases);

	knng_content ds;
	knng_err err;
	static const char nul[] = "<MicroarrayData>\n1 2\na 1 \0\n<EndOfFile>\n";
	write_bytes(nul, sizeof nul - 1);
	CHECK(knng_read(path, KNNG_DATASET, NULL, &ds, &err) == KNNG_EIO && strcmp(err.id, "knng:io:format") == 0 &&
		      strstr(err.text, "line 3:") != NULL,
	      "%s", err.text);
	static char late[1 << 19]; /* behind what is read at first, and empty lines before all */
	memset(late, '1', sizeof late);
	memcpy(late, "\n\nx,y\n", 6);
	late[sizeof late - 3] = '\n';
	late[sizeof late - 2] = '\0';
	write_bytes(late, sizeof late);
	CHECK(knng_read(path, KNNG_DATASET, NULL, &ds, &err) == KNNG_EIO &&
		      strstr(err.text, "line 5: found a NUL") != NULL,
	      "%s", err.text);
	CHECK(knng_read("/nonexistent/knng.nbi", KNNG_DATASET, NULL, &ds, &err) == KNNG_EIO &&
		      strcmp(err.id, "knng:io:open") == 0 && strstr(err.text, "/nonexistent/knng.nbi") != NULL &&
		      strstr(err.text, "No such file") != NULL,
	      "%s", err.text);
	CHECK(knng_read(folder, KNNG_DATASET, NULL, &ds, &err) == KNNG_EIO && strcmp(err.id, "knng:io:open") == 0 &&
		      strstr(err.text, "the folder has no matrix.mtx") != NULL,
	      "%s", err.text);
	CHECK(knng_read("/dev/zero", KNNG_DATASET, NULL, &ds, &err) == KNNG_EIO &&
		      strcmp(err.id, "knng:io:format") == 0,
	      "%s", err.text);
	CHECK(knng_read("/nonexistent/knng.nbi", KNNG_DATASET, NULL, &ds, NULL) == KNNG_EIO, "without knng_err");
	CHECK(knng_sys().live == 0, "leaks");
}

/* Files of numbers that are packed, or have another name than they should, and what else is no text. */
static void
test_no_text(void)
{
	static const struct {
		const char *name, *bytes;
		size_t size;
		const char *said;
	} cases[] = {
		{"a.npy.gz", "\x93NUMPY\1\0\6\0", 10, "a.npy.gz is packed, "},
		{"a.FBIN.GZ", "\2\0\0\0\3\0\0\0", 8, "unpack it first"},
		{"a.ivecs.gz", "\2\0\0\0\3\0\0\0", 8, "unpack it first"},
		{"a.gz", "\x93NUMPY\1\0\6\0", 10, "a.gz is a packed array of NumPy"},
		{"a.bin", "\x93NUMPY\1\0\6\0", 10, "a.bin is an array of NumPy: give it a name that ends in .npy"},
		{"npy", "\x93NUMPY\1\0\6\0", 10, "npy is an array of NumPy"},
		{"a.npz", "PK\3\4\x14\0\0\0", 8, "a.npz is an archive of arrays of NumPy, and no text"},
		{"a.xlsx", "PK\3\4\x14\0\0\0", 8, "a.xlsx is a spreadsheet (.xlsx) or an archive"},
		{"a.csv", "\xD0\xCF\x11\xE0\0\0\0\0", 8, "a.csv is a spreadsheet (.xls)"},
		{"a.csv", "\xFF\xFEg\0,\0x\0\n\0a", 11, "a.csv, line 2: the file is UTF-16"},
		{"a.csv", "\xFE\xFF\0g\0,\0x\xD8\x3D", 10, "half a character is missing here"},
		{"a.csv", "\xFE\xFF\0g\0,\xD8\x3D\0x", 10, "half a character is missing here"},
		{"a.csv", "\xFF\xFEg\0,\0\0\xDE\n\0", 10, "half a character is missing here"},
		{"a.csv", "\xFF\xFE\0\0g\0\0\0", 8, "line 1: found a NUL byte"},
		{"a.xls", "<HTML><table><tr><td>g</td></tr></table></HTML>", 47, "a.xls, line 1: this is a page"},
		{"a.txt", "\n <!DOCTYPE html>\n<html>\n", 25, "a page of the web (HTML)"},
		{"a.csv.gz", "\x1F\x8B\10\0\0\0\0\0", 8, "a.csv.gz is gzipped twice"},
		{"a.csv.bz2", "BZh91AY&SY\0", 11, "is packed by bzip2"},
		{"a.csv.xz",
		 "\xFD"
		 "7zXZ\0",
		 6, "is packed by xz"},
		{"a.zst", "\x28\xB5\x2F\xFD\0", 5, "is packed by zstd"},
		{"a.parquet", "PAR1\x15\0\x15", 7,
		 "a.parquet is a table of Parquet: write it as a text, in Python by pandas.r"},
		{"a.feather", "ARROW1\0\0", 8, "a.feather is a table of Arrow (Feather)"},
		{"a.pkl", "\x80\4\x95\xB0\0\0", 6, "a.pkl was saved by Python's pickle: there write a table as a text"},
		{"a.dat.gz", "\x80\5\x95\xB0\0\0", 6, "was saved by Python's pickle"},
		{"a.pickle", "\x80\3cnumpy\0", 9, "numpy.save('array.npy', X)"},
		{"a.raw", "\x80\3cnumpy\0", 9, "line 1: found a NUL byte"},
		{"a.sav", "Octave-1-L\0\1\0\0\0x", 16, "a.sav holds variables, saved by Octave, and no text: load"},
		{"a.rda.gz", "RDX3\nX\n\0", 8, "was saved by R"},
		{"a.rds.gz", "X\n\0\0", 4, "was saved by R (saveRDS)"},
		{"a.csv", "g,x\n\0,1", 7, "line 2: found a NUL byte, which no text has"},
		{"rows.raw", "\0\0\200?\0\0\0@", 8,
		 "no text at all. Raw numbers need their size in front: as .fbin, uint32 rows"},
		{"b.gz", "\2\0\0\0\3\0\0\0", 8, "line 1: found a NUL byte"},
		{".gz", "\2\0\0\0\3\0\0\0", 8, "line 1: found a NUL byte"},
	};
	char kept[sizeof path];
	strcpy(kept, path);
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		knng_content file;
		knng_err err = {0};
		snprintf(path, sizeof path, "%s/%s", folder, cases[c].name);
		if (strcasecmp(path + strlen(path) - 3, ".gz") == 0)
			write_gzip(cases[c].bytes, cases[c].size);
		else
			write_bytes(cases[c].bytes, cases[c].size);
		CHECK(knng_read(path, KNNG_DATASET | KNNG_GRAPH, NULL, &file, &err) == KNNG_EIO &&
			      strcmp(err.id, "knng:io:format") == 0 && strstr(err.text, cases[c].said) != NULL &&
			      strncmp(err.text, folder, strlen(folder)) == 0,
		      "%s: %s", cases[c].name, err.text);
		unlink(path);
	}
	strcpy(path, kept);
}

/* What Octave saved as a text, also packed, is no table, whatever the options are, unless they leave its head out. */
static void
test_saved(void)
{
	static const char text[] = "# Created by Octave 7.3.0, Fri Jan 01 00:00:00 2021 UTC <a@b>\n# name: x\n"
				   "# type: matrix\n# rows: 2\n# columns: 3\n 1 2 3\n 4 5 6\n\n\n";
	static const char *const others[] = {"# Created by Octave and R\n# a,x\n1,2\n",
					     "# Created by Octave 7.3.0, Fri Jan 01 00:00:00 2021 UTC <a@b>\n1,2\n",
					     "# Created by Octave 7.3.0\n# name: of what\n1,2\n"};
	static const knng_matrix_choice chosen = {NULL, 1};
	static const knng_read_options all[] = {{0}, {.delimiter = ','}, {.names_column = 1}, {.choice = &chosen}};
	knng_content file;
	knng_err err;
	for (size_t c = 0; c < 2 * sizeof all / sizeof *all; c++) {
		(c % 2 == 0 ? write_bytes : write_gzip)(text, sizeof text - 1);
		knng_status status = knng_read_with(path, KNNG_DATASET | KNNG_GRAPH, &all[c / 2], NULL, &file, &err);
		CHECK(status == KNNG_EIO && strcmp(err.id, "knng:io:format") == 0 &&
			      strstr(err.text,
				     "line 1: this holds variables, saved by Octave's save -text, and no table: "
				     "s = load ('") != NULL,
		      "case %zu: %s", c, err.text);
	}
	CHECK(knng_read_with(path, KNNG_DATASET, &(knng_read_options){.skip = 5}, NULL, &file, &err) == KNNG_OK &&
		      file.data.nrows == 2 && file.data.ncols == 3 && file.data.X[5] == 6,
	      "%s", err.text);
	knng_content_free(&file);
	for (size_t c = 0; c < sizeof others / sizeof *others; c++) {
		CHECK(read_text(others[c], &file, &err) == KNNG_OK && file.data.ncols == 2, "%s", err.text);
		knng_content_free(&file);
	}
	char kept[sizeof path];
	strcpy(kept, path);
	snprintf(path, sizeof path, "%s/it's", folder);
	CHECK(read_text(text, &file, &err) == KNNG_EIO && strstr(err.text, "/it''s') has them as fields;") != NULL,
	      "%s", err.text);
	unlink(path);
	snprintf(path, sizeof path, "%s/a\nb", folder);
	CHECK(read_text(text, &file, &err) == KNNG_EIO && strstr(err.text, "s = load (FILE) has") != NULL, "%s",
	      err.text);
	unlink(path);
	strcpy(path, kept);
	write_bytes("# Octave\n1,2\n", 13);
	CHECK(knng_read_with(path, KNNG_DATASET, &all[3], NULL, &file, &err) == KNNG_EARGS &&
		      strcmp(err.id, "knng:args:option") == 0 && strstr(err.text, "'Transposed' is for files") != NULL,
	      "%s", err.text);
	CHECK(knng_read_with(path, KNNG_DATASET, &all[0], NULL, &file, &err) == KNNG_OK && file.data.ncols == 2, "%s",
	      err.text);
	knng_content_free(&file);
}

/* The last file without options. */
static knng_status
read_plain(knng_content *file, knng_err *err)
{
	return knng_read_with(path, KNNG_DATASET | KNNG_GRAPH, &(knng_read_options){0}, NULL, file, err);
}

/* Lines that are no UTF-8 are Windows-1252, and no others; wherever the text begins, and whatever part of it is read
 * when its format is found. */
static void
test_encodings(void)
{
	static const struct {
		const char *text;
		int64_t skip;
		const char *name, *sample;
	} cases[] = {
		{"g,s\xE9\nm\xFC"
		 "nd,1\n",
		 0,
		 "m\xC3\xBC"
		 "nd",
		 "s\xC3\xA9"}, /* Latin-1 */
		{"g,\x80\x92\n\x8C\x81"
		 ",1\n",
		 0, "\xC5\x92\xC2\x81", "\xE2\x82\xAC\xE2\x80\x99"}, /* euro, quote; no character */
		{"g,s\xC3\xA9\nm\xFC"
		 "nd,1\n",
		 0,
		 "m\xC3\xBC"
		 "nd",
		 "s\xC3\xA9"}, /* of both */
		{"g,s\xC3\xA9\nm\xC3\xBC"
		 "nd,1\n",
		 0,
		 "m\xC3\xBC"
		 "nd",
		 "s\xC3\xA9"},
		{"g,s\xC3\xA9\xE9\na,1\n", 0, "a", "s\xC3\x83\xC2\xA9\xC3\xA9"}, /* within a line */
		{"\xEF\xBB\xBFg,s\na\xE9,1\n", 0, "a\xC3\xA9", "s"},
		{"\xEF\xBB\xBFg,s\xE9\na,1\n", 0, "a", "s\xC3\xA9"},
		{"\xDC"
		 "ber\n\x80\r\ng,s\r\na\xE9,1\r\n",
		 2, "a\xC3\xA9", "s"},
		{"g,s\na,1\nb,\xE9", 0, NULL, "line 3: found '\xC3\xA9' in field 2"},
		{"g,s\na,1\xA0"
		 "234\n",
		 0, NULL,
		 "line 2: found '1\xC2\xA0"
		 "234' in field 2"},
		{"#1.2\n1\t1\nName\tDescription\ts\xE9\na\xB5\tx\t1\n", 0, "a\xC2\xB5", "s\xC3\xA9"},
		{"!Series_title\t\"\xE9\"\n!series_matrix_table_begin\nID_REF\ts\na\xB5\t1\n!series_matrix_table_end\n",
		 0, "a\xC2\xB5", "s"},
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		knng_content file;
		knng_err err = {0};
		write_bytes(cases[c].text, strlen(cases[c].text));
		knng_read_options opt = {.skip = cases[c].skip};
		knng_status status = knng_read_with(path, KNNG_DATASET, &opt, NULL, &file, &err);
		bool right = cases[c].name == NULL
				     ? status == KNNG_EIO && strstr(err.text, cases[c].sample) != NULL
				     : status == KNNG_OK && file.data.names != NULL && file.data.samples != NULL &&
					       strcmp(file.data.names[0], cases[c].name) == 0 &&
					       strcmp(file.data.samples[0], cases[c].sample) == 0;
		CHECK(right, "case %zu: %s", c,
		      status == KNNG_OK && file.data.names != NULL ? file.data.names[0] : err.text);
		knng_content_free(&file);
		CHECK(knng_sys().live == 0, "case %zu leaks", c);
	}

	/* Far behind what is read first; the buffer grows by nearly as much again. */
	enum { ROWS = 60000 };
	char *text = malloc(ROWS * 20), *p = stpcpy(text, "g,s\n");
	for (int i = 0; i < ROWS; i++)
		p += sprintf(p, "%s%d,%d\n", i < ROWS / 2 ? "gene" : "\xE4\xF6\xFC\x80", i, i);
	write_bytes(text, (size_t)(p - text));
	free(text);
	knng_content file;
	knng_err err = {0};
	CHECK(read_plain(&file, &err) == KNNG_OK && file.data.nrows == ROWS &&
		      strcmp(file.data.names[0], "gene0") == 0 &&
		      strcmp(file.data.names[ROWS - 1], "\xC3\xA4\xC3\xB6\xC3\xBC\xE2\x82\xAC"
							"59999") == 0 &&
		      file.data.X[ROWS - 1] == ROWS - 1,
	      "%s", err.text);
	knng_content_free(&file);
	CHECK(knng_sys().live == 0, "leaks");
}

/* ---- every format, as a line of text ---- */

static char *
put_list(char *p, const char *what, char *const *strings, int64_t count)
{
	p += sprintf(p, " %s(", what);
	for (int64_t i = 0; strings != NULL && i < count; i++)
		p += sprintf(p, "%s%s", i > 0 ? "|" : "", strings[i]);
	return stpcpy(p, ")");
}

/* 'table names(a|b) samples(x|y) classes() 1 2;3 4 key(v|w)', a * before a key that goes by rows, and symbols(A|B)
 * behind all where there are some. */
static const char *
describe(const knng_content *content)
{
	static char text[4096];
	const knng_dataset *ds = &content->data;
	char *p = stpcpy(text, content->format);
	p = put_list(p, "names", ds->names, ds->nrows);
	p = put_list(p, "samples", ds->samples, ds->ncols);
	p = put_list(p, "classes", ds->classes, ds->ncols);
	for (int64_t i = 0; i < ds->nrows; i++)
		for (int64_t j = 0; j < ds->ncols; j++)
			p += sprintf(p, "%s%g",
				     j > 0   ? " "
				     : i > 0 ? ";"
					     : " ",
				     fabs(ds->X[j * ds->nrows + i]) >= 0 ? ds->X[j * ds->nrows + i] : NAN);
	for (int64_t l = 0; l < ds->nmeta; l++) {
		char key[80];
		snprintf(key, sizeof key, "%s%s", ds->meta[l].by_row ? "*" : "", ds->meta[l].key);
		p = put_list(p, key, ds->meta[l].values, ds->meta[l].count);
	}
	if (ds->symbols != NULL)
		put_list(p, "symbols", ds->symbols, ds->nrows);
	return text;
}

#define NBI "<MicroarrayData>\n2 2\na 1 2\nb 3 4\n"
#define END "<EndOfFile>\n"
#define ABK(layout, target, place) layout "\n" target "\n" place "\n2\n3\n"
#define R "FEATURESINROWS"
#define C "FEATURESINCOLUMNS"
#define P "TARGETPRESENT"
#define N "TARGETNOTPRESENT"
#define GEO(head, rows)                                                                                                \
	head "!series_matrix_table_begin\n\"ID_REF\"\t\"S1\"\t\"S2\"\n" rows "!series_matrix_table_end\n"
#define GDS(subsets, rows)                                                                                             \
	"^DATABASE = Geo\n!Database_name = GEO (NCBI)\n^DATASET = GDS1\n!dataset_title = T = 1 \n" subsets             \
	"^DATASET = GDS1\n#ID_REF = Platform's\n!dataset_table_begin\nID_REF\tIDENTIFIER\tGSM1\tGSM2\n" rows           \
	"!dataset_table_end\n"
#define SUBSET(description, samples, type)                                                                             \
	"^SUBSET = GDS1_1\n!subset_dataset_id = GDS1\n!subset_description = " description                              \
	"\n!subset_sample_id = " samples "\n!subset_type = " type "\n"
#define PLATFORM                                                                                                       \
	"^PLATFORM = GPL1\n!Platform_title = P\n#ID = \n!platform_table_begin\nID\tGene Symbol\tSPOT\tGene Ontology "  \
	"Process\n\"p,1\"\tA\tx\ty\np2\n3\t\"B\" // b\t\t\n!platform_table_end\n"
#define SAMPLE(id, head, rows)                                                                                         \
	"^SAMPLE = " id "\n!Sample_title = " id "'s\n" head "!sample_table_begin\nID_REF\tABS\tVALUE\tP\n" rows        \
	"!sample_table_end\n"
#define PLATFORM_OF(id, title, rows)                                                                                   \
	"^PLATFORM = " id "\n!Platform_title = " title "\n!platform_table_begin\nID\tGene Symbol\n" rows               \
	"!platform_table_end\n"
#define FAMILY2                                                                                                        \
	"^SERIES = GSE1\n!Series_sample_id = a\n!Series_sample_id = b\n!Series_sample_id = c\n!Series_sample_id = "    \
	"d\n" PLATFORM_OF("GPL1", "first", "u\tU\n") PLATFORM_OF("GPL2", "second", "p\tP\nq\tQ\n")                     \
		SAMPLE("a", "!Sample_platform_id = GPL1\n", "u\tx\t1\n")                                               \
			SAMPLE("b", "!Sample_platform_id = GPL2\n", "p\tx\t2\n")                                       \
				SAMPLE("c", "!Sample_platform_id = GPL1\n", "u\tx\t3\n")                               \
					SAMPLE("d", " !sample_platform_id=GPL2 \n", "q\tx\t6\np\tx\t4\n")
#define TEN_PLATFORMS(n)                                                                                               \
	"^PLATFORM = GPL" n "0\n^PLATFORM = GPL" n "1\n^PLATFORM = GPL" n "2\n^PLATFORM = GPL" n                       \
	"3\n^PLATFORM = GPL" n "4\n^PLATFORM = GPL" n "5\n^PLATFORM = GPL" n "6\n^PLATFORM = GPL" n                    \
	"7\n^PLATFORM = GPL" n "8\n^PLATFORM = GPL" n "9\n"
#define CLEAN NULL, NULL, 0
#define GROW "\"g\"\t1\t2\n"

/* The characters of a text in UTF-16, of either order, behind the mark. */
static size_t
wide_of(const char *text, bool big, unsigned char *to)
{
	unsigned char *p = to;
	const char *next = text;
	for (int32_t c = 0xFEFF; c > 0; c = *next != '\0' ? knng_utf8_next(&next) : 0) {
		int32_t units[2] = {0xD7C0 + (c >> 10), 0xDC00 + (c & 0x3FF)};
		for (int u = c > 0xFFFF ? 0 : 1; u < 2; u++) {
			int32_t unit = c > 0xFFFF ? units[u] : c;
			p[!big] = (unsigned char)(unit >> 8);
			p[big] = (unsigned char)unit;
			p += 2;
		}
	}
	return (size_t)(p - to);
}

/* Files of UTF-16 are those of UTF-8, also where a character of four bytes, or a line's end of two, lies on the border
 * of what is read at once. */
static void
test_wide(void)
{
	enum { BYTES = 1 << 19, WIDE = 1 << 20 };
	static char text[BYTES + 200];
	static unsigned char wide[2 * WIDE];
	for (int shift = 0; shift < 8; shift++) {
		char *p = text + sprintf(text, "g%.*s,s\xC3\xA9,\xE2\x82\xAC\r\n", shift, "xxxxxxx");
		for (int row = 0; p < text + BYTES; row++)
			p += sprintf(p, "m\xF0\x9F\x98\x80\xF0\x9F\x98\x80%d,%d.5,\xC3\xA9\r\n", row % 7, row % 10);
		knng_content narrow, file;
		knng_err err = {0};
		CHECK(read_text(text, &narrow, &err) == KNNG_OK, "%s", err.text);
		const knng_dataset *a = &narrow.data, *b = &file.data;
		size_t size = wide_of(text, shift % 2 != 0, wide);
		(shift % 4 < 2 ? write_bytes : write_gzip)(wide, size);
		knng_status status = knng_read(path, KNNG_DATASET, NULL, &file, &err);
		CHECK(status == KNNG_OK, "%s", err.text);
		if (status == KNNG_OK) {
			CHECK(a->nrows == b->nrows && strcmp(b->samples[0], "s\xC3\xA9") == 0 && b->nmeta == 1 &&
				      strcmp(a->meta[0].key, b->meta[0].key) == 0,
			      "%lld rows, %lld", (long long)a->nrows, (long long)b->nrows);
			int64_t same = 0;
			for (int64_t i = 0; i < a->nrows && i < b->nrows; i++)
				same += strcmp(a->names[i], b->names[i]) == 0 && a->X[i] == b->X[i] &&
					strcmp(a->meta[0].values[i], b->meta[0].values[i]) == 0;
			CHECK(same == a->nrows, "shift %d: %lld of %lld rows", shift, (long long)same,
			      (long long)a->nrows);
		}
		knng_content_free(&file);
		knng_content_free(&narrow);
	}
	CHECK(knng_sys().live == 0, "leaks");
}

/* What each file holds; then the line and the words of its first warning, and how many there are. */
static void
test_formats(void)
{
	static const struct {
		const char *text, *content, *line, *words;
		int64_t warnings;
	} cases[] = {
		/* NBI: wrong names and labels lose no data */
		{NBI "<SamplesNames>\nx\n" END, "nbi names(a|b) samples() classes() 1 2;3 4 SamplesNames(x)",
		 "line 5:", "found 1 sample names, expected 2", 1},
		{NBI "<SamplesNames>\nx y z\n" END, "nbi names(a|b) samples() classes() 1 2;3 4 SamplesNames(x|y|z)",
		 "line 5:", "found 3 sample names, expected 2", 1},
		{NBI "<SamplesClasses>\n0\n<SamplesNames>\nx\n" END,
		 "nbi names(a|b) samples() classes() 1 2;3 4 SamplesClasses(0) SamplesNames(x)",
		 "line 5:", "found 1 class labels", 2},
		{NBI "<SamplesClasses>\n0 1\n<SamplesClasses>\n1 1\n" END,
		 "nbi names(a|b) samples() classes(0|1) 1 2;3 4 SamplesClasses(1|1)", "line 7:", "second", 1},

		/* ABK */
		{ABK(R, N, "NONE") "dummy x y z\na 1 2 3\nb\t4\t\t6\n",
		 "abk names(a|b) samples(x|y|z) classes() 1 2 3;4 nan 6 layout(FEATURESINROWS|TARGETNOTPRESENT|NONE)",
		 CLEAN},
		{ABK(R, P, "LAST") "dummy x y z\na 1 2 3\nb 4 5 6\n0 1 1",
		 "abk names(a|b) samples(x|y|z) classes(0|1|1) 1 2 3;4 5 6 layout(FEATURESINROWS|TARGETPRESENT|LAST)",
		 CLEAN},
		{ABK(R, P, "FIRST") "dummy x y z\n\tA A B\na 1 2 3\nb 4 5 6\n",
		 "abk names(a|b) samples(x|y|z) classes(A|A|B) 1 2 3;4 5 6 layout(FEATURESINROWS|TARGETPRESENT|FIRST)",
		 CLEAN},
		{ABK(R, P, "LAST") "dummy x y z\na 1 2 3\nb 4 5 6\nclass 0 1 1\n\n",
		 "abk names(a|b) samples(x|y|z) classes(0|1|1) 1 2 3;4 5 6 layout(FEATURESINROWS|TARGETPRESENT|LAST)",
		 CLEAN},
		{"featuresinrows targetnotpresent no 2 3\n  dummy x y z\na 1 2 3\nb 4 5 6\n",
		 "abk names(a|b) samples(x|y|z) classes() 1 2 3;4 5 6 layout(featuresinrows|targetnotpresent|no)",
		 CLEAN},
		{ABK(C, N, "NO") "dummy a b\nx 1 4\ny 2 5\nz 3 NA\n",
		 "abk names(a|b) samples(x|y|z) classes() 1 2 3;4 5 nan layout(FEATURESINCOLUMNS|TARGETNOTPRESENT|NO)",
		 CLEAN},
		{ABK(C, P, "LAST") "dummy a b\nx 1 4 p\ny\t2\t\tp\nz 3 6 q\n",
		 "abk names(a|b) samples(x|y|z) classes(p|p|q) 1 2 3;4 nan 6 "
		 "layout(FEATURESINCOLUMNS|TARGETPRESENT|LAST)",
		 CLEAN},
		{ABK(C, P, "FIRST") "dummy type a b\nx p 1 4\ny p 2 5\nz q 3 6\n",
		 "abk names(a|b) samples(x|y|z) classes(p|p|q) 1 2 3;4 5 6 "
		 "layout(FEATURESINCOLUMNS|TARGETPRESENT|FIRST)",
		 CLEAN},
		{ABK(R, P, "LAST") "dummy x y z\na 1 2 3\nb 4 5 6\n0 1\n",
		 "abk names(a|b) samples(x|y|z) classes() 1 2 3;4 5 6 layout(FEATURESINROWS|TARGETPRESENT|LAST) "
		 "target(0|1)",
		 "line 9:", "found 2 class labels in the target row, expected 3", 1},
		{ABK(R, P, "LAST") "dummy x y z\na 1 2 3\nb 4 5 6\n",
		 "abk names(a|b) samples(x|y|z) classes() 1 2 3;4 5 6 layout(FEATURESINROWS|TARGETPRESENT|LAST) "
		 "target()",
		 "line 9:", "found 0 class labels", 1},
		{ABK(R, P, "NO") "dummy x y z\na 1 2 3\nb 4 5 6\n0 1 1\n",
		 "abk names(a|b) samples(x|y|z) classes(0|1|1) 1 2 3;4 5 6 layout(FEATURESINROWS|TARGETPRESENT|NO)",
		 "line 3:", "neither FIRST nor LAST", 1},
		{ABK(R, N, "NO") "dummy x y\na 1 2 3\nb 4 5 6\n",
		 "abk names(a|b) samples() classes() 1 2 3;4 5 6 layout(FEATURESINROWS|TARGETNOTPRESENT|NO) "
		 "header(x|y)",
		 "line 6:", "found 2 names", 1},
		{ABK(C, N, "NO") "dummy a b c\nx 1 4\ny 2 5\nz 3 6\n",
		 "abk names() samples(x|y|z) classes() 1 2 3;4 5 6 layout(FEATURESINCOLUMNS|TARGETNOTPRESENT|NO) "
		 "header(a|b|c)",
		 "line 6:", "found 3 names", 1},

		/* GEO */
		{GEO("!Series_title\t\"T\"\n!Series_contact\t\"\"\n!Series_x\n\n!Sample_title\t\"a\"\t\"b\"\n"
		     "!Sample_c\t\"sex: f\"\t\"sex: m\"\n!Sample_c\t\"\"\t\"age: 3\"\n",
		     "\"1007_s_at\"\t1.5\t\n\"x\"\"y\"\tnull\t-2e2\n") "\n!Series_end\t\"e\"\n",
		 "geo names(1007_s_at|x\"y) samples(S1|S2) classes() 1.5 nan;nan -200 Series_title(T) Series_contact() "
		 "Series_x() Sample_title(a|b) Sample_c(sex: f|sex: m) Sample_c(|age: 3) Series_end(e)",
		 CLEAN},
		{GEO("!Series_title\t\"5\" end, \"so\" said\"\n!Sample_t\t\"tab\there\"\t\"open\n", GROW),
		 "geo names(g) samples(S1|S2) classes() 1 2 Series_title(5\" end, \"so\" said) "
		 "Sample_t(tab\there|\"open)",
		 CLEAN},
		{GEO("!Sample_t\t\"a\"\n!Sample_u\t1\t2\t3\n!Series_t\t1\t2\t3\n", GROW),
		 "geo names(g) samples(S1|S2) classes() 1 2 Sample_t(a) Sample_u(1|2|3) Series_t(1|2|3)",
		 "line 1:", "found 1 values of Sample_t, expected 2", 2},
		{GEO("!Series_t\t\"a\nb\"\n!\t\"x\"\n", GROW),
		 "geo names(g) samples(S1|S2) classes() 1 2 Series_t(\"a)", "line 2:", "found 'b\"'", 2},
		{"!Series_t\tx\nID_REF\tS1\ng\t7\n!series_matrix_table_end",
		 "geo names(g) samples(S1) classes() 7 Series_t(x)",
		 "line 2:", "without a line !series_matrix_table_begin", 1},

		/* SOFT of GEO: data sets */
		{GDS(SUBSET("a b", "GSM2,GSM1", "disease state") SUBSET("old", "GSM2", "age"),
		     "g\tA\t1.5\tnull\n\"h\"\t\t\t-2e2\n"),
		 "soft names(g|h) samples(GSM1|GSM2) classes(a b|a b) 1.5 nan;nan -200 Database_name(GEO (NCBI)) "
		 "dataset_title(T = 1) *IDENTIFIER(A|) disease state(a b|a b) age(|old) symbols(A|)",
		 CLEAN},
		{"^dataset = x\n!dataset_table_begin\nID_REF\tgsm7\tGene title\tGO\na\t1\tthe \"a\" gene\tg\nb\t2\t\t\n"
		 "!dataset_table_end",
		 "soft names(a|b) samples(gsm7) classes() 1;2 *Gene title(the \"a\" gene|) *GO(g|)", CLEAN},
		{GDS(SUBSET("u", "GSM1,GSM3", "s") SUBSET("v", "GSM1, GSM2", "s"), "g\tA\t1\t2\n"),
		 "soft names(g) samples(GSM1|GSM2) classes(u|v) 1 2 Database_name(GEO (NCBI)) dataset_title(T = 1) "
		 "*IDENTIFIER(A) s(u|v) symbols(A)",
		 "line 5:", "the sample 'GSM3' of a subset is no column", 2},
		{GDS("^SUBSET = x\n!subset_type = s\nnoise\n!broken line\n", "g\tA\t1\t2\n"),
		 "soft names(g) samples(GSM1|GSM2) classes() 1 2 Database_name(GEO (NCBI)) dataset_title(T = 1) "
		 "*IDENTIFIER(A) symbols(A)",
		 "line 7:", "found 'noise', expected a line", 3},
		/* and families: with a platform and without; values that a sample has not, and has for no row */
		{"^SERIES = GSE1\n!Series_title = S\n" PLATFORM SAMPLE(
			 "GSM1", "!Sample_c = sex: f\n!Sample_c = age: 3\n", "3\tA\t7\t\n\"p,1\"\t\t1.5\t0\n")
			 SAMPLE("GSM2", "!Sample_c = sex: m\n!Sample_d =\n",
				"p2\tP\tnull\nq\tP\t5\n3\tP\t-1"
				"\n") SAMPLE("GSM3", "", ""),
		 "soft names(p,1|p2|3) samples(GSM1|GSM2|GSM3) classes() 1.5 nan nan;nan nan nan;7 -1 nan "
		 "Series_title(S) "
		 "Platform_title(P) *Gene Symbol(A||\"B\" // b) Sample_title(GSM1's|GSM2's|GSM3's) Sample_c(sex: "
		 "f|sex: m|) "
		 "Sample_c(age: 3||) Sample_d(||) symbols(A||\"B\" // b)",
		 "line 28:", "a value of 'q', which is no row of the platform", 1},
		/* without rows of a platform; several series, which name samples of each other and of other files */
		{"^SERIES = s\n!Series_sample_id = a\n^SERIES = r\n!Series_sample_id = a\n!Series_sample_id = b\n"
		 "^PLATFORM = p\n!platform_table_begin\n!platform_table_end\n" SAMPLE("a", "", "p\tx\t1\nq\tx\t2\n")
			 SAMPLE("c", "", "r\tx\t3\nq\tx\t4\n"),
		 "soft names(p|q) samples(a|c) classes() 1 nan;2 4 Series_sample_id(a) Series_sample_id(a) "
		 "Series_sample_id(b) Sample_title(a's|c's)",
		 "line 20:", "a value of 'r', which is no row of the first sample", 1},
		{GDS("", "g\tA\t1\t2\t\n") SUBSET("u", "GSM1", "s"),
		 "soft names(g) samples(GSM1|GSM2) classes() 1 2 Database_name(GEO (NCBI)) dataset_title(T = 1) "
		 "*IDENTIFIER(A) symbols(A)",
		 "line 11:", "a subset behind the table", 1},
		{SAMPLE("GSM1", "", "b\tx\t2\t3\na\tx\t1\n") "^SAMPLE = GSM2\n!Sample_e = late\n",
		 "soft names(b|a) samples(GSM1|GSM2) classes() 2 nan;1 nan Sample_title(GSM1's|) Sample_e(|late)",
		 CLEAN},

		/* GCT */
		{"#1.2\n2\t2\nName\tDescription\tx\ty\na\tthe \"a\" gene\t1\t2\nb\t\t3\t\n",
		 "gct names(a|b) samples(x|y) classes() 1 2;3 nan *descriptions(the \"a\" gene|)", CLEAN},
		{"#1.2\t\t\t\n1 2\t\t\nName\tDescription\tx\ty\t\na\t\"quoted\"\t1\t2\t",
		 "gct names(a) samples(x|y) classes() 1 2 *descriptions(quoted)", CLEAN},
		{"#1.2\n1 2\nName\tDescription\tx\ty\tz\na\t\t1\t2\n",
		 "gct names(a) samples() classes() 1 2 header(Name|Description|x|y|z)", "line 3:", "found 5 fields", 1},
		{"#1.3\n1\t2\t0\t1\t\nid\tx\ty\t\t\ndose\tlow\t\t\na\t1\t2\t\n",
		 "gct names(a) samples(x|y) classes() 1 2 dose(low|)", CLEAN},
		{"#1.3\n2\t2\t2\t1\nid\tsymbol\tlength\tx\ty\ndose\tna\tna\tlow\thigh\na\tA\t5\t1\t2\nb\tB\t6\t3\t4\n",
		 "gct names(a|b) samples(x|y) classes() 1 2;3 4 *symbol(A|B) *length(5|6) dose(low|high) symbols(A|B)",
		 CLEAN},
		{"#1.3\n1\t2\t0\t1\nid\tx\ty\ndose\tlow\na\t1\t2\n",
		 "gct names(a) samples(x|y) classes() 1 2 dose(low)", "line 4:", "found 1 values, expected 2", 1},

		/* tables */
		{"gene,x,y\na,1,2\nb,3,4\n", "table names(a|b) samples(x|y) classes() 1 2;3 4", CLEAN},
		{"gene\tx\ty\r\na\t1\t2\r\nb\t3\t4", "table names(a|b) samples(x|y) classes() 1 2;3 4", CLEAN},
		{"\"gene\";\"x\";\"y\"\r\"a\";1;2\r\r\"b\";3;4\r", "table names(a|b) samples(x|y) classes() 1 2;3 4",
		 CLEAN},
		{"\xEF\xBB\xBFgene , x , \"y\" \n a , 1 , \"2\" \n\"b\",\t3,4\n",
		 "table names(a|b) samples(x|y) classes() 1 2;3 4", CLEAN},
		{"\"g\",\"x, 1\",\"y\"\"\"\n\"a\n\"\"b\"\"\",NA,\"\"\nc,N/A,Inf\n",
		 "table names(a\n\"b\"|c) samples(x, 1|y\") classes() nan nan;nan inf", CLEAN},
		{"x,y\n1,2\n3,4\n", "table names() samples(x|y) classes() 1 2;3 4", CLEAN},
		{"x,y\ninf,+Infinity\n-INF,1e-400\n", "table names() samples(x|y) classes() inf inf;-inf 0", CLEAN},
		{"<MicroarrayData>\n1 3\na Inf -inf +infinity\n<EndOfFile>\n",
		 "nbi names(a) samples() classes() inf -inf inf", CLEAN},
		{"x,y\n1,2\nb,4\n", "table names(1|b) samples(y) classes() 2;4", CLEAN},
		{",y\n1,2\n3,4\n", "table names(1|3) samples(y) classes() 2;4", CLEAN},
		{"\ty\n1\t2\n", "table names(1) samples(y) classes() 2", CLEAN},
		{"x,y\n\"1\",2\n", "table names(1) samples(y) classes() 2", CLEAN},
		{"x,y\na,1,2\nb,3,4\n", "table names(a|b) samples(x|y) classes() 1 2;3 4", CLEAN},
		/* exponents of Fortran, but no names, and without a decimal sign all may be names */
		{"g,x,y\na,1.5D-02,2.D+1\nb,-.5d+01,2\n", "table names(a|b) samples(x|y) classes() 0.015 20;-5 2",
		 CLEAN},
		{"1.5D-02,2.D+1\n1,2\n", "table names() samples() classes() 0.015 20;1 2", CLEAN},
		{"g;x;y\na;1,5D-02;2,D+1\nb;-,5d+01;1\n", "table names(a|b) samples(x|y) classes() 0.015 20;-5 1",
		 CLEAN},
		{"well,x\n1D3,1\n2D4,2\n", "table names(1D3|2D4) samples(x) classes() 1;2", CLEAN},
		{",1D3,2D4\na,1,2\nb,3,4\n", "table names(a|b) samples(1D3|2D4) classes() 1 2;3 4", CLEAN},
		{"g,x,y\na,.5D+01,1\nb,-.137D3,2\n", "table names(a|b) samples(x|y) classes() 5 1;-137 2", CLEAN},
		{"g,well,y\na,1.D3,1\nb,2.D12,2\n", "table names(a|b) samples(y) classes() 1;2 *well(1.D3|2.D12)",
		 CLEAN},
		{"g,well,y\na,A1,1\nb,1.D3,2\n", "table names(a|b) samples(y) classes() 1;2 *well(A1|1.D3)", CLEAN},
		{"g,x,y\na,1,1\nb,1.D3,2.D4\n", "table names(a|b) samples(x|y) classes() 1 1;1000 20000", CLEAN},
		{"g,x,y\na,1.D3,1\nb,2,2\n", "table names(a|b) samples(x|y) classes() 1000 1;2 2", CLEAN},
		{"x,y\n1.D3,1\n2,2\n", "table names() samples(x|y) classes() 1000 1;2 2", CLEAN},
		{"well,x\n1.D3,1\n2.D4,2\n", "table names(1.D3|2.D4) samples(x) classes() 1;2", CLEAN},
		{"1D3,2D4\n1,2\n", "table names() samples(1D3|2D4) classes() 1 2", CLEAN},
		{"g,well,y\na,1D3,1\nb,2D4,2\n", "table names(a|b) samples(y) classes() 1;2 *well(1D3|2D4)", CLEAN},
		{"g,x,y\na,\"2,4D\",1\nb,\"2,4D\",2\n", "table names(a|b) samples(y) classes() 1;2 *x(2,4D|2,4D)",
		 CLEAN},
		/* numbers with signs are texts, where there are no others */
		{"g,x,y\na,$5,1\nb,(6),2\n", "table names(a|b) samples(y) classes() 1;2 *x($5|(6))", CLEAN},
		/* columns of places are texts, their numbers too, but not where all are numbers */
		{"gene,Chr,Ctl,strand+\nA,10.5,20,3\nB,NA,21,4\n",
		 "table names(A|B) samples(Chr|Ctl|strand+) classes() 10.5 20 3;nan 21 4", CLEAN},
		{"Geneid\tChr\tStart\tEnd\tStrand\tLength\ta\n1\tE1\t1\t5\t6\t+\t7\t3\n2\tE2\t2\t5\t6\t-\t8\t4\n",
		 "table names(1|2) samples(a) classes() 3;4 *Geneid(E1|E2) *Chr(1|2) *Start(5|5) *End(6|6) "
		 "*Strand(+|-) "
		 "*Length(7|8)",
		 CLEAN},
		{"# "
		 "Program:featureCounts\nGeneid\tChr\tStart\tEnd\tStrand\tLength\ta\tb\nE1\t1;1\t1;9\t4;12\t+;+"
		 "\t7\t0\t3\n"
		 "E2\tX\t5\t6\t-\t2\t44\t50\n",
		 "table names(E1|E2) samples(a|b) classes() 0 3;44 50 *Chr(1;1|X) *Start(1;9|5) *End(4;12|6) "
		 "*Strand(+;+|-) *Length(7|2)",
		 CLEAN},
		{"id,chromosome,x,Strand\na,1,5,1\nb,,6,-1\nc,X,7,1\n",
		 "table names(a|b|c) samples(x) classes() 5;6;7 *chromosome(1||X) *Strand(1|-1|1)", CLEAN},
		{"Geneid,Start,End,x\na,1,2,3\nb,4,5,6\n",
		 "table names(a|b) samples(Start|End|x) classes() 1 2 3;4 5 6", CLEAN},
		{"1,2\na,1,2\nb,3,4\n", "table names(a|b) samples(1|2) classes() 1 2;3 4", CLEAN},
		{"1,2\n3,4\n", "table names() samples() classes() 1 2;3 4", CLEAN},
		{"1,NA\n3,\n", "table names() samples() classes() 1 nan;3 nan", CLEAN},
		{"\"1\",\"2\"\n3,4\n", "table names() samples(1|2) classes() 3 4", CLEAN},
		{",1,2\n3,4,5\n", "table names(3) samples(1|2) classes() 4 5", CLEAN},
		{"g,x,,\na,1,,\nb,2\n", "table names(a|b) samples(x) classes() 1;2", CLEAN},
		{"g,x,y\na,,2\nb,1,\n", "table names(a|b) samples(x|y) classes() nan 2;1 nan", CLEAN},
		{"\"x\" \"y\"\n\"a 1\" 1 2\n\"b\" NA 4\n", "table names(a 1|b) samples(x|y) classes() 1 2;nan 4",
		 CLEAN},
		{"x y\na 1 2 \nb   3\t4", "table names(a|b) samples(x|y) classes() 1 2;3 4", CLEAN},
		{"    gene  x   y\n    a     1   2\n    b   -.5   4\n",
		 "table names(a|b) samples(x|y) classes() 1 2;-0.5 4", CLEAN},
		{"1.5 2\n3 4\n", "table names() samples() classes() 1.5 2;3 4", CLEAN},
		{"1.5e0 2 -3", "table names() samples() classes() 1.5 2 -3", CLEAN},
		{"# x y\n1 2\n3 4\n", "table names() samples(x|y) classes() 1 2;3 4", CLEAN},
		{"## made by a, b\n\n#gene\tx\ty\na\t1\t2\n", "table names(a) samples(x|y) classes() 1 2", CLEAN},
		{"# made by a, b\nx,y\n1,2\n", "table names() samples(x|y) classes() 1 2", CLEAN},
		{"# gene,x,y,z\nclass,a,b,a\ng,1,2,3\n",
		 "table names(g) samples(x|y|z) classes(a|b|a) 1 2 3 class(a|b|a)", CLEAN},
		{"#x\ty\ngroup\ta\tb\nlabel\tu\tv\ng\t1\t2\n",
		 "table names(g) samples(x|y) classes(a|b) 1 2 group(a|b) label(u|v)", CLEAN},
		{"# gene,x,y\nclass,a,b\n", NULL, "line 3", "the first row", 0},
		{"#g,x\n# one, two, three\n1,2\n", "table names() samples() classes() 1 2", CLEAN},
		{"# values\n1,2\n", "table names() samples() classes() 1 2", CLEAN},
		{"sep=;\ng;x,y\na;1\n", "table names(a) samples(x,y) classes() 1", CLEAN},
		{"SEP=|\r\ng|x\r\na|1\r\n", "table names(a) samples(x) classes() 1", CLEAN},
		{"Gene ID,x\n7,1\n7,2\n", "table names(7|7) samples(x) classes() 1;2", CLEAN},
		{"\"geneID\"\tx\n7\t1\nNA\t2\n", "table names(7|NA) samples(x) classes() 1;2", CLEAN},
		{"Entrez;x\n7.0;1\n8;2\n", "table names(7.0|8) samples(x) classes() 1;2", CLEAN},
		{"probesetid,x\n7,1\n", "table names(7) samples(x) classes() 1", CLEAN},
		{"Unnamed: 0,x\n0,1\n1,2\n", "table names(0|1) samples(x) classes() 1;2", CLEAN},
		{"Entrez Gene,x\n7,1\n", "table names(7) samples(x) classes() 1", CLEAN},
		{"#ID_REF\tx\n7\t1\n", "table names(7) samples(x) classes() 1", CLEAN},
		{"Genes,x\n7,1\n", "table names(7) samples(x) classes() 1", CLEAN},
		{"gene,x\n7.5,1\n8,2\n", "table names() samples(gene|x) classes() 7.5 1;8 2", CLEAN},
		{"gene,x\n-7,1\n8,2\n", "table names() samples(gene|x) classes() -7 1;8 2", CLEAN},
		{"gene,x\nInf,1\n8,2\n", "table names() samples(gene|x) classes() inf 1;8 2", CLEAN},
		{"gene,x\n,1\nNA,2\n", "table names() samples(gene|x) classes() nan 1;nan 2", CLEAN},
		{"acid,x\n7,1\n", "table names() samples(acid|x) classes() 7 1", CLEAN},
		{"lipids,x\n7,1\n", "table names() samples(lipids|x) classes() 7 1", CLEAN},
		{"generation,x\n7,1\n", "table names() samples(generation|x) classes() 7 1", CLEAN},
		{"g,symbol,x,chr,y\na,A,1,chr1,2\nb,\"B, \"\"b\"\"\",3,chrX,4\n",
		 "table names(a|b) samples(x|y) classes() 1 2;3 4 *symbol(A|B, \"b\") *chr(chr1|chrX) symbols(A|B, "
		 "\"b\")",
		 CLEAN},
		{"entrez\tsymbol\tx\n7\tA\t1\n8\t\t2\n",
		 "table names(7|8) samples(x) classes() 1;2 *symbol(A|) symbols(A|)", CLEAN},
		{"x,y,kind\n1,2,a\n3,4,b\n", "table names() samples(x|y) classes() 1 2;3 4 *kind(a|b)", CLEAN},
		{"x,kind,y,of\n1,a,2,c\n3,b,4,d\n5,,6,\n",
		 "table names() samples(x|y) classes() 1 2;3 4;5 6 *kind(a|b|) *of(c|d|)", CLEAN},
		{"x kind\na 1 p 2\n", NULL, "line 2:", "at least 3 fields", 0},
		{"kind x\na p 2\nb \"q r\"  3\n", "table names(a|b) samples(x) classes() 2;3 *kind(p|q r)", CLEAN},
		{"g,kind,x\na,NA,1\nb,,2\nc,k,NA\n", "table names(a|b|c) samples(x) classes() 1;2;nan *kind(||k)",
		 CLEAN},
		{"g,kind,x\na,k,1\nb,\"NA\",2\nc,null,3\nNA,nan,4\n",
		 "table names(a|b|c|NA) samples(x) classes() 1;2;3;4 *kind(k|NA||)", CLEAN},
		{"g,kind,x\na,k,1\nb,\"7\",2\nc,1-2,3\n",
		 "table names(a|b|c) samples(x) classes() 1;2;3 *kind(k|7|1-2)", CLEAN},
		{"g,none,x\na,NA,1\nb,,2\n", "table names(a|b) samples(none|x) classes() nan 1;nan 2", CLEAN},
		{",kind,1\n3,k,5\n", "table names(3) samples(1) classes() 5 *kind(k)", CLEAN},
		{"1,2,k\n3,4,l\n", "table names() samples(1|2) classes() 3 4 *k(l)", "line 1:", "put a header above it",
		 1},
		/* which column has the symbols, and what in it is none */
		{"id,gene,alias_symbol,x\na,A,B,1\nb,-,C,2\n",
		 "table names(a|b) samples(x) classes() 1;2 *gene(A|-) *alias_symbol(B|C) symbols(A|)", CLEAN},
		{"id\tGene name\tIdentifier\tthe symbol\tHGNC_symbol\tSymbol\tx\na\tA\tB\tC\t---\tE\t1\n",
		 "table names(a) samples(x) classes() 1 *Gene name(A) *Identifier(B) *the symbol(C) *HGNC_symbol(---) "
		 "*Symbol(E) symbols()",
		 CLEAN},
		{"id\tGene name\tIdentifier\tx\na\tA\t\"null\"\t1\nb\tA\t--Control\t2\nc\tA\tD /// E\t3\n",
		 "table names(a|b|c) samples(x) classes() 1;2;3 *Gene name(A|A|A) *Identifier(null|--Control|D /// E) "
		 "symbols(||D /// E)",
		 CLEAN},
		{"id,general,genes of a very long name that is no word,x\na,A,B,1\n",
		 "table names(a) samples(x) classes() 1 *general(A) *genes of a very long name that is no word(B)",
		 CLEAN},
		{"#1.2\n1\t1\nNAME\tGene Symbol\tx\na\tA\t1\n",
		 "gct names(a) samples(x) classes() 1 *descriptions(A) symbols(A)", CLEAN},
		{"#1.3\n1\t1\t0\t1\nid\tx\nsymbol\tu\na\t1\n", "gct names(a) samples(x) classes() 1 symbol(u)", CLEAN},
		/* lines of what the samples are: by their names, or by their texts */
		{"gene,symbol,s1,s2,s3\nclass,,ALL,ALL,AML\na,A,1,2,3\nb,B,4,5,6\n",
		 "table names(a|b) samples(s1|s2|s3) classes(ALL|ALL|AML) 1 2 3;4 5 6 *symbol(A|B) class(ALL|ALL|AML) "
		 "symbols(A|B)",
		 CLEAN},
		{"gene\ts1\ts2\r\n\r\n\"Disease\"\tsick\t\"well, \"\"now\"\"\"\r\nsite\tx\tNA\r\na\t1\t2\r\n", NULL,
		 "line 4:", "found 'x' in field 2, expected a number", 0},
		{"gene\ts1\ts2\r\n\r\n\"Disease\"\tsick\t\"well, \"\"now\"\"\"\r\n#site\tx\tNA\r\na\t1\t2\r\n",
		 "table names(a) samples(s1|s2) classes(sick|well, \"now\") 1 2 Disease(sick|well, \"now\") site(x|)",
		 CLEAN},
		{"s1 s2 s3\nclass u u v\n# w y \"\"\na 1 2 3\n",
		 "table names(a) samples(s1|s2|s3) classes(u|u|v) 1 2 3 class(u|u|v) class(w|y|)", CLEAN},
		{"s1 s2 s3\nclass u u v\n#k w y \"\"\na 1 2 3\nb 4 5 6\n",
		 "table names(a|b) samples(s1|s2|s3) classes(u|u|v) 1 2 3;4 5 6 class(u|u|v) k(w|y|)", CLEAN},
		{"gene;s1;s2\nwhere;here;there\n!age;51.5;\nClass labels;1;0\na;1;2\n",
		 "table names(a) samples(s1|s2) classes(here|there) 1 2 where(here|there) age(51.5|) Class labels(1|0)",
		 CLEAN},
		{"ID,note,s1,s2\n,when,early,late\na,n,NA,2\nb,m,1,\n",
		 "table names(a|b) samples(s1|s2) classes(early|late) nan 2;1 nan *note(n|m) when(early|late)", CLEAN},
		{"x,y,z\nu,v,u\n1,2,3\n", "table names() samples(x|y|z) classes(u|v|u) 1 2 3 class(u|v|u)", CLEAN},
		{"1,2\nclass,u,v\n7,3,4\n", "table names(7) samples(1|2) classes(u|v) 3 4 class(u|v)", CLEAN},
		{"\"\",\"x\",\"y\"\n\"class\",\"u\",\"v\"\n\"a\",\"1\",\"2\"\n",
		 "table names(a) samples(x|y) classes(u|v) 1 2 class(u|v)", CLEAN},
		{"#gene\tx\ty\n#class\t0\t1\na\t1\t2\n", "table names(a) samples(x|y) classes(0|1) 1 2 class(0|1)",
		 CLEAN},
		{"g,x,y,\ntissue,liver,liver,\na,1,2,\n",
		 "table names(a) samples(x|y) classes(liver|liver) 1 2 tissue(liver|liver)", CLEAN},
		{"group,x,y\nclass,0.5,1\nb,1,2\n", "table names(class|b) samples(x|y) classes() 0.5 1;1 2", CLEAN},
		{"g,x,y\nage,5,1\nb,1,2\n", "table names(age|b) samples(x|y) classes() 5 1;1 2", CLEAN},
		{"g,x,y\nb,1,2\nclass,0,1\n", "table names(b|class) samples(x|y) classes() 1 2;0 1", CLEAN},
		{"g,k,x,y\na,p,NA,\nb,q,1,2\n", "table names(a|b) samples(x|y) classes() nan nan;1 2 *k(p|q)", CLEAN},
		{"x,y\nb,NA\n1,2\n", "table names(b|1) samples(y) classes() nan;2", CLEAN},
		{"g,k,x\na,k,NA\nb,\"7\",2\n", "table names(a|b) samples(x) classes() nan;2 *k(k|7)", CLEAN},
		{"g,x,y\nclass,u,v\nclass,w,u\na,1,2\n",
		 "table names(a) samples(x|y) classes(u|v) 1 2 class(u|v) class(w|u)", CLEAN},
		/* dates, versions and lists are texts; signs between thousands are none */
		{"g,x,day,y\na,1,01.02.2020,2\nb,3,2.3.2020,4\n",
		 "table names(a|b) samples(x|y) classes() 1 2;3 4 *day(01.02.2020|2.3.2020)", CLEAN},
		{"g;x;day;v;y\na;0,5;01.02.;1.2.3;2\nb;3;;1.10.0;4\n",
		 "table names(a|b) samples(x|y) classes() 0.5 2;3 4 *day(01.02.|) *v(1.2.3|1.10.0)", CLEAN},
		{"g\tx\tin\tof\ty\na\t1\t3,7,12\t1 2 3\t2\nb\t3\t5, 12, 1\t4\t4\n", NULL,
		 "line 2:", "found '1 2 3' in field 4", 0},
		{"g,x,at,y\na,1,\"1.5, 2.5\",2\nb,3,1.5 2.5,4\n",
		 "table names(a|b) samples(x|y) classes() 1 2;3 4 *at(1.5, 2.5|1.5 2.5)", CLEAN},
		{"g\tx\tin\ty\na\t1\t3,7,12\t2\nb\t3\t5, 12, 1\t4\n",
		 "table names(a|b) samples(x|y) classes() 1 2;3 4 *in(3,7,12|5, 12, 1)", CLEAN},
		{"g,x,y\n#day,01.02.2020,\nb,1,2\n",
		 "table names(b) samples(x|y) classes(01.02.2020|) 1 2 day(01.02.2020|)", CLEAN},
		{"g,x,y\nday,01.02.2020,03.02.2020\nb,1,2\n", NULL, "line 2:", "put # before its name", 0},
		{"g,x,y\na,1.2.3,1\nb,2,3\n", NULL,
		 "line 2:", "one decimal sign and none between thousands: mend that in the file", 0},
		{"g,x,y\na,1.234.567,1\nb,1.234.567,3\n", NULL, "line 2:", "give knng.read 'Missing', '1.234.567'", 0},
		{"g,x,y\na,1,2\nb,2020-01-02,3\n", NULL, "line 3:",
		 "found '2020-01-02' in field 2, expected a number (with a decimal point), or NA for a missing value; "
		 "it "
		 "looks like a date, which spreadsheets make of some numbers: mend that in the file; if it stands for "
		 "a "
		 "missing value, give knng.read 'Missing', '2020-01-02'",
		 0},
		{"g,x,y\na,1,2\nb,01/02/20,3\n", NULL, "line 3:", "looks like a date", 0},
		{"g;x;y\na;1,5;2\nb;1.2.2020;3\n", NULL, "line 3:", "looks like a date", 0},
		{"g,x,y\na,1,2\nb,10-20,3\n", NULL, "line 3:",
		 "a number has one sign at most, in front: mend that in the file; if it stands for a missing value, "
		 "give "
		 "knng.read 'Missing', '10-20'",
		 0},
		{"g,x,y\na,1,2\nb,2020-,3\n", NULL, "line 3:", "one sign at most", 0},
		{"g,x,y\na,1,2\nb,2020-1,3", NULL, "line 3:", "one sign at most", 0},
		{"g,x,y\na,\"12,34,567\",1\n", NULL, "line 2:", "found '12,34,567' in field 2", 0},
		{"g\tx\ty\na\t1 234 567.89\t1\n", NULL, "line 2:", "found '1 234 567.89' in field 2", 0},
		{"g;x;y\na;1.234.567,5;1\n", NULL, "line 2:", "found '1.234.567,5' in field 2", 0},
		{"g\tx\ty\na\t1 234 %\t1\n", NULL, "line 2:", "found '1 234 %' in field 2", 0},
		/* and what could be none */
		{"g,x,y\na,ND,ND\nb,1,2\n", NULL, "line 2:", "found 'ND' in field 2, expected a number", 0},
		{"g,x,y\na,ND,#DIV/0!\nb,1,2\n", NULL, "line 2:", "put # before its name", 0},
		{"g,x,y\na,1.5*,(2.5)\nb,1,2\n", NULL, "line 2:", "put # before its name", 0},
		{"g,x,y\na,1.#QNAN,-1.#IND\nb,1,2\n", NULL, "line 2:", "put # before its name", 0},
		{"g,x,y\na,1.5\302\240,\342\210\2222\nb,1,2\n", NULL, "line 2:", "no minus but -", 0},
		{"g,x,y\na,err,fail\nb,1,2\n", NULL, "line 2:", "put # before its name", 0},
		{"g,x,y\nclass,Inf,-Inf\nb,1,2\n", "table names(class|b) samples(x|y) classes() inf -inf;1 2", CLEAN},
		/* dashes above texts are texts, above numbers nothing; lines of separators below a table are none of it
		 */
		{"id,title,x\na,---,1\nb,-,2\nc,T,3\n", "table names(a|b|c) samples(x) classes() 1;2;3 *title(---|-|T)",
		 CLEAN},
		{"id,x,y\na,-,1\nb,2,3\n", NULL, "line 2:", "if it stands for one, give knng.read 'Missing', '-'", 0},
		{"id;x;y\na;--;1\nb;2;3\n", NULL, "line 2:", "if it stands for one, give knng.read 'Missing', '--'", 0},
		{"g;x\na;1,5\nb;1.234,5\n", NULL, "line 3:", "no sign between thousands", 0},
		{"Title\nmore\n", NULL, "line 1:", "a table (of tabs, commas, semicolons or blanks)", 0},
		/* texts that look like decimal commas, below others that do not */
		{"id\tnote\tx\ty\ng1\tfoo\tNA\tNA\ng2\t1,2\t5\t6\ng3\tbar\t7\t8\n",
		 "table names(g1|g2|g3) samples(x|y) classes() nan nan;5 6;7 8 *note(foo|1,2|bar)", CLEAN},
		{"score\tclusters\n0.5\tnone\n1.5\t1,2\n2.5\tnone\n",
		 "table names() samples(score) classes() 0.5;1.5;2.5 *clusters(none|1,2|none)", CLEAN},
		{"g;x;y\na;1;2\n;;\n;;\n", "table names(a) samples(x|y) classes() 1 2", CLEAN},
		{"g,x,y\na,odd,odd\nb,1,2\n", NULL, "line 2:", "found 'odd' in field 2", 0},
		{"g,x,y,z\na,odd,,\nb,1,2,3\n", NULL, "line 2:", "found 'odd' in field 2", 0},
		{"g,x,y\nclass,u\na,1,2\n", NULL, "line 2:", "found 2 fields, expected 3: one for each sample", 0},
		{"g,x,y\nclass,u,v,w,\na,1,2\n", NULL, "line 2:", "found 'w' in field 4, expected 3 fields", 0},
		{"class,u,v\ngene,x,y\na,1,2\n", NULL, "line 2:", "it begins with 'gene': put it above line 1", 0},
		{",u,v\nID_REF,x,y\na,1,2\n", NULL, "line 2:", "looks like the header", 0},
		{"g,x,y\na,1,2\nclass,u,v\n", NULL, "line 3:", "found 'u' in field 2", 0},
		{"x y\n1 2\n3 4 5\n", NULL, "line 3:", "at least 3 fields, expected 2", 0},
		{"Report, of Tuesday\na,1,2,3\n", NULL, "line 2:", "'HeaderLines' leaves out lines above a table", 0},
		{"Report\ng,x\na,1\n", NULL, "line 1:", "'HeaderLines' leaves a title out", 0},
		{"x y\n1 2\n3\n", NULL, "line 3:", "found 1 fields, expected 2", 0},
		{"x y\n1 2\n\"3\"4 5\n", NULL, "line 3:", "'4' after a closing quote", 0},
		{"sep=,\n", NULL, "line 2", "the first row", 0},
		{"all prose\nis refused\n", NULL, "line 1:", "'all'", 0},
		{"# prose\n", NULL, "line 1:", "'#'", 0},
		{"g,x\na,1\nb,\"1,5\"\n", NULL,
		 "line 3:", "if the comma is decimal, give knng.read 'DecimalComma', true", 0},
		{"g\tx\na\t1\nb\t1.5\nc\t1,5\n", NULL, "line 4:", "found '1,5' in field 2", 0},
		{"g\tx\na\t1\nb\tND\n", NULL, "line 3:", "if it stands for one, give knng.read 'Missing', 'ND'", 0},
		/* decimal commas, where semicolons or tabs separate and the first value that tells has one */
		{"gene;x;1,5\na;-1,5e-1;2\nb;1,234;,5\n", "table names(a|b) samples(x|1,5) classes() -0.15 2;1.234 0.5",
		 CLEAN},
		{"g\tx\ty\na\t1\t-2,5e-1\nb\t1,234\t7\n", "table names(a|b) samples(x|y) classes() 1 -0.25;1.234 7",
		 CLEAN},
		{"g\tof\tx\na\tk\t1\nb\t3,4\t7\nc\t1,234\t\n",
		 "table names(a|b|c) samples(x) classes() 1;7;nan *of(k|3,4|1,234)", CLEAN},
		{"g\tof\tx\nclass\t\tu\na\tk\t1\nb\t3,4,5\t0,25\n",
		 "table names(a|b) samples(x) classes(u) 1;0.25 *of(k|3,4,5) class(u)", CLEAN},
		{"m\tx\ty\n100,5\t1.5\t2\n7,25\t3\t4\n", "table names(100,5|7,25) samples(x|y) classes() 1.5 2;3 4",
		 CLEAN},
		{"m\tx\n1,234\t7\n5,678\t8\n", "table names(1,234|5,678) samples(x) classes() 7;8", CLEAN},
		{"m;x;y\n100,5;1;2\n7,25;3;4\n", "table names() samples(m|x|y) classes() 100.5 1 2;7.25 3 4", CLEAN},
		{"id;x;y\n100,5;1;2\n7,25;3;4\n", "table names(100,5|7,25) samples(x|y) classes() 1 2;3 4", CLEAN},
		{";x;y\n100,5;1,5;2\n7,25;3;4\n", "table names(100,5|7,25) samples(x|y) classes() 1.5 2;3 4", CLEAN},
		{"1,5;2;3\n3;4,25;1\n", "table names() samples() classes() 1.5 2 3;3 4.25 1", CLEAN},
		{"g;x\n\"a,b\";1,2345678901234567890123\n", "table names(a,b) samples(x) classes() 1.23457", CLEAN},
		{"g;x;y\nclass;u;v\na;0,234;7\n", "table names(a) samples(x|y) classes(u|v) 0.234 7 class(u|v)", CLEAN},
		{"g;x;y\n#age;51,5;7\na;3;7\n", "table names(a) samples(x|y) classes(51,5|7) 3 7 age(51,5|7)", CLEAN},
		{"g;x\na;1,5\nb;1.5\n", NULL,
		 "line 3:", "(with a decimal comma), or NA for a missing value; if the point", 0},
		{"g;x\na;1.5\nb;1,5\n", NULL, "line 3:", "if the comma is decimal", 0},
		{"g;x\na;7\nb;1,234\n", NULL, "line 3:", "a comma may be decimal here, or part thousands", 0},
		{"\"a\nb\",c\n1,2,\n", NULL, "line 3:", "separator at the end", 0},
		{"a,1,2\nb,3,4\n", "table names(b) samples(1|2) classes() 3 4", "line 1:", "put a header above it", 1},
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
		for (int gz = 0; gz < 2; gz++) {
			knng_content file;
			knng_err err = {0};
			(gz ? write_gzip : write_bytes)(cases[c].text, strlen(cases[c].text));
			knng_status status = knng_read(path, KNNG_DATASET, NULL, &file, &err);
			if (cases[c].content == NULL) {
				CHECK(status == KNNG_EIO && strstr(err.text, cases[c].words) != NULL &&
					      strstr(err.text, cases[c].line) != NULL,
				      "case %zu: %s", c, err.text);
				continue;
			}
			CHECK(status == KNNG_OK && strcmp(describe(&file), cases[c].content) == 0,
			      "case %zu: %s\n  wanted %s\n     got %s", c, err.text, cases[c].content,
			      status == KNNG_OK ? describe(&file) : "");
			CHECK(file.warnings == cases[c].warnings, "case %zu: %d, %s", c, (int)file.warnings,
			      file.warning.text);
			if (cases[c].warnings > 0)
				CHECK(strcmp(file.warning.id, "knng:data:metadata") == 0 &&
					      strstr(file.warning.text, cases[c].line) != NULL &&
					      strstr(file.warning.text, cases[c].words) != NULL,
				      "case %zu: %s", c, file.warning.text);
			knng_content_free(&file);
		}
	for (const knng_format *const *f = knng_formats; *f != NULL; f++) {
		size_t length = strlen((*f)->name), c = 0;
		while (c < sizeof cases / sizeof *cases &&
		       (cases[c].content == NULL || strncmp(cases[c].content, (*f)->name, length) != 0))
			c++;
		CHECK(c < sizeof cases / sizeof *cases || (*f)->kind != KNNG_DATASET || (*f)->parse == NULL ||
			      (*f)->fits != NULL,
		      "%s has no case", (*f)->name);
	}
	CHECK(knng_sys().live == 0, "leaks");
}

/* What a text does not show. NULL: the error, and words of it. */
static void
test_options(void)
{
	static const char *words[] = {"ND", "-999", NULL};
	static const struct {
		knng_read_options opt;
		const char *text, *content, *id, *said;
	} cases[] = {
		{{.delimiter = '|'}, "g|x,y\na|1\n", "table names(a) samples(x,y) classes() 1", NULL, NULL},
		{{.delimiter = ';'}, "g,h;x\na,b;1\n", "table names(a,b) samples(x) classes() 1", NULL, NULL},
		{{.delimiter = ' '}, "g\tx  y\na 1\t2\n", "table names(a) samples(x|y) classes() 1 2", NULL, NULL},
		{{.delimiter = ','}, "sep=;\ng,x\na,1\n", "table names(a) samples(x) classes() 1", NULL, NULL},
		{{.delimiter = ','},
		 "source,target\n1,2\n",
		 "table names() samples(source|target) classes() 1 2",
		 NULL,
		 NULL},
		{{.delimiter = '\t'},
		 "#1.2\n1\t1\nName\tDescription\tx\na\t\t1\n",
		 NULL,
		 "knng:args:option",
		 "'Delimiter' is for tables, and"},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "g\tx\ty\na\t1,5\t-,25e1\n",
		 "table names(a) samples(x|y) classes() 1.5 -2.5",
		 NULL,
		 NULL},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "g;x\na;1,234\n",
		 "table names(a) samples(x) classes() 1.234",
		 NULL,
		 NULL},
		{{.decimal = KNNG_DECIMAL_POINT}, "g;x\na;1,5\n", NULL, "knng:io:format", "line 2:"},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "g,x,y\na,\"1,5\",2\nb,1,\"-,5\"\n",
		 "table names(a|b) samples(x|y) classes() 1.5 2;1 -0.5",
		 NULL,
		 NULL},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "1,5 2 4,25\n",
		 "table names() samples() classes() 1.5 2 4.25",
		 NULL,
		 NULL},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "g\tx\na\t1.5\n",
		 NULL,
		 "knng:io:format",
		 "line 2: found '1.5' in field 2, expected a number (with a decimal comma)"},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "<MicroarrayData>\n1 2\na 1,5 2\n<EndOfFile>\n",
		 "nbi names(a) samples() classes() 1.5 2",
		 NULL,
		 NULL},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "source,target\n1,2\n",
		 NULL,
		 "knng:args:option",
		 "'DecimalComma' is for data sets"},
		{{.skip = 2},
		 "Report of; 3, things\n\ng,x\na,1\n",
		 "table names(a) samples(x) classes() 1",
		 NULL,
		 NULL},
		{{.skip = 1},
		 "x\n<MicroarrayData>\n1 2\na 1 2\n<EndOfFile>\n",
		 "nbi names(a) samples() classes() 1 2",
		 NULL,
		 NULL},
		{{.skip = 1}, "x\ng,x\na,y\n", NULL, "knng:io:format", "line 3:"},
		{{.skip = 0},
		 "sample,sex,tissue\na,f,liver\nb,m,lung\n",
		 NULL,
		 "knng:io:format",
		 "line 2: found 'f' in field 2, expected a number (with a decimal point), or NA for a missing value; "
		 "if it "
		 "stands for one, give knng.read 'Missing', 'f'; if this table says what the samples of other data "
		 "are, "
		 "give its name to knng.explore, 'Phenotypes'"},
		{{.skip = 4}, "g,x\na,1\n", NULL, "knng:args:option", "'HeaderLines' is 4"},
		{{.skip = 2}, "g,x\na,1\n", NULL, "knng:args:option", "'HeaderLines' is 2, which leaves nothing"},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "id, x, y\na, 1, 2\nb, 3, 4\n",
		 "table names(a|b) samples(x|y) classes() 1 2;3 4",
		 NULL,
		 NULL},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "id, s1, s2\na, \"1,5\", \"2,5\"\n",
		 "table names(a) samples(s1|s2) classes() 1.5 2.5",
		 NULL,
		 NULL},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "name, long, very;x\na;1,5\n",
		 "table names(a) samples(x) classes() 1.5",
		 NULL,
		 NULL},
		{{.missing = words},
		 "g,k,x,y\na,ND,-999,nd\nb,l,-9,1\nND,m,,2\n",
		 "table names(a|b|ND) samples(x|y) classes() nan nan;-9 1;nan 2 *k(|l|m)",
		 NULL,
		 NULL},
		{{.missing = words},
		 "g,x,y\na,ND,ND\nb,1,2\n",
		 "table names(a|b) samples(x|y) classes() nan nan;1 2",
		 NULL,
		 NULL},
		{{.missing = words},
		 "<MicroarrayData>\n1 2\na -999 2\n<EndOfFile>\n",
		 "nbi names(a) samples() classes() nan 2",
		 NULL,
		 NULL},
		{{.missing = words}, "g,x\na,NE\n", NULL, "knng:io:format", "'NE'"},
		{{.missing = words}, "source,target\n1,2\n", NULL, "knng:args:option", "'Missing' is for data sets"},
		{{.platform = "gpl2"},
		 FAMILY2,
		 "soft names(p|q) samples(b|d) classes() 2 4;nan 6 Series_sample_id(a) Series_sample_id(b) "
		 "Series_sample_id(c) Series_sample_id(d) Platform_title(second) *Gene Symbol(P|Q) "
		 "Sample_title(b's|d's) "
		 "Sample_platform_id(GPL2|) sample_platform_id(|GPL2) symbols(P|Q)",
		 NULL,
		 NULL},
		{{.platform = "GPL1"},
		 FAMILY2,
		 "soft names(u) samples(a|c) classes() 1 3 Series_sample_id(a) Series_sample_id(b) Series_sample_id(c) "
		 "Series_sample_id(d) Platform_title(first) *Gene Symbol(U) Sample_title(a's|c's) "
		 "Sample_platform_id(GPL1|GPL1) symbols(U)",
		 NULL,
		 NULL},
		{{.platform = "GPL"}, FAMILY2, NULL, "knng:args:option", "has no such platform; it has 'GPL1', 'GPL2'"},
		{{.skip = 0}, FAMILY2, NULL, "knng:io:format", "are others ('GPL1', 'GPL2'): say which"},
		{{.platform = "GPL2"},
		 SAMPLE("b", "!Sample_platform_id = GPL2\n", "p\tx\t2\n")
			 SAMPLE("a", "!Sample_platform_id = GPL1\n", "u\tx\t1\n"),
		 "soft names(p) samples(b) classes() 2 Sample_title(b's) Sample_platform_id(GPL2)",
		 NULL,
		 NULL},
		{{.platform = "GPL3"},
		 SAMPLE("b", "!Sample_platform_id = GPL2\n", "p\tx\t2\n"),
		 NULL,
		 "knng:args:option",
		 "has no such platform; it has 'GPL2'"},
		{{.platform = "GPL1"}, /* many of them */
		 TEN_PLATFORMS("1") TEN_PLATFORMS("2") TEN_PLATFORMS("3") TEN_PLATFORMS("4"),
		 NULL,
		 "knng:args:option",
		 "it has 'GPL10', 'GPL11', 'GPL12', 'GPL13', 'GPL14', 'GPL15', 'GPL16', 'GPL17', 'GPL18', 'GPL19', "
		 "'GPL20', 'GPL21', 'GPL22', 'GPL23', 'GPL24', 'GPL25', 'GPL26', 'GPL27', 'GPL28', 'GPL29', 'GPL30', "
		 "'GPL31', 'GPL32' and 17 more"},
		/* samples whose platform another file describes */
		{{.platform = "GPL2"},
		 PLATFORM_OF("GPL1", "first", "p\tP\n") SAMPLE("b", "!Sample_platform_id = GPL2\n", "p\tx\t2\n")
			 SAMPLE("a", "!Sample_platform_id = GPL1\n", "p\tx\t1\n"),
		 "soft names(p) samples(b) classes() 2 Sample_title(b's) Sample_platform_id(GPL2)",
		 NULL,
		 NULL},
		{{.platform = "gpl1"},
		 PLATFORM_OF("GPL1", "first", "p\tP\n") SAMPLE("b", "!Sample_platform_id = GPL2\n", "p\tx\t2\n")
			 SAMPLE("a", "!Sample_platform_id = GPL1\n", "p\tx\t1\n"),
		 "soft names(p) samples(a) classes() 1 Platform_title(first) *Gene Symbol(P) Sample_title(a's) "
		 "Sample_platform_id(GPL1) symbols(P)",
		 NULL,
		 NULL},
		{{.skip = 0},
		 PLATFORM_OF("GPL1", "first", "p\tP\n") SAMPLE("b", "!Sample_platform_id = GPL2\n", "p\tx\t2\n"),
		 NULL,
		 "knng:io:format",
		 "the sample 'b' is of the platform 'GPL2', and the rows are those of 'GPL1'"},
		{{.skip = 0}, /* two of them, that no part describes */
		 SAMPLE("b", "!Sample_platform_id = GPL2\n", "p\tx\t2\n")
			 SAMPLE("a", "!Sample_platform_id = GPL1\n", "p\tx\t1\n"),
		 NULL,
		 "knng:io:format",
		 "the sample 'a' is of the platform 'GPL1', and the rows are those of 'GPL2'"},
		{{.skip = 0}, /* one, in small letters or not */
		 PLATFORM_OF("GPL1", "first", "p\tP\n") SAMPLE("b", "!Sample_platform_id = gpl1\n", "p\tx\t2\n"),
		 "soft names(p) samples(b) classes() 2 Platform_title(first) *Gene Symbol(P) Sample_title(b's) "
		 "Sample_platform_id(gpl1) symbols(P)",
		 NULL,
		 NULL},
		{{.skip = 0}, /* of none, and before its name is known */
		 PLATFORM_OF("GPL1", "first", "p\tP\n") SAMPLE("b", "", "p\tx\t2\n"),
		 "soft names(p) samples(b) classes() 2 Platform_title(first) *Gene Symbol(P) Sample_title(b's) "
		 "symbols(P)",
		 NULL,
		 NULL},
		{{.platform = "A platform whose name is longer than all before it"},
		 "^SAMPLE = a\n!Sample_platform_id = A platform whose name is longer than all before it\n"
		 "!sample_table_begin\nID_REF\tVALUE\np\t2\n!sample_table_end\n",
		 "soft names(p) samples(a) classes() 2 Sample_platform_id(A platform whose name is longer than all "
		 "before "
		 "it)",
		 NULL,
		 NULL},
		{{.platform = "GPL2"}, "^DATASET = GDS1\n", NULL, "knng:args:option", "has no such platform"},
		{{.platform = "GPL2"}, "g,x\na,1\n", NULL, "knng:args:option", "'Platform' is for families of GEO"},
		{{.names_column = 2},
		 "k,g,x,y\nu,a,1,2\nv,b,3,4\n",
		 "table names(a|b) samples(x|y) classes() 1 2;3 4 *k(u|v)",
		 NULL,
		 NULL},
		{{.names = "g"},
		 "x,g,y,symbol\n1,7,2,A\n3,8,4,B\n",
		 "table names(7|8) samples(x|y) classes() 1 2;3 4 *symbol(A|B) symbols(A|B)",
		 NULL,
		 NULL},
		{{.names = "g"},
		 ",x,g\n0,1,a\n1,2,b\n",
		 "table names(a|b) samples(x) classes() 1;2 *row_names(0|1)",
		 NULL,
		 NULL},
		{{.names = "g"},
		 "x,g\n0,1,a\n1,2,b\n",
		 "table names(a|b) samples(x) classes() 1;2 *row_names(0|1)",
		 NULL,
		 NULL},
		{{.names = "g"}, "x;g\n1;1,5\n2;2,5\n", "table names(1,5|2,5) samples(x) classes() 1;2", NULL, NULL},
		{{.names = "g"}, "x,l,g\nclass,,u\n1,2,a\n", NULL, "knng:io:format", "which has a text in line 2"},
		{{.names = "g"},
		 "l,g,x,y\n,class,u,v\nk,a,1,2\n",
		 "table names(a) samples(x|y) classes(u|v) 1 2 *l(k) class(u|v)",
		 NULL,
		 NULL},
		{{.names_column = -1}, "id,x\n7,1\n8,2\n", "table names() samples(id|x) classes() 7 1;8 2", NULL, NULL},
		{{.names_column = -1}, "g,x\na,1\nb,2\n", "table names() samples(x) classes() 1;2 *g(a|b)", NULL, NULL},
		{{.names_column = -1},
		 "x,y\na,1,3\n",
		 "table names() samples(x|y) classes() 1 3 *row_names(a)",
		 NULL,
		 NULL},
		{{.names_column = 1}, "7,1\n8,2\n", "table names(7|8) samples() classes() 1;2", NULL, NULL},
		{{.names_column = 1}, "x,y\n7,1\n8,2\n", "table names(7|8) samples(y) classes() 1;2", NULL, NULL},
		{{.names_column = 3}, "7,1\n8,2\n", NULL, "knng:args:option", "'NamesColumn' is 3, and"},
		{{.names = "a \"b\""}, "\"a \"\"b\"\"\",x\na,1\n", "table names(a) samples(x) classes() 1", NULL, NULL},
		{{.names = "a \"\"b\"\""}, "\"a \"\"b\"\"\",x\na,1\n", NULL, "knng:args:option", "no such column"},
		{{.names = "h"}, "g,x\na,1\n", NULL, "knng:args:option", "no such column; its header has 'g', 'x'"},
		{{.names = "h"}, "7,1\n8,2\n", NULL, "knng:args:option", "no names, but numbers"},
		{{.names = "ID_ref"}, "x,ID_REF\n1,7\n", "table names(7) samples(x) classes() 1", NULL, NULL},
		{{.names = "g"}, "G,g,x\na,b,1\n", "table names(b) samples(x) classes() 1 *G(a)", NULL, NULL},
		{{.names = "idref"},
		 "ID,ID_REF,x\na,b,1\n",
		 NULL,
		 "knng:args:option",
		 "no such column (did you mean 'ID_REF'?); its header has 'ID', 'ID_REF', 'x'"},
		{{.names = "quite another"}, "g,x\na,1\n", NULL, "knng:args:option", "no such column; its header"},
		{{.decimal = KNNG_DECIMAL_COMMA}, /* not as if a header without a corner stood above 1, 5 and 2 */
		 "g,s1,s2\np,1,5,2\n",
		 NULL,
		 "knng:io:format",
		 "line 2: found '1,5', in which a comma may separate fields or be decimal"},
		{{.decimal = KNNG_DECIMAL_COMMA}, /* a number in quotes shows that other commas separate */
		 "id,n,x,y\na,1,2,3\n7,10,\"1,5\",4\n",
		 "table names(a|7) samples(n|x|y) classes() 1 2 3;10 1.5 4",
		 NULL,
		 NULL},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "n,x\n1,\"1,234\"\n2,3\n",
		 "table names() samples(n|x) classes() 1 1.234;2 3",
		 NULL,
		 NULL},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "g,\"1,5\",y\n1,2,\"a,b\"\n",
		 NULL,
		 "knng:io:format",
		 "line 2: found '1,2', in which"},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "g,x,y\np,1,2\nq,\"1,5\",2,5\n",
		 NULL,
		 "knng:io:format",
		 "line 3: found at least 4 fields, expected 3"},
		{{.decimal = KNNG_DECIMAL_COMMA}, "1,2\n3, 4\n", NULL, "knng:io:format", "line 1: found '1,2'"},
		{{.decimal = KNNG_DECIMAL_COMMA},
		 "g,1,2\np,\"1,5\", 2\n",
		 "table names(p) samples(1|2) classes() 1.5 2",
		 NULL,
		 NULL},
		{{.delimiter = ';'},
		 "g,x,y\na,1,ND\n",
		 NULL,
		 "knng:io:format",
		 "line 1: this is no table of semicolons, which 'Delimiter' says: commas separate the fields"},
		{{.delimiter = ','}, "g;x;y\na;1,5;2\n", NULL, "knng:io:format", "semicolons separate"},
		{{.delimiter = ','}, "g\tx\na\t1\n", NULL, "knng:io:format", "tabs separate"},
		{{.delimiter = ','}, "g,x\na,ND\n", NULL, "knng:io:format", "line 2: found 'ND' in field 2"},
		{{.names = "x"},
		 "<MicroarrayData>\n1 1\na 2\n<EndOfFile>\n",
		 NULL,
		 "knng:args:option",
		 "'NamesColumn' is for tables"},
		{{.delimiter = ','}, "g\na\n", NULL, "knng:io:format", "line 1:"},
		{{.names_column = 1}, "g\na\n", NULL, "knng:io:format", "line 1: found no tab"},
		{{.names_column = 1}, "# x\n\ng\na\n", NULL, "knng:io:format", "line 3: found no tab"},
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		knng_content file;
		knng_err err = {0};
		write_bytes(cases[c].text, strlen(cases[c].text));
		knng_status status = knng_read_with(path, KNNG_DATASET | KNNG_GRAPH, &cases[c].opt, NULL, &file, &err);
		bool right = cases[c].content != NULL
				     ? status == KNNG_OK && strcmp(describe(&file), cases[c].content) == 0
				     : status != KNNG_OK && strcmp(err.id, cases[c].id) == 0 &&
					       strstr(err.text, cases[c].said) != NULL;
		CHECK(right, "case %zu: %s %s\n  wanted %s\n     got %s", c, err.id, err.text,
		      cases[c].content != NULL ? cases[c].content : cases[c].said,
		      status == KNNG_OK && file.kind == KNNG_DATASET ? describe(&file) : "");
		knng_content_free(&file);
		CHECK(knng_sys().live == 0, "case %zu leaks", c);
	}
}

/* What the last file makes one doubt: the identifier, or "". */
static const char *
doubt_of(const char *text, int which, knng_content *file)
{
	static knng_err doubt;
	knng_err err;
	write_bytes(text, strlen(text));
	CHECK(knng_read(path, KNNG_DATASET, NULL, file, &err) == KNNG_OK, "%s: %.200s", err.text, text);
	doubt = file->doubts[which];
	knng_content_free(file);
	CHECK(file->doubts[which].id[0] == '\0', "a doubt is left");
	return doubt.id[0] == '\0' ? doubt.id : doubt.text;
}

/* What is said to be missing: a number, however the file writes it; what is nowhere, which is a doubt. */
static void
test_said(void)
{
	enum { WORDS = 4 };
	static const struct {
		const char *words[WORDS];
		double code; /* 0: none */
		const char *text, *values, *doubt;
	} cases[] = {
		{{"-9999"}, 0, "g,x,y,z\na,-9999.00,-9.999e3,-9999.5\n", "nan nan -9999.5", ""},
		{{"-9999.0"}, 0, "g,x,y\na,-9999,9999\n", "nan 9999", ""},
		{{"1e20"}, 0, "g\tx\ty\tz\na\t1.0E+20\t1.e+20\t100000000000000000000\n", "nan nan nan", ""},
		{{"1.D20"}, 0, "g,x,y\na,1e20,.1D+21\n", "nan nan", ""},
		/* of single precision: whole; as NumPy and R write it */
		{{"1e20"},
		 0,
		 "g,x,y,z\na,100000002004087734272,1.00000002e20,1.00000002004088e+20\n",
		 "nan nan nan",
		 ""},
		{{"100000002004087734272"}, 0, "g,x,y\na,1e20,1e21\n", "nan 1e+21", ""},
		{{"1e300"}, 0, "g,x,y\na,1e300,Inf\n", "nan inf", ""},
		{{"1e-300"}, 0, "g,x,y\na,1e-300,0\n", "nan 0", ""},
		{{"0"}, 0, "g,x,y\na,-0.0,1e-300\n", "nan 1e-300", ""},
		/* numbers; the decimal sign is that of the file for words, and any for numbers */
		{{NULL}, -9999, "g,x,y\na,-9999.0,1\n", "nan 1", ""},
		{{NULL}, 1.5, "g;x;y\na;1,50;2\n", "nan 2", ""},
		{{NULL}, INFINITY, "g,x,y\na,+infinity,-Inf\n", "nan -inf", ""},
		{{"1,5"}, 0, "g;x;y\na;1,50;2,5\n", "nan 2.5", ""},
		{{"-9999"}, 0, "g;x;y\na;-9999,0;2,5\n", "nan 2.5", ""},
		{{"1.5"}, 0, "g;x;y\na;1,50;2,5\n", "1.5 2.5", "'Missing' '1.5' is nowhere in "},
		{{"ND", "5"}, 7, "<MicroarrayData>\n1 4\na ND 5.0 7e0 2\n<EndOfFile>\n", "nan nan nan 2", ""},
		{{"5"}, 0, GEO("", "\"g\"\t5.00\t1\n"), "nan 1", ""},
		/* what is in quotes is a value among values; no number is a word */
		{{"5"}, 0, "g,x,y\na,1,2\nb,\"5.0\",2\n", "1 2;nan 2", ""},
		{{"5x", "0x5"}, 0, "g,x\na,5\n", "5", "'Missing' '5x' (and 1 more of it) is nowhere in "},
		{{"ND", "-9999"}, 1e20, "g,x\na,nd\n", "nan", "'Missing' '-9999' (and 1 more of it) is nowhere in "},
		{{NULL}, 9.969209968386869e36, "g,x\na,1\n", "1", "'Missing' 9.969209968386869e+36 is nowhere in "},
		{{"-9999"},
		 0,
		 "<MicroarrayData>\n1 1\n-9999 1\n<EndOfFile>\n",
		 "1",
		 "names and texts in quotes aside: look how"},
		{{"NA", "", "null"}, NAN, "g,x\na,1\n", "1", ""}, /* which need not be said */
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		knng_content file;
		knng_err err;
		const char *words[WORDS + 1] = {0};
		memcpy(words, cases[c].words, sizeof cases[c].words);
		const knng_read_options opt = {.missing = words[0] != NULL ? words : NULL,
					       .codes = &cases[c].code,
					       .ncodes = cases[c].code != 0};
		write_bytes(cases[c].text, strlen(cases[c].text));
		knng_status status = knng_read_with(path, KNNG_DATASET, &opt, NULL, &file, &err);
		CHECK(status == KNNG_OK, "case %zu: %s", c, err.text);
		if (status != KNNG_OK)
			continue;
		char values[200] = "";
		for (int64_t e = 0; e < file.data.nrows * file.data.ncols; e++) {
			int64_t i = e / file.data.ncols, j = e % file.data.ncols;
			double x = file.data.X[j * file.data.nrows + i];
			snprintf(values + strlen(values), sizeof values - strlen(values), isnan(x) ? "%snan" : "%s%g",
				 e == 0   ? ""
				 : j == 0 ? ";"
					  : " ",
				 x);
		}
		const knng_err *doubt = &file.doubts[KNNG_DOUBTS - 1];
		CHECK(strcmp(values, cases[c].values) == 0, "case %zu: %s", c, values);
		CHECK(strcmp(doubt->id, cases[c].doubt[0] != '\0' ? "knng:data:missing" : "") == 0 &&
			      strstr(doubt->text, cases[c].doubt) != NULL,
		      "case %zu: %s", c, doubt->text);
		knng_content_free(&file);
		CHECK(knng_sys().live == 0, "case %zu leaks", c);
	}
}

/* What a file of numbers has no use for. */
static void
test_numbers_have_none(void)
{
	static const char *words[] = {"-9999", NULL}, *no_number[] = {"ND", NULL};
	static const double code = -1.5;
	static const struct {
		knng_read_options opt;
		const char *said;
	} cases[] = {{{0}, NULL},
		     {{.skip = 1}, "'HeaderLines' is for texts, and a.npy is a file of numbers (npy): leave it out"},
		     {{.missing = words}, "NaN: ds = knng.read ('a.npy'); X = ds.X; X(X == -9999) = NaN"},
		     {{.missing = no_number}, "; X(X == 1e20) = NaN"},
		     {{.codes = &code, .ncodes = 1}, "; X(X == -1.5) = NaN"}};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		knng_err err = {0};
		knng_status status = knng_read_no_text(&cases[c].opt, "a.npy", "npy", &err);
		CHECK((status == KNNG_OK) == (cases[c].said == NULL) &&
			      strstr(err.text, cases[c].said != NULL ? cases[c].said : "") != NULL,
		      "case %zu: %s", c, err.text);
	}
}

/* Names that a spreadsheet changed, and those that only look a little so. */
static void
test_changed_names(void)
{
	static const char *const changed[] = {"1-Mar",
					      "11-Mar",
					      "2-Sep",
					      "15-Sep",
					      "1-Dec",
					      "01. Mrz",
					      "1. Sep",
					      "9. Dez.",
					      "01-mars",
					      "2-sept",
					      "Mar-01",
					      "Sep-02",
					      "Dec-01",
					      "4-Oct-01",
					      "4-Oct-2001",
					      "2001-03-01",
					      "2001-09-02 00:00:00",
					      "2.31E+19",
					      "2.E+13",
					      "1E+10",
					      "7.00E+100"},
				 *const whole[] = {
					 "MARCH1",      "SEPT2",    "SEPTIN2",     "MARCHF1",   "mar-1",
					 "apr-1",       "mai-2",    "APR-1",       "Apr-1",     "Mar",
					 "1-Mars-x",    "1-Marc",   "Mar-001",     "Mar-1",     "1-2",
					 "1-Ma",        "123-Mar",  "A-Mar-01",    "1e+19",     "2.31E19",
					 "2.31E+9",     "2.31E+09", "12.3E+19",    "2.31E+19a", "2310009E13Rik",
					 "20001-03-01", "2001-3-1", "2001-03-01x", "-1",        "1."};
	char text[200];
	knng_content file;
	for (int symbol = 0; symbol < 2; symbol++) {
		const char *format = symbol ? "id,symbol,x\np,A,1\nq,\"%s\",2\nr,B,2\n" : "id,x\na,1\n\"%s\",2\nc,3\n";
		for (size_t c = 0; c < sizeof changed / sizeof *changed; c++) {
			snprintf(text, sizeof text, format, changed[c]);
			const char *said = doubt_of(text, 0, &file);
			snprintf(text, sizeof text, "the %s of row 2, '%s', looks like", symbol ? "symbol" : "name",
				 changed[c]);
			CHECK(strstr(said, text) != NULL, "'%s': %s", changed[c], said);
		}
		for (size_t c = 0; c < sizeof whole / sizeof *whole; c++) {
			snprintf(text, sizeof text, format, whole[c]);
			const char *said = doubt_of(text, 0, &file);
			CHECK(said[0] == '\0', "'%s': %s", whole[c], said);
		}
	}
	/* rows of days are no genes; several are counted */
	const char *said = doubt_of("day,x\n1-Mar,1\n2-Mar,2\ntotal,3\n", 0, &file);
	CHECK(said[0] == '\0', "%s", said);
	said = doubt_of("g,x\na,1\n1-Mar,1\nb,1\nc,1\n2-Mar,2\nd,3\n", 0, &file);
	CHECK(strstr(said, "the name of row 2, '1-Mar'") != NULL && strstr(said, "(and 1 more)") != NULL, "%s", said);
	said = doubt_of("1,2\n3,4\n", 0, &file);
	CHECK(said[0] == '\0', "%s", said);
}

/* A table of `columns` columns, called by the patterns in turn (%d: their number), and of `rows` rows called by `row`;
 * what it makes one doubt. */
static const char *
doubt_of_columns(int columns, const char *const *patterns, int rows, const char *row)
{
	static char text[1 << 16];
	knng_content file;
	size_t at = 0;
	int count = 0;
	while (patterns[count] != NULL)
		count++;
	for (int i = 0; i < columns; i++) {
		at += (size_t)sprintf(text + at, ",");
		at += (size_t)sprintf(text + at, patterns[i % count], i + 100);
	}
	for (int r = 0; r < rows; r++) {
		at += (size_t)sprintf(text + at, "\n");
		at += (size_t)sprintf(text + at, row, r);
		for (int i = 0; i < columns; i++)
			at += (size_t)sprintf(text + at, ",%d", i);
	}
	sprintf(text + at, "\n");
	return doubt_of(text, 1, &file);
}

/* Genes in the columns, where it is plain. */
static void
test_transposed(void)
{
	static const char *const probes[] = {"%d_s_at", NULL}, *const genes[] = {"ENSG00000000%d.2", NULL},
				 *const mouse[] = {"ENSMUSG00000000%d", NULL},
				 *const illumina[] = {"ILMN_1234%d", NULL}, *const half[] = {"NM_000%d", "%d", NULL},
				 *const third[] = {"NM_000%d", "x%d", "y%d", NULL},
				 *const symbols[] = {"A%d", "ZNF%d (7)", "Slc%da1", "B%d", "RPL%d",
						     "C%d", "D%d",       "TMEM%d",  NULL},
				 *const three[] = {"A%d", "ZNF%d", "Slc%da1", "B%d", "RPL%d", "C%d", "D%d", NULL},
				 *const samples[] = {"GSM%d", "TCGA-%d", "s%d", "CD4_%d", "RPS%d", NULL};
	static const struct {
		const char *what, *const *patterns;
		int columns, rows;
		const char *row;
		bool doubted;
	} cases[] = {
		{"probes", probes, 100, 2, "s%d", true},
		{"genes", genes, 100, 49, "s%d", true},
		{"mouse", mouse, 100, 1, "s%d", true},
		{"Illumina", illumina, 200, 2, "s%d", true},
		{"half of them", half, 100, 2, "s%d", true},
		{"symbols", symbols, 120, 2, "s%d", true},
		{"few columns", probes, 99, 2, "s%d", false},
		{"as many rows", probes, 100, 50, "s%d", false},
		{"genes in rows", probes, 100, 2, "ZNF%d", false},
		{"a third", third, 102, 2, "s%d", false},
		{"three families", three, 105, 2, "s%d", false},
		{"samples", samples, 300, 2, "s%d", false},
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		const char *said = doubt_of_columns(cases[c].columns, cases[c].patterns, cases[c].rows, cases[c].row);
		CHECK((strstr(said, "the columns look like genes (column ") != NULL) == cases[c].doubted &&
			      (said[0] != '\0') == cases[c].doubted,
		      "%s: %s", cases[c].what, said);
	}
	const char *said = doubt_of_columns(100, symbols, 2, "s%d");
	CHECK(strstr(said, "(column 2 is 'ZNF101 (7)')") != NULL, "%s", said);
}

/* Counts of reads that are of no gene, among those of genes. */
static void
test_counts(void)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{"g\ts\nE1\t7\n__no_feature\t9\n__ambiguous\t3\n", "row 2, __no_feature (and 1 more), counts reads"},
		{"g\ts\nN_unmapped\t7\nE1\t3\n", "row 1, N_unmapped, counts reads"},
		{"g\ts\nN_Gene\t7\n__x\t3\n", ""},
		{"s,t\n1,2\n", ""},
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		knng_content file;
		knng_err err;
		CHECK(read_text(cases[c].text, &file, &err) == KNNG_OK, "%s", err.text);
		const knng_err *doubt = &file.doubts[2];
		CHECK(strcmp(doubt->id, cases[c].said[0] != '\0' ? "knng:data:counts" : "") == 0 &&
			      strstr(doubt->text, cases[c].said) != NULL,
		      "%s", doubt->text);
		knng_content_free(&file);
	}
}

/* Lines of numbers that say what the samples are, above genes. */
static void
test_lines_of_samples(void)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{"gene,s,t\nage,34,56\nTP53,1,2.5\n", "row 1 is called 'age', and those below as genes"},
		{"s,t\nAge (years),34,56\nBatch,1,2\na,1,2.5\n7_at,1,2\n",
		 "row 1 is called 'Age (years)' (and there are 2 such rows), and"},
		{"x,symbol,s,t\nsurvival time,,34,56\na,TP53,1,2.5\n", "'survival time'"},
		{"k,gene id,s\nx,sex,1.5\nx,A1,2\n", ""}, /* the names are k's */
		{",s,t\nage,34,56\nbmi,20,30\nglucose,5,6\n", ""},
		{"gene,s,t\nage,34,56\nsex,1.5,2\n", ""}, /* no gene is left */
		{"gene,s,t\nTP53,34,56\nage,1,2\nZYX,2,1\n", ""},
		{"gene,s,t\nAGE1,34,56\nTP53,1,2\n", ""},
		{"gene,s,t\n#age,34,56\nTP53,1,2\n", ""},
		{"gene,s,t\nclass,0,1\nTP53,1,2\n", ""},
		{"1,2\n3,4\n", ""},
		/* rows that are samples */
		{"patient,class,TP53,MYC\nP1,0,1.5,2\nP2,1,3.5,4\nP3,,4.5,5\n",
		 "column 1 is called 'class', and its numbers count as values of the rows: if they say what the rows "
		 "are, put # before its name in the file (before the quote, if there is one), unless that begins the "
		 "line, and it comes to "
		 "ds.annotation; or leave it out: ds.X(:, 1) = []; ds.samples(1) = []"},
		{"label,p0,p1\n7,0,255\n2,1,0\n", "what the rows are, leave it out: ds.X(:, 1) = []"},
		{"x\ty\tBatch\tgroup\n1.5\t2\t1\t1\n2\t3.5\t2\t1\n",
		 "column 3 is called 'Batch' (and there are 2 such columns)"},
		{"patient,age,ZNF1,SLC2,RPL3,KRT4\nP1,50.5,1,2,3,4\n", "column 1 is called 'age'"},
		{"patient,age,bmi,TP53\nP1,50,20,1\nP2,60,30,2\n", ""}, /* values of a clinic */
		{"patient,class,TP53\nP1,0.5,1\nP2,1,2\n", ""},
		{"x,class,target\na,1,2\nb,2,1\n", ""}, /* nothing else is there */
		{"patient,#class,TP53,MYC\nP1,0,1.5,2\nP2,1,3.5,4\n", ""},
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		knng_content file;
		knng_err err;
		CHECK(read_text(cases[c].text, &file, &err) == KNNG_OK, "%s", err.text);
		const knng_err *doubt = &file.doubts[3];
		CHECK(strcmp(doubt->id, cases[c].said[0] != '\0' ? "knng:data:samples" : "") == 0 &&
			      strstr(doubt->text, cases[c].said) != NULL,
		      "%s: %s", cases[c].text, doubt->text);
		knng_content_free(&file);
	}
}

/* Characters that look like a blank, or like nothing, at numbers and within. */
static void
test_unseen(void)
{
	static const char *const around[] = {"\xC2\xA0",     "\xE2\x80\x89",        "\xE2\x80\xAF", "\xE2\x80\x8B",
					     "\xEF\xBB\xBF", " \xC2\xA0 \xC2\xA0 ", "\xE3\x80\x80", "\xA0"};
	char text[200];
	knng_content file;
	knng_err err;
	for (size_t c = 0; c < sizeof around / sizeof *around; c++)
		for (int quotes = 0; quotes < 2; quotes++) {
			const char *a = around[c], *q = quotes ? "\"" : "";
			snprintf(text, sizeof text, "g;x;y;z\na;%s1,5%s%s;%s%s-2e3%s;%sNA%s\nb;3;%s;%s-inf\n", q, a, q,
				 q, a, q, a, a, a, a);
			CHECK(read_text(text, &file, &err) == KNNG_OK && file.data.ncols == 3, "case %zu: %s", c,
			      err.text);
			const double *X = file.data.X;
			CHECK(X != NULL && X[0] == 1.5 && X[2] == -2000 && X[1] == 3 && isnan(X[3]) && isnan(X[4]) &&
				      X[5] == -INFINITY,
			      "case %zu", c);
			knng_content_free(&file);
		}
	static const struct {
		const char *text, *said;
	} wrong[] = {
		{"g,x,y\na,1\xC2\xA0"
		 "234,2\n",
		 "in it is a no-break space, U+00A0, which may stand before and behind"},
		{"g,x,y\na,2,1\xE2\x80\x89"
		 "2\n",
		 "in it is a thin space, U+2009, which"},
		{"g,x,y\na,2,1\xC2\xA0"
		 "5\n",
		 "found '1\xC2\xA0"
		 "5' in field 3"},
		{"g\tx\ty\na\t1\t1e400\xC2\xA0\n", "the largest is 1.8e308"},
		{"<MicroarrayData>\n2 2\na 1 2\nb 1 2\xE2\x80\x8B"
		 "5\n<EndOfFile>\n",
		 "in it is a zero-width space, U+200B: take it out of the file"},
	};
	for (size_t c = 0; c < sizeof wrong / sizeof *wrong; c++)
		CHECK(read_text(wrong[c].text, &file, &err) == KNNG_EIO && strstr(err.text, wrong[c].said) != NULL,
		      "%s", err.text);
	/* What is said to be missing is so with and without them. */
	static const char *const words[] = {"ND", "ND\xC2\xA0"};
	for (int w = 0; w < 2; w++) {
		const char *missing[] = {words[w], NULL};
		const knng_read_options opt = {.missing = missing};
		write_bytes("g,x,y\na,ND\xC2\xA0,2\nb,1,3\n", 21);
		CHECK(knng_read_with(path, KNNG_DATASET, &opt, NULL, &file, &err) == KNNG_OK && file.data.ncols == 2 &&
			      isnan(file.data.X[0]),
		      "%s", err.text);
		knng_content_free(&file);
	}
}

/* Notes below a table, which are read as rows. */
static void
test_notes(void)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{"g,x,y\nA,1,2\n\"* normalised\",,\n",
		 "line 3: '* normalised' stands alone, without values: it was read as row 2,"},
		{"g,x,y\nA,1,2\nB,1,2\n,,\nSource: GEO,,\nn = 3,,\n",
		 "line 5: 'Source: GEO' stands alone, without values (and 1 more such line): it was read as row 3,"},
		{"g;s;x;y\nA;u;1;2\n\xE2\x80\xA0 log2;;;\n", "line 3: '\xE2\x80\xA0 log2' stands alone"},
		{"g,x,y\nA,1,2\nB,,\n", ""},
		{"g,x,y\nlactic acid,1,2\nuric acid,,\n", ""},
		{"g,x,y\nlactic acid,1,2\n* uric acid,,\n", "'* uric acid'"},
		{"g,x,y\nA,1,2\nB b,NA,NA\n", ""},
		{"g,x,y\nA,1,2\nB b,,\nC,2,3\nD d,,\n", ""},
		{"g,x\nA,1\nB b,\n", ""},
	};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		knng_content file;
		knng_err err;
		CHECK(read_text(cases[c].text, &file, &err) == KNNG_OK, "%s", err.text);
		CHECK((file.warnings > 0) == (cases[c].said[0] != '\0') &&
			      (file.warnings == 0 || strstr(file.warning.text, cases[c].said) != NULL),
		      "%s: %s", cases[c].text, file.warnings > 0 ? file.warning.text : "");
		knng_content_free(&file);
	}
}

/* Columns whose names say, behind a #, that they have what the rows are. */
static void
test_marked_columns(void)
{
	static const char *const texts[] = {
		"patient,#class,TP53,!Sex,MYC\nP1,0,1.5,1,2\nP2,,3.5,0,4\n",
		"\"patient\"\t#\"class\"\t\"TP53\"\t!\"Sex\"\t\"MYC\"\nP1\t0\t1.5\t1\t2\nP2\t\t3.5\t0\t4\n",
		"patient #class TP53 !Sex MYC\nP1 0 1.5 1 2\nP2 NA 3.5 0 4\n",
	};
	for (size_t c = 0; c < sizeof texts / sizeof *texts; c++) {
		knng_content file;
		knng_err err;
		CHECK(read_text(texts[c], &file, &err) == KNNG_OK, "%s", err.text);
		const knng_dataset *ds = &file.data;
		CHECK(ds->ncols == 2 && ds->nrows == 2 && ds->X[0] == 1.5 && ds->X[3] == 4 && ds->nmeta == 2 &&
			      strcmp(ds->samples[1], "MYC") == 0 && strcmp(ds->meta[0].key, "class") == 0 &&
			      strcmp(ds->meta[1].key, "Sex") == 0 && ds->meta[0].by_row &&
			      strcmp(ds->meta[0].values[0], "0") == 0 && strcmp(ds->meta[0].values[1], "") == 0 &&
			      strcmp(ds->meta[1].values[0], "1") == 0,
		      "case %zu", c);
		knng_content_free(&file);
	}
	/* A number of a sample is none, nor is a name in quotes. */
	knng_content file;
	knng_err err;
	CHECK(read_text("gene,#1,#S2,\"#class\"\nA,1,2,3\n", &file, &err) == KNNG_OK && file.data.ncols == 3 &&
		      strcmp(file.data.samples[0], "#1") == 0,
	      "%s", err.text);
	knng_content_free(&file);
}

/* Columns of texts of which most are numbers; names that samples share. */
static void
test_columns(void)
{
#define REST "b,\"0.5\",1\nc,\"NA\",1\nd,\"-2.5e-3\",1\ne,\"7\",1\n"
	static const struct {
		int which;
		const char *text, *said;
	} cases[] = {
		{4, "g,s,t\na,\"<0.1\",1\n" REST,
		 "the column 's' was read as texts, in ds.annotation, since row 1 has '<0.1' there, though 3 of the 4 "
		 "fields that are not missing are numbers: if that stands for a missing value, give knng.read "
		 "'Missing', '<0.1'; else"},
		{4, "g,s,t\nz,,1\na,ND,1\n" REST "f,\"<5\",1\n",
		 "since row 2 has 'ND' (and 1 more row has a text) there, though 3 of the 5 fields that are not "
		 "missing "
		 "are numbers: if that stands for a missing value, give knng.read 'Missing', 'ND' (and so the "
		 "others);"},
		{4, "g,s,t\nz,ND,1\na,ND,1\ny,\"nd\",1\nf,\"ND\",1\n" REST "h,\"0.5\",1\ni,\"0.5\",1\n",
		 "'ND' (and 3 more rows have a text) there, though 5 of the 9 fields that are not missing are numbers: "
		 "if "
		 "that stands for a missing value, give knng.read 'Missing', 'ND'; else"},
		{4, "g,s,t\na,it's not known,1\n" REST, "'Missing', 'it''s not known';"},
		{4, "g,s,t\na,0123456789 below the limit of the machine,1\n" REST,
		 "row 1 has '0123456789 below the limit of the machin...' there"},
		{4, "g,s,t\na,0123456789 below the limit of the machine,1\n" REST,
		 "'Missing', with all of that text; else"},
		{4, "g,s,u,t\na,ND,x,1\nb,\"0,5\",\"1.5\",1\nc,\"1,5\",\"2.5\",1\n",
		 "the column 's' (and 1 more such) was read"},
		{4, "g,s,t\na,ND,1\nb,\"+NaN\",1\nc,\"0.5\",1\nd,\"1.5\",1\n", "since row 1 has 'ND' there"},
		{4, "g,s,t\na,<0.1,1\nb,,2\nc,< 0.1,3\nd,-,3\n",
		 "the column 's' was read as texts, in ds.annotation, since no number is in it, but what stands for "
		 "one: "
		 "row 1 has '<0.1' (and 2 more rows have a text): if that stands for a missing value, give knng.read "
		 "'Missing', '<0.1' (and so the others); else put a number there in the file, such as the limit or "
		 "half "
		 "of it; then"},
		{4, "g,s,t\na,ND,1\nb,\"1.5D-2\",1\nc,\"0.5\",1\n", "though 2 of the 3 fields"},
		{4, "g,s,t\na,<0.1,1\n",
		 "row 1 has '<0.1': if that stands for a missing value, give knng.read 'Missing', "
		 "'<0.1'; else put a number there in the file, such as"},
		{4, "g,s,t\na,>=1e4,1\nb,>9,2\n", "row 1 has '>=1e4' (and 1 more row has a text): if"},
		{4, "g,s,t\na,#DIV/0!,1\nb,#DIV/0!,2\n",
		 "'Missing', '#DIV/0!'; else put a number there in the file; then"},
		{4, "g,s,t\na,\"<5\",1\nb,\"7\",2\n", "though 1 of the 2 fields that are not missing is a number: if"},
		{4, "g,s,t\na,<.001,1\nb,<.5,2\n", "row 1 has '<.001' (and 1 more row has a text): if"},
		{4, "g,s,t\na,<5.,1\n", "row 1 has '<5.': if"},
		{4, "g,s,t\na,-,1\nb,,2\nc,<0.1,3\n", "what stands for one: row 3 has '<0.1' (and 1 more row has a"},
		{4, "g,r,s,t\na,3,<18,1\nb,4,<18,2\n", "the column 's' was read as texts, in ds.annotation, since no"},
		{4, "g,r,s,t\na,3,$5,1\nb,4,$6.5,2\n",
		 "the column 's' was read as texts, in ds.annotation, since row 1 has '$5' there, a number and what is "
		 "none, as 2 of the 2 fields that are not missing have it: if they are values, put the numbers alone "
		 "into the file, and the column comes to ds.X"},
		{4, "g,r,s,t,u\na,3,5 mg,1,1D\nb,4,NA,2,2D\nc,5,2.5 mg,3,3D\n", "row 1 has '5 mg' there, a number"},
		{4, "g,r,s,t\na,3,1.2+-0.1,1\nb,4,1.3+-0.2,2\n", "row 1 has '1.2+-0.1' there, a number"},
		{4, "g,r,s,t\na,3,1.2 (0.1),1\nb,4,7 (2),2\n", "row 1 has '1.2 (0.1)' there, a number"},
		{4, "g,r,s,t\na,3,3D0,1\nb,4,2D+01,2\n", "row 1 has '3D0' there, a number"},
		{4, "g,r,s,t\na,3,-,1\nb,4,-,2\n",
		 "since no number is in it, but dashes alone: row 1 has '-' (and 1 more row has a text): if that "
		 "stands "
		 "for a missing value, give knng.read 'Missing', '-'; else"},
		/* what was not measured, limits on both sides, units and dashes, among numbers in quotes */
		{4, "g,s,t\na,\"<0.1\",1\nb,\">100\",2\nc,\"7\",3\n",
		 "row 1 has '<0.1' (and 1 more row has a text) there, though 1"},
		{4, "g,r,s,t\na,3,<0.1,1\nb,4,>100,2\n", "what stands for one: row 1 has '<0.1' (and 1 more"},
		{4, "g,r,s,t\na,3,<0.5,1\nb,4,>=0.5,2\n", ""}, /* groups */
		{4, "g,r,s,t\na,3,<18,1\nb,4,>65,2\n", ""},
		{4, "g,s,t\na,<0.1,1\nb,>100,2\n", ""},
		{4, "g,s,t\na,\"OOR <\",1\nb,\"OOR >\",2\nc,\"7.5\",3\n",
		 "give knng.read 'Missing', 'OOR <' (and so the others);"},
		{4, "g,s,t\na,<0.1,1\nb,ND,2\n", "row 1 has '<0.1' (and 1 more row has a text): if"},
		{4, "g,r,s,t\na,3,\"n.d.\",1\nb,4,\"7\",2\n", "row 1 has 'n.d.' there, though 1 of the 2"},
		{4, "g,r,s,t\na,3,Not detected,1\nb,4,,2\n", "what stands for one: row 1 has 'Not detected': if"},
		{4, "g,r,age,t\na,3,ND,1\nb,4,,2\n", ""},
		{4, "g,s,t\na,ND,1\nb,ND,2\n", ""},
		{4, "g,s,t\na,\"ND\",1\nb,\"780\",2\nc,\"5982\",2\n", ""},
		{4, "g,r,s,t\na,3,ND,1\nb,4,NDX,2\n", ""},
		{4, "g,s,t\na,\"-\",1\nb,\"--\",2\nc,\"7.5\",3\n",
		 "row 1 has '-' (and 1 more row has a text) there, though 1"},
		{4, "g,r,s,t\na,3,\"-\",1\nb,4,\"780\",2\nc,5,\"5982\",2\n", ""},
		{4, "g,r,s,t\na,3,\"5 mg\",1\nb,4,\"12\",2\n", "row 1 has '5 mg' there, though 1 of the 2"},
		{4, "g,r,s,t\na,3,2a,1\nb,4,\"3\",2\n", ""}, /* a stage */
		{4, "g,r,s,t\na,3,\"5 mg\",1\nb,4,odd,2\nc,4,\"12\",2\n", ""},
		{4, "g,s,t\na,\"5 mg\",1\nb,\"12\",2\n", ""},
		{4, "g,s,r,t\na,$5,3,1\nb,$6.5,4,2\n", ""}, /* in front of all values */
		{4, "g,r,t,s\na,3,1,5 mg\nb,4,2,6 mg\n", ""},
		/* the first and the last, where the names are plainly those of samples */
		{4, "g,s1,s2,s10\na,$5,3,1\nb,$6.5,4,2\n",
		 "the column 's1' was read as texts, in ds.annotation, since row 1 has"},
		{4, "g,1,2,3\na,3,1,<5\nb,4,2,<5\n", "the column '3' was read as texts"},
		{4, "g,a1x,a2x,a30x\na,3,1,-\nb,4,2,-\n", "dashes alone: row 1 has '-'"},
		{4, "g,s1,s2,s3\na,\"-\",3,1\nb,\"7\",4,2\n", "the column 's1' was read as texts"},
		{4, "g,s1,s2,s3\na,odd,3,1\nb,\"7\",4,2\nc,\"8\",4,2\n", "though 2 of the 3"},
		{4, "g,s1,s2,u3\na,$5,3,1\nb,$6.5,4,2\n", ""}, /* but one is as it */
		{4, "g,s,s,s\na,$5,3,1\nb,$6.5,4,2\n", ""},
		{4, "g,s1,s2,s3x,xs3,s\na,$5,3,1,1,1\nb,$6.5,4,2,1,1\n", ""},
		{4, "g,s1,s2,s3\na,DDR1,3,1\nb,RFC2,4,2\n", ""},
		{4, "g,r,s,t\na,3,10x,1\nb,4,10x,2\n", ""}, /* all the same */
		{4, "g,r,s,t\na,3,1007_s_at,1\nb,4,1053_s_at,2\n", ""},
		{4, "g,r,s,t\na,3,1D3,1\nb,4,2D3,2\n", ""},
		{4, "g,r,s,t\na,3,1.D3,1\nb,4,2.D3,2\n", ""},
		{4, "g,r,s,t\na,3,1p,1\nb,4,2q,2\n", ""},
		{4, "g,r,s,t\na,3,$$$$$$$$$$$$$$5d0mg,1\nb,4,$$$$$$$$$$$$$$6d0mg,2\n", ""}, /* more than is kept */
		{4, "g,r,s,t\na,3,12F,1\nb,4,13F,2\n", ""},
		{4, "g,r,s,t\na,3,1-2,1\nb,4,2-5,2\n", ""},
		{4, "g,r,s,t\na,3,14-3-3 protein,1\nb,4,5-HT receptor,2\n", ""},
		{4, "g,r,s,t\na,3,2020-01-01,1\nb,4,2020-01-02,2\n", ""},
		{4, "g,r,s,t\na,3,GSM1,1\nb,4,GSM2,2\n", ""},
		{4, "g,start,strand,s\na,3,-,1\nb,4,-,2\n", ""},
		{4, "g,s,t\na,<18,1\nb,<18,2\n", ""}, /* groups */
		{4, "g,s,t\na,>65,1\nb,,2\n", ""},
		{4, "g,weight,age,t\na,3,<18,1\nb,4,<18,2\n", ""},
		{4, "g,s,t\na,<50,1\nb,>=50,2\n", ""},
		{4, "g,s,t\na,<50,1\nb,50-60,2\n", ""},
		{4, "g,s,t\na,<x,1\nb,<5,2\n", ""},
		{4, "g,s,t\na,#FF0000,1\n", ""},
		{4, "g,s,t\na,-,1\nb,--,2\n", ""},
		{4, "g,s,t\na,<0.1,1\nb,odd,2\n", ""},
		{4, "g,s,t\na,odd,1\nb,\"0.5\",1\n", ""},                 /* as many texts */
		{4, "g,id,t\na,none,1\nb,\"780\",1\nc,\"5982\",1\n", ""}, /* whole numbers */
		{4, "g,s,t\na,1p36.3,1\nb,\"2q1.5\",1\nc,\"3.5e\",1\nd,\"1.2.3\",1\ne,\"0.5\",1\n", ""},
		{4, "g,s,t\na,0.1,1\n" REST, ""},                                        /* a column of values */
		{4, "#1.3\n3\t1\t1\t0\nid\tq\ts\na\tND\t1\nb\t0.5\t2\nc\t1.5\t3\n", ""}, /* it says so itself */
		{5, "g,s,t,s,t,u\na,1,2,3,4,5\n",
		 "2 of the 5 samples have the name of one before them, the first is 's' (columns 1 and 3 of ds.X): "
		 "what"},
		{5, "g,s,S,s1,t\na,1,2,3,4\n", ""},
		{5, "g,s,,,t\na,1,2,3,4\n", ""}, /* without a name */
		{5, "1,2\n3,4\n", ""},
		{5, "<MicroarrayData>\n1 2\na 1 2\n<SamplesNames>\ns s\n<EndOfFile>\n",
		 "1 of the 2 samples has the name"},
		{6, "g,s,t\na,1,-999\nb,2,3\nc,3,-999\nd,4,-999\n", "column 2 of the matrix in "},
		{6, "g,s,t\na,1,-999\nb,2,3\nc,3,-999\nd,4,-999\n",
		 " holds -999 in 3 of 4 rows that were looked at: if that stands for a missing value, give knng.read "
		 "'Missing', -999"},
		{6, "g,s,t\na,1e20,1e20\nb,2,3\nc,1e20,1e20\n",
		 "holds 1e+20 in 2 of 3 rows that were looked at, and 1 more likewise"},
		{6, "g,s,t\na,999.9,-999\nb,2,3\nc,999.9,-999\n", "column 1 of the matrix in "},
		{6, "g,s,t\na,999.9,-999\nb,2,3\nc,999.9,-999\n",
		 "holds 999.9 in 2 of 3 rows that were looked at, and 1 more likewise, with other numbers, too, such "
		 "as -999: "
		 "if that stands for a missing value, give knng.read 'Missing', 999.9, and the others, too"},
		{6, "g,s,t\na,1,3.4028235e+38\nb,2,3\nc,3,3.4028235e+38\n", "holds 3.4028235e+38 in 2 of 3 rows"},
		{6, "g,s,t\na,1,1.00000002004088e+20\nb,2,3\nc,3,1.00000002004088e+20\n",
		 "holds 1.00000002004088e+20 in 2 of 3 rows"},
		{6, "g,s,t\na,1,9.96921e+36\nb,2,3\nc,3,9.96921e+36\n", "holds 9.96921e+36 in 2 of 3 rows"},
		{6, "g,s,t\na,1,1000000\nb,2,3\nc,3,1000000\n", ""},
		{6, "g,s,t\na,1,-999\nb,2,3\nc,3,-998\n", ""},   /* once */
		{6, "g,s,t\na,1,-999\nb,2,300\nc,3,-999\n", ""}, /* others come near */
		{6, "g,s,t\na,1,-999\nb,2,-999\n", ""},          /* all */
	};
	static const char *const ids[] = {"knng:data:texts", "knng:data:sampleNames", "knng:data:fill"};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		knng_content file;
		knng_err err;
		CHECK(read_text(cases[c].text, &file, &err) == KNNG_OK, "%s", err.text);
		const knng_err *doubt = &file.doubts[cases[c].which];
		CHECK(strcmp(doubt->id, cases[c].said[0] != '\0' ? ids[cases[c].which - 4] : "") == 0 &&
			      strstr(doubt->text, cases[c].said) != NULL,
		      "%s: %s", cases[c].text, doubt->text);
		knng_content_free(&file);
	}
}

/* Wrong data are an error, which names the line and what is wrong. */
static void
test_format_errors(void)
{
	static const refusal cases[] = {
		{"FEATURESINDEED\nTARGETPRESENT\nLAST\n", "knng:io:format", "line 1:", "'FEATURESINDEED'"},
		{"FEATURESINROWS\nTARGET\nLAST\n", "knng:io:format", "line 2:", "TARGETNOTPRESENT"},
		{"FEATURESINROWS\nTARGETPRESENT\nMIDDLE\n", "knng:io:format", "line 3:", "FIRST, LAST, NONE or NO"},
		{"FEATURESINROWS\nTARGETPRESENT\nLAST\n0\n2\n", "knng:io:format", "line 4:", "number of features"},
		{"FEATURESINROWS\nTARGETPRESENT\nLAST\n2\nx\n", "knng:io:format", "line 5:", "number of samples"},
		{"FEATURESINROWS\nTARGETPRESENT\nLAST\n2000\n3000\ndummy a b\n", "knng:io:truncated",
		 "line 5:", "promises 2000 rows"},
		{ABK(R, N, "NO") "dummy x y z\na 1 2 3\nb 4 5\n", "knng:io:format",
		 "line 8:", "found 2 values after the name 'b'"},
		{ABK(R, N, "NO") "dummy x y z\na 1 2 x\nb 4 5 6\n", "knng:io:format", "line 7:", "'x'"},
		{ABK(R, N, "NO") "dummy x y z\na 1 2 3\n\n\n\n\n", "knng:io:truncated", "line 12:", "after 1 of the 2"},
		{ABK(R, N, "NO") "dummy x y z\na 1 2 3\nb 4 5 6\nc 7 8 9\n", "knng:io:format", "line 9:", "'c'"},
		{ABK(C, P, "LAST") "dummy a b\nx 1 4 p\ny 2 5\nz 3 6 q\n", "knng:io:format",
		 "line 8:", "found 2 values after the name 'y', expected 3"},
		{ABK(C, P, "FIRST") "dummy a b\nx p 1 4\ny 2 5\nz q 3 6\n", "knng:io:format", "line 8:", "'y'"},

		/* numbers beyond the largest */
		{"g,x,y\na,1,1\nb,1.0D400,3\n", "knng:io:format", "line 3:", "found '1.0D400' in field 2, expected a"},
		{"g,x,y\na,1,\"-1e400\"\n", "knng:io:format",
		 "line 2:", "the largest is 1.8e308: mend that in the file"},
		{"g;x\na;1,7976931348623159e308\n", "knng:io:format", "line 2:", "'1,7976931348623159e308' in field 2"},
		{GEO("", "\"g\"\t1\t1e999\n"), "knng:io:format", "line 3:", "give knng.read 'Missing', '1e999'"},
		{"<MicroarrayData>\n1 2\na +1e400 1\n<EndOfFile>\n", "knng:io:format", "line 3:", "found '+1e400'"},

		/* the field that is wrong is named, and not the numbers below it */
		{"g,x,y\na,#VALUE!,1\nb,2,3\n", "knng:io:format", "line 2:", "give knng.read 'Missing', '#VALUE!'"},
		{"g,x,y\na,below LOD,1\nb,2,3\n", "knng:io:format",
		 "line 3: found the number '2' in field 2, which has a text in line 2, 'below LOD': if",
		 "give knng.read 'Missing', 'below LOD'; else"},
		{"k,g,u,x,v,y\nclass,,,1,,2\nm,a,NA,1,it's,1\nn,b,\"\",2,b,2\no,c,p,3,,3\np,d,2,4,d,4\n",
		 "knng:io:format", "line 6:", "a text in line 5, 'p': if"},
		{"k,g,u,x,v,y\nclass,,,1,,2\nm,a,NA,1,it's,1\nn,b,\"\",2,7,2\n", "knng:io:format", "line 4:",
		 "a text in line 3, 'it's': if that stands for a missing value, give knng.read 'Missing', 'it''s'"},
		{"g,x,y\na,-,1\nb,k,1\nc,2,3\n", "knng:io:format", "line 4:", "a text in line 2, '-': if"},
		{"g,x,y\na,<LOD,1\nb,2,3\n", "knng:io:format", "line 2:", "'<LOD' in field 2"},
		{"g,x,y\na,1,1\nb,-1D+3,3\n", "knng:io:format", "line 3:", "as in 1.0D3: mend"},
		{"g,x,y\na,1D3,1\nb,2,3\n", "knng:io:format", "line 2:", "as in 1.0D3: mend"},
		{"g,x,y\na,*****,1\nb,2,3\n", "knng:io:format", "line 2:", "found '*****' in field 2"},
		{"g,x,y\na,1,1\nb,1D3x,3\n", "knng:io:format", "line 3:", "no %, units"},
		{"g,x,y\na,1,1\nb,1.5D,3\n", "knng:io:format", "line 3:", "'1.5D' in field 2"},
		{"g,x,y\na,$5,1\nb,2,3\n", "knng:io:format", "line 2:", "'$5' in field 2"},
		{"g,x,y\na,(5),1\nb,2,3\n", "knng:io:format", "line 2:", "'(5)' in field 2"},
		{"g,x,y\na,\xE2\x82\xAC 5,1\nb,2,3\n", "knng:io:format", "line 2:", "5' in field 2"},
		{"g,x,y\na,,1\nb,5 \xC2\xA3,1\nc,2,3\n", "knng:io:format", "line 3:", "'5 \xC2\xA3' in field 2"},
		{"g,x,y\na,$x,1\nb,2,3\n", "knng:io:format", "line 3:", "a text in line 2"},
		{"g,x,y\na,1-2,1\nb,2,3\n", "knng:io:format", "line 3:", "a text in line 2"},
		{"g,x,y\na,1,1\nb,it's,3\n", "knng:io:format", "line 3:", "give knng.read 'Missing', 'it''s'"},
		{"g,x\na,it's\nb,2\n", "knng:io:format", "line 2:", "give knng.read 'Missing', 'it''s'"},
		{"g,x,y\na,\xE2\x88\x92"
		 "1.5,1\nb,2,3\n",
		 "knng:io:format", "line 2:", "no minus but -"},
		{"g;x;y\na;1\xC2\xA0"
		 "234,5;1\nb;2;3\n",
		 "knng:io:format", "line 2:", "signs between thousands"},
		{"A title,,\ng,x,y\na,1,2\n", "knng:io:format", "line 1:", "'HeaderLines'"},
		{"g,x,y\nage,50,60\nsex,f,m\na,1,2\n", "knng:io:format",
		 "line 3: found 'f' in field 2, expected a number; if", "and those of the lines above it"},
		{"g,x,y\nage,50,60\n\"dead\",TRUE,FALSE\na,1,2\n", "knng:io:format", "line 3: found 'TRUE' in field 2",
		 "put it directly below the header"},
		{"g,x,y\na,5,6\nb,ND,LOD\n", "knng:io:format", "line 3:", "give knng.read 'Missing', 'ND'"},
		{"g,x,y\na,5,6\nb,odd,odd\n", "knng:io:format", "line 3:", "give knng.read 'Missing', 'odd'"},
		{"REF\ts1\ts2\ngene_id\tcount\tcount\na\t1\t2\n", "knng:io:format", "line 2:", "put # before this one"},

		{GEO("", ""), "knng:io:format", "line 3:", "supplementary files"},
		{GEO("", "\"g\"\t1\n"), "knng:io:format", "line 3:", "found 2 fields, expected 3"},
		{GEO("", "\"g\"\t1\t2\t3\n"), "knng:io:format", "line 3:", "at least 4 fields, expected 3"},
		{GEO("", GROW "\"h\"\t1\t2 x\n"), "knng:io:format", "line 4:", "'2 x' in field 3"},
		{GEO("", GROW "\"h\"1\t1\t2\n"), "knng:io:format", "line 4:", "'1' after a closing quote"},
		{GEO("", GROW "!Series_x\ty\n"), "knng:io:format", "line 4:", "!series_matrix_table_end"},
		{GEO("", GROW) "\"h\"\t1\t2\n", "knng:io:format", "line 5:", "expected nothing after"},
		{"!Series_title\t\"x\"\n!Sample_title\t\"a\"\n", "knng:io:truncated", "line 3,",
		 "!series_matrix_table_begin"},
		{"!series_matrix_table_begin\n\"ID_REF\"\n!series_matrix_table_end\n", "knng:io:format",
		 "line 2:", "without samples"},
		{"!series_matrix_table_begin\n\"ID_REF\"\t\"S1\"\n\"g\"\t1\n", "knng:io:truncated", "line 4,",
		 "!series_matrix_table_end"},
		{"!series_matrix_table_begin\n\"ID_REF\"\t\"S1\"\n\"g\"\t1e", "knng:io:truncated", "line 3,",
		 "!series_matrix_table_end"},

		{"#1.4\n1\t1\nName\tDescription\tx\na\tb\t1\n", "knng:io:format", "line 1:", "#1.2 or #1.3"},
		{"#1.2\n1\nName\tDescription\tx\na\tb\t1\n", "knng:io:format", "line 2:", "two whole numbers"},
		{"#1.3\n1\t1\nid\td\tx\na\tb\t1\n", "knng:io:format", "line 2:", "four whole numbers"},
		{"#1.2\n1\t0\nName\tDescription\n", "knng:io:format", "line 2:", "two whole numbers"},
		{"#1.2\n1000\t1000\nName\tDescription\tx\na\tb\t1\n", "knng:io:truncated",
		 "line 2:", "promises 1000 rows"},
		{"#1.2\n2\t1\nName\tDescription\tx\na\tb\t1\n", "knng:io:truncated", "line 5:", "after 1 of the 2"},
		{"#1.2\n1\t1\nName\tDescription\tx\na\tb\t1\nc\td\t2\n", "knng:io:format",
		 "line 5:", "expected nothing after"},
		{"#1.2\n1\t1\nName\tDescription\tx\na\tb\tc\n", "knng:io:format", "line 4:", "'c' in field 3"},
		{"#1.2\n2\t1\nName\tDescription\tx\na\t1\nb\tc\t1\n", "knng:io:format",
		 "line 4:", "found 2 fields, expected 3"},
		{"#1.3\n1\t1\t0\t9\nid\tx\na\t1\nb\t2\n", "knng:io:truncated", "line 6,", "the rows"},

		{"gene,x,y\na,1,2\nb,3,oops\n", "knng:io:format", "line 3:", "'oops' in field 3"},
		{"gene,x,y\na,1,2\nb,3\nc,5,6\n", "knng:io:format",
		 "line 3:", "found 2 fields, expected 3, as in the header"},
		{"gene,x,y\na,1,2,3\nb,3,4\nc,5,6\n", "knng:io:format", "line 3:", "as in the row below the header"},
		{"1,2\n3\n4,5\n", "knng:io:format", "line 2:", "as in the first row"},
		{GDS("", ""), "knng:io:format", "line 9:", "no rows"},
		{GDS("", "g\tA\t1\n"), "knng:io:format", "line 9:", "found 3 fields, expected 4"},
		{GDS("", "g\tA\t1\tx\n"), "knng:io:format", "line 9:", "'x' in field 4"},
		{GDS("", "g\tA\t1\t2\t\t3\n"), "knng:io:format", "line 9:", "at least 6 fields, expected 4"},
		{GDS("", "g\tA\t1\t2\n!y\n"), "knng:io:format", "line 10:", "!dataset_table_end"},
		{GDS("", "g\tA\t1\t2\n") "!dataset_table_begin\nID_REF\tGSM1\n", "knng:io:format",
		 "line 11:", "second table"},
		{GDS("", "g\tA\t1\t2\n") SAMPLE("GSM1", "", ""), "knng:io:format", "line 11:", "behind a table"},
		{"^DATASET = x\n!dataset_table_begin\nID_REF\tGSM1\tGSM1\n", "knng:io:format",
		 "line 3:", "second time"},
		{"^DATASET = x\n!dataset_table_begin\nID_REF\tGSM1\tx\tGSM2\n", "knng:io:format", "line 3:", "'GSM2'"},
		{"^DATASET = x\n!dataset_table_begin\nID_REF\tA\n", "knng:io:format", "line 3:", "without samples"},
		{"^DATABASE = x\n^PLATFORM = GPL1\n", "knng:io:format", "line 3:", "no table of values"},
		{PLATFORM, "knng:io:format", "line 10:", "no table of values"},
		{PLATFORM PLATFORM, "knng:io:format", "line 14:", "second platform"},
		{PLATFORM SAMPLE("a", "", ""), "knng:io:format", "line 15:", "supplementary files"},
		{PLATFORM SAMPLE("a", "", "p2\tx\ty\tz\n"), "knng:io:format", "line 14:", "'y' in field 3"},
		{PLATFORM SAMPLE("a", "", "p2\tx\n"), "knng:io:format", "line 14:", "found 2 fields, expected 3"},
		{PLATFORM "^SAMPLE = a\n!sample_table_begin\nID_REF\tVAL\n", "knng:io:format",
		 "line 12:", "no column VALUE"},
		{PLATFORM "^SERIES = s\n!sample_table_begin\nx\n", "knng:io:format", "line 12:", "no sample's"},
		{SAMPLE("a", "", "p\tx\t1\np\tx\t2\n"), "knng:io:format", "line 6:", "'p' is there a second time"},
		{PLATFORM SAMPLE("a", "", "p2\tx\t1\np2\tx\t1\n"), "knng:io:format",
		 "line 15:", "'p2' is there a second time"},
		{PLATFORM SAMPLE("a", "", "p2\tx\t1\n") SAMPLE("a", "", "p2\tx\t2\n"), "knng:io:format",
		 "line 16:", "'a' is there a second time"},
		{"^SAMPLE = a\n^SAMPLE = b\n", "knng:io:format", "line 2:", "without values"},
		{"^SAMPLE = "
		 "a\n!sample_table_begin\nID_REF\tVALUE\n!sample_table_end\n!platform_table_begin\nID\tx\np\t1\n"
		 "!platform_table_end\n!sample_table_begin\nID_REF\tVALUE\np\tz\n!sample_table_end\n",
		 "knng:io:format", "line 11:", "'z'"},
		{"^SERIES = s\n!Series_sample_id = a\n!Series_sample_id = b\n" SAMPLE("a", "", "p\tx\t1\n"),
		 "knng:io:truncated", "1 samples of the 2", "again"},
		{"gene,x,y\na,1,2\nb,3", "knng:io:truncated", "line 3,", "the end of a row"},
		{"gene,x,y\na,1,2\nb,3,4,5\n", "knng:io:format", "line 3:", "at least 4 fields, expected 3"},
		{"gene,x,y\n\"a\n\n\",1,2\nb,3,x\n", "knng:io:format", "line 5:", "'x'"},
		{"gene,x,y\na,1,2\n\"b,3,4\nc,5,6\n", "knng:io:format", "line 3:", "is not closed"},
		{"gene,x,y\na,1,2\n\"b\"c,3,4\n", "knng:io:format", "line 3:", "'c,3,4' after a closing quote"},
		{"x,y\n1,2,\n3,4,\n", "knng:io:format", "line 2:", "a separator at the end"},
		{"gene,x,y\n", "knng:io:truncated", "line 2,", "first row"},
		{"gene\na\n", "knng:io:format", "line 1:", "'gene'"},
		{"<html><head><title>404, not found\n", "knng:io:format", "line 1:", "download the file again"},
		{"gene,\na,1\n", "knng:io:format", "line 1:", "no names of columns"},
		{"g,x,y\na,p,q\n", "knng:io:format", "line 2:", "found 'p' in field 2, expected a number"},
		{"g,x,y\na,1,2\nb,p,4\n", "knng:io:format", "line 3:", "found 'p' in field 2, expected a number"},
		{"g,x,y\na,,2\n\"\n\",p,4\nb,q,1\nc,7,1\n", "knng:io:format",
		 "line 6:", "found the number '7' in field 2, which has a text in line 4"},
		{"g,x,y\na,k,\"1,5\"\n", "knng:io:format", "line 2:", "found '1,5' in field 3"},
		{"g\tx\ty\na\t1.234,5\t1\n", "knng:io:format", "line 2:", "found '1.234,5' in field 2"},
		{"g\tx\ty\na\t10 %\t1\n", "knng:io:format", "line 2:", "found '10 %' in field 2"},
		{"g\tx\ty\na\t.5\t1\nb\t-,5e-1\t1\n", "knng:io:format", "line 3:", "found '-,5e-1' in field 2"},
		{"g,x,y\na,1,p\nb,3\n", "knng:io:format", "line 3:", "found 2 fields, expected 3"},
		{",\n1,2\n", "knng:io:format", "line 1:", "no names of columns"},
	};
	refuse(cases, sizeof cases / sizeof *cases);
}

/* A file of GEO cut off anywhere before its end is truncated, or has no values; a table cut off in a row too, if fields
 * are missing. */
static void
test_cuts(void)
{
	static const char *const whole[] = {
		GEO("!Sample_title\t\"a\"\t\"b\"\n", "\"g\"\t1.5\t2\n\"h\"\tnull\t4\n"),
		GDS("", "g\tA\t1.5\t2\nh\tB\tnull\t4\n"),
		"^SERIES = s\n!Series_sample_id = a\n" PLATFORM SAMPLE("a", "", "p2\tx\t1.5\n3\tx\tnull\n"),
	};
	for (size_t w = 0; w < sizeof whole / sizeof *whole; w++) {
		const char *table = strstr(whole[w], "_table_begin"); /* what is cut before it may be another file */
		for (size_t cut = w == 0 ? 1 : (size_t)(table - whole[w]) + 13; cut + 1 < strlen(whole[w]); cut++) {
			char text[1000];
			knng_content file;
			knng_err err;
			memcpy(text, whole[w], cut);
			text[cut] = '\0';
			knng_status status = read_text(text, &file, &err);
			bool good = status == KNNG_EIO && (strcmp(err.id, "knng:io:truncated") == 0 || w == 2);
			CHECK(good, "file %zu cut at %zu: %s %s", w, cut, err.id, err.text);
			knng_content_free(&file);
		}
	}
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
		knng_status status = knng_read(path, KNNG_DATASET, NULL, &ds, &err);
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
		knng_status status = knng_read(path, KNNG_DATASET, NULL, &ds, &err);
		bool right = status == KNNG_EIO && (cut == 1 || strcmp(err.id, "knng:io:truncated") == 0);
		knng_content_free(&ds);
		if (!right || knng_sys().live != 0)
			bad++, printf("cut at %zu: %s %s\n", cut, err.id, err.text);
	}
	CHECK(packed_size > 100 && bad == 0, "%d cuts of a gzip file", bad);

	for (int trial = 0; trial < 10000; trial++) {
		char text[sizeof sample];
		unsigned char z[sizeof packed];
		bool gz = trial % 4 == 0;
		static const unsigned char nasty[] = "\0\t\n\r <>?.-+e09\xFF";
		memcpy(text, sample, sizeof sample);
		memcpy(z, packed, sizeof packed);
		for (uint64_t i = random_bits() % 4 + 1; i > 0; i--)
			if (gz)
				z[random_bits() % packed_size] = (unsigned char)random_bits();
			else
				text[random_bits() % size] = (char)nasty[random_bits() % (sizeof nasty - 1)];
		write_bytes(gz ? (void *)z : (void *)text, gz ? packed_size : size);
		knng_status status = knng_read(path, KNNG_DATASET, NULL, &ds, &err);
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

/* Makes every wrapped call fail one after another: nothing is left, and at last the file is read. */
static void
test_faults(void)
{
	static const struct {
		const char *text, *content;
		knng_read_options opt;
	} cases[] = {
		{NBI "<SamplesNames>\nx\n" END, "nbi names(a|b) samples() classes() 1 2;3 4 SamplesNames(x)", {0}},
		{ABK(C, P, "FIRST") "dummy a b\nx p 1 4\ny p 2 5\nz q 3 6\n",
		 "abk names(a|b) samples(x|y|z) classes(p|p|q) 1 2 3;4 5 6 "
		 "layout(FEATURESINCOLUMNS|TARGETPRESENT|FIRST)",
		 {0}},
		{GEO("!Series_t\tx\n", GROW), "geo names(g) samples(S1|S2) classes() 1 2 Series_t(x)", {0}},
		{"#1.3\n1\t2\t1\t1\nid\tp\tx\ty\nq\tna\tv\tw\na\tA\t1\t2\n",
		 "gct names(a) samples(x|y) classes() 1 2 *p(A) q(v|w)",
		 {0}},
		{"gene,x,y\na,1,2\nb,3,4\n", "table names(a|b) samples(x|y) classes() 1 2;3 4", {0}},
		{"x,symbol,y\n1,a,2\n3,b,4\n",
		 "table names() samples(x|y) classes() 1 2;3 4 *symbol(a|b) symbols(a|b)",
		 {0}},
		{"g,x,y\nclass,u,v\n#k,u,w\na,1,2\n",
		 "table names(a) samples(x|y) classes(u|v) 1 2 class(u|v) k(u|w)",
		 {0}},
		{"t\ng;k;l;x\na;b;c;1,5\n",
		 "table names(b) samples(x) classes() 1.5 *g(a) *l(c)",
		 {.skip = 1, .names = "k"}},
		{"g;x\na;1,5\n", "table names() samples(x) classes() 1.5 *g(a)", {.names_column = -1}},
	};
	static char text[400000]; /* so that the buffer grows */
	for (size_t c = 0; c < 2 * sizeof cases / sizeof *cases; c++) {
		bool gz = c % 2 == 1;
		size_t size = strlen(cases[c / 2].text);
		memset(text, '\n', sizeof text);
		memcpy(text, cases[c / 2].text, size);
		(gz ? write_gzip : write_bytes)(text, sizeof text);
		for (int64_t nth = 1;; nth++) {
			knng_content file;
			knng_err err;
			knng_sys_fail_at(nth);
			int64_t before = knng_sys().calls;
			knng_status status = knng_read_with(path, KNNG_DATASET, &cases[c / 2].opt, NULL, &file, &err);
			bool reached = knng_sys().calls - before >= nth;
			knng_sys_fail_at(0);
			if (!reached) {
				CHECK(status == KNNG_OK && strcmp(describe(&file), cases[c / 2].content) == 0 &&
					      nth > 10,
				      "case %zu after %" PRId64 " calls: %s", c, nth, err.text);
				knng_content_free(&file);
				break;
			}
			CHECK((status == KNNG_EMEMORY && strcmp(err.id, "knng:memory:host") == 0) ||
				      (status == KNNG_EIO && strncmp(err.id, "knng:io:", 8) == 0),
			      "case %zu, call %" PRId64 ": status %d, %s", c, nth, (int)status, err.id);
			CHECK(file.data.X == NULL && file.data.text == NULL && knng_sys().live == 0,
			      "case %zu, call %" PRId64 " leaks", c, nth);
		}
	}
}

/* A few bytes of gzip that are many blanks, and a data set that is larger than its text. */
static void
test_memory(void)
{
	enum { BLANKS = 64 << 20, VALUES = 200000 };
	char *text = malloc(BLANKS);
	knng_content file;
	knng_err err;
	memset(text, ' ', BLANKS);
	memcpy(text, "a,b\n1,2\n", 8);
	write_gzip(text, BLANKS);
	knng_memory_set_available(20e6);
	knng_sys_mark_peak();
	CHECK(knng_read(path, KNNG_DATASET, NULL, &file, &err) == KNNG_EMEMORY &&
		      strcmp(err.id, "knng:memory:host") == 0 && knng_sys().live == 0 && knng_sys().peak < 30e6,
	      "%s, %.0f bytes", err.id, (double)knng_sys().peak);
	size_t bytes = 0;
	for (int i = 0; i < VALUES; i++)
		bytes += (size_t)sprintf(text + bytes, i == 0 ? "a,b,c\n" : "1,2,3\n");
	write_bytes(text, bytes);
	knng_memory_set_available(5e6);
	CHECK(knng_read(path, KNNG_DATASET, NULL, &file, &err) == KNNG_EMEMORY &&
		      strcmp(err.id, "knng:memory:host") == 0 && knng_sys().live == 0,
	      "%s", err.id);
	knng_memory_set_available(6e6);
	CHECK(knng_read(path, KNNG_DATASET, NULL, &file, &err) == KNNG_OK, "%s", err.text);
	knng_content_free(&file);
	for (int i = 0; i < 2 * VALUES; i++) /* many columns of few bytes */
		memcpy(text + 2 * i, i == VALUES - 1 ? "a\n" : i < VALUES ? "a," : "1,", 2);
	memcpy(text + 4 * VALUES - 1, "\n", 1);
	write_bytes(text, 4 * VALUES);
	knng_memory_set_available(1.5e6);
	CHECK(knng_read(path, KNNG_DATASET, NULL, &file, &err) == KNNG_EMEMORY &&
		      strstr(err.text, "the columns of a table") != NULL && knng_sys().live == 0,
	      "%s: %s", err.id, err.text);
	knng_memory_set_available(1e12);
	free(text);
}

/* Ctrl-C while a text is parsed: it ends there. */
static void
test_stopped(void)
{
	static char text[200000];
	volatile sig_atomic_t stop = 0;
	const knng_task task = {.interrupt = &stop};
	knng_text t;
	knng_err err;
	int64_t lines = 0;
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = i % 2 ? '\n' : '1';
	write_bytes(text, sizeof text);
	CHECK(knng_text_open(&t, path, &task, &err) == KNNG_OK, "%s", err.text);
	for (; *t.at != '\0'; knng_text_next_line(&t), lines++) {
		stop = lines >= 5000;
		t.at++;
	}
	CHECK(lines >= 5000 && lines < 7000, "%lld lines", (long long)lines);
	knng_text_close(&t);
	CHECK(knng_sys().live == 0, "leaks");
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		return 2;
	knng_memory_set_available(1e12); /* so that the same calls are counted everywhere */
	snprintf(path, sizeof path, "%s/file", folder);
	test_sample();
	test_variations();
	test_numbers();
	test_errors();
	test_no_text();
	test_saved();
	test_encodings();
	test_wide();
	test_formats();
	test_options();
	test_said();
	test_numbers_have_none();
	test_changed_names();
	test_transposed();
	test_counts();
	test_lines_of_samples();
	test_marked_columns();
	test_unseen();
	test_notes();
	test_columns();
	test_format_errors();
	test_cuts();
	test_damage();
	test_sizes();
	test_faults();
	test_memory();
	test_stopped();
	unlink(path);
	rmdir(folder);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
