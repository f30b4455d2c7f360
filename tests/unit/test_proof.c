/* test_proof.c  What is said of a graph afterwards: its checksum against published vectors and its definition, and
 * knng_verify against the oracle, which it must agree with, and against tables with one error, which it must find;
 * duplicates against comparing all pairs. */
#include "base/sha256.h"
#include "base/sys.h"
#include "knng.h"
#include "oracle.h"
#include "rows/duplicates.h"
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
	CHECK(knng_hash(&(knng_task){0}, &rows, M, K, hex, &err) == KNNG_OK && strcmp(hex, want) == 0, "%s", err.text);
	CHECK(knng_hash(&(knng_task){0}, &columns, M, K, hex, &err) == KNNG_OK && strcmp(hex, want) == 0, "%s",
	      err.text);
	dist[7] = nextafter(dist[7], 9);
	CHECK(knng_hash(&(knng_task){0}, &rows, M, K, hex, &err) == KNNG_OK && strcmp(hex, want) != 0,
	      "a bit is missed");
	column_idx[9] = 2.5;
	CHECK(knng_hash(&(knng_task){0}, &columns, M, K, hex, &err) == KNNG_EARGS &&
		      strcmp(err.id, "knng:args:idx") == 0,
	      "%s", err.id);
	volatile sig_atomic_t stop = 1;
	int64_t live = knng_sys().live;
	CHECK(knng_hash(&(knng_task){.interrupt = &stop}, &rows, M, K, hex, &err) == KNNG_EINTERRUPTED, "%s", err.id);
	knng_sys_fail_at(1);
	CHECK(knng_hash(&(knng_task){0}, &rows, M, K, hex, &err) == KNNG_EMEMORY, "%s", err.id);
	knng_sys_fail_at(0);
	CHECK(knng_sys().live == live, "memory is left");
}

/* ---------------------------------------------------------------- verify */

/* n x d, in which everything happens: ties, equal rows, constant and zero rows, NaN and Inf, subnormals and giants. */
static double *
make_rows(int64_t n, int64_t d)
{
	double *x = room(n * d, sizeof *x);
	for (int64_t i = 0; i < n; i++) {
		int64_t kind = random_below(16), other = i > 0 ? random_below(i) : 0;
		for (int64_t j = 0; j < d; j++)
			x[i * d + j] = kind == 0 && i > 0              ? x[other * d + j]
				       : kind == 1                     ? 2.5
				       : kind == 2                     ? -0.0
				       : kind == 3 && j == d - 1       ? NAN
				       : kind == 4 && j == 0           ? -INFINITY
				       : kind == 5                     ? 5e-324 * (double)random_below(9)
				       : kind == 6                     ? 1e308 * random_normal()
				       : kind < 12 && random_below(20) ? (double)random_below(4)
								       : random_normal();
	}
	return x;
}

typedef struct {
	int64_t n, d, m, k, width; /* m = 0: a graph */
	double *X, *Y, *dist;      /* the oracle's */
	int64_t *idx;
	float *X32;
	knng_question asked;
	knng_task task;
} question;

static void
ask(question *q, const char *metric, bool single, int threads, int64_t n, int64_t d, int64_t m, int64_t k)
{
	knng_err err = {0};
	*q = (question){.n = n, .d = d, .m = m, .k = k, .width = oracle_width(n, m == 0, k)};
	q->X = make_rows(n, d);
	q->Y = make_rows(m, d);
	q->X32 = room(n * d, sizeof *q->X32);
	for (int64_t i = 0; single && i < n; i++)
		for (int64_t j = 0; j < d; j++) { /* column-major, as a gateway has it */
			q->X32[j * n + i] = (float)q->X[i * d + j];
			q->X[i * d + j] = q->X32[j * n + i];
		}
	int64_t rows = m ? m : n;
	q->idx = room(rows * q->width, sizeof *q->idx);
	q->dist = room(rows * q->width, sizeof *q->dist);
	if (oracle_knn(metric, single, n, d, q->X, m, m ? q->Y : NULL, k, q->idx, q->dist) != 0)
		abort();
	knng_matrix X = {.n = n, .d = d, .data = q->X, .row_stride = d, .col_stride = 1};
	if (single)
		X = (knng_matrix){.n = n, .d = d, .data = q->X32, .type = KNNG_F32, .row_stride = 1, .col_stride = n};
	knng_matrix Y = {.n = m, .d = d, .data = q->Y, .row_stride = d, .col_stride = 1};
	q->task = (knng_task){.threads = threads};
	CHECK(knng_ask(&q->asked, &X, m ? &Y : NULL, metric, k, &err) == KNNG_OK, "%s", err.text);
}

static void
forget(question *q)
{
	free(q->X);
	free(q->Y);
	free(q->X32);
	free(q->idx);
	free(q->dist);
}

static knng_output
table_of(const question *q)
{
	return (knng_output){
		.idx = q->idx, .idx_type = KNNG_I64, .dist = q->dist, .row_stride = q->width, .col_stride = 1};
}

/* Every metric there is: the oracle's answer is right in form and in every row. */
static void
test_right(void)
{
	static const int64_t sizes[][4] = {/* n, d, m, k */
					   {2, 1, 0, 1},   {9, 7, 0, 8},    {63, 8, 0, 5}, {130, 17, 0, 129},
					   {70, 9, 3, 70}, {200, 3, 90, 4}, {5, 40, 1, 9}, {90, 700, 0, 3}};
	for (int i = 0; knng_metric_name(i) != NULL; i++) {
		int known = 0;
		while (oracle_metric_name(known) != NULL && strcmp(oracle_metric_name(known), knng_metric_name(i)) != 0)
			known++;
		CHECK(oracle_metric_name(known) != NULL, "tests/oracle.c has no metric %s", knng_metric_name(i));
		if (oracle_metric_name(known) == NULL)
			continue;
		for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
			for (int single = 0; single < 2; single++) {
				question q;
				knng_proof proof;
				knng_err err = {0};
				ask(&q, knng_metric_name(i), single, 1 + (int)s % 3, sizes[s][0], sizes[s][1],
				    sizes[s][2], sizes[s][3]);
				knng_output table = table_of(&q);
				knng_status status = knng_verify(&q.task, &q.asked, &table, INT64_MAX, 0, &proof, &err);
				CHECK(status == KNNG_OK && proof.nmalformed == 0 && proof.different == 0 &&
					      proof.checked == q.asked.m,
				      "%s, n %lld, single %d: %s%s, %lld rows differ", knng_metric_name(i),
				      (long long)q.n, single, err.text, proof.why ? proof.why : "",
				      (long long)proof.different);
				for (int64_t e = 0; status == KNNG_OK && e < q.asked.m * q.width; e++)
					if (proof.idx[e] != q.idx[e] + 1)
						status = KNNG_EARGS;
				CHECK(status == KNNG_OK, "what is said to be right is not");
				knng_proof_free(&proof);
				forget(&q);
			}
	}
}

/* Many blocks of references, and a sample of the rows. */
static void
test_blocks(void)
{
	question q;
	knng_proof proof = {0};
	knng_err err = {0};
	ask(&q, "sqeuclidean", false, 4, 9001, 2, 40, 50);
	knng_output table = table_of(&q);
	CHECK(knng_verify(&q.task, &q.asked, &table, INT64_MAX, 1, &proof, &err) == KNNG_OK && proof.different == 0,
	      "%s", err.text);
	knng_proof_free(&proof);
	CHECK(knng_verify(&q.task, &q.asked, &table, 7, 1, &proof, &err) == KNNG_OK && proof.checked == 7, "%s",
	      err.text);
	for (int64_t c = 1; c < 7; c++)
		CHECK(proof.row[c] > proof.row[c - 1] && proof.row[c] < 40, "row %lld", (long long)proof.row[c]);
	knng_proof_free(&proof);
	knng_proof_free(&proof);
	forget(&q);
}

/* One error anywhere is found, and it alone. */
static void
test_wrong(void)
{
	question q;
	knng_err err = {0};
	ask(&q, "euclidean", false, 2, 61, 5, 0, 6);
	knng_output table = table_of(&q);
	for (int64_t e = 0; e < q.n * q.width; e++) {
		knng_proof proof;
		int64_t row = e / q.width, was = q.idx[e], kind = random_below(3);
		double had = q.dist[e];
		uint64_t bits = bits_of(had) ^ 1; /* a last bit; of a NaN another index */
		if (kind == 0 || isnan(had))
			q.idx[e] = was == -1 ? 3 : (was + 1) % q.n;
		else if (kind == 1)
			memcpy(&q.dist[e], &bits, sizeof bits);
		else
			q.dist[e] = NAN;
		CHECK(knng_verify(&q.task, &q.asked, &table, q.n, 0, &proof, &err) == KNNG_OK, "%s", err.text);
		CHECK(proof.different == 1 && proof.differs[row] && proof.nmalformed == proof.malformed[row],
		      "element %lld, kind %lld: %lld differ, %lld malformed", (long long)e, (long long)kind,
		      (long long)proof.different, (long long)proof.nmalformed);
		knng_proof_free(&proof);
		q.idx[e] = was;
		q.dist[e] = had;
	}
	forget(&q);
}

/* Ctrl-C, and every allocation that fails, end it with nothing left. */
static void
test_ends(void)
{
	volatile sig_atomic_t stop = 1;
	question q;
	knng_proof proof;
	knng_err err = {0};
	ask(&q, "spearman", false, 2, 40, 9, 0, 3);
	knng_output table = table_of(&q);
	int64_t live = knng_sys().live;
	knng_status status = KNNG_EMEMORY;
	int64_t nth = 0;
	while (status == KNNG_EMEMORY && nth < 100) {
		knng_sys_fail_at(++nth);
		status = knng_verify(&q.task, &q.asked, &table, 10, 0, &proof, &err);
		CHECK(status == KNNG_OK || (strcmp(err.id, "knng:memory:host") == 0 && knng_sys().live == live),
		      "call %lld: %s", (long long)nth, err.id);
	}
	knng_sys_fail_at(0);
	CHECK(status == KNNG_OK && nth > 10, "%lld calls", (long long)nth);
	knng_proof_free(&proof);
	q.task.interrupt = &stop;
	CHECK(knng_verify(&q.task, &q.asked, &table, 10, 0, &proof, &err) == KNNG_EINTERRUPTED, "%s", err.id);
	CHECK(knng_sys().live == live, "memory is left");
	forget(&q);
}

/* ---------------------------------------------------------------- duplicates */

/* Rows have one number if and only if their elements are equal; numbers count up; nothing is left behind. */
static void
test_duplicates(void)
{
	static const int64_t sizes[][2] = {{1, 1}, {2, 3}, {63, 2}, {64, 9}, {65, 1}, {400, 8}, {1000, 3}};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		int64_t n = sizes[s][0], d = sizes[s][1], groups = 0, last = 0;
		double *x = make_rows(n, d), *group = room(n, sizeof *group);
		knng_question q;
		knng_err err = {0};
		knng_task task = {.threads = 3};
		knng_matrix X = {.n = n, .d = d, .data = x, .row_stride = d, .col_stride = 1};
		CHECK(knng_ask(&q, &X, NULL, NULL, 1, &err) == KNNG_OK, "%s", err.text);
		CHECK(knng_duplicates(&task, &q.x, q.metric, group, &groups, &err) == KNNG_OK, "%s", err.text);
		bool right = true;
		for (int64_t i = 0; i < n; i++) {
			for (int64_t j = 0; j < i; j++) {
				bool equal = true;
				for (int64_t l = 0; l < d; l++)
					equal = equal && isfinite(x[i * d + l]) && x[i * d + l] == x[j * d + l];
				right = right && equal == (group[i] == group[j]);
			}
			right = right && group[i] >= 1 && group[i] <= (double)last + 1;
			last = group[i] > (double)last ? (int64_t)group[i] : last;
		}
		CHECK(right && last == groups, "%lld rows, %lld groups", (long long)n, (long long)groups);

		volatile sig_atomic_t stop = 1;
		int64_t live = knng_sys().live, nth = 0;
		knng_status status = KNNG_EMEMORY;
		while (status == KNNG_EMEMORY && nth < 100) {
			knng_sys_fail_at(++nth);
			status = knng_duplicates(&task, &q.x, q.metric, group, &groups, &err);
			CHECK((status == KNNG_OK || strcmp(err.id, "knng:memory:host") == 0) && knng_sys().live == live,
			      "call %lld: %s", (long long)nth, err.id);
		}
		knng_sys_fail_at(0);
		CHECK(status == KNNG_OK && groups == last && nth > 5, "%lld calls", (long long)nth);
		task.interrupt = &stop;
		CHECK(knng_duplicates(&task, &q.x, q.metric, group, &groups, &err) == KNNG_EINTERRUPTED &&
			      knng_sys().live == live,
		      "%s", err.id);
		free(x);
		free(group);
	}
}

int
main(void)
{
	test_sha256();
	test_hash();
	test_right();
	test_blocks();
	test_wrong();
	test_ends();
	test_duplicates();
	return summary();
}
