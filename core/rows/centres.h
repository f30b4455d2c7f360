/* centres.h  The inner loops of clustering by centres, compiled once a target and chosen at run time. Sums are exact,
 * and scores lie within their bound (docs/centres.md), so all targets give the same clusters. */
#ifndef KNNG_CENTRES_H
#define KNNG_CENTRES_H

#include <stdint.h>

enum {
	CENTRES_PANEL =
		16,       /* centres whose copies lie interleaved: element (j, l) at [(j / 16)*16*d + l*16 + j % 16] */
	CENTRES_ROWS = 8, /* rows that `scores` takes at a time */
	CENTRES_SLICE = 512, /* columns of a product in single precision, which bounds the error of its sums */
	CENTRES_SUMS = 3     /* sums of a column: of the upper, the middle and the lower part of each element */
};

/* The largest score of a row, the largest of all others, and whose it is. */
typedef struct {
	float best, second;
	int32_t at;
} knng_nearest;

typedef struct {
	/* v[r*ldv + j] = product of row r and centre j, less base[j]: of `count` rows, CENTRES_ROWS at most, that begin
	 * at row[r], and the centres of `panels` panels, d columns each; ldv = 16 * panels. A centre that is not there
	 * has base Inf. */
	void (*scores)(const float *const *row, int64_t count, const float *centres, const float *base, int64_t panels,
		       int64_t d, float *v, knng_nearest *nearest);

	/* The product of two rows of ld columns, a multiple of 16. */
	float (*product)(const float *a, const float *b, int64_t ld);

	/* Adds sign times the three parts of u[l] * down[l] to sums[l], sums[ld + l] and sums[2*ld + l], without an
	 * error (docs/centres.md, 2): |u[l] * down[l]| < 1; sign 1 or -1. */
	void (*add)(const double *u, const double *down, double sign, int64_t ld, double *sums);
} knng_centres_loops;

/* The loops of that target, or the best this CPU runs (name NULL); NULL if there are none such here. */
const knng_centres_loops *knng_centres_find(const char *name);

#endif
