/* verify.c  Are these the neighbours? A second way to the answer, written from docs/canonical.md, sections 1 to 4, to
 * be read beside it: prepare every row, compute every distance, keep the k smallest. No filter, no bound, no list of
 * candidates, and no code of the search; of the metric it knows the name alone.
 *
 * It is made to be fast enough for a thousand rows among millions: blocks of references are prepared once and met by
 * all checked rows, and the eight accumulators of section 2 are the lanes of a vector register. Limit: two operations
 * of eight doubles a term from the second-level cache, where the processor has fused operations of that width. */
#include "base/pairs.h"
#include "base/sys.h"
#include "base/table.h"
#include "base/task.h"
#include "search/knng_verify.h"
#include "search/metric.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

typedef enum { AS_IS, UNIT, CENTRED, RANKED } preparation;
typedef enum { MINUS, PLUS, EITHER, ABSOLUTE, LARGEST } form;
typedef enum { PLAIN, ROOT, HALF } map;

typedef struct {
	const char *name;
	preparation how;
	form form;
	map map;
} measure;

/* Section 3. */
static const measure measures[] = {
	{"euclidean", AS_IS, MINUS, ROOT}, {"sqeuclidean", AS_IS, MINUS, PLAIN},  {"cosine", UNIT, MINUS, HALF},
	{"pearson", CENTRED, MINUS, HALF}, {"abspearson", CENTRED, EITHER, HALF}, {"antipearson", CENTRED, PLUS, HALF},
	{"spearman", RANKED, MINUS, HALF}, {"cityblock", AS_IS, ABSOLUTE, PLAIN}, {"chebychev", AS_IS, LARGEST, PLAIN},
};

enum { LANES = 8, TOGETHER = 4, ROWS = 8, GROUP = 16, MEET = 64, FORM_ROWS = 256 };
enum { WORTH = 1000000, WORTH_FORM = 1 << 16 }; /* operations, entries that make a thread worth waking */

/* ---------------------------------------------------------------- sections 1 to 3 */

/* Section 2: the eight accumulators, folded. */
static inline double
fold(const double a[LANES])
{
	return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

static double
sum(const double *x, int64_t ld)
{
	double a[LANES] = {0};
	for (int64_t j = 0; j < ld; j += LANES)
		for (int l = 0; l < LANES; l++)
			a[l] += x[j + l];
	return fold(a);
}

/* Sorts by heap, for ranks and repeats; no NaN among them. */
static void
sink_down(double *x, int64_t at, int64_t n)
{
	double value = x[at];
	for (int64_t child; (child = 2 * at + 1) < n; at = child) {
		child += child + 1 < n && x[child + 1] > x[child];
		if (x[child] <= value)
			break;
		x[at] = x[child];
	}
	x[at] = value;
}

static void
sort(double *x, int64_t n)
{
	for (int64_t i = n / 2 - 1; i >= 0; i--)
		sink_down(x, i, n);
	for (int64_t i = n - 1; i > 0; i--) {
		double largest = x[0];
		x[0] = x[i];
		x[i] = largest;
		sink_down(x, 0, i);
	}
}

/* How many of the ascending x are less than value, or (equal_too) not greater. */
static int64_t
below(const double *x, int64_t n, double value, bool equal_too)
{
	int64_t low = 0, high = n;
	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		if (x[middle] < value || (equal_too && x[middle] == value))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
subtract_mean(double *u, int64_t d, int64_t ld)
{
	double mean = sum(u, ld) / (double)d;
	for (int64_t j = 0; j < d; j++)
		u[j] -= mean;
}

/* Sections 1 and 3: x becomes its prepared row in place, zeros from d to ld. False: it has no distances. */
static bool
prepare(preparation how, double *x, int64_t d, int64_t ld, double *scratch)
{
	double low = x[0], high = x[0], squares[LANES] = {0};
	int e;
	for (int64_t j = 0; j < d; j++) {
		if (!isfinite(x[j]))
			return false;
		low = x[j] < low ? x[j] : low;
		high = x[j] > high ? x[j] : high;
	}
	if (how == AS_IS)
		return true;
	if (how == UNIT ? low == 0 && high == 0 : low == high)
		return false;
	if (how == RANKED) {
		memcpy(scratch, x, (size_t)d * sizeof *x);
		sort(scratch, d);
		for (int64_t j = 0; j < d; j++) /* the places from below + 1 to below or equal, their mean */
			x[j] = (double)(below(scratch, d, x[j], false) + 1 + below(scratch, d, x[j], true)) / 2;
		low = 1;
		high = 1;
		for (int64_t j = 0; j < d; j++)
			high = fmax(high, x[j]);
	}
	frexp(fmax(fabs(low), fabs(high)), &e); /* 2^(e-1) <= max|x| < 2^e */
	for (int64_t j = 0; j < d; j++)
		x[j] = scalbn(x[j], 1 - e);
	if (how != UNIT) {
		subtract_mean(x, d, ld);
		subtract_mean(x, d, ld);
	}
	for (int64_t j = 0; j < ld; j += LANES)
		for (int l = 0; l < LANES; l++)
			squares[l] = fma(x[j + l], x[j + l], squares[l]);
	double length = sqrt(fold(squares));
	for (int64_t j = 0; j < d; j++)
		x[j] /= length;
	return true;
}

/* The sums of row u and TOGETHER rows v. Several at once, since each fused operation waits for the one before it. */
static inline __attribute__((always_inline)) void
sums_of(form form, const double *u, const double *v, int64_t ld, double *out)
{
	double a[TOGETHER][LANES] = {{0}};
	for (int64_t j = 0; j < ld; j += LANES)
#pragma GCC unroll 4
		for (int r = 0; r < TOGETHER; r++)
			for (int l = 0; l < LANES; l++) {
				double x = u[j + l], y = v[r * ld + j + l], t = form == PLUS ? x + y : x - y;
				if (form == ABSOLUTE)
					a[r][l] += fabs(t);
				else if (form == LARGEST)
					a[r][l] = fabs(t) > a[r][l] ? fabs(t) : a[r][l];
				else
					a[r][l] = fma(t, t, a[r][l]);
			}
	for (int r = 0; r < TOGETHER; r++) {
		out[r] = fold(a[r]);
		if (form == LARGEST) {
			out[r] = a[r][0];
			for (int l = 1; l < LANES; l++)
				out[r] = fmax(out[r], a[r][l]);
		}
	}
}

/* Compiled again for processors that fuse; fma() is libm's elsewhere, the bits are the same. Not under the thread
 * sanitizer, which would be called by the choice before it has started. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_THREAD__)
__attribute__((target_clones("avx512f", "fma", "default")))
#endif
static void
sums(form form, const double *u, const double *v, int64_t ld, int64_t count, double *out)
{
	for (int64_t c = 0; c < count; c += TOGETHER)
		switch (form) {
		case PLUS:
			sums_of(PLUS, u, v + c * ld, ld, out + c);
			break;
		case ABSOLUTE:
			sums_of(ABSOLUTE, u, v + c * ld, ld, out + c);
			break;
		case LARGEST:
			sums_of(LARGEST, u, v + c * ld, ld, out + c);
			break;
		default:
			sums_of(MINUS, u, v + c * ld, ld, out + c);
		}
}

/* Distances of u and count <= MEET rows v; out has room for one more TOGETHER. */
static void
distances(const measure *m, const double *u, const double *v, int64_t ld, int64_t count, double *out)
{
	double plus[MEET + TOGETHER];
	sums(m->form, u, v, ld, count, out);
	if (m->form == EITHER)
		sums(PLUS, u, v, ld, count, plus);
	for (int64_t c = 0; c < count; c++) {
		double s = m->form == EITHER ? fmin(out[c], plus[c]) : out[c];
		out[c] = m->map == ROOT ? sqrt(s) : m->map == HALF ? s / 2 : s;
	}
}

/* ---------------------------------------------------------------- section 12 */

/* A row with its missing values as it is. False: it has no distances. */
static bool
keep_gaps(const double *x, int64_t d)
{
	for (int64_t j = 0; j < d; j++)
		if (isinf(x[j]))
			return false;
	return true;
}

/* What x is prepared to over the c columns that `both` marks by 1, into u, with zeros elsewhere. False: the pair has no
 * distance. sorted: room for ld doubles. */
static bool
prepare_shared(preparation how, const double *x, const double *both, int64_t c, int64_t ld, double *u, double *sorted)
{
	double low = INFINITY, high = -INFINITY;
	int64_t at = 0;
	int e;
	for (int64_t j = 0; j < ld; j++) {
		u[j] = both[j] != 0 ? x[j] : 0;
		if (both[j] != 0) {
			low = x[j] < low ? x[j] : low;
			high = x[j] > high ? x[j] : high;
			sorted[at++] = x[j];
		}
	}
	if (how == AS_IS)
		return true;
	if (how == UNIT ? low == 0 && high == 0 : low == high)
		return false;
	if (how == RANKED) {
		sort(sorted, c);
		low = high = 1;
		for (int64_t j = 0; j < ld; j++)
			if (both[j] != 0) {
				u[j] = (double)(below(sorted, c, x[j], false) + 1 + below(sorted, c, x[j], true)) / 2;
				high = fmax(high, u[j]);
			}
	}
	frexp(fmax(fabs(low), fabs(high)), &e);
	for (int64_t j = 0; j < ld; j++)
		u[j] = scalbn(u[j], 1 - e);
	for (int pass = 0; pass < 2 && how != UNIT; pass++) {
		double mean = sum(u, ld) / (double)c;
		for (int64_t j = 0; j < ld; j++)
			u[j] = both[j] != 0 ? u[j] - mean : 0;
	}
	double squares[LANES] = {0};
	for (int64_t j = 0; j < ld; j += LANES)
		for (int l = 0; l < LANES; l++)
			squares[l] = fma(u[j + l], u[j + l], squares[l]);
	double length = sqrt(fold(squares));
	for (int64_t j = 0; j < ld; j++)
		u[j] /= length;
	return true;
}

static double
sum_of_pair(form form, const double *u, const double *v, int64_t ld)
{
	double a[LANES] = {0};
	for (int64_t j = 0; j < ld; j += LANES)
		for (int l = 0; l < LANES; l++) {
			double t = form == PLUS ? u[j + l] + v[j + l] : u[j + l] - v[j + l];
			a[l] = form == ABSOLUTE ? a[l] + fabs(t) : fma(t, t, a[l]);
		}
	return fold(a);
}

/* The distance of two rows over the columns that both have; NaN: there is none. scratch: 4*ld doubles. */
static double
shared_distance(const measure *m, int64_t least, const double *x, const double *y, int64_t d, int64_t ld,
		double *scratch)
{
	double *u = scratch, *v = scratch + ld, *sorted = scratch + 2 * ld;
	double *both = scratch + 3 * ld;
	int64_t c = 0;
	for (int64_t j = 0; j < ld; j++) {
		bool common = j < d && !isnan(x[j]) && !isnan(y[j]);
		both[j] = common ? 1 : 0;
		c += common;
	}
	if (c < least || !prepare_shared(m->how, x, both, c, ld, u, sorted) ||
	    !prepare_shared(m->how, y, both, c, ld, v, sorted))
		return NAN;
	double s = sum_of_pair(m->form, u, v, ld);
	if (m->form == EITHER)
		s = fmin(s, sum_of_pair(PLUS, u, v, ld));
	return m->map == HALF   ? s / 2
	       : m->map == ROOT ? sqrt(s * ((double)d / (double)c))
				: s * ((double)d / (double)c);
}

/* ---------------------------------------------------------------- section 4 */

typedef struct {
	const measure *measure;
	int threads;
	bool graph;
	int64_t k, d, ld, count;
	int64_t least; /* columns that two rows must share; 0: NaN is no missing value */
	const int64_t *rows;
	double *u, *v;        /* prepared: the checked rows, a block of references */
	bool *u_has, *v_has;  /* whether they have distances */
	double *scratch;      /* 4*ld of them a thread */
	int64_t *idx, *found; /* count x k: the nearest so far; how many */
	double *dist;
} verifying;

/* Row r of those that pairs of rows make, by section 16, to u. */
static void
form_row(const knng_matrix *X, int64_t r, double *u)
{
	int64_t n = X->pairs->n, pairs = n * (n - 1) / 2, a = r, b = r, op = -1;
	if (r >= n) { /* pair number `rest`, of the last row that begins before it or there */
		int64_t rest = (r - n) % pairs, low = 0, high = n - 1;
		while (high - low > 1) {
			int64_t middle = low + (high - low) / 2;
			if (middle * n - middle * (middle + 1) / 2 <= rest)
				low = middle;
			else
				high = middle;
		}
		op = X->pairs->op[(r - n) / pairs];
		a = low;
		b = a + 1 + rest - (a * n - a * (a + 1) / 2);
	}
	for (int64_t j = 0; j < X->d; j++) {
		int64_t at = a * X->row_stride + j * X->col_stride, to = b * X->row_stride + j * X->col_stride;
		if (X->type == KNNG_F32) {
			float x = ((const float *)X->data)[at], y = ((const float *)X->data)[to];
			float z = op < 0                  ? x
				  : op == KNNG_DIFFERENCE ? x - y
				  : op == KNNG_SUM        ? x + y
				  : op == KNNG_PRODUCT    ? x * y
							  : x / y;
			u[j] = z;
		} else {
			double x = ((const double *)X->data)[at], y = ((const double *)X->data)[to];
			u[j] = op < 0                  ? x
			       : op == KNNG_DIFFERENCE ? x - y
			       : op == KNNG_SUM        ? x + y
			       : op == KNNG_PRODUCT    ? x * y
						       : x / y;
		}
	}
}

/* `count` rows of a matrix, those of the list or the ones from `first` on, as prepared rows. */
static void
load(const verifying *w, const knng_matrix *X, const int64_t *list, int64_t first, int64_t count, double *u, bool *has,
     double *scratch)
{
	for (int64_t r = 0; r < count && X->pairs != NULL; r++) {
		memset(u + r * w->ld, 0, (size_t)w->ld * sizeof *u);
		form_row(X, list == NULL ? first + r : list[first + r], u + r * w->ld);
	}
	for (int64_t j = 0; j < w->ld && X->pairs == NULL; j++) /* rows that lie side by side share cache lines */
		for (int64_t r = 0; r < count; r++) {
			const void *row = knng_row_of(X, list == NULL ? first + r : list[first + r]);
			u[r * w->ld + j] = j >= w->d             ? 0
					   : X->type == KNNG_F32 ? (double)((const float *)row)[j * X->col_stride]
								 : ((const double *)row)[j * X->col_stride];
		}
	for (int64_t r = 0; r < count; r++)
		has[r] = w->least > 0 ? keep_gaps(u + r * w->ld, w->d)
				      : prepare(w->measure->how, u + r * w->ld, w->d, w->ld, scratch);
}

/* Checked row c meets reference j. References come in ascending order, so among equal distances the new one is last. */
static void
meet(const verifying *w, int64_t c, int64_t j, double distance)
{
	int64_t *idx = w->idx + c * w->k, at = w->found[c];
	double *dist = w->dist + c * w->k;
	if (at < w->k)
		w->found[c]++;
	else if (w->k == 0 || !(distance < dist[--at]))
		return;
	for (; at > 0 && distance < dist[at - 1]; at--) {
		dist[at] = dist[at - 1];
		idx[at] = idx[at - 1];
	}
	dist[at] = distance;
	idx[at] = j + 1;
}

/* A group of checked rows meets the block of references [first, first + count). */
static void
meet_block(const verifying *w, int64_t c0, int64_t c1, int64_t first, int64_t count, int64_t some, double *scratch)
{
	double out[MEET + TOGETHER];
	for (int64_t j0 = 0; j0 < count; j0 += some)
		for (int64_t c = c0; c < c1; c++) {
			int64_t width = count - j0 < some ? count - j0 : some;
			if (!w->u_has[c])
				continue;
			if (w->least == 0)
				distances(w->measure, w->u + c * w->ld, w->v + j0 * w->ld, w->ld, width, out);
			for (int64_t j = 0; j < width && w->least > 0; j++)
				out[j] = shared_distance(w->measure, w->least, w->u + c * w->ld,
							 w->v + (j0 + j) * w->ld, w->d, w->ld, scratch);
			for (int64_t j = 0; j < width; j++)
				if (w->v_has[j0 + j] && !isnan(out[j]) && !(w->graph && w->rows[c] == first + j0 + j))
					meet(w, c, first + j0 + j, out[j]);
		}
}

static int64_t
between(int64_t low, int64_t x, int64_t high)
{
	return x < low ? low : x > high ? high : x;
}

/* A part of the work, handed out in groups of rows. */
typedef struct {
	const verifying *w;
	const knng_matrix *X;
	const int64_t *list;
	int64_t first, count; /* rows of X, or of the list; references that are met */
	int64_t group, some;  /* checked rows of a job; references that they meet at a time */
	double *u;
	bool *has;
} part;

static knng_status
load_job(void *context, int worker, int64_t job, knng_err *err)
{
	const part *p = context;
	const verifying *w = p->w;
	int64_t r = job * ROWS;
	(void)err;
	load(w, p->X, p->list, p->first + r, between(0, p->count - r, ROWS), p->u + r * w->ld, p->has + r,
	     w->scratch + worker * 4 * w->ld);
	return KNNG_OK;
}

static knng_status
load_rows(knng_task *task, const verifying *w, const knng_matrix *X, const int64_t *list, int64_t first, int64_t count,
	  double *u, bool *has, knng_err *err)
{
	part p = {.w = w, .X = X, .list = list, .first = first, .count = count, .u = u, .has = has};
	return knng_task_run(task, w->threads, knng_parts(ROWS, count), load_job, &p, err);
}

static knng_status
meet_job(void *context, int worker, int64_t job, knng_err *err)
{
	const part *p = context;
	knng_part rows = knng_part_of(job, p->group, p->w->count);
	(void)err;
	meet_block(p->w, rows.first, rows.end, p->first, p->count, p->some, p->w->scratch + worker * 4 * p->w->ld);
	return KNNG_OK;
}

static knng_status
meet_rows(knng_task *task, const verifying *w, int64_t first, int64_t count, knng_err *err)
{
	part p = {.w = w, .first = first, .count = count};
	/* What a row meets at a time stays in the second-level cache while a group of rows passes by. */
	p.some = between(TOGETHER, (1 << 14) / w->ld / TOGETHER * TOGETHER, MEET);
	p.group = between(1, w->count / (4 * w->threads), GROUP);
	return knng_task_run(task, w->threads, knng_parts(p.group, w->count), meet_job, &p, err);
}

static knng_status
verify_rows(knng_task *task, const knng_question *q, const int64_t *rows, int64_t count, int64_t *idx, double *dist,
	    knng_err *err)
{
	knng_status status = KNNG_OK;
	verifying w = {.threads = knng_task_threads_for(task, (double)count * (double)q->x.n * (double)q->x.d, WORTH),
		       .graph = q->y.data == NULL,
		       .k = q->k,
		       .d = q->x.d,
		       .ld = (q->x.d + LANES - 1) / LANES * LANES,
		       .count = count,
		       .least = q->least_shared,
		       .rows = rows,
		       .idx = idx,
		       .dist = dist};
	for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
		if (strcmp(measures[i].name, q->metric->name) == 0)
			w.measure = &measures[i];
	if (w.measure == NULL)
		return knng_fail(err, KNNG_EARGS, "knng:args:metric",
				 "'%s' cannot be verified: only the search knows it", q->metric->name);

	/* 16 MB of references at a time, or as many as are met in a fraction of a second. */
	int64_t block = between(0, (INT64_C(1) << 32) / w.ld / count, (1 << 21) / w.ld);
	block = between(ROWS, block / TOGETHER * TOGETHER, 4096);
	w.u = knng_alloc(count, (size_t)w.ld * sizeof *w.u);
	w.v = knng_calloc(block, (size_t)w.ld * sizeof *w.v);
	w.u_has = knng_alloc(count, sizeof *w.u_has);
	w.v_has = knng_alloc(block, sizeof *w.v_has);
	w.scratch = knng_alloc(w.threads, 4 * (size_t)w.ld * sizeof *w.scratch);
	w.found = knng_calloc(count, sizeof *w.found);
	if (w.u == NULL || w.v == NULL || w.u_has == NULL || w.v_has == NULL || w.scratch == NULL || w.found == NULL) {
		status = knng_fail_memory(err, "the rows that are verified",
					  8.0 * (double)w.ld * (double)(count + block + 4 * w.threads));
		goto done;
	}
	for (int64_t e = 0; e < count * w.k; e++) {
		idx[e] = 0;
		dist[e] = NAN;
	}
	task->stage = "verify";
	status = load_rows(task, &w, w.graph ? &q->x : &q->y, rows, 0, count, w.u, w.u_has, err);
	for (int64_t first = 0; first < q->x.n && status == KNNG_OK; first += block) {
		int64_t some = between(0, q->x.n - first, block);
		task->done = (double)first / (double)q->x.n;
		task->left = (double)(q->x.n - first - some) / (double)q->x.n;
		status = load_rows(task, &w, &q->x, NULL, first, some, w.v, w.v_has, err);
		if (status == KNNG_OK)
			status = meet_rows(task, &w, first, some, err);
	}
	task->done = task->left = 0;
done:
	knng_free(w.found);
	knng_free(w.scratch);
	knng_free(w.v_has);
	knng_free(w.u_has);
	knng_free(w.v);
	knng_free(w.u);
	return status;
}

/* ---------------------------------------------------------------- the table */

/* Whether the distances of the table are rounded to single. */
static bool
is_single(const knng_question *q, const knng_table_rows *table)
{
	return q->x.type == KNNG_F32 || (q->y.data != NULL && q->y.type == KNNG_F32) || table->dist_type == KNNG_F32;
}

/* NULL, or why row r of some rows, which is row i of the table, can be no answer, whatever the data. scratch: k
 * doubles. O(k log k). */
static const char *
form_of(const knng_question *q, const knng_output *rows, int64_t r, int64_t i, bool single, double *scratch)
{
	int64_t found = 0;
	double n = (double)q->x.n, last = 0, last_index = 0;
	bool graph = q->y.data == NULL;
	for (int64_t c = 0; c < q->k; c++) {
		double j = knng_table_index(rows, r, c), distance = knng_table_distance(rows, r, c);
		if (!(j >= 0 && j <= n) || j != floor(j))
			return "an index is no row of X";
		if (j == 0 && !isnan(distance))
			return "index 0 has a distance";
		if (j > 0 && found < c)
			return "a neighbour comes after index 0";
		if (j == 0)
			continue;
		if (graph && j == (double)(i + 1))
			return "a row is its own neighbour";
		if (!(distance >= 0))
			return "a distance is negative or NaN";
		if (distance < last)
			return "the distances do not ascend";
		/* Doubles that differ may be one single: there the indices need not ascend. */
		if (distance == last && j < last_index && !single)
			return "equal distances are not in order of the index";
		last = distance;
		last_index = j;
		scratch[found++] = j;
	}
	sort(scratch, found);
	for (int64_t c = 1; c < found; c++)
		if (scratch[c] == scratch[c - 1])
			return "a neighbour is listed twice";
	return NULL;
}

static uint64_t
bits_of(double x)
{
	uint64_t bits = 0x7ff8000000000000u; /* every NaN is one */
	if (!isnan(x))
		memcpy(&bits, &x, sizeof bits);
	return bits;
}

/* Whether row r of some rows is idx, dist. */
static bool
is_row(const knng_question *q, const knng_output *rows, int64_t r, const int64_t *idx, const double *dist)
{
	for (int64_t c = 0; c < q->k; c++)
		if (knng_table_index(rows, r, c) != (double)idx[c] ||
		    bits_of(knng_table_distance(rows, r, c)) != bits_of(dist[c]))
			return false;
	return true;
}

/* Splitmix64. */
static uint64_t
draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* `count` of the m rows, ascending: each row is taken with the chance that the ones still wanted have among the rows
 * still left. */
static void
choose(int64_t m, int64_t count, uint64_t seed, int64_t *rows)
{
	for (int64_t i = 0, c = 0; c < count; i++)
		if (draw(&seed) % (uint64_t)(m - i) < (uint64_t)(count - c))
			rows[c++] = i;
}

void
knng_proof_free(knng_proof *proof)
{
	knng_free(proof->malformed);
	knng_free(proof->row);
	knng_free(proof->differs);
	knng_free(proof->idx);
	knng_free(proof->dist);
	*proof = (knng_proof){0};
}

typedef struct {
	const knng_question *q;
	knng_part part; /* the rows at hand */
	knng_output rows;
	bool single;
	double *scratch; /* k a thread */
	bool *malformed;
} forms;

static knng_status
form_job(void *context, int worker, int64_t job, knng_err *err)
{
	const forms *f = context;
	knng_part rows = knng_part_of(job, FORM_ROWS, f->part.end - f->part.first);
	(void)err;
	for (int64_t r = rows.first; r < rows.end; r++) {
		int64_t i = f->part.first + r;
		f->malformed[i] = form_of(f->q, &f->rows, r, i, f->single, f->scratch + worker * f->q->k) != NULL;
	}
	return KNNG_OK;
}

/* Looks at the form of some rows, and says why of the first that has none. */
static knng_status
check_rows(knng_task *task, forms *f, const knng_table_rows *table, int threads, knng_proof *proof, knng_err *err)
{
	int64_t count = f->part.end - f->part.first;
	knng_status status = table->rows(table->context, f->part.first, count, &f->rows, err);
	if (status == KNNG_OK)
		status = knng_task_run(task, threads, knng_parts(FORM_ROWS, count), form_job, f, err);
	for (int64_t r = 0; r < count && status == KNNG_OK; r++)
		if (f->malformed[f->part.first + r] && proof->nmalformed++ == 0)
			proof->why = form_of(f->q, &f->rows, r, f->part.first + r, f->single, f->scratch);
	return status;
}

static knng_status
check_form(knng_task *task, const knng_question *q, const knng_table_rows *table, knng_proof *proof, knng_err *err)
{
	int threads = knng_task_threads_for(task, (double)q->m * (double)q->k, WORTH_FORM);
	forms f = {.q = q, .single = is_single(q, table), .malformed = proof->malformed};
	f.scratch = knng_alloc(threads, (size_t)q->k * sizeof *f.scratch);
	if (f.scratch == NULL)
		return knng_fail_memory(err, "rows of the table", 8.0 * threads * (double)q->k);
	task->stage = "form";
	knng_status status = KNNG_OK;
	for (int64_t p = 0; p < knng_parts(table->most, q->m) && status == KNNG_OK; p++) {
		f.part = knng_part_of(p, table->most, q->m);
		task->done = (double)f.part.first / (double)q->m;
		task->left = (double)(q->m - f.part.end) / (double)q->m;
		status = check_rows(task, &f, table, threads, proof, err);
	}
	task->done = task->left = 0;
	knng_free(f.scratch);
	return status;
}

/* Which of the rows that were computed again the table has otherwise. */
static knng_status
compare(const knng_question *q, const knng_table_rows *table, knng_proof *proof, knng_err *err)
{
	knng_output row;
	for (int64_t e = 0; is_single(q, table) && e < proof->checked * q->k;
	     e++) /* last of all: the order is settled */
		proof->dist[e] = (double)(float)proof->dist[e];
	for (int64_t c = 0; c < proof->checked; c++) {
		knng_status status = table->rows(table->context, proof->row[c], 1, &row, err);
		if (status != KNNG_OK)
			return status;
		proof->differs[c] = !is_row(q, &row, 0, proof->idx + c * q->k, proof->dist + c * q->k);
		proof->different += proof->differs[c];
	}
	return KNNG_OK;
}

knng_status
knng_verify_rows(knng_task *task, const knng_question *q, const knng_table_rows *table, int64_t sample, uint64_t seed,
		 knng_proof *proof, knng_err *err)
{
	int64_t count = between(1, sample, q->m), k = q->k;
	*proof = (knng_proof){.checked = count};
	proof->malformed = knng_alloc(q->m, sizeof *proof->malformed);
	proof->row = knng_alloc(count, sizeof *proof->row);
	proof->differs = knng_alloc(count, sizeof *proof->differs);
	proof->idx = knng_alloc(count, (size_t)k * sizeof *proof->idx);
	proof->dist = knng_alloc(count, (size_t)k * sizeof *proof->dist);
	knng_status status = KNNG_OK;
	if (proof->malformed == NULL || proof->row == NULL || proof->differs == NULL || proof->idx == NULL ||
	    proof->dist == NULL)
		status = knng_fail_memory(err, "the rows that are verified",
					  (double)q->m + (double)count * (9 + 16 * (double)k));
	if (status == KNNG_OK)
		status = check_form(task, q, table, proof, err);
	if (status == KNNG_OK) {
		choose(q->m, count, seed, proof->row);
		status = verify_rows(task, q, proof->row, count, proof->idx, proof->dist, err);
	}
	if (status == KNNG_OK)
		status = compare(q, table, proof, err);
	if (status != KNNG_OK)
		knng_proof_free(proof);
	return status;
}

knng_status
knng_verify(knng_task *task, const knng_question *q, const knng_output *table, int64_t sample, uint64_t seed,
	    knng_proof *proof, knng_err *err)
{
	const knng_table_rows rows = knng_all_rows(table);
	return knng_verify_rows(task, q, &rows, sample, seed, proof, err);
}
