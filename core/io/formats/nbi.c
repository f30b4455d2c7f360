/* nbi.c  NBI, a format of microarray data. Fields are separated by a run of blanks, or by one tab with blanks around
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
 * What the header promises is believed only as far as the bytes at hand can hold it. A fault in the sections behind the
 * rows is a warning: the values are there.
 *
 * Source: the sample in the appendix of the first paper (GPU-FS-kNN). */
#include "io/formats/words.h"
#include "io/write.h"

#include <string.h>

/* ---- reading ---- */

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
	int64_t d = b->values, have = 0, begin = t->kept, line = t->line;
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
	return knng_builder_meta(b, (knng_meta_line){.key = section, .first = begin, .count = have, .line = line}, err);
}

static bool
nbi_looks_like(const char *text)
{
	return knng_text_begins(skip_blanks(text), "<microarraydata>");
}

/* The line of sizes, at t->at. */
static knng_status
nbi_sizes(knng_text *t, int64_t *n, int64_t *d, knng_err *err)
{
	char *p;
	if ((p = knng_text_count(t->at, n)) == NULL || (p = knng_text_count(skip_blanks(p), d)) == NULL || *n == 0 ||
	    *d == 0 || !is_end(*skip_blanks(p)))
		return knng_text_fail_found(
			t, t->at,
			"two whole numbers from 1 on, the numbers of features (rows) and of samples (columns)", err);
	t->at = skip_blanks(p);
	return knng_words_sizes(t, p, *n, *d, err);
}

/* What stands behind the rows, to <EndOfFile>. */
static knng_status
nbi_sections(knng_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	for (;;) {
		knng_status status;
		knng_text_next_word(t);
		char *tag = t->at;
		t->at = skip_word(tag);
		if (is_tag(tag, "<endoffile>"))
			return KNNG_OK;
		if (*tag == '\0')
			return knng_text_fail_truncated(t, "<EndOfFile>", err);
		if (is_tag(tag, "<samplesnames>"))
			status = nbi_labels(b, "SamplesNames", "sample names", &b->samples, err);
		else if (is_tag(tag, "<samplesclasses>"))
			status = nbi_labels(b, "SamplesClasses", "class labels", &b->classes, err);
		else
			status = knng_text_fail_found(
				t, tag,
				"<SamplesNames>, <SamplesClasses> or <EndOfFile> after as many rows as the header says",
				err);
		if (status != KNNG_OK)
			return status;
	}
}

static knng_status
nbi_parse(knng_text *t, knng_content *content, knng_err *err)
{
	knng_builder b = {.t = t, .ds = &content->data, .names = -1, .samples = -1, .classes = -1};
	int64_t n, d;
	knng_status status;

	t->at = skip_word(skip_blanks(t->at));
	knng_text_next_word(t);
	if ((status = nbi_sizes(t, &n, &d, err)) == KNNG_OK && (status = knng_builder_size(&b, n, d, err)) == KNNG_OK) {
		b.names = t->kept;
		status = knng_words_records(&b, n, KNNG_NO_LABEL, is_any_tag, err);
	}
	if (status == KNNG_OK && (status = nbi_sections(&b, err)) == KNNG_OK &&
	    (status = knng_words_end(t, "<EndOfFile>", err)) == KNNG_OK)
		status = knng_builder_finish(&b, err);
	knng_builder_free(&b);
	return status;
}

/* ---- writing ---- */

/* Fields end at blanks, and one that begins with < might be a tag. */
static bool
nbi_spell(writer *w, const char *text)
{
	if (*text == '\0' || *text == '<' || strpbrk(text, " \t\n\r") != NULL)
		return false;
	knng_put_plain(w, text);
	return true;
}

static void
nbi_write(writer *w)
{
	put(w, "<MicroarrayData>\n");
	knng_put_sizes(w);
	knng_put_rows(w, true, "", "\t");
	if (w->ds->samples != NULL) {
		put(w, "<SamplesNames>\n");
		knng_put_columns(w, w->ds->samples, "\t");
		put(w, "\n");
	}
	if (w->ds->classes != NULL) {
		put(w, "<SamplesClasses>\n");
		knng_put_columns(w, w->ds->classes, "\t");
		put(w, "\n");
	}
	put(w, "<EndOfFile>\n");
}

static const knng_writing writing[] = {
	{.name = "nbi", .nan = "NA", .holds = NAMES | CLASSES, .spell = nbi_spell, .head = nbi_write},
	{.name = NULL},
};

const knng_format knng_format_nbi = {
	.name = "nbi",
	.title = "an NBI file (<MicroarrayData>)",
	.kind = KNNG_DATASET,
	.looks_like = nbi_looks_like,
	.parse = nbi_parse,
	.write = writing,
};
