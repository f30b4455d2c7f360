/* test_boxes.c  Searches that leave out pairs by boxes around neighbouring rows: the bits of the oracle, and of a
 * search without boxes, whatever the data, the size of a leaf, the instructions, the threads and the blocks of rows.
 * The kernels alone; memory; failures; interrupts at any moment; progress; when a search takes boxes of itself. */
#include "interrupts.h"
#include "meetings.h"
#include "rows.h"
#include "search/cpu/kernels.h"

#include <cblas.h>
#include <float.h>

static const char *const targets[] = {"avx512", "avx2", "plain"};
static const int64_t leaves[] = {8, 16, 24, 40, 64, 0}; /* what opt.tile asks for */
static const int64_t columns[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
				  13, 14, 15, 16, 17, 18, 19, 20, 63, 64, 65, 100};
enum { TARGETS = 3, LEAVES = 6, COLUMNS = 24 };

/* ---------------------------------------------------------------- the kernels */

/* Numbers at which roundings go wrong, if they do: a scale for each row, and sometimes none. */
static double
hostile(int scale)
{
	static const double scales[] = {1, 1e-300, 1e300, 0x1p-1074, 1e-160, 1e150, DBL_MAX / 16};
	double x = random_normal() * scales[scale % 7];
	return scale < 7 ? x : scale == 7 ? (double)random_below(3) - 1 : scale == 8 ? -0.0 : x * 1e-3;
}

/* `many` rows in columns, and the same with one after another for `sums`. */
typedef struct {
	int64_t many, d, ld;
	double *columns, *rows;
} both;

static both
open_both(int64_t many, int64_t d)
{
	both b = {many, d, up(d, 8), room(many * d, 8), room(many * up(d, 8), 8)};
	memset(b.rows, 0, (size_t)(many * b.ld) * 8);
	return b;
}

static void
put(both *b, int64_t c, int64_t l, double x)
{
	b->columns[l * b->many + c] = b->rows[c * b->ld + l] = x;
}

static void
close_both(both *b)
{
	free(b->columns);
	free(b->rows);
}

static both
some_rows(int64_t many, int64_t d, int mixed)
{
	both b = open_both(many, d);
	for (int64_t c = 0; c < many; c++)
		for (int64_t l = 0; l < d; l++)
			put(&b, c, l, hostile(mixed < 10 ? mixed : (int)random_below(10)));
	return b;
}

/* The canonical sum of row c of a and row e of b. */
static double
sum_of(knng_sum sum, const both *a, int64_t c, const both *b, int64_t e)
{
	double out;
	int32_t j = (int32_t)e;
	knng_kernels_find("plain")->sums(sum, a->rows + c * a->ld, b->rows, a->ld, &j, 1, &out);
	return out;
}

/* Of each row of q to each of x. */
static double *
all_sums(knng_sum sum, const both *q, const both *x)
{
	double *sums = room(q->many * x->many, sizeof *sums);
	for (int64_t e = 0; e < q->many; e++)
		for (int64_t c = 0; c < x->many; c++)
			sums[e * x->many + c] = sum_of(sum, q, e, x, c);
	return sums;
}

/* A kernel for rows in columns has the bits of the one for rows that lie otherwise. */
static bool
columns_agree(const knng_kernels *kernels, knng_sum sum, const both *q, const both *x, const double *sums)
{
	double *out = room(x->many, sizeof *out);
	bool fine = true;
	for (int64_t e = 0; e < q->many; e++) {
		double limit = e % 3 == 0 ? INFINITY : sums[e * x->many + random_below(x->many)];
		uint64_t within =
			kernels->sums_of_columns(sum, q->columns + e, q->many, x->columns, x->many, x->d, limit, out);
		for (int64_t c = 0; c < x->many; c++) {
			double want = sums[e * x->many + c];
			fine = fine && bits_of(out[c]) == bits_of(want) && (within >> c & 1) == (want <= limit);
		}
		fine = fine && (x->many == 64 || within >> x->many == 0);
	}
	free(out);
	return fine;
}

/* So has the one for four queries at a time, and it says of each which rows are within its limit. */
static bool
fours_agree(const knng_kernels *kernels, knng_sum sum, const both *q, const both *x, const double *sums)
{
	double *out = room(4 * 64, sizeof *out);
	int32_t j[64];
	int64_t count = 1 + random_below(x->many);
	bool fine = true;
	for (int64_t c = 0; c < count; c++)
		j[c] = (int32_t)random_below(x->many);
	for (int64_t first = 0; first < q->many; first += 4) {
		const double *u[4];
		double limit[4];
		uint64_t within[4];
		for (int e = 0; e < 4; e++) {
			u[e] = q->rows + (first + e) * q->ld;
			limit[e] = e == 0 ? INFINITY : sums[(first + e) * x->many + random_below(x->many)];
		}
		kernels->sums_of_four(sum, u, x->rows, x->ld, j, count, limit, out, within);
		for (int e = 0; e < 4; e++) {
			for (int64_t c = 0; c < count; c++) {
				double want = sums[(first + e) * x->many + j[c]], got = out[e * 64 + c];
				fine = fine && bits_of(got) == bits_of(want) &&
				       (within[e] >> c & 1) == (want <= limit[e]);
			}
			fine = fine && (count == 64 || within[e] >> count == 0);
		}
	}
	free(out);
	return fine;
}

/* The box of all rows, and in it the point nearest to each query, or to its opposite. */
static void
find_box(const both *x, double *low, double *high)
{
	for (int64_t l = 0; l < x->d; l++) {
		low[l] = high[l] = x->columns[l * x->many];
		for (int64_t c = 1; c < x->many; c++) {
			low[l] = fmin(low[l], x->columns[l * x->many + c]);
			high[l] = fmax(high[l], x->columns[l * x->many + c]);
		}
	}
}

static both
nearest_in_box(const both *q, const double *low, const double *high, double sign)
{
	both p = open_both(q->many, q->d);
	for (int64_t e = 0; e < q->many; e++)
		for (int64_t l = 0; l < q->d; l++)
			put(&p, e, l, fmin(fmax(sign * q->columns[l * q->many + e], low[l]), high[l]));
	return p;
}

/* The sum to a box is that to its nearest point, and at most that to any row in it. */
static bool
box_agrees(const knng_kernels *kernels, knng_sum sum, const both *q, const both *x, const double *sums)
{
	bool fine = true;
	double *low = room(x->d, 8), *high = room(x->d, 8), *limit = room(q->many, 8);
	find_box(x, low, high);
	both same = nearest_in_box(q, low, high, 1), opposite = nearest_in_box(q, low, high, -1);
	for (int round = 0; round < 4; round++) {
		uint64_t among = round ? random_bits() : UINT64_MAX, want = 0;
		for (int64_t e = 0; e < q->many; e++) {
			double minus = sum_of(sum == KNNG_SUM_EITHER ? KNNG_SUM_MINUS : sum, q, e,
					      sum == KNNG_SUM_PLUS ? &opposite : &same, e);
			double plus = sum == KNNG_SUM_EITHER ? sum_of(KNNG_SUM_PLUS, q, e, &opposite, e) : INFINITY;
			double nearest = fmin(minus, plus), row = INFINITY;
			for (int64_t c = 0; c < x->many; c++)
				row = fmin(row, sums[e * x->many + c]);
			limit[e] = round == 0 ? row : round == 1 ? nearest : nextafter(nearest, -1);
			limit[e] = round == 3 && e % 2 ? INFINITY : limit[e];
			fine = fine && nearest <= row;
			want |= (uint64_t)(nearest <= limit[e]) << e;
		}
		uint64_t got = kernels->near_box(sum, q->columns, q->many, low, high, q->d, among, limit);
		fine = fine && got == (want & among) && (round > 1 || want == UINT64_MAX >> (64 - q->many));
	}
	close_both(&same);
	close_both(&opposite);
	free(low);
	free(high);
	free(limit);
	return fine;
}

/* The sum of two copies, as it is. */
static double
real_sum(knng_sum sum, const float *u, const float *v, int64_t stride, int64_t d)
{
	double minus = 0, plus = 0, l1 = 0, linf = 0;
	for (int64_t l = 0; l < d; l++) {
		double a = u[l], b = v[l * stride];
		minus += (a - b) * (a - b);
		plus += (a + b) * (a + b);
		l1 += fabs(a - b);
		linf = fmax(linf, fabs(a - b));
	}
	return sum == KNNG_SUM_MINUS    ? minus
	       : sum == KNNG_SUM_PLUS   ? plus
	       : sum == KNNG_SUM_EITHER ? fmin(minus, plus)
	       : sum == KNNG_SUM_L1     ? l1
					: linf;
}

/* Sums of copies are within (10.5) of what they are, the same of one query or two, and within their limits or not. */
static bool
copies_agree(const knng_kernels *kernels, knng_sum sum, int64_t d, int64_t many, int size)
{
	float *rows = room(many * d, 4), *two = room(2 * d, 4), all[2][64], out[2][64], limit[2] = {INFINITY, INFINITY};
	uint64_t within[2];
	bool fine = true, squares = sum != KNNG_SUM_L1 && sum != KNNG_SUM_LINF;
	double g = ((double)d + 3) * 0x1p-24 * 1.01, lost = squares ? (double)d * 0x1p-148 : 0;
	for (int64_t e = 0; e < many * d; e++)
		rows[e] = (float)ldexp(random_normal() / 8, size);
	for (int64_t e = 0; e < 2 * d; e++)
		two[e] = random_below(4) ? (float)ldexp(random_normal() / 8, size) : rows[e / 2 * many];
	const float *q[2] = {two, two + d};
	kernels->sums_of_copies(sum, q, 2, rows, many, d, limit, all[0], within);
	for (int e = 0; e < 2; e++)
		for (int64_t c = 0; c < many; c++) {
			double want = real_sum(sum, q[e], rows + c, many, d);
			fine = fine && fabs(all[e][c] - want) <= g * want + lost && !signbit(all[e][c]);
		}
	for (int round = 0; round < 6; round++) {
		int count = 1 + round % 2;
		for (int e = 0; e < count; e++) {
			limit[e] = round < 2 ? INFINITY : all[e][random_below(many)];
			limit[e] = round > 3 ? nextafterf(limit[e], -1) : limit[e];
		}
		kernels->sums_of_copies(sum, q, count, rows, many, d, limit, out[0], within);
		for (int e = 0; e < count; e++)
			for (int64_t c = 0; c < 64; c++) {
				bool near = c < many && all[e][c] <= limit[e];
				fine = fine && (within[e] >> c & 1) == near && (!near || out[e][c] == all[e][c]);
			}
	}
	free(rows);
	free(two);
	return fine;
}

/* The sum to a box of copies is at most that to any copy in it, and that to a box of one the very same; of queries that
 * are not asked for nothing is said. */
static bool
copied_box_agrees(const knng_kernels *kernels, knng_sum sum, int64_t d, int64_t many, int size)
{
	float *rows = room(many * d, 4), *queries = room(64 * d, 4), *one = room(d, 4), *low = room(d, 4);
	float *high = room(d, 4), least[64], sums[64], limit = INFINITY, below[64];
	uint64_t within, among = random_bits();
	const float *q = one;
	bool fine = true;
	many = random_below(2) ? many : 16;
	for (int64_t e = 0; e < many * d; e++)
		rows[e] = (float)ldexp(random_normal() / 8, size);
	for (int64_t e = 0; e < 64 * d; e++)
		queries[e] = random_below(4) ? (float)ldexp(random_normal() / 4, size) : rows[e / 64 * many];
	for (int boxes = 0; boxes < 2; boxes++) { /* of all rows; of the first alone */
		for (int64_t l = 0; l < d; l++) {
			low[l] = high[l] = rows[l * many];
			for (int64_t c = 1; c < many && boxes == 0; c++) {
				low[l] = fminf(low[l], rows[l * many + c]);
				high[l] = fmaxf(high[l], rows[l * many + c]);
			}
		}
		for (int64_t e = 0; e < 64; e++) {
			for (int64_t l = 0; l < d; l++)
				one[l] = queries[l * 64 + e];
			kernels->sums_of_copies(sum, &q, 1, rows, many, d, &limit, sums, &within);
			least[e] = sums[0];
			for (int64_t c = 1; c < many && boxes == 0; c++)
				least[e] = fminf(least[e], sums[c]);
			below[e] = nextafterf(least[e], -1);
		}
		fine = fine && kernels->near_box_of_copies(sum, queries, low, high, d, among, least) == among;
		if (boxes == 1)
			fine = fine && kernels->near_box_of_copies(sum, queries, low, high, d, among, below) == 0;
	}
	free(rows);
	free(queries);
	free(one);
	free(low);
	free(high);
	return fine;
}

static int
by_size(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;
	return (x > y) - (x < y);
}

/* At least k are within it, and not many more. */
static bool
least_agree(const knng_kernels *kernels, int kind)
{
	float x[160] = {0}, sorted[160];
	int64_t count = 1 + random_below(140), k = 1 + random_below(count), more = random_below(9), within = 0,
		equal = 0;
	for (int64_t c = 0; c < count; c++)
		x[c] = kind == 0   ? (float)fabs(random_normal())
		       : kind == 1 ? (float)random_below(4)
		       : kind == 2 ? ldexpf(1 + (float)random_below(9), (int)random_below(250) - 150)
				   : nextafterf(1, random_below(3) ? 2 : 0);
	memcpy(sorted, x, (size_t)count * sizeof *x);
	qsort(sorted, (size_t)count, sizeof *sorted, by_size);
	float bound = kernels->bound_of_least(x, count, k, more);
	for (int64_t c = 0; c < count; c++) {
		within += sorted[c] <= bound;
		equal += sorted[c] == sorted[k - 1];
	}
	return within >= k && (within <= k + more || bound == sorted[k - 1]) && equal > 0;
}

static void
test_kernels(void)
{
	static const int sizes[] = {0, -20, 20, -70, -74, -120};
	for (int t = 0; t < TARGETS; t++) {
		const knng_kernels *kernels = knng_kernels_find(targets[t]);
		for (int round = 0; kernels != NULL && round < ENOUGH(400, 100); round++)
			CHECK(least_agree(kernels, round % 4), "%s, round %d: the least", targets[t], round);
		for (int sum = KNNG_SUM_MINUS; kernels != NULL && sum <= KNNG_SUM_LINF; sum++)
			for (int c = 0; c < COLUMNS; c++)
				for (int64_t many = 16; many <= 64; many += 16) {
					int size = sizes[random_below(6)];
					CHECK(copies_agree(kernels, (knng_sum)sum, columns[c], many, size),
					      "%s, sum %d, d = %lld, %lld rows: copies", targets[t], sum,
					      (long long)columns[c], (long long)many);
					CHECK(copied_box_agrees(kernels, (knng_sum)sum, columns[c], many, size),
					      "%s, sum %d, d = %lld, %lld rows: a box of copies", targets[t], sum,
					      (long long)columns[c], (long long)many);
				}
	}

	for (int t = 0; t < TARGETS; t++) {
		const knng_kernels *kernels = knng_kernels_find(targets[t]);
		for (int sum = KNNG_SUM_MINUS; kernels != NULL && sum <= KNNG_SUM_LINF; sum++)
			for (int c = 0; c < COLUMNS; c++) {
				bool sums = true, box = true;
				for (int mixed = 0; mixed < 12; mixed++) {
					if (SKIPS(5))
						continue;
					both q = some_rows(8 + 8 * random_below(mixed ? 2 : 8), columns[c], mixed);
					both x = some_rows(8 + 8 * random_below(mixed ? 2 : 8), columns[c], mixed);
					double *want = all_sums((knng_sum)sum, &q, &x);
					sums = sums && columns_agree(kernels, (knng_sum)sum, &q, &x, want) &&
					       fours_agree(kernels, (knng_sum)sum, &q, &x, want);
					box = box && box_agrees(kernels, (knng_sum)sum, &q, &x, want);
					free(want);
					close_both(&q);
					close_both(&x);
				}
				CHECK(sums, "%s, sum %d, d = %lld: sums", targets[t], sum, (long long)columns[c]);
				CHECK(box, "%s, sum %d, d = %lld: boxes", targets[t], sum, (long long)columns[c]);
			}
	}
}

/* ---------------------------------------------------------------- one run */

static bool
same_answers(const answer *a, const answer *b)
{
	bool same = a->m == b->m && a->k == b->k;
	for (int64_t e = 0; same && e < a->m * a->k; e++)
		same = a->idx[e] == b->idx[e] && (isnan(a->dist[e]) ? bits_of(b->dist[e]) == 0x7FF8000000000000u
								    : bits_of(a->dist[e]) == bits_of(b->dist[e]));
	return same;
}

typedef struct {
	const char *target;
	int64_t leaf;
	int threads, prune;
	bool single, by_column, gathers; /* gathers: as larger runs do */
	double memory;
	const volatile sig_atomic_t *interrupt;
} variant;

/* All targets, leaves and threads, one after another. */
static variant
next_variant(const data_set *s, int prune)
{
	static int next = 0;
	int v = next++;
	return (variant){.target = knng_kernels_find(targets[v % TARGETS]) ? targets[v % TARGETS] : NULL,
			 .leaf = leaves[v / TARGETS % LEAVES],
			 .threads = v / (TARGETS * LEAVES) % 2 ? 3 : 1,
			 .prune = prune,
			 .single = s->single && random_below(2),
			 .by_column = random_below(2),
			 .gathers = random_below(2)};
}

/* A run in steps: others fail it, or stop it, or compare it. */
typedef struct {
	knng_matrix X, Y;
	knng_plan plan;
	knng_info info;
	knng_err err;
	knng_options opt;
	uint8_t *levels;
	answer got;
	knng_sys_count before;
} running;

static void
close_run(running *r)
{
	free((void *)r->X.data);
	free((void *)r->Y.data);
	free(r->levels);
	close_answer(&r->got);
}

static knng_status
open_run(running *r, const data_set *s, const knng_metric *metric, variant v)
{
	knng_type type = v.single ? KNNG_F32 : KNNG_F64;
	*r = (running){.X = lay_out(s->X, s->n, s->d, type, v.by_column),
		       .Y = lay_out(s->Y, s->m, s->d, type, v.by_column),
		       .got = open_answer(s)};
	r->levels = room(r->got.m, 1);
	memset(r->levels, 0x77, (size_t)r->got.m);
	r->opt = (knng_options){.metric = metric->name,
				.k = s->k,
				.prune = v.prune,
				.levels = r->levels,
				.max_memory = v.memory,
				.tile = v.leaf,
				.target = v.target,
				.device.kind = KNNG_DEVICE_CPU,
				.task = {.threads = v.threads, .interrupt = v.interrupt}};
	r->before = knng_sys();
	knng_status status = knng_plan_make(&r->plan, &r->X, s->m ? &r->Y : NULL, &r->opt, &r->err);
	if (v.gathers && status == KNNG_OK && r->plan.prunes) {
		r->plan.gathers = true;
		r->plan.bytes += knng_gathered_bytes(r->plan.m, r->plan.k);
	}
	return status;
}

static knng_status
do_run(running *r)
{
	knng_output out = {.idx = r->got.idx,
			   .dist = r->got.dist,
			   .idx_type = KNNG_I64,
			   .dist_type = KNNG_F64,
			   .row_stride = r->got.k,
			   .col_stride = 1};
	return knng_run(&r->plan, &out, &r->info, &r->err);
}

static bool
nothing_left(const running *r)
{
	knng_sys_count now = knng_sys();
	return now.live == r->before.live && now.bytes == r->before.bytes;
}

/* Whether all rows with distances, and no others, are certified by the boxes, or none is. */
static bool
certified(const running *r, bool by_boxes)
{
	bool fine = true;
	int64_t all = 0, rows = 0, boxes = 0;
	for (int level = 0; level < KNNG_LEVELS; level++)
		all += r->info.certified[level];
	for (int64_t i = 0; i < r->got.m; i++) {
		rows += r->levels[i] != 0x77;
		boxes += r->levels[i] == 1 + KNNG_LEVEL_BOXES;
		/* With neighbours there is a level. */
		fine = fine && (r->got.k == 0 || r->got.idx[i * r->got.k] < 0 || r->levels[i] != 0x77);
	}
	DEMAND(all == rows && r->info.certified[KNNG_LEVEL_BOXES] == boxes);
	DEMAND(boxes == (by_boxes ? all : 0));
	return fine;
}

/* Whether some row has a neighbour: where no row of Y has distances, nothing is to be compared. */
static bool
has_neighbours(const answer *a)
{
	bool some = false;
	for (int64_t e = 0; e < a->m * a->k; e++)
		some = some || a->idx[e] >= 0;
	return some;
}

/* Runs, and compares everything; want NULL: any answer will do, which stays in *keep, unless that is NULL. */
static bool
run(const data_set *s, const knng_metric *metric, const answer *want, variant v, answer *keep)
{
	running r;
	bool fine = true;
	DEMAND(open_run(&r, s, metric, v) == KNNG_OK);
	DEMAND(r.plan.prunes ==
	       (v.prune != KNNG_PRUNE_OFF && r.plan.k > 0)); /* of one row there is nothing to compare */
	DEMAND(do_run(&r) == KNNG_OK);
	DEMAND(want == NULL || same_answers(want, &r.got));
	DEMAND(nothing_left(&r));
	DEMAND(r.info.peak > 0 && r.info.peak <= r.plan.bytes);
	int64_t others = r.info.points - (s->m == 0);
	bool boxes = v.prune == KNNG_PRUNE_ON && others > 0 && s->k > 0 && has_neighbours(&r.got);
	DEMAND(certified(&r, boxes));
	DEMAND(strncmp(r.info.pruned, boxes ? "yes: " : "no: ", boxes ? 5 : 4) == 0);
	if (!fine)
		printf("  of %s, %s, n = %lld, d = %lld, m = %lld, k = %lld, leaf %lld, %s, %d threads, prune %d: "
		       "'%s'; '%s'; peak %.0f of %.0f\n",
		       s->name, metric->name, (long long)s->n, (long long)s->d, (long long)s->m, (long long)s->k,
		       (long long)v.leaf, r.plan.target, r.plan.threads, v.prune, r.err.text, r.info.pruned,
		       r.info.peak, r.plan.bytes);
	if (keep != NULL) {
		*keep = r.got;
		r.got = (answer){0};
	}
	close_run(&r);
	return fine;
}

/* ---------------------------------------------------------------- answers */

/* With boxes, and once without. */
static void
compare(const data_set *s, const knng_metric *metric, int runs)
{
	answer a = solve(s, metric);
	bool fine = run(s, metric, &a, next_variant(s, KNNG_PRUNE_OFF), NULL);
	for (int r = 0; r < runs && fine; r++)
		fine = run(s, metric, &a, next_variant(s, KNNG_PRUNE_ON), NULL);
	CHECK(fine, "%s, %s, %s, n = %lld, d = %lld, k = %lld", s->name, s->m ? "search" : "graph", metric->name,
	      (long long)s->n, (long long)s->d, (long long)s->k);
	close_answer(&a);
}

static int64_t
some_k(int64_t n)
{
	int64_t ks[] = {1, 5, 64, n > 1 ? n - 1 : 1, n + 7};
	return ks[random_below(5)];
}

static void
test_data(void)
{
	for (int kind = 0; kind < KINDS; kind++)
		for (int mode = 0; mode < 2; mode++)
			for (const knng_metric *metric = knng_metrics; metric->name != NULL; metric++) {
				if (SKIPS(11))
					continue;
				int64_t n = 130 + random_below(90),
					k = random_below(3) ? 1 + random_below(6) : some_k(n);
				/* In few dimensions boxes leave out most, and in any they must leave out nothing else.
				 */
				int64_t d = random_below(3) ? 1 + random_below(5) : columns[random_below(COLUMNS)];
				data_set s = make_data(kind, n, d, mode ? 90 : 0, k);
				compare(&s, metric, 6);
				close_data(&s);
			}
}

/* The limit of a query is a distance, and its square may be less than the sum of a row just as far, which comes first.
 */
static void
test_rings(void)
{
	for (int64_t k = 1; k < 40; k++) {
		data_set s = make_data(RINGS, 150, 2 + k % 3, k % 2 ? 40 : 0, k);
		compare(&s, knng_metric_find("euclidean"), 6);
		close_data(&s);
	}
}

/* Two clumps far from each other, so that copies lose what tells rows of one from each other. */
static double
clumps(int64_t i, int64_t l, int64_t d, int64_t scale)
{
	(void)l, (void)d;
	return random_normal() + (i % 2 ? 1 : -1) * (double)((int64_t)1 << scale);
}

/* Rows of one large element, before many that single precision does not add to its square one after the other; or a
 * little larger, behind zeros. */
static double
chains(int64_t i, int64_t l, int64_t d, int64_t scale)
{
	double sign = random_below(2) ? 1 : -1, some = random_normal();
	(void)scale;
	return i % 2 ? (l == 0 ? sign : 0.98 * sign * sqrt(0x1p-25))
		     : (l == d - 1 ? sign * (1 + (double)d * 0x1p-26 * fmin(1, fabs(some))) : 0);
}

/* Many that are just as far. */
static double
cubes(int64_t i, int64_t l, int64_t d, int64_t scale)
{
	(void)i, (void)l, (void)d, (void)scale;
	return (double)random_below(3);
}

/* A few rows, far from all others, which are near each other. */
static double
strays(int64_t i, int64_t l, int64_t d, int64_t scale)
{
	(void)l, (void)d;
	return random_normal() * (i % 50 == 7 ? (double)((int64_t)1 << scale) : 1);
}

/* Many terms that are alike, so that roundings of their sums add up. */
static double
humps(int64_t i, int64_t l, int64_t d, int64_t scale)
{
	(void)scale;
	return element(HUMP, i, l, d, 0);
}

/* Around 0, and one there; so small that 2^-exponent would be infinite. */
static double
mirrored(int64_t i, int64_t l, int64_t d, int64_t scale)
{
	(void)d, (void)scale;
	return ldexp((double)((i % 2 ? 1 : -1) * ((i + 1) / 2) * (l + 1)), -1074);
}

/* Clusters within clusters, each far smaller than how far they are apart, with some rows of their own farther than all
 * that: copies lie around several centres. */
static double
nests(int64_t i, int64_t l, int64_t d, int64_t scale)
{
	int64_t outer = i * i % 7 % 3, inner = i * 5 % 11 % 4;
	double far = ldexp((double)((outer * (l + 3)) % 5 - 2), (int)scale);
	double near = ldexp((double)((inner * (l + 2)) % 3 - 1), (int)scale / 2);
	(void)d;
	return random_normal() + (outer == 0 ? 0 : far) + near + (i % 97 == 5 ? ldexp((double)l, 3 * (int)scale) : 0);
}

/* What copies in single precision get wrong, if they do; queries that are farther from the rows than copies can be, or
 * in their midst. */
static void
test_copies(void)
{
	static const struct {
		const char *name;
		double (*of)(int64_t i, int64_t l, int64_t d, int64_t scale);
	} kinds[] = {{"clumps", clumps}, {"chains", chains}, {"humps", humps}, {"mirrored", mirrored},
		     {"cubes", cubes},   {"strays", strays}, {"nests", nests}};
	for (int kind = 0; kind < 7; kind++)
		for (int round = 0; round < 3 * 9; round++) {
			const knng_metric *metric = round < 15 ? knng_metrics : knng_metrics + (round - 15) % 9;
			int64_t d = kind == 1 ? 100 : kind == 2 ? 513 : 8 + random_below(10);
			int64_t n = 151 + random_below(1200) * (kind > 3);
			int64_t scale = 4 + 2 * random_below(20), m = round % 3 ? 40 : 0;
			int64_t k = random_below(4) ? 1 + random_below(20) : some_k(200);
			if (SKIPS_TOO(3, 17))
				continue;
			data_set s = {.name = kinds[kind].name, .n = n, .d = d, .m = m, .k = k};
			double *x = room((n + m) * d, 8);
			for (int64_t i = 0; i < n + m; i++)
				for (int64_t l = 0; l < d; l++)
					x[i * d + l] = kinds[kind].of(i, l, d, scale);
			double far = round % 3 == 2 ? ldexp(1, 40 + 2 * (int)random_below(480)) : 1e-6;
			for (int64_t e = n * d; e < (n + m) * d && (kind == 1 || round % 3 == 2); e++)
				x[e] = random_normal() * far;
			take_rows(&s, x);
			compare(&s, metric, 4);
			close_data(&s);
		}
}

/* Queries that have found what is near them around the first centre, and come back to it when they know how near the
 * nearest may be, and to boxes there of which each row lies around another centre: what these lose counts, too. Leaves
 * of b rows: a cluster far out, two in the middle, a pair that a cut divides, and three far out on the other side. */
static void
test_centres(void)
{
	static const char *const names[] = {"euclidean", "sqeuclidean", "cityblock", "chebychev"};
	for (int64_t b = 8; b <= 64; b += 56)
		for (int64_t d = 8; d <= 20; d += 4)
			for (int metric = 0; metric < 4; metric++) {
				double step = ldexp(1, b == 8 ? -20 : -23), *x = room(8 * b * d, sizeof *x),
				       *y = room(8 * d, sizeof *y);
				double far = 0.5 + 0x1p-13, u = 0.5 + 0x1p-25 - 0x1p-29, v = u + 0x1p-28;
				memset(x, 0, (size_t)(8 * b * d) * sizeof *x);
				memset(y, 0, (size_t)(8 * d) * sizeof *y);
				for (int64_t i = 0; i < 8 * b; i++) {
					double *row = x + i * d, at = (double)(i % b) * step, after = (double)b * step;
					switch (i / b) {
					case 0:
						row[0] = at - far;
						break;
					case 1:
					case 2:
						row[0] = (i / b == 1 ? -0x1p-11 : 0x1p-11) + 16 * at;
						row[2] = 512 * (at - (double)(b - 1) / 2 * step);
						break;
					case 3:
						row[0] = u - 0x1p-27 - at;
						break;
					case 4:
						row[0] = v + at;
						break;
					default:
						row[0] = far - at - (i / b == 7 ? after : 0);
						row[1] = i / b == 5 ? 0.4 : -0.4;
					}
				}
				y[0] = y[2] = 0x1p-12;
				for (int64_t i = 1; i < 8; i++)
					y[i * d] = u;
				data_set s = {.name = "divided", .n = 8 * b, .d = d, .m = 8, .k = 1, .X = x, .Y = y};
				answer a = solve(&s, knng_metric_find(names[metric]));
				variant one = next_variant(&s, KNNG_PRUNE_ON);
				one.leaf = b;
				one.single = false;
				CHECK(run(&s, knng_metric_find(names[metric]), &a, one, NULL),
				      "%s, d = %lld, leaf %lld", names[metric], (long long)d, (long long)b);
				close_answer(&a);
				close_data(&s);
			}
}

/* Numbers of rows around those of a leaf, and every number of columns. */
static void
test_sizes(void)
{
	const knng_metric *metric = knng_metrics;
	for (int c = 0; c < COLUMNS; c++)
		for (int v = 0; v < LEAVES; v++)
			for (int add = 0; add < 7; add++) {
				if (SKIPS(11))
					continue;
				int64_t leaf = leaves[v] ? leaves[v] : 32;
				int64_t sizes[] = {1, 2, leaf - 1, leaf, leaf + 1, 2 * leaf, 3 * leaf + 5};
				int64_t n = sizes[add], m = random_below(2) ? 1 + random_below(70) : 0;
				data_set s = make_data((int)random_below(KINDS), n, columns[c], m, some_k(n));
				answer a = solve(&s, metric);
				variant one = next_variant(&s, KNNG_PRUNE_ON);
				one.leaf = leaves[v];
				CHECK(run(&s, metric, &a, one, NULL), "%s, %s, n = %lld, d = %lld, k = %lld", s.name,
				      metric->name, (long long)n, (long long)s.d, (long long)s.k);
				close_answer(&a);
				close_data(&s);
				metric = metric[1].name != NULL ? metric + 1 : knng_metrics;
			}
}

/* Data sets of every kind and size, by every metric, leaf, target and number of threads, one after another: with boxes,
 * and without, as the oracle has it. So many as KNNG_BOXES_SETS says. */
static void
test_generated(void)
{
	const char *asked = getenv("KNNG_BOXES_SETS");
	long sets = asked != NULL ? strtol(asked, NULL, 10) : 300;
	const knng_metric *metric = knng_metrics;
	for (long i = 0; i < sets; i++) {
		int64_t n = 1 + random_below(random_below(8) ? 120 : 500),
			m = random_below(2) ? 1 + random_below(90) : 0;
		int64_t d = random_below(3) ? 1 + random_below(6) : columns[random_below(COLUMNS)];
		data_set s = make_data((int)(i % KINDS), n, d, m, random_below(3) ? 1 + random_below(12) : some_k(n));
		compare(&s, metric, 2);
		close_data(&s);
		metric = metric[1].name != NULL ? metric + 1 : knng_metrics;
	}
}

/* Trees of many leaves, where most of the pairs are left out, against the same search without boxes. */
static void
test_many_rows(void)
{
	static const int kinds[] = {NORMAL, CLUSTERS, LATTICE, FACES, FAR, SCALES, RINGS, BROKEN};
	const knng_metric *metric = knng_metrics;
	for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++)
		for (int mode = 0; mode < 4; mode++) {
			if (SKIPS(9))
				continue;
			int64_t n = 2000 + random_below(1500);
			int64_t d = (mode < 2 ? 2 : 8) + random_below(3);
			data_set s = make_data(kinds[c], n, d, mode % 2 ? 700 : 0, 1 + random_below(12));
			answer a;
			bool fine = run(&s, metric, NULL, next_variant(&s, KNNG_PRUNE_OFF), &a);
			for (int r = 0; r < 4 && fine; r++)
				fine = run(&s, metric, &a, next_variant(&s, KNNG_PRUNE_ON), NULL);
			CHECK(fine, "%s, %s, n = %lld", s.name, metric->name, (long long)n);
			close_answer(&a);
			close_data(&s);
			metric = metric[1].name != NULL ? metric + 1 : knng_metrics;
		}
}

/* ---------------------------------------------------------------- blocks that meet */

/* The search in blocks, and whether all that it says is so. */
static bool
meet(const data_set *s, const knng_metric *metric, const answer *want, int64_t size, variant v, knng_info *info)
{
	knng_options opt = {.metric = metric->name,
			    .k = want->k,
			    .prune = v.prune,
			    .tile = v.leaf,
			    .target = v.target,
			    .task.threads = v.threads};
	knng_sys_count before = knng_sys(), after;
	knng_neighbours lists;
	knng_err err = {0};
	bool fine = true;
	int64_t alone = 0, boxes = 0;
	DEMAND(knng_neighbours_make(&lists, s->n, want->k, 1, &err) == KNNG_OK);
	DEMAND(search_blocks(s, v.single, size, &opt, &lists, info, &err) == KNNG_OK);
	DEMAND(lists_are(&lists, want));
	for (int64_t i = 0; i < s->n && fine; i++) {
		alone += lists.level[i] == 0;
		boxes += lists.level[i] == 1 + KNNG_LEVEL_BOXES;
	}
	DEMAND(info->certified[KNNG_LEVEL_BOXES] == boxes);
	bool single = info->points < 2 * info->blocks; /* a block may have one point, which meets nothing alone */
	DEMAND(v.prune == KNNG_PRUNE_AUTO || single || boxes == (v.prune == KNNG_PRUNE_ON ? s->n - alone : 0));
	DEMAND(strncmp(info->pruned, boxes > 0 ? "yes: in " : "no: ", boxes > 0 ? 8 : 4) == 0);
	DEMAND(info->peak <= info->planned);
	knng_neighbours_free(&lists);
	after = knng_sys();
	DEMAND(after.live == before.live && after.bytes == before.bytes);
	if (!fine)
		printf("  of %s, %s, n = %lld, d = %lld, k = %lld, blocks of %lld, leaf %lld, %d threads, prune %d: "
		       "'%s'; '%s'; peak %.0f of %.0f\n",
		       s->name, metric->name, (long long)s->n, (long long)s->d, (long long)want->k, (long long)size,
		       (long long)v.leaf, v.threads, v.prune, err.text, info->pruned, info->peak, info->planned);
	return fine;
}

/* Blocks far from each other, so that a copy of a row of one is larger than any of the other, or than there can be. */
static void
shift_blocks(data_set *s, int64_t size, double by)
{
	for (int64_t i = 0; i < s->n; i++)
		s->X[i * s->d + i / size % s->d] += by * (double)(i / size);
}

/* As test_generated, in blocks. */
static void
test_meetings(void)
{
	const char *asked = getenv("KNNG_BOXES_SETS");
	long sets = asked != NULL ? strtol(asked, NULL, 10) : ENOUGH(300, 100);
	const knng_metric *metric = knng_metrics;
	for (long i = 0; i < sets; i++) {
		int64_t n = 3 + random_below(random_below(8) ? 120 : 500);
		int64_t d = random_below(3) ? 1 + random_below(6) : columns[random_below(COLUMNS)];
		int64_t k = random_below(3) ? 1 + random_below(12) : some_k(n), size = 1 + n / (2 + random_below(6));
		data_set s = make_data((int)(i % KINDS), n, d, 0, k);
		knng_info info;
		if (!s.single && random_below(3) == 0)
			shift_blocks(&s, size, pow(10, (double)random_below(15)));
		answer a = solve(&s, metric);
		bool fine = meet(&s, metric, &a, size, next_variant(&s, KNNG_PRUNE_ON), &info);
		fine = fine &&
		       meet(&s, metric, &a, size, next_variant(&s, i % 2 ? KNNG_PRUNE_ON : KNNG_PRUNE_OFF), &info);
		CHECK(fine, "%s, %s, n = %lld, d = %lld, k = %lld, blocks of %lld", s.name, metric->name, (long long)n,
		      (long long)d, (long long)k, (long long)size);
		close_answer(&a);
		close_data(&s);
		metric = metric[1].name != NULL ? metric + 1 : knng_metrics;
	}
}

/* By themselves blocks have trees where these leave out pairs, and only there. */
static void
test_meetings_of_many(void)
{
	static const struct {
		int kind;
		int64_t d;
		bool gains;
	} cases[] = {{NORMAL, 2, true}, {CLUSTERS, 5, true}, {CLUSTERS, 12, true}, {NORMAL, 40, false}};
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		if (SKIPS(3))
			continue;
		int64_t size = 1300, n = 3 * size - 200;
		data_set s = make_data(cases[c].kind, n, cases[c].d, 0, 7);
		answer a;
		knng_info info = {0};
		variant v = {.threads = 2, .prune = KNNG_PRUNE_AUTO};
		const knng_metric *metric = knng_metric_find("euclidean");
		bool fine = run(&s, metric, NULL, next_variant(&s, KNNG_PRUNE_OFF), &a) &&
			    meet(&s, metric, &a, size, v, &info);
		CHECK(fine, "%s, d = %lld", s.name, (long long)s.d);
		CHECK(strncmp(info.pruned, cases[c].gains ? "yes: in 6 of 6 meetings" : "no: the nearest rows", 20) ==
			      0,
		      "%s, d = %lld: %s", s.name, (long long)s.d, info.pruned);
		size = 999;
		v.threads = 1;
		fine = meet(&s, metric, &a, size, v, &info);
		CHECK(fine && strcmp(info.pruned, "no: there are too few rows to gain") == 0, "%s, d = %lld: %s",
		      s.name, (long long)s.d, info.pruned);
		close_answer(&a);
		close_data(&s);
	}
}

/* More neighbours than copies are for, but fewer than that in a block alone, whose tree is kept: it has to be such as
 * the plans of all meetings count. */
static void
test_meetings_for_many(void)
{
	if (!ENOUGH(true, false))
		return;
	data_set s = make_data(NORMAL, 1500, ENOUGH_TOO(4000, 2500), 0, 1100);
	const knng_metric *metric = knng_metric_find("cityblock");
	variant v = {.threads = 1, .prune = KNNG_PRUNE_OFF};
	answer a;
	knng_info info;
	s.single = false;
	bool fine = run(&s, metric, NULL, v, &a);
	v.prune = KNNG_PRUNE_ON;
	CHECK(fine && meet(&s, metric, &a, 750, v, &info), "k = %lld", (long long)s.k);
	close_answer(&a);
	close_data(&s);
}

/* ---------------------------------------------------------------- memory, failures, interrupts */

/* What a plan counts holds where lists are long beside the rows, or queries many, or threads. */
static void
test_memory(void)
{
	static const struct {
		int64_t n, d, m, k;
		int threads;
	} table[] = {{3000, 1, 1, 3000, 1}, {3000, 1, 0, 1, 3},   {20, 1, 5000, 1, 1}, {3000, 2, 1, 1, 8},
		     {300, 100, 0, 5, 3},   {900, 1, 0, 899, 2},  {65, 65, 2, 64, 8},  {3000, 3, 2000, 64, 3},
		     {1, 1, 1, 1, 1},       {2000, 1, 3, 2000, 3}};
	for (size_t t = 0; t < sizeof table / sizeof *table; t++)
		for (int v = 0; v < LEAVES; v++) {
			if (SKIPS(5))
				continue;
			data_set s = make_data(NORMAL, table[t].n, table[t].d, table[t].m, table[t].k);
			const knng_metric *metric = knng_metric_find(v % 2 ? "cityblock" : "pearson");
			metric = s.d < 3 && v % 2 == 0 ? knng_metric_find("euclidean") : metric;
			variant one = {.leaf = leaves[v], .threads = table[t].threads, .prune = KNNG_PRUNE_ON};
			CHECK(run(&s, metric, NULL, one, NULL), "case %d, leaf %lld", (int)t, (long long)leaves[v]);
			close_data(&s);
		}
}

/* Whether a search within that memory takes boxes; -1: its answer is not this one. */
static int
takes_boxes(const data_set *s, const knng_metric *metric, const answer *a, double memory)
{
	running r;
	variant v = {.threads = 2, .prune = KNNG_PRUNE_ON, .memory = memory};
	bool fine = open_run(&r, s, metric, v) == KNNG_OK && r.plan.bytes <= memory && do_run(&r) == KNNG_OK;
	fine = fine && same_answers(a, &r.got) && nothing_left(&r) && certified(&r, r.plan.prunes) &&
	       r.info.peak <= r.plan.bytes && r.plan.prunes == (strncmp(r.info.pruned, "yes", 3) == 0);
	int takes = fine ? r.plan.prunes : -1;
	close_run(&r);
	return takes;
}

static void
test_limits(void)
{
	for (int mode = 0; mode < 2; mode++)
		for (const knng_metric *metric = knng_metrics; metric->name != NULL; metric++) {
			data_set s = make_data(CLUSTERS, 300, 4, mode ? 100 : 0, 6);
			answer a = solve(&s, metric);
			running r;
			CHECK(open_run(&r, &s, metric, (variant){.threads = 2, .prune = KNNG_PRUNE_ON}) == KNNG_OK,
			      "%s", r.err.text);
			CHECK(takes_boxes(&s, metric, &a, r.plan.bytes) == 1, "%s: just enough", metric->name);
			CHECK(takes_boxes(&s, metric, &a, r.plan.bytes - 1) == 0, "%s: not enough", metric->name);
			CHECK(takes_boxes(&s, metric, &a, r.plan.least) == 0, "%s: the least", metric->name);
			close_run(&r);
			close_answer(&a);
			close_data(&s);
		}
}

/* Every call that can fail does; the run says so, nothing is left, and the next is right. */
static void
fail_all(const data_set *s, const knng_metric *metric, int threads)
{
	answer a = solve(s, metric);
	variant v = {.threads = threads, .prune = KNNG_PRUNE_ON, .leaf = 16, .gathers = threads > 1};
	int64_t failures = 0;
	bool fine = true, met = true;
	for (int64_t nth = 1; met && fine; nth++) {
		running r;
		DEMAND(open_run(&r, s, metric, v) == KNNG_OK);
		int64_t calls = knng_sys().calls;
		knng_sys_fail_at(nth);
		knng_status status = do_run(&r);
		knng_sys_fail_at(0);
		met = knng_sys().calls - calls >= nth;
		failures += met;
		DEMAND(met ? status == KNNG_EMEMORY || status == KNNG_EIO : status == KNNG_OK);
		DEMAND(!met || (strncmp(r.err.id, "knng:", 5) == 0 && strlen(r.err.text) > 20));
		DEMAND(nothing_left(&r) && r.info.peak <= r.plan.bytes);
		DEMAND(do_run(&r) == KNNG_OK && same_answers(&a, &r.got));
		if (!fine)
			printf("  at call %lld: %d, %s, %s\n", (long long)nth, status, r.err.id, r.err.text);
		close_run(&r);
	}
	CHECK(fine && failures > 20, "%s, %s: %lld failures", s->name, metric->name, (long long)failures);
	close_answer(&a);
}

static void
test_failures(void)
{
	static const int kinds[] = {NORMAL, REPEATED, BROKEN};
	for (int c = 0; c < 3; c++)
		for (int mode = 0; mode < 4; mode++) {
			data_set s = make_data(kinds[c], 120, mode < 2 ? 3 : 9, mode % 2 ? 50 : 0, 5);
			fail_all(&s, knng_metrics + (c + 4 * (mode % 2)), 1 + mode % 2);
			close_data(&s);
		}
}

static void
test_interrupts(void)
{
	const knng_metric *metric = knng_metric_find("euclidean");
	for (int mode = 0; mode < 6; mode++) {
		data_set s = make_data(mode < 4 ? NORMAL : CLUSTERS, ENOUGH(40000, 12000), mode < 4 ? 2 : 8,
				       mode % 2 ? 4000 : 0, 2);
		variant v = {.gathers = random_below(2),
			     .threads = mode < 2 ? 1 : 2,
			     .interrupt = &stop,
			     .prune = mode >= 2 ? KNNG_PRUNE_AUTO : KNNG_PRUNE_ON};
		int stopped = 0;
		bool fine = true;
		knng_status status = KNNG_EINTERRUPTED;
		for (stop_at = 1; fine && status != KNNG_OK; stop_at += 1 + stop_at / 3) {
			running r;
			stop = 0;
			looks = 0;
			DEMAND(open_run(&r, &s, metric, v) == KNNG_OK);
			status = do_run(&r);
			stopped += status == KNNG_EINTERRUPTED;
			DEMAND(nothing_left(&r) && r.info.peak <= r.plan.bytes);
			DEMAND(looks < stop_at ? status == KNNG_OK && certified(&r, true)
					       : status == KNNG_OK || (status == KNNG_EINTERRUPTED &&
								       strcmp(r.err.id, "knng:interrupted") == 0));
			close_run(&r);
		}
		CHECK(fine && stopped >= 8, "mode %d: stopped %d times, then %d", mode, stopped, status);
		close_data(&s);
	}
	stop_at = 0;
	stop = 0;
}

/* Of K neighbours the distances of at least as many rows are computed, beyond what is done for one; and for these, too,
 * Ctrl-C is looked for. */
static void
test_looks(void)
{
	enum { N = 1100, D = 2000, M = 64, K = 1000 };
	data_set s = make_data(NORMAL, N, D, M, K);
	int64_t all[2], least = (int64_t)M * (K - 64) * D >> 20;
	for (int one = 0; one < 2; one++) {
		running r;
		s.k = one ? 1 : K;
		looks = 0;
		CHECK(open_run(&r, &s, knng_metric_find("euclidean"),
			       (variant){.threads = 1, .prune = KNNG_PRUNE_ON}) == KNNG_OK &&
			      do_run(&r) == KNNG_OK,
		      "%s", r.err.text);
		all[one] = looks;
		close_run(&r);
	}
	CHECK(all[0] - all[1] >= least, "%lld times, and %lld for one, not %lld more", (long long)all[0],
	      (long long)all[1], (long long)least);
	close_data(&s);
}

/* ---------------------------------------------------------------- progress */

/* A clock that runs so fast that every job shows progress. */
static int hurries;
double __real_knng_seconds(void);
double __wrap_knng_seconds(void);

double
__wrap_knng_seconds(void)
{
	static int64_t readings;
	bool fast = __atomic_load_n(&hurries, __ATOMIC_RELAXED);
	return __real_knng_seconds() + (fast ? (double)__atomic_add_fetch(&readings, 1, __ATOMIC_RELAXED) : 0);
}

static struct {
	int times, back; /* how often; how often less was shown than before, of the same stage */
	const char *stage;
	double fraction;
} seen;

static void
see(void *context, const char *stage, double fraction)
{
	(void)context;
	seen.times++;
	seen.back += seen.stage == stage && fraction < seen.fraction;
	seen.stage = stage;
	seen.fraction = fraction;
}

/* What is tried first, whether boxes gain, takes no progress back, whatever comes of it. */
static void
test_progress(void)
{
	static const struct {
		int64_t d;
		int kind, prune;
	} table[] = {{3, NORMAL, KNNG_PRUNE_AUTO},
		     {3, NORMAL, KNNG_PRUNE_ON},
		     {3, NORMAL, KNNG_PRUNE_OFF},
		     {200, NORMAL, KNNG_PRUNE_AUTO},
		     {12, NORMAL, KNNG_PRUNE_AUTO}};
	for (size_t t = 0; t < sizeof table / sizeof *table; t++)
		for (int threads = 1; threads <= 2; threads++) {
			if (SKIPS(3))
				continue;
			data_set s = make_data(table[t].kind, table[t].d == 12 ? 20000 : 10000, table[t].d, 0, 5);
			running r;
			CHECK(open_run(&r, &s, knng_metric_find("euclidean"),
				       (variant){.threads = threads, .prune = table[t].prune}) == KNNG_OK,
			      "%s", r.err.text);
			memset(&seen, 0, sizeof seen);
			r.plan.opt.task.progress = see;
			__atomic_store_n(&hurries, 1, __ATOMIC_RELAXED); /* threads of before look, too */
			knng_status status = do_run(&r);
			__atomic_store_n(&hurries, 0, __ATOMIC_RELAXED);
			CHECK(status == KNNG_OK && (threads > 1 || seen.times > 10) && seen.back == 0,
			      "%s, %d threads: %d times, %d back", r.info.pruned, threads, seen.times, seen.back);
			close_run(&r);
			close_data(&s);
		}
}

/* What info.refined counts: the pairs that boxes do not leave out, whether rows or copies of them are compared. */
static void
test_refined(void)
{
	enum { GROUPS = 16 };
	static const int64_t columns[] = {3, 10, 100};
	for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
		int64_t d = columns[c], leaf = d < 8 ? 32 : 64, n = GROUPS * leaf;
		double *x = room(n * d, sizeof *x);
		for (int64_t i = 0; i < n; i++)
			for (int64_t l = 0; l < d; l++)
				x[i * d + l] = 1e3 * (double)(i % GROUPS) + random_normal() * 0.1;
		data_set s = {.name = "groups", .n = n, .d = d, .k = 5};
		take_rows(&s, x);
		running r;
		variant v = {.threads = 1, .prune = KNNG_PRUNE_ON};
		CHECK(open_run(&r, &s, knng_metric_find("euclidean"), v) == KNNG_OK && do_run(&r) == KNNG_OK, "%s",
		      r.err.text);
		CHECK(r.info.refined == n * leaf, "d = %d: %lld pairs", (int)d, (long long)r.info.refined);
		close_run(&r);
		close_data(&s);
	}
}

/* ---------------------------------------------------------------- whether it gains */

/* Rows that single precision does not tell apart take a tree, however many pairs have to be compared, and have a few
 * rows more distances computed at most than that. */
static void
test_alike(void)
{
	static const struct {
		int64_t n, d, m;
		int clusters, exponent; /* how far apart */
		const char *metric, *says;
	} table[] = {{3000, 20, 0, 1, 0, "euclidean", "no: there are too few rows"},
		     {3000, 20, 0, 2, 20, "euclidean", "yes: "},
		     {3000, 20, 0, 2, 20, "cityblock", "yes: "},
		     {3000, 20, 0, 2, 20, "chebychev", "yes: "},
		     {3000, 20, 0, 2, 50, "euclidean", "yes: "},
		     {3000, 20, 1500, 2, 20, "euclidean", "yes: "},
		     {3000, 20, 1500, 3, 45, "cityblock", "yes: "},
		     {9000, 20, 0, 1, 0, "euclidean", "no: the nearest rows "},
		     {9000, 20, 0, 2, 20, "euclidean", "yes: "},
		     {9000, 64, 0, 2, 20, "euclidean", "yes: "},
		     {1999, 20, 0, 2, 20, "euclidean", "no: there are too few rows"}};
	for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
		int64_t n = table[t].n, m = table[t].m, d = table[t].d;
		if (n * d > ENOUGH(n * d, 100000) || SKIPS(2))
			continue;
		double *x = room((n + m) * d, sizeof *x);
		for (int64_t e = 0; e < (n + m) * d; e++)
			x[e] = random_normal() + ldexp((double)(e / d % table[t].clusters), table[t].exponent);
		data_set s = {.name = "alike", .n = n, .d = d, .m = m, .k = 5};
		take_rows(&s, x);
		const knng_metric *metric = knng_metric_find(table[t].metric);
		running r, off;
		CHECK(open_run(&r, &s, metric, (variant){.threads = 2}) == KNNG_OK && do_run(&r) == KNNG_OK, "%s",
		      r.err.text);
		CHECK(strncmp(r.info.pruned, table[t].says, strlen(table[t].says)) == 0, "case %d: %s", (int)t,
		      r.info.pruned);
		CHECK(certified(&r, table[t].says[0] == 'y') && nothing_left(&r) && r.info.peak <= r.plan.bytes,
		      "case %d: %.0f of %.0f", (int)t, r.info.peak, r.plan.bytes);
		variant v = {.threads = 2, .prune = KNNG_PRUNE_OFF};
		CHECK(open_run(&off, &s, metric, v) == KNNG_OK && do_run(&off) == KNNG_OK, "%s", off.err.text);
		CHECK(same_answers(&off.got, &r.got), "case %d: other neighbours", (int)t);
		int64_t most = n * (m ? m : n) / table[t].clusters * 11 / 10 + 64 * n;
		CHECK(table[t].says[0] != 'y' || r.info.refined < most, "case %d: %lld pairs, not %lld", (int)t,
		      (long long)r.info.refined, (long long)most);
		close_run(&off);
		close_run(&r);
		close_data(&s);
	}
}

static void
test_auto(void)
{
	static const struct {
		int kind;
		int64_t n, d, m;
		const char *metric;
		bool apart;       /* queries that lie elsewhere */
		const char *says; /* how info.pruned begins */
	} table[] = {{NORMAL, 10000, 3, 0, "euclidean", false, "yes: "},
		     {NORMAL, 10000, 3, 4000, "euclidean", false, "yes: "},
		     {NORMAL, 10000, 200, 0, "euclidean", false, "no: the nearest rows "},
		     {CLUSTERS, 10000, 3, 0, "euclidean", false, "yes: "},
		     {NORMAL, 7000, 3, 0, "euclidean", false, "no: there are too few rows"},
		     {NORMAL, 10000, 3, 100, "euclidean", false, "no: there are too few rows"},
		     {EQUAL, 10000, 3, 4000, "euclidean", false, "no: there are too few different"},
		     {HUMP, 20000, 2, 0, "euclidean", false, "yes: "},
		     {SINGLES, 20000, 100, 0, "euclidean", false, "yes: "},
		     {NORMAL, 20000, 12, 0, "euclidean", false, "no: at least "},
		     /* The nearest is not near, but all that are farther lie together. */
		     {CLUSTERS, 10000, 9, 0, "antipearson", false, "yes: "},
		     {CLUSTERS, 10000, 9, 4000, "euclidean", true, "yes: "},
		     {CLUSTERS, 10000, 9, 4000, "cityblock", true, "yes: "},
		     {CLUSTERS, 10000, 9, 4000, "chebychev", true, "yes: "},
		     {CLUSTERS, 10000, 9, 4000, "abspearson", true, "yes: "},
		     {NORMAL, 10000, 50, 0, "antipearson", false, "no: the nearest rows "},
		     {NORMAL, 10000, 50, 4000, "euclidean", true, "no: the nearest rows "},
		     /* All pairs take longer than with other sums. */
		     {NORMAL, 20000, 12, 0, "antipearson", false, "yes: "},
		     {NORMAL, 20000, 9, 0, "abspearson", false, "yes: "}};
	for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
		if (SKIPS(5))
			continue;
		const knng_metric *metric = knng_metric_find(table[t].metric);
		data_set s = make_data(table[t].kind, table[t].n, table[t].d, table[t].m, 5);
		for (int64_t e = 0; table[t].apart && e < s.m * s.d; e++) {
			s.Y[e] = 5 + 9 * random_normal();
			s.single = false;
		}
		running r, off;
		CHECK(open_run(&r, &s, metric, (variant){.threads = 2}) == KNNG_OK && do_run(&r) == KNNG_OK, "%s",
		      r.err.text);
		CHECK(strncmp(r.info.pruned, table[t].says, strlen(table[t].says)) == 0, "case %d: %s", (int)t,
		      r.info.pruned);
		CHECK(certified(&r, table[t].says[0] == 'y') && nothing_left(&r), "case %d", (int)t);
		CHECK(r.info.peak <= r.plan.bytes, "case %d: %.0f of %.0f", (int)t, r.info.peak, r.plan.bytes);
		if (table[t].d < 10) {
			variant v = {.threads = 2, .prune = KNNG_PRUNE_OFF};
			CHECK(open_run(&off, &s, metric, v) == KNNG_OK && do_run(&off) == KNNG_OK, "%s", off.err.text);
			CHECK(same_answers(&off.got, &r.got), "case %d: other neighbours", (int)t);
			CHECK(table[t].says[0] != 'y' ||
				      r.info.refined < s.n * (s.m ? s.m : s.n) / (table[t].d < 9 ? 4 : 2),
			      "case %d: %lld distances", (int)t, (long long)r.info.refined);
			close_run(&off);
		}
		close_run(&r);
		close_data(&s);
	}
}

int
main(int argc, char **argv)
{
	openblas_set_num_threads(1);
	PART(kernels);
	PART(data);
	PART(rings);
	PART(copies);
	PART(centres);
	PART(sizes);
	PART(generated);
	PART(many_rows);
	PART(meetings);
	PART(meetings_of_many);
	PART(meetings_for_many);
	PART(memory);
	PART(limits);
	PART(failures);
	PART(interrupts);
	PART(looks);
	PART(progress);
	PART(refined);
	PART(alike);
	PART(auto);
	return summary();
}
