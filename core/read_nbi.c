/* read_nbi.c  Two formats of microarray data, NBI and ABK. Fields are separated by a run of blanks, or by one tab with
 * blanks around it.
 *
 * NBI:
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
 * ABK, in which the words and numbers before `dummy` may also stand in one line:
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
 * What a header promises is believed only as far as the bytes at hand can hold it. A fault in the sections behind the
 * rows, or in names and target, is a warning: the values are there.
 *
 * Source: NBI, the sample in the appendix of the first paper (GPU-FS-kNN); ABK, files of the same group. */
#include "read.h"

#include <math.h>

/* ---- fields separated by blanks or tabs ---- */

/* Two sizes of a header, from 1 on, which the text from `p` on can hold: a row takes a byte of name, one a value and
 * the end of the line. */
static knng_status
check_sizes(const knng_text *t, const char *p, int64_t n, int64_t d, knng_err *err)
{
	int64_t least;
	if (knng_mul(n, d + 2, 1, &least) && least <= t->end - p + 1)
		return KNNG_OK;
	return knng_fail(err, KNNG_EIO, "knng:io:truncated",
			 "%.200s, line %lld: promises %lld rows of %lld values, which the %lld bytes that follow "
			 "cannot hold",
			 t->path, (long long)t->line, (long long)n, (long long)d, (long long)(t->end - p));
}

/* A record, at t->at: a name and d values into v, with a class before or behind them if `first` or `last`. Keeps the
 * name and the class. Leaves t->at at the end of the line. */
static knng_status
parse_record(knng_text *t, int64_t d, bool first, bool last, double *v, knng_err *err)
{
	char q[KNNG_QUOTED + 8], *name = t->at, *name_end = skip_word(name);
	char *label = skip_blanks(name_end), *label_end = skip_word(label), *p = first ? label_end : name_end;
	int64_t have = 0, more = 0;
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
	if (last) {
		label = p;
		label_end = skip_word(p);
	}
	for (; !is_end(*p); p = skip_blanks(skip_word(p)))
		more++;
	if (have < d || more != last) {
		if (*p == '\0' && have + more < d + last)
			return knng_text_fail_truncated(t, "the end of a row", err);
		return knng_text_fail(t, err,
				      "found %lld values after the name %s, expected %lld as the header says (nothing "
				      "between two tabs counts as a missing value)",
				      (long long)(have + more + first), knng_text_quote(name, name_end, q),
				      (long long)(d + first + last));
	}
	t->at = p;
	knng_text_keep(t, name, name_end);
	if (first || last)
		knng_text_keep(t, label, label_end);
	return KNNG_OK;
}

static knng_status
fail_rows(const knng_builder *b, int64_t promised, knng_err *err)
{
	return knng_fail(err, KNNG_EIO, "knng:io:truncated",
			 "%.200s, line %lld: the rows end after %lld of the %lld that the header promises", b->t->path,
			 (long long)b->t->line, (long long)b->records, (long long)promised);
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

static knng_status
nbi_parse(knng_text *t, knng_content *content, knng_err *err)
{
	knng_builder b = {.t = t, .ds = &content->data, .names = -1, .samples = -1, .classes = -1};
	char *p;
	int64_t n, d;
	knng_status status;

	t->at = skip_word(skip_blanks(t->at));
	knng_text_next_word(t);
	if ((p = knng_text_count(t->at, &n)) == NULL || (p = knng_text_count(skip_blanks(p), &d)) == NULL || n == 0 ||
	    d == 0 || !is_end(*skip_blanks(p)))
		return knng_text_fail_found(
			t, t->at,
			"two whole numbers from 1 on, the numbers of features (rows) and of samples (columns)", err);
	t->at = skip_blanks(p);

	if ((status = check_sizes(t, p, n, d, err)) != KNNG_OK)
		return status;
	if ((status = knng_builder_size(&b, n, d, err)) != KNNG_OK)
		goto done;
	b.names = t->kept;
	while (b.records < n) {
		knng_text_next_word(t);
		if (*t->at == '\0' || is_any_tag(t->at)) {
			status = fail_rows(&b, n, err);
			goto done;
		}
		if ((status = parse_record(t, d, false, false, knng_builder_next(&b), err)) != KNNG_OK)
			goto done;
		knng_builder_done(&b);
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

/* ---- ABK ---- */

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

static knng_status
abk_parse(knng_text *t, knng_content *content, knng_err *err)
{
	enum { COLUMNS = 1, PRESENT = 0, FIRST = 0, LAST = 1 }; /* places in these lists */
	static const char *const layouts[] = {"featuresinrows", "featuresincolumns"};
	static const char *const targets[] = {"targetpresent", "targetnotpresent"};
	static const char *const places[] = {"first", "last", "none", "no"};
	knng_builder b = {.t = t, .ds = &content->data, .names = -1, .samples = -1, .classes = -1};
	int64_t size[2], line = t->line;
	knng_status status = KNNG_EIO;
	int layout, target, place;

	if ((layout = abk_choice(t, layouts, 2, "FEATURESINROWS or FEATURESINCOLUMNS", err)) < 0 ||
	    (target = abk_choice(t, targets, 2, "TARGETPRESENT or TARGETNOTPRESENT", err)) < 0 ||
	    (place = abk_choice(t, places, 4, "FIRST, LAST, NONE or NO", err)) < 0)
		goto done;
	if ((status = knng_builder_meta(&b, (knng_meta_line){.key = "layout", .count = 3, .line = line}, err)) !=
	    KNNG_OK)
		goto done;
	if (target == PRESENT && place > LAST) {
		knng_text_warn(t, t->line,
			       "the target is present, but its place is neither FIRST nor LAST; it is "
			       "taken to be last");
		place = LAST;
	}
	bool first = target == PRESENT && place == FIRST, last = target == PRESENT && place == LAST;
	b.transposed = layout == COLUMNS;
	b.width = b.transposed && (first || last) ? 2 : 1;
	for (int i = 0; i < 2; i++) {
		knng_text_next_word(t);
		char *p = knng_text_count(t->at, &size[i]);
		if (p == NULL || size[i] == 0) {
			status = knng_text_fail_found(t, t->at,
						      i == 0 ? "the number of features, a whole number from 1 on"
							     : "the number of samples, a whole number from 1 on",
						      err);
			goto done;
		}
		t->at = p;
	}
	int64_t n = size[b.transposed], d = size[!b.transposed]; /* records, and values of each */
	if ((status = check_sizes(t, t->at, n, d, err)) != KNNG_OK)
		goto done;

	/* dummy, and the names of the columns; a target may have one as well */
	knng_text_next_word(t);
	t->at = skip_word(t->at);
	int64_t header = t->kept, have = keep_words(t);
	if (have == d || (have == d + 1 && b.width == 2))
		*(b.transposed ? &b.names : &b.samples) = header + (have > d && first);
	else {
		knng_text_warn(t, t->line, "found %lld names after the first word, expected %lld; they are not used",
			       (long long)have, (long long)d);
		status = knng_builder_meta(
			&b, (knng_meta_line){.key = "header", .first = header, .count = have, .line = t->line}, err);
		if (status != KNNG_OK)
			goto done;
	}
	if ((status = knng_builder_size(&b, n, d, err)) != KNNG_OK)
		goto done;
	if (first && !b.transposed && (status = abk_target(&b, err)) != KNNG_OK)
		goto done;
	*(b.transposed ? &b.samples : &b.names) = t->kept;
	while (b.records < n) {
		knng_text_next_word(t);
		if (*t->at == '\0') {
			status = fail_rows(&b, n, err);
			goto done;
		}
		if ((status = parse_record(t, d, first && b.transposed, last && b.transposed, knng_builder_next(&b),
					   err)) != KNNG_OK)
			goto done;
		knng_builder_done(&b);
	}
	if (last && !b.transposed && (status = abk_target(&b, err)) != KNNG_OK)
		goto done;
	knng_text_next_word(t);
	if (*t->at != '\0') {
		char q[KNNG_QUOTED + 8];
		status = knng_text_fail(t, err, "found %s, expected nothing after as many rows as the header says",
					knng_text_quote(t->at, skip_word(t->at), q));
		goto done;
	}
	status = knng_builder_finish(&b, err);
done:
	knng_builder_free(&b);
	return status;
}

const knng_format knng_format_abk = {"abk", "an ABK file (FEATURESINROWS or FEATURESINCOLUMNS)", KNNG_DATASET,
				     abk_looks_like, abk_parse};
