/* hash.h  A hash of 64 bits of much data, as fast as memory gives it: enough against chance, and not against intent. */
#ifndef KNNG_HASH_H
#define KNNG_HASH_H

#include "base/sha256.h"

/* Of one part after the other. */
typedef struct {
	knng_sha256 sum;
} knng_hasher;

void knng_hash_open(knng_hasher *h);
void knng_hash_add(knng_hasher *h, const void *data, int64_t bytes);
uint64_t knng_hash_close(knng_hasher *h); /* never 0 */

/* Of one part. */
uint64_t knng_hash_of(const void *data, int64_t bytes);

#endif
