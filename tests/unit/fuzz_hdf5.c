/* fuzz_hdf5.c [N [SEED [FIRST]]]  Damaged files of HDF5, N (default 1400) of several kinds in turns: each is read or
 * refused, and nothing else happens. File i of SEED is always the same: FIRST is the i of the first. Where this process
 * ends by one, the file stays, and its name is said before. Prints 'N passed, N failed'. */
#include "base/sys.h"
#define FUZZING_CHILDREN
#include "fuzzing.h"
#include "io/matrix_file.h"

#ifndef KNNG_HDF5

int
main(void)
{
	CHECK(true, "knng is built without HDF5");
	return summary();
}

#else
#include "blocks.h"
#include "children.h"

#include <hdf5.h>

enum { N = 60, D = 5, ROOM = 1 << 18, MOST = 1 << 14, KINDS = 7 };

static char folder[100], path[200];

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

/* File `kind`: chunks or none, filters, groups of both forms, attributes, a user block. */
static void
write_seed(int kind)
{
	static const struct {
		bool newest, chunked, packed, summed, grows, nested;
		hsize_t block;
	} kinds[KINDS] = {
		{.nested = true},
		{.chunked = true, .packed = true, .block = 512},
		{.chunked = true, .packed = true, .summed = true, .grows = true},
		{.newest = true, .nested = true},
		{.newest = true, .chunked = true, .packed = true},
		{.newest = true, .chunked = true, .packed = true, .grows = true, .nested = true},
		{.chunked = true, .grows = true, .nested = true},
	};
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
	if (H5Fclose(file) < 0)
		abort();
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
		for (int64_t i = 0, step = 1 + l->n / 50; status == KNNG_OK && l->d <= MOST && i < l->n;
		     i = i < l->n - step ? i + step : l->n)
			status = knng_matrix_file_read(f, i, 1, rows, &err);
		knng_matrix_file_close(f);
	}
	*read = status == KNNG_OK;
	return status == KNNG_OK || strncmp(err.id, "knng:io:", 8) == 0 || strcmp(err.id, "knng:memory:host") == 0;
}

int
main(int argc, char **argv)
{
	static char whole[KINDS][ROOM], bytes[ROOM];
	size_t counts[KINDS];
	int64_t runs = argc > 1 ? atoll(argv[1]) : 1400, first = argc > 3 ? atoll(argv[3]) : 0, live = knng_sys().live,
		all[KINDS] = {0}, read[KINDS] = {0};
	uint64_t seed = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
	bool one;
	make_folder(folder, sizeof folder);
	snprintf(path, sizeof path, "%s/a.h5", folder);
	printf("%s\n", path);
	fflush(stdout);
	knng_memory_set_available(1e9);
	make_blocks();
	CHECK(blocks_are_watched(), "what is done to blocks of the library is not seen");
	CHECK(watch_children(), "what children do is not seen");
	for (int kind = 0; kind < KINDS; kind++) {
		write_seed(kind);
		counts[kind] = slurp(whole[kind]);
		CHECK(try_file(NULL, -1, &one) && one, "kind %d is read", kind);
	}
	remove(path);
	children_hurry = true;
	int fd = make_file(path);
	for (int64_t i = first; i < first + runs; i++) {
		int kind = (int)(i % KINDS);
		int64_t turn = i / KINDS;
		start_file(seed, i);
		memcpy(bytes, whole[kind], counts[kind]);
		set_bytes(fd, bytes, damage(bytes, counts[kind]));
		CHECK(try_file(turn % 3 == 0 ? (kind % 2 == 0 ? "group/X" : "X") : NULL, (int)(turn % 2), &one) &&
			      faults_of_children() == 0,
		      "file %lld of seed %llu", (long long)i, (unsigned long long)seed);
		all[kind]++;
		read[kind] += one;
	}
	close(fd);
	for (int kind = 0; kind < KINDS; kind++) {
		CHECK(runs < 10 * KINDS || (read[kind] > 0 && read[kind] < all[kind]),
		      "kind %d: %lld of %lld were read", kind, (long long)read[kind], (long long)all[kind]);
		printf("kind %d: %lld files, %lld were read\n", kind, (long long)all[kind], (long long)read[kind]);
	}
	CHECK(knng_sys().live == live, "nothing is left");
	if (!remove_folder(folder))
		abort();
	return summary();
}
#endif
