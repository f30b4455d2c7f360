/* zips.h  Zip archives of arrays of NumPy, written byte by byte, right and wrong ones. */
#ifndef ZIPS_H
#define ZIPS_H

#include "testing.h"

#include <zlib.h>

/* A member, and how it is written: wide: its sizes stand in extra fields (zip64), behind: behind its bytes. */
typedef struct {
	const char *name;
	const void *bytes;
	int64_t size;
	bool deflated, wide, behind;
} zip_part;

/* Where an archive is written, and in it the list of its members and its end. */
typedef struct {
	unsigned char *bytes;
	int64_t size, list, end;
} zip_file;

static inline void
put_le(zip_file *z, uint64_t value, int bytes)
{
	for (int b = 0; b < bytes; b++)
		z->bytes[z->size++] = b < 8 ? (unsigned char)(value >> 8 * b) : 0;
}

static inline void
put_raw(zip_file *z, const void *bytes, int64_t count)
{
	if (count > 0)
		memcpy(z->bytes + z->size, bytes, (size_t)count);
	z->size += count;
}

/* The bytes of a member, packed or not; how many there are then. */
static inline int64_t
put_packed(zip_file *z, const zip_part *p)
{
	if (!p->deflated) {
		put_raw(z, p->bytes, p->size);
		return p->size;
	}
	z_stream s = {0};
	if (deflateInit2(&s, 1, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	s.next_in = (Bytef *)p->bytes;
	s.avail_in = (uInt)p->size;
	s.next_out = z->bytes + z->size;
	s.avail_out = (uInt)(p->size + p->size / 100 + 1000);
	if (deflate(&s, Z_FINISH) != Z_STREAM_END)
		abort();
	int64_t packed = (int64_t)s.total_out;
	deflateEnd(&s);
	z->size += packed;
	return packed;
}

/* Bytes that put_zip may need. */
static inline int64_t
zip_room(const zip_part *parts, int count)
{
	int64_t bytes = 200;
	for (int i = 0; i < count; i++)
		bytes += 1400 + 2 * (int64_t)strlen(parts[i].name) + parts[i].size + parts[i].size / 100;
	return bytes;
}

/* wide: the end is that of zip64. */
static inline void
put_zip(zip_file *z, const zip_part *parts, int count, bool wide)
{
	int64_t heads[8], packed[8];
	uint32_t sums[8];
	if (count > 8)
		abort();
	z->size = 0;
	for (int i = 0; i < count; i++) {
		const zip_part *p = &parts[i];
		int64_t name = (int64_t)strlen(p->name), at = z->size;
		heads[i] = at;
		sums[i] = p->size > 0 ? (uint32_t)crc32(0, p->bytes, (uInt)p->size) : 0;
		z->size += 30 + name + (p->wide ? 20 : 0);
		packed[i] = put_packed(z, p);
		int64_t next = z->size;
		z->size = at;
		put_raw(z, "PK\3\4", 4);
		put_le(z, p->wide ? 45 : 20, 2);
		put_le(z, p->behind ? 8 : 0, 2);
		put_le(z, p->deflated ? 8 : 0, 2);
		put_le(z, 0, 4);
		put_le(z, p->behind ? 0 : sums[i], 4);
		put_le(z, p->wide ? UINT32_MAX : p->behind ? 0 : (uint64_t)packed[i], 4);
		put_le(z, p->wide ? UINT32_MAX : p->behind ? 0 : (uint64_t)p->size, 4);
		put_le(z, (uint64_t)name, 2);
		put_le(z, p->wide ? 20 : 0, 2);
		put_raw(z, p->name, name);
		if (p->wide) {
			put_le(z, 1, 2);
			put_le(z, 16, 2);
			put_le(z, (uint64_t)(p->behind ? 0 : p->size), 8);
			put_le(z, (uint64_t)(p->behind ? 0 : packed[i]), 8);
		}
		z->size = next;
		if (p->behind) {
			put_raw(z, "PK\7\10", 4);
			put_le(z, sums[i], 4);
			put_le(z, (uint64_t)packed[i], p->wide ? 8 : 4);
			put_le(z, (uint64_t)p->size, p->wide ? 8 : 4);
		}
	}
	z->list = z->size;
	for (int i = 0; i < count; i++) {
		const zip_part *p = &parts[i];
		put_raw(z, "PK\1\2", 4);
		put_le(z, 0x314, 2);
		put_le(z, p->wide ? 45 : 20, 2);
		put_le(z, p->behind ? 8 : 0, 2);
		put_le(z, p->deflated ? 8 : 0, 2);
		put_le(z, 0, 4);
		put_le(z, sums[i], 4);
		put_le(z, p->wide ? UINT32_MAX : (uint64_t)packed[i], 4);
		put_le(z, p->wide ? UINT32_MAX : (uint64_t)p->size, 4);
		put_le(z, strlen(p->name), 2);
		put_le(z, p->wide ? 28 + 6 : 0, 2);
		put_le(z, 0, 2 + 2 + 2 + 4);
		put_le(z, p->wide ? UINT32_MAX : (uint64_t)heads[i], 4);
		put_raw(z, p->name, (int64_t)strlen(p->name));
		if (p->wide) {
			put_le(z, 0x7075, 2); /* another field, which means nothing here */
			put_le(z, 2, 2);
			put_le(z, 0, 2);
			put_le(z, 1, 2);
			put_le(z, 24, 2);
			put_le(z, (uint64_t)p->size, 8);
			put_le(z, (uint64_t)packed[i], 8);
			put_le(z, (uint64_t)heads[i], 8);
		}
	}
	int64_t bytes = z->size - z->list, more = z->size;
	if (wide) {
		put_raw(z, "PK\6\6", 4);
		put_le(z, 44, 8);
		put_le(z, 45, 2 + 2);
		put_le(z, 0, 4 + 4);
		put_le(z, (uint64_t)count, 8);
		put_le(z, (uint64_t)count, 8);
		put_le(z, (uint64_t)bytes, 8);
		put_le(z, (uint64_t)z->list, 8);
		put_raw(z, "PK\6\7", 4);
		put_le(z, 0, 4);
		put_le(z, (uint64_t)more, 8);
		put_le(z, 1, 4);
	}
	z->end = z->size;
	put_raw(z, "PK\5\6", 4);
	put_le(z, 0, 4);
	put_le(z, wide ? 0xFFFF : (uint64_t)count, 2);
	put_le(z, wide ? 0xFFFF : (uint64_t)count, 2);
	put_le(z, wide ? UINT32_MAX : (uint64_t)bytes, 4);
	put_le(z, wide ? UINT32_MAX : (uint64_t)z->list, 4);
	put_le(z, 0, 2);
}

/* An array as numpy.save writes it, to be freed; its bytes in *size. data may be NULL: then there are none. */
static inline void *
make_npy(const char *code, bool fortran, const char *shape, const void *data, int64_t bytes, int64_t *size)
{
	char head[300];
	snprintf(head, sizeof head, "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }\n", code,
		 fortran ? "True" : "False", shape);
	int64_t n = (int64_t)strlen(head);
	unsigned char *to = room(10 + n + bytes, 1);
	memcpy(to, "\x93NUMPY\1\0", 8);
	to[8] = (unsigned char)n;
	to[9] = (unsigned char)(n >> 8);
	memcpy(to + 10, head, (size_t)n);
	if (bytes > 0)
		memcpy(to + 10 + n, data, (size_t)bytes);
	*size = 10 + n + bytes;
	return to;
}

#endif
