/* said.c  What the user says is a missing value; see said.h. */
#include "io/said.h"
#include "base/sys.h"
#include "io/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
	bool seen;
} word;

struct knng_said {
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

/* Of a text, as the reader takes it where that sign is decimal; infinite ones, and those beyond all numbers, count as
 * they are written alone. */
static forms
forms_of_text(const knng_text *t, char *copy, char point)
{
	knng_text as = *t;
	double value;
	as.point = point;
	const char *end = knng_text_number(&as, copy, &value);
	return end != NULL && *end == '\0' && isfinite(value) ? forms_of(value) : (forms){0};
}

static knng_status
take_text(const knng_text *t, const char *text, word *w, knng_err *err)
{
	size_t length = strlen(text);
	char *copy = knng_alloc((int64_t)length + 1, 1); /* the reader writes into what it reads */
	if (copy == NULL)
		return knng_fail_memory(err, "'Missing'", (double)length);
	memcpy(copy, text, length + 1);
	*w = (word){
		.text = text, .length = length, .number = {forms_of_text(t, copy, '.'), forms_of_text(t, copy, ',')}};
	knng_free(copy);
	return KNNG_OK;
}

knng_status
knng_said_open(knng_text *t, knng_err *err)
{
	const knng_read_options *opt = t->opt;
	int64_t texts = 0, count;
	while (opt->missing != NULL && opt->missing[texts] != NULL)
		texts++;
	if ((count = texts + opt->ncodes) == 0)
		return KNNG_OK;
	size_t bytes = sizeof(knng_said) + (size_t)count * sizeof(word);
	if ((t->said = knng_calloc((int64_t)bytes, 1)) == NULL)
		return knng_fail_memory(err, "'Missing'", (double)bytes);
	t->said->count = count;
	for (int64_t i = 0; i < texts; i++) {
		knng_status status = take_text(t, opt->missing[i], &t->said->words[i], err);
		if (status != KNNG_OK)
			return status;
	}
	for (int64_t i = 0; i < opt->ncodes; i++) {
		forms f = forms_of(opt->codes[i]);
		t->said->words[texts + i] = (word){.number = {f, f}};
	}
	return KNNG_OK;
}

void
knng_said_close(knng_said *said)
{
	knng_free(said);
}

bool
knng_said_word(knng_said *said, const char *p, const char *end)
{
	for (word *w = said->words; w < said->words + said->count; w++)
		if (w->text != NULL && w->length == (size_t)(end - p) && strncasecmp(w->text, p, w->length) == 0)
			return w->seen = true;
	return false;
}

bool
knng_said_number(knng_said *said, char point, double value)
{
	for (word *w = said->words; w < said->words + said->count; w++) {
		const forms *f = &w->number[point == ','];
		for (int i = 0; i < f->count; i++)
			if (f->value[i] == value)
				return w->seen = true;
	}
	return false;
}

void
knng_said_doubt(const knng_said *said, const char *path, knng_err *doubt)
{
	int64_t more = -1;
	const word *first = NULL;
	for (const word *w = said->words; w < said->words + said->count; w++) {
		bool known = w->text != NULL ? knng_text_is_missing(w->text, w->text + w->length)
					     : isnan(w->number->value[0]);
		if (w->seen || known)
			continue;
		first = first == NULL ? w : first;
		more++;
	}
	if (first == NULL)
		return;
	char others[48] = "", q[KNNG_QUOTED + 8];
	if (first->text != NULL)
		knng_text_quote(first->text, first->text + first->length, q);
	else
		for (int digits = 15; digits <= 17; digits++) {
			snprintf(q, sizeof q, "%.*g", digits, first->number->value[0]);
			if (strtod(q, NULL) == first->number->value[0])
				break;
		}
	if (more > 0)
		snprintf(others, sizeof others, " (and %lld more of it)", (long long)more);
	knng_fail(doubt, KNNG_OK, "knng:data:missing",
		  "'Missing' %s%s is nowhere in %.200s, names and texts in quotes aside: look how the file writes what "
		  "is missing",
		  q, others, path);
}
