#include "search/points.h"

knng_status
knng_points_open(knng_points *p, int64_t rows, knng_err *err)
{
	*p = (knng_points){.rows = rows};
	p->state = knng_calloc(rows, sizeof *p->state);
	p->hash = knng_alloc(rows, sizeof *p->hash); /* set of every fine row */
	p->of_row = knng_alloc(rows, sizeof *p->of_row);
	p->first = knng_calloc(rows + 2, sizeof *p->first);
	p->member = knng_alloc(rows, sizeof *p->member);
	if (p->state == NULL || p->hash == NULL || p->of_row == NULL || p->first == NULL || p->member == NULL) {
		knng_points_close(p);
		return knng_fail_memory(err, "the list of rows", knng_points_bytes(rows));
	}
	return KNNG_OK;
}

knng_status
knng_points_resume(knng_points *p, int64_t known, int64_t rows, knng_err *err)
{
	int64_t count = 0;
	while (count < p->count && p->member[p->first[count]] < known)
		count++;
	p->known = known;
	p->rows = rows;
	p->count = count;
	for (int64_t g = count + 1; g < rows + 2; g++)
		p->first[g] = g == count + 1 ? p->first[count] : 0;
	p->hash = knng_calloc(rows, sizeof *p->hash);
	return p->hash != NULL ? KNNG_OK : knng_fail_memory(err, "the list of rows", knng_points_bytes(rows));
}

void
knng_points_close(knng_points *p)
{
	knng_free(p->state);
	knng_free(p->hash);
	knng_free(p->of_row);
	knng_free(p->first);
	knng_free(p->member);
	*p = (knng_points){0};
}

static int64_t
table_size(int64_t rows)
{
	int64_t size = 16;
	while (size < 2 * rows)
		size *= 2;
	return size;
}

double
knng_points_bytes(int64_t rows)
{
	return (double)rows * (1 + 8 + 4 + 8 + 4) + (double)table_size(rows) * 4 + 1024;
}

/* Keeps the hashes of two sides apart. */
static const uint64_t OTHER_SIDE = 0x9e3779b97f4a7c15u;

knng_status
knng_points_group(knng_points *p, const knng_task *task, bool (*same)(void *context, int64_t point, int64_t row),
		  void (*move)(void *context, int64_t to, int64_t from), void *context, knng_err *err)
{
	int64_t size = table_size(p->rows);
	knng_status status = KNNG_OK;
	int32_t *slot = knng_alloc(size, sizeof *slot); /* a point, or -1 */
	if (slot == NULL)
		return knng_fail_memory(err, "finding equal rows", (double)size * 4);
	for (int64_t s = 0; s < size; s++)
		slot[s] = -1;

	int64_t before = p->count; /* points of the known rows */
	enum { AHEAD = 16 };       /* rows whose places are on their way from memory */
	for (int64_t i = p->known; i < p->rows && (status = knng_task_poll(task, err)) == KNNG_OK; i++) {
		p->of_row[i] = -1;
		if (p->rows - i > AHEAD)
			__builtin_prefetch(&slot[p->hash[i + AHEAD] & (uint64_t)(size - 1)], 1);
		if (p->state[i] != KNNG_ROW_FINE)
			continue;
		uint64_t h = p->hash[i] ^ (p->split > 0 && i >= p->split ? OTHER_SIDE : 0);
		int64_t s = (int64_t)(h & (uint64_t)(size - 1));
		while (slot[s] >= 0 && !(p->hash[slot[s]] == h && same(context, slot[s], i)))
			s = (s + 1) & (size - 1);
		if (slot[s] < 0) {
			int64_t point = p->count++;
			slot[s] = (int32_t)point;
			p->hash[point] = h; /* point <= i: the hashes close ranks with the rows */
			if (point < i)
				move(context, point, i);
		}
		p->of_row[i] = slot[s];
		p->first[slot[s] + 2]++;
	}
	knng_free(slot);
	knng_free(p->hash);
	p->hash = NULL;
	if (status != KNNG_OK)
		return status;

	/* Counts to starts, one place on; filling then leaves every start where it belongs. */
	for (int64_t g = before + 2; g < p->count + 2; g++)
		p->first[g] += p->first[g - 1];
	for (int64_t i = p->known; i < p->rows; i++)
		if (p->of_row[i] >= 0)
			p->member[p->first[p->of_row[i] + 1]++] = (int32_t)i;
	return KNNG_OK;
}

void
knng_points_apart(knng_points *p, void (*move)(void *context, int64_t to, int64_t from), void *context)
{
	for (int64_t i = 0; i < p->rows; i++) {
		int64_t point = p->state[i] == KNNG_ROW_FINE ? p->count++ : -1;
		p->of_row[i] = (int32_t)point;
		if (point < 0)
			continue;
		p->first[point] = point;
		p->member[point] = (int32_t)i;
		if (point < i)
			move(context, point, i);
	}
	p->first[p->count] = p->count;
	knng_free(p->hash);
	p->hash = NULL;
}
