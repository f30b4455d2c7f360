/* eigen.c  A Lanczos method with thick restarts (K. Wu, H. Simon, SIAM J. Matrix Anal. Appl. 22 (2000) 602-616) whose
 * long vectors are a GPU's. The matrix of the basis is taken from the products themselves, and every vector is made
 * orthogonal to all before it twice, so that nothing depends on a recurrence. */
#include "graph/eigen.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

enum {
	LEAST = 60,           /* columns of the basis */
	SWEEPS = 40,          /* of Jacobi's rotations; some ten do */
	MOST = 100,           /* vectors from which the small problem is no longer small */
	WORTH = 1 << 22,      /* numbers that a product and a step read, from which a GPU gains */
	COLUMNS_READ = 2 * 40 /* of ARPACK's basis */
};

typedef struct {
	knng_task *task;
	knng_eigen *e;
	const knng_eigen_gpu *gpu;
	void *work;
	int64_t first; /* the basis begins at this column; those before it are left out */
	int64_t p;     /* its size */
	double *T;     /* p x p: V' S V of the basis V */
	double *Q;     /* eigenvectors of T, in rows */
	double *theta; /* [p] its eigenvalues, descending */
	double *h;
	uint64_t seed;
} lanczos;

/* ---------------------------------------------------------------- the small problem */

/* Turns rows i and j of A, of p numbers. */
static void
rotate(double *A, int64_t p, int64_t i, int64_t j, double c, double s)
{
	for (int64_t k = 0; k < p; k++) {
		double x = A[i * p + k], y = A[j * p + k];
		A[i * p + k] = c * x - s * y;
		A[j * p + k] = s * x + c * y;
	}
}

/* The rotation that makes T(i, j) 0. */
static void
annihilate(double *T, double *Q, int64_t p, int64_t i, int64_t j)
{
	double between = T[i * p + j], half = (T[j * p + j] - T[i * p + i]) / (2 * between);
	double t = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(half * half + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
	double low = T[i * p + i] - t * between, high = T[j * p + j] + t * between;
	rotate(T, p, i, j, c, s);
	for (int64_t k = 0; k < p; k++) {
		T[k * p + i] = T[i * p + k];
		T[k * p + j] = T[j * p + k];
	}
	T[i * p + i] = low;
	T[j * p + j] = high;
	T[i * p + j] = T[j * p + i] = 0;
	rotate(Q, p, i, j, c, s);
}

/* Eigenvalues and vectors of the symmetric T, which is lost: by Jacobi's rotations, in the order of rows. */
static knng_status
solve_small(knng_task *task, double *T, int64_t p, double *Q, double *theta, knng_err *err)
{
	knng_status status = KNNG_OK;
	double most = 0;
	bool turned = true;
	for (int64_t e = 0; e < p * p; e++) {
		most = fmax(most, fabs(T[e]));
		Q[e] = e % (p + 1) == 0;
	}
	for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
		turned = false;
		for (int64_t i = 0; i < p; i++) {
			if ((status = knng_task_poll(task, err)) != KNNG_OK)
				return status;
			for (int64_t j = i + 1; j < p; j++)
				if (fabs(T[i * p + j]) > most * 0x1p-62) {
					annihilate(T, Q, p, i, j);
					turned = true;
				}
		}
	}
	for (int64_t i = 0; i < p; i++)
		theta[i] = T[i * p + i];
	for (int64_t i = 0; i < p; i++) {
		int64_t best = i;
		for (int64_t j = i + 1; j < p; j++)
			best = theta[j] > theta[best] ? j : best;
		for (int64_t k = 0; k < p && best != i; k++) {
			double x = Q[i * p + k];
			Q[i * p + k] = Q[best * p + k];
			Q[best * p + k] = x;
		}
		double value = theta[i];
		theta[i] = theta[best];
		theta[best] = value;
	}
	return status;
}

/* ---------------------------------------------------------------- rounds */

/* Lengthens the basis from `kept` columns, and the one that follows, to p; *length: how much of S the last of them has
 * outside. */
static knng_status
grow(lanczos *l, int64_t kept, double *length, knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t p = l->p;
	double most = 0;
	for (int64_t j = kept; j < p && status == KNNG_OK; j++) {
		if ((status = knng_task_poll(l->task, err)) != KNNG_OK ||
		    (status = l->gpu->step(l->work, l->first + j, l->first + j + 1, l->h, length, err)) != KNNG_OK)
			return status;
		for (int64_t i = 0; i <= j; i++) {
			l->T[j * p + i] = l->T[i * p + j] = l->h[l->first + i];
			most = fmax(most, fabs(l->h[l->first + i]));
		}
		/* S leads nowhere else: what is left is rounding, and the basis goes on from a start of its own. */
		if (*length <= most * 0x1p-48) {
			*length = 0;
			status = l->gpu->start(l->work, l->first + j + 1, l->seed++, err);
		}
	}
	return status;
}

/* How many of the first `count` are as exact as they shall be, and how far the least exact one is on its way there. */
static int64_t
converged(const lanczos *l, int64_t count, double length, double tolerance, double *way)
{
	int64_t there = 0;
	*way = 1;
	for (int64_t i = 0; i < count; i++) {
		double off = length * fabs(l->Q[i * l->p + l->p - 1]);
		double goal = fmax(tolerance, 0x1p-48) * fmax(fabs(l->theta[i]), 0x1p-34);
		there += off <= goal;
		if (off > goal)
			*way = fmin(*way, fmax(log(off), log(goal)) / log(goal));
	}
	return there;
}

/* The first `count` vectors of what the columns before l->first leave, in those from there on; their eigenvalues are
 * the first of theta. */
static knng_status
solve(lanczos *l, int64_t count, double tolerance, bool *found, knng_err *err)
{
	int64_t p = l->p, kept = 0;
	double length = 0, way = 0, shown = 0;
	*found = false;
	knng_status status = l->gpu->start(l->work, l->first, l->seed++, err);
	for (int64_t round = 0; round < l->e->rounds && !*found && status == KNNG_OK; round++) {
		memset(l->T, 0, (size_t)(p * p) * sizeof *l->T);
		for (int64_t i = 0; i < kept; i++)
			l->T[i * p + i] = l->theta[i];
		if ((status = grow(l, kept, &length, err)) != KNNG_OK ||
		    (status = solve_small(l->task, l->T, p, l->Q, l->theta, err)) != KNNG_OK)
			return status;
		*found = converged(l, count, length, tolerance, &way) == count;
		kept = *found ? count : count + (p - count) * 2 / 5;
		status = l->gpu->combine(l->work, l->first, p, kept, l->Q, err);
		shown = fmax(shown, fmin(way, 1));
		if (status == KNNG_OK)
			status = knng_task_step(l->task, shown, err);
	}
	return status;
}

/* ---------------------------------------------------------------- equal eigenvalues, and whether all is right */

/* Puts the vector in the column behind the e->count that were found, and its eigenvalue, where it belongs among them;
 * the last of them is lost. */
static knng_status
insert(lanczos *l, double value, knng_err *err)
{
	knng_eigen *e = l->e;
	int64_t count = e->count, all = count + 1, at = 0;
	while (at < count && e->value[at] >= value)
		at++;
	memset(l->Q, 0, (size_t)(count * all) * sizeof *l->Q);
	for (int64_t i = 0; i < count; i++)
		l->Q[i * all + (i < at ? i : i == at ? count : i - 1)] = 1;
	e->next = e->value[count - 1];
	memmove(e->value + at + 1, e->value + at, (size_t)(count - at - 1) * sizeof *e->value);
	e->value[at] = value;
	return l->gpu->combine(l->work, e->nknown, all, count, l->Q, err);
}

/* Looks, from other starts, for what is left above the last. */
static knng_status
look_for_equals(lanczos *l, bool *found, knng_err *err)
{
	knng_eigen *e = l->e;
	int64_t p = l->p;
	knng_status status = KNNG_OK;
	l->first = e->nknown + e->count;
	for (int64_t round = 0; round < e->count; round++) {
		l->p = LEAST;
		/* An eigenvalue is right to the square of that. */
		status = solve(l, 1, fmax(e->tolerance, 1e-6), found, err);
		e->next = l->theta[0];
		if (status != KNNG_OK || !*found || e->next <= e->value[e->count - 1] + 1e-9)
			break;
		status = solve(l, 1, e->tolerance, found, err);
		l->p = p;
		if (status == KNNG_OK && *found)
			status = insert(l, l->theta[0], err);
		if (status != KNNG_OK || !*found)
			break;
	}
	return status;
}

/* How far S x is from value x at most. */
static knng_status
measure(lanczos *l, knng_err *err)
{
	knng_eigen *e = l->e;
	knng_status status = KNNG_OK;
	int64_t end = e->nknown + e->count;
	e->off = 0;
	for (int64_t c = 0; c < e->count && status == KNNG_OK; c++) {
		double length = 0;
		status = l->gpu->step(l->work, e->nknown + c, end, l->h, &length, err);
		for (int64_t i = 0; i < end && status == KNNG_OK; i++)
			length = hypot(length, l->h[i] - (i == e->nknown + c ? e->value[c] : 0));
		if (!(length <= e->off)) /* NaN too */
			e->off = length;
	}
	return status;
}

static knng_status
find(lanczos *l, knng_err *err)
{
	knng_eigen *e = l->e;
	bool found = false;
	knng_status status = solve(l, e->count, e->tolerance, &found, err);
	if (status == KNNG_OK && found) {
		memcpy(e->value, l->theta, (size_t)e->count * sizeof *e->value);
		status = look_for_equals(l, &found, err);
	}
	e->off = INFINITY;
	if (status == KNNG_OK && found)
		status = measure(l, err);
	for (int64_t c = 0; c < e->count && found && status == KNNG_OK; c++)
		status = l->gpu->fetch(l->work, e->nknown + c, e->vector + c * e->W->columns, err);
	return status;
}

static knng_status
find_on(knng_task *task, knng_eigen *e, const knng_eigen_gpu *gpu, int device, int64_t p, knng_err *err)
{
	lanczos l = {.task = task, .e = e, .gpu = gpu, .first = e->nknown, .p = p, .seed = 1};
	/* The basis, the column that follows it, and what is found, beside which others are looked for. */
	int64_t beside = e->count + LEAST, columns = e->nknown + (beside > p ? beside : p) + 1;
	knng_status status = KNNG_OK;
	l.T = knng_alloc(p * p, sizeof *l.T);
	l.Q = knng_alloc(p * p, sizeof *l.Q);
	l.theta = knng_alloc(p, sizeof *l.theta);
	l.h = knng_alloc(columns, sizeof *l.h);
	if (l.T == NULL || l.Q == NULL || l.theta == NULL || l.h == NULL)
		status = knng_fail_memory(err, "the eigenvectors", 16.0 * (double)p * (double)p);
	if (status == KNNG_OK)
		status = gpu->open(task, e, columns, device, &l.work, err);
	if (status == KNNG_OK)
		status = find(&l, err);
	gpu->close(l.work);
	knng_free(l.T);
	knng_free(l.Q);
	knng_free(l.theta);
	knng_free(l.h);
	return status;
}

/* ---------------------------------------------------------------- where */

/* Columns of the basis for so many vectors. */
static int64_t
basis_of(int64_t count)
{
	return 2 * count + 20 > LEAST ? 2 * count + 20 : LEAST;
}

bool
knng_eigen_suits(const knng_eigen *e, const knng_devices *device, knng_err *fallback)
{
	double entries = (double)e->W->start[e->W->columns];
	*fallback = (knng_err){0};
	/* There have to be more vectors than columns. */
	if (device->kind == KNNG_DEVICE_CPU || e->W->columns <= e->nknown + e->count + basis_of(e->count) + 1)
		return false;
	if (device->kind == KNNG_DEVICE_AUTO)
		return e->count <= MOST && entries + COLUMNS_READ * (double)e->W->columns >= WORTH;
	if (e->count > MOST)
		knng_fail(fallback, KNNG_EDEVICE, "knng:device:memory",
			  "it looks for at most %d eigenvectors at once, not %lld", MOST, (long long)e->count);
	return e->count <= MOST;
}

knng_status
knng_eigen_find(knng_task *task, knng_eigen *e, const knng_devices *device, bool *done, knng_err *fallback,
		knng_err *err)
{
	char why[160];
	int devices[KNNG_MAX_DEVICES], n = 0;
	*done = false;
	if (!knng_eigen_suits(e, device, fallback))
		return KNNG_OK;
	knng_status status = knng_devices_find(device, devices, &n, why, sizeof why, err);
	if (status != KNNG_OK && device->kind != KNNG_DEVICE_AUTO)
		return status;
	if (n == 0)
		return KNNG_OK;
	const knng_eigen_gpu *gpu = knng_plugin_find(why, sizeof why)->serve(KNNG_EIGEN_ROOM, NULL);
	knng_task here = *task;
	here.threads = knng_task_threads(task);
	status = find_on(&here, e, gpu, devices[0], basis_of(e->count), fallback);
	*done = status == KNNG_OK;
	if (status == KNNG_OK || status == KNNG_EDEVICE)
		return KNNG_OK;
	if (err != NULL)
		*err = *fallback;
	*fallback = (knng_err){0};
	return status;
}
