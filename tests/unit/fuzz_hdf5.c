/* fuzz_hdf5.c [FILES [SEED]]  Damaged files of HDF5, a hundredth of FILES (100 000) of each of several kinds: each is
 * read or refused, and nothing else happens. Every one costs a process, so there are fewer than of texts. Where this
 * process ends by one, the file stays, and its name is said before. Prints 'N passed, N failed'. */
#include "base/sys.h"
#include "io/matrix_file.h"
#include "testing.h"

#ifndef KNNG_HDF5

int
main(void)
{
	CHECK(true, "knng is built without HDF5");
	return summary();
}

#else
#include <hdf5.h>

#if defined(__SANITIZE_ADDRESS__)
/* What the library itself loses of a damaged file. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
	return "leak:libhdf5\n";
}
#endif

enum { N = 60, D = 5, ROOM = 1 << 18, MOST = 1 << 14 };

static char path[100];

static void
put_text(hid_t object, const char *name, const char *text)
{
	hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
	H5Tset_size(type, strlen(text));
	hid_t made = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
	H5Awrite(made, type, text);
	H5Aclose(made);
	H5Sclose(space);
	H5Tclose(type);
}

/* Whether file `kind` was written: chunks or none, filters, groups of both forms, attributes, a user block. */
static bool
write_seed(int kind)
{
	static const struct {
		bool newest, chunked, packed, summed, grows, nested;
		hsize_t block;
	} kinds[] = {
		{.nested = true},
		{.chunked = true, .packed = true, .block = 512},
		{.chunked = true, .packed = true, .summed = true, .grows = true},
		{.newest = true, .nested = true},
		{.newest = true, .chunked = true, .packed = true},
		{.newest = true, .chunked = true, .packed = true, .grows = true, .nested = true},
		{.chunked = true, .grows = true, .nested = true},
	};
	if (kind >= (int)(sizeof kinds / sizeof *kinds))
		return false;
	hid_t access = H5Pcreate(H5P_FILE_ACCESS), how = H5Pcreate(H5P_FILE_CREATE),
	      list = H5Pcreate(H5P_DATASET_CREATE);
	H5Pset_libver_bounds(access, kinds[kind].newest ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
	H5Pset_userblock(how, kinds[kind].block);
	const hsize_t size[2] = {N, D}, chunk[2] = {7, 3},
		      most[2] = {kinds[kind].grows ? H5S_UNLIMITED : N, kinds[kind].grows ? H5S_UNLIMITED : D};
	double data[N * D];
	for (int e = 0; e < N * D; e++)
		data[e] = e / 7 * 0.5;
	if (kinds[kind].chunked)
		H5Pset_chunk(list, 2, chunk);
	if (kinds[kind].packed) {
		H5Pset_shuffle(list);
		H5Pset_deflate(list, 6);
	}
	if (kinds[kind].summed)
		H5Pset_fletcher32(list);
	hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, how, access), where = file;
	if (kinds[kind].nested)
		where = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	hid_t space = H5Screate_simple(2, size, kinds[kind].chunked ? most : NULL),
	      dataset = H5Dcreate2(where, "X", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
	H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
	put_text(dataset, "MATLAB_class", "double");
	hid_t other = H5Dcreate2(where, "labels", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
	put_text(other, "MATLAB_class", "char");
	H5Dclose(other);
	H5Dclose(dataset);
	H5Sclose(space);
	if (where != file)
		H5Gclose(where);
	H5Pclose(list);
	H5Pclose(how);
	H5Pclose(access);
	return H5Fclose(file) >= 0;
}

static size_t
slurp(char *bytes)
{
	FILE *f = fopen(path, "rb");
	size_t count = f == NULL ? 0 : fread(bytes, 1, ROOM, f);
	if (f == NULL || fclose(f) != 0 || count == ROOM)
		abort();
	return count;
}

static void
spill(const char *bytes, size_t count)
{
	FILE *f = fopen(path, "wb");
	if (f == NULL || fwrite(bytes, 1, count, f) != count || fclose(f) != 0)
		abort();
}

/* A few changes; the new length. */
static size_t
damage(char *bytes, size_t count)
{
	static const int64_t numbers[] = {0, 1, -1, 255, 65535, INT64_C(1) << 31, INT64_C(1) << 40, INT64_MAX};
	size_t most = random_below(2) == 0 && count > 4096 ? 4096 : count;
	for (int64_t changes = 1 + random_below(random_below(3) == 0 ? 8 : 2); changes > 0; changes--) {
		size_t at = (size_t)random_below((int64_t)most), from = (size_t)random_below((int64_t)count),
		       bytes_of = (size_t)(1 << random_below(4));
		switch (random_below(8)) {
		case 0:
		case 1:
		case 2:
			bytes[at] ^= (char)(1 << random_below(8));
			break;
		case 3:
			bytes[at] = (char)random_bits();
			break;
		case 4: /* another number */
			if (at + bytes_of <= count)
				memcpy(bytes + at, &numbers[random_below(8)], bytes_of);
			break;
		case 5: /* a piece from elsewhere, such as a whole node */
			bytes_of = (size_t)(8 << random_below(8));
			if (at + bytes_of <= count && from + bytes_of <= count)
				memmove(bytes + at, bytes + from, bytes_of);
			break;
		case 6:
			bytes_of = (size_t)(8 << random_below(8));
			memset(bytes + at, 0, at + bytes_of <= count ? bytes_of : count - at);
			break;
		default:
			if (random_below(4) == 0)
				return (size_t)random_below((int64_t)count);
		}
	}
	return count;
}

/* Whether what came of the file is allowed; *read: it was read. */
static bool
try_file(const char *dataset, int transposed, bool *read)
{
	static double rows[MOST];
	const knng_matrix_choice choice = {dataset, transposed};
	knng_matrix_file *f;
	knng_err err = {0};
	knng_status status = knng_matrix_file_open(&f, path, &choice, NULL, &err);
	if (status == KNNG_OK) {
		const knng_layout *l = knng_matrix_file_layout(f);
		if (l->n <= MOST / l->d)
			status = knng_matrix_file_read(f, 0, l->n, rows, &err);
		for (int64_t i = 0; status == KNNG_OK && l->d <= MOST && i < l->n; i += 1 + l->n / 50)
			status = knng_matrix_file_read(f, i, 1, rows, &err);
		knng_matrix_file_close(f);
	}
	*read = status == KNNG_OK;
	return status == KNNG_OK || strncmp(err.id, "knng:io:", 8) == 0 || strcmp(err.id, "knng:memory:host") == 0;
}

int
main(int argc, char **argv)
{
	static char whole[ROOM], bytes[ROOM];
	int64_t runs = (argc > 1 ? atoll(argv[1]) : 100000) / 100, live = knng_sys().live;
	random_state = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
	snprintf(path, sizeof path, "/tmp/knng-fuzz-%d.h5", (int)getpid());
	printf("%s\n", path);
	fflush(stdout);
	knng_memory_set_available(1e9);
	for (int kind = 0; write_seed(kind); kind++) {
		size_t count = slurp(whole);
		int64_t all = 0, read = 0;
		bool one;
		CHECK(try_file(NULL, -1, &one) && one, "seed %d is read", kind);
		for (int64_t i = 0; i < runs; i++) {
			uint64_t state = random_state;
			memcpy(bytes, whole, count);
			spill(bytes, damage(bytes, count));
			CHECK(try_file(i % 3 == 0 ? (kind % 2 == 0 ? "group/X" : "X") : NULL, (int)(i % 2), &one),
			      "kind %d, state %llu", kind, (unsigned long long)state);
			all++;
			read += one;
		}
		CHECK(runs < 10 || (read > 0 && read < all), "kind %d: %lld of %lld were read", kind, (long long)read,
		      (long long)all);
		printf("kind %d: %lld files, %lld were read\n", kind, (long long)all, (long long)read);
		fflush(stdout);
	}
	CHECK(knng_sys().live == live, "nothing is left");
	remove(path);
	return summary();
}
#endif
