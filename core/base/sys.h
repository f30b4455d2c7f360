/* sys.h  The only door to the allocator; that to files is file.h. Every call is counted, so that a test can make the
 * nth one fail and see that nothing is left behind, and so that the memory of a run is measured and not guessed. */
#ifndef KNNG_SYS_H
#define KNNG_SYS_H

#include "base/knng_base.h"
#include <stddef.h>
#include <stdio.h>

/* count * size bytes aligned to 64, contents undefined; NULL when it fails or the product overflows. knng_free takes
 * NULL. Thread-safe. */
void *knng_alloc(int64_t count, size_t size);
void *knng_calloc(int64_t count, size_t size);
void knng_free(void *p);

/* a * b * c in *out; false when it overflows or one is negative. */
bool knng_mul(int64_t a, int64_t b, int64_t c, int64_t *out);

/* The counters of the process. */
typedef struct {
	int64_t calls; /* wrapped calls so far */
	int64_t live;  /* allocations and open files held */
	int64_t bytes; /* held now */
	int64_t peak;  /* highest since knng_sys_mark_peak */
	int64_t spare; /* freed, and kept for the next (knng_sys_keep); no part of bytes */
} knng_sys_count;
knng_sys_count knng_sys(void);
void knng_sys_mark_peak(void);

/* Large memory that is freed is kept for the next that asks for as much, from the first keep (true) to the last keep
 * (false): of searches that follow each other each would else get new pages, which the kernel clears. What is held and
 * what is kept are together never more than the most that was held meanwhile. */
void knng_sys_keep(bool keeps);

/* For wrappers elsewhere (CUDA): counts a call, true when this one must fail; counts what is held. */
bool knng_sys_fault(void);
void knng_sys_live(int64_t change);

/* Makes the nth wrapped call from now fail (1: the next); 0: none. */
void knng_sys_fail_at(int64_t nth);

double knng_seconds(void); /* monotonic clock */

/* Bytes that the machine could give without swapping, or, if less, what the limits of the container or batch job leave
 * (available.c); 0 if nothing says, and never 0 else. `below` takes the files from a folder, for tests. */
double knng_memory_available(void);
double knng_memory_available_below(const char *folder);
/* For tests: what knng_memory_available says from now on; 0: what is so. */
void knng_memory_set_available(double bytes);

/* Processors whose time the container or batch job may take (the quota of its control group), rounded up; 0: any.
 * Looked up once. `below` takes the files from a folder, for tests. */
int knng_processors_allowed(void);
int knng_processors_allowed_below(const char *folder);

/* Whether the process could map so much more (available.c): address space, which only a limit such as `ulimit -v` makes
 * short. Nothing is taken. */
bool knng_memory_can_map(int64_t bytes);

/* In a message, what is no UTF-8 and control characters become '?'. */
void knng_clean(char *text);

/* Fills err (NULL is fine) and returns status, so that `return knng_fail(...)` reads well. */
knng_status knng_fail(knng_err *err, knng_status status, const char *id, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* So many bytes in words, in the unit that fits, such as 3.2 kB; returns text. */
enum { KNNG_AMOUNT = 24 };
const char *knng_amount(double bytes, char text[KNNG_AMOUNT]);
/* The bytes that a user means by a text such as 4e9, 4G, 4GB or 4GiB, or 0. K, M, G and T are powers of 1000, as in all
 * sizes that are printed, and with iB of 1024. */
double knng_bytes(const char *text);
/* The common one: knng:memory:host, naming what for and how much. */
knng_status knng_fail_memory(knng_err *err, const char *what, double bytes);
/* The same where `bytes` are more than nine tenths of what is available: to be asked before they are claimed, since a
 * kernel hands out more than it has and ends the process later. Some 0.1 ms. */
knng_status knng_afford(double bytes, const char *what, knng_err *err);

#endif
