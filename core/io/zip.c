/* zip.c  The list of members of a zip archive, see zip.h.
 *
 * At the end of the file stand the list, an entry for each member, and behind it the end record, which says where the
 * list begins; between the two there are, of zip64, a record with wider numbers and a locator of it. In front of the
 * bytes of each member there is a head. All numbers have their lowest byte first. What has no room in 4 bytes is
 * 0xFFFFFFFF there, and stands in an extra field (zip64). */
#include "io/zip.h"
#include "base/sys.h"
#include "io/matrix_file.h"

#include <stdlib.h>
#include <string.h>

enum {
	END = 22,
	COMMENT = 65535, /* behind the end record at most */
	LOCATOR = 20,
	WIDE_END = 56,
	ENTRY = 46,
	HEAD = 30,
	FLAGS_ENCRYPTED = 1 | 1 << 6 | 1 << 13,
	FLAG_BEHIND = 1 << 3, /* the head has no sizes: they stand behind the bytes, and in the list */
	LIST = 1 << 24,       /* bytes that are read at most */
	RATIO = 1032,         /* deflate never makes less than a byte of so many */
};
static const uint64_t wide = 0xFFFFFFFF;

typedef struct {
	const char *path;
	knng_store *store;
	int64_t at, bytes, count; /* of the list */
	unsigned char *list;
	unsigned char *head; /* of a member */
} archive;

static knng_status
fail(const archive *a, const char *what, knng_err *err)
{
	return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s %s", a->path, what);
}

static knng_status
fail_damaged(const archive *a, const char *what, knng_err *err)
{
	return knng_fail(err, KNNG_EIO, "knng:io:format",
			 "%.200s is damaged: %s; copy it or download it again, or save it anew", a->path, what);
}

static uint64_t
get(const unsigned char *at, int bytes)
{
	uint64_t value = 0;
	for (int b = bytes - 1; b >= 0; b--)
		value = value << 8 | at[b];
	return value;
}

/* ---- where the list is ---- */

/* The end record is the last in the file that a comment of as many bytes follows as it says. */
static knng_status
find_end(const archive *a, unsigned char end[END], int64_t *at, knng_err *err)
{
	int64_t size = knng_store_size(a->store), tail = size < END + COMMENT ? size : END + COMMENT;
	*at = -1;
	if (tail < END)
		return fail(a, "is no zip archive, as numpy.savez writes it", err);
	unsigned char *bytes = knng_alloc(tail, 1);
	if (bytes == NULL)
		return knng_fail_memory(err, "an archive", (double)tail);
	knng_status status = knng_matrix_head(a->path, a->store, size - tail, bytes, tail, err);
	for (int64_t i = tail - END; status == KNNG_OK && i >= 0 && *at < 0; i--)
		if (memcmp(bytes + i, "PK\5\6", 4) == 0 && i + END + (int64_t)get(bytes + i + 20, 2) == tail) {
			memcpy(end, bytes + i, END);
			*at = size - tail + i;
		}
	bool begins = status == KNNG_OK && tail == size && memcmp(bytes, "PK", 2) == 0;
	knng_free(bytes);
	if (status == KNNG_OK && *at < 0 && tail < size) {
		char start[2];
		status = knng_matrix_head(a->path, a->store, 0, start, sizeof start, err);
		begins = status == KNNG_OK && memcmp(start, "PK", 2) == 0;
	}
	if (status != KNNG_OK || *at >= 0)
		return status;
	return begins ? knng_fail(err, KNNG_EIO, "knng:io:truncated",
				  "%.200s is cut off: a zip archive ends in a list of its members, which is not there",
				  a->path)
		      : fail(a, "is no zip archive, as numpy.savez writes it", err);
}

/* Whether the end record says the same as that of zip64, as far as it has room for it. */
static bool
agrees(const unsigned char *end, int bytes, uint64_t value)
{
	uint64_t said = get(end, bytes);
	return said == value || said == (bytes == 2 ? 0xFFFF : wide);
}

static knng_status
find_list(archive *a, knng_err *err)
{
	unsigned char end[END], locator[LOCATOR], more[WIDE_END];
	int64_t at;
	knng_status status = find_end(a, end, &at, err);
	if (status != KNNG_OK)
		return status;
	uint64_t disk = get(end + 4, 2), its_disk = get(end + 6, 2), here = get(end + 8, 2), count = get(end + 10, 2),
		 bytes = get(end + 12, 4), begin = get(end + 16, 4);
	bool beside = false;
	if (at >= LOCATOR + WIDE_END) {
		status = knng_matrix_head(a->path, a->store, at - LOCATOR, locator, LOCATOR, err);
		beside = status == KNNG_OK && memcmp(locator, "PK\6\7", 4) == 0;
	}
	if (beside) {
		at -= LOCATOR + WIDE_END;
		status = knng_matrix_head(a->path, a->store, at, more, WIDE_END, err);
		if (status == KNNG_OK &&
		    (get(locator + 8, 8) != (uint64_t)at || memcmp(more, "PK\6\6", 4) != 0 ||
		     get(more + 4, 8) != WIDE_END - 12 || !agrees(end + 10, 2, get(more + 32, 8)) ||
		     !agrees(end + 12, 4, get(more + 40, 8)) || !agrees(end + 16, 4, get(more + 48, 8))))
			status = fail_damaged(a, "its end does not say where the list of members is", err);
		disk = get(more + 16, 4);
		its_disk = get(more + 20, 4);
		here = get(more + 24, 8);
		count = get(more + 32, 8);
		bytes = get(more + 40, 8);
		begin = get(more + 48, 8);
	}
	if (status != KNNG_OK)
		return status;
	if (disk != 0 || its_disk != 0 || here != count)
		return fail(a, "is one part of an archive in several: put it together in one file", err);
	if (bytes > (uint64_t)at || begin != (uint64_t)at - bytes || count > bytes / ENTRY)
		return fail_damaged(a, "the list of its members is not where its end says", err);
	if (bytes > LIST)
		return fail(a, "has more members than are read: save fewer arrays in a file", err);
	a->at = (int64_t)begin;
	a->bytes = (int64_t)bytes;
	a->count = (int64_t)count;
	return KNNG_OK;
}

/* ---- one member ---- */

/* Numbers that have no room in 4 bytes, from the extra fields, which have them in this order. */
static bool
widen(const unsigned char *extra, int64_t bytes, uint64_t *const *values, int count)
{
	bool needed = false;
	for (int v = 0; v < count; v++)
		needed |= *values[v] == wide;
	for (int64_t at = 0; bytes - at >= 4;) {
		uint64_t kind = get(extra + at, 2);
		int64_t length = (int64_t)get(extra + at + 2, 2), from = at + 4;
		at = from + length;
		if (at > bytes)
			return false;
		if (kind != 1 || !needed)
			continue;
		needed = false;
		for (int v = 0; v < count; v++) {
			if (*values[v] != wide)
				continue;
			if (at - from < 8)
				return false;
			*values[v] = get(extra + from, 8);
			from += 8;
		}
	}
	return !needed;
}

/* What stands in front of the bytes of a member: it says what the list says, and where they begin. */
static knng_status
check_head(const archive *a, knng_zip_member *m, int flags, knng_err *err)
{
	static const char off[] = "a member is not where the list of its members says";
	const unsigned char *h = a->head;
	if (m->head > a->at - HEAD)
		return fail_damaged(a, off, err);
	knng_status status = knng_matrix_head(a->path, a->store, m->head, a->head, HEAD, err);
	if (status != KNNG_OK)
		return status;
	int64_t name = (int64_t)get(h + 26, 2), extra = (int64_t)get(h + 28, 2);
	uint64_t own = get(h + 6, 2), method = get(h + 8, 2), crc = get(h + 14, 4), packed = get(h + 18, 4),
		 size = get(h + 22, 4), *const values[] = {&size, &packed};
	m->at = m->head + HEAD + name + extra;
	if (memcmp(h, "PK\3\4", 4) != 0 || m->at > a->at || m->packed > a->at - m->at)
		return fail_damaged(a, off, err);
	status = knng_matrix_head(a->path, a->store, m->head + HEAD, a->head, name + extra, err);
	if (status != KNNG_OK)
		return status;
	bool same = (size_t)name == strlen(m->name) && memcmp(a->head, m->name, (size_t)name) == 0 &&
		    (int)method == m->method && ((own ^ (uint64_t)flags) & (FLAGS_ENCRYPTED | FLAG_BEHIND)) == 0;
	if (same && (flags & FLAG_BEHIND) == 0)
		same = widen(a->head + name, extra, values, 2) && crc == m->crc && packed == (uint64_t)m->packed &&
		       size == (uint64_t)m->size;
	return same ? KNNG_OK : fail_damaged(a, "a member and the list of members disagree", err);
}

/* The entry at *at, which moves behind it; the name goes to *name, which does so, too. */
static knng_status
take_entry(const archive *a, int64_t *at, char **name, knng_zip_member *m, knng_err *err)
{
	static const char damaged[] = "its list of members makes no sense";
	const unsigned char *e = a->list + *at;
	int64_t left = a->bytes - *at;
	if (left < ENTRY || memcmp(e, "PK\1\2", 4) != 0)
		return fail_damaged(a, damaged, err);
	int flags = (int)get(e + 8, 2);
	int64_t length = (int64_t)get(e + 28, 2), extra = (int64_t)get(e + 30, 2),
		all = ENTRY + length + extra + (int64_t)get(e + 32, 2);
	uint64_t packed = get(e + 20, 4), size = get(e + 24, 4),
		 head = get(e + 42, 4), *const values[] = {&size, &packed, &head};
	if (left < all || length == 0 || memchr(e + ENTRY, '\0', (size_t)length) != NULL || get(e + 34, 2) != 0 ||
	    !widen(e + ENTRY + length, extra, values, 3) || packed > INT64_MAX || size > INT64_MAX || head > INT64_MAX)
		return fail_damaged(a, damaged, err);
	*m = (knng_zip_member){.name = *name,
			       .method = (int)get(e + 10, 2),
			       .encrypted = (flags & FLAGS_ENCRYPTED) != 0,
			       .crc = (uint32_t)get(e + 16, 4),
			       .packed = (int64_t)packed,
			       .size = (int64_t)size,
			       .head = (int64_t)head};
	memcpy(*name, e + ENTRY, (size_t)length);
	(*name)[length] = '\0';
	*name += length + 1;
	*at += all;
	if (!m->encrypted && ((m->method == KNNG_ZIP_STORED && m->size != m->packed) ||
			      (m->method == KNNG_ZIP_DEFLATED && m->size / RATIO > m->packed)))
		return fail_damaged(a, "the sizes of a member make no sense", err);
	return check_head(a, m, flags, err);
}

/* ---- all of them ---- */

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const knng_zip_member *)a)->name, ((const knng_zip_member *)b)->name);
}

static int
by_place(const void *a, const void *b)
{
	const knng_zip_member *x = a, *y = b;
	return (x->head > y->head) - (x->head < y->head);
}

static knng_status
take_list(const archive *a, knng_zip *zip, knng_err *err)
{
	int64_t at = 0;
	char *name = zip->names;
	for (zip->count = 0; zip->count < a->count; zip->count++) {
		knng_status status = take_entry(a, &at, &name, &zip->members[zip->count], err);
		if (status != KNNG_OK)
			return status;
	}
	if (at != a->bytes)
		return fail_damaged(a, "its list of members makes no sense", err);
	knng_zip_member *m = zip->members;
	qsort(m, (size_t)zip->count, sizeof *m, by_name);
	for (int64_t i = 1; i < zip->count; i++)
		if (strcmp(m[i - 1].name, m[i].name) == 0)
			return knng_fail(err, KNNG_EIO, "knng:io:format",
					 "%.200s has two members that are called %.100s: save each under a name of its "
					 "own",
					 a->path, m[i].name);
	qsort(m, (size_t)zip->count, sizeof *m, by_place);
	for (int64_t i = 1; i < zip->count; i++)
		if (m[i].head - m[i - 1].at < m[i - 1].packed)
			return fail_damaged(a, "two members share bytes", err);
	return KNNG_OK;
}

knng_status
knng_zip_open(knng_zip *zip, const char *path, knng_store *s, knng_err *err)
{
	archive a = {.path = path, .store = s};
	*zip = (knng_zip){0};
	knng_status status = find_list(&a, err);
	if (status != KNNG_OK)
		return status;
	a.list = knng_alloc(a.bytes + 1, 1);
	a.head = knng_alloc(2 * (COMMENT + 1), 1);
	zip->names = knng_alloc(a.bytes + 1, 1); /* an entry has more bytes beside its name than a NUL */
	zip->members = knng_calloc(a.count + 1, sizeof *zip->members);
	if (a.list == NULL || a.head == NULL || zip->names == NULL || zip->members == NULL)
		status = knng_fail_memory(err, "an archive", 2.0 * (double)a.bytes);
	if (status == KNNG_OK)
		status = knng_matrix_head(path, s, a.at, a.list, a.bytes, err);
	if (status == KNNG_OK)
		status = take_list(&a, zip, err);
	knng_free(a.list);
	knng_free(a.head);
	return status;
}

void
knng_zip_close(knng_zip *zip)
{
	knng_free(zip->members);
	knng_free(zip->names);
	*zip = (knng_zip){0};
}
