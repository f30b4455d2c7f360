#include "blocks/neighbours.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

knng_status
knng_neighbours_make(knng_neighbours *l, int64_t n, int64_t k, knng_err *err)
{
	int64_t places;
	*l = (knng_neighbours){.n = n, .k = k};
	if (knng_mul(n, k + 1, 12, &places)) { /* one more, in which a merge works */
		l->distance = knng_alloc(n * k + k, sizeof *l->distance);
		l->index = knng_alloc(n * k + k, sizeof *l->index);
	}
	if (l->distance == NULL || l->index == NULL) {
		knng_neighbours_free(l);
		return knng_fail_memory(err, "the lists of neighbours", 12.0 * (double)n * (double)k);
	}
	for (int64_t e = 0; e < n * k; e++) {
		l->distance[e] = INFINITY;
		l->index[e] = -1;
	}
	return KNNG_OK;
}

void
knng_neighbours_free(knng_neighbours *l)
{
	knng_free(l->distance);
	knng_free(l->index);
	*l = (knng_neighbours){0};
}

void
knng_neighbours_merge(knng_neighbours *l, int64_t row, const double *distance, const int32_t *index, int64_t count)
{
	int64_t k = l->k, a = 0, b = 0, n = 0;
	double *own = l->distance + row * k, *to = l->distance + l->n * k;
	int32_t *own_index = l->index + row * k, *to_index = l->index + l->n * k;
	while (n < k && (b < count || (a < k && own_index[a] >= 0))) {
		bool has = a < k && own_index[a] >= 0;
		bool first = has && (b == count || own[a] < distance[b] ||
				     (own[a] == distance[b] && own_index[a] <= index[b]));
		bool same = first && b < count && own[a] == distance[b] && own_index[a] == index[b];
		to[n] = first ? own[a] : distance[b];
		to_index[n++] = first ? own_index[a++] : index[b++];
#ifndef KNNG_PLANT_TWICE /* what the tests must find: neighbours that stand in a list twice */
		b += same;
#else
		(void)same;
#endif
	}
	memcpy(own, to, (size_t)n * sizeof *own);
	memcpy(own_index, to_index, (size_t)n * sizeof *own_index);
}

void
knng_neighbours_write(const knng_neighbours *l, const knng_output *out)
{
	static const union {
		uint64_t bits;
		double value;
	} none = {0x7FF8000000000000u};
	for (int64_t i = 0; i < l->n; i++)
		for (int64_t c = 0; c < l->k; c++) {
			int64_t at = i * out->row_stride + c * out->col_stride, j = l->index[i * l->k + c];
			double d = j >= 0 ? l->distance[i * l->k + c] : none.value;
			if (out->idx_type == KNNG_F64)
				((double *)out->idx)[at] = (double)(j + out->index_base);
			else
				((int64_t *)out->idx)[at] = j + out->index_base;
			if (out->dist != NULL && out->dist_type == KNNG_F32)
				((float *)out->dist)[at] = (float)d;
			else if (out->dist != NULL)
				((double *)out->dist)[at] = d;
		}
}
