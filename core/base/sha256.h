/* sha256.h  The hash function SHA-256 of FIPS 180-4, fed piece by piece. */
#ifndef KNNG_SHA256_H
#define KNNG_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint32_t h[8];
	uint64_t bytes; /* so far */
	unsigned char rest[64];
} knng_sha256;

void knng_sha256_open(knng_sha256 *s);
void knng_sha256_add(knng_sha256 *s, const void *data, size_t bytes);
/* The digest, as 64 lower-case hexadecimal digits and a 0. */
void knng_sha256_close(knng_sha256 *s, char hex[65]);

#endif
