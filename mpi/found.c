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
	if (knng_mul(rows, k, 12, &places) && (f->data = knng_alloc(bytes_of(rows, rows * k), 1)) != NULL) {
		f->room = bytes_of(rows, rows * k);
		return KNNG_OK;
	}
	return knng_fail_memory(err, "what visiting rows find", knng_found_bytes(rows, k));
}

void
knng_found_free(knng_found *f)
{
	knng_free(f->data);
	*f = (knng_found){0};
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

void
knng_found_pack(knng_found *f, const knng_neighbours *l, knng_part rows)
{
	int64_t all = 0, at = 0;
	for (int64_t i = rows.first; i < rows.end; i++)
		all += count_of(l, i);
	parts p = parts_of(f->data, rows.end - rows.first, all);
	memcpy(f->data, &all, sizeof all);
	for (int64_t i = rows.first; i < rows.end; i++) {
		int64_t count = count_of(l, i), from = (i - l->first) * l->k;
		memcpy(p.distance + at, l->distance + from, (size_t)count * sizeof *p.distance);
		memcpy(p.index + at, l->index + from, (size_t)count * sizeof *p.index);
		p.count[i - rows.first] = (int32_t)count;
		p.level[i - rows.first] = l->level[i - l->first];
		at += count;
	}
	f->bytes = bytes_of(p.rows, all);
}

bool
knng_found_merge(const knng_found *f, knng_neighbours *l, knng_part rows, double *room, int32_t *index_room)
{
	int64_t all, at = 0, count = rows.end - rows.first;
	memcpy(&all, f->data, sizeof all);
	if (all < 0 || all > count * l->k || f->bytes != bytes_of(count, all))
		return false;
	parts p = parts_of(f->data, count, all);
	for (int64_t i = 0; i < count; at += p.count[i++])
		if (p.count[i] < 0 || p.count[i] > all - at)
			return false;
	if (at != all)
		return false;
	at = 0;
	for (int64_t i = 0; i < count; at += p.count[i++]) {
		int64_t row = rows.first + i;
		knng_neighbours_merge(l, row, p.distance + at, p.index + at, p.count[i], room, index_room);
		uint8_t *level = &l->level[row - l->first];
		*level = p.level[i] > *level ? p.level[i] : *level;
	}
	return true;
}
