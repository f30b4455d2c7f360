/* test_h5ad.c  Data sets of AnnData: dense and sparse, of every type, packed or not, with texts of both kinds, give
 * what was written. What is out of order is refused, or left out if it is a column. Failing calls and Ctrl-C leave
 * nothing. Without HDF5 all that is tested is that this is said. */
#include "base/sys.h"
#include "interrupts.h"
#include "io/h5ad.h"
#include "io/matrix_file.h"
#include "testing.h"

#ifndef KNNG_HDF5

int
main(void)
{
	knng_content c;
	knng_err err;
	char path[] = "/tmp/knng-XXXXXX.h5ad";
	int fd = mkstemps(path, 5);
	if (fd < 0 || write(fd, "\x89HDF\r\n\x1a\n", 8) != 8 || close(fd) != 0)
		abort();
	CHECK(knng_h5ad_read(path, NULL, &c, &err) == KNNG_EIO && strcmp(err.id, "knng:io:noHDF") == 0, "%s", err.text);
	remove(path);
	return summary();
}

#else
#include "anndata.h"

#include <fcntl.h>
#include <unistd.h>

static char path[] = "/tmp/knng-h5ad-XXXXXX.h5ad";

static const knng_meta *
find(const knng_dataset *ds, const char *key)
{
	for (int64_t i = 0; i < ds->nmeta; i++)
		if (strcmp(ds->meta[i].key, key) == 0)
			return &ds->meta[i];
	return NULL;
}

static bool
same(char *const *texts, const char *const *want, int64_t count)
{
	bool fine = texts != NULL;
	for (int64_t i = 0; fine && i < count; i++)
		fine = strcmp(texts[i], want[i]) == 0;
	return fine;
}

/* Whether the data set has all that write_anndata writes. */
static bool
is_right(const knng_content *c, const anndata_form *f)
{
	static const char *const kinds[CELLS] = {"T", "B", "", "T", "T"},
				 *const shares[CELLS] = {"0.5", "", "Inf", NULL, NULL},
				 *const symbols[GENES] = {"CD3D", "", "LYZ", "NKG7"},
				 *const truths[CELLS] = {"", "false", "true", "true", "true"};
	const char *const counts[CELLS] = {"10", "20", f->nullable ? "" : "30", "40", "9007199254740991"};
	const knng_dataset *ds = &c->data;
	const knng_meta *kind = find(ds, "kind"), *batch = find(ds, "batch"), *count = find(ds, "count"),
			*share = find(ds, "share"), *symbol = find(ds, "gene_symbol"), *good = find(ds, "good"),
			*mean = find(ds, "mean");
	bool fine = c->kind == KNNG_DATASET && strcmp(c->format, "h5ad") == 0 && ds->nrows == GENES &&
		    ds->ncols == CELLS && ds->nmeta == (f->nullable ? 8 : 7) &&
		    memcmp(ds->X, anndata_X, sizeof anndata_X) == 0 && same(ds->names, anndata_genes, GENES) &&
		    same(ds->samples, anndata_cells, CELLS) && same(ds->symbols, symbols, GENES) &&
		    ds->classes == NULL && c->warnings == 1 &&
		    strstr(c->warning.text, "the column two of /obs is left out") != NULL;
	fine = fine && kind != NULL && batch != NULL && count != NULL && share != NULL && symbol != NULL &&
	       mean != NULL;
	fine = fine && !kind->by_row && kind->count == CELLS && same(kind->values, kinds, CELLS) &&
	       same(batch->values, anndata_batch, CELLS) && same(count->values, counts, CELLS) &&
	       same(share->values, shares, 3) && symbol->by_row && same(symbol->values, anndata_symbols, GENES) &&
	       mean->by_row && same(mean->values, shares, 3) && strtod(mean->values[3], NULL) == -1e-7;
	if (f->nullable)
		fine = fine && good != NULL && same(good->values, truths, CELLS);
	return fine && strtod(share->values[3], NULL) == -1e-7 && strtod(share->values[4], NULL) == 1e300;
}

static void
test_forms(void)
{
	knng_content c;
	knng_err err = {0};
	for (int form = DENSE; form <= CSC; form++)
		for (int how = 0; how < 16; how++) {
			const anndata_form f = {.form = form,
						.numbers = how % 2 == 1 ? H5T_IEEE_F64BE : 0,
						.places = how == 3   ? H5T_STD_I64LE
							  : how == 4 ? H5T_STD_U8LE
								     : 0,
						.fixed = how % 3 == 1,
						.packed = how % 8 >= 4,
						.old = how % 4 >= 2,
						.nullable = how >= 8};
			write_anndata(path, &f);
			knng_status status = knng_h5ad_read(path, NULL, &c, &err);
			CHECK(status == KNNG_OK && is_right(&c, &f), "form %d, %d: %s", form, how, err.text);
			knng_content_free(&c);
			CHECK(knng_sys().live == 0, "nothing is left");
		}
}

/* ---- what is out of order ---- */

static knng_status
read_and_free(const char *said, bool *fine)
{
	knng_content c;
	knng_err err = {0};
	knng_status status = knng_h5ad_read(path, NULL, &c, &err);
	*fine = said == NULL
			? status == KNNG_OK
			: status == KNNG_EIO && strcmp(err.id, "knng:io:format") == 0 &&
				  strstr(err.text, path) != NULL && strstr(err.text, said) != NULL && c.data.X == NULL;
	if (!*fine)
		printf("  %s: %s\n", err.id, err.text);
	knng_content_free(&c);
	*fine = *fine && knng_sys().live == 0;
	return status;
}

/* Writes a number into a dataset at one place. */
static void
set_number(hid_t file, const char *name, hsize_t at, double value)
{
	const hsize_t one = 1;
	hid_t set = H5Dopen2(file, name, H5P_DEFAULT), in = H5Dget_space(set), from = H5Screate_simple(1, &one, NULL);
	H5Sselect_elements(in, H5S_SELECT_SET, 1, &at);
	if (H5Dwrite(set, H5T_NATIVE_DOUBLE, from, in, H5P_DEFAULT, &value) < 0)
		abort();
	H5Sclose(from);
	H5Sclose(in);
	H5Dclose(set);
}

static void
test_refusals(void)
{
	static const struct {
		const char *set, *gone; /* a number in this dataset, or this is not there; or neither */
		int at;
		double value;
		const char *said;
	} rows[] = {
		{NULL, NULL, 0, 0, NULL},
		{NULL, "/X", 0, 0, "has no matrix X: name another"},
		{NULL, "/obs", 0, 0, "is no data set of AnnData"},
		{NULL, "/var/_index", 0, 0, "has no names of cells or genes"},
		{NULL, "/X/indices", 0, 0, "'/X/indices'"},
		{NULL, "/obs/kind/codes", 0, 0, NULL}, /* a column less */
		{NULL, "/obsm", 0, 0, NULL},
		{"/X/indices", NULL, 2, 4, "/X/indices has numbers that are no cell or gene"},
		{"/X/indices", NULL, 2, -1, "/X/indices has numbers that are no cell or gene"},
		{"/X/indices", NULL, 0, 1, "has a number of X twice"},
		{"/X/indptr", NULL, 0, 1, "/X/indptr does not ascend"},
		{"/X/indptr", NULL, 2, 6, "/X/indptr does not ascend"},
		{"/X/indptr", NULL, 5, 6, "/X/indptr does not ascend"},
		{"/X/indptr", NULL, 5, 8, "/X/indptr does not ascend"},
		{"/obs/kind/codes", NULL, 1, 2, NULL},
	};
	bool fine;
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		const anndata_form f = {.form = CSR};
		write_anndata(path, &f);
		hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
		if (rows[r].set != NULL)
			set_number(file, rows[r].set, (hsize_t)rows[r].at, rows[r].value);
		else if (rows[r].gone != NULL)
			H5Ldelete(file, rows[r].gone, H5P_DEFAULT);
		H5Fclose(file);
		read_and_free(rows[r].said, &fine);
		CHECK(fine, "row %zu", r);
	}

	/* X of another size than obs and var say; obs as old versions wrote it; what is no HDF5. */
	const anndata_form dense = {.form = DENSE}, csc = {.form = CSC};
	const hsize_t other[2] = {GENES, CELLS}, one = 1;
	write_anndata(path, &dense);
	hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
	H5Ldelete(file, "X", H5P_DEFAULT);
	put_numbers(file, "X", H5T_IEEE_F32LE, 2, other, anndata_X, false);
	H5Fclose(file);
	read_and_free("/X has 4 rows and 5 columns, and should have 5 and 4", &fine);
	CHECK(fine, "a matrix of another size");
	write_anndata(path, &csc);
	file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
	H5Ldelete(file, "obs", H5P_DEFAULT);
	put_numbers(file, "obs", H5T_IEEE_F32LE, 1, &one, anndata_X, false);
	H5Fclose(file);
	read_and_free("by AnnData before 0.7", &fine);
	CHECK(fine, "an old file");
	FILE *text = fopen(path, "w");
	if (text == NULL || fputs("no HDF5 at all", text) < 0 || fclose(text) != 0)
		abort();
	read_and_free("HDF5 cannot open it", &fine);
	CHECK(fine, "no HDF5");
}

/* Names and columns with a mask that is another, or not there, or with other values. What is out of order with names is
 * refused, and columns are left out, which is said. */
static void
test_masks(void)
{
	static const char unnamed[] = "has no names of cells or genes that can be read (obs_names and var_names";
	static const struct {
		const char *name, *truths; /* this is these, or what comes next */
		enum { GONE, NUMBERS, TEXTS, OTHER } are;
		const char *said, *left; /* why the file is refused, or which column is left out */
	} rows[] = {
		{"/obs/barcode/mask", "00100", GONE, "has no name for cell 3 (it is missing in obs_names): give it one",
		 NULL},
		{"/var/_index/mask", "0001", GONE, "has no name for gene 4 (it is missing in var_names): give it one",
		 NULL},
		{"/obs/barcode/mask", "000000", GONE, unnamed, NULL},
		{"/obs/barcode/mask", NULL, NUMBERS, unnamed, NULL},
		{"/obs/barcode/values", NULL, NUMBERS, unnamed, NULL},
		{"/var/_index/mask", NULL, GONE, unnamed, NULL},
		{"/var/_index/values", NULL, GONE, unnamed, NULL},
		{"/obs/batch/mask", "0100", GONE, NULL, "batch"},
		{"/obs/batch/values", NULL, NUMBERS, NULL, "batch"},
		{"/obs/kind/categories/mask", "000", GONE, NULL, "kind"},
		{"/obs/count/mask", NULL, GONE, NULL, "count"},
		{"/obs/count/values", NULL, TEXTS, NULL, "count"},
		{"/obs/good/values", NULL, GONE, NULL, "good"},
		{"/obs/good/mask", NULL, TEXTS, NULL, "good"},
		{"/obs/count", NULL, OTHER, NULL, "count"},
	};
	const anndata_form f = {.form = CSC, .nullable = true};
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		knng_content c;
		bool fine;
		char left[64];
		write_anndata(path, &f);
		hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
		H5Ldelete(file, rows[r].name, H5P_DEFAULT);
		if (rows[r].truths != NULL)
			put_truths(file, rows[r].name, rows[r].truths);
		else if (rows[r].are == NUMBERS)
			put_numbers(file, rows[r].name, H5T_STD_I8LE, 1, &(hsize_t){CELLS}, anndata_X, false);
		else if (rows[r].are == TEXTS)
			put_texts(file, rows[r].name, anndata_cells, CELLS, false);
		if (rows[r].are == OTHER) {
			hid_t group = put_masked(file, rows[r].name, "masked-integer", "00000");
			put_numbers(group, "values", H5T_STD_I8LE, 1, &(hsize_t){CELLS}, anndata_X, false);
			H5Gclose(group);
		}
		H5Fclose(file);
		read_and_free(rows[r].said, &fine);
		CHECK(fine, "row %zu", r);
		if (rows[r].left == NULL)
			continue;
		snprintf(left, sizeof left, "the column %s of /obs is left out", rows[r].left);
		CHECK(knng_h5ad_read(path, NULL, &c, NULL) == KNNG_OK && c.warnings == 2 &&
			      strstr(c.warning.text, left) != NULL && find(&c.data, rows[r].left) == NULL,
		      "row %zu: %s", r, c.warning.text);
		knng_content_free(&c);
	}
}

static size_t
pack_nothing(unsigned flags, size_t count, const unsigned values[], size_t bytes, size_t *room, void **buffer)
{
	(void)flags, (void)count, (void)values, (void)room, (void)buffer;
	return bytes;
}

/* Packed by a filter that the library has only while the file is written. Texts of no fixed length are never packed. */
static void
test_filters(void)
{
	static const H5Z_class2_t lzf = {H5Z_CLASS_T_VERS, 511, 1, 1, "lzf", NULL, NULL, pack_nothing};
	static const struct {
		const char *name, *gone, *said; /* texts, or the matrix, are packed, and this is not there */
		bool nullable;
		const char *left; /* which column is left out */
	} rows[] = {
		{"/obs/barcode", NULL, "/obs/barcode in it is packed by filter 511 ('lzf'), which HDF5 does not", false,
		 NULL},
		{"/var/_index", NULL, "/var/_index in it is packed by filter 511 ('lzf'), which", false, NULL},
		{"/var/_index/values", NULL, "/var/_index/values in it is packed by filter 511", true, NULL},
		{"/X", NULL, "the chunks of /X are packed by filter 511 ('lzf'): only gzip is read", false, NULL},
		{"/obs/batch", NULL, NULL, false, "batch"},
		{"/obs/batch/values", NULL, NULL, true, "batch"},
		{"/obs/kind/categories", NULL, NULL, false, "kind"},
		{"/obs/batch", "/var/_index", "has no names of cells or genes", false, NULL},
	};
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		const anndata_form f = {.form = DENSE, .nullable = rows[r].nullable};
		const hsize_t size[2] = {strncmp(rows[r].name, "/var", 4) == 0 ? GENES : CELLS, GENES},
			      chunk[2] = {2, 2};
		bool texts = strcmp(rows[r].name, "/X") != 0, fine;
		write_anndata(path, &f);
		hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), list = H5Pcreate(H5P_DATASET_CREATE),
		      space = H5Screate_simple(texts ? 1 : 2, size, NULL), type = H5Tcopy(H5T_C_S1);
		char names[CELLS][12] = {"a", "b", "c", "d", "e"};
		H5Tset_size(type, sizeof names[0]);
		H5Pset_chunk(list, texts ? 1 : 2, chunk);
		H5Ldelete(file, rows[r].name, H5P_DEFAULT);
		if (rows[r].gone != NULL)
			H5Ldelete(file, rows[r].gone, H5P_DEFAULT);
		if (H5Zregister(&lzf) < 0 || H5Pset_filter(list, lzf.id, 0, 0, NULL) < 0)
			abort();
		hid_t made = H5Dcreate2(file, rows[r].name, texts ? type : H5T_IEEE_F64LE, space, H5P_DEFAULT, list,
					H5P_DEFAULT);
		H5Dwrite(made, texts ? type : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
			 texts ? (const void *)names : anndata_X);
		H5Dclose(made);
		H5Tclose(type);
		H5Sclose(space);
		H5Pclose(list);
		if (H5Fclose(file) < 0 || H5Zunregister(lzf.id) < 0)
			abort();
		read_and_free(rows[r].said, &fine);
		CHECK(fine, "row %zu", r);
		if (rows[r].said != NULL && rows[r].gone == NULL) {
			read_and_free("compression = 'gzip'", &fine);
			CHECK(fine, "row %zu has no remedy", r);
		}
		if (rows[r].left != NULL) {
			knng_content c;
			char left[160];
			snprintf(left, sizeof left,
				 "the column %s of /obs is left out: %s in it is packed by filter 511 ('lzf'), which "
				 "HDF5 does not have here; write it again in Python, by adata.write_h5ad",
				 rows[r].left, rows[r].name);
			CHECK(knng_h5ad_read(path, NULL, &c, NULL) == KNNG_OK &&
				      strcmp(c.warning.id, "knng:data:metadata") == 0 &&
				      strstr(c.warning.text, left) != NULL && find(&c.data, rows[r].left) == NULL,
			      "row %zu: %s", r, c.warning.text);
			knng_content_free(&c);
		}
	}
}

/* A matrix of the file is read as of any other, and has to be named. */
static void
test_matrix(void)
{
	const anndata_form f = {.form = CSR, .packed = true};
	const knng_matrix_choice choice = {"/obsm/X_pca", -1};
	knng_matrix_file *m;
	knng_err err = {0};
	double rows[CELLS * 2];
	write_anndata(path, &f);
	CHECK(knng_matrix_file_open(&m, path, NULL, NULL, &err) == KNNG_EIO &&
		      strstr(err.text, "is a data set of AnnData: name the matrix") != NULL,
	      "%s", err.text);
	CHECK(knng_matrix_file_open(&m, path, &choice, NULL, &err) == KNNG_OK &&
		      knng_matrix_file_read(m, 0, CELLS, rows, &err) == KNNG_OK && rows[3] == 4 && rows[9] == 10,
	      "%s", err.text);
	knng_matrix_file_close(m);

	static const struct {
		const char *name;
		int64_t rows;
		bool named;
	} sets[] = {{"/obsm/X_pca", CELLS, true},
		    {"obsm/X_pca", CELLS, true},
		    {"/X", CELLS, true},
		    {"/obsm/X_pca", 4, false},
		    {"/obs/count", CELLS, false}};
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		knng_content c = {0};
		CHECK(knng_h5ad_rows(path, sets[i].name, sets[i].rows, NULL, &c.data, &err) == KNNG_OK &&
			      (c.data.names != NULL) == sets[i].named &&
			      (!sets[i].named || (c.data.nrows == CELLS && same(c.data.names, anndata_cells, CELLS))),
		      "%s", sets[i].name);
		knng_content_free(&c);
	}
	hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
	H5Ldelete(file, "obs", H5P_DEFAULT);
	H5Fclose(file);
	knng_content c = {0};
	CHECK(knng_h5ad_rows(path, "/obsm/X_pca", CELLS, NULL, &c.data, &err) == KNNG_OK && c.data.names == NULL,
	      "none");
	knng_content_free(&c);
	CHECK(knng_sys().live == 0, "nothing is left");
}

/* The library cannot close a file in which the head of an object claims a size like this, once it has looked at it, and
 * keeps what it believes of it: the next file in its place would be damaged, too, for as long as the session lasts. One
 * of several matrices of an open file is such an object. */
static void
test_damage(void)
{
	static const char *const objects[] = {"/X/data", "/X/indices", "/X/indptr", "/X"};
	const anndata_form f = {.form = CSC, .packed = true, .old = true};
	for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
		H5O_info_t info;
		knng_content c;
		knng_err err = {0};
		bool fine;
		write_anndata(path, &f);
		hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
		if (H5Oget_info_by_name(file, objects[i], &info, H5P_DEFAULT) < 0)
			abort();
		H5Fclose(file);
		int fd = open(path, O_RDWR);
		if (fd < 0 || pwrite(fd, "\x08", 1, (off_t)info.addr + 11) != 1 || close(fd) != 0)
			abort();
		read_and_free("", &fine);
		CHECK(fine, "%s is damaged", objects[i]);
		CHECK(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0 && truncate(path, 0) == 0, "%s",
		      objects[i]);
		write_anndata(path, &f);
		CHECK(knng_h5ad_read(path, NULL, &c, &err) == KNNG_OK && is_right(&c, &f), "after %s: %s", objects[i],
		      err.text);
		knng_content_free(&c);
	}
}

static void
test_failures(void)
{
	for (int form = DENSE; form <= CSC; form++) {
		const anndata_form f = {.form = form, .packed = true, .nullable = form != CSR};
		const knng_task task = {.threads = 1, .interrupt = &stop};
		knng_content c;
		knng_err err;
		write_anndata(path, &f);
		for (int64_t nth = 1, reached = 1; reached; nth++) { /* in the child, too */
			if (SKIPS(3))
				continue;
			int64_t before = knng_sys().calls;
			knng_sys_fail_at(nth);
			knng_status status = knng_h5ad_read(path, NULL, &c, &err);
			bool here = knng_sys().calls - before >= nth;
			knng_sys_fail_at(0);
			reached = here || status == KNNG_EMEMORY;
			CHECK(reached ? status != KNNG_OK : status == KNNG_OK && is_right(&c, &f), "call %lld: %d %s",
			      (long long)nth, (int)status, err.text);
			knng_content_free(&c);
			CHECK(knng_sys().live == 0, "call %lld", (long long)nth);
		}
		/* A child is waited for in any number of looks: Ctrl-C is there before, or comes at one of the first.
		 */
		for (stop_at = 1; stop_at < 4; stop_at++) {
			looks = stop = 0;
			knng_status status = knng_h5ad_read(path, &task, &c, &err);
			CHECK(status == KNNG_EINTERRUPTED || looks < stop_at, "look %lld: %d", (long long)stop_at,
			      (int)status);
			knng_content_free(&c);
			CHECK(knng_sys().live == 0, "look %lld", (long long)stop_at);
		}
		stop_at = stop = 0;
		knng_memory_set_available(1000);
		CHECK(knng_h5ad_read(path, NULL, &c, &err) != KNNG_OK || is_right(&c, &f), "little memory");
		knng_memory_set_available(0);
		knng_content_free(&c);
	}
}

int
main(int argc, char **argv)
{
	int fd = mkstemps(path, 5);
	if (fd < 0 || close(fd) != 0)
		abort();
	PART(forms);
	PART(refusals);
	PART(masks);
	PART(filters);
	PART(matrix);
	PART(damage);
	PART(failures);
	remove(path);
	return summary();
}
#endif
