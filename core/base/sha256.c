#include "base/sha256.h"

#include <string.h>

enum { BLOCK = 64 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t K[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t
rotate(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static void
compress(uint32_t h[8], const unsigned char *data)
{
	uint32_t w[64], v[8];
	for (int t = 0; t < 16; t++)
		w[t] = (uint32_t)data[4 * t] << 24 | (uint32_t)data[4 * t + 1] << 16 | (uint32_t)data[4 * t + 2] << 8 |
		       data[4 * t + 3];
	for (int t = 16; t < 64; t++) {
		uint32_t a = w[t - 15], b = w[t - 2];
		w[t] = w[t - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[t - 7] +
		       (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
	memcpy(v, h, sizeof v);
/* In place of moving the eight registers down by one, every round calls them by other names. */
#define AT(i) v[((i)-t) & 7]
#pragma GCC unroll 8
	for (int t = 0; t < 64; t++) {
		uint32_t a = AT(0), b = AT(1), c = AT(2), e = AT(4), f = AT(5), g = AT(6);
		uint32_t one =
			AT(7) + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + (g ^ (e & (f ^ g))) + K[t] + w[t];
		AT(3) += one;
		AT(7) = one + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) | (c & (a | b)));
	}
#undef AT
	for (int i = 0; i < 8; i++)
		h[i] += v[i];
}

void
knng_sha256_open(knng_sha256 *s)
{
	/* The same of the square roots of the first 8 primes. */
	*s = (knng_sha256){
		.h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void
knng_sha256_add(knng_sha256 *s, const void *data, size_t bytes)
{
	const unsigned char *from = data;
	size_t held = s->bytes % BLOCK;
	s->bytes += bytes;
	if (held > 0) {
		size_t some = bytes < BLOCK - held ? bytes : BLOCK - held;
		memcpy(s->rest + held, from, some);
		if (held + some < BLOCK)
			return;
		compress(s->h, s->rest);
		from += some;
		bytes -= some;
	}
	for (; bytes >= BLOCK; from += BLOCK, bytes -= BLOCK)
		compress(s->h, from);
	memcpy(s->rest, from, bytes);
}

void
knng_sha256_close(knng_sha256 *s, char hex[65])
{
	unsigned char end[BLOCK + 8] = {0x80};
	uint64_t bits = 8 * s->bytes;
	size_t zeros = (BLOCK + 55 - s->bytes % BLOCK) % BLOCK; /* up to 8 bytes before the end of a block */
	for (int i = 0; i < 8; i++)
		end[1 + zeros + (size_t)i] = (unsigned char)(bits >> (56 - 8 * i));
	knng_sha256_add(s, end, 1 + zeros + 8);
	for (int i = 0; i < 64; i++)
		hex[i] = "0123456789abcdef"[s->h[i / 8] >> (28 - i % 8 * 4) & 15];
	hex[64] = 0;
}
