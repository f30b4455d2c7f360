/* test_hdf5.c  Files of HDF5: every type, order and storage gives the numbers that were written, in any parts; so do
 * files as MATLAB and Octave write them. What is no matrix is refused, with what to do. Damaged files do no harm: a few
 * hundred here, more in fuzz_hdf5.c. Without HDF5 all that is tested is that this is said. */
#include "base/sys.h"
#include "io/matrix_file.h"
#include "testing.h"

static char folder[] = "/tmp/knng-hdf5-XXXXXX", path[200];

static const char *
named(const char *name)
{
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void
write_bytes(const char *name, const void *bytes, size_t count)
{
	FILE *f = fopen(named(name), "wb");
	if (f == NULL || fwrite(bytes, 1, count, f) != count || fclose(f) != 0)
		abort();
}

static knng_status
open_of(knng_matrix_file **f, const char *dataset, int transposed, knng_err *err)
{
	const knng_matrix_choice choice = {dataset, transposed};
	*err = (knng_err){0};
	return knng_matrix_file_open(f, path, &choice, NULL, err);
}

/* Whether the file is refused with this identifier, and all of these texts. */
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

/* Files that are none of HDF5, by what they begin with. */
static void
test_others(void)
{
	char text[2000] = "MATLAB 5.0 MAT-file, Platform: GLNXA64";
	write_bytes("five.mat", text, sizeof text);
	CHECK(refused(NULL, "knng:io:format", "before 7.3", "'-v7.3'"), "5");
	write_bytes("four.mat", "\0\0\0\0\2\0\0\0\3\0\0\0\0\0\0\0\2\0\0\0x", 60 - 38);
	CHECK(refused(NULL, "knng:io:format", "no MAT-file of version 7.3", "'-v7.3'"), "4");
	write_bytes("octave.mat", "# Created by Octave 7.3.0, Mon", 30);
	CHECK(refused(NULL, "knng:io:format", "Octave's own format: load reads it", "'-hdf5'"), "Octave");
	write_bytes("a.h5.", "", 0);
	write_bytes("empty.h5", "", 0);
	CHECK(refused(NULL, "knng:io:format", "no file of HDF5", ""), "empty");
	write_bytes("packed.hdf5", "\x1F\x8B\10\0\0\0\0\0\0\3", 10);
	CHECK(refused(NULL, "knng:io:format", "unpack it first", ""), "packed");
	memset(text, 'x', sizeof text);
	write_bytes("text.he5", text, sizeof text);
	CHECK(refused(NULL, "knng:io:format", "no file of HDF5", ""), "text");
	CHECK(named("none.h5") && refused(NULL, "knng:io:open", "No such file", ""), "none");

	const float numbers[6] = {0};
	const int32_t sizes[2] = {2, 2};
	char bin[8 + 16];
	memcpy(bin, sizes, 8);
	memcpy(bin + 8, numbers, 16);
	write_bytes("a.fbin", bin, sizeof bin);
	CHECK(refused("x", "knng:args:option", "'Dataset' is for files of HDF5 and archives of NumPy (.npz)", "which"),
	      "Dataset");
	knng_matrix_file *f;
	knng_err err;
	CHECK(open_of(&f, NULL, 0, &err) == KNNG_EARGS && strstr(err.text, "'Transposed' is for") != NULL, "%s",
	      err.text);
}

/* Of many like ones, which are tried: each fifth, in 840 checks. Each file is tried in a process first, and with a
 * sanitizer it takes 50 ms to make one. So each tenth is tried there, in 550 checks, and a minute less. With an
 * argument each second is, in 1550. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static int every = 10;
#else
static int every = 5;
#endif

#ifndef KNNG_HDF5

static void
test_hdf5(void)
{
	printf("knng is built without HDF5: only what is said then is tested\n");
	write_bytes("a.h5", "\x89HDF\r\n\x1a\n", 9);
	CHECK(refused(NULL, "knng:io:noHDF", "libhdf5-dev", "make"), "without HDF5");
}

#else
#include "io/graph_file.h"
#include "io/hdf5.h"
#include "numbers.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

/* ---- writing ---- */

/* In the oldest form, in which tests look for bytes; it is the default up to 1.14. */
static hid_t
create(const char *name, hsize_t block)
{
	hid_t how = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
	H5Pset_userblock(how, block);
	H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
	hid_t file = H5Fcreate(named(name), H5F_ACC_TRUNC, how, access);
	H5Pclose(access);
	H5Pclose(how);
	if (file < 0)
		abort();
	return file;
}

/* The type of HDF5 that is this element. */
static hid_t
type_of(const char *element, bool swapped)
{
	static const struct {
		const char *element;
		int bytes;
		bool is_signed;
	} whole[] = {{"uint8", 1, false},  {"int8", 1, true},  {"uint16", 2, false}, {"int16", 2, true},
		     {"uint32", 4, false}, {"int32", 4, true}, {"uint64", 8, false}, {"int64", 8, true}};
	hid_t type;
	if (strcmp(element, "float16") == 0) {
		type = H5Tcopy(H5T_IEEE_F32LE);
		H5Tset_fields(type, 15, 10, 5, 0, 10);
		H5Tset_precision(type, 16);
		H5Tset_size(type, 2);
		H5Tset_ebias(type, 15);
	} else if (element[0] == 'f') {
		type = H5Tcopy(strcmp(element, "float32") == 0 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE);
	} else {
		int i = 0;
		while (strcmp(whole[i].element, element) != 0)
			i++;
		type = H5Tcopy(H5T_STD_I8LE);
		H5Tset_size(type, (size_t)whole[i].bytes);
		H5Tset_precision(type, 8 * (size_t)whole[i].bytes);
		H5Tset_sign(type, whole[i].is_signed ? H5T_SGN_2 : H5T_SGN_NONE);
	}
	H5Tset_order(type, swapped ? H5T_ORDER_BE : H5T_ORDER_LE);
	return type;
}

#if defined(__SANITIZE_ADDRESS__)
/* What the library itself loses of a damaged file. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
	return "leak:libhdf5\n";
}
#endif

enum { CONTIGUOUS, COMPACT, PLAIN, GZIP, SHUFFLED, SUMMED, SHUFFLE_ALONE, SUM_ALONE, SHUFFLED_SUM, STORAGES };

/* How a dataset is stored, in chunks of this size. */
static hid_t
storage(int kind, int rank, const hsize_t *chunk)
{
	hid_t list = H5Pcreate(H5P_DATASET_CREATE);
	if (kind == COMPACT)
		H5Pset_layout(list, H5D_COMPACT);
	if (kind >= PLAIN)
		H5Pset_chunk(list, rank, chunk);
	if (kind == SHUFFLED || kind == SUMMED || kind == SHUFFLE_ALONE || kind == SHUFFLED_SUM)
		H5Pset_shuffle(list);
	if (kind == GZIP || kind == SHUFFLED || kind == SUMMED)
		H5Pset_deflate(list, 4);
	if (kind == SUMMED || kind == SUM_ALONE || kind == SHUFFLED_SUM)
		H5Pset_fletcher32(list);
	return list;
}

/* data: as it lies in the file; NULL: nothing is written. */
static void
put_dataset(hid_t where, const char *name, hid_t type, int rank, const hsize_t *size, hid_t list, const void *data)
{
	hid_t space = H5Screate_simple(rank, size, NULL),
	      dataset = H5Dcreate2(where, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
	if (dataset < 0 || (data != NULL && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0))
		abort();
	H5Dclose(dataset);
	H5Sclose(space);
}

static void
put_doubles(hid_t where, const char *name, hsize_t n, hsize_t d, const double *data)
{
	const hsize_t size[2] = {n, d};
	put_dataset(where, name, H5T_IEEE_F64LE, 2, size, H5P_DEFAULT, data);
}

static void
put_attribute(hid_t where, const char *name, const char *attribute, const char *text)
{
	hid_t object = H5Oopen(where, name, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
	H5Tset_size(type, strlen(text));
	H5Tset_strpad(type, H5T_STR_NULLPAD);
	hid_t made = H5Acreate2(object, attribute, type, space, H5P_DEFAULT, H5P_DEFAULT);
	if (made < 0 || H5Awrite(made, type, text) < 0)
		abort();
	H5Aclose(made);
	H5Sclose(space);
	H5Tclose(type);
	H5Oclose(object);
}

/* ---- reading ---- */

/* Whether the dataset is these n x d numbers, read in parts of all sizes. */
static bool
holds(const char *dataset, int transposed, int64_t n, int64_t d, const double *want, const char *element)
{
	knng_matrix_file *f;
	knng_err err;
	int64_t live = knng_sys().live;
	if (open_of(&f, dataset, transposed, &err) != KNNG_OK) {
		printf("  %s\n", err.text);
		return false;
	}
	const knng_layout *l = knng_matrix_file_layout(f);
	bool fine = l->n == n && l->d == d && strcmp(l->element->name, element) == 0 &&
		    knng_matrix_file_together(f) >= 1 && knng_matrix_file_together(f) <= n;
	fine = fine && has_numbers(f, want, &err);
	if (!fine)
		printf("  %s %lld x %lld %s, not %lld x %lld: %s\n", dataset, (long long)l->n, (long long)l->d,
		       l->element->name, (long long)n, (long long)d, err.text);
	knng_matrix_file_close(f);
	return fine && knng_sys().live == live;
}

/* Number (i, j) of a matrix is number e of the file: a place for each of two orders. */
static void
test_types(void)
{
	static const int64_t sizes[][2] = {{1, 1}, {5, 7}, {37, 16}, {3, 130}, {70000, 2}, {40000, 17}};
	for (int t = 0; t < TYPES; t++)
		for (int s = 0; s < 6; s++)
			for (int turned = 0; turned < 2; turned++) {
				int64_t n = sizes[s][0], d = sizes[s][1];
				bool swapped = types[t].code[0] == '>';
				if (n > 1000 && t >= LARGE_TYPES)
					continue;
				char *data = room(n * d, (size_t)types[t].bytes), name[20];
				double *want = room(n * d, sizeof *want);
				for (int64_t i = 0; i < n; i++)
					for (int64_t j = 0; j < d; j++) {
						char *at = data + (turned ? j * n + i : i * d + j) * types[t].bytes;
						want[i * d + j] = put(types[t].element, at, i * d + j);
						if (swapped)
							reverse(at, types[t].bytes);
					}
				const hsize_t size[2] = {(hsize_t)(turned ? d : n), (hsize_t)(turned ? n : d)},
					      chunk[2] = {size[0] / 3 + 1, size[1] / 2 + 1};
				hid_t file = create("types.h5", 0), type = type_of(types[t].element, swapped);
				for (int k = 0; k < STORAGES; k++) {
					if ((k == COMPACT && n > 1000) || (t + s + turned + k) % every != 0)
						continue;
					hid_t list = storage(k, 2, chunk);
					snprintf(name, sizeof name, "kind %d", k);
					put_dataset(file, name, type, 2, size, list, data);
					H5Pclose(list);
				}
				H5Tclose(type);
				H5Fclose(file);
				for (int k = 0; k < STORAGES; k++) {
					snprintf(name, sizeof name, "kind %d", k);
					if ((k == COMPACT && n > 1000) || (t + s + turned + k) % every != 0)
						continue;
					CHECK(holds(name, turned, n, d, want, types[t].element), "%s %s %d",
					      types[t].code, name, turned);
				}
				free(data);
				free(want);
			}
}

/* More than two dimensions, and one; chunks that do not divide any of them; and the newest form of all. */
static void
test_dimensions(void)
{
	static const struct {
		int rank;
		hsize_t size[4], chunk[4];
		int64_t n, d, turned_n, turned_d;
	} shapes[] = {
		{1, {23}, {5}, 23, 1, 23, 1},
		{2, {9, 1}, {4, 1}, 9, 1, 1, 9},
		{3, {7, 3, 5}, {2, 2, 3}, 7, 15, 5, 21},
		{4, {4, 3, 2, 6}, {3, 1, 2, 4}, 4, 36, 6, 24},
		{3, {1, 1, 8}, {1, 1, 3}, 1, 8, 8, 1},
	};
	for (int s = 0; s < 10; s++) {
		int which = s % 5, rank = shapes[which].rank;
		int64_t n = shapes[which].n, d = shapes[which].d, columns = shapes[which].turned_d,
			rows = shapes[which].turned_n;
		double *data = room(n * d, sizeof *data), *turned = room(n * d, sizeof *turned);
		for (int64_t e = 0; e < n * d; e++)
			data[e] = (double)e * 0.5 - 3;
		for (int64_t i = 0; i < rows; i++)
			for (int64_t j = 0; j < columns; j++)
				turned[i * columns + j] = data[j * rows + i];
		hid_t access = H5Pcreate(H5P_FILE_ACCESS), file;
		H5Pset_libver_bounds(access, s < 5 ? H5F_LIBVER_EARLIEST : H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
		file = H5Fcreate(named("rank.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, access);
		for (int k = 0; k < STORAGES; k++) {
			char name[20];
			hid_t list = storage(k, rank, shapes[which].chunk);
			if (s > 5 && k >= PLAIN)
				H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
			snprintf(name, sizeof name, "%d", k);
			put_dataset(file, name, H5T_IEEE_F64LE, rank, shapes[which].size, list, data);
			H5Pclose(list);
		}
		H5Fclose(file);
		H5Pclose(access);
		for (int k = 0; k < STORAGES; k++) {
			char name[20];
			snprintf(name, sizeof name, "/%d", k);
			if ((s + k) % (every / 2) != 0)
				continue;
			CHECK(holds(name, k % 2 - 1, n, d, data, "float64"), "%d %d", s, k); /* 0 is the default too */
			CHECK(holds(name, 1, rows, columns, turned, "float64"), "%d %d", s, k);
		}
		free(data);
		free(turned);
	}
}

/* Datasets that grow, behind a user block, and what was never written. */
static void
test_blocks_and_fill(void)
{
	enum { N = 50, D = 4 };
	const hsize_t size[2] = {N, D}, chunk[2] = {8, 3}, some[2] = {11, D}, begin[2] = {16, 0},
		      more[2] = {H5S_UNLIMITED, D};
	double data[N * D], filled[N * D], zeros[N * D] = {0}, value = 2.5;
	for (int e = 0; e < N * D; e++) {
		data[e] = e * 0.25;
		filled[e] = e / D >= 16 && e / D < 27 ? data[e - 16 * D] : value;
	}
	for (hsize_t block = 512; block <= 4096; block *= 8) {
		hid_t file = create("block.mat", block), list, space, dataset;
		put_doubles(file, "plain", N, D, data);
		list = storage(SHUFFLED, 2, chunk);
		put_dataset(file, "packed", H5T_IEEE_F64LE, 2, size, list, data);
		H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &value);
		space = H5Screate_simple(2, size, more);
		dataset = H5Dcreate2(file, "some", H5T_IEEE_F64BE, space, H5P_DEFAULT, list, H5P_DEFAULT);
		hid_t in = H5Screate_simple(2, some, NULL);
		H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, NULL, some, NULL);
		H5Dwrite(dataset, H5T_NATIVE_DOUBLE, in, space, H5P_DEFAULT, data);
		H5Sclose(in);
		H5Dclose(dataset);
		H5Sclose(space);
		put_dataset(file, "nothing", H5T_IEEE_F64BE, 2, size, list, NULL);
		H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
		put_dataset(file, "never", H5T_IEEE_F64BE, 2, size, list, NULL);
		H5Pclose(list);
		list = storage(PLAIN, 2, chunk);
		H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &value);
		put_dataset(file, "nothing plain", H5T_IEEE_F64BE, 2, size, list, NULL);
		H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
		put_dataset(file, "never plain", H5T_IEEE_F64BE, 2, size, list, NULL);
		H5Pclose(list);
		put_dataset(file, "late", H5T_IEEE_F64LE, 2, size, H5P_DEFAULT, NULL);
		list = H5Pcreate(H5P_DATASET_CREATE);
		H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &value);
		put_dataset(file, "late value", H5T_IEEE_F64BE, 2, size, list, NULL);
		H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
		put_dataset(file, "early", H5T_IEEE_F64BE, 2, size, list, NULL);
		H5Pclose(list);
		H5Fclose(file);
		double values[N * D];
		for (int e = 0; e < N * D; e++)
			values[e] = value;
		CHECK(holds("plain", -1, N, D, data, "float64"), "block %d", (int)block);
		CHECK(holds("packed", -1, N, D, data, "float64"), "block %d", (int)block);
		CHECK(holds("some", -1, N, D, filled, "float64"), "block %d", (int)block);
		CHECK(holds("nothing", -1, N, D, values, "float64"), "block %d", (int)block);
		CHECK(holds("nothing plain", -1, N, D, values, "float64"), "block %d", (int)block);
		CHECK(holds("late", -1, N, D, zeros, "float64"), "block %d", (int)block);
		CHECK(holds("late value", -1, N, D, values, "float64"), "block %d", (int)block);
		CHECK(holds("early", -1, N, D, values, "float64"), "block %d", (int)block);
		for (int plain = 0; plain < 2; plain++) {
			knng_matrix_file *f;
			knng_err err;
			CHECK(open_of(&f, plain ? "never plain" : "never", -1, &err) == KNNG_OK &&
				      knng_matrix_file_read(f, 0, N, zeros, &err) == KNNG_EIO &&
				      strstr(err.text, "never written") != NULL,
			      "%s", err.text);
			knng_matrix_file_close(f);
		}
		memset(zeros, 0, sizeof zeros);
	}
}

/* As MATLAB writes variables: the dimensions the other way round, and the class in an attribute. */
/* Many chunks of a row each, of which every other one was never written, or all were: right, and not much slower. */
static void
test_sparse(void)
{
	enum { N = 24000, D = 16 };
	double took[2], value = 2.5;
	for (int sparse = 0; sparse < 2; sparse++) {
		const hsize_t size[2] = {N, D}, chunk[2] = {1, D};
		hid_t file = create("sparse.h5", 0), list = H5Pcreate(H5P_DATASET_CREATE);
		hid_t space = H5Screate_simple(2, size, NULL), row = H5Screate_simple(2, chunk, NULL);
		H5Pset_chunk(list, 2, chunk);
		H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &value);
		hid_t dataset = H5Dcreate2(file, "X", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
		for (hsize_t i = 0; i < N; i += 1 + (hsize_t)sparse) {
			const hsize_t at[2] = {i, 0};
			double data[D];
			for (int j = 0; j < D; j++)
				data[j] = (double)i + j;
			H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, chunk, NULL);
			H5Dwrite(dataset, H5T_NATIVE_DOUBLE, row, space, H5P_DEFAULT, data);
		}
		H5Dclose(dataset);
		H5Sclose(row);
		H5Sclose(space);
		H5Pclose(list);
		H5Fclose(file);
		knng_matrix_file *f;
		knng_err err = {0};
		struct timespec start, end;
		double *rows = room(N * D, sizeof *rows);
		CHECK(open_of(&f, NULL, -1, &err) == KNNG_OK, "%s", err.text);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
		CHECK(knng_matrix_file_read(f, 0, N, rows, &err) == KNNG_OK, "%s", err.text);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
		took[sparse] = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
		bool right = true;
		for (int i = 0; i < N; i++)
			for (int j = 0; j < D; j++)
				right &= rows[i * D + j] == (sparse && i % 2 ? value : i + j);
		CHECK(right, "sparse: %d", sparse);
		knng_matrix_file_close(f);
		free(rows);
	}
	CHECK(took[1] < 5 * took[0] + 0.05, "%.3f s, and %.3f s of all chunks", took[1], took[0]);
	printf("    %.3f s, and %.3f s of all chunks\n", took[1], took[0]);
}

static void
test_matlab(void)
{
	const double data[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
		     turned[12] = {1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12};
	static const char *const classes[] = {"logical",         "char",    "cell", "table",
					      "function_handle", "singles", "doubl"};
	hid_t file = create("m.mat", 512), group;
	put_doubles(file, "X", 3, 4, data);
	put_attribute(file, "X", "MATLAB_class", "double");
	put_doubles(file, "y", 1, 12, data);
	put_attribute(file, "y", "MATLAB_class", "double");
	for (int c = 0; c < 7; c++) {
		put_doubles(file, classes[c], 3, 4, data);
		put_attribute(file, classes[c], "MATLAB_class", classes[c]);
	}
	put_dataset(file, "cube", H5T_IEEE_F64LE, 3, (const hsize_t[]){2, 3, 2}, H5P_DEFAULT, data);
	put_attribute(file, "cube", "MATLAB_class", "double");
	put_doubles(file, "empty", 1, 2, data);
	put_attribute(file, "empty", "MATLAB_class", "double");
	put_attribute(file, "empty", "MATLAB_empty", "1");
	group = H5Gcreate2(file, "S", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	put_doubles(group, "field", 3, 4, data);
	put_attribute(group, "field", "MATLAB_class", "double");
	H5Gclose(group);
	put_attribute(file, "S", "MATLAB_class", "struct");
	group = H5Gcreate2(file, "sparse", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	H5Gclose(group);
	put_attribute(file, "sparse", "MATLAB_class", "double");
	put_attribute(file, "sparse", "MATLAB_sparse", "4");
	group = H5Gcreate2(file, "#refs#", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	put_doubles(group, "a", 3, 4, data);
	H5Gclose(group);
	H5Fclose(file);
	CHECK(holds("X", -1, 4, 3, turned, "float64"), "X");
	CHECK(holds("/X", 1, 4, 3, turned, "float64"), "X");
	CHECK(holds("X", 0, 3, 4, data, "float64"), "X as it lies");
	CHECK(holds("y", -1, 12, 1, data, "float64"), "y");
	CHECK(holds("S/field", -1, 4, 3, turned, "float64"), "a field");
	for (int c = 0; c < 7; c++)
		CHECK(refused(classes[c], "knng:io:format", "of MATLAB's class", classes[c]), "%s", classes[c]);
	CHECK(refused("cube", "knng:args:dims", "cube has 3 dimensions (2 x 3 x 2)", "'Transposed', false"), "cube");
	CHECK(holds("cube", 0, 2, 6, data, "float64"), "cube, its last index");
	CHECK(holds("cube", 1, 2, 6, (const double[]){1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10, 12}, "float64"), "cube(:, :)");
	CHECK(refused("empty", "knng:io:format", "is empty", ""), "empty");
	CHECK(refused("sparse", "knng:io:format", "sparse", "full (X)"), "sparse");
	CHECK(refused("S", "knng:io:format", "has a group 'S'", "/S/field (4 x 3)"), "struct");
	CHECK(refused(NULL, "knng:io:format", "several", "/S/field (4 x 3), /X (4 x 3), /cube (2 x 6), /y (12 x 1)"),
	      "several");
	CHECK(refused("x", "knng:io:format", "has no dataset 'x' (did you mean '/X'?)", "'Dataset', '/X'"), "x");
}

static void
put_octave(hid_t file, const char *name, const char *kind, const char *attribute, const double *data)
{
	hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1),
	      space = H5Screate(H5S_SCALAR);
	H5Tset_size(type, strlen(kind) + 1);
	hid_t made = H5Dcreate2(group, "type", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, kind);
	H5Dclose(made);
	H5Sclose(space);
	H5Tclose(type);
	put_doubles(group, "value", 3, 4, data);
	H5Gclose(group);
	put_attribute(file, name, "OCTAVE_NEW_FORMAT", "1");
	if (attribute != NULL)
		put_attribute(file, name, attribute, "1");
}

static void
test_octave(void)
{
	const double data[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
		     turned[12] = {1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12};
	static const char *const fine[] = {"matrix", "float matrix", "int16 matrix", "uint64 matrix"},
				 *const wrong[] = {"bool matrix", "complex matrix", "sparse matrix",
						   "cell",        "matrixx",        "scalar"};
	for (int t = 0; t < 10; t++) {
		hid_t file = create("o.h5", 0);
		put_octave(file, "A", t < 4 ? fine[t] : wrong[t - 4], NULL, data);
		H5Fclose(file);
		for (int n = 0; t < 4 && n < 5; n++) {
			static const char *const names[] = {NULL, "A", "/A", "/A/value", "A/value"};
			CHECK(holds(names[n], -1, 4, 3, turned, "float64"), "%s %d", fine[t], n);
		}
		CHECK(t >= 4 || holds("A", 0, 3, 4, data, "float64"), "as it lies");
		for (int n = 0; t >= 4 && n < 2; n++)
			CHECK(refused(n == 0 ? "A" : "/A/value", "knng:io:format", "of Octave's type", wrong[t - 4]),
			      "%s", wrong[t - 4]);
		CHECK(t < 4 || refused(NULL, "knng:io:format", "of Octave's type", wrong[t - 4]), "the only one");
	}
	hid_t file = create("o.h5", 0);
	put_octave(file, "A", "matrix", "OCTAVE_EMPTY_MATRIX", data);
	H5Fclose(file);
	CHECK(refused("A", "knng:io:format", "is empty", ""), "empty");
}

/* Which dataset, and what is said where there is none. */
static void
test_names(void)
{
	const double data[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
	char name[300];
	hid_t file = create("n.h5", 0), group = H5Gcreate2(file, "a group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	put_doubles(group, "my images", 6, 2, data);
	put_doubles(file, "labels", 6, 1, data);
	H5Lcreate_soft("/a group/my images", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
	H5Lcreate_soft("/nowhere", file, "dangling", H5P_DEFAULT, H5P_DEFAULT);
	H5Lcreate_hard(file, "/", group, "up", H5P_DEFAULT, H5P_DEFAULT); /* in a circle */
	H5Gclose(group);
	H5Fclose(file);
	CHECK(holds(NULL, -1, 6, 2, data, "float64"), "the only matrix");
	CHECK(holds("/a group/my images", -1, 6, 2, data, "float64"), "its name");
	CHECK(holds("a group//my images", -1, 6, 2, data, "float64"), "two slashes");
	CHECK(holds("soft", -1, 6, 2, data, "float64"), "a link");
	CHECK(holds("labels", -1, 6, 1, data, "float64"), "labels");
	CHECK(refused("lables", "knng:io:format", "did you mean '/labels'", "/a group/my images (6 x 2)"), "lables");
	CHECK(refused("My Images", "knng:io:format", "did you mean '/a group/my images'", ""), "without its group");
	CHECK(refused("dangling", "knng:io:format", "has no dataset 'dangling'", ""), "dangling");
	CHECK(refused("a group", "knng:io:format", "has a group 'a group'", "/labels (6 x 1)"), "a group");
	CHECK(refused("/", "knng:io:format", "has a group '/'", ""), "root");
	CHECK(refused("", "knng:io:format", "has no dataset ''", ""), "no name");
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	CHECK(refused(name, "knng:io:format", "too long", ""), "a long name");

	file = create("n.h5", 0);
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof name, "set%02d", i);
		put_doubles(file, name, 3, 4, data);
	}
	H5Fclose(file);
	CHECK(refused(NULL, "knng:io:format", "several", "/set05 (3 x 4) and 14 more: name"), "many");
	file = create("n.h5", 0);
	const hsize_t vector[1] = {12};
	put_dataset(file, "v", H5T_IEEE_F64LE, 1, vector, H5P_DEFAULT, data);
	H5Fclose(file);
	CHECK(holds(NULL, -1, 12, 1, data, "float64"), "the only vector");
	H5Fclose(create("n.h5", 0));
	CHECK(refused(NULL, "knng:io:format", "holds no matrix", "no dataset of real numbers"), "an empty file");
	file = create("n.h5", 0);
	H5Lcreate_external("run7_000001.h5", "/entry/data", file, "data_000001", H5P_DEFAULT, H5P_DEFAULT);
	H5Fclose(file);
	CHECK(refused(NULL, "knng:io:format", "/data_000001 is a link to another file, run7_000001.h5",
		      "name that one"),
	      "links alone");
	file = create("n.h5", 0);
	const hsize_t stack[3] = {3, 2, 2}, mask[2] = {2, 2};
	put_dataset(file, "images", H5T_IEEE_F64LE, 3, stack, H5P_DEFAULT, data);
	put_dataset(file, "energy", H5T_IEEE_F64LE, 1, vector, H5P_DEFAULT, data);
	H5Fclose(file);
	CHECK(holds(NULL, -1, 3, 4, data, "float64"), "a stack of pictures, and a vector");
	file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
	put_dataset(file, "mask", H5T_IEEE_F64LE, 2, mask, H5P_DEFAULT, data);
	H5Fclose(file);
	CHECK(refused(NULL, "knng:io:format", "several datasets", "/images (3 x 4), /mask (2 x 2)"),
	      "a mask beside it");
	file = create("n.mat", 512);
	put_doubles(file, "one", 3, 4, data);
	put_attribute(file, "one", "MATLAB_class", "logical");
	hid_t type = H5Tcopy(H5T_IEEE_F64LE);
	H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	H5Tclose(type);
	H5Fclose(file);
	CHECK(refused(NULL, "knng:io:format", "/one is of MATLAB's class 'logical'", "such as double (X)"), "one");
	file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
	put_doubles(file, "other", 3, 4, data);
	put_attribute(file, "other", "MATLAB_class", "char");
	H5Fclose(file);
	CHECK(refused(NULL, "knng:io:format", "holds no matrix", "no dataset of real numbers"), "two");
}

/* What is more than is looked at: the matrix that was seen need not be the only one. */
static void
test_too_much(void)
{
	const double data[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
	const char *names[] = {"'Dataset', '/X'", "'Dataset', '/images'"};
	char name[300];
	for (int seen = 0; seen < 2; seen++)
		for (int how = 0; how < 3 - seen; how++) { /* many objects take long */
			hid_t file = create("n.h5", 0), group = file;
			if (seen == 0)
				put_doubles(file, "X", 3, 4, data);
			memset(name, 'x', sizeof name);
			name[how == 0 ? 254 : 1] = '\0';
			for (int i = 0; how == 1 && i < 32; i++) {
				hid_t inner = H5Gcreate2(group, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
				if (group != file)
					H5Gclose(group);
				group = inner;
			}
			if (how < 2)
				put_doubles(group, how == 0 ? name : "Y", 3, 4, data);
			if (group != file)
				H5Gclose(group);
			for (int i = 0; how == 2 && i < 20001; i++) {
				snprintf(name, sizeof name, "soft%d", i);
				H5Lcreate_soft("/", file, name, H5P_DEFAULT, H5P_DEFAULT);
			}
			H5Fclose(file);
			CHECK(refused(NULL, "knng:io:format", "than are looked at", names[seen]), "%d %d", how, seen);
			CHECK(refused("none", "knng:io:format", "has no dataset 'none'", names[seen]), "%d %d", how,
			      seen);
			if (seen == 0)
				CHECK(holds("X", -1, 3, 4, data, "float64"), "%d", how);
		}
}

/* What is no matrix of numbers. */
static void
test_kinds(void)
{
	static const struct {
		const char *name, *said;
	} kinds[] = {
		{"text", "holds texts"},          {"complex", "several parts"},
		{"long", "is not read"},          {"half", "is not read"},
		{"three", "is not read"},         {"colour", "an enumeration"},
		{"lists", "differ in length"},    {"arrays", "arrays as its"},
		{"bits", "holds bits"},           {"bytes", "no type"},
		{"refers", "references"},         {"null", "holds nothing"},
		{"scalar", "holds one number"},   {"type", "is a type"},
		{"no rows", "holds 0 rows of 4"}, {"no columns", "of 0 numbers"},
		{"outside", "in other files"},    {"virtual", "in other files"},
		{"elsewhere", "link to another"}, {"bits of 9", "is not read"},
	};
	const hsize_t size[2] = {3, 4}, none[2] = {0, 4}, flat[2] = {4, 0}, three = 3;
	const double data[12] = {1, 2, 3};
	hid_t other = create("other.h5", 0), types[12], list;
	put_doubles(other, "X", 3, 4, data);
	H5Fclose(other);
	char there[200];
	snprintf(there, sizeof there, "%s", path);
	hid_t file = create("k.h5", 0);
	types[0] = H5Tcopy(H5T_C_S1);
	types[1] = H5Tcreate(H5T_COMPOUND, 16);
	H5Tinsert(types[1], "real", 0, H5T_NATIVE_DOUBLE);
	H5Tinsert(types[1], "imag", 8, H5T_NATIVE_DOUBLE);
	types[2] = H5Tcopy(H5T_NATIVE_LDOUBLE);
	types[3] = H5Tcopy(H5T_IEEE_F32LE); /* bfloat16 */
	H5Tset_fields(types[3], 15, 7, 8, 0, 7);
	H5Tset_precision(types[3], 16);
	H5Tset_size(types[3], 2);
	types[4] = H5Tcopy(H5T_STD_I32LE);
	H5Tset_precision(types[4], 24);
	H5Tset_size(types[4], 3);
	types[5] = H5Tcreate(H5T_ENUM, 1);
	for (signed char v = 0; v < 3; v++)
		H5Tenum_insert(types[5], v == 0 ? "FALSE" : v == 1 ? "TRUE" : "BLUE", &v);
	types[6] = H5Tvlen_create(H5T_NATIVE_DOUBLE);
	types[7] = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three);
	types[8] = H5Tcopy(H5T_STD_B8LE);
	types[9] = H5Tcreate(H5T_OPAQUE, 4);
	types[10] = H5Tcopy(H5T_STD_REF_OBJ);
	types[11] = H5Tcopy(H5T_STD_I16LE);
	H5Tset_precision(types[11], 9);
	for (int t = 0; t < 12; t++) {
		put_dataset(file, kinds[t < 11 ? t : 19].name, types[t], 2, size, H5P_DEFAULT, NULL);
		H5Tclose(types[t]);
	}
	hid_t spaces[2] = {H5Screate(H5S_NULL), H5Screate(H5S_SCALAR)};
	for (int s = 0; s < 2; s++) {
		H5Dclose(H5Dcreate2(file, kinds[11 + s].name, H5T_IEEE_F64LE, spaces[s], H5P_DEFAULT, H5P_DEFAULT,
				    H5P_DEFAULT));
		H5Sclose(spaces[s]);
	}
	hid_t type = H5Tcopy(H5T_IEEE_F64LE);
	H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	H5Tclose(type);
	put_dataset(file, "no rows", H5T_IEEE_F64LE, 2, none, H5P_DEFAULT, NULL);
	put_dataset(file, "no columns", H5T_IEEE_F64LE, 2, flat, H5P_DEFAULT, NULL);
	list = H5Pcreate(H5P_DATASET_CREATE);
	H5Pset_external(list, "other.raw", 0, 96);
	put_dataset(file, "outside", H5T_IEEE_F64LE, 2, size, list, NULL);
	H5Pclose(list);
	list = H5Pcreate(H5P_DATASET_CREATE);
	hid_t space = H5Screate_simple(2, size, NULL);
	H5Pset_virtual(list, space, there, "X", space);
	H5Sclose(space);
	put_dataset(file, "virtual", H5T_IEEE_F64LE, 2, size, list, NULL);
	H5Pclose(list);
	H5Lcreate_external(there, "X", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
	H5Fclose(file);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		CHECK(refused(kinds[k].name, "knng:io:format", kinds[k].said, ""), "%s", kinds[k].name);

	const signed char truth[6] = {0, 1, 1, 0, 0, 1}; /* as h5py writes numpy.bool_ */
	const double want[6] = {0, 1, 1, 0, 0, 1};
	const hsize_t two[2] = {3, 2};
	type = H5Tcreate(H5T_ENUM, 1);
	H5Tenum_insert(type, "FALSE", &truth[0]);
	H5Tenum_insert(type, "TRUE", &truth[1]);
	file = create("b.h5", 0);
	put_dataset(file, "b", type, 2, two, H5P_DEFAULT, truth);
	H5Tclose(type);
	H5Fclose(file);
	CHECK(holds(NULL, -1, 3, 2, want, "uint8"), "truth values");
}

/* A whole number that no double is, in every place of a chunk. */
static void
test_inexact(void)
{
	enum { N = 40, D = 6 };
	static int64_t data[N * D];
	double rows[N * D];
	for (int turned = 0; turned < 2; turned++)
		for (int at = 0; at < N * D; at += 7 * every + 1) {
			const hsize_t size[2] = {turned ? D : N, turned ? N : D}, chunk[2] = {5, 4};
			int row = at / D, column = at % D;
			char said[60];
			knng_matrix_file *f;
			knng_err err;
			memset(data, 0, sizeof data);
			data[turned ? column * N + row : at] = (INT64_C(1) << 53) + 1;
			hid_t file = create("i.h5", 0), list = storage(SHUFFLED, 2, chunk);
			put_dataset(file, "i", H5T_STD_I64LE, 2, size, list, data);
			H5Pclose(list);
			H5Fclose(file);
			snprintf(said, sizeof said, "row %d, column %d holds 9007199254740993,", row + 1, column + 1);
			CHECK(open_of(&f, NULL, turned, &err) == KNNG_OK &&
				      knng_matrix_file_read(f, 0, N, rows, &err) == KNNG_EIO &&
				      strstr(err.text, said) != NULL,
			      "%d %d: %s", turned, at, err.text);
			CHECK(knng_matrix_file_read(f, row, 1, rows, &err) == KNNG_EIO &&
				      strstr(err.text, said) != NULL,
			      "%s", err.text);
			knng_matrix_file_close(f);
		}
}

/* Bytes of a file. */
static char *
slurp(size_t *count)
{
	static char bytes[1 << 16];
	FILE *f = fopen(path, "rb");
	*count = f == NULL ? 0 : fread(bytes, 1, sizeof bytes, f);
	if (f == NULL || *count == sizeof bytes || fclose(f) != 0)
		abort();
	return bytes;
}

/* A small file with chunks that are packed: 60 x 5 numbers, of which no two chunks are alike. */
static void
write_packed(const char *name, int kind)
{
	enum { N = 60, D = 5 };
	const hsize_t size[2] = {N, D}, chunk[2] = {20, D};
	double data[N * D];
	for (int e = 0; e < N * D; e++)
		data[e] = e / 7 * 0.5;
	hid_t file = create(name, 0), list = storage(kind, 2, chunk);
	put_dataset(file, "X", H5T_IEEE_F64LE, 2, size, list, data);
	H5Pclose(list);
	H5Fclose(file);
}

/* Files that change, are locked, fail on the way, or are stopped. */
static void
test_failures(void)
{
	double rows[300];
	knng_matrix_file *f;
	knng_err err;
	int64_t live = knng_sys().live;
	for (int how = 0; how < 2; how++) {
		write_packed("c.h5", how == 0 ? SHUFFLED : CONTIGUOUS);
		CHECK(open_of(&f, NULL, -1, &err) == KNNG_OK && knng_matrix_file_read(f, 0, 60, rows, &err) == KNNG_OK,
		      "%s", err.text);
		const struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};
		if (utimensat(AT_FDCWD, path, long_ago, 0) != 0)
			abort();
		CHECK(knng_matrix_file_read(f, 0, 60, rows, &err) == KNNG_EIO && strcmp(err.id, "knng:io:open") == 0 &&
			      strstr(err.text, "changed") != NULL,
		      "%s", err.text);
		knng_matrix_file_close(f);
	}

	write_packed("c.h5", GZIP);
	int other = open(path, O_RDWR);
	if (other < 0 || flock(other, LOCK_EX) != 0)
		abort();
	CHECK(refused(NULL, "knng:io:open", "another program writes to it", ""), "locked");
	flock(other, LOCK_SH);
	CHECK(open_of(&f, NULL, -1, &err) == KNNG_OK, "%s", err.text); /* others read it */
	knng_matrix_file_close(f);
	close(other);

	volatile sig_atomic_t stop = 0;
	knng_task task = {.interrupt = &stop};
	CHECK(knng_matrix_file_open(&f, path, NULL, &task, &err) == KNNG_OK, "%s", err.text);
	stop = SIGINT;
	CHECK(knng_matrix_file_read(f, 0, 60, rows, &err) == KNNG_EINTERRUPTED, "%s", err.text);
	knng_matrix_file_close(f);
	CHECK(knng_matrix_file_open(&f, path, NULL, &task, &err) != KNNG_OK && f == NULL, "stopped");

	for (int kind = 0; kind < STORAGES; kind += every / 2) {
		write_packed("c.h5", kind);
		for (int64_t nth = 1, reached = 1; reached; nth++) {
			int64_t before = knng_sys().calls;
			knng_sys_fail_at(nth);
			knng_status status = knng_matrix_file_open(&f, path, NULL, NULL, &err);
			if (status == KNNG_OK)
				status = knng_matrix_file_read(f, 0, 60, rows, &err);
			reached = knng_sys().calls - before >= nth;
			knng_sys_fail_at(0);
			knng_matrix_file_close(f);
			CHECK((status == KNNG_OK) != reached && knng_sys().live == live, "kind %d, call %lld: %d", kind,
			      (long long)nth, (int)status);
		}
	}
	/* Errors of the library are shown again, as before. */
	H5E_auto2_t tell = NULL;
	void *data;
	CHECK(H5Eget_auto2(H5E_DEFAULT, &tell, &data) >= 0 && tell != NULL, "what HDF5 prints");
}

/* The first bytes of every packed chunk, changed: an error, or the same numbers, since some bits of a zlib stream say
 * nothing. */
static void
test_bad_chunks(void)
{
	for (int kind = GZIP; kind <= SUMMED; kind++) {
		size_t count;
		int64_t tried = 0, found = 0, errors = 0;
		double right[300], rows[300];
		knng_matrix_file *f;
		knng_err err;
		write_packed("z.h5", kind);
		char *bytes = slurp(&count);
		open_of(&f, NULL, -1, &err);
		knng_matrix_file_read(f, 0, 60, right, &err);
		knng_matrix_file_close(f);
		for (size_t at = 0; at + 2 < count; at++) {
			if ((unsigned char)bytes[at] != 0x78 || (unsigned char)bytes[at + 1] != 0x5E)
				continue; /* no stream begins here */
			for (size_t b = at + 2; b < at + 12; b += every / 2) {
				bytes[b] ^= 0x10;
				write_bytes("bad.h5", bytes, count);
				bytes[b] ^= 0x10;
				tried++;
				if (open_of(&f, NULL, -1, &err) != KNNG_OK)
					continue;
				knng_status status = knng_matrix_file_read(f, 0, 60, rows, &err);
				found += status == KNNG_OK ? memcmp(rows, right, sizeof rows) == 0
							   : strcmp(err.id, "knng:io:format") == 0 &&
								     strstr(err.text, "is damaged") != NULL;
				errors += status != KNNG_OK;
				knng_matrix_file_close(f);
			}
		}
		CHECK(tried >= 60 / every && found == tried && errors > tried / 2, "kind %d: %lld of %lld", kind,
		      (long long)found, (long long)tried);
	}
}

/* Where these bytes are from `at` on; count: nowhere. */
static size_t
find_bytes(const char *bytes, size_t count, size_t at, const char *what, size_t length)
{
	while (at + length <= count && memcmp(bytes + at, what, length) != 0)
		at++;
	return at + length <= count ? at : count;
}

/* Every byte of the chunks that lie plain but for a sum, and of the sums. Such as HDF5 1.6.2 has written are read. */
static void
test_sums(void)
{
	double want[300], rows[300];
	size_t count, at;
	knng_matrix_file *f;
	knng_err err;
	write_packed("s.h5", SUM_ALONE);
	char *bytes = slurp(&count);
	CHECK(open_of(&f, NULL, -1, &err) == KNNG_OK && knng_matrix_file_read(f, 0, 60, want, &err) == KNNG_OK, "%s",
	      err.text);
	knng_matrix_file_close(f);
	at = find_bytes(bytes, count, 0, (const char *)(want + 100), 800);
	CHECK(at + 804 <= count, "the second chunk lies at %zu of %zu", at, count);
	if (at + 804 > count)
		return;
	for (size_t b = 0; b < 804; b += b < 796 ? 19 : 1) {
		bytes[at + b] ^= 0x10;
		write_bytes("bad.h5", bytes, count);
		bytes[at + b] ^= 0x10;
		CHECK(open_of(&f, NULL, -1, &err) == KNNG_OK &&
			      knng_matrix_file_read(f, 0, 60, rows, &err) == KNNG_EIO &&
			      strstr(err.text, "begins at (20, 0), counted from 0, is damaged") != NULL,
		      "byte %zu: %s", b, err.text);
		knng_matrix_file_close(f);
	}
	for (int i = 800; i < 804; i += 2) {
		char low = bytes[at + i];
		bytes[at + i] = bytes[at + i + 1];
		bytes[at + i + 1] = low;
	}
	write_bytes("former.h5", bytes, count);
	CHECK(holds(NULL, -1, 60, 5, want, "float64"), "the other way round");
}

/* Filters that are not undone here: the library's own code believes what the chunks say. */
static void
test_filters(void)
{
	static const struct {
		H5Z_filter_t filters[3];
		const char *said;
	} cases[] = {
		{{H5Z_FILTER_SCALEOFFSET}, "filter 6 ('scaleoffset')"},
		{{H5Z_FILTER_NBIT}, "filter 5 ('nbit')"},
		{{H5Z_FILTER_SHUFFLE, H5Z_FILTER_NBIT}, "filter 5 ('nbit')"},
		{{H5Z_FILTER_SZIP}, "filter 4 ('szip')"},
		{{H5Z_FILTER_DEFLATE, H5Z_FILTER_DEFLATE}, "filter 1 ('deflate'), twice or not in the usual order"},
		{{H5Z_FILTER_DEFLATE, H5Z_FILTER_SHUFFLE}, "filter 2 ('shuffle'), twice or not"},
		{{H5Z_FILTER_FLETCHER32, H5Z_FILTER_DEFLATE}, "filter 3 ('fletcher32'), twice or not"},
	};
	const hsize_t size[2] = {40, 10}, chunk[2] = {20, 10};
	static int data[400];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		hid_t list = storage(PLAIN, 2, chunk);
		bool fine = true;
		for (int j = 0; j < 3 && cases[i].filters[j] != H5Z_FILTER_NONE; j++) {
			H5Z_filter_t id = cases[i].filters[j];
			unsigned level = 4;
			fine = fine && (id == H5Z_FILTER_SZIP ? H5Pset_szip(list, H5_SZIP_NN_OPTION_MASK, 8)
					: id == H5Z_FILTER_SCALEOFFSET
						? H5Pset_scaleoffset(list, H5Z_SO_INT, 0)
						: H5Pset_filter(list, id, 0, id == H5Z_FILTER_DEFLATE, &level)) >= 0;
		}
		if (fine) { /* szip may be missing */
			hid_t file = create("f.h5", 0);
			put_dataset(file, "X", H5T_STD_I32LE, 2, size, list, data);
			H5Fclose(file);
			CHECK(refused(NULL, "knng:io:format", cases[i].said, "h5repack -f GZIP=4 old.h5 new.h5"), "%s",
			      cases[i].said);
		}
		CHECK(fine || cases[i].filters[0] == H5Z_FILTER_SZIP, "%s", cases[i].said);
		H5Pclose(list);
	}

	/* A size that is not that of the numbers. */
	size_t count, at;
	write_packed("f.h5", SHUFFLE_ALONE);
	char *bytes = slurp(&count);
	at = find_bytes(bytes, count, 0, "shuffle\0\10\0\0\0", 12);
	CHECK(at < count, "where shuffle has its parameter");
	for (char wrong = 0; wrong < 17 && at < count; wrong += 4) {
		bytes[at + 8] = wrong;
		write_bytes("w.h5", bytes, count);
		CHECK(wrong == 8 ||
			      refused(NULL, "knng:io:format", "is damaged: its chunks are shuffled", "and have 8"),
		      "%d", wrong);
	}
}

/* An index of chunks that lies: a second chunk in the place of the first one, and of a size that no buffer has; of
 * plain chunks only that size. Where it has a chunk no more, that was never written. */
static void
test_lying_index(void)
{
	enum { N = 4, D = 1024, MORE = 4 << 20, KEY = 8 + 3 * 8, NEXT = KEY + 8 };
	static double want[N * D], rows[N * D], zeros[D];
	static char bytes[MORE + (1 << 17)];
	const hsize_t size[2] = {N, D}, chunk[2] = {1, D};
	const uint32_t huge = 3000000;
	const uint64_t length = sizeof bytes;
	for (int e = 0; e < N * D; e++)
		want[e] = e * 0.25;
	for (int kind = PLAIN; kind < STORAGES; kind++) {
		size_t count;
		hid_t file = create("x.h5", 0), list = storage(kind, 2, chunk);
		put_dataset(file, "X", H5T_IEEE_F64LE, 2, size, list, want);
		H5Pclose(list);
		H5Fclose(file);
		memset(bytes, 'x', sizeof bytes);
		const char *read = slurp(&count);
		memcpy(bytes, read, count);
		size_t tree = find_bytes(bytes, count, 0, "TREE\1", 5);
		CHECK(tree < count, "kind %d: where the index is", kind);
		if (tree == count)
			continue;
		memcpy(bytes + 40, &length, sizeof length); /* where the file ends */
		char *key = bytes + tree + 24;
		if (kind == PLAIN)
			memcpy(key, &huge, sizeof huge);
		else
			memcpy(memset(key + NEXT, 0, KEY), &huge, sizeof huge); /* (0, 0) once more */
		write_bytes("lies.h5", bytes, sizeof bytes);
		knng_matrix_file *f;
		knng_err err;
		knng_status status = open_of(&f, NULL, -1, &err);
		CHECK(status == KNNG_OK, "kind %d: %s", kind, err.text);
		for (int64_t i = 0; status == KNNG_OK && i < N; i++) {
			knng_status of = knng_matrix_file_read(f, i, 1, rows, &err);
			CHECK(of == KNNG_OK ? memcmp(rows, want + i * D, sizeof zeros) == 0 ||
						      (kind != PLAIN && memcmp(rows, zeros, sizeof zeros) == 0)
					    : kind != PLAIN && strstr(err.text, "is damaged") != NULL,
			      "kind %d, row %lld: %s", kind, (long long)i, err.text);
		}
		knng_matrix_file_close(f);
	}
}

/* Numbers in the head of a dataset, of which the head says that they are fewer bytes than its rows and columns take. */
static void
test_short_head(void)
{
	static const double want[4 * 3] = {0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
	const hsize_t size[2] = {4, 3};
	char layout[4 + sizeof *want] = {3, 0, sizeof want, 0};
	memcpy(layout + 4, want, sizeof *want);
	hid_t file = create("head.h5", 0), list = storage(COMPACT, 2, NULL);
	put_dataset(file, "X", H5T_IEEE_F64LE, 2, size, list, want);
	H5Pclose(list);
	H5Fclose(file);
	size_t count;
	char *bytes = slurp(&count);
	size_t at = find_bytes(bytes, count, 0, layout, sizeof layout);
	CHECK(at < count, "where the numbers are");
	for (int stored = 0; stored < 96 && at < count; stored += 24) {
		bytes[at + 2] = (char)stored;
		write_bytes("short.h5", bytes, count);
		CHECK(refused(NULL, "knng:io:format", "is damaged", ""), "%d bytes", stored);
	}
}

/* A file of several kinds of everything, damaged in many places: it is read or refused, and nothing else. */
static void
test_damage(void)
{
	size_t count;
	int64_t tried = 0, right = 0, read = 0, live = knng_sys().live;
	double rows[4096];
	for (int kind = CONTIGUOUS; kind < STORAGES; kind += 2) {
		write_packed("whole.h5", kind);
		const char *whole = slurp(&count);
		static char bytes[1 << 16];
		for (int i = 0; i < 200 / every; i++) {
			size_t cut = count;
			memcpy(bytes, whole, count);
			if (i % 8 == 7)
				cut = (size_t)random_below((int64_t)count);
			else
				for (int changes = 1 + i % 3; changes > 0; changes--) {
					size_t most = i % 2 == 0 && count > 2048 ? 2048 : count;
					bytes[random_below((int64_t)most)] ^= (char)(1 << random_below(8));
				}
			write_bytes("d.h5", bytes, cut);
			knng_matrix_file *f;
			knng_err err;
			knng_status status = open_of(&f, i % 4 == 0 ? "X" : NULL, -1, &err);
			tried++;
			if (status == KNNG_OK) {
				const knng_layout *l = knng_matrix_file_layout(f);
				if (l->n > 0 && l->n <= 4096 / l->d)
					status = knng_matrix_file_read(f, 0, l->n, rows, &err);
				read++;
			}
			right += status == KNNG_OK || strncmp(err.id, "knng:io:", 8) == 0 ||
				 strcmp(err.id, "knng:memory:host") == 0;
			knng_matrix_file_close(f);
		}
	}
	CHECK(right == tried && knng_sys().live == live, "%lld of %lld", (long long)right, (long long)tried);
	CHECK(read > tried / 10 && read < tried, "%lld of %lld were read", (long long)read, (long long)tried);
}

/* What crashes, or never ends, does so in a process of its own. */
static bool
crash(void *context)
{
	*(volatile int *)context = 1;
	return raise(SIGSEGV) == 0;
}

static bool
loop(void *context)
{
	for (volatile int *forever = context; *forever == 0;)
		;
	return true;
}

static bool
fine(void *context)
{
	*(volatile int *)context = 2;
	return true;
}

static bool
foresees(void *context)
{
	(void)context;
	return false;
}

static bool
left_open(void *context)
{
	*(volatile int *)context = (int)H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	return true;
}

static bool
says(void *context)
{
	*(volatile int *)context = 3;
	return fprintf(stderr, "infinite loop closing library\n") > 0;
}

static void
test_try(void)
{
	volatile int told = 0;
	knng_err err = {0};
	write_packed("t.h5", GZIP);
	knng_store *s = knng_store_open(path, NULL);
	CHECK(knng_hdf5_try(path, s, NULL, crash, (void *)&told, &err) == KNNG_EIO &&
		      strcmp(err.id, "knng:io:format") == 0 && strstr(err.text, "damaged") != NULL && told == 0,
	      "%s", err.text);
	if (every < 10) /* which takes all the seconds that a child has */
		CHECK(knng_hdf5_try(path, s, NULL, loop, (void *)&told, &err) == KNNG_EIO &&
			      strstr(err.text, "damaged") != NULL,
		      "%s", err.text);
	CHECK(knng_hdf5_try(path, s, NULL, left_open, (void *)&told, &err) == KNNG_EIO, "%s", err.text);
	CHECK(knng_hdf5_try(path, s, NULL, says, (void *)&told, &err) == KNNG_EIO, "%s", err.text);
	CHECK(knng_hdf5_try(path, s, NULL, foresees, (void *)&told, &err) == KNNG_EIO, "%s", err.text);
	CHECK(knng_hdf5_try(path, s, NULL, fine, (void *)&told, &err) == KNNG_OK && told == 0, "%s", err.text);
	volatile sig_atomic_t stop = SIGINT;
	const knng_task task = {.interrupt = &stop};
	CHECK(knng_hdf5_try(path, s, &task, loop, (void *)&told, &err) == KNNG_EINTERRUPTED, "%s", err.text);
	knng_store_close(s);
}

/* A graph of knng as data: its tables only by their names. */
static void
test_graph(void)
{
	const knng_graph_shape shape = {.n = 3, .k = 2, .type = KNNG_F64, .metric = "euclidean"};
	const int32_t index[6] = {1, 2, 0, 2, 1, 0};
	const double distance[6] = {1, 2, 1, 1, 1, 2};
	knng_graph_out *g;
	knng_err err;
	CHECK(knng_graph_out_create(&g, named("graph.mat"), &shape, NULL, &err) == KNNG_OK &&
		      knng_graph_out_put(g, 0, 3, index, distance, &err) == KNNG_OK &&
		      knng_graph_out_done(g, true, &err) == KNNG_OK,
	      "%s", err.text);
	CHECK(refused(NULL, "knng:io:format", "is a graph that knng has written", "knng.loadgraph reads it"), "graph");
	CHECK(holds("dist", -1, 3, 2, distance, "float64"), "its distances");
}

static void
test_hdf5(void)
{
	test_types();
	test_graph();
	test_dimensions();
	test_blocks_and_fill();
	test_sparse();
	test_matlab();
	test_octave();
	test_names();
	test_too_much();
	test_kinds();
	test_inexact();
	test_failures();
	test_bad_chunks();
	test_sums();
	test_filters();
	test_lying_index();
	test_short_head();
	test_damage();
	test_try();
}
#endif

int
main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		every = 2;
	if (mkdtemp(folder) == NULL)
		abort();
	test_others();
	test_hdf5();
	if (!remove_folder(folder))
		abort();
	return summary();
}
