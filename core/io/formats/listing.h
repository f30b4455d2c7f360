/* listing.h  What a file holds that may hold several matrices: which of them is the only one, and what to say where
 * there is none. */
#ifndef KNNG_FORMATS_LISTING_H
#define KNNG_FORMATS_LISTING_H

#include "base/knng_base.h"

enum { KNNG_LISTED_NAME = 256 };

typedef struct {
	const char *path;
	const char *what; /* "dataset" */
	bool cut;         /* there is more than was looked at */
	char only[KNNG_LISTED_NAME], only_matrix[KNNG_LISTED_NAME], known[100][64];
	char text[500];                 /* the first of them, with their sizes */
	char refused[KNNG_LISTED_NAME]; /* the first one that is no matrix of numbers */
	int count, matrices, names, refusals;
} knng_listing;

/* One of numbers, and one that is refused. */
void knng_listing_add(knng_listing *l, const char *name, int dimensions, int64_t n, int64_t d);
void knng_listing_add_refused(knng_listing *l, const char *name);

/* The name of the only matrix (of two dimensions or more, with several rows and columns), the only one of numbers, or
 * of the only one that is refused, to say why; NULL: there is none, or not all was looked at. A stack of pictures is a
 * matrix, too: beside it a smaller one is not taken for what is meant. */
const char *knng_listing_only(const knng_listing *l);

/* knng:io:format: what is wrong, what there is, and how to ask for it. name: what was asked for, or NULL. */
knng_status knng_listing_refuse(const knng_listing *l, const char *what, const char *name, knng_err *err);

#endif
