/* graph_head.c  Where the tables lie; HDF5's library describes a graph, in memory.
 *
 * It is told that the tables take their space at once and are filled by nobody, and is asked where they lie. What it
 * writes of them is their head alone, to its driver for files in memory, which keeps what was written and nothing of
 * the space that was only claimed. So it needs no file, takes no locks, and never sees the numbers. Of everything that
 * depends on its version, as far as it can be told, the oldest form is taken: MATLAB's files have it, too. */
#include "io/graph_head.h"
#include "base/sys.h"
#include "io/hdf5.h"

#include <string.h>

bool
knng_graph_places_of(const knng_graph_shape *shape, knng_graph_places *places)
{
	int64_t all;
	if (!knng_mul(shape->n, shape->k, 4 + knng_type_bytes(shape->type), &all) || all > INT64_MAX - KNNG_GRAPH_HEAD)
		return false;
	places->idx = KNNG_GRAPH_HEAD;
	places->dist = KNNG_GRAPH_HEAD + 4 * shape->n * shape->k;
	places->end = KNNG_GRAPH_HEAD + all;
	return true;
}

#ifndef KNNG_HDF5

knng_status
knng_graph_out_can(knng_err *err)
{
	return knng_fail(err, KNNG_EIO, "knng:io:noHDF",
			 "knng was built without HDF5, and cannot write .h5, .hdf5 and .mat: install it (Debian: "
			 "libhdf5-dev and pkg-config), run make again, and restart Octave");
}

knng_status
knng_graph_head(const knng_graph_shape *shape, unsigned char head[KNNG_GRAPH_HEAD], knng_err *err)
{
	(void)shape;
	memset(head, 0, KNNG_GRAPH_HEAD);
	return knng_graph_out_can(err);
}

#else

knng_status
knng_graph_out_can(knng_err *err)
{
	knng_status status = knng_hdf5_enter(err);
	knng_hdf5_leave();
	return status;
}

/* ---- the file in memory ---- */

/* It has its room before the library is entered: HDF5 from 2.0 on may end the process, by an assertion, where the room
 * for a new file is refused. */
typedef struct {
	unsigned char *bytes;
	size_t room, size; /* size: what the library has asked for */
} image;

static bool
open_image(image *m, size_t room)
{
	*m = (image){.bytes = knng_calloc((int64_t)room, 1), .room = room};
	return m->bytes != NULL;
}

/* More than the room is asked for only where knng_graph_head refuses what comes. */
static void *
image_resize(void *former, size_t size, H5FD_file_image_op_t op, void *context)
{
	image *m = context, larger = *m;
	(void)former, (void)op;
	if (size > m->room) {
		if (!open_image(&larger, size))
			return NULL;
		memcpy(larger.bytes, m->bytes, m->room);
		knng_free(m->bytes);
	}
	larger.size = size;
	*m = larger;
	return m->bytes;
}

static void *
image_make(size_t size, H5FD_file_image_op_t op, void *context)
{
	return image_resize(NULL, size, op, context);
}

/* The bytes stay, for knng_graph_head. */
static herr_t
image_leave(void *bytes, H5FD_file_image_op_t op, void *context)
{
	(void)bytes, (void)op, (void)context;
	return 0;
}

static void *
same_context(void *context)
{
	return context;
}

static herr_t
keep_context(void *context)
{
	(void)context;
	return 0;
}

/* ---- what is in it ---- */

/* Lists of properties, all of which stay open to the end. */
typedef struct {
	hid_t file_creation, file_access, table_creation, space;
} settings;

static void
close_settings(settings *s)
{
	hid_t *lists[] = {&s->file_creation, &s->file_access, &s->table_creation};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (*lists[i] >= 0)
			H5Pclose(*lists[i]);
	if (s->space >= 0)
		H5Sclose(s->space);
}

static bool
open_settings(settings *s, const knng_graph_shape *shape, image *m)
{
	const hsize_t sizes[] = {(hsize_t)shape->k, (hsize_t)shape->n};
	H5FD_file_image_callbacks_t calls = {image_make,   NULL, image_resize, image_leave, same_context,
					     keep_context, m};
	*s = (settings){H5Pcreate(H5P_FILE_CREATE), H5Pcreate(H5P_FILE_ACCESS), H5Pcreate(H5P_DATASET_CREATE),
			H5Screate_simple(2, sizes, NULL)};
	/* The head is one piece of this size, and each table is a piece of its own behind it. */
	return s->file_creation >= 0 && s->file_access >= 0 && s->table_creation >= 0 && s->space >= 0 &&
	       H5Pset_userblock(s->file_creation, KNNG_GRAPH_BLOCK) >= 0 &&
	       H5Pset_obj_track_times(s->file_creation, false) >= 0 &&
	       H5Pset_fapl_core(s->file_access, KNNG_GRAPH_HEAD, false) >= 0 &&
	       H5Pset_file_image_callbacks(s->file_access, &calls) >= 0 &&
	       H5Pset_libver_bounds(s->file_access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18) >= 0 &&
	       H5Pset_meta_block_size(s->file_access, KNNG_GRAPH_HEAD - KNNG_GRAPH_BLOCK) >= 0 &&
	       H5Pset_small_data_block_size(s->file_access, 0) >= 0 &&
	       H5Pset_layout(s->table_creation, H5D_CONTIGUOUS) >= 0 &&
	       H5Pset_alloc_time(s->table_creation, H5D_ALLOC_TIME_EARLY) >= 0 &&
	       H5Pset_fill_time(s->table_creation, H5D_FILL_TIME_NEVER) >= 0 &&
	       H5Pset_obj_track_times(s->table_creation, false) >= 0;
}

/* An attribute that is a text. */
static bool
note(hid_t object, const char *name, const char *value)
{
	hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), attribute = -1;
	if (type >= 0 && space >= 0 && H5Tset_size(type, strlen(value)) >= 0)
		attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
	bool fine = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
	if (attribute >= 0)
		fine &= H5Aclose(attribute) >= 0;
	if (space >= 0)
		H5Sclose(space);
	if (type >= 0)
		H5Tclose(type);
	return fine;
}

/* A table, whose numbers have to lie where everybody looks for them; one of no columns lies nowhere. */
static bool
add_table(hid_t file, const settings *s, const char *name, hid_t type, const char *class, int64_t at, int64_t k)
{
	hid_t table = H5Dcreate2(file, name, type, s->space, H5P_DEFAULT, s->table_creation, H5P_DEFAULT);
	if (table < 0)
		return false;
	bool fine = note(table, "MATLAB_class", class) && (k == 0 || H5Dget_offset(table) == (haddr_t)at);
	return H5Dclose(table) >= 0 && fine;
}

/* Writes the head to m. */
static bool
describe(const knng_graph_shape *shape, const knng_graph_places *places, image *m)
{
	settings s;
	bool single = shape->type == KNNG_F32, fine = open_settings(&s, shape, m);
	/* The library looks whether there is a file of this name, even of one in memory: there is none. */
	hid_t file = fine ? H5Fcreate("/dev/null/graph", H5F_ACC_TRUNC, s.file_creation, s.file_access) : -1;
	fine = file >= 0 && note(file, "metric", shape->metric) &&
	       add_table(file, &s, "idx", H5T_STD_I32LE, "int32", places->idx, shape->k) &&
	       add_table(file, &s, "dist", single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, single ? "single" : "double",
			 places->dist, shape->k);
	if (file >= 0)
		fine &= H5Fclose(file) >= 0;
	close_settings(&s);
	return fine;
}

knng_status
knng_graph_head(const knng_graph_shape *shape, unsigned char head[KNNG_GRAPH_HEAD], knng_err *err)
{
	image m;
	knng_graph_places places;
	if (!open_image(&m, KNNG_GRAPH_HEAD))
		return knng_fail_memory(err, "the head of a file", KNNG_GRAPH_HEAD);
	knng_status status = knng_hdf5_enter(err);
	bool fine = status == KNNG_OK && knng_graph_places_of(shape, &places) && describe(shape, &places, &m);
	knng_hdf5_leave();
	if (status == KNNG_OK && (!fine || m.size != KNNG_GRAPH_HEAD))
		status = knng_fail(err, KNNG_EINTERNAL, "knng:internal:hdf5",
				   "the HDF5 library on this machine lays files out in another way than knng expects: "
				   "write the graph in another format, and report this, please");
	if (status == KNNG_OK)
		memcpy(head, m.bytes, KNNG_GRAPH_HEAD);
	knng_free(m.bytes);
	return status;
}

#endif
