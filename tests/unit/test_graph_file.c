/* test_graph_file  Files of graphs: the bytes do not depend on how rows come, what is written is what is read, and a
 * name stands for a whole file or for what it stood for before; damaged files of every kind are refused. */
#include "base/sha256.h"
#include "base/sys.h"
#include "io/graph_file.h"
#include "knng.h"
#include "testing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { N = 1500, K = 19 };

static char folder[] = "/tmp/knng-test-graph-XXXXXX";
static knng_task never;
static knng_graph_shape shape = {N, K, KNNG_F64, "cityblock"};
static int32_t *neighbour;
static double *distance;

static const char *
at(const char *name)
{
	static char text[4][PATH_MAX];
	static int next;
	next = (next + 1) % 4;
	snprintf(text[next], sizeof text[next], "%s/%s", folder, name);
	return text[next];
}

static int
files_there(void)
{
	int count = 0;
	DIR *d = opendir(folder);
	while (d != NULL && readdir(d) != NULL)
		count++;
	closedir(d);
	return count - 2;
}

typedef struct {
	unsigned char *data;
	int64_t size;
} bytes;

static bytes
content(const char *path)
{
	bytes b = {NULL, -1};
	struct stat st;
	FILE *f = fopen(path, "rb");
	if (f == NULL)
		return b;
	if (fstat(fileno(f), &st) != 0)
		abort();
	b.size = st.st_size;
	b.data = room(b.size, 1);
	if (fread(b.data, 1, (size_t)b.size, f) != (size_t)b.size)
		abort();
	fclose(f);
	return b;
}

static void
put(const char *path, bytes b)
{
	FILE *f = fopen(path, "wb");
	if (f == NULL || fwrite(b.data, 1, (size_t)b.size, f) != (size_t)b.size || fclose(f) != 0)
		abort();
}

static bool
same(const char *path, bytes b)
{
	bytes other = content(path);
	bool equal = other.size == b.size && b.size >= 0 && memcmp(other.data, b.data, (size_t)b.size) == 0;
	free(other.data);
	return equal;
}

/* Lists with ends of all kinds: rows without neighbours, with some, with all. */
static void
make_lists(void)
{
	neighbour = room(N * K, sizeof *neighbour);
	distance = room(N * K, sizeof *distance);
	for (int64_t i = 0; i < N; i++)
		for (int64_t c = 0; c < K; c++) {
			bool none = i % 50 == 3 || (i % 50 == 4 && c > 4);
			neighbour[i * K + c] = none ? -1 : (int32_t)((i + c + 1) % N);
			distance[i * K + c] = none ? INFINITY : (double)c + random_unit();
		}
}

static knng_status
put_rows(knng_graph_out *g, int64_t first, int64_t end, knng_err *err)
{
	return knng_graph_out_put(g, first, end, neighbour + first * shape.k, distance + first * shape.k, err);
}

static knng_status
write_graph(const char *path, knng_err *err)
{
	knng_graph_out *g;
	knng_status status = knng_graph_out_create(&g, path, &shape, &never, err);
	if (status != KNNG_OK)
		return status;
	status = put_rows(g, 0, shape.n, err);
	knng_status closed = knng_graph_out_done(g, status == KNNG_OK, status == KNNG_OK ? err : NULL);
	return status != KNNG_OK ? status : closed;
}

/* ---- what is written ---- */

static uint32_t
word(const bytes *b, int64_t place)
{
	uint32_t v = 0;
	for (int i = 0; i < 4; i++)
		v |= (uint32_t)b->data[place + i] << 8 * i;
	return v;
}

/* By hand, from graph_file.h: where every number lies. */
static void
test_bytes(void)
{
	for (int t = 0; t < 2; t++) {
		knng_err err = {0};
		shape.type = t == 0 ? KNNG_F64 : KNNG_F32;
		CHECK(write_graph(at("g.h5"), &err) == KNNG_OK, "%s", err.text);
		bytes b = content(at("g.h5"));
		int64_t size = t == 0 ? 8 : 4, dist = 4096 + 4 * N * K, wrong = 0;
		CHECK(b.size == dist + size * N * K, "%lld bytes", (long long)b.size);
		CHECK(memcmp(b.data, "MATLAB 7.3 MAT-file, ", 21) == 0 && memcmp(b.data + 124, "\0\2IM", 4) == 0 &&
			      memcmp(b.data + 512, "\211HDF\r\n\032\n", 8) == 0,
		      "the head");
		for (int64_t i = 0; i < N; i++)
			for (int64_t c = 0; c < K; c++) {
				int64_t place = c * N + i, e = i * K + c;
				float narrow = neighbour[e] < 0 ? NAN : (float)distance[e];
				double wide = neighbour[e] < 0 ? NAN : distance[e];
				uint64_t bits = t == 0 ? bits_of(wide) : 0;
				if (t == 1)
					memcpy(&bits, &narrow, 4);
				wrong += word(&b, 4096 + 4 * place) != (uint32_t)(neighbour[e] + 1);
				wrong += word(&b, dist + size * place) != (uint32_t)bits;
				wrong += t == 0 && word(&b, dist + size * place + 4) != (uint32_t)(bits >> 32);
			}
		CHECK(wrong == 0, "%lld numbers", (long long)wrong);
		free(b.data);
	}
	shape.type = KNNG_F64;
}

/* Rows in pieces, in any order and twice; from several processes. */
static void
test_order(void)
{
	knng_err err = {0};
	char part[PATH_MAX] = "";
	CHECK(write_graph(at("g.h5"), &err) == KNNG_OK, "%s", err.text);
	bytes whole = content(at("g.h5"));
	for (int trial = 0; trial < 20; trial++) {
		knng_graph_out *g;
		if (knng_graph_out_create(&g, at("other.mat"), &shape, NULL, &err) != KNNG_OK)
			abort();
		int64_t size = 1 + random_below(N), parts = (N + size - 1) / size, offset = random_below(parts);
		bool fine = true;
		for (int64_t p = 0; p < parts + parts / 2; p++) {
			int64_t first = (p + offset) % parts * size, end = first + size < N ? first + size : N;
			fine = fine && put_rows(g, first, end, &err) == KNNG_OK;
		}
		fine = fine && knng_graph_out_done(g, true, &err) == KNNG_OK;
		CHECK(fine && same(at("other.mat"), whole), "pieces of %lld rows: %s", (long long)size, err.text);
	}
	unlink(at("other.mat"));
	knng_graph_out *g;
	if (knng_graph_out_create(&g, at("other.mat"), &shape, NULL, &err) != KNNG_OK ||
	    knng_graph_out_part(g, part, &err) != KNNG_OK)
		abort();
	CHECK(part[0] == '/' && access(part, W_OK) == 0 && access(at("other.mat"), F_OK) != 0, "%s", part);
	int64_t held = knng_sys().live;
	for (int64_t child = 0; child < 3; child++)
		if (fork() == 0) {
			knng_graph_out *mine;
			bool fine = knng_graph_out_join(&mine, part, &shape, NULL, NULL) == KNNG_OK &&
				    put_rows(mine, child * N / 3, (child + 1) * N / 3, NULL) == KNNG_OK &&
				    knng_graph_out_done(mine, true, NULL) == KNNG_OK && knng_sys().live == held;
			_exit(!fine);
		}
	int status, fine = 0;
	while (wait(&status) > 0)
		fine += status == 0;
	CHECK(fine == 3 && access(at("other.mat"), F_OK) != 0, "%d processes", fine);
	CHECK(knng_graph_out_done(g, true, &err) == KNNG_OK && same(at("other.mat"), whole), "%s", err.text);
	CHECK(knng_graph_out_join(&g, part, &shape, NULL, &err) == KNNG_EIO && g == NULL, "a file that is gone");
	CHECK(knng_graph_out_join(&g, "/dev/null", &shape, NULL, &err) == KNNG_EIO, "a device");
	unlink(at("other.mat"));
	free(whole.data);
}

/* ---- what a name stands for ---- */

static void
test_names(void)
{
	static const char *const other[] = {"/dev/null", "/dev/stdout", "pipe", "nowhere/g.h5", "."};
	knng_err err = {0};
	struct stat st;
	knng_graph_out *g;
	const bytes foreign = {(unsigned char *)"other data", 10}, none = {(unsigned char *)"", 0};
	int before = files_there();
	CHECK(mkfifo(at("pipe"), 0600) == 0, "no pipe");
	for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
		const char *path = other[i][0] == '/' ? other[i] : at(other[i]);
		CHECK(knng_graph_out_create(&g, path, &shape, &never, &err) == KNNG_EIO && g == NULL &&
			      strcmp(err.id, "knng:io:open") == 0 && strstr(err.text, path) != NULL,
		      "%s: %s", path, err.text);
		CHECK((strstr(err.text, "no pipe or device") != NULL) == (i < 3), "%s: %s", path, err.text);
	}
	unlink(at("pipe"));
	put(at("real"), foreign);
	CHECK(knng_graph_out_create(&g, at("real"), &shape, &never, &err) == KNNG_EIO && g == NULL &&
		      strcmp(err.id, "knng:io:exists") == 0 && strstr(err.text, at("real")) != NULL,
	      "%s", err.text);
	CHECK(same(at("real"), foreign) && files_there() == before + 1, "what is no graph stays");
	put(at("real"), none);
	strcpy(shape.metric, "euclidean");
	CHECK(write_graph(at("real"), &err) == KNNG_OK, "in place of nothing: %s", err.text);
	strcpy(shape.metric, "cityblock");
	bytes old = content(at("real"));
	chmod(at("real"), 0640);
	CHECK(symlink("real", at("link.h5")) == 0, "no link");
	CHECK(knng_graph_out_create(&g, at("link.h5"), &shape, &never, &err) == KNNG_OK, "%s", err.text);
	CHECK(same(at("real"), old), "what is there stays until the end");
	CHECK(put_rows(g, 0, N, &err) == KNNG_OK && knng_graph_out_done(g, true, &err) == KNNG_OK, "%s", err.text);
	CHECK(!same(at("real"), old) && lstat(at("link.h5"), &st) == 0 && S_ISLNK(st.st_mode) &&
		      stat(at("real"), &st) == 0 && (st.st_mode & 0777) == 0640,
	      "through the link, with its rights");
	put(at("real"), old);
	CHECK(knng_graph_out_create(&g, at("real"), &shape, &never, &err) == KNNG_OK &&
		      put_rows(g, 0, N, &err) == KNNG_OK && knng_graph_out_done(g, false, &err) == KNNG_OK,
	      "%s", err.text);
	CHECK(same(at("real"), old) && files_there() == before + 2, "nothing is left of it");
	free(old.data);
	unlink(at("real"));
	unlink(at("link.h5"));
	static const char *const named[] = {"a.h5", "a.HDF5", "/x/y.mat", "a.h5.gz", "h5", ".h5", "a.knn", "a.h5/"};
	for (int i = 0; i < 8; i++)
		CHECK(knng_graph_file_named(named[i]) == (i < 3), "%s", named[i]);
}

/* Whatever call fails there is an error, and nothing is left, neither held nor on the disk. */
static void
test_failures(void)
{
	int64_t live = knng_sys().live, nth = 1;
	int before = files_there();
	strcpy(shape.metric, "euclidean");
	CHECK(write_graph(at("out.h5"), NULL) == KNNG_OK, "another graph");
	strcpy(shape.metric, "cityblock");
	bytes old = content(at("out.h5"));
	for (bool reached = true; reached; nth++) {
		knng_err err = {0};
		int64_t calls = knng_sys().calls;
		knng_sys_fail_at(nth);
		knng_status status = write_graph(at("out.h5"), &err);
		reached = knng_sys().calls - calls >= nth;
		knng_sys_fail_at(0);
		CHECK(reached ? status != KNNG_OK && err.text[0] != 0 && same(at("out.h5"), old)
			      : status == KNNG_OK && !same(at("out.h5"), old),
		      "call %lld: %d, %s", (long long)nth, (int)status, err.text);
		CHECK(knng_sys().live == live && files_there() == before + 1, "call %lld leaves something",
		      (long long)nth);
	}
	CHECK(nth > 40, "%lld calls", (long long)nth);
	free(old.data);
	for (nth = 1;; nth++) {
		knng_err err = {0};
		knng_graph_in *g;
		knng_table_rows table;
		char hex[65];
		int64_t calls = knng_sys().calls;
		knng_sys_fail_at(nth);
		knng_status status = knng_graph_in_open(&g, at("out.h5"), NULL, &err);
		if (status == KNNG_OK && (status = knng_graph_in_table(g, &table, &err)) == KNNG_OK)
			status = knng_hash_rows(&never, &table, N, K, hex, &err);
		bool reached = knng_sys().calls - calls >= nth;
		knng_sys_fail_at(0);
		knng_graph_in_close(g);
		CHECK((status == KNNG_OK) != reached && knng_sys().live == live, "call %lld: %s", (long long)nth,
		      err.text);
		if (!reached)
			break;
	}
	unlink(at("out.h5"));
}

/* A disk that is too full shows before anything is written. */
static void
test_full(void)
{
	knng_err err = {0};
	knng_graph_out *g;
	struct rlimit all, some;
	int before = files_there();
	signal(SIGXFSZ, SIG_IGN);
	if (getrlimit(RLIMIT_FSIZE, &all) != 0)
		abort();
	some = all;
	some.rlim_cur = 100000;
	setrlimit(RLIMIT_FSIZE, &some);
	knng_status status = knng_graph_out_create(&g, at("out.h5"), &shape, &never, &err);
	setrlimit(RLIMIT_FSIZE, &all);
	CHECK(status == KNNG_EIO && strcmp(err.id, "knng:io:write") == 0 && strstr(err.text, "0.3 MB") != NULL &&
		      strstr(err.text, "another disk") != NULL && files_there() == before,
	      "%d: %s", (int)status, err.text);
	knng_graph_shape large = {INT32_MAX - 64, INT32_MAX - 65, KNNG_F64, "euclidean"};
	status = knng_graph_out_create(&g, at("out.h5"), &large, &never, &err);
	CHECK(status != KNNG_OK && files_there() == before, "2^62 neighbours: %s", err.text);
	static volatile sig_atomic_t stop = SIGINT;
	const knng_task stopped = {.interrupt = &stop};
	status = knng_graph_out_create(&g, at("out.h5"), &shape, &stopped, &err);
	CHECK(status == KNNG_EINTERRUPTED && files_there() == before, "Ctrl-C: %s", err.text);
}

/* A row alone has no neighbours, and rows may have one. */
static void
test_small(void)
{
	static const int64_t sizes[][2] = {{1, 0}, {2, 1}, {40000, 1}, {33000, 17}};
	knng_graph_shape former = shape;
	int32_t *i = neighbour;
	double *d = distance;
	for (int s = 0; s < 4; s++) {
		int64_t n = sizes[s][0], k = sizes[s][1], wrong = 0;
		knng_err err = {0};
		knng_graph_in *g;
		shape.n = n;
		shape.k = k;
		neighbour = room(n * k, sizeof *neighbour);
		distance = room(n * k, sizeof *distance);
		double *idx = room(n * k, sizeof *idx), *dist = room(n * k, sizeof *dist);
		for (int64_t e = 0; e < n * k; e++) {
			neighbour[e] = (int32_t)((e * 7 + 1) % n);
			distance[e] = (double)e;
		}
		CHECK(write_graph(at("s.h5"), &err) == KNNG_OK, "%s", err.text);
		if (knng_graph_in_open(&g, at("s.h5"), NULL, &err) != KNNG_OK)
			abort();
		const knng_output out = {idx, KNNG_F64, 1, dist, KNNG_F64, 1, n};
		CHECK(knng_graph_in_shape(g)->n == n && knng_graph_in_shape(g)->k == k &&
			      knng_graph_in_read(g, 0, n, &out, &err) == KNNG_OK,
		      "%s", err.text);
		for (int64_t r = 0; r < n; r++)
			for (int64_t c = 0; c < k; c++)
				wrong += idx[c * n + r] != (double)neighbour[r * k + c] + 1 ||
					 dist[c * n + r] != distance[r * k + c];
		CHECK(wrong == 0, "%lld by %lld: %lld", (long long)n, (long long)k, (long long)wrong);
		knng_graph_in_close(g);
		free(idx);
		free(dist);
		free(neighbour);
		free(distance);
	}
	shape = former;
	neighbour = i;
	distance = d;
	unlink(at("s.h5"));
}

/* ---- what is read ---- */

static void
test_rows(void)
{
	knng_err err = {0};
	knng_graph_in *g;
	static const int64_t counts[] = {0, 1, 5, 100, 3 * N};
	for (int t = 0; t < 2; t++) {
		shape.type = t == 0 ? KNNG_F64 : KNNG_F32;
		if (write_graph(at("g.h5"), &err) != KNNG_OK ||
		    knng_graph_in_open(&g, at("g.h5"), NULL, &err) != KNNG_OK)
			abort();
		CHECK(knng_graph_in_shape(g)->n == N && knng_graph_in_shape(g)->k == K &&
			      knng_graph_in_shape(g)->type == shape.type &&
			      strcmp(knng_graph_in_shape(g)->metric, "cityblock") == 0,
		      "the shape");
		for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
			int64_t count = counts[i], *rows = room(count, sizeof *rows), wrong = 0;
			int64_t *idx = room(count * K, sizeof *idx);
			double *dist = room(count * K, sizeof *dist);
			for (int64_t r = 0; r < count; r++)
				rows[r] = random_below(i == 3 ? 60 : N);
			const knng_output out = {idx, KNNG_I64, 0, dist, KNNG_F64, K, 1};
			CHECK(knng_graph_in_rows(g, rows, count, &out, &err) == KNNG_OK, "%s", err.text);
			for (int64_t r = 0; r < count; r++)
				for (int64_t c = 0; c < K; c++) {
					int64_t e = rows[r] * K + c;
					double want = t == 0 ? distance[e] : (double)(float)distance[e];
					wrong += idx[r * K + c] != neighbour[e];
					wrong += neighbour[e] < 0 ? !isnan(dist[r * K + c]) : dist[r * K + c] != want;
				}
			CHECK(wrong == 0, "%lld rows: %lld", (long long)count, (long long)wrong);
			free(rows);
			free(idx);
			free(dist);
		}
		/* Its hash is that of the tables. */
		int64_t *idx = room(N * K, sizeof *idx);
		double *dist = room(N * K, sizeof *dist);
		const knng_output out = {idx, KNNG_I64, 0, dist, KNNG_F64, K, 1};
		knng_table_rows table;
		char hex[65] = "", want[65] = "";
		for (int64_t e = 0; e < N * K; e++) {
			idx[e] = neighbour[e];
			dist[e] = neighbour[e] < 0 ? NAN : t == 0 ? distance[e] : (double)(float)distance[e];
		}
		CHECK(knng_graph_in_table(g, &table, &err) == KNNG_OK, "%s", err.text);
		for (int64_t most = 1; most <= table.most; most = 3 * most + 1) { /* in any parts */
			table.most = most;
			CHECK(knng_hash_rows(&never, &table, N, K, hex, &err) == KNNG_OK &&
				      knng_hash(&never, &out, N, K, want, &err) == KNNG_OK && strcmp(hex, want) == 0,
			      "%s, %s: %s", hex, want, err.text);
			if (most > N)
				break;
		}
		free(idx);
		free(dist);
		knng_graph_in_close(g);
	}
	shape.type = KNNG_F64;
}

/* Opens a file and reads all of it; the status of the first call that refuses. */
static knng_status
read_all(const char *path, knng_err *err)
{
	knng_graph_in *g;
	knng_status status = knng_graph_in_open(&g, path, NULL, err);
	if (status != KNNG_OK)
		return status;
	const knng_graph_shape *s = knng_graph_in_shape(g);
	if (s->n != shape.n || s->k != shape.k || s->type != shape.type || strcmp(s->metric, shape.metric) != 0) {
		knng_graph_in_close(g);
		return KNNG_OK;
	}
	int64_t *idx = room(s->n * s->k, sizeof *idx);
	double *dist = room(s->n * s->k, sizeof *dist);
	const knng_output out = {idx, KNNG_I64, 1, dist, KNNG_F64, s->k, 1};
	status = knng_graph_in_read(g, 0, s->n, &out, err);
	for (int64_t e = 0; status == KNNG_OK && e < s->n * s->k; e++)
		if (idx[e] < 0 || idx[e] > s->n)
			status = KNNG_EINTERNAL; /* it may not give that out */
	free(idx);
	free(dist);
	knng_graph_in_close(g);
	return status;
}

static void
check_refused(bytes b, const char *what, int64_t place)
{
	knng_err err = {0};
	put(at("bad.h5"), b);
	knng_status status = read_all(at("bad.h5"), &err);
	CHECK(status == KNNG_EIO && strncmp(err.id, "knng:io:", 8) == 0 && err.text[0] != 0, "%s at %lld: %d %s", what,
	      (long long)place, (int)status, err.text);
}

/* Replaces the words of a file, and their hash. */
static void
make_words(unsigned char *head, const char *text)
{
	char *words = (char *)head + 128, hash[65];
	knng_sha256 sum;
	memset(words, 0, 384);
	int used = snprintf(words, 384, "knng graph 1\n%s\nmetric cityblock\n", text);
	knng_sha256_open(&sum);
	knng_sha256_add(&sum, head, 4096);
	knng_sha256_close(&sum, hash);
	snprintf(words + used, (size_t)(384 - used), "sha256 %s\n", hash);
}

/* No byte of the head may be another, and no byte may lack; of the numbers those that no row can have are refused. */
static void
test_damage(void)
{
	knng_graph_shape former = shape;
	knng_err err = {0};
	shape.n = 12;
	shape.k = 3;
	int32_t few[36];
	for (int e = 0; e < 36; e++)
		few[e] = e % 12;
	int32_t *kept = neighbour;
	neighbour = few;
	CHECK(write_graph(at("g.h5"), &err) == KNNG_OK && read_all(at("g.h5"), &err) == KNNG_OK, "%s", err.text);
	bytes good = content(at("g.h5"));
	bytes b = {room(good.size + 1, 1), good.size};
	for (int64_t i = 0; i < 4096; i++)
		for (int v = i < 512 ? 0 : (int)(i % 3); v < (i < 512 ? 3 : (int)(i % 3) + 1); v++) {
			memcpy(b.data, good.data, (size_t)good.size);
			b.data[i] = v == 0   ? (unsigned char)~b.data[i]
				    : v == 1 ? b.data[i] ^ 1
					     : (unsigned char)('0' + i % 10);
			if (b.data[i] != good.data[i])
				check_refused(b, "a byte", i);
		}
	memcpy(b.data, good.data, (size_t)good.size);
	for (b.size = 0; b.size < good.size; b.size += b.size < 300 ? 1 : 37)
		check_refused(b, "cut off", b.size);
	b.size = good.size + 1;
	b.data[good.size] = 0;
	check_refused(b, "longer", b.size);
	b.size = good.size;
	int64_t refused = 0, taken = 0;
	for (int trial = 0; trial < 3000; trial++) {
		memcpy(b.data, good.data, (size_t)good.size);
		for (int64_t i = 1 + random_below(4); i > 0; i--)
			b.data[4096 + random_below(good.size - 4096)] = (unsigned char)random_bits();
		put(at("bad.h5"), b);
		knng_status status = read_all(at("bad.h5"), &err);
		refused += status == KNNG_EIO;
		taken += status == KNNG_OK;
	}
	CHECK(refused > 500 && taken > 500 && refused + taken == 3000, "%lld refused, %lld taken", (long long)refused,
	      (long long)taken);
	/* Words that say something else, with the right hash, as somebody could make them up. */
	static const char *const words[] = {
		"n 0\nk 3\nclass double",
		"n 12\nk 12\nclass double",
		"n 12\nk 0\nclass double",
		"n 9223372036854775807\nk 3\nclass double",
		"n 2147483648\nk 3\nclass double",
		"n 2147483000\nk 2147482000\nclass double",
		"n -12\nk 3\nclass double",
		"n 12\nk -3\nclass double",
		"n 12\nk 3\nclass single",
		"n 6\nk 6\nclass double",
		"n 012\nk 3\nclass double",
		"n 12\nk 3\nclass int32",
		"n 1200000000\nk 3\nclass double",
		"n 12\nk 4\nclass double",
		"",
		"n 12",
	};
	for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
		memcpy(b.data, good.data, (size_t)good.size);
		make_words(b.data, words[w]);
		check_refused(b, words[w], (int64_t)w);
	}
	make_words(b.data, "n 12\nk 3\nclass double");
	CHECK(memcmp(b.data, good.data, 4096) == 0, "these words are those of the file");
	free(b.data);
	free(good.data);
	neighbour = kept;
	shape = former;
	CHECK(read_all(at("none.h5"), &err) == KNNG_EIO && read_all("/dev/null", &err) == KNNG_EIO &&
		      read_all(folder, &err) == KNNG_EIO,
	      "no file");
}

/* A file that is written to while it is read. */
static void
test_changed(void)
{
	knng_err err = {0};
	knng_graph_in *g;
	knng_table_rows table;
	char hex[65];
	if (write_graph(at("g.h5"), &err) != KNNG_OK || knng_graph_in_open(&g, at("g.h5"), NULL, &err) != KNNG_OK ||
	    knng_graph_in_table(g, &table, &err) != KNNG_OK)
		abort();
	CHECK(truncate(at("g.h5"), 4100) == 0 && knng_hash_rows(&never, &table, N, K, hex, &err) == KNNG_EIO &&
		      strcmp(err.id, "knng:io:open") == 0,
	      "%s", err.text);
	knng_graph_in_close(g);
}

int
main(void)
{
	knng_err err = {0};
	knng_graph_out *g;
	if (mkdtemp(folder) == NULL)
		abort();
	make_lists();
	if (knng_graph_out_can(NULL) != KNNG_OK) {
		CHECK(knng_graph_out_create(&g, at("g.h5"), &shape, &never, &err) == KNNG_EIO && g == NULL &&
			      strcmp(err.id, "knng:io:noHDF") == 0 && strstr(err.text, "libhdf5-dev") != NULL,
		      "%s", err.text);
		CHECK(files_there() == 0 && knng_sys().live == 0, "nothing is left");
	} else {
		test_bytes();
		test_order();
		test_names();
		test_failures();
		test_full();
		test_small();
		test_rows();
		test_damage();
		test_changed();
		unlink(at("g.h5"));
		unlink(at("bad.h5"));
		CHECK(files_there() == 0 && knng_sys().live == 0, "%d files, %lld", files_there(),
		      (long long)knng_sys().live);
	}
	rmdir(folder);
	free(neighbour);
	free(distance);
	return summary();
}
