/* complete.h  Rows without the columns that hold NaN somewhere.
 *
 *     knng_complete c = {0};
 *     if (knng_complete_find(&c, &task, &X, &Y, &err) == KNNG_OK && knng_complete_copy(&c, &task, &err) == KNNG_OK)
 *         … c.x, c.y …
 *     knng_complete_free(&c);
 */
#ifndef KNNG_COMPLETE_H
#define KNNG_COMPLETE_H

#include "base/knng_base.h"

typedef struct {
	knng_matrix x, y;  /* with the columns that stay, in their order; y.data == NULL where no Y was given. Before
			      they are copied only their shapes are right */
	int64_t columns;   /* that there were */
	int64_t *left_out; /* [count] the others, from 0 on, ascending */
	int64_t count;
	double bytes; /* of the copies; 0: nothing is left out, and x and y are what was given */
	/* For complete.c alone. */
	knng_matrix given[2];
	bool *gap; /* [columns] */
	void *copy[2];
} knng_complete;

/* Looks for the columns that hold NaN in no row of X and Y (NULL: none is given). Errors: knng:data:incomplete where
 * every column holds one, knng:memory:host, knng:interrupted. O(n d). */
knng_status knng_complete_find(knng_complete *c, knng_task *task, const knng_matrix *X, const knng_matrix *Y,
			       knng_err *err);

/* Copies the columns that stay, where some do not. Errors: knng:memory:host, knng:interrupted. */
knng_status knng_complete_copy(knng_complete *c, knng_task *task, knng_err *err);

/* Safe on zeros, and twice. */
void knng_complete_free(knng_complete *c);

#endif
