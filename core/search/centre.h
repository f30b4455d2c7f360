/* centre.h  What is subtracted from rows before they are copied: y = u * 2^(-E) - c. */
#ifndef KNNG_CENTRE_H
#define KNNG_CENTRE_H

#include <stdbool.h>
#include <stdint.h>

/* Any exponent and any centre are right (docs/canonical.md, 6); these make the residuals small. Returns E. rows: count
 * x d with ld columns, of which a sample of at most 2048 (of long rows fewer) is looked at; largest: max|u| of the
 * matrix. *integers: whether all of its elements are whole numbers; stays true only if they are small enough for E = 0,
 * and c is whole then. O(d). */
int knng_centre(const double *rows, int64_t count, int64_t d, int64_t ld, double largest, bool *integers,
		double *centre);

/* The unit of copies in whole numbers up to KNNG_GRID_BYTES, or KNNG_GRID_HALVES where the largest difference counts:
 * any is right (docs/canonical.md, 6), and among powers of the root of 2 this one loses least of a sample of the rows,
 * from knng_centre, by the sum, or the largest, of what their elements lose. 1 where all are small whole numbers. Stops
 * looking after some 20 000 elements. */
float knng_unit(const double *rows, int64_t count, int64_t d, int64_t ld, int exponent, const double *centre,
		bool largest);

/* That E alone, and whether the elements are small whole numbers. */
int knng_exponent(double largest, bool *integers);

#endif
