/* separate.c  Finds clusters that are far apart. Some rows are looked at first: if all distances between some groups
 * of them are far larger than those within, the means of these groups are centres, and all rows are sorted to the
 * nearest one. What decides in the end are the distances of all rows to the centres, by (17.1) of docs/canonical.md:
 * there must be a radius R with none between R and 4 R, and 5 R between any two centres. Rows beyond 4 R are looked at
 * likewise, for other clusters. */
#include "search/separate.h"
#include "base/sort.h"
#include "base/sys.h"
#include "search/backend.h"
#include "search/cpu/kernels.h"
#include "search/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	SAMPLE = 64, /* rows that are looked at together */
	ROUNDS = 4,  /* at most: rows far from all centres are looked at in turn */
	MOST = SAMPLE * ROUNDS,
	LEAST_ROWS = 1024, /* fewer take no time, */
	LEAST_ANSWERS = 256,
	LEAST_PAIRS = 4000000, /* nor do fewer pairs than that, but in a cluster far from others */
	SHORT = 16,            /* boxes leave out pairs of shorter rows wherever they lie, */
	SHORT_GPU = 8,         /* as they do on GPUs */
	LEAST_EACH = 256,      /* rows of a cluster, on average, that are worth a search, */
	LEAST_EACH_GPU = 2048, /* of a GPU, */
	LEAST_LARGE = 8192,    /* of one that boxes would not search sooner, */
	FAR_SHARE = 64,        /* no more of the rows may be far from all clusters than one in so many, */
	FAR_QUERIES = 16,      /* of queries */
};

/* Distances count in quarters of octaves: one of `step` is 2^(step/4) or more, and less than that of the next. Those
 * that single steps are too small or too large for are beyond what squares can be of without loss. */
enum { LEAST = -1600, LARGEST = 2000, STEPS = LARGEST - LEAST + 1, NO_ROW = INT16_MAX };
#ifndef KNNG_PLANT_APART /* what the tests must find: clusters that are not far enough apart */
enum { APART = 9, CENTRES_APART = 5 };
#else
enum { APART = 1, CENTRES_APART = 2 };
#endif
#ifndef KNNG_PLANT_FEW /* the same: a cluster with a row too few */
enum { ITSELF = 1 };
#else
enum { ITSELF = 0 };
#endif

typedef struct {
	const knng_plan *plan;
	const knng_kernels *kernels;
	knng_task task;
	int64_t least_each;         /* rows of a cluster, on average */
	int64_t ld, each;           /* rows that a thread reads together */
	int32_t numbers[MOST];      /* 0, 1, ... */
	int count, from;            /* centres; those from `from` on are new */
	int column;                 /* in which the new ones differ most */
	double between;             /* the smallest distance of two new ones */
	double *centre;             /* [MOST * ld] */
	double *sample;             /* [SAMPLE * ld] */
	double *apart;              /* [SAMPLE * SAMPLE] distances of rows of the sample */
	double *rows;               /* [threads * each * ld] */
	double *sums;               /* [threads * MOST] */
	int64_t *found;             /* [STEPS] rows at such a distance from their centre */
	int16_t *part[2], *step[2]; /* [rows of X], [rows of Y]: the nearest centre, how far it is */
} finding;

/* Rows of a cluster, on average, that are worth a search. */
static int64_t
least_each(const knng_plan *plan, bool all)
{
	if (plan->opt.separate == KNNG_PRUNE_ON)
		return 1;
	return plan->ndevices == 0 ? LEAST_EACH : !all && plan->prunes ? LEAST_LARGE : LEAST_EACH_GPU;
}

/* ---------------------------------------------------------------- how far rows are */

static double
distance_of(const finding *f, double sum)
{
	return f->plan->metric->sum == KNNG_SUM_MINUS ? sqrt(sum) : sum;
}

static int16_t
step_of(double distance)
{
	double step = distance == 0 ? LEAST : floor(4 * log2(distance));
	return (int16_t)(step < LEAST ? LEAST : step < LARGEST ? step : LARGEST); /* NaN: LARGEST */
}

/* More than any distance of that step. */
static double
beyond_step(int step)
{
	return exp2((step + 1) / 4.) * (1 + 0x1p-30);
}

bool
knng_is_finite(const double *row, int64_t d)
{
	int broken = 0;
	for (int64_t l = 0; l < d; l++)
		broken |= row[l] - row[l] != 0;
	return !broken;
}

/* Distances of count rows to each other. */
static void
measure(const finding *f, const double *rows, int count)
{
	for (int a = 0; a < count; a++) {
		double *to = f->apart + (int64_t)a * count;
		f->kernels->sums(f->plan->metric->sum, rows + a * f->ld, rows, f->ld, f->numbers, a, to);
		to[a] = 0;
		for (int b = 0; b < a; b++)
			to[b] = f->apart[b * count + a] = distance_of(f, to[b]);
	}
}

/* ---------------------------------------------------------------- groups of some rows */

/* Gives rows that are less than `limit` from each other, or from rows between them, one number. How many there are. */
static int
group(const double *apart, int count, double limit, int *label)
{
	int stack[SAMPLE], groups = 0;
	for (int a = 0; a < count; a++)
		label[a] = -1;
	for (int a = 0; a < count; a++) {
		int top = 0;
		if (label[a] >= 0)
			continue;
		label[a] = groups;
		stack[top++] = a;
		while (top > 0) {
			int b = stack[--top];
			for (int c = 0; c < count; c++)
				if (label[c] < 0 && apart[b * count + c] < limit) {
					label[c] = groups;
					stack[top++] = c;
				}
		}
		groups++;
	}
	return groups;
}

/* The largest distance of a row to the first one of its group. */
static double
extent_of(const double *apart, int count, const int *label, int groups)
{
	int first[SAMPLE];
	double most = 0;
	for (int g = 0; g < groups; g++)
		first[g] = -1;
	for (int a = 0; a < count; a++) {
		if (first[label[a]] < 0)
			first[label[a]] = a;
		most = fmax(most, apart[first[label[a]] * count + a]);
	}
	return most;
}

static int
descending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? 1 : x > y ? -1 : 0;
}

/* The edges of the minimum spanning tree, by Prim's method, the longest first. */
static void
span(const double *apart, int count, double *edge)
{
	double near[SAMPLE];
	bool in[SAMPLE] = {false};
	for (int a = 0; a < count; a++)
		near[a] = apart[a];
	in[0] = true;
	for (int e = 0; e < count - 1; e++) {
		int next = 0;
		for (int a = 0; a < count; a++)
			if (!in[a] && (in[next] || near[a] < near[next]))
				next = a;
		in[next] = true;
		edge[e] = near[next];
		for (int a = 0; a < count; a++)
			near[a] = fmin(near[a], apart[next * count + a]);
	}
	qsort(edge, (size_t)(count - 1), sizeof *edge, descending);
}

/* Groups of the sample with far more between them than within; 1: there are none. */
static int
groups_of(const finding *f, int count, int *label)
{
	enum { LONGER = 3, FAR = 8, EACH = 4 };
	double edge[SAMPLE];
	int groups;
	if (count > 1)
		span(f->apart, count, edge);
	for (int e = 0; e + 1 < count - 1; e++) {
		if (!(edge[e] >= LONGER * edge[e + 1]) || edge[e] == 0)
			continue;
		groups = group(f->apart, count, edge[e], label);
		double within = extent_of(f->apart, count, label, groups);
		if (edge[e] >= FAR * within && (within > 0 || EACH * groups <= count))
			return groups;
	}
	return group(f->apart, count, INFINITY, label);
}

/* Whether groups of the sample are more than clusters may be, or most of its rows are the only ones of theirs, and so
 * most of all rows of none of them. */
static bool
too_many(const finding *f, int count, const int *label, int groups)
{
	int size[SAMPLE] = {0}, single = 0;
	for (int a = 0; a < count; a++)
		size[label[a]]++;
	for (int g = 0; g < groups; g++)
		single += size[g] == 1;
	return groups > f->plan->x.n / f->least_each || (groups > 1 && 2 * single > count);
}

/* ---------------------------------------------------------------- centres */

/* The mean of a group becomes a centre: its first row, and the mean of the differences to that. How many rows it has.
 */
static int
add_centre(finding *f, int count, const int *label, int g)
{
	double *to = f->centre + f->count * f->ld;
	const double *first = NULL;
	int size = 0;
	for (int a = 0; a < count; a++)
		size += label[a] == g;
	memset(to, 0, (size_t)f->ld * sizeof *to);
	for (int a = 0; a < count; a++) {
		const double *row = f->sample + a * f->ld;
		first = first == NULL && label[a] == g ? row : first;
		for (int64_t l = 0; label[a] == g && l < f->ld; l++)
			to[l] += (row[l] - first[l]) / size;
	}
	for (int64_t l = 0; first != NULL && l < f->ld; l++)
		to[l] += first[l];
	f->count++;
	return size;
}

/* Of groups with more than one row; where there are only such, the others will be found among the rows far from all. */
static void
add_centres(finding *f, int count, const int *label, int groups)
{
	f->from = f->count;
	for (int g = 0; g < groups; g++)
		if (add_centre(f, count, label, g) < 2 && groups > 1)
			f->count--;
}

/* The smallest distance of two of count centres. */
static double
between(const finding *f, const double *centre, int count)
{
	double least = INFINITY;
	for (int a = 1; a < count; a++) {
		f->kernels->sums(f->plan->metric->sum, centre + a * f->ld, centre, f->ld, f->numbers, a, f->sums);
		for (int b = 0; b < a; b++)
			least = fmin(least, distance_of(f, f->sums[b]));
	}
	return least;
}

/* In which column the new centres differ most, and the smallest distance of two of them. */
static void
compare_centres(finding *f)
{
	int count = f->count - f->from;
	const double *centre = f->centre + f->from * f->ld;
	double widest = -1;
	for (int64_t l = 0; l < f->plan->x.d; l++) {
		double low = INFINITY, high = -INFINITY;
		for (int c = 0; c < count; c++) {
			low = fmin(low, centre[c * f->ld + l]);
			high = fmax(high, centre[c * f->ld + l]);
		}
		if (high - low > widest) {
			widest = high - low;
			f->column = (int)l;
		}
	}
	f->between = between(f, centre, count);
}

/* The nearest of the new centres: one that is near in one column often is, and proves it. */
static int
nearest(const finding *f, const double *row, double *sums, double *distance)
{
	const double *centre = f->centre + f->from * f->ld, *at = centre + f->column;
	int count = f->count - f->from, best = 0;
	for (int c = 1; c < count; c++)
		if (fabs(row[f->column] - at[c * f->ld]) < fabs(row[f->column] - at[best * f->ld]))
			best = c;
	f->kernels->sums(f->plan->metric->sum, row, centre, f->ld, f->numbers + best, 1, sums);
	*distance = distance_of(f, sums[0]);
	if (*distance < 0.49 * f->between)
		return f->from + best;
	f->kernels->sums(f->plan->metric->sum, row, centre, f->ld, f->numbers, count, sums);
	for (int c = 0; c < count; c++)
		best = sums[c] < sums[best] ? c : best;
	*distance = distance_of(f, sums[best]);
	return f->from + best;
}

/* ---------------------------------------------------------------- all rows */

typedef struct {
	finding *f;
	const knng_matrix *matrix;
	int which;
	int beyond; /* rows of no more than this step have their centre already */
} sorting;

static knng_status
sort_job(void *context, int worker, int64_t job, knng_err *err)
{
	const sorting *s = context;
	const finding *f = s->f;
	int16_t *part = f->part[s->which], *step = f->step[s->which];
	knng_part some = knng_part_of(job, f->each, s->matrix->n);
	double *rows = f->rows + worker * f->each * f->ld, *sums = f->sums + (int64_t)worker * MOST;
	bool any = false;
	(void)err;
	for (int64_t i = some.first; i < some.end; i++)
		any |= step[i] > s->beyond && step[i] != NO_ROW;
	if (!any)
		return KNNG_OK;
	knng_source_rows(s->matrix, some.first, some.end - some.first, rows, f->ld);
	for (int64_t i = some.first; i < some.end; i++) {
		const double *row = rows + (i - some.first) * f->ld;
		double distance = 0;
		if (step[i] <= s->beyond || step[i] == NO_ROW)
			continue;
		if (!knng_is_finite(row, f->plan->x.d)) {
			step[i] = NO_ROW;
			continue;
		}
		int near = nearest(f, row, sums, &distance);
		if (step_of(distance) < step[i]) {
			step[i] = step_of(distance);
			part[i] = (int16_t)near;
		}
	}
	return KNNG_OK;
}

/* Sorts the rows that are farther than `beyond` from all centres to the new ones. */
static knng_status
sort_rows(finding *f, int which, int beyond, knng_err *err)
{
	sorting s = {f, which ? &f->plan->y : &f->plan->x, which, beyond};
	return knng_task_run(&f->task, f->plan->threads, knng_parts(f->each, s.matrix->n), sort_job, &s, err);
}

/* The first step with no row in the APART behind it and no more than `most` rows beyond these, or else the last one,
 * of those that are short beside what is between two centres; STEPS: there is none. *far: how many rows are beyond. */
static int
radius_of(finding *f, int64_t most, int64_t *far)
{
	int64_t n = 0, seen = 0;
	int last = STEPS;
	double apart = between(f, f->centre, f->count);
	memset(f->found, 0, STEPS * sizeof *f->found);
	for (int64_t i = 0; i < f->plan->x.n; i++)
		if (f->step[0][i] != NO_ROW) {
			f->found[f->step[0][i] - LEAST]++;
			n++;
		}
	*far = n;
	for (int s = 0; s < STEPS - 1 - APART && (last == STEPS || *far > most); s++) {
		bool gap = f->found[s] > 0 && CENTRES_APART * beyond_step(s + LEAST) <= apart;
		seen += f->found[s];
		for (int o = 1; o <= APART; o++)
			gap = gap && f->found[s + o] == 0;
		if (gap) {
			last = s + LEAST;
			*far = n - seen;
		}
	}
	return last;
}

/* Some rows, as they lie, but those with NaN or Inf: some that are neighbours, as these share cache lines, from each of
 * some parts of the matrix, where no period of the data shows. */
static int
sample_all(finding *f)
{
	enum { BESIDE = 4, PARTS = SAMPLE / BESIDE };
	int64_t n = f->plan->x.n;
	int taken = 0;
	for (int64_t a = 0; a < PARTS; a++) {
		int64_t each = (n - BESIDE) / PARTS, some = a * BESIDE < n ? n - a * BESIDE : 0;
		int64_t i = n <= SAMPLE ? a * BESIDE
					: a * each + (int64_t)((uint64_t)a * 2654435761u / 64 % (uint64_t)(each + 1));
		double *to = f->sample + taken * f->ld;
		some = n > SAMPLE || some > BESIDE ? BESIDE : some;
		if (some < 1)
			break;
		knng_source_rows(&f->plan->x, i, some, to, f->ld);
		for (int64_t r = 0; r < some; r++)
			if (knng_is_finite(to + r * f->ld, f->plan->x.d))
				memmove(f->sample + taken++ * f->ld, to + r * f->ld, (size_t)f->ld * sizeof *to);
	}
	return taken;
}

/* Some of the `far` rows that are beyond a step. */
static int
sample_far(finding *f, int beyond, int64_t far)
{
	int64_t count = far < SAMPLE ? far : (int64_t)SAMPLE, seen = 0;
	int taken = 0;
	for (int64_t i = 0; i < f->plan->x.n && taken < count; i++)
		if (f->step[0][i] != NO_ROW && f->step[0][i] > beyond && seen++ * count >= taken * far)
			knng_source_rows(&f->plan->x, i, 1, f->sample + taken++ * f->ld, f->ld);
	return taken;
}

/* Of the sample of rows that are far from all centres, groups of several rows within the radius become centres, unless
 * they are too near to others. How many do. */
static int
add_far(finding *f, int count, double radius)
{
	enum { SEVERAL = 3 };
	int label[SAMPLE], before = f->count;
	measure(f, f->sample, count);
	int groups = group(f->apart, count, CENTRES_APART * radius, label);
	f->from = before;
	for (int g = 0; g < groups && f->count < MOST; g++) {
		double *centre = f->centre + f->count * f->ld, sums[MOST];
		bool fine = add_centre(f, count, label, g) >= SEVERAL;
		f->kernels->sums(f->plan->metric->sum, centre, f->centre, f->ld, f->numbers, f->count - 1, sums);
		for (int c = 0; c < f->count - 1; c++)
			fine = fine && distance_of(f, sums[c]) >= CENTRES_APART * radius;
		f->kernels->sums(f->plan->metric->sum, centre, f->sample, f->ld, f->numbers, count, sums);
		for (int a = 0; a < count; a++)
			fine = fine && (label[a] != g || distance_of(f, sums[a]) < radius);
		f->count -= !fine;
	}
	return f->count - before;
}

/* Finds centres, of groups of the sample first, and sorts the rows of X to them. The step of the radius; STEPS: they
 * lie otherwise. */
static knng_status
sort_references(finding *f, int count, const int *label, int groups, int *radius, knng_err *err)
{
	int64_t n = f->plan->x.n, far;
	*radius = STEPS;
	add_centres(f, count, label, groups);
	if (f->count == 0)
		return KNNG_OK;
	for (int64_t i = 0; i < n; i++)
		f->step[0][i] = NO_ROW - 1;
	compare_centres(f);
	knng_status status = sort_rows(f, 0, LEAST - 1, err);
	for (int round = 1; status == KNNG_OK; round++) {
		*radius = radius_of(f, n / FAR_SHARE, &far);
		if (*radius == STEPS || far <= KNNG_AT_ONCE || round == ROUNDS)
			break;
		count = sample_far(f, *radius, far);
		if (add_far(f, count, beyond_step(*radius)) == 0)
			break;
		compare_centres(f);
		status = sort_rows(f, 0, *radius, err);
	}
	if (status != KNNG_OK || *radius == STEPS)
		return status;
	f->from = 0;
	compare_centres(f);
	if (far > n / FAR_SHARE)
		*radius = STEPS;
	return status;
}

/* ---------------------------------------------------------------- clusters */

/* Rows of one matrix by cluster, as they lie in its data. */
static void
lay_out(const finding *f, int which, int count, const int *number, int whole, int64_t *first, int32_t *row)
{
	const knng_matrix *matrix = which ? &f->plan->y : &f->plan->x;
	int64_t n = matrix->n;
	memset(first, 0, (size_t)(count + 2) * sizeof *first);
	for (int64_t i = 0; i < n; i++) {
		int p = f->step[which][i] == NO_ROW ? whole : number[f->part[which][i]];
		f->part[which][i] = (int16_t)p;
		first[p + 1]++;
	}
	for (int p = 0; p < count + 1; p++)
		first[p + 1] += first[p];
	for (int64_t i = 0; i < n; i++)
		row[first[f->part[which][i]]++] = matrix->rows != NULL ? matrix->rows[i] : (int32_t)i;
	for (int p = count + 1; p > 0; p--)
		first[p] = first[p - 1];
	first[0] = 0;
}

/* What the rows of so many clusters, and the plans of these, take. */
static double
lists_bytes(const knng_plan *plan, int64_t count)
{
	double rows = (double)plan->x.n + (plan->y.data != NULL ? (double)plan->y.n : 0);
	return 4 * rows + (double)(count + 2) * (32 + KNNG_OF_PLAN);
}

/* Clusters of what was sorted, if they serve. */
static knng_status
make_clusters(finding *f, int radius, knng_clusters *c, knng_err *err)
{
	const knng_plan *plan = f->plan;
	const int64_t rows[2] = {plan->x.n, plan->y.data != NULL ? plan->y.n : 0};
	bool graph = rows[1] == 0;
	int64_t size[2][MOST + 1] = {{0}}, far[2] = {0}, least = plan->k + (graph ? ITSELF : 0);
	int number[MOST + 1], count = 0, whole = 0;
	for (int q = 0; q < 2; q++) /* what is beyond the radius has the number behind those of all centres */
		for (int64_t i = 0; i < rows[q]; i++)
			if (f->step[q][i] != NO_ROW) {
				f->part[q][i] = f->step[q][i] > radius ? (int16_t)f->count : f->part[q][i];
				size[q][f->part[q][i]]++;
			}
	for (int p = 0; p < f->count; p++)
		number[p] = size[0][p] >= least ? count++ : -1;
	number[f->count] = -1;
	for (int p = 0; p <= f->count; p++) {
		/* rows with NaN or Inf go to a cluster that is searched */
		whole = number[p] >= 0 && size[graph ? 0 : 1][p] > 0 ? number[p] : whole;
		for (int q = 0; q < 2; q++)
			far[q] += number[p] < 0 ? size[q][p] : 0;
		number[p] = number[p] < 0 ? count : number[p];
	}
	if (count == 0 || (count == 1 && far[0] == 0 && far[1] == 0) || far[0] > rows[0] / FAR_SHARE ||
	    far[1] > rows[1] / FAR_QUERIES || rows[0] / count < f->least_each)
		return KNNG_OK;
	c->first_ref = knng_alloc(count + 2, sizeof *c->first_ref);
	c->ref = knng_alloc(plan->x.n, sizeof *c->ref);
	c->first_query = graph ? NULL : knng_alloc(count + 2, sizeof *c->first_query);
	c->query = graph ? NULL : knng_alloc(plan->y.n, sizeof *c->query);
	c->bytes = lists_bytes(plan, count);
	if (c->first_ref == NULL || c->ref == NULL || (!graph && (c->first_query == NULL || c->query == NULL)))
		return knng_fail_memory(err, "the rows of clusters", c->bytes);
	lay_out(f, 0, count, number, whole, c->first_ref, c->ref);
	if (!graph)
		lay_out(f, 1, count, number, whole, c->first_query, c->query);
	c->count = count;
	c->reach = 2 * beyond_step(radius) * (1 + 0x1p-20);
	return KNNG_OK;
}

void
knng_clusters_close(knng_clusters *c)
{
	knng_free(c->first_ref);
	knng_free(c->first_query);
	knng_free(c->ref);
	knng_free(c->query);
	*c = (knng_clusters){0};
}

/* ---------------------------------------------------------------- what may be cut, and what it takes */

/* Clusters that there can be. */
static int64_t
most_of(const knng_plan *plan)
{
	int64_t most = plan->x.n / (plan->opt.separate == KNNG_PRUNE_ON ? 1 : LEAST_EACH);
	return most < MOST ? most : (int64_t)MOST;
}

/* What finding takes while all rows are sorted. */
static double
finding_bytes(const knng_plan *plan, int threads)
{
	double rows = (double)plan->x.n + (double)plan->y.n, ld = (double)plan->ld;
	double each = (double)knng_prepare_rows(plan->x.d);
	return 4 * rows + 8 * ld * (MOST + SAMPLE) + 8. * SAMPLE * SAMPLE + 8. * STEPS +
	       threads * (8 * each * ld + 8. * MOST);
}

/* What comparing a few rows with all takes. */
static double
at_once_bytes(const knng_plan *plan, int64_t rows, int threads)
{
	double each = (double)knng_prepare_rows(plan->x.d), ld = (double)plan->ld, k = (double)plan->k,
	       m = (double)rows;
	return 8 * m * ld + 4 * each + 1024 +
	       threads * (8 * each * ld + 9 * each + m * (2 * k * sizeof(knng_pair) + 24) + 2 * k * sizeof(knng_pair));
}

/* Whether a search may be cut, by its kind and its size; of short rows boxes leave out what lies far away. */
static bool
may_cut(const knng_plan *plan)
{
	const knng_options *opt = &plan->opt;
	bool boxes = plan->prunes && plan->x.d < (plan->ndevices > 0 ? SHORT_GPU : SHORT);
	bool large = plan->x.n >= LEAST_ROWS && plan->m >= LEAST_ANSWERS &&
		     (opt->reach > 0 || (double)plan->x.n * (double)plan->m >= LEAST_PAIRS);
	bool asked = opt->separate == KNNG_PRUNE_ON || (large && !boxes && opt->tile == 0);
	return opt->separate != KNNG_PRUNE_OFF && asked && plan->metric->prep == KNNG_PREP_NONE && plan->k > 0 &&
	       opt->split == 0 && opt->prepared == NULL && opt->range == NULL && opt->rows != KNNG_ROWS_PAIRWISE &&
	       opt->levels == NULL && plan->x.pairs == NULL && plan->x.second == NULL;
}

void
knng_plan_separately(knng_plan *plan, double limit)
{
	int64_t most = KNNG_AT_ONCE_PAIRS / (plan->k > 0 ? plan->k : 1);
	if (!may_cut(plan))
		return;
	most = most < KNNG_AT_ONCE ? most : (int64_t)KNNG_AT_ONCE;
	double bytes = lists_bytes(plan, most_of(plan)) +
		       fmax(finding_bytes(plan, plan->threads), at_once_bytes(plan, most, plan->threads));
	plan->separates = plan->opt.held + bytes <= limit;
	plan->separates_later = plan->bytes + bytes <= limit;
	if (plan->separates_later)
		plan->bytes += bytes;
	else if (plan->separates)
		plan->bytes = fmax(plan->bytes, plan->opt.held + bytes);
}

bool
knng_may_separate(const knng_clusters *c, double largest)
{
	const double larger = 64;
	return largest > larger * c->largest;
}

/* ---------------------------------------------------------------- finding */

static void
close_finding(finding *f)
{
	void *all[] = {f->centre, f->sample,  f->apart,   f->rows,    f->sums,
		       f->found,  f->part[0], f->part[1], f->step[0], f->step[1]};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
}

/* What a look at some rows takes. */
static bool
open_sample(finding *f)
{
	f->sample = knng_alloc(SAMPLE * f->ld, sizeof *f->sample);
	f->apart = knng_alloc((int64_t)SAMPLE * SAMPLE, sizeof *f->apart);
	return f->sample != NULL && f->apart != NULL;
}

static bool
open_finding(finding *f)
{
	const knng_plan *plan = f->plan;
	bool fine = true;
	f->centre = knng_alloc(MOST * f->ld, sizeof *f->centre);
	f->rows = knng_alloc(plan->threads * f->each * f->ld, sizeof *f->rows);
	f->sums = knng_alloc(plan->threads * (int64_t)MOST, sizeof *f->sums);
	f->found = knng_alloc(STEPS, sizeof *f->found);
	for (int q = 0; q < 2 && (q == 0 || plan->y.data != NULL); q++) {
		int64_t n = q ? plan->y.n : plan->x.n;
		f->part[q] = knng_calloc(n, sizeof *f->part[q]);
		f->step[q] = knng_alloc(n, sizeof *f->step[q]);
		fine = fine && f->part[q] != NULL && f->step[q] != NULL;
	}
	return fine && f->centre != NULL && f->rows != NULL && f->sums != NULL && f->found != NULL;
}

static knng_status
sort_all(finding *f, int count, const int *label, int groups, knng_clusters *c, knng_err *err)
{
	int radius;
	knng_status status = sort_references(f, count, label, groups, &radius, err);
	if (status != KNNG_OK || radius == STEPS)
		return status;
	for (int64_t i = 0; i < f->plan->y.n && f->plan->y.data != NULL; i++)
		f->step[1][i] = NO_ROW - 1;
	if (f->plan->y.data != NULL)
		status = sort_rows(f, 1, LEAST - 1, err);
	return status == KNNG_OK ? make_clusters(f, radius, c, err) : status;
}

knng_status
knng_separate(const knng_plan *plan, bool all, knng_clusters *c, knng_err *err)
{
	finding f = {.plan = plan,
		     .kernels = knng_kernels_find(plan->target),
		     .task = plan->opt.task,
		     .ld = plan->ld,
		     .each = knng_prepare_rows(plan->x.d)};
	knng_status status = KNNG_OK;
	*c = (knng_clusters){.refs = plan->x.n};
	if (!plan->separates)
		return KNNG_OK;
	f.task.stage = knng_stage_name[KNNG_STAGE_PREPARE];
	f.task.left = 1; /* short: progress stays where the search starts */
	for (int i = 0; i < MOST; i++)
		f.numbers[i] = i;
	int label[SAMPLE], groups = 0, count = open_sample(&f) ? sample_all(&f) : -1;
	for (int64_t e = 0; e < count * f.ld; e++)
		c->largest = fmax(c->largest, fabs(f.sample[e]));
	if (count > 1) {
		measure(&f, f.sample, count);
		groups = groups_of(&f, count, label);
		f.least_each = least_each(plan, all);
	}
	bool looks = groups > (all ? 0 : 1) && !too_many(&f, count, label, groups);
	if (count < 0 || (looks && !open_finding(&f)))
		status = knng_fail_memory(err, "finding clusters", finding_bytes(plan, plan->threads));
	else if (looks)
		status = sort_all(&f, count, label, groups, c, err);
	close_finding(&f);
	if (status != KNNG_OK)
		knng_clusters_close(c);
	return status;
}
