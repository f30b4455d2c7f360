/* words.c  Records of words, see words.h. */
#include "io/formats/words.h"

#include <math.h>

knng_status
knng_words_sizes(const knng_text *t, const char *p, int64_t n, int64_t d, knng_err *err)
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
		if (p == NULL || isinf(v[have]) || knng_text_is_said(t, field, p, v[have]) ||
		    (!is_blank(*p) && !is_end(*p))) {
			p = skip_word(field);
			if (!knng_text_value(t, field, p, &v[have]) || knng_text_is_beyond(field, v[have])) {
				if (knng_text_is_last_line(t, field))
					return knng_text_fail_truncated(t, "the end of a row", err);
				const char *unseen = knng_text_unseen(field, p);
				return knng_text_fail(t, err,
						      "found %s, expected a number (with a decimal point), or NA for "
						      "a missing value%s%s%s",
						      knng_text_quote(field, p, q), unseen != NULL ? "; in it is " : "",
						      unseen != NULL ? unseen : "",
						      unseen != NULL ? ": take it out of the file" : "");
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

knng_status
knng_words_records(knng_builder *b, int64_t n, knng_label label, bool (*ends)(char *word), knng_err *err)
{
	knng_text *t = b->t;
	while (b->records < n) {
		knng_text_next_word(t);
		if (*t->at == '\0' || (ends != NULL && ends(t->at)))
			return fail_rows(b, n, err);
		knng_status status = parse_record(t, b->values, label == KNNG_LABEL_FIRST, label == KNNG_LABEL_LAST,
						  knng_builder_next(b), err);
		if (status != KNNG_OK)
			return status;
		knng_builder_done(b);
	}
	return KNNG_OK;
}

knng_status
knng_words_end(knng_text *t, const char *what, knng_err *err)
{
	char q[KNNG_QUOTED + 8];
	knng_text_next_word(t);
	if (*t->at == '\0')
		return KNNG_OK;
	return knng_text_fail(t, err, "found %s, expected nothing after %s",
			      knng_text_quote(t->at, skip_word(t->at), q), what);
}
