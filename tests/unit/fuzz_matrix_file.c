/* fuzz_matrix_file.c [N [SEED [FORMAT]]]  Damaged files of numbers, for a build with the address and
 * undefined-behaviour sanitizers.
 *
 * N times (default 4000) for each format, or for one:
 *
 *     npz    an archive of some arrays of NumPy, stored and deflated, with zip64 and without, of which a few things
 *            were changed: heads of arrays before they are packed, so that their checksum is right; bytes, numbers,
 *            lengths and the end of the archive
 *     npy    such an array by itself, with a head of each version
 *     bin    .fbin, .u8bin, .i8bin
 *     vecs   .fvecs, .bvecs, .ivecs
 *
 * Each is read, whole and in parts, which agree, or refused by a known error that names the file, in little memory, and
 * nothing is left. File i of SEED is always the same. Prints 'N passed, N failed'. */
#include "base/sys.h"
#include "fuzzing.h"
#include "io/matrix_file.h"
#include "zips.h"

enum { ARRAYS = 4, ROOM = 1 << 15, ARRAY = 4096 };
static char folder[100], path[200];

typedef struct {
	char bytes[ARRAY];
	int64_t size;
} array;

/* Puts a text in the place of `gone` bytes, unless it gets too large. */
static void
replace(char *bytes, int64_t *size, int64_t most, int64_t at, int64_t gone, const void *text, int64_t length)
{
	gone = gone < *size - at ? gone : *size - at;
	if (*size - gone + length > most)
		return;
	memmove(bytes + at + length, bytes + at + gone, (size_t)(*size - at - gone));
	memcpy(bytes + at, text, (size_t)length);
	*size += length - gone;
}

/* In an array: its head above all. */
static void
change_array(array *a)
{
	static const char *const pieces[] = {"0",
					     "1",
					     "9",
					     "100",
					     "4611686018427387904",
					     "99999999999999999999",
					     "-1",
					     "<f8",
					     ">f2",
					     "|u1",
					     "<i8",
					     "|O",
					     "(",
					     ")",
					     ",",
					     "True",
					     "False",
					     "'shape'",
					     "{",
					     "}",
					     "'",
					     "L",
					     " ",
					     "\n"};
	const char *piece = pieces[random_below(sizeof pieces / sizeof *pieces)];
	int64_t head = a->size < 90 ? a->size : 90, at = random_below(head);
	switch (random_below(5)) {
	case 0:
		a->bytes[at] ^= (char)(1 << random_below(8));
		break;
	case 1: /* another number */
		while (at < head && (a->bytes[at] < '0' || a->bytes[at] > '9'))
			at++;
		replace(a->bytes, &a->size, ARRAY, at, 1, piece, (int64_t)strlen(piece));
		break;
	case 2:
		a->size = random_below(a->size + 1);
		break;
	case 3: /* the length of the head */
		a->bytes[8 + random_below(2)] = (char)random_bits();
		break;
	default:
		replace(a->bytes, &a->size, ARRAY, at, random_below(6), piece, (int64_t)strlen(piece));
	}
}

/* In the archive: its records above all. */
static void
change_zip(zip_file *z)
{
	static const uint64_t values[] = {
		0, 1, 8, 0xFFFF, 0xFFFFFFFF, 0x7FFFFFFF, 0xFFFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF};
	static const int widths[] = {1, 2, 4, 8};
	int64_t at = random_below(z->size), seen = 0;
	int width = widths[random_below(4)];
	if (random_below(3) > 0) { /* in one of the records */
		for (int64_t i = 0; i + 4 < z->size; i++)
			if (memcmp(z->bytes + i, "PK", 2) == 0 && random_below(++seen) == 0)
				at = i + random_below(60);
		at = at < z->size ? at : z->size - 1;
	}
	switch (random_below(6)) {
	case 0:
		z->bytes[at] ^= (unsigned char)(1 << random_below(8));
		break;
	case 1:
		z->bytes[at] = (unsigned char)random_bits();
		break;
	case 2:
		z->size = random_below(4) == 0 ? at : z->size;
		break;
	case 3: { /* a number */
		zip_file there = {.bytes = z->bytes, .size = at};
		if (at + width <= z->size)
			put_le(&there, values[random_below(sizeof values / sizeof *values)], width);
		break;
	}
	case 4: { /* one that is a little off */
		if (at + width <= z->size) {
			uint64_t value = 0;
			memcpy(&value, z->bytes + at, (size_t)width);
			value += (uint64_t)(random_below(5) - 2);
			memcpy(z->bytes + at, &value, (size_t)width);
		}
		break;
	}
	default: /* a piece twice, or a piece less */
		if (random_below(2) == 0) {
			char piece[64];
			int64_t length = z->size - at < (int64_t)sizeof piece ? z->size - at : (int64_t)sizeof piece;
			memcpy(piece, z->bytes + at, (size_t)length);
			replace((char *)z->bytes, &z->size, ROOM, random_below(z->size), 0, piece, length);
		} else {
			replace((char *)z->bytes, &z->size, ROOM, at, 1 + random_below(20), "", 0);
		}
	}
	z->size = z->size > 0 ? z->size : 1;
}

/* Of numbers, and the last of texts. */
enum { KINDS = 6 };

static array
seed_array(int kind)
{
	static const struct {
		const char *code, *shape;
		bool fortran;
		int count, size;
	} kinds[KINDS] = {
		{"<f8", "5, 3", false, 15, 8},    {">f4", "3, 5", true, 15, 4},    {"|u1", "12,", false, 12, 1},
		{"<i8", "2, 2, 3", false, 12, 8}, {"<f2", "40, 20", true, 800, 2}, {"<U2", "3,", false, 6, 4},
	};
	char data[1600];
	array a;
	kind %= KINDS;
	for (int i = 0; i < (int)sizeof data; i++)
		data[i] = (char)(i % 8 == 7 ? 0 : i / 3);
	void *bytes = make_npy(kinds[kind].code, kinds[kind].fortran, kinds[kind].shape, data,
			       (int64_t)kinds[kind].count * kinds[kind].size, &a.size);
	memcpy(a.bytes, bytes, (size_t)a.size);
	free(bytes);
	return a;
}

/* Whether the rows, read one by one, are those that were read together. */
static bool
agrees(knng_matrix_file *f, const char *all, int64_t row, char *one, knng_err *err)
{
	const knng_layout *l = knng_matrix_file_layout(f);
	for (int64_t i = l->n - 1; i >= 0; i -= 1 + l->n / 20)
		if (knng_matrix_file_read(f, i, 1, one, err) != KNNG_OK || memcmp(one, all + i * row, (size_t)row) != 0)
			return false;
	return true;
}

static uint64_t
bits_of_single(float x)
{
	uint32_t b;
	memcpy(&b, &x, sizeof b);
	return b;
}

/* What came of it: an index of outcomes. */
enum { FINE, FORMAT, TRUNCATED, MEMORY, OUTCOMES };
static const char *const outcomes[OUTCOMES] = {"read", "knng:io:format", "knng:io:truncated", "knng:memory:host"};

static int
try_file(int64_t run, const knng_matrix_choice *choice)
{
	knng_matrix_file *f;
	knng_err err = {0};
	int outcome = FINE;
	knng_sys_mark_peak();
	knng_status status = knng_matrix_file_open(&f, path, choice, NULL, &err);
	if (status == KNNG_OK) {
		const knng_layout *l = knng_matrix_file_layout(f);
		int64_t row = l->d * knng_element_size(l->element), bytes;
		CHECK(l->n > 0 && l->d > 0 && knng_mul(l->n, row, 1, &bytes) && bytes <= 16 * 1032 * ROOM, "run %lld",
		      (long long)run);
		char *all = room(bytes, 1), *one = room(row, 1);
		status = knng_matrix_file_read(f, 0, l->n, all, &err);
		CHECK(status != KNNG_OK || agrees(f, all, row, one, &err), "run %lld: %s", (long long)run, err.text);
		free(all);
		free(one);
	}
	if (status != KNNG_OK) {
		while (++outcome < OUTCOMES && strcmp(err.id, outcomes[outcome]) != 0)
			;
		CHECK(outcome < OUTCOMES && (outcome == MEMORY || strstr(err.text, path) != NULL), "run %lld: %s: %s",
		      (long long)run, err.id, err.text);
		outcome = outcome < OUTCOMES ? outcome : FORMAT;
	}
	knng_matrix_file_close(f);
	CHECK(knng_sys().peak < 20 << 20, "%s, run %lld: %lld bytes", path, (long long)run, (long long)knng_sys().peak);
	CHECK(knng_sys().live == 0, "%s, run %lld leaks", path, (long long)run);
	return outcome;
}

/* ---- a damaged file of each format, and what is asked of it ---- */

static zip_file
draw_npz(int64_t run, knng_matrix_choice *choice)
{
	static array arrays[ARRAYS];
	static unsigned char bytes[ROOM + 64];
	static const char *const names[ARRAYS] = {"X.npy", "y.npy", "train/z.npy", "names.npy"};
	static const char *const asked[] = {NULL, "X", "y.npy", "train/z", "names", "none", "/x"};
	zip_part parts[ARRAYS];
	zip_file z = {.bytes = bytes};
	int count = 1 + (int)random_below(ARRAYS);
	int64_t changes = run < 8 ? 0 : 1 + random_below(3), inside = random_below(changes + 1);
	for (int i = 0; i < count; i++) {
		arrays[i] = seed_array((int)(run % KINDS) + i);
		for (int64_t c = 0; c < inside && i == 0; c++)
			if (arrays[i].size > 10)
				change_array(&arrays[i]);
		parts[i] = (zip_part){.name = names[i],
				      .bytes = arrays[i].bytes,
				      .size = arrays[i].size,
				      .deflated = random_below(2) == 0,
				      .wide = random_below(3) == 0,
				      .behind = random_below(4) == 0};
	}
	if (zip_room(parts, count) > ROOM)
		abort();
	put_zip(&z, parts, count, random_below(3) == 0);
	for (int64_t c = inside; c < changes; c++)
		change_zip(&z);
	*choice = (knng_matrix_choice){run < 8 ? "X" : asked[random_below(sizeof asked / sizeof *asked)],
				       (int)random_below(3) - 1};
	return z;
}

static zip_file
draw_npy(int64_t run, knng_matrix_choice *choice)
{
	static array a;
	a = seed_array((int)(run % KINDS));
	int version = 1 + (int)(run / KINDS % 3);
	if (version > 1) { /* four bytes for the length of the head */
		a.bytes[6] = (char)version;
		replace(a.bytes, &a.size, ARRAY, 10, 0, "\0\0", 2);
	}
	for (int64_t changes = run < 3 * KINDS ? 0 : 1 + random_below(3); changes > 0 && a.size > 10; changes--)
		change_array(&a);
	*choice = knng_matrix_any;
	return (zip_file){.bytes = (unsigned char *)a.bytes, .size = a.size};
}

/* Sizes, numbers and the end are changed. */
static void
change_numbers(unsigned char *bytes, int64_t *size)
{
	static const int32_t values[] = {0, 1, -1, 2, 7, 255, 65536, INT32_MAX, INT32_MIN, 1 << 30};
	int64_t at = random_below(3) > 0 ? 4 * random_below(3) : random_below(*size);
	int32_t value = values[random_below(sizeof values / sizeof *values)];
	at = at < *size ? at : *size - 1;
	switch (random_below(6)) {
	case 0:
		bytes[at] ^= (unsigned char)(1 << random_below(8));
		break;
	case 1:
		bytes[at] = (unsigned char)(bytes[at] + random_below(5) - 2);
		break;
	case 2:
		memcpy(bytes + at, &value, *size - at < 4 ? 1 : 4);
		break;
	case 3:
		*size = random_below(2) == 0 ? random_below(*size) : *size - 1;
		break;
	case 4: /* a piece twice, such as a row */
		replace((char *)bytes, size, ARRAY, random_below(*size), 0, "\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
			random_below(17));
		break;
	default:
		replace((char *)bytes, size, ARRAY, at, 1 + random_below(16), "", 0);
	}
	*size = *size > 0 ? *size : 1;
}

static zip_file
draw_vectors(int64_t run, bool head)
{
	static unsigned char bytes[ARRAY + 64];
	static const int sizes[][2] = {{5, 3}, {40, 16}, {1, 200}, {200, 1}, {1, 1}};
	zip_file z = {.bytes = bytes};
	int shape = (int)(run / 3 % 5), n = sizes[shape][0], d = sizes[shape][1], width = run % 3 == 1 ? 1 : 4;
	if (head) {
		put_le(&z, (uint64_t)n, 4);
		put_le(&z, (uint64_t)d, 4);
		width = run % 3 == 0 ? 4 : 1;
	}
	for (int i = 0; i < n; i++) {
		if (!head)
			put_le(&z, (uint64_t)d, 4);
		for (int c = 0; c < d; c++)
			put_le(&z, width == 1 ? (uint64_t)(i + c) : bits_of_single((float)(i - c) / 3), width);
	}
	for (int64_t changes = run < 15 ? 0 : 1 + random_below(3); changes > 0; changes--)
		change_numbers(bytes, &z.size);
	return z;
}

static zip_file
draw_bin(int64_t run, knng_matrix_choice *choice)
{
	*choice = knng_matrix_any;
	return draw_vectors(run, true);
}

static zip_file
draw_vecs(int64_t run, knng_matrix_choice *choice)
{
	*choice = knng_matrix_any;
	return draw_vectors(run, false);
}

/* The first `whole` files are not damaged, and are read, but for those of texts. File i has ending i % 3, or the only
 * one. */
static const struct {
	const char *name, *endings[3];
	int64_t whole;
	zip_file (*draw)(int64_t run, knng_matrix_choice *choice);
} formats[] = {
	{"npz", {".npz"}, 8, draw_npz},
	{"npy", {".npy"}, 3 * KINDS, draw_npy},
	{"bin", {".fbin", ".u8bin", ".i8bin"}, 15, draw_bin},
	{"vecs", {".fvecs", ".bvecs", ".ivecs"}, 15, draw_vecs},
};

static void
try_format(int f, int64_t runs, uint64_t seed)
{
	int64_t tally[OUTCOMES] = {0};
	char paths[3][200];
	int fds[3], endings = 0;
	for (; endings < 3 && formats[f].endings[endings] != NULL; endings++) {
		snprintf(paths[endings], sizeof paths[endings], "%s/a%s", folder, formats[f].endings[endings]);
		fds[endings] = make_file(paths[endings]);
	}
	for (int64_t run = 0; run < runs; run++) {
		knng_matrix_choice choice;
		start_file(seed, run);
		zip_file z = formats[f].draw(run, &choice);
		snprintf(path, sizeof path, "%s", paths[run % endings]);
		set_bytes(fds[run % endings], z.bytes, (size_t)z.size);
		int outcome = try_file(run, &choice);
		bool texts = endings == 1 && run % KINDS == KINDS - 1;
		CHECK(run >= formats[f].whole || texts == (outcome == FORMAT), "%s: file %lld is %s", formats[f].name,
		      (long long)run, outcomes[outcome]);
		tally[outcome]++;
	}
	printf("%-5s %lld files:", formats[f].name, (long long)runs);
	for (int o = 0; o < OUTCOMES; o++)
		printf(" %s %lld%s", outcomes[o], (long long)tally[o], o + 1 < OUTCOMES ? "," : "\n");
	fflush(stdout);
	CHECK(runs < 1000 || (tally[FINE] > 0 && tally[FORMAT] > 0 && tally[TRUNCATED] > 0), "%s: an end never came",
	      formats[f].name);
}

int
main(int argc, char **argv)
{
	int64_t runs = argc > 1 ? atoll(argv[1]) : 4000;
	uint64_t seed = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
	make_folder(folder, sizeof folder);
	knng_memory_set_available(1e9);
	for (int f = 0; f < (int)(sizeof formats / sizeof *formats); f++)
		if (argc <= 3 || strcmp(argv[3], formats[f].name) == 0)
			try_format(f, runs, seed);
	if (!remove_folder(folder))
		abort();
	return summary();
}
