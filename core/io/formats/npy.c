/* npy.c  An array of NumPy, as numpy.save writes it: versions 1 to 3.
 *
 * The file begins with 0x93 NUMPY and the version, two bytes; then come the length of the head (2 bytes, from version 2
 * on 4) and the head, a dictionary as Python writes it:
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (1000, 784), }
 *
 * and then the numbers. A row of an array of more than two dimensions is all that its first index names, the last index
 * running fastest. */
#include "io/formats/npy.h"
#include "base/sys.h"

#include <stdio.h>
#include <string.h>

enum { MAGIC = 6, HEAD = 1 << 16 /* no array that has rows of numbers has a longer one */ };

typedef struct {
	const char *path, *at, *end;
	int transposed, dimensions;
	int64_t last, others; /* the last dimension, and the product of the others */
	char text[HEAD + 1];
} head;

static knng_status
refuse(const head *h, const char *what, knng_err *err)
{
	return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s: %s", h->path, what);
}

static void
skip_blanks(head *h)
{
	while (h->at < h->end && strchr(" \t\r\n", *h->at) != NULL && *h->at != '\0')
		h->at++;
}

/* Whether this character comes next; it is taken then. */
static bool
take(head *h, char c)
{
	skip_blanks(h);
	bool there = h->at < h->end && *h->at == c;
	h->at += there;
	return there;
}

static bool
take_word(head *h, const char *word)
{
	size_t n = strlen(word);
	skip_blanks(h);
	bool there = (size_t)(h->end - h->at) >= n && memcmp(h->at, word, n) == 0;
	h->at += there ? n : 0;
	return there;
}

/* A text in quotes of either kind; NULL: none comes next. */
static const char *
take_text(head *h, int *length)
{
	skip_blanks(h);
	if (h->at == h->end || (*h->at != '\'' && *h->at != '"'))
		return NULL;
	const char *first = h->at + 1, *last = memchr(first, *h->at, (size_t)(h->end - first));
	if (last == NULL)
		return NULL;
	*length = (int)(last - first);
	h->at = last + 1;
	return first;
}

/* A whole number from 0 on; -1: none comes next. Python 2 wrote L behind some. */
static int64_t
take_number(head *h)
{
	int64_t value = 0;
	skip_blanks(h);
	if (h->at == h->end || *h->at < '0' || *h->at > '9')
		return -1;
	for (; h->at < h->end && *h->at >= '0' && *h->at <= '9'; h->at++)
		if (!knng_mul(value, 10, 1, &value) || value > INT64_MAX - 9)
			return -1;
		else
			value += *h->at - '0';
	take(h, 'L');
	return value;
}

static const struct {
	const char *code, *element;
} types[] = {
	{"f2", "float16"}, {"f4", "float32"}, {"f8", "float64"}, {"u1", "uint8"}, {"i1", "int8"},   {"b1", "uint8"},
	{"u2", "uint16"},  {"i2", "int16"},   {"u4", "uint32"},  {"i4", "int32"}, {"u8", "uint64"}, {"i8", "int64"},
};

/* '<f4': the order of bytes ('<' the lowest first, '>' the highest, '|' there is but one), and kind and size of a
 * number. */
static knng_status
take_type(head *h, knng_layout *l, knng_err *err)
{
	char text[160];
	int length;
	const char *type = take_text(h, &length);
	if (type == NULL)
		return refuse(h, "its elements have parts: save an array of numbers", err);
	for (size_t i = 0; i < sizeof types / sizeof *types && length == 3; i++)
		if (memcmp(type + 1, types[i].code, 2) == 0 &&
		    (*type == '<' || *type == '>' || (*type == '|' && types[i].code[1] == '1')))
			l->element = knng_element_find(types[i].element, (int)strlen(types[i].element));
	if (l->element != NULL) {
		l->swapped = *type == '>' && l->element->bytes > 1;
		return KNNG_OK;
	}
	snprintf(text, sizeof text,
		 "its elements are of type '%.*s', which is not read: save real numbers, as x.astype ('<f8') makes "
		 "them",
		 length < 20 ? length : 20, type);
	return refuse(h, text, err);
}

/* (1000, 784): rows, and columns of as many dimensions as there are. A vector is a column. */
static knng_status
take_shape(head *h, knng_layout *l, knng_err *err)
{
	bool fine = take(h, '(');
	l->d = h->last = h->others = 1;
	for (h->dimensions = 0; fine && !take(h, ')'); ++h->dimensions) {
		int64_t size = take_number(h);
		fine = size >= 0 && (h->dimensions == 0 || knng_mul(l->d, size, 1, &l->d)) &&
		       knng_mul(h->others, h->last, 1, &h->others);
		if (h->dimensions == 0)
			l->n = size;
		h->last = size;
		if (fine && !take(h, ',')) {
			fine = take(h, ')');
			++h->dimensions;
			break;
		}
	}
	if (!fine)
		return refuse(h, "its shape is damaged", err);
	return h->dimensions > 0 ? KNNG_OK : refuse(h, "it holds one number: a matrix has rows and columns", err);
}

/* Which way the numbers lie. */
static knng_status
turn(const head *h, bool fortran, knng_layout *l, knng_err *err)
{
	bool matrix = h->dimensions > 1;
	if (fortran && h->dimensions > 2 && l->d > 1)
		return refuse(h, "it has more than two dimensions in Fortran's order: save numpy.ascontiguousarray (x)",
			      err);
	if (h->transposed == 1 && matrix) {
		l->n = h->last;
		l->d = h->others;
		fortran = !fortran;
	}
	l->by_column = fortran && matrix && l->d > 1;
	return KNNG_OK;
}

static knng_status
take_head(head *h, knng_layout *l, knng_err *err)
{
	knng_status status = KNNG_OK;
	int length = 0, order = -1;
	bool fine = take(h, '{');
	while (fine && status == KNNG_OK && !take(h, '}')) {
		const char *key = take_text(h, &length);
		if (key == NULL || !take(h, ':'))
			fine = false;
		else if (length == 5 && memcmp(key, "descr", 5) == 0)
			status = take_type(h, l, err);
		else if (length == 13 && memcmp(key, "fortran_order", 13) == 0)
			fine = (order = take_word(h, "True") ? 1 : take_word(h, "False") ? 0 : -1) >= 0;
		else if (length == 5 && memcmp(key, "shape", 5) == 0)
			status = take_shape(h, l, err);
		else
			fine = false;
		if (fine && status == KNNG_OK && !take(h, ',')) {
			fine = take(h, '}');
			break;
		}
	}
	if (status != KNNG_OK)
		return status;
	if (!fine || l->element == NULL || order < 0 || h->dimensions == 0)
		return refuse(h, "its head is damaged: it does not say type, order and shape", err);
	return turn(h, order == 1, l, err);
}

knng_status
knng_npy_describe(const knng_npy *from, int transposed, knng_layout *l, int *dimensions, knng_err *err)
{
	unsigned char start[MAGIC + 2] = {0}, size[4] = {0};
	head h = {.path = from->path, .transposed = transposed};
	*l = (knng_layout){0};
	*dimensions = 0;
	knng_status status = KNNG_OK;
	if (from->size >= MAGIC + 6) /* the least of both versions */
		status = from->read(from->context, 0, start, sizeof start, err);
	if (status != KNNG_OK)
		return status;
	if (start[0] == 0x1F && start[1] == 0x8B)
		return refuse(&h, "this is packed: unpack it first (gunzip)", err);
	if (memcmp(start, "\x93NUMPY", MAGIC) != 0 || start[MAGIC] < 1 || start[MAGIC] > 3)
		return refuse(&h, "this is no array of NumPy, of version 1 to 3", err);
	int64_t wide = start[MAGIC] == 1 ? 2 : 4;
	if ((status = from->read(from->context, sizeof start, size, wide, err)) != KNNG_OK)
		return status;
	int64_t length = size[0] | size[1] << 8 | (int64_t)size[2] << 16 | (int64_t)size[3] << 24;
	l->at = (int64_t)sizeof start + wide + length;
	if (length > HEAD)
		return refuse(&h, "its head is damaged", err);
	if (l->at > from->size)
		return knng_fail(err, KNNG_EIO, "knng:io:truncated", "%.200s is cut off: it ends in its head",
				 from->path);
	if ((status = from->read(from->context, l->at - length, h.text, length, err)) != KNNG_OK)
		return status;
	h.at = h.text;
	h.end = h.text + length;
	status = take_head(&h, l, err);
	*dimensions = h.dimensions;
	return status;
}

/* ---- a file of one ---- */

typedef struct {
	const char *path;
	knng_store *store;
} file;

static knng_status
read_file(void *context, int64_t at, void *to, int64_t bytes, knng_err *err)
{
	const file *f = context;
	return knng_matrix_head(f->path, f->store, at, to, bytes, err);
}

static knng_status
describe(const char *path, knng_store *s, const knng_matrix_choice *choice, knng_layout *l, knng_err *err)
{
	(void)choice;
	file f = {path, s};
	int dimensions;
	const knng_npy from = {.path = path, .size = knng_store_size(s), .read = read_file, .context = &f};
	knng_status status = knng_npy_describe(&from, -1, l, &dimensions, err);
	return status == KNNG_OK
		       ? knng_matrix_ends(path, from.size, l,
					  "perhaps another array, which numpy.save appends where it is given one open "
					  "file again; save each array in a file of its own",
					  err)
		       : status;
}

static bool
looks_like(knng_store *s)
{
	char start[MAGIC];
	return knng_store_size(s) >= MAGIC && knng_store_read(s, 0, start, MAGIC) &&
	       memcmp(start, "\x93NUMPY", MAGIC) == 0;
}

const knng_matrix_format knng_matrix_format_npy = {"npy", {".npy"}, describe, false, looks_like, "an array of NumPy"};
