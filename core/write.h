/* write.h  What the writers of files share. Internal to core/write*.c. */
#ifndef KNNG_WRITE_H
#define KNNG_WRITE_H

#include "digits.h"
#include "sys.h"

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
enum { NAMES = 1, GROUPS = 2, POSITIONS = 4, UNDIRECTED = 8, CLASSES = 16 };

typedef struct {
	const char *name; /* for 'Format', and the ending of files */
	const char *nan;  /* how it spells a number that is none */
	unsigned holds;   /* NAMES | … */
	/* How it spells a text, which is UTF-8; false if it cannot. NULL: it has no texts. */
	bool (*spell)(writer *w, const char *text);
	void (*head)(writer *w);            /* of a data set: all */
	void (*node)(writer *w, int64_t i); /* may be NULL, and so the next */
	void (*between)(writer *w);
	void (*edge)(writer *w, int64_t from, edge e);
	void (*alone)(writer *w, int64_t i); /* in place of the edges of a node that has none to write */
	void (*tail)(writer *w);
} format;

/* The formats of data sets (write_data.c), up to one without name. */
extern const format knng_data_formats[];

/* What goes through put… is gathered in the buffer; a write that fails is remembered, and ends the run at the next
 * knng_put_stopped. */
struct writer {
	const format *f;
	knng_out *out;
	char *at, *buffer;
	int failed;           /* errno of the first write that failed */
	const char *misspelt; /* what has a text that the format cannot hold: "node", …; NULL: nothing */
	int64_t misspelt_at;  /* which, from 1 */
	const volatile sig_atomic_t *interrupt;
	knng_digits digits;
	/* a graph */
	const knng_graph *g;
	bool directed;
	int64_t edges; /* that will be written */
	size_t *first; /* n + 1: where those of each node begin in e */
	edge *e;
	double *layout; /* positions in pixels, for GML */
	/* or a data set */
	const knng_dataset *ds;
};

void knng_put_flush(writer *w);
bool knng_put_stopped(const writer *w);
/* A text of node, row or column `at`, as the format spells it. */
void knng_put_text(writer *w, const char *what, int64_t at, const char *text);
bool knng_spell_csv(writer *w, const char *text); /* RFC 4180 */

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

#endif
