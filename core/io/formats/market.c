/* market.c  The head of a MatrixMarket file, see market.h. */
#include "io/formats/market.h"

bool
knng_market_begins(const char *text)
{
	return knng_text_begins(skip_blanks((char *)text), "%%matrixmarket");
}

knng_status
knng_market_banner(knng_text *t, bool *pattern, bool *both, knng_err *err)
{
	static const char *const words[4][4] = {
		{"matrix"}, {"coordinate"}, {"real", "integer", "pattern", "double"}, {"general", "symmetric"}};
	static const char *const expected[4] = {"matrix", "coordinate (a dense array is not read)",
						"real, integer or pattern", "general or symmetric"};
	int word[4];
	knng_text_next_word(t);
	char *p = skip_word(t->at);
	for (int c = 0; c < 4; c++) {
		p = skip_blanks(p);
		for (word[c] = 0; word[c] < 4; word[c]++)
			if (words[c][word[c]] != NULL && knng_text_is(p, skip_word(p), words[c][word[c]]))
				break;
		if (word[c] == 4)
			return knng_text_fail_found(t, p, expected[c], err);
		p = skip_word(p);
	}
	*pattern = word[2] == 2;
	*both = word[3] == 1;
	t->at = p;
	return KNNG_OK;
}

knng_status
knng_market_sizes(knng_text *t, int64_t *rows, int64_t *columns, int64_t *entries, knng_err *err)
{
	char *p;
	do {
		while (!is_end(*t->at))
			t->at++;
		knng_text_next_word(t);
	} while (*t->at == '%');
	if ((p = knng_text_count(t->at, rows)) == NULL || (p = knng_text_count(skip_blanks(p), columns)) == NULL ||
	    (p = knng_text_count(skip_blanks(p), entries)) == NULL || !is_end(*skip_blanks(p)))
		return knng_text_fail_found(t, t->at, "three whole numbers, of rows, columns and entries", err);
	t->at = skip_blanks(p);
	return KNNG_OK;
}
