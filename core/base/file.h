/* file.h  The only door to files: to read them, gzipped or not, and to write them so that a name stands for a whole
 * file or for what it stood for before.
 *
 * In all names a leading ~/ is the folder of the user, $HOME, and ~name/ that of another. Every call is counted
 * (sys.h). The task, which may be NULL, is looked at wherever a call waits: for the other end of a pipe (FIFO), or for
 * bytes in one. When it says stop, the call fails with EINTR. */
#ifndef KNNG_FILE_H
#define KNNG_FILE_H

#include "base/knng_base.h"

/* The name with ~ replaced, to a room of PATH_MAX bytes; false, and errno: it is too long. A user who is not known
 * stays as written. */
bool knng_path_expand(const char *path, char *out);

/* Whether the path is that of a file of a disk, which is there. */
bool knng_on_disk(const char *path);

/* Whether the path is that of a folder, which is there. */
bool knng_is_folder(const char *path);

/* Whether two paths lead to one file of a disk, which is there. */
bool knng_same_file(const char *a, const char *b);

/* Whether two paths are one place, where nothing may be yet: the same name in the same folder, or one file or folder.
 */
bool knng_same_place(const char *a, const char *b);

/* A file to read, whole gzip streams unpacked, anything else as it is. open: NULL and errno. read: the bytes read,
 * fewer than asked for only at the end, or -1; errno is 0 then if a gzip stream is damaged or stops in the middle. The
 * task has to live as long as the file. */
typedef struct knng_file knng_file;
knng_file *knng_file_open(const char *path, const knng_task *task);
int64_t knng_file_read(knng_file *f, void *buf, int64_t bytes);
void knng_file_close(knng_file *f); /* NULL is fine */

/* A file of a disk that is read at any place, as it is. open: NULL and errno, ESPIPE for a pipe or a device. size: its
 * bytes when it was opened. read: true if all `bytes` from `at` on were there; false and errno, 0 if the file ends
 * before, or has changed since it was opened; what is large by several threads. */
typedef struct knng_store knng_store;
knng_store *knng_store_open(const char *path, const knng_task *task);
int64_t knng_store_size(const knng_store *s);
bool knng_store_read(knng_store *s, int64_t at, void *buf, int64_t bytes);
/* For a library that opens the same file itself. as_before: whether nobody has written to it since it was opened. is:
 * the same, and whether this descriptor is of that file. locked: whether another process has it for itself, to write to
 * it. */
bool knng_store_as_before(const knng_store *s);
bool knng_store_is(const knng_store *s, int fd);
bool knng_store_locked(const knng_store *s);
const knng_task *knng_store_task(const knng_store *s);
void knng_store_close(knng_store *s); /* NULL is fine */

/* A file to write, gzipped if its path ends in ".gz". Links are followed to their end, and the file that it names is
 * written, whether it exists or not. What is written lies beside that file, under a name that nobody can guess, until
 * done has it on the disk; then it takes the name, in one step. It has the rights and, as far as may be, the owner of
 * the file that it replaces, or those of any new file. A pipe or a device is written straight,
 * and so is standard output, whose path is NULL.
 *
 * create: NULL and errno: EACCES also where the file may be replaced but not written, EISDIR for a folder. write, done:
 * 0, or -1 and errno. done frees it in any case; without `keep` nothing is left of it. */
typedef struct knng_out knng_out;
knng_out *knng_out_create(const char *path, const knng_task *task);
int knng_out_write(knng_out *o, const void *buf, int64_t bytes);
int knng_out_done(knng_out *o, bool keep);

/* Whether create could open it, before there is anything to write; false, and errno. What is there stays as it is, and
 * nothing is left beside it; a pipe or a device is not opened, since its other end would see that. */
bool knng_out_can(const char *path);

/* The same for a file of a disk that is written at any place. It has all its bytes from the start, and they are claimed
 * on the disk: what a full disk has no room for, claim says (ENOSPC). Before that, what processes of this machine have
 * left in the folder that were killed while they wrote is removed, where the file system has locks. ESPIPE: a pipe or a
 * device, which standard output is here, too. Of two writes to one place the later one counts; what is not written is
 * 0. */
knng_out *knng_out_claim(const char *path, int64_t bytes, const knng_task *task);
int knng_out_write_at(knng_out *o, int64_t at, const void *buf, int64_t bytes);

/* Such a file for other processes, which may be on other machines: part is its name until it is done, to a room of
 * PATH_MAX bytes (false, and errno: it is too long); join opens it there, to write more of it. done of what was joined
 * has that on the disk, with `keep`, and leaves name and file to the process that has claimed them. */
bool knng_out_part(const knng_out *o, char *path);
knng_out *knng_out_join(const char *part, const knng_task *task);

/* A file for what there is no room for in memory, in the folder where the file of this path is, or would be. It has no
 * name: nothing is left of it when it is done, or when the process ends, however it ends. (On NFS a machine that goes
 * down leaves a .nfs...) Its space is claimed, and what is not written is 0. Once it is there the task is not looked
 * at: what is in it is needed even when that says stop. Errors are those of claim. */
knng_out *knng_out_scratch(const char *path, int64_t bytes, const knng_task *task);
int knng_out_read_at(knng_out *o, int64_t at, void *buf, int64_t bytes);

#endif
