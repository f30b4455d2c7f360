/* graph.c  A graph by whatever memory there is: all rows at once, or in blocks. */
#include "base/signals.h"
#include "base/sys.h"
#include "base/task.h"
#include "blocks/blocks.h"
#include "blocks/checkpoint.h"
#include "io/graph_file.h"
#include "search/metric.h"
#include "search/size.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	SMALLEST = 256, /* rows of a block: with fewer a search would not end */
	PIECES = 8,     /* blocks at least, with a checkpoint: what is lost is at most a meeting of two */
};

/* What the search may take beside the answer. */
static double
limit_of(const knng_options *opt, const knng_rows *rows, int64_t k)
{
	const knng_plan search = {.opt = *opt, .m = rows->n, .k = k, .x.data = &knng_elsewhere};
	return knng_budget_of(&search).limit - (opt->max_memory > 0 ? 0 : rows->later);
}

/* Of the lists of all rows, and of writing them. Without blocks and without a file there are none. */
static double
lists_bytes(const knng_rows *rows, int64_t size, int64_t k, const knng_options *opt)
{
	bool none = size >= rows->n && opt->output == NULL;
	return (none ? 0 : knng_neighbours_bytes(rows->n, k)) +
	       (opt->output == NULL ? 0 : knng_graph_file_bytes(rows->n, k));
}

/* Of the rows that are read into memory to be searched at once. */
static double
rows_bytes(const knng_rows *rows)
{
	return rows->there != NULL ? 0
				   : (double)rows->n * (double)rows->d * (rows->type == KNNG_F32 ? 4 : 8) + rows->bytes;
}

/* Of all but the search. */
static double
rest_of(const knng_rows *rows, int64_t size, int64_t k, const knng_options *opt)
{
	return lists_bytes(rows, size, k, opt) +
	       (size >= rows->n ? rows_bytes(rows) : knng_blocks_bytes(rows, size, k, opt));
}

/* What the graph's file is: its size does not depend on the metric. */
static knng_graph_shape
shape_of(const knng_blocks_plan *plan, const knng_rows *rows)
{
	knng_graph_shape shape = {.n = rows->n, .k = plan->k, .type = rows->type};
	if (plan->one.metric != NULL)
		snprintf(shape.metric, sizeof shape.metric, "%s", plan->one.metric->name);
	return shape;
}

/* The plan with this size, whose search may take so many bytes. */
static knng_status
plan_with(knng_blocks_plan *plan, int64_t size, double bytes, const knng_rows *rows, const knng_options *opt,
	  knng_err *err)
{
	bool whole = size >= rows->n;
	knng_matrix X = knng_by_rows(whole ? rows->n : 2 * size, rows->d, rows->type, &knng_elsewhere);
	knng_options o = *opt;
	if (whole && rows->there != NULL)
		X = *rows->there;
	X.data = &knng_elsewhere;
	o.split = whole ? 0 : size;
	o.max_memory = bytes;
	knng_status status = knng_plan_make(&plan->one, &X, NULL, &o, err);
	plan->size = size;
	plan->rest = rest_of(rows, size, plan->k, opt);
	plan->bytes = plan->rest + plan->one.bytes;
	plan->least = ceil(plan->rest + plan->one.least);
	plan->disk = opt->checkpoint != NULL ? knng_checkpoint_disk(rows->n, plan->k, size) : 0;
	knng_graph_shape shape = shape_of(plan, rows);
	knng_graph_places places;
	plan->file = opt->output != NULL && knng_graph_places_of(&shape, &places) ? (double)places.end : 0;
	return status;
}

/* The next smaller blocks: two of them have to be less than all. 0: there are none. */
static int64_t
smaller(int64_t size, int64_t n)
{
	int64_t next = size >= n ? (n + 2) / 3 : size - size / 5;
	next = next < SMALLEST ? SMALLEST : next;
	return size <= SMALLEST || 2 * next >= n ? 0 : next;
}

/* kept: the rows of a block of a checkpoint, or 0. */
static knng_status
refuse_limit(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, int64_t kept, knng_err *err)
{
	char remedy[160] = "give more memory, or ask for fewer neighbours";
	bool asked = opt->max_memory > 0, result = opt->output == NULL;
	if (kept > 0)
		snprintf(remedy, sizeof remedy,
			 "the checkpoint has blocks of %lld rows; give more memory, or another "
			 "folder: smaller blocks need less",
			 (long long)kept);
	return knng_fail(err, asked ? KNNG_EARGS : KNNG_EMEMORY, asked ? "knng:args:maxMemory" : "knng:memory:host",
			 "%s %.0f bytes: %lld rows of %lld columns, with %lld neighbours each, need at least %.0f%s: "
			 "%s",
			 asked    ? "'MaxMemory' is"
			 : result ? "what is available leaves, less the result,"
				  : "what is available leaves",
			 plan->limit > 0 ? plan->limit : 0, (long long)rows->n, (long long)rows->d, (long long)plan->k,
			 plan->least, result ? " beside the result" : "", remedy);
}

knng_status
knng_blocks_plan_make(knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, knng_err *err)
{
	const knng_matrix X = knng_by_rows(rows->n, rows->d, rows->type, &knng_elsewhere);
	knng_question q;
	*plan = (knng_blocks_plan){0};
	knng_status status = knng_ask(&q, &X, NULL, opt->metric, opt->k, err);
	if (status == KNNG_OK && opt->output != NULL)
		status = knng_graph_out_can(err);
	if (status != KNNG_OK)
		return status;
	plan->k = q.k;
	plan->limit = limit_of(opt, rows, q.k);
	int64_t tightest = 0,
		kept = 0; /* the size that can make do with the least; that of a checkpoint that is there */
	int64_t first = opt->checkpoint == NULL ? rows->n : knng_parts(PIECES, rows->n);
	if (opt->checkpoint != NULL && (status = knng_checkpoint_look(opt->checkpoint, &q, &kept, err)) != KNNG_OK) {
		plan_with(plan, first, INFINITY, rows, opt, NULL); /* what it would be */
		return status;
	}
	double least = INFINITY;
	for (int64_t size = kept > 0 ? kept : first; size > 0; size = kept > 0 ? 0 : smaller(size, rows->n)) {
		if ((status = plan_with(plan, size, INFINITY, rows, opt, err)) != KNNG_OK)
			return status;
		if (plan->bytes <= plan->limit)
			return opt->checkpoint != NULL && kept == 0
				       ? knng_checkpoint_room(opt->checkpoint, plan->disk, err)
				       : KNNG_OK;
		if (plan->least < least) {
			least = plan->least;
			tightest = size;
		}
	}
	plan->least = least;
	if (least > plan->limit)
		return refuse_limit(plan, rows, opt, kept, err);
	status = plan_with(plan, tightest, plan->limit - rest_of(rows, tightest, plan->k, opt), rows, opt, err);
	if (status == KNNG_OK && opt->checkpoint != NULL && kept == 0)
		status = knng_checkpoint_room(opt->checkpoint, plan->disk, err);
	return status;
}

double
knng_blocks_least(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt)
{
	double least = plan->least;
	int64_t kept = 0;
	knng_question q;
	knng_blocks_plan other = *plan;
	const knng_matrix X = knng_by_rows(rows->n, rows->d, rows->type, &knng_elsewhere);
	if (opt->checkpoint != NULL && knng_ask(&q, &X, NULL, opt->metric, opt->k, NULL) == KNNG_OK)
		knng_checkpoint_look(opt->checkpoint, &q, &kept, NULL);
	for (int64_t size = kept > 0 ? 0 : smaller(plan->size, rows->n); size > 0; size = smaller(size, rows->n))
		if (plan_with(&other, size, INFINITY, rows, opt, NULL) == KNNG_OK && other.least < least)
			least = other.least;
	return least;
}

/* Reads the rows into memory, where they are not there yet. */
static knng_status
read_all(const knng_rows *rows, knng_matrix *x, void **data, knng_err *err)
{
	if (rows->there != NULL) {
		*x = *rows->there;
		return KNNG_OK;
	}
	double bytes = rows_bytes(rows);
	knng_status status = knng_afford(bytes, "the rows of the file", err);
	if (status != KNNG_OK)
		return status;
	x->data = *data = knng_alloc(rows->n, (size_t)rows->d * (rows->type == KNNG_F32 ? 4 : 8));
	if (*data == NULL)
		return knng_fail_memory(err, "the rows of the file", bytes);
	return rows->read(rows->context, 0, rows->n, *data, err);
}

/* All rows in memory. */
static knng_status
search_whole(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, const knng_output *out,
	     knng_info *info, knng_err *err)
{
	knng_plan p = plan->one;
	void *data = NULL;
	p.opt.task = opt->task;
	p.opt.max_memory = plan->limit - plan->rest; /* for another plan, after a GPU failed */
	double start = knng_seconds();
	knng_status status = read_all(rows, &p.x, &data, err);
	double seconds = knng_seconds() - start;
	if (status == KNNG_OK)
		status = knng_run(&p, out, info, err);
	knng_free(data);
	info->peak += plan->rest;
	info->planned += plan->rest;
	info->seconds[KNNG_STAGE_PREPARE] += seconds;
	info->total += seconds;
	return status;
}

/* The devices of a plan: what 'auto' chose for two blocks holds for smaller meetings too. */
static knng_devices
devices_of(const knng_plan *plan)
{
	knng_devices d = {.kind = plan->ndevices > 0 ? KNNG_DEVICE_LIST : KNNG_DEVICE_CPU, .count = plan->ndevices};
	for (int i = 0; i < plan->ndevices; i++)
		d.number[i] = plan->devices[i] + 1;
	return d;
}

/* In blocks, to the lists, which are held already. */
static knng_status
search_blocks(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, knng_neighbours *lists,
	      knng_info *info, knng_err *err)
{
	knng_options o = *opt;
	double held = lists_bytes(rows, plan->size, plan->k, opt), start = knng_seconds();
	o.max_memory = plan->limit - held;
	o.device = devices_of(&plan->one);
	knng_status status = knng_blocks_run(rows, plan->size, &o, lists, info, err);
	info->peak += held;
	info->planned += held;
	info->total = knng_seconds() - start;
	if (plan->one.ndevices == 0) /* its meetings were told to take the CPU */
		snprintf(info->why_cpu, sizeof info->why_cpu, "%s", plan->one.why_cpu);
	size_t used = strlen(info->why_cpu);
	if (info->unsaved[0] != 0)
		snprintf(info->why_cpu + used, sizeof info->why_cpu - used, "%s%s", used > 0 ? "; " : "",
			 info->unsaved);
	return status;
}

/* Writes the lists to the file, some rows at a time. */
static knng_status
write_lists(const knng_neighbours *lists, const knng_options *opt, knng_graph_out *file, knng_err *err)
{
	enum { ROWS = 1 << 15 };
	knng_task task = opt->task;
	knng_status status = KNNG_OK;
	task.stage = "write";
	for (int64_t p = 0; p < knng_parts(ROWS, lists->n) && status == KNNG_OK; p++) {
		knng_part rows = knng_part_of(p, ROWS, lists->n);
		status = knng_graph_out_put(file, rows.first, rows.end, lists->index + rows.first * lists->k,
					    lists->distance + rows.first * lists->k, err);
		if (status == KNNG_OK)
			status = knng_task_step(&task, (double)rows.end / (double)lists->n, err);
	}
	if (status == KNNG_EINTERRUPTED && opt->checkpoint != NULL)
		knng_fail(err, status, "knng:interrupted",
			  "stopped by %s; all of the search is saved in %.200s, and the same call writes the graph",
			  knng_signals_name(*opt->task.interrupt), opt->checkpoint);
	return status;
}

/* Through lists of all rows, to the file or to out. */
static knng_status
search_lists(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, const knng_output *out,
	     knng_graph_out *file, knng_info *info, knng_err *err)
{
	knng_neighbours lists;
	knng_status status = knng_afford(knng_neighbours_bytes(rows->n, plan->k), "the lists of neighbours", err);
	if (status == KNNG_OK)
		status = knng_neighbours_make(&lists, rows->n, plan->k, err);
	if (status != KNNG_OK)
		return status;
	const knng_output table = {lists.index, KNNG_I32, 0, lists.distance, KNNG_F64, plan->k, 1};
	status = plan->size >= rows->n ? search_whole(plan, rows, opt, &table, info, err)
				       : search_blocks(plan, rows, opt, &lists, info, err);
	double start = knng_seconds();
	if (status == KNNG_OK && file != NULL)
		status = write_lists(&lists, opt, file, err);
	else if (status == KNNG_OK)
		knng_neighbours_write(&lists, out);
	knng_neighbours_free(&lists);
	info->seconds[KNNG_STAGE_SINK] += knng_seconds() - start;
	info->total += knng_seconds() - start;
	return status;
}

/* What the caller does with a file that is complete, before it has its name. */
static knng_status
show_written(const knng_graph_out *file, const knng_options *opt, knng_err *err)
{
	char part[PATH_MAX];
	knng_status status = opt->written == NULL ? KNNG_OK : knng_graph_out_part(file, part, err);
	return status != KNNG_OK || opt->written == NULL ? status : opt->written(opt->written_context, part, err);
}

/* To a file, whose space is claimed before anything is read. */
static knng_status
search_to_file(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, knng_info *info,
	       knng_err *err)
{
	knng_graph_shape shape = shape_of(plan, rows);
	knng_graph_out *file;
	knng_status status = knng_graph_out_create(&file, opt->output, &shape, &opt->task, err);
	if (status != KNNG_OK)
		return status;
	status = search_lists(plan, rows, opt, NULL, file, info, err);
	double start = knng_seconds();
	if (status == KNNG_OK)
		status = show_written(file, opt, err);
	knng_status closed = knng_graph_out_done(file, status == KNNG_OK, status == KNNG_OK ? err : NULL);
	info->total += knng_seconds() - start;
	return status != KNNG_OK ? status : closed;
}

knng_status
knng_blocks_graph(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, const knng_output *out,
		  knng_info *info, knng_err *err)
{
	knng_info unread = {0};
	info = info != NULL ? info : &unread;
	*info = (knng_info){0};
	knng_status status = opt->output != NULL     ? search_to_file(plan, rows, opt, info, err)
			     : plan->size >= rows->n ? search_whole(plan, rows, opt, out, info, err)
						     : search_lists(plan, rows, opt, out, NULL, info, err);
	if (info->device[0] == '\0') /* a checkpoint had all */
		knng_plan_device(&plan->one, info->device, sizeof info->device);
	return status;
}
