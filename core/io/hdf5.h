/* hdf5.h  The door to the HDF5 library.
 *
 * The library is not safe for several threads. Whoever calls it does so between enter and leave, on whatever thread. So
 * knng is never in it twice; Octave, which has the same library, calls it on its main thread, and waits for the gateway
 * meanwhile. */
#ifndef KNNG_HDF5_H
#define KNNG_HDF5_H

#ifdef KNNG_HDF5
#include "base/file.h"
#include <hdf5.h>

/* Between the two the library prints no errors of its own. enter fails with knng:io:noHDF where the library is another
 * one than knng was built with: its own check would end the process. leave is called in any case. */
knng_status knng_hdf5_enter(knng_err *err);
void knng_hdf5_leave(void);

/* A file to be read, the one that the store has; H5I_INVALID_HID: the library cannot open it. Of what it says of its
 * contents the library keeps some KNNG_HDF5_BYTES, of chunks nothing. Between enter and leave. */
enum { KNNG_HDF5_BYTES = 1 << 21 };
hid_t knng_hdf5_open(const char *path, const knng_store *s);

/* Runs look(context), which may open the file and read of it, in a child of this process, and waits for its end: some
 * damaged files crash the library, keep it busy for ever, or are never closed. Then this fails with knng:io:format, and
 * where look returns false, since it has found what would do so later. Otherwise this process may do the same, which
 * may be an error. look calls HDF5, and the allocator, and nothing else; what it changes is lost. Not between enter and
 * leave. Errors: knng:io:format, knng:interrupted, knng:memory:host. Cost: some ms. */
knng_status knng_hdf5_try(const char *path, const knng_store *s, const knng_task *task, bool (*look)(void *context),
			  void *context, knng_err *err);
#endif
#endif
