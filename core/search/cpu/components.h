/* components.h  Principal components of the rows, by which most pairs of long rows are left out before all columns are
 * multiplied (docs/canonical.md, 6, "Components").
 *
 * A few axes are taken from a sample of the rows. A row's components along these, and the length of what they leave of
 * it, make a short row, whose distances are no larger than those of the whole rows. So a tile is first made of short
 * rows; pairs that these leave over get the score of all columns (tiles.c). It gains where few components tell rows
 * apart, as of images. */
#ifndef KNNG_COMPONENTS_H
#define KNNG_COMPONENTS_H

#include "search/cpu/cpu.h"

#include <stdatomic.h>

/* The short rows of one matrix. */
typedef struct {
	float *copy; /* [points up to 16 * (count + 1)] laid out as those of the rows are (cpu.h) */
	float *base; /* [points] h - eps, rounded down */
	double *eps; /* [points] */
} knng_short_rows;

typedef struct knng_components {
	int64_t count, d; /* components, and columns */
	double *axes;     /* [count * d] */
	double defect;    /* of the axes, eta of (6.22) */
	knng_short_rows x, y, *query;
	atomic_int waiting, patience; /* tiles until the next one is tried, and how many after one that was in vain */
} knng_components;

/* Makes the axes, and room for short rows, where it seems to gain or is asked for; otherwise *to stays NULL. To be
 * called when the scale and centre of copies are known. Errors: knng:memory:host, knng:interrupted. */
knng_status knng_components_try(knng_search *w, knng_components **to, knng_err *err);

/* The short rows of all points, whose copies are there. */
knng_status knng_components_copy(knng_search *w, knng_components *p, knng_err *err);

/* Whether a tile is to be tried: not where those before it were in vain, but for one in a while. */
bool knng_components_turn(knng_components *p);
void knng_components_note(knng_components *p, bool served);

void knng_components_free(knng_components *p);

#endif
