/* graph.c  A graph by whatever memory there is: all rows at once, or in blocks. */
#include "base/folder.h"
#include "base/signals.h"
#include "base/sys.h"
#include "base/task.h"
#include "blocks/blocks.h"
#include "blocks/checkpoint.h"
#include "io/graph_file.h"
#include "search/info.h"
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
	return knng_budget_beside(opt, rows->n, k).limit - (opt->max_memory > 0 ? 0 : rows->later);
}

/* Of the lists of all rows, and of writing them. Without blocks and without a file there are none. */
static double
lists_bytes(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt)
{
	bool none = plan->size >= rows->n && opt->output == NULL;
	return (none              ? 0
		: plan->lists > 0 ? knng_shelf_bytes(rows->n, plan->k, plan->size)
				  : knng_neighbours_bytes(rows->n, plan->k)) +
	       (opt->output == NULL ? 0 : knng_graph_file_bytes(rows->n, plan->k));
}

/* Of the rows that are read into memory to be searched at once. */
static double
rows_bytes(const knng_rows *rows)
{
	return rows->there != NULL ? 0 : (double)rows->n * (double)knng_row_bytes(rows) + rows->bytes;
}

/* Of all but the search. */
static double
rest_of(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt)
{
	return lists_bytes(plan, rows, opt) +
	       (plan->size >= rows->n ? rows_bytes(rows) : knng_blocks_bytes(rows, plan->size, plan->k, opt));
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

/* The plan with this size, and with the lists in a file or not, whose search may take so many bytes. */
static knng_status
plan_with(knng_blocks_plan *plan, int64_t size, bool filed, double bytes, const knng_rows *rows,
	  const knng_options *opt, knng_err *err)
{
	bool whole = size >= rows->n;
	knng_matrix X = knng_by_rows(whole ? rows->n : 2 * size, rows->d, rows->type, &knng_elsewhere);
	knng_options o = *opt;
	if (whole && rows->there != NULL)
		X = *rows->there;
	X.data = &knng_elsewhere;
	o.k = plan->k > 0 ? plan->k : opt->k; /* 0: of a row alone */
	o.split = whole ? 0 : size;
	o.max_memory = bytes;
	knng_status status = knng_plan_make(&plan->one, &X, NULL, &o, err);
	plan->size = size;
	plan->lists = filed && !whole ? knng_neighbours_bytes(rows->n, plan->k) : 0;
	plan->rest = rest_of(plan, rows, opt);
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

/* kept: the rows of a block of a checkpoint, or 0; filed: bytes that are enough with an output, or Inf. */
static knng_status
refuse_limit(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, int64_t kept, double filed,
	     knng_err *err)
{
	char remedy[160] = "give more memory, or ask for fewer neighbours";
	bool asked = opt->max_memory > 0, result = opt->output == NULL;
	if (filed < plan->least)
		snprintf(remedy, sizeof remedy,
			 "give more memory, or 'Output', a file for the graph (-o of the program), with which %.0f are "
			 "enough",
			 filed);
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

/* A plan with the lists in memory, or in a file. */
typedef struct {
	knng_blocks_plan plan;
	double least;  /* that would do, of all that were tried */
	bool squeezed; /* its search is less than it would be with more memory */
} candidate;

/* Rows of each of so many blocks. */
static int64_t
even(int64_t blocks, int64_t n)
{
	int64_t size = knng_parts(blocks, n);
	return size < SMALLEST ? SMALLEST : size;
}

/* The fewest blocks that fit, all of one size, where those of c->plan do and those of `above` rows do not. */
static knng_status
fewest(candidate *c, bool filed, int64_t above, const knng_rows *rows, const knng_options *opt, knng_err *err)
{
	int64_t n = rows->n, too_few = knng_parts(above, n), enough = knng_parts(c->plan.size, n), blocks = enough;
	do {
		knng_blocks_plan tried = c->plan;
		knng_status status = plan_with(&tried, even(blocks, n), filed, INFINITY, rows, opt, err);
		if (status != KNNG_OK)
			return status;
		if (tried.bytes <= c->plan.limit) {
			c->plan = tried;
			enough = blocks;
		} else {
			too_few = blocks;
		}
		blocks = too_few + (enough - too_few) / 2;
	} while (enough - too_few > 1);
	return KNNG_OK;
}

/* The fewest blocks that fit, from `first` rows on; else those that can make do with the least. c->plan has k and the
 * limit. kept: the rows of a block of a checkpoint, or 0. */
static knng_status
fit(candidate *c, bool filed, int64_t first, int64_t kept, const knng_rows *rows, const knng_options *opt,
    knng_err *err)
{
	int64_t tightest = 0, above = 0;
	c->least = INFINITY;
	c->squeezed = false;
	for (int64_t size = kept > 0 ? kept : first; size > 0; size = kept > 0 ? 0 : smaller(size, rows->n)) {
		if (filed && size >= rows->n)
			continue;
		knng_status status = plan_with(&c->plan, size, filed, INFINITY, rows, opt, err);
		if (status != KNNG_OK)
			return status;
		if (c->plan.least < c->least) {
			c->least = c->plan.least;
			tightest = size;
		}
		bool fits = c->plan.bytes <= c->plan.limit;
		if (fits && above > 0 && 2 * above < rows->n) /* with fewer than three blocks all rows meet */
			return fewest(c, filed, above, rows, opt, err);
		if (fits)
			return KNNG_OK;
		above = size;
	}
	c->squeezed = true;
	if (c->least > c->plan.limit)
		return KNNG_OK;
	c->plan.size = tightest;
	return plan_with(&c->plan, tightest, filed, c->plan.limit - rest_of(&c->plan, rows, opt), rows, opt, err);
}

/* Bytes that the meetings read and write, and as many as what they do beside that takes. */
static double
moved(const knng_blocks_plan *plan, const knng_rows *rows)
{
	double row = (double)knng_row_bytes(rows);
	double lists = plan->lists > 0 ? 2 * knng_neighbours_bytes(1, plan->k) : 0;
	return (double)knng_parts(plan->size, rows->n) * (knng_blocks_meets(rows, plan->k) + row + lists);
}

/* Whether lists in a file do better than lists in memory. */
static bool
is_better(const candidate *file, const candidate *memory, const knng_rows *rows)
{
	double limit = file->plan.limit;
	if (file->least > limit || memory->least > limit)
		return memory->least > limit && file->least < memory->least;
	if (file->squeezed != memory->squeezed)
		return memory->squeezed;
	return moved(&file->plan, rows) < moved(&memory->plan, rows);
}

/* The least that would do if there were an output. */
static double
least_with_output(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt)
{
	candidate file = {.plan = *plan};
	knng_options o = *opt;
	o.output = "graph.h5";
	return fit(&file, true, rows->n, 0, rows, &o, NULL) == KNNG_OK ? file.least : INFINITY;
}

/* The better one of lists in memory and lists in a file. */
static knng_status
choose(knng_blocks_plan *plan, int64_t kept, bool files, const knng_rows *rows, const knng_options *opt, knng_err *err)
{
	candidate memory = {.plan = *plan}, file = {.plan = *plan};
	int64_t first = opt->checkpoint == NULL ? rows->n : knng_parts(PIECES, rows->n);
	knng_status status = fit(&memory, false, first, kept, rows, opt, err);
	bool whole = !memory.squeezed && memory.plan.size >= rows->n;
	files = files && knng_blocks_can_file(opt) && !whole;
	if (status == KNNG_OK && files)
		status = fit(&file, true, first, kept, rows, opt, err);
	const candidate *best = files && is_better(&file, &memory, rows) ? &file : &memory;
	*plan = best->plan;
	if (status == KNNG_OK && best->least > plan->limit) {
		plan->least = best->least;
		double filed = opt->output == NULL ? least_with_output(plan, rows, opt) : INFINITY;
		status = refuse_limit(plan, rows, opt, kept, filed, err);
	}
	return status;
}

knng_status
knng_blocks_plan_make(knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, knng_err *err)
{
	knng_question q;
	*plan = (knng_blocks_plan){0};
	knng_status status = knng_rows_ask(&q, rows, opt, opt->k, err);
	if (status == KNNG_OK && opt->output != NULL)
		status = knng_graph_out_can(err);
	if (status == KNNG_OK && opt->output != NULL)
		status = knng_graph_out_may_replace(opt->output, err);
	if (status != KNNG_OK)
		return status;
	plan->k = q.k;
	plan->limit = limit_of(opt, rows, q.k);
	int64_t kept = 0; /* rows of a block of a checkpoint that is there */
	if (opt->checkpoint != NULL && (status = knng_checkpoint_look(opt->checkpoint, &q, &kept, err)) != KNNG_OK) {
		plan_with(plan, knng_parts(PIECES, rows->n), false, INFINITY, rows, opt, NULL); /* what it would be */
		return status;
	}
	status = choose(plan, kept, true, rows, opt, err);
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
	if (opt->checkpoint != NULL && knng_rows_ask(&q, rows, opt, opt->k, NULL) == KNNG_OK)
		knng_checkpoint_look(opt->checkpoint, &q, &kept, NULL);
	for (int filed = 0; filed < 1 + knng_blocks_can_file(opt); filed++)
		for (int64_t size = plan->size; size > 0; size = kept > 0 ? 0 : smaller(size, rows->n))
			if (plan_with(&other, size, filed > 0, INFINITY, rows, opt, NULL) == KNNG_OK &&
			    other.least < least)
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
	x->data = *data = knng_alloc(rows->n, knng_row_bytes(rows));
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

/* In blocks, to the lists, which are held already. */
static knng_status
search_blocks(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, knng_shelf *lists,
	      knng_info *info, knng_err *err)
{
	knng_options o = *opt;
	double held = lists_bytes(plan, rows, opt), start = knng_seconds();
	o.max_memory = plan->limit - held;
	o.device = knng_plan_devices(&plan->one);
	knng_status status = knng_blocks_run(rows, plan->size, &o, lists, info, err);
	info->peak += held;
	info->planned += held;
	info->total = knng_seconds() - start;
	knng_info_choice(info, &plan->one);
	size_t used = strlen(info->why_cpu);
	if (info->unsaved[0] != 0)
		snprintf(info->why_cpu + used, sizeof info->why_cpu - used, "%s%s", used > 0 ? "; " : "",
			 info->unsaved);
	return status;
}

/* Writes the lists to the file, some rows of a block at a time. */
static knng_status
write_rows(knng_shelf *shelf, int64_t size, const knng_options *opt, knng_graph_out *file, knng_err *err)
{
	enum { ROWS = 1 << 15 };
	knng_task task = opt->task;
	task.stage = "write";
	for (int64_t first = 0; first < shelf->n;) {
		int64_t block = first / size, end = knng_part_of(block, size, shelf->n).end;
		knng_part rows = {first, first + ROWS < end ? first + ROWS : end};
		knng_neighbours *lists;
		knng_status status = knng_shelf_show(shelf, block, false, &lists, err);
		if (status != KNNG_OK)
			return status;
		int64_t at = (first - lists->first) * lists->k;
		status = knng_graph_out_put(file, rows.first, rows.end, lists->index + at, lists->distance + at, err);
		if (status == KNNG_OK)
			status = knng_task_step(&task, (double)rows.end / (double)shelf->n, err);
		if (status != KNNG_OK)
			return status;
		first = rows.end;
	}
	return KNNG_OK;
}

/* Writes the lists to the file, or to out. */
static knng_status
write_lists(knng_shelf *shelf, int64_t size, const knng_options *opt, knng_graph_out *file, const knng_output *out,
	    knng_err *err)
{
	knng_status status = file != NULL ? write_rows(shelf, size, opt, file, err) : KNNG_OK;
	for (int64_t b = 0; file == NULL && b < knng_parts(size, shelf->n) && status == KNNG_OK; b++) {
		knng_neighbours *lists;
		status = knng_shelf_show(shelf, b, false, &lists, err);
		if (status == KNNG_OK)
			knng_neighbours_write(lists, knng_part_of(b, size, shelf->n), out);
	}
	if (status == KNNG_EINTERRUPTED && opt->checkpoint != NULL)
		knng_fail(err, status, "knng:interrupted",
			  "stopped by %s; all of the search is saved in %.200s, and the same command writes the graph",
			  knng_signals_name(__atomic_load_n(opt->task.interrupt, __ATOMIC_RELAXED)), opt->checkpoint);
	return status;
}

/* Empty lists of all rows: in memory, the caller's `all`, or in a file. */
static knng_status
open_lists(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, knng_neighbours *all,
	   knng_shelf *shelf, knng_err *err)
{
	char path[PATH_MAX];
	double bytes = plan->lists > 0 ? knng_shelf_bytes(rows->n, plan->k, plan->size)
				       : knng_neighbours_bytes(rows->n, plan->k);
	knng_status status = knng_afford(bytes, "the lists of neighbours", err);
	if (status == KNNG_OK && plan->lists == 0)
		status = knng_neighbours_make(all, rows->n, plan->k, opt->task.threads, err);
	if (status != KNNG_OK || plan->lists == 0) {
		*shelf = knng_shelf_of(all);
		return status;
	}
	snprintf(path, sizeof path, "%s", opt->output != NULL ? opt->output : opt->checkpoint);
	if (opt->output == NULL) {
		knng_folder_close(knng_folder_open(path, true)); /* it may not be there yet */
		snprintf(path, sizeof path, "%s/lists", opt->checkpoint);
	}
	return knng_shelf_open(shelf, (knng_part){0, rows->n}, plan->k, plan->size, path, &opt->task, err);
}

/* Another plan, with lists in memory; false: there is none. */
static bool
plan_in_memory(knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt)
{
	knng_question q;
	int64_t kept = 0;
	if (opt->checkpoint != NULL && (knng_rows_ask(&q, rows, opt, opt->k, NULL) != KNNG_OK ||
					knng_checkpoint_look(opt->checkpoint, &q, &kept, NULL) != KNNG_OK))
		return false;
	return choose(plan, kept, false, rows, opt, NULL) == KNNG_OK && plan->lists == 0;
}

/* Through lists of all rows, to the file or to out. */
static knng_status
search_lists(const knng_blocks_plan *plan, const knng_rows *rows, const knng_options *opt, const knng_output *out,
	     knng_graph_out *file, knng_info *info, knng_err *err)
{
	knng_neighbours lists = {0};
	knng_shelf shelf;
	knng_blocks_plan other = *plan;
	knng_status status = open_lists(plan, rows, opt, &lists, &shelf, err);
	/* A disk that has no room for them, or may not be written to, is done without where memory allows it. */
	if (status == KNNG_EIO && plan->lists > 0 && plan_in_memory(&other, rows, opt))
		return search_lists(&other, rows, opt, out, file, info, err);
	if (status != KNNG_OK)
		return status;
	const knng_output table = {lists.index, KNNG_I32, 0, lists.distance, KNNG_F64, plan->k, 1};
	status = plan->size >= rows->n ? search_whole(plan, rows, opt, &table, info, err)
				       : search_blocks(plan, rows, opt, &shelf, info, err);
	double start = knng_seconds();
	if (status == KNNG_OK)
		status = write_lists(&shelf, plan->size, opt, file, out, err);
	knng_neighbours_free(&lists);
	knng_shelf_close(&shelf);
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
	knng_status status = knng_checkpoint_ask(opt, rows, plan->k, err);
	if (status == KNNG_OK)
		status = opt->output != NULL     ? search_to_file(plan, rows, opt, info, err)
			 : plan->size >= rows->n ? search_whole(plan, rows, opt, out, info, err)
						 : search_lists(plan, rows, opt, out, NULL, info, err);
	if (info->device[0] == '\0') /* a checkpoint had all */
		knng_plan_device(&plan->one, info->device, sizeof info->device);
	return status;
}
