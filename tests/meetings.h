/* meetings.h  Searches of made-up rows in blocks, which read them from memory. */
#ifndef MEETINGS_H
#define MEETINGS_H

#include "searches.h"
#include "shelved.h"

typedef struct {
	const data_set *set;
	bool single;
} source;

static knng_status
read_rows(void *context, int64_t first, int64_t count, void *to, knng_err *err)
{
	const source *from = context;
	const double *X = from->set->X + first * from->set->d;
	(void)err;
	for (int64_t e = 0; e < count * from->set->d; e++)
		if (from->single)
			((float *)to)[e] = (float)X[e];
		else
			((double *)to)[e] = X[e];
	return KNNG_OK;
}

/* The graph of a set in blocks of so many rows, on the CPU, into lists that the caller has made. */
static inline knng_status
search_blocks(const data_set *s, bool single, int64_t size, const knng_options *opt, knng_neighbours *lists,
	      knng_info *info, knng_err *err)
{
	source from = {s, single};
	knng_rows rows = {
		.n = s->n, .d = s->d, .type = single ? KNNG_F32 : KNNG_F64, .read = read_rows, .context = &from};
	knng_options o = *opt;
	o.device.kind = KNNG_DEVICE_CPU;
	return run_blocks(&rows, size, &o, lists, NULL, info, err);
}

static inline bool
lists_are(const knng_neighbours *lists, const answer *want)
{
	for (int64_t e = 0; e < want->m * want->k; e++)
		if (lists->index[e] != want->idx[e] ||
		    (want->idx[e] >= 0 && bits_of(lists->distance[e]) != bits_of(want->dist[e])))
			return false;
	return true;
}

#endif
