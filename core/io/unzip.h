/* unzip.h  The bytes of a member of a zip archive, as if they lay in a file of their own. */
#ifndef KNNG_UNZIP_H
#define KNNG_UNZIP_H

#include "io/zip.h"

/* path: for messages, and has to live as long, and so has the store. Errors: knng:io:format of what is
 * encrypted, or packed in another way; knng:memory:host. */
typedef struct knng_unzip knng_unzip;
knng_status knng_unzip_open(knng_unzip **u, const char *path, knng_store *s, const knng_zip_member *member,
			    knng_err *err);
void knng_unzip_close(knng_unzip *u); /* NULL is fine */

/* Bytes [at, at + bytes) of the member, which has them. What is deflated is unpacked from the last place before them
 * at which reading stands or can go on: after knng_unzip_check that is no more than a 64th of the member away, or 4 MB
 * if that is more. Some 250 MB/s. Errors: knng:io:open, knng:io:format, knng:interrupted, knng:memory:host. */
knng_status knng_unzip_read(knng_unzip *u, int64_t at, void *to, int64_t bytes, knng_err *err);

/* One pass over all: whether there are as many bytes as the list says, and of its checksum. Errors: those of reading.
 * Memory: knng_unzip_bytes, which grows up to 4 MB. */
knng_status knng_unzip_check(knng_unzip *u, knng_err *err);
double knng_unzip_bytes(const knng_unzip *u);

#endif
