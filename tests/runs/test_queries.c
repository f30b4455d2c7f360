/* test_queries.c  Queries among rows that are read some at a time: the oracle's bits for any number at a time, for rows
 * of every kind, all metrics and both classes; limits of memory, failures, Ctrl-C and rows that cannot be read. */
#include "base/sys.h"
#include "blocks/queries.h"
#include "interrupts.h"
#include "kinds.h"
#include "oracle.h"
#include "search/metric.h"

#include <cblas.h>

/* What is held at most beside the queries and the answer: knng_run begins to measure anew. */
static int64_t held, most;

knng_status __real_knng_run(const knng_plan *plan, const knng_output *out, knng_info *info, knng_err *err);
knng_status __wrap_knng_run(const knng_plan *plan, const knng_output *out, knng_info *info, knng_err *err);

knng_status
__wrap_knng_run(const knng_plan *plan, const knng_output *out, knng_info *info, knng_err *err)
{
	knng_status status = __real_knng_run(plan, out, info, err);
	int64_t peak = knng_sys().peak - held;
	most = peak > most ? peak : most;
	return status;
}

/* Rows as a file would have them. */
typedef struct {
	int64_t n, d;
	bool single;
	const double *X;
	int64_t read, fails_at; /* rows that were read; the row whose reading fails, -1: none */
} source;

static knng_status
read_rows(void *context, int64_t first, int64_t count, void *to, knng_err *err)
{
	source *s = context;
	if (s->fails_at >= first && s->fails_at < first + count)
		return knng_fail(err, KNNG_EIO, "knng:io:open", "row %lld cannot be read", (long long)s->fails_at);
	for (int64_t e = 0; e < count * s->d; e++)
		if (s->single)
			((float *)to)[e] = (float)s->X[first * s->d + e];
		else
			((double *)to)[e] = s->X[first * s->d + e];
	s->read += count;
	return KNNG_OK;
}

typedef struct {
	source from;
	knng_rows rows;
	knng_matrix Y;
	double *X, *queries;
	int64_t k, width, *idx; /* the oracle's */
	double *dist;
	const char *metric;
} question;

static question
open_question(int kind, const char *metric, int64_t n, int64_t d, int64_t m, int64_t k, bool single)
{
	question q = {.X = make_rows(kind, n, d), .queries = make_rows(kind, m, d), .k = k, .metric = metric};
	for (int64_t e = 0; e < n * d && single; e++)
		q.X[e] = (double)(float)q.X[e];
	for (int64_t e = 0; e < d; e++) /* one of the rows themselves */
		q.queries[e] = q.X[n / 2 * d + e];
	q.width = oracle_width(n, false, k);
	q.idx = room(m * q.width, sizeof *q.idx);
	q.dist = room(m * q.width, sizeof *q.dist);
	if (oracle_knn(metric, false, n, d, q.X, m, q.queries, k, q.idx, q.dist) != 0)
		abort();
	q.from = (source){.n = n, .d = d, .single = single, .X = q.X, .fails_at = -1};
	q.Y = knng_by_rows(m, d, KNNG_F64, q.queries);
	q.rows = (knng_rows){.n = n, .d = d, .type = single ? KNNG_F32 : KNNG_F64, .read = read_rows};
	return q;
}

static void
close_question(question *q)
{
	free(q->X);
	free(q->queries);
	free(q->idx);
	free(q->dist);
}

/* Asks with so many rows at a time (0: as the plan has it), and whether the answer is right, if there is one. */
static bool
ask(question *q, int64_t size, knng_options opt, knng_info *info, knng_status *status, knng_err *err)
{
	bool right = true;
	knng_queries_plan plan;
	q->rows.context = &q->from;
	q->from.read = 0;
	opt.metric = q->metric;
	opt.k = q->k;
	opt.task.interrupt = &stop;
	int64_t m = q->Y.n, *idx = room(m * q->width, sizeof *idx);
	double *dist = room(m * q->width, sizeof *dist);
	const knng_output out = {.idx = idx,
				 .idx_type = KNNG_I64,
				 .dist = dist,
				 .dist_type = KNNG_F64,
				 .row_stride = q->width,
				 .col_stride = 1};
	*info = (knng_info){0};
	held = knng_sys().bytes;
	most = 0;
	*status = knng_queries_plan_make(&plan, &q->rows, &q->Y, &opt, err);
	if (*status == KNNG_OK && size > 0) { /* what is said of the memory is no matter then */
		plan.size = size;
		plan.limit = INFINITY;
	}
	if (*status == KNNG_OK)
		*status = knng_queries_run(&plan, &q->rows, &q->Y, &out, info, err);
	for (int64_t e = 0; *status == KNNG_OK && e < m * q->width; e++)
		right = right && idx[e] == q->idx[e] &&
			(isnan(q->dist[e]) ? isnan(dist[e]) : bits_of(dist[e]) == bits_of(q->dist[e]));
	if (*status == KNNG_OK)
		right = right && q->from.read == q->rows.n &&
			(size > 0 || ((double)most <= plan.bytes && plan.bytes <= plan.limit &&
				      info->planned <= plan.limit && info->peak <= info->planned));
	free(idx);
	free(dist);
	return right;
}

static void
test_answers(void)
{
	static const int64_t sizes[] = {0, 1, 7, 64, 300};
	for (int kind = 0; kind < KINDS; kind++)
		for (const knng_metric *metric = knng_metrics; metric->name != NULL; metric++) {
			int64_t n = 1 + random_below(250), m = 1 + random_below(40);
			int64_t k = random_below(3) ? 1 + random_below(9) : n + random_below(2);
			if (SKIPS(3))
				continue;
			question q = open_question(kind, metric->name, n, 1 + random_below(20), m, k, random_below(2));
			knng_info info, whole;
			knng_status status;
			knng_err err = {0};
			CHECK(ask(&q, 0, (knng_options){0}, &whole, &status, &err) && status == KNNG_OK &&
				      whole.blocks == 1,
			      "kind %d, %s, at once: %s", kind, metric->name, err.text);
			for (int s = 1; s < 5; s++) {
				const knng_options opt = {.task.threads = 1 + s % 3, .prune = s % 3};
				CHECK(ask(&q, sizes[s], opt, &info, &status, &err) && status == KNNG_OK,
				      "kind %d, %s, n %lld, m %lld, k %lld, %lld at a time: %s", kind, metric->name,
				      (long long)n, (long long)m, (long long)k, (long long)sizes[s], err.text);
				CHECK(info.nonfinite == whole.nonfinite && info.constant == whole.constant &&
					      info.blocks == (n + sizes[s] - 1) / sizes[s],
				      "rows without distances");
			}
			close_question(&q);
		}
}

/* The fewer bytes, the fewer rows at a time; none, and nothing is done. */
static void
test_limits(void)
{
	question q = open_question(NORMAL, "euclidean", 12000, 30, 20, 5, true);
	int64_t before = 0;
	knng_info info;
	knng_status status;
	knng_err err = {0};
	for (double limit = 1.6e7; limit > 1.2e6; limit /= 2) {
		const knng_options opt = {.max_memory = limit};
		CHECK(ask(&q, 0, opt, &info, &status, &err) && status == KNNG_OK && info.peak <= limit,
		      "%.0f bytes, peak %.0f: %s", limit, info.peak, err.text);
		CHECK(info.blocks >= before, "%lld parts, then %lld", (long long)before, (long long)info.blocks);
		before = info.blocks;
	}
	CHECK(before > 4, "%lld parts", (long long)before);
	for (double limit = 1e6; limit < 6e6;
	     limit *= 1.07) { /* of several threads the last part could have more each */
		const knng_options opt = {.max_memory = limit, .task.threads = 6};
		ask(&q, 0, opt, &info, &status, &err);
		CHECK(status != KNNG_OK || ((double)most <= limit && info.planned <= limit), "%.0f bytes, %lld, %.0f",
		      limit, (long long)most, info.planned);
	}
	const knng_options none = {.max_memory = 1000};
	ask(&q, 0, none, &info, &status, &err);
	CHECK(status == KNNG_EARGS && strcmp(err.id, "knng:args:maxMemory") == 0 && q.from.read == 0, "%s", err.text);
	q.from.fails_at = 4000;
	ask(&q, 500, (knng_options){0}, &info, &status, &err);
	CHECK(status == KNNG_EIO && strstr(err.text, "row 4000 cannot be read") != NULL, "%s", err.text);
	close_question(&q);
}

/* Every call that can fail does, and every look for Ctrl-C is answered: nothing is left. */
static void
test_failures(void)
{
	question q = open_question(BROKEN, "pearson", 150, 8, 12, 4, false);
	const knng_options opt = {.task.threads = 2};
	knng_info info;
	knng_status status;
	int64_t live = knng_sys().live, failures = 0;
	for (int64_t nth = 1;; nth++) {
		int64_t calls = knng_sys().calls;
		knng_err err = {0};
		knng_sys_fail_at(nth);
		CHECK(ask(&q, 60, opt, &info, &status, &err), "call %lld: a wrong answer", (long long)nth);
		knng_sys_fail_at(0);
		bool met = knng_sys().calls - calls >= nth;
		CHECK(knng_sys().live == live, "call %lld leaves something", (long long)nth);
		CHECK(status == KNNG_OK || (err.text[0] != 0 && met), "call %lld: %s", (long long)nth, err.text);
		failures += status != KNNG_OK;
		if (!met)
			break;
	}
	CHECK(failures > 20, "%lld failures", (long long)failures);
	int64_t stopped = 0;
	for (stop_at = 1, status = KNNG_EINTERRUPTED; status != KNNG_OK; stop_at++) {
		knng_err err = {0};
		looks = 0;
		stop = 0;
		CHECK(ask(&q, 60, opt, &info, &status, &err), "stopped at %lld", (long long)stop_at);
		CHECK(status == KNNG_OK || strcmp(err.id, "knng:interrupted") == 0, "%s", err.text);
		CHECK(knng_sys().live == live, "stopped at %lld, something is left", (long long)stop_at);
		stopped += status != KNNG_OK;
	}
	CHECK(stopped > 3, "stopped %lld times", (long long)stopped);
	stop_at = stop = 0;
	close_question(&q);
}

int
main(int argc, char **argv)
{
	openblas_set_num_threads(1);
	PART(answers);
	PART(limits);
	PART(failures);
	CHECK(knng_sys().live == 0, "%lld blocks are left", (long long)knng_sys().live);
	return summary();
}
