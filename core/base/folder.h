/* folder.h  A folder of a program's own, and files in it that are written at any place and put on the disk.
 *
 * Every call is counted (sys.h). What fails says why in errno. */
#ifndef KNNG_FOLDER_H
#define KNNG_FOLDER_H

#include "base/knng_base.h"

/* The folder, with `make` made where it is not there; its own folder has to be. A leading ~ is as in file.h. It is this
 * process's alone until it is closed: NULL and EWOULDBLOCK while another has it. */
typedef struct knng_folder knng_folder;
knng_folder *knng_folder_open(const char *path, bool make);
void knng_folder_close(knng_folder *f); /* NULL is fine */

/* Calls each(context, name) for what is in it, in no order, until one says false. False: it cannot be read. */
bool knng_folder_each(knng_folder *f, bool (*each)(void *context, const char *name), void *context);

/* Removes a file; true also where there was none. */
bool knng_folder_remove(knng_folder *f, const char *name);

/* A file of the folder. bytes: 0, and it has to be there; else it is made, or takes this size, and the space is claimed
 * on the disk. read: true if all bytes were there. sync: what was written is on the disk. */
typedef struct knng_kept knng_kept;
knng_kept *knng_kept_open(knng_folder *f, const char *name, int64_t bytes);
int64_t knng_kept_size(const knng_kept *k);
bool knng_kept_read(knng_kept *k, int64_t at, void *to, int64_t bytes);
bool knng_kept_write(knng_kept *k, int64_t at, const void *from, int64_t bytes);
bool knng_kept_sync(knng_kept *k);
void knng_kept_close(knng_kept *k); /* NULL is fine */

#endif
