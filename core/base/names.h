/* names.h  A table of texts: each different one has a number, from 0 in the order in which they came. The texts stay
 * where they are. Start from zero; freeing is always safe. Expected O(1) a call, and no
 * search for numbers that are nearly consecutive, as ids often are. At most 2^31 texts. */
#ifndef KNNG_NAMES_H
#define KNNG_NAMES_H

#include "base/knng_base.h"

typedef struct {
	const char *text;
	int64_t length;
} knng_name;

typedef struct {
	int64_t count;
	knng_name *name; /* count */
	/* the rest is names.c's */
	int64_t room, slots, direct_room;
	int64_t *slot;
	char letter;
	int32_t *direct; /* of texts that are numbers, not far above the count: their places */
} knng_names;

int64_t knng_names_find(const knng_names *t, const char *text, int64_t length); /* -1: it is not there */
int64_t knng_names_add(knng_names *t, const char *text, int64_t length);        /* -1: no memory */
void knng_names_free(knng_names *t);

#endif
