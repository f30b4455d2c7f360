/* gpu.h  What the search and the CUDA plugin lend each other. */
#ifndef KNNG_GPU_H
#define KNNG_GPU_H

#include "base/plugin.h"
#include "base/sort.h"
#include "search/backend.h"
#include "search/gaps.h"

#define KNNG_GPU_ROOM "search"

typedef struct {
	knng_status (*parallel)(knng_search *w, int threads, int64_t jobs, knng_search_job *job, void *context,
				knng_err *err);
	knng_status (*points_group)(knng_points *p, const knng_task *task,
				    bool (*same)(void *context, int64_t point, int64_t row),
				    void (*move)(void *context, int64_t to, int64_t from), void *context,
				    knng_err *err);
	void (*points_apart)(knng_points *p, void (*move)(void *context, int64_t to, int64_t from), void *context);
	double (*points_bytes)(int64_t rows);
	bool (*has_no_more)(const knng_search *w, int32_t p, int64_t n);
	double (*within)(const knng_search *w, int32_t p);
	double (*run_bytes)(const knng_plan *plan, int threads);
	int (*centre)(const double *rows, int64_t count, int64_t d, int64_t ld, double largest, double reach,
		      bool *integers, double *centre);
	int (*exponent)(double largest, bool *integers);
	float (*unit)(const double *rows, int64_t count, int64_t d, int64_t ld, int exponent, const double *centre,
		      bool largest);
	void (*pairs_column)(const knng_matrix *X, int64_t column, int64_t first, int64_t count, void *to);
} knng_search_host;

typedef struct {
	const knng_backend *backend;
	/* Chooses plan->tile, block, panel and capacity for plan->devices, fills device_bytes and bytes;
	 * knng:device:memory if the least does not fit. */
	knng_status (*plan)(knng_plan *plan, knng_err *err);
	/* Compares a device with what searches assume of it, once a process; the first search on it does the same.
	 * note: what is done otherwise on it, or empty. Up to a second. */
	knng_status (*check)(int device, char *note, size_t size, knng_err *err);
	/* Of searches over the columns that two rows share (gaps.h). gaps_plan: as plan; plan->bytes are what the
	 * plugin takes of the host, to which the search adds its own.
	 * gaps_open: the rows to the devices of the plan; *state is freed by gaps_close, whatever
	 * happened; info gets what is to be said of them. gaps_meet: device plan->devices[which] compares queries
	 * [first, first + count), no more than plan->tile, with all references: near[i * k ...] gets the found[i]
	 * nearest of query first + i, in whatever order; *made counts canonical distances. Several devices at once. */
	knng_status (*gaps_plan)(knng_plan *plan, knng_err *err);
	knng_status (*gaps_open)(const knng_gap_search *g, void **state, knng_info *info, knng_err *err);
	knng_status (*gaps_meet)(void *state, int which, int64_t first, int64_t count, knng_pair *near, int32_t *found,
				 int64_t *made, knng_err *err);
	void (*gaps_close)(void *state);
} knng_search_gpu;

/* What the plugin does for searches; NULL: there is no plugin. */
const knng_search_gpu *knng_search_on_gpus(void);

#endif
