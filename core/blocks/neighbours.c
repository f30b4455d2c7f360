#include "blocks/neighbours.h"
#include "base/put.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

double
knng_neighbours_bytes(int64_t n, int64_t k)
{
	return (double)n * (12 * (double)k + 1);
}

knng_status
knng_neighbours_make(knng_neighbours *l, int64_t n, int64_t k, knng_err *err)
{
	int64_t places;
	*l = (knng_neighbours){.n = n, .k = k};
	if (knng_mul(n, k, 12, &places)) {
		l->distance = knng_alloc(n * k, sizeof *l->distance);
		l->index = knng_alloc(n * k, sizeof *l->index);
		l->level = knng_alloc(n, 1);
	}
	if (l->distance == NULL || l->index == NULL || l->level == NULL) {
		knng_neighbours_free(l);
		return knng_fail_memory(err, "the lists of neighbours", knng_neighbours_bytes(n, k));
	}
	knng_neighbours_clear(l, 0, n);
	return KNNG_OK;
}

void
knng_neighbours_clear(knng_neighbours *l, int64_t first, int64_t end)
{
	for (int64_t e = (first - l->first) * l->k; e < (end - l->first) * l->k; e++) {
		l->distance[e] = INFINITY;
		l->index[e] = -1;
	}
	memset(l->level + first - l->first, 0, (size_t)(end - first));
}

void
knng_neighbours_free(knng_neighbours *l)
{
	knng_free(l->distance);
	knng_free(l->index);
	knng_free(l->level);
	*l = (knng_neighbours){0};
}

void
knng_neighbours_merge(knng_neighbours *l, int64_t row, const double *distance, const int32_t *index, int64_t count,
		      double *room, int32_t *index_room)
{
	int64_t k = l->k, a = 0, b = 0, n = 0;
	double *own = l->distance + (row - l->first) * k;
	int32_t *own_index = l->index + (row - l->first) * k;
	if (count == 0 || (own_index[k - 1] >= 0 && distance[0] > own[k - 1]))
		return; /* the list is full, and all are farther */
	while (n < k && (b < count || (a < k && own_index[a] >= 0))) {
		bool has = a < k && own_index[a] >= 0;
		bool first = has && (b == count || own[a] < distance[b] ||
				     (own[a] == distance[b] && own_index[a] <= index[b]));
		bool same = first && b < count && own[a] == distance[b] && own_index[a] == index[b];
		room[n] = first ? own[a] : distance[b];
		index_room[n++] = first ? own_index[a++] : index[b++];
#ifndef KNNG_PLANT_TWICE /* what the tests must find: neighbours that stand in a list twice */
		b += same;
#else
		(void)same;
#endif
	}
	memcpy(own, room, (size_t)n * sizeof *own);
	memcpy(own_index, index_room, (size_t)n * sizeof *own_index);
}

void
knng_neighbours_write(const knng_neighbours *l, knng_part rows, const knng_output *out)
{
	for (int64_t i = rows.first; i < rows.end; i++) {
		const double *distance = l->distance + (i - l->first) * l->k;
		const int32_t *index = l->index + (i - l->first) * l->k;
		int64_t c = 0;
		for (; c < l->k && index[c] >= 0; c++)
			knng_put(out, i, c, index[c], distance[c]);
		knng_put_none(out, i, c, l->k);
	}
}
