/* npy.h  The head of an array of NumPy, a file or a member of an archive. */
#ifndef KNNG_FORMATS_NPY_H
#define KNNG_FORMATS_NPY_H

#include "io/matrix_file.h"

/* The bytes of the array, as numpy.save writes it. read: some of them from `at` on, which are there. */
typedef struct {
	const char *path; /* for messages */
	int64_t size;
	knng_status (*read)(void *context, int64_t at, void *to, int64_t bytes, knng_err *err);
	void *context;
} knng_npy;

/* Where in these bytes the numbers are, and of how many dimensions the array is. transposed: as of knng_matrix_choice,
 * -1 is 0. Whether all of them are there, knng_matrix_fits and knng_matrix_ends say. Errors: knng:io:format, those of
 * read. */
knng_status knng_npy_describe(const knng_npy *from, int transposed, knng_layout *l, int *dimensions, knng_err *err);

#endif
