/* abk.c  ABK, a format of microarray data. Fields are separated by a run of blanks, or by one tab with blanks around
 * it; the words and numbers before `dummy` may also stand in one line:
 *
 *     FEATURESINROWS or FEATURESINCOLUMNS
 *     TARGETPRESENT or TARGETNOTPRESENT
 *     FIRST, LAST, NONE or NO       (where the target is)
 *     nFeatures
 *     nSamples
 *     dummy s_1 ... s_nSamples      (or the names of the features)
 *     name v_1 ... v_nSamples       (nFeatures rows; or a row for each sample)
 *     c_1 ... c_nSamples            (the target: the first or the last row, without a name; or the first or the last
 *                                    value of each row)
 *
 * What the header promises is believed only as far as the bytes at hand can hold it. A fault in names and target is a
 * warning: the values are there.
 *
 * Source: files of the group of the first paper (GPU-FS-kNN). */
#include "io/format.h"
#include "io/formats/words.h"

static bool
abk_looks_like(const char *text)
{
	return knng_text_begins(skip_blanks(text), "featuresin");
}

/* The next word is one of these: which, or -1 with err filled. Keeps it. */
static int
abk_choice(knng_text *t, const char *const words[], int count, const char *expected, knng_err *err)
{
	knng_text_next_word(t);
	char *word = t->at, *end = skip_word(word);
	for (int i = 0; i < count; i++)
		if (knng_text_is(word, end, words[i])) {
			t->at = end;
			knng_text_keep(t, word, end);
			return i;
		}
	knng_text_fail_found(t, word, expected, err);
	return -1;
}

/* All words that are left in the line, kept; how many. */
static int64_t
keep_words(knng_text *t)
{
	int64_t count = 0;
	for (; !is_end(*(t->at = skip_blanks(t->at))); count++) {
		char *word = t->at;
		t->at = skip_word(word);
		knng_text_keep(t, word, t->at);
	}
	return count;
}

/* The row of classes: one a sample, perhaps with a name before them. */
static knng_status
abk_target(knng_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	knng_text_next_word(t);
	int64_t begin = t->kept, d = b->values, have = keep_words(t);
	if (have == d || have == d + 1) {
		b->classes = begin + (have - d);
		return KNNG_OK;
	}
	knng_text_warn(t, t->line, "found %lld class labels in the target row, expected %lld; they are not used",
		       (long long)have, (long long)d);
	return knng_builder_meta(b, (knng_meta_line){.key = "target", .first = begin, .count = have, .line = t->line},
				 err);
}

/* The three words that say how the file is laid out: *transposed, a record is a sample; *place, where its target is. */
static knng_status
abk_layout(knng_builder *b, bool *transposed, knng_label *place, knng_err *err)
{
	enum { COLUMNS = 1, PRESENT = 0, LAST = 1 }; /* places in these lists */
	static const char *const layouts[] = {"featuresinrows", "featuresincolumns"};
	static const char *const targets[] = {"targetpresent", "targetnotpresent"};
	static const char *const places[] = {"first", "last", "none", "no"};
	knng_text *t = b->t;
	int64_t line = t->line;
	int layout, target, at;
	if ((layout = abk_choice(t, layouts, 2, "FEATURESINROWS or FEATURESINCOLUMNS", err)) < 0 ||
	    (target = abk_choice(t, targets, 2, "TARGETPRESENT or TARGETNOTPRESENT", err)) < 0 ||
	    (at = abk_choice(t, places, 4, "FIRST, LAST, NONE or NO", err)) < 0)
		return KNNG_EIO;
	if (target == PRESENT && at > LAST)
		knng_text_warn(t, t->line,
			       "the target is present, but its place is neither FIRST nor LAST; it is "
			       "taken to be last");
	*transposed = layout == COLUMNS;
	*place = target != PRESENT ? KNNG_NO_LABEL : at == 0 ? KNNG_LABEL_FIRST : KNNG_LABEL_LAST;
	return knng_builder_meta(b, (knng_meta_line){.key = "layout", .count = 3, .line = line}, err);
}

/* The numbers of features and of samples. */
static knng_status
abk_sizes(knng_text *t, int64_t size[2], knng_err *err)
{
	for (int i = 0; i < 2; i++) {
		knng_text_next_word(t);
		char *p = knng_text_count(t->at, &size[i]);
		if (p == NULL || size[i] == 0)
			return knng_text_fail_found(t, t->at,
						    i == 0 ? "the number of features, a whole number from 1 on"
							   : "the number of samples, a whole number from 1 on",
						    err);
		t->at = p;
	}
	return KNNG_OK;
}

/* dummy, and the names of the d columns; a target that is one of them, at `place`, may have one as well. */
static knng_status
abk_header(knng_builder *b, int64_t d, knng_label place, knng_err *err)
{
	knng_text *t = b->t;
	knng_text_next_word(t);
	t->at = skip_word(t->at);
	int64_t header = t->kept, have = keep_words(t);
	if (have == d || (have == d + 1 && b->width == 2)) {
		*(b->transposed ? &b->names : &b->samples) = header + (have > d && place == KNNG_LABEL_FIRST);
		return KNNG_OK;
	}
	knng_text_warn(t, t->line, "found %lld names after the first word, expected %lld; they are not used",
		       (long long)have, (long long)d);
	return knng_builder_meta(b, (knng_meta_line){.key = "header", .first = header, .count = have, .line = t->line},
				 err);
}

/* The records, and the row of the target before or behind them if it is one. */
static knng_status
abk_rows(knng_builder *b, int64_t n, knng_label place, knng_err *err)
{
	knng_status status;
	bool row = !b->transposed;
	if (row && place == KNNG_LABEL_FIRST && (status = abk_target(b, err)) != KNNG_OK)
		return status;
	*(b->transposed ? &b->samples : &b->names) = b->t->kept;
	status = knng_words_records(b, n, row ? KNNG_NO_LABEL : place, NULL, err);
	if (status == KNNG_OK && row && place == KNNG_LABEL_LAST)
		status = abk_target(b, err);
	return status;
}

static knng_status
abk_parse(knng_text *t, knng_content *content, knng_err *err)
{
	knng_builder b = {.t = t, .ds = &content->data, .names = -1, .samples = -1, .classes = -1};
	int64_t size[2];
	knng_label place;
	knng_status status;

	if ((status = abk_layout(&b, &b.transposed, &place, err)) != KNNG_OK ||
	    (status = abk_sizes(t, size, err)) != KNNG_OK)
		goto done;
	b.width = b.transposed && place != KNNG_NO_LABEL ? 2 : 1;
	int64_t n = size[b.transposed], d = size[!b.transposed]; /* records, and values of each */
	if ((status = knng_words_sizes(t, t->at, n, d, err)) != KNNG_OK ||
	    (status = abk_header(&b, d, place, err)) != KNNG_OK ||
	    (status = knng_builder_size(&b, n, d, err)) != KNNG_OK ||
	    (status = abk_rows(&b, n, place, err)) != KNNG_OK ||
	    (status = knng_words_end(t, "as many rows as the header says", err)) != KNNG_OK)
		goto done;
	status = knng_builder_finish(&b, err);
done:
	knng_builder_free(&b);
	return status;
}

const knng_format knng_format_abk = {
	.name = "abk",
	.title = "an ABK file (FEATURESINROWS or FEATURESINCOLUMNS)",
	.kind = KNNG_DATASET,
	.looks_like = abk_looks_like,
	.parse = abk_parse,
};
