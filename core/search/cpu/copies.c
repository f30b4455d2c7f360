/* copies.c  Low-precision copies of prepared rows, for the scores: around which centre, in which unit, with which
 * bounds of their errors. */
#include "search/centre.h"
#include "search/cpu/cpu.h"
#include "search/prepared.h"

#include <math.h>

double
knng_cpu_extent(const knng_search *w, knng_cpu *c, bool *integers)
{
	double largest = w->known > 0 ? c->largest : 0;
	*integers = w->known == 0 || c->integers;
	for (int t = 0; t < c->nworkers; t++) {
		largest = fmax(largest, c->workers[t].largest);
		*integers = *integers && c->workers[t].integers;
	}
	if (w->known == 0) {
		c->largest = largest;
		c->integers = *integers;
	}
	return largest;
}

void
knng_cpu_centre(knng_search *w)
{
	enum { NEAR = 4 }; /* exponents: no row becomes so short by it that its copy loses digits */
	knng_cpu *c = w->state;
	if (c->for_blas != c->blas)
		c->copied = 0;
	c->for_blas = c->blas;
	if (w->plan->metric->prep == KNNG_PREP_NONE) {
		bool integers, whole;
		double largest = knng_cpu_extent(w, c, &integers);
		if (w->prepared != NULL && w->prepared->whole &&
		    c->copied > 0) /* whole numbers and others may take turns */
			integers = integers && c->whole;
		whole = integers;
		int exponent = knng_exponent(largest, &whole);
		if (c->copied > 0 && whole == c->whole && exponent <= c->exponent && exponent + NEAR >= c->exponent)
			return;
#ifndef KNNG_PLANT_STALE /* what the tests must find: copies that are of another scale, or around another centre */
		c->copied = 0;
#endif
		c->exponent = knng_centre(c->x.u, c->x.count, w->plan->x.d, w->plan->ld, largest, knng_reach(w->plan),
					  &integers, c->centre);
		c->whole = integers;
		c->exact = integers && w->plan->metric->sum == KNNG_SUM_MINUS;
	}
	c->scale = ldexp(1, -c->exponent);
	c->sigma = c->kind == KNNG_TILE_PRODUCT ? 2 * c->exponent + 1 : c->exponent;
}

/* Rows that a job copies: whole micro-panels. */
static int64_t
copy_rows(int64_t d)
{
	int64_t panels = ((int64_t)1 << 22) / MICRO_PANEL / (d > 0 ? d : 1);
	return MICRO_PANEL * (panels > 16 ? 16 : panels < 1 ? 1 : panels);
}

double
knng_cpu_eps(const knng_search *w, const knng_measure *m)
{
	const knng_cpu *c = w->state;
	int64_t d = w->plan->x.d;
	double slices = (double)knng_slices(d), dd = (double)d;
	double acc = c->kind == KNNG_TILE_LINF ? 0x1p-23 : knng_gamma(ceil(dd / slices) + slices, 0x1p-24);
	const double up = 1 + 0x1p-20;
	double r = m->residual * up + dd * 0x1p-500, norm = m->norm * up + dd * 0x1p-500;
	return c->kind == KNNG_TILE_PRODUCT ? knng_eps32(d, m->half, norm, r + 0x1p-51 * sqrt(2 * m->half), acc)
					    : knng_eps32_differences(d, norm, r + 0x1p-51 * (r + norm), acc);
}

/* Rows that are copied, from a micro-panel on. */
typedef struct {
	knng_cpu_operand *operand;
	int64_t first;
} copying;

/* The low-precision copies, their h and eps. */
static knng_status
copy_job(knng_search *w, int worker, int64_t job, void *context, knng_err *err)
{
	(void)worker, (void)err;
	const copying *rows = context;
	knng_cpu *c = w->state;
	knng_cpu_operand *s = rows->operand;
	int64_t d = w->plan->x.d;
	knng_part part = knng_part_of(job, copy_rows(d), knng_up_to_panels(s->count) - rows->first);
	part.first += rows->first;
	part.end += rows->first;
	for (int64_t i = part.first; i < part.end; i++) {
		float *to = knng_copy_of(c, s->copy, i, d);
		int64_t stride = c->blas ? 1 : MICRO_PANEL;
		if (i >= s->count) {
			for (int64_t l = 0; l < d; l++)
				to[l * stride] = 0;
			continue;
		}
		knng_measure m = c->kernels->copy(c->kind, s->u + i * w->plan->ld,
						  w->plan->metric->prep == KNNG_PREP_NONE ? c->centre : NULL, c->scale,
						  d, to, stride);
		s->half[i] = m.half;
		s->eps[i] = knng_cpu_eps(w, &m);
		s->base[i] = knng_round_down(m.half - s->eps[i]);
		s->slack[i] = knng_round_up(knng_slack32(m.half, s->eps[i]));
	}
	return KNNG_OK;
}

/* Small integers, (7.7), leave nothing to bound: the scores are exact. */
static void
drop_bounds(knng_cpu *c)
{
	knng_cpu_operand *operands[] = {&c->x, c->query};
	for (int t = 0; t < 2; t++)
		for (int64_t i = 0; i < operands[t]->count; i++)
			c->exact = c->exact && operands[t]->half[i] < 0x1p21;
	for (int t = 0; c->exact && t < 2; t++)
		for (int64_t i = 0; i < operands[t]->count; i++) {
			operands[t]->eps[i] = 0;
			operands[t]->slack[i] = 0;
			operands[t]->base[i] = (float)operands[t]->half[i];
		}
}

/* The copies of the points from this one on. */
static knng_status
copy_from(knng_search *w, knng_cpu_operand *operand, int64_t first, knng_err *err)
{
	copying rows = {operand, first / MICRO_PANEL * MICRO_PANEL};
	int64_t count = knng_up_to_panels(operand->count) - rows.first;
	return knng_parallel(w, w->plan->threads, knng_parts(copy_rows(w->plan->x.d), count), copy_job, &rows, err);
}

knng_status
knng_cpu_copy(knng_search *w, knng_err *err)
{
	knng_cpu *c = w->state;
	bool exact = c->exact;
	int64_t copied = c->copied;
	c->copied = 0; /* whatever is left, if this ends before its time */
	knng_status status = copied < c->x.count ? copy_from(w, &c->x, copied, err) : KNNG_OK;
	if (status == KNNG_OK && c->query != &c->x)
		status = copy_from(w, c->query, 0, err);
	if (status != KNNG_OK)
		return status;
	drop_bounds(c);
	if (exact && !c->exact && copied > 0) /* the bounds of those were dropped before */
		status = copy_from(w, &c->x, 0, err);
	if (status == KNNG_OK)
		c->copied = w->plan->opt.split > 0 ? w->split : c->x.count;
	return status;
}
