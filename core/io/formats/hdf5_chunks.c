/* hdf5_chunks.c  Chunks of HDF5, see hdf5_chunks.h.
 *
 * Chunks that are shuffled, deflated (gzip) or summed (fletcher32) are read as they are stored and unpacked here, with
 * every size checked: the library believes what a damaged file says of the size of a chunk, and its filters what the
 * chunk says. So no filter of it runs, and what others have packed is refused. Plain chunks are all of one size, which
 * the library does not look up, and it reads them. */
#include "io/formats/hdf5_chunks.h"

#ifdef KNNG_HDF5
#include "base/sys.h"
#include "base/task.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

enum {
	BOX = 1 << 22, /* bytes of a box, of a dataset that has no chunks */
	WORTH = 1024,  /* of so many places one has to be empty, and some more, before all are looked up */
	SOME = 8,
};

typedef struct chunks chunks;
struct chunks {
	knng_matrix_boxes boxes; /* the first: it is what others have of this */
	const knng_store *store;
	hid_t file, dataset, type;
	int rank; /* of the dataset; that of the boxes is one more for a vector */
	bool (*get)(chunks *c, const hsize_t *first, char *to, const char **why);
	int shuffle, deflate, sum; /* which filter they are; -1: there is none */
	bool whole_only;           /* chunks that reach over the end went through none */
	int64_t bytes, most;       /* of a chunk, and of what may be stored for one */
	char *packed, *shuffled;
	bool filled; /* what was never written has this value */
	char fill[8];
	/* Of places that hold nothing by the first look. */
	int64_t places, empty; /* in all, and those that were met so far */
	enum { UNKNOWN, SOUND, UNSOUND } index;
};

static const char damaged[] = "is damaged";

/* ---- one chunk ---- */

static bool
put_fill(const chunks *c, char *to, const char **why)
{
	int64_t size = c->boxes.boxed.element->bytes;
	*why = "was never written";
	for (int64_t at = 0; c->filled && at < c->bytes; at += size)
		memcpy(to + at, c->fill, (size_t)size);
	return c->filled;
}

static bool
get_fill(chunks *c, const hsize_t *first, char *to, const char **why)
{
	(void)first;
	return put_fill(c, to, why);
}

/* A whole zlib stream, which has to be as long as a chunk. */
static bool
inflate_all(const char *from, int64_t bytes, char *to, int64_t room)
{
	z_stream z = {.next_in = (Bytef *)from, .next_out = (Bytef *)to};
	int code = inflateInit(&z);
	if (code != Z_OK)
		return false;
	while (code == Z_OK) { /* a chunk may have more bytes than an unsigned int counts */
		int64_t in = bytes - ((char *)z.next_in - from), out = room - ((char *)z.next_out - to);
		z.avail_in = in < BOX ? (uInt)in : BOX;
		z.avail_out = out < BOX ? (uInt)out : BOX;
		code = inflate(&z, Z_NO_FLUSH);
	}
	bool whole = code == Z_STREAM_END && (char *)z.next_out == to + room;
	inflateEnd(&z);
	return whole;
}

/* All first bytes of the numbers lie together, then all second ones. */
static void
unshuffle(const char *from, int64_t bytes, int size, char *to)
{
	int64_t count = bytes / size;
	for (int64_t begin = 0; begin < count; begin += 4096) /* so that what is written stays in the cache */
		for (int b = 0; b < size; b++)
			for (int64_t i = begin; i < begin + 4096 && i < count; i++)
				to[i * size + b] = from[b * count + i];
}

/* Whether the last four bytes are the checksum of those before, Fletcher's of 32 bits as HDF5 has it; its first
 * releases had the bytes of each half the other way round. */
static bool
is_whole(const unsigned char *at, int64_t bytes)
{
	uint32_t low = 0, high = 0;
	if (bytes < 4)
		return false;
	bytes -= 4;
	const unsigned char *end = at + bytes;
	for (int64_t i = 0; i < bytes; i += 2) {
		low += (uint32_t)at[i] << 8 | (i + 1 < bytes ? at[i + 1] : 0);
		high += low;
		if (i % 720 == 718 || i + 2 >= bytes) { /* before one of them overflows */
			low = (low & 0xFFFF) + (low >> 16);
			high = (high & 0xFFFF) + (high >> 16);
		}
	}
	low = (low & 0xFFFF) + (low >> 16);
	high = (high & 0xFFFF) + (high >> 16);
	const unsigned char sum[] = {low & 255, low >> 8 & 255, high & 255, high >> 8 & 255},
			    former[] = {sum[1], sum[0], sum[3], sum[2]};
	return memcmp(end, sum, 4) == 0 || memcmp(end, former, 4) == 0;
}

/* Bytes that are stored for a chunk, looked up where H5Dread_chunk does; false for one that was never written, or where
 * the index is damaged. */
static bool
look_up(const chunks *c, const hsize_t *first, hsize_t *stored)
{
	*stored = 0;
	if (H5Dget_chunk_storage_size(c->dataset, first, stored) >= 0 && *stored > 0)
		return true;
	*stored = 0;
	return false;
}

/* To the next place of all; false: there is none. */
static bool
next_place(const chunks *c, hsize_t *first)
{
	const knng_boxed *b = &c->boxes.boxed;
	for (int i = c->rank - 1; i >= 0; i--) {
		first[i] += (hsize_t)b->box[i];
		if (first[i] < (hsize_t)b->size[i])
			return true;
		first[i] = 0;
	}
	return false;
}

/* Whether as many chunks are found by their places as there are when all are gone through: then what is not found was
 * never written. UNKNOWN: the task says stop. */
static int
check_index(const chunks *c)
{
	const knng_task *task = knng_store_task(c->store);
	hsize_t first[KNNG_BOX_RANK] = {0}, stored, there;
	int64_t looked = 0, found = 0;
	hid_t space = H5Dget_space(c->dataset); /* releases before 1.12 do not take H5S_ALL */
	bool counted = space >= 0 && H5Dget_num_chunks(c->dataset, space, &there) >= 0;
	if (space >= 0)
		H5Sclose(space);
	if (!counted)
		return UNSOUND;
	do {
		found += look_up(c, first, &stored);
		if (++looked % WORTH == 0 && task != NULL && knng_task_poll(task, NULL) != KNNG_OK)
			return UNKNOWN;
	} while (next_place(c, first));
	return (hsize_t)found == there ? SOUND : UNSOUND;
}

/* Whether anything is stored for a chunk, and how many bytes. What is not found by its place is looked for among all
 * chunks, of which two may claim one place. That takes a step for each: so where many places are empty, and the chunks
 * are as many as the places that hold one, it is left out. False: the file is damaged. */
static bool
find_stored(chunks *c, const hsize_t *first, hsize_t *stored)
{
	hsize_t other = 0;
	haddr_t at = HADDR_UNDEF;
	unsigned in_index = 0;
	if (look_up(c, first, stored))
		return true;
	if (c->index == UNKNOWN && ++c->empty > SOME + c->places / WORTH)
		c->index = check_index(c);
	if (c->index == SOUND)
		return true;
	return H5Dget_chunk_info_by_coord(c->dataset, first, &in_index, &at, &other) >= 0 &&
	       (at == HADDR_UNDEF || other == 0);
}

static bool
reaches_over(const knng_boxed *b, const hsize_t *first, int rank)
{
	for (int i = 0; i < rank; i++)
		if ((int64_t)first[i] > b->size[i] - b->box[i])
			return true;
	return false;
}

/* Through which filters a chunk went: bit f of skipped says that filter f was left out. */
static bool
went_through(int filter, uint32_t skipped)
{
	return filter >= 0 && !(skipped >> filter & 1);
}

static bool
unpack(const chunks *c, int64_t stored, uint32_t skipped, char *to)
{
	bool deflated = went_through(c->deflate, skipped), shuffled = went_through(c->shuffle, skipped);
	const char *from = c->packed;
	if (went_through(c->sum, skipped)) {
		if (!is_whole((const unsigned char *)from, stored))
			return false;
		stored -= 4;
	}
	if (deflated) {
		if (!inflate_all(from, stored, shuffled ? c->shuffled : to, c->bytes))
			return false;
		from = c->shuffled;
	} else if (stored != c->bytes) {
		return false;
	}
	if (shuffled)
		unshuffle(from, c->bytes, c->boxes.boxed.element->bytes, to);
	else if (!deflated)
		memcpy(to, from, (size_t)c->bytes);
	return true;
}

static bool
get_packed(chunks *c, const hsize_t *first, char *to, const char **why)
{
	hsize_t stored;
	uint32_t skipped = 0;
	*why = damaged;
	if (!find_stored(c, first, &stored))
		return false;
	if (stored == 0)
		return put_fill(c, to, why);
	if (stored > (hsize_t)c->most || H5Dread_chunk(c->dataset, H5P_DEFAULT, first, &skipped, c->packed) < 0)
		return false;
	if (c->whole_only && reaches_over(&c->boxes.boxed, first, c->rank))
		skipped = UINT32_MAX;
	return unpack(c, (int64_t)stored, skipped, to);
}

/* By the library, which has no filter to run. */
static bool
get_by_library(chunks *c, const hsize_t *first, char *to, const char **why)
{
	const knng_boxed *b = &c->boxes.boxed;
	hsize_t begin[KNNG_BOX_RANK] = {0}, count[KNNG_BOX_RANK], box[KNNG_BOX_RANK];
	for (int i = 0; i < c->rank; i++) {
		hsize_t left = (hsize_t)b->size[i] - first[i];
		box[i] = (hsize_t)b->box[i];
		count[i] = left < box[i] ? left : box[i];
	}
	*why = damaged;
	memset(to, 0, (size_t)c->bytes);
	hid_t from = H5Dget_space(c->dataset), in = H5Screate_simple(c->rank, box, NULL);
	bool fine = from >= 0 && in >= 0 && H5Sselect_hyperslab(from, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
		    H5Sselect_hyperslab(in, H5S_SELECT_SET, begin, NULL, count, NULL) >= 0 &&
		    H5Dread(c->dataset, c->type, in, from, H5P_DEFAULT, to) >= 0;
	if (from >= 0)
		H5Sclose(from);
	if (in >= 0)
		H5Sclose(in);
	return fine;
}

static bool
get_plain(chunks *c, const hsize_t *first, char *to, const char **why)
{
	hsize_t stored;
	*why = damaged;
	if (!find_stored(c, first, &stored))
		return false;
	return stored == 0 ? put_fill(c, to, why) : get_by_library(c, first, to, why);
}

static knng_status
fetch(void *context, const int64_t *first, void *to, knng_err *err)
{
	chunks *c = context;
	const char *path = c->boxes.boxed.path, *why = damaged;
	hsize_t at[KNNG_BOX_RANK];
	if (knng_sys_fault())
		return knng_fail(err, KNNG_EIO, "knng:io:open", "cannot read %.200s: %s", path, strerror(EIO));
	for (int i = 0; i < c->rank; i++)
		at[i] = (hsize_t)first[i];
	knng_status status = knng_hdf5_enter(err);
	bool fine = status == KNNG_OK && c->get(c, at, to, &why);
	knng_hdf5_leave();
	if (status != KNNG_OK)
		return status;
	if (!knng_store_as_before(c->store))
		return knng_fail(err, KNNG_EIO, "knng:io:open",
				 "cannot read %.200s: it has changed since it was opened", path);
	return fine ? KNNG_OK
		    : knng_fail(err, KNNG_EIO, "knng:io:format",
				"%.200s: the chunk of the dataset that begins at (%lld, %lld%s), counted from 0, %s",
				path, (long long)first[0], (long long)first[1], c->rank > 2 ? ", ..." : "", why);
}

/* ---- open and close ---- */

static void
close_chunks(knng_matrix_boxes *boxes)
{
	chunks *c = (chunks *)boxes;
	if (knng_hdf5_enter(NULL) == KNNG_OK) {
		H5Tclose(c->type);
		H5Dclose(c->dataset);
		H5Fclose(c->file);
	}
	knng_hdf5_leave();
	knng_sys_live(-1);
	knng_free(c->packed);
	knng_free(c->shuffled);
	knng_free(c);
}

/* Of the filter of this number, its place, if it is one that is undone here and stands where HDF5's own tools put it;
 * else NULL. */
static int *
place_of(chunks *c, H5Z_filter_t id, int i, int filters)
{
	return id == H5Z_FILTER_SHUFFLE && i == 0                ? &c->shuffle
	       : id == H5Z_FILTER_DEFLATE && i == c->shuffle + 1 ? &c->deflate
	       : id == H5Z_FILTER_FLETCHER32 && i == filters - 1 ? &c->sum
								 : NULL;
}

/* Filter i of the chunks. */
static knng_status
take_filter(chunks *c, hid_t list, int i, int filters, knng_err *err)
{
	char name[64] = "", of[128] = "";
	unsigned flags, config, size = 0;
	size_t values = 1;
	const knng_boxed *b = &c->boxes.boxed;
	H5Z_filter_t id = H5Pget_filter2(list, (unsigned)i, &flags, &values, &size, sizeof name, name, &config);
	if (id < 0)
		return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s is damaged: its chunks have no filter %d",
				 b->path, i + 1);
	int *place = place_of(c, id, i, filters);
	if (place == NULL) {
		H5Iget_name(c->dataset, of, sizeof of);
		return knng_fail(
			err, KNNG_EIO, "knng:io:format",
			"%.200s: the chunks of %.80s are packed by filter %d ('%.40s')%s: only gzip is read, "
			"with or without shuffle before it and fletcher32 behind it; h5repack -f GZIP=4 old.h5 "
			"new.h5 writes the file like that, and in Python compression = 'gzip'",
			b->path, of, (int)id, name,
			id <= H5Z_FILTER_FLETCHER32 ? ", twice or not in the usual order" : "");
	}
	if (id == H5Z_FILTER_SHUFFLE && (values != 1 || size != (unsigned)b->element->bytes))
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s is damaged: its chunks are shuffled as numbers of %u bytes, and have %d",
				 b->path, values > 0 ? size : 0, b->element->bytes);
	*place = i;
	return KNNG_OK;
}

/* Which filters the chunks went through. */
static knng_status
take_filters(chunks *c, hid_t list, knng_err *err)
{
	unsigned options = 0;
	int filters = H5Pget_nfilters(list);
	knng_status status = KNNG_OK;
	c->shuffle = c->deflate = c->sum = -1;
	if (filters < 0 || H5Pget_chunk_opts(list, &options) < 0)
		return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s is damaged: its chunks have no filters",
				 c->boxes.boxed.path);
	c->whole_only = (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
	c->get = filters > 0 ? get_packed : get_plain;
	for (int i = 0; i < filters && status == KNNG_OK; i++)
		status = take_filter(c, list, i, filters, err);
	return status;
}

static void
take_fill(chunks *c, hid_t list)
{
	H5D_fill_value_t defined;
	H5D_fill_time_t when;
	c->filled = H5Pfill_value_defined(list, &defined) >= 0 && defined != H5D_FILL_VALUE_UNDEFINED &&
		    H5Pget_fill_time(list, &when) >= 0 && when != H5D_FILL_TIME_NEVER &&
		    H5Pget_fill_value(list, c->type, c->fill) >= 0;
}

/* A dataset that has no chunks, in boxes of some size. */
static void
cut(knng_boxed *b)
{
	for (int i = 0; i < b->rank; i++)
		b->box[i] = b->size[i];
	for (;;) {
		int longest = 0;
		double bytes = b->element->bytes;
		for (int i = 0; i < b->rank; i++) {
			bytes *= (double)b->box[i];
			longest = b->box[i] > b->box[longest] ? i : longest;
		}
		if (bytes <= BOX)
			return;
		b->box[longest] = (b->box[longest] + 1) / 2;
	}
}

static knng_status
take_chunks(chunks *c, hid_t list, knng_err *err)
{
	knng_boxed *b = &c->boxes.boxed;
	hsize_t box[KNNG_BOX_RANK];
	if (H5Pget_chunk(list, c->rank, box) != c->rank)
		return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s is damaged: its chunks have no size",
				 b->path);
	c->places = 1;
	for (int i = 0; i < c->rank; i++) {
		if ((b->box[i] = (int64_t)box[i]) < 1)
			return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s is damaged: its chunks have no size",
					 b->path);
		int64_t parts = (b->size[i] - 1) / b->box[i] + 1; /* a chunk may be said to have 2^63 - 1 elements */
		if (!knng_mul(c->places, parts, 1, &c->places))
			c->index = UNSOUND; /* nobody looks so many up */
	}
	return take_filters(c, list, err);
}

/* What a chunk takes until it is unpacked. zlib makes of a chunk at most a thousandth and some bytes more. Plain ones
 * the library reads to where they belong. */
static knng_status
claim(chunks *c, knng_err *err)
{
	const knng_boxed *b = &c->boxes.boxed;
	c->bytes = b->element->bytes;
	for (int i = 0; i < b->rank; i++)
		if (!knng_mul(c->bytes, b->box[i], 1, &c->bytes) || c->bytes > INT64_MAX / 4)
			return knng_fail(err, KNNG_EIO, "knng:io:format",
					 "%.200s: its chunks are larger than any memory", b->path);
	c->most = c->bytes + c->bytes / 1000 + 4096;
	bool packed = c->get == get_packed, twice = packed && c->deflate >= 0 && c->shuffle >= 0;
	c->boxes.bytes = KNNG_HDF5_BYTES + (packed ? (double)c->most : 0) + (twice ? (double)c->bytes : 0);
	knng_status status = c->bytes > BOX ? knng_afford(c->boxes.bytes, "a chunk of a file", err) : KNNG_OK;
	if (status == KNNG_OK && ((packed && (c->packed = knng_alloc(c->most, 1)) == NULL) ||
				  (twice && (c->shuffled = knng_alloc(c->bytes, 1)) == NULL)))
		status = knng_fail_memory(err, "a chunk of a file", (double)c->most);
	return status;
}

/* Numbers in the head of a dataset: the library copies as many as its size says, whether they are there or not. */
static knng_status
take_compact(chunks *c, knng_err *err)
{
	knng_boxed *b = &c->boxes.boxed;
	int64_t bytes = (int64_t)H5Tget_size(c->type);
	bool fine = true;
	for (int i = 0; i < c->rank; i++)
		fine = fine && knng_mul(bytes, b->size[i], 1, &bytes);
	if (!fine || H5Dget_storage_size(c->dataset) != (hsize_t)bytes)
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s is damaged: a dataset does not hold as many bytes as its size says", b->path);
	cut(b);
	c->get = get_by_library;
	return KNNG_OK;
}

static knng_status
take_storage(chunks *c, hid_t list, knng_err *err)
{
	knng_status status = KNNG_OK;
	switch (H5Pget_layout(list)) {
	case H5D_CHUNKED:
		status = take_chunks(c, list, err);
		break;
	case H5D_COMPACT:
		status = take_compact(c, err);
		break;
	default: /* in one piece, of which nothing was ever written */
		cut(&c->boxes.boxed);
		c->get = get_fill;
	}
	if (status == KNNG_OK)
		take_fill(c, list);
	return status == KNNG_OK ? claim(c, err) : status;
}

knng_status
knng_hdf5_boxes(knng_matrix_boxes **boxes, const knng_boxed *boxed, const knng_store *s, hid_t file, hid_t dataset,
		int rank, knng_err *err)
{
	*boxes = NULL;
	chunks *c = knng_calloc(1, sizeof *c);
	if (c == NULL)
		return knng_fail_memory(err, "a file of numbers", sizeof *c);
	*c = (chunks){.boxes = {.boxed = *boxed, .close = close_chunks},
		      .store = s,
		      .file = file,
		      .dataset = dataset,
		      .type = H5Dget_type(dataset),
		      .rank = rank};
	c->boxes.boxed.box[rank] = 1; /* the one column of a vector */
	c->boxes.boxed.fetch = fetch;
	c->boxes.boxed.context = c;
	hid_t list = H5Dget_create_plist(dataset);
	knng_status status = c->type < 0 || list < 0
				     ? knng_fail(err, KNNG_EIO, "knng:io:format",
						 "%.200s is damaged: a dataset has no type", boxed->path)
				     : take_storage(c, list, err);
	if (list >= 0)
		H5Pclose(list);
	if (status == KNNG_OK) {
		knng_sys_live(1);
		*boxes = &c->boxes;
		return KNNG_OK;
	}
	if (c->type >= 0)
		H5Tclose(c->type);
	knng_free(c->packed);
	knng_free(c->shuffled);
	knng_free(c);
	return status;
}
#endif
