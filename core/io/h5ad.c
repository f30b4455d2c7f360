/* h5ad.c  Data sets of AnnData, see h5ad.h.
 *
 *     /X              cells by genes, or a group with data, indices and indptr, of csr_matrix or csc_matrix
 *     /obs, /var      groups: their attribute _index names the member with the names, other members are columns
 *     /obs/COLUMN     texts, numbers, truth values, or a group with categories and codes (from 0; -1: missing); a
 *                     "nullable" one (names are, too, from pandas 3 on) is a group with values and mask (true: missing)
 *
 * Texts lie where only the library can read them, which may crash over a damaged file. So the child process that tries
 * the file reads them, and leaves them in memory that it shares with this one, as texts that follow each other; they
 * are looked at as if anybody had written them. X is read as any matrix of the file (matrix_file.h). */
#include "io/h5ad.h"
#include "base/file.h"
#include "base/sys.h"
#include "io/dataset.h"
#include "io/digits.h"
#include "io/doubts.h"
#include "io/hdf5.h"
#include "io/matrix_file.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

bool
knng_h5ad_is(const char *path)
{
	size_t length = strlen(path);
	return length > 5 && strcasecmp(path + length - 5, ".h5ad") == 0;
}

#ifdef KNNG_HDF5
#include <sys/mman.h>

enum {
	ROOM = 1 << 28,  /* bytes of texts at most */
	PIECE = 1 << 16, /* numbers that are read together */
	NAME = 256,
	COLUMNS = 10000, /* of a table, that are looked at */
};

static knng_status
fail(const char *path, const char *what, knng_err *err)
{
	return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s %s", path, what);
}

/* ---- what the child does ---- */

/* What both processes see: texts, each with a NUL behind it. First a message, if there is one, or ""; then of X its
 * form and its numbers of cells and genes; then of each column the table, its name, what they are, how many there are
 * and these; the names of the rows come first, and are called "". */
typedef struct {
	int64_t used;
	bool memory; /* there was too little of it */
	char text[];
} board;

typedef struct {
	const char *path;
	knng_store *store;
	board *to;
	int64_t room; /* for texts */
	bool full;
	bool cells_only; /* of their names, and nothing else */
	hid_t file;
	const char *table; /* "obs" */
	char index[NAME];  /* which of its members has the names */
	char wrong[2 * NAME];
	char packed[2 * NAME]; /* which filter is missing for a dataset, and the remedy; "": none */
	int columns;
	knng_digits digits;
} scan;

static void
say(scan *s, const char *text)
{
	int64_t bytes = (int64_t)strlen(text) + 1;
	if (bytes > s->room - s->to->used) {
		s->full = true;
		return;
	}
	memcpy(s->to->text + s->to->used, text, (size_t)bytes);
	s->to->used += bytes;
}

static void
say_count(scan *s, int64_t count)
{
	char text[32];
	snprintf(text, sizeof text, "%lld", (long long)count);
	say(s, text);
}

/* A text that an object has as an attribute, of fixed length or not; false: it has none of that name. */
static bool
get_attribute(hid_t object, const char *name, char *text, size_t size)
{
	*text = '\0';
	if (H5Aexists(object, name) <= 0)
		return false;
	hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = attribute >= 0 ? H5Aget_type(attribute) : -1,
	      space = attribute >= 0 ? H5Aget_space(attribute) : -1, memory = -1;
	bool fine =
		type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1;
	if (fine && H5Tis_variable_str(type) > 0) {
		char *read = NULL;
		memory = H5Tcopy(type);
		fine = memory >= 0 && H5Aread(attribute, memory, &read) >= 0 && read != NULL;
		if (fine)
			snprintf(text, size, "%s", read);
	} else if (fine) {
		size_t length = H5Tget_size(type);
		fine = length < size && H5Aread(attribute, type, text) >= 0;
		text[fine ? length : 0] = '\0';
	}
	if (memory >= 0)
		H5Tclose(memory);
	if (type >= 0)
		H5Tclose(type);
	if (space >= 0)
		H5Sclose(space);
	if (attribute >= 0)
		H5Aclose(attribute);
	return fine;
}

static hid_t
open_member(hid_t group, const char *name)
{
	return H5Lexists(group, name, H5P_DEFAULT) > 0 ? H5Oopen(group, name, H5P_DEFAULT) : H5I_INVALID_HID;
}

static void
close_object(hid_t object)
{
	if (object >= 0)
		H5Oclose(object);
}

/* Values of a dataset with one dimension, or of two, of which the other says what is missing. */
typedef struct {
	int64_t count;
	H5T_class_t class;
	bool variable, is_unsigned;
	size_t size;
	void *values;
	char *missing; /* of each value whether it is, or NULL */
} column;

static void
free_column(column *c)
{
	knng_free(c->values);
	knng_free(c->missing);
	*c = (column){0};
}

/* Of a dataset that cannot be read: finds out whether it is packed by a filter that the library does not have. */
static void
find_filter(scan *s, hid_t dataset)
{
	char name[NAME] = "", filter[64] = "";
	unsigned flags, config;
	size_t values = 0;
	hid_t list = H5Dget_create_plist(dataset);
	int filters = list >= 0 ? H5Pget_nfilters(list) : 0;
	for (int i = 0; i < filters; i++) {
		H5Z_filter_t id =
			H5Pget_filter2(list, (unsigned)i, &flags, &values, NULL, sizeof filter, filter, &config);
		if (id < 0 || H5Zfilter_avail(id) > 0 || H5Iget_name(dataset, name, sizeof name) < 0)
			continue;
		snprintf(s->packed, sizeof s->packed,
			 "%.100s in it is packed by filter %d ('%.40s'), which HDF5 does not have here; write it again "
			 "in Python, by adata.write_h5ad (file, compression = 'gzip')",
			 name, (int)id, filter);
		break;
	}
	if (list >= 0)
		H5Pclose(list);
}

/* Reads a dataset of texts, numbers or truth values; false: it is none, or damaged, or not there. */
static bool
read_values(scan *s, hid_t dataset, column *c)
{
	hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset), memory = -1;
	hsize_t count = 0;
	*c = (column){0};
	bool fine = type >= 0 && space >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
		    H5Sget_simple_extent_dims(space, &count, NULL) == 1 && count < ROOM;
	if (fine) {
		c->count = (int64_t)count;
		c->class = H5Tget_class(type);
		c->variable = c->class == H5T_STRING && H5Tis_variable_str(type) > 0;
		c->is_unsigned = c->class == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE;
		if (c->class == H5T_INTEGER)
			memory = H5Tcopy(c->is_unsigned ? H5T_NATIVE_UINT64 : H5T_NATIVE_INT64);
		else if (c->class == H5T_FLOAT)
			memory = H5Tcopy(H5T_NATIVE_DOUBLE);
		else if (c->class == H5T_STRING || (c->class == H5T_ENUM && H5Tget_size(type) == 1))
			memory = H5Tcopy(type);
		c->size = memory >= 0 ? H5Tget_size(memory) : 0;
		fine = c->size > 0 && c->size < ROOM / (count + 1);
	}
	if (fine && (c->values = knng_calloc(c->count + 1, c->size)) == NULL) {
		s->to->memory = true;
		fine = false;
	}
	if (fine && count > 0 && H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->values) < 0) {
		find_filter(s, dataset);
		fine = false;
	}
	if (memory >= 0)
		H5Tclose(memory);
	if (type >= 0)
		H5Tclose(type);
	if (space >= 0)
		H5Sclose(space);
	if (!fine)
		free_column(c);
	return fine;
}

/* Reads a dataset, or values of which some are masked; false: it is neither, or damaged. */
static bool
read_column(scan *s, hid_t object, column *c)
{
	column mask = {0};
	char kind[64];
	*c = (column){0};
	if (H5Iget_type(object) == H5I_DATASET)
		return read_values(s, object, c);
	if (H5Iget_type(object) != H5I_GROUP || !get_attribute(object, "encoding-type", kind, sizeof kind) ||
	    strncmp(kind, "nullable-", 9) != 0)
		return false;
	hid_t values = open_member(object, "values"), masked = open_member(object, "mask");
	bool fine = read_values(s, values, c) && read_values(s, masked, &mask) && mask.class == H5T_ENUM &&
		    mask.count == c->count && (c->class == H5T_STRING) == (strcmp(kind, "nullable-string-array") == 0);
	c->missing = mask.values;
	close_object(values);
	close_object(masked);
	if (!fine)
		free_column(c);
	return fine;
}

/* Value i, what is missing as "". */
static void
say_value(scan *s, const column *c, int64_t i)
{
	const char *at = (const char *)c->values + i * (int64_t)c->size;
	char text[64] = "";
	int64_t whole;
	double number = 0;
	if (c->missing != NULL && c->missing[i] != 0) {
		say(s, "");
		return;
	}
	if (c->variable) {
		const char *string;
		memcpy(&string, at, sizeof string);
		say(s, string != NULL ? string : "");
		return;
	}
	switch (c->class) {
	case H5T_STRING: { /* with a NUL behind it, or none */
		int64_t length = (int64_t)strnlen(at, c->size);
		if (length >= s->room - s->to->used) {
			s->full = true;
			return;
		}
		memcpy(s->to->text + s->to->used, at, (size_t)length);
		s->to->text[s->to->used + length] = '\0';
		s->to->used += length + 1;
		return;
	}
	case H5T_INTEGER:
		memcpy(&whole, at, sizeof whole);
		if (c->is_unsigned)
			snprintf(text, sizeof text, "%llu", (unsigned long long)whole);
		else
			snprintf(text, sizeof text, "%lld", (long long)whole);
		break;
	case H5T_FLOAT:
		memcpy(&number, at, sizeof number);
		if (number - number == 0)
			*knng_digits_put(&s->digits, number, text) = '\0';
		else
			snprintf(text, sizeof text, "%s", number != number ? "" : number > 0 ? "Inf" : "-Inf");
		break;
	default:
		snprintf(text, sizeof text, "%s", *at != 0 ? "true" : "false");
	}
	say(s, text);
}

/* A column that is not read, and the filter that it would take, if it is that. */
static void
say_left(scan *s, const char *name)
{
	say(s, s->table);
	say(s, name);
	say(s, "left");
	say_count(s, s->packed[0] != '\0');
	if (s->packed[0] != '\0')
		say(s, s->packed);
}

/* A column as a record; of one with codes these say which value each is. */
static void
say_column(scan *s, const char *name, const column *c, const column *codes)
{
	int64_t before = s->to->used, count = codes != NULL ? codes->count : c->count;
	say(s, s->table);
	say(s, name);
	say(s, c->class == H5T_STRING ? "text" : "number");
	say_count(s, count);
	for (int64_t i = 0; i < count && !s->full; i++) {
		int64_t which = i;
		if (codes != NULL)
			memcpy(&which, (const char *)codes->values + i * (int64_t)sizeof which, sizeof which);
		if (codes != NULL && (which < -1 || which >= c->count)) {
			s->to->used = before;
			say_left(s, name);
			return;
		}
		if (which < 0)
			say(s, "");
		else
			say_value(s, c, which);
	}
}

/* A column with codes: its values are in one dataset, and which each is in another. */
static void
say_coded(scan *s, const char *name, hid_t categories, hid_t codes)
{
	column values = {0}, which = {0};
	if (H5Iget_type(codes) == H5I_DATASET && read_column(s, categories, &values) && read_values(s, codes, &which) &&
	    which.class == H5T_INTEGER)
		say_column(s, name, &values, &which);
	else
		say_left(s, name);
	free_column(&values);
	free_column(&which);
}

/* Where the categories of a column lie beside it, as AnnData 0.7 wrote them. */
static hid_t
open_old_categories(hid_t group, const char *name)
{
	hid_t all = open_member(group, "__categories");
	hid_t own = all >= 0 && H5Iget_type(all) == H5I_GROUP ? open_member(all, name) : H5I_INVALID_HID;
	close_object(all);
	return own;
}

static herr_t
visit(hid_t group, const char *name, const H5L_info_t *link, void *context)
{
	scan *s = context;
	if (s->full || ++s->columns > COLUMNS)
		return 1;
	if (link->type != H5L_TYPE_HARD || *name == '\0' || strcmp(name, s->index) == 0 ||
	    strcmp(name, "__categories") == 0)
		return 0;
	hid_t object = H5Oopen(group, name, H5P_DEFAULT), categories = H5I_INVALID_HID, codes = H5I_INVALID_HID;
	H5I_type_t kind = object >= 0 ? H5Iget_type(object) : H5I_BADID;
	column c = {0};
	s->packed[0] = '\0';
	if (kind == H5I_GROUP) {
		categories = open_member(object, "categories");
		codes = open_member(object, "codes");
	} else if (kind == H5I_DATASET) {
		categories = open_old_categories(group, name);
	}
	if (categories >= 0)
		say_coded(s, name, categories, kind == H5I_GROUP ? codes : object);
	else if (object >= 0 && read_column(s, object, &c))
		say_column(s, name, &c, NULL);
	else
		say_left(s, name);
	free_column(&c);
	close_object(categories);
	close_object(codes);
	close_object(object);
	return 0;
}

/* Which of the names is missing, as what is wrong with the file, or NULL. */
static const char *
nameless(scan *s, const column *c)
{
	for (int64_t i = 0; c->missing != NULL && i < c->count; i++)
		if (c->missing[i] != 0) {
			snprintf(s->wrong, sizeof s->wrong,
				 "has no name for %s %lld (it is missing in %s_names): give it one in Python, and "
				 "write the file again",
				 strcmp(s->table, "obs") == 0 ? "cell" : "gene", (long long)i + 1, s->table);
			return s->wrong;
		}
	return NULL;
}

/* obs or var; what is wrong with it, or NULL. */
static const char *
say_table(scan *s, const char *table)
{
	hid_t group = open_member(s->file, table), names = H5I_INVALID_HID;
	const char *wrong = NULL;
	column c = {0};
	s->table = table;
	s->columns = 0;
	if (group < 0)
		wrong = "is no data set of AnnData: it has no /obs or /var; for a matrix in it give its name, as in "
			"'Dataset', '/X'";
	else if (H5Iget_type(group) != H5I_GROUP)
		wrong = "was written by AnnData before 0.7: read and write it with a newer one";
	if (wrong == NULL) {
		if (!get_attribute(group, "_index", s->index, sizeof s->index))
			snprintf(s->index, sizeof s->index, "%s",
				 H5Lexists(group, "_index", H5P_DEFAULT) > 0 ? "_index" : "index");
		names = s->index[0] != '\0' ? open_member(group, s->index) : names;
		s->packed[0] = '\0';
		if (names < 0 || !read_column(s, names, &c)) {
			snprintf(s->wrong, sizeof s->wrong, "cannot be read: %.400s", s->packed);
			wrong = s->packed[0] != '\0' ? s->wrong
						     : "has no names of cells or genes that can be read (obs_names and "
						       "var_names of AnnData): "
						       "write it again in Python, by adata.write_h5ad";
		}
	}
	if (wrong == NULL)
		wrong = nameless(s, &c);
	if (wrong == NULL) {
		say_column(s, "", &c, NULL);
		if (!s->cells_only && H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, s) < 0)
			wrong = "is damaged: the columns of /obs or /var cannot be read";
	}
	free_column(&c);
	close_object(names);
	close_object(group);
	return wrong;
}

/* The sizes of a sparse matrix. */
static bool
get_shape(hid_t group, int64_t shape[2])
{
	const char *name = H5Aexists(group, "shape") > 0 ? "shape" : "h5sparse_shape";
	hid_t attribute = H5Aexists(group, name) > 0 ? H5Aopen(group, name, H5P_DEFAULT) : H5I_INVALID_HID,
	      space = attribute >= 0 ? H5Aget_space(attribute) : H5I_INVALID_HID;
	bool fine = space >= 0 && H5Sget_simple_extent_npoints(space) == 2 &&
		    H5Aread(attribute, H5T_NATIVE_INT64, shape) >= 0;
	if (space >= 0)
		H5Sclose(space);
	if (attribute >= 0)
		H5Aclose(attribute);
	return fine;
}

/* What X is; what is wrong with it, or NULL. */
static const char *
say_matrix(scan *s)
{
	hid_t object = open_member(s->file, "X");
	int64_t shape[2] = {0, 0};
	char kind[64] = "";
	const char *wrong = NULL;
	if (object < 0) {
		wrong = "has no matrix X: name another, as in 'Dataset', '/obsm/X_pca'";
	} else if (H5Iget_type(object) == H5I_DATASET) {
		snprintf(kind, sizeof kind, "dense");
	} else {
		if (!get_attribute(object, "encoding-type", kind, sizeof kind))
			get_attribute(object, "h5sparse_format", kind, sizeof kind);
		kind[3] = '\0'; /* csr_matrix */
		if ((strcmp(kind, "csr") != 0 && strcmp(kind, "csc") != 0) || !get_shape(object, shape))
			wrong = "has an X that is neither a matrix nor of csr_matrix or csc_matrix: name another, as "
				"in 'Dataset', '/obsm/X_pca'";
	}
	say(s, kind);
	say_count(s, shape[0]);
	say_count(s, shape[1]);
	close_object(object);
	return wrong;
}

/* In the child: all texts to the board. */
static bool
look(void *context)
{
	scan *s = context;
	const char *wrong = NULL;
	if (knng_hdf5_enter(NULL) == KNNG_OK) {
		s->file = knng_hdf5_open(s->path, s->store);
		wrong = s->file < 0 ? "is cut off or damaged: HDF5 cannot open it" : NULL;
		say(s, "");
		if (wrong == NULL && !s->cells_only)
			wrong = say_matrix(s);
		if (wrong == NULL)
			wrong = say_table(s, "obs");
		if (wrong == NULL && !s->cells_only)
			wrong = say_table(s, "var");
		if (s->full)
			wrong = "has more than 256 MB of texts: name a matrix in it, as in 'Dataset', '/obsm/X_pca'";
		if (wrong != NULL) {
			s->to->used = 0;
			s->full = false;
			say(s, wrong);
		}
		if (s->file >= 0)
			H5Fclose(s->file);
	}
	knng_hdf5_leave();
	return true;
}

/* ---- the texts ---- */

/* What the child has left, copied: the texts from `at` to `end`, which is behind a NUL. */
typedef struct {
	const char *path, *at, *end;
} texts;

static const char *
take(texts *t)
{
	const char *text = t->at;
	const char *end = t->at < t->end ? memchr(t->at, '\0', (size_t)(t->end - t->at)) : NULL;
	if (end != NULL)
		t->at = end + 1;
	return end != NULL ? text : NULL;
}

/* A number from 0 on; -1: none comes next. */
static int64_t
take_count(texts *t)
{
	const char *text = take(t);
	int64_t value = 0;
	if (text == NULL || *text == '\0')
		return -1;
	for (; *text >= '0' && *text <= '9' && value <= INT64_MAX / 100; text++)
		value = 10 * value + (*text - '0');
	return *text == '\0' ? value : -1;
}

/* A column of obs or var. */
typedef struct {
	bool of_genes, is_text, is_left;
	const char *name;
	int64_t count;
	const char *first;
} record;

static bool
take_record(texts *t, record *r)
{
	const char *table = take(t);
	r->name = take(t);
	const char *kind = take(t);
	r->is_text = kind != NULL && strcmp(kind, "text") == 0;
	r->is_left = kind != NULL && strcmp(kind, "left") == 0;
	r->count = take_count(t);
	r->first = t->at;
	r->of_genes = table != NULL && strcmp(table, "var") == 0;
	for (int64_t i = 0; i < r->count; i++)
		if (take(t) == NULL)
			return false;
	return table != NULL && (r->of_genes || strcmp(table, "obs") == 0) && r->name != NULL && r->count >= 0;
}

/* Where its strings are, which follow each other. */
static char **
point_at(const record *r, char ***at)
{
	char **list = *at, *text = (char *)r->first;
	for (int64_t i = 0; i < r->count; i++) {
		*(*at)++ = text;
		text += strlen(text) + 1;
	}
	return list;
}

/* Of a column that is not read: which, and why. */
static void
warn_left(const char *path, const record *r, knng_err *warning)
{
	const char *table = r->of_genes ? "var" : "obs";
	if (r->is_left && r->count > 0)
		knng_fail(warning, KNNG_OK, "knng:data:metadata", "%.200s: the column %.60s of /%s is left out: %.300s",
			  path, r->name, table, r->first);
	else
		knng_fail(warning, KNNG_OK, "knng:data:metadata",
			  "%.200s: the column %.100s of /%s is left out: it is no list of texts, numbers or categories "
			  "for each %s, or cannot be read",
			  path, r->name, table, r->of_genes ? "gene" : "cell");
}

/* Has records in the data set: numbers of genes, or all others. */
static void
put_records(texts t, knng_content *content, bool numbers, char ***at)
{
	knng_dataset *ds = &content->data;
	record r;
	while (t.at < t.end && take_record(&t, &r)) {
		bool fits = r.count == (r.of_genes ? ds->nrows : ds->ncols), is_name = *r.name == '\0';
		if (numbers != (r.of_genes && !r.is_text && !r.is_left && !is_name))
			continue;
		if (is_name && fits)
			*(r.of_genes ? &ds->names : &ds->samples) = point_at(&r, at);
		else if ((r.is_left || !fits) && content->warnings++ == 0)
			warn_left(t.path, &r, &content->warning);
		else if (!r.is_left && fits)
			ds->meta[ds->nmeta++] = (knng_meta){.key = r.name,
							    .values = point_at(&r, at),
							    .count = r.count,
							    .by_row = r.of_genes,
							    .line = 1};
	}
}

/* Goes over all records: to count what there is, and to have it in the data set. Symbols are texts, which come before
 * numbers. */
static knng_status
take_tables(texts t, knng_content *content, knng_err *err)
{
	knng_dataset *ds = &content->data;
	static const char what[] = "the names of a file";
	texts again = t;
	record r;
	int64_t strings = 0, columns = 0, sizes[2] = {-1, -1};
	while (t.at < t.end) {
		if (!take_record(&t, &r))
			return fail(t.path, "is damaged: HDF5 fails over its texts", err);
		if (*r.name == '\0')
			sizes[r.of_genes] = r.count;
		strings += r.count;
		columns++;
	}
	ds->ncols = sizes[0];
	ds->nrows = sizes[1];
	if (ds->ncols < 1 || ds->nrows < 1)
		return fail(t.path, "has no cells or no genes", err);
	if ((ds->strings = knng_text_room(strings + ds->nrows, sizeof *ds->strings, what, err)) == NULL ||
	    (ds->meta = knng_text_room(columns, sizeof *ds->meta, what, err)) == NULL)
		return KNNG_EMEMORY;
	char **at = ds->strings;
	put_records(again, content, false, &at);
	if (ds->names == NULL || ds->samples == NULL)
		return fail(t.path, "is damaged: HDF5 fails over its texts", err);
	const knng_meta *symbols = knng_dataset_symbols_of(ds);
	if (symbols != NULL)
		ds->symbols = knng_dataset_take_symbols(symbols, ds->nrows, &at);
	put_records(again, content, true, &at);
	return KNNG_OK;
}

/* Has a child read the texts; ds->text gets them, and *t is where they are. */
static knng_status
read_texts(const char *path, knng_store *store, const knng_task *task, bool cells_only, knng_dataset *ds, texts *t,
	   knng_err *err)
{
	knng_status status = KNNG_OK;
	int64_t bytes = sizeof(board) + ROOM;
	if (knng_sys_fault())
		return knng_fail_memory(err, "the names of a file", (double)bytes);
	board *shared =
		mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (shared == MAP_FAILED)
		return knng_fail_memory(err, "the names of a file", (double)bytes);
	scan s = {.path = path, .store = store, .to = shared, .room = ROOM, .cells_only = cells_only};
	knng_digits_init(&s.digits);
	status = knng_hdf5_try(path, store, task, look, &s, err);
	int64_t used = shared->used;
	if (status == KNNG_OK && shared->memory)
		status = knng_fail_memory(err, "the names of a file", (double)knng_store_size(store));
	if (status == KNNG_OK && used < 1) { /* the child could not enter the library */
		status = knng_hdf5_enter(err);
		knng_hdf5_leave();
	}
	if (status == KNNG_OK && (used < 1 || used > ROOM))
		status = fail(path, "is damaged: HDF5 fails over its texts", err);
	if (status == KNNG_OK && (ds->text = knng_text_room(used, 1, "the names of a file", err)) == NULL)
		status = KNNG_EMEMORY;
	if (status == KNNG_OK) {
		memcpy(ds->text, shared->text, (size_t)used);
		ds->text[used - 1] = '\0';
		*t = (texts){path, ds->text, ds->text + used};
		const char *wrong = take(t);
		if (*wrong != '\0')
			status = fail(path, wrong, err);
	}
	munmap(shared, (size_t)bytes);
	return status;
}

/* ---- X ---- */

/* Room for all numbers, each 0. It is there twice for a moment when it is handed over. */
static knng_status
claim(const char *path, knng_dataset *ds, knng_err *err)
{
	int64_t size;
	double bytes = 8.0 * (double)ds->nrows * (double)ds->ncols;
	bool fine = knng_mul(ds->nrows, ds->ncols, 8, &size);
	if (fine && (bytes < 1 << 20 || knng_afford(2 * bytes, "", NULL) == KNNG_OK))
		ds->X = knng_calloc(size / 8, sizeof *ds->X);
	return ds->X != NULL ? KNNG_OK
			     : knng_fail(err, KNNG_EMEMORY, "knng:memory:host",
					 "%.200s is read with all its zeros: the %lld x %lld numbers take %.1f MB, for "
					 "a moment "
					 "twice, which the machine has not; name a matrix in it, as in 'Dataset', "
					 "'/obsm/X_pca'",
					 path, (long long)ds->nrows, (long long)ds->ncols, bytes * 1e-6);
}

/* Rows as doubles. */
static knng_status
read_rows(knng_matrix_file *f, int64_t first, int64_t count, double *to, knng_err *err)
{
	const knng_layout *l = knng_matrix_file_layout(f);
	knng_status status = knng_matrix_file_read(f, first, count, to, err);
	for (int64_t i = count * l->d - 1; status == KNNG_OK && l->element->type == KNNG_F32 && i >= 0; i--) {
		float single;
		memcpy(&single, (const char *)to + i * (int64_t)sizeof single, sizeof single);
		to[i] = single;
	}
	return status;
}

/* A matrix of the file, of so many rows and columns; rows -1: any. */
static knng_status
open_matrix(knng_matrix_file **f, const char *path, const char *name, int64_t rows, int64_t columns,
	    const knng_task *task, knng_err *err)
{
	const knng_matrix_choice choice = {name, 0};
	knng_status status = knng_matrix_file_open(f, path, &choice, task, err);
	if (status != KNNG_OK)
		return status;
	const knng_layout *l = knng_matrix_file_layout(*f);
	if ((rows < 0 || l->n == rows) && l->d == columns)
		return KNNG_OK;
	return knng_fail(err, KNNG_EIO, "knng:io:format",
			 "%.200s: %s has %lld rows and %lld columns, and should have %lld and %lld: as the cells of "
			 "/obs and the genes of /var say",
			 path, name, (long long)l->n, (long long)l->d, (long long)rows, (long long)columns);
}

static knng_status
read_dense(const char *path, const knng_task *task, knng_dataset *ds, knng_err *err)
{
	knng_matrix_file *f;
	int64_t cells = ds->ncols, genes = ds->nrows;
	knng_status status = open_matrix(&f, path, "/X", cells, genes, task, err);
	if (status == KNNG_OK)
		status = claim(path, ds, err);
	int64_t together = status == KNNG_OK ? knng_matrix_file_together(f) : 1,
		most = (PIECE * 16 / genes + together) / together * together;
	for (int64_t i = 0; status == KNNG_OK && i < cells; i += most)
		status = read_rows(f, i, cells - i < most ? cells - i : most, ds->X + i * genes, err);
	knng_matrix_file_close(f);
	return status;
}

/* A sparse matrix while it is read. */
typedef struct {
	const char *path;
	knng_matrix_file *data, *indices, *starts;
	double *start;         /* where the numbers of each line begin, and the last ends */
	double *number, *at;   /* a piece */
	int64_t lines, width;  /* cells and genes of csr, genes and cells of csc */
	int64_t along, across; /* numbers of X from one line to the next, and within a line */
} sparse;

static knng_status
check_starts(const sparse *s, int64_t count, knng_err *err)
{
	bool fine = s->start[0] == 0 && s->start[s->lines] == (double)count;
	for (int64_t i = 0; fine && i < s->lines; i++)
		fine = s->start[i] <= s->start[i + 1];
	return fine ? KNNG_OK : fail(s->path, "is damaged: /X/indptr does not ascend from 0 to the last number", err);
}

/* Numbers [first, first + count), which are in the piece; *line is that of the first, and then of the last. */
static knng_status
place(const sparse *s, int64_t first, int64_t count, int64_t *line, double *X, knng_err *err)
{
	for (int64_t i = 0; i < count; i++) {
		while ((double)(first + i) >= s->start[*line + 1])
			++*line;
		double at = s->at[i];
		if (!(at >= 0 && at < (double)s->width) || at != (double)(int64_t)at)
			return fail(s->path, "is damaged: /X/indices has numbers that are no cell or gene", err);
		double *x = &X[*line * s->along + (int64_t)at * s->across];
		if (*x != 0)
			return fail(s->path,
				    "has a number of X twice, which one is right it does not say: write it anew after "
				    "X.sum_duplicates ()",
				    err);
		*x = s->number[i];
	}
	return KNNG_OK;
}

static knng_status
read_sparse(sparse *s, const knng_task *task, knng_dataset *ds, knng_err *err)
{
	int64_t count = 0, line = 0;
	knng_status status = open_matrix(&s->starts, s->path, "/X/indptr", s->lines + 1, 1, task, err);
	if (status == KNNG_OK && ((s->start = knng_text_room(s->lines + 1, sizeof *s->start, "a file", err)) == NULL ||
				  (s->number = knng_text_room(PIECE, sizeof *s->number, "a file", err)) == NULL ||
				  (s->at = knng_text_room(PIECE, sizeof *s->at, "a file", err)) == NULL))
		status = KNNG_EMEMORY;
	if (status == KNNG_OK)
		status = read_rows(s->starts, 0, s->lines + 1, s->start, err);
	if (status == KNNG_OK && s->start[s->lines] == 0) /* nothing but zeros */
		return check_starts(s, 0, err) == KNNG_OK ? claim(s->path, ds, err) : KNNG_EIO;
	if (status == KNNG_OK)
		status = open_matrix(&s->data, s->path, "/X/data", -1, 1, task, err);
	if (status == KNNG_OK) {
		count = knng_matrix_file_layout(s->data)->n;
		status = check_starts(s, count, err);
	}
	if (status == KNNG_OK)
		status = open_matrix(&s->indices, s->path, "/X/indices", count, 1, task, err);
	if (status == KNNG_OK)
		status = claim(s->path, ds, err);
	for (int64_t i = 0; status == KNNG_OK && i < count; i += PIECE) {
		int64_t some = count - i < PIECE ? count - i : PIECE;
		status = read_rows(s->data, i, some, s->number, err);
		if (status == KNNG_OK)
			status = read_rows(s->indices, i, some, s->at, err);
		if (status == KNNG_OK)
			status = place(s, i, some, &line, ds->X, err);
	}
	return status;
}

static knng_status
read_matrix(const char *path, texts *t, const knng_task *task, knng_content *content, knng_err *err)
{
	knng_dataset *ds = &content->data;
	const char *kind = take(t);
	int64_t cells = take_count(t), genes = take_count(t);
	knng_status status = cells < 0 || genes < 0 ? fail(path, "is damaged: HDF5 fails over its texts", err)
						    : take_tables(*t, content, err);
	if (status != KNNG_OK)
		return status;
	if (strcmp(kind, "dense") == 0)
		return read_dense(path, task, ds, err);
	if (cells != ds->ncols || genes != ds->nrows)
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s: /X has %lld rows and %lld columns, and there are %lld cells in /obs and %lld "
				 "genes in /var",
				 path, (long long)cells, (long long)genes, (long long)ds->ncols, (long long)ds->nrows);
	bool by_cell = strcmp(kind, "csr") == 0;
	sparse s = {.path = path,
		    .lines = by_cell ? cells : genes,
		    .width = by_cell ? genes : cells,
		    .along = by_cell ? genes : 1,
		    .across = by_cell ? 1 : genes};
	status = read_sparse(&s, task, ds, err);
	knng_matrix_file_close(s.data);
	knng_matrix_file_close(s.indices);
	knng_matrix_file_close(s.starts);
	knng_free(s.start);
	knng_free(s.number);
	knng_free(s.at);
	return status;
}

knng_status
knng_h5ad_read(const char *path, const knng_task *task, knng_content *content, knng_err *err)
{
	knng_dataset *ds = &content->data;
	texts t;
	*content = (knng_content){.kind = KNNG_DATASET, .format = "h5ad"};
	knng_store *store = knng_store_open(path, task);
	if (store == NULL)
		return knng_fail(err, KNNG_EIO, "knng:io:open", "cannot open %.200s: %s", path, strerror(errno));
	knng_status status = read_texts(path, store, task, false, ds, &t, err);
	if (status == KNNG_OK)
		status = read_matrix(path, &t, task, content, err);
	if (status == KNNG_OK && !knng_store_as_before(store))
		status = knng_fail(err, KNNG_EIO, "knng:io:open",
				   "cannot read %.200s: it has changed since it was opened", path);
	knng_store_close(store);
	if (status == KNNG_OK)
		status = knng_doubt(content, path, err);
	if (status != KNNG_OK)
		knng_content_free(content);
	return status;
}

/* Whether the rows of this matrix are the cells. */
static bool
has_cells(const char *dataset)
{
	dataset += *dataset == '/';
	return strcmp(dataset, "X") == 0 || strncmp(dataset, "obsm/", 5) == 0 || strncmp(dataset, "layers/", 7) == 0;
}

knng_status
knng_h5ad_rows(const char *path, const char *dataset, int64_t rows, const knng_task *task, knng_dataset *ds,
	       knng_err *err)
{
	texts t;
	record r;
	if (!knng_h5ad_is(path) || dataset == NULL || !has_cells(dataset))
		return KNNG_OK;
	knng_store *store = knng_store_open(path, task);
	if (store == NULL)
		return knng_fail(err, KNNG_EIO, "knng:io:open", "cannot open %.200s: %s", path, strerror(errno));
	knng_status status = read_texts(path, store, task, true, ds, &t, err);
	knng_store_close(store);
	if (status != KNNG_OK)
		return status == KNNG_EIO ? KNNG_OK : status; /* it has none, and is no data set */
	if (!take_record(&t, &r) || r.of_genes || *r.name != '\0' || r.count != rows)
		return KNNG_OK;
	if ((ds->strings = knng_text_room(rows, sizeof *ds->strings, "the names of a file", err)) == NULL)
		return KNNG_EMEMORY;
	char **at = ds->strings;
	ds->names = point_at(&r, &at);
	ds->nrows = rows;
	return KNNG_OK;
}

#else

knng_status
knng_h5ad_rows(const char *path, const char *dataset, int64_t rows, const knng_task *task, knng_dataset *ds,
	       knng_err *err)
{
	(void)path, (void)dataset, (void)rows, (void)task, (void)ds, (void)err;
	return KNNG_OK;
}

knng_status
knng_h5ad_read(const char *path, const knng_task *task, knng_content *content, knng_err *err)
{
	const knng_matrix_choice choice = {"/X", -1};
	knng_matrix_file *f;
	*content = (knng_content){0};
	knng_status status = knng_matrix_file_open(&f, path, &choice, task, err); /* says that there is no HDF5 */
	knng_matrix_file_close(f);
	return status;
}

#endif
