/* mtx.c  MatrixMarket: the entries of A, from 1; of a symmetric A those on and below the diagonal. */
#include "io/formats/edge_lines.h"
#include "io/formats/market.h"
#include "io/write.h"

/* ---- reading ---- */

static knng_status
mtx_parse(knng_graph_builder *b, knng_err *err)
{
	bool pattern = false, both = false;
	int64_t edges, columns;
	knng_status status;
	if ((status = knng_market_banner(b->t, &pattern, &both, err)) != KNNG_OK ||
	    (status = knng_market_sizes(b->t, &b->n, &columns, &edges, err)) != KNNG_OK)
		return status;
	if (b->n != columns)
		return knng_text_fail(b->t, err,
				      "found a matrix of %lld rows and %lld columns, expected as many of both, or the "
				      "names of a matrix of cells beside it, barcodes.tsv and features.tsv",
				      (long long)b->n, (long long)columns);
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
	.looks_like = knng_market_begins,
	.parse = mtx_read,
	.write = writing,
};
