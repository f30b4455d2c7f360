/* test_bounds.c  The lemmas that docs/canonical.md rests on, with numbers: canonical sums, wide and radius_of, tile
 * values and scores of the filter, thresholds, each against 113-bit arithmetic, on rows chosen to make rounding worst.
 */
#include "knng.h"
#include "search/bounds.h"
#include "search/centre.h"
#include "search/cpu/blas.h"
#include "search/cpu/gap_copies.h"
#include "search/cpu/kernels.h"
#include "testing.h"

#include <float.h>

#if defined(__SIZEOF_FLOAT128__)
typedef __float128 real;
#else
typedef long double real;
#endif

static const real eta = 0x1p-1074, rho = 0x1p-53;

static real
magnitude(real x)
{
	return x < 0 ? -x : x;
}

/* How much of a bound an error takes: the largest seen. 1 is all of it; near 0 the test would say nothing. */
static void
note(double *worst, real error, real bound)
{
	if (bound > 0 && error / bound > *worst)
		*worst = (double)(error / bound);
}

static const int64_t some_columns[] = {1, 2, 7, 8, 9, 16, 33, 64, 100, 513, 1000, 5000};
enum { SOME_COLUMNS = sizeof some_columns / sizeof *some_columns };

/* ---------------------------------------------------------------- Lemmas 1 and 2 */

/* The real sum of section 3. */
static real
true_sum(knng_sum sum, const double *u, const double *v, int64_t d)
{
	real minus = 0, plus = 0, most = 0, size = 0;
	for (int64_t l = 0; l < d; l++) {
		real t = (real)u[l] - v[l], p = (real)u[l] + v[l];
		minus += t * t;
		plus += p * p;
		size += magnitude(t);
		most = magnitude(t) > most ? magnitude(t) : most;
	}
	switch (sum) {
	case KNNG_SUM_PLUS:
		return plus;
	case KNNG_SUM_EITHER:
		return plus < minus ? plus : minus;
	case KNNG_SUM_L1:
		return size;
	case KNNG_SUM_LINF:
		return most;
	default:
		return minus;
	}
}

static double
ulps(double x, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		x = nextafter(x, INFINITY);
	return x;
}

/* A pair of rows of a kind. */
enum { NORMAL, NEAR, CANCELLING, WIDE, TINY, SUBNORMAL, ABSORBED, INTEGERS, PAIRS };

static void
make_pair(int kind, int64_t d, double *u, double *v)
{
	for (int64_t l = 0; l < d; l++) {
		double x = random_normal(), y = random_normal();
		int e = (int)random_below(1000) - 500;
		switch (kind) {
		case NEAR:
			y = ulps(x, random_below(4));
			break;
		case CANCELLING: /* the same size, any sign: one of u - v and u + v vanishes */
			x = l % 2 ? 0x1.fffffffffffffp0 : -0x1.fffffffffffffp0;
			y = random_below(2) ? x : -x;
			break;
		case WIDE:
			x = ldexp(x, e);
			y = ldexp(y, random_below(2) ? e : (int)random_below(1000) - 500);
			break;
		case TINY: /* squares among the subnormals */
			x = ldexp(x, -537);
			y = ldexp(y, -537);
			break;
		case SUBNORMAL:
			x = ldexp((double)random_below(1000), -1074);
			y = ldexp((double)random_below(1000), -1074);
			break;
		case ABSORBED: /* after the first eight, every term is half an ulp of its sum, less a little */
			x = l < 8 ? 1 : 0x1.fffp-28;
			y = 0;
			break;
		case INTEGERS:
			x = (double)random_below(2000) - 1000;
			y = (double)random_below(2000) - 1000;
			break;
		default:
			break;
		}
		u[l] = x;
		v[l] = y;
	}
}

static void
test_lemma_1(void)
{
	const knng_kernels *kernels = knng_kernels_find(NULL);
	double worst = 0;
	for (int kind = 0; kind < PAIRS; kind++)
		for (int sum = KNNG_SUM_MINUS; sum <= KNNG_SUM_LINF; sum++) {
			bool lemma1 = true, lemma2 = true;
			for (int c = 0; c < SOME_COLUMNS; c++)
				for (int again = 0; again < (some_columns[c] < 600 ? 12 : 2); again++) {
					int64_t d = some_columns[c], ld = up(d, 8);
					double *u = room(2 * ld, sizeof *u), *v = u + ld, computed;
					int32_t zero = 0;
					memset(u, 0, (size_t)(2 * ld) * sizeof *u);
					make_pair(kind, d, u, v);
					kernels->sums((knng_sum)sum, u, v, ld, &zero, 1, &computed);
					real exact = true_sum((knng_sum)sum, u, v, d);
					real gamma = ((real)d / 8 + 8) * rho * (1 + (real)0x1p-20);
					real bound = gamma * exact + (real)d * eta;
					lemma1 = lemma1 && isfinite(computed) && magnitude(computed - exact) <= bound;
					note(&worst, magnitude(computed - exact), bound);
					for (const knng_metric *m = knng_metrics; m->name != NULL; m++)
						lemma2 = lemma2 && (m->sum != (knng_sum)sum ||
								    exact <= knng_radius_of(m->map, d,
											    knng_map_sum(m, computed)));
					free(u);
				}
			CHECK(lemma1, "Lemma 1, rows of kind %d, sum %d", kind, sum);
			CHECK(lemma2, "Lemma 2 (a), rows of kind %d, sum %d", kind, sum);
		}
	CHECK(worst > 0.4 && worst <= 1, "the worst takes %.3f of the bound of Lemma 1", worst);
}

/* The smallest double that is not below x. */
static double
not_below(real x)
{
	double f = (double)x;
	return f < x ? nextafter(f, INFINITY) : f;
}

/* Many rows at almost the same distance: whatever compares as near is within radius_of and within wide. */
static void
test_lemma_2(void)
{
	enum { ROWS = 12 };
	const knng_kernels *kernels = knng_kernels_find(NULL);
	for (const knng_metric *m = knng_metrics; m->name != NULL; m++) {
		bool a = true, b = true;
		int ties = 0;
		for (int c = 0; c < SOME_COLUMNS; c++)
			for (int kind = 0; kind < PAIRS; kind++) {
				int64_t d = some_columns[c], ld = up(d, 8);
				if (d > 2000 && kind % 3)
					continue;
				double *u = room((ROWS + 1) * ld, sizeof *u), *rows = u + ld, finished[ROWS];
				real exact[ROWS];
				int32_t j[ROWS];
				double sums[ROWS];
				memset(u, 0, (size_t)((ROWS + 1) * ld) * sizeof *u);
				make_pair(kind, d, u, rows);
				for (int r = 0; r < ROWS; r++) {
					j[r] = r;
					for (int64_t l = 0; r > 0 && l < d; l++)
						rows[r * ld + l] =
							random_below(3) ? rows[l] : ulps(rows[l], random_below(3));
				}
				kernels->sums(m->sum, u, rows, ld, j, ROWS, sums);
				for (int r = 0; r < ROWS; r++) {
					finished[r] = knng_map_sum(m, sums[r]);
					exact[r] = true_sum(m->sum, u, rows + r * ld, d);
				}
				for (int p = 0; p < ROWS; p++)
					for (int q = 0; q < ROWS; q++) {
						if (!(finished[q] <= finished[p]))
							continue;
						a = a && exact[q] <= knng_radius_of(m->map, d, finished[p]);
						b = b && exact[q] <= knng_wide(d, not_below(exact[p]));
						ties += finished[p] == finished[q] && exact[q] > exact[p];
					}
				free(u);
			}
		CHECK(a, "Lemma 2 (a), %s", m->name);
		CHECK(b, "Lemma 2 (b), %s", m->name);
		CHECK(ties > 0, "%s: ties of different real sums were met", m->name);
	}
}

static void
test_wide_and_radius(void)
{
	static const int64_t columns[] = {1, 2, 8, 100, 5000, 1 << 20, 1 << 30};
	const knng_metric *root = knng_metric_find("euclidean");
	for (int c = 0; c < 7; c++) {
		int64_t d = columns[c];
		/* The factor and the term that the lemma's proof needs, and eight roundings of their computation. */
		real gamma = ((real)d / 8 + 8) * rho * (1 + (real)0x1p-20);
		real factor = (1 + gamma) * (1 + 4 * rho) / (1 - gamma) * (1 + 8 * rho);
		real term = ((real)d * (2 + gamma) + 3) * eta / (1 - gamma) * (1 + 8 * rho);
		CHECK((real)knng_wide(d, 0x1p100) >= 0x1p100 * factor, "factor, d = %lld", (long long)d);
		CHECK((real)knng_wide(d, 0) >= term, "term, d = %lld", (long long)d);
		CHECK(knng_wide(d, 1) <= 1 + (double)d * 0x1p-52 + 0x1p-44, "wide is not too wide");
		CHECK(isinf(knng_wide(d, INFINITY)) && isinf(knng_wide(d, DBL_MAX)), "infinity is within all reach");

		bool monotone = true, grows = true, roots = true;
		int merged = 0;
		for (int t = 0; t < 20000; t++) {
			double x = ldexp(1 + random_unit(), (int)random_below(2000) - 1060);
			double y = t % 2 ? nextafter(x, INFINITY) : x * (1 + random_unit());
			monotone = monotone && knng_wide(d, x) <= knng_wide(d, y);
			grows = grows && knng_wide(d, x) > x && (t % 2 == 0 || knng_wide(d, x) >= y);
			for (const knng_metric *m = knng_metrics; m->name != NULL; m++)
				monotone = monotone && knng_radius_of(m->map, d, x) <= knng_radius_of(m->map, d, y);
			/* All sums whose root is that of x are within its reach. */
			for (double z = x; sqrt(z) == sqrt(x) && z < DBL_MAX; z = nextafter(z, INFINITY)) {
				roots = roots && z <= knng_radius_of(root->map, d, sqrt(x)) && z <= knng_wide(d, x);
				merged += z != x;
			}
		}
		CHECK(monotone, "monotone, d = %lld", (long long)d);
		CHECK(grows, "more than it is given, d = %lld", (long long)d);
		CHECK(roots && merged > 1000, "%d squares with one root, d = %lld", merged, (long long)d);
	}
	for (const knng_metric *m = knng_metrics; m->name != NULL; m++) {
		CHECK(isinf(knng_radius_of(m->map, 10, INFINITY)), "%s: infinity reaches everything", m->name);
		CHECK(knng_radius_of(m->map, 10, 0) > 0, "%s: 0 reaches what underflows", m->name);
		CHECK(knng_radius_of(m->map, 10, 1) >= (m->map == KNNG_MAP_HALF ? 2 : 1), "%s: unmapped", m->name);
	}
	for (double m = 1; m < 0x1p23; m = 1.7 * m + 1) {
		real exact = (real)m * (real)0x1p-24 / (1 - (real)m * (real)0x1p-24);
		CHECK(m * 0x1p-24 >= 0.25 ? knng_gamma(m, 0x1p-24) >= 1e30 : (real)knng_gamma(m, 0x1p-24) >= exact,
		      "gamma of %g", m);
	}
}

/* ---------------------------------------------------------------- the filter */

enum { N = 22, SLICE = 512 };

/* N rows of a kind. */
enum { PLAIN, OFFSET, CLUSTERS, HALFWAY, SIGNS, TWINS, SCALES, FAR, LITTLE, LARGE, WHOLE, MATRICES };

static void
make_rows(int kind, int64_t d, int64_t ld, double *u)
{
	memset(u, 0, (size_t)(N * ld) * sizeof *u);
	for (int64_t i = 0; i < N; i++)
		for (int64_t l = 0; l < d; l++) {
			double x = random_normal(), *to = u + i * ld + l;
			switch (kind) {
			case OFFSET:
				x = 1e4 + x;
				break;
			case CLUSTERS:
				x = (i % 2 ? 1e6 : -1e6) + x;
				break;
			case HALFWAY: /* between two singles, always on the same side of the rounded one */
				x = (1 + 0x1p-23 + 0x1.fffp-25) * (i % 2 ? 1 : -1);
				break;
			case SIGNS: /* products cancel, their sizes do not */
				x = (1 + ldexp(random_unit(), -20)) * ((l / (1 + i)) % 2 ? 1 : -1);
				break;
			case TWINS:
				x = i % 2 ? u[(i - 1) * ld + l] * (1 + ldexp(random_unit(), -(int)(20 + i))) : x;
				break;
			case SCALES:
				x = ldexp(x, -(int)(7 * i) - (int)random_below(20));
				break;
			case FAR:
				x = i == 5 ? 1e30 * x : x;
				break;
			case LITTLE:
				x = ldexp(x, -1060);
				break;
			case LARGE:
				x = ldexp(x, 1018);
				break;
			case WHOLE:
				x = nearbyint(100 * x);
				break;
			default:
				break;
			}
			*to = x;
		}
}

typedef struct {
	knng_tile_kind kind;
	int64_t d, ld;
	double scale;
	int sigma;
	double *u, *centre;
	real *y, h[N]; /* the rows of the filter and their half squares, as real numbers */
	double residual[N], norm[N], half[N], eps[N], acc;
	float *copy, *panels, base[N], slack[N];
} filter;

static float
round_down(double x)
{
	float f = (float)x;
	return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

/* Copies, h and eps of the rows, by (6.4) and (6.7) with the roundings of their computation. */
static void
open_filter(filter *f, const knng_kernels *kernels, knng_tile_kind kind, int64_t d, int rows)
{
	double largest = 0, dd = (double)d, top = 1 + 0x1p-20;
	bool integers = true;
	f->kind = kind;
	f->d = d;
	f->ld = up(d, 8);
	f->u = room(N * f->ld, sizeof *f->u);
	f->centre = room(f->ld, sizeof *f->centre);
	f->y = room(N * d, sizeof *f->y);
	f->copy = room(N * d, sizeof *f->copy);
	f->panels = room(up(N, MICRO_PANEL) * d, sizeof *f->panels);
	memset(f->panels, 0, (size_t)(up(N, MICRO_PANEL) * d) * sizeof *f->panels);
	make_rows(rows, d, f->ld, f->u);
	for (int64_t i = 0; i < N; i++)
		kernels->extent(f->u + i * f->ld, d, &largest, &integers);
	int exponent = knng_centre(f->u, N, d, f->ld, largest, INFINITY, &integers, f->centre);
	f->scale = ldexp(1, -exponent);
	f->sigma = kind == KNNG_TILE_PRODUCT ? 2 * exponent + 1 : exponent;
	int64_t slices = (d + SLICE - 1) / SLICE;
	f->acc = kind == KNNG_TILE_LINF ? 0x1p-23 : knng_gamma(ceil(dd / (double)slices) + (double)slices, 0x1p-24);
	for (int64_t i = 0; i < N; i++) {
		const double *u = f->u + i * f->ld;
		knng_measure m = kernels->copy(kind, u, f->centre, f->scale, d, f->copy + i * d, 1);
		kernels->copy(kind, u, f->centre, f->scale, d,
			      f->panels + i / MICRO_PANEL * MICRO_PANEL * d + i % MICRO_PANEL, MICRO_PANEL);
		double r = m.residual * top + dd * 0x1p-500, norm = m.norm * top + dd * 0x1p-500;
		f->h[i] = 0;
		for (int64_t l = 0; l < d; l++) {
			real y = (real)u[l] * f->scale - f->centre[l];
			f->y[i * d + l] = y;
			f->h[i] += kind == KNNG_TILE_PRODUCT ? y * y / 2 : 0;
		}
		r += 0x1p-51 * (kind == KNNG_TILE_PRODUCT ? sqrt(2 * m.half) : r + norm);
		f->eps[i] = kind == KNNG_TILE_PRODUCT ? knng_eps32(d, m.half, norm, r, f->acc)
						      : knng_eps32_differences(d, norm, r, f->acc);
		f->residual[i] = r;
		f->norm[i] = norm;
		f->half[i] = m.half;
		f->base[i] = round_down(m.half - f->eps[i]);
		f->slack[i] = -round_down(-knng_slack32(m.half, f->eps[i]));
	}
}

static void
close_filter(filter *f)
{
	free(f->u);
	free(f->centre);
	free(f->y);
	free(f->copy);
	free(f->panels);
}

/* What the tile value stands for: a product, or minus a distance. */
static real
true_value(const filter *f, int64_t i, int64_t j)
{
	real v = 0;
	const real *a = f->y + i * f->d, *b = f->y + j * f->d;
	for (int64_t l = 0; l < f->d; l++) {
		real t = magnitude(a[l] - b[l]);
		if (f->kind == KNNG_TILE_PRODUCT)
			v += a[l] * b[l];
		else if (f->kind == KNNG_TILE_L1)
			v -= t;
		else
			v = -t < v ? -t : v;
	}
	return v;
}

/* The tile as the backend makes it: slices of at most 512 columns, by the kernels or by OpenBLAS. */
static void
make_tile(const filter *f, const knng_kernels *kernels, float *v)
{
	int64_t slices = (f->d + SLICE - 1) / SLICE, slice = (f->d + slices - 1) / slices, ldv = up(N, MICRO_PANEL);
	for (int64_t l = 0; l < f->d; l += slice) {
		int64_t end = l + slice < f->d ? l + slice : f->d;
		if (kernels == NULL)
			knng_blas_tile(f->copy, f->copy, f->d, l, end, N, N, v, ldv, l > 0);
		else
			kernels->tile[f->kind](f->panels, f->panels, f->d, l, end, N, N, v, ldv, l > 0);
	}
	for (int64_t e = 0; f->kind != KNNG_TILE_PRODUCT && e < N * ldv; e++)
		v[e] = -v[e];
}

/* The tile values, (6.3), (6.7), and their scores, (6.16). value: true_value of all pairs. */
static bool
tile_is_near(const filter *f, const float *v, const real *value, double *worst)
{
	bool fine = true;
	for (int64_t i = 0; i < N; i++)
		for (int64_t j = 0; j < N; j++) {
			real s = v[i * up(N, MICRO_PANEL) + j], error = magnitude(s - value[i * N + j]), bound;
			real ri = f->residual[i], rj = f->residual[j], ni = f->norm[i], nj = f->norm[j];
			if (f->kind == KNNG_TILE_PRODUCT)
				bound = ri * nj + ni * rj + ri * rj + f->acc * ni * nj + (real)f->d * (real)0x1p-148;
			else
				bound = ri + rj + f->acc * (ni + nj) + (real)f->d * (real)0x1p-148;
			note(worst, error, bound);
			fine = fine && error <= bound && bound <= (real)f->eps[i] + f->eps[j];
			/* q* <= q + eps_i, and q* >= q - 2 eps_j - eps_i */
			real q = s - ((real)f->half[j] - f->eps[j]), truth = value[i * N + j] - f->h[j];
			fine = fine && truth <= q + f->eps[i] && truth >= q - 2 * (real)f->eps[j] - f->eps[i];
			/* In single precision, as comparing and the lists have it. */
			volatile float single = v[i * up(N, MICRO_PANEL) + j] - f->base[j];
			q = single;
			fine = fine && truth >= (real)knng_least_score((double)single, f->slack[j]) - f->eps[i];
		}
	return fine;
}

/* (6.6), the level with double products: scores less a row's offset, rounded up to single. */
static bool
tile64_is_near(const filter *f, const real *value)
{
	double *y = room(N * f->d, sizeof *y), v[N * N];
	bool fine = true;
	for (int64_t i = 0; i < N; i++)
		for (int64_t l = 0; l < f->d; l++)
			y[i * f->d + l] = f->u[i * f->ld + l] * f->scale - f->centre[l];
	knng_blas_tile64(y, y, f->d, N, N, v, N);
	for (int64_t i = 0; i < N; i++)
		for (int64_t a = 0; a < N + 3; a++) {
			/* As near to a score as an offset gets, and far from all. */
			real of_pair = a < N ? value[i * N + a] - f->h[a] : (real)f->half[i] * (a - N - 1);
			double offset = (double)of_pair, eps = knng_eps64(f->d, f->half[i], offset);
			for (int64_t j = 0; j < N; j++) {
				double slack = knng_eps64(f->d, f->half[j], 0);
				double q = v[i * N + j] - (f->half[j] - slack);
				float single = -round_down(-(q - offset));
				real truth = value[i * N + j] - f->h[j], least;
				fine = fine && truth <= (real)single + offset + eps;
				least = (real)single - 2 * slack - magnitude(single) * (real)0x1p-22 - (real)0x1p-148;
				fine = fine && truth >= least + offset - eps;
			}
		}
	free(y);
	return fine;
}

/* (7.2): whichever k columns give the threshold, what lies below it is farther than all of them. */
static bool
thresholds_hold(const filter *f, const float *v, const double *sums, const knng_metric *m, int64_t *below)
{
	bool fine = true;
	for (int64_t i = 0; i < N; i++)
		for (int64_t k = 1; k < N - 1; k += 3) {
			double p = INFINITY, worst = 0;
			int64_t start = random_below(N);
			for (int64_t a = 0, taken = 0; taken < k; a++) {
				int64_t j = (start + a) % N;
				if (j == i)
					continue;
				volatile float q = v[i * up(N, MICRO_PANEL) + j] - f->base[j];
				p = fmin(p, knng_least_score(q, f->slack[j]));
				worst = fmax(worst, knng_map_sum(m, sums[i * N + j]));
				taken++;
			}
			p -= f->eps[i];
			double radius = knng_wide(f->d, ldexp(fmax(f->half[i] - p, 0), f->sigma));
			double refined = fmin(radius, knng_radius_of(m->map, f->d, worst));
			for (int both = 0; both < 2; both++) {
				double a = knng_threshold(f->half[i], both ? refined : radius, f->sigma, f->eps[i], 0);
				float limit = a > -FLT_MAX ? round_down(a) : -FLT_MAX;
				for (int64_t j = 0; j < N; j++) {
					volatile float q = v[i * up(N, MICRO_PANEL) + j] - f->base[j];
					if (j == i || q >= limit)
						continue;
					++*below;
					fine = fine && knng_map_sum(m, sums[i * N + j]) > worst;
				}
			}
		}
	return fine;
}

static void
test_filter(void)
{
	static const int64_t columns[] = {1, 3, 16, 33, 130, 512, 513, 1400};
	static const char *const names[] = {"plain", "avx2", "avx512"};
	static const char *const metrics[] = {"euclidean", "cityblock", "chebychev"};
	double worst[KNNG_TILES] = {0};
	int64_t below[KNNG_TILES] = {0};
	int threads = knng_blas_claim();
	for (int kind = 0; kind < KNNG_TILES; kind++)
		for (int rows = 0; rows < MATRICES; rows++) {
			bool tiles = true, tiles64 = true, holds = true;
			for (int c = 0; c < 8; c++) {
				filter f;
				const knng_kernels *best = knng_kernels_find(NULL);
				const knng_metric *m = knng_metric_find(metrics[kind]);
				open_filter(&f, best, (knng_tile_kind)kind, columns[c], rows);
				real *value = room(N * N, sizeof *value);
				double *sums = room(N * N, sizeof *sums);
				float *v = room(up(N, MICRO_PANEL) * up(N, MICRO_PANEL), sizeof *v);
				int32_t j[N];
				memset(v, 0, (size_t)(up(N, MICRO_PANEL) * up(N, MICRO_PANEL)) * sizeof *v);
				for (int32_t i = 0; i < N; i++)
					j[i] = i;
				for (int64_t i = 0; i < N; i++) {
					best->sums(m->sum, f.u + i * f.ld, f.u, f.ld, j, N, sums + i * N);
					for (int64_t a = 0; a < N; a++)
						value[i * N + a] = a < i ? value[a * N + i] : true_value(&f, i, a);
				}
				for (int t = -1; t < 3; t++) {
					const knng_kernels *kernels = t < 0 ? NULL : knng_kernels_find(names[t]);
					if (kernels == NULL && (t >= 0 || kind != KNNG_TILE_PRODUCT))
						continue;
					make_tile(&f, kernels, v);
					tiles = tiles && tile_is_near(&f, v, value, &worst[kind]);
					holds = holds && thresholds_hold(&f, v, sums, m, &below[kind]);
				}
				if (kind == KNNG_TILE_PRODUCT)
					tiles64 = tiles64 && tile64_is_near(&f, value);
				free(value);
				free(sums);
				free(v);
				close_filter(&f);
			}
			CHECK(tiles, "%s: tiles of rows of kind %d", metrics[kind], rows);
			CHECK(tiles64, "%s: double tiles of rows of kind %d", metrics[kind], rows);
			CHECK(holds, "%s: thresholds, rows of kind %d", metrics[kind], rows);
		}
	knng_blas_release(threads);
	for (int kind = 0; kind < KNNG_TILES; kind++) {
		CHECK(worst[kind] > 0.3 && worst[kind] <= 1, "%s: the worst takes %.3f of the bound", metrics[kind],
		      worst[kind]);
		CHECK(below[kind] > 10000, "%s: thresholds discarded %lld pairs", metrics[kind],
		      (long long)below[kind]);
	}
}

/* (6.17): what every eps is above what is asked for, and with that (7.5), whatever the sizes of h, eps and the tile
 * value are. It is needed: with no more than what is asked for (7.5) would not hold. */
static void
test_spare(void)
{
	bool raised = true, holds = true, would_hold = true;
	for (int round = 0; round < 200000; round++) {
		double d = (double)(1 + random_below(5000)), norm = ldexp(1 + random_unit(), (int)random_below(8) - 4);
		double residual = norm * ldexp(random_unit(), -(int)random_below(40)), h = norm * norm / 2;
		double acc = ldexp(random_unit(), -(int)random_below(24)), beta = 0x1p-24, b = norm * random_unit();
		real r = residual, n = norm;
		real eps32 = (r * r / beta + beta * n * n + r * r + acc * n * n + d * (real)0x1p-148) / 2 +
			     (d + 8) * (real)0x1p-52 * h;
		real eps16 = (r * r * (1 / (real)beta + 1) + n * n * (beta + (real)acc + (real)0x1p-20)) / 2 +
			     h * ((real)0x1p-46 + (d + 8) * (real)0x1p-52);
		real eps64 =
			h * ((real)0x1p-46 + knng_gamma(d + 2, 0x1p-53) + (d + 8) * (real)0x1p-52) + b * (real)0x1p-48;
		real differences = r + (real)acc * n + d * (real)0x1p-148, spare = 1 + (real)0x1p-21;
		real grid = r + n * (real)0x1p-47;
		raised = raised && knng_eps32((int64_t)d, h, norm, residual, acc) >= spare * eps32 &&
			 knng_eps16((int64_t)d, h, norm, residual, beta, acc) >= spare * eps16 &&
			 knng_eps64((int64_t)d, h, b) >= spare * eps64 &&
			 knng_eps_grid((int64_t)d, norm, residual) >= spare * grid &&
			 knng_eps32_differences((int64_t)d, norm, residual, acc) >= spare * differences;

		/* A column whose eps is far above its h, or below; q is what its score would be, exactly. */
		h = random_below(3) == 0 ? 0 : ldexp(random_unit(), -(int)random_below(40));
		double asked = ldexp(1 + random_unit(), -(int)random_below(40)), eps = knng_raised(asked);
		float v = (float)(ldexp(random_unit(), -(int)random_below(40)) - (double)round_down(eps - h));
		for (int spared = 0; spared < 2; spared++) {
			double e = spared ? eps : asked;
			volatile float single = v - round_down(h - e);
			float slack = -round_down(-knng_slack32(h, e));
			/* What the score is at least, but for the eps of the row: as eps less what it is raised by. */
			real least = (real)v - h - asked;
			bool fine = (real)knng_least_score((double)single, slack) <= least;
			holds = holds && (fine || !spared);
			would_hold = would_hold && (fine || spared);
		}
	}
	CHECK(raised, "an eps is not raised");
	CHECK(holds, "single-precision scores with what is to spare");
	CHECK(!would_hold, "and without, which shows that this tests something");
}

/* x as a half-precision number, below overflow. */
static double
half_of(double x)
{
	int e;
	frexp(x, &e);
	double quantum = ldexp(1, e - 11 > -24 ? e - 11 : -24);
	return rint(x / quantum) * quantum;
}

/* The levels with half-precision products, of one piece and of two: two numbers a row bound the error of every pair,
 * for any beta, with rows of very different lengths, where the copy is exact, and where one scale for all leaves rows
 * as short as it may. What the storing of a subnormal product loses is part of the error. */
static void
test_halves(bool pieces)
{
	enum { ROWS = 24, D = 96 };
	static const double betas[] = {0x1p-40, 0x1p-13, 0x1p-12, 0x1p-5, 1};
	double y[ROWS][D], copy[ROWS][D], rest[ROWS][D], norm[ROWS], residual[ROWS], half[ROWS], scale[ROWS], worst = 0;
	for (int kind = 0; kind < 5; kind++) {
		bool holds = true;
		double second = 0, tensor;
		for (int i = 0; i < ROWS; i++) {
			double squares = 0, kept = 0, lost = 0, rests = 0, length = kind == 1 ? ldexp(1, -i) : 1;
			int e;
			for (int l = 0; l < D; l++) {
				y[i][l] = kind >= 3 ? rint(8 * (random_unit() - 0.5))
						    : length * (random_unit() - (kind != 2) * 0.5);
				squares += y[i][l] * y[i][l];
			}
			frexp(sqrt(squares), &e);
			scale[i] = ldexp(1, kind == 4 ? e + 1 : e - 7);
			for (int l = 0; l < D; l++) {
				copy[i][l] = half_of(y[i][l] / scale[i]) * scale[i];
				rest[i][l] = pieces ? half_of((y[i][l] - copy[i][l]) / scale[i]) * scale[i] : 0;
				copy[i][l] += rest[i][l];
				rests += rest[i][l] * rest[i][l];
				kept += copy[i][l] * copy[i][l];
				lost += (y[i][l] - copy[i][l]) * (y[i][l] - copy[i][l]);
			}
			norm[i] = sqrt(kept) * (1 + 0x1p-20);
			residual[i] = sqrt(lost) * (1 + 0x1p-20);
			half[i] = squares / 2;
			second = fmax(second, kept > 0 ? sqrt(rests / kept) * (1 + 0x1p-20) : 0);
			holds = holds && (kind < 3 || residual[i] == 0);
		}
		tensor = pieces ? knng_tensor_pieces(D, second) : knng_tensor(D);
		for (size_t b = 0; b < sizeof betas / sizeof *betas; b++)
			for (int i = 0; i < ROWS; i++)
				for (int j = 0; j < ROWS; j++) {
					long double real = 0, product = 0;
					for (int l = 0; l < D; l++) {
						real += (long double)y[i][l] * y[j][l];
						product += (long double)copy[i][l] * copy[j][l] -
							   (long double)rest[i][l] * rest[j][l];
					}
					double error = fabs((double)(product - real)) +
						       (tensor - second * second) * norm[i] * norm[j] +
						       0x1p-25 * scale[i] * scale[j];
					double bound = knng_eps16(D, half[i], norm[i], residual[i], betas[b], tensor) +
						       knng_eps16(D, half[j], norm[j], residual[j], betas[b], tensor);
					holds = holds && error <= bound;
					worst = fmax(worst, error / bound);
				}
		CHECK(holds, "half-precision bounds, %s, rows of kind %d", pieces ? "two pieces" : "one", kind);
	}
	CHECK(knng_tensor(1 << 20) < 0x1p-8, "what (12.9) has to spare");
	CHECK(worst > 0.3, "half-precision bounds, %s: the worst takes %.3f of them", pieces ? "two pieces" : "one",
	      worst);
}

/* ---------------------------------------------------------------- ranks over some columns */

enum { RANDOM_VALUES, FEW_VALUES, ONE_GAP, TWO_GAPS, SORTED, RANKED_ROWS };

/* A row of such a kind that lacks some columns: in the middle of its values, at one end too, or anywhere. */
static void
make_ranked(int kind, int64_t d, double *x)
{
	double middle = random_unit(), width = 0.3 * random_unit(), share = 0.5 * random_unit();
	for (int64_t l = 0; l < d; l++) {
		double u = kind == SORTED ? ((double)l + random_unit()) / (double)d : random_unit();
		bool between = fabs(u - middle) < width || (kind == TWO_GAPS && u < 0.1);
		x[l] = kind == FEW_VALUES ? (double)random_below(4) : u;
		if (kind == ONE_GAP || kind == TWO_GAPS ? between : random_unit() < share)
			x[l] = NAN;
	}
}

/* Average ranks of x among the columns that y has, too; elsewhere NaN. How many there are. */
static int64_t
rank_over(const double *x, const double *y, int64_t d, double *to)
{
	int64_t count = 0;
	for (int64_t l = 0; l < d; l++) {
		to[l] = isnan(x[l]) || isnan(y[l]) ? NAN : 0.5;
		count += !isnan(to[l]);
		for (int64_t o = 0; o < d && !isnan(to[l]); o++)
			to[l] += isnan(x[o]) || isnan(y[o]) ? 0 : (x[o] < x[l]) + 0.5 * (x[o] == x[l]);
	}
	return count;
}

/* r less its mean over the columns that are there, into z; its length. */
static real
centre_over(const double *r, int64_t d, int64_t count, real *z)
{
	real mean = 0, squares = 0;
	for (int64_t l = 0; l < d; l++)
		mean += isnan(r[l]) ? 0 : (real)r[l];
	for (int64_t l = 0; l < d; l++) {
		z[l] = isnan(r[l]) ? 0 : (real)r[l] - mean / count;
		squares += z[l] * z[l];
	}
	return sqrtl((long double)squares);
}

/* Which columns the row has. */
static void
mark(const double *x, int64_t d, uint64_t *has)
{
	memset(has, 0, 8 * sizeof *has);
	for (int64_t l = 0; l < d; l++)
		has[l / 64] |= (uint64_t)!isnan(x[l]) << l % 64;
}

/* The columns that the row lacks, into `to`; how many. */
static int64_t
list_lacks(const double *x, int64_t d, int32_t *to)
{
	int64_t count = 0;
	for (int64_t l = 0; l < d; l++)
		if (isnan(x[l]))
			to[count++] = (int32_t)l;
	return count;
}

/* What the filter takes for sigma, over sqrt (c/(12 A)), of row x, which meets y: by (12.14), or else by (12.12). The
 * kernels of all targets, and where more columns are gone than they take, find the same. */
static double
turn_by(bool close, const double *x, const double *y, int64_t d)
{
	static const char *const names[] = {"plain", "avx2", "avx512"};
	uint64_t has[8], others[8];
	double *ranks = room(d, 8), *some = room(d, 8), turn;
	int32_t *lacks = room(d, sizeof *lacks);
	bool tied = false;
	int64_t a = rank_over(x, x, d, ranks), c = rank_over(x, y, d, some), count = list_lacks(y, d, lacks);
	mark(x, d, has);
	mark(y, d, others);
	for (int64_t l = 0; l < d; l++)
		for (int64_t o = 0; o < l; o++)
			tied = tied || x[o] == x[l];
	turn = close && !tied ? knng_gap_turn_of(ranks, has, others, 8, a, c) : knng_gap_turn(a, c);
	for (int i = 0; i < 3 && close && !tied && count <= 64; i++) {
		const knng_kernels *kernels = knng_kernels_find(names[i]);
		double same = kernels == NULL ? turn : kernels->shared_turn(ranks, lacks, count, a, c);
		CHECK(same == turn, "%s: %.17g of %d columns gone, not %.17g", names[i], same, (int)(a - c), turn);
	}
	free(ranks);
	free(some);
	free(lacks);
	return turn;
}

/* (12.10) to (12.12) and (12.14) of row x, which meets y. Its direction over what they share goes to w; false: it has
 * none. */
static bool
turn(const double *x, const double *y, int64_t d, bool *holds, double *worst, int *exact, real *w)
{
	double *all = room(d, 8), *some = room(d, 8);
	real *z = room(d, sizeof *z), apart = 0, chord = 0;
	int64_t a = rank_over(x, x, d, all), c = rank_over(x, y, d, some);
	for (int64_t l = 0; l < d; l++) {
		double q = isnan(some[l]) ? 0 : all[l] - some[l];
		*holds = *holds && q >= 0 && q <= (double)(a - c);
		for (int64_t o = 0; o < d && !isnan(some[l]); o++)
			*holds = *holds && (isnan(some[o]) || x[o] > x[l] || all[o] - some[o] <= q);
	}
	for (int64_t l = 0; l < d; l++)
		all[l] = isnan(some[l]) ? NAN : all[l];
	real length_z = centre_over(all, d, c, z), length_w = centre_over(some, d, c, w), ratio = (real)a / c;
	bool has = c > 0 && length_w > 0;
	for (int64_t l = 0; l < d && has; l++) {
		apart += (z[l] - ratio * w[l]) * (z[l] - ratio * w[l]);
		w[l] /= length_w;
		chord += (z[l] / length_z - w[l]) * (z[l] / length_z - w[l]);
	}
	real most = (real)(a - c) * (a - c) * c / 12;
	real s = has ? (real)(a - c) * sqrtl((long double)c / 12) / length_z : 0, h = s * (1 + s * s / 2);
	*holds = *holds && (!has || (apart <= most * (1 + (real)0x1p-60) && chord <= h * h + (real)0x1p-60));
	if (has && a > c)
		note(worst, apart, most);
	for (int close = 0; close < 2 && has;
	     close++) { /* never less than there is; of few gaps and no ties, just that */
		real by = turn_by(close, x, y, d), square = by * by * a * a * c / 12;
		*holds = *holds && apart <= square * (1 + (real)0x1p-48) + (real)0x1p-60;
		*exact += close && a > c && square <= apart * (1 + (real)0x1p-48);
	}
	free(all);
	free(some);
	free(z);
	return has;
}

/* The bound that the filter makes of a pair of rows, of ranks among all that each has: copies, their product and sums,
 * (12.7) with (12.13), or (12.8). Sums are made of the columns that a row has, or of those that it lacks. */
static double
low_of(const knng_kernels *kernels, const knng_metric *metric, const knng_gap_scale *scale, bool lacks,
       const double *turns, const double *const rows[2], int64_t d)
{
	enum { LD = 64, TILE = 16 * LD };
	knng_shared_bound bound;
	knng_gap_copies copies[2];
	double *scratch = room(d, 8);
	float *v = room(KNNG_GAP_PRODUCTS * TILE, sizeof *v), *low = room(16, sizeof *low), limits[16] = {0};
	float count[16], turn[16] = {0}, turned[16] = {0};
	int32_t *columns = room(d, sizeof *columns);
	uint16_t near[1];
	CHECK(knng_gap_bound_here(metric, d, &bound), "%s has bounds", metric->name);
	memset(v, 0, KNNG_GAP_PRODUCTS * TILE * sizeof *v);
	for (int i = 0; i < 2; i++) {
		CHECK(knng_gap_copies_open(&copies[i], 1, d), "memory");
		knng_gap_copies_make(&copies[i], scale, &bound, rows[i], d, 0, scratch);
	}
	turn[0] = (float)turns[0];
	turned[0] = (float)turns[1];
	for (int i = 0; i < 16; i++)
		count[i] = i > 0;
	for (int64_t l = 0; l < d; l++)
		count[0] += !isnan(rows[0][l]) && !isnan(rows[1][l]);
	for (int64_t l = 0; l < d; l += bound.slice)
		knng_gap_multiply(kernels, &copies[0], 0, &copies[1], 0, d, l,
				  l + bound.slice < d ? l + bound.slice : d, 1, 1, v + KNNG_GAP_XY * TILE, LD, l > 0);
	for (int i = 0; i < 2; i++) { /* of row i, over what the other has */
		knng_shared_list list = {.columns = columns, .lacks = lacks};
		for (int64_t l = 0; l < d; l++)
			if (isnan(rows[1 - i][l]) == lacks)
				columns[list.count++] = (int32_t)l;
		kernels->shared_some(copies[i].y, copies[i].square, copies[i].sum, copies[i].squares, d, 1, &list, 1,
				     bound.centred ? v + (i == 0 ? KNNG_GAP_X : KNNG_GAP_Y) * TILE : NULL,
				     v + (i == 0 ? KNNG_GAP_XX : KNNG_GAP_YY) * TILE, i == 0 ? LD : 1, i == 0 ? 1 : LD);
	}
	const knng_shared_sums sums = {.xy = v + KNNG_GAP_XY * TILE,
				       .x = v + KNNG_GAP_X * TILE,
				       .y = v + KNNG_GAP_Y * TILE,
				       .xx = v + KNNG_GAP_XX * TILE,
				       .yy = v + KNNG_GAP_YY * TILE,
				       .shared = count,
				       .weight = copies[0].weight[0],
				       .root = copies[0].root[0],
				       .weights = copies[1].weight,
				       .roots = copies[1].root,
				       .turn = turn,
				       .turned = turned};
	kernels->shared_low(&bound, &sums, 1, 0, limits, low, near);
	CHECK((near[0] & 1) == (low[0] <= 0), "which pairs are near");
	float bound_of_pair = low[0], less = nextafterf(bound_of_pair, -1);
	for (int i = 0; i < 4; i++) { /* by either limit, or by neither */
		limits[0] = i & 1 ? bound_of_pair : less;
		kernels->shared_low(&bound, &sums, 1, i & 2 ? bound_of_pair : less, limits, low, near);
		CHECK((near[0] & 1) == (i > 0) && low[0] == bound_of_pair, "near by limits %d", i);
	}
	knng_gap_copies_close(&copies[0]);
	knng_gap_copies_close(&copies[1]);
	free(scratch);
	free(columns);
	free(v);
	double answer = low[0];
	free(low);
	return answer;
}

static double
low_of_ranks(const knng_kernels *kernels, bool close, bool lacks, const double *x, const double *y, int64_t d)
{
	const knng_gap_scale scale = {.normed = true, .centred = true, .ranked = true};
	double *ranks = room(2 * d, 8);
	const double turns[] = {turn_by(close, x, y, d), turn_by(close, y, x, d)}, *const rows[] = {ranks, ranks + d};
	rank_over(x, x, d, ranks);
	rank_over(y, y, d, ranks + d);
	double low = low_of(kernels, knng_metric_find("spearman"), &scale, lacks, turns, rows, d);
	free(ranks);
	return low;
}

enum { USUAL, SHIFTED, SMALL_WITHIN, LARGE_WITHIN, NEARLY_EQUAL, FAR_SCALES, PAIR_KINDS };

/* Two rows of such a kind, with gaps, of which they share a few columns at least; how many. */
static int64_t
make_gaps(int kind, int64_t d, double *x, double *y)
{
	double gaps = random_unit() * random_unit(), shift = kind == SHIFTED ? exp(20 * random_unit()) : 0;
	double scale = kind == FAR_SCALES ? exp(600 * random_unit() - 300) : 1;
	int64_t shared = 0;
	for (int64_t l = 0; l < d; l++) {
		bool both = l < 3 || (random_unit() >= gaps && random_unit() >= gaps), left = random_below(2) == 0;
		double size = (kind == SMALL_WITHIN && !both) || (kind == LARGE_WITHIN && l == 1) ? 1e6 : 1;
		x[l] = both || left ? (random_unit() - 0.5) * size + shift : NAN;
		y[l] = both || !left ? (random_unit() - 0.5) * size + shift : NAN;
		if (kind == NEARLY_EQUAL && both)
			y[l] = x[l] * (1 + 1e-6 * random_unit());
		x[l] *= scale;
		y[l] *= kind == FAR_SCALES && l > 2 ? scale : scale / 3;
		shared += both;
	}
	return shared;
}

/* Bounds of pairs of rows that are no ranks, against the canonical sum over what they share. */
static void
test_pairs(void)
{
	static const char *const names[] = {"plain", "avx2", "avx512"};
	static const char *const metrics[] = {"pearson", "abspearson", "antipearson", "cosine", "euclidean"};
	static const int64_t columns[] = {3, 5, 17, 40, 97, 300, 1100};
	static const double turns[2] = {0};
	double used[PAIR_KINDS] = {0};
	for (int round = 0; round < 3000; round++) {
		const knng_metric *metric = knng_metric_find(metrics[round % 5]);
		const knng_kernels *kernels = knng_kernels_find(names[random_below(3)]);
		int kind = (int)random_below(PAIR_KINDS);
		int64_t d = columns[random_below(7)], ld = (d + 7) / 8 * 8;
		double *x = room(2 * ld, 8), *y = x + ld, *centre = room(d, 8), *scratch = room(4 * ld, 8), largest = 0,
		       sum;
		int64_t shared = make_gaps(kind, d, x, y);
		knng_gap_scale scale = {.normed = metric->prep != KNNG_PREP_NONE,
					.centred = metric->prep == KNNG_PREP_CENTRED,
					.centre = centre};
		const double *const rows[] = {x, y};
		for (int64_t l = d; l < ld; l++)
			x[l] = y[l] = NAN;
		for (int64_t l = 0; l < d; l++) {
			centre[l] = isnan(x[l]) ? 0 : x[l] / 2;
			for (int i = 0; i < 2; i++)
				largest =
					fabs(rows[i][l] - centre[l]) > largest ? fabs(rows[i][l] - centre[l]) : largest;
		}
		frexp(largest, &scale.exponent);
		scale.exponent--;
		if (kernels != NULL) {
			real far = 0;
			double low = low_of(kernels, metric, &scale, round % 2, turns, rows, d);
			for (int64_t l = 0; l < d && !scale.normed; l++) {
				double gone = isnan(x[l]) || isnan(y[l]);
				real apart = gone ? 0 : ldexpl((long double)((real)x[l] - (real)y[l]), -scale.exponent);
				far += apart * apart;
			}
			sum = scale.normed ? kernels->shared_pair(metric, x, y, ld, shared, scratch)
					   : (double)(far * d / shared);
			CHECK(!(low > sum), "the bound of a pair by %s, rows of kind %d, d = %d: %.17g of %.17g",
			      metric->name, kind, (int)d, low, sum);
			if (sum > 0.1)
				note(&used[kind], low, sum);
		}
		free(x);
		free(centre);
		free(scratch);
	}
	for (int kind = 0; kind < PAIR_KINDS; kind++)
		CHECK(used[kind] > 0.9, "the best bound of rows of kind %d is %.3f of the sum", kind, used[kind]);
}

/* Ranks over the columns that two rows share, against those among all that each has. */
static void
test_ranks(void)
{
	static const char *const names[] = {"plain", "avx2", "avx512"};
	static const int64_t columns[] = {2, 3, 5, 17, 40, 97, 300};
	double turned = 0, used = 0;
	int exact = 0;
	for (int round = 0; round < 900; round++) {
		int kind = round % RANKED_ROWS;
		int64_t d = columns[random_below(7)];
		const knng_kernels *kernels = knng_kernels_find(names[round % 3]);
		bool holds = true;
		double *x = room(2 * d, 8), *y = x + d;
		real *w = room(2 * d, sizeof *w), apart = 0;
		make_ranked(kind, d, x);
		make_ranked(round % 4 ? kind : RANDOM_VALUES, d, y);
		for (int64_t l = 0; l < d && round % 7 == 0; l++) /* as near as can be */
			y[l] = isnan(y[l]) || isnan(x[l]) ? y[l] : x[l];
		bool has = turn(x, y, d, &holds, &turned, &exact, w);
		has = turn(y, x, d, &holds, &turned, &exact, w + d) && has;
		CHECK(holds, "ranks over some columns, rows of kind %d, d = %d", kind, (int)d);
		for (int64_t l = 0; l < d; l++)
			apart += (w[l] - w[d + l]) * (w[l] - w[d + l]);
		for (int close = 0; close < 2 && has && kernels != NULL; close++) {
			real low = low_of_ranks(kernels, close, round % 2, x, y, d);
			CHECK(low <= apart, "the bound of a pair, rows of kind %d, d = %d: %.17g of %.17g", kind,
			      (int)d, (double)low, (double)apart);
			note(&used, low, apart);
		}
		free(x);
		free(w);
	}
	CHECK(turned > 0.9 && turned <= 1, "the worst takes %.3f of (12.11)", turned);
	CHECK(exact > 300, "(12.14) was exact %d times", exact);
	CHECK(used > 0.8, "the best bound is %.3f of the sum", used);
}

int
main(void)
{
	test_ranks();
	test_pairs();
	test_lemma_1();
	test_lemma_2();
	test_wide_and_radius();
	test_filter();
	test_spare();
	test_halves(false);
	test_halves(true);
	return summary();
}
