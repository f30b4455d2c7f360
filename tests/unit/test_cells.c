/* test_cells.c  Matrices of single cells: three files under all the names they have, each error with its file and line,
 * files cut off at every byte, every wrapped call failing one after another. */
#include "base/sys.h"
#include "io/knng_io.h"
#include "testing.h"

#include <signal.h>
#include <sys/stat.h>
#include <zlib.h>

static char folder[] = "/tmp/knng-cells-XXXXXX", path[300];

#define HEAD "%%MatrixMarket matrix coordinate integer general\n%meta\n"
static const char matrix[] = HEAD "4 3 5\n1 1 3\n4 1 2\n2 2 7\n1 3 1\n3 3 9\n",
		  features[] = "E1\tCD3D\tGene Expression\nE2\tMS4A1\tGene Expression\nE3\tLYZ\tGene Expression\n"
			       "E4\tADT one\tAntibody Capture\n",
		  genes[] = "E1\tCD3D\nE2\tMS4A1\nE3\tLYZ\nE4\tADT one\n", barcodes[] = "AA-1\nAC-1\nAG-1\n";
static const double values[12] = {3, 0, 0, 2, 0, 7, 0, 0, 1, 0, 9, 0};

static void
write_bytes(const char *name, const char *text, size_t size, bool packed)
{
	snprintf(path, sizeof path, "%s/%s%s", folder, name, packed ? ".gz" : "");
	gzFile f = gzopen(path, packed ? "wb6" : "wbT");
	if (f == NULL || (size > 0 && gzwrite(f, text, (unsigned)size) != (int)size) || gzclose(f) != Z_OK)
		abort();
}

static void
write_text(const char *name, const char *text, bool packed)
{
	write_bytes(name, text, strlen(text), packed);
}

static void
clear(void)
{
	char command[400];
	snprintf(command, sizeof command, "rm -f '%s'/*", folder);
	if (system(command) != 0)
		abort();
}

/* Reads the folder, or a file of it. */
static knng_status
read_cells(const char *name, knng_content *c, knng_err *err)
{
	snprintf(path, sizeof path, "%s%s%s", folder, name != NULL ? "/" : "", name != NULL ? name : "");
	err->id[0] = err->text[0] = '\0';
	return knng_read(path, KNNG_DATASET | KNNG_GRAPH, NULL, c, err);
}

static bool
are_texts(char **texts, int64_t n, const char *joined)
{
	char all[400] = "";
	for (int64_t i = 0; texts != NULL && i < n; i++)
		strcat(strcat(all, texts[i]), "|");
	return strcmp(all, joined) == 0;
}

static bool
is_sample(const knng_content *c, bool typed)
{
	const knng_dataset *ds = &c->data;
	return c->kind == KNNG_DATASET && strcmp(c->format, "cells") == 0 && ds->nrows == 4 && ds->ncols == 3 &&
	       memcmp(ds->X, values, sizeof values) == 0 && are_texts(ds->names, 4, "E1|E2|E3|E4|") &&
	       are_texts(ds->samples, 3, "AA-1|AC-1|AG-1|") && are_texts(ds->symbols, 4, "CD3D|MS4A1|LYZ|ADT one|") &&
	       ds->classes == NULL && ds->nmeta == 1 + typed && strcmp(ds->meta[0].key, "symbol") == 0 &&
	       ds->meta[0].by_row && are_texts(ds->meta[0].values, ds->meta[0].count, "CD3D|MS4A1|LYZ|ADT one|") &&
	       (!typed || (strcmp(ds->meta[1].key, "feature_type") == 0 && ds->meta[1].by_row &&
			   are_texts(ds->meta[1].values, ds->meta[1].count,
				     "Gene Expression|Gene Expression|Gene Expression|Antibody Capture|")));
}

/* All names, by the folder and by the file. */
static void
test_names(void)
{
	static const char *const before[] = {"", "GSM1_", "a.b-"};
	for (int c = 0; c < 3 * 16 * 2; c++) {
		int which = c / 16 % 3;
		bool packed[3] = {c & 1, c & 2, c & 4}, old = c & 8, by_file = c >= 3 * 16;
		char name[3][60];
		knng_content content;
		knng_err err;
		clear();
		snprintf(name[0], sizeof name[0], "%smatrix.mtx", before[which]);
		snprintf(name[1], sizeof name[1], "%s%s.tsv", before[which], old ? "genes" : "features");
		snprintf(name[2], sizeof name[2], "%sbarcodes.tsv", before[which]);
		write_text(name[2], barcodes, packed[2]);
		write_text(name[1], old ? genes : features, packed[1]);
		write_text(name[0], matrix, packed[0]);
		strcat(name[0], packed[0] ? ".gz" : "");
		knng_status status = read_cells(by_file ? name[0] : NULL, &content, &err);
		CHECK(status == KNNG_OK && is_sample(&content, !old), "%d: %s", c, err.text);
		knng_content_free(&content);
		if (!by_file) { /* with a slash at the end */
			status = read_cells("", &content, &err);
			CHECK(status == KNNG_OK && is_sample(&content, !old), "%d: %s", c, err.text);
			knng_content_free(&content);
		}
	}
	CHECK(knng_sys().live == 0, "leaks");
}

/* What the files may be otherwise. */
static void
test_variations(void)
{
	static const struct {
		const char *matrix, *features, *barcodes;
	} cases[] = {
		{"%%matrixmarket MATRIX coordinate real general\r\n\r\n4 3 5\r\n4 1 2.0\r\n1 1 3e0\r\n\r\n3 3 +9\r\n"
		 "2 2 7.\r\n1 3 1\r\n",
		 "\xEF\xBB\xBF"
		 "E1\tCD3D\r\n\r\nE2\tMS4A1\r\nE3\tLYZ\r\nE4\tADT one",
		 "AA-1\r\nAC-1\r\nAG-1"},
		{HEAD "  4\t3 6\n1 1 3\n4 1 2 \n\n2 2 7\n1 3 1\n1 2 0\n3 3 9", genes, "AA-1\tx\nAC-1\nAG-1\ty\tz\n"},
	};
	knng_content c;
	knng_err err;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		clear();
		write_text("matrix.mtx", cases[i].matrix, i % 2);
		write_text("features.tsv", cases[i].features, i % 2);
		write_text("barcodes.tsv", cases[i].barcodes, false);
		CHECK(read_cells(NULL, &c, &err) == KNNG_OK && is_sample(&c, false), "%zu: %s", i, err.text);
		knng_content_free(&c);
	}
	/* Ids alone, all columns, no entry; entries without values, missing and infinite ones. */
	clear();
	write_text("matrix.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 2\n", false);
	write_text("features.tsv", "a\nb\n", false);
	write_text("barcodes.tsv", "x\ny\n", false);
	CHECK(read_cells(NULL, &c, &err) == KNNG_OK && c.data.symbols == NULL && c.data.nmeta == 0 &&
		      memcmp(c.data.X, (double[]){0, 0, 1, 1}, 32) == 0,
	      "%s", err.text);
	knng_content_free(&c);
	write_text("matrix.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 2 NA\n2 2 -inf\n1 1 -0.1\n",
		   false);
	write_text("features.tsv", "a\tb\t\tchr1\t3\t7\nb\t\tPeaks\tchrX\t9\t12\n", false);
	CHECK(read_cells(NULL, &c, &err) == KNNG_OK && c.data.X[0] == -0.1 && c.data.X[1] == 0 && isnan(c.data.X[2]) &&
		      c.data.X[3] == -INFINITY && c.data.nmeta == 5 &&
		      strcmp(c.data.meta[4].key, "chromosome_end") == 0 &&
		      are_texts(c.data.meta[4].values, 2, "7|12|") && are_texts(c.data.meta[1].values, 2, "|Peaks|") &&
		      are_texts(c.data.symbols, 2, "b||"),
	      "%s", err.text);
	knng_content_free(&c);
	const char *missing[] = {"peaks", "-0.1", "chr1", "a", NULL}; /* names stay as they are */
	const knng_read_options options = {.missing = missing};
	CHECK(knng_read_with(folder, KNNG_DATASET, &options, NULL, &c, &err) == KNNG_OK && isnan(c.data.X[0]) &&
		      are_texts(c.data.meta[1].values, 2, "||") && are_texts(c.data.meta[2].values, 2, "|chrX|") &&
		      are_texts(c.data.names, 2, "a|b|"),
	      "%s", err.text);
	knng_content_free(&c);
	write_text("matrix.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 0\n", false);
	CHECK(read_cells(NULL, &c, &err) == KNNG_OK && memcmp(c.data.X, (double[4]){0}, 32) == 0, "%s", err.text);
	knng_content_free(&c);
	CHECK(knng_sys().live == 0, "leaks");
}

/* A matrix alone is what it was: a graph, or an error that says what is missing. */
static void
test_alone(void)
{
	knng_content c;
	knng_err err;
	static const char square[] = HEAD "3 3 2\n1 2 1\n2 1 1\n";
	for (int beside = 0; beside < 3; beside++) {
		clear();
		if (beside == 1)
			write_text("features.tsv", "a\nb\nc\n", false);
		if (beside == 2)
			write_text("barcodes.tsv", "a\nb\nc\n", true);
		write_text("matrix.mtx", square, false);
		CHECK(read_cells("matrix.mtx", &c, &err) == KNNG_OK && c.kind == KNNG_GRAPH &&
			      strcmp(c.format, "mtx") == 0 && c.graph.n == 3,
		      "%s", err.text);
		knng_content_free(&c);
		write_text("matrix.mtx", matrix, false);
		CHECK(read_cells("matrix.mtx", &c, &err) == KNNG_EIO && strcmp(err.id, "knng:io:format") == 0 &&
			      strstr(err.text, "line 3: found a matrix of 4 rows and 3 columns") &&
			      strstr(err.text, "barcodes.tsv and features.tsv"),
		      "%s", err.text);
		const char *missing = beside == 1 ? "no barcodes.tsv" : "no features.tsv";
		CHECK(read_cells(NULL, &c, &err) == KNNG_EIO && strcmp(err.id, "knng:io:open") == 0 &&
			      strstr(err.text, missing) && strstr(err.text, "/matrix.mtx: "),
		      "%s", err.text);
	}
	/* With both it is one of cells; who wants a graph gets that. */
	write_text("features.tsv", "a\nb\nc\n", false);
	write_text("matrix.mtx", square, false);
	CHECK(read_cells("matrix.mtx", &c, &err) == KNNG_OK && c.kind == KNNG_DATASET, "%s", err.text);
	knng_content_free(&c);
	CHECK(knng_read(path, KNNG_GRAPH, NULL, &c, &err) == KNNG_OK && c.kind == KNNG_GRAPH, "%s", err.text);
	knng_content_free(&c);

	clear();
	CHECK(read_cells(NULL, &c, &err) == KNNG_EIO && strcmp(err.id, "knng:io:open") == 0 &&
		      strstr(err.text, "the folder has no matrix.mtx"),
	      "%s", err.text);
	write_text("b_matrix.mtx", matrix, false);
	CHECK(read_cells(NULL, &c, &err) == KNNG_EIO && strstr(err.text, "no b_features.tsv"), "%s", err.text);
	write_text("b_matrix.mtx", "damaged", true); /* the one beside it counts, as without a prefix */
	CHECK(read_cells(NULL, &c, &err) == KNNG_EIO && strstr(err.text, "no b_features.tsv"), "%s", err.text);
	snprintf(path, sizeof path, "%s/b_matrix.mtx.gz", folder);
	remove(path);
	write_text("c_matrix.mtx", matrix, true);
	write_text("a_matrix.mtx", matrix, true);
	CHECK(read_cells(NULL, &c, &err) == KNNG_EIO && strcmp(err.id, "knng:io:open") == 0 &&
		      strstr(err.text, "several") && strstr(err.text, "a_matrix.mtx.gz and b_matrix.mtx:"),
	      "%s", err.text);
	CHECK(knng_sys().live == 0, "leaks");
}

/* Every error, with the file and the line that it names. */
static void
test_errors(void)
{
	static const struct {
		const char *matrix, *features, *barcodes; /* NULL: those of the sample */
		const char *id, *text;
	} cases[] = {
		{HEAD "5 3 0\n", NULL, NULL, "format",
		 "line 3: found a matrix of 5 rows and 3 columns, expected 4 and 3"},
		{HEAD "4 4 0\n", NULL, NULL, "format",
		 "line 3: found a matrix of 4 rows and 4 columns, expected 4 and 3"},
		{HEAD "4 3 1\n5 1 1\n", NULL, NULL, "format",
		 "line 4: found '5', expected a feature, a whole number from 1 to 4"},
		{HEAD "4 3 1\n0 1 1\n", NULL, NULL, "format", "line 4: found '0', expected a feature"},
		{HEAD "4 3 1\n1.5 1 1\n", NULL, NULL, "format", "line 4: found '1.5', expected a feature"},
		{HEAD "4 3 1\n1 4 1\n", NULL, NULL, "format",
		 "line 4: found '4', expected a cell, a whole number from 1 to 3"},
		{HEAD "4 3 1\n1 0 1\n", NULL, NULL, "format", "line 4: found '0', expected a cell"},
		{HEAD "4 3 1\n1 1 x\n", NULL, NULL, "format", "line 4: found 'x', expected a number"},
		{HEAD "4 3 1\n1 1 1e400\n", NULL, NULL, "format", "line 4: found '1e400', expected a number"},
		{HEAD "4 3 1\n1  1\n", NULL, NULL, "format", "line 4: found the end of the line, expected a number"},
		{HEAD "4 3 1\n1 1 1 1\n", NULL, NULL, "format", "line 4: found '1', expected the end of the line"},
		{HEAD "4 3 2\n1 1 1\n1 1 2\n", NULL, NULL, "format",
		 "line 5: feature 1 of cell 1 stands here for the second time"},
		{HEAD "4 3 2\n1 1 nan\n1 1 2\n", NULL, NULL, "format", "line 5: feature 1 of cell 1 stands"},
		{HEAD "4 3 1\n1 1 1\n2 1 1\n", NULL, NULL, "format",
		 "line 5: found '2', expected no more than the 1 entries"},
		{HEAD "4 3 3\n1 1 1\n2 1 1\n                  ", NULL, NULL, "truncated",
		 "ends in line 6, before the last entry"},
		{HEAD "4 3 999999999\n1 1 1\n", NULL, NULL, "truncated", "line 3: promises 999999999 entries"},
		{HEAD "4 3 1\n3 1   ", NULL, NULL, "truncated", "before a number"},
		{HEAD "4 3\n", NULL, NULL, "format", "line 3: found '4', expected three whole numbers"},
		{HEAD "0 3 0\n", NULL, NULL, "format", "expected 4 and 3"},
		{"%%MatrixMarket matrix array real general\n4 3\n", NULL, NULL, "format", "expected coordinate"},
		{"%%MatrixMarket matrix coordinate complex general\n4 3 0\n", NULL, NULL, "format", "found 'complex'"},
		{"%%MatrixMarket matrix coordinate real symmetric\n3 3 0\n", NULL, NULL, "format",
		 "line 1: found a symmetric"},
		{NULL, "E1\tx\nE2\n", NULL, "format", "features.tsv, line 2: found 1 fields, expected 2"},
		{NULL, "E1\tx\n\n\nE2\ty\tz\n", NULL, "format", "features.tsv, line 4: found 3 fields, expected 2"},
		{NULL, "a\tb\tc\td\te\tf\tg\n", NULL, "format",
		 "features.tsv, line 1: found 7 fields, expected 6 at most"},
		{NULL, "E1\n\tx\n", NULL, "format", "features.tsv, line 2: found nothing before the first tab"},
		{NULL, NULL, "AA\n\tx\n", "format", "barcodes.tsv, line 2: found nothing before the first tab"},
		{NULL, "", NULL, "truncated", "features.tsv is empty"},
		{NULL, NULL, "", "truncated", "barcodes.tsv is empty"},
		{NULL, NULL, "\n", "format", "expected 4 and 0"},
		{NULL, "E1\nE2\nE3\n", NULL, "format",
		 "line 3: found a matrix of 4 rows and 3 columns, expected 3 and 3"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		knng_content c;
		knng_err err;
		char id[40];
		clear();
		write_text("matrix.mtx", cases[i].matrix != NULL ? cases[i].matrix : matrix, false);
		write_text("features.tsv", cases[i].features != NULL ? cases[i].features : features, false);
		write_text("barcodes.tsv", cases[i].barcodes != NULL ? cases[i].barcodes : barcodes, false);
		snprintf(id, sizeof id, "knng:io:%s", cases[i].id);
		CHECK(read_cells(NULL, &c, &err) == KNNG_EIO && strcmp(err.id, id) == 0 &&
			      strstr(err.text, cases[i].text) && strstr(err.text, folder),
		      "%zu: %s: %s", i, err.id, err.text);
		CHECK(c.data.X == NULL && c.data.text == NULL && knng_sys().live == 0, "%zu leaks", i);
	}
	knng_content c;
	knng_err err;
	clear();
	write_text("matrix.mtx", matrix, false);
	write_text("features.tsv", features, false);
	write_bytes("barcodes.tsv", "A\0B", 3, false);
	CHECK(read_cells(NULL, &c, &err) == KNNG_EIO && strcmp(err.id, "knng:io:format") == 0 &&
		      strstr(err.text, "barcodes.tsv, line 1: found a NUL"),
	      "%s", err.text);
}

/* Each of the files, plain and packed, cut off at every byte: what is read then is whole. */
static void
test_cuts(void)
{
	static const char *const names[] = {"matrix.mtx", "features.tsv", "barcodes.tsv"}, *const texts[] = {matrix,
													     features,
													     barcodes};
	for (int c = 0; c < 6; c++) {
		int cut = c / 2;
		bool packed = c % 2 == 1;
		char whole[600];
		clear();
		for (int f = 0; f < 3; f++)
			write_text(names[f], texts[f], packed);
		snprintf(path, sizeof path, "%s/%s%s", folder, names[cut], packed ? ".gz" : "");
		FILE *f = fopen(path, "rb");
		size_t size = f != NULL ? fread(whole, 1, sizeof whole, f) : 0;
		if (size == 0 || fclose(f) != 0)
			abort();
		for (size_t left = size; left-- > 0;) {
			knng_content content;
			knng_err err;
			snprintf(path, sizeof path, "%s/%s%s", folder, names[cut], packed ? ".gz" : "");
			if (truncate(path, (off_t)left) != 0)
				abort();
			knng_status status = read_cells(NULL, &content, &err);
			/* Of the last line of names, or that without its end, nothing is missing that could be told. */
			bool fine = status == KNNG_OK && !packed && left + (cut == 0 ? 2 : 20) > size &&
				    content.data.nrows == 4 && content.data.ncols == 3 &&
				    memcmp(content.data.X, values, sizeof values) == 0;
			CHECK(fine || (status == KNNG_EIO && strncmp(err.id, "knng:io:", 8) == 0 &&
				       err.text[0] != '\0'),
			      "%s%s cut to %zu: %s", names[cut], packed ? ".gz" : "", left, err.text);
			knng_content_free(&content);
			CHECK(knng_sys().live == 0, "leaks");
		}
	}
}

static void
test_faults(void)
{
	static const char *const names[] = {"matrix.mtx", "s_matrix.mtx"};
	for (int c = 0; c < 4; c++) {
		clear();
		write_text(names[c % 2], matrix, c > 1);
		write_text(c % 2 == 0 ? "features.tsv" : "s_features.tsv", features, c > 1);
		write_text(c % 2 == 0 ? "barcodes.tsv" : "s_barcodes.tsv", barcodes, c > 1);
		for (int64_t nth = 1, reached = 1; reached; nth++) {
			knng_content content;
			knng_err err;
			int64_t before = knng_sys().calls;
			knng_sys_fail_at(nth);
			knng_status status = read_cells(NULL, &content, &err);
			reached = knng_sys().calls - before >= nth;
			knng_sys_fail_at(0);
			if (reached)
				CHECK((status == KNNG_EMEMORY && strcmp(err.id, "knng:memory:host") == 0) ||
					      (status == KNNG_EIO && strncmp(err.id, "knng:io:", 8) == 0),
				      "call %lld: %d, %s", (long long)nth, (int)status, err.id);
			else
				CHECK(status == KNNG_OK && is_sample(&content, true) && nth > 15, "%lld calls: %s",
				      (long long)nth, err.text);
			knng_content_free(&content);
			CHECK(knng_sys().live == 0, "call %lld leaks", (long long)nth);
		}
	}
}

/* A small file that is large with its zeros; one that stops. */
static void
test_memory(void)
{
	enum { CELLS = 20000, FEATURES = 1000 };
	char *text = room(CELLS, 8), *p = text;
	knng_content c;
	knng_err err;
	clear();
	for (int i = 0; i < CELLS; i++)
		p += sprintf(p, "c%d\n", i);
	write_text("barcodes.tsv", text, true);
	p = text;
	for (int i = 0; i < FEATURES; i++)
		p += sprintf(p, "f%d\n", i);
	write_text("features.tsv", text, true);
	write_text("matrix.mtx", HEAD "1000 20000 1\n1000 20000 5\n", true);
	knng_memory_set_available(300e6); /* less than twice 160 MB */
	CHECK(read_cells(NULL, &c, &err) == KNNG_EMEMORY && strcmp(err.id, "knng:memory:host") == 0 &&
		      strstr(err.text, "1000 x 20000 numbers take 160.0 MB") && strstr(err.text, "fewer features"),
	      "%s", err.text);
	knng_memory_set_available(400e6);
	CHECK(read_cells(NULL, &c, &err) == KNNG_OK && c.data.X[0] == 0 &&
		      c.data.X[(int64_t)CELLS * FEATURES - 1] == 5 && strcmp(c.data.samples[CELLS - 1], "c19999") == 0,
	      "%s", err.text);
	knng_content_free(&c);
	write_text("matrix.mtx", HEAD "1000 9007199254740992 1\n1000 20000 5\n", true);
	CHECK(read_cells(NULL, &c, &err) == KNNG_EIO && strcmp(err.id, "knng:io:format") == 0, "%s", err.text);
	knng_memory_set_available(1e12);
	free(text);

	volatile sig_atomic_t stop = SIGINT;
	knng_task task = {.interrupt = &stop};
	CHECK(knng_read(folder, KNNG_DATASET, &task, &c, &err) == KNNG_EINTERRUPTED, "%s", err.text);
	CHECK(knng_sys().live == 0, "leaks");
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		abort();
	test_names();
	test_variations();
	test_alone();
	test_errors();
	test_cuts();
	test_faults();
	test_memory();
	if (!remove_folder(folder))
		abort();
	return summary();
}
