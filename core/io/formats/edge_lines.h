/* edge_lines.h  What .knn, MatrixMarket and Pajek share: lines 'from to weight', nodes by their numbers. */
#ifndef KNNG_EDGE_LINES_H
#define KNNG_EDGE_LINES_H

#include "io/graph_builder.h"

typedef enum { KNNG_NO_WEIGHT, KNNG_A_WEIGHT, KNNG_PERHAPS_WEIGHT } knng_weighting;

/* The line at t->at, which moves to its end; nodes count from `base`, `both`: it is undirected. With
 * KNNG_PERHAPS_WEIGHT it may have more behind it, and without one its weight is 1. */
knng_status knng_edge_line(knng_graph_builder *b, int64_t base, knng_weighting how, bool both, knng_err *err);

/* `edges` such lines, each of `least` bytes or more, and nothing behind them. The header is believed only as far as the
 * bytes can hold it. */
knng_status knng_edge_lines(knng_graph_builder *b, int64_t edges, int64_t least, int64_t base, knng_weighting how,
			    bool both, knng_err *err);

#endif
