#include "graph/adjacency.h"
#include "base/sort.h"
#include "base/sys.h"
#include "base/table.h"

#include <math.h>
#include <string.h>

enum {
	WORTH = 1 << 15, /* entries that make a thread worth waking */
	COLUMNS = 1024,  /* a job */
	LOOK = 1 << 16,  /* entries between two looks for Ctrl-C, some milliseconds */
};

/* In a loop over `total` things: now and then, every `step` of them, whether the user wants to stop. */
static inline knng_status
look_up(knng_task *task, int64_t step, int64_t i, int64_t total, knng_err *err)
{
	return i % step == 0 ? knng_task_step(task, (double)i / (double)total, err) : KNNG_OK;
}

/* ---------------------------------------------------------------- tables to columns */

knng_status
knng_adjacency_count(knng_task *task, const knng_output *table, int64_t m, int64_t k, int64_t columns, int64_t *edges,
		     knng_err *err)
{
	knng_status status = KNNG_OK;
	*edges = 0;
	for (int64_t c = 0; c < k; c++)
		for (int64_t i = 0; i < m; i++) {
			if ((status = look_up(task, LOOK, c * m + i, m * k, err)) != KNNG_OK)
				return status;
			double j = knng_table_index(table, i, c), d = knng_table_distance(table, i, c);
			if (!(j >= 0 && j <= (double)columns) || j != (double)(int64_t)j)
				return knng_fail(err, KNNG_EARGS, "knng:args:idx",
						 "idx(%lld,%lld) is %.17g: it must be the number of a row, 1 … %lld, "
						 "or 0 for none",
						 (long long)(i + 1), (long long)(c + 1), j, (long long)columns);
			if (j > 0 && !(d >= 0))
				return knng_fail(err, KNNG_EARGS, "knng:args:dist",
						 "dist(%lld,%lld) is %g, of a neighbour: it must be 0 or more",
						 (long long)(i + 1), (long long)(c + 1), d);
			*edges += j > 0;
		}
	return status;
}

/* A run over the columns that are filled: each job has some of them, and goes through all that may lead there. */
typedef struct {
	knng_task *task;
	const knng_output *table; /* m x k, or NULL */
	const knng_sparse *from;
	int64_t m, k, jobs;
	bool counts; /* how long the columns become; else they are filled */
	knng_sparse *to;
} filling;

/* In a job, at the i-th of all things that it goes through. */
static inline knng_status
look_from(const filling *f, int worker, int64_t i, int64_t all, knng_err *err)
{
	if (i % COLUMNS != 0)
		return KNNG_OK;
	double done = (double)i / (double)all;
	return worker > 0 ? knng_task_poll(f->task, err) : knng_task_step(f->task, done, err);
}

static knng_part
columns_of(const filling *f, int64_t job)
{
	int64_t n = f->to->columns;
	return (knng_part){n / f->jobs * job + n % f->jobs * job / f->jobs,
			   n / f->jobs * (job + 1) + n % f->jobs * (job + 1) / f->jobs};
}

/* Rows ascend, so every column fills in order. */
static knng_status
rows_job(void *context, int worker, int64_t job, knng_err *err)
{
	const filling *f = context;
	knng_sparse *A = f->to;
	knng_part mine = columns_of(f, job);
	knng_status status = KNNG_OK;
	for (int64_t i = 0; i < f->m && (status = look_from(f, worker, i, f->m, err)) == KNNG_OK; i++)
		for (int64_t c = 0; c < f->k; c++) {
			int64_t j = (int64_t)knng_table_index(f->table, i, c) - 1;
			if (j < mine.first || j >= mine.end)
				continue;
			if (f->counts) {
				A->start[j + 1]++;
				continue;
			}
			size_t at = A->start[j]++;
			A->row[at] = (size_t)i;
			A->value[at] = knng_table_distance(f->table, i, c);
		}
	return status;
}

/* The first entry of [low, high) whose row is `row` or behind it. */
static size_t
entry_from(const size_t *rows, size_t low, size_t high, size_t row)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (rows[middle] < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static knng_status
turn_job(void *context, int worker, int64_t job, knng_err *err)
{
	const filling *f = context;
	const knng_sparse *from = f->from;
	knng_sparse *to = f->to;
	knng_part mine = columns_of(f, job);
	knng_status status = KNNG_OK;
	for (int64_t j = 0; j < from->columns; j++) {
		if ((status = look_from(f, worker, j, from->columns, err)) != KNNG_OK)
			return status;
		size_t end = from->start[j + 1], e = from->start[j];
		if (mine.first > 0)
			e = entry_from(from->row, e, end, (size_t)mine.first);
		for (; e < end && from->row[e] < (size_t)mine.end; e++) {
			size_t i = from->row[e];
			if (f->counts) {
				to->start[i + 1]++;
				continue;
			}
			size_t at = to->start[i]++;
			to->row[at] = (size_t)j;
			to->value[at] = from->value[e];
		}
	}
	return status;
}

/* Counts, and then fills; a column's start moves to its end meanwhile. */
static knng_status
fill_columns(filling *f, double entries, knng_job *job, knng_err *err)
{
	knng_sparse *to = f->to;
	f->jobs = knng_task_threads_for(f->task, entries, WORTH);
	for (int64_t i = 0; i <= to->columns; i++)
		to->start[i] = 0;
	f->counts = true;
	knng_status status = knng_task_run(f->task, (int)f->jobs, f->jobs, job, f, err);
	if (status != KNNG_OK)
		return status;
	knng_add_up(to->start, to->columns);
	f->counts = false;
	status = knng_task_run(f->task, (int)f->jobs, f->jobs, job, f, err);
	if (status == KNNG_OK)
		knng_step_back(to->start, to->columns);
	return status;
}

knng_status
knng_adjacency_fill(knng_task *task, const knng_output *table, int64_t m, int64_t k, knng_sparse *A, knng_err *err)
{
	filling f = {.task = task, .table = table, .m = m, .k = k, .to = A};
	knng_status status = fill_columns(&f, (double)m * (double)k, rows_job, err);
	if (status != KNNG_OK)
		return status;
	for (int64_t j = 0; j < A->columns && (status = look_up(task, COLUMNS, j, A->columns, err)) == KNNG_OK; j++)
		for (size_t e = A->start[j] + 1; e < A->start[j + 1]; e++)
			if (A->row[e] == A->row[e - 1])
				return knng_fail(err, KNNG_EARGS, "knng:args:idx",
						 "row %zu of idx lists row %lld twice", A->row[e] + 1,
						 (long long)(j + 1));
	return status;
}

knng_status
knng_sparse_transpose(knng_task *task, const knng_sparse *from, knng_sparse *to, knng_err *err)
{
	filling f = {.task = task, .from = from, .to = to};
	to->rows = from->columns;
	to->columns = from->rows;
	return fill_columns(&f, (double)from->start[from->columns], turn_job, err);
}

/* Keys ascend as the values do; 0 and -0 are one, NaN is last. */
static uint64_t
key_of(double x)
{
	uint64_t bits, sign = UINT64_C(1) << 63;
	if (isnan(x))
		return UINT64_MAX;
	x += 0.0;
	memcpy(&bits, &x, sizeof bits);
	return bits & sign ? ~bits : bits | sign;
}

/* The distance, 0 or more, of a key. */
static double
distance_of(uint64_t key)
{
	double x;
	key &= ~(UINT64_C(1) << 63);
	memcpy(&x, &key, sizeof x);
	return x;
}

knng_status
knng_sparse_trim(knng_task *task, knng_sparse *A, int64_t k, knng_err *err)
{
	knng_status status = KNNG_OK;
	size_t most = 0, to = 0, end = A->start[0];
	for (int64_t j = 0; j < A->columns; j++)
		most = A->start[j + 1] - A->start[j] > most ? A->start[j + 1] - A->start[j] : most;
	uint64_t *keys = knng_alloc((int64_t)most, sizeof *keys);
	if (keys == NULL)
		return knng_fail_memory(err, "the edges of a row", 8.0 * (double)most);
	for (int64_t j = 0; j < A->columns && (status = look_up(task, COLUMNS, j, A->columns, err)) == KNNG_OK; j++) {
		size_t begin = end, count = A->start[j + 1] - begin, equal = count;
		uint64_t last = UINT64_MAX; /* what is less is kept, and of what is equal the first */
		end = A->start[j + 1];
		if ((int64_t)count > k) {
			for (size_t e = 0; e < count; e++)
				keys[e] = key_of(A->value[begin + e]);
			knng_nth(keys, (int64_t)count, k);
			last = keys[k - 1];
			equal = (size_t)k;
			for (int64_t e = 0; e < k; e++)
				equal -= keys[e] < last;
		}
		for (size_t e = begin; e < end; e++) {
			uint64_t key = key_of(A->value[e]);
			if (key > last || (key == last && equal == 0))
				continue;
			equal -= key == last;
			A->row[to] = A->row[e];
			A->value[to++] = A->value[e];
		}
		A->start[j + 1] = to;
	}
	knng_free(keys);
	return status;
}

/* ---------------------------------------------------------------- weights */

static double
itself(const knng_weighing *w, double d, size_t i, size_t j)
{
	(void)w, (void)i, (void)j;
	return d;
}

static double
one(const knng_weighing *w, double d, size_t i, size_t j)
{
	(void)w, (void)d, (void)i, (void)j;
	return 1;
}

static double
from_one(const knng_weighing *w, double d, size_t i, size_t j)
{
	(void)w, (void)i, (void)j;
	return 1 - d;
}

static double
reciprocal(const knng_weighing *w, double d, size_t i, size_t j)
{
	(void)w, (void)i, (void)j;
	return 1 / (1 + d);
}

static double
gaussian(const knng_weighing *w, double d, size_t i, size_t j)
{
	return knng_gaussian(d, w->scale[i], w->scale[j]);
}

/* Whether node i has the neighbour j. */
static bool
is_listed(const knng_sparse *lists, size_t i, size_t j)
{
	size_t low = lists->start[i], high = lists->start[i + 1];
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (lists->row[middle] < j)
			low = middle + 1;
		else
			high = middle;
	}
	return low < lists->start[i + 1] && lists->row[low] == j;
}

/* How many neighbours i and j have in common. The shorter list is read: a node that is everybody's neighbour may have
 * everybody in its own. */
static double
in_common(const knng_weighing *w, double d, size_t i, size_t j)
{
	const knng_sparse *lists = w->lists;
	const size_t *start = lists->start;
	int64_t shared = 0;
	(void)d;
	if (start[i + 1] - start[i] <= start[j + 1] - start[j])
		for (size_t e = start[i]; e < start[i + 1]; e++)
			shared += w->marks[lists->row[e]];
	else
		for (size_t e = start[j]; e < start[j + 1]; e++)
			shared += is_listed(lists, i, lists->row[e]);
	return (double)shared;
}

static double
jaccard(const knng_weighing *w, double d, size_t i, size_t j)
{
	const size_t *start = w->lists->start;
	double shared = in_common(w, d, i, j);
	double all = (double)(start[i + 1] - start[i]) + (double)(start[j + 1] - start[j]) - shared;
	return all > 0 ? shared / all : 0;
}

const knng_weight knng_weights[] = {
	{"distance", itself, itself, KNNG_TAKES_NOTHING}, {"similarity", reciprocal, from_one, KNNG_TAKES_NOTHING},
	{"binary", one, one, KNNG_TAKES_NOTHING},         {"gaussian", gaussian, gaussian, KNNG_TAKES_SCALE},
	{"jaccard", jaccard, jaccard, KNNG_TAKES_LISTS},  {"snn", in_common, in_common, KNNG_TAKES_LISTS},
	{NULL, NULL, NULL, KNNG_TAKES_NOTHING},
};

/* The smallest distance above 0 among the entries of a column. */
static double
least_of(const knng_sparse *A, int64_t j)
{
	double least = INFINITY;
	for (size_t e = A->start[j]; e < A->start[j + 1]; e++)
		if (A->value[e] > DBL_MIN)
			least = fmin(least, A->value[e]);
	return least;
}

static double
scale_of(const knng_sparse *D, const knng_sparse *T, int64_t m, int64_t i, uint64_t *keys)
{
	int64_t count = 0;
	double scale = 0;
	for (size_t e = T->start[i]; e < T->start[i + 1]; e++)
		if (T->value[e] < INFINITY)
			keys[count++] = key_of(T->value[e]);
	if (count > 0) {
		int64_t nth = m < count ? m : count;
		knng_nth(keys, count, nth);
		scale = knng_read_distance(distance_of(keys[nth - 1]));
	}
	if (scale == 0)
		scale = fmin(least_of(T, i), least_of(D, i));
	return scale < INFINITY ? scale : 1;
}

typedef struct {
	knng_task *task;
	const knng_sparse *D, *T;
	int64_t m, most;
	uint64_t *keys; /* [threads * most] */
	double *scale;
} scaling;

static knng_status
scales_job(void *context, int worker, int64_t job, knng_err *err)
{
	const scaling *s = context;
	knng_status status = KNNG_OK;
	knng_part nodes = knng_part_of(job, COLUMNS, s->T->columns);
	for (int64_t i = nodes.first; i < nodes.end && (status = knng_task_poll(s->task, err)) == KNNG_OK; i++)
		s->scale[i] = scale_of(s->D, s->T, s->m, i, s->keys + worker * s->most);
	return status;
}

knng_status
knng_neighbour_scales(knng_task *task, const knng_sparse *D, const knng_sparse *T, int64_t m, double *scale,
		      knng_err *err)
{
	int threads = knng_weigh_threads(task, (double)T->start[T->columns]);
	scaling s = {.task = task, .D = D, .T = T, .m = m, .scale = scale};
	for (int64_t i = 0; i < T->columns; i++) {
		int64_t entries = (int64_t)(T->start[i + 1] - T->start[i]);
		s.most = entries > s.most ? entries : s.most;
	}
	s.keys = knng_alloc(threads * s.most, sizeof *s.keys);
	if (s.keys == NULL)
		return knng_fail_memory(err, "the scales of the nodes", 8.0 * threads * (double)s.most);
	knng_status status = knng_task_run(task, threads, knng_parts(COLUMNS, T->columns), scales_job, &s, err);
	knng_free(s.keys);
	return status;
}

knng_status
knng_median_distance(knng_task *task, const knng_sparse *D, double *median, knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t entries = (int64_t)D->start[D->columns], count = 0;
	uint64_t *keys = knng_alloc(entries, sizeof *keys);
	if (keys == NULL)
		return knng_fail_memory(err, "the median distance", 8.0 * (double)entries);
	for (int64_t e = 0; e < entries && (status = look_up(task, LOOK, e, entries, err)) == KNNG_OK; e++)
		if (D->value[e] > DBL_MIN && D->value[e] < INFINITY)
			keys[count++] = key_of(D->value[e]);
	*median = 1;
	if (status == KNNG_OK && count > 0) {
		knng_nth(keys, count, (count + 1) / 2);
		*median = distance_of(keys[(count + 1) / 2 - 1]);
	}
	knng_free(keys);
	return status;
}

/* The weighing of column j by this worker; `mark` is 1 before and 0 after it. */
static knng_weighing
of_column(const knng_weighing *w, int worker, int64_t j, uint8_t mark)
{
	knng_weighing here = *w;
	if (w->lists != NULL) {
		here.marks += worker * w->lists->columns;
		for (size_t e = w->lists->start[j]; e < w->lists->start[j + 1]; e++)
			here.marks[w->lists->row[e]] = mark;
	}
	return here;
}

static double
write_weight(double w)
{
	return fabs(w) < DBL_MIN ? DBL_MIN : w;
}

/* A run over columns: what is read and made. */
typedef struct {
	knng_task *task;
	const knng_sparse *D, *T;
	knng_symmetry rule;
	const knng_weighing *w;
	size_t *start;
	knng_sparse *A;
} columns;

int
knng_weigh_threads(const knng_task *task, double entries)
{
	return knng_task_threads_for(task, entries, WORTH);
}

static knng_status
weigh_job(void *context, int worker, int64_t job, knng_err *err)
{
	const columns *c = context;
	knng_status status = KNNG_OK;
	knng_sparse *A = c->A;
	knng_part part = knng_part_of(job, COLUMNS, A->columns);
	for (int64_t j = part.first; j < part.end && (status = knng_task_poll(c->task, err)) == KNNG_OK; j++) {
		knng_weighing here = of_column(c->w, worker, j, 1);
		for (size_t e = A->start[j]; e < A->start[j + 1]; e++)
			A->value[e] =
				write_weight(here.of(&here, knng_read_distance(A->value[e]), A->row[e], (size_t)j));
		of_column(c->w, worker, j, 0);
	}
	return status;
}

/* As many as there are marks for. */
static int
threads_of(const knng_task *task, const knng_weighing *w, const knng_sparse *A)
{
	return w->threads > 0 ? w->threads : knng_weigh_threads(task, (double)A->start[A->columns]);
}

knng_status
knng_adjacency_weigh(knng_task *task, knng_sparse *A, const knng_weighing *w, knng_err *err)
{
	columns c = {.task = task, .A = A, .w = w};
	return knng_task_run(task, threads_of(task, w, A), knng_parts(COLUMNS, A->columns), weigh_job, &c, err);
}

/* ---------------------------------------------------------------- symmetric matrices */

const char *const knng_symmetry_names[] = {"none", "union", "mutual", "mean", NULL};

/* The entries of column j of the result, into row and value if they are given; returns how many. Both columns ascend,
 * so they are merged. */
static size_t
merge(const knng_sparse *D, const knng_sparse *T, int64_t j, knng_symmetry rule, const knng_weighing *w, size_t *row,
      double *value)
{
	size_t a = D->start[j], b = T->start[j], count = 0;
	while (a < D->start[j + 1] || b < T->start[j + 1]) {
		bool there = b == T->start[j + 1] || (a < D->start[j + 1] && D->row[a] <= T->row[b]);
		bool back = a == D->start[j + 1] || (b < T->start[j + 1] && T->row[b] <= D->row[a]);
		if (rule != KNNG_MUTUAL || (there && back)) {
			if (row != NULL) {
				double x = there ? knng_read_distance(D->value[a]) : INFINITY;
				double y = back ? knng_read_distance(T->value[b]) : INFINITY;
				size_t i = there ? D->row[a] : T->row[b], to = (size_t)j;
				row[count] = i;
				value[count] = write_weight(
					rule == KNNG_MEAN
						? ((there ? w->of(w, x, i, to) : 0) + (back ? w->of(w, y, i, to) : 0)) /
							  2
						: w->of(w, rule == KNNG_UNION ? fmin(x, y) : fmax(x, y), i, to));
			}
			count++;
		}
		a += there;
		b += back;
	}
	return count;
}

static knng_status
count_job(void *context, int worker, int64_t job, knng_err *err)
{
	(void)worker, (void)err;
	const columns *c = context;
	knng_part part = knng_part_of(job, COLUMNS, c->D->columns);
	for (int64_t j = part.first; j < part.end; j++)
		c->start[j + 1] = merge(c->D, c->T, j, c->rule, NULL, NULL, NULL);
	return KNNG_OK;
}

static knng_status
fill_job(void *context, int worker, int64_t job, knng_err *err)
{
	const columns *c = context;
	knng_status status = KNNG_OK;
	knng_part part = knng_part_of(job, COLUMNS, c->D->columns);
	for (int64_t j = part.first; j < part.end && (status = knng_task_poll(c->task, err)) == KNNG_OK; j++) {
		knng_weighing here = of_column(c->w, worker, j, 1);
		size_t first = c->A->start[j];
		merge(c->D, c->T, j, c->rule, &here, c->A->row + first, c->A->value + first);
		of_column(c->w, worker, j, 0);
	}
	return status;
}

knng_status
knng_symmetric_count(knng_task *task, const knng_sparse *D, const knng_sparse *T, knng_symmetry rule, size_t *start,
		     knng_err *err)
{
	columns c = {.task = task, .D = D, .T = T, .rule = rule, .start = start};
	knng_status status = knng_task_run(task, knng_weigh_threads(task, (double)D->start[D->columns]),
					   knng_parts(COLUMNS, D->columns), count_job, &c, err);
	start[0] = 0;
	if (status == KNNG_OK)
		knng_add_up(start, D->columns);
	return status;
}

knng_status
knng_symmetric_fill(knng_task *task, const knng_sparse *D, const knng_sparse *T, knng_symmetry rule,
		    const knng_weighing *w, knng_sparse *A, knng_err *err)
{
	columns c = {.task = task, .D = D, .T = T, .rule = rule, .w = w, .A = A};
	return knng_task_run(task, threads_of(task, w, D), knng_parts(COLUMNS, D->columns), fill_job, &c, err);
}
