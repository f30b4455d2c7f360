#include "search/source.h"

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

void
knng_source_rows(const knng_matrix *matrix, int64_t first, int64_t count, double *rows, int64_t ld)
{
	if (matrix->type == KNNG_F32) {
		GATHER(float)
	} else {
		GATHER(double)
	}
}
