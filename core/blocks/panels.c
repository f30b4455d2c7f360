#include "blocks/panels.h"
#include "base/sys.h"

double
knng_panels_bytes(const knng_rows *rows, int64_t size, int places)
{
	return places * (double)size * (double)knng_row_bytes(rows) + rows->bytes;
}

knng_status
knng_panels_open(knng_panels *p, const knng_rows *rows, int64_t size, int places, knng_err *err)
{
	*p = (knng_panels){.rows = rows, .size = size, .places = places, .bytes = knng_row_bytes(rows)};
	for (int i = 0; i < KNNG_PANELS; i++)
		p->block[i] = -1;
	p->data = knng_alloc(places * size + 1, p->bytes);
	return p->data != NULL ? KNNG_OK
			       : knng_fail_memory(err, "blocks of rows", knng_panels_bytes(rows, size, places));
}

void
knng_panels_close(knng_panels *p)
{
	knng_aside_end(&p->aside, NULL);
	knng_free(p->data);
	p->data = NULL;
}

static const void *
here(const knng_panels *p, int64_t block)
{
	return p->here != NULL ? p->here(p->context, block) : NULL;
}

/* The place of a block; all of them: it has none. */
static int
find(const knng_panels *p, int64_t block)
{
	int place = 0;
	while (place < p->places && p->block[place] != block)
		place++;
	return place;
}

static char *
place_of(const knng_panels *p, int place)
{
	return p->data + (size_t)(place * p->size) * p->bytes;
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
	return read_to(p, 0, block, err);
}

/* A place that neither of two blocks has. */
static int
free_place(const knng_panels *p, knng_pair_of_blocks pair)
{
	int place = 0;
	while (place < p->places - 1 && (p->block[place] == pair.home || p->block[place] == pair.visitor))
		place++;
	return place;
}

/* The rows of a block of a pair, which are read where they are not there. */
static knng_status
bring(knng_panels *p, int64_t block, knng_pair_of_blocks pair, const void **data, knng_err *err)
{
	knng_status status = KNNG_OK;
	*data = here(p, block);
	if (*data != NULL)
		return KNNG_OK;
	if (find(p, block) == p->places)
		status = read_to(p, free_place(p, pair), block, err);
	*data = place_of(p, find(p, block));
	return status;
}

knng_status
knng_panels_bring(knng_panels *p, knng_pair_of_blocks pair, const knng_pair_of_blocks *next, const void *data[2],
		  knng_err *err)
{
	double start = knng_seconds();
	knng_status status = knng_aside_end(&p->aside, err);
	if (status == KNNG_OK)
		status = bring(p, pair.home, pair, &data[0], err);
	if (status == KNNG_OK)
		status = bring(p, pair.visitor, pair, &data[1], err);
	p->waited += knng_seconds() - start;
	if (status != KNNG_OK || next == NULL)
		return status;
	int64_t wanted[2] = {next->home, next->visitor};
	for (int i = 0; i < 2; i++)
		if (here(p, wanted[i]) == NULL && find(p, wanted[i]) == p->places) {
			p->reading = free_place(p, pair);
			p->block[p->reading] = wanted[i];
			knng_aside_begin(&p->aside, read_job, p);
			return KNNG_OK;
		}
	return KNNG_OK;
}
