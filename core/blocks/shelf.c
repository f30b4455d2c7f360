#include "blocks/shelf.h"
#include "base/sys.h"
#include "blocks/hash.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PLACES = KNNG_SHELF_PLACES, PARTS = 3 };

knng_shelf
knng_shelf_of(knng_neighbours *all)
{
	return (knng_shelf){.n = all->n, .k = all->k, .first = all->first, .all = all};
}

double
knng_shelf_bytes(int64_t n, int64_t k, int64_t size)
{
	return PLACES * knng_neighbours_bytes(size, k) + 8 * (double)knng_parts(size, n) + 50000; /* those of file.h */
}

static knng_status
fail_to_open(const knng_shelf *s, int reason, const knng_task *task, knng_err *err)
{
	double bytes = knng_neighbours_bytes(s->n, s->k);
	if (task != NULL && knng_task_poll(task, err) != KNNG_OK)
		return KNNG_EINTERRUPTED;
	if (reason == ENOMEM)
		return knng_fail_memory(err, "a file for lists of neighbours", knng_shelf_bytes(s->n, s->k, s->size));
	if (reason == ENOSPC || reason == EDQUOT || reason == EFBIG)
		return knng_fail(err, KNNG_EIO, "knng:io:write",
				 "the neighbours are kept in a file while they are sought: beside %.200s it takes "
				 "%.1f MB, and there is no room for that (%s): make room there, or give more "
				 "memory ('MaxMemory')",
				 s->path, bytes * 1e-6, strerror(reason));
	return knng_fail(err, KNNG_EIO, "knng:io:open",
			 "the neighbours are kept in a file while they are sought: it cannot be made beside %.200s: %s",
			 s->path, strerror(reason));
}

knng_status
knng_shelf_open(knng_shelf *s, knng_part rows, int64_t k, int64_t size, const char *path, const knng_task *task,
		knng_err *err)
{
	const knng_pair_of_blocks none = {-1, -1};
	int64_t n = rows.end - rows.first;
	*s = (knng_shelf){
		.n = n, .k = k, .first = rows.first, .size = size, .block = {-1, -1, -1}, .kept = {none, none}};
	snprintf(s->path, sizeof s->path, "%.200s", path);
	knng_status status = KNNG_OK;
	for (int p = 0; p < PLACES && status == KNNG_OK; p++)
		status = knng_neighbours_make(&s->place[p], size, k, task != NULL ? task->threads : 0, err);
	if (status == KNNG_OK && (s->hash = knng_calloc(knng_parts(size, n), sizeof *s->hash)) == NULL)
		status = knng_fail_memory(err, "lists of neighbours", knng_shelf_bytes(n, k, size));
	if (status == KNNG_OK && (s->file = knng_out_scratch(path, (int64_t)knng_neighbours_bytes(n, k), task)) == NULL)
		status = fail_to_open(s, errno, task, err);
	if (status != KNNG_OK)
		knng_shelf_close(s);
	return status;
}

void
knng_shelf_close(knng_shelf *s)
{
	knng_aside_end(&s->aside, NULL);
	for (int p = 0; p < PLACES; p++)
		knng_neighbours_free(&s->place[p]);
	knng_free(s->hash);
	if (s->file != NULL)
		knng_out_done(s->file, false);
	s->hash = NULL;
	s->file = NULL;
}

/* ---- the file ---- */

/* Where a part of the lists of a block is. */
typedef struct {
	void *data;
	int64_t at, bytes;
} part;

static void
parts_of(const knng_shelf *s, int place, part parts[PARTS])
{
	const knng_neighbours *l = &s->place[place];
	int64_t at = (l->first - s->first) * (12 * s->k + 1), places = l->n * s->k;
	parts[0] = (part){l->distance, at, 8 * places};
	parts[1] = (part){l->index, at + 8 * places, 4 * places};
	parts[2] = (part){l->level, at + 12 * places, l->n};
}

/* What is known of a block's lists in the file. */
static uint64_t *
hash_in_file(const knng_shelf *s, int64_t block)
{
	return &s->hash[block - s->first / s->size];
}

static uint64_t
hash_of(const part parts[PARTS])
{
	knng_hasher h;
	knng_hash_open(&h);
	for (int p = 0; p < PARTS; p++)
		knng_hash_add(&h, parts[p].data, parts[p].bytes);
	return knng_hash_close(&h);
}

/* Has what is in a place in the file. Where that fails it stays, and is not there. */
static knng_status
put_back(knng_shelf *s, int place, knng_err *err)
{
	part parts[PARTS];
	if (s->block[place] < 0 || !s->changed[place])
		return KNNG_OK;
	parts_of(s, place, parts);
	for (int p = 0; p < PARTS; p++)
		if (knng_out_write_at(s->file, parts[p].at, parts[p].data, parts[p].bytes) != 0)
			return knng_fail(err, KNNG_EIO, "knng:io:write",
					 "the neighbours found so far cannot be written to their file beside %.200s: "
					 "%s",
					 s->path, strerror(errno));
#ifndef KNNG_PLANT_FORGET /* what the tests must find: lists that went to the file, and are taken for empty ones */
	*hash_in_file(s, s->block[place]) = hash_of(parts);
#endif
	s->changed[place] = false;
	return KNNG_OK;
}

/* Fills a place with the lists of a block. */
static knng_status
take(knng_shelf *s, int place, int64_t block, knng_err *err)
{
	part parts[PARTS];
	knng_neighbours *l = &s->place[place];
	knng_part rows = knng_part_of(block, s->size, s->first + s->n);
	knng_status status = put_back(s, place, err);
	if (status != KNNG_OK)
		return status;
	s->block[place] = -1;
	l->first = rows.first;
	l->n = rows.end - rows.first;
	if (*hash_in_file(s, block) == 0) {
		knng_neighbours_clear(l, rows.first, rows.end);
		s->block[place] = block;
		return KNNG_OK;
	}
	parts_of(s, place, parts);
	for (int p = 0; p < PARTS; p++)
		if (knng_out_read_at(s->file, parts[p].at, parts[p].data, parts[p].bytes) != 0)
			return knng_fail(err, KNNG_EIO, "knng:io:open",
					 "the neighbours found so far cannot be read from their file beside %.200s: %s",
					 s->path, strerror(errno));
	if (hash_of(parts) != *hash_in_file(s, block))
		return knng_fail(err, KNNG_EIO, "knng:io:write",
				 "the neighbours found so far come back from their file beside %.200s otherwise than "
				 "they were written: the disk is full, or damaged",
				 s->path);
	s->block[place] = block;
	return KNNG_OK;
}

/* ---- places ---- */

static int
find(const knng_shelf *s, int64_t block)
{
	int place = 0;
	while (place < PLACES && s->block[place] != block)
		place++;
	return place;
}

static bool
is_kept(const knng_shelf *s, int place, int pairs)
{
	int64_t block = s->block[place];
	for (int i = 0; i < pairs && block >= 0; i++)
		if (block == s->kept[i].home || block == s->kept[i].visitor)
			return true;
	return false;
}

/* A place for another block, that so many pairs do not need; PLACES: there is none. */
static int
spare(const knng_shelf *s, int pairs)
{
	int place = 0;
	while (place < PLACES && is_kept(s, place, pairs))
		place++;
	return place;
}

static knng_status
get(knng_shelf *s, int64_t block, bool changes, knng_neighbours **lists, knng_err *err)
{
	int place = find(s, block);
	knng_status status = KNNG_OK;
	if (place == PLACES) {
		place = spare(s, 2);
		place = place < PLACES ? place : spare(s, 1); /* one pair needs two at most */
		status = take(s, place, block, err);
	}
	if (status != KNNG_OK)
		return status;
	s->changed[place] |= changes;
	*lists = &s->place[place];
	return KNNG_OK;
}

knng_status
knng_shelf_show(knng_shelf *s, int64_t block, bool changes, knng_neighbours **lists, knng_err *err)
{
	*lists = s->all;
	if (s->all != NULL)
		return KNNG_OK;
	knng_status status = knng_aside_end(&s->aside, err);
	return status == KNNG_OK ? get(s, block, changes, lists, err) : status;
}

static knng_status
fetch_job(void *context, knng_err *err)
{
	knng_shelf *s = context;
	return take(s, s->fetching, s->wanted, err);
}

/* Begins to fetch what the next pair wants, into the place that this one leaves free. */
static void
fetch_next(knng_shelf *s, knng_pair_of_blocks next)
{
	s->wanted = find(s, next.home) == PLACES ? next.home : next.visitor;
	s->fetching = spare(s, 2);
	if (find(s, s->wanted) == PLACES && s->fetching < PLACES)
		knng_aside_begin(&s->aside, fetch_job, s);
}

knng_status
knng_shelf_bring(knng_shelf *s, knng_pair_of_blocks pair, const knng_pair_of_blocks *next, knng_neighbours **home,
		 knng_neighbours **visitor, knng_err *err)
{
	*home = *visitor = s->all;
	if (s->all != NULL)
		return KNNG_OK;
	double start = knng_seconds();
	knng_status status = knng_aside_end(&s->aside, err);
	s->kept[0] = s->kept[1] = pair;
	if (status == KNNG_OK)
		status = get(s, pair.home, true, home, err);
	if (status == KNNG_OK)
		status = get(s, pair.visitor, true, visitor, err);
	s->waited += knng_seconds() - start;
	if (status != KNNG_OK || next == NULL)
		return status;
	s->kept[1] = *next;
	fetch_next(s, *next);
	return KNNG_OK;
}
