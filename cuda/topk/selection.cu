/* selection.cu  Selection (core/topk/select.h) of arrays in host memory: through pinned buffers to the device, some
 * lines at a time, and the answers back.
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

static const int64_t ARENA = 1 << 30, AT_ONCE = 1 << 28, SORT_SPACE = 64 << 20, LEAST = 160 << 20;

/* What was claimed for the lines that are worked on together. */
typedef struct {
	const knng_topk *s;
	selecting first; /* the level that reads elements */
	int64_t lines;   /* at most */
	int64_t chunk;   /* elements of a line that are on the device at once: of one part, a line's, or whole parts */
	int64_t grain;   /* elements in 16 bytes */
	int64_t out[STEPS]; /* elements of a line's answers on the first levels; on later ones they are fewer */
	int64_t bytes;      /* of device memory, of all lines */
	bool sorted;        /* k is larger than a block can sort */
	session *g;
	char *pinned[BUFFERS];
	char *x, *raw;
	void *values[STEPS]; /* answers of a level, alternately */
	uint32_t *index[STEPS];
	sorting sort;
} claim;

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

/* Elements [from, from + n) of the lines from `line` on (of a vector's place: outer*inner + inner's) to c->x. */
static knng_status
upload(knng_task *task, const claim *c, int64_t line, int64_t lines, int64_t from, int64_t n, int device, knng_err *err)
{
	const knng_topk *s = c->s;
	knng_status status = KNNG_OK;
	const bool transposed = s->inner > 1;
	const int64_t pitch = c->first.pitch, most = BUFFER_BYTES / s->size;
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
			copying copy = {x + (r * step + e) * s->size,
					c->pinned[buffer],
					NULL,
					smaller(high, rows - r),
					smaller(piece, width - e),
					step,
					wide,
					s->size};
			TRY(cudaEventSynchronize(c->g->sent[buffer]));
			status = copy_on_host(task, copy, err);
			if (status != KNNG_OK)
				goto out;
			char *to = transposed ? c->raw : c->x + (r * pitch + e) * s->size;
			int64_t bytes = ((copy.rows - 1) * wide + copy.width) * s->size;
			TRY(cudaMemcpyAsync(to, copy.to, (size_t)bytes, cudaMemcpyHostToDevice, c->g->list));
			TRY(cudaEventRecord(c->g->sent[buffer], c->g->list));
			if (transposed) {
				launch_transpose_lines(c->raw, s->size, copy.rows, lines, c->x + r * s->size, pitch,
						       c->g->list);
				TRY_LAUNCH();
			}
		}
out:
	return status;
}

/* `rows` of `width` elements that lie close on the device, to the host, `step` elements apart: as they are, or as
 * indices. */
static knng_status
download(knng_task *task, const claim *c, const void *from, int64_t size, void *values, double *index, int64_t rows,
	 int64_t width, int64_t step, int device, knng_err *err)
{
	knng_status status = KNNG_OK;
	const int64_t most = BUFFER_BYTES / size, piece = smaller(width, most), high = most / piece;
	for (int64_t r = 0; r < rows; r += high)
		for (int64_t e = 0; e < width; e += piece) {
			copying copy = {c->pinned[0], NULL, NULL, smaller(high, rows - r), smaller(piece, width - e),
					piece,        step, size};
			if (index != NULL)
				copy.index = index + r * step + e;
			else
				copy.to = (char *)values + (r * step + e) * size;
			int64_t bytes = ((copy.rows - 1) * width + copy.width) * size;
			TRY(cudaMemcpyAsync(c->pinned[0], (const char *)from + (r * width + e) * size, (size_t)bytes,
					    cudaMemcpyDeviceToHost, c->g->list));
			TRY(cudaStreamSynchronize(c->g->list));
			status = copy_on_host(task, copy, err);
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
aim(const claim *c, selecting *f, int level)
{
	const bool last = parts_of(f->n, f->length) == 1;
	f->values = c->values[level % STEPS];
	f->index = c->index[level % STEPS];
	f->line_step = !last ? up_to(answers(f->n, f->length, f->k), c->grain) : c->s->inner > 1 ? 1 : f->k;
	f->rank_step = last && c->s->inner > 1 ? f->lines : 1;
}

/* From some lines' elements to their answers, which *values and *index get to know. */
static knng_status
select_lines(knng_task *task, claim *c, int64_t line, int64_t lines, const void **values, const uint32_t **index,
	     int device, knng_err *err)
{
	const knng_topk *s = c->s;
	knng_status status = KNNG_OK;
	selecting f = c->first;
	int level = 0;
	f.lines = lines;
	aim(c, &f, level);
	for (int64_t from = 0; from < s->n; from += c->chunk) {
		selecting part = f;
		part.n = smaller(c->chunk, s->n - from);
		part.first = from;
		part.values = (char *)f.values + from / f.length * f.k * s->size;
		part.index = f.index + from / f.length * f.k;
		status = upload(task, c, line, lines, from, part.n, device, err);
		if (status != KNNG_OK)
			goto out;
		if (c->sorted)
			TRY(launch_sort(part, &c->sort, c->g->list));
		else
			TRY(launch_select(part, c->g->list));
	}
	while (parts_of(f.n, f.length) > 1) {
		f.x = f.values;
		f.places = f.index;
		f.pitch = f.line_step;
		f.n = answers(f.n, f.length, f.k);
		f.length = part_length(f.n, c->grain);
		aim(c, &f, ++level);
		TRY(launch_select(f, c->g->list));
	}
	*values = f.values;
	*index = f.index;
out:
	return status;
}

/* ---------------------------------------------------------------- memory */

/* How many elements of answers a line has, on the first two levels. */
static void
size_answers(claim *c)
{
	const int64_t k = c->s->k;
	int64_t n = c->s->n, length = c->first.length;
	c->out[0] = k;
	c->out[1] = 0;
	for (int step = 0; step < STEPS && parts_of(n, length) > 1; step++) {
		n = answers(n, length, k);
		length = part_length(n, c->grain);
		c->out[step] = up_to(n, c->grain);
		if (step + 1 < STEPS)
			c->out[step + 1] = k;
	}
}

/* Chooses how many lines are worked on together and how much of them is on the device at once, where that has `free`
 * bytes. False: not even one fits. */
static bool
fit_lines(claim *c, double free)
{
	const knng_topk *s = c->s;
	const int64_t n = s->n, size = s->size, together = s->inner > 1 ? s->inner : s->outer;
	const int64_t room = (int64_t)fmin((double)ARENA, free - 512e6);
	c->grain = 16 / size;
	c->sorted = s->k > SELECT_MOST;
	c->first.length = c->sorted ? up_to(n, c->grain) : part_length(n, c->grain);
	size_answers(c);
	const int64_t whole = up_to(n, c->grain) * size, parts = parts_of(n, c->first.length);
	const int64_t a_line = (c->out[0] + c->out[1]) * (size + 4) +
			       (c->sorted ? n * (2 * select_key_bytes(c->first.kind) + 8) + 8 : 0);
	const int64_t fixed = (s->inner > 1 ? BUFFER_BYTES : 0) + (c->sorted ? SORT_SPACE : 0) + 64 * 256;
	const int64_t most = smaller(AT_ONCE, room / (c->sorted ? 8 : 4));
	/* Narrower blocks of rows would be read a cache line for a few elements. */
	const int64_t least = c->sorted ? 0 : s->inner > 1 ? smaller(LANE_BYTES / size, s->inner) : 1;
	int64_t lines = smaller(most / whole > least ? most / whole : least, together);
	if (s->inner > 1)
		lines = smaller(lines, BUFFER_BYTES / (size * (n < 32 ? n : 32)));
	lines = smaller(smaller(lines, (room - fixed - most) / a_line), INT32_MAX / parts);
	if (room < LEAST || lines < 1 || n > INT32_MAX)
		return false;
	c->lines = lines;
	c->chunk = lines * whole <= most ? n : most / (lines * c->first.length * size) * c->first.length;
	c->first.pitch = up_to(c->chunk, c->grain);
	c->bytes = lines * c->first.pitch * size + fixed + lines * a_line;
	return true;
}

static knng_status
claim_memory(claim *c, int device, knng_err *err)
{
	const int64_t size = c->s->size;
	knng_status status = device_open(device, c->bytes, INT64_MAX, err);
	if (status == KNNG_OK)
		status = buffers_open(c->pinned, device, err);
	if (status != KNNG_OK)
		return status;
	c->g = device_session(device);
	c->first.x = c->x = (char *)device_carve(c->g, c->lines * c->first.pitch * size);
	if (c->s->inner > 1)
		c->raw = (char *)device_carve(c->g, BUFFER_BYTES);
	for (int i = 0; i < STEPS; i++) {
		c->values[i] = device_carve(c->g, c->lines * c->out[i] * size);
		c->index[i] = (uint32_t *)device_carve(c->g, c->lines * c->out[i] * 4);
	}
	return KNNG_OK;
}

/* Also the memory in which lines are sorted; the sort without temporary space only says how much of that it takes. */
static knng_status
claim_sort(claim *c, int device, knng_err *err)
{
	const int64_t elements = c->lines * c->s->n;
	selecting f = c->first;
	knng_status status = KNNG_OK;
	for (int i = 0; i < 2; i++) {
		c->sort.keys[i] = device_carve(c->g, elements * select_key_bytes(f.kind));
		c->sort.places[i] = (uint32_t *)device_carve(c->g, elements * 4);
	}
	c->sort.offsets = (int64_t *)device_carve(c->g, (c->lines + 1) * 8);
	f.lines = c->lines;
	TRY(launch_sort(f, &c->sort, c->g->list));
	if (c->sort.bytes > SORT_SPACE)
		return host->fail(err, KNNG_EDEVICE, "knng:device:memory",
				  "GPU %d has not enough memory to sort vectors of %lld elements", device + 1,
				  (long long)c->s->n);
	c->sort.temporary = device_carve(c->g, SORT_SPACE);
	c->sort.bytes = SORT_SPACE;
out:
	return status;
}

/* Claims the memory for as many lines as are worked on together. */
static knng_status
claim_lines(claim *c, int device, knng_err *err)
{
	knng_device_info info;
	knng_status status = devices_describe(device, &info, err);
	if (status != KNNG_OK)
		return status;
	if (!fit_lines(c, info.free))
		return host->fail(err, KNNG_EDEVICE, "knng:device:memory",
				  "GPU %d has not enough free memory for vectors of %lld elements and k = %lld",
				  device + 1, (long long)c->s->n, (long long)c->s->k);
	status = claim_memory(c, device, err);
	return status == KNNG_OK && c->sorted ? claim_sort(c, device, err) : status;
}

/* ---------------------------------------------------------------- all of it */

knng_status
select_along(knng_task *task, const knng_topk *s, knng_keys_kind kind, uint64_t mask, int device, knng_err *err)
{
	const int64_t all = s->inner * s->outer;
	claim c;
	memset(&c, 0, sizeof c);
	c.s = s;
	c.first.kind = kind;
	c.first.mask = mask;
	c.first.n = s->n;
	c.first.k = s->k;
	knng_status status = claim_lines(&c, device, err);
	for (int64_t line = 0, lines; line < all && status == KNNG_OK; line += lines) {
		const int64_t inner = line % s->inner, outer = line / s->inner;
		lines = smaller(c.lines, s->inner > 1 ? s->inner - inner : s->outer - outer);
		const int64_t rows = s->inner > 1 ? s->k : 1, width = s->inner > 1 ? lines : lines * s->k;
		const int64_t to = outer * s->k * s->inner + inner;
		const void *values = NULL;
		const uint32_t *index = NULL;
		status = select_lines(task, &c, line, lines, &values, &index, device, err);
		if (status == KNNG_OK && s->values != NULL)
			status = download(task, &c, values, s->size, (char *)s->values + to * s->size, NULL, rows,
					  width, s->inner, device, err);
		if (status == KNNG_OK && s->index != NULL)
			status = download(task, &c, index, 4, NULL, s->index + to, rows, width, s->inner, device, err);
	}
	if (c.g != NULL) {
		cudaStreamSynchronize(c.g->list);
		cudaGetLastError();
	}
	return status;
}
