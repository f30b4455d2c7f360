#include "adjacency.h"

#include <float.h>

bool
knng_adjacency_count(int64_t n, int64_t k, const double *idx, int64_t *edges)
{
	*edges = 0;
	for (int64_t e = 0; e < n * k; e++) {
		if (!(idx[e] >= 0 && idx[e] <= (double)n) || idx[e] != (double)(int64_t)idx[e])
			return false;
		*edges += idx[e] > 0;
	}
	return true;
}

void
knng_adjacency_fill(int64_t n, int64_t k, const double *idx, const void *dist, knng_type type, size_t *start,
		    size_t *row, double *value)
{
	for (int64_t j = 0; j <= n; j++)
		start[j] = 0;
	for (int64_t e = 0; e < n * k; e++)
		if (idx[e] > 0)
			start[(int64_t)idx[e]]++; /* column idx - 1, one place on */
	for (int64_t j = 0; j < n; j++)
		start[j + 1] += start[j];
	/* Rows ascend, so every column fills in order; each start moves to the next one's place … */
	for (int64_t i = 0; i < n; i++)
		for (int64_t c = 0; c < k; c++) {
			int64_t e = c * n + i;
			if (!(idx[e] > 0))
				continue;
			size_t at = start[(int64_t)idx[e] - 1]++;
			double d = type == KNNG_F32 ? ((const float *)dist)[e] : ((const double *)dist)[e];
			row[at] = (size_t)i;
			value[at] = d > DBL_MIN ? d : DBL_MIN;
		}
	/* … and back. */
	for (int64_t j = n; j > 0; j--)
		start[j] = start[j - 1];
	start[0] = 0;
}
