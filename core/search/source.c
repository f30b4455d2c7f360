#include "search/source.h"
#include "base/pairs.h"

#define GATHER(type)                                                                                                   \
	for (int64_t l = 0; l < ld; l += 8)                                                                            \
		for (int64_t r = 0; r < count; r++) {                                                                  \
			const type *from = (const type *)knng_row_of(matrix, first + r) + l * matrix->col_stride;      \
			double *to = rows + r * ld + l;                                                                \
			int64_t width = matrix->d - l < 8 ? matrix->d - l : 8;                                         \
			for (int64_t c = 0; c < width; c++)                                                            \
				to[c] = from[c * matrix->col_stride];                                                  \
			for (int64_t c = width; c < 8; c++)                                                            \
				to[c] = 0;                                                                             \
		}

/* Rows whose elements lie together. */
#define WIDEN(type)                                                                                                    \
	for (int64_t r = 0; r < count; r++) {                                                                          \
		const type *from = knng_row_of(matrix, first + r);                                                     \
		double *to = rows + r * ld;                                                                            \
		_Pragma("omp simd") for (int64_t c = 0; c < matrix->d; c++) to[c] = from[c];                           \
		for (int64_t c = matrix->d; c < ld; c++)                                                               \
			to[c] = 0;                                                                                     \
	}

static void
form_rows(const knng_matrix *matrix, int64_t first, int64_t count, double *rows, int64_t ld)
{
	knng_pairs_form(matrix, first, count, KNNG_F64, rows, ld);
	for (int64_t r = 0; r < count; r++)
		for (int64_t c = matrix->d; c < ld; c++)
			rows[r * ld + c] = 0;
}

void
knng_source_rows(const knng_matrix *matrix, int64_t first, int64_t count, double *rows, int64_t ld)
{
	bool together = matrix->col_stride == 1, single = matrix->type == KNNG_F32;
	if (matrix->pairs != NULL) {
		form_rows(matrix, first, count, rows, ld);
	} else if (together && single) {
		WIDEN(float)
	} else if (together) {
		WIDEN(double)
	} else if (single) {
		GATHER(float)
	} else {
		GATHER(double)
	}
}
