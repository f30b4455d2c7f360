/* cells.h  Where a matrix of single cells lies: three files beside each other, each plain or gzipped.
 *
 *     matrix.mtx      MatrixMarket: a row for each feature, a column for each cell
 *     features.tsv    a line for each row: id, symbol, kind; formerly genes.tsv, of id and symbol
 *     barcodes.tsv    a line for each column
 *
 * Before all three names the same may stand (GSM1_matrix.mtx.gz, GSM1_features.tsv.gz, GSM1_barcodes.tsv.gz). */
#ifndef KNNG_CELLS_H
#define KNNG_CELLS_H

#include "base/knng_base.h"

#include <limits.h>

typedef struct {
	char features[PATH_MAX], barcodes[PATH_MAX];
} knng_cells;

/* The files beside a matrix. False: it is not named like one, or one of them is not there. */
bool knng_cells_beside(const char *matrix, knng_cells *c);

/* The matrix of a folder, whose others are there. Errors: knng:io:open, which names the file that was looked for, or
 * several matrices. */
knng_status knng_cells_in(const char *folder, char matrix[PATH_MAX], knng_err *err);

#endif
