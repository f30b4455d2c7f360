/* geo.c  Series matrix files of GEO, separated by tabs, text in double quotes:
 *
 *     !Series_title  "…"                      (lines of metadata: a key and its values)
 *     !Sample_title  "…"  "…"                 (one value a sample)
 *     !series_matrix_table_begin
 *     "ID_REF"  "GSM1"  "GSM2"
 *     "1007_s_at"  10.1  null                 (missing: null, nothing)
 *     !series_matrix_table_end
 *
 * A fault in metadata is a warning. */
#include "io/format.h"
#include "io/formats/fields.h"

#include <string.h>

static bool
geo_looks_like(const char *text)
{
	return *skip_blanks(text) == '!';
}

/* The line of metadata at t->at, behind its '!'. */
static knng_status
geo_line(knng_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	char q[KNNG_QUOTED + 8], *key = t->at, *end = skip_word(key);
	int64_t name = t->kept, line = t->line, count = 0;
	if (end == key) {
		knng_text_warn(t, line, "found %s after !, expected a key; the line is not used",
			       knng_text_quote(key, end, q));
		t->at += strcspn(t->at, "\n");
		return KNNG_OK;
	}
	t->at = end;
	knng_text_keep(t, key, end);
	if (!is_end(*(t->at = skip_blanks(end)))) {
		t->at = *end == '\t' ? end + 1 : t->at; /* tabs at once may be empty values */
		count = knng_fields_keep_loose(t, INT64_MAX);
	}
	return knng_builder_meta(b, (knng_meta_line){.name = name, .first = name + 1, .count = count, .line = line},
				 err);
}

/* The lines before the table, and the one that begins it. */
static knng_status
geo_head(knng_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	char q[KNNG_QUOTED + 8];
	for (;;) {
		knng_status status;
		knng_text_next_line(t);
		char *p = skip_blanks(t->at);
		if (*p == '\0')
			return knng_text_fail_truncated(t, "!series_matrix_table_begin", err);
		if (*p == '!') {
			t->at = p + 1;
			if (knng_text_is(t->at, skip_word(t->at), "series_matrix_table_begin")) {
				t->at += strcspn(t->at, "\n");
				knng_text_next_line(t);
				return KNNG_OK;
			}
			if ((status = geo_line(b, err)) != KNNG_OK)
				return status;
			continue;
		}
		if (knng_text_begins(p + (*p == '"'), "id_ref")) {
			knng_text_warn(t, t->line, "the table begins without a line !series_matrix_table_begin");
			return KNNG_OK;
		}
		knng_text_warn(t, t->line, "found %s, expected a line that begins with !; it is not used",
			       knng_text_quote(p, skip_word(p), q));
		t->at += strcspn(t->at, "\n");
	}
}

/* The line of names, the rows, and the line that ends them. */
static knng_status
geo_table(knng_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	int64_t header;
	knng_status found;
	b->samples = t->kept + 1;
	if ((found = knng_fields_keep(t, '\t', &header, err)) != KNNG_OK)
		return found;
	if (header < 2)
		return knng_text_fail(t, err, "found a table without samples, expected ID_REF and their names");
	b->names = t->kept;
	if ((found = knng_builder_size(b, knng_fields_rows(t, header - 1), header - 1, err)) != KNNG_OK)
		return found;
	for (;;) {
		knng_status status;
		knng_text_next_line(t);
		if (*t->at == '\0')
			return knng_text_fail_truncated(t, "!series_matrix_table_end", err);
		if (*t->at != '!') {
			if ((status = knng_fields_row(b, '\t', false, err)) != KNNG_OK)
				return status;
			continue;
		}
		t->at++;
		bool end = knng_text_is(t->at, skip_word(t->at), "series_matrix_table_end");
		if (!end)
			return knng_text_fail_found(t, t->at - 1, "a row, or !series_matrix_table_end", err);
		t->at += strcspn(t->at, "\n");
		return KNNG_OK;
	}
}

/* The lines of metadata behind the table, and nothing more. */
static knng_status
geo_tail(knng_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	char q[KNNG_QUOTED + 8];
	for (knng_text_next_word(t); *t->at == '!'; knng_text_next_word(t)) {
		t->at++;
		knng_status status = geo_line(b, err);
		if (status != KNNG_OK)
			return status;
	}
	if (*t->at == '\0')
		return KNNG_OK;
	return knng_text_fail(t, err, "found %s, expected nothing after !series_matrix_table_end",
			      knng_text_quote(t->at, skip_word(t->at), q));
}

/* Metadata of samples should have a value for each of them. */
static void
geo_check_samples(knng_text *t, const knng_dataset *ds)
{
	for (int64_t l = 0; l < ds->nmeta; l++) {
		const knng_meta *m = &ds->meta[l];
		if (knng_text_begins(m->key, "sample_") && m->count != ds->ncols)
			knng_text_warn(t, m->line, "found %lld values of %.40s, expected %lld, one a sample",
				       (long long)m->count, m->key, (long long)ds->ncols);
	}
}

static knng_status
geo_parse(knng_text *t, knng_content *content, knng_err *err)
{
	knng_builder b = {.t = t, .ds = &content->data, .names = -1, .samples = -1, .classes = -1, .width = 1};
	knng_status status;

	if ((status = geo_head(&b, err)) != KNNG_OK)
		goto done;
	status = geo_table(&b, err);
	if (status == KNNG_EIO && knng_text_is_last_line(t, t->at))
		status = knng_text_fail_truncated(t, "!series_matrix_table_end", err);
	else if (status == KNNG_OK && b.records == 0)
		status = knng_text_fail(
			t, err,
			"the table has no rows: the values of this series are not in its matrix file, but "
			"in its supplementary files");
	if (status != KNNG_OK || (status = geo_tail(&b, err)) != KNNG_OK ||
	    (status = knng_builder_finish(&b, err)) != KNNG_OK)
		goto done;
	geo_check_samples(t, &content->data);
done:
	knng_builder_free(&b);
	return status;
}

const knng_format knng_format_geo = {
	.name = "geo",
	.title = "a series matrix of GEO (!Series_…)",
	.kind = KNNG_DATASET,
	.looks_like = geo_looks_like,
	.parse = geo_parse,
};
