/* info.h  What a search tells of itself: the struct info, and warnings. */
#ifndef KNNG_INFO_H
#define KNNG_INFO_H

#include "base/filled.h"
#include "knng.h"
#include "mex.h"

/* The struct info of knngraph. */
mxArray *knng_mex_info(const knng_info *info);

/* Puts the field in place of what it was, which is freed. */
void knng_mex_put(mxArray *info, const char *field, mxArray *value);

/* What a warning of rows says beside what info has. */
typedef struct {
	int64_t rows; /* so many in all */
	int64_t columns;
	const char *metric;
	const char *answer;       /* what stands for neighbours */
	const knng_matrix *x, *y; /* in which columns most is missing, or may be; NULL: not looked at */
	int handling;             /* KNNG_ROWS_… */
	int choice;               /* the function has 'Rows': 1, 'pairwise' of it, 2, 'complete', too; 3: rows are
				     pairs of those of X, and it has 'pairwise' */
} knng_mex_rows;

/* How many rows hold NaN or Inf; missing: NaN is a missing value, and Inf counts alone. -1: there is no memory to count
 * in. */
int64_t knng_mex_nonfinite(const knng_matrix *X, bool missing);

/* Warns of rows that have no distances, of correlations that are none, and of numbers that may stand for missing ones.
 */
void knng_mex_warn_rows(const knng_info *info, const knng_mex_rows *about);

/* Warns of numbers that may stand for missing ones, where there are any; name: of the matrix; remedy: what says so. */
void knng_mex_warn_filled(const knng_filled *filled, const char *name, const char *remedy);

#endif
