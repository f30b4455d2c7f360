/* pack.h  Numbers and texts as text: packed by gzip, in base64, for pages that carry their own data. */
#ifndef KNNG_PACK_H
#define KNNG_PACK_H

#include "base/knng_base.h"

/* *text, of *length characters without a 0, becomes what `count` elements of `width` bytes each are in base64 of gzip,
 * whose head holds neither a name nor a time; knng_free it. First come the first bytes of all elements, then their
 * second bytes, and so on: gzip packs numbers better so. *text is NULL after an error: knng:memory:host,
 * knng:interrupted. Memory: beside the text what is packed, about `count` * `width` bytes. */
knng_status knng_pack(const knng_task *task, const void *data, int64_t count, int width, char **text, int64_t *length,
		      knng_err *err);

/* Writes `bytes` bytes to a file, which appears when it is whole, as knng_write does; the same errors. */
knng_status knng_write_bytes(const knng_task *task, const char *path, const void *data, int64_t bytes, knng_err *err);

#endif
