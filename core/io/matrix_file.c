#include "io/matrix_file.h"
#include "base/sys.h"
#include "base/task.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum {
	BUFFER = 1 << 22,            /* bytes */
	COLUMNS = 16,                /* of a file that lies column by column: read together, */
	ROWS = BUFFER / 8 / COLUMNS, /* and rows */
};

struct knng_matrix_file {
	knng_store *store;
	const char *path;
	knng_layout layout;
	int64_t room; /* bytes of the buffer */
	void *buffer;
};

/* ---- elements ---- */

#define CONVERT(name, from_type, to_type)                                                                              \
	static void name(const void *from, int64_t count, void *to)                                                    \
	{                                                                                                              \
		for (int64_t i = 0; i < count; i++)                                                                    \
			((to_type *)to)[i] = ((const from_type *)from)[i];                                             \
	}
CONVERT(convert_u8, uint8_t, float)
CONVERT(convert_i8, int8_t, float)
CONVERT(convert_u16, uint16_t, float)
CONVERT(convert_i16, int16_t, float)
CONVERT(convert_u32, uint32_t, double)
CONVERT(convert_i32, int32_t, double)

/* IEEE half precision. */
static void
convert_f16(const void *from, int64_t count, void *to)
{
	for (int64_t i = 0; i < count; i++) {
		unsigned bits = ((const uint16_t *)from)[i], exponent = bits >> 10 & 31, fraction = bits & 1023;
		float value = exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
			      : exponent > 0 ? ldexpf((float)(1024 + fraction), (int)exponent - 25)
					     : ldexpf((float)fraction, -24);
		((float *)to)[i] = bits >> 15 ? -value : value;
	}
}

const knng_element knng_elements[] = {
	{"float32", 4, KNNG_F32, NULL},        {"float64", 8, KNNG_F64, NULL},
	{"float16", 2, KNNG_F32, convert_f16}, {"uint8", 1, KNNG_F32, convert_u8},
	{"int8", 1, KNNG_F32, convert_i8},     {"uint16", 2, KNNG_F32, convert_u16},
	{"int16", 2, KNNG_F32, convert_i16},   {"uint32", 4, KNNG_F64, convert_u32},
	{"int32", 4, KNNG_F64, convert_i32},   {NULL, 0, KNNG_F64, NULL},
};

const knng_element *
knng_element_find(const char *name, int length)
{
	for (const knng_element *e = knng_elements; e->name != NULL; e++)
		if ((int)strlen(e->name) == length && memcmp(e->name, name, (size_t)length) == 0)
			return e;
	return NULL;
}

/* ---- files ---- */

const knng_matrix_format *
knng_matrix_format_of(const char *path)
{
	size_t length = strlen(path);
	for (int i = 0; knng_matrix_formats[i] != NULL; i++)
		for (int e = 0; knng_matrix_formats[i]->endings[e] != NULL; e++) {
			const char *ending = knng_matrix_formats[i]->endings[e];
			size_t n = strlen(ending);
			if (length > n && strcasecmp(path + length - n, ending) == 0)
				return knng_matrix_formats[i];
		}
	return NULL;
}

/* The bytes from one row to the next, of a file that lies row by row. */
static int64_t
stride_of(const knng_layout *l)
{
	return l->prefix + l->d * l->element->bytes;
}

/* Whether the sizes make sense, and the file is as long as they say. */
static knng_status
check(const knng_matrix_file *f, knng_err *err)
{
	const knng_layout *l = &f->layout;
	int64_t bytes, held = knng_store_size(f->store) - l->at;
	if (l->n < 1 || l->d < 1)
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s holds %lld rows of %lld numbers: there is "
				 "nothing to search",
				 f->path, (long long)l->n, (long long)l->d);
	if (!knng_mul(l->n, l->d, l->element->bytes, &bytes) || bytes > INT64_MAX - l->prefix * l->n || held < 0 ||
	    bytes + l->prefix * l->n > held)
		return knng_fail(err, KNNG_EIO, "knng:io:truncated",
				 "%.200s is cut off: it says %lld rows of %lld %s numbers, and has %lld bytes for them",
				 f->path, (long long)l->n, (long long)l->d, l->element->name,
				 (long long)(held < 0 ? 0 : held));
	return KNNG_OK;
}

knng_status
knng_matrix_file_open(knng_matrix_file **file, const char *path, const knng_task *task, knng_err *err)
{
	const knng_matrix_format *format = knng_matrix_format_of(path);
	knng_status status = KNNG_OK;
	*file = NULL;
	if (format == NULL)
		return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s has no ending of a file of numbers", path);
	size_t length = strlen(path) + 1;
	knng_matrix_file *f = knng_calloc(1, sizeof *f + length);
	if (f == NULL)
		return knng_fail_memory(err, "a file of numbers", (double)length);
	f->path = memcpy(f + 1, path, length);
	f->store = knng_store_open(path, task);
	if (f->store == NULL)
		status = knng_fail(err, KNNG_EIO, "knng:io:open", "cannot open %.200s: %s%s", path, strerror(errno),
				   errno == ESPIPE ? "; numbers are read from a file of a disk" : "");
	if (status == KNNG_OK)
		status = format->describe(path, f->store, &f->layout, err);
	if (status == KNNG_OK)
		status = check(f, err);
	if (status == KNNG_OK) {
		bool straight = f->layout.element->convert == NULL && f->layout.prefix == 0 && !f->layout.by_column;
		f->room = straight ? 0 : f->layout.by_column ? BUFFER : stride_of(&f->layout);
		f->room = straight || f->room > BUFFER ? f->room : BUFFER;
		if (!straight && (f->buffer = knng_alloc(f->room, 1)) == NULL)
			status = knng_fail_memory(err, "a file of numbers", (double)f->room);
	}
	if (status != KNNG_OK) {
		knng_matrix_file_close(f);
		return status;
	}
	*file = f;
	return KNNG_OK;
}

const knng_layout *
knng_matrix_file_layout(const knng_matrix_file *f)
{
	return &f->layout;
}

void
knng_matrix_file_close(knng_matrix_file *f)
{
	if (f == NULL)
		return;
	knng_store_close(f->store);
	knng_free(f->buffer);
	knng_free(f);
}

/* ---- rows ---- */

static knng_status
get(knng_matrix_file *f, int64_t at, void *to, int64_t bytes, knng_err *err)
{
	if (knng_store_read(f->store, at, to, bytes))
		return KNNG_OK;
	if (errno == EINTR)
		return knng_fail(err, KNNG_EINTERRUPTED, "knng:interrupted", "stopped while %.200s was read", f->path);
	return knng_fail(err, KNNG_EIO, "knng:io:open", "cannot read %.200s: %s", f->path,
			 errno != 0 ? strerror(errno) : "it has changed since it was opened");
}

/* Numbers as they are in the file to numbers of the class they become. */
static void
turn(const knng_element *e, const void *from, int64_t count, void *to)
{
	if (e->convert != NULL)
		e->convert(from, count, to);
	else
		memcpy(to, from, (size_t)(count * e->bytes));
}

static knng_status
read_by_row(knng_matrix_file *f, int64_t first, int64_t count, char *to, knng_err *err)
{
	const knng_layout *l = &f->layout;
	int64_t stride = stride_of(l), most = f->room / stride, size = l->d * (l->element->type == KNNG_F32 ? 4 : 8);
	for (int64_t r = 0; r < count; r += most) {
		int64_t rows = count - r < most ? count - r : most;
		knng_status status = get(f, l->at + (first + r) * stride, f->buffer, rows * stride, err);
		if (status != KNNG_OK)
			return status;
		for (int64_t i = 0; i < rows; i++) {
			const char *row = (const char *)f->buffer + i * stride;
			int32_t d = (int32_t)l->d;
			if (l->prefix > 0)
				memcpy(&d, row, sizeof d);
			if (d != l->d)
				return knng_fail(err, KNNG_EIO, "knng:io:format",
						 "%.200s: row %lld has %d numbers and the first has %lld: they must be "
						 "as many",
						 f->path, (long long)(first + r + i + 1), d, (long long)l->d);
			turn(l->element, row + l->prefix, l->d, to + (r + i) * size);
		}
	}
	return KNNG_OK;
}

/* Some columns of some rows, from the buffer, where a column has room for ROWS. */
#define SPREAD(type)                                                                                                   \
	for (int64_t i = 0; i < rows; i++)                                                                             \
		for (int64_t c = 0; c < columns; c++)                                                                  \
			((type *)rows_from)[i * d + c] = ((const type *)f->buffer)[c * ROWS + i];

static knng_status
read_by_column(knng_matrix_file *f, int64_t first, int64_t count, char *to, knng_err *err)
{
	const knng_layout *l = &f->layout;
	const knng_element *e = l->element;
	int64_t d = l->d, size = e->type == KNNG_F32 ? 4 : 8;
	double raw[ROWS / 8]; /* before they are converted, a part of a column */
	for (int64_t r = 0; r < count; r += ROWS)
		for (int64_t j = 0; j < d; j += COLUMNS) {
			int64_t rows = count - r < ROWS ? count - r : ROWS, columns = d - j < COLUMNS ? d - j : COLUMNS;
			for (int64_t c = 0; c < columns; c++) {
				int64_t piece = e->convert == NULL ? rows : (int64_t)sizeof raw / e->bytes;
				for (int64_t i = 0; i < rows; i += piece) {
					int64_t some = rows - i < piece ? rows - i : piece;
					void *into = (char *)f->buffer + (c * ROWS + i) * size;
					knng_status status = get(f, l->at + ((j + c) * l->n + first + r + i) * e->bytes,
								 e->convert == NULL ? into : raw, some * e->bytes, err);
					if (status != KNNG_OK)
						return status;
					if (e->convert != NULL)
						e->convert(raw, some, into);
				}
			}
			void *rows_from = to + (r * d + j) * size;
			if (e->type == KNNG_F32) {
				SPREAD(float)
			} else {
				SPREAD(double)
			}
		}
	return KNNG_OK;
}

knng_status
knng_matrix_file_read(void *file, int64_t first, int64_t count, void *to, knng_err *err)
{
	knng_matrix_file *f = file;
	const knng_layout *l = &f->layout;
	if (l->by_column)
		return read_by_column(f, first, count, to, err);
	if (f->buffer != NULL)
		return read_by_row(f, first, count, to, err);
	return get(f, l->at + first * stride_of(l), to, count * stride_of(l), err);
}
