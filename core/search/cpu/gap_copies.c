#include "search/cpu/gap_copies.h"

#include "base/sys.h"
#include "search/cpu/cpu.h"

#include <math.h>
#include <string.h>

enum { WIDEST = 1 << 20 }; /* columns: for so many (12.5) holds */

double
knng_gap_copies_bytes(int64_t rows, int64_t d)
{
	return (8 * (double)d + 20) * (double)knng_up_to_panels(rows) + 512;
}

bool
knng_gap_copies_open(knng_gap_copies *c, int64_t rows, int64_t d)
{
	int64_t room = knng_up_to_panels(rows); /* rows that only fill the last micro-panel have no values */
	c->y = knng_calloc(room * d, sizeof *c->y);
	c->square = knng_calloc(room * d, sizeof *c->square);
	c->sum = knng_calloc(room, sizeof *c->sum);
	c->squares = knng_calloc(room, sizeof *c->squares);
	c->weight = knng_calloc(room, sizeof *c->weight);
	c->root = knng_calloc(room, sizeof *c->root);
	c->columns = knng_calloc(room, sizeof *c->columns);
	return c->y != NULL && c->square != NULL && c->sum != NULL && c->squares != NULL && c->weight != NULL &&
	       c->root != NULL && c->columns != NULL;
}

void
knng_gap_copies_close(knng_gap_copies *c)
{
	knng_free(c->columns);
	knng_free(c->root);
	knng_free(c->weight);
	knng_free(c->squares);
	knng_free(c->sum);
	knng_free(c->square);
	knng_free(c->y);
}

/* Scales a row of its own, so that the largest element is below 2, and subtracts its mean; missing values stay NaN. */
static void
norm_row(bool centred, double *y, int64_t d)
{
	double largest = 0, sum = 0, count = 0;
	int e;
	for (int64_t l = 0; l < d; l++)
		largest = fabs(y[l]) > largest ? fabs(y[l]) : largest;
	frexp(largest, &e);
	for (int64_t l = 0; l < d; l++) {
		y[l] = scalbn(y[l], 1 - e);
		sum += isnan(y[l]) ? 0 : y[l];
		count += !isnan(y[l]);
	}
	for (int64_t l = 0; l < d && centred && count > 0; l++)
		y[l] -= sum / count;
}

/* Ranks among all that a row has, between -1/2 and 1/2. */
static void
centre_ranks(double *y, int64_t d)
{
	double count = 0;
	for (int64_t l = 0; l < d; l++)
		count += !isnan(y[l]);
	for (int64_t l = 0; l < d; l++)
		y[l] = (y[l] - (count + 1) / 2) / count;
}

void
knng_gap_copies_make(const knng_gap_copies *c, const knng_gap_scale *s, const knng_shared_bound *bound, const double *u,
		     int64_t d, int64_t row, double *scratch)
{
	int64_t first = row / MICRO_PANEL * MICRO_PANEL * d + row % MICRO_PANEL;
	double sum = 0, squares = 0, columns = 0;
	memcpy(scratch, u, (size_t)d * sizeof *u);
	if (s->ranked)
		centre_ranks(scratch, d);
	else if (s->normed)
		norm_row(s->centred, scratch, d);
	for (int64_t l = 0; l < d && !s->normed; l++)
		scratch[l] = scalbn(u[l] - s->centre[l], -s->exponent);
	for (int64_t l = 0; l < d; l++) {
		int64_t at = first + l * MICRO_PANEL;
		float y = isnan(scratch[l]) ? 0 : (float)scratch[l];
		c->y[at] = y;
		c->square[at] = (float)((double)y * (double)y);
		sum += y;
		squares += c->square[at];
		columns += !isnan(scratch[l]);
	}
	columns = fmax(columns, 1);
	c->sum[row] = (float)sum;
	c->squares[row] = (float)squares;
	c->weight[row] = knng_round_up(columns * (squares + bound->tiny) * bound->upper);
	c->root[row] = knng_round_up(sqrt(c->weight[row]));
	c->columns[row] = (float)columns;
}

/* What copies and sums lose: g of (12.3), as a part of what is summed up; a copy's element, as a part of it and beside;
 * mu; and of rows that are normed, below which squared length there is no bound. */
typedef struct {
	double sums, part, least, tiny, shortest;
} losses;

static bool
bound_of(const knng_metric *metric, int64_t d, losses lost, knng_shared_bound *b)
{
	double dd = (double)d, roundings = (dd / 2 + 64) * 0x1p-53;
	*b = (knng_shared_bound){.sum = metric->sum,
				 .slice = (d + knng_slices(d) - 1) / knng_slices(d),
				 .normed = metric->prep != KNNG_PREP_NONE,
				 .centred = metric->prep == KNNG_PREP_CENTRED || metric->prep == KNNG_PREP_RANKED,
				 .ranked = metric->prep == KNNG_PREP_RANKED,
				 .d = dd,
				 .sums = 4 * lost.sums,
				 .upper = 1 + 2 * lost.sums,
				 .tiny = lost.tiny};
	double least = sqrt(dd) * (b->normed ? roundings * (dd / 2 + 32) * 0x1p-53 + 2 * lost.least : 4 * lost.least);
	b->copies = b->normed ? 2 * lost.part + 2 * roundings : 3 * lost.part;
	b->floor = fmax(least * least, b->normed ? lost.shortest : 0) / (b->copies * b->copies);
	b->copies *= b->ranked ? 2.5 : 1; /* (12.13) */
#ifdef KNNG_PLANT_BOUND                   /* what the tests must find: no room for what copies and sums lose */
	b->sums = b->copies = 0;
#endif
	return metric->sum != KNNG_SUM_LINF && d <= WIDEST && lost.sums < 0.02;
}

bool
knng_gap_bound(const knng_metric *metric, int64_t d, knng_shared_bound *b)
{
	double dd = (double)d, terms = (d < 512 ? dd : 512) + (double)knng_slices(d) + 2;
	return bound_of(metric, d, (losses){knng_gamma(terms, 0x1p-24), 0x1p-23, 0x1p-148, dd * 0x1p-147, 0}, b);
}

bool
knng_gap_bound_here(const knng_metric *metric, int64_t d, knng_shared_bound *b)
{
	double dd = (double)d, terms = (d < 512 ? dd : 512) + (double)knng_slices(d) + 4;
	const losses lost = {knng_gamma(terms, 0x1p-24) + 0x1p-21, 0x1p-23, 0x1p-60, dd * 0x1p-120, KNNG_GAP_LEAST};
	return bound_of(metric, d, lost, b);
}

bool
knng_gap_bound_of_halves(const knng_metric *metric, int64_t d, knng_shared_bound *b)
{
	double sums = knng_tensor((d + 7) / 8 * 8) + 0x1.01p-11;
	return bound_of(metric, d, (losses){sums, 0x1.01p-11, 0x1p-25, (double)d * 0x1p-24, 0}, b) &&
	       metric->sum != KNNG_SUM_L1;
}

void
knng_gap_multiply(const knng_kernels *kernels, const knng_gap_copies *rows, int64_t row, const knng_gap_copies *columns,
		  int64_t column, int64_t d, int64_t l0, int64_t l1, int64_t bi, int64_t bj, float *v, int64_t ldv,
		  bool add)
{
	kernels->tile[KNNG_TILE_PRODUCT](rows->y + row * d, columns->y + column * d, d, l0, l1, bi, bj, v, ldv, add);
}

enum { EXACT = 4096 }; /* columns: up to so many (12.14) is */

double
knng_gap_turn_of(const double *ranks, const uint64_t *has, const uint64_t *others, int64_t words, int64_t all,
		 int64_t shared)
{
	uint64_t gone[EXACT / 64]; /* bit r: the row has a value of rank r + 1 where the other has none */
	double sum = 0, squares = 0, apart = 0, b = (double)(all - shared);
	int64_t j = 0;
	if (all > EXACT || shared < 1)
		return knng_gap_turn(all, shared);
	memset(gone, 0, (size_t)((all + 63) / 64) * sizeof *gone);
	for (int64_t word = 0; word < words; word++)
		for (uint64_t left = has[word] & ~others[word]; left != 0; left &= left - 1) {
			int64_t rank = (int64_t)ranks[64 * word + __builtin_ctzll(left)] - 1;
			gone[rank / 64] |= (uint64_t)1 << rank % 64;
		}
	for (int64_t word = 0; word < (all + 63) / 64; word++)
		for (uint64_t left = gone[word]; left != 0; left &= left - 1, j++) {
			double t = (double)(64 * word + __builtin_ctzll(left) - j);
			sum += t;
			squares += t * t;
			apart += ((double)(2 * j + 1) - b) * t;
		}
	return knng_gap_turn_by(all, shared, sum, squares, apart);
}
