/* soft.c  SOFT files of GEO: a curated data set (GDS), or a series with its platform and samples (family).
 *
 *     ^DATASET = GDS507                        ^PLATFORM = GPL96
 *     !dataset_title = …                       !platform_table_begin
 *     ^SUBSET = GDS507_1                       ID  Gene Symbol  …
 *     !subset_description = tumor              1007_s_at  DDR1  …
 *     !subset_sample_id = GSM1,GSM2            !platform_table_end
 *     !subset_type = disease state             ^SAMPLE = GSM1
 *     !dataset_table_begin                     !Sample_characteristics_ch1 = tissue: kidney
 *     ID_REF  IDENTIFIER  GSM1  GSM2  …        !sample_table_begin
 *     1007_s_at  DDR1  10.1  null  …           ID_REF  VALUE  …
 *     !dataset_table_end                       1007_s_at  10.1  …
 *                                              !sample_table_end
 *
 * A type of subsets is a line of metadata with a value for each sample, and the first one the classes; so is each
 * attribute of samples. Columns that describe rows are metadata of rows: of a data set all, of a platform those whose
 * names say gene, symbol or title. Of several platforms, whose rows are others, 'Platform' says which: the others and
 * their samples are passed over. Samples of a platform that another file describes have the rows of the first of them.
 * A fault in metadata is a warning. */
#include "base/names.h"
#include "io/format.h"
#include "io/formats/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A string that is kept: its number, and where it lies until the data set is made. */
typedef struct {
	int64_t number;
	const char *text;
} kept;

/* Of every sample: the string, or -1. */
typedef struct {
	kept key;
	int64_t line, *of;
} property;

typedef struct {
	kept type, description, samples;
	int64_t line;
} subset;

enum { PROPERTIES = 1000, SUBSETS = 10000, ANNOTATIONS = 16 };

typedef struct {
	knng_builder b;
	enum { OTHER, IN_SUBSET, IN_SAMPLE, UNWANTED } in;
	int64_t d;                /* samples */
	int64_t series, promised; /* how many there are, and the samples that they name */
	property *property;
	int64_t properties, property_room;
	int64_t empty;      /* the string that is empty; -1: not yet kept */
	knng_names columns; /* names of samples */
	/* a data set */
	subset *subset;
	int64_t subsets, subset_room;
	/* a family */
	bool counted;         /* samples are records */
	bool wanted;          /* there was the platform of 'Platform', a sample of it, or one where none has a name */
	int64_t unwanted;     /* samples of others */
	knng_names platforms; /* those that are described, and those of samples */
	int64_t open;         /* which of them is being described, or is that of the sample that is open; -1: none */
	int64_t described;    /* which has the rows; -1: none */
	bool platform;        /* there was a table of one */
	bool filled;          /* the sample that is open has had its table */
	int64_t samples;      /* that had one */
	int64_t *sample;      /* the name of each */
	knng_names rows;      /* ids */
	int64_t annotations, annotation_name[ANNOTATIONS], annotation_line;
	int64_t *row[1 + ANNOTATIONS]; /* of every row: its id, then what describes it; -1: nothing */
	int64_t *last;                 /* of every row: the last sample that had a value for it; -1: none */
} soft;

static bool
soft_looks_like(const char *text)
{
	static const char *const kinds[] = {"database", "dataset", "series", "platform", "sample"};
	text = skip_blanks(text);
	for (size_t k = 0; *text == '^' && k < sizeof kinds / sizeof *kinds; k++)
		if (knng_text_begins(skip_blanks(text + 1), kinds[k]))
			return true;
	return false;
}

static kept
keep(knng_text *t, const char *p, const char *end)
{
	int64_t length = end - p, number = knng_text_keep(t, p, end);
	return (kept){number, knng_text_kept(t, length)};
}

/* Is p to end the platform that 'Platform' says? */
static bool
is_wanted(const knng_text *t, const char *p, const char *end)
{
	const char *platform = t->opt->platform;
	size_t length = (size_t)(end - p);
	return platform == NULL || (strlen(platform) == length && strncasecmp(platform, p, length) == 0);
}

/* The platform of the sample whose line ^SAMPLE is at p, to *end; NULL: it says none. */
static char *
platform_of(char *p, char **end)
{
	while (*(p += strcspn(p, "\n")) == '\n') {
		char *value;
		p = skip_blanks(p + 1);
		if (*p == '^' || knng_text_begins(p, "!sample_table_begin"))
			break;
		if (!knng_text_begins(p, "!sample_platform_id"))
			continue;
		value = p + strcspn(p, "=\n");
		value = skip_blanks(value + (*value == '='));
		*end = value + strcspn(value, "\n");
		while (*end > value && is_blank((*end)[-1]))
			(*end)--;
		return *end > value ? value : NULL;
	}
	return NULL;
}

/* Whether the sample whose line ^SAMPLE is at p says that it is of another platform than 'Platform'. */
static bool
is_of_another(const knng_text *t, char *p)
{
	char *end = NULL, *value = t->opt->platform != NULL ? platform_of(p, &end) : NULL;
	return value != NULL && !is_wanted(t, value, end);
}

static void
skip_line(knng_text *t)
{
	t->at += strcspn(t->at, "\n");
}

/* The line of a table's beginning is passed: there is room for one more string. */
static void
keep_empty(soft *s)
{
	if (s->empty < 0)
		s->empty = knng_text_keep(s->b.t, s->b.t->at, s->b.t->at);
}

/* Room for one more in an array that has `count`. */
static knng_status
grow(void **array, int64_t count, int64_t *room, size_t size, knng_err *err)
{
	if (count < *room)
		return KNNG_OK;
	int64_t larger = 2 * *room + 8;
	void *to = knng_alloc(larger, size);
	if (to == NULL)
		return knng_fail_memory(err, "the metadata of a file", (double)larger * (double)size);
	if (count > 0)
		memcpy(to, *array, (size_t)count * size);
	knng_free(*array);
	*array = to;
	*room = larger;
	return KNNG_OK;
}

/* So many numbers of strings, or of samples: none as yet. */
static int64_t *
numbers_of(int64_t count, knng_err *err)
{
	int64_t *of = knng_text_room(count, sizeof *of, "the metadata of a file", err);
	for (int64_t i = 0; of != NULL && i < count; i++)
		of[i] = -1;
	return of;
}

/* The number of a platform. Its name is copied, in capitals: GPL96 and gpl96 are one; and where it stands in the file,
 * texts that are kept may come to lie. */
static knng_status
note_platform(soft *s, const char *id, const char *end, int64_t *number, knng_err *err)
{
	int64_t length = end - id;
	char *copy = knng_alloc(length, 1);
	*number = -1;
	for (int64_t i = 0; i < length && copy != NULL; i++)
		copy[i] = (char)(id[i] >= 'a' && id[i] <= 'z' ? id[i] - 'a' + 'A' : id[i]);
	if (copy != NULL && (*number = knng_names_find(&s->platforms, copy, length)) < 0 &&
	    (*number = knng_names_add(&s->platforms, copy, length)) >= 0)
		return KNNG_OK;
	knng_free(copy);
	return *number >= 0 ? KNNG_OK
			    : knng_fail_memory(err, "the names of platforms", 100.0 * (double)s->platforms.count);
}

static const char *
quote_name(const knng_names *names, int64_t number, char q[KNNG_QUOTED + 8])
{
	const knng_name *name = &names->name[number];
	return knng_text_quote(name->text, name->text + name->length, q);
}

enum { LISTED = 240 };

/* The names of all platforms, or of the first ones and how many more there are. */
static const char *
list_platforms(const soft *s, char list[LISTED])
{
	char q[KNNG_QUOTED + 8];
	size_t used = 0;
	list[0] = '\0';
	for (int64_t i = 0; i < s->platforms.count; i++) {
		const char *name = quote_name(&s->platforms, i, q);
		if (used + strlen(name) + 36 > LISTED) {
			snprintf(list + used, LISTED - used, " and %lld more", (long long)(s->platforms.count - i));
			break;
		}
		used += (size_t)snprintf(list + used, LISTED - used, "%s%s", used > 0 ? ", " : "", name);
	}
	return list;
}

/* ---- metadata ---- */

/* The first property of this key that sample j has not; NULL if there is none. */
static property *
free_property(soft *s, const char *key, const char *end, int64_t j)
{
	size_t length = (size_t)(end - key);
	for (int64_t p = 0; p < s->properties; p++)
		if (s->property[p].of[j] < 0 && strncmp(s->property[p].key.text, key, length) == 0 &&
		    s->property[p].key.text[length] == '\0')
			return &s->property[p];
	return NULL;
}

static knng_status
new_property(soft *s, kept key, int64_t line, property **made, knng_err *err)
{
	*made = NULL;
	if (s->properties == PROPERTIES) {
		knng_text_warn(s->b.t, line, "there are more than %d attributes of samples; this is not used",
			       PROPERTIES);
		return KNNG_OK;
	}
	knng_status status = grow((void **)&s->property, s->properties, &s->property_room, sizeof *s->property, err);
	int64_t *of = status == KNNG_OK ? numbers_of(s->d, err) : NULL;
	if (of == NULL)
		return KNNG_EMEMORY;
	*made = &s->property[s->properties++];
	**made = (property){.key = key, .line = line, .of = of};
	return KNNG_OK;
}

/* `!key = value`, behind the ! */
static knng_status
attribute(soft *s, knng_err *err)
{
	knng_text *t = s->b.t;
	char *key = t->at, *end = key, *value, *last, q[KNNG_QUOTED + 8];
	int64_t line = t->line;
	if (s->in == UNWANTED) {
		skip_line(t);
		return KNNG_OK;
	}
	while (!is_blank(*end) && !is_end(*end) && *end != '=')
		end++;
	value = skip_blanks(end);
	skip_line(t);
	if (end == key || *value != '=') {
		knng_text_warn(t, line, "found %s, expected !KEY = VALUE; the line is not used",
			       knng_text_quote(key - 1, t->at, q));
		return KNNG_OK;
	}
	value = skip_blanks(value + 1);
	for (last = t->at; last > value && is_blank(last[-1]);)
		last--;
	if (s->in == IN_SAMPLE) {
		int64_t j = s->b.records;
		property *p = free_property(s, key, end, j);
		if (p == NULL) {
			knng_status status = new_property(s, keep(t, key, end), line, &p, err);
			if (status != KNNG_OK || p == NULL)
				return status;
		}
		p->of[j] = keep(t, value, last).number;
		return KNNG_OK;
	}
	if (s->in == IN_SUBSET) {
		subset *now = &s->subset[s->subsets - 1];
		kept *to = knng_text_is(key, end, "subset_type")          ? &now->type
			   : knng_text_is(key, end, "subset_description") ? &now->description
			   : knng_text_is(key, end, "subset_sample_id")   ? &now->samples
									  : NULL;
		if (to != NULL)
			*to = keep(t, value, last);
		return KNNG_OK;
	}
	s->promised += knng_text_is(key, end, "series_sample_id");
	int64_t name = keep(t, key, end).number;
	knng_meta_line m = {.name = name, .first = name + 1, .count = 1, .line = line};
	keep(t, value, last);
	return knng_builder_meta(&s->b, m, err);
}

/* What subsets say of the samples, whose names are known now. */
static knng_status
take_subsets(soft *s, knng_err *err)
{
	knng_text *t = s->b.t;
	char q[KNNG_QUOTED + 8];
	for (int64_t i = 0; i < s->subsets; i++) {
		const subset *now = &s->subset[i];
		property *p = NULL;
		knng_status status = KNNG_OK;
		if (now->type.text == NULL || now->description.text == NULL || now->samples.text == NULL) {
			knng_text_warn(t, now->line, "found a subset without type, description or samples");
			continue;
		}
		for (int64_t e = 0; e < s->properties; e++)
			if (strcmp(s->property[e].key.text, now->type.text) == 0)
				p = &s->property[e];
		if (p == NULL && (status = new_property(s, now->type, now->line, &p, err)) != KNNG_OK)
			return status;
		for (const char *id = now->samples.text, *end; p != NULL && *id != '\0'; id = end + (*end == ',')) {
			id = skip_blanks(id);
			end = id + strcspn(id, ", \t");
			int64_t j = knng_names_find(&s->columns, id, end - id);
			end += strspn(end, " \t");
			if (j < 0 || p->of[j] >= 0)
				knng_text_warn(t, now->line, "the sample %s of a subset %s",
					       knng_text_quote(id, id + strcspn(id, ", \t"), q),
					       j < 0 ? "is no column" : "is in another subset of this type");
			else
				p->of[j] = now->description.number;
			if (*end != ',' && *end != '\0') /* blanks alone do not separate */
				end = id + strlen(id);
		}
	}
	return KNNG_OK;
}

/* ---- tables ---- */

/* A sample of its own for a name that was kept. */
static knng_status
new_sample(soft *s, kept name, int64_t length, knng_err *err)
{
	char q[KNNG_QUOTED + 8];
	int64_t samples = s->columns.count, at = knng_names_add(&s->columns, name.text, length);
	if (at < 0)
		return knng_fail_memory(err, "the names of samples", 100.0 * (double)samples);
	return at == samples ? KNNG_OK
			     : knng_text_fail(s->b.t, err, "the sample %s is there a second time",
					      knng_text_quote(name.text, name.text + length, q));
}

/* From the end of the line of the table's beginning to its header. */
static knng_status
begin_table(soft *s, const char *end, knng_err *err)
{
	knng_text *t = s->b.t;
	skip_line(t);
	keep_empty(s);
	knng_text_next_line(t);
	return *t->at == '\0' ? knng_text_fail_truncated(t, end, err) : KNNG_OK;
}

/* Whether the next line is a row; false at the end of the table, which it passes. */
static knng_status
next_row(soft *s, const char *end, bool *row, knng_err *err)
{
	knng_text *t = s->b.t;
	knng_text_next_line(t);
	if (*t->at == '\0')
		return knng_text_fail_truncated(t, end, err);
	*row = *t->at != '!';
	if (*row)
		return KNNG_OK;
	if (!knng_text_is(t->at, skip_word(t->at), end))
		return knng_text_fail_found(t, t->at, end, err);
	skip_line(t);
	return KNNG_OK;
}

/* Goes over a separator, which has to be there. */
static knng_status
next_field(const soft *s, int64_t field, int64_t fields, knng_err *err)
{
	knng_text *t = s->b.t;
	if (knng_field_separator(t, '\t'))
		return KNNG_OK;
	if (knng_text_is_last_line(t, t->at))
		return knng_text_fail_truncated(t, "the end of a row", err);
	return knng_text_fail(t, err, "found %lld fields, expected %lld", (long long)field, (long long)fields);
}

/* The header of a data set: what describes rows, the samples, what describes rows again. */
static knng_status
dataset_header(soft *s, int64_t *lead, int64_t *header, knng_err *err)
{
	knng_text *t = s->b.t;
	int64_t fields = 0, first = -1, end = -1;
	bool quotes = true;
	char q[KNNG_QUOTED + 8];
	*header = t->kept;
	do {
		knng_field f = knng_field_loose(t, &quotes);
		kept k = keep(t, f.begin, f.end);
		int64_t length = f.end - f.begin;
		if (length > 3 && knng_text_begins(k.text, "gsm") && is_digit(k.text[3])) {
			if (end >= 0)
				return knng_text_fail(t, err, "found samples behind other columns, at %s",
						      knng_text_quote(k.text, k.text + length, q));
			first = first < 0 ? fields : first;
			knng_status status = new_sample(s, k, length, err);
			if (status != KNNG_OK)
				return status;
		} else if (first >= 0 && end < 0) {
			end = fields;
		}
		fields++;
	} while (knng_field_separator(t, '\t'));
	if (first < 1)
		return knng_text_fail(t, err,
				      "found a table without samples, expected ID_REF, IDENTIFIER and columns named "
				      "GSM…");
	*lead = first;
	s->d = s->columns.count;
	s->b.width = fields - s->d;
	s->b.samples = *header + first;
	return KNNG_OK;
}

static knng_status
dataset_row(soft *s, int64_t lead, knng_err *err)
{
	knng_text *t = s->b.t;
	int64_t fields = s->b.width + s->d;
	double *v = knng_builder_next(&s->b);
	bool quotes = true;
	for (int64_t i = 0; i < fields; i++) {
		knng_status status = i > 0 ? next_field(s, i, fields, err) : KNNG_OK;
		bool value = i >= lead && i < lead + s->d;
		if (status == KNNG_OK && value)
			status = knng_fields_value(t, '\t', i + 1, &v[i - lead], err);
		if (status != KNNG_OK)
			return status;
		if (!value) {
			knng_field f = knng_field_loose(t, &quotes);
			knng_text_keep(t, f.begin, f.end);
		}
	}
	for (int64_t i = fields + 1; knng_field_separator(t, '\t'); i++) {
		knng_field f = knng_field_loose(t, &quotes);
		if (f.end > f.begin)
			return knng_text_fail(t, err, "found at least %lld fields, expected %lld", (long long)i,
					      (long long)fields);
	}
	knng_builder_done(&s->b);
	return KNNG_OK;
}

static knng_status
dataset_table(soft *s, const char *end, knng_err *err)
{
	knng_builder *b = &s->b;
	int64_t lead = 0, header = 0;
	bool row = true;
	knng_status status;
	if (s->counted || b->ds->X != NULL)
		return knng_text_fail(b->t, err, "found a second table of values, expected one");
	if ((status = begin_table(s, end, err)) != KNNG_OK ||
	    (status = dataset_header(s, &lead, &header, err)) != KNNG_OK ||
	    (status = take_subsets(s, err)) != KNNG_OK ||
	    (status = knng_builder_size(b, knng_fields_rows(b->t, s->d), s->d, err)) != KNNG_OK)
		return status;
	for (int64_t i = 1; i < b->width && status == KNNG_OK; i++) {
		int64_t name = header + (i < lead ? i : i + s->d);
		status = knng_builder_meta(b, (knng_meta_line){.name = name, .column = i, .line = b->t->line}, err);
	}
	b->names = b->t->kept;
	while (status == KNNG_OK && (status = next_row(s, end, &row, err)) == KNNG_OK && row)
		status = dataset_row(s, lead, err);
	if (status == KNNG_OK && b->records == 0)
		status = knng_text_fail(b->t, err, "the table has no rows");
	return status;
}

/* Lines of a table, at most. */
static int64_t
lines_until(const knng_text *t, const char *end)
{
	int64_t lines = 1;
	for (const char *p = t->at; (p = memchr(p, '\n', (size_t)(t->end - p))) != NULL;) {
		p++;
		if (*p == '!' && knng_text_is(p, skip_word(p), end))
			break;
		lines++;
	}
	return lines;
}

/* A row of its own for an id. */
static knng_status
new_row(soft *s, const knng_field *f, knng_err *err)
{
	knng_text *t = s->b.t;
	char q[KNNG_QUOTED + 8];
	int64_t length = f->end - f->begin, rows = s->rows.count;
	kept id = keep(t, f->begin, f->end);
	int64_t at = knng_names_add(&s->rows, id.text, length);
	if (at < 0)
		return knng_fail_memory(err, "the names of rows", 100.0 * (double)rows);
	if (at < rows)
		return knng_text_fail(t, err, "the row %s is there a second time",
				      knng_text_quote(id.text, id.text + length, q));
	s->row[0][at] = id.number;
	return KNNG_OK;
}

/* Does a column of a platform say which gene a probe is of? */
static bool
describes(const char *p, const char *end)
{
	static const char *const words[] = {"gene", "symbol", "title"};
	bool found = false;
	for (; p < end; p++) {
		for (size_t w = 0; w < sizeof words / sizeof *words; w++)
			found = found || knng_text_begins(p, words[w]);
		if (knng_text_begins(p, "ontology"))
			return false;
	}
	return found;
}

static knng_status
platform_table(soft *s, const char *end, knng_err *err)
{
	knng_text *t = s->b.t;
	int64_t fields = 0, wanted[ANNOTATIONS];
	bool row = true, quotes = true;
	knng_status status = begin_table(s, end, err);
	if (status != KNNG_OK)
		return status;
	if (*t->at == '!') /* no row: values that are elsewhere */
		return next_row(s, end, &row, err);
	if (s->platform || s->rows.count > 0) {
		char list[LISTED];
		return knng_text_fail(t, err,
				      "found a second platform, whose rows are others (%s): say which is to be read by "
				      "'Platform'",
				      list_platforms(s, list));
	}
	s->platform = true;
	s->annotation_line = t->line;
	do {
		knng_field f = knng_field_loose(t, &quotes);
		if (fields > 0 && s->annotations < ANNOTATIONS && describes(f.begin, f.end)) {
			wanted[s->annotations] = fields;
			s->annotation_name[s->annotations++] = knng_text_keep(t, f.begin, f.end);
		}
		fields++;
	} while (knng_field_separator(t, '\t'));
	int64_t most = lines_until(t, end);
	knng_free(s->row[0]); /* of a table that was empty */
	for (int64_t c = 0; c <= s->annotations; c++)
		if ((s->row[c] = numbers_of(most, err)) == NULL)
			return KNNG_EMEMORY;
	while ((status = next_row(s, end, &row, err)) == KNNG_OK && row) {
		int64_t at = s->rows.count, c = 0;
		quotes = true;
		knng_field f = knng_field_loose(t, &quotes);
		if ((status = new_row(s, &f, err)) != KNNG_OK)
			return status;
		for (int64_t field = 1; c < s->annotations && knng_field_separator(t, '\t'); field++) {
			f = knng_field_loose(t, &quotes);
			if (field != wanted[c])
				continue;
			c++;
			if (f.end > f.begin)
				s->row[c][at] = knng_text_keep(t, f.begin, f.end);
		}
		skip_line(t);
	}
	for (int64_t c = 0; s->rows.count == 0 && c <= s->annotations; c++) { /* as if there were none */
		knng_free(s->row[c]);
		s->row[c] = NULL;
	}
	s->annotations = s->rows.count > 0 ? s->annotations : 0;
	s->described = s->rows.count > 0 ? s->open : -1;
	return status;
}

/* X for all samples, once the rows are known. */
static knng_status
size_samples(soft *s, knng_err *err)
{
	if (s->b.ds->X != NULL)
		return KNNG_OK;
	if ((s->last = numbers_of(s->rows.count, err)) == NULL)
		return KNNG_EMEMORY;
	return knng_builder_size(&s->b, s->d, s->rows.count, err);
}

/* The columns ID_REF and VALUE. */
static knng_status
sample_header(soft *s, int64_t *value, knng_err *err)
{
	knng_text *t = s->b.t;
	bool quotes = true;
	int64_t fields = 0;
	*value = -1;
	do {
		knng_field f = knng_field_loose(t, &quotes);
		if (knng_text_is(f.begin, f.end, "value"))
			*value = fields;
		fields++;
	} while (knng_field_separator(t, '\t'));
	return *value > 0 ? KNNG_OK
			  : knng_text_fail(t, err, "found no column VALUE in the table of a sample, behind ID_REF");
}

/* Without a platform the rows are those of the first table. */
static knng_status
rows_of_table(soft *s, int64_t value, const char *end, knng_err *err)
{
	knng_text *t = s->b.t;
	double *v;
	bool row = true;
	knng_status status;
	knng_free(s->row[0]); /* of a table that was empty */
	if ((s->row[0] = numbers_of(lines_until(t, end), err)) == NULL ||
	    (v = knng_alloc(lines_until(t, end), sizeof *v)) == NULL)
		return knng_fail_memory(err, "the values of a file", 16.0 * (double)lines_until(t, end));
	while ((status = next_row(s, end, &row, err)) == KNNG_OK && row) {
		bool quotes = true;
		int64_t at = s->rows.count, field = 0;
		knng_field f = knng_field_loose(t, &quotes);
		if ((status = new_row(s, &f, err)) != KNNG_OK)
			break;
		while (status == KNNG_OK && ++field <= value &&
		       (status = next_field(s, field, value + 1, err)) == KNNG_OK)
			if (field < value)
				knng_field_loose(t, &quotes);
		if (status != KNNG_OK || (status = knng_fields_value(t, '\t', value + 1, &v[at], err)) != KNNG_OK)
			break;
		skip_line(t);
	}
	if (status == KNNG_OK && s->rows.count > 0 && (status = size_samples(s, err)) == KNNG_OK)
		memcpy(knng_builder_next(&s->b), v, (size_t)s->rows.count * sizeof *v);
	knng_free(v);
	return status;
}

/* A sample whose values have rows of another platform: names of rows that agree would have other genes. */
static knng_status
check_platform(const soft *s, knng_err *err)
{
	char q[3][KNNG_QUOTED + 8];
	if (s->described < 0 || s->open < 0 || s->described == s->open)
		return KNNG_OK;
	const char *of = quote_name(&s->platforms, s->open, q[0]);
	return knng_text_fail(
		s->b.t, err,
		"the sample %s is of the platform %s, and the rows are those of %s, which came before: "
		"say which is to be read by 'Platform'; %s, where no other part of the file describes it, "
		"has the rows of its first sample",
		quote_name(&s->columns, s->columns.count - 1, q[1]), of, quote_name(&s->platforms, s->described, q[2]),
		of);
}

/* A row of a sample, whose value has this field. v: the values of the sample. */
static knng_status
sample_row(soft *s, int64_t value, double *v, knng_err *err)
{
	knng_text *t = s->b.t;
	bool quotes = true;
	char q[KNNG_QUOTED + 8];
	knng_field f = knng_field_loose(t, &quotes);
	int64_t at = knng_names_find(&s->rows, f.begin, f.end - f.begin);
	double other;
	if (at < 0)
		knng_text_warn(t, t->line, "found a value of %s, which is no row of the %s; it is not used",
			       knng_text_quote(f.begin, f.end, q), s->platform ? "platform" : "first sample");
	else if (s->last[at] == s->b.records)
		return knng_text_fail(t, err, "the row %s is there a second time", knng_text_quote(f.begin, f.end, q));
	else
		s->last[at] = s->b.records;
	for (int64_t field = 1; field <= value; field++) {
		knng_status status = next_field(s, field, value + 1, err);
		if (status != KNNG_OK)
			return status;
		if (field < value)
			knng_field_loose(t, &quotes);
	}
	return knng_fields_value(t, '\t', value + 1, at < 0 ? &other : &v[at], err);
}

static knng_status
sample_table(soft *s, const char *end, knng_err *err)
{
	knng_text *t = s->b.t;
	int64_t value;
	bool row = true;
	knng_status status = begin_table(s, end, err);
	if (status != KNNG_OK)
		return status;
	if (s->in != IN_SAMPLE || s->filled)
		return knng_text_fail(t, err, "found a table of values that is no sample's, or its second one");
	if (*t->at == '!') /* none: values that are elsewhere */
		return next_row(s, end, &row, err);
	if ((status = check_platform(s, err)) != KNNG_OK || (status = sample_header(s, &value, err)) != KNNG_OK)
		return status;
	int64_t rows = s->rows.count, found = 0;
	if (rows == 0) {
		status = rows_of_table(s, value, end, err);
		s->filled = s->rows.count > 0;
		s->described = s->filled ? s->open : -1;
		s->samples += s->filled;
		return status;
	}
	if ((status = size_samples(s, err)) != KNNG_OK)
		return status;
	double *v = knng_builder_next(&s->b);
	for (int64_t i = 0; i < rows; i++)
		v[i] = NAN;
	while ((status = next_row(s, end, &row, err)) == KNNG_OK && row) {
		if ((status = sample_row(s, value, v, err)) != KNNG_OK)
			return status;
		skip_line(t);
		found++;
	}
	s->filled = found > 0;
	s->samples += s->filled;
	return status;
}

/* ---- the parts of a file ---- */

/* A table of what is not wanted. */
static knng_status
skip_table(soft *s, const char *end, knng_err *err)
{
	bool row = true;
	knng_status status = begin_table(s, end, err);
	while (status == KNNG_OK && (status = next_row(s, end, &row, err)) == KNNG_OK && row)
		skip_line(s->b.t);
	return status;
}

/* A sample is a record, whether or not it had values. */
static knng_status
end_sample(soft *s, knng_err *err)
{
	knng_status status = KNNG_OK;
	if (s->in != IN_SAMPLE)
		return KNNG_OK;
	if (!s->filled && s->rows.count > 0 && (status = size_samples(s, err)) == KNNG_OK) {
		double *v = knng_builder_next(&s->b);
		for (int64_t i = 0; i < s->rows.count; i++)
			v[i] = NAN;
	}
	if (status == KNNG_OK && s->b.ds->X == NULL)
		status = knng_text_fail(s->b.t, err,
					"a sample ends here without values, and no platform before it says which there "
					"would be: they are in the supplementary files of the series");
	else if (status == KNNG_OK)
		knng_builder_done(&s->b);
	s->in = OTHER;
	return status;
}

/* How many samples come, from the first on, at most. */
static int64_t
samples_from(const knng_text *t)
{
	int64_t count = 1;
	for (const char *p = t->at; (p = memchr(p, '\n', (size_t)(t->end - p))) != NULL;) {
		p = skip_blanks(p + 1);
		count += *p == '^' && knng_text_begins(p + 1, "sample") && !is_of_another(t, (char *)p);
	}
	return count;
}

/* `^SAMPLE = id`, at the ^: id to end. */
static knng_status
begin_sample(soft *s, const char *id, const char *end, knng_err *err)
{
	knng_text *t = s->b.t;
	char *of_end = NULL, *of = platform_of(t->at, &of_end);
	kept name;
	knng_status status = KNNG_OK;
	if (of != NULL && (status = note_platform(s, of, of_end, &s->open, err)) != KNNG_OK)
		return status;
	if (of != NULL && !is_wanted(t, of, of_end)) {
		s->in = UNWANTED;
		s->unwanted++;
		skip_line(t);
		return KNNG_OK;
	}
	if (!s->counted && s->b.ds->X != NULL)
		return knng_text_fail(t, err, "found samples behind a table of all values");
	if (!s->counted) {
		s->counted = s->b.transposed = true;
		s->d = samples_from(t);
		if ((s->sample = numbers_of(s->d, err)) == NULL)
			return KNNG_EMEMORY;
	}
	s->in = IN_SAMPLE;
	s->filled = false;
	s->wanted = s->wanted || of != NULL || s->platforms.count == 0;
	skip_line(t);
	name = keep(t, id, end);
	s->sample[s->b.records] = name.number;
	return new_sample(s, name, end - id, err);
}

/* `^KIND = id`, at the ^ */
static knng_status
begin_part(soft *s, knng_err *err)
{
	knng_text *t = s->b.t;
	knng_status status = end_sample(s, err);
	char *kind = t->at + 1, *id = kind + strcspn(kind, "=\n");
	char *end = id + strcspn(id, "\n");
	if (status != KNNG_OK)
		return status;
	id = skip_blanks(id + (*id == '='));
	while (end > id && is_blank(end[-1]))
		end--;
	s->in = OTHER;
	s->open = -1;
	s->series += knng_text_begins(kind, "series");
	if (knng_text_begins(kind, "subset")) {
		if (s->b.ds->X != NULL)
			knng_text_warn(t, t->line, "found a subset behind the table of values; it is not used");
		if (s->subsets == SUBSETS)
			return knng_text_fail(t, err, "there are more than %d subsets", SUBSETS);
		status = grow((void **)&s->subset, s->subsets, &s->subset_room, sizeof *s->subset, err);
		if (status != KNNG_OK)
			return status;
		s->in = IN_SUBSET;
		s->subset[s->subsets++] = (subset){.line = t->line};
	} else if (knng_text_begins(kind, "platform")) {
		if (end > id && (status = note_platform(s, id, end, &s->open, err)) != KNNG_OK)
			return status;
		if (!is_wanted(t, id, end))
			s->in = UNWANTED;
		else
			s->wanted = true;
	} else if (knng_text_begins(kind, "sample")) {
		return begin_sample(s, id, end, err);
	}
	skip_line(t);
	return KNNG_OK;
}

static knng_status
begin_line(soft *s, knng_err *err)
{
	static const struct {
		const char *begin, *end;
		knng_status (*parse)(soft *s, const char *end, knng_err *err);
	} tables[] = {{"dataset_table_begin", "!dataset_table_end", dataset_table},
		      {"platform_table_begin", "!platform_table_end", platform_table},
		      {"sample_table_begin", "!sample_table_end", sample_table}};
	knng_text *t = s->b.t;
	char q[KNNG_QUOTED + 8];
	if (*t->at == '^')
		return begin_part(s, err);
	if (*t->at == '!') {
		t->at++;
		for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
			if (knng_text_is(t->at, skip_word(t->at), tables[i].begin)) {
				knng_status status =
					(s->in == UNWANTED ? skip_table : tables[i].parse)(s, tables[i].end, err);
				return status == KNNG_EIO && knng_text_is_last_line(t, t->at)
					       ? knng_text_fail_truncated(t, tables[i].end, err)
					       : status;
			}
		return attribute(s, err);
	}
	if (*t->at != '#') /* # describes a column */
		knng_text_warn(t, t->line, "found %s, expected a line that begins with ^, ! or #; it is not used",
			       knng_text_quote(t->at, skip_word(t->at), q));
	skip_line(t);
	return KNNG_OK;
}

/* ---- the data set ---- */

static void
or_empty(const soft *s, int64_t *of, int64_t count)
{
	for (int64_t i = 0; i < count; i++)
		of[i] = of[i] < 0 ? s->empty : of[i];
}

static knng_status
finish(soft *s, knng_err *err)
{
	knng_builder *b = &s->b;
	int64_t rows = s->rows.count, samples = s->counted ? b->records : s->d;
	char list[LISTED];
	knng_status status = KNNG_OK;
	if (b->t->opt->platform != NULL && !s->wanted)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "'Platform' is '%.60s', and %.200s has no such platform%s%s", b->t->opt->platform,
				 b->t->path, s->platforms.count > 0 ? "; it has " : "", list_platforms(s, list));
	if (b->ds->X == NULL || (s->counted && s->samples == 0))
		return knng_text_fail(b->t, err,
				      s->counted ? "the samples have no values: those of this series are in its "
						   "supplementary files"
						 : "found no table of values: this describes a platform or a series "
						   "without its samples");
	/* Of several series a sample may be in two, or in another file. */
	if (s->counted && s->series <= 1 && s->promised > b->records + s->unwanted)
		return knng_fail(err, KNNG_EIO, "knng:io:truncated",
				 "%.200s has %lld samples of the %lld that its series names; copy or download the file "
				 "again",
				 b->t->path, (long long)(b->records + s->unwanted), (long long)s->promised);
	for (int64_t c = 1; c <= s->annotations && status == KNNG_OK && s->counted; c++) {
		or_empty(s, s->row[c], rows);
		status = knng_builder_meta(b,
					   (knng_meta_line){.name = s->annotation_name[c - 1],
							    .which = s->row[c],
							    .count = rows,
							    .by_row = true,
							    .line = s->annotation_line},
					   err);
	}
	for (int64_t p = 0; p < s->properties && status == KNNG_OK; p++) {
		or_empty(s, s->property[p].of, samples);
		status = knng_builder_meta(b,
					   (knng_meta_line){.name = s->property[p].key.number,
							    .which = s->property[p].of,
							    .count = samples,
							    .line = s->property[p].line},
					   err);
	}
	if (s->counted) {
		b->name_of = s->row[0];
		b->sample_of = s->sample;
	} else if (s->properties > 0) {
		b->class_of = s->property[0].of;
	}
	return status == KNNG_OK ? knng_builder_finish(b, err) : status;
}

static knng_status
soft_parse(knng_text *t, knng_content *content, knng_err *err)
{
	soft *s = knng_calloc(1, sizeof *s);
	knng_status status = KNNG_OK;
	if (s == NULL)
		return knng_fail_memory(err, "the metadata of a file", sizeof *s);
	s->b = (knng_builder){.t = t, .ds = &content->data, .names = -1, .samples = -1, .classes = -1, .width = 1};
	s->empty = s->open = s->described = -1;
	for (; status == KNNG_OK && *t->at != '\0'; knng_text_next_line(t)) {
		t->at = skip_blanks(t->at);
		status = begin_line(s, err);
	}
	if (status == KNNG_OK && (status = end_sample(s, err)) == KNNG_OK)
		status = finish(s, err);
	for (int64_t p = 0; p < s->properties; p++)
		knng_free(s->property[p].of);
	for (int c = 0; c <= ANNOTATIONS; c++)
		knng_free(s->row[c]);
	knng_free(s->last);
	knng_free(s->property);
	knng_free(s->subset);
	knng_free(s->sample);
	knng_names_free(&s->columns);
	knng_names_free(&s->rows);
	for (int64_t i = 0; i < s->platforms.count; i++)
		knng_free((void *)s->platforms.name[i].text);
	knng_names_free(&s->platforms);
	knng_builder_free(&s->b);
	knng_free(s);
	return status;
}

const knng_format knng_format_soft = {
	.name = "soft",
	.title = "a SOFT file of GEO (^DATABASE)",
	.kind = KNNG_DATASET,
	.looks_like = soft_looks_like,
	.parse = soft_parse,
};
