/* vectors.c  The files in which collections of vectors are exchanged (little-endian).
 *
 * .fbin, .u8bin, .i8bin: the numbers of rows and columns, 4 bytes each, then the rows. .fvecs, .bvecs, .ivecs: before
 * each row its number of columns, 4 bytes. */
#include "base/sys.h"
#include "io/matrix_file.h"

#include <string.h>
#include <strings.h>

static const struct {
	const char *ending, *element;
} kinds[] = {
	{".fbin", "float32"},  {".u8bin", "uint8"}, {".i8bin", "int8"},
	{".fvecs", "float32"}, {".bvecs", "uint8"}, {".ivecs", "int32"},
};

static const knng_element *
element_of(const char *path)
{
	const char *ending = strrchr(path, '.');
	size_t i = 0;
	while (strcasecmp(ending, kinds[i].ending) != 0)
		i++;
	return knng_element_find(kinds[i].element, (int)strlen(kinds[i].element));
}

static knng_status
describe_bin(const char *path, knng_store *s, const knng_matrix_choice *choice, knng_layout *l, knng_err *err)
{
	(void)choice;
	uint32_t sizes[2];
	knng_status status = knng_matrix_head(path, s, 0, sizes, sizeof sizes, err);
	if (status != KNNG_OK)
		return status;
	*l = (knng_layout){.n = sizes[0], .d = sizes[1], .element = element_of(path), .at = sizeof sizes};
	return knng_matrix_ends(path, knng_store_size(s), l, "is it of this format?", err);
}

static knng_status
describe_vecs(const char *path, knng_store *s, const knng_matrix_choice *choice, knng_layout *l, knng_err *err)
{
	(void)choice;
	int32_t d;
	knng_status status = knng_matrix_head(path, s, 0, &d, sizeof d, err);
	if (status != KNNG_OK)
		return status;
	*l = (knng_layout){.d = d, .element = element_of(path), .prefix = sizeof d};
	int64_t size = knng_store_size(s), stride = l->prefix + l->d * l->element->bytes;
	if (d > 0 && size % stride != 0)
		return knng_fail(err, KNNG_EIO, "knng:io:truncated",
				 "%.200s has %lld bytes, which are no whole number of rows of %d %s numbers: it is cut "
				 "off, or not of this format",
				 path, (long long)size, d, l->element->name);
	l->n = d > 0 ? size / stride : 0;
	return KNNG_OK;
}

const knng_matrix_format knng_matrix_format_bin = {"bin", {".fbin", ".u8bin", ".i8bin"}, describe_bin, false, NULL,
						   NULL};
const knng_matrix_format knng_matrix_format_vecs = {"vecs", {".fvecs", ".bvecs", ".ivecs"}, describe_vecs, false, NULL,
						    NULL};
