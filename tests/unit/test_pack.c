/* test_pack.c  Bytes packed for pages: plain base64 and zlib read them back, whatever their number and width; no head
 * that changes from run to run; failing calls, Ctrl-C. */
#include "base/sys.h"
#include "base/task.h"
#include "io/pack.h"
#include "testing.h"

#include <signal.h>
#include <zlib.h>

/* The bytes that a text of base64 stands for; -1: it is none. */
static int64_t
decode(const char *text, int64_t length, unsigned char *out)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	int64_t bytes = 0;
	for (int64_t i = 0; i < length; i += 4) {
		uint32_t v = 0;
		int pads = 0;
		for (int c = 0; c < 4; c++) {
			const char *at = text[i + c] != '\0' ? strchr(digits, text[i + c]) : NULL;
			pads += text[i + c] == '=';
			if ((at == NULL && text[i + c] != '=') || (pads > 0 && (text[i + c] != '=' || i + 4 < length)))
				return -1;
			v = v << 6 | (at != NULL ? (uint32_t)(at - digits) : 0);
		}
		for (int c = 0; c < 3 - pads; c++)
			out[bytes++] = (unsigned char)(v >> (16 - 8 * c));
	}
	return bytes;
}

/* Whether the text stands for these elements. */
static bool
is_packed(const char *text, int64_t length, const unsigned char *data, int64_t count, int width)
{
	int64_t bytes = count * width;
	unsigned char *packed = room(length, 1), *plain = room(bytes + 1, 1);
	z_stream z = {.next_in = packed, .next_out = plain, .avail_out = (uInt)bytes + 1};
	int64_t have = length % 4 == 0 ? decode(text, length, packed) : -1;
	bool same = have > 18 && memcmp(packed, "\x1f\x8b\x08\0\0\0\0\0", 8) == 0; /* no name, no time */
	z.avail_in = (uInt)(have > 0 ? have : 0);
	same = same && inflateInit2(&z, 16 + MAX_WBITS) == Z_OK && inflate(&z, Z_FINISH) == Z_STREAM_END &&
	       z.avail_in == 0 && (int64_t)z.total_out == bytes;
	for (int64_t i = 0; same && i < count; i++)
		for (int b = 0; b < width; b++)
			same = same && plain[b * count + i] == data[i * width + b];
	inflateEnd(&z);
	free(packed);
	free(plain);
	return same;
}

static const knng_task plain_task;

static unsigned char *
make(int64_t bytes, int kind)
{
	unsigned char *data = room(bytes, 1);
	for (int64_t i = 0; i < bytes; i++)
		data[i] = kind == 0 ? (unsigned char)random_bits() : (unsigned char)(i / 1000);
	return data;
}

static void
test_back(void)
{
	static const int64_t counts[] = {0, 1, 2, 3, 4, 5, 100, 65535, 65536, 65537, 131072};
	for (int width = 1; width <= 8; width++)
		for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
			for (int kind = 0; kind < 2; kind++) {
				knng_err err = {0};
				char *text, *again;
				int64_t length, other;
				unsigned char *data = make(counts[c] * width, kind);
				bool fine =
					knng_pack(&plain_task, data, counts[c], width, &text, &length, &err) == KNNG_OK;
				CHECK(fine && is_packed(text, length, data, counts[c], width),
				      "%lld elements of %d bytes, kind %d", (long long)counts[c], width, kind);
				fine = knng_pack(&plain_task, data, counts[c], width, &again, &other, &err) == KNNG_OK;
				CHECK(fine && other == length && memcmp(text, again, (size_t)length) == 0, "again");
				knng_free(text);
				knng_free(again);
				free(data);
			}
}

/* Looking for the memory that is available may fail, and no harm is done. */
static void
test_failures(void)
{
	unsigned char *data = make(200000, 0);
	int64_t live = knng_sys().live, calls = 1, length, refused = 0;
	for (int64_t n = 0; n <= calls; n++) {
		knng_err err = {0};
		char *text = (char *)data;
		int64_t before = knng_sys().calls;
		knng_sys_fail_at(n);
		knng_status status = knng_pack(&plain_task, data, 100000, 2, &text, &length, &err);
		knng_sys_fail_at(0);
		calls = n == 0 ? knng_sys().calls - before : calls;
		refused += status != KNNG_OK;
		CHECK(status == KNNG_OK
			      ? is_packed(text, length, data, 100000, 2)
			      : status == KNNG_EMEMORY && text == NULL && strcmp(err.id, "knng:memory:host") == 0,
		      "call %lld: %s", (long long)n, err.id);
		knng_free(text);
		CHECK(knng_sys().live == live, "call %lld leaves something", (long long)n);
	}
	CHECK(refused > 4, "%lld of %lld calls", (long long)refused, (long long)calls);
	free(data);
}

static void
test_huge(void)
{
	knng_err err = {0};
	char *text;
	int64_t length;
	CHECK(knng_pack(&plain_task, "", INT64_MAX / 3, 8, &text, &length, &err) == KNNG_EMEMORY && text == NULL,
	      "an overflow");
	CHECK(knng_pack(&plain_task, "", (int64_t)1 << 50, 8, &text, &length, &err) == KNNG_EMEMORY, "no such memory");
}

static void
test_stops(void)
{
	volatile sig_atomic_t stop = 1;
	knng_task task = {.interrupt = &stop};
	knng_err err = {0};
	char *text;
	int64_t length;
	CHECK(knng_pack(&task, "abc", 3, 1, &text, &length, &err) == KNNG_EINTERRUPTED && text == NULL, "Ctrl-C");
	CHECK(knng_write_bytes(&task, "/tmp/knng-test-pack-none", "abc", 3, &err) == KNNG_EINTERRUPTED, "Ctrl-C");
	CHECK(access("/tmp/knng-test-pack-none", F_OK) != 0, "something is left");
}

/* Whether the file holds this text. */
static bool
holds(const char *path, const char *text)
{
	char got[16];
	FILE *f = fopen(path, "r");
	if (f == NULL)
		return false;
	size_t bytes = fread(got, 1, sizeof got, f);
	fclose(f);
	return bytes == strlen(text) && memcmp(got, text, bytes) == 0;
}

static void
test_file(void)
{
	char path[] = "/tmp/knng-test-pack-XXXXXX";
	int64_t live = knng_sys().live;
	int fd = mkstemp(path);
	knng_status status = KNNG_EIO;
	knng_err err = {0};
	CHECK(fd >= 0 && write(fd, "before", 6) == 6, "a file");
	for (int64_t n = 1; status != KNNG_OK && n < 100; n++) {
		CHECK(holds(path, "before"), "what was there is gone");
		knng_sys_fail_at(n);
		status = knng_write_bytes(&plain_task, path, "after", 5, &err);
		knng_sys_fail_at(0);
		CHECK(knng_sys().live == live, "call %lld leaves something", (long long)n);
	}
	CHECK(holds(path, "after"), "what was written");
	close(fd);
	unlink(path);
}

int
main(int argc, char **argv)
{
	PART(back);
	PART(failures);
	PART(huge);
	PART(stops);
	PART(file);
	return summary();
}
