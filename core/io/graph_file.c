/* graph_file.c  Graphs in files, see graph_file.h.
 *
 * A file is read without HDF5's library, which cannot be trusted with files that are damaged: its releases before 1.14
 * crash on some. The user block says in words what the tables are, and everything else follows from that: a file is
 * read if its user block is, byte for byte, the one that would be written with these words before this head, since it
 * has the hash of both, and if its length is right. Nothing that a file says is an address or a size of its own. */
#include "io/graph_file.h"
#include "base/put.h"
#include "base/sha256.h"
#include "base/sort.h"
#include "base/sys.h"
#include "base/task.h"
#include "io/graph_head.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	ROWS = 1 << 15, /* that go through the buffer together, */
	COLUMNS = 16,   /* and columns: of a list of neighbours so many lie in one line of the cache */
	GAP = 1 << 10,  /* rows between two that are read nevertheless, since a second read costs more */
	WORDS = 128,    /* where ours begin in the user block */
	TABLE = 1 << 25,
};

static const char *
class_of(knng_type type)
{
	return type == KNNG_F32 ? "single" : "double";
}

bool
knng_graph_file_named(const char *path)
{
	static const char *const endings[] = {".h5", ".hdf5", ".mat"};
	size_t length = strlen(path);
	for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
		size_t own = strlen(endings[e]);
		if (length > own && strcasecmp(path + length - own, endings[e]) == 0)
			return true;
	}
	return false;
}

/* Of the buffer: some columns of dist, or one of idx and of dist. */
static int64_t
room_of(int64_t n, int64_t k)
{
	return (n < ROWS ? n : ROWS) * (4 + 8 * (k < COLUMNS ? k : COLUMNS));
}

double
knng_graph_file_bytes(int64_t n, int64_t k)
{
	return (double)room_of(n, k) + 50000; /* those of file.h and graph_head.h */
}

/* The user block: MATLAB's header, as of its files that are HDF5, and our words. No date. `head` has what follows it:
 * its hash is that of both. */
static void
fill_block(unsigned char block[KNNG_GRAPH_BLOCK], const knng_graph_shape *s, const unsigned char *head)
{
	static const char header[] = "MATLAB 7.3 MAT-file, Platform: any, Created by: knng HDF5 schema 1.00 .";
	enum { TEXT = 116, VERSION = 124 };
	char hash[65];
	knng_sha256 sum;
	memset(block, 0, KNNG_GRAPH_BLOCK);
	memset(block, ' ', TEXT);
	memcpy(block, header, sizeof header - 1);
	memcpy(block + VERSION, "\0\2IM", 4); /* 0x0200, lowest byte first */
	int used = snprintf((char *)block + WORDS, KNNG_GRAPH_BLOCK - WORDS,
			    "knng graph 1\nn %lld\nk %lld\nclass %s\nmetric %.31s\n", (long long)s->n, (long long)s->k,
			    class_of(s->type), s->metric);
	knng_sha256_open(&sum);
	knng_sha256_add(&sum, block, KNNG_GRAPH_BLOCK);
	knng_sha256_add(&sum, head + KNNG_GRAPH_BLOCK, KNNG_GRAPH_HEAD - KNNG_GRAPH_BLOCK);
	knng_sha256_close(&sum, hash);
	snprintf((char *)block + WORDS + used, (size_t)(KNNG_GRAPH_BLOCK - WORDS - used), "sha256 %s\n", hash);
}

/* ---- numbers, lowest byte first ---- */

static void
put_32(unsigned char *to, uint32_t bits)
{
	for (int i = 0; i < 4; i++)
		to[i] = (unsigned char)(bits >> 8 * i);
}

static void
put_64(unsigned char *to, uint64_t bits)
{
	for (int i = 0; i < 8; i++)
		to[i] = (unsigned char)(bits >> 8 * i);
}

static uint32_t
get_32(const unsigned char *from)
{
	uint32_t bits = 0;
	for (int i = 0; i < 4; i++)
		bits |= (uint32_t)from[i] << 8 * i;
	return bits;
}

static uint64_t
get_64(const unsigned char *from)
{
	return get_32(from) | (uint64_t)get_32(from + 4) << 32;
}

static double
get_distance(const unsigned char *from, knng_type type)
{
	uint64_t wide = type == KNNG_F32 ? 0 : get_64(from);
	uint32_t narrow = type == KNNG_F32 ? get_32(from) : 0;
	double d;
	float f;
	memcpy(&d, &wide, sizeof d);
	memcpy(&f, &narrow, sizeof f);
	return type == KNNG_F32 ? (double)f : d;
}

static void
put_distance(unsigned char *to, knng_type type, double distance, bool none)
{
	uint64_t wide = 0x7ff8000000000000u;
	uint32_t narrow = 0x7fc00000u;
	float f = (float)distance;
	if (!none) {
		memcpy(&wide, &distance, sizeof wide);
		memcpy(&narrow, &f, sizeof narrow);
	}
	if (type == KNNG_F32)
		put_32(to, narrow);
	else
		put_64(to, wide);
}

/* ---- writing ---- */

struct knng_graph_out {
	knng_out *file;
	const knng_task *task;
	knng_graph_shape shape;
	knng_graph_places places;
	unsigned char *buffer;
	char path[256]; /* for messages */
};

static knng_status
fail_to_write(const knng_graph_out *g, int reason, const char *left, knng_err *err)
{
	if (g->task != NULL && knng_task_poll(g->task, err) != KNNG_OK)
		return KNNG_EINTERRUPTED;
	return knng_fail(err, KNNG_EIO, "knng:io:write", "cannot write %.200s: %s%s", g->path, strerror(reason), left);
}

static knng_status
fail_to_claim(const knng_graph_out *g, int reason, knng_err *err)
{
	if (g->task != NULL && knng_task_poll(g->task, err) != KNNG_OK)
		return KNNG_EINTERRUPTED;
	if (reason == ENOMEM)
		return knng_fail_memory(err, "a file to write", 5e4);
	if (reason == ENOSPC || reason == EDQUOT || reason == EFBIG)
		return knng_fail(
			err, KNNG_EIO, "knng:io:write",
			"cannot write %.200s: it takes %.1f MB, and there is no room for that (%s): make room, or "
			"name a file on another disk",
			g->path, (double)g->places.end * 1e-6, strerror(reason));
	if (reason == ESPIPE)
		return knng_fail(
			err, KNNG_EIO, "knng:io:open",
			"cannot write %.200s: a graph of this format is a file on a disk, and no pipe or device; "
			"name such a file, or take another format",
			g->path);
	return knng_fail(
		err, KNNG_EIO, "knng:io:open",
		"cannot write %.200s: %s; check the name and the rights of the folder, and of the file if it is "
		"there (chmod u+w)",
		g->path, strerror(reason));
}

/* One that has no file yet. */
static knng_status
new_graph(knng_graph_out **out, const char *path, const knng_graph_shape *shape, const knng_task *task, knng_err *err)
{
	*out = NULL;
	knng_graph_out *g = knng_calloc(1, sizeof *g);
	if (g == NULL || (g->buffer = knng_alloc(room_of(shape->n, shape->k), 1)) == NULL) {
		knng_free(g);
		return knng_fail_memory(err, "a graph to write", knng_graph_file_bytes(shape->n, shape->k));
	}
	g->task = task;
	g->shape = *shape;
	snprintf(g->path, sizeof g->path, "%.200s", path);
	if (!knng_graph_places_of(shape, &g->places)) {
		knng_graph_out_done(g, false, NULL);
		return knng_fail(err, KNNG_EARGS, "knng:args:rows",
				 "%lld rows with %lld neighbours each are more than a file can hold",
				 (long long)shape->n, (long long)shape->k);
	}
	*out = g;
	return KNNG_OK;
}

knng_status
knng_graph_out_may_replace(const char *path, knng_err *err)
{
	unsigned char block[KNNG_GRAPH_BLOCK];
	knng_store *former = knng_store_open(path, NULL);
	if (former == NULL && errno == ENOMEM)
		return knng_fail_memory(err, "a look at the former file", 1e5);
	if (former == NULL && (errno == EIO || errno == EACCES || errno == EPERM))
		return knng_fail(err, KNNG_EIO, "knng:io:open",
				 "cannot look at %.200s: %s; check the rights of the file and of its folder", path,
				 strerror(errno));
	if (former == NULL) /* what is not there, or is no file, is the matter of writing */
		return KNNG_OK;
	bool fine = knng_store_size(former) == 0 ||
		    (knng_store_read(former, 0, block, sizeof block) && knng_graph_file_begins(block));
	knng_store_close(former);
	return fine ? KNNG_OK
		    : knng_fail(
			      err, KNNG_EIO, "knng:io:exists",
			      "%.200s is there, and is no graph that knng has written: give the graph another name, or "
			      "delete the file before, if nobody needs it",
			      path);
}

knng_status
knng_graph_out_create(knng_graph_out **out, const char *path, const knng_graph_shape *shape, const knng_task *task,
		      knng_err *err)
{
	unsigned char head[KNNG_GRAPH_HEAD];
	knng_status status = knng_graph_out_may_replace(path, err);
	*out = NULL;
	if (status == KNNG_OK)
		status = knng_graph_head(shape, head, err);
	if (status == KNNG_OK)
		status = new_graph(out, path, shape, task, err);
	if (status != KNNG_OK)
		return status;
	knng_graph_out *g = *out;
	fill_block(head, shape, head);
	g->file = knng_out_claim(path, g->places.end, task);
	if (g->file == NULL)
		status = fail_to_claim(g, errno, err);
	else if (knng_out_write_at(g->file, 0, head, sizeof head) != 0)
		status = fail_to_write(g, errno, "", err);
	if (status != KNNG_OK) {
		knng_graph_out_done(g, false, NULL);
		*out = NULL;
	}
	return status;
}

knng_status
knng_graph_out_part(const knng_graph_out *g, char *part, knng_err *err)
{
	return knng_out_part(g->file, part) ? KNNG_OK : fail_to_write(g, errno, "", err);
}

knng_status
knng_graph_out_join(knng_graph_out **out, const char *part, const knng_graph_shape *shape, const knng_task *task,
		    knng_err *err)
{
	knng_status status = new_graph(out, part, shape, task, err);
	if (status != KNNG_OK)
		return status;
	knng_graph_out *g = *out;
	g->file = knng_out_join(part, task);
	if (g->file == NULL) {
		status = fail_to_claim(g, errno, err);
		knng_graph_out_done(g, false, NULL);
		*out = NULL;
	}
	return status;
}

/* Column c of the lists of so many rows, as idx or as dist has it. */
static void
turn(const knng_graph_out *g, int64_t rows, int64_t c, const int32_t *index, const double *distance, unsigned char *to)
{
	int64_t k = g->shape.k;
	int bytes = knng_type_bytes(g->shape.type);
	for (int64_t r = 0; r < rows; r++)
		if (distance == NULL)
			put_32(to + 4 * r, (uint32_t)(index[r * k + c] < 0 ? 0 : index[r * k + c] + 1));
		else
			put_distance(to + bytes * r, g->shape.type, distance[r * k + c], index[r * k + c] < 0);
}

/* Columns [from, to) of the table that begins at `at`: of dist, or of idx where distance is NULL. */
static bool
put_columns(knng_graph_out *g, int64_t at, knng_part columns, knng_part rows, const int32_t *index,
	    const double *distance)
{
	int64_t count = rows.end - rows.first, bytes = distance == NULL ? 4 : knng_type_bytes(g->shape.type);
	for (int64_t c = columns.first; c < columns.end; c++)
		turn(g, count, c, index, distance, g->buffer + (c - columns.first) * count * bytes);
	for (int64_t c = columns.first; c < columns.end; c++)
		if (knng_out_write_at(g->file, at + (c * g->shape.n + rows.first) * bytes,
				      g->buffer + (c - columns.first) * count * bytes, count * bytes) != 0)
			return false;
	return true;
}

knng_status
knng_graph_out_put(knng_graph_out *g, int64_t first, int64_t end, const int32_t *index, const double *distance,
		   knng_err *err)
{
	int64_t k = g->shape.k;
	for (int64_t p = 0; p < knng_parts(ROWS, end - first); p++) {
		knng_part part = knng_part_of(p, ROWS, end - first), rows = {first + part.first, first + part.end};
		const int32_t *i = index + part.first * k;
		const double *d = distance + part.first * k;
		for (int64_t c = 0; c < knng_parts(COLUMNS, k); c++) {
			knng_part columns = knng_part_of(c, COLUMNS, k);
			if (!put_columns(g, g->places.idx, columns, rows, i, NULL) ||
			    !put_columns(g, g->places.dist, columns, rows, i, d))
				return fail_to_write(g, errno, "; nothing is left of it", err);
		}
	}
	return KNNG_OK;
}

knng_status
knng_graph_out_done(knng_graph_out *g, bool keep, knng_err *err)
{
	knng_status status = KNNG_OK;
	if (g == NULL)
		return status;
	if (g->file != NULL && knng_out_done(g->file, keep) != 0 && keep)
		status = fail_to_write(g, errno, "; nothing is left of it", err);
	knng_free(g->buffer);
	knng_free(g);
	return status;
}

/* ---- reading ---- */

struct knng_graph_in {
	knng_store *file;
	const knng_task *task;
	knng_graph_shape shape;
	knng_graph_places places;
	unsigned char *buffer;
	int64_t most;   /* rows of `table` */
	void *table;    /* of knng_graph_in_table: distances, and behind them indices */
	char path[256]; /* for messages */
};

static knng_status
fail_to_read(const knng_graph_in *g, int reason, knng_err *err)
{
	if (g->task != NULL && knng_task_poll(g->task, err) != KNNG_OK)
		return KNNG_EINTERRUPTED;
	return knng_fail(err, KNNG_EIO, "knng:io:open", "cannot read %.200s: %s", g->path,
			 reason != 0 ? strerror(reason) : "it has changed since it was opened");
}

static knng_status
refuse(const knng_graph_in *g, const char *why, knng_err *err)
{
	return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s is no graph that knngraph has written ('Output'): %s",
			 g->path, why);
}

/* What the words of a user block say; false: they are none. Whether they make sense is for others to see. */
static bool
parse_block(const unsigned char *block, knng_graph_shape *shape)
{
	char words[KNNG_GRAPH_BLOCK - WORDS + 1], class[8];
	long long n, k;
	memcpy(words, block + WORDS, sizeof words - 1);
	words[sizeof words - 1] = '\0';
	if (sscanf(words, "knng graph 1\nn %18lld\nk %18lld\nclass %7s\nmetric %31[a-z]\n", &n, &k, class,
		   shape->metric) != 4)
		return false;
	shape->n = n;
	shape->k = k;
	shape->type = strcmp(class, class_of(KNNG_F32)) == 0 ? KNNG_F32 : KNNG_F64;
	return true;
}

bool
knng_graph_file_begins(const unsigned char block[KNNG_GRAPH_BLOCK])
{
	knng_graph_shape shape;
	return parse_block(block, &shape);
}

static knng_status
check(knng_graph_in *g, knng_err *err)
{
	unsigned char head[KNNG_GRAPH_HEAD], expected[KNNG_GRAPH_BLOCK];
	const knng_graph_shape *s = &g->shape;
	int64_t size = knng_store_size(g->file);
	memset(head, 0, sizeof head);
	if (!knng_store_read(g->file, 0, head, size < KNNG_GRAPH_HEAD ? size : KNNG_GRAPH_HEAD))
		return fail_to_read(g, errno, err);
	if (!parse_block(head, &g->shape))
		return refuse(g, "it does not begin like one", err);
	fill_block(expected, s, head);
	if (memcmp(head, expected, sizeof expected) != 0 || s->n < 1 || s->n > INT32_MAX - 64 || s->k < (s->n > 1) ||
	    s->k >= s->n || !knng_graph_places_of(s, &g->places))
		return refuse(g, "its beginning is damaged", err);
	if (size < g->places.end)
		return knng_fail(
			err, KNNG_EIO, "knng:io:truncated",
			"%.200s is cut off: it says %lld rows with %lld neighbours each, which take %lld bytes, "
			"and has %lld",
			g->path, (long long)s->n, (long long)s->k, (long long)g->places.end, (long long)size);
	if (size > g->places.end)
		return refuse(g, "there is more behind it than it says", err);
	return KNNG_OK;
}

knng_status
knng_graph_in_open(knng_graph_in **in, const char *path, const knng_task *task, knng_err *err)
{
	*in = NULL;
	knng_graph_in *g = knng_calloc(1, sizeof *g);
	if (g == NULL)
		return knng_fail_memory(err, "a graph to read", sizeof *g);
	g->task = task;
	snprintf(g->path, sizeof g->path, "%.200s", path);
	knng_status status = KNNG_OK;
	if ((g->file = knng_store_open(path, task)) == NULL)
		status = knng_fail(err, KNNG_EIO, "knng:io:open", "cannot open %.200s: %s", path,
				   errno == ESPIPE ? "graphs are read from a file of a disk, and not from a pipe"
						   : strerror(errno));
	if (status == KNNG_OK)
		status = check(g, err);
	if (status == KNNG_OK && (g->buffer = knng_alloc(room_of(g->shape.n, g->shape.k), 1)) == NULL)
		status = knng_fail_memory(err, "a graph to read", knng_graph_file_bytes(g->shape.n, g->shape.k));
	if (status != KNNG_OK) {
		knng_graph_in_close(g);
		return status;
	}
	*in = g;
	return KNNG_OK;
}

const knng_graph_shape *
knng_graph_in_shape(const knng_graph_in *g)
{
	return &g->shape;
}

void
knng_graph_in_close(knng_graph_in *g)
{
	if (g == NULL)
		return;
	knng_store_close(g->file);
	knng_free(g->table);
	knng_free(g->buffer);
	knng_free(g);
}

/* Column c of some rows to the buffer, idx and behind it dist. */
static knng_status
fetch(knng_graph_in *g, int64_t c, int64_t first, int64_t count, knng_err *err)
{
	int64_t at = c * g->shape.n + first, bytes = knng_type_bytes(g->shape.type);
	bool fine = knng_store_read(g->file, g->places.idx + at * 4, g->buffer, count * 4) &&
		    knng_store_read(g->file, g->places.dist + at * bytes, g->buffer + count * 4, count * bytes);
	return fine ? KNNG_OK : fail_to_read(g, errno, err);
}

/* What was fetched last. */
typedef struct {
	int64_t c, first, count;
} piece;

/* Of that, row `row` of the file to row `to` of a table. */
static knng_status
give(const knng_graph_in *g, piece p, int64_t row, int64_t to, const knng_output *out, knng_err *err)
{
	int64_t r = row - p.first, index = (int32_t)get_32(g->buffer + 4 * r);
	if (index < 0 || index > g->shape.n)
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s is damaged: neighbour %lld of row %lld is row %lld of %lld", g->path,
				 (long long)p.c + 1, (long long)row + 1, (long long)index, (long long)g->shape.n);
	const unsigned char *distance = g->buffer + 4 * p.count + knng_type_bytes(g->shape.type) * r;
	knng_put(out, to, p.c, index - 1, get_distance(distance, g->shape.type));
	return KNNG_OK;
}

knng_status
knng_graph_in_read(knng_graph_in *g, int64_t first, int64_t count, const knng_output *out, knng_err *err)
{
	for (int64_t i = 0; i < knng_parts(ROWS, count); i++) {
		knng_part rows = knng_part_of(i, ROWS, count);
		piece p = {.first = first + rows.first, .count = rows.end - rows.first};
		for (; p.c < g->shape.k; p.c++) {
			knng_status status = fetch(g, p.c, p.first, p.count, err);
			for (int64_t r = rows.first; r < rows.end && status == KNNG_OK; r++)
				status = give(g, p, first + r, r, out, err);
			if (status != KNNG_OK)
				return status;
		}
	}
	return KNNG_OK;
}

/* The first rows of `count`, in ascending order, that are read together; how many they are. */
static int64_t
run_of(const knng_pair *rows, int64_t count)
{
	int64_t n = 1;
	while (n < count && rows[n].distance - rows[n - 1].distance <= GAP &&
	       rows[n].distance - rows[0].distance < ROWS)
		n++;
	return n;
}

/* Rows of the file, each with its row of the table. */
static knng_status
read_run(knng_graph_in *g, const knng_pair *rows, int64_t count, const knng_output *out, knng_err *err)
{
	piece p = {.first = (int64_t)rows[0].distance};
	p.count = (int64_t)rows[count - 1].distance - p.first + 1;
	for (; p.c < g->shape.k; p.c++) {
		knng_status status = fetch(g, p.c, p.first, p.count, err);
		for (int64_t r = 0; r < count && status == KNNG_OK; r++)
			status = give(g, p, (int64_t)rows[r].distance, rows[r].index, out, err);
		if (status != KNNG_OK)
			return status;
	}
	return KNNG_OK;
}

knng_status
knng_graph_in_rows(knng_graph_in *g, const int64_t *rows, int64_t count, const knng_output *out, knng_err *err)
{
	knng_status status = KNNG_OK;
	if (count > INT32_MAX)
		return knng_fail(err, KNNG_EARGS, "knng:args:rows",
				 "%lld rows are more than are read at a time: read parts", (long long)count);
	/* The number of a row stands for the distance, its place in the list for the index: both are exact. */
	knng_pair *order = knng_alloc(2 * count, sizeof *order);
	if (order == NULL)
		return knng_fail_memory(err, "the rows to read", 32.0 * (double)count);
	for (int64_t r = 0; r < count; r++)
		order[r] = (knng_pair){(double)rows[r], (int32_t)r};
	knng_sort_pairs(order, order + count, count);
	for (int64_t r = 0; r < count && status == KNNG_OK;) {
		int64_t some = run_of(order + r, count - r);
		status = read_run(g, order + r, some, out, err);
		r += some;
	}
	knng_free(order);
	return status;
}

/* Some rows to the table of g. */
static knng_status
fill_table(void *context, int64_t first, int64_t count, knng_output *table, knng_err *err)
{
	knng_graph_in *g = context;
	double *distance = g->table;
	*table = (knng_output){.idx = distance + g->most * g->shape.k,
			       .idx_type = KNNG_I32,
			       .index_base = 1,
			       .dist = distance,
			       .dist_type = KNNG_F64,
			       .row_stride = 1,
			       .col_stride = count};
	return knng_graph_in_read(g, first, count, table, err);
}

knng_status
knng_graph_in_table(knng_graph_in *g, knng_table_rows *table, knng_err *err)
{
	int64_t k = g->shape.k, most = TABLE / 12 / (k > 0 ? k : 1);
	g->most = most < 1 ? 1 : most < g->shape.n ? most : g->shape.n;
	if (g->table == NULL && (g->table = knng_alloc(g->most * k, 12)) == NULL)
		return knng_fail_memory(err, "rows of a graph", 12.0 * (double)g->most * (double)k);
	*table = (knng_table_rows){.most = g->most, .dist_type = g->shape.type, .rows = fill_table, .context = g};
	return KNNG_OK;
}
