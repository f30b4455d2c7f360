/* graph_head.h  What lies where in a file of graph_file.h, and its head. */
#ifndef KNNG_GRAPH_HEAD_H
#define KNNG_GRAPH_HEAD_H

#include "base/knng_base.h"

enum {
	KNNG_GRAPH_BLOCK = 512, /* bytes of the user block */
	KNNG_GRAPH_HEAD = 4096, /* bytes of all before the tables */
};

typedef struct {
	int64_t n, k;
	knng_type type;  /* of the distances, and of the rows: KNNG_F64 or KNNG_F32 */
	char metric[32]; /* the first of its names */
} knng_graph_shape;

typedef struct {
	int64_t idx, dist, end; /* where the tables begin, and the bytes of the file */
} knng_graph_places;

/* False: no file has so many bytes. */
bool knng_graph_places_of(const knng_graph_shape *shape, knng_graph_places *places);

/* Whether this build can write such files. Errors: knng:io:noHDF, which says what to install. */
knng_status knng_graph_out_can(knng_err *err);

/* All of it but the user block, which is zeros, as HDF5's library writes it. Errors: knng_graph_out_can's;
 * knng:memory:host; knng:internal:hdf5. Memory: some 30 KB of its own, and what the library takes, some 100 KB. */
knng_status knng_graph_head(const knng_graph_shape *shape, unsigned char head[KNNG_GRAPH_HEAD], knng_err *err);

#endif
