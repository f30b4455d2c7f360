/* read_nbi.c  The NBI format of microarray data, fields separated by a run of blanks, or by one tab with blanks around
 * it:
 *
 *     <MicroarrayData>
 *     nFeatures nSamples
 *     name v_1 ... v_nSamples       (nFeatures rows; missing: NA, NaN, null, ?, nothing between two tabs)
 *     <SamplesNames>
 *     s_1 ... s_nSamples            (optional section)
 *     <SamplesClasses>
 *     c_1 ... c_nSamples            (optional section)
 *     <EndOfFile>
 *
 * What a header promises is believed only as far as the bytes at hand can hold it. A fault in the sections behind the
 * rows is a warning: the values are there.
 *
 * Source: the sample in the appendix of the first paper (GPU-FS-kNN). */
#include "read.h"

#include <math.h>

/* ---- fields separated by blanks or tabs ---- */

/* d values, from p on, into v; *name is for messages. Leaves t->at at the end of the line. */
static knng_status
parse_values(knng_text *t, char *p, int64_t d, double *v, const char *name, knng_err *err)
{
	char q[KNNG_QUOTED + 8];
	int64_t have = 0;
	for (; have < d; have++) {
		char *field = p;
		bool tab = false;
		while (*field == ' ')
			field++;
		if (*field == '\t') {
			tab = true;
			for (field++; *field == ' '; field++) {
			}
		}
		if (*field == '\t' || is_end(*field)) { /* nothing between tabs is a missing value */
			if (!tab)
				break;
			v[have] = NAN;
			p = field;
			continue;
		}
		p = knng_text_number(t, field, &v[have]);
		if (p == NULL || (!is_blank(*p) && !is_end(*p))) {
			p = skip_word(field);
			if (!knng_text_value(t, field, p, &v[have])) {
				if (knng_text_is_last_line(t, field))
					return knng_text_fail_truncated(t, "the end of a row", err);
				return knng_text_fail(t, err,
						      "found %s, expected a number (with a decimal point), or NA for "
						      "a missing value",
						      knng_text_quote(field, p, q));
			}
		}
	}
	p = skip_blanks(p);
	if (have < d || !is_end(*p)) {
		while (!is_end(*p)) {
			have++;
			p = skip_blanks(skip_word(p));
		}
		if (*p == '\0' && have < d)
			return knng_text_fail_truncated(t, "the end of a row", err);
		return knng_text_fail(t, err,
				      "found %lld values after the name %s, expected %lld as the header says (nothing "
				      "between two tabs counts as a missing value)",
				      (long long)have, knng_text_quote(name, skip_word((char *)name), q), (long long)d);
	}
	t->at = p;
	return KNNG_OK;
}

/* ---- NBI ---- */

/* Is the word at p this tag, in any case? */
static bool
is_tag(char *p, const char *tag)
{
	return *p == '<' && knng_text_is(p, skip_word(p), tag);
}

static bool
is_any_tag(char *p)
{
	return is_tag(p, "<samplesnames>") || is_tag(p, "<samplesclasses>") || is_tag(p, "<endoffile>");
}

/* The names or labels of a section, one a sample, in one line or several: *first is the first one's number, -1 if there
 * are none, or not one a sample; then they go to the metadata. */
static knng_status
nbi_labels(knng_builder *b, const char *section, const char *what, int64_t *first, knng_err *err)
{
	knng_text *t = b->t;
	int64_t d = b->ds->ncols, have = 0, begin = t->kept, line = t->line;
	for (;; have++) {
		knng_text_next_word(t);
		if (is_any_tag(t->at))
			break;
		if (*t->at == '\0' || (have == d && knng_text_is_last_line(t, t->at)))
			return knng_text_fail_truncated(t, have < d ? what : "<EndOfFile>", err);
		char *word = t->at;
		t->at = skip_word(word);
		knng_text_keep(t, word, t->at);
	}
	if (have == 0)
		return KNNG_OK;
	if (have == d && *first < 0) {
		*first = begin;
		return KNNG_OK;
	}
	if (have == d)
		knng_text_warn(t, line, "a second list of %s, which is not used", what);
	else
		knng_text_warn(t, line, "found %lld %s, expected %lld, one a sample, without blanks; they are not used",
			       (long long)have, what, (long long)d);
	return knng_builder_meta(b, section, begin, have, false, err);
}

static bool
nbi_looks_like(const char *text)
{
	return knng_text_begins(text, "<microarraydata>");
}

static knng_status
nbi_parse(knng_text *t, knng_content *content, knng_err *err)
{
	knng_builder b = {.t = t, .ds = &content->data, .names = 0, .samples = -1, .classes = -1};
	char *p, *name;
	int64_t n, d, least;
	knng_status status;

	t->at = skip_word(t->at);
	knng_text_next_word(t);
	if ((p = knng_text_count(t->at, &n)) == NULL || (p = knng_text_count(skip_blanks(p), &d)) == NULL || n == 0 ||
	    d == 0 || !is_end(*skip_blanks(p)))
		return knng_text_fail_found(
			t, t->at,
			"two whole numbers from 1 on, the numbers of features (rows) and of samples (columns)", err);
	t->at = skip_blanks(p);

	/* A row takes a byte of name, one a value and the end of the line. */
	if (!knng_mul(n, d + 2, 1, &least) || least > t->end - p)
		return knng_fail(err, KNNG_EIO, "knng:io:truncated",
				 "%.200s, line %lld: promises %lld rows of %lld values, which the %lld bytes that "
				 "follow cannot hold",
				 t->path, (long long)t->line, (long long)n, (long long)d, (long long)(t->end - p));
	if ((status = knng_builder_size(&b, n, d, err)) != KNNG_OK)
		goto done;
	while (b.ds->nrows < n) {
		knng_text_next_word(t);
		name = t->at;
		if (*name == '\0' || is_any_tag(name)) {
			status = knng_fail(
				err, KNNG_EIO, "knng:io:truncated",
				"%.200s, line %lld: the rows end after %lld of the %lld that the header promises",
				t->path, (long long)t->line, (long long)b.ds->nrows, (long long)n);
			goto done;
		}
		if ((status = parse_values(t, skip_word(name), d, knng_builder_row(&b), name, err)) != KNNG_OK)
			goto done;
		knng_text_keep(t, name, skip_word(name));
		knng_builder_row_done(&b);
	}
	for (;;) {
		knng_text_next_word(t);
		char *tag = t->at;
		t->at = skip_word(tag);
		if (is_tag(tag, "<endoffile>"))
			break;
		if (*tag == '\0') {
			status = knng_text_fail_truncated(t, "<EndOfFile>", err);
			goto done;
		}
		if (is_tag(tag, "<samplesnames>"))
			status = nbi_labels(&b, "SamplesNames", "sample names", &b.samples, err);
		else if (is_tag(tag, "<samplesclasses>"))
			status = nbi_labels(&b, "SamplesClasses", "class labels", &b.classes, err);
		else
			status = knng_text_fail_found(
				t, tag,
				"<SamplesNames>, <SamplesClasses> or <EndOfFile> after as many rows as the header says",
				err);
		if (status != KNNG_OK)
			goto done;
	}
	knng_text_next_word(t);
	if (*t->at != '\0') {
		char q[KNNG_QUOTED + 8];
		status = knng_text_fail(t, err, "found %s, expected nothing after <EndOfFile>",
					knng_text_quote(t->at, skip_word(t->at), q));
		goto done;
	}
	status = knng_builder_finish(&b, err);
done:
	knng_builder_free(&b);
	return status;
}

const knng_format knng_format_nbi = {"nbi", "an NBI file (<MicroarrayData>)", KNNG_DATASET, nbi_looks_like, nbi_parse};
