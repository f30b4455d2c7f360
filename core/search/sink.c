/* sink.c  From the neighbours of a point to the answers of its rows: points become their member rows again, in the
 * order of docs/canonical.md, 4. */
#include "base/put.h"
#include "search/backend.h"

#include <math.h>

/* Row `row` of the answer, of reference j. */
static inline void
put(const knng_search *w, int64_t row, int64_t column, int64_t j, double distance)
{
	const knng_options *opt = &w->plan->opt;
	knng_put(w->out, opt->answer_of != NULL ? opt->answer_of[row] : row, column,
		 opt->reference_of != NULL ? opt->reference_of[j] : j, distance);
}

static inline void
put_none(const knng_search *w, int64_t row, int64_t from)
{
	const int32_t *answer_of = w->plan->opt.answer_of;
	knng_put_none(w->out, answer_of != NULL ? answer_of[row] : row, from, w->plan->k);
}

void
knng_sink_empty(const knng_search *w, int64_t row)
{
	put_none(w, row, 0);
}

/* Rows of points at one distance wait here to be sorted by index: at most 2k + k at a time. */
int64_t
knng_sink_scratch(const knng_plan *plan)
{
	return 3 * plan->k + 16;
}

static void
sift(int32_t *a, int64_t root, int64_t n)
{
	for (int64_t child; (child = 2 * root + 1) < n; root = child) {
		if (child + 1 < n && a[child + 1] > a[child])
			child++;
		if (a[root] >= a[child])
			return;
		int32_t swap = a[root];
		a[root] = a[child];
		a[child] = swap;
	}
}

/* Heapsort, in place: runs of ties are rare and may be long. */
static void
sort_rows(int32_t *a, int64_t n)
{
	for (int64_t root = n / 2 - 1; root >= 0; root--)
		sift(a, root, n);
	for (int64_t end = n - 1; end > 0; end--) {
		int32_t swap = a[0];
		a[0] = a[end];
		a[end] = swap;
		sift(a, 0, end);
	}
}

/* The answer of one row: the members of the points, and of its own group if it has one, by (distance, row). */
static void
put_row(const knng_search *w, int64_t row, int32_t own, const knng_pair *pairs, double self, int32_t *rows)
{
	const knng_points *x = &w->x;
	int64_t k = w->plan->k, filled = 0, next = 0;
	int64_t found = w->k;
	bool own_left = own >= 0 && w->plan->opt.split == 0 && x->first[own + 1] - x->first[own] > 1;
	while (w->plan->opt.split > 0 && found > 0 && pairs[found - 1].index < 0)
		found--;
	while (filled < k && (next < found || own_left)) {
		double distance = next < found ? pairs[next].distance : self;
		if (own_left && self < distance)
			distance = self;
		/* All points at this distance; no more than the first k - filled rows of them are of use. */
		int64_t need = k - filled, n = 0;
		bool sorted = true;
		for (;;) {
			int32_t point;
			if (own_left && self == distance) {
				point = own;
				own_left = false;
			} else if (next < found && pairs[next].distance == distance) {
				point = pairs[next++].index;
			} else {
				break;
			}
			sorted = n == 0;
			int64_t taken = 0;
			for (int64_t m = x->first[point]; m < x->first[point + 1] && taken < need; m++)
				if (x->member[m] != row || own < 0) {
					rows[n++] = x->member[m];
					taken++;
				}
			if (n > 2 * need) {
				sort_rows(rows, n);
				n = need;
			}
		}
		if (!sorted)
			sort_rows(rows, n);
		for (int64_t r = 0; r < n && filled < k; r++)
			put(w, row, filled++, rows[r], distance);
	}
	put_none(w, row, filled);
}

void
knng_sink(const knng_search *w, int32_t p, const knng_pair *pairs, double self, int32_t *scratch)
{
	bool graph = w->query == &w->x;
	const knng_points *query = w->query;
	for (int64_t m = query->first[p]; m < query->first[p + 1]; m++)
		put_row(w, query->member[m], graph ? p : -1, pairs, self, scratch);
}

/* Whether every point is one row. */
static bool
is_plain(const knng_points *x)
{
	return x->first[x->count] == x->count;
}

void
knng_sink_some(const knng_search *w, const int32_t *points, int64_t count, const knng_pair *pairs, const double *self,
	       int32_t *scratch)
{
	const int32_t *row = w->query->member, *other = w->x.member;
	if (!is_plain(w->query) || !is_plain(&w->x)) {
		for (int64_t i = 0; i < count; i++)
			knng_sink(w, points[i], pairs + i * w->k, self[i], scratch);
		return;
	}
	for (int64_t c = 0; c < w->plan->k; c++)
		for (int64_t i = 0; i < count; i++) {
			const knng_pair *it = pairs + i * w->k + c;
			if (c < w->k && it->index >= 0)
				put(w, row[points[i]], c, other[it->index], it->distance);
			else
				put_none(w, row[points[i]], c);
		}
}
