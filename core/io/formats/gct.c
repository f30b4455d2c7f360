/* gct.c  GCT, separated by tabs (1.2 has no sizes p and q: p = 1, q = 0):
 *
 *     #1.3
 *     n  d  p  q
 *     id  P_1 … P_p  s_1 … s_d                (1.2: Name Description s_1 … s_d)
 *     Q_i  na … na  v_1 … v_d                 (q lines of metadata of the columns)
 *     name  w_1 … w_p  v_1 … v_d              (n rows)
 *
 * A fault in metadata is a warning. What is written is 1.2: no quotes, and blanks around a field do not count. */
#include "io/formats/fields.h"
#include "io/write.h"

#include <string.h>

/* ---- reading ---- */

static bool
gct_looks_like(const char *text)
{
	text = skip_blanks(text);
	return text[0] == '#' && text[1] == '1' && text[2] == '.' && is_digit(text[3]);
}

/* The q lines of metadata of the columns; before the values they have p fields that mean nothing. */
static knng_status
gct_columns(knng_builder *b, int64_t p, int64_t q, knng_err *err)
{
	knng_text *t = b->t;
	for (; q > 0; q--) {
		knng_text_next_line(t);
		if (*t->at == '\0')
			return knng_text_fail_truncated(t, "the rows", err);
		bool quotes = true;
		knng_field f = knng_field_loose(t, &quotes);
		int64_t name = knng_text_keep(t, f.begin, f.end), count = 0;
		for (int64_t i = 0; i < p && knng_field_separator(t, '\t'); i++)
			knng_field_loose(t, &quotes);
		if (knng_field_separator(t, '\t'))
			count = knng_fields_keep_loose(t, b->values);
		if (count != b->values)
			knng_text_warn(t, t->line, "found %lld values, expected %lld, one a sample", (long long)count,
				       (long long)b->values);
		knng_status status = knng_builder_meta(
			b, (knng_meta_line){.name = name, .first = name + 1, .count = count, .line = t->line}, err);
		if (status != KNNG_OK)
			return status;
	}
	return KNNG_OK;
}

enum { N, D, P, Q, SIZES }; /* rows, samples, and the lines of metadata of each */

/* The first two lines: the version, *two if it is 1.2, and the sizes, which the text has to be able to hold. */
static knng_status
gct_sizes(knng_text *t, bool *two, int64_t size[SIZES], knng_err *err)
{
	char *p = t->at = skip_blanks(t->at), *end = skip_word(p);
	int64_t least;
	*two = knng_text_is(p, end, "#1.2");
	if ((!*two && !knng_text_is(p, end, "#1.3")) || !is_end(*skip_blanks(end)))
		return knng_text_fail_found(t, p, "#1.2 or #1.3 alone in the first line", err);
	t->at = skip_blanks(end);
	knng_text_next_word(t);
	p = t->at;
	int sizes = *two ? P : SIZES, got = 0;
	size[P] = 1;
	size[Q] = 0;
	while (got < sizes && (p = knng_text_count(p, &size[got])) != NULL) {
		p = skip_blanks(p);
		got++;
	}
	if (got < sizes || !is_end(*p) || size[N] == 0 || size[D] == 0)
		return knng_text_fail_found(t, t->at,
					    *two ? "two whole numbers from 1 on, the numbers of rows and of samples"
						 : "four whole numbers: rows and samples, from 1 on, and the lines of "
						   "metadata of each",
					    err);
	t->at = p;
	if (knng_mul(size[N], size[D] + size[P] + 1, 1, &least) && least <= t->end - p + 1)
		return KNNG_OK;
	return knng_fail(err, KNNG_EIO, "knng:io:truncated",
			 "%.200s, line %lld: promises %lld rows of %lld values, which the %lld bytes that "
			 "follow cannot hold",
			 t->path, (long long)t->line, (long long)size[N], (long long)size[D], (long long)(t->end - p));
}

/* The line of names: those of the samples, and of the p columns of metadata before them. */
static knng_status
gct_header(knng_builder *b, bool two, const int64_t size[SIZES], knng_err *err)
{
	knng_text *t = b->t;
	knng_text_next_line(t);
	int64_t want = 1 + size[P] + size[D], header = t->kept, have = knng_fields_keep_loose(t, want);
	if (have != want) {
		knng_text_warn(t, t->line, "found %lld fields in the header, expected %lld; it is not used",
			       (long long)have, (long long)want);
		return knng_builder_meta(
			b, (knng_meta_line){.key = "header", .first = header, .count = have, .line = t->line}, err);
	}
	b->samples = header + 1 + size[P];
	knng_status status = KNNG_OK;
	for (int64_t i = 1; i <= size[P] && status == KNNG_OK; i++)
		status = knng_builder_meta(
			b,
			(knng_meta_line){
				.key = two ? "descriptions" : NULL, .name = header + i, .column = i, .line = t->line},
			err);
	return status;
}

/* The rows, and nothing more. */
static knng_status
gct_rows(knng_builder *b, const int64_t size[SIZES], knng_err *err)
{
	knng_text *t = b->t;
	char q[KNNG_QUOTED + 8];
	b->names = t->kept;
	b->width = 1 + size[P];
	while (b->records < size[N]) {
		knng_text_next_line(t);
		if (*t->at == '\0')
			return knng_fail(err, KNNG_EIO, "knng:io:truncated",
					 "%.200s, line %lld: the rows end after %lld of the %lld that line 2 promises",
					 t->path, (long long)t->line, (long long)b->records, (long long)size[N]);
		knng_status status = knng_fields_row(b, '\t', true, err);
		if (status != KNNG_OK)
			return status;
	}
	knng_text_next_word(t);
	if (*t->at == '\0')
		return KNNG_OK;
	return knng_text_fail(t, err, "found %s, expected nothing after the %lld rows that line 2 promises",
			      knng_text_quote(t->at, skip_word(t->at), q), (long long)size[N]);
}

static knng_status
gct_parse(knng_text *t, knng_content *content, knng_err *err)
{
	knng_builder b = {.t = t, .ds = &content->data, .names = -1, .samples = -1, .classes = -1};
	int64_t size[SIZES];
	bool two;
	knng_status status;

	if ((status = gct_sizes(t, &two, size, err)) == KNNG_OK &&
	    (status = gct_header(&b, two, size, err)) == KNNG_OK &&
	    (status = knng_builder_size(&b, size[N], size[D], err)) == KNNG_OK &&
	    (status = gct_columns(&b, size[P], size[Q], err)) == KNNG_OK &&
	    (status = gct_rows(&b, size, err)) == KNNG_OK)
		status = knng_builder_finish(&b, err);
	knng_builder_free(&b);
	return status;
}

/* ---- writing ---- */

static bool
gct_spell(writer *w, const char *text)
{
	size_t length = strlen(text);
	if (length == 0 || strpbrk(text, "\t\n\r\"") != NULL || *text == ' ' || text[length - 1] == ' ')
		return false;
	knng_put_plain(w, text);
	return true;
}

static void
gct_write(writer *w)
{
	put(w, "#1.2\n");
	knng_put_sizes(w);
	put(w, "Name\tDescription\t");
	knng_put_columns(w, w->ds->samples, "\t");
	put(w, "\n");
	knng_put_rows(w, true, "\tna", "\t");
}

static const knng_writing writing[] = {
	{.name = "gct", .nan = "NA", .holds = NAMES, .spell = gct_spell, .head = gct_write},
	{.name = NULL},
};

const knng_format knng_format_gct = {
	.name = "gct",
	.title = "a GCT file (#1.2 or #1.3)",
	.kind = KNNG_DATASET,
	.looks_like = gct_looks_like,
	.parse = gct_parse,
	.write = writing,
};
