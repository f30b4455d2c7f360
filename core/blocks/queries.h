/* queries.h  The neighbours of queries among rows that are read from elsewhere, some of them at a time. */
#ifndef KNNG_QUERIES_H
#define KNNG_QUERIES_H

#include "blocks/rows.h"

typedef struct {
	int64_t size;  /* rows that are searched at a time; the next ones are read meanwhile */
	double bytes;  /* of the host, beside the queries and the answer */
	double least;  /* that would do with so many rows at a time */
	double limit;  /* what bytes may be; Inf: anything */
	knng_plan one; /* of a search of so many; its references cannot be read */
} knng_queries_plan;

/* The most rows at a time that fit into opt->max_memory, or into nine tenths of what is available, less the answer.
 * opt->rows is KNNG_ROWS_ALL. Errors: those of knng_ask and knng_plan_make. */
knng_status knng_queries_plan_make(knng_queries_plan *plan, const knng_rows *rows, const knng_matrix *Y,
				   const knng_options *opt, knng_err *err);

/* The neighbours of Y by such a plan: what knng_run would answer if the rows were in memory. out as there. info: times,
 * refined distances, points and certified queries are sums over the parts that were searched, whose number is blocks;
 * what it was done by is of the first. Errors: those of knng_run, and of read. Every row is asked for once; what that
 * costs is the file's matter. */
knng_status knng_queries_run(const knng_queries_plan *plan, const knng_rows *rows, const knng_matrix *Y,
			     const knng_output *out, knng_info *info, knng_err *err);

#endif
