/* write_graph.c  Graphs to files: whether they are valid and symmetric, their edges by node, nearest first, and one
 * node after the other to the writing of a format. */
#include "base/names.h"
#include "base/task.h"
#include "io/write.h"

#include <stdlib.h>

/* Columns in order; false if not. O(edges). */
static bool
is_valid(const knng_graph *g)
{
	if (g->n > 0 && g->start[0] != 0)
		return false;
	for (int64_t j = 0; j < g->n; j++)
		for (size_t e = g->start[j]; e < g->start[j + 1]; e++)
			if (g->row[e] >= (size_t)g->n || (e > g->start[j] && g->row[e] <= g->row[e - 1]))
				return false;
	return true;
}

/* Is A symmetric, to the bit? `next`: n places. The columns are passed in order, and with them the entries of every
 * row, which have to be those of the column of that number. */
static bool
is_symmetric(const knng_graph *g, size_t *next)
{
	for (int64_t j = 0; j < g->n; j++)
		next[j] = g->start[j];
	for (int64_t j = 0; j < g->n; j++)
		for (size_t e = g->start[j]; e < g->start[j + 1]; e++) {
			size_t i = g->row[e], twin = next[i]++;
			if (twin >= g->start[i + 1] || g->row[twin] != (size_t)j ||
			    memcmp(&g->weight[twin], &g->weight[e], sizeof *g->weight) != 0)
				return false;
		}
	return true;
}

/* Nearest first, then in order of nodes; what is no distance stands last. */
static int
compare(const void *left, const void *right)
{
	const edge *a = left, *b = right;
	if (isnan(a->weight) || isnan(b->weight))
		return isnan(a->weight) != isnan(b->weight) ? (isnan(a->weight) ? 1 : -1) : a->to < b->to ? -1 : 1;
	return a->weight < b->weight ? -1 : a->weight > b->weight ? 1 : a->to < b->to ? -1 : 1;
}

static void
sort_edges(edge *e, int64_t count)
{
	if (count > 40) {
		qsort(e, (size_t)count, sizeof *e, compare);
		return;
	}
	for (int64_t i = 1; i < count; i++) {
		edge moving = e[i];
		int64_t at = i;
		for (; at > 0 && compare(&moving, &e[at - 1]) < 0; at--)
			e[at] = e[at - 1];
		e[at] = moving;
	}
}

/* The edges that are written, by node: those of node i are e[first[i]] … e[first[i + 1] - 1]. Of an undirected graph
 * each edge once. O(edges). */
static void
gather(const knng_graph *g, bool all, size_t *first, edge *e)
{
	for (int64_t i = 0; i <= g->n; i++)
		first[i] = 0;
	for (int pass = 0; pass < 2; pass++) { /* count, then place */
		for (int64_t j = 0; j < g->n; j++)
			for (size_t c = g->start[j]; c < g->start[j + 1]; c++)
				if (all || g->row[c] <= (size_t)j) {
					size_t at = first[g->row[c]]++;
					if (pass == 1)
						e[at] = (edge){g->weight[c], j};
				}
		size_t before = 0;
		for (int64_t i = 0; i <= g->n;
		     i++) { /* counts to beginnings; ends, which are the next one's beginnings, back */
			size_t here = first[i];
			first[i] = before;
			before = pass == 0 ? before + here : here;
		}
	}
}

static knng_status
check_names(const knng_graph *g, const knng_writing *f, knng_err *err)
{
	knng_names table = {0};
	knng_status status = KNNG_OK;
	bool apart = f->alone != NULL && g->names != NULL;
	for (int64_t i = 0; i < g->n && apart && status == KNNG_OK; i++) {
		int64_t same = knng_names_add(&table, g->names[i], (int64_t)strlen(g->names[i]));
		if (same < 0)
			status = knng_fail_memory(err, "the names of nodes", 48.0 * (double)g->n);
		else if (same < i)
			status = knng_fail(err, KNNG_EARGS, "knng:args:names",
					   "nodes %lld and %lld are both named '%.60s', but in %s the names tell nodes "
					   "apart: make them different, or use another format",
					   (long long)same + 1, (long long)i + 1, g->names[i], f->name);
	}
	knng_names_free(&table);
	return status;
}

knng_status
knng_write_can_names(const char *format, char *const *names, int64_t n, const knng_task *task, knng_err *err)
{
	const knng_graph g = {.n = n, .names = (char **)names};
	writer w = {.g = &g, .task = *task};
	knng_status status = knng_find_writing(KNNG_GRAPH, format, format, &w.f, err);
	if (status != KNNG_OK || names == NULL || !(w.f->holds & NAMES))
		return status;
	if ((status = check_names(&g, w.f, err)) != KNNG_OK)
		return status;
	if ((w.buffer = w.at = knng_alloc(KNNG_PUT_BUFFER, 1)) == NULL)
		return knng_fail_memory(err, "writing a file", KNNG_PUT_BUFFER);
	for (int64_t i = 0; i < n && !knng_put_stopped(&w); i++) {
		w.at = w.buffer; /* nothing is written */
		knng_put_text(&w, "node", i, names[i]);
	}
	status = knng_task_poll(task, err);
	if (status == KNNG_OK && w.misspelt != NULL)
		status = knng_fail_spelling(&w, err);
	knng_free(w.buffer);
	return status;
}

const knng_attribute *
knng_next_attribute(writer *w, int64_t i, int64_t *a)
{
	while (*a < w->g->nattributes) {
		const knng_attribute *next = &w->g->attributes[(*a)++];
		if (next->number != NULL ? !isnan(next->number[i]) : next->text[i][0] != '\0') {
			room(w, KNNG_PUT_ROOM);
			return next;
		}
	}
	return NULL;
}

static void
write_graph(writer *w)
{
	const knng_writing *f = w->f;
	for (int part = 0; part < 2; part++) {
		room(w, KNNG_PUT_ROOM);
		if (part == 0)
			f->head(w);
		else if (f->between != NULL)
			f->between(w);
		for (int64_t i = 0; i < w->g->n; i++) {
			if (knng_put_stopped(w))
				return;
			room(w, KNNG_PUT_ROOM);
			if (part == 0) {
				if (f->node != NULL)
					f->node(w, i);
				continue;
			}
			size_t from = w->first[i], end = w->first[i + 1];
			if (from == end && f->alone != NULL)
				f->alone(w, i);
			sort_edges(w->e + from, (int64_t)(end - from));
			for (size_t c = from; c < end; c++) {
				room(w, KNNG_PUT_ROOM);
				f->edge(w, i, w->e[c]);
			}
		}
	}
	room(w, KNNG_PUT_ROOM);
	if (f->tail != NULL)
		f->tail(w);
}

knng_status
knng_write(const char *path, const knng_graph *g, const knng_write_options *opt, char left_out[64], knng_err *err)
{
	writer w = {.g = g, .task = opt->task};
	knng_status status;

	if ((status = knng_find_writing(KNNG_GRAPH, path, opt->format, &w.f, err)) != KNNG_OK)
		return status;
	if (!is_valid(g))
		return knng_fail(err, KNNG_EARGS, "knng:args:idx",
				 "the graph is no valid sparse matrix: a row of idx names a neighbour twice, or A was "
				 "damaged");
	if ((status = check_names(g, w.f, err)) != KNNG_OK)
		return status;
	size_t edges = g->n > 0 ? g->start[g->n] : 0;
	double bytes = 16.0 * (double)edges + 24.0 * (double)g->n;
	if ((w.first = knng_alloc(g->n + 1, sizeof *w.first)) == NULL)
		return knng_fail_memory(err, "writing a graph", bytes);
	bool symmetric = opt->directed != KNNG_DIRECTED && is_symmetric(g, w.first);
	w.directed = !(symmetric && (w.f->holds & UNDIRECTED));
	if (opt->directed == KNNG_UNDIRECTED && !symmetric)
		status = knng_fail(err, KNNG_EARGS, "knng:args:directed",
				   "A is not symmetric, so its graph is directed: write max (A, A') for an edge where "
				   "either is, or leave 'Directed' true");
	else if ((w.e = knng_alloc((int64_t)edges + 1, sizeof *w.e)) == NULL ||
		 (w.f->prepare != NULL && !w.f->prepare(&w)))
		status = knng_fail_memory(err, "writing a graph", bytes);
	if (status == KNNG_OK) {
		gather(g, w.directed, w.first, w.e);
		w.edges = (int64_t)w.first[g->n];
		status = knng_write_file(&w, path, write_graph, err);
	}
	knng_list_left_out(w.f,
			   (g->names != NULL ? NAMES : 0) | (g->group != NULL ? GROUPS : 0) |
				   (g->positions != NULL ? POSITIONS : 0) | (g->nattributes > 0 ? ATTRIBUTES : 0),
			   left_out);
	knng_free(w.buffer);
	knng_free(w.layout);
	knng_free(w.first);
	knng_free(w.e);
	return status;
}
