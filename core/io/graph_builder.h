/* graph_builder.h  How a parser builds a graph.
 *
 * The text is not changed, so that it can be gone through again: once more to name the line of an edge that stands
 * twice, and twice, nodes first, where edges come before their nodes. Names are pieces of the text until the end. */
#ifndef KNNG_GRAPH_BUILDER_H
#define KNNG_GRAPH_BUILDER_H

#include "base/names.h"
#include "io/knng_io.h"
#include "io/text.h"

enum { KNNG_MAX_NODES = INT32_MAX - 64 };

typedef struct {
	int32_t from, to;
	double weight;
} knng_file_edge;

typedef struct {
	knng_name name; /* text NULL: none */
	int64_t group;  /* from 1; 0: none */
	double x, y;    /* NaN: none */
} knng_node;

typedef struct knng_graph_builder knng_graph_builder;

/* A format: how it spells names, and its parser. spelled writes the text of a piece of the file at `to`, where there is
 * as much room as the piece has; returns the bytes. NULL: as it is. parse begins at t->at. */
typedef struct {
	int64_t (*spelled)(const char *piece, int64_t length, char *to);
	knng_status (*parse)(knng_graph_builder *b, knng_err *err);
	bool utf8; /* other encodings are refused, where a name would be another one */
} knng_graph_format;

struct knng_graph_builder {
	knng_text *t;
	const knng_graph_format *f;
	int64_t n;            /* nodes so far; a format whose nodes have no descriptions sets it */
	knng_node *node;      /* n if there are descriptions, else NULL */
	knng_file_edge *edge; /* in the order of the file; an undirected one twice */
	int64_t edges;
	bool directed;             /* there is an edge of one direction; may be set beforehand */
	bool sorted;               /* by from, so far */
	bool weighted, unweighted; /* there are edges with weights; without */
	knng_names ids;            /* in formats whose edges name nodes: node i is text i */
	knng_names group;          /* labels of groups */
	enum { KNNG_PASS_ALL, KNNG_PASS_NODES, KNNG_PASS_EDGES } pass;
	bool forward; /* out of parse with an error: an edge came before its node */
	int64_t node_room, edge_room;
	int64_t again; /* the edge at which to fail, since it was there before; -1: none */
};

void knng_graph_free(knng_graph *g); /* always safe on a zeroed or freed one */

/* Parses with f into content->graph. */
knng_status knng_graph_parse(knng_text *t, knng_content *content, const knng_graph_format *f, knng_err *err);

/* A new node without anything; b->node[b->n - 1]. */
knng_status knng_graph_node(knng_graph_builder *b, knng_err *err);
/* The same for an id, in the pass of nodes; *node is its number. An id that was there is an error. */
knng_status knng_graph_new_id(knng_graph_builder *b, const char *id, int64_t length, int64_t *node, knng_err *err);
/* The node of an id that an edge names. */
knng_status knng_graph_find_id(knng_graph_builder *b, const char *id, int64_t length, int64_t *node, knng_err *err);
knng_status knng_graph_group(knng_graph_builder *b, int64_t node, const char *label, int64_t length, knng_err *err);

/* Makes room for `least` elements, or for twice as many as there was room for, in an array that has `count`; false: no
 * memory. */
bool knng_graph_grow(void **array, int64_t count, int64_t *room, int64_t least, size_t size);

/* Room for this many edges more; bound them by the bytes of the text. */
knng_status knng_graph_room(knng_graph_builder *b, int64_t edges, knng_err *err);
/* An edge; `both`: undirected. 0 <= from, to < n. weight NULL: it has none, which is 1 if no edge has one, else NaN. */
knng_status knng_graph_edge(knng_graph_builder *b, int64_t from, int64_t to, const double *weight, bool both,
			    knng_err *err);
/* The field [p, end) as a weight, or as part of a place. */
knng_status knng_graph_weight(const knng_graph_builder *b, char *p, const char *end, double *weight, knng_err *err);

#endif
