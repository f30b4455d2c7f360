/* fuzz_npz.c [N [SEED]]  Damaged archives of NumPy, for a build with the address and undefined-behaviour sanitizers.
 *
 * N times (default 4000) an archive of some arrays, stored and deflated, with zip64 and without, of which a few things
 * were changed: heads of arrays before they are packed, so that their checksum is right; bytes, numbers, lengths and
 * the end of the archive. Each is read, whole and in parts, which agree, or refused by a known error that names the
 * file, in little memory, and nothing is left. Prints 'N passed, N failed'. */
#include "base/sys.h"
#include "io/matrix_file.h"
#include "zips.h"

#include <fcntl.h>

enum { ARRAYS = 4, ROOM = 1 << 15, ARRAY = 4096 };
static char folder[] = "/tmp/knng-fuzz-XXXXXX", path[100];

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

static array
seed_array(int kind)
{
	static const struct {
		const char *code, *shape;
		bool fortran;
		int count, size;
	} kinds[] = {
		{"<f8", "5, 3", false, 15, 8},    {">f4", "3, 5", true, 15, 4},    {"|u1", "12,", false, 12, 1},
		{"<i8", "2, 2, 3", false, 12, 8}, {"<f2", "40, 20", true, 800, 2}, {"<U2", "3,", false, 6, 4},
	};
	char data[1600];
	array a;
	kind %= (int)(sizeof kinds / sizeof *kinds);
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
	CHECK(knng_sys().peak < 20 << 20, "run %lld: %lld bytes", (long long)run, (long long)knng_sys().peak);
	CHECK(knng_sys().live == 0, "run %lld leaks", (long long)run);
	return outcome;
}

int
main(int argc, char **argv)
{
	static array arrays[ARRAYS];
	static unsigned char bytes[ROOM + 64];
	static const char *const names[ARRAYS] = {"X.npy", "y.npy", "train/z.npy", "names.npy"};
	static const char *const asked[] = {NULL, "X", "y.npy", "train/z", "names", "none", "/x"};
	int64_t runs = argc > 1 ? atoll(argv[1]) : 4000, tally[OUTCOMES] = {0};
	uint64_t seed = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
	if (mkdtemp(folder) == NULL)
		abort();
	snprintf(path, sizeof path, "%s/a.npz", folder);
	knng_memory_set_available(1e9);
	for (int64_t run = 0; run < runs; run++) {
		zip_part parts[ARRAYS];
		zip_file z = {.bytes = bytes};
		random_state = seed * 1000003 + (uint64_t)run;
		int count = 1 + (int)random_below(ARRAYS);
		int64_t changes = run < 8 ? 0 : 1 + random_below(3), inside = random_below(changes + 1);
		for (int i = 0; i < count; i++) {
			arrays[i] = seed_array((int)run + i);
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
		int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		if (fd < 0 || write(fd, z.bytes, (size_t)z.size) != (ssize_t)z.size || close(fd) != 0)
			abort();
		const knng_matrix_choice choice = {run < 8 ? "X" : asked[random_below(sizeof asked / sizeof *asked)],
						   (int)random_below(3) - 1};
		int outcome = try_file(run, &choice);
		CHECK(run >= 6 || outcome == FINE || run % 6 == 5, "seed %lld is not read", (long long)run);
		tally[outcome]++;
	}
	for (int o = 0; o < OUTCOMES; o++)
		printf("%s %lld%s", outcomes[o], (long long)tally[o], o + 1 < OUTCOMES ? ", " : "\n");
	CHECK(runs < 4000 || (tally[FINE] > 0 && tally[FORMAT] > 0 && tally[TRUNCATED] > 0), "an end that never came");
	if (!remove_folder(folder))
		abort();
	return summary();
}
