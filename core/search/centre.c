#include "search/centre.h"

#include <math.h>

enum { SAMPLE = 2048, SAMPLE_LEAST = 64, SAMPLE_ELEMENTS = 1 << 26, SMALL = 1 << 21 };

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
knng_centre(const double *rows, int64_t count, int64_t d, int64_t ld, double largest, bool *integers, double *centre)
{
	int exponent = knng_exponent(largest, integers);
	int64_t seen = sample_of(count, d);
	double scale = ldexp(1, -exponent), share = scale / (double)seen, gain = 0;
	for (int64_t l = 0; l < d; l++)
		centre[l] = 0;
	for (int64_t a = 0; a < seen; a++)
		for (int64_t l = 0; l < d; l++)
			centre[l] += rows[sampled(seen, count, a) * ld + l] * share;
	for (int64_t l = 0; *integers && l < d; l++)
		centre[l] = nearbyint(centre[l]);
	/* Taken away only if the rows get shorter by it, on the geometric average: the residuals go with the lengths,
	 * and one far row must not cost the others their digits. */
	for (int64_t a = 0; a < seen; a++) {
		double before = 0x1p-600, after = 0x1p-600;
		for (int64_t l = 0; l < d; l++) {
			double x = rows[sampled(seen, count, a) * ld + l] * scale, y = x - centre[l];
			before += x * x;
			after += y * y;
		}
		gain += log(before) - log(after);
	}
	for (int64_t l = 0; !(gain > 0) && l < d; l++)
		centre[l] = 0;
	return exponent;
}
