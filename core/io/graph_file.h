/* graph_file.h  A graph in a file, as its tables idx and dist, of which some rows are written or read at a time.
 *
 * The file is one of HDF5 with the user block of MATLAB's (save -v7.3): Octave and MATLAB load it, h5py and h5dump read
 * it. idx is int32 and counts from 1, 0 where there is no neighbour; dist is of class double or single, NaN there. Both
 * lie column after column, which is (k, n) for HDF5, and n-by-k for Octave and MATLAB. All numbers have their lowest
 * byte first. Nothing in it says when, where or how it was made: the same graph has the same bytes.
 *
 * What lies where follows from n, k and the class alone, so that several processes can write to one file, and reading
 * needs no library:
 *
 *     0                  MATLAB's header, 128 bytes, and behind it in words n, k, class and metric, and a SHA-256 of
 *                        them and of
 *     512                the head of HDF5, as its library has made it
 *     4096               idx, 4*n*k bytes
 *     4096 + 4*n*k       dist, 8*n*k or 4*n*k bytes, to the end of the file */
#ifndef KNNG_GRAPH_FILE_H
#define KNNG_GRAPH_FILE_H

#include "base/file.h"
#include "base/table.h"
#include "io/graph_head.h"

/* Whether the ending of a path is that of such a file: .h5, .hdf5, .mat, in upper or lower case. */
bool knng_graph_file_named(const char *path);

/* Whether a file that begins with these bytes is one, or a damaged one. */
bool knng_graph_file_begins(const unsigned char block[KNNG_GRAPH_BLOCK]);

/* ---- writing ---- */

typedef struct knng_graph_out knng_graph_out;

/* That a file of this name is a graph, if there is one: of anything else, such as the data themselves, this may be the
 * only copy. Errors: knng:io:exists; knng:io:open where it cannot be read; knng:memory:host. */
knng_status knng_graph_out_may_replace(const char *path, knng_err *err);

/* Begins a file: it is written beside `path`, and takes that name when it is done, as of knng_out_claim. The task,
 * which may be NULL, has Ctrl-C, and has to live as long. Errors: knng_graph_out_can's; knng:io:exists, there is a
 * file of this name that is no graph; knng:io:open, also where the path is that of a pipe or a device; knng:io:write,
 * where the disk is too full; knng:args:rows; knng:memory:host; knng:interrupted. Memory: knng_graph_file_bytes. */
knng_status knng_graph_out_create(knng_graph_out **g, const char *path, const knng_graph_shape *shape,
				  const knng_task *task, knng_err *err);
double knng_graph_file_bytes(int64_t n, int64_t k);

/* Another process's view of a file that one has begun: part is the name that knng_graph_out_part gives there (room for
 * PATH_MAX bytes), the shape the same. */
knng_status knng_graph_out_part(const knng_graph_out *g, char *part, knng_err *err);
knng_status knng_graph_out_join(knng_graph_out **g, const char *part, const knng_graph_shape *shape,
				const knng_task *task, knng_err *err);

/* Writes the neighbours of rows [first, end): `index` and `distance` are those of row `first`, k of each row, as
 * knng_neighbours (blocks/neighbours.h) has them: from 0, -1 is none. Rows may come in any order, and twice. Errors:
 * knng:io:write, knng:interrupted. */
knng_status knng_graph_out_put(knng_graph_out *g, int64_t first, int64_t end, const int32_t *index,
			       const double *distance, knng_err *err);

/* With `keep` all of it is on the disk, and then has its name; without nothing is left. Of a file that was joined: what
 * was written is on the disk, or may be anything. Frees g in any case, NULL is fine. Errors: knng:io:write. */
knng_status knng_graph_out_done(knng_graph_out *g, bool keep, knng_err *err);

/* ---- reading ---- */

typedef struct knng_graph_in knng_graph_in;

/* Opens a file and sees that it is whole. Errors: knng:io:open, knng:io:format, knng:io:truncated, knng:memory:host.
 * Memory: knng_graph_file_bytes. */
knng_status knng_graph_in_open(knng_graph_in **g, const char *path, const knng_task *task, knng_err *err);
const knng_graph_shape *knng_graph_in_shape(const knng_graph_in *g);
void knng_graph_in_close(knng_graph_in *g); /* NULL is fine */

/* Rows [first, first + count) to the rows of a table from 0 on. 2k pieces in every 32 768 rows. Errors: knng:io:open,
 * also where the file has changed since; knng:io:format, where it holds what is no row's number; knng:interrupted. */
knng_status knng_graph_in_read(knng_graph_in *g, int64_t first, int64_t count, const knng_output *out, knng_err *err);
/* The rows of a list, in any order, and some of them more than once; row r of the table is rows[r]. Those that are near
 * one another are read together. Memory: 32 bytes a row. */
knng_status knng_graph_in_rows(knng_graph_in *g, const int64_t *rows, int64_t count, const knng_output *out,
			       knng_err *err);
/* All rows, for knng_hash_rows and knng_verify_rows; good until g is closed. Errors: knng:memory:host. Memory: up to 32
 * MB, or a row if that is more. */
knng_status knng_graph_in_table(knng_graph_in *g, knng_table_rows *table, knng_err *err);

#endif
