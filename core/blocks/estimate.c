#include "blocks/estimate.h"
#include "base/sys.h"
#include "search/cpu/boxes.h"
#include "search/size.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	WIDEST = 8192,     /* columns of short searches, at most */
	LONGEST = 128,     /* neighbours */
	MOST = 20000000,   /* numbers of a matrix */
	FEWEST_ROWS = 512, /* and 4 for each neighbour */
	SMALL = 64,        /* rows of the first search, which starts threads and devices */
	PRUNED = 8192,     /* rows of the first search that leaves out pairs: KNNG_PRUNE_ROWS or more, */
	PRUNED_MORE = 4 * PRUNED,
	PRUNED_WIDE = 256,   /* columns of made-up rows: with more, rows without structure are all alike far */
	PRUNED_GPU = 131072, /* rows of such a search on a GPU */
	PRUNED_LEAST = 1024, /* of the first one, where rows are long */
};

static const double long_enough = 0.15; /* seconds of a search */
static const double too_long = 1.5;     /* of one that leaves out pairs */
static const double too_many = 2.5e10;  /* products of it, should it leave out none */
static const double sure = 0.4;         /* by so much what some rows say of all is mostly not wrong */

/* A short search of m rows among n, and what it took. */
typedef struct {
	double n, m, pairs;
	double total, prepare, filter, refine, sink;
	double refined; /* distances computed of a row of the answer */
	bool other;     /* clusters far apart were searched one by one, or principal components left pairs out */
	char pruned[160];
} trial;

static double
pairs_of(const knng_estimated *e, double n, double m)
{
	return n * m / (e->graph ? 2 : 1);
}

/* Irregular numbers in [0, 1), the same ones every time. */
static void
make_up(void *data, int64_t count, knng_type type)
{
	uint64_t state = 1;
	for (int64_t i = 0; i < count; i++) {
		uint64_t z = state += 0x9e3779b97f4a7c15u;
		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
		z = (z ^ z >> 27) * 0x94d049bb133111ebu;
		double x = (double)(z >> 40) * 0x1p-24;
		if (type == KNNG_F32)
			((float *)data)[i] = (float)x;
		else
			((double *)data)[i] = x;
	}
}

/* Some of the rows that are there, evenly from all of them, each once, in no order, and of the columns evenly so many;
 * they lie by column. */
static void
take_some(const knng_matrix *X, void *data, int64_t rows, int64_t d)
{
	const int64_t prime = 1000003, step = rows % prime != 0 ? prime : 1, each = X->n / rows;
	const double golden = 0.6180339887498949;
	for (int64_t i = 0, at = 0; i < rows; i++, at = (at + step) % rows) {
		int64_t first =
			(int64_t)((double)at * (double)X->n / (double)rows); /* the next is `each` on, or more */
		const void *from = knng_row_of(X, first + (int64_t)(fmod((double)at * golden, 1) * (double)each));
		for (int64_t j = 0; j < d; j++) {
			int64_t column = (int64_t)((double)j * (double)X->d / (double)d) * X->col_stride;
			if (X->type == KNNG_F32)
				((float *)data)[i + j * rows] = ((const float *)from)[column];
			else
				((double *)data)[i + j * rows] = ((const double *)from)[column];
		}
	}
}

/* The first n of so many rows, of short searches. */
static knng_matrix
matrix_of(const knng_estimated *e, const void *data, int64_t rows, int64_t n, int64_t d)
{
	knng_matrix X = knng_by_rows(n, d, e->type, data);
	if (e->columns) {
		X.row_stride = 1;
		X.col_stride = rows;
	}
	return X;
}

/* How a short search goes: all pairs, as a large one has them; by boxes; or as the whole search would. */
typedef enum { ALL_PAIRS, BY_BOXES, AS_ASKED } manner;

/* As the plan has it. */
static knng_options
options_of(const knng_estimated *e, int64_t m, int64_t d, int64_t k, manner how, const knng_task *task)
{
	const knng_plan *one = e->one;
	int prune = how == ALL_PAIRS ? KNNG_PRUNE_OFF : how == BY_BOXES ? KNNG_PRUNE_ON : one->opt.prune;
	knng_options opt = {.metric = e->metric, .k = k, .target = one->opt.target, .prune = prune, .task = *task};
	opt.rows = one->opt.rows;
	opt.least_shared = d == e->d ? one->opt.least_shared : one->opt.least_shared * d / e->d;
	opt.task.threads = one->threads;
	opt.task.progress = NULL;
	opt.max_device_memory = one->opt.max_device_memory;
	if (one->ndevices == 0 && e->blocks == 1 && e->ranks == 1) /* else fewer rows are to fit into it at once */
		opt.max_memory = one->opt.max_memory;
	opt.device.kind = KNNG_DEVICE_CPU;
	if (one->ndevices > 0) {
		opt.device.kind = KNNG_DEVICE_LIST;
		opt.device.count = one->ndevices;
		for (int i = 0; i < one->ndevices; i++)
			opt.device.number[i] = one->devices[i] + 1;
	} else if (one->opt.tile > 0 || (how == ALL_PAIRS && m >= 4 * one->threads * one->tile)) {
		opt.tile = one->tile; /* with boxes those of a leaf: what was asked for */
	}
	return opt;
}

/* Searches twice, or once where that takes long. */
static knng_status
search(const knng_estimated *e, const knng_options *opt, const void *data, int64_t n, int64_t m, int64_t d, trial *t,
       knng_err *err)
{
	int64_t rows = n > m ? n : m;
	const knng_matrix X = matrix_of(e, data, rows, n, d), Y = matrix_of(e, data, rows, m, d);
	knng_plan plan;
	knng_info info;
	knng_status status = knng_plan_make(&plan, &X, e->graph ? NULL : &Y, opt, err);
	if (status != KNNG_OK)
		return status;
	int64_t places = m * (plan.k > 0 ? plan.k : 1);
	double *idx = knng_alloc(places, sizeof *idx), *dist = knng_alloc(places, sizeof *dist);
	const knng_output out = {idx, KNNG_F64, 1, dist, KNNG_F64, 1, m};
	if (idx == NULL || dist == NULL)
		status = knng_fail_memory(err, "a short search", 16 * (double)places);
	*t = (trial){.n = (double)n, .m = (double)m, .pairs = pairs_of(e, (double)n, (double)m), .total = INFINITY};
	for (int i = 0; i < 2 && status == KNNG_OK && (i == 0 || t->total <= 0.5); i++) {
		status = knng_run(&plan, &out, &info, err);
		if (status == KNNG_OK && info.total < t->total) {
			t->total = info.total;
			t->prepare = info.seconds[KNNG_STAGE_PREPARE];
			t->filter = info.seconds[KNNG_STAGE_FILTER];
			t->refine = info.seconds[KNNG_STAGE_REFINE];
			t->sink = info.seconds[KNNG_STAGE_SINK];
			t->refined = (double)info.refined / (double)m;
			t->other = info.separated > 0 || info.components > 0;
			snprintf(t->pruned, sizeof t->pruned, "%.150s", info.pruned);
		}
	}
	knng_free(idx);
	knng_free(dist);
	return status;
}

static knng_status
attempt(const knng_estimated *e, int64_t rows, int64_t d, int64_t k, manner how, const knng_task *task, trial *t,
	knng_err *err)
{
	int64_t n = rows < e->n ? rows : e->n, m = rows < e->m ? rows : e->m;
	if (e->x != NULL && m > e->n) /* rows that are there are asked for once, as equal ones take no time */
		m = e->n;
	const knng_options opt = options_of(e, m, d, k, how, task);
	int64_t most = n > m ? n : m;
	void *data = knng_alloc(most * d, knng_type_bytes(e->type));
	if (data == NULL)
		return knng_fail_memory(err, "rows of a short search", (double)(most * d) * 8);
	if (e->x != NULL)
		take_some(e->x, data, most, d);
	else
		make_up(data, most * d, e->type);
	knng_status status = search(e, &opt, data, n, m, d, t, err);
	knng_free(data);
	return status;
}

/* What a pair costs and what a row does, from the last two searches. */
static void
split_costs(const trial *last, const trial *now, double *pair, double *row)
{
	double determinant = last->pairs * now->m - now->pairs * last->m, most = now->filter / now->pairs;
	*pair = determinant != 0 ? (last->filter * now->m - now->filter * last->m) / determinant : most;
	*pair = fmin(fmax(*pair, 0.2 * most), most);
	*row = (now->filter - *pair * now->pairs) / now->m;
}

/* Ever more rows, until a search takes long enough. */
static knng_status
grow(const knng_estimated *e, int64_t d, int64_t k, const knng_task *task, trial *last, trial *now, bool *all,
     knng_err *err)
{
	int64_t rows = FEWEST_ROWS + 4 * k, widest = (MOST + 2 * d - 1) / (2 * d), largest = e->n > e->m ? e->n : e->m;
	rows = rows < widest ? rows : widest;
	knng_status status = attempt(e, SMALL, d, k, ALL_PAIRS, task, now, err);
	for (bool first = true, more = status == KNNG_OK; more; first = false) {
		*last = *now;
		if (first && 2 * rows < largest)
			status = attempt(e, rows, d, k, ALL_PAIRS, task, last, err);
		rows *= 2;
		if (status == KNNG_OK)
			status = attempt(e, rows, d, k, ALL_PAIRS, task, now, err);
		more = status == KNNG_OK && now->total <= long_enough && rows < largest && now->pairs > last->pairs &&
		       2 * fmax(now->n, now->m) * (double)d <= MOST;
	}
	*all = rows >= largest;
	return status;
}

/* What the search takes beside the filter, as another one of k neighbours took it: rows are prepared `often` times. */
static double
beside(const knng_estimated *e, const trial *t, double wide, double often)
{
	return often * t->prepare * wide * (double)(e->n + e->m) / (t->n + t->m);
}

/* How many times as many distances a row needs among `times` as many rows as there were many, as two searches have it.
 */
static double
grown(const trial *few, const trial *many, double times)
{
	double growth = many->n > few->n ? log(many->refined / few->refined) / log(many->n / few->n) : 0;
	return pow(times, growth > 0 && growth < 1 ? growth : growth > 0);
}

/* How many times as long as in its first meeting a row takes in all of so many. It looks the less far the more blocks
 * it has met: in the j-th meeting it takes 1/j of that, or a little. */
static double
met(double blocks)
{
	const double least = 0.15;
	double first = fmin(blocks, 1 / least), sum = 0;
	for (double j = 1; j <= first; j++)
		sum += 1 / j;
	return sum + least * (blocks - floor(first));
}

/* Rows of two short searches that leave out pairs, the second one's twice the first one's or more. */
static void
sizes_of(const knng_estimated *e, int64_t d, int64_t *few, int64_t *many)
{
	bool gpu = e->one->ndevices > 0;
	*many = gpu ? PRUNED_GPU : PRUNED_MORE;
	while (*many * d > MOST)
		*many /= 2;
	*few = gpu || *many / 2 < PRUNED ? *many / 2 : PRUNED;
	while (!gpu && *few > PRUNED_LEAST && (double)*few * (double)*few * (double)d > too_many)
		*few /= 2;
}

static bool
begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The whole search, of what two short ones took that were made as it will be: a row of the answer takes so much more
 * among more rows, from as long to as many times. */
static double
scaled(const knng_estimated *e, const trial *few, const trial *many, double least)
{
	double grows = many->n > few->n ? log(many->total / many->m * few->m / few->total) / log(many->n / few->n) : 1;
	grows = fmin(fmax(grows, least), 1);
	return many->total * (double)e->m / many->m * pow((double)e->n / many->n, grows);
}

/* Of rows that are there, by the rule of the search itself: on GPUs, or where it goes another way than a tree. */
static knng_status
try_whole(const knng_estimated *e, int64_t fewer, int64_t rows, int64_t d, int64_t k, double least,
	  const knng_task *task, double *seconds, char *pruned, size_t size, knng_err *err)
{
	trial few, many;
	knng_status status = attempt(e, rows, d, k, AS_ASKED, task, &many, err);
	bool gains = status == KNNG_OK && (many.other || begins(many.pruned, "yes"));
	if (gains)
		status = attempt(e, fewer, d, k, AS_ASKED, task, &few, err);
	if (status != KNNG_OK)
		return status;
	snprintf(pruned, size, "%s (tried with %.0f of the rows)", many.pruned, many.n);
	if (gains)
		*seconds = scaled(e, &few, &many, least) * (double)e->k / (double)k * (double)e->d / (double)d;
	return KNNG_OK;
}

/* Of the k nearest of all rows so many are among some of them: these are as far away as the k nearest are. */
static int64_t
share_of(const knng_estimated *e, int64_t rows, int64_t k)
{
	double share = e->x == NULL || rows >= e->n ? (double)k : ceil((double)e->k * (double)rows / (double)e->n);
	return share < (double)k ? (int64_t)share : k;
}

static knng_status
leave_out(const knng_estimated *e, int64_t rows, int64_t d, int64_t k, const knng_task *task, trial *t, knng_err *err)
{
	return attempt(e, rows, d, share_of(e, rows, k), BY_BOXES, task, t, err);
}

/* Two searches that leave out pairs, after the first one, and not many times as long as that. */
static knng_status
try_more(const knng_estimated *e, int64_t rows, int64_t more, int64_t d, int64_t k, const knng_task *task, trial *few,
	 trial *many, knng_err *err)
{
	while (more > 2 * rows && few->total * (double)(more / rows * (more / rows)) > too_long)
		more /= 2;
	if (few->total * 4 <= too_long || rows >= e->n)
		return leave_out(e, more, d, k, task, many, err);
	*many = *few;
	return leave_out(e, rows / 2, d, k, task, few, err);
}

/* The same search where boxes leave out pairs, or INFINITY where they do not; pruned says why. k, d: of short ones. */
static knng_status
try_boxes(const knng_estimated *e, int64_t d, int64_t k, const knng_task *task, double *seconds, char *pruned,
	  size_t size, knng_err *err)
{
	static const char no_structure[] = "no: all pairs will be compared (made-up rows gain nothing by leaving out "
					   "some, but rows in clusters may take far less)";
	const knng_plan *one = e->one;
	trial few = {0}, many = {0};
	int64_t rows, more_rows;
	bool asked = one->opt.prune == KNNG_PRUNE_ON, there = e->x != NULL, gpu = one->ndevices > 0;
	bool large = asked || e->blocks > 1 || (e->n >= KNNG_PRUNE_ROWS && e->m >= KNNG_PRUNE_QUERIES);
	bool may = (there || !gpu) && one->prunes && large;
	bool apart = there && (one->separates || one->separates_later);
	knng_status status = KNNG_OK;
	sizes_of(e, d, &rows, &more_rows);
	*seconds = INFINITY;
	snprintf(pruned, size, "%s%s", may ? "" : "no: ",
		 may                    ? no_structure
		 : one->why_all != NULL ? one->why_all
		 : gpu && !there        ? "GPUs may leave out pairs too, but the time is that of all"
					: "there are too few rows to gain");
	if ((!may && !apart) || (!there && !asked && d > PRUNED_WIDE))
		return KNNG_OK;
	if (gpu)
		return try_whole(e, more_rows / 2, more_rows, d, k, 0.1, task, seconds, pruned, size, err);
	status = attempt(e, more_rows < PRUNED ? more_rows : (int64_t)PRUNED, d, k, AS_ASKED, task, &few, err);
	if (status == KNNG_OK && few.other)
		return try_whole(e, more_rows / 2, more_rows, d, k, 0, task, seconds, pruned, size, err);
	if (status != KNNG_OK || !may)
		return status;
	if (there)
		snprintf(pruned, size, "%s (tried with %.0f of the rows)", few.pruned, few.n);
	/* Among more rows the nearest are nearer, unless those of many columns are all alike far. */
	bool alike = !there || few.n >= (double)e->n || d > PRUNED_WIDE;
	if ((alike && begins(few.pruned, "no: the nearest")) || begins(few.pruned, "no: there is nothing"))
		return status;
	if (!begins(few.pruned, "yes") || there) /* and it may gain */
		status = leave_out(e, rows, d, k, task, &few, err);
	if (status == KNNG_OK)
		status = try_more(e, rows, more_rows, d, k, task, &few, &many, err);
	if (status != KNNG_OK)
		return status;
	/* With blocks each row is searched among those of every block, which all have trees. */
	double b = (double)e->blocks, n = (double)e->n / b, m = (double)e->m, times = n / many.n;
	double tree = many.filter * times * log(n + 1) / log(many.n + 1);
	double more = grown(&few, &many, times), part = fmin(1, many.refined * more / n);
	double enough = knng_boxes_worth(one, 0);
	bool on = asked || part <= enough;
	double k_tried = (double)share_of(e, (int64_t)many.n, k), longer = (double)e->k / (there ? k_tried : (double)k);
	bool near = !asked && enough < 1 && fabs(part - enough) < sure * enough;
	double row = (more * many.refine * met(b) * (there ? 1 : longer) + many.sink * b * longer) / many.m;
	if (on)
		*seconds = beside(e, &many, 1, (b + 1) / 2) + tree * b * (b + 1) / 2 + m * row;
	snprintf(pruned, size, "%s: of %s %.3g %% of the pairs have to be compared, below %.3g %% it gains%s%s",
		 on ? "yes" : "no", there ? "some of the rows" : "made-up rows", 100 * part, 100 * enough,
		 near ? ", so near that all rows may do otherwise" : "",
		 on || there ? "" : "; rows in clusters may take far less");
	return KNNG_OK;
}

/* How many times as long all rows within a radius take as the k nearest: on GPUs, which search a sample of rows first,
 * and a tenth of all again (search/widen.h). */
static double
widened(const knng_estimated *e)
{
	double n = (double)e->n, m = (double)e->m, again = 0.1 * m + (m < KNNG_WIDEN_MANY ? 0 : KNNG_WIDEN_LOOKED);
	bool widens = e->one->ndevices > 0 && e->one->opt.range != NULL;
	return widens ? 1 + n * again / pairs_of(e, n, m) : 1;
}

knng_status
knng_estimate(const knng_estimated *of, const knng_task *task, knng_guess *guess, knng_err *err)
{
	knng_estimated one = *of;
	const knng_estimated *e = &one;
	int64_t d = e->d < WIDEST ? e->d : WIDEST, k = e->k < LONGEST ? e->k : LONGEST;
	trial last, now;
	bool all;
	double pair, row = 0, boxes;
	k = k > 0 ? k : 1;                /* a row alone has no neighbours */
	if (e->n < PRUNED && e->m > e->n) /* rows that are there cannot be so many different queries */
		one.x = NULL;
	knng_status status = grow(e, d, k, task, &last, &now, &all, err);
	if (status == KNNG_OK)
		status = try_boxes(e, d, k, task, &boxes, guess->pruned, sizeof guess->pruned, err);
	if (status != KNNG_OK)
		return status;
	if (all)
		pair = now.filter / now.pairs;
	else
		split_costs(&last, &now, &pair, &row);
	double wide = (double)e->d / (double)d, many = (double)e->k / (double)k, n = (double)e->n, m = (double)e->m;
	double often = (double)e->blocks; /* that a row is searched: with every block, its own included */
	double work = pair * pairs_of(e, n, m) * wide + beside(e, &now, wide, often) +
		      (met(often) * (row * now.m + now.refine * wide) + often * now.sink) * many * m / now.m;
	work = e->one->opt.prune == KNNG_PRUNE_ON && boxes < INFINITY ? boxes : fmin(boxes, work);
	guess->seconds = widened(e) * work / e->ranks;
	if (e->network > 0) /* rows come while others are compared, the graph afterwards */
		guess->seconds =
			fmax(guess->seconds, e->traffic.received / e->network) + e->traffic.gathered / e->network;
	return KNNG_OK;
}
