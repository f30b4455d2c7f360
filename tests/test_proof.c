/* test_proof.c  The checksum of a graph against published vectors and against its definition. */
#include "sha256.h"
#include "sys.h"
#include "testing.h"

static void
digest(const char *text, int64_t times, int64_t piece, char hex[65])
{
	knng_sha256 s;
	int64_t length = (int64_t)strlen(text), total = length * times;
	char *all = room(total, 1);
	for (int64_t i = 0; i < times; i++)
		memcpy(all + i * length, text, (size_t)length);
	knng_sha256_open(&s);
	for (int64_t at = 0; at < total; at += piece)
		knng_sha256_add(&s, all + at, (size_t)(piece < total - at ? piece : total - at));
	knng_sha256_close(&s, hex);
	free(all);
}

/* FIPS 180-4's examples, in pieces of various sizes. */
static void
test_sha256(void)
{
	static const struct {
		const char *text;
		int64_t times;
		const char *hex;
	} vectors[] = {
		{"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
		 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
		{"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmn"
		 "opqrstnopqrstu",
		 1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
		{"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
	};
	static const int64_t pieces[] = {1, 7, 55, 56, 63, 64, 65, 1000, 1 << 20};
	for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++)
		for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
			char hex[65];
			digest(vectors[v].text, vectors[v].times, pieces[p], hex);
			CHECK(strcmp(hex, vectors[v].hex) == 0, "vector %zu in pieces of %lld: %s", v,
			      (long long)pieces[p], hex);
		}
}

/* A table in any layout has the hash of the bytes that knng.h describes. */
static void
test_hash(void)
{
	enum { M = 131, K = 5 };
	static int64_t idx[M * K], bytes[2 + 2 * M * K];
	static double dist[M * K], column_idx[M * K], column_dist[M * K];
	char want[65], hex[65];
	knng_sha256 s;
	knng_err err = {0};
	bytes[0] = M;
	bytes[1] = K;
	for (int64_t i = 0; i < M; i++)
		for (int64_t c = 0; c < K; c++) {
			int64_t j = random_below(M + 1) - 1;
			double d = j < 0 ? -NAN : random_unit();
			uint64_t b = j < 0 ? 0x7ff8000000000000u : bits_of(d);
			idx[i * K + c] = j;
			dist[i * K + c] = d;
			column_idx[c * M + i] = (double)(j + 1);
			column_dist[c * M + i] = d;
			bytes[2 + 2 * K * i + c] = j + 1;
			memcpy(&bytes[2 + 2 * K * i + K + c], &b, 8);
		}
	knng_sha256_open(&s);
	knng_sha256_add(&s, bytes, sizeof bytes);
	knng_sha256_close(&s, want);
	knng_output rows = {.idx = idx, .idx_type = KNNG_I64, .dist = dist, .row_stride = K, .col_stride = 1};
	knng_output columns = {
		.idx = column_idx, .index_base = 1, .dist = column_dist, .row_stride = 1, .col_stride = M};
	CHECK(knng_hash(&rows, M, K, NULL, hex, &err) == KNNG_OK && strcmp(hex, want) == 0, "%s", err.text);
	CHECK(knng_hash(&columns, M, K, NULL, hex, &err) == KNNG_OK && strcmp(hex, want) == 0, "%s", err.text);
	dist[7] = nextafter(dist[7], 9);
	CHECK(knng_hash(&rows, M, K, NULL, hex, &err) == KNNG_OK && strcmp(hex, want) != 0, "a bit is missed");
	column_idx[9] = 2.5;
	CHECK(knng_hash(&columns, M, K, NULL, hex, &err) == KNNG_EARGS && strcmp(err.id, "knng:args:idx") == 0, "%s",
	      err.id);
	volatile sig_atomic_t stop = 1;
	int64_t live = knng_sys().live;
	CHECK(knng_hash(&rows, M, K, &stop, hex, &err) == KNNG_EINTERRUPTED, "%s", err.id);
	knng_sys_fail_at(1);
	CHECK(knng_hash(&rows, M, K, NULL, hex, &err) == KNNG_EMEMORY, "%s", err.id);
	knng_sys_fail_at(0);
	CHECK(knng_sys().live == live, "memory is left");
}

int
main(int argc, char **argv)
{
	(void)argc;
	wait_without_spinning(argv);
	test_sha256();
	test_hash();
	return summary();
}
