/* formats.c  The table of file formats: a row each, here alone. */
#include "io/format.h"
#include "io/matrix_file.h"

/* In the order in which they are asked whether a file looks like theirs; the last takes whatever has separators. */
/* clang-format off */
#define FORMATS(row) \
	row (nbi) \
	row (abk) \
	row (geo) \
	row (soft) \
	row (gct) \
	row (knn) \
	row (gml) \
	row (graphml) \
	row (gexf) \
	row (cyjs) \
	row (net) \
	row (cells) \
	row (mtx) \
	row (csv) \
	row (table)

/* Files of numbers, which their endings name, or their beginnings. */
#define MATRICES(row) \
	row (npy) \
	row (npz) \
	row (bin) \
	row (vecs) \
	row (hdf5)
/* clang-format on */

#define DECLARE(name) extern const knng_format knng_format_##name;
FORMATS(DECLARE)

#define ROW(name) &knng_format_##name,
const knng_format *const knng_formats[] = {FORMATS(ROW) NULL};

#define DECLARE_MATRIX(name) extern const knng_matrix_format knng_matrix_format_##name;
MATRICES(DECLARE_MATRIX)

#define MATRIX_ROW(name) &knng_matrix_format_##name,
const knng_matrix_format *const knng_matrix_formats[] = {MATRICES(MATRIX_ROW) NULL};
