#include "blocks/estimate.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

enum {
	WIDEST = 8192,     /* columns of short searches, at most */
	LONGEST = 128,     /* neighbours */
	MOST = 20000000,   /* numbers of a matrix */
	FEWEST_ROWS = 512, /* and 4 for each neighbour */
	SMALL = 64,        /* rows of the first search, which starts threads and devices */
};

static const double long_enough = 0.15; /* seconds of a search */

/* A short search of m rows among n, and what it took. */
typedef struct {
	double n, m, pairs;
	double total, prepare, filter, refine, sink;
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

static knng_matrix
matrix_of(const knng_estimated *e, const void *data, int64_t n, int64_t d)
{
	knng_matrix X = knng_by_rows(n, d, e->type, data);
	if (e->columns) {
		X.row_stride = 1;
		X.col_stride = n;
	}
	return X;
}

/* As the plan has it. */
static knng_options
options_of(const knng_estimated *e, int64_t m, int64_t k, const knng_task *task)
{
	const knng_plan *one = e->one;
	knng_options opt = {
		.metric = e->metric, .k = k, .target = one->opt.target, .prune = KNNG_PRUNE_OFF, .task = *task};
	opt.rows = one->opt.rows;
	opt.least_shared = one->opt.least_shared;
	opt.task.threads = one->threads;
	opt.task.progress = NULL;
	opt.max_device_memory = one->opt.max_device_memory;
	opt.device.kind = KNNG_DEVICE_CPU;
	if (one->ndevices > 0) {
		opt.device.kind = KNNG_DEVICE_LIST;
		opt.device.count = one->ndevices;
		for (int i = 0; i < one->ndevices; i++)
			opt.device.number[i] = one->devices[i] + 1;
	} else if (m >= 4 * one->threads * one->tile) {
		opt.tile = one->tile;
	}
	return opt;
}

/* Searches twice, or once where that takes long. */
static knng_status
search(const knng_estimated *e, const knng_options *opt, const void *data, int64_t n, int64_t m, int64_t d, trial *t,
       knng_err *err)
{
	const knng_matrix X = matrix_of(e, data, n, d), Y = matrix_of(e, data, m, d);
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
		}
	}
	knng_free(idx);
	knng_free(dist);
	return status;
}

static knng_status
attempt(const knng_estimated *e, int64_t rows, int64_t d, int64_t k, const knng_task *task, trial *t, knng_err *err)
{
	int64_t n = rows < e->n ? rows : e->n, m = rows < e->m ? rows : e->m, most = n > m ? n : m;
	const knng_options opt = options_of(e, m, k, task);
	void *data = knng_alloc(most * d, e->type == KNNG_F32 ? 4 : 8);
	if (data == NULL)
		return knng_fail_memory(err, "made-up rows", (double)(most * d) * 8);
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
	knng_status status = attempt(e, SMALL, d, k, task, now, err);
	for (bool first = true, more = status == KNNG_OK; more; first = false) {
		*last = *now;
		if (first && 2 * rows < largest)
			status = attempt(e, rows, d, k, task, last, err);
		rows *= 2;
		if (status == KNNG_OK)
			status = attempt(e, rows, d, k, task, now, err);
		more = status == KNNG_OK && now->total <= long_enough && rows < largest &&
		       2 * fmax(now->n, now->m) * (double)d <= MOST;
	}
	*all = rows >= largest;
	return status;
}

knng_status
knng_estimate(const knng_estimated *e, const knng_task *task, double *seconds, knng_err *err)
{
	int64_t d = e->d < WIDEST ? e->d : WIDEST, k = e->k < LONGEST ? e->k : LONGEST;
	trial last, now;
	bool all;
	double pair, row = 0;
	k = k > 0 ? k : 1; /* a row alone has no neighbours */
	knng_status status = grow(e, d, k, task, &last, &now, &all, err);
	if (status != KNNG_OK)
		return status;
	if (all)
		pair = now.filter / now.pairs;
	else
		split_costs(&last, &now, &pair, &row);
	double wide = (double)e->d / (double)d, many = (double)e->k / (double)k, n = (double)e->n, m = (double)e->m;
	double often = (double)e->blocks; /* that a row is searched: with every block, its own included */
	double work = pair * pairs_of(e, n, m) * wide + often * now.prepare * wide * (n + m) / (now.n + now.m) +
		      often * (row * now.m + now.refine * wide + now.sink) * many * m / now.m;
	*seconds = work / e->ranks;
	if (e->network > 0) /* rows come while others are compared, the graph afterwards */
		*seconds = fmax(*seconds, e->traffic.received / e->network) + e->traffic.gathered / e->network;
	return KNNG_OK;
}
