/* searches.h  Whole searches of made-up rows, and what the oracle says of them. */
#ifndef SEARCHES_H
#define SEARCHES_H

#include "knng.h"
#include "oracle.h"
#include "search/backend.h"
#include "testing.h"

/* In a test that returns `fine`: says what is not so, and goes on. */
#define DEMAND(condition)                                                                                              \
	do                                                                                                             \
		if (!(condition)) {                                                                                    \
			printf("  not so: %s\n", #condition);                                                          \
			fine = false;                                                                                  \
		}                                                                                                      \
	while (0)

typedef struct {
	const char *name;
	int64_t n, d, m, k; /* m = 0: a graph */
	double *X, *Y;      /* row-major */
	bool single;        /* every element is a float */
} data_set;

/* Takes these n + m rows: the references, and behind them the queries, of which every fourth becomes a reference. */
static inline void
take_rows(data_set *s, double *rows)
{
	int64_t n = s->n * s->d, m = s->m * s->d;
	s->X = room(n, sizeof *rows);
	s->Y = room(m, sizeof *rows);
	memcpy(s->X, rows, (size_t)n * sizeof *rows);
	memcpy(s->Y, rows + n, (size_t)m * sizeof *rows);
	for (int64_t i = 0; i < s->m; i += 4)
		memcpy(s->Y + i * s->d, s->X + i % s->n * s->d, (size_t)s->d * sizeof *rows);
	free(rows);
}

static inline void
close_data(data_set *s)
{
	free(s->X);
	free(s->Y);
}

/* The tables of a search, and how many rows there are of which kind; fine: of those that have an answer. */
typedef struct {
	int64_t m, k, fine, nonfinite, constant;
	int64_t *idx;
	double *dist;
} answer;

/* One that has nothing yet: every byte is 0xa5. */
static inline answer
open_answer(const data_set *s)
{
	answer a = {.m = s->m ? s->m : s->n, .k = oracle_width(s->n, s->m == 0, s->k)};
	a.idx = room(a.m * a.k, sizeof *a.idx);
	a.dist = room(a.m * a.k, sizeof *a.dist);
	memset(a.idx, 0xa5, (size_t)(a.m * a.k) * sizeof *a.idx);
	memset(a.dist, 0xa5, (size_t)(a.m * a.k) * sizeof *a.dist);
	return a;
}

static inline void
close_answer(answer *a)
{
	free(a->idx);
	free(a->dist);
}

/* NaN, Inf, constant, or zero and so without distances for some; as in docs/canonical.md, 1. */
static inline int
state_of(const knng_metric *metric, const double *x, int64_t d)
{
	bool constant = true, zero = true;
	for (int64_t l = 0; l < d; l++) {
		if (!isfinite(x[l]))
			return KNNG_ROW_NONFINITE;
		constant = constant && x[l] == x[0];
		zero = zero && x[l] == 0;
	}
	bool without = metric->prep == KNNG_PREP_UNIT ? zero : metric->prep != KNNG_PREP_NONE && constant;
	return without ? KNNG_ROW_CONSTANT : KNNG_ROW_FINE;
}

/* What the oracle says. */
static inline answer
solve(const data_set *s, const knng_metric *metric)
{
	answer a = open_answer(s);
	bool graph = s->m == 0;
	if (oracle_knn(metric->name, false, s->n, s->d, s->X, s->m, graph ? NULL : s->Y, s->k, a.idx, a.dist) != 0)
		abort();
	for (int64_t i = 0; i < s->n + s->m; i++) {
		int state = state_of(metric, i < s->n ? s->X + i * s->d : s->Y + (i - s->n) * s->d, s->d);
		a.nonfinite += state == KNNG_ROW_NONFINITE;
		a.constant += state == KNNG_ROW_CONSTANT;
		a.fine += state == KNNG_ROW_FINE && (graph || i >= s->n);
	}
	return a;
}

/* Rows in another layout, in memory of their own. */
static inline knng_matrix
lay_out(const double *rows, int64_t n, int64_t d, knng_type type, bool by_column)
{
	knng_matrix X = {.n = n, .d = d, .type = type};
	void *data = room(n * d, type == KNNG_F32 ? 4 : 8);
	X.row_stride = by_column ? 1 : d;
	X.col_stride = by_column ? n : 1;
	for (int64_t i = 0; i < n; i++)
		for (int64_t l = 0; l < d; l++) {
			int64_t at = i * X.row_stride + l * X.col_stride;
			if (type == KNNG_F32)
				((float *)data)[at] = (float)rows[i * d + l];
			else
				((double *)data)[at] = rows[i * d + l];
		}
	X.data = data;
	return X;
}

#endif
