/* args.h  Reading the arguments of gateways without trusting them, and making results. */
#ifndef KNNG_ARGS_H
#define KNNG_ARGS_H

#include "base/pairs.h"
#include "knng.h"
#include "mex.h"
#include "progress.h"

/* A char row vector as a C string of knng_alloc (free it), or NULL with err filled: `id`, or knng:memory:host. `what`
 * names the argument in the message. Safe for every class. */
char *knng_mex_string(const mxArray *a, const char *id, const char *what, knng_err *err);

/* The name of a metric in *metric, whose former text is freed. Whether there is such a metric is not looked at. Errors:
 * knng:args:metric. */
knng_status knng_mex_metric(const mxArray *a, char **metric, knng_err *err);

/* A full real matrix, double or single, whose rows are points; not copied. `name` is its name in messages. */
knng_status knng_mex_matrix(const mxArray *a, const char *name, knng_matrix *m, knng_err *err);

/* The m x k tables idx and dist as knngraph returns them; not copied, contents not looked at. Errors: knng:args:idx,
 * knng:args:dist. */
knng_status knng_mex_table(const mxArray *idx, const mxArray *dist, knng_output *table, int64_t *m, int64_t *k,
			   knng_err *err);

/* True: *value is one real number of [low, high], and a whole one where that is asked for. */
bool knng_mex_number(const mxArray *a, double low, double high, bool whole, double *value);

/* True: *bytes is what one real number of [low, Inf] says, or a text as of knng_bytes. */
bool knng_mex_bytes(const mxArray *a, double low, double *bytes);

/* A matrix for a result, every element of which is to be written: its memory may hold anything. Octave copies a large
 * one that mxCreate… made when the gateway returns; this one it takes as it is. NULL, with knng:memory:host: there is
 * no room. */
mxArray *knng_mex_result(int64_t rows, int64_t columns, bool single, knng_err *err);

/* The same for a sparse matrix of doubles, all of whose entries and starts of columns are to be written. */
mxArray *knng_mex_sparse(int64_t rows, int64_t columns, int64_t entries, knng_err *err);

/* The name of its class. Octave 11 has none for a struct. */
const char *knng_mex_class(const mxArray *a);

/* What was given, for a message: a number, a word, or class and size. Returns text. */
const char *knng_mex_show(const mxArray *a, char *text, size_t size);

/* knng:args:option: the option `name` has the value a and must be `wanted`. */
knng_status knng_mex_bad_option(const char *name, const mxArray *a, const char *wanted, knng_err *err);

/* True, and the text in word, if `a` is one line of fewer than size characters: to be compared with names. */
bool knng_mex_word(const mxArray *a, char *word, size_t size);

/* Which of n words the text is, in upper or lower case; or -1. */
int knng_mex_which(const mxArray *a, const char *const *words, int n);

/* The option 'Device': where to work, at most `most` GPUs by their numbers. Errors: knng:args:device. */
knng_status knng_mex_device(const mxArray *a, int most, knng_devices *device, knng_err *err);

/* The options 'Threads' and 'Progress'. */
knng_status knng_mex_threads(const mxArray *a, knng_task *task, knng_err *err);
knng_status knng_mex_progress(const mxArray *a, knng_progress *p, knng_err *err);

/* The operations of metafeatures by their numbers, from 1 on; [] is none. False: they are something else. */
bool knng_mex_operations(const mxArray *a, struct knng_pairs *p);

/* Makes X, which has the rows, the matrix of what its pairs of rows make. p has to last as long. Errors:
 * knng:args:rows, they are more than can be searched. */
knng_status knng_mex_pair_up(knng_matrix *X, struct knng_pairs *p, knng_err *err);

/* The options 'Dataset' and 'Transposed' of files of HDF5: a name, to be freed by knng_free (NULL of '' and []), and
 * what knng_matrix_choice has of it (-1 of []). */
knng_status knng_mex_dataset(const mxArray *a, char **name, knng_err *err);
knng_status knng_mex_transposed(const mxArray *a, int *transposed, knng_err *err);

#endif
