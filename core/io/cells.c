/* cells.c  Where a matrix of single cells lies, see cells.h. */
#include "io/cells.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/sys.h"

#include <errno.h>
#include <string.h>

static const char *const matrices[] = {"matrix.mtx", "matrix.mtx.gz", NULL},
			 *const features[] = {"features.tsv", "features.tsv.gz", "genes.tsv", "genes.tsv.gz", NULL},
			 *const barcodes[] = {"barcodes.tsv", "barcodes.tsv.gz", NULL};

/* Bytes of a path that stand before the name of a matrix; -1: it is not named like one. */
static int
before_name(const char *path)
{
	size_t length = strlen(path);
	for (int i = 0; matrices[i] != NULL; i++) {
		size_t own = strlen(matrices[i]);
		if (length >= own && length < PATH_MAX && strcmp(path + length - own, matrices[i]) == 0)
			return (int)(length - own);
	}
	return -1;
}

/* The first of the names that is a file of a disk, behind the first bytes of a path. */
static bool
find(const char *path, int before, const char *const *names, char found[PATH_MAX])
{
	for (int i = 0; names[i] != NULL; i++)
		if (snprintf(found, PATH_MAX, "%.*s%s", before, path, names[i]) < PATH_MAX && knng_on_disk(found))
			return true;
	return false;
}

bool
knng_cells_beside(const char *matrix, knng_cells *c)
{
	int before = before_name(matrix);
	return before >= 0 && find(matrix, before, features, c->features) &&
	       find(matrix, before, barcodes, c->barcodes);
}

/* The files of a folder that are named like a matrix: of several the first two names, whatever order it has them in. */
typedef struct {
	int count;
	char first[256], second[256];
} matches;

static bool
note(void *context, const char *name)
{
	matches *m = context;
	if (before_name(name) < 0)
		return true;
	if (m->count++ == 0 || strcmp(name, m->first) < 0) {
		memcpy(m->second, m->first, sizeof m->second);
		snprintf(m->first, sizeof m->first, "%.255s", name);
	} else if (m->count == 2 || strcmp(name, m->second) < 0) {
		snprintf(m->second, sizeof m->second, "%.255s", name);
	}
	return true;
}

/* The only file of the folder that is named like a matrix, with something before that. */
static knng_status
find_prefixed(const char *folder, matches *m, knng_err *err)
{
	errno = 0;
	knng_folder *f = knng_folder_open(folder, false);
	bool listed = f != NULL && knng_folder_each(f, note, m);
	int reason = errno;
	knng_folder_close(f);
	if (!listed)
		return knng_fail(err, KNNG_EIO, "knng:io:open", "cannot read %.200s: %s", folder, strerror(reason));
	if (m->count == 0)
		return knng_fail(err, KNNG_EIO, "knng:io:open",
				 "cannot read %.200s: the folder has no matrix.mtx or matrix.mtx.gz, which a matrix of "
				 "cells is, with features.tsv and barcodes.tsv beside it",
				 folder);
	size_t own = strlen(m->first);
	bool packed_too = strncmp(m->first, m->second, own) == 0 && strcmp(m->second + own, ".gz") == 0;
	if (m->count > 2 || (m->count == 2 && !packed_too))
		return knng_fail(err, KNNG_EIO, "knng:io:open",
				 "cannot read %.200s: the folder has several matrices of cells, such as %.100s and "
				 "%.100s: name one of these files",
				 folder, m->first, m->second);
	return KNNG_OK;
}

knng_status
knng_cells_in(const char *folder, char matrix[PATH_MAX], knng_err *err)
{
	knng_cells beside;
	matches m = {0};
	char base[PATH_MAX];
	size_t length = strlen(folder);
	int before = snprintf(base, sizeof base, "%s%s", folder, length > 0 && folder[length - 1] != '/' ? "/" : "");
	if (before >= PATH_MAX)
		return knng_fail(err, KNNG_EIO, "knng:io:open", "cannot read %.200s: %s", folder,
				 strerror(ENAMETOOLONG));
	if (!find(base, before, matrices, matrix)) {
		knng_status status = find_prefixed(folder, &m, err);
		if (status != KNNG_OK)
			return status;
		if (snprintf(matrix, PATH_MAX, "%s%s", base, m.first) >= PATH_MAX)
			return knng_fail(err, KNNG_EIO, "knng:io:open", "cannot read %.200s: %s", folder,
					 strerror(ENAMETOOLONG));
	}
	if (knng_cells_beside(matrix, &beside))
		return KNNG_OK;
	before = before_name(matrix);
	bool named = find(matrix, before, features, beside.features);
	return knng_fail(err, KNNG_EIO, "knng:io:open",
			 "cannot read %.200s: there is no %.*s%s beside it, nor one that ends in .gz: %s", matrix,
			 before < 200 ? before - (int)strlen(base) : 0, m.first,
			 named ? "barcodes.tsv" : "features.tsv (formerly genes.tsv)",
			 named ? "the names of the cells" : "the names of the features");
}
