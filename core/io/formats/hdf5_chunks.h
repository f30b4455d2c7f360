/* hdf5_chunks.h  The numbers of a dataset of HDF5 that do not lie in one piece. */
#ifndef KNNG_HDF5_CHUNKS_H
#define KNNG_HDF5_CHUNKS_H

#ifdef KNNG_HDF5
#include "io/hdf5.h"
#include "io/matrix_file.h"

/* Of what describe has found out: sizes, order and element, box left open. The file and the dataset, which are open,
 * belong to *boxes then; after an error they do not. Errors: knng:io:format where the numbers lie in other files, or
 * are packed in a way that is not known; knng:memory:host. Between enter and leave of hdf5.h. */
knng_status knng_hdf5_boxes(knng_matrix_boxes **boxes, const knng_boxed *boxed, const knng_store *s, hid_t file,
			    hid_t dataset, int rank, knng_err *err);
#endif
#endif
