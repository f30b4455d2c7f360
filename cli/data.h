/* data.h  The rows that a program searches: of a data set, which is read into memory, or of a file of numbers. */
#ifndef KNNG_DATA_H
#define KNNG_DATA_H

#include "blocks/blocks.h"
#include "io/knng_io.h"
#include "io/matrix_file.h"

typedef struct {
	bool is_text;
	knng_content text;
	knng_matrix matrix; /* of a text: its numbers */
	knng_matrix_file *numbers;
	knng_rows rows;  /* of either */
	double seconds;  /* of reading a text */
	char which[280]; /* "dataset /images: ", of a file that may hold several; else "" */
} knng_data;

/* Reads a text, or opens a file of numbers. From here on opt->task.interrupt has the signals that stop work: of a text
 * without a checkpoint from when it is read, since until then there is nothing that they would have to leave in order.
 * Not to be moved. Errors: those of knng_read_with and of knng_matrix_file_open. */
knng_status knng_data_open(knng_data *data, const char *path, const knng_read_options *of_text,
			   const knng_matrix_choice *choice, bool quiet, knng_options *opt, knng_err *err);
void knng_data_close(knng_data *data); /* safe on zeros, and twice */

#endif
