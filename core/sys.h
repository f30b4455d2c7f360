/* sys.h  The only door to the allocator and to files. Every call is counted, so that a test can make the nth one fail
 * and see that nothing is left behind, and so that the memory of a run is measured and not guessed. */
#ifndef KNNG_SYS_H
#define KNNG_SYS_H

#include "knng.h"
#include <stddef.h>
#include <stdio.h>

/* count * size bytes aligned to 64, contents undefined; NULL when it fails or the product overflows. knng_free takes
 * NULL. Thread-safe. */
void *knng_alloc(int64_t count, size_t size);
void *knng_calloc(int64_t count, size_t size);
void knng_free(void *p);

/* a * b * c in *out; false when it overflows or one is negative. */
bool knng_mul(int64_t a, int64_t b, int64_t c, int64_t *out);

/* Files, plain or gzipped alike (zlib reads both). A read returns the bytes read, 0 at the end, -1 on an error. */
typedef struct knng_file knng_file;
knng_file *knng_file_open(const char *path);
int64_t knng_file_read(knng_file *f, void *buf, int64_t bytes);
void knng_file_close(knng_file *f); /* NULL is fine */

/* A text file to write, through stdio; NULL and errno when it fails. done: 0, or EOF when something was not written. */
FILE *knng_file_create(const char *path);
int knng_file_done(FILE *f);

/* A file to write, gzipped if its path ends in ".gz". What is written lies beside the path until it is done, and takes
 * the path's name only when it is whole; a pipe or a device is written straight. create: NULL and errno. write, done:
 * 0, or -1 and errno. done frees it in any case; without `keep` nothing is left of it. */
typedef struct knng_out knng_out;
knng_out *knng_out_create(const char *path);
int knng_out_write(knng_out *o, const void *buf, int64_t bytes);
int knng_out_done(knng_out *o, bool keep);

/* The counters of the process. */
typedef struct {
	int64_t calls; /* wrapped calls so far */
	int64_t live;  /* allocations and open files held */
	int64_t bytes; /* held now */
	int64_t peak;  /* highest since knng_sys_mark_peak */
} knng_sys_count;
knng_sys_count knng_sys(void);
void knng_sys_mark_peak(void);

/* For wrappers elsewhere (CUDA): counts a call, true when this one must fail; counts what is held. */
bool knng_sys_fault(void);
void knng_sys_live(int64_t change);

/* Makes the nth wrapped call from now fail (1: the next); 0: none. */
void knng_sys_fail_at(int64_t nth);

double knng_seconds(void); /* monotonic clock */

/* Bytes that the machine could give without swapping, or, if less, what the limits of the container or batch job leave
 * (memory.c); 0 if nothing says, and never 0 else. `below` takes the files from a folder, for tests. */
double knng_memory_available(void);
double knng_memory_available_below(const char *folder);

/* Fills err (NULL is fine) and returns status, so that `return knng_fail(...)` reads well. */
knng_status knng_fail(knng_err *err, knng_status status, const char *id, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* The common one: knng:memory:host, naming what for and how much. */
knng_status knng_fail_memory(knng_err *err, const char *what, double bytes);

#endif
