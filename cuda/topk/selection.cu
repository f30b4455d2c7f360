/* selection.cu  Selection (core/topk/select.h) of arrays in host memory: through pinned buffers to the device, a batch
 * of lines at a time, and the answers back.
 *
 * Vectors become lines that begin at multiples of 16 bytes; where their elements lie apart (inner > 1), blocks of rows
 * are transposed on the device. A line that is longer than PART answers part by part, and the answers, which come in
 * the order of the parts, are a line again, whose places are carried along: so equal elements stay in the order of
 * their indices, and there is no line that does not fit, as long as k is at most SELECT_MOST.
 *
 * Limits: the way to the device. Memory: an arena of at most ARENA, kept for the session as that of a search is. */
#include "cuda/topk/select.h"

#include <math.h>
#include <string.h>

enum { PART = 1 << 17, LANE_BYTES = 256, PIECES = 16, STEPS = 2 };

static const int64_t ARENA = 1 << 30, BATCH = 1 << 28, SORT_SPACE = 64 << 20, LEAST = 160 << 20;

/* What was claimed for a batch. */
typedef struct {
	const knng_topk *s;
	selecting first; /* the level that reads elements */
	int64_t lines;   /* of a batch, at most */
	int64_t chunk;   /* elements of a line that are on the device at once: of one part, a line's, or whole parts */
	int64_t grain;   /* elements in 16 bytes */
	bool sorted;     /* k is larger than a block can sort */
	session *g;
	char *pinned[BUFFERS];
	char *x, *raw;
	void *values[STEPS]; /* answers of a level, alternately */
	uint32_t *index[STEPS];
	sorting sort;
} batch;

static int64_t
smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t
up_to(int64_t n, int64_t multiple)
{
	return (n + multiple - 1) / multiple * multiple;
}

/* ---------------------------------------------------------------- copies on the host */

/* `rows` of `width` elements, from and to so many elements apart. */
typedef struct {
	const char *from;
	char *to;
	double *index; /* in place of to: uint32 places become indices from 1 */
	int64_t rows, width, from_step, to_step, size;
} copying;

static knng_status
copy_job(void *context, int worker, int64_t i, knng_err *err)
{
	const copying *c = (const copying *)context;
	int64_t all = c->rows * c->width;
	(void)worker, (void)err;
	for (int64_t at = all * i / PIECES, end = all * (i + 1) / PIECES; at < end;) {
		int64_t row = at / c->width, e = at % c->width, count = smaller(c->width - e, end - at);
		const char *from = c->from + (row * c->from_step + e) * c->size;
		int64_t to = row * c->to_step + e;
		if (c->index == NULL)
			memcpy(c->to + to * c->size, from, (size_t)(count * c->size));
		for (int64_t j = 0; c->index != NULL && j < count; j++)
			c->index[to + j] = (double)((const uint32_t *)from)[j] + 1;
		at += count;
	}
	return KNNG_OK;
}

static knng_status
copy_on_host(knng_task *task, copying c, knng_err *err)
{
	return host->run(task, task->threads, PIECES, copy_job, &c, err);
}

/* ---------------------------------------------------------------- to the device and back */

/* Elements [from, from + n) of the lines from `line` on (of a vector's place: outer*inner + inner's) to b->x. */
static knng_status
upload(knng_task *task, const batch *b, int64_t line, int64_t lines, int64_t from, int64_t n, int device, knng_err *err)
{
	const knng_topk *s = b->s;
	knng_status status = KNNG_OK;
	const bool transposed = s->inner > 1;
	const int64_t pitch = b->first.pitch, most = BUFFER_BYTES / s->size;
	/* What lies in one piece on the host is a row: elements of a line, or, transposed, the lines' elements of one
	 * place. A row's width on its way to the device is that of all its elements, or of a piece of them. */
	const int64_t rows = transposed ? n : lines, width = transposed ? lines : n,
		      step = transposed ? s->inner : s->n;
	const int64_t wide = transposed ? lines : pitch, piece = smaller(width, most),
		      high = wide > most ? 1 : most / wide;
	const char *x =
		(const char *)s->data + ((line / s->inner * s->n + from) * s->inner + line % s->inner) * s->size;
	int buffer = 0;
	for (int64_t r = 0; r < rows; r += high)
		for (int64_t e = 0; e < width; e += piece, buffer = (buffer + 1) % BUFFERS) {
			copying c = {x + (r * step + e) * s->size,
				     b->pinned[buffer],
				     NULL,
				     smaller(high, rows - r),
				     smaller(piece, width - e),
				     step,
				     wide,
				     s->size};
			TRY(cudaEventSynchronize(b->g->sent[buffer]));
			status = copy_on_host(task, c, err);
			if (status != KNNG_OK)
				goto out;
			char *to = transposed ? b->raw : b->x + (r * pitch + e) * s->size;
			int64_t bytes = ((c.rows - 1) * wide + c.width) * s->size;
			TRY(cudaMemcpyAsync(to, c.to, (size_t)bytes, cudaMemcpyHostToDevice, b->g->list));
			TRY(cudaEventRecord(b->g->sent[buffer], b->g->list));
			if (transposed) {
				launch_transpose_lines(b->raw, s->size, c.rows, lines, b->x + r * s->size, pitch,
						       b->g->list);
				TRY_LAUNCH();
			}
		}
out:
	return status;
}

/* `rows` of `width` elements that lie close on the device, to the host, `step` elements apart: as they are, or as
 * indices. */
static knng_status
download(knng_task *task, const batch *b, const void *from, int64_t size, void *values, double *index, int64_t rows,
	 int64_t width, int64_t step, int device, knng_err *err)
{
	knng_status status = KNNG_OK;
	const int64_t most = BUFFER_BYTES / size, piece = smaller(width, most), high = most / piece;
	for (int64_t r = 0; r < rows; r += high)
		for (int64_t e = 0; e < width; e += piece) {
			copying c = {b->pinned[0], NULL, NULL, smaller(high, rows - r), smaller(piece, width - e),
				     piece,        step, size};
			if (index != NULL)
				c.index = index + r * step + e;
			else
				c.to = (char *)values + (r * step + e) * size;
			int64_t bytes = ((c.rows - 1) * width + c.width) * size;
			TRY(cudaMemcpyAsync(b->pinned[0], (const char *)from + (r * width + e) * size, (size_t)bytes,
					    cudaMemcpyDeviceToHost, b->g->list));
			TRY(cudaStreamSynchronize(b->g->list));
			status = copy_on_host(task, c, err);
			if (status != KNNG_OK)
				goto out;
		}
out:
	return status;
}

/* ---------------------------------------------------------------- levels */

static int64_t
parts_of(int64_t n, int64_t length)
{
	return (n + length - 1) / length;
}

/* Elements of what the parts of a line answer. */
static int64_t
answers(int64_t n, int64_t length, int64_t k)
{
	int64_t whole = parts_of(n, length) - 1;
	return whole * k + smaller(k, n - whole * length);
}

/* Of a part, where a line is cut in equal ones of PART at most. */
static int64_t
part_length(int64_t n, int64_t grain)
{
	return up_to(parts_of(n, parts_of(n, PART)), grain);
}

/* Where the answers of a level go: those of several parts side by side, to be lines again; the last ones as the host
 * wants them, which is transposed where the elements were. */
static void
aim(const batch *b, selecting *f, int level)
{
	const bool last = parts_of(f->n, f->length) == 1;
	f->values = b->values[level % STEPS];
	f->index = b->index[level % STEPS];
	f->line_step = !last ? up_to(answers(f->n, f->length, f->k), b->grain) : b->s->inner > 1 ? 1 : f->k;
	f->rank_step = last && b->s->inner > 1 ? f->lines : 1;
}

/* From some lines' elements to their answers, which *values and *index get to know. */
static knng_status
select_lines(knng_task *task, batch *b, int64_t line, int64_t lines, const void **values, const uint32_t **index,
	     int device, knng_err *err)
{
	const knng_topk *s = b->s;
	knng_status status = KNNG_OK;
	selecting f = b->first;
	int level = 0;
	f.lines = lines;
	aim(b, &f, level);
	for (int64_t from = 0; from < s->n; from += b->chunk) {
		selecting part = f;
		part.n = smaller(b->chunk, s->n - from);
		part.first = from;
		part.values = (char *)f.values + from / f.length * f.k * s->size;
		part.index = f.index + from / f.length * f.k;
		status = upload(task, b, line, lines, from, part.n, device, err);
		if (status != KNNG_OK)
			goto out;
		if (b->sorted)
			TRY(launch_sort(part, &b->sort, b->g->list));
		else
			TRY(launch_select(part, b->g->list));
	}
	while (parts_of(f.n, f.length) > 1) {
		f.x = f.values;
		f.places = f.index;
		f.pitch = f.line_step;
		f.n = answers(f.n, f.length, f.k);
		f.length = part_length(f.n, b->grain);
		aim(b, &f, ++level);
		TRY(launch_select(f, b->g->list));
	}
	*values = f.values;
	*index = f.index;
out:
	return status;
}

/* ---------------------------------------------------------------- memory */

/* Chooses how many lines are worked on together and how much of them is on the device at once, and claims the memory.
 */
static knng_status
open_batch(batch *b, int device, knng_err *err)
{
	const knng_topk *s = b->s;
	const int64_t n = s->n, k = s->k, size = s->size, key = select_key_bytes(b->first.kind);
	const int64_t together = s->inner > 1 ? s->inner : s->outer;
	knng_device_info info;
	knng_status status = devices_describe(device, &info, err);
	if (status != KNNG_OK)
		return status;
	const int64_t room = (int64_t)fmin((double)ARENA, info.free - 512e6);
	b->grain = 16 / size;
	b->sorted = k > SELECT_MOST;
	b->first.length = b->sorted ? up_to(n, b->grain) : part_length(n, b->grain);
	const int64_t whole = up_to(n, b->grain) * size, parts = parts_of(n, b->first.length);
	/* The answers of the first two levels; later ones are fewer. */
	int64_t out[STEPS] = {k, 0};
	for (int64_t step = 0, m = n, length = b->first.length; step < STEPS && parts_of(m, length) > 1; step++) {
		m = answers(m, length, k);
		length = part_length(m, b->grain);
		out[step] = up_to(m, b->grain);
		if (step + 1 < STEPS)
			out[step + 1] = k;
	}
	const int64_t a_line = (out[0] + out[1]) * (size + 4) + (b->sorted ? n * (2 * key + 8) + 8 : 0);
	const int64_t fixed = (s->inner > 1 ? BUFFER_BYTES : 0) + (b->sorted ? SORT_SPACE : 0) + 64 * 256;
	const int64_t most = smaller(BATCH, room / (b->sorted ? 8 : 4));
	/* Narrower blocks of rows would be read a cache line for a few elements. */
	const int64_t least = b->sorted ? 0 : s->inner > 1 ? smaller(LANE_BYTES / size, s->inner) : 1;
	int64_t lines = smaller(most / whole > least ? most / whole : least, together);
	if (s->inner > 1)
		lines = smaller(lines, BUFFER_BYTES / (size * (n < 32 ? n : 32)));
	lines = smaller(smaller(lines, (room - fixed - most) / a_line), INT32_MAX / parts);
	if (room < LEAST || lines < 1 || n > INT32_MAX)
		return host->fail(err, KNNG_EDEVICE, "knng:device:memory",
				  "GPU %d has not enough free memory for vectors of %lld elements and k = %lld",
				  device + 1, (long long)n, (long long)k);
	b->lines = lines;
	b->chunk = lines * whole <= most ? n : most / (lines * b->first.length * size) * b->first.length;
	b->first.pitch = up_to(b->chunk, b->grain);

	int64_t x = lines * b->first.pitch * size;
	status = device_open(device, x + fixed + lines * a_line, INT64_MAX, err);
	if (status == KNNG_OK)
		status = buffers_open(b->pinned, device, err);
	if (status != KNNG_OK)
		return status;
	b->g = device_session(device);
	b->first.x = b->x = (char *)device_carve(b->g, x);
	if (s->inner > 1)
		b->raw = (char *)device_carve(b->g, BUFFER_BYTES);
	for (int i = 0; i < STEPS; i++) {
		b->values[i] = device_carve(b->g, lines * out[i] * size);
		b->index[i] = (uint32_t *)device_carve(b->g, lines * out[i] * 4);
	}
	if (!b->sorted)
		return KNNG_OK;
	for (int i = 0; i < 2; i++) {
		b->sort.keys[i] = device_carve(b->g, lines * n * key);
		b->sort.places[i] = (uint32_t *)device_carve(b->g, lines * n * 4);
	}
	b->sort.offsets = (int64_t *)device_carve(b->g, (lines + 1) * 8);
	selecting f = b->first;
	f.lines = lines;
	TRY(launch_sort(f, &b->sort, b->g->list));
	if (b->sort.bytes > SORT_SPACE)
		return host->fail(err, KNNG_EDEVICE, "knng:device:memory",
				  "GPU %d has not enough memory to sort vectors of %lld elements", device + 1,
				  (long long)n);
	b->sort.temporary = device_carve(b->g, SORT_SPACE);
	b->sort.bytes = SORT_SPACE;
out:
	return status;
}

/* ---------------------------------------------------------------- all of it */

knng_status
select_along(knng_task *task, const knng_topk *s, knng_keys_kind kind, uint64_t mask, int device, knng_err *err)
{
	const int64_t all = s->inner * s->outer;
	batch b;
	memset(&b, 0, sizeof b);
	b.s = s;
	b.first.kind = kind;
	b.first.mask = mask;
	b.first.n = s->n;
	b.first.k = s->k;
	knng_status status = open_batch(&b, device, err);
	for (int64_t line = 0, lines; line < all && status == KNNG_OK; line += lines) {
		const int64_t inner = line % s->inner, outer = line / s->inner;
		lines = smaller(b.lines, s->inner > 1 ? s->inner - inner : s->outer - outer);
		const int64_t rows = s->inner > 1 ? s->k : 1, width = s->inner > 1 ? lines : lines * s->k;
		const int64_t to = outer * s->k * s->inner + inner;
		const void *values = NULL;
		const uint32_t *index = NULL;
		status = select_lines(task, &b, line, lines, &values, &index, device, err);
		if (status == KNNG_OK && s->values != NULL)
			status = download(task, &b, values, s->size, (char *)s->values + to * s->size, NULL, rows,
					  width, s->inner, device, err);
		if (status == KNNG_OK && s->index != NULL)
			status = download(task, &b, index, 4, NULL, s->index + to, rows, width, s->inner, device, err);
	}
	if (b.g != NULL) {
		cudaStreamSynchronize(b.g->list);
		cudaGetLastError();
	}
	return status;
}
