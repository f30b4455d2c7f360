/* elements.h  What the numbers of a file are, and what they become. */
#ifndef KNNG_ELEMENTS_H
#define KNNG_ELEMENTS_H

#include "base/knng_base.h"

/* What a number of a file is, and what it becomes. It has to be exact in that class; of integers of 64 bits some are
 * not, which is an error of reading. */
typedef struct {
	const char *name; /* "float32" */
	int bytes;
	knng_type type; /* KNNG_F32 or KNNG_F64 */
	/* How many were converted: all of them, or those in front of the first that is not exact, which is rounded.
	 * NULL: it is one of that class. */
	int64_t (*convert)(const void *from, int64_t count, void *to);
} knng_element;
const knng_element *knng_element_find(const char *name, int length); /* NULL: there is none */

/* Bytes of what it becomes. */
static inline int64_t
knng_element_size(const knng_element *e)
{
	return knng_type_bytes(e->type);
}

/* Numbers whose bytes are the other way round. */
void knng_element_swap(const knng_element *e, void *at, int64_t count);

/* Numbers as they are in the file to numbers of the class they become; how many of them, as convert says. */
int64_t knng_element_turn(const knng_element *e, const void *from, int64_t count, void *to);

/* Numbers of the class it becomes, from columns that begin `height` of them behind each other, to rows that begin d
 * behind each other. */
void knng_element_spread(const knng_element *e, const void *from, int64_t height, int64_t rows, int64_t columns,
			 void *to, int64_t d);

/* knng:io:format, of an integer that is not exact: row and column from 0, its bits, and the double nearest to it. */
knng_status knng_element_refuse(const char *path, int64_t row, int64_t column, const void *from, const void *to,
				knng_err *err);

#endif
