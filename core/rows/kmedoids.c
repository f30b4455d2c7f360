#include "rows/kmedoids.h"

#include "base/sys.h"
#include "search/cpu/kernels.h"
#include "search/describe.h"
#include "search/points.h"
#include "search/source.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Candidates of a job, whose distances are computed together; of a run of jobs; rows that they meet at a time, and the
 * bytes of these, which stay in the second-level cache; rows of scratch that prepare takes; rows of a job that looks
 * for the nearest medoids; operations that make a thread worth waking. */
enum { GROUP = 8, BATCH = 256, MEET = 512, CACHE = 1 << 17, SCRATCH = 4, ROWS = 256, WORTH = 1000000 };

/* The two nearest medoids of a row, by (distance, number), and how far they are. */
typedef struct {
	int32_t near, second;
	double d, e;
} nearest;

typedef struct {
	knng_task *task;
	const knng_matrix *X;
	const knng_kmedoids_how *how;
	const knng_metric *metric;
	const knng_kernels *kernels;
	int64_t n, ld, k;
	int threads;
	int64_t rows, some; /* rows with distances, of which all is said below; met at a time */
	double largest;     /* what a distance counts as at most, so that no sum overflows */
	double *u;          /* [n x ld] prepared rows */
	bool *has;          /* [n] distances */
	int64_t *constant;  /* [threads] rows that are */
	int32_t *member;    /* [rows] their numbers, ascending */
	double *scratch;    /* [threads x SCRATCH x ld] */
	double *all;        /* [rows x rows] distances, or NULL: */
	double *buffer;     /* [threads x GROUP x rows] */
	double *own;        /* [(k + 1) x rows] distances to the medoids, and one more, where `all` is NULL */
	double **of;        /* [k + 1] those to each medoid; a spare one */
	int32_t *medoid;    /* [k] */
	bool *taken;        /* [rows] is a medoid */
	nearest *state;     /* [rows] */
	double *loss;       /* [k] by how much the total grows without a medoid */
	double *losses;     /* [threads x k] */
	double *to;         /* [threads x k] */
	int32_t *best;      /* [k] medoids of the best replicate, as rows of X */
	double total;
	int64_t first, count; /* the candidates of a run */
	int64_t hit;          /* the first of them that is an improvement, from 0 */
	int32_t slot[BATCH];  /* in place of which medoid */
	double sum[BATCH];    /* k = 1: totals */
} medoids;

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* ---------------------------------------------------------------- distances */

static knng_status
load(void *context, int worker, int64_t i, knng_err *err)
{
	const medoids *m = context;
	int64_t ld = m->ld;
	knng_part part = knng_part_of(i, knng_prepare_rows(m->X->d), m->n);
	uint64_t hash;
	(void)err;
	knng_source_rows(m->X, part.first, part.end - part.first, m->u + part.first * ld, ld);
	for (int64_t r = part.first; r < part.end; r++) {
		int state = m->kernels->prepare(m->metric, m->u + r * ld, m->X->d, ld,
						m->scratch + worker * SCRATCH * ld, &hash);
		m->has[r] = state == KNNG_ROW_FINE;
		m->constant[worker] += state == KNNG_ROW_CONSTANT;
	}
	return KNNG_OK;
}

/* to[c * rows + r] = w of candidate first + c and row r. */
static knng_status
measure(const medoids *m, int64_t first, int64_t count, double *to, knng_err *err)
{
	for (int64_t r0 = 0; r0 < m->rows; r0 += m->some) {
		int64_t some = least(m->some, m->rows - r0);
		knng_status status = knng_task_poll(m->task, err);
		if (status != KNNG_OK)
			return status;
		for (int64_t c = 0; c < count; c++) {
			double *w = to + c * m->rows + r0;
			m->kernels->sums(m->metric->sum, m->u + m->member[first + c] * m->ld, m->u, m->ld,
					 m->member + r0, some, w);
			for (int64_t r = 0; r < some; r++) {
				w[r] = knng_map_sum(m->metric, w[r]);
				w[r] = w[r] < m->largest ? w[r] : m->largest;
			}
		}
	}
	for (int64_t c = 0; c < count; c++)
		to[c * m->rows + first + c] = 0;
	return KNNG_OK;
}

static knng_status
store(void *context, int worker, int64_t job, knng_err *err)
{
	const medoids *m = context;
	knng_part part = knng_part_of(job, GROUP, m->rows);
	(void)worker;
	return measure(m, part.first, part.end - part.first, m->all + part.first * m->rows, err);
}

/* The distances of row r, in `all` or in the spare place, which is of[k]. */
static knng_status
distances(const medoids *m, int64_t r, knng_err *err)
{
	if (m->all == NULL)
		return measure(m, r, 1, m->of[m->k], err);
	m->of[m->k] = m->all + r * m->rows;
	return KNNG_OK;
}

/* The spare distances become those of medoid b. */
static void
put_spare(const medoids *m, int64_t b)
{
	double *other = m->of[b];
	m->of[b] = m->of[m->k];
	m->of[m->k] = other;
}

/* ---------------------------------------------------------------- swaps */

static bool
nearer(double d, int32_t i, double e, int32_t j)
{
	return d < e || (d == e && i < j);
}

/* The two nearest medoids of row r. */
static void
look(const medoids *m, int64_t r, nearest *s)
{
	*s = (nearest){.near = -1, .second = -1};
	for (int32_t b = 0; b < m->k; b++) {
		double w = m->of[b][r];
		if (s->near < 0 || w < s->d)
			*s = (nearest){.near = b, .second = s->near, .d = w, .e = s->d};
		else if (s->second < 0 || w < s->e) {
			s->second = b;
			s->e = w;
		}
	}
}

/* The total, and what the loss of each medoid would add. */
static void
add_up(medoids *m)
{
	memset(m->loss, 0, (size_t)m->k * sizeof *m->loss);
	m->total = 0;
	for (int64_t r = 0; r < m->rows; r++) {
		m->total += m->state[r].d;
		m->loss[m->state[r].near] += m->state[r].e - m->state[r].d;
	}
}

static knng_status
look_at_all(medoids *m, knng_err *err)
{
	for (int64_t r = 0; r < m->rows; r++) {
		knng_status status = r % ROWS == 0 ? knng_task_poll(m->task, err) : KNNG_OK;
		if (status != KNNG_OK)
			return status;
		look(m, r, &m->state[r]);
	}
	add_up(m);
	return KNNG_OK;
}

/* Whether the total falls when a candidate at distances w stands in for the medoid *b that is best given up. */
static bool
improves(const medoids *m, const double *w, double *loss, int32_t *b)
{
	const nearest *s = m->state;
	double gain = 0, total = 0;
	memcpy(loss, m->loss, (size_t)m->k * sizeof *loss);
	for (int64_t r = 0; r < m->rows; r++) {
		if (w[r] >= s[r].e)
			continue;
		if (w[r] < s[r].d) {
			gain += w[r] - s[r].d;
			loss[s[r].near] += s[r].d - s[r].e;
		} else
			loss[s[r].near] += w[r] - s[r].e;
	}
	*b = 0;
	for (int32_t i = 1; i < m->k; i++)
		*b = loss[i] < loss[*b] ? i : *b;
	if (!(loss[*b] + gain < 0))
		return false;
	for (int64_t r = 0; r < m->rows; r++) { /* as it will be, to the last bit: no run goes in circles */
		double d = s[r].near == *b ? s[r].e : s[r].d;
		total += w[r] < d ? w[r] : d;
	}
	return total < m->total;
}

static void
take_hit(medoids *m, int64_t c)
{
	int64_t before = __atomic_load_n(&m->hit, __ATOMIC_RELAXED);
	while (c < before &&
	       !__atomic_compare_exchange_n(&m->hit, &before, c, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
	}
}

/* Candidates of one job: what stands before the first improvement is tried, so that it is the same one whoever tries
 * it. */
static knng_status
try_group(void *context, int worker, int64_t job, knng_err *err)
{
	medoids *m = context;
	knng_part part = knng_part_of(job, GROUP, m->count);
	double *w = m->buffer + worker * GROUP * m->rows;
	if (__atomic_load_n(&m->hit, __ATOMIC_RELAXED) < part.first)
		return KNNG_OK;
	if (m->all == NULL) {
		knng_status status = measure(m, m->first + part.first, part.end - part.first, w, err);
		if (status != KNNG_OK)
			return status;
	} else
		w = m->all + (m->first + part.first) * m->rows;
	for (int64_t c = part.first; c < part.end; c++, w += m->rows) {
		if (m->k == 1) {
			m->sum[c] = 0;
			for (int64_t r = 0; r < m->rows; r++)
				m->sum[c] += w[r];
			continue;
		}
		if (__atomic_load_n(&m->hit, __ATOMIC_RELAXED) < c)
			return KNNG_OK;
		if (!m->taken[m->first + c] && improves(m, w, m->losses + worker * m->k, &m->slot[c]))
			take_hit(m, c);
	}
	return KNNG_OK;
}

static knng_status
try_batch(medoids *m, int64_t first, int64_t count, knng_err *err)
{
	m->first = first;
	m->count = m->hit = count;
	return knng_task_run(m->task, m->threads, knng_parts(GROUP, count), try_group, m, err);
}

/* Row j becomes medoid b. */
static knng_status
swap(medoids *m, int64_t j, int32_t b, knng_err *err)
{
	knng_status status = distances(m, j, err);
	if (status != KNNG_OK)
		return status;
	put_spare(m, b);
	m->taken[m->medoid[b]] = false;
	m->taken[j] = true;
	m->medoid[b] = (int32_t)j;
	for (int64_t r = 0; r < m->rows; r++) {
		if (r % ROWS == 0 && (status = knng_task_poll(m->task, err)) != KNNG_OK)
			return status;
		nearest *s = &m->state[r];
		double w = m->of[b][r];
		if (s->near == b) {
			if (nearer(w, b, s->e, s->second))
				s->d = w;
			else
				look(m, r, s);
		} else if (nearer(w, b, s->d, s->near))
			*s = (nearest){.near = b, .second = s->near, .d = w, .e = s->d};
		else if (s->second == b ? w <= s->e : nearer(w, b, s->e, s->second)) {
			s->second = b;
			s->e = w;
		} else if (s->second == b)
			look(m, r, s);
	}
	add_up(m);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- a replicate */

static knng_status
put(medoids *m, int64_t b, int64_t r, knng_err *err)
{
	knng_status status = knng_task_poll(m->task, err);
	if (status == KNNG_OK)
		status = distances(m, r, err);
	if (status != KNNG_OK)
		return status;
	put_spare(m, b);
	m->taken[r] = true;
	m->medoid[b] = (int32_t)r;
	for (int64_t i = 0; i < m->rows; i++)
		m->state[i].d = b == 0 || m->of[b][i] < m->state[i].d ? m->of[b][i] : m->state[i].d;
	return KNNG_OK;
}

/* The row at which the running sum of distances to the nearest medoid reaches u times the whole. */
static int64_t
draw(const medoids *m, double u)
{
	double whole = 0, sum = 0;
	int64_t r = 0;
	for (int64_t i = 0; i < m->rows; i++)
		whole += m->state[i].d;
	if (whole == 0) { /* copies of medoids are all that is left */
		while (m->taken[r])
			r++;
		return r;
	}
	for (;; r++) {
		sum += m->state[r].d;
		if (m->state[r].d > 0 && sum >= u * whole)
			return r;
	}
}

static int64_t
row_of(double u, int64_t rows)
{
	return least((int64_t)(u * (double)rows), rows - 1);
}

static int64_t
place_of(const medoids *m, int64_t row)
{
	int64_t low = 0, high = m->rows;
	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		if (m->member[middle] < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low < m->rows && m->member[low] == row ? low : -1;
}

static knng_status
start(medoids *m, int64_t replicate, knng_err *err)
{
	const knng_kmedoids_how *how = m->how;
	knng_status status = KNNG_OK;
	memset(m->taken, 0, (size_t)m->rows * sizeof *m->taken);
	for (int64_t b = 0; b < m->k && status == KNNG_OK; b++) {
		int64_t at = replicate * m->k + b, r = 0;
		if (how->start == KNNG_MEDOIDS_GIVEN && (r = place_of(m, how->given[at])) < 0)
			return knng_fail(err, KNNG_EARGS, "knng:args:start",
					 "row %lld of X, which stands in the start, has no '%s' distances",
					 (long long)how->given[at] + 1, m->metric->name);
		if (how->start == KNNG_MEDOIDS_PLUS)
			r = b == 0 ? row_of(how->draws[at], m->rows) : draw(m, how->draws[at]);
		else if (how->start == KNNG_MEDOIDS_SAMPLE) { /* the so many-th of those that are left */
			int64_t left = row_of(how->draws[at], m->rows - b);
			for (r = 0; m->taken[r] || left-- > 0; r++) {
			}
		}
		if (m->taken[r])
			return knng_fail(err, KNNG_EARGS, "knng:args:start", "row %lld of X stands twice in the start",
					 (long long)m->member[r] + 1);
		status = put(m, b, r, err);
	}
	return status;
}

/* How much of a stage is done, of which nobody knows how long it is: each round half of what is left. */
static void
tell_progress(const medoids *m, int64_t replicate, int64_t round, int64_t at)
{
	double left = ldexp(1, round < 60 ? (int)-round : -60);
	double done = 1 - left + left / 2 * (double)at / (double)m->rows;
	m->task->done = ((double)replicate + done) / (double)m->how->replicates;
	m->task->left = 1 - m->task->done;
}

/* The one row from which all others are least far together. */
static knng_status
centre(medoids *m, int64_t replicate, knng_err *err)
{
	int64_t best = 0;
	knng_status status = KNNG_OK;
	for (int64_t at = 0; at < m->rows; at += BATCH) {
		tell_progress(m, replicate, 0, at);
		if ((status = try_batch(m, at, least(BATCH, m->rows - at), err)) != KNNG_OK)
			return status;
		for (int64_t c = 0; c < m->count; c++)
			if (at + c == 0 || m->sum[c] < m->total) {
				m->total = m->sum[c];
				best = at + c;
			}
	}
	m->medoid[0] = (int32_t)best;
	return status;
}

static knng_status
iterate(medoids *m, int64_t replicate, knng_kmedoids_found *found, knng_err *err)
{
	int64_t at = 0, since = 0, round = 0;
	knng_status status = start(m, replicate, err);
	found->swaps[replicate] = 0;
	found->iterations[replicate] = 1;
	if (status != KNNG_OK)
		return status;
	if (m->k == 1)
		return centre(m, replicate, err);
	if ((status = look_at_all(m, err)) != KNNG_OK)
		return status;
	while (since < m->rows && round < m->how->most) {
		tell_progress(m, replicate, round, at);
		int64_t count = least(BATCH, least(m->rows - at, m->rows - since));
		if ((status = try_batch(m, at, count, err)) != KNNG_OK)
			return status;
		since += count;
		if (m->hit < count) {
			if ((status = swap(m, at + m->hit, m->slot[m->hit], err)) != KNNG_OK)
				return status;
			found->swaps[replicate]++;
			count = m->hit + 1;
			since = 1;
		}
		at += count;
		if (at == m->rows) {
			at = 0;
			round++;
		}
	}
	found->iterations[replicate] = (double)(round + (at > 0)) * (since < m->rows ? -1 : 1);
	return KNNG_OK;
}

/* ---------------------------------------------------------------- the result */

/* The distances of each row to each medoid of the best, and the cluster of each row. */
static knng_status
tell(void *context, int worker, int64_t job, knng_err *err)
{
	void *const *of = context;
	const medoids *m = of[0];
	knng_kmedoids_found *found = of[1];
	double *to = m->to + worker * m->k;
	knng_part part = knng_part_of(job, ROWS, m->n);
	for (int64_t i = part.first; i < part.end; i++) {
		knng_status status = knng_task_poll(m->task, err);
		if (status != KNNG_OK)
			return status;
		int32_t *own = &found->cluster[i];
		*own = -1;
		if (m->has[i]) {
			m->kernels->sums(m->metric->sum, m->u + i * m->ld, m->u, m->ld, m->best, m->k, to);
			*own = 0;
		}
		for (int32_t b = 0; b < m->k; b++) {
			to[b] = !m->has[i] ? NAN : m->best[b] == i ? 0 : knng_map_sum(m->metric, to[b]);
			if (m->has[i] && (m->best[b] == i || (to[b] < to[*own] && m->best[*own] != i)))
				*own = b;
			if (found->to != NULL)
				found->to[b * m->n + i] = to[b];
		}
		if (m->has[i])
			((double *)of[2])[i] = to[*own];
	}
	return KNNG_OK;
}

static knng_status
finish(medoids *m, knng_kmedoids_found *found, knng_err *err)
{
	double *d = knng_alloc(m->n, sizeof *d);
	void *of[] = {m, found, d};
	if (d == NULL)
		return knng_fail_memory(err, "clusters", found->planned);
	m->task->stage = "distances";
	m->task->done = m->task->left = 0;
	knng_status status = knng_task_run(m->task, m->threads, knng_parts(ROWS, m->n), tell, of, err);
	memset(found->sum, 0, (size_t)m->k * sizeof *found->sum);
	for (int64_t i = 0; i < m->n && status == KNNG_OK; i++)
		if (m->has[i])
			found->sum[found->cluster[i]] += d[i];
	memcpy(found->medoid, m->best, (size_t)m->k * sizeof *m->best);
	knng_free(d);
	return status;
}

/* ---------------------------------------------------------------- memory */

/* Bytes beside all distances, and what is taken where these are not stored. */
static double
needed(const medoids *m, bool stored)
{
	double n = (double)m->n, k = (double)m->k;
	double bytes = n * (8 * (double)m->ld + sizeof(nearest) + 14) + k * 28 +
		       m->threads * (SCRATCH * 8.0 * (double)m->ld + 16 * k + 8) + 16 * 64;
	return bytes + (stored ? 8 * n * n : 8 * n * (k + 1 + GROUP * m->threads));
}

/* Decides whether there is room for all distances, or not even for the rest. */
static knng_status
fit(medoids *m, knng_kmedoids_found *found, knng_err *err)
{
	double all = needed(m, true), few = needed(m, false), fewest = all < few ? all : few,
	       limit = m->how->max_memory;
	if (limit > 0 && fewest > limit)
		return knng_fail(
			err, KNNG_EARGS, "knng:args:maxMemory",
			"'MaxMemory' is %.0f bytes: these clusters need at least %.0f beside X and the results: "
			"give 'MaxMemory' that much, or fewer 'Threads'",
			limit, ceil(fewest));
	double left = 0.9 * knng_memory_available(), room = limit > 0 && (left <= 0 || limit < left) ? limit : left;
	found->stored = room <= 0 || all <= room || all <= few;
	found->planned = found->stored ? all : few;
	return knng_afford(found->planned, "clusters", err);
}

static bool
open_rows(medoids *m)
{
	m->u = knng_alloc(m->n, (size_t)m->ld * sizeof *m->u);
	m->has = knng_calloc(m->n, sizeof *m->has);
	m->member = knng_alloc(m->n, sizeof *m->member);
	m->constant = knng_calloc(m->threads, sizeof *m->constant);
	m->scratch = knng_alloc((int64_t)m->threads * SCRATCH, (size_t)m->ld * sizeof *m->scratch);
	return m->u != NULL && m->has != NULL && m->member != NULL && m->constant != NULL && m->scratch != NULL;
}

static bool
open_medoids(medoids *m, bool stored)
{
	size_t row = (size_t)m->rows * sizeof(double);
	m->of = knng_calloc(m->k + 1, sizeof *m->of);
	m->medoid = knng_calloc(m->k, sizeof *m->medoid);
	m->best = knng_calloc(m->k, sizeof *m->best);
	m->taken = knng_calloc(m->rows, sizeof *m->taken);
	m->state = knng_calloc(m->rows, sizeof *m->state);
	m->loss = knng_calloc(m->k, sizeof *m->loss);
	m->losses = knng_calloc(m->threads * m->k, sizeof *m->losses);
	m->to = knng_calloc(m->threads * m->k, sizeof *m->to);
	if (m->of == NULL || m->medoid == NULL || m->best == NULL || m->taken == NULL || m->state == NULL ||
	    m->loss == NULL || m->losses == NULL || m->to == NULL)
		return false;
	if (stored)
		return (m->all = knng_alloc(m->rows, row)) != NULL;
	m->own = knng_alloc(m->k + 1, row);
	m->buffer = knng_alloc((int64_t)m->threads * GROUP, row);
	if (m->own == NULL || m->buffer == NULL)
		return false;
	for (int64_t b = 0; b <= m->k; b++)
		m->of[b] = m->own + b * m->rows;
	return true;
}

static void
close_all(medoids *m)
{
	void *all[] = {m->u,  m->has,    m->constant, m->member, m->scratch, m->all,  m->buffer, m->own,
		       m->of, m->medoid, m->best,     m->taken,  m->state,   m->loss, m->losses, m->to};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		knng_free(all[i]);
}

static knng_status
read_rows(medoids *m, knng_kmedoids_found *found, knng_err *err)
{
	m->task->stage = "rows";
	knng_status status =
		knng_task_run(m->task, m->threads, knng_parts(knng_prepare_rows(m->X->d), m->n), load, m, err);
	if (status != KNNG_OK)
		return status;
	for (int64_t i = 0; i < m->n; i++)
		if (m->has[i])
			m->member[m->rows++] = (int32_t)i;
	for (int t = 0; t < m->threads; t++)
		found->constant += m->constant[t];
	found->left_out = m->n - m->rows;
	if (m->rows < m->k)
		return knng_fail(err, KNNG_EARGS, "knng:args:k",
				 "k is %lld: there are no more clusters than rows with distances, %lld of %lld here",
				 (long long)m->k, (long long)m->rows, (long long)m->n);
	if (!open_medoids(m, found->stored))
		return knng_fail_memory(err, "clusters", found->planned);
	m->task->stage = "distances";
	return found->stored ? knng_task_run(m->task, m->threads, knng_parts(GROUP, m->rows), store, m, err) : KNNG_OK;
}

knng_status
knng_kmedoids(knng_task *task, const knng_matrix *X, const knng_kmedoids_how *how, knng_kmedoids_found *found,
	      knng_err *err)
{
	double n = (double)X->n, lowest = INFINITY;
	medoids m = {.task = task,
		     .X = X,
		     .how = how,
		     .metric = how->metric,
		     .kernels = knng_kernels_find(how->target),
		     .n = X->n,
		     .ld = knng_columns(X->d),
		     .k = how->k,
		     .threads = knng_task_threads_for(task, n * n * (double)X->d, WORTH),
		     .largest = DBL_MAX / (8 * n)};
	if (m.kernels == NULL)
		return knng_refuse_target(how->target, err);
	if (how->k < 1 || how->k > X->n)
		return knng_fail(err, KNNG_EARGS, "knng:args:k",
				 "k is %lld: it must be a whole number from 1 to the number of rows, %lld",
				 (long long)how->k, (long long)X->n);
	m.some = CACHE / (m.ld * (int64_t)sizeof *m.u);
	m.some = m.some < 4 ? 4 : least(m.some, MEET);
	found->left_out = found->constant = found->replicate = 0;
	knng_status status = fit(&m, found, err);
	if (status != KNNG_OK)
		return status;
	if (!open_rows(&m)) {
		status = knng_fail_memory(err, "clusters", found->planned);
		goto done;
	}
	if ((status = read_rows(&m, found, err)) != KNNG_OK)
		goto done;
	task->stage = "medoids";
	for (int64_t r = 0; r < how->replicates; r++) {
		if ((status = iterate(&m, r, found, err)) != KNNG_OK)
			goto done;
		found->total[r] = m.total;
		if (r == 0 || m.total < lowest) {
			lowest = m.total;
			found->replicate = r;
			for (int64_t b = 0; b < m.k; b++)
				m.best[b] = m.member[m.medoid[b]];
		}
	}
	status = finish(&m, found, err);
done:
	close_all(&m);
	return status;
}
