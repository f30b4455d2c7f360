/* folder.h  A folder of a program's own, and files in it that are written at any place and put on the disk.
 *
 * Every call is counted (sys.h). What fails says why in errno. */
#ifndef KNNG_FOLDER_H
#define KNNG_FOLDER_H

#include "base/knng_base.h"

/* The folder. To write, it is made where it is not there (its own folder has to be), and is this process's alone until
 * it is closed: NULL and EWOULDBLOCK while another has it so. A leading ~ is as in file.h. */
typedef struct knng_folder knng_folder;
knng_folder *knng_folder_open(const char *path, bool to_write);
void knng_folder_close(knng_folder *f); /* NULL is fine */

/* Calls each(context, name) for what is in it, in no order, until one says false. False: it cannot be read. */
bool knng_folder_each(knng_folder *f, bool (*each)(void *context, const char *name), void *context);

/* Bytes that are free on the disk where this folder is, or would be made; -1 and errno: there is no place for it. */
double knng_folder_free(const char *path);

/* Removes a file; true also where there was none. */
bool knng_folder_remove(knng_folder *f, const char *name);

/* A file of the folder. bytes: 0, to read, and it has to be there; KNNG_KEPT_AS_IS, to write too; else it is made, or
 * takes this size, and the space is claimed on the disk. read: true if all bytes were there. sync: what was written is
 * on the disk. */
enum { KNNG_KEPT_AS_IS = -1 };
typedef struct knng_kept knng_kept;
knng_kept *knng_kept_open(knng_folder *f, const char *name, int64_t bytes);
int64_t knng_kept_size(const knng_kept *k);
bool knng_kept_read(knng_kept *k, int64_t at, void *to, int64_t bytes);
bool knng_kept_write(knng_kept *k, int64_t at, const void *from, int64_t bytes);
bool knng_kept_sync(knng_kept *k);
void knng_kept_close(knng_kept *k); /* NULL is fine */

#endif
