/* prepared.h  Prepared rows that stay from one search to the next, whose first rows are the same ones: a block that
 * meets others one after the other is prepared once, and so are the references of a searcher (searcher.h). Of blocks
 * only the CPU keeps any. */
#ifndef KNNG_PREPARED_H
#define KNNG_PREPARED_H

#include "search/points.h"

struct knng_prepared {
	int64_t room; /* rows of the largest of the searches: there is memory for as many from the first on */
	int64_t rows; /* the first so many rows of the next search, those before its split, are those of the last */
	/* These are all references there will be, and stay whatever comes of a search. The first search has queries
	 * which are never read: it prepares the references, and nothing more. On a GPU it takes the room of a search
	 * for as many. */
	bool whole;
	bool pruned;                 /* of such: a tree of boxes stands, */
	char why[160];               /* or why not */
	int64_t nonfinite, constant; /* rows among them without distances */
	knng_points points;          /* of the last search */
	void *state;                 /* what its backend has kept; NULL: nothing */
	void (*free)(void *state);
	const struct knng_backend *backend;
	int device;          /* where a GPU keeps it, counted from 0, */
	double device_bytes; /* and how much; 0: no GPU does, or it has lost all */
};

/* Of a searcher, as far as it is known when its rows are prepared: a GPU has them where a search for so many gains from
 * one and finds room. */
enum { KNNG_USUAL_QUERIES = 1000 };

/* Keeps nothing any more; safe on zeros, and twice. */
void knng_prepared_drop(struct knng_prepared *p);

/* Whether the references are there already, all of them, and only have to be searched; p may be NULL. */
static inline bool
knng_prepared_all(const struct knng_prepared *p)
{
	return p != NULL && p->whole && p->state != NULL;
}

/* Whether all references are prepared once, for searches that follow each other; p may be NULL. */
static inline bool
knng_prepared_whole(const struct knng_prepared *p)
{
	return p != NULL && p->whole;
}

/* Whether these are blocks of rows, which meet each other; p may be NULL. */
static inline bool
knng_prepared_meets(const struct knng_prepared *p, int64_t split)
{
	return split > 0 || (p != NULL && !p->whole);
}

/* Rows that a search of n rows takes memory for; p may be NULL. */
static inline int64_t
knng_prepared_room(const struct knng_prepared *p, int64_t n)
{
	return p != NULL && p->room > n ? p->room : n;
}

/* Says what to do where a GPU did not finish that alone has the references. */
void knng_advise_again(knng_err *err);

#endif
