/* test_matrix_file.c  Files of numbers: every format, type and order gives the numbers that were written, in any parts;
 * heads that are cut off, damaged or say too much are refused; a file that changes while it is read is noticed. */
#include "base/sys.h"
#include "io/matrix_file.h"
#include "numbers.h"
#include "testing.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

static char folder[] = "/tmp/knng-numbers-XXXXXX", path[200];

static const char *
named(const char *name)
{
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void
write_file(const char *name, const void *head, int64_t nhead, const void *data, int64_t ndata)
{
	FILE *f = fopen(named(name), "wb");
	if (f == NULL || fwrite(head, 1, (size_t)nhead, f) != (size_t)nhead ||
	    (ndata > 0 && fwrite(data, 1, (size_t)ndata, f) != (size_t)ndata) || fclose(f) != 0)
		abort();
}

/* A head of NumPy; its length. */
static int64_t
npy_head(char *head, int version, const char *dictionary)
{
	int64_t n = (int64_t)strlen(dictionary), wide = version == 1 ? 2 : 4;
	memcpy(head, "\x93NUMPY", 6);
	head[6] = (char)version;
	head[7] = 0;
	for (int64_t b = 0; b < wide; b++)
		head[8 + b] = (char)(n >> 8 * b);
	memcpy(head + 8 + wide, dictionary, (size_t)n);
	return 8 + wide + n;
}

static void
write_npy(const char *name, int version, const char *dictionary, const void *data, int64_t bytes)
{
	char head[70000];
	write_file(name, head, npy_head(head, version, dictionary), data, bytes);
}

/* Whether the file holds these n x d numbers, read in parts of all sizes, through no more than is needed. */
static bool
holds(int64_t n, int64_t d, const double *want, const char *element)
{
	knng_matrix_file *f;
	knng_err err = {0};
	if (knng_matrix_file_open(&f, path, NULL, NULL, &err) != KNNG_OK) {
		printf("  %s: %s\n", path, err.text);
		return false;
	}
	const knng_layout *l = knng_matrix_file_layout(f);
	double held = knng_matrix_file_bytes(f), all = (double)n * (double)(4 + 8 * d),
	       most = fmax(1 << 22, (double)(4 + 8 * d));
	bool fine = l->n == n && l->d == d && strcmp(l->element->name, element) == 0 && held <= fmin(all, most);
	fine = fine && has_numbers(f, want, &err);
	if (!fine)
		printf("  %s, %lld x %lld: %s\n", path, (long long)n, (long long)d, err.text);
	knng_matrix_file_close(f);
	return fine;
}

static void
test_npy(void)
{
	static const int64_t sizes[][2] = {{1, 1}, {5, 7}, {37, 16}, {3, 130}, {70000, 2}, {40000, 17}};
	for (int t = 0; t < TYPES; t++)
		for (int s = 0; s < 6; s++)
			for (int fortran = 0; fortran < 2; fortran++) {
				int64_t n = sizes[s][0], d = sizes[s][1];
				if (n > 1000 && t >= LARGE_TYPES)
					continue;
				char *data = room(n * d, (size_t)types[t].bytes), text[200];
				double *want = room(n * d, sizeof *want);
				for (int64_t i = 0; i < n; i++)
					for (int64_t j = 0; j < d; j++) {
						char *at = data + (fortran ? j * n + i : i * d + j) * types[t].bytes;
						want[i * d + j] = put(types[t].element, at, i * d + j);
						if (types[t].code[0] == '>')
							reverse(at, types[t].bytes);
					}
				snprintf(text, sizeof text,
					 "{'descr': '%s', 'fortran_order': %s, 'shape': (%lld, %lld), }   \n",
					 types[t].code, fortran ? "True" : "False", (long long)n, (long long)d);
				write_npy("a.npy", 1 + (t + s) % 3, text, data, n * d * types[t].bytes);
				CHECK(holds(n, d, want, types[t].element), "%s", text);
				free(data);
				free(want);
			}
}

/* Other ways to write a head, and shapes. */
static void
test_heads(void)
{
	static const struct {
		const char *text;
		int64_t n, d; /* n 0: it is refused */
	} heads[] = {
		{"{\"shape\":(2,3),\"descr\":\"<f8\",\"fortran_order\":False}", 2, 3},
		{" { 'fortran_order' : False , 'shape' : ( 2L , 3L ) , 'descr' : '<f8' , } ", 2, 3},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }", 6, 1},
		{"{'descr': '<f8', 'fortran_order': True, 'shape': (6,), }", 6, 1},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2, 3), }", 1, 6},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 1, 2, 1), }", 3, 2},
		{"{'descr': '<f8', 'fortran_order': True, 'shape': (1, 2, 3), }", 0, 0},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 0, 0},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }", 0, 0},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4), }", 0, 0},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (2, -3), }", 0, 0},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", 0, 0},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807, 1), }", 0, 0},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 1), }", 0, 0},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), 'more': 1}", 0, 0},
		{"{'descr': '=f8', 'fortran_order': False, 'shape': (2, 3), }", 0, 0},
		{"{'descr': '|f8', 'fortran_order': False, 'shape': (2, 3), }", 0, 0},
		{"{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3), }", 0, 0},
		{"{'descr': '<U2', 'fortran_order': False, 'shape': (2, 3), }", 0, 0},
		{"{'descr': '<f16', 'fortran_order': False, 'shape': (1, 3), }", 0, 0},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", 0, 0},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }", 0, 0},
		{"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2, 3), }", 0, 0},
		{"{'fortran_order': False, 'shape': (2, 3), }", 0, 0},
		{"{'descr': '<f8', 'shape': (2, 3), }", 0, 0},
		{"{'descr': '<f8', 'fortran_order': False, }", 0, 0},
		{"{'descr': '<f8', 'fortran_order': No, 'shape': (2, 3), }", 0, 0},
		{"'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)", 0, 0},
		{"", 0, 0},
	};
	const double data[6] = {1, 2, 3, 4, 5, 6};
	for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
		write_npy("h.npy", 1 + (int)(h % 3), heads[h].text, data, sizeof data);
		if (heads[h].n > 0) {
			CHECK(holds(heads[h].n, heads[h].d, data, "float64"), "%s", heads[h].text);
			continue;
		}
		knng_matrix_file *f;
		knng_err err = {0};
		CHECK(knng_matrix_file_open(&f, path, NULL, NULL, &err) == KNNG_EIO && f == NULL &&
			      strstr(err.text, path),
		      "%s: %s", heads[h].text, err.text);
		CHECK(strcmp(err.id, "knng:io:format") == 0 || strcmp(err.id, "knng:io:truncated") == 0, "%s", err.id);
	}
}

/* Whole numbers that no double is are refused by row, column and value, wherever reading begins. */
static void
test_inexact(void)
{
	static const struct {
		uint64_t bits;
		const char *code, *shown;
	} numbers[] = {
		{(UINT64_C(1) << 53) + 1, "i8", " 9007199254740993,"},
		{0 - ((UINT64_C(1) << 53) + 1), "i8", " -9007199254740993,"},
		{INT64_MAX, "i8", " 9223372036854775807,"},
		{(UINT64_C(1) << 63) + 1, "i8", " -9223372036854775807,"},
		{(UINT64_C(1) << 53) + 1, "u8", " 9007199254740993,"},
		{(UINT64_C(1) << 63) + 1, "u8", " 9223372036854775809,"},
		{UINT64_MAX, "u8", " 18446744073709551615,"},
	};
	enum { N = 6000, D = 3, ROW = 5500, COLUMN = 1 };
	uint64_t *data = room(N * D, sizeof *data);
	double *rows = room(N * D, sizeof *rows);
	for (int t = 0; t < 7 * 4; t++) {
		bool fortran = t % 2 == 1, swapped = t / 2 % 2 == 1;
		knng_matrix_file *f;
		knng_err err = {0};
		char text[200];
		for (int64_t e = 0; e < N * D; e++)
			data[e] = 0;
		data[fortran ? COLUMN * N + ROW : ROW * D + COLUMN] = numbers[t / 4].bits;
		if (swapped)
			reverse((char *)&data[fortran ? COLUMN * N + ROW : ROW * D + COLUMN], 8);
		snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (%d, %d), }",
			 swapped ? '>' : '<', numbers[t / 4].code, fortran ? "True" : "False", N, D);
		write_npy("i.npy", 1, text, data, (int64_t)N * D * 8);
		CHECK(knng_matrix_file_open(&f, path, NULL, NULL, &err) == KNNG_OK, "%s", err.text);
		CHECK(knng_matrix_file_read(f, 0, ROW, rows, &err) == KNNG_OK, "%s", err.text);
		CHECK(knng_matrix_file_read(f, ROW + 1, N - ROW - 1, rows, &err) == KNNG_OK, "%s", err.text);
		for (int64_t first = 0; first <= ROW; first += ROW)
			CHECK(knng_matrix_file_read(f, first, N - first, rows, &err) == KNNG_EIO &&
				      strcmp(err.id, "knng:io:format") == 0 &&
				      strstr(err.text, "row 5501, column 2 ") &&
				      strstr(err.text, numbers[t / 4].shown) && strstr(err.text, path),
			      "%s %lld: %s", text, (long long)first, err.text);
		if (fortran)
			CHECK(knng_matrix_file_column(f, 0, rows, &err) == KNNG_OK &&
				      knng_matrix_file_column(f, COLUMN, rows, &err) == KNNG_EIO,
			      "%s", text);
		knng_matrix_file_close(f);
	}
	free(data);
	free(rows);
}

/* What lies behind the array is counted, and nothing is read of it. */
static void
test_more_behind(void)
{
	static const int64_t more[] = {1, 8, 176};
	const double data[6 + 22] = {0};
	knng_matrix_file *f;
	for (int m = 0; m < 3; m++) {
		knng_err err = {0};
		char said[40];
		write_npy("m.npy", 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", data,
			  6 * 8 + more[m]);
		snprintf(said, sizeof said, " has %lld bytes more ", (long long)more[m]);
		CHECK(knng_matrix_file_open(&f, path, NULL, NULL, &err) == KNNG_EIO &&
			      strcmp(err.id, "knng:io:format") == 0 && strstr(err.text, said) &&
			      strstr(err.text, "another array"),
		      "%s", err.text);
	}
}

static void
test_vectors(void)
{
	static const struct {
		const char *name, *element;
		int bytes;
		bool each;
	} kinds[] = {
		{"a.fbin", "float32", 4, false}, {"A.U8BIN", "uint8", 1, false}, {"a.i8bin", "int8", 1, false},
		{"a.fvecs", "float32", 4, true}, {"a.bvecs", "uint8", 1, true},  {"a.Ivecs", "int32", 4, true},
	};
	static const int32_t sizes[][2] = {{1, 1}, {9, 5}, {3000, 4}};
	for (int t = 0; t < 6; t++)
		for (int s = 0; s < 3; s++) {
			int32_t n = sizes[s][0], d = sizes[s][1], before = kinds[t].each ? 4 : 0;
			int64_t stride = before + d * kinds[t].bytes;
			char *data = room(n, (size_t)stride);
			double *want = room(n * d, sizeof *want);
			for (int32_t i = 0; i < n; i++) {
				memcpy(data + i * stride, &d, (size_t)before);
				for (int32_t j = 0; j < d; j++)
					want[i * d + j] =
						put(kinds[t].element, data + i * stride + before + j * kinds[t].bytes,
						    i * d + j);
			}
			const int32_t head[2] = {n, d};
			write_file(kinds[t].name, head, kinds[t].each ? 0 : 8, data, n * stride);
			CHECK(holds(n, d, want, kinds[t].element), "%s %d", kinds[t].name, n);

			knng_matrix_file *f;
			knng_err err = {0};
			write_file(kinds[t].name, head, kinds[t].each ? 0 : 8, data, n * stride - 1);
			CHECK(knng_matrix_file_open(&f, path, NULL, NULL, &err) == KNNG_EIO, "cut off");
			write_file(kinds[t].name, head, kinds[t].each ? 0 : 8, data, n * stride);
			FILE *more = fopen(path, "ab");
			if (more == NULL || fputs("xyz", more) < 0 || fclose(more) != 0)
				abort();
			if (d * kinds[t].bytes != 3)
				CHECK(knng_matrix_file_open(&f, path, NULL, NULL, &err) == KNNG_EIO,
				      "with more behind");
			if (kinds[t].each && n > 1) {
				data[(n - 1) * stride] ^= 1; /* the last row says another number of columns */
				write_file(kinds[t].name, head, 0, data, n * stride);
				CHECK(knng_matrix_file_open(&f, path, NULL, NULL, &err) == KNNG_OK, "%s", err.text);
				float *rows = room(n * d, 8);
				CHECK(knng_matrix_file_read(f, 0, n, rows, &err) == KNNG_EIO &&
					      strstr(err.text, "row ") != NULL,
				      "%s", err.text);
				free(rows);
				knng_matrix_file_close(f);
			}
			free(data);
			free(want);
		}
}

/* Every head that is cut off or has a byte changed is read or refused, and nothing else happens. */
static void
test_damage(void)
{
	char whole[400], head[400];
	const char *text = "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 3), }  \n";
	int64_t live = knng_sys().live, length = npy_head(whole, 1, text), tried = 0, right = 0;
	const float data[15] = {0};
	for (int64_t at = 0; at < length; at++)
		for (int b = -1; b < 12; b++) {
			knng_matrix_file *f;
			knng_err err = {0};
			memcpy(head, whole, (size_t)length);
			head[at] = b < 8 ? (char)(head[at] ^ 1 << (b & 7)) : "'(),"[b - 8];
			write_file("d.npy", head, b < 0 ? at : length, data, b < 0 ? 0 : sizeof data);
			knng_status status = knng_matrix_file_open(&f, path, NULL, NULL, &err);
			tried++;
			right += status == KNNG_OK
					 ? f != NULL
					 : status == KNNG_EIO && f == NULL && strncmp(err.id, "knng:io:", 8) == 0;
			float rows[15 * 2];
			if (status == KNNG_OK) {
				const knng_layout *l = knng_matrix_file_layout(f);
				if (l->n * l->d <= 15)
					right -= knng_matrix_file_read(f, 0, l->n, rows, &err) != KNNG_OK;
				knng_matrix_file_close(f);
			}
		}
	CHECK(right == tried, "%lld of %lld", (long long)right, (long long)tried);
	CHECK(knng_sys().live == live, "nothing is left");
}

/* What is no file, changes while it is read, or is stopped; failing calls. */
/* What begins like no other format is read whatever its name is, and told where the name says something else. */
static void
test_names(void)
{
	static const char *const names[] = {"x", "x.dat", "x.npy.old", "x.NPY"}, *const wrong[] = {"x.fbin", "x.fvecs",
												   "x.h5"};
	static const char dictionary[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n";
	const double want[] = {1, 2, 3, 4, 5, 6};
	knng_matrix_file *f;
	knng_err err;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		write_npy(names[i], 1, dictionary, want, sizeof want);
		CHECK(knng_matrix_format_find(path) != NULL && holds(2, 3, want, "float64"), "%s", names[i]);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		write_npy(wrong[i], 1, dictionary, want, sizeof want);
		CHECK(knng_matrix_file_open(&f, path, NULL, NULL, &err) == KNNG_EIO &&
			      strcmp(err.id, "knng:io:format") == 0 &&
			      strstr(err.text, "is an array of NumPy by its beginning") != NULL &&
			      strstr(err.text, "ends in .npy") != NULL,
		      "%s: %s", wrong[i], err.text);
	}
	write_file("x.fbin", "\x89HDF\r\n\x1a\n", 8, NULL, 0);
	CHECK(knng_matrix_file_open(&f, path, NULL, NULL, &err) == KNNG_EIO &&
		      strstr(err.text, "is a file of HDF5 by its beginning") != NULL,
	      "%s", err.text);
	write_file("x.dat", "1 2 3\n", 6, NULL, 0);
	CHECK(knng_matrix_format_find(path) == NULL && knng_matrix_file_open(&f, path, NULL, NULL, &err) == KNNG_EIO &&
		      strstr(err.text, ".npy, .npz, .fbin, ") != NULL && strstr(err.text, ".mat") != NULL,
	      "%s", err.text);
	CHECK(mkfifo(named("pipe"), 0600) == 0 && knng_matrix_format_find(path) == NULL, "a pipe");
}

static void
test_failures(void)
{
	const float data[4096] = {0};
	const int32_t head[2] = {64, 64};
	float *rows = room(64 * 64, sizeof *rows);
	int64_t live = knng_sys().live;
	knng_matrix_file *f;
	knng_err err = {0};
	CHECK(knng_matrix_file_open(&f, named("none.npy"), NULL, NULL, &err) == KNNG_EIO &&
		      strcmp(err.id, "knng:io:open") == 0,
	      "%s", err.text);
	write_file("packed.npy", "\x1F\x8B\10\0\0\0\0\0\0\3", 10, data, 100);
	CHECK(knng_matrix_file_open(&f, path, NULL, NULL, &err) == KNNG_EIO &&
		      strstr(err.text, "unpack it first") != NULL,
	      "%s", err.text);
	CHECK(knng_matrix_file_open(&f, named("a.text"), NULL, NULL, &err) == KNNG_EIO, "%s", err.text);
	if (mkdir(named("folder.npy"), 0700) != 0)
		abort();
	CHECK(knng_matrix_file_open(&f, path, NULL, NULL, &err) == KNNG_EIO, "%s", err.text);
	if (mkfifo(named("pipe.npy"), 0600) != 0)
		abort();
	CHECK(knng_matrix_file_open(&f, path, NULL, NULL, &err) == KNNG_EIO && strstr(err.text, "disk") != NULL, "%s",
	      err.text);

	for (int how = 0; how < 3; how++) { /* longer, of the same length, shorter */
		write_file("c.fbin", head, sizeof head, data, sizeof data);
		CHECK(knng_matrix_file_open(&f, path, NULL, NULL, &err) == KNNG_OK, "%s", err.text);
		CHECK(knng_matrix_file_read(f, 0, 64, rows, &err) == KNNG_OK, "%s", err.text);
		const struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};
		int changed =
			how == 1 ? utimensat(AT_FDCWD, path, long_ago, 0) : truncate(path, how == 0 ? 1 << 20 : 100);
		if (changed != 0)
			abort();
		CHECK(knng_matrix_file_read(f, 3, 60, rows, &err) == KNNG_EIO && strcmp(err.id, "knng:io:open") == 0 &&
			      strstr(err.text, "changed") != NULL,
		      "%d: %s", how, err.text);
		knng_matrix_file_close(f);
	}

	volatile sig_atomic_t stop = 0;
	knng_task task = {.interrupt = &stop};
	write_file("c.fbin", head, sizeof head, data, sizeof data);
	CHECK(knng_matrix_file_open(&f, path, NULL, &task, &err) == KNNG_OK, "%s", err.text);
	stop = SIGINT;
	CHECK(knng_matrix_file_read(f, 0, 64, rows, &err) == KNNG_EINTERRUPTED, "%s", err.text);
	knng_matrix_file_close(f);

	const uint8_t bytes[4096] = {0};
	write_file("c.u8bin", head, sizeof head, bytes, sizeof bytes); /* converted through a buffer */
	for (int64_t nth = 1, reached = 1; reached; nth++) {
		int64_t before = knng_sys().calls;
		knng_sys_fail_at(nth);
		knng_status status = knng_matrix_file_open(&f, path, NULL, NULL, &err);
		if (status == KNNG_OK)
			status = knng_matrix_file_read(f, 0, 64, rows, &err);
		reached = knng_sys().calls - before >= nth;
		knng_sys_fail_at(0);
		knng_matrix_file_close(f);
		CHECK((status == KNNG_OK) != reached && knng_sys().live == live, "call %lld: %d", (long long)nth,
		      (int)status);
	}
	free(rows);
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		abort();
	test_npy();
	test_heads();
	test_inexact();
	test_more_behind();
	test_vectors();
	test_damage();
	test_names();
	test_failures();
	if (!remove_folder(folder))
		abort();
	return summary();
}
