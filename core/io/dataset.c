/* dataset.c  Building a data set, see dataset.h. */
#include "io/dataset.h"

#include <string.h>

knng_status
knng_builder_size(knng_builder *b, int64_t records, int64_t values, knng_err *err)
{
	int64_t size;
	double bytes = 8.0 * (double)records * (double)values;
	knng_status status = knng_afford(bytes, "the values of a file", err);
	if (status != KNNG_OK)
		return status;
	if (!knng_mul(records, values, 1, &size) || (b->ds->X = knng_alloc(size, sizeof *b->ds->X)) == NULL ||
	    (!b->transposed && (b->block = knng_alloc(values, KNNG_BLOCK * sizeof *b->block)) == NULL))
		return knng_fail_memory(err, "the values of a file", bytes);
	b->room = records;
	b->values = values;
	return KNNG_OK;
}

double *
knng_builder_next(knng_builder *b)
{
	return b->transposed ? b->ds->X + b->records * b->values : b->block + b->records % KNNG_BLOCK * b->values;
}

/* Moves the last `rows` rows, which are the block, into X. */
static void
store_block(knng_builder *b, int64_t rows)
{
	double *to = b->ds->X + b->records - rows;
	for (int64_t j = 0; j < b->values; j++, to += b->room)
		for (int64_t i = 0; i < rows; i++)
			to[i] = b->block[i * b->values + j];
}

void
knng_builder_done(knng_builder *b)
{
	if (++b->records % KNNG_BLOCK == 0 && !b->transposed)
		store_block(b, KNNG_BLOCK);
}

knng_status
knng_builder_meta(knng_builder *b, knng_meta_line line, knng_err *err)
{
	if (b->nmeta == b->meta_room) {
		int64_t room = 2 * b->meta_room + 16;
		knng_meta_line *larger = knng_text_room(room, sizeof *larger, "the metadata of a file", err);
		if (larger == NULL)
			return KNNG_EMEMORY;
		if (b->nmeta > 0)
			memcpy(larger, b->meta, (size_t)b->nmeta * sizeof *larger);
		knng_free(b->meta);
		b->meta = larger;
		b->meta_room = room;
	}
	b->meta[b->nmeta++] = line;
	return KNNG_OK;
}

/* Pointers to strings that lie here and there. */
static char **
list_of(knng_dataset *ds, char ***at, const int64_t *which, int64_t count)
{
	char **list = *at;
	for (int64_t i = 0; i < count; i++)
		*(*at)++ = ds->strings[which[i]];
	return list;
}

/* How well a name fits a column of symbols of genes, from 1, the best; 0: not at all. */
static int
rank_of_symbols(const char *name)
{
	static const char *const symbols[] = {"genesymbol", "genesymbols", "symbol",    "symbols",
					      "hgncsymbol", "mgisymbol",   "rgdsymbol", NULL},
				 *const others[] = {"alias", "prev", "synonym", NULL},
				 *const genes[] = {
					 "genename",           "genenames", "gene", "genes", "externalgenename",
					 "associatedgenename", "ilmngene",  "hgnc", NULL};
	char word[40];
	if (knng_text_word(name, name + strlen(name), word, sizeof word) == 0)
		return 0;
	if (knng_text_among(symbols, word))
		return 1;
	for (int i = 0; others[i] != NULL; i++)
		if (strstr(word, others[i]) != NULL)
			return 0;
	return strstr(word, "symbol") != NULL    ? 2
	       : strcmp(word, "identifier") == 0 ? 3
	       : knng_text_among(genes, word)    ? 4
						 : 0;
}

/* Whether the name fits better than what had the rank *best, 0 for none, which becomes its own. */
static bool
fits_better(const char *name, int *best)
{
	int rank = rank_of_symbols(name);
	if (rank == 0 || (*best != 0 && rank >= *best))
		return false;
	*best = rank;
	return true;
}

/* The line of metadata that has the symbols of genes, by what the file calls it; NULL if there is none. */
static const knng_meta_line *
symbols_of(const knng_builder *b)
{
	const knng_meta_line *found = NULL;
	int best = 0;
	for (int64_t l = 0; l < b->nmeta; l++) {
		const knng_meta_line *m = &b->meta[l];
		if ((m->column > 0 || m->by_row) && fits_better(b->ds->strings[m->name], &best))
			found = m;
	}
	return found;
}

const knng_meta *
knng_dataset_symbols_of(const knng_dataset *ds)
{
	const knng_meta *found = NULL;
	int best = 0;
	for (int64_t l = 0; l < ds->nmeta; l++)
		if (ds->meta[l].by_row && fits_better(ds->meta[l].key, &best))
			found = &ds->meta[l];
	return found;
}

char **
knng_dataset_take_symbols(const knng_meta *from, int64_t n, char ***at)
{
	static char none[] = "";
	char **list = *at;
	for (int64_t i = 0; i < n; i++) {
		char *text = from->values[i];
		bool is_none = strncmp(text, "--", 2) == 0 || strcmp(text, "-") == 0 ||
			       knng_text_is_missing(text, text + strlen(text));
		*(*at)++ = is_none ? none : text;
	}
	return list;
}

knng_status
knng_builder_finish(knng_builder *b, knng_err *err)
{
	knng_dataset *ds = b->ds;
	int64_t n = b->records, d = b->values, first = b->transposed ? b->samples : b->names;
	int64_t lists = b->width > 1 && first >= 0 ? n * b->width : 0;
	knng_status status;

	if (!b->transposed) {
		store_block(b, n % KNNG_BLOCK);
		for (int64_t j = 1; n < b->room && j < d; j++)
			memmove(ds->X + j * n, ds->X + j * b->room, (size_t)n * sizeof *ds->X);
	}
	ds->nrows = b->transposed ? d : n;
	ds->ncols = b->transposed ? n : d;
	if ((status = knng_text_adopt(b->t, &ds->strings, &ds->text, err)) != KNNG_OK)
		return status;

	char **records = first < 0 ? NULL : ds->strings + first, **at;
	lists += (b->name_of != NULL ? ds->nrows : 0) + (b->sample_of != NULL ? ds->ncols : 0) +
		 (b->class_of != NULL ? ds->ncols : 0);
	const knng_meta_line *symbols = symbols_of(b);
	lists += symbols != NULL ? ds->nrows : 0;
	for (int64_t l = 0; l < b->nmeta; l++)
		lists += b->meta[l].which != NULL ? b->meta[l].count : 0;
	if (lists > 0 && (ds->lists = knng_text_room(lists, sizeof *ds->lists, "the names of a file", err)) == NULL)
		return KNNG_EMEMORY;
	at = ds->lists;
	if (records != NULL && b->width > 1) { /* record after record; wanted is list after list */
		for (int64_t i = 0; i < n; i++)
			for (int64_t c = 0; c < b->width; c++)
				ds->lists[c * n + i] = records[i * b->width + c];
		records = ds->lists;
		at += n * b->width;
	}
	ds->names = b->unnamed       ? NULL
		    : !b->transposed ? (records != NULL ? records + b->name_at * n : NULL)
		    : b->names < 0   ? NULL
				     : ds->strings + b->names;
	ds->samples = b->transposed ? records : b->samples < 0 ? NULL : ds->strings + b->samples;
	ds->classes = b->classes < 0 ? NULL : ds->strings + b->classes;
	if (b->transposed && b->width > 1)
		ds->classes = records + n;
	if (b->name_of != NULL)
		ds->names = list_of(ds, &at, b->name_of, ds->nrows);
	if (b->sample_of != NULL)
		ds->samples = list_of(ds, &at, b->sample_of, ds->ncols);
	if (b->class_of != NULL)
		ds->classes = list_of(ds, &at, b->class_of, ds->ncols);

	if ((ds->meta = knng_text_room(b->nmeta, sizeof *ds->meta, "the metadata of a file", err)) == NULL)
		return KNNG_EMEMORY;
	for (; ds->nmeta < b->nmeta; ds->nmeta++) {
		const knng_meta_line *from = &b->meta[ds->nmeta];
		bool by_column = from->column > 0;
		ds->meta[ds->nmeta] = (knng_meta){
			.key = from->key != NULL ? from->key : ds->strings[from->name],
			.values = from->which != NULL ? list_of(ds, &at, from->which, from->count)
				  : by_column
					  ? records + (from->column - (b->unnamed || from->column <= b->name_at)) * n
					  : ds->strings + from->first,
			.count = by_column ? n : from->count,
			.by_row = by_column || from->by_row,
			.between = from->between,
			.line = from->line,
		};
		if (from == symbols)
			ds->symbols = knng_dataset_take_symbols(&ds->meta[ds->nmeta], ds->nrows, &at);
	}
	return KNNG_OK;
}

void
knng_builder_free(knng_builder *b)
{
	knng_free(b->block);
	knng_free(b->meta);
	b->block = NULL;
	b->meta = NULL;
}
