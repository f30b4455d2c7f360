/* fuzz_h5ad.c [N [SEED [FIRST]]]  Damaged data sets of AnnData, N (default 800) of several forms in turns: each is
 * read, and what comes can be walked, or refused, and nothing else happens.
 *
 * One half of the files has bytes that were changed, over which mostly the library fails. The other half are sound
 * files of wrong contents, written by the library: other numbers in X, places, codes and sizes; members that are
 * missing, of another type, size or name, or lead elsewhere; other attributes. Some are both. File i of SEED is always
 * the same: FIRST is the i of the first. Where this process ends by one, the file stays, and its name is said before.
 * Prints 'N passed, N failed'. */
#include "base/sys.h"
#define FUZZING_CHILDREN
#include "fuzzing.h"
#include "io/h5ad.h"

#ifndef KNNG_HDF5

int
main(void)
{
	CHECK(true, "knng is built without HDF5");
	return summary();
}

#else
#include "anndata.h"
#include "blocks.h"
#include "children.h"

#include <sys/mman.h>

enum { ROOM = 1 << 18, FORMS = 8, TOGETHER = 64 };
static char folder[100], path[200];

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

/* ---- sound files of wrong contents ---- */

static const char *
any_member(void)
{
	static const char *const members[] = {
		"X",
		"X/data",
		"X/indices",
		"X/indptr",
		"obs",
		"var",
		"obs/batch",
		"obs/kind/codes",
		"obs/kind",
		"obs/kind/categories",
		"obs/count",
		"obs/share",
		"obs/barcode",
		"obs/barcode/mask",
		"obs/barcode/values",
		"obs/batch/mask",
		"obs/count/mask",
		"obs/count/values",
		"obs/good",
		"obs/good/mask",
		"obs/kind/categories/mask",
		"var/_index",
		"var/gene_symbol",
		"var/mean",
		"obsm",
		"obsm/X_pca",
		"obs/__categories",
		"obs/__categories/kind",
		"obs/two",
		"obs/_index",
		"obs/index",
		"obs/z",
		"obs/z/codes",
	};
	return members[random_below(sizeof members / sizeof *members)];
}

static hid_t
any_type(void)
{
	const hid_t types[] = {H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_STD_I8LE, H5T_STD_U8LE,   H5T_STD_I32BE,
			       H5T_STD_I64LE,  H5T_STD_U64LE,  H5T_STD_B8LE, H5T_STD_REF_OBJ};
	return types[random_below(sizeof types / sizeof *types)];
}

static double
any_number(void)
{
	static const double numbers[] = {0,   1,    -1,     2,     3,     4,   5,        6,         7,
					 20,  127,  -128,   65535, 1e9,   3e9, INFINITY, 9.2e18,    -9.2e18,
					 NAN, 1e30, 1e-320, 0.5,   1e300, 256, 1u << 31, 1.8446e19, 100000};
	return numbers[random_below(sizeof numbers / sizeof *numbers)];
}

/* One of the numbers of a dataset is another. */
static void
change_number(hid_t file, const char *name)
{
	double values[64];
	hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = set >= 0 ? H5Dget_space(set) : -1,
	      type = set >= 0 ? H5Dget_type(set) : -1;
	hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
	H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
	if (count > 0 && count <= 64 && (class == H5T_INTEGER || class == H5T_FLOAT) &&
	    H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0) {
		values[random_below(count)] = any_number();
		H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
	}
	H5Tclose(type);
	H5Sclose(space);
	H5Dclose(set);
}

/* A text of fixed length or not, or a number, of one place or several. */
static void
write_any(hid_t made, hid_t memory, bool variable, bool attribute)
{
	static const char *const texts[] = {"csr_matrix", "csc_matrix", "categorical",          "barcode", "", "csr",
					    "x\xC3",      "é",          "nullable-string-array"};
	const char *pointers[64];
	double numbers[128];
	const void *from = variable ? (const void *)pointers : numbers;
	for (int i = 0; i < 64; i++)
		pointers[i] = texts[random_below(9)];
	for (int i = 0; i < 128; i++)
		numbers[i] = any_number();
	if (attribute)
		H5Awrite(made, memory, from);
	else
		H5Dwrite(made, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, from);
}

/* Another dataset, or attribute, in the place of one. */
static void
put_another(hid_t at, const char *name, bool attribute)
{
	hsize_t size[3] = {(hsize_t)random_below(8), (hsize_t)random_below(5), 2};
	int rank = (int)random_below(4);
	bool text = random_below(3) > 0, variable = random_below(2) == 0;
	hid_t type = H5Tcopy(text ? H5T_C_S1 : any_type()), memory = text ? type : H5T_NATIVE_DOUBLE,
	      space = random_below(8) == 0 ? H5Screate(H5S_NULL)
		      : rank == 3          ? H5Screate(H5S_SCALAR)
					   : H5Screate_simple(rank == 0 ? 1 : rank, size, NULL);
	if (text)
		H5Tset_size(type, variable ? H5T_VARIABLE : 1 + (size_t)random_below(24));
	hid_t made = attribute ? H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT)
			       : H5Dcreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	if (made >= 0)
		write_any(made, memory, text && variable, attribute);
	if (attribute)
		H5Aclose(made);
	else
		H5Dclose(made);
	H5Sclose(space);
	H5Tclose(type);
}

/* An attribute is missing, or another. */
static void
change_attribute(hid_t file, const char *member)
{
	static const char *const names[] = {"_index",         "encoding-type",   "shape",
					    "h5sparse_shape", "h5sparse_format", "categories"};
	const char *name = names[random_below(sizeof names / sizeof *names)];
	hid_t object = H5Oopen(file, member, H5P_DEFAULT);
	int64_t shape[2] = {random_below(8) - 1, random_below(2) == 0 ? INT64_MAX : random_below(8)};
	const hsize_t two = 2;
	if (object < 0)
		return;
	H5Adelete(object, name);
	if (strstr(name, "shape") != NULL && random_below(2) == 0) {
		hid_t space = H5Screate_simple(1, &two, NULL),
		      made = H5Acreate2(object, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
		H5Awrite(made, H5T_NATIVE_INT64, shape);
		H5Aclose(made);
		H5Sclose(space);
	} else if (random_below(4) > 0) {
		put_another(object, name, true);
	}
	H5Oclose(object);
}

/* A few changes of what the file holds. The library refuses some, which then are none. */
static void
alter(void)
{
	hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
	if (file < 0)
		abort();
	H5E_BEGIN_TRY
	{
		for (int64_t changes = 1 + random_below(random_below(3) == 0 ? 6 : 2); changes > 0; changes--) {
			const char *name = any_member(), *other = any_member();
			switch (random_below(9)) {
			case 0:
			case 1:
			case 2:
				change_number(file, name);
				break;
			case 3:
			case 4:
				change_attribute(file, name);
				break;
			case 5:
				H5Ldelete(file, name, H5P_DEFAULT);
				break;
			case 6: /* under another name, which is no longer what it was */
				H5Ldelete(file, other, H5P_DEFAULT);
				if (random_below(2) == 0)
					H5Lmove(file, name, file, other, H5P_DEFAULT, H5P_DEFAULT);
				else
					H5Lcreate_hard(file, name, file, other, H5P_DEFAULT, H5P_DEFAULT);
				break;
			case 7: /* it leads elsewhere, or nowhere */
				H5Ldelete(file, other, H5P_DEFAULT);
				if (random_below(2) == 0)
					H5Lcreate_soft(random_below(2) == 0 ? name : other, file, other, H5P_DEFAULT,
						       H5P_DEFAULT);
				else
					H5Lcreate_external(random_below(2) == 0 ? path : "/dev/null", name, file, other,
							   H5P_DEFAULT, H5P_DEFAULT);
				break;
			default:
				H5Ldelete(file, name, H5P_DEFAULT);
				put_another(file, name, false);
			}
		}
	}
	H5E_END_TRY
	if (H5Fclose(file) < 0)
		abort();
}

/* ---- what comes of a file ---- */

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

static size_t
slurp(char *bytes)
{
	FILE *f = fopen(path, "rb");
	size_t count = f == NULL ? 0 : fread(bytes, 1, ROOM, f);
	if (f == NULL || fclose(f) != 0 || count == ROOM)
		abort();
	return count;
}

int
main(int argc, char **argv)
{
	static char whole[FORMS][ROOM], bytes[ROOM];
	size_t counts[FORMS];
	int64_t runs = argc > 1 ? atoll(argv[1]) : 800, first = argc > 3 ? atoll(argv[3]) : 0, sound = 0, read[2] = {0},
		since = first;
	uint64_t seed = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
	bool one;
	make_folder(folder, sizeof folder);
	snprintf(path, sizeof path, "%s/a.h5ad", folder);
	printf("%s\n", path);
	fflush(stdout);
	knng_memory_set_available(1e9);
	make_blocks();
	CHECK(blocks_are_watched(), "what is done to blocks of the library is not seen");
	CHECK(watch_children(), "what children do is not seen");
	for (int i = 0; i < FORMS; i++) {
		const anndata_form f = {.form = i % 3,
					.packed = i == 2 || i == 3,
					.fixed = i == 1 || i == 7,
					.old = i == 2 || i == 4,
					.nullable = i >= 6};
		write_anndata(path, &f);
		counts[i] = slurp(whole[i]);
		CHECK(try_file(&one) && one, "form %d is read", i);
	}
	remove(path);
	children_hurry = true;
	int fd = make_file(path);
	for (int64_t i = first; i < first + runs; i++) {
		int form = (int)(i % FORMS);
		size_t count = counts[form];
		bool altered = i / FORMS % 2 == 0;
		start_file(seed, i);
		memcpy(bytes, whole[form], count);
		if (altered) {
			set_bytes(fd, bytes, count);
			alter();
			if (random_below(4) == 0)
				count = slurp(bytes);
			else
				count = 0;
		}
		if (count > 0)
			set_bytes(fd, bytes, damage(bytes, count));
		CHECK(try_file(&one) && faults_of_children() == 0, "file %lld of seed %llu", (long long)i,
		      (unsigned long long)seed);
		read[altered] += one;
		sound += altered;
		if (H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) != 0 || i - since + 1 == TOGETHER ||
		    i + 1 == first + runs) {
			CHECK(closes(), "files %lld to %lld: the library is not as before", (long long)since,
			      (long long)i);
			since = i + 1;
		}
	}
	close(fd);
	printf("%lld files with other bytes, of which %lld were read, %lld with other contents, of which %lld were "
	       "read\n",
	       (long long)(runs - sound), (long long)read[0], (long long)sound, (long long)read[1]);
	CHECK(runs < 100 || (read[0] > 0 && read[1] > 0 && read[0] < runs - sound && read[1] < sound),
	      "an end never came");
	if (!remove_folder(folder))
		abort();
	return summary();
}
#endif
