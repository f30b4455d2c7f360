/* knng_base.h  What every part of knng's core shares: statuses and errors, how long work is run (threads, Ctrl-C,
 * progress), which devices are meant, matrices, tables of neighbours.
 *
 * No function of the core prints, exits, aborts or jumps. */
#ifndef KNNG_BASE_H
#define KNNG_BASE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KNNG_VERSION "0.1.0"

typedef enum {
	KNNG_OK = 0,
	KNNG_EARGS,        /* the caller's arguments */
	KNNG_EMEMORY,      /* an allocation failed */
	KNNG_EIO,          /* a file */
	KNNG_EINTERRUPTED, /* *interrupt was set */
	KNNG_EDEVICE,      /* no such device, or it failed: another may do */
	KNNG_EINTERNAL,    /* a fault of the library, which must not be ignored */
} knng_status;

/* Caller-owned text of the last failure: id is 'knng:<area>:<reason>', text says what was given and what to do. */
typedef struct {
	char id[64];
	char text[576];
} knng_err;

/* How work is run that takes long: on how many threads, what stops it, who sees how far it is. Zeros are the defaults:
 * all processors, nothing stops it, nobody looks. */
typedef struct {
	int threads;                            /* 0: knng_task_threads() says how many */
	const volatile sig_atomic_t *interrupt; /* looked at several times a second; nonzero, the number of a signal,
						   ends the work with KNNG_EINTERRUPTED; may be NULL */
	/* Called on the caller's thread a few times a second: stage name, fraction done of the stage. May be NULL. */
	void (*progress)(void *context, const char *stage, double fraction);
	void *context;
	/* Set by the work itself. */
	const char *stage;
	double done, left; /* parts of the stage that lie before and after what goes on now */
	double shown;      /* when progress was last called, in seconds */
} knng_task;

enum { KNNG_MAX_DEVICES = 64 };

/* Where work is to be done. */
typedef enum { KNNG_DEVICE_AUTO = 0, KNNG_DEVICE_CPU, KNNG_DEVICE_GPU, KNNG_DEVICE_LIST } knng_device_kind;
typedef struct {
	knng_device_kind kind;
	int count; /* of a list: device numbers from 1 */
	int number[KNNG_MAX_DEVICES];
} knng_devices;

typedef enum { KNNG_F64 = 0, KNNG_F32 = 1, KNNG_I64 = 2, KNNG_I32 = 3 } knng_type;

/* Bytes of a number of this type. */
static inline int64_t
knng_type_bytes(knng_type type)
{
	return type == KNNG_F32 || type == KNNG_I32 ? 4 : 8;
}

/* A dense n x d matrix, rows are points. Element (i, j) lies at data[i*row_stride + j*col_stride]. Not copied. */
typedef struct {
	int64_t n, d;
	knng_type type; /* KNNG_F64 or KNNG_F32 */
	const void *data;
	int64_t row_stride, col_stride;
	const void *second; /* where rows from `split` on lie, as the others do; NULL: behind these */
	int64_t split;
	const int32_t *rows; /* row i is row rows[i] of the data; NULL: it is row i */
	/* The data have other rows, pairs->n of them, and each of the n rows is made of one or two of these, where it
	 * is read (base/pairs.h); NULL: the data have the rows. */
	const struct knng_pairs *pairs;
} knng_matrix;

/* Rows that lie one behind the other. */
static inline knng_matrix
knng_by_rows(int64_t n, int64_t d, knng_type type, const void *data)
{
	knng_matrix X = {.n = n,
			 .d = d,
			 .type = type,
			 .data = data,
			 .row_stride = d,
			 .col_stride = 1,
			 .second = NULL,
			 .split = 0,
			 .rows = NULL,
			 .pairs = NULL};
	return X;
}

/* Where row i begins, of a matrix whose data have its rows. */
static inline const void *
knng_row_of(const knng_matrix *X, int64_t i)
{
	if (X->rows != NULL)
		i = X->rows[i];
	bool behind = X->second != NULL && i >= X->split;
	return (const char *)(behind ? X->second : X->data) +
	       (behind ? i - X->split : i) * X->row_stride * knng_type_bytes(X->type);
}

/* A table of neighbours: arrays of the caller's with a row for each point and k columns. Element (i, c) lies at
 * [i*row_stride + c*col_stride]. idx counts from index_base; a missing neighbour is index_base - 1 with distance NaN.
 */
typedef struct {
	void *idx;
	knng_type idx_type; /* KNNG_F64 (exact up to 2^53), KNNG_I64 or KNNG_I32 */
	int64_t index_base; /* 0 or 1 */
	void *dist;         /* may be NULL */
	knng_type dist_type;
	int64_t row_stride, col_stride;
} knng_output;

/* From the list of n names the one nearest to `given` by edits (case ignored), or NULL if none is near. */
const char *knng_nearest_name(const char *given, const char *const *names, int n);

#ifdef __cplusplus
}
#endif
#endif
