#include "found.h"
#include "base/sys.h"

#include <string.h>

/* Where the parts are: distances first, as the widest. */
typedef struct {
	int64_t rows, all; /* all: neighbours */
	double *distance;
	int32_t *index, *count;
	uint8_t *level;
} parts;

static int64_t
bytes_of(int64_t rows, int64_t all)
{
	return 8 + 12 * all + 5 * rows;
}

static parts
parts_of(char *data, int64_t rows, int64_t all)
{
	parts p = {.rows = rows, .all = all};
	p.distance = (void *)(data + 8);
	p.index = (void *)(p.distance + all);
	p.count = p.index + all;
	p.level = (uint8_t *)(p.count + rows);
	return p;
}

knng_status
knng_found_make(knng_found *f, int64_t rows, int64_t k, knng_err *err)
{
	int64_t places;
	*f = (knng_found){0};
	if (knng_mul(rows, k, 12, &places)) {
		f->data = knng_alloc(bytes_of(rows, rows * k), 1);
		f->start = knng_alloc(knng_parts(KNNG_FOUND_ROWS, rows) + 1, sizeof *f->start);
	}
	if (f->data == NULL || f->start == NULL) {
		knng_found_free(f);
		return knng_fail_memory(err, "what visiting rows find", knng_found_bytes(rows, k));
	}
	f->room = bytes_of(rows, rows * k);
	return KNNG_OK;
}

void
knng_found_free(knng_found *f)
{
	knng_free(f->data);
	knng_free(f->start);
	*f = (knng_found){0};
}

/* Packing and merging, on threads: some rows a job. */
typedef struct {
	const knng_found *f;
	knng_neighbours *lists;
	knng_part rows;
	parts p;
	double *room; /* [threads * k] each: for merging */
	int32_t *index_room;
} packing;

static void
run(packing *w, int threads, knng_job *job)
{
	knng_task silent = {0};
	knng_task_run(&silent, threads, knng_parts(KNNG_FOUND_ROWS, w->p.rows), job, w, NULL);
}

/* Neighbours in the list of a row. */
static int64_t
count_of(const knng_neighbours *l, int64_t row)
{
	int64_t count = 0, at = (row - l->first) * l->k;
	while (count < l->k && l->index[at + count] >= 0)
		count++;
	return count;
}

static knng_status
count_job(void *context, int worker, int64_t job, knng_err *err)
{
	packing *w = context;
	knng_part part = knng_part_of(job, KNNG_FOUND_ROWS, w->p.rows);
	(void)worker, (void)err;
	w->f->start[job + 1] = 0;
	for (int64_t i = part.first; i < part.end; i++)
		w->f->start[job + 1] += count_of(w->lists, w->rows.first + i);
	return KNNG_OK;
}

static knng_status
pack_job(void *context, int worker, int64_t job, knng_err *err)
{
	packing *w = context;
	const knng_neighbours *l = w->lists;
	knng_part part = knng_part_of(job, KNNG_FOUND_ROWS, w->p.rows);
	int64_t at = w->f->start[job];
	(void)worker, (void)err;
	for (int64_t i = part.first; i < part.end; i++) {
		int64_t row = w->rows.first + i, count = count_of(l, row), from = (row - l->first) * l->k;
		memcpy(w->p.distance + at, l->distance + from, (size_t)count * sizeof *w->p.distance);
		memcpy(w->p.index + at, l->index + from, (size_t)count * sizeof *w->p.index);
		w->p.count[i] = (int32_t)count;
		w->p.level[i] = l->level[row - l->first];
		at += count;
	}
	return KNNG_OK;
}

void
knng_found_pack(knng_found *f, knng_neighbours *l, knng_part rows, int threads)
{
	packing w = {.f = f, .lists = l, .rows = rows, .p = {.rows = rows.end - rows.first}};
	int64_t jobs = knng_parts(KNNG_FOUND_ROWS, w.p.rows);
	run(&w, threads, count_job);
	f->start[0] = 0;
	for (int64_t j = 0; j < jobs; j++)
		f->start[j + 1] += f->start[j];
	w.p = parts_of(f->data, w.p.rows, f->start[jobs]);
	memcpy(f->data, &w.p.all, sizeof w.p.all);
	run(&w, threads, pack_job);
	f->bytes = bytes_of(w.p.rows, w.p.all);
}

static knng_status
merge_job(void *context, int worker, int64_t job, knng_err *err)
{
	packing *w = context;
	knng_neighbours *l = w->lists;
	knng_part part = knng_part_of(job, KNNG_FOUND_ROWS, w->p.rows);
	(void)err;
	for (int64_t i = part.first, at = w->f->start[job]; i < part.end; at += w->p.count[i++]) {
		int64_t row = w->rows.first + i;
		knng_neighbours_merge(l, row, w->p.distance + at, w->p.index + at, w->p.count[i],
				      w->room + worker * l->k, w->index_room + worker * l->k);
		uint8_t *level = &l->level[row - l->first];
		*level = w->p.level[i] > *level ? w->p.level[i] : *level;
	}
	return KNNG_OK;
}

bool
knng_found_merge(knng_found *f, knng_neighbours *l, knng_part rows, int threads, double *room, int32_t *index_room)
{
	packing w = {.f = f, .lists = l, .rows = rows, .room = room, .index_room = index_room};
	int64_t all, at = 0, count = rows.end - rows.first;
	memcpy(&all, f->data, sizeof all);
	if (all < 0 || all > count * l->k || f->bytes != bytes_of(count, all))
		return false;
	w.p = parts_of(f->data, count, all);
	for (int64_t i = 0; i < count; at += w.p.count[i++]) {
		if (w.p.count[i] < 0 || w.p.count[i] > all - at)
			return false;
		if (i % KNNG_FOUND_ROWS == 0)
			f->start[i / KNNG_FOUND_ROWS] = at;
	}
	if (at != all)
		return false;
	run(&w, threads, merge_job);
	return true;
}
