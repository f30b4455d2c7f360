/* zip.h  What a zip archive holds, a file of a disk, and where in it. */
#ifndef KNNG_ZIP_H
#define KNNG_ZIP_H

#include "base/file.h"

enum { KNNG_ZIP_STORED = 0, KNNG_ZIP_DEFLATED = 8 /* methods; others are not read */ };

typedef struct {
	const char *name; /* without a NUL in it */
	int method;
	bool encrypted;
	uint32_t crc;
	int64_t packed, size; /* bytes, as they lie there and unpacked */
	int64_t head, at;     /* where its head begins, and where its bytes do */
} knng_zip_member;

typedef struct {
	int64_t count;
	knng_zip_member *members; /* in the order in which they lie */
	char *names;
} knng_zip;

/* Reads the list of members at the file's end, with or without zip64. Each has to lie within the file, beside all
 * others, with a name of its own, and what stands in front of its bytes has to say the same. Whatever the file says,
 * memory is no more than some times its list, which has 16 MB at most. To be closed, after an error too. Errors:
 * knng:io:format, knng:io:truncated, knng:io:open, knng:interrupted, knng:memory:host. */
knng_status knng_zip_open(knng_zip *zip, const char *path, knng_store *s, knng_err *err);
void knng_zip_close(knng_zip *zip);

#endif
