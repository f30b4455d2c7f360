/* mtx.c  MatrixMarket: the entries of A, from 1; of a symmetric A those on and below the diagonal. */
#include "io/formats/edge_lines.h"
#include "io/write.h"

/* ---- reading ---- */

static bool
mtx_looks_like(const char *text)
{
	return knng_text_begins(skip_blanks((char *)text), "%%matrixmarket");
}

/* The first line: *pattern, the entries have no values; *both, those above the diagonal are left out. */
static knng_status
mtx_banner(knng_text *t, bool *pattern, bool *both, knng_err *err)
{
	static const char *const words[4][4] = {
		{"matrix"}, {"coordinate"}, {"real", "integer", "pattern", "double"}, {"general", "symmetric"}};
	static const char *const expected[4] = {"matrix", "coordinate (a dense array is no graph)",
						"real, integer or pattern", "general or symmetric"};
	int word[4];
	knng_text_next_word(t);
	char *p = skip_word(t->at);
	for (int c = 0; c < 4; c++) {
		p = skip_blanks(p);
		for (word[c] = 0; word[c] < 4; word[c]++)
			if (words[c][word[c]] != NULL && knng_text_is(p, skip_word(p), words[c][word[c]]))
				break;
		if (word[c] == 4)
			return knng_text_fail_found(t, p, expected[c], err);
		p = skip_word(p);
	}
	*pattern = word[2] == 2;
	*both = word[3] == 1;
	t->at = p;
	return KNNG_OK;
}

/* The line of sizes, behind the rest of this one and comments. */
static knng_status
mtx_sizes(knng_text *t, int64_t *n, int64_t *edges, knng_err *err)
{
	char *p;
	int64_t rows;
	do {
		while (!is_end(*t->at))
			t->at++;
		knng_text_next_word(t);
	} while (*t->at == '%');
	if ((p = knng_text_count(t->at, &rows)) == NULL || (p = knng_text_count(skip_blanks(p), n)) == NULL ||
	    (p = knng_text_count(skip_blanks(p), edges)) == NULL || !is_end(*skip_blanks(p)))
		return knng_text_fail_found(t, t->at, "three whole numbers, of rows, columns and entries", err);
	if (rows != *n)
		return knng_text_fail(t, err, "found a matrix of %lld rows and %lld columns, expected as many of both",
				      (long long)rows, (long long)*n);
	t->at = skip_blanks(p);
	return KNNG_OK;
}

static knng_status
mtx_parse(knng_graph_builder *b, knng_err *err)
{
	bool pattern = false, both = false;
	int64_t edges;
	knng_status status;
	if ((status = mtx_banner(b->t, &pattern, &both, err)) != KNNG_OK ||
	    (status = mtx_sizes(b->t, &b->n, &edges, err)) != KNNG_OK)
		return status;
	b->directed = !both;
	return knng_edge_lines(b, edges, pattern ? 4 : 6, 1, pattern ? KNNG_NO_WEIGHT : KNNG_A_WEIGHT, both, err);
}

static knng_status
mtx_read(knng_text *t, knng_content *content, knng_err *err)
{
	static const knng_graph_format f = {.parse = mtx_parse};
	return knng_graph_parse(t, content, &f, err);
}

/* ---- writing ---- */

static void
mtx_head(writer *w)
{
	put(w, "%%MatrixMarket matrix coordinate real ");
	put(w, w->directed ? "general\n" : "symmetric\n");
	put_int(w, w->g->n);
	put(w, " ");
	put_int(w, w->g->n);
	put(w, " ");
	put_int(w, w->edges);
	put(w, "\n");
}

static void
mtx_edge(writer *w, int64_t from, edge e)
{
	put_int(w, (w->directed ? from : e.to) + 1);
	put(w, " ");
	put_int(w, (w->directed ? e.to : from) + 1);
	put(w, " ");
	put_number(w, weight_of(e));
	put(w, "\n");
}

static const knng_writing writing[] = {
	{.name = "mtx", .nan = "NaN", .holds = UNDIRECTED, .head = mtx_head, .edge = mtx_edge},
	{.name = NULL},
};

const knng_format knng_format_mtx = {
	.name = "mtx",
	.title = "MatrixMarket (%%MatrixMarket)",
	.kind = KNNG_GRAPH,
	.looks_like = mtx_looks_like,
	.parse = mtx_read,
	.write = writing,
};
