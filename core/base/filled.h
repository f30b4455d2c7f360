/* filled.h  Numbers that stand where a value is missing, such as -9999 or 1e20: found by looking at some rows. */
#ifndef KNNG_FILLED_H
#define KNNG_FILLED_H

#include "base/knng_base.h"

enum { KNNG_FILLED_ROWS = 64 }; /* that are looked at, at most */

typedef struct {
	int64_t column;      /* the first with such a number, counted from 1; 0: none has one */
	int64_t more;        /* how many other columns have one */
	int64_t count, seen; /* so many of the rows that were looked at have it in that column */
	char code[32];       /* the number, as it would be written */
	char other[32];      /* the first other one in another column; "": there is none */
	/* Columns that have one in all rows that were looked at, such as dead pixels: how many, the first, its number.
	 */
	int64_t dead, dead_column;
	char dead_code[32];
} knng_filled;

/* Looks at some rows of X, where rows are pairs at those that they are made of: whether in a column several have a
 * number that programs write for a missing value, ten times as large as all others or more. Of what is no such number
 * practically none is taken for one. O(64 d). */
void knng_filled_look(const knng_matrix *X, knng_filled *filled);

/* Of metrics that compare directions, for which a column of one large number decides, too: if there is no other, the
 * dead columns are what was found. */
void knng_filled_take_dead(knng_filled *filled);

/* "column 3 of X holds -9999 in 5 of 64 rows that were looked at, and 2 more likewise"; name: "X". */
void knng_filled_say(const knng_filled *filled, const char *name, char *text, size_t size);

#endif
