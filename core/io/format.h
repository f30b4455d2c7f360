/* format.h  What a file format is. Each has a file in formats/, and a row in the table there. */
#ifndef KNNG_FORMAT_H
#define KNNG_FORMAT_H

#include "io/knng_io.h"
#include "io/text.h"

typedef struct knng_writing knng_writing;

/* looks_like sees the first 256 KB of the text, from the beginning of the first line that is not blank, ended by a NUL.
 * parse finds the text whole, t->at at the same place; it fills the member of `content` that is of its kind, and may
 * leave it half-filled when it fails. */
typedef struct {
	const char *name;  /* a word in lower case, for content.format */
	const char *title; /* for messages */
	knng_kind kind;
	bool (*looks_like)(const char *text);
	bool (*fits)(const char *path); /* of a format of several files: whether the others are there; else NULL */
	knng_status (*parse)(knng_text *t, knng_content *content, knng_err *err);
	const knng_writing *write; /* how it is written (write.h): rows up to one without name; NULL: it is not */
} knng_format;

/* All, in the order in which they are asked whether a file looks like theirs, and in which messages name them; NULL is
 * the end (formats/formats.c). */
extern const knng_format *const knng_formats[];

/* Ending i of the files as which a format is written, NULL past the last. */
const char *knng_format_ending(const knng_format *f, int i);

#endif
