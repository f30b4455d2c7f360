/* centre.h  What is subtracted from rows before they are copied: y = u * 2^(-E) - c. */
#ifndef KNNG_CENTRE_H
#define KNNG_CENTRE_H

#include <stdbool.h>
#include <stdint.h>

/* Any exponent and any centre are right (docs/canonical.md, 6); these make the residuals small. Returns E. rows: count
 * x d with ld columns, of which a sample of at most 512 (of long rows fewer) is looked at; largest: max|u| of the
 * matrix; reach: no element of it is farther than that from one of another row in the same column, or INFINITY.
 * *integers: whether all of its elements are whole numbers; stays true only if they are small enough for E = 0,
 * and c is whole then. O(d). */
int knng_centre(const double *rows, int64_t count, int64_t d, int64_t ld, double largest, double reach, bool *integers,
		double *centre);

/* The unit of copies in whole numbers up to KNNG_GRID_BYTES, or KNNG_GRID_HALVES where the largest difference counts:
 * any from 2^-60 to 2^60 is right (docs/canonical.md, 6). Of bytes that among the powers of the root of 2 with which
 * some of the rows, 6 000 elements of them, lose least together: 1 for small whole numbers. Of halves (largest) the
 * power of 2 that leaves hardly a row beyond them. Takes the same rows as knng_centre, and what that found. */
float knng_unit(const double *rows, int64_t count, int64_t d, int64_t ld, int exponent, const double *centre,
		bool largest);

/* That E alone, and whether the elements are small whole numbers. */
int knng_exponent(double largest, bool *integers);

#endif
