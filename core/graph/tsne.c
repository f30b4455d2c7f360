#include "graph/tsne.h"

#include "base/sys.h"
#include "graph/powers.h"
#include "graph/pushes.h"

#include <math.h>
#include <string.h>

enum {
	DIMS = KNNG_TSNE_DIMS,
	LANES = KNNG_PUSH_LANES,
	COLUMNS = 256,   /* of a job */
	GROUPS = 64,     /* likewise */
	NODES = 4096,    /* likewise */
	WORTH = 1 << 12, /* entries, or nodes, that make a thread worth waking */
	STEPS = 80,      /* after which a precision is known to its last digits */
	LEAF = 8,        /* nodes of a leaf of the tree, at most, unless they are in one place */
	GROUP = 32,      /* nodes that have a list of crowds in common, likewise */
	CROWDS = 1024,   /* of a list that is worked off at once */
	DIGIT = 11,      /* bits of a digit in sorting */
	LOOK = 1 << 22,  /* entries that are copied between two looks for Ctrl-C */
};

/* ---------------------------------------------------------------- weights */

typedef struct {
	const knng_sparse *A;
	double bits; /* the entropy of a column */
	double *weight;
	const knng_task *task;
} weighing;

/* w = 2^(-b x), *sum of it; the entropy of w / sum, in bits. */
static double
entropy_of(const double *x, int64_t count, double b, double *w, double *sum)
{
	double all = 0, mean = 0;
#pragma omp simd
	for (int64_t e = 0; e < count; e++)
		w[e] = knng_exp2(-b * x[e]);
	for (int64_t e = 0; e < count; e++) {
		all += w[e];
		mean += w[e] * x[e];
	}
	*sum = all;
	return knng_log2(all) + b * mean / all;
}

/* x is room for the column. */
static void
weigh_column(const double *d, int64_t count, double bits, double *x, double *w)
{
	double most = 0, least = INFINITY, near = INFINITY, low = 0, high = 1, sum = 0;
	for (int64_t e = 0; e < count; e++)
		most = knng_read_distance(d[e]) > most ? d[e] : most;
	for (int64_t e = 0; e < count; e++) {
		x[e] = most > 0 ? knng_read_distance(d[e]) / most : 0;
		x[e] *= x[e];
		least = x[e] < least ? x[e] : least;
	}
	for (int64_t e = 0; e < count; e++) {
		x[e] -= least;
		near = x[e] > 0 && x[e] < near ? x[e] : near;
	}
	/* Beyond, what is not nearest has no weight left. */
	for (; high < 0x1p1000 && high * near < 1024 && entropy_of(x, count, high, w, &sum) > bits; high *= 2)
		low = high;
	double miss = 1;
	for (int s = 0; s < STEPS && fabs(miss) > 1e-10; s++) {
		double middle = low + (high - low) / 2;
		miss = entropy_of(x, count, middle, w, &sum) - bits;
		if (miss > 0)
			low = middle;
		else
			high = middle;
	}
	for (int64_t e = 0; e < count; e++)
		w[e] /= sum;
}

static knng_status
weigh_job(void *context, int worker, int64_t job, knng_err *err)
{
	const weighing *w = context;
	knng_part columns = knng_part_of(job, COLUMNS, w->A->columns);
	size_t most = 0;
	(void)worker;
	for (int64_t j = columns.first; j < columns.end; j++) {
		size_t count = w->A->start[j + 1] - w->A->start[j];
		most = count > most ? count : most;
	}
	double *x = knng_alloc((int64_t)most + 1, sizeof *x);
	knng_status status = KNNG_OK;
	if (x == NULL)
		return knng_fail_memory(err, "weights", 8.0 * (double)most);
	for (int64_t j = columns.first; j < columns.end; j++) {
		if ((status = knng_task_poll(w->task, err)) != KNNG_OK)
			break;
		size_t first = w->A->start[j], end = w->A->start[j + 1];
		weigh_column(w->A->value + first, (int64_t)(end - first), w->bits, x, w->weight + first);
	}
	knng_free(x);
	return status;
}

knng_status
knng_tsne_weigh(knng_task *task, const knng_sparse *A, double perplexity, double *weight, knng_err *err)
{
	weighing w = {A, knng_log2(perplexity), weight, task};
	task->stage = "weights";
	return knng_task_run(task, knng_task_threads_for(task, (double)A->start[A->columns], WORTH),
			     knng_parts(COLUMNS, A->columns), weigh_job, &w, err);
}

/* ---------------------------------------------------------------- layout */

/* A crowd of nodes, those at some places of the sorted order. Its parts, if it has any, follow it. */
typedef struct {
	double middle[DIMS], low[DIMS], high[DIMS];
	double wide2; /* the square of its largest extent */
	int32_t next; /* the first one that is no part of it */
	int32_t first, end;
	bool leaf;
} crowd;

typedef struct {
	int64_t n;
	int dims;
	const knng_tsne_how *how;
	const knng_pushes *loops;
	const size_t *start; /* [n + 1] of the neighbours of each node */
	int32_t *row;
	double *weight;
	double *y, *moved; /* [n x dims]: places, and those of the next round */
	double *step, *gain;
	/* Nodes in the order of a curve that fills the space. */
	uint64_t *code, *other_code;
	int32_t *order, *other_order; /* [n]: the node at each place */
	int32_t *place;               /* [n]: the place of each node */
	double *sorted;               /* [n x dims] */
	crowd *crowds;
	int32_t count;          /* of crowds */
	int32_t *group, groups; /* crowds whose nodes have a list in common */
	double *force, *sum;    /* [n x dims], [n] by place */
	double *lists;          /* [threads x CROWDS x (dims + 1)] */
	double *part;           /* [parts of COLUMNS]: of the loss, or of the square of the gradient */
	knng_task *task;
	double low[DIMS], scale; /* from coordinates to the cells of the curve */
	double all;              /* the sum of 1 / (1 + d^2) over all pairs */
	double exaggeration, momentum;
} layout;

/* Bits of a coordinate in a code. */
static int
bits_of(int dims)
{
	return dims == 3 ? 21 : 26;
}

/* The bits of x, `dims` apart. */
static uint64_t
spread(uint64_t x, int dims)
{
	if (dims == 2) {
		x = (x | x << 16) & 0x0000ffff0000ffffu;
		x = (x | x << 8) & 0x00ff00ff00ff00ffu;
		x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
		x = (x | x << 2) & 0x3333333333333333u;
		x = (x | x << 1) & 0x5555555555555555u;
	} else if (dims == 3) {
		x = (x | x << 32) & 0x001f00000000ffffu;
		x = (x | x << 16) & 0x001f0000ff0000ffu;
		x = (x | x << 8) & 0x100f00f00f00f00fu;
		x = (x | x << 4) & 0x10c30c30c30c30c3u;
		x = (x | x << 2) & 0x1249249249249249u;
	}
	return x;
}

static knng_status
code_job(void *context, int worker, int64_t job, knng_err *err)
{
	layout *l = context;
	knng_part nodes = knng_part_of(job, NODES, l->n);
	int bits = bits_of(l->dims);
	double most = (double)((1 << bits) - 1);
	(void)worker, (void)err;
	for (int64_t i = nodes.first; i < nodes.end; i++) {
		uint64_t code = 0;
		for (int c = 0; c < l->dims; c++) {
			double x = (l->y[i * l->dims + c] - l->low[c]) * l->scale;
			code |= spread((uint64_t)(x < most ? x : most), l->dims) << c;
		}
		l->code[i] = code;
		l->order[i] = (int32_t)i;
	}
	return KNNG_OK;
}

static knng_status
sort_codes(layout *l, knng_err *err)
{
	int64_t n = l->n;
	for (int shift = 0; shift < l->dims * bits_of(l->dims); shift += DIGIT) {
		int64_t at[1 << DIGIT] = {0}, sum = 0;
		knng_status status = knng_task_poll(l->task, err);
		if (status != KNNG_OK)
			return status;
		for (int64_t i = 0; i < n; i++)
			at[l->code[i] >> shift & ((1 << DIGIT) - 1)]++;
		for (int d = 0; d < 1 << DIGIT; d++) {
			int64_t here = at[d];
			at[d] = sum;
			sum += here;
		}
		for (int64_t i = 0; i < n; i++) {
			int64_t to = at[l->code[i] >> shift & ((1 << DIGIT) - 1)]++;
			l->other_code[to] = l->code[i];
			l->other_order[to] = l->order[i];
		}
		uint64_t *code = l->code;
		int32_t *order = l->order;
		l->code = l->other_code;
		l->other_code = code;
		l->order = l->other_order;
		l->other_order = order;
	}
	return knng_task_poll(l->task, err);
}

/* The crowd of the places first … end, whose codes differ in their last `level` digits of dims bits alone. */
static int32_t
gather(layout *l, int32_t first, int32_t end, int level, bool grouped)
{
	int32_t id = l->count++;
	int dims = l->dims;
	crowd *k = &l->crowds[id];
	k->first = first;
	k->end = end;
	k->leaf = end - first <= LEAF || l->code[first] == l->code[end - 1];
	if (!grouped && (k->leaf || end - first <= GROUP)) {
		l->group[l->groups++] = id;
		grouped = true;
	}
	for (int c = 0; c < dims; c++) {
		k->middle[c] = 0;
		k->low[c] = INFINITY;
		k->high[c] = -INFINITY;
	}
	if (k->leaf)
		for (int32_t i = first; i < end; i++)
			for (int c = 0; c < dims; c++) {
				double x = l->sorted[(int64_t)i * dims + c];
				k->middle[c] += x / (end - first);
				k->low[c] = x < k->low[c] ? x : k->low[c];
				k->high[c] = x > k->high[c] ? x : k->high[c];
			}
	else {
		while (l->code[first] >> (level - 1) * dims == l->code[end - 1] >> (level - 1) * dims)
			level--;
		for (int32_t from = first, to; from < end; from = to) {
			uint64_t digit = l->code[from] >> (level - 1) * dims;
			int32_t past = end; /* the first place beyond the part lies behind `to`, up to `past` */
			for (to = from; past - to > 1;) {
				int32_t middle = to + (past - to) / 2;
				if (l->code[middle] >> (level - 1) * dims == digit)
					to = middle;
				else
					past = middle;
			}
			to = past;
			const crowd *part = &l->crowds[gather(l, from, to, level - 1, grouped)];
			double share = (double)(to - from) / (end - first);
			for (int c = 0; c < dims; c++) {
				k->middle[c] += share * part->middle[c];
				k->low[c] = part->low[c] < k->low[c] ? part->low[c] : k->low[c];
				k->high[c] = part->high[c] > k->high[c] ? part->high[c] : k->high[c];
			}
		}
	}
	double wide = 0;
	for (int c = 0; c < dims; c++)
		wide = k->high[c] - k->low[c] > wide ? k->high[c] - k->low[c] : wide;
	k->wide2 = wide * wide;
	k->next = l->count;
	return id;
}

/* The tree of crowds of where the nodes are now. */
static knng_status
make_tree(knng_task *task, layout *l, int threads, knng_err *err)
{
	int64_t n = l->n;
	int dims = l->dims;
	double wide = 0;
	for (int c = 0; c < dims; c++) {
		double low = l->y[c], high = l->y[c];
		for (int64_t i = 1; i < n; i++) {
			double x = l->y[i * dims + c];
			low = x < low ? x : low;
			high = x > high ? x : high;
		}
		l->low[c] = low;
		wide = high - low > wide ? high - low : wide;
	}
	l->scale = wide > 1e-290 ? (double)(1 << bits_of(dims)) / wide : 0;
	knng_status status = knng_task_run(task, threads, knng_parts(NODES, n), code_job, l, err);
	if (status == KNNG_OK)
		status = sort_codes(l, err);
	if (status != KNNG_OK)
		return status;
	for (int64_t p = 0; p < n; p++) {
		l->place[l->order[p]] = (int32_t)p;
		for (int c = 0; c < dims; c++)
			l->sorted[p * dims + c] = l->y[(int64_t)l->order[p] * dims + c];
	}
	if ((status = knng_task_poll(l->task, err)) != KNNG_OK)
		return status;
	l->count = l->groups = 0;
	gather(l, 0, (int32_t)n, bits_of(dims), false);
	return KNNG_OK;
}

/* The crowds of a list push the nodes of a group. */
static void
work_off(layout *l, const crowd *group, const double *list, int64_t count)
{
	int dims = l->dims;
	for (int32_t p = group->first; p < group->end; p += LANES) {
		double x[DIMS * LANES], force[DIMS * LANES], sum[LANES];
		for (int e = 0; e < LANES; e++) {
			int64_t at = p + e < group->end ? p + e : group->end - 1;
			for (int c = 0; c < dims; c++) {
				x[c * LANES + e] = l->sorted[at * dims + c];
				force[c * LANES + e] = l->force[at * dims + c];
			}
			sum[e] = l->sum[at];
		}
		l->loops->push(x, list, count, force, sum);
		for (int e = 0; e < LANES && p + e < group->end; e++) {
			for (int c = 0; c < dims; c++)
				l->force[(int64_t)(p + e) * dims + c] = force[c * LANES + e];
			l->sum[p + e] = sum[e];
		}
	}
}

static knng_status
push_group(layout *l, const crowd *group, double *list, knng_err *err)
{
	int dims = l->dims;
	double theta2 = l->how->theta * l->how->theta;
	int64_t count = 0;
	memset(l->force + (int64_t)group->first * dims, 0,
	       (size_t)(group->end - group->first) * (size_t)dims * sizeof *list);
	memset(l->sum + group->first, 0, (size_t)(group->end - group->first) * sizeof *list);
	for (int32_t id = 0; id < l->count;) {
		const crowd *k = &l->crowds[id];
		double d2 = 0;
		for (int c = 0; c < dims; c++) {
			double below = group->low[c] - k->middle[c], above = k->middle[c] - group->high[c];
			double off = below > above ? below : above;
			d2 += off > 0 ? off * off : 0;
		}
		if (k->wide2 < theta2 * d2 && (k->end <= group->first || k->first >= group->end)) {
			double *to = list + count++ * (dims + 1);
			for (int c = 0; c < dims; c++)
				to[c] = k->middle[c];
			to[dims] = k->end - k->first;
			id = k->next;
		} else if (k->leaf) {
			for (int32_t p = k->first; p < k->end; p++) {
				double *to = list + count++ * (dims + 1);
				for (int c = 0; c < dims; c++)
					to[c] = l->sorted[(int64_t)p * dims + c];
				to[dims] = 1;
				if (count == CROWDS) { /* a leaf may have many nodes, and so may the group */
					knng_status status = knng_task_poll(l->task, err);
					if (status != KNNG_OK)
						return status;
					work_off(l, group, list, count);
					count = 0;
				}
			}
			id = k->next;
		} else
			id++;
		if (count == CROWDS) {
			work_off(l, group, list, count);
			count = 0;
		}
	}
	work_off(l, group, list, count);
	return KNNG_OK;
}

static knng_status
push_job(void *context, int worker, int64_t job, knng_err *err)
{
	layout *l = context;
	knng_part groups = knng_part_of(job, GROUPS, l->groups);
	knng_status status = KNNG_OK;
	for (int64_t g = groups.first; g < groups.end && status == KNNG_OK; g++)
		status = push_group(l, &l->crowds[l->group[g]], l->lists + (int64_t)worker * CROWDS * (l->dims + 1),
				    err);
	return status;
}

/* How all nodes push each. */
static knng_status
push_all(knng_task *task, layout *l, int threads, knng_err *err)
{
	knng_status status = make_tree(task, l, threads, err);
	if (status == KNNG_OK)
		status = knng_task_run(task, threads, knng_parts(GROUPS, l->groups), push_job, l, err);
	double all = 0, least = (double)l->n * 0x1p-40;
	for (int64_t p = 0; p < l->n; p++)
		all += l->sum[p] - 1;       /* each is in its own list, at the distance 0 */
	l->all = all > least ? all : least; /* less would be roundings of these, where all are a million apart */
	return status;
}

static double
bounded(double x)
{
	return x < -1e100 ? -1e100 : x > 1e100 ? 1e100 : x;
}

static knng_status
move_job(void *context, int worker, int64_t job, knng_err *err)
{
	layout *l = context;
	knng_part nodes = knng_part_of(job, COLUMNS, l->n);
	int dims = l->dims;
	double sum = 0;
	(void)worker, (void)err;
	for (int64_t i = nodes.first; i < nodes.end; i++) {
		double pull[DIMS];
		const double *push = l->force + (int64_t)l->place[i] * dims;
		size_t first = l->start[i];
		l->loops->pull(l->y + i * dims, l->y, l->row + first, l->weight + first,
			       (int64_t)(l->start[i + 1] - first), pull);
		for (int c = 0; c < dims; c++) {
			int64_t at = i * dims + c;
			double down = 4 * (l->exaggeration * pull[c] - push[c] / l->all), gain = l->gain[at];
			sum += down * down;
			gain = l->step[at] * down < 0 ? gain + 0.2 : gain * 0.8;
			gain = gain < 0.01 ? 0.01 : gain;
			l->gain[at] = gain;
			l->step[at] = bounded(l->momentum * l->step[at] - l->how->rate * gain * down);
			l->moved[at] = bounded(l->y[at] + l->step[at]);
		}
	}
	l->part[job] = sum;
	return KNNG_OK;
}

static knng_status
loss_job(void *context, int worker, int64_t job, knng_err *err)
{
	layout *l = context;
	knng_part nodes = knng_part_of(job, COLUMNS, l->n);
	double sum = 0;
	(void)worker, (void)err;
	for (int64_t i = nodes.first; i < nodes.end; i++)
		for (size_t e = l->start[i]; e < l->start[i + 1]; e++) {
			double d = 1, p = l->weight[e];
			for (int c = 0; c < l->dims; c++) {
				double off = l->y[i * l->dims + c] - l->y[(int64_t)l->row[e] * l->dims + c];
				d += off * off;
			}
			if (p > 1e-300)
				sum += p * (knng_log2(p) + knng_log2(l->all) + knng_log2(d));
		}
	l->part[job] = sum * 0.69314718055994531;
	return KNNG_OK;
}

static void
stand_still(layout *l)
{
	for (int64_t e = 0; e < l->n * l->dims; e++) {
		l->step[e] = 0;
		l->gain[e] = 1;
	}
}

static double
sum_of_parts(const layout *l)
{
	double sum = 0;
	for (int64_t j = 0; j < knng_parts(COLUMNS, l->n); j++)
		sum += l->part[j];
	return sum;
}

static knng_status
descend(knng_task *task, layout *l, int threads, double *loss, double *slope, knng_err *err)
{
	knng_status status = KNNG_OK;
	const knng_tsne_how *how = l->how;
	int64_t end = how->end > 0 ? how->end : how->rounds;
	task->stage = "layout";
	*loss = *slope = 0;
	for (int64_t round = how->first; round < end && status == KNNG_OK; round++) {
		bool early = round < how->early;
		if (round == 0 || round == how->early)
			stand_still(l);
		l->exaggeration = early ? how->exaggeration : 1;
		l->momentum = early ? 0.5 : 0.8;
		task->done = (double)round / (double)how->rounds;
		task->left = 1 - (double)(round + 1) / (double)how->rounds;
		status = push_all(task, l, threads, err);
		if (status == KNNG_OK)
			status = knng_task_run(task, threads, knng_parts(COLUMNS, l->n), move_job, l, err);
		double *y = l->y;
		l->y = l->moved;
		l->moved = y;
		if (status == KNNG_OK && round == end - 1)
			*slope = sqrt(sum_of_parts(l));
	}
	task->done = task->left = 0;
	if (status == KNNG_OK)
		status = push_all(task, l, threads, err);
	if (status == KNNG_OK)
		status = knng_task_run(task, threads, knng_parts(COLUMNS, l->n), loss_job, l, err);
	if (status == KNNG_OK)
		*loss = sum_of_parts(l);
	return status;
}

knng_status
knng_tsne_layout(knng_task *task, const knng_sparse *P, const knng_tsne_how *how, int dims, double *y, double *loss,
		 double *slope, knng_err *err)
{
	int64_t n = P->columns, entries = (int64_t)P->start[n];
	layout l = {.n = n,
		    .dims = dims,
		    .how = how,
		    .loops = knng_pushes_find(NULL) + dims - 1,
		    .start = P->start,
		    .task = task};
	knng_status status;
	int threads = knng_task_threads_for(task, (double)n * 40, WORTH);
	double bytes = 12.0 * (double)entries + (48.0 * dims + 44 + 2 * sizeof(crowd)) * (double)n +
		       8.0 * threads * CROWDS * (dims + 1);
	double length = 0;
	size_t state = (size_t)(n * dims) * sizeof *y;
	*loss = 0;
	if (n == 0)
		return KNNG_OK;
	if ((status = knng_afford(bytes, "the layout", err)) != KNNG_OK)
		return status;
	l.row = knng_alloc(entries, sizeof *l.row);
	l.weight = knng_alloc(entries, sizeof *l.weight);
	l.y = knng_alloc(n * dims, sizeof *l.y);
	l.moved = knng_alloc(n * dims, sizeof *l.moved);
	l.step = knng_alloc(n * dims, sizeof *l.step);
	l.gain = knng_alloc(n * dims, sizeof *l.gain);
	l.code = knng_alloc(n, sizeof *l.code);
	l.other_code = knng_alloc(n, sizeof *l.other_code);
	l.order = knng_alloc(n, sizeof *l.order);
	l.other_order = knng_alloc(n, sizeof *l.other_order);
	l.place = knng_alloc(n, sizeof *l.place);
	l.sorted = knng_alloc(n * dims, sizeof *l.sorted);
	l.crowds = knng_alloc(2 * n, sizeof *l.crowds);
	l.group = knng_alloc(n, sizeof *l.group);
	l.force = knng_alloc(n * dims, sizeof *l.force);
	l.sum = knng_alloc(n, sizeof *l.sum);
	l.lists = knng_alloc((int64_t)threads * CROWDS * (dims + 1), sizeof *l.lists);
	l.part = knng_alloc(knng_parts(COLUMNS, n), sizeof *l.part);
	if (l.row == NULL || l.weight == NULL || l.y == NULL || l.moved == NULL || l.step == NULL || l.gain == NULL ||
	    l.code == NULL || l.other_code == NULL || l.order == NULL || l.other_order == NULL || l.place == NULL ||
	    l.sorted == NULL || l.crowds == NULL || l.group == NULL || l.force == NULL || l.sum == NULL ||
	    l.lists == NULL || l.part == NULL) {
		status = knng_fail_memory(err, "the layout", bytes);
		goto done;
	}
	for (int64_t e = 0; e < entries; e++) {
		if (e % LOOK == 0 && (status = knng_task_poll(task, err)) != KNNG_OK)
			goto done;
		l.row[e] = (int32_t)P->row[e];
		l.weight[e] = P->value[e];
	}
	memcpy(l.y, y, (size_t)(n * dims) * sizeof *y);
	stand_still(&l);
	if (how->state != NULL && how->first > 0) {
		memcpy(l.step, how->state, state);
		memcpy(l.gain, how->state + n * dims, state);
	}
	if ((status = descend(task, &l, threads, loss, &length, err)) != KNNG_OK)
		goto done;
	memcpy(y, l.y, state);
	if (how->state != NULL) {
		memcpy(how->state, l.step, state);
		memcpy(how->state + n * dims, l.gain, state);
	}
	if (slope != NULL)
		*slope = length;
done:
	knng_free(l.part);
	knng_free(l.lists);
	knng_free(l.sum);
	knng_free(l.force);
	knng_free(l.group);
	knng_free(l.crowds);
	knng_free(l.sorted);
	knng_free(l.place);
	knng_free(l.other_order);
	knng_free(l.order);
	knng_free(l.other_code);
	knng_free(l.code);
	knng_free(l.gain);
	knng_free(l.step);
	knng_free(l.moved);
	knng_free(l.y);
	knng_free(l.weight);
	knng_free(l.row);
	return status;
}
