/* test_npz.c  Archives of NumPy: every type and order gives the numbers that were written, stored and deflated, with
 * zip64 and without, either way round, in any parts. What is no matrix, or not whole, is refused with what to do, and
 * no byte can be changed so that other numbers come. */
#include "base/sys.h"
#include "interrupts.h"
#include "numbers.h"
#include "zips.h"

#include <fcntl.h>
#include <sys/stat.h>

static char folder[] = "/tmp/knng-npz-XXXXXX", path[200];

static const char *
named(const char *name)
{
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void
write_bytes(const char *name, const void *bytes, int64_t count)
{
	FILE *f = fopen(named(name), "wb");
	if (f == NULL || fwrite(bytes, 1, (size_t)count, f) != (size_t)count || fclose(f) != 0)
		abort();
}

static void
write_zip(const char *name, const zip_part *parts, int count, bool wide)
{
	zip_file z = {.bytes = room(zip_room(parts, count), 1)};
	put_zip(&z, parts, count, wide);
	write_bytes(name, z.bytes, z.size);
	free(z.bytes);
}

static knng_status
open_of(knng_matrix_file **f, const char *dataset, int transposed, knng_err *err)
{
	const knng_matrix_choice choice = {dataset, transposed};
	*err = (knng_err){0};
	return knng_matrix_file_open(f, path, &choice, NULL, err);
}

/* Whether the file is refused with this identifier, and both texts. */
static bool
refused(const char *dataset, const char *id, const char *said, const char *too)
{
	knng_matrix_file *f;
	knng_err err;
	int64_t live = knng_sys().live;
	bool fine = open_of(&f, dataset, -1, &err) != KNNG_OK && f == NULL && strcmp(err.id, id) == 0 &&
		    strstr(err.text, path) != NULL && strstr(err.text, said) != NULL && strstr(err.text, too) != NULL &&
		    knng_sys().live == live;
	if (!fine)
		printf("  %s: %s\n", err.id, err.text);
	knng_matrix_file_close(f);
	return fine;
}

/* Whether the array of this name has these numbers, through no more memory than is said. */
static bool
holds(const char *dataset, int transposed, int64_t n, int64_t d, const double *want, const char *element)
{
	knng_matrix_file *f;
	knng_err err;
	int64_t before = knng_sys().bytes;
	if (open_of(&f, dataset, transposed, &err) != KNNG_OK) {
		printf("  %s: %s\n", path, err.text);
		return false;
	}
	const knng_layout *l = knng_matrix_file_layout(f);
	knng_sys_mark_peak();
	bool fine = l->n == n && l->d == d && strcmp(l->element->name, element) == 0 && has_numbers(f, want, &err);
	/* beside what is counted: names, and the small parts of a file */
	fine = fine && (double)(knng_sys().peak - before) <= knng_matrix_file_bytes(f) + 4000;
	if (!fine)
		printf("  %s, %lld x %lld: %s; %g, said %g\n", path, (long long)l->n, (long long)l->d, err.text,
		       (double)(knng_sys().peak - before), knng_matrix_file_bytes(f));
	knng_matrix_file_close(f);
	return fine;
}

/* n x d numbers of a type as an array in a file, and what they stand for, or their transpose. */
static void
try_type(int t, int64_t n, int64_t d, bool fortran, int how)
{
	char *data = room(n * d, (size_t)types[t].bytes), shape[60];
	double *want = room(n * d, sizeof *want), *turned = room(n * d, sizeof *turned);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < d; j++) {
			char *at = data + (fortran ? j * n + i : i * d + j) * types[t].bytes;
			turned[j * n + i] = want[i * d + j] = put(types[t].element, at, i * d + j);
			if (types[t].code[0] == '>')
				reverse(at, types[t].bytes);
		}
	snprintf(shape, sizeof shape, "%lld, %lld", (long long)n, (long long)d);
	zip_part parts[3] = {{.name = "first.npy", .bytes = data, .size = 0, .wide = how % 4 == 2},
			     {.name = "X.npy", .deflated = how % 2 == 1, .wide = how % 4 == 1, .behind = how % 3 == 2},
			     {.name = "notes.txt", .bytes = "PK\5\6", .size = 4}};
	void *bytes = make_npy(types[t].code, fortran, shape, data, n * d * types[t].bytes, &parts[1].size);
	parts[1].bytes = bytes;
	write_zip("a.npz", parts, 3, how % 5 == 4);
	CHECK(holds(NULL, -1, n, d, want, types[t].element), "%s %s %d", types[t].code, shape, how);
	CHECK(holds("X", 0, n, d, want, types[t].element), "%s %s %d", types[t].code, shape, how);
	CHECK(holds("X.npy", 1, d, n, turned, types[t].element), "transposed: %s %s %d", types[t].code, shape, how);
	free(bytes);
	free(data);
	free(want);
	free(turned);
}

static void
test_types(void)
{
	static const int64_t sizes[][2] = {{2, 2}, {5, 7}, {37, 16}, {3, 130}};
	int how = 0;
	for (int t = 0; t < TYPES; t++)
		for (int s = 0; s < 4; s++)
			for (int fortran = 0; fortran < 2; fortran++)
				for (int packed = 0; packed < 2; packed++, how++)
					try_type(t, sizes[s][0], sizes[s][1], fortran == 1, (how / 2) * 2 + packed);
}

/* Several boxes, and places from which unpacking goes on; also where a row or a column is larger than a box. */
static void
test_large(void)
{
	static const struct {
		int type;
		int64_t n, d;
		bool fortran;
	} large[] = {{1, 9000, 130, true},
		     {1, 9000, 130, false},
		     {5, 3, 1100000, false},
		     {13, 700000, 3, false},
		     {0, 1100000, 3, true}};
	for (size_t i = 0; i < sizeof large / sizeof *large; i++)
		if (!SKIPS_TOO(2, 3))
			try_type(large[i].type, large[i].n, large[i].d, large[i].fortran, 1);
}

/* ---- which array ---- */

static void
test_choice(void)
{
	static const double numbers[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
	int64_t sizes[6];
	void *arrays[6] = {make_npy("<f8", false, "3, 4", numbers, 96, &sizes[0]),
			   make_npy("<f8", false, "2, 6", numbers, 96, &sizes[1]),
			   make_npy("<f8", false, "12,", numbers, 96, &sizes[2]),
			   make_npy("<U3", false, "8,", numbers, 96, &sizes[3]),
			   make_npy("|O", false, "3,", numbers, 24, &sizes[4]),
			   make_npy("<f8", false, "2, 3, 2", numbers, 96, &sizes[5])};
#define PART_OF(called, a)                                                                                             \
	{                                                                                                              \
		.name = (called), .bytes = arrays[a], .size = sizes[a], .deflated = (a) % 2 == 1                       \
	}
	const zip_part one[] = {PART_OF("y.npy", 2), PART_OF("names.npy", 3), PART_OF("X.npy", 0)},
		       two[] = {PART_OF("train/a.npy", 0), PART_OF("test/b.npy", 1), PART_OF("o.npy", 4)},
		       vector[] = {PART_OF("o.npy", 4), PART_OF("v.npy", 2)}, text[] = {PART_OF("names.npy", 3)},
		       cube[] = {PART_OF("arr_0.npy", 5)}, stack[] = {PART_OF("y.npy", 2), PART_OF("images.npy", 5)},
		       masked[] = {PART_OF("images.npy", 5), PART_OF("mask.npy", 0)},
		       sparse[] = {PART_OF("indices.npy", 2), PART_OF("indptr.npy", 2), PART_OF("format.npy", 3),
				   PART_OF("shape.npy", 2), PART_OF("data.npy", 2)},
		       like[] = {PART_OF("X.npy.npy", 0), PART_OF("X.npy", 1)};
	write_zip("a.npz", one, 3, false);
	CHECK(holds(NULL, -1, 3, 4, numbers, "float64"), "the only matrix");
	CHECK(holds("y", -1, 12, 1, numbers, "float64") && holds("y.npy", 1, 12, 1, numbers, "float64"), "a vector");
	CHECK(refused("x", "knng:io:format", "has no array 'x' (did you mean 'X'?)", "y (12 x 1), X (3 x 4)"), "x");
	CHECK(refused("names", "knng:io:format", "(names): its elements are of type '<U3'", "astype"), "texts");
	CHECK(refused("", "knng:io:format", "has no array ''", "'Dataset', 'y'"), "an empty name");
	write_zip("a.npz", two, 3, false);
	CHECK(refused(NULL, "knng:io:format", "holds several arrays; it holds train/a (3 x 4), test/b (2 x 6): name",
		      "'Dataset', 'train/a'"),
	      "two");
	CHECK(refused("b", "knng:io:format", "did you mean 'test/b'?", ""), "in a folder");
	CHECK(holds("test/b", -1, 2, 6, numbers, "float64"), "the second");
	write_zip("a.npz", vector, 2, false);
	CHECK(holds(NULL, -1, 12, 1, numbers, "float64"), "the only numbers");
	write_zip("a.npz", text, 1, false);
	CHECK(refused(NULL, "knng:io:format", "(names): its elements are of type '<U3'", ""), "the only one, of texts");
	write_zip("a.npz", cube, 1, false);
	CHECK(holds(NULL, -1, 2, 6, numbers, "float64"), "three dimensions");
	const double turned[12] = {1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10, 12};
	CHECK(holds(NULL, 1, 2, 6, turned, "float64"), "by the last of three dimensions");
	write_zip("a.npz", stack, 2, false);
	CHECK(holds(NULL, -1, 2, 6, numbers, "float64"), "pictures, and a vector");
	write_zip("a.npz", masked, 2, false);
	CHECK(refused(NULL, "knng:io:format", "several arrays; it holds images (2 x 6), mask (3 x 4)", ""), "a mask");
	write_zip("a.npz", sparse, 5, false);
	CHECK(refused(NULL, "knng:io:format", "is a sparse matrix of SciPy", "toarray"), "sparse");
	write_zip("a.npz", like, 2, false);
	CHECK(holds("X.npy", -1, 3, 4, numbers, "float64") && holds("X", -1, 2, 6, numbers, "float64"), "like names");
	write_zip("a.npz", one, 0, false);
	CHECK(refused(NULL, "knng:io:format", "holds no matrix; it holds no array of real numbers at all", ""), "none");

	/* Any ending does, if an array comes first. */
	write_zip("x.dat", one, 3, false);
	CHECK(knng_matrix_format_find(path) != NULL && holds("X", -1, 3, 4, numbers, "float64"), "another ending");
	write_zip("x.npy", one, 3, false);
	CHECK(refused(NULL, "knng:io:format", "is an archive of NumPy by its beginning", "ends in .npz"), "not .npy");
	const zip_part other[] = {{.name = "[Content_Types].xml", .bytes = "<a/>", .size = 4}};
	write_zip("x.xlsx", other, 1, false);
	CHECK(knng_matrix_format_find(path) == NULL, "a spreadsheet");
	for (int i = 0; i < 6; i++)
		free(arrays[i]);
}

/* ---- damage ---- */

/* An archive of two arrays, one of each kind, in memory. */
typedef struct {
	void *first, *second;
	zip_part parts[2];
	zip_file z;
} sample;
static const float some[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

static void
make_sample(sample *s, bool wide)
{
	*s = (sample){.parts = {{.name = "a.npy", .wide = wide}, {.name = "b.npy", .deflated = true, .behind = wide}}};
	s->parts[0].bytes = s->first = make_npy("<f4", false, "4, 3", some, 48, &s->parts[0].size);
	s->parts[1].bytes = s->second = make_npy("<f4", true, "4, 3", some, 48, &s->parts[1].size);
	s->z.bytes = room(zip_room(s->parts, 2), 1);
	put_zip(&s->z, s->parts, 2, wide);
}

static void
free_sample(sample *s)
{
	free(s->first);
	free(s->second);
	free(s->z.bytes);
}

/* Whether opening and reading the array by name fails decently, or gives what was written. */
static bool
harmless(const char *dataset)
{
	knng_matrix_file *f;
	knng_err err;
	float rows[12];
	int64_t live = knng_sys().live;
	knng_status status = open_of(&f, dataset, -1, &err);
	bool fine = status == KNNG_OK ||
		    (status == KNNG_EIO && strstr(err.text, path) != NULL &&
		     (strcmp(err.id, "knng:io:format") == 0 || strcmp(err.id, "knng:io:truncated") == 0));
	if (status == KNNG_OK) {
		const knng_layout *l = knng_matrix_file_layout(f);
		fine = l->n == 4 && l->d == 3 && knng_matrix_file_read(f, 0, 4, rows, &err) == KNNG_OK;
		for (int i = 0; fine && i < 4; i++)
			for (int j = 0; j < 3; j++)
				fine = fine && rows[i * 3 + j] == some[*dataset == 'a' ? i * 3 + j : j * 4 + i];
	}
	knng_matrix_file_close(f);
	return fine && knng_sys().live == live;
}

static void
test_damage(void)
{
	for (int wide = 0; wide < 2; wide++) {
		sample s;
		make_sample(&s, wide == 1);
		write_bytes("a.npz", s.z.bytes, s.z.size);
		int64_t tried = 0, right = 0, read = 0;
		CHECK(harmless("a") && harmless("b"), "whole");
		for (int64_t i = 0; i < s.z.size; i++)
			for (int how = 0; how < 4; how++) {
				if (SKIPS(3))
					continue;
				tried++;
				static const unsigned char flips[] = {0x01, 0x80, 0xFF, 0x08};
				s.z.bytes[i] ^= flips[how];
				write_bytes("a.npz", s.z.bytes, s.z.size);
				s.z.bytes[i] ^= flips[how];
				right += harmless("a") && harmless("b");
			}
		CHECK(right == tried, "%lld of %lld changed bytes", (long long)right, (long long)tried);
		for (int64_t length = 0; length < s.z.size; length++) {
			write_bytes("a.npz", s.z.bytes, length);
			knng_matrix_file *f;
			knng_err err;
			read += open_of(&f, "a", -1, &err) == KNNG_OK;
			knng_matrix_file_close(f);
		}
		CHECK(read == 0, "%lld that were cut off were read", (long long)read);
		free_sample(&s);
	}
}

/* Changes in both places where a number of the first member stands, or in one, or at the end, and what is said. */
static void
test_refusals(void)
{
	static const struct {
		int head, entry, end; /* where in each; -1: not there */
		int bytes;
		uint64_t value;
		const char *dataset, *id, *said;
	} rows[] = {
		{6, 8, -1, 2, 1, "a", "knng:io:format", "(a) is encrypted"},
		{8, 10, -1, 2, 12, "a", "knng:io:format", "(a) is packed by method 12"},
		{8, 10, -1, 2, 12, NULL, "", ""}, /* the other one can be read */
		{14, 16, -1, 4, 7, "a", "knng:io:format", "(a) is damaged: its checksum"},
		{14, -1, -1, 4, 7, "a", "knng:io:format", "a member and the list of members disagree"},
		{-1, 42, -1, 4, 1, "b", "knng:io:format", "a member is not where the list"},
		{-1, 42, -1, 4, 0xFFFFFFF0, "b", "knng:io:format", "a member is not where the list"},
		{22, 24, -1, 4, 1 << 20, "a", "knng:io:format", "the sizes of a member make no sense"},
		{-1, -1, 4, 2, 1, "a", "knng:io:format", "one part of an archive in several"},
		{-1, -1, 16, 4, 3, "a", "knng:io:format", "the list of its members is not where"},
		{-1, -1, 12, 4, 0x7FFFFFFF, "a", "knng:io:format", "the list of its members is not where"},
	};
	sample s;
	make_sample(&s, false);
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		put_zip(&s.z, s.parts, 2, false);
		zip_file at = s.z;
		const int64_t places[3] = {rows[r].head, rows[r].entry < 0 ? -1 : s.z.list + rows[r].entry,
					   rows[r].end < 0 ? -1 : s.z.end + rows[r].end};
		for (int p = 0; p < 3; p++)
			if (places[p] >= 0) {
				at.size = places[p];
				put_le(&at, rows[r].value, rows[r].bytes);
			}
		write_bytes("a.npz", s.z.bytes, s.z.size);
		if (rows[r].id[0] == '\0')
			CHECK(harmless("b"), "row %zu", r);
		else
			CHECK(refused(rows[r].dataset, rows[r].id, rows[r].said, ""), "row %zu", r);
	}
	free_sample(&s);

	/* Something in front, two of one name, two in one place. */
	make_sample(&s, false);
	char *more = room(s.z.size + 3, 1);
	memcpy(more, "abc", 3);
	memcpy(more + 3, s.z.bytes, (size_t)s.z.size);
	write_bytes("a.npz", more, s.z.size + 3);
	CHECK(refused("a", "knng:io:format", "the list of its members is not where its end says", ""), "in front");
	free(more);
	s.parts[1].name = "a.npy";
	put_zip(&s.z, s.parts, 2, false);
	write_bytes("a.npz", s.z.bytes, s.z.size);
	CHECK(refused("a", "knng:io:format", "two members that are called a.npy", ""), "two of one name");
	free_sample(&s);

	/* Fewer and more numbers than the head says. */
	for (int deflated = 0; deflated < 2; deflated++) {
		zip_part part = {.name = "a.npy", .deflated = deflated == 1};
		void *array = make_npy("<f4", false, "4, 4", some, 48, &part.size);
		part.bytes = array;
		write_zip("a.npz", &part, 1, false);
		CHECK(refused(NULL, "knng:io:truncated", "it says 4 rows of 4 float32 numbers, and has 48 bytes", ""),
		      "fewer");
		free(array);
		part.bytes = array = make_npy("<f4", false, "2, 3", some, 48, &part.size);
		write_zip("a.npz", &part, 1, false);
		CHECK(refused(NULL, "knng:io:format", "and has 24 bytes more than these", ""), "more");
		free(array);
		part.bytes = array = make_npy("<f4", false, "0, 3", some, 0, &part.size);
		write_zip("a.npz", &part, 1, false);
		CHECK(refused(NULL, "knng:io:format", "holds 0 rows of 3 numbers", ""), "empty");
		free(array);
	}
	write_bytes("a.npz", "no archive at all, by far not", 29);
	CHECK(refused(NULL, "knng:io:format", "is no zip archive, as numpy.savez writes it", ""), "text");
	CHECK(named("none.npz") && refused(NULL, "knng:io:open", "No such file", ""), "none");
}

/* The stream itself ends early or late, and the size in the list is that of the array. */
static void
test_streams(void)
{
	for (int off = -4; off <= 4; off += 8) {
		zip_part part = {.name = "a.npy", .deflated = true, .behind = true};
		int64_t size;
		void *array = make_npy("<f4", false, "4, 3", some, 48, &size);
		char *longer = room(size + 8, 1);
		memset(longer, 0, (size_t)size + 8);
		memcpy(longer, array, (size_t)size);
		part.bytes = longer;
		part.size = size + off;
		zip_file z = {.bytes = room(zip_room(&part, 1) + 100, 1)};
		put_zip(&z, &part, 1, false);
		zip_file at = {.bytes = z.bytes, .size = z.list + 24};
		put_le(&at, (uint64_t)size, 4);
		write_bytes("a.npz", z.bytes, z.size);
		CHECK(refused(NULL, "knng:io:format", "(a) is damaged", off < 0 ? "less is packed" : "more is packed"),
		      "%d", off);
		free(array);
		free(longer);
		free(z.bytes);
	}
}

/* ---- while it is read ---- */

static void
test_failures(void)
{
	enum { N = 30000, D = 20 };
	double *data = room(N * D, sizeof *data), *rows = room(N * D, sizeof *rows);
	int64_t live = knng_sys().live;
	knng_matrix_file *f;
	knng_err err;
	for (int64_t i = 0; i < N * D; i++)
		data[i] = (double)(i % 1000);
	for (int deflated = 0; deflated < 2; deflated++) {
		zip_part parts[2] = {{.name = "n.npy", .bytes = "x", .size = 1},
				     {.name = "a.npy", .deflated = deflated == 1}};
		void *array = make_npy("<f8", false, "30000, 20", data, N * D * 8, &parts[1].size);
		parts[1].bytes = array;
		for (int how = 0; how < 2; how++) { /* of the same length, shorter */
			write_zip("c.npz", parts, 2, false);
			CHECK(open_of(&f, NULL, -1, &err) == KNNG_OK, "%s", err.text);
			CHECK(knng_matrix_file_read(f, 0, 64, rows, &err) == KNNG_OK, "%s", err.text);
			const struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};
			if ((how == 0 ? utimensat(AT_FDCWD, path, long_ago, 0) : truncate(path, 100)) != 0)
				abort();
			CHECK(knng_matrix_file_read(f, 0, N, rows, &err) == KNNG_EIO &&
				      strcmp(err.id, "knng:io:open") == 0 && strstr(err.text, "changed") != NULL,
			      "%s", err.text);
			knng_matrix_file_close(f);
		}
		write_zip("c.npz", parts, 2, false);

		/* Ctrl-C at each look, and each call fails in turn. */
		const knng_task task = {.threads = 1, .interrupt = &stop};
		for (int64_t nth = 1, reached = 1; reached; nth = nth < 20 ? nth + 1 : nth * 3) {
			stop = 0;
			looks = 0;
			stop_at = nth;
			knng_status status = knng_matrix_file_open(&f, path, NULL, &task, &err);
			if (status == KNNG_OK)
				status = knng_matrix_file_read(f, 0, N, rows, &err);
			reached = looks >= nth;
			CHECK(status == (reached && stop != 0 ? KNNG_EINTERRUPTED : KNNG_OK), "look %lld: %s",
			      (long long)nth, err.text);
			knng_matrix_file_close(f);
		}
		stop_at = stop = 0;
		for (int64_t nth = 1, reached = 1; reached; nth = nth < 60 ? nth + 1 : nth + 37) {
			int64_t before = knng_sys().calls;
			knng_sys_fail_at(nth);
			knng_status status = knng_matrix_file_open(&f, path, NULL, NULL, &err);
			if (status == KNNG_OK)
				status = knng_matrix_file_read(f, 0, N, rows, &err);
			reached = knng_sys().calls - before >= nth;
			knng_sys_fail_at(0);
			knng_matrix_file_close(f);
			CHECK((status == KNNG_OK) != reached && knng_sys().live == live, "call %lld: %d",
			      (long long)nth, (int)status);
		}
		free(array);
	}
	free(data);
	free(rows);
	CHECK(knng_sys().live == live, "nothing is left");
}

int
main(int argc, char **argv)
{
	if (mkdtemp(folder) == NULL)
		abort();
	PART(types);
	PART(large);
	PART(choice);
	PART(damage);
	PART(refusals);
	PART(streams);
	PART(failures);
	if (!remove_folder(folder))
		abort();
	return summary();
}
