/* read.c  Reading a file: the table of formats, and what all parsers of data sets share. */
#include "read.h"

#include <string.h>

/* In the order in which they are asked whether a file looks like theirs. */
static const knng_format *const formats[] = {
	&knng_format_nbi, &knng_format_gml, &knng_format_graphml, &knng_format_mtx,
	&knng_format_net, &knng_format_knn, &knng_format_csv,
};

enum { NFORMATS = sizeof formats / sizeof *formats };

/* The first format of a wanted kind that knows the beginning. */
static const knng_format *
recognise(const knng_text *t, int kinds, knng_err *err)
{
	char titles[400] = "", q[KNNG_QUOTED + 8];
	const knng_format *other = NULL;
	for (int i = 0; i < NFORMATS; i++) {
		const knng_format *f = formats[i];
		bool wanted = (f->kind & kinds) != 0;
		if ((wanted || other == NULL) && f->looks_like(t->at)) {
			if (wanted)
				return f;
			other = f;
		}
		if (wanted && strlen(titles) + strlen(f->title) + 3 < sizeof titles) {
			strcat(titles, titles[0] != '\0' ? ", " : "");
			strcat(titles, f->title);
		}
	}
	if (other != NULL)
		knng_text_fail(t, err, "this is %s, which holds a %s, expected %s", other->title,
			       other->kind == KNNG_GRAPH ? "graph" : "data set", titles);
	else
		knng_text_fail(t, err, "found %s, expected the beginning of %s",
			       knng_text_quote(t->at, skip_word(t->at), q), titles);
	return NULL;
}

knng_status
knng_read(const char *path, int kinds, knng_content *content, knng_err *err)
{
	knng_text t;
	const knng_format *f;
	knng_status status;

	*content = (knng_content){0};
	if ((status = knng_text_open(&t, path, err)) != KNNG_OK)
		goto done;
	knng_text_next_line(&t);
	t.at = skip_blanks(t.at);
	if ((f = recognise(&t, kinds, err)) == NULL) {
		status = KNNG_EIO;
		goto done;
	}
	content->kind = f->kind;
	content->format = f->name;
	if ((status = knng_text_rest(&t, err)) == KNNG_OK)
		status = f->parse(&t, content, err);
	content->warning = t.warning;
	content->warnings = t.warnings;
done:
	if (status != KNNG_OK)
		knng_content_free(content);
	knng_text_close(&t);
	return status;
}

void
knng_content_free(knng_content *content)
{
	knng_dataset *ds = &content->data;
	knng_free(ds->X);
	knng_free(ds->meta);
	knng_free(ds->text);
	knng_free(ds->strings);
	knng_free(ds->by_row);
	knng_graph_free(&content->graph);
	*content = (knng_content){0};
}

/* ---- building a data set ---- */

knng_status
knng_builder_size(knng_builder *b, int64_t rows, int64_t cols, knng_err *err)
{
	int64_t values;
	if (!knng_mul(rows, cols, 1, &values) || (b->ds->X = knng_alloc(values, sizeof *b->ds->X)) == NULL ||
	    (b->block = knng_alloc((rows < KNNG_BLOCK ? rows : KNNG_BLOCK) * cols, sizeof *b->block)) == NULL)
		return knng_fail_memory(err, "the values of a file", 8.0 * (double)rows * (double)cols);
	b->room = rows;
	b->ds->ncols = cols;
	return KNNG_OK;
}

double *
knng_builder_row(knng_builder *b)
{
	return b->block + b->ds->nrows % KNNG_BLOCK * b->ds->ncols;
}

/* Moves the last `rows` rows, which are the block, into X. */
static void
store_block(knng_builder *b, int64_t rows)
{
	int64_t first = b->ds->nrows - rows, d = b->ds->ncols;
	for (int64_t j = 0; j < d; j++)
		for (int64_t i = 0; i < rows; i++)
			b->ds->X[j * b->room + first + i] = b->block[i * d + j];
}

void
knng_builder_row_done(knng_builder *b)
{
	if (++b->ds->nrows % KNNG_BLOCK == 0)
		store_block(b, KNNG_BLOCK);
}

knng_status
knng_builder_meta(knng_builder *b, const char *key, int64_t first, int64_t count, bool by_row, knng_err *err)
{
	knng_dataset *ds = b->ds;
	if (ds->nmeta == b->meta_room) {
		int64_t room = 2 * b->meta_room + 16;
		knng_meta *larger = knng_alloc(room, sizeof *larger);
		if (larger == NULL)
			return knng_fail_memory(err, "the metadata of a file", (double)sizeof *larger * (double)room);
		if (ds->nmeta > 0)
			memcpy(larger, ds->meta, (size_t)ds->nmeta * sizeof *larger);
		knng_free(ds->meta);
		ds->meta = larger;
		b->meta_room = room;
	}
	/* Until the strings have an address, `values` is the number of the first. */
	ds->meta[ds->nmeta++] =
		(knng_meta){.key = key, .values = (char **)(intptr_t)first, .count = count, .by_row = by_row};
	return KNNG_OK;
}

knng_status
knng_builder_finish(knng_builder *b, knng_err *err)
{
	knng_dataset *ds = b->ds;
	int64_t n = ds->nrows, width = b->width > 0 ? b->width : 1;
	knng_status status;

	store_block(b, n % KNNG_BLOCK);
	for (int64_t j = 1; n < b->room && j < ds->ncols; j++)
		memmove(ds->X + j * n, ds->X + j * b->room, (size_t)n * sizeof *ds->X);
	if ((status = knng_text_adopt(b->t, &ds->strings, &ds->text, err)) != KNNG_OK)
		return status;
	if (b->names >= 0 && width > 1) { /* row after row; wanted is list after list */
		char **from = ds->strings + b->names, **to = knng_alloc(n * width, sizeof *to);
		if ((ds->by_row = to) == NULL)
			return knng_fail_memory(err, "the names of a file", 8.0 * (double)n * (double)width);
		for (int64_t i = 0; i < n; i++)
			for (int64_t c = 0; c < width; c++)
				to[c * n + i] = from[i * width + c];
		ds->names = to;
	} else if (b->names >= 0)
		ds->names = ds->strings + b->names;
	if (b->samples >= 0)
		ds->samples = ds->strings + b->samples;
	if (b->classes >= 0)
		ds->classes = ds->strings + b->classes;
	for (int64_t l = 0; l < ds->nmeta; l++) {
		knng_meta *m = &ds->meta[l];
		intptr_t first = (intptr_t)m->values;
		if (m->key == NULL)
			m->key = ds->strings[first - 1];
		m->values = (m->by_row ? ds->names : ds->strings) + first;
	}
	return KNNG_OK;
}

void
knng_builder_free(knng_builder *b)
{
	knng_free(b->block);
	b->block = NULL;
}
