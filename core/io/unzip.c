/* unzip.c  The bytes of a member of a zip archive, see unzip.h.
 *
 * What is deflated can only be unpacked from its beginning on. So the states of unpacking at some places are kept, from
 * which it can go on: zlib copies one, some 40 KB. */
#include "io/unzip.h"
#include "base/sys.h"
#include "base/task.h"
#include "io/matrix_file.h"

#include <string.h>
#include <zlib.h>

enum {
	PIECE = 1 << 16, /* bytes that are read, or looked at, at a time */
	PLACES = 64,     /* at which unpacking can go on, at most, */
	APART = 1 << 22, /* and so many bytes apart at least */
};

/* Where unpacking stands: bytes taken and given. */
typedef struct {
	z_stream z;
	bool live; /* there is something to free */
	int64_t in, out;
} place;

struct knng_unzip {
	const char *path;
	knng_store *store;
	knng_zip_member member; /* its name may be gone */
	int64_t held;           /* bytes, with what zlib has claimed */
	place now;              /* its input is in the piece, what is left of it */
	bool ended;             /* the stream has */
	place kept[PLACES];
	int count;
	int64_t apart; /* bytes from one of them to the next */
	unsigned char piece[PIECE], skipped[PIECE];
};

/* What zlib claims, with its size in front. */
enum { FRONT = 64 };

static voidpf
claim(voidpf of, uInt items, uInt size)
{
	knng_unzip *u = of;
	int64_t bytes = FRONT + (int64_t)items * size;
	char *p = knng_alloc(bytes, 1);
	if (p == NULL)
		return NULL;
	memcpy(p, &bytes, sizeof bytes);
	u->held += bytes;
	return p + FRONT;
}

static void
give_back(voidpf of, voidpf claimed)
{
	knng_unzip *u = of;
	char *p = (char *)claimed - FRONT;
	int64_t bytes;
	memcpy(&bytes, p, sizeof bytes);
	u->held -= bytes;
	knng_free(p);
}

static knng_status
fail_damaged(const knng_unzip *u, const char *what, knng_err *err)
{
	return knng_fail(err, KNNG_EIO, "knng:io:format",
			 "%.200s is damaged: %s; copy it or download it again, or "
			 "save it anew",
			 u->path, what);
}

static knng_status
fail_memory(knng_err *err)
{
	return knng_fail_memory(err, "unpacking a file", 1 << 16);
}

static void
drop(place *p)
{
	if (p->live)
		inflateEnd(&p->z);
	*p = (place){0};
}

knng_status
knng_unzip_open(knng_unzip **unzip, const char *path, knng_store *s, const knng_zip_member *member, knng_err *err)
{
	*unzip = NULL;
	if (member->encrypted)
		return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s is encrypted: save it without a password",
				 path);
	if (member->method != KNNG_ZIP_STORED && member->method != KNNG_ZIP_DEFLATED)
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s is packed by method %d: only 0 (stored) and 8 (deflated) are read, as "
				 "numpy.savez and numpy.savez_compressed write",
				 path, member->method);
	knng_unzip *u = knng_calloc(1, sizeof *u);
	if (u == NULL)
		return fail_memory(err);
	u->path = path;
	u->store = s;
	u->member = *member;
	u->held = sizeof *u;
	u->apart = member->size / PLACES < APART ? APART : member->size / PLACES + 1;
	*unzip = u;
	return KNNG_OK;
}

void
knng_unzip_close(knng_unzip *u)
{
	if (u == NULL)
		return;
	drop(&u->now);
	for (int i = 0; i < u->count; i++)
		drop(&u->kept[i]);
	knng_free(u);
}

double
knng_unzip_bytes(const knng_unzip *u)
{
	return (double)u->held;
}

/* ---- unpacking ---- */

/* Keeps where unpacking stands, if it has come so far. */
static knng_status
keep(knng_unzip *u, knng_err *err)
{
	if (u->count == PLACES || u->now.out / u->apart <= u->count)
		return KNNG_OK;
	place *p = &u->kept[u->count];
	*p = u->now;
	p->in -= u->now.z.avail_in; /* the input is read again */
	if (inflateCopy(&p->z, &u->now.z) != Z_OK) {
		*p = (place){0};
		return fail_memory(err);
	}
	u->count++;
	return KNNG_OK;
}

/* To the last place that is not behind `at`, unless reading stands there, or between the two. */
static knng_status
go_to(knng_unzip *u, int64_t at, knng_err *err)
{
	place *from = NULL;
	for (int i = 0; i < u->count && u->kept[i].out <= at; i++)
		from = &u->kept[i];
	if (u->now.live && u->now.out <= at && (from == NULL || from->out <= u->now.out))
		return KNNG_OK;
	drop(&u->now);
	u->ended = false;
	place *now = &u->now; /* zlib does not let a stream be moved */
	now->z = (z_stream){.zalloc = claim, .zfree = give_back, .opaque = u};
	int code = from != NULL ? inflateCopy(&now->z, &from->z) : inflateInit2(&now->z, -MAX_WBITS);
	if (code != Z_OK) {
		*now = (place){0};
		return fail_memory(err);
	}
	now->live = true;
	now->in = from != NULL ? from->in : 0;
	now->out = from != NULL ? from->out : 0;
	now->z.avail_in = 0;
	return KNNG_OK;
}

/* The next piece of what is packed. */
static knng_status
fetch(knng_unzip *u, knng_err *err)
{
	int64_t left = u->member.packed - u->now.in, bytes = left < PIECE ? left : PIECE;
	knng_status status = knng_matrix_head(u->path, u->store, u->member.at + u->now.in, u->piece, bytes, err);
	if (status != KNNG_OK)
		return status;
	u->now.in += bytes;
	u->now.z.next_in = u->piece;
	u->now.z.avail_in = (uInt)bytes;
	return KNNG_OK;
}

/* The next bytes, PIECE at most, or fewer where the stream ends; how many in *got. */
static knng_status
unpack(knng_unzip *u, unsigned char *to, int64_t bytes, int64_t *got, knng_err *err)
{
	z_stream *z = &u->now.z;
	const knng_task *task = knng_store_task(u->store);
	knng_status status = task != NULL ? knng_task_poll(task, err) : KNNG_OK;
	z->next_out = to;
	z->avail_out = (uInt)bytes;
	while (status == KNNG_OK && z->avail_out > 0 && !u->ended) {
		if (z->avail_in == 0 && u->now.in < u->member.packed)
			status = fetch(u, err);
		if (status != KNNG_OK)
			break;
		int code = inflate(z, Z_NO_FLUSH);
		u->ended = code == Z_STREAM_END;
		if (code == Z_MEM_ERROR)
			status = fail_memory(err);
		else if (code != Z_OK && code != Z_STREAM_END)
			status = fail_damaged(u, "what is packed cannot be unpacked", err);
	}
	*got = bytes - z->avail_out;
	u->now.out += *got;
	return status == KNNG_OK ? keep(u, err) : status;
}

static knng_status
inflate_bytes(knng_unzip *u, int64_t at, unsigned char *to, int64_t bytes, knng_err *err)
{
	knng_status status = go_to(u, at, err);
	while (status == KNNG_OK && u->now.out < at + bytes) {
		int64_t skip = at - u->now.out, left = skip > 0 ? skip : at + bytes - u->now.out, got = 0;
		left = left < PIECE ? left : PIECE;
		status = unpack(u, skip > 0 ? u->skipped : to + (u->now.out - at), left, &got, err);
		if (status == KNNG_OK && got < left)
			status = fail_damaged(u, "less is packed in it than its list of members says", err);
	}
	if (status != KNNG_OK)
		drop(&u->now); /* in whatever state it is */
	return status;
}

knng_status
knng_unzip_read(knng_unzip *u, int64_t at, void *to, int64_t bytes, knng_err *err)
{
	if (at < 0 || bytes < 0 || at > u->member.size - bytes)
		return fail_damaged(u, "it is shorter than its head says", err);
	return u->member.method == KNNG_ZIP_STORED
		       ? knng_matrix_head(u->path, u->store, u->member.at + at, to, bytes, err)
		       : inflate_bytes(u, at, to, bytes, err);
}

/* ---- the check ---- */

/* That the stream ends where the member does. */
static knng_status
check_end(knng_unzip *u, knng_err *err)
{
	int64_t got = 0;
	knng_status status = go_to(u, u->member.size, err); /* of nothing that is packed nothing was read */
	if (status == KNNG_OK && !u->ended)
		status = unpack(u, u->skipped, 1, &got, err);
	if (status == KNNG_OK && (got > 0 || !u->ended || u->now.in - u->now.z.avail_in != u->member.packed))
		status = fail_damaged(u, "more is packed in it than its list of members says", err);
	return status;
}

knng_status
knng_unzip_check(knng_unzip *u, knng_err *err)
{
	const knng_zip_member *m = &u->member;
	uLong sum = crc32(0, NULL, 0);
	knng_status status = KNNG_OK;
	unsigned char *bytes = knng_alloc(PIECE, 1);
	if (bytes == NULL)
		return fail_memory(err);
	for (int64_t at = 0; status == KNNG_OK && at < m->size; at += PIECE) {
		int64_t some = m->size - at < PIECE ? m->size - at : PIECE;
		status = knng_unzip_read(u, at, bytes, some, err);
		if (status == KNNG_OK)
			sum = crc32(sum, bytes, (uInt)some);
	}
	if (status == KNNG_OK && m->method == KNNG_ZIP_DEFLATED)
		status = check_end(u, err);
	if (status == KNNG_OK && (uint32_t)sum != m->crc)
		status = fail_damaged(u, "its checksum is not that of its bytes", err);
	knng_free(bytes);
	return status;
}
