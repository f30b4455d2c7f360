/* npz.c  A matrix in an archive of NumPy, as numpy.savez and numpy.savez_compressed write it: a zip archive, in which
 * each member is an array as numpy.save writes it (npy.c), and is called as the array, with .npy behind it.
 *
 * What is stored as it is, is read as any file, at its place; what is deflated goes through boxes, each of which is one
 * piece of the array's bytes. */
#include "base/sys.h"
#include "io/formats/listing.h"
#include "io/formats/npy.h"
#include "io/unzip.h"

#include <string.h>

enum { BOX = 1 << 22 /* bytes */, LABEL = 256, LOOKED_AT = 20000 /* members */ };

static const char ending[] = ".npy";

/* Bytes of a member's name before .npy; 0: it has another ending. */
static int
array_name(const char *name)
{
	size_t length = strlen(name), own = sizeof ending - 1;
	return length > own && length < 1 << 16 && strcmp(name + length - own, ending) == 0 ? (int)(length - own) : 0;
}

/* An array of the archive. */
typedef struct {
	char label[LABEL]; /* file and array, for messages */
	knng_store *store;
	knng_unzip *bytes;
	knng_layout lies; /* in its own bytes */
	int dimensions;
} array;

static void
close_array(array *a)
{
	knng_unzip_close(a->bytes);
	knng_free(a);
}

static knng_status
read_bytes(void *context, int64_t at, void *to, int64_t bytes, knng_err *err)
{
	return knng_unzip_read(context, at, to, bytes, err);
}

/* A member as an array of numbers, by its head; to be closed, after an error too. */
static knng_status
open_array(array **made, const char *path, knng_store *s, const knng_zip_member *m, int transposed, knng_err *err)
{
	array *a = *made = knng_calloc(1, sizeof *a);
	if (a == NULL)
		return knng_fail_memory(err, "a file of numbers", sizeof *a);
	snprintf(a->label, sizeof a->label, "%.150s (%.*s)", path, array_name(m->name) < 45 ? array_name(m->name) : 45,
		 m->name);
	a->store = s;
	knng_status status = knng_unzip_open(&a->bytes, a->label, s, m, err);
	const knng_npy from = {.path = a->label, .size = m->size, .read = read_bytes, .context = a->bytes};
	return status == KNNG_OK ? knng_npy_describe(&from, transposed, &a->lies, &a->dimensions, err) : status;
}

/* ---- which one ---- */

/* All arrays. What fails for another reason than what an array is, ends it. */
static knng_status
list_all(knng_listing *l, const char *path, knng_store *s, const knng_zip *zip, knng_err *err)
{
	*l = (knng_listing){.path = path, .what = "array", .cut = zip->count > LOOKED_AT};
	for (int64_t i = 0; i < zip->count && i < LOOKED_AT; i++) {
		char name[KNNG_LISTED_NAME];
		int length = array_name(zip->members[i].name);
		knng_err own = {0};
		array *a;
		if (length == 0)
			continue;
		if (snprintf(name, sizeof name, "%.*s", length, zip->members[i].name) >= (int)sizeof name) {
			l->cut = true;
			continue;
		}
		knng_status status = open_array(&a, path, s, &zip->members[i], -1, &own);
		if (status == KNNG_OK)
			knng_listing_add(l, name, a->dimensions, a->lies.n, a->lies.d);
		else if (status == KNNG_EIO && strcmp(own.id, "knng:io:open") != 0)
			knng_listing_add_refused(l, name);
		else if (err != NULL)
			*err = own;
		if (a != NULL)
			close_array(a);
		if (status != KNNG_OK && (status != KNNG_EIO || strcmp(own.id, "knng:io:open") == 0))
			return status;
	}
	return KNNG_OK;
}

/* The member that is called so, with or without .npy. */
static const knng_zip_member *
find(const knng_zip *zip, const char *name)
{
	size_t length = strlen(name);
	for (int64_t i = 0; i < zip->count; i++) {
		size_t own = (size_t)array_name(zip->members[i].name);
		if (own > 0 && own == length && memcmp(zip->members[i].name, name, length) == 0)
			return &zip->members[i];
	}
	for (int64_t i = 0; i < zip->count; i++)
		if (array_name(zip->members[i].name) > 0 && strcmp(zip->members[i].name, name) == 0)
			return &zip->members[i];
	return NULL;
}

/* What scipy.sparse.save_npz writes, of whatever kind the matrix is. */
static bool
is_sparse(const knng_zip *zip)
{
	return find(zip, "format") != NULL && find(zip, "shape") != NULL && find(zip, "data") != NULL;
}

static knng_status
choose(const char *path, knng_store *s, const knng_matrix_choice *choice, const knng_zip *zip,
       const knng_zip_member **chosen, knng_err *err)
{
	const char *asked = choice->dataset;
	char what[200] = "holds several arrays";
	knng_listing all;
	*chosen = asked != NULL ? find(zip, asked) : NULL;
	if (*chosen != NULL)
		return KNNG_OK;
	if (asked == NULL && is_sparse(zip))
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s is a sparse matrix of SciPy (scipy.sparse.save_npz), which is not read: save "
				 "numpy.savez_compressed ('x.npz', X = x.toarray ())",
				 path);
	knng_status status = list_all(&all, path, s, zip, err);
	const char *only = status == KNNG_OK && asked == NULL ? knng_listing_only(&all) : NULL;
	if (only != NULL)
		*chosen = find(zip, only);
	if (status != KNNG_OK || *chosen != NULL)
		return status;
	if (asked != NULL)
		snprintf(what, sizeof what, "has no array '%.100s'", asked);
	else if (all.cut)
		snprintf(what, sizeof what, "has more arrays, or longer names, than are looked at");
	else if (all.count == 0)
		snprintf(what, sizeof what, "holds no matrix");
	return knng_listing_refuse(&all, what, asked, err);
}

/* ---- where its numbers lie ---- */

/* Boxes of an array that is deflated: its bytes from the first number on are rows behind each other, or columns, in
 * pieces of which each has some whole ones, or a part of one. */
typedef struct {
	knng_matrix_boxes boxes; /* the first: it is what others have of this */
	array *from;
	int64_t bytes; /* of a box */
} unpacked;

static knng_status
fetch(void *context, const int64_t *first, void *to, knng_err *err)
{
	unpacked *u = context;
	const knng_boxed *b = &u->boxes.boxed;
	int64_t lines = b->size[0] - first[0], run = b->size[1] - first[1], size = b->element->bytes;
	lines = lines < b->box[0] ? lines : b->box[0];
	run = run < b->box[1] ? run : b->box[1];
	memset((char *)to + lines * run * size, 0, (size_t)(u->bytes - lines * run * size));
	return knng_unzip_read(u->from->bytes, u->from->lies.at + (first[0] * b->size[1] + first[1]) * size, to,
			       lines * run * size, err);
}

static void
close_unpacked(knng_matrix_boxes *boxes)
{
	unpacked *u = (unpacked *)boxes;
	close_array(u->from);
	knng_free(u);
}

/* They have the array from now on. */
static knng_status
make_boxes(array *a, const char *path, knng_layout *l, knng_err *err)
{
	const knng_layout *lies = &a->lies;
	unpacked *u = knng_calloc(1, sizeof *u);
	if (u == NULL)
		return knng_fail_memory(err, "a file of numbers", sizeof *u);
	knng_boxed *b = &u->boxes.boxed;
	*b = (knng_boxed){.rank = 2,
			  .size = {lies->by_column ? lies->d : lies->n, lies->by_column ? lies->n : lies->d},
			  .by_column = lies->by_column,
			  .element = lies->element,
			  .swapped = lies->swapped,
			  .path = path,
			  .fetch = fetch,
			  .context = u};
	int64_t most = BOX / b->element->bytes, run = b->size[1] < most ? b->size[1] : most, lines = most / run;
	b->box[1] = run;
	b->box[0] = run < b->size[1] ? 1 : lines < b->size[0] ? lines : b->size[0];
	u->bytes = b->box[0] * b->box[1] * b->element->bytes;
	u->boxes.bytes = knng_unzip_bytes(a->bytes);
	u->boxes.close = close_unpacked;
	u->from = a;
	*l = (knng_layout){.n = lies->n, .d = lies->d, .element = lies->element, .boxes = &u->boxes};
	return KNNG_OK;
}

/* Looks at all of the array once, and says where its numbers are. */
static knng_status
lay_out(const char *path, knng_store *s, const knng_zip_member *m, int transposed, knng_layout *l, knng_err *err)
{
	array *a;
	knng_status status = open_array(&a, path, s, m, transposed, err);
	if (status == KNNG_OK)
		status = knng_matrix_fits(a->label, m->size, &a->lies, err);
	if (status == KNNG_OK)
		status = knng_matrix_ends(a->label, m->size, &a->lies, "it is damaged", err);
	if (status == KNNG_OK)
		status = knng_unzip_check(a->bytes, err);
	if (status == KNNG_OK && m->method != KNNG_ZIP_STORED) {
		status = make_boxes(a, path, l, err);
		if (status == KNNG_OK)
			return status;
	} else if (status == KNNG_OK) {
		*l = a->lies;
		l->at += m->at;
	}
	if (a != NULL)
		close_array(a);
	return status;
}

static knng_status
describe(const char *path, knng_store *s, const knng_matrix_choice *choice, knng_layout *l, knng_err *err)
{
	knng_zip zip;
	const knng_zip_member *chosen;
	*l = (knng_layout){0};
	knng_status status = knng_zip_open(&zip, path, s, err);
	if (status == KNNG_OK)
		status = choose(path, s, choice, &zip, &chosen, err);
	if (status == KNNG_OK)
		status = lay_out(path, s, chosen, choice->transposed, l, err);
	if (status == KNNG_OK)
		snprintf(l->name, sizeof l->name, "%.*s", array_name(chosen->name), chosen->name);
	knng_zip_close(&zip);
	return status;
}

/* Other zip archives, such as spreadsheets, have no array as their first member. */
static bool
looks_like(knng_store *s)
{
	unsigned char head[30];
	char name[LABEL] = "";
	int64_t size = knng_store_size(s);
	if (size < (int64_t)sizeof head || !knng_store_read(s, 0, head, sizeof head) || memcmp(head, "PK\3\4", 4) != 0)
		return false;
	int64_t length = head[26] | head[27] << 8;
	return length < LABEL && size - (int64_t)sizeof head >= length &&
	       knng_store_read(s, sizeof head, name, length) && array_name(name) > 0;
}

const knng_matrix_format knng_matrix_format_npz = {"npz", {".npz"}, describe, true, looks_like, "an archive of NumPy"};
