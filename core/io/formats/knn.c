/* knn.c  .knn, the edge list of the first paper: 'n m', then m lines 'source target weight', nodes from 0; always
 * directed. */
#include "io/formats/edge_lines.h"
#include "io/write.h"

/* ---- reading ---- */

static bool
knn_looks_like(const char *text)
{
	char *p = skip_blanks((char *)text);
	int64_t n, m, node;
	if ((p = knng_text_count(p, &n)) == NULL || (p = knng_text_count(skip_blanks(p), &m)) == NULL ||
	    !is_end(*(p = skip_blanks(p))))
		return false;
	while (is_blank(*p) || *p == '\n')
		p++;
	if (*p == '\0')
		return m == 0;
	for (int c = 0; c < 2; c++) {
		if ((p = knng_text_count(p, &node)) == NULL)
			return false;
		p = skip_blanks(p);
	}
	return !is_end(*p) && is_end(*skip_blanks(skip_word(p)));
}

static knng_status
knn_parse(knng_graph_builder *b, knng_err *err)
{
	knng_text *t = b->t;
	int64_t edges;
	knng_text_next_word(t);
	char *p = knng_text_count(t->at, &b->n);
	if (p == NULL || (p = knng_text_count(skip_blanks(p), &edges)) == NULL || !is_end(*skip_blanks(p)))
		return knng_text_fail_found(t, t->at, "two whole numbers, of nodes and of edges", err);
	t->at = skip_blanks(p);
	b->directed = true;
	return knng_edge_lines(b, edges, 6, 0, KNNG_A_WEIGHT, false, err);
}

static knng_status
knn_read(knng_text *t, knng_content *content, knng_err *err)
{
	static const knng_graph_format f = {.parse = knn_parse};
	return knng_graph_parse(t, content, &f, err);
}

/* ---- writing ---- */

static void
knn_head(writer *w)
{
	put_int(w, w->g->n);
	put(w, " ");
	put_int(w, w->edges);
	put(w, "\n");
}

static void
knn_edge(writer *w, int64_t from, edge e)
{
	put_int(w, from);
	put(w, " ");
	put_int(w, e.to);
	put(w, " ");
	put_number(w, weight_of(e));
	put(w, "\n");
}

static const knng_writing writing[] = {
	{.name = "knn", .nan = "NaN", .head = knn_head, .edge = knn_edge},
	{.name = NULL},
};

const knng_format knng_format_knn = {
	.name = "knn",
	.title = ".knn (n m, then m edges)",
	.kind = KNNG_GRAPH,
	.looks_like = knn_looks_like,
	.parse = knn_read,
	.write = writing,
};
