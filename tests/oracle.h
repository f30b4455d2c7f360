/* oracle.h  The k nearest neighbours by naive loops, straight from docs/canonical.md, sections 1 to 4.
 *
 * The tests compare the library with this, bit by bit. It shares no code with the library and is not meant to be fast:
 * every distance is computed and every row sorted, O(m n (d + log n)), and ranks cost O(d^2) a row. Compile it with
 * -ffp-contract=off; fma() is libm's. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stdint.h>

/* Columns of the answer: k, cut to n - 1 for a graph and to n for queries. */
int64_t oracle_width(int64_t n, bool graph, int64_t k);

/* The i-th metric name, aliases included; NULL past the end. */
const char *oracle_metric_name(int i);

/* The neighbours of the m rows of Y (m x d) among the n rows of X (n x d), both row-major; Y == NULL asks for the graph
 * of X, and m is then ignored. idx and dist are (m or n) x oracle_width(...), row-major, nearest first. idx counts from
 * 0; a missing neighbour has index -1 and distance NaN. With single_result the distances are rounded to single last,
 * and returned in doubles. Returns 0; -1 for an unknown metric; -2 when memory runs out. */
int oracle_knn(const char *metric, bool single_result, int64_t n, int64_t d, const double *X, int64_t m,
	       const double *Y, int64_t k, int64_t *idx, double *dist);

/* The same where NaN is a missing value and rows are compared over the columns that both have, at least `least` of them
 * (section 12). shared: how many columns each neighbour and its row have in common, 0 where there is none; laid out as
 * idx, or NULL. Returns -3 where the metric has no such distance. */
int oracle_pairwise(const char *metric, bool single_result, int64_t least, int64_t n, int64_t d, const double *X,
		    int64_t m, const double *Y, int64_t k, int64_t *idx, double *dist, int64_t *shared);

#endif
