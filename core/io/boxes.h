/* boxes.h  A matrix of numbers that lies in boxes of one size, as chunks of HDF5 do, and of which whole boxes are
 * fetched. */
#ifndef KNNG_BOXES_H
#define KNNG_BOXES_H

#include "io/elements.h"

enum { KNNG_BOX_RANK = 33 /* the most dimensions */ };

/* Where the numbers lie. In C's order of the dimensions the first one is the rows of the matrix, and all others are its
 * columns, the last one running fastest; by column it is the last one that is the rows, and all others are the columns,
 * in the same order. */
typedef struct {
	int rank;                                        /* 2 or more */
	int64_t size[KNNG_BOX_RANK], box[KNNG_BOX_RANK]; /* the last box of a dimension may reach over its end */
	bool by_column;
	const knng_element *element;
	bool swapped;
	const char *path; /* for messages */
	/* The box whose first element this is, to box[0] * box[1] * ... elements in C's order. */
	knng_status (*fetch)(void *context, const int64_t *first, void *to, knng_err *err);
	void *context;
} knng_boxed;

/* Rows of the matrix, and rows that whole boxes hold: to read them together costs the least. */
int64_t knng_boxed_rows(const knng_boxed *b);
int64_t knng_boxed_height(const knng_boxed *b);

/* Bytes that reading holds, but for fetch: a box, and what is turned of it; -1: they have no number. */
int64_t knng_boxed_bytes(const knng_boxed *b);

/* Reading through one buffer of so many bytes. */
typedef struct {
	const knng_boxed *of;
	const knng_task *task; /* looked at before each box; NULL is fine */
	char *buffer;
	int64_t held[KNNG_BOX_RANK]; /* the first element of the box that is in it */
	bool holds;
} knng_boxes;

/* Rows [first, first + count) to `to`, row after row, in the class of the element. Each box that has some of them is
 * fetched once. Errors: knng:io:format where a number is not exact; those of fetch;
 * knng:interrupted. */
knng_status knng_boxes_read(knng_boxes *b, int64_t first, int64_t count, char *to, knng_err *err);

#endif
