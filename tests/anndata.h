/* anndata.h  Data sets of AnnData as the HDF5 library writes them: 5 cells of 4 genes, of all that is read and some
 * more. */
#ifndef ANNDATA_H
#define ANNDATA_H

#include "testing.h"

#include <hdf5.h>

enum { CELLS = 5, GENES = 4 };

/* What X is, with 7 numbers that are not 0; a row for each cell. */
static const double anndata_X[CELLS * GENES] = {0, 1.5, 0, -2, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 0.25, 0, 7, 0, 0, 8};

typedef struct {
	enum { DENSE, CSR, CSC } form;
	hid_t numbers, places; /* types of the numbers of X, and of its places; 0: float32, int32 */
	bool fixed;            /* texts are of fixed length */
	bool packed;           /* in chunks, by gzip */
	bool old;              /* attributes and categories as AnnData 0.7 wrote them */
	bool nullable;         /* names and columns have masks, as of pandas 3; one column more, of booleans */
} anndata_form;

static inline void
put_attribute(hid_t object, const char *name, const char *text)
{
	hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
	H5Tset_size(type, H5T_VARIABLE);
	hid_t made = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
	H5Awrite(made, type, &text);
	H5Aclose(made);
	H5Sclose(space);
	H5Tclose(type);
}

static inline void
put_numbers(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size, const double *values, bool packed)
{
	hid_t space = H5Screate_simple(rank, size, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
	const hsize_t chunk[2] = {2, 2};
	if (packed && size[0] > 1) {
		H5Pset_chunk(list, rank, chunk);
		H5Pset_shuffle(list);
		H5Pset_deflate(list, 4);
	}
	hid_t made = H5Dcreate2(group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
	H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
	H5Dclose(made);
	H5Pclose(list);
	H5Sclose(space);
}

static inline void
put_texts(hid_t group, const char *name, const char *const *texts, hsize_t count, bool fixed)
{
	char block[CELLS][12];
	hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &count, NULL);
	H5Tset_size(type, fixed ? sizeof block[0] : H5T_VARIABLE);
	hid_t made = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	memset(block, 0, sizeof block);
	for (hsize_t i = 0; i < count; i++)
		memcpy(block[i], texts[i], strlen(texts[i]) < 12 ? strlen(texts[i]) : 12);
	H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, fixed ? (const void *)block : texts);
	H5Dclose(made);
	H5Sclose(space);
	H5Tclose(type);
}

/* Truth values, each as 0 or 1. */
static inline void
put_truths(hid_t group, const char *name, const char *digits)
{
	const char no = 0, yes = 1;
	char values[2 * CELLS];
	const hsize_t count = strlen(digits);
	hid_t truth = H5Tenum_create(H5T_NATIVE_INT8), space = H5Screate_simple(1, &count, NULL);
	H5Tenum_insert(truth, "FALSE", &no);
	H5Tenum_insert(truth, "TRUE", &yes);
	for (hsize_t i = 0; i < count; i++)
		values[i] = digits[i] == '1';
	hid_t made = H5Dcreate2(group, name, truth, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	H5Dwrite(made, truth, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
	H5Dclose(made);
	H5Sclose(space);
	H5Tclose(truth);
}

/* A group for values, with their mask. */
static inline hid_t
put_masked(hid_t table, const char *name, const char *kind, const char *mask)
{
	hid_t group = H5Gcreate2(table, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	put_attribute(group, "encoding-type", kind);
	put_truths(group, "mask", mask);
	return group;
}

/* Texts, which may have a mask. */
static inline void
put_strings(hid_t table, const char *name, const char *const *texts, const char *mask, hsize_t count,
	    const anndata_form *f)
{
	if (f->nullable) {
		hid_t group = put_masked(table, name, "nullable-string-array", mask);
		put_texts(group, "values", texts, count, f->fixed);
		H5Gclose(group);
	} else {
		put_texts(table, name, texts, count, f->fixed);
	}
}

/* The numbers of X but 0, line after line, whether these are cells or genes. */
static inline void
put_sparse(hid_t file, const anndata_form *f)
{
	const hsize_t shape[1] = {2};
	const int64_t sizes[2] = {CELLS, GENES};
	int lines = f->form == CSR ? CELLS : GENES, width = f->form == CSR ? GENES : CELLS;
	double data[CELLS * GENES], at[CELLS * GENES], start[CELLS + 1] = {0};
	hsize_t count = 0;
	for (int i = 0; i < lines; i++) {
		for (int j = width - 1; j >= 0; j--) { /* in no order */
			double x = anndata_X[f->form == CSR ? i * GENES + j : j * GENES + i];
			if (x != 0) {
				data[count] = x;
				at[count++] = j;
			}
		}
		start[i + 1] = (double)count;
	}
	hid_t group = H5Gcreate2(file, "X", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
	      space = H5Screate_simple(1, shape, NULL);
	put_attribute(group, f->old ? "h5sparse_format" : "encoding-type",
		      f->form == CSR ? (f->old ? "csr" : "csr_matrix") : (f->old ? "csc" : "csc_matrix"));
	hid_t made =
		H5Acreate2(group, f->old ? "h5sparse_shape" : "shape", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
	H5Awrite(made, H5T_NATIVE_INT64, sizes);
	H5Aclose(made);
	H5Sclose(space);
	const hsize_t starts = (hsize_t)lines + 1;
	put_numbers(group, "data", f->numbers > 0 ? f->numbers : H5T_IEEE_F32LE, 1, &count, data, f->packed);
	put_numbers(group, "indices", f->places > 0 ? f->places : H5T_STD_I32LE, 1, &count, at, f->packed);
	put_numbers(group, "indptr", f->places > 0 ? f->places : H5T_STD_I32LE, 1, &starts, start, f->packed);
	H5Gclose(group);
}

static inline void
put_categories(hid_t table, const char *name, const char *const *categories, hsize_t count, const double *codes,
	       const anndata_form *f)
{
	const hsize_t cells = CELLS;
	hid_t group;
	if (f->old) {
		group = H5Gcreate2(table, "__categories", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
		put_texts(group, name, categories, count, f->fixed);
		put_numbers(table, name, H5T_STD_I8LE, 1, &cells, codes, false);
	} else {
		group = H5Gcreate2(table, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
		put_attribute(group, "encoding-type", "categorical");
		put_strings(group, "categories", categories, "00", count, f);
		put_numbers(group, "codes", H5T_STD_I8LE, 1, &cells, codes, f->packed);
	}
	H5Gclose(group);
}

static const char *const anndata_cells[CELLS] = {"c1", "c2", "c3", "c4", "c5"},
			 *const anndata_genes[GENES] = {"ENSG1", "ENSG2", "ENSG3", "ENSG4"},
			 *const anndata_symbols[GENES] = {"CD3D", "-", "LYZ", "NKG7"},
			 *const anndata_batch[CELLS] = {"a", "", "b", "b", "a"};

static inline void
write_anndata(const char *path, const anndata_form *f)
{
	static const char *const kinds[] = {"B", "T"}, *const masked[CELLS] = {"a", "gone", "b", "b", "a"};
	static const double codes[CELLS] = {1, 0, -1, 1, 1}, counts[CELLS] = {10, 20, 30, 40, 9007199254740991.0},
			    share[CELLS] = {0.5, NAN, INFINITY, -1e-7, 1e300},
			    pca[CELLS * 2] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
	const hsize_t sizes[2] = {CELLS, GENES}, cells = CELLS, genes = GENES, parts[2] = {CELLS, 2};
	hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	if (file < 0)
		abort();
	if (f->form == DENSE)
		put_numbers(file, "X", f->numbers > 0 ? f->numbers : H5T_IEEE_F32LE, 2, sizes, anndata_X, f->packed);
	else
		put_sparse(file, f);
	hid_t obs = H5Gcreate2(file, "obs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
	      var = H5Gcreate2(file, "var", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
	      obsm = H5Gcreate2(file, "obsm", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	put_attribute(obs, "_index", "barcode");
	put_strings(obs, "barcode", anndata_cells, "00000", CELLS, f);
	put_strings(obs, "batch", f->nullable ? masked : anndata_batch, "01000", CELLS, f);
	put_categories(obs, "kind", kinds, 2, codes, f);
	if (f->nullable) {
		hid_t count = put_masked(obs, "count", "nullable-integer", "00100"),
		      good = put_masked(obs, "good", "nullable-boolean", "10000");
		put_numbers(count, "values", H5T_STD_I64LE, 1, &cells, counts, f->packed);
		put_truths(good, "values", "10111");
		H5Gclose(count);
		H5Gclose(good);
	} else {
		put_numbers(obs, "count", H5T_STD_I64LE, 1, &cells, counts, f->packed);
	}
	put_numbers(obs, "share", H5T_IEEE_F64LE, 1, &cells, share, false);
	put_numbers(obs, "two", H5T_IEEE_F64LE, 2, parts, pca, false); /* no column */
	put_strings(var, "_index", anndata_genes, "0000", GENES, f);
	put_strings(var, "gene_symbol", anndata_symbols, "0000", GENES, f);
	put_numbers(var, "Symbol", H5T_STD_I8LE, 1, &genes, share, false); /* no symbols */
	put_numbers(var, "mean", H5T_IEEE_F64LE, 1, &genes, share, false);
	put_numbers(obsm, "X_pca", H5T_IEEE_F64LE, 2, parts, pca, f->packed);
	H5Gclose(obs);
	H5Gclose(var);
	H5Gclose(obsm);
	if (H5Fclose(file) < 0)
		abort();
}

#endif
