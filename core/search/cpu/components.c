/* components.c  Axes from a sample of the rows, and short rows along them. */
#include "search/cpu/components.h"
#include "base/sys.h"
#include "search/cpu/blas.h"

enum {
	COMPONENTS = 63, /* with the length of the rest 64 columns */
	SAMPLE = 256,    /* rows that the axes are made of */
	OTHERS = 128,    /* and those that show whether they are good for others */
	ROUNDS = 8,      /* of the iteration that finds them */
	ROWS = 64,       /* that are made short together */
	ROWS_A_JOB = 1024,
	MOST_PATIENCE = 8, /* a tile that is tried in vain costs a tenth of one more */
};

/* As many independent directions have rows at most that components are made of; and this part of the pairs may be left
 * over by them. */
static const double most_directions = 32, most_left = 0.1;

/* ---------------------------------------------------------------- memory */

static double
short_bytes(int64_t rows)
{
	return (double)knng_up_to_panels(rows) * (COMPONENTS + 1) * 4 + (double)rows * (4 + 8) + 256;
}

double
knng_components_bytes(const knng_plan *plan, int threads)
{
	double d = (double)plan->x.d;
	double sample = (SAMPLE + OTHERS) * d * 8 + (SAMPLE + 2. * COMPONENTS) * SAMPLE * 8 + OTHERS * OTHERS * 8;
	double jobs = threads * (ROWS * (d + COMPONENTS) * 8 + 256);
	return short_bytes(plan->x.n) + (plan->y.data == NULL ? 0 : short_bytes(plan->y.n)) + COMPONENTS * d * 8 +
	       (sample > jobs ? sample : jobs) + 4096;
}

static bool
open_short(knng_short_rows *s, int64_t rows)
{
	s->copy = knng_calloc(knng_up_to_panels(rows) * (COMPONENTS + 1), sizeof *s->copy);
	s->base = knng_alloc(rows, sizeof *s->base);
	s->eps = knng_alloc(rows, sizeof *s->eps);
	return s->copy != NULL && s->base != NULL && s->eps != NULL;
}

static void
close_short(knng_short_rows *s)
{
	knng_free(s->copy);
	knng_free(s->base);
	knng_free(s->eps);
}

void
knng_components_free(knng_components *p)
{
	if (p == NULL)
		return;
	close_short(&p->x);
	close_short(&p->y);
	knng_free(p->axes);
	knng_free(p);
}

/* ---------------------------------------------------------------- axes */

/* What the axes are made from. */
typedef struct {
	int64_t d;
	double *y, *others;         /* [SAMPLE * d] [OTHERS * d] rows of the samples, less their mean */
	double *gram, *others_gram; /* [SAMPLE * SAMPLE] [OTHERS * OTHERS] their products */
	double *v, *to;             /* [COMPONENTS * SAMPLE] eigenvectors of gram, more and more */
} sample;

static bool
open_sample(sample *s, int64_t d)
{
	s->d = d;
	s->y = knng_alloc(SAMPLE * d, sizeof *s->y);
	s->others = knng_alloc(OTHERS * d, sizeof *s->others);
	s->gram = knng_alloc(SAMPLE * SAMPLE, sizeof *s->gram);
	s->others_gram = knng_alloc(OTHERS * OTHERS, sizeof *s->others_gram);
	s->v = knng_alloc(COMPONENTS * SAMPLE, sizeof *s->v);
	s->to = knng_alloc(COMPONENTS * SAMPLE, sizeof *s->to);
	return s->y != NULL && s->others != NULL && s->gram != NULL && s->others_gram != NULL && s->v != NULL &&
	       s->to != NULL;
}

static void
close_sample(sample *s)
{
	knng_free(s->y);
	knng_free(s->others);
	knng_free(s->gram);
	knng_free(s->others_gram);
	knng_free(s->v);
	knng_free(s->to);
}

/* Row i of the reference points as its copy is made from. */
static void
take_row(const knng_search *w, const knng_cpu_operand *operand, int64_t i, double *y)
{
	const knng_cpu *c = w->state;
	bool centred = w->plan->metric->prep == KNNG_PREP_NONE;
	for (int64_t l = 0; l < w->plan->x.d; l++)
		y[l] = operand->u[i * w->plan->ld + l] * c->scale - (centred ? c->centre[l] : 0);
}

/* `count` of the points, evenly, without their mean, and their products. Of two counts of which one is twice the other
 * no point is the same, but for those of few. */
static knng_status
take_sample(knng_search *w, double *y, double *gram, int64_t count, knng_err *err)
{
	enum { TOGETHER = 16 };
	const knng_cpu *c = w->state;
	int64_t d = w->plan->x.d;
	knng_status status = KNNG_OK;
	for (int64_t i = 0; i < count; i++)
		take_row(w, &c->x, (2 * i + 1) * c->x.count / (2 * count), y + i * d);
	for (int64_t l = 0; l < d; l++) {
		double mean = 0;
		for (int64_t i = 0; i < count; i++)
			mean += y[i * d + l] / (double)count;
		for (int64_t i = 0; i < count; i++)
			y[i * d + l] -= mean;
	}
	for (int64_t i = 0; i < count && status == KNNG_OK; i += TOGETHER) {
		c->kernels->tile64(y + i * d, y, d, TOGETHER, count, gram + i * count, count);
		status = knng_task_poll(&w->task, err);
	}
	return status;
}

/* In how many directions, about, the rows of the sample differ: (sum of eigenvalues)^2 over the sum of their squares.
 * Rows that are alike are 0 apart. */
static double
directions(const double *gram, int64_t count)
{
	double trace = 0, squares = 0;
	for (int64_t i = 0; i < count * count; i++)
		squares += gram[i] * gram[i];
	for (int64_t i = 0; i < count; i++)
		trace += gram[i * count + i];
	return trace > 0 ? trace * trace / squares : INFINITY;
}

/* Makes rows of n numbers orthonormal, by what is left of each beside those before it, taken off twice. One of which
 * nothing is left becomes 0: rows may differ in fewer directions. */
static knng_status
make_orthonormal(knng_search *w, double *rows, int64_t count, int64_t n, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int64_t a = 0; a < count && status == KNNG_OK; a++) {
		double *x = rows + a * n, before = 0, norm = 0;
		for (int64_t l = 0; l < n; l++)
			before += x[l] * x[l];
		for (int64_t b = 0; b < 2 * a; b++) {
			const double *y = rows + b % a * n;
			double product = 0;
			for (int64_t l = 0; l < n; l++)
				product += x[l] * y[l];
			for (int64_t l = 0; l < n; l++)
				x[l] -= product * y[l];
		}
		for (int64_t l = 0; l < n; l++)
			norm += x[l] * x[l];
		norm = norm > 0x1p-66 * before ? 1 / sqrt(norm) : 0;
		for (int64_t l = 0; l < n; l++)
			x[l] *= norm;
		status = knng_task_poll(&w->task, err);
	}
	return status;
}

/* The eigenvectors of the products with the largest eigenvalues, roughly, by multiplying some rows with them again and
 * again. Any rows will do for a start; these are the same every time. */
static knng_status
iterate(knng_search *w, sample *s, knng_err *err)
{
	const knng_cpu *c = w->state;
	uint32_t random = 1;
	knng_status status = KNNG_OK;
	for (int64_t i = 0; i < COMPONENTS * SAMPLE; i++) {
		random = random * 1664525 + 1013904223;
		s->v[i] = (double)random * 0x1p-32 - 0.5;
	}
	for (int round = 0; round < ROUNDS && status == KNNG_OK; round++) {
		c->kernels->tile64(s->v, s->gram, SAMPLE, COMPONENTS, SAMPLE, s->to, SAMPLE);
		double *old = s->v;
		s->v = s->to;
		s->to = old;
		status = make_orthonormal(w, s->v, COMPONENTS, SAMPLE, err);
	}
	return status;
}

/* The axes: those combinations of the rows. */
static knng_status
make_axes(knng_search *w, const sample *s, knng_components *p, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int64_t a = 0; a < COMPONENTS && status == KNNG_OK; a++) {
		double *axis = p->axes + a * s->d;
		memset(axis, 0, (size_t)s->d * sizeof *axis);
		for (int64_t i = 0; i < SAMPLE; i++) {
			double part = s->v[a * SAMPLE + i];
			const double *y = s->y + i * s->d;
			for (int64_t l = 0; l < s->d; l++)
				axis[l] += part * y[l];
		}
		status = knng_task_poll(&w->task, err);
	}
	return status == KNNG_OK ? make_orthonormal(w, p->axes, COMPONENTS, s->d, err) : status;
}

/* What the axes, but for those of zeros, lack to be orthonormal: |RR' - I|, and what its computation may have lost. */
static double
defect_of(const knng_kernels *kernels, const knng_components *p, double *products)
{
	double sum = 0;
	kernels->tile64(p->axes, p->axes, p->d, COMPONENTS, COMPONENTS, products, COMPONENTS);
	for (int64_t i = 0; i < COMPONENTS * COMPONENTS; i++) {
		double off = products[i] - (i % (COMPONENTS + 1) == 0 && products[i] != 0);
		sum += off * off;
	}
	return 1.01 * (sqrt(sum) + COMPONENTS * knng_gamma((double)p->d + 2, 0x1p-53));
}

/* Which part of the other sample's pairs the axes leave over, on average: those that may be no farther apart than the
 * neighbour that has as many nearer ones in the sample as the last one sought has among all rows, or the nearest. */
static double
left_over(const knng_search *w, const sample *s, const knng_components *p)
{
	const knng_cpu *c = w->state;
	double *along = s->to, whole[OTHERS], shorter[OTHERS], rest[OTHERS], left = 0;
	int64_t rank = w->k * (OTHERS - 1) / c->x.count;
	uint64_t keys[OTHERS];
	c->kernels->tile64(s->others, p->axes, s->d, OTHERS, COMPONENTS, along, COMPONENTS);
	for (int64_t i = 0; i < OTHERS; i++) {
		double sum = 0;
		for (int64_t a = 0; a < COMPONENTS; a++)
			sum += along[i * COMPONENTS + a] * along[i * COMPONENTS + a];
		whole[i] = s->others_gram[i * OTHERS + i];
		rest[i] = sqrt(fmax(whole[i] - sum, 0));
	}
	for (int64_t i = 0; i < OTHERS; i++) {
		const double *products = s->others_gram + i * OTHERS;
		c->kernels->tile64(along + i * COMPONENTS, along, COMPONENTS, 1, OTHERS, shorter, OTHERS);
		for (int64_t j = 0; j < OTHERS; j++)
			keys[j] = knng_key(j == i ? -INFINITY : (float)(products[j] - whole[j] / 2), (int32_t)j);
		knng_nth(keys, OTHERS, rank + 1);
		int32_t last = knng_key_column(keys[rank]);
		double least = products[last] - whole[last] / 2;
		for (int64_t j = 0; j < OTHERS; j++)
			left += j != i && shorter[j] + rest[i] * rest[j] - whole[j] / 2 >= least;
	}
	return left / OTHERS / (OTHERS - 1);
}

/* Whether there are axes that tell rows apart; and makes them. */
static knng_status
find_axes(knng_search *w, sample *s, knng_components *p, bool *gains, knng_err *err)
{
	const knng_cpu *c = w->state;
	bool asked = w->plan->opt.components == KNNG_PRUNE_ON;
	knng_status status = take_sample(w, s->others, s->others_gram, OTHERS, err);
	*gains = false;
	if (status != KNNG_OK || (!asked && directions(s->others_gram, OTHERS) > most_directions))
		return status;
	if ((status = take_sample(w, s->y, s->gram, SAMPLE, err)) != KNNG_OK ||
	    (status = iterate(w, s, err)) != KNNG_OK || (status = make_axes(w, s, p, err)) != KNNG_OK)
		return status;
	p->defect = defect_of(c->kernels, p, s->to);
	*gains = p->defect < 0x1p-30 && (asked || left_over(w, s, p) < most_left);
	return status;
}

knng_status
knng_components_try(knng_search *w, knng_components **to, knng_err *err)
{
	const knng_plan *plan = w->plan;
	const knng_cpu *c = w->state;
	int64_t d = plan->x.d;
	sample s = {0};
	bool fine = true, gains = false;
	knng_status status = KNNG_OK;
	if (!plan->shortens || *to != NULL || c->x.count < 2)
		return KNNG_OK;
	knng_components *p = knng_calloc(1, sizeof *p);
	if (p != NULL) {
		p->count = COMPONENTS;
		p->d = d;
		p->query = c->query == &c->x ? &p->x : &p->y;
		p->axes = knng_alloc(COMPONENTS * d, sizeof *p->axes);
	}
	fine = p != NULL && p->axes != NULL && open_sample(&s, d);
	if (fine)
		status = find_axes(w, &s, p, &gains, err);
	close_sample(&s);
	if (gains)
		fine = open_short(&p->x, c->x.count) && (p->query == &p->x || open_short(&p->y, c->query->count));
	if (!fine || !gains) {
		knng_components_free(p);
		p = NULL;
	}
	*to = p;
	w->info->components = p != NULL ? p->count : 0;
	return fine ? status : knng_fail_memory(err, "the components of the rows", knng_components_bytes(plan, 1));
}

/* ---------------------------------------------------------------- short rows */

/* A row's components, and the length of the rest, from the former; with the bound of its scores. */
static void
make_short(const knng_search *w, const knng_components *p, const knng_cpu_operand *operand, knng_short_rows *to,
	   int64_t i, const double *along)
{
	const knng_cpu *c = w->state;
	int64_t columns = p->count + 1;
	double z[COMPONENTS + 1], half = operand->half[i], squared = 2 * half, norm = sqrt(squared), sum = 0;
	double lost = knng_components_error(p->d, p->count, p->defect), beta = 0x1p-21;
	for (int64_t a = 0; a < p->count; a++) {
		z[a] = along[a];
		sum += along[a] * along[a];
	}
	z[p->count] = squared > sum ? sqrt(squared - sum) : 0;
	knng_measure m = c->kernels->copy(KNNG_TILE_PRODUCT, z, NULL, 1, columns, knng_copy_of(c, to->copy, i, columns),
					  c->blas ? 1 : MICRO_PANEL);
	double residual = (m.residual + (lost + sqrt(knng_rest_error(p->d, lost))) * norm) * (1 + 0x1p-20) +
			  (double)p->d * 0x1p-500;
	double copied = m.norm * (1 + 0x1p-20) + (double)p->d * 0x1p-500;
	double eps = knng_eps_single(p->d, half, copied, residual, knng_gamma((double)columns + 1, 0x1p-24), beta);
#ifdef KNNG_PLANT_COMPONENTS /* what the tests must find */
	eps = -eps;
#endif
	to->eps[i] = eps;
	to->base[i] = knng_round_down(half - eps);
}

typedef struct {
	const knng_components *p;
	const knng_cpu_operand *operand;
	knng_short_rows *to;
} shortening;

static knng_status
short_job(knng_search *w, int worker, int64_t job, void *context, knng_err *err)
{
	(void)worker;
	const shortening *s = context;
	const knng_cpu *c = w->state;
	const knng_components *p = s->p;
	knng_part part = knng_part_of(job, ROWS_A_JOB, s->operand->count);
	double *y = knng_alloc(ROWS * p->d, sizeof *y), *along = knng_alloc(ROWS * COMPONENTS, sizeof *along);
	bool fine = y != NULL && along != NULL;
	knng_status status = KNNG_OK;
	for (int64_t first = part.first, some; fine && status == KNNG_OK && first < part.end; first += some) {
		some = part.end - first < ROWS ? part.end - first : (int64_t)ROWS;
		for (int64_t i = 0; i < some; i++)
			take_row(w, s->operand, first + i, y + i * p->d);
		(c->blas ? knng_blas_tile64 : c->kernels->tile64)(y, p->axes, p->d, some, COMPONENTS, along,
								  COMPONENTS);
		for (int64_t i = 0; i < some; i++)
			make_short(w, p, s->operand, s->to, first + i, along + i * COMPONENTS);
		status = knng_task_poll(&w->task, err);
	}
	knng_free(y);
	knng_free(along);
	return fine ? status : knng_fail_memory(err, "the components of some rows", (double)ROWS * (double)p->d * 8);
}

static knng_status
shorten(knng_search *w, const knng_components *p, const knng_cpu_operand *operand, knng_short_rows *to, knng_err *err)
{
	shortening s = {p, operand, to};
	return knng_parallel(w, w->plan->threads, knng_parts(ROWS_A_JOB, operand->count), short_job, &s, err);
}

knng_status
knng_components_copy(knng_search *w, knng_components *p, knng_err *err)
{
	knng_cpu *c = w->state;
	knng_status status = shorten(w, p, &c->x, &p->x, err);
	return status == KNNG_OK && p->query != &p->x ? shorten(w, p, c->query, p->query, err) : status;
}

/* ---------------------------------------------------------------- which tiles */

bool
knng_components_turn(knng_components *p)
{
	return atomic_load(&p->waiting) <= 0 || atomic_fetch_sub(&p->waiting, 1) <= 0;
}

void
knng_components_note(knng_components *p, bool served)
{
	int patience = atomic_load(&p->patience);
	patience = served ? 0 : patience < MOST_PATIENCE ? patience + 1 : patience;
	atomic_store(&p->patience, patience);
	atomic_store(&p->waiting, patience);
}
