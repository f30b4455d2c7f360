/* fuzz_cells.c  Throws damaged files at the reader of matrices of cells. Meant for a build with the address and
 * undefined-behaviour sanitizers.
 *
 *     build/asan/tests/unit/fuzz_cells [N [SEED]]
 *
 * N times (default 4000) three files, of which one or more were changed in a few places: bits, bytes, numbers, lines,
 * cut off; some are gzipped, and changed after that. What comes back has to keep the promises of knng_read: sizes and
 * pointers that can be walked, errors of known identifiers that name a file, nothing left. */
#include "base/sys.h"
#include "fuzzing.h"
#include "io/knng_io.h"

#include <zlib.h>

enum { ROOM = 4096, FILES = 3 };
static const char *const names[FILES] = {"matrix.mtx", "features.tsv", "barcodes.tsv"};
static const char *const seeds[][FILES] = {
	{"%%MatrixMarket matrix coordinate integer general\n%meta\n4 3 5\n1 1 3\n4 1 2\n2 2 7\n1 3 1\n3 3 9\n",
	 "E1\tCD3D\tGene Expression\nE2\tMS4A1\tGene Expression\nE3\tLYZ\tGene Expression\nE4\tNKG7\tPeaks\n",
	 "AA-1\nAC-1\nAG-1\n"},
	{"%%MatrixMarket matrix coordinate real general\r\n2 2 3\r\n1 2 -1.5e3\r\n2 2 NA\r\n1 1 inf\r\n",
	 "\xEF\xBB\xBF"
	 "a\tA\r\nb\t\r\n",
	 "x\ty\r\nz\r\n"},
	{"%%MatrixMarket matrix coordinate pattern general\n1 3 2\n1 2\n1 1\n", "a\tb\t\tchr1\t3\t7\n", "1\n2\n3"},
};
enum { SEEDS = sizeof seeds / sizeof *seeds };
static char folder[100];

typedef struct {
	char bytes[ROOM];
	size_t size;
} file;

static size_t
below(size_t n)
{
	return n == 0 ? 0 : (size_t)random_below((int64_t)n);
}

/* Puts a text in the place of `gone` bytes, unless the file gets too large. */
static void
replace(file *f, size_t at, size_t gone, const char *text, size_t size)
{
	if (gone > f->size - at || f->size - gone + size > ROOM)
		return;
	memmove(f->bytes + at + size, f->bytes + at + gone, f->size - at - gone);
	memcpy(f->bytes + at, text, size);
	f->size += size - gone;
}

static void
change(file *f)
{
	static const char *const pieces[] = {"0",
					     "1",
					     "3",
					     "4",
					     "-1",
					     "5000000",
					     "9007199254740993",
					     "1e999",
					     "nan",
					     "",
					     " ",
					     "\t",
					     "\n",
					     "\r\n",
					     "%",
					     "pattern",
					     "real",
					     "2 2 1\n",
					     "1 1 1\n",
					     "\t\t",
					     "x\n",
					     "\xEF\xBB\xBF",
					     "99999999999999999999"};
	size_t at = below(f->size + 1), size = 0;
	const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
	char line[200];
	switch (below(7)) {
	case 0:
		if (at < f->size)
			f->bytes[at] ^= (char)(1 << below(8));
		break;
	case 1:
		if (at < f->size)
			f->bytes[at] = (char)random_bits();
		break;
	case 2:
		f->size = below(4) == 0 ? at : f->size;
		break;
	case 3: /* another number */
		while (at < f->size && (f->bytes[at] < '0' || f->bytes[at] > '9'))
			at++;
		while (at + size < f->size && f->bytes[at + size] >= '0' && f->bytes[at + size] <= '9')
			size++;
		replace(f, at, size, piece, strlen(piece));
		break;
	case 4: /* a piece twice */
		size = below(f->size - at < sizeof line ? f->size - at : sizeof line);
		memcpy(line, f->bytes + at, size);
		replace(f, below(f->size + 1), 0, line, size);
		break;
	case 5: /* a piece less */
		replace(f, at, below(20) < f->size - at ? below(f->size - at) : 0, "", 0);
		break;
	default:
		replace(f, at, at < f->size ? below(2) : 0, piece, strlen(piece));
	}
}

static void
pack(file *f)
{
	static file to;
	z_stream z = {0};
	if (deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 4, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	z.next_in = (Bytef *)f->bytes;
	z.avail_in = (uInt)f->size;
	z.next_out = (Bytef *)to.bytes;
	z.avail_out = ROOM;
	bool fine = deflate(&z, Z_FINISH) == Z_STREAM_END;
	to.size = z.total_out;
	deflateEnd(&z);
	if (fine)
		*f = to;
}

static size_t
walk(char *const *texts, int64_t count)
{
	size_t bytes = 0;
	for (int64_t i = 0; texts != NULL && i < count; i++)
		bytes += strlen(texts[i]) + 1;
	return bytes;
}

/* What came of it: an index of outcomes. */
enum { FINE, FORMAT, TRUNCATED, MEMORY, OUTCOMES };
static const char *const outcomes[OUTCOMES] = {"read", "knng:io:format", "knng:io:truncated", "knng:memory:host"};

static int
try_files(int64_t run, size_t size)
{
	static volatile double seen;
	knng_content c;
	knng_err err = {0};
	int outcome = FINE;
	knng_status status = knng_read(folder, KNNG_DATASET, NULL, &c, &err);
	if (status == KNNG_OK) {
		const knng_dataset *ds = &c.data;
		size_t bytes = walk(ds->names, ds->nrows) + walk(ds->samples, ds->ncols);
		for (int64_t i = 0; i < ds->nrows * ds->ncols; i++)
			seen = ds->X[i];
		for (int64_t m = 0; m < ds->nmeta; m++)
			bytes += ds->meta[m].count == ds->nrows ? walk(ds->meta[m].values, ds->nrows) : SIZE_MAX / 8;
		CHECK(ds->nrows > 0 && ds->ncols > 0 && bytes <= size + 6, "run %lld", (long long)run);
		(void)seen;
	} else {
		while (++outcome < OUTCOMES && strcmp(err.id, outcomes[outcome]) != 0)
			;
		CHECK(outcome < OUTCOMES && c.data.X == NULL && (outcome == MEMORY || strstr(err.text, folder)),
		      "run %lld: %s: %s", (long long)run, err.id, err.text);
		outcome = outcome < OUTCOMES ? outcome : FORMAT;
		CHECK(outcome != FORMAT || strstr(err.text, ", line "), "run %lld: %s", (long long)run, err.text);
	}
	knng_content_free(&c);
	CHECK(knng_sys().live == 0, "run %lld leaks", (long long)run);
	return outcome;
}

int
main(int argc, char **argv)
{
	int64_t runs = argc > 1 ? atoll(argv[1]) : 4000, tally[OUTCOMES] = {0};
	uint64_t seed = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
	int open_files[FILES];
	make_folder(folder, sizeof folder);
	for (int f = 0; f < FILES; f++) {
		char path[200];
		snprintf(path, sizeof path, "%s/%s", folder, names[f]);
		open_files[f] = make_file(path);
	}
	knng_memory_set_available(1e9);
	for (int64_t run = 0; run < runs; run++) {
		file files[FILES];
		start_file(seed, run);
		size_t size = 0, changes = run < SEEDS ? 0 : 1 + below(4);
		for (int f = 0; f < FILES; f++) {
			const char *text = seeds[run % SEEDS][f];
			files[f].size = strlen(text);
			memcpy(files[f].bytes, text, files[f].size);
		}
		bool packed = run % 8 == 7;
		for (size_t c = 0; c < (packed ? changes / 2 : changes); c++)
			change(&files[below(FILES)]);
		for (int f = 0; f < FILES; f++)
			size += files[f].size;
		for (int f = 0; packed && f < FILES; f++)
			pack(&files[f]);
		for (size_t c = 0; packed && c < changes / 2; c++)
			change(&files[below(FILES)]);
		for (int f = 0; f < FILES; f++)
			set_bytes(open_files[f], files[f].bytes, files[f].size);
		int outcome = try_files(run, packed ? SIZE_MAX / 16 : size);
		CHECK(run >= SEEDS || outcome == FINE, "seed %lld is not read", (long long)run);
		tally[outcome]++;
	}
	for (int o = 0; o < OUTCOMES; o++)
		printf("%s %lld%s", outcomes[o], (long long)tally[o], o + 1 < OUTCOMES ? ", " : "\n");
	CHECK(runs < 4000 || (tally[FINE] > 0 && tally[FORMAT] > 0 && tally[TRUNCATED] > 0), "an end that never came");
	if (!remove_folder(folder))
		abort();
	return summary();
}
