/* h5ad.h  Data sets of AnnData (.h5ad): a file of HDF5 with the matrix X of cells by genes, dense or sparse, tables of
 * the cells (obs) and of the genes (var), and other matrices. */
#ifndef KNNG_H5AD_H
#define KNNG_H5AD_H

#include "io/knng_io.h"

/* Whether it is one, by its ending. */
bool knng_h5ad_is(const char *path);

/* Reads X with all its zeros, a row for each gene and a column for each cell; names and texts of both; of the columns
 * of obs also those of numbers, as texts. What else the file has is left out; of columns that are none of these there
 * is a warning. Errors: knng:io:open, knng:io:format, knng:io:noHDF, knng:memory:host, knng:interrupted. Memory: that
 * of X, and of texts 256 MB at most. */
knng_status knng_h5ad_read(const char *path, const knng_task *task, knng_content *content, knng_err *err);

/* Of a matrix in it that has so many rows: ds->names and nrows, if these are the cells by where it lies (/obsm,
 * /layers, or X itself) and have names. Errors: knng:io:open, knng:memory:host, knng:interrupted. */
knng_status knng_h5ad_rows(const char *path, const char *dataset, int64_t rows, const knng_task *task, knng_dataset *ds,
			   knng_err *err);

#endif
