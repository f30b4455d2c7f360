/* separately.c  A search cluster by cluster (separate.h): each is a run of its own, of rows that lie anywhere in the
 * matrix, whose answers go where they belong. What is far from all clusters is compared with every row: at once if that
 * is little, or by a search of queries. */
#include "base/put.h"
#include "base/sys.h"
#include "search/backend.h"
#include "search/cpu/kernels.h"
#include "search/info.h"
#include "search/separate.h"
#include "search/size.h"
#include "search/source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
	const knng_plan *plan;
	const knng_clusters *clusters;
	const knng_output *out;
	knng_runner *run;
	knng_info *info;
	knng_task task;
	double done, part, all; /* pairs that were compared; those of what runs now; of all */
	knng_plan *plans;       /* [clusters, and what is far from them] k 0: nothing is to be done */
	int64_t largest;        /* the one with the most pairs */
	int64_t held;           /* bytes, when the search began */
	double tables;          /* bytes of the answers of rows far from all, of a graph */
} cutting;

/* ---------------------------------------------------------------- what is asked of each */

static int64_t
count_of(const int64_t *first, int64_t p)
{
	return first[p + 1] - first[p];
}

/* The rows of the answer in a part. */
static int64_t
answers_of(const knng_clusters *c, int64_t p)
{
	return count_of(c->first_query != NULL ? c->first_query : c->first_ref, p);
}

static int32_t *
list_of(const knng_clusters *c, int64_t p)
{
	return c->first_query != NULL ? c->query + c->first_query[p] : c->ref + c->first_ref[p];
}

static bool
at_once(const knng_plan *plan, const knng_clusters *c)
{
	int64_t far = answers_of(c, c->count);
	return far <= KNNG_AT_ONCE && far * plan->k <= KNNG_AT_ONCE_PAIRS;
}

/* Some rows of the data of a matrix. */
static knng_matrix
some_of(const knng_matrix *X, int64_t count, const int32_t *list)
{
	knng_matrix some = *X;
	some.n = count;
	some.rows = list;
	return some;
}

/* How far the whole search is, of what a part of it shows. */
static void
show(void *context, const char *stage, double fraction)
{
	const cutting *t = context;
	if (t->task.progress != NULL)
		t->task.progress(t->task.context, stage, (t->done + t->part * fraction) / t->all);
}

static double
pairs_of(const cutting *t, int64_t p)
{
	const knng_clusters *c = t->clusters;
	bool far = p == c->count;
	return (double)answers_of(c, p) * (double)(far ? c->refs : count_of(c->first_ref, p));
}

/* Where GPUs would do the whole search: the CPU for parts that it does before one has begun, but not for the largest;
 * and with 'auto' as many of them as gain for the others, since they are at work already. */
static knng_devices
devices_of(const cutting *t, int64_t p)
{
	enum { MOST_THREADS = 16 };
	const double of_a_thread = 4e6;
	const knng_plan *whole = t->plan;
	double work = pairs_of(t, p) * (double)whole->x.d;
	knng_devices d = whole->opt.device;
	if (whole->ndevices > 0 && p != t->largest && work < of_a_thread * fmin(whole->threads, MOST_THREADS)) {
		d.kind = KNNG_DEVICE_CPU;
		return d;
	}
	if (d.kind != KNNG_DEVICE_AUTO || whole->ndevices == 0)
		return d;
	d.kind = KNNG_DEVICE_LIST;
	d.count = knng_gpus_worth(work, whole->ndevices);
	for (int i = 0; i < d.count; i++)
		d.number[i] = whole->devices[i] + 1;
	return d;
}

/* The plan of a part. Its answers go to their rows, but those of rows of a graph that are far from all others: they
 * are queries, which find themselves too. */
static knng_status
plan_part(cutting *t, int64_t p, knng_plan *plan, knng_err *err)
{
	const knng_clusters *c = t->clusters;
	const knng_plan *whole = t->plan;
	bool far = p == c->count, graph = whole->y.data == NULL;
	knng_options opt = whole->opt;
	knng_matrix X = far ? whole->x : some_of(&whole->x, count_of(c->first_ref, p), c->ref + c->first_ref[p]);
	knng_matrix Y = some_of(graph ? &whole->x : &whole->y, answers_of(c, p), list_of(c, p));
	opt.k = whole->k + (far && graph);
	opt.device = devices_of(t, p);
	opt.held += c->bytes;
	opt.task.progress = show;
	opt.task.context = t;
	opt.separate = far ? KNNG_PRUNE_OFF : opt.separate;
	opt.answer_of = far && graph ? NULL : Y.rows;
	opt.reference_of = X.rows;
	opt.reach = far ? whole->opt.reach : c->reach;
	if (far && graph)
		opt.held += t->tables = (double)Y.n * (double)opt.k * (sizeof(int64_t) + sizeof(double));
	return knng_plan_make(plan, &X, graph && !far ? NULL : &Y, &opt, err);
}

/* All of them, before anything is done: false, if one would find no memory. */
static bool
plan_all(cutting *t)
{
	const knng_clusters *c = t->clusters;
	for (int64_t p = 0; p < c->count; p++)
		t->largest = pairs_of(t, p) > pairs_of(t, t->largest) ? p : t->largest;
	for (int64_t p = 0; p <= c->count; p++) {
		bool once = p == c->count && at_once(t->plan, c);
		if (answers_of(c, p) == 0 || once)
			t->plans[p].k = 0;
		else if (plan_part(t, p, &t->plans[p], NULL) != KNNG_OK)
			return false;
		t->all += pairs_of(t, p);
	}
	return true;
}

/* The reference that a row of a graph is. */
static int64_t
itself(int64_t row)
{
#ifndef KNNG_PLANT_ITSELF
	return row;
#else /* what the tests must find: a row that is its own neighbour */
	return row + 1;
#endif
}

/* ---------------------------------------------------------------- rows that are compared with all, here */

/* The k nearest of a row so far, and others, in room for twice as many: when that is full all but the k nearest go. */
typedef struct {
	int64_t count;
	bool sorted; /* the k nearest of all but the last ones come first */
	knng_pair *pair;
} nearest;

typedef struct {
	const knng_plan *plan;
	const knng_kernels *kernels;
	const int32_t *list;
	bool graph;
	int64_t many, ld, each;
	double *u;        /* [many * ld] */
	double *rows;     /* [threads * each * ld] */
	double *sums;     /* [threads * each] */
	bool *finite;     /* [threads * each] whether a row has neither NaN nor Inf */
	int32_t *numbers; /* [each] 0, 1, ... */
	nearest *best;    /* [threads * many] */
	knng_pair *pairs; /* [threads * many * 2k], of these */
	knng_pair *room;  /* [threads * 2k] */
} comparing;

static void
cut(nearest *best, int64_t k, knng_pair *room)
{
	knng_sort_pairs(best->pair, room, best->count);
	best->count = best->count < k ? best->count : k;
	best->sorted = best->count == k;
}

static void
keep(nearest *best, int64_t k, knng_pair new, knng_pair *room)
{
	if (best->sorted && !knng_pair_before(&new, &best->pair[k - 1]))
		return;
	best->pair[best->count++] = new;
	if (best->count == 2 * k)
		cut(best, k, room);
}

static knng_status
compare_job(void *context, int worker, int64_t job, knng_err *err)
{
	const comparing *a = context;
	const int32_t *place = a->plan->x.rows;
	int64_t k = a->plan->k, ld = a->ld;
	knng_part some = knng_part_of(job, a->each, a->plan->x.n);
	double *rows = a->rows + worker * a->each * ld, *sums = a->sums + worker * a->each;
	bool *finite = a->finite + worker * a->each;
	(void)err;
	knng_source_rows(&a->plan->x, some.first, some.end - some.first, rows, ld);
	for (int64_t r = 0; r < some.end - some.first; r++)
		finite[r] = knng_is_finite(rows + r * ld, a->plan->x.d);
	for (int64_t q = 0; q < a->many; q++) {
		nearest *best = &a->best[worker * a->many + q];
		a->kernels->sums(a->plan->metric->sum, a->u + q * ld, rows, ld, a->numbers, some.end - some.first,
				 sums);
		knng_map_sums(a->plan->metric, sums, some.end - some.first);
		for (int64_t i = some.first; i < some.end; i++) {
			knng_pair new = {sums[i - some.first], place != NULL ? place[i] : (int32_t)i};
			bool other = !a->graph || new.index != itself(a->list[q]);
			if (other && finite[i - some.first])
				keep(best, k, new, a->room + worker * 2 * k);
		}
	}
	return KNNG_OK;
}

/* How many different rows there are among those. */
static int64_t
different(const comparing *a)
{
	int64_t count = 0;
	for (int64_t q = 0; q < a->many; q++) {
		bool first = true;
		for (int64_t o = 0; o < q && first; o++)
			first = memcmp(a->u + q * a->ld, a->u + o * a->ld, (size_t)a->ld * sizeof *a->u) != 0;
		count += first;
	}
	return count;
}

/* What the threads found. */
static void
merge(const cutting *t, comparing *a)
{
	int64_t k = a->plan->k;
	for (int64_t q = 0; q < a->many; q++) {
		nearest *best = &a->best[q];
		for (int w = 1; w < a->plan->threads; w++)
			for (int64_t c = 0; c < a->best[w * a->many + q].count; c++)
				keep(best, k, a->best[w * a->many + q].pair[c], a->room);
		cut(best, k, a->room);
		for (int64_t c = 0; c < best->count; c++)
			knng_put(t->out, a->list[q], c, best->pair[c].index, best->pair[c].distance);
		knng_put_none(t->out, a->list[q], best->count, k);
	}
	t->info->points += a->graph ? different(a) : 0;
	t->info->certified[KNNG_LEVEL_SCAN] += a->many;
	t->info->refined += a->many * (a->plan->x.n - a->graph);
}

static knng_status
compare_far(cutting *t, knng_err *err)
{
	const knng_clusters *c = t->clusters;
	const knng_plan *plan = t->plan;
	knng_matrix from = plan->y.data == NULL ? plan->x : plan->y;
	from.rows = NULL; /* the list is of rows of the data */
	comparing a = {.plan = plan,
		       .kernels = knng_kernels_find(plan->target),
		       .list = list_of(c, c->count),
		       .graph = plan->y.data == NULL,
		       .many = answers_of(c, c->count),
		       .ld = plan->ld,
		       .each = knng_prepare_rows(plan->x.d)};
	int64_t threads = plan->threads, k = plan->k;
	double start = knng_seconds();
	knng_task task = plan->opt.task;
	knng_status status;
	a.u = knng_alloc(a.many * a.ld, sizeof *a.u);
	a.rows = knng_alloc(threads * a.each * a.ld, sizeof *a.rows);
	a.sums = knng_alloc(threads * a.each, sizeof *a.sums);
	a.finite = knng_alloc(threads * a.each, sizeof *a.finite);
	a.numbers = knng_alloc(a.each, sizeof *a.numbers);
	a.best = knng_calloc(threads * a.many, sizeof *a.best);
	a.pairs = knng_alloc(threads * a.many * 2 * k, sizeof *a.pairs);
	a.room = knng_alloc(threads * 2 * k, sizeof *a.room);
	bool fine = a.u != NULL && a.rows != NULL && a.sums != NULL && a.finite != NULL && a.numbers != NULL &&
		    a.best != NULL && a.pairs != NULL && a.room != NULL;
	for (int64_t i = 0; fine && i < threads * a.many; i++)
		a.best[i].pair = a.pairs + i * 2 * k;
	for (int64_t i = 0; fine && i < a.each; i++)
		a.numbers[i] = (int32_t)i;
	for (int64_t q = 0; fine && q < a.many; q++)
		knng_source_rows(&from, a.list[q], 1, a.u + q * a.ld, a.ld);
	task.stage = knng_stage_name[KNNG_STAGE_REFINE];
	task.progress = show;
	task.context = t;
	status = fine ? knng_task_run(&task, plan->threads, knng_parts(a.each, plan->x.n), compare_job, &a, err)
		      : knng_fail_memory(err, "rows far from all others", 8. * (double)(a.many * a.ld));
	if (status == KNNG_OK)
		merge(t, &a);
	t->info->seconds[KNNG_STAGE_REFINE] += knng_seconds() - start;
	void *all[] = {a.u, a.rows, a.sums, a.finite, a.numbers, a.best, a.pairs, a.room};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
	return status;
}

/* ---------------------------------------------------------------- the parts, one after the other */

/* Adds what one part says: times and work of all, and how it was done of the largest. What it held when it began is
 * `before`; `held` of that its plan counts as well. */
static void
add_info(cutting *t, const knng_info *one, int64_t p, double before, double held)
{
	knng_info *sum = t->info, was = *sum, part = *one;
	bool far = p == t->clusters->count, graph = t->plan->y.data == NULL;
	part.peak += before - held - (double)t->held + t->plan->opt.held;
	if (far) /* its queries and its references are of clusters, too */
		part.nonfinite = part.points = 0;
	knng_info_add(sum, &part, p == t->largest);
	sum->constant = 0;
	sum->total = 0; /* the whole is timed as one */
	sum->points = far && graph ? one->points : sum->points;
	sum->panels = was.panels > one->panels ? was.panels : one->panels;
}

/* Answers of queries that are rows of X: each without itself. */
static void
put_others(const cutting *t, const int64_t *idx, const double *dist, int64_t width)
{
	const knng_clusters *c = t->clusters;
	const int32_t *list = list_of(c, c->count);
	for (int64_t r = 0; r < answers_of(c, c->count); r++) {
		int64_t put = 0;
		for (int64_t n = 0; n < width && put < t->plan->k; n++)
			if (idx[r * width + n] >= 0 && idx[r * width + n] != itself(list[r]))
				knng_put(t->out, list[r], put++, idx[r * width + n], dist[r * width + n]);
		knng_put_none(t->out, list[r], put, t->plan->k);
	}
}

static knng_status
run_far_rows(cutting *t, const knng_plan *plan, knng_info *one, knng_err *err)
{
	int64_t m = plan->m, width = plan->k;
	int64_t *idx = knng_alloc(m * width, sizeof *idx);
	double *dist = knng_alloc(m * width, sizeof *dist);
	const knng_output own = {idx, KNNG_I64, 0, dist, KNNG_F64, width, 1};
	knng_status status = idx == NULL || dist == NULL
				     ? knng_fail_memory(err, "rows far from all others", 16. * (double)(m * width))
				     : t->run(plan, &own, one, err);
	if (status == KNNG_OK)
		put_others(t, idx, dist, width);
	knng_free(idx);
	knng_free(dist);
	return status;
}

static knng_status
run_part(cutting *t, int64_t p, knng_err *err)
{
	bool far = p == t->clusters->count;
	double before = (double)knng_sys().bytes;
	knng_info one = {0};
	knng_status status;
	if (far && t->plan->y.data == NULL)
		status = run_far_rows(t, &t->plans[p], &one, err);
	else
		status = t->run(&t->plans[p], t->out, &one, err);
	add_info(t, &one, p, before, t->plans[p].opt.held - (far ? t->tables : 0));
	return status;
}

/* Says what was done: that there are several clusters in front of what the largest says, of clusters in clusters only
 * that they are; that there are rows far from all others, which leave out no pairs, behind that of a single one. */
static void
note(const cutting *t)
{
	const knng_clusters *c = t->clusters;
	int64_t far = answers_of(c, c->count);
	bool several = c->count > 1;
	char inner[sizeof t->info->pruned], apart[80] = "", *end = strchr(t->info->pruned, ';');
	if (end != NULL && (strstr(t->info->pruned, " far from ") != NULL || strstr(end, " among all ") != NULL))
		*end = 0;
	memcpy(inner, t->info->pruned, sizeof inner);
	if (far > 0 && c->first_query != NULL)
		snprintf(apart, sizeof apart, "%lld quer%s among all rows", (long long)far, far == 1 ? "y" : "ies");
	else if (far > 0)
		snprintf(apart, sizeof apart, "%lld row%s far from all others%s", (long long)far, far == 1 ? "" : "s",
			 several    ? ""
			 : far == 1 ? " by itself"
				    : " by themselves");
	t->info->separated = c->count;
	if (several)
		snprintf(t->info->pruned, sizeof inner, "yes: %lld clusters far from each other one by one%s%s%s%.200s",
			 (long long)c->count, far > 0 ? ", " : "", apart, inner[0] != 0 ? "; in the largest " : "",
			 inner);
	else if (apart[0] != 0)
		snprintf(t->info->pruned, sizeof inner, "%.200s%s%s", inner, inner[0] != 0 ? "; " : "", apart);
}

knng_status
knng_run_separately(const knng_plan *plan, const knng_clusters *c, const knng_output *out, int64_t held,
		    knng_runner *run, knng_info *info, bool *done, knng_err *err)
{
	cutting t = {.plan = plan,
		     .clusters = c,
		     .out = out,
		     .run = run,
		     .info = info,
		     .task = plan->opt.task,
		     .held = held};
	knng_status status = KNNG_OK;
	*done = false;
	_Static_assert(sizeof *t.plans <= KNNG_OF_PLAN, "plans are counted as smaller");
	t.plans = knng_calloc(c->count + 1, sizeof *t.plans);
	if (t.plans == NULL)
		return knng_fail_memory(err, "clusters far apart", (double)(c->count + 1) * sizeof *t.plans);
	*done = plan_all(&t);
	knng_sys_keep(true);
	for (int64_t p = 0; *done && status == KNNG_OK && p <= c->count; p++) {
		t.part = pairs_of(&t, p);
		if (t.plans[p].k > 0)
			status = run_part(&t, p, err);
		else if (p == c->count && answers_of(c, p) > 0)
			status = compare_far(&t, err);
		t.done += t.part;
	}
	knng_sys_keep(false);
	if (*done && status == KNNG_OK)
		note(&t);
	knng_free(t.plans);
	return status;
}
