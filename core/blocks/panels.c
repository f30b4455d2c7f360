#include "blocks/panels.h"
#include "base/sys.h"

#include <string.h>

enum { MIDDLE = 1, PLACES = 3 };

static size_t
row_bytes(const knng_rows *rows)
{
	return (size_t)rows->d * (rows->type == KNNG_F32 ? 4 : 8);
}

double
knng_panels_bytes(const knng_rows *rows, int64_t size)
{
	return PLACES * (double)size * (double)row_bytes(rows) + rows->bytes;
}

knng_status
knng_panels_open(knng_panels *p, const knng_rows *rows, int64_t size, knng_err *err)
{
	*p = (knng_panels){.rows = rows, .size = size, .bytes = row_bytes(rows), .block = {-1, -1, -1}};
	p->data = knng_alloc(PLACES * size, p->bytes);
	return p->data != NULL ? KNNG_OK : knng_fail_memory(err, "blocks of rows", knng_panels_bytes(rows, size));
}

void
knng_panels_close(knng_panels *p)
{
	knng_aside_end(&p->aside, NULL);
	knng_free(p->data);
	p->data = NULL;
}

static int64_t
rows_in(const knng_panels *p, int place)
{
	knng_part part = knng_part_of(p->block[place], p->size, p->rows->n);
	return part.end - part.first;
}

/* Where the rows of a place begin. Before the middle they end where it begins, were they fewer than all others. */
static char *
place_of(const knng_panels *p, int place)
{
	int64_t first = place < MIDDLE ? p->size - rows_in(p, place) : place * p->size;
	return p->data + (size_t)first * p->bytes;
}

static int
find(const knng_panels *p, int64_t block)
{
	int place = 0;
	while (place < PLACES && p->block[place] != block)
		place++;
	return place;
}

static knng_status
read_job(void *context, knng_err *err)
{
	const knng_panels *p = context;
	int64_t block = p->block[p->reading];
	knng_part part = knng_part_of(block, p->size, p->rows->n);
	void *to = place_of(p, p->reading);
	knng_status status = p->rows->read(p->rows->context, part.first, part.end - part.first, to, err);
	if (status == KNNG_OK && p->checkpoint != NULL && !knng_checkpoint_knows(p->checkpoint, block))
		status = knng_checkpoint_show(p->checkpoint, block, to, err);
	return status;
}

static knng_status
read_to(knng_panels *p, int place, int64_t block, knng_err *err)
{
	p->block[place] = block;
	p->reading = place;
	return read_job(p, err);
}

knng_status
knng_panels_look(knng_panels *p, int64_t block, knng_err *err)
{
	return read_to(p, MIDDLE, block, err);
}

knng_status
knng_panels_bring(knng_panels *p, knng_pair_of_blocks pair, const knng_pair_of_blocks *next, const void **data,
		  int64_t *first, knng_err *err)
{
	double start = knng_seconds();
	knng_status status = knng_aside_end(&p->aside, err);
	int place = find(p, pair.home);
	if (status == KNNG_OK && place == PLACES) {
		status = read_to(p, MIDDLE, pair.home, err);
	} else if (status == KNNG_OK && place != MIDDLE) {
		memcpy(p->data + (size_t)p->size * p->bytes, place_of(p, place), (size_t)rows_in(p, place) * p->bytes);
		p->block[MIDDLE] = pair.home;
		p->block[place] = -1;
	}
	if (status == KNNG_OK && find(p, pair.visitor) == PLACES)
		status = read_to(p, 0, pair.visitor, err);
	p->waited += knng_seconds() - start;
	if (status != KNNG_OK)
		return status;
	place = find(p, pair.visitor);
	*first = place < MIDDLE ? pair.visitor : pair.home;
	*data = place_of(p, place < MIDDLE ? place : MIDDLE);
	if (next == NULL)
		return KNNG_OK;
	int64_t wanted = find(p, next->home) == PLACES ? next->home : next->visitor;
	if (find(p, wanted) == PLACES) {
		p->reading = place == 0 ? 2 : 0;
		p->block[p->reading] = wanted;
		knng_aside_begin(&p->aside, read_job, p);
	}
	return KNNG_OK;
}
