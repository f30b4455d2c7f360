/* boxes.c  Rows of a matrix from boxes, see boxes.h. */
#include "io/boxes.h"
#include "base/sys.h"
#include "base/task.h"

#include <string.h>

enum { COLUMNS = 16, ROWS = 4096 }; /* of a box that lies by column: turned together */

/* The dimension of the rows, the first one of the columns, and the last one of these. */
static int
row_dimension(const knng_boxed *b)
{
	return b->by_column ? b->rank - 1 : 0;
}

static int
first_column(const knng_boxed *b)
{
	return b->by_column ? 0 : 1;
}

static int
last_column(const knng_boxed *b)
{
	return first_column(b) + b->rank - 2;
}

int64_t
knng_boxed_rows(const knng_boxed *b)
{
	return b->size[row_dimension(b)];
}

int64_t
knng_boxed_height(const knng_boxed *b)
{
	int64_t box = b->box[row_dimension(b)], rows = knng_boxed_rows(b);
	return box < rows ? box : rows;
}

static int64_t
box_bytes(const knng_boxed *b)
{
	int64_t bytes = b->element->bytes;
	for (int i = 0; i < b->rank; i++)
		if (!knng_mul(bytes, b->box[i], 1, &bytes))
			return -1;
	return bytes;
}

/* A multiple of 64, so that what is behind it is aligned too. */
static int64_t
up_to_64(int64_t bytes)
{
	return (bytes + 63) / 64 * 64;
}

int64_t
knng_boxed_bytes(const knng_boxed *b)
{
	int64_t bytes = box_bytes(b);
	if (bytes < 0 || bytes > INT64_MAX / 2)
		return -1;
	bytes = up_to_64(bytes);
	return b->by_column && b->element->convert != NULL ? bytes + COLUMNS * ROWS * knng_element_size(b->element)
							   : bytes;
}

/* Of a box that is in the buffer: the first of its elements, how many there are in each dimension, without those over
 * the end, and what of its rows is asked for, from `row` on, to `to`. */
typedef struct {
	const int64_t *first;
	int64_t extent[KNNG_BOX_RANK];
	int64_t row, rows;
	char *to;
	int64_t d; /* columns of the matrix */
} part;

/* A run of elements along the last column: where it begins, in elements of the box, and which column of the matrix that
 * is. Number `line` of the runs of one row. */
static void
find_line(const knng_boxed *b, const part *p, int64_t line, int64_t *in_box, int64_t *column)
{
	int64_t stride = 1, over = 1;
	*in_box = *column = 0;
	for (int i = b->rank - 1; i >= 0; i--) {
		if (i >= first_column(b) && i <= last_column(b)) {
			int64_t at = 0;
			if (i < last_column(b)) {
				at = line % p->extent[i];
				line /= p->extent[i];
			}
			*in_box += at * stride;
			*column += (p->first[i] + at) * over;
			over *= b->size[i];
		}
		stride *= b->box[i];
	}
}

static int64_t
lines_of(const knng_boxed *b, const part *p)
{
	int64_t lines = 1;
	for (int i = first_column(b); i < last_column(b); i++)
		lines *= p->extent[i];
	return lines;
}

static knng_status
place_by_row(const knng_boxed *b, const char *box, const part *p, int64_t stride, knng_err *err)
{
	const knng_element *e = b->element;
	int64_t size = knng_element_size(e), run = p->extent[last_column(b)], lines = lines_of(b, p);
	for (int64_t line = 0; line < lines; line++) {
		int64_t in_box, column;
		find_line(b, p, line, &in_box, &column);
		for (int64_t i = 0; i < p->rows; i++) {
			const char *from = box + ((p->row - p->first[0] + i) * stride + in_box) * e->bytes;
			char *to = p->to + (i * p->d + column) * size;
			int64_t exact = knng_element_turn(e, from, run, to);
			if (exact < run)
				return knng_element_refuse(b->path, p->row + i, column + exact, from + exact * e->bytes,
							   to + exact * size, err);
		}
	}
	return KNNG_OK;
}

/* Of a few columns, which begin at `from`, the rows from r on. */
static knng_status
place_columns(const knng_boxed *b, const char *from, char *turned, const part *p, int64_t r, int64_t column,
	      int64_t columns, knng_err *err)
{
	const knng_element *e = b->element;
	int64_t size = knng_element_size(e), height = b->box[b->rank - 1],
		rows = p->rows - r < ROWS ? p->rows - r : ROWS;
	from += (p->row - p->first[b->rank - 1] + r) * e->bytes;
	char *to = p->to + (r * p->d + column) * size;
	if (e->convert != NULL) {
		for (int64_t c = 0; c < columns; c++) {
			char *begin = turned + c * ROWS * size;
			const char *raw = from + c * height * e->bytes;
			int64_t exact = e->convert(raw, rows, begin);
			if (exact < rows)
				return knng_element_refuse(b->path, p->row + r + exact, column + c,
							   raw + exact * e->bytes, begin + exact * size, err);
		}
		from = turned;
		height = ROWS;
	}
	knng_element_spread(e, from, height, rows, columns, to, p->d);
	return KNNG_OK;
}

static knng_status
place_by_column(const knng_boxed *b, const char *box, char *turned, const part *p, knng_err *err)
{
	int64_t height = b->box[b->rank - 1], run = p->extent[last_column(b)], lines = lines_of(b, p);
	for (int64_t line = 0; line < lines; line++) {
		int64_t in_box, column;
		find_line(b, p, line, &in_box, &column);
		for (int64_t r = 0; r < p->rows; r += ROWS)
			for (int64_t c = 0; c < run; c += COLUMNS) {
				const char *from = box + (in_box + c * height) * b->element->bytes;
				knng_status status = place_columns(b, from, turned, p, r, column + c,
								   run - c < COLUMNS ? run - c : COLUMNS, err);
				if (status != KNNG_OK)
					return status;
			}
	}
	return KNNG_OK;
}

/* The box that begins here to the buffer, if it is not there. */
static knng_status
bring(knng_boxes *b, const int64_t *first, knng_err *err)
{
	const knng_boxed *of = b->of;
	size_t bytes = (size_t)of->rank * sizeof *first;
	if (b->holds && memcmp(b->held, first, bytes) == 0)
		return KNNG_OK;
	b->holds = false;
	knng_status status = b->task != NULL ? knng_task_poll(b->task, err) : KNNG_OK;
	if (status == KNNG_OK)
		status = of->fetch(of->context, first, b->buffer, err);
	if (status != KNNG_OK)
		return status;
	if (of->swapped)
		knng_element_swap(of->element, b->buffer, box_bytes(of) / of->element->bytes);
	memcpy(b->held, first, bytes);
	b->holds = true;
	return KNNG_OK;
}

/* To the next box of the same rows; false: there is none. */
static bool
next_box(const knng_boxed *b, int64_t *first)
{
	for (int i = last_column(b); i >= first_column(b); i--) {
		first[i] += b->box[i];
		if (first[i] < b->size[i])
			return true;
		first[i] = 0;
	}
	return false;
}

static int64_t
columns_of(const knng_boxed *b)
{
	int64_t d = 1;
	for (int i = first_column(b); i <= last_column(b); i++)
		d *= b->size[i];
	return d;
}

static knng_status
place(knng_boxes *b, const int64_t *first, const part *asked, knng_err *err)
{
	const knng_boxed *of = b->of;
	part p = *asked;
	int64_t stride = 1; /* elements from one row of the box to the next, by row */
	p.first = first;
	for (int i = 0; i < of->rank; i++) {
		int64_t left = of->size[i] - first[i];
		p.extent[i] = left < of->box[i] ? left : of->box[i];
		stride *= i > 0 ? of->box[i] : 1;
	}
	return of->by_column ? place_by_column(of, b->buffer, b->buffer + up_to_64(box_bytes(of)), &p, err)
			     : place_by_row(of, b->buffer, &p, stride, err);
}

knng_status
knng_boxes_read(knng_boxes *b, int64_t first, int64_t count, char *to, knng_err *err)
{
	const knng_boxed *of = b->of;
	int rows = row_dimension(of);
	int64_t height = of->box[rows], d = columns_of(of), size = d * knng_element_size(of->element);
	for (int64_t band = first / height * height; band < first + count; band += height) {
		int64_t begin = band < first ? first : band,
			end = band + height < first + count ? band + height : first + count, at[KNNG_BOX_RANK] = {0};
		const part p = {.row = begin, .rows = end - begin, .to = to + (begin - first) * size, .d = d};
		at[rows] = band;
		do {
			knng_status status = bring(b, at, err);
			if (status == KNNG_OK)
				status = place(b, at, &p, err);
			if (status != KNNG_OK)
				return status;
		} while (next_box(of, at));
	}
	return KNNG_OK;
}
