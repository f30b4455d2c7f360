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
	const knng_task *task;
	const char *path;
	knng_layout layout;
	int64_t room; /* bytes of the buffer */
	void *buffer;
	knng_boxes boxes; /* of a layout that has some; its buffer is the same */
};

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

/* The format that a file begins like, or NULL. */
static const knng_matrix_format *
recognise(knng_store *s)
{
	for (int i = 0; knng_matrix_formats[i] != NULL; i++)
		if (knng_matrix_formats[i]->looks_like != NULL && knng_matrix_formats[i]->looks_like(s))
			return knng_matrix_formats[i];
	return NULL;
}

const knng_matrix_format *
knng_matrix_format_find(const char *path)
{
	const knng_matrix_format *format = knng_matrix_format_of(path);
	knng_store *s = format == NULL && knng_on_disk(path) ? knng_store_open(path, NULL) : NULL;
	if (s != NULL)
		format = recognise(s);
	knng_store_close(s);
	return format;
}

/* The bytes from one row to the next, of a file that lies row by row. */
static int64_t
stride_of(const knng_layout *l)
{
	return l->prefix + l->d * l->element->bytes;
}

knng_status
knng_matrix_fits(const char *path, int64_t size, const knng_layout *l, knng_err *err)
{
	int64_t bytes, held = size - l->at;
	if (l->n < 1 || l->d < 1)
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s holds %lld rows of %lld numbers: there is "
				 "nothing to search",
				 path, (long long)l->n, (long long)l->d);
	if (l->boxes != NULL)
		return KNNG_OK; /* whether one is there shows when it is fetched */
	if (!knng_mul(l->n, l->d, l->element->bytes, &bytes) || bytes > INT64_MAX - l->prefix * l->n || held < 0 ||
	    bytes + l->prefix * l->n > held)
		return knng_fail(err, KNNG_EIO, "knng:io:truncated",
				 "%.200s is cut off: it says %lld rows of %lld %s numbers, and has %lld bytes for them",
				 path, (long long)l->n, (long long)l->d, l->element->name,
				 (long long)(held < 0 ? 0 : held));
	return KNNG_OK;
}

/* Of a file that lies column by column: rows that are read together. */
static int64_t
height_of(const knng_layout *l)
{
	return l->n < ROWS ? l->n : ROWS;
}

/* Bytes of the buffer through which rows of this layout go, whose sizes are checked; 0: they are read straight to where
 * they belong. */
static int64_t
room_of(const knng_layout *l)
{
	int64_t row = stride_of(l), all = l->n * row, most = row < BUFFER ? BUFFER : row;
	if (l->by_column)
		return height_of(l) * (l->d < COLUMNS ? l->d : COLUMNS) * knng_element_size(l->element);
	return l->element->convert == NULL && l->prefix == 0 ? 0 : all < most ? all : most;
}

static knng_status
claim_buffer(knng_matrix_file *f, knng_err *err)
{
	const knng_matrix_boxes *boxes = f->layout.boxes;
	const char *what = boxes != NULL ? "a chunk of a file" : "a row of a file";
	f->room = boxes != NULL ? knng_boxed_bytes(&boxes->boxed) : room_of(&f->layout);
	if (f->room < 0)
		return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s: its chunks are larger than any memory",
				 f->path);
	knng_status status = f->room > BUFFER ? knng_afford(knng_matrix_file_bytes(f), what, err) : KNNG_OK;
	if (status == KNNG_OK && f->room > 0 && (f->buffer = knng_alloc(f->room, 1)) == NULL)
		status = knng_fail_memory(err, what, (double)f->room);
	if (boxes != NULL)
		f->boxes = (knng_boxes){.of = &boxes->boxed, .task = f->task, .buffer = f->buffer};
	return status;
}

/* What knng_store_read has failed of, by errno; of 0 it says what that is. */
static knng_status
fail_to_read(const char *path, const knng_store *s, int reason, knng_err *err)
{
	const knng_task *task = knng_store_task(s);
	knng_status status = task != NULL ? knng_task_poll(task, err) : KNNG_OK;
	if (status != KNNG_OK)
		return status;
	return knng_fail(err, KNNG_EIO, "knng:io:open", "cannot read %.200s: %s", path,
			 reason != 0 ? strerror(reason) : "it has changed since it was opened");
}

knng_status
knng_matrix_head(const char *path, knng_store *s, int64_t at, void *to, int64_t bytes, knng_err *err)
{
	if (knng_store_size(s) < at + bytes)
		return knng_fail(err, KNNG_EIO, "knng:io:truncated", "%.200s is cut off: it ends in its head", path);
	return knng_store_read(s, at, to, bytes) ? KNNG_OK : fail_to_read(path, s, errno, err);
}

knng_status
knng_matrix_ends(const char *path, int64_t size, const knng_layout *l, const char *why, knng_err *err)
{
	double bytes = (double)l->n * ((double)l->prefix + (double)l->d * l->element->bytes),
	       held = (double)(size - l->at);
	if (held <= bytes)
		return KNNG_OK;
	return knng_fail(err, KNNG_EIO, "knng:io:format",
			 "%.200s says %lld rows of %lld %s numbers, and has %.0f bytes more than these: %s", path,
			 (long long)l->n, (long long)l->d, l->element->name, held - bytes, why);
}

knng_status
knng_matrix_nothing_chosen(const knng_matrix_choice *choice, const char *path, knng_err *err)
{
	if (choice->dataset == NULL && choice->transposed < 0)
		return KNNG_OK;
	return knng_fail(err, KNNG_EARGS, "knng:args:option",
			 "'%s' is for files of HDF5 and archives of NumPy (.npz)%s%.200s%s: leave it out",
			 choice->dataset != NULL ? "Dataset" : "Transposed", path != NULL ? ", which " : "",
			 path != NULL ? path : "", path != NULL ? " is not" : "");
}

/* A file that is none of these, as far as can be seen. */
static knng_status
refuse_ending(const char *path, knng_err *err)
{
	char known[120] = "";
	for (int i = 0; knng_matrix_formats[i] != NULL; i++)
		for (int e = 0; knng_matrix_formats[i]->endings[e] != NULL; e++) {
			const char *ending = knng_matrix_formats[i]->endings[e];
			if (strlen(known) + strlen(ending) + 3 < sizeof known)
				strcat(strcat(known, known[0] != '\0' ? ", " : ""), ending);
		}
	return knng_fail(err, KNNG_EIO, "knng:io:format",
			 "%.200s is no file of numbers by its ending, nor does it begin like one: these end in %s",
			 path, known);
}

/* What cannot be read as its ending says may be another format under a wrong name. */
static knng_status
refuse_name(const knng_matrix_file *f, const knng_matrix_format *format, knng_status status, knng_err *err)
{
	const knng_matrix_format *other = status == KNNG_EIO ? recognise(f->store) : NULL;
	if (other == NULL || other == format)
		return status;
	return knng_fail(err, status, "knng:io:format",
			 "%.200s is %s by its beginning, which its ending does not say: give it a name that ends in %s",
			 f->path, other->title, other->endings[0]);
}

knng_status
knng_matrix_file_open(knng_matrix_file **file, const char *path, const knng_matrix_choice *choice,
		      const knng_task *task, knng_err *err)
{
	const knng_matrix_format *format = knng_matrix_format_find(path);
	knng_status status = KNNG_OK;
	*file = NULL;
	choice = choice != NULL ? choice : &knng_matrix_any;
	if (format == NULL)
		return refuse_ending(path, err);
	if (!format->several && (status = knng_matrix_nothing_chosen(choice, path, err)) != KNNG_OK)
		return status;
	size_t length = strlen(path) + 1;
	knng_matrix_file *f = knng_calloc(1, sizeof *f + length);
	if (f == NULL)
		return knng_fail_memory(err, "a file of numbers", (double)length);
	f->path = memcpy(f + 1, path, length);
	f->task = task;
	f->store = knng_store_open(path, task);
	if (f->store == NULL)
		status = knng_fail(err, KNNG_EIO, "knng:io:open", "cannot open %.200s: %s", path,
				   errno == ESPIPE ? "numbers are read from a file of a disk, and not from a pipe"
						   : strerror(errno));
	if (status == KNNG_OK)
		status = format->describe(f->path, f->store, choice, &f->layout, err);
	if (status == KNNG_OK)
		status = knng_matrix_fits(f->path, knng_store_size(f->store), &f->layout, err);
	if (status != KNNG_OK && f->store != NULL)
		status = refuse_name(f, format, status, err);
	if (status == KNNG_OK)
		status = claim_buffer(f, err);
	if (status != KNNG_OK) {
		knng_matrix_file_close(f);
		return status;
	}
	*file = f;
	return KNNG_OK;
}

double
knng_matrix_file_bytes(const knng_matrix_file *f)
{
	return (double)f->room + (f->layout.boxes != NULL ? f->layout.boxes->bytes : 0);
}

bool
knng_matrix_file_is_costly(const knng_matrix_file *f)
{
	enum { LARGE = 1 << 23, MOST_COLUMNS = 1 << 16 };
	const knng_layout *l = &f->layout;
	if (l->boxes == NULL)
		return l->by_column && l->d > MOST_COLUMNS;
	return 2 * knng_boxed_height(&l->boxes->boxed) > l->n && (double)l->n * (double)l->d > LARGE;
}

int64_t
knng_matrix_file_together(const knng_matrix_file *f)
{
	return f->layout.boxes != NULL ? knng_boxed_height(&f->layout.boxes->boxed) : 1;
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
	if (f->layout.boxes != NULL)
		f->layout.boxes->close(f->layout.boxes);
	knng_store_close(f->store);
	knng_free(f->buffer);
	knng_free(f);
}

/* ---- rows ---- */

/* Bytes of whole numbers. */
static knng_status
get(knng_matrix_file *f, int64_t at, void *to, int64_t bytes, knng_err *err)
{
	int size = f->layout.element->bytes;
	if (knng_store_read(f->store, at, to, bytes)) {
		if (f->layout.swapped)
			knng_element_swap(f->layout.element, to, bytes / size);
		return KNNG_OK;
	}
	return fail_to_read(f->path, f->store, errno, err);
}

static knng_status
read_by_row(knng_matrix_file *f, int64_t first, int64_t count, char *to, knng_err *err)
{
	const knng_layout *l = &f->layout;
	int64_t stride = stride_of(l), most = f->room / stride, size = l->d * knng_element_size(l->element);
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
			char *turned = to + (r + i) * size;
			int64_t exact = knng_element_turn(l->element, row + l->prefix, l->d, turned);
			if (exact < l->d)
				return knng_element_refuse(f->path, first + r + i, exact,
							   row + l->prefix + exact * l->element->bytes,
							   turned + exact * 8, err);
		}
	}
	return KNNG_OK;
}

/* Rows [first, first + rows) of column j, to numbers that lie behind each other. */
static knng_status
read_column(knng_matrix_file *f, int64_t j, int64_t first, int64_t rows, void *to, knng_err *err)
{
	const knng_layout *l = &f->layout;
	const knng_element *e = l->element;
	int64_t at = l->at + (j * l->n + first) * e->bytes, size = knng_element_size(e);
	double raw[ROWS / 8]; /* before they are converted, a part */
	if (e->convert == NULL)
		return get(f, at, to, rows * e->bytes, err);
	for (int64_t i = 0, piece = (int64_t)sizeof raw / e->bytes; i < rows; i += piece) {
		int64_t some = rows - i < piece ? rows - i : piece;
		knng_status status = get(f, at + i * e->bytes, raw, some * e->bytes, err);
		if (status != KNNG_OK)
			return status;
		int64_t exact = e->convert(raw, some, (char *)to + i * size);
		if (exact < some)
			return knng_element_refuse(f->path, first + i + exact, j, &raw[exact],
						   (char *)to + (i + exact) * size, err);
	}
	return KNNG_OK;
}

static knng_status
read_by_column(knng_matrix_file *f, int64_t first, int64_t count, char *to, knng_err *err)
{
	const knng_layout *l = &f->layout;
	int64_t d = l->d, size = knng_element_size(l->element), height = height_of(l);
	for (int64_t r = 0; r < count; r += height)
		for (int64_t j = 0; j < d; j += COLUMNS) {
			int64_t rows = count - r < height ? count - r : height,
				columns = d - j < COLUMNS ? d - j : COLUMNS;
			for (int64_t c = 0; c < columns; c++) {
				knng_status status = read_column(f, j + c, first + r, rows,
								 (char *)f->buffer + c * height * size, err);
				if (status != KNNG_OK)
					return status;
			}
			knng_element_spread(l->element, f->buffer, height, rows, columns, to + (r * d + j) * size, d);
		}
	return KNNG_OK;
}

knng_status
knng_matrix_file_column(knng_matrix_file *f, int64_t j, void *to, knng_err *err)
{
	return read_column(f, j, 0, f->layout.n, to, err);
}

knng_status
knng_matrix_file_read(void *file, int64_t first, int64_t count, void *to, knng_err *err)
{
	knng_matrix_file *f = file;
	const knng_layout *l = &f->layout;
	if (l->boxes != NULL)
		return knng_boxes_read(&f->boxes, first, count, to, err);
	if (l->by_column)
		return read_by_column(f, first, count, to, err);
	if (f->buffer != NULL)
		return read_by_row(f, first, count, to, err);
	return get(f, l->at + first * stride_of(l), to, count * stride_of(l), err);
}
