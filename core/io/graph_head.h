/* graph_head.h  The head of a graph_file.h file. */
#ifndef KNNG_GRAPH_HEAD_H
#define KNNG_GRAPH_HEAD_H

#include "io/graph_file.h"

enum { KNNG_GRAPH_HEAD = 4096 /* bytes of all before the tables */ };

/* All of it but the user block, which is zeros, as HDF5's library writes it. Errors: knng_graph_out_can's;
 * knng:memory:host; knng:internal:hdf5. Memory: some 30 KB of its own, and what the library takes, some 100 KB. */
knng_status knng_graph_head(const knng_graph_shape *shape, unsigned char head[KNNG_GRAPH_HEAD], knng_err *err);

#endif
