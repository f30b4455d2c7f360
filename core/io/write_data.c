/* write_data.c  Data sets to files. */
#include "io/write.h"

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
	room(w, KNNG_PUT_ROOM);
}

void
knng_put_columns(writer *w, char *const *names, const char *separator)
{
	for (int64_t j = 0; j < w->ds->ncols; j++) {
		put(w, j > 0 ? separator : "");
		put_name(w, names, j, "column");
	}
}

void
knng_put_rows(writer *w, bool named, const char *behind, const char *separator)
{
	const knng_dataset *ds = w->ds;
	for (int64_t i = 0; i < ds->nrows && !knng_put_stopped(w); i++) {
		if (named)
			put_name(w, ds->names, i, "row");
		put(w, behind);
		for (int64_t j = 0; j < ds->ncols; j++) {
			put(w, named || j > 0 ? separator : "");
			put_number(w, ds->X[j * ds->nrows + i]);
			room(w, KNNG_PUT_ROOM);
		}
		put(w, "\n");
	}
}

void
knng_put_sizes(writer *w)
{
	put_int(w, w->ds->nrows);
	put(w, "\t");
	put_int(w, w->ds->ncols);
	put(w, "\n");
}

knng_status
knng_write_data(const char *path, const knng_dataset *ds, const knng_write_options *opt, char left_out[64],
		knng_err *err)
{
	writer w = {.ds = ds, .task = opt->task};
	knng_status status = knng_find_writing(KNNG_DATASET, path, opt->format, &w.f, err);
	if (status != KNNG_OK)
		return status;
	status = knng_write_file(&w, path, w.f->head, err);
	knng_list_left_out(w.f, ds->classes != NULL ? CLASSES : 0, left_out);
	knng_free(w.buffer);
	return status;
}
