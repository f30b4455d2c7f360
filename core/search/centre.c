#include "search/centre.h"
#include "search/bounds.h"

#include <math.h>

enum { SAMPLE = 2048, SAMPLE_LEAST = 64, SAMPLE_ELEMENTS = 1 << 26, SMALL = 1 << 21, FOR_MEAN = 512, COMPARED = 256 };

/* Rows of the sample: of long rows fewer, so that they take a tenth of a second. */
static int64_t
sample_of(int64_t count, int64_t d)
{
	int64_t rows = d > 0 ? SAMPLE_ELEMENTS / d : SAMPLE;
	rows = rows > SAMPLE ? SAMPLE : rows < SAMPLE_LEAST ? SAMPLE_LEAST : rows;
	return count < rows ? count : rows;
}

/* The a-th of the sampled rows: all of them if they are few, else scattered, whatever the period of the data. */
static int64_t
sampled(int64_t seen, int64_t count, int64_t a)
{
	return count == seen ? a : (int64_t)((uint64_t)a * 2654435761u % (uint64_t)count);
}

int
knng_exponent(double largest, bool *integers)
{
	int exponent = 0;
	*integers = *integers && largest < SMALL;
	if (!*integers && largest > 0)
		frexp(largest, &exponent);
	return exponent < -1000 ? -1000 : exponent;
}

int
knng_centre(const double *rows, int64_t count, int64_t d, int64_t ld, double largest, double reach, bool *integers,
	    double *centre)
{
	bool none = false;
	int whole = knng_exponent(largest, integers), exponent = whole;
	if (!*integers && reach < largest)
		exponent = knng_exponent(reach, &none);
	int64_t seen = sample_of(count, d);
	seen = seen < FOR_MEAN ? seen : (int64_t)FOR_MEAN;
	double scale = ldexp(1, -exponent), share = seen > 0 ? 1 / (double)seen : 0, gain = 0;
	/* The first row, and the mean of the differences to it: numbers that are all large, and alike, keep no more
	 * than these, and no rounding of their sum. */
	const double *first = rows + (seen > 0 ? sampled(seen, count, 0) * ld : 0);
	for (int64_t l = 0; l < d; l++)
		centre[l] = 0;
	for (int64_t a = 1; a < seen; a++) {
		const double *row = rows + sampled(seen, count, a) * ld;
		for (int64_t l = 0; l < d; l++)
			centre[l] += (row[l] * scale - first[l] * scale) * share;
	}
	for (int64_t l = 0; seen > 0 && l < d; l++)
		centre[l] += first[l] * scale;
	for (int64_t l = 0; *integers && l < d; l++)
		centre[l] = nearbyint(centre[l]);
	/* Taken away only if the rows get shorter by it, on the geometric average: the residuals go with the lengths,
	 * and one far row must not cost the others their digits. */
	for (int64_t a = 0; a < seen; a += 1 + seen / COMPARED) {
		const double *row = rows + sampled(seen, count, a) * ld;
		double before = 0x1p-600, after = 0x1p-600;
		for (int64_t l = 0; l < d; l++) {
			double x = row[l] * scale, y = x - centre[l];
			before += x * x;
			after += y * y;
		}
		gain += log(before) - log(after);
	}
	if (gain > 0)
		return exponent;
	for (int64_t l = 0; l < d; l++)
		centre[l] = 0;
	return whole;
}

enum { FINEST = -60 }; /* exponent of a unit: rows far below it are copied as zeros */
enum { SAMPLED = 64 }; /* rows for a unit of bytes, at most */

/* The power of 2 with which all but a thousandth of the sampled rows lie within whole numbers: where the largest
 * difference counts, a row beyond them is as far off as it lies beyond. */
static double
unit_of_largest(const double *rows, int64_t count, int64_t d, int64_t ld, double scale, const double *centre)
{
	enum { EXPONENTS = 2200, LEAST = -1100 };
	int64_t found[EXPONENTS] = {0}, seen = sample_of(count, d), beyond = seen / 1000;
	int e = 0;
	for (int64_t a = 0; a < seen; a++) {
		const double *row = rows + sampled(seen, count, a) * ld;
		double most = 0;
		for (int64_t l = 0; l < d; l++)
			most = fmax(most, fabs(row[l] * scale - centre[l]));
		if (!(most > 0))
			continue;
		frexp(most / KNNG_GRID_HALVES, &e); /* below 2^e */
		found[e - LEAST]++;
	}
	for (e = EXPONENTS - 1; e > 0 && beyond >= found[e]; e--)
		beyond -= found[e];
	return ldexp(1, e + LEAST < FINEST ? FINEST : e + LEAST);
}

/* What some rows lose as bytes of that unit, but for the eighth of them that lose most: a few far rows must not cost
 * the others their digits. */
static double
loss(const double *rows, int64_t seen, int64_t count, int64_t d, int64_t ld, double scale, const double *centre,
     double unit)
{
	double lost = 0, worst[SAMPLED / 8] = {0};
	int64_t out = seen / 8;
	for (int64_t a = 0; a < seen; a++) {
		const double *row = rows + sampled(seen, count, a) * ld;
		double mine = 0;
		int64_t least = 0;
		for (int64_t l = 0; l < d; l++) {
			double y = row[l] * scale - centre[l], whole = nearbyint(y / unit);
			whole = fmin(fmax(whole, -KNNG_GRID_BYTES), KNNG_GRID_BYTES);
			mine += fabs(y - whole * unit);
		}
		for (int64_t o = 1; o < out; o++)
			least = worst[o] < worst[least] ? o : least;
		if (out > 0 && mine > worst[least]) {
			double other = worst[least];
			worst[least] = mine;
			mine = other;
		}
		lost += mine;
	}
	return lost;
}

float
knng_unit(const double *rows, int64_t count, int64_t d, int64_t ld, int exponent, const double *centre, bool largest)
{
	enum { ELEMENTS = 6000, FEWEST = 8 };
	double scale = ldexp(1, -exponent), most = 0, all, best;
	int64_t seen = d > 0 ? ELEMENTS / d : count;
	int e = 0, found;
	if (largest)
		return (float)unit_of_largest(rows, count, d, ld, scale, centre);
	seen = seen < FEWEST ? FEWEST : seen > SAMPLED ? SAMPLED : seen;
	seen = seen < count ? seen : count;
	for (int64_t a = 0; a < seen; a++)
		for (int64_t l = 0; l < d; l++)
			most = fmax(most, fabs(rows[sampled(seen, count, a) * ld + l] * scale - centre[l]));
	frexp(most / KNNG_GRID_BYTES, &e); /* below 2^e */
	found = 2 * (e < FINEST ? FINEST : e);
	all = loss(rows, seen, count, d, ld, scale, centre, 4 * most); /* every element is copied as 0 */
	best = loss(rows, seen, count, d, ld, scale, centre, exp2(found / 2.));
	/* Half octaves down, as long as that gains; but where most elements are copied as 0 nothing does yet. */
	for (int half = found - 1; best > 0 && half >= 2 * FINEST; half--) {
		double lost = loss(rows, seen, count, d, ld, scale, centre, exp2(half / 2.));
		if (lost < best) {
			best = lost;
			found = half;
		} else if (best < all / 2 && half < found - 3) {
			break;
		}
	}
	return (float)exp2(found / 2.);
}
