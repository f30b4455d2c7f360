/* edge_lines.c  Edges as lines of two numbers of nodes and a weight; see edge_lines.h. */
#include "io/formats/edge_lines.h"

/* The line 'from to weight' at t->at, which moves to its end. With KNNG_PERHAPS_WEIGHT it may have more behind it, and
 * without one its weight is 1. */
knng_status
knng_edge_line(knng_graph_builder *b, int64_t base, knng_weighting how, bool both, knng_err *err)
{
	knng_text *t = b->t;
	char *p = t->at;
	int64_t node[2];
	double weight;
	bool weighted = false;
	knng_status status;
	for (int c = 0; c < 2; c++) {
		char *end = knng_text_count(p, &node[c]);
		if (end == NULL || node[c] < base || node[c] >= b->n + base) {
			char expected[80];
			snprintf(expected, sizeof expected, "a node, a whole number from %lld to %lld", (long long)base,
				 (long long)(b->n + base - 1));
			return knng_text_fail_found(t, p, expected, err);
		}
		p = skip_blanks(end);
	}
	if (how == KNNG_A_WEIGHT && is_end(*p))
		return knng_text_fail_found(t, p, "a number, the weight of an edge", err);
	if (how != KNNG_NO_WEIGHT && !is_end(*p)) {
		char *end = knng_text_number(t, p, &weight);
		weighted = end != NULL && (is_blank(*end) || is_end(*end));
		if (!weighted) {
			end = skip_word(p);
			weighted = knng_text_value(t, p, end, &weight);
		}
		if (!weighted && how == KNNG_A_WEIGHT)
			return knng_text_fail_found(t, p, "a number, the weight of an edge", err);
		p = skip_blanks(end);
	}
	while (how == KNNG_PERHAPS_WEIGHT && !is_end(*p))
		p++;
	if (!is_end(*p))
		return knng_text_fail_found(t, p, "the end of the line", err);
	status = knng_graph_edge(b, node[0] - base, node[1] - base, weighted ? &weight : NULL, both, err);
	t->at = p;
	return status;
}

/* `edges` lines, and nothing behind them. The header is believed only as far as the bytes can hold it. */
knng_status
knng_edge_lines(knng_graph_builder *b, int64_t edges, int64_t least, int64_t base, knng_weighting how, bool both,
		knng_err *err)
{
	knng_text *t = b->t;
	knng_status status;
	int64_t bytes = t->end - t->at;
	if (b->n > KNNG_MAX_NODES)
		return knng_text_fail(t, err, "found %lld nodes, expected %d at most", (long long)b->n, KNNG_MAX_NODES);
	if (edges > (bytes + 1) / least)
		return knng_fail(err, KNNG_EIO, "knng:io:truncated",
				 "%.200s, line %lld: promises %lld edges, which the %lld bytes that follow cannot hold",
				 t->path, (long long)t->line, (long long)edges, (long long)bytes);
	if ((status = knng_graph_room(b, both ? 2 * edges : edges, err)) != KNNG_OK)
		return status;
	for (int64_t e = 0; e < edges; e++) {
		knng_text_next_word(t);
		if (*t->at == '\0')
			return knng_text_fail_truncated(t, "the last edge that its header promises", err);
		if ((status = knng_edge_line(b, base, how, both, err)) != KNNG_OK)
			return status;
	}
	knng_text_next_word(t);
	char q[KNNG_QUOTED + 8];
	if (*t->at != '\0')
		return knng_text_fail(t, err, "found %s, expected no more than the %lld edges of the header",
				      knng_text_quote(t->at, skip_word(t->at), q), (long long)edges);
	return KNNG_OK;
}
