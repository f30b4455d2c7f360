#include "io/pack.h"
#include "base/task.h"
#include "io/write.h"

#include <errno.h>
#include <zlib.h>

enum { PIECE = 1 << 16 };

typedef struct {
	const unsigned char *data;
	int64_t count, plane, at; /* the next byte is number `plane` of element `at` */
	int width;
} feed;

static voidpf
take(voidpf of, uInt items, uInt size)
{
	(void)of;
	return knng_alloc((int64_t)items, size);
}

static void
give(voidpf of, voidpf p)
{
	(void)of;
	knng_free(p);
}

/* Fills the piece with the bytes that follow; how many there were. */
static uInt
next_bytes(feed *f, unsigned char *piece)
{
	uInt bytes = 0;
	while (bytes < PIECE && f->plane < f->width) {
		piece[bytes++] = f->data[f->at * f->width + f->plane];
		if (++f->at == f->count) {
			f->at = 0;
			f->plane++;
		}
	}
	return bytes;
}

/* Packs all of f into `out`, which has room for it; the bytes there in *packed. */
static knng_status
deflate_all(const knng_task *task, z_stream *z, feed *f, unsigned char *out, int64_t bound, int64_t *packed,
	    knng_err *err)
{
	unsigned char piece[PIECE];
	int code = Z_OK;
	*packed = 0;
	while (code == Z_OK) {
		knng_status status = knng_task_poll(task, err);
		if (status != KNNG_OK)
			return status;
		z->next_in = piece;
		z->avail_in = next_bytes(f, piece);
		int flush = z->avail_in < PIECE ? Z_FINISH : Z_NO_FLUSH;
		int64_t free = bound - *packed;
		uInt room = (uInt)(free < INT32_MAX ? free : INT32_MAX);
		z->next_out = out + *packed;
		z->avail_out = room;
		code = deflate(z, flush);
		*packed += room - z->avail_out;
	}
	return KNNG_OK;
}

static int64_t
encode(const unsigned char *in, int64_t bytes, char *text)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *to = text;
	for (int64_t i = 0; i < bytes; i += 3) {
		int have = bytes - i < 3 ? (int)(bytes - i) : 3;
		uint32_t v = (uint32_t)in[i] << 16 | (uint32_t)(have > 1 ? in[i + 1] : 0) << 8 |
			     (uint32_t)(have > 2 ? in[i + 2] : 0);
		for (int d = 0; d < 4; d++)
			*to++ = d <= have ? digits[v >> (18 - 6 * d) & 63] : '=';
	}
	return to - text;
}

/* More than deflate ever makes of so many bytes, with the head and the tail of gzip. */
static bool
most_packed(int64_t bytes, int64_t *bound)
{
	if (bytes > INT64_MAX / 4)
		return false;
	*bound = bytes + bytes / 1000 + 4096;
	return true;
}

knng_status
knng_pack(const knng_task *task, const void *data, int64_t count, int width, char **text, int64_t *length,
	  knng_err *err)
{
	int64_t bytes, bound, packed = 0;
	z_stream z = {.zalloc = take, .zfree = give};
	feed f = {.data = data, .count = count, .width = count > 0 ? width : 0};
	*text = NULL;
	*length = 0;
	if (!knng_mul(count, width, 1, &bytes) || !most_packed(bytes, &bound))
		return knng_fail_memory(err, "packing data", (double)count * width);
	knng_status status = knng_afford(3 * (double)bound, "packing data", err);
	if (status != KNNG_OK)
		return status;
	unsigned char *out = knng_alloc(bound, 1);
	if (out == NULL || deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
		knng_free(out);
		return knng_fail_memory(err, "packing data", (double)bound);
	}
	status = deflate_all(task, &z, &f, out, bound, &packed, err);
	deflateEnd(&z);
	if (status == KNNG_OK && (*text = knng_alloc((packed + 2) / 3 * 4, 1)) == NULL)
		status = knng_fail_memory(err, "packing data", 4.0 / 3 * (double)packed);
	if (status == KNNG_OK)
		*length = encode(out, packed, *text);
	knng_free(out);
	return status;
}

/* ---- a file ---- */

typedef struct {
	writer w; /* first, so that a pointer to it is one to all */
	const char *data;
	int64_t bytes;
} whole;

static void
put_whole(writer *w)
{
	const whole *f = (const whole *)w;
	for (int64_t done = 0; done < f->bytes && !knng_put_stopped(w);) {
		int64_t step = f->bytes - done < KNNG_PUT_BUFFER ? f->bytes - done : KNNG_PUT_BUFFER;
		if (knng_out_write(w->out, f->data + done, step) != 0)
			w->failed = errno;
		done += step;
	}
}

knng_status
knng_write_bytes(const knng_task *task, const char *path, const void *data, int64_t bytes, knng_err *err)
{
	whole f = {.w = {.task = *task}, .data = data, .bytes = bytes};
	knng_status status = knng_write_file(&f.w, path, put_whole, err);
	knng_free(f.w.buffer);
	return status;
}
