/* spanning.c  Boruvka's rounds: every part takes the first edge that leaves it, as soon as it is certain that this is
 * the first. Lists of near neighbours serve most rounds. Where no part can go on by them, rows of all parts but the
 * largest are searched again, outside of their part, in a tree of boxes that is made once. */
#include "rows/spanning.h"
#include "base/sort.h"
#include "base/sys.h"
#include "graph/parts.h"
#include "rows/outside.h"
#include "search/cpu/kernels.h"
#include "search/points.h"
#include "search/source.h"

#include <math.h>
#include <string.h>

enum { ROWS_A_JOB = 256, SCRATCH = 4, WORTH = 1 << 14 };

/* From here on rows are those that have neighbours, in their order: `of` leads back to what they are in X. */
typedef struct {
	knng_task *task;
	const knng_matrix *X;
	const knng_near_lists *lists;
	const knng_spanning_how *how;
	int threads;
	int64_t all, n, k, ld; /* rows of X; rows, and entries of the list of each */
	bool complete;         /* lists have all there is */
	int32_t *of, *row;     /* [n], [all]: -1 where a row has none */
	int32_t *other;        /* [n * k] in the order of (length, other) */
	double *length;        /* [n * k] */
	int32_t *at;           /* [n] the first entry that may lead out of the part */
	int32_t *up;           /* [n] parts.h */
	int32_t *size;         /* [n] of a part */
	double *core;          /* [n], or NULL */
	double *reach;         /* [n] edges that leave the part of a row and are not in its list are no shorter */
	knng_tree_edge *best;  /* [n] of a part */
	uint8_t *open;         /* [n] of a row: it may have an edge that comes before best of its part */
	uint8_t *uncertain;    /* [n] of a part: one of its rows is open */
	knng_tree_edge *tree;
	int64_t edges, parts;
	double *u, *scratch; /* [all * ld], [threads * SCRATCH * ld] */
	knng_outside outside;
} spanning;

double
knng_spanning_bytes(int64_t n, int64_t k)
{
	return (double)n * (12 * (double)k + 4 + 4 + 4 + 4 + 4 + 8 + 8 + 16 + 2) + 4096;
}

double
knng_spanning_boxes_bytes(int64_t n, int64_t d, int64_t leaf, int threads)
{
	return 8.0 * (double)knng_columns(d) * ((double)n + SCRATCH * threads) +
	       knng_outside_bytes(n, d, leaf, threads);
}

static void
close_all(spanning *s)
{
	knng_outside_close(&s->outside);
	void *all[] = {s->of,   s->row,   s->other, s->length, s->at,        s->up, s->size,
		       s->core, s->reach, s->best,  s->open,   s->uncertain, s->u,  s->scratch};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
}

/* ---------------------------------------------------------------- lists */

KNNG_SORT_LIST(sort_list, int32_t)

static void
take_list(spanning *s, int32_t i)
{
	const knng_near_lists *l = s->lists;
	int32_t *other = s->other + (int64_t)i * s->k;
	double *length = s->length + (int64_t)i * s->k;
	for (int64_t c = 0; c < s->k; c++) {
		int64_t from = s->of[i] + c * s->all;
		other[c] = s->row[(int64_t)l->idx[from] - 1];
		length[c] = l->dist[from];
		if (s->core != NULL)
			length[c] = fmax(length[c], fmax(s->core[i], s->core[other[c]]));
	}
	if (s->core != NULL) /* by the distance they are in order */
		sort_list(length, other, s->k);
	s->reach[i] = s->complete ? INFINITY : l->dist[s->of[i] + (s->k - 1) * s->all];
}

static knng_status
take_job(void *context, int worker, int64_t job, knng_err *err)
{
	spanning *s = context;
	knng_part part = knng_part_of(job, ROWS_A_JOB, s->n);
	(void)worker, (void)err;
	for (int64_t i = part.first; i < part.end; i++)
		take_list(s, (int32_t)i);
	return KNNG_OK;
}

static knng_status
open_lists(spanning *s, knng_err *err)
{
	const knng_near_lists *l = s->lists;
	int64_t n = 0;
	s->row = knng_alloc(s->all, sizeof *s->row);
	s->of = knng_alloc(s->all, sizeof *s->of);
	if (s->row == NULL || s->of == NULL)
		return knng_fail_memory(err, "the spanning tree", knng_spanning_bytes(s->all, l->k));
	for (int64_t i = 0; i < s->all; i++) {
		s->row[i] = l->k > 0 && l->idx[i] > 0 ? (int32_t)n : -1;
		if (s->row[i] >= 0)
			s->of[n++] = (int32_t)i;
	}
	s->n = n;
	s->k = l->k < n - 1 ? l->k : n > 0 ? n - 1 : 0;
	s->complete = s->k == n - 1;
	s->other = knng_alloc(n * s->k, sizeof *s->other);
	s->length = knng_alloc(n * s->k, sizeof *s->length);
	s->at = knng_calloc(n, sizeof *s->at);
	s->up = knng_alloc(n, sizeof *s->up);
	s->size = knng_alloc(n, sizeof *s->size);
	s->core = l->core != NULL ? knng_alloc(n, sizeof *s->core) : NULL;
	s->reach = knng_alloc(n, sizeof *s->reach);
	s->best = knng_alloc(n, sizeof *s->best);
	s->open = knng_alloc(n, sizeof *s->open);
	s->uncertain = knng_alloc(n, sizeof *s->uncertain);
	if (s->other == NULL || s->length == NULL || s->at == NULL || s->up == NULL || s->size == NULL ||
	    (l->core != NULL && s->core == NULL) || s->reach == NULL || s->best == NULL || s->open == NULL ||
	    s->uncertain == NULL)
		return knng_fail_memory(err, "the spanning tree", knng_spanning_bytes(s->all, l->k));
	for (int64_t i = 0; s->core != NULL && i < n; i++)
		s->core[i] = l->core[s->of[i]];
	knng_parts_begin(s->up, n);
	s->parts = n;
	int threads = knng_task_threads_for(s->task, (double)n * (double)s->k, WORTH);
	return knng_task_run(s->task, threads, knng_parts(ROWS_A_JOB, n), take_job, s, err);
}

/* Of row i the first edge of its list that leaves its part; false: there is none. */
static bool
first_out(spanning *s, int32_t i)
{
	const int32_t *other = s->other + (int64_t)i * s->k;
	int32_t at = s->at[i];
	while (at < s->k && s->up[other[at]] == s->up[i])
		at++;
	s->at[i] = at;
	return at < s->k;
}

/* Whether that edge comes before all that leave the part of i and are not in its list. By the distance lists are in
 * their order, and so are what they leave out. With core distances an edge that is left out may be as long, and come
 * before; not of length 0, where all that are listed are at distance 0, too. */
static bool
is_first(const spanning *s, int32_t i)
{
	double length;
	if (s->complete)
		return true;
	if (s->at[i] == s->k)
		return false;
	length = s->length[(int64_t)i * s->k + s->at[i]];
	return s->core == NULL || length < s->reach[i] || length == 0;
}

static void
offer(spanning *s, int32_t part, const knng_tree_edge *edge)
{
	if (knng_edge_before(edge, &s->best[part]))
		s->best[part] = *edge;
}

/* The first edge that lists know of each part, into best; which rows are open, and which parts uncertain for it. up is
 * flat. */
static knng_status
look(spanning *s, knng_err *err)
{
	knng_status status = KNNG_OK;
	for (int64_t i = 0; i < s->n; i++) {
		s->best[i].i = -1;
		s->uncertain[i] = 0;
	}
	for (int32_t i = 0; i < s->n; i++) {
		if (i % (1 << 16) == 0 && (status = knng_task_step(s->task, 0, err)) != KNNG_OK)
			return status;
		if (!first_out(s, i))
			continue;
		int64_t e = (int64_t)i * s->k + s->at[i];
		int32_t j = s->other[e];
		knng_tree_edge edge = {s->length[e], i < j ? i : j, i < j ? j : i};
		offer(s, s->up[i], &edge);
		offer(s, s->up[j], &edge);
	}
	for (int32_t i = 0; i < s->n; i++) {
		const knng_tree_edge *best = &s->best[s->up[i]];
		s->open[i] = !is_first(s, i) && (best->i < 0 || s->reach[i] <= best->d);
		s->uncertain[s->up[i]] |= s->open[i];
	}
	return KNNG_OK;
}

/* Takes the best edges of the parts that are certain of it. Whether there were any. */
static bool
join(spanning *s)
{
	int64_t before = s->edges;
	for (int32_t i = 0; i < s->n; i++)
		if (s->best[i].i >= 0 && !s->uncertain[i] && knng_parts_join(s->up, s->best[i].i, s->best[i].j))
			s->tree[s->edges++] = s->best[i];
	knng_parts_flatten(s->up, s->n);
	s->parts = s->n - s->edges;
	s->task->done = (double)s->edges / (double)s->n;
	s->task->left = 1 - s->task->done; /* progress stays until more edges are there */
	return s->edges > before;
}

/* ---------------------------------------------------------------- outside of parts */

static knng_status
load_job(void *context, int worker, int64_t job, knng_err *err)
{
	spanning *s = context;
	knng_part part = knng_part_of(job, knng_prepare_rows(s->X->d), s->all);
	uint64_t hash;
	(void)err;
	knng_source_rows(s->X, part.first, part.end - part.first, s->u + part.first * s->ld, s->ld);
	for (int64_t i = part.first; i < part.end; i++)
		if (s->row[i] >= 0)
			s->outside.kernels->prepare(s->how->metric, s->u + i * s->ld, s->X->d, s->ld,
						    s->scratch + worker * SCRATCH * s->ld, &hash);
	return KNNG_OK;
}

/* Whether there is memory for the tree. */
static bool
affords(const spanning *s)
{
	double limit = s->how->max_memory;
	double bytes = knng_spanning_boxes_bytes(s->all, s->X->d, s->how->leaf, s->threads);
	if (limit > 0 && knng_spanning_bytes(s->all, s->lists->k) + bytes > limit)
		return false;
	return knng_afford(bytes, "", NULL) == KNNG_OK;
}

/* Rows, as a search prepares them, and their tree. */
static knng_status
open_tree(spanning *s, knng_err *err)
{
	knng_outside *o = &s->outside;
	s->u = knng_alloc(s->all * s->ld, sizeof *s->u);
	s->scratch = knng_alloc(s->threads * SCRATCH * s->ld, sizeof *s->scratch);
	if (s->u == NULL || s->scratch == NULL)
		return knng_fail_memory(err, "the prepared rows", 8.0 * (double)s->all * (double)s->ld);
	*o = (knng_outside){.kernels = knng_kernels_find(s->how->target),
			    .metric = s->how->metric,
			    .u = s->u,
			    .n = s->n,
			    .ld = s->ld,
			    .threads = s->threads,
			    .core = s->core,
			    .part = s->up,
			    .reach = s->reach,
			    .best = s->best};
	knng_status status =
		knng_task_run(s->task, s->threads, knng_parts(knng_prepare_rows(s->X->d), s->all), load_job, s, err);
	for (int64_t i = 0; i < s->n && s->n < s->all; i++)
		memmove(s->u + i * s->ld, s->u + s->of[i] * s->ld, (size_t)s->ld * sizeof *s->u);
	return status == KNNG_OK ? knng_outside_open(o, s->task, s->X->d, s->how->leaf, err) : status;
}

/* The largest part can wait: all others join something, and it is that as a rule. */
static int32_t
largest_part(const spanning *s)
{
	int32_t largest = 0;
	memset(s->size, 0, (size_t)s->n * sizeof *s->size);
	for (int64_t i = 0; i < s->n; i++)
		s->size[s->up[i]]++;
	for (int32_t i = 1; i < s->n; i++)
		largest = s->size[i] > s->size[largest] ? i : largest;
	return largest;
}

/* One search of the open rows; their parts are certain then. */
static knng_status
search(spanning *s, bool *gains, knng_spanning_info *info, knng_err *err)
{
	knng_outside *o = &s->outside;
	int32_t largest = largest_part(s);
	knng_status status = o->b == NULL ? open_tree(s, err) : KNNG_OK;
	if (status != KNNG_OK)
		return status;
	for (int32_t i = 0; i < s->n; i++)
		s->open[i] = s->open[i] && s->up[i] != largest;
	knng_outside_begin(o, s->open);
	s->task->left = (1 - s->task->done) / 2;
	status = knng_outside_search(o, s->task, s->how->prune == KNNG_PRUNE_ON, gains, err);
	s->task->left = 1 - s->task->done;
	if (status != KNNG_OK || !*gains)
		return status;
	for (int32_t i = 0; i < s->n; i++) {
		if (!s->open[i])
			continue;
		double length = s->best[s->up[i]].d;
		s->reach[i] = length > s->reach[i] ? length : s->reach[i];
		s->uncertain[s->up[i]] = 0;
	}
	info->rounds++;
	info->asked += o->asked_count;
	return status;
}

static knng_status
grow(spanning *s, knng_spanning_info *info, knng_err *err)
{
	bool gains = s->how->prune != KNNG_PRUNE_OFF;
	knng_status status = KNNG_OK;
	while (s->parts > 1 && status == KNNG_OK && (status = look(s, err)) == KNNG_OK) {
		if (join(s))
			continue;
		if (!gains || (s->outside.b == NULL && !affords(s)))
			break;
		status = search(s, &gains, info, err);
		if (status == KNNG_OK && gains && !join(s))
			status = knng_fail(err, KNNG_EINTERNAL, "knng:internal:tree",
					   "no part of the spanning tree has an edge that leaves it: this is a fault "
					   "of knng; please report it with the data");
	}
	for (int t = 0; t < s->threads && s->outside.visits != NULL; t++)
		info->visits += s->outside.visits[t];
	return status;
}

knng_status
knng_spanning(knng_task *task, const knng_matrix *X, const knng_near_lists *lists, const knng_spanning_how *how,
	      int32_t *part, knng_tree_edge *tree, int64_t *edges, knng_spanning_info *info, knng_err *err)
{
	spanning s = {.task = task,
		      .X = X,
		      .lists = lists,
		      .how = how,
		      .threads = knng_task_threads(task),
		      .all = X->n,
		      .ld = knng_columns(X->d),
		      .tree = tree};
	*info = (knng_spanning_info){0};
	*edges = 0;
	knng_status status = open_lists(&s, err);
	if (status == KNNG_OK)
		status = grow(&s, info, err);
	for (int64_t i = 0; i < s.all && status == KNNG_OK; i++)
		part[i] = s.row[i] < 0 ? (int32_t)i : s.of[s.up[s.row[i]]];
	for (int64_t e = 0; e < s.edges && status == KNNG_OK; e++) {
		tree[e].i = s.of[tree[e].i];
		tree[e].j = s.of[tree[e].j];
	}
	*edges = s.edges;
	close_all(&s);
	return status;
}
