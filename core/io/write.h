/* write.h  What the writers of all formats share. */
#ifndef KNNG_WRITE_H
#define KNNG_WRITE_H

#include "base/file.h"
#include "base/sys.h"
#include "io/digits.h"
#include "io/format.h"
#include "io/knng_io.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
	KNNG_PUT_BUFFER = 1 << 20,
	KNNG_PUT_ROOM = 1024, /* free in the buffer before every node, edge and value; only text may need more */
};

typedef struct writer writer;

typedef struct {
	double weight;
	int64_t to;
} edge;

/* What a format can hold. */
enum { NAMES = 1, GROUPS = 2, POSITIONS = 4, UNDIRECTED = 8, CLASSES = 16, ATTRIBUTES = 32 };

/* How a format is written. The edges of a graph come node by node, nearest first. */
struct knng_writing {
	const char *name; /* for 'Format', and the ending of files */
	const char *nan;  /* how it spells a number that is none */
	unsigned holds;   /* NAMES | … */
	/* How it spells a text, which is UTF-8; false if it cannot. NULL: it has no texts. */
	bool (*spell)(writer *w, const char *text);
	void (*head)(writer *w); /* of a data set: all */
	/* of a graph; all but `edge` may be NULL */
	void (*node)(writer *w, int64_t i);
	void (*between)(writer *w);
	void (*edge)(writer *w, int64_t from, edge e);
	void (*alone)(writer *w, int64_t i); /* in place of the edges of a node that has none to write */
	void (*tail)(writer *w);
	bool (*prepare)(writer *w); /* before all; false: no memory */
};

/* What goes through put… is gathered in the buffer; a write that fails is remembered, and ends the run at the next
 * knng_put_stopped. */
struct writer {
	const knng_writing *f;
	knng_out *out;
	char *at, *buffer;
	int failed;           /* errno of the first write that failed */
	const char *misspelt; /* what has a text that the format cannot hold: "node", …; NULL: nothing */
	int64_t misspelt_at;  /* which, from 1 */
	bool is_foreign;      /* it is no UTF-8 */
	char misspelt_text[KNNG_QUOTED + 8];
	knng_task task;
	knng_digits digits;
	/* a graph */
	const knng_graph *g;
	bool directed;
	int64_t edges; /* that will be written */
	size_t *first; /* n + 1: where those of each node begin in e */
	edge *e;
	double *layout; /* what knng_lay_out made */
	/* or a data set */
	const knng_dataset *ds;
};

/* The writing of this name, or of what the path ends in, among the formats of a kind. */
knng_status knng_find_writing(knng_kind kind, const char *path, const char *name, const knng_writing **f,
			      knng_err *err);
/* Opens the file, lets `body` write, and keeps it if all is well. */
knng_status knng_write_file(writer *w, const char *path, void (*body)(writer *w), knng_err *err);
/* knng:args:names: the text that w->misspelt speaks of. */
knng_status knng_fail_spelling(const writer *w, knng_err *err);
/* Lists what is there (NAMES | …) and the format cannot hold; left_out may be NULL. */
void knng_list_left_out(const knng_writing *f, unsigned there, char left_out[64]);

void knng_put_flush(writer *w);
bool knng_put_stopped(const writer *w);
/* A text of node, row or column `at`, as the format spells it. */
void knng_put_text(writer *w, const char *what, int64_t at, const char *text);
/* The same, spelled otherwise. */
void knng_put_spelled(writer *w, const char *what, int64_t at, const char *text,
		      bool (*spell)(writer *w, const char *text));
void knng_put_node(writer *w, int64_t i); /* the name of a node, or its number from 1 */

/* For `prepare`: w->layout, x of every node and then y, in pixels of a picture whose nodes are circles 30 wide, y
 * downwards. What the user gave is only stretched; otherwise each group is a disc. O(n + groups). */
bool knng_lay_out(writer *w);
/* "#RRGGBB" of a group, from 1: the first 40 of knng.internal.group_colours, again and again. */
const char *knng_group_colour(int64_t group);

/* For spelling. &#c; as XML, GML and Pajek have it. All bytes as they are. */
void knng_put_code(writer *w, int32_t c);
void knng_put_plain(writer *w, const char *text);

/* Data sets. Rows and columns without names get F1, F2, … and S1, S2, … The names of columns, with the separator before
 * each but the first; all rows: a name, if `named`, what stands behind it, the values; 'rows<tab>columns'. */
void knng_put_columns(writer *w, char *const *names, const char *separator);
void knng_put_rows(writer *w, bool named, const char *behind, const char *separator);
void knng_put_sizes(writer *w);

static inline void
room(writer *w, int64_t bytes)
{
	if (w->buffer + KNNG_PUT_BUFFER - w->at < bytes)
		knng_put_flush(w);
}

static inline void
put(writer *w, const char *text)
{
	size_t bytes = strlen(text);
	memcpy(w->at, text, bytes);
	w->at += bytes;
}

static inline void
put_int(writer *w, int64_t v)
{
	w->at = knng_digits_put_int(v, w->at);
}

static inline void
put_number(writer *w, double v)
{
	if (isnan(v))
		put(w, w->f->nan);
	else if (isinf(v))
		put(w, v > 0 ? "INF" : "-INF");
	else
		w->at = knng_digits_put(&w->digits, v, w->at);
}

/* The weight of an edge; DBL_MIN stands for 0 in a sparse matrix. */
static inline double
weight_of(edge e)
{
	return e.weight == DBL_MIN ? 0 : e.weight;
}

/* The label of node i's group, or NULL. */
static inline const char *
group_of(const writer *w, int64_t i)
{
	return w->g->group != NULL && w->g->group[i] > 0 ? w->g->groups[w->g->group[i] - 1] : NULL;
}

/* The next attribute from the one of the number *a that node i has, and past it; NULL: it has no more. */
const knng_attribute *knng_next_attribute(writer *w, int64_t i, int64_t *a);

/* Was node i given a place? NaN is none. */
static inline bool
has_position(const writer *w, int64_t i)
{
	const double *p = w->g->positions;
	return p != NULL && !isnan(p[i]) && !isnan(p[w->g->n + i]);
}

#endif
