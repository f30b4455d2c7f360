/* fuzz_h5ad.c [FILES [SEED]]  Damaged data sets of AnnData, a hundredth of FILES (100 000) of each of several forms:
 * each is read, and what comes can be walked, or refused, and nothing else happens. Where this process ends by one, the
 * file stays, and its name is said before. Prints 'N passed, N failed'. */
#include "base/sys.h"
#include "io/h5ad.h"
#include "testing.h"

#ifndef KNNG_HDF5

int
main(void)
{
	CHECK(true, "knng is built without HDF5");
	return summary();
}

#else
#include "anndata.h"

#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
/* What the library itself loses of a damaged file. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
	return "leak:libhdf5\n";
}
#endif

enum { ROOM = 1 << 18 };
static char path[100];

/* A few changes; the new length. */
static size_t
damage(char *bytes, size_t count)
{
	static const int64_t numbers[] = {0, 1, -1, 4, 5, 65535, INT64_C(1) << 31, INT64_MAX};
	for (int64_t changes = 1 + random_below(random_below(3) == 0 ? 8 : 2); changes > 0; changes--) {
		size_t at = (size_t)random_below((int64_t)count), from = (size_t)random_below((int64_t)count),
		       bytes_of = (size_t)(1 << random_below(4));
		switch (random_below(7)) {
		case 0:
		case 1:
			bytes[at] ^= (char)(1 << random_below(8));
			break;
		case 2:
			bytes[at] = (char)random_bits();
			break;
		case 3: /* another number */
			if (at + bytes_of <= count)
				memcpy(bytes + at, &numbers[random_below(8)], bytes_of);
			break;
		case 4: /* a piece from elsewhere */
			bytes_of = (size_t)(8 << random_below(8));
			if (at + bytes_of <= count && from + bytes_of <= count)
				memmove(bytes + at, bytes + from, bytes_of);
			break;
		case 5: /* a number that stands in the file, somewhat off */
			while (at + 1 < count && bytes[at] == 0)
				at++;
			bytes[at] = (char)(bytes[at] + random_below(5) - 2);
			break;
		default:
			if (random_below(8) == 0)
				return (size_t)random_below((int64_t)count);
		}
	}
	return count;
}

static size_t
walk(char *const *texts, int64_t count)
{
	size_t bytes = 0;
	for (int64_t i = 0; texts != NULL && i < count; i++)
		bytes += strlen(texts[i]) + 1;
	return bytes;
}

/* Whether what came of the file is allowed; *read: it was read. */
static bool
try_file(bool *read)
{
	static volatile double seen;
	static volatile size_t bytes;
	knng_content c;
	knng_err err = {0};
	knng_status status = knng_h5ad_read(path, NULL, &c, &err);
	bool fine = status == KNNG_OK || strncmp(err.id, "knng:io:", 8) == 0 || strcmp(err.id, "knng:memory:host") == 0;
	*read = status == KNNG_OK;
	if (status == KNNG_OK) {
		const knng_dataset *ds = &c.data;
		for (int64_t i = 0; i < ds->nrows * ds->ncols; i++)
			seen = ds->X[i];
		bytes = walk(ds->names, ds->nrows) + walk(ds->samples, ds->ncols) + walk(ds->symbols, ds->nrows);
		for (int64_t m = 0; m < ds->nmeta; m++) {
			bytes += walk(ds->meta[m].values, ds->meta[m].count) + strlen(ds->meta[m].key);
			fine = fine && ds->meta[m].count == (ds->meta[m].by_row ? ds->nrows : ds->ncols);
		}
		fine = fine && ds->names != NULL && ds->samples != NULL && ds->nrows > 0 && ds->ncols > 0;
		(void)seen;
	}
	knng_content_free(&c);
	return fine && knng_sys().live == 0;
}

/* Whether the library has nothing open, and can close all that it knows of; else it would say so. What it cannot close
 * it keeps, and takes other files for it. */
static bool
closes(void)
{
	int before = dup(STDERR_FILENO), said = memfd_create("said", 0);
	if (before < 0 || said < 0 || dup2(said, STDERR_FILENO) < 0)
		abort();
	bool fine = H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0;
	H5close();
	fine = fine && lseek(said, 0, SEEK_END) == 0;
	dup2(before, STDERR_FILENO);
	close(before);
	close(said);
	return fine;
}

int
main(int argc, char **argv)
{
	static char whole[ROOM], bytes[ROOM];
	int64_t runs = (argc > 1 ? atoll(argv[1]) : 100000) / 100;
	random_state = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
	snprintf(path, sizeof path, "/tmp/knng-fuzz-%d.h5ad", (int)getpid());
	printf("%s\n", path);
	fflush(stdout);
	knng_memory_set_available(1e9);
	for (int form = 0; form < 4; form++) {
		const anndata_form f = {.form = form % 3, .packed = form > 1, .fixed = form == 1, .old = form == 2};
		int64_t read = 0;
		bool one;
		write_anndata(path, &f);
		FILE *in = fopen(path, "rb");
		size_t count = in == NULL ? 0 : fread(whole, 1, ROOM, in);
		if (in == NULL || fclose(in) != 0 || count == ROOM)
			abort();
		CHECK(try_file(&one) && one, "form %d is read", form);
		for (int64_t i = 0; i < runs; i++) {
			uint64_t state = random_state;
			memcpy(bytes, whole, count);
			size_t left = damage(bytes, count);
			FILE *out = fopen(path, "wb");
			if (out == NULL || fwrite(bytes, 1, left, out) != left || fclose(out) != 0)
				abort();
			CHECK(try_file(&one), "form %d, state %llu", form, (unsigned long long)state);
			CHECK(closes(), "form %d, state %llu: the library is not as before", form,
			      (unsigned long long)state);
			read += one;
		}
		CHECK(runs < 20 || (read > 0 && read < runs), "form %d: %lld of %lld were read", form, (long long)read,
		      (long long)runs);
	}
	remove(path);
	return summary();
}
#endif
