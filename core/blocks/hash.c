#include "blocks/hash.h"

#include <stdlib.h>
#include <string.h>

/* Eight lanes of 64 bits take the words in turn, and their ends go into a SHA-256. Every step of a lane is one to one:
 * a word that alone has changed is always seen. */
enum { LANES = 8, STRIPE = LANES * (int)sizeof(uint64_t) };

static void
hash_stripe(uint64_t lanes[LANES], const void *data)
{
	uint64_t words[LANES];
	memcpy(words, data, sizeof words);
	for (int l = 0; l < LANES; l++) {
		lanes[l] = (lanes[l] ^ words[l]) * 0x9e3779b97f4a7c15u;
		lanes[l] ^= lanes[l] >> 32;
	}
}

void
knng_hash_open(knng_hasher *h)
{
	knng_sha256_open(&h->sum);
}

void
knng_hash_add(knng_hasher *h, const void *data, int64_t bytes)
{
	uint64_t lanes[LANES] = {0};
	const unsigned char *part = data;
	unsigned char rest[STRIPE] = {0};
	int64_t whole = bytes / STRIPE * STRIPE;
	for (int64_t at = 0; at < whole; at += STRIPE)
		hash_stripe(lanes, part + at);
	if (whole < bytes)
		memcpy(rest, part + whole, (size_t)(bytes - whole));
	hash_stripe(lanes, rest);
	knng_sha256_add(&h->sum, lanes, sizeof lanes);
	knng_sha256_add(&h->sum, &bytes, sizeof bytes);
}

uint64_t
knng_hash_close(knng_hasher *h)
{
	char hex[65];
	knng_sha256_close(&h->sum, hex);
	hex[16] = '\0';
	uint64_t value = strtoull(hex, NULL, 16);
	return value != 0 ? value : 1;
}

uint64_t
knng_hash_of(const void *data, int64_t bytes)
{
	knng_hasher h;
	knng_hash_open(&h);
	knng_hash_add(&h, data, bytes);
	return knng_hash_close(&h);
}
