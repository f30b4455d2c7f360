#include "search/range.h"
#include "base/put.h"

#include <math.h>
#include <string.h>

enum {
	FEWEST = 1 << 9, /* pairs of a worker's first chunk; each has twice as many as the one before, */
	MOST = 1 << 16,  /* up to so many */
	POINTS = 256,    /* that a job sorts */
	ROWS = 1024,     /* that a job writes */
};

/* ---------------------------------------------------------------- memory */

/* Of so many pairs while they are laid out: in their chunks, and where they go to. */
static double
bytes_of(double pairs)
{
	return 2 * sizeof(knng_near) * pairs;
}

double
knng_range_bytes(double pairs, double rows, int threads)
{
	double worker = sizeof(knng_range_part) + MOST * sizeof(knng_near) + 4096; /* a chunk that is not full yet */
	return bytes_of(pairs) * (1 + 0x1p-10) + rows * 16 + threads * worker + 4096;
}

static knng_status
refuse(const knng_range *f, double pairs, double bytes, double free, knng_err *err)
{
	if (f->asked > 0 && free < 0)
		return knng_fail(err, KNNG_EARGS, "knng:args:maxMemory",
				 "'MaxMemory' is %.0f bytes, and the %.0f pairs within the radius %g that were found "
				 "need %.0f beside the rest of the search: give it more, or take a smaller radius, or "
				 "fewer rows at once",
				 f->asked, pairs, f->radius, bytes);
	return knng_fail(err, KNNG_EMEMORY, "knng:memory:host",
			 "%.0f pairs were found within the radius %g: they need %.1f MB more, and nine tenths of the "
			 "%.1f MB that the machine, or its container, has available are to be used: take a smaller "
			 "radius, or fewer rows at once, or ask for the k nearest, as knngraph and knng.knnsearch do",
			 pairs, f->radius, bytes * 1e-6, free * 1e-6);
}

static knng_status
fail_memory(const knng_range *f, double pairs, knng_err *err)
{
	return knng_fail(err, KNNG_EMEMORY, "knng:memory:host",
			 "no memory is to be had for more than %.0f pairs within the radius %g: take a smaller radius, "
			 "or fewer rows at once, or ask for the k nearest, as knngraph and knng.knnsearch do",
			 pairs, f->radius);
}

knng_status
knng_range_want(const knng_range *f, double pairs, knng_err *err)
{
	if (f->most == 0 || pairs <= (double)f->most)
		return KNNG_OK;
	return knng_fail(err, KNNG_EARGS, "knng:args:radius", "more than %lld pairs lie within the radius %g",
			 (long long)f->most, f->radius);
}

/* Whether there is memory for so many pairs: for the search's `own` bytes, of which it holds some already, and for what
 * the caller makes of them. */
static knng_status
afford(const knng_range *f, double pairs, double own, double held, double made, knng_err *err)
{
	double free = knng_memory_available(), more = fmax(own, made) - held;
	if (own > f->limit)
		return refuse(f, pairs, own, -1, err);
	if (free > 0 && more > 0.9 * free)
		return refuse(f, pairs, more, free, err);
	return KNNG_OK;
}

static void
drop_chunks(knng_range_part *part)
{
	for (knng_chunk *c = part->chunk, *before; c != NULL; c = before) {
		before = c->before;
		knng_free(c);
	}
	part->chunk = NULL;
}

void
knng_range_close(knng_range *f)
{
	for (int t = 0; t < f->parts; t++)
		drop_chunks(&f->part[t]);
	for (int64_t c = 0; c < f->chunks; c++)
		knng_free(f->chunk[c]);
	knng_free(f->chunk);
	knng_free(f->part);
	knng_free(f->pairs);
	knng_free(f->first);
	knng_free(f->count);
	if (!f->lent)
		knng_points_close(&f->x);
	knng_points_close(&f->y);
	*f = (knng_range){
		.radius = f->radius, .most = f->most, .bytes_a_pair = f->bytes_a_pair, .bytes_a_row = f->bytes_a_row};
}

knng_status
knng_range_open(knng_range *f, int workers, double limit, double asked, knng_err *err)
{
	knng_range_close(f);
	f->limit = limit;
	f->asked = asked;
	f->part = knng_calloc(workers, sizeof *f->part);
	f->parts = f->part != NULL ? workers : 0;
	return f->part != NULL ? KNNG_OK
			       : knng_fail_memory(err, "the pairs that are found", (double)workers * sizeof *f->part);
}

/* ---------------------------------------------------------------- finding */

bool
knng_range_more(knng_range *f, knng_range_part *part)
{
	int64_t room = part->chunk == NULL ? FEWEST : 2 * part->chunk->room;
	if (part->status != KNNG_OK)
		return false;
	room = room < MOST ? room : (int64_t)MOST;
	double pairs = (double)(__atomic_add_fetch(&f->points, room, __ATOMIC_RELAXED));
	double held = (pairs - (double)room) * sizeof(knng_near);
	part->status = knng_range_want(f, pairs - (double)f->parts * MOST, &part->err); /* chunks are not full yet */
	if (part->status == KNNG_OK && (room == MOST || bytes_of(pairs) > f->limit))    /* else too few to ask for */
		part->status = afford(f, pairs, bytes_of(pairs), held, pairs * f->bytes_a_pair, &part->err);
	knng_chunk *chunk =
		part->status == KNNG_OK ? knng_alloc(1, sizeof *chunk + (size_t)room * sizeof *chunk->near) : NULL;
	if (chunk == NULL && part->status == KNNG_OK)
		part->status = fail_memory(f, pairs, &part->err);
	if (chunk == NULL)
		return false;
	*chunk = (knng_chunk){.before = part->chunk, .room = room};
	part->chunk = chunk;
	return true;
}

knng_status
knng_range_status(const knng_range *f, int worker, knng_err *err)
{
	const knng_range_part *part = &f->part[worker];
	if (part->status != KNNG_OK && err != NULL)
		*err = part->err;
	return part->status;
}

/* ---------------------------------------------------------------- laying out */

static const knng_points *
queries_of(const knng_range *f)
{
	return f->graph ? &f->x : &f->y;
}

static int64_t
members(const knng_points *x, int32_t point)
{
	return x->first[point + 1] - x->first[point];
}

/* Whether every row is a point of its own, so that no member has to be looked up. */
static bool
all_differ(const knng_points *x)
{
	return x->count == x->rows;
}

/* What the steps after the search share. */
typedef struct {
	knng_range *f;
	knng_task *task;
	int threads, sorters;  /* of the threads, those that find work when pairs are sorted */
	int64_t queries, most; /* pairs of one query */
	knng_pair *scratch;    /* [sorters * most] */
} laying;

static int
fewer(int threads, int64_t jobs)
{
	return jobs < threads ? (int)(jobs < 1 ? 1 : jobs) : threads;
}

/* All chunks in one list, as jobs. */
static knng_status
collect(knng_range *f, knng_err *err)
{
	int64_t n = 0;
	for (int t = 0; t < f->parts; t++)
		for (const knng_chunk *c = f->part[t].chunk; c != NULL; c = c->before)
			n++;
	f->chunk = knng_alloc(n + 1, sizeof *f->chunk);
	if (f->chunk == NULL)
		return knng_fail_memory(err, "the pairs that were found", 8.0 * (double)n);
	for (int t = 0; t < f->parts; t++)
		for (knng_chunk *c = f->part[t].chunk; c != NULL; c = f->part[t].chunk) {
			f->chunk[f->chunks++] = c;
			f->part[t].chunk = c->before;
		}
	return KNNG_OK;
}

/* Where the pairs from e on are no longer of one query. */
static int64_t
end_of_query(const knng_chunk *c, int64_t e)
{
	int32_t query = c->near[e].query;
	while (e < c->count && c->near[e].query == query)
		e++;
	return e;
}

/* How many pairs there are of each query, first[q + 1], and of each of its rows. */
static knng_status
count_job(void *context, int worker, int64_t i, knng_err *err)
{
	const laying *l = context;
	const knng_range *f = l->f;
	const knng_chunk *c = f->chunk[i];
	bool differ = all_differ(&f->x);
	(void)worker, (void)err;
	for (int64_t e = 0, end; e < c->count; e = end) {
		int32_t q = c->near[e].query;
		int64_t rows = 0;
		end = end_of_query(c, e);
		for (int64_t a = e; a < end; a++)
			rows += (differ ? 1 : members(&f->x, c->near[a].point)) - (f->graph && c->near[a].point == q);
		__atomic_fetch_add(&f->first[q + 1], end - e, __ATOMIC_RELAXED);
		__atomic_fetch_add(&f->count[q], rows, __ATOMIC_RELAXED);
	}
	return KNNG_OK;
}

/* Every pair of a chunk to its query, and the chunk goes; first[q] moves to the beginning of the next query. */
static knng_status
place_job(void *context, int worker, int64_t i, knng_err *err)
{
	const laying *l = context;
	knng_range *f = l->f;
	knng_chunk *c = f->chunk[i];
	(void)worker, (void)err;
	for (int64_t e = 0, end; e < c->count; e = end) {
		end = end_of_query(c, e);
		int64_t at = __atomic_fetch_add(&f->first[c->near[e].query], end - e, __ATOMIC_RELAXED);
		for (int64_t a = e; a < end; a++)
			f->pairs[at + a - e] = (knng_pair){c->near[a].distance, c->near[a].point};
	}
	f->chunk[i] = NULL;
	knng_free(c);
	return KNNG_OK;
}

static knng_status
sort_job(void *context, int worker, int64_t i, knng_err *err)
{
	const laying *l = context;
	const knng_range *f = l->f;
	knng_part part = knng_part_of(i, POINTS, l->queries);
	knng_status status = KNNG_OK;
	for (int64_t q = part.first; q < part.end && (status = knng_task_poll(l->task, err)) == KNNG_OK; q++)
		knng_sort_pairs(f->pairs + f->first[q], l->scratch + worker * l->most, f->first[q + 1] - f->first[q]);
	return status;
}

/* Counts to beginnings, and pairs of rows; the most of one of them. */
static double
add_up(laying *l)
{
	knng_range *f = l->f;
	const knng_points *y = queries_of(f);
	double total = 0;
	for (int64_t q = 0; q < l->queries; q++) {
		total += (double)members(y, (int32_t)q) * (double)f->count[q];
		f->longest = f->count[q] > f->longest ? f->count[q] : f->longest;
		l->most = f->first[q + 1] > l->most ? f->first[q + 1] : l->most;
		f->first[q + 1] += f->first[q];
	}
	return total;
}

/* Counts the pairs. Whether the caller wants so many, and there is memory for them and for what is made of them. */
static knng_status
count_pairs(laying *l, knng_err *err)
{
	knng_range *f = l->f;
	f->first = knng_calloc(l->queries + 1, sizeof *f->first);
	f->count = knng_calloc(l->queries + 1, sizeof *f->count);
	if (f->first == NULL || f->count == NULL)
		return knng_fail_memory(err, "the pairs that were found", 16.0 * (double)l->queries);
	knng_status status = collect(f, err);
	if (status == KNNG_OK)
		status = knng_task_run(l->task, l->threads, f->chunks, count_job, l, err);
	if (status != KNNG_OK)
		return status;
	double total = add_up(l), held = (double)f->points * sizeof(knng_near);
	double own = bytes_of((double)f->first[l->queries]) + (double)(l->sorters * l->most) * sizeof(knng_pair);
	if ((status = knng_range_want(f, total, err)) != KNNG_OK)
		return status;
	if (total > 0x1p53)
		return refuse(f, total, total * f->bytes_a_pair, knng_memory_available(), err);
	f->total = (int64_t)total;
	return afford(f, total, own, held, total * f->bytes_a_pair + (double)f->rows * f->bytes_a_row, err);
}

/* Lays them out, and sorts them. */
static knng_status
place_pairs(laying *l, knng_err *err)
{
	knng_range *f = l->f;
	int64_t pairs = f->first[l->queries], most = l->sorters * l->most;
	knng_status status = KNNG_OK;
	f->bytes = (double)f->points * sizeof(knng_near) + (double)(pairs + most) * sizeof(knng_pair) +
		   (double)l->queries * 16 + f->parts * (double)(sizeof *f->part + 4096) +
		   (double)f->points / MOST * 256 + 8192;
	f->pairs = knng_alloc(pairs + 1, sizeof *f->pairs);
	l->scratch = knng_alloc(most + 1, sizeof *l->scratch);
	if (f->pairs == NULL || l->scratch == NULL)
		status = fail_memory(f, (double)pairs, err);
	if (status == KNNG_OK)
		status = knng_task_run(l->task, l->threads, f->chunks, place_job, l, err);
	if (status == KNNG_OK) {
		memmove(f->first + 1, f->first, (size_t)l->queries * sizeof *f->first);
		f->first[0] = 0;
		status = knng_task_run(l->task, l->sorters, knng_parts(POINTS, l->queries), sort_job, l, err);
	}
	knng_free(l->scratch);
	return status;
}

knng_status
knng_range_finish(knng_range *f, knng_points *x, bool lent, knng_points *y, knng_task *task, int threads, knng_err *err)
{
	f->graph = y == NULL;
	f->x = *x;
	f->lent = lent;
	if (!lent)
		*x = (knng_points){0};
	if (y != NULL) {
		f->y = *y;
		*y = (knng_points){0};
	}
	f->rows = queries_of(f)->rows;
	laying l = {.f = f, .task = task, .threads = threads, .queries = queries_of(f)->count};
	l.sorters = fewer(threads, knng_parts(POINTS, l.queries));
	knng_status status = count_pairs(&l, err);
	return status == KNNG_OK ? place_pairs(&l, err) : status;
}

/* Points of which every row is one. */
static knng_status
each_a_point(knng_points *p, int64_t rows, knng_err *err)
{
	knng_status status = knng_points_open(p, rows, err);
	if (status != KNNG_OK)
		return status;
	p->count = rows;
	for (int64_t i = 0; i < rows; i++) {
		p->of_row[i] = p->member[i] = (int32_t)i;
		p->first[i + 1] = i + 1;
	}
	return KNNG_OK;
}

knng_status
knng_range_finish_rows(knng_range *f, int64_t n, int64_t m, knng_task *task, int threads, knng_err *err)
{
	knng_points x = {0}, y = {0};
	knng_status status = each_a_point(&x, n, err);
	if (status == KNNG_OK && m >= 0)
		status = each_a_point(&y, m, err);
	if (status == KNNG_OK)
		status = knng_range_finish(f, &x, false, m < 0 ? NULL : &y, task, threads, err);
	knng_points_close(&y);
	knng_points_close(&x);
	return status;
}

/* ---------------------------------------------------------------- rows */

int64_t
knng_range_count(const knng_range *f, int64_t row)
{
	int32_t q = queries_of(f)->of_row[row];
	return q < 0 ? 0 : f->count[q];
}

/* The members of the points of these pairs, by (distance, index), but the row itself. */
static void
expand(const knng_range *f, knng_part pairs, int64_t row, knng_pair *rows, knng_pair *scratch)
{
	int64_t n = 0;
	bool sorted = true;
	for (int64_t e = pairs.first; e < pairs.end; e++) {
		const knng_pair *pair = &f->pairs[e];
		for (int64_t m = f->x.first[pair->index]; m < f->x.first[pair->index + 1]; m++)
			if (!(f->graph && f->x.member[m] == row)) {
				rows[n] = (knng_pair){pair->distance, f->x.member[m]};
				sorted = sorted && (n == 0 || knng_pair_before(&rows[n - 1], &rows[n]));
				n++;
			}
	}
	if (!sorted)
		knng_sort_pairs(rows, scratch, n);
}

void
knng_range_row(const knng_range *f, int64_t row, knng_pair *rows, knng_pair *scratch)
{
	int32_t q = queries_of(f)->of_row[row];
	if (q < 0)
		return;
	knng_part pairs = {f->first[q], f->first[q + 1]};
	if (!all_differ(&f->x))
		expand(f, pairs, row, rows, scratch);
	else
		for (int64_t e = pairs.first, n = 0; e < pairs.end; e++)
			if (!(f->graph && f->pairs[e].index == row))
				rows[n++] = f->pairs[e];
}

typedef struct {
	const knng_range *f;
	const knng_task *task;
	const knng_output *out;
	int64_t *start;  /* [jobs] the first pair of each */
	knng_pair *room; /* [writers * 2 * longest] */
} writing;

static knng_status
write_job(void *context, int worker, int64_t i, knng_err *err)
{
	const writing *w = context;
	knng_part part = knng_part_of(i, ROWS, w->f->rows);
	knng_pair *rows = w->room + worker * 2 * w->f->longest;
	knng_status status = KNNG_OK;
	int64_t at = w->start[i];
	for (int64_t row = part.first; row < part.end && (status = knng_task_poll(w->task, err)) == KNNG_OK; row++) {
		int64_t count = knng_range_count(w->f, row);
		knng_range_row(w->f, row, rows, rows + w->f->longest);
		for (int64_t e = 0; e < count; e++)
			knng_put(w->out, 0, at++, rows[e].index, rows[e].distance);
	}
	return status;
}

knng_status
knng_range_write(const knng_range *f, const knng_output *out, knng_task *task, int threads, knng_err *err)
{
	int64_t jobs = knng_parts(ROWS, f->rows), at = 0;
	int writers = fewer(threads, jobs);
	writing w = {.f = f, .task = task, .out = out};
	knng_status status = KNNG_OK;
	w.start = knng_alloc(jobs + 1, sizeof *w.start);
	w.room = knng_alloc(writers * 2 * f->longest + 1, sizeof *w.room);
	if (w.start == NULL || w.room == NULL)
		status = knng_fail_memory(err, "the rows that were found", 32.0 * writers * (double)f->longest);
	for (int64_t row = 0; status == KNNG_OK && row < f->rows; row++) {
		if (row % ROWS == 0)
			w.start[row / ROWS] = at;
		at += knng_range_count(f, row);
	}
	if (status == KNNG_OK)
		status = knng_task_run(task, writers, jobs, write_job, &w, err);
	knng_free(w.start);
	knng_free(w.room);
	return status;
}
