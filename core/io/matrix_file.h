/* matrix_file.h  Files that hold a matrix of numbers, as other programs save it, of which some rows are read at a time.
 *
 *     knng_matrix_file *f;
 *     if (knng_matrix_file_open(&f, "images.npy", NULL, NULL, &err) == KNNG_OK) {
 *         const knng_layout *l = knng_matrix_file_layout(f); // l->n rows of l->d numbers, of class l->element->type
 *         status = knng_matrix_file_read(f, 0, 100, rows, &err);
 *         knng_matrix_file_close(f);
 *     } */
#ifndef KNNG_MATRIX_FILE_H
#define KNNG_MATRIX_FILE_H

#include "base/file.h"
#include "io/boxes.h"

/* Where the numbers lie. */
typedef struct {
	int64_t n, d; /* rows, columns */
	const knng_element *element;
	int64_t at;     /* where the first row begins */
	int64_t prefix; /* bytes before each row: 0, or 4, which hold d */
	bool swapped;   /* the highest byte of a number is the first; then prefix is 0 */
	bool by_column; /* column after column; else row after row */
	char name[256]; /* of the matrix, in a file that may hold several; else "" */
	/* Where they do not lie in one piece: the boxes, which the file then has. at, prefix, swapped and by_column
	 * mean nothing. knng_matrix_boxes has them freed. */
	struct knng_matrix_boxes *boxes;
} knng_layout;

/* Boxes of a format. bytes: what fetching one takes; close frees all, itself too. */
typedef struct knng_matrix_boxes {
	knng_boxed boxed;
	double bytes;
	void (*close)(struct knng_matrix_boxes *boxes);
} knng_matrix_boxes;

/* Of a file that may hold several matrices, which one is meant, and how it lies. */
typedef struct knng_matrix_choice {
	const char *dataset; /* its name; NULL: the only one */
	int transposed;      /* 1: a row of the matrix is a column of the dataset; 0: a row; -1: as the file says */
} knng_matrix_choice;
static const knng_matrix_choice knng_matrix_any = {NULL, -1};

/* A format. describe fills the layout from the file's head; that the file is long enough is checked behind it. The
 * choice is looked at by formats that hold several. What it leaves in the layout is freed after an error too. Errors:
 * knng:io:format, with `path` in the text. */
typedef struct {
	const char *name;       /* "npy" */
	const char *endings[6]; /* of its files; NULL is the end */
	knng_status (*describe)(const char *path, knng_store *s, const knng_matrix_choice *choice, knng_layout *l,
				knng_err *err);
	bool several; /* a file may hold several matrices */
	/* Of a format whose files begin like no other's: whether this is one. NULL: their endings alone say so. */
	bool (*looks_like)(knng_store *s);
	const char *title; /* of such a format: "an array of NumPy" */
} knng_matrix_format;
extern const knng_matrix_format *const knng_matrix_formats[]; /* NULL is the end (formats/formats.c) */

/* Bytes of a file's head, for describe. Errors: knng:io:open; knng:io:truncated where the file ends before;
 * knng:interrupted. */
knng_status knng_matrix_head(const char *path, knng_store *s, int64_t at, void *to, int64_t bytes, knng_err *err);
/* Of `size` bytes, in which the layout says where numbers are: that there are rows and columns, and all of them. */
knng_status knng_matrix_fits(const char *path, int64_t size, const knng_layout *l, knng_err *err);
/* Where nothing may lie behind the numbers: an error that says how many bytes do. `why`: what they may be, or what to
 * do. */
knng_status knng_matrix_ends(const char *path, int64_t size, const knng_layout *l, const char *why, knng_err *err);

/* knng:args:option where something is chosen of what holds no matrices by name: of the file, or where path is NULL of
 * anything else. */
knng_status knng_matrix_nothing_chosen(const knng_matrix_choice *choice, const char *path, knng_err *err);

/* The format that a path ends in, in upper or lower case; NULL: none of these. */
const knng_matrix_format *knng_matrix_format_of(const char *path);
/* The same, or, of a file of a disk with any other ending or none, the format that it begins like. */
const knng_matrix_format *knng_matrix_format_find(const char *path);

typedef struct knng_matrix_file knng_matrix_file;

/* Opens a file of a disk, of the format that knng_matrix_format_find says. choice: NULL is knng_matrix_any. The task,
 * which may be NULL, has Ctrl-C, and has to live as long as the file. Errors: knng:io:open, knng:io:format,
 * knng:io:truncated, knng:io:noHDF, knng:args:option where a choice is given that this format does not have,
 * knng:args:dims where a variable of MATLAB or Octave has more than two dimensions and nothing is chosen,
 * knng:memory:host. Memory: knng_matrix_file_bytes: up to 4 MB, or a row if that is more, or a box and what fetching
 * one takes; nothing where rows need not be turned. */
knng_status knng_matrix_file_open(knng_matrix_file **f, const char *path, const knng_matrix_choice *choice,
				  const knng_task *task, knng_err *err);
const knng_layout *knng_matrix_file_layout(const knng_matrix_file *f);
double knng_matrix_file_bytes(const knng_matrix_file *f);
/* Whether to read a few rows may take as long as to read all: boxes have half of the rows, or there are very many
 * columns, one after the other. */
bool knng_matrix_file_is_costly(const knng_matrix_file *f);
/* Rows that cost the least if they are read together, beginning at a multiple of them: 1, or those of a box. */
int64_t knng_matrix_file_together(const knng_matrix_file *f);

/* Rows [first, first + count) to `to`, row after row, in the class of the element. `file` is a knng_matrix_file, void
 * so that knng_rows (blocks/blocks.h) can call it. Of a file that lies column by column that is d pieces in every 32
 * 768 rows. Errors: knng:io:open, also where the file has changed since then; knng:io:format, also where a number is
 * not exact; knng:interrupted. */
knng_status knng_matrix_file_read(void *file, int64_t first, int64_t count, void *to, knng_err *err);
/* Column j, of a file that lies column by column. Errors: the same. */
knng_status knng_matrix_file_column(knng_matrix_file *f, int64_t j, void *to, knng_err *err);
void knng_matrix_file_close(knng_matrix_file *f); /* NULL is fine */

#endif
