/* write_data.c  Data sets to files: NBI, tables separated by commas or tabs, GCT. What they look like: read_nbi.c and
 * read_table.c. Rows and columns without names get F1, F2, … and S1, S2, …, except that a table of several columns has
 * names of rows only if there are any. */
#include "write.h"

enum { ROOM = KNNG_PUT_ROOM };

/* The name of a row or a column. */
static void
put_name(writer *w, char *const *names, int64_t i, const char *what)
{
	if (names != NULL) {
		knng_put_text(w, what, i, names[i]);
		return;
	}
	put(w, *what == 'r' ? "F" : "S");
	put_int(w, i + 1);
	room(w, ROOM);
}

/* d of them, with the separator before each but the first. */
static void
put_names(writer *w, char *const *names, const char *separator)
{
	for (int64_t j = 0; j < w->ds->ncols; j++) {
		put(w, j > 0 ? separator : "");
		put_name(w, names, j, "column");
	}
}

/* All rows: a name, if `named`, what stands behind it, the values. */
static void
put_rows(writer *w, bool named, const char *behind, const char *separator)
{
	const knng_dataset *ds = w->ds;
	for (int64_t i = 0; i < ds->nrows && !knng_put_stopped(w); i++) {
		if (named)
			put_name(w, ds->names, i, "row");
		put(w, behind);
		for (int64_t j = 0; j < ds->ncols; j++) {
			put(w, named || j > 0 ? separator : "");
			put_number(w, ds->X[j * ds->nrows + i]);
			room(w, ROOM);
		}
		put(w, "\n");
	}
}

static void
put_sizes(writer *w)
{
	put_int(w, w->ds->nrows);
	put(w, "\t");
	put_int(w, w->ds->ncols);
	put(w, "\n");
}

/* ---- NBI ---- */

/* Fields end at blanks, and one that begins with < might be a tag. */
static bool
spell_nbi(writer *w, const char *text)
{
	if (*text == '\0' || *text == '<' || strpbrk(text, " \t\n\r") != NULL)
		return false;
	for (; *text != '\0'; text++) {
		room(w, ROOM);
		*w->at++ = *text;
	}
	return true;
}

static void
nbi_write(writer *w)
{
	put(w, "<MicroarrayData>\n");
	put_sizes(w);
	put_rows(w, true, "", "\t");
	if (w->ds->samples != NULL) {
		put(w, "<SamplesNames>\n");
		put_names(w, w->ds->samples, "\t");
		put(w, "\n");
	}
	if (w->ds->classes != NULL) {
		put(w, "<SamplesClasses>\n");
		put_names(w, w->ds->classes, "\t");
		put(w, "\n");
	}
	put(w, "<EndOfFile>\n");
}

/* ---- tables ---- */

/* In quotes in any case, so that a name that is a number is none. */
static bool
spell_table(writer *w, const char *text)
{
	if (strchr(text, '\r') != NULL)
		return false;
	put(w, "\"");
	for (; *text != '\0'; text++) {
		room(w, ROOM);
		if (*text == '"')
			*w->at++ = '"';
		*w->at++ = *text;
	}
	put(w, "\"");
	return true;
}

/* An empty first field of the header says that the first column has names. One column of values alone has them too:
 * without a separator nothing is a table. */
static void
table_write(writer *w, const char *separator)
{
	bool named = w->ds->names != NULL || w->ds->ncols == 1;
	put(w, named ? separator : "");
	put_names(w, w->ds->samples, separator);
	put(w, "\n");
	put_rows(w, named, "", separator);
}

static void
csv_write(writer *w)
{
	table_write(w, ",");
}

static void
tsv_write(writer *w)
{
	table_write(w, "\t");
}

/* ---- GCT 1.2: no quotes, and blanks around a field do not count ---- */

static bool
spell_gct(writer *w, const char *text)
{
	size_t length = strlen(text);
	if (length == 0 || strpbrk(text, "\t\n\r\"") != NULL || *text == ' ' || text[length - 1] == ' ')
		return false;
	for (; *text != '\0'; text++) {
		room(w, ROOM);
		*w->at++ = *text;
	}
	return true;
}

static void
gct_write(writer *w)
{
	put(w, "#1.2\n");
	put_sizes(w);
	put(w, "Name\tDescription\t");
	put_names(w, w->ds->samples, "\t");
	put(w, "\n");
	put_rows(w, true, "\tna", "\t");
}

const format knng_data_formats[] = {
	{.name = "nbi", .nan = "NA", .holds = NAMES | CLASSES, .spell = spell_nbi, .head = nbi_write},
	{.name = "csv", .nan = "NA", .holds = NAMES, .spell = spell_table, .head = csv_write},
	{.name = "tsv", .nan = "NA", .holds = NAMES, .spell = spell_table, .head = tsv_write},
	{.name = "gct", .nan = "NA", .holds = NAMES, .spell = spell_gct, .head = gct_write},
	{.name = NULL},
};
