/* result.h  The neighbours that a program has found, and the graph of them that it writes. */
#ifndef KNNG_RESULT_H
#define KNNG_RESULT_H

#include "data.h"
#include "options.h"

static inline const char *
plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

typedef struct {
	int64_t n, k;
	int64_t *idx; /* [n * k], from 0; NULL: it went to opt.output */
	double *dist; /* [n * k] */
	knng_output table;
	char checksum[65]; /* of a graph that is in opt.output; empty: none was asked for */
} knng_result;

/* Bytes that the result takes until it is written, the graph among them. */
double knng_result_bytes(int64_t n, int64_t k);

/* That the result can be written, as far as it is known before the search: the place, before anything is read; the
 * names that were read. Nothing is written where a command plans, or is to print a checksum alone. Errors: those of
 * knng_write. */
knng_status knng_result_can_place(const knng_command *command, knng_err *err);
knng_status knng_result_can_names(const knng_command *command, const knng_data *data, knng_err *err);

/* Errors: knng:memory:host. */
knng_status knng_result_make(knng_result *r, int64_t n, int64_t k, knng_err *err);
void knng_result_free(knng_result *r); /* safe on zeros, and twice */

/* The checksum of a file that knng_options.written has: it is taken before the file has its name, so that whoever
 * stops it finds none, and can go on. Errors: those of knng_graph_in_open and knng_hash_rows. */
knng_status knng_result_hash(knng_result *r, const knng_command *command, const char *part, knng_err *err);

/* Prints the checksum, if that is asked for, and writes the graph, if it is not in opt.output already. Of rows of
 * single precision distances are single, as from knngraph. Frees the result. Errors: those of knng_hash and knng_write.
 */
knng_status knng_result_write(knng_result *r, const knng_command *command, const knng_data *data, knng_err *err);

/* Says on standard error what the user of a search of n rows should know, whose k became this one. */
void knng_tell_search(const knng_options *opt, int64_t n, int64_t k, const knng_info *info);

#endif
