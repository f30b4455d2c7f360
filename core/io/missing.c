/* missing.c  What the user says is a missing value; see missing.h. */
#include "io/missing.h"
#include "base/sys.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FORMS = 6 };

/* A number, and what it becomes in programs with single precision: the nearest number there, and what is read of it
 * where it was written with fewer digits than it has. */
typedef struct {
	int count;
	double value[FORMS];
} forms;

typedef struct {
	const char *text; /* NULL: it was given as a number */
	size_t length;
	forms number[2]; /* where the point is decimal, and where the comma is; none if the text is no number there */
	bool seen;       /* or known anyway */
} word;

struct knng_missing {
	int64_t count;
	word words[];
};

static void
add_form(forms *f, double value)
{
	for (int i = 0; i < f->count; i++)
		if (f->value[i] == value)
			return;
	f->value[f->count++] = value;
}

static forms
forms_of(double value)
{
	static const int digits[] = {7, 8, 9, 15}; /* the fewest that tell it from others; 9 of C++, 15 of R */
	forms f = {1, {value}};
	float single = fabs(value) <= (double)FLT_MAX ? (float)value : 0;
	if (single == 0) /* 1e300 is none there, and 1e-300 would be 0 */
		return f;
	add_form(&f, single);
	for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
		char text[32];
		snprintf(text, sizeof text, "%.*g", digits[i], (double)single);
		double read = strtod(text, NULL);
		if ((float)read == single)
			add_form(&f, read);
	}
	return f;
}

knng_status
knng_missing_open(knng_missing **said, int64_t count, knng_err *err)
{
	size_t bytes = sizeof(knng_missing) + (size_t)count * sizeof(word);
	*said = knng_calloc((int64_t)bytes, 1);
	return *said != NULL ? KNNG_OK : knng_fail_memory(err, "'Missing'", (double)bytes);
}

void
knng_missing_add(knng_missing *said, const char *text, const double value[2], bool known)
{
	word *w = &said->words[said->count++];
	*w = (word){.text = text, .length = text != NULL ? strlen(text) : 0, .seen = known};
	for (int i = 0; i < 2; i++) /* infinite ones, and those beyond all numbers, count as they are written alone */
		w->number[i] = text == NULL || isfinite(value[i]) ? forms_of(value[i]) : (forms){0};
}

void
knng_missing_close(knng_missing *said)
{
	knng_free(said);
}

bool
knng_missing_word(knng_missing *said, const char *p, const char *end)
{
	for (word *w = said->words; w < said->words + said->count; w++)
		if (w->text != NULL && w->length == (size_t)(end - p) && strncasecmp(w->text, p, w->length) == 0)
			return w->seen = true;
	return false;
}

bool
knng_missing_number(knng_missing *said, char point, double value)
{
	for (word *w = said->words; w < said->words + said->count; w++) {
		const forms *f = &w->number[point == ','];
		for (int i = 0; i < f->count; i++)
			if (f->value[i] == value)
				return w->seen = true;
	}
	return false;
}

int64_t
knng_missing_unseen(const knng_missing *said, const char **text, double *value)
{
	int64_t unseen = 0;
	for (const word *w = said->words; w < said->words + said->count; w++) {
		if (w->seen || unseen++ > 0)
			continue;
		*text = w->text;
		*value = w->number->value[0];
	}
	return unseen;
}
