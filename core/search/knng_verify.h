/* knng_verify.h  Whether a table of neighbours is right, and its hash. */
#ifndef KNNG_VERIFY_H
#define KNNG_VERIFY_H

#include "base/table.h"
#include "search/knng_search.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What knng_verify found. Rows count from 0, neighbours from 1 (0: none). */
typedef struct {
	int64_t nmalformed, checked, different;
	bool *malformed; /* [m] rows of the table that can be no answer, whatever the data are */
	const char *why; /* what is wrong with the first of these */
	int64_t *row;    /* [checked] rows that were computed again, ascending */
	bool *differs;   /* [checked] whether the table has something else; `different` of them */
	int64_t *idx;    /* [checked x k] what is right */
	double *dist;
} knng_proof;

/* Compares a table, which claims to be the answer of q, with docs/canonical.md: looks at every row's form, and
 * computes `sample` rows (at most all), chosen by `seed` alike on every machine, again by a plain loop over all pairs
 * that shares no code with knng_run. Every bit counts; where X, Y or the table is single, the right distances are
 * rounded to single. Errors: knng:memory:host, knng:interrupted; nothing stays allocated then. sample*n*d terms;
 * 8*sample*(d + 2k) bytes, and some 20 MB. */
knng_status knng_verify(knng_task *task, const knng_question *q, const knng_output *table, int64_t sample,
			uint64_t seed, knng_proof *proof, knng_err *err);
/* The same of a table that is had some rows at a time. Errors: those of table->rows, too. */
knng_status knng_verify_rows(knng_task *task, const knng_question *q, const knng_table_rows *table, int64_t sample,
			     uint64_t seed, knng_proof *proof, knng_err *err);
void knng_proof_free(knng_proof *proof); /* always safe on a zeroed or freed one */

/* The SHA-256 of the m x k answer in `table`, as 64 hexadecimal digits: int64 m and k, then of every row its k
 * neighbours (int64, counted from 1, 0 for none) and its k distances (double, a NaN as 0x7FF8000000000000), all
 * little-endian. So one answer has one hash, whatever arrays hold it. Errors: knng:args:idx,
 * knng:memory:host, knng:interrupted. O(mk). */
knng_status knng_hash(knng_task *task, const knng_output *table, int64_t m, int64_t k, char hex[65], knng_err *err);
knng_status knng_hash_rows(knng_task *task, const knng_table_rows *table, int64_t m, int64_t k, char hex[65],
			   knng_err *err);

/* All rows of a table that lies in memory. */
knng_table_rows knng_all_rows(const knng_output *table);

#ifdef __cplusplus
}
#endif
#endif
