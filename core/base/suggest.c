#include "base/suggest.h"
#include "base/knng_base.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Edit distance (insert, delete, replace) of two names, case ignored; names longer than the row count as far. */
static int
edits(const char *a, const char *b)
{
	enum { LONGEST = 63 };
	int row[LONGEST + 1];
	size_t la = strlen(a), lb = strlen(b);
	if (la > LONGEST || lb > LONGEST)
		return INT_MAX;
	for (size_t j = 0; j <= lb; j++)
		row[j] = (int)j;
	for (size_t i = 1; i <= la; i++) {
		int diagonal = row[0];
		row[0] = (int)i;
		for (size_t j = 1; j <= lb; j++) {
			int swap = diagonal + (strncasecmp(a + i - 1, b + j - 1, 1) != 0);
			int gap = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
			diagonal = row[j];
			row[j] = swap < gap ? swap : gap;
		}
	}
	return row[lb];
}

const char *
knng_nearest_name(const char *given, const char *const *names, int n)
{
	const char *best = NULL;
	int least = (int)strlen(given) / 2 + 1; /* farther than half of it is no likeness */
	for (int i = 0; i < n; i++) {
		int e = edits(given, names[i]);
		if (e < least) {
			least = e;
			best = names[i];
		}
	}
	return best;
}

const char *
knng_meant(char text[KNNG_MEANT], const char *before, const char *name, const char *after)
{
	text[0] = '\0';
	if (name != NULL)
		snprintf(text, KNNG_MEANT, " (did you mean %s%s%s?)", before, name, after);
	return text;
}
