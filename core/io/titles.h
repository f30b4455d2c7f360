/* titles.h  Which names say that a line or a column of a table tells what the samples are, and holds no values. */
#ifndef KNNG_TITLES_H
#define KNNG_TITLES_H

/* What a name says; sums of these. */
enum {
	KNNG_CLASSES = 1, /* that texts and whole numbers are classes */
	KNNG_TEXTS = 2,   /* that texts are no misspelt values */
	KNNG_NUMBERS = 4, /* that numbers, too, are of samples, where the others are of genes */
	KNNG_NO_SIZE = 8, /* that whole numbers stand for what has no size: classes, batches, persons */
};

/* Of the name [name, end), whatever its case, blanks and signs; 0: nothing. */
unsigned knng_title_says(const char *name, const char *end);

#endif
