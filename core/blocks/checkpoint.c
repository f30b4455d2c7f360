#include "blocks/checkpoint.h"
#include "base/folder.h"
#include "base/sys.h"
#include "base/task.h"
#include "blocks/hash.h"
#include "search/metric.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	STATES = 2,  /* that a file has room for */
	PAGE = 4096, /* states begin at multiples */
};

/* Before each state. What it says of the search is the same in all files. */
typedef struct {
	char magic[16];
	uint64_t order;  /* of bytes */
	int64_t version; /* of this format, and of the distances (docs/canonical.md) */
	int64_t n, d, k, size, type;
	char metric[32];
	int64_t block;
	knng_block_rows rows;
	uint64_t count; /* of states saved before; 0: none is here */
	uint64_t body;  /* hash of what follows */
	uint64_t hash;  /* of this head, with 0 here */
} head;

static const head empty = {.magic = "knng checkpoint", .order = 0x0102030405060708u, .version = 1};

struct knng_checkpoint {
	char *path;
	knng_folder *folder;
	head search;
	knng_shelf *lists;
	int64_t blocks;
	knng_part own;         /* blocks whose lists are here */
	uint64_t *hash;        /* [blocks] of its rows; 0: they were not shown */
	uint64_t *saved;       /* [blocks * blocks] of the rows of each block that a block has met; 0: it has not */
	knng_block_rows *rows; /* [blocks] */
	uint64_t *count;       /* [blocks] of states saved */
	int8_t *newest;        /* [blocks] the state that was saved last, or -1 */
	bool *changed;         /* [blocks] since then */
	bool resumes;
	int barred;        /* why files cannot be written; 0: they can */
	double last, cost; /* when all was saved, and how long it took */
};

static uint64_t
hash_of_head(head h)
{
	h.hash = 0;
	return knng_hash_of(&h, sizeof h);
}

/* ---- files ---- */

static void
name_of(int64_t block, char name[40])
{
	snprintf(name, 40, "block-%lld.knng", (long long)block);
}

static knng_part
rows_of(const knng_checkpoint *c, int64_t block)
{
	return knng_part_of(block, c->search.size, c->search.n);
}

/* The parts of a state behind its head: `parts` of them. */
enum { PARTS = 4 };
typedef struct {
	void *data;
	int64_t bytes;
} part;

static void
parts_of(const knng_checkpoint *c, int64_t block, const knng_neighbours *lists, part parts[PARTS])
{
	knng_part rows = rows_of(c, block);
	int64_t count = rows.end - rows.first, k = c->search.k, at = rows.first - lists->first;
	parts[0] = (part){c->saved + block * c->blocks, c->blocks * (int64_t)sizeof *c->saved};
	parts[1] = (part){lists->distance + at * k, count * k * (int64_t)sizeof *lists->distance};
	parts[2] = (part){lists->index + at * k, count * k * (int64_t)sizeof *lists->index};
	parts[3] = (part){lists->level + at, count};
}

/* Bytes from one state of a block's file to the next. */
static int64_t
state_bytes(int64_t rows, int64_t k, int64_t blocks)
{
	int64_t bytes = (int64_t)sizeof(head) + blocks * 8 + rows * (12 * k + 1);
	return knng_parts(PAGE, bytes) * PAGE;
}

static int64_t
state_bytes_of(const knng_checkpoint *c, int64_t block)
{
	knng_part rows = rows_of(c, block);
	return state_bytes(rows.end - rows.first, c->search.k, c->blocks);
}

double
knng_checkpoint_disk(int64_t n, int64_t k, int64_t size)
{
	int64_t blocks = knng_parts(size, n), last = n - (blocks - 1) * size;
	return STATES *
	       ((double)(blocks - 1) * (double)state_bytes(size, k, blocks) + (double)state_bytes(last, k, blocks));
}

/* The head of a state; false: there is none, or it is damaged. */
static bool
read_head(knng_kept *file, int64_t at, head *h)
{
	return knng_kept_read(file, at, h, sizeof *h) && memcmp(h->magic, empty.magic, sizeof h->magic) == 0 &&
	       h->order == empty.order && h->hash == hash_of_head(*h);
}

/* Whether what lists say can be: a file with the right hash that somebody made up harms nobody. */
static bool
makes_sense(const knng_checkpoint *c, int64_t block, const knng_neighbours *lists)
{
	knng_part rows = rows_of(c, block);
	int64_t k = c->search.k, from = rows.first - lists->first, to = rows.end - lists->first;
	for (int64_t e = from * k; e < to * k; e++)
		if (lists->index[e] < -1 || lists->index[e] >= c->search.n || isnan(lists->distance[e]))
			return false;
	for (int64_t i = from; i < to; i++)
		if (lists->level[i] > KNNG_LEVELS)
			return false;
	return true;
}

/* The body of a state to where it belongs; false: it is damaged. */
static bool
read_body(knng_checkpoint *c, knng_kept *file, int64_t at, const head *h, const knng_neighbours *lists)
{
	part parts[PARTS];
	knng_hasher sum;
	bool fine = true;
	knng_hash_open(&sum);
	parts_of(c, h->block, lists, parts);
	at += (int64_t)sizeof *h;
	for (int p = 0; p < PARTS && fine; at += parts[p++].bytes) {
		fine = knng_kept_read(file, at, parts[p].data, parts[p].bytes);
		if (fine)
			knng_hash_add(&sum, parts[p].data, parts[p].bytes);
	}
	return fine && knng_hash_close(&sum) == h->body && makes_sense(c, h->block, lists);
}

static void
forget(knng_checkpoint *c, int64_t block, knng_neighbours *lists)
{
	knng_part rows = rows_of(c, block);
	c->rows[block] = (knng_block_rows){0};
	memset(c->saved + block * c->blocks, 0, (size_t)c->blocks * sizeof *c->saved);
	knng_neighbours_clear(lists, rows.first, rows.end);
}

/* ---- opening ---- */

static knng_status
fail(const char *path, const char *what, knng_err *err)
{
	if (errno == EWOULDBLOCK)
		return knng_fail(
			err, KNNG_EIO, "knng:checkpoint:busy",
			"another search uses the checkpoint in %.200s: wait for its end, or name another folder", path);
	return knng_fail(err, KNNG_EIO, "knng:checkpoint:folder", "cannot %s the checkpoint in %.200s: %s%s", what,
			 path, errno != 0 ? strerror(errno) : "a file is shorter than it was",
			 errno == ENOENT ? " (the folder above it has to be there)" : "");
}

/* What a folder has of any search: the head of any state of any file. */
typedef struct {
	knng_folder *folder;
	head h;
	bool found, other; /* other: files of somebody else are there */
	int trouble;       /* why a file cannot be read; 0: all can */
	double claimed;    /* bytes of files of blocks, where nothing is found */
} look;

static bool
look_into(void *context, const char *name)
{
	look *l = context;
	char expected[40];
	long long block;
	expected[0] = '\0';
	if (sscanf(name, "block-%lld", &block) == 1)
		name_of(block, expected);
	if (strcmp(name, expected) != 0) {
		l->other |= name[0] != '.' && strcmp(name, "lost+found") != 0;
		return true;
	}
	knng_kept *file = knng_kept_open(l->folder, name, 0);
	if (file == NULL)
		l->trouble = errno;
	if (file == NULL)
		return false;
	l->claimed += (double)knng_kept_size(file);
	int64_t half = knng_kept_size(file) / STATES;
	for (int s = 0; s < STATES && !l->found; s++)
		l->found = read_head(file, s * half, &l->h) && l->h.block == block;
	knng_kept_close(file);
	return !l->found;
}

static void
describe(const head *h, char *text, size_t size)
{
	snprintf(text, size, "%lld rows of %lld columns, k %lld, %.32s, of class %s", (long long)h->n, (long long)h->d,
		 (long long)h->k, h->metric, h->type == KNNG_F32 ? "single" : "double");
}

static knng_status
refuse_other(const char *path, const head *mine, const head *theirs, knng_err *err)
{
	char asked[160], there[160];
	describe(mine, asked, sizeof asked);
	describe(theirs, there, sizeof there);
	return knng_fail(
		err, KNNG_EIO, "knng:checkpoint:other",
		"%.150s has the checkpoint of another search, of %s; this one is of %s: name another folder, or "
		"remove the files block-*.knng there",
		path, there, asked);
}

static bool
is_same_search(const head *mine, const head *theirs)
{
	head a = *mine, b = *theirs;
	a.block = b.block = 0;
	a.rows = b.rows = (knng_block_rows){0};
	a.count = b.count = a.body = b.body = a.hash = b.hash = 0;
	return memcmp(&a, &b, sizeof a) == 0;
}

static head
head_of(const knng_question *q)
{
	head h = empty;
	h.n = q->x.n;
	h.d = q->x.d;
	h.k = q->k;
	h.type = q->x.type;
	if (q->least_shared > 0) /* the distances are others */
		snprintf(h.metric, sizeof h.metric, "%.11s pairwise %u", q->metric->name, (unsigned)q->least_shared);
	else
		snprintf(h.metric, sizeof h.metric, "%s", q->metric->name);
	return h;
}

/* What of this search is in a folder that is open. */
static knng_status
look_at(knng_folder *folder, const char *path, head mine, look *l, knng_err *err)
{
	*l = (look){.folder = folder};
	bool all = knng_folder_each(folder, look_into, l);
	errno = all ? l->trouble : errno;
	if (!all || l->trouble != 0)
		return fail(path, "read", err);
	mine.size = l->found ? l->h.size : 0;
	if (l->found && !is_same_search(&mine, &l->h))
		return refuse_other(path, &mine, &l->h, err);
	if (!l->found && l->other)
		return knng_fail(
			err, KNNG_EIO, "knng:checkpoint:folder",
			"%.200s has other files, and no checkpoint: name a folder for the checkpoint alone, which "
			"need not exist",
			path);
	return KNNG_OK;
}

knng_status
knng_checkpoint_look(const char *path, const knng_question *q, int64_t *size, knng_err *err)
{
	look l;
	*size = 0;
	knng_folder *folder = knng_folder_open(path, false);
	if (folder == NULL)
		return errno == ENOENT ? KNNG_OK : fail(path, "open", err);
	knng_status status = look_at(folder, path, head_of(q), &l, err);
	knng_folder_close(folder);
	if (status == KNNG_OK && l.found)
		*size = l.h.size;
	return status;
}

knng_status
knng_checkpoint_ask(const knng_options *opt, const knng_rows *rows, int64_t k, knng_err *err)
{
	const char *path = opt->checkpoint;
	knng_question q;
	look l;
	if (path == NULL || k < 1)
		return KNNG_OK;
	knng_status status = knng_rows_ask(&q, rows, opt, opt->k, err);
	if (status != KNNG_OK)
		return status;
	knng_folder *folder = knng_folder_open(path, false); /* the other way makes it */
	if (folder == NULL)
		return errno == ENOENT ? KNNG_OK : fail(path, "open", err);
	knng_folder_close(folder);
	if ((folder = knng_folder_open(path, true)) == NULL)
		return fail(path, "open", err);
	status = look_at(folder, path, head_of(&q), &l, err);
	knng_folder_close(folder);
	return status;
}

knng_status
knng_checkpoint_room(const char *path, double bytes, knng_err *err)
{
	double left = knng_folder_free(path);
	if (left < 0)
		return fail(path, "make", err);
	look l = {.folder = knng_folder_open(path, false)};
	if (l.folder != NULL && knng_folder_each(l.folder, look_into, &l) && !l.found)
		left += l.claimed; /* of a search that ended before it saved anything */
	knng_folder_close(l.folder);
	if (left < bytes)
		return knng_fail(
			err, KNNG_EIO, "knng:checkpoint:folder",
			"the checkpoint in %.200s needs %.1f MB, and the disk has %.1f MB left: make room, or name "
			"a folder on another disk",
			path, bytes * 1e-6, left * 1e-6);
	return KNNG_OK;
}

/* A block's file, with room for its states; where the disk lets nobody write, only to read. NULL and errno. */
static knng_kept *
open_block(knng_checkpoint *c, const char *name, int64_t bytes)
{
	knng_kept *file = knng_kept_open(c->folder, name, bytes);
	int reason = errno;
	if (file != NULL || (reason != EROFS && reason != EACCES && reason != EPERM))
		return file;
	c->barred = reason;
	file = knng_kept_open(c->folder, name, 0);
	errno = reason;
	return file;
}

/* Whether all blocks that are here have met all. */
static bool
is_finished(const knng_checkpoint *c)
{
	for (int64_t e = c->own.first * c->blocks; e < c->own.end * c->blocks; e++)
		if (c->saved[e] == 0)
			return false;
	return true;
}

/* What there is of a block: the last state that is whole. */
static knng_status
load(knng_checkpoint *c, int64_t block, knng_err *err)
{
	char name[40];
	head h[STATES] = {empty, empty};
	int64_t step = state_bytes_of(c, block);
	name_of(block, name);
	knng_kept *file = open_block(c, name, STATES * step);
	if (file == NULL)
		return fail(c->path, "write", err);
	knng_neighbours *lists;
	knng_status status = knng_shelf_show(c->lists, block, false, &lists, err);
	bool is[STATES] = {false};
	for (int s = 0; s < STATES && status == KNNG_OK; s++) {
		is[s] = read_head(file, s * step, &h[s]);
		if (is[s] && !is_same_search(&c->search, &h[s]))
			status = refuse_other(c->path, &c->search, &h[s], err);
		is[s] = is[s] && h[s].block == block;
	}
	int first = is[1] && (!is[0] || h[1].count > h[0].count) ? 1 : 0;
	for (int s = 0; s < STATES && status == KNNG_OK && c->newest[block] < 0; s++) {
		int state = s == 0 ? first : 1 - first;
		if (is[state] && read_body(c, file, state * step, &h[state], lists)) {
			c->newest[block] = (int8_t)state;
			c->count[block] = h[state].count;
			c->rows[block] = h[state].rows;
			c->resumes = true;
			status = knng_shelf_show(c->lists, block, true, &lists, err);
		}
	}
	if (status == KNNG_OK && c->newest[block] < 0)
		forget(c, block, lists);
	knng_kept_close(file);
	return status;
}

/* Removes files of blocks that this search does not have. */
static bool
remove_other(void *context, const char *name)
{
	knng_checkpoint *c = context;
	char expected[40];
	long long block;
	if (sscanf(name, "block-%lld", &block) != 1 || (block >= 0 && block < c->blocks))
		return true;
	name_of(block, expected);
	if (strcmp(name, expected) == 0)
		knng_folder_remove(c->folder, name);
	return true;
}

double
knng_checkpoint_bytes(int64_t n, int64_t size)
{
	double blocks = (double)knng_parts(size < n ? size : n, n);
	return blocks * (8 * blocks + 48) + 4096;
}

static knng_status
make(knng_checkpoint *c, const char *path, knng_err *err)
{
	size_t length = strlen(path) + 1;
	int64_t blocks = c->blocks;
	c->path = knng_alloc((int64_t)length, 1);
	c->hash = knng_calloc(blocks, sizeof *c->hash);
	c->saved = knng_calloc(blocks * blocks, sizeof *c->saved);
	c->rows = knng_calloc(blocks, sizeof *c->rows);
	c->count = knng_calloc(blocks, sizeof *c->count);
	c->newest = knng_alloc(blocks, sizeof *c->newest);
	c->changed = knng_calloc(blocks, sizeof *c->changed);
	if (c->path == NULL || c->hash == NULL || c->saved == NULL || c->rows == NULL || c->count == NULL ||
	    c->newest == NULL || c->changed == NULL)
		return knng_fail_memory(err, "the checkpoint", knng_checkpoint_bytes(c->search.n, c->search.size));
	memcpy(c->path, path, length);
	memset(c->newest, -1, (size_t)blocks);
	return KNNG_OK;
}

knng_status
knng_checkpoint_open(knng_checkpoint **checkpoint, const char *path, const knng_question *q, int64_t size,
		     knng_shelf *lists, bool joins, knng_err *err)
{
	*checkpoint = NULL;
	knng_checkpoint *c = knng_calloc(1, sizeof *c);
	if (c == NULL)
		return knng_fail_memory(err, "the checkpoint", sizeof *c);
	c->lists = lists;
	c->blocks = knng_parts(size, q->x.n);
	c->own = (knng_part){lists->first / size, knng_parts(size, lists->first + lists->n)};
	c->search = head_of(q);
	c->search.size = size;
	look l = {0};
	knng_status status = make(c, path, err);
	if (status == KNNG_OK && (c->folder = knng_folder_open(path, !joins)) == NULL)
		status = fail(path, "make", err);
	if (status == KNNG_OK && !joins)
		status = look_at(c->folder, path, c->search, &l, err);
	if (status == KNNG_OK && !joins && !l.found)
		status = knng_checkpoint_room(path, knng_checkpoint_disk(q->x.n, q->k, size), err);
	for (int64_t b = c->own.first; status == KNNG_OK && b < c->own.end; b++)
		status = load(c, b, err);
	if (status == KNNG_OK && c->barred != 0 && !is_finished(c)) {
		errno = c->barred;
		status = fail(path, "write", err);
	}
	if (status == KNNG_OK && !joins && !knng_folder_each(c->folder, remove_other, c))
		status = fail(path, "read", err);
	c->last = knng_seconds();
	if (status != KNNG_OK) {
		knng_checkpoint_close(c);
		return status;
	}
	*checkpoint = c;
	return KNNG_OK;
}

void
knng_checkpoint_close(knng_checkpoint *c)
{
	if (c == NULL)
		return;
	knng_folder_close(c->folder);
	knng_free(c->path);
	knng_free(c->hash);
	knng_free(c->saved);
	knng_free(c->rows);
	knng_free(c->count);
	knng_free(c->newest);
	knng_free(c->changed);
	knng_free(c);
}

/* ---- what has met ---- */

bool
knng_checkpoint_resumes(const knng_checkpoint *c)
{
	return c->resumes;
}

bool
knng_checkpoint_knows(const knng_checkpoint *c, int64_t block)
{
	return c->hash[block] != 0;
}

knng_status
knng_checkpoint_show(knng_checkpoint *c, int64_t block, const void *rows, knng_err *err)
{
	knng_part part = rows_of(c, block);
	int64_t bytes = c->search.d * knng_type_bytes(c->search.type);
	return knng_checkpoint_tell(c, block, knng_hash_of(rows, (part.end - part.first) * bytes), err);
}

uint64_t
knng_checkpoint_hash(const knng_checkpoint *c, int64_t block)
{
	return c->hash[block];
}

knng_status
knng_checkpoint_tell(knng_checkpoint *c, int64_t block, uint64_t hash, knng_err *err)
{
	knng_part part = rows_of(c, block);
	for (int64_t b = c->own.first; b < c->own.end; b++) {
		uint64_t saved = c->saved[b * c->blocks + block];
		if (saved != 0 && saved != hash)
			return knng_fail(
				err, KNNG_EIO, "knng:checkpoint:data",
				"the checkpoint in %.200s was made of other rows: of rows %lld to %lld some are not "
				"what they were (with 'Metafeatures' other operations, or in another order, make other "
				"rows). Name another folder, or remove the files block-*.knng there",
				c->path, (long long)part.first + 1, (long long)part.end);
	}
	c->hash[block] = hash;
	return KNNG_OK;
}

bool
knng_checkpoint_says(const knng_checkpoint *c, int64_t a, int64_t b)
{
	return c->saved[a * c->blocks + b] != 0;
}

bool
knng_checkpoint_has(const knng_checkpoint *c, int64_t a, int64_t b)
{
	return knng_checkpoint_says(c, a, b) && knng_checkpoint_says(c, b, a);
}

void
knng_checkpoint_note(knng_checkpoint *c, int64_t a, int64_t b)
{
	knng_checkpoint_note_side(c, a, b);
	knng_checkpoint_note_side(c, b, a);
}

void
knng_checkpoint_note_side(knng_checkpoint *c, int64_t a, int64_t b)
{
	c->saved[a * c->blocks + b] = c->hash[b];
	c->changed[a] = true;
}

knng_block_rows *
knng_checkpoint_rows(knng_checkpoint *c, int64_t block)
{
	return &c->rows[block];
}

/* ---- saving ---- */

static knng_status
fail_to_save(const knng_checkpoint *c, const char *why, knng_err *err)
{
	return knng_fail(err, KNNG_EIO, "knng:checkpoint:write", "the checkpoint in %.200s could not be saved: %.250s",
			 c->path, why);
}

static knng_status
save_block(knng_checkpoint *c, int64_t block, knng_err *err)
{
	knng_neighbours *lists;
	knng_err problem = {0};
	if (knng_shelf_show(c->lists, block, false, &lists, &problem) != KNNG_OK)
		return fail_to_save(c, problem.text, err);
	char name[40];
	part parts[PARTS];
	knng_hasher sum;
	int state = c->newest[block] == 0 ? 1 : 0;
	int64_t step = state_bytes_of(c, block), at = state * step;
	head h = c->search;
	name_of(block, name);
	knng_kept *file = knng_kept_open(c->folder, name, KNNG_KEPT_AS_IS);
	if (file == NULL)
		return fail_to_save(c, strerror(errno), err);
	parts_of(c, block, lists, parts);
	knng_hash_open(&sum);
	for (int p = 0; p < PARTS; p++)
		knng_hash_add(&sum, parts[p].data, parts[p].bytes);
	h.block = block;
	h.rows = c->rows[block];
	h.count = c->count[block] + 1;
	h.body = knng_hash_close(&sum);
	h.hash = hash_of_head(h);
	bool fine = knng_kept_write(file, at, &h, sizeof h);
	at += (int64_t)sizeof h;
	for (int p = 0; p < PARTS && fine; at += parts[p++].bytes)
		fine = knng_kept_write(file, at, parts[p].data, parts[p].bytes);
	fine = fine && knng_kept_sync(file);
	int reason = errno;
	knng_kept_close(file);
	if (!fine)
		return fail_to_save(c, strerror(reason), err);
	c->newest[block] = (int8_t)state;
	c->count[block] = h.count;
	c->changed[block] = false;
	return KNNG_OK;
}

knng_status
knng_checkpoint_save(knng_checkpoint *c, bool due, double every, knng_err *err)
{
	double start = knng_seconds();
	knng_status status = KNNG_OK;
	if (every <= 0)
		every = fmax(600, 50 * c->cost);
	if (due && start - c->last < every)
		return KNNG_OK;
	for (int64_t b = 0; b < c->blocks; b++)
		if (c->changed[b] && save_block(c, b, err) != KNNG_OK)
			status = KNNG_EIO;
	c->last = knng_seconds();
	c->cost = c->last - start;
	return status;
}
