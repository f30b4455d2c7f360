#include "graph/adjacency.h"
#include "base/sort.h"
#include "base/sys.h"
#include "base/table.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
	WORTH = 1 << 15, /* entries that make a thread worth waking */
	COLUMNS = 1024,  /* a job */
	ROWS = 16,       /* of a table, read together */
	LOOK = 1 << 16,  /* entries between two looks for Ctrl-C, some milliseconds */
};

/* In a loop over `total` things: now and then, every `step` of them, whether the user wants to stop. */
static inline knng_status
look_up(knng_task *task, int64_t step, int64_t i, int64_t total, knng_err *err)
{
	return i % step == 0 ? knng_task_step(task, (double)i / (double)total, err) : KNNG_OK;
}

/* ---------------------------------------------------------------- tables to columns */

/* A table's neighbour c of row i counts in *edges if there is one. */
static knng_status
check_entry(const knng_output *table, int64_t i, int64_t c, int64_t columns, int64_t *edges, knng_err *err)
{
	double j = knng_table_index(table, i, c), d = knng_table_distance(table, i, c);
	if (!(j >= 0 && j <= (double)columns) || j != (double)(int64_t)j)
		return knng_fail(err, KNNG_EARGS, "knng:args:idx",
				 "idx(%lld,%lld) is %.17g: it must be the number of a row, 1 … %lld, or 0 for none",
				 (long long)(i + 1), (long long)(c + 1), j, (long long)columns);
	if (j > 0 && !(d >= 0))
		return knng_fail(err, KNNG_EARGS, "knng:args:dist",
				 "dist(%lld,%lld) is %g, of a neighbour: it must be 0 or more", (long long)(i + 1),
				 (long long)(c + 1), d);
	*edges += j > 0;
	return KNNG_OK;
}

/* A run that looks for faults; which one is the first is found out afterwards, whatever the number of threads. */
typedef struct {
	const knng_output *table;
	int64_t m, k, columns;
	const knng_sparse *A;
	atomic_llong edges;
	atomic_bool faulty;
} checking;

static knng_status
check_job(void *context, int worker, int64_t job, knng_err *err)
{
	(void)worker, (void)err;
	checking *t = context;
	knng_part rows = knng_part_of(job, COLUMNS, t->m);
	int64_t edges = 0;
	for (int64_t c = 0; c < t->k; c++)
		for (int64_t i = rows.first; i < rows.end; i++)
			if (check_entry(t->table, i, c, t->columns, &edges, NULL) != KNNG_OK) {
				t->faulty = true;
				return KNNG_OK;
			}
	t->edges += edges;
	return KNNG_OK;
}

knng_status
knng_adjacency_count(knng_task *task, const knng_output *table, int64_t m, int64_t k, int64_t columns, int64_t *edges,
		     knng_err *err)
{
	checking t = {.table = table, .m = m, .k = k, .columns = columns};
	int threads = knng_task_threads_for(task, (double)m * (double)k, WORTH);
	knng_status status = knng_task_run(task, threads, knng_parts(COLUMNS, m), check_job, &t, err);
	*edges = t.edges;
	for (int64_t c = 0; t.faulty && c < k; c++)
		for (int64_t i = 0; i < m && status == KNNG_OK; i++)
			if ((status = look_up(task, LOOK, c * m + i, m * k, err)) == KNNG_OK)
				status = check_entry(table, i, c, columns, edges, err);
	return status;
}

/* A run that sorts entries by the columns to which they go. Each job has some of the rows where they come from, and
 * places of its own in every column, behind those of the jobs before it: so every column is filled in order, and the
 * same by any number of jobs. */
typedef struct {
	knng_task *task;
	const knng_output *table;     /* m x k, or NULL */
	const knng_sparse *from;      /* whose columns become rows */
	int64_t m, k, jobs, together; /* rows of a table that a job has at hand */
	bool counts;                  /* how many go to each column; else they go there */
	knng_sparse *to;
	size_t *places; /* [jobs * columns] */
	size_t *column; /* [jobs * together * k] of these */
	double *value;
} filling;

/* In a job, now and then, at the i-th of its things. */
static inline knng_status
look_from(const filling *f, int worker, int64_t i, knng_part part, knng_err *err)
{
	if ((i - part.first) % COLUMNS != 0)
		return KNNG_OK;
	double done = (double)(i - part.first) / (double)(part.end - part.first);
	return worker > 0 ? knng_task_poll(f->task, err) : knng_task_step(f->task, done, err);
}

/* The places of a job: how many of its entries go to each column, or where the next one goes. */
static size_t *
places_of(const filling *f, int64_t job)
{
	int64_t n = f->to->columns;
	size_t *places = f->places + job * n;
	for (int64_t j = 0; j < n; j++)
		places[j] = f->counts ? 0 : f->to->start[j] + places[j];
	return places;
}

/* The entries of row i. They go to places far apart, each a wait for memory: so some are asked for at once. */
static void
put(const filling *f, size_t *places, size_t i, const size_t *column, const double *value, size_t count)
{
	enum { AHEAD = 32 };
	size_t at[AHEAD], some;
	for (size_t e = 0; e < count && f->counts; e++)
		places[column[e]]++;
	for (size_t e = 0; e < count && !f->counts; e += some) {
		some = count - e < AHEAD ? count - e : AHEAD;
		for (size_t a = 0; a < some; a++) {
			at[a] = places[column[e + a]]++;
			__builtin_prefetch(&f->to->row[at[a]], 1);
			__builtin_prefetch(&f->to->value[at[a]], 1);
		}
		for (size_t a = 0; a < some; a++) {
			f->to->row[at[a]] = i;
			f->to->value[at[a]] = value[e + a];
		}
	}
}

/* A row of a table is as long in memory as the table: so some are read at a time, column by column. */
static knng_status
rows_job(void *context, int worker, int64_t job, knng_err *err)
{
	const filling *f = context;
	size_t *places = places_of(f, job), *column = f->column + job * f->together * f->k, count[ROWS];
	double *value = f->value + job * f->together * f->k;
	knng_part mine = {f->m * job / f->jobs, f->m * (job + 1) / f->jobs};
	knng_status status = KNNG_OK;
	for (int64_t first = mine.first; first < mine.end; first += f->together) {
		int64_t rows = mine.end - first < f->together ? mine.end - first : f->together;
		if ((status = look_from(f, worker, first, mine, err)) != KNNG_OK)
			break;
		memset(count, 0, sizeof count);
		for (int64_t c = 0; c < f->k; c++)
			for (int64_t i = 0; i < rows; i++) {
				int64_t j = (int64_t)knng_table_index(f->table, first + i, c);
				if (j == 0)
					continue;
				size_t at = (size_t)(i * f->k) + count[i]++;
				column[at] = (size_t)j - 1;
				if (!f->counts)
					value[at] = knng_table_distance(f->table, first + i, c);
			}
		for (int64_t i = 0; i < rows; i++)
			put(f, places, (size_t)(first + i), column + i * f->k, value + i * f->k, count[i]);
	}
	return status;
}

/* The first column behind a share of job/jobs of the entries. */
static int64_t
column_from(const filling *f, int64_t job)
{
	const size_t *start = f->from->start;
	int64_t low = 0, high = f->from->columns;
	double before = (double)start[high] / (double)f->jobs * (double)job;
	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		if ((double)start[middle] < before)
			low = middle + 1;
		else
			high = middle;
	}
	return job < f->jobs ? low : f->from->columns;
}

static knng_status
turn_job(void *context, int worker, int64_t job, knng_err *err)
{
	const filling *f = context;
	const knng_sparse *from = f->from;
	size_t *places = places_of(f, job);
	knng_part mine = {column_from(f, job), column_from(f, job + 1)};
	knng_status status = KNNG_OK;
	for (int64_t j = mine.first; j < mine.end && (status = look_from(f, worker, j, mine, err)) == KNNG_OK; j++) {
		size_t e = from->start[j];
		put(f, places, (size_t)j, from->row + e, from->value + e, from->start[j + 1] - e);
	}
	return status;
}

/* What the jobs counted in some columns becomes how far from its start each begins, and the length of the columns. */
static knng_status
places_job(void *context, int worker, int64_t job, knng_err *err)
{
	(void)worker, (void)err;
	const filling *f = context;
	int64_t n = f->to->columns;
	knng_part part = knng_part_of(job, COLUMNS, n);
	for (int64_t j = part.first; j < part.end; j++)
		f->to->start[j + 1] = 0;
	for (int64_t i = 0; i < f->jobs; i++)
		for (int64_t j = part.first; j < part.end; j++) {
			size_t count = f->places[i * n + j];
			f->places[i * n + j] = f->to->start[j + 1];
			f->to->start[j + 1] += count;
		}
	return KNNG_OK;
}

static knng_status
count_and_fill(filling *f, int threads, knng_job *job, knng_err *err)
{
	int64_t n = f->to->columns;
	f->counts = true;
	knng_status status = knng_task_run(f->task, threads, f->jobs, job, f, err);
	if (status == KNNG_OK)
		status = knng_task_run(f->task, threads, knng_parts(COLUMNS, n), places_job, f, err);
	if (status != KNNG_OK)
		return status;
	f->to->start[0] = 0;
	knng_add_up(f->to->start, n);
	f->counts = false;
	return knng_task_run(f->task, threads, f->jobs, job, f, err);
}

/* As many jobs as there are threads, but few where columns are short: their places are no more than a quarter of what
 * is filled. */
static void
share_out(filling *f, int threads, double entries, int64_t columns)
{
	double most = entries / 2 / (double)(columns > 0 ? columns : 1);
	f->jobs = most < 1 ? 1 : most < threads ? (int64_t)most : threads;
	f->together = (f->m + f->jobs - 1) / f->jobs;
	f->together = f->together < ROWS ? f->together : ROWS;
}

double
knng_fill_bytes(const knng_task *task, int64_t m, int64_t k, double entries, int64_t columns)
{
	filling f = {.m = m, .k = k};
	share_out(&f, knng_task_threads_for(task, entries, WORTH), entries, columns);
	return (double)f.jobs * (8.0 * (double)columns + 16.0 * (double)f.together * (double)k);
}

static knng_status
fill_columns(filling *f, double entries, knng_job *job, knng_err *err)
{
	int threads = knng_task_threads_for(f->task, entries, WORTH);
	int64_t n = f->to->columns;
	share_out(f, threads, entries, n);
	int64_t rows = f->jobs * f->together * f->k;
	f->places = knng_alloc(f->jobs * n, sizeof *f->places);
	f->column = knng_alloc(rows, sizeof *f->column);
	f->value = knng_alloc(rows, sizeof *f->value);
	knng_status status = KNNG_OK;
	if (f->places == NULL || f->column == NULL || f->value == NULL)
		status = knng_fail_memory(err, "the edges of the graph",
					  knng_fill_bytes(f->task, f->m, f->k, entries, n));
	else
		status = count_and_fill(f, threads, job, err);
	knng_free(f->places);
	knng_free(f->column);
	knng_free(f->value);
	return status;
}

/* The first entry of column j that the one before it equals; its end if there is none. */
static size_t
entry_twice(const knng_sparse *A, int64_t j)
{
	size_t e = A->start[j] + 1;
	while (e < A->start[j + 1] && A->row[e] != A->row[e - 1])
		e++;
	return e < A->start[j + 1] ? e : A->start[j + 1];
}

static knng_status
twice_job(void *context, int worker, int64_t job, knng_err *err)
{
	(void)worker, (void)err;
	checking *t = context;
	knng_part part = knng_part_of(job, COLUMNS, t->A->columns);
	for (int64_t j = part.first; j < part.end && !t->faulty; j++)
		if (entry_twice(t->A, j) < t->A->start[j + 1])
			t->faulty = true;
	return KNNG_OK;
}

knng_status
knng_adjacency_fill(knng_task *task, const knng_output *table, int64_t m, int64_t k, knng_sparse *A, knng_err *err)
{
	double entries = (double)m * (double)k;
	filling f = {.task = task, .table = table, .m = m, .k = k, .to = A};
	checking t = {.A = A};
	knng_status status = fill_columns(&f, entries, rows_job, err);
	if (status == KNNG_OK)
		status = knng_task_run(task, knng_task_threads_for(task, entries, WORTH),
				       knng_parts(COLUMNS, A->columns), twice_job, &t, err);
	for (int64_t j = 0; t.faulty && j < A->columns && status == KNNG_OK; j++) {
		size_t e = entry_twice(A, j);
		if (e < A->start[j + 1])
			status = knng_fail(err, KNNG_EARGS, "knng:args:idx", "row %zu of idx lists row %lld twice",
					   A->row[e] + 1, (long long)(j + 1));
	}
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
