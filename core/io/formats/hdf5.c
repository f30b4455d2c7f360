/* hdf5.c  A matrix in a file of HDF5, among these what MATLAB writes by save ('-v7.3') and Octave by save ('-hdf5').
 *
 * A dataset has its dimensions in C's order. MATLAB and Octave store a matrix column by column, so that the dimensions
 * of its dataset are the other way round. MATLAB tells the class of a variable in an attribute, MATLAB_class; a
 * variable of Octave is a group, in which "type" says what it is and "value" holds the numbers. */
#include "base/sys.h"
#include "io/formats/hdf5_chunks.h"
#include "io/formats/listing.h"
#include "io/graph_file.h"
#include "io/h5ad.h"
#include "io/matrix_file.h"

#include <string.h>
#include <strings.h>

/* ---- whether it is HDF5 ---- */

/* The library looks at these places: before the file's own head there may be a user block. */
static knng_status
find_signature(const char *path, knng_store *s, bool *found, knng_err *err)
{
	static const char signature[] = "\x89HDF\r\n\x1a\n";
	char start[sizeof signature - 1];
	knng_status status = KNNG_OK;
	int64_t last = knng_store_size(s) - (int64_t)sizeof start;
	*found = false;
	for (int64_t at = 0; status == KNNG_OK && at <= last && !*found; at = at == 0 ? 512 : 2 * at) {
		status = knng_matrix_head(path, s, at, start, sizeof start, err);
		*found = status == KNNG_OK && memcmp(start, signature, sizeof start) == 0;
	}
	return status;
}

static const struct {
	const char *start, *what;
} others[] = {
	{"MATLAB 5.0 MAT-file", "this is a MAT-file of a version before 7.3: save it with '-v7.3' in MATLAB, or with "
				"'-hdf5' in Octave"},
	{"# Created by Octave", "this is Octave's own format: load reads it; or save it with '-hdf5'"},
	{"Octave-1-", "this is Octave's own format: load reads it; or save it with '-hdf5'"},
	{"\x1F\x8B", "this is packed: unpack it first (gunzip)"},
	{"", "this is no file of HDF5, or its beginning is lost"},
};

static knng_status
check_signature(const char *path, knng_store *s, knng_err *err)
{
	char start[20] = "";
	int64_t bytes = knng_store_size(s);
	size_t o = 0, length = strlen(path);
	bool found;
	knng_status status = find_signature(path, s, &found, err);
	if (status == KNNG_OK && !found)
		status = knng_matrix_head(path, s, 0, start, bytes < 19 ? bytes : 19, err);
	if (status != KNNG_OK || found)
		return status;
	while (strncmp(start, others[o].start, strlen(others[o].start)) != 0)
		o++;
	if (*others[o].start == '\0' && length > 4 && strcasecmp(path + length - 4, ".mat") == 0)
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s: this is no MAT-file of version 7.3: save it with '-v7.3' in MATLAB, or with "
				 "'-hdf5' in Octave",
				 path);
	return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s: %s", path, others[o].what);
}

/* A graph has two matrices, which may be named; but to search them is hardly what is meant. */
static knng_status
check_graph(const char *path, knng_store *s, knng_err *err)
{
	unsigned char block[KNNG_GRAPH_BLOCK];
	if (knng_store_size(s) < KNNG_GRAPH_BLOCK)
		return KNNG_OK;
	knng_status status = knng_matrix_head(path, s, 0, block, sizeof block, err);
	if (status != KNNG_OK || !knng_graph_file_begins(block))
		return status;
	return knng_fail(err, KNNG_EIO, "knng:io:format",
			 "%.200s is a graph that knng has written ('Output'), and no matrix to search: knng.loadgraph "
			 "reads it",
			 path);
}

#ifdef KNNG_HDF5

enum { NAME = KNNG_LISTED_NAME, DEPTH = 30, OBJECTS = 20000 /* that are looked at */ };

/* What is asked for, and what came of it. */
typedef struct {
	const char *path;
	knng_store *store;
	const knng_matrix_choice *choice;
	knng_layout *layout;
	bool trial;  /* nothing is kept; but all is looked at that reading needs */
	bool unsafe; /* what a trial has found: the library may fail later */
	hid_t file;
	knng_err *err;
	knng_status status;
} question;

/* A dataset of numbers as a matrix. */
typedef struct {
	hid_t dataset;
	const char *name;
	int rank; /* of the dataset */
	knng_boxed lies;
	int64_t n, d;
} matrix;

static knng_status
refuse(const question *q, const char *name, const char *what, knng_err *err)
{
	return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s: %.100s %s", q->path, name, what);
}

/* ---- attributes and types ---- */

/* A text of fixed length that a dataset or an attribute holds; "": it holds something else. */
static void
read_text(hid_t holder, hid_t type, bool attribute, char *text, size_t size)
{
	hid_t space = attribute ? H5Aget_space(holder) : H5Dget_space(holder);
	char read[64];
	*text = '\0';
	if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
	    H5Tget_size(type) < sizeof read && H5Sget_simple_extent_npoints(space) == 1 &&
	    (attribute ? H5Aread(holder, type, read) : H5Dread(holder, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read)) >=
		    0) {
		read[H5Tget_size(type)] = '\0';
		snprintf(text, size, "%s", read);
	}
	if (type >= 0)
		H5Tclose(type);
	if (space >= 0)
		H5Sclose(space);
}

/* Whether the object has the attribute. A group of another, such as "..", is not asked. */
static bool
has(hid_t object, const char *attribute)
{
	return H5Aexists(object, attribute) > 0;
}

static void
read_attribute(hid_t object, const char *name, char *text, size_t size)
{
	hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
	*text = '\0';
	if (attribute < 0)
		return;
	read_text(attribute, H5Aget_type(attribute), true, text, size);
	H5Aclose(attribute);
}

/* IEEE's numbers, by their bytes. */
static bool
is_ieee(hid_t type, size_t bytes)
{
	static const size_t parts[9][4] = {[2] = {10, 5, 10, 15}, [4] = {23, 8, 23, 127}, [8] = {52, 11, 52, 1023}};
	size_t sign, exponent, exponents, fraction, fractions;
	return bytes < 9 && parts[bytes][0] > 0 &&
	       H5Tget_fields(type, &sign, &exponent, &exponents, &fraction, &fractions) >= 0 && sign == 8 * bytes - 1 &&
	       exponent == parts[bytes][0] && exponents == parts[bytes][1] && fraction == 0 &&
	       fractions == parts[bytes][2] && H5Tget_ebias(type) == parts[bytes][3] &&
	       H5Tget_norm(type) == H5T_NORM_IMPLIED;
}

/* NumPy's truth values: an enumeration of one byte. */
static bool
is_truth(hid_t type)
{
	static const char *const names[] = {"FALSE", "TRUE"};
	bool fine = H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2;
	for (int value = 0; fine && value < 2; value++) {
		char at = (char)value, name[8] = "";
		fine = H5Tenum_nameof(type, &at, name, sizeof name) >= 0 && strcmp(name, names[value]) == 0;
	}
	return fine;
}

/* What the numbers are; else NULL, and *why. */
static const knng_element *
element_of(hid_t type, bool *swapped, const char **why)
{
	static const char *const kinds[] = {
		[H5T_STRING] = "holds texts",
		[H5T_BITFIELD] = "holds bits",
		[H5T_OPAQUE] = "holds bytes of no type",
		[H5T_COMPOUND] = "holds numbers of several parts, such as complex ones: save one part as a dataset",
		[H5T_REFERENCE] = "holds references (in MATLAB a cell): name what they refer to",
		[H5T_ENUM] = "holds an enumeration",
		[H5T_VLEN] = "holds rows that differ in length",
		[H5T_ARRAY] = "holds arrays as its elements",
	};
	H5T_class_t class = H5Tget_class(type);
	size_t bytes = H5Tget_size(type);
	char name[24] = "";
	*why = class >= 0 && class < (int)(sizeof kinds / sizeof *kinds) && kinds[class] != NULL
		       ? kinds[class]
		       : "holds numbers of a type that is not read: save real numbers, of 16, 32 or 64 bits";
	*swapped = bytes > 1 && H5Tget_order(type) == H5T_ORDER_BE;
	if (class == H5T_ENUM && is_truth(type))
		return knng_element_find("uint8", 5);
	if ((class != H5T_INTEGER && class != H5T_FLOAT) || bytes > 8 || H5Tget_precision(type) != 8 * bytes ||
	    H5Tget_offset(type) != 0 || (bytes > 1 && !*swapped && H5Tget_order(type) != H5T_ORDER_LE))
		return NULL;
	if (class == H5T_INTEGER)
		snprintf(name, sizeof name, "%sint%zu", H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "", 8 * bytes);
	else if (is_ieee(type, bytes))
		snprintf(name, sizeof name, "float%zu", 8 * bytes);
	return knng_element_find(name, (int)strlen(name));
}

/* ---- one dataset ---- */

/* Whether a word that MATLAB or Octave has for a kind of variable is that of a full real matrix of numbers. */
static bool
is_numeric(const char *kind, const char *end)
{
	static const char *const words[] = {"double", "single",  "int8",   "uint8",   "int16",  "uint16", "int32",
					    "uint32", "int64",   "uint64", "",        "float ", "int8 ",  "uint8 ",
					    "int16 ", "uint16 ", "int32 ", "uint32 ", "int64 ", "uint64 "};
	size_t length = strlen(kind), tail = strlen(end);
	if (length < tail || strcmp(kind + length - tail, end) != 0)
		return false;
	for (size_t w = 0; w < sizeof words / sizeof *words; w++)
		if (strlen(words[w]) == length - tail && memcmp(words[w], kind, length - tail) == 0)
			return true;
	return false;
}

/* That a dataset of MATLAB is a matrix of numbers. */
static knng_status
check_matlab(const question *q, hid_t dataset, const char *name, bool *matlab, knng_err *err)
{
	char class[64], what[160];
	*matlab = has(dataset, "MATLAB_class");
	if (!*matlab)
		return KNNG_OK;
	if (has(dataset, "MATLAB_empty"))
		return refuse(q, name, "is empty: there is nothing to search", err);
	read_attribute(dataset, "MATLAB_class", class, sizeof class);
	if (class[0] != '\0' && is_numeric(class, ""))
		return KNNG_OK;
	snprintf(what, sizeof what, "is of MATLAB's class '%.40s': save a full matrix of numbers, such as double (X)",
		 class);
	return refuse(q, name, what, err);
}

/* Sizes of the dataset, and of the matrix. by_column: the last dimension is its rows. */
static knng_status
take_sizes(const question *q, matrix *m, bool by_column, knng_err *err)
{
	hsize_t size[KNNG_BOX_RANK];
	hid_t space = H5Dget_space(m->dataset);
	int rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, NULL, NULL);
	bool none = rank >= 0 && H5Sget_simple_extent_type(space) == H5S_NULL, fine = rank > 0 && rank < KNNG_BOX_RANK;
	fine = fine && !none && H5Sget_simple_extent_dims(space, size, NULL) == rank;
	if (space >= 0)
		H5Sclose(space);
	if (none)
		return refuse(q, m->name, "holds nothing: it has no rows and columns", err);
	if (!fine)
		return refuse(q, m->name, rank == 0 ? "holds one number: a matrix has rows and columns" : "is damaged",
			      err);
	knng_boxed *b = &m->lies;
	m->rank = rank;
	b->rank = rank > 1 ? rank : 2;
	b->size[1] = 1; /* a vector is one column */
	b->by_column = by_column && rank > 1;
	m->d = 1;
	for (int i = 0; i < b->rank; i++) {
		if (i < rank)
			b->size[i] = size[i] <= INT64_MAX ? (int64_t)size[i] : -1;
		if (i == (b->by_column ? rank - 1 : 0))
			m->n = b->size[i];
		else if (!knng_mul(m->d, b->size[i], 1, &m->d))
			return refuse(q, m->name, "has more columns than a machine can hold", err);
	}
	return m->n >= 0 ? KNNG_OK : refuse(q, m->name, "has more rows than a machine can hold", err);
}

/* The dataset m->dataset as a matrix. */
static knng_status
weigh(const question *q, matrix *m, bool octave, knng_err *err)
{
	bool matlab;
	const char *why;
	knng_status status = check_matlab(q, m->dataset, m->name, &matlab, err);
	if (status != KNNG_OK)
		return status;
	hid_t type = H5Dget_type(m->dataset);
	if (type < 0)
		return refuse(q, m->name, "is damaged", err);
	m->lies.element = element_of(type, &m->lies.swapped, &why);
	m->lies.path = q->path;
	H5Tclose(type);
	if (m->lies.element == NULL)
		return refuse(q, m->name, why, err);
	return take_sizes(q, m, q->choice->transposed >= 0 ? q->choice->transposed == 1 : matlab || octave, err);
}

/* The group of an Octave variable: the dataset with its value. */
static knng_status
enter_octave(const question *q, hid_t group, const char *name, hid_t *value, knng_err *err)
{
	char kind[64] = "", what[160];
	hid_t type = H5Dopen2(group, "type", H5P_DEFAULT);
	if (type >= 0) {
		read_text(type, H5Dget_type(type), false, kind, sizeof kind);
		H5Dclose(type);
	}
	snprintf(what, sizeof what,
		 "is of Octave's type '%.40s': save a full matrix of numbers, such as double (full (X))", kind);
	if (!is_numeric(kind, "matrix"))
		return refuse(q, name, what, err);
	if (has(group, "OCTAVE_EMPTY_MATRIX"))
		return refuse(q, name, "is empty: there is nothing to search", err);
	*value = H5Dopen2(group, "value", H5P_DEFAULT);
	return *value >= 0 ? KNNG_OK : refuse(q, name, "is damaged: it has no value", err);
}

/* What an object of the file is as a matrix. A dataset that is returned in m->dataset is to be closed, after an error
 * too. *group: it is a group, and no variable. */
static knng_status
weigh_object(const question *q, hid_t object, matrix *m, bool *group, knng_err *err)
{
	H5I_type_t kind = H5Iget_type(object);
	bool octave = false;
	knng_status status = KNNG_OK;
	*group = false;
	m->dataset = H5I_INVALID_HID;
	if (kind == H5I_GROUP) {
		octave = has(object, "OCTAVE_NEW_FORMAT");
		if (!octave && has(object, "MATLAB_sparse"))
			return refuse(q, m->name, "is a sparse matrix: save full (X)", err);
		*group = !octave;
		if (!octave)
			return refuse(q, m->name, "is a group (in MATLAB a struct)", err);
		status = enter_octave(q, object, m->name, &m->dataset, err);
	} else if (kind == H5I_DATASET) {
		m->dataset = H5Dopen2(object, ".", H5P_DEFAULT);
		const char *last = strrchr(m->name, '/');
		char above[NAME];
		if (strcmp(last != NULL ? last + 1 : m->name, "value") == 0 &&
		    snprintf(above, sizeof above, "%.*s/", last != NULL ? (int)(last - m->name) : 0, m->name) < NAME) {
			hid_t parent = H5Oopen(q->file, above, H5P_DEFAULT), value = H5I_INVALID_HID;
			octave = parent >= 0 && H5Iget_type(parent) == H5I_GROUP && has(parent, "OCTAVE_NEW_FORMAT");
			if (octave)
				status = enter_octave(q, parent, m->name, &value, err);
			if (value >= 0)
				H5Dclose(value);
			if (parent >= 0)
				H5Oclose(parent);
		}
	} else {
		return refuse(q, m->name, "is a type, and no dataset", err);
	}
	if (status == KNNG_OK && m->dataset < 0)
		status = refuse(q, m->name, "is damaged", err);
	return status == KNNG_OK ? weigh(q, m, octave, err) : status;
}

/* ---- all datasets ---- */

/* What the file has. */
typedef struct {
	const question *q;
	knng_listing has;
	char prefix[NAME];
	int depth, objects, lost; /* lost: could not be opened */
	char link[NAME];          /* the first link to another file, and */
	char elsewhere[256];      /* that file; "": there is none */
	haddr_t above[DEPTH + 2]; /* the groups that one is in */
} list;

static herr_t visit(hid_t group, const char *name, const H5L_info_t *link, void *context);

/* Whether the group is in itself. It is noted. */
static bool
is_circle(list *l, hid_t group)
{
	H5O_info_t info;
	if (H5Oget_info(group, &info) < 0)
		return true;
	l->above[l->depth + 1] = info.addr;
	for (int i = 0; i <= l->depth; i++)
		if (l->above[i] == info.addr)
			return true;
	return false;
}

static void
visit_object(list *l, hid_t object, const char *name)
{
	matrix m = {.name = name};
	bool group;
	if (weigh_object(l->q, object, &m, &group, NULL) == KNNG_OK)
		knng_listing_add(&l->has, name, m.rank, m.n, m.d);
	else if (!group && H5Iget_type(object) != H5I_DATATYPE)
		knng_listing_add_refused(&l->has, name);
	if (m.dataset >= 0)
		H5Dclose(m.dataset);
	if (!group || is_circle(l, object))
		return;
	char before[NAME];
	memcpy(before, l->prefix, sizeof before);
	l->depth++;
	if (l->depth > DEPTH || snprintf(l->prefix, sizeof l->prefix, "%s/", name) >= NAME ||
	    H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, l) < 0)
		l->has.cut = true;
	l->depth--;
	memcpy(l->prefix, before, sizeof before);
}

/* A link to another file. */
static void
note_link(list *l, hid_t group, const char *name, size_t size)
{
	char value[1024];
	const char *file, *object;
	unsigned flags;
	if (l->elsewhere[0] == '\0' && size <= sizeof value &&
	    H5Lget_val(group, name, value, sizeof value, H5P_DEFAULT) >= 0 &&
	    H5Lunpack_elink_val(value, size, &flags, &file, &object) >= 0) {
		snprintf(l->link, sizeof l->link, "%s%.200s", l->depth > 0 ? "…/" : "/", name);
		snprintf(l->elsewhere, sizeof l->elsewhere, "%s", file);
	}
}

/* Links to somewhere else are not followed, nor what MATLAB hides. */
static herr_t
visit(hid_t group, const char *name, const H5L_info_t *link, void *context)
{
	list *l = context;
	char full[NAME];
	if (++l->objects > OBJECTS) {
		l->has.cut = true;
		return 1;
	}
	if (link->type == H5L_TYPE_EXTERNAL)
		note_link(l, group, name, link->u.val_size);
	if (link->type != H5L_TYPE_HARD || (l->depth == 0 && name[0] == '#'))
		return 0;
	if (snprintf(full, sizeof full, "%s%s", l->prefix, name) >= NAME - 1) {
		l->has.cut = true;
		return 0;
	}
	hid_t object = H5Oopen(group, name, H5P_DEFAULT);
	if (object < 0) {
		l->lost++;
		return 0;
	}
	visit_object(l, object, full);
	H5Oclose(object);
	return 0;
}

static void
list_all(list *l, const question *q)
{
	H5O_info_t root;
	*l = (list){.q = q, .has = {.path = q->path, .what = "dataset"}, .prefix = "/"};
	l->above[0] = H5Oget_info(q->file, &root) >= 0 ? root.addr : HADDR_UNDEF;
	if (H5Literate(q->file, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, l) < 0)
		l->has.cut = true;
}

/* ---- which one ---- */

/* That an array of more than two dimensions of MATLAB or Octave comes with the word of which index numbers the rows: in
 * memory it is none that can be searched. Other files have the rows in the first one. */
static knng_status
check_dimensions(const question *q, const matrix *m, knng_err *err)
{
	char sizes[160] = "";
	const knng_boxed *b = &m->lies;
	if (q->choice->transposed >= 0 || !b->by_column || m->rank < 3)
		return KNNG_OK;
	int64_t last = b->size[0];
	for (int i = m->rank - 1; i >= 0 && strlen(sizes) < sizeof sizes - 30; i--)
		snprintf(sizes + strlen(sizes), sizeof sizes - strlen(sizes), "%s%lld", i < m->rank - 1 ? " x " : "",
			 (long long)b->size[i]);
	return knng_fail(err, KNNG_EARGS, "knng:args:dims",
			 "%.200s: %.100s has %d dimensions (%s), and a matrix whose rows are points has two: with "
			 "'Transposed', false each of its %lld slices along the last index is a row, of %lld numbers; "
			 "with 'Transposed', true each of the %lld along the first, of %lld, as X(:, :) has them",
			 q->path, m->name, m->rank, sizes, (long long)last,
			 (long long)(last > 0 ? m->n * (m->d / last) : 0), (long long)m->n, (long long)m->d);
}

/* The dataset that is asked for, or the only one; to be closed, after an error too. */
static knng_status
choose(const question *q, matrix *m, char name[NAME], knng_err *err)
{
	const char *asked = q->choice->dataset;
	char what[200];
	list all;
	bool group;
	m->dataset = H5I_INVALID_HID;
	if (asked != NULL && strlen(asked) >= NAME)
		return refuse(q, asked, "is too long for a name", err);
	if (asked == NULL && knng_h5ad_is(q->path))
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s is a data set of AnnData: name the matrix whose rows are meant, as in "
				 "'Dataset', '/obsm/X_pca', or take ds.X' of ds = knng.read (file)",
				 q->path);
	if (asked != NULL) {
		snprintf(name, NAME, "%s", asked);
	} else {
		list_all(&all, q);
		const char *only = knng_listing_only(&all.has);
		if (only == NULL && all.has.count == 0 && !all.has.cut && all.elsewhere[0] != '\0') {
			snprintf(what, sizeof what,
				 "is a link to another file, %.100s, and this one has no matrix: name that one",
				 all.elsewhere);
			return refuse(q, all.link, what, err);
		}
		if (only == NULL)
			return knng_listing_refuse(
				&all.has,
				all.has.cut         ? "holds more objects, longer names or deeper groups than are "
						      "looked at, or is damaged"
				: all.has.count > 0 ? "holds several datasets"
				: all.lost > 0      ? "is damaged: HDF5 cannot open what is in it"
						    : "holds no matrix",
				NULL, err);
		snprintf(name, NAME, "%s", only);
	}
	m->name = name;
	hid_t object = *name != '\0' ? H5Oopen(q->file, name, H5P_DEFAULT) : H5I_INVALID_HID;
	if (object < 0) {
		snprintf(what, sizeof what, "has no dataset '%.100s'", name);
		list_all(&all, q);
		return knng_listing_refuse(&all.has, what, name, err);
	}
	knng_status status = weigh_object(q, object, m, &group, err);
	if (group) {
		snprintf(what, sizeof what, "has a group '%.100s', and no dataset of this name", name);
		list_all(&all, q);
		status = knng_listing_refuse(&all.has, what, NULL, err);
	}
	H5Oclose(object);
	return status;
}

/* ---- where its numbers lie ---- */

/* That the dataset is of this file, and not of one that a link leads to, and that its numbers are. */
static knng_status
check_place(const question *q, const matrix *m, hid_t list, H5D_layout_t *layout, knng_err *err)
{
	char own[1024] = "", other[1024] = "", what[300];
	H5Fget_name(q->file, own, sizeof own);
	H5Fget_name(m->dataset, other, sizeof other);
	if (strcmp(own, other) != 0) {
		snprintf(what, sizeof what, "is a link to another file, %.200s: name that one", other);
		return refuse(q, m->name, what, err);
	}
	*layout = H5Pget_layout(list);
	if (*layout == H5D_VIRTUAL || (*layout == H5D_CONTIGUOUS && H5Pget_external_count(list) != 0))
		return refuse(q, m->name,
			      "has its numbers in other files: name one of those, or copy it to a file of its own",
			      err);
	return *layout >= 0 ? KNNG_OK : refuse(q, m->name, "is damaged", err);
}

#if H5_VERSION_GE(1, 14, 0)
static int
is_empty(const hsize_t *first, unsigned skipped, haddr_t at, hsize_t stored, void *context)
{
	(void)first, (void)skipped, (void)at;
	*(bool *)context |= stored == 0;
	return 0;
}
#endif

/* Goes through the index of the chunks. False: the library may end the process by an assertion when it looks for one of
 * them (from 2.0 on, for one of no bytes). */
static bool
walk(hid_t dataset)
{
	bool empty = false;
	H5Dget_storage_size(dataset);
#if H5_VERSION_GE(1, 14, 0)
	H5Dchunk_iter(dataset, H5P_DEFAULT, is_empty, &empty);
#endif
	return !empty;
}

static knng_status
lay_out(question *q, const matrix *m, knng_err *err)
{
	knng_layout *l = q->layout;
	H5D_layout_t layout = H5D_LAYOUT_ERROR;
	hid_t list = H5Dget_create_plist(m->dataset);
	knng_status status = check_place(q, m, list, &layout, err);
	if (list >= 0)
		H5Pclose(list);
	*l = (knng_layout){.n = m->n, .d = m->d, .element = m->lies.element};
	snprintf(l->name, sizeof l->name, "%s%s", m->name[0] == '/' ? "" : "/", m->name);
	if (status != KNNG_OK || m->n < 1 || m->d < 1)
		return status;
	H5D_space_status_t storage =
		H5D_SPACE_STATUS_NOT_ALLOCATED; /* an offset says it too, but not behind a user block */
	if (layout == H5D_CONTIGUOUS && H5Dget_space_status(m->dataset, &storage) >= 0 &&
	    storage == H5D_SPACE_STATUS_ALLOCATED) {
		haddr_t at = H5Dget_offset(m->dataset);
		l->at = at < INT64_MAX ? (int64_t)at : INT64_MAX;
		l->swapped = m->lies.swapped;
		l->by_column = m->lies.by_column && m->d > 1;
		return KNNG_OK;
	}
	if (q->trial && !walk(m->dataset))
		q->unsafe = true;
	return knng_hdf5_boxes(&l->boxes, &m->lies, q->store, q->file, m->dataset, m->rank, err);
}

/* Between enter and leave. */
static void
answer(question *q)
{
	matrix m = {0};
	char name[NAME];
	q->status = KNNG_OK;
	q->file = knng_hdf5_open(q->path, q->store);
	if (q->file < 0) {
		q->status = knng_fail(q->err, KNNG_EIO, "knng:io:format",
				      "%.200s is cut off or damaged: HDF5 cannot open it", q->path);
		return;
	}
	q->status = choose(q, &m, name, q->err);
	if (q->status == KNNG_OK)
		q->status = check_dimensions(q, &m, q->err);
	if (q->status == KNNG_OK)
		q->status = lay_out(q, &m, q->err);
	if (q->status == KNNG_OK && q->layout->boxes != NULL)
		return; /* they have the dataset and the file */
	if (m.dataset >= 0)
		H5Dclose(m.dataset);
	H5Fclose(q->file);
}

static bool
look(void *context)
{
	question q = *(const question *)context;
	knng_layout layout = {0};
	q.trial = true;
	q.err = NULL;
	q.layout = &layout;
	if (knng_hdf5_enter(NULL) == KNNG_OK)
		answer(&q);
	knng_hdf5_leave();
	if (layout.boxes != NULL)
		layout.boxes->close(layout.boxes);
	return !q.unsafe;
}

static knng_status
read_head(const char *path, knng_store *s, const knng_matrix_choice *choice, knng_layout *l, knng_err *err)
{
	question q = {.path = path, .store = s, .choice = choice, .layout = l, .err = err};
	if (knng_store_locked(s))
		return knng_fail(err, KNNG_EIO, "knng:io:open", "cannot read %.200s: another program writes to it",
				 path);
	knng_status status = knng_hdf5_try(path, s, knng_store_task(s), look, &q, err);
	if (status != KNNG_OK)
		return status;
	status = knng_hdf5_enter(err);
	if (status == KNNG_OK) {
		answer(&q);
		status = q.status;
	}
	knng_hdf5_leave();
	return status;
}

#else

static knng_status
read_head(const char *path, knng_store *s, const knng_matrix_choice *choice, knng_layout *l, knng_err *err)
{
	(void)s;
	(void)choice;
	(void)l;
	return knng_fail(err, KNNG_EIO, "knng:io:noHDF",
			 "%.200s is a file of HDF5, which knng was built without: install HDF5 (Debian: libhdf5-dev, "
			 "pkg-config), run make again, and restart",
			 path);
}

#endif

static knng_status
describe(const char *path, knng_store *s, const knng_matrix_choice *choice, knng_layout *l, knng_err *err)
{
	*l = (knng_layout){0};
	knng_status status = check_signature(path, s, err);
	if (status == KNNG_OK && choice->dataset == NULL)
		status = check_graph(path, s, err);
	return status == KNNG_OK ? read_head(path, s, choice, l, err) : status;
}

static bool
looks_like(knng_store *s)
{
	bool found;
	return find_signature("", s, &found, NULL) == KNNG_OK && found;
}

const knng_matrix_format knng_matrix_format_hdf5 = {
	"hdf5", {".h5", ".hdf5", ".he5", ".mat", ".h5ad"}, describe, true, looks_like, "a file of HDF5"};
